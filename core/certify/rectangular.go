package certify

import (
	"math"

	"rcmdplab/core/model"
	"rcmdplab/core/uncertainty"
)

// rectangular proves ranges of the worst-case returns J_{c_n,U} of a policy
// over a rectangular set. For any V, with
//
//	(TV)(s) = Σ_a π(s,a) max_{p ∈ U(s,a)} ⟨p, c(s,a,·) + γV⟩ - γ·price·KL(p‖nominal)
//
// and T(V + x) = TV + γx for constants x, V + max(TV - V)/(1-γ) is a
// supersolution of the robust Bellman equation and therefore
//
//	J <= μ·V + max_s (TV - V)(s)/(1-γ),
//
// for which exactSet.upper bounds TV from above. Any rows in U give the other
// end: J >= μ·V + min_s (T_pV - V)(s)/(1-γ). V comes from policy iteration on
// nature's answers and need not be right; it costs a few solves of S³/3 a cost.
func (in *instance) rectangular(pi []float64) ([]iv, error) {
	x, err := in.exactSet()
	if err != nil {
		return nil, err
	}
	ranges := make([]iv, len(in.costs))
	for n := range ranges {
		y := in.newBellman(x, n, pi)
		v, err := y.guess()
		if err != nil {
			return nil, err
		}
		above := y.residual(v, y.above)
		below := y.residual(v, y.below)
		h := enclose(in.horizon)
		base := in.start(v)
		ranges[n] = iv{base.add(point(below.lo).mul(h)).lo, base.add(point(above.hi).mul(h)).hi}
		if math.IsNaN(ranges[n].lo) {
			ranges[n].lo = math.Inf(-1)
		}
		if math.IsNaN(ranges[n].hi) {
			ranges[n].hi = math.Inf(1)
		}
	}
	return ranges, nil
}

// bellman is the robust Bellman operator of one cost and policy.
type bellman struct {
	in    *instance
	x     *exactSet
	n     int         // the cost
	pi    []float64   // the policy, by pair
	gamma float64     // nearest
	price float64     // regularised set: the price of KL within the maximum, rounded down
	flat  []float64   // costs by pair, nearest; nil when they depend on the next state
	next  []float64   // costs by [i*S+s'], nearest, where they do
	rows  [][]float64 // nature's answers at the last guess, dense, by pair
	z     []float64   // work by state: cost plus γ times the guess
}

func (in *instance) newBellman(x *exactSet, n int, pi []float64) *bellman {
	y := &bellman{in: in, x: x, n: n, pi: pi, gamma: nearest(in.gamma), z: make([]float64, in.S)}
	for _, c := range in.costs[n].flat {
		y.flat = append(y.flat, nearest(c))
	}
	for _, c := range in.costs[n].next {
		y.next = append(y.next, nearest(c))
	}
	if x.kind == model.KLRegularized {
		if y.price = floatBelow(in.temperature); y.next != nil {
			y.price = down(y.price * floatBelow(in.gamma))
		}
	}
	return y
}

// facing writes what nature maximises at pair i, by successor: V, or c + γV
// within slack of it.
func (y *bellman) facing(i int, v []float64) (z []float64, slack float64) {
	z = y.z[:0]
	size := 0.0
	for _, s := range y.x.support[i] {
		t := v[s]
		if y.next != nil {
			c, g := y.next[i*y.in.S+s], y.gamma*v[s] // each within 2 roundoffs
			t = c + g
			size = max(size, math.Abs(c)+math.Abs(g))
		}
		z = append(z, t)
	}
	return z, 4 * ulp * size
}

// above bounds the action value of pair i from above, as c and as what γ
// multiplies.
func (y *bellman) above(i int, v []float64) (flat, discounted float64) {
	z, slack := y.facing(i, v)
	u := y.x.upper(i, z, y.price)
	if y.next != nil {
		return up(u + slack), 0
	}
	return y.flat[i], u
}

// below bounds it from below, by a row of the set near nature's answer.
func (y *bellman) below(i int, v []float64) (flat, discounted float64) {
	z, slack := y.facing(i, v)
	best := math.Inf(-1)
	dense, mixed := y.rows[i], make([]float64, y.in.S)
	nominal := make([]float64, y.in.S)
	if y.x.kind != model.Interval {
		r := &y.in.nominal[i]
		for j, s := range r.next {
			nominal[s] = r.near[j]
		}
	} else {
		copy(nominal, dense)
	}
	// At the edge of a ball rounding may put the answer outside: draw it in.
	for _, t := range [...]float64{0, 1e-12, 1e-9, 1e-6, 1} {
		for s := range mixed {
			mixed[s] = (1-t)*dense[s] + t*nominal[s]
		}
		r, price, err := y.x.member(i, mixed)
		if err != nil {
			continue
		}
		var m sum
		k, most := 0, 0.0
		for j, s := range r.next {
			if r.near[j] == 0 { // listed, and outside the support of a divergence
				continue
			}
			for y.x.support[i][k] != s {
				k++
			}
			m.add(r.near[j] * z[k])
			most = max(most, math.Abs(z[k]))
		}
		// An entry below the normal range may be off by 2^-1075, which z multiplies.
		best = down(m.bounds(2).lo - up(slack+float64(len(r.next))*0x1p-1070*most))
		if !(price <= 0) {
			best = down(best - up(price*y.priceAbove()))
		}
		break
	}
	if y.next != nil {
		return best, 0
	}
	return y.flat[i], best
}

// priceAbove is the price rounded up.
func (y *bellman) priceAbove() float64 {
	t := floatAbove(y.in.temperature)
	if y.next != nil {
		t = up(t * floatAbove(y.in.gamma))
	}
	return t
}

// residual encloses the range of Σ_a π(flat + γ·discounted) - V over states
// for action values given by value; the end it bounds is the one that value
// bounds.
func (y *bellman) residual(v []float64, value func(i int, v []float64) (flat, discounted float64)) iv {
	in := y.in
	var e iv
	for s := range in.S {
		var t sum
		t.add(-v[s])
		for i := in.Off[s]; i < in.Off[s+1]; i++ {
			if y.pi[i] == 0 {
				continue
			}
			c, d := value(i, v)
			t.add(y.pi[i] * c)
			t.add(y.pi[i] * (y.gamma * d)) // γ and two products: 3 roundoffs
		}
		if b := t.bounds(3); s == 0 {
			e = b
		} else {
			e = e.hull(b)
		}
	}
	return e
}

// guess finds V near the fixed point by policy iteration of nature: solve for
// the rows it last chose, ask again, until V stops rising.
func (y *bellman) guess() ([]float64, error) {
	in := y.in
	m := in.standard()
	weight := 1.0
	if y.next != nil {
		weight = m.Gamma
	}
	set, err := uncertainty.NewWeighted(m, weight)
	if err != nil {
		return nil, err
	}
	y.rows = make([][]float64, in.Pairs())
	cost := make([]float64, in.Pairs())
	answer, z := make([]float64, in.S), make([]float64, in.S)
	v, best := make([]float64, in.S), math.Inf(-1)
	for range 100 {
		f := newLU(in.S)
		w := make([]float64, in.S)
		for s := range in.S {
			row := f.row(s)
			for i := in.Off[s]; i < in.Off[s+1]; i++ {
				sup := set.Support(i)
				for j, to := range sup {
					if z[j] = v[to]; y.next != nil {
						z[j] = y.next[i*in.S+to] + y.gamma*v[to]
					}
				}
				a := set.Answer(answer[:len(sup)], i, z[:len(sup)])
				if y.rows[i] = make([]float64, in.S); y.next != nil {
					cost[i] = -a.Penalty
				} else {
					cost[i] = y.flat[i] - y.gamma*a.Penalty
				}
				for j, to := range sup {
					y.rows[i][to] = answer[j]
					row[to] -= y.pi[i] * y.gamma * answer[j]
					if y.next != nil {
						cost[i] += answer[j] * y.next[i*in.S+to]
					}
				}
				w[s] += y.pi[i] * cost[i]
			}
			row[s]++
		}
		f.factor()
		f.solve(w)
		total, size := 0.0, 0.0
		for s := range w {
			total += w[s]
			size = max(size, math.Abs(w[s]))
		}
		copy(v, w)
		if total <= best+1e-14*size*float64(in.S) {
			break
		}
		best = total
	}
	return v, nil
}
