package model

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"rcmdplab/core/jsontext"
)

// cursor walks JSON text whose grammar has been checked, so that it needs no
// error paths: only the meaning of what it meets is in question. Unlike the values
// of package jsontext it knows the line and column of everything and passes over
// NaN and Infinity, which a document's faults are said with.
type cursor struct {
	data []byte // the document
	i    int    // byte of what comes next
}

// The kinds of JSON value, by a byte that may start them.
const (
	object  = '{'
	list    = '['
	text    = '"'
	number  = '0'
	null    = 'n'
	boolean = 't'
	notJSON = 'N' // NaN, Infinity, -Infinity: outside JSON, but found in the wild
)

// checkGrammar returns the fault that makes data no JSON text, or nil. Besides
// JSON it lets NaN and ±Infinity pass where a value may stand: reported by the
// reader, they get a place and do not hide the other faults.
func checkGrammar(data []byte) *Fault {
	if !utf8.Valid(data) {
		i := 0
		for i < len(data) {
			r, n := utf8.DecodeRune(data[i:])
			if r == utf8.RuneError && n == 1 {
				break
			}
			i += n
		}
		return &Fault{Message: place(data, i) + ": the text is not UTF-8"}
	}
	if jsontext.Check(data) == nil {
		return nil
	}
	patched := withoutSpecials(data)
	var syntax *jsontext.SyntaxError
	if !errors.As(jsontext.Check(patched), &syntax) {
		return nil
	}
	at, message := syntax.At, syntax.Message
	if at < len(data) && patched[at] != data[at] {
		message = strings.Replace(message, `'"'`, "'"+string(data[at])+"'", 1)
	}
	if say := hintSyntax(data, at); say != "" {
		message += "; " + say
	}
	return &Fault{Pointer: pointerAt(data, at), Message: place(data, at) + ": not JSON: " + message}
}

var specials = []string{"-Infinity", "Infinity", "NaN"}

// special is the length of NaN, Infinity or -Infinity at the start of data, or 0.
func special(data []byte) int {
	for _, s := range specials {
		if bytes.HasPrefix(data, []byte(s)) {
			return len(s)
		}
	}
	return 0
}

// withoutSpecials is a copy of data of the same length in which a string takes
// the place of every NaN and ±Infinity. (A number would not do: it could join
// with the digits beside it.)
func withoutSpecials(data []byte) []byte {
	out := bytes.Clone(data)
	inside := false
	for i := 0; i < len(out); i++ {
		switch b := out[i]; {
		case inside && b == '\\':
			i++
		case b == '"':
			inside = !inside
		case !inside && (b == 'N' || b == 'I' || b == '-'):
			n := special(out[i:])
			if n == 0 || bytes.HasPrefix(bytes.TrimLeft(out[i+n:], " \t\r\n"), []byte(":")) { // not as a key
				continue
			}
			out[i], out[i+n-1] = '"', '"'
			i += n - 1
		}
	}
	return out
}

// place says where byte i is, for a person.
func place(data []byte, i int) string {
	i = min(i, len(data))
	line := 1 + bytes.Count(data[:i], []byte("\n"))
	start := 1 + bytes.LastIndexByte(data[:i], '\n')
	return fmt.Sprintf("line %d, column %d", line, 1+utf8.RuneCount(data[start:i]))
}

// pointerAt is the JSON Pointer of the value that byte i is part of; what comes
// after i is not looked at.
func pointerAt(data []byte, i int) string {
	type level struct {
		list bool
		n    int // entries met so far
		key  string
	}
	var stack []level
	key := ""
	for j := 0; j < min(i, len(data)); j++ {
		switch data[j] {
		case '"':
			k := j + 1
			for k < len(data) && data[k] != '"' {
				if data[k] == '\\' {
					k++
				}
				k++
			}
			if k < len(data) {
				if s := data[j : k+1]; jsontext.Check(s) == nil {
					key = jsontext.Unquote(s)
				}
			}
			j = k
		case ':':
			if n := len(stack); n > 0 {
				stack[n-1].key = key
			}
		case '[', '{':
			stack = append(stack, level{list: data[j] == '['})
		case ']', '}':
			if n := len(stack); n > 0 {
				stack = stack[:n-1]
			}
		case ',':
			if n := len(stack); n > 0 {
				stack[n-1].n++
				stack[n-1].key = ""
			}
		}
	}
	if len(stack) > 16 { // no part of a document of ours is as deep
		return ""
	}
	p := ""
	for _, l := range stack {
		switch {
		case l.list:
			p = at(p, l.n)
		case l.key != "":
			p = p + "/" + jsontext.Escape(l.key)
		}
	}
	return p
}

// at is the pointer of a place further in.
func at(base string, index ...int) string {
	b := []byte(base)
	for _, i := range index {
		b = append(b, '/')
		b = strconv.AppendInt(b, int64(i), 10)
	}
	return string(b)
}

func (c *cursor) space() {
	for c.i < len(c.data) {
		switch c.data[c.i] {
		case ' ', '\t', '\n', '\r':
			c.i++
		default:
			return
		}
	}
}

// kind moves to the next value and says what it is.
func (c *cursor) kind() byte {
	c.space()
	switch b := c.data[c.i]; b {
	case object, list, text, null:
		return b
	case 't', 'f':
		return boolean
	case 'N', 'I':
		return notJSON
	case '-':
		if c.data[c.i+1] == 'I' {
			return notJSON
		}
	}
	return number
}

// more moves to the next element of the list or object that ends in end, or
// over its end. The opening bracket must be behind the cursor.
func (c *cursor) more(end byte) bool {
	c.space()
	if c.data[c.i] == ',' {
		c.i++
		c.space()
	}
	if c.data[c.i] == end {
		c.i++
		return false
	}
	return true
}

// name reads the string at the cursor.
func (c *cursor) name() string { return jsontext.Unquote(c.raw()) }

// key reads a member's name and moves to its value.
func (c *cursor) key() string {
	c.space()
	k := c.name()
	c.space()
	c.i++ // the colon
	c.space()
	return k
}

// float reads the number at the cursor; it is infinite when the text stands
// for more than a float64 can hold, and the least one when for less that is not 0.
func (c *cursor) float() float64 {
	j := c.i
	if n, k := 0, j; c.data[k] != '-' { // an index, most often
		for ; k < len(c.data) && k < j+9 && c.data[k] >= '0' && c.data[k] <= '9'; k++ {
			n = 10*n + int(c.data[k]-'0')
		}
		if k < len(c.data) && delimiter(c.data[k]) {
			c.i = k
			return float64(n)
		}
	}
	for j < len(c.data) {
		b := c.data[j]
		if b == ',' || b == ']' || b == '}' || b <= ' ' {
			break
		}
		j++
	}
	raw := c.data[c.i:j]
	c.i = j
	if len(raw) == 1 {
		return float64(raw[0] - '0')
	}
	x, err := strconv.ParseFloat(string(raw), 64)
	if err != nil && !math.IsInf(x, 0) {
		panic("model: number with an unchecked grammar: " + err.Error())
	}
	if x == 0 {
		for _, b := range raw {
			switch {
			case b|0x20 == 'e':
				return x
			case b >= '1' && b <= '9':
				return math.Copysign(math.SmallestNonzeroFloat64, x)
			}
		}
	}
	return x
}

// raw moves over the value at the cursor and returns its text.
func (c *cursor) raw() []byte {
	c.space()
	start := c.i
	c.i = jsontext.Skip(c.data, start)
	return c.data[start:c.i]
}

func delimiter(b byte) bool { return b == ',' || b == ':' || b == ']' || b == '}' || b <= ' ' }
