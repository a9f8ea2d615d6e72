package solve

import (
	"math"

	"rcmdplab/core/model"
)

// TheoryReport is what theorem:policy grad convergence and
// corollary:DLPG-epigraph ask for on one problem, with the constants as
// printed in their proof, for costs in [0, 1]. The theorem is false (erratum:
// a stationary point need not be a minimiser), so none of this is a guarantee:
// it shows how far the step sizes and iteration counts in use are from those
// of the theory.
//
// Numbers that leave the range of doubles are Inf or 0.
type TheoryReport struct {
	Epsilon float64 // ε: how near the minimum is to be, in units of J
	H       float64 // 1/(1-γ)

	// Mismatch is D = max_{n,P} ‖d^{π*_{n,P}}_P / μ‖_∞ of theorem: Phi gradient
	// dominance with normalised d, +Inf where μ(s) = 0 at a state that a best
	// policy visits. Where the set is not finite it is the bound 1/min μ.
	Mismatch      float64
	MismatchBound bool

	Lipschitz  float64 // ℓ_J = H² √A
	Smoothness float64 // ℓ_s = 2γ A H³
	C          float64 // ℓ_J / (2 ℓ_s) + 2 D H √S
	CGradient  float64 // C_∂ = 1 / (1024 C² ℓ_s √S)
	CReturn    float64 // C_J = 1 / (1024 C² ℓ_s)
	CAlpha     float64 // 1 / (64 C² ℓ_s (ℓ_J² + ε_grad))
	CT         float64 // 4096 C⁴ ℓ_s² S (ℓ_J² + ε_grad²)

	GradientError float64 // ε_grad = C_∂ ε²: what the gradient evaluator may err
	ReturnError   float64 // ε_est = C_J ε²: what the return evaluator may err

	// Theorem: one descent to within ε.
	StepSize, InnerIterations float64 // α = C_α ε², T = C_T ε⁻⁴

	// Corollary: the whole method to within ε, each descent to within ε/2.
	CorollaryStepSize, CorollaryInnerIterations float64 // α/4, 16 T

	// PrintedOuterIterations is ⌊ln(2H/ε)⌋ as printed, which is too few for a
	// bracket of ε/2; OuterIterations is ⌈log2(2H/ε)⌉, which is enough.
	PrintedOuterIterations, OuterIterations float64

	// Evaluations is OuterIterations × CorollaryInnerIterations, policies
	// evaluated.
	Evaluations float64
}

// Theory computes the report for an accuracy eps > 0 in units of J. It finds
// the best policy of every cost under every kernel of a finite set: O(M (N+1))
// policy iterations.
func Theory(m *model.Standard, eps float64) TheoryReport {
	d, bound := mismatch(m)
	r := theory(m.S, m.A, m.Gamma, d, eps)
	r.MismatchBound = bound
	return r
}

func mismatch(m *model.Standard) (d float64, bound bool) {
	if m.Rectangular() {
		least := math.Inf(1)
		for _, p := range m.Mu {
			least = min(least, p)
		}
		return 1 / least, true
	}
	for _, k := range m.Kernels {
		x := newMDP(m, k)
		for n := range m.N + 1 {
			x.optimal(n)
			x.occupancy()
			for s, o := range x.d {
				if o > 0 {
					d = max(d, o/m.H/m.Mu[s])
				}
			}
		}
	}
	return d, false
}

func theory(states, actions int, gamma, d, eps float64) TheoryReport {
	s, a := float64(states), float64(actions)
	r := TheoryReport{Epsilon: eps, Mismatch: d, H: 1 / model.Rest(gamma)}
	h := r.H
	r.Lipschitz = h * h * math.Sqrt(a)
	r.Smoothness = 2 * gamma * a * h * h * h
	r.C = r.Lipschitz/(2*r.Smoothness) + 2*d*h*math.Sqrt(s)
	c2 := r.C * r.C
	r.CReturn = 1 / (1024 * c2 * r.Smoothness)
	r.CGradient = r.CReturn / math.Sqrt(s)
	r.GradientError, r.ReturnError = r.CGradient*eps*eps, r.CReturn*eps*eps
	j2 := r.Lipschitz * r.Lipschitz
	r.CAlpha = 1 / (64 * c2 * r.Smoothness * (j2 + r.GradientError))
	r.CT = 4096 * c2 * c2 * r.Smoothness * r.Smoothness * s * (j2 + r.GradientError*r.GradientError)
	r.StepSize, r.InnerIterations = r.CAlpha*eps*eps, r.CT/(eps*eps*eps*eps)
	r.CorollaryStepSize, r.CorollaryInnerIterations = r.StepSize/4, 16*r.InnerIterations
	r.PrintedOuterIterations = max(math.Floor(math.Log(2*h/eps)), 0)
	r.OuterIterations = max(math.Ceil(math.Log2(2*h/eps)), 0)
	r.Evaluations = r.OuterIterations * r.CorollaryInnerIterations
	return r
}
