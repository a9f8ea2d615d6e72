package tensor

import (
	"rcmdplab/core/proof"
	"rcmdplab/core/vector"
)

// Once pushes of a box have gained something, more of them are likely to close it. From
// then on only the pieces that have had weight in the box, or in the last game of the one
// it is from, stay in its game: about half (tried.md has numbers). The others are moved when
// the box is not closed, and the determinants, which only a split needs, when it is split.

// likely is the sum of gains after which a box is expected to be closed.
const likely = 0.3

// playAll puts all pieces at hand into the game.
func (x *space) playAll() {
	x.hot = x.hot[:0]
	for k := range x.pieces {
		x.hot = append(x.hot, int32(k))
	}
}

// narrow leaves in the game the pieces that have weight: in a step of the box, in
// its present game or in the last one of the box above.
func (w *walk) narrow() {
	x := w.x
	w.lean, w.behind = true, len(w.steps)
	weighed := make([]bool, len(w.t.most))
	for p, v := range w.b.Lambda {
		weighed[p] = v > 0
	}
	for i := range w.steps {
		for _, p := range w.steps[i].Pieces {
			weighed[p] = true
		}
	}
	hot := x.hot[:0]
	for k, p := range x.pieces {
		if weighed[p] || x.best.x[k] > 0 {
			hot = append(hot, int32(k))
		}
	}
	x.hot = hot
	x.regather()
}

// widen takes all pieces back into the game of a box that was not closed by some.
func (w *walk) widen() (closed bool) {
	x := w.x
	var cold []int32
	for k, h := 0, x.hot; k < len(x.pieces); k++ {
		if len(h) > 0 && int(h[0]) == k {
			h = h[1:]
		} else {
			cold = append(cold, int32(k))
		}
	}
	for i := w.behind; i < len(w.steps); i++ {
		x.move(&w.steps[i], cold)
	}
	w.lean = false
	x.playAll()
	x.regather()
	closed, w.value = x.converge()
	return closed
}

// regather takes the rows of the pool for other pieces than before.
func (x *space) regather() {
	x.gather(append([]int32(nil), x.g.vertex[:x.g.count]...))
}

// move does a push to some of the pieces, ascending.
func (x *space) move(p *proof.TensorStep, pieces []int32) {
	v := x.t.v
	for len(pieces) > 0 {
		n := 1 // that lie side by side
		for n < len(pieces) && pieces[n] == pieces[0]+int32(n) {
			n++
		}
		x.moveAll(p, x.x[int(pieces[0])*v:][:n*v])
		pieces = pieces[n:]
	}
}

// moveAll does a push to tensors side by side.
func (x *space) moveAll(p *proof.TensorStep, tensors []float64) {
	vector.Toward(tensors, x.t.stride[p.State], p.J, p.Shift)
	x.t.work += int64(len(tensors))
}

// moveDeterminants does to the determinants what was done in the box.
func (w *walk) moveDeterminants() {
	x := w.x
	for i := range w.steps {
		x.moveAll(&w.steps[i], x.x[len(x.pieces)*w.t.v:])
	}
}
