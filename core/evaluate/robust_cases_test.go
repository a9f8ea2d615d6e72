package evaluate_test

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/internal/bellman"
	"rcmdplab/core/model"
)

// robustOptimum is robust policy iteration for the objective alone: evaluate,
// take the best action of every state against nature's answer, repeat.
func robustOptimum(t *testing.T, m *model.Standard) (e *evaluate.Evaluator, choice []int) {
	t.Helper()
	e, err := evaluate.New(m)
	if err != nil {
		t.Fatal(err)
	}
	weights := make([]float64, m.N+1)
	weights[0] = 1
	v, q := make([]float64, m.S), make([]float64, m.Pairs())
	choice = make([]int, m.S)
	for s := range choice {
		choice[s] = m.Off[s]
	}
	op := bellman.New(t, m)
	for range 1000 {
		e.Evaluate(m.Deterministic(choice))
		e.Values(v, 0)
		op.Apply(q, nil, v, weights)
		changed := false
		for s := range m.S {
			for i := m.Off[s]; i < m.Off[s+1]; i++ {
				if q[i] < q[choice[s]]-1e-9*(1+math.Abs(v[s])) {
					choice[s], changed = i, true
				}
			}
		}
		if !changed {
			return e, choice
		}
	}
	t.Fatal("robust policy iteration did not end")
	return nil, nil
}

func lines(t *testing.T, path string) []string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var l []string
	for s := bufio.NewScanner(strings.NewReader(string(data))); s.Scan(); {
		if x := strings.TrimSpace(s.Text()); x != "" {
			l = append(l, x)
		}
	}
	return l
}

func number(t *testing.T, s string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func names(prefix string, n int) []string {
	s := make([]string, n)
	for i := range s {
		s[i] = fmt.Sprint(prefix, i)
	}
	return s
}

// TestRobotIntervals: 207 states, 828 choices; state 206 is absorbing and worth
// 1. The values are of testdata/cases/README.md.
func TestRobotIntervals(t *testing.T) {
	const s = 207
	text := lines(t, "../testdata/cases/intervalmdp/multiObj_robotIMDP.txt")[4:]
	lo, hi := &model.Kernel{Ptr: []int{0}}, &model.Kernel{Ptr: []int{0}}
	pair := ""
	for _, l := range text {
		f := strings.Fields(l)
		if pair != "" && pair != f[0]+" "+f[1] {
			lo.Ptr, hi.Ptr = append(lo.Ptr, len(lo.Next)), append(hi.Ptr, len(hi.Next))
		}
		pair = f[0] + " " + f[1]
		u := int(number(t, f[2]))
		lo.Next, lo.Prob = append(lo.Next, u), append(lo.Prob, number(t, f[3]))
		hi.Next, hi.Prob = append(hi.Next, u), append(hi.Prob, number(t, f[4]))
	}
	lo.Ptr, hi.Ptr = append(lo.Ptr, len(lo.Next)), append(hi.Ptr, len(hi.Next))
	if len(lo.Ptr) != 829 || len(lo.Next) != 2784 {
		t.Fatalf("read %d choices and %d transitions", len(lo.Ptr)-1, len(lo.Next))
	}
	worth := make([]float64, s*4)
	for a := range 4 {
		worth[206*4+a] = .01 // (1-γ) a step, for ever
	}
	init := make([]float64, s)
	init[0] = 1
	p := &model.Problem{
		States: names("s", s), Actions: names("a", 4), Discount: .99, Initial: init, Maximize: true,
		Objective: model.Cost{Name: "reach", Values: worth}, Layout: model.NewLayout(s, 4, nil),
		Uncertainty: model.Uncertainty{Kind: model.Interval, Lower: lo, Upper: hi},
	}
	m := p.Standard()
	e, _ := robustOptimum(t, m)
	if got, want := m.Present(0, e.J[0]), .5526722; !(math.Abs(got-want) <= 5e-8) {
		t.Errorf("the maximal pessimistic value of state 0 is %.9g, want %v", got, want)
	}
	// Optimistic: nature maximises with us.
	p.Maximize = false
	m = p.Standard()
	op, v, q := bellman.New(t, m), make([]float64, s), make([]float64, m.Pairs())
	for range 2500 {
		op.Apply(q, nil, v, []float64{1})
		for st := range s {
			v[st] = slices.Max(q[m.Off[st]:m.Off[st+1]])
		}
	}
	if got, want := v[0], .7856711; !(math.Abs(got-want) <= 5e-8) {
		t.Errorf("the maximal optimistic value of state 0 is %.9g, want %v", got, want)
	}
}

// TestRiverSwim holds l1 sets to the values of testdata/cases/README.md, which
// depend on the support by a factor of two, and on the radius for the choice.
func TestRiverSwim(t *testing.T) {
	const s = 6
	k := &model.Kernel{Sparse: true, Ptr: []int{0}}
	reward := make([]float64, s*2*s) // of the next state; 0 where the file lists nothing
	for i, l := range lines(t, "../testdata/cases/craam/riverswim_mdp.csv")[1:] {
		f := strings.Split(l, ",")
		from, a := int(number(t, f[0])), int(number(t, f[1]))
		if g := from*2 + a; i > 0 && g == len(k.Ptr) {
			k.Ptr = append(k.Ptr, len(k.Next))
		}
		k.Next, k.Prob = append(k.Next, int(number(t, f[2]))), append(k.Prob, number(t, f[3]))
		reward[(from*2+a)*s+int(number(t, f[2]))] = number(t, f[4])
	}
	k.Ptr = append(k.Ptr, len(k.Next))
	for i := range len(k.Ptr) - 1 { // the file does not list in order
		next, prob := k.Row(i)
		for j := range next {
			for l := j; l > 0 && next[l-1] > next[l]; l-- {
				next[l-1], next[l] = next[l], next[l-1]
				prob[l-1], prob[l] = prob[l], prob[l-1]
			}
		}
	}
	for _, c := range []struct {
		radius float64
		all    bool
		want   float64
		digit  float64 // the last one given
		stay   bool    // action 0 in states 0 and 1
	}{
		{0, false, 56687.65, .01, false},
		{.2, false, 7660.10, .01, false},
		{.2, true, 3609.51, .01, false},
		{.4, false, 500, .01, true},
		{.4, true, 320.8, .1, true},
	} {
		p := &model.Problem{
			States: names("s", s), Actions: names("a", 2), Discount: .99, Initial: []float64{1, 0, 0, 0, 0, 0}, Maximize: true,
			Objective: model.Cost{Name: "reward", Next: reward}, Layout: model.NewLayout(s, 2, nil),
			Uncertainty: model.Uncertainty{Kind: model.L1, Nominal: k, Radius: []float64{c.radius}, SupportAll: c.all},
		}
		m := p.Standard()
		e, choice := robustOptimum(t, m)
		got := m.Present(0, e.J[0])
		if !(math.Abs(got-c.want) <= c.digit/2) {
			t.Errorf("radius %v, all %v: V(0) = %.8g, want %v", c.radius, c.all, got, c.want)
		}
		if stay := m.Act[choice[0]] == 0 && m.Act[choice[1]] == 0; stay != c.stay {
			t.Errorf("radius %v, all %v: actions %d and %d in states 0 and 1", c.radius, c.all, m.Act[choice[0]], m.Act[choice[1]])
		}
	}
}
