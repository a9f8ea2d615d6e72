// Package uncertainty holds nature's side of a rectangular robust problem: for
// each supported set U it answers max_{p ∈ U(s,a)} ⟨p, z⟩ and which p attains
// it. It knows nothing of policies, gradients or thresholds; package evaluate
// asks, it answers.
//
// A set is a rule for one row (one file a rule) over a table of nominal rows
// (rows.go). Every rule is exact: greedy in the order of z where the set is a
// polytope (l1, tv, linf, interval), a closed form (contamination,
// kl-regularized), an active-set iteration that ends after finitely many steps
// (chi2, l2), or a bracketed root (kl). Each also gives an upper bound by weak
// duality that holds whatever the root-finding did.
package uncertainty

import (
	"fmt"
	"math"
	"slices"

	"rcmdplab/core/model"
	"rcmdplab/core/vector"
)

// u is the unit roundoff of float64.
const u = model.Roundoff

// Set is one (s,a)-rectangular uncertainty set. It owns its work space, so it
// must not be used from two goroutines at once; nothing allocates after New.
type Set interface {
	// Support lists, ascending, the successors of pair i that nature may give
	// mass: those of the nominal row, or all S states ("support": "all"). The
	// slice belongs to the set.
	Support(i int) []int

	// Nominal writes the nominal row of pair i, aligned with Support(i), to dst.
	// (For an interval set: any member.)
	Nominal(dst []float64, i int)

	// Penalty is what the objective of nature subtracts at the row p: 0 for a
	// true set, temperature·KL(p‖nominal) for the regularised one.
	Penalty(p []float64, i int) float64

	// Answer writes a maximiser p of ⟨p, z⟩ - penalty(p) over U_i to dst and says
	// what it is worth. z and dst are aligned with Support(i); z is c + γ v for
	// next-state costs, v otherwise. It allocates nothing.
	Answer(dst []float64, i int, z []float64) Answer

	// Begin opens a sweep in which every row sees the same v (by state): the
	// order of v, or its exponentials, are then worked out once for all rows. v
	// is read, not copied, until the next Begin.
	Begin(v []float64)

	// Row is Answer with z = v at Support(i), v as given to Begin.
	Row(dst []float64, i int) Answer

	// AppendRow is Row with the row appended by its non-zeros. Where mass may move
	// to any state it looks only at those that a worst case can use: O(n log n)
	// in the n successors that the nominal row lists, but for l2, which uses all.
	AppendRow(next []int, p []float64, i int) ([]int, []float64, Answer)
}

// Answer is what a set says of one row.
type Answer struct {
	// Value is attained by exactly the row written, so it is a lower bound of the
	// supremum up to rounding.
	Value float64
	// Upper is at least the supremum by weak duality (Iyengar 2005, section 4; Nilim
	// and El Ghaoui 2005; each set says its dual), whatever the accuracy of the inner
	// root-finding. It covers its own rounding: with n successors, every bound is
	// evaluated to within 16 (n+16) u (max z - min z) + 4u |max z|, u = 2^-53, and
	// that much is added before it is cut off at max z.
	Upper   float64
	Penalty float64 // what Value subtracts from ⟨p, z⟩; 0 for a true set
}

// New makes the uncertainty set of a problem with z = v. It fails for finite
// sets, which are not rectangular, and for parameters out of range.
func New(m *model.Standard) (Set, error) { return NewWeighted(m, 1) }

// NewWeighted is New with the penalty of a regularised set multiplied by
// weight. Where a cost depends on the next state, z = c + γ v and the penalty
// of the Bellman operator max_p ⟨p, c + γ v⟩ - γ temperature KL(p‖nominal)
// carries the weight γ. True sets do not change.
func NewWeighted(m *model.Standard, weight float64) (Set, error) {
	u := &m.Problem.Uncertainty
	bad := func(i int, format string, args ...any) error {
		p := m.Problem
		return fmt.Errorf("uncertainty: action %q in state %q: %s", p.Actions[m.Act[i]], p.States[m.State[i]], fmt.Sprintf(format, args...))
	}
	if u.Kind == model.Interval {
		return newInterval(m, bad)
	}
	if u.Kind == model.Finite {
		return nil, fmt.Errorf("uncertainty: a finite set is not rectangular")
	}
	nominal := m.NormalisedNominal()
	if u.Kind == model.KLRegularized {
		if !(u.Temperature > 0) || math.IsInf(u.Temperature, 1) {
			return nil, fmt.Errorf("uncertainty: the temperature is %v; want a positive number", u.Temperature)
		}
		return newKLRegularized(m, nominal, u.Temperature*weight, false), nil
	}
	if k := len(u.Radius); k != 1 && k != m.S*m.A {
		return nil, fmt.Errorf("uncertainty: the radius has %d entries; want one, or one for each of %d states and %d actions", k, m.S, m.A)
	}
	radius, most := make([]float64, m.Pairs()), u.Kind.MostRadius()
	for s := range m.S {
		if m.Absorbs(s) { // nothing happens there any more
			continue
		}
		for i := m.Off[s]; i < m.Off[s+1]; i++ {
			r := radiusOf(m, i)
			if !(r >= 0) {
				return nil, bad(i, "the radius is %v; want a number >= 0", r)
			}
			if r > most {
				return nil, bad(i, "the radius is %v; want a share between 0 and 1", r)
			}
			radius[i] = r
		}
	}
	switch u.Kind {
	case model.KL:
		return newSet(positiveRows(m.S, nominal), &kl{radius: radius}, false), nil
	case model.Chi2:
		return newSet(positiveRows(m.S, nominal), &chi2{radius}, false), nil
	}
	t := newRows(m.S, nominal, u.SupportAll)
	one := func(int) int { return 1 } // all that moves goes to the largest v
	switch u.Kind {
	case model.L1:
		return newSet(t, newL1(radius), true).reaching(one), nil
	case model.TV:
		return newSet(t, newTV(radius), true).reaching(one), nil
	case model.L2:
		return newSet(t, newL2(t.widest(), radius), false), nil
	case model.LInf:
		return newSet(t, newLInf(t.widest(), radius), true).reaching(func(n int) int {
			return min(n+1, m.S) // n successors give up at most r each, others take r each
		}), nil
	case model.Contamination:
		return newSet(t, &contamination{share: radius}, false).reaching(one), nil
	}
	return nil, fmt.Errorf("uncertainty: unknown kind %q", u.Kind)
}

// NewTilt is the answer of the paper's printed KL update (algo:KL-oracle) and no
// worst case: the row p ∝ nominal e^{z/temperature} with the value ⟨p, z⟩, its
// price left out. The weight multiplies the temperature.
func NewTilt(m *model.Standard, weight float64) Set {
	return newKLRegularized(m, m.NormalisedNominal(), m.Problem.Uncertainty.Temperature*weight, true)
}

// rule is the inner maximum over one row.
type rule interface {
	// worst writes the maximiser of pair i to p. p, q and z are aligned; q is the
	// nominal row. order lists positions by falling z, for rules that use it.
	worst(p []float64, i int, q, z []float64, order []int32) Answer
}

// set is a rule over a table of nominal rows.
type set struct {
	rows
	rule
	ordered bool // the rule uses the order of z
	sorter
	v       []float64 // of the sweep
	zs, row []float64 // scratch

	// reach is how many of the states of largest v the worst case of a row of n
	// listed successors can use besides those n; nil when any.
	reach func(n int) int
	few   []int     // scratch: what a row can use
	fewQ  []float64 // and the nominal row there
}

func newSet(t rows, r rule, ordered bool) *set {
	n := t.widest()
	x := &set{rows: t, rule: r, ordered: ordered, zs: make([]float64, n), row: make([]float64, n)}
	if ordered {
		x.sorter = newSorter(t.s, n)
	}
	return x
}

// reaching says what AppendRow may leave out of a row over all states.
func (x *set) reaching(reach func(n int) int) *set {
	if x.all != nil {
		x.reach = reach
		if x.every == nil {
			x.sorter = newSorter(x.s, x.s)
		}
	}
	return x
}

// Answer implements Set: O(n) for n successors, O(n log n) where the order of z is used.
func (x *set) Answer(dst []float64, i int, z []float64) Answer {
	q := x.nominal(i)
	var order []int32
	if x.ordered {
		order = x.sort(z)
	}
	return x.worst(dst[:len(z)], i, q, z, order)
}

// Penalty implements Set: nothing.
func (x *set) Penalty([]float64, int) float64 { return 0 }

// Begin implements Set: O(S log S) where ranking pays, else nothing.
func (x *set) Begin(v []float64) {
	x.v = v
	if x.worthRanking() {
		x.rank(v)
	}
}

// Row implements Set.
func (x *set) Row(dst []float64, i int) Answer {
	a, b := x.ptr[i], x.ptr[i+1]
	if x.all != nil || b-a == x.s { // every state, in the order that Begin found
		return x.worst(dst[:x.s], i, x.nominal(i), x.v, x.every)
	}
	sup, v := x.next[a:b], x.v
	z := x.zs[:len(sup)]
	for j, t := range sup {
		z[j] = v[t]
	}
	var order []int32
	if x.ordered {
		order = x.sortRow(sup, z)
	}
	return x.worst(dst[:len(sup)], i, x.q[a:b], z, order)
}

// AppendRow implements Set.
func (x *set) AppendRow(next []int, p []float64, i int) ([]int, []float64, Answer) {
	listed, q := x.next[x.ptr[i]:x.ptr[i+1]], x.q[x.ptr[i]:x.ptr[i+1]]
	sup := x.Support(i)
	more := x.s
	if x.reach != nil {
		more = x.reach(len(listed))
	}
	var row []float64
	var a Answer
	if len(listed)+more < x.s && len(sup) == x.s {
		sup = append(x.few[:0], listed...)
		for _, t := range x.every[:more] {
			if _, found := slices.BinarySearch(listed, int(t)); !found {
				sup = append(sup, int(t))
			}
		}
		slices.Sort(sup)
		n := len(sup)
		x.few = sup
		qs, z := x.fewQ[:0], x.zs[:n]
		k := 0
		for j, t := range sup {
			z[j] = x.v[t]
			if k < len(listed) && listed[k] == t {
				qs = append(qs, q[k])
				k++
			} else {
				qs = append(qs, 0)
			}
		}
		x.fewQ = qs
		var order []int32
		if x.ordered {
			order = x.sort(z)
		}
		row = x.row[:n]
		a = x.worst(row, i, qs, z, order)
	} else {
		row = x.row[:len(sup)]
		a = x.Row(row, i)
	}
	next, p = appendNonzero(next, p, sup, row)
	return next, p, a
}

// appendNonzero appends a row over the states of sup by its non-zeros.
func appendNonzero(next []int, p []float64, sup []int, row []float64) ([]int, []float64) {
	for j, y := range row {
		if y != 0 {
			next, p = append(next, sup[j]), append(p, y)
		}
	}
	return next, p
}

// extremes returns the largest and the smallest number of z.
func extremes(z []float64) (top, bottom float64) {
	top, bottom = z[0], z[0]
	for _, x := range z[1:] {
		if x > top {
			top = x
		} else if x < bottom {
			bottom = x
		}
	}
	return top, bottom
}

// answer makes the Answer of a true set from the excess values below the
// largest z: value and upper are relative to top, width is max z - min z.
func answer(n int, top, width, value, upper float64) Answer {
	upper += 16*float64(n+16)*u*width + 4*u*math.Abs(top)
	if upper > 0 {
		upper = 0
	}
	if upper < value {
		upper = value
	}
	return Answer{Value: top + value, Upper: top + upper}
}

// answerOf is answer for what a row of n successors gives.
func answerOf(n int, x vector.Excess) Answer { return answer(n, x.Top, x.Width, x.Value, x.Upper) }

// moved is answerOf for the row p, or stay where the values were too near each other for one.
func moved(p, q, z []float64, x vector.Excess) Answer {
	if x.Width < vector.Level {
		return stay(p, q, z)
	}
	return answerOf(len(z), x)
}

// A ball smaller than point counts as a point: it would move the value by less
// than 1e-50 of max z - min z, and squares of its radius could underflow. z
// within vector.Level of each other count as equal.
const point = 1e-100

// stay answers with the nominal row.
func stay(p, q, z []float64) Answer {
	top, bottom := extremes(z)
	width := top - bottom
	copy(p, q)
	value := 0.0
	for j, y := range z {
		value += q[j] * (y - top)
	}
	upper := value
	if width < vector.Level {
		upper = 0
	}
	return answer(len(z), top, width, value, upper)
}
