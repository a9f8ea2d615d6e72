package decide

import (
	"errors"
	"math"

	"rcmdplab/core/bound"
	"rcmdplab/core/certify"
	"rcmdplab/core/proof"
	"rcmdplab/core/solve"
)

// wide runs the search for large models, see solve.Wide, and lets the door judge
// the proofs that it proposes.
func (r *runner) wide() {
	s := r.set
	if b := r.p.Best; b.Policy != nil && s.InitialPolicy == nil {
		s.InitialPolicy = b.Policy
	}
	rows := r.rows
	for p := range solve.Wide(r.ev, s) {
		r.found = p.Status != solve.Running && r.going()
		p.Status = solve.Running
		r.take(p)
		if p.Step {
			r.p.K = rows
			rows++
		}
		r.rows = rows
		r.p.Step = false // one record ends the step, not those of its check
		r.propose(p.Proposal)
		r.p.Step = p.Step
		more := r.tell() // asked to end, the search does so by itself, with what it has
		if r.p.Step = false; !more {
			break
		}
	}
	if r.m.Total() && r.m.N == 0 && r.dual.x != nil && !r.left {
		r.untimed(r.dual.x.Policy())
	}
}

// untimed takes in the policy of a proof at discount 1 if it costs less than the best when no time is charged for.
func (r *runner) untimed(pi []float64) {
	b := &r.p.Best
	if !b.Feasible || r.ev.Endless(pi) {
		return
	}
	plain := r.ev.Untimed()
	plain.SetTolerance(leastTolerance)
	plain.Pace(r.tell)
	plain.Evaluate(b.Policy)
	was := plain.J[0]
	if plain.Evaluate(pi); plain.J[0] < was {
		b.Policy, b.Objective = pi, plain.J[0]
	}
}

// apart raises the bound by a worst kernel for the objective and another for the
// limits, see bound.RaySearch. The checker is asked each time rays are added, and
// at the end.
func (r *runner) apart() {
	r.ev.Pace(r.tell)
	if r.m.N == 0 || r.door.infeasible != nil {
		return
	}
	prices := make([]float64, r.m.N)
	if c := r.door.priced; c != nil {
		copy(prices, c.Prices())
	}
	x := bound.NewRaySearch(r.ev, prices)
	if x == nil {
		return
	}
	missing := func() float64 {
		if b := &r.p.Best; b.Feasible {
			return b.Objective - r.door.bound()
		}
		return math.Abs(r.door.bound())
	}
	offered := r.door.bound()
	for done := false; !done && r.tick(); {
		if !x.Step() {
			continue
		}
		if done = x.Done(missing()); x.Bound() > offered+missing()/10 {
			offered = x.Bound()
			if r.byRays(x, r.tick) == refused || r.over() {
				return
			}
		}
	}
	if x.Bound() > offered && !r.left && endingOf(r.set) != stopped {
		r.byRays(x, r.tell)
	}
}

// byRays offers the proof of a search by rays, with the rows that the checker
// does not find.
func (r *runner) byRays(x *bound.RaySearch, more func() bool) verdict {
	c := x.Proof(nil, nil)
	pairs, rays, err := r.door.checker.Wanting(*c, 1e-11, more)
	switch {
	case errors.Is(err, certify.ErrLeft):
		return left
	case err != nil:
		return refused
	}
	return r.door.offer(x.Proof(pairs, rays), more)
}

// propose gives the door values, which may help to check a policy as well.
func (t *teller) propose(c *proof.Claim) {
	if c != nil && t.m.N == 0 { // nearly the values of the policy that is best for them
		t.near = c.Values.V
	}
	if c != nil && t.m.Total() {
		c = t.dual.atOne(c, t.tick)
	}
	if c != nil {
		t.dual.put(c, t.tick)
	}
	if x := t.dual.x; x != nil && x.Collects() >= 0 {
		t.door.say(Unbounded(t.m.Problem.States[x.Collects()]) + ".")
	}
}

// byBounds proposes what the method believes to have proved of a large model, or what
// the search for such proves.
func (t *teller) byBounds() {
	from := t.p.Proposal
	if t.propose(from); from != nil {
		return
	}
	for p := range solve.Bounds(t.ev, t.set) {
		if t.propose(p.Proposal); !t.tick() {
			return
		}
	}
}

// suggest spares the checker the search for the values of the best policy of a large
// model.
func (t *teller) suggest() {
	m, policy := t.m, t.p.Best.Policy
	if policy == nil || !solve.Large(m) {
		return
	}
	if t.near != nil {
		t.door.suggest([][]float64{t.near}, true)
		return
	}
	t.ev.Evaluate(policy)
	guesses := make([][]float64, max(len(m.Kernels), 1)*(m.N+1))
	for g := range guesses {
		guesses[g] = make([]float64, m.S)
		t.ev.ValuesUnder(guesses[g], g/(m.N+1), g%(m.N+1))
	}
	t.door.suggest(guesses, len(m.Kernels) < 2) // of many kernels they would make a long record
}
