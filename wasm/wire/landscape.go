package wire

import (
	"fmt"
	"math"
	"slices"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/experiment"
	"rcmdplab/core/jsontext"
	"rcmdplab/core/model"
)

// view is what a landscape or a path of descent is asked for: two policy
// coordinates and the function of the policy, all by name.
type view struct {
	X, Y axis // the coordinates
	Side int  // landscape: points along one edge

	Lambda   []float64 // Lagrangian multipliers, one per constraint
	Epigraph bool      // Δ_{b0} instead of the Lagrangian
	B0       float64   // the threshold, with Epigraph

	Start []float64 // path: two coordinates, step size, most steps
	Step  float64   // size, times the gradient
	Steps int       // at most
}

// axis is the share of To against From in a state.
type axis struct{ State, From, To string }

func (v *view) read(raw []byte) error {
	return read(raw, jsontext.Fields{"x": v.X.read, "y": v.Y.read, "side": &v.Side,
		"lambda": &v.Lambda, "epigraph": &v.Epigraph, "b0": &v.B0,
		"start": &v.Start, "step": &v.Step, "steps": &v.Steps})
}

func (a *axis) read(v jsontext.Value) error {
	return v.Decode(jsontext.Fields{"state": &a.State, "from": &a.From, "to": &a.To}, nil)
}

// mostSide keeps a landscape below what a person would wait for.
const mostSide, mostSteps = 512, 100000

// readView decodes a view and finds its names in the model.
func readView(raw []byte, m *model.Standard) (v view, x, y experiment.Axis, f experiment.Surface) {
	bad := func(format string, args ...any) { refuse(InvalidOption, fmt.Sprintf(format, args...)) }
	v.Start = []float64{0, 0}
	if v.read(raw) != nil {
		bad("a view is an object with x, y (state, from, to), and lambda or epigraph and b0")
	}
	find := func(name string, at axis) (a experiment.Axis) {
		s := slices.Index(m.Problem.States, at.State)
		if s < 0 {
			bad("%s: there is no state %q", name, at.State)
		}
		pair := func(action string) int {
			i := slices.Index(m.Problem.Actions, action)
			if i < 0 || m.Pair(s, i) < 0 {
				bad("%s: action %q is not available in state %q", name, action, at.State)
			}
			return m.Pair(s, i)
		}
		if a.From, a.To = pair(at.From), pair(at.To); a.From == a.To {
			bad("%s: two different actions are wanted, got %q twice", name, at.To)
		}
		return a
	}
	x, y = find("x", v.X), find("y", v.Y)
	if v.X.State == v.Y.State {
		bad("x and y must be in different states, got %q twice", v.X.State)
	}
	if !v.Epigraph && len(v.Lambda) != m.N {
		bad("lambda: got %d numbers; want one for each of %d constraints", len(v.Lambda), m.N)
	}
	return v, x, y, experiment.Surface{Lambda: v.Lambda, Epigraph: v.Epigraph, B0: v.B0}
}

// viewed opens the problem of part 0 and the view of part 1.
func viewed(parts [][]byte) (ev *evaluate.Evaluator, v view, x, y experiment.Axis, f experiment.Surface) {
	m, _ := problem(part(parts, 0))
	untimed(m, "A landscape")
	v, x, y, f = readView(part(parts, 1), m)
	return evaluator(m), v, x, y, f
}

// landscape evaluates a surface over two policy coordinates; the other states
// follow the uniform policy. Columns: value, dx, dy, objective, violation, row
// by row, in the internal convention of minimised totals.
func (s *Session) landscape(parts [][]byte) []byte {
	ev, v, x, y, f := viewed(parts)
	if v.Side < 2 || v.Side > mostSide {
		refuse(InvalidOption, fmt.Sprintf("side: got %d; want a whole number from 2 to %d", v.Side, mostSide))
	}
	l := experiment.NewLandscape(ev, nil, x, y, v.Side, f)
	return value().int(int64(v.Side)).done(
		Column{Name: "value", Data: l.Value}, Column{Name: "dx", Data: l.DX}, Column{Name: "dy", Data: l.DY},
		Column{Name: "objective", Data: l.Objective}, Column{Name: "violation", Data: l.Violation})
}

// descent follows projected gradient descent over the same two coordinates.
// Column points: x, y of each step in turn.
func (s *Session) descent(parts [][]byte) []byte {
	ev, v, x, y, f := viewed(parts)
	if !(v.Step > 0) || math.IsInf(v.Step, 1) || v.Steps < 1 || v.Steps > mostSteps {
		refuse(InvalidOption, fmt.Sprintf("step must be a positive number and steps a whole number from 1 to %d", mostSteps))
	}
	if len(v.Start) != 2 || slices.ContainsFunc(v.Start, func(t float64) bool { return !(t >= 0 && t <= 1) }) {
		refuse(InvalidOption, "start: want two probabilities")
	}
	points := experiment.Path(ev, nil, x, y, f, v.Start[0], v.Start[1], v.Step, v.Steps)
	return value().int(int64(len(points) / 2)).done(Column{Name: "points", Data: points})
}
