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
	roleNext:   {"next", "nextstate", "to", "target", "tgt", "dst", "dest", "destination", "idstateto", "stateto", "tostate", "s'", "successor", "sp", "snext", "statenext", "nach", "ziel", "folgezustand", "naechster", "nächster", "suivant", "siguiente"},
	roleP:      {"p", "prob", "probability", "pr", "transitionprobability", "weight", "idprobability"},
	roleCount:  {"n", "count", "counts", "freq", "frequency", "visits", "observations", "anzahl", "times", "häufigkeit", "nombre"},
	roleReward: {"r", "reward", "rewards", "gain", "profit", "return", "payoff", "utility"},
	roleLower:  {"lower", "low", "lo", "min", "plower", "lb", "lowerbound"},
	roleUpper:  {"upper", "high", "hi", "max", "pupper", "ub", "upperbound"},
	roleKernel: {"kernel", "idoutcome", "outcome", "model", "sample", "scenario", "idkernel"},
	roleCost:   {"c", "cost", "costs", "risk", "price", "energy", "time", "penalty", "loss"},
	roleNone:   {"comment", "note", "notes", "remark", "remarks"},
}

// maxCosts is how many columns of costs a table may have.
const maxCosts = 100

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

// roles says what each column is, by its name or else by its place.
func (t *Table) roles(layout string) []string {
	switch layout {
	case "wide":
		return t.wideRoles()
	case "costs":
		return t.costRoles()
	}
	if t.Header {
		if out := t.namedRoles(); out != nil {
			return out
		}
	}
	return t.placedRoles()
}

// wideRoles are those of one column a next state, after the pair.
func (t *Table) wideRoles() []string {
	out := make([]string, len(t.Columns))
	n := max(1, t.wideFrom())
	for i := range out {
		out[i] = roleLabel
	}
	out[0] = roleState
	if n == 2 {
		out[1] = roleAction
	}
	return out
}

// costRoles are those of a sheet of costs: what is no state or action is a cost.
func (t *Table) costRoles() []string {
	out := make([]string, len(t.Columns))
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

// namedRoles are those that the header tells; nil when it tells too few.
func (t *Table) namedRoles() []string {
	out := make([]string, len(t.Columns))
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
	if named < 3 {
		return nil
	}
	if !slices.Contains(out, roleState) {
		if i := slices.Index(out, ""); i >= 0 {
			out[i] = roleState
		}
	}
	if !slices.Contains(out, roleNext) { // the column that holds names of states
		from := slices.Index(out, roleState)
		for i := range out {
			if out[i] == "" && from >= 0 && t.sameNames(from, i) {
				out[i] = roleNext
				break
			}
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

// placedRoles are those of the usual order: state, action, next state, a value,
// then costs.
func (t *Table) placedRoles() []string {
	out := make([]string, len(t.Columns))
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

// sameNames says whether most cells of a column occur in another.
func (t *Table) sameNames(of, c int) bool {
	known := map[string]bool{}
	for _, row := range t.Rows {
		known[row[of]] = true
	}
	n := 0
	for _, row := range t.Rows {
		if known[row[c]] {
			n++
		}
	}
	return 2*n > len(t.Rows)
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
