package lp

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	golp "gonum.org/v1/gonum/optimize/convex/lp"
)

// TestRandom solves 20 000 random problems of seven kinds; every verdict must
// carry a certificate that passes, and a problem that is feasible by
// construction is never called infeasible.
func TestRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	count := map[string]int{}
	stalled := 0
	for i := range 20000 {
		kind := i % len(kinds)
		d, feasible := random(r, kind)
		p := d.lp()
		st := p.Solve()
		count[kinds[kind]+" "+st.String()]++
		if st == Stalled {
			stalled++
			continue
		}
		if feasible && st == Infeasible {
			t.Fatalf("problem %d (%s): called infeasible, has a point", i, kinds[kind])
		}
		d.certify(t, p, st, 1e-6)
	}
	t.Log(count)
	if stalled > 0 {
		t.Errorf("%d of 20000 stalled", stalled)
	}
	for _, want := range []string{"plain optimal", "plain infeasible", "half-open unbounded", "degenerate infeasible", "scaled optimal", "scaled infeasible"} {
		if count[want] < 100 {
			t.Errorf("only %d problems %q: the generator no longer tests it", count[want], want)
		}
	}
}

// TestWarmStart changes one thing after another, or two and three at once, and compares with a cold start.
func TestWarmStart(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 2000 {
		kind := i % len(kinds)
		d, _ := random(r, kind)
		p := d.lp()
		p.Solve()
		for range 6 {
			m := len(d.a)
			what := r.IntN(7)
			switch {
			case what == 0:
				for j := range d.c {
					d.c[j] = r.NormFloat64()
				}
				p.SetCosts(d.c)
			case what == 1:
				j := r.IntN(len(d.c))
				d.lo[j], d.hi[j] = -r.Float64(), r.Float64()
				p.SetBounds(j, d.lo[j], d.hi[j])
			case what == 2:
				a := make([]float64, len(d.c))
				for j := range a {
					a[j] = r.NormFloat64()
				}
				lo, hi := math.Inf(-1), r.NormFloat64()
				d.a, d.rlo, d.rhi = append(d.a, a), append(d.rlo, lo), append(d.rhi, hi)
				p.AddDenseRow(a, lo, hi)
			case what == 3 && m > 0:
				i := r.IntN(m)
				lo := r.NormFloat64()
				hi := lo + float64(r.IntN(2))*r.Float64()
				d.rlo[i], d.rhi[i] = lo, hi
				p.SetRange(i, lo, hi)
			case what == 4 && m > 0:
				i := r.IntN(m)
				for j := range d.a[i] {
					d.a[i][j] = r.NormFloat64()
				}
				p.SetDenseRow(i, d.a[i])
			case what == 5:
				lo, hi, c := 0.0, 1.0, r.NormFloat64()
				var rows []int32
				var coef []float64
				for i := range d.a {
					v := r.NormFloat64()
					d.a[i] = append(d.a[i], v)
					rows, coef = append(rows, int32(i)), append(coef, v)
				}
				d.c, d.lo, d.hi = append(d.c, c), append(d.lo, lo), append(d.hi, hi)
				p.AddColumn(lo, hi, c, rows, coef)
			case what == 6 && m > 0:
				k := r.IntN(m)
				p.RemoveRows(func(i int) bool { return i == k })
				d.a = append(d.a[:k:k], d.a[k+1:]...)
				d.rlo = append(d.rlo[:k:k], d.rlo[k+1:]...)
				d.rhi = append(d.rhi[:k:k], d.rhi[k+1:]...)
			}
			if r.IntN(3) == 0 {
				continue
			}
			warm := p.Solve()
			q := d.lp()
			cold := q.Solve()
			if warm == Stalled || cold == Stalled {
				t.Errorf("problem %d: stalled (warm %v, cold %v)", i, warm, cold)
				break
			}
			d.certify(t, p, warm, 1e-6)
			if warm != cold {
				t.Fatalf("problem %d (%s): warm %v, cold %v", i, kinds[kind], warm, cold)
			}
			if warm == Optimal && math.Abs(p.Objective()-q.Objective()) > 1e-6*(1+math.Abs(q.Objective())) {
				t.Fatalf("problem %d, change %d: warm %v, cold %v", i, what, p.Objective(), q.Objective())
			}
		}
	}
}

// TestPause solves in slices of a few steps and comes to the same end.
func TestPause(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	paused := 0
	for i := range 3000 {
		kind := i % len(kinds)
		d, _ := random(r, kind)
		p, q := d.lp(), d.lp()
		q.MaxSteps = 1 + r.IntN(3)
		want, got := p.Solve(), q.Solve()
		for k := 0; got == Paused && k < 1000; k++ {
			paused++
			got = q.Solve()
		}
		if got != want || got == Optimal && math.Abs(p.Objective()-q.Objective()) > 1e-6*(1+math.Abs(p.Objective())) {
			t.Fatalf("problem %d (%s): %v %v in slices, %v %v at once", i, kinds[kind], got, q.Objective(), want, p.Objective())
		}
		d.certify(t, q, got, 1e-6)
	}
	if paused < 3000 {
		t.Errorf("only %d pauses", paused)
	}
}

// TestMaximise: at the largest ratio of two sums no point makes a sum that weighs them by
// a little more positive, and one does by a little less, which a plain program says; a
// level below it ends the search at a feasible point beyond.
func TestMaximise(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	reached, optimal := 0, 0
	for i := range 2000 {
		d, _ := random(r, []int{0, 1, 4, 6}[i%4])
		p := d.lp()
		draw := func() (c []float64) {
			for range d.c {
				c = append(c, r.NormFloat64())
			}
			return append(c, r.NormFloat64())
		}
		one := p.AddColumn(1, 1, 0, nil, nil) // a constant
		num, den := draw(), draw()
		p.SetCosts(den)
		if p.Solve() != Optimal || math.Abs(p.Objective()) > 100 {
			continue
		}
		den[one] += 1 - p.Objective()
		cols := make([]int32, len(num))
		for j := range cols {
			cols[j] = int32(j)
		}
		least := func(rho float64) (Status, float64) {
			c := draw()
			for j := range c {
				c[j] = rho*den[j] - num[j]
			}
			p.SetCosts(c)
			return p.Solve(), p.Objective()
		}
		from := -10 * r.Float64() // or beyond what can be reached
		if i%3 == 0 {
			from = 50
		}
		p.Maximise(cols, num, den, from, math.Inf(1))
		st := p.Solve()
		if st != Optimal { // without end along a ray
			if below, _ := least(p.Ratio()); st != Unbounded || below != Unbounded {
				t.Fatalf("problem %d: %v, a plain program %v", i, st, below)
			}
			continue
		}
		optimal++
		best := p.Ratio()
		eps := 1e-6 * (1 + math.Abs(best))
		if st, v := least(best + eps); st != Optimal || v < 0 {
			t.Fatalf("problem %d: a ratio beyond %v is there: %v %v", i, best, st, v)
		}
		if st, v := least(best - eps); st == Optimal && v > 0 {
			t.Fatalf("problem %d: no ratio of %v is there: %v", i, best, v)
		}
		p.SetCosts(draw())
		p.Solve()
		p.Maximise(cols, num, den, best-1, best-r.Float64())
		if st := p.Solve(); st == Reached && p.Ratio() > p.frac.stop && p.Ratio() <= best+eps && p.feasible() {
			reached++
		} else {
			t.Fatalf("problem %d: %v at %v, best %v, to stop at %v", i, st, p.Ratio(), best, p.frac.stop)
		}
	}
	if reached < 200 || optimal < 200 {
		t.Errorf("%d reached, %d optimal: the generator no longer tests it", reached, optimal)
	}
}

// TestDataError: the safe bound holds for every problem within the error.
func TestDataError(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	checked := 0
	for i := range 500 {
		d, _ := random(r, 0)
		p := d.lp()
		p.DataError = 1e-3
		if p.Solve() != Optimal {
			continue
		}
		bound := p.SafeBound(d.c, p.Duals(nil))
		for range 5 {
			e := *d
			e.a, e.rlo, e.rhi = nil, nil, nil
			for i, a := range d.a {
				big := 0.0
				for _, v := range a {
					big = max(big, math.Abs(v))
				}
				b := slices.Clone(a)
				for j := range b {
					b[j] += 0.49e-3 * big * (2*r.Float64() - 1)
				}
				e.a = append(e.a, b)
				e.rlo = append(e.rlo, d.rlo[i]-0.9e-3*math.Abs(d.rlo[i])*r.Float64())
				e.rhi = append(e.rhi, d.rhi[i]+0.9e-3*math.Abs(d.rhi[i])*r.Float64())
			}
			q := e.lp()
			if q.Solve() == Optimal {
				checked++
				if q.Objective() < bound-1e-9 {
					t.Fatalf("problem %d: %v below the bound %v", i, q.Objective(), bound)
				}
			}
		}
	}
	if checked < 500 {
		t.Errorf("only %d checked", checked)
	}
}

// TestGonum compares with gonum's simplex on boxed problems in its standard
// form; it returns errors on some, which are counted. It is known not to end on
// some problems; it does on these.
func TestGonum(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	skipped := 0
	const total = 600
	for i := range total {
		d, _ := random(r, []int{0, 1, 4}[i%3])
		p := d.lp()
		st := p.Solve()
		f, err := d.gonum()
		switch {
		case err != nil && err != golp.ErrInfeasible:
			skipped++
		case err == golp.ErrInfeasible:
			if st != Infeasible {
				skipped++ // known to be wrong at times; our certificate decides
				d.certify(t, p, st, 1e-6)
			}
		case st != Optimal || math.Abs(f-p.Objective()) > 1e-6*(1+math.Abs(f)):
			t.Fatalf("problem %d: %v %v, gonum %v", i, st, p.Objective(), f)
		}
	}
	t.Logf("%d of %d skipped", skipped, total)
	if skipped > total/3 {
		t.Errorf("%d of %d skipped", skipped, total)
	}
}

// gonum writes the problem in the form min c·x, Ax = b, x >= 0.
func (d *dense) gonum() (f float64, err error) {
	n := len(d.c)
	type row struct {
		a     []float64
		b     float64
		slack bool
	}
	var rows []row
	shift := 0.0
	for j := range n {
		a := make([]float64, n)
		a[j] = 1
		rows = append(rows, row{a, d.hi[j] - d.lo[j], true})
		shift += d.c[j] * d.lo[j]
	}
	for i, a := range d.a {
		s := 0.0
		for j := range a {
			s += a[j] * d.lo[j]
		}
		if d.rlo[i] == d.rhi[i] {
			rows = append(rows, row{a, d.rhi[i] - s, false})
			continue
		}
		if !math.IsInf(d.rhi[i], 1) {
			rows = append(rows, row{a, d.rhi[i] - s, true})
		}
		if !math.IsInf(d.rlo[i], -1) {
			neg := make([]float64, n)
			for j := range a {
				neg[j] = -a[j]
			}
			rows = append(rows, row{neg, -(d.rlo[i] - s), true})
		}
	}
	slacks := 0
	for _, w := range rows {
		if w.slack {
			slacks++
		}
	}
	A := mat.NewDense(len(rows), n+slacks, nil)
	b := make([]float64, len(rows))
	c := make([]float64, n+slacks)
	copy(c, d.c)
	k := n
	for i, w := range rows {
		b[i] = w.b
		for j, v := range w.a {
			A.Set(i, j, v)
		}
		if w.slack {
			A.Set(i, k, 1)
			k++
		}
	}
	defer func() {
		if recover() != nil {
			f, err = 0, golp.ErrSingular
		}
	}()
	f, _, err = golp.Simplex(c, A, b, 1e-9, nil)
	return f + shift, err
}
