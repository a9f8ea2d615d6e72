package certify

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
)

// scene is a random problem with a box of policies, ranges that hold for the
// sampled policies, and hypotheses that they satisfy.
type scene struct {
	e    exactly
	x    *relaxation
	g    *ends
	grid [][]int64
	occ  [][][]*big.Rat // [policy][kernel][pair]
	d    [][][]*big.Rat // [policy][kernel][state]
}

// ends are those of ranges, as float64s.
type ends struct{ l, u, L, U, R []float64 }

func newEnds(pairs, occupancies, ratios int) *ends {
	return &ends{make([]float64, pairs), make([]float64, pairs), make([]float64, occupancies), make([]float64, occupancies), make([]float64, ratios)}
}

func (e *ends) ranges() *ranges {
	g := new(ranges)
	for i := range e.l {
		g.policy = append(g.policy, enclosure.Of(e.l[i], e.u[i]))
	}
	for k := range e.L {
		g.occupancy = append(g.occupancy, enclosure.Of(e.L[k], e.U[k]))
	}
	for _, r := range e.R {
		g.ratio = append(g.ratio, enclosure.Point(r))
	}
	return g
}

func endsOf(g *ranges) *ends {
	e := new(ends)
	for _, a := range g.policy {
		e.l, e.u = append(e.l, a.Lo()), append(e.u, a.Hi())
	}
	for _, a := range g.occupancy {
		e.L, e.U = append(e.L, a.Lo()), append(e.U, a.Hi())
	}
	for _, a := range g.ratio {
		e.R = append(e.R, a.Hi())
	}
	return e
}

// newScene makes a scene; with point, the box and ranges hold one policy only,
// as tight as float64s can.
func newScene(rng *rand.Rand, point bool) *scene {
	p := randomProblem(rng, model.Finite)
	in := newInstance(p, always)
	count := 4
	if point {
		count = 1
	}
	n, S, M := in.Pairs(), in.S, len(in.kernels)
	sc := &scene{e: exactly{in: in, kernels: in.kernels, target: math.Inf(-1)}}
	if rng.IntN(2) == 0 { // as for the regularised set
		for range in.kernels {
			v := make([]float64, n)
			for i := range v {
				v[i] = rng.Float64() * math.Pow(10, float64(rng.IntN(4)-2))
			}
			sc.e.penalties = append(sc.e.penalties, v)
		}
	}
	center := in.onGrid(randomPolicy(rng, p.Layout))
	width := rng.Float64()
	for range count {
		other := in.onGrid(randomPolicy(rng, p.Layout))
		mix := make([]float64, n)
		for i := range mix {
			mix[i] = (float64(center[i]) + width*(float64(other[i])-float64(center[i]))) / gridOne
		}
		if point {
			mix = fromGrid(center)
		}
		grid := in.onGrid(mix)
		sc.grid = append(sc.grid, grid)
	}
	sc.g = newEnds(n, M*S, M*M*S)
	g := sc.g
	for i := range g.l {
		g.l[i] = 1
	}
	for k := range g.L {
		g.L[k] = 1
	}
	loose := func() float64 { // how much a range is wider than it must be
		if point || rng.IntN(2) == 0 {
			return 0
		}
		return rng.Float64()
	}
	relax := 0.0
	for _, grid := range sc.grid {
		var occ, d [][]*big.Rat
		for m, rows := range in.kernels {
			x := occupancies(in, rows, grid)
			sums := make([]*big.Rat, S)
			for s := range sums {
				sums[s] = new(big.Rat)
			}
			for i, s := range in.State {
				sums[s].Add(sums[s], x[i])
			}
			occ, d = append(occ, x), append(d, sums)
			for s, v := range sums {
				k := m*S + s
				g.L[k] = min(g.L[k], max(0, enclosure.Below(v)))
				g.U[k] = max(g.U[k], enclosure.Above(v))
			}
			for c := range in.costs {
				j := new(big.Rat)
				for i := range x {
					cost := in.expected(c, i, &rows[i])
					if sc.e.penalties != nil {
						cost.Sub(cost, rat(sc.e.penalties[m][i]))
					}
					j.Add(j, mul(x[i], cost, in.horizon))
				}
				if c == 0 {
					sc.e.target = max(sc.e.target, enclosure.Above(j))
				} else {
					relax = max(relax, enclosure.Above(minus(j, in.b[c])))
				}
			}
		}
		for m := range in.kernels {
			for o := range in.kernels {
				for s := range S {
					k := (m*M+o)*S + s
					switch {
					case d[o][s].Sign() > 0:
						g.R[k] = max(g.R[k], enclosure.Above(new(big.Rat).Quo(d[m][s], d[o][s])))
					case d[m][s].Sign() > 0:
						g.R[k] = math.Inf(1)
					}
				}
			}
		}
		for i, v := range fromGrid(grid) {
			g.l[i], g.u[i] = min(g.l[i], v), max(g.u[i], v)
		}
		sc.occ, sc.d = append(sc.occ, occ), append(sc.d, d)
	}
	for i := range g.l {
		g.l[i] = max(0, g.l[i]-loose()*g.l[i])
		g.u[i] = min(1, g.u[i]+loose()*(1-g.u[i]))
	}
	for k := range g.L {
		g.L[k] -= loose() * g.L[k]
		g.U[k] += loose() * (1 - g.U[k])
	}
	for k := range g.R {
		g.R[k] *= 1 + 3*loose()
	}
	sc.e.relax = relax
	paid := make([][]float64, len(in.kernels))
	copy(paid, sc.e.penalties)
	sc.x = in.newRelaxation(in.kernels, paid, &proof.Claim{Target: sc.e.target, Relax: relax}, always)
	return sc
}

// scenes are made once for the tests that look at many: by turns of one policy and of several.
var scenes = sync.OnceValue(func() []*scene {
	rng := rand.New(rand.NewPCG(9, 1))
	all := make([]*scene, 300)
	for k := range all {
		all[k] = newScene(rng, k%2 == 0)
	}
	return all
})

// names lists every row that the frame has.
func (sc *scene) names() []proof.Row {
	var out []proof.Row
	in, M := sc.e.in, len(sc.e.kernels)
	for kind := range proof.RowKinds {
		for m := range M {
			size := in.Pairs()
			switch kind {
			case proof.Flow, proof.Occupancy, proof.Simplex:
				size = in.S
			case proof.Cost:
				size = len(in.costs)
			}
			for k := range size {
				switch {
				case kind == proof.RatioLow || kind == proof.RatioUp:
					for o := range M {
						if o != m && !math.IsInf(sc.g.R[(m*M+o)*in.S+in.State[k]], 1) {
							out = append(out, proof.NewRow(kind, m, o, k))
						}
					}
				default:
					out = append(out, proof.NewRow(kind, m, 0, k))
				}
			}
		}
	}
	return out
}

// point gives the columns' values at sampled policy q.
func (sc *scene) point(q int) (v []*big.Rat) {
	for _, g := range sc.grid[q] {
		v = append(v, gridRat(g))
	}
	return append(v, slices.Concat(sc.occ[q]...)...)
}

// TestEveryPolicySatisfiesEveryRow is the validity of the relaxation: exact
// occupancies of policies in the box against exact rows, without a tolerance.
func TestEveryPolicySatisfiesEveryRow(t *testing.T) {
	seen := map[proof.RowKind]int{}
	for _, sc := range scenes()[:90] {
		var points [][]*big.Rat
		for q := range sc.grid {
			points = append(points, sc.point(q))
		}
		for _, name := range sc.names() {
			r := sc.e.row(sc.g, name)
			seen[name.Kind()]++
			for _, x := range points {
				v := new(big.Rat)
				for j, a := range r.a {
					if a.Sign() != 0 && x[j].Sign() != 0 {
						v.Add(v, mul(a, x[j]))
					}
				}
				if r.lo != nil && v.Cmp(r.lo) < 0 || r.hi != nil && v.Cmp(r.hi) > 0 {
					t.Fatalf("row %d of kernels %d, %d, index %d: a policy of the box has %v, outside its range",
						name.Kind(), name.Kernel(), name.Other(), name.Index(), enclosure.Nearest(v))
				}
			}
		}
	}
	for kind := range proof.RowKinds {
		if seen[kind] < 100 {
			t.Errorf("row kind %d was seen %d times", kind, seen[kind])
		}
	}
}

// TestBoundIsBelowItsExactFormula compares the outward float64 evaluation with
// the same formula in fractions, for any rows and multipliers, and with f at
// the policies of the box.
func TestBoundIsBelowItsExactFormula(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 2))
	tight := 0
	for _, sc := range scenes() {
		names := sc.names()
		x, g := sc.x, sc.g.ranges()
		columns := x.block(x.kernels)
		x.rest.Reset(x.kernels+1, x.Pairs())
		residual, f := make([]*big.Rat, columns), make([]*big.Rat, columns)
		for j := range f {
			f[j], residual[j] = new(big.Rat), new(big.Rat)
			if rng.IntN(3) == 0 {
				v := rng.NormFloat64()
				x.rest.Aim(j, v)
				f[j] = rat(v)
				residual[j].Set(f[j])
			}
		}
		w, size := new(big.Rat), 0.0
		for range rng.IntN(30) {
			name := names[rng.IntN(len(names))]
			y := float64(float32(rng.NormFloat64() * math.Pow(10, float64(rng.IntN(7)-3))))
			x.row(g, name, y)
			r := sc.e.row(sc.g, name)
			end := r.lo
			if y < 0 {
				end = r.hi
			}
			if end == nil {
				continue
			}
			w.Add(w, mul(rat(y), end))
			size += math.Abs(y * enclosure.Nearest(end))
			for j, a := range r.a {
				residual[j].Sub(residual[j], mul(rat(y), a))
				size += math.Abs(y * enclosure.Nearest(a))
			}
		}
		box := x.box(g)
		for j, r := range residual {
			lo, hi := sc.exactBox(j)
			l, h := box(j).Lo(), box(j).Hi()
			if rat(l).Cmp(lo) > 0 || rat(h).Cmp(hi) < 0 || l < 0 {
				t.Fatalf("column %d: box [%v, %v] does not hold [%v, %v]", j, l, h, enclosure.Nearest(lo), enclosure.Nearest(hi))
			}
			end := lo
			if r.Sign() < 0 {
				end = hi
			}
			w.Add(w, mul(r, end))
			size += math.Abs(enclosure.Nearest(f[j]))
		}
		got := x.rest.Bound(box).Lo()
		exact := enclosure.Nearest(w)
		if rat(got).Cmp(w) > 0 {
			t.Fatalf("bound %v is above its exact formula, %v", got, exact)
		}
		if exact-got > 1e-13*size+1e-300 {
			t.Fatalf("bound %v, exact formula %v: margin %v for terms of size %v", got, exact, exact-got, size)
		}
		for q := range sc.grid {
			v := new(big.Rat)
			for j, p := range sc.point(q) {
				v.Add(v, mul(f[j], p))
			}
			if rat(got).Cmp(v) > 0 {
				t.Fatalf("bound %v is above f = %v of a policy of the box", got, enclosure.Nearest(v))
			}
			if len(sc.grid) == 1 && enclosure.Nearest(v)-got < 1e-12*(size+1) {
				tight++
			}
		}
	}
	if tight < 100 {
		t.Errorf("only %d bounds of single policies were met to 1e-12: the test is too easy", tight)
	}
}

// exactBox is the range of column j in fractions.
func (sc *scene) exactBox(j int) (lo, hi *big.Rat) {
	n, g := sc.e.in.Pairs(), sc.g
	m, i := j/n-1, j%n
	if m < 0 {
		return rat(g.l[i]), rat(g.u[i])
	}
	k := m*sc.e.in.S + sc.e.in.State[i]
	return mul(rat(g.l[i]), rat(g.L[k])), mul(rat(g.u[i]), rat(g.U[k]))
}

// TestCloseKeepsEveryPolicy draws the consequences of true ranges and finds
// every sampled policy still inside, and no box empty that holds one.
func TestCloseKeepsEveryPolicy(t *testing.T) {
	moved := 0
	for _, sc := range scenes() {
		r, M, S := sc.g.ranges(), len(sc.e.kernels), sc.e.in.S
		if sc.x.close(r) {
			t.Fatal("a box that holds a policy is called empty")
		}
		g := endsOf(r)
		for k := range g.l {
			if g.l[k] > sc.g.l[k] || g.u[k] < sc.g.u[k] {
				moved++
			}
		}
		for k := range g.R {
			if g.R[k] < sc.g.R[k] {
				moved++
			}
		}
		for q, grid := range sc.grid {
			for i := range grid {
				if v := gridRat(grid[i]); v.Cmp(rat(g.l[i])) < 0 || v.Cmp(rat(g.u[i])) > 0 {
					t.Fatalf("pair %d: a policy is cut off", i)
				}
			}
			for m := range M {
				for s := range S {
					d := sc.d[q][m][s]
					if k := m*S + s; d.Cmp(rat(g.L[k])) < 0 || d.Cmp(rat(g.U[k])) > 0 {
						t.Fatalf("kernel %d, state %d: an occupancy is cut off", m, s)
					}
					for o := range M {
						if r := g.R[(m*M+o)*S+s]; !math.IsInf(r, 1) && d.Cmp(mul(rat(r), sc.d[q][o][s])) > 0 {
							t.Fatalf("kernels %d, %d, state %d: a ratio is cut off", m, o, s)
						}
					}
				}
			}
		}
	}
	if moved < 300 {
		t.Errorf("only %d ranges moved", moved)
	}
}

// A kernel of a proof for the regularised set is used at no less than nature pays for it: of penalties
// that are less by a billionth one is refused, and more are not.
func TestKernelsArePaidFor(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 3))
	cheap, fair := 0, 0
	for range 60 {
		p := randomProblem(rng, model.KLRegularized)
		in := mustInstance(t, p)
		kernel := proof.Kernel{Rows: make([]float64, p.Layout.Pairs()*p.Layout.S), Penalty: make([]float64, p.Layout.Pairs())}
		for i := range p.Layout.Pairs() {
			r, sum, kl := &in.nominal[i], 0.0, 0.0
			row := kernel.Rows[i*p.Layout.S:][:p.Layout.S]
			for j, s := range r.next {
				if r.near[j] > 0 {
					row[s] = r.near[j] * math.Exp(rng.NormFloat64())
					sum += row[s]
				}
			}
			for j, s := range r.next {
				if row[s] > 0 {
					row[s] /= sum
					kl += row[s] * math.Log(row[s]/r.near[j])
				}
			}
			kernel.Penalty[i] = p.Discount * p.Uncertainty.Temperature * kl
		}
		asks := func(by float64, pair int) error {
			paid := slices.Clone(kernel.Penalty)
			for i := range paid {
				paid[i] = max(0, paid[i]*(1+1e-9)+1e-13)
			}
			if pair >= 0 {
				paid[pair] = kernel.Penalty[pair] * by
			}
			return caught(func() { in.certified([]proof.Kernel{{Rows: kernel.Rows, Penalty: paid}}) })
		}
		if err := asks(1, -1); err != nil {
			t.Fatalf("what nature pays is refused: %v", err)
		}
		fair++
		for i, paid := range kernel.Penalty {
			if paid > 1e-3 {
				for _, by := range []float64{0, .5, 1 - 1e-9, math.NaN(), -1} {
					if cheap++; asks(by, i) == nil {
						t.Fatalf("pair %d: %v times what nature pays is enough", i, by)
					}
				}
			}
		}
	}
	if cheap < 100 || fair < 50 {
		t.Errorf("%d too cheap, %d fair", cheap, fair)
	}
}
