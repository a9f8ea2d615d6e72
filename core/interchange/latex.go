package interchange

import (
	"bytes"
	"strings"

	"rcmdplab/core/model"
)

// tabular reads the one tabular of a text in LaTeX: cells between &, rows ended by
// \\; nil for any other text. What is neither text, number nor rule halts.
func (in *input) tabular(s *source) (rows [][]string, at [][]int32) {
	i := bytes.Index(s.data, []byte(`\begin{tabular}`))
	if i < 0 {
		return nil, nil
	}
	body := i + len(`\begin{tabular}`)
	end := bytes.Index(s.data[body:], []byte(`\end{tabular}`))
	if end < 0 {
		in.halt(s, i, `the tabular begins here and has no \end{tabular}`)
	}
	if bytes.Contains(s.data[body+end:], []byte(`\begin{tabular}`)) {
		in.halt(s, body+end, "a second tabular; open one at a time")
	}
	text := string(s.data[body : body+end])
	for depth, j := 0, 0; j < len(text); j++ { // {llcc}, {@{}ll@{}}, [t]
		switch c := text[j]; {
		case c == '{' || c == '[':
			depth++
			continue
		case c == '}' || c == ']':
			depth--
			continue
		case depth > 0 || c == ' ':
			continue
		}
		body, text = body+j, text[j:]
		break
	}
	var row []string
	var places []int32
	start := 0
	for j := 0; j <= len(text); j++ {
		over := j == len(text) || strings.HasPrefix(text[j:], `\\`)
		if !over && (text[j] != '&' || j > 0 && text[j-1] == '\\') {
			continue
		}
		cell := latexCell(text[start:j])
		if strings.ContainsAny(cell, `\{}`) {
			in.halt(s, body+start, "found %s in a cell; want text or a number", model.Quote(cell))
		}
		row, places = append(row, strings.TrimSpace(cell)), append(places, int32(body+start))
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
	return rows, at
}

// latexCell is a cell without rules before it, marks of mathematics and what only sets it.
func latexCell(cell string) string {
	cell = strings.TrimSpace(cell)
	for again := true; again; {
		again = false
		for _, rule := range []string{`\hline`, `\toprule`, `\midrule`, `\bottomrule`, `\addlinespace`, `\cmidrule`, `\cline`} {
			for strings.HasPrefix(cell, rule) {
				cell, again = strings.TrimSpace(cell[len(rule):]), true
				for len(cell) > 0 && strings.IndexByte("[({", cell[0]) >= 0 && rule[1] == 'c' { // (lr){1-2}
					_, cell, _ = strings.Cut(cell, string([]byte{"])}"[strings.IndexByte("[({", cell[0])]}))
					cell = strings.TrimSpace(cell)
				}
			}
		}
	}
	cell = strings.NewReplacer(`\_`, "_", `\%`, "%", `\&`, "&", `\#`, "#", "$", "", `\,`, "", "~", " ", `\ldots`, "", `\cdot`, "", `\mid`, "|", `\left`, "", `\right`, "", "{,}", ",").Replace(cell)
	for _, span := range []string{`\multirow`, `\multicolumn{1}`} { // \multirow{2}{*}{good}
		if rest, ok := strings.CutPrefix(cell, span); ok && strings.HasSuffix(rest, "}") {
			cell = rest[strings.LastIndexByte(rest, '{')+1 : len(rest)-1]
		}
	}
	for _, wrap := range []string{`\textbf{`, `\textit{`, `\emph{`, `\text{`, `\mathrm{`, `\texttt{`} {
		if inner, ok := strings.CutPrefix(cell, wrap); ok && strings.HasSuffix(inner, "}") {
			cell = inner[:len(inner)-1]
		}
	}
	if inner, ok := fraction(cell); ok {
		cell = inner
	}
	return cell
}

// fraction is \frac{1}{2} as 1/2, with its sign.
func fraction(cell string) (string, bool) {
	sign, rest := "", cell
	if s, ok := strings.CutPrefix(cell, "-"); ok {
		sign, rest = "-", s
	}
	for _, command := range []string{`\frac{`, `\tfrac{`, `\dfrac{`, `\nicefrac{`} {
		if inner, ok := strings.CutPrefix(rest, command); ok {
			return sign + strings.TrimSuffix(strings.Replace(inner, "}{", "/", 1), "}"), true
		}
	}
	return "", false
}

// matricesOf turns the matrices of a text in LaTeX into what code would write: P_1 =
// \begin{bmatrix} ... is a matrix of the action 1. "" for any other text; what is no matrix is not read.
func matricesOf(data []byte) string {
	text := string(data)
	var b strings.Builder
	names := map[string][]string{}
	var stems []string
	for {
		i := strings.Index(text, `matrix}`)
		start := strings.LastIndex(text[:max(i, 0)], `\begin{`)
		if i < 0 || start < 0 || i-start > len(`\begin{b`) {
			break
		}
		kind := text[start+len(`\begin{`) : i+len(`matrix`)]
		body, rest, ok := strings.Cut(text[i+len(`matrix}`):], `\end{`+kind+`}`)
		stem, of := symbol(text[:start])
		if !ok || stem == "" {
			return ""
		}
		var rows []string
		for _, line := range strings.Split(strings.ReplaceAll(body, "\n", " "), `\\`) {
			var cells []string
			for _, cell := range strings.Split(line, "&") {
				cell = strings.TrimSpace(strings.NewReplacer("$", "", `\,`, "", "~", " ", "{,}", ".").Replace(cell))
				if inner, ok := fraction(cell); ok {
					cell = inner
				}
				cells = append(cells, cell)
			}
			if strings.Trim(strings.Join(cells, ""), " ") != "" {
				rows = append(rows, "["+strings.Join(cells, ", ")+"]")
			}
		}
		if names[stem] == nil {
			stems = append(stems, stem)
		}
		names[stem] = append(names[stem], "'"+strings.ReplaceAll(of, "'", "")+"': ["+strings.Join(rows, ", ")+"]")
		text = rest
	}
	for _, stem := range stems {
		if all := names[stem]; len(all) > 1 || stem == "P" {
			b.WriteString(stem + " = {" + strings.Join(all, ", ") + "};")
		} else {
			_, matrix, _ := strings.Cut(all[0], ": ")
			b.WriteString(stem + " = " + matrix + ";")
		}
	}
	return b.String()
}

// symbol is the name before an equals sign, such as P_1, P^{a} or P(\text{run}), and what
// stands below, above or behind it.
func symbol(before string) (stem, of string) {
	before = strings.TrimRight(before, " \n\r\t&")
	before, ok := strings.CutSuffix(before, "=")
	if !ok {
		return "", ""
	}
	before = before[strings.LastIndexAny(before, ",;$\n[")+1:]
	for _, word := range []string{`\quad`, `\qquad`, `\text`, `\mathrm`, `\mathbf`, `\mathit`, `\mathsf`, `\bm`, `\boldsymbol`, `\left`, `\right`, `\(`, `\\`} {
		before = strings.ReplaceAll(before, word, " ")
	}
	words := strings.FieldsFunc(before, func(r rune) bool { return strings.ContainsRune(" {}()_^&", r) })
	if len(words) == 0 || len(words) > 3 || strings.ContainsAny(before, `\'"`) {
		return "", ""
	}
	return words[0], strings.Join(words[1:], " ")
}
