// Package evaluate gives the values of one policy: the worst-case return of
// every cost over the uncertainty set, the kernel that attains it, occupancy
// measures, action values and policy gradients, with an error bound.
//
// Evaluator is the door: New, Evaluate, then J and whatever is asked of that
// policy. A worst-case return is a maximum of smooth pieces, one for each cost and
// kernel, which the evaluator lists with values and gradients. Below it stands
// System, one factorisation of I - γP^π. It asks package uncertainty for
// nature's answers and knows nothing of methods or bounds.
package evaluate

import (
	"fmt"
	"math"

	"rcmdplab/core/model"
)

// u is the unit roundoff of float64: what is rounded once is within that share of it.
const u = model.Roundoff

// Evaluator evaluates policies of one problem. After Evaluate the other methods
// speak of that policy. It owns its work space: nothing allocates after New,
// and it must not be used from two goroutines at once.
type Evaluator struct {
	M *model.Standard

	Episodes *Episodes // which policies end, at discount 1; nil below

	// Count is the number of policies evaluated: one evaluation is every cost
	// under every kernel.
	Count int64

	// J holds the worst-case returns J_{c_n,U}, n = 0..N, of the last policy, or where a
	// cost is averaged over the models its average (model.Cost.Over).
	J []float64

	// ErrorBound holds, per cost, a bound on |J_n - exact| in the units of J_n that
	// covers rounding. Finite sets: the backward error of elimination times ‖(I -
	// γP^π)⁻¹‖ = H, or entry by entry where every pivot is a sum (O'Cinneide 1993;
	// System.ReturnError), or the residual of what is iterated times the time for which a
	// cost goes on (ending). Rectangular ones: H times the ends of the residual TV - V
	// (MacQueen 1966; Puterman 2005, theorem 6.3.1; for nature's maximum Iyengar 2005,
	// theorem 3.2).
	// (For the paper's update exact is the return under the kernel reported; see
	// Warnings.) It guides a search; what is claimed is proved by package certify.
	ErrorBound []float64

	centred *model.Standard // M with its costs about their centres: what the inner problem is about
	base    []float64       // J_n is the return of the centred cost plus base[n]; nil for zeros
	about   []float64       // the returns of the centred costs
	each    []float64       // of the last ByKernel
	inner   inner           // what evaluates: block, finite, rectangular or paper
	pace    *Pace           // shared by all that works long
}

// inner is nature's side of a fixed policy, the inner problem: what differs
// between classes of uncertainty sets.
type inner interface {
	evaluate(pi []float64) // fills J and ErrorBound of the Evaluator
	worst(n int) int       // index of the worst kernel of cost n, -1 when the set is not finite

	// A piece is one smooth function of the policy that the worst-case return is
	// the maximum of: (cost, kernel).
	pieces() int
	piece(p int) (n int, j float64)
	active(n int) int // the piece that attains J_n

	gradient(dst []float64, p int)  // dJ/dπ(s,a) = d(s) Q(s,a), d unnormalised
	occupancy(dst []float64, p int) // normalised state occupancy, length S
	action(dst []float64, p int)    // Q by pair
	value(dst []float64, p int)     // V by state
	row(dst []float64, p, i int)    // the kernel's row of pair i, dense
	kernel(p int) *model.Kernel     // the kernel; may be shared with the problem
}

// New makes the evaluator of a problem; it fails for kinds of uncertainty set
// that have no evaluator, and for parameters out of range; at discount 1 also where no policy
// surely ends (a *Trap). There M has states that no policy ends from as ends that cost dearly. O(Memory).
func New(m *model.Standard) (*Evaluator, error) {
	if !m.Total() {
		return build(m)
	}
	p, err := NewEpisodes(m)
	if err != nil {
		return nil, err
	}
	if s, k := p.Trapped(); s >= 0 {
		return nil, p.trap(s, k)
	}
	if lost := p.Lost(); lost != nil {
		m = m.WithLost(lost)
		p.m = m
	}
	e, err := build(m)
	if err == nil {
		e.Episodes = p
	}
	return e, err
}

// build is New without a word about ends.
func build(m *model.Standard) (*Evaluator, error) {
	e := newEvaluator(m)
	if !m.Rectangular() {
		if e.inner = newFinite(e); m.Averaged() {
			e.inner = newAveraged(e, e.inner)
		}
		return e, nil
	}
	nat, err := newRectangular(e)
	if err != nil {
		return nil, fmt.Errorf("evaluate: %w", err)
	}
	e.inner = nat
	if m.Problem.Uncertainty.Paper {
		e.inner = newPaper(nat)
	}
	return e, nil
}

// Untimed evaluates costs as they are, where e charges for time, as searches need it: at discount 1. Elsewhere it is e.
func (e *Evaluator) Untimed() *Evaluator {
	if e.Episodes == nil {
		return e
	}
	x, err := build(e.M.Timeless(0))
	if err != nil {
		panic("evaluate: " + err.Error()) // the same set was accepted before
	}
	x.Episodes = e.Episodes
	return x
}

// Endless reports whether a policy may go on for ever, where it has to end.
func (e *Evaluator) Endless(pi []float64) bool {
	return e.Episodes != nil && e.Episodes.Endless(pi) >= 0
}

// newEvaluator is one without an inner problem yet.
func newEvaluator(m *model.Standard) *Evaluator {
	n1 := m.N + 1
	e := &Evaluator{M: m, J: make([]float64, n1), ErrorBound: make([]float64, n1), about: make([]float64, n1), pace: new(Pace)}
	e.centred, e.base = m.Centre()
	return e
}

// Evaluate computes J and ErrorBound of the policy, one number per available
// pair, rows summing to 1; it panics for another length. Finite set: one LU of I -
// γP^π and one transposed solve per kernel (algo:finite-oracle), O(M (S³/3 +
// S·pairs)). Rectangular set: Newton's method on V = T^π V for each cost (robust
// policy evaluation, Iyengar 2005), each round a row maximum for every pair and a linear
// system; see rectangular. Large sparse systems are solved by iteration, in time
// linear in the listed successors (NewSystemFor).
func (e *Evaluator) Evaluate(pi []float64) {
	if len(pi) != e.M.Pairs() {
		panic(fmt.Sprintf("evaluate: policy has %d entries, layout has %d pairs", len(pi), e.M.Pairs()))
	}
	e.Count++
	e.inner.evaluate(pi)
	for n, j := range e.J {
		if e.pace.Cut() {
			j, e.ErrorBound[n] = math.Inf(1), math.Inf(1)
		}
		e.about[n], e.J[n] = j, e.total(n, j)
	}
}

// Restart forgets what was learnt from the policies evaluated so far: the next
// evaluation starts as the first did, so that a run which begins with it gives
// the same numbers to the last bit whatever was evaluated before.
func (e *Evaluator) Restart() {
	inner := e.inner
	if x, ok := inner.(*averaged); ok {
		clear(x.kept)
		inner = x.under
	}
	switch n := inner.(type) {
	case *rectangular:
		n.restart()
	case *finite:
		n.restart()
	case *paper:
		n.started, n.since = false, retrack
	}
}

// Near has the first evaluation after a Restart begin cost n with values near
// those of its policy, by state, instead of with the nominal kernel. Where the
// set is finite it does nothing.
func (e *Evaluator) Near(n int, v []float64) {
	r, ok := e.inner.(*rectangular)
	if !ok {
		return
	}
	if r.near == nil {
		r.near = make([][]float64, e.M.N+1)
	}
	r.near[n] = append([]float64(nil), v...)
	if e.base != nil {
		for s := range r.near[n] {
			r.near[n][s] -= e.base[n]
		}
	}
}

// total is the return of cost n whose centred cost has the return j.
func (e *Evaluator) total(n int, j float64) float64 {
	if e.base == nil {
		return j
	}
	return e.base[n] + j
}

// Excess is J_n - b_n of the last policy, n >= 1, worked out about the cost's
// centre (see model.Standard.Centre): rounding is small next to the differences
// between returns even where J_n and b_n share a large offset.
func (e *Evaluator) Excess(n int) float64 { return e.about[n] - e.centred.B[n] }

// Centred is J_n of the last policy less what every policy pays: it orders
// policies as J_n does, without the rounding of a large common offset.
func (e *Evaluator) Centred(n int) float64 { return e.about[n] }

// Worst is the index of the kernel that attains J_n in a finite set, the first
// of them on a tie, and -1 for other sets and for what is averaged over the models.
func (e *Evaluator) Worst(n int) int { return e.inner.worst(n) }

// Gradient writes the policy gradient of J_n at its worst kernel, by pair:
// dJ/dπ(s,a) = d(s) Q(s,a) with d unnormalised (the paper's H d(s) Q(s,a)).
func (e *Evaluator) Gradient(dst []float64, n int) {
	p := e.inner.active(n)
	e.inner.gradient(dst, p)
	if e.base == nil || e.base[n] == 0 {
		return
	}
	d := make([]float64, e.M.S)
	e.inner.occupancy(d, p)
	for i, s := range e.M.State {
		dst[i] += e.M.H * d[s] * e.base[n]
	}
}

// CentredGradient is Gradient of the centred cost: what every policy pays adds
// the same to all actions of a state, which no step between policies feels, and
// only rounding would.
func (e *Evaluator) CentredGradient(dst []float64, n int) {
	e.inner.gradient(dst, e.inner.active(n))
}

// Occupancy writes the normalised state occupancy of the last policy under the
// worst kernel of cost n: d = (1-γ)(I - γP^π)^{-ᵀ} μ, which sums to 1.
func (e *Evaluator) Occupancy(dst []float64, n int) { e.inner.occupancy(dst, e.inner.active(n)) }

// Visits is Occupancy, or at discount 1 the expected number of visits in an episode; with a horizon the
// probability of being in a state at a time, of an end state that of coming to it then.
func (e *Evaluator) Visits(dst []float64, n int) {
	e.Occupancy(dst, n)
	if p := e.M.Problem; p.ByTime() {
		for s := range dst {
			if dst[s] /= math.Pow(e.M.Gamma, float64(p.Time(s))); !e.M.Ends(s) {
				dst[s] *= e.M.H
			}
		}
		return
	}
	for s := range dst {
		if e.Episodes == nil {
			return
		}
		if dst[s] *= e.M.H; e.M.Absorbs(s) { // where it stays for good
			dst[s] *= e.M.Rest
		}
	}
}

// ActionValues writes Q(s,a) = Σ_s' p(s') (c_n(s,a,s') + γ V(s')) of cost n under its
// worst kernel p, by pair: total discounted cost. O(successors).
func (e *Evaluator) ActionValues(dst []float64, n int) {
	e.inner.action(dst, e.inner.active(n))
	e.raise(dst, n)
}

// Values writes V of cost n under its worst kernel, by state: total discounted
// cost from there, J_n = ⟨μ, V⟩. At most one linear solve.
func (e *Evaluator) Values(dst []float64, n int) {
	e.inner.value(dst, e.inner.active(n))
	e.raise(dst, n)
}

// raise adds what every policy pays to values of the centred cost n.
func (e *Evaluator) raise(v []float64, n int) {
	if e.base == nil || e.base[n] == 0 {
		return
	}
	for i := range v {
		v[i] += e.base[n]
	}
}

// WorstRow writes the worst kernel's row of pair i for cost n, length S.
func (e *Evaluator) WorstRow(dst []float64, n, i int) { e.inner.row(dst, e.inner.active(n), i) }

// Pieces is the number of smooth functions (cost, kernel) that were evaluated:
// M(N+1) for a finite set; for a rectangular one the worst kernel of each cost
// and any older worst kernels kept as minorants.
func (e *Evaluator) Pieces() int { return e.inner.pieces() }

// ByKernel are the returns of cost n under each kernel of a finite set, nil for another: not to be written to,
// and good until the next evaluation.
func (e *Evaluator) ByKernel(n int) []float64 {
	inner := e.inner
	if x, ok := inner.(*averaged); ok {
		inner = x.under
	}
	if e.M.Rectangular() {
		return nil
	}
	e.each = e.each[:0]
	for k := range e.M.Kernels {
		_, j := inner.piece(k*(e.M.N+1) + n)
		e.each = append(e.each, e.total(n, j))
	}
	return e.each
}

// Matched is how many of the pieces, the first, are the same at every policy, or each the worst
// case of the same cost. The others are minorants, met at earlier policies.
func (e *Evaluator) Matched() int {
	count := 0
	for n := range e.M.N + 1 {
		if e.M.Rectangular() || e.M.Averaged() && e.M.Over[n] > 0 {
			count++
		} else {
			count += len(e.M.Kernels)
		}
	}
	return count
}

// Piece returns the cost of piece p and its return at the last policy.
func (e *Evaluator) Piece(p int) (n int, j float64) {
	n, j = e.inner.piece(p)
	return n, e.total(n, j)
}

// PieceExcess is Excess for piece p, and Centred for a piece of the objective.
func (e *Evaluator) PieceExcess(p int) (n int, x float64) {
	n, x = e.inner.piece(p)
	if n > 0 {
		x -= e.centred.B[n]
	}
	return n, x
}

// PieceGradient is CentredGradient for piece p: one number a pair.
func (e *Evaluator) PieceGradient(dst []float64, p int) { e.inner.gradient(dst, p) }

// PieceOccupancy is Occupancy for piece p: length S.
func (e *Evaluator) PieceOccupancy(dst []float64, p int) { e.inner.occupancy(dst, p) }

// SetTolerance sets the error allowed in each return of a rectangular set, as a
// share of what errors in that return are judged next to (model.Standard.Scale
// at the return and at its limit); 1e-9 at first. Where rounding does not let it be met, ErrorBound says what was.
func (e *Evaluator) SetTolerance(share float64) {
	switch n := e.inner.(type) {
	case *rectangular:
		n.tolerance = share
	case *paper:
		n.tolerance = share
	}
}

// Work is about how many multiplications one evaluation takes: what a loop goes
// by that has to pause every so often.
func (e *Evaluator) Work() float64 {
	s, systems := float64(e.M.S), len(e.M.Kernels)
	if e.M.Rectangular() {
		systems = 4 * (e.M.N + 1) // a few steps of nature's policy iteration a cost
	}
	return float64(systems) * s * s * s / 3
}

// ValuesUnder writes to dst, length S, the values of cost n by state under kernel k of a finite set, whatever is averaged
// over it, or at the worst of a rectangular one, whose k is 0.
func (e *Evaluator) ValuesUnder(dst []float64, k, n int) {
	inner := e.inner
	if x, is := inner.(*averaged); is {
		inner = x.under
	}
	inner.value(dst, k*(e.M.N+1)+n)
	e.raise(dst, n)
}

// PieceKernel is the kernel of piece p: the problem's own for a finite set, a
// copy of nature's rows otherwise. Do not write to it.
func (e *Evaluator) PieceKernel(p int) *model.Kernel { return e.inner.kernel(p) }

// MaxViolation is max_{n>=1} J_n - b_n of the last policy, -Inf when there is
// no constraint, and the constraint that attains it (0 when none).
func (e *Evaluator) MaxViolation() (v float64, n int) {
	v = negInf
	for i := 1; i <= e.M.N; i++ {
		if x := e.Excess(i); x > v {
			v, n = x, i
		}
	}
	return v, n
}

// Delta is Δ_{b0} = max_n J_n - b_n with the objective's threshold b0
// (eq:Delta-def), and the cost that attains it.
func (e *Evaluator) Delta(b0 float64) (d float64, n int) {
	d, n = e.J[0]-b0, 0
	for i := 1; i <= e.M.N; i++ {
		if x := e.Excess(i); x > d {
			d, n = x, i
		}
	}
	return d, n
}
