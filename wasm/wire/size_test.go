package wire

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"rcmdplab/core/decide"
	"rcmdplab/core/model"
)

// ring is a walk around s states, with one limit.
func ring(s int, kind model.Kind) *model.Standard {
	l := model.NewLayout(s, 4, nil)
	k := &model.Kernel{Name: "ring", Ptr: []int{0}, Sparse: true}
	p := &model.Problem{Name: "ring", Layout: l, Discount: .95, Actions: []string{"a", "b", "c", "d"}, Initial: make([]float64, s)}
	p.Initial[0] = 1
	values := make([]float64, l.Pairs())
	for i := range l.Pairs() {
		at := l.State[i]
		if at == s-1 {
			k.Next, k.Prob = append(k.Next, 0, at), append(k.Prob, .9, .1)
		} else {
			k.Next, k.Prob = append(k.Next, at, at+1), append(k.Prob, .1, .9)
		}
		k.Ptr = append(k.Ptr, len(k.Next))
		values[i] = float64(i % 3)
	}
	for i := range s {
		p.States = append(p.States, strconv.Itoa(i))
	}
	p.Objective = model.Cost{Name: "c", Values: values}
	p.Constraints = []model.Constraint{{Cost: model.Cost{Name: "d", Values: values}, Bound: 10}}
	p.Uncertainty = model.Uncertainty{Kind: kind}
	if kind == model.Finite {
		p.Uncertainty.Kernels = []*model.Kernel{k}
	} else {
		p.Uncertainty.Nominal, p.Uncertainty.Radius = k, []float64{.1}
	}
	return p.Standard()
}

// TestSparseModelsFit: what a model needs grows with the entries of its kernels,
// not with the square of its states, and ten thousand states fit a page.
func TestSparseModelsFit(t *testing.T) {
	for _, kind := range []model.Kind{model.L1, model.KL, model.Finite} {
		small, large := ring(1000, kind), ring(10000, kind)
		if n := work(large); n > 200<<20 || n > 12*work(small) {
			t.Errorf("%s: %d bytes for 10000 states, %d for 1000", kind, n, work(small))
		}
		if s := seconds(large); !(s > 0 && s < 60) || seconds(ring(20, kind)) != 0 {
			t.Errorf("%s: %v s for 10000 states", kind, s)
		}
	}
	// Rows that list every state do not.
	m := ring(3000, model.Finite)
	full := &model.Kernel{Ptr: []int{0}, Next: make([]int, 3000*m.Pairs())}
	for i := range m.Pairs() {
		full.Ptr = append(full.Ptr, 3000*(i+1))
	}
	m.Kernels = []*model.Kernel{full}
	if n := work(m); n < 8*3000*3000 {
		t.Errorf("%d bytes for a dense model", n)
	}
}

// TestTooLargeIsSaidBefore: a model beyond the engine's memory is judged with the
// reason why no method can run and with what would fit; one that fits is not.
func TestTooLargeIsSaidBefore(t *testing.T) {
	m := ring(1000, model.Finite)
	for _, copies := range []int{1, 30_000} {
		m.Kernels = slices.Repeat(m.Kernels[:1], copies)
		v := value()
		writeSummary(v, m)
		said := strings.Count(string(v.done()), "cannot run here: this problem needs about")
		if why := tooLarge(m); (why != "") != (copies > 1) || copies > 1 && !strings.Contains(why, "need less") {
			t.Errorf("%d kernels: %q", copies, why)
		}
		if want := len(decide.Algorithms()) * min(copies-1, 1); said != want {
			t.Errorf("%d kernels: said of %d methods, want %d", copies, said, want)
		}
	}
}
