package interchange

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"rcmdplab/core/model"
)

var tableFormat = Format{
	ID: "table", Title: "Table (CSV, TSV, spreadsheet)", About: "CSV, TSV, semicolons with decimal commas, a sheet of a workbook (.xlsx) or a block of one, LaTeX, records as JSON, one list or one a line: one transition a row, one column for each next state, p1 to pn and r1 to rn for each pair, matrices one below the other, or one file a matrix with the action in its name; probabilities, percentages or counts, costs in columns or in a sheet of their own. Columns are told by their names, in English, German, French, Spanish, Portuguese, Italian or Dutch, or else by what is in them. Of counts, and of logs with one step a row or steps as tuples in code, a robust model is estimated.",
	Extensions: []string{"csv", "tsv", "txt", "xlsx"}, Reads: true, Writes: true,
	looks: func(f *source) string {
		if firstRecord(f) != nil {
			return "it is a list of records, each with a state and where it leads or what it costs"
		}
		if frame(f) != nil {
			return "it is a table by its columns, with a state and where it leads or what is done"
		}
		if d := bytes.TrimLeft(f.data, " \t\r\n"); len(d) > 0 && (d[0] == '{' || d[0] == '[') {
			return ""
		}
		t := tableOf(f, TableOptions{})
		if t == nil && bytes.Contains(f.data, []byte(`\begin{tabular}`)) {
			return "it is a tabular of LaTeX"
		}
		if t == nil { // its first line shows what it is meant to be
			head, _, _ := bytes.Cut(f.data, []byte("\n"))
			if t = tableOf(&source{data: head}, TableOptions{Header: "no"}); t == nil || len(t.Columns) < 3 {
				return ""
			}
			return "its first line has columns " + t.by()
		}
		square := t.complete() != ""
		layout, _ := t.layoutOf()
		if layout == "log" {
			return "its columns are those of a log"
		}
		if layout != "" && (square || len(t.Columns) >= 3) {
			return fmt.Sprintf("%d columns, %s", len(t.Columns), t.by()) // of a large file this sees the beginning alone: its rows are counted later
		}
		return ""
	},
	read:  func(in *input) *draft { return readTables(in, false) },
	write: writeTable,
}

var craamFormat = Format{
	ID: "craam", Title: "craam CSV", About: "The CSV files of craam and rcraam: idstatefrom, idaction, idstateto, probability, reward; idoutcome numbers kernels; other columns of numbers are costs; initial.csv and parameters.csv beside it.",
	Extensions: []string{"csv"}, Reads: true, Writes: true,
	looks: func(f *source) string {
		head := strings.ToLower(string(f.data[:min(len(f.data), 2000)]))
		if strings.Contains(head, "idstatefrom") && strings.Contains(head, "idstateto") {
			return "its header has idstatefrom and idstateto"
		}
		return ""
	},
	read:  func(in *input) *draft { return readTables(in, true) },
	write: writeCraam,
}

// by says how a table's columns are set apart.
func (t *Table) by() string {
	for _, k := range separators {
		if k.name == t.Separator {
			return "separated by " + k.plural
		}
	}
	return "separated by spaces"
}

// rowOf is one transition as a table has it, before ids are known.
type rowOf struct {
	kernel, s, a, t int       // indices
	p, hi           float64   // probability, or both ends of its interval
	at              int       // byte of the row
	ends            bool      // it ends the episode
	costs           []float64 // by cost column
}

// tables is the reading of one or several sheets.
type tables struct {
	in      *input
	ids     bool // craam: ids are whole numbers from 0
	states  model.Names
	actions model.Names
	kernels model.Names
	rows    []rowOf  // transitions
	costs   []string // names of cost columns
	rewards []bool   // by cost column: it is a reward
	told    []bool   // by cost column: its name, or the person, says whether more or less is better
	pairs   []rowOf  // from cost sheets; t is -1
	src     *source
	bounds  bool // the rows give intervals
	blank   int  // cells of costs, taken as 0
}

func readTables(in *input, ids bool) *draft {
	r := &tables{in: in, ids: ids}
	in.orderMatrices()
	var initial, parameters *sheet
	var sheets []*sheet
	first := true
	for _, f := range in.files {
		in.remarks(f)
		s := &sheet{Table: in.cut(f.head(), TableOptions{}), file: f} // to see what kind of sheet it is
		switch {
		case s.Header && slices.ContainsFunc(s.Columns, func(c string) bool {
			return slices.Contains([]string{"rate", "rates", "intensity", "lambda"}, wordOf(c))
		}):
			in.haltBy(f.at(0, "the columns hold rates, as of a continuous-time chain (CTMC); uniformise it first: divide by the largest rate of leaving a state, and let what is missing of 1 stay (a PRISM .tra file of rates is uniformised here if you say so)"))
		case s.isParameters(), s.isInitial():
			if s.Table = in.cut(f, TableOptions{}); s.isParameters() {
				parameters = s
			} else {
				initial = s
			}
			continue
		}
		if s = in.openSheet(f, first, ids); len(in.faults) > 0 {
			return nil
		}
		if s.layout == "log" {
			if in.columns = s.columnMap(); len(in.files) > 1 {
				in.fail(Fault{File: f.shown, Message: "this is a log of steps that were taken; open one log at a time, without other files"})
			}
			return nil
		}
		first = false
		sheets = append(sheets, s)
	}
	// Transitions before cost sheets, so that the order of states is theirs.
	sort.SliceStable(sheets, func(i, j int) bool { return sheetOrder(sheets[i]) < sheetOrder(sheets[j]) })
	if len(sheets) == 0 || sheets[0].layout == "costs" {
		in.haltBy(Fault{Message: "there are costs and no transitions: a table with state, action, next state and probability (or count) is wanted as well"})
	}
	r.src = sheets[0].file
	for _, s := range sheets {
		try(func() { r.read(s) })
		in.full()
	}
	if slices.ContainsFunc(in.faults, func(f Fault) bool { return f.State == "" }) {
		return nil
	}
	d := r.draft()
	if len(in.faults) > 0 {
		return d
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

// read reads the rows of a sheet.
func (r *tables) read(s *sheet) {
	switch s.layout {
	case "wide", "pairs":
		r.wide(s)
	case "costs":
		r.sheet(s)
	default:
		r.long(s)
	}
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
	if !ok && dated(s.Rows[row][c]) {
		r.in.failAt(s.file, s.where(row, c), "found %s for %s, which is a date: a spreadsheet makes one of 1/2 or 1.2; format the column as text or as numbers before the values are typed", model.Quote(s.Rows[row][c]), what)
	} else if !ok {
		r.in.failAt(s.file, s.where(row, c), "found %s; want %s, a number", model.Quote(s.Rows[row][c]), what)
	}
	return x, ok
}

// dated says whether a cell is a date, as spreadsheets make them of fractions.
func dated(cell string) bool {
	part := strings.FieldsFunc(cell, func(r rune) bool { return strings.ContainsRune("-./ ", r) })
	digits, month := 0, 0
	for _, p := range part {
		if _, err := strconv.Atoi(p); err == nil {
			digits++
		} else if len(p) >= 3 && strings.Contains("jan feb mar apr may jun jul aug sep oct nov dec mär mai okt dez", strings.ToLower(p[:3])) {
			month++
		}
	}
	return len(part) == digits+month && (month == 1 && digits >= 1 || digits == 3)
}

// id is the number of a name; ids of craam are numbers already.
func (r *tables) id(s *sheet, row, c int, n *model.Names, noun string) int {
	cell := s.Rows[row][c]
	if !r.ids {
		return n.ID(cell)
	}
	x, ok := s.Number(cell)
	if !ok || x != math.Trunc(x) || x < 0 || x > 1<<30 {
		r.in.halt(s.file, s.where(row, c), "found %s as the id of %s; want a whole number from 0", model.Quote(cell), noun)
	}
	n.ID(strconv.Itoa(int(x)))
	return int(x)
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
		r.in.note("%s of states or actions: taken from the row above", model.Count(filled, "blank cell"))
	}
}

// label finds the state and the action of a row.
func (r *tables) label(s *sheet, i int) (st, a int) {
	st = r.filled(s, i, s.column(roleState), &r.states, "a state")
	switch c := s.column(roleAction); {
	case c >= 0:
		a = r.filled(s, i, c, &r.actions, "an action")
	case !r.ids:
		a = r.actions.ID("go")
	}
	return st, a
}

// filled is id of a cell that must not be blank.
func (r *tables) filled(s *sheet, i, c int, n *model.Names, noun string) int {
	if s.Rows[i][c] == "" {
		_, what, _ := strings.Cut(noun, " ")
		r.in.halt(s.file, s.where(i, c), "the %s is blank", what)
	}
	return r.id(s, i, c, n, noun)
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
			_, said := r.in.given["columns"]
			r.costs, r.rewards, r.told = append(r.costs, name), append(r.rewards, role == roleReward), append(r.told, said || s.Header && roleOf(name) == role)
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
		if s.Rows[i][c] == "" {
			r.blank++
			continue
		}
		v[k], _ = r.number(s, i, c, "the "+s.Columns[c])
	}
	return v
}

// need halts where no column has a role.
func (r *tables) need(s *sheet, roles ...string) {
	for _, role := range roles {
		if s.column(role) < 0 {
			r.in.haltBy(Fault{File: s.file.shown, Line: 1, Column: 1, Message: fmt.Sprintf("no column is the %s; the columns are %s", roleLabelOf(role), strings.Join(s.Columns, ", "))})
		}
	}
}

func roleLabelOf(role string) string {
	for _, o := range roleOptions {
		if o.Value == role {
			return o.Label
		}
	}
	return role
}
