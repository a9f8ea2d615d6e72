package certify

import "fmt"

// replay reads the proof of a certificate.
type replay struct {
	*relaxation
	pace
	bound int // inequalities recomputed
	depth int // deepest box
}

// fault is what is wrong with a proof, and where.
type fault struct {
	node, step int    // step -1: the node as a whole
	what       string // a clause that goes on from the place
}

// Error says it for a person.
func (f *fault) Error() string {
	if f.step < 0 {
		return fmt.Sprintf("box %d: %s", f.node, f.what)
	}
	return fmt.Sprintf("box %d, step %d: %s", f.node, f.step, f.what)
}
