package estimate

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"rcmdplab/core/model"
)

// Result is a model made of data.
type Result struct {
	Problem *model.Problem

	// HeldOut is the same problem under the kernel of the episodes held out, and
	// that of resamples of them: a finite set to evaluate policies on. nil when
	// nothing was held out.
	HeldOut *model.Problem

	Options  Options  // as used, defaults filled in
	About    About    // of the set made
	Share    float64  // 1 - confidence of one pair
	Reached  float64  // the confidence that the samples allow; Options.Confidence or less
	Pairs    []Pair   // tried pairs
	Untried  int      // pairs never tried, of states in which some action was
	Ends     []string // states that nothing was ever tried in
	Steps    float64  // transitions learnt from
	Episodes int      // learnt from
	Warnings []string // sentences

	HeldOutSteps, HeldOutMissing float64 // transitions held out, and those in pairs that were not learnt

	learn []float64 // weight of each row
}

// Pair is what is known of one tried pair.
type Pair struct {
	State, Action string
	N             float64 // transitions counted
	Successors    int     // seen
	Radius        float64 // NaN where the set has none
}

// Run makes the model. The pointers of faults are into the options.
func Run(d *Data, options Options) (*Result, model.Faults) {
	o, faults := options.filled()
	if len(faults) > 0 {
		return nil, faults
	}
	r := &Result{Options: o, About: o.Kind.About(), Warnings: slices.Clone(d.Warnings)}
	m := &maker{Options: o, d: d, s: len(d.States), a: len(d.Actions), source: rand.NewPCG(o.Seed, 0x9e3779b97f4a7c15)}
	for s := range m.s {
		m.next = append(m.next, s)
	}
	if o.HeldOut > 0 && d.Episodes() == 1 {
		return nil, model.Faults{{Pointer: "/heldOut", Message: "heldOut: there is one episode, and nothing can be held out of it"}}
	}
	var held []float64
	r.learn, held = d.split(o.HeldOut, m.source)
	m.t = d.tallied(r.learn)
	if f := m.arrange(r); f != nil {
		return nil, f
	}
	if f := m.plan(r); f != nil {
		return nil, f
	}
	p, faults := m.frame(r)
	if len(faults) > 0 {
		return nil, faults
	}
	p.Uncertainty = m.set(r)
	r.Problem, r.Share = p, m.share()
	m.Initial = r.Options.Initial
	r.Options = m.Options
	m.describe(r)
	if held != nil {
		m.judge(r, held)
	}
	return r, nil
}

// arrange decides which pairs are available.
func (m *maker) arrange(r *Result) model.Faults {
	available := make([]bool, m.s*m.a)
	m.ends = make([]bool, m.s)
	for s := range m.s {
		tried := 0
		for a := range m.a {
			if m.t.n[s*m.a+a] > 0 {
				tried++
				available[s*m.a+a] = true
			}
		}
		m.pairs += tried
		if tried == 0 {
			m.ends[s], available[s*m.a] = true, true
			r.Ends = append(r.Ends, m.d.States[s])
			continue
		}
		r.Untried += m.a - tried
		for a := range m.a {
			available[s*m.a+a] = available[s*m.a+a] || m.Untried != Unavailable
		}
	}
	if m.pairs == 0 {
		return model.Faults{{Pointer: "/rows", Message: "the table has no transition to learn from"}}
	}
	m.layout = model.NewLayout(m.s, m.a, available)
	return nil
}

// plan fills in the number of samples and refuses what would be too large.
func (m *maker) plan(r *Result) model.Faults {
	if m.Kind.bayesian() && m.Prior == 0 {
		return model.Faults{{Pointer: "/prior", Message: "prior: a posterior needs a number above 0, or none for the default"}}
	}
	sampled := m.Kind == Posterior || m.Kind == Bootstrap
	if m.Samples == 0 {
		need := m.Confidence / (1 - m.Confidence)
		if m.Kind == Credible {
			need = math.Max(200, 1/m.share()-1)
		}
		m.Samples = max(1, int(math.Min(math.Ceil(need*(1-1e-12)), mostSamples)))
	}
	wide := 0.0
	for i := range m.layout.Pairs() {
		next, _ := m.possible(i)
		wide += float64(len(next))
	}
	large := func(what string) model.Faults {
		return model.Faults{{Pointer: "/samples", Message: what + `; ask for fewer samples, a lower confidence, or successors "seen"`}}
	}
	if sampled && wide*float64(m.Samples+1) > mostProbabilities {
		return large(fmt.Sprintf("%d kernels of %.0f probabilities are too many; at most %d in all are made", m.Samples+1, wide, mostProbabilities))
	}
	if m.Kind == Credible && wide*float64(m.Samples) > mostDraws {
		return large(fmt.Sprintf("%d samples of %.0f probabilities are too many; at most %d in all are drawn", m.Samples, wide, mostDraws))
	}
	if wide > mostProbabilities {
		return large(fmt.Sprintf("rows over all %d states have %.0f probabilities; at most %d are made", m.s, wide, mostProbabilities))
	}
	r.Reached = m.Confidence
	switch {
	case sampled:
		r.Reached = min(r.Reached, float64(m.Samples)/float64(m.Samples+1))
	case m.Kind == Credible:
		r.Reached = min(r.Reached, 1-float64(m.pairs)*(1-float64(m.rank())/float64(m.Samples+1)))
	case m.Kind == Nominal:
		r.Reached = math.NaN()
	}
	if r.Reached < m.Confidence-1e-9 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d samples are too few for a confidence of %v: what is claimed is %.3g.", m.Samples, m.Confidence, max(r.Reached, 0)))
	}
	return nil
}

// frame makes everything of the problem but its uncertainty set.
func (m *maker) frame(r *Result) (*model.Problem, model.Faults) {
	p := &model.Problem{
		Name: m.Name, States: m.d.States, Actions: m.d.Actions, Discount: m.Discount, Layout: m.layout, Maximize: m.Sense == "maximize",
	}
	p.Name = cmp.Or(p.Name, "From logs")
	var faults model.Faults
	p.Initial, faults = m.initial(r)
	column := func(pointer, name string) *Column {
		for i := range m.d.Costs {
			if m.d.Costs[i].Name == name {
				return &m.d.Costs[i]
			}
		}
		names := make([]string, len(m.d.Costs))
		for i, c := range m.d.Costs {
			names[i] = c.Name
		}
		faults = append(faults, model.Fault{Pointer: pointer, Message: fmt.Sprintf("there is no cost column %q; the columns of numbers are %s", name, quoted(names))})
		return nil
	}
	used := map[string]bool{}
	switch {
	case m.Objective == "" && len(m.d.Costs) == 0:
		p.Objective = model.Cost{Name: "cost", Values: m.values(nil, false, r)}
		r.Warnings = append(r.Warnings, "No column holds a cost: the objective is 0 everywhere until costs are entered.")
	case m.Objective == "":
		m.Objective = m.d.Costs[0].Name
		fallthrough
	default:
		if c := column("/objective", m.Objective); c != nil {
			p.Maximize = p.Maximize || m.Sense == "" && c.Gain
			p.Objective = model.Cost{Name: c.Name, Average: m.Average, Values: m.values(c, p.Maximize, r)}
			used[c.Name] = true
		}
	}
	for i, l := range m.Limits {
		pointer := fmt.Sprintf("/constraints/%d/column", i)
		if used[l.Column] {
			faults = append(faults, model.Fault{Pointer: pointer, Message: fmt.Sprintf("the column %q is used twice", l.Column)})
			continue
		}
		if c := column(pointer, l.Column); c != nil {
			used[c.Name] = true
			p.Constraints = append(p.Constraints, model.Constraint{Bound: l.Bound, AtLeast: l.AtLeast,
				Cost: model.Cost{Name: c.Name, Average: l.Average, Values: m.values(c, l.AtLeast, r)}})
		}
	}
	for _, c := range m.d.Costs {
		if !used[c.Name] && len(faults) == 0 {
			r.Warnings = append(r.Warnings, fmt.Sprintf("The column %q is not used: make it the objective or a limit.", c.Name))
		}
	}
	return p, faults
}

// initial is the initial distribution.
func (m *maker) initial(r *Result) ([]float64, model.Faults) {
	mu := make([]float64, m.s)
	how := m.Initial
	if how == "" {
		if m.d.Unordered {
			return nil, model.Faults{{Pointer: "/initial", Message: "initial: the rows do not say where episodes began, as they are not in the order of time; want the state to start from, or \"uniform\""}}
		}
		if how = "uniform"; m.d.Episodes() > 0 {
			how = "episodes"
		}
		r.Options.Initial = how
	}
	if s := slices.Index(m.d.States, m.Initial); s >= 0 && m.Initial != "" {
		mu[s] = 1
		return mu, nil
	}
	switch how {
	case "episodes":
		if m.d.Episodes() == 0 {
			return nil, model.Faults{{Pointer: "/initial", Message: "initial: the table has no episodes to take first states from"}}
		}
		for _, s := range m.d.First {
			mu[s]++
		}
		for s := range mu {
			mu[s] /= float64(m.d.Episodes())
		}
	case "uniform":
		starts := 0.0
		for s := range mu {
			if !m.ends[s] {
				mu[s], starts = 1, starts+1
			}
		}
		for s := range mu {
			mu[s] /= starts
		}
	default:
		return nil, model.Faults{{Pointer: "/initial", Message: fmt.Sprintf("initial: got %q; want \"episodes\", \"uniform\" or the name of a state", m.Initial)}}
	}
	return mu, nil
}

// values is the mean cost of each pair. Ends cost nothing. A pair that was
// never tried has the worst cost of the column: the least where more is wanted.
func (m *maker) values(c *Column, wanted bool, r *Result) []float64 {
	v := make([]float64, m.s*m.a)
	sum, n := make([]float64, len(v)), make([]float64, len(v))
	worst, lost := math.Inf(-1), 0.0
	sign := 1.0
	if wanted {
		sign = -1
	}
	for i := range m.d.Rows() {
		if c == nil || math.IsNaN(c.Values[i]) || r.learn[i] == 0 {
			continue
		}
		g := m.d.State[i]*m.a + m.d.Action[i]
		sum[g] += r.learn[i] * c.Values[i]
		n[g] += r.learn[i]
		worst = max(worst, sign*c.Values[i])
		if m.ends[m.d.State[i]] && c.Values[i] != 0 {
			lost += r.learn[i]
		}
	}
	guessed, tiny := 0, 0
	for g := range v {
		v[g] = math.NaN()
	}
	for i, s := range m.layout.State {
		g := s*m.a + m.layout.Act[i]
		switch {
		case m.ends[s] || c == nil:
			v[g] = 0
		case n[g] > 0:
			v[g] = sum[g] / n[g]
		default:
			if !math.IsInf(worst, 0) {
				v[g] = sign*worst + 0
			} else {
				v[g] = 0
			}
			guessed++
		}
		switch size := math.Abs(v[g]); {
		case size > model.MaxCost: // rounded up from many that are as large
			v[g] = math.Copysign(model.MaxCost, v[g])
		case size > 0 && size < model.MinCost:
			v[g] = 0
			tiny++
		}
	}
	if tiny > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%q: %d costs below %v in size are taken as 0.", c.Name, tiny, model.MinCost))
	}
	if lost > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%q: %v costs were written in states that are only ever ends; an end costs nothing, so they do not count.", c.Name, lost))
	}
	if guessed > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%q: pairs without a cost in the table (%d) are given the worst one that is there.", c.Name, guessed))
	}
	return v
}

// describe fills in what the summary tells.
func (m *maker) describe(r *Result) {
	p, u := r.Problem, &r.Problem.Uncertainty
	p.Description = fmt.Sprintf("Estimated from logs. %s.", r.About.Title)
	certain := 0
	for i, s := range m.layout.State {
		g := s*m.a + m.layout.Act[i]
		if m.t.n[g] == 0 {
			continue
		}
		pair := Pair{State: m.d.States[s], Action: m.d.Actions[m.layout.Act[i]], N: m.t.n[g], Successors: len(m.t.rows[g]), Radius: math.NaN()}
		if u.Radius != nil {
			pair.Radius = u.Radius[g]
		}
		if pair.Successors == 1 && m.Successors == "seen" {
			certain++
		}
		r.Pairs = append(r.Pairs, pair)
		r.Steps += pair.N
	}
	in := map[int]bool{}
	for i, e := range m.d.Episode {
		if r.learn[i] > 0 {
			in[e] = true
		}
	}
	r.Episodes = len(in)
	p.Source = fmt.Sprintf("estimated from %d rows", m.d.Rows())
	if r.Episodes > 0 {
		p.Source += fmt.Sprintf(" of %d episodes", m.d.Episodes())
	}
	p.Source += fmt.Sprintf(": %v transitions of %d pairs; ", r.Steps, m.pairs)
	if m.Kind == Nominal {
		p.Source += "relative frequencies"
	} else {
		p.Source += fmt.Sprintf("%s at confidence %v: %s; %s", r.About.Title, m.Confidence, r.About.Formula, r.About.Source)
		if m.Prior > 0 {
			p.Source += fmt.Sprintf("; prior %v of each successor", m.Prior)
		}
	}
	say := func(format string, args ...any) { r.Warnings = append(r.Warnings, fmt.Sprintf(format, args...)) }
	if len(r.Ends) > 0 {
		say("No action was ever tried in %s: taken as ends, which stay as they are and cost nothing.", some(r.Ends))
	}
	if r.Untried > 0 {
		say("Pairs that were never tried (%d): such pairs %s.", r.Untried, map[Untried]string{
			Unavailable: "are not available", Stays: "lead back to their state, for certain", Uniform: "may lead to any state, and nothing more is known of them"}[m.Untried])
	}
	if certain > 0 && m.Kind != Nominal {
		say(`Pairs with one successor only (%d) are taken as certain; with successors "all" they are not.`, certain)
	}
	if m.Untried == Uniform && r.Untried > 0 && m.Kind == Bootstrap {
		say("What was never tried cannot be resampled: those pairs are uniform in every sample.")
	}
}

// some lists names, the first few of many.
func some(names []string) string {
	if len(names) > 5 {
		return fmt.Sprintf("%s and %d more", quoted(names[:5]), len(names)-5)
	}
	return quoted(names)
}

// judge makes the problem that policies are judged on.
func (m *maker) judge(r *Result, held []float64) {
	t := m.d.tallied(held)
	for g, n := range t.n {
		r.HeldOutSteps += n
		if m.t.n[g] == 0 {
			r.HeldOutMissing += n
		}
	}
	p := *r.Problem
	p.Name, p.Description = p.Name+", held out", "The part of the logs that was not learnt from, to judge policies on. Pairs that it lacks have the row that was learnt."
	with := *m
	with.Kind, with.Prior, with.Successors = Nominal, 0, "seen"
	p.Uncertainty = model.Uncertainty{Kind: model.Finite, Kernels: []*model.Kernel{with.resampled("held out", t)}}
	for k := range m.Resamples {
		p.Uncertainty.Kernels = append(p.Uncertainty.Kernels, with.resampled(fmt.Sprintf("resample %d", k+1), m.d.bootstrap(held, t, m.source)))
	}
	r.HeldOut = &p
}
