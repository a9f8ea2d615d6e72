package decide

import (
	"math"
	"slices"

	"rcmdplab/core/model"
	"rcmdplab/core/solve"
)

// Beside makes records of a run in progress ones that can be given away as an answer:
// the checker accepts their policy together with their certificate. conclude sees to
// it for the last one.
type Beside struct {
	door *door
	told solve.Progress // that was judged last: numbers of its policy, its bound
	last solve.Progress // what became of it
}

// NewBeside makes one for a run of a problem.
func NewBeside(m *model.Standard, s solve.Settings) *Beside {
	return &Beside{door: newDoor(m, s), told: solve.Progress{LowerBound: math.NaN()}}
}

// Stand gives a record as the run's last, if it were stopped now, whose claim holds
// beside its policy: as it is where that is clear, else with a certificate that allows
// for what the policy misses, or without a bound where none is found at once, or where
// its document is longer than most bytes: a bound goes with its proof or not at all.
func (b *Beside) Stand(p solve.Progress, most int) solve.Progress {
	p = b.stand(p)
	b.door.stops(&p)
	if c := p.Certificate; c != nil {
		if text, err := c.Encode(); err != nil || len(text) > most {
			b.door.clear(&p)
		}
	}
	return p
}

// stand is Stand for a certificate of any length. Of a large model, which takes long to
// tell, it is believed.
func (b *Beside) stand(p solve.Progress) solve.Progress {
	d := b.door
	c := p.Certificate
	if c == nil || math.IsInf(p.LowerBound, -1) || !p.Best.Feasible || solve.Large(d.m) || inside(d.m, &p.Best) {
		return p
	}
	was := &b.told
	if was.LowerBound != p.LowerBound || was.Best.Objective != p.Best.Objective || was.Best.MaxViolation != p.Best.MaxViolation {
		*was = solve.Progress{LowerBound: p.LowerBound, Best: solve.Best{Objective: p.Best.Objective, MaxViolation: p.Best.MaxViolation}}
		d.accepted = accepted{}
		d.keep(c)
		q := solve.Progress{Best: p.Best}
		q.Best.Policy = slices.Clone(p.Best.Policy)
		more := hurried(d.m, func() bool { return true })
		d.confirm(&q, more, more)
		d.clear(&q)
		d.write(&q)
		b.last = q
	}
	d.repeat(&p, &b.last)
	return p
}

// inside reports whether a policy keeps clear of every limit, by more than any
// evaluation of it is off.
func inside(m *model.Standard, best *solve.Best) bool {
	return !some(m, func(_ int, scale float64) bool { return !(best.MaxViolation < -mostMissed*scale) })
}
