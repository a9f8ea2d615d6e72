package evaluate

// System is one factorisation of I - γP^π, from which values and occupancy
// measures of any cost follow by back substitution. Elimination needs no
// pivoting: the matrix is strictly row diagonally dominant.
type System struct {
	s   int
	lu  []float64 // row major; unit lower triangle below, upper on and above the diagonal
	inv []float64 // 1/u_ii
}

// NewSystem makes the work space for s states.
func NewSystem(s int) *System {
	return &System{s: s, lu: make([]float64, s*s), inv: make([]float64, s)}
}

// Matrix is the s×s row-major work space: fill it with I - γP^π, then Factor.
func (y *System) Matrix() []float64 { return y.lu }

// Factor eliminates in place, O(S³/3).
func (y *System) Factor() {
	s := y.s
	for i := range s {
		ri := y.lu[i*s : (i+1)*s]
		for k := range i {
			f := ri[k] * y.inv[k]
			if f == 0 {
				continue
			}
			ri[k] = f
			rk := y.lu[k*s+k+1 : (k+1)*s]
			ra := ri[k+1:]
			for j, u := range rk {
				ra[j] -= f * u
			}
		}
		y.inv[i] = 1 / ri[i]
	}
}

// Solve replaces x by (I - γP^π)^{-1} x, O(S²).
func (y *System) Solve(x []float64) {
	s := y.s
	for i := range s {
		t := x[i]
		for k, l := range y.lu[i*s : i*s+i] {
			t -= l * x[k]
		}
		x[i] = t
	}
	for i := s - 1; i >= 0; i-- {
		t := x[i]
		for k := i + 1; k < s; k++ {
			t -= y.lu[i*s+k] * x[k]
		}
		x[i] = t * y.inv[i]
	}
}

// SolveTransposed replaces x by (I - γP^π)^{-ᵀ} x, O(S²): μ becomes the
// unnormalised occupancy measure.
func (y *System) SolveTransposed(x []float64) {
	s := y.s
	for i := range s {
		t := x[i] * y.inv[i]
		x[i] = t
		for k := i + 1; k < s; k++ {
			x[k] -= y.lu[i*s+k] * t
		}
	}
	for i := s - 1; i >= 0; i-- {
		t := x[i]
		for k, l := range y.lu[i*s : i*s+i] {
			x[k] -= l * t
		}
	}
}
