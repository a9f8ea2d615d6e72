package interchange

import (
	"strings"

	"rcmdplab/core/model"
)

var bmdpFormat = Format{
	ID: "bmdp", Title: "bmdp-tool", About: "The text of bmdp-tool: numbers of states, actions and terminal states, then one interval a line.",
	Extensions: []string{"txt"}, Reads: true, Writes: true, alone: true,
	looks: func(f *source) string {
		n := 0
		for _, line := range f.lines {
			w := fields(line, 0)
			if n++; n <= 3 && (len(w) != 1 || !wholes(w)) {
				break
			}
			if n > 3 && len(w) == 5 && wholes(w[:3]) {
				return "three numbers come first, then lines of state, action, state, lower, upper"
			}
			if n > 3 && len(w) != 1 {
				break
			}
		}
		return ""
	},
	read: readBMDP, write: writeBMDP,
}

func readBMDP(in *input) *draft {
	src := in.files[0]
	var head []int
	var d *draft
	terminal := 0
	in.rows(src, func(line string, w []field) {
		switch {
		case len(head) < 3:
			head = append(head, in.headBMDP(src, line, w, len(head)))
			if len(head) < 3 {
				return
			}
			if terminal = head[2]; terminal > most(len(src.data)) {
				in.halt(src, w[0].at, "%d terminal states in a text of %d bytes", terminal, len(src.data))
			}
			d = in.newDraft(src, head[0], head[1], w[0].at)
			d.interval = true
		case len(head) < 3+terminal:
			head = append(head, in.headBMDP(src, line, w, 3))
			try(func() { head[len(head)-1] = in.id(src, w[0], "state", d.s) })
		case len(w) != 5:
			in.failAt(src, w[0].at, "found %s; want state, action, next state, lower, upper", model.Count(len(w), "value"))
		default:
			try(func() {
				i := in.ids(src, w, d, "sas")
				d.add(in, 0, i[0], i[1], i[2], in.amount(src, w[3]), in.amount(src, w[4]), w[3].at)
			})
		}
	})
	if d == nil {
		in.halt(src, len(src.data), "the text ends before the numbers of states, actions and terminal states")
	}
	if terminal > 0 && len(head) == 3+terminal {
		d.labels = append(d.labels, label{"terminal", head[3:]})
	}
	return d
}

// headBMDP reads a line that is one whole number, the k-th.
func (in *input) headBMDP(src *source, line string, w []field, k int) int {
	x, ok := w[0].whole()
	if !ok || len(w) != 1 {
		in.halt(src, w[0].at, "found %s; want a whole number: %s", model.Quote(strings.TrimSpace(line)), [4]string{"how many states", "how many actions", "how many terminal states", "a terminal state"}[k])
	}
	return x
}
