package proof

import (
	"math"
	"slices"

	"rcmdplab/core/jsontext"
)

// Values is a proof by one value function V and prices λ >= 0 of the limits: weak duality,
// under one kernel of a finite set or nature's answers to V in a rectangular one. What
// it proves is said at package certify.
type Values struct {
	Kernel int       // of a finite set; 0 for others
	Prices []float64 // λ_1..λ_N
	V, Low []float64 // by state: V(s) = V[s] + Low[s]; Low may be nil
}

// ByValues is a claim by values, with weights of the costs: w_0 is 1, or 0 when the claim is that
// no policy meets the limits; w and V are copied. Bound is what it leaves for the objective, or for the
// violation, as computed: a proposal, of which a checker says what it proves.
func ByValues(kernel int, weights, v []float64, bound float64) *Claim {
	c := &Claim{Target: bound, Values: &Values{Kernel: kernel, Prices: slices.Clone(weights[1:]), V: slices.Clone(v)}}
	if weights[0] == 0 {
		c.Target = math.Inf(1)
	}
	return c
}

// fewStates is how many states a list of values may have; those of more are a column.
const fewStates = 64

// In the document: "values": {"kernel", "prices", "values", "low", "column"}; values of many states are a column, base64 of float64.
func (w *writer) values(v *Values) error {
	w.text(`,"values":{"kernel":`).number(float64(v.Kernel)).text(`,"prices":`).numbers(v.Prices)
	if len(v.V) > fewStates && len(v.Low) == 0 {
		w.text(`,"column":`).column(v.V)
	} else {
		w.text(`,"values":`).numbers(v.V)
	}
	if len(v.Low) > 0 {
		w.text(`,"low":`).numbers(v.Low)
	}
	w.text("}")
	return nil
}

func (v *Values) read(x jsontext.Value) error {
	var list []float64
	err := x.Decode(jsontext.Fields{"kernel": &v.Kernel, "prices": &v.Prices, "values": &list, "low": &v.Low, "column": column(&v.V)}, unknown)
	if err == nil && list != nil && v.V != nil {
		err = wrong("/values", "the values stand in a column as well; keep one")
	}
	if list != nil {
		v.V = list
	}
	return err
}
