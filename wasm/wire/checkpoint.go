package wire

import (
	"slices"

	"rcmdplab/core/solve"
)

// checkpoint is where a run stood at the end of an outer step, in the internal
// convention and exact to the last bit.
type checkpoint struct {
	step                    solve.Progress // with slices of its own
	evaluations, iterations int64
	seconds                 float64
	done                    bool // there is a step
}

// keep remembers the end of an outer step.
func (c *checkpoint) keep(p *solve.Progress) {
	policy, multipliers, best := c.step.Policy, c.step.Multipliers, c.step.Best.Policy
	c.step = *p
	c.step.Policy = append(policy[:0], p.Policy...)
	c.step.Multipliers = append(multipliers[:0], p.Multipliers...)
	c.step.Best.Policy = append(best[:0], p.Best.Policy...)
	c.done = true
}

// The columns of a checkpoint beside those of the trace.
const (
	columnNumbers     = "state.numbers"
	columnPolicy      = "state.policy"
	columnBest        = "state.best"
	columnMultipliers = "state.multipliers"
)

func (c *checkpoint) columns(seconds float64) []Column {
	p := &c.step
	feasible, done := 0.0, 0.0
	if p.Best.Feasible {
		feasible = 1
	}
	if c.done {
		done = 1
	}
	return []Column{
		{columnNumbers, []float64{done, float64(p.K), p.Threshold, p.Low, p.High, p.LowerBound,
			float64(p.Evaluations), float64(p.Iterations), seconds, p.Best.Objective, p.Best.MaxViolation, feasible}},
		{columnPolicy, p.Policy}, {columnBest, p.Best.Policy}, {columnMultipliers, p.Multipliers},
	}
}

// snapshot is the result as it would be if the run were stopped now, with what
// resume needs in further columns. The run goes on.
func (s *Session) snapshot(_ [][]byte) ([]byte, error) {
	r := s.run
	if r == nil {
		return nil, refuse(Unsupported, "no run is in progress")
	}
	t := value().open('{').key("result")
	r.writeResult(t, s, r.units.evaluator(), solve.Stopped)
	return t.close('}').done(slices.Concat(r.trace.columns(), r.checkpoint.columns(r.seconds))...), nil
}

// resume takes over the trace, the counts, the clock and the state of the
// outer step from a snapshot of the same problem and method. Where the method
// cannot be set to a state it starts from the best policy of the snapshot.
func (r *run) resume(from []byte) error {
	bad := refuse(InvalidOption, "this checkpoint is not one of this problem; start the run anew")
	_, columns, err := Unpack(from)
	if err != nil {
		return bad
	}
	find := func(name string) []float64 {
		for _, c := range columns {
			if c.Name == name {
				return c.Data
			}
		}
		return nil
	}
	x, policy, best := find(columnNumbers), find(columnPolicy), find(columnBest)
	if len(x) != 12 || !r.trace.restore(columns) {
		return bad
	}
	if x[0] == 0 { // no outer step had ended
		return nil
	}
	for _, pi := range [][]float64{policy, best} {
		if len(pi) != r.m.Pairs() {
			return bad
		}
	}
	c := &r.checkpoint
	c.done = true
	c.step = solve.Progress{K: int(x[1]), Step: true, Threshold: x[2], Low: x[3], High: x[4], LowerBound: x[5],
		Evaluations: int64(x[6]), Iterations: int64(x[7]), Policy: policy, Multipliers: find(columnMultipliers),
		Best: solve.Best{Policy: best, Objective: x[9], MaxViolation: x[10], Feasible: x[11] != 0}}
	r.base = checkpoint{evaluations: c.step.Evaluations, iterations: c.step.Iterations, seconds: x[8], done: true}
	r.base.keep(&c.step)
	r.options.settings.InitialPolicy = slices.Clone(best)
	return nil
}
