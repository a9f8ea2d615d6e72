package experiment

import "rcmdplab/core/model"

// Setting is a family of problems by seed.
type Setting struct {
	ID, Title string
	Make      func(seed uint64) *model.Problem
}
