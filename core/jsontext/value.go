package jsontext

import (
	"bytes"
	"strconv"
)

// Value is the text of one JSON value whose grammar has been checked, without
// space around it; nil where there is none.
type Value []byte

// Kind says what a value is, by a byte that starts it: { [ " 0 t n, or 0 for
// no value. Numbers are all 0, true and false both t.
func (v Value) Kind() byte {
	if len(v) == 0 {
		return 0
	}
	switch c := v[0]; c {
	case '{', '[', '"', 't', 'n':
		return c
	case 'f':
		return 't'
	}
	return '0'
}

// Parse checks text and returns the value that it is. The value shares memory
// with the text.
func Parse(text []byte) (Value, error) {
	if err := Check(text); err != nil {
		return nil, err
	}
	return bytes.Trim(text, " \t\r\n"), nil
}

// Skip returns where the value of a checked text ends that starts at i.
func Skip(text []byte, i int) int {
	depth := 0
	for {
		switch text[i] {
		case '"':
			for i++; text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			i++
		case '[', '{':
			depth++
			i++
		case ']', '}':
			depth--
			i++
		case ',', ':', ' ', '\t', '\n', '\r':
			i++
		default:
			for i < len(text) && !delimiter(text[i]) {
				i++
			}
		}
		if depth == 0 {
			return i
		}
	}
}

func delimiter(c byte) bool { return c == ',' || c == ':' || c == ']' || c == '}' || c <= ' ' }

// Elements walks the elements of a list; other values have none.
func (v Value) Elements(yield func(int, Value) bool) {
	if v.Kind() != '[' {
		return
	}
	for i, n := v.over(1), 0; v[i] != ']'; n++ {
		end := Skip(v, i)
		if !yield(n, v[i:end]) {
			return
		}
		i = v.over(end)
	}
}

// Members walks the members of an object; other values have none. A name that
// occurs twice is met twice.
func (v Value) Members(yield func(string, Value) bool) {
	if v.Kind() != '{' {
		return
	}
	for i := v.over(1); v[i] != '}'; {
		end := Skip(v, i)
		name := Unquote(v[i:end])
		i = v.over(end)
		if end = Skip(v, i); !yield(name, v[i:end]) {
			return
		}
		i = v.over(end)
	}
}

// over moves over what stands between values.
func (v Value) over(i int) int {
	for space(v[i]) || v[i] == ',' || v[i] == ':' {
		i++
	}
	return i
}

// Text is the value of a string.
func (v Value) Text() (s string, ok bool) {
	if v.Kind() != '"' {
		return "", false
	}
	return Unquote(v), true
}

// Number is the value of a number; it is not ok beyond the range of float64.
func (v Value) Number() (x float64, ok bool) {
	if v.Kind() != '0' {
		return 0, false
	}
	x, err := strconv.ParseFloat(string(v), 64)
	return x, err == nil
}

// Bool is the value of true or false.
func (v Value) Bool() (b, ok bool) { return len(v) > 0 && v[0] == 't', v.Kind() == 't' }
