package decide

import (
	"fmt"
	"math"
	"slices"

	"rcmdplab/core/certify"
	"rcmdplab/core/proof"
	"rcmdplab/core/solve"
)

// confirm lets the checker judge the best policy and reports whether it is
// proved optimal. One that meets a limit only within the tolerance is compared
// with all that do so as well: the bound is made to allow for what it misses.
// The policy is evaluated for as long as evaluating says yes.
func (d *door) confirm(p *solve.Progress, evaluating, more func() bool) (optimal bool) {
	best := &p.Best
	r := d.checker.Check(nil, best.Policy, evaluating)
	if d.m.Total() && !r.Left && r.Evaluation == nil {
		best.Feasible = false
		p.Note = join(p.Note, r.Reasons[len(r.Reasons)-1])
	}
	if r.Left || r.Evaluation == nil {
		if d.stand(math.Inf(1)); !solve.Large(d.m) && !inside(d.m, best) {
			d.lower = nil // it may not hold beside the policy
		}
		return false
	}
	returns := r.Evaluation.Returns
	allow, worst, surely := d.excess(returns)
	moved := false
	if surely {
		if on := d.back(&r, worst, more); on != nil {
			r, moved = *on, true
			returns = r.Evaluation.Returns
			allow, worst, surely = d.excess(returns)
		}
	}
	value := min(max(best.Objective, returns[0].Lo), returns[0].Hi)
	if moved || !surely && math.Abs(value-best.Objective) > onGrid*d.m.GapScale(value) {
		best.Policy = slices.Clone(r.Evaluation.Policy)
		best.MaxViolation = d.missedMost(returns)
	}
	best.Objective = value
	switch {
	case surely:
		best.Feasible = false
		p.Note = join(p.Note, fmt.Sprintf("The policy was taken to meet the constraints, but the independent check shows that it misses %q by more than the tolerance.", d.m.CostName(worst)))
		return false
	case allow == nil && worst > 0:
		note := "The policy meets %q as evaluated, but not beyond all rounding."
		if d.missed > mostAllowed {
			note = "The policy meets %q within the tolerance, by more than a bound may allow for."
		}
		p.Note = join(p.Note, fmt.Sprintf(note, d.m.CostName(worst)))
		if d.stand(returns[0].Hi); d.lower != nil {
			d.raise(best, returns[0].Hi)
		}
		return false
	case allow != nil:
		d.allow(allow, more)
		if allow[worst-1] > leastTolerance*d.m.Scale(worst, d.m.B[worst]) {
			p.Note = join(p.Note, fmt.Sprintf("The policy meets %q within the tolerance only: it may miss it by %.2g. The bound allows for as much.",
				d.m.CostName(worst), d.m.PresentViolation(worst, allow[worst-1])))
		}
	}
	if d.lower == nil {
		return false
	}
	if d.bound() > returns[0].Hi { // cannot be: one of the two is wrong
		p.Note = join(p.Note, "The bound and the policy contradict each other, so nothing is claimed.")
		d.lower = nil
		return false
	}
	d.raise(best, returns[0].Hi)
	return returns[0].Hi-d.bound() <= d.none*d.m.GapScale(returns[0].Hi)
}

// raise makes the value of a policy no less than what was shown as proved, where its
// return, which is at most so much, may be that: it was below by rounding.
func (d *door) raise(best *solve.Best, most float64) {
	best.Objective = max(best.Objective, min(d.bound(), d.shown.bound, most))
}

// onGrid is the share of the value's size beyond which it makes a difference that
// the checker takes probabilities on its grid of 2^-48: beside a penalty of 1e9 a
// probability of 5e-16, which the grid has no place for, is worth more than all
// else. Then the policy shown is the one that was checked.
const onGrid = 1e-9

// missedMost is the largest violation of a policy as the checker sees it.
func (d *door) missedMost(returns []certify.Return) float64 {
	most := math.Inf(-1)
	for n := 1; n <= d.m.N; n++ {
		most = max(most, returns[n].Hi-d.m.B[n])
	}
	return most
}

// stand takes back the bound where it cannot stand beside a policy that was not confirmed,
// of such a value at most: when it contradicts that.
func (d *door) stand(value float64) {
	if d.infeasible != nil || d.bound() > value {
		d.lower = nil
	}
}

// mostAllowed is the share of a limit's scale that a bound may allow it to be missed by,
// with room for the scale being the checker's own.
const mostAllowed = certify.MostAllowed * (1 - 1e-9)

// excess is how far the policy may miss each limit, nil when it provably misses
// none or may miss one by more than the tolerance, or than may be allowed; worst is the constraint that
// it misses most, next to its scale, and surely reports that it does so beyond
// the tolerance.
func (d *door) excess(returns []certify.Return) (allow []float64, worst int, surely bool) {
	most := 0.0
	for n := 1; n <= d.m.N; n++ {
		r := &returns[n]
		if r.Verdict == certify.Met {
			continue
		}
		scale := d.m.Scale(n, d.m.B[n])
		if allow == nil {
			allow = make([]float64, d.m.N)
		}
		allow[n-1] = max(0, -r.Slack)
		if share := allow[n-1] / scale; worst == 0 || share > most {
			worst, most = n, share
			surely = r.Miss > d.missed*scale
		}
	}
	if most > min(d.missed, mostAllowed) {
		return nil, worst, surely
	}
	return allow, worst, false
}

// allow replaces the claims by such that hold for policies that miss the limits
// by no more than that.
func (d *door) allow(allow []float64, more func() bool) {
	was := d.accepted
	d.accepted = accepted{}
	for k, c := range []*proof.Claim{was.priced, was.lower, was.free} {
		if c == nil || k > 0 && c == was.priced || c.Target <= d.bound() {
			continue
		}
		if claim, err := d.checker.Allowing(*c, allow, more); err == nil {
			d.keep(&claim)
		}
	}
}
