package interchange

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"rcmdplab/core/jsontext"
)

// rewritten brings texts that say the same in another notation to one that a reader
// knows: matrices in LaTeX, arrays that R or Julia shows in a session, and steps of a log that stand in code as tuples or as calls
// with names. false for any other text.
func (in *input) rewritten(s *source) bool {
	if bytes.Contains(s.data, []byte(`matrix}`)) && bytes.Contains(s.data, []byte(`\begin{`)) {
		code := matricesOf(s.data)
		if code != "" {
			s.data = []byte(code)
			in.said["axes"] = jsontext.Value(`"ASS"`)
			in.note("matrices in LaTeX: read as code would write them, and places are in that")
		}
		return code != ""
	}
	if code := shownOf(s.data); code != "" {
		s.data = []byte(code)
		in.note("what a session shows is read as code would write it, and places are in that")
		return true
	}
	d := bytes.TrimSpace(s.data)
	if len(d) == 0 || !looksCode(d) && !bytes.HasPrefix(d, []byte("deque(")) && !bytes.HasPrefix(d, []byte("[(")) && !bytes.HasPrefix(d, []byte("[{'")) && !bytes.HasPrefix(d, []byte("{'")) || assigned(d) {
		return false
	}
	root, ok := probed(s)
	if !ok {
		return false
	}
	if root.kind == 'm' && len(root.kids) == 1 {
		root = root.kids[0]
	}
	table := stepsIn(&root)
	if table != nil {
		s.data = table
		in.note("a table in code: places are in what it is as a table")
	}
	return table != nil
}

// stepsIn writes a list of steps as records of JSON, or columns by name as JSON; nil for
// what is neither.
func stepsIn(root *node) []byte {
	if root.kind == 'm' {
		if slices.ContainsFunc(root.kids, func(k node) bool { return k.kind != 'l' || k.depth() > 2 }) {
			return nil
		}
		roles := rolesOf(root.keys)
		roles[roleState] = roles[roleState] || slices.ContainsFunc(root.keys, func(k string) bool { return slices.Contains(stateLists, wordOf(k)) })
		if root.find("columns") != nil && root.find("data") != nil {
			return root.json(nil)
		}
		if !roles[roleState] || !roles[roleAction] && !roles[roleNext] || !roles[roleReward] && !roles[roleCost] && !roles[roleDone] && !roles[roleP] && !roles[roleCount] {
			return nil
		}
		return root.json(nil)
	}
	if root.kind != 'l' || len(root.kids) < 2 {
		return nil
	}
	width, flags := root.kids[0].len(), false
	for i := range root.kids {
		k := &root.kids[i]
		if k.kind == 'm' {
			flags = flags || k.find("reward") != nil || k.find("next_state") != nil || k.find("action") != nil
			continue
		}
		if k.kind != 'l' || k.len() != width || width < 4 || width > 6 {
			return nil
		}
		flags = flags || k.nth(width-1).kind == 't' || k.nth(0).kind == '"'
	}
	if !flags {
		return nil
	}
	if root.kids[0].kind == 'm' {
		return root.json(nil)
	}
	columns := tupleColumns(root, width)
	if columns == nil {
		return nil
	}
	return listed(nil, len(root.kids), ",", func(b []byte, i int) []byte {
		row := node{kind: 'm', keys: columns, kids: root.kids[i].all()}
		return row.json(b)
	})
}

// tupleColumns names the parts of (state, action, reward, next state, done), or of the
// other order of its middle: the next state holds what is a state elsewhere. Where both fit they
// are called by neither name, which is asked then.
func tupleColumns(root *node, width int) []string {
	known := map[string]bool{}
	for i := range root.kids {
		k := root.kids[i].nth(0)
		known[k.word()] = true
	}
	next := [2]int{}
	for i := range root.kids {
		for j := range next {
			k := root.kids[i].nth(2 + j)
			if known[k.word()] {
				next[j]++
			}
		}
	}
	n := len(root.kids)
	columns := []string{"state", "action", "reward", "next_state", "done", "truncated"}
	switch third, fourth := 4*next[0] >= 3*n, 4*next[1] >= 3*n; {
	case third == fourth && !(fourth && next[0] == 0):
		columns[2], columns[3] = "third", "fourth"
	case third:
		columns[2], columns[3] = "next_state", "reward"
	}
	if width > 4 {
		for i := range root.kids {
			if k := root.kids[i].nth(4); k.kind != 't' && !(k.kind == '#' && (k.x == 0 || k.x == 1)) {
				columns[4] = "fifth"
			}
		}
	}
	return columns[:width]
}

// json writes a value.
func (n *node) json(b []byte) []byte {
	switch n.kind {
	case '#':
		return jsontext.AppendNumber(b, n.x)
	case '"':
		return jsontext.AppendString(b, n.text)
	case 't':
		return strconv.AppendBool(b, n.x == 1)
	case 'l':
		return listed(b, n.len(), ",", func(b []byte, i int) []byte {
			k := n.nth(i)
			return k.json(b)
		})
	case 'm':
		b = append(b, '{')
		for i, k := range n.keys {
			b = append(jsontext.AppendString(jsontext.AppendComma(b), strings.ReplaceAll(k, tuple, " ")), ':')
			b = n.kids[i].json(b)
		}
		return append(b, '}')
	}
	return append(b, "null"...)
}
