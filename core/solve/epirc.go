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
	Shape:  Steps,
	Solves: "Any model. A local search: the paper's guarantee of global optimality is void (erratum).",
	Options: []Option{
		{"outerIterations", "integer", 20, 1, 100000, "Bisection steps K over the objective threshold b0."},
		{"innerIterations", "integer", 10000, 1, 10000000, "Projected gradient steps T within one bisection step."},
		gradientStep, firstDescent,
		{"tolerance", "number", 1e-11, 0, 1e-3, "A violation up to this share of a constraint's limit, or of the range of returns if that is smaller, counts as none, in the bisection test too."},
		{"earlyStop", "boolean", 0, 0, 1, "End a descent at the first policy without violation; the paper always runs all T steps."},
		{"gap", "number", 0, 0, 1, "Stop when the bracket of b0 is narrower than this share of the objective's range; 0 runs all K steps."},
	},
	Run:     runEpiRC,
	Resumes: true,
}

// chunk is how many inner steps pass between two records: long enough that a
// record costs nothing, short enough that a stop is answered at once, however
// large the problem.
func chunk(ev *evaluate.Evaluator) int { return int(max(1, min(64, recordWork/ev.Work()))) }

// recordWork is how many multiplications may pass between two records: some
// milliseconds in a browser.
const recordWork = 4e6

// runEpiRC is algo:double-loop with algo:Min-Phi inside. Bisection over the
// objective's threshold b0 in [Bounds(0)·H]; each outer step descends on
//
//	Δ_{b0}(π) = max_n w_n (J_{c_n,U}(π) - b_n)
//
// by projected subgradient steps from the previous outer step's policy and
// keeps the best inner iterate. w_n = 1 for costs within [0, 1] that fill a
// thousandth of it, the paper's setting; other costs are divided by their range,
// so that one step size serves costs of any scale.
//
// What the paper leaves open: the final descent at the upper end j^(K) is run,
// but the best feasible policy seen anywhere is what is returned, because a
// second descent can end worse than a policy already in hand. A failed descent
// proves nothing, so Low is where the bisection went, never a lower bound.
func runEpiRC(ev *evaluate.Evaluator, s Settings) iter.Seq[Progress] {
	return sequence(ev, s.Tolerance, 0, func(p *Progress, inc *incumbent, pass func() bool) bool {
		m := ev.M
		d := newDescent(ev, s, inc)
		lo, hi := m.Bounds(0)
		low, high := lo*m.H, hi*m.H
		if d.scale[0] == 1 { // the paper's range, H itself and not a tighter one
			low, high = 0, m.H
		}
		width := high - low

		p.Policy, p.Low, p.High = d.best, low, high
		outer := func(k int, b0 float64) bool {
			p.K, p.Threshold, p.Step = k, b0, false
			d.begin(b0)
			for t := 0; t < s.InnerIterations; {
				n := min(chunk(ev), s.InnerIterations-t)
				stop := d.run(n, s.EarlyStop)
				t += n
				p.Inner, p.Iterations, p.Evaluations = t, d.iterations, ev.Count
				p.Delta = d.bestDelta
				if stop {
					break
				}
				if t < s.InnerIterations && !pass() {
					return false
				}
			}
			d.finish()
			p.report(ev)
			p.Delta, p.ActiveCost = d.delta()
			p.ActiveKernel, p.Iterations = ev.Worst(p.ActiveCost), d.iterations
			return true
		}
		first := 0
		if r := s.Resume; r != nil {
			first, low, high = r.K+1, r.Low, r.High
			copy(d.best, r.Policy)
			p.K, p.Low, p.High, p.Best = r.K, low, high, r.Best
			p.Best.Policy = slices.Clone(r.Best.Policy)
			d.inc.again(ev)
		}
		narrow := func() bool { return s.Gap > 0 && high-low <= s.Gap*width }
		for k := first; k < s.OuterIterations && !(k > 0 && narrow()); k++ {
			b0 := (low + high) / 2
			if !outer(k, b0) {
				return false
			}
			if d.met() {
				high = b0
			} else {
				low = b0
			}
			p.Low, p.High = low, high
			if !pass() {
				return false
			}
		}
		return outer(p.K+1, high)
	})
}

// descent is the projected policy gradient of eq:policy update on one
// threshold, with its work space.
type descent struct {
	ev    *evaluate.Evaluator
	m     *model.Standard
	inc   *incumbent
	alpha float64   // step size, for costs in [0, 1]
	b0    float64   // the epigraph threshold
	room  float64   // by which J_0 may exceed it and counts as meeting it
	scale []float64 // w_n

	pi, grad, best []float64 // by pair; best is the iterate of least Δ
	bestDelta      float64   // Δ_{b0} there, scaled
	iterations     int64     // steps taken, all descents
}

func newDescent(ev *evaluate.Evaluator, s Settings, inc *incumbent) *descent {
	m := ev.M
	d := &descent{
		ev: ev, m: m, inc: inc, alpha: s.StepSize, scale: costScales(m),
		pi: m.ClonePolicy(s.InitialPolicy), grad: make([]float64, m.Pairs()),
	}
	d.best = append([]float64(nil), d.pi...)
	return d
}

// costScales is w_n = 1 / range of the cost, or 1 when the cost already lies in
// [0, 1] and fills a thousandth of it (or is constant).
func costScales(m *model.Standard) []float64 {
	w := make([]float64, m.N+1)
	for n := range w {
		lo, hi := m.Bounds(n)
		w[n] = 1
		if (lo < 0 || hi > 1 || hi-lo < 1e-3) && hi > lo {
			w[n] = 1 / (hi - lo)
		}
	}
	return w
}

// begin starts a descent on threshold b0 from the best policy of the last one.
func (d *descent) begin(b0 float64) {
	d.b0, d.room = b0, d.inc.tol*d.m.Scale(0, b0)
	copy(d.pi, d.best)
	d.bestDelta = math.Inf(1)
}

// delta is Δ_{b0} of the evaluator's policy and the cost that attains it.
func (d *descent) delta() (v float64, n int) {
	v = d.scale[0] * (d.ev.J[0] - d.b0)
	for i := 1; i <= d.m.N; i++ {
		if x := d.scale[i] * d.ev.Excess(i); x > v {
			v, n = x, i
		}
	}
	return v, n
}

// met reports whether the evaluator's policy meets the epigraph threshold and
// every constraint, as far as the tolerance says.
func (d *descent) met() bool { return d.meets(d.inc.excesses(d.ev)) }

func (d *descent) meets(excess float64) bool { return d.ev.J[0]-d.b0 <= d.room && excess <= 0 }

// run takes n steps; it reports whether an early stop ended the descent.
func (d *descent) run(n int, early bool) bool {
	for range n {
		if d.step() && early {
			return true
		}
	}
	return false
}

// step evaluates π, keeps it when Δ is the least so far, and moves to
// proj_Π(π - α ∇J_n). It reports whether the policy evaluated meets all thresholds. One call per
// inner iteration, not inlined: a long-running loop inside one call would
// never reach the optimised tier of a wasm engine.
//
//go:noinline
func (d *descent) step() bool {
	d.ev.Evaluate(d.pi)
	d.iterations++
	v, n := d.delta()
	if v < d.bestDelta {
		d.bestDelta = v
		copy(d.best, d.pi)
	}
	excess := d.inc.excesses(d.ev)
	d.inc.offerExceeding(d.ev, d.pi, excess)
	met := d.meets(excess)
	d.ev.CentredGradient(d.grad, n)
	a, pi := d.alpha*d.scale[n], d.pi[:len(d.grad)]
	for i, g := range d.grad {
		pi[i] -= float64(a * g)
	}
	d.m.Project(pi)
	return met
}

// finish evaluates the best policy of the descent again, so that the evaluator
// speaks of it.
func (d *descent) finish() {
	d.ev.Evaluate(d.best)
	d.inc.offer(d.ev, d.best)
}
