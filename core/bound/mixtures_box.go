package bound

import (
	"math"

	"rcmdplab/core/model"
	"rcmdplab/core/vector"
)

// policyBox is what is known of a box of policies: for each model k and each corner, a choice of one of its points for every state, the
// determinant D_k and, by cost, D_k J_k. Each of these pieces is affine in every π(s,·).
type policyBox struct {
	m       *model.Standard
	corners int         // of a box
	stride  []int       // by state: how far apart its points are among the corners
	root    []float64   // by model, piece (D, then D J by cost) and corner, of all policies
	whole   []float64   // the same of the box that is split
	at      []float64   // the same of the box that is worked on
	inv     []float64   // by model and corner: 1/D
	points  [][]float64 // by pair: what the point that the action began as takes, by action, in the box that is split
}

// lay makes room for the boxes of a model, and is false where there are too many corners.
func (x *policyBox) lay(m *model.Standard) bool {
	x.m, x.corners = m, 1
	for s := range m.S {
		x.stride = append(x.stride, x.corners)
		if x.corners *= m.Off[s+1] - m.Off[s]; x.corners*len(m.Kernels)*(m.N+2) > mostMixed {
			return false
		}
	}
	size := x.corners * len(m.Kernels)
	x.inv = make([]float64, size)
	size *= m.N + 2
	x.root, x.whole, x.at = make([]float64, size), make([]float64, size), make([]float64, size)
	x.points = make([][]float64, m.Pairs())
	return true
}

// mostMixed is the most numbers of all corners that are worked with.
const mostMixed = 200_000

// point is the pair that a corner takes in a state.
func (x *policyBox) point(c, s int) int {
	return x.m.Off[s] + c/x.stride[s]%(x.m.Off[s+1]-x.m.Off[s])
}

// det and paid are D of a model and D J of it for a cost, inverse is 1/D, by corner.
func (x *policyBox) det(k int) []float64     { return x.at[k*(x.m.N+2)*x.corners:][:x.corners] }
func (x *policyBox) paid(k, n int) []float64 { return x.at[(k*(x.m.N+2)+1+n)*x.corners:][:x.corners] }
func (x *policyBox) inverse(k int) []float64 { return x.inv[k*x.corners:][:x.corners] }

// add adds a multiple of D J.
func (x *policyBox) add(sum []float64, k, n int, price float64) {
	if price != 0 {
		vector.Axpy(sum, x.paid(k, n), price)
	}
}

// lowest is the least product, and where it is.
func lowest(a, b []float64) (least float64, at int) {
	least, b = math.Inf(1), b[:len(a)]
	for c, y := range a {
		if z := y * b[c]; z < least {
			least, at = z, c
		}
	}
	return least, at
}

// enter goes to a box, from all policies.
func (x *policyBox) enter(moves []move) {
	m := x.m
	copy(x.at, x.root)
	for i, s := range m.State {
		x.points[i] = make([]float64, m.Off[s+1]-m.Off[s])
		x.points[i][i-m.Off[s]] = 1
	}
	for _, e := range moves {
		x.move(e)
		halfway(x.points[e.i], x.points[e.j])
	}
	x.invert()
}

// keep makes the box at hand the one that part goes to parts of.
func (x *policyBox) keep() { copy(x.whole, x.at) }

func (x *policyBox) part(e move) {
	copy(x.at, x.whole)
	x.move(e)
	x.invert()
}

func (x *policyBox) move(e move) {
	off, next := x.m.Off[x.m.State[e.i]], x.m.Off[x.m.State[e.i]+1]
	size := x.stride[x.m.State[e.i]]
	for from := 0; from < len(x.at); from += size * (next - off) {
		halfway(x.at[from+(e.i-off)*size:][:size], x.at[from+(e.j-off)*size:][:size])
	}
}

// halfway moves a to the middle between a and b.
func halfway(a, b []float64) {
	b = b[:len(a)]
	for k, y := range b {
		a[k] = (a[k] + y) / 2
	}
}

func (x *policyBox) invert() {
	for k := range x.m.Kernels {
		inv := x.inverse(k)
		for c, y := range x.det(k) {
			inv[c] = 1 / y
		}
	}
}

// fill works out all policies of one action a state, where play goes on with gamma and stops with rest. In episodes, what ends costs
// by cost so much more.
func (x *policyBox) fill(gamma, rest float64, shift []float64) {
	m := x.m
	e := &returns{m: m, a: make([]float64, m.S*m.S), over: make([]float64, m.S), out: make([]float64, m.S), c: make([]float64, m.S*(m.N+1))}
	for k, ker := range m.Kernels {
		costs := make([][]float64, m.N+1)
		for n := range costs {
			costs[n] = m.ExpectedCost(n, ker)
		}
		for c := range x.corners {
			clear(e.a)
			for s := range m.S {
				i, ends := x.point(c, s), m.Total() && m.Ends(s)
				for n := range costs {
					if e.c[n*m.S+s] = costs[n][i]; ends {
						e.c[n*m.S+s] += shift[n]
					}
				}
				if e.over[s] = rest; ends {
					e.over[s] = 1
					continue
				}
				next, prob := ker.Row(i)
				for j, t := range next {
					e.a[s*m.S+t] = gamma * prob[j]
				}
			}
			to := x.root[k*(m.N+2)*x.corners+c:]
			d := e.eliminate()
			to[0] = d
			for n := range costs {
				to[(1+n)*x.corners] = d * e.value(n)
			}
		}
	}
}

// returns works out those of one policy under one model, by elimination without subtractions.
type returns struct {
	m    *model.Standard
	a    []float64 // γP of what is not taken out yet, by row
	over []float64 // what leads out of it, which with the row adds up to the diagonal
	out  []float64 // pivots
	c    []float64 // by cost and state
}

// eliminate takes out state after state, and gives the determinant.
func (e *returns) eliminate() float64 {
	size, d := e.m.S, 1.0
	for s := range size {
		above, out := e.a[s*size:(s+1)*size], e.over[s]
		for _, y := range above[s+1:] {
			out += y
		}
		e.out[s], d = out, d*out
		for t := s + 1; t < size; t++ {
			f := e.a[t*size+s] / out
			if f == 0 {
				continue
			}
			e.over[t] += f * e.over[s]
			for u := s + 1; u < size; u++ {
				e.a[t*size+u] += f * above[u]
			}
			for n := range e.m.N + 1 {
				e.c[n*size+t] += f * e.c[n*size+s]
			}
		}
	}
	return d
}

// value is the return of a cost, after eliminate.
func (e *returns) value(n int) (total float64) {
	size := e.m.S
	r := e.c[n*size : (n+1)*size]
	for s := size - 1; s >= 0; s-- {
		for t := s + 1; t < size; t++ {
			r[s] += e.a[s*size+t] * r[t]
		}
		r[s] /= e.out[s]
		total += e.m.Mu[s] * r[s]
	}
	return total
}
