// Package jsontext reads and writes JSON text (RFC 8259) by hand: what the
// documents of this project need and no more. It accepts the texts that
// encoding/json accepts, with the same values and the same words about what is
// wrong; but nothing in it looks at types at run time, which keeps a program
// that is downloaded small.
//
// Parse checks a text once and gives a Value, which is walked in place; Check says
// where a text stops being JSON; the Append functions write.
package jsontext

// SyntaxError says where a text stops being JSON.
type SyntaxError struct {
	At      int // the byte that cannot stand there; the text's length when it ends too early
	Message string

	Trailing bool // one value has ended, and it is not all
}

// Error is the message alone: who asked knows how to show a place.
func (e *SyntaxError) Error() string { return e.Message }

// maxDepth is how deep lists and objects may nest.
const maxDepth = 10000

// What may come next in a text.
const (
	value      = iota
	firstValue // of a list: or its end
	name
	firstName // of an object: or its end
	colon
	rest // a comma or the end of the innermost list or object; only space behind the last
)

// Check returns a *SyntaxError when text is not one JSON value with space
// around it, else nil. It takes one pass.
func Check(text []byte) error {
	var open []byte // the brackets that are open
	next := value
	for i := 0; ; {
		for i < len(text) && space(text[i]) {
			i++
		}
		if i == len(text) {
			if next == rest && len(open) == 0 {
				return nil
			}
			return ended(text)
		}
		c := text[i]
		var err *SyntaxError
		switch next {
		case value, firstValue:
			switch {
			case c == ']' && next == firstValue:
				open, next = open[:len(open)-1], rest
				i++
			case c == '[' || c == '{':
				if open = append(open, c); len(open) > maxDepth {
					return invalid(text, i, "exceeded max depth")
				}
				next = firstValue
				if c == '{' {
					next = firstName
				}
				i++
			default:
				i, err = scalar(text, i)
				next = rest
			}
		case name, firstName:
			switch {
			case c == '}' && next == firstName:
				open, next = open[:len(open)-1], rest
				i++
			case c == '"':
				i, err = quoted(text, i)
				next = colon
			default:
				return invalid(text, i, "looking for beginning of object key string")
			}
		case colon:
			if c != ':' {
				return invalid(text, i, "after object key")
			}
			next = value
			i++
		case rest:
			switch {
			case len(open) == 0:
				err := invalid(text, i, "after top-level value")
				err.Trailing = true
				return err
			case c == open[len(open)-1]+2: // ] follows [ and } follows { two later in ASCII
				open = open[:len(open)-1]
			case c == ',' && open[len(open)-1] == '[':
				next = value
			case c == ',':
				next = name
			case open[len(open)-1] == '[':
				return invalid(text, i, "after array element")
			default:
				return invalid(text, i, "after object key:value pair")
			}
			i++
		}
		if err != nil {
			return err
		}
	}
}

// scalar moves over a string, number or literal.
func scalar(text []byte, i int) (int, *SyntaxError) {
	switch c := text[i]; {
	case c == '"':
		return quoted(text, i)
	case c == '-' || digit(c):
		return number(text, i)
	case c == 't':
		return literal(text, i, "true")
	case c == 'f':
		return literal(text, i, "false")
	case c == 'n':
		return literal(text, i, "null")
	}
	return i, invalid(text, i, "looking for beginning of value")
}

func quoted(text []byte, i int) (int, *SyntaxError) {
	for i++; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			return i + 1, nil
		case c < ' ':
			return i, invalid(text, i, "in string literal")
		case c == '\\':
			i++
			switch peek(text, i) {
			case 'b', 'f', 'n', 'r', 't', '\\', '/', '"':
			case 'u':
				for range 4 {
					i++
					if unhex(peek(text, i)) < 0 {
						return i, invalid(text, i, `in \u hexadecimal character escape`)
					}
				}
			default:
				return i, invalid(text, i, "in string escape code")
			}
		}
	}
	return i, ended(text)
}

func number(text []byte, i int) (int, *SyntaxError) {
	if text[i] == '-' {
		i++
	}
	switch c := peek(text, i); {
	case c == '0':
		i++
	case digit(c):
		i = digits(text, i)
	default:
		return i, invalid(text, i, "in numeric literal")
	}
	if peek(text, i) == '.' {
		i++
		if !digit(peek(text, i)) {
			return i, invalid(text, i, "after decimal point in numeric literal")
		}
		i = digits(text, i)
	}
	if c := peek(text, i); c == 'e' || c == 'E' {
		i++
		if c := peek(text, i); c == '+' || c == '-' {
			i++
		}
		if !digit(peek(text, i)) {
			return i, invalid(text, i, "in exponent of numeric literal")
		}
		i = digits(text, i)
	}
	return i, nil
}

func literal(text []byte, i int, word string) (int, *SyntaxError) {
	for k := 1; k < len(word); k++ {
		if peek(text, i+k) != word[k] {
			return i, invalid(text, i+k, "in literal "+word+" (expecting '"+word[k:k+1]+"')")
		}
	}
	return i + len(word), nil
}

// peek is the byte at i; behind the end there is space.
func peek(text []byte, i int) byte {
	if i < len(text) {
		return text[i]
	}
	return ' '
}

func digits(text []byte, i int) int {
	for digit(peek(text, i)) {
		i++
	}
	return i
}

func space(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
func digit(c byte) bool { return '0' <= c && c <= '9' }

func ended(text []byte) *SyntaxError {
	return &SyntaxError{At: len(text), Message: "unexpected end of JSON input"}
}

func invalid(text []byte, i int, context string) *SyntaxError {
	c := peek(text, i)
	shown := string(rune(c))
	switch {
	case c == '\'':
		shown = `\'`
	case c == '\\':
		shown = `\\`
	case c >= '\a' && c <= '\r':
		shown = `\` + "abtnvfr"[c-'\a':c-'\a'+1]
	case c < ' ' || c >= 0x7f && c <= 0xa0 || c == 0xad:
		const hex = "0123456789abcdef"
		if shown = `\x` + hex[c>>4:c>>4+1] + hex[c&15:c&15+1]; c >= 0x80 {
			shown = `\u00` + shown[2:]
		}
	}
	return &SyntaxError{At: min(i, len(text)-1), Message: "invalid character '" + shown + "' " + context}
}
