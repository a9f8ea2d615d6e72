package interchange

import (
	"math"
	"slices"
	"strconv"

	"rcmdplab/core/model"
)

// draft puts the rows together.
func (r *tables) draft() *draft {
	in := r.in
	if len(r.rows) == 0 {
		in.haltBy(Fault{File: r.src.shown, Message: "the table has no transition"})
	}
	number := r.named
	if r.ids {
		number = r.numbered
	}
	d := number()
	d.interval, d.addUp = r.bounds, r.ids || in.counts
	if r.rewards != nil && !r.rewards[0] {
		d.sense = "minimize"
	}
	d.bare = true
	for k, name := range r.costs {
		c := d.costNamed(name)
		if c.length = slices.Contains(measures, wordOf(name)) || slices.ContainsFunc(wordsOf(name), func(w string) bool { return slices.Contains(measures, w) && len(w) > 1 }); r.told[k] {
			c.better = map[bool]string{true: "maximize", false: "minimize"}[r.rewards[k]]
		}
	}
	if r.ids && slices.Contains(r.costs, "reward") { // craam's
		d.objective = "reward"
	}
	if r.blank > 0 {
		in.note("%s of costs: taken as 0", model.Count(r.blank, "blank cell"))
	}
	d.transitions(in, r.rows, "done")
	for _, e := range r.pairs {
		for k, x := range e.costs {
			if e.a < 0 {
				d.onState(d.costs[k], e.s, x)
			} else {
				d.onPair(d.costs[k], e.s, e.a, x)
			}
		}
	}
	return d
}

// transitions adds rows with their costs. What ends an episode, by a mark that is called so, leads to an end: a state
// that is only entered so is one, and any other gets a twin that is.
func (d *draft) transitions(in *input, rows []rowOf, mark string) {
	stays, ends, goes := map[[2]int]bool{}, make([]bool, d.s), make([]bool, d.s)
	for _, e := range rows { // pairs that only lead back
		was, there := stays[[2]int{e.s, e.a}]
		stays[[2]int{e.s, e.a}] = (was || !there) && e.t == e.s
	}
	own := map[int]bool{}
	for _, e := range rows {
		if loop := stays[[2]int{e.s, e.a}]; e.ends {
			ends[e.t] = true
		} else if e.s != e.t || !loop {
			goes[e.t] = true
		}
		if !stays[[2]int{e.s, e.a}] {
			own[e.s] = true
		}
	}
	d.terminal = make([]bool, d.s)
	twin, left := map[int]int{}, 0
	for t := range ends {
		end := t
		switch {
		case !ends[t]:
			continue
		case goes[t]:
			end = d.grow(d.state(t) + " (end)")
			twin[t] = end
		case own[t]:
			left++
		}
		d.terminal[end] = true
	}
	if left > 0 {
		in.note("%s with rows of its own that are entered with %s only: the value there is 0, so those rows are left out", model.Count(left, "state"), mark)
	}
	if len(twin) > 0 {
		in.note("%s entered both with and without %s: a twin stands for the endings", model.Count(len(twin), "state"), mark)
	}
	for i := range rows {
		e := &rows[i]
		if w, ok := twin[e.t]; ok && e.ends {
			e.t = w
		}
		d.add(in, e.kernel, e.s, e.a, e.t, e.p, e.hi, e.at)
		for k, x := range e.costs {
			if x != 0 {
				d.onEntry(d.costs[k], x)
			}
		}
	}
}

// named numbers the names: numbers in their order, others as they come.
func (r *tables) named() *draft {
	if len(r.actions.All) == 0 {
		r.actions.ID("go")
	}
	st, ac, ke := r.states.Sort(), r.actions.Sort(), r.kernels.Sort()
	for _, rows := range [][]rowOf{r.rows, r.pairs} {
		for i := range rows {
			e := &rows[i]
			e.s = st[e.s]
			if e.a >= 0 {
				e.a = ac[e.a]
			}
			if e.t >= 0 {
				e.t = st[e.t]
			}
			if len(ke) > 0 {
				e.kernel = ke[e.kernel]
			}
		}
	}
	d := r.in.newDraft(r.src, len(r.states.All), len(r.actions.All), 0)
	d.states, d.actions = r.states.All, r.actions.All
	if len(r.kernels.All) > 1 {
		d.kernels = r.kernels.All
	}
	return d
}

// numbered checks ids that count from 0; gaps in states are states without an
// action, gaps in actions are actions that are never available.
func (r *tables) numbered() *draft {
	in := r.in
	low, s, a, k := math.MaxInt, 0, 0, 0
	lowA := math.MaxInt
	for _, e := range r.rows {
		low, lowA = min(low, e.s, e.t), min(lowA, e.a)
		s, a, k = max(s, e.s+1, e.t+1), max(a, e.a+1), max(k, e.kernel+1)
	}
	for _, e := range r.pairs {
		s, a = max(s, e.s+1), max(a, e.a+1)
	}
	if low == 1 && len(r.states.All) == s-1 {
		in.fromOne(r.src, r.rows[0].at, s-1)
		down := func(rows []rowOf) {
			for i := range rows {
				rows[i].s--
				rows[i].t--
				if lowA >= 1 {
					rows[i].a--
				}
			}
		}
		down(r.rows)
		down(r.pairs)
		if s--; lowA >= 1 {
			a--
		}
		in.note("ids count from 1: reduced by 1")
	}
	d := in.newDraft(r.src, s, a, r.rows[0].at)
	if k > most(len(r.src.data)) {
		in.halt(r.src, r.rows[0].at, "kernels are numbered up to %d", k-1)
	}
	if k > 1 {
		d.kernels = nil
		for i := range k {
			d.kernels = append(d.kernels, strconv.Itoa(i))
		}
	}
	return d
}

// parameters reads parameter, value.
func (r *tables) parameters(d *draft, s *sheet) {
	for i, row := range s.Rows {
		if wordOf(row[0]) != "discount" {
			r.in.note("parameter %s is left out", model.Quote(row[0]))
			continue
		}
		if x, ok := r.number(s, i, 1, "the discount"); ok {
			d.discount = x
		}
	}
}

// initial reads idstate, probability; what is missing is 0.
func (r *tables) initial(d *draft, s *sheet) {
	mu := make([]float64, d.s)
	sum := 0.0
	for i, row := range s.Rows {
		st := d.find(row[0])
		p, ok := r.number(s, i, 1, "a probability")
		if st < 0 || !ok || !(p >= 0 && p <= 1+model.RowTolerance) {
			r.in.failAt(s.file, s.where(i, 0), "found %s with probability %s; want a state and a probability", model.Quote(row[0]), model.Quote(row[1]))
			continue
		}
		mu[st] += p
		sum += p
	}
	if math.Abs(sum-1) > 1e-9 {
		r.in.failAt(s.file, 0, "the initial distribution sums to %s; want 1", model.Digits(sum, 12))
	}
	d.initial = mu
}
