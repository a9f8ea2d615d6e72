// Package uncertainty holds nature's side of a rectangular robust problem: for
// each supported set U it answers max_{p ∈ U(s,a)} ⟨p, z⟩ and which p attains
// it. It knows nothing of policies, gradients or thresholds; package evaluate
// asks, it answers.
package uncertainty

// Set is one (s,a)-rectangular uncertainty set.
type Set interface {
	// Support lists, ascending, the successors of pair i that nature may give
	// mass. The slice belongs to the set.
	Support(i int) []int

	// Nominal writes the nominal row of pair i, aligned with Support(i), to dst.
	// (For an interval set: any member.)
	Nominal(dst []float64, i int)

	// WorstRow writes a maximiser p of ⟨p, z⟩ - penalty(p) over U_i to dst and
	// returns the value attained by exactly that p, so it is a lower bound of the
	// supremum up to rounding. z and dst are aligned with Support(i); z is
	// c + γ v for next-state costs, v otherwise. It allocates nothing.
	WorstRow(dst []float64, i int, z []float64) float64

	// UpperBound returns a number that is at least the supremum by weak duality,
	// whatever the accuracy of the inner root-finding.
	UpperBound(i int, z []float64) float64

	// Penalty is what the objective of nature subtracts at the row p: 0 for a
	// true set, temperature·KL(p‖nominal) for the regularised one.
	Penalty(p []float64, i int) float64
}
