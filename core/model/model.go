// Package model holds the objects every other package speaks of: the problem
// document rcmdp/1 as a person wrote it (Problem), the same problem in the one
// internal convention (Standard), the layout of available state-action pairs,
// kernels and policies. It reads and checks documents and knows nothing of
// evaluation or solving.
//
// Decode makes a Problem of a text, or the Faults that keep it from being one,
// each with a JSON Pointer; Problem.Standard makes the Standard that everything
// downstream computes with. A Layout numbers the available pairs; policies are
// flat slices in its order. It rests on jsontext and sha256 alone.
package model

import (
	"math"
	"slices"
)

// Problem is one rcmdp/1 document after decoding: the person's own numbers,
// senses and units. Use Standard for the internal convention.
type Problem struct {
	Name, Description, Source string // free text

	States, Actions []string  // ids, unique
	Discount        float64   // γ in [0, 1], 1 only with end states or a horizon
	End             []bool    // by state: the episode ends there, see Total; nil when nowhere
	Horizon         int       // decisions, see horizon.go; 0: no end of them
	Initial         []float64 // μ, length S, sums to 1 within RowTolerance

	Objective   Cost
	Maximize    bool // sense of the objective
	Constraints []Constraint

	Deterministic bool // "policies": "deterministic": one action in each state, never a mixture

	Uncertainty Uncertainty

	Layout *Layout // the available state-action pairs, shared by all kernels

	of *Problem // whose states by time these are, see Unrolled; nil for a document
}

// Cost is one cost function on the full S×A grid of the document. A pair that
// is not available holds whatever was written there, NaN for null.
type Cost struct {
	Name    string    // unique among the costs
	Values  []float64 // [s*A+a], or nil when the cost depends on the next state
	Next    []float64 // [(s*A+a)*S+s'], or nil
	Steps   []Cost    // with a horizon: the two above for each time, by which they differ; else nil
	Final   []float64 // with a horizon: what is paid at its end, by state; nil when nothing
	Average bool      // "scale": "average": shown values are (1-γ) J

	// Over is the share α of a finite set's models, the worst for the policy first, that the
	// return is averaged over: 0 the worst alone, 1 the mean of all, between them {"cvar": α}.
	Over float64
}

// Constraint is a cost with one bound on its return: its worst case, or what Over says.
type Constraint struct {
	Cost
	Bound   float64 // in the units shown (see Cost.Average)
	AtLeast bool    // J >= Bound instead of J <= Bound
}

// Uncertainty is the document's uncertainty set; which fields matter depends
// on Kind.
type Uncertainty struct {
	Kind        Kind
	Kernels     []*Kernel // finite
	Weights     []float64 // by kernel, sum to 1 within RowTolerance; nil: the document has none, all count alike
	Nominal     *Kernel   // all rectangular kinds but interval
	Lower       *Kernel   // interval
	Upper       *Kernel   // interval
	Radius      []float64 // one number, or S*A numbers by [s*A+a] (NaN for null)
	Temperature float64   // kl-regularized
	Paper       bool      // kl-regularized: "evaluator": "paper"
	SupportAll  bool      // "support": "all"
}

// Layout numbers the available state-action pairs in order of state, then
// action: the pairs of state s are Off[s] .. Off[s+1]-1. Policies, costs,
// kernels and gradients downstream are flat slices in this order.
type Layout struct {
	S, A  int   // states; actions of the document's grid
	Off   []int // length S+1
	Act   []int // action of a pair
	State []int // state of a pair
}

// NewLayout makes the layout from a table of S*A flags in [s*A+a] order.
func NewLayout(s, a int, available []bool) *Layout {
	l := &Layout{S: s, A: a, Off: make([]int, s+1)}
	for i := range s {
		for j := range a {
			if available == nil || available[i*a+j] {
				l.Act = append(l.Act, j)
				l.State = append(l.State, i)
			}
		}
		l.Off[i+1] = len(l.Act)
	}
	return l
}

// Pairs is the number of available state-action pairs.
func (l *Layout) Pairs() int { return len(l.Act) }

// Pair is the number of the pair (s, a), or -1 when a is not available in s.
func (l *Layout) Pair(s, a int) int {
	for i := l.Off[s]; i < l.Off[s+1]; i++ {
		if l.Act[i] == a {
			return i
		}
	}
	return -1
}

// Kernel is a transition kernel (or one end of an interval) by compressed
// rows: the successors of pair i are Next[Ptr[i]:Ptr[i+1]], ascending, with
// probabilities Prob in the same places. A sparse document keeps its listed
// zeros (they belong to the support); a dense one lists its non-zeros.
type Kernel struct {
	Name   string    // of a finite set's member; may be empty
	Sparse bool      // written as entries in the document
	Named  bool      // ... with states and actions by name
	Ptr    []int     // length pairs+1
	Next   []int     // states
	Prob   []float64 // >= 0
}

// Row returns the successors of pair i and their probabilities.
func (k *Kernel) Row(i int) (next []int, prob []float64) {
	a, b := k.Ptr[i], k.Ptr[i+1]
	return k.Next[a:b], k.Prob[a:b]
}

// AddRow adds a row as it is listed, AddNonzero one without the zeros that are listed.
func (k *Kernel) AddRow(next []int, prob []float64) {
	k.Next, k.Prob = append(k.Next, next...), append(k.Prob, prob...)
	k.Ptr = append(k.Ptr, len(k.Next))
}

// AddNonzero is for rows of answers; see AddRow.
func (k *Kernel) AddNonzero(next []int, prob []float64) {
	for j, p := range prob {
		if p != 0 {
			k.Next, k.Prob = append(k.Next, next[j]), append(k.Prob, p)
		}
	}
	k.Ptr = append(k.Ptr, len(k.Next))
}

// NewKernel makes a kernel from dense rows, pairs*s numbers; zeros are dropped.
func NewKernel(s int, rows []float64) *Kernel {
	k, every := &Kernel{Ptr: make([]int, 1, len(rows)/s+1)}, make([]int, s)
	for j := range every {
		every[j] = j
	}
	for row := range slices.Chunk(rows, s) {
		k.AddNonzero(every, row)
	}
	return k
}

// Dense writes row i, length s, to dst.
func (k *Kernel) Dense(dst []float64, i int) {
	clear(dst)
	next, prob := k.Row(i)
	for j, t := range next {
		dst[t] = prob[j]
	}
}

// Standard is the problem in the one internal convention: every cost is
// minimised, thresholds are discounted totals, probabilities are rescaled by
// their exact sums, and unavailable pairs are gone. Index 0 is the objective.
type Standard struct {
	*Layout
	Gamma   float64     // γ; just below 1 where the document says 1, see standin.go
	Rest    float64     // 1-γ as the document means it, see Rest
	H       float64     // effective horizon 1/(1-γ), or the time that episodes are expected to take, at most
	End     []bool      // by state: the end states; nil when there are none
	Mu      []float64   // initial distribution, length S
	N       int         // constraints; costs are 0..N
	C       [][]float64 // [n][pair] one-step costs, minimised
	CNext   [][]float64 // CNext[n] is nil, or [pair*S+s'] and then C[n] is nil
	B       []float64   // thresholds of J; B[0] is +Inf
	Kernels []*Kernel   // finite: the set; otherwise nil
	Weights []float64   // by kernel of a finite set, sum to 1
	Over    []float64   // by cost: the share of the models that it is averaged over, see Cost.Over
	Problem *Problem    // where it came from; the rectangular sets' parameters
	lost    []bool      // by state: see WithLost
	growth  []float64   // by time: ρ^t, see Grown; nil where it is 1
	flip    []float64   // -1 where the person maximises or asks for at least
	scale   []float64   // 1-γ where the person's values are averages
	sizes   []costSize  // of the one-step costs; see Scale
	hash    string      // of Problem, when it was asked for
}

// Hash is Problem.HashWhile, worked out once: the problem must not change.
func (m *Standard) Hash(pause func()) string {
	if m.hash == "" {
		m.hash = m.Problem.HashWhile(pause)
	}
	return m.hash
}

// Present turns a return J_n of the internal convention into the person's own
// number: sign and scale undone.
func (m *Standard) Present(n int, j float64) float64 {
	return m.flip[n]*m.scale[n]*j + 0 // + 0 makes 0 of -0
}

// PresentViolation turns a violation J_n - b_n into the person's units:
// positive is bad whatever the sense.
func (m *Standard) PresentViolation(n int, v float64) float64 { return m.scale[n] * v }

// Internal undoes Present.
func (m *Standard) Internal(n int, shown float64) float64 { return shown * m.flip[n] / m.scale[n] }

// Flipped reports whether cost n is maximised, or bounded from below, by the
// person; a lower bound inside is then an upper bound on the page.
func (m *Standard) Flipped(n int) bool { return m.flip[n] < 0 }

// Standard makes the internal form, unrolled where there is a horizon. The problem must have passed validation.
func (p *Problem) Standard() *Standard {
	p = p.Unrolled()
	l, rho := p.Layout, p.Growth()
	m := &Standard{
		Layout: l, Gamma: p.Discount / rho, Rest: (rho - 1 + Rest(p.Discount)) / rho, End: p.End, N: len(p.Constraints), Problem: p,
		Mu: normalised(p.Initial), growth: p.growth(),
	}
	m.H = 1 / m.Rest
	if p.Total() {
		switch m.Rest, m.H = lost, episodeTime; {
		case l.S <= largeEpisodes:
		case len(p.Uncertainty.Kernels) > 1 || m.N > 0 && p.Uncertainty.Kind.Rectangular():
			m.Rest = lostNear
		default:
			m.Rest = lostLarge
		}
		m.Gamma = 1 - m.Rest
	}
	add := func(c *Cost, flip bool, bound float64) {
		f, s := 1.0, 1.0
		if flip {
			f = -1
		}
		if c.Average {
			s = m.Rest
		}
		m.flip, m.scale = append(m.flip, f), append(m.scale, s)
		m.Over = append(m.Over, c.Over)
		m.B = append(m.B, f*bound/s)
		var flat, next []float64
		for i := range l.Act {
			g := l.State[i]*l.A + l.Act[i]
			if c.Next != nil {
				for _, x := range c.Next[g*l.S : (g+1)*l.S] {
					next = append(next, f*x)
				}
			} else {
				flat = append(flat, f*c.Values[g])
			}
		}
		m.C, m.CNext = append(m.C, flat), append(m.CNext, next)
		if c.Next != nil {
			flat = next
		}
		m.sizes = append(m.sizes, sizeOf(flat))
		m.standIn(len(m.C) - 1)
	}
	add(&p.Objective, p.Maximize, 0)
	m.B[0] = math.Inf(1)
	for i := range p.Constraints {
		c := &p.Constraints[i]
		add(&c.Cost, c.AtLeast, c.Bound)
	}
	m.grow()
	for _, k := range p.Uncertainty.Kernels {
		m.Kernels = append(m.Kernels, k.normalised())
	}
	m.Weights = p.ModelWeights()
	return m
}

// ExpectedCost is c_n by pair under the kernel: a cost of the next state is
// averaged over the kernel's rows, others are as they are (not a copy).
func (m *Standard) ExpectedCost(n int, k *Kernel) []float64 {
	if m.CNext[n] == nil {
		return m.C[n]
	}
	c := make([]float64, m.Pairs())
	for i := range c {
		next, prob := k.Row(i)
		for j, t := range next {
			c[i] += prob[j] * m.CNext[n][i*m.S+t]
		}
	}
	return c
}

// CostName is the person's name of cost n.
func (m *Standard) CostName(n int) string { return m.Problem.Cost(n).Name }

// Cost is cost n as the document has it: the objective, or from 1 that of a constraint.
func (p *Problem) Cost(n int) *Cost {
	if n == 0 {
		return &p.Objective
	}
	return &p.Constraints[n-1].Cost
}

// At is what s*A+a costs when it leads to a state, of so many.
func (c *Cost) At(g, to, states int) float64 {
	if c.Next != nil {
		return c.Next[g*states+to]
	}
	return c.Values[g]
}

// Reached marks the states that play can come to from where it begins: each calls come with the states that pair i
// may lead to, and is called once for every pair of a state that is reached.
func (m *Standard) Reached(each func(i int, come func(s int))) []bool {
	reached, queue := make([]bool, m.S), make([]int, 0, m.S)
	come := func(s int) {
		if !reached[s] {
			reached[s], queue = true, append(queue, s)
		}
	}
	for s, p := range m.Mu {
		if p > 0 {
			come(s)
		}
	}
	for k := 0; k < len(queue); k++ {
		for i := m.Off[queue[k]]; i < m.Off[queue[k]+1]; i++ {
			each(i, come)
		}
	}
	return reached
}

// Bounds returns the least and the largest value a one-step cost n can take,
// so that Bounds·H encloses every return.
func (m *Standard) Bounds(n int) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, c := range [2][]float64{m.C[n], m.CNext[n]} {
		for _, x := range c {
			lo, hi = min(lo, x), max(hi, x)
		}
	}
	return lo, hi
}

// Sum is that of the numbers.
func Sum(p []float64) float64 {
	sum := 0.0
	for _, x := range p {
		sum += x
	}
	return sum
}

func normalised(p []float64) []float64 {
	q := make([]float64, len(p))
	Normalise(q, p)
	return q
}

// Normalise fills q, which may be p, with p divided by its sum.
func Normalise(q, p []float64) {
	sum := Sum(p)
	for i, x := range p {
		q[i] = x / sum
	}
}

func (k *Kernel) normalised() *Kernel {
	q := &Kernel{Name: k.Name, Sparse: k.Sparse, Ptr: k.Ptr, Next: k.Next, Prob: make([]float64, len(k.Prob))}
	for i := range len(k.Ptr) - 1 {
		a, b := k.Ptr[i], k.Ptr[i+1]
		Normalise(q.Prob[a:b], k.Prob[a:b])
	}
	return q
}

// NormalisedNominal is the nominal kernel with its rows rescaled by their sums.
func (m *Standard) NormalisedNominal() *Kernel {
	return m.absorbing(m.Problem.Uncertainty.Nominal.normalised())
}

// Rectangular reports whether nature picks every row by itself; else it picks one of the kernels for good.
func (m *Standard) Rectangular() bool { return m.Kernels == nil }

// Models are the kernels that the document gives as they are: those of its list, else the nominal one; none for intervals.
func (m *Standard) Models() []*Kernel {
	if m.Problem.Uncertainty.Nominal != nil {
		return []*Kernel{m.NormalisedNominal()}
	}
	return m.Kernels
}

// Under is the problem in which nature picks one of these kernels.
func (m *Standard) Under(kernels ...*Kernel) *Standard {
	q, p := *m, *m.Problem
	p.Uncertainty = Uncertainty{Kind: Finite, Kernels: kernels}
	q.Problem, q.Kernels = &p, kernels
	return &q
}

// Every is every kernel of the set, or both ends of an interval.
func (u *Uncertainty) Every() []*Kernel {
	all := slices.Clip(u.Kernels)
	for _, k := range []*Kernel{u.Nominal, u.Lower, u.Upper} {
		if k != nil {
			all = append(all, k)
		}
	}
	return all
}

// Map puts what change makes of each of them in its place.
func (u *Uncertainty) Map(change func(*Kernel) *Kernel) {
	u.Kernels = slices.Clone(u.Kernels)
	for i, k := range u.Kernels {
		u.Kernels[i] = change(k)
	}
	for _, k := range []**Kernel{&u.Nominal, &u.Lower, &u.Upper} {
		if *k != nil {
			*k = change(*k)
		}
	}
}
