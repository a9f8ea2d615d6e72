package wire

import (
	"encoding/binary"
	"math"
	"slices"

	"rcmdplab/core/model"
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
	c.step.Memory = nil
	c.done = true
}

// The columns of a checkpoint beside those of the trace.
const (
	columnNumbers     = "state.numbers"
	columnPolicy      = "state.policy"
	columnBest        = "state.best"
	columnMultipliers = "state.multipliers"
	columnMemory      = "state.memory" // bytes of the method's own, see bytesColumn
)

func (c *checkpoint) columns(seconds float64, memory []byte) []Column {
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
		{columnMemory, bytesColumn(memory)},
	}
}

// bytesColumn lets bytes travel as numbers: their count, then eight to a
// number. columnBytes is its inverse; what it cannot read is nil.
func bytesColumn(b []byte) []float64 {
	if b == nil {
		return nil
	}
	v := make([]float64, 1, 2+len(b)/8)
	v[0] = float64(len(b))
	for len(b) > 0 {
		var word [8]byte
		n := copy(word[:], b)
		v = append(v, math.Float64frombits(binary.LittleEndian.Uint64(word[:])))
		b = b[n:]
	}
	return v
}

func columnBytes(v []float64) []byte {
	if len(v) == 0 || !(v[0] >= 0 && v[0] <= float64(8*len(v))) {
		return nil
	}
	b := make([]byte, 0, 8*len(v))
	for _, x := range v[1:] {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	if n := int(v[0]); n <= len(b) {
		return b[:n]
	}
	return nil
}

// snapshot is the result as it would be if the run were stopped now; the run
// goes on. With a part that is not empty it also holds, in further columns,
// what begin needs to continue the run.
func (s *Session) snapshot(parts [][]byte) ([]byte, error) {
	r := s.run
	if r == nil {
		return nil, refuse(Unsupported, "no run is in progress")
	}
	t := value().open('{').key("result")
	r.writeResult(t, s, r.units.evaluator(), solve.Stopped, false)
	columns := r.trace.columns()
	if len(part(parts, 0)) > 0 {
		var memory []byte
		if r.last.Memory != nil { // the method goes on from any record, not only from the end of a step
			memory = r.last.Memory()
			r.checkpoint.keep(&r.last)
		}
		columns = slices.Concat(columns, r.checkpoint.columns(r.seconds, memory))
	}
	return t.close('}').done(columns...), nil
}

// resume takes over the trace, the counts, the clock and the best policy from a
// snapshot of the same problem and method. A method that Resumes goes on from
// there and ends as if nothing had happened; another starts anew from the best
// policy, and its outer steps are counted on.
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
	if len(policy) == 0 {
		policy = best
	}
	if !isPolicy(policy, r.m.Layout) || !isPolicy(best, r.m.Layout) || !(x[1] >= 0 && x[1] < 1<<31) {
		return bad
	}
	c := &r.checkpoint
	c.done = true
	c.step = solve.Progress{K: int(x[1]), Step: true, Threshold: x[2], Low: x[3], High: x[4], LowerBound: x[5],
		Evaluations: int64(x[6]), Iterations: int64(x[7]), Policy: policy, Multipliers: find(columnMultipliers),
		Best: solve.Best{Policy: best, Objective: x[9], MaxViolation: x[10], Feasible: x[11] != 0}}
	r.base = checkpoint{evaluations: c.step.Evaluations, iterations: c.step.Iterations, seconds: x[8]}
	r.base.keep(&c.step)
	s := &r.options.settings
	s.InitialPolicy = r.base.step.Best.Policy
	if r.options.algorithm.Resumes {
		s.Resume, s.Memory = &r.base.step, columnBytes(find(columnMemory))
	}
	return nil
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
