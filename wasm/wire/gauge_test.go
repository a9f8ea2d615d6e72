package wire

import (
	"math"
	"strings"
	"testing"
)

// TestTheGaugeTellsWhatShareOfAProcessorThereWas: pieces that take 0.2 ms by themselves, by
// clocks of several grains, while others take the processor for a while now and then.
func TestTheGaugeTellsWhatShareOfAProcessorThereWas(t *testing.T) {
	for _, grain := range []float64{1e-6, 1e-4} {
		for _, share := range []float64{1, 0.8, 0.3, 0.1} {
			g := gauge{inside: 30}
			now := 0.0
			read := func() float64 { return math.Floor(now/grain) * grain }
			for i := range 450 {
				now += 0.0157 // the steps between
				from := read()
				if now += 0.0002; share < 1 && i%16 == 7 && i > 40 { // away for as long as it takes to have this share of the pieces' time
					now += 16 * 0.0002 * (1/share - 1)
				}
				g.piece(read() - from)
			}
			if had := g.had() / 30; !(math.Abs(had-share) <= 0.25*share) {
				t.Errorf("grain %v: %v of a processor, want %v", grain, had, share)
			}
		}
	}
	if g := (gauge{inside: 3, n: gaugeGroup, total: 9, least: 1}); g.had() != 3 {
		t.Error("something is said of too little")
	}
}

// TestARunThatEndsByItsLimitSaysThatItSeldomHadAProcessor: of a clock that goes on between
// steps, as it does for a page out of sight.
func TestARunThatEndsByItsLimitSaysThatItSeldomHadAProcessor(t *testing.T) {
	for _, away := range []float64{0, 0.09} {
		var s Session
		if _, err := answer(t, s.Call("begin", []byte(`{"algorithm":"epirc-pgs","timeLimit":0.1}`), document(t, "a_seed0")), nil); err != nil {
			t.Fatal(err)
		}
		now := 0.0
		var reply []byte
		for range 100_000 {
			now += away
			if reply = s.Step(func() float64 { now += 1e-4; return now }, 0.01, false); !s.Running() {
				break
			}
		}
		var v struct{ Result result }
		if _, err := answer(t, reply, &v); err != nil {
			t.Fatal(err)
		}
		ended := strings.Join(v.Result.Warnings, " ")
		if !strings.Contains(ended, "Ended by the time limit of 0.1 s") || strings.Contains(ended, "had a processor for about") != (away > 0) {
			t.Errorf("away for %v between steps: %s", away, ended)
		}
	}
}
