package jsontext

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Unquote is what a string of a checked text stands for, given with its
// quotes. What is no character, a half of a surrogate pair or a byte outside
// UTF-8, becomes U+FFFD.
func Unquote(raw []byte) string {
	raw = raw[1 : len(raw)-1]
	if bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw) {
		return string(raw)
	}
	b := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); {
		if raw[i] != '\\' {
			r, n := utf8.DecodeRune(raw[i:])
			b = utf8.AppendRune(b, r)
			i += n
			continue
		}
		c := raw[i+1]
		i += 2
		switch c {
		case 'b':
			c = '\b'
		case 'f':
			c = '\f'
		case 'n':
			c = '\n'
		case 'r':
			c = '\r'
		case 't':
			c = '\t'
		case 'u':
			r := unhex4(raw[i-2:])
			i += 4
			if r >= 0xd800 && r < 0xdc00 {
				if low := unhex4(raw[i:]); low >= 0xdc00 && low < 0xe000 {
					r = (r-0xd800)<<10 + (low - 0xdc00) + 0x10000
					i += 6
				}
			}
			b = utf8.AppendRune(b, r) // of half a pair it makes U+FFFD
			continue
		}
		b = append(b, c)
	}
	return string(b)
}

// unhex4 is the code unit of \uXXXX at the start of b, -1 when there is none.
func unhex4(b []byte) rune {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return -1
	}
	var r rune
	for _, c := range b[2:6] {
		r = r<<4 | unhex(c)
	}
	return r
}

// unhex is the value of a hexadecimal digit, or -1.
func unhex(c byte) rune {
	switch {
	case digit(c):
		return rune(c - '0')
	case 'a' <= c && c <= 'f':
		return rune(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return rune(c-'A') + 10
	}
	return -1
}

// AppendString writes s as JSON, characters as they are where JSON and
// JavaScript allow.
func AppendString(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for i, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, `\n`...)
		case r == '\r':
			b = append(b, `\r`...)
		case r == '\t':
			b = append(b, `\t`...)
		case r == '\b':
			b = append(b, `\b`...)
		case r == '\f':
			b = append(b, `\f`...)
		case r < ' ':
			b = append(b, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		case r == '\u2028' || r == '\u2029':
			b = append(b, `\u202`...)
			b = append(b, hex[r&15])
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\ufffd"):
			b = append(b, `\ufffd`...)
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}

// AppendNumber writes x as JavaScript's JSON.stringify does: the shortest
// digits that read back as x, no exponent from 1e-6 up to 1e21, null for NaN.
func AppendNumber(b []byte, x float64) []byte {
	switch {
	case math.IsNaN(x):
		return append(b, "null"...)
	case x == 0:
		return append(b, '0') // -0 as well
	}
	if n := int64(x); float64(n) == x && n > -1e15 && n < 1e15 {
		return strconv.AppendInt(b, n, 10)
	}
	if a := math.Abs(x); a >= 1e-6 && a < 1e21 {
		return strconv.AppendFloat(b, x, 'f', -1, 64)
	}
	b = strconv.AppendFloat(b, x, 'e', -1, 64)
	if n := len(b); n >= 4 && b[n-4] == 'e' && b[n-2] == '0' { // e-09 is e-9
		b[n-2] = b[n-1]
		b = b[:n-1]
	}
	return b
}

// AppendComma puts a comma behind what b ends in, where one is due before the next value or member: not at the beginning
// of a text, list or object, nor behind a member's name.
func AppendComma(b []byte) []byte {
	if n := len(b); n > 0 && b[n-1] != '[' && b[n-1] != '{' && b[n-1] != ':' {
		b = append(b, ',')
	}
	return b
}

// AppendStrings writes a list of strings.
func AppendStrings(b []byte, list []string) []byte { return appendList(b, list, AppendString) }

// AppendNumbers writes a list of numbers.
func AppendNumbers(b []byte, list []float64) []byte { return appendList(b, list, AppendNumber) }

func appendList[T any](b []byte, list []T, one func([]byte, T) []byte) []byte {
	b = append(b, '[')
	for _, x := range list {
		b = one(AppendComma(b), x)
	}
	return append(b, ']')
}
