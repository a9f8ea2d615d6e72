package certify

import (
	"math/big"
	"slices"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/certify/guess"
)

// operator is the exact Bellman operator of one weighted sum of the costs,
// c_w = Σ_n w_n c_n with w >= 0: for pair i of state s it gives the residual
//
//	Q(i) - V(s) = max_{p ∈ U_i} ⟨p, c_w(i,·) + γV - V(s)⟩ - γ (Σ_n w_n) temperature KL(p‖nominal),
//
// or ⟨p, c_w(i,·) + γV - V(s)⟩ for the row p of one kernel of a finite set. Polytopes
// are answered exactly; the curved sets from below by a member near the worst
// row, and from above by a weak dual (rowset.above). All that nature maximises are whole
// numbers over one denominator, zden, in which residuals are told as well.
type operator struct {
	in   *instance
	rows []row     // of the kernel; nil for a rectangular set
	x    *exactSet // of a rectangular set

	flat   []*big.Int // by pair: the costs that do not depend on the next state, over den; nil: none
	onward []*big.Int // by [i*S+s']: the others, over den; nil: none
	den    *big.Int   // of the costs
	weight *big.Rat   // Σ w_n

	closed []bool // by pair: no policy that is spoken of takes it; nil: none

	v    []*big.Int // V by state, over vden, a power of 2
	vden *big.Int
	base []*big.Int // γV by state, over zden
	unit *big.Int   // zden/den
	less *big.Int   // zden/vden
	zden *big.Int
	own  *big.Int   // work: what a pair comes to wherever it leads, and in the end: the cost less V(s), over zden
	z    []*big.Int // work: what nature maximises at a pair, by successor, over zden
	sums []*big.Int // work: z, where costs of the next state are in it

	floats *rowset   // of the curved sets: guesses and weak duals
	last   []float64 // the row that the last below used, by its successors
}

// newOperator prepares the weighted cost; kernel is that of a finite set.
func (in *instance) newOperator(w []*big.Rat, kernel int) *operator {
	o := &operator{in: in, den: big.NewInt(1), weight: new(big.Rat), own: new(big.Int)}
	if in.kernels != nil {
		o.rows = in.kernels[kernel]
	} else {
		x := in.exactSet()
		o.x = x
	}
	for n := range w {
		if w[n].Sign() != 0 {
			_, den := in.costs[n].whole()
			o.den = enclosure.Common(o.den, new(big.Int).Mul(w[n].Denom(), den))
		}
	}
	t := new(big.Int)
	for n := range w {
		o.weight.Add(o.weight, w[n])
		if w[n].Sign() == 0 {
			continue
		}
		num, den := in.costs[n].whole()
		scale := new(big.Int).Mul(w[n].Num(), t.Quo(o.den, t.Mul(w[n].Denom(), den)))
		to := &o.flat
		if in.costs[n].onward {
			to = &o.onward
		}
		if *to == nil {
			for range num {
				*to = append(*to, new(big.Int))
			}
		}
		for k, c := range num {
			(*to)[k].Add((*to)[k], t.Mul(c, scale))
		}
	}
	return o
}

// face gives the operator the values v + low, of which low may be empty.
func (o *operator) face(v, low []float64) {
	least, t := 0, new(big.Int)
	for _, x := range slices.Concat(v, low) {
		_, e := enclosure.Binary(x)
		least = min(least, e)
	}
	o.v, o.vden = make([]*big.Int, len(v)), new(big.Int).Lsh(big.NewInt(1), uint(-least))
	for s := range o.v {
		o.v[s] = new(big.Int)
	}
	for _, list := range [2][]float64{v, low} {
		for s, x := range list {
			m, e := enclosure.Binary(x)
			o.v[s].Add(o.v[s], t.Lsh(t.SetInt64(m), uint(e-least)))
		}
	}
	// c + γV - V(s) over γ.den·vden·den
	o.unit = new(big.Int).Mul(o.in.gamma.Denom(), o.vden)
	o.less = new(big.Int).Mul(o.in.gamma.Denom(), o.den)
	o.zden = new(big.Int).Mul(o.unit, o.den)
	o.base = o.base[:0]
	scale := new(big.Int).Mul(o.in.gamma.Num(), o.den)
	for _, x := range o.v {
		o.base = append(o.base, new(big.Int).Mul(scale, x))
	}
}

// facing is what nature maximises at pair i, by successor of the list, over zden, less what the pair comes to wherever it leads, own:
// good until the next call.
func (o *operator) facing(i int, successors []int) []*big.Int {
	s, t := o.in.State[i], new(big.Int)
	o.own.Neg(o.own.Mul(o.v[s], o.less))
	if o.flat != nil {
		o.own.Add(o.own, t.Mul(o.flat[i], o.unit))
	}
	if o.onward != nil && o.in.ends(i) {
		o.own.Add(o.own, t.Mul(o.onward[i*o.in.S+s], o.unit))
	}
	o.z = o.z[:0]
	for j, to := range successors {
		z := o.base[to]
		if o.onward != nil {
			if j == len(o.sums) {
				o.sums = append(o.sums, new(big.Int))
			}
			z = o.sums[j].Add(o.base[to], t.Mul(o.onward[i*o.in.S+to], o.unit))
		}
		o.z = append(o.z, z)
	}
	return o.z
}

// mean is Σ num·z / den and own: the residual under a row, of an end under an empty one.
func (o *operator) mean(num, z []*big.Int, den *big.Int) enclosure.Fraction {
	sum, t := new(big.Int).Mul(o.own, den), new(big.Int)
	for j, x := range num {
		if x.Sign() != 0 {
			sum.Add(sum, t.Mul(x, z[j]))
		}
	}
	return enclosure.Frac(sum, den)
}

// only is the one row that nature has at pair i, nil where it has a choice or the set
// is a polytope: the kernel's, or the nominal one of a curved set, whose radius is 0
// or which may put mass on one successor alone. It needs no duals, so it is exact.
func (o *operator) only(i int) *row {
	switch {
	case o.in.ends(i):
		return &row{den: big.NewInt(1)}
	case o.rows != nil:
		return &o.rows[i]
	case o.x.polytope():
		return nil
	case len(o.x.support[i]) == 1 || o.in.radius != nil && o.in.radius[i].Sign() == 0:
		return &o.in.nominal[i]
	}
	return nil
}

// below is at most the residual of pair i, attained by a row of the set or the kernel,
// over zden, with the successors to which that row gives mass.
func (o *operator) below(i int) (q enclosure.Fraction, to []int) {
	r := o.only(i)
	switch {
	case r != nil:
		to, o.last = r.positive(o.last[:0])
		return o.mean(r.num, o.facing(i, r.next), r.den), to
	case o.x.polytope():
		q, to = o.vertex(i)
		return q, to
	}
	return o.member(i)
}

// above is at least the residual of pair i, over zden, with every successor that nature may use.
func (o *operator) above(i int) (q enclosure.Fraction, to []int) {
	switch {
	case o.only(i) != nil:
		return o.below(i)
	case o.x.polytope():
		q, _ = o.vertex(i)
	default:
		q = o.dual(i)
	}
	return q, o.x.support[i]
}

// residuals walks the states that can be reached from the initial ones and
// returns, over them, for grid == nil
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
// takes, choice is told with the probability and nature's rows. The error is ErrLeft when more says no before a state.
func (o *operator) residuals(grid []int64, far []float64, choice func(s int, share float64, to []int, p []float64), more func() bool) (least, most *big.Rat) {
	in := o.in
	reached := in.from(in.starts()...)
	clear(far)
	unit := o.zden
	if grid != nil {
		unit = new(big.Int).Lsh(o.zden, gridBits)
	}
	var first, last enclosure.Fraction // least and most, over unit
	for s := range reached.states {
		onwards(true, more)
		zero := enclosure.Frac(new(big.Int), big.NewInt(1))
		low, high := zero, zero // of the policy, times 2^gridBits
		var best enclosure.Fraction
		var bestTo []int
		var bestRow []float64
		for i := in.Off[s]; i < in.Off[s+1]; i++ {
			if grid != nil && grid[i] == 0 || o.closed != nil && o.closed[i] {
				continue
			}
			q, to := o.below(i)
			if grid == nil {
				reached.come(to...)
				if best.None() || q.Cmp(best) < 0 {
					best, bestTo, bestRow = q, to, append(bestRow[:0], o.last...)
				}
				continue
			}
			if choice != nil {
				choice(s, enclosure.FromGrid(grid[i], gridBits), to, o.last)
			}
			top, all := q, to
			if o.only(i) == nil {
				top, all = o.above(i)
			}
			reached.come(all...)
			low.Add(grid[i], q)
			high.Add(grid[i], top)
		}
		if grid == nil {
			if low, high = best, best; choice != nil {
				choice(s, 1, bestTo, bestRow)
			}
		}
		if far != nil {
			far[s] = high.Over(unit).Near()
		}
		if first.None() || low.Cmp(first) < 0 {
			first = low
		}
		if last.None() || high.Cmp(last) > 0 {
			last = high
		}
	}
	return first.Over(unit).Rat(), last.Over(unit).Rat()
}

// newtons improves values of a policy on the grid, or without one of the actions of least Q, by Newton steps
// V <- V + (I - γP)⁻¹ (TV - V), P being nature's answer to V, as long as what look is told of them falls: least and most
// of TV - V; or until that is enough. At discount 1 it may have to rise at first.
func (o *operator) newtons(grid []int64, f *guess.Newton, look func(least, most *big.Rat) (enough bool), more func() bool) {
	in := o.in
	var last *big.Rat // the least width so far
	failed, patience, rounds, four := 0, 0, 6, big.NewRat(4, 1)
	if in.total {
		patience, rounds = 3, 60
	}
	for range rounds {
		f.Begin()
		if !finiteAll(f.V, f.Low) {
			goesOn(slowly)
		}
		o.face(f.V, f.Low)
		least, most := o.residuals(grid, f.Far, f.Choice, more)
		width, rest := new(big.Rat).Sub(most, least), 0. // what all may miss alike
		if in.total && (most.Sign() < 0 || least.Sign() > 0) {
			width.Add(width, big.NewRat(1, 1)) // it has not begun
		}
		if grid == nil {
			rest = enclosure.Nearest(least)
		}
		if look(least, most) || width.Sign() == 0 {
			return
		}
		if last != nil && new(big.Rat).Mul(width, four).Cmp(last) >= 0 {
			if failed++; failed > patience {
				return
			}
		} else {
			last, failed = width, 0
		}
		f.Step(rest)
	}
	// It still falls: a value that is a number of single length, 0 above all, is found by leaving
	// the rest away.
	clear(f.Low)
	o.face(f.V, f.Low)
	look(o.residuals(grid, f.Far, nil, more))
}

// start is ⟨μ, V⟩.
func (o *operator) start() *big.Rat {
	sum, t := new(big.Int), new(big.Int)
	for j, s := range o.in.mu.next {
		sum.Add(sum, t.Mul(o.in.mu.num[j], o.v[s]))
	}
	return new(big.Rat).SetFrac(sum, t.Mul(o.in.mu.den, o.vden))
}
