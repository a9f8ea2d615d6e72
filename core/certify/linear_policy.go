package certify

import (
	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/certify/guess"
	"rcmdplab/core/model"
)

// alone is a sweep of one cost.
func (x *image) alone(kernel *model.Kernel, n int) *sweep {
	w := make([]interval, len(x.costs))
	w[n] = one
	return x.newSweep(kernel, w)
}

// sharp is the share of the numbers in it below which a residual is not improved.
var sharp = enclosure.Point(1e-11)

// returns encloses the return of the policy under the kernel of the sweep, or the worst-case one: for any V
// and T the robust Bellman operator of the policy, over the states that can be reached,
//
//	⟨μ, V⟩ + min (TV - V)/(1-γ) <= J <= ⟨μ, V⟩ + max (TV - V)/(1-γ),
//
// as T(V + x) = TV + γx for constants x and T is monotone. Rows of the set bound TV
// from below, weak duals of nature's problem from above (rowset). V need only be near: it is v, or
// where the residual of that is poor, or v is missing, found here.
func (y *sweep) returns(pi, v []float64, more func() bool) interval {
	best := enclosure.Line()
	if v != nil {
		e, size := y.residuals(pi, v, more)
		best = y.around(v, e)
		if e.Width().AtMost(size.Mul(sharp)) {
			return best
		}
	}
	v = y.find(pi, v, more)
	e, _ := y.residuals(pi, v, more)
	return best.Meet(y.around(v, e))
}

// around is the range of returns that a residual leaves. An end takes no part in T(V + x): its values
// are not moved, so that at discount 1 a residual on one side of 0 says nothing of the other.
func (y *sweep) around(v []float64, e interval) interval {
	if y.total {
		e = e.Hull(zero)
	}
	return y.startOf(v).Add(e.Mul(y.time))
}

// residuals encloses T^π v - v over the states: its lower end by rows of the set,
// its upper end by weak duals. size is that of the numbers in it.
func (y *sweep) residuals(pi, v []float64, more func() bool) (e, size interval) {
	y.begin(v)
	first := true
	for s, reached := range y.reach(pi) {
		onwards(s%1024 == 0, more)
		if !reached {
			continue
		}
		all := zero
		for i := y.Off[s]; i < y.Off[s+1]; i++ {
			share := enclosure.Point(pi[i])
			if share == zero {
				continue
			}
			if y.instance.ends(i) {
				all = all.Add(share.Mul(y.stopped(i)))
				continue
			}
			y.turn(i)
			y.ask()
			c := y.flat(i)
			high := y.residual(y.rows.above(v), c) // below moves the guess
			low := y.residual(y.rows.below(), c)
			all = all.Add(share.Mul(low.Upto(high)))
			size = size.Max(c.Abs())
		}
		size = size.Max(enclosure.Point(v[s]).Abs())
		if first {
			e, first = all, false
		} else {
			e = e.Hull(all)
		}
	}
	return e, size
}

// reach marks the states that the policy may come to, whatever nature does: the
// others have no part in its returns.
func (y *sweep) reach(pi []float64) []bool {
	w := y.from(y.starts()...)
	for s := 0; s < y.S && (y.rows.open || y.rows.dense); s++ {
		w.come(s)
	}
	for s := range w.states {
		for i := y.Off[s]; i < y.Off[s+1]; i++ {
			if enclosure.Point(pi[i]) == zero {
				continue
			}
			// Listed entries of 0 count: some sets may use them.
			next, _ := y.rows.given.Row(i)
			w.come(next...)
		}
	}
	return w.seen
}

// find looks for the values of the policy by turns: nature's rows at v, then v
// as the solution of their linear system.
func (y *sweep) find(pi, from []float64, more func() bool) []float64 {
	v := make([]float64, y.S)
	if from != nil {
		copy(v, from)
	}
	sys := guess.NewSparse(y.S, more)
	for range 60 {
		onwards(true, more)
		y.load(sys, pi, v, more)
		again := sys.Improve(v, y.rows.family != alone)
		onwards(true, func() bool { return !sys.Left })
		if !again {
			break
		}
	}
	return v
}

// load fills the system with nature's answers to v.
func (y *sweep) load(sys *guess.Sparse, pi, v []float64, more func() bool) {
	y.begin(v)
	sys.Begin(y.g.Hi())
	reached := y.reach(pi)
	for s := range y.S {
		onwards(s%1024 == 1023, more)
		for i := y.Off[s]; i < y.Off[s+1]; i++ {
			if enclosure.Point(pi[i]) == zero {
				continue
			}
			if y.total && (y.instance.ends(i) || !reached[s]) { // what is not reached need not end
				sys.Take(pi[i], y.paid(i).Hi())
				continue
			}
			y.turn(i)
			next, p, paid := y.answer()
			sys.Take(pi[i], y.flat(i).Hi())
			for j, t := range next {
				after := 0.
				if y.onward {
					after = y.after(t).Hi()
				}
				sys.Lead(t, p[j], after)
			}
			if y.onward {
				sys.Pay(paid)
			} else {
				sys.PayLater(paid)
			}
		}
		sys.Row(s)
	}
}

// answer is nature's row for the open pair, and what it pays for it.
func (y *sweep) answer() (next []int, p []float64, paid float64) {
	r := y.rows
	if r.family == alone {
		return r.next, r.near, 0
	}
	if paid = r.answer(y.pair, y.faced()); len(r.asked) == 0 {
		refuse("the row of %s is empty", y.pairName(y.pair))
	}
	return r.asked, r.found, paid
}
