package interchange

import "strings"

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
