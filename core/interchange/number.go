package interchange

import (
	"math"
	"strconv"
	"strings"
)

// guessDecimal is the decimal mark of the cells: the one that stands last in a cell of both, or that no
// group of three follows. either is a cell that may be thousands by one mark or decimals by the
// other (12,500), where no cell tells and the text may be of either habit.
func guessDecimal(rows [][]string, sep byte) (mark, either string) {
	votes, grouped := map[byte]int{}, map[byte]int{}
	for _, row := range rows[:min(len(rows), 2000)] {
		for _, c := range row {
			c = strings.TrimSuffix(bare(c), "%")
			if strings.IndexFunc(c, func(r rune) bool { return (r < '0' || r > '9') && !strings.ContainsRune("+-.,eE ", r) }) >= 0 || dated(c) {
				continue
			}
			last := strings.LastIndexAny(c, ".,")
			if last < 0 {
				continue
			}
			m, other := c[last], '.'+','-c[last]
			switch {
			case strings.IndexByte(c, other) >= 0:
				votes[m]++
			case strings.Count(c, string(m)) > 1: // 1.234.567
				votes[other]++
			case ungroup(c, m) == c:
				votes[m]++
			default:
				grouped[m]++
				if m == ',' || sep != ',' {
					either = c
				}
			}
		}
	}
	switch {
	case votes['.'] > 0 && votes['.'] >= votes[',']:
		return ".", ""
	case votes[','] > 0:
		return ",", ""
	case grouped[','] > grouped['.']:
		return ",", either
	}
	return ".", either
}

// bare is a cell without spaces and signs of currency around it.
func bare(cell string) string { return strings.Trim(cell, " \t\u00a0\u202f€$£¥") }

// parseNumber is Number for one cell.
func parseNumber(cell string, comma bool) (x float64, ok bool) {
	c := bare(cell)
	if strings.IndexFunc(c, func(r rune) bool { return r >= 0x80 || r == '\'' || r == ' ' }) >= 0 {
		c = grouped(c)
	}
	c = strings.ReplaceAll(c, "\u2212", "-") // the typographic minus
	scale := 1.0
	if s, found := strings.CutSuffix(c, "%"); found {
		c, scale = strings.TrimSpace(s), 100
	}
	if c == "" {
		return 0, false
	}
	if comma {
		if strings.Count(c, ",") > 1 {
			return 0, false
		}
		if i := strings.IndexByte(c, ','); i >= 0 {
			c = ungroup(c[:i], '.') + "." + c[i+1:]
		} else {
			c = ungroup(c, '.')
		}
	} else if i := strings.IndexByte(c, ','); i >= 0 {
		whole, rest := c, ""
		if j := strings.IndexByte(c, '.'); j >= 0 {
			whole, rest = c[:j], c[j:]
		}
		whole = ungroup(whole, ',')
		c = whole + rest
	}
	x, ok = rational(c)
	return x / scale, ok
}

// grouped takes out spaces and apostrophes that set groups of digits apart.
func grouped(c string) string {
	for _, space := range []string{"\u00a0", "\u202f", "\u2009"} {
		c = strings.ReplaceAll(c, space, "")
	}
	c = strings.TrimSpace(strings.ReplaceAll(c, "\u2019", "'"))
	if strings.IndexByte(c, '\'') > 0 { // 1'234.5, as in Switzerland
		c = ungroup(c, '\'')
	}
	if strings.Contains(c, " ") && strings.Trim(c, "0123456789 .,+-") == "" { // 1 234,5
		c = ungroup(c, ' ')
	}
	return c
}

// ungroup takes the marks out of 1.234.567; what is not grouped in threes
// stays as it is.
func ungroup(c string, mark byte) string {
	if mark == '\'' || mark == ' ' { // a decimal mark may follow
		if i := strings.IndexAny(c, ".,"); i > strings.LastIndexByte(c, mark) {
			return ungroup(c[:i], mark) + c[i:]
		}
	}
	parts := strings.Split(c, string(mark))
	if len(parts) < 2 || len(parts) == 2 && mark == '.' && len(parts[1]) != 3 {
		return c
	}
	for i, p := range parts {
		if i > 0 && len(p) != 3 || i == 0 && (len(strings.TrimLeft(p, "+-")) == 0 || len(strings.TrimLeft(p, "+-")) > 3) || i == 0 && strings.TrimLeft(p, "+-") == "0" {
			return c
		}
	}
	return strings.Join(parts, "")
}

// rational reads a float or a fraction such as 2/5.
func rational(c string) (float64, bool) {
	if n, d, ok := strings.Cut(c, "/"); ok {
		x, ok1 := plain(strings.TrimSpace(n))
		y, ok2 := plain(strings.TrimSpace(d))
		return x / y, ok1 && ok2 && y != 0
	}
	return plain(c)
}

// plain reads a float; hexadecimal, underscores and the like are not numbers
// here. What is too large for a float is infinite.
func plain(c string) (float64, bool) {
	switch strings.ToLower(strings.TrimLeft(c, "+-")) {
	case "inf", "infinity", "\u221e":
		if strings.HasPrefix(c, "-") {
			return math.Inf(-1), true
		}
		return math.Inf(1), true
	case "nan":
		return math.NaN(), true
	}
	for i := range len(c) {
		if b := c[i]; (b < '0' || b > '9') && b != '.' && b != '-' && b != '+' && b != 'e' && b != 'E' {
			return 0, false
		}
	}
	x, err := strconv.ParseFloat(c, 64)
	if err != nil && !math.IsInf(x, 0) {
		return 0, false
	}
	return x, true
}
