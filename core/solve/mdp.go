package solve

import (
	"math"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
)

// mdp is one kernel of the problem with its costs: an ordinary Markov decision
// process on which policy iteration is exact. It works on deterministic
// policies, one pair a state.
type mdp struct {
	m      *model.Standard
	k      *model.Kernel
	c      [][]float64 // expected one-step cost by pair, n = 0..N
	sys    *evaluate.System
	choice []int // the pair taken in each state
	v      []float64
	d      []float64 // unnormalised occupancy of choice, after occupancy()

	factorisations int64
}

func newMDP(m *model.Standard, k *model.Kernel) *mdp {
	x := &mdp{
		m: m, k: k, sys: evaluate.NewSystem(m.S, m.Gamma),
		choice: make([]int, m.S), v: make([]float64, m.S), d: make([]float64, m.S),
	}
	copy(x.choice, m.Off)
	for n := range m.N + 1 {
		x.c = append(x.c, m.ExpectedCost(n, k))
	}
	return x
}

// factor makes the factorisation of I - γP of the present choice.
func (x *mdp) factor() {
	a, s := x.sys.Matrix(), x.m.S
	clear(a)
	for st, i := range x.choice {
		row := a[st*s : (st+1)*s]
		next, prob := x.k.Row(i)
		for j, t := range next {
			row[t] -= x.m.Gamma * prob[j]
		}
		row[st]++
	}
	x.sys.Factor()
	x.factorisations++
}

// action is c(i) + γ ⟨P_i, v⟩.
func (x *mdp) action(cost []float64, i int) float64 {
	t := 0.0
	next, prob := x.k.Row(i)
	for j, s := range next {
		t += prob[j] * x.v[s]
	}
	return cost[i] + x.m.Gamma*t
}

// improve is one step of policy iteration for the cost: values of the present
// choice, then the greedy change. It reports whether anything changed. A state
// changes only for a gain above the rounding of the comparison.
// O(S³/3 + nonzeros).
func (x *mdp) improve(cost []float64) bool {
	x.factor()
	size := 0.0
	for s, i := range x.choice {
		x.v[s] = cost[i]
	}
	x.sys.Solve(x.v)
	for _, v := range x.v {
		size = max(size, math.Abs(v))
	}
	changed := false
	for s := range x.choice {
		least := x.action(cost, x.choice[s]) - 4e-15*size
		for i := x.m.Off[s]; i < x.m.Off[s+1]; i++ {
			if i == x.choice[s] {
				continue
			}
			if q := x.action(cost, i); q < least {
				least, x.choice[s], changed = q, i, true
			}
		}
	}
	return changed
}

// optimal runs policy iteration from the present choice; the factorisation and
// v then belong to the choice it ends at. Values fall at every step, so it ends
// when nothing changes or, in case rounding makes two choices look better than
// each other, when the values no longer fall. bound says how exact it was.
func (x *mdp) optimal(cost []float64) {
	last := math.Inf(1)
	for x.improve(cost) {
		sum := 0.0
		for _, v := range x.v {
			sum += v
		}
		if sum >= last {
			x.factor()
			return
		}
		last = sum
	}
}

// occupancy writes the unnormalised occupancy measure of the present choice to
// d; the factorisation must be of it.
func (x *mdp) occupancy() {
	copy(x.d, x.m.Mu)
	x.sys.SolveTransposed(x.d)
}

// returns writes J_n of the present choice, n = 0..N, from d.
func (x *mdp) returns(dst []float64) {
	for n := range dst {
		t := 0.0
		for s, i := range x.choice {
			t += x.d[s] * x.c[n][i]
		}
		dst[n] = t
	}
}

// weigh writes the cost Σ_n w_n c_n by pair.
func (x *mdp) weigh(dst, w []float64) {
	clear(dst)
	for n, wn := range w {
		if wn != 0 {
			for i, c := range x.c[n] {
				dst[i] += wn * c
			}
		}
	}
}

// dualBound is the checked lower bound on J_0 over the policies that meet the
// constraints, by weak duality for multipliers w_1..w_N >= 0 (w_0 = 1):
//
//	min_π Σ_n w_n J_n(π) - Σ_{n>=1} w_n b_n.
//
// v should hold the values of the weighted cost's best policy.
func (x *mdp) dualBound(w []float64) float64 {
	var t exactSum
	t.add(x.bound(w))
	for n := 1; n < len(w); n++ {
		if w[n] != 0 {
			t.addProduct(-w[n], x.m.B[n])
		}
	}
	v, err := t.value()
	return v - err
}

// bound is a number that no policy's return of the cost
//
//	Σ_n w_n c_n
//
// can be below under this kernel, whatever v holds (best when v is its value
// function): with e = min_i c(i) + γ⟨P_i, v⟩ - v(s_i),
//
//	J(π) = ⟨μ, v⟩ + ⟨d, c^π + γP^π v - v⟩ >= ⟨μ, v⟩ + H e.
//
// Sums are compensated and the rest of the rounding is taken off, so the
// number is a bound for the kernel and costs as stored.
func (x *mdp) bound(w []float64) float64 {
	m := x.m
	hi, lo := make([]float64, m.S), make([]float64, m.S)
	for s, v := range x.v {
		hi[s], lo[s] = twoProduct(m.Gamma, v)
	}
	e, slack := math.Inf(1), 0.0
	for i := range m.Pairs() {
		var t exactSum
		for n, wn := range w {
			if wn != 0 {
				t.addProduct(wn, x.c[n][i])
			}
		}
		next, prob := x.k.Row(i)
		for j, s := range next {
			t.addProduct(prob[j], hi[s])
			t.add(prob[j] * lo[s])
		}
		t.add(-x.v[m.State[i]])
		if r, err := t.value(); r-err < e-slack {
			e, slack = r, err
		}
	}
	var j exactSum
	for s, p := range m.Mu {
		j.addProduct(p, x.v[s])
	}
	start, err := j.value()
	e -= slack
	// Rows sum to 1 only up to rounding, which moves Σd away from H.
	if e < 0 {
		e *= m.H * (1 + 1e-12*m.H)
	} else {
		e *= m.H * (1 - 1e-12*m.H)
	}
	return start + e - err - 0x1p-52*(math.Abs(start)+math.Abs(e))
}
