//go:build !js || !simd

package vector

// Where the loops of the page are not, none of these is called.

const simd = false

func simdAxpy(d, s *float64, n int32, f float64) {}

func simdScale(d *float64, n int32, f float64) {}

func simdDot(x, y *float64, n int32) (none float64) { return none }

func simdDots(d *float64, count int32, rows *float64, stride int32, x *float64, n int32) {}

func simdRank1(rows *float64, stride int32, s *float64, n int32, f *float64, count int32) {}

func simdCombine(d *float64, n int32, rows *float64, stride int32, at *int32, f *float64, count int32) {
}

func simdLeast(x *float64, n int32) (none float64) { return none }

func simdToward(x *float64, blocks, stride, j int32, f *float64, count int32) {}

func simdLeastToward(d *float64, count int32, x *float64, blocks, stride, j int32, f float64) {}

func simdEliminate(d *float64, n int32, rows *float64, stride int32, f *float64, count int32) {}

func simdEvaluate(index *int32, numbers *float64, octets *float64, pi *float64) {}

func simdActions(index *int32, numbers *float64, octets *float64, dst, c *float64, kernel, n, occupied int32) {
}

func simdGather(at *int32, f, x *float64, n int32) (none float64) { return none }

func simdGatherRows(d *float64, count int32, at *int32, f *float64, n int32, rows *float64, stride int32) {
}

func simdGatherSome(d *float64, which *int32, count, want int32, ptr, size *int64, at *int32, f, x *float64) {
}

func simdExp(d, s *float64, n int32, series *float64) {}

func simdTilt(sums, p, q, z *float64, n int32, base, scale, b float64, series *float64) {}

func simdTiltLittle(sums, p, q, z *float64, n int32, base, scale, b, mean float64, series *float64) {}

func simdWeigh(sums, p, q *float64, n int32, e, w *float64, at *int32) {}

func simdSparseMultiply(n int32, ptr, col *int32, dst, val, x *float64) {}

func simdSparseMultiplyTransposed(n int32, ptr, col *int32, dst, val, x *float64) {}

func simdSparseFactor(n int32, ptr, col, diag *int32, lu *float64, at *int32) {}

func simdSparseSolve(n int32, ptr, col, diag *int32, x, lu *float64) {}

func simdSparseSolveTransposed(n int32, ptr, col, diag *int32, x, lu *float64) {}

func simdOrder(order *int32, z *float64, n int32) {}

func simdShift(x, p, q, z *float64, n int32, order *int32, mass float64) {}

func simdPour(x, p, lo, hi, z *float64, n int32, order *int32) {}

func simdPourAround(x, p, lo, hi, q, z *float64, n int32, order *int32, r float64) {}

func simdShare(x, p, q, z *float64, n int32, r float64) {}

func simdLift(x, p, q, z *float64, n int32, rho float64) {}

func simdProject(x, p, w, q, z *float64, n int32, r float64) {}
