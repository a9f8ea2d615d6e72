package structured

import (
	"math"
	"slices"

	"rcmdplab/core/model"
)

// Tolerance is the violation that counts as none, as a share of Standard.Scale.
const Tolerance = 1e-9

// Known is what is sure of a problem's answer, in the internal convention.
type Known struct {
	// No policy that meets the limits within Tolerance costs less; -Inf when
	// nothing is known.
	Low float64

	// A stationary policy that meets every limit costs this; +Inf when none is
	// known.
	High float64

	// Exact says that Low and High differ by rounding and Tolerance alone.
	Exact bool

	// Infeasible is by how much every policy violates some limit at least, as a
	// share of Standard.Scale; 0 when that is not known to be above Tolerance.
	Infeasible float64
}

// Know works out what is sure of a problem.
func Know(p *model.Problem) Known {
	w := newWorst(p.Standard())
	k := know(p.Standard(), w)
	k.Low += w.base[0]
	k.High += w.base[0]
	return k
}

func know(problem *model.Standard, w *worst) Known {
	m := w.m
	k := Known{Low: math.Inf(-1), High: math.Inf(1)}
	for n := 1; n <= m.N; n++ {
		// For a finite set the least return is a bound, too.
		v := (w.leastReturn(n) - m.B[n]) / size(problem, n)
		if v > 10*Tolerance && v > k.Infeasible {
			k.Infeasible = v
		}
	}
	kernels, all := members(m)
	for _, kernel := range kernels {
		low, violation := alone(problem, m, kernel, Tolerance)
		k.Low = max(k.Low, low)
		if violation > 10*Tolerance {
			k.Infeasible = max(k.Infeasible, violation)
		}
	}
	if k.Infeasible > 0 {
		k.Low = math.Inf(1)
		return k
	}
	if m.N == 0 && m.Kernels == nil {
		k.High = w.leastReturn(0)
		k.Low, k.Exact = k.High, true
		return k
	}
	if all && len(kernels) == 1 {
		if high, _ := alone(problem, m, kernels[0], 0); !math.IsInf(high, 0) {
			k.High, k.Exact = high, true
			return k
		}
	}
	k.Low = max(k.Low, w.leastReturn(0))
	for _, pi := range sample(m) {
		if j := w.returns(pi); w.violation(problem, j) <= 0 {
			k.High = min(k.High, j[0])
		}
	}
	return k
}

// members are kernels of the set, each once, and whether there is no other.
func members(m *model.Standard) (kernels []*model.Kernel, all bool) {
	u := &m.Problem.Uncertainty
	switch {
	case m.Kernels != nil:
		for _, k := range m.Kernels {
			if !slices.ContainsFunc(kernels, func(o *model.Kernel) bool { return same(m, o, k) }) {
				kernels = append(kernels, k)
			}
		}
		return kernels, true
	case u.Kind == model.Interval:
		if !same(m, u.Lower, u.Upper) {
			return nil, false
		}
		return []*model.Kernel{u.Lower}, true
	case u.Kind == model.KLRegularized:
		return []*model.Kernel{m.NormalisedNominal()}, false
	}
	none := true
	for i := range m.Pairs() {
		if len(u.Radius) == 1 {
			none = u.Radius[0] == 0
			break
		}
		none = none && u.Radius[m.State[i]*m.A+m.Act[i]] == 0
	}
	return []*model.Kernel{m.NormalisedNominal()}, none
}

func same(m *model.Standard, a, b *model.Kernel) bool {
	x, y := dense(m, a), dense(m, b)
	for i := range x {
		if !slices.Equal(x[i], y[i]) {
			return false
		}
	}
	return true
}

// alone is the optimum when nature has the one kernel, with every limit eased
// by the share: the least over mixtures of deterministic policies, whose
// returns are the corners of what stationary policies reach. Where no mixture
// meets the limits it is +Inf, with the least violation as a share of
// Standard.Scale where one limit alone shows it. Where there are too many
// policies to say it is -Inf.
func alone(problem, m *model.Standard, kernel *model.Kernel, ease float64) (optimum, violation float64) {
	const most = 4096
	policies := somePolicies(m, most+1)
	if len(policies) > most || m.N > 2 {
		return math.Inf(-1), 0
	}
	rows := dense(m, kernel)
	b := make([]float64, m.N+1)
	for n := 1; n <= m.N; n++ {
		b[n] = m.B[n] + ease*size(problem, n)
	}
	var corners [][]float64
	for _, pi := range policies {
		j := make([]float64, m.N+1)
		for n := range j {
			j[n] = dot(m.Mu, fixed(m, pi, rows, n, nil))
			// Returns apart by rounding alone are one; a limit exactly at the least is met.
			if n > 0 && math.Abs(j[n]-b[n]) <= 1e-14*math.Abs(b[n]) {
				j[n] = b[n]
			}
		}
		corners = undominated(corners, j)
	}
	if m.N == 2 && len(corners) > 80 {
		return math.Inf(-1), 0
	}
	optimum = mixed(corners, b)
	if math.IsInf(optimum, 1) {
		for n := 1; n <= m.N; n++ {
			least := math.Inf(1)
			for _, j := range corners {
				least = min(least, j[n])
			}
			violation = max(violation, (least-m.B[n])/size(problem, n))
		}
	}
	return optimum, violation
}

// undominated adds j unless another is as good in everything, and drops those
// that j makes useless.
func undominated(all [][]float64, j []float64) [][]float64 {
	better := func(a, b []float64) bool {
		for n := range a {
			if a[n] > b[n] {
				return false
			}
		}
		return true
	}
	if slices.ContainsFunc(all, func(a []float64) bool { return better(a, j) }) {
		return all
	}
	return append(slices.DeleteFunc(all, func(a []float64) bool { return better(j, a) }), j)
}

// mixed is the least first return of a mixture of up to N+1 of the corners
// whose others are at most b, for N <= 2.
func mixed(corners [][]float64, b []float64) float64 {
	best := math.Inf(1)
	meets := func(n int, x float64) bool { return x <= b[n]+1e-14*math.Abs(b[n]) }
	offer := func(active []int, parts [][]float64, weights []float64) {
		j := make([]float64, len(b))
		for n := range j {
			for k, part := range parts {
				j[n] += weights[k] * part[n]
			}
			if n > 0 && !slices.Contains(active, n) && !meets(n, j[n]) {
				return
			}
		}
		best = min(best, j[0])
	}
	n := len(b) - 1
	for a, x := range corners {
		offer(nil, [][]float64{x}, []float64{1})
		for c, y := range corners[:a] {
			for i := 1; i <= n; i++ { // limit i exactly met
				if (x[i]-b[i])*(y[i]-b[i]) < 0 {
					between := y[i] - x[i] // neither weight is 1 less the other, which may be tiny
					offer([]int{i}, [][]float64{x, y}, []float64{(y[i] - b[i]) / between, (b[i] - x[i]) / between})
				}
			}
			if n < 2 {
				continue
			}
			for _, z := range corners[:c] { // both
				x1, x2 := x[1]-z[1], x[2]-z[2]
				y1, y2 := y[1]-z[1], y[2]-z[2]
				d := x1*y2 - x2*y1
				if d == 0 {
					continue
				}
				s := ((b[1]-z[1])*y2 - (b[2]-z[2])*y1) / d
				t := (x1*(b[2]-z[2]) - x2*(b[1]-z[1])) / d
				if s >= 0 && t >= 0 && s+t <= 1 {
					offer([]int{1, 2}, [][]float64{x, y, z}, []float64{s, t, 1 - s - t})
				}
			}
		}
	}
	return best
}

// sample is policies to try: some deterministic ones, the uniform one, and
// those half way between.
func sample(m *model.Standard) [][]float64 {
	all := append(somePolicies(m, 8), m.Uniform())
	for k := range len(all) - 1 {
		half := slices.Clone(all[k])
		for i, x := range all[k+1] {
			half[i] = (half[i] + x) / 2
		}
		all = append(all, half)
	}
	return all
}
