package evaluate

import (
	"fmt"
	"math"

	"rcmdplab/core/model"
	"rcmdplab/core/uncertainty"
)

// Episodes asks of a problem at discount 1 which policies end: whether all mass can be kept
// from an end for ever. A policy counts when it reaches one surely, from every state that it starts
// in, under every kernel of the set.
//
// A rectangular set is asked pair by pair whether nature can give a successor no mass at all
// (bars) or some mass (leads); a finite set kernel by kernel, as its kernels are for good.
type Episodes struct {
	m    *model.Standard
	set  uncertainty.Set // nil for a finite set
	sure [][]bool        // by kernel of a finite set, or one: by state, whether some policy surely ends from there
	safe []bool          // by pair: it may be taken by a policy that surely ends

	start  []float64 // see Start; nil before it is asked for
	joint  []bool    // by pair, with start: see together
	closed []bool    // by pair: no policy that is spoken of takes it; nil: none

	pace *Pace // asked within the analysis, which is of no use when it is cut; may be nil
}

// NewEpisodes analyses a problem. O(rounds · successors), with as many rounds as the longest way to an
// end takes at the worst.
func NewEpisodes(m *model.Standard) (*Episodes, error) { return newEpisodes(m, nil, nil) }

func newEpisodes(m *model.Standard, closed []bool, pace *Pace) (*Episodes, error) {
	e := &Episodes{m: m, closed: closed, pace: pace, safe: make([]bool, m.Pairs())}
	if m.Rectangular() {
		var err error
		if e.set, err = uncertainty.New(m); err != nil {
			return nil, fmt.Errorf("evaluate: %w", err)
		}
	}
	for k := range max(1, len(m.Kernels)) {
		x := e.surely(k, nil)
		e.sure = append(e.sure, x)
		for i, s := range m.State {
			e.safe[i] = e.safe[i] || x[s] && e.open(i) && !e.leads(i, k, x)
		}
	}
	return e, nil
}

// surely marks the states from which some policy surely ends under kernel k, or the set: the greatest X
// such that from every state of X a way leads to an end along which no mass can leave X. The ways are
// found from the ends backwards, Y, each state by a pair that cannot be barred from those before. With a
// choice of one pair a state, it is asked of that policy.
func (e *Episodes) surely(k int, choice []int) []bool {
	m := e.m
	in := make([]bool, m.S)
	for s := range in {
		in[s] = true
	}
	stays := make([]bool, m.Pairs())
	for {
		for i, s := range m.State {
			stays[i] = in[s] && (choice == nil || choice[s] == i) && e.open(i) && !e.leads(i, k, in)
		}
		y, same := e.able(k, func(i int) bool { return stays[i] }), true
		for s := range in {
			same = same && in[s] == y[s]
		}
		if in = y; same || e.pace.Cut() {
			return in
		}
	}
}

// able marks the states from which pairs that count come to an end under kernel k, whatever nature does.
func (e *Episodes) able(k int, counts func(i int) bool) []bool {
	m := e.m
	able := make([]bool, m.S)
	for s := range able {
		able[s] = m.Ends(s)
	}
	for more, back := true, true; more && e.pace.Spend(m.Pairs()); back = !back {
		more = false
		for c := range m.S {
			s := c
			if back {
				s = m.S - 1 - c
			}
			for i := m.Off[s]; i < m.Off[s+1] && !able[s]; i++ {
				if counts(i) && !e.bars(i, k, able) {
					able[s], more = true, true
				}
			}
		}
	}
	return able
}

func (e *Episodes) open(i int) bool { return e.closed == nil || !e.closed[i] }

// leads reports whether pair i may lead to a state that is not marked.
func (e *Episodes) leads(i, k int, in []bool) bool {
	if e.set == nil {
		next, prob := e.m.Kernels[k].Row(i)
		for j, s := range next {
			if prob[j] > 0 && !in[s] {
				return true
			}
		}
		return false
	}
	for _, s := range e.set.Support(i) {
		if !in[s] && uncertainty.Gives(e.m, i, s) {
			return true
		}
	}
	return false
}

// bars reports whether nature can keep all mass of pair i off the states that are marked.
func (e *Episodes) bars(i, k int, in []bool) bool {
	if e.set == nil {
		next, prob := e.m.Kernels[k].Row(i)
		for j, s := range next {
			if prob[j] > 0 && in[s] {
				return false
			}
		}
		return true
	}
	return uncertainty.Bars(e.m, e.set, i, in)
}

// Trapped is the first initial state from which no policy surely ends, under kernel k of a finite
// set, -1 when there is none. For a finite set it is asked of each kernel alone, so that there may
// be no policy that ends under all of them when none is found.
func (e *Episodes) Trapped() (s, k int) {
	for k, x := range e.sure {
		for s, p := range e.m.Mu {
			if p > 0 && !x[s] {
				return s, k
			}
		}
	}
	return -1, -1
}

// Lost marks the states that no policy surely ends from, under any kernel: whoever counts avoids them.
// Nil when there are none.
func (e *Episodes) Lost() []bool {
	lost, some := make([]bool, e.m.S), false
	for s := range lost {
		lost[s] = true
		for _, x := range e.sure {
			lost[s] = lost[s] && !x[s]
		}
		some = some || lost[s]
	}
	if !some {
		return nil
	}
	return lost
}

// Start is a policy that ends surely, where the test below finds one: against a rectangular set, where
// there is one at all. In every state it takes all pairs alike that are together().
func (e *Episodes) Start() []float64 {
	if e.start == nil {
		e.joint = e.together()
		pi := e.m.Uniform()
		e.restrict(pi, pi)
		e.start = pi
	}
	return append([]float64(nil), e.start...)
}

// restrict leaves out of a policy what together() does; in a state where nothing is left of it
// it does what start says.
func (e *Episodes) restrict(pi, start []float64) {
	m, z := e.m, e.joint
	for s := range m.S {
		some, sum := 0, 0.0
		for i := m.Off[s]; i < m.Off[s+1]; i++ {
			if z[i] {
				some, sum = some+1, sum+pi[i]
			}
		}
		for i := m.Off[s]; i < m.Off[s+1] && some > 0; i++ {
			switch {
			case !z[i]:
				pi[i] = 0
			case sum > leastTaken:
				pi[i] /= sum
			default:
				pi[i] = start[i]
			}
		}
	}
}

// together marks pairs that a policy may take all of and surely end: under no kernel do they lead, from a state
// that they reach under it, to one from which they reach no end under it. Pairs that do are left out until none
// does. A policy may end without being of such pairs only where what it avoids depends on the kernel.
func (e *Episodes) together() []bool {
	m := e.m
	z := append([]bool(nil), e.safe...)
	if e.set != nil {
		return z
	}
	pi := make([]float64, m.Pairs())
	for again := true; again; {
		again = false
		for i := range pi {
			if pi[i] = 0; z[i] {
				pi[i] = 1
			}
		}
		for k := range e.sure {
			reached, able := e.reached(pi, k), e.leaving(pi, k)
			for i, s := range m.State {
				if z[i] && reached[s] && !m.Ends(s) && e.leads(i, k, able) {
					z[i], again = false, true
				}
			}
		}
	}
	return z
}

// leaving marks the states from which the policy can come to an end under kernel k.
func (e *Episodes) leaving(pi []float64, k int) []bool {
	return e.able(k, func(i int) bool { return pi[i] > leastTaken })
}

// Mix makes of a policy that may go on for ever one that takes Start with a small probability in each step, and
// reports whether it surely ends: if not as it is, then without the pairs that Start leaves out.
func (e *Episodes) Mix(dst, pi []float64, share float64) bool {
	start := e.Start()
	mix := func(pi []float64) bool {
		for i := range dst {
			dst[i] = (1-share)*pi[i] + share*start[i]
		}
		return e.Endless(dst) < 0
	}
	if mix(pi) {
		return true
	}
	less := append([]float64(nil), pi...)
	e.restrict(less, start)
	return mix(less)
}

// Safe reports whether a policy that surely ends may take pair i.
func (e *Episodes) Safe(i int) bool { return e.safe[i] }

// leastTaken is a probability that is none to the checker, whose grid is 2^-48: what ends by it alone does not.
const leastTaken = 0x1p-47

// Endless is a pair at which a policy may go on for ever, -1 when it surely ends: a pair it uses
// in a state that it may come to, in a set of states in which all it does can be kept.
func (e *Episodes) Endless(pi []float64) int {
	for k := range e.sure {
		if i := e.endlessUnder(pi, k); i >= 0 {
			return i
		}
	}
	return -1
}

// endlessUnder is Endless under kernel k of a finite set, or against the rectangular one.
func (e *Episodes) endlessUnder(pi []float64, k int) int {
	m := e.m
	reached, able := e.reached(pi, k), e.leaving(pi, k)
	for i, s := range m.State {
		if reached[s] && !able[s] && pi[i] > 0 {
			return i
		}
	}
	return -1
}

// Stuck marks the states from which the policy can come to no end, under some kernel of the set.
func (e *Episodes) Stuck(pi []float64) []bool {
	stuck := make([]bool, e.m.S)
	for k := range e.sure {
		for s, able := range e.leaving(pi, k) {
			stuck[s] = stuck[s] || !able
		}
	}
	return stuck
}

// EndlessUnderAll is a pair at which a policy may go on for ever whatever kernel it is, -1 when it surely
// ends under one.
func (e *Episodes) EndlessUnderAll(pi []float64) (i int) {
	for k := range e.sure {
		if i = e.endlessUnder(pi, k); i < 0 {
			return -1
		}
	}
	return i
}

// reached marks the states that the policy may come to under kernel k, or some of the set.
func (e *Episodes) reached(pi []float64, k int) []bool {
	return e.m.Reached(func(i int, come func(s int)) {
		switch {
		case !(pi[i] > 0):
		case e.set != nil:
			for _, t := range e.set.Support(i) {
				if uncertainty.Gives(e.m, i, t) {
					come(t)
				}
			}
		default:
			next, prob := e.m.Kernels[k].Row(i)
			for j, t := range next {
				if prob[j] > 0 {
					come(t)
				}
			}
		}
	})
}

// Time is the expected number of steps of the policy until it ends, at the worst kernel of
// the set, from the values of a problem whose only cost is 1 a step; +Inf when it may go on for ever.
func (e *Episodes) Time(pi []float64) float64 {
	if e.Endless(pi) >= 0 {
		return math.Inf(1)
	}
	one := make([]float64, e.m.Pairs())
	for i, s := range e.m.State {
		if !e.m.Ends(s) && !e.m.Lost(s) {
			one[i] = 1
		}
	}
	m := e.m.WithCosts([][]float64{one}, []float64{math.Inf(1)})
	m.N = 0
	ev, err := build(m)
	if err != nil {
		return math.NaN()
	}
	ev.Evaluate(pi)
	return ev.J[0]
}

// Trap says that no policy surely reaches an end.
type Trap struct {
	State  string // from where
	Kernel string // of a finite set of several
	In     string // a state that it cannot be kept from and that nothing surely leads to an end from
}

// Error implements error.
func (t *Trap) Error() string {
	s := fmt.Sprintf("no policy surely reaches an end from state %q", t.State)
	if t.Kernel != "" {
		s += fmt.Sprintf(" under kernel %q", t.Kernel)
	}
	if t.In != "" {
		s += fmt.Sprintf(": whatever it does, it may come to state %q, and from there it may go on for ever", t.In)
	} else {
		s += ": whatever it does, it may be kept from every end for ever"
	}
	return s + `. At discount 1 an episode has to end: list that state under "end" too, lead it to one, or take a discount below 1`
}

// trap names one: a state that can be come to from s and from which no end can be reached at all, if any.
func (e *Episodes) trap(s, k int) *Trap {
	m := e.m
	t := &Trap{State: m.Problem.States[s]}
	if len(m.Kernels) > 1 {
		t.Kernel = m.Kernels[k].Name
	}
	able := e.leaving(m.Uniform(), k)
	for to, is := range e.reached(m.Uniform(), k) {
		if is && !able[to] && to != s {
			t.In = m.Problem.States[to]
			break
		}
	}
	return t
}
