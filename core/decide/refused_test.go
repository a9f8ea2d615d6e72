package decide

import (
	"math"
	"os"
	"strings"
	"testing"

	"rcmdplab/core/bound"
	"rcmdplab/core/certify"
	"rcmdplab/core/evaluate"
	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
	"rcmdplab/core/solve"
)

// A checker that refuses everything, because it is of another problem, ends every search for
// a bound at its first claim: what is found is the answer, nothing is claimed, and that is said.
func TestASearchEndsWithItsFirstRefusedClaim(t *testing.T) {
	text, err := os.ReadFile("../bound/testdata/random4.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, p := range map[string]*model.Problem{
		"boxes":     fixture.Decode(t, string(text)),
		"tensors":   fixture.Problem(t, "a_seed4"),
		"no policy": fixture.Problem(t, "gridworld3x3_l1_infeasible"),
	} {
		ev, err := evaluate.New(p.Standard())
		if err != nil {
			t.Fatal(err)
		}
		s := Method.Defaults()
		s.Gap, s.Starts = 0, 1
		var last solve.Progress
		records := 0
		r := newRunner(ev, s, func(q solve.Progress) bool {
			last = q
			records++
			return records < 8000
		})
		r.door.checker = certify.NewChecker(fixture.Walk(90, model.L1, true))
		r.run()
		if last.Status == solve.Running || last.Certificate != nil || !math.IsInf(last.LowerBound, -1) || last.ProvedInfeasible {
			t.Errorf("%s: %v, bound %v after %d boxes", name, last.Status, last.LowerBound, last.Nodes)
		}
		if !strings.Contains(last.Note, "did not pass the independent check") {
			t.Errorf("%s: %s", name, last.Note)
		}
	}
}

// A saved search that says more than its proof shows is begun anew.
func TestASavedSearchThatIsWrongIsBegunAnew(t *testing.T) {
	for name, more := range map[string]func(*bound.State){
		"its bound":     func(st *bound.State) { st.LowerBound *= 1.5; st.Proof.Target = st.LowerBound },
		"infeasibility": func(st *bound.State) { st.Infeasible, st.Proof.Target = true, math.Inf(1) },
		"an empty tree": func(st *bound.State) {
			st.LowerBound *= 1.5
			st.Proof = &proof.Claim{Target: st.LowerBound, Nodes: []proof.Node{{Pair: -1}}}
		},
	} {
		m := fixture.Problem(t, "rect_l1").Standard()
		ev, err := evaluate.New(m)
		if err != nil {
			t.Fatal(err)
		}
		s := Method.Defaults()
		s.Gap, s.Starts = 0.0045, 1
		var kept solve.Progress
		for p := range Method.Run(ev, s) {
			if kept = p; !math.IsInf(p.LowerBound, -1) && p.Certificate.Boxes() > 0 {
				kept.Best.Policy = append([]float64(nil), p.Best.Policy...)
				break
			}
		}
		memory := kept.Memory()
		st, err := bound.ReadState(memory[1:])
		if err != nil {
			t.Fatal(err)
		}
		more(&st)
		s.Resume, s.Memory = &kept, append([]byte{memory[0]}, st.Bytes()...)
		var p solve.Progress
		for p = range Method.Run(ev, s) {
		}
		if gap := p.Best.Objective - p.LowerBound; p.Status != solve.Bounded && p.Status != solve.ProvedOptimal || !(gap >= 0 && gap <= 0.00451*p.Best.Objective) {
			t.Errorf("%s: %v, [%v, %v]: %s", name, p.Status, p.LowerBound, p.Best.Objective, p.Note)
		}
	}
}
