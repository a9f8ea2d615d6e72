package interchange

import "strings"

// UMB is a tar of binary files. What unpacks and packs it is the page's and the
// library's (site/src/engine/umb.js); here it is the same model as PRISM's text,
// with a first line that says where it is from.
const umbMark = "# UMB"

var umbFormat = Format{
	ID: "umb", Title: "UMB", About: "The binary format that Storm, PRISM and Modest exchange (.umb, a tar of index.json and its files, perhaps under gzip): MDPs, Markov chains and their interval kinds with any number of rewards on states, choices and branches; of a POMDP the MDP beneath it; the rates of a continuous-time chain are uniformised if you say so.",
	Extensions: []string{"umb"}, Reads: true, Writes: true, alone: true,
	looks: func(f *source) string {
		if strings.HasPrefix(string(f.data[:min(len(f.data), 100)]), umbMark) {
			return "it is a tar with an index of a model"
		}
		return ""
	},
	read: func(in *input) *draft {
		d := readPrism(in)
		if line, _, _ := strings.Cut(string(in.files[0].data), "\n"); d != nil && strings.HasSuffix(line, "observed in part") {
			in.beneath()
		}
		return d
	},
	write: func(w *writer) {
		writePrism(w)
		if w.ext = "umb"; len(w.refused) == 0 {
			w.b = append([]byte(umbMark+"\n"), w.b...)
		}
	},
}
