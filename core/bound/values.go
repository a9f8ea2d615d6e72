package bound

import (
	"fmt"
	"math"
	"slices"

	"rcmdplab/core/evaluate"
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
	choice []int // the last policy: where the next search starts
}

// NewPricing makes one for a problem. There are no values where nature's answer
// is no maximum over a set.
func NewPricing(m *model.Standard) (*Pricing, error) {
	if m.Problem.Uncertainty.Paper {
		return nil, fmt.Errorf("bound: the paper's update of the regularised set is no maximum over a set, so nothing bounds it from below")
	}
	x := &Pricing{m: m, choice: make([]int, m.S)}
	copy(x.choice, m.Off)
	return x, nil
}

// Prove finds values for the weights w of the costs 0..N, w[0] being 1 or 0,
// under kernel k of a finite set or against a rectangular one. It returns a
// proposal, for the checker to say what it proves, the kernel of nature's
// answers, and ⟨μ, V⟩ of the weighted cost to working precision. It pauses
// between linear systems; nil when more says no.
func (x *Pricing) Prove(w []float64, k int, more func() bool) (c *proof.Claim, ker *model.Kernel, value float64) {
	g, err := x.newGame(w, k)
	if err != nil {
		panic("bound: " + err.Error()) // the set was accepted when its evaluator was made
	}
	if !g.solve(x.choice, more) {
		return nil, nil, 0
	}
	value = g.mean
	for s, p := range x.m.Mu {
		value += p * g.v[s]
	}
	c = &proof.Claim{Target: math.NaN(), Values: &proof.Values{Prices: slices.Clone(w[1:])}}
	c.Values.V, c.Values.Low = g.refined(x.choice)
	if w[0] == 0 {
		c.Target = math.Inf(1)
	}
	if x.m.Kernels != nil {
		c.Values.Kernel = k
	}
	return c, g.ker, value
}

// Policy is the last policy found to be best: one action in every state.
func (x *Pricing) Policy() []float64 { return x.m.Deterministic(x.choice) }

// Under is the problem under one kernel of nature's: its costs are those of the
// kernel's rows, less what nature pays for them in the regularised set.
func (x *Pricing) Under(ker *model.Kernel) *model.Standard {
	m, problem := *x.m, *x.m.Problem
	problem.Uncertainty = model.Uncertainty{Kind: model.Finite}
	m.Problem, m.Kernels = &problem, []*model.Kernel{ker}
	if x.m.Problem.Uncertainty.Kind != model.KLRegularized {
		return &m
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
	return &m
}

// duel is one weighted cost, minimised by the policy and maximised by nature,
// who has a single kernel to choose from in a finite set. Values are held about
// a mean: what is common to all states, a horizon times the gain, would take the
// digits in which policies and rows differ.
type duel struct {
	m      *model.Standard
	set    uncertainty.Set  // nil under one kernel
	sys    *evaluate.System // of the last policy and nature's answer
	flat   []float64        // by pair: the part of the cost that nature does not change
	onward []float64        // by [i*S+s']: the rest; nil when there is none
	ker    *model.Kernel    // nature's answers, by pair
	pay    []float64        // by pair: expected one-step cost under ker, penalty paid
	v      []float64        // by state: value less mean
	mean   float64          // discounted total
	gain   float64          // (1-γ) mean, a one-step cost
	d      []float64        // work by state
	pi     []float64        // work: the choice as a policy
	z      []float64        // work by successor
}

func (x *Pricing) newGame(w []float64, k int) (*duel, error) {
	m := x.m
	g := &duel{m: m, flat: make([]float64, m.Pairs()), pay: make([]float64, m.Pairs()), v: make([]float64, m.S), d: make([]float64, m.S), pi: make([]float64, m.Pairs()), z: make([]float64, m.S)}
	total := 0.0
	for n, v := range w {
		total += v
		if v != 0 && m.CNext[n] != nil && m.Kernels == nil {
			g.onward = make([]float64, m.Pairs()*m.S)
		}
	}
	for n, v := range w {
		switch {
		case v == 0:
		case m.Kernels != nil:
			for i, c := range m.ExpectedCost(n, m.Kernels[k]) {
				g.flat[i] += v * c
			}
		case m.CNext[n] == nil:
			for i, c := range m.C[n] {
				g.flat[i] += v * c
			}
		default:
			for j, c := range m.CNext[n] {
				g.onward[j] += v * c
			}
		}
	}
	if m.Kernels != nil {
		g.ker = m.Kernels[k]
		copy(g.pay, g.flat)
		g.sys = evaluate.NewSystemFor(m.Layout, m.Gamma, len(g.ker.Next))
		return g, nil
	}
	if g.onward != nil {
		total *= m.Gamma
	}
	var err error
	if g.set, err = uncertainty.NewWeighted(m, total); err != nil {
		return nil, err
	}
	g.ker = &model.Kernel{Ptr: make([]int, 1, m.Pairs()+1)}
	for i := range m.Pairs() {
		g.ker.Next = append(g.ker.Next, g.set.Support(i)...)
		g.ker.Ptr = append(g.ker.Ptr, len(g.ker.Next))
	}
	g.ker.Prob = make([]float64, len(g.ker.Next))
	g.sys = evaluate.NewSystemFor(m.Layout, m.Gamma, len(g.ker.Next))
	return g, nil
}

// answer is Q(i) at v, which is gain more than at the value; nature's answer is
// kept.
func (g *duel) answer(i int) float64 {
	m := g.m
	to, p := g.ker.Row(i)
	if g.set == nil {
		q := 0.0
		for j, s := range to {
			q += p[j] * g.v[s]
		}
		return g.flat[i] + m.Gamma*q
	}
	z := g.z[:len(to)]
	for j, s := range to {
		if z[j] = g.v[s]; g.onward != nil {
			z[j] = m.Gamma*g.v[s] + g.onward[i*m.S+s]
		}
	}
	a := g.set.Answer(p, i, z)
	if g.onward == nil {
		g.pay[i] = g.flat[i] - m.Gamma*a.Penalty
		return g.flat[i] + m.Gamma*a.Value
	}
	g.pay[i] = g.flat[i] - a.Penalty
	for j, s := range to {
		g.pay[i] += p[j] * g.onward[i*m.S+s]
	}
	return g.flat[i] + a.Value
}

// evaluate sets v, mean and gain to the values of the choice under nature's
// present answers, in as many passes: with g = (1-γ) mean, v solves
//
//	v(s) = c(s) - g + γ Σ p (v(s') - v(s)) + γ v(s),
//
// whose residual holds no large numbers however long the horizon. Each pass takes
// off about 16 digits less those of the horizon. (An error of the mean does no
// harm: a proof by values does not depend on a constant.)
func (g *duel) evaluate(choice []int, passes int) {
	m := g.m
	clear(g.pi)
	for _, i := range choice {
		g.pi[i] = 1
	}
	g.sys.Load(m.Layout, g.pi, g.ker)
	g.sys.Factor()
	clear(g.v)
	g.mean, g.gain = 0, 0
	for range passes {
		for s, i := range choice {
			r := g.pay[i] - g.gain - m.Rest*g.v[s]
			to, p := g.ker.Row(i)
			for j, t := range to {
				r += m.Gamma * p[j] * (g.v[t] - g.v[s])
			}
			g.d[s] = r
		}
		g.sys.Solve(g.d)
		k := g.d[0]
		for s := range g.v {
			g.v[s] += g.d[s] - k
		}
		g.gain += m.Rest * k
		g.mean += k
	}
}

// Passes of an evaluation: to compare by, and for values that are handed on.
const compared, handedOn = 2, 4

// settle lets nature answer the choice until its values no longer rise.
func (g *duel) settle(choice []int, more func() bool) bool {
	last := math.Inf(-1)
	for range 100 {
		if !more() {
			return false
		}
		g.evaluate(choice, compared)
		more := false
		if g.set != nil {
			for s, i := range choice {
				more = g.answer(i)-g.v[s]-g.gain > roundoff*(g.size(i)+math.Abs(g.gain)) || more
			}
		}
		sum := g.sum()
		if !more || !(sum > last+1e-16*math.Abs(sum)) {
			break
		}
		last = sum
	}
	return true
}

// sum is that of the values over the states.
func (g *duel) sum() float64 {
	sum := float64(g.m.S) * g.mean
	for _, v := range g.v {
		sum += v
	}
	return sum
}

// roundoff is how far rounding moves a number that is a sum of others of size 1.
const roundoff = 4e-16

// size is of what answer adds up.
func (g *duel) size(i int) float64 {
	size := math.Abs(g.flat[i])
	to, p := g.ker.Row(i)
	for j, s := range to {
		size += p[j] * math.Abs(g.v[s])
		if g.onward != nil {
			size += p[j] * math.Abs(g.onward[i*g.m.S+s])
		}
	}
	return size
}

// solve is policy iteration for both sides (Hoffman and Karp 1966): nature
// answers a policy to the end, then every state takes its best action. The
// values fall at every step, so that it ends. False when more says no.
//
// It is small beside game.Game, which has to stop where rounding of whole
// values does: here differences are kept, which is what proofs are made of. The
// policy iterations of package solve are methods in their own right: they show
// each step, and close pairs.
func (g *duel) solve(choice []int, more func() bool) bool {
	if g.set != nil {
		for i := range g.m.Pairs() {
			g.answer(i) // to V = 0: some row for each
		}
	}
	last := math.Inf(1)
	for range 1000 {
		if !g.settle(choice, more) {
			return false
		}
		sum := g.sum()
		if !(sum < last) {
			break
		}
		last = sum
		better := false
		for s := range choice {
			now := choice[s]
			best := g.answer(now)
			best -= roundoff * g.size(now)
			for i := g.m.Off[s]; i < g.m.Off[s+1]; i++ {
				if i == now {
					continue
				}
				if q := g.answer(i); q < best-roundoff*g.size(i) {
					best, choice[s], better = q, i, true
				}
			}
		}
		if !better {
			break
		}
	}
	return true
}

// refined is the values of the choice in two parts, with the digits that the mean
// would take from them.
func (g *duel) refined(choice []int) (v, low []float64) {
	g.evaluate(choice, handedOn)
	v, low = make([]float64, g.m.S), make([]float64, g.m.S)
	for s, x := range g.v { // x + mean, exactly (Knuth)
		sum := float64(x + g.mean)
		z := float64(sum - x)
		v[s], low[s] = sum, float64(x-float64(sum-z))+float64(g.mean-z)
	}
	return v, low
}
