package wire

import (
	"errors"
	"fmt"
	"math"

	"rcmdplab/core/decide"
	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
	"rcmdplab/core/solve"
)

// MaxWork is the most memory, in bytes, that a problem's evaluators may need:
// beyond it the engine's memory ends and everything with it.
const MaxWork = 3 << 29

// problem reads a document for a call that needs a sound one.
func problem(document []byte) (*model.Standard, []string) {
	p, faults, warnings := model.Decode(document)
	refuseAll(InvalidProblem, faults)
	m := p.Standard()
	if why := tooLarge(m); why != "" {
		refuse(Unsupported, why)
	}
	return m, warnings
}

// tooLarge is why a problem does not fit into the engine's memory, and what
// would; empty when it does.
func tooLarge(m *model.Standard) string {
	n := work(m)
	if n <= MaxWork {
		return ""
	}
	times, fewer := "", ""
	if m.Problem.ByTime() {
		times, fewer = " by time", "decisions, "
	}
	return fmt.Sprintf(
		"this problem needs about %.1f GB of memory (%s%s, %s); a page can have %.1f GB. Fewer states, %sactions or kernels, or rows that list fewer next states, need less",
		float64(n)/1e9, model.Count(m.S, "state"), times, model.Count(m.Pairs(), "pair"), MaxWork/1e9, fewer)
}

// evaluator makes the evaluator of a problem.
func evaluator(m *model.Standard) *evaluate.Evaluator {
	ev, err := evaluate.New(m)
	refuseAll(InvalidProblem, trapped(err))
	refuseOn(Unsupported, err)
	return ev
}

// trapped is the fault of a model whose episodes cannot surely end, none of another.
func trapped(err error) model.Faults {
	var trap *evaluate.Trap
	if !errors.As(err, &trap) {
		return nil
	}
	return model.Faults{{Pointer: "/end", Message: trap.Error(), State: trap.State}}
}

// collects refuses a run for an objective that has no least value.
func collects(ev *evaluate.Evaluator) {
	if s := decide.Collects(ev); s != "" {
		refuseAll(InvalidProblem, model.Faults{{Pointer: "/objective", State: s, Message: decide.Unbounded(s)}})
	}
}

// work estimates the bytes of what a run holds: the evaluator and its twin for
// the result, the kernels, the next-state costs, and vectors of the search by
// pair.
func work(m *model.Standard) int64 {
	listed, next := int64(0), int64(0)
	for _, k := range m.Problem.Uncertainty.Every() {
		listed += int64(len(k.Prob))
	}
	for _, c := range m.CNext {
		next += int64(len(c))
	}
	return 2*evaluate.Memory(m) + 2*16*listed + 2*8*next + 8*int64(m.Pairs())*int64(20+4*m.N)
}

// fewSeconds is what a model takes at least for its time to be foretold, where the
// interval between policy and bound stays open: of a quicker one most goes into closing it.
const fewSeconds = 3

// seconds is about how long the default method takes on a large model in a page,
// from the sizes and measured rates (see "bench scale" of build.sh); 0 for one
// whose time depends on how hard its proof is.
func seconds(m *model.Standard) float64 {
	if !solve.Large(m) {
		return 0
	}
	u := &m.Problem.Uncertainty
	entries := 0
	for _, k := range append([]*model.Kernel{u.Nominal, u.Upper}, m.Kernels...) {
		if k != nil {
			entries += len(k.Prob)
		}
	}
	rate := 6e-6 // s an entry: one saddle point
	switch {
	case m.Rectangular() && m.N > 0:
		rate = 8e-5
	case !m.Rectangular() && m.N > 0:
		rate = 1e-5 * float64(1+m.N)
		if len(m.Kernels) > 1 {
			rate = 1e-4
		}
	}
	if s := rate * float64(entries); s >= fewSeconds || m.N == 0 || len(m.Kernels) == 1 {
		return s
	}
	return 0
}

// promptly is up to how many states it is asked at each edit whether an episode can end.
const promptly = 2000

// validate judges a document without solving it.
func (s *Session) validate(parts [][]byte) []byte {
	p, faults, warnings := model.Decode(part(parts, 0))
	if p != nil && p.Total() && len(p.States) <= promptly {
		_, err := evaluate.New(p.Standard())
		faults = append(faults, trapped(err)...)
	}
	t := value().open('{').key("ok").bool(len(faults) == 0)
	t.key("errors").faults(faults).key("warnings").strs(warnings)
	t.key("summary").maybe(p != nil, func() { writeSummary(t, p.Standard()) })
	return t.close('}').done()
}

// writeSummary writes the sizes of a problem and the same in one sentence.
func writeSummary(t *text, m *model.Standard) {
	said := m.Problem.Document()
	u := &said.Uncertainty
	set := string(u.Kind) + " set"
	if !m.Rectangular() {
		set = model.Count(len(m.Kernels), "kernel")
	}
	limits := ""
	if m.N > 0 {
		limits = model.Count(m.N, "limit") + ", "
	}
	horizon, time := m.H, fmt.Sprintf("discount %v (horizon %.4g)", m.Problem.Discount, m.H)
	if m.Total() {
		horizon, time = math.NaN(), "no discount: episodes that end"
	}
	n, _ := decisions(m)
	if n > 0 {
		horizon, time = float64(n), model.Count(n, "decision")
		if said.Discount < 1 {
			time += fmt.Sprintf(", discount %v", said.Discount)
		}
	}
	pairs := said.Layout.Pairs()
	t.open('{').key("text").str(fmt.Sprintf("%s, %s (%s), %s%s, %s",
		model.Count(len(said.States), "state"), model.Count(m.A, "action"), model.Count(pairs, "available pair"), limits, set, time))
	t.key("states").int(int64(len(said.States))).key("actions").int(int64(m.A)).key("pairs").int(int64(pairs))
	t.key("decisions").int(int64(n))
	t.key("constraints").int(int64(m.N)).key("kernels").int(int64(len(m.Kernels)))
	s := support(u)
	t.key("kind").str(string(u.Kind)).key("support").maybe(s != "", func() { t.str(s) })
	t.key("discount").num(m.Problem.Discount).key("horizon").num(horizon).key("bytes").int(work(m))
	t.key("seconds").num(seconds(m))
	large := tooLarge(m)
	list(t.key("unfit"), decide.Algorithms(), func(a solve.Algorithm) {
		reason := large
		if reason == "" && a.Unfit != nil {
			reason = a.Unfit(m)
		}
		if reason != "" {
			t.open('{').key("algorithm").str(a.ID).key("reason").str(a.Title + " cannot run here: " + reason + ".").close('}')
		}
	})
	t.close('}')
}
