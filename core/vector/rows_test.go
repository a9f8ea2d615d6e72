package vector

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The page's loops give the bits of plain Go for rows of every length, with values
// that are equal and mass that is missing.
func TestRowsSameBits(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for range 4000 {
		n := 1 + r.IntN(12)
		q, z := make([]float64, n), make([]float64, n)
		for j := range q {
			q[j] = max(0, r.Float64()-.3) / float64(n)
			z[j] = math.Trunc(4*r.NormFloat64()) + 3*float64(r.IntN(2))*r.Float64()
		}
		order, plain := make([]int32, n), make([]int32, n)
		Order(order, z)
		orderOf(plain, z)
		want := slices.Clone(plain)
		slices.SortStableFunc(want, func(a, b int32) int { return int(a - b) })
		slices.SortStableFunc(want, func(a, b int32) int { return int(math.Copysign(1, z[b]-z[a])) * btoi(z[a] != z[b]) })
		if !slices.Equal(order, plain) || !slices.Equal(order, want) {
			t.Fatalf("order of %v is %v, in plain Go %v; want %v", z, order, plain, want)
		}
		same := func(what string, x, y Excess, more ...[2][]float64) {
			t.Helper()
			more = append(more, [2][]float64{{x.Top, x.Width, x.Value, x.Upper}, {y.Top, y.Width, y.Value, y.Upper}})
			for _, lists := range more {
				for j, v := range lists[1] {
					if math.Float64bits(lists[0][j]) != math.Float64bits(v) && !(math.IsNaN(v) && math.IsNaN(lists[0][j])) {
						t.Fatalf("%s of %v at %v: number %d is %v; want %v", what, q, z, j, lists[0][j], v)
					}
				}
			}
		}
		a, b, radius := make([]float64, n), make([]float64, n), r.Float64()/2
		var y Excess
		x := Shift(a, q, z, order, radius)
		shift(&y, b, q, z, order, radius)
		same("shift", x, y, [2][]float64{a, b})
		x = Share(a, q, z, radius)
		share(&y, b, q, z, radius)
		same("share", x, y, [2][]float64{a, b})
		base, cut := z[r.IntN(n)], math.Inf(-1)
		if r.IntN(2) == 0 {
			cut = slices.Min(z)
		}
		var s, of Spread
		s = Above(q, z, base, .5, cut)
		above(&of, q, z, base, .5, cut)
		same("above", x, x, [2][]float64{{s.Mass, s.Mean, s.Variance, s.Dropped}, {of.Mass, of.Mean, of.Variance, of.Dropped}})
		same("drop", x, x, [2][]float64{{Drop(z, base, .5, cut, .1)}, {drop(z, base, .5, cut, .1)}})
		same("heaviest", x, x, [2][]float64{{float64(Heaviest(q, z, cut))}, {float64(heaviest(q, z, cut))}})
		spread := float64(r.IntN(2)) * r.Float64()
		mass, value := Lift(a, q, z, base, .5, cut, .1, spread, 7)
		m, v := lift(b, q, z, base, .5, cut, .1, spread, 7)
		same("lift", x, x, [2][]float64{a, b}, [2][]float64{{mass, value}, {m, v}})
		var j, k Projection
		j.Begin(a, q, z)
		k.begin(b, q, z)
		of5 := func(x Projection) []float64 { return []float64{x.Count, x.Mean, x.Dropped, x.Square, x.Share} }
		same("begin", x, x, [2][]float64{a, b}, [2][]float64{of5(j), of5(k)})
		if j.Project(a, q, z, radius) != k.project(b, q, z, radius) {
			t.Fatal("projections differ")
		}
		same("project", x, x, [2][]float64{a, b}, [2][]float64{of5(j), of5(k)}, [2][]float64{{j.Spread(a, z)}, {k.spread(b, z)}})
		v1, l1, s1 := j.Fill(a, q, z, radius)
		v2, l2, s2 := k.fill(b, q, z, radius)
		same("fill", x, x, [2][]float64{a, b}, [2][]float64{{v1, l1, s1}, {v2, l2, s2}})
		lo, hi, l, h := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
		Around(lo, hi, q, radius)
		around(l, h, q, radius)
		same("around", y, y, [2][]float64{lo, l}, [2][]float64{hi, h})
		x = Pour(a, lo, hi, z, order)
		pour(&y, b, lo, hi, z, order)
		same("pour", x, y, [2][]float64{a, b})
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
