package wire

import (
	"math"
	"slices"

	"rcmdplab/core/decide"
	"rcmdplab/core/model"
	"rcmdplab/core/solve"
)

// checkpoint is where a run stood at the end of an outer step, in the internal
// convention and exact to the last bit.
type checkpoint struct {
	step                    solve.Progress // with slices of its own
	evaluations, iterations int64          // done by then, those of continued runs among them
	seconds                 float64        // of solving by then
	done                    bool           // there is one
	within                  bool           // it is not the end of a step: only the best policy and the counts are of use
}

// keep remembers the end of an outer step.
func (c *checkpoint) keep(p *solve.Progress) {
	policy, multipliers, best := c.step.Policy, c.step.Multipliers, c.step.Best.Policy
	c.step = *p
	c.step.Policy = append(policy[:0], p.Policy...)
	c.step.Multipliers = append(multipliers[:0], p.Multipliers...)
	c.step.Best.Policy = append(best[:0], p.Best.Policy...)
	c.step.Memory, c.step.Proofs = nil, nil
	c.done, c.within = true, false
}

// The columns of a checkpoint beside those of the trace.
const (
	columnNumbers     = "state.numbers"
	columnPolicy      = "state.policy"
	columnBest        = "state.best"
	columnMultipliers = "state.multipliers"
	columnMemory      = "state.memory" // bytes of the method's own
	columnProofs      = "state.proofs" // of what was claimed, see solve.Settings.Proofs
)

func (c *checkpoint) columns(seconds float64, memory, proofs []byte) []Column {
	p := &c.step
	feasible, done := 0.0, 0.0
	if p.Best.Feasible {
		feasible = 1
	}
	if c.done {
		done = 1
	}
	if c.within {
		done = 2
	}
	all := []Column{
		{Name: columnNumbers, Data: []float64{done, float64(p.K), p.Threshold, p.Low, p.High, p.LowerBound,
			float64(p.Evaluations), float64(p.Iterations), seconds, p.Best.Objective, p.Best.MaxViolation, feasible}},
		{Name: columnPolicy, Data: p.Policy}, {Name: columnBest, Data: p.Best.Policy}, {Name: columnMultipliers, Data: p.Multipliers},
	}
	if memory != nil {
		all = append(all, Column{Name: columnMemory, Bytes: memory})
	}
	if proofs != nil {
		all = append(all, Column{Name: columnProofs, Bytes: proofs})
	}
	return all
}

// keep makes snapshots of the run, and the end of one that is stopped, hold
// what begin needs to continue it.
func (s *Session) keep(_ [][]byte) []byte {
	if s.run != nil {
		s.run.kept = true
	}
	return value().bool(s.run != nil).done()
}

// mostSaved is the longest certificate that a snapshot has: it is taken often, and
// the state has the proof as well.
const mostSaved = 1 << 20

// snapshot is the result as it would be if the run were stopped now; the run
// goes on. A part that is not empty asks for the result alone, without what it
// takes to continue.
func (s *Session) snapshot(parts [][]byte) []byte {
	r := s.run
	if r == nil {
		refuse(Unsupported, "no run is in progress")
	}
	p := r.last
	r.snapped = claimOf(&p)
	if r.beside == nil {
		r.beside = decide.NewBeside(r.m, r.options.settings)
	}
	p = r.beside.Stand(p, mostSaved)
	t := value().open('{').key("result")
	r.writeResult(t, s, r.units.evaluator(), &p)
	columns := r.trace.columns()
	if len(part(parts, 0)) == 0 {
		columns = slices.Concat(columns, r.state())
	}
	return t.close('}').done(columns...)
}

// state is what it takes to continue a run that is kept: the end of its last
// outer step or, for a method with a memory of its own, where it is now.
func (r *run) state() []Column {
	if !r.kept {
		return nil
	}
	var memory, proofs []byte
	if r.last.Proofs != nil {
		proofs = r.last.Proofs()
	}
	switch {
	case r.last.Memory != nil:
		memory = r.last.Memory()
		r.checkpoint.keep(&r.last)
	case (!r.checkpoint.done || r.checkpoint.within) && r.last.Best.Policy != nil:
		r.checkpoint.keep(&r.last)
		r.checkpoint.within = true
	}
	return r.checkpoint.columns(r.seconds, memory, proofs)
}

// resume takes over the trace, the counts, the clock and the best policy from a
// snapshot of the same problem and method. A method that Resumes goes on from
// there and ends as if nothing had happened; another starts anew from the best
// policy, and its outer steps are counted on.
func (r *run) resume(from []byte) {
	sound := func(is bool) {
		if !is {
			refuse(InvalidOption, "this checkpoint is not one of this problem; start the run anew")
		}
	}
	_, columns, err := Unpack(from)
	sound(err == nil)
	saved := func(name string) (c Column) {
		if there := find(columns, name); there != nil {
			c = *there
		}
		return c
	}
	policy, best := saved(columnPolicy).Data, saved(columnBest).Data
	x := [12]float64{0: 2, 2: math.NaN(), math.NaN(), math.NaN(), math.Inf(-1), 9: math.NaN(), math.NaN()}
	given := saved(columnNumbers).Data
	sound(copy(x[:], given) == len(given) && len(policy)+len(best)+len(given) > 0 && r.trace.restore(columns))
	s := &r.options.settings
	s.Proofs = saved(columnProofs).Bytes
	if x[0] == 0 { // nothing was known
		return
	}
	if len(policy) == 0 {
		policy = best
	}
	sound(isPolicy(policy, r.m.Layout) && isPolicy(best, r.m.Layout) && x[1] >= 0 && x[1] < 1<<31)
	c := &r.checkpoint
	c.done = true
	c.step = solve.Progress{K: int(x[1]), Step: true, ActiveCost: -1, ActiveKernel: -1, Threshold: x[2], Low: x[3], High: x[4], LowerBound: x[5],
		Evaluations: int64(x[6]), Iterations: int64(x[7]), Policy: policy, Multipliers: saved(columnMultipliers).Data,
		Best: solve.Best{Policy: best, Objective: x[9], MaxViolation: x[10], Feasible: x[11] != 0}}
	r.base = checkpoint{evaluations: c.step.Evaluations, iterations: c.step.Iterations, seconds: x[8]}
	exact := r.options.algorithm.Resumes
	c.step.Best = decide.Reassess(r.units.evaluator(), *s, c.step.Best)
	r.base.keep(&c.step)
	s.Known = r.base.step.Best
	if !exact {
		s.InitialPolicy = r.base.step.Best.Policy
	}
	switch {
	case x[0] == 2: // the first outer step is taken again
		r.checkpoint, r.base.step.K = checkpoint{}, -1
	case exact:
		s.Resume, s.Memory = &r.base.step, saved(columnMemory).Bytes
	}
}

// isPolicy reports whether pi is a policy of the layout: saved bytes can be of
// another problem, or damaged.
func isPolicy(pi []float64, l *model.Layout) bool {
	if len(pi) != l.Pairs() {
		return false
	}
	for s := range l.S {
		sum := 0.0
		for _, p := range pi[l.Off[s]:l.Off[s+1]] {
			if !(p >= 0) {
				return false
			}
			sum += p
		}
		if !(math.Abs(sum-1) < 1e-6) {
			return false
		}
	}
	return true
}
