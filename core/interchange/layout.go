package interchange

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"rcmdplab/core/model"
)

// layoutOf tells the long form, in which each row is one transition, from the
// wide form, in which each row holds all successors of a pair, from one row a
// pair with columns p1..pn, from a sheet of costs and from a log. open says what
// makes two of them possible, "" when the table tells.
func (t *Table) layoutOf() (layout, open string) {
	if t.Header {
		has := map[string]int{}
		known := make([]string, len(t.Columns))
		for i := range t.Columns {
			known[i] = t.named(i)
			has[known[i]]++
		}
		for _, role := range t.inferred(known) {
			has[role]++
		}
		weighted := max(has[roleP], has[roleCount], has[roleLower]) > 0
		if t.pairForm() {
			return "pairs", ""
		}
		if has[roleEpisode] > 0 && has[roleStep] > 0 && has[roleP]+has[roleLower] == 0 && t.wideFrom() == 0 { // counted or not
			return "log", ""
		}
		if has[roleAction] > 0 && !weighted && t.wideFrom() == 0 {
			if layout, open = t.logOrTable(has); layout != "" {
				return layout, open
			}
		}
		switch {
		case has[roleNext] > 0 && (weighted || t.numeric(len(t.Columns)-1)):
			return "long", ""
		case t.wideFrom() > 0:
			return "wide", ""
		case has[roleState] > 0 && has[roleCost]+has[roleReward] > 0 && !weighted:
			return "costs", ""
		}
	}
	if t.wideFrom() > 0 {
		return "wide", ""
	}
	if n := len(t.Columns); n >= 3 && n <= maxCosts && t.digits() {
		if last := n - 1; n > 3 && !t.Header && t.flags(last) && !t.numeric(last) { // true or false is no probability
			return "log", ""
		}
		return "long", t.byPlace()
	}
	return "", ""
}

// byPlace is what a reading of columns by their places leaves open: nothing where the
// numbers that stand where probabilities are wanted sum to 1.
func (t *Table) byPlace() (open string) {
	if t.Header && t.namedRoles(false) != nil {
		return ""
	}
	role := t.placedRoles()
	p := slices.Index(role, roleP)
	if p < 0 {
		p = slices.Index(role, roleCount)
	}
	switch {
	case p < 0 || len(t.Columns) < 4 || t.probabilities(p, role):
		return ""
	case !t.numeric(p):
		return ""
	case t.Header:
		return "no heading says what its column holds, and the numbers of " + model.Quote(t.Columns[p]) + " are no probabilities"
	}
	return "there are no headings, and the numbers of the " + [...]string{"first", "second", "third", "fourth"}[p] + " column may be counts, or what a step gave"
}

// logOrTable judges a table with an action and with no column named a
// probability or a count: a line is then one step that was taken, unless some
// column holds probabilities all the same. "" for neither.
func (t *Table) logOrTable(has map[string]int) (layout, open string) {
	named := has[roleEpisode]+has[roleDone]+has[roleCut] > 0 || has[roleStep] > 0
	if has[roleNext] == 0 {
		if named && (has[roleState] > 0 || slices.ContainsFunc(t.Columns, func(c string) bool { return slices.Contains(stateLists, wordOf(c)) })) {
			return "log", ""
		}
		if has[roleState] > 0 && has[roleCost]+has[roleReward] > 0 && t.again() { // a sheet of costs has each pair once
			return "log", ""
		}
		return "", ""
	}
	role := t.namedRoles(false)
	if slices.Contains(role, roleP) {
		return "long", ""
	}
	if has[roleDone]+has[roleCut]+has[roleEpisode] > 0 || has[roleReward] > 0 && t.again() {
		return "log", ""
	}
	counted := slices.Contains(role, roleCount)
	switch {
	case counted:
		return "long", "a column of whole numbers may be counts, or what a step gave"
	case !t.again():
		return "log", "no pair of state and action is there twice: each line may be one step that was taken, or what happens for certain"
	}
	return "log", ""
}

// again says whether some pair of state and action is on two lines.
func (t *Table) again() bool {
	role := t.namedRoles(true)
	s, a := slices.Index(role, roleState), slices.Index(role, roleAction)
	if s < 0 || a < 0 {
		return false
	}
	seen := map[[2]string]bool{}
	for _, row := range t.Rows {
		key := [2]string{row[s], row[a]}
		if seen[key] {
			return true
		}
		seen[key] = true
	}
	return false
}

// numbered takes a column such as p3, r_2 or p(good) apart: what it holds and
// of which next state; kind is "" for other names.
func numbered(name string) (kind, of string) {
	w := strings.ToLower(strings.TrimSpace(name))
	for _, k := range []struct{ stem, kind string }{{"prob", roleP}, {"p", roleP}, {"reward", roleReward}, {"r", roleReward}, {"cost", roleCost}, {"c", roleCost}, {"to", roleP}, {"next", roleP}, {"nach", roleP}, {"vers", roleP}, {"->", roleP}, {"→", roleP}} {
		rest, ok := strings.CutPrefix(w, k.stem)
		if !ok || rest == "" {
			continue
		}
		of = strings.TrimPrefix(strings.Trim(name[len(name)-len(rest):], " _-.()[]:,|;·"), "s'=")
		if _, err := strconv.Atoi(of); of != "" && (err == nil || strings.ContainsAny(rest[:1], "_-.([: ") || k.stem[0] >= 0x80 || k.stem == "->") {
			return k.kind, of
		}
	}
	return "", ""
}

// byNext is numbered, for rewards and costs only where a probability is of the same next
// state: cost (k€) is one column of costs.
func (t *Table) byNext(name string) (kind, of string) {
	kind, of = numbered(name)
	if kind == roleReward || kind == roleCost {
		if !slices.ContainsFunc(t.Columns, func(c string) bool { k, o := numbered(c); return k == roleP && o == of }) {
			return "", ""
		}
	}
	return kind, of
}

// pairForm says whether the columns are p1..pn, one for each state of the first
// column of states, behind a pair, perhaps with r1..rn.
func (t *Table) pairForm() bool {
	s := t.pairState()
	if s < 0 {
		return false
	}
	n := map[string]bool{}
	for _, c := range t.Columns {
		if kind, of := numbered(c); kind == roleP {
			n[of] = true
		}
	}
	for _, row := range t.Rows {
		if row[s] != "" && len(n) > 1 && !n[row[s]] {
			return false
		}
	}
	return len(n) > 1
}

// pairState is the column of states in front of p1..pn: the one called so, else the first; -1 for none.
func (t *Table) pairState() int {
	if s := slices.IndexFunc(t.Columns, func(c string) bool { return roleOf(c) == roleState }); s >= 0 {
		return s
	}
	if kind, _ := numbered(t.Columns[0]); kind != "" || len(t.Columns) < 3 || !t.Header {
		return -1
	}
	return 0
}

// digits says whether some cell is a number, or was meant to be one.
func (t *Table) digits() bool {
	return slices.ContainsFunc(t.Rows, func(row []string) bool { return strings.ContainsAny(strings.Join(row, ""), "0123456789") })
}

// numeric says whether all cells of a column are numbers or blank, some number.
func (t *Table) numeric(c int) bool {
	some := false
	return t.all(c, func(cell string) bool {
		_, ok := t.Number(cell)
		some = some || ok
		return ok || cell == ""
	}) && some
}

// all says whether every cell of a column is such.
func (t *Table) all(c int, such func(string) bool) bool {
	return !slices.ContainsFunc(t.Rows, func(row []string) bool { return !such(row[c]) })
}

// wideFrom is the first value column of a wide table: behind one label column
// (state) or two (state, action) there is one column for each state, named
// like the labels. 0 when the table is not of that form.
func (t *Table) wideFrom() int {
	for n := 1; n <= 2 && n < len(t.Columns); n++ {
		if t.Header && n == 1 && roleOf(t.Columns[1]) == roleAction || !t.values(n) {
			continue
		}
		var names []string
		for _, c := range t.Columns[n:] {
			if role := roleOf(c); !t.Header || role != roleCost && role != roleReward || slices.ContainsFunc(t.Rows, func(row []string) bool { return row[0] == c }) {
				names = append(names, c)
			}
		}
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
	return !slices.ContainsFunc(t.Rows, func(row []string) bool {
		return slices.ContainsFunc(row[n:], func(cell string) bool {
			_, ok := t.Number(cell)
			return !ok && cell != ""
		})
	})
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
		t.head = make([]int32, len(t.Columns))
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
	return !slices.ContainsFunc(t.Columns, func(c string) bool {
		return len(c) > 1 && roleOf(c) != "" && !slices.Contains(logRoles, roleOf(c)) && roleOf(c) != roleNone
	})
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
