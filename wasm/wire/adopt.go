package wire

import (
	"errors"
	"fmt"

	"rcmdplab/core/decide"
	"rcmdplab/core/jsontext"
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
)

// asAdopt makes the run one that claims what {"policies": [...], "proofs":
// [...]} of problems like this one show of it, and what is found near the
// policies under "starts"; null stands for nothing.
func (o *options) asAdopt(from []byte, m *model.Standard) {
	var policies, starts [][]float64
	var proofs []proof.Claim
	list := func(into *[][]float64) func(jsontext.Value) error {
		return func(v jsontext.Value) error {
			for i, x := range v.Elements {
				if x.Kind() == 'n' {
					continue
				}
				pi, faults := readPolicy(x, m)
				if len(faults) > 0 {
					return fmt.Errorf("policy %d: %s", i, said(faults))
				}
				*into = append(*into, pi)
			}
			return nil
		}
	}
	refuseOn(InvalidOption, read(from, jsontext.Fields{
		"policies": list(&policies),
		"starts":   list(&starts),
		"proofs": func(v jsontext.Value) error {
			for i, x := range v.Elements {
				if x.Kind() == 'n' {
					continue
				}
				c, err := proof.Decode(x)
				var other proof.VersionError
				if errors.As(err, &other) && other.Earlier() {
					continue // what it proved is proved anew
				}
				if err != nil {
					return fmt.Errorf("proof %d: %w", i, err)
				}
				proofs = append(proofs, c)
			}
			return nil
		},
	}))
	o.algorithm.Run = decide.Adopt(policies, starts, proofs).Run
	o.algorithm.Concludes, o.algorithm.Shares, o.algorithm.Resumes = true, false, false
	if len(starts) == 0 {
		o.settings.TimeLimit = 0 // there is no search to end
	}
}
