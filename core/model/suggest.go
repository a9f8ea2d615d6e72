package model

import (
	"slices"
	"strings"
)

// suggest names the field that was probably meant, or all that there are.
func suggest(k string, known []string) string {
	switch strings.ToLower(k) {
	case "weight", "weights", "probability", "probabilities":
		if slices.Contains(known, "kernels") {
			return `each kernel of a set of kind "finite" has its own "weight"; other sets have none`
		}
	}
	alias := map[string]string{
		"gamma": "discount", "mu": "initial", "costs": "constraints", "cost": "objective", "rewards": "objective",
		"reward": "objective", "goal": "sense", "direction": "sense", "threshold": "atMost", "bound": "atMost",
		"type": "kind", "transition": "transitions", "epsilon": "radius", "tau": "temperature", "policy": "policies", "risk": "over", "prior": "weight",
	}
	best, d := "", 3
	for _, n := range known {
		if n == alias[strings.ToLower(k)] {
			best, d = n, 0
		} else if e := distance(strings.ToLower(k), strings.ToLower(n)); e < d && e < len(n) {
			best, d = n, e
		}
	}
	if best != "" {
		return "did you mean " + quote(best) + "?"
	}
	return "the fields here are " + strings.Join(known, ", ")
}

// distance is the Levenshtein distance of short words, by bytes.
func distance(a, b string) int {
	if len(a) > 40 {
		return len(a)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diag := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diag
			if a[i] != b[j] {
				change++
			}
			diag = row[j+1]
			row[j+1] = min(change, diag+1, row[j]+1)
		}
	}
	return row[len(b)]
}
