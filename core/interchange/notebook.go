package interchange

import (
	"bytes"
	"strings"

	"rcmdplab/core/jsontext"
)

// notebook turns a Jupyter notebook into the session that it is: the code of its
// cells and what each showed last. false for any other text.
func (in *input) notebook(s *source) bool {
	d := bytes.TrimSpace(s.data)
	if len(d) == 0 || d[0] != '{' || !bytes.Contains(d, []byte(`"cells"`)) || !bytes.Contains(d, []byte(`"nbformat"`)) {
		return false
	}
	root, err := jsontext.Parse(d)
	if err != nil {
		return false
	}
	lines := func(v jsontext.Value) string {
		if text, ok := v.Text(); ok {
			return text
		}
		var b strings.Builder
		for _, e := range v.Elements {
			text, _ := e.Text()
			b.WriteString(text)
		}
		return b.String()
	}
	member := func(v jsontext.Value, name string) (found jsontext.Value) {
		for k, x := range v.Members {
			if k == name {
				found = x
			}
		}
		return found
	}
	var code, shown strings.Builder
	for _, cell := range member(root, "cells").Elements {
		if kind, _ := member(cell, "cell_type").Text(); kind != "code" {
			continue
		}
		source := strings.TrimRight(lines(member(cell, "source")), "\n")
		code.WriteString(source + "\n")
		for _, output := range member(cell, "outputs").Elements {
			text := lines(member(member(output, "data"), "text/plain"))
			last := strings.TrimSpace(source[strings.LastIndexByte(source, '\n')+1:])
			if text != "" && strings.Trim(last, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.") == "" {
				shown.WriteString("In [1]: " + last + "\nOut[1]: " + text + "\n")
			}
		}
	}
	s.data = []byte(code.String())
	if shown.Len() > 0 && in.fails(s) {
		s.data = []byte(shown.String())
		in.note("the notebook's code is not run: what its cells showed is read")
	}
	in.note("a notebook: its cells are read as one text, and places are in it")
	return true
}

// fails says whether a text of code cannot be read.
func (in *input) fails(s *source) bool {
	probe := &input{}
	_, ok := parseLiterals(probe, s)
	return !ok
}
