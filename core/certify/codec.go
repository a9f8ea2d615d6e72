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
const Format = "rcmdp-certificate/1"

// The document is an object
//
//	{"format", "problem", "target", "relax", "allow", "kernels", "values", "rays", "single", "nodes", "tensor", "guesses"}
//	kernel {"rows", "penalty"}   single {"kernel", "multipliers"}   values {"kernel", "prices", "values", "low", "column"}
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
	if c.Single != nil {
		w.text(`,"single":{"kernel":`).number(float64(c.Single.M)).text(`,"multipliers":`).numbers(c.Single.Y).text("}")
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
	b        []byte
	infinite bool
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

// Decode reads a certificate document. It checks the form; whether the proof
// holds is for Check. The error says where, what was found and what is allowed.
func Decode(text []byte) (Certificate, error) {
	v, err := jsontext.Parse(text)
	var syntax *jsontext.SyntaxError
	switch {
	case !errors.As(err, &syntax):
	case syntax.At == len(text):
		return Certificate{}, fmt.Errorf("certificate: not valid JSON at character %d: unexpected EOF", syntax.At)
	case syntax.Trailing:
		return Certificate{}, fmt.Errorf("certificate: text after the end of the document, at character %d", syntax.At)
	default:
		return Certificate{}, fmt.Errorf("certificate: not valid JSON at character %d: %w", syntax.At, err)
	}
	c := Certificate{Target: math.Inf(1)}
	format := ""
	single := func(v jsontext.Value) error {
		c.Single = new(Single)
		return v.Decode(jsontext.Fields{"kernel": &c.Single.M, "multipliers": &c.Single.Y}, unknown)
	}
	values := func(v jsontext.Value) error {
		c.Values = new(Values)
		return v.Decode(jsontext.Fields{"kernel": &c.Values.Kernel, "prices": &c.Values.Prices, "values": &c.Values.V, "low": &c.Values.Low,
			"column": column(&c.Values.V)}, unknown)
	}
	rays := func(v jsontext.Value) error {
		c.Rays = new(Rays)
		return c.Rays.read(v)
	}
	guesses := jsontext.List(&c.Guesses, func(dst *[]float64, v jsontext.Value) error { return column(dst)(v) })
	tensor := func(v jsontext.Value) error {
		c.Tensor = new(Tensor)
		return c.Tensor.read(v)
	}
	err = v.Decode(jsontext.Fields{"format": &format, "problem": &c.Problem, "target": &c.Target, "relax": &c.Relax, "allow": &c.Allow,
		"values": values, "rays": rays, "guesses": guesses, "kernels": jsontext.List(&c.Kernels, (*Kernel).read), "single": single, "nodes": jsontext.List(&c.Nodes, (*Node).read), "tensor": tensor}, unknown)
	if err != nil {
		return Certificate{}, fmt.Errorf("certificate: %w", err)
	}
	if format != Format {
		return Certificate{}, fmt.Errorf("certificate: /format: got %q; want %q", format, Format)
	}
	return c, nil
}

func unknown(name string) error { return wrong("", "unknown field %q", name) }

// wrong is a fault of the member that pointer leads to.
func wrong(pointer, format string, args ...any) error {
	return &jsontext.ValueError{Pointer: pointer, Message: fmt.Sprintf(format, args...)}
}

func (k *Kernel) read(v jsontext.Value) error {
	return v.Decode(jsontext.Fields{"rows": &k.Rows, "penalty": &k.Penalty}, unknown)
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

func (n *Node) read(v jsontext.Value) error {
	n.Pair = -1
	split := func(v jsontext.Value) error {
		n.Pair = 0
		if err := v.Decode(jsontext.Fields{"pair": &n.Pair, "at": &n.At}, unknown); err != nil || n.Pair >= 0 {
			return err
		}
		return wrong("/pair", "got %d; want a number >= 0", n.Pair)
	}
	return v.Decode(jsontext.Fields{"steps": jsontext.List(&n.Steps, (*Step).read), "split": split}, unknown)
}

// base64To reads bytes.
func base64To(b *[]byte) func(jsontext.Value) error {
	return func(v jsontext.Value) (err error) {
		var s string
		if err = v.Set(&s); err != nil {
			return err
		}
		if *b, err = base64.StdEncoding.DecodeString(s); err != nil {
			return wrong("", "%v; want bytes in base64", err)
		}
		return nil
	}
}

// column reads numbers written as base64 of float64.
func column(dst *[]float64) func(jsontext.Value) error {
	return func(v jsontext.Value) error {
		var b []byte
		if err := base64To(&b)(v); err != nil {
			return err
		}
		if len(b)%8 != 0 {
			return wrong("", "got %d bytes; want 8 for each number", len(b))
		}
		*dst = make([]float64, len(b)/8)
		for i := range *dst {
			(*dst)[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
		}
		return nil
	}
}

// words reads small numbers written as base64 of uint32.
func words(dst *[]int) func(jsontext.Value) error {
	return func(v jsontext.Value) error {
		var b []byte
		if err := base64To(&b)(v); err != nil {
			return err
		}
		if len(b)%4 != 0 {
			return wrong("", "got %d bytes; want 4 for each number", len(b))
		}
		*dst = make([]int, len(b)/4)
		for i := range *dst {
			(*dst)[i] = int(binary.LittleEndian.Uint32(b[4*i:]))
		}
		return nil
	}
}

func (s *Step) read(v jsontext.Value) error {
	var kindName, targetName string
	var kernels []int
	var rows, single, double []byte
	err := v.Decode(jsontext.Fields{"kind": &kindName, "target": &targetName, "kernels": &kernels, "of": &s.Of, "to": &s.To, "index": &s.Index,
		"rho": &s.Rho, "value": &s.Value, "rows": base64To(&rows), "multipliers": base64To(&single), "multipliers64": base64To(&double)}, unknown)
	if err != nil {
		return err
	}
	kind := slices.Index(kindNames(), kindName)
	if kind < 0 {
		return wrong("/kind", "got %q; want one of %q", kindName, kindNames())
	}
	s.Kind = StepKind(kind)
	if s.Kind == Bound || s.Kind == Refresh {
		if len(kernels) != 2 {
			return wrong("/kernels", "got %d numbers; want 2", len(kernels))
		}
		s.M, s.M2 = kernels[0], kernels[1]
	}
	if s.Kind != Bound {
		return nil
	}
	target := slices.Index(targetNames(), targetName)
	if target < 0 {
		return wrong("/target", "got %q; want one of %q", targetName, targetNames())
	}
	s.Target = Target(target)
	n := len(rows) / 4
	if len(rows)%4 != 0 || len(single)+len(double)/2 != 4*n || len(double)%8 != 0 || len(single)*len(double) > 0 {
		return wrong("/rows", "got %d bytes of rows, %d of multipliers and %d of multipliers64; want 4 a row, and 4 or 8 a multiplier", len(rows), len(single), len(double))
	}
	for k := range n {
		s.Rows = append(s.Rows, Row(binary.LittleEndian.Uint32(rows[4*k:])))
		if len(double) > 0 {
			s.Y = append(s.Y, math.Float64frombits(binary.LittleEndian.Uint64(double[8*k:])))
		} else {
			s.Y = append(s.Y, float64(math.Float32frombits(binary.LittleEndian.Uint32(single[4*k:]))))
		}
		if y := s.Y[k]; math.IsNaN(y) || math.IsInf(y, 0) {
			return wrong("/multipliers", "number %d is %v; want a finite number", k, y)
		}
	}
	return nil
}
