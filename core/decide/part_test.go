package decide

import (
	"slices"
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
	}{{"a_seed4", 0.006}, {"a_seed2", 0.03}} {
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
		if handed == 0 {
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

// A run that has proved its limits impossible ends soon, whoever asks it for boxes and never gives one back.
func TestImpossibleLimitsWaitForNobody(t *testing.T) {
	for name, bound := range map[string]float64{"machine_repair": -.1, "machine_repair_l1": -1, "a_seed2": -1} {
		p := fixture.Problem(t, name)
		for n := range p.Constraints {
			p.Constraints[n].Bound = bound
		}
		ev, err := evaluate.New(p.Standard())
		if err != nil {
			t.Fatal(err)
		}
		records := 0
		var last solve.Progress
		for last = range Method.Run(ev, Method.Defaults()) {
			if records++; records > 20_000 {
				t.Errorf("%s: after %d boxes it waits for those handed out", name, last.Nodes)
				break
			}
			if last.Share != nil {
				last.Share.Split()
			}
		}
		if records <= 20_000 && last.Status != solve.ProvedInfeasible {
			t.Errorf("%s: status %v: %s", name, last.Status, last.Note)
		}
	}
}

// Parts, and what is said to have become of them, come from other machines. Whatever bytes
// they are, they are refused or worked on without a crash, and the run that takes them in claims what holds.
func FuzzPartsTravel(f *testing.F) {
	problem := fixture.Problem(f, "a_seed4")
	ev, err := evaluate.New(problem.Standard())
	if err != nil {
		f.Fatal(err)
	}
	s := Method.Defaults()
	s.Gap, s.Starts = 0, 1
	var part, memory []byte
	var kept solve.Progress
	for p := range Method.Run(ev, s) {
		if p.Share == nil {
			continue
		}
		if b, ok := p.Share.Split(); ok {
			part, memory, kept = b, p.Memory(), p
			kept.Best.Policy = append([]float64(nil), p.Best.Policy...)
			break
		}
	}
	if part == nil {
		f.Fatal("nothing was handed out")
	}
	var done solve.Progress
	for done = range Part(part, true, nil).Run(ev, solve.Settings{}) {
	}
	result := done.Memory()
	for _, b := range [][]byte{part, result} {
		f.Add(b, 0, byte(0))
		f.Add(b[:len(b)/2], 0, byte(0))
		for k := range 5 {
			f.Add(b, k*len(b)/5, byte(1<<(k%8)))
		}
	}
	f.Add([]byte{tagPart}, 0, byte(0))
	f.Add([]byte{tagResult, 255, 255, 255, 255}, 1, byte(0))
	f.Fuzz(func(t *testing.T, b []byte, at int, change byte) {
		if b = slices.Clone(b); len(b) > 0 {
			b[uint(at)%uint(len(b))] ^= change
		}
		records := 0
		for p := range Part(b, true, nil).Run(ev, solve.Settings{}) {
			if p.Status == solve.Failed && p.Note == "" {
				t.Error("refused without a word")
			}
			if records++; records > 8 {
				break
			}
		}
		again := s
		again.Resume, again.Memory, again.Results = &kept, memory, [][]byte{b}
		records = 0
		for p := range Method.Run(ev, again) {
			if p.LowerBound > kept.Best.Objective*(1+1e-9) || p.ProvedInfeasible {
				t.Fatalf("a bound of %v, and a policy has %v", p.LowerBound, kept.Best.Objective)
			}
			if records++; records > 8 {
				break
			}
		}
	})
}
