package interchange

import (
	"math"
	"slices"

	"rcmdplab/core/jsontext"
	"rcmdplab/core/model"
)

func writeArrays(w *writer) {
	p := w.p
	w.one()
	w.unlisted()
	if len(w.refused) > 0 {
		return
	}
	w.zeros()
	names := append([]string{"reward"}, w.costNames()[1:]...)
	said := w.answers(names)
	w.str("{" + said[1:len(said)-1] + `,"axes":"ASS","rewardAxes":"SA",` + "\n")
	if w.interval() {
		w.str(`"lower": `)
		w.matrices(func(i, t int) float64 { return at(p.Uncertainty.Lower, i, t) })
		w.str(",\n\"upper\": ")
		w.matrices(func(i, t int) float64 { return at(p.Uncertainty.Upper, i, t) })
	} else {
		w.str(`"P": `)
		w.matrices(func(i, t int) float64 { return at(w.kernel(), i, t) })
	}
	w.str(",\n\"R\": ")
	w.array(&p.Objective)
	w.str(",\n\"costs\": {")
	for i := range p.Constraints {
		if i > 0 {
			w.str(",\n")
		}
		w.b = append(jsontext.AppendString(w.b, p.Constraints[i].Name), ": "...)
		w.array(&p.Constraints[i].Cost)
	}
	w.str("}}\n")
}

func at(k *model.Kernel, i, t int) float64 {
	next, prob := k.Row(i)
	if j, ok := slices.BinarySearch(next, t); ok {
		return prob[j]
	}
	return 0
}

// array writes a cost by state and action, or by action, state, next state.
func (w *writer) array(c *model.Cost) {
	l := w.p.Layout
	if c.Next != nil {
		w.matrices(func(i, t int) float64 { return w.value(c, i, t) })
		return
	}
	row := make([]float64, l.A)
	w.b = listed(w.b, l.S, ",", func(b []byte, s int) []byte {
		for a := range row {
			if row[a] = math.NaN(); l.Pair(s, a) >= 0 {
				row[a] = c.Values[s*l.A+a]
			}
		}
		return jsontext.AppendNumbers(b, row)
	})
}

// matrices writes [A][S][S]; a pair that is not available is a row of null.
func (w *writer) matrices(f func(i, t int) float64) {
	l := w.p.Layout
	row := make([]float64, l.S)
	w.b = listed(w.b, l.A, ",\n", func(b []byte, a int) []byte {
		return listed(b, l.S, ",", func(b []byte, s int) []byte {
			i := l.Pair(s, a)
			for t := range row {
				if row[t] = math.NaN(); i >= 0 {
					row[t] = f(i, t)
				}
			}
			return jsontext.AppendNumbers(b, row)
		})
	})
}

// listed appends n elements in brackets, with something between them.
func listed(b []byte, n int, between string, each func(b []byte, i int) []byte) []byte {
	b = append(b, '[')
	for i := range n {
		if i > 0 {
			b = append(b, between...)
		}
		b = each(b, i)
	}
	return append(b, ']')
}
