package interchange

import (
	"bytes"
	"math"
	"strings"

	"rcmdplab/core/model"
)

// Records are a table whose rows are objects, as data frames are written in
// JSON: one list of them, or one object a line. The columns are the keys in the
// order in which they are met.

// firstRecord is the first row of text that begins like records, nil for any
// other text.
func firstRecord(s *source) *node {
	d := bytes.TrimLeft(s.data, " \t\r\n[")
	if len(d) == 0 || d[0] != '{' {
		return nil
	}
	at := len(s.data) - len(d)
	if brackets := bytes.Count(s.data[:at], []byte("[")); brackets > 1 {
		return nil
	}
	n, ok := valueAt(s, at)
	if !ok {
		return nil
	}
	if s := n.part(roleState); s != nil && (s.kind == 'l' || s.kind == 'm') && !n.step() { // a table by its columns
		return nil
	}
	roles := rolesOf(n.keys)
	if !roles[roleState] || !roles[roleNext] && !roles[roleCost] && !roles[roleReward] {
		return nil
	}
	return &n
}

// step says whether a record is one step: its action is one thing.
func (n *node) step() bool {
	a := n.part(roleAction)
	return a != nil && (a.kind == '#' || a.kind == '"')
}

// vector is a list of whole numbers as the name of a state; "" for any other list.
func (n *node) vector() string {
	if len(n.nums) == 0 {
		return ""
	}
	var parts []string
	for _, x := range n.nums {
		if x != math.Trunc(x) {
			return ""
		}
		parts = append(parts, model.Num(x))
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// records reads all rows. Of a text that was cut short, those that are whole.
func (in *input) records(s *source) *Table {
	t := &Table{src: s, Separator: ",", Decimal: ".", Header: true}
	probe := &input{}
	p := &literals{in: probe, src: s, d: s.data, i: len(s.data) - len(bytes.TrimLeft(s.data, " \t\r\n["))}
	column := map[string]int{}
	for !p.rest() && p.peek() != ']' {
		at := p.i
		var n node
		if !try(func() { n = p.value(0) }) {
			if s.whole != nil {
				break
			}
			in.haltBy(probe.faults[0])
		}
		if n.kind != 'm' {
			in.halt(s, at, "a row is written as {\"state\": ..., ...} here; want an object")
		}
		row, cells := make([]string, len(t.Columns)), make([]int32, len(t.Columns))
		for i := range cells {
			cells[i] = n.at
		}
		for i, key := range n.keys {
			kid := &n.kids[i]
			cell := kid.word()
			if kid.kind == 'l' {
				cell = kid.vector()
			}
			switch {
			case kid.kind == 'l' && cell == "":
				in.halt(s, int(kid.at), "a list of numbers that are not whole, or of other things, in a row of a table: states are finitely many here; put such numbers into classes first")
			case kid.kind == 'm':
				in.halt(s, int(kid.at), "a list or an object in a row of a table; want a number or a text")
			}
			c, ok := column[key]
			if !ok {
				c = len(t.Columns)
				column[key] = c
				t.Columns, t.head = append(t.Columns, key), append(t.head, n.at)
				row, cells = append(row, ""), append(cells, n.at)
			}
			row[c], cells[c] = cell, kid.at
		}
		if (len(t.Rows)+1)*len(t.Columns) > maxCells {
			in.halt(s, at, "the table has too many cells")
		}
		t.Rows, t.cells, t.lines = append(t.Rows, row), append(t.cells, cells), append(t.lines, n.at)
	}
	for i, row := range t.Rows { // those before the last column was met
		for len(row) < len(t.Columns) {
			row, t.cells[i] = append(row, ""), append(t.cells[i], t.lines[i])
		}
		t.Rows[i] = row
	}
	return t
}
