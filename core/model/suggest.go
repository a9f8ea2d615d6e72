package model

import (
	"slices"
	"strings"
)

// notServed says of fields of models that are not served what is meant by them, and what to write instead.
var notServed = map[string]string{
	"rectangularity": `every set but "finite" is rectangular by state and action: nature picks each row by itself. One choice for all actions of a state, or for all states, is a "finite" list of kernels`,
	"nature":         `nature takes the worst case; what a plan comes to at best stands beside the answer, and plans are not chosen by it`,
	"durations":      `every step lasts as long; a longer one is a chain of states, or has its costs and its chance of going on in its row`,
	"duration":       `every step lasts as long; a longer one is a chain of states, or has its costs and its chance of going on in its row`,
	"distance":       `a Wasserstein ball, whose rows are near by a distance between states, is not served; "l1" and "tv" with a radius are nearest`,
	"distances":      `a Wasserstein ball, whose rows are near by a distance between states, is not served; "l1" and "tv" with a radius are nearest`,
	"chance":         `limits are on expected totals; a limit on the chance of coming to a state is a cost of 1 there, at an end state with discount 1`,
	"confidence":     `limits are on expected totals; a limit on the chance of coming to a state is a cost of 1 there, at an end state with discount 1`,
	"equals":         `a limit has one side; an equality is two limits of one cost, "atMost" and "atLeast", with two names`,
	"equal":          `a limit has one side; an equality is two limits of one cost, "atMost" and "atLeast", with two names`,
}

// suggest names the field that was probably meant, or all that there are.
func suggest(k string, known []string) string {
	switch strings.ToLower(k) {
	case "weight", "weights", "probability", "probabilities":
		if slices.Contains(known, "kernels") {
			return `each kernel of a set of kind "finite" has its own "weight"; other sets have none`
		}
	}
	if say := notServed[strings.ToLower(k)]; say != "" {
		return say
	}
	alias := map[string]string{
		"gamma": "discount", "mu": "initial", "costs": "constraints", "cost": "objective", "rewards": "objective",
		"reward": "objective", "goal": "sense", "direction": "sense", "threshold": "atMost", "bound": "atMost",
		"type": "kind", "transition": "transitions", "epsilon": "radius", "tau": "temperature", "policy": "policies", "risk": "over", "steps": "horizon", "stages": "horizon", "periods": "horizon", "decisions": "horizon", "terminal": "end", "terminals": "end", "prior": "weight",
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
		return "did you mean " + Quote(best) + "?"
	}
	return "the fields here are " + strings.Join(known, ", ")
}

// Meant is the name among others that a name was probably meant to be: the same but for capitals and space, or one or two
// letters. It is "" where there is none; names that are told apart by numbers are no slips.
func Meant(name string, among []string) string {
	plain := func(name string) string { return strings.ToLower(strings.Join(strings.Fields(name), "")) }
	mine, best, d := plain(name), "", 3
	for _, other := range among {
		if e := distance(mine, plain(other)); other != name && e < d && (e == 0 || len(mine) > 2*e+1 && !strings.ContainsAny(name+other, "0123456789")) {
			best, d = other, e
		}
	}
	return best
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
