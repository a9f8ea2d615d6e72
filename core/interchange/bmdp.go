package interchange

import "strings"

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
	for at, line := range src.lines {
		if len(in.faults) >= maxFaults {
			return nil
		}
		w := fields(line, at)
		if strings.HasPrefix(w[0].s, "#") {
			in.remark(line)
			continue
		}
		if len(head) < 3 || len(head) < 3+terminal {
			x, ok := w[0].whole()
			if !ok || len(w) != 1 {
				in.failAt(src, w[0].at, "found %s; want a whole number: %s", quote(strings.TrimSpace(line)), [4]string{"how many states", "how many actions", "how many terminal states", "a terminal state"}[min(len(head), 3)])
				return nil
			}
			if head = append(head, x); len(head) == 3 {
				if terminal = x; terminal > most(len(src.data)) {
					in.failAt(src, at, "%d terminal states in a text of %d bytes", terminal, len(src.data))
					return nil
				}
				if d = in.newDraft(src, head[0], head[1], at); d == nil {
					return nil
				}
				d.interval = true
			} else if len(head) > 3 {
				head[len(head)-1], _ = in.id(src, w[0], "state", d.s)
			}
			continue
		}
		if len(w) != 5 {
			in.failAt(src, w[0].at, "found %s; want state, action, next state, lower, upper", plural(len(w), "value"))
			continue
		}
		i, ok := in.ids(src, w, d, "sas")
		if !ok {
			continue
		}
		if lo, hi, ok := in.amounts(src, w[3:]); ok {
			d.add(in, 0, i[0], i[1], i[2], lo, hi, w[3].at)
		}
	}
	if d == nil {
		if len(in.faults) == 0 {
			in.failAt(src, len(src.data), "the text ends before the numbers of states, actions and terminal states")
		}
		return nil
	}
	if terminal > 0 && len(head) == 3+terminal {
		d.labels = append(d.labels, label{"terminal", head[3:]})
	}
	return d
}
