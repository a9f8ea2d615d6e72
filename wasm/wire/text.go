package wire

import (
	"math"
	"strconv"

	"rcmdplab/core/jsontext"
)

// text writes JSON: commas by itself, undefined numbers as null, strings that
// are not UTF-8 with the replacement character. It is smaller than reflection
// and, unlike it, has an answer for NaN.
type text struct {
	b     []byte // written so far
	comma bool   // one is due before the next value
}

func (t *text) sep() {
	if t.comma {
		t.b = append(t.b, ',')
	}
	t.comma = true
}

func (t *text) open(c byte) *text {
	t.sep()
	t.b, t.comma = append(t.b, c), false
	return t
}

func (t *text) close(c byte) *text {
	t.b, t.comma = append(t.b, c), true
	return t
}

// key starts a member of the object that is open; its value comes next.
func (t *text) key(name string) *text {
	t.str(name)
	t.b, t.comma = append(t.b, ':'), false
	return t
}

func (t *text) num(x float64) *text {
	t.sep()
	if math.IsInf(x, 0) {
		x = math.NaN() // JSON has neither: null
	}
	t.b = jsontext.AppendNumber(t.b, x)
	return t
}

func (t *text) int(n int64) *text {
	t.sep()
	t.b = strconv.AppendInt(t.b, n, 10)
	return t
}

func (t *text) bool(v bool) *text {
	t.sep()
	t.b = strconv.AppendBool(t.b, v)
	return t
}

func (t *text) null() *text { return t.raw("null") }

// raw writes JSON text as it is.
func (t *text) raw(json string) *text {
	t.sep()
	t.b = append(t.b, json...)
	return t
}

func (t *text) str(s string) *text {
	t.sep()
	t.b = jsontext.AppendString(t.b, s)
	return t
}

// strs, nums and grid write arrays.
func (t *text) strs(v []string) *text {
	t.open('[')
	for _, s := range v {
		t.str(s)
	}
	return t.close(']')
}

func (t *text) nums(v []float64) *text {
	t.open('[')
	for _, x := range v {
		t.num(x)
	}
	return t.close(']')
}

func (t *text) grid(g [][]float64) *text {
	t.open('[')
	for _, row := range g {
		t.nums(row)
	}
	return t.close(']')
}
