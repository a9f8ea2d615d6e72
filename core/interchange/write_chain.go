package interchange

import (
	"fmt"
	"slices"
	"strings"

	"rcmdplab/core/model"
)

// chain is the Markov chain that a policy makes of one kernel, with a state more in which an episode has ended, and
// where the initial distribution is no single state, one more before it. A discount γ is the chance of going on:
//
//	P'(s,s') = γ Σ_a π(a|s) P(s'|s,a),   P'(s, done) = 1-γ,
//
// so that the expected total of c^π(s) = Σ_a π(a|s) Σ_s' P(s'|s,a) c(s,a,s') until done is the discounted total.
type chain struct {
	rows  [][]step    // by state
	cost  [][]float64 // by state, then cost: what is paid there once
	names []string    // of the costs, one word each
	start int         // the initial state
	done  int         // the state in which all is over
}

// step is one successor.
type step struct {
	to int     // a state
	p  float64 // how likely
}

// WriteChain writes the chain of a policy, by pair of the layout, under a kernel of a finite set or the nominal
// one of another (kernel is 0 then), for checkers of Markov chains: Storm's DRN or PRISM's explicit text.
func WriteChain(p *model.Problem, policy []float64, kernel int, id string) (*Written, error) {
	if p.Horizon > 0 {
		p = p.Plain()
	}
	u := &p.Uncertainty
	kernels := u.Kernels
	if u.Nominal != nil {
		kernels = []*model.Kernel{u.Nominal}
	}
	switch {
	case kernels == nil:
		return nil, fmt.Errorf("a set of kind %q has no single kernel for a chain", u.Kind)
	case kernel < 0 || kernel >= len(kernels):
		return nil, fmt.Errorf("there is no kernel %d; there are %d, numbered from 0", kernel, len(kernels))
	}
	w := &writer{p: p}
	c := newChain(w, policy, kernels[kernel])
	w.printf("%s the Markov chain of a policy of %s; discount %v is the chance of not going to the state done\n%s Storm and PRISM: R{\"%s\"}=? [ F \"done\" ]",
		comment(id), model.Quote(token(p.Name)), p.Discount, comment(id), c.names[0])
	for n, cost := range w.costs() {
		if cost.Average {
			w.printf("; %s is told times 1 - discount in the document", c.names[n])
		}
	}
	w.str("\n")
	switch id {
	case "drn":
		w.ext = "drn"
		c.drn(w)
	case "prism":
		w.ext = "pexp"
		c.prism(w)
	default:
		return nil, fmt.Errorf("a chain is written as drn or prism, not as %s", model.Quote(id))
	}
	return &Written{Text: w.b, Extension: w.ext}, nil
}

func comment(id string) string { return map[bool]string{true: "//", false: "#"}[id == "drn"] }

func newChain(w *writer, policy []float64, k *model.Kernel) *chain {
	p, l := w.p, w.p.Layout
	c := &chain{names: tokens(w.costNames()), start: w.start(), done: l.S}
	for s := range l.S {
		on := make([]float64, l.S)
		cost := make([]float64, len(w.costs()))
		for i := l.Off[s]; i < l.Off[s+1]; i++ {
			next, prob := k.Row(i)
			for j, t := range next {
				on[t] += policy[i] * prob[j]
				for n, of := range w.costs() {
					cost[n] += policy[i] * prob[j] * w.value(of, i, t)
				}
			}
		}
		var row []step
		if !p.Ends(s) {
			for t, x := range on {
				if x > 0 && p.Discount > 0 {
					row = append(row, step{t, p.Discount * x})
				}
			}
		} else {
			for n, of := range w.costs() {
				cost[n] = p.EndCost(of, s)
			}
		}
		c.rows, c.cost = append(c.rows, c.ended(row)), append(c.cost, cost)
	}
	nothing := make([]float64, len(w.costs()))
	c.rows, c.cost = append(c.rows, []step{{c.done, 1}}), append(c.cost, nothing)
	if c.start < 0 {
		c.start = len(c.rows)
		var row []step
		for s, x := range p.Initial {
			if x > 0 {
				row = append(row, step{s, x})
			}
		}
		c.rows, c.cost = append(c.rows, row), append(c.cost, nothing)
	}
	return c
}

// ended gives what is left of a row to the state done.
func (c *chain) ended(row []step) []step {
	left := 1.0
	for _, x := range row {
		left -= x.p
	}
	if left > 1e-15 {
		row = append(row, step{c.done, left})
	}
	return row
}

func (c *chain) drn(w *writer) {
	w.str("@type: DTMC\n@value_type: double\n@parameters\n\n@reward_models\n" + strings.Join(c.names, " "))
	w.printf("\n@nr_states\n%d\n@nr_choices\n%d\n@model\n", len(c.rows), len(c.rows))
	for s, row := range c.rows {
		w.printf("state %d [", s)
		w.row(c.cost[s], ", ")
		w.str("]" + map[int]string{c.start: " init", c.done: " done"}[s] + "\n\taction 0\n")
		for _, x := range row {
			w.printf("\t\t%d : %v\n", x.to, x.p)
		}
	}
}

func (c *chain) prism(w *writer) {
	n := 0
	for _, row := range c.rows {
		n += len(row)
	}
	w.printf("# Transitions (DTMC)\n%d %d\n", len(c.rows), n)
	for s, row := range c.rows {
		slices.SortFunc(row, func(a, b step) int { return a.to - b.to })
		for _, x := range row {
			w.printf("%d %d %v\n", s, x.to, x.p)
		}
	}
	w.printf("\n# Labels\n0=\"init\" 1=\"deadlock\" 2=\"done\"\n%d: 0\n%d: 2\n", c.start, c.done)
	for k, name := range c.names {
		some := 0
		for _, cost := range c.cost {
			if cost[k] != 0 {
				some++
			}
		}
		w.printf("\n# Reward structure \"%s\"\n# State rewards\n%d %d\n", name, len(c.rows), some)
		for s, cost := range c.cost {
			if cost[k] != 0 {
				w.printf("%d %v\n", s, cost[k])
			}
		}
	}
}
