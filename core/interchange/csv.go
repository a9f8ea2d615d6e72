package interchange

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"rcmdplab/core/jsontext"
)

var tableFormat = Format{
	ID: "table", Title: "Table (CSV, TSV, spreadsheet)", About: "One transition a row (also as JSON records), or one column for each next state; counts or probabilities, with cost columns or cost sheets.",
	Extensions: []string{"csv", "tsv", "txt"}, Reads: true, Writes: true,
	looks: func(in *input) string {
		for _, f := range in.files {
			if firstRecord(f) != nil {
				return "it is a list of records, each with a state and where it leads or what it costs"
			}
			if d := bytes.TrimLeft(f.data, " \t\r\n"); len(d) > 0 && (d[0] == '{' || d[0] == '[') {
				continue
			}
			t, err := cut(f, TableOptions{})
			if err != nil { // its first line shows what it is meant to be
				head, _, _ := bytes.Cut(f.data, []byte("\n"))
				if t, err = cut(&source{data: head}, TableOptions{Header: "no"}); err != nil || len(t.Columns) < 3 {
					continue
				}
				return "its first line has columns separated by " + separatorName(t.Separator)
			}
			if t.isLog() {
				return "its columns are those of a log"
			}
			square := t.complete() != ""
			if layout := t.layoutOf(); layout != "" && (square || len(t.Columns) >= 3) {
				why := fmt.Sprintf("%d rows of %d columns, separated by %s", len(t.Rows), len(t.Columns), separatorName(t.Separator))
				return why
			}
		}
		return ""
	},
	read:  func(in *input) *draft { return readTables(in, false) },
	write: writeTable,
}

var craamFormat = Format{
	ID: "craam", Title: "craam CSV", About: "The CSV files of craam and rcraam: idstatefrom, idaction, idstateto, probability, reward; idoutcome numbers kernels; extra columns are costs.",
	Extensions: []string{"csv"}, Reads: true, Writes: true,
	looks: func(in *input) string {
		for _, f := range in.files {
			head := strings.ToLower(string(f.data[:min(len(f.data), 2000)]))
			if strings.Contains(head, "idstatefrom") && strings.Contains(head, "idstateto") {
				return "its header has idstatefrom and idstateto"
			}
		}
		return ""
	},
	read:  func(in *input) *draft { return readTables(in, true) },
	write: writeCraam,
}

func separatorName(s string) string {
	switch s {
	case ",":
		return "commas"
	case ";":
		return "semicolons"
	case "|":
		return "bars"
	case "tab":
		return "tabs"
	}
	return "spaces"
}

// rowOf is one transition as a table has it, before ids are known.
type rowOf struct {
	kernel, s, a, t int
	p, hi           float64
	at              int
	costs           []float64 // by cost column
}

// tables is the reading of one or several sheets.
type tables struct {
	in      *input
	ids     bool // craam: ids are whole numbers from 0
	states  names
	actions names
	kernels names
	rows    []rowOf
	costs   []string // names of cost columns
	rewards []bool
	pairs   []rowOf // from cost sheets; t is -1
	src     *source
	bounds  bool
}

func readTables(in *input, ids bool) *draft {
	r := &tables{in: in, ids: ids}
	var initial, parameters *sheet
	var sheets []*sheet
	first := true
	for _, f := range in.files {
		in.remarks(f)
		s := in.peekSheet(f)
		switch {
		case s == nil:
			return nil
		case s.isParameters(), s.isInitial():
			t, err := cut(f, TableOptions{})
			if err != nil {
				in.fail(err.(Fault))
				return nil
			}
			if s.Table = t; s.isParameters() {
				parameters = s
			} else {
				initial = s
			}
			continue
		case s.isLog():
			in.table, in.log = s.Table, true
			in.fail(Fault{File: f.shown, Message: "this is a log of episodes and steps, not a model: estimate a model from it (New, From a log; solver.estimate)"})
			return nil
		}
		if s = in.openSheet(f, first, ids); s == nil || len(in.faults) > 0 {
			return nil
		}
		first = false
		sheets = append(sheets, s)
	}
	// Transitions before cost sheets, so that the order of states is theirs.
	slices.SortStableFunc(sheets, func(x, y *sheet) int { return sheetOrder(x) - sheetOrder(y) })
	if len(sheets) == 0 || sheets[0].layout == "costs" {
		in.fail(Fault{Message: "there are costs and no transitions: a table with state, action, next state and probability (or count) is wanted as well"})
		return nil
	}
	r.src = sheets[0].file
	for _, s := range sheets {
		switch s.layout {
		case "wide":
			r.wide(s)
		case "costs":
			r.sheet(s)
		default:
			r.long(s)
		}
		if len(in.faults) >= maxFaults {
			return nil
		}
	}
	if len(in.faults) > 0 {
		return nil
	}
	d := r.draft()
	if d == nil {
		return nil
	}
	if parameters != nil {
		r.parameters(d, parameters)
	}
	if initial != nil {
		r.initial(d, initial)
	}
	return d
}

// remarks reads the comments before a table.
func (in *input) remarks(f *source) {
	for _, line := range f.lines {
		if !strings.HasPrefix(line, "# ") {
			return
		}
		in.remark(line)
	}
}

func sheetOrder(s *sheet) int {
	if s.layout == "costs" {
		return 1
	}
	return 0
}

// peekSheet cuts the beginning of a file as it looks, to see what kind of sheet
// it is.
func (in *input) peekSheet(f *source) *sheet {
	t, err := cut(f.head(), TableOptions{})
	if err != nil {
		in.fail(err.(Fault))
		return nil
	}
	return &sheet{Table: t, file: f}
}

func (s *sheet) isParameters() bool {
	return len(s.Columns) == 2 && wordOf(s.Columns[0]) == "parameter" || !s.Header && len(s.Columns) == 2 && len(s.Rows) == 1 && wordOf(s.Rows[0][0]) == "discount"
}

func (s *sheet) isInitial() bool {
	if len(s.Columns) != 2 || !s.Header || roleOf(s.Columns[0]) != roleState {
		return false
	}
	w := wordOf(s.Columns[1])
	return roleOf(s.Columns[1]) == roleP || w == "initial" || w == "start" || w == "mu"
}

// number reads the cell of a row as a number, or reports why it is none.
func (r *tables) number(s *sheet, row, c int, what string) (float64, bool) {
	x, ok := s.Number(s.Rows[row][c])
	if !ok {
		r.in.failAt(s.file, s.where(row, c), "found %s; want %s, a number", quote(s.Rows[row][c]), what)
	}
	return x, ok
}

// id is the number of a name; ids of craam are numbers already.
func (r *tables) id(s *sheet, row, c int, n *names, noun string) (int, bool) {
	cell := s.Rows[row][c]
	if !r.ids {
		return n.id(cell), true
	}
	x, ok := s.Number(cell)
	if !ok || x != math.Trunc(x) || x < 0 || x > 1<<30 {
		r.in.failAt(s.file, s.where(row, c), "found %s as the id of %s; want a whole number from 0", quote(cell), noun)
		return 0, false
	}
	n.id(strconv.Itoa(int(x)))
	return int(x), true
}

// fill carries the label of the row above into blank cells, as merged cells of
// a spreadsheet leave them.
func (r *tables) fill(s *sheet) {
	filled := 0
	for c, role := range s.role {
		if role != roleState && role != roleAction || r.ids {
			continue
		}
		for i := 1; i < len(s.Rows); i++ {
			if s.Rows[i][c] == "" && s.Rows[i-1][c] != "" {
				s.Rows[i][c] = s.Rows[i-1][c]
				filled++
			}
		}
	}
	if filled > 0 {
		r.in.note("%s of states or actions: taken from the row above", plural(filled, "blank cell"))
	}
}

// label finds the state and the action of a row.
func (r *tables) label(s *sheet, i int) (st, a int, ok bool) {
	c := s.column(roleState)
	if s.Rows[i][c] == "" {
		r.in.failAt(s.file, s.where(i, c), "the state is blank")
		return 0, 0, false
	}
	if st, ok = r.id(s, i, c, &r.states, "a state"); !ok {
		return 0, 0, false
	}
	if c = s.column(roleAction); c < 0 {
		if r.ids {
			return st, 0, true
		}
		return st, r.actions.id("go"), true
	}
	if s.Rows[i][c] == "" {
		r.in.failAt(s.file, s.where(i, c), "the action is blank")
		return 0, 0, false
	}
	a, ok = r.id(s, i, c, &r.actions, "an action")
	return st, a, ok
}

// costColumns registers the cost columns of a sheet and returns where each
// column's values go, -1 for none.
func (r *tables) costColumns(s *sheet) []int {
	at := make([]int, len(s.role))
	for c, role := range s.role {
		at[c] = -1
		if role != roleCost && role != roleReward {
			continue
		}
		if len(r.costs) >= maxCosts {
			r.in.failAt(s.file, 0, "more than %d columns of costs", maxCosts)
			return at
		}
		name := s.Columns[c]
		if !s.Header {
			name = unique(r.costs, role)
		}
		if at[c] = slices.Index(r.costs, name); at[c] < 0 {
			at[c] = len(r.costs)
			r.costs, r.rewards = append(r.costs, name), append(r.rewards, role == roleReward)
		}
	}
	return at
}

func (r *tables) values(s *sheet, i int, at []int) []float64 {
	var v []float64
	for c, k := range at {
		if k < 0 {
			continue
		}
		for len(v) <= k {
			v = append(v, 0)
		}
		if s.Rows[i][c] != "" {
			v[k], _ = r.number(s, i, c, "the "+s.Columns[c])
		}
	}
	return v
}

// need reports a role that no column has.
func (r *tables) need(s *sheet, roles ...string) bool {
	for _, role := range roles {
		if s.column(role) < 0 {
			r.in.fail(Fault{File: s.file.shown, Line: 1, Column: 1, Message: fmt.Sprintf("no column is the %s; the columns are %s", roleLabelOf(role), strings.Join(s.Columns, ", "))})
			return false
		}
	}
	return true
}

func roleLabelOf(role string) string {
	for _, o := range roleOptions {
		if o.Value == role {
			return o.Label
		}
	}
	return role
}

// long reads one transition a row.
func (r *tables) long(s *sheet) {
	if !r.need(s, roleState, roleNext) {
		return
	}
	r.fill(s)
	lo, hi, v := s.column(roleLower), s.column(roleUpper), s.column(roleP)
	if v < 0 {
		v = s.column(roleCount)
	}
	bounds := lo >= 0 && hi >= 0
	if !bounds && v < 0 {
		r.need(s, roleP)
		return
	}
	r.bounds = r.bounds || bounds
	costs, next, kernel := r.costColumns(s), s.column(roleNext), s.column(roleKernel)
	blanks := 0
	for i := range s.Rows {
		st, a, ok := r.label(s, i)
		if !ok {
			continue
		}
		if s.Rows[i][next] == "" {
			r.in.failAt(s.file, s.where(i, next), "the next state is blank")
			continue
		}
		e := rowOf{s: st, a: a, at: s.where(i, next)}
		if e.t, ok = r.id(s, i, next, &r.states, "a next state"); !ok {
			continue
		}
		if kernel >= 0 {
			if e.kernel, ok = r.id(s, i, kernel, &r.kernels, "a kernel"); !ok {
				continue
			}
		}
		switch {
		case bounds:
			e.p, ok = r.number(s, i, lo, "the lower bound")
			e.at = s.where(i, lo)
			if ok {
				e.hi, ok = r.number(s, i, hi, "the upper bound")
			}
		case s.Rows[i][v] == "" && !r.ids:
			blanks++
		default:
			e.p, ok = r.number(s, i, v, "the probability")
			e.hi, e.at = e.p, s.where(i, v)
		}
		if !ok {
			continue
		}
		e.costs = r.values(s, i, costs)
		r.rows = append(r.rows, e)
	}
	if blanks > 0 {
		r.in.note("%s: taken as 0", plural(blanks, "blank probability"))
	}
	r.scale(s)
}

// scale turns percentages and counts into probabilities.
func (r *tables) scale(s *sheet) {
	switch s.values {
	case "percent":
		for i := range r.rows {
			r.rows[i].p /= 100
			r.rows[i].hi = r.rows[i].p
		}
		r.in.note("percentages: divided by 100")
	case "count":
		type key struct{ k, s, a int }
		sums := map[key]float64{}
		for i := range r.rows {
			e := &r.rows[i]
			if !(e.p >= 0) || math.IsInf(e.p, 0) {
				r.in.failAt(s.file, e.at, "the count is %s; want a number >= 0", show(e.p))
				return
			}
			sums[key{e.kernel, e.s, e.a}] += e.p
		}
		for i := range r.rows {
			e := &r.rows[i]
			if sum := sums[key{e.kernel, e.s, e.a}]; sum > 0 {
				e.p /= sum
				e.hi = e.p
			}
		}
		r.in.note("counts: each row is divided by its sum; how sure the probabilities are is lost (estimate keeps it)")
	}
}

// wide reads one row for each pair, one column for each next state.
func (r *tables) wide(s *sheet) {
	if !r.need(s, roleState, roleLabel) {
		return
	}
	r.fill(s)
	for i := range s.Rows { // the order of states is that of the rows
		if c := s.column(roleState); s.Rows[i][c] != "" {
			r.id(s, i, c, &r.states, "a state")
		}
	}
	to := make([]int, len(s.role))
	for c, role := range s.role {
		if role == roleLabel {
			to[c] = r.states.id(s.Columns[c])
			if x, err := strconv.Atoi(s.Columns[c]); r.ids && err == nil {
				to[c] = x
			}
		}
	}
	costs := r.costColumns(s)
	blanks := 0
	for i := range s.Rows {
		st, a, ok := r.label(s, i)
		if !ok {
			continue
		}
		v := r.values(s, i, costs)
		for c, role := range s.role {
			if role != roleLabel {
				continue
			}
			if s.Rows[i][c] == "" {
				blanks++
				continue
			}
			p, ok := r.number(s, i, c, "a probability")
			if !ok || p == 0 {
				continue
			}
			r.rows = append(r.rows, rowOf{s: st, a: a, t: to[c], p: p, hi: p, at: s.where(i, c), costs: v})
		}
	}
	if blanks > 0 {
		r.in.note("%s: taken as 0", plural(blanks, "blank cell"))
	}
	r.scale(s)
}

// sheet reads costs by state and action, or by state alone.
func (r *tables) sheet(s *sheet) {
	if !r.need(s, roleState) {
		return
	}
	r.fill(s)
	costs := r.costColumns(s)
	every := s.column(roleAction) < 0
	known := len(r.states.all)
	for i := range s.Rows {
		e := rowOf{t: -1, at: s.where(i, s.column(roleState))}
		var ok bool
		if every {
			if e.s, ok = r.id(s, i, s.column(roleState), &r.states, "a state"); !ok {
				continue
			}
			e.a = -1
		} else if e.s, e.a, ok = r.label(s, i); !ok {
			continue
		}
		if !r.ids && e.s >= known {
			r.in.failAt(s.file, e.at, "%s is no state of the transitions", quote(s.Rows[i][s.column(roleState)]))
			continue
		}
		e.costs = r.values(s, i, costs)
		r.pairs = append(r.pairs, e)
	}
}

// draft puts the rows together.
func (r *tables) draft() *draft {
	in := r.in
	if len(r.rows) == 0 {
		in.fail(Fault{File: r.src.shown, Message: "the table has no transition"})
		return nil
	}
	var d *draft
	if r.ids {
		d = r.numbered()
	} else {
		d = r.named()
	}
	if d == nil {
		return nil
	}
	d.interval, d.addUp = r.bounds, r.ids || in.counts
	if r.rewards != nil && !r.rewards[0] {
		d.sense = "minimize"
	}
	for _, name := range r.costs {
		d.costNamed(name)
	}
	for _, e := range r.rows {
		d.add(in, e.kernel, e.s, e.a, e.t, e.p, e.hi, e.at)
		for k, x := range e.costs {
			if x != 0 {
				d.onEntry(d.costs[k], x)
			}
		}
	}
	for _, e := range r.pairs {
		for k, x := range e.costs {
			if e.a < 0 {
				d.onState(d.costs[k], e.s, x)
			} else {
				d.onPair(d.costs[k], e.s, e.a, x)
			}
		}
	}
	return d
}

// named numbers the names: numbers in their order, others as they come.
func (r *tables) named() *draft {
	if len(r.actions.all) == 0 {
		r.actions.id("go")
	}
	st, ac, ke := r.states.sorted(), r.actions.sorted(), r.kernels.sorted()
	for _, rows := range [][]rowOf{r.rows, r.pairs} {
		for i := range rows {
			e := &rows[i]
			e.s = st[e.s]
			if e.a >= 0 {
				e.a = ac[e.a]
			}
			if e.t >= 0 {
				e.t = st[e.t]
			}
			if len(ke) > 0 {
				e.kernel = ke[e.kernel]
			}
		}
	}
	d := r.in.newDraft(r.src, len(r.states.all), len(r.actions.all), 0)
	if d == nil {
		return nil
	}
	d.states, d.actions = r.states.all, r.actions.all
	if len(r.kernels.all) > 1 {
		d.kernels = r.kernels.all
	}
	return d
}

// numbered checks ids that count from 0; gaps in states are states without an
// action, gaps in actions are actions that are never available.
func (r *tables) numbered() *draft {
	in := r.in
	low, s, a, k := math.MaxInt, 0, 0, 0
	lowA := math.MaxInt
	for _, e := range r.rows {
		low, lowA = min(low, e.s, e.t), min(lowA, e.a)
		s, a, k = max(s, e.s+1, e.t+1), max(a, e.a+1), max(k, e.kernel+1)
	}
	for _, e := range r.pairs {
		s, a = max(s, e.s+1), max(a, e.a+1)
	}
	if low == 1 && len(r.states.all) == s-1 {
		if in.choose("base", "Ids count from", "No state has the id 0.", "0", Option{"0", "0: state 0 is missing"}, Option{"1", "1"}) == "0" {
			f := r.src.at(r.rows[0].at, fmt.Sprintf("the ids of states go from 1 to %d, and here they count from 0", s-1))
			f.Fix = &Fix{"count ids from 1", "base", `"1"`}
			in.fail(f)
			return nil
		}
		down := func(rows []rowOf) {
			for i := range rows {
				rows[i].s--
				rows[i].t--
				if lowA >= 1 {
					rows[i].a--
				}
			}
		}
		down(r.rows)
		down(r.pairs)
		if s--; lowA >= 1 {
			a--
		}
		in.note("ids count from 1: reduced by 1")
	}
	d := in.newDraft(r.src, s, a, r.rows[0].at)
	if d == nil {
		return nil
	}
	if k > most(len(r.src.data)) {
		in.failAt(r.src, r.rows[0].at, "kernels are numbered up to %d", k-1)
		return nil
	}
	if k > 1 {
		d.kernels = nil
		for i := range k {
			d.kernels = append(d.kernels, strconv.Itoa(i))
		}
	}
	return d
}

// parameters reads parameter, value.
func (r *tables) parameters(d *draft, s *sheet) {
	for i, row := range s.Rows {
		if wordOf(row[0]) != "discount" {
			r.in.note("parameter %s is left out", quote(row[0]))
			continue
		}
		if x, ok := r.number(s, i, 1, "the discount"); ok {
			d.discount = x
		}
	}
}

// initial reads idstate, probability; what is missing is 0.
func (r *tables) initial(d *draft, s *sheet) {
	mu := make([]float64, d.s)
	sum := 0.0
	for i, row := range s.Rows {
		st := d.find(row[0])
		p, ok := r.number(s, i, 1, "a probability")
		if st < 0 || !ok || !(p >= 0 && p <= 1) {
			r.in.failAt(s.file, s.where(i, 0), "found %s with probability %s; want a state and a probability", quote(row[0]), quote(row[1]))
			continue
		}
		mu[st] += p
		sum += p
	}
	if math.Abs(sum-1) > 1e-9 {
		r.in.failAt(s.file, 0, "the initial distribution sums to %s; want 1", digits(sum, 12))
	}
	d.initial = mu
}

// Tidy is the table in the form that estimation reads: one transition a row,
// with columns state, action, next, count and the costs. It is nil when the
// columns do not say that much.
func Tidy(files []File, options Options) (columns []string, rows [][]jsontext.Value, faults []Fault) {
	in := newInput(files, options)
	r := &tables{in: in}
	if len(in.faults) == 0 {
		s := in.openSheet(in.files[0], true, false)
		if s != nil && len(in.faults) == 0 {
			s.values = "p" // counts stay what they are
			if r.src = s.file; s.layout == "wide" {
				r.wide(s)
			} else {
				r.long(s)
			}
		}
	}
	if len(in.faults) > 0 {
		return nil, nil, in.faults
	}
	columns = append([]string{"state", "action", "next", "count"}, r.costs...)
	for _, e := range r.rows {
		row := []jsontext.Value{jsontext.Value(quoted(r.states.all[e.s])), jsontext.Value(quoted(r.actions.all[e.a])), jsontext.Value(quoted(r.states.all[e.t])), jsontext.Value(num(e.p))}
		for k := range r.costs {
			x := 0.0
			if k < len(e.costs) {
				x = e.costs[k]
			}
			row = append(row, jsontext.Value(num(x)))
		}
		rows = append(rows, row)
	}
	return columns, rows, nil
}
