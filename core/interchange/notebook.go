package interchange

import (
	"bytes"
	"strings"
)

// notebook turns a Jupyter notebook into the session that it is: the code of its
// cells and what each showed last. false for any other text.
func (in *input) notebook(s *source) bool {
	d := bytes.TrimSpace(s.data)
	if len(d) == 0 || d[0] != '{' || !bytes.Contains(d, []byte(`"cells"`)) || !bytes.Contains(d, []byte(`"nbformat"`)) {
		return false
	}
	p := &literals{in: &input{}, src: s, d: d}
	root := p.value(0)
	cells := root.find("cells")
	if p.bad || cells == nil {
		return false
	}
	lines := func(n *node) string {
		if n == nil {
			return ""
		}
		return n.text + strings.Join(texts(n), "")
	}
	var code, shown strings.Builder
	for _, cell := range cells.kids {
		if lines(cell.find("cell_type")) != "code" {
			continue
		}
		source := strings.TrimRight(lines(cell.find("source")), "\n")
		code.WriteString(source + "\n")
		outputs := cell.find("outputs")
		for i := 0; outputs != nil && i < len(outputs.kids); i++ {
			text := ""
			if data := outputs.kids[i].find("data"); data != nil {
				text = lines(data.find("text/plain"))
			}
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
