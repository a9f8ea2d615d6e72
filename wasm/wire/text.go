package wire

import (
	"math"
	"strconv"

	"rcmdplab/core/jsontext"
	"rcmdplab/core/model"
)

// text writes JSON: commas by itself, undefined numbers as null, strings that
// are not UTF-8 with the replacement character. It is smaller than reflection
// and, unlike it, has an answer for NaN.
type text struct {
	b []byte // written so far
}

func (t *text) open(c byte) *text {
	t.b = append(jsontext.AppendComma(t.b), c)
	return t
}

func (t *text) close(c byte) *text {
	t.b = append(t.b, c)
	return t
}

// key starts a member of the object that is open; its value comes next.
func (t *text) key(name string) *text {
	t.str(name)
	t.b = append(t.b, ':')
	return t
}

func (t *text) num(x float64) *text {
	if math.IsInf(x, 0) {
		x = math.NaN() // JSON has neither: null
	}
	t.b = jsontext.AppendNumber(jsontext.AppendComma(t.b), x)
	return t
}

func (t *text) int(n int64) *text {
	t.b = strconv.AppendInt(jsontext.AppendComma(t.b), n, 10)
	return t
}

func (t *text) bool(v bool) *text {
	t.b = strconv.AppendBool(jsontext.AppendComma(t.b), v)
	return t
}

func (t *text) null() *text { return t.raw("null") }

// raw writes JSON text as it is.
func (t *text) raw(json string) *text {
	t.b = append(jsontext.AppendComma(t.b), json...)
	return t
}

func (t *text) str(s string) *text {
	t.b = jsontext.AppendString(jsontext.AppendComma(t.b), s)
	return t
}

// list writes an array of what one writes for each element.
func list[T any](t *text, all []T, one func(x T)) *text {
	t.open('[')
	for _, x := range all {
		one(x)
	}
	return t.close(']')
}

// strs, nums and grid write arrays.
func (t *text) strs(v []string) *text    { return list(t, v, func(s string) { t.str(s) }) }
func (t *text) nums(v []float64) *text   { return list(t, v, func(x float64) { t.num(x) }) }
func (t *text) grid(g [][]float64) *text { return list(t, g, func(row []float64) { t.nums(row) }) }

// maybe writes what one writes, or null where there is nothing to write.
func (t *text) maybe(there bool, one func()) *text {
	if !there {
		return t.null()
	}
	one()
	return t
}

// document writes a problem, null for none.
func (t *text) document(p *model.Problem) *text {
	return t.maybe(p != nil, func() { t.raw(string(p.Encode())) })
}
