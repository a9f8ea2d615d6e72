package bound

import (
	"fmt"
	"math"
	"slices"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/game"
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
	"rcmdplab/core/uncertainty"
)

// Values is a proof by weak duality: with prices λ >= 0 of the constraints, any
// function V of the state bounds
//
//	w J_0 + Σ_n λ_n J_n >= min_π max_{P ∈ U} J_{c_λ,P}(π) >= ⟨μ, V⟩ + H min_i (Q(i) - V(s_i)),
//
// w = 1, or 0 for a proof that no policy meets the constraints (MacQueen 1966;
// for nature's maximum Iyengar 2005). It brings no kernels: of a rectangular set
// the checker finds its own rows. The Target is left to the checker as well.

// Pricing finds values for prices: the policy that is best against the whole
// rectangular set, or under one kernel of a finite one, for a weighted sum of
// the costs.
type Pricing struct {
	m      *model.Standard
	game   *game.Game // the last
	choice []int      // the last policy: where the next search starts
	room   float64    // see ties

	collects int // see Collects

	pace *evaluate.Pace // of what is being proved; nil: nobody is asked
}

// NewPricing makes one for a problem. There are no values where nature's answer
// is no maximum over a set.
func NewPricing(m *model.Standard) (*Pricing, error) {
	if m.Problem.Uncertainty.Paper {
		return nil, fmt.Errorf("bound: the paper's update of the regularised set is no maximum over a set, so nothing bounds it from below")
	}
	return &Pricing{m: m, choice: slices.Clone(m.Off[:m.S]), room: leastRoom, collects: -1}, nil
}

// Prove finds values for the weights w of the costs 0..N, w[0] being 1 or 0,
// under kernel k of a finite set or against a rectangular one. It returns a
// proposal, for the checker to say what it proves, the kernel of nature's
// answers, and ⟨μ, V⟩ of the weighted cost to working precision. It pauses
// between linear systems and within large ones; nil when more says no. A proposal without values, at discount 1, is none.
func (x *Pricing) Prove(w []float64, k int, more func() bool) (c *proof.Claim, ker *model.Kernel, value float64) {
	x.pace = paced(more)
	g := x.played(x.m, nil, w, k, more)
	if g == nil {
		return nil, nil, 0
	}
	var v []float64
	if x.m.Total() {
		if g, w, v = x.atOne(g, w, k, more); g == nil {
			return nil, nil, 0
		}
	} else {
		g.Refine()
	}
	c = &proof.Claim{Target: math.NaN(), Values: &proof.Values{Prices: slices.Clone(w[1:]), V: v}}
	if value = g.Value(); w[0] == 0 {
		c.Target = math.Inf(1)
	}
	if !x.m.Total() {
		c.Values.V, c.Values.Low = g.Values()
	}
	if !x.m.Rectangular() {
		c.Values.Kernel = k
	}
	ker, _ = g.Kernel()
	if x.pace.Cut() {
		return nil, nil, 0
	}
	return c, ker, value
}

// played is the game at its end, nil when more says no: that of the last search goes on, unless
// there are kernels to choose from, or values to start from.
func (x *Pricing) played(m *model.Standard, start, w []float64, k int, more func() bool) *game.Game {
	g := x.game
	if g == nil || !m.Rectangular() || start != nil {
		if g = game.New(m, kernel(m, k)); start == nil {
			x.game = g
		}
		g.Start(start, x.choice)
	}
	if g.KeepPace(x.pace); !g.Play(w, 0, more) || x.pace.Cut() {
		return nil
	}
	copy(x.choice, g.Choice)
	return g
}

// Prefer finds the policy that is best for the weights, without a proof.
func (x *Pricing) Prefer(w []float64, k int) {
	x.pace = nil
	x.played(x.m, nil, w, k, nil)
}

// paced is a pace at which more is asked; nil without more.
func paced(more func() bool) *evaluate.Pace {
	if more == nil {
		return nil
	}
	return evaluate.NewPace(more)
}

// Policy is the last policy found to be best: one action in every state.
func (x *Pricing) Policy() []float64 { return x.m.Deterministic(x.choice) }

// Under is the problem under one kernel of nature's: its costs are those of the
// kernel's rows, less what nature pays for them in the regularised set.
func (x *Pricing) Under(ker *model.Kernel) *model.Standard {
	m := x.m.Under(ker)
	if !x.m.Problem.Uncertainty.Kind.Regularised() {
		return m
	}
	set, err := uncertainty.NewWeighted(x.m, m.Gamma)
	if err != nil {
		panic("bound: " + err.Error()) // accepted before
	}
	dense, row := make([]float64, m.S), make([]float64, m.S)
	m.C, m.CNext = make([][]float64, m.N+1), make([][]float64, m.N+1)
	for n := range m.C {
		m.C[n] = slices.Clone(x.m.ExpectedCost(n, ker))
		for i := range m.C[n] {
			ker.Dense(dense, i)
			p := row[:0]
			for _, s := range set.Support(i) {
				p = append(p, dense[s])
			}
			m.C[n][i] -= set.Penalty(p, i)
		}
	}
	return m
}
