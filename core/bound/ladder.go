package bound

import (
	"math"

	"rcmdplab/core/model"
	"rcmdplab/core/proof"
)

// The ladder: targets between the bound and the best policy known, each with a
// tree of boxes of its own (tree.go). The bound moves when a whole tree is closed;
// how high the next target is depends on how hard the last one was.

// mostColumns is up to how many columns the coupling relaxation is tried.
const mostColumns = 3000

// Reaches reports whether boxes of policies may close more of a gap than one kernel
// does: the relaxation of all kernels of a finite set, or of three of a rectangular one
// with limits, is not too large.
func Reaches(m *model.Standard) bool {
	kernels := len(m.Kernels)
	if m.Rectangular() && m.N > 0 {
		kernels = 3
	}
	return kernels > 1 && m.Pairs()*(kernels+1) <= mostColumns
}

// ladder proves by trees of boxes of its own (tree.go).
type ladder struct {
	*known
	tree     *tree           // nil between two targets
	out      map[int]openBox // boxes of it handed out, by place in the tree
	fraction float64         // share of the gap that the next target closes, in (0, 1]
	rest     float64         // what the last one that was closed left open, a return; 0 before
	effort   int64           // its steps
}

func newLadder(k *known) *ladder {
	return &ladder{known: k, out: map[int]openBox{}, fraction: k.set.Fraction}
}

func (s *ladder) fits() bool { return s.d.n*(s.d.mn+1) <= mostColumns }

func (s *ladder) open() bool { return s.tree != nil }

// A target that closes in so few boxes and steps makes the next one bolder, as far as
// boldFraction of the gap. After one that was not easy the next is to take dearer times as
// many steps, which grow with a power of the gap that the last two tell (3 to 4 at ten
// states, 8 to 12 beyond); it closes at least half of hardFraction, and that where they tell
// nothing. One is lowered when what is left of its tree is expected to take patient times as
// many steps as all there were so far.
const (
	easyBoxes    = 3
	easySteps    = 25_000
	boldFraction = 0.75
	hardFraction = 0.12
	dearer       = 3
	patient      = 2
)

// aim chooses the next target: between what is known of the violation once
// infeasibility is proved, of the objective when there is a policy, or the limits
// alone.
func (s *ladder) aim() {
	s.target, s.relax = math.Inf(1), 0
	switch {
	case s.infeas:
		low := max(0, s.vlower)
		s.relax = low + s.fraction*(s.excess-low)
	case !math.IsInf(s.upper, 1):
		low := s.base()
		if s.target = low + s.fraction*(s.upper-low); s.target >= s.upper {
			s.target = low
		}
	}
	s.tree = s.d.newTree(s.d.limits(s.target, s.relax), s.set.Record)
}

// base is what targets start from: what is proved or, before anything is, the
// least that a policy can cost, or a closed gap below an incumbent that costs no more.
func (s *ladder) base() float64 {
	if !math.IsInf(s.lower, -1) || math.IsInf(s.upper, 1) {
		return s.lower
	}
	return min(s.d.value(0, 0), s.upper-s.slack(s.upper), math.Nextafter(s.upper, math.Inf(-1)))
}

// work works on the tree of the present target.
func (s *ladder) work(more func() bool) bool {
	t := s.tree
	t.listen(func() bool { return !s.outdated() }, more)
	for len(t.stack) > 0 && !s.outdated() {
		if len(s.pending) > 0 {
			return true // to be taken in first
		}
		if t.stuck() {
			break
		}
		before := t.points
		if !t.step() {
			if t.left {
				return false
			}
			break
		}
		if s.tooLong() {
			s.ease()
		}
		if t.points != before {
			s.suggest(t.point[:s.d.n])
		}
		if !more() {
			return false
		}
		if s.tree != t { // closed by Join
			return true
		}
	}
	if len(t.stack) == 0 && len(s.out) > 0 {
		return s.await(more)
	}
	switch {
	case len(t.stack) == 0:
		s.proved()
	case s.outdated():
		s.drop()
	default:
		s.giveUp()
	}
	return true
}

// await waits for the boxes handed out.
func (s *ladder) await(more func() bool) bool {
	for t := s.tree; s.tree == t && len(t.stack) == 0; {
		if !more() {
			return false
		}
	}
	return true
}

// outdated reports whether a better policy has made the target pointless.
func (s *ladder) outdated() bool {
	switch s.stage() {
	case Ladder:
		return s.upper <= s.target
	case Violation:
		return s.excess <= s.relax
	}
	return !math.IsInf(s.upper, 1)
}

// tooLong reports whether what is left of the tree is expected to take out of proportion,
// going by the share of the boxes' halvings that was closed since the target was lowered;
// before the first, by what the box in hand would close.
func (s *ladder) tooLong() bool {
	t := s.tree
	if s.stage() != Ladder || len(t.stack) == 0 {
		return false
	}
	left := s.left()
	closed := max(t.share-left, math.Ldexp(1, -t.stack[len(t.stack)-1].depth))
	return float64(t.steps-t.from)*left/closed > patient*float64(max(leastPatience, s.steps+t.steps))
}

// left is the share of the policies, by halvings, whose boxes are open.
func (s *ladder) left() (share float64) {
	for i := range s.tree.stack {
		share += math.Ldexp(1, -s.tree.stack[i].depth)
	}
	for _, o := range s.out {
		share += math.Ldexp(1, -o.depth)
	}
	return share
}

// ease lowers the target of the tree. What is closed stays closed and what is
// known of the open boxes stays true, because fewer policies reach a lower
// target: nothing is lost but the height of the step. The largest open box is next:
// it tells most of what is left.
func (s *ladder) ease() {
	t := s.tree
	low := s.base()
	s.target = low + easeShare*(s.target-low)
	t.limits = s.d.limits(s.target, s.relax)
	t.from, t.share = t.steps, s.left()
	if len(t.stack) > 1 {
		t.stack = append(t.stack[1:], t.stack[0])
	}
}

// proved takes in that the tree of the target is closed.
func (s *ladder) proved() {
	var c *proof.Claim
	if s.set.Record {
		c = &proof.Claim{Target: s.target, Relax: s.relax, Allow: s.set.Allow, Kernels: s.kernels, Nodes: s.tree.preorder(0)}
	}
	hard := hardFraction
	switch s.stage() {
	case Ladder:
		s.lower, s.proof = s.target, c
		rest, effort := s.upper-s.target, s.tree.steps
		if effort > s.effort && rest < s.rest {
			power := math.Log(float64(effort)/float64(s.effort)) / math.Log(s.rest/rest)
			hard = 1 - math.Pow(dearer, -1/power)
		}
		s.rest, s.effort = rest, effort
	case Infeasible:
		s.infeas, s.vlower, s.proof = true, max(0, s.vlower), c
	case Violation:
		s.vlower, s.vproof = s.relax, c
	}
	if s.tree.done <= easyBoxes && s.tree.steps <= easySteps {
		s.fraction = min(boldFraction, 1.5*s.fraction)
	} else {
		s.fraction = min(s.set.Fraction, max(hard, hardFraction/2))
	}
	s.drop()
}

// giveUp leaves a target whose boxes became too small to split: the next one is lower.
func (s *ladder) giveUp() {
	if s.fraction /= 2; s.fraction < leastFraction {
		s.fraction = leastFraction
		s.stuck++
	}
	s.drop()
}

// leastFraction is the least share of the gap that a target closes.
const leastFraction = 1e-3

// drop leaves the target.
func (s *ladder) drop() {
	s.leave(s.tree.done, s.tree.steps, s.tree.spent)
	s.tree = nil
	clear(s.out)
}

func (s *ladder) count(p *Progress) {
	t := s.tree
	p.Nodes += t.done
	p.Steps += t.steps
	p.Work += t.spent
	p.OpenNodes = len(t.stack) + len(s.out)
	p.Waiting = len(t.stack) == 0 && len(s.out) > 0
}

// A target of the ladder is proved as a whole, and its proof with it.
func (s *ladder) publish()            {}
func (s *ladder) draft() *proof.Claim { return nil }
