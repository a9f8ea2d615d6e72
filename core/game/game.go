// Package game finds the policy that is best against the worst case of one weighted
// cost, without constraints: what policy iteration, robust or not, the starts of
// searches, the prices of limits and proofs by one value function stand on. It asks
// package uncertainty for nature's rows and solves the systems of package evaluate.
package game

import (
	"math"
	"slices"

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
// chosen row answer V, solve the linear system of these rows, repeat: under one
// kernel that is policy iteration (Howard 1960). On a minimum over maxima it may run
// in circles (Pollatschek and Avi-Itzhak 1969). When the residual over all states does
// not fall, Gauss-Seidel sweeps V <- TV follow, in one direction and the other, and
// where that is not enough policies are kept while nature's side is solved to the end
// (Hoffman and Karp 1966): values then fall with every policy, so that they arrive.
// Each time this is needed it is kept up for twice as many policies.
//
// What it arrives at is told by the residual alone (MacQueen 1966; for nature's
// maximum Iyengar 2005, theorem 3.2): with lo and up the ends of TV - V, for every
// policy π and with π' the choice,
//
//	⟨μ, V⟩ + H min(lo, 0) <= J(π),  J(π') <= ⟨μ, V⟩ + H max(up, 0).
//
// It is over when these are as near as is asked, or when in every state TV - V is what
// rounding can make of the sums that it comes from (grain): large values elsewhere do
// not hide a difference, and an action is only left for one better by more than that.
//
// Values are held about a number common to all states, a horizon times the gain, which
// would take the digits in which policies and rows differ: V is what is left, and
// Values gives both. The last solves only refine, so that each difference is as exact as
// its own size lets it be, however long the horizon.
//
// A state without successors is an end: its worst value is its own cost; at discount 1
// (Rest is 0) those where nothing happens any more are. Where H is infinite a residual weighs
// ⟨μ, w⟩ instead, w = (I - γP)⁻¹ 1 the time that the choice takes until it ends (Time), and
// what the lower bound then says is of policies that take no longer: it steers, and a
// proof is for the checker. At discount 1, and on the stand-in where systems are iterated,
// the first choice has to end, whatever nature does (in large games it is made to: evaluate.Episodes.Ending); then policies are kept until nature has answered each to the end, and an action is
// only left for a strict gain (strict), so that the next one ends as well, where no cycle earns; in large games what does not is taken back (restrain).
//
// It holds one number for each successor of a pair, and a step costs a sweep
// over the rows or a linear solve, so that it can be left between two.
type Game struct {
	m       *model.Standard
	set     uncertainty.Set // who answers; nil under one kernel
	nominal *model.Kernel   // the kernel as it is given; or rows to look at first where ker has none of its own

	// C holds the expected one-step costs by pair, nil for one that depends on the next
	// state against a set.
	C      [][]float64
	w      []float64 // weight by cost
	flat   []float64 // weighted cost by pair, that of the next state apart
	onward bool      // some cost of the next state has weight
	span   float64   // range of the weighted one-step cost
	most   float64   // its largest magnitude
	lowest float64   // the least of it
	size   float64   // of what it is the sum of
	widest int       // most successors of a pair

	// Choice is the pair that the last sweep chose in each state. It may be written to
	// before a search.
	Choice []int
	closed []bool // see Close

	episodes *evaluate.Episodes // which choices end, made at the first need
	before   []int              // with it, the choice before the last sweeps, which ends
	endless  bool               // see Endless

	v, tv  []float64 // the present values less their mean; what the last sweep made of them
	gain   float64   // the mean times 1-γ, a one-step cost; 0 where play ends
	end    []bool    // by state: its rows lead nowhere; nil when there is none
	lo, up float64   // ends of TV - V
	weight float64   // what a residual comes to in a return, steps: H, or ⟨μ, w⟩
	sum    float64   // of the values over the states, at the last choice that moved

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
	held   bool      // the system is that of rows
	d      []float64 // work by state
	z      []float64 // work by successor
	next   []int
	prob   []float64

	stage   stage   // what the next step does
	begun   bool    // the first step was done
	moved   bool    // the last sweep changed a choice
	strict  float64 // what an action has to gain beyond rounding
	coarse  float64 // no grain of a pair is larger, as values are now; kept up in sweeps over fixed rows, else infinite
	sweeps  int     // that are left before the next choice
	ahead   bool    // the direction of the next sweep
	swept   bool    // the last step was sweeps
	doubled int     // times that sweeps were needed

	patience int     // policies still to be kept while nature answers them to the end
	inner    int     // answers to the present one
	goal     float64 // residual up to which nature's side is solved

	best float64 // least residual so far
	aim  float64 // the gap asked for

	// Sweeps, Solves and Factorisations count the work; Rounds counts the choices made, of
	// all states at a time, that were solved or were the last.
	Sweeps, Solves, Factorisations, Rounds int

	pace *evaluate.Pace // asked within long steps; may be nil
}

// u is the unit roundoff of float64.
const u = model.Roundoff

const (
	between     = 32    // sweeps at most from one policy that ends to the next
	first       = 2     // sweeps before the first solve
	fall        = .9    // what the residual falls to at most in a step that helps
	mostSweeps  = 64    // in a row
	mostAnswers = 50    // of nature to one policy
	mostKept    = 1000  // policies, at discount 1
	gains       = 1e-14 // at discount 1, next to the largest value: what counts as a gain
	earns       = 1e-7  // next to it, what a choice that may go on for ever gains where that is no error of values
)

type stage int

const (
	sweeping stage = iota
	choosing
	solving
	answering
	finished
)

// Endless reports whether a large game at discount 1 ended as the best reply to the values of a policy that ends is one that
// may go on for ever: under one kernel it gains by that, strictly, so that some cycle earns.
func (x *Game) Endless() bool { return x.endless }

// Play is Weigh and all steps to the end, between which more is asked, if it is not nil;
// false when it says no.
func (x *Game) Play(w []float64, gap float64, more func() bool) bool {
	for x.Weigh(w, gap); !x.Step(); {
		if x.pace.Cut() || more != nil && !more() {
			return false
		}
	}
	return true
}

// Step does one piece of work, a sweep or a solve, and reports whether the
// search is over: the gap is met, or as small as rounding lets it be.
func (x *Game) Step() (done bool) {
	if x.pace.Cut() {
		return true
	}
	if !x.begun { // here, as the choice may have been written to
		x.ends()
	}
	switch x.stage {
	case sweeping:
		x.sweep(true, x.ahead)
		x.ahead = !x.ahead
		if x.sweeps--; x.sweeps == 0 {
			x.stage = choosing
		}
	case choosing:
		if x.episodes != nil {
			x.before = append(x.before[:0], x.Choice...)
			for k := 0; k < between && (k == 0 || x.moved) && !x.pace.Cut(); k++ {
				x.sweep(true, k%2 == 0)
			}
		}
		x.sweep(false, false)
		if x.stage = x.judge(); x.stage != sweeping {
			x.Rounds++
		}
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
	if x.episodes != nil && !x.restrain() {
		x.endless = true
		return finished
	}
	if x.lasting() && !x.moved && x.goal > 0 { // the best but for what its values are off by
		x.goal, x.inner = 0, 0
		return solving
	}
	res, floor := max(x.up, -x.lo), x.floor()
	if x.Gap() <= x.aim || math.IsNaN(res) || res <= floor && x.settled() || x.lasting() && !x.moved {
		return finished
	}
	if x.set == nil && !x.moved && !x.system.Iterative() { // the best, but for rounding: solved once more at most
		if x.doubled++; x.doubled > 1 {
			return finished
		}
		return solving
	}
	if res >= fall*x.best && !x.swept && x.patience == 0 && !x.fell() {
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

// restrain takes back what the last sweeps chose where play can be kept for ever by it, so that again every choice ends: what
// was chosen before does. Where values of states that are nearly worth the same are off by what systems are solved to,
// such a choice may seem to gain. At discount 1 it is false where it gains more, and by what it is paid: some cycle earns.
func (x *Game) restrain() bool {
	some := false
	for more := true; more; some = some || more {
		held := x.episodes.Held(x.Choice)
		if x.m.Rest == 0 && x.earns(held) {
			return false
		}
		more = false
		for s, is := range held {
			if is && x.Choice[s] != x.before[s] {
				x.Choice[s], more = x.before[s], true
			}
		}
	}
	x.moved = !slices.Equal(x.Choice, x.before)
	if some && x.set != nil { // their rows are wanted
		x.answers()
	}
	return true
}

// earns reports whether the choice is paid for something in these states, where play is kept, and gained by it in one.
func (x *Game) earns(held []bool) bool {
	paid, gained := false, false
	for s, is := range held {
		if is {
			paid = paid || x.reward[x.rows[s]] < 0
			gained = gained || x.Choice[s] != x.before[s] && x.v[s]-x.tv[s] > earns*vector.Largest(x.v)
		}
	}
	return paid && gained
}

// fell reports whether policy iteration goes on as it should: under one kernel, solved
// by elimination, the choice moved and its values are lower than those before.
func (x *Game) fell() bool {
	if x.set != nil || !x.moved || x.system.Iterative() {
		return false
	}
	was := x.sum
	x.sum = float64(x.m.S) * x.mean()
	for _, v := range x.v {
		x.sum += v
	}
	return x.sum < was
}

// floor is how far rounding may move TV - V in the state where it does most.
func (x *Game) floor() float64 {
	return u * float64(2*(x.m.A+4)+2*(x.widest+2)) * (vector.Largest(x.v) + x.most + math.Abs(x.gain))
}

// settled reports whether rounding alone may have moved TV - V in every state.
func (x *Game) settled() bool {
	for s, i := range x.Choice {
		if math.Abs(x.tv[s]-x.v[s]) > 2*x.grain(i) {
			return false
		}
	}
	return true
}

// grains is at least the grain of every pair while no value is above top in magnitude, where rows are fixed.
func (x *Game) grains(top float64) float64 {
	if x.set == nil || !x.fixed {
		return math.Inf(1)
	}
	return u*float64(x.widest+4)*(top+math.Abs(x.gain)+(x.most+top)) + 1e-300
}

// grain is how far rounding may move the value of pair i, and that of its state: by a
// unit for each number that is added up, of the size of what is added up.
func (x *Game) grain(i int) float64 {
	size := math.Abs(x.v[x.m.State[i]]) + math.Abs(x.gain)
	switch {
	case x.set == nil:
		size += math.Abs(x.flat[i])
		next, prob := x.ker.Row(i)
		for j, s := range next {
			size += prob[j] * math.Abs(x.v[s])
		}
	case x.fixed: // rows are worked out next to the largest value in reach
		most, v := 0.0, x.v
		for _, s := range x.ker.Next[x.ker.Ptr[i]:x.ker.Ptr[i+1]] {
			most = max(most, math.Abs(v[s]))
		}
		size += x.most + most
	default:
		size += x.most + vector.Largest(x.v)
	}
	return u*float64(x.widest+4)*size + 1e-300 // products may underflow
}
