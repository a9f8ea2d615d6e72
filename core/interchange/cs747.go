package interchange

import (
	"strings"

	"rcmdplab/core/model"
)

var cs747Format = Format{
	ID: "cs747", Title: "CS747 planner text", About: "The MDP files of IIT Bombay's course CS747: numStates, numActions, end, transition s a s' reward probability, mdptype, discount.",
	Extensions: []string{"txt"}, Reads: true, Writes: true, alone: true,
	looks: func(f *source) string {
		if t := string(f.data[:min(len(f.data), 4000)]); strings.Contains(t, "numStates") && strings.Contains(t, "numActions") {
			return "it has lines numStates and numActions"
		}
		return ""
	},
	read: readCS747, write: writeCS747,
}

// cs747 is the reading of one file.
type cs747 struct {
	in       *input
	src      *source
	s, a     int // numbers of states and actions
	d        *draft
	discount float64 // as written
	at       int     // byte of the discount
	start    int     // a state, -1 until said
	ends     []int   // terminal states
	said     bool    // the file has a discount
}

func readCS747(in *input) *draft {
	r := &cs747{in: in, src: in.files[0], start: -1}
	in.rows(r.src, func(_ string, w []field) { try(func() { r.line(w) }) })
	if r.d == nil {
		if len(in.faults) == 0 {
			in.failAt(r.src, len(r.src.data), "numStates, numActions and transitions are wanted")
		}
		return nil
	}
	d := r.d
	if r.said {
		d.discount, d.discountAt = r.discount, r.at
	}
	if r.start >= 0 {
		d.start(in, []int{r.start})
	}
	if len(r.ends) > 0 {
		d.terminal = make([]bool, d.s)
		for _, s := range r.ends {
			d.terminal[s] = true
		}
		d.labels = append(d.labels, label{"end", r.ends})
	}
	return d
}

func (r *cs747) line(w []field) {
	in := r.in
	key := w[0].s
	switch key {
	case "numStates", "numActions":
		n, ok := w[len(w)-1].whole()
		if !ok || len(w) != 2 {
			in.halt(r.src, w[0].at, "want %s and a whole number", key)
		}
		if key == "numStates" {
			r.s = n
		} else {
			r.a = n
		}
		return
	case "mdptype":
		return
	case "discount", "gamma":
		if len(w) == 2 {
			r.discount, r.at, r.said = in.amount(r.src, w[1]), w[1].at, true
		}
		return
	}
	if r.d == nil {
		r.d = in.newDraft(r.src, r.s, r.a, w[0].at)
		r.d.costNamed("reward")
	}
	switch key {
	case "start", "end":
		for _, f := range w[1:] {
			if f.s == "-1" {
				continue
			}
			if s := in.id(r.src, f, "state", r.d.s); key == "start" {
				r.start = s
			} else {
				r.ends = append(r.ends, s)
			}
		}
	case "transition":
		if len(w) != 6 {
			in.halt(r.src, w[0].at, "found %s behind transition; want state, action, next state, reward, probability", model.Count(len(w)-1, "value"))
		}
		i, x, p := in.ids(r.src, w[1:], r.d, "sas"), in.amount(r.src, w[4]), in.amount(r.src, w[5])
		r.d.add(in, 0, i[0], i[1], i[2], p, p, w[5].at)
		r.d.onEntry(r.d.costs[0], x)
	default:
		in.failAt(r.src, w[0].at, "found %s; want numStates, numActions, start, end, transition, mdptype or discount", model.Quote(key))
	}
}
