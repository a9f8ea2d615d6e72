package bound

import (
	"os"
	"testing"

	"rcmdplab/core/model"
)

// TestRangesOfTwoKernelsMayCross: one kernel's program leaves an occupancy
// range whose ends cross what the other knows; the next program then had a
// column with its lower bound above its upper, and panicked. The box is empty.
func TestRangesOfTwoKernelsMayCross(t *testing.T) {
	text, err := os.ReadFile("testdata/crossed.json")
	if err != nil {
		t.Fatal(err)
	}
	p, faults, _ := model.Decode(text)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	m := p.Standard()
	s, err := New(m, Settings{Ladder: true, Record: true})
	if err != nil {
		t.Fatal(err)
	}
	const value = 280.33142796989677 // of a feasible policy
	s.Incumbent(value, 0, true)
	last := Progress{}
	for last = range s.Run() {
		if last.Nodes > 4 || last.Steps > 10_000 {
			break
		}
	}
	if !(last.LowerBound < value) || s.Certificate() == nil {
		t.Errorf("bound %v, certificate %v", last.LowerBound, s.Certificate() != nil)
	}
	if err := replay(m, s.Certificate()); err != nil {
		t.Error(err)
	}
}
