package certify

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"rcmdplab/core/jsontext"
)

// Format is what a certificate document calls itself.
const Format = "rcmdp-certificate/2"

// The document is an object
//
//	{"format", "problem", "target", "relax", "allow", "kernels", "values", "rays", "nodes", "tensor", "guesses"}
//	kernel {"rows", "penalty"}   values {"kernel", "prices", "values", "low", "column"}
//	rays   {"groups", "start", "at", "values", "pairs", "rays", "rows"}
//	node   {"steps", "split"}    split  {"pair", "at"}; none: shown empty
//	step   {"kind", "target", "kernels", "of", "to", "index", "rho", "value", "rows", "multipliers", "multipliers64"}
//
// A target of null says that the claim is about the constraints alone. Names of
// kinds and targets are words, the kernels of a step M and M2; rows and
// multipliers are base64 of little-endian uint32 and float32 (float64 in
// multipliers64, where single precision does not hold them all). Values of many
// states are a column, base64 of float64, and so is each of the guesses. What is zero
// or empty may be left out.

func kindNames() []string { return []string{"open", "refresh", "close", "bound"} }

func targetNames() []string {
	return []string{"empty", "occupancy-low", "occupancy-high", "policy-low", "policy-high", "ratio-high"}
}

// Encode writes the certificate as a document. It fails when a number is not
// finite (a Target of +Inf apart) or a kind is unknown.
func (c *Certificate) Encode() ([]byte, error) {
	w := new(writer)
	w.text(`{"format":"` + Format + `","problem":`).b = jsontext.AppendString(w.b, c.Problem)
	if w.text(`,"target":`); math.IsInf(c.Target, 1) {
		w.text("null")
	} else {
		w.number(c.Target)
	}
	w.text(`,"relax":`).number(c.Relax)
	if len(c.Allow) > 0 {
		w.text(`,"allow":`).numbers(c.Allow)
	}
	for i, k := range c.Kernels {
		w.first(i, `,"kernels":[`).text(`{"rows":`).numbers(k.Rows)
		if len(k.Penalty) > 0 {
			w.text(`,"penalty":`).numbers(k.Penalty)
		}
		w.text("}").last(i, len(c.Kernels))
	}
	if v := c.Values; v != nil {
		w.text(`,"values":{"kernel":`).number(float64(v.Kernel)).text(`,"prices":`).numbers(v.Prices)
		if len(v.V) > exactStates && len(v.Low) == 0 {
			w.text(`,"column":`).column(v.V)
		} else {
			w.text(`,"values":`).numbers(v.V)
		}
		if len(v.Low) > 0 {
			w.text(`,"low":`).numbers(v.Low)
		}
		w.text("}")
	}
	if y := c.Rays; y != nil {
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
	}
	for i, n := range c.Nodes {
		w.first(i, `,"nodes":[`).text("{")
		for j := range n.Steps {
			w.first(j, `"steps":[`)
			if err := w.step(&n.Steps[j]); err != nil {
				return nil, fmt.Errorf("certificate: /nodes/%d/steps/%d: %w", i, j, err)
			}
			w.last(j, len(n.Steps))
		}
		if n.Pair >= 0 {
			if len(n.Steps) > 0 {
				w.text(",")
			}
			w.text(`"split":{"pair":`).number(float64(n.Pair)).text(`,"at":`).number(n.At).text("}")
		}
		w.text("}").last(i, len(c.Nodes))
	}
	if c.Tensor != nil {
		if err := w.tensor(c.Tensor); err != nil {
			return nil, fmt.Errorf("certificate: /tensor: %w", err)
		}
	}
	for i, v := range c.Guesses {
		w.first(i, `,"guesses":[`).column(v).last(i, len(c.Guesses))
	}
	if w.infinite {
		return nil, errors.New("certificate: a number is not finite")
	}
	return w.text("}").b, nil
}

// writer appends to the document and remembers whether all numbers are finite.
type writer struct {
	b        []byte // JSON so far
	infinite bool   // a number was not finite: there is no document
}

func (w *writer) text(s string) *writer {
	w.b = append(w.b, s...)
	return w
}

// first starts element i of a list, last ends it; open is what stands before
// the list.
func (w *writer) first(i int, open string) *writer {
	if i > 0 {
		open = ","
	}
	return w.text(open)
}

func (w *writer) last(i, n int) {
	if i == n-1 {
		w.text("]")
	}
}

func (w *writer) number(x float64) *writer {
	w.infinite = w.infinite || math.IsNaN(x) || math.IsInf(x, 0)
	w.b = jsontext.AppendNumber(w.b, x)
	return w
}

func (w *writer) numbers(v []float64) *writer {
	w.text("[")
	for i, x := range v {
		w.first(i, "").number(x)
	}
	return w.text("]")
}

// column writes numbers as base64 of float64.
func (w *writer) column(v []float64) *writer {
	b := make([]byte, 0, 8*len(v))
	for _, x := range v {
		w.infinite = w.infinite || math.IsNaN(x) || math.IsInf(x, 0)
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	w.text(`"`).b = base64.StdEncoding.AppendEncode(w.b, b)
	return w.text(`"`)
}

// words writes small numbers as base64 of uint32.
func (w *writer) words(name string, v []int) {
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		w.infinite = w.infinite || x < 0 || int64(x) > math.MaxUint32
		b = binary.LittleEndian.AppendUint32(b, uint32(x))
	}
	w.bytes(name, b)
}

func (w *writer) bytes(name string, b []byte) {
	if len(b) > 0 {
		w.text(`,"` + name + `":"`).b = base64.StdEncoding.AppendEncode(w.b, b)
		w.text(`"`)
	}
}

func (w *writer) step(s *Step) error {
	kinds, targets := kindNames(), targetNames()
	if int(s.Kind) >= len(kinds) || int(s.Target) >= len(targets) || len(s.Rows) != len(s.Y) {
		return fmt.Errorf("kind %d, target %d, %d rows and %d multipliers make no step", s.Kind, s.Target, len(s.Rows), len(s.Y))
	}
	w.text(`{"kind":"` + kinds[s.Kind] + `"`)
	unlessZero := func(name string, x float64) {
		if x != 0 {
			w.text(`,"` + name + `":`).number(x)
		}
	}
	if s.Kind == Bound {
		w.text(`,"target":"` + targets[s.Target] + `"`)
	}
	if s.Kind == Bound || s.Kind == Refresh {
		w.text(`,"kernels":`).numbers([]float64{float64(s.M), float64(s.M2)})
	}
	if s.Kind == Bound {
		unlessZero("of", float64(s.Of))
		unlessZero("to", float64(s.To))
	}
	if s.Kind == Bound || s.Kind == Refresh {
		unlessZero("index", float64(s.Index))
	}
	if s.Kind == Bound {
		unlessZero("rho", s.Rho)
		unlessZero("value", s.Value)
		var rows, single, double []byte
		for _, r := range s.Rows {
			rows = binary.LittleEndian.AppendUint32(rows, uint32(r))
		}
		for _, y := range s.Y {
			single = binary.LittleEndian.AppendUint32(single, math.Float32bits(float32(y)))
			double = binary.LittleEndian.AppendUint64(double, math.Float64bits(y))
		}
		w.bytes("rows", rows)
		if slices.ContainsFunc(s.Y, func(y float64) bool { return float64(float32(y)) != y }) {
			w.bytes("multipliers64", double)
		} else {
			w.bytes("multipliers", single)
		}
	}
	w.text("}")
	return nil
}
