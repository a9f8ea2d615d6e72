package certify

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/proof"
)

// tampering changes one thing in a certificate. It reports false when there is
// nothing of the kind to change.
type tampering struct {
	name string
	do   func(rng *rand.Rand, c *proof.Claim) bool
	must bool // must be refused, whatever was hit
}

// anyStep picks a step of the kind.
func anyStep(rng *rand.Rand, c *proof.Claim, fits func(s *proof.Step) bool) *proof.Step {
	var all []*proof.Step
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

func isBound(s *proof.Step) bool { return s.Kind == proof.Bound && len(s.Y) > 0 }

func tamperings() []tampering {
	leaves := func(c *proof.Claim) (out []int) {
		for k, n := range c.Nodes {
			if n.Pair < 0 {
				out = append(out, k)
			}
		}
		return out
	}
	return []tampering{
		{"hash", func(rng *rand.Rand, c *proof.Claim) bool {
			b := []byte(c.Problem)
			b[rng.IntN(len(b))] ^= 1
			c.Problem = string(b)
			return true
		}, true},
		{"multiplier", func(rng *rand.Rand, c *proof.Claim) bool {
			var y *float64
			if s := anyStep(rng, c, isBound); s != nil {
				y = &s.Y[rng.IntN(len(s.Y))]
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
		{"target", func(rng *rand.Rand, c *proof.Claim) bool {
			if math.IsInf(c.Target, 1) {
				return false
			}
			c.Target = math.NaN() // set by the caller, above what is possible
			return true
		}, true},
		{"relax", func(rng *rand.Rand, c *proof.Claim) bool { c.Relax = -1; return true }, true},
		{"split point", func(rng *rand.Rand, c *proof.Claim) bool {
			for k := range c.Nodes {
				if c.Nodes[k].Pair >= 0 {
					c.Nodes[k].At = rng.Float64()
					return true
				}
			}
			return false
		}, false},
		{"split pair", func(rng *rand.Rand, c *proof.Claim) bool {
			for k := range c.Nodes {
				if c.Nodes[k].Pair >= 0 {
					c.Nodes[k].Pair += rng.IntN(7) - 3
					return true
				}
			}
			return false
		}, false},
		{"dropped leaf", func(rng *rand.Rand, c *proof.Claim) bool {
			if l := leaves(c); len(l) > 0 {
				k := l[rng.IntN(len(l))]
				c.Nodes = slices.Delete(c.Nodes, k, k+1)
				return len(c.Nodes) > 0
			}
			return false
		}, true},
		{"duplicated leaf", func(rng *rand.Rand, c *proof.Claim) bool {
			if l := leaves(c); len(l) > 0 {
				k := l[rng.IntN(len(l))]
				c.Nodes = slices.Insert(c.Nodes, k, c.Nodes[k])
				return true
			}
			return false
		}, true},
		{"split made a leaf", func(rng *rand.Rand, c *proof.Claim) bool {
			for k := range c.Nodes {
				if c.Nodes[k].Pair >= 0 {
					c.Nodes[k].Pair = -1
					return true
				}
			}
			return false
		}, true},
		{"emptied leaf", func(rng *rand.Rand, c *proof.Claim) bool {
			if l := leaves(c); len(l) > 0 {
				c.Nodes[l[rng.IntN(len(l))]].Steps = nil
				return true
			}
			return false
		}, true},
		{"dropped step", func(rng *rand.Rand, c *proof.Claim) bool {
			for range 20 {
				if k := rng.IntN(len(c.Nodes) + 1); k < len(c.Nodes) && len(c.Nodes[k].Steps) > 0 {
					j := rng.IntN(len(c.Nodes[k].Steps))
					c.Nodes[k].Steps = slices.Delete(c.Nodes[k].Steps, j, j+1)
					return true
				}
			}
			return false
		}, false},
		{"swapped kernel", func(rng *rand.Rand, c *proof.Claim) bool {
			s := anyStep(rng, c, isBound)
			switch {
			case s == nil:
				return false
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
		{"row", func(rng *rand.Rand, c *proof.Claim) bool {
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
		{"tighter value", func(rng *rand.Rand, c *proof.Claim) bool {
			s := anyStep(rng, c, func(s *proof.Step) bool { return isBound(s) && s.Target != proof.Empty })
			if s == nil {
				return false
			}
			if s.Target == proof.OccupancyLow || s.Target == proof.PolicyLow {
				s.Value += rng.Float64()
			} else {
				s.Value *= rng.Float64()
			}
			return true
		}, false},
		{"ratio", func(rng *rand.Rand, c *proof.Claim) bool {
			s := anyStep(rng, c, func(s *proof.Step) bool { return isBound(s) && s.Target >= proof.PolicyLow })
			if s == nil {
				return false
			}
			s.Rho = []float64{s.Rho * rng.Float64(), -s.Rho, math.NaN(), math.Inf(-1), s.Rho + rng.NormFloat64()}[rng.IntN(5)]
			return true
		}, false},
		{"target of a step", func(rng *rand.Rand, c *proof.Claim) bool {
			s := anyStep(rng, c, isBound)
			if s == nil {
				return false
			}
			switch rng.IntN(4) {
			case 0:
				s.Target = proof.Target(rng.IntN(8))
			case 1:
				s.Index += rng.IntN(5) - 2
			case 2:
				s.Of += rng.IntN(5) - 2
			default:
				s.To += rng.IntN(5) - 2
			}
			return true
		}, false},
		{"models of a finite set", func(rng *rand.Rand, c *proof.Claim) bool {
			if c.Kernels != nil {
				return false
			}
			c.Kernels = []proof.Kernel{{Rows: []float64{1}}}
			return true
		}, true},
		{"row outside the set", func(rng *rand.Rand, c *proof.Claim) bool {
			if len(c.Kernels) == 0 {
				return false
			}
			rows := c.Kernels[rng.IntN(len(c.Kernels))].Rows
			rows[rng.IntN(len(rows))] += 1e-6
			return true
		}, true},
		{"models dropped", func(rng *rand.Rand, c *proof.Claim) bool {
			ok := len(c.Kernels) > 0
			c.Kernels = nil
			return ok
		}, true},
		{"penalty", func(rng *rand.Rand, c *proof.Claim) bool {
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
func clone(t testing.TB, c *proof.Claim) *proof.Claim { return copier(t, c)() }

// copier gives as many such copies as wanted.
func copier(t testing.TB, c *proof.Claim) func() *proof.Claim {
	t.Helper()
	text, err := c.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return func() *proof.Claim {
		d, err := proof.Decode(text)
		if err != nil {
			t.Fatal(err)
		}
		return &d
	}
}

// TestTamperedCertificates: what changes the claim, or leaves a hole, is
// refused; what only changes the argument is refused or is still an argument:
// the claim then stays below the return of a policy that is exactly feasible.
func TestTamperedCertificates(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 1))
	tried, refused := map[string]int{}, map[string]int{}
	for _, q := range proofs(t) {
		p, good, best, value := q.p, &q.cert, q.policy, q.worth(t)
		possible, fresh := !math.IsInf(value, 1), copier(t, good)
		for _, tm := range tamperings() {
			for range 4 {
				c := fresh()
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
		fresh := copier(t, &q.cert)
		for range 60 {
			c := fresh()
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
					if low := s.Target == proof.OccupancyLow || s.Target == proof.PolicyLow; takeBack == 1 {
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
			ev, err := evaluate.New(q.Standard())
			if err != nil {
				t.Fatal(err)
			}
			value := math.Inf(1)
			for range 12 {
				pi := randomPolicy(rng, q.Layout)
				if !promising(ev, pi, value) {
					continue
				}
				if e, err := Evaluate(&q, pi); err == nil && e.Feasible() {
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
