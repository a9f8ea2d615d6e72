package interchange

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"rcmdplab/core/jsontext"
	"rcmdplab/core/model"
)

// choiceNames are all choices that an import can have.
var choiceNames = []string{
	"discount", "horizon", "initial", "objective", "sense", "limits", "goal", "ends", "outcomes", "noAction", "zeroRows", "rows", "duplicates", "base", "costsByKernel",
	"uncertainty", "radius", "support", "axes", "rewardAxes", "observations", "observationRewards", "encoding",
	"rates", "separator", "decimal", "header", "columns", "layout", "values", "states", "actions", "name", "costNames", "average",
}

// answers are the choices that every import has, taken.
type answers struct {
	discount  float64            // in [0, 1]
	horizon   int                // decisions; 0: no end of them
	initial   []float64          // by state, sums to 1
	objective string             // name of a cost
	maximize  bool               // the objective is a reward
	limits    []model.Constraint // name, bound and side only
	goal      []int              // states
	goalName  string
	ends      string     // "stay" or "end"
	noAction  string     // "absorbing" or "refuse"
	zeroRows  string     // "unavailable" or "refuse"
	rows      string     // "refuse", "renormalise" or "end"
	kind      model.Kind // of the set around the model
	radius    float64    // of that set
	support   string     // "nominal" or "all"
	name      string     // of the problem
}

// ask collects the choices of a draft, with the defaults where nothing is said.
func (in *input) ask(d *draft) *answers {
	q := &answers{}
	in.rename(d)
	in.askGoal(d, q)
	q.discount = in.askDiscount(d, q.goal)
	q.horizon = in.askHorizon()
	q.initial = in.askInitial(d)
	in.askObjective(d, q)
	in.askLimits(d, q)
	if d.terminal != nil && slices.Contains(d.terminal, true) {
		q.ends = in.choose("ends", "Where an episode ends", "What happens after a terminal state; its value is 0 either way.", "stay",
			Option{"stay", "the terminal state stays where it is, at no cost"}, Option{"end", `all of them lead to one added state "end"`})
	}
	q.zeroRows = in.choose("zeroRows", "A row of zeros means", "A pair of state and action whose probabilities are all 0.", "unavailable",
		Option{"unavailable", "the action is not available there"}, Option{"refuse", "a mistake: refuse it"})
	q.noAction = in.choose("noAction", "A state without any action", "A state that is only led to, or all of whose rows are missing.", "absorbing",
		Option{"absorbing", "is the end: it stays there at no cost"}, Option{"refuse", "is a mistake: refuse it"})
	q.rows = in.choose("rows", "Rows that do not sum to 1", "Rounding noise within 1e-9 is always accepted as it is.", "refuse",
		Option{"refuse", "refuse them"}, Option{"renormalise", "divide rows that are off by rounding by their sum"}, Option{"end", `what is missing leads to an added state "end" at no cost`})
	if !d.interval && len(d.kernels) == 1 {
		sets := []Option{{"none", "none: the file's model as it is"}}
		for _, k := range model.Kinds() {
			if k.Title() != "" {
				sets = append(sets, Option{string(k), k.Title()})
			}
		}
		q.kind = model.Kind(in.choose("uncertainty", "Uncertainty", "How far nature may move each row away from the file's.", "none", sets...))
		if q.kind != "none" {
			q.radius = in.number("radius", "Radius", "The size of the set, the same for every row.", 0.1, 0, q.kind.MostRadius())
			if q.kind.Reaches() {
				q.support = in.choose("support", "Where nature may move probability", "", "nominal",
					Option{"nominal", "only among the successors the file lists, listed zeros too"}, Option{"all", "to every state"})
			}
		}
	}
	if v, ok := in.answer("name"); ok {
		q.name, _ = v.Text()
	}
	return q
}

// nearOne is what to know about a discount of 1 where nothing ends.
const nearOne = "nothing is discounted, and no state is an end, one that is never left and costs nothing. Take 0.99 to look about 100 steps ahead, or 0.999 for 1000; " +
	`the answer "horizon" is a number of decisions after which it is over; the answer "average" instead of a number gives the cost per step in the long run, by a discount of 0.999999`

// longRun is the discount that stands for the average per step in the long run.
const longRun = 0.999999

func (in *input) askDiscount(d *draft, goal []int) float64 {
	const usual = 0.99
	file := !math.IsNaN(d.discount)
	_, said := in.answer("discount")
	otherwise := usual
	if file {
		otherwise = d.discount
	} else if d.comesToAnEnd(goal) {
		otherwise = 1
	}
	if file && !said && (d.discount > 1 || d.discount < 0) {
		f := d.src.at(d.discountAt, fmt.Sprintf("the file says discount %s; want 0 <= γ <= 1", show(d.discount)))
		f.Fix = &Fix{"take 0.99", "discount", "0.99"}
		in.fail(f)
		otherwise = usual
	}
	help := "γ: a cost one step later counts γ times as much. The file does not say."
	if file {
		help = "γ: a cost one step later counts γ times as much. The file says " + show(d.discount) + "."
	}
	help += ` 1 is no discount: totals of whole episodes, where states are ends. "average" is the cost per step in the long run.`
	if v, ok := in.answer("discount"); ok {
		if s, isText := v.Text(); isText && strings.EqualFold(strings.TrimSpace(s), "average") {
			d.longRun = true
			in.offer(Choice{Name: "discount", Label: "Discount", Help: help, Type: "number", Value: quoted("average"), Default: model.Num(otherwise), Given: true, Max: 1})
			in.note("the long-run average per step is taken as (1-γ)J at γ = %s: where the process forgets its start within T steps it is off by at most about %.0e T of the range of costs, and by nothing less is known here", model.Num(longRun), 1-longRun)
			return longRun
		}
	}
	g := in.number("discount", "Discount", help, otherwise, 0, 1)
	switch {
	case g == 1:
	case said && file && d.discount != g:
		in.note("the discount is %s; the file says %s", model.Num(g), show(d.discount))
	case !said && !file:
		if d.bare {
			in.open("discount", "the file has no discount, and the answer depends on it")
		}
		in.note("the file has no discount: %s is taken (a horizon of about %.4g steps)", model.Num(g), 1/(1-g))
	}
	return g
}

// askHorizon takes a number of decisions, where the file or the person says one.
func (in *input) askHorizon() int {
	if _, said := in.answer("horizon"); !said {
		return 0
	}
	x := in.number("horizon", "Decisions", "So many, and then it is over; the plan has a table for each.", 1, 1, model.MostStateTimes)
	if x != math.Trunc(x) {
		in.fail(Fault{Message: fmt.Sprintf("horizon: found %s; want a whole number of decisions", model.Num(x))})
		return 0
	}
	in.note("it is over after %s", model.Count(int(x), "decision"))
	return int(x)
}

func (in *input) askInitial(d *draft) []float64 {
	mu := d.initial
	help := "The distribution of the first state: a state's name, uniform, or one probability for each state."
	if mu == nil {
		mu = make([]float64, d.s)
		mu[0] = 1
		help += " The file does not say."
	}
	otherwise := in.describe(d, mu)
	c := Choice{Name: "initial", Label: "Start", Help: help, Type: "state", Value: otherwise, Default: otherwise}
	if v, ok := in.answer("initial"); ok {
		if given := in.distribution(d, v); given != nil {
			mu, c.Value, c.Given = given, string(v), true
		}
	} else if d.initial == nil {
		in.note("the file does not say where it starts: state %s is taken", model.Quote(d.state(0)))
	}
	in.offer(c)
	return mu
}

// describe is a distribution as an answer.
func (in *input) describe(d *draft, mu []float64) string {
	uniform := true
	for s, p := range mu {
		if p == 1 {
			return quoted(d.state(s))
		}
		uniform = uniform && p == mu[0]
	}
	if uniform {
		return `"uniform"`
	}
	return string(jsontext.AppendNumbers(nil, mu))
}

// distribution reads an answer about the start; nil with a fault.
func (in *input) distribution(d *draft, v jsontext.Value) []float64 {
	mu := make([]float64, d.s)
	one := func(s int) []float64 {
		mu[s] = 1
		return mu
	}
	if s, ok := v.Text(); ok {
		if i := d.find(s); i >= 0 {
			return one(i)
		}
		switch s {
		case "first":
			return one(0)
		case "uniform":
			return uniformRow(d.s)
		}
	}
	if x, ok := v.Number(); ok && d.find(model.Num(x)) >= 0 { // a name that is a number
		return one(d.find(model.Num(x)))
	} else if ok && x >= 0 && x < float64(d.s) && x == math.Trunc(x) {
		return one(int(x))
	}
	if v.Kind() == '[' {
		n, sum := 0, 0.0
		for i, e := range v.Elements {
			x, ok := e.Number()
			if n++; !ok || i >= d.s || !(x >= 0) {
				n = -1
				break
			}
			mu[i] = x
			sum += x
		}
		if (n == d.s || n == d.own) && math.Abs(sum-1) <= model.RowTolerance {
			return mu
		}
	}
	in.fail(Fault{Message: fmt.Sprintf(`initial: found %s; want the name of a state, "uniform", or %d probabilities that sum to 1`, brief(v), d.own)})
	return nil
}

// find is the state of a name, or -1. A number is the place of a state where no name is one.
func (d *draft) find(name string) int {
	if i := slices.Index(d.states, name); i >= 0 {
		return i
	}
	isNumber := func(name string) bool { _, err := strconv.Atoi(name); return err == nil }
	if s, err := strconv.Atoi(name); err == nil && s >= 0 && s < d.s && !slices.ContainsFunc(d.states, isNumber) {
		return s
	}
	return -1
}

// askGoal asks for the states that are to be reached, by label or by name.
func (in *input) askGoal(d *draft, q *answers) {
	options := []Option{{"", "none"}}
	otherwise := ""
	for _, l := range d.labels {
		options = append(options, Option{l.name, reach(l.name)})
		if otherwise == "" && len(d.costs) == 0 && len(l.states) > 0 {
			otherwise = l.name
		}
	}
	c := Choice{Name: "goal", Label: "Reach a goal", Help: "Adds the cost “reach …”: the discounted probability of reaching these states, which then stay where they are. A label, or names of states separated by commas.",
		Type: "states", Default: quoted(otherwise), Options: options}
	c.Value = c.Default
	names := otherwise
	if v, ok := in.answer("goal"); ok {
		c.Value, c.Given = string(v), true
		if t, isText := v.Text(); isText {
			names = t
		} else if v.Kind() == '[' {
			var all []string
			for _, e := range v.Elements {
				t, _ := e.Text()
				if x, isNumber := e.Number(); isNumber {
					t = model.Num(x)
				}
				all = append(all, t)
			}
			names = strings.Join(all, ",")
		} else {
			names = string(v)
		}
	}
	in.offer(c)
	names = strings.TrimSpace(names)
	if names == "" {
		return
	}
	q.goalName = names
	for _, l := range d.labels {
		if l.name == names {
			q.goal = l.states
			return
		}
	}
	for _, name := range strings.Split(names, ",") {
		s := d.find(strings.TrimSpace(name))
		if s < 0 {
			in.fail(Fault{Message: "goal: " + model.Quote(strings.TrimSpace(name)) + " is no label and no state of this model"})
			continue
		}
		q.goal = append(q.goal, s)
	}
}

// reach is the name of the cost of reaching a goal.
func reach(goal string) string {
	if strings.HasPrefix(goal, "reach") {
		return goal
	}
	return "reach " + goal
}

func (in *input) askObjective(d *draft, q *answers) {
	var names []string
	for _, c := range d.costs {
		names = append(names, c.name)
	}
	if q.goalName != "" {
		names = append([]string{reach(q.goalName)}, names...)
	}
	sense := d.sense
	if len(names) == 0 {
		names, sense = []string{"cost"}, "minimize"
		in.note("the file has no rewards: the objective is 0 everywhere")
	}
	q.objective = names[0]
	for _, k := range d.costs { // a duration or a count is none unless that is said
		if q.goalName == "" && !k.length {
			q.objective = k.name
			break
		}
	}
	if d.objective != "" && q.goalName == "" {
		q.objective = d.objective
	}
	q.objective = in.choose("objective", "Objective", "The reward or cost that is optimised; others can have a limit.", q.objective, themselves(names)...)
	if q.goalName != "" && q.objective == reach(q.goalName) {
		sense = "maximize"
	}
	for _, k := range d.costs {
		if k.name != q.objective {
			continue
		}
		if k.better != "" {
			sense = k.better
		}
		switch {
		case len(names) > 1 && d.objective == "" && q.goalName == "":
			in.open("objective", "the file does not say which of "+strings.Join(names, ", ")+" is to be optimised")
		case d.bare && k.length:
			in.open("objective", model.Quote(k.name)+" is the only column of numbers, and its name is that of a duration or a count")
		case d.bare && k.better == "":
			in.open("sense", "the name "+model.Quote(k.name)+" does not say whether more or less of it is better")
		}
	}
	q.maximize = in.choose("sense", "Better is", "", sense, Option{"maximize", "more (a reward)"}, Option{"minimize", "less (a cost)"}) == "maximize"
}

// themselves are names as answers.
func themselves(names []string) (options []Option) {
	for _, n := range names {
		options = append(options, Option{n, n})
	}
	return options
}

// askLimits reads {"name": {"atMost": x}, ...} for the costs that are not the
// objective; those without a limit are left out.
func (in *input) askLimits(d *draft, q *answers) {
	var others []string
	for _, c := range d.costs {
		if c.name != q.objective {
			others = append(others, c.name)
		}
	}
	if q.goalName != "" && q.objective != reach(q.goalName) {
		others = append(others, reach(q.goalName))
	}
	if len(others) == 0 {
		return
	}
	c := Choice{Name: "limits", Label: "Limits", Help: "The other rewards and costs: at most or at least how much in total, discounted; without a limit they are left out.", Type: "limits", Value: "{}", Default: "{}"}
	c.Options = themselves(others)
	if v, ok := in.answer("limits"); ok {
		c.Value, c.Given = string(v), true
		for name, limit := range v.Members {
			bad := !slices.Contains(others, name)
			for side, x := range limit.Members {
				bound, isNumber := x.Number()
				bad = bad || !isNumber || side != "atMost" && side != "atLeast"
				q.limits = append(q.limits, model.Constraint{Cost: model.Cost{Name: name}, Bound: bound, AtLeast: side == "atLeast"})
			}
			if bad || limit.Kind() != '{' {
				in.fail(Fault{Message: fmt.Sprintf(`limits: found %s for %s; want {"atMost": number} or {"atLeast": number} for one of %s`, brief(limit), model.Quote(name), strings.Join(others, ", "))})
			}
		}
	}
	in.offer(c)
	for _, n := range others {
		if !slices.ContainsFunc(q.limits, func(l model.Constraint) bool { return l.Name == n }) {
			in.note("%s has no limit and is left out", model.Quote(n))
		}
	}
}
