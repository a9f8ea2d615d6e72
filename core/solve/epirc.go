package solve

import (
	"iter"
	"math"
	"slices"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
)

var epircPGS = Algorithm{
	ID:     "epirc-pgs",
	Title:  "EpiRC-PGS",
	Solves: "Any problem with an evaluator. A local search: the paper's guarantee of global optimality is void (erratum).",
	Options: []Option{
		{"outerIterations", "integer", 20, 1, 100000, "Bisection steps K over the objective threshold b0."},
		{"innerIterations", "integer", 10000, 1, 10000000, "Projected gradient steps T within one bisection step."},
		{"stepSize", "number", 5e-5, 1e-12, 1e6, "Step size α of the projected policy gradient, for costs in [0, 1]; other costs are rescaled."},
		{"initialPolicy", "policy", 0, 0, 0, "Where the first descent starts; uniform when not given."},
		{"tolerance", "number", 1e-11, 0, 1e-3, "A violation up to this share of a cost's range of returns counts as none in the bisection test."},
		{"earlyStop", "boolean", 0, 0, 1, "End a descent at the first policy without violation; the paper always runs all T steps."},
		{"gap", "number", 0, 0, 1, "Stop when the bracket of b0 is narrower than this share of the objective's range; 0 runs all K steps."},
	},
	Run:     runEpiRC,
	Resumes: true,
}

// chunk is how many inner steps pass between two records: long enough that a
// record costs nothing, short enough that a stop is answered at once.
const chunk = 64

// runEpiRC is algo:double-loop with algo:Min-Phi inside. Bisection over the
// objective's threshold b0 in [Bounds(0)·H]; each outer step descends on
//
//	Δ_{b0}(π) = max_n w_n (J_{c_n,U}(π) - b_n)
//
// by projected subgradient steps from the previous outer step's policy and
// keeps the best inner iterate. w_n = 1 for costs within [0, 1], the paper's
// setting; other costs are divided by their range, so that one step size and
// one comparison serve costs of any scale.
//
// What the paper leaves open: the final descent at the upper end j^(K) is run,
// but the best feasible policy seen anywhere is what is returned, because a
// second descent can end worse than a policy already in hand. A failed descent
// proves nothing, so Low is where the bisection went, never a lower bound.
func runEpiRC(ev *evaluate.Evaluator, s Settings) iter.Seq[Progress] {
	return func(yield func(Progress) bool) {
		ev.Restart()
		m := ev.M
		d := newDescent(ev, s)
		lo, hi := m.Bounds(0)
		low, high := lo*m.H, hi*m.H
		if d.scale[0] == 1 { // the paper's range, H itself and not a tighter one
			low, high = 0, m.H
		}
		width := high - low

		p := Progress{
			Best: newBest(), LowerBound: math.Inf(-1),
			Policy: d.best, Low: low, High: high,
			Objective: math.NaN(), MaxViolation: math.NaN(), Delta: math.NaN(),
		}
		outer := func(k int, b0 float64) bool {
			p.K, p.Threshold, p.Step = k, b0, false
			d.begin(b0)
			for t := 0; t < s.InnerIterations; {
				n := min(chunk, s.InnerIterations-t)
				stop := d.run(n, s.EarlyStop, &p.Best)
				t += n
				p.Inner, p.Iterations, p.Evaluations = t, d.iterations, ev.Count
				p.Delta = d.bestDelta
				if stop {
					break
				}
				if t < s.InnerIterations && !yield(p) {
					return false
				}
			}
			d.finish(&p.Best)
			p.Delta, p.ActiveCost = d.delta()
			p.ActiveKernel = ev.Worst(p.ActiveCost)
			p.Objective = ev.J[0]
			p.MaxViolation, _ = ev.MaxViolation()
			p.Evaluations, p.Iterations = ev.Count, d.iterations
			p.Step = true
			return true
		}
		first := 0
		if r := s.Resume; r != nil {
			first, low, high = r.K+1, r.Low, r.High
			copy(d.best, r.Policy)
			p.K, p.Low, p.High, p.Best = r.K, low, high, r.Best
			p.Best.Policy = slices.Clone(r.Best.Policy)
		}
		narrow := func() bool { return s.Gap > 0 && high-low <= s.Gap*width }
		for k := first; k < s.OuterIterations && !(k > 0 && narrow()); k++ {
			b0 := (low + high) / 2
			if !outer(k, b0) {
				return
			}
			if p.Delta > d.tol {
				low = b0
			} else {
				high = b0
			}
			p.Low, p.High = low, high
			if !yield(p) {
				return
			}
		}
		if !outer(p.K+1, high) {
			return
		}
		p.Status = NoFeasibleFound
		if p.Best.Feasible {
			p.Status = Feasible
		}
		yield(p)
	}
}

// descent is the projected policy gradient of eq:policy update on one
// threshold, with its work space.
type descent struct {
	ev    *evaluate.Evaluator
	m     *model.Standard
	alpha float64
	tol   float64   // Δ up to this counts as no violation
	b     []float64 // thresholds; b[0] is the epigraph threshold
	scale []float64 // w_n

	pi, grad, best []float64
	bestDelta      float64
	iterations     int64
}

func newDescent(ev *evaluate.Evaluator, s Settings) *descent {
	m := ev.M
	d := &descent{
		ev: ev, m: m, alpha: s.StepSize,
		b: append([]float64(nil), m.B...), scale: costScales(m),
		pi: m.ClonePolicy(s.InitialPolicy), grad: make([]float64, m.Pairs()),
	}
	d.tol = s.Tolerance * m.H
	d.best = append([]float64(nil), d.pi...)
	return d
}

// costScales is w_n = 1 / range of the cost, or 1 when the cost already lies in
// [0, 1] (or is constant).
func costScales(m *model.Standard) []float64 {
	w := make([]float64, m.N+1)
	for n := range w {
		lo, hi := m.Bounds(n)
		w[n] = 1
		if (lo < 0 || hi > 1) && hi > lo {
			w[n] = 1 / (hi - lo)
		}
	}
	return w
}

// begin starts a descent on threshold b0 from the best policy of the last one.
func (d *descent) begin(b0 float64) {
	d.b[0] = b0
	copy(d.pi, d.best)
	d.bestDelta = math.Inf(1)
}

// delta is Δ_{b0} of the evaluator's policy and the cost that attains it.
func (d *descent) delta() (v float64, n int) {
	v = math.Inf(-1)
	for i, j := range d.ev.J {
		if x := d.scale[i] * (j - d.b[i]); x > v {
			v, n = x, i
		}
	}
	return v, n
}

// run takes n steps; it reports whether an early stop ended the descent.
func (d *descent) run(n int, early bool, best *Best) bool {
	for range n {
		if d.step(best) && early {
			return true
		}
	}
	return false
}

// step evaluates π, keeps it when Δ is the least so far, and moves to
// proj_Π(π - α ∇J_n). It reports Δ <= tol at the policy evaluated. One call per
// inner iteration, not inlined: a long-running loop inside one call would
// never reach the optimised tier of a wasm engine.
//
//go:noinline
func (d *descent) step(best *Best) bool {
	d.ev.Evaluate(d.pi)
	d.iterations++
	v, n := d.delta()
	if v < d.bestDelta {
		d.bestDelta = v
		copy(d.best, d.pi)
	}
	best.keep(d.ev, d.pi, d.tol)
	d.ev.Gradient(d.grad, n)
	a := d.alpha * d.scale[n]
	for i, g := range d.grad {
		d.pi[i] -= a * g
	}
	d.m.Project(d.pi)
	return v <= d.tol
}

// finish evaluates the best policy of the descent again, so that the evaluator
// speaks of it.
func (d *descent) finish(best *Best) {
	d.ev.Evaluate(d.best)
	best.keep(d.ev, d.best, d.tol)
}
