//go:build js

package vector

// Implementation says which code runs: the loops of the page, "simd", or plain Go, "go".
func Implementation() string {
	if simd {
		return "simd"
	}
	return "go"
}

func runAxpy(dst, src []float64, f float64)                 { axpy(dst, src, f) }
func runScale(dst []float64, f float64)                     { scale(dst, f) }
func runRank1(rows []float64, stride int, src, f []float64) { rank1(rows, stride, src, f) }
func runCombine(dst, rows []float64, stride int, at []int32, f []float64) {
	combine(dst, rows, stride, at, f)
}
