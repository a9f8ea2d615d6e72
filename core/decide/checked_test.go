package decide

import (
	"iter"
	"math"
	"strings"
	"testing"

	"rcmdplab/core/certify"
	"rcmdplab/core/evaluate"
	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/proof"
	"rcmdplab/core/solve"
)

// Whatever method claims a proof, the certificate is there, the checker accepts
// it, and the claim is not lost on problems where it is known to hold.
func TestProvedClaimsAreChecked(t *testing.T) {
	for _, tc := range []struct {
		method, problem string
		want            solve.Status
	}{
		{"slp", "c_seed0", solve.ProvedOptimal},
		{"slp", "a_seed0", solve.Bounded},
		{"slp", "machine_repair", solve.ProvedOptimal},
		{"slp", "fig1_conflict", solve.ProvedInfeasible},
		{"occupancy-lp", "c_seed1", solve.ProvedOptimal},
		{"occupancy-lp", "c_seed4", solve.ProvedOptimal},
		{"slp", "gridworld3x3_l1_infeasible", solve.ProvedInfeasible},
	} {
		problem := fixture.Problem(t, tc.problem)
		ev, err := evaluate.New(problem.Standard())
		if err != nil {
			t.Fatal(err)
		}
		alg, ok := Find(tc.method)
		if !ok {
			t.Fatalf("no method %s", tc.method)
		}
		var p solve.Progress
		for p = range alg.Run(ev, alg.Defaults()) {
		}
		if p.Status != tc.want {
			t.Errorf("%s on %s: %v, want %v (%s)", tc.method, tc.problem, p.Status, tc.want, p.Note)
			continue
		}
		cert, ok := p.Certificate, p.Certificate != nil
		if !ok {
			t.Errorf("%s on %s: no certificate", tc.method, tc.problem)
			continue
		}
		var policy []float64
		if p.Best.Feasible {
			policy = p.Best.Policy
		}
		r := certify.Check(problem, *cert, policy)
		if !r.OK || p.Best.Feasible && !(math.Abs(r.LowerBound-p.LowerBound) <= 1e-9*ev.M.H) {
			t.Errorf("%s on %s: check says %v, bound %v for %v: %v", tc.method, tc.problem, r.OK, r.LowerBound, p.LowerBound, r.Reasons)
		}
	}
}

// A method that makes up a feasible policy and a bound is not believed: the
// checker finds the limit that is missed, and the bound is one it can prove.
func TestFalseClaimsAreTakenBack(t *testing.T) {
	m := fixture.Problem(t, "a_seed0").Standard()
	ev, _ := evaluate.New(m)
	liar := solve.Algorithm{ID: "liar", Run: func(ev *evaluate.Evaluator, _ solve.Settings) iter.Seq[solve.Progress] {
		return func(yield func(solve.Progress) bool) {
			pi := m.Uniform()
			ev.Evaluate(pi)
			yield(solve.Progress{Status: solve.ProvedOptimal, LowerBound: ev.J[0],
				Best: solve.Best{Policy: pi, Objective: ev.J[0], MaxViolation: 0, Feasible: true}})
		}
	}}
	var p solve.Progress
	for p = range checked(liar).Run(ev, solve.Settings{}) {
	}
	if p.Status != solve.NoFeasibleFound || p.Best.Feasible || p.Certificate == nil || !strings.Contains(p.Note, "misses") {
		t.Errorf("status %v, bound %v, value %v: %s", p.Status, p.LowerBound, p.Best.Objective, p.Note)
	}
}

// What was told while the checker looked at the policy is taken back where the
// proofs do not hold beside it.
func TestWhatWasToldMeanwhileIsTakenBack(t *testing.T) {
	p := fixture.Problem(t, "a_seed4")
	d, _ := opened(t, p)
	d.lower = &proof.Claim{Target: 1}
	d.infeasible = &proof.Claim{Target: math.Inf(1)}
	record := solve.Nothing()
	record.Best = solve.Best{Policy: p.Standard().Uniform(), Objective: 2, Feasible: true}
	told := false
	d.conclude(&record, solve.Settings{}, func() bool {
		told = true
		d.pass(&record)
		return false
	})
	if !told || record.Status != solve.Feasible || record.Certificate != nil || !math.IsInf(record.LowerBound, -1) {
		t.Errorf("told %v: %v with bound %v, certificate %v", told, record.Status, record.LowerBound, record.Certificate != nil)
	}
}

// That no policy is better is said of a gap of a ten-millionth at most, however large a tolerance is given.
func TestNoToleranceMakesAGapNone(t *testing.T) {
	closed := 0
	for _, name := range []string{"machine_repair", "fig1_epigraph"} {
		for _, id := range []string{"solve", "slp", "occupancy-lp"} {
			alg, _ := Find(id)
			s := alg.Defaults()
			s.Tolerance, s.Gap, s.Starts = 1e-3, 0.1, 1
			m := fixture.Problem(t, name).Standard()
			ev, err := evaluate.New(m)
			if err != nil {
				t.Fatal(err)
			}
			var p solve.Progress
			for p = range alg.Run(ev, s) {
			}
			j := p.Best.Objective
			switch gap := j - p.LowerBound; {
			case p.Status != solve.ProvedOptimal:
			case gap > 1e-7*m.GapScale(j):
				t.Errorf("%s, %s: %v of [%v, ] is called %v", name, alg.ID, j, p.LowerBound, p.Status)
			default:
				closed++
			}
		}
	}
	if closed == 0 {
		t.Error("nothing is closed")
	}
}
