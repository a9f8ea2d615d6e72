//go:build !js

package bound

import (
	"math"
	"testing"
)

// What is said to be left is of the size of what is left: within a factor of 16
// once the tree has some boxes, and within one of 2 in the mean.
func TestRestIsOfTheSizeOfWhatIsLeft(t *testing.T) {
	m, best := problem(t, "random8")
	s, err := New(m, Settings{Gap: 0.01})
	if err != nil {
		t.Fatal(err)
	}
	s.Incumbent(best, 0, true)
	var said []Progress
	var last Progress
	for last = range s.Run() {
		if last.Rest > 0 && (len(said) == 0 || said[len(said)-1].Nodes != last.Nodes) {
			said = append(said, last)
		}
	}
	sum, n := 0.0, 0.0
	for _, p := range said {
		left := float64(last.Nodes - p.Nodes)
		if p.Nodes < 20 || left < 4 {
			continue
		}
		off := math.Log(p.Rest / left)
		if sum, n = sum+off, n+1; !(math.Abs(off) <= math.Log(16)) {
			t.Errorf("after %d boxes about %.0f are said to be left; %.0f are", p.Nodes, p.Rest, left)
		}
	}
	if n < 8 || !(math.Abs(sum/n) <= math.Log(2)) {
		t.Errorf("%v times told, by a factor of %.2f in the mean", n, math.Exp(sum/n))
	}
	t.Logf("%d boxes; told %v times, by a factor of %.2f in the mean", last.Nodes, n, math.Exp(sum/n))
}
