package certify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"rcmdplab/core/certify"
	"rcmdplab/core/decide"
	"rcmdplab/core/evaluate"
	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/internal/structured"
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
	"rcmdplab/core/solve"
)

// victim is a problem with a proof that holds, and what the other evaluator (package
// structured) says of a policy: that makes it known which claims are false.
type victim struct {
	name      string
	p         *model.Problem
	policy    []float64
	cert      proof.Claim
	feasible  bool    // the policy misses no limit
	worth     float64 // its worst-case objective, where feasible
	violation float64 // otherwise the largest by which it misses a limit
}

// judged lets the other evaluator judge the policy in its problem.
func (v victim) judged() victim {
	m := v.p.Standard()
	j, share := structured.Returns(m, v.policy)
	v.feasible, v.worth, v.violation = share <= 0, j[0], math.Inf(-1)
	for n := 1; n <= m.N; n++ {
		v.violation = max(v.violation, j[n]-m.B[n])
	}
	return v
}

// false reports whether what is said of the problem is not so, beyond the rounding of
// the other evaluator.
func (v *victim) belied(r *certify.Report) bool {
	switch {
	case !r.OK:
		return false
	case v.feasible:
		return !(r.LowerBound <= v.worth+1e-8*math.Abs(v.worth))
	case r.LeastViolation > 0:
		return !(r.LeastViolation <= v.violation*(1+1e-8))
	}
	return false
}

// raise makes the claim a false one: by 1e-6 to 1e-3 of what the policy has.
func (v *victim) raise(rng *rand.Rand, c *proof.Claim) {
	share := math.Pow(10, -6+3*rng.Float64())
	switch {
	case v.feasible && c.Infeasible():
	case v.feasible && rng.IntN(8) == 0:
		c.Target = math.Inf(1)
	case v.feasible:
		c.Target = v.worth + share*max(math.Abs(v.worth), 1e-9)
	default:
		c.Target, c.Relax = math.Inf(1), v.violation*(1+share)
	}
}

// victims are proofs of every kind, of small problems of every kind of set and of some
// that are too large for fractions.
func victims(t testing.TB) []victim {
	t.Helper()
	once.Do(func() { once.list = makeVictims(t) })
	return once.list
}

var once struct {
	sync.Once
	list []victim
}

func makeVictims(t testing.TB) (list []victim) {
	for _, h := range certify.Honests(t) {
		if h.Policy != nil {
			list = append(list, victim{name: h.Name, p: h.P, policy: h.Policy, cert: h.Cert}.judged())
		}
	}
	solved := func(name string, p *model.Problem) *victim {
		ev, err := evaluate.New(p.Standard())
		if err != nil {
			t.Fatal(err)
		}
		s, stop := decide.Method.Defaults(), false
		s.Stop, s.Starts = &stop, 2
		var last solve.Progress
		for last = range decide.Method.Run(ev, s) {
			stop = last.Nodes > 15
		}
		if c := last.Certificate; c != nil && last.Best.Policy != nil {
			if v := (victim{name: name, p: p, policy: last.Best.Policy, cert: *c}).judged(); v.feasible || c.Infeasible() && v.violation > 0 {
				list = append(list, v)
				return &list[len(list)-1]
			}
		}
		return nil
	}
	for _, h := range certify.Honests(t)[3:] {
		if h.Name != "finite0" && h.Name != "finite1" && h.Name != "finite3" {
			continue
		}
		if v := solved("tight "+h.Name, h.P); v != nil {
			if c := certify.Tight(t, h.P, v.worth); c != nil {
				w := *v
				w.cert = *c
				list = append(list, w)
			}
		}
	}
	for seed := range uint64(70) {
		q := structured.New(seed)
		solved(q.Name, q.Problem)
	}
	for _, kind := range model.Kinds() {
		solved("walk, "+string(kind), fixture.Walk(9, kind, true))
	}
	return list
}

// numbers are the places of all numbers in a certificate, whatever kind it is of.
func numbers(v reflect.Value, into *[]reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			numbers(v.Elem(), into)
		}
	case reflect.Struct:
		for k := range v.NumField() {
			numbers(v.Field(k), into)
		}
	case reflect.Slice, reflect.Array:
		for k := range v.Len() {
			numbers(v.Index(k), into)
		}
	case reflect.Float64, reflect.Int, reflect.Uint8, reflect.Uint32:
		*into = append(*into, v)
	}
}

// alter puts another number where one is.
func alter(rng *rand.Rand, at reflect.Value) {
	if at.Kind() != reflect.Float64 {
		n := []int64{0, 1, -1, 2, 127, math.MaxInt32}[rng.IntN(6)]
		if at.Kind() == reflect.Int {
			at.SetInt(n)
		} else {
			at.SetUint(uint64(n))
		}
		return
	}
	x := at.Float()
	least := 0x1p-1022
	at.SetFloat([]float64{
		math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), math.SmallestNonzeroFloat64, least, -least, math.MaxFloat64, -x, 2 * x, 0,
		x * (1 + 1e-6), x + 1e-9, x * (1 - 1e-3), 1 - x, x * 0x1p-1000, rng.NormFloat64(),
	}[rng.IntN(17)])
}

// forgery changes a certificate so that its claim may get through; false: there is
// nothing to change.
type forgery struct {
	name string
	do   func(rng *rand.Rand, v *victim, c *proof.Claim) bool
}

func opens(steps []proof.Step) (left []proof.Step) {
	for _, s := range steps {
		if s.Kind != proof.Open {
			left = append(left, s)
		}
	}
	return left
}

func forgeries() []forgery {
	leaves := func(c *proof.Claim) (out []int) {
		for k, n := range c.Nodes {
			if n.Pair < 0 {
				out = append(out, k)
			}
		}
		return out
	}
	return []forgery{
		{"nothing but the claim", func(*rand.Rand, *victim, *proof.Claim) bool { return true }},
		{"a number", func(rng *rand.Rand, _ *victim, c *proof.Claim) bool {
			var all []reflect.Value
			numbers(reflect.ValueOf(c), &all)
			all = all[2:] // but the claim itself
			for range 1 + rng.IntN(3) {
				alter(rng, all[rng.IntN(len(all))])
			}
			return true
		}},
		{"numbers of one list", func(rng *rand.Rand, _ *victim, c *proof.Claim) bool {
			var all []reflect.Value
			numbers(reflect.ValueOf(c), &all)
			from := 2 + rng.IntN(len(all)-2)
			by := 1 + math.Pow(10, -6+5*rng.Float64())
			for _, at := range all[from:min(from+1+rng.IntN(20), len(all))] {
				if at.Kind() == reflect.Float64 {
					at.SetFloat(at.Float() * by)
				}
			}
			return true
		}},
		{"the steps of an empty box for all others", func(_ *rand.Rand, _ *victim, c *proof.Claim) bool {
			l := leaves(c)
			if len(l) < 2 {
				return false
			}
			for _, k := range l[1:] {
				c.Nodes[k].Steps = opens(c.Nodes[l[0]].Steps)
			}
			return true
		}},
		{"a box that does not open", func(rng *rand.Rand, _ *victim, c *proof.Claim) bool {
			if len(c.Nodes) == 0 {
				return false
			}
			n := &c.Nodes[rng.IntN(len(c.Nodes))]
			n.Steps = opens(n.Steps)
			return true
		}},
		{"a box left out", func(rng *rand.Rand, _ *victim, c *proof.Claim) bool {
			if c.Tensor != nil {
				k := rng.IntN(len(c.Tensor.Nodes))
				c.Tensor.Nodes = slices.Delete(c.Tensor.Nodes, k, k+1)
				return true
			}
			if l := leaves(c); len(l) > 1 {
				k := l[rng.IntN(len(l))]
				c.Nodes = slices.Delete(c.Nodes, k, k+1)
				return true
			}
			return false
		}},
		{"a box that is split no more", func(rng *rand.Rand, _ *victim, c *proof.Claim) bool {
			if c.Tensor != nil {
				k := rng.IntN(len(c.Tensor.Nodes))
				c.Tensor.Nodes[k].State, c.Tensor.Nodes = -1, c.Tensor.Nodes[:k+1]
				return true
			}
			for k := range c.Nodes {
				if c.Nodes[k].Pair >= 0 {
					c.Nodes[k].Pair = -1
					return true
				}
			}
			return false
		}},
		{"steps left out", func(rng *rand.Rand, _ *victim, c *proof.Claim) bool {
			if c.Tensor != nil {
				n := &c.Tensor.Nodes[rng.IntN(len(c.Tensor.Nodes))]
				n.Steps = n.Steps[:rng.IntN(len(n.Steps)+1)]
				return true
			}
			if len(c.Nodes) == 0 {
				return false
			}
			n := &c.Nodes[rng.IntN(len(c.Nodes))]
			n.Steps = n.Steps[:rng.IntN(len(n.Steps)+1)]
			return true
		}},
		{"ranges that are claimed no more", func(_ *rand.Rand, _ *victim, c *proof.Claim) bool {
			for k := range c.Nodes {
				for j := range c.Nodes[k].Steps {
					s := &c.Nodes[k].Steps[j]
					if s.Value = math.Inf(1); s.Target == proof.OccupancyLow || s.Target == proof.PolicyLow {
						s.Value = math.Inf(-1)
					}
				}
			}
			return len(c.Nodes) > 0
		}},
		{"rows just outside the set", func(rng *rand.Rand, v *victim, c *proof.Claim) bool {
			by := 1 + math.Pow(10, -9+8*rng.Float64())
			nominal := v.p.Uncertainty.Nominal
			if len(c.Kernels) == 0 || nominal == nil {
				return false
			}
			q := make([]float64, v.p.Layout.S)
			for k := range c.Kernels {
				for i := range v.p.Layout.Pairs() {
					nominal.Dense(q, i)
					row := c.Kernels[k].Rows[i*len(q) : (i+1)*len(q)]
					for s := range row {
						row[s] = max(0, q[s]+by*(row[s]-q[s]))
					}
				}
				for i := range c.Kernels[k].Penalty {
					c.Kernels[k].Penalty[i] /= by
				}
			}
			return true
		}},
		{"nothing paid", func(_ *rand.Rand, _ *victim, c *proof.Claim) bool {
			paid := false
			for k := range c.Kernels {
				paid = paid || c.Kernels[k].Penalty != nil
				clear(c.Kernels[k].Penalty)
			}
			return paid
		}},
		{"mass moved in the rows of rays", func(rng *rand.Rand, v *victim, c *proof.Claim) bool {
			if c.Rays == nil || len(c.Rays.Rows) == 0 {
				return false
			}
			k, at := v.p.Uncertainty.Nominal, 0
			if k == nil {
				k = v.p.Uncertainty.Upper
			}
			for _, i := range c.Rays.Pair {
				n := k.Ptr[i+1] - k.Ptr[i]
				for range 2 {
					row := c.Rays.Rows[at : at+n]
					a, b := rng.IntN(n), rng.IntN(n)
					d := rng.Float64() * row[b]
					row[a], row[b] = row[a]+d, row[b]-d
					at += n
				}
			}
			return true
		}},
		{"values on rays, all but those of ends", func(rng *rand.Rand, v *victim, c *proof.Claim) bool {
			if c.Rays == nil {
				return false
			}
			share := math.Pow(10, -6+5*rng.Float64())
			for k := range c.Rays.V {
				for s, x := range c.Rays.V[k] {
					if !v.p.Ends(s) {
						c.Rays.V[k][s] = x + share*max(math.Abs(x), 1)
					}
				}
			}
			return true
		}},
		{"values on rays by as much everywhere", func(rng *rand.Rand, v *victim, c *proof.Claim) bool {
			if c.Rays == nil {
				return false
			}
			more := [2]float64{rng.ExpFloat64(), rng.ExpFloat64()}
			for k, t := range c.Rays.T {
				for s := range c.Rays.V[k] {
					c.Rays.V[k][s] += (1-t)*more[0] + t*more[1]
				}
			}
			return true
		}},
		{"what limits may be missed by", func(rng *rand.Rand, v *victim, c *proof.Claim) bool {
			if c.Allow = make([]float64, len(v.p.Constraints)); len(c.Allow) == 0 {
				return false
			}
			c.Allow[rng.IntN(len(c.Allow))] = math.Pow(10, -12+20*rng.Float64())
			return true
		}},
	}
}

// treatments are what is done to the box of which the checker says that it is not shown
// to be empty, whichever that is.
var treatments = map[string]func(v *victim, c *proof.Claim, k int){
	"by the last step of the box before, not opened": func(_ *victim, c *proof.Claim, k int) {
		if k > 0 && c.Tensor == nil && len(c.Nodes[k-1].Steps) > 0 {
			before := c.Nodes[k-1].Steps
			c.Nodes[k].Steps, c.Nodes[k].Pair = before[len(before)-1:], -1
		}
	},
	"left out": func(_ *victim, c *proof.Claim, k int) {
		if c.Tensor != nil {
			c.Tensor.Nodes = slices.Delete(c.Tensor.Nodes, k, k+1)
			return
		}
		c.Nodes = slices.Delete(c.Nodes, k, k+1)
	},
	"all after it left out": func(_ *victim, c *proof.Claim, k int) {
		if c.Tensor != nil {
			c.Tensor.Nodes = c.Tensor.Nodes[:k]
			return
		}
		c.Nodes = c.Nodes[:k]
	},
	"split for ever": func(_ *victim, c *proof.Claim, k int) {
		if c.Tensor == nil {
			c.Nodes[k].Pair, c.Nodes[k].At = 0, 0.5
		}
	},
	"what it claims of ranges": func(_ *victim, c *proof.Claim, k int) {
		if c.Tensor != nil {
			for j := range c.Tensor.Nodes[k].Steps {
				for i := range c.Tensor.Nodes[k].Steps[j].Shift {
					c.Tensor.Nodes[k].Steps[j].Shift[i] = 1 - 0x1p-10
				}
			}
			return
		}
		for j := range c.Nodes[k].Steps {
			s := &c.Nodes[k].Steps[j]
			if s.Value = 0; s.Target == proof.OccupancyLow || s.Target == proof.PolicyLow {
				s.Value = 1
			}
		}
	},
}

// TestNoBoxIsExcused raises the claim of proofs by boxes by little, so that only the boxes
// fail that hold good policies, and treats each box that the checker names.
func TestNoBoxIsExcused(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 4))
	place := regexp.MustCompile(`box (\d+)(?:, step (\d+): its multipliers prove an? \w+ end of (\S+);)?`)
	tried, within, unopened := 0, 0, 0
	for _, v := range victims(t) {
		if len(v.cert.Nodes) < 2 && (v.cert.Tensor == nil || len(v.cert.Tensor.Nodes) < 2) ||
			!v.feasible || !(v.worth-v.cert.Target < 1e-3*math.Abs(v.worth)) {
			continue
		}
		k, fresh, more := certify.NewChecker(v.p), copied(t, &v.cert), func() bool { return true }
		for name, do := range treatments {
			c := fresh()
			c.Target = v.worth + math.Pow(10, -7+2*rng.Float64())*math.Abs(v.worth)
			for range 20 {
				r := k.Check(&c, nil, more)
				if tried++; r.OK {
					t.Fatalf("%s, a box %s: accepted for %v, the policy has %v: %q", v.name, name, c.Target, v.worth, r.Reasons)
				}
				why := r.Reasons[len(r.Reasons)-1]
				if strings.Contains(why, ", step 0: it uses ranges before it has opened") {
					unopened++
				}
				at := place.FindStringSubmatch(why)
				if at == nil {
					break
				}
				box, _ := strconv.Atoi(at[1])
				if at[3] != "" { // a range: what is proved of it is claimed
					step, _ := strconv.Atoi(at[2])
					c.Nodes[box].Steps[step].Value, _ = strconv.ParseFloat(at[3], 64)
					continue
				}
				if n := max(len(c.Nodes), 0); c.Tensor == nil && box >= n || c.Tensor != nil && box >= len(c.Tensor.Nodes) {
					break
				}
				if box > 0 {
					within++
				}
				do(&v, &c, box)
			}
		}
	}
	if tried < 100 || within < 30 || unopened == 0 {
		t.Errorf("%d certificates, %d of which fail behind the first box, %d at a step that nothing opened", tried, within, unopened)
	}
}

// copied is a copy that shares no memory.
func copied(t testing.TB, c *proof.Claim) func() proof.Claim {
	t.Helper()
	text, err := c.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return func() proof.Claim {
		d, err := proof.Decode(text)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
}

// No false claim is accepted, whatever is done to a proof of a true one; and what is
// refused is refused with a reason and proves nothing.
func TestNoForgeryOfAClaimIsAccepted(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 2))
	tried, kinds := map[string]int{}, map[string]int{}
	for _, v := range victims(t) {
		k, fresh, more := certify.NewChecker(v.p), copied(t, &v.cert), func() bool { return true }
		if r := k.Check(&v.cert, nil, more); !r.OK || v.belied(&r) {
			t.Fatalf("%s: the honest proof: %v: %q", v.name, r.LowerBound, r.Reasons)
		}
		kinds[fmt.Sprint(v.cert.Values != nil, v.cert.Rays != nil, v.cert.Tensor != nil, len(v.cert.Nodes) > 0, v.cert.Infeasible())]++
		for range 2 {
			for _, f := range forgeries() {
				c := fresh()
				if !f.do(rng, &v, &c) {
					continue
				}
				tried[f.name]++
				if r := k.Check(&c, nil, more); v.belied(&r) {
					t.Fatalf("%s, %s: accepted with what it claimed, %v and %v: %q", v.name, f.name, r.LowerBound, r.LeastViolation, r.Reasons)
				}
				v.raise(rng, &c)
				if r := k.Check(&c, nil, more); r.OK || len(r.Reasons) == 0 || !math.IsInf(r.LowerBound, -1) || r.LeastViolation > 0 || r.Allow != nil {
					t.Fatalf("%s, %s: accepted for %v and %v: %q", v.name, f.name, c.Target, c.Relax, r.Reasons)
				}
				if s, err := k.Strongest(c, more); err == nil {
					if r := k.Check(&s, nil, more); v.belied(&r) {
						t.Fatalf("%s, %s: at most %v is proved: %q", v.name, f.name, s.Target, r.Reasons)
					}
				}
			}
		}
	}
	t.Log(tried, kinds)
	for _, f := range forgeries() {
		if tried[f.name] < 2 {
			t.Errorf("%s: tried %d times", f.name, tried[f.name])
		}
	}
	if len(kinds) < 6 {
		t.Errorf("victims of %d kinds: %v", len(kinds), kinds)
	}
}

// another is the problem with something changed under the hash.
func another(rng *rand.Rand, p *model.Problem) *model.Problem {
	q := *p
	u := &q.Uncertainty
	by := 1 + math.Pow(10, -6+5*rng.Float64())
	kernel := func(k *model.Kernel) *model.Kernel {
		d := *k
		d.Prob = slices.Clone(k.Prob)
		return &d
	}
	switch rng.IntN(6) {
	case 0:
		q.Discount /= by
	case 1:
		q.Objective.Values, q.Objective.Next = slices.Clone(q.Objective.Values), slices.Clone(q.Objective.Next)
		for _, list := range [][]float64{q.Objective.Values, q.Objective.Next} {
			for i := range list {
				if rng.IntN(3) == 0 {
					list[i] /= by
				}
			}
		}
	case 2:
		q.Constraints = slices.Clone(q.Constraints)
		for n := range q.Constraints {
			q.Constraints[n].Bound += (by - 1) * math.Abs(q.Constraints[n].Bound) * map[bool]float64{true: -1, false: 1}[q.Constraints[n].AtLeast]
		}
	case 3:
		u.Radius = slices.Clone(u.Radius)
		for i := range u.Radius {
			u.Radius[i] /= by
		}
	case 4:
		if u.Temperature > 0 {
			u.Temperature *= by
		}
	default: // mass on what was unlikely, down to the least normal number
		little := math.Ldexp(1, -1-rng.IntN(1022))
		move := func(k *model.Kernel) *model.Kernel {
			k = kernel(k)
			for i := range len(k.Ptr) - 1 {
				row := k.Prob[k.Ptr[i]:k.Ptr[i+1]]
				if a, b := rng.IntN(len(row)+1), rng.IntN(len(row)+1); a < len(row) && b < len(row) && a != b {
					row[b] += row[a] - min(row[a], little)
					row[a] = min(row[a], little)
				}
			}
			return k
		}
		if u.Nominal != nil {
			u.Nominal = move(u.Nominal)
		}
		u.Kernels = slices.Clone(u.Kernels)
		for m := range u.Kernels {
			u.Kernels[m] = move(u.Kernels[m])
		}
	}
	return &q
}

// A proof under which the problem was changed, and the hash with it, is refused or is
// one of what is true of the changed problem.
func TestNoProblemIsSwappedUnderItsProof(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 3))
	accepted, refused := 0, 0
	for _, v := range victims(t) {
		for range 1 + 4/v.p.Layout.S {
			w := v
			w.p = another(rng, v.p)
			k, more := certify.NewChecker(w.p), func() bool { return true }
			if r := k.Check(&w.cert, nil, more); r.OK && w.p.Hash() != v.p.Hash() {
				t.Fatalf("%s: accepted for a problem of another hash", v.name)
			}
			if w = w.judged(); !w.feasible && !(w.violation > 0) {
				continue
			}
			w.cert.Problem = w.p.Hash()
			claims := []proof.Claim{w.cert}
			if s, err := k.Strongest(w.cert, more); err == nil {
				claims = append(claims, s)
			}
			for _, c := range claims {
				r := k.Check(&c, nil, more)
				if w.belied(&r) {
					t.Fatalf("%s: accepted %v and %v; the policy has %v and misses by %v: %q", v.name, r.LowerBound, r.LeastViolation, w.worth, w.violation, r.Reasons)
				}
				if r.OK {
					accepted++
				} else {
					refused++
				}
			}
		}
	}
	if accepted < 20 || refused < 20 {
		t.Errorf("accepted %d, refused %d", accepted, refused)
	}
}

// A proof by one model bounds no average of models: with an objective or a limit averaged
// that was the worst case, every other kind than by choices is refused, and nothing can be had of it.
func TestOneModelBoundsNoAverage(t *testing.T) {
	tried := 0
	for _, v := range victims(t) {
		if len(v.p.Uncertainty.Kernels) < 2 || v.cert.Choices != nil {
			continue
		}
		for n := -1; n < len(v.p.Constraints); n++ {
			q := *v.p
			q.Constraints = slices.Clone(q.Constraints)
			if n < 0 {
				q.Objective.Over = 1
			} else {
				q.Constraints[n].Over = 1
			}
			tried++
			c := v.cert
			c.Problem = q.Hash()
			k, more := certify.NewChecker(&q), func() bool { return true }
			if r := k.Check(&c, nil, more); r.OK || !strings.Contains(strings.Join(r.Reasons, " "), "averaged over the models") {
				t.Errorf("%s, cost %d averaged: accepted is %v: %q", v.name, n+1, r.OK, r.Reasons)
			}
			if _, err := k.Strongest(c, more); err == nil {
				t.Errorf("%s, cost %d averaged: something is had of its values", v.name, n+1)
			}
		}
	}
	if tried < 10 {
		t.Errorf("%d tried", tried)
	}
}
