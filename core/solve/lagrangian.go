package solve

import (
	"iter"
	"math"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
)

var lagrangianOptions = []Option{
	{"outerIterations", "integer", 100, 1, 1000000, "Multiplier updates K."},
	{"innerIterations", "integer", 10000, 1, 10000000, "Projected gradient steps T on the Lagrangian between two updates."},
	gradientStep,
	{"multiplierStepSize", "number", 0.01, 0, 1e6, "Step size α_λ of the multipliers, for costs in [0, 1]; other costs are rescaled."},
	firstDescent, tolerating(1e-11),
}

var lagrangian = Algorithm{
	ID:      "lagrangian",
	Title:   "Lagrangian (LF)",
	Shape:   Steps,
	Solves:  "Any model. A local search on a relaxation; on robust problems it can end without a feasible policy.",
	Options: lagrangianOptions,
	Run:     runLagrangian(func(*evaluate.Evaluator) average { return nil }),
}

var lagrangianPolicyAverage = Algorithm{
	ID:      "lagrangian-policy-average",
	Title:   "Lagrangian, policy average",
	Shape:   Steps,
	Solves:  "Any model. The mean of the Lagrangian method's policies, which need not converge to anything good.",
	Options: lagrangianOptions,
	Run:     runLagrangian(averagePolicies),
}

var lagrangianOccupancyAverage = Algorithm{
	ID:      "lagrangian-occupancy-average",
	Title:   "Lagrangian, occupancy average",
	Shape:   Steps,
	Solves:  "One kernel. The policy of the mean occupancy measure, which approaches an optimum of the constrained MDP.",
	Options: lagrangianOptions,
	Run:     runLagrangian(averageOccupancies),
	Unfit:   unfitManyKernels, // the mean of occupancy measures is that of a policy only under one kernel
}

// average turns the policies of the outer steps, offered in turn after their
// evaluation, into the policy reported after each.
type average func(pi []float64) []float64

func averagePolicies(ev *evaluate.Evaluator) average {
	sum, mean, k := make([]float64, ev.M.Pairs()), make([]float64, ev.M.Pairs()), 0.0
	return func(pi []float64) []float64 {
		k++
		for i, p := range pi {
			sum[i] += p
			mean[i] = sum[i] / k
		}
		return mean
	}
}

// averageOccupancies sums x(s,a) = d(s) π(s,a) and divides by the state's sum.
func averageOccupancies(ev *evaluate.Evaluator) average {
	m := ev.M
	sum, mean, d := make([]float64, m.Pairs()), make([]float64, m.Pairs()), make([]float64, m.S)
	return func(pi []float64) []float64 {
		ev.Occupancy(d, 0)
		for i, p := range pi {
			sum[i] += d[m.State[i]] * p
		}
		policyOf(m, mean, sum)
		return mean
	}
}

// policyOf writes the policy of an occupancy measure by pair; a state that is
// never visited takes its actions evenly.
func policyOf(m *model.Standard, pi, x []float64) {
	for s := range m.S {
		t := 0.0
		for i := m.Off[s]; i < m.Off[s+1]; i++ {
			t += max(0, x[i]) // where systems are iterated, what is never done may come out just below 0
		}
		for i := m.Off[s]; i < m.Off[s+1]; i++ {
			if t > 0 {
				pi[i] = max(0, x[i]) / t
			} else {
				pi[i] = 1 / float64(m.Off[s+1]-m.Off[s])
			}
		}
	}
}

// runLagrangian is algo:double-loop-lagrange, gradient ascent on the
// multipliers of
//
//	L_λ(π) = w_0 J_{c_0,U}(π) + Σ_n λ_n w_n (J_{c_n,U}(π) - b_n)
//
// around T projected subgradient steps on π, of which the iterate of least
// L_λ is kept and starts the next outer step. w_n = 1 for costs within [0, 1],
// the paper's setting; other costs are divided by their range (see costScales). The multipliers
// reported are those of the outer step, for costs as they are. With an average
// the records speak of the average of the outer steps' policies instead.
func runLagrangian(averaging func(*evaluate.Evaluator) average) func(*evaluate.Evaluator, Settings) iter.Seq[Progress] {
	return func(ev *evaluate.Evaluator, s Settings) iter.Seq[Progress] {
		return sequence(ev, s.Tolerance, 0, func(p *Progress, inc *incumbent, pass func() bool) bool {
			weighted := newWeightedDescent(ev, s, inc)
			lambda, avg := weighted.weight[1:], averaging(ev)
			p.Multipliers = append([]float64(nil), lambda...)
			for p.K = range s.OuterIterations {
				for n := range p.Multipliers {
					p.Multipliers[n] = lambda[n] * weighted.w[n+1] / weighted.w[0]
				}
				if !weighted.descend(p, s.InnerIterations, pass) {
					return false
				}
				ev.Evaluate(weighted.best)
				for n := range lambda {
					v := weighted.w[n+1] * ev.Excess(n+1)
					lambda[n] = max(lambda[n]+s.MultiplierStepSize*v, 0)
				}
				p.Policy = weighted.best
				if avg != nil {
					p.Policy = avg(weighted.best)
					ev.Evaluate(p.Policy)
					inc.offer(ev, p.Policy)
				}
				p.report(ev)
				if !pass() {
					return false
				}
			}
			return true
		})
	}
}

// weightedDescent is projected subgradient descent on Σ_n weight_n w_n J_n,
// each cost at its own worst kernel.
type weightedDescent struct {
	ev     *evaluate.Evaluator
	inc    *incumbent
	alpha  float64   // step size
	w      []float64 // see costScales
	weight []float64 // by cost: of the sum descended on
	weigh  func()    // sets weight by the policy just evaluated; nil keeps it
	best   []float64 // the iterate of least value of the last descent

	pi, grad, sum []float64 // the policy, work, and the sum of gradients, by pair
	least         float64   // value of best
	iterations    int64     // steps taken
}

func newWeightedDescent(ev *evaluate.Evaluator, s Settings, inc *incumbent) *weightedDescent {
	m := ev.M
	d := &weightedDescent{
		ev: ev, inc: inc, alpha: s.StepSize, w: costScales(m), weight: make([]float64, m.N+1),
		best: m.ClonePolicy(s.InitialPolicy), pi: make([]float64, m.Pairs()),
		grad: make([]float64, m.Pairs()), sum: make([]float64, m.Pairs()),
	}
	d.weight[0] = 1
	return d
}

// descend takes the inner steps of an outer one from the best iterate of the last, with a record every so
// often; false when no more is wanted.
func (d *weightedDescent) descend(p *Progress, steps int, pass func() bool) bool {
	p.Step, p.Inner = false, 0
	copy(d.pi, d.best)
	d.least = math.Inf(1)
	for p.Inner < steps {
		n := min(chunk(d.ev), steps-p.Inner)
		for range n {
			d.step()
		}
		p.Inner += n
		p.Evaluations, p.Iterations = d.ev.Count, d.iterations
		if p.Inner < steps && !pass() {
			return false
		}
	}
	return true
}

// step evaluates the iterate, keeps it if it is the least so far, and moves.
//
//go:noinline
func (d *weightedDescent) step() {
	d.ev.Evaluate(d.pi)
	d.iterations++
	d.inc.offer(d.ev, d.pi)
	if d.weigh != nil {
		d.weigh()
	}
	l := 0.0
	for n, w := range d.weight {
		if w != 0 {
			x := d.ev.Centred(0)
			if n > 0 {
				x = d.ev.Excess(n)
			}
			l += w * d.w[n] * x
		}
	}
	if l < d.least {
		d.least = l
		copy(d.best, d.pi)
	}
	clear(d.sum)
	for n, w := range d.weight {
		if w != 0 {
			d.ev.CentredGradient(d.grad, n)
			for i, g := range d.grad {
				d.sum[i] += w * d.w[n] * g
			}
		}
	}
	for i, g := range d.sum {
		d.pi[i] -= d.alpha * g
	}
	d.ev.M.Project(d.pi)
}
