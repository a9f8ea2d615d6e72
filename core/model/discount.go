package model

import (
	"math"
	"strconv"
)

// Rest is 1-γ for the γ that a document writes, rounded once. The float64 nearest
// to .9999999 is off by 5e-17, which is nothing beside γ and 5e-10 of 1-γ: every
// return would be off by as much, and below what a proof in decimals says.
func Rest(gamma float64) float64 {
	// γ = digits · 10^-places, its shortest decimal.
	text := strconv.AppendFloat(nil, gamma, 'e', -1, 64)
	digits, places := uint64(0), 0
	for i, c := range text {
		if c == 'e' {
			exponent, _ := strconv.Atoi(string(text[i+1:]))
			places -= exponent
			break
		}
		if c == '.' {
			continue
		}
		digits = 10*digits + uint64(c-'0')
		if i > 0 {
			places++
		}
	}
	if !(gamma > 0 && gamma < 1) || places > 18 { // tiny, or a power of two below 1 to its last digit
		return 1 - gamma
	}
	whole := uint64(1)
	for range places {
		whole *= 10
	}
	return float64(whole-digits) / math.Pow10(places)
}
