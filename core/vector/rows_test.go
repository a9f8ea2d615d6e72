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
		size := 4 * r.Float64() * r.Float64()
		x, y = Lift(a, q, z, size), Excess{}
		lift(&y, b, q, z, size)
		same("lift", x, y, [2][]float64{a, b})
		v, w := make([]float64, n), make([]float64, n)
		x, y = Project(a, v, q, z, size), Excess{}
		project(&y, b, w, q, z, size)
		same("project", x, y, [2][]float64{a, b}, [2][]float64{v, w})
		lo, hi, l, h := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
		x = PourAround(a, lo, hi, q, z, order, radius)
		pourAround(&y, b, l, h, q, z, order, radius)
		same("pour around", x, y, [2][]float64{a, b}, [2][]float64{lo, l}, [2][]float64{hi, h})
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
