package interchange

import (
	"math"
	"slices"
	"strconv"
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
	if t.wideFrom() > 0 {
		return "wide"
	}
	if n := len(t.Columns); n >= 3 && n <= maxCosts && t.digits() {
		return "long"
	}
	return ""
}

// digits says whether some cell is a number, or was meant to be one.
func (t *Table) digits() bool {
	for _, row := range t.Rows {
		if slices.ContainsFunc(row, func(c string) bool { return strings.ContainsAny(c, "0123456789") }) {
			return true
		}
	}
	return false
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
	for n := 1; n <= 2 && n < len(t.Columns); n++ {
		if t.Header && n == 1 && roleOf(t.Columns[1]) == roleAction || !t.values(n) {
			continue
		}
		names := t.Columns[n:]
		matched, wrong := map[string]bool{}, false
		for i, row := range t.Rows {
			switch {
			case row[0] == "":
				wrong = wrong || i == 0
			case slices.Contains(names, row[0]):
				matched[row[0]] = true
			default:
				wrong = true
			}
		}
		if !wrong && 2*len(matched) >= len(names) && !slices.Contains(names, "") {
			return n
		}
	}
	return 0
}

// values says whether all cells from column n on are numbers or blank.
func (t *Table) values(n int) bool {
	for _, row := range t.Rows {
		for _, c := range row[n:] {
			if _, ok := t.Number(c); !ok && c != "" {
				return false
			}
		}
	}
	return true
}

// complete gives a wide table that has a header and no labels, labels and no
// header, or neither, what is missing. Rows without labels are matrices one
// below the other, one for each action. It returns what it assumed, "" when
// the table is not of that form or lacks nothing.
func (t *Table) complete() string {
	if len(t.Rows) == 0 || len(t.Columns) < 2 || t.wideFrom() > 0 {
		return ""
	}
	if n := len(t.Columns); t.values(0) && len(t.Rows)%n == 0 && t.distributions(0) && (!t.Header || t.unknownNames()) {
		names := t.Columns
		if !t.Header {
			names = nil
			for s := range n {
				names = append(names, strconv.Itoa(s))
			}
		}
		for i := range t.Rows {
			t.Rows[i] = append([]string{names[i%n], strconv.Itoa(i / n)}, t.Rows[i]...)
			t.cells[i] = append([]int32{t.lines[i], t.lines[i]}, t.cells[i]...)
		}
		t.Columns = append([]string{"state", "action"}, names...)
		t.head = append(make([]int32, 2), make([]int32, n)...)
		t.Header = true
		return "the numbers are a matrix of states for each action, one below the other"
	}
	if t.Header {
		return ""
	}
	for n := 1; n <= 2 && n < len(t.Columns); n++ {
		var states []string
		for _, row := range t.Rows {
			if row[0] != "" && !slices.Contains(states, row[0]) {
				if states = append(states, row[0]); len(states) > len(t.Columns) {
					break
				}
			}
		}
		if len(states) != len(t.Columns)-n || len(states) < 2 || !t.values(n) || !t.distributions(n) {
			continue
		}
		t.Columns = append([]string{"state", "action"}[:n], states...)
		t.head = make([]int32, len(t.Columns))
		t.Header = true
		return "the columns are the next states in the order of the rows' states"
	}
	return ""
}

// unknownNames says that no column is named like a role.
func (t *Table) unknownNames() bool {
	return !slices.ContainsFunc(t.Columns, func(c string) bool { return len(c) > 1 && roleOf(c) != "" })
}

// distributions says whether rows from column n on sum to 1 or 100, or hold
// whole counts, none of them all zero but some.
func (t *Table) distributions(n int) bool {
	sums, some := 0, 0
	for _, row := range t.Rows {
		sum := 0.0
		for _, c := range row[n:] {
			x, _ := t.Number(c)
			if x < 0 {
				return false
			}
			sum += x
		}
		if sum > 0 {
			some++
		}
		if math.Abs(sum-1) < 1e-3 || math.Abs(sum-100) < 0.1 {
			sums++
		}
	}
	return some > 0 && sums == some
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
