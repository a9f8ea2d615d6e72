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

// Decode reads a certificate document. It checks the form; whether the proof
// holds is for Check. The error says where, what was found and what is allowed; it is
// a VersionError where the document is of another version of the format.
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
	if err := v.Decode(jsontext.Fields{"format": &format}, nil); err != nil {
		return Certificate{}, fmt.Errorf("certificate: %w", err)
	}
	if format != Format {
		return Certificate{}, VersionError(format)
	}
	values := func(v jsontext.Value) error {
		c.Values = new(Values)
		var list []float64
		err := v.Decode(jsontext.Fields{"kernel": &c.Values.Kernel, "prices": &c.Values.Prices, "values": &list, "low": &c.Values.Low,
			"column": column(&c.Values.V)}, unknown)
		if err == nil && list != nil && c.Values.V != nil {
			err = wrong("/values", "the values stand in a column as well; keep one")
		}
		if list != nil {
			c.Values.V = list
		}
		return err
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
		"values": values, "rays": rays, "guesses": guesses, "kernels": jsontext.List(&c.Kernels, (*Kernel).read), "nodes": jsontext.List(&c.Nodes, (*Node).read), "tensor": tensor}, unknown)
	if err != nil {
		return Certificate{}, fmt.Errorf("certificate: %w", err)
	}
	return c, nil
}

// VersionError is the format of a document that calls itself otherwise than what is
// read here.
type VersionError string

// Earlier reports whether it is a certificate of an earlier version: nothing is known
// of it, and what it spoke of is judged anew.
func (e VersionError) Earlier() bool { return e == "rcmdp-certificate/1" }

func (e VersionError) Error() string {
	return fmt.Sprintf("certificate: /format: got %q; want %q", string(e), Format)
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
