package vector

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// scattered is a matrix of n rows that dominate by rows, some with nothing but the
// diagonal, and its values.
func scattered(r *rand.Rand, n int) (*Sparse, []float64) {
	a := &Sparse{Ptr: make([]int32, n+1), Diag: make([]int32, n)}
	var val []float64
	for i := range n {
		row := []int32{int32(i)}
		for range r.IntN(6) {
			row = append(row, r.Int32N(int32(n)))
		}
		slices.Sort(row)
		for _, c := range slices.Compact(row) {
			x := -r.Float64() / 6
			if c == int32(i) {
				a.Diag[i] = int32(len(val))
				x = 1.1
			} else if r.IntN(5) == 0 {
				x = 0
			}
			a.Col, val = append(a.Col, c), append(val, x)
		}
		a.Ptr[i+1] = int32(len(val))
	}
	return a, val
}

// The page's loops give the bits of plain Go, and leave the scratch as it was.
func TestSparseSameBits(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 400 {
		n := r.IntN(30)
		a, val := scattered(r, n)
		x := numbers(r, n)
		if n > 0 {
			x[r.IntN(n)] = 0
		}
		at := make([]int32, n)
		for i := range at {
			at[i] = -1
		}
		lu, plain := slices.Clone(val), slices.Clone(val)
		a.Factor(lu, at)
		a.factor(plain, at)
		for _, k := range at {
			if k != -1 {
				t.Fatal("the scratch is not -1")
			}
		}
		same := func(what string, got, want []float64) {
			t.Helper()
			for i, y := range want {
				if math.Float64bits(got[i]) != math.Float64bits(y) {
					t.Fatalf("%s of %d: number %d is %v; want %v", what, n, i, got[i], y)
				}
			}
		}
		same("factors", lu, plain)
		y, z := make([]float64, n), make([]float64, n)
		a.Multiply(y, val, x)
		a.multiply(z, val, x)
		same("product", y, z)
		a.MultiplyTransposed(y, val, x)
		clear(z)
		a.multiplyTransposed(z, val, x)
		same("product of the transpose", y, z)
		copy(y, x)
		copy(z, x)
		a.Solve(y, lu)
		a.solve(z, lu)
		same("solution", y, z)
		copy(y, x)
		copy(z, x)
		a.SolveTransposed(y, lu)
		a.solveTransposed(z, lu)
		same("solution of the transpose", y, z)
	}
}

// Where there is no fill the factors are exact: of a band of three they solve both systems.
func TestSparseSolves(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	const n = 40
	a, val := &Sparse{Ptr: make([]int32, n+1), Diag: make([]int32, n)}, []float64{}
	for i := range n {
		for c := max(i-1, 0); c <= min(i+1, n-1); c++ {
			if c == i {
				a.Diag[i] = int32(len(val))
			}
			a.Col, val = append(a.Col, int32(c)), append(val, r.NormFloat64()+float64(4*(1-abs(c-i))))
		}
		a.Ptr[i+1] = int32(len(val))
	}
	lu, at := slices.Clone(val), slices.Repeat([]int32{-1}, n)
	a.Factor(lu, at)
	want, x := numbers(r, n), make([]float64, n)
	near := func(what string) {
		t.Helper()
		for i := range x {
			if !(math.Abs(x[i]-want[i]) <= 1e-12) {
				t.Errorf("%s: number %d is %v; want %v", what, i, x[i], want[i])
			}
		}
	}
	a.Multiply(x, val, want)
	a.Solve(x, lu)
	near("solution")
	a.MultiplyTransposed(x, val, want)
	a.SolveTransposed(x, lu)
	near("solution of the transpose")
}

func abs(x int) int { return max(x, -x) }
