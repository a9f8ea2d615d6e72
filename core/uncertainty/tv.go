package uncertainty

// newTV is the total variation ball {p : ½ ‖p - q‖₁ <= δ}: the l1 ball of
// radius 2δ.
func newTV(radius []float64) *l1 { return &l1{radius} }
