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

func (in *instance) evaluate(policy []float64, guesses [][]float64, more func() bool) Evaluation {
	grid := in.onGrid(policy)
	e := Evaluation{Policy: fromGrid(grid)}
	fractions := in.total && in.wide == nil
	of := func(k int) []span { return in.returns(grid, e.Policy, k, fractions, guesses, more) }
	if e.Exact = !in.total && in.kernels != nil && in.cheap(grid); e.Exact {
		e.judge(in, in.underModels(func(k int) []span { return in.exactly(grid, k) }, more))
		return e
	}
	e.judge(in, in.underModels(of, more))
	if in.wide == nil && !in.total && e.wantsDigits(in) && in.entries()*len(in.costs) <= exactEntries {
		fractions = true
		e.judge(in, in.underModels(of, more))
	}
	return e
}

// returns are those under model k, or the worst-case ones, by cost: enclosed by residuals in fractions, or in intervals.
func (in *instance) returns(grid []int64, pi []float64, k int, fractions bool, guesses [][]float64, more func() bool) (all []span) {
	x := in.image()
	kernel, time, steps, often := in.kernel(k), x.h, in.horizon, more
	if in.wide == nil {
		often = seldom(more)
	}
	if in.total {
		time = x.duration(kernel, pi, often)
		if steps = new(big.Rat).SetFloat64(time.Hi()); steps == nil {
			goesOn(slowly)
		}
	}
	for n := range in.costs {
		if fractions {
			all = append(all, in.pinned(grid, n, k, steps, more))
			continue
		}
		y := x.alone(kernel, n)
		y.time = time
		var v []float64
		if g := k*len(in.costs) + n; g < len(guesses) && len(guesses[g]) == in.S && finiteAll(guesses[g]) {
			v = guesses[g]
		}
		all = append(all, spanOf(y.returns(pi, v, often)))
	}
	return all
}

// wantsDigits reports whether it matters by how much a limit is missed, or digits of
// the objective are missing.
func (e *Evaluation) wantsDigits(in *instance) bool {
	if !e.Feasible() {
		return true
	}
	objective := enclosure.Of(e.Returns[0].Lo, e.Returns[0].Hi)
	size := objective.Abs()
	if k := &in.costs[0]; k.least.Cmp(k.top) != 0 { // how far apart two returns can be
		_, w := in.costRange(0)
		size = size.Min(enclosure.Around(w.Mul(w, in.horizon)))
	}
	return !objective.Width().AtMost(size.Mul(sharp))
}

// entries is how many successors the rows of the set list.
func (in *instance) entries() (count int) {
	u := &in.p.Uncertainty
	for _, k := range append(slices.Clone(u.Kernels), u.Nominal, u.Upper) {
		if k != nil {
			count += len(k.Prob)
		}
	}
	if u.SupportAll {
		count = max(count, in.Pairs()*in.S)
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

// exactly are the returns under model k as fractions.
func (in *instance) exactly(grid []int64, k int) (all []span) {
	for _, j := range in.exactSystem(in.kernels[k], grid).solve() {
		all = append(all, span{j, j})
	}
	return all
}

// judge compares proved ranges with the thresholds.
func (e *Evaluation) judge(in *instance, ranges []span) {
	e.Returns = e.Returns[:0]
	below := func(a, b *big.Rat) float64 { // at most a - b
		if a == nil || b == nil {
			return enclosure.Line().Lo()
		}
		return enclosure.Below(new(big.Rat).Sub(a, b))
	}
	none := new(big.Rat)
	for n, v := range ranges {
		r := Return{Slack: enclosure.Undefined(), Miss: enclosure.Undefined(), Verdict: Met}
		if n > 0 {
			b := in.b[n]
			if most := in.most(n); !in.total && most.Cmp(b) <= 0 && (v.hi == nil || most.Cmp(v.hi) < 0) { // no policy can miss it
				v.hi = most
			}
			r.Slack, r.Miss = below(b, v.hi), below(v.lo, b)
			switch {
			case v.hi != nil && v.hi.Cmp(b) <= 0:
			case v.lo != nil && v.lo.Cmp(b) > 0:
				r.Verdict = Violated
			default:
				r.Verdict = Undecided
			}
		}
		r.Lo, r.Hi = below(v.lo, none), enclosure.Line().Hi()
		if v.hi != nil {
			r.Hi = enclosure.Above(v.hi)
		}
		e.Returns = append(e.Returns, r)
	}
}
