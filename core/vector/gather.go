package vector

// Gather is Σ f[k]·x[at[k]] in two partial sums, one for each k mod 2. The
// length of at is a multiple of four, and f is as long.
func Gather(at []int32, f, x []float64) float64 {
	f = f[:len(at)]
	if simd && len(at) >= worth {
		return simdGather(&at[0], &f[0], &x[0], int32(len(at)))
	}
	return gather(at, f, x)
}

func gather(at []int32, f, x []float64) float64 {
	var r0, r1 float64
	for k := 0; k+4 <= len(at) && k+4 <= len(f); k += 4 {
		i, c := (*[4]int32)(at[k:]), (*[4]float64)(f[k:])
		r0 += float64(c[0] * x[i[0]])
		r1 += float64(c[1] * x[i[1]])
		r0 += float64(c[2] * x[i[2]])
		r1 += float64(c[3] * x[i[3]])
	}
	return r0 + r1
}

// GatherRows fills dst[r] with the Gather of row r of a matrix whose rows start
// stride apart.
func GatherRows(dst []float64, at []int32, f, rows []float64, stride int) {
	if len(dst) == 0 {
		return
	}
	_ = rows[len(dst)*stride-1]
	f = f[:len(at)]
	if simd && len(at) > 0 {
		simdGatherRows(&dst[0], int32(len(dst)), &at[0], &f[0], int32(len(at)), &rows[0], int32(stride))
		return
	}
	gatherRows(dst, at, f, rows, stride)
}

func gatherRows(dst []float64, at []int32, f, rows []float64, stride int) {
	for r := range dst {
		dst[r] = gather(at, f, rows[r*stride:][:stride])
	}
}

// GatherSome fills dst[i] with the Gather of x by row i of a sparse matrix, for
// those i with which[i] == want. Row i has size[i] entries from at[ptr[i]] and f[ptr[i]] on.
func GatherSome(dst []float64, which []int32, want int32, ptr, size []int64, at []int32, f, x []float64) {
	if len(which) == 0 {
		return
	}
	dst, ptr, size, f = dst[:len(which)], ptr[:len(which)], size[:len(which)], f[:len(at)]
	if simd && len(at) > 0 {
		simdGatherSome(&dst[0], &which[0], int32(len(which)), want, &ptr[0], &size[0], &at[0], &f[0], &x[0])
		return
	}
	gatherSome(dst, which, want, ptr, size, at, f, x)
}

func gatherSome(dst []float64, which []int32, want int32, ptr, size []int64, at []int32, f, x []float64) {
	for i, w := range which {
		if w == want {
			a, b := ptr[i], ptr[i]+size[i]
			dst[i] = gather(at[a:b], f[a:b], x)
		}
	}
}
