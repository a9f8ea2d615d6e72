package wire

import (
	"rcmdplab/core/proof"
	"rcmdplab/core/vipr"
)

// vipr writes a proof by values for other checkers: part 0 is the problem, part 1 the certificate. A proof that
// the format cannot hold is refused with the reason.
func (s *Session) vipr(parts [][]byte) ([]byte, error) {
	m, _, err := problem(part(parts, 0))
	if err != nil {
		return nil, err
	}
	c, err := proof.Decode(part(parts, 1))
	if err != nil {
		return nil, refuse(InvalidOption, err.Error())
	}
	text, _, err := vipr.Write(m.Problem, &c)
	if err != nil {
		return nil, refuse(Unsupported, "VIPR cannot hold this proof: "+err.Error())
	}
	return value().str(string(text)).done(), nil
}
