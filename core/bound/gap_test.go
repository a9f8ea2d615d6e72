package bound

import (
	"flag"
	"fmt"
	"math"
	"strings"
	"testing"

	"rcmdplab/core/internal/fixture"
)

var (
	gapSeconds = flag.Float64("gap.seconds", 0, "print certified gaps after this many seconds on every instance of -gap.names")
	gapNames   = flag.String("gap.names", "random0,random1,random4,random7", "instances")
	gapVerbose = flag.Bool("gap.verbose", false, "print every target")
	gapTarget  = flag.Float64("gap.target", 0, "try one target only: this share of the best value below it")
)

// TestGap is a measurement, run on demand: go test -run Gap -gap.seconds 60
// prints certified gaps after 10 and 60 seconds of processor time.
func TestGap(t *testing.T) {
	if *gapSeconds == 0 {
		t.Skip("a measurement: give -gap.seconds")
	}
	for _, name := range strings.Split(*gapNames, ",") {
		m, best := problem(t, name)
		if *gapTarget > 0 {
			d := newData(m, m.Kernels, nil)
			target := best * (1 - *gapTarget)
			tr := d.newTree(d.limits(target, 0), false)
			start := fixture.CPU()
			for len(tr.stack) > 0 && (fixture.CPU()-start).Seconds() < *gapSeconds {
				tr.step()
			}
			fmt.Printf("%s target %.3f%% open %d nodes %d steps %d %v %.2fs\n", name, 100**gapTarget, len(tr.stack), tr.done, tr.steps, *tr.log, (fixture.CPU() - start).Seconds())
			continue
		}
		s, err := New(m, Settings{})
		if err != nil {
			t.Fatal(err)
		}
		s.Incumbent(best, 0, true)
		start, last, printed := fixture.CPU(), math.Inf(-1), 0.0
		for p := range s.Run() {
			sec := (fixture.CPU() - start).Seconds()
			if p.LowerBound != last && (*gapVerbose || sec > *gapSeconds) {
				fmt.Printf("  %6.2fs %.3f%% nodes %d steps %d\n", sec, 100*(best-p.LowerBound)/best, p.Nodes, p.Steps)
			}
			for _, mark := range []float64{10, 60} {
				if printed < mark && sec >= mark {
					printed = mark
					fmt.Printf("%s %.0fs gap %.3f%% nodes %d steps %d target %.3f%% open %d\n", name, mark, 100*(best-p.LowerBound)/best, p.Nodes, p.Steps, 100*(best-p.Target)/best, p.OpenNodes)
				}
			}
			last = p.LowerBound
			if sec >= *gapSeconds || (best-p.LowerBound) < 1e-3*best {
				fmt.Printf("%s %.1fs gap %.3f%% nodes %d steps %d\n", name, sec, 100*(best-p.LowerBound)/best, p.Nodes, p.Steps)
				break
			}
		}
	}
}
