package certify

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"rcmdplab/core/bound"
	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/certify/guess"
	"rcmdplab/core/evaluate"
	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/internal/structured"
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
)

// raysOf searches for so many rounds and gives the proof after each, with the
// rows that the checker asks for.
func raysOf(t testing.TB, p *model.Problem, prices []float64, rounds int, each func(c proof.Claim, found float64)) {
	t.Helper()
	ev, err := evaluate.New(p.Standard())
	if err != nil {
		t.Fatal(err)
	}
	x := bound.NewRaySearch(ev, prices)
	if x == nil {
		t.Fatalf("no search by rays for a set of kind %s", p.Uncertainty.Kind)
	}
	k := NewChecker(p)
	for rounds > 0 {
		if !x.Step() {
			continue
		}
		rounds--
		c := fromRays(p, x.Proof(nil, nil).Rays)
		pairs, rays, err := k.Wanting(c, 1e-11, always)
		if err != nil {
			t.Fatalf("prices %v: %v", prices, err)
		}
		each(fromRays(p, x.Proof(pairs, rays).Rays), x.Bound())
	}
}

func fromRays(p *model.Problem, y *proof.Rays) proof.Claim {
	return proof.Claim{Problem: p.Hash(), Rays: &proof.Rays{Groups: y.Groups, Start: y.Start, T: y.T, V: y.V, Pair: y.Pair, Ray: y.Ray, Rows: y.Rows}}
}

// pricesOf are the prices that a proof by rays is about.
func pricesOf(y *proof.Rays) []float64 {
	t := y.T[y.Start]
	w := make([]float64, len(y.Groups[0]))
	for n := range w {
		w[n] = y.Groups[0][n] + t/(1-t)*y.Groups[1][n]
	}
	return w
}

// TestRaysHold: on small problems of every shape and kind of set, whatever the
// prices, no policy's own worst case, worked out by other means, is below what a
// proof by rays says; and the checker finds what the search does.
func TestRaysHold(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 1))
	seen, found, better := map[model.Kind]int{}, 0, 0
	for seed := uint64(1); found < 100; seed++ {
		p := structured.New(seed).Problem
		u := &p.Uncertainty
		if ev, err := evaluate.New(p.Standard()); err != nil || bound.NewRaySearch(ev, make([]float64, len(p.Constraints))) == nil {
			continue
		}
		if p.Discount > .9999 {
			continue
		}
		found++
		seen[u.Kind]++
		if u.Lower != nil && seen[u.Kind]%2 == 0 { // zeros where the upper ends list nothing
			listed := &model.Kernel{Ptr: []int{0}}
			row, next := make([]float64, p.Layout.S), make([]int, p.Layout.S)
			for s := range next {
				next[s] = s
			}
			for i := range p.Layout.Pairs() {
				u.Lower.Dense(row, i)
				listed.AddRow(next, row)
			}
			u.Lower = listed
		}
		m := p.Standard()
		prices := make([]float64, m.N)
		for n := range prices {
			if size := m.Scale(n+1, m.B[n+1]); size > 0 {
				prices[n] = math.Exp(2*rng.NormFloat64()) * float64(rng.IntN(3)) * m.Scale(0, m.H) / size
			}
		}
		var policies [][]float64
		for range 6 {
			pi := randomPolicy(rng, p.Layout)
			if rng.IntN(2) == 0 {
				choice := make([]int, m.S)
				for s := range choice {
					choice[s] = m.Off[s] + rng.IntN(m.Off[s+1]-m.Off[s])
				}
				pi = m.Deterministic(choice)
			}
			policies = append(policies, pi)
		}
		first := math.Inf(-1)
		raysOf(t, p, prices, 7, func(c proof.Claim, bound float64) {
			got, err := NewChecker(p).Strongest(c, always)
			if err != nil {
				t.Fatalf("seed %d, %s: %v", seed, u.Kind, err)
			}
			w, size, limits := pricesOf(c.Rays), 0.0, 0.0
			for n := range w {
				lo, hi := m.Bounds(n)
				size += w[n] * max(hi, -lo) * m.H
				if n > 0 {
					limits += w[n] * m.B[n]
					size += w[n] * math.Abs(m.B[n])
				}
			}
			all := 0.0
			for n := range w {
				lo, hi := m.Bounds(n)
				all += (c.Rays.Groups[0][n] + c.Rays.Groups[1][n]) * max(hi, -lo) * m.H
			}
			if !(got.Target >= bound-1e-7*size-1e-12*all-1e-280) {
				t.Errorf("seed %d, %s: the search says %v, the checker %v, prices %v, start %v, weights %v", seed, u.Kind, bound, got.Target, prices, c.Rays.T[c.Rays.Start], w)
			}
			for _, pi := range policies {
				j, _ := structured.Returns(m, pi)
				total := -limits
				for n := range j {
					total += w[n] * j[n]
				}
				if !(total >= got.Target-1e-9*size) {
					t.Errorf("seed %d, %s, prices %v: a policy has %v, proved is %v", seed, u.Kind, w, total, got.Target)
				}
			}
			if math.IsInf(first, -1) {
				first = got.Target
			}
			if got.Target < first-1e-9*size {
				t.Errorf("seed %d, %s: the proof fell from %v to %v", seed, u.Kind, first, got.Target)
			}
			if got.Target > first+1e-6*size {
				better++
			}
		})
	}
	if len(seen) < 7 || better < 20 {
		t.Errorf("%d kinds, %d proofs better than by one kernel", len(seen), better)
	}
}

// walked is a walk with a limit and a proof by rays of it; no policy that meets
// the limit is known to cost less than best.
func walked(t testing.TB, n, rounds int) (p *model.Problem, c proof.Claim) {
	t.Helper()
	p = fixture.Walk(n, model.KL, true)
	raysOf(t, p, []float64{.04}, rounds, func(got proof.Claim, _ float64) { c = got })
	c, err := NewChecker(p).Strongest(c, always)
	if err != nil {
		t.Fatal(err)
	}
	return p, c
}

// TestRaysCloseHalfTheGap: on a walk of a hundred cells, where one kernel proves
// 15.05157 and the best policy known has 15.11536.
func TestRaysCloseHalfTheGap(t *testing.T) {
	p, c := walked(t, 10, 12)
	if !(c.Target > 15.095 && c.Target < 15.1153583) {
		t.Errorf("proved %v", c.Target)
	}
	r := NewChecker(p).Check(&c, nil, always)
	if !r.OK || r.LowerBound != c.Target || !strings.Contains(strings.Join(r.Reasons, " "), "rays") {
		t.Errorf("%+v", r)
	}
	c.Target = math.Nextafter(c.Target, 20)
	if r := NewChecker(p).Check(&c, nil, always); r.OK {
		t.Error("more than is proved was accepted")
	}
	c.Target = math.NaN()
	if r := NewChecker(p).Check(&c, nil, always); r.OK {
		t.Error("no number was accepted")
	}
}

// TestRaysTravel: a proof is written and read back the same, in both packages.
func TestRaysTravel(t *testing.T) {
	p, c := walked(t, 5, 8)
	if len(c.Rays.Rows) == 0 {
		t.Error("the proof brings no rows; another is needed for this test")
	}
	if d := clone(t, &c); !reflect.DeepEqual(*d, c) {
		t.Error("what is read back differs")
	}
	y := proof.Rays{Groups: c.Rays.Groups, Start: c.Rays.Start, T: c.Rays.T, V: c.Rays.V, Pair: c.Rays.Pair, Ray: c.Rays.Ray, Rows: c.Rays.Rows}
	st := bound.State{Proof: &proof.Claim{Problem: p.Hash(), Target: 1, Rays: &y}}
	again, err := bound.ReadState(st.Bytes())
	if err != nil || !reflect.DeepEqual(again.Proof.Rays, &y) {
		t.Errorf("a saved proof read back differs (%v)", err)
	}
}

// A form that cannot be is refused.
func TestMalformedRaysAreRefused(t *testing.T) {
	p, good := walked(t, 4, 8)
	k := NewChecker(p)
	for name, damage := range map[string]func(y *proof.Rays){
		"two rays":               func(y *proof.Rays) { y.T, y.V = y.T[:2], y.V[:2] },
		"falling rays":           func(y *proof.Rays) { y.T[1], y.T[2] = y.T[2], y.T[1] },
		"rays that end early":    func(y *proof.Rays) { y.T[len(y.T)-1] = .999 },
		"a start at the end":     func(y *proof.Rays) { y.Start = len(y.T) - 1 },
		"a negative start":       func(y *proof.Rays) { y.Start = -1 },
		"a value missing":        func(y *proof.Rays) { y.V[2] = y.V[2][1:] },
		"a value of NaN":         func(y *proof.Rays) { y.V[2][1] = math.NaN() },
		"a cost in both groups":  func(y *proof.Rays) { y.Groups[0][1] = 1 },
		"a negative price":       func(y *proof.Rays) { y.Groups[1][1] = -1 },
		"a price of infinity":    func(y *proof.Rays) { y.Groups[1][1] = math.Inf(1) },
		"the objective twice":    func(y *proof.Rays) { y.Groups[0][0] = 2 },
		"no objective":           func(y *proof.Rays) { y.Groups[0][0] = 0 },
		"the objective second":   func(y *proof.Rays) { y.Groups[0][0], y.Groups[1][0] = 0, 1 },
		"a price too many":       func(y *proof.Rays) { y.Groups[1] = append(y.Groups[1], 0) },
		"a pair without rows":    func(y *proof.Rays) { y.Rows = y.Rows[:len(y.Rows)-1] },
		"a pair without a ray":   func(y *proof.Rays) { y.Ray = y.Ray[1:] },
		"pairs out of order":     func(y *proof.Rays) { slices.Reverse(y.Pair) },
		"a pair that is not one": func(y *proof.Rays) { y.Pair[0] = 1 << 20 },
		"a row of NaN":           func(y *proof.Rays) { y.Rows[0] = math.NaN() },
	} {
		c := *clone(t, &good)
		if damage(c.Rays); k.Check(&c, nil, always).OK {
			t.Errorf("%s: accepted", name)
		}
	}
	c := *clone(t, &good)
	c.Problem = fixture.Walk(5, model.KL, true).Hash()
	if k.Check(&c, nil, always).OK {
		t.Error("a proof of another problem was accepted")
	}
	for name, q := range map[string]*model.Problem{"finite": fixture.Walk(4, model.Finite, true), "regularised": fixture.Walk(4, model.KLRegularized, true)} {
		c := *clone(t, &good)
		if c.Problem = q.Hash(); NewChecker(q).Check(&c, nil, always).OK {
			t.Errorf("a set that is %s was accepted", name)
		}
	}
}

// TestRaysProveTheImpossible: two limits that no policy meets together, though
// each can be met, each by its own worst kernel.
func TestRaysProveTheImpossible(t *testing.T) {
	p := fixture.Walk(4, model.KL, true)
	second := p.Constraints[0]
	second.Name, second.Values = "the other way", make([]float64, len(p.Objective.Values))
	for i := range second.Values {
		second.Values[i] = 1 - p.Constraints[0].Values[i]
	}
	p.Constraints = append(p.Constraints, second)
	p.Constraints[0].Bound, p.Constraints[1].Bound = 5, 5 // every step pays one of the two: 20 together
	m := p.Standard()
	v := make([][]float64, 3)
	for k, share := range []float64{0, .5, 1} {
		w := []float64{0, 1 - share, share}
		v[k], _ = weighted(t, p, w)
	}
	c := proof.Claim{Problem: p.Hash(), Target: math.Inf(1), Rays: &proof.Rays{Groups: [2][]float64{{0, 1, 0}, {0, 0, 1}}, Start: 1, T: []float64{0, .5, 1}, V: v}}
	got, err := NewChecker(p).Strongest(c, always)
	if err != nil || !(got.Relax > 4.9 && got.Relax <= 5) {
		t.Fatalf("violated by at least %v, want 5 (γ=%v): %v", got.Relax, m.Gamma, err)
	}
	if r := NewChecker(p).Check(&got, nil, always); !r.OK || r.LeastViolation != got.Relax {
		t.Errorf("%+v", r)
	}
	got.Relax = 5.01
	if NewChecker(p).Check(&got, nil, always).OK {
		t.Error("more than is proved was accepted")
	}
}

// TestSuggestedRowsAreMembers: what is taken for a row of a set, from a guess that
// need not even be nonnegative, is one in exact arithmetic.
func TestSuggestedRowsAreMembers(t *testing.T) {
	rng := rand.New(rand.NewPCG(53, 1))
	taken := 0
	for _, kind := range []model.Kind{model.L1, model.TV, model.L2, model.Chi2, model.KL} {
		for range 60 {
			p := randomProblem(rng, kind)
			if p.Uncertainty.SupportAll {
				continue
			}
			x := mustInstance(t, p).exactSet()
			r := mustImage(t, p).newRowset(nil, one, false)
			for i := range p.Layout.Pairs() {
				r.load(i)
				row := slices.Clone(r.near)
				for j := range row {
					row[j] += r.radius.Hi() * rng.NormFloat64() * float64(rng.IntN(2))
				}
				r.p = guess.Clip(r.p[:0], row)
				if _, ok := r.member(); !ok {
					continue
				}
				dense := make([]float64, p.Layout.S)
				for j, s := range r.next {
					dense[s] = r.row[j].Lo()
				}
				x.member(i, dense)
				taken++
			}
		}
	}
	if taken < 300 {
		t.Errorf("%d rows were taken", taken)
	}
}

// TestRaysTakeMembersAlone: of rows that a proof by rays brings, and of those of its search, none
// counts that is not in the set: what try makes of any two is, and where it makes nothing, nothing
// is tried.
func TestRaysTakeMembersAlone(t *testing.T) {
	rng := rand.New(rand.NewPCG(54, 1))
	taken, refused := 0, 0
	for _, kind := range []model.Kind{model.L1, model.TV, model.L2, model.LInf, model.Chi2, model.KL, model.Interval, model.Contamination} {
		for range 40 {
			p := randomProblem(rng, kind)
			if p.Uncertainty.SupportAll {
				continue
			}
			x := mustInstance(t, p).exactSet()
			im := mustImage(t, p)
			rows := im.newRowset(nil, one, false)
			k := &reading{image: im, rows: rows}
			for i := range p.Layout.Pairs() {
				rows.load(i)
				draw := func() []float64 { // near the nominal row, or anywhere
					row, sum := slices.Clone(rows.near), 0.0
					for j := range row {
						row[j] = max(0, row[j]+rng.NormFloat64()*math.Pow(10, -float64(rng.IntN(9))))
						sum += row[j]
					}
					for j := range row {
						row[j] /= sum
					}
					return row
				}
				if !k.try(draw(), draw()) {
					refused++
					continue
				}
				taken++
				for _, row := range [][]interval{k.p, k.q} {
					dense := make([]float64, p.Layout.S)
					for j, s := range rows.next {
						dense[s] = row[j].Hi()
					}
					if e := x.excess(i, dense); !(e <= 1e-12) {
						t.Fatalf("%s: %v is taken, and oversteps the set by %v", kind, row, e)
					}
				}
			}
		}
	}
	if taken < 200 || refused < 20 {
		t.Errorf("%d taken, %d refused", taken, refused)
	}
}

// TestNoRowThatIsWrittenIsNegative: in a ball that is wider than all distributions are apart a guess is near
// enough where an entry is below 0, and where it adds up to more than 1, which leaves less than nothing for one.
func TestNoRowThatIsWrittenIsNegative(t *testing.T) {
	rng := rand.New(rand.NewPCG(55, 1))
	taken, refused := 0, 0
	for _, kind := range []model.Kind{model.L1, model.TV, model.L2, model.Chi2, model.KL} {
		for range 20 {
			p := randomProblem(rng, kind)
			p.Uncertainty.Radius, p.Uncertainty.SupportAll = []float64{20}, false
			r := mustImage(t, p).newRowset(nil, one, false)
			for i := range p.Layout.Pairs() {
				r.load(i)
				r.p = r.p[:0]
				for range r.next {
					r.p = append(r.p, 1.5*rng.Float64()-float64(rng.IntN(6)/5))
				}
				if _, ok := r.member(); !ok {
					refused++
					continue
				}
				taken++
				for _, x := range r.row {
					if !zero.AtMost(x) {
						t.Fatalf("%s: %v is taken for a member", kind, r.row)
					}
				}
			}
		}
	}
	if taken < 50 || refused < 50 {
		t.Errorf("%d taken, %d refused", taken, refused)
	}
}

// TestRaysLeaveNothingNegative: values of V*(s, β) = a·β on rays, and a search that takes them
// for those of other rays, so that what it takes off β is more than β: what counts is still at most a·β.
func TestRaysLeaveNothingNegative(t *testing.T) {
	rng := rand.New(rand.NewPCG(56, 1))
	whole := 0
	for range 300 {
		a := [2]float64{float64(rng.IntN(9) - 4), float64(rng.IntN(9) - 4)}
		y := &proof.Rays{T: []float64{0, .25, .5, 1}}
		for _, t := range y.T {
			y.V = append(y.V, []float64{(1-t)*a[0] + t*a[1]})
		}
		k := &reading{y: y}
		k.search.T, k.search.V = y.T, y.V
		if wrong := rng.IntN(2) == 0; wrong {
			k.search.T = []float64{0, .25 * rng.Float64(), .25 + .5*rng.Float64(), 1}
		}
		b := [2]interval{enclosure.Whole(rng.IntN(8)), enclosure.Whole(1 + rng.IntN(7))}
		most := b[0].Mul(enclosure.Point(a[0])).Add(b[1].Mul(enclosure.Point(a[1])))
		got := k.between(0, b[0], b[1])
		if most.Less(enclosure.Point(got.Lo())) {
			t.Fatalf("values of %v at %v: %v", a, b, got)
		}
		if most.Sub(got).AtMost(enclosure.Point(1e-9)) {
			whole++
		}
	}
	if whole < 100 {
		t.Errorf("all of β is taken off only %d times", whole)
	}
}
