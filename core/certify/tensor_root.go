package certify

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/proof"
)

// determinants makes the tensors of one kernel at the root: for every choice of
// an action in each state
//
//	D = det(I - γP) and N_n = D·(c'_n·x),  F_n = N_n - D b'_n,
//
// where c' = c̃ - β >= 0, β being the least cost or 0 if that is less, and
// b' = b̃ - β. (Σx = 1, so that shifting costs and limit alike changes nothing.)
//
// # Elimination
//
// A row holds one pair (s,a): γP(s'|s,a) for the other states s', the excess
// 1-γ, which is what the diagonal is larger by than the others together, and
// c'. A last row holds (1-γ)μ and, where the others have costs, what was paid so
// far. State k is eliminated by
//
//	pivot = excess_k + Σ_{j≠k} a_kj,  a_ij += a_ik·(a_kj/pivot)
//
// for all other rows i and everything j that they hold: play that enters k is
// led on to where it leaves k (Grassmann, Taksar and Heyman, Regenerative
// analysis and steady state distributions for Markov chains, 1985; diagonals
// are sums and are not kept). D is the product of the pivots and N_n is D times
// what the last row has paid in the end. The rows of all actions of the states
// to come are kept up to date, so that choices that begin alike share the work:
// a choice costs a few steps, not a cubic number.
//
// # Errors
//
// All of this is sums, products and quotients of numbers >= 0. By the matrix
// tree theorem (Chaiken, A combinatorial proof of the all minors matrix tree
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
// and the last, which is done in another way (choices), 4. At the start an entry
// is within 3 roundoffs: γ, P and their product; c̃ and its shift; the ends of
// (1-γ)μ are apart by two. F takes 3 more. If k are counted along a choice,
//
//	|computed F - F| <= k·u(1+2^-20)·(N + D(|b'|+|β|))
//
// where 2^-20 is room for the powers of 1+u, k being below 2^20, and for the size
// itself being computed; D|β| is there because shifting rounds c̃, not c' alone.
//
// Gradual underflow changes an entry by at most 2^-1073 at a step. N and D are
// affine in each entry with slopes of at most S·max c'/(1-γ), because rows sum to
// at most 1 without their costs, and there are S³ such changes at most, and
// S more in the product: 2^-900·max(1, c', |b'|+|β|) is more than all that is made
// of them, before F is multiplied with a power of 2 and, where that is less than 1,
// after.
type determinants struct {
	t       *tensors
	kernel  int         // whose tensors these are
	order   []int       // states, in the order they are eliminated
	from    []int       // by place in order: the first row of its actions; then the last row
	width   int         // of a row: S places, the excess, and the costs that are used
	level   [][]float64 // by place: all rows after so many eliminations, [row*width+column]
	ratio   []float64   // work: the pivot's row over the pivot
	product []float64   // of the pivots so far
	rounded []int       // roundoffs so far
	power   []int       // of 2, of the weights so far
	choice  []int       // by place: the action taken there
	weight  []int       // by pair: a power of 2; nil when all are 1

	costs     []int     // that are used
	limit     []float64 // b', by used cost
	magnitude []float64 // |b'| + |β|
	dearest   float64   // the largest c'
	size      []float64 // by used cost: the largest N + D·magnitude, scaled, times its roundoffs
	top       []float64 // the largest |F|, scaled
	highest   int       // power of 2 that was multiplied with
}

// kernel fills the tensors of kernel m at the root, with bounds of their sizes
// and errors. It costs about 4(costs+2) products an entry of one cost.
func (t *tensors) kernel(in *instance, rows []row, m int, c *proof.Tensor) error {
	d := &determinants{t: t, kernel: m, weight: c.Weight, highest: -maxPower}
	for n := range t.costs {
		if k := m*t.costs + n; t.used.has(k) {
			t.root[k] = make([]float64, t.v)
			d.costs = append(d.costs, n)
		}
	}
	if len(d.costs) == 0 {
		return nil
	}
	d.prepare()
	d.fill(in, rows)
	d.power[0] = c.Scale[m]
	if err := d.walk(); err != nil {
		return err
	}
	for j, n := range d.costs {
		k := m*t.costs + n
		small := math.Ldexp(max(1, d.dearest, d.magnitude[j]), max(0, d.highest)-900)
		t.first[k] = enclosure.Up(enclosure.Up(d.size[j]*(enclosure.Ulp/2*(1+0x1p-20))) + small) // NaN or infinite where something overflowed: nothing holds
		t.most[k] = enclosure.Up(d.top[j] + t.first[k])
	}
	return nil
}

// prepare lays out the rows. What has fewest actions is eliminated first, so
// that what comes first changes least, and of those the last state, whose
// actions are furthest apart in a tensor.
func (d *determinants) prepare() {
	t := d.t
	for s := t.S - 1; s >= 0; s-- {
		d.order = append(d.order, s)
	}
	slices.SortStableFunc(d.order, func(a, b int) int { return t.actions[a] - t.actions[b] })
	rows := 0
	for _, s := range d.order {
		d.from = append(d.from, rows)
		rows += t.actions[s]
	}
	d.from = append(d.from, rows)
	d.width = t.S + 1 + len(d.costs)
	d.level = make([][]float64, t.S)
	for k := range d.level {
		if k > 0 && t.actions[d.order[k-1]] == 1 {
			d.level[k] = d.level[k-1] // there is nothing to come back to
		} else {
			d.level[k] = make([]float64, (rows+1)*d.width)
		}
	}
	d.ratio = make([]float64, d.width)
	d.product, d.power, d.rounded, d.choice = make([]float64, t.S), make([]int, t.S), make([]int, t.S), make([]int, t.S)
	d.product[0], d.rounded[0] = 1, 3*t.S+2+3
	d.size, d.top = make([]float64, len(d.costs)), make([]float64, len(d.costs))
}

// fill writes the rows before any elimination.
func (d *determinants) fill(in *instance, rows []row) {
	t := d.t
	gamma, rest := enclosure.Nearest(in.gamma), enclosure.Nearest(new(big.Rat).Inv(in.horizon))
	place := make([]int, t.S)
	for k, s := range d.order {
		place[s] = k
	}
	for k, s := range d.order {
		for a := range t.actions[s] {
			i := t.Off[s] + a
			row := d.level[0][(d.from[k]+a)*d.width:][:d.width]
			for j, to := range rows[i].next {
				if to != s {
					row[place[to]] = gamma * rows[i].near[j]
				}
			}
			row[t.S] = rest
		}
	}
	for j, n := range d.costs {
		cost := t.cost[d.kernel][n]
		shift := min(0, slices.Min(cost))
		for k, s := range d.order {
			for a := range t.actions[s] {
				c := cost[t.Off[s]+a] - shift
				d.level[0][(d.from[k]+a)*d.width+t.S+1+j] = c
				d.dearest = max(d.dearest, c)
			}
		}
		limit := t.limit[n] - shift
		d.limit = append(d.limit, limit)
		d.magnitude = append(d.magnitude, math.Abs(limit)-shift)
	}
	last := d.level[0][d.from[t.S]*d.width:]
	for s := range t.S {
		last[place[s]] = t.start[s].Lo() // (1-γ)μ
	}
}

// walk goes through all choices, one after another, and goes back to the last
// state that has another action left.
func (d *determinants) walk() error {
	t := d.t
	deepest := t.S - 1
	for k, at := 0, 0; ; {
		for ; k < deepest; k++ {
			d.eliminate(k)
		}
		if err := d.choices(at); err != nil {
			return err
		}
		for k--; k >= 0; k-- {
			s := d.order[k]
			if d.choice[k]++; d.choice[k] < t.actions[s] {
				at += t.stride[s]
				break
			}
			at -= (t.actions[s] - 1) * t.stride[s]
			d.choice[k] = 0
		}
		if k < 0 {
			return nil
		}
		if !t.going((t.S - k) * d.width * 4) {
			return ErrLeft
		}
	}
}

// weighs is the power of 2 that the pair of a choice is weighed by.
func (d *determinants) weighs(s, a int) int {
	if d.weight == nil {
		return 0
	}
	return d.weight[d.t.Off[s]+a]
}

// eliminate leads all play that enters the k-th state on to where it leaves it
// by the action chosen.
func (d *determinants) eliminate(k int) {
	t, w := d.t, d.width
	s := d.order[k]
	pivotRow := d.level[k][(d.from[k]+d.choice[k])*w:][:w]
	pivot, terms := pivotRow[t.S], 0
	for _, v := range pivotRow[k+1 : t.S] {
		if v != 0 {
			pivot += v
			terms++
		}
	}
	d.product[k+1] = d.product[k] * pivot
	d.power[k+1] = d.power[k] + d.weighs(s, d.choice[k])
	ratio := d.ratio[k+1:]
	for j, v := range pivotRow[k+1:] {
		ratio[j] = v / pivot
	}
	rows := 0
	for next := k + 1; next <= t.S; next++ {
		leads := false // some action of the next state, or the last row
		for i := d.from[next]; i < d.end(next); i++ {
			row := d.level[k][i*w:][:w]
			f := row[k]
			old, to := row[k+1:], d.level[k+1][i*w+k+1:]
			to = to[:len(old)]
			if f == 0 {
				copy(to, old)
				continue
			}
			leads = true
			for j, v := range old {
				to[j] = v + float64(f*ratio[j])
			}
		}
		if leads {
			rows++
		}
	}
	d.rounded[k+1] = d.rounded[k] + (terms+3)*rows + terms + 1
}

// end is the row after those of the k-th state, and after the last row.
func (d *determinants) end(k int) int {
	if k == d.t.S {
		return d.from[k] + 1
	}
	return d.from[k+1]
}

// choices enters all actions of the last state, when the others are chosen. The
// pivot is then the excess e, so that N is the product of the pivots before it
// times e·(paid so far) + (entering)·c'.
func (d *determinants) choices(at int) error {
	t, w, k := d.t, d.width, d.t.S-1
	s := d.order[k]
	last := d.level[k][d.from[t.S]*w:][:w]
	entering, paid := last[k], last[t.S+1:]
	rounded := float64(d.rounded[k] + 4)
	for a := range t.actions[s] {
		row := d.level[k][(d.from[k]+a)*w:][:w]
		excess, cost := row[t.S], row[t.S+1:][:len(paid)]
		e := d.power[k] + d.weighs(s, a)
		if e < -maxPower || e > maxPower {
			return fmt.Errorf("it scales by 2^%d", e)
		}
		d.highest = max(d.highest, e)
		scaled := d.product[k] * powerOf2(e)
		det := scaled * excess
		for j, p := range paid {
			n := scaled * (float64(excess*p) + float64(entering*cost[j]))
			f := n - float64(det*d.limit[j])
			t.root[d.kernel*t.costs+d.costs[j]][at] = f
			size := rounded * (n + float64(det*d.magnitude[j]))
			if !(size <= d.size[j]) { // NaN stays
				d.size[j] = size + 0*d.size[j]
			}
			if f = math.Abs(f); f > d.top[j] {
				d.top[j] = f
			}
		}
		at += t.stride[s]
	}
	return nil
}

const maxPower = 900

func powerOf2(e int) float64 { return math.Float64frombits(uint64(1023+e) << 52) }
