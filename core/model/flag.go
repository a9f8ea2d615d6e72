package model

import (
	"slices"
	"strings"
)

// Flag reads a word that says yes or no, in the languages in which columns are known; ok is
// false for any other. A blank says no.
func Flag(word string) (yes, ok bool) {
	w := strings.ToLower(word)
	if slices.Contains([]string{"true", "1", "1.0", "yes", "y", "t", "ja", "wahr", "oui", "vrai", "si", "sí", "verdadero", "sim", "verdadeiro", "vero", "waar", "x"}, w) {
		return true, true
	}
	return false, slices.Contains([]string{"false", "0", "0.0", "no", "n", "f", "", "none", "nan", "nein", "falsch", "non", "faux", "falso", "não", "nee", "onwaar"}, w)
}
