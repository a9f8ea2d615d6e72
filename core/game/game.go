// Package game finds the policy that is best against the worst case of one weighted
// cost, without constraints: what policy iteration, robust or not, the starts of
// searches, the prices of limits and proofs by one value function stand on. It asks
// package uncertainty for nature's rows and solves the systems of package evaluate.
package game

import (
	"math"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
	"rcmdplab/core/uncertainty"
	"rcmdplab/core/vector"
)

// Game is one weighted cost c = Σ_n w_n c_n, minimised by the policy and maximised by
// nature: the fixed point V = TV of
//
//	(TV)(s) = min_a max_{p ∈ U(s,a)} Σ_s' p(s') (c(s,a,s') + γ V(s')) - γ penalty(p)
//
// over a rectangular set, or under one kernel, where nature has no choice.
//
// It is Newton's method on V - TV: let every state choose its action and every
// chosen row answer V, solve the linear system of these rows, repeat. On a
// minimum over maxima that may run in circles (Pollatschek and Avi-Itzhak
// 1969). When the residual over all states does not fall, Gauss-Seidel sweeps
// V <- TV follow, in one direction and the other, and where that is not enough
// policies are kept while nature's side is solved to the end (Hoffman and Karp
// 1966): values then fall with every policy, so that they arrive. Each time this
// is needed it is kept up for twice as many policies.
//
// What it arrives at is told by the residual alone (MacQueen 1966): with lo and up
// the ends of TV - V, for every policy π and with π' the choice,
//
//	⟨μ, V⟩ + H min(lo, 0) <= J(π),  J(π') <= ⟨μ, V⟩ + H max(up, 0).
//
// A state without successors is an end: its pairs have empty rows, and their worst
// value is their own cost. Where the discount is 1, H is infinite and a residual weighs
// ⟨μ, w⟩ instead, w = (I - γP)⁻¹ 1 the time that the choice takes until it ends (Time).
// It must end from the first choice on, and what the lower bound then says is of
// policies that take no longer: it steers, and a proof is for the checker.
//
// It holds one number for each successor of a pair, and a step costs a sweep
// over the rows or a linear solve, so that it can be left between two.
type Game struct {
	m       *model.Standard
	set     uncertainty.Set // who answers; nil under one kernel
	nominal *model.Kernel   // rows to look at first where ker has none of its own

	w      []float64 // by cost
	flat   []float64 // weighted cost by pair, that of the next state apart
	onward bool      // some cost of the next state has weight
	span   float64   // range of the weighted one-step cost
	most   float64   // its largest magnitude
	widest int       // most successors of a pair

	// V is the present value function, TV what the last sweep made of it.
	V, TV []float64
	// Choice is the pair that the last sweep chose in each state.
	Choice []int
	closed []bool  // see Close
	lo, up float64 // ends of TV - V
	weight float64 // what a residual comes to in a return, steps: H, or ⟨μ, w⟩

	// ker has the last answer of every pair (fixed pattern), or of every state's
	// choice. reward is the row's expected one-step cost less its penalty, good
	// for the rows taken.
	ker    *model.Kernel
	fixed  bool
	reward []float64 // by row of ker
	paid   []float64 // by row of ker: the penalty in it
	total  float64   // weight that set is for
	rows   []int     // rows of ker that are taken
	system *evaluate.System
	z      []float64 // work by successor
	next   []int
	prob   []float64

	stage   stage // what the next step does
	sweeps  int   // that are left before the next choice
	ahead   bool  // the direction of the next sweep
	swept   bool  // the last step was sweeps
	doubled int   // times that sweeps were needed

	patience int     // policies still to be kept while nature answers them to the end
	inner    int     // answers to the present one
	goal     float64 // residual up to which nature's side is solved

	best float64 // least residual so far
	aim  float64 // the gap asked for

	// Sweeps and Solves count the work.
	Sweeps, Solves int

	pace *evaluate.Evaluator // asked within long steps; may be nil
}

// u is the unit roundoff of float64.
const u = 0x1p-53

const (
	first       = 2  // sweeps before the first solve
	fall        = .9 // what the residual falls to at most in a step that helps
	mostSweeps  = 64 // in a row
	mostAnswers = 50 // of nature to one policy
)

type stage int

const (
	sweeping stage = iota
	choosing
	solving
	answering
	finished
)

// Run goes on to the end and returns the gap.
func (x *Game) Run() float64 {
	for !x.Step() {
	}
	return x.Gap()
}

// Step does one piece of work, a sweep or a solve, and reports whether the
// search is over: the gap is met, or as small as rounding lets it be.
func (x *Game) Step() (done bool) {
	if x.pace != nil && x.pace.Cut() {
		return true
	}
	switch x.stage {
	case sweeping:
		x.sweep(true, x.ahead)
		x.ahead = !x.ahead
		if x.sweeps--; x.sweeps == 0 {
			x.stage = choosing
		}
	case choosing:
		x.sweep(false, false)
		x.stage = x.judge()
	case solving:
		x.solve()
		if x.stage = choosing; x.patience > 0 {
			x.stage = answering
		}
	case answering:
		x.inner++
		x.stage = solving
		if x.answers() <= max(x.goal, x.floor()) || x.inner > mostAnswers {
			x.patience--
			x.stage = choosing
		}
	}
	return x.stage == finished
}

// judge looks at the residual of a sweep and says what comes next.
func (x *Game) judge() stage {
	res, floor := max(x.up, -x.lo), x.floor()
	if x.Gap() <= x.aim || math.IsNaN(res) || res <= floor {
		return finished
	}
	if res > fall*x.best && !x.swept && x.patience == 0 {
		// Newton's step did not help: sweeps, and from the third time on policies
		// kept, twice as many each time.
		if x.doubled > 2 && res <= 64*floor || x.doubled > 14 {
			return finished
		}
		x.sweeps = min(2<<x.doubled, mostSweeps)
		if x.doubled >= 2 && x.set != nil {
			x.patience = 1 << (x.doubled - 2)
		}
		x.doubled++
		x.swept = true
		return sweeping
	}
	x.swept = false
	x.best = min(x.best, res)
	x.goal, x.inner = .01*res, 0
	return solving
}

// floor is how far rounding may move TV - V.
func (x *Game) floor() float64 {
	return u * float64(2*(x.m.A+4)+2*(x.widest+2)) * (vector.Largest(x.V) + x.most)
}

// Gap is the distance of the two bounds that the last sweep gives.
func (x *Game) Gap() float64 { return x.weight * (max(x.up, 0) - min(x.lo, 0)) }

// Lower is the lower bound that the last sweep gives on the return of every
// policy, but for rounding.
func (x *Game) Lower() float64 { return vector.Dot(x.m.Mu, x.V) + x.weight*min(x.lo, 0) }

// solve makes V the values of the choice under its rows.
func (x *Game) solve() {
	x.Solves++
	res := 0.0
	for s, t := range x.TV {
		res = max(res, math.Abs(t-x.V[s]))
	}
	x.load()
	for s, r := range x.rows {
		x.V[s] = x.reward[r]
	}
	tolerance := max(min(1e-3*res, res*res/max(x.span, 1e-300)), .1*x.aim/x.weight, x.floor()/8)
	x.system.SolveFrom(x.V, x.TV, tolerance, 0)
	if math.IsInf(x.m.H, 1) {
		x.time(x.TV)
		x.weight = vector.Dot(x.m.Mu, x.TV)
	}
}

// time writes (I - γP)⁻¹ 1 under the rows that the system holds.
func (x *Game) time(w []float64) {
	for s := range w {
		w[s] = 1
	}
	x.system.Solve(w)
}

// Time writes, by state, the discounted time w = (I - γP)⁻¹ 1 that the choice takes under
// its rows until play ends: H everywhere where nothing ends.
func (x *Game) Time(w []float64) {
	x.load()
	x.Solves++
	x.time(w)
}

func (x *Game) load() {
	x.system.LoadPairs(x.rows, x.ker)
	x.system.Factor()
}

// Kernel completes the kernel that answers V: a row for every pair, those not
// chosen included. For a set only; newly allocated.
func (x *Game) Kernel() *model.Kernel {
	m := x.m
	k := &model.Kernel{Ptr: make([]int, 1, m.Pairs()+1)}
	if !x.onward {
		x.set.Begin(x.V)
	}
	for i := range m.Pairs() {
		x.answer(i, true)
		x.spend(1) // cut or not, every pair needs a row
		if x.fixed {
			next, prob := x.ker.Row(i)
			for j, p := range prob {
				if p != 0 {
					k.Next, k.Prob = append(k.Next, next[j]), append(k.Prob, p)
				}
			}
		} else {
			k.Next, k.Prob = append(k.Next, x.next...), append(k.Prob, x.prob[:len(x.next)]...)
		}
		k.Ptr = append(k.Ptr, len(k.Next))
	}
	return k
}

// Occupancy writes the unnormalised occupancy measure of the choice under its
// rows, (I - γP)^{-ᵀ} μ, from a guess of it that may be nil.
func (x *Game) Occupancy(d, guess []float64) {
	x.load()
	x.Solves++
	copy(d, x.m.Mu)
	x.system.SolveTransposedFrom(d, guess, 1e-14*x.weight)
}
