package certify

import (
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"testing"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/evaluate"
	"rcmdplab/core/game"
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
	"rcmdplab/core/uncertainty"
)

func mustImage(t testing.TB, p *model.Problem) *image {
	t.Helper()
	x := newImage(p)
	return x
}

// values draws a value function with ties, a wide range and a shift.
func values(rng *rand.Rand, s int) []float64 {
	v := make([]float64, s)
	scale := math.Exp(3 * rng.NormFloat64())
	for i := range v {
		v[i] = scale * math.Round(8*rng.Float64()) / 8 * float64(rng.IntN(4))
		if rng.IntN(2) == 0 {
			v[i] = 100 + scale*rng.NormFloat64()
		}
	}
	return v
}

// TestRowsHoldNaturesBest: what is said of a row from below is below the dual
// bound of package uncertainty, what is said from above is above what any sampled
// member gains exactly, and the two are close.
func TestRowsHoldNaturesBest(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 7))
	for _, kind := range kinds() {
		t.Run(string(kind), func(t *testing.T) {
			loose, rows := 0, 0
			for range 50 {
				p := randomProblem(rng, kind)
				in := mustInstance(t, p)
				x := in.exactSet()
				im := mustImage(t, p)
				r := im.newRowset(nil, one, false)
				set, err := uncertainty.New(p.Standard())
				if err != nil {
					t.Fatal(err)
				}
				v := values(rng, p.Layout.S)
				r.begin(v)
				for i := range in.Pairs() {
					r.load(i)
					r.face(v)
					nominal := r.nominal().Lo()
					r.ask(i, v, nil)
					above, below := r.above(v).Hi(), r.below().Lo()
					sup := set.Support(i)
					z := make([]float64, len(sup))
					for j, s := range sup {
						z[j] = v[s]
					}
					upper := set.Answer(make([]float64, len(z)), i, z).Upper
					if !(below <= upper) || !(nominal <= upper) {
						t.Fatalf("pair %d: %v from below, nominal %v; nothing gains more than %v", i, below, nominal, upper)
					}
					span := 0.0
					for _, a := range v {
						for _, b := range v {
							span = max(span, a-b)
						}
					}
					if rows++; above-below > 1e-9*span+1e-12*math.Abs(upper)+1e-290 {
						loose++
						t.Logf("between %v and %v, span %v (%v %v)", below, above, span, r.q, r.z)
					}
					if q, ok := x.sample(rng, i); ok && kind != model.KLRegularized {
						gain := new(big.Rat)
						for _, s := range x.support[i] {
							gain.Add(gain, new(big.Rat).Mul(q.find(s), rat(v[s])))
						}
						if gain.Cmp(rat(above)) > 0 {
							t.Fatalf("pair %d: a member gains %v, above %v", i, enclosure.Nearest(gain), above)
						}
					}
				}
			}
			if loose > rows/50 {
				t.Errorf("%d of %d rows are loose", loose, rows)
			}
		})
	}
}

// A row next to the nominal one is known up to rounding, and so is that: of a ball of no
// more than the square of a roundoff it is no member for that its divergence is 0 in floats.
func TestRowsKnownUpToRoundingAreNoMembersOfPoints(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 9))
	accepted, refused := 0, 0
	for range 200 {
		p := randomProblem(rng, model.KL)
		size := math.Pow(10, -34+8*rng.Float64())
		for k := range p.Uncertainty.Radius {
			p.Uncertainty.Radius[k] = size
		}
		in := mustInstance(t, p)
		r := mustImage(t, p).newRowset(nil, one, false)
		for i := range in.Pairs() {
			r.load(i)
			r.p = append(r.p[:0], r.near...)
			for j := range r.p {
				r.p[j] += float64(rng.IntN(3)-1) * r.p[j] * math.Sqrt(size) * rng.Float64()
			}
			k, ok := r.drawn()
			if !ok {
				refused++
				continue
			}
			accepted++
			left, total, q := big.NewRat(1, 1), zero, &in.nominal[i]
			add := func(x *big.Rat, s int) {
				n := q.find(s)
				total = total.Add(enclosure.Divergence(enclosure.Around(new(big.Rat).Sub(x, n)), enclosure.Around(n)))
			}
			for j, s := range r.next {
				if j != k {
					x := rat(r.p[j])
					left.Sub(left, x)
					add(x, s)
				}
			}
			if add(left, r.next[k]); !(total.Hi() <= size*(1+1e-9)+1e-300) {
				t.Fatalf("a row at a divergence of %v is taken for a member within %v", total, r.radius)
			}
		}
	}
	if accepted < 20 || refused < 20 {
		t.Errorf("%d accepted, %d refused", accepted, refused)
	}
}

// TestReturnsBothWays: the linear check of a policy and the one in fractions
// are about the same number.
func TestReturnsBothWays(t *testing.T) {
	rng := rand.New(rand.NewPCG(32, 7))
	for _, kind := range append(kinds(), model.Finite) {
		t.Run(string(kind), func(t *testing.T) {
			for range 60 {
				p := randomProblem(rng, kind)
				policy := randomPolicy(rng, p.Layout)
				a := mustInstance(t, p).evaluate(policy, nil, always)
				b := mustImage(t, p).instance.evaluate(policy, nil, always)
				m := p.Standard()
				for n, r := range b.Returns {
					lo, hi := m.Bounds(n)
					tol := 1e-8 * (hi - lo + 1e-3*max(-lo, hi)) * m.H
					o := a.Returns[n]
					if !(r.Lo <= o.Hi && o.Lo <= r.Hi) || !(r.Hi-r.Lo <= tol+o.Hi-o.Lo) {
						t.Fatalf("cost %d: [%v, %v] by values, [%v, %v] otherwise", n, r.Lo, r.Hi, o.Lo, o.Hi)
					}
					if r.Verdict != o.Verdict && r.Verdict != Undecided && o.Verdict != Undecided {
						t.Fatalf("cost %d: verdicts %v and %v", n, r.Verdict, o.Verdict)
					}
				}
			}
		})
	}
}

// weighted makes the values of the best policy for weighted costs and what they
// prove.
func weighted(t testing.TB, p *model.Problem, w []float64) (v []float64, value float64) {
	t.Helper()
	m := p.Standard()
	ev, err := evaluate.New(m)
	if err != nil {
		t.Fatal(err)
	}
	var k *model.Kernel
	if len(m.Kernels) > 0 {
		k = m.Kernels[0]
	}
	x := game.New(m, k).KeepPace(ev.Own())
	x.Play(w, 0, nil)
	v, _ = x.Values()
	return v, x.Lower()
}

// TestValuesBothWays: what a value function proves by the image is no more than
// what it proves in exact fractions, and hardly less, for values near the
// optimum and far from it.
func TestValuesBothWays(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 7))
	for _, kind := range append(kinds(), model.Finite) {
		t.Run(string(kind), func(t *testing.T) {
			for k := range 60 {
				p := randomProblem(rng, kind)
				w := make([]float64, len(p.Constraints)+1)
				w[0] = float64(rng.IntN(2))
				for n := range w[1:] {
					w[n+1] = rng.ExpFloat64() * float64(rng.IntN(2))
				}
				v, _ := weighted(t, p, w)
				if k%3 == 0 {
					v = values(rng, p.Layout.S)
				}
				c := proof.Claim{Problem: p.Hash(), Target: math.Inf(1), Values: &proof.Values{Prices: w[1:], V: v}}
				if w[0] > 0 {
					c.Target = 0
				}
				exact, _, _ := mustInstance(t, p).worth(&c, always)
				found, _, _ := mustImage(t, p).worth(&c, always)
				bound := enclosure.Below(found)
				m := p.Standard()
				size := 1e-3
				for n, x := range w {
					lo, hi := m.Bounds(n)
					size += x * max(hi, -lo)
					if n > 0 {
						size += x * math.Abs(m.B[n]) / m.H
					}
				}
				for _, x := range v {
					size = max(size, math.Abs(x))
				}
				// The exact one goes over states that can be reached alone; rows at the
				// edge of a curved set are drawn in by both.
				if want := enclosure.Nearest(exact); bound > want+1e-8*size*m.H || k%3 != 0 && bound < want-1e-8*size*m.H {
					t.Fatalf("%v by the image, %v in fractions (size %v, γ=%v)", bound, want, size, p.Discount)
				}
			}
		})
	}
}

// TestLargeProofs: the claims of a proof by values of a large model, up to what
// it proves and not beyond; and those about the constraints alone.
func TestLargeProofs(t *testing.T) {
	for _, kind := range []model.Kind{model.L1, model.KL, model.Interval, model.Finite} {
		p := chained(100, kind)
		p.Constraints = []model.Constraint{{Cost: p.Objective, Bound: 100}}
		p.Constraints[0].Name = "limit"
		v, value := weighted(t, p, []float64{1, 0})
		checker := NewChecker(p)
		c := proof.Claim{Problem: p.Hash(), Values: &proof.Values{Prices: []float64{0}, V: v}}
		best, err := checker.Strongest(c, always)
		if err != nil || !(math.Abs(best.Target-value) <= 1e-9) {
			t.Fatalf("%s: proves %v, worth %v: %v", kind, best.Target, value, err)
		}
		if r := checker.Check(&best, nil, always); !r.OK || r.LowerBound != best.Target {
			t.Errorf("%s: the strongest claim is refused: %q", kind, r.Reasons)
		}
		text, err := best.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if d, err := proof.Decode(text); err != nil || !reflect.DeepEqual(best, d) {
			t.Errorf("%s: what is read back differs: %v", kind, err)
		}
		best.Target = math.Nextafter(best.Target, math.Inf(1))
		if r := checker.Check(&best, nil, always); r.OK {
			t.Errorf("%s: more is accepted: %q", kind, r.Reasons)
		}
		// No policy has a return below value: a limit of less cannot be met.
		p.Constraints[0].Bound = value - 1
		checker = NewChecker(p)
		c = proof.Claim{Problem: p.Hash(), Target: math.Inf(1), Values: &proof.Values{Prices: []float64{2}, V: make([]float64, len(v))}}
		for s := range v {
			c.Values.V[s] = 2 * v[s]
		}
		none, err := checker.Strongest(c, always)
		if err != nil || !(math.Abs(none.Relax-1) <= 1e-8) {
			t.Fatalf("%s: misses by %v, want 1: %v", kind, none.Relax, err)
		}
		if r := checker.Check(&none, nil, always); !r.OK || r.LeastViolation != none.Relax {
			t.Errorf("%s: the strongest claim is refused: %q", kind, r.Reasons)
		}
		none.Relax *= 1 + 1e-8
		if r := checker.Check(&none, nil, always); r.OK {
			t.Errorf("%s: more is accepted", kind)
		}
	}
}

// TestWrongValuesOfLargeModelsAreRefused: what is no proof by its form alone.
func TestWrongValuesOfLargeModelsAreRefused(t *testing.T) {
	p := chained(100, model.L1)
	v, value := weighted(t, p, []float64{1})
	good := func() proof.Claim {
		return proof.Claim{Problem: p.Hash(), Target: value - 1e-8, Values: &proof.Values{V: append([]float64(nil), v...)}}
	}
	if r := Check(p, good(), nil); !r.OK {
		t.Fatal(r.Reasons)
	}
	for name, spoil := range map[string]func(c *proof.Claim){
		"problem":   func(c *proof.Claim) { c.Problem = "x" },
		"target":    func(c *proof.Claim) { c.Target = math.NaN() },
		"prices":    func(c *proof.Claim) { c.Values.Prices = []float64{1} },
		"values":    func(c *proof.Claim) { c.Values.V = c.Values.V[1:] },
		"NaN":       func(c *proof.Claim) { c.Values.V[0] = math.NaN() },
		"infinite":  func(c *proof.Claim) { c.Values.V[0] = math.Inf(1) },
		"model":     func(c *proof.Claim) { c.Values.Kernel = 7 },
		"-1":        func(c *proof.Claim) { c.Values.Kernel = -1 },
		"two":       func(c *proof.Claim) { c.Nodes = []proof.Node{{Pair: -1}} },
		"unlimited": func(c *proof.Claim) { c.Target = math.Inf(1) },
	} {
		c := good()
		if spoil(&c); Check(p, c, nil).OK {
			t.Errorf("%s: accepted", name)
		}
	}
}

// TestNothingIsLostAtZero: a cost that is nowhere paid returns exactly 0, so
// that a limit of 0 is met.
func TestNothingIsLostAtZero(t *testing.T) {
	for _, kind := range append(kinds(), model.Finite) {
		if kind == model.KLRegularized {
			continue
		}
		p := chained(100, kind)
		p.Constraints = []model.Constraint{{Cost: model.Cost{Name: "never", Values: make([]float64, p.Layout.Pairs())}, Bound: 0}}
		// Waiting costs, and is what the policy never does.
		for i, a := range p.Layout.Act {
			p.Constraints[0].Values[i] = float64(a)
		}
		pi := make([]float64, p.Layout.Pairs())
		for s := range 100 {
			pi[p.Layout.Off[s]] = 1
		}
		e, err := Evaluate(p, pi)
		if err != nil || e.Returns[1].Hi != 0 || e.Returns[1].Verdict != Met {
			t.Errorf("%s: %+v, %v", kind, e.Returns[1], err)
		}
	}
}

// chained is a walk along many states, from one to the next with a chance of
// staying or falling back to the first, absorbed at the end.
func chained(s int, kind model.Kind) *model.Problem {
	l := model.NewLayout(s, 2, nil)
	k := &model.Kernel{Ptr: []int{0}, Sparse: true}
	p := &model.Problem{Name: "chain", Layout: l, Discount: .95, Actions: []string{"go", "wait"}, Initial: make([]float64, s)}
	p.Initial[0] = 1
	p.Objective.Name = "steps"
	for i := range l.Pairs() {
		at := l.State[i]
		switch {
		case at == s-1:
			k.Next, k.Prob = append(k.Next, at), append(k.Prob, 1)
		case l.Act[i] == 1:
			k.Next, k.Prob = append(k.Next, at), append(k.Prob, 1)
		case at == 0:
			k.Next, k.Prob = append(k.Next, 0, 1), append(k.Prob, .2, .8)
		default:
			k.Next, k.Prob = append(k.Next, 0, at, at+1), append(k.Prob, .1, .1, .8)
		}
		k.Ptr = append(k.Ptr, len(k.Next))
		cost := 1.0
		if at == s-1 {
			cost = 0
		}
		p.Objective.Values = append(p.Objective.Values, cost)
	}
	for i := range s {
		p.States = append(p.States, string(rune('a'+i%26)))
	}
	switch p.Uncertainty.Kind = kind; kind {
	case model.Finite:
		k.Name = "only"
		p.Uncertainty.Kernels = []*model.Kernel{k}
	case model.Interval:
		lo, hi := *k, *k
		lo.Prob, hi.Prob = nil, nil
		for _, x := range k.Prob {
			lo.Prob, hi.Prob = append(lo.Prob, max(0, x-.05)), append(hi.Prob, min(1, x+.05))
		}
		p.Uncertainty.Lower, p.Uncertainty.Upper = &lo, &hi
	default:
		p.Uncertainty.Nominal, p.Uncertainty.Radius, p.Uncertainty.Temperature = k, []float64{.05}, 1
	}
	return p
}

// TestLargePoliciesNeedNoGuess: beyond the sizes of fractions a policy is
// evaluated by values found here, to the digits that a guess gives; and a wrong
// guess changes nothing but the time.
func TestLargePoliciesNeedNoGuess(t *testing.T) {
	for _, kind := range []model.Kind{model.L1, model.KL, model.L2} {
		p := chained(300, kind)
		v, value := weighted(t, p, []float64{1})
		pi := make([]float64, p.Layout.Pairs())
		for s := range 300 {
			pi[p.Layout.Off[s]] = 1
		}
		c := proof.Claim{Problem: p.Hash(), Target: value - 1e-8, Values: &proof.Values{V: v}}
		for name, guess := range map[string][][]float64{"none": nil, "good": {v}, "bad": {make([]float64, 300)}, "short": {{1, 2}}} {
			c.Guesses = guess
			r := Check(p, c, pi)
			if !r.OK || !(r.Gap <= 3e-8) {
				t.Errorf("%s, %s guess: gap %v, %q", kind, name, r.Gap, r.Reasons)
			}
		}
	}
}

// TestGuessesSpareTheSearch: with the values of a policy of a large model at hand fewer sweeps enclose
// the same return, of play for ever and of episodes.
func TestGuessesSpareTheSearch(t *testing.T) {
	for _, gamma := range []float64{.95, 1} {
		p := chained(exactStates+2, model.L1)
		p.Discount, p.End = gamma, make([]bool, p.Layout.S)
		p.End[p.Layout.S-1] = true
		pi := make([]float64, p.Layout.Pairs())
		for s := range p.Layout.S {
			pi[p.Layout.Off[s]] = 1
		}
		x := mustImage(t, p)
		y := x.alone(nil, 0)
		v := y.find(pi, nil, always)
		look := func(guess ...[]float64) (r Return, asked int) {
			e := x.evaluate(pi, guess, func() bool { asked++; return true })
			return e.Returns[0], asked
		}
		r, asked := look()
		told, fewer := look(v)
		none, _ := look(append([]float64{math.Inf(1)}, v[1:]...))
		if !(told.Lo <= r.Hi && r.Lo <= told.Hi && told.Hi-told.Lo <= 1e-9*told.Hi) || fewer >= asked || none.Lo != r.Lo || none.Hi != r.Hi {
			t.Errorf("γ = %v: %v in %d steps with values, %v in %d without, %v with some that are none", gamma, told, fewer, r, asked, none)
		}
	}
}

// BenchmarkDenseRows is what a proof by values of rows that lead anywhere takes, but for reading it.
func BenchmarkDenseRows(b *testing.B) {
	for _, kind := range []model.Kind{model.L1, model.KL, model.L2, model.Chi2, model.LInf} {
		p := garnet(rand.New(rand.NewPCG(1, 2)), 300, 2, 1, .95)
		u := &p.Uncertainty
		u.Kind, u.Nominal, u.Kernels, u.Radius = kind, u.Kernels[0], nil, []float64{.01}
		v, _ := weighted(b, p, []float64{1, 0})
		c, x := proof.Claim{Values: &proof.Values{V: v, Prices: []float64{0}}}, mustImage(b, p)
		b.Run(string(kind), func(b *testing.B) {
			for b.Loop() {
				x.worth(&c, always)
			}
		})
	}
}

// BenchmarkCheckValues is the check of a proof by values and of a policy.
func BenchmarkCheckValues(b *testing.B) {
	for _, kind := range []model.Kind{model.L1, model.KL} {
		p := chained(2000, kind)
		v, value := weighted(b, p, []float64{1})
		pi := make([]float64, p.Layout.Pairs())
		for s := range 2000 {
			pi[p.Layout.Off[s]] = 1
		}
		c := proof.Claim{Problem: p.Hash(), Target: value - 1e-8, Values: &proof.Values{V: v}, Guesses: [][]float64{v}}
		b.Run(string(kind), func(b *testing.B) {
			for b.Loop() {
				if r := Check(p, c, pi); !r.OK {
					b.Fatal(r.Reasons)
				}
			}
		})
	}
}
