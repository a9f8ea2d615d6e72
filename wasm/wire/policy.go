package wire

import (
	"strings"

	"rcmdplab/core/jsontext"
	"rcmdplab/core/model"
)

// givenPolicy is readPolicy for a policy that a call stands on: with faults it
// is refused.
func givenPolicy(raw []byte, m *model.Standard) []float64 {
	pi, faults := readPolicy(raw, m)
	refuseAll(InvalidOption, faults)
	return pi
}

// problemAndPolicy reads what a call about a policy begins with: part 0 is the
// problem, part 1 the policy.
func problemAndPolicy(parts [][]byte) (*model.Standard, []float64) {
	m, _ := problem(part(parts, 0))
	return m, givenPolicy(part(parts, 1), m)
}

// readPolicy reads a policy, as a document rcmdp-policy/1 or as S rows of A
// probabilities in the problem's own order, with a horizon a list of these for each decision, into the layout's order. The
// pointers of the faults are into what was given.
func readPolicy(raw []byte, m *model.Standard) ([]float64, model.Faults) {
	if v, err := jsontext.Parse(raw); err != nil || v.Kind() != '[' {
		return model.DecodePolicy(raw, m.Problem)
	}
	t := new(text)
	t.open('{').key("format").str("rcmdp-policy/1").key("states").strs(m.Problem.Document().States)
	t.key("actions").strs(m.Problem.Actions).key("probabilities").raw(string(raw)).close('}')
	pi, faults := model.DecodePolicy(t.b, m.Problem)
	for i := range faults {
		faults[i].Pointer = strings.TrimPrefix(faults[i].Pointer, "/probabilities")
	}
	return pi, faults
}
