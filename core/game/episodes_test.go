package game_test

import (
	"testing"

	"rcmdplab/core/game"
	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/model"
)

// TestLargeEpisodesEnd: in a model whose systems are iterated, at discount 1, no policy that may go on for ever is
// ever solved, whatever choice a search is given to begin with: values stay those of a walk to the end. The stand-in
// and the model at discount 1 itself are over in a few dozen solves, with the same choice's value.
func TestLargeEpisodesEnd(t *testing.T) {
	for _, kind := range []model.Kind{model.L1, model.KL, model.Interval, model.Finite} {
		p := fixture.Walk(24, kind, false)
		p.Discount, p.End = 1, make([]bool, p.Layout.S)
		p.End[p.Layout.S-1] = true
		m := p.Standard()
		value := 0.0
		for _, m := range []*model.Standard{m, m.AtOne()} {
			var k *model.Kernel
			if m.Kernels != nil {
				k = m.Kernels[0]
			}
			g := game.New(m, k)
			g.Weigh([]float64{1}, 0)
			copy(g.Choice, m.Off) // up, and up again
			for !g.Step() {
				if v := g.Value(); !(v < 1000) {
					t.Fatalf("%s: worth %g after %d solves", kind, v, g.Solves)
				}
			}
			if g.Solves > 60 || g.Value() < 46 || value != 0 && !(g.Value() <= value && g.Value() > value-.01) {
				t.Errorf("%s: worth %.9g after %d solves; %.9g before", kind, g.Value(), g.Solves, value)
			}
			value = g.Value()
		}
	}
}
