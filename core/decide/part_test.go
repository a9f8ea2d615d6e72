package decide

import (
	"testing"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/solve"
)

// A run that hands out every box it can, each closed by another search, ends
// with a certificate that the checker accepts, like a run of one worker.
func TestSharedProof(t *testing.T) {
	for _, tc := range []struct {
		name string
		gap  float64
	}{{"a_seed4", 0.006}, {"a_seed2", 0.025}, {"rect_l1", 0.0045}} {
		name := tc.name
		m := fixture.Problem(t, name).Standard()
		ev, err := evaluate.New(m)
		if err != nil {
			t.Fatal(err)
		}
		helper, _ := evaluate.New(m)
		s := Method.Defaults()
		s.Gap, s.Starts = tc.gap, 1 // nothing is handed out while policies are sought
		handed := 0
		var kept Kept
		var p solve.Progress
		for p = range Method.Run(ev, s) {
			if p.Share == nil || p.Status != solve.Running {
				continue
			}
			part, ok := p.Share.Split()
			if !ok {
				continue
			}
			handed++
			var last solve.Progress
			for last = range Part(part, true, &kept).Run(helper, solve.Settings{}) {
			}
			if last.Status == solve.Failed || last.Memory == nil {
				t.Fatalf("%s: part failed: %s", name, last.Note)
			}
			if !p.Share.Join(last.Memory()) {
				t.Errorf("%s: the result of a part was refused", name)
			}
		}
		if p.Status != solve.Bounded && p.Status != solve.ProvedOptimal || p.Certificate == nil {
			t.Errorf("%s: status %v after %d parts: %s", name, p.Status, handed, p.Note)
		}
		if gap := (p.Best.Objective - p.LowerBound) / p.Best.Objective; !(gap <= s.Gap*1.001) {
			t.Errorf("%s: gap %v after %d parts", name, gap, handed)
		}
		if handed == 0 && m.Kernels != nil { // the other may be closed at the root
			t.Errorf("%s: nothing was handed out", name)
		}
		t.Logf("%s: %d parts, %d boxes, %v", name, handed, p.Nodes, p.Status)
	}
}

// A stopped part comes back unfinished and is worked on at home.
func TestStoppedPartComesBack(t *testing.T) {
	m := fixture.Problem(t, "a_seed4").Standard()
	ev, _ := evaluate.New(m)
	helper, _ := evaluate.New(m)
	s := Method.Defaults()
	s.Gap, s.Starts = 0.006, 1
	stopped := 0
	var p solve.Progress
	for p = range Method.Run(ev, s) {
		if p.Share == nil || p.Status != solve.Running || stopped >= 3 {
			continue
		}
		part, ok := p.Share.Split()
		if !ok {
			continue
		}
		stopped++
		stop := true
		var last solve.Progress
		for last = range Part(part, true, nil).Run(helper, solve.Settings{Stop: &stop}) {
		}
		back := last.Memory()
		if stopped == 2 {
			back = part // a worker was lost: the part itself comes back
		}
		if !p.Share.Join(back) {
			t.Error("an unfinished part was refused")
		}
	}
	if stopped == 0 || p.Status != solve.Bounded || p.Certificate == nil {
		t.Errorf("status %v after %d stopped parts: %s", p.Status, stopped, p.Note)
	}
}

func TestPartRefusesDamage(t *testing.T) {
	ev, _ := evaluate.New(fixture.Problem(t, "a_seed4").Standard())
	for _, b := range [][]byte{nil, {1, 0, 0, 0}, {255, 255, 255, 255, 1}, {1, 0, 0, 0, 1, 2, 3}} {
		for p := range Part(b, true, nil).Run(ev, solve.Settings{}) {
			if p.Status != solve.Failed || p.Note == "" {
				t.Errorf("%v: status %v", b, p.Status)
			}
		}
	}
}
