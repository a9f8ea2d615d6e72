package evaluate

import (
	"cmp"
	"math"
	"slices"

	"rcmdplab/core/model"
)

// averaged evaluates costs that are averaged over the models of a finite set, see
// model.Cost.Over: ρ(J_1..J_M) = max_q Σ_k q_k J_k over the q of a share α. For the returns
// of one policy the maximum is at a vertex: the dearest models first, each with as much as w/α
// lets it have. A vertex is a smooth piece of the policy, no larger than ρ at any other; those met
// before are kept, as minorants.
//
// What it says of a piece is about the mixture of the models: occupancy measures and values
// are sums by q, action values and rows those of somebody who knows what the state tells of the
// model: by q times how often it is visited.
type averaged struct {
	e     *Evaluator
	m     *model.Standard
	under inner // every cost under every kernel

	ret    []float64     // [kernel*(N+1)+n]
	list   []mixed       // the pieces at the last policy
	at     []int         // by cost: the piece that attains J_n
	single []int         // by cost: the worst kernel where that is what counts, else -1
	kept   [][][]float64 // by cost: vertices met, the latest first

	order []int     // work: kernels, the dearest first
	q     []float64 // work: a vertex
	g     []float64 // work by pair
	d     []float64 // work by state
	sum   []float64 // work by state
}

// mixed is one piece: a cost under a mixture of the kernels.
type mixed struct {
	n int       // the cost
	k int       // the only kernel; -1: by q
	q []float64 // by kernel
	j float64   // Σ q_k J_k
}

// mostKept is how many vertices of a cost are kept: a maximum over more is hardly nearer to ρ.
const mostKept = 12

func newAveraged(e *Evaluator, under inner) *averaged {
	m := e.centred
	k, n1 := len(m.Kernels), m.N+1
	x := &averaged{
		e: e, m: m, under: under, ret: make([]float64, k*n1), at: make([]int, n1), single: make([]int, n1), kept: make([][][]float64, n1),
		order: make([]int, k), q: make([]float64, k), g: make([]float64, m.Pairs()), d: make([]float64, m.S), sum: make([]float64, m.S),
	}
	return x
}

func (x *averaged) evaluate(pi []float64) {
	x.under.evaluate(pi)
	x.list = x.list[:0]
	n1 := x.m.N + 1
	for p := range x.ret {
		_, x.ret[p] = x.under.piece(p)
	}
	for n := range n1 {
		x.at[n] = len(x.list)
		if x.m.Over[n] == 0 {
			x.single[n] = x.under.worst(n)
			x.at[n] += x.single[n]
			for k := range x.m.Kernels {
				x.list = append(x.list, mixed{n: n, k: k, j: x.ret[k*n1+n]})
			}
			continue
		}
		x.single[n] = -1
		x.vertex(n)
		x.keep(n)
		x.e.J[n] = x.take(n, x.kept[n][0])
		size := 0.0
		for k := range x.m.Kernels {
			size = max(size, math.Abs(x.ret[k*n1+n]))
		}
		x.e.ErrorBound[n] += float64(2*len(x.q)+4) * u * size
	}
	for n, list := range x.kept { // the minorants come last: the places of the others are the same at every policy
		for _, q := range list[min(1, len(list)):] {
			x.take(n, q)
		}
	}
}

// take adds a piece of cost n and gives its return.
func (x *averaged) take(n int, q []float64) (j float64) {
	for k, share := range q {
		if share != 0 {
			j += share * x.ret[k*(x.m.N+1)+n]
		}
	}
	x.list = append(x.list, mixed{n: n, k: -1, q: q, j: j})
	return j
}

// vertex writes to q the one that attains ρ of cost n.
func (x *averaged) vertex(n int) {
	n1 := x.m.N + 1
	Tail(x.q, x.order, x.m.Weights, x.m.Over[n], func(k int) float64 { return x.ret[k*n1+n] })
}

// Tail writes to q the mixture of a share α of the models with the given weights, those first that are dearest:
// q_k <= w_k/α, Σ q = 1; of α = 0 the dearest alone. The last takes what rounding leaves. order, as long, is work.
func Tail(q []float64, order []int, w []float64, share float64, dear func(k int) float64) {
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(dear(b), dear(a)) })
	if clear(q); share == 0 {
		q[order[0]] = 1
		return
	}
	left, last := 1.0, order[0]
	for _, k := range order {
		if w[k] == 0 {
			continue
		}
		q[k] = min(w[k]/share, left)
		left -= q[k]
		if last = k; left <= 0 {
			break
		}
	}
	q[last] += left
}

// keep puts the vertex first among those of cost n.
func (x *averaged) keep(n int) {
	list := x.kept[n]
	i := slices.IndexFunc(list, func(q []float64) bool { return slices.Equal(q, x.q) })
	switch {
	case i >= 0:
	case len(list) < mostKept:
		list, i = append(list, slices.Clone(x.q)), len(list)
	default:
		i = len(list) - 1
		copy(list[i], x.q)
	}
	first := list[i]
	copy(list[1:i+1], list[:i])
	list[0] = first
	x.kept[n] = list
}

func (x *averaged) pieces() int                    { return len(x.list) }
func (x *averaged) piece(p int) (n int, j float64) { return x.list[p].n, x.list[p].j }
func (x *averaged) active(n int) int               { return x.at[n] }
func (x *averaged) worst(n int) int                { return x.single[n] }

// each calls visit for the kernels of piece p with their shares, and the piece below of each.
func (x *averaged) each(p int, visit func(k, below int, share float64)) {
	f, n1 := &x.list[p], x.m.N+1
	if f.k >= 0 {
		visit(f.k, f.k*n1+f.n, 1)
		return
	}
	for k, share := range f.q {
		if share != 0 {
			visit(k, k*n1+f.n, share)
		}
	}
}

// mix writes to dst the sum by shares of what of writes to work.
func (x *averaged) mix(dst, work []float64, p int, of func(dst []float64, below int)) {
	clear(dst)
	x.each(p, func(_, below int, share float64) {
		of(work, below)
		for i, v := range work {
			dst[i] += share * v
		}
	})
}

func (x *averaged) gradient(dst []float64, p int)  { x.mix(dst, x.g, p, x.under.gradient) }
func (x *averaged) occupancy(dst []float64, p int) { x.mix(dst, x.d, p, x.under.occupancy) }
func (x *averaged) value(dst []float64, p int)     { x.mix(dst, x.d, p, x.under.value) }

// action divides the gradient by how often a state is visited. Where that is never, the shares alone count.
func (x *averaged) action(dst []float64, p int) {
	x.mix(dst, x.g, p, x.under.action)
	x.occupancy(x.sum, p)
	x.mix(x.g, make([]float64, len(dst)), p, x.under.gradient)
	for i, s := range x.m.State {
		if d := x.m.H * x.sum[s]; d > 0 {
			dst[i] = x.g[i] / d
		}
	}
}

func (x *averaged) row(dst []float64, p, i int) {
	s, total := x.m.State[i], 0.0
	clear(dst)
	one := make([]float64, len(dst))
	for _, visited := range [2]bool{true, false} {
		x.each(p, func(_, below int, share float64) {
			if visited {
				x.under.occupancy(x.d, below)
				share *= x.d[s]
			}
			x.under.row(one, below, i)
			for t, q := range one {
				dst[t] += share * q
			}
			total += share
		})
		if total > 0 {
			break
		}
	}
	for t := range dst {
		dst[t] /= total
	}
}

// Shares are what each kernel of a finite set counts in cost n at the last policy, Σ_k q_k J_k: of the worst one alone
// where that is what counts. Nil for another set.
func (e *Evaluator) Shares(n int) []float64 {
	if e.M.Rectangular() {
		return nil
	}
	q := make([]float64, len(e.M.Kernels))
	switch k := e.Worst(n); {
	case k >= 0:
		q[k] = 1
	case e.M.Over[n] == 1:
		copy(q, e.M.Weights)
	default:
		copy(q, e.inner.(*averaged).kept[n][0])
	}
	return q
}

// kernel is the one with the largest share: a mixture of models is none.
func (x *averaged) kernel(p int) *model.Kernel {
	best, most := 0, -1.0
	x.each(p, func(k, _ int, share float64) {
		if share > most {
			best, most = k, share
		}
	})
	return x.m.Kernels[best]
}
