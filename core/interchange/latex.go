package interchange

import (
	"bytes"
	"strings"
)

// tabular reads the one tabular of a text in LaTeX: cells between &, rows ended by
// \\; nil for any other text. What is neither text, number nor rule is a fault.
func tabular(s *source) (rows [][]string, at [][]int32, fault *Fault) {
	i := bytes.Index(s.data, []byte(`\begin{tabular}`))
	if i < 0 {
		return nil, nil, nil
	}
	bad := func(at int, message string) ([][]string, [][]int32, *Fault) {
		f := s.at(at, message)
		return nil, nil, &f
	}
	body := i + len(`\begin{tabular}`)
	end := bytes.Index(s.data[body:], []byte(`\end{tabular}`))
	if end < 0 {
		return bad(i, `the tabular begins here and has no \end{tabular}`)
	}
	if bytes.Contains(s.data[body+end:], []byte(`\begin{tabular}`)) {
		return bad(body+end, "a second tabular; open one at a time")
	}
	text := string(s.data[body : body+end])
	if open := strings.IndexByte(text, '{'); open >= 0 && strings.TrimSpace(text[:open]) == "" { // {llcc}
		if length := strings.IndexByte(text, '}'); length > 0 {
			body, text = body+length+1, text[length+1:]
		}
	}
	var row []string
	var places []int32
	start := 0
	cellAt := func(to int) *Fault {
		cell := strings.TrimSpace(text[start:to])
		for _, rule := range []string{`\hline`, `\toprule`, `\midrule`, `\bottomrule`} {
			for strings.HasPrefix(cell, rule) {
				cell = strings.TrimSpace(cell[len(rule):])
			}
		}
		cell = strings.NewReplacer(`\_`, "_", `\%`, "%", `\&`, "&", `\#`, "#", "$", "", `\,`, "", "~", " ", `\ldots`, "").Replace(cell)
		for _, wrap := range []string{`\textbf{`, `\textit{`, `\emph{`, `\text{`, `\mathrm{`, `\texttt{`} {
			if inner, ok := strings.CutPrefix(cell, wrap); ok && strings.HasSuffix(inner, "}") {
				cell = inner[:len(inner)-1]
			}
		}
		if inner, ok := strings.CutPrefix(cell, `\frac{`); ok {
			cell = strings.TrimSuffix(strings.Replace(inner, "}{", "/", 1), "}")
		}
		if strings.ContainsAny(cell, `\{}`) {
			f := s.at(body+start, "found "+quote(cell)+" in a cell; want text or a number")
			return &f
		}
		row, places = append(row, strings.TrimSpace(cell)), append(places, int32(body+start))
		return nil
	}
	for j := 0; j <= len(text); j++ {
		over := j == len(text) || strings.HasPrefix(text[j:], `\\`)
		if !over && (text[j] != '&' || j > 0 && text[j-1] == '\\') {
			continue
		}
		if f := cellAt(j); f != nil {
			return nil, nil, f
		}
		start = j + 1
		if over {
			if !blank(row) {
				rows, at = append(rows, row), append(at, places)
			}
			row, places = nil, nil
			j++
			start = j + 1
		}
	}
	return rows, at, nil
}
