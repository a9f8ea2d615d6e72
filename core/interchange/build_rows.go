package interchange

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"rcmdplab/core/model"
)

// merge adds up repeated successors where that is what the format means or
// the person says, and refuses them otherwise.
func (in *input) merge(d *draft) {
	same := func(i int) bool {
		x, y := &d.entries[i-1], &d.entries[i]
		return x.kernel == y.kernel && x.s == y.s && x.a == y.a && x.t == y.t
	}
	twice := 0
	for i := 1; i < len(d.entries); i++ {
		if same(i) {
			twice++
		}
	}
	if twice == 0 {
		return
	}
	otherwise := "refuse"
	if d.addUp {
		otherwise = "add"
	}
	if in.choose("duplicates", "A successor listed twice", fmt.Sprintf("%s repeated.", model.Count(twice, "transition")), otherwise,
		Option{"refuse", "is a mistake: refuse it"}, Option{"add", "adds up, its rewards averaged by probability"}) == "refuse" {
		for i := 1; i < len(d.entries); i++ {
			if e := &d.entries[i]; same(i) {
				f := d.fault(int(e.s), int(e.a), int(e.at), "%s leading to %s is listed twice", d.place(int(e.s), int(e.a)), model.Quote(d.state(int(e.t))))
				f.Fix = &Fix{"add repeated probabilities up", "duplicates", `"add"`}
				in.fail(f)
				if len(in.faults) >= maxFaults {
					return
				}
			}
		}
		return
	}
	n := 0 // the first of those that are the same
	for i := 1; i < len(d.entries); i++ {
		if !same(i) {
			n = i
			continue
		}
		x, y := &d.entries[n], &d.entries[i]
		for _, c := range d.costs {
			if c.entry == nil {
				continue
			}
			if w := x.p + y.p; w > 0 {
				c.put(x.id, (x.p*c.by(x.id)+y.p*c.by(y.id))/w)
			} else {
				c.put(x.id, (c.by(x.id)+c.by(y.id))/2)
			}
		}
		x.p += y.p
		if x.hi = min(x.hi+y.hi, 1); !d.interval {
			x.hi = x.p
		}
	}
	last := entry{s: -1}
	d.keep(func(e entry) bool {
		first := e.kernel != last.kernel || e.s != last.s || e.a != last.a || e.t != last.t
		last = e
		return first
	})
	in.note("%s listed again: probabilities added up", model.Count(twice, "successor"))
}

// rows lists the runs of entries of one kernel and pair.
func (d *draft) rows(yield func(from, to int) bool) {
	for i := 0; i < len(d.entries); {
		j := i + 1
		for j < len(d.entries) && d.entries[j].kernel == d.entries[i].kernel && d.entries[j].s == d.entries[i].s && d.entries[j].a == d.entries[i].a {
			j++
		}
		if !yield(i, j) {
			return
		}
		i = j
	}
}

// judgeRows drops rows of zeros and asks that the others are distributions, or
// intervals that hold one.
func (in *input) judgeRows(d *draft, q *answers, end int) int {
	var zero, scaled, short []int // first entries
	type missing struct {
		e entry
		p float64 // what its row lacks of 1
	}
	var rest []missing
	noisy, noise, most := 0, 0.0, 0.0 // most: that a row which is divided was off
	for i, j := range d.rows {
		lo, hi := 0.0, 0.0
		for k := i; k < j; k++ {
			lo += d.entries[k].p
			hi += d.entries[k].hi
		}
		e := d.entries[i]
		s, a := int(e.s), int(e.a)
		switch {
		case hi == 0 || !d.interval && lo == 0:
			zero = append(zero, i)
			if q.zeroRows == "refuse" {
				in.fail(d.fault(s, a, int(e.at), "the probabilities of %s are all 0", d.place(s, a)))
			}
		case d.interval:
			if lo > 1+model.RowTolerance+slack {
				in.fail(d.fault(s, a, int(e.at), "the lower bounds of %s sum to %s; want at most 1", d.place(s, a), model.Digits(lo, 12)))
			}
			if hi < 1-model.RowTolerance-slack {
				in.fail(d.fault(s, a, int(e.at), "the upper bounds of %s sum to %s; want at least 1", d.place(s, a), model.Digits(hi, 12)))
			}
		case math.Abs(lo-1) <= model.RowTolerance+slack:
			if off := math.Abs(lo - 1); off > 1e-12 {
				noisy, noise = noisy+1, max(noise, off)
			}
		case q.rows == "renormalise" && rounded(d.entries[i:j], lo):
			scaled, most = append(scaled, i), max(most, math.Abs(lo-1))
			for k := i; k < j; k++ {
				d.entries[k].p /= lo
				d.entries[k].hi = d.entries[k].p
			}
		case q.rows == "end" && lo < 1:
			short = append(short, i)
			rest = append(rest, missing{e, 1 - lo})
		case len(in.faults) >= maxFaults: // places are not free
			in.dropped++
		default:
			in.fail(in.badSum(d, q, d.entries[i:j], lo))
		}
	}
	if noisy > 0 {
		in.note("%s off 1 by at most %s in sum: rounding, accepted as it is", model.Count(noisy, "row"), model.Digits(noise, 2))
	}
	if len(zero) > 0 && q.zeroRows != "refuse" {
		in.dropRows(d, zero)
		in.note("%s of zeros: the action is taken as not available there", model.Count(len(zero), "row"))
	}
	if len(scaled) > 0 {
		in.note("%s divided by the sum, which was off by at most %s", model.Count(len(scaled), "row"), model.Digits(most, 2))
	}
	if len(rest) > 0 {
		if end < 0 {
			end = d.grow("end")
			d.leads(end, 0, end)
		}
		for _, m := range rest {
			d.push(int(m.e.kernel), int(m.e.s), int(m.e.a), end, m.p, m.p, -1)
		}
		in.note("%s short of 1: what is missing leads to the added state %s at no cost", model.Count(len(short), "row"), model.Quote(d.state(end)))
		d.sort()
	}
	return end
}

// judgeOthers judges, where the reading met faults of pairs, the rows of all others:
// what is wrong with them is a cause of its own.
func (in *input) judgeOthers(d *draft) {
	if d.interval || in.answered("rows") || len(in.faults) >= maxFaults {
		return
	}
	said := map[[2]string]bool{}
	for _, f := range in.faults {
		if f.State == "" && !f.aside {
			return // nothing is known of what it touches
		}
		said[[2]string{f.State, f.Action}] = true
	}
	d.sort()
	for i, j := range d.rows {
		sum, twice := 0.0, false
		for k := i; k < j; k++ {
			sum += d.entries[k].p
			twice = twice || k > i && d.entries[k].t == d.entries[k-1].t
		}
		e := d.entries[i]
		names := [2]string{d.state(int(e.s)), d.action(int(e.a))}
		if sum != 0 && math.Abs(sum-1) > model.RowTolerance+slack && (!twice || d.addUp) && !said[names] && !said[[2]string{names[0]}] {
			in.fail(in.badSum(d, &answers{}, d.entries[i:j], sum))
		}
	}
}

// rounded says whether a row is off 1 by no more than is mended in a document, or than its numbers may have lost where
// they were rounded to so many decimals, as 33.3 % three times.
func rounded(row []entry, sum float64) bool {
	decimals := 0
	for _, e := range row {
		_, after, _ := strings.Cut(model.Digits(e.p, 9), ".")
		decimals = max(decimals, len(after))
	}
	lost := 0.0
	if decimals > 1 { // of tenths a third of the rows that people mistype would fit
		lost = float64(len(row)) / 2 * math.Pow10(-decimals)
	}
	return math.Abs(sum-1) <= max(model.RepairTolerance, lost)+slack
}

func (in *input) badSum(d *draft, q *answers, row []entry, sum float64) Fault {
	e := row[0]
	s, a := int(e.s), int(e.a)
	word := "too much"
	if sum < 1 {
		word = "short"
	}
	where := ""
	if len(d.kernels) > 1 {
		where = " under kernel " + model.Quote(d.kernels[e.kernel])
	}
	f := d.fault(s, a, int(e.at), "the probabilities of %s%s sum to %s; want 1 within 1e-9 (%s %s)", d.place(s, a), where, model.Digits(sum, 12), model.Digits(math.Abs(sum-1), 3), word)
	if q.rows == "refuse" && rounded(row, sum) {
		f.Fix = &Fix{"divide rows that are off by rounding by their sum", "rows", `"renormalise"`}
	} else if sum < 1 && q.rows != "end" {
		f.Fix = &Fix{"let what is missing end the episode", "rows", `"end"`}
	}
	return f
}

// dropRows drops the rows that start at the given entries.
func (in *input) dropRows(d *draft, first []int) {
	type pair struct{ kernel, s, a int32 }
	drop := make(map[pair]bool, len(first))
	for _, i := range first {
		e := &d.entries[i]
		drop[pair{e.kernel, e.s, e.a}] = true
	}
	d.keep(func(e entry) bool { return !drop[pair{e.kernel, e.s, e.a}] })
}

// endNames are names of states that say that nothing follows.
var endNames = []string{"end", "ends", "ended", "goal", "done", "terminal", "absorbing", "absorbed", "sink", "stop", "stopped", "exit", "dead", "over", "finished", "finish", "win", "won", "lose", "lost", "success", "bankrupt", "ruin", "final", "ende", "fin"}

// endless asks what states without any action are, in a table that does not say
// it and where their names do not tell.
func (in *input) endless(d *draft, stop []bool) {
	for s, ok := range stop {
		if ok && d.bare && !slices.ContainsFunc(wordsOf(d.state(s)), func(w string) bool { return slices.Contains(endNames, w) }) {
			meant := "an end or a line that is missing"
			if near := model.Meant(d.state(s), d.states); near != "" {
				meant = model.Quote(near) + ", an end, or a line that is missing"
			}
			in.open("noAction", "nothing is said of what can be done in state "+model.Quote(d.state(s))+", which is either "+meant)
			return
		}
	}
}

// stranded makes states without an action absorbing, and reports pairs that
// some kernels have and others lack.
func (in *input) stranded(d *draft, q *answers) {
	have := make([]int32, d.s*d.a) // by pair: kernels that have it
	first := make(map[int]int)     // by pair: an entry
	some := make([]bool, d.s)
	for i := range d.rows {
		e := &d.entries[i]
		g := int(e.s)*d.a + int(e.a)
		have[g]++
		if len(d.kernels) > 1 {
			first[g] = i
		}
		some[e.s] = true
	}
	for g, n := range have {
		if n == 0 || int(n) == len(d.kernels) {
			continue
		}
		e := &d.entries[first[g]]
		in.fail(d.fault(g/d.a, g%d.a, int(e.at), "%s is there in %s and missing in %s; the available actions must be the same in all of them",
			d.place(g/d.a, g%d.a), model.Count(int(n), "kernel"), model.Count(len(d.kernels)-int(n), "kernel")))
	}
	stop := make([]bool, d.s)
	for s, ok := range some {
		stop[s] = !ok
	}
	shown, n := slices.Index(stop, true), count(stop)
	if n == 0 {
		return
	}
	if q.noAction == "refuse" {
		for s := range stop {
			if stop[s] {
				in.fail(d.fault(s, -1, -1, "no action is available in state %s; every state needs one", model.Quote(d.state(s))))
			}
		}
		return
	}
	in.endless(d, stop)
	d.stay(stop, -1)
	d.sort()
	what := "state " + model.Quote(d.state(shown)) + " has no action"
	if n > 1 {
		what = fmt.Sprintf("%d states have no action, the first is %s", n, model.Quote(d.state(shown)))
	}
	in.note("%s: taken as absorbing at no cost", what)
}
