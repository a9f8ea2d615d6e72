package interchange

import (
	"bytes"
	"slices"
	"strings"

	"rcmdplab/core/jsontext"
	"rcmdplab/core/model"
)

// rPrint reads an array as R prints it: ", , 1" over each matrix, a line of column
// names, and rows that begin with [1,] or a name. nil for any other text.
func (af *arrayFile) rPrint(in *input, s *source) *array {
	if !looksPrinted(s) {
		return nil
	}
	now := shown{name: "P"}
	for place, line := range s.lines {
		if !now.line(line, place) {
			in.halt(s, now.bad.at, "found %s; want a number of the matrix that R printed", model.Quote(now.bad.s))
		}
	}
	n, m := len(now.slices[0]), 0
	if n > 0 {
		m = len(now.slices[0][0])
	}
	for _, matrix := range now.slices {
		if len(matrix) != n || slices.ContainsFunc(matrix, func(row []field) bool { return len(row) != m }) {
			in.halt(s, 0, "the matrices that R printed are of different sizes, or were cut off; print them whole (options(max.print = 1e7, width = 10000))")
		}
	}
	if m == 0 {
		in.halt(s, 0, "no matrix is here")
	}
	a := &array{name: "P", shape: []int{n, m, len(now.slices)}}
	for i := range n {
		for j := range m {
			for _, matrix := range now.slices {
				x, _ := rational(matrix[i][j].s)
				a.v, a.at = append(a.v, x), append(a.at, int32(matrix[i][j].at))
			}
		}
	}
	if slices.Equal(now.states, now.columns) && len(now.states) == n {
		if af.states = now.states; !digitsOnly(now.behind) {
			af.actions = now.behind
		}
	}
	return a
}

func looksPrinted(s *source) bool {
	return strings.HasPrefix(strings.TrimSpace(string(s.data[:min(len(s.data), 200)])), ", , ")
}

// shown is an array as a session shows it.
type shown struct {
	name            string
	slices          [][][]field // numbers by third axis, row, column
	states, columns []string    // names of rows and columns
	behind          []string    // names along the third axis
	flat            bool        // a vector
	named, head     bool        // every row begins with a name; names of columns come next
	bad             field       // what is no number
}

// shownOf turns a session of R, or what Julia shows, into what code would write; "" for any other
// text, and where a line is neither a prompt nor part of an array.
func shownOf(data []byte) string {
	julia := bytes.Contains(data, []byte("[:, :, 1] ="))
	if !julia && !(bytes.HasPrefix(data, []byte("> ")) || bytes.Contains(data, []byte("\n> "))) || !julia && !bytes.Contains(data, []byte("[1,]")) && !bytes.Contains(data, []byte(", , 1")) {
		return ""
	}
	var b []byte
	now := shown{name: "P"}
	for line := range strings.Lines(string(data)) {
		t := strings.TrimSpace(line)
		if prompt, _, ok := cutPrompt(t); ok {
			b, now = now.write(b), shown{name: strings.TrimSpace(prompt)}
			if strings.ContainsAny(prompt, "<=") {
				b, now.name = append(b, prompt+"\n"...), ""
			} else if strings.Trim(now.name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.") != "" {
				return ""
			}
		} else if !now.line(t, 0) {
			return ""
		}
	}
	return strings.TrimSuffix(string(now.write(b)), "\n")
}

// line takes one line of what is shown; false where it is none.
func (a *shown) line(line string, at int) bool {
	t, w := strings.TrimSpace(line), fields(line, at)
	behind, sliced := strings.CutPrefix(t, ", , ")
	if !sliced && strings.HasPrefix(t, "[:, :, ") {
		behind, sliced = strings.CutSuffix(t[len("[:, :, "):], "] =")
	}
	switch {
	case t == "" || strings.HasSuffix(t, ":") && (strings.Contains(t, "×") || strings.Contains(t, "-element")):
		return true
	case sliced:
		a.slices, a.behind = append(a.slices, nil), append(a.behind, behind)
		a.named, a.head = t[0] == ',', t[0] == ','
		return true
	case a.head && (t[0] != '[' || strings.HasPrefix(t, "[,")): // else they were left out
		a.head, a.columns = false, strings.Fields(t)
		return true
	case a.slices == nil:
		a.slices = make([][][]field, 1)
	}
	if w[0].s == "[1]" && !a.named {
		a.flat = true
		w = w[1:]
	} else if _, number := rational(w[0].s); a.named || !number {
		if _, number = rational(w[len(w)-1].s); !number && (!a.named || t[0] == '[') { // names of columns
			return true
		}
		if w[0].s[0] != '[' && len(a.slices) == 1 {
			a.states = append(a.states, w[0].s)
		}
		w = w[1:]
	}
	for _, a.bad = range w {
		if _, ok := rational(a.bad.s); !ok {
			return false
		}
	}
	k := len(a.slices) - 1
	a.slices[k] = append(a.slices[k], w)
	return true
}

// write appends the array as an assignment.
func (a *shown) write(b []byte) []byte {
	if a.name == "" || len(a.slices) == 0 || len(a.slices[0]) == 0 {
		return b
	}
	number := func(b []byte, k, i, j int) []byte {
		if k >= len(a.slices) || i >= len(a.slices[k]) || j >= len(a.slices[k][i]) {
			return append(b, "None"...)
		}
		x, _ := rational(a.slices[k][i][j].s)
		return jsontext.AppendNumber(b, x)
	}
	first := a.slices[0]
	b = append(b, a.name+" = "...)
	if a.flat && len(first[0]) == 1 {
		b = number(b, 0, 0, 0)
	} else {
		b = listed(b, len(first), ",", func(b []byte, i int) []byte {
			return listed(b, len(first[i]), ",", func(b []byte, j int) []byte {
				if a.behind == nil {
					return number(b, 0, i, j)
				}
				return listed(b, len(a.slices), ",", func(b []byte, k int) []byte { return number(b, k, i, j) })
			})
		})
	}
	if roleByName(a.name) == "p" {
		for what, names := range map[string][]string{"states": a.states, "actions": a.behind} {
			if len(names) > 0 && !digitsOnly(names) {
				b = jsontext.AppendStrings(append(b, "; "+what+" = "...), names)
			}
		}
	}
	return append(b, '\n') // no more lines than were shown
}
