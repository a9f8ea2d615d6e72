package lp

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// dense is a problem by its dense data, for tests.
type dense struct {
	c, lo, hi []float64
	a         [][]float64
	rlo, rhi  []float64
}

func (d *dense) lp() *LP {
	p := New(len(d.c))
	for j := range d.c {
		p.SetBounds(j, d.lo[j], d.hi[j])
	}
	p.SetCosts(d.c)
	for i, a := range d.a {
		p.AddDenseRow(a, d.rlo[i], d.rhi[i])
	}
	return p
}

// certify checks the verdict of a solved problem by what it is accompanied by,
// from the dense data alone, to tol relative to the size of the terms.
func (d *dense) certify(t *testing.T, p *LP, st Status, tol float64) {
	t.Helper()
	switch st {
	case Optimal:
		x := p.X()
		y := p.Duals(nil)
		r := p.ReducedCosts(nil, y)
		primal, bound, size := 0.0, 0.0, 1.0
		for j := range x {
			if x[j] < d.lo[j]-tol*(1+math.Abs(d.lo[j])) || x[j] > d.hi[j]+tol*(1+math.Abs(d.hi[j])) {
				t.Fatalf("x[%d] = %v outside [%v, %v]", j, x[j], d.lo[j], d.hi[j])
			}
			primal += d.c[j] * x[j]
			size += math.Abs(d.c[j] * x[j])
		}
		for i, a := range d.a {
			s, m := 0.0, 1.0
			for j := range a {
				s += a[j] * x[j]
				m += math.Abs(a[j] * x[j])
			}
			if s < d.rlo[i]-tol*m || s > d.rhi[i]+tol*m {
				t.Fatalf("row %d = %v outside [%v, %v] (size %v)", i, s, d.rlo[i], d.rhi[i], m)
			}
			e := d.rlo[i]
			if y[i] < 0 {
				e = d.rhi[i]
			}
			if y[i] != 0 && !math.IsInf(e, 0) {
				bound += y[i] * e
				size += math.Abs(y[i] * e)
			}
		}
		for j := range x {
			e := d.lo[j]
			if r[j] < 0 {
				e = d.hi[j]
			}
			if math.IsInf(e, 0) {
				e = x[j] // a reduced cost that should be zero
			}
			bound += r[j] * e
			size += math.Abs(r[j] * e)
		}
		if !(math.Abs(primal-bound) <= tol*size) {
			t.Fatalf("primal %v, dual %v, size %v", primal, bound, size)
		}
		if b := p.SafeBound(d.c, y); b > primal+1e-7*size {
			t.Fatalf("safe bound %v above the value %v", b, primal)
		}
	case Infeasible:
		y := p.Duals(nil)
		boxed := true
		for j := range d.lo {
			boxed = boxed && !math.IsInf(d.lo[j], 0) && !math.IsInf(d.hi[j], 0)
		}
		if _, ok := p.SafeInfeasible(y); !ok && boxed {
			t.Fatalf("Farkas ray fails the safe check")
		}
	case Unbounded:
		ray := p.Ray(nil)
		fall, size := 0.0, 0.0
		for j, f := range ray {
			fall += d.c[j] * f
			size = max(size, math.Abs(f))
		}
		for j, f := range ray {
			if f > tol*size && !math.IsInf(d.hi[j], 1) || f < -tol*size && !math.IsInf(d.lo[j], -1) {
				t.Fatalf("ray leaves the bound of column %d", j)
			}
		}
		for i, a := range d.a {
			s, m := 0.0, 0.0
			for j := range a {
				s += a[j] * ray[j]
				m += math.Abs(a[j]) * size
			}
			if s > tol*m && !math.IsInf(d.rhi[i], 1) || s < -tol*m && !math.IsInf(d.rlo[i], -1) {
				t.Fatalf("ray leaves row %d", i)
			}
		}
		if fall >= 0 {
			t.Fatalf("ray does not fall: %v", fall)
		}
	}
}

// random makes one problem of a kind; half of the kinds are feasible by
// construction (feasible says so).
func random(r *rand.Rand, kind int) (d *dense, feasible bool) {
	n, m := 1+r.IntN(12), r.IntN(16)
	d = &dense{}
	x0 := make([]float64, n)
	for j := range n {
		lo, hi := 0.0, 1+4*r.Float64()
		switch {
		case kind == 3 && r.IntN(3) == 0:
			lo = math.Inf(-1)
		case kind == 2 || kind == 3:
			hi = math.Inf(1)
		case kind == 5 && r.IntN(4) == 0:
			hi = 0
		}
		if kind == 3 && r.IntN(3) == 0 {
			hi = math.Inf(1)
		}
		d.lo, d.hi = append(d.lo, lo), append(d.hi, hi)
		d.c = append(d.c, r.NormFloat64())
		x0[j] = max(lo, -1) + r.Float64()*(min(hi, 2)-max(lo, -1))
		if kind == 1 && r.IntN(2) == 0 { // degenerate: at a bound
			x0[j] = max(lo, -1)
		}
	}
	feasible = r.IntN(3) > 0
	for i := 0; i < m; i++ {
		a := make([]float64, n)
		s := 0.0
		for j := range a {
			if r.IntN(3) > 0 {
				a[j] = r.NormFloat64()
				if kind == 1 || kind == 5 {
					a[j] = float64(r.IntN(5) - 2)
				}
			}
			s += a[j] * x0[j]
		}
		lo, hi := math.Inf(-1), s
		switch {
		case kind == 4 && i*2 < m && i < n || r.IntN(6) == 0: // equality
			lo = s
		case r.IntN(3) == 0: // range
			lo = s - 2*r.Float64()
		}
		if kind != 1 && lo != hi && r.IntN(2) == 0 {
			hi += r.Float64()
		}
		if !feasible {
			f := 2 * r.NormFloat64()
			lo, hi = lo+f, hi+f
		}
		if r.IntN(2) == 0 {
			for j := range a {
				a[j] = -a[j]
			}
			lo, hi = -hi, -lo
		}
		d.a, d.rlo, d.rhi = append(d.a, a), append(d.rlo, lo), append(d.rhi, hi)
		if kind == 1 && r.IntN(3) == 0 && len(d.a) > 0 { // a duplicate
			d.a, d.rlo, d.rhi = append(d.a, slices.Clone(a)), append(d.rlo, lo), append(d.rhi, hi)
		}
	}
	if kind == 6 { // badly scaled rows and columns
		f := make([]float64, n)
		for j := range f {
			f[j] = math.Pow(10, 6*r.Float64()-3)
			d.c[j] *= f[j]
			d.lo[j] /= f[j]
			d.hi[j] /= f[j]
		}
		for i, a := range d.a {
			g := math.Pow(10, 6*r.Float64()-3)
			for j := range a {
				a[j] *= g * f[j]
			}
			d.rlo[i] *= g
			d.rhi[i] *= g
		}
	}
	return d, feasible
}

var kinds = []string{"plain", "degenerate", "half-open", "free", "equalities", "fixed", "scaled"}
