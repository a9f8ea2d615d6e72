package estimate_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"rcmdplab/core/estimate"
	"rcmdplab/core/model"
)

// table makes a Table of words.
func table(columns string, rows ...string) estimate.Table {
	t := estimate.Table{Columns: strings.Fields(columns)}
	for _, r := range rows {
		for _, c := range strings.Fields(r) {
			t.Cells = append(t.Cells, strings.ReplaceAll(c, "_", ""))
		}
	}
	return t
}

// columnsOf says what columns are by these tests' own names; what is none of them
// is a cost, or a reward by its name.
func columnsOf(t estimate.Table) estimate.Columns {
	c := estimate.Columns{}
	for _, name := range t.Columns {
		role := name
		switch name {
		case "s", "a", "t":
			role = map[string]string{"s": "state", "a": "action", "t": "step"}[name]
		case "truncated":
			role = "cut"
		case "episode", "step", "state", "action", "next", "count", "done":
		default:
			if role = "cost"; strings.Contains(name, "reward") || name == "profit" {
				role = "reward"
			}
		}
		c[role] = append(c[role], name)
	}
	return c
}

func read(t *testing.T, from estimate.Table) *estimate.Data {
	t.Helper()
	d, faults := estimate.Read(from, columnsOf(from))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	return d
}

func run(t *testing.T, d *estimate.Data, o estimate.Options) *estimate.Result {
	t.Helper()
	r, faults := estimate.Run(d, o)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	for _, p := range []*model.Problem{r.Problem, r.HeldOut} {
		if p == nil {
			continue
		}
		q, faults, _ := model.Decode(p.Encode())
		if len(faults) > 0 {
			t.Fatalf("%s: the document has faults: %v", o.Kind, faults)
		}
		if q.Hash() != p.Hash() {
			t.Fatalf("%s: the document reads back as another", o.Kind)
		}
	}
	return r
}

var counts = table("state action next count cost",
	"a go b 6 1", "a go a 2 1", "a wait a 4 0", "b go a 3 2", "b go b 1 2", "b wait b 5 3")

func TestNominalKernelIsTheRelativeFrequencies(t *testing.T) {
	r := run(t, read(t, counts), estimate.Options{Kind: estimate.Nominal})
	p := r.Problem
	if got := strings.Join(p.States, " ") + "/" + strings.Join(p.Actions, " "); got != "a b/go wait" {
		t.Fatalf("names %s", got)
	}
	row := make([]float64, 2)
	for i, want := range [][2]float64{{0.25, 0.75}, {1, 0}, {0.75, 0.25}, {0, 1}} {
		p.Uncertainty.Kernels[0].Dense(row, i)
		if row[0] != want[0] || row[1] != want[1] {
			t.Errorf("row %d: %v, want %v", i, row, want)
		}
	}
	if !slices.Equal(p.Objective.Values, []float64{1, 0, 2, 3}) {
		t.Errorf("costs %v", p.Objective.Values)
	}
}

// Numbers that can be worked out by hand.
func TestRadiiFollowTheirFormulas(t *testing.T) {
	d := read(t, counts) // pairs with 8, 4, 4 and 5 tries, two states
	for _, tc := range []struct {
		kind estimate.Kind
		want func(n float64) float64
	}{
		// 2^2 - 2 = 2, δ = 0.05/4
		{estimate.L1, func(n float64) float64 { return math.Min(2, math.Sqrt(2/n*math.Log(2/0.0125))) }},
		// The χ² quantile with one degree of freedom is the square of the normal
		// one: Φ⁻¹(1 - 0.0125/2) = 2.497705474412...
		{estimate.KL, func(n float64) float64 { return 2.497705474412 * 2.497705474412 / (2 * n) }},
		{estimate.Chi2, func(n float64) float64 { return 2.497705474412 * 2.497705474412 / n }},
	} {
		r := run(t, d, estimate.Options{Kind: tc.kind, Successors: "all", Prior: -1})
		for _, p := range r.Pairs {
			if want := tc.want(p.N); p.Radius < want-1e-9 || p.Radius > want+1.1e-6 {
				t.Errorf("%s, n = %v: radius %v, want %v rounded up", tc.kind, p.N, p.Radius, want)
			}
		}
	}
	// 0 of n: the upper end is 1 - (δ/2)^{1/n}, the lower 0; δ = 0.05/(4·2).
	u := run(t, d, estimate.Options{Kind: estimate.Interval}).Problem.Uncertainty
	row := make([]float64, 2)
	u.Upper.Dense(row, 1)
	if want := 1 - math.Pow(0.05/8/2, 1./4); !(math.Abs(row[1]-want) <= 1.1e-6) || row[0] != 1 {
		t.Errorf("upper ends %v, want 1 and %v", row, want)
	}
	u.Lower.Dense(row, 1)
	if want := math.Pow(0.05/8/2, 1./4); !(math.Abs(row[0]-want) <= 1.1e-6) || row[1] != 0 {
		t.Errorf("lower ends %v, want %v and 0", row, want)
	}
}

// The union bound is over the pairs that were tried, and a ball grows by what
// the prior moves its middle.
func TestPriorMovesTheMiddleAndTheBallGrows(t *testing.T) {
	d := read(t, counts)
	plain, moved := run(t, d, estimate.Options{Kind: estimate.L1}), run(t, d, estimate.Options{Kind: estimate.L1, Prior: 1})
	row := make([]float64, 2)
	moved.Problem.Uncertainty.Nominal.Dense(row, 0)
	if !(math.Abs(row[0]-3./10) <= 1e-12) {
		t.Errorf("row %v, want (2+1)/(8+2)", row)
	}
	if got, want := moved.Pairs[0].Radius-plain.Pairs[0].Radius, 2*(3./10-2./8); !(math.Abs(got-want) <= 1.1e-6) {
		t.Errorf("the radius grew by %v, want %v", got, want)
	}
}

func TestUntriedPairsAreWhatIsAsked(t *testing.T) {
	d := read(t, table("state action next count cost", "a go b 6 1", "b go a 3 2", "b wait b 5 3"))
	if r := run(t, d, estimate.Options{}); r.Problem.Layout.Pairs() != 3 || r.Untried != 1 {
		t.Errorf("unavailable: %d pairs, %d untried", r.Problem.Layout.Pairs(), r.Untried)
	}
	row := make([]float64, 2)
	r := run(t, d, estimate.Options{Untried: estimate.Stays})
	r.Problem.Uncertainty.Nominal.Dense(row, 1)
	if row[0] != 1 || r.Problem.Uncertainty.Radius[1] != 0 {
		t.Errorf("stays: row %v, radius %v", row, r.Problem.Uncertainty.Radius[1])
	}
	if got := r.Problem.Objective.Values[1]; got != 3 {
		t.Errorf("a pair without a cost costs %v, want the worst, 3", got)
	}
	if got := run(t, d, estimate.Options{Untried: estimate.Stays, Sense: "maximize", Objective: "cost"}).Problem.Objective.Values[1]; got != 1 {
		t.Errorf("a pair without a gain gains %v, want the worst, 1", got)
	}
	for kind, want := range map[estimate.Kind]float64{estimate.L1: 2, estimate.KL: math.Log(2), estimate.Chi2: 1, estimate.Credible: 2} {
		r := run(t, d, estimate.Options{Kind: kind, Untried: estimate.Uniform, Prior: -1})
		r.Problem.Uncertainty.Nominal.Dense(row, 1)
		if got := r.Problem.Uncertainty.Radius[1]; row[0] != 0.5 || !(math.Abs(got-want) <= 1.1e-6) {
			t.Errorf("%s, uniform: row %v, radius %v, want the whole simplex, %v", kind, row, got, want)
		}
	}
	for _, kind := range []estimate.Kind{estimate.Interval, estimate.Posterior, estimate.Bootstrap} {
		run(t, d, estimate.Options{Kind: kind, Untried: estimate.Uniform, Prior: -1})
	}
}

func TestEpisodesGiveFirstStatesAndNextStates(t *testing.T) {
	// Steps out of order, without a column for the next state; c is an end.
	d := read(t, table("episode step state action reward",
		"1 1 b go 5", "1 0 a go 1", "1 2 c none 0", "2 0 a go 1", "2 1 a go 1", "2 2 c none 0"))
	if !slices.Equal(d.First, []int{1, 1}) && d.States[d.First[0]] != "a" {
		t.Errorf("first states %v of %v", d.First, d.States)
	}
	r := run(t, d, estimate.Options{Kind: estimate.Nominal})
	if !r.Problem.Maximize {
		t.Error("a column called reward is maximised")
	}
	if len(r.Ends) != 1 || r.Ends[0] != "c" {
		t.Errorf("ends %v, want c", r.Ends)
	}
	p := r.Problem
	a, c := slices.Index(p.States, "a"), slices.Index(p.States, "c")
	if p.Initial[a] != 1 {
		t.Errorf("initial %v", p.Initial)
	}
	row := make([]float64, 3)
	p.Uncertainty.Kernels[0].Dense(row, p.Layout.Off[a])
	if !(math.Abs(row[c]-1./3) <= 1e-15) || !(math.Abs(row[a]-1./3) <= 1e-15) {
		t.Errorf("row of a: %v", row)
	}
	p.Uncertainty.Kernels[0].Dense(row, p.Layout.Off[c])
	if row[c] != 1 {
		t.Errorf("row of the end: %v", row)
	}
}

func TestStatesThatAreNumbersAreInTheirOrder(t *testing.T) {
	d := read(t, table("s a next", "10 0 2", "2 1 10", "2 0 0"))
	if !slices.Equal(d.States, []string{"0", "2", "10"}) || d.State[0] != 2 || d.Next[2] != 0 {
		t.Errorf("%v %v %v", d.States, d.State, d.Next)
	}
}

func TestHeldOutEpisodesAreNotLearntFrom(t *testing.T) {
	var rows []string
	for e := range 20 {
		rows = append(rows, fmt.Sprintf("%d 0 a go b %d", e, e%2), fmt.Sprintf("%d 1 b go a 1", e))
	}
	d := read(t, table("episode step state action next cost", rows...))
	r := run(t, d, estimate.Options{HeldOut: 0.25, Resamples: 7, Kind: estimate.Nominal})
	if r.Episodes != 15 || r.Steps != 30 || r.HeldOutSteps != 10 {
		t.Errorf("%d episodes and %v steps learnt, %v held out", r.Episodes, r.Steps, r.HeldOutSteps)
	}
	if n := len(r.HeldOut.Uncertainty.Kernels); n != 8 {
		t.Errorf("%d kernels to judge on, want the held-out one and 7 resamples", n)
	}
	again := run(t, d, estimate.Options{HeldOut: 0.25, Resamples: 7, Kind: estimate.Nominal})
	if again.Problem.Hash() != r.Problem.Hash() || again.HeldOut.Hash() != r.HeldOut.Hash() {
		t.Error("the same seed gives another model")
	}
	// Counts are held out one by one.
	c := run(t, read(t, counts), estimate.Options{HeldOut: 0.5, Seed: 3, Kind: estimate.Nominal})
	if c.Steps+c.HeldOutSteps != 21 || c.HeldOutSteps == 0 || c.Steps == 0 {
		t.Errorf("%v learnt, %v held out of 21", c.Steps, c.HeldOutSteps)
	}
}

func TestFaultsOfATableSayWhereTheyAre(t *testing.T) {
	for _, tc := range []struct {
		table   estimate.Table
		pointer string
		says    string
	}{
		{table("state next", "a b"), "/columns", "no column is the action"},
		{table("state action count", "a go 3"), "/columns", "next"},
		{table("state action", "a go"), "/columns", "neither"},
		{table("state action next count", "a go b many"), "/rows/0/3", "many"},
		{table("state action next count", "a go b -1"), "/rows/0/3", "-1"},
		{table("state action next", "a go b", "a _ b"), "/rows/1/1", "no action"},
		{table("state action next"), "/rows", "no rows"},
		{table("episode step state action", "1 0 a go", "1 0 b go"), "/rows/1/1", "twice"},
	} {
		_, faults := estimate.Read(tc.table, columnsOf(tc.table))
		if len(faults) == 0 || faults[0].Pointer != tc.pointer || !strings.Contains(faults[0].Message, tc.says) {
			t.Errorf("%v: %v; want %s: ...%s...", tc.table, faults, tc.pointer, tc.says)
		}
	}
	d := read(t, counts)
	for pointer, o := range map[string]estimate.Options{
		"/kind": {Kind: "l7"}, "/confidence": {Confidence: 1}, "/untried": {Untried: "maybe"}, "/successors": {Successors: "few"},
		"/heldOut": {HeldOut: 1}, "/samples": {Samples: -1}, "/discount": {Discount: 1.5}, "/objective": {Objective: "gold"},
		"/constraints/0/column": {Limits: []estimate.Limit{{Column: "cost"}}}, "/initial": {Initial: "nowhere"}, "/prior": {Kind: estimate.Posterior},
	} {
		if _, faults := estimate.Run(d, o); len(faults) == 0 || faults[0].Pointer != pointer {
			t.Errorf("%s: %v", pointer, faults)
		}
	}
}

func FuzzReadAndRun(f *testing.F) {
	f.Add("episode,step,state,action,next,cost", "1,0,a,go,b,1\n1,1,b,go,a,2", uint8(0))
	f.Add("state,action,next,count", "a,go,b,3\nb,go,b,1e9", uint8(3))
	f.Add("s,a,t,episode", "1,1,0,x\n2,1,1,x\n1,1,2,x", uint8(6))
	f.Fuzz(func(t *testing.T, columns, rows string, which uint8) {
		tab := estimate.Table{Columns: strings.Split(columns, ",")}
		for _, line := range strings.Split(rows, "\n") {
			cells := strings.Split(line, ",")
			if len(cells) == len(tab.Columns) {
				tab.Cells = append(tab.Cells, cells...)
			}
		}
		d, faults := estimate.Read(tab, columnsOf(tab))
		if len(faults) > 0 {
			return
		}
		kinds, untried := estimate.Kinds(), []estimate.Untried{estimate.Unavailable, estimate.Stays, estimate.Uniform}
		o := estimate.Options{Kind: kinds[int(which)%len(kinds)], Untried: untried[int(which/8)%3], Prior: -1, HeldOut: float64(which%2) / 4, Resamples: 2}
		r, faults := estimate.Run(d, o)
		if len(faults) > 0 {
			return
		}
		for _, p := range []*model.Problem{r.Problem, r.HeldOut} {
			if p == nil {
				continue
			}
			if _, faults, _ := model.Decode(p.Encode()); len(faults) > 0 {
				t.Fatalf("%v\n%s", faults, p.Encode())
			}
		}
	})
}

// Costs at both ends of what a problem may hold, and beyond: the problem made of them is
// one that can be read (see run), and what was changed or left out is said.
func TestCostsOfAnySizeMakeAProblem(t *testing.T) {
	for _, c := range []struct {
		cost, says string
		want       float64
	}{
		{"1e100", "", 1e100}, {"-1e100", "", -1e100}, {"1e101", "passed over", 0}, {"1e149", "passed over", 0},
		{"1e308", "passed over", 0}, {"1e-100", "", 1e-100}, {"3e-101", "taken as 0", 0}, {"1e-320", "taken as 0", 0},
	} {
		r := run(t, read(t, table("state action next count cost", "a go b 3 "+c.cost, "a go a 3 "+c.cost, "a go c 1 "+c.cost, "b go b 1 0", "c go b 1 0")), estimate.Options{Kind: estimate.Nominal})
		if got := r.Problem.Objective.Values[0]; !(math.Abs(got-c.want) <= 1e-12*math.Abs(c.want)) {
			t.Errorf("a cost of %s becomes %v, want %v", c.cost, got, c.want)
		}
		if said := strings.Join(r.Warnings, " "); !strings.Contains(said, c.says) || c.says == "" && strings.Contains(said, "taken as 0") {
			t.Errorf("a cost of %s: %q, want %q", c.cost, said, c.says)
		}
	}
}
