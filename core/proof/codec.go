package proof

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"rcmdplab/core/jsontext"
)

// Format is what a certificate document calls itself.
const Format = "rcmdp-certificate/2"

// The document is an object
//
//	{"format", "problem", "target", "relax", "allow", "kernels", "guesses"}   kernel {"rows", "penalty"}
//
// with a member for its kind of proof (Claim.kinds), of which the file of each tells. A target of null says that the claim
// is about the constraints alone. Each of the guesses is a column, base64 of float64. What is zero or empty may be left out.

// Encode writes the certificate as a document. It fails when a number is not
// finite (a Target of +Inf apart) or a kind is unknown.
func (c *Claim) Encode() ([]byte, error) {
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
	for _, k := range c.kinds() {
		if !k.given {
			continue
		}
		if err := k.write(w); err != nil {
			return nil, fmt.Errorf("certificate: %w", err)
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

// Decode reads a certificate document. It checks the form; whether the proof
// holds is for Check. The error says where, what was found and what is allowed; it is
// a VersionError where the document is of another version of the format.
func Decode(text []byte) (Claim, error) {
	v, err := jsontext.Parse(text)
	var syntax *jsontext.SyntaxError
	switch {
	case !errors.As(err, &syntax):
	case syntax.At == len(text):
		return Claim{}, fmt.Errorf("certificate: not valid JSON at character %d: unexpected EOF", syntax.At)
	case syntax.Trailing:
		return Claim{}, fmt.Errorf("certificate: text after the end of the document, at character %d", syntax.At)
	default:
		return Claim{}, fmt.Errorf("certificate: not valid JSON at character %d: %w", syntax.At, err)
	}
	c := Claim{Target: math.Inf(1)}
	format := ""
	if err := v.Decode(jsontext.Fields{"format": &format}, nil); err != nil {
		return Claim{}, fmt.Errorf("certificate: %w", err)
	}
	if format != Format {
		return Claim{}, VersionError(format)
	}
	guesses := jsontext.List(&c.Guesses, func(dst *[]float64, v jsontext.Value) error { return column(dst)(v) })
	fields := jsontext.Fields{"format": &format, "problem": &c.Problem, "target": &c.Target, "relax": &c.Relax, "allow": &c.Allow,
		"kernels": jsontext.List(&c.Kernels, (*Kernel).read), "guesses": guesses}
	for _, k := range c.kinds() {
		fields[k.name] = k.read
	}
	if err := v.Decode(fields, unknown); err != nil {
		return Claim{}, fmt.Errorf("certificate: %w", err)
	}
	return c, nil
}

// kind is a kind of proof in a claim, as the document has it.
type kind struct {
	name  string
	given bool
	write func(*writer) error
	read  func(jsontext.Value) error
}

// part is a kind that is one object.
func part[T any](name string, to **T, write func(*writer, *T) error, read func(*T, jsontext.Value) error) kind {
	return kind{name, *to != nil, func(w *writer) error { return write(w, *to) }, func(v jsontext.Value) error {
		*to = new(T)
		return read(*to, v)
	}}
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

// column reads numbers written as base64 of float64, words small ones of uint32.
func column(dst *[]float64) func(jsontext.Value) error {
	return packed(8, dst, func(b []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(b)) })
}

func words(dst *[]int) func(jsontext.Value) error {
	return packed(4, dst, func(b []byte) int { return int(binary.LittleEndian.Uint32(b)) })
}

// packed reads numbers of so many bytes each.
func packed[N any](size int, dst *[]N, number func(b []byte) N) func(jsontext.Value) error {
	return func(v jsontext.Value) error {
		var b []byte
		if err := base64To(&b)(v); err != nil {
			return err
		}
		if len(b)%size != 0 {
			return wrong("", "got %d bytes; want %d for each number", len(b), size)
		}
		*dst = make([]N, len(b)/size)
		for i := range *dst {
			(*dst)[i] = number(b[size*i:])
		}
		return nil
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
