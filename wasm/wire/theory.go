package wire

import (
	"math"

	"rcmdplab/core/jsontext"
	"rcmdplab/core/solve"
)

// theory answers what theorem:policy grad convergence and
// corollary:DLPG-epigraph ask for on a problem: part 0 is the document, part 1
// {"epsilon": accuracy in units of J}. A number beyond the range of doubles is
// null.
func (s *Session) theory(parts [][]byte) []byte {
	m, _ := problem(part(parts, 0))
	var epsilon float64
	if read(part(parts, 1), jsontext.Fields{"epsilon": &epsilon}) != nil || !(epsilon > 0) || math.IsInf(epsilon, 1) {
		refuse(InvalidOption, "epsilon: want a positive number, the accuracy in units of the return")
	}
	r := solve.Theory(m, epsilon)
	t := value().open('{')
	for _, f := range []struct {
		name string
		x    float64
	}{
		{"epsilon", r.Epsilon}, {"horizon", r.H}, {"mismatch", r.Mismatch},
		{"lipschitz", r.Lipschitz}, {"smoothness", r.Smoothness}, {"c", r.C}, {"cAlpha", r.CAlpha}, {"cT", r.CT},
		{"gradientError", r.GradientError}, {"returnError", r.ReturnError},
		{"stepSize", r.StepSize}, {"innerIterations", r.InnerIterations},
		{"outerIterations", r.OuterIterations}, {"printedOuterIterations", r.PrintedOuterIterations}, {"evaluations", r.Evaluations},
	} {
		t.key(f.name).num(f.x)
	}
	t.key("mismatchBound").bool(r.MismatchBound)
	t.key("corollary").open('{').key("stepSize").num(r.CorollaryStepSize).key("innerIterations").num(r.CorollaryInnerIterations).close('}')
	return t.close('}').done()
}
