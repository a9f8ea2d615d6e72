// Package vipr writes proofs by values for other people's checkers: as VIPR 1.1 files (Cheung,
// Gleixner and Steffy 2017), of which viprchk, SCIP's checker, verifies every step in exact rationals.
// It shares no code with what finds proofs or judges them here, and reads the document by itself.
//
// What is written is a linear program over the discounted visits x(s,a) >= 0 of a policy under one kernel P,
//
//	minimise  Σ c_0 x   subject to   Σ_a x(s,a) - γ Σ_i P(s|i) x_i = μ(s)  for every state s,
//	                                 Σ c_n x <= b_n + allow_n + relax      for every limit n,
//
// and one line that derives from it
//
//	Σ c_0 x  >=  Σ_s V(s) μ(s) - Σ_n λ_n (b_n + allow_n + relax)
//
// by V times the flow of each state, λ_n >= 0 times each limit and the reduced cost
// rc(s,a) = c_0 + Σ λ_n c_n + γ P V - V(s) times x(s,a) >= 0. The values of the claim, moved down by a
// constant, have no negative reduced cost; that constant is MacQueen's term (package certify, values.go). Without the
// objective, and with a right side above zero, the same line shows that there is no such x.
//
// P is a kernel of a finite set, or in a polyhedral rectangular one nature's row for each pair at V, found in
// exact arithmetic: a bound under one member of the set is one for the set. That P is a member is no part of what a
// checker of linear programs sees; the comments of the file say what it takes to see it. The program has
// the states that can be reached under P, and no others.
//
// Sets that are curved have no rational worst row, and proofs by boxes, tensors and rays divide what VIPR
// cannot divide: Write refuses them with a sentence.
package vipr

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"

	"rcmdplab/core/model"
	"rcmdplab/core/proof"
)

// Most is how many probabilities a program may list: a checker that reads text takes no more in a few seconds.
const Most = 200_000

// Write gives the claim as a file, with the bound that it proves in the convention of
// model.Standard: the least discounted total, or +Inf where it shows that no policy meets the limits. It fails with a
// sentence for a claim of another problem, of another kind, or with values that prove nothing.
func Write(p *model.Problem, c *proof.Claim) (text []byte, bound float64, err error) {
	if err := covered(p, c); err != nil {
		return nil, 0, err
	}
	g, err := newProgram(p, c)
	if err != nil {
		return nil, 0, err
	}
	worth := g.lowered()
	if c.Infeasible() {
		if worth.Sign() <= 0 {
			return nil, 0, errors.New("its values show no contradiction in the limits, so there is nothing to write")
		}
		return g.write(worth), math.Inf(1), nil
	}
	bound, _ = worth.Float64()
	return g.write(worth), bound, nil
}

// covered says what is not: the sentence is for a person.
func covered(p *model.Problem, c *proof.Claim) error {
	v := c.Values
	switch u := p.Uncertainty.Kind; {
	case c.Given() == 0:
		return errors.New("there is no proof in the certificate")
	case v == nil:
		return errors.New("a proof by boxes, tensors, rays or choices is no linear program under one kernel; only proofs by values can be written")
	case c.Problem != "" && c.Problem != p.Hash():
		return errors.New("the certificate is of another document")
	case !known(&p.Uncertainty):
		return fmt.Errorf("the worst rows of the set %q are no fractions, or not found here, and VIPR knows nothing else; finite, l1, tv, linf, contamination and interval sets can be written", u)
	case p.Averaged():
		return errors.New("a cost is averaged over models, and a program under one kernel says nothing of it")
	case p.Horizon > 0:
		return errors.New("it is of a problem with a horizon, whose policies are by time")
	case !(p.Discount >= 0 && p.Discount < 1):
		return errors.New("its discount is not below 1; only discounted totals can be written")
	case len(v.Prices) != len(p.Constraints) || len(v.V) != p.Layout.S || len(v.Low) != 0 && len(v.Low) != p.Layout.S || len(c.Allow) != 0 && len(c.Allow) != len(p.Constraints):
		return errors.New("the certificate has not one price a limit and one value a state")
	case p.Uncertainty.Kernels != nil && (v.Kernel < 0 || v.Kernel >= len(p.Uncertainty.Kernels)):
		return fmt.Errorf("the certificate is about kernel %d of %d", v.Kernel, len(p.Uncertainty.Kernels))
	}
	for _, list := range [][]float64{v.Prices, v.V, v.Low, c.Allow, {c.Relax}} {
		for _, x := range list {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return errors.New("a number of the certificate is not finite")
			}
		}
	}
	for n, x := range v.Prices {
		if x < 0 {
			return fmt.Errorf("price %d is negative", n+1)
		}
	}
	return nil
}

// program is the linear program, and what the claim says of it.
type program struct {
	p       *model.Problem
	c       *proof.Claim
	gamma   *big.Rat
	mu      []*big.Rat   // by state of the document; nil: 0
	v       []*big.Rat   // by state: V, of a claim that is settled moved down
	prices  []*big.Rat   // λ_n by limit
	limits  []*big.Rat   // b_n + allow_n + relax, of discounted totals
	states  []int        // that can be reached, in the order of the document
	place   []int        // by state: its place in states, -1 where it is not
	pairs   []int        // available in them
	rows    []row        // by place in pairs: of P
	costs   [][]*big.Rat // by cost, then place in pairs: expected one-step costs
	reduced []*big.Rat   // by place in pairs: rc >= 0, once settled
	weight  *big.Rat     // of the objective: 1, or 0 where the claim is about the limits alone
}

// newProgram reads the problem and walks what can be reached.
func newProgram(p *model.Problem, c *proof.Claim) (*program, error) {
	g := &program{p: p, c: c, gamma: decimal(p.Discount), place: make([]int, p.Layout.S), weight: big.NewRat(1, 1)}
	if c.Infeasible() {
		g.weight.SetInt64(0)
	}
	rest := new(big.Rat).Sub(big.NewRat(1, 1), g.gamma)
	for n := range p.Constraints {
		k := &p.Constraints[n]
		b := decimal(k.Bound)
		if k.AtLeast {
			b.Neg(b)
		}
		if k.Average {
			b.Quo(b, rest)
		}
		if len(c.Allow) > 0 {
			b.Add(b, binary(c.Allow[n]))
		}
		g.limits = append(g.limits, b.Add(b, binary(c.Relax)))
		g.prices = append(g.prices, binary(c.Values.Prices[n]))
	}
	for s, x := range c.Values.V {
		v := binary(x)
		if len(c.Values.Low) > 0 {
			v.Add(v, binary(c.Values.Low[s]))
		}
		g.v = append(g.v, v)
		g.place[s] = -1
	}
	all := make([]int, p.Layout.S)
	for s := range all {
		all[s] = s
	}
	mu := normalised(all, p.Initial)
	g.mu = mu.prob
	return g, g.walk()
}

// walk finds the states that can be reached under P, and P in them.
func (g *program) walk() error {
	l, n := nature{g}, g.p.Layout
	queue, found := []int(nil), make([]row, n.Pairs())
	reach := func(r row) {
		for j, s := range r.next {
			if r.prob[j].Sign() > 0 && g.place[s] < 0 {
				g.place[s] = 0
				queue = append(queue, s)
			}
		}
	}
	all := row{prob: g.mu}
	for s := range g.mu {
		all.next = append(all.next, s)
	}
	reach(all)
	size := 0
	for len(queue) > 0 {
		s := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for i := n.Off[s]; i < n.Off[s+1]; i++ {
			r, err := l.row(i)
			if err != nil {
				return err
			}
			found[i] = r
			if size += len(r.next); size > Most {
				return fmt.Errorf("the program has more than %d probabilities, too many for a file of text", Most)
			}
			reach(r)
		}
	}
	g.costs = make([][]*big.Rat, len(g.limits)+1)
	for s := range n.S {
		if g.place[s] < 0 {
			continue
		}
		g.place[s] = len(g.states)
		g.states = append(g.states, s)
		for i := n.Off[s]; i < n.Off[s+1]; i++ {
			g.pairs, g.rows = append(g.pairs, i), append(g.rows, found[i])
			for k := range g.costs {
				g.costs[k] = append(g.costs[k], l.expected(k, i, &found[i]))
			}
		}
	}
	return nil
}

// lowered moves the values down until no reduced cost is negative, and gives the right side of the derivation.
func (g *program) lowered() *big.Rat {
	t := new(big.Rat)
	var least *big.Rat
	for k, i := range g.pairs {
		rc := new(big.Rat).Mul(g.weight, g.costs[0][k])
		for n, price := range g.prices {
			rc.Add(rc, t.Mul(price, g.costs[n+1][k]))
		}
		onward := new(big.Rat)
		for j, s := range g.rows[k].next {
			onward.Add(onward, t.Mul(g.rows[k].prob[j], g.v[s]))
		}
		rc.Add(rc, onward.Mul(onward, g.gamma))
		rc.Sub(rc, g.v[g.p.Layout.State[i]])
		if least == nil || rc.Cmp(least) < 0 {
			least = rc
		}
		g.reduced = append(g.reduced, rc)
	}
	down := new(big.Rat).Sub(big.NewRat(1, 1), g.gamma)
	down.Quo(least, down)
	least = new(big.Rat).Set(least)
	for k := range g.reduced {
		g.reduced[k] = new(big.Rat).Sub(g.reduced[k], least)
	}
	worth := new(big.Rat)
	for _, s := range g.states {
		g.v[s] = new(big.Rat).Add(g.v[s], down)
		worth.Add(worth, t.Mul(g.mu[s], g.v[s]))
	}
	for n, price := range g.prices {
		worth.Sub(worth, t.Mul(price, g.limits[n]))
	}
	return worth
}

// lines is a file as it is written.
type lines struct{ b []byte }

func (w *lines) text(s string) *lines     { w.b = append(w.b, s...); return w }
func (w *lines) index(i int) *lines       { return w.text(" ").text(strconv.Itoa(i)) }
func (w *lines) number(x *big.Rat) *lines { return w.text(" ").text(x.RatString()) }

// terms writes how many terms there are, and each that is not zero.
func (w *lines) terms(index []int, value []*big.Rat) {
	count := 0
	for _, x := range value {
		count += min(1, x.Sign()*x.Sign())
	}
	w.index(count)
	for k, x := range value {
		if x.Sign() != 0 {
			w.text(" ").index(index[k]).number(x)
		}
	}
}

// write is the file; worth is the right side of its derivation. Constraints are numbered: x >= 0 of every pair, the flow of
// every state, the limits.
func (g *program) write(worth *big.Rat) []byte {
	w := new(lines)
	g.comments(w)
	n := len(g.pairs)
	w.text("VER 1.1\nVAR").index(n).text("\n")
	for k := range g.pairs {
		w.text(g.variable(k)).text("\n")
	}
	all := make([]int, n)
	for k := range all {
		all[k] = k
	}
	w.text("INT 0\nOBJ min\n")
	w.terms(all, g.costs[0])
	w.text("\nCON").index(n + len(g.states) + len(g.limits)).index(n).text("\n")
	for k := range g.pairs {
		w.text("nonneg_").text(g.variable(k)).text(" G 0 1").index(k).text(" 1\n")
	}
	flows := g.flows()
	for k, s := range g.states {
		w.text("flow_").text(strconv.Itoa(s)).text(" E").number(g.mu[s])
		w.terms(flows[k].next, flows[k].prob)
		w.text("\n")
	}
	for k, b := range g.limits {
		w.text("limit_").text(strconv.Itoa(k + 1)).text(" L").number(b)
		w.terms(all, g.costs[k+1])
		w.text("\n")
	}
	if g.c.Infeasible() {
		w.text("RTP infeas\nSOL 0\nDER 1\nnone G").number(worth).text(" 0 { lin")
	} else {
		w.text("RTP range").number(worth).text(" inf\nSOL 0\nDER 1\nbound G").number(worth).text(" OBJ { lin")
	}
	index, by := all, append([]*big.Rat(nil), g.reduced...)
	for k, s := range g.states {
		index, by = append(index, n+k), append(by, g.v[s])
	}
	for k, price := range g.prices {
		index, by = append(index, n+len(g.states)+k), append(by, new(big.Rat).Neg(price))
	}
	w.terms(index, by)
	return w.text(" } -1\n").b
}

// variable is what the visits of a pair are called: state and action by their places in the document.
func (g *program) variable(k int) string {
	i := g.pairs[k]
	return fmt.Sprintf("x_%d_%d", g.p.Layout.State[i], g.p.Layout.Act[i])
}

// flows are the columns of what comes and goes, by place of the state: visits that begin there less those that arrive.
func (g *program) flows() []row {
	out := make([]row, len(g.states))
	for k, i := range g.pairs {
		own := g.place[g.p.Layout.State[i]]
		mine := big.NewRat(1, 1)
		for j, s := range g.rows[k].next {
			x := new(big.Rat).Mul(g.gamma, g.rows[k].prob[j])
			to := g.place[s]
			if x.Sign() == 0 {
				continue
			}
			if to == own {
				mine.Sub(mine, x)
				continue
			}
			out[to].next, out[to].prob = append(out[to].next, k), append(out[to].prob, x.Neg(x))
		}
		out[own].next, out[own].prob = append(out[own].next, k), append(out[own].prob, mine)
	}
	return out
}
