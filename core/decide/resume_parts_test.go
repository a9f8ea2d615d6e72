package decide

import (
	"os"
	"testing"

	"rcmdplab/core/certify"
	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
	"rcmdplab/core/solve"
)

// Parts handed out, worked on elsewhere while the run was saved and left, and
// joined to the run that continues it: each is of use once, whatever the run has
// done meanwhile is kept, and the certificate is accepted.
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
	s.Gap, s.Starts = 0.01, 4
	var parts [][]byte
	var kept solve.Progress
	for p := range Method.Run(ev, s) {
		if p.Share == nil || p.Nodes < 4 {
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
	for _, part := range parts {
		var last solve.Progress
		for last = range Part(part, false).Run(helper, solve.Settings{}) {
		}
		results = append(results, last.Memory())
	}
	s.Resume = &kept
	joined := 0
	var p solve.Progress
	for p = range Method.Run(ev, s) {
		if p.Share == nil || p.Status != solve.Running || p.Nodes == kept.Nodes && joined == 0 {
			continue // it works on something of its own first
		}
		for i, r := range results {
			if r != nil && p.Share.Join(r) {
				joined++
				if results[i] = nil; p.Share.Join(r) {
					t.Error("a part was taken twice")
				}
			}
		}
	}
	if joined != 2 {
		t.Errorf("%d of 2 parts were joined", joined)
	}
	cert, ok := p.Certificate.(certify.Certificate)
	if p.Status != solve.Bounded || !ok || !certify.Check(doc, cert, nil).OK || !(p.Best.Objective-p.LowerBound <= 0.01*p.Best.Objective) {
		t.Errorf("%v, [%v, %v]: %s", p.Status, p.LowerBound, p.Best.Objective, p.Note)
	}
}
