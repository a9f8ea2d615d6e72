package proof

import "rcmdplab/core/jsontext"

// Choices is a proof by values under every model, and where policies take one action in
// each state by a tree of the actions that are left to them, with such a proof at each leaf. Where they mix actions, it may be
// by a tree of boxes of policies, whose leaves have prices and shares alone. What it proves is said at package certify.
type Choices struct {
	// Deterministic: it is about policies of one action in each state alone. A tree covers no
	// others: a policy that mixes the actions of two leaves is in neither.
	Deterministic bool
	Discount      float64  // of boxes at discount 1: the discount below 1 that they are judged at; 0 else
	Under         float64  // the largest objective of the policies that boxes with prices Alone speak of
	Nodes         []Choice // in preorder
}

// Choice is one node: a split of the actions that are left in a state, or a leaf.
type Choice struct {
	Keep    []int // pairs of one state that the first child keeps, the second the others; nil: it splits no actions
	Between []int // two pairs of one state, whose points a box of policies that mix is split between; nil: it is not

	Endless int         // of a leaf at discount 1: 1 + a model under which no such policy surely ends; it has nothing else; 0: it is about values
	Limits  bool        // of a leaf: no such policy meets the limits, whatever its objective
	Prices  []float64   // λ_1..λ_N >= 0
	Shares  [][]float64 // by cost, what each model counts, of sum 1; nil where that is not open: a mean, or no models
	Scales  []float64   // of a box, by model: what its determinants are measured in, > 0
	V, Low  [][]float64 // by model (one for a rectangular set) and state: V + Low, Low may be nil; nil where it has no weight

	// Alone are, of a box, prices >= 0 of what each model meets by itself: by use (the least value of each model, then all of them
	// together), cost and model; nil for none.
	Alone []float64
}

// Leaf reports whether the node is not split.
func (n *Choice) Leaf() bool { return n.Keep == nil && n.Between == nil }

// prices are the largest of those leaves that bound the objective; nil where models are priced alone.
func (t *Choices) prices() (most []float64) {
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if !n.Leaf() || n.Limits || n.Endless != 0 {
			continue
		}
		if n.Alone != nil {
			return nil
		}
		if most == nil {
			most = make([]float64, len(n.Prices))
		}
		for k, x := range n.Prices[:min(len(n.Prices), len(most))] {
			most[k] = max(most[k], x)
		}
	}
	return most
}

// In the document:
//
//	"choices": {"policies", "discount", "under", "nodes"}
//	node       {"keep"}, {"between"}, {"endless"} or {"prices", "limits", "shares", "scales", "alone", "values", "low"}
func (w *writer) choices(t *Choices) error {
	w.text(`,"choices":{"policies":`)
	if t.Deterministic {
		w.text(`"deterministic"`)
	} else {
		w.text(`"all"`)
	}
	if t.Discount != 0 {
		w.text(`,"discount":`).number(t.Discount)
	}
	if t.Under != 0 {
		w.text(`,"under":`).number(t.Under)
	}
	for i := range t.Nodes {
		n := &t.Nodes[i]
		w.first(i, `,"nodes":[`)
		switch {
		case n.Between != nil:
			w.text(`{"between":`).integers(n.Between)
		case !n.Leaf():
			w.text(`{"keep":`).integers(n.Keep)
		case n.Endless != 0:
			w.text(`{"endless":`).integers([]int{n.Endless})
		default:
			w.text(`{"prices":`).numbers(n.Prices)
			if n.Limits {
				w.text(`,"limits":true`)
			}
			w.lists("shares", n.Shares, w.numbers)
			if n.Scales != nil {
				w.text(`,"scales":`).numbers(n.Scales)
			}
			if n.Alone != nil {
				w.text(`,"alone":`).numbers(n.Alone)
			}
			w.lists("values", n.V, w.column)
			w.lists("low", n.Low, w.column)
		}
		w.text("}").last(i, len(t.Nodes))
	}
	w.text("}")
	return nil
}

// lists writes lists of numbers, if there are any.
func (w *writer) lists(name string, lists [][]float64, each func([]float64) *writer) {
	for i, v := range lists {
		w.first(i, `,"`+name+`":[`)
		each(v)
		w.last(i, len(lists))
	}
}

func (t *Choices) read(v jsontext.Value) error {
	var about string
	err := v.Decode(jsontext.Fields{"policies": &about, "discount": &t.Discount, "under": &t.Under, "nodes": jsontext.List(&t.Nodes, (*Choice).read)}, unknown)
	if t.Deterministic = about == "deterministic"; err == nil && !t.Deterministic && about != "all" {
		err = wrong("/policies", `got %q; want "deterministic" or "all"`, about)
	}
	return err
}

func (n *Choice) read(v jsontext.Value) error {
	numbers := func(dst *[]float64, v jsontext.Value) error { return v.Set(dst) }
	columns := func(dst *[]float64, v jsontext.Value) error { return column(dst)(v) }
	endless := func(v jsontext.Value) error {
		var k []int
		err := v.Set(&k)
		if err == nil && (len(k) != 1 || k[0] < 1) {
			return wrong("", "want one model, from 1")
		}
		if err == nil {
			n.Endless = k[0]
		}
		return err
	}
	return v.Decode(jsontext.Fields{"keep": &n.Keep, "between": &n.Between, "endless": endless, "prices": &n.Prices, "limits": &n.Limits, "shares": jsontext.List(&n.Shares, numbers), "scales": &n.Scales, "alone": &n.Alone,
		"values": jsontext.List(&n.V, columns), "low": jsontext.List(&n.Low, columns)}, unknown)
}
