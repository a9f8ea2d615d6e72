package evaluate

import (
	"math"

	"rcmdplab/core/model"
	"rcmdplab/core/uncertainty"
)

// weightedSets makes the set of a regularised problem for a total weight.
type weightedSets struct {
	m      *model.Standard
	weight float64 // of set: Σ_n w_n, which multiplies the price of KL
	set    uncertainty.Set
}

func (w *weightedSets) of(weight float64) uncertainty.Set {
	if w.set == nil || w.weight != weight {
		set, err := uncertainty.NewWeighted(w.m, weight)
		if err != nil {
			panic("evaluate: " + err.Error()) // the evaluator has made one
		}
		w.set, w.weight = set, weight
	}
	return w.set
}

// NewSaddle makes the work space: for one kernel, or with nil for the
// rectangular set of the evaluator's problem. It gives nil where there is no
// such operator: a finite set, or the paper's update, which is no maximum.
func (e *Evaluator) NewSaddle(k *model.Kernel) *Saddle {
	if k != nil {
		x := NewKernelSaddle(e.M, k)
		x.KeepPace(e)
		return x
	}
	r, ok := e.inner.(*rectangular)
	if !ok {
		return nil
	}
	x := r.newSaddle()
	x.KeepPace(e)
	return x
}

func newSaddle(m *model.Standard) *Saddle {
	x := &Saddle{
		m: m, w: make([]float64, m.N+1), flat: make([]float64, m.Pairs()),
		V: make([]float64, m.S), TV: make([]float64, m.S), Choice: make([]int, m.S), rows: make([]int, m.S),
	}
	copy(x.Choice, m.Off)
	return x
}

// NewKernelSaddle is NewSaddle for one kernel; costs of the next state are averaged
// over its rows.
func NewKernelSaddle(m *model.Standard, k *model.Kernel) *Saddle {
	x := newSaddle(m)
	x.ker, x.fixed, x.widest = k, true, widest(k)
	x.reward, x.paid = make([]float64, m.Pairs()), make([]float64, m.Pairs())
	x.system = NewSystemFor(m.Layout, m.Gamma, len(k.Next))
	return x
}

func (r *rectangular) newSaddle() *Saddle {
	m := r.e.M // costs as they are, for its values are
	x := newSaddle(m)
	x.op, x.fixed, x.widest = &operator{set: r.set, onward: r.onward}, r.fixed, r.widest
	x.z, x.prob = make([]float64, r.widest), make([]float64, r.widest)
	x.system = NewSystemFor(m.Layout, m.Gamma, r.entries)
	if !r.fixed {
		x.nominal = m.NormalisedNominal()
		x.ker = &model.Kernel{Ptr: make([]int, 1, m.S+1)}
		x.reward, x.paid = make([]float64, m.S), make([]float64, m.S)
		for s := range x.rows {
			x.rows[s] = s
		}
		return x
	}
	x.ker = &model.Kernel{Ptr: r.ptr, Next: r.next, Prob: make([]float64, len(r.next))}
	x.reward, x.paid = make([]float64, m.Pairs()), make([]float64, m.Pairs())
	for i := range m.Pairs() {
		r.set.Nominal(x.ker.Prob[r.ptr[i]:r.ptr[i+1]], i)
	}
	return x
}

func widest(k *model.Kernel) int {
	n := 0
	for i := range len(k.Ptr) - 1 {
		n = max(n, k.Ptr[i+1]-k.Ptr[i])
	}
	return n
}

// Weigh begins a new search, for the cost Σ_n w_n c_n, w >= 0 of length N+1,
// until the gap between its two bounds is at most gap. V and Choice, which may
// be written to before, are where it starts.
func (x *Saddle) Weigh(w []float64, gap float64) {
	m := x.m
	copy(x.w, w)
	clear(x.flat)
	x.onward, x.span, x.most = false, 0, 0
	lowest, highest, total := 0.0, 0.0, 0.0
	for n, weight := range w {
		if weight == 0 {
			continue
		}
		total += weight
		lo, hi := m.Bounds(n)
		lowest, highest = lowest+weight*lo, highest+weight*hi
		switch {
		case m.CNext[n] == nil:
			for i, c := range m.C[n] {
				x.flat[i] += weight * c
			}
		case x.op == nil:
			for i, c := range m.ExpectedCost(n, x.ker) {
				x.flat[i] += weight * c
			}
		default:
			x.onward = true
		}
	}
	x.span, x.most = highest-lowest, max(highest, -lowest)
	x.price(total)
	x.begin(gap)
}

// Charge is Weigh for a cost given by pair, under one kernel.
func (x *Saddle) Charge(cost []float64, gap float64) {
	copy(x.flat, cost)
	x.onward = false
	lowest, highest := math.Inf(1), math.Inf(-1)
	for _, c := range cost {
		lowest, highest = min(lowest, c), max(highest, c)
	}
	x.span, x.most = highest-lowest, max(highest, -lowest)
	x.begin(gap)
}

// price makes the set of a regularised problem for the total weight.
func (x *Saddle) price(total float64) {
	m := x.m
	if x.op != nil && m.Problem.Uncertainty.Kind == model.KLRegularized {
		if x.set == nil {
			x.set = &weightedSets{m: m}
		}
		if x.onward {
			total *= m.Gamma
		}
		x.op.set, x.op.onward = x.set.of(total), x.set.of(total)
		if x.total > 0 {
			for i := range x.paid {
				x.paid[i] *= total / x.total
			}
		}
		x.total = total
	}
}

func (x *Saddle) begin(gap float64) {
	x.aim = gap
	x.best, x.doubled, x.swept, x.patience = math.Inf(1), 0, false, 0
	x.stage = choosing
	if x.Sweeps == 0 && x.op != nil {
		x.stage, x.sweeps = sweeping, first
	}
}
