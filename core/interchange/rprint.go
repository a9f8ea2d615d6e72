package interchange

import (
	"bytes"
	"strings"

	"rcmdplab/core/jsontext"
)

// rPrint reads an array as R prints it: ", , 1" over each matrix, a line of column
// names, and rows that begin with [1,] or a name. nil for any other text.
func rPrint(in *input, s *source) (a *array) {
	if !looksPrinted(s) {
		return nil
	}
	var slices_ [][][]float64
	var at []int32
	head := false
	names := [3][]string{}
	for place, line := range s.lines {
		t := strings.TrimSpace(line)
		if strings.HasPrefix(t, ", , ") {
			names[2] = append(names[2], t[len(", , "):])
			slices_, head = append(slices_, nil), true
			continue
		}
		if head { // names of columns
			if head = false; len(slices_) == 1 {
				names[1] = strings.Fields(t)
			}
			continue
		}
		w := fields(line, place)
		k := len(slices_) - 1
		if strings.HasPrefix(t, "[") { // "[1,]" is one word, "[1, ]" is not
			w = w[1:]
		} else if len(w) > 0 {
			if k == 0 {
				names[0] = append(names[0], w[0].s)
			}
			w = w[1:]
		}
		var row []float64
		for _, f := range w {
			x, ok := rational(f.s)
			if !ok {
				in.failAt(s, f.at, "found %s; want a number of the matrix that R printed", quote(f.s))
				return nil
			}
			row, at = append(row, x), append(at, int32(f.at))
		}
		slices_[k] = append(slices_[k], row)
	}
	first := slices_[0]
	for _, m := range slices_ {
		for _, row := range m {
			if len(m) != len(first) || len(row) != len(first[0]) {
				in.failAt(s, 0, "the matrices that R printed are of different sizes, or were cut off; print them whole (options(max.print = 1e7, width = 10000))")
				return nil
			}
		}
	}
	if len(first) == 0 || len(first[0]) == 0 {
		in.failAt(s, 0, "no matrix is here")
		return nil
	}
	a = &array{name: "P", axes: names, shape: []int{len(first), len(first[0]), len(slices_)}}
	for i := range first {
		for j := range first[i] {
			for k, m := range slices_ {
				a.v = append(a.v, m[i][j])
				a.at = append(a.at, at[(k*len(first)+i)*len(first[0])+j])
			}
		}
	}
	return a
}

func looksPrinted(s *source) bool {
	return strings.HasPrefix(strings.TrimSpace(string(s.data[:min(len(s.data), 200)])), ", , ")
}

// shown is an array as a session shows it.
type shown struct {
	name           string
	slices         [][][]float64 // by third axis, row, column
	states, behind []string      // names of rows and along the third axis
	flat           bool          // a vector
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
		if prompt, ok := cutPrompt(t); ok {
			b, now = now.write(b), shown{name: strings.TrimSpace(prompt)}
			if strings.ContainsAny(prompt, "<=") {
				b, now.name = append(b, prompt+"\n"...), ""
			} else if strings.Trim(now.name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.") != "" {
				return ""
			}
		} else if !now.line(t) {
			return ""
		}
	}
	return string(now.write(b))
}

func cutPrompt(t string) (string, bool) {
	if rest, ok := strings.CutPrefix(t, "julia> "); ok {
		return rest, true
	}
	return strings.CutPrefix(t, "> ")
}

// line takes one line of what is shown; false where it is none.
func (a *shown) line(t string) bool {
	behind, sliced := strings.CutPrefix(t, ", , ")
	if !sliced && strings.HasPrefix(t, "[:, :, ") {
		behind, sliced = strings.CutSuffix(t[len("[:, :, "):], "] =")
	}
	w := strings.Fields(t)
	switch {
	case len(w) == 0 || strings.HasSuffix(t, ":") && (strings.Contains(t, "×") || strings.Contains(t, "-element")):
		return true
	case sliced:
		a.slices, a.behind = append(a.slices, nil), append(a.behind, behind)
		return true
	case a.slices == nil:
		a.slices = make([][][]float64, 1)
	}
	if w[0] == "[1]" {
		a.flat = true
		w = w[1:]
	} else if _, number := rational(w[0]); !number {
		if _, number = rational(w[len(w)-1]); !number { // names of columns
			return true
		}
		if w[0][0] != '[' && len(a.slices) == 1 {
			a.states = append(a.states, w[0])
		}
		w = w[1:]
	}
	var row []float64
	for _, word := range w {
		x, ok := rational(word)
		if !ok {
			return false
		}
		row = append(row, x)
	}
	k := len(a.slices) - 1
	a.slices[k] = append(a.slices[k], row)
	return true
}

// write appends the array as an assignment.
func (a *shown) write(b []byte) []byte {
	if a.name == "" || len(a.slices) == 0 || len(a.slices[0]) == 0 {
		return b
	}
	list := func(n int, each func(b []byte, i int) []byte, b []byte) []byte {
		b = append(b, '[')
		for i := range n {
			if i > 0 {
				b = append(b, ',')
			}
			b = each(b, i)
		}
		return append(b, ']')
	}
	number := func(b []byte, k, i, j int) []byte {
		if k >= len(a.slices) || i >= len(a.slices[k]) || j >= len(a.slices[k][i]) {
			return append(b, "None"...)
		}
		return jsontext.AppendNumber(b, a.slices[k][i][j])
	}
	first := a.slices[0]
	b = append(b, a.name+" = "...)
	switch {
	case a.flat && len(first[0]) == 1:
		b = number(b, 0, 0, 0)
	default:
		b = list(len(first), func(b []byte, i int) []byte {
			return list(len(first[i]), func(b []byte, j int) []byte {
				if a.behind == nil {
					return number(b, 0, i, j)
				}
				return list(len(a.slices), func(b []byte, k int) []byte { return number(b, k, i, j) }, b)
			}, b)
		}, b)
	}
	b = append(b, '\n')
	if roleByName(a.name) == "p" {
		for what, names := range map[string][]string{"states": a.states, "actions": a.behind} {
			if len(names) > 0 && !digitsOnly(names) {
				b = append(jsontext.AppendStrings(append(b, what+" = "...), names), '\n')
			}
		}
	}
	return b
}
