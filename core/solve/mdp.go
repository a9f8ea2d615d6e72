package solve

import (
	"math"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/game"
	"rcmdplab/core/model"
)

// mdp is one kernel of the problem with its costs: an ordinary Markov decision
// process on which policy iteration is exact. It works on deterministic
// policies, one pair a state, and on costs about their centres: the return of
// cost n is J_n less base(n).
type mdp struct {
	m      *model.Standard  // centred
	offset []float64        // nil for zeros
	k      *model.Kernel    // the kernel
	c      [][]float64      // expected one-step cost by pair, n = 0..N
	sys    *evaluate.System // of choice
	closed []bool           // by pair: not to be taken; nil when all are open
	choice []int            // the pair taken in each state
	v      []float64        // values of choice, by state
	d      []float64        // unnormalised occupancy of choice, after occupancy()
	last   []float64        // work: values one improvement ago

	// Where systems are solved by iteration, the search is Newton's with as much
	// accuracy in each step as it needs; choice and v are its own.
	saddle *game.Game

	guess          []float64 // work: where an iterative solve begins
	factorisations int64     // of all solves
	steps          int       // of the policy iteration in progress

	// more, when not nil, is called between pieces of work; when it returns false
	// what is running ends as it is.
	more func() bool
}

func newMDP(m *model.Standard, k *model.Kernel) *mdp {
	x := &mdp{
		k: k, sys: evaluate.NewSystemFor(m.Layout, m.Gamma, len(k.Next)), choice: make([]int, m.S),
		v: make([]float64, m.S), d: make([]float64, m.S), last: make([]float64, m.S),
	}
	x.m, x.offset = m.Centre()
	copy(x.choice, m.Off)
	if x.sys.Iterative() {
		x.saddle = game.New(x.m, k)
		x.choice, x.v = x.saddle.Choice, x.saddle.V
	}
	for n := range m.N + 1 {
		x.c = append(x.c, x.m.ExpectedCost(n, k))
	}
	return x
}

// keepPace has its systems ask as the evaluator does, see evaluate.Evaluator.Pace.
func (x *mdp) keepPace(ev *evaluate.Evaluator) {
	x.sys.KeepPace(ev)
	if x.saddle != nil {
		x.saddle.KeepPace(ev)
	}
}

// base is what every policy pays of cost n.
func (x *mdp) base(n int) float64 {
	if x.offset == nil {
		return 0
	}
	return x.offset[n]
}

// raised is a lower bound on a centred return as one on the return itself.
func (x *mdp) raised(n int, bound float64) float64 {
	b := x.base(n)
	if b == 0 {
		return bound
	}
	return b + bound - 0x1p-51*(math.Abs(b)+math.Abs(bound))
}

// close forbids pairs; every state must keep one.
func (x *mdp) close(closed []bool) {
	x.closed = closed
	game.Open(x.m.Layout, x.choice, closed)
}

// factor makes the factorisation of I - γP of the present choice.
func (x *mdp) factor() {
	x.sys.LoadPairs(x.choice, x.k)
	x.sys.Factor()
	x.factorisations++
}

// action is c(i) + γ ⟨P_i, v⟩ and the sum of the sizes of what is added up.
func (x *mdp) action(cost []float64, i int) (q, size float64) {
	t, a := 0.0, 0.0
	next, prob := x.k.Row(i)
	for j, s := range next {
		y := prob[j] * x.v[s]
		t += y
		a += math.Abs(y)
	}
	return cost[i] + x.m.Gamma*t, math.Abs(cost[i]) + a
}

// roundoff is how far rounding moves a comparison of two numbers of size 1 that
// are sums of some successors' values.
const roundoff = 4e-15

// improve is one step of policy iteration for the cost: values of the present
// choice, then the greedy change. It reports whether anything changed. A state
// changes only for a gain above the rounding of its own comparison: large values
// elsewhere do not hide it. O(S³/3 + nonzeros).
func (x *mdp) improve(cost []float64) bool {
	x.factor()
	for s, i := range x.choice {
		x.v[s] = cost[i]
	}
	x.sys.Solve(x.v)
	changed := false
	for s, now := range x.choice {
		q, size := x.action(cost, now)
		least := q - roundoff*size
		for i := x.m.Off[s]; i < x.m.Off[s+1]; i++ {
			if i == now || x.closed != nil && x.closed[i] {
				continue
			}
			if q, size := x.action(cost, i); q < least-roundoff*size {
				least, x.choice[s], changed = q, i, true
			}
		}
	}
	return changed
}

// optimal runs policy iteration from the present choice; the factorisation and
// v then belong to the choice it ends at, unless more ended it, which it reports.
// Values fall at every step, so it ends when nothing changes or, in case rounding
// makes two choices look better than each other, when no value falls any more.
// bound says how exact it was.
func (x *mdp) optimal(cost []float64) bool {
	x.begin(cost)
	for !x.step(cost) {
		if x.more != nil && !x.more() {
			return false
		}
	}
	return true
}

// begin and step are optimal in pieces that can be left in between; step reports
// whether it is done.
func (x *mdp) begin(cost []float64) {
	x.steps = 0
	if x.newton() {
		x.saddle.Charge(cost, 0)
	}
}

// newton reports whether the saddle does the work; it knows of no closed pairs.
func (x *mdp) newton() bool { return x.saddle != nil && x.closed == nil }

func (x *mdp) step(cost []float64) bool {
	if x.newton() {
		before := x.saddle.Solves
		done := x.saddle.Step()
		x.factorisations += int64(x.saddle.Solves - before)
		if done {
			x.factor()
		}
		return done
	}
	if !x.improve(cost) {
		return true
	}
	if x.steps > 0 && !fell(x.v, x.last) || x.steps == mostSteps {
		x.factor()
		return true
	}
	copy(x.last, x.v)
	x.steps++
	return false
}

// fell reports whether some value is below what it was, by more than rounding.
func fell(v, last []float64) bool {
	for s, y := range v {
		if y < last[s]-roundoff*math.Abs(last[s]) {
			return true
		}
	}
	return false
}

// occupancy writes the unnormalised occupancy measure of the present choice to
// d; the factorisation must be of it.
func (x *mdp) occupancy() {
	if x.saddle != nil { // from the last one
		x.guess = append(x.guess[:0], x.d...)
		copy(x.d, x.m.Mu)
		x.sys.SolveTransposedFrom(x.d, x.guess, 0)
		return
	}
	copy(x.d, x.m.Mu)
	x.sys.SolveTransposed(x.d)
}

// start is ⟨μ, v⟩.
func (x *mdp) start() float64 {
	j := 0.0
	for s, p := range x.m.Mu {
		j += p * x.v[s]
	}
	return j
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

// dualBound is a lower bound on J_0 over the policies that meet J_n <= limit_n,
// by weak duality (Altman 1999, section 3.4) for multipliers w_1..w_N >= 0 (w_0 = 1):
//
//	min_π Σ_n w_n J_n(π) - Σ_{n>=1} w_n limit_n,
//
// all of them about the centres. v should hold the values of the weighted cost's
// best policy.
func (x *mdp) dualBound(w, limit []float64) float64 {
	var t exactSum
	t.add(x.bound(w))
	for n := 1; n < len(w); n++ {
		if w[n] != 0 {
			t.addProduct(-w[n], limit[n])
		}
	}
	v, err := t.value()
	return v - err
}

// least is the least one-step cost of Σ_n w_n c_n, or less.
func (x *mdp) least(w []float64) float64 {
	t := 0.0
	for n, wn := range w {
		if wn != 0 {
			lo, _ := x.m.Bounds(n)
			t += wn * lo
		}
	}
	return t
}

// bound is a number that no policy's return of the cost
//
//	Σ_n w_n c_n
//
// can be below under this kernel, whatever v holds (best when v is its value
// function; MacQueen 1966; Puterman 2005, theorem 6.3.1): with
// e = min_i c(i) + γ⟨P_i, v⟩ - v(s_i),
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
	if least := x.least(w); least >= 0 && start+e*m.H < 0 {
		return 0 // what costs nothing negative
	}
	// Rows sum to 1 only up to rounding, which moves Σd away from H.
	if e < 0 {
		e *= m.H * (1 + 1e-12*m.H)
	} else {
		e *= m.H * (1 - 1e-12*m.H)
	}
	return start + e - err - 0x1p-52*(math.Abs(start)+math.Abs(e))
}
