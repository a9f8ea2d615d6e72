package wire

import (
	"fmt"

	"rcmdplab/core/model"
)

// A problem with a horizon is solved unrolled, by state and time. What a person is told of it is by decision: a
// list for each where there is one number or row by state otherwise.

// decisions is their number, and how many states the document has; 0 without a horizon.
func decisions(m *model.Standard) (n, states int) {
	if p := m.Problem; p.ByTime() {
		return p.Horizon, len(p.Document().States)
	}
	return 0, 0
}

// policy writes [state][action], with a horizon [decision][state][action].
func (t *text) policy(m *model.Standard, pi []float64) *text {
	if n, _ := decisions(m); n == 0 {
		return t.grid(m.Grid(pi))
	}
	t.open('[')
	for _, table := range m.Tables(pi) {
		t.grid(table)
	}
	return t.close(']')
}

// byState writes what one writes for each state, with a horizon in a list for each decision.
func (t *text) byState(m *model.Standard, states int, one func(s int)) *text {
	n, each := decisions(m)
	t.open('[')
	for s := range states {
		if n > 0 && s%each == 0 {
			if s == n*each { // it is over
				break
			}
			t.open('[')
		}
		if one(s); n > 0 && s%each == each-1 {
			t.close(']')
		}
	}
	return t.close(']')
}

// untimed refuses what is not made for problems with a horizon.
func untimed(m *model.Standard, what string) {
	if n, _ := decisions(m); n > 0 {
		refuse(Unsupported, fmt.Sprintf("%s is for policies that are the same at all times, and this problem has %s with a table for each", what, model.Count(n, "decision")))
	}
}
