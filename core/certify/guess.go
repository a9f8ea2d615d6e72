package certify

// lu is a dense float64 factorisation for guesses: nothing is proved by it.
type lu struct {
	n int       // rows
	a []float64 // by rows
}

func newLU(n int) *lu { return &lu{n, make([]float64, n*n)} }

func (y *lu) row(s int) []float64 { return y.a[s*y.n : (s+1)*y.n] }

// factor eliminates without pivoting: I - γP^π is row diagonally dominant.
func (y *lu) factor() {
	for k := range y.n {
		rk := y.row(k)
		for i := k + 1; i < y.n; i++ {
			ri := y.row(i)
			f := ri[k] / rk[k]
			if ri[k] = f; f != 0 {
				for j := k + 1; j < y.n; j++ {
					ri[j] -= f * rk[j]
				}
			}
		}
	}
}

func (y *lu) solve(x []float64) {
	for i := range y.n {
		for k, f := range y.row(i)[:i] {
			x[i] -= f * x[k]
		}
	}
	for i := y.n - 1; i >= 0; i-- {
		r := y.row(i)
		for k := i + 1; k < y.n; k++ {
			x[i] -= r[k] * x[k]
		}
		x[i] /= r[i]
	}
}
