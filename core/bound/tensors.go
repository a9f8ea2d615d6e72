package bound

import (
	"math"

	"rcmdplab/core/bound/tensor"
	"rcmdplab/core/proof"
)

// Problems with few kernels and few deterministic policies are bounded by
// tensors (package tensor) instead of the ladder. The first tree bounds meanwhile
// by what its open boxes are known to close at; each one after it is for a target
// that may be expected to take a few times its work (pace). A target out of reach is eased.

// corners proves by tensors, which say what returns come to at the corners of a box.
type corners struct {
	*known
	tree     *tensor.Tree // nil between two targets
	used     *tensor.Tree // the root's tensors of the last one; nil when there is none of these kernels
	begun    float64      // what was proved before it
	mode     bool         // the parameter is the target, not what is added to the limits
	live     bool         // the bound's proof is in the tree
	shown    float64      // the bound when its proof was last taken from there, a return or a violation
	shownAt  int64        // the work then, in numbers read or written
	patience float64      // work after which the target is eased
	last     pace         // how the work grew on the last tree that closed
}

func newCorners(k *known) *corners { return &corners{known: k} }

// pace is how the work on a tree grows with how near its target is, learnt from
// the trees that were closed: as a power of the gap with what is flat.
type pace struct {
	mode  bool    // as corners.mode: what gap is measured in
	gap   float64 // of the last one
	work  float64 // of the tree that closed it, numbers read or written
	boxes int     // of that tree; 0: none
	power float64 // by which the work may be expected to grow from here on
	flat  float64 // gap that all trees work on, however near their target is
}

// tensorLabour is the most work that making the tensors may take.
const tensorLabour = 4e7

// fits: there are few kernels and few deterministic policies.
func (s *corners) fits() bool {
	m := s.m
	if s.set.Ladder || !tensor.Fits(m.Layout, s.d.mn, m.N+1) {
		return false
	}
	return tensor.Size(m.Layout, s.d.mn, 1)*float64(m.S*(m.S+m.N+1)) <= tensorLabour
}

// tensorProblem is what the tensors are of: with the target as parameter, or
// with what is added to every threshold.
func (d *data) tensorProblem(target bool) *tensor.Problem {
	p := &tensor.Problem{
		Layout: d.m.Layout, Gamma: d.m.Gamma, Rest: d.m.Rest, Mu: d.m.Mu, Kernels: d.kernels, Cost: d.cost,
		Base: d.limits(math.Inf(1), 0), Slope: make([]float64, d.m.N+1),
	}
	for _, n := range d.dropped {
		p.Base[n] = math.Inf(1)
	}
	slope := func(n int) float64 { return (1 + 4*ulp) / (d.m.H * d.w[n]) }
	if target {
		p.Base[0] = d.limit(0, 0)
		p.Slope[0] = slope(0)
		return p
	}
	for _, n := range d.costs {
		p.Slope[n] = slope(n)
	}
	return p
}

// Patience, in numbers of the tensors read or written.
const (
	tensorPatience = 1e10
	hopeless       = 1.6e11 // a target is eased when more than that is expected to be left
)

// A tree proves nothing better than the last one did until nearly all of it is
// closed. So there are as many targets on the way to the gap asked for as let each tree
// take some eight times the work of the one before: whenever the search is stopped, a
// good share of its time has gone into what is proved, and when it ends, most
// into the last tree. A tree that takes no more than a moment's work is no loss.
const (
	grows     = 8
	moment    = 4e8
	firstTree = 105  // work of the first tree, about, by entry of the tensors
	leaves    = 0.25 // share of the gap that it leaves open at least, and whatever tree comes after one of few boxes
	powers    = 4.0  // of the gap, where nothing is known yet (tried.md)
	easing    = 0.75 // share of the power between the last two trees that is left over those to come
	farPower  = 2.0  // the same over all trees, where nothing is known yet
	fewBoxes  = 16   // tell nothing of growth
	saturates = .015 // share of a policy's value that is flat
)

// learn takes in a tree, closed at a gap.
func (p *pace) learn(mode bool, gap, flat, work float64, boxes int) {
	if p.boxes == 0 || p.mode != mode {
		p.power = powers
	} else if gap < p.gap && p.boxes >= fewBoxes {
		p.power = max(1, min(5, easing*math.Log(work/p.work)/math.Log((p.gap+flat)/(gap+flat))))
	}
	p.mode, p.gap, p.flat, p.work, p.boxes = mode, gap, flat, work, boxes
}

// times is how many times its work a tree for a gap may be expected to take that
// is so much nearer than another.
func (p *pace) times(from, to float64) float64 {
	return math.Pow((from+p.flat)/(to+p.flat), p.power)
}

// next is what the next target leaves of a gap, of which so much is to be left in the end,
// after a tree of so much work.
func (p *pace) next(gap, asked, work float64) float64 {
	step := asked
	trees := math.RoundToEven(math.Log(p.times(gap, asked)) / math.Log(max(grows, moment/work)))
	if trees > 1 {
		step = (gap+p.flat)*math.Pow((asked+p.flat)/(gap+p.flat), 1/trees) - p.flat
	}
	if p.boxes < fewBoxes {
		step = max(step, leaves*gap)
	}
	return step
}

// reachable is the parameter to work at: of the first target what is proved in a
// moment, if possible.
func (s *corners) reachable() float64 {
	low, high := s.between()
	gap := high - low
	if math.IsInf(low, -1) {
		gap = math.Abs(high)
	}
	step := 0.999 * s.slack(high)
	if s.last.boxes > 0 && s.last.mode == s.mode {
		step = s.last.next(gap, step, s.last.work)
	} else {
		entries := tensor.Size(s.m.Layout, s.d.mn, s.m.N+2)
		step = max(step, gap*max(leaves, math.Pow(moment/(firstTree*entries), -1/powers)))
	}
	if !s.mode {
		return max(0, high-step)
	}
	return high - step
}

// rest is how many boxes are expected until the gap asked for is reached: those
// left of the present tree, and for each target after it the whole of a tree that
// grows as the last ones did. 0 when not known.
func (s *corners) rest() float64 {
	t := s.tree
	rest := t.Rest()
	if rest == 0 || !s.mode || math.IsInf(s.upper, 1) {
		return rest
	}
	p := s.last
	if p.boxes == 0 {
		p.power = farPower
	}
	asked, gap := 0.999*max(s.slack(s.upper), 1e-3*math.Abs(s.upper)), s.upper-t.Tau()
	if p.boxes > 0 && gap > 0 { // what is open may be like the last tree, not like the little that is closed
		expected := float64(p.boxes) * p.times(p.gap, gap)
		open := 1 - t.Shut()
		rest += open * open * (max(0, expected-float64(t.Done())) - rest)
	}
	for whole := float64(t.Done()) + rest; gap > 1.01*asked && asked > 0; {
		next := p.next(gap, asked, moment)
		whole *= p.times(gap, next)
		rest, gap = rest+whole, next
	}
	return rest
}

// between is between what the parameter's bound lies: what is proved, and
// what a policy has.
func (s *corners) between() (low, high float64) {
	if !math.IsInf(s.upper, 1) {
		return s.lower, s.upper
	}
	low, high = 0, s.excess
	if s.infeas {
		low = max(0, s.vlower)
	}
	if math.IsInf(high, 1) || !s.set.Violation {
		high = 0
	}
	return low, high
}

// work works on the current tree of tensors; false when left from outside.
func (s *corners) work(more func() bool) bool {
	t := s.tree
	for !s.done() {
		if len(s.pending) > 0 || s.feasibleSince() { // the tree of infeasibility has lost its point
			s.drop()
			return true
		}
		if goal := s.reachable(); goal < t.Tau() {
			s.ease(goal)
		}
		if t.Idle() {
			if t.Out() > 0 {
				if !more() {
					return false
				}
				continue
			}
			break
		}
		left := false
		before := t.Points()
		t.Step(func() bool {
			left = !more()
			return !left
		})
		if left {
			return false
		}
		s.raise()
		if t.Points() != before {
			s.suggest(t.Point())
		}
		s.bePatient()
		if !more() {
			return false
		}
	}
	s.close()
	return true
}

// aim makes the tree of the next target.
func (s *corners) aim() {
	if mode := !math.IsInf(s.upper, 1); mode != s.mode {
		s.mode, s.used = mode, nil
	}
	tau := s.reachable()
	s.begun, _ = s.between()
	if s.tree = s.used; s.tree != nil {
		s.tree.Renew(tau)
	} else {
		s.tree = tensor.New(s.d.tensorProblem(s.mode), tau)
	}
	if s.last.boxes > 0 && s.last.mode == s.mode {
		s.tree.DepthFirst()
	}
	s.shown, s.shownAt = math.Inf(-1), 0
	if s.patience = tensorPatience; s.guess() {
		s.patience = moment
	}
	s.setTarget()
	s.raise()
}

// setTarget shows the parameter in the progress.
func (s *corners) setTarget() {
	s.target, s.relax = math.Inf(1), 0
	if tau := s.tree.Tau(); s.mode {
		s.target = tau
	} else {
		s.relax = tau
	}
}

func (s *corners) ease(tau float64) {
	s.tree.Ease(tau)
	s.setTarget()
	s.raise()
}

// feasibleSince reports whether a feasible policy has come while infeasibility
// was being proved.
func (s *corners) feasibleSince() bool { return !s.mode && !math.IsInf(s.upper, 1) }

// raise takes in what the open boxes of the tree are known to close at.
func (s *corners) raise() {
	b := s.tree.Bound()
	switch {
	case s.mode:
		if b > s.lower {
			s.lower, s.live = b, true
		}
	case b >= 0 && (!s.infeas || b > s.vlower):
		s.infeas, s.vlower, s.live = true, b, true
	}
	if s.live {
		s.mayPublish()
	}
}

// A proof is taken from a tree in progress, for whoever checks it, when it has
// taken four times the work since the last and left out so much of the gap: all
// checks together then cost little more than the last.
const (
	publishWork = 4
	publishGap  = 0.15
)

// Publish takes the proof of what is bounded now, for a last check.
func (s *corners) publish() {
	if s.live {
		s.proof, s.vproof = s.proofs()
		s.shown, _ = s.between()
		s.shownAt = s.tree.Work()
	}
}

// Draft is what there is so far of the proof of the present target, in which open
// boxes are left so (tensor.Tree.Draft); nil where none is made. A checker that
// follows it has less to do in the end.
func (s *corners) draft() *proof.Claim {
	if s.tree == nil || !s.mode || !s.set.Record || s.kernels != nil {
		return nil
	}
	return &proof.Claim{Target: s.target, Allow: s.set.Allow, Tensor: s.tree.Draft()}
}

func (s *corners) mayPublish() {
	low, high := s.between()
	work := s.tree.Work()
	if work < publishWork*s.shownAt || low-s.shown < publishGap*(high-s.shown) {
		return
	}
	s.publish()
}

// bePatient eases the target when, some time after it was set, the tree promises
// to take very long: as much for what is open as for what is closed. The bound
// rises meanwhile, so that this is for targets out of reach only.
func (s *corners) bePatient() {
	t := s.tree
	work := float64(t.Work())
	if !s.mode || work < s.patience {
		return
	}
	s.patience = 1.5 * work
	most := hopeless
	if s.guess() {
		most = 2 * work
	}
	if t.Shut() > 0 && work*(1/t.Shut()-1) < most {
		return
	}
	low, _ := s.between()
	if b := t.Bound(); b > low {
		low = b
	}
	if !math.IsInf(low, -1) {
		s.ease(low + easeShare*(t.Tau()-low))
	}
}

// guess: no tree has told how work grows, and the target may be far too near.
func (s *corners) guess() bool { return s.last.boxes < fewBoxes }

// close takes in that nothing is left to do on the tree.
func (s *corners) close() {
	closed := s.tree.Open() == 0
	before, high := s.between()
	if closed {
		flat := 0.0
		if s.mode {
			flat = saturates * math.Abs(high)
		}
		s.last.learn(s.mode, high-s.tree.Tau(), flat, float64(s.tree.Work()), s.tree.Done())
	}
	s.drop()
	if closed { // what it gained was taken in on the way
		before = s.begun
	}
	if after, _ := s.between(); !(after > before) {
		s.stuck++
	}
}

// drop leaves the tree, with the proof that it makes.
func (s *corners) drop() {
	if s.live {
		s.proof, s.vproof = s.proofs()
		s.live = false
	}
	s.leave(s.tree.Done(), 0, s.tree.Work())
	s.tree.Clear()
	s.tree, s.used = nil, s.tree
}

// proofs are the proofs of what the tree bounds, nil where not recorded.
func (s *corners) proofs() (bound, violation *proof.Claim) {
	p := s.tree.Proof()
	if !s.set.Record || p == nil {
		return nil, s.vproof
	}
	if s.mode {
		return &proof.Claim{Target: s.lower, Allow: s.set.Allow, Kernels: s.kernels, Tensor: p}, s.vproof
	}
	bound = &proof.Claim{Target: math.Inf(1), Allow: s.set.Allow, Kernels: s.kernels, Tensor: p}
	if s.vlower > 0 {
		violation = &proof.Claim{Target: math.Inf(1), Relax: s.vlower, Allow: s.set.Allow, Kernels: s.kernels, Tensor: p}
	}
	return bound, violation
}

// split hands out a box of the tree.
func (s *corners) split() (Part, bool) {
	b, ok := s.tree.Split()
	if !ok {
		return Part{}, false
	}
	head := s.tree.Head()
	head.Work = shortPart(s.tree.Open() - s.tree.Out())
	return Part{Target: s.target, Relax: s.relax, Box: Box{Place: b.Place}, Tensor: &b, Head: &head}, true
}

// join takes what became of such a part.
func (s *corners) join(r PartResult) bool {
	t := s.tree
	if r.Tensor == nil || r.Tensor.Done == 0 {
		return t.Return(r.Place)
	}
	if math.IsInf(r.Target, 1) == s.mode || !t.Join(*r.Tensor) {
		return false
	}
	s.raise()
	return true
}

func (s *corners) open() bool { return s.tree != nil }

func (s *corners) count(p *Progress) {
	t := s.tree
	p.Nodes += t.Done()
	p.Work += t.Work()
	p.OpenNodes = t.Open()
	p.Waiting = t.Idle() && t.Out() > 0
	p.Rest = s.rest()
}

func (s *corners) shared() bool { return s.tree != nil && s.tree.Out() > 0 }

func (s *corners) handed(PartResult) {} // join knows

func (s *corners) widen(*data) { s.used = nil } // kernels that join have ended the tree

func (s *corners) save(st *State) {
	if s.tree != nil {
		tree := s.tree.Save()
		st.Tensors = &tree
		st.Nodes += s.tree.Done()
	}
}

// restore goes on with a saved tree.
func (s *corners) restore(st *State) (took bool, err error) {
	if st.Tensors == nil {
		return false, nil
	}
	s.mode = !math.IsInf(s.upper, 1)
	s.begun = math.Inf(-1)
	if s.tree, err = tensor.Restore(s.d.tensorProblem(s.mode), *st.Tensors); err != nil {
		return false, err
	}
	s.nodes -= s.tree.Done() // they are counted with the tree
	s.patience = max(tensorPatience, float64(s.tree.Work()))
	s.setTarget()
	low, _ := s.between()
	s.live, s.shown, s.shownAt = s.tree.Bound() >= low, low, s.tree.Work()
	return true, nil
}

// cornerWork works on one box of tensors.
type cornerWork struct {
	tree *tensor.Tree
	part *Part
}

func cornersOf(d *data, _ Settings, p *Part) (worker, error) {
	switch {
	case p.Tensor == nil:
		return nil, nil
	case p.Head == nil:
		return nil, ErrCoding
	}
	t, err := tensor.Part(d.tensorProblem(!math.IsInf(p.Target, 1)), *p.Head, *p.Tensor)
	if err != nil {
		return nil, err
	}
	return &cornerWork{t, p}, nil
}

func (w *cornerWork) short() int64 {
	if w.part.Head.Work > 0 {
		return w.part.Head.Work
	}
	return ShortPart
}

func (w *cornerWork) again(p Part) bool {
	if p.Tensor == nil || p.Head == nil || !w.tree.Again(*p.Head, *p.Tensor) {
		return false
	}
	w.part = &p
	return true
}

func (w *cornerWork) run(most int64, yield func(int) bool) {
	t := w.tree
	for more := true; more && !t.Idle() && t.Work() < most; more = more && yield(t.Done()) {
		t.Step(func() bool {
			more = yield(t.Done())
			return more
		})
	}
}

func (w *cornerWork) result(r *PartResult) {
	state := w.tree.Save()
	r.Place, r.Closed, r.Boxes, r.Tensor = w.part.Tensor.Place, w.tree.Open() == 0, w.tree.Done(), &state
}
