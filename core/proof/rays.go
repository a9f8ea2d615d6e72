package proof

import "rcmdplab/core/jsontext"

// Rays is a proof by values of state and of the ratio of two weights, those of two groups
// of costs whose worst kernels may differ. What it proves is said at package certify.
type Rays struct {
	Groups [2][]float64 // A and B by cost 0..N, no cost in both
	Start  int          // the ray of the claim
	T      []float64    // the rays, rising from 0 to 1
	V      [][]float64  // by ray and state

	// Rows p and q, one after the other, by the successors that the set lists for
	// the pair; in order of pair, then ray. They are suggestions.
	Pair, Ray []int
	Rows      []float64
}

// In the document: "rays": {"groups", "start", "at", "values", "pairs", "rays", "rows"}.
func (w *writer) rays(y *Rays) error {
	w.text(`,"rays":{"groups":[`).numbers(y.Groups[0]).text(",").numbers(y.Groups[1]).text(`],"start":`).number(float64(y.Start)).text(`,"at":`).column(y.T)
	for i, v := range y.V {
		w.first(i, `,"values":[`).column(v).last(i, len(y.V))
	}
	w.words("pairs", y.Pair)
	w.words("rays", y.Ray)
	if len(y.Rows) > 0 {
		w.text(`,"rows":`).column(y.Rows)
	}
	w.text("}")
	return nil
}

func (y *Rays) read(v jsontext.Value) error {
	var groups [][]float64
	err := v.Decode(jsontext.Fields{"groups": jsontext.List(&groups, func(dst *[]float64, v jsontext.Value) error { return v.Set(dst) }), "start": &y.Start, "at": column(&y.T),
		"values": jsontext.List(&y.V, func(dst *[]float64, v jsontext.Value) error { return column(dst)(v) }),
		"pairs":  words(&y.Pair), "rays": words(&y.Ray), "rows": column(&y.Rows)}, unknown)
	if err == nil && len(groups) != 2 {
		err = wrong("/groups", "got %d; want 2", len(groups))
	}
	copy(y.Groups[:], groups)
	return err
}
