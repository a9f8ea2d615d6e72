package decide

import (
	"os"
	"testing"

	"rcmdplab/core/bound"
	"rcmdplab/core/certify"
	"rcmdplab/core/evaluate"
	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
	"rcmdplab/core/solve"
)

// Parts handed out, worked on elsewhere while the run was saved and left, and
// given to the run that continues it, one closed and one left in the middle: each
// is of use once, and the certificate is accepted.
func TestPartsJoinAfterResume(t *testing.T) {
	text, err := os.ReadFile("../bound/testdata/random4.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, faults, _ := model.Decode(text)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	ev, _ := evaluate.New(doc.Standard())
	helper, _ := evaluate.New(doc.Standard())
	s := Method.Defaults()
	s.Gap, s.Starts = 0.012, 1
	var parts [][]byte
	var kept solve.Progress
	for p := range Method.Run(ev, s) {
		if p.Share == nil || p.Nodes < 4 || p.Open < 3 {
			continue
		}
		for len(parts) < 2 {
			part, ok := p.Share.Split()
			if !ok {
				break
			}
			parts = append(parts, part)
		}
		if len(parts) == 2 {
			kept = p
			kept.Best.Policy = append([]float64(nil), p.Best.Policy...)
			s.Memory = p.Memory()
			break
		}
	}
	if len(parts) < 2 {
		t.Fatal("too little was handed out")
	}
	var results [][]byte
	for i, part := range parts {
		var last solve.Progress
		stop := false
		for last = range Part(part, false, nil).Run(helper, solve.Settings{Stop: &stop}) {
			stop = i == 0 && last.Nodes >= 2
		}
		results = append(results, last.Memory())
	}
	if x, err := bound.ReadPartResult(results[0][1:]); err != nil || x.Closed || x.Boxes < 2 {
		t.Fatalf("the first part is not left in the middle: %+v, %v", x, err)
	}
	// One twice, one cut short, and a part that was never worked on, are of no use.
	s.Resume, s.Results = &kept, append(results, results[1], results[0][:len(results[0])/2], parts[0], nil)
	var p solve.Progress
	for p = range Method.Run(ev, s) {
	}
	if p.Joined != 2 {
		t.Errorf("%d of 2 parts were joined", p.Joined)
	}
	cert, ok := p.Certificate, p.Certificate != nil
	if p.Status != solve.Bounded || !ok || !certify.Check(doc, *cert, nil).OK || !(p.Best.Objective-p.LowerBound <= s.Gap*p.Best.Objective) {
		t.Errorf("%v, [%v, %v]: %s", p.Status, p.LowerBound, p.Best.Objective, p.Note)
	}
}

// What is saved of proofs comes back as it was, and damaged bytes do no harm.
func FuzzProofsAreRecalled(f *testing.F) {
	saved := proofsOf(&proof.Claim{Target: 1, Values: &proof.Values{Prices: []float64{1}, V: []float64{1, 2}}}, &proof.Claim{Target: 2, Nodes: []proof.Node{{Pair: -1}}})
	f.Add([]byte{})
	f.Add(saved)
	f.Add(saved[:len(saved)-1])
	f.Fuzz(func(t *testing.T, b []byte) {
		d := new(door)
		d.recall(b)
		again := new(door)
		again.recall(d.proofs())
		if len(again.unheard) != len(d.unheard) {
			t.Errorf("%d proofs, then %d", len(d.unheard), len(again.unheard))
		}
	})
}

func proofsOf(list ...*proof.Claim) []byte {
	return (&door{unheard: list}).proofs()
}

// A proof that takes longer to judge than anybody waits is not claimed, and not lost.
func TestWhatIsNotHeardIsKept(t *testing.T) {
	p := fixture.Problem(t, "fig1_conflict_feasible")
	first, ev := opened(t, p)
	newDual(first).prove(ev, nil, nil, always)
	if first.lower == nil {
		t.Fatal("nothing is proved")
	}
	want, saved := first.bound(), first.proofs()
	never := func() func() bool { return func() bool { return false } }
	for range 3 { // resumed and left at once, again and again
		d, _ := opened(t, p)
		d.recall(saved)
		if d.hear(never); d.lower != nil {
			t.Fatalf("a bound of %v is claimed, and nobody had judged it", d.bound())
		}
		saved = d.proofs()
	}
	d, _ := opened(t, p)
	d.recall(saved)
	if d.hear(func() func() bool { return always }); !(d.bound() >= want) {
		t.Errorf("bound %v, it was %v", d.bound(), want)
	}
}
