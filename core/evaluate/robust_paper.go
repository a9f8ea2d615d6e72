package evaluate

import (
	"math"

	"rcmdplab/core/uncertainty"
	"rcmdplab/core/vector"
)

// paper is the paper's printed KL update (algo:KL-oracle, eq:regularized-DP-KL),
//
//	V = F(V),  F(V)(s) = Σ_a π(s,a) (c(s,a) + γ ⟨P*, V⟩),  P* ∝ P e^{V/τ},
//
// which leaves the price of the tilt out of nature's objective. F is no
// contraction: it may have several fixed points, or cycle. The reading taken is
// the limit of V ← F(V) from V = 0.
//
// Since F(V + k) = F(V) + γ k for every constant k, what matters of an iterate
// is its difference between states; iterating on that alone gives the same limit
// in tens of sweeps where V itself takes thousands. From one policy to the next
// the fixed point is tracked by Newton's method with the derivative of the tilt,
//
//	∂⟨P*, V⟩/∂V_j = P*_j (1 + (V_j - ⟨P*, V⟩)/τ),
//
// and accepted while it is stable under F and has moved little; otherwise, and
// every retrack evaluations, it is found from V = 0 again.
type paper struct {
	*rectangular
	since  int       // evaluations since all costs were found from V = 0
	slope  *response // rows P*, at which derivatives are taken
	w, x   []float64 // work by state
	said   []string  // what the next Warnings says, sentences
	cycled []bool    // by cost: already said
	steep  []float64 // by cost: largest row sum of |∂F| at the last derivative taken

	now, last, before []float64  // iterates of limit
	extent            *Evaluator // the largest return any kernel on the support gives; made when asked
}

// retrack is how often tracking is given up on purpose, so that a fixed point
// other than that of V = 0 is not followed for long.
const retrack = 256

func newPaper(r *rectangular) *paper {
	k := &paper{rectangular: r, since: retrack, slope: r.newResponse(), cycled: make([]bool, r.m.N+1), steep: make([]float64, r.m.N+1)}
	r.set = uncertainty.NewTilt(r.m, 1)
	if r.onward != nil {
		r.onward = uncertainty.NewTilt(r.m, r.m.Gamma)
	}
	for _, x := range []*[]float64{&k.w, &k.x, &k.now, &k.last, &k.before} {
		*x = make([]float64, r.m.S)
	}
	return k
}

func (k *paper) evaluate(pi []float64) {
	k.load(pi)
	track := k.since < retrack
	if !track {
		k.since = 0
	}
	k.since++
	for _, f := range k.faces {
		if !k.started {
			k.nominal(f)
		}
		f.occupied = false
		if !(track && k.track(f)) {
			if !k.fromZero(f) {
				continue
			}
		}
		k.arrive(f)
	}
	k.started = true
}

// temperature is τ in units of z for cost n.
func (k *paper) temperature(n int) float64 {
	t := k.m.Problem.Uncertainty.Temperature
	if k.m.CNext[n] != nil {
		t *= k.m.Gamma
	}
	return t
}

// sweep writes F(v) to dst and its tilted rows to the answer of f.
func (k *paper) sweep(dst []float64, f *face, v []float64) {
	m := k.m
	to := k.spare
	to.begin(f.is)
	k.set.Begin(v)
	for s := range m.S {
		t := 0.0
		for i := m.Off[s]; i < m.Off[s+1]; i++ {
			if w := k.pi[i]; w != 0 {
				t += w * k.answer(to, f.n, i, v).Value
			} else {
				to.keep(f.is, i)
			}
		}
		dst[s] = t
	}
	f.is, k.spare = k.spare, f.is
}

// exactness is the residual that the tolerance asks for, or rounding allows.
func (k *paper) exactness(n int, v []float64) float64 {
	lo, hi := k.ends[n][0], k.ends[n][1]
	return max(k.tolerance*(hi-lo)/4, 64*u*(vector.Largest(v)+max(hi, -lo)))
}

// newton runs Newton's method from f.v and reports whether it ended at a fixed
// point; f.is then is the tilt there.
func (k *paper) newton(f *face) bool {
	const steps = 12
	for step := 0; ; step++ {
		k.sweep(k.w, f, f.v)
		res := 0.0
		for s, t := range k.w {
			k.w[s] = t - f.v[s]
			res = max(res, math.Abs(k.w[s]))
		}
		if res <= k.exactness(f.n, f.v) {
			return true
		}
		if step == steps || math.IsNaN(res) || math.IsInf(res, 0) {
			return false
		}
		k.derive(f)
		y := k.systems[f.slot%len(k.systems)]
		k.holds[f.slot%len(k.systems)] = nil
		y.Load(k.m.Layout, k.pi, k.slope.ker)
		y.Factor()
		y.Solve(k.w)
		for s, t := range k.w {
			f.v[s] += t
		}
	}
}

// derive writes the derivative of the tilt at f.v.
func (k *paper) derive(f *face) {
	m, to, theta := k.m, k.slope, k.temperature(f.n)
	to.begin(f.is)
	steep := 0.0
	for s := range m.S {
		sum := 0.0
		for i := m.Off[s]; i < m.Off[s+1]; i++ {
			to.keep(f.is, i)
			w := k.pi[i]
			if w == 0 || theta == 0 {
				sum += w
				continue
			}
			next, _ := f.is.ker.Row(i)
			_, p := to.ker.Row(i)
			z := k.z[:len(p)]
			mean := 0.0
			for j, u := range next {
				z[j] = f.v[u]
				if c := m.CNext[f.n]; c != nil {
					z[j] = c[i*m.S+u] + m.Gamma*f.v[u]
				}
				mean += p[j] * z[j]
			}
			for j, y := range z {
				p[j] *= 1 + (y-mean)/theta
				sum += w * math.Abs(p[j])
			}
		}
		steep = max(steep, sum)
	}
	k.steep[f.n] = m.Gamma * steep
}

// stable reports whether F contracts towards the fixed point f.v from nearby.
func (k *paper) stable(f *face) bool {
	// In the largest entry it does when no derivative is much below 0; the
	// derivative at hand was taken at most one step of Newton's method away.
	if k.steep[f.n] < 1 {
		return true
	}
	m := k.m
	k.derive(f)
	// Otherwise by the growth of a small disturbance.
	const rounds = 60
	for s := range k.x {
		k.x[s] = math.Cos(float64(3*s + 1))
	}
	size := 0.0
	for round := range rounds {
		if round == rounds/2 {
			size = vector.Largest(k.x)
		}
		for s := range m.S {
			t := 0.0
			for i := m.Off[s]; i < m.Off[s+1]; i++ {
				next, p := k.slope.ker.Row(i)
				for j, u := range next {
					t += k.pi[i] * p[j] * k.x[u]
				}
			}
			k.w[s] = m.Gamma * t
		}
		k.x, k.w = k.w, k.x
	}
	return vector.Largest(k.x) < size
}

// limit iterates V ← F(V) from f.v up to constants. When the iterates settle f.v
// is the fixed point and f.is its tilt. When they do not it returns the ends
// between which ⟨μ, V⟩ keeps moving, f.v being an iterate at the upper one.
func (k *paper) limit(f *face) (lo, hi float64, ok bool) {
	const (
		sweeps = 20000
		first  = 32 // sweeps before Newton is tried; then at every doubling
	)
	m, v := k.m, k.now
	copy(v, f.v)
	copy(k.last, v)
	step := math.Inf(1)
	try := first
	for n := 1; n <= sweeps; n++ {
		copy(k.before, k.last)
		copy(k.last, v)
		k.sweep(v, f, k.last)
		shift := v[0] - k.last[0] // keep the first state where it is
		for s := range v {
			v[s] -= shift
		}
		oldStep := step
		step = apart(v, k.last)
		size := vector.Largest(v) + math.Abs(shift)
		if step <= 64*u*size {
			k.level(f.v, v, f)
			if !k.newton(f) { // rounding
				k.sweep(k.x, f, f.v)
			}
			return 0, 0, true
		}
		if n >= 3 && apart(v, k.before) <= 1e-9*step && step > 1e-6*size {
			break // period two
		}
		if n < try {
			continue
		}
		try *= 2
		// Newton from here, if it ends where the iterates are heading: at their
		// geometric extrapolation.
		k.level(f.v, v, f)
		if k.newton(f) && k.stable(f) {
			rate := min(step/oldStep, m.Gamma)
			ahead := rate / (1 - rate)
			for s := range k.x {
				k.x[s] = v[s] + (v[s]-k.last[s])*ahead
			}
			if apart(f.v, k.x) <= step*(1+ahead)/2 {
				return 0, 0, true
			}
		}
	}
	return k.moving(f)
}

// arrive sets the return at the fixed point f.v, whose tilt is f.is, and the
// bound on its distance from the return under that kernel.
func (k *paper) arrive(f *face) {
	m := k.m
	k.holds[f.slot%len(k.systems)] = nil
	copy(k.x, f.v)
	lo, up, noise := 0.0, 0.0, 0.0
	for s := range m.S {
		t := 0.0
		for i := m.Off[s]; i < m.Off[s+1]; i++ {
			if w := k.pi[i]; w != 0 {
				next, p := f.is.ker.Row(i)
				q := f.is.r[i]
				for j, u := range next {
					q += m.Gamma * p[j] * f.v[u]
				}
				t += w * q
			}
		}
		lo, up = min(lo, t-f.v[s]), max(up, t-f.v[s])
		noise = max(noise, math.Abs(t), math.Abs(f.v[s]))
	}
	noise *= u * float64(4*(m.A+4)+2*(k.Widest+2))
	f.j = dot(m.Mu, f.v)
	k.e.J[f.n], k.e.ErrorBound[f.n] = f.j, k.bracket(f, lo, up, noise, k.rest())
}
