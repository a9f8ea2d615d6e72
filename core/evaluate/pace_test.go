package evaluate

import (
	"math"
	"testing"

	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/model"
)

// products is how many matrix-vector products the evaluator's systems have made.
func (e *Evaluator) products() (n int64) {
	var systems []*System
	switch x := e.inner.(type) {
	case *rectangular:
		systems = x.systems
	case *finite:
		systems = x.sys
	}
	for _, y := range systems {
		n += y.sparse.products
	}
	return n
}

// TestLargeWorkPauses: evaluations and gradients of a model of
// 1 600 states ask every so many products whether to go on, end at once when
// they are not to, with a return that is better than none, and give the same
// numbers as if they had never been asked when they are made again.
func TestLargeWorkPauses(t *testing.T) {
	for _, kind := range []model.Kind{model.L1, model.KL, model.Finite} {
		m := fixture.Walk(40, kind, true).Standard()
		undisturbed, e := newTest(t, m), newTest(t, m)
		pi := m.Uniform()
		undisturbed.Evaluate(pi)

		asked, longest, last := 0, int64(0), int64(0)
		e.Pace(func() bool {
			asked++
			longest, last = max(longest, e.products()-last), e.products()
			return true
		})
		e.Evaluate(pi)
		gradient := make([]float64, m.Pairs())
		for p := range e.Pieces() {
			e.PieceGradient(gradient, p)
		}
		// A product and its preconditioner read about ten numbers a state each.
		if most := int64(breath / (10 * m.S)); asked < 2 || longest > most {
			t.Errorf("%s: asked %d times, %d products in between; want at most %d", kind, asked, longest, most)
		}
		if e.J[0] != undisturbed.J[0] || e.J[1] != undisturbed.J[1] {
			t.Errorf("%s: %v and %v when asked in between", kind, e.J, undisturbed.J)
		}

		for stop := range asked {
			left := stop
			e.Restart()
			e.Pace(func() bool { left--; return left >= 0 })
			if e.Evaluate(pi); !e.Cut() {
				break // the rest of the questions were of the gradients
			}
			if before := e.products(); !math.IsInf(e.J[0], 1) || !math.IsInf(e.Excess(1), 1) || left != -1 {
				t.Errorf("%s: after a no: J %v, asked %d times more, %d products", kind, e.J, -1-left, before)
			}
		}
		e.Restart()
		e.Pace(nil)
		if e.Evaluate(pi); !(math.Abs(e.J[0]-undisturbed.J[0]) <= e.ErrorBound[0]+undisturbed.ErrorBound[0]) {
			t.Errorf("%s: %v and %v after having been cut", kind, e.J, undisturbed.J)
		}
	}
}

func newTest(t *testing.T, m *model.Standard) *Evaluator {
	t.Helper()
	e, err := New(m)
	if err != nil {
		t.Fatal(err)
	}
	return e
}
