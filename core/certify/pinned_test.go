package certify

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/model"
)

// A policy's returns keep their digits whatever the set, the common part of the
// costs, the horizon and the radius. Where there is nothing to choose for nature,
// or a polytope to choose from, they are exact but for the last step of rounding;
// so they are of a policy that costs the same at every step, which rounding alone
// tells nature's answers apart for.
func TestReturnsKeepTheirDigits(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 8))
	for _, kind := range []model.Kind{model.L1, model.TV, model.LInf, model.Contamination, model.L2, model.KL, model.Chi2, model.KLRegularized} {
		curved := !shapeOf(kind).polytope()
		for k := range 48 {
			gamma, offset, size, alike := []float64{0.9, 0.999, 0.999999}[k%3], []float64{0, 1e6}[k/3%2], k/6%4, k < 24
			p := manyDigits(t, rng, kind, gamma, offset, size, alike)
			pi := randomPolicy(rng, p.Layout)
			if alike {
				pi = p.Standard().Deterministic([]int{0, 2, 4, 6})
			}
			e, err := Evaluate(p, pi)
			if err != nil {
				t.Fatal(err)
			}
			r := e.Returns[0]
			width := (r.Hi - r.Lo) * (1 - gamma) // a step
			if r.Hi <= math.Nextafter(math.Nextafter(r.Lo, r.Hi), r.Hi) {
				width = 0
			}
			only := size == 0 && kind != model.KLRegularized
			if most := 1e-12; width > most || width > 0 && (alike || only || !curved) {
				t.Errorf("%s, γ = %v, costs about %v, size %d, alike %v: between %v and %v", kind, gamma, offset, size, alike, r.Lo, r.Hi)
			}
		}
	}
}

// manyDigits is a random problem of four states and two actions, the first of which costs
// the same everywhere if alike; size numbers the radii. Its limit, which no policy
// meets, makes the checker want all digits.
func manyDigits(t *testing.T, rng *rand.Rand, kind model.Kind, gamma, offset float64, size int, alike bool) *model.Problem {
	t.Helper()
	var rows, costs []string
	for s := range 4 {
		for a := range 2 {
			p, to := float64(rng.IntN(9))/8, [4]float64{}
			to[rng.IntN(4)] += p
			to[(s+1)%4] += 1 - p
			rows = append(rows, fmt.Sprintf("[%v,%v,%v,%v]", to[0], to[1], to[2], to[3]))
			cost := offset + float64(rng.IntN(5))
			if a == 0 && alike {
				cost = offset + 1
			}
			costs = append(costs, fmt.Sprint(cost))
		}
	}
	pairs := func(all []string) string {
		var out []string
		for s := range 4 {
			out = append(out, "["+all[2*s]+","+all[2*s+1]+"]")
		}
		return "[" + strings.Join(out, ",") + "]"
	}
	far := fmt.Sprintf(`"radius":%v`, []float64{0, 1e-6, 0.2, 1}[size])
	if kind == model.KLRegularized {
		far = fmt.Sprintf(`"temperature":%v`, []float64{1e-3, 1, 1e3, 1e8}[size])
	}
	return fixture.Decode(t, fmt.Sprintf(`{"format":"rcmdp/1","name":"digits","states":["w","x","y","z"],"actions":["a","b"],"discount":%v,
		"initial":[1,0,0,0],"objective":{"name":"c","values":%s},"constraints":[{"name":"impossible","values":[[0,0],[0,0],[0,0],[0,0]],"atMost":-1}],
		"uncertainty":{"kind":%q,"nominal":%s,%s}}`, gamma, pairs(costs), kind, pairs(rows), far))
}
