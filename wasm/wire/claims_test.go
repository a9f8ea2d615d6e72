package wire

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"rcmdplab/core/solve"
)

// claimed is what a reply says that somebody might believe.
type claimed struct {
	Status    string
	Feasible  bool
	Policy    json.RawMessage
	Objective struct {
		Sense                         string
		Value, LowerBound, UpperBound *float64
		Gap                           *float64
	}
	Constraints                  []struct{ Allowed float64 }
	MaxViolation, LeastViolation *float64
	Certificate                  json.RawMessage
	Warnings                     []string
	Options                      struct{ Tolerance float64 }
}

// bound is the proved end of the objective, whichever side it is on.
func (c *claimed) bound() *float64 {
	if c.Objective.Sense == "maximize" {
		return c.Objective.UpperBound
	}
	return c.Objective.LowerBound
}

// past reports whether a lies on the better side of b: less for who minimises.
func (c *claimed) past(a, b float64) bool {
	if c.Objective.Sense == "maximize" {
		return a > b
	}
	return a < b
}

// unproved lists what a result says without a certificate in the same reply
// that proves it.
func unproved(t *testing.T, doc []byte, c *claimed) (faults []string) {
	t.Helper()
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	var r report
	if len(c.Certificate) > 0 {
		if r = judged(t, doc, c.Certificate); !r.OK {
			fault("its certificate is refused: %s", r.Reasons[len(r.Reasons)-1])
		}
	}
	proves := r.LowerBound
	if c.Objective.Sense == "maximize" {
		proves = r.UpperBound
	}
	bound := c.bound()
	// Where no policy meets the limits, every bound holds.
	if bound != nil && !r.Infeasible && (proves == nil || c.past(*proves, *bound)) {
		fault("bound %v, the certificate of %d bytes proves %v", *bound, len(c.Certificate), show(proves))
	}
	var both report
	if bound != nil && c.Feasible {
		if both = judged(t, doc, c.Certificate, c.Policy); !both.OK {
			fault("the policy and the certificate are not accepted together: %s", both.Reasons[len(both.Reasons)-1])
		}
	}
	for n, limit := range c.Constraints {
		if r.Allow == nil && limit.Allowed != 0 || r.Allow != nil && limit.Allowed != r.Allow[n] {
			fault("limit %d may be missed by %v, the certificate allows %v", n+1, limit.Allowed, r.Allow)
		}
	}
	if c.LeastViolation != nil && (r.LeastViolation == nil || *c.LeastViolation > *r.LeastViolation) {
		fault("least violation %v, the certificate proves %v", *c.LeastViolation, show(r.LeastViolation))
	}
	switch c.Status {
	case "bounded", "proved-optimal":
		if bound == nil || !c.Feasible {
			fault("%s with bound %v, feasible %v", c.Status, show(bound), c.Feasible)
		}
	case "proved-infeasible":
		if !r.Infeasible || c.Feasible {
			fault("%s, feasible %v, and the certificate shows infeasible %v", c.Status, c.Feasible, r.Infeasible)
		}
	case "feasible":
		if !c.Feasible {
			fault("feasible without a feasible policy")
		}
	}
	if c.Status == "proved-optimal" {
		if r := both; !r.OK || r.Gap == nil || r.Objective == nil ||
			*r.Gap > c.Options.Tolerance*math.Abs(*r.Objective)+1e-300 && !zeroish(c) {
			fault("proved optimal, and the checker gives a gap of %v next to %v: %q", show(r.Gap), show(r.Objective), r.Reasons)
		}
	}
	if bound != nil && c.Objective.Value != nil && c.Feasible && c.past(*c.Objective.Value, *bound) {
		fault("value %v is beyond its own bound %v", *c.Objective.Value, *bound)
	}
	for _, w := range c.Warnings {
		if !strings.Contains(strings.ToLower(w), "proved") || strings.Contains(w, "not proved") {
			continue
		}
		if !r.OK {
			fault("the word proved without a proof: %q", w)
		}
	}
	return faults
}

// zeroish: next to an optimum of zero a gap is judged by the least cost.
func zeroish(c *claimed) bool { return c.Objective.Value != nil && math.Abs(*c.Objective.Value) < 1e-6 }

func show(x *float64) any {
	if x == nil {
		return "nothing"
	}
	return *x
}

// limited is a small problem with one limit for a kind of set.
func limited(kind, set string, limit float64) string {
	return fmt.Sprintf(`{"format":"rcmdp/1","name":"%s %v","states":["x","y"],"actions":["a","b"],"discount":0.9,"initial":[1,0],
		"objective":{"name":"c","values":[[0,1],[1,0.25]]},"constraints":[{"name":"d","values":[[1,0.2],[0.5,0.1]],"atMost":%v}],
		"uncertainty":%s}`, kind, limit, limit, set)
}

// claimProblems are small problems of every kind of set, feasible and not.
func claimProblems(t testing.TB) map[string]string {
	nominal := `"nominal":[[[0.7,0.3],[0.5,0.5]],[[0.5,0.5],[0.6,0.4]]]`
	sets := map[string]string{
		"finite 1":       `{"kind":"finite","kernels":[{"transitions":[[[0.7,0.3],[0.5,0.5]],[[0.5,0.5],[0.6,0.4]]]}]}`,
		"finite 2":       `{"kind":"finite","kernels":[{"transitions":[[[0.7,0.3],[0.5,0.5]],[[0.5,0.5],[0.6,0.4]]]},{"transitions":[[[0.2,0.8],[0.9,0.1]],[[0.1,0.9],[1,0]]]}]}`,
		"kl":             `{"kind":"kl","radius":0.05,` + nominal + `}`,
		"kl-regularized": `{"kind":"kl-regularized","temperature":0.5,` + nominal + `}`,
		"paper":          `{"kind":"kl-regularized","temperature":0.5,"evaluator":"paper",` + nominal + `}`,
		"l1":             `{"kind":"l1","radius":0.2,` + nominal + `}`,
		"tv":             `{"kind":"tv","radius":0.1,"support":"all",` + nominal + `}`,
		"l2":             `{"kind":"l2","radius":0.1,` + nominal + `}`,
		"linf":           `{"kind":"linf","radius":0.1,` + nominal + `}`,
		"chi2":           `{"kind":"chi2","radius":0.05,` + nominal + `}`,
		"contamination":  `{"kind":"contamination","radius":0.1,` + nominal + `}`,
		"interval":       `{"kind":"interval","lower":[[[0.6,0.2],[0.4,0.4]],[[0.4,0.4],[0.5,0.3]]],"upper":[[[0.8,0.4],[0.6,0.6]],[[0.6,0.6],[0.7,0.5]]]}`,
	}
	all := map[string]string{}
	for kind, set := range sets {
		all[kind] = limited(kind, set, 5)
		if kind == "finite 2" || kind == "l1" || kind == "finite 1" || kind == "paper" {
			all[kind+" infeasible"] = limited(kind, set, 1.2)
			all[kind+" maximised"] = strings.Replace(limited(kind, set, 5), `"name":"c",`, `"name":"c","sense":"maximize",`, 1)
			open := limited(kind, set, 5)
			from, to := strings.Index(open, `"constraints"`), strings.Index(open, `"uncertainty"`)
			all[kind+" without limits"] = open[:from] + open[to:]
		}
	}
	for _, name := range []string{"fig1_conflict", "a_seed4", "c_seed0"} {
		all[name] = string(document(t, name))
	}
	return all
}

// claimOptions keep every method short.
var claimOptions = map[string]string{
	"solve":                        `"starts":3,"gap":0.02`,
	"slp":                          `"starts":4`,
	"epirc-pgs":                    `"outerIterations":4,"innerIterations":200,"stepSize":0.01`,
	"lagrangian":                   `"outerIterations":4,"innerIterations":60`,
	"lagrangian-policy-average":    `"outerIterations":4,"innerIterations":60`,
	"lagrangian-occupancy-average": `"outerIterations":4,"innerIterations":60`,
	"penalty":                      `"outerIterations":4,"innerIterations":60`,
	"policy-mixing":                `"outerIterations":20`,
	"rnpg":                         `"outerIterations":60`,
	"mirror-descent":               `"outerIterations":20`,
}

// unlimited ends the options of a run without a limit of time, beside which nothing measures how much of it there is.
const unlimited = `,"timeLimit":0}`

// ending is one way in which a run comes to its end; it gives every reply with
// a result in it.
type ending struct {
	name string
	run  func(t *testing.T, options string, doc []byte) [][]byte
}

func endings() []ending {
	begin := func(t *testing.T, s *Session, options string, doc []byte, from ...[]byte) bool {
		_, err := answer(t, s.Call("begin", append([][]byte{[]byte(options), doc}, from...)...), nil)
		if err != nil && err.Code != InvalidOption {
			t.Fatal(err)
		}
		return err == nil
	}
	// toEnd pulls records until the run is over; look sees the session after each.
	toEnd := func(t *testing.T, s *Session, tick float64, look func(n int)) []byte {
		now := 0.0
		clock := func() float64 { now += tick; return now }
		for n := range 200_000 {
			reply := s.Step(clock, -1, false)
			if !s.Running() {
				return reply
			}
			if look != nil {
				look(n)
			}
		}
		t.Fatal("the run does not end")
		return nil
	}
	return []ending{
		{"finished", func(t *testing.T, options string, doc []byte) [][]byte {
			var s Session
			if !begin(t, &s, "{"+options+unlimited, doc) {
				return nil
			}
			return [][]byte{toEnd(t, &s, 0, nil)}
		}},
		{"stopped, with looks on the way", func(t *testing.T, options string, doc []byte) (all [][]byte) {
			for _, at := range []int{0, 3, 40} {
				var s Session
				if !begin(t, &s, "{"+options+unlimited, doc) {
					return nil
				}
				s.Call("keep")
				all = append(all, toEnd(t, &s, 0, func(n int) {
					if n == at {
						all = append(all, s.Call("snapshot"))
						s.Call("stop")
					}
				}))
			}
			return all
		}},
		{"time limit, then continued to the end", func(t *testing.T, options string, doc []byte) [][]byte {
			var s, next Session
			if !begin(t, &s, "{"+options+`,"timeLimit":0.02}`, doc) {
				return nil
			}
			s.Call("keep")
			first := toEnd(t, &s, 0.001, nil)
			all := [][]byte{first}
			if begin(t, &next, "{"+options+unlimited, doc, []byte("checkpoint"), first) {
				all = append(all, toEnd(t, &next, 0.001, nil))
			}
			return all
		}},
		{"shared", func(t *testing.T, options string, doc []byte) [][]byte {
			var home, away Session
			if !begin(t, &home, "{"+options+unlimited, doc) {
				return nil
			}
			var all [][]byte
			reply := toEnd(t, &home, 0, func(int) {
				var there bool
				split := home.Call("split")
				if _, e := answer(t, split, &there); e != nil {
					t.Fatal(e)
				}
				if !there || len(all) > 20 {
					return
				}
				if !begin(t, &away, "{"+options+unlimited, doc, []byte("part"), bytesOf(t, split, columnPart)) {
					t.Fatal("a part is refused")
				}
				back := toEnd(t, &away, 0, nil)
				all = append(all, back)
				home.Call("join", bytesOf(t, back, columnPart))
			})
			return append(all, reply)
		}},
	}
}

// Whatever the method, the ending and the kind of set: a reply carries no bound,
// no status above feasible and not the word proved without a certificate in it
// that proves just that, and no value lies beyond its own bound.
func TestEveryClaimIsProvedInItsReply(t *testing.T) {
	problems, checked := claimProblems(t), 0
	for _, a := range solve.Algorithms() {
		if _, ok := claimOptions[a.ID]; !ok {
			claimOptions[a.ID] = ""
		}
	}
	for name, doc := range problems {
		for id, extra := range claimOptions {
			options := `"algorithm":"` + id + `"`
			if extra != "" {
				options += "," + extra
			}
			if id == "evaluate" {
				if strings.Contains(name, "seed") || strings.Contains(name, "fig") {
					continue
				}
				options += `,"initialPolicy":[[0,1],[0,1]]`
			}
			for _, end := range endings() {
				if testing.Short() && (len(name)+len(id)+len(end.name))%3 != 0 {
					continue
				}
				for i, reply := range end.run(t, options, []byte(doc)) {
					var v struct {
						Result   *claimed
						Progress []struct {
							LowerBound, UpperBound *float64
							Best                   *struct {
								Objective float64
								Feasible  bool
							}
						}
					}
					if _, err := answer(t, reply, &v); err != nil {
						t.Errorf("%s, %s, %s, reply %d: %v", name, id, end.name, i, err)
						continue
					}
					if v.Result == nil { // of a part: it claims nothing
						continue
					}
					checked++
					for _, f := range unproved(t, []byte(doc), v.Result) {
						t.Errorf("%s, %s, %s, reply %d (%s): %s", name, id, end.name, i, v.Result.Status, f)
					}
					for _, p := range v.Progress { // what is told beside a result stands on the same proof
						c := *v.Result
						c.Objective.LowerBound, c.Objective.UpperBound = p.LowerBound, p.UpperBound
						c.Status, c.Warnings, c.LeastViolation, c.Feasible = "", nil, nil, false
						for _, f := range unproved(t, []byte(doc), &c) {
							t.Errorf("%s, %s, %s, progress beside reply %d: %s", name, id, end.name, i, f)
						}
					}
				}
			}
		}
	}
	if checked < 500 && !testing.Short() {
		t.Errorf("only %d replies were looked at", checked)
	}
}

// Wherever a person stops a run, and whatever a snapshot catches: a reply with a bound
// has a policy that the checker accepts together with the certificate, also where
// limits are met within the tolerance only, and between two trees of a proof.
func TestAStoppedReplyIsAcceptedInFull(t *testing.T) {
	problems := claimProblems(t)
	for kind, doc := range problems {
		if strings.Contains(doc, `"atMost":5}`) { // the dearer limit, and hardly less than the least that d can be
			problems[kind+" tight"] = strings.Replace(doc, `"atMost":5}`, fmt.Sprintf(`"atMost":%v}`, leastOf(t, doc)*(1-1e-11)), 1)
		}
	}
	bounds, tight := 0, 0
	for name, doc := range problems {
		for at, last := 0, false; !last && at < 3000; at += 1 + at {
			var s Session
			if _, err := answer(t, s.Call("begin", []byte(`{"algorithm":"solve","starts":3,"gap":0.002`+unlimited), []byte(doc)), nil); err != nil {
				t.Fatal(name, err.Message)
			}
			var replies [][]byte
			for n := 0; s.Running(); n++ {
				if n == at {
					replies = append(replies, s.Call("snapshot", []byte{1}))
					s.Call("stop")
				}
				if reply := s.Step(func() float64 { return 0 }, -1, false); !s.Running() {
					replies = append(replies, reply)
					last = n < at
				}
			}
			for i, reply := range replies {
				var v struct{ Result *claimed }
				if _, err := answer(t, reply, &v); err != nil {
					t.Fatal(name, err.Message)
				}
				if v.Result.bound() != nil && v.Result.Feasible {
					bounds++
					if v.Result.MaxViolation != nil && *v.Result.MaxViolation > 0 {
						tight++
					}
				}
				for _, f := range unproved(t, []byte(doc), v.Result) {
					t.Errorf("%s, stopped at %d, reply %d (%s): %s", name, at, i, v.Result.Status, f)
				}
			}
		}
	}
	if bounds < 50 || tight < 10 {
		t.Errorf("%d replies with a bound, %d beside a policy that misses a limit: too few to tell", bounds, tight)
	}
}

// leastOf is the least that the limited cost of a problem can be.
func leastOf(t *testing.T, doc string) float64 {
	t.Helper()
	from, to := strings.Index(doc, `"objective"`), strings.Index(doc, `"uncertainty"`)
	alone := doc[:from] + `"objective":{"name":"d","values":[[1,0.2],[0.5,0.1]]},` + doc[to:]
	var s Session
	if _, err := answer(t, s.Call("begin", []byte(`{"algorithm":"solve"}`), []byte(alone)), nil); err != nil {
		t.Fatal(err.Message)
	}
	for {
		reply := s.Step(func() float64 { return 0 }, -1, false)
		if s.Running() {
			continue
		}
		var v struct{ Result *claimed }
		if _, err := answer(t, reply, &v); err != nil || v.Result.Objective.Value == nil {
			t.Fatal("no least cost is found")
		}
		return *v.Result.Objective.Value
	}
}
