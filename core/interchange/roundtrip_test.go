package interchange_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"rcmdplab/core/interchange"
	"rcmdplab/core/model"
)

// randomProblem makes a valid problem of any kind that formats differ in:
// missing actions, listed zeros, names of all sorts, costs of the next state.
func randomProblem(r *rand.Rand, kind model.Kind) *model.Problem {
	s, a := 1+r.IntN(5), 1+r.IntN(4)
	p := &model.Problem{Discount: float64(r.IntN(100)) / 100, Maximize: r.IntN(2) == 0, Name: [...]string{"", `a "name"`, "näme"}[r.IntN(3)]}
	odd := []string{"good", "worn out", "3", "0", "x,y", "é", `q"t`, "10", "-1", "a: b", "#1", "[2]", "true", "uniform", "x,y;z|", `end"`, "# 1", "{}", "=1+0", `\`}
	r.Shuffle(len(odd), func(i, j int) { odd[i], odd[j] = odd[j], odd[i] })
	for i := range s {
		p.States = append(p.States, [...]string{odd[i], fmt.Sprint("s", i), fmt.Sprint(i)}[s%3])
	}
	for i := range a {
		p.Actions = append(p.Actions, [...]string{odd[len(odd)-1-i], fmt.Sprint("a", i), fmt.Sprint(i)}[a%3])
	}
	available := make([]bool, s*a)
	for g := range available {
		available[g] = r.IntN(3) > 0
	}
	for i := range s {
		available[i*a+r.IntN(a)] = true
	}
	if r.IntN(2) == 0 {
		available = slices.Repeat([]bool{true}, s*a)
	}
	p.Layout = model.NewLayout(s, a, available)
	p.Initial = randomRow(r, s)
	if r.IntN(2) == 0 {
		clear(p.Initial)
		p.Initial[r.IntN(s)] = 1
	}
	cost := func(name string) model.Cost {
		c := model.Cost{Name: name, Average: r.IntN(4) == 0}
		if r.IntN(3) == 0 {
			for g := range s * a {
				for range s {
					x := float64(r.IntN(9) - 4)
					if !available[g] {
						x = math.NaN()
					}
					c.Next = append(c.Next, x)
				}
			}
			return c
		}
		for range s * a {
			c.Values = append(c.Values, math.Round(r.NormFloat64()*1000)/64)
		}
		return c
	}
	p.Objective = cost([...]string{"money", "reward", "cost of it"}[r.IntN(3)])
	for i := range r.IntN(3) {
		p.Constraints = append(p.Constraints, model.Constraint{Cost: cost(fmt.Sprint("risk ", i)), Bound: r.NormFloat64() * 100, AtLeast: r.IntN(2) == 0})
	}
	kernel := func(name string) *model.Kernel {
		k := &model.Kernel{Name: name, Ptr: []int{0}, Sparse: r.IntN(2) == 0}
		for range p.Layout.Pairs() {
			for t, x := range randomRow(r, s) {
				if x > 0 || k.Sparse && r.IntN(2) == 0 {
					k.Next, k.Prob = append(k.Next, t), append(k.Prob, x)
				}
			}
			k.Ptr = append(k.Ptr, len(k.Next))
		}
		return k
	}
	u := &p.Uncertainty
	switch u.Kind = kind; kind {
	case model.Finite:
		for i := range 1 + r.IntN(2)*2 {
			u.Kernels = append(u.Kernels, kernel(fmt.Sprint("P", i)))
		}
		if len(u.Kernels) > 1 && s > 1 { // the same successors, so that costs of them are all there
			for _, k := range u.Kernels[1:] {
				k.Ptr, k.Next = u.Kernels[0].Ptr, u.Kernels[0].Next
				k.Prob = slices.Clone(u.Kernels[0].Prob)
			}
		}
	case model.Interval:
		u.Upper = kernel("upper")
		u.Lower = &model.Kernel{Name: "lower", Ptr: u.Upper.Ptr, Next: u.Upper.Next, Prob: slices.Clone(u.Upper.Prob), Sparse: u.Upper.Sparse}
		for i := range u.Lower.Prob {
			u.Lower.Prob[i] *= float64(r.IntN(3)) / 2
		}
		if !u.Lower.Sparse {
			u.Lower.Sparse, u.Upper.Sparse = true, true
		}
	default:
		u.Nominal, u.Radius, u.SupportAll = kernel("nominal"), []float64{r.Float64()}, kind == model.L1 && r.IntN(2) == 0
	}
	return p
}

// randomRow is a distribution in eighths, so that rows sum to 1 exactly.
func randomRow(r *rand.Rand, n int) []float64 {
	row := make([]float64, n)
	for range 8 {
		row[r.IntN(n)] += 0.125
	}
	return row
}

// difference says how two problems differ in meaning, "" when they do not.
// Costs count where something is available and a successor is listed.
func difference(p, q *model.Problem, names, sign, zeros bool) string {
	switch {
	case len(p.States) != len(q.States) || len(p.Actions) > len(q.Actions) && names:
		return fmt.Sprintf("%d states and %d actions became %d and %d", len(p.States), len(p.Actions), len(q.States), len(q.Actions))
	case names && (!slices.Equal(p.States, q.States) || !slices.Equal(p.Actions, q.Actions)):
		return fmt.Sprintf("names %q %q became %q %q", p.States, p.Actions, q.States, q.Actions)
	case !slices.Equal(p.Layout.Act, q.Layout.Act) || !slices.Equal(p.Layout.Off, q.Layout.Off):
		return fmt.Sprintf("available actions %v became %v", p.Layout.Act, q.Layout.Act)
	case !names:
	case p.Discount != q.Discount || !slices.Equal(p.Initial, q.Initial) || p.Maximize != q.Maximize || len(p.Constraints) != len(q.Constraints) || p.Name != q.Name:
		return fmt.Sprintf("discount %v start %v maximize %v limits %d name %q became %v %v %v %d %q", p.Discount, p.Initial, p.Maximize, len(p.Constraints), p.Name, q.Discount, q.Initial, q.Maximize, len(q.Constraints), q.Name)
	}
	if d := costDifference(p, q, &p.Objective, &q.Objective, names, sign); d != "" {
		return d
	}
	for i := range q.Constraints {
		x, y := &p.Constraints[i], &q.Constraints[i]
		if x.Bound != y.Bound || x.AtLeast != y.AtLeast {
			return fmt.Sprintf("limit %v of %q became %v", x.Bound, x.Name, y.Bound)
		}
		if d := costDifference(p, q, &x.Cost, &y.Cost, names, false); d != "" {
			return d
		}
	}
	x, y := &p.Uncertainty, &q.Uncertainty
	if names && (x.Kind != y.Kind || !slices.Equal(x.Radius, y.Radius) || x.SupportAll != y.SupportAll) {
		return fmt.Sprintf("set %s %v became %s %v", x.Kind, x.Radius, y.Kind, y.Radius)
	}
	a, b := kernelsOf(x), kernelsOf(y)
	if len(a) != len(b) {
		return fmt.Sprintf("%d kernels became %d", len(a), len(b))
	}
	v, w := make([]float64, len(p.States)), make([]float64, len(p.States))
	for k := range a {
		for i := range p.Layout.Pairs() {
			a[k].Dense(v, i)
			b[k].Dense(w, i)
			if !slices.Equal(v, w) {
				return fmt.Sprintf("row %d of kernel %d %v became %v", i, k, v, w)
			}
			n, _ := a[k].Row(i)
			m, _ := b[k].Row(i)
			if zeros && a[k].Sparse && b[k].Sparse && !slices.Equal(n, m) {
				return fmt.Sprintf("successors %v became %v", n, m)
			}
		}
	}
	return ""
}

func kernelsOf(u *model.Uncertainty) []*model.Kernel {
	switch {
	case u.Nominal != nil:
		return []*model.Kernel{u.Nominal}
	case u.Lower != nil:
		return []*model.Kernel{u.Lower, u.Upper}
	}
	return u.Kernels
}

func costDifference(p, q *model.Problem, x, y *model.Cost, names, sign bool) string {
	if names && (x.Name != y.Name || x.Average != y.Average) {
		return fmt.Sprintf("cost %q became %q", x.Name, y.Name)
	}
	f := 1.0
	if sign && !p.Maximize {
		f = -1
	}
	l := p.Layout
	for i := range l.Pairs() {
		for _, k := range kernelsOf(&p.Uncertainty) {
			row := make([]float64, l.S)
			k.Dense(row, i)
			for t := range row {
				a, b := costAt(p, x, i, t), costAt(q, y, i, t)
				if f*a != b && (row[t] > 0 || p.Uncertainty.SupportAll) {
					return fmt.Sprintf("cost %q of pair %d leading to %d: %v became %v", x.Name, i, t, a, b)
				}
			}
		}
	}
	return ""
}

func costAt(p *model.Problem, c *model.Cost, i, t int) float64 {
	g := p.Layout.State[i]*p.Layout.A + p.Layout.Act[i]
	if c.Next != nil {
		return c.Next[g*p.Layout.S+t]
	}
	return c.Values[g]
}

// What a format can carry comes back the same; what it cannot is refused with
// the reason.
func TestRoundTripThroughEachFormat(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 8))
	carried, refusedOnes := map[string]int{}, map[string]int{}
	for n := range 420 {
		kind := []model.Kind{model.Finite, model.Finite, model.L1, model.Interval, model.KL, model.Contamination}[n%6]
		p := randomProblem(r, kind)
		if _, faults, _ := model.Decode(p.Encode()); len(faults) > 0 {
			t.Fatalf("the test's own problem is not valid: %v", faults)
		}
		full := p
		for _, f := range interchange.Formats() {
			p := full
			if f.ID == "bmdp" && p.Objective.Next == nil { // it has no rewards
				p = &model.Problem{}
				*p = *full
				p.Objective.Values, p.Constraints = make([]float64, len(full.Objective.Values)), nil
			}
			out, err := interchange.Write(p, f.ID, false)
			if err != nil {
				if refusedOnes[f.ID]++; !strings.Contains(err.Error(), "cannot carry") {
					t.Fatalf("%s: %v", f.ID, err)
				}
				continue
			}
			carried[f.ID]++
			bare := slices.Contains([]string{"gym", "cs747", "craam", "bmdp"}, f.ID) // no place for names and settings
			given := ""
			if bare {
				given = `{"discount":0.5}`
			}
			back := interchange.Read([]interchange.File{{"", out.Text}}, options(t, given))
			if back.Format != f.ID {
				t.Fatalf("%s is taken for %s:\n%s", f.ID, back.Format, out.Text)
			}
			if back.Problem == nil {
				t.Fatalf("%s: %v\n%s\nfrom %s", f.ID, back.Faults, out.Text, p.Encode())
			}
			matrices := f.ID == "arrays" || f.ID == "cassandra" // list no zeros
			if d := difference(p, back.Problem, !bare, bare, !matrices); d != "" {
				t.Fatalf("%s: %s\n%s\nfrom %s", f.ID, d, out.Text, p.Encode())
			}
		}
	}
	for _, f := range interchange.Formats() {
		t.Logf("%s: %d carried, %d refused", f.ID, carried[f.ID], refusedOnes[f.ID])
		if carried[f.ID] < 20 {
			t.Errorf("%s carried %d of the problems only", f.ID, carried[f.ID])
		}
	}
}

func TestWriteRefusesWithReasons(t *testing.T) {
	p := randomProblem(rand.New(rand.NewPCG(1, 1)), model.Interval)
	if _, err := interchange.Write(p, "craam", false); err == nil || !strings.Contains(err.Error(), "intervals") {
		t.Errorf("intervals in craam: %v", err)
	}
	if _, err := interchange.Write(p, "word", false); err == nil || !strings.Contains(err.Error(), "no format") {
		t.Errorf("an unknown format: %v", err)
	}
	q := imported(t, `{"uncertainty":"l1"}`, text(planner))
	if _, err := interchange.Write(q, "cs747", false); err == nil || !strings.Contains(err.Error(), "l1") {
		t.Errorf("a ball in CS747: %v", err)
	}
	out, err := interchange.Write(q, "cs747", true)
	if err != nil || !strings.Contains(strings.Join(out.Lost, " "), "l1") {
		t.Errorf("with lossy: %v, lost %v", err, out)
	}
}
