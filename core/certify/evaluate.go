package certify

import (
	"math/big"
	"slices"

	"rcmdplab/core/certify/enclosure"
)

// Verdict says whether a constraint is met.
type Verdict int

// The verdicts.
const (
	Undecided Verdict = iota // the proved range of the return holds the bound
	Met
	Violated
)

// Return is what is proved about the worst-case return of one cost, in the
// internal convention of model.Standard. Every number is rounded outwards.
type Return struct {
	Lo, Hi  float64 // Lo <= J_{c_n,U}(π) <= Hi
	Slack   float64 // at most b_n - J_{c_n,U}(π); NaN for the objective
	Miss    float64 // at most J_{c_n,U}(π) - b_n, above 0 where the constraint is violated; NaN for the objective
	Verdict Verdict // of the constraint; Met for the objective
}

// Evaluation is what is proved about one policy.
type Evaluation struct {
	Policy  []float64 // the policy on the grid of 2^-48, exact: what is certified
	Returns []Return  // by cost, the objective first
	Exact   bool      // every return was computed as an exact rational number
}

// Feasible reports whether every constraint is proved to be met.
func (e *Evaluation) Feasible() bool {
	for _, r := range e.Returns {
		if r.Verdict != Met {
			return false
		}
	}
	return true
}

// Above this many 64-bit products (about 50 ms, four times that in wasm) a
// finite set is not evaluated by elimination in exact fractions.
const exactWork = 100_000_000

// Above so many entries of rows the exact residuals of a policy (pinned) are
// left away; each takes about 1 µs.
const exactEntries = 1_000_000

func (in *instance) evaluate(policy []float64, guesses [][]float64, more func() bool) (Evaluation, error) {
	grid, err := in.onGrid(policy)
	if err != nil {
		return Evaluation{}, err
	}
	e := Evaluation{Policy: fromGrid(grid)}
	if in.total && in.wide == nil {
		return e, e.judgeEpisodes(in, grid, more)
	}
	if in.kernels != nil && in.cheap(grid) {
		e.Exact = true
		return e, e.judgeExactly(in, grid, more)
	}
	x, err := in.image()
	if err != nil {
		return Evaluation{}, err
	}
	ask := more
	if in.wide == nil {
		ask = seldom(more)
	}
	spans, err := x.returns(e.Policy, guesses, ask)
	if err != nil {
		return Evaluation{}, err
	}
	e.judge(in, spans)
	if in.wide == nil && e.wantsDigits(in, spans[0]) && in.entries()*len(in.costs) <= exactEntries {
		ranges, err := in.pinned(grid, more)
		if err != nil {
			return Evaluation{}, err
		}
		e.judgeSpans(in, ranges)
	}
	return e, nil
}

// wantsDigits reports whether it matters by how much a limit is missed, or digits of
// the objective are missing.
func (e *Evaluation) wantsDigits(in *instance, objective interval) bool {
	if !e.Feasible() {
		return true
	}
	size := objective.Abs()
	if w, differ := in.widest(); differ {
		size = size.Min(w)
	}
	return !objective.Width().AtMost(size.Mul(sharp))
}

// widest is how far apart two returns of the objective can be; false where its costs are all alike.
func (in *instance) widest() (w interval, differ bool) {
	lo, width := in.costRange(0)
	for _, x := range slices.Concat(in.costs[0].flat, in.costs[0].next) {
		if x.Cmp(lo) != 0 {
			return enclosure.Around(new(big.Rat).Mul(width, in.horizon)), true
		}
	}
	return zero, false
}

// entries is how many successors the rows of the set list.
func (in *instance) entries() int {
	count := 0
	for _, rows := range in.kernels {
		for i := range rows {
			count += len(rows[i].next)
		}
	}
	for i := range in.nominal {
		if in.p.Uncertainty.SupportAll {
			count += in.S
		} else {
			count += len(in.nominal[i].next)
		}
	}
	for i := range in.upper {
		count += len(in.upper[i].next)
	}
	return count
}

// cheap reports whether a policy is evaluated under all kernels by elimination.
func (in *instance) cheap(grid []int64) bool {
	work := 0
	for _, rows := range in.kernels {
		if work += in.work(rows, grid); work > exactWork {
			return false
		}
	}
	return true
}

// judgeEpisodes encloses the returns at discount 1, in fractions.
func (e *Evaluation) judgeEpisodes(in *instance, grid []int64, more func() bool) error {
	ranges, err := in.episodes(grid, more)
	if err == nil {
		e.judgeSpans(in, ranges)
	}
	return err
}

// judgeExactly averages the returns of each cost over the kernels, or takes the largest.
func (e *Evaluation) judgeExactly(in *instance, grid []int64, more func() bool) error {
	each := make([][]*big.Rat, len(in.costs))
	for _, rows := range in.kernels {
		if !more() {
			return ErrLeft
		}
		for n, j := range in.exactSystem(rows, grid).solve() {
			each[n] = append(each[n], j)
		}
	}
	ranges := make([]span, len(each))
	for n, j := range each {
		x := in.average(n, j)
		ranges[n] = span{x, x}
	}
	e.judgeSpans(in, ranges)
	return nil
}

// judgeSpans compares exact ranges with the thresholds.
func (e *Evaluation) judgeSpans(in *instance, ranges []span) {
	e.Returns = e.Returns[:0]
	for n, v := range ranges {
		r := Return{Slack: enclosure.Undefined(), Miss: enclosure.Undefined(), Verdict: Met}
		if n > 0 {
			if most := in.most(n); !in.total && most.Cmp(v.hi) < 0 && most.Cmp(in.b[n]) <= 0 { // no policy can miss it
				v.hi = most
			}
			r.Slack = enclosure.Below(new(big.Rat).Sub(in.b[n], v.hi))
			r.Miss = enclosure.Below(new(big.Rat).Sub(v.lo, in.b[n]))
			switch {
			case v.hi.Cmp(in.b[n]) <= 0:
			case v.lo.Cmp(in.b[n]) > 0:
				r.Verdict = Violated
			default:
				r.Verdict = Undecided
			}
		}
		r.Lo, r.Hi = enclosure.Below(v.lo), enclosure.Above(v.hi)
		e.Returns = append(e.Returns, r)
	}
}

// judge compares proved ranges with the thresholds.
func (e *Evaluation) judge(in *instance, ranges []interval) {
	for n, v := range ranges {
		r := Return{Lo: v.Lo(), Hi: v.Hi(), Slack: enclosure.Undefined(), Miss: enclosure.Undefined(), Verdict: Met}
		if n > 0 {
			b := enclosure.Around(in.b[n])
			slack := b.Sub(v)
			most := in.most(n)
			never := !in.total && most.Cmp(in.b[n]) <= 0 // no policy can miss it
			if never {
				r.Hi, slack = v.Min(enclosure.Around(most)).Hi(), slack.Max(zero)
			}
			r.Slack, r.Miss = slack.Lo(), v.Sub(b).Lo()
			switch {
			case never || v.AtMost(b):
			case b.Less(v):
				r.Verdict = Violated
			default:
				r.Verdict = Undecided
			}
		}
		e.Returns = append(e.Returns, r)
	}
}
