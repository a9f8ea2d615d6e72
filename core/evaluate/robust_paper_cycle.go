package evaluate

import (
	"fmt"
	"math"

	"rcmdplab/core/model"
)

// track follows the fixed point of the last policy.
func (k *paper) track(f *face) bool {
	copy(k.guess, f.v)
	if !k.newton(f) {
		copy(f.v, k.guess)
		return false
	}
	if apart(f.v, k.guess) > k.temperature(f.n)/2 || !k.stable(f) {
		copy(f.v, k.guess)
		return false
	}
	return true
}

// apart is how far two value functions are from differing by a constant.
func apart(v, w []float64) float64 {
	lo, hi := math.Inf(1), math.Inf(-1)
	for s, x := range v {
		lo, hi = min(lo, x-w[s]), max(hi, x-w[s])
	}
	return hi - lo
}

// fromZero finds the limit of V ← F(V) from V = 0. It reports false, having
// said so and set the return, when there is none.
func (k *paper) fromZero(f *face) bool {
	clear(f.v)
	lo, hi, ok := k.limit(f)
	if ok {
		return true
	}
	if !k.cycled[f.n] {
		k.cycled[f.n] = true
		k.said = append(k.said, fmt.Sprintf("cost %q: the paper's update does not converge for some policy of the run: "+
			"from V = 0 it ends up moving between J = %.5g and J = %.5g (amplitude %.4g); the larger is reported",
			k.m.CostName(f.n), k.shown(f.n, lo), k.shown(f.n, hi), k.shown(f.n, hi)-k.shown(f.n, lo)))
	}
	k.e.J[f.n], f.j = hi, hi
	k.e.ErrorBound[f.n] = hi - lo
	return false
}

// shown is a return of the centred cost as the person's number.
func (k *paper) shown(n int, j float64) float64 { return k.e.M.Present(n, k.e.total(n, j)) }

// moving finds between which returns the iterates k.now, which do not settle, keep
// moving. F² moves the constant part by γ², so two sweeps put a cycle of period
// two at rest; the ends of anything else are those of a stretch of sweeps.
func (k *paper) moving(f *face) (lo, hi float64, ok bool) {
	const stretch = 64
	v := k.now
	copy(k.last, v)
	k.sweep(k.before, f, k.last)
	k.sweep(k.x, f, k.before)
	drift := 0.0
	for s, x := range k.x {
		drift += (x - k.last[s]) / float64(len(v))
	}
	for s := range v {
		v[s] += drift / (1 - k.m.Gamma*k.m.Gamma)
	}
	lo, hi = math.Inf(1), math.Inf(-1)
	for range stretch {
		j := dot(k.m.Mu, v)
		lo = min(lo, j)
		if j > hi {
			hi = j
			copy(f.v, v)
		}
		copy(k.last, v)
		k.sweep(v, f, k.last)
	}
	k.sweep(k.x, f, f.v)
	return lo, hi, false
}

// level writes v plus the constant that best makes it a fixed point.
func (k *paper) level(dst, v []float64, f *face) {
	copy(k.x, v)
	k.sweep(k.w, f, k.x)
	t := 0.0
	for s, x := range k.w {
		t += (x - v[s]) / float64(len(v))
	}
	t /= k.m.Rest
	for s, x := range v {
		dst[s] = x + t
	}
}

// Warnings says what is wrong with the paper's KL update: cycles met in any
// evaluation so far, and, checked for the last policy, a second fixed point.
// It is empty for every other kind of set. The check iterates the update from
// the largest values that any kernel on the nominal support gives, which bound
// every fixed point from above; constants such as H max c would not do, because
// the update carries them along.
func (e *Evaluator) Warnings() []string {
	k, ok := e.inner.(*paper)
	if !ok {
		return nil
	}
	return append(k.said[:len(k.said):len(k.said)], k.second()...)
}

func (k *paper) second() []string {
	m := k.m
	if k.extent == nil {
		// Contamination by the share 1 lets nature send all mass to any successor.
		p, q := *m.Problem, *m
		q.Problem = &p
		nominal := &model.Kernel{Ptr: make([]int, 1)}
		for i := range m.Pairs() {
			nominal.AddNonzero(p.Uncertainty.Nominal.Row(i))
		}
		p.Uncertainty = model.Uncertainty{Kind: model.Contamination, Nominal: nominal, Radius: []float64{1}}
		var err error
		if k.extent, err = New(&q); err != nil {
			panic("evaluate: " + err.Error())
		}
	}
	k.extent.Evaluate(k.pi)
	var said []string
	for n, f := range k.faces {
		above := &face{n: n, slot: f.slot, is: k.newResponse(), v: make([]float64, m.S)}
		k.nominal(above)
		k.extent.Values(above.v, n)
		k.holds[f.slot%len(k.holds)] = nil
		lo, hi, ok := k.limit(above)
		if ok {
			lo = dot(m.Mu, above.v)
			hi = lo
		}
		if d := max(math.Abs(lo-f.j), math.Abs(hi-f.j)); ok && d <= 1e-6*math.Abs(f.j)+1e-9*m.H || !ok && k.cycled[n] {
			continue
		}
		said = append(said, fmt.Sprintf("cost %q: the paper's update has more than one limit at this policy: from V = 0 it gives J = %.5g (reported), from the largest values J = %.5g",
			m.CostName(n), k.shown(n, f.j), k.shown(n, hi)))
	}
	return said
}
