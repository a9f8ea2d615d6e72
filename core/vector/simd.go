//go:build js && wasm && simd

package vector

// In a page the loops run in a second, small WebAssembly module with SIMD that
// works on this program's memory (vector.wat, systems.wat). It is reached through functions
// that only call it (table.wat), because it can be made only after the memory.

// simd reports whether the browser has it; plain Go runs elsewhere.
var simd = ready() == 1

//go:wasmimport vector ready
func ready() int32

//go:wasmimport vector axpy
//go:noescape
func simdAxpy(d, s *float64, n int32, f float64)

//go:wasmimport vector scale
//go:noescape
func simdScale(d *float64, n int32, f float64)

//go:wasmimport vector dot
//go:noescape
func simdDot(x, y *float64, n int32) float64

//go:wasmimport vector dots
//go:noescape
func simdDots(d *float64, count int32, rows *float64, stride int32, x *float64, n int32)

//go:wasmimport vector rank1
//go:noescape
func simdRank1(rows *float64, stride int32, s *float64, n int32, f *float64, count int32)

//go:wasmimport vector combine
//go:noescape
func simdCombine(d *float64, n int32, rows *float64, stride int32, at *int32, f *float64, count int32)

//go:wasmimport vector least
//go:noescape
func simdLeast(x *float64, n int32) float64

//go:wasmimport vector toward
//go:noescape
func simdToward(x *float64, blocks, stride, j int32, f *float64, count int32)

//go:wasmimport vector leastToward
//go:noescape
func simdLeastToward(d *float64, count int32, x *float64, blocks, stride, j int32, f float64)

//go:wasmimport vector eliminate
//go:noescape
func simdEliminate(d *float64, n int32, rows *float64, stride int32, f *float64, count int32)

//go:wasmimport vector evaluate
//go:noescape
func simdEvaluate(index *int32, numbers *float64, octets *float64, pi *float64)

//go:wasmimport vector actions
//go:noescape
func simdActions(index *int32, numbers *float64, octets *float64, dst, c *float64, kernel, n, occupied int32)

//go:wasmimport vector gather
//go:noescape
func simdGather(at *int32, f, x *float64, n int32) float64

//go:wasmimport vector gatherRows
//go:noescape
func simdGatherRows(d *float64, count int32, at *int32, f *float64, n int32, rows *float64, stride int32)

//go:wasmimport vector gatherSome
//go:noescape
func simdGatherSome(d *float64, which *int32, count, want int32, ptr, size *int64, at *int32, f, x *float64)

//go:wasmimport vector exp
//go:noescape
func simdExp(d, s *float64, n int32, series *float64)

//go:wasmimport vector tilt
//go:noescape
func simdTilt(sums, p, q, z *float64, n int32, base, scale, b float64, series *float64)

//go:wasmimport vector tiltLittle
//go:noescape
func simdTiltLittle(sums, p, q, z *float64, n int32, base, scale, b, mean float64, series *float64)

//go:wasmimport vector weigh
//go:noescape
func simdWeigh(sums, p, q *float64, n int32, e, w *float64, at *int32)

//go:wasmimport vector sparseMultiply
//go:noescape
func simdSparseMultiply(n int32, ptr, col *int32, dst, val, x *float64)

//go:wasmimport vector sparseMultiplyTransposed
//go:noescape
func simdSparseMultiplyTransposed(n int32, ptr, col *int32, dst, val, x *float64)

//go:wasmimport vector sparseFactor
//go:noescape
func simdSparseFactor(n int32, ptr, col, diag *int32, lu *float64, at *int32)

//go:wasmimport vector sparseSolve
//go:noescape
func simdSparseSolve(n int32, ptr, col, diag *int32, x, lu *float64)

//go:wasmimport vector sparseSolveTransposed
//go:noescape
func simdSparseSolveTransposed(n int32, ptr, col, diag *int32, x, lu *float64)

//go:wasmimport vector order
//go:noescape
func simdOrder(order *int32, z *float64, n int32)

//go:wasmimport vector shift
//go:noescape
func simdShift(x, p, q, z *float64, n int32, order *int32, mass float64)

//go:wasmimport vector pour
//go:noescape
func simdPour(x, p, lo, hi, z *float64, n int32, order *int32)

//go:wasmimport vector pourAround
//go:noescape
func simdPourAround(x, p, lo, hi, q, z *float64, n int32, order *int32, r float64)

//go:wasmimport vector share
//go:noescape
func simdShare(x, p, q, z *float64, n int32, r float64)

//go:wasmimport vector lift
//go:noescape
func simdLift(x, p, q, z *float64, n int32, rho float64)

//go:wasmimport vector project
//go:noescape
func simdProject(x, p, w, q, z *float64, n int32, r float64)
