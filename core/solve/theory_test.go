package solve

import (
	"fmt"
	"math"
	"os"
	"testing"

	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/model"
)

// randomProblem reads one of ten problems of setting (a); 1, 6 and 8 have
// several distinct local minima.
func randomProblem(t testing.TB, i int) *model.Problem {
	t.Helper()
	data, err := os.ReadFile(fmt.Sprintf("../bound/testdata/random%d.json", i))
	if err != nil {
		t.Fatal(err)
	}
	p, faults, _ := model.Decode(data)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	return p
}

// The constants for the sizes of settings (a), (b), (c) and of Figure 1,
// computed by another program from the printed formulas; two digits each.
func TestTheoryConstants(t *testing.T) {
	for _, tc := range []struct {
		name       string
		s, a       int
		gamma      float64
		d, eps     float64
		c          float64
		calpha, ct float64
		alpha, t   float64 // corollary
		est        float64
	}{
		{"(a) seed 0", 7, 4, 0.995, 52.7, 0.1, 5.6e4, 1.2e-29, 7.2e48, 3.1e-32, 1.15e54, 4.9e-23},
		{"(a) seed 1", 7, 4, 0.995, 229, 0.1, 2.4e5, 6.5e-31, 2.6e51, 1.6e-33, 4.1e56, 2.6e-24},
		{"(a) best case", 7, 4, 0.995, 1, 0.1, 1.1e3, 3.4e-26, 9.3e41, 8.6e-29, 1.5e47, 1.4e-19},
		{"(a) at 1% of H", 7, 4, 0.995, 52.7, 2, 5.6e4, 1.2e-29, 7.2e48, 1.2e-29, 7.2e48, 2.0e-20},
		{"(b) seed 0", 5, 3, 0.99, 15.3, 0.1, 6.8e3, 1.9e-25, 4.7e41, 4.7e-28, 7.6e46, 3.5e-20},
		{"(c) seed 0", 7, 4, 0.99, 15.6, 0.1, 8.3e3, 7.2e-26, 3.3e42, 1.8e-28, 5.4e47, 1.8e-20},
		{"Figure 1", 4, 2, 0.1, 3.6, 0.1, 17.6, 3.0e-5, 1.4e9, 7.6e-8, 2.3e14, 5.8e-8},
	} {
		r := theory(tc.s, tc.a, tc.gamma, tc.d, tc.eps)
		for _, x := range []struct {
			name      string
			got, want float64
		}{
			{"C", r.C, tc.c}, {"C_alpha", r.CAlpha, tc.calpha}, {"C_T", r.CT, tc.ct},
			{"alpha", r.CorollaryStepSize, tc.alpha}, {"T", r.CorollaryInnerIterations, tc.t},
			{"eps_est", r.ReturnError, tc.est},
		} {
			// Two digits, and D itself is given to three: C_T has D to the fourth.
			if !(math.Abs(x.got/x.want-1) <= 0.05) {
				t.Errorf("%s: %s = %.3g, want %.2g", tc.name, x.name, x.got, x.want)
			}
		}
	}
	if r := theory(7, 4, 0.995, 52.7, 0.1); r.PrintedOuterIterations != 8 || r.OuterIterations != 12 {
		t.Errorf("K = %v printed, %v enough; want 8 and 12", r.PrintedOuterIterations, r.OuterIterations)
	}
}

// D of two problems of setting (a), computed by another program.
func TestMismatch(t *testing.T) {
	for i, want := range []float64{52.7, 229} {
		r := Theory(randomProblem(t, i).Standard(), 0.1)
		if !(math.Abs(r.Mismatch-want) <= 0.005*want) || r.MismatchBound {
			t.Errorf("problem %d: D = %v, want %v", i, r.Mismatch, want)
		}
	}
	m := fixture.Problem(t, "gridworld3x3_start").Standard() // starts in one state
	if r := Theory(m, 0.1); !math.IsInf(r.Mismatch, 1) || !math.IsInf(r.Evaluations, 1) || r.StepSize != 0 {
		t.Errorf("D = %v where the initial distribution misses states, want +Inf", r.Mismatch)
	}
	m = fixture.Problem(t, "rect_kl").Standard()
	least := math.Inf(1)
	for _, p := range m.Mu {
		least = min(least, p)
	}
	if r := Theory(m, 0.1); r.Mismatch != 1/least || !r.MismatchBound {
		t.Errorf("D = %v (bound: %v), want 1/min μ = %v", r.Mismatch, r.MismatchBound, 1/least)
	}
}
