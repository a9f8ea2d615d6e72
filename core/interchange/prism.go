package interchange

import (
	"cmp"
	"math"
	"path"
	"strconv"
	"strings"

	"rcmdplab/core/model"
)

var prismFormat = Format{
	ID: "prism", Title: "PRISM explicit", About: ".tra with .lab, .sta, .srew and .trew, or one .pexp; probabilities, fractions, intervals; the labels of Storm too; of a POMDP the MDP beneath it. The rates of a continuous-time chain are uniformised if you say so.",
	Extensions: []string{"tra", "pexp", "lab", "srew", "trew", "sta"}, Reads: true, Writes: true,
	looks: looksPrism, read: readPrism, write: writePrism,
}

// prism is the reading of the sections.
type prism struct {
	in      *input
	d       *draft // so far
	src     *source
	mdp     bool               // rows have a choice
	pomdp   bool               // rows have an observation
	action  map[[2]int]int32   // of a state's choice
	index   map[[3]int32]int32 // id of the entry of state, choice, successor
	entries [][3]int32         // state, choice, successor by id
	choices choices            // names of the actions
	rates   bool               // what stands in the place of probabilities are rates
}

func readPrism(in *input) *draft {
	all := in.sections()
	var tra *section
	for _, s := range all {
		if s.kind != "tra" {
			continue
		}
		if tra != nil {
			in.halt(s.src, s.start(), "transitions a second time; one model has one list of them")
		}
		tra = s
	}
	if tra == nil {
		in.fail(Fault{Message: "there are no transitions: the .tra file is wanted as well"})
		return nil
	}
	r := &prism{in: in, src: tra.src, action: map[[2]int]int32{}}
	if r.transitions(tra); len(in.faults) > 0 && r.rates {
		return nil
	}
	if len(in.faults) > 0 {
		return r.choices.half(in, r.d)
	}
	r.choices.finish(in, r.d)
	speed := 0.0
	if r.rates {
		speed = r.d.uniformised(in)
	}
	r.d.check(in, tra.start())
	for _, s := range all {
		try(func() {
			switch s.kind {
			case "sta":
				r.states(s)
			case "lab":
				r.labels(s)
			case "srew", "trew":
				r.rewards(s, rewardOf(s, all))
			case "obs":
				in.note("observations are left out")
			}
		})
	}
	if len(in.faults) > 0 {
		return nil
	}
	if r.rates {
		r.d.perStep(in, speed)
	}
	if r.pomdp {
		in.beneath()
	}
	return r.d
}

// beneath says that the MDP beneath a partially observed model is taken.
func (in *input) beneath() {
	in.note("this is a partially observed model: the underlying MDP is taken, in which the state is seen")
	in.warnings = append(in.warnings, "the model was partially observed; here the state is seen, so the value is at least as good as it can be with observations")
}

// rewardOf names the structure of a section: by the header, or by the file's
// name when there are several.
func rewardOf(s *section, all []*section) string {
	if s.reward != "" {
		return s.reward
	}
	stem := strings.TrimSuffix(path.Base(s.src.name), path.Ext(s.src.name))
	for _, o := range all {
		if (o.kind == "srew" || o.kind == "trew") && o.src != s.src && strings.TrimSuffix(path.Base(o.src.name), path.Ext(o.src.name)) != stem {
			return cmp.Or(stem, "reward")
		}
	}
	return "reward"
}

// transitions reads the header and the rows of the .tra part.
func (r *prism) transitions(s *section) {
	in := r.in
	if s.model == "LTS" || s.model == "PTA" {
		in.halt(s.src, s.start(), "a model of type %s; transitions with probabilities are wanted: DTMC, MDP, POMDP or their interval kinds", s.model)
	}
	if len(s.lines) == 0 {
		in.haltBy(Fault{File: s.src.shown, Message: "there are no transitions"})
	}
	head, rows := fields(s.lines[0].s, s.lines[0].at), s.lines[1:]
	n, want := 0, -1
	switch word := strings.ToLower(head[0].s); {
	case word == "mdp" || word == "dtmc" || word == "ctmc": // Storm's older dialect
		r.mdp = word == "mdp"
		n = r.counted(rows)
	case len(head) < 2 || len(head) > 4 || !wholes(head):
		in.halt(s.src, head[0].at, "found %s; want the numbers of states, choices and transitions", model.Quote(s.lines[0].s))
	default:
		n, _ = head[0].whole()
		r.mdp, r.pomdp = len(head) >= 3, len(head) == 4
		want, _ = head[min(len(head)-1, 2)].whole()
	}
	r.d = in.newDraft(s.src, n, 1, head[0].at)
	r.d.a, r.d.sense = most(len(s.src.data)), "minimize" // until the actions are known
	if r.rates = strings.EqualFold(head[0].s, "ctmc") || r.chainOfRates(s, rows); r.rates {
		in.uniformise(s.src, s.lines[min(1, len(s.lines)-1)].at)
	}
	r.d.undiscounted = !r.rates
	count := make([]int, n)
	for _, l := range rows {
		if try(func() { r.row(s, l, count) }); len(in.faults) >= maxFaults {
			return
		}
	}
	if want >= 0 && want != len(r.d.entries) {
		in.note("the first line says %s, and there are %d", model.Count(want, "transition"), len(r.d.entries))
	}
}

// counted is how many states rows without a header are about.
func (r *prism) counted(rows []rawLine) int {
	low, high := math.MaxInt, -1
	for _, l := range rows {
		for i, f := range fields(l.s, l.at) {
			if x, ok := f.whole(); ok && (i == 0 || i == 2 && r.mdp || i == 1 && !r.mdp) {
				low, high = min(low, x), max(high, x)
			}
		}
	}
	if low == 1 {
		r.in.fromOne(r.src, rows[0].at, high)
	}
	return high + 1 - r.in.base()
}

// row reads "i k j x [o] [a]", "i j x [a]" or "i p:j p:j ... [a]".
func (r *prism) row(s *section, l rawLine, count []int) {
	in, w := r.in, fields(l.s, l.at)
	if len(w) >= 1 && w[0].s == "-" { // the initial observation of a POMDP
		return
	}
	st := in.id(s.src, w[0], "state", r.d.s)
	if len(w) > 1 && strings.Contains(w[1].s, ":") {
		r.byRow(s, st, w[1:], count)
		return
	}
	things := r.things()
	need := len(things) + 1
	if len(w) < need || len(w) > need+2 || len(w) > need+1 && !r.pomdp {
		in.halt(s.src, w[0].at, "found %s; want %s", model.Count(len(w), "value"), map[int]string{3: "state, next state, probability", 4: "state, choice, next state, probability and perhaps an action"}[need])
	}
	_, k, t := r.places(in.ids(s.src, w, r.d, things)) // the first of which is known
	label := ""
	if rest := w[need:]; r.pomdp && len(rest) > 1 {
		label = rest[1].s
	} else if !r.pomdp && len(rest) > 0 {
		label = rest[0].s
	}
	r.add(s, st, k, t, w[need-1], label)
}

// things are what the numbers are of with which a transition begins.
func (r *prism) things() string {
	if r.mdp {
		return "scs"
	}
	return "ss"
}

// places are the state, the choice and the next state among these numbers.
func (r *prism) places(i [3]int) (st, k, t int) {
	if r.mdp {
		return i[0], i[1], i[2]
	}
	return i[0], 0, i[1]
}

// byRow reads the successors of one choice.
func (r *prism) byRow(s *section, st int, w []field, count []int) {
	label := ""
	if last := w[len(w)-1]; !strings.Contains(last.s, ":") {
		label, w = last.s, w[:len(w)-1]
	}
	k := count[st]
	count[st]++
	for _, f := range w {
		p, j, ok := strings.Cut(f.s, ":")
		if !ok {
			r.in.halt(s.src, f.at, "found %s; want probability:state", model.Quote(f.s))
		}
		t := r.in.id(s.src, field{j, f.at + len(p) + 1}, "state", r.d.s)
		r.add(s, st, k, t, field{p, f.at}, label)
	}
}

func (r *prism) add(s *section, st, k, t int, value field, label string) {
	lo, hi, interval := r.in.probability(s.src, value)
	if len(r.d.entries) == 0 {
		r.d.interval = interval
	} else if interval != r.d.interval {
		r.in.halt(s.src, value.at, "intervals and plain probabilities are mixed")
	}
	key := [2]int{st, k}
	a, known := r.action[key]
	if !known {
		a = int32(r.choices.action(st, k, label))
		r.action[key] = a
	}
	r.entries = append(r.entries, [3]int32{int32(st), int32(k), int32(t)})
	r.d.actions = r.choices.actions.All // for messages
	if r.rates {
		r.d.push(0, st, int(a), t, lo, hi, value.at)
		return
	}
	r.d.add(r.in, 0, st, int(a), t, lo, hi, value.at)
}

// of reads a state and leaves what is said of it behind a colon.
func (r *prism) of(s *section, l rawLine, want string) (st int, rest field) {
	id, behind, ok := strings.Cut(l.s, ":")
	if !ok {
		r.in.halt(s.src, l.at, "found %s; want state:%s", model.Quote(l.s), want)
	}
	return r.in.id(s.src, field{strings.TrimSpace(id), l.at}, "state", r.d.s), field{behind, l.at + len(id) + 1}
}

// states reads "(x,y)" and "0:(1,2)".
func (r *prism) states(s *section) {
	if len(s.lines) == 0 {
		return
	}
	vars := strings.Split(strings.Trim(strings.TrimSpace(s.lines[0].s), "()"), ",")
	all := make([]string, r.d.s)
	for i := range all {
		all[i] = strconv.Itoa(i)
	}
	for _, l := range s.lines[1:] {
		n, rest := r.of(s, l, "(values)")
		values := strings.Split(strings.Trim(rest.s, "() "), ",")
		for i := range values {
			if len(vars) > 1 && len(values) == len(vars) {
				values[i] = vars[i] + "=" + values[i]
			}
		}
		all[n] = strings.Join(values, ",")
	}
	r.d.states = distinct(all)
}

// labels reads 0="init" 1="goal" and "3: 1", or Storm's dialect: a line of names between #DECLARATION and #END, then
// "0 init" for each state that has some.
func (r *prism) labels(s *section) {
	if len(s.lines) == 0 {
		return
	}
	found, numbered := map[string]*label{}, strings.Contains(s.lines[0].s, "=")
	var order []*label
	for _, f := range fields(s.lines[0].s, s.lines[0].at) {
		id, name := f.s, f.s
		if numbered {
			of, quoted, ok := strings.Cut(f.s, "=")
			if id, name = of, strings.Trim(quoted, `"`); !ok || !wholes([]field{{id, f.at}}) {
				r.in.halt(s.src, f.at, `found %s; want number="label"`, model.Quote(f.s))
			}
		}
		found[id] = &label{name: name}
		order = append(order, found[id])
	}
	for _, l := range s.lines[1:] {
		st, rest := 0, fields(l.s, l.at)
		if numbered {
			of, behind := r.of(s, l, " labels")
			st, rest = of, fields(behind.s, behind.at)
		} else {
			st, rest = r.in.id(s.src, rest[0], "state", r.d.s), rest[1:]
		}
		for _, f := range rest {
			if found[f.s] == nil {
				r.in.halt(s.src, f.at, "found %s, which is not one of the labels of the first line", model.Quote(f.s))
			}
			found[f.s].states = append(found[f.s].states, st)
		}
	}
	for _, l := range order {
		r.mark(l)
	}
}

// mark takes a label: where it begins, or a set of states.
func (r *prism) mark(l *label) {
	switch {
	case l.name == "init":
		r.d.start(r.in, l.states)
	case l.name != "deadlock" && len(l.states) > 0:
		r.d.labels = append(r.d.labels, *l)
	}
}

// start makes the marked states the initial ones, each as likely.
func (d *draft) start(in *input, states []int) {
	if len(states) == 0 {
		return
	}
	d.initial = make([]float64, d.s)
	for _, s := range states {
		d.initial[s] = 1 / float64(len(states))
	}
	if len(states) > 1 {
		in.note("%d initial states: each is taken as equally likely", len(states))
	}
}

// rewards reads a .srew or .trew part.
func (r *prism) rewards(s *section, name string) {
	in, c := r.in, r.d.costNamed(name)
	if len(s.lines) == 0 {
		return
	}
	rows := s.lines[1:]
	if s.kind == "trew" {
		r.indexed()
	}
	for _, l := range rows {
		w, things := fields(l.s, l.at), "s"
		if s.kind == "trew" {
			things = r.things()
		}
		n := len(things) + 1
		if len(w) != n {
			in.halt(s.src, w[0].at, "found %s; want %d", model.Count(len(w), "value"), n)
		}
		st, k, t := r.places(in.ids(s.src, w, r.d, things))
		x := in.amount(s.src, w[n-1])
		if s.kind == "srew" {
			r.d.onState(c, st, x)
			continue
		}
		id, there := r.index[[3]int32{int32(st), int32(k), int32(t)}]
		if !there {
			in.failAt(s.src, w[0].at, "a reward for choice %d of state %d leading to state %d, which is no transition", k, st, t)
			in.full()
			continue
		}
		c.put(id, c.by(id)+x)
	}
}

// indexed finds entries by state, choice and successor.
func (r *prism) indexed() {
	if r.index != nil {
		return
	}
	r.index = make(map[[3]int32]int32, len(r.entries))
	for i, e := range r.entries {
		r.index[e] = int32(i)
	}
}
