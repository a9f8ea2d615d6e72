package evaluate

// pace lets long work pause: every so much of it somebody is asked whether they
// want more. A nil pace never asks.
type pace struct {
	more func() bool // false: what is running is to end, see Pace
	work int         // since they were asked last
	cut  bool        // they said no: what is running ends as it is
}

// RowWork is the work that an answer of the set is for each successor of the row.
const RowWork = 32

// breath is the work, in numbers read, between two questions: a few milliseconds.
const breath = 1 << 20

// spend counts work that was done and reports whether to go on.
func (p *pace) spend(work int) bool {
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

func (p *pace) isCut() bool { return p != nil && p.cut }

// Pace has more asked every few milliseconds within the evaluator's work on a
// large model and that of the systems and games that keep its pace,
// whoever calls for it; nil ends that. When more says no, what is running ends
// at once: the returns of that policy are then +Inf and nothing else that was
// asked for is of any use, until Pace is called again. Nobody may use the
// evaluator from within more.
func (e *Evaluator) Pace(more func() bool) { *e.pace = pace{more: more} }

// Cut reports whether Pace's function has said no.
func (e *Evaluator) Cut() bool { return e.pace.cut }

// KeepPace has the system ask as the evaluator does.
func (y *System) KeepPace(e *Evaluator) {
	if y.sparse != nil {
		y.sparse.pace = e.pace
	}
}

// Spend counts work of somebody who keeps the evaluator's pace and reports whether
// to go on.
func (e *Evaluator) Spend(work int) bool { return e.pace.spend(work) }
