package solve

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distmv"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
)

// starts makes the starting policies in turn: the one given or the uniform
// one, the mean of the policies that are best for one cost under one kernel,
// the optimum of the constrained MDP of each kernel, then in rotation the best
// policy for one cost under one kernel, random policies with rows from
// Dirichlet(0.2) and Dirichlet(1), and the incumbent with new rows in the two
// states on which the kernels and costs disagree most. Where constraints leave
// no room, the policies best for the objective among those that meet them come
// before.
type starts struct {
	ev      *evaluate.Evaluator
	inc     *incumbent
	m       *model.Standard
	initial []float64   // the person's first policy, by pair
	tol     float64     // violation that counts as none, as a share of Scale
	source  rand.Source // of random policies

	kernels []*model.Kernel // of the set, or worst ones met
	bounds  []bool          // the kernel belongs to the set, so its problem bounds the objective
	greedy  [][]float64     // policies best for one kernel each, by pair

	stage, at int // which kind of start comes next
	kinds     int // starts by turns so far

	fixed *tight      // constraints without room; nil until looked for
	more  func() bool // when not nil: called within long work; false ends it
}

func newStarts(ev *evaluate.Evaluator, s Settings, inc *incumbent) *starts {
	return &starts{
		ev: ev, inc: inc, m: ev.M, initial: s.InitialPolicy, tol: s.Tolerance,
		source: rand.NewPCG(s.Seed, 0x51f15eed),
	}
}

// next is the next start. It may raise the lower bound, and ends the run when
// a single kernel proves that there is no feasible policy.
func (x *starts) next(p *Progress) []float64 {
	for {
		switch x.stage {
		case 0:
			x.stage++
			return x.m.ClonePolicy(x.initial)
		case 1:
			x.stage++
			if x.collect(p); p.Status != Running {
				return nil
			}
			if x.fixed != nil && x.fixed.any() {
				return x.greedy[len(x.greedy)-1]
			}
			if x.initial != nil {
				return x.m.Uniform()
			}
		case 2:
			x.stage++
			return mean(x.m, x.greedy)
		case 3:
			if x.at == len(x.kernels) {
				x.stage++
				x.at = 0
				continue
			}
			k := x.at
			x.at++
			if pi := x.single(p, k); pi != nil || p.Status != Running {
				return pi
			}
		default:
			kind := x.kinds % 4
			x.kinds++
			switch {
			case kind == 0 && x.at < len(x.greedy):
				x.at++
				return x.greedy[x.at-1]
			case kind == 1:
				return x.dirichlet(0.2)
			case kind == 2:
				return x.dirichlet(1)
			case kind == 3 && x.inc.best.Policy != nil:
				return x.perturbed()
			}
		}
	}
}

// collect lists single kernels of the set and the policies that are best for
// one cost under one of them, without repetition. Sets that are not finite
// give their nominal kernel and the worst kernels of the uniform policy; only
// the nominal one is used for bounds, because the others belong to the set
// only up to rounding. They also give, for each cost, the policy of least
// worst case, which bounds the objective and may exceed a threshold.
func (x *starts) collect(p *Progress) {
	m := x.m
	x.kernels = slices.Clone(m.Models())
	for range x.kernels {
		x.bounds = append(x.bounds, !m.Averaged() && !m.Problem.Uncertainty.Paper) // one model bounds no average over them
	}
	if m.Rectangular() {
		x.ev.Evaluate(m.Uniform())
		for n := range m.N + 1 {
			x.kernels = append(x.kernels, x.ev.PieceKernel(n)) // piece n is the worst case of cost n
			x.bounds = append(x.bounds, false)
		}
	}
	t := newTight(m, x.inc)
	games := func(kernels []*model.Kernel) (list []*mdp) {
		for _, k := range kernels {
			list = append(list, x.mdp(k))
		}
		return list
	}
	ok := true
	switch {
	case !m.Rectangular():
		ok = x.play(p, t, games(x.kernels), false)
	case m.Problem.Uncertainty.Paper:
		ok = x.collectPrinted()
	default:
		ok = x.play(p, t, games([]*model.Kernel{nil}), true)
	}
	if !ok || p.Status != Running {
		return
	}
	if m.Rectangular() {
		for _, k := range x.kernels {
			d := x.mdp(k)
			for n := range m.N + 1 {
				if !d.optimal(n) {
					return
				}
				x.add(d.Choice)
			}
		}
	}
	x.fixed = t
}

// mdp is the decision problem of one kernel.
func (x *starts) mdp(k *model.Kernel) *mdp {
	d := newMDP(x.m, k)
	d.more = x.more
	return d
}

// add lists a deterministic policy that is not listed yet.
func (x *starts) add(choice []int) {
	pi := x.m.Deterministic(choice)
	for _, q := range x.greedy {
		if slices.Equal(q, pi) {
			return
		}
	}
	x.greedy = append(x.greedy, pi)
}

// play finds the policies that are best for one cost in each game, and what they say of
// constraints without room; against the set (robust) also a bound, or that a constraint
// cannot be met. It reports false when left.
func (x *starts) play(p *Progress, t *tight, games []*mdp, robust bool) bool {
	m, q := x.m, make([]float64, x.m.Pairs())
	for round, more := 0, true; more; round++ {
		more = false
		for _, g := range games {
			g.Close(t.closed)
			for n := range m.N + 1 {
				if round > 0 && n > 0 && !t.is[n] {
					continue
				}
				if !g.optimal(n) {
					return false
				}
				x.add(g.Choice)
				if robust && round == 0 {
					bound := g.raised(n, g.Lower())
					if n == 0 {
						p.LowerBound = max(p.LowerBound, bound)
					} else if bound-m.B[n] > x.tol*x.inc.size[n] {
						p.Status = ProvedInfeasible
						p.Note = fmt.Sprintf("Constraint %q cannot be met; no policy's worst case is better than %.6g, which misses the threshold of %.6g by %.3g.",
							m.CostName(n), m.Present(n, bound), m.Present(n, m.B[n]), m.PresentViolation(n, bound-m.B[n]))
						return true
					}
				}
				if n > 0 && !x.inc.never[n] && !(m.Averaged() && m.Over[n] > 0) {
					g.Reduced(q)
					more = t.look(n, g.Value()-g.m.B[n], func(i int) float64 { return q[i] - g.Grain(i) }) || more
				}
			}
		}
	}
	return true
}

// collectPrinted finds the policies of least return by the paper's printed update.
func (x *starts) collectPrinted() bool {
	r := newPrinted(x.ev)
	for n := range x.m.N + 1 {
		r.now = math.Inf(1)
		for changed := true; changed; {
			if _, changed = r.improve(n); x.more != nil && !x.more() {
				return false
			}
		}
		x.add(r.choice)
	}
	return true
}

// mask is what is closed to start k: what constraints without room close, but
// for every fourth start, in case that is too much.
func (x *starts) mask(k int) []bool {
	if x.fixed == nil || k%4 == 3 || !x.fixed.any() {
		return nil
	}
	return x.fixed.closed
}

// single solves the constrained MDP of kernel k; nil when that gives no policy.
func (x *starts) single(p *Progress, k int) []float64 {
	c := newCMDP(x.m, x.kernels[k], x.tol)
	for !c.step() {
		if x.more != nil && !x.more() {
			return nil
		}
	}
	if x.bounds[k] {
		p.LowerBound = max(p.LowerBound, c.lowerBound())
		if c.infeasible {
			name := x.kernels[k].Name
			if name == "" {
				name = fmt.Sprint(k + 1)
			}
			p.Status, p.Multipliers = ProvedInfeasible, c.ray
			p.Note = fmt.Sprintf("The linear program of kernel %s alone has no solution that meets the constraints: weighted by the multipliers, they are missed by %.3g.", name, c.violation)
			return nil
		}
	}
	if c.stalled {
		return nil
	}
	if len(x.m.Kernels) == 1 { // the whole problem: end strictly inside
		return c.inside(x.ev, x.inc)
	}
	return c.policy(0)
}

func mean(m *model.Standard, policies [][]float64) []float64 {
	pi := make([]float64, m.Pairs())
	for _, q := range policies {
		for i, v := range q {
			pi[i] += v / float64(len(policies))
		}
	}
	return pi
}

// dirichlet is a policy with independent rows from Dirichlet(a, ..., a).
func (x *starts) dirichlet(a float64) []float64 {
	pi := make([]float64, x.m.Pairs())
	for s := range x.m.S {
		x.randomRow(pi[x.m.Off[s]:x.m.Off[s+1]], a)
	}
	return pi
}

// randomRow draws a row of a policy from Dirichlet(a, ..., a).
func (x *starts) randomRow(row []float64, a float64) {
	alpha := make([]float64, len(row))
	for i := range alpha {
		alpha[i] = a
	}
	distmv.NewDirichlet(alpha, x.source).Rand(row)
}

// perturbed is the incumbent with new random rows in the two states where the
// gradients of the pieces differ most.
func (x *starts) perturbed() []float64 {
	m := x.m
	pi := slices.Clone(x.inc.best.Policy)
	x.ev.Evaluate(pi)
	lo, hi, g := make([]float64, m.Pairs()), make([]float64, m.Pairs()), make([]float64, m.Pairs())
	for i := range lo {
		lo[i], hi[i] = math.Inf(1), math.Inf(-1)
	}
	for p := range x.ev.Pieces() {
		n, _ := x.ev.Piece(p)
		x.ev.PieceGradient(g, p)
		size := x.m.Scale(0, x.ev.J[0])
		if n > 0 {
			size = x.inc.size[n]
		}
		if size == 0 {
			continue
		}
		for s := range m.S {
			row, avg := g[m.Off[s]:m.Off[s+1]], 0.0
			for _, v := range row {
				avg += v / float64(len(row))
			}
			for i, v := range row {
				v = (v - avg) / size
				lo[m.Off[s]+i], hi[m.Off[s]+i] = min(lo[m.Off[s]+i], v), max(hi[m.Off[s]+i], v)
			}
		}
	}
	spread := make([]float64, m.S)
	for i, s := range m.State {
		spread[s] += hi[i] - lo[i]
	}
	for range 2 {
		s := 0
		for t, v := range spread {
			if v > spread[s] {
				s = t
			}
		}
		spread[s] = math.Inf(-1)
		x.randomRow(pi[m.Off[s]:m.Off[s+1]], 1)
	}
	return pi
}
