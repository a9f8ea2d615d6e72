package evaluate

import (
	"math"

	"rcmdplab/core/model"
	"rcmdplab/core/uncertainty"
)

var negInf = math.Inf(-1)

// defaultTolerance is the error allowed in a return, as a share of the range of
// values (the one-step cost's range times H).
const defaultTolerance = 1e-9

// rectangular evaluates a policy against an (s,a)-rectangular set. Nature's side
// of a fixed policy is itself a decision problem, V = T V with
//
//	(T V)(s) = Σ_a π(s,a) max_p { c(s,a) + γ ⟨p, V⟩ - γ penalty(p) },
//
// and it is solved by nature's policy iteration, which is Newton's method on
// V - T V: solve the linear system of the current kernel, let every row answer
// the new V, repeat. V rises monotonically, each step gains at least what a
// sweep of value iteration gains, so it contracts by γ at the very least; it
// takes a handful of steps, about two from the kernel of the last policy.
//
// The bound comes from one Bellman residual, at whatever V was reached
// (MacQueen): min(TV - V) <= (1-γ)(J - ⟨μ, V⟩) <= max(TV - V), where the lower
// end uses rows of the set and the upper end nature's dual bounds.
type rectangular struct {
	e *Evaluator
	m *model.Standard
	operator

	pi        []float64    // the policy, by pair
	mass      float64      // largest row sum of pi
	tolerance float64      // share of Scale, see SetTolerance
	ends      [][2]float64 // by cost: the least and the largest one-step cost
	reached   []bool       // by state: from μ, under the policy and some kernel of the set
	queue     []int        // scratch of reach

	time   []float64 // see sharpen
	within []bool    // by state: see sharpen
	slow   *response // the rows of the longest time outside, see outside

	steps   int64     // linear solves so far
	faces   []*face   // the worst kernel of each cost; then those kept
	started bool      // faces are of an earlier policy
	spare   *response // the answer being made
	Pattern           // of the answers
	systems []*System // one a face, or one for all
	holds   []*face   // whose factors each system holds
	guess   []float64 // work by state: values before the last solve
	tv      []float64 // work by state: TV of the last answer

	near [][]float64 // by cost: values to begin the first evaluation with, or nil
	keep int         // older kernels kept a cost
	old  []*response // by cost: the answer to the last policy
}

// operator is who answers.
type operator struct {
	set    uncertainty.Set // where a cost is one of state and action: z = V
	onward uncertainty.Set // where it depends on the next state: z = c + γ V
	z, p   []float64       // work by successor
}

// face is one smooth function of the policy that a worst-case return is the
// maximum of: the return of cost n under one answer.
type face struct {
	n        int       // of the return
	slot     int       // of its system
	is       *response // nature's answer that the return is under
	j        float64   // J_n under it, of the last policy evaluated
	v        []float64 // values under the kernel
	d        []float64 // unnormalised occupancy measure, when occupied
	occupied bool      // d is of that policy
}

// systemBytes caps the memory of factorisations; beyond it one system serves
// all costs, and a gradient factors again.
const systemBytes = 64 << 20

func newRectangular(e *Evaluator) (*rectangular, error) {
	m := e.centred
	r := &rectangular{e: e, m: m, pi: make([]float64, m.Pairs()), tolerance: defaultTolerance}
	var err error
	if r.set, err = uncertainty.New(m); err != nil {
		return nil, err
	}
	for n := range m.N + 1 {
		if m.CNext[n] != nil && r.onward == nil {
			if r.onward, err = uncertainty.NewWeighted(m, m.Gamma); err != nil {
				return nil, err
			}
		}
	}
	r.Pattern = NewPattern(m, r.set)
	r.z, r.p = make([]float64, r.Widest), make([]float64, r.Widest)
	r.spare = r.newResponse()
	r.guess, r.tv, r.reached = make([]float64, m.S), make([]float64, m.S), make([]bool, m.S)
	for n := range m.N + 1 {
		r.addFace(n)
		lowest, highest := m.Bounds(n)
		r.ends = append(r.ends, [2]float64{lowest, highest})
	}
	return r, nil
}

// addFace makes a face with a system of its own while memory allows.
func (r *rectangular) addFace(n int) *face {
	f := &face{n: n, is: r.newResponse(), v: make([]float64, r.m.S), d: make([]float64, r.m.S), slot: len(r.faces)}
	r.faces = append(r.faces, f)
	size := r.m.S * r.m.S * 8
	if len(r.systems) > 0 && r.systems[0].Iterative() {
		size = 20*r.Entries + 100*r.m.S
	}
	if k := len(r.systems); k == 0 || (k+1)*size <= systemBytes {
		r.systems = append(r.systems, NewSystem(r.m, r.Entries))
		r.systems[k].KeepPace(r.e.pace)
		r.holds = append(r.holds, nil)
	}
	return f
}

// system is the factored system of f, which was not evicted or is made again.
func (r *rectangular) system(f *face) *System {
	k := f.slot % len(r.systems)
	if r.holds[k] != f {
		r.holds[k] = f
		r.systems[k].Load(r.m.Layout, r.pi, f.is.ker)
		r.systems[k].Factor()
	}
	return r.systems[k]
}

func (r *rectangular) evaluate(pi []float64) {
	r.load(pi)
	for n := range r.m.N + 1 {
		f := r.faces[n]
		if !r.started {
			r.nominal(f)
			r.begin(f)
		} else if r.keep > 0 {
			r.remember(n)
		}
		r.worstCase(f)
		if r.started && r.keep > 0 {
			r.retain(n)
		}
	}
	r.started = true
	for _, f := range r.faces[r.m.N+1:] {
		r.solve(f, 0)
	}
}

// restart forgets the answers to the last policy.
func (r *rectangular) restart() {
	r.started, r.near = false, nil
	for _, f := range r.faces {
		clear(f.d)
	}
}

// load takes the policy over.
func (r *rectangular) load(pi []float64) {
	copy(r.pi, pi)
	r.mass = 0
	for s := range r.m.S {
		sum := 0.0
		for _, w := range pi[r.m.Off[s]:r.m.Off[s+1]] {
			sum += w
		}
		if sum > r.mass {
			r.mass = sum
		}
	}
	r.reach()
	clear(r.holds)
}

// reach marks the states that the policy visits under some kernel of the set.
func (r *rectangular) reach() {
	clear(r.reached)
	r.queue = r.queue[:0]
	visit := func(s int) {
		if !r.reached[s] {
			r.reached[s] = true
			r.queue = append(r.queue, s)
		}
	}
	for s, p := range r.m.Mu {
		if p > 0 {
			visit(s)
		}
	}
	for k := 0; k < len(r.queue) && len(r.queue) < r.m.S; k++ {
		for i := r.m.Off[r.queue[k]]; i < r.m.Off[r.queue[k]+1]; i++ {
			if r.pi[i] != 0 {
				for _, t := range r.set.Support(i) {
					visit(t)
				}
			}
		}
	}
}

// wanted is the error asked for in the return of f: a share of what errors are
// judged next to, at that return and at the limit.
func (r *rectangular) wanted(f *face) float64 {
	m := r.e.M
	size := m.Scale(f.n, r.e.total(f.n, f.j))
	if f.n > 0 {
		size = min(size, m.Scale(f.n, m.B[f.n]))
	}
	return r.tolerance * size
}

// worstCase is nature's policy iteration for the cost of f. It ends: V rises
// towards the answer by a factor γ of the distance at least in every step, until
// only rounding moves it.
func (r *rectangular) worstCase(f *face) {
	const (
		stalls = 3  // steps within rounding and without a better bound
		turns  = 64 // steps without a better bound: rounding moves rows in a circle
		// Where worse rows come to light one state after the other, a solve a state
		// would be dear: from this step on ever more sweeps V ← TV go in between.
		patience = 8
		sweeps   = 256
	)
	best, stalled, turned := math.Inf(1), 0, 0
	var lo, up, noise float64
	rest, contracts, sharp := r.rest(), true, false
	if rest <= 0 { // at discount 1: residuals are compared, and sharpen bounds what they come to
		rest, contracts = 1, false
	}
	for step := 1; ; step++ {
		was := f.j
		r.solve(f, .01)
		moved := apartAtMost(f.v, r.guess)
		lo, up, noise = r.respond(r.spare, f.is, f.n, f.v)
		err, rounding := r.bracket(f, lo, up, noise, rest), r.bracket(f, 0, 0, noise, rest)
		bound := err
		f.is, r.spare = r.spare, f.is
		// A state of huge value makes much rounding possible where the policy may never
		// be: as long as the return moves, more than that is known.
		settled := step > 1 && math.Abs(f.j-was) <= r.wanted(f)
		if sharp = !contracts && settled; sharp {
			bound = r.sharpen(f, lo, up, noise)
		} else if !contracts {
			bound = math.Inf(1)
		}
		r.e.J[f.n], r.e.ErrorBound[f.n] = f.j, bound
		if bound <= r.wanted(f) || err <= 4*rounding && settled || math.IsNaN(err) || r.e.pace.Cut() {
			break
		}
		if err < best {
			best, stalled, turned = err, 0, 0
		} else {
			if moved <= 4*rounding {
				stalled++
			}
			if turned++; stalled == stalls || turned == turns {
				break
			}
		}
		if step >= patience {
			for range min(1<<(step-patience), sweeps) {
				copy(f.v, r.tv)
				r.respond(r.spare, f.is, f.n, f.v)
				f.is, r.spare = r.spare, f.is
			}
		}
	}
	// The kernel is the answer to the last values, one step ahead of the one that
	// gave them: their error is the square of its own. Its factors are made when
	// an occupancy measure is asked for, or are those at hand if nothing moved.
	if differ(f.is.ker, r.spare.ker, 1e-13) {
		r.holds[f.slot%len(r.systems)] = nil
	}
	if err := r.e.ErrorBound[f.n]; !sharp && r.m.H > longHorizon && err > r.wanted(f)/10 {
		r.e.ErrorBound[f.n] = min(err, r.sharpen(f, lo, up, noise))
	}
}

// apartAtMost is the largest difference of two value functions.
func apartAtMost(v, w []float64) float64 {
	d := 0.0
	for s, x := range v {
		if e := math.Abs(x - w[s]); e > d {
			d = e
		}
	}
	return d
}

// rest is the share that a step takes off every distance at the least.
func (r *rectangular) rest() float64 { return 1 - r.m.Gamma*r.mass*(1+2*u*float64(r.Widest+4)) }

// bracket turns the ends of TV - V, known within noise, into a bound on
// |J - ⟨μ, V⟩| for such a share; there is none for 0.
func (r *rectangular) bracket(f *face, lo, up, noise, rest float64) float64 {
	if rest <= 0 {
		return math.Inf(1)
	}
	most := 0.0
	for s, v := range f.v {
		if v = math.Abs(v); v > most && r.reached[s] {
			most = v
		}
	}
	return (max(up, -lo, 0)+noise)/rest + 2*u*float64(r.m.S+2)*most
}

// solve sets values and return of f under its kernel.
func (r *rectangular) solve(f *face, curvature float64) {
	m := r.m
	r.holds[f.slot%len(r.systems)] = nil
	y := r.system(f)
	copy(r.guess, f.v)
	average(f.v, r.m.Off, r.pi, f.is.r)
	span := r.ends[f.n][1] - r.ends[f.n][0]
	if span == 0 {
		curvature, span = 0, 1
	}
	y.SolveFrom(f.v, r.guess, r.wanted(f)/(32*r.m.H), curvature/span)
	f.j = dot(m.Mu, f.v)
	f.occupied = false
	r.steps++
}
