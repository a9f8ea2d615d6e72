package jsontext

import (
	"slices"
	"strconv"
	"strings"
)

// ValueError is a value that is not what is wanted.
type ValueError struct {
	Pointer string // JSON Pointer from the value that was decoded
	Message string
}

// Error is the message, after the pointer where there is one.
func (e *ValueError) Error() string {
	if e.Pointer == "" {
		return e.Message
	}
	return e.Pointer + ": " + e.Message
}

// Fields are the members of an object by name, and the variable each is for: a
// pointer to string, bool, float64, int, uint64, []float64, []int, []string or
// Value, or a func(Value) error.
type Fields map[string]any

// Decode sets the variables of the members that an object has. null leaves a
// variable as it is. Of a member that is not among the fields, unknown decides;
// without it, such a member is passed over. A field that occurs twice is an error:
// which of the two is meant nobody can tell.
func (v Value) Decode(fields Fields, unknown func(name string) error) error {
	if v.Kind() != '{' {
		return v.mismatch("an object")
	}
	var room [16]string
	seen := room[:0]
	for name, x := range v.Members {
		to, known := fields[name]
		var err error
		if known {
			if slices.Contains(seen, name) {
				return within(name, &ValueError{Message: "the field occurs twice; keep one"})
			}
			seen = append(seen, name)
		}
		switch {
		case known && x.Kind() != 'n':
			err = within(name, x.Set(to))
		case !known && unknown != nil:
			err = unknown(name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// List decodes each element of a list with read and appends it to *to, which
// is then not nil.
func List[T any](to *[]T, read func(*T, Value) error) func(Value) error {
	return func(v Value) error {
		if v.Kind() != '[' {
			return v.mismatch("an array")
		}
		*to = []T{}
		for i, x := range v.Elements {
			var t T
			if err := read(&t, x); err != nil {
				return within(strconv.Itoa(i), err)
			}
			*to = append(*to, t)
		}
		return nil
	}
}

// Set sets a variable, of a type that Fields has, to the value. The error is a
// *ValueError when the value does not fit.
func (v Value) Set(to any) error {
	ok, want := true, ""
	switch to := to.(type) {
	case func(Value) error:
		return to(v)
	case *Value:
		*to = v
	case *string:
		want = "a string"
		*to, ok = v.Text()
	case *bool:
		want = "true or false"
		*to, ok = v.Bool()
	case *float64:
		want = "a number"
		*to, ok = v.Number()
	case *int:
		n, err := strconv.Atoi(string(v))
		*to, ok, want = n, err == nil, "a whole number"
	case *uint64:
		n, err := strconv.ParseUint(string(v), 10, 64)
		*to, ok, want = n, err == nil, "a whole number >= 0"
	case *[]float64:
		return List(to, element[float64])(v)
	case *[]int:
		return List(to, element[int])(v)
	case *[]string:
		return List(to, element[string])(v)
	default:
		panic("jsontext: a field of a type that is not for one")
	}
	if !ok {
		return v.mismatch(want)
	}
	return nil
}

// element decodes an element of a list; null is zero.
func element[T any](to *T, v Value) error {
	if v.Kind() == 'n' {
		return nil
	}
	return v.Set(to)
}

// within gives an error that came from the member or element called name its
// place further out.
func within(name string, err error) error {
	if e, ok := err.(*ValueError); ok {
		e.Pointer = "/" + Escape(name) + e.Pointer
	}
	return err
}

// Escape writes a member's name as a reference token of a JSON Pointer (RFC 6901).
func Escape(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}

func (v Value) mismatch(want string) error {
	got := map[byte]string{'{': "an object", '[': "an array", '"': "a string", 't': string(v), 'n': "null", 0: "nothing", '0': "the number " + string(v)}[v.Kind()]
	return &ValueError{Message: "got " + got + "; want " + want}
}
