package interchange

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Table is text in rows and columns, as a CSV file, a sheet's clipboard or a
// grid has it, and how it was cut: for imports, for estimation from counts and
// logs, and for blocks pasted into the editor.
type Table struct {
	Columns   []string   // the header, or "column 1", "column 2", ...
	Header    bool       // the first row was one
	Rows      [][]string // cells as text, trimmed
	Separator string     // "," ";" "tab" "|" or "space"
	Decimal   string     // "." or ","
	Title     string     // what stood above it in a line of its own, "" for nothing

	either string    // a number that another decimal mark would make another, where no cell tells the mark
	src    *source   // where places are
	lines  []int32   // by row: byte where it starts
	cells  [][]int32 // by row and column: byte of the cell
	head   []int32   // byte of each cell of the header
}

// TableOptions fix what is otherwise recognised.
type TableOptions struct {
	Separator string // as in Table, "" to recognise it
	Decimal   string
	Header    string // "yes", "no", "" to recognise it
}

// maxCells bounds the memory of a table.
const maxCells = 8 << 20

// separators in the order of preference.
var separators = []struct {
	name   string
	b      byte
	plural string // in words
}{{"tab", '\t', "tabs"}, {";", ';', "semicolons"}, {",", ',', "commas"}, {"|", '|', "bars"}, {"space", ' ', "spaces"}, {"&", '&', "& in LaTeX"}}

// tableOf is what a text is as a table, nil where it is none.
func tableOf(s *source, o TableOptions) (t *Table) {
	try(func() { t = (&input{}).cut(s, o) })
	return t
}

// cut cuts text into a table, or halts. Quotes, padding, a byte-order mark, CRLF and blank
// lines are taken care of; trailing separators that every row has make no
// column.
func (in *input) cut(s *source, o TableOptions) *Table {
	if firstRecord(s) != nil {
		return in.records(s)
	}
	if t := frame(s); t != nil {
		return t
	}
	t := &Table{src: s, Separator: o.Separator, Decimal: o.Decimal}
	rows, places := in.tabular(s)
	if rows != nil {
		t.Separator = "&"
	} else if t.Separator == "" {
		t.Separator = guessSeparator(s.data)
	}
	sep := byte(',')
	for _, k := range separators {
		if k.name == t.Separator {
			sep = k.b
		}
	}
	if rows != nil {
		t.Rows, t.cells = rows, places
		for _, p := range places {
			t.lines = append(t.lines, p[0])
		}
	} else {
		t.split(in, sep)
	}
	t.titled()
	t.joined()
	t.unheaded()
	named := 0 // cells of what may be the header
	if len(t.Rows) > 0 {
		named = len(t.Rows[0])
	}
	t.trim()
	t.unbracket()
	if len(t.Rows) == 0 {
		in.haltBy(Fault{File: s.shown, Message: "the table is empty"})
	}
	if t.Decimal == "" {
		t.Decimal, t.either = guessDecimal(t.Rows, sep)
	}
	t.Header = o.Header == "yes" || o.Header == "" && t.looksHeaded()
	if t.Header {
		t.beyond(in, named)
		t.Columns, t.head = t.Rows[0], t.cells[0]
		t.Rows, t.cells, t.lines = t.Rows[1:], t.cells[1:], t.lines[1:]
		t.stateFirst()
		t.composite()
	} else {
		for i := range t.Rows[0] {
			t.Columns = append(t.Columns, "column "+strconv.Itoa(i+1))
		}
	}
	return t
}

// beyond halts at a row that has more cells than the header: it is not known which of them belong to which column.
func (t *Table) beyond(in *input, named int) {
	for i, row := range t.Rows[1:] {
		for j := len(row) - 1; j >= named; j-- {
			if row[j] == "" {
				continue
			}
			why := fmt.Sprintf("this row has %d cells, and the header %d", j+1, named)
			if t.Separator == "," {
				why += "; a number with a decimal comma is cut in two: write a point, or put it in quotes"
			}
			in.haltBy(t.src.at(int(t.cells[i+1][named]), why))
		}
	}
}

// split cuts the text at separators and line ends outside quotes.
func (t *Table) split(in *input, sep byte) {
	d, text, count := t.src.data, string(t.src.data), 0
	width := 4
	for i := 0; i < len(d); {
		start := i
		if i = remark(d, i); i > start {
			continue
		}
		row, at := make([]string, 0, width), make([]int32, 0, width)
		for {
			j := i
			if sep == ' ' {
				for i < len(d) && (d[i] == ' ' || d[i] == '\t') {
					i++
				}
			} else {
				for i < len(d) && (d[i] == ' ' || d[i] == '\t' && sep != '\t') {
					i++
				}
			}
			from, cell := i, ""
			if i < len(d) && d[i] == '"' {
				if cell, i = unquoteCell(d, i, sep); i < 0 {
					in.halt(t.src, from, "a quote is opened here and never closed")
				}
			} else {
				for i < len(d) && d[i] != '\n' && d[i] != sep && !(sep == ' ' && d[i] == '\t') {
					i++
				}
				cell = strings.TrimSpace(text[from:i])
			}
			if !(sep == ' ' && from == i && (i >= len(d) || d[i] == '\n') && j != start) || len(row) == 0 {
				row, at = append(row, cell), append(at, int32(from))
			}
			if count++; count > maxCells {
				in.halt(t.src, i, "the table has more than %d cells", maxCells)
			}
			if i >= len(d) || d[i] == '\n' {
				i++
				break
			}
			i++
			if i >= len(d) && sep != ' ' { // a separator is the last byte
				row, at = append(row, ""), append(at, int32(i))
				break
			}
		}
		width = max(width, min(len(row), 64))
		if blank(row) || ruled(row) {
			continue
		}
		t.Rows, t.cells, t.lines = append(t.Rows, row), append(t.cells, at), append(t.lines, int32(start))
	}
}

// remark is where the line after a comment begins, which is no row whatever stands in it; i where none begins there.
func remark(d []byte, i int) int {
	if text := bytes.TrimLeft(d[i:], " \t"); !bytes.HasPrefix(text, []byte("# ")) {
		return i
	}
	if n := bytes.IndexByte(d[i:], '\n'); n >= 0 {
		return i + n + 1
	}
	return len(d)
}

// unquoteCell reads a quoted cell; end is -1 when the quote is not closed.
func unquoteCell(d []byte, i int, sep byte) (cell string, end int) {
	var b []byte
	for i++; ; i++ {
		if i >= len(d) {
			return "", -1
		}
		if d[i] == '"' {
			if i+1 < len(d) && d[i+1] == '"' {
				i++
			} else {
				break
			}
		}
		b = append(b, d[i])
	}
	i++
	for i < len(d) && d[i] != '\n' && d[i] != sep {
		if c := d[i]; c != ' ' && c != '\t' && c != '\r' {
			b = append(b, c)
		}
		i++
	}
	return strings.TrimSpace(string(b)), i
}

// ruled reports the line below the header of a table in Markdown.
func ruled(row []string) bool {
	for _, c := range row {
		if strings.Trim(c, "-:") != "" || c != "" && !strings.Contains(c, "--") {
			return false
		}
	}
	return true
}

func blank(row []string) bool {
	for _, c := range row {
		if c != "" {
			return false
		}
	}
	return true
}

// joined puts a heading such as R(s, a) together that a comma cut, where the other rows are as
// wide as the headings then are.
func (t *Table) joined() {
	if len(t.Rows) < 2 || len(t.Rows[0]) <= len(t.Rows[1]) || t.Separator != "," {
		return
	}
	var row []string
	var at []int32
	for i, cell := range t.Rows[0] {
		if n := len(row); n > 0 && strings.Count(row[n-1], "(") > strings.Count(row[n-1], ")") {
			row[n-1] += "," + cell
		} else {
			row, at = append(row, cell), append(at, t.cells[0][i])
		}
	}
	if len(row) == len(t.Rows[1]) {
		t.Rows[0], t.cells[0] = row, at
	}
}

// titled takes a line of one cell above a table of more columns for its title.
func (t *Table) titled() {
	for len(t.Rows) > 3 && len(t.Rows[1]) > 2 {
		filled := func(i int) (n int) {
			for _, c := range t.Rows[i] {
				if c != "" {
					n++
				}
			}
			return n
		}
		if t.Rows[0][0] == "" || filled(0) != 1 || filled(1) < 3 {
			return
		}
		t.Title = t.Rows[0][0]
		t.Rows, t.cells, t.lines = t.Rows[1:], t.cells[1:], t.lines[1:]
	}
}

// stateFirst puts the state before the action where the headings say that they stand the
// other way round.
func (t *Table) stateFirst() {
	if len(t.Columns) < 3 || roleOf(t.Columns[0]) != roleAction || roleOf(t.Columns[1]) != roleState {
		return
	}
	swap := func(x []string) { x[0], x[1] = x[1], x[0] }
	at := func(x []int32) { x[0], x[1] = x[1], x[0] }
	swap(t.Columns)
	at(t.head)
	for i := range t.Rows {
		swap(t.Rows[i])
		at(t.cells[i])
	}
}

// composite makes one column of a state that is told by several, where each of them has one
// for the next: x and y with x_next and y_next.
func (t *Table) composite() {
	now, next := t.followed()
	if len(now) < 2 {
		return
	}
	name := func(row []string, of []int) string {
		var parts []string
		for k, c := range of {
			if row[c] != "" {
				parts = append(parts, t.Columns[now[k]]+"="+row[c])
			}
		}
		return strings.Join(parts, ", ")
	}
	keep := func(c int) bool { return !slices.Contains(now, c) && !slices.Contains(next, c) }
	for i, row := range t.Rows {
		cells, places := []string{name(row, now), name(row, next)}, []int32{t.cells[i][now[0]], t.cells[i][next[0]]}
		for c := range row {
			if keep(c) {
				cells, places = append(cells, row[c]), append(places, t.cells[i][c])
			}
		}
		t.Rows[i], t.cells[i] = cells, places
	}
	columns, head := []string{"state", "next_state"}, []int32{t.head[now[0]], t.head[next[0]]}
	for c := range t.Columns {
		if keep(c) {
			columns, head = append(columns, t.Columns[c]), append(head, t.head[c])
		}
	}
	t.Columns, t.head = columns, head
}

// followed are the columns of which another is the next: x and x_next. None where the names say
// which column is a state.
func (t *Table) followed() (now, next []int) {
	if len(t.Columns) > maxCosts {
		return nil, nil
	}
	at := map[string]int{}
	for i, c := range t.Columns {
		at[wordOf(c)] = i
		if role := roleOf(c); role == roleState || role == roleNext {
			return nil, nil
		}
	}
	for i, c := range t.Columns {
		w := wordOf(c)
		for _, other := range []string{w + "next", "next" + w, w + "'", w + "new", "new" + w, w + "after", w + "danach", w + "neu", "neu" + w} {
			if j, ok := at[other]; ok && j != i && w != "" {
				now, next = append(now, i), append(next, j)
				break
			}
		}
	}
	return now, next
}

// unheaded gives the column of row names a heading where the first line has one cell
// less than every other, as R and pandas write it.
func (t *Table) unheaded() {
	for i, row := range t.Rows {
		if len(t.Rows) < 3 || i > 0 && len(row) != len(t.Rows[0])+1 || i == 0 && slices.Contains(row, "") {
			return
		}
	}
	if len(t.Rows) == 0 {
		return
	}
	name, seen := "index", map[string]bool{}
	for i, row := range t.Rows[1:] {
		if seen[row[0]] { // no names of rows: a number was cut in two in each
			return
		}
		seen[row[0]] = true
		if n, err := strconv.Atoi(row[0]); err != nil || n != i && n != i+1 {
			name = ""
		}
	}
	t.Rows[0] = append([]string{name}, t.Rows[0]...)
	t.cells[0] = append([]int32{t.lines[0]}, t.cells[0]...)
}

// unbracket takes the brackets off where every row stands in them, as tuples are printed.
func (t *Table) unbracket() {
	for _, row := range t.Rows {
		if n := len(row); n < 2 || !strings.ContainsAny(row[0][:min(1, len(row[0]))], "([") || !strings.HasSuffix(row[n-1], ")") && !strings.HasSuffix(row[n-1], "]") {
			return
		}
	}
	for i, row := range t.Rows {
		n := len(row) - 1
		row[0], row[n] = strings.TrimSpace(row[0][1:]), strings.TrimSpace(row[n][:len(row[n])-1])
		t.cells[i][0]++
	}
}

// trim makes all rows as long as the longest that is not only padding, and
// drops columns at the end that are empty in every row.
func (t *Table) trim() {
	width := 0
	for _, row := range t.Rows {
		n := len(row)
		for n > 0 && row[n-1] == "" {
			n--
		}
		width = max(width, n)
	}
	if len(t.Rows)*width > maxCells {
		width = maxCells / len(t.Rows)
	}
	for i, row := range t.Rows {
		for len(row) < width {
			row, t.cells[i] = append(row, ""), append(t.cells[i], t.lines[i])
		}
		t.Rows[i], t.cells[i] = row[:width], t.cells[i][:width]
	}
}

// guessSeparator is the one that cuts the first lines into the same number of
// cells, more than one.
func guessSeparator(d []byte) string {
	best, score := ",", 0.0
	for _, k := range separators[:5] {
		var counts []int
		quotes, n, used := false, 1, false
		for i := remark(d, 0); i < len(d) && len(counts) < 60; i++ {
			switch c := d[i]; {
			case c == '"':
				quotes = !quotes
				used = true
			case quotes:
			case c == '\n':
				if used {
					counts = append(counts, n)
				}
				n, used, i = 1, false, remark(d, i+1)-1
			case c == k.b:
				if k.b == ' ' && (!used || i+1 < len(d) && (d[i+1] == ' ' || d[i+1] == '\n' || d[i+1] == '\r')) {
					continue
				}
				n++
			case c != ' ' && c != '\r' && c != '\t':
				used = true
			}
		}
		if used {
			counts = append(counts, n)
		}
		if len(counts) == 0 {
			continue
		}
		votes := map[int]int{}
		for _, n := range counts {
			votes[n]++
		}
		width, agree := 1, 0
		for n, v := range votes {
			if n > 1 && (v > agree || v == agree && n > width) {
				width, agree = n, v
			}
		}
		s := float64(agree) / float64(len(counts))
		if k.b == ' ' {
			s *= 0.8
		}
		if width > 1 && s > score+1e-9 {
			best, score = k.name, s
		}
	}
	return best
}

// looksHeaded says whether the first row names the columns: some column has
// text there and numbers below, or the names are known ones.
func (t *Table) looksHeaded() bool {
	first := t.Rows[0]
	known := 0
	for i, c := range first {
		if roleOf(c) != "" {
			known++
		}
		if _, ok := t.Number(c); ok || c == "" {
			continue
		}
		numbers, texts := 0, 0
		for _, row := range t.Rows[1:min(len(t.Rows), 200)] {
			if _, ok := t.Number(row[i]); ok {
				numbers++
			} else if row[i] != "" {
				texts++
			}
		}
		if numbers > 0 && texts == 0 {
			return true
		}
	}
	return known >= 2
}

// Number reads a cell as a number: "0.8", "0,8" with decimal commas, "80%",
// "2/5", "1e-3", "-inf". An empty cell is none.
func (t *Table) Number(cell string) (x float64, ok bool) {
	return parseNumber(cell, t.Decimal == ",")
}

// where is the place of a cell.
func (t *Table) where(row, column int) int {
	if row < 0 {
		return int(t.head[column])
	}
	return int(t.cells[row][column])
}
