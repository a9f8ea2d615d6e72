package solve

import (
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat/distmv"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
)

var slp = Algorithm{
	ID:     "slp",
	Title:  "Sequential LP",
	Solves: "Any problem with an evaluator. A local search from many starts: no guarantee but the lower bound it reports, which one kernel alone gives.",
	Options: []Option{
		{"starts", "integer", 40, 1, 100000, "Starting policies tried."},
		{"seed", "seed", 1, 0, 1 << 53, "Seed of the random starting policies."},
		{"initialPolicy", "policy", 0, 0, 0, "The first start; uniform when not given."},
		{"tolerance", "number", 1e-9, 0, 1e-3, "A gap to the lower bound, and where no policy is strictly inside the constraints a violation, that count as none: shares of a cost's range of returns."},
	},
	Run: runSLP,
}

// runSLP runs Local from many starts and keeps the best policy. Records come
// after each step of a local solve (K is the start, Inner the step) and at the
// end of each start. The constrained MDPs of single kernels of the set, solved
// exactly for their policies as starts, bound the objective from below as
// well: a larger set can only cost more.
func runSLP(ev *evaluate.Evaluator, s Settings) iter.Seq[Progress] {
	return func(yield func(Progress) bool) {
		defer ev.KeepKernels(0)
		ev.Restart()
		m, p := ev.M, newProgress()
		inc := sureIncumbent(m, &p.Best)
		if n := impossible(m); n > 0 {
			p.Status, p.Note = ProvedInfeasible, "No policy is feasible: "+whyImpossible(m, n)
			yield(p)
			return
		}
		p.Note = leftOut(m, inc.never)
		l, from := NewLocal(ev), newStarts(ev, s, inc)
		var values []float64
		for p.K = range s.Starts {
			pi := from.next(&p)
			if p.Status != Running {
				yield(p)
				return
			}
			p.Step = false
			found := newBest()
			own := sureIncumbent(m, &found)
			for i := range l.run(pi, own) {
				inc.merge(own)
				p.Inner, p.Policy, p.Evaluations, p.Iterations = i, l.pi, ev.Count, l.solves
				if !yield(p) {
					return
				}
			}
			inc.merge(own)
			values = append(values, math.Inf(1))
			if found.Feasible {
				values[p.K] = found.Objective
			}
			p.Policy, p.Objective, p.MaxViolation = found.Policy, found.Objective, found.MaxViolation
			p.Step, p.Evaluations, p.Iterations = true, ev.Count, l.solves
			if !yield(p) {
				return
			}
			if p.Best.Feasible && p.Best.Objective-p.LowerBound <= s.Tolerance*unit(m, inc.w) {
				break
			}
		}
		p.Step = false
		if p.Best.Feasible && p.Best.Objective > p.LowerBound {
			// Once more from the best policy, closer to the thresholds.
			l.closest = leastMargin
			p.K++
			for i := range l.run(slices.Clone(p.Best.Policy), inc) {
				p.Inner, p.Policy, p.Evaluations, p.Iterations = i, l.pi, ev.Count, l.solves
				if !yield(p) {
					return
				}
			}
			p.Policy, p.Evaluations, p.Iterations = p.Best.Policy, ev.Count, l.solves
			p.Objective, p.MaxViolation = p.Best.Objective, p.Best.MaxViolation
		}
		about := []string{p.Note}
		if !p.Best.Feasible && inc.scaled <= s.Tolerance*m.H {
			p.Best.Feasible = true
			about = append(about, "The thresholds leave no room: the policy meets them up to rounding only.")
		}
		about = slices.Insert(about, 0, summary(&p, values, unit(m, inc.w)))
		p.Note = ""
		conclude(&p, ev, s.Tolerance*unit(m, inc.w))
		p.Note = strings.TrimSpace(strings.Join(append([]string{p.Note}, about...), " "))
		yield(p)
	}
}

// merge takes over the best policy of another incumbent if it is better.
func (k *incumbent) merge(o *incumbent) {
	a, b := k.best, o.best
	switch {
	case b.Policy == nil:
		return
	case a.Policy == nil, b.Feasible && !a.Feasible, b.Feasible && b.Objective < a.Objective, !a.Feasible && o.scaled < k.scaled:
		k.scaled = o.scaled
		pi := append(a.Policy[:0], b.Policy...)
		*a = *b
		a.Policy = pi
	}
}

// leftOut names the constraints that no policy can exceed.
func leftOut(m *model.Standard, never []bool) string {
	var names []string
	for n := 1; n <= m.N; n++ {
		if never[n] {
			names = append(names, fmt.Sprintf("%q", m.CostName(n)))
		}
	}
	switch len(names) {
	case 0:
		return ""
	case 1:
		return "Constraint " + names[0] + " can never bind and was left out."
	}
	return "Constraints " + strings.Join(names, ", ") + " can never bind and were left out."
}

// whyImpossible is the reason that no policy meets constraint n, in the
// person's sense and sign of its cost.
func whyImpossible(m *model.Standard, n int) string {
	lo, _ := m.Bounds(n)
	if m.Flipped(n) {
		return fmt.Sprintf("constraint %q cannot be met, because its one-step value is at most %.6g everywhere.", m.CostName(n), -lo)
	}
	return fmt.Sprintf("constraint %q cannot be met, because its one-step value is at least %.6g everywhere.", m.CostName(n), lo)
}

// summary says how many starts reached the best value, within 1e-6 of the
// range of returns.
func summary(p *Progress, values []float64, unit float64) string {
	if !p.Best.Feasible {
		return fmt.Sprintf("No feasible policy found from %d starts, which proves nothing.", len(values))
	}
	same := 0
	for _, v := range values {
		if v <= p.Best.Objective+1e-6*unit {
			same++
		}
	}
	return fmt.Sprintf("%d of %d starts reached the best value.", same, len(values))
}

// starts makes the starting policies in turn: the one given or the uniform
// one, the mean of the policies that are best for one cost under one kernel,
// the optimum of the constrained MDP of each kernel, then in rotation the best
// policy for one cost under one kernel, random policies with rows from
// Dirichlet(0.2) and Dirichlet(1), and the incumbent with new rows in the two
// states on which the kernels and costs disagree most.
type starts struct {
	ev      *evaluate.Evaluator
	inc     *incumbent
	m       *model.Standard
	initial []float64
	tol     float64
	source  rand.Source

	kernels []*model.Kernel
	bounds  []bool // the kernel belongs to the set, so its problem bounds the objective
	greedy  [][]float64

	stage, at int
	kinds     int
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
	x.kernels = slices.Clone(m.Kernels)
	for range x.kernels {
		x.bounds = append(x.bounds, true)
	}
	if m.Kernels == nil {
		if u := m.Problem.Uncertainty; u.Nominal != nil {
			x.kernels = append(x.kernels, m.NormalisedNominal())
			x.bounds = append(x.bounds, !u.Paper)
		}
		x.ev.Evaluate(m.Uniform())
		for n := range m.N + 1 {
			rows := make([]float64, m.Pairs()*m.S)
			for i := range m.Pairs() {
				x.ev.WorstRow(rows[i*m.S:(i+1)*m.S], n, i)
			}
			x.kernels = append(x.kernels, model.NewKernel(m.S, rows))
			x.bounds = append(x.bounds, false)
		}
	}
	seen := map[string]bool{}
	add := func(choice []int) {
		if key := fmt.Sprint(choice); !seen[key] {
			seen[key] = true
			x.greedy = append(x.greedy, m.Deterministic(choice))
		}
	}
	if m.Kernels == nil {
		r := newRobustMDP(x.ev)
		for n := range m.N + 1 {
			_, bound := r.optimal(n)
			add(r.choice)
			switch {
			case n == 0:
				p.LowerBound = max(p.LowerBound, bound)
			case bound > m.B[n]:
				p.Status = ProvedInfeasible
				p.Note = fmt.Sprintf("Constraint %q cannot be met; no policy's worst case is better than %.6g, and the threshold is %.6g.",
					m.CostName(n), m.Present(n, bound), m.Present(n, m.B[n]))
				return
			}
		}
	}
	for _, k := range x.kernels {
		d := newMDP(m, k)
		for n := range m.N + 1 {
			d.optimal(d.c[n])
			add(d.choice)
		}
	}
}

// single solves the constrained MDP of kernel k; nil when that gives no policy.
func (x *starts) single(p *Progress, k int) []float64 {
	c := newCMDP(x.m, x.kernels[k])
	for !c.step() {
	}
	if x.bounds[k] {
		p.LowerBound = max(p.LowerBound, c.lower)
		if c.infeasible {
			name := x.kernels[k].Name
			if name == "" {
				name = fmt.Sprint(k + 1)
			}
			p.Status, p.Multipliers = ProvedInfeasible, c.ray
			p.Note = fmt.Sprintf("No policy meets the constraints under kernel %s alone; with the multipliers given, the weighted violation is at least %.3g.", name, c.violation)
			return nil
		}
	}
	if c.stalled {
		return nil
	}
	pi, occ := make([]float64, x.m.Pairs()), make([]float64, x.m.Pairs())
	if len(x.m.Kernels) == 1 { // the whole problem: end strictly inside
		c.inside(x.ev, x.inc, pi, x.tol*x.m.H)
		return pi
	}
	c.mixture(occ)
	policyOf(x.m, pi, occ)
	return pi
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
		for s := range m.S {
			row, avg := g[m.Off[s]:m.Off[s+1]], 0.0
			for _, v := range row {
				avg += v / float64(len(row))
			}
			for i, v := range row {
				v = (v - avg) * x.inc.w[n]
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
