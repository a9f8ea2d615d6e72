package decide_test

import (
	"math"
	"testing"

	"rcmdplab/core/certify"
	"rcmdplab/core/decide"
	"rcmdplab/core/evaluate"
	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/solve"
)

// finish runs the default method for at most the given number of boxes.
func finish(t testing.TB, name string, nodes int) (solve.Progress, *evaluate.Evaluator) {
	t.Helper()
	ev, err := evaluate.New(fixture.Problem(t, name).Standard())
	if err != nil {
		t.Fatal(err)
	}
	var p solve.Progress
	low, best := math.Inf(-1), math.Inf(1)
	for p = range decide.Method.Run(ev, decide.Method.Defaults()) {
		// At the end the value is the checker's, which has more digits.
		if p.LowerBound < low-1e-12*math.Abs(low) && !p.ProvedInfeasible || p.Best.Feasible && p.Best.Objective > best*(1+1e-9) {
			t.Errorf("%s: the interval widened: lower %v after %v, best %v after %v", name, p.LowerBound, low, p.Best.Objective, best)
		}
		low = p.LowerBound
		if p.Best.Feasible {
			best = p.Best.Objective
		}
		if p.Status == solve.Running && p.Nodes >= nodes {
			break
		}
	}
	return p, ev
}

// Small problems are closed by default, though the gap asked for is 1 %: the
// boxes that are missing take a moment.
func TestWhatIsNearlyClosedIsClosed(t *testing.T) {
	for _, name := range []string{"fig1_conflict_feasible", "fig1_epigraph", "machine_repair_kl_regularized", "rect_contamination"} {
		p, _ := finish(t, name, math.MaxInt)
		if p.Status != solve.ProvedOptimal {
			t.Errorf("%s: status %v, gap %v of %v", name, p.Status, p.Best.Objective-p.LowerBound, p.Best.Objective)
		}
	}
}

// On every fixture the policy is within 1e-6 of the best known or better, and
// the bound is below it.
func TestFixtures(t *testing.T) {
	for _, name := range fixture.Names(t) {
		p, ev := finish(t, name, 3)
		want := fixture.Expected(t, name)
		if want.Infeasible {
			if p.Status != solve.ProvedInfeasible && !p.ProvedInfeasible {
				t.Errorf("%s: status %v, want a proof of infeasibility", name, p.Status)
			}
			continue
		}
		if want.BestKnown == nil || want.BestKnown.Policy == nil {
			continue
		}
		best := want.BestKnown.Objective
		got := ev.M.Present(0, p.Best.Objective)
		off := got - best
		if ev.M.Flipped(0) {
			off = -off
		}
		if !p.Best.Feasible || off > 1e-6*math.Max(1, math.Abs(best)) {
			t.Errorf("%s: best %v (feasible %v), known %v", name, got, p.Best.Feasible, best)
		}
		if low := p.LowerBound; low > p.Best.Objective+1e-9*ev.M.H {
			t.Errorf("%s: lower bound %v above the value %v", name, low, p.Best.Objective)
		}
		t.Logf("%-32s %v nodes %d value %.9g bound %.9g gap %.3g%% %s", name, p.Status, p.Nodes, p.Best.Objective, p.LowerBound, 100*(p.Best.Objective-p.LowerBound)/math.Abs(p.Best.Objective), p.Note)
	}
}

// A run that is left and continued from what it kept never loses what was
// found and proved, and goes on to the end.
func TestResumeKeepsTheInterval(t *testing.T) {
	for _, name := range []string{"a_seed4", "rect_l1", "fig1_conflict_feasible"} {
		ev, err := evaluate.New(fixture.Problem(t, name).Standard())
		if err != nil {
			t.Fatal(err)
		}
		s := decide.Method.Defaults()
		s.Gap = 0.012
		var kept solve.Progress
		for p := range decide.Method.Run(ev, s) {
			if p.Memory != nil && (p.Nodes >= 2 || p.Status != solve.Running) {
				kept = p
				kept.Best.Policy = append([]float64(nil), p.Best.Policy...)
				s.Memory = p.Memory()
				break
			}
		}
		if s.Memory == nil {
			t.Fatalf("%s: nothing was kept", name)
		}
		s.Resume = &kept
		first := true
		var p solve.Progress
		for p = range decide.Method.Run(ev, s) {
			if first && math.IsInf(p.LowerBound, -1) {
				continue // what was saved is checked anew first
			}
			if first && (p.LowerBound < kept.LowerBound || p.Best.Objective > kept.Best.Objective || p.Nodes < kept.Nodes) {
				t.Errorf("%s: continued with [%v, %v] after %d boxes, left with [%v, %v] after %d", name,
					p.LowerBound, p.Best.Objective, p.Nodes, kept.LowerBound, kept.Best.Objective, kept.Nodes)
			}
			first = false
			if p.Nodes > 60 && p.Status == solve.Running {
				break
			}
		}
		if p.Status != solve.Bounded && p.Status != solve.ProvedOptimal {
			t.Errorf("%s: ended with status %v after %d boxes", name, p.Status, p.Nodes)
		}
	}
}

// A run can be left at any record, the check at its end included.
func TestLeaveAnywhere(t *testing.T) {
	ev, err := evaluate.New(fixture.Problem(t, "a_seed4").Standard())
	if err != nil {
		t.Fatal(err)
	}
	s := decide.Method.Defaults()
	s.Gap, s.Starts = 0.03, 1
	total := 0
	for range decide.Method.Run(ev, s) {
		total++
	}
	for _, at := range []int{1, total / 2, total - 3, total - 2, total - 1} {
		n := 0
		for range decide.Method.Run(ev, s) {
			if n++; n == at {
				break
			}
		}
		if n != at {
			t.Errorf("left after %d records, want %d", n, at)
		}
	}
}

// Between two records lies little work, whatever the phase: no more than a few
// evaluations of a policy, so that stop is answered after a small step.
func TestRecordsComeOften(t *testing.T) {
	for _, name := range []string{"a_seed4", "b_seed2", "rect_kl", "gridworld3x3_l1", "fig1_conflict", "machine_repair"} {
		ev, err := evaluate.New(fixture.Problem(t, name).Standard())
		if err != nil {
			t.Fatal(err)
		}
		const most = 40
		before, worst, records := int64(0), int64(0), 0
		for p := range decide.Method.Run(ev, decide.Method.Defaults()) {
			worst = max(worst, ev.Count-before)
			before = ev.Count
			if records++; p.Nodes > 6 {
				break
			}
		}
		if worst > most || records < 3 {
			t.Errorf("%s: %d evaluations between two of %d records; want %d at most", name, worst, records, most)
		}
	}
}

// Asked to stop at any record, the method yields at most a few more, while the policy
// and what waits for its check are judged, the last of which says so, with the bound that was proved by then and its certificate.
// The checker asks between states, of each kernel.
func TestStopIsAnsweredAtOnce(t *testing.T) {
	for _, name := range []string{"a_seed4", "rect_l1", "fig1_conflict", "c_seed0"} {
		ev, err := evaluate.New(fixture.Problem(t, name).Standard())
		if err != nil {
			t.Fatal(err)
		}
		most := 10 + ev.M.S*max(1, len(ev.M.Kernels))
		for _, at := range []int{1, 2, 5, 20, 100, 300, 700} {
			s, stop := decide.Method.Defaults(), false
			s.Stop = &stop
			s.Gap, s.Starts = 1e-4, 3
			records, after := 0, 0
			low := math.Inf(-1)
			var p solve.Progress
			for p = range decide.Method.Run(ev, s) {
				if records++; stop {
					after++
				} else if stop = records >= at; stop {
					low = p.LowerBound
				}
			}
			if after > most || p.Status == solve.Running || p.LowerBound < low && !p.ProvedInfeasible || p.LowerBound > math.Inf(-1) && p.Certificate == nil || p.Best.Policy == nil {
				t.Errorf("%s, stopped at record %d: %d more, %v, bound %v after %v", name, at, after, p.Status, p.LowerBound, low)
			}
		}
	}
}

// What was kept of a run and then damaged is refused, or goes on without a claim
// that the checker has not accepted: never a panic.
func TestDamagedMemoryClaimsNothing(t *testing.T) {
	problem := fixture.Problem(t, "fig1_conflict_feasible")
	ev, err := evaluate.New(problem.Standard())
	if err != nil {
		t.Fatal(err)
	}
	s := decide.Method.Defaults()
	s.Gap, s.Starts = 1e-4, 2
	var kept solve.Progress
	var memory []byte
	for p := range decide.Method.Run(ev, s) {
		if p.Memory != nil && p.Nodes >= 2 {
			kept, memory = p, p.Memory()
			kept.Best.Policy = append([]float64(nil), p.Best.Policy...)
			break
		}
	}
	if len(memory) < 100 {
		t.Fatalf("%d bytes were kept", len(memory))
	}
	best := kept.Best.Objective
	for k := range 80 {
		damaged := append([]byte(nil), memory...)
		damaged[k*len(memory)/80] ^= 1 << (k % 8)
		if k == 79 {
			damaged = damaged[:len(damaged)/2]
		}
		s.Resume, s.Memory = &kept, damaged
		records := 0
		for p := range decide.Method.Run(ev, s) {
			if cert, ok := p.Certificate, p.Certificate != nil; records == 12 && ok {
				if r := certify.NewChecker(problem).Check(cert, nil, always); !r.OK || p.LowerBound > r.LowerBound || p.LowerBound > best+1e-9 {
					t.Errorf("byte %d: bound %v, the checker says %v: %q", k*len(memory)/80, p.LowerBound, r.LowerBound, r.Reasons)
				}
			} else if !ok && p.LowerBound > math.Inf(-1) {
				t.Errorf("byte %d: a bound %v without a certificate", k*len(memory)/80, p.LowerBound)
			}
			if records++; records > 12 {
				break
			}
		}
	}
}

func always() bool { return true }
