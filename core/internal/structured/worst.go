package structured

import (
	"math"
	"math/big"
	"slices"
	"strconv"

	"rcmdplab/core/model"
)

// worst evaluates policies: the worst-case return of every cost, less what an
// offset of the cost amounts to, which could be a million times the differences
// between policies and take their digits.
type worst struct {
	m         *model.Standard // with costs that reach 0, and thresholds to match
	base      []float64       // by cost: what was taken off every return
	kernels   []*model.Kernel // of a finite set
	adversary *adversary      // of any other
}

func newWorst(problem *model.Standard) *worst {
	m := *problem
	w := &worst{m: &m, kernels: m.Kernels}
	m.C, m.CNext, m.B = make([][]float64, m.N+1), make([][]float64, m.N+1), slices.Clone(m.B)
	rest := ending(&m)
	for n := range m.N + 1 {
		offset, less := offset(problem, n, rest)
		for _, x := range problem.C[n] {
			m.C[n] = append(m.C[n], less(x))
		}
		for _, x := range problem.CNext[n] {
			m.CNext[n] = append(m.CNext[n], less(x))
		}
		base := new(big.Rat).Quo(decimal(offset), rest)
		if n > 0 {
			m.B[n] = from(threshold(problem, n, rest), base)
		}
		f, _ := base.Float64()
		w.base = append(w.base, f)
	}
	if m.Kernels == nil {
		w.adversary = &adversary{m: &m, u: &m.Problem.Uncertainty}
		if m.Problem.Uncertainty.Nominal != nil {
			w.adversary.nominal = m.NormalisedNominal()
		}
	}
	return w
}

// offset is what is taken off cost n, and the function that does it: what all costs
// have in common, or the end of their range next to which the limit is small. Where
// nearly every step costs 1e6, ten million steps leave no digits for the few that do not;
// and next to a common part of 1e6, the float64s of costs have few for what is left.
func offset(m *model.Standard, n int, rest *big.Rat) (x float64, less func(c float64) float64) {
	const far = 1000 // so much nearer, or larger, it is worth its decimals
	lo, hi := m.Bounds(n)
	x = max(lo, 0) + min(hi, 0) // 0 unless all costs are on one side of it
	exact := math.Abs(x) > far*(hi-lo)
	if n > 0 {
		b := new(big.Rat).Mul(threshold(m, n, rest), rest) // a step
		away := func(x float64) float64 { return math.Abs(from(b, decimal(x))) }
		for _, end := range [2]float64{lo, hi} {
			if away(end) < away(x)/far {
				x, exact = end, true
			}
		}
	}
	if !exact {
		return x, func(c float64) float64 { return c - x }
	}
	common := decimal(x)
	return x, func(c float64) float64 { return from(decimal(c), common) }
}

// from is the float64 nearest to a - b.
func from(a, b *big.Rat) float64 {
	f, _ := new(big.Rat).Sub(a, b).Float64()
	return f
}

// threshold is b_n of the internal convention, from the decimals of the document.
func threshold(m *model.Standard, n int, rest *big.Rat) *big.Rat {
	c := &m.Problem.Constraints[n-1]
	b := decimal(c.Bound)
	if c.AtLeast {
		b.Neg(b)
	}
	if c.Average {
		b.Quo(b, rest)
	}
	return b
}

// ending is 1-γ.
func ending(m *model.Standard) *big.Rat {
	gamma := decimal(m.Gamma)
	return gamma.Sub(big.NewRat(1, 1), gamma)
}

// decimal is the number as a person writes it.
func decimal(x float64) *big.Rat {
	r, ok := new(big.Rat).SetString(strconv.FormatFloat(x, 'g', -1, 64))
	if !ok {
		panic("structured: not a number")
	}
	return r
}

// dense is a kernel's rows by pair.
func dense(m *model.Standard, k *model.Kernel) [][]float64 {
	rows := make([][]float64, m.Pairs())
	for i := range rows {
		rows[i] = make([]float64, m.S)
		k.Dense(rows[i], i)
	}
	return rows
}

// stepCost is cost n of pair i when nature uses the row.
func stepCost(m *model.Standard, n, i int, row []float64) float64 {
	if m.CNext[n] == nil {
		return m.C[n][i]
	}
	c := 0.0
	for t, p := range row {
		c += p * m.CNext[n][i*m.S+t]
	}
	return c
}

// values is the worst-case value of cost n by state, under the policy.
func (w *worst) values(pi []float64, n int) []float64 {
	m := w.m
	if w.kernels != nil {
		var most []float64
		high := math.Inf(-1)
		for _, k := range w.kernels {
			v := fixed(m, pi, dense(m, k), n, nil)
			if j := dot(m.Mu, v); j > high {
				high, most = j, v
			}
		}
		return most
	}
	// Nature's policy iteration: the worst rows for the values, their values, ...
	v := make([]float64, m.S)
	rows, penalty := make([][]float64, m.Pairs()), make([]float64, m.Pairs())
	for round := range 60 {
		for i := range rows {
			rows[i], penalty[i] = w.adversary.row(i, outlook(m, n, i, v))
		}
		next := fixed(m, pi, rows, n, penalty)
		rise, size := 0.0, 0.0
		for s := range v {
			rise, size = max(rise, next[s]-v[s]), max(size, math.Abs(next[s]))
		}
		v = next
		if round > 0 && rise <= 1e-14*size {
			break
		}
	}
	return v
}

// outlook is z = c + γ v of pair i, by successor; a cost of the pair alone is
// left out, being the same for all.
func outlook(m *model.Standard, n, i int, v []float64) []float64 {
	z := make([]float64, m.S)
	for t := range z {
		z[t] = m.Gamma * v[t]
		if m.CNext[n] != nil {
			z[t] += m.CNext[n][i*m.S+t]
		}
	}
	return z
}

// returns are the worst-case returns of every cost.
func (w *worst) returns(pi []float64) []float64 {
	j := make([]float64, w.m.N+1)
	for n := range j {
		j[n] = dot(w.m.Mu, w.values(pi, n))
	}
	return j
}

// Returns are the worst-case returns of every cost under a policy (one
// probability for each available pair), and the largest violation of a limit
// as a share of Standard.Scale, -Inf without limits.
func Returns(m *model.Standard, pi []float64) (j []float64, violation float64) {
	w := newWorst(m)
	j = w.returns(pi)
	violation = w.violation(m, j)
	for n := range j {
		j[n] += w.base[n]
	}
	return j, violation
}

// violation is the largest J_n - b_n of the returns as a share of the size of
// an error in that return, and -Inf without limits.
func (w *worst) violation(problem *model.Standard, j []float64) float64 {
	v := math.Inf(-1)
	for n := 1; n <= w.m.N; n++ {
		v = max(v, (j[n]-w.m.B[n])/size(problem, n))
	}
	return v
}

// size is the size of an error next to limit n, in the problem's own costs.
func size(problem *model.Standard, n int) float64 {
	return max(problem.Scale(n, problem.B[n]), math.SmallestNonzeroFloat64)
}

// leastReturn is the least worst-case return of cost n over all policies of a
// rectangular set, or the largest over a finite set's kernels of each one's
// own least, which no policy is below.
func (w *worst) leastReturn(n int) float64 {
	if w.kernels == nil {
		return dot(w.m.Mu, w.leastValues(n))
	}
	most := math.Inf(-1)
	for _, k := range w.kernels {
		alone := *w
		alone.kernels = []*model.Kernel{k}
		most = max(most, dot(w.m.Mu, alone.leastValues(n)))
	}
	return most
}

// leastValues are the optimal worst-case values of cost n, by policy iteration
// against nature: exact up to rounding, because every row is chosen by itself.
func (w *worst) leastValues(n int) []float64 {
	m := w.m
	choice := append([]int(nil), m.Off[:m.S]...)
	var lowest []float64
	stood := 0 // so many policies were no better than the best: those that rounding alone tells apart take turns for ever
	for range 1000 {
		v := w.values(m.Deterministic(choice), n)
		if stood++; lowest == nil || dot(m.Mu, v) < dot(m.Mu, lowest) {
			lowest, stood = v, 0
		}
		changed := false
		for s := range choice {
			q := func(i int) float64 {
				z := outlook(m, n, i, v)
				row, penalty := []float64(nil), 0.0
				if w.kernels != nil {
					row = make([]float64, m.S)
					w.kernels[0].Dense(row, i)
				} else {
					row, penalty = w.adversary.row(i, z)
				}
				x := dot(row, z) - penalty
				if m.CNext[n] == nil {
					x += m.C[n][i]
				}
				return x
			}
			least := q(choice[s])
			for i := m.Off[s]; i < m.Off[s+1]; i++ {
				if x := q(i); x < least-1e-14*math.Abs(least) {
					least, choice[s], changed = x, i, true
				}
			}
		}
		if !changed {
			return v
		}
		if stood == 100 {
			return lowest
		}
	}
	panic("structured: policy iteration does not end")
}

// fixed is the value by state of cost n under a policy and rows, less the
// penalties. It solves (I - γP)v = c by the elimination of Grassmann, Taksar
// and Heyman (1985), which never subtracts: the chain ends with probability
// 1-γ at each step, and positive and negative costs are solved for apart, so
// each part is right to a few units in its last place whatever γ.
func fixed(m *model.Standard, pi []float64, rows [][]float64, n int, penalty []float64) []float64 {
	s := m.S
	rest, _ := ending(m).Float64()
	a, end := make([][]float64, s), make([]float64, s)
	plus, minus := make([]float64, s), make([]float64, s)
	for i, x := range pi {
		at := m.State[i]
		if a[at] == nil {
			a[at] = make([]float64, s)
		}
		if x == 0 {
			continue
		}
		for t, p := range rows[i] {
			a[at][t] += m.Gamma * x * p
		}
		end[at] += x * rest
		c := stepCost(m, n, i, rows[i])
		if penalty != nil {
			c -= penalty[i]
		}
		plus[at] += x * max(c, 0)
		minus[at] += x * max(-c, 0)
	}
	leave := make([]float64, s)
	for k := s - 1; k >= 0; k-- { // state k is left out of the chain on 0..k-1
		leave[k] = end[k]
		for t := range k {
			leave[k] += a[k][t]
		}
		for r := range k {
			f := a[r][k] / leave[k]
			for t := range k {
				a[r][t] += f * a[k][t]
			}
			end[r] += f * end[k]
			plus[r] += f * plus[k]
			minus[r] += f * minus[k]
		}
	}
	v := make([]float64, s)
	up, down := make([]float64, s), make([]float64, s)
	for k := range s {
		up[k], down[k] = plus[k], minus[k]
		for t := range k {
			up[k] += a[k][t] * up[t]
			down[k] += a[k][t] * down[t]
		}
		up[k] /= leave[k]
		down[k] /= leave[k]
		v[k] = up[k] - down[k]
	}
	return v
}

func dot(a, b []float64) float64 {
	x := 0.0
	for i := range a {
		x += a[i] * b[i]
	}
	return x
}

// somePolicies are up to most deterministic policies, all of them when there
// are no more.
func somePolicies(m *model.Standard, most int) [][]float64 {
	total := 1
	for s := range m.S {
		total *= m.Off[s+1] - m.Off[s]
		if total > 1<<20 {
			total = 1 << 20
		}
	}
	step := max(1, (total-1)/max(most-1, 1))
	if total <= most {
		step = 1
	}
	var all [][]float64
	for code := 0; code < total && len(all) < most; code += step {
		choice, c := make([]int, m.S), code
		for s := range choice {
			n := m.Off[s+1] - m.Off[s]
			choice[s] = m.Off[s] + c%n
			c /= n
		}
		all = append(all, m.Deterministic(choice))
	}
	return all
}
