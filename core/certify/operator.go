package certify

import (
	"math"
	"math/big"

	"rcmdplab/core/uncertainty"
)

// lattice is a value function as exact numbers with one denominator, a power of
// 2: V(s) = num[s]/den.
type lattice struct {
	num []*big.Int // by state
	den *big.Int   // > 0
}

// dyadic reads V(s) = v[s] + low[s]; low may be empty.
func dyadic(v, low []float64) lattice {
	least := 0
	each := func(visit func(s int, m int64, e int)) {
		for _, list := range [2][]float64{v, low} {
			for s, x := range list {
				if x != 0 {
					f, e := math.Frexp(x)
					visit(s, int64(math.Ldexp(f, 53)), e-53)
				}
			}
		}
	}
	each(func(_ int, _ int64, e int) { least = min(least, e) })
	l := lattice{make([]*big.Int, len(v)), new(big.Int).Lsh(big.NewInt(1), uint(-least))}
	for s := range l.num {
		l.num[s] = new(big.Int)
	}
	t := new(big.Int)
	each(func(s int, m int64, e int) {
		l.num[s].Add(l.num[s], t.Lsh(t.SetInt64(m), uint(e-least)))
	})
	return l
}

func (l *lattice) at(s int) *big.Rat { return new(big.Rat).SetFrac(l.num[s], l.den) }

// operator is the exact Bellman operator of one weighted sum of the costs,
// c_w = Σ_n w_n c_n with w >= 0: at pair i
//
//	Q(i) = max_{p ∈ U_i} ⟨p, c_w(i,·) + γV⟩ - γ (Σ_n w_n) temperature KL(p‖nominal),
//
// or ⟨p, c_w(i,·) + γV⟩ for the row p of one kernel of a finite set. Polytopes
// are answered exactly; the curved sets from below by a member near the worst
// row, and from above by a weak dual (rowset.above).
type operator struct {
	in   *instance
	rows []row     // of the kernel; nil for a rectangular set
	x    *exactSet // of a rectangular set

	flat   []*big.Rat // by pair: the costs that do not depend on the next state
	onward []*big.Int // by [i*S+s']: the others, over onwardDen; nil when there are none
	den    *big.Int   // of onward, 1 when there are none
	weight *big.Rat   // Σ w_n

	v    lattice
	base []*big.Int // γV by state, over zden
	zden *big.Int
	z    []*big.Int // what nature maximises at a pair, aligned with its support, over zden

	floats *rowset         // of the curved sets: weak duals
	search uncertainty.Set // proposes rows of the curved sets; nothing it says is trusted
	last   []float64       // the row that the last below used, by its successors
	row    []float64       // work of search
	mixed  []float64       // work of below: the row moved into the set
	near   []float64       // work: z in float64
	y      []float64       // work: gains, aligned with the support
}

// newOperator prepares the weighted cost; kernel is that of a finite set.
func (in *instance) newOperator(w []*big.Rat, kernel int) (*operator, error) {
	o := &operator{in: in, den: big.NewInt(1), weight: new(big.Rat)}
	if in.kernels != nil {
		o.rows = in.kernels[kernel]
	} else {
		x, err := in.exactSet()
		if err != nil {
			return nil, err
		}
		o.x = x
	}
	for i := range in.Pairs() {
		o.flat = append(o.flat, new(big.Rat))
		for n := range w {
			if f := in.costs[n].flat; f != nil && w[n].Sign() != 0 {
				o.flat[i].Add(o.flat[i], new(big.Rat).Mul(w[n], f[i]))
			}
		}
	}
	var onward []*big.Rat
	for n := range w {
		o.weight.Add(o.weight, w[n])
		next := in.costs[n].next
		if next == nil || w[n].Sign() == 0 {
			continue
		}
		if onward == nil {
			onward = make([]*big.Rat, len(next))
		}
		for k, c := range next {
			t := new(big.Rat).Mul(w[n], c)
			if onward[k] != nil {
				t.Add(t, onward[k])
			}
			onward[k] = t
		}
	}
	g := new(big.Int)
	for _, c := range onward {
		if c.Denom().Cmp(o.den) != 0 {
			g.GCD(nil, nil, o.den, c.Denom())
			o.den = new(big.Int).Mul(o.den, g.Quo(c.Denom(), g))
		}
	}
	for _, c := range onward {
		t := new(big.Int).Quo(o.den, c.Denom())
		o.onward = append(o.onward, t.Mul(t, c.Num()))
	}
	return o, nil
}

// face gives the operator a value function.
func (o *operator) face(v lattice) {
	in := o.in
	o.v = v
	// γV + c = (γ.num·V.num·den + c.num·γ.den·V.den) / (γ.den·V.den·den)
	scale := new(big.Int).Mul(in.gamma.Denom(), v.den)
	o.zden = new(big.Int).Mul(scale, o.den)
	o.base = o.base[:0]
	for _, x := range v.num {
		t := new(big.Int).Mul(in.gamma.Num(), x)
		o.base = append(o.base, t.Mul(t, o.den))
	}
}

// facing is what nature maximises at pair i, by successor of the list, over zden.
func (o *operator) facing(i int, successors []int) []*big.Int {
	o.z = o.z[:0]
	for _, s := range successors {
		if o.onward == nil {
			o.z = append(o.z, o.base[s])
			continue
		}
		t := new(big.Int).Mul(o.onward[i*o.in.S+s], o.in.gamma.Denom())
		o.z = append(o.z, t.Add(t.Mul(t, o.v.den), o.base[s]))
	}
	return o.z
}

// over is Σ num·z / (den·zden).
func (o *operator) over(num []*big.Int, z []*big.Int, den *big.Int) *big.Rat {
	sum, t := new(big.Int), new(big.Int)
	for j, x := range num {
		if x.Sign() != 0 {
			sum.Add(sum, t.Mul(x, z[j]))
		}
	}
	return new(big.Rat).SetFrac(sum, t.Mul(den, o.zden))
}

// only is the one row that nature has at pair i, nil where it has a choice or the set
// is a polytope: the kernel's, or the nominal one of a curved set, whose radius is 0
// or which may put mass on one successor alone. It needs no duals, so it is exact.
func (o *operator) only(i int) *row {
	switch {
	case o.rows != nil:
		return &o.rows[i]
	case o.x.polytope():
		return nil
	case len(o.x.support[i]) == 1 || o.in.radius != nil && o.in.radius[i].Sign() == 0:
		return &o.in.nominal[i]
	}
	return nil
}

// below is at most Q(i), attained by a row of the set or the kernel, with the
// successors to which that row gives mass.
func (o *operator) below(i int) (q *big.Rat, to []int, err error) {
	r := o.only(i)
	switch {
	case r != nil:
		o.last = o.last[:0]
		for j, s := range r.next {
			if r.num[j].Sign() > 0 {
				to = append(to, s)
				o.last = append(o.last, r.near[j])
			}
		}
		q = o.over(r.num, o.facing(i, r.next), r.den)
	case o.x.polytope():
		q, to = o.vertex(i)
	default:
		if q, to, err = o.member(i); err != nil {
			return nil, nil, err
		}
	}
	return q.Add(q, o.flat[i]), to, nil
}

// above is at least Q(i), with every successor that nature may use.
func (o *operator) above(i int) (q *big.Rat, to []int, err error) {
	switch {
	case o.only(i) != nil:
		return o.below(i)
	case o.x.polytope():
		q, _ = o.vertex(i)
	default:
		if q, err = o.dual(i); err != nil {
			return nil, nil, err
		}
	}
	return q.Add(q, o.flat[i]), o.x.support[i], nil
}

// residuals walks the states that can be reached from the initial ones and
// returns, over them, for policy == nil
//
//	least = min_s min_i Q(i) - V(s),
//
// with nature's rows of below, which choose what can be reached; and for a
// policy on the grid
//
//	least = min_s Σ_a π(s,a) Q(s,a) - V(s) from below, most = max_s the same from above,
//
// and by state, as the nearest float64s, the latter (0 where not reached); without
// a policy most and far are those of the actions of least Q. Those, or what the policy
// takes, choice is told with nature's rows, times the policy's probabilities. The error is ErrLeft when more says no before a state.
func (o *operator) residuals(grid []int64, far []float64, choice func(s int, to []int, p []float64), more func() bool) (least, most *big.Rat, err error) {
	in := o.in
	seen, queue := make([]bool, in.S), []int(nil)
	reach := func(to []int) {
		for _, s := range to {
			if !seen[s] {
				seen[s] = true
				queue = append(queue, s)
			}
		}
	}
	for j, s := range in.mu.next {
		if in.mu.num[j].Sign() > 0 {
			reach([]int{s})
		}
	}
	clear(far)
	for len(queue) > 0 {
		if !more() {
			return nil, nil, ErrLeft
		}
		s := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		v := o.v.at(s)
		low, high := new(big.Rat), new(big.Rat)
		var best *big.Rat
		var bestTo []int
		var bestRow []float64
		for i := in.Off[s]; i < in.Off[s+1]; i++ {
			if grid != nil && grid[i] == 0 {
				continue
			}
			q, to, err := o.below(i)
			if err != nil {
				return nil, nil, err
			}
			if grid == nil {
				reach(to)
				if q.Sub(q, v); best == nil || q.Cmp(best) < 0 {
					best, bestTo, bestRow = q, to, append(bestRow[:0], o.last...)
				}
				continue
			}
			pi := gridRat(grid[i])
			if choice != nil {
				x := nearest(pi)
				for j := range o.last {
					o.last[j] *= x
				}
				choice(s, to, o.last)
			}
			top, all := q, to
			if o.only(i) == nil {
				if top, all, err = o.above(i); err != nil {
					return nil, nil, err
				}
			}
			reach(all)
			high.Add(high, new(big.Rat).Mul(pi, top))
			low.Add(low, q.Mul(pi, q))
		}
		if grid == nil {
			if choice != nil {
				choice(s, bestTo, bestRow)
				far[s] = nearest(best)
			}
			if least == nil || best.Cmp(least) < 0 {
				least = best
			}
			if most == nil || best.Cmp(most) > 0 {
				most = best
			}
			continue
		}
		low.Sub(low, v)
		high.Sub(high, v)
		if far != nil {
			far[s] = nearest(high)
		}
		if least == nil || low.Cmp(least) < 0 {
			least = low
		}
		if most == nil || high.Cmp(most) > 0 {
			most = high
		}
	}
	return least, most, nil
}

// start is ⟨μ, V⟩.
func (o *operator) start() *big.Rat {
	sum, t := new(big.Int), new(big.Int)
	for j, s := range o.in.mu.next {
		sum.Add(sum, t.Mul(o.in.mu.num[j], o.v.num[s]))
	}
	return new(big.Rat).SetFrac(sum, t.Mul(o.in.mu.den, o.v.den))
}
