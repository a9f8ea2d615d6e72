package structured

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"rcmdplab/core/model"
)

// kernel is the draft's rows as a kernel; with zeros, some successors of
// probability 0 are listed, which only a sparse document can say.
func (d *draft) kernel(r *rand.Rand, rows func(s, a int) []float64, zeros bool) *model.Kernel {
	k := &model.Kernel{Ptr: []int{0}, Sparse: zeros || chance(r, 0.3), Named: chance(r, 0.5)}
	for s := range d.s {
		for a := range d.a {
			if d.rows[s][a] == nil {
				continue
			}
			for t, p := range rows(s, a) {
				if p != 0 || zeros && chance(r, 0.5) {
					k.Next, k.Prob = append(k.Next, t), append(k.Prob, p)
				}
			}
			k.Ptr = append(k.Ptr, len(k.Next))
		}
	}
	return k
}

func (d *draft) nominal(s, a int) []float64 { return d.rows[s][a] }

// largest is the radius beyond which a set of the kind grows no more, for rows
// whose least probability is not below 1e-3.
var largest = map[model.Kind]float64{
	model.KL: 8, model.L1: 2, model.TV: 1, model.L2: math.Sqrt2, model.LInf: 1, model.Chi2: 1e3, model.Contamination: 1,
}

// setUncertainty draws the set around the draft's rows.
func setUncertainty(r *rand.Rand, d *draft, p *model.Problem) string {
	kinds := append(model.Kinds(), model.Finite, model.Finite, model.Finite)
	kind := pick(r, kinds...)
	u := &p.Uncertainty
	u.Kind = kind
	switch kind {
	case model.Finite:
		return d.finite(r, u)
	case model.Interval:
		return d.interval(r, u)
	}
	zeros := chance(r, 0.3)
	u.Nominal = d.kernel(r, d.nominal, zeros)
	said := string(kind)
	if zeros {
		said += " with listed zeros"
	}
	if kind == model.KLRegularized {
		u.Temperature = pick(r, 0.01, 0.1, 1, 100) * max(1e-9, span(p))
		return fmt.Sprintf("%s at temperature %g", said, u.Temperature)
	}
	if kind != model.KL && kind != model.Chi2 {
		u.SupportAll = chance(r, 0.3)
	}
	radius := pick(r, 0, 0, 1e-3, 0.01, 0.05, 0.2, 1) * largest[kind]
	u.Radius = []float64{radius}
	if chance(r, 0.15) { // a radius for each pair
		u.Radius = make([]float64, d.s*d.a)
		for i := range u.Radius {
			u.Radius[i] = radius * pick(r, 0, 0.5, 1)
		}
		said += " by pair"
	}
	return fmt.Sprintf("%s of radius %g, all %v", said, radius, u.SupportAll)
}

// span is the range of one-step costs of the objective.
func span(p *model.Problem) float64 {
	c := p.Objective.Values
	if c == nil {
		c = p.Objective.Next
	}
	return slices.Max(c) - slices.Min(c)
}

// finite draws one to four kernels: the same again, opposites, or variations.
func (d *draft) finite(r *rand.Rand, u *model.Uncertainty) string {
	m := pick(r, 1, 1, 2, 2, 3, 4)
	how := pick(r, "identical", "opposite", "varied", "varied")
	zeros := chance(r, 0.2)
	for k := range m {
		rows := d.nominal
		switch {
		case k == 0 || how == "identical":
		case how == "opposite": // the successors in reverse
			rows = func(s, a int) []float64 {
				row := d.copyRow(s, a)
				if k%2 == 1 {
					slices.Reverse(row)
				}
				return row
			}
		default: // some mass to one state
			share, to := pick(r, 0.05, 0.3, 1), r.IntN(d.s)
			rows = func(s, a int) []float64 {
				row := d.copyRow(s, a)
				for t := range row {
					row[t] *= 1 - share
				}
				row[to] += share
				return row
			}
		}
		kernel := d.kernel(r, rows, zeros)
		kernel.Name = fmt.Sprintf("k%d", k)
		u.Kernels = append(u.Kernels, kernel)
	}
	return fmt.Sprintf("finite of %d %s kernels", m, how)
}

// interval draws bounds around the rows: of no width, some, or the widest.
func (d *draft) interval(r *rand.Rand, u *model.Uncertainty) string {
	width := pick(r, 0, 0.01, 0.1, 1)
	u.Lower = d.kernel(r, func(s, a int) []float64 {
		row := d.copyRow(s, a)
		for t := range row {
			row[t] = max(0, row[t]-width)
		}
		return row
	}, false)
	u.Upper = d.kernel(r, func(s, a int) []float64 {
		row := d.copyRow(s, a)
		for t := range row {
			if row[t] > 0 || width == 1 {
				row[t] = min(1, row[t]+width)
			}
		}
		return row
	}, false)
	u.Lower.Sparse, u.Upper.Sparse = false, false // without an entry an action would not be available
	return fmt.Sprintf("interval of width %g", width)
}
