package model

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"rcmdplab/core/jsontext"
)

// How messages write names and numbers, here and in the rooms behind this one.

// Quote shows a name in quotes, cut when it is long.
func Quote(s string) string {
	if utf8.RuneCountInString(s) > 40 {
		s = string([]rune(s)[:40]) + "..."
	}
	return string(jsontext.AppendString(nil, s))
}

// Count is so many things by their noun: "1 state", "3 states", "2 probabilities".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if stem, ok := strings.CutSuffix(noun, "y"); ok {
		noun = stem + "ie"
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// Num is the shortest text that reads back as x, as JSON.
func Num(x float64) string { return string(jsontext.AppendNumber(nil, x)) }

// Digits is x to n significant digits.
func Digits(x float64, n int) string { return strconv.FormatFloat(x, 'g', n, 64) }

// Listed are words in quotes with "or", "and" or the like before the last.
func Listed[T ~string](join string, words []T) string {
	q := make([]string, len(words))
	for i, w := range words {
		q[i] = `"` + string(w) + `"`
	}
	if len(q) == 1 {
		return q[0]
	}
	return strings.Join(q[:len(q)-1], ", ") + " " + join + " " + q[len(q)-1]
}

// Names numbers names in the order of their first appearance.
type Names struct {
	All []string       // in that order
	At  map[string]int // place in All
}

// ID is the number of a name, which is added when it is new.
func (n *Names) ID(name string) int {
	i, ok := n.At[name]
	if !ok {
		if n.At == nil {
			n.At = map[string]int{}
		}
		i = len(n.All)
		n.At[name], n.All = i, append(n.All, name)
	}
	return i
}

// Place is the number of a name that is there, or that a name is where there are none; -1 for any other.
func (n *Names) Place(name string) int {
	if len(n.All) == 0 {
		if x, err := strconv.Atoi(name); err == nil {
			return x
		}
	} else if i, ok := n.At[name]; ok {
		return i
	}
	return -1
}

// Sort puts the names in their natural order and returns where each went.
func (n *Names) Sort() []int {
	to, all := make([]int, len(n.All)), make([]string, len(n.All))
	for i, j := range NaturalOrder(n.All) {
		to[j], all[i] = i, n.All[j]
		n.At[all[i]] = i
	}
	n.All = all
	return to
}
