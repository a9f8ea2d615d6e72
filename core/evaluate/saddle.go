package evaluate

import (
	"math"

	"rcmdplab/core/model"
)

// Saddle finds the policy that is best against the worst case of one weighted
// cost c = Σ_n w_n c_n, without constraints: the fixed point V = TV of
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
// It holds one number for each successor of a pair, and a step costs a sweep
// over the rows or a linear solve, so that it can be left between two.
type Saddle struct {
	m       *model.Standard
	op      *operator     // nil under one kernel
	set     *weightedSets // of op, for the total weight
	nominal *model.Kernel // rows to look at first where ker has none of its own

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
	// Closed, when not nil, marks pairs that are not to be taken, in a state that
	// keeps others; Choice must not be of them.
	Closed []bool
	lo, up float64 // ends of TV - V

	// ker has the last answer of every pair (fixed pattern), or of every state's
	// choice. reward is the row's expected one-step cost less its penalty, good
	// for the rows taken.
	ker    *model.Kernel
	fixed  bool
	reward []float64 // by row of ker
	paid   []float64 // by row of ker: the penalty in it
	total  float64   // weight that the penalties were paid for
	rows   []int     // rows of ker that are taken
	system *System
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

	pace *pace // asked within long steps; may be nil
}

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
func (x *Saddle) Run() float64 {
	for !x.Step() {
	}
	return x.Gap()
}

// Step does one piece of work, a sweep or a solve, and reports whether the
// search is over: the gap is met, or as small as rounding lets it be.
func (x *Saddle) Step() (done bool) {
	if x.pace.isCut() {
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
func (x *Saddle) judge() stage {
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
		if x.doubled >= 2 && x.op != nil {
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
func (x *Saddle) floor() float64 {
	return u * float64(2*(x.m.A+4)+2*(x.widest+2)) * (largest(x.V) + x.most)
}

// Gap is the distance of the two bounds that the last sweep gives.
func (x *Saddle) Gap() float64 { return x.m.H * (max(x.up, 0) - min(x.lo, 0)) }

// Lower is the lower bound that the last sweep gives on the return of every
// policy, but for rounding.
func (x *Saddle) Lower() float64 { return dot(x.m.Mu, x.V) + x.m.H*min(x.lo, 0) }

// solve makes V the values of the choice under its rows.
func (x *Saddle) solve() {
	x.Solves++
	res := 0.0
	for s, t := range x.TV {
		res = max(res, math.Abs(t-x.V[s]))
	}
	x.load()
	for s, r := range x.rows {
		x.V[s] = x.reward[r]
	}
	tolerance := max(min(1e-3*res, res*res/max(x.span, 1e-300)), .1*x.aim/x.m.H, x.floor()/8)
	x.system.SolveFrom(x.V, x.TV, tolerance, 0)
}

func (x *Saddle) load() {
	x.system.LoadPairs(x.rows, x.ker)
	x.system.Factor()
}

// Kernel completes the kernel that answers V: a row for every pair, those not
// chosen included. For a set only; newly allocated.
func (x *Saddle) Kernel() *model.Kernel {
	m := x.m
	k := &model.Kernel{Ptr: make([]int, 1, m.Pairs()+1)}
	if !x.onward {
		x.op.set.Begin(x.V)
	}
	for i := range m.Pairs() {
		x.answer(i, true)
		x.pace.spend(rowWork * x.widest) // cut or not, every pair needs a row
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
func (x *Saddle) Occupancy(d, guess []float64) {
	x.load()
	x.Solves++
	copy(d, x.m.Mu)
	x.system.SolveTransposedFrom(d, guess, 1e-14*x.m.H)
}
