package guess

// Newton removes from values V + Low what they miss of a Bellman equation, in double the
// working precision: V <- V + (I - γP)⁻¹ r for the residual r at V and the rows P of the actions
// and of nature at which it is taken.
type Newton struct {
	V, Low  []float64 // by state
	Far     []float64 // the residual, to be written before Step
	gamma   float64   // discount
	matrix  *Dense
	reached []bool // by state: that a choice was told for; the others keep their values
}

// NewNewton starts at v + low, of which low may be empty, with discount γ.
func NewNewton(v, low []float64, gamma float64) *Newton {
	n := &Newton{V: append([]float64(nil), v...), Low: make([]float64, len(v)), Far: make([]float64, len(v)), gamma: gamma}
	copy(n.Low, low)
	return n
}

// Begin starts a step.
func (n *Newton) Begin() {
	n.matrix, n.reached = NewDense(len(n.V)), make([]bool, len(n.V))
	for s := range n.V {
		n.matrix.Row(s)[s] = 1
	}
}

// Choice says that state s is left for some others with these probabilities times the share,
// besides what was said of it before.
func (n *Newton) Choice(s int, share float64, to []int, p []float64) {
	n.reached[s] = true
	for j, t := range to {
		n.matrix.Row(s)[t] -= n.gamma * share * p[j]
	}
}

// Step improves the values, as if what the residual is at least were none of it.
func (n *Newton) Step(least float64) {
	for s := range n.Far {
		if n.reached[s] {
			n.Far[s] -= least
		}
	}
	n.matrix.Factor()
	n.matrix.Solve(n.Far)
	for s, d := range n.Far {
		n.V[s], n.Low[s] = twoSum(n.V[s], n.Low[s]+d)
	}
}

// twoSum is a + b as a float64 and the rest, exact (Knuth).
func twoSum(a, b float64) (sum, rest float64) {
	sum = float64(a + b)
	z := float64(sum - a)
	return sum, float64(a-float64(sum-z)) + float64(b-z)
}
