package bound

import (
	"testing"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/game"
	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/model"
)

// TestLargeEpisodesPause: a proof by values of a large model at discount 1 asks whether to go on within its systems,
// not only between them, also while values are settled, and ends without an answer whenever it is not to.
func TestLargeEpisodesPause(t *testing.T) {
	p := fixture.Walk(40, model.L1, false)
	p.Discount, p.End = 1, make([]bool, p.Layout.S)
	p.End[p.Layout.S-1] = true
	m, w := p.Standard(), []float64{1}
	prove := func(more func() bool) bool {
		x, err := NewPricing(m)
		if err != nil {
			t.Fatal(err)
		}
		c, _, _ := x.Prove(w, 0, more)
		return c != nil && c.Values.V != nil
	}
	asked := 0
	if !prove(func() bool { asked++; return true }) {
		t.Fatal("no values")
	}
	for _, stop := range []int{0, 1, asked / 3, 2 * asked / 3, asked - 2, asked - 1} {
		n := 0
		if prove(func() bool { n++; return n <= stop }) || n != stop+1 {
			t.Errorf("told to end at question %d of %d: asked %d times", stop, asked, n)
		}
	}

	steps, n := 0, 0
	step := func() bool { steps++; return true }
	g := game.New(m, nil)
	g.Play(w, 0, step)
	v, _ := g.Values()
	one := game.New(m.AtOne(), nil)
	one.Start(v, g.Choice)
	one.Play(w, 0, step)
	ker, pay := one.Kernel()
	if v, _ := settled(m, one, ker, pay, w, nil, leastRoom, evaluate.NewPace(func() bool { n++; return true })); v == nil || n < 2 {
		t.Errorf("values settled after %d questions", n)
	}
	if asked < steps+n+steps/10 {
		t.Errorf("asked %d times, %d of them while values are settled, in %d steps of games", asked, n, steps)
	}
}
