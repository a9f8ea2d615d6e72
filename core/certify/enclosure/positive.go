package enclosure

import (
	"math"
	"slices"
)

// Positive eliminates one state after another from rows of numbers >= 0, by sums, products and
// quotients alone (Grassmann, Taksar and Heyman, Regenerative
// analysis and steady state distributions for Markov chains, 1985), and counts the roundoffs:
// for choices of a row in each state
//
//	D = det(I - γP)  and  N_n = D·(c'_n·x),  F_n = N_n - D b'_n,
//
// where c' = c - β >= 0, β being the least cost or 0 if that is less, and
// b' = b - β. (Σx = 1, so that shifting costs and limit alike changes nothing.)
//
// A row holds what leads to the other states, the excess
// 1-γ, which is what the diagonal is larger by than the others together, and
// c'. The last row holds (1-γ)μ and, where the others have costs, what was paid so
// far. State k is eliminated by
//
//	pivot = excess_k + Σ_{j≠k} a_kj,  a_ij += a_ik·(a_kj/pivot)
//
// for all other rows i and everything j that they hold: play that enters k is
// led on to where it leaves k (diagonals
// are sums and are not kept). D is the product of the pivots and N_n is D times
// what the last row has paid in the end.
//
// # Errors
//
// By the matrix tree theorem (Chaiken, A combinatorial proof of the all minors matrix tree
// theorem, 1982) what is left of D is, after any number of steps, a polynomial in
// the entries that are left with coefficients >= 0, of degree 1 in each row that
// is left; of N the same with the last row as one more. So when the entries of r
// rows are changed by factors within (1±u)^q, N and D change by ones within
// (1±u)^(qr) (this is the argument of O'Cinneide, Entrywise perturbation theory
// and error analysis for Markov chains, 1993). With u = 2^-53 and z numbers in a
// row beside its excess that are not 0, a step is
//
//	the pivot                        z roundoffs
//	a quotient, product and sum      z+3 for the entries of each row that leads into k
//	the product of the pivots        z+1
//
// and the last, which is done in another way (Close), 4. At the start an entry of a state's row
// is within 4 roundoffs: of two numbers and their product 3, of a cost 3 and 1 of its shift, next to its size or |β|;
// one of the last row within 2. F takes 3 more. If k are counted along a choice,
//
//	|computed F - F| <= k·u(1+2^-20)·(N + D(|b'|+|β|))
//
// where 2^-20 is room for the powers of 1+u, k being below 2^20, and for the size
// itself being computed; D|β| is there because shifting rounds c, not c' alone.
//
// Gradual underflow changes an entry by at most 2^-1072 at a step. N and D are
// affine in each entry with slopes of at most S·max c'/(1-γ), because rows sum to
// at most 1 without their costs, and there are S³ such changes at most, and
// S more in the product: 2^-900·max(1, c', |b'|+|β|) is more than all that is made
// of them, before F is multiplied with a power of 2 and, where that is less than 1,
// after.
type Positive struct {
	states, width int         // width of a row: the states, the excess, and the costs
	rows          int         // besides the last
	level         [][]float64 // all rows after so many eliminations, [row*width+column]
	ratio         []float64   // work: the pivot's row over the pivot
	product       []float64   // of the pivots so far
	rounded       []int       // roundoffs so far

	limit     []float64 // b', by cost
	magnitude []float64 // |b'| + |β|
	dearest   float64   // the largest c'
	size      []float64 // by cost: the largest N + D·magnitude, scaled, times its roundoffs
	top       []float64 // the largest |F|, scaled
	highest   int       // power of 2 that was multiplied with
}

// MostPower is the largest power of 2 that what is worked out may be multiplied with, or its inverse.
const MostPower = 900

// NewPositive makes room for so many states, rows besides the last, and costs; where shared says so of
// a number of eliminations, what was there before is not needed again.
func NewPositive(states, rows, costs int, shared []bool) *Positive {
	p := &Positive{states: states, width: states + 1 + costs, rows: rows, highest: -MostPower}
	for k := range states {
		if shared[k] {
			p.level = append(p.level, p.level[k-1])
		} else {
			p.level = append(p.level, make([]float64, (rows+1)*p.width))
		}
	}
	p.ratio, p.product, p.rounded = make([]float64, p.width), make([]float64, states), make([]int, states)
	p.product[0], p.rounded[0] = 1, 4*states+2+3
	p.size, p.top = make([]float64, costs), make([]float64, costs)
	return p
}

// put writes an entry before any elimination; what is no number >= 0 spoils all.
func (p *Positive) put(row, column int, x float64) {
	if !(x >= 0) {
		p.dearest = math.NaN()
	}
	p.level[0][row*p.width+column] = x
}

// Lead writes that a row leads to another state with xy, for numbers to which these are the nearest
// float64s; Excess its excess, to which x is the nearest; Start where the last row begins, known within a spacing.
func (p *Positive) Lead(row, state int, x, y float64) { p.put(row, state, x*y) }
func (p *Positive) Excess(row int, x float64)         { p.put(row, p.states, x) }
func (p *Positive) Start(state int, x Interval)       { p.put(p.rows, state, x.lo) }

// Cost writes the next cost, of which number i is that of row at[i], with what it is limited by at most.
func (p *Positive) Cost(b *Block, at []int, limit Interval) {
	j, shift := len(p.limit), min(0, slices.Min(b.v))
	for i, c := range b.v {
		c -= shift
		p.put(at[i], p.states+1+j, c)
		p.dearest = max(p.dearest, c)
	}
	l := limit.hi - shift
	p.limit, p.magnitude = append(p.limit, l), append(p.magnitude, math.Abs(l)-shift)
}

// Eliminate leads all play that enters state k on to where it leaves it by a row. The rows of
// state j, and the last one of all, begin at from[j].
func (p *Positive) Eliminate(k, row int, from []int) {
	w := p.width
	pivotRow := p.level[k][row*w:][:w]
	pivot, terms := pivotRow[p.states], 0
	for _, v := range pivotRow[k+1 : p.states] {
		if v != 0 {
			pivot += v
			terms++
		}
	}
	p.product[k+1] = p.product[k] * pivot
	for j, v := range pivotRow[k+1:] {
		p.ratio[k+1+j] = v / pivot
	}
	rows := 0
	for next := k + 1; next <= p.states; next++ {
		if p.lead(k, from[next], p.end(next, from)) {
			rows++
		}
	}
	p.rounded[k+1] = p.rounded[k] + (terms+3)*rows + terms + 1
}

// end is the row after those of state k, and after the last row.
func (p *Positive) end(k int, from []int) int {
	if k == p.states {
		return p.rows + 1
	}
	return from[k+1]
}

// lead leads the play of some rows on, and reports whether any enters state k.
func (p *Positive) lead(k, from, to int) (leads bool) {
	w, ratio := p.width, p.ratio[k+1:]
	for i := from; i < to; i++ {
		row := p.level[k][i*w:][:w]
		f, old, new := row[k], row[k+1:], p.level[k+1][i*w+k+1:]
		new = new[:len(old)]
		if f == 0 {
			copy(new, old)
			continue
		}
		leads = true
		for j, v := range old {
			new[j] = v + float64(f*ratio[j])
		}
	}
	return leads
}

// Close enters a row of the last state, when the others are eliminated, and writes F times 2^e, |e| <= MostPower,
// at a place of a block for each cost. The
// pivot is then the excess, so that N is the product of the pivots before it
// times excess·(paid so far) + (entering)·c'.
func (p *Positive) Close(row, e int, balls []*Ball, at int) {
	k, w := p.states-1, p.width
	last, own := p.level[k][p.rows*w:][:w], p.level[k][row*w:][:w]
	entering, paid := last[k], last[p.states+1:]
	excess, cost := own[p.states], own[p.states+1:][:len(paid)]
	rounded := float64(p.rounded[k] + 4)
	p.highest = max(p.highest, e)
	scaled := p.product[k] * math.Float64frombits(uint64(1023+e)<<52)
	det := scaled * excess
	for j, x := range paid {
		n := scaled * (float64(excess*x) + float64(entering*cost[j]))
		f := n - float64(det*p.limit[j])
		balls[j].v[at] = f
		size := rounded * (n + float64(det*p.magnitude[j]))
		if !(size <= p.size[j]) { // NaN stays
			p.size[j] = size + 0*p.size[j]
		}
		if f = math.Abs(f); f > p.top[j] {
			p.top[j] = f
		}
	}
}

// Enclose says of the block of a cost how far its numbers are from F.
func (p *Positive) Enclose(j int, b *Ball) {
	small := math.Ldexp(max(1, p.dearest, p.magnitude[j]), max(0, p.highest)-900)
	b.radius = up(up(p.size[j]*(Ulp/2*(1+0x1p-20))) + small) // NaN or infinite where something overflowed
	b.size = up(p.top[j] + b.radius)
}
