package vector

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Whatever runs here, gonum's assembly or the SIMD module, gives the bits of
// plain Go for every length, alignment and stride, with zeros of both signs,
// infinities and tiny numbers among the operands, and touches nothing beyond.
func TestSameBits(t *testing.T) {
	t.Logf("runs: %s", Implementation())
	r := rand.New(rand.NewPCG(1, 2))
	number := func() float64 {
		switch r.IntN(40) {
		case 0:
			return 0
		case 1:
			return math.Copysign(0, -1)
		case 2:
			return math.Ldexp(r.NormFloat64(), -1060)
		case 3:
			return math.Ldexp(r.NormFloat64(), 500)
		}
		return r.NormFloat64()
	}
	numbers := func(n int) []float64 { // at any alignment of its array
		v := make([]float64, n+r.IntN(4))
		for i := range v {
			v[i] = number()
		}
		return v[len(v)-n:]
	}
	for range 3000 {
		n := r.IntN(70)
		if r.IntN(10) == 0 {
			n = r.IntN(600)
		}
		rows, f := 1+r.IntN(12), number()
		stride := n + r.IntN(9)
		x, y, matrix, factors := numbers(n), numbers(n), numbers(rows*stride+n), numbers(rows)
		for i := range factors {
			if r.IntN(4) == 0 {
				factors[i] = 0
			}
		}
		at := make([]int32, r.IntN(rows+1))
		for i := range at {
			at[i] = int32(r.IntN(rows))
		}
		same := func(what string, run, plain func(v []float64), over []float64) {
			t.Helper()
			a, b := slices.Clone(over), slices.Clone(over)
			run(a)
			plain(b)
			for i := range a {
				if math.Float64bits(a[i]) != math.Float64bits(b[i]) && !(math.IsNaN(a[i]) && math.IsNaN(b[i])) {
					t.Fatalf("%s of %d numbers, %d rows %d apart: number %d is %v; want %v", what, n, rows, stride, i, a[i], b[i])
				}
			}
		}
		same("axpy", func(v []float64) { Axpy(v[:n], y, f) }, func(v []float64) { axpy(v[:n], y, f) }, numbers(n+3))
		same("scale", func(v []float64) { Scale(v[:n], f) }, func(v []float64) { scale(v[:n], f) }, numbers(n+3))
		same("dot", func(v []float64) { v[0] = Dot(x, y) }, func(v []float64) { v[0] = dot(x, y) }, numbers(1))
		same("dots", func(v []float64) { Dots(v[:rows], matrix, stride, x) }, func(v []float64) { dots(v[:rows], matrix, stride, x) }, numbers(rows+2))
		same("rank1", func(v []float64) { Rank1(v, stride, x, factors) }, func(v []float64) { rank1(v, stride, x, factors) }, matrix)
		even := len(factors) &^ 1
		same("eliminate", func(v []float64) { Eliminate(v[:n], matrix, stride, factors[:even]) },
			func(v []float64) { eliminate(v[:n], matrix, stride, factors[:even]) }, numbers(n+3))
		octets, apart := 1+r.IntN(3), 1+r.IntN(3)
		table, above := make([]Octet, 8*octets*apart), make([]Octet, octets)
		for _, list := range [][]Octet{table, above} {
			for i := range list {
				for j := range list[i] {
					list[i][j] = number()
				}
			}
		}
		same("eliminateOctets", func(v []float64) { runEliminateOctets((*Octet)(v), table, apart, above) },
			func(v []float64) { eliminateOctets((*Octet)(v), table, apart, above) }, numbers(8))
		same("combine", func(v []float64) { Combine(v[:n], matrix, stride, at, factors[:len(at)]) },
			func(v []float64) { combine(v[:n], matrix, stride, at, factors[:len(at)]) }, numbers(n+3))
		some, which := make([]int32, 4*r.IntN(9)), make([]int32, rows)
		for i := range some {
			some[i] = int32(r.IntN(n + 1))
		}
		wider, weights := numbers(n+1), numbers(len(some))
		ptr, size := make([]int64, rows), make([]int64, rows)
		for i := range which {
			which[i] = int32(r.IntN(3)) - 1
			ptr[i] = 4 * r.Int64N(int64(len(some)/4+1))
			size[i] = 4 * r.Int64N((int64(len(some))-ptr[i])/4+1)
		}
		same("gather", func(v []float64) { v[0] = Gather(some, weights, wider) }, func(v []float64) { v[0] = gather(some, weights, wider) }, numbers(1))
		across := numbers(rows * (n + 1))
		same("gatherRows", func(v []float64) { GatherRows(v[:rows], some, weights, across, n+1) },
			func(v []float64) { gatherRows(v[:rows], some, weights, across, n+1) }, numbers(rows+2))
		same("gatherSome", func(v []float64) { GatherSome(v[:rows], which, -1, ptr, size, some, weights, wider) },
			func(v []float64) { gatherSome(v[:rows], which, -1, ptr, size, some, weights, wider) }, numbers(rows+2))
		if n > 0 {
			same("least", func(v []float64) { v[0] = Least(x) + 0 }, func(v []float64) { v[0] = slices.Min(x) + 0 }, numbers(1))
		}
		count := 1 + r.IntN(5)
		shares := numbers(count)
		slice := 1 + r.IntN(20)
		j := r.IntN(count)
		share := number()
		if share = math.Abs(share); math.IsInf(share, 1) || share > 1 {
			share = 0.5
		}
		plus := func(v []float64) { // which zero is least is not said
			for i := range count {
				v[i] += 0
			}
		}
		tensor := numbers(count * slice * (1 + r.IntN(4)))
		same("leastToward", func(v []float64) { LeastToward(v[:count], tensor, slice, j, share); plus(v) },
			func(v []float64) { leastToward(v[:count], tensor, slice, j, share); plus(v) }, numbers(count+3))
		same("toward", func(v []float64) { Toward(v, slice, j, shares) }, func(v []float64) { toward(v, slice, j, shares) }, numbers(count*slice*(1+r.IntN(4))))
	}
}

// The definitions themselves are right: compared with sums in twice the
// precision, or written in one line.
func TestDefinitions(t *testing.T) {
	x, y := []float64{1, 2, 3, 4, 5, 6, 7}, []float64{2, -1, .5, 3, 1, 1, -2}
	if got := Dot(x, y); got != 10.5 {
		t.Errorf("dot %v", got)
	}
	d := slices.Clone(x)
	Axpy(d, y, 2)
	if want := []float64{5, 0, 4, 10, 7, 8, 3}; !slices.Equal(d, want) {
		t.Errorf("axpy %v", d)
	}
	Combine(d, append(slices.Clone(x), y...), 7, []int32{1, 0}, []float64{3, -1})
	if want := []float64{5, -5, -1.5, 5, -2, -3, -13}; !slices.Equal(d, want) {
		t.Errorf("combine %v", d)
	}
	least := make([]float64, 3)
	Leasts(least, y, 2)
	if want := []float64{-1, .5, -2}; !slices.Equal(least, want) {
		t.Errorf("leasts %v", least)
	}
	// A tensor of two indices, 3 × 2: slices 0 and 2 of the first go to slice 1.
	tensor := []float64{0, 4, 1, 8, 2, 0}
	Toward(tensor, 2, 1, []float64{.5, .9, .25})
	if want := []float64{.5, 6, 1, 8, 1.75, 2}; !slices.Equal(tensor, want) {
		t.Errorf("toward %v", tensor)
	}
	for _, stride := range []int{1, 2, 3, 4, 8} { // in more groups than stay in the nearest cache
		shares := []float64{.5, 1, 0, .25, .125}
		tensor := make([]float64, 5*stride*700)
		for i := range tensor {
			tensor[i] = float64(i * i % 101)
		}
		moved := slices.Clone(tensor)
		Toward(moved, stride, 1, shares)
		for i, v := range tensor {
			k := i / stride % 5
			want := v + shares[k]*(tensor[i+(1-k)*stride]-v)
			if moved[i] != want {
				t.Fatalf("toward, %d apart: number %d is %v; want %v", stride, i, moved[i], want)
			}
		}
	}
	m := []float64{1, 1, 1, 1}
	Rank1(m, 2, []float64{1, 2}, []float64{0, 3})
	if want := []float64{1, 1, 4, 7}; !slices.Equal(m, want) {
		t.Errorf("rank1 %v", m)
	}
	e := []float64{1, 2}
	Eliminate(e, []float64{1, 0, 0, 1, 2, 2, 1, -1, 3, 0, 0, 5}, 2, []float64{1, 2, 3, 4, 5, 6})
	if want := []float64{-25, -32}; !slices.Equal(e, want) {
		t.Errorf("eliminate %v; want %v", e, want)
	}
	var up [8]Octet
	for k := range up {
		up[k] = Octet{float64(k), 7: 1}
	}
	o := Octet{1, 7: 1}
	runEliminateOctets(&o, up[:], 1, []Octet{{1, 2, 3, 4, 5, 6, 7, 8}})
	if want := (Octet{1 - 168, 7: 1 - 36}); o != want {
		t.Errorf("eliminate %v; want %v", o, want)
	}
	list := []int32{3, 0, 3, 1}
	GatherSome(d[:3], []int32{7, 5, 7}, 7, []int64{4, 0, 0}, []int64{0, 0, 4}, list, []float64{1, 2, 3, 4}, []float64{10, 20, 30, 40})
	if d[0] != 0 || d[2] != 260 || Gather(list, []float64{1, 2, 3, 4}, []float64{10, 20, 30, 40}) != 260 {
		t.Errorf("gather %v", d[:3])
	}
	GatherRows(d[:2], list, []float64{1, 2, 3, 4}, []float64{1, 0, 0, 1, 2, 1, 0, 0}, 4)
	if d[0] != 6 || d[1] != 8 {
		t.Errorf("gather %v", d[:2])
	}
	Dots(d[:2], m, 2, []float64{1, 1})
	if d[0] != 2 || d[1] != 11 {
		t.Errorf("dots %v", d[:2])
	}
	if Least(nil) != math.Inf(1) {
		t.Error("the least of nothing")
	}
}
