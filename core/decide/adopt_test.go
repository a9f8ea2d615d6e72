package decide_test

import (
	"math"
	"testing"

	"rcmdplab/core/certify"
	"rcmdplab/core/decide"
	"rcmdplab/core/evaluate"
	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
	"rcmdplab/core/solve"
)

// end runs a method to its last record.
func end(t *testing.T, p *model.Problem, a solve.Algorithm) solve.Progress {
	t.Helper()
	ev, err := evaluate.New(p.Standard())
	if err != nil {
		t.Fatal(err)
	}
	var last solve.Progress
	for last = range a.Run(ev, a.Defaults()) {
	}
	return last
}

// shifted is the problem with its first limit moved by a share of its size.
func shifted(p *model.Problem, by float64) *model.Problem {
	q := *p
	q.Constraints = append([]model.Constraint(nil), p.Constraints...)
	q.Constraints[0].Bound += by
	return &q
}

// The policy of a tighter limit and the proof of a looser one hold in between,
// and the checker agrees; the other way round nothing is claimed.
func TestWhatNeighboursShowIsAdopted(t *testing.T) {
	for name, step := range map[string]float64{"machine_repair": 0.02, "a_seed0": 0.5, "machine_repair_l1": 0.02, "c_seed0": 0.3} {
		p := fixture.Problem(t, name)
		tight, loose := shifted(p, -step), shifted(p, step)
		method := decide.Method
		method.Options = append([]solve.Option(nil), method.Options...)
		for i := range method.Options {
			if method.Options[i].Name == "gap" {
				method.Options[i].Default = 0.3 // any proof will do
			}
		}
		below, above := end(t, tight, method), end(t, loose, method)
		if !below.Best.Feasible || below.Certificate == nil || above.Certificate == nil {
			t.Fatalf("%s: nothing to adopt: %v, %v", name, below.Status, above.Status)
		}
		claim := above.Certificate
		got := end(t, p, decide.Adopt([][]float64{below.Best.Policy}, nil, []proof.Claim{*claim}))
		if got.Status != solve.Bounded && got.Status != solve.ProvedOptimal || !(math.Abs(got.Best.Objective-below.Best.Objective) <= 1e-12*math.Abs(got.Best.Objective)) || got.LowerBound < claim.Target {
			t.Errorf("%s: %v, value %v of %v, bound %v of %v (%s)", name, got.Status, got.Best.Objective, below.Best.Objective, got.LowerBound, claim.Target, got.Note)
		}
		cert, ok := got.Certificate, got.Certificate != nil
		if r := certify.Check(p, *cert, got.Best.Policy); !ok || !r.OK {
			t.Errorf("%s: what is claimed does not pass: %v", name, r.Reasons)
		}
		// A descent from what is best on either side comes between the two, and is confirmed as well.
		warm := end(t, p, decide.Adopt([][]float64{below.Best.Policy}, [][]float64{below.Best.Policy, above.Best.Policy}, []proof.Claim{*claim}))
		if cert, ok := warm.Certificate, warm.Certificate != nil; !ok || !warm.Best.Feasible || warm.Best.Objective > below.Best.Objective ||
			warm.Best.Objective < claim.Target || !certify.Check(p, *cert, warm.Best.Policy).OK {
			t.Errorf("%s: a descent from neighbours ends at %v, between %v and %v", name, warm.Best.Objective, below.Best.Objective, above.Best.Objective)
		}
		// A proof of the tighter limit says nothing of the looser one where it is
		// closer to the optimum there than the limits are apart.
		claim = below.Certificate
		if got := end(t, loose, decide.Adopt([][]float64{above.Best.Policy}, nil, []proof.Claim{*claim})); got.LowerBound > above.Best.Objective {
			t.Errorf("%s: a bound %v above the value %v", name, got.LowerBound, above.Best.Objective)
		}
	}
}

// A proof that no policy meets a limit holds for every tighter one.
func TestInfeasibilityIsAdopted(t *testing.T) {
	p := fixture.Problem(t, "fig1_conflict")
	first := end(t, p, decide.Method)
	if first.Status != solve.ProvedInfeasible {
		t.Fatalf("%v", first.Status)
	}
	claims := []proof.Claim{*first.Certificate}
	if got := end(t, shifted(p, -0.01), decide.Adopt(nil, nil, claims)); got.Status != solve.ProvedInfeasible {
		t.Errorf("tighter: %v (%s)", got.Status, got.Note)
	}
	if got := end(t, shifted(p, 1), decide.Adopt(nil, nil, claims)); got.Status == solve.ProvedInfeasible {
		t.Error("the proof of a tight limit was taken for one of a loose limit")
	}
}

// What a run claims of a problem is adopted of the same problem, whatever kind of proof it has.
func TestOwnClaimsAreAdopted(t *testing.T) {
	kinds := map[string]bool{}
	for _, name := range []string{"fig1_epigraph", "machine_repair", "machine_repair_l1", "fig1_conflict"} {
		p := fixture.Problem(t, name)
		first := end(t, p, decide.Method)
		if first.Certificate == nil {
			t.Fatalf("%s: %v without a certificate", name, first.Status)
		}
		c := first.Certificate
		kinds[map[bool]string{true: "tensor", false: "other"}[c.Tensor != nil]] = true
		adopted := decide.Adopt([][]float64{first.Best.Policy}, nil, []proof.Claim{*c})
		adopted.Options = decide.Method.Options // its tolerance
		got := end(t, p, adopted)
		near := got.LowerBound == first.LowerBound || math.Abs(got.LowerBound-first.LowerBound) <= 1e-12*math.Abs(first.LowerBound)
		if got.Status != first.Status || !near {
			t.Errorf("%s: %v with bound %v for %v with %v", name, got.Status, got.LowerBound, first.Status, first.LowerBound)
		}
	}
	if !kinds["tensor"] {
		t.Error("no tree among the proofs")
	}
}
