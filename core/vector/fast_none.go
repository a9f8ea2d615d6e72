package vector

// least is from which length on a faster way is worth its call.
const least = 16

type kernel int

const (
	kernelAxpy kernel = iota
	kernelScale
	kernelDot
	kernelDots
	kernelRank1
	kernelCombine
	kernelLeast
	kernelToward
)

func fast(kernel) bool { return false }

func axpyFast(dst, src []float64, f float64)                               {}
func scaleFast(dst []float64, f float64)                                   {}
func dotFast(x, y []float64) float64                                       { return 0 }
func dotsFast(dst, rows []float64, stride int, x []float64)                {}
func rank1Fast(rows []float64, stride int, src, f []float64)               {}
func combineFast(dst, rows []float64, stride int, at []int32, f []float64) {}
func leastFast(x []float64) float64                                        { return 0 }
func towardFast(x []float64, stride, j int, f []float64)                   {}
