package model_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"rcmdplab/core/model"
)

// Rest against fractions: within one unit in the last place of 1 less the
// decimal that a person wrote.
func TestRestIsOneLessTheDecimal(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	all := []float64{0, 0.5, 0.9, 0.99, 0.999999, 0.9999999, 0.999999999999, 1 - 0x1p-53, 1 - 0x1p-40, 1e-5, 1e-18, 1e-19, 1e-300, 5e-324}
	for range 2000 {
		all = append(all, r.Float64(), 1-math.Pow(10, -16*r.Float64()), math.Round(1e6*r.Float64())/1e6)
	}
	for _, gamma := range all {
		if gamma >= 1 {
			continue
		}
		exact, ok := new(big.Rat).SetString(strconv.FormatFloat(gamma, 'e', -1, 64))
		if !ok {
			t.Fatal(gamma)
		}
		want, _ := exact.Sub(big.NewRat(1, 1), exact).Float64()
		if got := model.Rest(gamma); math.Abs(got-want) > 0x1p-52*want {
			t.Errorf("1 - %v: %v, want %v", gamma, got, want)
		}
	}
}

// Costs of later decisions are counted for more in an unrolled problem, as a discount of 1 has to become one below it, but
// over no horizon for more than e times as much.
func TestCostsGrowLittleOverAHorizon(t *testing.T) {
	for _, h := range []int{1, 2, 3, 24, 1000} {
		p := decode(t, strings.Replace(machine, `"discount": 0.95,`, `"discount": 1, "horizon": `+strconv.Itoa(h)+`,`, 1))
		if last := math.Pow(p.Unrolled().Growth(), float64(h)); !(last >= 1.5 && last <= math.E) {
			t.Errorf("%d decisions: the last counts for %v of the first", h, last)
		}
	}
}
