package certify

import (
	"fmt"
	"math"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/model"
	"rcmdplab/core/uncertainty"
)

// exactStates is the largest number of states that is checked in fractions, or
// by dense elimination. Beyond, the checks work on the image, in time and memory
// linear in the model; what they prove is some digits less sharp.
const exactStates = 64

// image is the exact instance (see instance) as float64s: no number of it but
// thresholds is ever written out as a fractiontion. A number of the document is
// within one unit roundoff of its decimal, and a probability, divided by the sum
// of its row, within (n+4) of them for n entries. The exact rows sum to exactly
// 1, so that for any entry k
//
//	⟨q, z⟩ = z_k + Σ_{j≠k} q_j (z_j - z_k).
type image struct {
	*instance                    // of outline: thresholds, horizon, names; no rows and no costs
	g, h      enclosure.Interval // γ and 1/(1-γ), enclosed
	gamma     float64            // nearest to γ
	ends      [][]float64        // by cost, by state: what an end costs, as instance.readCost has it, nearest
	flip      []float64          // by cost: -1 where the document's numbers are turned round, else 1
	mu        []float64          // by state, nearest
	rest      int                // of mu

	guess    uncertainty.Set // see guesser
	guessFor float64         // the weight of KL that guess was made for
}

// image is that of the problem: the instance's own, where it is an outline.
func (in *instance) image() (*image, error) {
	if in.wide != nil {
		return in.wide, nil
	}
	if in.floats == nil {
		x, err := newImage(in.p)
		if err != nil {
			return nil, err
		}
		x.std, in.floats = in.standard(), x
	}
	return in.floats, nil
}

// newImage reads a problem that has passed model's validation.
func newImage(p *model.Problem) (*image, error) {
	in, err := outline(p)
	if err != nil {
		return nil, err
	}
	x := &image{instance: in, g: enclosure.Around(in.gamma), h: enclosure.Around(in.horizon), gamma: enclosure.Nearest(in.gamma)}
	for n := range in.costs {
		f := 1.0
		if in.costs[n].flip {
			f = -1
		}
		x.flip = append(x.flip, f)
	}
	x.mu = append([]float64(nil), p.Initial...)
	if x.rest, err = settle(x.mu); err != nil {
		return nil, fmt.Errorf("the initial distribution %w", err)
	}
	in.wide = x
	return x, x.readCosts()
}

// settle divides a distribution by its sum, and finds its first largest entry.
func settle(q []float64) (rest int, err error) {
	sum := 0.0
	for j, x := range q {
		if !(x >= 0) || math.IsInf(x, 1) || enclosure.Faint(x) {
			return 0, fmt.Errorf("has an entry of %v; want p >= 0", x)
		}
		if x > q[rest] {
			rest = j
		}
		sum += x
	}
	if !(math.Abs(1-sum) <= rowSlack) {
		return 0, fmt.Errorf("sums to %v; want 1 within 1e-09", sum)
	}
	if sum != 1 {
		for j := range q {
			q[j] /= sum
		}
	}
	return rest, nil
}

// costOf is cost n of pair i, 0 where it depends on the next state, and whether
// it does.
func (x *image) costOf(n, i int) (c float64, onward bool) {
	k := x.costAt(n)
	if k.Next != nil {
		return 0, true
	}
	if s := x.State[i]; x.p.Ends(s) {
		return x.ends[n][s], false
	}
	return x.flip[n] * k.Values[x.State[i]*x.A+x.Act[i]], false
}

// nextCost is cost n of pair i when it leads to a state.
func (x *image) nextCost(n, i, to int) float64 {
	if s := x.State[i]; x.p.Ends(s) {
		return x.ends[n][s]
	}
	return x.flip[n] * x.costAt(n).Next[(x.State[i]*x.A+x.Act[i])*x.S+to]
}

func (x *image) costAt(n int) *model.Cost {
	if n == 0 {
		return &x.p.Objective
	}
	return &x.p.Constraints[n-1].Cost
}

// readCosts fails where a cost is no number, and finds the largest of each.
func (x *image) readCosts() error {
	for n := range x.costs {
		k := x.costAt(n)
		top, some := math.Inf(-1), false
		for i := range x.Pairs() {
			g, w, values := x.State[i]*x.A+x.Act[i], 1, k.Values
			if k.Next != nil {
				w, values = x.S, k.Next
			}
			for _, c := range values[g*w : (g+1)*w] {
				if math.IsNaN(c) || math.IsInf(c, 0) || enclosure.Faint(c) {
					return fmt.Errorf("a value of cost %q is %v", k.Name, c)
				}
				if x.p.Ends(x.State[i]) {
					continue
				}
				top, some = max(top, x.flip[n]*c), true
			}
		}
		if some {
			x.costs[n].top = enclosure.Decimal(top)
		}
		x.ends = append(x.ends, make([]float64, x.S))
		for s := range x.S {
			if !x.p.Ends(s) {
				continue
			}
			c := x.perStep(n, x.p.EndCost(k, s))
			if x.ends[n][s] = enclosure.Nearest(c); x.costs[n].top == nil || c.Cmp(x.costs[n].top) > 0 {
				x.costs[n].top = c
			}
		}
	}
	return nil
}

// below and above are value - slack and value + slack, outwards.
func below(value, slack float64) float64 {
	if slack == 0 {
		return value
	}
	return enclosure.Down(value - slack)
}

func above(value, slack float64) float64 {
	if slack == 0 {
		return value
	}
	return enclosure.Up(value + slack)
}

// startOf encloses μ·v.
func (x *image) startOf(v []float64) enclosure.Interval {
	t, slack := enclosure.Mean(x.mu, v, x.rest)
	return enclosure.Of(below(t, slack), above(t, slack))
}
