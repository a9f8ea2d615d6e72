package interchange

import (
	"slices"

	"rcmdplab/core/model"
)

// episodes.go — what of a model whose costs are not discounted is an end, and whether play comes to one.

// total is the discount of a format that has none, where play comes to an end for sure under some plan; ok says whether
// it does. Ends are the goal and the states from which no reward of the file is paid any more.
func (d *draft) total(goal []int) (discount float64, ok bool) {
	if !d.undiscounted {
		return 0, false
	}
	pays, end := make([]bool, d.s), make([]bool, d.s)
	for _, c := range d.costs {
		for i, e := range d.entries {
			pays[e.s] = pays[e.s] || c.pair != nil && c.pair[int(e.s)*d.a+int(e.a)] != 0 || c.entry != nil && c.entry[i] != 0
		}
	}
	for _, s := range goal {
		end[s], pays[s] = true, len(d.costs) == 0
	}
	left := make([]bool, d.s)
	for i := range d.entries {
		e := &d.entries[i]
		left[e.s] = left[e.s] || e.t != e.s && e.hi > 0
	}
	if len(goal) == 0 && !slices.Contains(pays, true) {
		return 0, false // nothing counts
	}
	for s, is := range left {
		end[s] = end[s] || !is && !pays[s]
		pays[s] = pays[s] || end[s]
	}
	for s, is := range d.before(pays, nil) {
		end[s] = end[s] || !is
	}
	initial := d.initial
	if initial == nil {
		initial = []float64{1}
	}
	surely := d.surely(end)
	for s, p := range initial {
		if p > 0 && !surely[s] {
			return 0, false
		}
	}
	return 1, true
}

// before marks these states and those from which a move leads to them, at once or later: may lead, or where pairs are barred,
// by those that are not and whatever nature does.
func (d *draft) before(these, barred []bool) []bool {
	first := make([]int, d.s+1) // of the entries that lead to a state
	for i := range d.entries {
		first[d.entries[i].t]++
	}
	for s := 1; s <= d.s; s++ {
		first[s] += first[s-1]
	}
	into := make([]int, len(d.entries))
	for i := len(d.entries) - 1; i >= 0; i-- {
		t := d.entries[i].t
		first[t]--
		into[first[t]] = i
	}
	is, queue := make([]bool, d.s), make([]int, 0, d.s)
	mark := func(s int) {
		if !is[s] {
			is[s], queue = true, append(queue, s)
		}
	}
	for s, x := range these {
		if x {
			mark(s)
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		for _, i := range into[first[queue[0]]:first[queue[0]+1]] {
			if e := &d.entries[i]; e.hi > 0 && (barred == nil || e.p > 0 && !barred[int(e.s)*d.a+int(e.a)]) {
				mark(int(e.s))
			}
		}
	}
	return is
}

// surely marks the states from which some plan comes to an end with probability 1.
func (d *draft) surely(end []bool) []bool {
	barred := make([]bool, d.s*d.a)
	can := d.before(end, barred)
	for more := true; more; {
		more = false
		for i := range d.entries {
			e := &d.entries[i]
			if g := int(e.s)*d.a + int(e.a); e.hi > 0 && !can[e.t] && !barred[g] {
				barred[g], more = true, true
			}
		}
		if more {
			can = d.before(end, barred)
		}
	}
	return can
}

// ends marks what is an end where nothing is discounted: what is never left and costs nothing, or 1 for having got there, and
// where nothing else is come to and nothing is paid. Where all that counts is how probable it is to get somewhere, and the less
// the better, it is also where a plan may stay for ever and never get there.
func (d *draft) ends(p *model.Problem, costs []*model.Cost, goal func(*model.Cost) bool) (end []bool, n int) {
	left, pays := make([]bool, d.s), make([]bool, d.s)
	end = make([]bool, d.s)
	for i := range d.entries {
		e := &d.entries[i]
		left[e.s] = left[e.s] || e.t != e.s && e.hi > 0
		for _, c := range costs {
			pays[e.s] = pays[e.s] || e.hi > 0 && c.At(int(e.s)*d.a+int(e.a), int(e.t), d.s) != 0
		}
	}
	chances := !p.Maximize
	for k, c := range costs {
		chances = chances && goal(c) && (k == 0 || !p.Constraints[k-1].AtLeast)
	}
	for s := range end {
		end[s] = !left[s]
		for a := range d.a {
			for _, c := range costs {
				x := c.At(s*d.a+a, s, d.s)
				end[s] = end[s] && (p.Layout.Pair(s, a) < 0 || x == 0 || x == 1 && goal(c))
			}
		}
	}
	matters := slices.Clone(end)
	for s, is := range pays {
		matters[s] = matters[s] || is
	}
	if slices.Contains(pays, true) {
		for s, is := range d.before(matters, nil) {
			end[s] = end[s] || !is
		}
	}
	if chances {
		d.staying(end, pays)
	}
	for _, is := range end {
		if is {
			n++
		}
	}
	return end, n
}

// staying adds to the ends the states that a plan need never leave for what pays.
func (d *draft) staying(end, pays []bool) {
	stay := make([]bool, d.s)
	for s := range stay {
		stay[s] = !pays[s]
	}
	leaves := make([]bool, d.s*d.a)
	for more := true; more; {
		more = false
		some := make([]bool, d.s) // with an action that keeps to them
		for i := range d.entries {
			if e := &d.entries[i]; e.hi > 0 && !stay[e.t] {
				leaves[int(e.s)*d.a+int(e.a)] = true
			}
		}
		for i := range d.entries {
			e := &d.entries[i]
			some[e.s] = some[e.s] || !leaves[int(e.s)*d.a+int(e.a)]
		}
		for s, is := range stay {
			if is && !some[s] {
				stay[s], more = false, true
			}
		}
	}
	for s, is := range stay {
		end[s] = end[s] || is
	}
}
