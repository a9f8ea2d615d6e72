package model

import (
	"cmp"
	"math"
	"slices"
	"strconv"
)

// NaturalOrder is the order in which names of states or actions are listed, as
// places in names: those with a number in them by their numbers ("wear 3" before
// "wear 10"), behind them the others as they stand ("failed"). Names without two
// numbers among them stay as they are.
func NaturalOrder(names []string) []int {
	order, keys, numbered := make([]int, len(names)), make([][]chunk, len(names)), 0
	for i, s := range names {
		order[i] = i
		if keys[i] = chunks(s); keys[i] != nil {
			numbered++
		}
	}
	if numbered < 2 {
		return order
	}
	slices.SortStableFunc(order, func(i, j int) int {
		x, y := keys[i], keys[j]
		if x == nil || y == nil {
			return cmp.Compare(min(len(y), 1), min(len(x), 1))
		}
		return slices.CompareFunc(x, y, func(a, b chunk) int {
			return cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.text, b.text))
		})
	})
	return order
}

// chunk is a run of digits or of other characters of a name.
type chunk struct {
	number float64 // value of the digits; infinite for other characters
	text   string  // as written
}

// chunks cuts a name at its numbers; nil for a name without any.
func chunks(s string) (all []chunk) {
	if x, err := strconv.ParseFloat(s, 64); err == nil && !math.IsNaN(x) {
		return []chunk{{x, s}}
	}
	digits := false
	for i := 0; i < len(s); {
		j := i
		for j < len(s) && (s[j] >= '0' && s[j] <= '9') == (s[i] >= '0' && s[i] <= '9') {
			j++
		}
		c := chunk{math.Inf(1), s[i:j]}
		if s[i] >= '0' && s[i] <= '9' {
			c.number, _ = strconv.ParseFloat(s[i:j], 64)
			digits = true
		}
		all = append(all, c)
		i = j
	}
	if !digits {
		return nil
	}
	return all
}
