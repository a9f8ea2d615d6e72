package bound

import (
	"math"
	"slices"

	"rcmdplab/core/lp"
)

// boxPrices are what a leaf of the proof has.
type boxPrices struct {
	price []float64   // by cost, that of the objective is 1
	share [][]float64 // by cost and model
	alone []float64   // by use (the least value of each model, then all together), cost and model
	scale []float64   // by model: u
}

// of are those of one use of what models meet alone.
func (p *boxPrices) of(use int) []float64 {
	size := len(p.price) * len(p.scale)
	return p.alone[use*size:][:size]
}

// at are the same prices at other scales.
func (p *boxPrices) at(scale []float64) *boxPrices {
	q := *p
	q.scale = scale
	return &q
}

// noPrices are none, and models that count by their weights.
func (x *MixtureSearch) noPrices() *boxPrices {
	k := len(x.m.Kernels)
	p := &boxPrices{price: make([]float64, x.m.N+1), alone: make([]float64, (k+1)*(x.m.N+1)*k), scale: x.scale}
	if !x.limits {
		p.price[0] = 1
	}
	for range p.price {
		p.share = append(p.share, slices.Clone(x.m.Weights))
	}
	return p
}

// shared reports whether it is open what models count in a cost.
func (x *MixtureSearch) shared(n int) bool { return x.m.Over[n] != 1 && len(x.m.Kernels) > 1 }

// most is the largest share of a model in the return of cost n.
func (x *MixtureSearch) most(n, model int) float64 {
	if x.m.Over[n] == 0 {
		return 1
	}
	return min(1, x.m.Weights[model]/x.m.Over[n])
}

// meets reports whether a model meets the limit of a cost by itself, whatever others come to: its share may be 1, with room for rounding.
func (x *MixtureSearch) meets(n, model int) bool {
	return x.shared(n) && !x.limits && !math.IsInf(x.b[n], 1) && (x.m.Over[n] == 0 || x.m.Weights[model] > (1+1e-9)*x.m.Over[n])
}

// program is that of a box, with rows for the corners that matter so far: the value of each model, and what is left over, are at most
// what they are there. Its columns are these, then the prices.
type program struct {
	*lp.LP
	x     *MixtureSearch
	price []int32   // columns by cost; that of the objective is 1
	share [][]int32 // columns by cost and model of shares times prices; nil where they are fixed
	alone []int32   // columns as of boxPrices, -1 for none
	first int       // rows before those of corners
	list  []int     // corners
	seen  map[int]bool

	cols, rest         []int32   // of the rows being made: of a model, and of what is left over
	coef, over, priced []float64 // their coefficients; of prices of means in what is left over, by cost
}

// newProgram has no corners yet.
func (x *MixtureSearch) newProgram() *program {
	m, k := x.m, len(x.m.Kernels)
	p := &program{x: x, seen: map[int]bool{}, share: make([][]int32, m.N+1), priced: make([]float64, m.N+1)}
	size := int32(k + 1)
	column := func() int32 { size++; return size - 1 }
	for n := range m.N + 1 {
		p.price = append(p.price, column())
		for range k {
			if x.shared(n) {
				p.share[n] = append(p.share[n], column())
			}
		}
	}
	for use := range k + 1 {
		for n := range m.N + 1 {
			for j := range k {
				if at := int32(-1); use == j || !x.meets(n, j) { // a model's own price does as well
					p.alone = append(p.alone, at)
				} else {
					p.alone = append(p.alone, column())
				}
			}
		}
	}
	p.LP = lp.New(int(size))
	lo, hi := m.Bounds(0)
	large := 1e6 * (1 + max(hi, -lo)) * m.H
	for j := range k + 1 {
		p.SetBounds(j, -large, large)
	}
	p.SetCost(k, -1)
	for i, at := range p.alone {
		if at >= 0 {
			p.SetBounds(int(at), 0, x.unit[i/k%(m.N+1)]/100)
		}
	}
	for n, price := range p.price {
		if p.SetBounds(int(price), 0, x.unit[n]); n > 0 {
			p.SetCost(int(price), x.b[n])
		} else {
			p.SetBounds(int(price), 1, 1)
		}
		if p.share[n] == nil {
			continue
		}
		p.AddRow(append(slices.Clone(p.share[n]), price), append(slices.Repeat([]float64{1}, k), -1), 0, 0)
		for j, at := range p.share[n] {
			if most := x.most(n, j); most < 1 {
				p.AddRow([]int32{at, price}, []float64{1, -most}, math.Inf(-1), 0)
			}
		}
	}
	sizes, by := p.sizes()
	p.AddRow(sizes, by, math.Inf(-1), math.Inf(1))
	if p.first = p.Rows(); x.limits {
		p.SetBounds(int(p.price[0]), 0, 0)
		p.SetRange(p.first-1, 1, 1+1e-9)
	}
	return p
}

// sizes is a row of all prices: each counts by the size of its limit, that of the objective by its own.
func (p *program) sizes() (cols []int32, coef []float64) {
	x := p.x
	size := []float64{min(max(math.Abs(x.best()), 1e-9), math.MaxFloat64)}
	for n := 1; n <= x.m.N; n++ {
		size = append(size, max(x.m.Scale(n, x.m.B[n]), 1e-9))
	}
	cols, coef = append(cols, p.price...), append(coef, size...)
	for i, at := range p.alone {
		if at >= 0 {
			cols, coef = append(cols, at), append(coef, size[i/len(x.m.Kernels)%len(size)])
		}
	}
	return cols, coef
}

// within turns to another question: how far within the value told and the limits, each next to its size, a policy may be. Its prices
// sum to 1 next to these sizes. Where a part gained nothing, as it does for long next to an objective of 0, those of the bound do not say where it should be split.
func (p *program) within() {
	p.SetBounds(int(p.price[0]), 0, math.Inf(1))
	p.SetCost(int(p.price[0]), p.x.b[0])
	p.SetRange(p.first-1, 1, 1+1e-9)
	p.Solve()
}

// mostRounds ends Kelley's method where it crawls.
const mostRounds = 25

// improve makes prices best for the box by Kelley's method: the corners that they rest on join the program, whose prices are next.
// Each is told, until one closes the box or what the program still promises is near.
func (p *program) improve(prices *boxPrices, tell func(value float64, prices *boxPrices) (closed bool), near func(high float64) bool) {
	for round := range mostRounds {
		value, at := p.x.prove(prices)
		for _, c := range at {
			p.add(c)
		}
		if tell(value, prices) || p.Solve() != lp.Optimal || round > 2 && near(-p.Objective()) {
			return
		}
		prices = p.prices()
	}
}

// add adds the rows of a corner.
func (p *program) add(c int) {
	if p.seen[c] {
		return
	}
	p.seen[c] = true
	p.list = append(p.list, c)
	x := p.x
	k, even := len(x.m.Kernels), x.even[c]
	clear(p.priced)
	p.rest, p.over = append(p.rest[:0], int32(k)), append(p.over[:0], 1)
	p.rest, p.over = p.meets(p.rest, p.over, c, k, even)
	for j, u := range x.scale {
		d := x.det(j)[c]
		p.cols, p.coef = append(p.cols[:0], int32(j)), append(p.coef[:0], 1)
		p.rest, p.over = append(p.rest, int32(j)), append(p.over, d*even/u-1)
		for n, price := range p.price {
			z := x.paid(j, n)[c]
			if p.share[n] != nil {
				p.cols, p.coef = append(p.cols, p.share[n][j]), append(p.coef, -z/d)
				p.rest, p.over = append(p.rest, p.share[n][j]), append(p.over, -z*even/u)
			} else {
				p.cols, p.coef = append(p.cols, price), append(p.coef, -x.m.Weights[j]*z/d)
				p.priced[n] -= x.m.Weights[j] * z * even / u
			}
		}
		p.cols, p.coef = p.meets(p.cols, p.coef, c, j, 1/d)
		p.AddRow(p.cols, p.coef, math.Inf(-1), 0)
	}
	for n, z := range p.priced {
		if z != 0 {
			p.rest, p.over = append(p.rest, p.price[n]), append(p.over, z)
		}
	}
	p.AddRow(p.rest, p.over, math.Inf(-1), 0)
}

// meets adds what models meet alone, in one of the uses, to a row.
func (p *program) meets(cols []int32, coef []float64, c, use int, f float64) ([]int32, []float64) {
	x := p.x
	k := len(x.m.Kernels)
	size := k * len(p.price)
	for i, at := range p.alone[use*size:][:size] {
		if at >= 0 {
			cols, coef = append(cols, at), append(coef, -f*(x.paid(i%k, i/k)[c]-x.b[i/k]*x.det(i % k)[c]))
		}
	}
	return cols, coef
}

// masses are how much the rows of a corner count: those of the models, then that of what is left over.
func (p *program) masses() (of func(corner int) []float64) {
	mass, k := p.Duals(nil)[p.first:], len(p.x.m.Kernels)
	for i, y := range mass {
		mass[i] = math.Abs(y)
	}
	return func(corner int) []float64 { return mass[corner*(k+1):][:k+1] }
}

// prices are those of the solution.
func (p *program) prices() *boxPrices {
	x := p.x
	to, z := x.noPrices(), p.X()
	for i, at := range p.alone {
		if at >= 0 {
			to.alone[i] = max(0, z[at])
		}
	}
	for n, share := range to.share {
		to.price[n] = max(0, z[p.price[n]])
		sum := 0.0
		for _, at := range p.share[n] {
			sum += max(0, z[at])
		}
		if !(sum > 0) {
			continue // a mean, or no price
		}
		left := 1.0
		for j, at := range p.share[n] {
			share[j] = min(max(0, z[at])/sum, x.most(n, j))
			left -= share[j]
		}
		for j := range share { // what the program's tolerance took
			more := max(0, min(left, x.most(n, j)-share[j]))
			share[j] += more
			left -= more
		}
	}
	return to
}
