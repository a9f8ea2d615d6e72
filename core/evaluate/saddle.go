package evaluate

import (
	"math"

	"rcmdplab/core/model"
	"rcmdplab/core/uncertainty"
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
	widest int

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

	stage   stage
	sweeps  int  // that are left before the next choice
	ahead   bool // the direction of the next sweep
	swept   bool // the last step was sweeps
	doubled int  // times that sweeps were needed

	patience int     // policies still to be kept while nature answers them to the end
	inner    int     // answers to the present one
	goal     float64 // residual up to which nature's side is solved

	best float64 // least residual so far
	aim  float64 // the gap asked for

	// Sweeps and Solves count the work.
	Sweeps, Solves int
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

// weightedSets makes the set of a regularised problem for a total weight.
type weightedSets struct {
	m      *model.Standard
	weight float64
	set    uncertainty.Set
}

func (w *weightedSets) of(weight float64) uncertainty.Set {
	if w.set == nil || w.weight != weight {
		set, err := uncertainty.NewWeighted(w.m, weight)
		if err != nil {
			panic("evaluate: " + err.Error()) // the evaluator has made one
		}
		w.set, w.weight = set, weight
	}
	return w.set
}

// NewSaddle makes the work space: for one kernel, or with nil for the
// rectangular set of the evaluator's problem. It gives nil where there is no
// such operator: a finite set, or the paper's update, which is no maximum.
func (e *Evaluator) NewSaddle(k *model.Kernel) *Saddle {
	if k != nil {
		return NewKernelSaddle(e.M, k)
	}
	r, ok := e.inner.(*rectangular)
	if !ok {
		return nil
	}
	return r.newSaddle()
}

func newSaddle(m *model.Standard) *Saddle {
	x := &Saddle{
		m: m, w: make([]float64, m.N+1), flat: make([]float64, m.Pairs()),
		V: make([]float64, m.S), TV: make([]float64, m.S), Choice: make([]int, m.S), rows: make([]int, m.S),
	}
	copy(x.Choice, m.Off)
	return x
}

// NewKernelSaddle is NewSaddle for one kernel.
func NewKernelSaddle(m *model.Standard, k *model.Kernel) *Saddle {
	x := newSaddle(m)
	x.ker, x.fixed, x.widest = k, true, widest(k)
	x.reward, x.paid = make([]float64, m.Pairs()), make([]float64, m.Pairs())
	x.system = NewSystemFor(m.Layout, m.Gamma, len(k.Next))
	return x
}

func (r *rectangular) newSaddle() *Saddle {
	m := r.e.M // costs as they are, for its values are
	x := newSaddle(m)
	x.op, x.fixed, x.widest = &operator{set: r.set, onward: r.onward}, r.fixed, r.widest
	x.z, x.prob = make([]float64, r.widest), make([]float64, r.widest)
	x.system = NewSystemFor(m.Layout, m.Gamma, r.entries)
	if !r.fixed {
		x.nominal = m.NormalisedNominal()
		x.ker = &model.Kernel{Ptr: make([]int, 1, m.S+1)}
		x.reward, x.paid = make([]float64, m.S), make([]float64, m.S)
		for s := range x.rows {
			x.rows[s] = s
		}
		return x
	}
	x.ker = &model.Kernel{Ptr: r.ptr, Next: r.next, Prob: make([]float64, len(r.next))}
	x.reward, x.paid = make([]float64, m.Pairs()), make([]float64, m.Pairs())
	for i := range m.Pairs() {
		r.set.Nominal(x.ker.Prob[r.ptr[i]:r.ptr[i+1]], i)
	}
	return x
}

func widest(k *model.Kernel) int {
	n := 0
	for i := range len(k.Ptr) - 1 {
		n = max(n, k.Ptr[i+1]-k.Ptr[i])
	}
	return n
}

// Weigh begins a new search, for the cost Σ_n w_n c_n, w >= 0 of length N+1,
// until the gap between its two bounds is at most gap. V and Choice, which may
// be written to before, are where it starts.
func (x *Saddle) Weigh(w []float64, gap float64) {
	m := x.m
	copy(x.w, w)
	clear(x.flat)
	x.onward, x.span, x.most = false, 0, 0
	lowest, highest, total := 0.0, 0.0, 0.0
	for n, weight := range w {
		if weight == 0 {
			continue
		}
		total += weight
		lo, hi := m.Bounds(n)
		lowest, highest = lowest+weight*lo, highest+weight*hi
		switch {
		case m.CNext[n] == nil:
			for i, c := range m.C[n] {
				x.flat[i] += weight * c
			}
		case x.op == nil:
			for i, c := range m.ExpectedCost(n, x.ker) {
				x.flat[i] += weight * c
			}
		default:
			x.onward = true
		}
	}
	x.span, x.most = highest-lowest, max(highest, -lowest)
	x.price(total)
	x.begin(gap)
}

// Charge is Weigh for a cost given by pair, under one kernel.
func (x *Saddle) Charge(cost []float64, gap float64) {
	copy(x.flat, cost)
	x.onward = false
	lowest, highest := math.Inf(1), math.Inf(-1)
	for _, c := range cost {
		lowest, highest = min(lowest, c), max(highest, c)
	}
	x.span, x.most = highest-lowest, max(highest, -lowest)
	x.begin(gap)
}

// price makes the set of a regularised problem for the total weight.
func (x *Saddle) price(total float64) {
	m := x.m
	if x.op != nil && m.Problem.Uncertainty.Kind == model.KLRegularized {
		if x.set == nil {
			x.set = &weightedSets{m: m}
		}
		if x.onward {
			total *= m.Gamma
		}
		x.op.set, x.op.onward = x.set.of(total), x.set.of(total)
		if x.total > 0 {
			for i := range x.paid {
				x.paid[i] *= total / x.total
			}
		}
		x.total = total
	}
}

func (x *Saddle) begin(gap float64) {
	x.aim = gap
	x.best, x.doubled, x.swept, x.patience = math.Inf(1), 0, false, 0
	x.stage = choosing
	if x.Sweeps == 0 && x.op != nil {
		x.stage, x.sweeps = sweeping, first
	}
}

// Run goes on to the end and returns the gap.
func (x *Saddle) Run() float64 {
	for !x.Step() {
	}
	return x.Gap()
}

// Step does one piece of work, a sweep or a solve, and reports whether the
// search is over: the gap is met, or as small as rounding lets it be.
func (x *Saddle) Step() (done bool) {
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
	const u = 0x1p-53
	return u * float64(2*(x.m.A+4)+2*(x.widest+2)) * (largest(x.V) + x.most)
}

// Gap is the distance of the two bounds that the last sweep gives.
func (x *Saddle) Gap() float64 { return x.m.H * (max(x.up, 0) - min(x.lo, 0)) }

// Lower is the lower bound that the last sweep gives on the return of every
// policy, but for rounding.
func (x *Saddle) Lower() float64 { return dot(x.m.Mu, x.V) + x.m.H*min(x.lo, 0) }

// answer lets nature answer V at pair i and gives the value of the pair, its
// reward and the penalty in it, and where fixed the row in its place in ker;
// where not, it is in next and prob.
func (x *Saddle) answer(i int, ranked bool) (q, reward, paid float64) {
	m := x.m
	if x.op == nil {
		return x.flat[i] + m.Gamma*x.expect(x.ker, i), x.flat[i], 0
	}
	sup := x.op.set.Support(i)
	p := x.prob[:len(sup)]
	if x.fixed {
		p = x.ker.Prob[x.ker.Ptr[i]:x.ker.Ptr[i+1]]
	}
	if !x.onward {
		var a uncertainty.Answer
		switch {
		case !x.fixed:
			x.next, x.prob, a = x.op.set.AppendRow(x.next[:0], x.prob[:0], i)
		case ranked:
			a = x.op.set.Row(p, i)
		default:
			z := x.z[:len(sup)]
			for j, t := range sup {
				z[j] = x.V[t]
			}
			a = x.op.set.Answer(p, i, z)
		}
		return x.flat[i] + m.Gamma*a.Value, x.flat[i] - m.Gamma*a.Penalty, m.Gamma * a.Penalty
	}
	z := x.z[:len(sup)]
	for j, t := range sup {
		z[j] = m.Gamma*x.V[t] + x.stepCost(i, t)
	}
	a := x.op.onward.Answer(p, i, z)
	reward = x.flat[i] - a.Penalty
	if !x.fixed {
		x.next = x.next[:0]
	}
	k := 0
	for j, t := range sup {
		reward += p[j] * x.stepCost(i, t)
		if !x.fixed && p[j] != 0 {
			x.next = append(x.next, t)
			p[k] = p[j]
			k++
		}
	}
	return x.flat[i] + a.Value, reward, a.Penalty
}

// stepCost is the part of the weighted cost that depends on the next state.
func (x *Saddle) stepCost(i, next int) float64 {
	t := 0.0
	for n, w := range x.w {
		if w != 0 && x.m.CNext[n] != nil {
			t += w * x.m.CNext[n][i*x.m.S+next]
		}
	}
	return t
}

// expect is ⟨p, V⟩ for a row of a kernel.
func (x *Saddle) expect(k *model.Kernel, row int) float64 {
	from, to := k.Ptr[row], k.Ptr[row+1]
	next, prob := k.Next[from:to], k.Prob[from:to]
	t := 0.0
	for j, s := range next {
		t += prob[j] * x.V[s]
	}
	return t
}

// atLeast is a number that the worst case of pair i cannot be below: the value
// of the row that answered some older V, or of the nominal row.
func (x *Saddle) atLeast(i int) float64 {
	k, row, paid := x.ker, i, 0.0
	if x.fixed {
		paid = x.paid[i]
	} else {
		k = x.nominal
	}
	q := x.flat[i] - paid + x.m.Gamma*x.expect(k, row)
	if x.onward {
		next, prob := k.Row(row)
		for j, t := range next {
			q += prob[j] * x.stepCost(i, t)
		}
	}
	return q
}

// sweep lets every state choose. The present choice comes first: another action
// needs an answer only if a row known to be possible leaves it ahead. seidel:
// V is replaced as the sweep goes, in one direction or the other.
func (x *Saddle) sweep(seidel, backwards bool) {
	m := x.m
	x.Sweeps++
	if x.op != nil && !x.onward && (!seidel || !x.fixed) {
		x.op.set.Begin(x.V)
	}
	if !x.fixed {
		x.ker.Ptr, x.ker.Next, x.ker.Prob = x.ker.Ptr[:1], x.ker.Next[:0], x.ker.Prob[:0]
		seidel = false
	}
	x.lo, x.up = math.Inf(1), math.Inf(-1)
	for k := range m.S {
		s := k
		if backwards && x.fixed {
			s = m.S - 1 - k
		}
		best := x.choose(s, !seidel)
		x.TV[s] = best
		d := best - x.V[s]
		x.lo, x.up = min(x.lo, d), max(x.up, d)
		if seidel {
			x.V[s] = best
		}
	}
	if !x.fixed && x.stage == sweeping {
		copy(x.V, x.TV)
	}
}

// choose makes the choice of one state and returns its value.
func (x *Saddle) choose(s int, ranked bool) float64 {
	m := x.m
	old := x.Choice[s]
	best, reward, paid := x.answer(old, ranked)
	x.keep(old, s, reward, paid, true)
	for i := m.Off[s]; i < m.Off[s+1]; i++ {
		if i == old || x.Closed != nil && x.Closed[i] {
			continue
		}
		clear := 4e-16 * math.Abs(best)
		if x.op != nil && x.atLeast(i) >= best-clear {
			continue
		}
		q, reward, paid := x.answer(i, ranked)
		better := q < best-clear
		if better {
			best = q
			x.Choice[s] = i
		}
		if x.fixed || better {
			x.keep(i, s, reward, paid, better)
		}
	}
	return best
}

// keep stores what answer gave for pair i, which is the choice of s if taken.
func (x *Saddle) keep(i, s int, reward, paid float64, taken bool) {
	if x.fixed {
		x.reward[i], x.paid[i] = reward, paid
		if taken {
			x.rows[s] = i
		}
		return
	}
	k := x.ker
	k.Ptr = k.Ptr[:s+1]
	k.Next = append(k.Next[:k.Ptr[s]], x.next...)
	k.Prob = append(k.Prob[:k.Ptr[s]], x.prob[:len(x.next)]...)
	k.Ptr = append(k.Ptr, len(k.Next))
	x.reward[s], x.paid[s] = reward, paid
}

// answers lets the rows of the choice answer V, the choice kept, and returns the
// residual.
func (x *Saddle) answers() (res float64) {
	x.Sweeps++
	if x.op != nil && !x.onward {
		x.op.set.Begin(x.V)
	}
	if !x.fixed {
		x.ker.Ptr = x.ker.Ptr[:1]
	}
	for s, i := range x.Choice {
		q, reward, paid := x.answer(i, true)
		x.keep(i, s, reward, paid, true)
		x.TV[s] = q
		res = max(res, math.Abs(q-x.V[s]))
	}
	return res
}

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
