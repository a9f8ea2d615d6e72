package lp

import (
	"math"
	"slices"

	"rcmdplab/core/vector"
)

const (
	// Tolerances on scaled rows and columns: a constraint violated by less
	// counts as satisfied during the steps, a reduced cost of less as zero.
	feasTol = 1e-9
	dualTol = 1e-9

	// The final point must satisfy every constraint to checkTol (1+|end|) after
	// it has been recomputed from the active set.
	checkTol = 1e-7

	pivotTol = 1e-9 // entries below are no pivots
	dropTol  = 1e-7 // an active row with no entry above is dropped from the set at a refactorisation

	refactorEvery = 400 // pivots
	mostRestarts  = 50  // of one solution, pauses or not

	mostStretch = 1 << 10 // of a column by its scale
)

// candidate is a constraint that may block a step: a and slack are positive
// for an approach to the given end.
type candidate struct {
	v        int32
	end      int8
	a, slack float64
}

// Solve solves the problem from the active set of the last solution. After
// changes of the objective it takes primal steps, after changes of rows,
// ranges and bounds dual steps, and after both it first minimises the sum of
// infeasibilities. Every verdict is checked on numbers recomputed from the
// active set; one that fails the check after a refactorisation is Stalled.
func (p *LP) Solve() Status {
	if !p.scaled {
		p.rescale()
	}
	p.grow()
	left := max(2000, 50*(p.n+p.m))
	if p.MaxSteps > 0 {
		left = min(left, p.MaxSteps)
	}
	if len(p.changed) > 0 && p.fresh {
		p.fresh = p.replace()
	}
	if p.status != Paused {
		p.restarts = 0
	}
	p.status = Stalled
	for try := 0; left > 0; {
		if !p.fresh || p.pivots > refactorEvery {
			p.factor()
		}
		if !p.placed {
			p.place()
		}
		p.reduced(p.z, p.costs())
		var out outcome
		switch {
		case p.feasible():
			out = p.primal(&left)
		case p.flipToDual():
			out = p.dual(&left)
		default:
			out = p.repair(&left)
		}
		switch out {
		case restart:
			// From an inverse made anew. Where rounding does so again and again it ends.
			if p.restarts++; p.restarts > mostRestarts {
				p.fresh, p.placed = false, false
				return p.status
			}
			continue
		case enough:
			p.status = Reached
			return p.status
		case optimal:
			if p.finish() {
				p.status = Optimal
				return p.status
			}
		case infeasible:
			if _, ok := p.proof(); ok {
				p.status = Infeasible
				return p.status
			}
		case unbounded:
			if p.escapes() {
				p.status = Unbounded
				return p.status
			}
		}
		if try++; try > 3 {
			break
		}
		p.fresh, p.placed = false, false
	}
	if left <= 0 && p.MaxSteps > 0 {
		p.status = Paused
	}
	return p.status
}

// outcome is what one phase came to.
type outcome int

const (
	restart outcome = iota
	optimal
	infeasible
	unbounded
	enough // a point asked for by StopBelow
)

func (p *LP) costs() []float64 {
	c := p.w
	clear(c)
	copy(c, p.cost)
	return c
}

// grow fits the work space to n and m.
func (p *LP) grow() {
	fit := func(v []float64, n int) []float64 {
		if cap(v) < n {
			w := make([]float64, n, n+n/2)
			copy(w, v)
			return w
		}
		return v[:n]
	}
	p.dx, p.w = fit(p.dx, p.stride), fit(p.w, p.stride)
	p.del, p.mult = fit(p.del, p.m), fit(p.mult, p.m)
	p.alpha, p.g = fit(p.alpha, p.n), fit(p.g, p.n)
	p.ray = fit(p.ray, p.n)
	if cap(p.cand) < p.n+p.m {
		p.cand = make([]candidate, 0, 2*(p.n+p.m))
	}
}

// rescale chooses the scales of the columns once, from the rows present at the
// first Solve, so that the largest entry of each is about 1 like that of every
// row. (Means of large and small entries would be misled by entries that are
// tiny without any bad scaling.)
func (p *LP) rescale() {
	p.scaled = true
	f := make([]float64, p.n)
	for range 2 {
		clear(f)
		for q, v := range p.coef {
			f[p.idx[q]] = max(f[p.idx[q]], math.Abs(v))
		}
		for j, big := range f {
			if f[j] = powerOfTwo(big); big == 0 || f[j] >= 1.0/8 && f[j] <= 8 {
				f[j] = 1 // leave well-scaled columns in their own units
			}
			// Entries to come may be of ordinary size: a column stretched further
			// than its own range, or very far, would then drown in tolerances.
			f[j] = min(f[j], mostStretch)
			if width := p.chi[j] - p.clo[j]; width < mostStretch {
				f[j] = min(f[j], max(1, powerOfTwo(1/width))) // about the width
			}
			p.cs[j] *= f[j]
			p.cost[j] *= f[j]
			p.clo[j] /= f[j]
			p.chi[j] /= f[j]
			p.x[j] /= f[j]
		}
		for i := range p.m {
			big := 0.0
			for q := p.ptr[i]; q < p.ptr[i]+p.size[i]; q++ {
				p.coef[q] *= f[p.idx[q]]
				big = max(big, math.Abs(p.coef[q]))
			}
			g := powerOfTwo(big)
			for q := p.ptr[i]; q < p.ptr[i]+p.size[i]; q++ {
				p.coef[q] *= g
			}
			p.rs[i] *= g
			p.rlo[i] *= g
			p.rhi[i] *= g
		}
	}
	p.fresh = false
}

// factor builds D for the current active set from the identity: equality rows
// are eliminated first, then the active rows enter. A row that is dependent
// on those before it leaves the active set.
func (p *LP) factor() {
	p.placed = false
	p.changed = p.changed[:0]
	// What is to be active, and at which end, before non and side are rewritten.
	want := append(p.want[:0], p.non...)
	ends := append(p.wantEnd[:0], p.side...)
	p.want, p.wantEnd = want, ends
	keep := slices.Grow(p.keep[:0], p.n)[:p.n] // columns that stay active if possible
	clear(keep)
	p.keep = keep
	n, st := p.n, p.stride
	if cap(p.d) < n*st {
		p.d = make([]float64, n*st)
	}
	p.d = p.d[:n*st]
	clear(p.d)
	p.p = n
	p.non, p.side = slices.Grow(p.non[:0], n)[:n], slices.Grow(p.side[:0], n)[:n]
	if cap(p.z) < n {
		p.z, p.weight = make([]float64, n), make([]float64, n)
	}
	p.z, p.weight = p.z[:n], p.weight[:n]
	clear(p.z)
	for j := range n {
		p.d[j*st+j] = 1
		p.non[j], p.cpos[j], p.side[j], p.weight[j] = int32(j), int32(j), atLower, 1
		if math.Abs(p.x[j]-p.chi[j]) < math.Abs(p.x[j]-p.clo[j]) {
			p.side[j] = atUpper
		}
	}
	for k, v := range want {
		if v >= 0 {
			keep[v], p.side[v] = true, ends[k]
		}
	}
	for i := range p.rpos {
		p.rpos[i] = inactive
	}
	// Equality rows. Columns that are to become inactive anyway are taken first.
	p.elim = p.elim[:0]
	for i := range p.m {
		if p.rlo[i] != p.rhi[i] {
			continue
		}
		if q := p.enter(int32(^i), keep); q >= 0 {
			p.elim = append(p.elim, int32(i))
		}
	}
	p.eliminate()
	for k, v := range want {
		if v < 0 && v != gone && p.rpos[^v] == inactive {
			if q := p.enter(v, keep); q >= 0 {
				p.side[q] = ends[k]
			}
		}
	}
	p.pivots = 0
	p.fresh = true
	for k := range p.p {
		p.weight[k] = 1
	}
}

// replace brings D up to date with the active rows whose coefficients changed,
// one pivot each, where a factorisation takes one for every active row. It
// reports false when that is no less work or not safe: D is to be made anew.
func (p *LP) replace() bool {
	const least = 1e-4 // of a pivot, next to the largest entry of its row
	rows := p.changed
	p.changed = p.changed[:0]
	p.placed = false
	if 2*len(rows) > p.n-len(p.elim) || p.pivots+len(rows) > refactorEvery {
		return false
	}
	alpha := p.alpha[:p.p]
	for _, i := range rows {
		q := int(p.rpos[i])
		if q < 0 {
			continue // changed twice, and inactive by now
		}
		p.pivotRow(alpha, ^i)
		most := 0.0
		for _, a := range alpha {
			most = max(most, math.Abs(a))
		}
		if a := math.Abs(alpha[q]); a < least*most || a < dropTol {
			return false
		}
		p.exchange(q, ^i, alpha)
	}
	return true
}

// enter makes row v active in place of the column with the largest entry,
// preferring columns that need not stay active; -1 when all are too small.
func (p *LP) enter(v int32, keep []bool) int {
	alpha := p.alpha[:p.p]
	p.pivotRow(alpha, v)
	best, q := dropTol, -1
	kept, kq := dropTol, -1
	for k, a := range alpha {
		u := p.non[k]
		if u < 0 {
			continue
		}
		if a = math.Abs(a); keep[u] {
			if a > kept {
				kept, kq = a, k
			}
		} else if a > best {
			best, q = a, k
		}
	}
	if q < 0 {
		q = kq
	}
	if q >= 0 {
		p.exchange(q, v, alpha)
	}
	return q
}

// eliminate takes the active equality rows out of D and keeps their columns,
// a right inverse of those rows, apart.
func (p *LP) eliminate() {
	st := p.stride
	p.right = slices.Grow(p.right[:0], len(p.elim)*st)[:len(p.elim)*st]
	for e, i := range p.elim {
		k := int(p.rpos[i])
		copy(p.right[e*st:(e+1)*st], p.d[k*st:(k+1)*st])
		p.rpos[i] = eliminated
		last := p.p - 1
		if k != last {
			copy(p.d[k*st:(k+1)*st], p.d[last*st:(last+1)*st])
			p.side[k] = p.side[last]
			v := p.non[last]
			p.non[k] = v
			if v >= 0 {
				p.cpos[v] = int32(k)
			} else {
				p.rpos[^v] = int32(k)
			}
		}
		p.p = last
	}
	p.non, p.side, p.z, p.weight = p.non[:p.p], p.side[:p.p], p.z[:p.p], p.weight[:p.p]
}

// ends returns the range of constraint v.
func (p *LP) ends(v int32) (lo, hi float64) {
	if v >= 0 {
		return p.clo[v], p.chi[v]
	}
	return p.rlo[^v], p.rhi[^v]
}

// level is the value an active constraint is held at.
func (p *LP) level(k int) float64 {
	lo, hi := p.ends(p.non[k])
	switch p.side[k] {
	case atLower:
		return lo
	case atUpper:
		return hi
	}
	if v := p.non[k]; v >= 0 {
		return p.x[v]
	}
	return p.act[^p.non[k]]
}

// place puts every active constraint at a finite end and recomputes x and the
// activities, with one step of iterative refinement.
func (p *LP) place() {
	for k := range p.non {
		lo, hi := p.ends(p.non[k])
		noLo, noHi := math.IsInf(lo, -1), math.IsInf(hi, 1)
		switch {
		case noLo && noHi:
			p.side[k] = atFree
		case noLo:
			p.side[k] = atUpper
		case noHi:
			p.side[k] = atLower
		case p.side[k] == atFree:
			p.side[k] = atLower
		}
	}
	p.correct()
	p.correct()
	p.rowDeltas(p.act, p.x)
	p.placed = true
}

// correct moves x by D times what the active constraints and the eliminated
// rows are off.
func (p *LP) correct() {
	st := p.stride
	dx := p.dx
	clear(dx)
	for e, i := range p.elim {
		a, b := p.ptr[i], p.ptr[i]+p.size[i]
		if f := p.rlo[i] - sparseDot(p.idx[a:b], p.coef[a:b], p.x); f != 0 {
			vector.Axpy(dx, p.right[e*st:(e+1)*st], f)
		}
	}
	for j := range p.x {
		p.x[j] += dx[j]
	}
	clear(dx)
	for k, v := range p.non {
		f := 0.0
		if v >= 0 {
			f = p.level(k) - p.x[v]
		} else {
			a, b := p.ptr[^v], p.ptr[^v]+p.size[^v]
			t := sparseDot(p.idx[a:b], p.coef[a:b], p.x)
			if p.side[k] == atFree {
				p.act[^v] = t
			}
			f = p.level(k) - t
			p.act[^v] = p.level(k)
		}
		if f != 0 {
			vector.Axpy(dx, p.d[k*st:(k+1)*st], f)
		}
	}
	for j := range p.x {
		p.x[j] += dx[j]
	}
	for k, v := range p.non {
		if v >= 0 {
			p.x[v] = p.level(k)
		}
	}
}

// reduced writes c·D to dst; c has length stride.
func (p *LP) reduced(dst, c []float64) {
	vector.Dots(dst[:p.p], p.d, p.stride, c)
}

// feasible reports whether every inactive constraint holds.
func (p *LP) feasible() bool {
	for j, pos := range p.cpos {
		if pos < 0 && (p.x[j] < p.clo[j]-feasTol || p.x[j] > p.chi[j]+feasTol) {
			return false
		}
	}
	for i, pos := range p.rpos {
		if pos == inactive && (p.act[i] < p.rlo[i]-feasTol || p.act[i] > p.rhi[i]+feasTol) {
			return false
		}
	}
	return true
}

// flipToDual moves active constraints with two ends to the end their reduced
// cost asks for; it reports whether the active set is then dual feasible and
// the objective is not zero (which dual steps could not be guided by).
func (p *LP) flipToDual() bool {
	any := false
	for k, z := range p.z {
		lo, hi := p.ends(p.non[k])
		if lo == hi {
			continue
		}
		any = any || z > dualTol || z < -dualTol
		if z > dualTol && p.side[k] != atLower && math.IsInf(lo, -1) || z < -dualTol && p.side[k] != atUpper && math.IsInf(hi, 1) {
			return false
		}
	}
	if !any {
		return false
	}
	moved := false
	for k, z := range p.z {
		if lo, hi := p.ends(p.non[k]); lo == hi {
			continue
		}
		if z > dualTol && p.side[k] == atUpper {
			p.side[k], moved = atLower, true
		} else if z < -dualTol && p.side[k] == atLower {
			p.side[k], moved = atUpper, true
		}
	}
	if moved {
		p.place()
	}
	return true
}

// price returns the position that may move with the best z²/weight, -1 when
// none may. With first it returns the first constraint in order instead, which
// ends every cycle (Bland).
func (p *LP) price(z []float64, first bool) int {
	best, q := 0.0, -1
	for k, d := range z {
		if d <= dualTol && d >= -dualTol {
			continue
		}
		if s := p.side[k]; d > 0 && s == atLower || d < 0 && s == atUpper {
			continue
		}
		v := p.non[k]
		if lo, hi := p.ends(v); lo == hi {
			continue
		}
		if first {
			if q < 0 || v < p.non[q] {
				q = k
			}
			continue
		}
		if s := d * d / p.weight[k]; s > best {
			best, q = s, k
		}
	}
	return q
}

// aim writes the direction in which position q moves to dx, and what it does
// to the rows to del; it returns the width q may move by itself.
func (p *LP) aim(q int, dir float64) float64 {
	st := p.stride
	src := p.d[q*st : (q+1)*st]
	for j := range p.dx {
		p.dx[j] = dir * src[j]
	}
	p.rowDeltas(p.del, p.dx)
	lo, hi := p.ends(p.non[q])
	return hi - lo
}

// advance moves x and the activities by t along dx.
func (p *LP) advance(q int, dir, t float64) {
	if t != 0 {
		for j := range p.x {
			p.x[j] += t * p.dx[j]
		}
		for i, pos := range p.rpos {
			if pos == inactive {
				p.act[i] += t * p.del[i]
			}
		}
		if v := p.non[q]; v < 0 {
			p.act[^v] += dir * t
		}
	}
}

// swap exchanges position q for constraint v, which is held at the given end.
func (p *LP) swap(q int, v int32, end int8) {
	alpha := p.alpha[:p.p]
	p.pivotRow(alpha, v)
	p.exchange(q, v, alpha)
	p.side[q] = end
	lo, hi := p.ends(v)
	x := lo
	if end == atUpper {
		x = hi
	}
	if v >= 0 {
		p.x[v] = x
	} else {
		p.act[^v] = x
	}
}

// primal takes primal steps from a feasible point.
func (p *LP) primal(left *int) outcome {
	still := 0
	for k := range p.weight {
		p.weight[k] = 1
	}
	for *left > 0 {
		if p.pivots > refactorEvery {
			return restart
		}
		if len(p.stopCols) > 0 && p.stops() {
			return enough
		}
		q := p.price(p.z, still > 200)
		if q < 0 {
			return optimal
		}
		*left--
		p.Steps++
		dir := 1.0
		if p.z[q] > 0 {
			dir = -1
		}
		own := p.aim(q, dir)
		c, t := p.block()
		switch {
		case c < 0 && math.IsInf(own, 1):
			copy(p.ray, p.dx[:p.n])
			return unbounded
		case c < 0 || own <= t:
			p.advance(q, dir, own)
			p.side[q] ^= 1
			p.x0(q)
			t = own
		default:
			p.advance(q, dir, t)
			p.swap(q, p.cand[c].v, p.cand[c].end)
		}
		if t > 1e-12 {
			still = 0
		} else {
			still++
		}
	}
	return restart
}

// stops reports whether the point satisfies what StopBelow asked for.
func (p *LP) stops() bool {
	s := 0.0
	for k, j := range p.stopCols {
		s += p.stopCoef[k] * p.x[j] * p.cs[j]
	}
	return s < 0
}

// x0 snaps the active constraint at position q to its level.
func (p *LP) x0(q int) {
	if v := p.non[q]; v >= 0 {
		p.x[v] = p.level(q)
	} else {
		p.act[^v] = p.level(q)
	}
}

// block is the ratio test of Harris: among the constraints that block within
// feasTol of the first, the one with the largest entry. It returns its place
// in cand (-1: nothing blocks) and the step.
func (p *LP) block() (c int, t float64) {
	cand := p.cand[:0]
	limit := math.Inf(1)
	// A candidate beyond the limit so far is beyond the final one too.
	for j, pos := range p.cpos {
		if pos >= 0 {
			continue
		}
		a, end := p.dx[j], atUpper
		var s float64
		if a > pivotTol {
			s = p.chi[j] - p.x[j]
		} else if a < -pivotTol {
			s, a, end = p.x[j]-p.clo[j], -a, atLower
		} else {
			continue
		}
		if s < math.MaxFloat64 && s <= limit*a {
			cand = append(cand, candidate{int32(j), end, a, s})
			if s+feasTol < limit*a {
				limit = (s + feasTol) / a
			}
		}
	}
	act, rlo, rhi := p.act, p.rlo, p.rhi
	for i, a := range p.del[:p.m] {
		if p.rpos[i] != inactive {
			continue
		}
		var s float64
		end := atUpper
		if a > pivotTol {
			s = rhi[i] - act[i]
		} else if a < -pivotTol {
			s, a, end = act[i]-rlo[i], -a, atLower
		} else {
			continue
		}
		if s < math.MaxFloat64 && s <= limit*a {
			cand = append(cand, candidate{int32(^i), end, a, s})
			if s+feasTol < limit*a {
				limit = (s + feasTol) / a
			}
		}
	}
	p.cand = cand
	c = -1
	best := 0.0
	for i := range cand {
		if b := &cand[i]; b.a > best && b.slack/b.a <= limit { // divided like the limit: the one that set it is within it
			best, c = b.a, i
		}
	}
	if c >= 0 {
		t = max(0, cand[c].slack/cand[c].a)
	}
	return c, t
}

// repair minimises the sum of infeasibilities, long steps along a piecewise
// linear function, until the point is feasible or no step helps.
func (p *LP) repair(left *int) outcome {
	still := 0
	for *left > 0 {
		if p.pivots > refactorEvery {
			return restart
		}
		if !p.infeasibility() {
			return restart // feasible: the caller goes on with primal steps
		}
		p.reduced(p.g, p.w)
		q := p.price(p.g[:p.p], still > 200)
		if q < 0 {
			p.rays(p.w, p.g, func() { p.infeasibilityRows(p.mult) })
			return infeasible
		}
		*left--
		p.Steps++
		dir := 1.0
		if p.g[q] > 0 {
			dir = -1
		}
		own := p.aim(q, dir)
		c, t := p.descend(math.Abs(p.g[q]), own)
		if c < 0 {
			if math.IsInf(own, 1) { // the sum is bounded below: lost accuracy
				p.fresh = false
				return restart
			}
			t = own
			p.advance(q, dir, own)
			p.side[q] ^= 1
			p.x0(q)
		} else {
			p.advance(q, dir, t)
			p.swap(q, p.cand[c].v, p.cand[c].end)
		}
		if t > 1e-12 {
			still = 0
		} else {
			still++
		}
	}
	return restart
}

// infeasibility writes the gradient of the sum of infeasibilities to w and
// reports whether there are any.
func (p *LP) infeasibility() bool {
	w := p.w
	clear(w)
	any := false
	for j, pos := range p.cpos {
		if pos < 0 {
			if p.x[j] < p.clo[j]-feasTol {
				w[j]--
				any = true
			} else if p.x[j] > p.chi[j]+feasTol {
				w[j]++
				any = true
			}
		}
	}
	for i, pos := range p.rpos {
		if pos != inactive {
			continue
		}
		f := 0.0
		if p.act[i] < p.rlo[i]-feasTol {
			f = -1
		} else if p.act[i] > p.rhi[i]+feasTol {
			f = 1
		} else {
			continue
		}
		any = true
		a, b := p.ptr[i], p.ptr[i]+p.size[i]
		coef := p.coef[a:b]
		for k, j := range p.idx[a:b] {
			w[j] += f * coef[k]
		}
	}
	return any
}

// infeasibilityRows adds the multipliers of the violated rows to y.
func (p *LP) infeasibilityRows(y []float64) {
	for i, pos := range p.rpos {
		if pos == inactive {
			if p.act[i] < p.rlo[i]-feasTol {
				y[i]++
			} else if p.act[i] > p.rhi[i]+feasTol {
				y[i]--
			}
		}
	}
}

// descend finds the step at which the sum of infeasibilities stops falling:
// slope is its rate at 0. It returns the constraint to stop at (-1: the width
// own of the moving one) and the step.
func (p *LP) descend(slope, own float64) (c int, t float64) {
	cand := p.cand[:0]
	add := func(v int32, a, x, lo, hi float64) {
		if a < 0 { // mirror
			a, x, lo, hi = -a, -x, -hi, -lo
			if x < lo-feasTol {
				cand = append(cand, candidate{v, atUpper, a, lo - x})
			}
			if x <= hi+feasTol && hi < math.MaxFloat64 {
				cand = append(cand, candidate{v, atLower, a, max(0, hi-x)})
			}
			return
		}
		if x < lo-feasTol {
			cand = append(cand, candidate{v, atLower, a, lo - x})
		}
		if x <= hi+feasTol && hi < math.MaxFloat64 {
			cand = append(cand, candidate{v, atUpper, a, max(0, hi-x)})
		}
	}
	for j, pos := range p.cpos {
		if a := p.dx[j]; pos < 0 && (a > pivotTol || a < -pivotTol) {
			add(int32(j), a, p.x[j], p.clo[j], p.chi[j])
		}
	}
	for i, pos := range p.rpos {
		if a := p.del[i]; pos == inactive && (a > pivotTol || a < -pivotTol) {
			add(int32(^i), a, p.act[i], p.rlo[i], p.rhi[i])
		}
	}
	p.cand = cand
	// Walk the breakpoints in order; those passed stay at the front.
	done := 0
	big := 0
	for done < len(cand) {
		next, r := -1, math.Inf(1)
		for i := done; i < len(cand); i++ {
			if b := &cand[i]; b.slack < r*b.a || next < 0 {
				next, r = i, b.slack/b.a
			}
		}
		if own < r {
			return -1, own
		}
		cand[done], cand[next] = cand[next], cand[done]
		if cand[done].a >= cand[big].a {
			big = done
		}
		slope -= cand[done].a
		if slope <= 0 {
			break
		}
		done++
	}
	if done == len(cand) {
		if own < math.Inf(1) || done == 0 {
			return -1, own
		}
		done--
	}
	c = done
	if cand[c].a < 1e-6 { // too small to pivot on safely: stop earlier at a larger one
		c = big
	}
	return c, cand[c].slack / cand[c].a
}

// dual takes dual steps from a dual feasible active set.
func (p *LP) dual(left *int) outcome {
	st := p.stride
	still := 0
	for *left > 0 {
		if p.pivots > refactorEvery {
			return restart
		}
		v, end, short := p.worst()
		if short == 0 {
			return restart // primal feasible: the caller looks whether it is optimal
		}
		if still > 100 { // a long row of steps without progress: another method
			return p.repair(left)
		}
		*left--
		p.Steps++
		alpha := p.alpha[:p.p]
		p.pivotRow(alpha, v)
		sign := 1.0
		if end == atUpper {
			sign = -1
		}
		// cand[k]: active positions whose move brings v towards its end; slack is |z|.
		cand := p.cand[:0]
		for k, a := range alpha {
			a *= sign
			if a < pivotTol && a > -pivotTol {
				continue
			}
			s := p.side[k]
			if s == atLower && a < 0 || s == atUpper && a > 0 {
				continue
			}
			if lo, hi := p.ends(p.non[k]); lo == hi {
				continue
			}
			cand = append(cand, candidate{int32(k), s, math.Abs(a), math.Abs(p.z[k])})
		}
		p.cand = cand
		clear(p.dx)
		rest := short
		q := -1
		flips := 0
		for flips < len(cand) {
			limit := math.Inf(1)
			for i := flips; i < len(cand); i++ {
				limit = min(limit, (cand[i].slack+dualTol)/cand[i].a)
			}
			// The group within the tolerance goes to the front.
			top, big, gain := flips, flips, 0.0
			for i := flips; i < len(cand); i++ {
				if cand[i].slack/cand[i].a <= limit { // divided like the limit, or rounding could leave the group empty
					cand[i], cand[top] = cand[top], cand[i]
					if cand[top].a > cand[big].a {
						big = top
					}
					lo, hi := p.ends(p.non[cand[top].v])
					gain += cand[top].a * (hi - lo)
					top++
				}
			}
			if gain >= rest-feasTol { // within rounding of enough is enough
				q = big
				break
			}
			rest -= gain
			flips = top
		}
		if q < 0 { // even with everything flipped v stays short
			clear(p.w)
			if v >= 0 {
				p.w[v] = -sign
			} else {
				a, b := p.ptr[^v], p.ptr[^v]+p.size[^v]
				for k := a; k < b; k++ {
					p.w[p.idx[k]] -= sign * p.coef[k]
				}
			}
			for k, a := range alpha {
				p.g[k] = -sign * a
			}
			p.rays(p.w, p.g, func() {
				if v < 0 {
					p.mult[^v] += sign
				}
			})
			return infeasible
		}
		for i := range cand[:flips] {
			k := int(cand[i].v)
			lo, hi := p.ends(p.non[k])
			f := hi - lo
			if p.side[k] == atUpper {
				f = -f
			}
			vector.Axpy(p.dx, p.d[k*st:(k+1)*st], f)
			p.side[k] ^= 1
		}
		k := int(cand[q].v)
		t := rest / alpha[k] * sign
		vector.Axpy(p.dx, p.d[k*st:(k+1)*st], t)
		p.rowDeltas(p.del, p.dx)
		p.advance(k, 1, 1)
		if u := p.non[k]; u < 0 { // advance added a unit step to it
			p.act[^u] += t - 1
		}
		for i := range cand[:flips] {
			p.x0(int(cand[i].v))
		}
		if math.Abs(p.z[k]) < 1e-12 {
			still++
		} else {
			still = 0
		}
		p.exchange(k, v, alpha)
		p.side[k] = end
		p.x0(k)
	}
	return restart
}

// worst is the inactive constraint violated most, the end it is beyond and by
// how much; 0 when none is.
func (p *LP) worst() (v int32, end int8, by float64) {
	by = 0
	for j, pos := range p.cpos {
		if pos >= 0 {
			continue
		}
		if e := p.clo[j] - p.x[j]; e > by && e > feasTol {
			v, end, by = int32(j), atLower, e
		}
		if e := p.x[j] - p.chi[j]; e > by && e > feasTol {
			v, end, by = int32(j), atUpper, e
		}
	}
	for i, pos := range p.rpos {
		if pos != inactive {
			continue
		}
		if e := p.rlo[i] - p.act[i]; e > by && e > feasTol {
			v, end, by = int32(^i), atLower, e
		}
		if e := p.act[i] - p.rhi[i]; e > by && e > feasTol {
			v, end, by = int32(^i), atUpper, e
		}
	}
	return v, end, by
}

// rays fills mult for the objective c with reduced costs z, then lets more add
// the multipliers of the violated constraints: a Farkas ray.
func (p *LP) rays(c, z []float64, more func()) {
	p.multipliers(c, z)
	more()
}

// multipliers writes y with c - Aᵀy equal to the reduced costs z of active
// columns and zero on inactive ones: y is z on active rows, and follows on the
// eliminated rows from the columns that their right inverse uses.
func (p *LP) multipliers(c, z []float64) {
	y := p.mult
	clear(y)
	big := 0.0
	for k := range p.non {
		big = max(big, math.Abs(z[k]))
	}
	for k, v := range p.non {
		if v < 0 && math.Abs(z[k]) > 1e-14*big { // less is what rounding leaves of a zero
			y[^v] = z[k]
		}
	}
	if len(p.elim) == 0 {
		return
	}
	r := p.dx
	copy(r, c)
	for i, f := range y {
		if f == 0 {
			continue
		}
		a, b := p.ptr[i], p.ptr[i]+p.size[i]
		coef := p.coef[a:b]
		for k, j := range p.idx[a:b] {
			r[j] -= f * coef[k]
		}
	}
	for k, v := range p.non {
		if v >= 0 {
			r[v] -= z[k]
		}
	}
	st := p.stride
	for e, i := range p.elim {
		y[i] = vector.Dot(r, p.right[e*st:(e+1)*st])
	}
}

// finish recomputes the point and the multipliers from the active set and
// checks both.
func (p *LP) finish() bool {
	p.correct()
	c := p.costs()
	p.reduced(p.z, c)
	for j, pos := range p.cpos {
		if pos < 0 && (p.x[j] < p.clo[j]-checkTol*(1+math.Abs(p.clo[j])) || p.x[j] > p.chi[j]+checkTol*(1+math.Abs(p.chi[j]))) {
			return false
		}
	}
	size := 1.0
	for _, f := range p.cost {
		size = max(size, math.Abs(f))
	}
	for i := range p.m {
		a, b := p.ptr[i], p.ptr[i]+p.size[i]
		t := sparseDot(p.idx[a:b], p.coef[a:b], p.x)
		p.act[i] = t
		if t < p.rlo[i]-checkTol*(1+math.Abs(p.rlo[i])) || t > p.rhi[i]+checkTol*(1+math.Abs(p.rhi[i])) {
			return false
		}
	}
	for k, z := range p.z {
		if lo, hi := p.ends(p.non[k]); lo == hi {
			continue
		}
		if z > checkTol*size && p.side[k] != atLower || z < -checkTol*size && p.side[k] != atUpper {
			return false
		}
	}
	p.multipliers(c, p.z)
	return p.agrees(size)
}

// agrees checks the multipliers against the reduced costs: c - Aᵀy must be z on
// active columns and zero on the others. It fails when D has lost accuracy.
func (p *LP) agrees(size float64) bool {
	r := p.dx
	copy(r, p.cost)
	for i, f := range p.mult {
		if f == 0 {
			continue
		}
		size = max(size, math.Abs(f))
		a, b := p.ptr[i], p.ptr[i]+p.size[i]
		coef := p.coef[a:b]
		for k, j := range p.idx[a:b] {
			r[j] -= f * coef[k]
		}
	}
	for k, v := range p.non {
		if v >= 0 {
			r[v] -= p.z[k]
		}
	}
	for _, f := range r[:p.n] {
		if math.Abs(f) > 1e-9*size {
			return false
		}
	}
	return true
}

// proof checks the Farkas ray in mult.
func (p *LP) proof() (margin float64, ok bool) {
	y := p.del // user scale
	for i, f := range p.mult {
		y[i] = f * p.rs[i]
	}
	b, size := p.bound(nil, y, 1e-9)
	return b / size, b > 0
}

// escapes checks the ray: no constraint ends along it and the objective falls.
func (p *LP) escapes() bool {
	p.place()
	if !p.feasible() {
		return false
	}
	big, fall := 0.0, 0.0
	for j, f := range p.ray {
		big = max(big, math.Abs(f))
		fall += f * p.cost[j]
	}
	if !(fall < 0) {
		return false
	}
	tol := checkTol * big
	for j, f := range p.ray {
		if f > tol && p.chi[j] < math.MaxFloat64 || f < -tol && p.clo[j] > -math.MaxFloat64 {
			return false
		}
	}
	for i := range p.m {
		a, b := p.ptr[i], p.ptr[i]+p.size[i]
		f := sparseDot(p.idx[a:b], p.coef[a:b], p.ray)
		if f > tol && p.rhi[i] < math.MaxFloat64 || f < -tol && p.rlo[i] > -math.MaxFloat64 {
			return false
		}
	}
	return true
}
