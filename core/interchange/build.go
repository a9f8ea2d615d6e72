package interchange

import (
	"math"
	"slices"
	"strings"

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
	for _, w := range warnings {
		if in.opened["axes"].why != "" && !in.answered("axes") || !strings.HasPrefix(w, "there are as many states as actions") { // else the axes are settled
			in.warnings = append(in.warnings, w)
		}
	}
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
			in.fail(d.fault(s, a, at, "%s of %s is %s; want a finite number (or %s for an action that is not allowed)", model.Quote(name), d.place(s, a), show(x), show(bad)))
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
		for _, e := range d.entries {
			x := c.by(e.id)
			switch {
			case x == 0:
			case e.hi == 0 && (math.IsInf(x, 0) || math.IsNaN(x)): // it never happens
				c.put(e.id, 0)
			default:
				c.put(e.id, block(int(e.s), int(e.a), x, c.name, int(e.at)))
			}
		}
	}
	if len(blocked) == 0 {
		return
	}
	had := make([]int, d.s)
	for i := range d.entries {
		had[d.entries[i].s] = int(d.entries[i].at) + 1
	}
	d.keep(func(e entry) bool { return !blocked[int(e.s)*d.a+int(e.a)] })
	for i := range d.entries {
		had[d.entries[i].s] = 0
	}
	for s, at := range had {
		if at > 0 {
			in.fail(d.fault(s, -1, at-1, "every action in state %s has a reward of %s, so none is allowed; want at least one", model.Quote(d.state(s)), show(bad)))
		}
	}
	in.note("%s with a reward of %s: taken as not available", model.Count(len(blocked), "action"), show(bad))
}

// endings makes terminal and goal states absorbing and returns the added end
// state, or -1.
func (in *input) endings(d *draft, q *answers) (end int) {
	end = -1
	n := count(d.terminal)
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
			in.note("%s: the episode ends there; each leads to the added state %s at no cost", model.Count(n, "terminal state"), model.Quote(d.state(end)))
		} else {
			d.stay(stop, -1)
			in.note("%s: the episode ends there; each stays where it is at no cost", model.Count(n, "terminal state"))
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
		in.note("%s: %s to reach; each stays where it is and gives 1 a step there, shown as (1-γ)J, the discounted probability of getting there", model.Quote(c.name), model.Count(len(q.goal), "state"))
	}
	return end
}

// kept is what was said of the file and is not in the document itself: it stays with that.
func (in *input) kept() (said string) {
	for _, c := range in.choices {
		if _, given := in.given[c.Name]; given && len(c.Value) <= 200 && !slices.Contains([]string{"discount", "horizon", "initial", "name", "states", "actions", "uncertainty", "radius", "support"}, c.Name) {
			said += "; " + c.Name + " " + strings.Trim(c.Value, `"`)
		}
	}
	return said
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
	p.Source += in.kept()
	for s := range d.s {
		p.States = append(p.States, d.state(s))
	}
	for a := range d.a {
		p.Actions = append(p.Actions, d.action(a))
	}
	distinct(p.States)
	distinct(p.Actions)
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
	in.ended(d, q, p)
	in.kernels(d, q, p)
	return p
}

// ended gives a model without a discount its ends; with one they are worth the same as they are.
func (in *input) ended(d *draft, q *answers, p *model.Problem) {
	costs := []*model.Cost{&p.Objective}
	for i := range p.Constraints {
		costs = append(costs, &p.Constraints[i].Cost)
	}
	if d.longRun {
		for _, c := range costs {
			c.Average = true
		}
	}
	if p.Horizon = q.horizon; q.discount != 1 || q.horizon > 0 {
		return
	}
	goal := func(c *model.Cost) bool {
		return slices.ContainsFunc(d.costs, func(k *cost) bool { return k.goal && (k.name == c.Name || strings.HasPrefix(c.Name, k.name)) })
	}
	end, n := d.ends(p, costs, goal)
	if n == 0 {
		f := Fault{Message: "discount 1: " + nearOne, Fix: &Fix{"take 0.99", "discount", "0.99"}}
		if !math.IsNaN(d.discount) && d.discount == 1 {
			at := d.src.at(d.discountAt, "the file says discount 1: "+nearOne)
			at.Fix = f.Fix
			f = at
		}
		in.fail(f)
		return
	}
	p.End = end
	for _, c := range costs {
		c.Average = false
	}
	in.note("no discount: where nothing more is paid is an end of the episode (%s), and only plans count that surely come to an end", model.Count(n, "state"))
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
		row := d.entries[i:j]
		if s := row[0].s; p.Ends(int(s)) {
			row = []entry{{s: s, t: s, p: 1, hi: 1}}
		}
		for _, e := range row {
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
