package uncertainty_test

import (
	"encoding/binary"
	"math"
	"testing"

	"rcmdplab/core/model"
)

// FuzzWorstRow feeds every set rows, values and radii made from raw bytes and
// checks the invariants: a distribution within the set that attains the value,
// between the nominal and the upper bound.
func FuzzWorstRow(f *testing.F) {
	f.Add([]byte{1, 0, 0, 0, 0, 0, 0, 0, 9, 200, 100, 3, 4, 5, 6, 7, 8})
	f.Add([]byte("a set is a rule for one row over a table of nominal rows"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 12 {
			return
		}
		k := kinds[int(data[0])%len(kinds)]
		r := math.Float64frombits(binary.LittleEndian.Uint64(data[1:]))
		if !(r >= 0 && r < 1e9) {
			r = float64(data[2]) / 64
		}
		if k.kind == model.Contamination || k.kind == model.Interval {
			r = min(r, 1)
		}
		scale := math.Pow(10, float64(data[9]%20)-8)
		data = data[10:]
		n := min(len(data)/2, 40)
		q, z := make([]float64, n), make([]float64, n)
		sum := 0.0
		for j := range n {
			q[j] = math.Exp2(-float64(data[2*j]>>2)) * float64(data[2*j]&3)
			z[j] = scale * (float64(data[2*j+1]) - 128)
			sum += q[j]
		}
		if sum == 0 {
			return
		}
		for j := range q {
			q[j] /= sum
		}
		s := oneRow(t, k.kind, k.all, r, q)
		qs, zs := gather(s, q, z)
		n = len(zs)
		p := make([]float64, n)
		a := s.Answer(p, 0, zs)
		width, abs := size(zs)
		tol := 1e-12*width + 4e-16*float64(n)*abs
		total := 0.0
		for _, x := range p {
			if !(x >= 0) {
				t.Fatalf("%s %v: p = %v", k.kind, r, p)
			}
			total += x
		}
		if !(math.Abs(total-1) <= 1e-15*float64(n+10)) {
			t.Errorf("%s %v: p sums to 1%+g", k.kind, r, total-1)
		}
		if e := k.member(p, qs, r); e > 2e-15*float64(n+10)*(1+r) && e > 2e-14*r {
			t.Errorf("%s %v: outside by %g: q = %v, z = %v", k.kind, r, e, qs, zs)
		}
		if v := dot(p, zs); !(math.Abs(v-a.Value) <= tol) {
			t.Errorf("%s %v: value %v, attained %v", k.kind, r, a.Value, v)
		}
		if v := dot(qs, zs); a.Value < v-tol || a.Upper < a.Value {
			t.Errorf("%s %v: nominal %v, value %v, upper %v", k.kind, r, v, a.Value, a.Upper)
		}
		if a.Upper-a.Value > tol+1e-11*width {
			t.Errorf("%s %v: value %v, upper %v: q = %v, z = %v", k.kind, r, a.Value, a.Upper, qs, zs)
		}
	})
}
