package bound

import "testing"

// A target is lowered when what is left of its tree, by the share closed since it was last
// lowered, is expected to take more than patient times all steps so far; the largest open
// box is next then.
func TestTargetIsLoweredByWhatIsLeft(t *testing.T) {
	m, best := problem(t, "random0")
	s, err := New(m, Settings{Ladder: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Incumbent(best, 0, true)
	s.Proved(best / 2)
	l := s.provers[1].(*ladder)
	l.aim()
	for _, c := range []struct {
		depths        []int
		steps, before int64
		lowered       bool
	}{
		{[]int{1}, 100_000, 0, false},             // half is closed: as much again
		{[]int{1, 2, 3}, 100_000, 0, true},        // an eighth: 7 times as much
		{[]int{1, 2, 3}, 100_000, 300_000, false}, // of what took thrice as long before
		{[]int{1, 2, 3, 3}, 100_000, 0, true},     // nothing, the box in hand would be an eighth
		{[]int{1, 1}, 20_000, 0, false},           // half, as soon as it is closed
		{[]int{1, 2, 3, 4, 4}, 3_000, 0, false},   // next to nothing was done
		{nil, 1e9, 0, false},                      // nothing is left
	} {
		l.steps, l.tree.steps, l.tree.stack = c.before, c.steps, nil
		for _, d := range c.depths {
			l.tree.stack = append(l.tree.stack, openBox{depth: d})
		}
		if got := l.tooLong(); got != c.lowered {
			t.Errorf("boxes at depths %v after %d steps and %d before: lowered %v", c.depths, c.steps, c.before, got)
		}
	}
	l.steps, l.tree.steps = 0, 100_000
	l.tree.stack = []openBox{{depth: 1}, {depth: 2}, {depth: 3}}
	l.ease()
	if got := l.tree.stack; len(got) != 3 || got[0].depth != 2 || got[1].depth != 3 || got[2].depth != 1 {
		t.Errorf("open boxes are %v; want the largest last", got)
	}
	l.tree.steps, l.tree.stack = 110_000, l.tree.stack[:2]
	if l.tooLong() {
		t.Error("what was slow before the target was lowered is held against it")
	}
}
