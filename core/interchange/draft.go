package interchange

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"rcmdplab/core/model"
)

// draft is a model as a file has it: transitions as a list in file order,
// rewards by pair or by transition, and what the format says about the rest.
// Readers fill it, build makes a problem of it.
type draft struct {
	src             *source  // where the entries' places are
	s, a            int      // numbers of states and actions
	own             int      // states of the file itself; those that were added stand behind them
	states, actions []string // names, or nil for 0, 1, 2, ...
	kernels         []string // names of the kernels; one for an ordinary model
	interval        bool     // entries are intervals
	entries         []entry
	added           int // entries so far, those that were dropped again among them
	costs           []*cost
	longRun         bool   // what is asked for is the average per step
	terminal        []bool // states that end an episode; nil for none
	labels          []label
	dense           bool // the file is a full array: zeros are no successors
	addUp           bool // the format adds up repeated successors

	discount     float64   // NaN when the file has none
	discountAt   int       // its byte
	undiscounted bool      // the format knows no discount: what it adds up are totals
	initial      []float64 // nil when the file has none
	sense        string    // "maximize" or "minimize", what the format means
	bare         bool      // the format says nothing of discount and ends, and its columns or arrays are anybody's
	objective    string    // the cost that the format optimises; "" when it says nothing of it
}

// entry is the probability, or the interval, of one transition.
type entry struct {
	kernel, s, a, t int32   // indices
	at              int32   // byte of the file; -1 for one that was added here
	id              int32   // how many were added before it; costs know it by that
	p, hi           float64 // probability; both ends for an interval
}

// cost is one reward structure: what each pair gives plus what its transitions
// give.
type cost struct {
	name    string
	pair    []float64 // [s*A+a], or nil
	entry   []float64 // by id of an entry, 0 for those beyond; nil where no transition gives anything
	average bool      // its values are per step, not in sum
	goal    bool      // made here from a goal: 1 a step in it
	better  string    // "maximize" or "minimize" where its name or its column says so
	length  bool      // its name is that of a duration or a count
}

// label is a named set of states.
type label struct {
	name   string
	states []int // that have it, ascending
}

// most is how many states or actions a text of n bytes can be said to
// describe: more is a slip of the header, and not worth the memory.
func most(n int) int { return 1000 + 2*n }

// newDraft makes an empty draft of the given sizes, or halts.
func (in *input) newDraft(src *source, s, a, at int) *draft {
	d := &draft{src: src, s: s, a: a, own: s, kernels: []string{"nominal"}, discount: math.NaN(), sense: "maximize"}
	d.check(in, at)
	return d
}

// check halts where the sizes cannot be right.
func (d *draft) check(in *input, at int) {
	n := most(len(d.src.data))
	switch {
	case d.s < 1 || d.a < 1:
		in.halt(d.src, at, "%s and %s; want at least one of each", model.Count(d.s, "state"), model.Count(d.a, "action"))
	case d.s > n || d.a > n:
		in.halt(d.src, at, "%d states and %d actions in a text of %d bytes: these numbers cannot be right", d.s, d.a, len(d.src.data))
	case d.s > model.MaxPairs/d.a:
		in.halt(d.src, at, "%d states times %d actions are too many pairs; at most %d are read", d.s, d.a, model.MaxPairs)
	}
}

// state and action are the names for a person.
func (d *draft) state(s int) string {
	if s >= 0 && s < len(d.states) {
		return d.states[s]
	}
	return strconv.Itoa(s)
}

func (d *draft) action(a int) string {
	if a >= 0 && a < len(d.actions) {
		return d.actions[a]
	}
	return strconv.Itoa(a)
}

// place names a pair as a phrase.
func (d *draft) place(s, a int) string {
	return fmt.Sprintf("action %s in state %s", model.Quote(d.action(a)), model.Quote(d.state(s)))
}

// fault is one about a pair, at byte at of the file (no place when negative).
func (d *draft) fault(s, a, at int, format string, args ...any) Fault {
	f := Fault{Message: fmt.Sprintf(format, args...)}
	if at >= 0 {
		f = d.src.at(at, f.Message)
	}
	if s >= 0 {
		f.State = d.state(s)
	}
	if a >= 0 {
		f.Action = d.action(a)
	}
	return f
}

// add adds a transition; ids must be in range. A probability outside [0, 1] is
// a fault; the noise of a sum above 1 is left to the check of the row.
func (d *draft) add(in *input, kernel, s, a, t int, p, hi float64, at int) {
	d.push(kernel, s, a, t, p, hi, at)
	for i, x := range [2]float64{p, hi} {
		if x >= 0 && x <= 1+model.RepairTolerance {
			continue
		}
		what := "the probability"
		if d.interval {
			what = [2]string{"the lower bound", "the upper bound"}[i]
		}
		if len(in.faults) >= maxFaults {
			in.dropped++
			return
		}
		in.fail(d.fault(s, a, at, "%s of %s leading to %s is %s; want a probability between 0 and 1", what, d.place(s, a), model.Quote(d.state(t)), show(x)))
		return
	}
	if d.interval && p > hi {
		in.fail(d.fault(s, a, at, "the interval of %s leading to %s is [%s, %s]; want lower <= upper", d.place(s, a), model.Quote(d.state(t)), model.Num(p), model.Num(hi)))
	}
}

// push is add of what is judged elsewhere.
func (d *draft) push(kernel, s, a, t int, p, hi float64, at int) {
	d.entries = append(d.entries, entry{int32(kernel), int32(s), int32(a), int32(t), int32(at), int32(d.added), p, hi})
	d.added++
}

func show(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return model.Num(x)
}

// costNamed finds or adds a reward structure.
func (d *draft) costNamed(name string) *cost {
	for _, c := range d.costs {
		if c.name == name {
			return c
		}
	}
	c := &cost{name: name}
	d.costs = append(d.costs, c)
	return c
}

// onPair adds x to what a pair gives.
func (d *draft) onPair(c *cost, s, a int, x float64) {
	if c.pair == nil {
		c.pair = make([]float64, d.s*d.a)
	}
	c.pair[s*d.a+a] += x
}

// onState adds x to what every action in a state gives.
func (d *draft) onState(c *cost, s int, x float64) {
	for a := range d.a {
		d.onPair(c, s, a, x)
	}
}

// onEntry sets what the last entry gives.
func (d *draft) onEntry(c *cost, x float64) { c.put(int32(d.added-1), x) }

// put sets what an entry gives, by is what it gives.
func (c *cost) put(id int32, x float64) {
	for len(c.entry) <= int(id) {
		c.entry = append(c.entry, 0)
	}
	c.entry[id] = x
}

func (c *cost) by(id int32) float64 {
	if int(id) < len(c.entry) {
		return c.entry[id]
	}
	return 0
}

// keep drops the entries that are not wanted.
func (d *draft) keep(wanted func(e entry) bool) {
	d.entries = slices.DeleteFunc(d.entries, func(e entry) bool { return !wanted(e) })
}

// sort orders the entries by kernel, state, action, successor and file order.
func (d *draft) sort() {
	slices.SortStableFunc(d.entries, func(x, y entry) int {
		return cmp.Or(int(x.kernel-y.kernel), int(x.s-y.s), int(x.a-y.a), int(x.t-y.t), int(x.at-y.at))
	})
}

// stay makes a state absorbing: its rows are replaced by staying there (or by
// going to where) at no cost, for every action it had, or for the first.
func (d *draft) stay(stop []bool, where int) {
	actions := map[int32]bool{}
	for i := range d.entries {
		if e := &d.entries[i]; stop[e.s] {
			actions[e.s*int32(d.a)+e.a] = true
		}
	}
	d.keep(func(e entry) bool { return !stop[e.s] })
	for s := range stop {
		if !stop[s] {
			continue
		}
		for _, c := range d.costs {
			if c.pair != nil {
				clear(c.pair[s*d.a : (s+1)*d.a])
			}
		}
		to, some := s, false
		if where >= 0 {
			to = where
		}
		for a := range d.a {
			if actions[int32(s*d.a+a)] {
				d.leads(s, a, to)
				some = true
			}
		}
		if !some {
			d.leads(s, 0, to)
		}
	}
}

// leads adds that a pair leads to a state for certain, under every kernel.
func (d *draft) leads(s, a, to int) {
	for k := range d.kernels {
		d.push(k, s, a, to, 1, 1, -1)
	}
}

// grow adds a state.
func (d *draft) grow(name string) int {
	if d.states == nil {
		for s := range d.s {
			d.states = append(d.states, strconv.Itoa(s))
		}
	}
	d.states = append(d.states, unique(d.states, name))
	for _, c := range d.costs {
		if c.pair != nil {
			c.pair = append(c.pair, make([]float64, d.a)...)
		}
	}
	if d.terminal != nil {
		d.terminal = append(d.terminal, false)
	}
	if d.initial != nil {
		d.initial = append(d.initial, 0)
	}
	d.s++
	return d.s - 1
}

// count is how many of them are.
func count(are []bool) (n int) {
	for _, is := range are {
		if is {
			n++
		}
	}
	return n
}

// unique is the name, with a number behind it when it is taken.
func unique(taken []string, name string) string {
	return distinct(append(slices.Clone(taken), name))[len(taken)]
}

// distinct makes names unique, in one pass.
func distinct(names []string) []string {
	taken := make(map[string]bool, len(names))
	for i, n := range names {
		for k := 2; taken[n] || n == ""; k++ {
			n = names[i] + " " + strconv.Itoa(k)
			if names[i] == "" {
				n = strconv.Itoa(i)
				names[i] = n
			}
		}
		taken[n], names[i] = true, n
	}
	return names
}
