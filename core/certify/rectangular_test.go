package certify

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
	"rcmdplab/core/uncertainty"
)

func TestRectangularReturnsOfFixtures(t *testing.T) {
	for _, name := range fixture.Names(t) {
		p := fixture.Problem(t, name)
		if p.Uncertainty.Kind == model.Finite {
			continue
		}
		t.Run(name, func(t *testing.T) {
			known, m := fixture.Expected(t, name), p.Standard()
			for key, policy := range known.Policies {
				e, err := Evaluate(p, policy.Flat(p.Layout))
				if err != nil {
					t.Fatal(err)
				}
				for n, r := range e.Returns {
					want, h := m.Internal(n, known.Evaluations[key].J[n]), known.H
					tol := float64(p.Layout.S)*0x1p-48*h*h + 1e-10
					if !(r.Lo <= r.Hi && math.Abs(r.Hi-want) <= tol && want-r.Lo <= 1e-8*h && r.Lo-want <= tol) {
						t.Errorf("%s, cost %d: proved [%v, %v], want %v within %v (lower end 1e-8 H)", key, n, r.Lo, r.Hi, want, tol)
					}
				}
			}
		})
	}
}

// members draws rows of the set of pair i: nature's freedom sampled without
// any of the formulas under test, and judged by exact rational arithmetic.
func (x *exactSet) sample(rng *rand.Rand, i int) (row, bool) {
	in := x.in
	dense := make([]float64, in.S)
	w := 0.0
	for _, s := range x.support[i] {
		dense[s] = math.Pow(rng.Float64(), float64(rng.IntN(8)))
		if rng.IntN(4) == 0 {
			dense[s] *= 1e-6
		}
		w += dense[s]
	}
	if w == 0 {
		return row{}, false
	}
	nominal := make([]float64, in.S)
	if x.in.p.Uncertainty.Kind != model.Interval {
		for j, s := range in.nominal[i].next {
			nominal[s] = in.nominal[i].near[j]
		}
	} else {
		for j, s := range x.support[i] {
			lo, hi := enclosure.Nearest(in.lower[i].find(s)), enclosure.Nearest(in.upper[i].at(j))
			nominal[s] = lo + rng.Float64()*(hi-lo)
		}
	}
	for t := 1.0; t > 1e-9; t *= 0.6 {
		mixed, total := make([]float64, in.S), 0.0
		for s := range mixed {
			mixed[s] = t*dense[s]/w + (1-t)*nominal[s]
			total += mixed[s]
		}
		for s := range mixed {
			mixed[s] /= total
		}
		if r, ok := x.exactMember(i, mixed); ok {
			return r, true
		}
	}
	return row{}, false
}

// exactMember closes a row to sum 1 and judges it.
func (x *exactSet) exactMember(i int, dense []float64) (row, bool) {
	if x.excess(i, dense) > 1e-9 { // as most rows that are tried, and plain in floats
		return row{}, false
	}
	var next []int
	for s := range dense {
		next = append(next, s)
	}
	var r row
	err := caught(func() { r = distribution(next, dense, 0) })
	return r, err == nil && x.inSet(i, &r, -1e-12)
}

// isMember refuses a row that is not a member.
func isMember(x *exactSet, i int, dense []float64) (row, interval) {
	r, price, err := x.member(i, dense)
	if err != nil {
		refuse("%w", err)
	}
	return r, price
}

// excess is by how much a row oversteps the set, about, and 0 or less inside.
func (x *exactSet) excess(i int, dense []float64) float64 {
	sum, square, chi, kl, top := 0.0, 0.0, 0.0, 0.0, 0.0
	most := math.Inf(-1) // of single entries that have ranges
	radius := 0.0
	if x.in.radius != nil {
		radius = enclosure.Nearest(x.in.radius[i])
	}
	for j, s := range x.support[i] {
		p := dense[s]
		if x.in.p.Uncertainty.Kind == model.Interval {
			most = max(most, enclosure.Nearest(x.in.lower[i].find(s))-p, p-enclosure.Nearest(x.in.upper[i].at(j)))
			continue
		}
		q := enclosure.Nearest(x.in.nominal[i].find(s))
		d := math.Abs(p - q)
		sum, square, top = sum+d, square+d*d, max(top, d)
		if q > 0 {
			chi += d * d / q
		}
		if p > 0 && q > 0 {
			kl += p * math.Log(p/q)
		}
		if x.in.p.Uncertainty.Kind == model.Contamination {
			most = max(most, (1-radius)*q-p)
		}
	}
	switch x.in.p.Uncertainty.Kind {
	case model.L1:
		return sum - radius
	case model.TV:
		return sum/2 - radius
	case model.L2:
		return math.Sqrt(square) - radius
	case model.LInf:
		return top - radius
	case model.Chi2:
		return chi - radius
	case model.KL:
		return kl - radius
	}
	return most
}

// inSet judges a row by the definition of the set, in fractions but for KL,
// which may exceed the radius by slack.
func (x *exactSet) inSet(i int, r *row, slack float64) bool {
	in := x.in
	if x.in.p.Uncertainty.Kind == model.Interval {
		for s := range in.S {
			if p := r.find(s); p.Cmp(in.lower[i].find(s)) < 0 || p.Cmp(in.upper[i].find(s)) > 0 {
				return false
			}
		}
		return true
	}
	distance, kl := new(big.Rat), 0.0
	for s := range in.S {
		p, q := r.find(s), in.nominal[i].find(s)
		if q.Sign() == 0 && p.Sign() > 0 && (x.in.p.Uncertainty.Kind == model.KL || x.in.p.Uncertainty.Kind == model.Chi2 || x.in.p.Uncertainty.Kind == model.KLRegularized || !in.p.Uncertainty.SupportAll) {
			return false
		}
		d := new(big.Rat).Sub(p, q)
		switch x.in.p.Uncertainty.Kind {
		case model.L1, model.TV:
			distance.Add(distance, d.Abs(d))
		case model.L2:
			distance.Add(distance, d.Mul(d, d))
		case model.LInf:
			if d.Abs(d).Cmp(distance) > 0 {
				distance = d
			}
		case model.Chi2:
			if q.Sign() > 0 {
				distance.Add(distance, d.Quo(d.Mul(d, d), q))
			}
		case model.KL:
			if f := enclosure.Nearest(p); f > 0 {
				kl += f * math.Log(f/enclosure.Nearest(q))
			}
		case model.Contamination:
			if keep := new(big.Rat).Sub(big.NewRat(1, 1), in.radius[i]); p.Cmp(keep.Mul(keep, q)) < 0 {
				return false
			}
		}
	}
	switch x.in.p.Uncertainty.Kind {
	case model.TV:
		return distance.Quo(distance, big.NewRat(2, 1)).Cmp(in.radius[i]) <= 0
	case model.L2:
		return distance.Cmp(new(big.Rat).Mul(in.radius[i], in.radius[i])) <= 0
	case model.L1, model.LInf, model.Chi2:
		return distance.Cmp(in.radius[i]) <= 0
	case model.KL:
		return kl <= enclosure.Nearest(in.radius[i])+slack
	}
	return true
}

func kinds() []model.Kind {
	return []model.Kind{model.KL, model.KLRegularized, model.L1, model.TV, model.L2, model.LInf, model.Chi2, model.Contamination, model.Interval}
}

// above is what the check of a row says from above of z by successor of the support.
func (r *rowset) aboveOf(t testing.TB, i int, support []int, z []float64) float64 {
	t.Helper()
	r.load(i)
	of := func(s int) interval { return enclosure.Point(z[slices.Index(support, s)]) }
	r.faceCosts(of)
	r.ask(i, nil, of)
	return r.above(nil).Hi()
}

// asked is a check of rows that face any z, and the price of KL there.
func asked(t testing.TB, p *model.Problem) (r *rowset, price float64) {
	t.Helper()
	r = mustImage(t, p).newRowset(nil, one, true)
	return r, r.fixed.Lo()
}

// TestUpperIsAboveEveryMember compares the weak duals with sampled members of
// the sets and, for the tightness, with the best of nature's answers.
func TestUpperIsAboveEveryMember(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	for _, kind := range kinds() {
		t.Run(string(kind), func(t *testing.T) {
			sampled, tight, rows := 0, 0, 0
			for range 15 {
				p := randomProblem(rng, kind)
				in := newInstance(p, always)
				x := in.exactSet()
				upper, price := asked(t, p)
				for i := range in.Pairs() {
					z := make([]float64, len(x.support[i]))
					for j := range z {
						z[j] = 100 * math.Round(8*rng.Float64()) / 8 * float64(rng.IntN(5))
						if rng.IntN(2) == 0 {
							z[j] = 1000 + rng.NormFloat64()
						}
					}
					u := upper.aboveOf(t, i, x.support[i], z)
					best := math.Inf(-1)
					for range 4 {
						r, ok := x.sample(rng, i)
						if !ok {
							continue
						}
						sampled++
						v := new(big.Rat)
						for j, s := range x.support[i] {
							v.Add(v, new(big.Rat).Mul(r.find(s), rat(z[j])))
						}
						f := enclosure.Nearest(v)
						if kind == model.KLRegularized {
							kl := 0.0
							for j, s := range r.next {
								if a := enclosure.Nearest(r.at(j)); a > 0 {
									kl += a * math.Log(a/enclosure.Nearest(in.nominal[i].find(s)))
								}
							}
							f -= price*kl + 1e-12*(math.Abs(f)+price)
							if !(f <= u) {
								t.Fatalf("a row gains %v, above the bound %v", f, u)
							}
						} else if v.Cmp(rat(u)) > 0 {
							t.Fatalf("a member gains %v, above the bound %v (z %v)", f, u, z)
						}
						best = max(best, f)
					}
					rows++
					if best >= u-1e-6*math.Abs(u) {
						tight++
					}
				}
			}
			if sampled < rows {
				t.Errorf("only %d members for %d rows", sampled, rows)
			}
			t.Logf("%d rows, %d members, bound met within 1e-6 by a sample %d times", rows, sampled, tight)
		})
	}
}

// TestUpperIsTight compares the weak duals with nature's own answers, a
// different computation, from the centre of the sets to their edges: the first
// are never below the second and meet them.
func TestUpperIsTight(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 1))
	for _, kind := range kinds() {
		t.Run(string(kind), func(t *testing.T) {
			for range 80 {
				p := randomProblem(rng, kind)
				if len(p.Uncertainty.Radius) > 0 {
					scale := math.Pow(10, -9*rng.Float64()*float64(rng.IntN(2)))
					for k := range p.Uncertainty.Radius {
						p.Uncertainty.Radius[k] *= scale
					}
				}
				in := mustInstance(t, p)
				x := in.exactSet()
				m := p.Standard()
				set, err := uncertainty.NewWeighted(m, m.Gamma)
				if err != nil {
					t.Fatal(err)
				}
				upper, _ := asked(t, p)
				for i := range in.Pairs() {
					sup := set.Support(i)
					z, dst := make([]float64, len(sup)), make([]float64, len(sup))
					shift, scale := 100*rng.NormFloat64(), math.Pow(10, float64(rng.IntN(7)-3))
					for j := range z {
						z[j] = shift + scale*rng.Float64()
					}
					a := set.Answer(dst, i, z)
					mine := z
					if len(sup) != len(x.support[i]) { // zeros of the nominal row may be listed or not
						mine = nil
						for _, s := range x.support[i] {
							mine = append(mine, z[slices.Index(sup, s)])
						}
					}
					u := upper.aboveOf(t, i, x.support[i], mine)
					span := slices.Max(z) - slices.Min(z)
					if tol := 1e-13*math.Abs(shift) + 1e-12*span + 1e-14; u < a.Value-tol || u > a.Value+tol+3e-9*span {
						t.Fatalf("row %v, z %v, radius %v: bound %v, nature attains %v (off by %g of %g)", upper.q, z, p.Uncertainty.Radius, u, a.Value, u-a.Value, span)
					}
				}
			}
		})
	}
}

// A row that its ends leave no room to sum to 1 is refused, however little is missing.
func TestARowWithoutRoomIsRefused(t *testing.T) {
	read := func(x float64) row {
		r := plain([]int{0}, []float64{x})
		return r
	}
	r, x := read(1-5e-10), &exactSet{in: &instance{lower: []row{read(0.5)}, upper: []row{read(1 - 5e-10)}}, shape: shapeOf(model.Interval)}
	if caught(func() { x.fit(0, &r) }) == nil {
		t.Errorf("it is read as one of sum %v", r.at(0))
	}
}

// TestMembersAreMembers draws rows near the edge of the sets: those accepted
// are in the set by its definition in fractions, and rows well inside are.
func TestMembersAreMembers(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 1))
	for _, kind := range kinds() {
		t.Run(string(kind), func(t *testing.T) {
			accepted, refused := 0, 0
			for range 40 {
				p := randomProblem(rng, kind)
				in := mustInstance(t, p)
				x := in.exactSet()
				for i := range in.Pairs() {
					inside, ok := x.sample(rng, i)
					if !ok {
						continue
					}
					// Walk from the member towards a vertex of the simplex until the set ends.
					row, goal := make([]float64, in.S), x.support[i][rng.IntN(len(x.support[i]))]
					at := func(w float64) []float64 {
						for s := range row {
							row[s] = (1 - w) * enclosure.Nearest(inside.find(s))
						}
						row[goal] += w
						return row
					}
					lo, hi := 0.0, 1.0
					for range 36 {
						mid := (lo + hi) / 2
						over := x.excess(i, at(mid))
						ok := over < -1e-9
						if !ok {
							_, ok = x.exactMember(i, row)
						}
						if ok {
							lo = mid
						} else {
							hi = mid
						}
					}
					for _, step := range []float64{0, -1e-15, 1e-15, 1e-14, -1e-12, 1e-12, -1e-9, 1e-9, 1e-6, -1e-3} {
						w := min(1, max(0, lo+step))
						r := x.in.mu
						var paid interval
						err := caught(func() { r, paid = isMember(x, i, at(w)) })
						price := paid.Hi()
						if err != nil {
							if refused++; step < -1e-8 && lo > 0 && lo+step > 0 {
								t.Fatalf("a row %v inside the edge is refused: %v", -step, err)
							}
							continue
						}
						accepted++
						if x.family != priced && x.excess(i, row) > 1e-8 {
							t.Fatalf("a row %v outside is read as one in the set", step)
						}
						dense, total := make([]float64, in.S), new(big.Rat)
						for j, s := range r.next {
							dense[s] = r.near[j]
							total.Add(total, r.at(j))
							if r.num[j].Sign() < 0 || r.near[j] != enclosure.Nearest(r.at(j)) {
								t.Fatalf("row %v", r)
							}
						}
						if total.Cmp(big.NewRat(1, 1)) != 0 {
							t.Fatalf("an accepted row sums to %v", total)
						}
						if !x.inSet(i, &r, 1e-15) {
							t.Fatalf("accepted at %v from the edge: %v, outside the set", step, dense)
						}
						if kind == model.KLRegularized {
							kl := 0.0
							for j, s := range r.next {
								if f := r.near[j]; f > 0 {
									kl += f * math.Log(f/enclosure.Nearest(in.nominal[i].find(s)))
								}
							}
							if !(price >= kl-1e-13*(1+math.Abs(kl)) && price <= kl+1e-12*(1+math.Abs(kl))) {
								t.Fatalf("price %v of a row at distance %v", price, kl)
							}
						}
					}
					for s := range at(0) {
						row[s] *= 1 - 1e-6
					}
					if caught(func() { isMember(x, i, row) }) == nil {
						t.Fatal("a row that does not sum to 1 is read as one that does")
					}
				}
			}
			if accepted < 50 || kind != model.KLRegularized && refused < 10 {
				t.Errorf("%d rows accepted, %d refused", accepted, refused)
			}
		})
	}
}

func TestRectangularRangeHoldsEveryKernelOfTheSet(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	for _, kind := range kinds() {
		t.Run(string(kind), func(t *testing.T) {
			wide, low, count := 0, 0, 0
			for range 15 {
				p := randomProblem(rng, kind)
				in := mustInstance(t, p)
				x := in.exactSet()
				e, err := Evaluate(p, randomPolicy(rng, p.Layout))
				if err != nil {
					t.Fatal(err)
				}
				grid := in.onGrid(e.Policy)
				h := 1 / (1 - p.Discount)
				for _, r := range e.Returns {
					count++
					scale := max(1e-3, math.Abs(r.Hi))
					if r.Hi-r.Lo > 1e-7*h*scale {
						wide++
					}
					if math.IsInf(r.Lo, -1) {
						low++
					}
				}
				if kind == model.KLRegularized {
					continue // the returns of members carry a price
				}
				for range 3 {
					rows := make([]row, in.Pairs())
					ok := true
					for i := range rows {
						var one bool
						rows[i], one = x.sample(rng, i)
						ok = ok && one
					}
					if !ok {
						continue
					}
					for n, r := range e.Returns {
						if j := plainly(in, rows, grid, n); j.Cmp(rat(r.Hi)) > 0 {
							t.Fatalf("cost %d: a kernel of the set returns %v, above %v", n, enclosure.Nearest(j), r.Hi)
						}
					}
				}
			}
			if wide*20 > count || low > 0 {
				t.Errorf("%d of %d ranges are wide, %d have no lower end", wide, count, low)
			}
		})
	}
}

// An interval whose lower ends are all 0 is the whole simplex under its upper
// ends, however its rows are written; upper ends that are all 0 hold nothing.
func TestIntervalFromZero(t *testing.T) {
	const head = `{"format":"rcmdp/1","states":["s","t"],"actions":["a"],"discount":0.5,"initial":[1,0],
		"objective":{"name":"c","values":[[0],[1]]},"constraints":[],"uncertainty":{"kind":"interval","lower":`
	const full = `,"upper":[[[1,1]],[[1,1]]]}}`
	for _, lower := range []string{`[[[0,0]],[[0,0]]]`, `{"entries":[["s","a","s",0],["t","a","t",0]]}`} {
		p := fixture.Decode(t, head+lower+full)
		in := mustInstance(t, p)
		if len(in.lower) != 2 || len(in.upper) != 2 {
			t.Errorf("lower %s: %d and %d rows", lower, len(in.lower), len(in.upper))
		}
		report := Check(p, proof.Claim{Target: math.Inf(1)}, []float64{1, 1})
		// Nature goes to t, which costs 1, and stays: 0 + 1/2 + 1/4 + ...
		if !report.OK || math.Abs(report.Objective-1) > 1e-12 {
			t.Errorf("lower %s: value %v, want 1: %v", lower, report.Objective, report.Reasons)
		}
	}
	if caught(func() { distribution(nil, nil, 1) }) == nil {
		t.Error("upper ends of 0 are accepted")
	}
}

func TestPaperEvaluatorIsNotCertified(t *testing.T) {
	p := fixture.Problem(t, "b_seed0")
	p.Uncertainty.Paper = true
	if _, err := Evaluate(p, p.Layout.Uniform()); err == nil {
		t.Error("the paper's evaluator was certified; it is the return of no set")
	}
}

func BenchmarkRectangular(b *testing.B) {
	for _, name := range []string{"b_seed0", "rect_kl", "rect_l2", "gridworld3x3_l1"} {
		p := fixture.Problem(b, name)
		pi := randomPolicy(rand.New(rand.NewPCG(1, 1)), p.Layout)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := Evaluate(p, pi); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
