package interchange

import (
	"math"
	"slices"

	"rcmdplab/core/model"
)

// inferred are the roles of columns whose names say nothing, by what is in them:
// the next state holds the names of the states, the action is the text that is
// left, an episode is text that stays for several rows and does not come back, a
// step counts up. known are the roles that names tell; "" where nothing does.
func (t *Table) inferred(known []string) []string {
	out := make([]string, len(known))
	var texts []int
	for c, role := range known {
		switch {
		case role != "":
		case !t.numeric(c) && !t.flags(c):
			texts = append(texts, c)
		case t.Columns[c] == "d" && (t.flags(c) || t.wholes(c)): // of (s, a, r, s', d)
			out[c] = roleDone
		}
	}
	take := func(c int, role string) {
		out[c] = role
		texts = slices.DeleteFunc(texts, func(x int) bool { return x == c })
	}
	state, next := slices.Index(known, roleState), slices.Index(known, roleNext)
	if now, then := t.followed(); len(now) == 1 && known[now[0]] == "" && known[then[0]] == "" {
		state, next = now[0], then[0]
		take(state, roleState)
		take(next, roleNext)
	}
	if state < 0 && next < 0 {
		if state, next = t.chained(known); state >= 0 {
			take(state, roleState)
			take(next, roleNext)
			if left := t.choices(known, out); !slices.Contains(known, roleAction) && len(texts) == 0 && len(left) == 1 {
				take(left[0], roleAction)
			}
		}
	}
	if state < 0 {
		for _, i := range texts {
			others := texts
			if next >= 0 {
				others = []int{next}
			}
			if slices.ContainsFunc(others, func(j int) bool { return (j > i || j == next) && t.sameNames(i, j) && t.sameNames(j, i) }) {
				state = i
				take(i, roleState)
				break
			}
		}
	}
	if next < 0 && state >= 0 {
		if next = t.follower(state, known); next >= 0 {
			take(next, roleNext)
		}
	}
	if i := slices.IndexFunc(texts, t.inRuns); i >= 0 && len(texts) > 1 && texts[i] < state && !slices.Contains(known, roleEpisode) {
		take(texts[i], roleEpisode)
	}
	if !slices.Contains(known, roleAction) && len(texts) > 0 {
		take(texts[0], roleAction)
	}
	if i := slices.IndexFunc(texts, t.inRuns); i >= 0 && texts[i] < state && !slices.Contains(known, roleEpisode) && !slices.Contains(out, roleEpisode) {
		take(texts[i], roleEpisode)
	}
	if logged := slices.ContainsFunc(known, func(r string) bool { return slices.Contains(logRoles, r) }) || slices.Contains(out, roleEpisode); state < 0 && logged && len(texts) > 0 && slices.Contains(known, roleAction) {
		take(texts[0], roleState) // the text that is left beside the action
	}
	if !slices.Contains(known, roleStep) {
		for c, role := range known {
			if role == "" && out[c] == "" && t.countsUp(c) {
				take(c, roleStep)
				break
			}
		}
	}
	return out
}

// chained are the two columns of numbers, called nothing, of which one is within each episode what the other
// is a row later, and is seen to change; -1 where none or several are.
func (t *Table) chained(known []string) (state, next int) {
	state, next = -1, -1
	e := slices.Index(known, roleEpisode)
	for i := range known {
		for j := range known {
			if e < 0 || i == j || known[i] != "" || known[j] != "" || !t.numeric(i) || !t.numeric(j) {
				continue
			}
			fits, changes := true, 0
			for r := 1; r < len(t.Rows) && fits; r++ {
				if now, last := t.Rows[r], t.Rows[r-1]; now[e] == last[e] {
					fits = now[i] == last[j]
					if now[i] != last[i] {
						changes++
					}
				}
			}
			if fits && changes > 0 {
				if state >= 0 {
					return -1, -1
				}
				state, next = i, j
			}
		}
	}
	return state, next
}

// choices are the columns left that hold whole numbers, few of them.
func (t *Table) choices(known, out []string) (all []int) {
	for c := range known {
		whole := known[c] == "" && out[c] == "" && t.numeric(c)
		seen := t.distinct(c)
		for v := range seen {
			x, _ := t.Number(v)
			whole = whole && x == math.Trunc(x)
		}
		if whole && len(seen) <= 20 {
			all = append(all, c)
		}
	}
	return all
}

// follower is the column of names of states that is the state of the row below most
// often; numbers must be it nearly always, as they may be anything. -1 for none.
func (t *Table) follower(state int, known []string) int {
	best, most := -1, -1
	for c := range known {
		if known[c] != "" || c == state || !t.sameNames(state, c) || slices.ContainsFunc(wordsOf(t.Columns[c]), func(w string) bool {
			return slices.Contains([]string{"previous", "prev", "last", "before", "old", "vorher", "voriger"}, w)
		}) {
			continue
		}
		below := 0
		for i := 1; i < len(t.Rows); i++ {
			if t.Rows[i-1][c] == t.Rows[i][state] {
				below++
			}
		}
		if t.numeric(c) && (len(t.Rows) < 4 || 4*below < 3*(len(t.Rows)-1)) {
			continue
		}
		if c > state && below > most {
			best, most = c, below
		}
	}
	return best
}

// sameNames says whether most cells of a column occur in another.
func (t *Table) sameNames(of, c int) bool {
	known := t.distinct(of)
	n := 0
	for _, row := range t.Rows {
		if known[row[c]] {
			n++
		}
	}
	return 2*n > len(t.Rows)
}

func (t *Table) distinct(c int) map[string]bool {
	seen := map[string]bool{}
	for _, row := range t.Rows {
		seen[row[c]] = true
	}
	return seen
}

// inRuns says whether every value of a column stands in rows that follow one another, some in several.
func (t *Table) inRuns(c int) bool {
	changes := 1
	for i := 1; i < len(t.Rows); i++ {
		if t.Rows[i][c] != t.Rows[i-1][c] {
			changes++
		}
	}
	return changes == len(t.distinct(c)) && changes > 1 && 2*changes <= len(t.Rows)
}

// countsUp says whether a column of whole numbers goes up by one from row to row
// and else begins anew.
func (t *Table) countsUp(c int) bool {
	up, least, greatest := 0, math.Inf(1), math.Inf(-1)
	for i := 1; i < len(t.Rows); i++ {
		x, ok := t.Number(t.Rows[i-1][c])
		y, too := t.Number(t.Rows[i][c])
		if !ok || !too || y != x+1 && y > x || y == x {
			return false
		}
		if y == x+1 {
			up++
		}
		least, greatest = min(least, x, y), max(greatest, x, y)
	}
	return 2*up >= len(t.Rows)-1 && greatest > least+1
}

// wholes says whether a column holds 0 and 1 alone.
func (t *Table) wholes(c int) bool {
	return t.all(c, func(v string) bool { return v == "0" || v == "1" || v == "" })
}

// flags says whether a column only says yes or no.
func (t *Table) flags(c int) bool {
	return t.all(c, func(v string) bool {
		_, ok := model.Flag(v)
		return ok && (v == "" || len(v) > 1 && v[1] != '.')
	})
}

// numbers says whether a column only numbers the rows: from 0 or 1, each number once.
func (t *Table) numbers(c int) bool {
	n := len(t.Rows)
	seen := make([]bool, n+1)
	for _, row := range t.Rows {
		x, ok := t.Number(row[c])
		if !ok || !(x >= 0 && x <= float64(n)) || x != math.Trunc(x) || seen[int(x)] {
			return false
		}
		seen[int(x)] = true
	}
	return n > 3 && (!seen[0] || !seen[n])
}
