// Package tensor proves that no policy meets a target, for problems with few
// kernels and few vertices of the policy space.
//
// # What it stands on
//
// For kernel m let D_m(π) = det(I - γP_m^π) > 0. With Cramer's rule D_m times the
// discounted visits of a state is a determinant whose row s is replaced by μ. So
//
//	F_{n,m}(π) = D_m(π) ((1-γ) J_{n,m}(π) - b̃_n)
//
// is affine in each row π(s,·) of the policy, the others fixed: multi-affine. A
// policy meets a threshold under every kernel iff its F are all <= 0; the
// objective's threshold is the target. A multi-affine function is given by its
// values F(c) at the ΠA_s deterministic policies c, a tensor with an index for
// each state, and F(π) is their average with weights Π_s π(s,c_s) (Rikun 1997,
// for boxes).
//
// A box of policies is a product of simplices: for each state the convex hull
// of A_s points of the simplex of actions. In the coordinates of these points
// F is again a tensor, made from the last by moving slices towards each other.
//
// Four rules:
//
//	close  λ >= 0 with G(c) = Σ λ_{n,m} F_{n,m}(c) > 0 at all c: no policy of the
//	       box meets the target, for G(π) is an average of the G(c).
//	push   λ >= 0 with G(c) > 0 at all c with c_s ≠ j. For i ≠ j let ℓ_i be below
//	       the least G(i,c)/(G(i,c) - G(j,c)) over the other states' c with
//	       G(j,c) < 0, or 1. Then every point i of state s may move the share ℓ_i
//	       of its way to point j: what is cut off is the hull of the points i ≠ j
//	       and of where they went, at all of which G > 0.
//	split  an edge (i,j) of state s at θ: in one child point i, in the other
//	       point j, becomes the point between.
//	scale  at the root: F(c) ← F(c) Π_s w_s(c_s) with w > 0, a projective change
//	       of coordinates that multiplies every F(π) by one positive factor.
//
// # Parameter
//
// The threshold of the target may be lowered later: F then rises by a multiple
// of D_m, so whatever was closed or pushed stays so. The parameter τ is the
// target T, or for proofs that constraints cannot be met, what is added to
// every threshold; b̃_n(τ) = Base_n + τ Slope_n.
//
// What holds it back, and what was tried against that, is in tried.md of package bound.
//
// Nothing here is trusted: margins are far above the rounding errors, and
// package certify replays a Proof with intervals.
package tensor

import (
	"math"

	"rcmdplab/core/model"
	"rcmdplab/core/vector"
)

// Problem is what a search works on, in the units of proof.Claim.
type Problem struct {
	*model.Layout
	Gamma   float64   // γ
	Rest    float64   // 1-γ, of which the difference of float64s would keep few digits near γ = 1
	Mu      []float64 // μ by state
	Kernels []*model.Kernel
	Cost    [][][]float64 // [m][n] c̃ by pair, in [0,1] unless there are penalties
	Base    []float64     // by cost; +Inf: not used
	Slope   []float64     // by cost, >= 0
}

// Size is the number of entries of all pieces, Π A_s times kernels and costs.
// It is +Inf when it exceeds what an integer holds.
func Size(l *model.Layout, kernels, costs int) float64 {
	v := float64(kernels * costs)
	for s := range l.S {
		v *= float64(l.Off[s+1] - l.Off[s])
	}
	return v
}

// The size rule. Above it the ladder of ratio ranges is left alone with the
// problem.
const (
	MostEntries = 1 << 20
	MostPieces  = 96
	MostStates  = 64
)

// Fits reports whether a problem is within the size rule.
func Fits(l *model.Layout, kernels, costs int) bool {
	return l.S <= MostStates && kernels*costs <= MostPieces && Size(l, kernels, costs) <= MostEntries
}

// root holds the tensors of the whole policy space. Piece p = m(N+1)+n is
// level[p] - b̃_n(τ)·det[m].
type root struct {
	*Problem
	v      int       // vertices
	costs  int       // N+1
	stride []int     // by state
	at     []int     // by state: where its matrix starts in Box.Points
	det    []float64 // [m*v+c], scaled by a power of two to a mean near 1
	level  []float64 // [p*v+c] D_m (1-γ) J_{n,m}
	scale  []int     // by kernel, the exponent of that power
	weight []int     // by pair, exponents of w; nil when all are 0
}

func newRoot(p *Problem) *root {
	r := &root{Problem: p, v: 1, costs: len(p.Base)}
	points := 0
	for s := range p.S {
		a := p.Off[s+1] - p.Off[s]
		r.stride = append(r.stride, r.v)
		r.at = append(r.at, points)
		r.v *= a
		points += a * a
	}
	r.at = append(r.at, points)
	r.det = make([]float64, len(p.Kernels)*r.v)
	r.level = make([]float64, len(p.Kernels)*r.costs*r.v)
	e := newElimination(r)
	for m := range p.Kernels {
		e.kernel(m)
	}
	return r
}

// longHorizon is the discount from which on differences would lose digits that count.
const longHorizon = 0.999

// elimination makes the determinants and returns of every deterministic
// policy. It factors I - γP row after row. The rows of all actions of the states to
// come are kept up to date, so that choices that begin alike share the work; states with
// few actions come first, so that it is most. At a long horizon the diagonal is never eliminated but is what the
// others sum to, and the excess of a row's sum over 0: so no digits are lost to
// differences (Grassmann, Taksar and Heyman 1985; see evaluate.System).
type elimination struct {
	*root
	order []int     // of the states
	from  []int     // by depth: the first row of that state's actions; then that of μ
	w     int       // width: S + N+1 + 1
	rows  []float64 // [depth*(pairs+1)+row]*w: rows of I - γP in that order, then costs and the excess, 1-γ, without the columns before; last that of -μ
	det   []float64 // det(I - γP) of every deterministic policy
	level []float64 // by cost and policy: det times the normalised return
}

func newElimination(r *root) *elimination {
	e := &elimination{root: r, w: r.S + r.costs + 1}
	for a := 1; len(e.order) < r.S; a++ {
		for s := range r.S {
			if r.Off[s+1]-r.Off[s] == a {
				e.order = append(e.order, s)
			}
		}
	}
	at := 0
	for _, s := range e.order {
		e.from = append(e.from, at)
		at += r.actions(s)
	}
	e.from = append(e.from, at)
	e.rows = make([]float64, (r.S+1)*(r.Pairs()+1)*e.w)
	for k, s := range e.order {
		e.row(0, at)[k] = -r.Mu[s]
	}
	return e
}

// row is one as it is when the states before a depth are eliminated.
func (e *elimination) row(depth, r int) []float64 {
	return e.rows[(depth*(e.Pairs()+1)+r)*e.w:][:e.w]
}

func (e *elimination) kernel(m int) {
	dense := make([]float64, e.S)
	for depth, s := range e.order {
		for a := range e.actions(s) {
			i := e.Off[s] + a
			e.Kernels[m].Dense(dense, i)
			row := e.row(0, e.from[depth]+a)
			for k, t := range e.order {
				row[k] = -e.Gamma * dense[t]
			}
			row[depth]++
			for n := range e.costs {
				row[e.S+n] = e.Cost[m][n][i]
			}
			row[e.w-1] = e.Rest
		}
	}
	e.det = e.root.det[m*e.v:][:e.v]
	e.level = e.root.level[m*e.costs*e.v:][:e.costs*e.v]
	e.visit(0, 0, 1)
	mean := 0.0
	for _, d := range e.det {
		mean += d / float64(e.v)
	}
	_, exponent := math.Frexp(mean)
	e.scale = append(e.scale, -exponent)
	for _, x := range [][]float64{e.det, e.level} {
		vector.Scale(x, math.Ldexp(1, -exponent/2)) // the whole power may be no number
		vector.Scale(x, math.Ldexp(1, exponent/2-exponent))
	}
}

// visit chooses an action for the state at the given depth, after choices that
// make up vertex c and the product d of pivots.
func (e *elimination) visit(depth, c int, d float64) {
	if depth == e.S {
		e.leaf(c, d)
		return
	}
	stride := e.stride[e.order[depth]]
	for r := e.from[depth]; r < e.from[depth+1]; r++ {
		up := e.row(depth, r)
		if e.Gamma >= longHorizon {
			d := up[e.w-1]
			for _, x := range up[depth+1 : e.S] {
				d -= x // none is above 0
			}
			up[depth] = d
		}
		for later := e.from[depth+1]; later <= e.Pairs(); later++ {
			e.reduce(depth, later, up)
		}
		e.visit(depth+1, c+(r-e.from[depth])*stride, d*up[depth])
	}
}

// reduce eliminates the column of a depth from a row that comes later.
func (e *elimination) reduce(depth, later int, up []float64) {
	before, after := e.row(depth, later)[depth:], e.row(depth+1, later)[depth:]
	up = up[depth:][:len(before)]
	after = after[:len(before)]
	f := before[0] / up[0]
	for j := 1; j < len(before); j++ {
		after[j] = before[j] - float64(f*up[j])
	}
}

// leaf takes what is left of the row of -μ, by which the system is bordered: μ(I - γP)⁻¹c.
func (e *elimination) leaf(c int, d float64) {
	last := e.row(e.S, e.Pairs())
	e.det[c] = d
	rest := e.Rest
	if e.Gamma < longHorizon { // the difference is as good, and by these bits the trees of earlier versions are known
		rest = 1 - e.Gamma
	}
	for n := range e.costs {
		e.level[n*e.v+c] = float64(d*rest) * last[e.S+n]
	}
}
