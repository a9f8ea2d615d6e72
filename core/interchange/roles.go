package interchange

import (
	"slices"
	"strings"
)

// The roles that a column can have.
const (
	roleState  = "state"
	roleAction = "action"
	roleNext   = "next"
	roleP      = "p"
	roleCount  = "count"
	roleCost   = "cost" // of a transition or pair; the column's name is the cost's
	roleReward = "reward"
	roleLower  = "lower"
	roleUpper  = "upper"
	roleKernel = "kernel"
	roleNone   = "ignore"
	roleLabel  = "value" // wide form: the column of the next state that is its name
)

// roleNames are the words by which columns are known, in lower case without
// marks between words.
var roleNames = map[string][]string{
	roleState:  {"state", "s", "from", "source", "src", "idstatefrom", "idstate", "statefrom", "fromstate", "current", "currentstate", "zustand", "etat", "estado"},
	roleAction: {"action", "a", "act", "idaction", "choice", "decision", "control", "aktion", "accion"},
	roleNext:   {"next", "nextstate", "to", "target", "tgt", "dst", "dest", "destination", "idstateto", "stateto", "tostate", "s'", "successor", "sp", "snext", "statenext"},
	roleP:      {"p", "prob", "probability", "pr", "transitionprobability", "weight", "idprobability"},
	roleCount:  {"n", "count", "counts", "freq", "frequency", "visits", "observations", "anzahl", "times"},
	roleReward: {"r", "reward", "rewards", "gain", "profit", "return", "payoff", "utility"},
	roleLower:  {"lower", "low", "lo", "min", "plower", "lb", "lowerbound"},
	roleUpper:  {"upper", "high", "hi", "max", "pupper", "ub", "upperbound"},
	roleKernel: {"kernel", "idoutcome", "outcome", "model", "sample", "scenario", "idkernel"},
	roleCost:   {"c", "cost", "costs", "risk", "price", "energy", "time", "penalty", "loss"},
	roleNone:   {"comment", "note", "notes", "remark", "remarks"},
}

// logNames are columns of trajectories, which are for estimation.
var logNames = []string{"episode", "trajectory", "run", "step", "t", "timestep", "idepisode", "idstep"}

func wordOf(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" _-.()[]:\t", r) {
			return -1
		}
		return r
	}, strings.ToLower(name))
}

// roleOf is the role that a column's name says, or "".
func roleOf(name string) string {
	w := wordOf(name)
	for role, names := range roleNames {
		if slices.Contains(names, w) {
			return role
		}
	}
	if stem := strings.TrimRight(w, "0123456789"); stem == "cost" || stem == "c" || strings.HasPrefix(w, "cost") {
		return roleCost
	}
	if strings.HasPrefix(w, "reward") {
		return roleReward
	}
	return ""
}

// isLog reports a table of trajectories: episodes and steps.
func (t *Table) isLog() bool {
	return t.Header && slices.ContainsFunc(t.Columns, func(c string) bool {
		return slices.Contains(logNames, wordOf(c))
	}) && slices.ContainsFunc(t.Columns, func(c string) bool { return roleOf(c) == roleAction })
}

// layoutOf tells the long form, in which each row is one transition, from the
// wide form, in which each row holds all successors of a pair, and from a
// sheet of costs.
func (t *Table) layoutOf() string {
	if t.Header {
		has := map[string]int{}
		for _, c := range t.Columns {
			has[roleOf(c)]++
		}
		switch {
		case has[roleNext] > 0 && (has[roleP]+has[roleCount]+has[roleLower] > 0 || t.numeric(len(t.Columns)-1)):
			return "long"
		case t.wideFrom() > 0:
			return "wide"
		case has[roleState] > 0 && has[roleCost]+has[roleReward] > 0:
			return "costs"
		}
	}
	if n := t.wideFrom(); n > 0 {
		return "wide"
	}
	if len(t.Columns) >= 3 {
		return "long"
	}
	return ""
}

// numeric says whether all cells of a column are numbers or blank, some number.
func (t *Table) numeric(c int) bool {
	some := false
	for _, row := range t.Rows {
		if row[c] == "" {
			continue
		}
		if _, ok := t.Number(row[c]); !ok {
			return false
		}
		some = true
	}
	return some
}

// wideFrom is the first value column of a wide table: behind one label column
// (state) or two (state, action) there is one column for each state, named
// like the labels. 0 when the table is not of that form.
func (t *Table) wideFrom() int {
	if !t.Header {
		return 0
	}
	for n := 1; n <= 2 && n < len(t.Columns); n++ {
		if n == 1 && roleOf(t.Columns[1]) == roleAction {
			continue
		}
		names := t.Columns[n:]
		matched, wrong := map[string]bool{}, false
		for _, row := range t.Rows {
			if row[0] == "" {
				continue
			}
			if slices.Contains(names, row[0]) {
				matched[row[0]] = true
			} else {
				wrong = true
			}
		}
		if wrong || 2*len(matched) < len(names) || slices.ContainsFunc(names, func(c string) bool { return c == "" }) {
			continue
		}
		values := true
		for c := n; c < len(t.Columns); c++ {
			for _, row := range t.Rows {
				if _, ok := t.Number(row[c]); !ok && row[c] != "" {
					values = false
				}
			}
		}
		if values {
			return n
		}
	}
	return 0
}

// roles says what each column is, by its name or else by its place.
func (t *Table) roles(layout string) []string {
	out := make([]string, len(t.Columns))
	switch layout {
	case "wide":
		n := max(1, t.wideFrom())
		for i := range out {
			out[i] = roleLabel
		}
		out[0] = roleState
		if n == 2 {
			out[1] = roleAction
		}
		return out
	case "costs":
		for i, c := range t.Columns {
			if out[i] = roleOf(c); out[i] == "" || out[i] == roleP || out[i] == roleNext {
				out[i] = roleCost
			}
		}
		if !slices.Contains(out, roleState) && len(out) > 0 {
			out[0] = roleState
		}
		return out
	}
	if t.Header {
		named := 0
		for i, c := range t.Columns {
			if out[i] = roleOf(c); slices.Contains([]string{roleState, roleAction, roleNext, roleP, roleCount, roleKernel, roleLower, roleUpper}, out[i]) {
				if slices.Contains(out[:i], out[i]) {
					out[i] = roleNone
				} else {
					named++
				}
			}
		}
		if named >= 3 {
			if !slices.Contains(out, roleState) {
				if i := slices.Index(out, ""); i >= 0 {
					out[i] = roleState
				}
			}
			value := slices.Contains(out, roleP) || slices.Contains(out, roleCount) || slices.Contains(out, roleLower)
			for i := range out {
				if out[i] != "" {
					continue
				}
				if out[i] = roleNone; t.numeric(i) {
					out[i] = roleCost
					if !value {
						out[i], value = t.valueRole(i), true
					}
				}
			}
			return out
		}
	}
	order := []string{roleState, roleAction, roleNext}
	if len(out) == 3 {
		order = []string{roleState, roleNext}
	}
	for i := range out {
		switch {
		case i < len(order):
			out[i] = order[i]
		case i == len(order):
			out[i] = t.valueRole(i)
		case t.numeric(i):
			out[i] = roleCost
		default:
			out[i] = roleNone
		}
	}
	return out
}

// valueRole tells counts from probabilities: whole numbers, some above 1.
func (t *Table) valueRole(c int) string {
	if t.wholeAbove(func(yield func(string) bool) {
		for _, row := range t.Rows {
			if !yield(row[c]) {
				return
			}
		}
	}) {
		return roleCount
	}
	return roleP
}

func (t *Table) wholeAbove(cells func(func(string) bool)) bool {
	above, whole := false, true
	for cell := range cells {
		if strings.Contains(cell, "%") {
			return false
		}
		if x, ok := t.Number(cell); ok {
			whole = whole && x >= 0 && x == float64(int64(x))
			above = above || x > 1
		}
	}
	return above && whole
}
