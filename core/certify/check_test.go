package certify

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"rcmdplab/core/bound"
	"rcmdplab/core/evaluate"
	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
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

// TestProofByHand writes certificates down. The cost row alone, 1·(c̃·x) <= b̃ < 0 for
// the mapped cost c̃ = (0, 1), proves J > T for every T < 2 and for no other.
func TestProofByHand(t *testing.T) {
	p := oneState()
	leaf := proof.Node{Pair: -1, Steps: []proof.Step{{Kind: proof.Open}, {Kind: proof.Bound, M: 0, M2: -1, Rows: []proof.Row{proof.NewRow(proof.Cost, 0, 0, 0)}, Y: []float64{-1}}}}
	for _, tc := range []struct {
		target float64
		ok     bool
	}{{1.5, true}, {2 - 0x1p-52, true}, {2, false}, {2.5, false}, {math.Inf(1), false}, {math.NaN(), false}, {math.Inf(-1), false}} {
		c := proof.Claim{Problem: p.Hash(), Target: tc.target, Nodes: []proof.Node{leaf}}
		if r := Check(p, c, nil); r.OK != tc.ok || tc.ok && r.LowerBound != tc.target {
			t.Errorf("target %v: ok %v, lower bound %v; want ok %v: %q", tc.target, r.OK, r.LowerBound, tc.ok, r.Reasons)
		}
	}
	// The same statement by a tree: a split at 1/2 of the first action. Where it
	// is taken less than half of the time, 3/2·x_b + x_a/2 >= 1; elsewhere T = 3/2
	// is excluded by the cost row, 1·(c̃·x) <= b̃ < 0.
	tree := proof.Claim{Problem: p.Hash(), Target: 1.5, Nodes: []proof.Node{{Pair: 0, At: 0.5}, leaf, leaf}}
	for _, target := range []float64{2, 2 + 0x1p-51, 2.01, 3} {
		wrong := tree
		wrong.Target = target
		if r := Check(p, wrong, nil); r.OK {
			t.Errorf("a tree proves that J > %v: %q", target, r.Reasons)
		}
	}
	r := Check(p, tree, []float64{1, 0})
	if !r.OK || r.LowerBound != 1.5 || !(r.Objective >= 2 && r.Objective < 2+1e-12) || !(r.Gap >= 0.5 && r.Gap < 0.5+1e-12) {
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
		{[]float64{0.5 - 0x1p-48, 0.5 + 0x1p-48}, false, `violates "rest": 2.5 under its worst model misses at least 2.5 by 1.77e-14.`},
		{[]float64{0.25, 0.75}, false, `violates "rest": 1.25 under its worst model misses at least 2.5 by 1.25.`},
		{[]float64{0.5}, false, "2 available"},
		{[]float64{0.5, 0.4}, false, `state "s" sum to 0.9`},
		{[]float64{-0.1, 1.1}, false, `action "a" in state "s" is -0.1`},
	} {
		r := Check(p, proof.Claim{Target: math.Inf(1)}, tc.policy)
		if all := strings.Join(r.Reasons, "\n"); r.OK != tc.ok || !strings.Contains(all, tc.want) {
			t.Errorf("policy %v: ok %v, %s\nwant %q", tc.policy, r.OK, all, tc.want)
		}
	}
	r := Check(p, proof.Claim{Target: math.Inf(1)}, []float64{0.5, 0.5})
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
		ev, err := evaluate.New(p.Standard())
		if err != nil {
			t.Fatal(err)
		}
		value = math.Inf(1)
		for k := range 40 {
			pi := randomPolicy(rng, p.Layout)
			if k == 0 {
				pi = feasible
			}
			if k > 0 && !promising(ev, pi, value) {
				continue
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

// promising says whether floats see a policy that may meet the limits and return less than value: the
// others need no exact evaluation.
func promising(ev *evaluate.Evaluator, pi []float64, value float64) bool {
	ev.Evaluate(pi)
	if ev.J[0] > value+1e-9 {
		return false
	}
	for n, b := range ev.M.B {
		if ev.J[n] > b+1e-9 {
			return false
		}
	}
	return true
}

// worth is what the policy of a proof is proved to return at most; +Inf without.
func (q *made) worth(t testing.TB) float64 {
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
				if set.Kernels, err = bound.Worst(ev, start, nil); err != nil {
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
	if r := Check(p, proof.Claim{Problem: p.Hash(), Target: math.Inf(1), Nodes: []proof.Node{{Pair: -1}}}, nil); r.OK {
		t.Error("no policy is called feasible where there are no constraints")
	}
	r := Report{LowerBound: 5}
	if in := mustInstance(t, p); r.policy(in, []float64{1, 0}, &proof.Claim{Target: 5}, nil, always) || !strings.Contains(r.Reasons[len(r.Reasons)-1], "one of the two is wrong") {
		t.Errorf("%q", r.Reasons)
	}
	r = Report{LowerBound: math.Inf(1)}
	none := &proof.Claim{Target: math.Inf(1)}
	if in := mustInstance(t, p); r.policy(in, []float64{1, 0}, none, nil, always) || !strings.Contains(r.Reasons[len(r.Reasons)-1], "one of the two is wrong") {
		t.Errorf("%q", r.Reasons)
	} // A policy that misses the limit by 1 agrees with the proof that all miss it by
	// half of that, and not with one that all miss it by twice that.
	p.Constraints = []model.Constraint{{Cost: p.Objective}}
	in := mustInstance(t, p)
	e := in.evaluate([]float64{1, 0}, nil, always)
	p.Constraints[0].Bound = p.Standard().Present(1, e.Returns[1].Lo-1)
	for _, tc := range []struct {
		least float64
		ok    bool
		last  string
	}{{0.5, true, "agrees"}, {2, false, "one of the two is wrong"}} {
		r := Report{LowerBound: math.Inf(1), LeastViolation: tc.least}
		if ok := r.policy(mustInstance(t, p), []float64{1, 0}, none, nil, always); ok != tc.ok || !math.IsNaN(r.Objective) && r.Objective != 0 || !strings.Contains(r.Reasons[len(r.Reasons)-1], tc.last) {
			t.Errorf("all miss it by %v: %v, %q", tc.least, ok, r.Reasons)
		}
	}
}
