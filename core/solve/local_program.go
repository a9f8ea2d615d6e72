package solve

import (
	"math"

	"rcmdplab/core/lp"
)

// The linear program of Local: its units, its rows, its bounds.

// piece is the linear model of one (cost, kernel) at the present policy.
type piece struct {
	n, p  int       // cost, and number of the evaluator's piece
	value float64   // scaled J, less the scaled threshold for constraints
	grad  []float64 // scaled
}

// unit is the size that returns of cost n near value are divided by.
func (l *Local) unit(n int, value float64) float64 {
	lo, hi := l.m.Bounds(n)
	if size := max(l.m.Scale(n, value), 1e-14*(hi-lo)*l.m.H); size > 0 {
		return size
	}
	return 1
}

// stiffness makes ρ what it is for returns divided by their ranges, where those
// are ordinary: a penalty in the objective is not to make limits sacred.
func (l *Local) stiffness() float64 {
	lo, hi := l.m.Bounds(0)
	return min(max(l.ratio*(hi-lo)*l.m.H*l.u[0], 1e-9), 100)
}

// rescale divides the objective by what it is near now. The program is made anew
// when that changes much: it chooses the scales of its columns only once.
func (l *Local) rescale() {
	u := 1 / l.unit(0, l.ev.J[0])
	if old := l.u[0]; u > 64*old || u < old/64 {
		l.u[0] = u
		l.build()
	}
}

// build makes the program without rows of pieces. Columns: Δ by pair, t, v.
func (l *Local) build() {
	l.modelled = false
	if l.large != nil {
		l.large.best = nil
		return
	}
	n := l.m.Pairs()
	l.prog, l.cols, l.simplex, l.rows = lp.New(n+2), l.cols[:0], 0, 0
	for j := range n + 2 {
		l.cols = append(l.cols, int32(j))
	}
	l.prog.SetBounds(n, math.Inf(-1), math.Inf(1))
	l.prog.SetCost(n, 1)
	l.prog.MaxSteps = int(max(4, recordWork/float64(n*n+1)))
	one := make([]float64, l.m.A)
	for a := range one {
		one[a] = 1
	}
	for s := range l.m.S {
		if a, b := l.m.Off[s], l.m.Off[s+1]; b-a > 1 {
			l.prog.AddRow(l.cols[a:b], one[:b-a], 0, 0)
			l.simplex++
		}
	}
}

// scaled is a piece's excess over the limit, or its return about the centre, as
// the program sees it.
func (l *Local) scaled(n int, x float64) float64 {
	switch {
	case n == 0:
		return l.u[0] * x
	case l.edge[n]:
		return l.u[n]*x - l.tol/2
	}
	return l.u[n]*x + l.margin[n]
}

// model takes pieces and gradients at pi. After a refused step those of a
// finite set are still good; nature's answers to the trial policy are new
// pieces at pi.
func (l *Local) model() {
	if l.modelled && l.fixed {
		return
	}
	if !l.at {
		l.ev.Evaluate(l.pi)
		l.at = true
	}
	l.rescale()
	l.modelled = true
	l.objective, l.violation = l.values()
	pairs, k := l.m.Pairs(), 0
	for p := range l.ev.Pieces() {
		n, x0 := l.ev.PieceExcess(p)
		if l.never[n] {
			continue
		}
		if k < cap(l.pieces) {
			l.pieces = l.pieces[:k+1]
		} else {
			l.pieces = append(l.pieces, piece{})
		}
		x := &l.pieces[k]
		if x.grad == nil {
			x.grad = make([]float64, pairs+2)
		}
		x.n, x.p, x.value = n, p, l.scaled(n, x0)
		if l.large != nil && l.more != nil && !l.left {
			l.left = !l.more()
		}
		l.ev.PieceGradient(x.grad[:pairs], p)
		l.left = l.left || l.ev.Cut()
		l.relative(x.grad[:pairs], l.u[n])
		x.grad[pairs], x.grad[pairs+1] = -1, 0
		if n > 0 {
			x.grad[pairs], x.grad[pairs+1] = 0, -1
		}
		k++
	}
	l.pieces = l.pieces[:k]
}

// From longHorizon on a gradient is large in all actions of a state and its differences
// are not.
const longHorizon = 1e3

// relative scales a gradient and takes off each state's average, which no step
// feels: at long horizons it hides the differences from the program.
func (l *Local) relative(g []float64, scale float64) {
	if l.m.H < longHorizon {
		for i := range g {
			g[i] *= scale
		}
		return
	}
	for s := range l.m.S {
		a, b := l.m.Off[s], l.m.Off[s+1]
		average := 0.0
		for i := a; i < b; i++ {
			average += l.pi[i] * g[i]
		}
		for i := a; i < b; i++ {
			g[i] = scale * (g[i] - average)
		}
	}
}

// setRows writes one row a piece; rows left over from more pieces are freed.
func (l *Local) setRows() {
	if l.large != nil {
		l.constants = l.constants[:0]
		for k := range l.pieces {
			l.constants = append(l.constants, l.pieces[k].value)
		}
		return
	}
	for k := range max(len(l.pieces), l.rows) {
		i := l.simplex + k
		switch {
		case k >= len(l.pieces):
			l.prog.SetRange(i, math.Inf(-1), math.Inf(1))
		case k >= l.rows:
			l.prog.AddRow(l.cols, l.pieces[k].grad, math.Inf(-1), -l.pieces[k].value)
			l.rows++
		default:
			l.prog.SetRow(i, l.cols, l.pieces[k].grad)
			l.prog.SetRange(i, math.Inf(-1), -l.pieces[k].value)
		}
	}
}

// setRegion bounds Δ by the trust region and the simplex.
func (l *Local) setRegion() {
	if l.large != nil {
		return
	}
	for i, p := range l.pi {
		s := l.m.State[i]
		if l.m.Off[s+1]-l.m.Off[s] == 1 || l.closed != nil && l.closed[i] {
			l.prog.SetBounds(i, 0, 0)
			continue
		}
		l.prog.SetBounds(i, max(-p, -l.radius), min(max(1-p, 0), l.radius))
	}
	l.prog.SetCost(l.m.Pairs()+1, l.rho)
}

// correct replaces the value of each piece by the one whose linear model
// passes through the value met at the trial policy. Kernels kept from older
// policies have no value there and stay as they are.
func (l *Local) correct() {
	for k := range l.pieces {
		x := &l.pieces[k]
		if x.p >= l.matched {
			continue
		}
		_, at := l.ev.PieceExcess(x.p)
		slope := 0.0
		for i := range l.trial {
			slope += x.grad[i] * (l.trial[i] - l.pi[i])
		}
		if l.large != nil {
			l.constants[k] = l.scaled(x.n, at) - slope
			continue
		}
		l.prog.SetRange(l.simplex+k, math.Inf(-1), slope-l.scaled(x.n, at))
	}
}

func (l *Local) solve() lp.Status {
	if l.left {
		return lp.Stalled
	}
	l.solves++
	if l.large != nil {
		l.large.closed, l.large.more = l.closed, l.more
		if l.large.solve(l.pieces, l.constants, l.pi, l.rho, l.radius) {
			return lp.Optimal
		}
		l.left = l.left || l.large.left
		return lp.Stalled
	}
	before := l.prog.Steps
	st := l.prog.Solve()
	for st == lp.Paused {
		if l.more != nil && !l.more() {
			l.left = true
			return lp.Stalled
		}
		st = l.prog.Solve()
	}
	l.work += float64(l.prog.Steps-before) * float64(l.m.Pairs()*l.m.Pairs())
	return st
}
