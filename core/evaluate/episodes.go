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
}

// NewEpisodes analyses a problem. O(rounds · successors), with as many rounds as the longest way to an
// end takes at the worst.
func NewEpisodes(m *model.Standard) (*Episodes, error) {
	e := &Episodes{m: m, safe: make([]bool, m.Pairs())}
	if m.Kernels == nil {
		var err error
		if e.set, err = uncertainty.New(m); err != nil {
			return nil, fmt.Errorf("evaluate: %w", err)
		}
	}
	for k := range max(1, len(m.Kernels)) {
		x := e.surely(k)
		e.sure = append(e.sure, x)
		for i, s := range m.State {
			e.safe[i] = e.safe[i] || x[s] && !e.leads(i, k, x)
		}
	}
	return e, nil
}

// surely marks the states from which some policy surely ends under kernel k, or the set: the greatest X
// such that from every state of X a way leads to an end along which no mass can leave X. The ways are
// found from the ends backwards, Y, each state by a pair that cannot be barred from those before.
func (e *Episodes) surely(k int) []bool {
	m := e.m
	in := make([]bool, m.S)
	for s := range in {
		in[s] = true
	}
	stays := make([]bool, m.Pairs())
	for {
		for i, s := range m.State {
			stays[i] = in[s] && !e.leads(i, k, in)
		}
		y := make([]bool, m.S)
		for s := range y {
			y[s] = m.Ends(s)
		}
		for more, back := true, false; more; back = !back {
			more = false
			for c := range m.S {
				s := c
				if back {
					s = m.S - 1 - c
				}
				for i := m.Off[s]; i < m.Off[s+1] && !y[s]; i++ {
					if stays[i] && !e.bars(i, k, y) {
						y[s], more = true, true
					}
				}
			}
		}
		same := true
		for s := range in {
			same = same && in[s] == y[s]
		}
		if in = y; same {
			return in
		}
	}
}

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

// Start is a policy that ends surely where one by one kernel, or against a rectangular set, does: in
// every state all actions alike that may be taken.
func (e *Episodes) Start() []float64 {
	m := e.m
	pi := m.Uniform()
	for s := range m.S {
		some := 0
		for i := m.Off[s]; i < m.Off[s+1]; i++ {
			if e.safe[i] {
				some++
			}
		}
		for i := m.Off[s]; i < m.Off[s+1] && some > 0; i++ {
			pi[i] = 0
			if e.safe[i] {
				pi[i] = 1 / float64(some)
			}
		}
	}
	return pi
}

// Safe reports whether a policy that surely ends may take pair i.
func (e *Episodes) Safe(i int) bool { return e.safe[i] }

// Endless is a pair at which a policy may go on for ever, -1 when it surely ends: a pair it uses
// in a state that it may come to, in a set of states in which all it does can be kept.
func (e *Episodes) Endless(pi []float64) int {
	m := e.m
	for k := range e.sure {
		reached := e.reached(pi, k)
		kept := make([]bool, m.S) // the greatest set in which the play can be kept
		for s := range kept {
			kept[s] = reached[s] && !m.Ends(s)
		}
		out := make([]bool, m.S) // its complement
		for s := range out {
			out[s] = !kept[s]
		}
		for more, back := true, true; more; back = !back {
			more = false
			for c := range m.S {
				s := c
				if back {
					s = m.S - 1 - c
				}
				for i := m.Off[s]; i < m.Off[s+1] && kept[s]; i++ {
					if pi[i] > 0 && !e.bars(i, k, out) {
						kept[s], out[s], more = false, true, true
					}
				}
			}
		}
		for s := range kept {
			for i := m.Off[s]; i < m.Off[s+1] && kept[s]; i++ {
				if pi[i] > 0 {
					return i
				}
			}
		}
	}
	return -1
}

// reached marks the states that the policy may come to under kernel k, or some of the set.
func (e *Episodes) reached(pi []float64, k int) []bool {
	m := e.m
	reached, queue := make([]bool, m.S), []int(nil)
	come := func(s int) {
		if !reached[s] {
			reached[s] = true
			queue = append(queue, s)
		}
	}
	for s, p := range m.Mu {
		if p > 0 {
			come(s)
		}
	}
	for n := 0; n < len(queue); n++ {
		s := queue[n]
		for i := m.Off[s]; i < m.Off[s+1]; i++ {
			if !(pi[i] > 0) {
				continue
			}
			if e.set != nil {
				for _, t := range e.set.Support(i) {
					if uncertainty.Gives(m, i, t) {
						come(t)
					}
				}
				continue
			}
			next, prob := m.Kernels[k].Row(i)
			for j, t := range next {
				if prob[j] > 0 {
					come(t)
				}
			}
		}
	}
	return reached
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
	able := make([]bool, m.S) // an end can be come to at all
	for s := range able {
		able[s] = m.Ends(s)
	}
	for more := true; more; {
		more = false
		for s := range able {
			for i := m.Off[s]; i < m.Off[s+1] && !able[s]; i++ {
				if !e.bars(i, k, able) {
					able[s], more = true, true
				}
			}
		}
	}
	for to, is := range e.reached(m.Uniform(), k) {
		if is && !able[to] && to != s {
			t.In = m.Problem.States[to]
			break
		}
	}
	return t
}
