package experiment

import (
	"math"

	"rcmdplab/core/evaluate"
)

// Axis is one policy coordinate of a landscape: in one state, the probability
// x of the pair To, the rest 1-x on the pair From (both pairs of that state).
type Axis struct{ From, To int }

// Surface says which function of the policy a landscape shows: the Lagrangian
// of eq:Lagrangian-problem, L_λ(π) = J_{c0,U} + Σ λ_n (J_{cn,U} - b_n), or,
// when Epigraph is set, Δ_{b0}(π) of eq:Delta-def.
type Surface struct {
	Lambda   []float64 // length N
	Epigraph bool      // max(J_0 - B0, J_n - b_n) instead of J_0 + Σ λ_n (J_n - b_n)
	B0       float64   // the epigraph threshold
}

// Value is the surface at the evaluator's policy; grad, when not nil, receives
// a subgradient by pair: the sum over costs for the Lagrangian, the single
// active cost for the epigraph form. work has the same length.
func (f Surface) Value(ev *evaluate.Evaluator, grad, work []float64) float64 {
	if f.Epigraph {
		v, n := ev.Delta(f.B0)
		if grad != nil {
			ev.Gradient(grad, n)
		}
		return v
	}
	v := ev.J[0]
	if grad != nil {
		ev.Gradient(grad, 0)
	}
	for i, l := range f.Lambda {
		if l == 0 {
			continue
		}
		v += l * (ev.J[i+1] - ev.M.B[i+1])
		if grad != nil {
			ev.Gradient(work, i+1)
			for k, g := range work {
				grad[k] += l * g
			}
		}
	}
	return v
}

// Landscape is a function of two policy coordinates on a grid of Side² points,
// row by row: entry j*Side+i is at x = i/(Side-1), y = j/(Side-1). DX and DY
// are the derivatives along the coordinates; Objective and Violation are
// J_{c0,U} and max_n J_{cn,U} - b_n, from which Δ*_{b0} of every b0 follows.
type Landscape struct {
	Side                 int       // points along one edge
	Value, DX, DY        []float64 // Lagrangian or Δ_{b0}, and its slopes
	Objective, Violation []float64 // returns
}

// plane is the two-coordinate slice of the policies around a base policy.
type plane struct {
	ev         *evaluate.Evaluator
	x, y       Axis      // the two coordinates
	pi         []float64 // the policy, by pair; only the coordinates change
	grad, work []float64 // by pair
}

func newPlane(ev *evaluate.Evaluator, base []float64, x, y Axis) *plane {
	n := ev.M.Pairs()
	return &plane{ev, x, y, ev.M.ClonePolicy(base), make([]float64, n), make([]float64, n)}
}

func (p *plane) at(f Surface, x, y float64) (v, dx, dy float64) {
	for _, t := range [2]struct {
		a Axis
		w float64
	}{{p.x, x}, {p.y, y}} {
		m := p.ev.M
		s := m.State[t.a.To]
		clear(p.pi[m.Off[s]:m.Off[s+1]])
		p.pi[t.a.From] = 1 - t.w
		p.pi[t.a.To] = t.w
	}
	p.ev.Evaluate(p.pi)
	v = f.Value(p.ev, p.grad, p.work)
	return v, p.grad[p.x.To] - p.grad[p.x.From], p.grad[p.y.To] - p.grad[p.y.From]
}

// NewLandscape evaluates the surface on side² policies that differ from base
// only in the two axes' states.
func NewLandscape(ev *evaluate.Evaluator, base []float64, x, y Axis, side int, f Surface) Landscape {
	p := newPlane(ev, base, x, y)
	l := Landscape{Side: side}
	for j := range side {
		for i := range side {
			v, dx, dy := p.at(f, float64(i)/float64(side-1), float64(j)/float64(side-1))
			viol, _ := ev.MaxViolation()
			l.Value, l.DX, l.DY = append(l.Value, v), append(l.DX, dx), append(l.DY, dy)
			l.Objective, l.Violation = append(l.Objective, ev.J[0]), append(l.Violation, viol)
		}
	}
	return l
}

// Path follows projected (sub)gradient descent in the two coordinates from
// (x, y): points[2k], points[2k+1] is the k-th point. It ends early where the
// projected step no longer moves.
func Path(ev *evaluate.Evaluator, base []float64, ax, ay Axis, f Surface, x, y, step float64, steps int) (points []float64) {
	p := newPlane(ev, base, ax, ay)
	clamp := func(t float64) float64 { return min(max(t, 0), 1) }
	points = append(points, x, y)
	for range steps {
		_, dx, dy := p.at(f, x, y)
		// Half the coordinate's derivative: projecting (π(to), π(from)) onto
		// the simplex moves the coordinate by that much.
		nx, ny := clamp(x-step*dx/2), clamp(y-step*dy/2)
		if math.Abs(nx-x)+math.Abs(ny-y) < 1e-12 {
			break
		}
		x, y = nx, ny
		points = append(points, x, y)
	}
	return points
}
