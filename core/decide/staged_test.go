package decide_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"rcmdplab/core/certify"
	"rcmdplab/core/decide"
	"rcmdplab/core/evaluate"
	"rcmdplab/core/solve"
)

// staged is a model with a horizon as plain arrays: what is worked out from it here shares nothing with the solver,
// not even how a horizon is unrolled.
type staged struct {
	s, a, h  int
	gamma    float64
	kind     string
	mu       []float64
	p        [][][][]float64 // [kernel][s][a][s'], nil where the action is missing
	c        [2][][][]float64
	final    [2][]float64
	end      []bool
	limit    float64 // of cost 1; NaN: none
	radius   float64 // or temperature
	one      bool    // one action a state
	maximise bool
}

// stagedModel is a small one.
func stagedModel(seed uint64) staged {
	r := rand.New(rand.NewPCG(seed, 24))
	x := staged{s: 1 + r.IntN(3), a: 1 + r.IntN(2), h: 1 + r.IntN(3), gamma: []float64{1, 1, .9, .3}[r.IntN(4)], limit: math.NaN(), radius: []float64{0, .1, .5}[r.IntN(3)]}
	x.kind = []string{"finite", "finite", "contamination", "tv", "kl-regularized"}[r.IntN(5)]
	x.one = r.IntN(2) == 0
	x.maximise = r.IntN(3) == 0
	x.end = make([]bool, x.s)
	for s := range x.s {
		x.mu = append(x.mu, 1/float64(x.s))
		x.end[s] = r.IntN(5) == 0
	}
	missing := make([]bool, x.s*x.a)
	for s := range x.s {
		if x.a > 1 && r.IntN(4) == 0 {
			missing[s*x.a+r.IntN(x.a)] = true
		}
	}
	kernels := 1
	if x.kind == "finite" {
		kernels = 1 + r.IntN(2)
	}
	for range kernels {
		k := make([][][]float64, x.s)
		for s := range k {
			k[s] = make([][]float64, x.a)
			for a := range k[s] {
				if missing[s*x.a+a] || x.end[s] {
					continue
				}
				row, left := make([]float64, x.s), 4
				for left > 0 {
					n := 1 + r.IntN(left)
					row[r.IntN(x.s)] += float64(n) / 4
					left -= n
				}
				k[s][a] = row
			}
		}
		x.p = append(x.p, k)
	}
	byStep := r.IntN(2) == 0
	for n := range x.c {
		for t := range x.h {
			table := make([][]float64, x.s)
			for s := range table {
				table[s] = make([]float64, x.a)
				at := float64(r.IntN(9) - 3)
				for a := range table[s] {
					if table[s][a] = at; !x.end[s] {
						table[s][a] = float64(r.IntN(9) - 3)
					}
				}
			}
			if !byStep && t > 0 {
				table = x.c[n][0]
			}
			x.c[n] = append(x.c[n], table)
		}
		if r.IntN(2) == 0 {
			x.final[n] = make([]float64, x.s)
			for s := range x.final[n] {
				if !x.end[s] {
					x.final[n][s] = float64(r.IntN(7) - 3)
				}
			}
		}
	}
	if x.kind == "finite" && x.one && r.IntN(2) == 0 {
		x.limit = float64(r.IntN(6))
	}
	return x
}

// document is the model as a person would write it.
func (x *staged) document() string {
	names := func(n int, of string) (list []string) {
		for i := range n {
			list = append(list, fmt.Sprint(of, i))
		}
		return list
	}
	values := func(n int) any {
		for t := range x.c[n] {
			switch {
			case &x.c[n][t][0] == &x.c[n][0][0]:
			case x.s == x.h && x.s == x.a: // the shape alone does not tell these from costs of the next state
				return x.onward(n)
			default:
				return x.c[n]
			}
		}
		return x.c[n][0]
	}
	cost := func(n int, name string) map[string]any {
		c := map[string]any{"name": name, "values": values(n)}
		if x.final[n] != nil {
			c["final"] = x.final[n]
		}
		return c
	}
	doc := map[string]any{"format": "rcmdp/1", "states": names(x.s, "s"), "actions": names(x.a, "a"), "discount": x.gamma, "horizon": x.h, "initial": x.mu}
	var ends []string
	for s, is := range x.end {
		if is {
			ends = append(ends, fmt.Sprint("s", s))
		}
	}
	if ends != nil {
		doc["end"] = ends
	}
	if x.one {
		doc["policies"] = "deterministic"
	}
	objective := cost(0, "cost")
	if x.maximise {
		objective["sense"] = "maximize"
	}
	doc["objective"] = objective
	if !math.IsNaN(x.limit) {
		c := cost(1, "limit")
		c["atMost"] = x.limit
		doc["constraints"] = []any{c}
	}
	set := map[string]any{"kind": x.kind}
	switch x.kind {
	case "finite":
		var list []any
		for _, k := range x.p {
			list = append(list, map[string]any{"transitions": k})
		}
		set["kernels"] = list
	case "kl-regularized":
		set["nominal"], set["temperature"] = x.p[0], x.radius+.5
	default:
		set["nominal"], set["radius"] = x.p[0], x.radius
	}
	doc["uncertainty"] = set
	text, err := json.Marshal(doc)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// onward is a cost by decision as one that depends on the next state, and does not.
func (x *staged) onward(n int) (tables [][][][]float64) {
	for _, table := range x.c[n] {
		var rows [][][]float64
		for s := range table {
			var row [][]float64
			for _, c := range table[s] {
				next := make([]float64, x.s)
				for to := range next {
					next[to] = c
				}
				row = append(row, next)
			}
			rows = append(rows, row)
		}
		tables = append(tables, rows)
	}
	return tables
}

// sign is -1 where the objective is maximised: all here is minimised.
func (x *staged) sign(n int) float64 {
	if n == 0 && x.maximise {
		return -1
	}
	return 1
}

// after is what is paid at time t in a state where nothing is decided any more.
func (x *staged) after(n, t, s int) float64 {
	switch {
	case x.end[s]:
		return x.sign(n) * x.c[n][min(t, x.h-1)][s][0]
	case x.final[n] != nil:
		return x.sign(n) * x.final[n][s]
	}
	return 0
}

// nature is the worst case of z over the set around row q.
func (x *staged) nature(q, z []float64) float64 {
	mean, top, bottom := 0.0, math.Inf(-1), math.Inf(1)
	for s, p := range q {
		if mean += p * z[s]; p > 0 {
			top, bottom = max(top, z[s]), min(bottom, z[s])
		}
	}
	switch x.kind {
	case "contamination":
		return (1-x.radius)*mean + x.radius*top
	case "kl-regularized":
		sum, tau := 0.0, x.radius+.5
		for s, p := range q {
			sum += p * math.Exp((z[s]-top)/tau)
		}
		return top + tau*math.Log(sum)
	case "tv": // mass that moves leaves the least values first
		p, left := append([]float64(nil), q...), x.radius
		for left > 0 {
			least := -1
			for s := range p {
				if p[s] > 0 && z[s] < top && (least < 0 || z[s] < z[least]) {
					least = s
				}
			}
			if least < 0 {
				break
			}
			by := min(left, p[least])
			mean += by * (top - z[least])
			p[least] -= by
			left -= by
		}
	}
	return mean
}

// worth is the best value by backward induction, against a rectangular set.
func (x *staged) worth() float64 {
	v := make([]float64, x.s)
	for s := range v {
		v[s] = x.after(0, x.h, s)
	}
	for t := x.h - 1; t >= 0; t-- {
		u, z := make([]float64, x.s), make([]float64, x.s)
		for s := range z {
			z[s] = x.gamma * v[s]
		}
		for s := range u {
			if u[s] = math.Inf(1); x.end[s] {
				u[s] = x.after(0, t, s)
				continue
			}
			for a, q := range x.p[0][s] {
				if q != nil {
					u[s] = min(u[s], x.sign(0)*x.c[0][t][s][a]+x.priced(q, z))
				}
			}
		}
		v = u
	}
	return dot(x.mu, v)
}

// priced is nature's worst case with the price of KL discounted, as the format has it.
func (x *staged) priced(q, z []float64) float64 {
	if x.kind != "kl-regularized" {
		return x.nature(q, z)
	}
	if x.gamma == 0 {
		return 0
	}
	y := make([]float64, len(z))
	for s := range z {
		y[s] = z[s] / x.gamma
	}
	return x.gamma * x.nature(q, y)
}

func dot(p, v []float64) (sum float64) {
	for i := range p {
		sum += p[i] * v[i]
	}
	return sum
}

// returns is the worst return over a finite set of a policy by time, [t][s][a], forwards.
func (x *staged) returns(n int, pi [][][]float64) float64 {
	worst := math.Inf(-1)
	for _, k := range x.p {
		d, j, weight := append([]float64(nil), x.mu...), 0.0, 1.0
		for t := range x.h + 1 {
			next := make([]float64, x.s)
			for s, p := range d {
				if x.end[s] || t == x.h {
					j += weight * p * x.after(n, t, s)
					continue
				}
				for a, q := range k[s] {
					if q == nil {
						continue
					}
					j += weight * p * pi[t][s][a] * x.sign(n) * x.c[n][t][s][a]
					for to, y := range q {
						next[to] += p * pi[t][s][a] * y
					}
				}
			}
			d, weight = next, weight*x.gamma
		}
		worst = max(worst, j)
	}
	return worst
}

// plans visits every plan of one action a state and time.
func (x *staged) plans(visit func(pi [][][]float64)) {
	pi := make([][][]float64, x.h)
	for t := range pi {
		pi[t] = make([][]float64, x.s)
		for s := range pi[t] {
			pi[t][s] = make([]float64, x.a)
		}
	}
	var at func(k int)
	at = func(k int) {
		if k == x.h*x.s {
			visit(pi)
			return
		}
		t, s := k/x.s, k%x.s
		if x.end[s] {
			at(k + 1)
			return
		}
		for a, q := range x.p[0][s] {
			if q != nil {
				pi[t][s][a] = 1
				at(k + 1)
				pi[t][s][a] = 0
			}
		}
	}
	at(0)
}

// Values of small models with a horizon by backward induction and by listing plans: found, proved and judged again.
func TestHorizons(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(250) {
		x := stagedModel(seed)
		p := problem(t, x.document())
		best := math.Inf(1)
		switch {
		case x.kind != "finite":
			best = x.worth()
		case !x.one && len(x.p) > 1: // what mixes may be better: only what is found is compared
			best = math.NaN()
		default:
			x.plans(func(pi [][][]float64) {
				if !math.IsNaN(x.limit) && x.returns(1, pi) > x.limit+1e-9 {
					return
				}
				best = min(best, x.returns(0, pi))
			})
		}
		last, r := episode(t, p)
		name := fmt.Sprintf("seed %d (%s, H %d, γ %v)", seed, x.kind, x.h, x.gamma)
		switch {
		case math.IsInf(best, 1):
			seen["none"]++
			if last.Status != solve.ProvedInfeasible {
				t.Errorf("%s: %v, and no plan meets the limit", name, last.Status)
			}
		case !r.OK || last.Status != solve.ProvedOptimal && last.Status != solve.Bounded:
			t.Errorf("%s: %v: %q", name, last.Status, r.Reasons)
		case math.IsNaN(best):
			seen["mixed"]++
		case !(math.Abs(last.Best.Objective-best) <= 1e-8*(1+math.Abs(best))) || last.LowerBound < best-1e-6*(1+math.Abs(best)):
			t.Errorf("%s: %v with bound %v; right is %v\n%s", name, last.Best.Objective, last.LowerBound, best, x.document())
		default:
			seen[x.kind]++
		}
		if pi := last.Best.Policy; x.kind == "finite" && pi != nil && last.Best.Feasible {
			if j := x.returns(0, p.Standard().Tables(pi)); !(math.Abs(j-last.Best.Objective) <= 1e-9*(1+math.Abs(j))) {
				t.Errorf("%s: the policy is worth %v, and %v is said", name, j, last.Best.Objective)
			}
		}
	}
	for _, kind := range []string{"none", "mixed", "finite", "contamination", "tv", "kl-regularized"} {
		if seen[kind] < 3 {
			t.Errorf("only %d of %q", seen[kind], kind)
		}
	}
}

// Every method that takes a model with a horizon claims nothing of it that is not so.
func TestEveryMethodOverAHorizon(t *testing.T) {
	ran := 0
	for seed := range uint64(14) {
		x := stagedModel(seed)
		if x.kind == "finite" && !x.one && len(x.p) > 1 || !math.IsNaN(x.limit) {
			continue
		}
		best := math.Inf(1)
		if x.kind != "finite" {
			best = x.worth()
		} else {
			x.plans(func(pi [][][]float64) { best = min(best, x.returns(0, pi)) })
		}
		m := problem(t, x.document()).Standard()
		for _, a := range decide.Algorithms() {
			if a.Unfit != nil && a.Unfit(m) != "" || a.ID == decide.Method.ID {
				continue
			}
			ev, err := evaluate.New(m)
			if err != nil {
				t.Fatal(err)
			}
			var last solve.Progress
			few := a.Defaults()
			few.OuterIterations, few.InnerIterations, few.Starts = 3, 20, 2
			for last = range a.Run(ev, few) {
			}
			ran++
			if last.Best.Feasible && last.Best.Objective < best-1e-7*(1+math.Abs(best)) || !math.IsNaN(last.LowerBound) && last.LowerBound > best+1e-7*(1+math.Abs(best)) {
				t.Errorf("seed %d: %s: %v with bound %v; right is %v", seed, a.ID, last.Best.Objective, last.LowerBound, best)
			}
		}
	}
	if ran < 40 {
		t.Errorf("%d runs", ran)
	}
}

// Published values: Puterman's inventory (2005, section 4.6.1), and the forest of pymdptoolbox's documentation.
func TestPublishedHorizons(t *testing.T) {
	for _, tc := range []struct {
		name, from string
		want       float64
	}{
		{"horizon-forest", "[1,0,0]", 2.6973}, {"horizon-forest", "[0,1,0]", 5.9373}, {"horizon-forest", "[0,0,1]", 9.9373},
		{"horizon-puterman-inventory", "[1,0,0,0]", 67.0 / 16}, {"horizon-puterman-inventory", "[0,1,0,0]", 129.0 / 16},
		{"horizon-puterman-inventory", "[0,0,1,0]", 194.0 / 16}, {"horizon-puterman-inventory", "[0,0,0,1]", 227.0 / 16},
	} {
		p := modelCase(t, tc.name, `"initial":[1,0,0]`, `"initial":`+tc.from, `"initial":[0.25,0.25,0.25,0.25]`, `"initial":`+tc.from)
		last, r := episode(t, p)
		if m := p.Standard(); last.Status != solve.ProvedOptimal || !r.OK || !(math.Abs(m.Present(0, last.Best.Objective)-tc.want) <= 1e-12*tc.want) {
			t.Errorf("%s from %s: %v, %v; published is %v", tc.name, tc.from, last.Status, m.Present(0, last.Best.Objective), tc.want)
		}
	}
}

// A horizon longer than the longest way is the episode; one decision is the cheapest of them; limits are of the whole life.
func TestHorizonsAndEpisodes(t *testing.T) {
	const doc = `{"format":"rcmdp/1","states":["a","b","goal"],"actions":["x","y"],"discount":1,HORIZON"end":["goal"],"initial":[1,0,0],
		"objective":{"name":"cost","values":[[2,5],[1,4],[7,7]]},"constraints":[{"name":"risk","values":[[1,0],[1,0],[0,0]],"atMost":1.5}],
		"uncertainty":{"kind":"l1","radius":0.2,"nominal":[[[0,0.5,0.5],[0,0,1]],[[0,0,1],[0,0,1]],[null,null]]}}`
	at := func(horizon string) (solve.Progress, certify.Report) {
		return episode(t, problem(t, strings.Replace(doc, "HORIZON", horizon, 1)))
	}
	whole, _ := at("")
	for _, h := range []string{`"horizon":2,`, `"horizon":3,`, `"horizon":11,`} {
		if last, r := at(h); !r.OK || !(math.Abs(last.Best.Objective-whole.Best.Objective) <= 1e-6*whole.Best.Objective) {
			t.Errorf("%s %v; the episode has %v", h, last.Best.Objective, whole.Best.Objective)
		}
	}
	// After one decision the goal is reached with .6 at the least by x, at which it pays 7.
	if last, r := at(`"horizon":1,`); !r.OK || !(math.Abs(last.Best.Objective-(2+.6*7)) <= 1e-9) {
		t.Errorf("one decision: %v; want %v", last.Best.Objective, 2+.6*7)
	}
}
