package wire

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"rcmdplab/core/decide"
	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
	"rcmdplab/core/solve"
)

// run is a solver's sequence being pulled in slices.
type run struct {
	m        *model.Standard     // of the document, shared by all that works on it
	ev       *evaluate.Evaluator // counts the policies of this run
	units    *units              // of the person
	options  *options            // as given, and parsed
	warnings []string            // said of the model before the run

	next func() (solve.Progress, bool) // pulls the method
	stop func()                        // ends the sequence

	last     solve.Progress // its slices are the run's: good until the next pull
	snapped  claim          // what the last snapshot said
	beside   *decide.Beside // sees to what snapshots say; nil before the first
	shown    solve.Best     // numbers of the best policy that the page was last told, without the policy
	trace    trace          // rows kept for the result
	steps    [][]byte       // records of outer steps that the page has not been told yet
	ended    bool           // the sequence is over
	stopping bool           // run.stop() was called
	late     bool           // the time limit is over
	end      bool           // the method is asked to come to its end, for one of the two
	kept     bool           // somebody wants to be able to continue it

	gauge          gauge      // of the processor that it has
	start, seconds float64    // of the driver's clock; solving time so far
	proofFrom      float64    // seconds when the first boxes were done
	nodesFrom      int        // how many they were
	checkpoint     checkpoint // of the last outer step
	base           checkpoint // what an earlier run had done, when this one continues it
	firstStep      int        // what to add to the method's count of outer steps
}

// stepsKept is how many records of outer steps one message carries at most; a
// method that makes more between two messages is seen in part, and in whole in
// the result's trace.
const stepsKept = 50

// extras are what a run may begin with besides its options and its problem.
type extras struct {
	checkpoint []byte   // to continue from
	part       []byte   // of another worker's run, to work on instead
	whole      bool     // to its end, and not just for a while
	found      []byte   // by others, to claim what it shows of this problem instead
	results    [][]byte // what became of parts that the run of the checkpoint handed out
}

// readExtras reads parts that come by twos, a name and what it is; what is empty is none.
func readExtras(parts [][]byte) (x extras) {
	for ; len(parts) > 1; parts = parts[2:] {
		switch name, b := string(parts[0]), parts[1]; name {
		case "checkpoint":
			x.checkpoint = b
		case "part", "whole":
			x.part, x.whole = b, name == "whole"
		case "found":
			x.found = b
		case "result":
			x.results = append(x.results, b)
		default:
			refuse(Unsupported, fmt.Sprintf("a run cannot begin with %q; want a checkpoint, part, whole, found or result", name))
		}
	}
	return x
}

// begin starts a run: of the options and the problem in parts 0 and 1, with the extras
// after them. A run in progress is dropped.
func (s *Session) begin(parts [][]byte) []byte {
	s.drop()
	m, warnings := problem(part(parts, 1))
	o := readOptions(part(parts, 0), m)
	x := readExtras(parts[min(2, len(parts)):])
	ev := evaluator(m)
	collects(ev)
	m = ev.M
	r := &run{m: m, ev: ev, units: newUnits(m), options: o, warnings: warnings, start: math.NaN(), last: solve.Nothing(), snapped: claim{bound: math.Inf(-1)}}
	if len(x.checkpoint) > 0 {
		r.resume(x.checkpoint)
	}
	if len(x.part) > 0 {
		o.asPart(x.part, !x.whole, &s.kept)
	} else {
		s.kept = decide.Kept{}
	}
	if len(x.found) > 0 {
		o.asAdopt(x.found, m)
	}
	o.settings.Results = x.results
	o.settings.Stop, o.settings.Late = &r.end, &r.late
	r.next, r.stop = iter.Pull(o.algorithm.Run(ev, o.settings))
	s.run = r
	t := value().open('{').key("algorithm").str(o.algorithm.ID).key("options")
	o.write(t)
	t.key("shares").bool(o.algorithm.Shares)
	return t.close('}').done()
}

// drop ends the run in progress, if there is one.
func (s *Session) drop() {
	if s.run != nil {
		s.run.stop()
		s.run = nil
	}
}

// stopRun asks the run to end with the best it has; the next Step ends it.
func (s *Session) stopRun(_ [][]byte) []byte {
	if s.run != nil {
		s.run.stopping = true
	}
	return value().bool(s.run != nil).done()
}

// Step pulls records for at most budget seconds by the clock (one record at
// least). A run that is to end is pulled until it has said what may be claimed,
// which takes no more than a few records. The reply is nil when there is nothing to
// tell, {"value": {"progress": [...]}} when news was asked for, and at the end
// the last progress with {"result": ...} and the trace in columns, after which
// there is no run.
func (s *Session) Step(clock func() float64, budget float64, news bool) []byte {
	r := s.run
	if r == nil {
		return RefuseAs(Unsupported, "no run is in progress")
	}
	from := clock()
	if math.IsNaN(r.start) {
		r.start = from
	}
	limit, last := r.limit(), from
	if limit > 0 { // nothing else asks what share of the time there was
		r.gauge.step(clock)
	}
	for !r.ended {
		r.end = r.stopping || r.late
		p, ok := r.next()
		now := clock()
		r.seconds, last = now-r.start+r.base.seconds, now
		if !ok {
			r.ended = true
			break
		}
		r.take(p)
		r.late = limit > 0 && r.seconds >= limit
		if now-from >= budget || p.Waiting && !r.stopping && !r.late {
			break
		}
	}
	r.gauge.inside += last - from
	if r.ended {
		reply := r.result(s) // the evaluator is ours from here
		s.run = nil
		return reply
	}
	if !news {
		return nil
	}
	t := value().open('{').key("progress")
	r.writeNews(t)
	r.writeBest(t)
	return t.close('}').done()
}

// limit is the time at which the run ends, counted with what earlier runs took
// that this one continues: what is left of the time limit, or, when they used it
// up, as long again. 0 is none.
func (r *run) limit() float64 {
	limit := r.options.settings.TimeLimit
	if limit <= 0 {
		return 0
	}
	return limit * (1 + math.Floor(r.base.seconds/limit))
}

// endedByLimit says that the time limit is over, and how long the solver really had a
// processor where that is much less.
func (r *run) endedByLimit() string {
	ended := fmt.Sprintf("Ended by the time limit of %v s", r.options.settings.TimeLimit)
	if had, took := r.gauge.had(), r.seconds-r.base.seconds; had < took/2 {
		return fmt.Sprintf("%s, of which the solver had a processor for about %.2g s: other work took the rest, or the page was not in sight. Continued, it goes on from here.", ended, had)
	}
	return ended + "."
}

// writeNews writes what the page has not been told: the outer steps that
// ended, and where the run is now.
func (r *run) writeNews(t *text) {
	t.open('[')
	for _, b := range r.steps {
		t.raw(string(b))
	}
	r.steps = r.steps[:0]
	if !r.last.Step {
		r.units.writeProgress(t, &r.last, r.seconds, r.left(&r.last))
	}
	t.close(']')
}

// policyShown is how many entries a policy may have that the page is told while
// the run goes on: the page draws it many times a second.
const policyShown = 4096

// writeBest writes the best policy so far when it is another than the page was
// last told.
func (r *run) writeBest(t *text) {
	b := &r.last.Best
	if b.Policy == nil || r.m.S*r.m.A > policyShown || sameFigures(b, &r.shown) {
		return
	}
	r.shown = figuresOf(b)
	t.key("policy").policy(r.m, b.Policy)
}

// figuresOf is a best policy without the policy.
func figuresOf(b *solve.Best) solve.Best {
	return solve.Best{Objective: b.Objective, MaxViolation: b.MaxViolation, Feasible: b.Feasible}
}

func sameFigures(a, b *solve.Best) bool {
	same := func(x, y float64) bool { return x == y || x != x && y != y }
	return a.Feasible == b.Feasible && same(a.Objective, b.Objective) && same(a.MaxViolation, b.MaxViolation)
}

// Better reports whether the run in progress has a better policy or proves more
// than when its last snapshot was taken.
func (s *Session) Better() bool {
	r := s.run
	if r == nil {
		return false
	}
	p := &r.last
	return p.Best.Policy != nil && !sameFigures(&p.Best, &r.snapped.best) || p.LowerBound > r.snapped.bound || p.ProvedInfeasible && !r.snapped.infeasible
}

// claim is what a record says of the best policy, without the policy, and what is proved.
type claim struct {
	best       solve.Best // numbers only
	bound      float64    // -Inf when nothing is proved
	infeasible bool       // proved
}

func claimOf(p *solve.Progress) claim {
	return claim{best: figuresOf(&p.Best), bound: p.LowerBound, infeasible: p.ProvedInfeasible}
}

// take looks at one record.
func (r *run) take(p solve.Progress) {
	p.Evaluations += r.base.evaluations
	p.Iterations += r.base.iterations
	if r.base.done {
		// A method that counts its outer steps from 0 again is counted on.
		if n := len(r.trace.k()); p.K+r.firstStep < r.base.step.K ||
			p.Step && p.Status == solve.Running && n > 0 && float64(p.K+r.firstStep) <= r.trace.k()[n-1] {
			r.firstStep = r.base.step.K + 1 - p.K
		}
		p.K += r.firstStep
	}
	r.last = p
	if !p.Step {
		return
	}
	if n := len(r.trace.k()); p.Status != solve.Running && n > 0 && r.trace.k()[n-1] == float64(p.K) {
		// The last record says again how the last outer step ended: no news of a step.
		r.trace.truncate(n - 1)
		r.last.Step = false
	}
	r.trace.add(r.units, &p, r.seconds)
	r.checkpoint.keep(&p)
	if !r.last.Step {
		return
	}
	t := new(text)
	r.units.writeProgress(t, &p, r.seconds, r.left(&p))
	if len(r.steps) == stepsKept {
		r.steps = slices.Delete(r.steps, 0, 1)
	}
	r.steps = append(r.steps, t.b)
}

// left is the time that a proof is expected to take on, by the pace of its boxes
// so far; NaN when that is not known.
func (r *run) left(p *solve.Progress) float64 {
	if p.Nodes == 0 || p.Nodes < r.nodesFrom {
		return math.NaN()
	}
	if r.nodesFrom == 0 {
		r.proofFrom, r.nodesFrom = r.seconds, p.Nodes
	}
	done := p.Nodes - r.nodesFrom
	if p.Rest <= 0 || p.Open == 0 || done < 4 {
		return math.NaN()
	}
	return p.Rest * (r.seconds - r.proofFrom) / float64(done)
}
