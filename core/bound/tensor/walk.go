package tensor

import (
	"rcmdplab/core/proof"
	"rcmdplab/core/vector"
)

// walk is the work on one box.
type walk struct {
	t     *Tree
	x     *space             // its tensors and game
	b     Box                // its points, as far as they have been moved
	steps []proof.TensorStep // made so far, for the proof
	more  func() bool        // asked between games; false halts the walk
	value float64            // of the game, at most

	gained float64 // by all pushes in sum
	lean   bool    // not all pieces are in the game, see narrow
	behind int     // steps made before that, 0 when it never was so
}

const (
	facetCalls = 60
	rootCalls  = 4 * facetCalls
	enough     = 0.2  // gain that a facet must promise
	worthwhile = 0.12 // gain of a push that is made
	ownGain    = 0.7  // what a facet keeps of its last gain
	nextGain   = 0.1  // what the others get of it
	childGain  = 0.1  // added to all at a split
	patience   = 0.3  // gains after which the game is solved anew
)

// With few vertices a push costs less than a box: a slight gain is worthwhile.
const (
	few    = 1 << 12
	slight = 0.05
)

// run is the main loop; false when it was left.
//
//	try the multipliers of the parent
//	solve the game of the box: closed when its value is positive
//	push the facets that promise most, solving again now and then; when that goes
//	well, without the pieces that have no part in it (lean.go)
//	split the edge that raises both children's games most
func (w *walk) run(f *slab) bool {
	t, x := w.t, w.x
	if f == nil {
		f = t.slab()
		t.tensors(f, &w.b)
		t.work += int64(len(f.x)) * 4
	}
	x.slab = f
	defer func() {
		if x.slab != nil {
			t.slabs = append(t.slabs, x.slab)
			x.slab = nil
		}
	}()
	if !w.thin() {
		w.giveUp()
		return true
	}
	if w.inherited() {
		w.finish(w.closing(), true)
		return true
	}
	x.gather(w.b.Pool)
	closed, value := x.converge()
	w.value = value
	if !closed {
		if !w.more() {
			return false
		}
		var left bool
		if closed, left = w.contract(); !left && !closed && w.lean {
			if closed = w.widen(); !closed {
				closed, left = w.contract()
			}
		}
		if left {
			return false
		}
	}
	if closed {
		w.finish(w.closing(), true)
		return true
	}
	return w.branch()
}

// thin leaves out the pieces that are positive nowhere in the box: they cannot
// help. False when none is left: then nothing can close it.
func (w *walk) thin() bool {
	x, t := w.x, w.t
	keep := 0
	for k, p := range x.pieces {
		f := x.piece(k)
		if !anyPositive(f) {
			continue
		}
		if keep < k {
			copy(x.piece(keep), f)
		}
		x.pieces[keep] = p
		keep++
	}
	if keep < len(x.pieces) {
		n := len(t.Kernels) * t.v
		copy(x.x[keep*t.v:][:n], x.x[len(x.pieces)*t.v:][:n])
		x.pieces = x.pieces[:keep]
		x.x = x.x[:keep*t.v+n]
	}
	w.b.Pieces = append(w.b.Pieces[:0], x.pieces...)
	x.playAll()
	return keep > 0
}

func anyPositive(x []float64) bool {
	for _, v := range x {
		if v > 0 {
			return true
		}
	}
	return false
}

// inherited tries the multipliers of the parent's game.
func (w *walk) inherited() bool {
	if w.b.Lambda == nil {
		return false
	}
	lam := make([]float64, len(w.x.pieces))
	any := false
	for k, p := range w.x.pieces {
		lam[k] = w.b.Lambda[p]
		any = any || lam[k] > 0
	}
	if !any {
		return false
	}
	w.x.take(lam, mostBits)
	return w.x.scan() > w.x.margin()
}

// closing is the step that closes the box by the multipliers taken, of as few bits as
// do: a box that is closed has mostly room to spare.
func (w *walk) closing() proof.TensorStep {
	x := w.x
	exact := append([]float64(nil), x.lam...)
	closed := false
	for bits := fewBits; bits < mostBits && !closed; bits += moreBits {
		x.take(exact, bits)
		closed = x.scan() > x.margin()
	}
	if !closed {
		x.take(exact, mostBits)
	}
	return x.step()
}

// finish ends the work on the box.
func (w *walk) finish(by proof.TensorStep, closed bool) {
	t := w.t
	n := &t.nodes[w.b.Place]
	n.Steps = append(n.Steps, w.steps...)
	t.done++
	if closed {
		t.close(w.b.Place, w.b.Depth, by)
	}
}

// giveUp leaves the box for good: it cannot be closed at this parameter.
func (w *walk) giveUp() {
	w.finish(proof.TensorStep{}, false)
	w.t.stuck = append(w.t.stuck, w.b)
}

// contract pushes facets in the order of expected gain.
func (w *walk) contract() (closed, left bool) {
	t, x, g := w.t, w.x, &w.x.g
	calls := facetCalls
	if w.b.Depth == 0 {
		calls = rootCalls
	}
	gained := 0.0
	if !g.solve() {
		return false, false
	}
	g.save(&x.best)
	var push proof.TensorStep
	changed := false
	for range calls {
		if changed {
			changed = false
			if !g.solve() {
				return false, false
			}
			g.save(&x.best)
			if g.value() > 0 || gained > patience {
				gained = 0
				if closed, w.value = x.converge(); closed {
					return true, false
				}
				if !g.solve() {
					return false, false
				}
				g.save(&x.best)
			}
		}
		i := argmax(w.b.Gain)
		if w.b.Gain[i] <= enough {
			break
		}
		if !w.more() {
			return false, true
		}
		s := t.State[i]
		rows := g.count
		gain := 1 - x.facet(s, i-t.Off[s], &push)
		w.b.Gain[i] = ownGain * gain
		if gain >= worthwhile || gain >= slight && t.v <= few {
			gained += gain
			w.gained += gain
			for k := range w.b.Gain {
				if k != i && t.actions(t.State[k]) > 1 {
					w.b.Gain[k] += nextGain * gain
				}
			}
			w.push(&push)
			x.trim()
			if w.behind == 0 && w.gained > likely {
				w.narrow()
			} else {
				x.reread()
			}
			changed = true
		} else if g.count > rows { // bring the vertex of the game up to date
			g.load(&x.best)
			if !g.solve() {
				return false, false
			}
			g.save(&x.best)
		} else {
			g.load(&x.best)
		}
	}
	if gained > 0 {
		closed, w.value = x.converge()
		if !closed && g.solve() {
			g.save(&x.best)
		}
	}
	return closed, false
}

func argmax(v []float64) int {
	k := 0
	for i, x := range v {
		if x > v[k] {
			k = i
		}
	}
	return k
}

// push does a step to the tensors in the game and the points of the box.
func (w *walk) push(p *proof.TensorStep) {
	t, x := w.t, w.x
	a := t.actions(p.State)
	x.move(p, x.hot)
	vector.Toward(w.b.Points[t.at[p.State]:][:a*a], a, p.J, p.Shift)
	w.b.Steps++
	w.steps = append(w.steps, cloned(p))
}
