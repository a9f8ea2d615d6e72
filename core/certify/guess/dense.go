// Package guess holds what the checker only guesses with: solutions of linear systems in
// plain float64. Nothing rests on them. What comes out are numbers that whoever uses them
// proves something about by its own means, the residuals of values above all.
package guess

// Dense is a matrix that is factored in place, without pivoting.
type Dense struct {
	n int       // rows
	a []float64 // by rows
}

// NewDense is a matrix of n rows, all 0.
func NewDense(n int) *Dense { return &Dense{n, make([]float64, n*n)} }

// Row is row s, to be written before Factor.
func (y *Dense) Row(s int) []float64 { return y.a[s*y.n : (s+1)*y.n] }

// Factor eliminates without pivoting, which rows that are diagonally dominant need not,
// as those of I - γP. O(n³/3).
func (y *Dense) Factor() {
	for k := range y.n {
		rk := y.Row(k)
		for i := k + 1; i < y.n; i++ {
			ri := y.Row(i)
			f := ri[k] / rk[k]
			if ri[k] = f; f != 0 {
				for j := k + 1; j < y.n; j++ {
					ri[j] -= f * rk[j]
				}
			}
		}
	}
}

// Solve overwrites x, the right side, with the solution. O(n²).
func (y *Dense) Solve(x []float64) {
	for i := range y.n {
		for k, f := range y.Row(i)[:i] {
			x[i] -= f * x[k]
		}
	}
	for i := y.n - 1; i >= 0; i-- {
		r := y.Row(i)
		for k := i + 1; k < y.n; k++ {
			x[i] -= r[k] * x[k]
		}
		x[i] /= r[i]
	}
}
