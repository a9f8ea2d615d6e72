package estimate

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"rcmdplab/core/model"
)

// Table is a log as it was written: a name for each column and the cells row by
// row, len(Columns) to a row.
type Table struct {
	Columns []string // names, as written
	Cells   []string // text, row by row
}

// Column is a column of numbers that may be a cost.
type Column struct {
	Name   string
	Gain   bool      // more is better
	Values []float64 // by row of Data; NaN where the cell was empty
}

// Data is a log that has been read: one transition a row, or one count of equal
// transitions.
type Data struct {
	States, Actions []string  // names, in order of first appearance
	State, Action   []int     // by row: place in the names
	Next            []int     // -1 where it is not known: the last step of an episode
	Count           []float64 // transitions that the row stands for
	Episode         []int     // number of the episode, nil when the table has none
	First           []int     // first states of the episodes, in their order
	Unordered       bool      // ends are said, and the rows do not follow one another: where episodes began is not known
	Costs           []Column  // the first is the objective unless Options say so
	Warnings        []string  // sentences
}

// Rows is the number of rows.
func (d *Data) Rows() int { return len(d.State) }

// Episodes is the number of episodes, 0 when the table has none.
func (d *Data) Episodes() int { return len(d.First) }

// Columns says what the columns of a table are, names by role: one episode, step, state, action, next and count each; any
// number of "done", where a step led to an end, "cut", behind which the episode was broken off, "cost", "reward", and
// "number", which is a cost or a reward.
type Columns map[string][]string

// Read reads a table whose columns are said; others are passed over. The
// pointers of faults are into {"columns": [...], "rows": [[...], ...]}.
func Read(t Table, columns Columns) (*Data, model.Faults) {
	r := reader{t: t, at: map[string]int{}, width: len(t.Columns)}
	for _, do := range []func(){func() { r.columns(columns) }, r.rows, r.link, r.end} {
		if do(); len(r.faults) > 0 {
			return nil, r.faults
		}
	}
	return &r.d, nil
}

// Beyond this, sums of rows would lose what they are made of.
const mostCount = 1e15

// mostFaults is how many faults are told; the rest is counted.
const mostFaults = 20

type reader struct {
	t       Table          // being read
	width   int            // columns
	at      map[string]int // column of a role
	done    []int          // columns that say that the step led to an end
	cut     []int          // columns that say that the episode was broken off
	costs   []int          // columns of costs and rewards
	gains   map[int]bool   // of costs: more is better
	d       Data           // what was read so far
	ends    []bool         // by row: it led to an end
	cuts    []bool         // by row: the next row is of another episode
	closing []bool         // by row: a state without an action, where the episode was over
	step    []float64      // by row: its number within the episode, or a date as moment has it; nil without such a column
	dated   bool           // steps are dates: nothing says how far apart two of them are
	episode []string       // by row: its name; nil without such a column
	faults  model.Faults   // in the order met
	more    int            // faults beyond those kept
}

func (r *reader) fault(pointer, format string, args ...any) {
	if len(r.faults) == mostFaults {
		r.more++
		r.faults[mostFaults-1].Message = fmt.Sprintf("%d more faults like these", r.more+1)
		return
	}
	r.faults = append(r.faults, model.Fault{Pointer: pointer, Message: fmt.Sprintf(format, args...)})
}

func (r *reader) columns(c Columns) {
	find := func(role, name string) int {
		i := slices.Index(r.t.Columns, name)
		if i < 0 {
			r.fault("/columns", "there is no column %q to be the %s; the columns are %s", name, role, quoted(r.t.Columns))
		}
		return i
	}
	for _, role := range []string{"episode", "step", "state", "action", "next", "count"} {
		for _, name := range c[role] {
			r.at[role] = find(role, name)
		}
	}
	r.gains = map[int]bool{}
	for _, x := range []struct {
		role, what string
		to         *[]int
	}{{"done", "end", &r.done}, {"cut", "break", &r.cut}, {"cost", "cost", &r.costs}, {"number", "cost", &r.costs}, {"reward", "reward", &r.costs}} {
		for _, name := range c[x.role] {
			i := find(x.what, name)
			*x.to = append(*x.to, i)
			r.gains[i] = x.role == "reward"
		}
	}
	slices.Sort(r.costs)
	for _, role := range []string{"state", "action"} {
		if _, ok := r.at[role]; !ok {
			r.fault("/columns", "no column is the %s; name one %q, or say which it is (found %s)", role, role, quoted(r.t.Columns))
		}
	}
	_, next := r.at["next"]
	_, episode := r.at["episode"]
	_, count := r.at["count"]
	switch {
	case !next && count:
		r.fault("/columns", `counts need a column "next", the state that follows`)
	case !next && !episode && len(r.done)+len(r.cut) == 0:
		r.fault("/columns", `there is neither a column "next" nor a column "episode" or "done"; want one of them, to know which state follows`)
	}
}

func quoted(names []string) string {
	q := make([]string, len(names))
	for i, n := range names {
		q[i] = strconv.Quote(n)
	}
	return strings.Join(q, ", ")
}

// cell is the text of a cell of a role, without space around it.
func (r *reader) cell(row, column int) string {
	return strings.TrimSpace(r.t.Cells[row*r.width+column])
}

// rows reads what stands in the rows.
func (r *reader) rows() {
	if r.width == 0 || len(r.t.Cells) == 0 {
		r.fault("/rows", "the table has no rows")
		return
	}
	n := len(r.t.Cells) / r.width
	d := &r.d
	var states, actions model.Names
	var nexts []string
	d.State, d.Action, d.Count = make([]int, n), make([]int, n), make([]float64, n)
	r.ends, r.cuts, r.closing = make([]bool, n), make([]bool, n), make([]bool, n)
	next, hasNext := r.at["next"]
	for i := range n {
		d.State[i] = r.name(&states, i, "state")
		d.Count[i] = 1
		if r.cell(i, r.at["action"]) == "" && (!hasNext || r.cell(i, next) == "") {
			r.closing[i], d.Count[i] = true, 0
		} else {
			d.Action[i] = r.name(&actions, i, "action")
		}
		if c, ok := r.at["count"]; ok {
			if d.Count[i] = r.number(i, c, "a count"); !(d.Count[i] >= 0 && d.Count[i] <= mostCount) {
				r.fault(pointer(i, c), "row %d: the count is %v; want a number from 0 to %g", i+1, d.Count[i], mostCount)
			}
		}
		for _, c := range r.done {
			r.ends[i] = r.flag(i, c) || r.ends[i]
		}
		for _, c := range r.cut {
			r.cuts[i] = r.flag(i, c) || r.cuts[i]
		}
		if c, ok := r.at["step"]; ok {
			r.step = append(r.step, r.moment(i, c))
		}
		if c, ok := r.at["episode"]; ok {
			r.episode = append(r.episode, r.cell(i, c))
		}
		if hasNext {
			nexts = append(nexts, r.cell(i, next))
		}
	}
	if len(r.faults) > 0 {
		return
	}
	d.Next = make([]int, n)
	for i := range d.Next {
		d.Next[i] = -1
		if hasNext && nexts[i] != "" {
			d.Next[i] = states.ID(nexts[i])
		}
	}
	renumber(states.Sort(), d.State, d.Next)
	renumber(actions.Sort(), d.Action)
	d.States, d.Actions = states.All, actions.All
	for _, c := range r.costs {
		r.cost(c, n)
	}
}

// renumber puts what the rows refer to at its new places.
func renumber(to []int, references ...[]int) {
	for _, ref := range references {
		for i, x := range ref {
			if x >= 0 {
				ref[i] = to[x]
			}
		}
	}
}

// flag reads a cell that says yes or no.
func (r *reader) flag(row, column int) bool {
	s := r.cell(row, column)
	yes, ok := model.Flag(s)
	if !ok {
		r.fault(pointer(row, column), "row %d: found %q in column %q; want true or false", row+1, s, r.t.Columns[column])
	}
	return yes
}

// moment reads the place of a row in its episode: a number, or a date, which is
// only compared with others.
func (r *reader) moment(row, column int) float64 {
	if at, ok := moment(r.cell(row, column)); ok {
		r.dated = true
		return at
	}
	return r.number(row, column, "the number of a step, or a date such as 2026-01-31")
}

// moment is 2026-01-31, 31.01.2026 or either with a time behind it, as a number
// that grows with it.
func moment(s string) (at float64, ok bool) {
	part := strings.FieldsFunc(strings.TrimSuffix(s, "Z"), func(r rune) bool { return !(r >= '0' && r <= '9') })
	if len(part) < 3 || len(part) > 7 || !strings.ContainsAny(s, "-./") || strings.ContainsAny(s[:1], "-+.") {
		return 0, false
	}
	if len(part[0]) != 4 {
		part[0], part[2] = part[2], part[0]
	}
	if len(part[0]) != 4 {
		return 0, false
	}
	for i, size := range [6]float64{1e4, 13, 32, 24, 60, 61} {
		x := 0.0
		if i < len(part) {
			x, _ = strconv.ParseFloat(part[i], 64)
		}
		if at = at*size + x; x >= size {
			return 0, false
		}
	}
	return at, true
}

// name is the index of the state or action in a cell.
func (r *reader) name(names *model.Names, row int, role string) int {
	s := r.cell(row, r.at[role])
	if s == "" {
		r.fault(pointer(row, r.at[role]), "row %d has no %s", row+1, role)
		return 0
	}
	return names.ID(s)
}

func pointer(row, column int) string { return fmt.Sprintf("/rows/%d/%d", row, column) }

func (r *reader) number(row, column int, what string) float64 {
	s := r.cell(row, column)
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(x) {
		r.fault(pointer(row, column), "row %d: found %q in column %q; want %s", row+1, s, r.t.Columns[column], what)
	}
	return x
}

// cost keeps a column that holds numbers; a word makes it a remark, which is
// told and passed over.
func (r *reader) cost(column, n int) {
	c := Column{Name: strings.TrimSpace(r.t.Columns[column]), Gain: r.gains[column], Values: make([]float64, n)}
	if c.Name == "" {
		c.Name = fmt.Sprintf("column %d", column+1)
	}
	some := false
	for i := range n {
		s := r.cell(i, column)
		if s == "" {
			c.Values[i] = math.NaN()
			continue
		}
		x, err := strconv.ParseFloat(s, 64)
		switch strings.ToLower(s) { // done, terminated, ...
		case "true":
			x, err = 1, nil
		case "false":
			x, err = 0, nil
		}
		if err != nil || !(math.Abs(x) <= model.MaxCost) {
			r.d.Warnings = append(r.d.Warnings, fmt.Sprintf("Column %q was passed over: row %d holds %q, which is no number up to %v in size.", c.Name, i+1, s, model.MaxCost))
			return
		}
		c.Values[i], some = x, true
	}
	if some {
		r.d.Costs = append(r.d.Costs, c)
	}
}

// link orders the rows by episode and step and finds the next states that the
// table leaves to the next row. Without episodes it takes the rows as they
// stand, cut where an end or a break is said, if they follow one another.
func (r *reader) link() {
	d := &r.d
	if r.episode == nil && len(r.done)+len(r.cut) == 0 {
		return
	}
	order := r.ordered()
	_, hasNext := r.at["next"]
	if r.episode == nil && r.step == nil && hasNext {
		for k := 1; k < len(order); k++ {
			i, j := order[k-1], order[k]
			if !r.ends[i] && !r.cuts[i] && d.Next[i] != d.State[j] {
				d.Warnings = append(d.Warnings, fmt.Sprintf("Row %d does not begin where row %d ended, so the rows are not in the order of time: the tries count, where episodes began is not known.", j+1, i+1))
				d.Unordered = true
				return
			}
		}
	}
	var ids model.Names
	within := make([]int, d.Rows()) // the group of rows that a row is of
	for i, s := range r.episode {
		within[i] = ids.ID(s)
	}
	d.Episode = make([]int, d.Rows())
	breaks, ends, gaps := 0, 0, 0
	for k, i := range order {
		first := k == 0 || within[order[k-1]] != within[i] || (r.ends[order[k-1]] || r.cuts[order[k-1]]) && !r.closing[i]
		if first {
			d.First = append(d.First, d.State[i])
		}
		d.Episode[i] = len(d.First) - 1
		if !first && r.closing[i] && d.Next[order[k-1]] < 0 { // where the step before it led
			d.Next[order[k-1]] = d.State[i]
		}
		follows := k+1 < len(order) && within[order[k+1]] == within[i] && !r.ends[i] && !r.cuts[i]
		if follows && r.step != nil {
			if r.step[order[k+1]] == r.step[i] {
				r.fault(pointer(order[k+1], r.at["step"]), "episode %q has step %v twice", r.named(i), r.cell(i, r.at["step"]))
			}
			if !r.dated && r.step[order[k+1]] != r.step[i]+1 {
				gaps++
				follows = false
			}
		}
		switch {
		case r.closing[i] || r.ends[i] && !hasNext:
		case hasNext && d.Next[i] >= 0:
			if follows && d.State[order[k+1]] != d.Next[i] {
				breaks++
			}
		case follows:
			d.Next[i] = d.State[order[k+1]]
		case k+1 < len(order) && within[order[k+1]] == within[i] && r.closing[order[k+1]]:
		default:
			ends++
		}
	}
	note := func(n int, format string) {
		if n > 0 {
			d.Warnings = append(d.Warnings, fmt.Sprintf(format, n))
		}
	}
	note(breaks, "In %d places the next state is not the state of the step after it; both are taken as written.")
	note(gaps, "In %d places a step is missing from an episode; nothing is concluded across the gap.")
	note(ends, "%d steps have no next state (the ends of episodes); only their costs are used.")
}

// named is the episode of a row, for a person.
func (r *reader) named(row int) string {
	if r.episode == nil {
		return ""
	}
	return r.episode[row]
}

// ordered are the rows by episode and step, as far as they are said.
func (r *reader) ordered() []int {
	var at model.Names
	order, group := make([]int, r.d.Rows()), make([]int, r.d.Rows())
	for i := range order {
		order[i] = i
		if r.episode != nil {
			group[i] = at.ID(r.episode[i])
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if c := cmp.Compare(group[a], group[b]); c != 0 || r.step == nil {
			return c
		}
		return cmp.Compare(r.step[a], r.step[b])
	})
	return order
}

// end lets the steps that led to an end lead to one: a state that is only ever
// entered so and left by nobody is the end itself, any other gets a twin.
func (r *reader) end() {
	d := &r.d
	goes := make([]bool, len(d.States)+1)
	some := false
	for i, s := range d.State {
		some = some || r.ends[i]
		goes[s] = goes[s] || !r.closing[i]
		if t := d.Next[i]; t >= 0 && !r.ends[i] {
			goes[t] = true
		}
	}
	if !some {
		return
	}
	twin, n := map[int]int{}, len(d.States)
	for i := range d.State {
		t := d.Next[i]
		if !r.ends[i] || r.closing[i] || t >= 0 && !goes[t] {
			continue
		}
		if _, ok := twin[t]; !ok {
			name := "end"
			if t >= 0 {
				name = d.States[t] + " (end)"
			}
			for slices.Contains(d.States, name) {
				name += "'"
			}
			twin[t] = len(d.States)
			d.States = append(d.States, name)
		}
		d.Next[i] = twin[t]
	}
	if n < len(d.States) {
		d.Warnings = append(d.Warnings, fmt.Sprintf("Steps that ended an episode lead to %s, where nothing is paid any more.", quoted(d.States[n:])))
	}
}
