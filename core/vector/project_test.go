package vector

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A projection moves no mass away, is what was there and a share t of u, and its sums are those of u.
func TestProjectionMovesByItsStep(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 7))
	dropped := 0
	for range 2000 {
		n := 1 + r.IntN(12)
		q, w, on, p := make([]float64, n), numbers(r, n), make([]float64, n), make([]float64, n)
		sum := 0.0
		for j := range q {
			q[j] = .01 + r.Float64() // without mass nothing is on at first
			sum += q[j]
		}
		step := math.Exp(2 * r.NormFloat64())
		var x projection
		x.begin(on, q, w)
		if x.step(on, q, w, step) {
			dropped++
		}
		copy(p, on)
		value, linear, square := x.fill(p, q, w, step)
		var mass, v, l, s float64
		for j := range p {
			u := (p[j] - q[j]) / step
			mass, v, l, s = mass+p[j], v+p[j]*w[j], l+q[j]*u, s+u*u
		}
		for _, c := range [][2]float64{{mass, sum}, {value, v}, {linear, l}, {square, s}} {
			if !(math.Abs(c[0]-c[1]) <= 1e-12*(1+math.Abs(c[1]))*(1+1/step)*float64(n)) {
				t.Fatalf("n %d, t %v: mass %v of %v; %v, %v, %v, want %v, %v, %v", n, step, mass, sum, value, linear, square, v, l, s)
			}
		}
	}
	if dropped < 500 {
		t.Errorf("places were dropped %d times", dropped)
	}
}
