package decide

import (
	"fmt"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
	"rcmdplab/core/solve"
)

// teller is a run as whoever pulls it sees it: records that say what the door lets
// through, until they leave, and a last one that says what may be claimed, whatever
// crashes on the way.
type teller struct {
	ev   *evaluate.Evaluator
	m    *model.Standard
	set  solve.Settings            // the person's settings
	pull func(solve.Progress) bool // whoever pulls
	door *door                     // says what may be claimed
	dual *dual                     // proposes by weak duality
	near []float64                 // where there are no limits, the values that were proposed last
	p    solve.Progress            // the record that goes out next
	left bool                      // they have left: nothing may be told any more
	at   bool                      // they are at work
}

func newTeller(ev *evaluate.Evaluator, s solve.Settings, pull func(solve.Progress) bool) teller {
	t := teller{ev: ev, m: ev.M, set: s, pull: pull, door: newDoor(ev.M, s), p: solve.Nothing()}
	if e := ev.Episodes; e != nil {
		t.door.episodes = e
		if s.InitialPolicy == nil {
			t.set.InitialPolicy = e.Start()
		}
	}
	t.dual = newDual(t.door)
	t.door.recall(s.Proofs)
	return t
}

// send hands a record over.
func (t *teller) send(p solve.Progress) bool {
	t.at = true
	t.left = !t.pull(p)
	t.at = false
	return !t.left
}

// tell tells how things are; false when they have left.
func (t *teller) tell() bool {
	if t.left {
		return false
	}
	t.door.pass(&t.p)
	p := t.p
	p.Status = solve.Running
	return t.send(t.door.held(p))
}

// tick is tell for work that ends when it is asked to.
func (t *teller) tick() bool { return t.tell() && t.going() }

// going reports whether there is somebody who wants more.
func (t *teller) going() bool { return !t.left && !t.set.Asked() }

// Crashed begins the note of a reply after a part of its method has crashed.
const Crashed = "A part of the method crashed, which is a fault of ours; what was found before stands: "

// part runs a part of a method and reports whether it came to its end. Whoever pulls
// is called by send alone, so that a crash of theirs is told from one of ours, which
// is noted and ends no more than the part that it is in; the evaluator then begins anew.
func (t *teller) part(ev *evaluate.Evaluator, work func()) (ended bool) {
	defer func() {
		if t.at || ended {
			return
		}
		if e := recover(); e != nil {
			t.door.crashed = true
			t.door.say(Crashed + fmt.Sprint(e))
			ev.Pace(nil)
			ev.KeepKernels(0)
			ev.Restart()
		}
	}()
	work()
	return true
}

// hear has the door judge what an earlier run left.
func (t *teller) hear() { t.door.hear(func() func() bool { return t.tick }) }

// conclude makes the record the last one: without a claim where the check crashes.
func (t *teller) conclude() {
	if !t.part(t.ev, func() { t.door.conclude(&t.p, t.set, t.tell) }) {
		t.door.accepted, t.door.unheard = accepted{}, nil
		t.door.conclude(&t.p, t.set, t.tell)
	}
}
