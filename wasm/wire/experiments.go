package wire

import (
	"fmt"
	"math"

	"rcmdplab/core/experiment"
	"rcmdplab/core/jsontext"
	"rcmdplab/core/solve"
)

// experiments lists the paper's experiments: part 0 is true for the quick
// ones. A job is the example with a seed, solved with a method's options.
func (s *Session) experiments(parts [][]byte) []byte {
	t := value()
	list(t, experiment.Presets(string(part(parts, 0)) == "true"), func(p experiment.Preset) {
		t.open('{').key("id").str(p.Setting.ID).key("title").str(p.Setting.Title).key("says").str(p.Says)
		list(t.key("example").str(p.Setting.Example).key("seeds"), p.Seeds, func(x uint64) { t.int(int64(x)) })
		list(t.key("methods"), p.Methods, func(m experiment.Method) {
			t.open('{').key("name").str(m.Name).key("options")
			writeSettings(t, m.Settings)
			t.key("level").bool(m.Level).close('}')
		})
		t.close('}')
	})
	return t.done()
}

// writeSettings writes the options of a run that a method has and that are not
// left to their defaults.
func writeSettings(t *text, s solve.Settings) {
	t.open('{').key("algorithm").str(s.Algorithm)
	a, _ := solve.Find(s.Algorithm)
	for _, o := range a.Options {
		if v := s.Number(o.Name); v != 0 {
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
func (s *Session) aggregate(parts [][]byte) []byte {
	var setting string
	var methods []string
	var given []sent
	if err := read(part(parts, 0), jsontext.Fields{"setting": &setting, "methods": &methods, "traces": jsontext.List(&given, (*sent).read)}); err != nil {
		refuse(InvalidOption, "the traces are not readable: "+err.Error())
	}
	plan := experiment.Plan{Setting: experiment.Setting{ID: setting}}
	for _, name := range methods {
		plan.Methods = append(plan.Methods, experiment.Method{Name: name})
	}
	var traces []experiment.Trace
	for i, t := range given {
		if t.Method < 0 || t.Method >= len(methods) || len(t.Objective) != len(t.Violation) {
			refuse(InvalidOption, fmt.Sprintf("trace %d: want a method below %d and as many violations as objectives", i, len(methods)))
		}
		if !(t.Horizon >= 1) {
			refuse(InvalidOption, fmt.Sprintf("trace %d: the horizon is %v; want 1/(1-γ) of its problem", i, t.Horizon))
		}
		traces = append(traces, experiment.NewTrace(experiment.Job{Seed: t.Seed, Method: t.Method}, t.Uniform, t.Horizon, t.Objective, t.Violation))
	}
	w := value().open('{')
	list(w.key("series"), plan.Aggregate(traces), func(x experiment.Series) {
		w.open('{').key("method").str(x.Method)
		writePoints(w.key("violation"), x.Violation)
		writePoints(w.key("relative"), x.Relative)
		w.close('}')
	})
	list(w.key("table"), plan.Table(traces), func(r experiment.Row) {
		w.open('{').key("method").str(r.Method).key("jobs").int(int64(r.Jobs)).key("feasible").int(int64(r.Feasible))
		writePoint(w.key("best"), r.Best)
		writePoint(w.key("final"), r.Final)
		writePoint(w.key("first"), r.First)
		w.close('}')
	})
	w.key("csv").str(plan.CSV(traces))
	return w.close('}').done()
}

// sent is the trace of one job of an experiment as the page sends it.
type sent struct {
	Method               int // place in the plan
	Seed                 uint64
	Horizon, Uniform     float64   // 1/(1-γ); J_0 of the uniform policy
	Objective, Violation []float64 // of the policy of each outer step, discounted totals
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
		list(t.key(c.name), ps, func(p experiment.Point) { t.num(c.of(p)) })
	}
	t.close('}')
}
