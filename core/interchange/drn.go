package interchange

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rcmdplab/core/model"
)

var drnFormat = Format{
	ID: "drn", Title: "Storm DRN", About: "Storm's explicit text: MDP, DTMC and POMDP (the MDP beneath it) with any number of reward models; fractions, intervals.",
	Extensions: []string{"drn"}, Reads: true, Writes: true, alone: true,
	looks: func(f *source) string {
		if t := string(f.data); strings.Contains(t[:min(len(t), 4000)], "@type:") || strings.Contains(t, "@nr_states") {
			return "it has the headers @type and @nr_states"
		}
		return ""
	},
	read: readDRN, write: writeDRN,
}

// drn is the reading of one file.
type drn struct {
	in      *input
	src     *source
	d       *draft            // so far
	values  map[string]string // placeholders
	rewards []*cost           // by reward structure
	labels  model.Names       // in order of first appearance
	marked  [][]int           // states by label
	initial []int             // states
	seen    []bool            // by state: it was described
	choices choices
	onPairs []pairReward // added when the actions are known
	state   int          // being read, -1 before the first
	choice  int          // of the state, -1 before the first
	action  int          // of the choice being read
	pomdp   bool         // observations are passed over
	count   int          // choices
	want    int          // choices that the header foretells, -1 when it does not
	short   int          // lists of rewards that leave the last ones out
}

type pairReward struct {
	s, a, k int     // indices of state, action and reward structure
	x       float64 // the reward
}

func readDRN(in *input) *draft {
	r := &drn{in: in, src: in.files[0], values: map[string]string{}, state: -1, want: -1}
	expect := ""
	for at, line := range r.src.lines {
		in.full()
		t := strings.TrimSpace(line)
		at += strings.Index(line, t)
		if strings.HasPrefix(t, "//") {
			in.remark(t)
			continue
		}
		if i := strings.Index(t, "//"); i > 0 {
			t = strings.TrimSpace(t[:i])
		}
		if strings.HasPrefix(t, "@") {
			expect = r.header(t, at)
			continue
		}
		switch expect {
		case "model":
			try(func() { r.line(t, at) })
		case "":
			in.halt(r.src, at, "found %s before @model", model.Quote(t))
		default:
			if r.setting(expect, t, at); expect != "placeholders" {
				expect = ""
			}
		}
	}
	return r.finish()
}

// header reads a line that begins with @ and says what comes next.
func (r *drn) header(t string, at int) string {
	name, value, _ := strings.Cut(t[1:], ":")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	switch name {
	case "type":
		switch strings.ToUpper(value) {
		case "MDP", "DTMC":
		case "POMDP":
			r.pomdp = true
		default:
			more := ""
			if strings.HasPrefix(strings.ToUpper(value), "CTMC") {
				more = ": a continuous-time chain, of which a PRISM .tra file of rates is uniformised here if you say so"
			}
			r.in.halt(r.src, at, "a model of type %s%s; MDP, DTMC and POMDP can be read", value, more)
		}
		return ""
	case "value_type":
		if value == "parametric" {
			r.in.halt(r.src, at, "the model has parameters; give them values first")
		}
		return ""
	case "model":
		if r.d == nil {
			r.in.halt(r.src, at, "@nr_states is missing before @model")
		}
	}
	return name
}

// setting reads the line behind a header.
func (r *drn) setting(expect, t string, at int) {
	w := fields(t, at)
	switch expect {
	case "parameters":
		r.in.halt(r.src, at, "the model has parameters (%s); give them values first", t)
	case "placeholders":
		name, value, ok := strings.Cut(t, ":")
		if !ok {
			r.in.halt(r.src, at, "found %s; want $name : value", model.Quote(t))
		}
		r.values[strings.TrimSpace(name)] = strings.TrimSpace(value)
	case "reward_models":
		d := &draft{}
		for i, f := range w {
			r.rewards = append(r.rewards, d.costNamed(cmp.Or(strings.Trim(f.s, `"`), "reward "+strconv.Itoa(i+1))))
		}
	case "nr_states":
		n, ok := w[0].whole()
		if !ok || len(w) > 1 {
			r.in.halt(r.src, at, "found %s; want the number of states", model.Quote(t))
		}
		r.d = r.in.newDraft(r.src, n, 1, at)
		r.d.a, r.d.undiscounted = most(len(r.src.data)), true // until the actions are known
		r.seen = make([]bool, n)
	case "nr_choices":
		r.want, _ = w[0].whole()
	}
}

// line reads a line of the model: a state, an action or a transition.
func (r *drn) line(t string, at int) {
	w := fields(t, at)
	switch {
	case len(w) == 0:
	case w[0].s == "state":
		r.newState(w)
	case w[0].s == "action" && r.state >= 0:
		r.newAction(w)
	case r.state < 0:
		r.in.halt(r.src, at, "found %s; want a state", model.Quote(t))
	default:
		r.transition(t, at)
	}
}

func (r *drn) newState(w []field) {
	in := r.in
	if len(w) < 2 {
		in.halt(r.src, w[0].at, "the state has no number")
	}
	s := in.id(r.src, w[1], "state", r.d.s)
	if r.seen[s] {
		in.halt(r.src, w[1].at, "state %d is there twice", s)
	}
	r.seen[s], r.state, r.choice = true, s, -1
	for _, f := range w[2:] {
		switch {
		case strings.HasPrefix(f.s, "{"): // an observation
		case strings.HasPrefix(f.s, "["):
			for k, x := range r.vector(f) {
				r.onPairs = append(r.onPairs, pairReward{s, -1, k, x})
			}
		case strings.HasPrefix(f.s, "!"):
			in.halt(r.src, f.at, "a rate of leaving: this is a model in continuous time")
		case f.s == "init":
			r.initial = append(r.initial, s)
		default:
			l := r.labels.ID(strings.Trim(f.s, `"`))
			for len(r.marked) <= l {
				r.marked = append(r.marked, nil)
			}
			r.marked[l] = append(r.marked[l], s)
		}
	}
}

// vector reads "[r1, r2]", one number for each reward model.
func (r *drn) vector(f field) []float64 {
	inside := strings.TrimSpace(strings.Trim(f.s, "[]"))
	if inside == "" {
		return nil
	}
	parts := strings.Split(inside, ",")
	if len(parts) < len(r.rewards) {
		r.short++
	} else if len(parts) > len(r.rewards) {
		r.in.halt(r.src, f.at, "found %s; there are %s", model.Count(len(parts), "reward"), model.Count(len(r.rewards), "reward model"))
	}
	all := make([]float64, len(parts))
	for k, p := range parts {
		all[k] = r.in.amount(r.src, field{r.known(strings.TrimSpace(p)), f.at})
	}
	return all
}

// known is what a placeholder stands for, and any other text as it is.
func (r *drn) known(text string) string {
	if v, ok := r.values[text]; ok {
		return v
	}
	return text
}

func (r *drn) newAction(w []field) {
	name := ""
	r.choice++
	r.count++
	for _, f := range w[1:] {
		if !strings.HasPrefix(f.s, "[") {
			name = strings.Trim(f.s, `"`)
		}
	}
	if name == "__NOLABEL__" {
		name = ""
	}
	r.action = r.choices.action(r.state, r.choice, name)
	for _, f := range w[1:] {
		if strings.HasPrefix(f.s, "[") {
			for k, x := range r.vector(f) {
				r.onPairs = append(r.onPairs, pairReward{r.state, r.action, k, x})
			}
		}
	}
}

// transition reads "j : v".
func (r *drn) transition(t string, at int) {
	to, value, ok := strings.Cut(t, ":")
	if !ok {
		r.in.halt(r.src, at, "found %s; want state : probability", model.Quote(t))
	}
	if r.choice < 0 { // a chain has no action lines
		r.choice = 0
		r.count++
		r.action = r.choices.action(r.state, 0, "go")
	}
	s := r.in.id(r.src, field{strings.TrimSpace(to), at}, "state", r.d.s)
	v := strings.TrimSpace(value)
	place := at + len(to) + 1 + strings.Index(value, v)
	lo, hi, interval := r.in.probability(r.src, field{r.known(v), place})
	r.d.interval = r.d.interval || interval // plain numbers among intervals are exact
	r.d.actions = r.choices.actions.All
	r.d.add(r.in, 0, r.state, r.action, s, lo, hi, place)
}

func (r *drn) finish() *draft {
	in, d := r.in, r.d
	if d == nil {
		in.halt(r.src, 0, "@nr_states and @model are missing")
	}
	if len(in.faults) > 0 {
		return r.choices.half(in, d)
	}
	if r.count == 0 {
		in.halt(r.src, len(r.src.data), "the text ends without a transition; @model and the states are wanted")
	}
	r.choices.finish(in, d)
	d.check(in, 0)
	d.sense = "minimize"
	d.costs = r.rewards
	if len(r.rewards)*d.s > 1<<24/d.a {
		in.halt(r.src, 0, "%d reward models for %d states and %d actions are too many", len(r.rewards), d.s, d.a)
	}
	order := r.choices.order
	for _, p := range r.onPairs {
		if p.a < 0 {
			d.onState(d.costs[p.k], p.s, p.x)
		} else {
			d.onPair(d.costs[p.k], p.s, order[p.a], p.x)
		}
	}
	d.start(in, r.initial)
	for i, name := range r.labels.All {
		d.labels = append(d.labels, label{name, r.marked[i]})
	}
	if r.short > 0 {
		in.note("%s of fewer than %s: the rest is taken as 0", model.Count(r.short, "row"), model.Count(len(r.rewards), "reward"))
	}
	if s := slices.Index(r.seen, false); s >= 0 {
		in.warnings = append(in.warnings, fmt.Sprintf("the file describes %d of its %s, the first that is missing is %d; it may be cut off", count(r.seen), model.Count(d.s, "state"), s))
	}
	if r.want >= 0 && r.want != r.count {
		in.note("the header says %s, and there are %d", model.Count(r.want, "choice"), r.count)
	}
	if r.pomdp {
		in.beneath()
	}
	return d
}
