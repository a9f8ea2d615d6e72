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
	root, ok := valueAt(s, 0)
	cells := root.find("cells")
	if !ok || cells == nil {
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
	if _, ok := probed(s); !ok && shown.Len() > 0 {
		s.data = []byte(shown.String())
		in.note("the notebook's code is not run: what its cells showed is read")
	}
	in.note("a notebook: its cells are read as one text, and places are in it")
	return true
}

// probed is what a text of code comes to; false where it cannot be read.
func probed(s *source) (root node, ok bool) {
	whole := try(func() { root, ok = parseLiterals(&input{said: Options{}}, s) })
	return root, ok && whole
}
