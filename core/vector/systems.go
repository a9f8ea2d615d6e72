package vector

import "math"

// Octet is eight neighbouring numbers of a row.
type Octet = [8]float64

// Systems are the linear systems I - γP^π of one policy under several kernels,
// with what evaluation wants of them: factors, occupancy measures
// d = (I - γP^π)⁻ᵀ μ, and returns ⟨d, c^π⟩.
//
// Rows are stored in octets, because Go's wasm back end pays for every loop and
// cannot vectorise: the innermost work on eight columns is straight-line code on
// eight local variables, and two at a time in systems.wat. Three ideas do the rest:
//
//   - Row i of I - γP^π is never stored: it is summed from the rows of P into the
//     eight locals, eliminated there against the rows above (no pivoting: the
//     matrix is strictly row diagonally dominant), and written once. Pivots are
//     sums, never differences.
//   - μ is eliminated as one more row. What is left of it is y = μᵀU⁻¹, so the
//     occupancy measure needs only dᵀL = yᵀ.
//   - One call evaluates the policy under all kernels.
//
// Everything lies in three tables, of which the slices below are parts, so that
// the loops in the page are told of three addresses; index begins with the sizes.
type Systems struct {
	// How many there are of each.
	Kernels, States, Pairs, Costs int

	Slots int // most actions of a state
	Sets  int // of costs: 1, or one for each kernel

	P       []Octet   // [(kernel*Pairs+i)*Width()+b] transition rows
	C       []Octet   // [((set*Costs+n)*Slots+j)*Width()+b] cost of each state's j-th action
	Mu      []Octet   // [b] where the process starts
	Returns []float64 // [kernel*Costs+n]
	J       []float64 // by cost: the largest return of a kernel
	Size    []float64 // by cost: the largest ⟨|d|, |c^π|⟩ of a kernel
	Worst   []int32   // by cost: the first kernel whose return is J

	index   []int32   // table: sizes, off, from, end, Worst
	numbers []float64 // table: gamma, rest, weight, Returns, J, Size
	octets  []Octet   // table: P, C, work, unit, Mu, over, v, pit, cp

	nb     int       // octets of a row of States numbers
	stride int       // entries of a state in from and weight, even
	gamma  float64   // discount
	rest   float64   // 1-γ
	off    []int32   // state s has the pairs off[s] to off[s+1]
	from   []int32   // rows of P mixed into a row of P^π: offsets into P, from kernel 0
	end    []int32   // where those of state s, which begin at s*stride, end
	weight []float64 // what they are mixed with, -γπ
	work   []Octet   // by kernel: U, L, 1/diagonal of U, d
	unit   []Octet   // [9] unit rows, and a zero row
	over   []Octet   // [b] of the kernel being eliminated: what is left of the row sums 1-γ
	pit    []Octet   // [j*nb+b] π of each state's j-th action
	cp     []Octet   // [n*nb+b] c^π of the cost set last used
	v      []Octet   // [b] values
}

// head is how many sizes index begins with; systems.wat reads them.
const head = 16

// NewSystems makes tables for a model whose state s has the pairs off[s] to
// off[s+1], to be filled in P, C and Mu. There are sets of costs, one or one for
// each kernel; gamma is the discount, rest is 1-γ.
func NewSystems(off []int, kernels, costs, sets int, gamma, rest float64) *Systems {
	s := len(off) - 1
	y := &Systems{Kernels: kernels, States: s, Pairs: off[s], Costs: costs, Sets: sets, nb: (s + 7) / 8, gamma: gamma, rest: rest}
	for st := range s {
		y.Slots = max(y.Slots, off[st+1]-off[st])
	}
	y.stride = y.Slots + y.Slots&1
	y.index = make([]int32, head+s+1+s*y.stride+s+costs)
	y.numbers = make([]float64, 2+s*y.stride+kernels*costs+2*costs)
	nb := y.nb
	p, c, work := kernels*y.Pairs*nb, sets*costs*y.Slots*nb, kernels*y.area()
	y.octets = make([]Octet, p+c+work+9+3*nb+(y.Slots+costs)*nb)

	sizes := []int{kernels, s, nb, y.Slots, costs, y.Pairs, sets, y.stride, p, p + c, p + c + work}
	for i, x := range sizes {
		y.index[i] = int32(x)
	}
	ints := y.index[head:]
	y.off, ints = ints[:s+1], ints[s+1:]
	y.from, ints = ints[:s*y.stride], ints[s*y.stride:]
	y.end, y.Worst = ints[:s], ints[s:]
	for i, x := range off {
		y.off[i] = int32(x)
	}
	y.numbers[0], y.numbers[1] = gamma, rest
	floats := y.numbers[2:]
	y.weight, floats = floats[:s*y.stride], floats[s*y.stride:]
	y.Returns, floats = floats[:kernels*costs], floats[kernels*costs:]
	y.J, y.Size = floats[:costs], floats[costs:]
	y.cut(p, c, work)
	return y
}

// cut makes the parts of the table of octets.
func (y *Systems) cut(p, c, work int) {
	nb, rest := y.nb, y.octets
	part := func(n int) []Octet {
		x := rest[:n:n]
		rest = rest[n:]
		return x
	}
	y.P, y.C, y.work = part(p), part(c), part(work)
	y.unit, y.Mu, y.over, y.v = part(9), part(nb), part(nb), part(nb)
	y.pit, y.cp = part(y.Slots*nb), part(y.Costs*nb)
	for i := range 8 {
		y.unit[i][i] = 1
	}
}

// Width is how many octets a row of States numbers has.
func (y *Systems) Width() int { return y.nb }

// area is how many octets of work a kernel has.
func (y *Systems) area() int { return 2*(y.States+1)*y.nb + 2*y.nb }

// factors are U, whose diagonal and above count; L, below its unit diagonal,
// with y as row S; and the reciprocal diagonal of U.
func (y *Systems) factors(k int) (up, low, inv []Octet) {
	w, n := y.work[k*y.area():(k+1)*y.area()], (y.States+1)*y.nb
	return w[:n], w[n : 2*n], w[2*n : 2*n+y.nb]
}

// Occupancy is the unnormalised occupancy measure of a kernel.
func (y *Systems) Occupancy(kernel int) []Octet {
	return y.work[(kernel+1)*y.area()-y.nb:][:y.nb]
}

// Evaluate fills Returns, J, Size, Worst and the occupancy measures for a policy.
func (y *Systems) Evaluate(pi []float64) {
	pi = pi[:y.Pairs]
	if simd {
		simdEvaluate(&y.index[0], &y.numbers[0], &y.octets[0][0], &pi[0])
		return
	}
	y.evaluate(pi)
}

func (y *Systems) evaluate(pi []float64) {
	y.load(pi)
	for k := range y.Kernels {
		if k < y.Sets {
			y.spend(k)
		}
		y.factor(k)
		y.occupy(k)
		y.returns(k)
	}
}

// load derives from the policy the tables that the kernels share: the policy
// by action slot, and for each state the rows of P to mix, with weights -γπ,
// rows of weight 0 left out and the list padded to even length.
func (y *Systems) load(pi []float64) {
	nb := y.nb
	for st := range y.end {
		a, b := y.off[st], y.off[st+1]
		t, at := st&7, st>>3
		c := st * y.stride
		for _, x := range pi[a:b] {
			y.pit[at][t] = x
			at += nb
			if x != 0 {
				y.from[c], y.weight[c] = a*int32(nb), -y.gamma*x
				c++
			}
			a++
		}
		if (c-st*y.stride)&1 != 0 {
			y.from[c], y.weight[c] = 0, 0
			c++
		}
		y.end[st] = int32(c)
	}
}

// spend sums c^π of every cost from the tables of one cost set.
func (y *Systems) spend(set int) {
	nb, sl := y.nb, y.Slots*y.nb
	all := y.C[set*y.Costs*sl : (set+1)*y.Costs*sl]
	for n := range y.Costs {
		c := all[n*sl : (n+1)*sl]
		pit := y.pit[:len(c)]
		for b := range nb {
			var r0, r1, r2, r3, r4, r5, r6, r7 float64
			for o := b; o < len(c); o += nb {
				x, z := &pit[o], &c[o]
				r0 += float64(x[0] * z[0])
				r1 += float64(x[1] * z[1])
				r2 += float64(x[2] * z[2])
				r3 += float64(x[3] * z[3])
				r4 += float64(x[4] * z[4])
				r5 += float64(x[5] * z[5])
				r6 += float64(x[6] * z[6])
				r7 += float64(x[7] * z[7])
			}
			z := &y.cp[n*nb+b]
			z[0], z[1], z[2], z[3], z[4], z[5], z[6], z[7] = r0, r1, r2, r3, r4, r5, r6, r7
		}
	}
}

// returns multiplies the occupancy measure of a kernel with the costs.
func (y *Systems) returns(k int) {
	nb, d := y.nb, y.Occupancy(k)
	ret, best, worst, most := y.Returns[k*y.Costs:(k+1)*y.Costs], y.J[:y.Costs], y.Worst[:y.Costs], y.Size[:y.Costs]
	for n := range ret {
		j, size := 0.0, 0.0
		cp := y.cp[n*nb:][:len(d)]
		for b := range d {
			x, c := &d[b], &cp[b]
			p0, p1, p2, p3, p4, p5, p6, p7 := x[0]*c[0], x[1]*c[1], x[2]*c[2], x[3]*c[3], x[4]*c[4], x[5]*c[5], x[6]*c[6], x[7]*c[7]
			j += ((p0 + p1) + (p2 + p3)) + ((p4 + p5) + (p6 + p7))
			size += ((math.Abs(p0) + math.Abs(p1)) + (math.Abs(p2) + math.Abs(p3))) + ((math.Abs(p4) + math.Abs(p5)) + (math.Abs(p6) + math.Abs(p7)))
		}
		ret[n] = j
		if k == 0 || j > best[n] {
			best[n], worst[n] = j, int32(k)
		}
		if k == 0 || size > most[n] {
			most[n] = size
		}
	}
}

// dot8 is ((0+1)+(2+3))+((4+5)+(6+7)) of the products.
func dot8(x, y *Octet) float64 {
	return (float64(x[0]*y[0]) + float64(x[1]*y[1])) + (float64(x[2]*y[2]) + float64(x[3]*y[3])) +
		((float64(x[4]*y[4]) + float64(x[5]*y[5])) + (float64(x[6]*y[6]) + float64(x[7]*y[7])))
}

// Values are those of a cost under a kernel, V = (I - γP^π)⁻¹ c^π, until the
// next call.
func (y *Systems) Values(kernel, n int) []Octet {
	if y.Sets > 1 {
		y.spend(kernel)
	}
	y.solve(kernel, n)
	return y.v
}

// Actions fills dst[i] with c[i] + γ ⟨row i of P, V⟩, the action values of a
// cost under a kernel where c is its expected one-step cost.
func (y *Systems) Actions(dst, c []float64, kernel, n int) {
	y.run(dst[:y.Pairs], c[:y.Pairs], kernel, n, false)
}

// Gradient is Actions, each times the occupancy measure of its state.
func (y *Systems) Gradient(dst, c []float64, kernel, n int) {
	y.run(dst[:y.Pairs], c[:y.Pairs], kernel, n, true)
}

func (y *Systems) run(dst, c []float64, kernel, n int, occupied bool) {
	if !simd {
		y.actions(dst, c, kernel, n, occupied)
		return
	}
	var times int32
	if occupied {
		times = 1
	}
	simdActions(&y.index[0], &y.numbers[0], &y.octets[0][0], &dst[0], &c[0], int32(kernel), int32(n), times)
}

func (y *Systems) actions(dst, c []float64, kernel, n int, occupied bool) {
	v, nb := y.Values(kernel, n), y.nb
	rows, d := y.P[kernel*y.Pairs*nb:(kernel+1)*y.Pairs*nb], y.Occupancy(kernel)
	for st := range y.end {
		a, b, share := y.off[st], y.off[st+1], 1.0
		if occupied {
			share = d[st>>3][st&7]
		}
		for i := a; i < b; i++ {
			t, row := 0.0, rows[int(i)*nb:][:len(v)]
			for b := range v {
				x, z := &row[b], &v[b]
				p0, p1, p2, p3, p4, p5, p6, p7 := x[0]*z[0], x[1]*z[1], x[2]*z[2], x[3]*z[3], x[4]*z[4], x[5]*z[5], x[6]*z[6], x[7]*z[7]
				t += ((p0 + p1) + (p2 + p3)) + ((p4 + p5) + (p6 + p7))
			}
			dst[i] = (c[i] + float64(y.gamma*t)) * share
		}
	}
}
