package wire

import (
	"rcmdplab/core/estimate"
	"rcmdplab/core/jsontext"
)

// promise tells what an estimated set promises when its radii are made smaller: part 0 is the problem, part 1 the
// share of each radius that is left. null where the problem does not say how it was estimated.
func (s *Session) promise(parts [][]byte) []byte {
	m, _ := problem(part(parts, 0))
	v, fault := jsontext.Parse(part(parts, 1))
	share, ok := 0.0, false
	if fault == nil {
		share, ok = v.Number()
	}
	if !ok || !(share >= 0 && share <= 1) {
		refuse(InvalidOption, "share: want a number from 0 to 1")
	}
	p := estimate.PromiseOf(m.Problem, share)
	t := value().open('{').key("source").str(estimate.Shrunk(m.Problem, share))
	t.key("promise").maybe(p != nil, func() {
		t.open('{').key("now").num(p.Now).key("confidence").num(p.Confidence).key("each").num(p.Each).key("vague").int(int64(p.Vague)).close('}')
	})
	return t.close('}').done()
}
