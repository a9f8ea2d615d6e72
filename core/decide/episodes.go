package decide

import (
	"fmt"
	"math"

	"rcmdplab/core/bound"
	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
	"rcmdplab/core/solve"
)

// endless says of a policy that does not count that it may go on for ever, and where.
func (d *door) endless(p *solve.Progress) {
	if d.episodes == nil || p.Best.Feasible || p.Best.Policy == nil {
		return
	}
	if i := d.episodes.Endless(p.Best.Policy); i >= 0 {
		m := d.m
		p.Note = join(p.Note, fmt.Sprintf("The policy may go on for ever, in state %q by action %q, and at discount 1 only those count that surely end.",
			m.Problem.States[m.State[i]], m.Problem.Actions[m.Act[i]]))
	}
}

// shares are the probabilities with which what surely ends is mixed in, see mend.
var shares = []float64{.5, .1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8}

// mend takes in the best policy near one that may go on for ever which surely ends: it costs little to leave now
// and then, and none counts that does not.
func (r *runner) mend(pi []float64) {
	e := r.ev.Episodes
	if r.fixes || e == nil || pi == nil || r.m.Problem.Deterministic || solve.Large(r.m) || e.Endless(pi) < 0 {
		return
	}
	r.second()
	ev, q := r.turns.ev, make([]float64, len(pi))
	least := math.Inf(1)
	if r.p.Best.Feasible {
		least = r.p.Best.Objective
	}
	if ev.Evaluate(pi); !(ev.J[0] < least) {
		return
	}
	best := -1.0
	for _, share := range shares {
		if !e.Mix(q, pi, share) {
			continue
		}
		if ev.Evaluate(q); ev.J[0] < least && within(ev, leastTolerance) {
			least, best = ev.J[0], share
		}
	}
	if best < 0 {
		return
	}
	was := r.turns.busy
	r.fixes, r.turns.busy = true, true
	e.Mix(q, pi, best)
	r.meet(q)
	r.fixes, r.turns.busy = false, was
}

// within reports whether the last policy misses no limit by more than a share of its scale.
func within(ev *evaluate.Evaluator, missed float64) bool {
	return !some(ev.M, func(n int, scale float64) bool { return !(ev.J[n]-ev.M.B[n] <= missed*scale) })
}

// some reports whether it is so of some limit, given its scale.
func some(m *model.Standard, is func(n int, scale float64) bool) bool {
	for n := 1; n <= m.N; n++ {
		if is(n, m.Scale(n, m.B[n])) {
			return true
		}
	}
	return false
}

// shorter are probabilities with which an episode is lost in a step where the stand-in's finds no prices: what a limit
// alone keeps from going on for ever hides all else while that is for 1e15 steps.
var shorter = []float64{1e-6, 1e-4}

// atOne is a proposal by values made anew for discount 1, from its prices; nil when there is none.
func (y *dual) atOne(c *proof.Claim, more func() bool) *proof.Claim {
	if c.Values == nil || y.x == nil {
		return nil
	}
	w := append([]float64{1}, c.Values.Prices...)
	if c.Infeasible() {
		w[0] = 0
	}
	one, _, _ := y.x.Prove(w, c.Values.Kernel, more)
	if one == nil || one.Values.V == nil {
		return nil
	}
	one.Allow = c.Allow
	return one
}

// put offers a proposal by values. At discount 1 one that is refused, as nothing makes up for what rounding takes off
// the rows that the checker finds, is made anew with more room for that.
func (y *dual) put(c *proof.Claim, more func() bool) {
	open := c.Open()
	for y.d.offer(&open, more) == refused && y.m.Total() && y.x != nil && y.x.Widen() {
		if c = y.atOne(c, more); c == nil {
			return
		}
		open = c.Open()
	}
}

// forEver is a return of so many of the dearest steps, below which it is no return of an episode.
const forEver = 1e8

// Collects is the state in which the objective can be made as small as one likes before an episode
// ends, empty where there is none: a cycle of negative cost. It is asked where there are no limits;
// with limits what it comes to may be finite, see earns, and so it is of one action a state. The run of a large model
// comes across it by itself, and its last record says so.
func Collects(ev *evaluate.Evaluator) string {
	m := ev.M
	if ev.Episodes == nil || m.N > 0 || m.Problem.Deterministic || solve.Large(m) {
		return ""
	}
	x, err := bound.NewPricing(m)
	if err != nil {
		return ""
	}
	for k := range max(1, len(m.Kernels)) {
		x.Prefer([]float64{1}, k)
		pi := x.Policy()
		if ev.Evaluate(pi); !(ev.J[0] < -forEver*m.Dearest(0)) || math.IsNaN(ev.J[0]) {
			continue
		}
		if i := ev.Episodes.Endless(pi); i >= 0 {
			return m.Problem.States[m.State[i]]
		}
	}
	return collecting(ev, x, ev.Episodes.Start())
}

// Unbounded says that a state can collect for ever, with the ways out.
func Unbounded(state string) string {
	return fmt.Sprintf("unbounded: state %q can collect for ever, so that no policy is best: each can stay there longer before it ends. "+
		"Put a limit on what it collects or on the number of steps, ask for one action in each state, or take a discount below 1", state)
}

// earns says in the last record where what was found is no least cost, as the policy can collect more within
// the limits.
func (r *runner) earns() {
	if r.ev.Episodes == nil || r.dual.x == nil || !r.p.Best.Feasible || r.m.Problem.Deterministic || solve.Large(r.m) {
		return
	}
	if s := collecting(r.ev, r.dual.x, r.p.Best.Policy); s != "" {
		r.door.say(Unbounded(s) + ".")
	}
}

// longer are the probabilities with which a cycle is left, next to the least of the model, and
// leastLeft is the least of those that an evaluation tells from 0.
var longer = []float64{1e-2, 1e-4, 1e-6}

const leastLeft = 1e-10

// collecting is a state that collects for ever, for a policy that counts and meets the limits and leaves it more and more
// seldom: it goes on to do so, and the objective falls in proportion. That is a cycle of negative cost under every
// kernel: under each the play can be kept, and nothing in the model is as slow as that. Empty where none is found.
func collecting(ev *evaluate.Evaluator, x *bound.Pricing, base []float64) string {
	m, e, plain := ev.M, ev.Episodes, ev.Untimed()
	from := [][]float64{base, e.Start()}
	for _, share := range []float64{1e-2, 1e-4, 1e-6} { // which come to wherever one can
		q := make([]float64, len(base))
		if e.Mix(q, base, share) {
			from = append(from, q)
		}
	}
	for k := range max(1, len(m.Kernels)) {
		for _, price := range []float64{0, 1, 1e3, 1e6} {
			w := []float64{1}
			for n := 1; n <= m.N; n++ {
				w = append(w, price*max(m.Dearest(0), model.MinCost)/max(m.Dearest(n), model.MinCost))
			}
			x.Prefer(w, k)
			stay := x.Policy()
			if e.Endless(stay) < 0 {
				continue
			}
			stuck := e.Stuck(stay)
			for only := -1; only < m.S; only++ { // left anywhere, or in one state
				for _, pi := range from {
					if only >= 0 && !stuck[only] {
						continue
					}
					if i := longerAndLonger(plain, e, stay, pi, stuck, only); i >= 0 {
						return m.Problem.States[m.State[i]]
					}
				}
			}
		}
	}
	return ""
}

// longerAndLonger is the pair at which a policy that stays where it is stuck, and leaves as pi does, in one of these
// states if not in all, collects for ever; -1 where it does not.
func longerAndLonger(ev *evaluate.Evaluator, e *evaluate.Episodes, stay, pi []float64, stuck []bool, only int) int {
	m := ev.M
	q := make([]float64, len(pi))
	leave := func(share float64) {
		copy(q, pi)
		for i, s := range m.State {
			switch {
			case stuck[s] && (only < 0 || s == only):
				q[i] = (1-share)*stay[i] + share*pi[i]
			case stuck[s]:
				q[i] = stay[i]
			}
		}
	}
	leave(0)
	at := e.EndlessUnderAll(q)
	if at < 0 {
		return -1
	}
	var j [3]float64
	for n, share := range longer {
		if share *= m.LeastProbability(); share < leastLeft {
			return -1
		}
		if leave(share); e.Endless(q) >= 0 {
			return -1
		}
		if ev.Evaluate(q); !within(ev, leastTolerance) {
			return -1
		}
		j[n] = ev.J[0]
	}
	if fall := j[0] - j[1]; fall > 0 && j[1]-j[2] > 50*fall && j[2] < -m.Dearest(0)/longer[1] {
		return at
	}
	return -1
}
