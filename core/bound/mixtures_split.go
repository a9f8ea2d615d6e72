package bound

import (
	"math"
	"slices"
)

// divide chooses where the box at hand is split: at the edge between two points of a state of which both halves gain most. With the
// masses of its program the bound is an average over corners. In a half, corners of a point go half-way to those of the other: what
// their part of the bound gains is counted, and half of what models lose there by being out of step, Σ_k |Δ(D_k / u_k h)| (K_k - L_k).
// The parts begin with scales that are even where the masses are.
func (x *MixtureSearch) divide(n *mixtureNode, p *program) {
	m, k, pairs := x.m, len(x.m.Kernels), x.m.Pairs()
	gain, centre := make([]float64, pairs*pairs), make([]float64, k)
	n.seen = n.seen[:0:0]
	of := p.masses()
	for i, c := range p.list {
		mass := of(i)
		heavy := false
		for j, q := range mass {
			heavy = heavy || q > lightMass
			if j < k {
				centre[j] += mass[k] * x.even[c] * x.det(j)[c]
			}
		}
		if heavy || i+4*k >= len(p.list) {
			n.seen = append(n.seen, c)
		}
		for s := 0; heavy && s < m.S; s++ {
			from := x.point(c, s)
			for to := m.Off[s]; to < m.Off[s+1]; to++ {
				if to != from {
					gain[from*pairs+to] += max(0, x.gain(mass, c, c+(to-from)*x.stride[s]))
				}
			}
		}
	}
	if centre[0] > 0 {
		n.scale = centre
	}
	n.cut = x.edge(gain)
}

// lightMass is too little to count.
const lightMass = 1e-9

// gain is what the part of corner c in the bound gains half-way to another.
func (x *MixtureSearch) gain(mass []float64, c, other int) (sum float64) {
	k := len(x.scale)
	rest, h := mass[k], 0.0
	for j, u := range x.scale {
		own, d := x.own[j*x.corners:], x.det(j)
		both := d[c] + d[other]
		h = max(h, both/2/u)
		value := own[c] / d[c]
		sum += mass[j] * ((own[c]+own[other])/both - value)
		sum += rest / 2 * math.Abs(d[c]*x.even[c]-d[other]*x.even[other]) / u * (value - x.low[j])
	}
	return sum + rest*x.even[c]*((x.over[other]-x.over[c])/2-x.rest*(h-1/x.even[c]))
}

// leastEdge is how long an edge must be to be split: what is shorter is one policy, but for rounding.
const leastEdge = 1e-12

// edge is that with the largest product of gains; with none, the longest; from a point to itself where the box is one policy.
func (x *MixtureSearch) edge(gain []float64) (cut move) {
	m, pairs, most, little := x.m, x.m.Pairs(), -1.0, 1e-6*slices.Max(gain)+1e-12
	for s := range m.S {
		for i := m.Off[s]; i < m.Off[s+1]; i++ {
			for j := i + 1; j < m.Off[s+1]; j++ {
				far := 0.0
				for k, y := range x.points[i] {
					far += math.Abs(y - x.points[j][k])
				}
				if score := (gain[i*pairs+j] + little) * (gain[j*pairs+i] + little) * (1 + far/1e3); score > most && far > leastEdge {
					most, cut = score, move{i, j}
				}
			}
		}
	}
	return cut
}
