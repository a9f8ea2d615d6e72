// Package instance makes problems: the gallery of models a person understands
// at a glance, Figure 1's MDP and the generators of the paper's settings.
package instance

import "rcmdplab/core/model"

// Parameter is one number an example can be made with.
type Parameter struct {
	Name, Label       string
	Default, Min, Max float64
	Integer           bool
}

// Example is one entry of the gallery.
type Example struct {
	ID, Title, Description string
	Parameters             []Parameter
	Make                   func(p map[string]float64) *model.Problem
}

// Examples lists the gallery in the order it is shown.
func Examples() []Example { return examples }
