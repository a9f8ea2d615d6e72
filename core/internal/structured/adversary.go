package structured

import (
	"cmp"
	"math"
	"slices"

	"rcmdplab/core/model"
)

// adversary is nature's side: it answers for one row of a rectangular set: of all p in the set, one of
// largest ⟨p, z⟩ less the penalty. It is written for clarity and sure of its
// answer to about 1e-12 of z's range; nothing here is shared with package
// uncertainty.
type adversary struct {
	m       *model.Standard
	u       *model.Uncertainty
	nominal *model.Kernel
}

// row returns the worst row of pair i for z = c + γ v by state, and its penalty,
// which the regularised set charges against the next value: γ times.
func (n *adversary) row(i int, z []float64) (p []float64, penalty float64) {
	u := n.u
	if u.Kind == model.Interval {
		lower, upper := make([]float64, n.m.S), make([]float64, n.m.S)
		u.Lower.Dense(lower, i)
		u.Upper.Dense(upper, i)
		return pour(lower, upper, z), 0
	}
	q := make([]float64, n.m.S)
	n.nominal.Dense(q, i)
	may := make([]bool, n.m.S) // which successors nature may give mass
	next, _ := n.nominal.Row(i)
	for _, t := range next {
		may[t] = true
	}
	for t := range may {
		switch {
		case u.Kind == model.KL || u.Kind == model.KLRegularized || u.Kind == model.Chi2:
			may[t] = q[t] > 0
		case u.SupportAll:
			may[t] = true
		}
	}
	if u.Kind == model.KLRegularized {
		temperature := u.Temperature * n.m.Gamma
		if temperature == 0 { // nothing is charged: all on the dearest successor
			p = make([]float64, len(q))
			order := byValue(z)
			for k := len(order) - 1; ; k-- {
				if t := order[k]; q[t] > 0 {
					p[t] = 1
					return p, 0
				}
			}
		}
		p = make([]float64, len(q))
		tilt(p, q, z, temperature)
		return p, temperature * tiltCost(q, z, temperature)
	}
	return ball(u.Kind, q, may, z, n.radius(i)), 0
}

func (n *adversary) radius(i int) float64 {
	if len(n.u.Radius) == 1 {
		return n.u.Radius[0]
	}
	return n.u.Radius[n.m.State[i]*n.m.A+n.m.Act[i]]
}

// ball is the worst row within a distance of q on the allowed successors.
func ball(kind model.Kind, q []float64, may []bool, z []float64, radius float64) []float64 {
	top := -1
	for t := range z {
		if may[t] && (top < 0 || z[t] > z[top]) {
			top = t
		}
	}
	switch kind {
	case model.Contamination:
		p := make([]float64, len(q))
		for t := range q {
			p[t] = (1 - radius) * q[t]
		}
		p[top] += radius
		return p
	case model.L1:
		return carry(q, z, top, radius/2)
	case model.TV:
		return carry(q, z, top, radius)
	case model.LInf:
		lower, upper := make([]float64, len(q)), make([]float64, len(q))
		for t := range q {
			lower[t] = max(0, q[t]-radius)
			if may[t] {
				upper[t] = min(1, q[t]+radius)
			} else {
				lower[t] = 0
			}
		}
		return pour(lower, upper, z)
	case model.KL:
		return along(radius, func(p []float64, x float64) float64 {
			tilt(p, q, z, math.Exp(x))
			return divergence(p, q)
		}, z, q)
	case model.Chi2: // p ∝ q (z - ν)₊, with ν = z_top - e^x
		return along(radius, func(p []float64, x float64) float64 {
			sum, room := 0.0, math.Exp(x)
			for t := range q {
				p[t] = 0
				if may[t] {
					p[t] = q[t] * max(0, z[t]-z[top]+room)
					sum += p[t]
				}
			}
			d := 0.0
			for t := range p {
				if q[t] > 0 {
					p[t] /= sum
					d += (p[t] - q[t]) * (p[t] - q[t]) / q[t]
				}
			}
			return d
		}, z, q)
	case model.L2: // the projection of q + z e^-x onto the simplex of the allowed
		return along(radius, func(p []float64, x float64) float64 {
			simplex(p, q, may, z, math.Exp(-x))
			d := 0.0
			for t := range p {
				d += (p[t] - q[t]) * (p[t] - q[t])
			}
			return math.Sqrt(d)
		}, z, q)
	}
	panic("structured: no row of kind " + string(kind))
}

// carry takes up to the given mass from the least z to the top.
func carry(q, z []float64, top int, mass float64) []float64 {
	p := slices.Clone(q)
	order := byValue(z)
	for _, t := range order {
		if t == top {
			continue
		}
		if z[t] >= z[top] || mass <= 0 {
			break
		}
		x := min(p[t], mass)
		p[t], p[top], mass = p[t]-x, p[top]+x, mass-x
	}
	return p
}

// pour starts from the lower ends and fills up the largest z first.
func pour(lower, upper, z []float64) []float64 {
	p, left := slices.Clone(lower), 1.0
	for _, x := range lower {
		left -= x
	}
	order := byValue(z)
	slices.Reverse(order)
	for _, t := range order {
		x := min(upper[t]-lower[t], max(left, 0))
		p[t], left = p[t]+x, left-x
	}
	return p
}

func byValue(z []float64) []int {
	order := make([]int, len(z))
	for t := range order {
		order[t] = t
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(z[a], z[b]) })
	return order
}

// tilt sets p to q with each mass times e^(z/temperature).
func tilt(p, q, z []float64, temperature float64) {
	most := math.Inf(-1)
	for t := range q {
		if q[t] > 0 {
			most = max(most, z[t])
		}
	}
	sum := 0.0
	for t := range q {
		p[t] = 0
		if q[t] > 0 {
			p[t] = q[t] * math.Exp((z[t]-most)/temperature)
			sum += p[t]
		}
	}
	for t := range p {
		p[t] /= sum
	}
}

// tiltCost is the divergence of the tilted row from q, right to its last digits
// also when a large temperature makes it tiny: with p = q (1 + δ) it is
// Σ q ((1 + δ) log(1 + δ) - δ), whose terms are all positive.
func tiltCost(q, z []float64, temperature float64) float64 {
	most, mean := math.Inf(-1), 0.0
	for t := range q {
		if q[t] > 0 {
			most = max(most, z[t])
		}
	}
	grown := make([]float64, len(q)) // e^(z/temperature) - 1, from the largest z
	for t := range q {
		if q[t] > 0 {
			grown[t] = math.Expm1((z[t] - most) / temperature)
			mean += q[t] * grown[t]
		}
	}
	cost := 0.0
	for t := range q {
		if q[t] <= 0 {
			continue
		}
		x := (grown[t] - mean) / (1 + mean)
		switch {
		case math.Abs(x) < 1e-3:
			cost += q[t] * x * x * (1.0/2 - x*(1.0/6-x*(1.0/12-x*(1.0/20-x/30))))
		case x > -1:
			cost += q[t] * ((1+x)*math.Log1p(x) - x)
		default:
			cost += q[t]
		}
	}
	return cost
}

func divergence(p, q []float64) float64 {
	d := 0.0
	for t := range p {
		if p[t] > 0 {
			d += p[t] * math.Log(p[t]/q[t])
		}
	}
	return max(d, 0)
}

// simplex is the row nearest to q + step z among those on the allowed
// successors: p = (q + step z - μ)₊, with the multiplier μ of the sum raised until
// the entries above it sum to 1 (Michelot 1986). Everything is told from the
// largest entry, next to which those above 0 are no larger than 1.
func simplex(p, q []float64, may []bool, z []float64, step float64) {
	top := -1
	for t := range q {
		if may[t] && (top < 0 || q[t]+step*z[t] > q[top]+step*z[top]) {
			top = t
		}
	}
	below := func(t int) float64 { return q[t] - q[top] + step*(z[t]-z[top]) }
	mu := math.Inf(-1)
	for {
		sum, count := 0.0, 0.0
		for t := range q {
			if may[t] && below(t) > mu {
				sum, count = sum+below(t), count+1
			}
		}
		next := (sum - 1) / count
		if next <= mu {
			break
		}
		mu = next
	}
	sum := 0.0
	for t := range q {
		p[t] = 0
		if may[t] {
			p[t] = max(0, below(t)-mu)
			sum += p[t]
		}
	}
	for t := range p {
		p[t] /= sum
	}
}

// along follows a curve of rows p(x) that comes nearer to q as x rises, to the
// last one within the radius: at sets p and gives its distance. Where z is flat
// every row is the worst.
func along(radius float64, at func(p []float64, x float64) float64, z, q []float64) []float64 {
	width := 0.0
	for t := range q {
		for s := range q {
			if q[t] > 0 || q[s] > 0 {
				width = max(width, math.Abs(z[t]-z[s]))
			}
		}
	}
	if radius == 0 || width == 0 {
		return slices.Clone(q)
	}
	p := make([]float64, len(q))
	near, far := math.Log(width)+40, math.Log(width)-40
	if at(p, far) <= radius {
		return p
	}
	for range 100 {
		mid := (near + far) / 2
		if mid == near || mid == far {
			break
		}
		if at(p, mid) <= radius {
			near = mid
		} else {
			far = mid
		}
	}
	if at(p, near) > radius { // nothing but q itself is as near as that
		return slices.Clone(q)
	}
	return p
}
