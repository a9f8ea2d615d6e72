package bound

import (
	"math"
	"slices"

	"rcmdplab/core/proof"
)

// Step does a piece of work, some states of it. It reports whether a round is
// over, and Bound may have risen.
func (x *RaySearch) Step() (round bool) {
	last := min(x.state+max(1, someNodes/len(x.t)), x.m.S)
	switch x.stage {
	case adding:
		if x.add() {
			x.lift()
			x.stage = lifting
		}
	case lifting:
		n := max(0, len(x.raised)-someNodes/16)
		for _, y := range x.raised[n:] {
			x.blend(y.state, y.ray, y.a, y.b)
		}
		if x.raised = x.raised[:n]; n == 0 {
			if x.judge(); len(x.marks) == 0 {
				x.marks = append(x.marks, x.bound)
			}
			x.begin(playing)
			return true
		}
	case playing:
		if x.state == 0 {
			x.turn()
		}
		for ; x.state < last; x.state++ {
			x.play(x.state)
		}
		if x.state == x.m.S {
			x.nodes.share, x.nodes.flow = x.nodes.flow, x.nodes.share
			if x.state, x.turns = 0, x.turns-1; x.turns == 0 {
				x.begin(improving)
			}
		}
	case improving, settling:
		x.sweep(last)
		if x.state == x.m.S {
			x.sweeps++
			switch x.state = 0; {
			case x.stage == improving:
				x.stage = settling
			case x.sweeps%4 == 0:
				return x.conclude()
			}
		}
	case weighing:
		for ; x.state < last; x.state++ {
			x.weighState(x.state)
		}
		if x.state == x.m.S {
			if x.grow(); !x.done {
				return false
			}
			x.begin(playing)
		}
	}
	return false
}

// begin turns to a stage.
func (x *RaySearch) begin(stage rayStage) {
	if x.stage, x.state = stage, 0; stage == playing {
		x.turns = 4
		if x.rounds == 0 {
			x.turns = 60
		}
		x.rounds++
	}
}

// conclude ends a round.
func (x *RaySearch) conclude() bool {
	before := x.bound
	x.judge()
	x.rise = x.bound - before
	if x.sweeps >= 12 && x.rise <= .1*(x.bound-x.marks[len(x.marks)-1]) {
		x.worth = make([]float64, len(x.t)-1)
		x.begin(weighing)
	} else {
		x.begin(playing)
	}
	return true
}

// sweep goes over the states up to the last.
func (x *RaySearch) sweep(last int) {
	few := max(1e-5*x.rise, 1e-14*x.span)
	for ; x.state < last; x.state++ {
		s := x.state
		if x.sweeps%2 == 0 {
			s = x.m.S - 1 - s
		}
		for k := range x.t {
			if at := s*len(x.t) + k; x.nodes.rows[at] >= 0 && x.nodes.share[at] > seldom {
				x.update(s, k, few)
			}
		}
	}
}

// Bound is what the present values prove, but for rounding.
func (x *RaySearch) Bound() float64 { return x.bound }

// Done reports whether nothing is left to do, or no room, or little to hope for:
// rays near the start are close to each other, and those last added, twice in
// turn, have brought less than a fiftieth of what is missing; at discount 1 a thousandth.
func (x *RaySearch) Done(missing float64) bool {
	n, k := len(x.marks), max(1, min(x.start, len(x.t)-3))
	if x.done || n <= 3 {
		return x.done
	}
	near, little := closeBy, missing/50
	if x.m.Total() { // where no boxes follow
		near, little = near/4, little/20
	}
	return placeOf(x.t[k+1])-placeOf(x.t[k]) <= near && max(x.marks[n-1]-x.marks[n-2], x.marks[n-2]-x.marks[n-3]) < little
}

// Rays is how many there are.
func (x *RaySearch) Rays() int { return len(x.t) }

// judge finds the best ray to start on, less what a check of it may lose by
// rounding.
func (x *RaySearch) judge() {
	for k, t := range x.t[:len(x.t)-1] {
		v := 0.0
		for s, p := range x.m.Mu {
			if p > 0 {
				v += p * x.nodes.v[s*len(x.t)+k]
			}
		}
		lost := 1e-14 * x.m.H * (x.size[0] + t/(1-t)*x.size[1])
		if x.m.Total() {
			lost = 0
		}
		if b := (v-t*x.limit[1])/(1-t) - x.limit[0] + x.base[0] - lost; b > x.bound {
			x.bound, x.start = b, k
		}
	}
}

// turn begins another step of play. In the first rounds it starts on all rays,
// later on the best and those beside it.
func (x *RaySearch) turn() {
	clear(x.nodes.flow)
	for k, t := range x.t {
		if t > 0 && t < 1 && (x.rounds < 4 || k >= x.start-2 && k <= x.start+2) {
			for s, p := range x.m.Mu {
				x.nodes.flow[s*len(x.t)+k] = x.begins * p
			}
		}
	}
	x.done = x.done || len(x.pool) > mostRows
}

// play follows the choices of a state and nature's rows, and wakes the state
// where play came to.
func (x *RaySearch) play(s int) {
	n := len(x.t)
	if x.m.Total() && x.m.Absorbs(s) {
		return
	}
	for k := 1; k < n-1; k++ {
		if x.nodes.share[s*n+k] <= seldom {
			continue
		}
		if x.nodes.rows[s*n+k] < 0 {
			x.wake(s, k)
		}
		x.lead(s, k, func(s, c int, part, mass float64) {
			x.nodes.flow[s*n+c] += (1 - part) * mass
			x.nodes.flow[s*n+c+1] += part * mass
		})
	}
}

// lead says where the choice of state s on ray k leads: to which states, in which
// cells, how far from its lower ray to its upper one, how often.
func (x *RaySearch) lead(s, k int, to func(s, c int, part, mass float64)) {
	at := s*len(x.t) + k
	i := int(x.nodes.choice[at])
	p, q := x.rowsOf(i, k)
	for j, s := range x.next[x.ptr[i]:x.ptr[i+1]] {
		b0, b1 := (1-x.t[k])*p[j], x.t[k]*q[j]
		if n := b0 + b1; n > 0 {
			c := x.cell(b1/n, k)
			to(s, c, (b1/n-x.t[c])*x.inv[c], n*x.m.Gamma*x.nodes.share[at])
		}
	}
}

// weighState adds up what interpolation may lose where a state leads.
func (x *RaySearch) weighState(s int) {
	n := len(x.t)
	for k := 1; k < n-1; k++ {
		if at := s*n + k; x.nodes.rows[at] >= 0 && x.nodes.share[at] > seldom {
			x.lead(s, k, func(s, c int, part, mass float64) { x.worth[c] += mass * x.loss(s, c, part) })
		}
	}
}

// grow adds rays in the cells where most may be lost, half as many as there are.
func (x *RaySearch) grow() {
	x.marks, x.sweeps = append(x.marks, x.bound), 0
	n, worth := len(x.t), x.worth
	order := make([]int, n-1)
	for c := range order {
		order[c] = c
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case worth[a] > worth[b]:
			return -1
		case worth[a] < worth[b]:
			return 1
		}
		return 0
	})
	rays := slices.Clone(x.t)
	for _, c := range order[:min(max(2, n/2), n-1)] {
		if place, ok := x.middle(c); ok && worth[c] > 0 && len(rays) < mostRays {
			rays = append(rays, ray(place))
		}
	}
	if len(rays) == n {
		x.done = true
		return
	}
	x.state = 0
	slices.Sort(rays)
	x.spread(rays)
}

// middle is the place of the grid in the middle of a cell.
func (x *RaySearch) middle(c int) (place int, ok bool) {
	switch n := len(x.t); {
	case c == 0:
		place = placeOf(x.t[1]) - outer
		return place, place > -16*raySteps
	case c == n-2:
		place = placeOf(x.t[c]) + outer
		return place, place < 16*raySteps
	}
	a, b := placeOf(x.t[c]), placeOf(x.t[c+1])
	return (a + b) / 2, b-a >= 2
}

// loss is how far the value may be above the interpolation in cell c, part of the
// way from its lower ray: no further than the neighbours' lines go.
func (x *RaySearch) loss(s, c int, part float64) float64 {
	width := 1 / x.inv[c]
	slope, most := x.slope(s, c), math.Inf(1)
	if c > 0 {
		most = min(most, (x.slope(s, c-1)-slope)*part*width)
	}
	if c+2 < len(x.t) {
		most = min(most, (slope-x.slope(s, c+1))*(1-part)*width)
	}
	return max(0, most)
}

// Proof is the proof by the present values, with the rows of those pairs and rays
// for which they are asked. While rays are added it is of those that were there before; values
// that are being raised are raised first, as those in between are no proof.
func (x *RaySearch) Proof(pairs, rays []int) *proof.Claim {
	for x.stage == lifting {
		x.Step()
	}
	n, y := len(x.t), &proof.Rays{Groups: x.groups}
	at := make([]int, 0, n) // the rays that have their values
	for k, t := range x.t {
		if x.stage == adding && !x.had[k] {
			continue
		}
		if k == x.start {
			y.Start = len(at)
		}
		at, y.T = append(at, k), append(y.T, t)
	}
	y.V = make([][]float64, len(at))
	for j, k := range at {
		y.V[j] = make([]float64, x.m.S)
		for s := range y.V[j] {
			y.V[j][s] = x.kept*x.nodes.v[s*n+k] + (1-x.t[k])*x.base[0] + x.t[k]*x.base[1]
		}
	}
	for j, i := range pairs {
		if k := at[rays[j]]; x.nodes.rows[x.m.State[i]*n+k] >= 0 {
			p, q := x.rowsOf(i, k)
			y.Pair, y.Ray = append(y.Pair, i), append(y.Ray, rays[j])
			y.Rows = append(append(y.Rows, p...), q...)
		}
	}
	return &proof.Claim{Target: math.NaN(), Rays: y}
}
