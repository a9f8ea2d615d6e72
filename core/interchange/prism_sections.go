package interchange

import (
	"path"
	"strings"
)

// section is one part of PRISM's export.
type section struct {
	kind   string // "tra", "sta", "lab", "srew", "trew" or "obs"
	model  string // "MDP", "IMDP", ... where the header says
	reward string // the reward structure
	src    *source
	lines  []rawLine // without comments and blank ones
}

type rawLine struct {
	at int    // byte
	s  string // without the line's end
}

func looksPrism(f *source) string {
	switch ext := strings.ToLower(path.Ext(f.name)); ext {
	case ".tra", ".pexp", ".srew", ".trew", ".lab", ".sta":
		return "the name ends in " + ext
	}
	n := 0
	for _, line := range f.lines {
		t := strings.TrimSpace(line)
		if n == 0 && (strings.HasPrefix(t, "# Transitions") || t == "mdp" || t == "dtmc" || strings.HasPrefix(t, `0="init"`)) {
			return "it begins like PRISM's explicit files"
		}
		if strings.HasPrefix(t, "#") {
			continue
		}
		if n++; n == 1 {
			if w := fields(line, 0); len(w) < 2 || len(w) > 4 || !wholes(w) {
				break
			}
			continue
		}
		if w := fields(line, 0); len(w) >= 3 && (wholes(w[:2]) && (len(w) >= 4 && strings.HasPrefix(w[3].s, "[") || len(w) <= 6 && wholes(w[:len(w)-1]) || len(w) <= 6 && len(w) >= 4 && wholes(w[:3])) || strings.Contains(w[1].s, ":")) {
			return "its first line counts states and transitions, and each other line is one of them"
		}
		break
	}
	return ""
}

func wholes(w []field) bool {
	for _, f := range w {
		if _, ok := f.whole(); !ok {
			return false
		}
	}
	return true
}

// sections cuts the files into their parts, by PRISM's headers, by the files'
// names, or by what the lines look like.
func (in *input) sections() (all []*section) {
	transitions := false
	for _, f := range in.files {
		var cur *section
		headed := false
		structure := ""
		for at, line := range f.lines {
			t := strings.TrimSpace(line)
			if strings.HasPrefix(t, "#") {
				in.remark(t)
				kind, model, name, isHeader := prismHeader(t)
				if name != "" || kind == "reward" {
					structure = name
				}
				if isHeader && kind != "reward" {
					cur = &section{kind: kind, model: model, src: f, reward: structure}
					all, headed = append(all, cur), true
					transitions = transitions || kind == "tra"
				}
				continue
			}
			if cur == nil {
				cur = &section{src: f, reward: structure}
				all = append(all, cur)
			}
			cur.lines = append(cur.lines, rawLine{at, line})
		}
		if cur != nil && !headed {
			cur.kind = kindByName(f.name)
			if cur.kind == "" {
				cur.kind = kindByLook(cur, transitions)
			}
			transitions = transitions || cur.kind == "tra"
		}
	}
	return all
}

// prismHeader reads a comment such as "# Transitions (MDP)".
func prismHeader(t string) (kind, model, reward string, header bool) {
	t = strings.TrimSpace(strings.TrimLeft(t, "#"))
	_, inside, _ := strings.Cut(t, "(")
	model, _, _ = strings.Cut(inside, ")")
	for _, k := range [][2]string{{"Transition rewards", "trew"}, {"State rewards", "srew"}, {"Transitions", "tra"}, {"States", "sta"}, {"Observations", "obs"}, {"Labels", "lab"}} {
		if strings.HasPrefix(t, k[0]) {
			return k[1], model, "", true
		}
	}
	if rest, ok := strings.CutPrefix(t, "Reward structure"); ok {
		return "reward", "", strings.Trim(strings.TrimSpace(rest), `"`), true
	}
	return "", "", "", false
}

func kindByName(name string) string {
	switch ext := strings.TrimPrefix(strings.ToLower(path.Ext(name)), "."); ext {
	case "tra", "sta", "lab", "srew", "trew", "obs":
		return ext
	}
	return ""
}

func kindByLook(s *section, transitions bool) string {
	first := strings.TrimSpace(s.lines[0].s)
	if strings.HasPrefix(first, "(") {
		return "sta"
	}
	if i := strings.IndexByte(first, '='); i > 0 && strings.Contains(first, `="`) {
		return "lab"
	}
	if len(s.lines) > 1 && len(fields(s.lines[1].s, 0)) == 2 && !strings.Contains(s.lines[1].s, ":") {
		return "srew"
	}
	if transitions {
		return "trew"
	}
	return "tra"
}

func (s *section) start() int {
	if len(s.lines) == 0 {
		return 0
	}
	return s.lines[0].at
}
