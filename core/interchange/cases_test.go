package interchange_test

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/interchange"
	"rcmdplab/core/jsontext"
	"rcmdplab/core/model"
	"rcmdplab/core/solve"
)

// caseFile is a file of testdata/cases.
func caseFile(t testing.TB, name string) interchange.File {
	t.Helper()
	data, err := os.ReadFile(path.Join("../testdata/cases", name))
	if err != nil {
		t.Fatal(err)
	}
	return interchange.File{path.Base(name), data}
}

func options(t testing.TB, text string) interchange.Options {
	t.Helper()
	o := interchange.Options{}
	if text == "" {
		return o
	}
	v, err := jsontext.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	for name, x := range v.Members {
		o[name] = x
	}
	return o
}

// imported reads files that must make a problem.
func imported(t testing.TB, choices string, files ...interchange.File) *model.Problem {
	t.Helper()
	r := interchange.Read(files, options(t, choices))
	for _, f := range r.Faults {
		t.Errorf("%s", f.Error())
	}
	if r.Problem == nil {
		t.FailNow()
	}
	return r.Problem
}

// text is an unnamed file.
func text(s string) interchange.File { return interchange.File{"", []byte(s)} }

// optimum is the best worst-case objective, in the person's sign, by policy
// iteration; constraints are none.
func optimum(t testing.TB, p *model.Problem) float64 {
	t.Helper()
	m := p.Standard()
	ev, err := evaluate.New(m)
	if err != nil {
		t.Fatal(err)
	}
	id := "robust-policy-iteration"
	if p.Uncertainty.Kind == model.Finite {
		id = "policy-iteration"
	}
	a, ok := solve.Find(id)
	if !ok {
		t.Fatalf("no method %s", id)
	}
	best := math.NaN()
	for g := range a.Run(ev, a.Defaults()) {
		best = g.Best.Objective
	}
	return m.Present(0, best)
}

// robustValue is the best worst-case value of every state, in the person's
// sign, by value iteration written for these tests alone: one kernel, an l1
// ball or intervals.
func robustValue(p *model.Problem) []float64 {
	n, l := len(p.States), p.Layout
	sign := 1.0
	if p.Maximize {
		sign = -1
	}
	v, w := make([]float64, n), make([]float64, n)
	rows := make([]setRow, l.Pairs())
	for i := range rows {
		rows[i] = newSetRow(p, i)
	}
	for range int(math.Log(1e-13)/math.Log(p.Discount)) + 2 {
		for s := range n {
			w[s] = math.Inf(1)
			for i := l.Off[s]; i < l.Off[s+1]; i++ {
				g := s*l.A + l.Act[i]
				for k, t := range rows[i].next {
					rows[i].z[k] = p.Discount * v[t]
					if p.Objective.Next != nil {
						rows[i].z[k] += sign * p.Objective.Next[g*n+t]
					} else {
						rows[i].z[k] += sign * p.Objective.Values[g]
					}
				}
				w[s] = min(w[s], rows[i].worst())
			}
		}
		v, w = w, v
	}
	for s := range v {
		v[s] *= sign
		if p.Objective.Average {
			v[s] *= 1 - p.Discount
		}
	}
	return v
}

// setRow is the set of one pair over the successors that nature may use:
// from the row q, each may lose down to lo and gain up to hi, and at most
// budget moves.
type setRow struct {
	next         []int
	q, lo, hi, z []float64
	budget       float64
	order        []int
}

func newSetRow(p *model.Problem, i int) setRow {
	u := &p.Uncertainty
	r := setRow{}
	switch u.Kind {
	case model.Finite:
		r.next, r.q = u.Kernels[0].Row(i)
	case model.L1:
		r.next, r.q = u.Nominal.Row(i)
		if u.SupportAll {
			dense := make([]float64, len(p.States))
			u.Nominal.Dense(dense, i)
			r.q, r.next = dense, nil
			for t := range dense {
				r.next = append(r.next, t)
			}
		}
		r.budget = u.Radius[0] / 2
		r.lo, r.hi = make([]float64, len(r.q)), slices.Repeat([]float64{1}, len(r.q))
	case model.Interval:
		var upper []float64
		r.next, r.lo = u.Lower.Row(i)
		_, upper = u.Upper.Row(i)
		r.q, r.hi, r.budget = slices.Clone(upper), upper, 1
		rest := -1.0 // any row of the set to start from
		for _, x := range upper {
			rest += x
		}
		for k := range r.q {
			cut := min(rest, r.q[k]-r.lo[k])
			r.q[k] -= cut
			rest -= cut
		}
	}
	r.z = make([]float64, len(r.next))
	for k := range r.next {
		r.order = append(r.order, k)
	}
	return r
}

// worst is the largest expectation of z over the set: what may move goes from
// the least z to the largest.
func (r *setRow) worst() float64 {
	sum, budget := 0.0, r.budget
	for k, x := range r.q {
		sum += x * r.z[k]
	}
	if budget == 0 {
		return sum
	}
	slices.SortFunc(r.order, func(a, b int) int { return cmp.Compare(r.z[a], r.z[b]) })
	from, to := 0, len(r.order)-1
	left := func(k int) float64 { return r.q[k] - r.lo[k] }
	room := func(k int) float64 { return r.hi[k] - r.q[k] }
	lost, gained := 0.0, 0.0
	for from < to && budget > 1e-15 {
		a, b := r.order[from], r.order[to]
		move := min(budget, left(a)-lost, room(b)-gained)
		sum += move * (r.z[b] - r.z[a])
		budget, lost, gained = budget-move, lost+move, gained+move
		if left(a)-lost <= 1e-15 {
			from, lost = from+1, 0
		}
		if room(b)-gained <= 1e-15 {
			to, gained = to-1, 0
		}
	}
	return sum
}

// from is the problem started in another state.
func from(t testing.TB, p *model.Problem, state int) *model.Problem {
	t.Helper()
	q := *p
	q.Initial = make([]float64, len(p.States))
	q.Initial[state] = 1
	return &q
}

func near(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: got %.10g, want %.10g within %.2g", what, got, want, tolerance)
	}
}

func TestRiverSwimHasThePublishedValues(t *testing.T) {
	file := caseFile(t, "craam/riverswim_mdp.csv")
	p := imported(t, `{"discount":0.99}`, file)
	if !p.Maximize || len(p.States) != 6 || len(p.Actions) != 2 {
		t.Errorf("maximize %v, %d states, %d actions", p.Maximize, len(p.States), len(p.Actions))
	}
	near(t, "nominal", optimum(t, p), 56687.65, 0.005)
	for _, c := range []struct {
		choices string
		want    float64
		within  float64
	}{
		{`{"discount":0.99,"uncertainty":"l1","radius":0.2}`, 7660.10, 0.005},
		{`{"discount":0.99,"uncertainty":"l1","radius":0.2,"support":"all"}`, 3609.51, 0.005},
		{`{"discount":0.99,"uncertainty":"l1","radius":0.4}`, 500, 0.005},
		{`{"discount":0.99,"uncertainty":"l1","radius":0.4,"support":"all"}`, 320.8, 0.05},
	} {
		near(t, c.choices, robustValue(imported(t, c.choices, file))[0], c.want, c.within)
	}
}

func TestMachineReplacementHasThePublishedValue(t *testing.T) {
	p := imported(t, `{"discount":0.9}`, caseFile(t, "craam/machine_replacement_mdp.csv"))
	near(t, "V(0)", optimum(t, p), -5.3383, 5e-5)
}

func TestOutcomesAreKernels(t *testing.T) {
	p := imported(t, "", caseFile(t, "craam/small_oneaction.csv"))
	if n := len(p.Uncertainty.Kernels); n != 2 || p.Uncertainty.Kind != model.Finite {
		t.Fatalf("%d kernels of kind %s, want 2 of a finite set", n, p.Uncertainty.Kind)
	}
	next0, _ := p.Uncertainty.Kernels[0].Row(0)
	next1, _ := p.Uncertainty.Kernels[1].Row(0)
	if next0[0] != 1 || next1[0] != 0 {
		t.Errorf("from state 0 kernel 0 leads to %d and kernel 1 to %d, want 1 and 0", next0[0], next1[0])
	}
	if c := p.Objective.Next; c == nil || c[0*2+1] != 2 || c[0*2+0] != 0 || c[1*2+0] != 2 || c[1*2+1] != 0 {
		t.Errorf("rewards by transition %v, want 2 from 0 to 1 and from 1 to 0, else 0", c)
	}
}

func TestSimpleMDPImports(t *testing.T) {
	p := imported(t, "", caseFile(t, "craam/simple_mdp.csv"))
	if p.Layout.Pairs() == 0 {
		t.Error("no pairs")
	}
}

// FrozenLake's repeated successors add up: overwriting gives .0628 and .3853.
func TestFrozenLakeHasThePublishedValues(t *testing.T) {
	file := caseFile(t, "gym/FrozenLake-v1-4x4-slippery-P.json")
	near(t, "γ = .9", optimum(t, imported(t, `{"discount":0.9}`, file)), 0.0688909, 5e-8)
	near(t, "γ = .99", optimum(t, imported(t, `{"discount":0.99}`, file)), 0.5420259, 5e-8)
	big := imported(t, "", caseFile(t, "gym/FrozenLake-v1-8x8-slippery-P.json"))
	if len(big.States) != 64 || len(big.Actions) != 4 {
		t.Errorf("%d states, %d actions, want 64 and 4", len(big.States), len(big.Actions))
	}
}

// CliffWalking's last state is no absorbing one: ignoring the flag gives -10
// and -100.
func TestCliffWalkingHasThePublishedValues(t *testing.T) {
	file := caseFile(t, "gym/CliffWalking-v1-P.json")
	near(t, "γ = .9", optimum(t, from(t, imported(t, `{"discount":0.9}`, file), 36)), -7.458134, 5e-7)
	near(t, "γ = .99", optimum(t, imported(t, `{"discount":0.99,"initial":"36"}`, file)), -12.247898, 5e-7)
}

// The arrays of an example of MDPtoolbox.
func TestArraysHaveTheKnownValues(t *testing.T) {
	const p = `[[[0.5,0.5],[0.8,0.2]],[[0,1],[0.1,0.9]]]`
	for _, form := range []string{
		`{"P":` + p + `,"R":[[5,10],[-1,2]],"discount":0.99}`,
		"P = np.array(" + strings.NewReplacer("[", "(", "]", ",)").Replace(p) + ")\nR = np.array([[5., 10],\n [-1., 2.]], dtype=float)  # rewards\ngamma = 99/100\n",
		"import numpy as np\nfrom math import inf\n\nP = " + p + "\nR = [[5, 10], [-1, 2]]\ndiscount = 0.99\n",
		"{'P': array([[[0.5 0.5]\n [0.8 0.2]]\n\n [[0. 1.]\n [0.1 0.9]]]), 'R': [[5,10],[-1,2,]], 'gamma': .99}",
		`{"Q":[[[0.5,0.5],[0,1]],[[0.8,0.2],[0.1,0.9]]],"R":[[5,10],[-1,2]],"beta":0.99,"axes":null}`,
	} {
		choices := ""
		if strings.Contains(form, `"Q"`) {
			choices = `{"axes":"SAS"}`
		}
		q := imported(t, choices, text(form))
		near(t, "V(0)", optimum(t, from(t, q, 0)), 392.29911, 5e-6)
		near(t, "V(1)", optimum(t, from(t, q, 1)), 386.16071, 5e-6)
	}
}

func TestSquareArraysAskForTheOrderOfTheAxes(t *testing.T) {
	r := interchange.Read([]interchange.File{text(`{"P":[[[0.5,0.5],[0.8,0.2]],[[0,1],[0.1,0.9]]],"R":[[5,10],[-1,2]]}`)}, nil)
	asked := false
	for _, c := range r.Choices {
		if c.Name == "axes" {
			asked = len(c.Options) >= 2 && c.Value == `"ASS"` && !c.Given
		}
	}
	if !asked || len(r.Warnings) == 0 {
		t.Errorf("the order of the axes is not asked: %+v, warnings %q", r.Choices, r.Warnings)
	}
	r = interchange.Read([]interchange.File{text(`[[[0.5,0.5],[0.8,0.2]],[[0,1],[0.1,0.9]],[[1,0],[1,0]]]`)}, nil)
	for _, c := range r.Choices {
		if c.Name == "axes" {
			t.Error("with three actions and two states the order is plain, and asked all the same")
		}
	}
	if r.Problem == nil || len(r.Problem.States) != 2 || len(r.Problem.Actions) != 3 {
		t.Errorf("three matrices of two rows: %+v", r.Faults)
	}
}

// row is a CSV file with one row of the given probabilities.
func row(p ...float64) interchange.File {
	b := []byte("idstatefrom,idaction,idstateto,probability,reward\n")
	for i, x := range p {
		b = append(b, "0,0,"+strconv.Itoa(i)+","+strconv.FormatFloat(x, 'g', -1, 64)+",0\n"...)
	}
	return interchange.File{"row.csv", b}
}

func repeat(n int, x float64, more ...float64) []float64 {
	var all []float64
	for range n {
		all = append(all, x)
	}
	return append(all, more...)
}

func TestRowsWithinNoiseAreAccepted(t *testing.T) {
	for _, p := range [][]float64{{.06, .94}, append(repeat(16, .05625), repeat(16, .00625)...), repeat(9, 1./9), repeat(13, 0.07692307692)} {
		q := imported(t, "", row(p...))
		_, got := q.Uncertainty.Kernels[0].Row(0)
		for i, x := range got {
			if x != p[i] {
				t.Fatalf("a row of %d was changed: %v became %v", len(p), p[i], x)
			}
		}
	}
}

// refused reads files that must be refused with all the words in one fault.
func refused(t testing.TB, choices string, files []interchange.File, words ...string) interchange.Fault {
	t.Helper()
	r := interchange.Read(files, options(t, choices))
	if r.Problem != nil || len(r.Faults) == 0 {
		t.Errorf("%q is accepted; want a fault with %q", files[0].Data[:min(len(files[0].Data), 200)], words)
		return interchange.Fault{}
	}
	for _, f := range r.Faults {
		all := true
		for _, w := range words {
			all = all && strings.Contains(f.Error(), w)
		}
		if all {
			return f
		}
	}
	t.Errorf("faults %v; want one with %q", r.Faults, words)
	return interchange.Fault{}
}

func TestBadRowsAreRefusedWithTheirPlace(t *testing.T) {
	f := refused(t, "", []interchange.File{row(1./3, 1./3)}, `action "0" in state "0"`, "0.6666")
	if f.Line != 2 || f.State != "0" || f.Action != "0" {
		t.Errorf("line %d, state %q, action %q", f.Line, f.State, f.Action)
	}
	f = refused(t, "", []interchange.File{row(0.5, 0.499999)}, "sum to 0.999999")
	if f.Fix == nil || f.Fix.Name != "rows" || f.Fix.Value != `"renormalise"` {
		t.Errorf("no offer to renormalise: %+v", f.Fix)
	}
	imported(t, `{"rows":"renormalise"}`, row(0.5, 0.499999))
	// What was rounded to so many decimals may miss 1 by as many halves of the last; less than that is a slip.
	const third = "state,action,next,prob\na,go,a,%[1]s\na,go,b,%[1]s\na,go,c,%[1]s\nb,go,a,1\nc,go,a,1\n"
	for _, p := range []string{"33.3%", "0.33", "0.3333"} {
		file := text(fmt.Sprintf(third, p))
		if f := refused(t, "", []interchange.File{file}, "sum to"); f.Fix == nil || f.Fix.Value != `"renormalise"` {
			t.Errorf("%s: no offer to divide by the sum: %+v", p, f.Fix)
		}
		_, shares := imported(t, `{"rows":"renormalise"}`, file).Uncertainty.Kernels[0].Row(0)
		near(t, p, shares[0], 1./3, 1e-12)
	}
	for _, p := range []string{"0.3", "0.32", "30%", "0.332", ".334"} {
		refused(t, `{"rows":"renormalise"}`, []interchange.File{text(fmt.Sprintf(third, p))}, "")
	}
	refused(t, `{"rows":"renormalise"}`, []interchange.File{row(1./3, 1./3)}, "0.6666")
	for _, bad := range []float64{2, -0.5, math.NaN(), math.Inf(1)} {
		f := refused(t, "", []interchange.File{row(bad, 1)}, "want a probability between 0 and 1")
		if f.Line != 2 || f.Column != 7 {
			t.Errorf("%v: line %d, column %d, want 2, 7", bad, f.Line, f.Column)
		}
	}
	refused(t, "", []interchange.File{text("idstatefrom,idaction,idstateto,probability,reward\n0,0,0,1e999,0\n")}, "line 2")
	p := imported(t, "", row(1e-13, 1))
	if _, prob := p.Uncertainty.Kernels[0].Row(0); prob[0] != 1e-13 {
		t.Errorf("1e-13 became %v", prob[0])
	}
}

func TestUglyTablesAreRead(t *testing.T) {
	ugly := "\ufeff\"idstatefrom\" ;\t\"idaction\"; idstateto;\"probability\" ; reward;  \r\n 0 ; 2;\t1 ;\"1,0\" ; 0,5;\r\n\r\n1;0;0;1; -1;\r\n0;0;0;1;0;"
	p := imported(t, "", text(ugly))
	if len(p.States) != 2 || len(p.Actions) != 3 || p.Layout.Pairs() != 3 || p.Layout.Pair(0, 1) != -1 {
		t.Errorf("%d states, %d actions, %d pairs; want 2, 3, 3 with action 1 nowhere available", len(p.States), len(p.Actions), p.Layout.Pairs())
	}
	if c := p.Objective.Values; c[2] != 0.5 || c[3] != -1 {
		t.Errorf("rewards %v", c)
	}
}

func TestStatesThatAreOnlyTargetsAreAsked(t *testing.T) {
	file := text("idstatefrom,idaction,idstateto,probability,reward\n0,0,1,1,3\n")
	r := interchange.Read([]interchange.File{file}, nil)
	if r.Problem == nil || !strings.Contains(strings.Join(r.Report, "\n"), "absorbing") {
		t.Fatalf("faults %v, report %q", r.Faults, r.Report)
	}
	near(t, "value", optimum(t, r.Problem), 3, 1e-12)
	refused(t, `{"noAction":"refuse"}`, []interchange.File{file}, `state "1"`)
}

func TestZeroRewardsHaveTheValueZero(t *testing.T) {
	if v := optimum(t, imported(t, "", text("idstatefrom,idaction,idstateto,probability,reward\n0,0,0,1,0\n"))); v != 0 {
		t.Errorf("value %v", v)
	}
}

func TestMinusInfinityMeansNotAllowed(t *testing.T) {
	p := imported(t, "", text(`{"R":[[1,-Infinity],[-inf,2]],"Q":[[[1,0],[0,1]],[[1,0],[0,1]]],"beta":0.9}`))
	if p.Layout.Pairs() != 2 || p.Layout.Pair(0, 0) < 0 || p.Layout.Pair(1, 1) < 0 {
		t.Errorf("%d pairs, want (0,0) and (1,1)", p.Layout.Pairs())
	}
	refused(t, "", []interchange.File{text(`{"R":[[-Infinity,-Infinity],[1,2]],"Q":[[[1,0],[0,1]],[[1,0],[0,1]]],"beta":0.9}`)}, `state "0"`, "-Inf")
	refused(t, "", []interchange.File{text(`{"R":[[1,Infinity],[1,2]],"Q":[[[1,0],[0,1]],[[1,0],[0,1]]],"beta":0.9}`)}, `action "1" in state "0"`)
}

func TestDiscountOneIsRefusedWithAdvice(t *testing.T) {
	file := text(`{"P":[[[1]]],"R":[[1]],"discount":1}`)
	f := refused(t, "", []interchange.File{file}, "discount 1", "0.999", "average")
	if f.Fix == nil || f.Fix.Name != "discount" {
		t.Errorf("no fix: %+v", f)
	}
	refused(t, `{"discount":1}`, []interchange.File{file}, "discount 1")
	imported(t, `{"discount":0.9}`, file)
}

func TestRepeatedSuccessorsAndIds(t *testing.T) {
	head := "idstatefrom,idaction,idstateto,probability,reward\n"
	twice := text(head + "0,0,0,0.5,2\n0,0,0,0.5,4\n")
	p := imported(t, "", twice) // as craam does
	if p.Objective.Values[0] != 3 {
		t.Errorf("rewards of a repeated successor average to %v, want 3", p.Objective.Values[0])
	}
	refused(t, `{"duplicates":"refuse"}`, []interchange.File{twice}, "line 3", "listed twice")
	one := text(head + "1,1,2,1,0\n2,1,1,1,0\n")
	f := refused(t, "", []interchange.File{one}, "line 2", "from 1 to 2")
	if f.Fix == nil || f.Fix.Name != "base" {
		t.Errorf("no fix for ids from 1: %+v", f)
	}
	if q := imported(t, `{"base":"1"}`, one); len(q.States) != 2 || len(q.Actions) != 1 {
		t.Errorf("%d states and %d actions from ids that count from 1", len(q.States), len(q.Actions))
	}
	refused(t, "", []interchange.File{text(head + "0,0,-1,1,0\n")}, "line 2, column 5", "-1")
	refused(t, "", []interchange.File{text(head + "0,0,x,1,0\n")}, "line 2, column 5")
	refused(t, "", []interchange.File{text(head + "0,0,99999999,1,0\n")}, "line 2", "100000000 states")
}

func TestSeveralFilesMakeOneModel(t *testing.T) {
	p := imported(t, "", interchange.File{"mdp.csv", []byte("idstatefrom,idaction,idstateto,probability,reward,cost1\n0,0,1,1,1,7\n1,0,0,1,0,0\n")},
		interchange.File{"initial.csv", []byte("idstate,probability\n1,1\n")}, interchange.File{"parameters.csv", []byte("parameter,value\ndiscount,0.5\n")})
	if p.Discount != 0.5 || p.Initial[1] != 1 {
		t.Errorf("discount %v, initial %v", p.Discount, p.Initial)
	}
	q := imported(t, `{"limits":{"cost1":{"atMost":3}}}`, interchange.File{"mdp.csv", []byte("idstatefrom,idaction,idstateto,probability,reward,cost1\n0,0,1,1,1,7\n1,0,0,1,0,0\n")})
	if len(q.Constraints) != 1 || q.Constraints[0].Bound != 3 || q.Constraints[0].Values[0] != 7 {
		t.Errorf("constraints %+v", q.Constraints)
	}
}

func TestTextThatIsNoModelIsRefused(t *testing.T) {
	for _, c := range []struct{ data, words string }{
		{"", "empty"}, {" \n\t", "empty"}, {"hello", "none of the formats"}, {"PK\x03\x04zip", "zip"}, {"\x1f\x8b", "gzip"},
		{"{\"P\": [[[1]]", "line 1"}, {"P = [[[1, ...", "line 1"}, {"a\x00b", "zero byte"}, {"\x00ab", "zero byte"},
		{"hello world, this is a text\nof two lines, and no table\n", "none of the formats"}, {"<!DOCTYPE html>\n<p>404", "web page"}, {"<?xml version=\"1.0\"?>", "XML"},
		{`{"states": ["a"], "discount": 0.9}`, "format"}, {"[[0.5, 0.5], [1, 0]]", "none of the formats"}, {"P = {[0.5 0.5; 0 1], [1 0; 0 1]};", "jsonencode"},
		{`{"jani-version": 1, "name": "x", "type": "mdp"}`, "storm --exportbuild"}, {"mdp\n\nmodule m\n  s : [0..1] init 0;\n  [a] s=0 -> 0.5:(s'=0) + 0.5:(s'=1);\nendmodule\n", "prism -exportmodel"},
	} {
		refused(t, "", []interchange.File{text(c.data)}, c.words)
	}
	big := interchange.File{"big.csv", make([]byte, interchange.MaxBytes+1)}
	refused(t, "", []interchange.File{big}, "50 MB")
	refused(t, `{"format":"dbase"}`, []interchange.File{text("x")}, "there is no format")
	refused(t, `{"colour":"red"}`, []interchange.File{row(1)}, "no choice")
}

// TestGymWithoutFlags: outcomes of three numbers are known as such by their shape.
func TestGymWithoutFlags(t *testing.T) {
	for _, doc := range []string{`{"0":{"0":[[1,0,2]],"1":[[0.5,0,1],[0.5,0,3]]}}`, `{0: {0: [(1.0, 0, 2)], 1: [(0.5, 0, 1), (0.5, 0, 3)]}}`} {
		p := imported(t, `{"discount":0.5}`, text(doc))
		if v := p.Objective.Values; len(v) != 2 || v[0] != 2 || v[1] != 2 {
			t.Errorf("%s: rewards %v", doc, v)
		}
	}
	refused(t, "", []interchange.File{text(`{"0":{"0":[[1]]}}`)}, "want (probability, next state, reward, terminated)")
}

// What stands beside outcomes and arrays is of the model too: names, where play starts and ends,
// rewards by state. A reward where an episode ends is had once.
func TestWhatStandsBesideTheTransitions(t *testing.T) {
	const there = `"P":{"0":{"0":[[1,1,0,false]],"1":[[1,0,0,false]]},"1":`
	for _, c := range []struct {
		doc    string
		values []float64 // of the best plan from the first states, at discount 1/2
		pairs  int
	}{
		{`{` + there + `{}},"reward":[[5,3],9]}`, []float64{9.5, 9}, 4},
		{`{` + there + `{"0":[[1,0,0,false]],"1":[[1,0,0,false]]}},"terminal":[1],"reward":[[5,3],9]}`, []float64{9.5, 9}, 5},
		{`{` + there + `{"0":[[1,0,0,false]],"1":[[1,0,0,false]]}},"terminal":[1],"reward":[[5,2],0]}`, []float64{5, 0}, 4},
		{`{` + there + `{"0":[[1,0,0,false]],"1":[[1,0,0,false]]}},"terminal":["b"],"reward":[[5,2],0],"states":["a","b"]}`, []float64{5, 0}, 4},
		{`{"P":[[[0,1],[0,1]],[[1,0],[0,1]]],"R":[[5,2],[0,0]],"gamma":0.5,"states":["a","b"],"terminals":[1]}`, []float64{5, 0}, 4},
		{`{` + there + `{"0":[[1,0,0,false]],"1":[[1,0,0,false]]}},"reward":{"0":{"0":5,"1":2},"1":-1}}`, []float64{6, 2}, 4},
		{`{"P":[[[0,1],[0,1]],[[1,0],[0,1]]],"R":[[5,2],[0,0]],"gamma":0.5,"states":["a","b"],"actions":["x","y"]}`, []float64{5, 0}, 4},
		{`{"Q":[[0,1],[1,0],[0,1]],"s_indices":[0,0,1],"a_indices":[0,1,0],"R":[5,2,0],"beta":0.5}`, []float64{5, 0}, 3},
	} {
		p := imported(t, `{"discount":0.5}`, text(c.doc))
		for s, want := range c.values {
			near(t, c.doc, optimum(t, from(t, p, s)), want, 1e-9)
		}
		if got := p.Layout.Pairs(); got != c.pairs || len(p.Actions) != 2 {
			t.Errorf("%s: %d pairs of actions %v, want %d of two", c.doc, got, p.Actions, c.pairs)
		}
	}
	p := imported(t, "", text(`{"P":[[[0.5,0.5],[0,1]],[[1,0],[0,1]]],"R":[[5,10],[-1,2]],"gamma":0.75,"states":["a","b"],"actions":["x","y"],"initial":[0.25,0.75]}`))
	if !slices.Equal(p.States, []string{"a", "b"}) || !slices.Equal(p.Actions, []string{"x", "y"}) || !slices.Equal(p.Initial, []float64{0.25, 0.75}) || p.Discount != 0.75 {
		t.Errorf("states %v, actions %v, initial %v, discount %v", p.States, p.Actions, p.Initial, p.Discount)
	}
	// Where it starts is a state or a distribution, by names or by places, in arrays and in outcomes.
	for _, model := range []string{`{"P":[[[0.5,0.5],[0,1]],[[1,0],[0,1]]],"R":[[5,10],[-1,2]],"gamma":0.75,`, `{` + there + `{"0":[[1,0,0,false]]}},"gamma":0.75,`} {
		for start, want := range map[string][]float64{
			`1`: {0, 1}, `[1]`: {0, 1}, `"b"`: {0, 1}, `[0,1]`: {0, 1}, `{"1":1}`: {0, 1},
			`{"b":1}`: {0, 1}, `{"a":0.25,"b":0.75}`: {0.25, 0.75}, `{"a":0.25,"b":0.75,"c":0}`: {0.25, 0.75},
		} {
			p := imported(t, "", text(model+`"initial":`+start+`,"states":["a","b"]}`))
			if !slices.Equal(p.Initial, want) {
				t.Errorf("start %s: %v", start, p.Initial)
			}
		}
		refused(t, "", []interchange.File{text(model + `"states":["a","b"],"initial":{"a":0.25,"d":0.75}}`)}, `found "d" for where it starts`)
		refused(t, "", []interchange.File{text(model + `"states":["a","b"],"initial":{"a":0.25,"b":0.5}}`)}, `2 values that sum to 0.75`)
		refused(t, "", []interchange.File{text(model + `"states":["1","2"],"initial":{"0":1}}`)}, `found "0" for where it starts`)
	}
	for doc, words := range map[string]string{
		`{` + there + `{}},"reward":{"2":5}}`:                                 `has "2", which is none of the model`,
		`{` + there + `{}},"reward":{"0":{"2":5}}}`:                           `has "2", which is none of the model`,
		`{` + there + `{}},"reward":[1,2,3]}`:                                 `has 3 numbers; want 2`,
		`{` + there + `{}},"reward":[["x"],2]}`:                               `want a number`,
		`{"Q":[[1,0],[0,1]],"s_indices":[0,1],"a_indices":[0],"R":[1,2]}`:     `1 actions for 2 rows`,
		`{"Q":[[1,0],[0,1]],"s_indices":[0,2],"a_indices":[0,0],"R":[1,2]}`:   `states below 2`,
		`{"Q":[[1,0],[0,1]],"s_indices":[0,-1],"a_indices":[0,0],"R":[1,2]}`:  `whole numbers from 0`,
		`{"Q":[[1,0],[0,1]],"s_indices":[0,1],"a_indices":[0,0.5],"R":[1,2]}`: `whole numbers from 0`,
		`{"Q":[[1,0],[0,1]],"s_indices":[0,1],"a_indices":[0,0],"R":[1,2,3]}`: `3 numbers; want 2`,
	} {
		refused(t, "", []interchange.File{text(doc)}, words)
	}
}

// In every format whose ids are numbers, a file that counts from 1 is refused with the
// fix, which reads it as the same model that counts from 0; one that has a 0 as well is
// not offered it.
func TestIdsFromOneAreOffered(t *testing.T) {
	for _, c := range []struct{ name, one, zero string }{
		{"a.tra", "2 2 3\n1 0 1 0.4 go\n1 0 2 0.6 go\n2 0 2 1 go\n", "2 2 3\n0 0 0 0.4 go\n0 0 1 0.6 go\n1 0 1 1 go\n"},
		{"a.tra", "2 3\n1 1 2/5\n1 2 3/5\n2 2 1\n", "2 3\n0 0 2/5\n0 1 3/5\n1 1 1\n"},
		{"a.tra", "2 2 3\n1 0.4:1 0.6:2 go\n2 1:2 go", "2 2 3\n0 0.4:0 0.6:1 go\n1 1:1 go"},
		{"a.tra", "mdp\n1 0 1 0.4 go\n1 0 2 0.6 go\n2 0 2 1 go\n", "mdp\n0 0 0 0.4 go\n0 0 1 0.6 go\n1 0 1 1 go\n"},
		{"a.drn", "@type: MDP\n@parameters\n\n@reward_models\n\n@nr_states\n2\n@model\nstate 1 init\n\taction go\n\t\t1 : 0.4\n\t\t2 : 0.6\nstate 2\n\taction go\n\t\t2 : 1\n",
			"@type: MDP\n@parameters\n\n@reward_models\n\n@nr_states\n2\n@model\nstate 0 init\n\taction go\n\t\t0 : 0.4\n\t\t1 : 0.6\nstate 1\n\taction go\n\t\t1 : 1\n"},
		{"a.txt", "numStates 2\nnumActions 1\nstart 1\nend -1\ntransition 1 1 1 0 0.4\ntransition 1 1 2 0 0.6\ntransition 2 1 2 0 1\nmdptype continuing\ndiscount 0.9\n",
			"numStates 2\nnumActions 1\nstart 0\nend -1\ntransition 0 0 0 0 0.4\ntransition 0 0 1 0 0.6\ntransition 1 0 1 0 1\nmdptype continuing\ndiscount 0.9\n"},
	} {
		one := []interchange.File{{c.name, []byte(c.one)}}
		if f := refused(t, "", one, "from", "to"); f.Fix == nil || f.Fix.Name != "base" || f.Fix.Value != `"1"` {
			t.Errorf("%q: no fix: %+v", c.one, f)
		}
		p, want := imported(t, `{"base":"1"}`, one...), imported(t, "", interchange.File{c.name, []byte(c.zero)})
		if !strings.HasSuffix(p.Source, "; base 1") {
			t.Errorf("what was said is not in the source: %q", p.Source)
		}
		p.Source = want.Source
		if got, want := string(p.Encode()), string(want.Encode()); got != want {
			t.Errorf("%q counted from 1 is %s\nwant %s", c.one, got, want)
		}
	}
	both := []interchange.File{{"a.tra", []byte("2 2 3\n0 0 1 1 go\n1 0 2 1 go\n")}}
	if f := refused(t, "", both, "line 3", "state 2", "0 to 1"); f.Fix != nil {
		t.Errorf("a file with a state 0 is offered %+v", f.Fix)
	}
	refused(t, `{"base":"1"}`, both, "line 2", "state 0", "1 to 2")
	labelled := []interchange.File{{"a.tra", []byte("2 2 3\n1 0 1 0.4 go\n1 0 2 0.6 go\n2 0 2 1 go\n")}, {"a.lab", []byte("0=\"init\" 1=\"goal\"\n1: 0\n2: 1\n")}, {"a.srew", []byte("2 1\n1 3\n")}}
	if p := imported(t, `{"base":"1"}`, labelled...); p.Initial[0] != 1 || p.Objective.Values[0] != 3 {
		t.Errorf("labels and rewards of ids from 1: %s", p.Encode())
	}
}

// A state that is only led to may be another one, misspelt: which is said where it is asked what can be done in it.
func TestAMisspeltStateIsNamed(t *testing.T) {
	for _, c := range []struct{ there, led, want string }{
		{"broken", "brokn", `either "broken", an end`}, {"Worn", "worn", `either "Worn", an end`},
		{"broken", "broke down", "either an end or"}, {"s1", "s2", "either an end or"}, {"up", "on", "either an end or"},
	} {
		r := interchange.Read([]interchange.File{text("state,action,next state,probability,cost\nfirst,run,first,0.8,1\nfirst,run," + c.led + ",0.2,1\n" + c.there + ",repair,first,1,12\n")}, nil)
		why := ""
		for _, choice := range r.Choices {
			if choice.Name == "noAction" {
				why = choice.Why
			}
		}
		if !strings.Contains(why, c.want) {
			t.Errorf("%q beside %q: %q", c.led, c.there, why)
		}
	}
}
