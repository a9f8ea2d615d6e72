package wire

import (
	"math"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
	"rcmdplab/core/solve"
)

// units turns numbers of the internal convention (every cost minimised,
// discounted totals) into the person's own. Undefined numbers are NaN.
type units struct {
	m *model.Standard

	// mixed is set when the constraints are not all in one unit. The largest
	// violation inside is then not the largest one shown, and the policy is
	// evaluated again, by an evaluator of our own: the run's must not be touched
	// between two records.
	mixed bool
	ev    *evaluate.Evaluator
}

func newUnits(m *model.Standard) *units {
	w := &units{m: m}
	for n := 2; n <= m.N; n++ {
		w.mixed = w.mixed || m.PresentViolation(n, 1) != m.PresentViolation(1, 1)
	}
	return w
}

// evaluator is an evaluator that no run uses.
func (w *units) evaluator() *evaluate.Evaluator {
	if w.ev == nil {
		ev, err := evaluate.New(w.m)
		if err != nil {
			panic("wire: " + err.Error()) // begin made one of the same problem
		}
		w.ev = ev
	}
	return w.ev
}

// sign turns discounted totals of cost n into the person's own sign.
func sign(m *model.Standard, n int) float64 {
	if m.Flipped(n) {
		return -1
	}
	return 1
}

// violation shows the largest violation of a policy whose internal number is v.
func (w *units) violation(pi []float64, v float64) float64 {
	switch {
	case w.m.N == 0 || math.IsNaN(v):
		return math.NaN()
	case !w.mixed:
		return w.m.PresentViolation(1, v)
	case pi == nil:
		return math.NaN()
	}
	ev := w.evaluator()
	ev.Evaluate(pi)
	return w.largest(ev)
}

// largest is the largest violation shown of the evaluator's policy.
func (w *units) largest(ev *evaluate.Evaluator) float64 {
	v := math.Inf(-1)
	for n := 1; n <= w.m.N; n++ {
		v = max(v, w.m.PresentViolation(n, ev.J[n]-w.m.B[n]))
	}
	return finite(v)
}

// bound shows a lower bound on the internal objective: a lower bound for a
// person who minimises, an upper one for a person who maximises.
func (w *units) bound(lb float64) (lower, upper float64) {
	b := finite(w.m.Present(0, lb))
	if w.m.Flipped(0) {
		return math.NaN(), b
	}
	return b, math.NaN()
}

// gap is the distance of an internal objective to its lower bound in the
// person's unit, and its share of the objective's size.
func (w *units) gap(value, lb float64) (gap, relative float64) {
	gap = finite(w.m.PresentViolation(0, value-lb))
	size := math.Abs(w.m.Present(0, value))
	switch {
	case gap == 0:
		return 0, 0
	case size == 0: // a share of nothing
		return gap, math.NaN()
	}
	return gap, gap / size
}

// numbers are those of a progress record that need translation.
type numbers struct {
	threshold, low, high, objective, maxViolation float64 // of the step
	bestObjective, bestViolation                  float64 // of the best policy
	lowerBound, upperBound, gap, relativeGap      float64 // upperBound is the best feasible objective; gap their distance
}

func (w *units) numbers(p *solve.Progress) numbers {
	m := w.m
	n := numbers{
		threshold: m.Present(0, p.Threshold),
		low:       m.Present(0, p.Low), high: m.Present(0, p.High),
		objective:     m.Present(0, p.Objective),
		maxViolation:  w.violation(p.Policy, p.MaxViolation),
		bestObjective: m.Present(0, p.Best.Objective),
		bestViolation: w.violation(p.Best.Policy, p.Best.MaxViolation),
		gap:           math.NaN(), relativeGap: math.NaN(),
	}
	if m.Flipped(0) {
		n.low, n.high = n.high, n.low
	}
	n.lowerBound, n.upperBound = w.bound(p.LowerBound)
	if p.Best.Feasible {
		n.gap, n.relativeGap = w.gap(p.Best.Objective, p.LowerBound)
	}
	return n
}

// finite is x, or NaN for an infinity: a bound that says nothing.
func finite(x float64) float64 {
	if math.IsInf(x, 0) {
		return math.NaN()
	}
	return x
}

// common shows a violation that belongs to no constraint in particular: NaN
// when the constraints are in different units.
func (w *units) common(v float64) float64 {
	if w.m.N == 0 || w.mixed {
		return math.NaN()
	}
	return finite(w.m.PresentViolation(1, v))
}

// multipliers shows the multipliers as prices: units of the objective for a
// unit of each threshold.
func (w *units) multipliers(p *solve.Progress) []float64 {
	shown := make([]float64, len(p.Multipliers))
	for n, lambda := range p.Multipliers {
		shown[n] = lambda * w.m.PresentViolation(0, 1) / w.m.PresentViolation(n+1, 1)
	}
	return shown
}
