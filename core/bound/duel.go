package bound

import (
	"math"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
	"rcmdplab/core/uncertainty"
)

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
	known  []float64        // by state: at discount 1 the values of ends and lost states; nil below
}

func (x *Pricing) newDuel(w []float64, k int) (*duel, error) {
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
	for s, v := range g.known {
		if m.Absorbs(s) {
			g.v[s] = v
		}
	}
	for range passes {
		for s, i := range choice {
			if g.known != nil && m.Absorbs(s) {
				g.d[s] = 0
				continue
			}
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
		better, strict := false, g.strict()
		for s := range choice {
			now := choice[s]
			best := g.answer(now)
			best -= roundoff*g.size(now) + strict
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
