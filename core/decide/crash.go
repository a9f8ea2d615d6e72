package decide

import (
	"fmt"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/solve"
)

// Crashed begins the note of a reply after a part of its method has crashed.
const Crashed = "A part of the method crashed, which is a fault of ours; what was found before stands: "

// guard runs a method whose parts may crash. Whoever pulls is called by yield alone,
// so that a crash of theirs is told from one of ours, which is noted and ends no more
// than the part that it is in.
type guard struct {
	pull  func(solve.Progress) bool // whoever pulls
	at    bool                      // they are at work
	notes string                    // of crashes
}

func (g *guard) yield(p solve.Progress) bool {
	g.at = true
	more := g.pull(p)
	g.at = false
	return more
}

// part runs a part of a method and reports whether it came to its end. After a crash the
// evaluator begins anew.
func (g *guard) part(ev *evaluate.Evaluator, work func()) (ended bool) {
	defer func() {
		if g.at || ended {
			return
		}
		if e := recover(); e != nil {
			g.notes = join(g.notes, Crashed+fmt.Sprint(e))
			ev.Pace(nil)
			ev.KeepKernels(0)
			ev.Restart()
		}
	}()
	work()
	return true
}

// conclude is the door's, without a claim where the check crashes.
func (g *guard) conclude(d *door, ev *evaluate.Evaluator, p *solve.Progress, s solve.Settings, more func() bool) {
	if !g.part(ev, func() { d.conclude(p, s, more) }) {
		d.accepted, d.unheard = accepted{}, nil
		d.conclude(p, s, more)
	}
	if p.Note = join(g.notes, p.Note); g.notes != "" && p.Best.Policy == nil && p.Certificate == nil {
		p.Status = solve.Failed
	}
}
