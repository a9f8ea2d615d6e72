package certify

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"rcmdplab/core/bound"
	"rcmdplab/core/evaluate"
	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/model"
)

// oneState is a problem with one state, the discount 1/2 and two actions of
// cost 1 and 3: J* = 2, by always taking the first.
func oneState() *model.Problem {
	p := &model.Problem{
		Name: "one state", States: []string{"s"}, Actions: []string{"a", "b"}, Discount: 0.5, Initial: []float64{1},
		Objective: model.Cost{Name: "money", Values: []float64{1, 3}}, Layout: model.NewLayout(1, 2, nil),
	}
	p.Uncertainty.Kind = model.Finite
	p.Uncertainty.Kernels = []*model.Kernel{model.NewKernel(1, []float64{1, 1})}
	return p
}

// TestProofByHand writes a certificate down: with y = 0 the mapped cost c̃ =
// (0, 1) is bounded by 0, which proves J > T for every T < 2 and for no other.
func TestProofByHand(t *testing.T) {
	p := oneState()
	for _, tc := range []struct {
		target float64
		ok     bool
	}{{1.5, true}, {2 - 0x1p-52, true}, {2, false}, {2.5, false}, {math.Inf(1), false}, {math.NaN(), false}, {math.Inf(-1), false}} {
		c := Certificate{Problem: p.Hash(), Target: tc.target, Single: &Single{Y: []float64{0, 0}}}
		if r := Check(p, c, nil); r.OK != tc.ok || tc.ok && r.LowerBound != tc.target {
			t.Errorf("target %v: ok %v, lower bound %v; want ok %v: %q", tc.target, r.OK, r.LowerBound, tc.ok, r.Reasons)
		}
	}
	// A positive multiplier of the flow x_0 + x_1 - (x_0 + x_1)/2 = 1/2 raises
	// the bound by y/2 and lowers the reduced costs by y/2: 1/2·y + min(0, -y/2).
	c := Certificate{Problem: p.Hash(), Target: 2, Single: &Single{Y: []float64{1, 0}}}
	if r := Check(p, c, nil); r.OK {
		t.Error("the optimum itself was proved impossible")
	}
	// The same statement by a tree: a split at 1/2 of the first action. Where it
	// is taken less than half of the time, 3/2·x_b + x_a/2 >= 1; elsewhere T = 3/2
	// is excluded by the cost row, 1·(c̃·x) <= b̃ < 0.
	leaf := Node{Pair: -1, Steps: []Step{{Kind: Open}, {Kind: Bound, M: 0, M2: -1, Rows: []Row{NewRow(Cost, 0, 0, 0)}, Y: []float64{-1}}}}
	tree := Certificate{Problem: p.Hash(), Target: 1.5, Nodes: []Node{{Pair: 0, At: 0.5}, leaf, leaf}}
	for _, target := range []float64{2, 2 + 0x1p-51, 2.01, 3} {
		wrong := tree
		wrong.Target = target
		if r := Check(p, wrong, nil); r.OK {
			t.Errorf("a tree proves that J > %v: %q", target, r.Reasons)
		}
	}
	r := Check(p, tree, []float64{1, 0})
	if !r.OK || r.Boxes != 3 || r.Inequalities != 2 || r.LowerBound != 1.5 || !(r.Objective >= 2 && r.Objective < 2+1e-12) || !(r.Gap >= 0.5 && r.Gap < 0.5+1e-12) {
		t.Errorf("%+v", r)
	}
}

func TestReasonsSpeakTheDocumentsLanguage(t *testing.T) {
	p := oneState()
	p.Maximize, p.Objective.Average = true, true
	p.Constraints = []model.Constraint{{Cost: model.Cost{Name: "rest", Values: []float64{5, 0}, Average: true}, Bound: 2.5, AtLeast: true}}
	for _, tc := range []struct {
		policy []float64
		ok     bool
		want   string
	}{
		{[]float64{0.75, 0.25}, true, `meets "rest" under every model: 3.75 at the worst, at least 2.5.`},
		{[]float64{0.5, 0.5}, true, `meets "rest" under every model: 2.5 at the worst, at least 2.5.`},
		{[]float64{0.5 - 0x1p-48, 0.5 + 0x1p-48}, false, `violates "rest": 2.5 under its worst model misses at least 2.5 by 1.78e-14.`},
		{[]float64{0.25, 0.75}, false, `violates "rest": 1.25 under its worst model misses at least 2.5 by 1.25.`},
		{[]float64{0.5}, false, "2 available"},
		{[]float64{0.5, 0.4}, false, `state "s" sum to 0.9`},
		{[]float64{-0.1, 1.1}, false, `action "a" in state "s" is -0.1`},
	} {
		r := Check(p, Certificate{Target: math.Inf(1)}, tc.policy)
		if all := strings.Join(r.Reasons, "\n"); r.OK != tc.ok || !strings.Contains(all, tc.want) {
			t.Errorf("policy %v: ok %v, %s\nwant %q", tc.policy, r.OK, all, tc.want)
		}
	}
	r := Check(p, Certificate{Target: math.Inf(1)}, []float64{0.5, 0.5})
	if all := strings.Join(r.Reasons, "\n"); !strings.Contains(all, "worst-case money is 2.") || r.Objective < -4 || r.Objective > -4+1e-12 {
		t.Errorf("objective %v: %s", r.Objective, all)
	}
}

// bounded is a problem with a policy that meets its constraints by a margin of
// at least slack times the range, and the best objective that sampling found.
func bounded(t testing.TB, rng *rand.Rand, kind model.Kind, slack float64) (p *model.Problem, best []float64, value float64) {
	t.Helper()
	for {
		p = randomProblem(rng, kind)
		feasible := randomPolicy(rng, p.Layout)
		e, err := Evaluate(p, feasible)
		if err != nil {
			t.Fatal(err)
		}
		for n := range p.Constraints {
			c := &p.Constraints[n]
			m := p.Standard()
			lo, hi := m.Bounds(n + 1)
			c.Bound = m.Present(n+1, e.Returns[n+1].Hi+(slack*rng.Float64()+1e-9)*(hi-lo)*m.H)
		}
		value = math.Inf(1)
		for k := range 40 {
			pi := randomPolicy(rng, p.Layout)
			if k == 0 {
				pi = feasible
			}
			if e, err = Evaluate(p, pi); err == nil && e.Feasible() && e.Returns[0].Hi < value {
				value, best = e.Returns[0].Hi, e.Policy
			}
		}
		if !math.IsInf(value, 1) {
			return p, best, value
		}
	}
}

// worth is what the policy of a proof is proved to return at most; +Inf without.
func (q *proof) worth(t testing.TB) float64 {
	t.Helper()
	if q.policy == nil {
		return math.Inf(1)
	}
	e, err := Evaluate(q.p, q.policy)
	if err != nil || !e.Feasible() {
		t.Fatalf("%s: the policy does not meet the constraints (%v)", q.name, err)
	}
	return e.Returns[0].Hi
}

func TestProofsAreAccepted(t *testing.T) {
	splits, least := 0, 0
	for _, q := range proofs(t) {
		r := Check(q.p, q.cert, q.policy)
		t.Logf("%s: %s", q.name, strings.Join(r.Reasons, "\n"))
		if !r.OK {
			t.Errorf("%s: refused", q.name)
			continue
		}
		if q.policy != nil && !(r.LowerBound < q.worth(t) && r.Gap >= 0 && r.Objective == q.worth(t)) {
			t.Errorf("%s: %+v", q.name, r)
		}
		if q.policy == nil && !(math.IsInf(r.LowerBound, 1) && r.LeastViolation >= 0) {
			t.Errorf("%s: %+v", q.name, r)
		}
		if r.LeastViolation > 0 {
			least++
			// No policy misses every threshold by less.
			rng := rand.New(rand.NewPCG(1, 1))
			for range 100 {
				e, err := Evaluate(q.p, randomPolicy(rng, q.p.Layout))
				if err != nil {
					t.Fatal(err)
				}
				worst := math.Inf(-1)
				for _, v := range e.Returns[1:] {
					worst = max(worst, -v.Slack)
				}
				if !(worst > r.LeastViolation) {
					t.Errorf("%s: proved violation %v; a policy has %v", q.name, r.LeastViolation, worst)
				}
			}
		}
		if len(q.cert.Nodes) > 2 {
			splits++
		}
	}
	if splits < 6 || least < 2 {
		t.Errorf("%d proofs split, %d are of a violation", splits, least)
	}
}

func TestCertificatesOfFixturesAreAccepted(t *testing.T) {
	for _, name := range fixture.Names(t) {
		p := fixture.Problem(t, name)
		known, m := fixture.Expected(t, name), p.Standard()
		if known.BestKnown == nil && !known.Infeasible || p.Uncertainty.Paper {
			continue
		}
		t.Run(name, func(t *testing.T) {
			objective, violation := math.Inf(1), math.Inf(1)
			start := p.Layout.Uniform()
			if known.Infeasible {
				violation = 1
			} else {
				start = known.BestKnown.Policy.Flat(p.Layout)
				objective = m.Internal(0, known.BestKnown.Objective)
			}
			set := bound.Settings{Violation: true, Gap: 0.3}
			if p.Uncertainty.Kind != model.Finite {
				ev, err := evaluate.New(m)
				if err != nil {
					t.Fatal(err)
				}
				if set.Kernels, err = bound.Subset(ev, [][]float64{start}); err != nil {
					t.Fatal(err)
				}
			}
			cert, least := prove(t, p, set, objective, violation, 3000, never)
			if cert == nil {
				t.Fatal("nothing was proved")
			}
			r := Check(p, *cert, nil)
			if !r.OK {
				t.Fatalf("refused: %s", strings.Join(r.Reasons, "\n"))
			}
			if known.Infeasible != cert.Infeasible() || known.Infeasible != math.IsInf(r.LowerBound, 1) {
				t.Errorf("infeasible: %v, the certificate says %v", known.Infeasible, cert.Infeasible())
			}
			if !known.Infeasible && !(r.LowerBound <= objective+1e-7*known.H) {
				t.Errorf("proved %v, above the best known %v", r.LowerBound, objective)
			}
			if known.Infeasible {
				if least == nil {
					t.Fatal("the least violation has no certificate")
				}
				if r := Check(p, *least, nil); !r.OK || !(r.LeastViolation > 0) {
					t.Errorf("least violation: %+v", r)
				}
			}
		})
	}
}

// tampering changes one thing in a certificate. It reports false when there is
// nothing of the kind to change.
type tampering struct {
	name string
	do   func(rng *rand.Rand, c *Certificate) bool
	must bool // must be refused, whatever was hit
}

// anyStep picks a step of the kind.
func anyStep(rng *rand.Rand, c *Certificate, fits func(s *Step) bool) *Step {
	var all []*Step
	for k := range c.Nodes {
		for j := range c.Nodes[k].Steps {
			if s := &c.Nodes[k].Steps[j]; fits(s) {
				all = append(all, s)
			}
		}
	}
	if len(all) == 0 {
		return nil
	}
	return all[rng.IntN(len(all))]
}

func isBound(s *Step) bool { return s.Kind == Bound && len(s.Y) > 0 }

func tamperings() []tampering {
	leaves := func(c *Certificate) (out []int) {
		for k, n := range c.Nodes {
			if n.Pair < 0 {
				out = append(out, k)
			}
		}
		return out
	}
	return []tampering{
		{"hash", func(rng *rand.Rand, c *Certificate) bool {
			b := []byte(c.Problem)
			b[rng.IntN(len(b))] ^= 1
			c.Problem = string(b)
			return true
		}, true},
		{"multiplier", func(rng *rand.Rand, c *Certificate) bool {
			var y *float64
			if s := anyStep(rng, c, isBound); s != nil {
				y = &s.Y[rng.IntN(len(s.Y))]
			} else if c.Single != nil {
				y = &c.Single.Y[rng.IntN(len(c.Single.Y))]
			} else {
				return false
			}
			switch rng.IntN(6) {
			case 0:
				*y = -*y
			case 1:
				*y = 0
			case 2:
				*y *= math.Exp(3 * rng.NormFloat64())
			case 3:
				*y = math.NaN()
			case 4:
				*y = math.Inf(1)
			default:
				*y += rng.NormFloat64()
			}
			return true
		}, false},
		{"target", func(rng *rand.Rand, c *Certificate) bool {
			if math.IsInf(c.Target, 1) {
				return false
			}
			c.Target = math.NaN() // set by the caller, above what is possible
			return true
		}, true},
		{"relax", func(rng *rand.Rand, c *Certificate) bool { c.Relax = -1; return true }, true},
		{"split point", func(rng *rand.Rand, c *Certificate) bool {
			for k := range c.Nodes {
				if c.Nodes[k].Pair >= 0 {
					c.Nodes[k].At = rng.Float64()
					return true
				}
			}
			return false
		}, false},
		{"split pair", func(rng *rand.Rand, c *Certificate) bool {
			for k := range c.Nodes {
				if c.Nodes[k].Pair >= 0 {
					c.Nodes[k].Pair += rng.IntN(7) - 3
					return true
				}
			}
			return false
		}, false},
		{"dropped leaf", func(rng *rand.Rand, c *Certificate) bool {
			if l := leaves(c); len(l) > 0 {
				k := l[rng.IntN(len(l))]
				c.Nodes = slices.Delete(c.Nodes, k, k+1)
				return len(c.Nodes) > 0
			}
			return false
		}, true},
		{"duplicated leaf", func(rng *rand.Rand, c *Certificate) bool {
			if l := leaves(c); len(l) > 0 {
				k := l[rng.IntN(len(l))]
				c.Nodes = slices.Insert(c.Nodes, k, c.Nodes[k])
				return true
			}
			return false
		}, true},
		{"split made a leaf", func(rng *rand.Rand, c *Certificate) bool {
			for k := range c.Nodes {
				if c.Nodes[k].Pair >= 0 {
					c.Nodes[k].Pair = -1
					return true
				}
			}
			return false
		}, true},
		{"emptied leaf", func(rng *rand.Rand, c *Certificate) bool {
			if l := leaves(c); len(l) > 0 {
				c.Nodes[l[rng.IntN(len(l))]].Steps = nil
				return true
			}
			return false
		}, true},
		{"dropped step", func(rng *rand.Rand, c *Certificate) bool {
			for range 20 {
				if k := rng.IntN(len(c.Nodes) + 1); k < len(c.Nodes) && len(c.Nodes[k].Steps) > 0 {
					j := rng.IntN(len(c.Nodes[k].Steps))
					c.Nodes[k].Steps = slices.Delete(c.Nodes[k].Steps, j, j+1)
					return true
				}
			}
			return false
		}, false},
		{"swapped kernel", func(rng *rand.Rand, c *Certificate) bool {
			s := anyStep(rng, c, isBound)
			switch {
			case s == nil && c.Single == nil:
				return false
			case s == nil:
				c.Single.M++
			case s.M2 >= 0:
				s.M, s.M2 = s.M2, s.M
				if rng.IntN(2) == 0 {
					s.Of, s.To = s.To, s.Of
				}
			default:
				s.M += 1 + rng.IntN(2)
			}
			return true
		}, false},
		{"row", func(rng *rand.Rand, c *Certificate) bool {
			s := anyStep(rng, c, isBound)
			if s == nil {
				return false
			}
			k := rng.IntN(len(s.Rows))
			if rng.IntN(2) == 0 {
				s.Rows[k] ^= 1 << rng.IntN(32)
			} else {
				s.Rows[k] = s.Rows[rng.IntN(len(s.Rows))]
			}
			return true
		}, false},
		{"tighter value", func(rng *rand.Rand, c *Certificate) bool {
			s := anyStep(rng, c, func(s *Step) bool { return isBound(s) && s.Target != Empty })
			if s == nil {
				return false
			}
			if s.Target == OccupancyLow || s.Target == PolicyLow {
				s.Value += rng.Float64()
			} else {
				s.Value *= rng.Float64()
			}
			return true
		}, false},
		{"ratio", func(rng *rand.Rand, c *Certificate) bool {
			s := anyStep(rng, c, func(s *Step) bool { return isBound(s) && s.Target >= PolicyLow })
			if s == nil {
				return false
			}
			s.Rho = []float64{s.Rho * rng.Float64(), -s.Rho, math.NaN(), math.Inf(-1), s.Rho + rng.NormFloat64()}[rng.IntN(5)]
			return true
		}, false},
		{"target of a step", func(rng *rand.Rand, c *Certificate) bool {
			s := anyStep(rng, c, isBound)
			if s == nil {
				return false
			}
			switch rng.IntN(4) {
			case 0:
				s.Target = Target(rng.IntN(8))
			case 1:
				s.Index += rng.IntN(5) - 2
			case 2:
				s.Of += rng.IntN(5) - 2
			default:
				s.To += rng.IntN(5) - 2
			}
			return true
		}, false},
		{"models of a finite set", func(rng *rand.Rand, c *Certificate) bool {
			if c.Kernels != nil {
				return false
			}
			c.Kernels = []Kernel{{Rows: []float64{1}}}
			return true
		}, true},
		{"row outside the set", func(rng *rand.Rand, c *Certificate) bool {
			if len(c.Kernels) == 0 {
				return false
			}
			rows := c.Kernels[rng.IntN(len(c.Kernels))].Rows
			rows[rng.IntN(len(rows))] += 1e-6
			return true
		}, true},
		{"models dropped", func(rng *rand.Rand, c *Certificate) bool {
			ok := len(c.Kernels) > 0
			c.Kernels = nil
			return ok
		}, true},
		{"penalty", func(rng *rand.Rand, c *Certificate) bool {
			for k := range c.Kernels {
				for i, v := range c.Kernels[k].Penalty {
					if v > 1e-6 {
						c.Kernels[k].Penalty[i] = v * (1 - 1e-6)
						return true
					}
				}
			}
			return false
		}, true},
	}
}

// clone copies a certificate deeply, by its document, which checks the codec
// on the way.
func clone(t testing.TB, c *Certificate) *Certificate {
	t.Helper()
	text, err := c.Encode()
	if err != nil {
		t.Fatal(err)
	}
	d, err := Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	return &d
}

// TestTamperedCertificates: what changes the claim, or leaves a hole, is
// refused; what only changes the argument is refused or is still an argument:
// the claim then stays below the return of a policy that is exactly feasible.
func TestTamperedCertificates(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 1))
	tried, refused := map[string]int{}, map[string]int{}
	for _, q := range proofs(t) {
		p, good, best, value := q.p, &q.cert, q.policy, q.worth(t)
		possible := !math.IsInf(value, 1)
		for _, tm := range tamperings() {
			for range 4 {
				c := clone(t, good)
				if !tm.do(rng, c) {
					continue
				}
				switch {
				case tm.name == "target" && possible:
					// Beyond what a policy reaches, by a little or a lot.
					c.Target = value + max(math.Abs(value), 1e-9)*math.Pow(10, -9*rng.Float64())
				case tm.name == "relax" && !possible && rng.IntN(2) == 0:
					c.Relax = 1e5 * (1 + good.Relax)
				}
				tried[tm.name]++
				r := Check(p, *c, nil)
				switch {
				case !r.OK:
					refused[tm.name]++
					if len(r.Reasons) == 0 || !math.IsInf(r.LowerBound, -1) {
						t.Fatalf("%s: refused without a reason, or with a bound: %+v", tm.name, r)
					}
				case tm.must:
					t.Fatalf("%s of %s: accepted: %q", tm.name, q.name, r.Reasons)
				case possible && !(r.LowerBound < value):
					t.Fatalf("%s of %s: claims %v; a feasible policy has %v", tm.name, q.name, r.LowerBound, value)
				}
			}
		}
		if best == nil {
			continue
		}
		// The policy: no policy at all, or one that misses a threshold.
		for range 5 {
			other := slices.Clone(best)
			other[rng.IntN(len(other))] += 1e-6
			if r := Check(p, *good, other); r.OK {
				t.Fatalf("%s: a policy whose rows do not sum to 1 was accepted", q.name)
			}
			other = randomPolicy(rng, p.Layout)
			e, err := Evaluate(p, other)
			if err != nil {
				t.Fatal(err)
			}
			if r := Check(p, *good, other); r.OK != e.Feasible() || r.OK && !(r.LowerBound < r.Objective) {
				t.Fatalf("%s: policy %v: %q", q.name, other, r.Reasons)
			}
		}
		// The problem: any change changes its hash.
		changed := *p
		changed.Discount = math.Nextafter(p.Discount, 1)
		if r := Check(&changed, *good, nil); r.OK || !strings.Contains(strings.Join(r.Reasons, ""), "another problem") {
			t.Fatalf("%s: accepted for another problem: %q", q.name, r.Reasons)
		}
	}
	for _, tm := range tamperings() {
		t.Logf("%-24s %4d tried %4d refused", tm.name, tried[tm.name], refused[tm.name])
		if tried[tm.name] < 4 || refused[tm.name] == 0 {
			t.Errorf("%s: tried %d times, refused %d times", tm.name, tried[tm.name], refused[tm.name])
		}
	}
}

// TestNoTamperingProvesTheImpossible claims what a feasible policy disproves,
// and changes several other things at once: none of it may be accepted.
func TestNoTamperingProvesTheImpossible(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 1))
	var harmless []tampering
	for _, tm := range tamperings() {
		if !tm.must {
			harmless = append(harmless, tm)
		}
	}
	replayed := 0
	for _, q := range proofs(t) {
		value := q.worth(t)
		if math.IsInf(value, 1) {
			continue
		}
		for range 60 {
			c := clone(t, &q.cert)
			c.Target = value + max(math.Abs(value), 1e-9)*math.Pow(10, -12*rng.Float64())
			for range rng.IntN(6) {
				harmless[rng.IntN(len(harmless))].do(rng, c)
			}
			// Claims of ranges that no longer hold are taken back, so that the
			// leaves decide.
			takeBack := []float64{0, 0.01, 0.2, 1}[rng.IntN(4)]
			for k := range c.Nodes {
				for j := range c.Nodes[k].Steps {
					s := &c.Nodes[k].Steps[j]
					if low := s.Target == OccupancyLow || s.Target == PolicyLow; takeBack == 1 {
						s.Value = math.Inf(1)
						if low {
							s.Value = math.Inf(-1)
						}
					} else if low {
						s.Value *= 1 - takeBack
					} else {
						s.Value *= 1 + takeBack
					}
				}
			}
			r := Check(q.p, *c, nil)
			if r.OK {
				t.Fatalf("%s: claims more than %v; a feasible policy has %v", q.name, c.Target, value)
			}
			replayed++
		}
	}
	if replayed < 800 {
		t.Errorf("only %d certificates", replayed)
	}
}

// TestForgedHash changes the problem under a certificate and forges its hash:
// when the proof is still accepted, its claim must be below the return of a
// policy that is exactly feasible in the changed problem.
func TestForgedHash(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 1))
	accepted, count := 0, 0
	for _, good := range proofs(t) {
		for range 3 {
			q := *good.p
			switch rng.IntN(4) {
			case 0:
				q.Discount = max(0, q.Discount-0.3*rng.Float64())
			case 1:
				q.Objective.Values, q.Objective.Next = slices.Clone(q.Objective.Values), slices.Clone(q.Objective.Next)
				for _, v := range [][]float64{q.Objective.Values, q.Objective.Next} {
					for i := range v {
						v[i] -= 0.3 * rng.Float64() * math.Abs(v[i])
					}
				}
			case 2:
				if len(q.Uncertainty.Kernels) < 2 {
					continue
				}
				q.Uncertainty.Kernels = slices.Clone(q.Uncertainty.Kernels)
				slices.Reverse(q.Uncertainty.Kernels)
			default:
				q.Constraints = slices.Clone(q.Constraints)
				for n := range q.Constraints {
					b := math.Abs(q.Constraints[n].Bound) * rng.Float64()
					if q.Constraints[n].AtLeast {
						b = -b
					}
					q.Constraints[n].Bound += b
				}
			}
			value := math.Inf(1)
			for range 12 {
				if e, err := Evaluate(&q, randomPolicy(rng, q.Layout)); err == nil && e.Feasible() {
					value = min(value, e.Returns[0].Hi)
				}
			}
			if math.IsInf(value, 1) {
				continue
			}
			count++
			c := good.cert
			c.Problem = q.Hash()
			if r := Check(&q, c, nil); r.OK {
				if accepted++; !(r.LowerBound < value) {
					t.Fatalf("claims %v; a feasible policy has %v", r.LowerBound, value)
				}
			}
		}
	}
	t.Logf("%d of %d forged certificates hold for the changed problem too", accepted, count)
	if accepted == 0 || accepted == count {
		t.Errorf("accepted %d of %d", accepted, count)
	}
}

func TestACheckThatIsLeftProvesNothing(t *testing.T) {
	for _, q := range proofs(t) {
		for stop := range len(q.cert.Nodes) {
			count := 0
			r := NewChecker(q.p).Check(&q.cert, q.policy, func() bool { count++; return count <= stop })
			if r.OK || !r.Left || !math.IsInf(r.LowerBound, -1) || count != stop+1 {
				t.Fatalf("%s: left before box %d after %d: %+v", q.name, stop, count, r)
			}
		}
	}
}

// TestContradictionsAreReported: a certificate of infeasibility beside a
// feasible policy, or a bound beside a better policy, cannot both be right.
func TestContradictionsAreReported(t *testing.T) {
	p := oneState()
	if r := Check(p, Certificate{Problem: p.Hash(), Target: math.Inf(1), Nodes: []Node{{Pair: -1}}}, nil); r.OK {
		t.Error("no policy is called feasible where there are no constraints")
	}
	r := Report{LowerBound: 5}
	if in := mustInstance(t, p); r.policy(in, []float64{1, 0}, nil, nil, always) || !strings.Contains(r.Reasons[len(r.Reasons)-1], "one of the two is wrong") {
		t.Errorf("%q", r.Reasons)
	}
	r = Report{LowerBound: math.Inf(1)}
	if in := mustInstance(t, p); r.policy(in, []float64{1, 0}, nil, nil, always) || !strings.Contains(r.Reasons[len(r.Reasons)-1], "one of the two is wrong") {
		t.Errorf("%q", r.Reasons)
	} // A policy that misses the limit by 1 agrees with the proof that all miss it by
	// half of that, and not with one that all miss it by twice that.
	p.Constraints = []model.Constraint{{Cost: p.Objective}}
	in := mustInstance(t, p)
	e, err := in.evaluate([]float64{1, 0}, nil, always)
	if err != nil {
		t.Fatal(err)
	}
	p.Constraints[0].Bound = p.Standard().Present(1, e.Returns[1].Lo-1)
	for _, tc := range []struct {
		least float64
		ok    bool
		last  string
	}{{0.5, true, "agrees"}, {2, false, "one of the two is wrong"}} {
		r := Report{LowerBound: math.Inf(1), LeastViolation: tc.least}
		if ok := r.policy(mustInstance(t, p), []float64{1, 0}, nil, nil, always); ok != tc.ok || !math.IsNaN(r.Objective) && r.Objective != 0 || !strings.Contains(r.Reasons[len(r.Reasons)-1], tc.last) {
			t.Errorf("all miss it by %v: %v, %q", tc.least, ok, r.Reasons)
		}
	}
}
