package certify

import (
	"fmt"
	"math"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/certify/guess"
	"rcmdplab/core/model"
)

// returns encloses the worst-case returns of a policy on the grid, by cost: for any V
// and T the robust Bellman operator of the policy, over the states that can be reached,
//
//	⟨μ, V⟩ + min (TV - V)/(1-γ) <= J <= ⟨μ, V⟩ + max (TV - V)/(1-γ),
//
// as T(V + x) = TV + γx for constants x and T is monotone. Rows of the set bound TV
// from below, weak duals of nature's problem from above (rowset). V need only be near.
func (x *image) returns(pi []float64, guesses [][]float64, more func() bool) ([]enclosure.Interval, error) {
	kernels := x.p.Uncertainty.Kernels
	if x.p.Uncertainty.Kind != model.Finite {
		kernels = []*model.Kernel{nil}
	}
	n1 := len(x.costs)
	ranges := make([]enclosure.Interval, n1)
	for k, kernel := range kernels {
		for n := range n1 {
			y, err := x.alone(kernel, n)
			if err != nil {
				return nil, err
			}
			var v []float64
			if g := k*n1 + n; g < len(guesses) && len(guesses[g]) == x.S {
				v = guesses[g]
			}
			r, err := y.returns(pi, v, more)
			if err != nil {
				return nil, err
			}
			if k == 0 {
				ranges[n] = r
			} else {
				ranges[n] = ranges[n].Max(r)
			}
		}
	}
	for n := range n1 {
		ranges[n] = ranges[n].Known()
	}
	return ranges, nil
}

// alone is a sweep of one cost.
func (x *image) alone(kernel *model.Kernel, n int) (*sweep, error) {
	w := make([]float64, len(x.costs))
	w[n] = 1
	return x.newSweep(kernel, w)
}

// returns encloses the worst-case return of the policy by the residual of v;
// where that is poor, or v is missing, by values found here.
func (y *sweep) returns(pi, v []float64, more func() bool) (enclosure.Interval, error) {
	best := enclosure.Line()
	if v != nil {
		e, size, err := y.residual(pi, v, more)
		if err != nil {
			return enclosure.Interval{}, err
		}
		best = y.ends(v, e)
		if e.Hi()-e.Lo() <= 1e-11*size {
			return best, nil
		}
	}
	v, err := y.find(pi, v, more)
	if err != nil {
		return enclosure.Interval{}, err
	}
	e, _, err := y.residual(pi, v, more)
	if err != nil {
		return enclosure.Interval{}, err
	}
	r := y.ends(v, e)
	return best.Meet(r), nil
}

// ends is the range of returns that a residual leaves.
func (y *sweep) ends(v []float64, e enclosure.Interval) enclosure.Interval {
	base := y.startOf(v)
	lo, hi := base.Lo(), base.Hi()
	if e.Lo() != 0 {
		lo = base.Add(enclosure.Point(e.Lo()).Mul(y.h)).Lo()
	}
	if e.Hi() != 0 {
		hi = base.Add(enclosure.Point(e.Hi()).Mul(y.h)).Hi()
	}
	return enclosure.Of(lo, hi)
}

// residual encloses T^π v - v over the states: its lower end by rows of the set,
// its upper end by weak duals. size is that of the numbers in it.
func (y *sweep) residual(pi, v []float64, more func() bool) (e enclosure.Interval, size float64, err error) {
	y.begin(v)
	first := true
	for s, reached := range y.reach(pi) {
		if s%1024 == 0 && !more() {
			return enclosure.Interval{}, 0, ErrLeft
		}
		if !reached {
			continue
		}
		low, high := 0.0, 0.0
		for i := y.Off[s]; i < y.Off[s+1]; i++ {
			if pi[i] == 0 {
				continue
			}
			if err := y.turn(i); err != nil {
				return enclosure.Interval{}, 0, err
			}
			c, slack := y.flat(i)
			y.ask()
			above := y.high(y.rows.above(v), c, slack, v[s])
			below := y.low(y.rows.below(), c, slack, v[s])
			if pi[i] != 1 {
				above, below = timesUp(pi[i], above), -timesUp(pi[i], -below)
			}
			high, low = upBy(high, above), downBy(low, below)
			size = max(size, math.Abs(c))
		}
		size = max(size, math.Abs(v[s]))
		if first {
			e, first = enclosure.Of(low, high), false
		} else {
			e = e.Hull(enclosure.Of(low, high))
		}
		if math.IsNaN(low) || math.IsNaN(high) {
			return enclosure.Line(), size, nil
		}
	}
	return e, size, nil
}

// reach marks the states that the policy may come to, whatever nature does: the
// others have no part in its returns.
func (y *sweep) reach(pi []float64) []bool {
	reached, todo := make([]bool, y.S), []int(nil)
	come := func(s int) {
		if !reached[s] {
			reached[s] = true
			todo = append(todo, s)
		}
	}
	for s, p := range y.mu {
		if p > 0 || y.rows.open || y.rows.dense {
			come(s)
		}
	}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for i := y.Off[s]; i < y.Off[s+1]; i++ {
			if pi[i] == 0 {
				continue
			}
			// Listed entries of 0 count: some sets may use them.
			next, _ := y.rows.given.Row(i)
			for _, t := range next {
				come(t)
			}
		}
	}
	return reached
}

// timesUp is a·b rounded up, exact for 0.
func timesUp(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return enclosure.Up(a * b)
}

// find looks for the values of the policy by turns: nature's rows at v, then v
// as the solution of their linear system.
func (y *sweep) find(pi, from []float64, more func() bool) ([]float64, error) {
	v := make([]float64, y.S)
	if from != nil {
		copy(v, from)
	}
	sys := guess.NewSparse(y.S, more)
	best, failed := math.Inf(1), 0
	for range 60 {
		if !more() {
			return nil, ErrLeft
		}
		if err := y.load(sys, pi, v, more); err != nil {
			return nil, err
		}
		share := 1e-3
		if y.rows.family == alone {
			share = 0
		}
		res, floor := sys.Solve(v, share)
		if sys.Left {
			return nil, ErrLeft
		}
		if y.rows.family == alone || res <= 2*floor {
			break
		}
		if !(res < best/2) {
			if failed++; failed > 5 {
				break
			}
		}
		best = min(best, res)
	}
	return v, nil
}

// load fills the system with nature's answers to v.
func (y *sweep) load(sys *guess.Sparse, pi, v []float64, more func() bool) error {
	y.begin(v)
	sys.Begin()
	for s := range y.S {
		if s%1024 == 1023 && !more() {
			return ErrLeft
		}
		c := 0.0
		for i := y.Off[s]; i < y.Off[s+1]; i++ {
			if pi[i] == 0 {
				continue
			}
			if err := y.turn(i); err != nil {
				return err
			}
			flat, _ := y.flat(i)
			next, p, paid, err := y.answer()
			if err != nil {
				return err
			}
			for j, t := range next {
				if y.onward {
					z, _ := y.facing(t)
					flat += p[j] * (z - y.gamma*v[t])
				}
				sys.Add(t, pi[i]*y.gamma*p[j])
			}
			if !y.onward {
				paid *= y.gamma
			}
			c += pi[i] * (flat - paid)
		}
		sys.Row(s, c)
	}
	return nil
}

// answer is nature's row for the open pair, and what it pays for it.
func (y *sweep) answer() (next []int, p []float64, paid float64, err error) {
	r := y.rows
	if r.family == alone {
		return r.next, r.q, 0, nil
	}
	if y.onward {
		sup := r.set.Support(y.pair)
		r.y = r.y[:0]
		for _, s := range sup {
			z, _ := y.facing(s)
			r.y = append(r.y, z)
		}
		r.found = append(r.found[:0], make([]float64, len(sup))...)
		a := r.set.Answer(r.found, y.pair, r.y)
		return sup, r.found, a.Penalty, nil
	}
	var paidFor float64
	r.asked, r.found, paidFor = appendRow(r, y.pair)
	if len(r.asked) == 0 {
		return nil, nil, 0, fmt.Errorf("the row of %s is empty", y.pairName(y.pair))
	}
	return r.asked, r.found, paidFor, nil
}

func appendRow(r *rowset, i int) ([]int, []float64, float64) {
	next, p, a := r.set.AppendRow(r.asked[:0], r.found[:0], i)
	return next, p, a.Penalty
}
