package bound

import (
	"math"

	"rcmdplab/core/lp"
	"rcmdplab/core/proof"
)

// Parameters of the search, from experiments on random problems; none affects
// what is proved. Shares are of the current width of the range concerned.
const (
	effective   = 0.02 // a step that moves a bound by less is not taken
	near        = 0.03 // a range whose end is within this of a witness is not worked on
	kernelTol   = 2e-4 // violation at which rows are added, per unit of occupancy
	pairTol     = 2.5e-4
	couplTol    = 5e-6
	anyGain     = 0.1  // what any pair is expected to give
	ownGain     = 0.7  // what a pair keeps of its last gain
	nextGain    = 0.1  // what the pairs that share a kernel get of it
	childGain   = 0.03 // added to every pair at a branching
	enoughRise  = 0.12 // share of the way to emptiness that two pairs have to bring
	ratioRounds = 6    // of rows added for a ratio
	tried       = 8    // pairs whose split is tried
	trialShare  = 4    // of the work on a box that trials take, at most one part in so many
	rootCalls   = 60   // pairs worked on at the root at most
	nodeCalls   = 18
	farkasSlim  = 1e-9 // least relative margin of a proof of emptiness

	leastPatience = 30_000 // steps that count as done before the first
	easeShare     = 0.6    // of its distance to the bound that an eased target keeps
)

// openBox is a box of policies that is still to be shown empty, with all that is
// known of it.
type openBox struct {
	g     *ranges   // ranges known of every policy in it that satisfies the hypotheses
	gain  []float64 // [m*M+m'], m < m': what working on the pair is expected to give
	depth int       // splits above it
	at    int       // its place in the tree
}

// tree tries to show that no policy satisfies the hypotheses of one target, by
// branch and bound, depth first: boxes whose linear relaxations (the occupancy
// polytopes of Altman 1999, the products π·d by McCormick 1976) are empty by a
// safe bound (Neumaier and Shcherbina 2004) hold none, and ranges are tightened
// by the same programs (Caprara and Locatelli 2010).
type tree struct {
	d      *data
	from   int64      // steps when the target was last lowered
	share  float64    // of the policies whose boxes were open then, see left
	limits []float64  // by cost, in mapped units; +Inf for the objective without a target
	record bool       // steps are kept for a certificate
	stack  []openBox  // to be worked on, the last first
	nodes  []TreeNode // recorded so far
	done   int        // nodes processed
	steps  int64      // of linear programs
	spent  int64      // work, see Progress.Work
	begun  int64      // what it was before the present box

	kernels  []*relaxation // by kernel
	pairs    []*relaxation // [m*M+m'], m < m'
	coupling *relaxation   // over all kernels and the policy

	cur    *openBox    // the box being worked on
	point  []float64   // the point of the last coupling LP, policy first
	points int         // their number
	more   func() bool // called within long linear programs; false halts the work
	solved int         // linear programs since the last pause
	halted bool        // by pause
	left   bool        // because whoever pulls has left
	ws     *witness    // work, see witness
	todo   []int       // queries left of a relaxation
	need   []float64   // [m*M+m'], m < m': how much the coupling LP is held back by the ratios of the pair
	log    *tally      // of what closed nodes, for tests
}

// tally counts what closed the nodes.
type tally struct{ kernel, pair, coupling, empty, refused int }

func (d *data) newTree(limits []float64, record bool) *tree {
	t := &tree{
		d: d, limits: limits, record: record, share: 1,
		kernels: make([]*relaxation, d.mn), pairs: make([]*relaxation, d.mn*d.mn),
		more: func() bool { return true }, log: &tally{},
	}
	gain := make([]float64, d.mn*d.mn)
	for i := range gain {
		gain[i] = 1
	}
	t.nodes = append(t.nodes, TreeNode{Pair: stillOpen})
	t.stack = append(t.stack, openBox{g: d.newRanges(), gain: gain})
	return t
}

// listen lets the work be left by more, and halted when it is no longer worth it.
func (t *tree) listen(worth, more func() bool) {
	t.halted, t.left, t.solved = false, false, 0
	t.more = func() bool {
		t.left = !more()
		return !t.left && worth()
	}
}

// pauseEvery is how many linear programs pass between two pauses.
const pauseEvery = 8

// tick pauses now and then.
func (t *tree) tick() bool {
	if t.solved++; t.solved%pauseEvery != 0 {
		return true
	}
	return t.more()
}

// verdict is what working on a box came to.
type verdict int

const (
	empty  verdict = iota
	unsure         // not shown empty
	halt           // stopped from outside
)

// step works on the last open box: it is closed or branched. False when
// stopped from outside before that.
func (t *tree) step() bool {
	nd := t.stack[len(t.stack)-1] // a copy: boxes may be handed out and come back meanwhile
	t.cur = &nd
	t.begun = t.spent
	v := t.contract()
	if t.halted {
		return false
	}
	i, x := -1, 0.0
	if v != empty {
		if i, x = t.branchAt(nd.g); t.halted {
			return false
		}
	}
	t.done++
	t.stack = t.stack[:len(t.stack)-1]
	if v == empty {
		t.nodes[nd.at].Pair = -1
		return true
	}
	left, right := nd, nd
	left.g, right.g = t.d.clone(nd.g), nd.g
	left.g.u[i], right.g.l[i] = x, x
	left.gain = append([]float64(nil), nd.gain...)
	for j := range left.gain {
		left.gain[j] += childGain
		right.gain[j] = left.gain[j]
	}
	left.depth++
	right.depth++
	left.at, right.at = len(t.nodes), len(t.nodes)+1
	n := &t.nodes[nd.at]
	n.Pair, n.At, n.Left, n.Right = i, x, left.at, right.at
	t.nodes = append(t.nodes, TreeNode{Pair: stillOpen}, TreeNode{Pair: stillOpen})
	t.stack = append(t.stack, left, right)
	return true
}

// contract tightens the ranges of the current box until it is shown empty or
// nothing more is gained.
func (t *tree) contract() verdict {
	d, g := t.d, t.cur.g
	if !t.close() {
		return empty
	}
	if t.cur.depth > 0 { // a split alone closes many, at a hundredth of the work
		if v := t.couple(); v != unsure {
			return v
		}
	}
	for m := range d.mn {
		if v := t.kernel(m); v != unsure {
			if v == empty {
				t.log.kernel++
			}
			return v
		}
		// One kernel's ranges may cross another's: the box is empty, and the next
		// linear program could not be opened.
		if g.crossed() && !t.close() {
			return empty
		}
	}
	if !t.close() {
		return empty
	}
	return t.pairQueue()
}

func (t *tree) note(s proof.Step) {
	if t.record {
		n := &t.nodes[t.cur.at]
		n.Steps = append(n.Steps, s)
	}
}

func (t *tree) close() bool {
	t.note(proof.Step{Kind: proof.Close})
	ok := t.d.close(t.cur.g)
	if !ok {
		t.log.empty++
	}
	return ok
}

// solve minimises the objective set in y and counts the work; false when the
// search is stopped.
func (t *tree) solve(y *relaxation, rounds int) (lp.Status, bool) {
	st := y.minimise(rounds, t.more)
	steps, c := y.lp.Steps-y.work, int64(len(y.obj))
	t.steps += steps
	t.spent += steps * c * c
	y.work = y.lp.Steps
	if st == lp.Paused || !t.tick() {
		t.halted = true
		return st, false
	}
	return st, true
}

// emptiness turns the Farkas ray of an infeasible relaxation into a step; unsure
// when it fails the check, and the box is then branched.
func (t *tree) emptiness(y *relaxation, s proof.Step) verdict {
	mult := y.multipliers(false)
	if margin, ok := y.lp.SafeInfeasible(mult); !ok || margin < farkasSlim {
		t.log.refused++
		return unsure
	}
	s.Kind, s.Target = proof.Bound, proof.Empty
	if t.record {
		s.Rows, s.Y = y.proof(nil, nil)
	}
	t.note(s)
	return empty
}

// take turns the multipliers of an optimal relaxation into a step towards the
// target; whether it moved a bound enough to be taken.
func (t *tree) take(y *relaxation, s proof.Step) bool {
	d, g := t.d, t.cur.g
	w := y.lp.SafeBound(y.obj, y.multipliers(true))
	st := s.Index
	if s.Target == proof.PolicyLow || s.Target == proof.PolicyHigh {
		st = d.m.State[s.Index]
	}
	i := s.Of*d.s + st
	switch s.Target {
	case proof.OccupancyLow:
		if !(w > g.dl[i]+effective*(g.du[i]-g.dl[i])) {
			return false
		}
		g.dl[i], s.Value = w, w
	case proof.OccupancyHigh:
		if !(-w < g.du[i]-effective*(g.du[i]-g.dl[i])) {
			return false
		}
		g.du[i], s.Value = -w, -w
	case proof.PolicyLow:
		v := s.Rho
		if w < 0 {
			v += up(-w/g.dl[i]) * -1
		}
		if v = v - 4*ulp; !(v > g.l[s.Index]+effective*(g.u[s.Index]-g.l[s.Index])) {
			return false
		}
		g.l[s.Index], s.Value = v, v
	case proof.PolicyHigh:
		v := s.Rho
		if w < 0 {
			v += up(-w / g.dl[i])
		}
		if v = v + 4*ulp; !(v < g.u[s.Index]-effective*(g.u[s.Index]-g.l[s.Index])) {
			return false
		}
		g.u[s.Index], s.Value = v, v
	case proof.RatioHigh:
		v := s.Rho
		if w < 0 {
			v += -w / g.dl[s.To*d.s+st]
		}
		v = up(v)
		r := &g.r[d.ratio(s.Of, s.To, st)]
		if !(math.Log(*r/v) > effective*d.logWidth(g, s.Of, s.To, st)) {
			return false
		}
		*r, s.Value = v, v
	}
	s.Kind = proof.Bound
	if t.record {
		s.Rows, s.Y = y.proof(nil, nil)
	}
	t.note(s)
	return true
}

// preorder lists the subtree at place k.
func (t *tree) preorder(k int) []proof.Node {
	var out []proof.Node
	for stack := []int{k}; len(stack) > 0; {
		n := &t.nodes[stack[len(stack)-1]]
		stack = stack[:len(stack)-1]
		out = append(out, proof.Node{Steps: n.Steps, Pair: n.Pair, At: n.At})
		if n.Pair >= 0 {
			stack = append(stack, n.Right, n.Left)
		}
	}
	return out
}

// stuck reports whether the next box is too small to split: the target is not
// provable at this accuracy.
func (t *tree) stuck() bool {
	g := t.stack[len(t.stack)-1].g
	for i, u := range g.u {
		if u-g.l[i] >= 1e-7 {
			return false
		}
	}
	return true
}
