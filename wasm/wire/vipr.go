package wire

import (
	"rcmdplab/core/proof"
	"rcmdplab/core/vipr"
)

// vipr writes a proof by values for other checkers: part 0 is the problem, part 1 the certificate. A proof that
// the format cannot hold is refused with the reason.
func (s *Session) vipr(parts [][]byte) []byte {
	m, _ := problem(part(parts, 0))
	c, err := proof.Decode(part(parts, 1))
	refuseOn(InvalidOption, err)
	text, _, err := vipr.Write(m.Problem, &c)
	if err != nil {
		refuse(Unsupported, "VIPR cannot hold this proof: "+err.Error())
	}
	return value().str(string(text)).done()
}
