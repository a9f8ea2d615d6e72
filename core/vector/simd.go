//go:build js && wasm && simd

package vector

// In a page the loops run in a second, small WebAssembly module with SIMD that
// works on this program's memory (vector.wat, systems.wat). It is reached through functions
// that only call it (table.wat), because it can be made only after the memory.

// simd reports whether the browser has it; plain Go runs elsewhere.
var simd = ready() == 1

// Implementation says which code runs: "simd" or "go".
func Implementation() string {
	if simd {
		return "simd"
	}
	return "go"
}

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

// worth is from which length on a call pays.
const worth = 16

// few is from which length on one pays for a row, whose loops do more for each number.
const few = 8

func runAxpy(dst, src []float64, f float64) {
	if !simd || len(dst) < worth {
		axpy(dst, src, f)
		return
	}
	simdAxpy(&dst[0], &src[0], int32(len(dst)), f)
}

func runScale(dst []float64, f float64) {
	if !simd || len(dst) < worth {
		scale(dst, f)
		return
	}
	simdScale(&dst[0], int32(len(dst)), f)
}

func runDot(x, y []float64) float64 {
	if !simd || len(x) < worth {
		return dot(x, y)
	}
	return simdDot(&x[0], &y[0], int32(len(x)))
}

func runDots(dst, rows []float64, stride int, x []float64) {
	if !simd || len(x)*len(dst) < worth {
		dots(dst, rows, stride, x)
		return
	}
	simdDots(&dst[0], int32(len(dst)), &rows[0], int32(stride), &x[0], int32(len(x)))
}

func runRank1(rows []float64, stride int, src, f []float64) {
	if !simd || len(src)*len(f) < worth {
		rank1(rows, stride, src, f)
		return
	}
	simdRank1(&rows[0], int32(stride), &src[0], int32(len(src)), &f[0], int32(len(f)))
}

func runEliminate(dst, rows []float64, stride int, f []float64) {
	if !simd || len(dst)*len(f) < worth {
		eliminate(dst, rows, stride, f)
		return
	}
	simdEliminate(&dst[0], int32(len(dst)), &rows[0], int32(stride), &f[0], int32(len(f)))
}

func runEliminateOctets(dst *Octet, rows []Octet, stride int, f []Octet) {
	if !simd {
		eliminateOctets(dst, rows, stride, f)
		return
	}
	simdEliminate(&dst[0], 8, &rows[0][0], int32(8*stride), &f[0][0], int32(8*len(f)))
}

func runCombine(dst, rows []float64, stride int, at []int32, f []float64) {
	if !simd || len(dst)*len(at) < worth {
		combine(dst, rows, stride, at, f)
		return
	}
	simdCombine(&dst[0], int32(len(dst)), &rows[0], int32(stride), &at[0], &f[0], int32(len(at)))
}

func runLeast(x []float64) float64 {
	if !simd || len(x) < worth {
		return smallest(x)
	}
	return simdLeast(&x[0], int32(len(x)))
}

func runToward(x []float64, stride, j int, f []float64) {
	if !simd || len(x) < worth {
		toward(x, stride, j, f)
		return
	}
	simdToward(&x[0], int32(len(x)/(stride*len(f))), int32(stride), int32(j), &f[0], int32(len(f)))
}

func runLeastToward(dst, x []float64, stride, j int, f float64) {
	if !simd || len(x) < worth {
		leastToward(dst, x, stride, j, f)
		return
	}
	simdLeastToward(&dst[0], int32(len(dst)), &x[0], int32(len(x)/(stride*len(dst))), int32(stride), int32(j), f)
}

func runEvaluate(y *Systems, pi []float64) {
	if !simd {
		y.evaluate(pi)
		return
	}
	simdEvaluate(&y.index[0], &y.numbers[0], &y.octets[0][0], &pi[0])
}

func runActions(y *Systems, dst, c []float64, kernel, n int, occupied bool) {
	if !simd {
		y.actions(dst, c, kernel, n, occupied)
		return
	}
	var times int32
	if occupied {
		times = 1
	}
	simdActions(&y.index[0], &y.numbers[0], &y.octets[0][0], &dst[0], &c[0], int32(kernel), int32(n), times)
}

func runGather(at []int32, f, x []float64) float64 {
	if !simd || len(at) < worth {
		return gather(at, f, x)
	}
	return simdGather(&at[0], &f[0], &x[0], int32(len(at)))
}

func runGatherRows(dst []float64, at []int32, f, rows []float64, stride int) {
	if !simd || len(at) == 0 {
		gatherRows(dst, at, f, rows, stride)
		return
	}
	simdGatherRows(&dst[0], int32(len(dst)), &at[0], &f[0], int32(len(at)), &rows[0], int32(stride))
}

func runGatherSome(dst []float64, which []int32, want int32, ptr, size []int64, at []int32, f, x []float64) {
	if !simd || len(at) == 0 {
		gatherSome(dst, which, want, ptr, size, at, f, x)
		return
	}
	simdGatherSome(&dst[0], &which[0], int32(len(which)), want, &ptr[0], &size[0], &at[0], &f[0], &x[0])
}

func runExp(dst, src []float64) {
	if !simd || len(dst) == 0 {
		exp(dst, src)
		return
	}
	simdExp(&dst[0], &src[0], int32(len(dst)), &series[0])
}

func runTilt(sums *Moments, p, q, z []float64, base, scale, b float64) {
	if !simd || len(p) == 0 {
		tilt(sums, p, q, z, base, scale, b)
		return
	}
	simdTilt(&sums.Mass, &p[0], &q[0], &z[0], int32(len(p)), base, scale, b, &series[0])
}

func runTiltLittle(sums *Moments, p, q, z []float64, base, scale, b, mean float64) {
	if !simd || len(p) == 0 {
		tiltLittle(sums, p, q, z, base, scale, b, mean)
		return
	}
	simdTiltLittle(&sums.Mass, &p[0], &q[0], &z[0], int32(len(p)), base, scale, b, mean, &series[0])
}

func runWeigh(p, q, e, w []float64, at []int32) (mass, first float64) {
	if !simd {
		return weigh(p, q, e, w, at)
	}
	var sums [2]float64
	var places *int32
	if at != nil {
		places = &at[0]
	}
	simdWeigh(&sums[0], &p[0], &q[0], int32(len(p)), &e[0], &w[0], places)
	return sums[0], sums[1]
}

func (a *Sparse) runMultiply(dst, val, x []float64) {
	if !simd {
		a.multiply(dst, val, x)
		return
	}
	simdSparseMultiply(int32(len(a.Diag)), &a.Ptr[0], &a.Col[0], &dst[0], &val[0], &x[0])
}

func (a *Sparse) runMultiplyTransposed(dst, val, x []float64) {
	if !simd {
		a.multiplyTransposed(dst, val, x)
		return
	}
	simdSparseMultiplyTransposed(int32(len(a.Diag)), &a.Ptr[0], &a.Col[0], &dst[0], &val[0], &x[0])
}

func (a *Sparse) runFactor(lu []float64, at []int32) {
	if !simd {
		a.factor(lu, at)
		return
	}
	simdSparseFactor(int32(len(a.Diag)), &a.Ptr[0], &a.Col[0], &a.Diag[0], &lu[0], &at[0])
}

func (a *Sparse) runSolve(x, lu []float64) {
	if !simd {
		a.solve(x, lu)
		return
	}
	simdSparseSolve(int32(len(a.Diag)), &a.Ptr[0], &a.Col[0], &a.Diag[0], &x[0], &lu[0])
}

func (a *Sparse) runSolveTransposed(x, lu []float64) {
	if !simd {
		a.solveTransposed(x, lu)
		return
	}
	simdSparseSolveTransposed(int32(len(a.Diag)), &a.Ptr[0], &a.Col[0], &a.Diag[0], &x[0], &lu[0])
}

func runOrder(order []int32, z []float64) {
	if !simd || len(z) < few {
		orderOf(order, z)
		return
	}
	simdOrder(&order[0], &z[0], int32(len(z)))
}

func runShift(x *Excess, p, q, z []float64, order []int32, mass float64) {
	if !simd || len(p) < few {
		shift(x, p, q, z, order, mass)
		return
	}
	simdShift(&x.Top, &p[0], &q[0], &z[0], int32(len(p)), &order[0], mass)
}

func runPour(x *Excess, p, lo, hi, z []float64, order []int32) {
	if !simd {
		pour(x, p, lo, hi, z, order)
		return
	}
	simdPour(&x.Top, &p[0], &lo[0], &hi[0], &z[0], int32(len(p)), &order[0])
}

func runPourAround(x *Excess, p, lo, hi, q, z []float64, order []int32, r float64) {
	if !simd {
		pourAround(x, p, lo, hi, q, z, order, r)
		return
	}
	simdPourAround(&x.Top, &p[0], &lo[0], &hi[0], &q[0], &z[0], int32(len(p)), &order[0], r)
}

func runShare(x *Excess, p, q, z []float64, r float64) {
	if !simd {
		share(x, p, q, z, r)
		return
	}
	simdShare(&x.Top, &p[0], &q[0], &z[0], int32(len(p)), r)
}

func runLift(x *Excess, p, q, z []float64, rho float64) {
	if !simd {
		lift(x, p, q, z, rho)
		return
	}
	simdLift(&x.Top, &p[0], &q[0], &z[0], int32(len(p)), rho)
}

func runProject(x *Excess, p, w, q, z []float64, r float64) {
	if !simd {
		project(x, p, w, q, z, r)
		return
	}
	simdProject(&x.Top, &p[0], &w[0], &q[0], &z[0], int32(len(p)), r)
}
