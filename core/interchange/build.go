package interchange

import (
	"fmt"
	"math"
	"strconv"

	"rcmdplab/core/model"
)

// slack lets a typed 0.999999999 be off by 1e-9 in spite of its rounding.
const slack = 1e-15

// build makes the problem: terminals and goals become absorbing, rows are
// judged, costs get their shape. What is changed is noted, what is wrong is a
// fault.
func (in *input) build(d *draft) *model.Problem {
	q := in.ask(d)
	if len(in.faults) > 0 {
		return nil
	}
	d.even()
	in.notAllowed(d, q)
	end := in.endings(d, q)
	d.sort()
	in.merge(d)
	in.judgeRows(d, q, end)
	in.stranded(d, q)
	if len(in.faults) > 0 {
		return nil
	}
	for len(q.initial) < d.s {
		q.initial = append(q.initial, 0)
	}
	p := in.assemble(d, q)
	if p == nil || len(in.faults) > 0 {
		return nil
	}
	// The document is judged once more as if a person had written it.
	read, faults, warnings := model.Decode(p.Encode())
	for _, f := range faults {
		in.fail(Fault{Message: f.Message, State: f.State, Action: f.Action})
	}
	in.warnings = append(in.warnings, warnings...)
	return read
}

// notAllowed takes an infinitely bad reward as "this action is not allowed".
func (in *input) notAllowed(d *draft, q *answers) {
	bad := math.Inf(-1)
	if !q.maximize {
		bad = math.Inf(1)
	}
	blocked := map[int]bool{}
	block := func(s, a int, x float64, name string, at int) float64 {
		if !math.IsInf(x, 0) && !math.IsNaN(x) {
			return x
		}
		if x != bad {
			in.fail(d.fault(s, a, at, "%s of %s is %s; want a finite number (or %s for an action that is not allowed)", quote(name), d.place(s, a), show(x), show(bad)))
			return 0
		}
		blocked[s*d.a+a] = true
		return 0
	}
	live := make([]bool, d.s*d.a)
	for i := range d.entries {
		e := &d.entries[i]
		live[int(e.s)*d.a+int(e.a)] = live[int(e.s)*d.a+int(e.a)] || e.hi > 0
	}
	for _, c := range d.costs {
		for g, x := range c.pair {
			if c.pair[g] = 0; live[g] {
				c.pair[g] = block(g/d.a, g%d.a, x, c.name, -1)
			}
		}
		for i, x := range c.entry {
			e := &d.entries[i]
			if e.hi == 0 && (math.IsInf(x, 0) || math.IsNaN(x)) { // it never happens
				c.entry[i] = 0
				continue
			}
			c.entry[i] = block(int(e.s), int(e.a), x, c.name, int(e.at))
		}
	}
	if len(blocked) == 0 {
		return
	}
	had := make([]int, d.s)
	for i := range d.entries {
		had[d.entries[i].s] = int(d.entries[i].at) + 1
	}
	d.keep(func(e *entry) bool { return !blocked[int(e.s)*d.a+int(e.a)] })
	for i := range d.entries {
		had[d.entries[i].s] = 0
	}
	for s, at := range had {
		if at > 0 {
			in.fail(d.fault(s, -1, at-1, "every action in state %s has a reward of %s, so none is allowed; want at least one", quote(d.state(s)), show(bad)))
		}
	}
	in.note("%s with a reward of %s: taken as not available", plural(len(blocked), "action"), show(bad))
}

// endings makes terminal and goal states absorbing and returns the added end
// state, or -1.
func (in *input) endings(d *draft, q *answers) (end int) {
	end = -1
	n := 0
	for _, t := range d.terminal {
		if t {
			n++
		}
	}
	goal := make([]bool, d.s)
	for _, s := range q.goal {
		goal[s] = true
	}
	if n > 0 {
		stop := make([]bool, d.s)
		copy(stop, d.terminal)
		if q.ends == "end" {
			for s := range stop { // a goal is worth something for good, so it stays
				stop[s] = stop[s] && !goal[s]
			}
			end = d.grow("end")
			stop, goal = append(stop, false), append(goal, false)
			d.stay(stop, end)
			last := make([]bool, d.s)
			last[end] = true
			d.stay(last, end)
			in.note("%s: the episode ends there; each leads to the added state %s at no cost", plural(n, "terminal state"), quote(d.state(end)))
		} else {
			d.stay(stop, -1)
			in.note("%s: the episode ends there; each stays where it is at no cost", plural(n, "terminal state"))
		}
	}
	if len(q.goal) > 0 {
		d.stay(goal, -1)
		c := d.costNamed(reach(q.goalName))
		c.average, c.goal = true, true
		c.pair = make([]float64, d.s*d.a)
		for _, s := range q.goal {
			for a := range d.a {
				c.pair[s*d.a+a] = 1
			}
		}
		in.note("%s: %s to reach; each stays where it is and gives 1 a step there, shown as (1-γ)J, the discounted probability of getting there", quote(c.name), plural(len(q.goal), "state"))
	}
	return end
}

// merge adds up repeated successors where that is what the format means or
// the person says, and refuses them otherwise.
func (in *input) merge(d *draft) {
	same := func(i int) bool {
		x, y := &d.entries[i-1], &d.entries[i]
		return x.kernel == y.kernel && x.s == y.s && x.a == y.a && x.t == y.t
	}
	twice := 0
	for i := 1; i < len(d.entries); i++ {
		if same(i) {
			twice++
		}
	}
	if twice == 0 {
		return
	}
	otherwise := "refuse"
	if d.addUp {
		otherwise = "add"
	}
	if in.choose("duplicates", "A successor listed twice", fmt.Sprintf("%s repeated.", plural(twice, "transition")), otherwise,
		Option{"refuse", "is a mistake: refuse it"}, Option{"add", "adds up, its rewards averaged by probability"}) == "refuse" {
		for i := 1; i < len(d.entries); i++ {
			if e := &d.entries[i]; same(i) {
				f := d.fault(int(e.s), int(e.a), int(e.at), "%s leading to %s is listed twice", d.place(int(e.s), int(e.a)), quote(d.state(int(e.t))))
				f.Fix = &Fix{"add repeated probabilities up", "duplicates", `"add"`}
				in.fail(f)
				if len(in.faults) >= maxFaults {
					return
				}
			}
		}
		return
	}
	n := 0
	for i := range d.entries {
		if i == 0 || !same2(&d.entries[n-1], &d.entries[i]) {
			d.entries[n] = d.entries[i]
			for _, c := range d.costs {
				if c.entry != nil {
					c.entry[n] = c.entry[i]
				}
			}
			n++
			continue
		}
		x, y := &d.entries[n-1], &d.entries[i]
		for _, c := range d.costs {
			if c.entry == nil {
				continue
			}
			if w := x.p + y.p; w > 0 {
				c.entry[n-1] = (x.p*c.entry[n-1] + y.p*c.entry[i]) / w
			} else {
				c.entry[n-1] = (c.entry[n-1] + c.entry[i]) / 2
			}
		}
		x.p += y.p
		x.hi = min(x.hi+y.hi, 1)
		if !d.interval {
			x.hi = x.p
		}
	}
	d.entries = d.entries[:n]
	for _, c := range d.costs {
		if c.entry != nil {
			c.entry = c.entry[:n]
		}
	}
	in.note("%s listed again: probabilities added up", plural(twice, "successor"))
}

func same2(x, y *entry) bool {
	return x.kernel == y.kernel && x.s == y.s && x.a == y.a && x.t == y.t
}

// rows lists the runs of entries of one kernel and pair.
func (d *draft) rows(yield func(from, to int) bool) {
	for i := 0; i < len(d.entries); {
		j := i + 1
		for j < len(d.entries) && d.entries[j].kernel == d.entries[i].kernel && d.entries[j].s == d.entries[i].s && d.entries[j].a == d.entries[i].a {
			j++
		}
		if !yield(i, j) {
			return
		}
		i = j
	}
}

// judgeRows drops rows of zeros and asks that the others are distributions, or
// intervals that hold one.
func (in *input) judgeRows(d *draft, q *answers, end int) int {
	var zero, scaled, short []int // first entries
	type missing struct {
		e entry
		p float64
	}
	var rest []missing
	for i, j := range d.rows {
		lo, hi := 0.0, 0.0
		for k := i; k < j; k++ {
			lo += d.entries[k].p
			hi += d.entries[k].hi
		}
		e := d.entries[i]
		s, a := int(e.s), int(e.a)
		switch {
		case hi == 0 || !d.interval && lo == 0:
			zero = append(zero, i)
			if q.zeroRows == "refuse" {
				in.fail(d.fault(s, a, int(e.at), "the probabilities of %s are all 0", d.place(s, a)))
			}
		case d.interval:
			if lo > 1+model.RowTolerance+slack {
				in.fail(d.fault(s, a, int(e.at), "the lower bounds of %s sum to %s; want at most 1", d.place(s, a), digits(lo, 12)))
			}
			if hi < 1-model.RowTolerance-slack {
				in.fail(d.fault(s, a, int(e.at), "the upper bounds of %s sum to %s; want at least 1", d.place(s, a), digits(hi, 12)))
			}
		case math.Abs(lo-1) <= model.RowTolerance+slack:
		case q.rows == "renormalise" && math.Abs(lo-1) <= model.RepairTolerance+slack:
			scaled = append(scaled, i)
			for k := i; k < j; k++ {
				d.entries[k].p /= lo
				d.entries[k].hi = d.entries[k].p
			}
		case q.rows == "end" && lo < 1:
			short = append(short, i)
			rest = append(rest, missing{e, 1 - lo})
		case len(in.faults) >= maxFaults: // places are not free
			in.dropped++
		default:
			in.fail(in.badSum(d, q, e, lo))
		}
	}
	if len(zero) > 0 && q.zeroRows != "refuse" {
		in.dropRows(d, zero)
		in.note("%s of zeros: the action is taken as not available there", plural(len(zero), "row"))
	}
	if len(scaled) > 0 {
		in.note("%s divided by the sum, which was off by at most 1e-4", plural(len(scaled), "row"))
	}
	if len(rest) > 0 {
		if end < 0 {
			end = d.grow("end")
			for k := range d.kernels {
				d.entries = append(d.entries, entry{int32(k), int32(end), 0, int32(end), -1, 1, 1})
			}
		}
		for _, m := range rest {
			d.entries = append(d.entries, entry{m.e.kernel, m.e.s, m.e.a, int32(end), -1, m.p, m.p})
		}
		in.note("%s short of 1: what is missing leads to the added state %s at no cost", plural(len(short), "row"), quote(d.state(end)))
		d.sort()
	}
	return end
}

func (in *input) badSum(d *draft, q *answers, e entry, sum float64) Fault {
	s, a := int(e.s), int(e.a)
	word := "too much"
	if sum < 1 {
		word = "short"
	}
	where := ""
	if len(d.kernels) > 1 {
		where = " under kernel " + quote(d.kernels[e.kernel])
	}
	f := d.fault(s, a, int(e.at), "the probabilities of %s%s sum to %s; want 1 within 1e-9 (%s %s)", d.place(s, a), where, digits(sum, 12), digits(math.Abs(sum-1), 3), word)
	if math.Abs(sum-1) <= model.RepairTolerance+slack && q.rows == "refuse" {
		f.Fix = &Fix{"renormalise rows that are off by up to 1e-4", "rows", `"renormalise"`}
	} else if sum < 1 && q.rows != "end" {
		f.Fix = &Fix{"let what is missing end the episode", "rows", `"end"`}
	}
	return f
}

func digits(x float64, n int) string { return strconv.FormatFloat(x, 'g', n, 64) }

// dropRows drops the rows that start at the given entries.
func (in *input) dropRows(d *draft, first []int) {
	type pair struct{ kernel, s, a int32 }
	drop := make(map[pair]bool, len(first))
	for _, i := range first {
		e := &d.entries[i]
		drop[pair{e.kernel, e.s, e.a}] = true
	}
	d.keep(func(e *entry) bool { return !drop[pair{e.kernel, e.s, e.a}] })
}

// stranded makes states without an action absorbing, and reports pairs that
// some kernels have and others lack.
func (in *input) stranded(d *draft, q *answers) {
	have := make([]int32, d.s*d.a) // by pair: kernels that have it
	first := make(map[int]int)     // by pair: an entry
	some := make([]bool, d.s)
	for i := range d.rows {
		e := &d.entries[i]
		g := int(e.s)*d.a + int(e.a)
		have[g]++
		if len(d.kernels) > 1 {
			first[g] = i
		}
		some[e.s] = true
	}
	for g, n := range have {
		if n == 0 || int(n) == len(d.kernels) {
			continue
		}
		e := &d.entries[first[g]]
		in.fail(d.fault(g/d.a, g%d.a, int(e.at), "%s is there in %s and missing in %s; the available actions must be the same in all of them",
			d.place(g/d.a, g%d.a), plural(int(n), "kernel"), plural(len(d.kernels)-int(n), "kernel")))
	}
	stop, n, shown := make([]bool, d.s), 0, -1
	for s, ok := range some {
		if stop[s] = !ok; !ok {
			n++
			if shown < 0 {
				shown = s
			}
		}
	}
	if n == 0 {
		return
	}
	if q.noAction == "refuse" {
		for s := range stop {
			if stop[s] {
				in.fail(d.fault(s, -1, -1, "no action is available in state %s; every state needs one", quote(d.state(s))))
			}
		}
		return
	}
	d.stay(stop, -1)
	d.sort()
	what := "state " + quote(d.state(shown)) + " has no action"
	if n > 1 {
		what = fmt.Sprintf("%d states have no action, the first is %s", n, quote(d.state(shown)))
	}
	in.note("%s: taken as absorbing at no cost", what)
}

// assemble puts the problem together from a draft that has been judged.
func (in *input) assemble(d *draft, q *answers) *model.Problem {
	available := make([]bool, d.s*d.a)
	for i := range d.rows {
		available[int(d.entries[i].s)*d.a+int(d.entries[i].a)] = true
	}
	p := &model.Problem{Name: q.name, Discount: q.discount, Initial: q.initial, Maximize: q.maximize, Layout: model.NewLayout(d.s, d.a, available)}
	p.Source = "imported from " + in.format
	if name := in.files[0].name; name != "" {
		p.Source += ", " + name
	}
	for s := range d.s {
		p.States = append(p.States, d.state(s))
	}
	for a := range d.a {
		p.Actions = append(p.Actions, d.action(a))
	}
	distinct(p.States)
	distinct(p.Actions)
	in.kernels(d, q, p)
	found := false
	for _, c := range d.costs {
		if c.name == q.objective {
			p.Objective, found = in.cost(d, c, available), true
		}
		for _, l := range q.limits {
			if l.Name == c.name {
				l.Cost = in.cost(d, c, available)
				p.Constraints = append(p.Constraints, l)
			}
		}
	}
	if !found {
		p.Objective = model.Cost{Name: q.objective, Values: make([]float64, d.s*d.a)}
	}
	in.nameLimits(p)
	return p
}

// nameLimits makes the names of two limits on one cost differ.
func (in *input) nameLimits(p *model.Problem) {
	taken := []string{p.Objective.Name}
	for i := range p.Constraints {
		c := &p.Constraints[i]
		c.Name = unique(taken, c.Name)
		taken = append(taken, c.Name)
	}
}

func (in *input) kernels(d *draft, q *answers, p *model.Problem) {
	all := make([]*model.Kernel, len(d.kernels))
	for k, name := range d.kernels {
		all[k] = &model.Kernel{Name: name, Sparse: !d.dense, Ptr: []int{0}}
	}
	var upper *model.Kernel
	if d.interval {
		upper = &model.Kernel{Name: "upper", Sparse: !d.dense, Ptr: []int{0}}
	}
	for i, j := range d.rows {
		k := all[d.entries[i].kernel]
		for n := i; n < j; n++ {
			e := &d.entries[n]
			if d.interval || !d.dense || e.p != 0 {
				k.Next, k.Prob = append(k.Next, int(e.t)), append(k.Prob, e.p)
			}
			if upper != nil {
				upper.Next, upper.Prob = append(upper.Next, int(e.t)), append(upper.Prob, e.hi)
			}
		}
		k.Ptr = append(k.Ptr, len(k.Next))
		if upper != nil {
			upper.Ptr = append(upper.Ptr, len(upper.Next))
		}
	}
	u := &p.Uncertainty
	switch {
	case d.interval:
		u.Kind, u.Lower, u.Upper = model.Interval, all[0], upper
		in.note("the intervals are read pessimistically: nature picks within them what is worst for each cost. The optimistic value, where nature helps, is not computed here")
	case q.kind != "none" && q.kind != "":
		u.Kind, u.Nominal, u.Radius, u.SupportAll = q.kind, all[0], []float64{q.radius}, q.support == "all"
	default:
		u.Kind, u.Kernels = model.Finite, all
	}
}

// maxDenseNext is the most numbers that a cost of the next state may have
// before its expectation is taken instead.
const maxDenseNext = 4 << 20

// cost gives a reward structure its shape: [S][A] when the successor does not
// matter, [S][A][S] otherwise.
func (in *input) cost(d *draft, c *cost, available []bool) model.Cost {
	flat := make([]float64, d.s*d.a)
	copy(flat, c.pair)
	out := model.Cost{Name: c.name, Average: c.average, Values: flat}
	if c.entry == nil {
		return out
	}
	level := make([]float64, d.s*d.a) // what every transition of a pair gives
	seen := make([]bool, d.s*d.a)
	next := false
	for i := range d.entries {
		e := &d.entries[i]
		g := int(e.s)*d.a + int(e.a)
		if !seen[g] {
			seen[g], level[g] = true, c.entry[i]
		} else if level[g] != c.entry[i] {
			next = true
		}
	}
	if !next {
		for g := range flat {
			flat[g] += level[g]
		}
		return out
	}
	if d.s > maxDenseNext/(d.s*d.a) {
		return in.expected(d, c, out)
	}
	return in.byNext(d, c, out, available)
}

// byNext writes a cost of the next state. A successor that a row does not list
// gives nothing by itself.
func (in *input) byNext(d *draft, c *cost, out model.Cost, available []bool) model.Cost {
	flat := out.Values
	out.Values, out.Next = nil, make([]float64, d.s*d.a*d.s)
	for g, ok := range available {
		for t := range d.s {
			out.Next[g*d.s+t] = flat[g]
			if !ok {
				out.Next[g*d.s+t] = math.NaN()
			}
		}
	}
	set := map[int]float64{}
	for i := range d.entries {
		e := &d.entries[i]
		n := (int(e.s)*d.a+int(e.a))*d.s + int(e.t)
		if was, twice := set[n]; twice && was != c.entry[i] {
			in.fail(d.fault(int(e.s), int(e.a), int(e.at), "%s of %s leading to %s is %s here and %s under another kernel; a cost is the same under all kernels",
				quote(c.name), d.place(int(e.s), int(e.a)), quote(d.state(int(e.t))), num(c.entry[i]), num(was)))
			continue
		}
		if len(d.kernels) > 1 {
			set[n] = c.entry[i]
		}
		out.Next[n] = flat[int(e.s)*d.a+int(e.a)] + c.entry[i]
	}
	return out
}

// expected averages a cost of the next state over the rows of the only kernel.
func (in *input) expected(d *draft, c *cost, out model.Cost) model.Cost {
	if len(d.kernels) > 1 || d.interval {
		in.fail(Fault{Message: fmt.Sprintf("%s depends on the next state, for %d states times %d actions times %d states: that is too much to write down (at most %d numbers)", quote(c.name), d.s, d.a, d.s, maxDenseNext)})
		return out
	}
	for i := range d.entries {
		e := &d.entries[i]
		out.Values[int(e.s)*d.a+int(e.a)] += e.p * c.entry[i]
	}
	in.note("%s depends on the next state; the model is large, so its expectation under the file's own rows is taken", quote(c.name))
	return out
}
