package certify

import (
	"fmt"
	"math/big"

	"rcmdplab/core/model"
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

// Above this many 64-bit products (about half a second, four times that in
// wasm) a finite set is evaluated with outward rounding instead of exactly.
const exactWork = 1e9

// Evaluate proves the worst-case returns of a policy, by pair of the layout.
//
// For a finite set the returns are exact rational numbers, rounded outwards at
// the very end, when the problem is small (S up to about 25), so that a
// constraint is Met if and only if J_n <= b_n; for larger ones they are
// enclosed by verified residuals, to about 1e-15·H²·|c|. For a rectangular set
// the upper ends follow from a verified supersolution of the robust Bellman
// equation, see rectangular.
//
// It fails when the problem or the policy is not well formed, and for the
// paper's evaluator of the regularised set, which is the return of no set.
func Evaluate(p *model.Problem, policy []float64) (Evaluation, error) {
	in, err := newInstance(p)
	if err != nil {
		return Evaluation{}, fmt.Errorf("certify: %w", err)
	}
	e, err := in.evaluate(policy)
	if err != nil {
		return Evaluation{}, fmt.Errorf("certify: %w", err)
	}
	return e, nil
}

func (in *instance) evaluate(policy []float64) (Evaluation, error) {
	grid, err := in.onGrid(policy)
	if err != nil {
		return Evaluation{}, err
	}
	e := Evaluation{Policy: fromGrid(grid)}
	if in.kernels == nil {
		ranges, err := in.rectangular(e.Policy)
		if err != nil {
			return Evaluation{}, err
		}
		e.judge(in, ranges)
		return e, nil
	}
	work := 0.0
	for _, rows := range in.kernels {
		work += in.work(rows, grid)
	}
	if work <= exactWork {
		e.Exact = true
		e.judgeExactly(in, grid)
		return e, nil
	}
	ranges := make([]iv, len(in.costs))
	for k, rows := range in.kernels {
		for n, r := range in.approx(rows).returns(e.Policy) {
			if k == 0 {
				ranges[n] = r
			} else {
				ranges[n] = iv{max(ranges[n].lo, r.lo), max(ranges[n].hi, r.hi)}
			}
		}
	}
	e.judge(in, ranges)
	return e, nil
}

// judgeExactly takes the largest return of each cost over the kernels.
func (e *Evaluation) judgeExactly(in *instance, grid []int64) {
	worst := make([]*big.Rat, len(in.costs))
	for _, rows := range in.kernels {
		for n, j := range in.system(rows, grid).solve() {
			if worst[n] == nil || j.Cmp(worst[n]) > 0 {
				worst[n] = j
			}
		}
	}
	for n, j := range worst {
		r := Return{Lo: floatBelow(j), Hi: floatAbove(j), Slack: nan, Verdict: Met}
		if n > 0 {
			slack := new(big.Rat).Sub(in.b[n], j)
			r.Slack = floatBelow(slack)
			if slack.Sign() < 0 {
				r.Verdict = Violated
			}
		}
		e.Returns = append(e.Returns, r)
	}
}

// judge compares proved ranges with the thresholds.
func (e *Evaluation) judge(in *instance, ranges []iv) {
	for n, v := range ranges {
		r := Return{Lo: v.lo, Hi: v.hi, Slack: nan, Verdict: Met}
		if n > 0 {
			b := enclose(in.b[n])
			if most := in.most(n); most.Cmp(in.b[n]) <= 0 { // no policy can miss it
				v.hi = min(v.hi, b.lo)
				r.Hi = min(r.Hi, floatAbove(most))
			}
			r.Slack = down(b.lo - v.hi)
			switch {
			case v.hi <= b.lo:
				r.Verdict = Met
			case v.lo > b.hi:
				r.Verdict = Violated
			default:
				r.Verdict = Undecided
			}
		}
		e.Returns = append(e.Returns, r)
	}
}
