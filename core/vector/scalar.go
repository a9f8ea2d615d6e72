//go:build !js || !simd

package vector

// Where the loops of the page are not, these run as they are defined.

func runDot(x, y []float64) float64 { return dot(x, y) }

func runDots(dst, rows []float64, stride int, x []float64) { dots(dst, rows, stride, x) }

func runEliminate(dst, rows []float64, stride int, f []float64) { eliminate(dst, rows, stride, f) }

func runLeast(x []float64) float64 { return smallest(x) }

func runToward(x []float64, stride, j int, f []float64) { toward(x, stride, j, f) }

func runLeastToward(dst, x []float64, stride, j int, f float64) { leastToward(dst, x, stride, j, f) }

func runEliminateOctets(dst *Octet, rows []Octet, stride int, f []Octet) {
	eliminateOctets(dst, rows, stride, f)
}

func runEvaluate(y *Systems, pi []float64) { y.evaluate(pi) }

func runActions(y *Systems, dst, c []float64, kernel, n int, occupied bool) {
	y.actions(dst, c, kernel, n, occupied)
}

func runGather(at []int32, f, x []float64) float64 { return gather(at, f, x) }

func runGatherRows(dst []float64, at []int32, f, rows []float64, stride int) {
	gatherRows(dst, at, f, rows, stride)
}

func runGatherSome(dst []float64, which []int32, want int32, ptr, size []int64, at []int32, f, x []float64) {
	gatherSome(dst, which, want, ptr, size, at, f, x)
}

func runExp(dst, src []float64) { exp(dst, src) }

func runTilt(sums *Moments, p, q, z []float64, base, scale, b float64) {
	tilt(sums, p, q, z, base, scale, b)
}

func runTiltLittle(sums *Moments, p, q, z []float64, base, scale, b, mean float64) {
	tiltLittle(sums, p, q, z, base, scale, b, mean)
}

func runWeigh(p, q, e, w []float64, at []int32) (mass, first float64) { return weigh(p, q, e, w, at) }

func (a *Sparse) runMultiply(dst, val, x []float64) { a.multiply(dst, val, x) }

func (a *Sparse) runMultiplyTransposed(dst, val, x []float64) { a.multiplyTransposed(dst, val, x) }

func (a *Sparse) runFactor(lu []float64, at []int32) { a.factor(lu, at) }

func (a *Sparse) runSolve(x, lu []float64) { a.solve(x, lu) }

func (a *Sparse) runSolveTransposed(x, lu []float64) { a.solveTransposed(x, lu) }

func runOrder(order []int32, z []float64) { orderOf(order, z) }

func runShift(x *Excess, p, q, z []float64, order []int32, mass float64) {
	shift(x, p, q, z, order, mass)
}

func runPour(x *Excess, p, lo, hi, z []float64, order []int32) { pour(x, p, lo, hi, z, order) }

func runPourAround(x *Excess, p, lo, hi, q, z []float64, order []int32, r float64) {
	pourAround(x, p, lo, hi, q, z, order, r)
}

func runShare(x *Excess, p, q, z []float64, r float64) { share(x, p, q, z, r) }

func runLift(x *Excess, p, q, z []float64, rho float64) { lift(x, p, q, z, rho) }

func runProject(x *Excess, p, w, q, z []float64, r float64) { project(x, p, w, q, z, r) }
