package uncertainty_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"rcmdplab/core/model"
	"rcmdplab/core/uncertainty"
)

// kinds are the sets under test. member is how far outside the set p is, by
// its definition; sup is the supremum by a slow method that shares nothing with
// the set's own. q and p are over the support.
var kinds = []struct {
	kind   model.Kind
	all    bool
	radii  []float64
	member func(p, q []float64, r float64) float64
	sup    func(q, z []float64, r float64) float64
}{
	{model.KL, false, []float64{0, 1e-12, 1e-4, .01, .1, 1, 3, 50}, klExcess, klSup},
	{model.Chi2, false, []float64{0, 1e-12, 1e-4, .01, .1, 1, 3, 50, 1e6}, chi2Excess, chi2Sup},
	{model.L1, false, []float64{0, 1e-12, 1e-4, .01, .2, 1, 1.9, 2, 5}, l1Excess, l1Sup},
	{model.L1, true, []float64{0, 1e-12, 1e-4, .01, .2, 1, 1.9, 2, 5}, l1Excess, l1Sup},
	{model.TV, false, []float64{0, 1e-12, 1e-4, .01, .1, .5, .95, 1, 5}, tvExcess, tvSup},
	{model.TV, true, []float64{0, 1e-12, 1e-4, .01, .1, .5, .95, 1, 5}, tvExcess, tvSup},
	{model.L2, false, []float64{0, 1e-12, 1e-4, .01, .1, .3, .7, 1, 2, 5}, l2Excess, l2Sup},
	{model.L2, true, []float64{0, 1e-12, 1e-4, .01, .1, .3, .7, 1, 2, 5}, l2Excess, l2Sup},
	{model.LInf, false, []float64{0, 1e-12, 1e-4, .01, .1, .3, .7, 1, 5}, linfExcess, linfSup},
	{model.LInf, true, []float64{0, 1e-12, 1e-4, .01, .1, .3, .7, 1, 5}, linfExcess, linfSup},
	{model.Contamination, false, []float64{0, 1e-12, 1e-4, .01, .1, .5, .9, 1}, contaminationExcess, contaminationSup},
	{model.Contamination, true, []float64{0, 1e-12, 1e-4, .01, .1, .5, .9, 1}, contaminationExcess, contaminationSup},
	// An interval set of half width r has the members of the linf ball.
	{model.Interval, false, []float64{0, 1e-12, 1e-4, .01, .1, .3, .7, 1}, linfExcess, linfSup},
}

// row is one nominal row with one z. The pitfalls are named; random rows follow.
type row struct {
	name string
	q, z []float64
}

// fewer is a third of the random cases where tests are short, as in wasm, which repeats what ran natively
// for its exponentials, logarithms and loops.
func fewer(cases int) int {
	if testing.Short() {
		return cases / 3
	}
	return cases
}

func rowsUnderTest() []row {
	t := []row{
		{"one successor", []float64{1}, []float64{3}},
		{"all z equal", []float64{.2, .3, .5}, []float64{7, 7, 7}},
		{"all z zero", []float64{.2, .3, .5}, []float64{0, 0, 0}},
		{"ties at the top", []float64{.2, .3, .1, .4}, []float64{1, 2, 2, 0}},
		{"ties at the bottom", []float64{.2, .3, .1, .4}, []float64{1, 0, 2, 0}},
		{"near ties at the top", []float64{.2, .3, .1, .4}, []float64{1, 2, 2 - 1e-10, 0}},
		{"ulp ties at the top", []float64{.2, .3, .1, .4}, []float64{1, 2, math.Nextafter(2, 0), 0}},
		{"zero nominal at the top", []float64{.5, .5, 0}, []float64{1, 2, 3}},
		{"zero nominal at the bottom", []float64{.5, .5, 0}, []float64{1, 2, 0}},
		{"zeros everywhere but one", []float64{0, 1, 0, 0}, []float64{3, 1, 2, 0}},
		{"tiny at the top", []float64{.5, .5 - 1e-13, 1e-13}, []float64{1, 2, 3}},
		{"tiny at the bottom", []float64{.5, .5 - 1e-13, 1e-13}, []float64{1, 2, -3}},
		{"tinier at the top", []float64{.5, .5, 1e-300}, []float64{1, 2, 3}},
		{"large values", []float64{.2, .3, .5}, []float64{1e8, 1e8 + 1, 1e8 + 3}},
		{"values of 1e8", []float64{.2, .3, .1, .4}, []float64{1e8, -1e8, 3e7, 0}},
		{"negative values", []float64{.2, .3, .1, .4}, []float64{-5, -1, -3, -2}},
		{"negative large", []float64{.2, .3, .5}, []float64{-1e8, -1e8 - 2, -3e8}},
		{"tiny range", []float64{.2, .3, .5}, []float64{1, 1 + 3e-16, 1 - 5e-16}},
		{"one outlier up", []float64{.25, .25, .25, .25}, []float64{0, 0, 0, 1e6}},
		{"one outlier down", []float64{.25, .25, .25, .25}, []float64{0, 0, 0, -1e6}},
		{"differences that underflow", []float64{.2, .3, .5}, []float64{1e-310, 3e-310, 2e-310}},
		{"sum off by ulps", []float64{.1, .2, .3, .4 + 2e-16}, []float64{4, 3, 2, 1}},
	}
	rng := rand.New(rand.NewPCG(4, 1))
	for k := range 6 { // few successors among many states
		q := make([]float64, 40)
		copy(q[4*k:], randomRow(rng, 1+k, 1))
		t = append(t, row{fmt.Sprintf("few of many %d", k), q, randomValues(rng, 40, k)})
	}
	for k := range fewer(60) {
		n := 2 + rng.IntN(7)
		if k%10 == 0 {
			n = 30 + rng.IntN(30)
		}
		t = append(t, row{fmt.Sprintf("random %d", k), randomRow(rng, n, k%3), randomValues(rng, n, k)})
	}
	return t
}

// randomRow draws rows that are flat, spiky, or spiky with zeros.
func randomRow(rng *rand.Rand, n, how int) []float64 {
	q, sum := make([]float64, n), 0.0
	for j := range q {
		q[j] = rng.ExpFloat64()
		if how > 0 {
			q[j] = math.Pow(q[j], 6)
		}
		if how > 1 && rng.IntN(3) == 0 && j > 0 {
			q[j] = 0
		}
		sum += q[j]
	}
	for j := range q {
		q[j] /= sum
	}
	return q
}

func randomValues(rng *rand.Rand, n, how int) []float64 {
	z := make([]float64, n)
	for j := range z {
		switch how % 4 {
		case 0:
			z[j] = rng.Float64()
		case 1:
			z[j] = 100 * rng.NormFloat64()
		case 2:
			z[j] = float64(rng.IntN(3)) // ties
		case 3:
			z[j] = 50 + math.Pow(rng.NormFloat64(), 5)
		}
	}
	return z
}

// oneRow is the set of kind with the nominal q in every pair.
func oneRow(t testing.TB, kind model.Kind, all bool, r float64, q []float64) uncertainty.Set {
	t.Helper()
	n := len(q)
	k := &model.Kernel{Sparse: true, Ptr: []int{0}}
	lo, hi := &model.Kernel{Sparse: true, Ptr: []int{0}}, &model.Kernel{Sparse: true, Ptr: []int{0}}
	for range n {
		for j, x := range q {
			if x > 0 || !all { // with all states in the support, zeros need not be listed
				k.Next, k.Prob = append(k.Next, j), append(k.Prob, x)
			}
			lo.Next, hi.Next = append(lo.Next, j), append(hi.Next, j)
			lo.Prob, hi.Prob = append(lo.Prob, max(0, x-r)), append(hi.Prob, min(1, x+r))
		}
		k.Ptr = append(k.Ptr, len(k.Next))
		lo.Ptr, hi.Ptr = append(lo.Ptr, len(lo.Next)), append(hi.Ptr, len(hi.Next))
	}
	p := &model.Problem{
		States: names("s", n), Actions: []string{"a"}, Discount: .9, Initial: slices.Clone(q), Layout: model.NewLayout(n, 1, nil),
		Objective: model.Cost{Name: "c", Values: make([]float64, n)},
		Uncertainty: model.Uncertainty{
			Kind: kind, Nominal: k, Lower: lo, Upper: hi, Radius: []float64{r}, Temperature: r, SupportAll: all,
		},
	}
	s, err := uncertainty.New(p.Standard())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func names(prefix string, n int) []string {
	s := make([]string, n)
	for i := range s {
		s[i] = fmt.Sprint(prefix, i)
	}
	return s
}

// gather restricts q and z to the support of pair 0.
func gather(s uncertainty.Set, q, z []float64) (qs, zs []float64) {
	for _, t := range s.Support(0) {
		qs, zs = append(qs, q[t]), append(zs, z[t])
	}
	return qs, zs
}

func dot(p, z []float64) float64 {
	t := 0.0
	for j, x := range p {
		t += x * z[j]
	}
	return t
}

func size(z []float64) (width, abs float64) {
	top, bottom := slices.Max(z), slices.Min(z)
	return top - bottom, max(math.Abs(top), math.Abs(bottom))
}

func TestConformance(t *testing.T) {
	for _, k := range kinds {
		name := string(k.kind)
		if k.all {
			name += "/all"
		}
		t.Run(name, func(t *testing.T) {
			for _, w := range rowsUnderTest() {
				last := math.Inf(-1)
				for _, r := range k.radii {
					last = conform(t, k.kind, k.all, w, r, last, k.member, k.sup)
				}
			}
		})
	}
}

// conform checks one row at one radius and returns the value.
func conform(t *testing.T, kind model.Kind, all bool, w row, r, last float64, member func(p, q []float64, r float64) float64, sup func(q, z []float64, r float64) float64) float64 {
	t.Helper()
	s := oneRow(t, kind, all, r, w.q)
	q, z := gather(s, w.q, w.z)
	n := len(z)
	width, abs := size(z)
	fail := func(format string, args ...any) {
		t.Helper()
		t.Errorf("%s, radius %v: %s", w.name, r, fmt.Sprintf(format, args...))
	}
	// Rounding of sums of n terms, on values of size abs.
	tol := 1e-12*width + 4e-16*float64(n)*abs + 1e-290
	p := make([]float64, n)
	a := s.Answer(p, 0, z)

	sum := 0.0
	for _, x := range p {
		if !(x >= 0) {
			fail("p = %v has a negative entry", p)
		}
		sum += x
	}
	if !(math.Abs(sum-1) <= 1e-15*float64(n+10)) {
		fail("p sums to 1%+g", sum-1)
	}
	if e := member(p, q, r); e > 2e-15*float64(n+10)*(1+r) && e > 2e-14*r {
		fail("p is outside the set by %g", e)
	}
	if v := dot(p, z); !(math.Abs(v-a.Value) <= tol) {
		fail("value %v, but the row attains %v", a.Value, v)
	}
	if b := s.Answer(p, 0, z); b != a {
		fail("asked again, %v; before, %v", b, a)
	}
	if !(a.Upper >= a.Value) || a.Upper-a.Value > tol+1e-14*float64(n+16)*width {
		fail("upper - value = %g", a.Upper-a.Value)
	}
	if v := dot(q, z); a.Value < v-tol {
		fail("value %v is below the nominal %v", a.Value, v)
	} else if r == 0 && !(math.Abs(a.Value-v) <= tol) {
		fail("value %v at radius 0, nominal %v", a.Value, v)
	}
	if s.Nominal(p, 0); kind != model.Interval && maxDiff(p, q) > 2e-16*float64(n) {
		fail("nominal row %v, want %v", p, q)
	} else if e := member(p, q, r); e > 1e-15*float64(n) {
		fail("nominal row %v is outside the set by %g", p, e)
	}
	if s.Answer(p, 0, z); r == 0 && maxDiff(p, q) > 2e-16*float64(n) {
		fail("row %v at radius 0, nominal %v", p, q)
	}
	if a.Value < last-tol {
		fail("value %v at a smaller radius, now %v", last, a.Value)
	}
	if want := sup(q, z, r); !(math.Abs(a.Value-want) <= 1e-9*width+tol) {
		fail("value %v, want %v (off by %g)", a.Value, want, a.Value-want)
	}
	s.Begin(w.z)
	b := make([]float64, n)
	if c := s.Row(b, 0); !(math.Abs(c.Value-a.Value) <= tol) || !(math.Abs(c.Upper-a.Upper) <= tol) {
		fail("a sweep gives %v, one row %v", c, a)
	}
	next, e, c := s.AppendRow(nil, nil, 0)
	if !(math.Abs(c.Value-a.Value) <= tol) || !(math.Abs(c.Upper-a.Upper) <= tol) {
		fail("AppendRow gives %v, Answer %v", c, a)
	}
	v := 0.0
	for j, t := range next {
		v += e[j] * w.z[t]
		if e[j] == 0 || j > 0 && next[j-1] >= t {
			fail("AppendRow gives successors %v with %v", next, e)
		}
	}
	if !(math.Abs(v-a.Value) <= tol) {
		fail("AppendRow's row attains %v, value %v", v, a.Value)
	}
	return a.Value
}

func maxDiff(p, q []float64) float64 {
	d := 0.0
	for j, x := range p {
		d = max(d, math.Abs(x-q[j]))
	}
	return d
}

// TestRandomMembers: nothing in the set does better than the worst row.
func TestRandomMembers(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	for _, k := range kinds {
		for trial := range 12 {
			n := 2 + rng.IntN(6)
			w := row{"random", randomRow(rng, n, trial%3), randomValues(rng, n, trial)}
			r := k.radii[2+rng.IntN(len(k.radii)-3)]
			s := oneRow(t, k.kind, k.all, r, w.q)
			q, z := gather(s, w.q, w.z)
			n = len(q)
			width, abs := size(z)
			tol := 1e-12*width + 4e-16*float64(n)*abs
			best := s.Answer(make([]float64, n), 0, z).Value
			p := make([]float64, n)
			for range fewer(1000) {
				e := randomRow(rng, n, rng.IntN(3))
				// The farthest member on the segment from q to e.
				lo, hi := 0.0, 1.0
				for range 40 {
					mid := (lo + hi) / 2
					for j := range p {
						p[j] = q[j] + mid*(e[j]-q[j])
					}
					if k.member(p, q, r) <= 0 {
						lo = mid
					} else {
						hi = mid
					}
				}
				for j := range p {
					p[j] = q[j] + lo*(e[j]-q[j])
				}
				if v := dot(p, z); v > best+tol {
					t.Fatalf("%s radius %v: q = %v, z = %v: member %v attains %v, worst row %v", k.kind, r, q, z, p, v, best)
				}
			}
		}
	}
}

// TestRegularized holds the log-sum-exp set against its definition: no row does
// better, the row attains the value, the penalty is τ KL.
func TestRegularized(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 3))
	for _, w := range rowsUnderTest() {
		for _, tau := range []float64{1e-6, 1e-2, .2, 2, 100, 1e6} {
			s := oneRow(t, model.KLRegularized, false, tau, w.q)
			q, z := gather(s, w.q, w.z)
			n := len(z)
			width, abs := size(z)
			tol := 1e-12*width + 4e-16*float64(n)*abs + 1e-290
			p := make([]float64, n)
			a := s.Answer(p, 0, z)
			if v := dot(p, z) - a.Penalty; !(math.Abs(v-a.Value) <= tol) {
				t.Errorf("%s, τ %v: value %v, the row attains %v", w.name, tau, a.Value, v)
			}
			if v := s.Penalty(p, 0); !(math.Abs(v-a.Penalty) <= tol) {
				t.Errorf("%s, τ %v: penalty %v, of the row %v", w.name, tau, a.Penalty, v)
			}
			if a.Upper < a.Value || a.Upper > a.Value+tol+1e-14*float64(n+16)*width {
				t.Errorf("%s, τ %v: upper - value = %g", w.name, tau, a.Upper-a.Value)
			}
			if v := dot(q, z); a.Value < v-tol {
				t.Errorf("%s, τ %v: value %v below nominal %v", w.name, tau, a.Value, v)
			}
			s.Begin(w.z)
			if b := s.Row(make([]float64, n), 0); !(math.Abs(b.Value-a.Value) <= tol) || !(math.Abs(b.Penalty-a.Penalty) <= tol) {
				t.Errorf("%s, τ %v: a sweep gives %v, one row %v", w.name, tau, b, a)
			}
			for range 200 {
				e := randomRow(rng, n, rng.IntN(3))
				x := rng.Float64()
				for j := range e {
					e[j] = q[j] + x*(e[j]-q[j])
				}
				if v := dot(e, z) - s.Penalty(e, 0); v > a.Value+tol {
					t.Fatalf("%s, τ %v: row %v attains %v, worst row %v", w.name, tau, e, v, a.Value)
				}
			}
		}
	}
}
