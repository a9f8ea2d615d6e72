package tensor

import (
	"math"
	"slices"

	"rcmdplab/core/proof"
)

// Tree shows by branch and bound that no policy meets the thresholds at a
// parameter τ. It is plain state: it may be left after any box, eased to a lower
// τ, and parts of it handed out.
type Tree struct {
	*root
	tau   float64   // the parameter worked at
	sure  []float64 // by piece, the margin of F
	whole []float64 // pieces at tau, then determinants, of the root
	most  []float64 // by piece, the largest |F|

	nodes []Place     // in order of making
	open  []Box       // to be worked on
	cur   *Box        // the box being worked on, as it was; not in open
	out   map[int]Box // handed out, by place
	stuck []Box       // that cannot be closed at τ
	done  int         // boxes worked on
	shut  float64     // share of the tree that is closed, in halvings
	work  int64       // entries of tensors read or written

	dive   int       // place of the child to go on with
	deep   bool      // see DepthFirst
	space  *space    // work space of the box at hand
	slabs  []*slab   // not in use
	made   int       // slabs made so far
	room   int       // how many slabs there may be
	block  []float64 // work: of a change of coordinates
	places []int32   // work: see counted
	point  []float64 // by pair: suggested by the last games
	points int       // how many were suggested
	from   []float64 // of a part, the points of its box
	digest uint64    // see key; 0: not made
}

// New makes the tree of one box, that of all policies.
func New(p *Problem, tau float64) *Tree {
	t := &Tree{root: newRoot(p)}
	t.weight = t.fit()
	t.space = newSpace(t)
	t.whole = make([]float64, len(p.Kernels)*(t.costs+1)*t.v)
	t.room = max(3, mostKept/len(t.whole))
	t.Renew(tau)
	return t
}

// Clear leaves of the tree only what Renew takes up, the root's tensors, which take as long
// to make as several boxes.
func (t *Tree) Clear() {
	*t = Tree{root: t.root, space: t.space, whole: t.whole, room: t.room, block: t.block, places: t.places, digest: t.digest}
}

// Renew makes it the tree of one box again, for another parameter.
func (t *Tree) Renew(tau float64) {
	t.Clear()
	t.aim(tau)
	t.begin(t.first())
}

// begin makes it the tree of one box.
func (t *Tree) begin(b Box) {
	b.Place = 0
	t.nodes, t.open, t.stuck = []Place{{TensorNode: proof.TensorNode{State: undecided}}}, []Box{b}, nil
	t.out, t.done, t.work, t.shut = map[int]Box{}, 0, 0, 0
	clear(t.space.held)
}

// first is the box of all policies.
func (t *Tree) first() Box {
	b := Box{
		Points: make([]float64, t.at[t.S]), Gain: make([]float64, t.Pairs()),
		Reach: math.Inf(-1),
	}
	for s := range t.S {
		a := t.actions(s)
		for i := range a {
			b.Points[t.at[s]+i*(a+1)] = 1
			if a > 1 {
				b.Gain[t.Off[s]+i] = 1
			}
		}
	}
	for p, most := range t.most {
		if most > 0 {
			b.Pieces = append(b.Pieces, p)
		}
	}
	return b
}

// slim is the margin relative to the largest |F|.
func (t *Tree) slim() float64 { return 1e-11 + 1e-15*float64(t.S)/max(t.root.Rest, 1-longHorizon) }

// roundoffs bounds, twice over, the relative rounding error of what F is the difference
// of, here and in a checker: for each state left out, a few in each entry of the rows left.
func (t *Tree) roundoffs() float64 { return float64((t.S+1)*(t.S+3)*(t.S+3)) * 0x1p-52 }

// below is how far below 0 a one-step cost of a piece is, which a checker adds to all.
func (t *Tree) below(p int) float64 {
	return max(0, -slices.Min(t.Cost[p/t.costs][p%t.costs]))
}

// aim makes the root's tensors those of a parameter.
func (t *Tree) aim(tau float64) {
	t.tau = tau
	pieces := len(t.Kernels) * t.costs
	t.most, t.sure = make([]float64, pieces), make([]float64, pieces)
	for p := range pieces {
		m, n := p/t.costs, p%t.costs
		b := t.Base[n] + tau*t.Slope[n]
		if math.IsInf(t.Base[n], 1) {
			continue
		}
		f, det := t.whole[p*t.v:][:t.v], t.det[m*t.v:][:t.v]
		for i, v := range t.level[p*t.v:][:t.v] {
			f[i] = v - float64(b*det[i])
		}
	}
	copy(t.whole[pieces*t.v:], t.det)
	t.scaleWhole()
	for p := range pieces {
		if math.IsInf(t.Base[p%t.costs], 1) {
			continue
		}
		top, most, size := 0.0, 0.0, 0.0
		b := math.Abs(t.Base[p%t.costs]+tau*t.Slope[p%t.costs]) + t.below(p)
		det := t.whole[(pieces+p/t.costs)*t.v:][:t.v]
		for i, v := range t.whole[p*t.v:][:t.v] {
			if v > top { // branches: max is a call in wasm
				top = v
			}
			if v < 0 {
				v = -v
			}
			if v > most {
				most = v
			}
			if v += float64(2 * b * det[i]); v > size { // what F is the difference of
				size = v
			}
		}
		if top > 0 {
			t.most[p] = most
			t.sure[p] = max(most*t.slim(), size*t.roundoffs())
		}
	}
	t.slabs, t.made = nil, 0
	for i := range t.open {
		t.open[i].kept = nil
	}
}

// scaleWhole multiplies the tensors by the weights of the root.
func (t *Tree) scaleWhole() {
	if t.weight == nil {
		return
	}
	w := make([]float64, t.v)
	for i := range w {
		e := 0
		for s := range t.S {
			e += t.weight[t.Off[s]+i/t.stride[s]%t.actions(s)]
		}
		w[i] = math.Ldexp(1, e)
	}
	for o := 0; o < len(t.whole); o += t.v {
		x := t.whole[o:][:t.v]
		for i := range x {
			x[i] *= w[i]
		}
	}
}

// Bound is a parameter at which the tree is closed by what is known: no more
// than τ, and no more than what every open box is known to close at.
func (t *Tree) Bound() float64 {
	b := t.tau
	if t.cur != nil {
		b = min(b, t.cur.Reach)
	}
	for i := range t.open {
		b = min(b, t.open[i].Reach)
	}
	for i := range t.stuck {
		b = min(b, t.stuck[i].Reach)
	}
	for _, o := range t.out {
		b = min(b, o.Reach)
	}
	return b
}

// DepthFirst makes the tree go on where tensors are at hand, instead of on what
// holds its bound down: for one whose bound would pass what is proved already only
// when nearly all of it is closed.
func (t *Tree) DepthFirst() { t.deep = true }

// Ease lowers the parameter; everything stays closed.
func (t *Tree) Ease(tau float64) {
	if tau >= t.tau {
		return
	}
	t.aim(tau)
	t.open = append(t.open, t.stuck...)
	t.stuck = nil
	t.open = slices.DeleteFunc(t.open, func(b Box) bool {
		if b.Reach < tau {
			return false
		}
		t.close(b.Place, b.Depth, b.Remedy)
		return true
	})
}

func (t *Tree) close(at, depth int, by proof.TensorStep) {
	n := &t.nodes[at]
	n.State = -1
	n.Steps = append(n.Steps, by)
	t.shut += math.Ldexp(1, -depth)
}

// Proof is the tree closed at Bound; nil when that is -Inf.
func (t *Tree) Proof() *proof.Tensor {
	if math.IsInf(t.Bound(), -1) {
		return nil
	}
	remedy := map[int]proof.TensorStep{}
	if t.cur != nil {
		remedy[t.cur.Place] = t.cur.Remedy
	}
	for i := range t.open {
		remedy[t.open[i].Place] = t.open[i].Remedy
	}
	for i := range t.stuck {
		remedy[t.stuck[i].Place] = t.stuck[i].Remedy
	}
	for k, b := range t.out {
		remedy[k] = b.Remedy
	}
	return &proof.Tensor{Scale: t.scale, Weight: t.weight, Nodes: t.preorder(0, remedy)}
}

// Draft is the proof of τ so far, in which open boxes have a State of -2.
func (t *Tree) Draft() *proof.Tensor {
	return &proof.Tensor{Scale: t.scale, Weight: t.weight, Nodes: t.preorder(0, nil)}
}

// Step works on one box: it is closed or split. It asks more now and then;
// when that says false, the box is left as it was. False then, and when no box
// is open.
func (t *Tree) Step(more func() bool) bool {
	if len(t.open) == 0 {
		return false
	}
	k := t.next()
	b := t.open[k]
	t.open = slices.Delete(t.open, k, k+1)
	f := b.kept
	b.kept = nil // it is this box's alone: no copy of the box may have it
	t.cur = &b
	w := walk{t: t, x: t.space, b: b.clone(), more: more}
	ok := w.run(f)
	if !ok {
		t.open = append(t.open, b)
	}
	t.cur = nil
	return ok
}

// next is the open box to work on: the child whose tensors are at hand of the box
// just split; else the one that holds the bound down most, or one that holds it
// down nearly as much and whose tensors are at hand, for making them takes as
// long as a push or ten; one that may be worked on elsewhere only when there is
// no other.
func (t *Tree) next() int {
	k := len(t.open) - 1
	if t.open[k].Place == t.dive || t.deep && !t.open[k].Away {
		return k
	}
	for i := k - 1; i >= 0; i-- {
		if a, b := &t.open[i], &t.open[k]; !a.Away && b.Away || a.Away == b.Away && a.Reach < b.Reach {
			k = i
		}
	}
	if t.open[k].kept != nil || t.open[k].Away {
		return k
	}
	low, best := t.open[k].Reach, -1
	for i := range t.open {
		if b := &t.open[i]; !b.Away && b.kept != nil && b.Reach <= low+nearly*(t.tau-low) && (best < 0 || b.Reach < t.open[best].Reach) {
			best = i
		}
	}
	if best >= 0 {
		return best
	}
	return k
}

// nearly is how much of what is missing to τ a box at hand may be ahead of the
// one that holds the bound down.
const nearly = 0.2

func (b *Box) clone() Box {
	c := *b
	c.Points = slices.Clone(b.Points)
	c.Pieces = slices.Clone(b.Pieces)
	c.Gain = slices.Clone(b.Gain)
	c.Lambda = slices.Clone(b.Lambda)
	c.Pool = slices.Clone(b.Pool)
	return c
}

// slab is an empty one, or nil tensors taken from the open box that matters least.
func (t *Tree) slab() *slab {
	if n := len(t.slabs); n > 0 {
		f := t.slabs[n-1]
		t.slabs = t.slabs[:n-1]
		return f
	}
	size := len(t.whole)
	if t.made < t.room {
		t.made++
		return &slab{x: make([]float64, size)}
	}
	last := -1
	for i := range t.open {
		if t.open[i].kept != nil && (last < 0 || t.open[i].Reach > t.open[last].Reach) {
			last = i
		}
	}
	if last < 0 {
		t.made++
		return &slab{x: make([]float64, size)}
	}
	f := t.open[last].kept
	t.open[last].kept = nil
	return f
}

// mostKept is how many numbers the tensors kept of open boxes take together.
const mostKept = 12 << 20
