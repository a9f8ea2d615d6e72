package wire

import (
	"fmt"
	"math"
	"slices"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/experiment"
	"rcmdplab/core/jsontext"
	"rcmdplab/core/model"
	"rcmdplab/core/solve"
)

// view is what a landscape or a path of descent is asked for: two policy
// coordinates and the function of the policy, all by name.
type view struct {
	X, Y axis
	Side int // landscape: points along one edge

	Lambda   []float64 // Lagrangian multipliers, one per constraint
	Epigraph bool      // Δ_{b0} instead of the Lagrangian
	B0       float64

	Start []float64 // path: two coordinates, step size, most steps
	Step  float64
	Steps int
}

// axis is the share of To against From in a state.
type axis struct{ State, From, To string }

func (v *view) read(raw []byte) error {
	return read(raw, jsontext.Fields{"x": v.X.read, "y": v.Y.read, "side": &v.Side,
		"lambda": &v.Lambda, "epigraph": &v.Epigraph, "b0": &v.B0,
		"start": &v.Start, "step": &v.Step, "steps": &v.Steps})
}

func (a *axis) read(v jsontext.Value) error {
	return v.Decode(jsontext.Fields{"state": &a.State, "from": &a.From, "to": &a.To}, nil)
}

// mostSide keeps a landscape below what a person would wait for.
const mostSide, mostSteps = 512, 100000

// readView decodes a view and finds its names in the model.
func readView(raw []byte, m *model.Standard) (v view, x, y experiment.Axis, f experiment.Surface, err error) {
	bad := func(format string, args ...any) error { return refuse(InvalidOption, fmt.Sprintf(format, args...)) }
	v.Start = []float64{0, 0}
	if v.read(raw) != nil {
		err = bad("a view is an object with x, y (state, from, to), and lambda or epigraph and b0")
		return
	}
	find := func(name string, state, from, to string) (a experiment.Axis, err error) {
		s := slices.Index(m.Problem.States, state)
		if s < 0 {
			return a, bad("%s: there is no state %q", name, state)
		}
		for _, t := range []struct {
			action string
			pair   *int
		}{{from, &a.From}, {to, &a.To}} {
			i := slices.Index(m.Problem.Actions, t.action)
			if i < 0 || m.Pair(s, i) < 0 {
				return a, bad("%s: action %q is not available in state %q", name, t.action, state)
			}
			*t.pair = m.Pair(s, i)
		}
		if a.From == a.To {
			return a, bad("%s: two different actions are wanted, got %q twice", name, to)
		}
		return a, nil
	}
	if x, err = find("x", v.X.State, v.X.From, v.X.To); err != nil {
		return
	}
	if y, err = find("y", v.Y.State, v.Y.From, v.Y.To); err != nil {
		return
	}
	if v.X.State == v.Y.State {
		err = bad("x and y must be in different states, got %q twice", v.X.State)
		return
	}
	if !v.Epigraph && len(v.Lambda) != m.N {
		err = bad("lambda: got %d numbers; want one for each of %d constraints", len(v.Lambda), m.N)
		return
	}
	f = experiment.Surface{Lambda: v.Lambda, Epigraph: v.Epigraph, B0: v.B0}
	return
}

// viewed opens the problem of part 0 and the view of part 1.
func viewed(parts [][]byte) (ev *evaluate.Evaluator, v view, x, y experiment.Axis, f experiment.Surface, err error) {
	m, _, err := open(part(parts, 0))
	if err != nil {
		return
	}
	if v, x, y, f, err = readView(part(parts, 1), m); err != nil {
		return
	}
	ev, err = evaluator(m)
	return
}

// landscape evaluates a surface over two policy coordinates; the other states
// follow the uniform policy. Columns: value, dx, dy, objective, violation, row
// by row, in the internal convention of minimised totals.
func (s *Session) landscape(parts [][]byte) ([]byte, error) {
	ev, v, x, y, f, err := viewed(parts)
	if err != nil {
		return nil, err
	}
	if v.Side < 2 || v.Side > mostSide {
		return nil, refuse(InvalidOption, fmt.Sprintf("side: got %d; want a whole number from 2 to %d", v.Side, mostSide))
	}
	l := experiment.NewLandscape(ev, nil, x, y, v.Side, f)
	return value().int(int64(v.Side)).done(
		Column{"value", l.Value}, Column{"dx", l.DX}, Column{"dy", l.DY},
		Column{"objective", l.Objective}, Column{"violation", l.Violation}), nil
}

// descent follows projected gradient descent over the same two coordinates.
// Column points: x, y of each step in turn.
func (s *Session) descent(parts [][]byte) ([]byte, error) {
	ev, v, x, y, f, err := viewed(parts)
	if err != nil {
		return nil, err
	}
	if !(v.Step > 0) || math.IsInf(v.Step, 1) || v.Steps < 1 || v.Steps > mostSteps {
		return nil, refuse(InvalidOption, fmt.Sprintf("step must be a positive number and steps a whole number from 1 to %d", mostSteps))
	}
	if len(v.Start) != 2 || slices.ContainsFunc(v.Start, func(t float64) bool { return !(t >= 0 && t <= 1) }) {
		return nil, refuse(InvalidOption, "start: want two probabilities")
	}
	points := experiment.Path(ev, nil, x, y, f, v.Start[0], v.Start[1], v.Step, v.Steps)
	return value().int(int64(len(points) / 2)).done(Column{"points", points}), nil
}

// experiments lists the paper's experiments: part 0 is true for the quick
// ones. A job is the example with a seed, solved with a method's options.
func (s *Session) experiments(parts [][]byte) ([]byte, error) {
	t := value().open('[')
	for _, p := range experiment.Presets(string(part(parts, 0)) == "true") {
		t.open('{').key("id").str(p.Setting.ID).key("title").str(p.Setting.Title).key("says").str(p.Says)
		t.key("example").str(p.Setting.Example).key("seeds").open('[')
		for _, x := range p.Seeds {
			t.int(int64(x))
		}
		t.close(']').key("methods").open('[')
		for _, m := range p.Methods {
			t.open('{').key("name").str(m.Name).key("options")
			writeSettings(t, m.Settings)
			t.key("level").bool(m.Level).close('}')
		}
		t.close(']').close('}')
	}
	return t.close(']').done(), nil
}

// writeSettings writes the options of a run that a method has and that are not
// left to their defaults.
func writeSettings(t *text, s solve.Settings) {
	t.open('{').key("algorithm").str(s.Algorithm)
	a, _ := solve.Find(s.Algorithm)
	for _, o := range a.Options {
		v := 0.0
		switch o.Name {
		case "outerIterations":
			v = float64(s.OuterIterations)
		case "innerIterations":
			v = float64(s.InnerIterations)
		case "stepSize":
			v = s.StepSize
		case "multiplierStepSize":
			v = s.MultiplierStepSize
		case "tolerance":
			v = s.Tolerance
		case "starts":
			v = float64(s.Starts)
		case "seed":
			v = float64(s.Seed)
		}
		if v != 0 {
			t.key(o.Name).num(v)
		}
	}
	t.close('}')
}

// aggregate sums up the traces of an experiment: part 0 is {"methods": [names],
// "traces": [{"method": index, "seed", "horizon", "uniform", "objective":
// [...], "violation": [...]}]}, returns as minimised totals, horizon 1/(1-γ) of
// the trace's problem. The reply has series by method, the comparison table and
// the CSV text.
func (s *Session) aggregate(parts [][]byte) ([]byte, error) {
	var setting string
	var methods []string
	var given []sent
	if err := read(part(parts, 0), jsontext.Fields{"setting": &setting, "methods": &methods, "traces": jsontext.List(&given, (*sent).read)}); err != nil {
		return nil, refuse(InvalidOption, "the traces are not readable: "+err.Error())
	}
	plan := experiment.Plan{Setting: experiment.Setting{ID: setting}}
	for _, name := range methods {
		plan.Methods = append(plan.Methods, experiment.Method{Name: name})
	}
	var traces []experiment.Trace
	for i, t := range given {
		if t.Method < 0 || t.Method >= len(methods) || len(t.Objective) != len(t.Violation) {
			return nil, refuse(InvalidOption, fmt.Sprintf("trace %d: want a method below %d and as many violations as objectives", i, len(methods)))
		}
		if !(t.Horizon >= 1) {
			return nil, refuse(InvalidOption, fmt.Sprintf("trace %d: the horizon is %v; want 1/(1-γ) of its problem", i, t.Horizon))
		}
		traces = append(traces, experiment.NewTrace(experiment.Job{Seed: t.Seed, Method: t.Method}, t.Uniform, t.Horizon, t.Objective, t.Violation))
	}
	w := value().open('{').key("series").open('[')
	for _, x := range plan.Aggregate(traces) {
		w.open('{').key("method").str(x.Method)
		writePoints(w.key("violation"), x.Violation)
		writePoints(w.key("relative"), x.Relative)
		w.close('}')
	}
	w.close(']').key("table").open('[')
	for _, r := range plan.Table(traces) {
		w.open('{').key("method").str(r.Method).key("jobs").int(int64(r.Jobs)).key("feasible").int(int64(r.Feasible))
		writePoint(w.key("best"), r.Best)
		writePoint(w.key("final"), r.Final)
		writePoint(w.key("first"), r.First)
		w.close('}')
	}
	w.close(']').key("csv").str(plan.CSV(traces))
	return w.close('}').done(), nil
}

// sent is the trace of one job of an experiment as the page sends it.
type sent struct {
	Method               int
	Seed                 uint64
	Horizon, Uniform     float64
	Objective, Violation []float64
}

func (t *sent) read(v jsontext.Value) error {
	return v.Decode(jsontext.Fields{"method": &t.Method, "seed": &t.Seed, "horizon": &t.Horizon, "uniform": &t.Uniform,
		"objective": jsontext.List(&t.Objective, known), "violation": jsontext.List(&t.Violation, known)}, nil)
}

// known reads a number; null is NaN here.
func known(x *float64, v jsontext.Value) error {
	if v.Kind() == 'n' {
		*x = math.NaN()
		return nil
	}
	return v.Set(x)
}

func writePoint(t *text, p experiment.Point) {
	t.open('{').key("mean").num(p.Mean).key("sd").num(p.SD).key("min").num(p.Min)
	t.key("median").num(p.Median).key("max").num(p.Max).key("count").int(int64(p.Count)).close('}')
}

// writePoints writes points by column, which is how charts want them.
func writePoints(t *text, ps []experiment.Point) {
	t.open('{')
	for _, c := range []struct {
		name string
		of   func(experiment.Point) float64
	}{
		{"mean", func(p experiment.Point) float64 { return p.Mean }}, {"sd", func(p experiment.Point) float64 { return p.SD }},
		{"min", func(p experiment.Point) float64 { return p.Min }}, {"median", func(p experiment.Point) float64 { return p.Median }},
		{"max", func(p experiment.Point) float64 { return p.Max }},
	} {
		t.key(c.name).open('[')
		for _, p := range ps {
			t.num(c.of(p))
		}
		t.close(']')
	}
	t.close('}')
}
