package model

import (
	"fmt"
	"math"
	"slices"
)

// Horizons. With "horizon": H there are H decisions and the policy is one by time. A problem like that is
// solved unrolled: its states are those of the document at each time, 0 to H, and at time H it is over. A finite
// set keeps one kernel for all of that; a rectangular one chooses anew in every state at every time.
//
// Where nothing is discounted, or little, the costs at time t are multiplied by ρ^t and the discount γ is
// divided by ρ: V'_t = ρ^t V_t satisfies the same equations, as all that follows a state is one time later.
// With a ρ of about 1+1/H every method and proof for discounted problems works as it is, and what it says
// is true of the document, for every set, policy, kernel and limit. The price of KL is multiplied by ρ^(t+1).
//
// An end state that is reached pays at once, also at time H; "final" is paid at time H in the others.

// MostStateTimes is the largest number of states times decisions that is unrolled.
const MostStateTimes = 100_000

// mostUnrolled is the most listed successors of all kernels that are unrolled.
const mostUnrolled = 1 << 24

// ByTime reports whether the states are those of a document at each time.
func (p *Problem) ByTime() bool { return p.of != nil }

// Document is the problem as a person wrote it: the one that was unrolled, or this.
func (p *Problem) Document() *Problem {
	if p.of != nil {
		return p.of
	}
	return p
}

// Plain is the unrolled problem as a document of its own, which knows nothing of a horizon.
func (p *Problem) Plain() *Problem {
	q := *p.Unrolled()
	q.of, q.Horizon = nil, 0
	return &q
}

// Time is the number of decisions before a state of an unrolled problem, from 0; 0 where it is none.
func (p *Problem) Time(s int) int {
	if p.of == nil {
		return 0
	}
	return s / len(p.of.States)
}

// Growth is ρ, above: 1 where the document's own discount is used. It has few binary digits.
func (p *Problem) Growth() float64 {
	if p.of == nil || Rest(p.Discount)*float64(p.Horizon) >= 1 {
		return 1
	}
	return 1 + math.Pow(2, -math.Ceil(math.Log2(float64(p.Horizon))))
}

// merged reports whether it is all the same in which state the last decision ends.
func (p *Problem) merged() bool {
	for n := range len(p.Constraints) + 1 {
		if c := p.Cost(n); c.Final != nil || c.Next != nil {
			return false
		}
	}
	return p.End == nil
}

// Unrolled is a problem with a horizon with its states by time, and any other itself. O(what it lists).
func (p *Problem) Unrolled() *Problem {
	if p.Horizon == 0 || p.of != nil {
		return p
	}
	u := unroller{p: p, q: new(*p), s: len(p.States), last: len(p.States)}
	if p.merged() {
		u.last = 1
	}
	q := u.q
	q.of = p
	u.states()
	q.Objective = u.cost(&p.Objective)
	q.Constraints = slices.Clone(p.Constraints)
	for n := range q.Constraints {
		q.Constraints[n].Cost = u.cost(&p.Constraints[n].Cost)
	}
	set := &q.Uncertainty
	set.SupportAll = false
	set.Map(u.kernel)
	if len(set.Radius) > 1 {
		set.Radius = u.table(func(int) []float64 { return p.Uncertainty.Radius }, 0)
	}
	return q
}

// unroller makes the unrolled problem q of p.
type unroller struct {
	p, q    *Problem
	s, last int // states of the document, and at the last time
}

// states names them, and numbers what is available.
func (u *unroller) states() {
	p, q, a := u.p, u.q, len(u.p.Actions)
	total := p.Horizon*u.s + u.last
	q.States, q.End, q.Initial = make([]string, 0, total), make([]bool, total), make([]float64, total)
	copy(q.Initial, p.Initial)
	available := make([]bool, total*a)
	for t := range p.Horizon {
		for s, name := range p.States {
			q.States = append(q.States, fmt.Sprintf("%s, step %d", name, t+1))
			q.End[t*u.s+s] = p.Ends(s)
			for i := p.Layout.Off[s]; i < p.Layout.Off[s+1]; i++ {
				available[(t*u.s+s)*a+p.Layout.Act[i]] = true
			}
		}
	}
	for s := range u.last {
		name := "the end"
		if u.last > 1 {
			name = p.States[s] + ", at the end"
		}
		q.States = append(q.States, name)
		q.End[p.Horizon*u.s+s] = true
		available[(p.Horizon*u.s+s)*a] = true
	}
	q.Layout = NewLayout(total, a, available)
}

// table is [s*A+a] by time of what is given for each time, and then one number for what follows.
func (u *unroller) table(at func(t int) []float64, then float64) []float64 {
	a := len(u.p.Actions)
	v := make([]float64, 0, len(u.q.States)*a)
	for t := range u.p.Horizon {
		v = append(v, at(t)...)
	}
	for range u.last * a {
		v = append(v, then)
	}
	return v
}

// cost unrolls one.
func (u *unroller) cost(c *Cost) Cost {
	q, a := *c, len(u.p.Actions)
	q.Steps, q.Final = nil, nil
	after := func(s int) float64 { // what is paid at the last time
		switch {
		case u.p.Ends(s):
			return u.p.EndCost(c.during(u.p.Horizon-1), s)
		case c.Final != nil:
			return c.Final[s]
		}
		return 0
	}
	if c.Next == nil && (c.Steps == nil || c.Steps[0].Next == nil) {
		q.Values = u.table(func(t int) []float64 { return c.during(t).Values }, 0)
		for s := range u.last {
			q.Values[(u.p.Horizon*u.s+s)*a] = after(s)
		}
		return q
	}
	all := len(u.q.States)
	q.Values, q.Next = nil, make([]float64, all*a*all)
	for t := range u.p.Horizon {
		x := c.during(t)
		for g := range u.s * a {
			row := q.Next[(t*u.s*a+g)*all:][:all]
			if u.p.Ends(g / a) {
				fill(row, u.p.EndCost(x, g/a))
				continue
			}
			copy(row[(t+1)*u.s:], x.Next[g*u.s:(g+1)*u.s])
		}
	}
	for s := range u.last {
		fill(q.Next[(u.p.Horizon*u.s+s)*a*all:][:all], after(s))
	}
	return q
}

func fill(v []float64, x float64) {
	for i := range v {
		v[i] = x
	}
}

// kernel unrolls one: what is decided at a time leads to the next. Where mass may go anywhere, all states
// of that time are listed.
func (u *unroller) kernel(k *Kernel) *Kernel {
	p, rows, entries := u.p, u.q.Layout.Pairs(), len(k.Next)*u.p.Horizon
	c := &Kernel{Name: k.Name, Sparse: true, Ptr: make([]int, 1, rows+1), Next: make([]int, 0, entries), Prob: make([]float64, 0, entries)}
	close := func(s int) { c.AddRow([]int{s}, []float64{1}) } // a state that is never left
	for t := range p.Horizon {
		for i, s := range p.Layout.State {
			base := (t + 1) * u.s
			if p.Ends(s) {
				close(t*u.s + s)
				continue
			}
			if u.last == 1 && t == p.Horizon-1 {
				close(base)
				continue
			}
			next, prob := k.Row(i)
			if p.Uncertainty.SupportAll {
				j := 0
				for to := range u.s {
					x := 0.0
					if j < len(next) && next[j] == to {
						x = prob[j]
						j++
					}
					c.Next, c.Prob = append(c.Next, base+to), append(c.Prob, x)
				}
			} else {
				for _, to := range next {
					c.Next = append(c.Next, base+to)
				}
				c.Prob = append(c.Prob, prob...)
			}
			c.Ptr = append(c.Ptr, len(c.Next))
		}
	}
	for s := range u.last {
		close(p.Horizon*u.s + s)
	}
	return c
}

// during is the cost at a time of a horizon.
func (c *Cost) during(t int) *Cost {
	if c.Steps == nil {
		return c
	}
	return &c.Steps[t]
}

// growth are ρ^t by time, one more than there are, nil where ρ is 1.
func (p *Problem) growth() []float64 {
	rho := p.Growth()
	if p.of == nil || rho == 1 {
		return nil
	}
	g := make([]float64, p.Horizon+2)
	for t := range g {
		g[t] = math.Pow(rho, float64(t))
	}
	return g
}

// Grown is ρ^t at the time of a state: what its costs and values here are times those of the document.
func (m *Standard) Grown(s int) float64 {
	if m.growth == nil {
		return 1
	}
	return m.growth[m.Problem.Time(s)]
}

// grow multiplies costs by it.
func (m *Standard) grow() {
	if m.growth == nil {
		return
	}
	for n := range m.C {
		c, w := m.C[n], 1 // so many numbers a pair
		if m.CNext[n] != nil {
			c, w = m.CNext[n], m.S
		}
		for s := range m.S {
			g := m.Grown(s)
			for k := m.Off[s] * w; k < m.Off[s+1]*w; k++ {
				c[k] *= g
			}
		}
	}
}

// PriceAt is the price of KL in the row of pair i, for a price of the document.
func (m *Standard) PriceAt(i int, price float64) float64 {
	if m.growth == nil {
		return price
	}
	return price * m.growth[m.Problem.Time(m.State[i])+1]
}

// Priced reports whether it depends on the pair.
func (m *Standard) Priced() bool { return m.growth != nil }
