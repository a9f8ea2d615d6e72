package decide_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"rcmdplab/core/bound"
	"rcmdplab/core/certify"
	"rcmdplab/core/decide"
	"rcmdplab/core/evaluate"
	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
	"rcmdplab/core/solve"
)

// planned runs the default method to its end and lets the checker judge what it says from the
// certificate's own text.
func planned(t *testing.T, name string, p *model.Problem) solve.Progress {
	t.Helper()
	ev, err := evaluate.New(p.Standard())
	if err != nil {
		t.Fatal(err)
	}
	var last solve.Progress
	for last = range decide.Method.Run(ev, decide.Method.Defaults()) {
	}
	if last.Certificate == nil {
		t.Fatalf("%s: %v without a certificate: %s", name, last.Status, last.Note)
	}
	text, err := last.Certificate.Encode()
	if err != nil {
		t.Fatal(err)
	}
	cert, err := proof.Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	policy := last.Best.Policy
	if !last.Best.Feasible && !cert.Infeasible() { // none was found, which is no contradiction
		policy = nil
	}
	if r := certify.Check(p, cert, policy); !r.OK {
		t.Errorf("%s: the checker says: %s", name, strings.Join(r.Reasons, " "))
	}
	return last
}

// best is the least objective of the policies of one action a state that meet the limits, by listing them;
// +Inf when none does.
func best(p *model.Problem) float64 {
	m := p.Standard()
	ev, _ := evaluate.New(m)
	least := math.Inf(1)
	fixture.Policies(m.Layout, func(pi []float64) {
		ev.Evaluate(pi)
		if v, _ := ev.MaxViolation(); !(v > 1e-9) {
			least = min(least, ev.J[0])
		}
	})
	return least
}

// averages draws a problem of few policies: some kernels alike, some actions missing, limits that bind, zeros and ties.
func averages(seed uint64, deterministic bool) *model.Problem {
	r := rand.New(rand.NewPCG(seed, 9))
	s, a, models, limits := 2+r.IntN(4), 2+r.IntN(2), 1+r.IntN(4), r.IntN(3)
	avail := make([]bool, s*a)
	for i := range avail {
		avail[i] = i%a == 0 || r.Float64() < 0.8
	}
	l := model.NewLayout(s, a, avail)
	p := &model.Problem{Layout: l, Discount: 0.9, Deterministic: deterministic, Initial: make([]float64, s)}
	p.Initial[r.IntN(s)] = 1
	for i := range s {
		p.States = append(p.States, fmt.Sprint("s", i))
	}
	for i := range a {
		p.Actions = append(p.Actions, fmt.Sprint("a", i))
	}
	over := func() float64 { return []float64{0, 1, 0.3, 0.5, 1e-9}[r.IntN(5)] }
	cost := func(name string) model.Cost {
		c := model.Cost{Name: name, Over: over()}
		for range s * a {
			c.Values = append(c.Values, float64(r.IntN(6)))
		}
		return c
	}
	p.Objective = cost("cost")
	for n := range limits {
		p.Constraints = append(p.Constraints, model.Constraint{Cost: cost(fmt.Sprint("limit ", n+1))})
	}
	p.Uncertainty.Kind = model.Finite
	left := 1.0
	for k := range models {
		var rows []float64
		for range l.Pairs() {
			row, parts := make([]float64, s), 10
			for parts > 0 {
				some := 1 + r.IntN(parts)
				row[r.IntN(s)] += float64(some) / 10
				parts -= some
			}
			rows = append(rows, row...)
		}
		w := math.Round(100*left*r.Float64()) / 100
		if left -= w; k == models-1 {
			w += left
		}
		ker := model.NewKernel(s, rows)
		ker.Name = fmt.Sprint("m", k)
		p.Uncertainty.Kernels, p.Uncertainty.Weights = append(p.Uncertainty.Kernels, ker), append(p.Uncertainty.Weights, math.Round(w*100)/100)
	}
	m := p.Standard()
	ev, _ := evaluate.New(m)
	ev.Evaluate(m.Uniform())
	for n := range p.Constraints {
		p.Constraints[n].Bound = math.Round(ev.J[n+1] * (0.7 + 0.4*r.Float64()))
	}
	return reread(p)
}

func reread(p *model.Problem) *model.Problem {
	q, faults, _ := model.Decode(p.Encode())
	if len(faults) > 0 {
		panic(fmt.Sprint(faults))
	}
	return q
}

// Plans of one action a state are found and proved the best of all that are listed, whatever is averaged over
// the models, and where none meets the limits that is proved.
func TestPlansAreTheBestOfAllListed(t *testing.T) {
	for seed := range uint64(150) {
		p := averages(seed, true)
		want, name := best(p), fmt.Sprint("seed ", seed)
		last := planned(t, name, p)
		switch {
		case math.IsInf(want, 1):
			if last.Status != solve.ProvedInfeasible {
				t.Errorf("%s: %v, but no policy meets the limits: %s", name, last.Status, last.Note)
			}
		case last.Status != solve.ProvedOptimal || math.Abs(last.Best.Objective-want) > 1e-9*(1+math.Abs(want)):
			t.Errorf("%s: %v with %v (bound %v); the best is %v: %s", name, last.Status, last.Best.Objective, last.LowerBound, want, last.Note)
		}
	}
}

// balls draws the same around one kernel: rectangular sets.
func balls(seed uint64) *model.Problem {
	p := averages(seed, true)
	p.Objective.Over = 0
	for n := range p.Constraints {
		p.Constraints[n].Over = 0
	}
	kinds := []model.Kind{model.L1, model.KL, model.TV, model.L2, model.Chi2, model.LInf, model.Contamination, model.KLRegularized}
	k := p.Uncertainty.Kernels[0]
	k.Name = ""
	p.Uncertainty = model.Uncertainty{Kind: kinds[seed%uint64(len(kinds))], Nominal: k, Radius: []float64{0.1}}
	if p.Uncertainty.Kind == model.KLRegularized {
		p.Uncertainty.Radius, p.Uncertainty.Temperature = nil, 2
	}
	m := p.Standard()
	ev, _ := evaluate.New(m)
	ev.Evaluate(m.Uniform())
	r := rand.New(rand.NewPCG(seed, 10))
	for n := range p.Constraints {
		p.Constraints[n].Bound = math.Round(ev.J[n+1]*(0.7+0.4*r.Float64())*100) / 100
	}
	return reread(p)
}

// Against rectangular sets too.
func TestPlansAgainstSetsAreTheBestOfAllListed(t *testing.T) {
	for seed := range uint64(80) {
		p := balls(seed)
		want, name := best(p), fmt.Sprint("seed ", seed, ", ", p.Uncertainty.Kind)
		last := planned(t, name, p)
		switch {
		case math.IsInf(want, 1):
			if last.Status != solve.ProvedInfeasible {
				t.Errorf("%s: %v, but no policy meets the limits: %s", name, last.Status, last.Note)
			}
		case last.Status != solve.ProvedOptimal || math.Abs(last.Best.Objective-want) > 1e-8*(1+math.Abs(want)):
			t.Errorf("%s: %v with %v (bound %v); the best is %v: %s", name, last.Status, last.Best.Objective, last.LowerBound, want, last.Note)
		}
	}
}

// So it is in whatever units costs are, and where a plan meets the limits to the last digit only.
func TestPlansAtAnyScale(t *testing.T) {
	for seed := range uint64(200) {
		p := averages(seed, true)
		if seed%4 == 0 {
			p = balls(seed / 4)
		}
		r := rand.New(rand.NewPCG(seed, 11))
		costs := []*model.Cost{&p.Objective}
		for n := range p.Constraints {
			costs = append(costs, &p.Constraints[n].Cost)
		}
		for _, c := range costs {
			unit, more := []float64{1, 1e-9, 1e9}[r.IntN(3)], []float64{0, 1e3}[r.IntN(2)]
			for i := range c.Values {
				c.Values[i] = unit * (c.Values[i] + more)
			}
		}
		m := p.Standard()
		ev, _ := evaluate.New(m)
		plan, left := single(m, r), math.Inf(1)
		ev.Evaluate(plan)
		for n := range p.Constraints {
			p.Constraints[n].Bound = m.Present(n+1, ev.J[n+1])
		}
		p = reread(p)
		m = p.Standard()
		ev, _ = evaluate.New(m)
		fixture.Policies(m.Layout, func(pi []float64) {
			ev.Evaluate(pi)
			for n := 1; n <= m.N; n++ {
				if ev.Excess(n) > 1e-10*m.Scale(n, m.B[n]) {
					return
				}
			}
			left = min(left, ev.J[0])
		})
		last := planned(t, fmt.Sprint("seed ", seed), p)
		if last.Status != solve.ProvedOptimal || math.Abs(last.Best.Objective-left) > 1e-9*m.Scale(0, left) {
			t.Errorf("seed %d, %s: %v with %v (bound %v); the best is %v: %s", seed, p.Uncertainty.Kind, last.Status, last.Best.Objective, last.LowerBound, left, last.Note)
		}
	}
}

// single draws a policy of one action a state.
func single(m *model.Standard, r *rand.Rand) []float64 {
	pi := make([]float64, m.Pairs())
	for s := range m.S {
		pi[m.Off[s]+r.IntN(m.Off[s+1]-m.Off[s])] = 1
	}
	return pi
}

// Right values of the class, in fractions.
func TestPlansOfKnownValue(t *testing.T) {
	text, err := os.ReadFile("../testdata/cases/models/models-mean-deterministic.json")
	if err != nil {
		t.Fatal(err)
	}
	var known struct{ Document json.RawMessage }
	if err := json.Unmarshal(text, &known); err != nil {
		t.Fatal(err)
	}
	for over, want := range map[string]float64{`"mean"`: 2244511.0 / 109504, `{"cvar": 0.4}`: 44650.0 / 1711, `"worst"`: 290.0 / 11} {
		p := fixture.Decode(t, strings.Replace(string(known.Document), `"mean"`, over, 1))
		last := planned(t, over, p)
		if last.Status != solve.ProvedOptimal || math.Abs(last.Best.Objective-want) > 1e-9 || last.LowerBound < want-1e-7 || !strings.Contains(last.Note, "lans that mix actions") {
			t.Errorf("over %s: %v, %v with bound %v; want %v: %s", over, last.Status, last.Best.Objective, last.LowerBound, want, last.Note)
		}
	}
}

// mixing is a problem of models-mean-deterministic whose plans may mix actions, with a limit where one is asked for.
func mixing(t *testing.T, over, limits string) *model.Problem {
	t.Helper()
	return modelCase(t, "models-mean-deterministic", `"policies":"deterministic",`, limits, `"over":"mean"`, `"over":`+over)
}

const mixingLimit = `"constraints":[{"name":"b","values":[[0,1],[1,0]],"atMost":2,"over":"mean"}],`

// Plans that mix actions come to what a fine grid of them comes to, with a proof by boxes that is nearly as good.
func TestMixturesOfKnownValue(t *testing.T) {
	for _, c := range []struct{ over, limits string }{{`"mean"`, ""}, {`{"cvar":0.4}`, ""}, {`"mean"`, mixingLimit}, {`{"cvar":0.4}`, mixingLimit}} {
		p := mixing(t, c.over, c.limits)
		m := p.Standard()
		ev, err := evaluate.New(m)
		if err != nil {
			t.Fatal(err)
		}
		want := math.Inf(1)
		for a := range 201 {
			for b := range 201 {
				x, y := float64(a)/200, float64(b)/200
				ev.Evaluate([]float64{1 - x, x, 1 - y, y})
				if m.N == 0 || ev.J[1] <= m.B[1] {
					want = min(want, ev.J[0])
				}
			}
		}
		if c.over == `"mean"` && c.limits == "" {
			want = 20.496174575963934
		}
		s := decide.Method.Defaults()
		s.Gap = 1e-5
		var last solve.Progress
		for last = range decide.Method.Run(ev, s) {
		}
		r := certify.Check(p, *last.Certificate, last.Best.Policy)
		if j, low := last.Best.Objective, last.LowerBound; !r.OK || j > want+1e-6 || low > want+1e-9 || low < j-2e-5*j {
			t.Errorf("over %s, limits %q: %v of [%v, ], want %v: %v %q", c.over, c.limits, j, low, want, last.Status, r.Reasons)
		}
	}
}

// Whatever is changed in a proof by boxes so that it says too much is refused.
func TestForgedBoxesAreRefused(t *testing.T) {
	p := mixing(t, `{"cvar":0.4}`, mixingLimit)
	s := decide.Method.Defaults()
	s.Gap = 1e-4
	ev, err := evaluate.New(p.Standard())
	if err != nil {
		t.Fatal(err)
	}
	var last solve.Progress
	for last = range decide.Method.Run(ev, s) {
	}
	text, err := last.Certificate.Encode()
	if err != nil {
		t.Fatal(err)
	}
	leaf := func(c *proof.Claim) *proof.Choice {
		for i := range c.Choices.Nodes {
			if n := &c.Choices.Nodes[i]; n.Leaf() && n.Shares[0] != nil {
				return n
			}
		}
		t.Fatal("no leaf")
		return nil
	}
	alone := func(c *proof.Claim, cost int, price float64) { // of a light model, for all together
		leaf(c).Alone = make([]float64, 4*2*3)
		leaf(c).Alone[3*6+3*cost+1] = price
	}
	for name, f := range map[string]struct {
		want   string
		change func(c *proof.Claim)
	}{
		"nothing":                   {"", func(*proof.Claim) {}},
		"more than the boxes prove": {"it proves", func(c *proof.Claim) { c.Target += 1e-6 }},
		"a box that is not there":   {"cut off", func(c *proof.Claim) { c.Choices.Nodes = c.Choices.Nodes[:len(c.Choices.Nodes)-1] }},
		"boxes after the end":       {"follow the end", func(c *proof.Claim) { c.Choices.Nodes = append(c.Choices.Nodes, *leaf(c)) }},
		"one point":                 {"not split between", func(c *proof.Claim) { c.Choices.Nodes[0].Between = []int{1, 1} }},
		"points of two states":      {"not split between", func(c *proof.Claim) { c.Choices.Nodes[0].Between = []int{1, 2} }},
		"a point that is not there": {"not split between", func(c *proof.Claim) { c.Choices.Nodes[0].Between = []int{3, 4} }},
		"a split of actions":        {"leaves out the policies that mix", func(c *proof.Claim) { c.Choices.Nodes[0].Between, c.Choices.Nodes[0].Keep = nil, []int{0} }},
		"a split of actions below": {"leaves out the policies that mix", func(c *proof.Claim) {
			*leaf(c) = proof.Choice{Keep: []int{0}}
		}},
		"boxes in a tree of actions": {"the problem allows others", func(c *proof.Claim) { c.Choices.Deterministic = true }},
		"values":                     {"has values", func(c *proof.Claim) { leaf(c).V = [][]float64{{1e6, 1e6}, {1e6, 1e6}, {1e6, 1e6}} }},
		"more than a weight allows":  {"its weight allows", func(c *proof.Claim) { leaf(c).Shares[0] = []float64{0, 0, 1} }},
		"shares of a mean":           {"not open", func(c *proof.Claim) { leaf(c).Shares[1] = []float64{0, 0, 1} }},
		"a price below 0":            {"want one >= 0", func(c *proof.Claim) { leaf(c).Prices[0] = -1e-3 }},
		"a price that is no number":  {"not finite", func(c *proof.Claim) { leaf(c).Prices[0] = math.NaN() }},
		"a leaf about the limits":    {"weighted violation", func(c *proof.Claim) { leaf(c).Limits, leaf(c).Alone = true, nil }},
		"a price of a model alone in a leaf about the limits": {"has a price of what", func(c *proof.Claim) { leaf(c).Limits = true; alone(c, 0, 1) }},
		"a model alone of which the weight allows less":       {"its weight allows", func(c *proof.Claim) { alone(c, 0, 1) }},
		"a model alone of a mean":                             {"not open", func(c *proof.Claim) { alone(c, 1, 1) }},
		"a price of a model alone below 0":                    {"want one >= 0", func(c *proof.Claim) { alone(c, 0, -1) }},
		"a price of a model alone that is no number":          {"all finite", func(c *proof.Claim) { alone(c, 0, math.Inf(1)) }},
		"prices of models alone that are missing":             {"prices of models alone", func(c *proof.Claim) { leaf(c).Alone = make([]float64, 6) }},
		"a scale that is missing":                             {"scales", func(c *proof.Claim) { leaf(c).Scales = leaf(c).Scales[1:] }},
		"a scale of 0":                                        {"want one > 0", func(c *proof.Claim) { leaf(c).Scales = []float64{1, 0, 1} }},
		"an objective that is no number":                      {"no finite number", func(c *proof.Claim) { c.Choices.Under = math.NaN() }},
		"that no policy is feasible":                          {"about the objective", func(c *proof.Claim) { c.Target = math.Inf(1) }},
	} {
		c, err := proof.Decode(text)
		if err != nil || c.Choices == nil || len(c.Choices.Nodes) < 5 {
			t.Fatal(err, c.Choices)
		}
		f.change(&c)
		switch r := certify.Check(p, c, nil); {
		case f.want == "" && !r.OK:
			t.Fatalf("as it was: %q", r.Reasons)
		case f.want != "" && r.OK:
			t.Errorf("%s: accepted", name)
		case f.want != "" && !strings.Contains(r.Reasons[len(r.Reasons)-1], f.want):
			t.Errorf("%s: refused for another reason: %q", name, r.Reasons)
		}
	}
	// Nor where it is less by no more than shares may be off.
	q := mixing(t, `{"cvar":0.5000000000001}`, mixingLimit)
	near := proof.Choice{Prices: []float64{0}, Shares: [][]float64{{1, 0, 0}}, Scales: []float64{1, 1, 1}, Alone: make([]float64, 4*2*3)}
	c := proof.Claim{Problem: q.Hash(), Choices: &proof.Choices{Under: 100, Nodes: []proof.Choice{near}}}
	if r := certify.Check(q, c, nil); !r.OK {
		t.Errorf("without a price: %q", r.Reasons)
	}
	near.Alone[3*6] = 1
	if r := certify.Check(q, c, nil); r.OK || !strings.Contains(r.Reasons[len(r.Reasons)-1], "allows less than all") {
		t.Errorf("a model whose share is nearly 1: %q", r.Reasons)
	}
	// The splits of a problem that asks for one action in each state are of no use elsewhere.
	q = modelCase(t, "total-die")
	c, _ = proof.Decode(text)
	if c.Problem = q.Hash(); certify.Check(q, c, nil).OK {
		t.Error("boxes at discount 1 are accepted")
	}
}

// twoRoads is an episode under two models, with a limit on falling, which one model makes likely in one state and the other in
// another: no model alone bounds it well.
const twoRoads = `{"format":"rcmdp/1","states":["s","t","goal","fallen"],"actions":["a","b"],"discount":1,"end":["goal","fallen"],"initial":[1,0,0,0],
	"objective":{"name":"steps","values":[[1,1],[1,1],[0,null],[0,null]]},
	"constraints":[{"name":"fall","values":[[0,0],[0,0],[0,null],[1,null]],"atMost":0.25}],
	"uncertainty":{"kind":"finite","kernels":[
		{"name":"k1","transitions":[[[0.5,0.5,0,0],[0,0,0.6,0.4]],[[0.3,0,0.7,0],[0,0,0.9,0.1]],[null,null],[null,null]]},
		{"name":"k2","transitions":[[[0.8,0.2,0,0],[0,0,0.9,0.1]],[[0.6,0,0.4,0],[0,0,0.5,0.5]],[null,null],[null,null]]}]}}`

// Episodes under several models come to what a fine grid of policies comes to, proved by boxes at a discount below 1, also where
// ends pay; whatever is changed in such a proof so that it says too much is refused.
func TestBoxesOfEpisodes(t *testing.T) {
	pays := strings.NewReplacer(`{"name":"steps","values":[[1,1],[1,1],[0,null],[0,null]]}`, `{"name":"reach","sense":"maximize","values":[[0,0],[0,0],[1,null],[0.25,null]]}`,
		`{"name":"fall","values":[[0,0],[0,0],[0,null],[1,null]],"atMost":0.25}`, `{"name":"steps","values":[[1,1],[1,1],[0,null],[0,null]],"atMost":2.5}`)
	for _, text := range []string{twoRoads, pays.Replace(twoRoads)} {
		p := fixture.Decode(t, text)
		ev, err := evaluate.New(p.Standard())
		if err != nil {
			t.Fatal(err)
		}
		want := math.Inf(1)
		for a := range 200 {
			for b := range 201 {
				x, y := float64(a+1)/200, float64(b)/200
				if ev.Evaluate([]float64{1 - x, x, 1 - y, y, 1, 1}); ev.J[1] <= ev.M.B[1] {
					want = min(want, ev.J[0])
				}
			}
		}
		s := decide.Method.Defaults()
		s.Gap = 1e-4
		var last solve.Progress
		for last = range decide.Method.Run(ev, s) {
		}
		j, low := last.Best.Objective, last.LowerBound
		if c := last.Certificate; c == nil || c.Choices == nil || len(c.Choices.Nodes) < 3 || j > want+1e-6 || low > want+1e-9 || low < j-2e-4*math.Abs(j) || !certify.Check(p, *c, last.Best.Policy).OK {
			t.Fatalf("%v of [%v, ], want %v: %v %s", j, low, want, last.Status, last.Note)
		}
		encoded, err := last.Certificate.Encode()
		if err != nil {
			t.Fatal(err)
		}
		refused := func(name, want string, q *model.Problem, change func(c *proof.Choices, target *float64)) {
			c, err := proof.Decode(encoded)
			if err != nil {
				t.Fatal(err)
			}
			change(c.Choices, &c.Target)
			c.Problem = q.Hash()
			if r := certify.Check(q, c, nil); r.OK || !strings.Contains(r.Reasons[len(r.Reasons)-1], want) {
				t.Errorf("%s: accepted %v, %q", name, r.OK, r.Reasons)
			}
		}
		for _, g := range []float64{0, 1, 1.5, -0.5, math.Inf(1), math.NaN()} {
			refused(fmt.Sprint("a discount of ", g), "discount", p, func(c *proof.Choices, _ *float64) { c.Discount = g })
		}
		refused("more than it proves", "it proves", p, func(_ *proof.Choices, target *float64) { *target += 1e-3 })
		refused("more than the objective that it is under", "it proves", p, func(c *proof.Choices, target *float64) { c.Under = *target - 1e-3 })
		refused("a lower discount", "it proves", p, func(c *proof.Choices, _ *float64) { c.Discount = 0.9 })
		refused("a discounted problem", "discount", fixture.Decode(t, strings.Replace(text, `"discount":1`, `"discount":0.9`, 1)), func(*proof.Choices, *float64) {})
		refused("a cost below 0", "nowhere below 0", fixture.Decode(t, strings.Replace(strings.Replace(text, `[[1,1],[1,1]`, `[[1,-1],[1,1]`, 1), `[[0,0],[0,0],[1,`, `[[0,1],[0,0],[1,`, 1)), func(*proof.Choices, *float64) {})
	}
}

// That no policy that mixes actions meets the limits is proved by boxes too, with what they are missed by at least.
func TestNoMixtureMeetsTheLimits(t *testing.T) {
	for _, p := range []*model.Problem{averages(29, false), averages(140, false), stopping(averages(29, false), 1)} {
		last := planned(t, "limits on averages", p)
		c := last.Certificate
		if last.Status != solve.ProvedInfeasible || c.Choices == nil || len(c.Choices.Nodes) < 3 {
			t.Fatalf("%v: %s", last.Status, last.Note)
		}
		if c.Relax > last.Best.MaxViolation {
			t.Errorf("limits are said to be missed by %v at least, and are by %v", c.Relax, last.Best.MaxViolation)
		}
		forged := *c
		forged.Relax = last.Best.MaxViolation + 1e-6
		if certify.Check(p, forged, nil).OK {
			t.Error("more is accepted than the best policy misses them by")
		}
		m := p.Standard()
		ev, _ := evaluate.New(m)
		r := rand.New(rand.NewPCG(1, 2))
		for range 500 {
			pi := m.Uniform()
			for s := range m.S {
				sum := 0.0
				for i := m.Off[s]; i < m.Off[s+1]; i++ {
					pi[i] = math.Pow(r.Float64(), 6) + 1e-12
					sum += pi[i]
				}
				for i := m.Off[s]; i < m.Off[s+1]; i++ {
					pi[i] /= sum
				}
			}
			ev.Evaluate(pi)
			worst := math.Inf(-1)
			for n := 1; n <= m.N; n++ {
				worst = max(worst, ev.J[n]-m.B[n])
			}
			if worst <= c.Relax {
				t.Fatalf("a policy misses the limits by %v, less than %v", worst, c.Relax)
			}
		}
	}
}

// What the search by boxes says it proves the checker finds, by code of its own: of averages, and of episodes in which ends pay back.
func TestBoxesComeToWhatTheCheckerSays(t *testing.T) {
	searched := 0
	for seed := range uint64(60) {
		p := averages(seed, false)
		m := p.Standard()
		ev, _ := evaluate.New(m)
		if ev.Evaluate(m.Uniform()); seed%2 == 1 {
			p = stopping(p, 1)
			for i := len(p.Objective.Values) - len(p.Actions); i < len(p.Objective.Values); i++ {
				p.Objective.Values[i] = -1
				for n := range p.Constraints {
					p.Constraints[n].Values[i] = -2
				}
			}
			for n := range p.Constraints {
				p.Constraints[n].Bound -= 2
			}
			p = reread(p)
		}
		x := bound.NewMixtureSearch(p.Standard(), nil)
		if x == nil {
			t.Fatalf("seed %d: no search", seed)
		}
		best := ev.J[0] - float64(seed%2)
		x.Known(best)
		x.Begin()
		for steps := range 21 {
			done := steps > 0 && x.Step()
			if steps > 0 && steps < 20 && !done {
				continue
			}
			claim := x.Proof(nil).Open()
			claim.Problem = p.Hash()
			got, err := certify.NewChecker(p).Accept(claim, func() bool { return true })
			low, tol := min(x.Bound(), best), 1e-9*(1+math.Abs(best))
			if proved := min(got.Target, best); err != nil || proved < low-tol || steps == 0 && proved > low+tol { // parts may be proved better by what proves the whole
				t.Errorf("seed %d, %d boxes: the search says %v, the checker %v %v", seed, x.Nodes, low, proved, err)
			}
			if done {
				break
			}
		}
		searched += x.Nodes
	}
	if searched < 500 {
		t.Errorf("only %d boxes", searched)
	}
}

// meanLimit is a limit on the mean over two models that the second one alone misses: prices of it that differ by
// model "prove" 10.5 where 1 is right (weak duality needs them in proportion to the weights).
const meanLimit = `{"format":"rcmdp/1","states":["s","A","B","C","z"],"actions":["x","y"],"discount":0.5,"initial":[1,0,0,0,0],
	"objective":{"name":"cost","values":[[1,0],[0,null],[0,null],[0,null],[0,null]],"over":"mean"},
	"constraints":[{"name":"crash","values":[[0,0],[0,null],[2,null],[3,null],[0,null]],"atMost":0.5,"over":"mean"}],
	"uncertainty":{"kind":"finite","kernels":[
		{"name":"k1","transitions":{"entries":[["s","x","A",1],["s","y","C",1],["A","x","z",1],["B","x","z",1],["C","x","z",1],["z","x","z",1]]}},
		{"name":"k2","transitions":{"entries":[["s","x","B",1],["s","y","C",1],["A","x","z",1],["B","x","z",1],["C","x","z",1],["z","x","z",1]]}}]}}`

func TestLimitsOnAMean(t *testing.T) {
	p := fixture.Decode(t, meanLimit)
	last := planned(t, "a limit on the mean", p)
	if last.Status != solve.ProvedOptimal || math.Abs(last.Best.Objective-1) > 1e-9 {
		t.Errorf("%v with %v, bound %v: %s", last.Status, last.Best.Objective, last.LowerBound, last.Note)
	}
	// The price on k2 alone, with values that are right for it.
	forged := proof.Claim{Problem: p.Hash(), Target: 10.5, Choices: &proof.Choices{Nodes: []proof.Choice{{
		Prices: []float64{20}, Shares: [][]float64{nil, {0, 1}}, V: [][]float64{{0, 0, 0, 0, 0}, {20.5, 0, 40, 60, 0}},
	}}}}
	if r := certify.Check(p, forged, nil); r.OK {
		t.Error("prices of a mean that differ by model are accepted")
	} else if why := strings.Join(r.Reasons, " "); !strings.Contains(why, "not open") {
		t.Errorf("refused for another reason: %s", why)
	}
}

// Whatever is changed in a proof of plans so that it says too much is refused.
func TestForgedPlansAreRefused(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(150) {
		p := averages(seed, true)
		last := planned(t, fmt.Sprint("seed ", seed), p)
		if last.Status != solve.ProvedOptimal {
			continue
		}
		text, _ := last.Certificate.Encode()
		try := func(name, want string, change func(c *proof.Claim, p *model.Problem) bool) {
			cert, _ := proof.Decode(text)
			if cert.Choices == nil {
				return
			}
			q := reread(p)
			if !change(&cert, q) {
				return
			}
			seen[name] = true
			cert.Problem = q.Hash()
			if r := certify.Check(q, cert, nil); r.OK {
				t.Errorf("seed %d: %s: accepted", seed, name)
			} else if why := r.Reasons[len(r.Reasons)-1]; !strings.Contains(why, want) {
				t.Errorf("seed %d: %s: refused for another reason: %s", seed, name, why)
			}
		}
		tree := func(c *proof.Claim) bool { return len(c.Choices.Nodes) > 1 }
		leaf := func(c *proof.Claim) *proof.Choice {
			for i := range c.Choices.Nodes {
				if n := &c.Choices.Nodes[i]; n.Leaf() && !n.Limits {
					return n
				}
			}
			panic("no leaf about the objective")
		}
		try("more than the leaves prove", "it proves", func(c *proof.Claim, _ *model.Problem) bool {
			c.Target += 1e-6 * (1 + math.Abs(c.Target))
			return true
		})
		try("a policy in no leaf", "cut off", func(c *proof.Claim, _ *model.Problem) bool {
			c.Choices.Nodes = c.Choices.Nodes[:len(c.Choices.Nodes)-1]
			return tree(c)
		})
		try("nodes after the end", "follow the end of the tree", func(c *proof.Claim, _ *model.Problem) bool {
			c.Choices.Nodes = append(c.Choices.Nodes, c.Choices.Nodes[len(c.Choices.Nodes)-1])
			return c.Choices.Deterministic
		})
		try("values of the worst model alone", "is averaged over the models", func(c *proof.Claim, p *model.Problem) bool {
			c.Choices, c.Values = nil, &proof.Values{Prices: make([]float64, len(p.Constraints)), V: make([]float64, p.Layout.S)}
			return p.Standard().Averaged()
		})
		try("a split that keeps everything", "leaves nothing to its second child", func(c *proof.Claim, p *model.Problem) bool {
			if !tree(c) || !c.Choices.Nodes[1].Leaf() || c.Choices.Nodes[1].Limits { // whose leaf holds of all that it keeps
				return false
			}
			keep := &c.Choices.Nodes[0].Keep
			s := p.Layout.State[(*keep)[0]]
			*keep = nil
			for i := p.Layout.Off[s]; i < p.Layout.Off[s+1]; i++ {
				*keep = append(*keep, i)
			}
			return true
		})
		try("a split of two states", "which is not left of one state", func(c *proof.Claim, p *model.Problem) bool {
			if !tree(c) {
				return false
			}
			keep := &c.Choices.Nodes[0].Keep
			other := (p.Layout.State[(*keep)[0]] + 1) % p.Layout.S
			*keep = append(*keep, p.Layout.Off[other])
			return true
		})
		try("a split of what was split off", "which is not left of one state", func(c *proof.Claim, _ *model.Problem) bool {
			if !tree(c) || c.Choices.Nodes[1].Leaf() {
				return false
			}
			c.Choices.Nodes[1].Keep = append([]int(nil), c.Choices.Nodes[0].Keep...)
			c.Choices.Nodes[0].Keep, c.Choices.Nodes[1].Keep = []int{c.Choices.Nodes[0].Keep[0]}, []int{c.Choices.Nodes[0].Keep[0] + 1}
			return c.Choices.Nodes[1].Keep[0] < p.Layout.Pairs() && p.Layout.State[c.Choices.Nodes[1].Keep[0]] == p.Layout.State[c.Choices.Nodes[0].Keep[0]]
		})
		try("a tree about policies that mix", "mix them", func(c *proof.Claim, _ *model.Problem) bool {
			c.Choices.Deterministic = false
			return tree(c)
		})
		try("a tree for a problem whose policies may mix", "the problem allows others", func(c *proof.Claim, p *model.Problem) bool {
			p.Deterministic = false
			return tree(c)
		})
		try("shares of a mean", "not open", func(c *proof.Claim, p *model.Problem) bool {
			if len(p.Uncertainty.Kernels) < 2 || p.Objective.Over != 1 {
				return false
			}
			n := leaf(c)
			if n.Shares == nil {
				n.Shares = [][]float64{nil}
			}
			n.Shares[0] = append([]float64(nil), p.Uncertainty.Weights...)
			return true
		})
		try("more than a weight allows", "its weight allows", func(c *proof.Claim, p *model.Problem) bool {
			n, w := leaf(c), p.Uncertainty.Weights
			if over := p.Objective.Over; over <= 0 || over == 1 || len(w) < 2 {
				return false
			}
			for k := range w {
				if w[k] < 0.9*p.Objective.Over {
					clear(n.Shares[0])
					n.Shares[0][k] = 1
					return true
				}
			}
			return false
		})
		try("shares that sum to more", "sum to", func(c *proof.Claim, p *model.Problem) bool {
			n := leaf(c)
			if p.Objective.Over != 0 || len(p.Uncertainty.Kernels) < 2 {
				return false
			}
			n.Shares[0] = append([]float64(nil), n.Shares[0]...)
			for k := range n.Shares[0] {
				n.Shares[0][k] = 1
			}
			return true
		})
		for _, bad := range []float64{-1e-3, math.NaN(), math.Inf(1)} {
			try(fmt.Sprint("a price of ", bad), "price", func(c *proof.Claim, _ *model.Problem) bool {
				n := leaf(c)
				if len(n.Prices) == 0 {
					return false
				}
				n.Prices[0] = bad
				return true
			})
		}
		try("values of fewer models", "values of", func(c *proof.Claim, p *model.Problem) bool {
			n := leaf(c)
			n.V = n.V[:len(n.V)-1]
			return true
		})
		try("a leaf about the limits that are met", "weighted violation", func(c *proof.Claim, p *model.Problem) bool {
			leaf(c).Limits = true
			c.Target = math.Inf(1)
			return len(c.Choices.Nodes) == 1 && len(p.Constraints) > 0
		})
	}
	if len(seen) < 17 {
		t.Errorf("only %d of the forgeries were tried: %v", len(seen), seen)
	}
}

// What leaves the answer as it is, and what can only lower it.
func TestAveragesUnderChange(t *testing.T) {
	near := func(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-7*(1+math.Abs(a)) }
	value := func(name string, p *model.Problem) float64 {
		last := planned(t, name, p)
		if last.Status == solve.ProvedInfeasible {
			return math.Inf(1)
		}
		return last.Best.Objective
	}
	for seed := range uint64(40) {
		p := averages(seed, true)
		name := fmt.Sprint("seed ", seed)
		was := value(name, p)

		mixing := reread(p)
		mixing.Deterministic = false
		last := planned(t, name+", policies that may mix", mixing)
		if last.Best.Feasible && last.Best.Objective > was+1e-7*(1+math.Abs(was)) && last.Status == solve.ProvedOptimal || last.LowerBound > was+1e-9*(1+math.Abs(was)) {
			t.Errorf("%s: %v with bound %v where policies may mix, %v where they may not", name, last.Best.Objective, last.LowerBound, was)
		}
		if strings.Contains(last.Note, "under kernel") && mixing.Standard().Averaged() {
			t.Errorf("%s: one model is said to bound an average: %s", name, last.Note)
		}
		if r := certify.Check(p, proof.Claim{Target: math.Inf(1)}, p.Standard().Uniform()); r.OK || !strings.Contains(strings.Join(r.Reasons, " "), "one action in each state") {
			t.Errorf("%s: the checker takes a policy that mixes: %v", name, r.Reasons)
		}

		split := reread(p)
		u := &split.Uncertainty
		twin := *u.Kernels[0]
		twin.Name = "twin"
		u.Kernels = append(u.Kernels, &twin)
		u.Weights = append(u.Weights, u.Weights[0]/2)
		u.Weights[0] /= 2
		if x := value(name+", a model twice", reread(split)); !near(x, was) {
			t.Errorf("%s: %v with a model in two halves, %v before", name, x, was)
		}

		for share, other := range map[float64]float64{1: 0.9999999999, 1e-9: 0} {
			one, two := reread(p), reread(p)
			for k, q := range map[float64]*model.Problem{share: one, other: two} {
				if other == 0 { // a weight of 0 counts for the worst model, and for no share
					q.Uncertainty.Kernels, q.Uncertainty.Weights = weighing(q)
				}
				q.Objective.Over = k
				for n := range q.Constraints {
					q.Constraints[n].Over = k
				}
			}
			if a, b := value(name, reread(one)), value(name, reread(two)); !near(a, b) {
				t.Errorf("%s: %v over %v of the models, %v over %v", name, a, share, b, other)
			}
		}
	}
}

// weighing are the models of weight above 0.
func weighing(p *model.Problem) (kernels []*model.Kernel, weights []float64) {
	for k, w := range p.Uncertainty.Weights {
		if w > 0 {
			kernels, weights = append(kernels, p.Uncertainty.Kernels[k]), append(weights, w)
		}
	}
	return kernels, weights
}

// stopping is the same problem as one that ends with probability 1-γ in each step, at discount 1, with so many
// ends, of which one is come to.
func stopping(p *model.Problem, ends int) *model.Problem {
	q := *p
	s, a := len(p.States), len(p.Actions)
	all := s + ends
	q.States, q.Initial = slices.Clone(p.States), append(slices.Clone(p.Initial), make([]float64, ends)...)
	avail := make([]bool, all*a)
	for i := range p.Layout.Pairs() {
		avail[p.Layout.State[i]*a+p.Layout.Act[i]] = true
	}
	q.Discount, q.End = 1, make([]bool, all)
	for end := s; end < all; end++ {
		q.States, q.End[end], avail[end*a] = append(q.States, fmt.Sprint("stop ", end)), true, true
	}
	q.Layout = model.NewLayout(all, a, avail)
	cost := func(c model.Cost) model.Cost {
		c.Values = append(slices.Clone(c.Values), make([]float64, ends*a)...)
		return c
	}
	q.Objective = cost(p.Objective)
	q.Constraints = append([]model.Constraint(nil), p.Constraints...)
	for n := range q.Constraints {
		q.Constraints[n].Cost = cost(q.Constraints[n].Cost)
	}
	q.Uncertainty.Kernels = nil
	for _, k := range p.Uncertainty.Kernels {
		rows := make([]float64, q.Layout.Pairs()*all)
		for i, from := range q.Layout.State {
			if q.End[from] {
				rows[i*all+from] = 1
				continue
			}
			next, prob := k.Row(i)
			for j, t := range next {
				rows[i*all+t] = p.Discount * prob[j]
			}
			rows[i*all+s] = 1 - p.Discount
		}
		ker := model.NewKernel(all, rows)
		ker.Name = k.Name
		q.Uncertainty.Kernels = append(q.Uncertainty.Kernels, ker)
	}
	return reread(&q)
}

// At discount 1 the same is found and proved, by a checker that rounds where there are many states.
func TestPlansOfEpisodes(t *testing.T) {
	for seed := range uint64(54) {
		p, ends, near := averages(seed, true), 1, 1e-6
		if seed%10 == 3 {
			ends, near = 64, 2e-3
		}
		want, name := best(p), fmt.Sprint("seed ", seed)
		q := stopping(p, ends)
		last := planned(t, name, q)
		switch {
		case math.IsInf(want, 1):
			if last.Status != solve.ProvedInfeasible {
				t.Errorf("%s: %v, but no policy meets the limits: %s", name, last.Status, last.Note)
			}
		case !(math.Abs(last.Best.Objective-want) <= 1e-8*(1+math.Abs(want))) || last.LowerBound < want-near*(1+math.Abs(want)):
			t.Errorf("%s: %v with %v (bound %v); the best is %v: %s", name, last.Status, last.Best.Objective, last.LowerBound, want, last.Note)
		}
		more := *last.Certificate
		if more.Target += near * (1 + math.Abs(want)); more.Choices != nil && !math.IsInf(want, 1) && certify.Check(q, more, nil).OK {
			t.Errorf("%s: more than its tree proves is accepted", name)
		}
		more.Choices, more.Target = &proof.Choices{Nodes: []proof.Choice{{Endless: 1}}}, math.Inf(1)
		if certify.Check(q, more, nil).OK {
			t.Errorf("%s: it is accepted that no policy ends", name)
		}
	}
	for doc, want := range map[string]float64{
		// A sure way of 2 steps, or one that is quick and falls with 1/2, which a limit allows for 1/10: 5/3 by tossing coins.
		`"objective":{"name":"steps","values":[[1,2],[0,null],[0,null]]},"constraints":[{"name":"crash","values":[[0,0],[0,null],[1,null]],"atMost":0.1}],
		"uncertainty":{"kind":"finite","kernels":[{"transitions":[[[0,0.5,0.5],[0,1,0]],[[0,1,0],null],[[0,0,1],null]]}]}`: 2,
		// Waiting for nothing is no plan that counts.
		`"objective":{"name":"steps","values":[[0,1],[0,null],[0,null]]},
		"uncertainty":{"kind":"finite","kernels":[{"transitions":[[[1,0,0],[0,1,0]],[[0,1,0],null],[[0,0,1],null]]}]}`: 1,
	} {
		p := fixture.Decode(t, `{"format":"rcmdp/1","states":["start","goal","crash"],"actions":["a","b"],"discount":1,"end":["goal","crash"],"initial":[1,0,0],"policies":"deterministic",`+doc+`}`)
		last := planned(t, doc, p)
		if last.Status != solve.ProvedOptimal || math.Abs(last.Best.Objective-want) > 1e-9 {
			t.Errorf("%v with %v, bound %v: %s", last.Status, last.Best.Objective, last.LowerBound, last.Note)
		}
		for name, node := range map[string]proof.Choice{"which end": {Endless: 1}, "under a model that is not there": {Endless: 2}} {
			forged := proof.Claim{Problem: p.Hash(), Target: math.Inf(1), Choices: &proof.Choices{Nodes: []proof.Choice{node}}}
			if r := certify.Check(p, forged, nil); r.OK {
				t.Errorf("it is accepted that no policy ends, %s", name)
			}
		}
	}
}

// onePlan is a problem of one plan, whose objective is 0 and which misses a limit on a tail over its models.
const onePlan = `{"format":"rcmdp/1","states":["s","t"],"actions":["a"],"discount":1,"end":["t"],"initial":[1,0],
	"objective":{"name":"c0","values":[[0],[0]]},
	"constraints":[{"name":"c1","values":[[0.5],[2]],"atMost":3},{"name":"c2","values":[[10],[0]],"over":{"cvar":0.5},"atMost":8}],
	"uncertainty":{"kind":"finite","kernels":[{"transitions":[[[0,1]],[null]],"weight":0.25},{"transitions":[[[0.9,0.1]],[null]],"weight":0.75}]}}`

// Where there is nothing to choose nothing is split, by boxes that ask for the limits too: prices of limits are held by
// the limits' sizes, not by an objective that may be the same for all plans.
func TestOnePlanIsNotSplit(t *testing.T) {
	for _, text := range []string{onePlan, strings.NewReplacer(`"discount":1,"end":["t"]`, `"discount":0.9`, `[null]`, `[[0,1]]`).Replace(onePlan)} {
		p := fixture.Decode(t, text)
		x := bound.NewMixtureSearch(p.Standard(), nil)
		x.Limits()
		x.Begin()
		for done := x.Open() == 0; !done && x.Nodes < 10; done = x.Step() {
		}
		if x.Nodes != 1 || !(x.Bound() > 0.1) {
			t.Errorf("%d boxes with bound %v", x.Nodes, x.Bound())
		}
		if last := planned(t, "one plan", p); last.Status != solve.ProvedInfeasible || last.Nodes > 10 || strings.Contains(last.Note, "proves nothing") {
			t.Errorf("%v after %d boxes: %s", last.Status, last.Nodes, last.Note)
		}
	}
	// One that meets the limits, of which a bound stays open by rounding.
	p := fixture.Decode(t, strings.NewReplacer(`"atMost":8`, `"atMost":800`, `[[0],[0]]`, `[[0.1],[0.3]]`).Replace(onePlan))
	x := bound.NewMixtureSearch(p.Standard(), nil)
	x.Begin()
	for done := x.Open() == 0; !done && x.Nodes < 10; done = x.Step() {
	}
	if x.Nodes != 1 {
		t.Errorf("%d boxes of one plan", x.Nodes)
	}
}
