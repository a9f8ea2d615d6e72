//go:build !js

package vector

import "gonum.org/v1/gonum/blas/gonum"

// Implementation says which code runs: gonum's assembly where it has the same
// bits, for sums of multiples and products; "gonum". (Its dot product adds in
// other lanes.)
func Implementation() string { return "gonum" }

// long is from which length on gonum pays for its checks.
const long = 32

func runAxpy(dst, src []float64, f float64) {
	if len(dst) < long || f == 0 { // gonum leaves a -0 to which 0 is added
		axpy(dst, src, f)
		return
	}
	gonum.Implementation{}.Daxpy(len(dst), f, src, 1, dst, 1)
}

func runScale(dst []float64, f float64) {
	if len(dst) < long || f == 0 { // gonum makes 0 of what 0 times is -0 or NaN
		scale(dst, f)
		return
	}
	gonum.Implementation{}.Dscal(len(dst), f, dst, 1)
}

func runRank1(rows []float64, stride int, src, f []float64) {
	if len(src) < long {
		rank1(rows, stride, src, f)
		return
	}
	for r, v := range f {
		if v != 0 {
			gonum.Implementation{}.Daxpy(len(src), v, src, 1, rows[r*stride:], 1)
		}
	}
}

func runCombine(dst, rows []float64, stride int, at []int32, f []float64) {
	const block = 1024 // stays in the nearest cache
	for from := 0; from < len(dst); from += block {
		d := dst[from:min(from+block, len(dst))]
		if len(d) < long {
			combine(d, rows[from:], stride, at, f)
			return
		}
		clear(d)
		for k, r := range at {
			runAxpy(d, rows[from+int(r)*stride:][:len(d)], f[k])
		}
	}
}
