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
	Costs           []Column  // the first is the objective unless Options say so
	Warnings        []string  // sentences
}

// Rows is the number of rows.
func (d *Data) Rows() int { return len(d.State) }

// Episodes is the number of episodes, 0 when the table has none.
func (d *Data) Episodes() int { return len(d.First) }

// Roles a column can have, with the names it is known by (small letters,
// without space, _ and -).
var roles = []struct {
	role  string
	names []string
}{
	{"episode", []string{"episode", "ep", "episodeid", "trajectory", "traj", "trajectoryid", "run", "rollout", "patient", "id"}},
	{"step", []string{"step", "t", "time", "timestep", "k"}},
	{"state", []string{"state", "s", "from", "observation", "obs", "idstatefrom", "statefrom"}},
	{"action", []string{"action", "a", "idaction", "act", "decision"}},
	{"next", []string{"next", "nextstate", "s'", "snext", "sprime", "to", "nextobservation", "nextobs", "idstateto", "stateto", "ns"}},
	{"count", []string{"count", "counts", "n", "number", "times", "frequency", "freq"}},
}

// roleOf guesses what a column is: episode, step, state, action, next, count, or
// "" for a cost.
func roleOf(column string) string {
	name := strings.NewReplacer(" ", "", "_", "", "-", "").Replace(strings.ToLower(column))
	for _, r := range roles {
		if slices.Contains(r.names, name) {
			return r.role
		}
	}
	return ""
}

// Read reads a table. given says what columns are, by role; others are guessed by
// their names. What is not a role and holds numbers is a cost. The
// pointers of faults are into {"columns": [...], "rows": [[...], ...]}.
func Read(t Table, given map[string]string) (*Data, model.Faults) {
	r := reader{t: t, at: map[string]int{}, width: len(t.Columns)}
	r.columns(given)
	if len(r.faults) > 0 {
		return nil, r.faults
	}
	r.rows()
	if len(r.faults) > 0 {
		return nil, r.faults
	}
	r.link()
	if len(r.faults) > 0 {
		return nil, r.faults
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
	costs   []int          // columns that are not roles
	d       Data           // what was read so far
	step    []float64      // by row: its number within the episode; nil without such a column
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

func (r *reader) columns(given map[string]string) {
	for role, name := range given {
		i := slices.Index(r.t.Columns, name)
		switch {
		case !slices.ContainsFunc(roles, func(x struct {
			role  string
			names []string
		}) bool {
			return x.role == role
		}):
			r.fault("/columns", "%q is not a role of a column; the roles are episode, step, state, action, next and count", role)
		case i < 0:
			r.fault("/columns", "there is no column %q to be the %s; the columns are %s", name, role, quoted(r.t.Columns))
		default:
			r.at[role] = i
		}
	}
	taken := map[int]bool{}
	for _, i := range r.at {
		taken[i] = true
	}
	for i, name := range r.t.Columns {
		if taken[i] {
			continue
		}
		role := roleOf(name)
		if _, known := r.at[role]; role != "" && !known {
			r.at[role] = i
			continue
		}
		r.costs = append(r.costs, i)
	}
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
	case !next && !episode:
		r.fault("/columns", `there is neither a column "next" nor a column "episode"; want one of them, to know which state follows`)
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
	states, actions, nexts := newNames(), newNames(), []string(nil)
	d.State, d.Action, d.Count = make([]int, n), make([]int, n), make([]float64, n)
	next, hasNext := r.at["next"]
	for i := range n {
		d.State[i] = r.name(states, i, "state")
		d.Action[i] = r.name(actions, i, "action")
		d.Count[i] = 1
		if c, ok := r.at["count"]; ok {
			if d.Count[i] = r.number(i, c, "a count"); !(d.Count[i] >= 0 && d.Count[i] <= mostCount) {
				r.fault(pointer(i, c), "row %d: the count is %v; want a number from 0 to %g", i+1, d.Count[i], mostCount)
			}
		}
		if c, ok := r.at["step"]; ok {
			r.step = append(r.step, r.number(i, c, "the number of a step"))
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
			d.Next[i] = states.index(nexts[i])
		}
	}
	d.States = states.sorted(d.State, d.Next)
	d.Actions = actions.sorted(d.Action)
	for _, c := range r.costs {
		r.cost(c, n)
	}
}

// name is the index of the state or action in a cell.
func (r *reader) name(names *names, row int, role string) int {
	s := r.cell(row, r.at[role])
	if s == "" {
		r.fault(pointer(row, r.at[role]), "row %d has no %s", row+1, role)
		return 0
	}
	return names.index(s)
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
	c := Column{Name: strings.TrimSpace(r.t.Columns[column]), Values: make([]float64, n)}
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
// table leaves to the next row.
func (r *reader) link() {
	d := &r.d
	if r.episode == nil {
		return
	}
	ids := newNames()
	d.Episode = make([]int, d.Rows())
	for i, s := range r.episode {
		d.Episode[i] = ids.index(s)
	}
	order := make([]int, d.Rows())
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if c := cmp.Compare(d.Episode[a], d.Episode[b]); c != 0 || r.step == nil {
			return c
		}
		return cmp.Compare(r.step[a], r.step[b])
	})
	_, hasNext := r.at["next"]
	breaks, ends, gaps := 0, 0, 0
	for k, i := range order {
		if k == 0 || d.Episode[order[k-1]] != d.Episode[i] {
			d.First = append(d.First, d.State[i])
		}
		follows := k+1 < len(order) && d.Episode[order[k+1]] == d.Episode[i]
		if follows && r.step != nil {
			if r.step[order[k+1]] == r.step[i] {
				r.fault(pointer(order[k+1], r.at["step"]), "episode %q has step %v twice", r.episode[i], r.step[i])
			}
			if r.step[order[k+1]] != r.step[i]+1 {
				gaps++
				follows = false
			}
		}
		switch {
		case hasNext && d.Next[i] >= 0:
			if follows && d.State[order[k+1]] != d.Next[i] {
				breaks++
			}
		case follows:
			d.Next[i] = d.State[order[k+1]]
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

// names numbers names in the order of their first appearance.
type names struct {
	list []string       // in order of first appearance
	at   map[string]int // place in list
}

func newNames() *names { return &names{at: map[string]int{}} }

func (n *names) index(s string) int {
	i, ok := n.at[s]
	if !ok {
		i = len(n.list)
		n.at[s] = i
		n.list = append(n.list, s)
	}
	return i
}

// sorted is the list, in the order of numbers when all names are numbers; the
// references are renumbered.
func (n *names) sorted(references ...[]int) []string {
	value := make([]float64, len(n.list))
	order := make([]int, len(n.list))
	for i, s := range n.list {
		x, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return n.list
		}
		value[i], order[i] = x, i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(value[a], value[b]) })
	to, out := make([]int, len(order)), make([]string, len(order))
	for k, i := range order {
		to[i], out[k] = k, n.list[i]
	}
	for _, ref := range references {
		for i, x := range ref {
			if x >= 0 {
				ref[i] = to[x]
			}
		}
	}
	return out
}
