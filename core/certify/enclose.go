package certify

// approx is one kernel in float64: what proofs in floating point start from.
// Every number is the float64 nearest to its exact one, so within one unit
// roundoff, and so counted in the margins.
type approx struct {
	in    *instance
	gamma float64 // nearest to γ
	rows  []row   // by pair
}

func (in *instance) approx(rows []row) *approx {
	return &approx{in: in, gamma: nearest(in.gamma), rows: rows}
}

// expectedCosts is expected rounded to the nearest, by pair.
func (k *approx) expectedCosts(c int) []float64 {
	v := make([]float64, len(k.rows))
	for i := range v {
		v[i] = nearest(k.in.expected(c, i, &k.rows[i]))
	}
	return v
}

// returns encloses J_n = μ·V of every cost under the kernel and the policy. V
// need only be near: with the residual e = c^π + γP^πV - V enclosed in
// outward-rounded arithmetic,
//
//	μ·V + min(e)/(1-γ) <= J <= μ·V + max(e)/(1-γ)
//
// since the exact value is V + (I - γP^π)⁻¹e and the rows of that inverse are
// nonnegative and sum to 1/(1-γ). O(S³/3 + N·S·pairs).
func (k *approx) returns(pi []float64) []iv {
	in := k.in
	lu := k.factored(pi)
	out := make([]iv, len(in.costs))
	v, res := make([]float64, in.S), make([]float64, in.S)
	for n := range out {
		c := k.expectedCosts(n)
		clear(v)
		for range 3 { // the first round solves, the others refine
			k.residual(res, v, c, pi)
			lu.solve(res)
			for s, x := range res {
				v[s] += x
			}
		}
		e := k.residual(res, v, c, pi)
		out[n] = in.start(v).add(e.mul(enclose(in.horizon)))
	}
	return out
}

// factored is I - γP^π, factored.
func (k *approx) factored(pi []float64) *lu {
	in := k.in
	lu := newLU(in.S)
	for s := range in.S {
		row := lu.row(s)
		for i := in.Off[s]; i < in.Off[s+1]; i++ {
			if w := k.gamma * pi[i]; w != 0 {
				for j, to := range k.rows[i].next {
					row[to] -= w * k.rows[i].near[j]
				}
			}
		}
		row[s]++
	}
	lu.factor()
	return lu
}

// residual writes about c^π + γP^πV - V to dst and encloses its range.
func (k *approx) residual(dst, v, c, pi []float64) iv {
	in := k.in
	var e iv
	for s := range in.S {
		var t sum
		t.add(-v[s])
		for i := in.Off[s]; i < in.Off[s+1]; i++ {
			if pi[i] == 0 {
				continue
			}
			t.add(pi[i] * c[i]) // c and the product rounded: 2 roundoffs
			w := pi[i] * k.gamma
			for j, to := range k.rows[i].next {
				t.add(w * (k.rows[i].near[j] * v[to])) // γ, P and three products: 5; what may underflow is not multiplied by more than 1
			}
		}
		b := t.bounds(5)
		if dst[s] = t.v + t.low; s == 0 {
			e = b
		} else {
			e = e.hull(b)
		}
	}
	return e
}

// start encloses μ·v.
func (in *instance) start(v []float64) iv {
	var t sum
	for j, s := range in.mu.next {
		t.add(in.mu.near[j] * v[s])
	}
	return t.bounds(2)
}

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
