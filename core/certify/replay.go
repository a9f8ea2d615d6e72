package certify

import "fmt"

// replay reads the proof of a certificate.
type replay struct {
	*relaxation
	pace
	bound int // inequalities recomputed
	depth int // deepest box
}

// fault is what is wrong with a proof, and where: at a step of a node, or for -1 at the node as a whole.
func fault(node, step int, format string, args ...any) error {
	place := fmt.Sprintf("box %d", node)
	if step >= 0 {
		place += fmt.Sprintf(", step %d", step)
	}
	return fmt.Errorf("%s: %w", place, fmt.Errorf(format, args...))
}
