package interchange

import (
	"bytes"
	"slices"
	"strconv"

	"rcmdplab/core/model"
)

// frame reads a table that is written column by column, as data frames and
// replay buffers are: {"state": [...], "action": [...]}, {"state": {"0": ...}},
// {"columns": [...], "data": [[...]]}, or one such map for each episode. nil for any
// other text.
func frame(s *source) *Table {
	d := bytes.TrimLeft(s.data, " \t\r\n")
	head := d[:min(len(d), 4096)]
	split := bytes.Contains(head, []byte(`"columns"`)) && bytes.Contains(s.data, []byte(`"data"`))
	if s.whole != nil { // a map by columns is seen whole or not at all
		s = s.whole
		d = bytes.TrimLeft(s.data, " \t\r\n")
	}
	if len(d) == 0 || d[0] != '{' && d[0] != '[' || !split && !bytes.Contains(head, []byte(`tate"`)) && !bytes.Contains(head, []byte(`tates"`)) && !bytes.Contains(head, []byte(`obs`)) {
		return nil
	}
	in := &input{}
	p := &literals{in: in, src: s, d: s.data, i: len(s.data) - len(d)}
	var root node
	if !try(func() {
		root = p.value(0)
		for lines := root.kind == 'm'; !p.rest(); { // an episode a line
			if lines {
				root, lines = node{kind: 'l', at: root.at, kids: []node{root}}, false
			}
			if root.kind != 'l' || p.peek() != '{' {
				panic(halted{})
			}
			root.kids = append(root.kids, p.value(0))
		}
	}) {
		return nil
	}
	t := &Table{src: s, Separator: ",", Decimal: ".", Header: true}
	if columns, data := root.find("columns"), root.find("data"); columns != nil && data != nil {
		t.Columns = texts(columns)
		for i := range data.kids {
			t.record(data.kids[i].all(), data.kids[i].at)
		}
	} else if root.kind == 'm' && len(root.kids) == 1 && root.kids[0].kind == 'l' && len(root.kids[0].kids) > 0 {
		t.episodes(root.kids[0].kids)
	} else if root.kind == 'l' && len(root.kids) > 0 && root.kids[0].kind == 'l' {
		t.steps(root.kids)
	} else if root.kind == 'l' {
		t.episodes(root.kids)
	} else {
		t.across(&root, "")
	}
	roles, of := map[string]bool{}, map[string]bool{}
	for _, c := range t.Columns {
		t.head = append(t.head, root.at)
		roles[roleOf(c)] = true
		of[wordOf(c)] = true
	}
	roles[roleState] = roles[roleState] || of["observations"] || of["states"] && root.role("p") == nil && root.role("lower") == nil && (roles[roleReward] || roles[roleCost] || roles[roleDone]) // or else their names
	if len(t.Rows) == 0 || !roles[roleState] || !roles[roleNext] && !roles[roleAction] {
		return nil
	}
	return t
}

// record adds a row.
func (t *Table) record(cells []node, at int32) {
	row, places := make([]string, len(t.Columns)), make([]int32, len(t.Columns))
	for i := range places {
		places[i] = at
		if i < len(cells) {
			row[i], places[i] = cells[i].word(), cells[i].at
		}
	}
	t.Rows, t.cells, t.lines = append(t.Rows, row), append(t.cells, places), append(t.lines, at)
}

// word is a value as the text of a cell.
func (n *node) word() string {
	switch n.kind {
	case '#':
		return model.Num(n.x)
	case '"':
		return n.text
	case 't':
		return strconv.FormatBool(n.x == 1)
	case 'l': // a state in a list of its own
		if n.len() == 1 {
			k := n.nth(0)
			return k.word()
		}
	}
	return ""
}

// episodes adds a map of columns for each episode.
func (t *Table) episodes(all []node) {
	for i := range all {
		if all[i].kind != 'm' || !t.across(&all[i], strconv.Itoa(i)) {
			t.Rows = nil
			return
		}
	}
}

// steps adds the records of each episode, all with the same keys.
func (t *Table) steps(all []node) {
	for i := range all {
		for j := range all[i].kids {
			r := &all[i].kids[j]
			if t.Columns == nil {
				t.Columns = append([]string{"episode"}, r.keys...)
			}
			if r.kind != 'm' || !slices.Equal(r.keys, t.Columns[1:]) {
				t.Rows = nil
				return
			}
			t.record(append([]node{{kind: '"', text: strconv.Itoa(i), at: r.at}}, r.kids...), r.at)
		}
	}
}

// across adds rows of a map of columns. The states of an episode may be one more
// than its actions: where it ended.
func (t *Table) across(m *node, episode string) bool {
	rows := 0
	for i := range m.kids {
		if k := &m.kids[i]; k.kind == 'l' || k.kind == 'm' {
			rows = max(rows, k.len())
		}
	}
	if t.Columns == nil {
		if episode != "" {
			t.Columns = append(t.Columns, "episode")
		}
		for i, name := range m.keys {
			if k := m.kids[i].kind; k == 'l' || k == 'm' && len(m.kids[i].kids) > 0 {
				t.Columns = append(t.Columns, name)
			}
		}
		if len(t.Columns) == 0 || len(t.Columns) > maxCosts {
			return false
		}
	}
	if (len(t.Rows)+rows)*len(t.Columns) > maxCells {
		return false
	}
	for r := range rows {
		var cells []node
		for _, name := range t.Columns {
			column := m.find(name)
			switch {
			case name == "episode" && episode != "":
				cells = append(cells, node{kind: '"', text: episode, at: m.at})
			case column == nil:
				return false
			case r < column.len() && column.kind == 'l':
				cells = append(cells, column.nth(r))
			case r < column.len():
				cells = append(cells, column.kids[r])
			case r+1 == rows && column.len()+1 == rows: // where it ended
				cells = append(cells, node{kind: 'n', at: m.at})
			default:
				return false
			}
		}
		t.record(cells, cells[0].at)
	}
	return true
}
