package interchange

import (
	"slices"

	"rcmdplab/core/model"
)

// episodes.go — what of a model whose costs are not discounted is an end, and whether play comes to one.

// comesToAnEnd reports of a format that has no discount whether some plan surely comes to an end. Ends are the goal and the
// states from which no reward of the file is paid any more.
func (d *draft) comesToAnEnd(goal []int) bool {
	if !d.undiscounted {
		return false
	}
	pays, end := make([]bool, d.s), make([]bool, d.s)
	for _, c := range d.costs {
		for _, e := range d.entries {
			pays[e.s] = pays[e.s] || c.pair != nil && c.pair[int(e.s)*d.a+int(e.a)] != 0 || c.by(e.id) != 0
		}
	}
	for s, is := range d.left() {
		end[s] = !is && !pays[s]
	}
	for _, s := range goal {
		end[s], pays[s] = true, true
	}
	if !slices.Contains(pays, true) {
		return false // nothing counts
	}
	w := d.walks()
	w.addOver(end, pays)
	initial := d.initial
	if initial == nil {
		initial = []float64{1}
	}
	surely := w.surely(end)
	for s, p := range initial {
		if p > 0 && !surely[s] {
			return false
		}
	}
	return true
}

// ends marks what is an end where nothing is discounted: what is never left and costs nothing, or 1 for having got there, and
// where nothing else is come to and nothing is paid. Where all that counts is how probable it is to get somewhere, and the less
// the better, it is also where a plan may stay for ever and never get there.
func (d *draft) ends(p *model.Problem, costs []*model.Cost, goal func(*model.Cost) bool) (end []bool, n int) {
	end = make([]bool, d.s)
	pays := make([]bool, d.s)
	for i := range d.entries {
		e := &d.entries[i]
		for _, c := range costs {
			pays[e.s] = pays[e.s] || e.hi > 0 && c.At(int(e.s)*d.a+int(e.a), int(e.t), d.s) != 0
		}
	}
	for s, is := range d.left() {
		end[s] = !is
		for a := range d.a {
			for _, c := range costs {
				x := c.At(s*d.a+a, s, d.s)
				end[s] = end[s] && (p.Layout.Pair(s, a) < 0 || x == 0 || x == 1 && goal(c))
			}
		}
	}
	w := d.walks()
	w.addOver(end, pays)
	chances := !p.Maximize
	for k, c := range costs {
		chances = chances && goal(c) && (k == 0 || !p.Constraints[k-1].AtLeast)
	}
	if chances {
		for s, is := range w.forced(pays) {
			end[s] = end[s] || !is
		}
	}
	return end, count(end)
}

// left marks the states that some move leads out of.
func (d *draft) left() []bool {
	left := make([]bool, d.s)
	for i := range d.entries {
		e := &d.entries[i]
		left[e.s] = left[e.s] || e.t != e.s && e.hi > 0
	}
	return left
}

// walks are the entries of a draft by the state that they lead to: those to s are into[first[s]:first[s+1]].
type walks struct {
	*draft
	first []int // by state, and one more: where its own begin in into
	into  []int // indices of entries
}

func (d *draft) walks() walks {
	w := walks{d, make([]int, d.s+1), make([]int, len(d.entries))}
	for i := range d.entries {
		w.first[d.entries[i].t]++
	}
	for s := 1; s <= d.s; s++ {
		w.first[s] += w.first[s-1]
	}
	for i := len(d.entries) - 1; i >= 0; i-- {
		t := d.entries[i].t
		w.first[t]--
		w.into[w.first[t]] = i
	}
	return w
}

// back marks these states and, one after another, those of which an entry that leads to a marked one joins them.
func (w walks) back(these []bool, joins func(e *entry) bool) []bool {
	is, queue := slices.Clone(these), make([]int, 0, w.s)
	for s, x := range is {
		if x {
			queue = append(queue, s)
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		for _, i := range w.into[w.first[queue[0]]:w.first[queue[0]+1]] {
			if e := &w.entries[i]; !is[e.s] && e.hi > 0 && joins(e) {
				is[e.s], queue = true, append(queue, int(e.s))
			}
		}
	}
	return is
}

// addOver adds to the ends the states from which play comes to none and is paid nothing any more, where anything is paid at all.
func (w walks) addOver(end, pays []bool) {
	if !slices.Contains(pays, true) {
		return
	}
	matters := slices.Clone(end)
	for s, is := range pays {
		matters[s] = matters[s] || is
	}
	for s, is := range w.back(matters, func(*entry) bool { return true }) {
		end[s] = end[s] || !is
	}
}

// forced marks these states and those from which no plan keeps away from them for ever.
func (w walks) forced(these []bool) []bool {
	pairs, hit := make([]int, w.s), make([]bool, w.s*w.a) // of a state, that do not lead to one marked; those that do
	seen := make([]bool, w.s*w.a)
	for i := range w.entries {
		e := &w.entries[i]
		if g := int(e.s)*w.a + int(e.a); !seen[g] {
			seen[g] = true
			pairs[e.s]++
		}
	}
	return w.back(these, func(e *entry) bool {
		if g := int(e.s)*w.a + int(e.a); !hit[g] {
			hit[g] = true
			pairs[e.s]--
		}
		return pairs[e.s] == 0
	})
}

// surely marks the states from which some plan comes to an end with probability 1, whatever nature does: by pairs that lead
// to nowhere else, those left out one after another.
func (w walks) surely(end []bool) []bool {
	barred := make([]bool, w.s*w.a)
	for {
		can := w.back(end, func(e *entry) bool { return e.p > 0 && !barred[int(e.s)*w.a+int(e.a)] })
		more := false
		for i := range w.entries {
			e := &w.entries[i]
			if g := int(e.s)*w.a + int(e.a); e.hi > 0 && !can[e.t] && !barred[g] {
				barred[g], more = true, true
			}
		}
		if !more {
			return can
		}
	}
}
