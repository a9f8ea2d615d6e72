package evaluate

import (
	"math"
	"slices"

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

	pi        []float64
	mass      float64 // largest row sum of pi
	tolerance float64
	ends      [][2]float64 // by cost: the least and the largest one-step cost

	steps   int64   // linear solves so far
	faces   []*face // the worst kernel of each cost; then those kept
	started bool
	spare   *response // the answer being made
	fixed   bool      // answers share the pattern ptr, next; else they list non-zeros only
	ptr     []int
	next    []int
	entries int       // about so many in an answer
	systems []*System // one a face, or one for all
	holds   []*face   // whose factors each system holds
	guess   []float64 // work by state
	widest  int

	keep int         // older kernels kept a cost
	old  []*response // by cost: the answer to the last policy
}

// operator is who answers.
type operator struct {
	set    uncertainty.Set // where a cost is one of state and action: z = V
	onward uncertainty.Set // where it depends on the next state: z = c + γ V
	z, p   []float64       // work by successor
}

// response is nature's answer to some values: a row of the set for every pair.
type response struct {
	ker *model.Kernel
	r   []float64 // by pair: the row's expected one-step cost less its penalty
	// stale rows are of the set, but answer older values: those of actions that
	// the policy does not take. They are brought up to date when asked for.
	stale []bool
	any   bool // of them
	fixed bool // the pattern of ker is shared and stays
}

// face is one smooth function of the policy that a worst-case return is the
// maximum of: the return of cost n under one answer.
type face struct {
	n        int
	slot     int // of its system
	is       *response
	j        float64
	v        []float64 // values under the kernel
	d        []float64 // unnormalised occupancy measure, when occupied
	occupied bool
}

// systemBytes caps the memory of factorisations; beyond it one system serves
// all costs, and a gradient factors again.
const systemBytes = 64 << 20

func newRectangular(e *Evaluator) (*rectangular, error) {
	m := e.M
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
	entries := 0
	for i := range m.Pairs() {
		n := len(r.set.Support(i))
		r.widest = max(r.widest, n)
		entries += n
	}
	r.z, r.p = make([]float64, r.widest), make([]float64, r.widest)
	listed := entries
	if u := m.Problem.Uncertainty; u.SupportAll && u.Nominal != nil {
		listed = len(u.Nominal.Next)
	}
	r.fixed = listed >= entries/4
	ptr, next := make([]int, 1, m.Pairs()+1), []int(nil)
	if r.fixed {
		next = make([]int, 0, entries)
		for i := range m.Pairs() {
			next = append(next, r.set.Support(i)...)
			ptr = append(ptr, len(next))
		}
	}
	r.ptr, r.next = ptr, next
	r.spare = r.newResponse()
	r.guess = make([]float64, m.S)
	r.entries = listed
	for n := range m.N + 1 {
		r.addFace(n)
		lowest, highest := m.Bounds(n)
		r.ends = append(r.ends, [2]float64{lowest, highest})
	}
	return r, nil
}

func (r *rectangular) newResponse() *response {
	a := &response{fixed: r.fixed, r: make([]float64, r.m.Pairs()), stale: make([]bool, r.m.Pairs())}
	if r.fixed {
		a.ker = &model.Kernel{Ptr: r.ptr, Next: r.next, Prob: make([]float64, len(r.next))}
	} else {
		a.ker = &model.Kernel{Ptr: make([]int, 1, r.m.Pairs()+1)}
	}
	return a
}

// addFace makes a face with a system of its own while memory allows.
func (r *rectangular) addFace(n int) *face {
	f := &face{n: n, is: r.newResponse(), v: make([]float64, r.m.S), d: make([]float64, r.m.S), slot: len(r.faces)}
	r.faces = append(r.faces, f)
	if k := len(r.systems); k == 0 || (k+1)*r.m.S*r.m.S*8 <= systemBytes {
		r.systems = append(r.systems, NewSystemFor(r.m.Layout, r.m.Gamma, r.entries))
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

// load takes the policy over.
func (r *rectangular) load(pi []float64) {
	copy(r.pi, pi)
	r.mass = 0
	for s := range r.m.S {
		sum := 0.0
		for _, w := range pi[r.m.Off[s]:r.m.Off[s+1]] {
			sum += w
		}
		r.mass = max(r.mass, sum)
	}
	clear(r.holds)
}

// worstCase is nature's policy iteration for the cost of f.
func (r *rectangular) worstCase(f *face) {
	const stalls = 5 // steps without progress: only rounding is left
	lowest, highest := r.ends[f.n][0], r.ends[f.n][1]
	wanted := r.tolerance * (highest - lowest) * r.m.H
	best, worse := math.Inf(1), 0
	for {
		r.solve(f, .01)
		lo, up, noise := r.respond(r.spare, f.is, f.n, f.v)
		err := r.bracket(f, lo, up, noise)
		r.e.J[f.n], r.e.ErrorBound[f.n] = f.j, err
		f.is, r.spare = r.spare, f.is
		if err <= max(wanted, 4*r.bracket(f, 0, 0, noise)) {
			break
		}
		if err < best {
			best, worse = err, 0
		} else if worse++; worse >= stalls || math.IsNaN(err) {
			break
		}
	}
	// The kernel is the answer to the last values, one step ahead of the one that
	// gave them: their error is the square of its own. Its factors are made when
	// an occupancy measure is asked for, or are those at hand if nothing moved.
	if differ(f.is.ker, r.spare.ker, 1e-13) {
		r.holds[f.slot%len(r.systems)] = nil
	}
}

// bracket turns the ends of TV - V, known within noise, into a bound on
// |J - ⟨μ, V⟩|.
func (r *rectangular) bracket(f *face, lo, up, noise float64) float64 {
	const u = 0x1p-53
	contraction := r.m.Gamma * r.mass * (1 + 2*u*float64(r.widest+4))
	if contraction >= 1 {
		return math.Inf(1)
	}
	most := largest(f.v)
	return (max(up, -lo, 0)+noise)/(1-contraction) + 2*u*float64(r.m.S+2)*most
}

// solve sets values and return of f under its kernel.
func (r *rectangular) solve(f *face, curvature float64) {
	m := r.m
	r.holds[f.slot%len(r.systems)] = nil
	y := r.system(f)
	copy(r.guess, f.v)
	r.mix(f.v, f.is.r)
	span := r.ends[f.n][1] - r.ends[f.n][0]
	if span == 0 {
		curvature, span = 0, 1
	}
	y.SolveFrom(f.v, r.guess, r.tolerance*span/32, curvature/span)
	f.j = dot(m.Mu, f.v)
	f.occupied = false
	r.steps++
}

// mix averages a table by pair with the policy.
func (r *rectangular) mix(dst, by []float64) {
	off := r.m.Off
	for s := range dst {
		t := 0.0
		for i := off[s]; i < off[s+1]; i++ {
			t += r.pi[i] * by[i]
		}
		dst[s] = t
	}
}

// nominal starts f from the nominal kernel.
func (r *rectangular) nominal(f *face) {
	m, a := r.m, f.is
	a.begin()
	for i := range m.Pairs() {
		p := r.p[:len(r.set.Support(i))]
		r.set.Nominal(p, i)
		a.r[i] = r.expected(f.n, i, p)
		r.write(a, i, p)
	}
}

// expected is the one-step cost of pair i under the row p.
func (r *rectangular) expected(n, i int, p []float64) float64 {
	m := r.m
	if m.CNext[n] == nil {
		return m.C[n][i]
	}
	t := 0.0
	for j, s := range r.set.Support(i) {
		t += p[j] * m.CNext[n][i*m.S+s]
	}
	return t
}

// respond lets every row that the policy uses answer v, keeping the others from
// the answer before. It returns the ends of TV - v and how far rounding can
// have moved them.
func (r *rectangular) respond(to, from *response, n int, v []float64) (lo, up, noise float64) {
	m := r.m
	to.begin()
	to.any = false
	r.set.Begin(v)
	lo, up = math.Inf(1), math.Inf(-1)
	most := 0.0
	for s := range m.S {
		low, high := 0.0, 0.0
		for i := m.Off[s]; i < m.Off[s+1]; i++ {
			w := r.pi[i]
			if w == 0 {
				to.keep(from, i)
				continue
			}
			a := r.answer(to, n, i, v)
			low += w * a.Value
			high += w * a.Upper
		}
		lo, up = min(lo, low-v[s]), max(up, high-v[s])
		most = max(most, math.Abs(v[s]), math.Abs(low))
	}
	const u = 0x1p-53
	lowest, highest := r.ends[n][0], r.ends[n][1]
	return lo, up, u * float64(4*(m.A+4)+2*(r.widest+2)) * (most + max(highest, -lowest))
}

// answer writes the answer of pair i to v, which set.Begin knows of, and returns
// c + γ ⟨p, v⟩ - γ penalty and its upper bound.
func (r *rectangular) answer(to *response, n, i int, v []float64) uncertainty.Answer {
	m := r.m
	to.stale[i] = false
	sup := r.set.Support(i)
	p := r.p[:len(sup)]
	if r.fixed {
		p = to.ker.Prob[r.ptr[i]:r.ptr[i+1]]
	}
	if m.CNext[n] == nil {
		var a uncertainty.Answer
		if k := to.ker; r.fixed {
			a = r.set.Row(p, i)
		} else {
			k.Next, k.Prob, a = r.set.AppendRow(k.Next, k.Prob, i)
			k.Ptr = append(k.Ptr, len(k.Next))
		}
		c := m.C[n][i]
		to.r[i] = c - m.Gamma*a.Penalty
		return uncertainty.Answer{Value: c + m.Gamma*a.Value, Upper: c + m.Gamma*a.Upper}
	}
	z := r.z[:len(sup)]
	c := m.CNext[n][i*m.S : (i+1)*m.S]
	for j, s := range sup {
		z[j] = c[s] + m.Gamma*v[s]
	}
	a := r.onward.Answer(p, i, z)
	to.r[i] = r.expected(n, i, p) - a.Penalty
	if !r.fixed {
		r.write(to, i, p)
	}
	return a
}

// write stores row i, rows coming in order.
func (r *rectangular) write(to *response, i int, p []float64) {
	if r.fixed {
		copy(to.ker.Prob[r.ptr[i]:r.ptr[i+1]], p)
		return
	}
	k := to.ker
	for j, x := range p {
		if x != 0 {
			k.Next, k.Prob = append(k.Next, r.set.Support(i)[j]), append(k.Prob, x)
		}
	}
	k.Ptr = append(k.Ptr, len(k.Next))
}

// begin empties an answer that lists its own pattern.
func (a *response) begin() {
	if !a.fixed {
		k := a.ker
		k.Ptr, k.Next, k.Prob = k.Ptr[:1], k.Next[:0], k.Prob[:0]
	}
}

// keep takes row i over from another answer.
func (a *response) keep(from *response, i int) {
	a.r[i], a.stale[i], a.any = from.r[i], true, true
	next, prob := from.ker.Row(i)
	k := a.ker
	if a.fixed {
		copy(k.Prob[k.Ptr[i]:], prob)
		return
	}
	k.Next, k.Prob = append(k.Next, next...), append(k.Prob, prob...)
	k.Ptr = append(k.Ptr, len(k.Next))
}

// complete brings the rows of f that the policy does not use up to date.
func (r *rectangular) complete(f *face) {
	if !f.is.any {
		return
	}
	r.set.Begin(f.v)
	if r.fixed {
		for i, stale := range f.is.stale {
			if stale {
				r.answer(f.is, f.n, i, f.v)
			}
		}
		f.is.any = false
		return
	}
	r.spare.begin()
	for i, stale := range f.is.stale {
		if stale {
			r.answer(r.spare, f.n, i, f.v)
		} else {
			r.spare.keep(f.is, i)
			r.spare.stale[i] = false
		}
	}
	f.is, r.spare = r.spare, f.is
	f.is.any = false
}

func (r *rectangular) worst(int) int    { return -1 }
func (r *rectangular) active(n int) int { return n }
func (r *rectangular) pieces() int      { return len(r.faces) }

func (r *rectangular) piece(p int) (n int, j float64) { return r.faces[p].n, r.faces[p].j }

func (r *rectangular) value(dst []float64, p int) { copy(dst, r.faces[p].v) }

func (r *rectangular) action(dst []float64, p int) {
	f := r.faces[p]
	r.complete(f)
	for i := range dst {
		next, prob := f.is.ker.Row(i)
		t := 0.0
		if len(next) == r.m.S {
			t = dot(prob, f.v)
		} else {
			for j, s := range next {
				t += prob[j] * f.v[s]
			}
		}
		dst[i] = f.is.r[i] + r.m.Gamma*t
	}
}

func (r *rectangular) gradient(dst []float64, p int) {
	f := r.faces[p]
	r.action(dst, p)
	r.occupy(f)
	for i := range dst {
		dst[i] *= f.d[r.m.State[i]]
	}
}

func (r *rectangular) occupancy(dst []float64, p int) {
	f := r.faces[p]
	r.occupy(f)
	for s := range dst {
		dst[s] = f.d[s] / r.m.H
	}
}

func (r *rectangular) occupy(f *face) {
	if f.occupied {
		return
	}
	copy(f.d, r.m.Mu)
	r.system(f).SolveTransposed(f.d)
	f.occupied = true
}

func (r *rectangular) row(dst []float64, p, i int) {
	r.complete(r.faces[p])
	r.faces[p].is.ker.Dense(dst, i)
}

func (r *rectangular) kernel(p int) *model.Kernel {
	r.complete(r.faces[p])
	k := r.faces[p].is.ker
	return &model.Kernel{Ptr: slices.Clone(k.Ptr), Next: slices.Clone(k.Next), Prob: slices.Clone(k.Prob)}
}
