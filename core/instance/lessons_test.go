package instance

import (
	"math"
	"slices"
	"testing"

	"rcmdplab/core/model"
)

// At the mouth the swimmer swims while only moves seen before may happen, and
// floats once a jump to anywhere may.
func TestRiverSwimTurnsWithTheSupport(t *testing.T) {
	var value, swims [2]float64
	for support := range 2 {
		p := riverSwim.Make(map[string]float64{"support": float64(support)})
		pi := best(t, p, 0)
		swims[support], value[support] = pi[p.Layout.Pair(0, 1)], returns(t, p, pi)[0]
		stubborn := slices.Clone(pi) // the other choice at the mouth is worse there
		i := p.Layout.Pair(0, 0)
		stubborn[i], stubborn[i+1] = pi[i+1], pi[i]
		p.Initial = []float64{1, 0, 0, 0, 0, 0}
		if mine, other := returns(t, p, pi)[0], returns(t, p, stubborn)[0]; !(mine > other*1.001) {
			t.Errorf("support %d: %v at the mouth, %v with the other choice", support, mine, other)
		}
	}
	if swims != [2]float64{1, 0} {
		t.Errorf("swims at the mouth with probability %v, want 1 and then 0", swims)
	}
	if !(value[1] < 0.75*value[0]) {
		t.Errorf("rewards %v: what nature may do should cost more than a quarter", value)
	}
}

// Twenty-seven kernels, all different, whose worst is the slowest network with
// the fastest playback.
func TestStreamingFearsTheSlowestNetwork(t *testing.T) {
	p := streaming.Make(nil)
	if n := len(p.Uncertainty.Kernels); n != 27 {
		t.Fatalf("%d kernels", n)
	}
	seen := map[string]bool{}
	pi := p.Layout.Uniform()
	worst, at := math.Inf(-1), ""
	for _, k := range p.Uncertainty.Kernels {
		q, nameless := *p, *k
		nameless.Name = ""
		q.Uncertainty.Kernels = []*model.Kernel{&nameless}
		seen[q.Hash()] = true
		if j := returns(t, &q, pi)[0]; j > worst {
			worst, at = j, k.Name
		}
	}
	if len(seen) != 27 || at != "fast low, slow low, playback high" {
		t.Errorf("%d kernels differ; the worst is %q", len(seen), at)
	}
	if all := returns(t, p, pi)[0]; all != worst {
		t.Errorf("worst case %v, of one kernel %v", all, worst)
	}
}

// The models of the clinic disagree by more than a year on what a plan is worth.
func TestClinicModelsDisagree(t *testing.T) {
	p := clinic.Make(nil)
	least, most := math.Inf(1), math.Inf(-1)
	for _, k := range p.Uncertainty.Kernels {
		q := *p
		q.Uncertainty.Kernels = []*model.Kernel{k}
		j := returns(t, &q, p.Layout.Uniform())[0]
		least, most = math.Min(least, j), math.Max(most, j)
	}
	if most-least < 1 {
		t.Errorf("healthy years from %v to %v", least, most)
	}
}

// The two limits of the queue pull apart: what is best for one breaks the other,
// and the shortest queue breaks both.
func TestQueueLimitsPullApart(t *testing.T) {
	p := queue.Make(nil)
	kept := func(n int) [2]bool {
		j := returns(t, p, best(t, p, n))
		return [2]bool{j[1] <= p.Constraints[0].Bound, j[2] <= p.Constraints[1].Bound}
	}
	if got := [2][2]bool{kept(0), kept(1)}; got != [2][2]bool{{false, false}, {true, false}} {
		t.Errorf("limits kept by the best for the queue, for serving: %v", got)
	}
	if j := returns(t, p, best(t, p, 2)); !(j[0] > 2*returns(t, p, best(t, p, 1))[0]) {
		t.Errorf("refusing nobody gives %v: the queue should be long", j)
	}
}

// Fewer days counted make the set wider and the least loss of customers larger.
func TestLeadTimeLearnsFromDays(t *testing.T) {
	before := math.Inf(1)
	for _, days := range []float64{50, 400, 10000} {
		p := leadTime.Make(map[string]float64{"days": days})
		want := math.Sqrt(2 * math.Log(14/0.05) / days)
		if r := p.Uncertainty.Radius[0]; !(math.Abs(r-want) <= 1e-6) {
			t.Errorf("%v days: radius %v, want %v", days, r, want)
		}
		lost := returns(t, p, best(t, p, 1))[1]
		if !(lost < before) {
			t.Errorf("%v days: %v lost, with fewer days %v", days, lost, before)
		}
		before = lost
	}
}

// Each season's promise can be kept alone; together they cannot: a share x of
// the time in the north has 0.6(1-x) <= b in summer and 0.6x <= b in winter, so
// b >= 0.3 but for the first call.
func TestAmbulanceCannotKeepBoth(t *testing.T) {
	p := ambulance.Make(nil)
	for i, k := range p.Uncertainty.Kernels {
		q := *p
		q.Uncertainty.Kernels = []*model.Kernel{k}
		least := math.Inf(1)
		for leave := range 101 { // from the town with fewer calls one always leaves
			pi := p.Layout.Uniform()
			busy, other := p.Layout.Pair(3*i, 0), p.Layout.Pair(3-3*i, 0)
			pi[busy], pi[busy+1] = 1-float64(leave)/100, float64(leave)/100
			pi[other], pi[other+1] = 0, 1
			least = math.Min(least, violation(t, &q, pi))
		}
		if !(least < 0) {
			t.Errorf("%s alone: violation %v", k.Name, least)
		}
	}
	for in := range 21 {
		for out := range 21 {
			pi := p.Layout.Uniform()
			for town, leave := range []float64{float64(in) / 20, float64(out) / 20} {
				i := p.Layout.Pair(3*town, 0)
				pi[i], pi[i+1] = 1-leave, leave
			}
			if v := violation(t, p, pi); !(v > 0.05) {
				t.Fatalf("leaving with %d, %d of 20: violation %v", in, out, v)
			}
		}
	}
}

// The plain is written down as entries, in a few tens of kilobytes.
func TestPlainIsSparse(t *testing.T) {
	p := plain.Make(nil)
	k := p.Uncertainty.Nominal
	if len(p.States) != 400 || !k.Sparse || len(k.Next) > 2*p.Layout.Pairs() {
		t.Errorf("%d states, %d entries for %d pairs", len(p.States), len(k.Next), p.Layout.Pairs())
	}
	if n := len(p.Encode()); n > 70_000 {
		t.Errorf("the document has %d bytes", n)
	}
}
