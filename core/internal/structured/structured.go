// Package structured makes small problems shaped like those that people model:
// grids, chains, cycles, goals that absorb, forbidden actions, states that are
// never reached, costs of every size and sign, limits that are exactly tight or
// impossible, every kind of set from radius 0 to the largest. Beside each it
// gives what is known of the answer, worked out here with code of its own, and
// the changes of a problem after which the answer is known again.
//
// A number names an instance for good on one build of this package: the tests
// run a fixed range of them, and a soak run draws fresh ones.
package structured

import (
	"fmt"
	"math/rand/v2"

	"rcmdplab/core/model"
)

// Instance is one problem, and how it came about.
type Instance struct {
	Seed    uint64 // that made it
	Name    string // shape, costs, discount, set, limits: for a failure's message
	Problem *model.Problem
}

// New is the instance of a number.
func New(seed uint64) Instance {
	r := rand.New(rand.NewPCG(seed, 0x5eed))
	d := newDraft(r)
	d.twist(r)
	p := d.problem()
	p.Discount = pick(r, 0, 0.1, 0.5, 0.8, 0.9, 0.9, 0.95, 0.99, 0.99, 0.999, 0.9999, 0.999999, 0.9999999)
	costs := setObjective(r, d, p)
	set := setUncertainty(r, d, p)
	limits := setLimits(r, d, p)
	return Instance{
		Seed: seed, Problem: Reread(p),
		Name: fmt.Sprintf("seed %d: %s, S %d, A %d, discount %v, %s, %s, %s", seed, d.shape, d.s, d.a, p.Discount, costs, set, limits),
	}
}

// Reread is the problem after it was written as a document and read again, as a
// person's is. It panics when the document has faults: those would be ours.
func Reread(p *model.Problem) *model.Problem {
	return read(p.Encode())
}

func read(text []byte) *model.Problem {
	q, faults, _ := model.Decode(text)
	if len(faults) > 0 {
		panic(fmt.Sprintf("structured: %v in %s", faults, text))
	}
	return q
}

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

func chance(r *rand.Rand, p float64) bool { return r.Float64() < p }

// draft is a problem's skeleton: rows by state and action, nil where the action
// is not available.
type draft struct {
	shape string        // for the name
	s, a  int           // states and actions
	rows  [][][]float64 // [s][a] probabilities by successor; nil: not available
	start []float64     // μ
	goal  int           // a state that is worth reaching, or -1
	pit   int           // a state that is worth avoiding, or -1
}

func blank(shape string, s, a int) *draft {
	d := &draft{shape: shape, s: s, a: a, goal: -1, pit: -1, start: make([]float64, s)}
	for range s {
		d.rows = append(d.rows, make([][]float64, a))
	}
	d.start[0] = 1
	return d
}

// move adds probability to one successor, making the row when there is none.
func (d *draft) move(s, a, to int, p float64) {
	if d.rows[s][a] == nil {
		d.rows[s][a] = make([]float64, d.s)
	}
	d.rows[s][a][to] += p // tenths may add up to a little more than 1
}

func (d *draft) copyRow(s, a int) []float64 { return append([]float64(nil), d.rows[s][a]...) }

func newDraft(r *rand.Rand) *draft {
	return pick(r, single, chain, chain, river, cycle, grid, grid, goal, hazard, choice, scattered, scattered)(r)
}

// single is one state: a choice for ever.
func single(r *rand.Rand) *draft {
	d := blank("single state", 1, 1+r.IntN(3))
	for a := range d.a {
		d.move(0, a, 0, 1)
	}
	return d
}

// chain goes forward with some luck, or back.
func chain(r *rand.Rand) *draft {
	d := blank("chain", 2+r.IntN(4), 1+r.IntN(2))
	p := pick(r, 1, 0.9, 0.7, 0.5, 0.25)
	for s := range d.s {
		d.move(s, 0, min(s+1, d.s-1), p)
		d.move(s, 0, s, 1-p)
		if d.a > 1 {
			d.move(s, 1, max(s-1, 0), 1)
		}
	}
	d.goal = d.s - 1
	return d
}

// river is a swim against the current, which carries back whoever rests.
func river(r *rand.Rand) *draft {
	d := blank("river", 3+r.IntN(4), 2)
	for s := range d.s {
		d.move(s, 0, max(s-1, 0), 1)
		d.move(s, 1, min(s+1, d.s-1), 0.35)
		d.move(s, 1, s, 0.6)
		d.move(s, 1, max(s-1, 0), 0.05)
	}
	d.goal = d.s - 1
	return d
}

// cycle stays or goes round.
func cycle(r *rand.Rand) *draft {
	d := blank("cycle", 2+r.IntN(4), 2)
	for s := range d.s {
		d.move(s, 0, (s+1)%d.s, 1)
		d.move(s, 1, s, 1)
	}
	d.goal = r.IntN(d.s)
	return d
}

// grid moves in four directions with slips; walls keep in place or forbid.
func grid(r *rand.Rand) *draft {
	size := pick(r, [2]int{2, 2}, [2]int{3, 2}, [2]int{2, 3})
	w, h := size[0], size[1]
	d := blank("grid", w*h, pick(r, 2, 4))
	slip, forbid := pick(r, 0, 0.1, 0.2), chance(r, 0.4)
	steps := [4][2]int{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}
	to := func(s, k int) (int, bool) {
		x, y := s%w+steps[k][0], s/w+steps[k][1]
		if x < 0 || x >= w || y < 0 || y >= h {
			return s, false
		}
		return y*w + x, true
	}
	for s := range d.s {
		for a := range d.a {
			next, inside := to(s, a)
			if !inside && forbid && !(a == 0 && s%w == w-1) { // one action is left in every cell
				continue
			}
			left, _ := to(s, (a+1)%4)
			right, _ := to(s, (a+3)%4)
			d.move(s, a, next, 1-slip)
			d.move(s, a, left, slip/2)
			d.move(s, a, right, slip/2)
		}
	}
	d.goal = d.s - 1
	if chance(r, 0.5) {
		d.absorb(d.goal)
	}
	if chance(r, 0.5) {
		d.pit = 1
	}
	return d
}

// absorb makes a state one that is not left, with one action.
func (d *draft) absorb(s int) {
	for a := range d.a {
		d.rows[s][a] = nil
	}
	d.move(s, 0, s, 1)
}

// goal is reached by one of several roads, each with its own odds, and kept.
func goal(r *rand.Rand) *draft {
	d := blank("absorbing goal", 2+r.IntN(4), 1+r.IntN(3))
	d.goal = d.s - 1
	for s := range d.s - 1 {
		for a := range d.a {
			p := pick(r, 1, 0.5, 0.1, 0.01, 1e-3)
			d.move(s, a, s+1, p)
			d.move(s, a, r.IntN(s+1), 1-p)
		}
	}
	d.absorb(d.goal)
	return d
}

// hazard is a way to a goal past a pit that is never left.
func hazard(r *rand.Rand) *draft {
	d := blank("hazard", 4, 2)
	risk := pick(r, 0.5, 0.1, 0.01)
	d.goal, d.pit = 2, 3
	for s := range 2 {
		d.move(s, 0, s+1, 1-risk) // fast
		d.move(s, 0, d.pit, risk)
		d.move(s, 1, s+1, 0.3) // safe
		d.move(s, 1, s, 0.7)
	}
	d.absorb(d.goal)
	d.absorb(d.pit)
	return d
}

// choice is one decision between roads that never meet again.
func choice(r *rand.Rand) *draft {
	a := 2 + r.IntN(2)
	d := blank("one choice", a+1, a)
	for k := range a {
		d.absorb(k + 1)
		d.move(0, k, k+1, 1)
	}
	if chance(r, 0.5) {
		d.goal = 1
	}
	return d
}

// scattered goes to a few states at random, with round probabilities.
func scattered(r *rand.Rand) *draft {
	d := blank("scattered", 2+r.IntN(5), 1+r.IntN(3))
	for s := range d.s {
		keep := r.IntN(d.a)
		for a := range d.a {
			if a != keep && chance(r, 0.2) {
				continue
			}
			whole := pick(r, 3, 4, 10, 100)
			for left := whole; left > 0; {
				n := 1 + r.IntN(left)
				d.move(s, a, r.IntN(d.s), float64(n)/float64(whole))
				left -= n
			}
		}
	}
	return d
}

// twist adds what models have by accident: twins, strangers, several starts.
func (d *draft) twist(r *rand.Rand) {
	switch r.IntN(6) {
	case 0: // an action that does the same as another
		d.shape += " with a twin action"
		from := r.IntN(d.a)
		d.a++
		for s := range d.rows {
			d.rows[s] = append(d.rows[s], nil)
			if d.rows[s][from] != nil {
				d.rows[s][d.a-1] = d.copyRow(s, from)
			}
		}
	case 1: // a state that nothing leads to
		if d.s < 6 {
			d.shape += " with a stranger"
			d.s++
			for _, by := range d.rows {
				for a := range by {
					if by[a] != nil {
						by[a] = append(by[a], 0)
					}
				}
			}
			d.rows = append(d.rows, make([][]float64, d.a))
			d.move(d.s-1, 0, r.IntN(d.s), 1)
			d.start = append(d.start, 0)
		}
	}
	switch r.IntN(4) {
	case 0:
		for s := range d.start {
			d.start[s] = 1 / float64(d.s)
		}
	case 1:
		clear(d.start)
		d.start[r.IntN(d.s)] = 1
	}
}

// problem is the draft with names; costs and kernels follow.
func (d *draft) problem() *model.Problem {
	p := &model.Problem{Name: d.shape, Initial: d.start}
	for s := range d.s {
		p.States = append(p.States, fmt.Sprintf("s%d", s))
	}
	for a := range d.a {
		p.Actions = append(p.Actions, fmt.Sprintf("a%d", a))
	}
	available := make([]bool, d.s*d.a)
	for s := range d.s {
		for a := range d.a {
			available[s*d.a+a] = d.rows[s][a] != nil
		}
	}
	p.Layout = model.NewLayout(d.s, d.a, available)
	return p
}
