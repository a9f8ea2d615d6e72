package decide_test

import (
	"encoding/json"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"rcmdplab/core/certify"
	"rcmdplab/core/decide"
	"rcmdplab/core/evaluate"
	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
	"rcmdplab/core/solve"
)

// modelCase reads a document of testdata/cases/models.
func modelCase(t testing.TB, name string, change ...string) *model.Problem {
	t.Helper()
	text, err := os.ReadFile("../testdata/cases/models/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var held struct {
		Document json.RawMessage `json:"document"`
	}
	if err := json.Unmarshal(text, &held); err != nil {
		t.Fatal(err)
	}
	if change == nil {
		return problem(t, string(held.Document))
	}
	var short strings.Builder
	if err := compact(&short, held.Document); err != nil {
		t.Fatal(err)
	}
	return problem(t, strings.NewReplacer(change...).Replace(short.String()))
}

func compact(w *strings.Builder, doc json.RawMessage) error {
	var v any
	if err := json.Unmarshal(doc, &v); err != nil {
		return err
	}
	b, err := json.Marshal(v)
	w.Write(b)
	return err
}

func problem(t testing.TB, doc string) *model.Problem {
	t.Helper()
	p, faults, _ := model.Decode([]byte(doc))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	return p
}

// episode is the last record of the default method, whose claims the checker accepts again.
func episode(t testing.TB, p *model.Problem) (solve.Progress, certify.Report) {
	t.Helper()
	m := p.Standard()
	ev, err := evaluate.New(m)
	if err != nil {
		t.Fatal(err)
	}
	var last solve.Progress
	for last = range decide.Method.Run(ev, decide.Method.Defaults()) {
	}
	r := certify.NewChecker(p).Check(last.Certificate, last.Best.Policy, func() bool { return true })
	return last, r
}

// The right values are those of the cases' own fractions.
var totals = []struct {
	name  string
	value float64 // in the internal convention
	steps float64 // until the end, 0 when it is not told
}{
	{"total-die", 11. / 3, 11. / 3},
	{"total-risk", 5. / 3, 5. / 3},
	{"total-russell-norvig", -0.7053082191780822, 0},
	{"total-wait", 1, 1},
	{"finite-swap", 2, 2},
	{"two-kernels-each-ends", 2, 2},
	{"free-corridor", 0.1, 0},
	{"trap-reward", 5, 1},
	{"unattained-worst", 10, 0},
}

// Every case comes to its value at discount 1, with a certificate that the checker accepts there
// beside the policy: one more forged is refused.
func TestTotals(t *testing.T) {
	for _, c := range totals {
		p := modelCase(t, c.name)
		last, r := episode(t, p)
		j, low := last.Best.Objective, last.LowerBound
		if !r.OK || last.Status != solve.ProvedOptimal || j < c.value-1e-9 || j > c.value*(1+1e-6) && c.value > 0 || j > c.value+1e-6 || low > c.value+1e-12*math.Abs(c.value) {
			t.Errorf("%s: %v of [%v, ], want %v: %v %q %q", c.name, j, low, c.value, last.Status, last.Note, r.Reasons)
			continue
		}
		ev, _ := evaluate.New(p.Standard())
		if time := ev.Episodes.Time(last.Best.Policy); c.steps > 0 && !(math.Abs(time-c.steps) <= 1e-6) {
			t.Errorf("%s: %v steps, want %v", c.name, time, c.steps)
		}
		forge(t, p, last.Certificate, c.value)
	}
}

// forge changes the values of a proof where nothing but the ends, or the residuals, say how high they may be.
func forge(t *testing.T, p *model.Problem, c *proof.Claim, value float64) {
	t.Helper()
	refused := func(what string, change func(v *proof.Values, target *float64)) {
		f, v := *c, *c.Values
		v.V = append([]float64(nil), v.V...)
		f.Values = &v
		if change(&v, &f.Target); certify.Check(p, f, nil).OK {
			t.Errorf("a proof with %s is accepted: %v above %v", what, f.Target, value)
		}
	}
	for _, by := range []float64{1e-9, 1, 1e9} {
		refused("all values raised", func(v *proof.Values, target *float64) {
			for s := range v.V {
				v.V[s] += by
			}
			*target += by * .5
		})
		refused("the ends alone raised", func(v *proof.Values, _ *float64) {
			for s := range v.V {
				if p.Ends(s) {
					v.V[s] += by
				}
			}
		})
		refused("all but the ends raised", func(v *proof.Values, target *float64) {
			for s := range v.V {
				if !p.Ends(s) {
					v.V[s] += by
				}
			}
			*target += by * .5
		})
		refused("a target above its values", func(_ *proof.Values, target *float64) { *target += by })
	}
}

// A policy that may go on for ever is refused, with the state and the action, however little it costs.
func TestEndlessPoliciesDoNotCount(t *testing.T) {
	for name, take := range map[string][]int{"total-wait": {0}, "free-corridor": {0, 1}, "unattained-worst": {0, 0, 0}, "trap-reward": {0}} {
		p := modelCase(t, name)
		m := p.Standard()
		ev, err := evaluate.New(m)
		if err != nil {
			t.Fatal(err)
		}
		pi := m.Uniform()
		for s, a := range take {
			for i := m.Off[s]; i < m.Off[s+1]; i++ {
				if pi[i] = 0; m.Act[i] == a {
					pi[i] = 1
				}
			}
		}
		r := certify.Check(p, proof.Claim{Target: math.Inf(1)}, pi)
		if r.OK || r.Evaluation != nil || !strings.Contains(strings.Join(r.Reasons, " "), "for ever from state") {
			t.Errorf("%s: %q", name, r.Reasons)
		}
		if !ev.Endless(pi) || !math.IsInf(ev.Episodes.Time(pi), 1) {
			t.Errorf("%s: the evaluator says that it ends", name)
		}
		alg, _ := decide.Find("evaluate")
		s := alg.Defaults()
		s.InitialPolicy = pi
		var last solve.Progress
		for last = range alg.Run(ev, s) {
		}
		if last.Best.Feasible || !strings.Contains(last.Note, "may go on for ever, in state") {
			t.Errorf("%s: %v %q", name, last.Status, last.Note)
		}
	}
}

// A policy is evaluated that is given, and none otherwise: not the one that a search begins with.
func TestEvaluatingNeedsAPolicy(t *testing.T) {
	alg, _ := decide.Find("evaluate")
	for _, name := range []string{"total-die", "horizon-forest", "models-mean-deterministic", "finite-swap"} {
		ev, err := evaluate.New(modelCase(t, name).Standard())
		if err != nil {
			t.Fatal(err)
		}
		for last := range alg.Run(ev, alg.Defaults()) {
			if last.Best.Policy != nil || !strings.Contains(last.Note, "needs a policy") {
				t.Errorf("%s: %v %v %q", name, last.Status, last.Best.Policy, last.Note)
			}
		}
	}
}

// Where no policy surely ends the model is refused before a run, with the trap; what a finite set's rows
// could do together, and its kernels cannot, is no reason.
func TestTraps(t *testing.T) {
	trap := `"right","trap",0.1],["door","right","goal",0.9]`
	p := modelCase(t, "free-corridor", `"end":["trap","goal"]`, `"end":["goal"]`)
	_, err := evaluate.New(p.Standard())
	if err == nil || err.Error() != `no policy surely reaches an end from state "a": whatever it does, it may come to state "trap", and from there it may go on for ever. At discount 1 an episode has to end: list that state under "end" too, lead it to one, or take a discount below 1` {
		t.Errorf("%v (%s)", err, trap)
	}
	for _, name := range []string{"finite-swap", "two-kernels-each-ends"} {
		if _, err := evaluate.New(modelCase(t, name).Standard()); err != nil {
			t.Error(err)
		}
	}
	// An l1 ball that takes half of the row off the goal may bar the way, one that takes a little may not.
	for radius, ends := range map[string]bool{"0.1": true, "0.99": true, "1": false, "1.6": false} {
		p := problem(t, `{"format": "rcmdp/1", "states": ["s", "goal"], "actions": ["go"], "discount": 1, "end": ["goal"], "initial": [1, 0],
			"objective": {"name": "steps", "values": [[1], [0]]}, "uncertainty": {"kind": "l1", "radius": `+radius+`, "nominal": [[[0.5, 0.5]], [[0, 1]]]}}`)
		if _, err := evaluate.New(p.Standard()); (err == nil) != ends {
			t.Errorf("radius %s: %v", radius, err)
		}
		if ends {
			last, r := episode(t, p)
			x, _ := strconv.ParseFloat(radius, 64)
			if want := 1 / (.5 - x/2); !r.OK || !(math.Abs(last.Best.Objective-want) <= 1e-9*want) || last.Status != solve.ProvedOptimal {
				t.Errorf("radius %s: %v of [%v, ], want %v: %q %q", radius, last.Best.Objective, last.LowerBound, want, last.Note, r.Reasons)
			}
		}
	}
}

// A cycle that earns has no least cost, and is said with its state.
func TestWhatCollectsForEver(t *testing.T) {
	p := modelCase(t, "total-wait", `[[0,1],[0,0]]`, `[[-0.01,1],[0,0]]`)
	ev, err := evaluate.New(p.Standard())
	if err != nil || decide.Collects(ev) != "a" {
		t.Errorf("%q, %v", decide.Collects(ev), err)
	}
	for _, c := range totals {
		if ev, _ := evaluate.New(modelCase(t, c.name).Standard()); decide.Collects(ev) != "" {
			t.Errorf("%s collects in %q", c.name, decide.Collects(ev))
		}
	}
}

// A limit that says nothing of a cycle that earns leaves it unbounded, which the last record says; one on its steps, or plans
// of one action a state, make it finite, and the former has a bound.
func TestLimitsOnWhatCollects(t *testing.T) {
	doc := func(limit, also string) string {
		return `{"format": "rcmdp/1", "states": ["s", "end"], "actions": ["stay", "go"], "discount": 1, "end": ["end"], "initial": [1, 0],` + also + `
			"objective": {"name": "gain", "sense": "maximize", "values": [[2, 2], [2, 2]]}, "constraints": [{"name": "limited", "values": ` + limit + `, "atMost": 2.5}],
			"uncertainty": {"kind": "finite", "kernels": [{"transitions": [[[1, 0], [0.25, 0.75]], [[0, 1], [0, 1]]]}]}}`
	}
	const falls, steps = `[[0, 1], [0, 0]]`, `[[1, 1], [0, 0]]`
	if last, _ := episode(t, problem(t, doc(falls, ""))); !strings.Contains(last.Note, `unbounded: state "s" can collect for ever`) || last.Certificate != nil {
		t.Errorf("%v %q", last.Status, last.Note)
	}
	last, r := episode(t, problem(t, doc(steps, "")))
	if want := -7.0; !r.OK || !(math.Abs(last.Best.Objective-want) <= 1e-6) || last.LowerBound < want-1e-6 || strings.Contains(last.Note, "unbounded") {
		t.Errorf("%v of [%v, ], want %v: %v %q %q", last.Best.Objective, last.LowerBound, want, last.Status, last.Note, r.Reasons)
	}
	ev, err := evaluate.New(problem(t, strings.Replace(doc(falls, `"policies": "deterministic",`), `{"name": "limited", "values": `+falls+`, "atMost": 2.5}`, "", 1)).Standard())
	if err != nil || decide.Collects(ev) != "" {
		t.Errorf("%v %q", err, decide.Collects(ev))
	}
}

// With a discount below 1 an end pays once, on arrival, discounted.
func TestDiscountedEnds(t *testing.T) {
	for _, g := range []float64{0.5, 0.9, 0.999} {
		p := modelCase(t, "total-risk", `"discount":1`, `"discount":`+num(g))
		last, r := episode(t, p)
		// Steps (1 + (1-q) g/2 x) ...: x = 1 + g(1-q)/2 x, crash = (.3 q g)/(1 - g(1-q)/2).
		crash := func(q float64) float64 { return .3 * q * g / (1 - g*(1-q)/2) }
		lo, hi := 0.0, 1.0
		for range 100 {
			if mid := (lo + hi) / 2; crash(mid) <= .1 {
				lo = mid
			} else {
				hi = mid
			}
		}
		want := 1 / (1 - g*(1-lo)/2)
		if !r.OK || !(math.Abs(last.Best.Objective-want) <= 1e-7) || last.Best.Objective-last.LowerBound > 1e-7 {
			t.Errorf("discount %v: %v of [%v, ], want %v: %v %q", g, last.Best.Objective, last.LowerBound, want, last.Status, r.Reasons)
		}
	}
}

func num(x float64) string {
	b, _ := json.Marshal(x)
	return string(b)
}

// bridges is a square of free moves, as many states a side as said, crossed by three walls with a bridge each,
// from which one falls with probability 1/10: the goal is reached with probability .729 at most.
func bridges(side int) string {
	var names, costs, entries []string
	walls := map[int]bool{side / 4: true, side / 2: true, 3 * side / 4: true}
	at := func(r, c int) int { return r*side + c }
	solid := func(r, c int) bool { return r < 0 || c < 0 || r >= side || c >= side || walls[c] && r != side/3 }
	for r := range side {
		for c := range side {
			s := at(r, c)
			names = append(names, `"s`+strconv.Itoa(s)+`"`)
			costs = append(costs, "[0,0,0,0]")
			if s == side*side-1 {
				continue
			}
			for a, d := range [4][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
				to := at(r+d[0], c+d[1])
				if solid(r+d[0], c+d[1]) {
					to = s
				}
				row := "[" + strconv.Itoa(s) + "," + strconv.Itoa(a) + ","
				if walls[c] && a == 3 && !solid(r, c) {
					entries = append(entries, row+strconv.Itoa(to)+",0.9]", row+strconv.Itoa(side*side)+",0.1]")
				} else {
					entries = append(entries, row+strconv.Itoa(to)+",1]")
				}
			}
		}
	}
	costs[side*side-1] = "[1,1,1,1]"
	return `{"format":"rcmdp/1","states":[` + strings.Join(names, ",") + `,"fall"],"actions":["up","down","left","right"],"discount":1,"end":["s` + strconv.Itoa(side*side-1) + `","fall"],
		"initial":[1` + strings.Repeat(",0", side*side) + `],"objective":{"name":"reach","sense":"maximize","values":[` + strings.Join(costs, ",") + `,[0,0,0,0]]},
		"uncertainty":{"kind":"finite","kernels":[{"transitions":{"entries":[` + strings.Join(entries, ",") + `]}}]}}`
}

// The probability of reaching a goal by free moves is proved at discount 1, on 900 states as on 36.
func TestReachingByFreeMoves(t *testing.T) {
	for _, side := range []int{6, 12, 30} {
		p := problem(t, bridges(side))
		last, r := episode(t, p)
		if !r.OK || last.Status != solve.ProvedOptimal || !(math.Abs(last.Best.Objective+.729) <= 1e-9) || !(math.Abs(last.LowerBound+.729) <= 1e-9) {
			t.Errorf("side %d: %v of [%v, ], want -.729: %v %q %q", side, last.Best.Objective, last.LowerBound, last.Status, last.Note, r.Reasons)
		}
	}
}

// A limit of .1 on a cost of 1 that every episode pays is proved impossible, though it is cheaper, for a search that charges for
// time in proportion to the limit, to stay for ever where that is free.
func TestLimitsBelowWhatEveryEndCosts(t *testing.T) {
	for _, stay := range []string{`[1, 0, 1, 1]`, `[1, 0, 0, 0.5], [1, 0, 1, 0.5]`} {
		last, r := episode(t, fixture.Decode(t, `{"format": "rcmdp/1", "states": ["s", "t", "end"], "actions": ["a", "b"], "discount": 1, "end": ["end"], "initial": [1, 0, 0],
			"objective": {"name": "cost", "values": [[2, 1], [0, 1], [0, 0]]}, "constraints": [{"name": "paid", "values": [[0, 0], [0, 0], [1, 1]], "atMost": 0.1}],
			"uncertainty": {"kind": "finite", "kernels": [{"transitions": {"entries": [[0, 0, 0, 0.1], [0, 0, 2, 0.9], [0, 1, 1, 1], `+stay+`, [1, 1, 0, 1], [2, 0, 2, 1], [2, 1, 2, 1]]}}]}}`))
		if last.Status != solve.ProvedInfeasible || !(math.Abs(last.ViolationBound-.9) <= 1e-6) {
			t.Errorf("%s: %v by %v %q %q", stay, last.Status, last.ViolationBound, last.Note, r.Reasons)
		}
	}
}

// Of one action a state, where a state that one model holds for ever is left in another: the one policy that ends under both is
// worth (2 + 4) / 2 in the mean and 4 at the worst, and that is proved.
func TestStatesThatOneModelHolds(t *testing.T) {
	for over, want := range map[string]float64{`"mean"`: 3, `"worst"`: 4} {
		last, r := episode(t, fixture.Decode(t, `{"format": "rcmdp/1", "states": ["s", "t", "end"], "actions": ["a", "b"], "discount": 1, "end": ["end"], "initial": [1, 0, 0], "policies": "deterministic",
			"objective": {"name": "cost", "values": [[1, 1], [3, 0], [0, 0]], "over": `+over+`}, "constraints": [], "uncertainty": {"kind": "finite", "kernels": [
			{"weight": 0.5, "transitions": {"entries": [[0, 0, 0, 0.5], [0, 0, 2, 0.5], [0, 1, 1, 1], [1, 0, 1, 1], [1, 1, 1, 1], [2, 0, 2, 1], [2, 1, 2, 1]]}},
			{"weight": 0.5, "transitions": {"entries": [[0, 0, 1, 1], [0, 1, 2, 1], [1, 0, 2, 1], [1, 1, 0, 1], [2, 0, 2, 1], [2, 1, 2, 1]]}}]}}`))
		if !r.OK || last.Status != solve.ProvedOptimal || !(math.Abs(last.Best.Objective-want) <= 1e-9) || !(math.Abs(last.LowerBound-want) <= 1e-9) {
			t.Errorf("%s: %v of [%v, ], want %v: %v %q %q", over, last.Best.Objective, last.LowerBound, want, last.Status, last.Note, r.Reasons)
		}
	}
}

// A policy on trial that may never end has returns of which nothing is known, which is no reason to keep a margin for ever: a
// search beside an action that an interval set may hold for ever comes to its end.
func TestTrialsThatMayNeverEnd(t *testing.T) {
	last, r := episode(t, fixture.Decode(t, `{"format": "rcmdp/1", "states": ["s", "t", "u", "v"], "actions": ["a", "b"], "discount": 1, "end": ["u", "v"], "initial": [0.25, 0.25, 0.25, 0.25],
		"objective": {"name": "cost", "values": [[0.55, 0.31], [0.78, 0.15], [0.2, null], [0.08, null]]},
		"constraints": [{"name": "done", "values": [[1, 1], [0, 3], [5, null], [0, null]], "atLeast": 1.7},
			{"name": "met", "values": [[0.86, 0.03], [0.11, 0.04], [0.16, null], [0.82, null]], "atLeast": 0.844}],
		"uncertainty": {"kind": "interval",
			"lower": {"entries": [["s", "a", "s", 0.26], ["s", "a", "v", 0.14], ["s", "b", "s", 0.15], ["s", "b", "v", 0.2], ["t", "a", "v", 0.7], ["t", "b", "t", 0.6], ["u", "a", "u", 1], ["v", "a", "v", 1]]},
			"upper": {"entries": [["s", "a", "s", 0.86], ["s", "a", "v", 0.74], ["s", "b", "s", 0.75], ["s", "b", "t", 0.35], ["s", "b", "v", 0.8], ["t", "a", "v", 1], ["t", "b", "t", 1], ["t", "b", "v", 0.4], ["u", "a", "u", 1], ["v", "a", "v", 1]]}}}`))
	if !r.OK || !last.Best.Feasible || strings.Contains(last.Note, "crashed") {
		t.Errorf("%v of [%v, ]: %v %q %q", last.Best.Objective, last.LowerBound, last.Status, last.Note, r.Reasons)
	}
}
