package evaluate

// Pace lets long work pause: every so much of it somebody is asked whether they
// want more. A nil pace never asks.
type Pace struct {
	more func() bool // false: what is running is to end
	work int         // since they were asked last
	cut  bool        // they said no: what is running ends as it is
}

// RowWork is the work that an answer of the set is for each successor of the row.
const RowWork = 32

// breath is the work, in numbers read, between two questions: a few milliseconds.
const breath = 1 << 20

// NewPace has more asked every few milliseconds within the work of whoever keeps the pace; when it
// says no, what is running ends at once and is of no use.
func NewPace(more func() bool) *Pace { return &Pace{more: more} }

// Spend counts work that was done, in numbers read, and reports whether to go on.
func (p *Pace) Spend(work int) bool {
	if p == nil || p.more == nil {
		return true
	}
	if p.work += work; p.work < breath || p.cut {
		return !p.cut
	}
	p.work = 0
	p.cut = !p.more()
	return !p.cut
}

// Cut reports whether more has said no.
func (p *Pace) Cut() bool { return p != nil && p.cut }

// Pace has more asked every few milliseconds within the evaluator's work on a
// large model and that of the systems and games that keep its pace,
// whoever calls for it; nil ends that. When more says no, what is running ends
// at once: the returns of that policy are then +Inf and nothing else that was
// asked for is of any use, until Pace is called again. Nobody may use the
// evaluator from within more.
func (e *Evaluator) Pace(more func() bool) { *e.pace = Pace{more: more} }

// Cut reports whether Pace's function has said no.
func (e *Evaluator) Cut() bool { return e.pace.Cut() }

// Own is the evaluator's pace, for others to keep.
func (e *Evaluator) Own() *Pace { return e.pace }

// KeepPace has the system ask as others do.
func (y *System) KeepPace(p *Pace) {
	if y.sparse != nil {
		y.sparse.pace = p
	}
}
