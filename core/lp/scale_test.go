package lp

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A column whose entries are all tiny at the first Solve must not blind the
// program to rows that use it later with ordinary entries: an optimum satisfies
// every row in the row's own units.
func TestTinyColumnBeforeOrdinaryRows(t *testing.T) {
	for _, tiny := range []float64{1e-6, 2.6e-11, 1e-14} {
		p := New(3)
		for j := range 3 {
			p.SetBounds(j, 0, 1)
			p.SetCost(j, []float64{1, 2, -1}[j])
		}
		p.AddRow([]int32{0, 1}, []float64{1, tiny}, 0.25, 2)
		if st := p.Solve(); st != Optimal {
			t.Fatalf("entry %v: %v", tiny, st)
		}
		rows := [][4]float64{{1, 1, 1, 1.9}, {1, -1, 0.5, -0.2}, {0, 1, 1, 1.5}}
		for _, r := range rows {
			p.AddRow([]int32{0, 1, 2}, r[:3], r[3], math.Inf(1))
		}
		switch st := p.Solve(); st {
		case Optimal:
			x := p.X()
			for _, r := range rows {
				if v := r[0]*x[0] + r[1]*x[1] + r[2]*x[2]; v < r[3]-1e-7 {
					t.Errorf("entry %v: row %v has %v at the optimum %v", tiny, r, v, x)
				}
			}
			if x[0]+tiny*x[1] < 0.25-1e-7 {
				t.Errorf("entry %v: the first row has %v", tiny, x[0]+tiny*x[1])
			}
			if got := p.Objective(); !(math.Abs(got-(0.4+2*0.5-1)) <= 1e-6) && got > 0.4+2*0.5-1+1e-6 {
				t.Errorf("entry %v: objective %v at %v", tiny, got, x)
			}
		default:
			t.Errorf("entry %v: %v, want optimal", tiny, st)
		}
	}
}

// Numbers beside which the tolerances are nothing: the ratio tests must still
// find the constraint that sets their limit. Costs, bounds and rows are those
// of ordinary problems times a power of ten, and so is the optimum.
func TestLargeNumbersEnd(t *testing.T) {
	r, stalled := rand.New(rand.NewPCG(9, 4)), 0
	for i := range 400 {
		d, _ := random(r, i%4)
		cost, width := math.Pow(10, float64(r.IntN(14))), math.Pow(10, float64(r.IntN(14)))
		plain := d.lp()
		want := plain.Solve()
		for j := range d.c {
			d.c[j] *= cost
			d.lo[j] *= width
			d.hi[j] *= width
		}
		for k := range d.a {
			d.rlo[k] *= width
			d.rhi[k] *= width
		}
		p := d.lp()
		got := p.Solve()
		if got == Stalled { // numbers too far apart to be sure of anything; it says so
			stalled++
			continue
		}
		if got != want {
			t.Errorf("problem %d with costs times %g and bounds times %g: %v, want %v", i, cost, width, got, want)
		} else if x := plain.Objective() * cost * width; want == Optimal && !(math.Abs(p.Objective()-x) <= 1e-6*(math.Abs(x)+cost*width)) {
			t.Errorf("problem %d with costs times %g and bounds times %g: %v, want %v", i, cost, width, p.Objective(), x)
		}
	}
	if stalled > 20 {
		t.Errorf("%d of 400 stalled", stalled)
	}
}
