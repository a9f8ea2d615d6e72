package certify

// Proofs about whole episodes, discount 1 to the end states E. A policy counts when it ends
// surely, from every state that it starts in, under every kernel of the set. Rows lead nowhere
// from an end, so that its residual is c(s) - V(s).
//
// A policy. For w >= 0 with w >= 1 + Σ_a π(a|s) sup_p ⟨p, w⟩ off the ends and w >= 1 there, in the states
// that π can reach, π ends surely and takes no longer than w under any kernel: w >= Σ_{t<n} Q^t 1 for all
// n. With e = T^π V - V over these states
//
//	⟨μ, V⟩ + min(0, e) ⟨μ, w⟩ <= J <= ⟨μ, V⟩ + max(0, e) ⟨μ, w⟩,
//
// as J_P - V = (I - Q)⁻¹(c_P + Q V - V) for every kernel P. w is found as V is, for the cost 1; where
// T w - w <= r < 1 with that cost, w/(1-r) does. For a finite set each kernel has its own V and w. Since w is found and judged in
// intervals, a policy that may take some 10^14 steps is not said to end.
//
// All policies. For rows P that nature may use, and any V with
//
//	V(s) <= c_λ(s,a) + ⟨P(s,a), V⟩  for all pairs that may be taken,  V(s) <= c_λ(s) at the ends,
//
// every policy that ends surely has J_{c_λ} >= ⟨μ, V⟩: iterate, and Q^n V goes to 0 as it ends under P.
// Pairs that may be taken are those from which P cannot lead to where no policy ends surely under P.
// There is no horizon in it, and nothing makes up for a residual below 0, however small.

// goesOn refuses a policy that does not count, or of which it cannot be told.
func goesOn(how string, names ...any) {
	refuse("it may go on for ever"+how+": at discount 1 a policy counts only if it surely reaches an end, whatever nature does", names...)
}

// slowly is how a policy may go on that is not known to get stuck anywhere.
const slowly = ", or for some 10^13 steps and more"

// ends reports whether the pair is of an end state of episodes.
func (in *instance) ends(i int) bool { return in.total && in.p.Ends(in.State[i]) }

// leads reports what of a list of successors is marked: any, and all.
func leads(to []int, marked []bool) (some, all bool) {
	all = true
	for _, s := range to {
		some, all = some || marked[s], all && marked[s]
	}
	return some, all
}

// surely marks the states from which some policy that takes pairs with the given successors ends
// surely: the greatest X from which ways lead to an end without a step that may leave X.
func (in *instance) surely(to [][]int) []bool { return in.surelyBut(to, make([]bool, len(to))) }

// surelyBut is surely, or more, where pairs may be vague: what they lead to is listed, or is anything
// where nothing is, and any of it may be missing.
func (in *instance) surelyBut(to [][]int, vague []bool) []bool {
	x := make([]bool, in.S)
	for s := range x {
		x[s] = true
	}
	for {
		y := make([]bool, in.S)
		for s := range y {
			y[s] = in.p.Ends(s)
		}
		for more, back := true, false; more; back = !back {
			more = false
			for k := range in.State {
				i := k
				if back {
					i = len(in.State) - 1 - k
				}
				s := in.State[i]
				if y[s] || !x[s] {
					continue
				}
				some, _ := leads(to[i], y)
				_, all := leads(to[i], x)
				if vague[i] {
					some, all = some || len(to[i]) == 0, true
				}
				if some && all {
					y[s], more = true, true
				}
			}
		}
		same := true
		for s := range x {
			same = same && x[s] == y[s]
		}
		if x = y; same {
			return x
		}
	}
}

// upheld refuses where a pair that may be taken may have a residual below 0, which look tells of each that is not closed, and to
// what nature's row leads it; vague as for surelyBut.
func (in *instance) upheld(closed []bool, look func(i int) (below bool, to []int, vague bool)) {
	n := in.Pairs()
	below, vague, to := make([]bool, n), make([]bool, n), make([][]int, n)
	for i := range n {
		if closed != nil && closed[i] {
			continue
		}
		below[i], to[i], vague[i] = look(i)
	}
	x, w, everywhere := in.surelyBut(to, vague), in.from(in.starts()...), false
	for s := range w.states {
		if !x[s] {
			refuse("no policy surely ends from state %q", in.p.States[s])
		}
		for i := in.Off[s]; i < in.Off[s+1]; i++ {
			if _, all := leads(to[i], x); !all && !vague[i] || closed != nil && closed[i] {
				continue
			}
			if below[i] {
				refuse("the value of state %q is above what %s comes to, and at discount 1 nothing makes up for that", in.p.States[s], in.pairName(i))
			}
			if vague[i] && len(to[i]) == 0 && !everywhere {
				everywhere = true // once: a state that was come to stays so
				for t, ends := range x {
					if ends {
						w.come(t)
					}
				}
			}
			for _, t := range to[i] {
				if x[t] {
					w.come(t)
				}
			}
		}
	}
}

// upheld is that of values in fractions.
func (o *operator) upheld(more func() bool) {
	o.in.upheld(o.closed, func(i int) (bool, []int, bool) {
		onwards(true, more)
		q, to := o.below(i)
		return q.Over(o.zden).Rat().Sign() < 0, to, false
	})
}
