package model

import (
	"math"
	"strconv"
	"strings"
)

// What people write who come from other tools, and what to write here.

// hintSyntax is what to write instead of what stopped the grammar at byte i of
// the text, or "".
func hintSyntax(data []byte, i int) string {
	rest := string(data[min(i, len(data)):min(i+12, len(data))])
	for _, w := range []struct{ found, say string }{
		{"None", "None is Python's word; JSON writes null"},
		{"True", "JSON writes true"},
		{"False", "JSON writes false"},
		{"undefined", "JSON writes null"},
		{"nan", "there is no such number; what is not available is null"},
		{"inf", "there is no such number; what is not available is null"},
		{"-inf", "there is no such number; what is not available is null"},
		{"'", "JSON puts names in double quotes"},
		{"%", "a percentage is written as a fraction, 80% as 0.8"},
		{"//", "JSON has no comments; notes go into \"description\" or \"source\""},
		{"#", "JSON has no comments; notes go into \"description\" or \"source\""},
	} {
		if strings.HasPrefix(rest, w.found) {
			return w.say
		}
	}
	if i > 0 && i < len(data) && (data[i] == ']' || data[i] == '}') {
		j := i - 1
		for j > 0 && strings.IndexByte(" \t\r\n", data[j]) >= 0 {
			j--
		}
		if data[j] == ',' {
			return "take away the comma before it"
		}
	}
	return ""
}

// meantNumber is the number that a text stands for, with what is to be said of
// it: a number in quotes, a percentage, a decimal comma, a fraction.
func meantNumber(s string) (x float64, say string, ok bool) {
	t := strings.TrimSpace(s)
	say = "without quotes"
	factor := 1.0
	if u, percent := strings.CutSuffix(t, "%"); percent {
		t, factor, say = strings.TrimSpace(u), 100, "as a fraction and without quotes"
	}
	if strings.Count(t, ",") == 1 && !strings.Contains(t, ".") {
		t, say = strings.Replace(t, ",", ".", 1), say+", with a decimal point"
	}
	if a, b, fraction := strings.Cut(t, "/"); fraction && factor == 1 {
		p, err := strconv.ParseFloat(strings.TrimSpace(a), 64)
		q, err2 := strconv.ParseFloat(strings.TrimSpace(b), 64)
		if err != nil || err2 != nil || q == 0 {
			return 0, "", false
		}
		return p / q, "as a decimal number and without quotes", true
	}
	x, err := strconv.ParseFloat(t, 64)
	x /= factor
	return x, say, err == nil && !math.IsInf(x, 0) && !math.IsNaN(x)
}

// notAvailable is what to do about a value that stands for "not allowed".
const notAvailable = `an action that is not allowed has null for its row of transitions, and for its costs`

// commas is a hint where a list has twice the numbers wanted.
func commas(found, want int) string {
	if want > 0 && found == 2*want {
		return "; a decimal comma? JSON writes 0.5"
	}
	return ""
}
