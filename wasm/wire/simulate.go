package wire

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"rcmdplab/core/jsontext"
	"rcmdplab/core/model"
	"rcmdplab/core/simulate"
)

// simulated is a simulator and what it was made of: a simulation is asked for
// in parts, and its kernel may have been costly to find.
type simulated struct {
	of       [3][]byte           // problem, policy and kernel as given
	horizon  int                 // as given
	x        *simulate.Simulator // draws the next part
	expected []float64           // returns under the kernel
	label    string              // of the kernel, for a person
}

// most is what one request may ask for.
const (
	mostEpisodes = 10_000_000
	mostPaths    = 1000
	mostWork     = 50_000_000 // steps of one request
)

// simulate draws episodes: part 0 is the problem, part 1 the policy, part 2 the
// options {"kernel", "horizon", "seed", "first", "episodes", "paths", "steps"}.
// The totals of cost n are the column "totals.n"; the first paths come as
// columns "path.e.states", "path.e.actions" and "path.e.costs".
func (s *Session) simulate(parts [][]byte) []byte {
	var (
		kernel                                  jsontext.Value
		seed                                    uint64
		horizon, first, episodes, paths, length int
		message                                 string
	)
	refuseOn(InvalidOption, read(part(parts, 2), jsontext.Fields{"kernel": &kernel, "horizon": &horizon, "first": &first, "episodes": &episodes,
		"paths": &paths, "steps": &length, "seed": func(v jsontext.Value) error { seed, message = readSeed(v); return nil }}))
	for _, x := range []struct {
		name            string
		got, from, most int
	}{{"horizon", horizon, 0, simulate.MaxHorizon}, {"episodes", episodes, 0, mostEpisodes}, {"first", first, 0, mostEpisodes}, {"paths", paths, 0, mostPaths}, {"steps", length, 0, simulate.MaxHorizon}} {
		if x.got < x.from || x.got > x.most {
			message = fmt.Sprintf("%s: got %d; want a whole number from %d to %d", x.name, x.got, x.from, x.most)
		}
	}
	if message != "" {
		refuse(InvalidOption, message)
	}
	x := s.simulator(part(parts, 0), part(parts, 1), kernel, horizon)
	if x.Horizon > mostWork/max(episodes, 1) {
		refuse(InvalidOption, fmt.Sprintf("%d episodes of %d steps are too many for one request; at most %d steps are drawn", episodes, x.Horizon, mostWork))
	}
	m := x.M
	var columns []Column
	row, sums := make([]float64, m.N+1), make([][]float64, m.N+1)
	for n := range sums {
		sums[n] = make([]float64, episodes)
	}
	for e := range episodes {
		x.Totals(row, seed, first+e)
		for n, v := range row {
			sums[n][e] = m.Present(n, v)
		}
	}
	for n := range sums {
		columns = append(columns, Column{Name: fmt.Sprintf("totals.%d", n), Data: sums[n]})
	}
	for e := range paths {
		columns = append(columns, pathColumns(x, e, x.Path(seed, e, length))...)
	}
	t := value().open('{').key("kernel").str(s.simulated.label).key("horizon").int(int64(x.Horizon)).key("costs").open('[')
	most := 0.0
	for n := range m.N + 1 {
		tail := m.PresentViolation(n, x.Truncation(n))
		most = max(most, tail)
		t.open('{').key("name").str(m.CostName(n)).key("expected").num(m.Present(n, s.simulated.expected[n])).key("truncation").num(tail).close('}')
	}
	t.close(']').key("truncation").num(most)
	return t.close('}').done(columns...)
}

// pathColumns are the states (one more than steps), the actions and the
// one-step costs of a path, cost by cost.
func pathColumns(x *simulate.Simulator, e int, path []simulate.Step) []Column {
	m := x.M
	states, actions := make([]float64, 0, len(path)+1), make([]float64, 0, len(path))
	last, each := decisions(m)
	place := func(s int) float64 { // of the document's state; none where it is all the same in which one it ends
		switch {
		case last == 0:
			return float64(s)
		case s == last*each && m.S == s+1:
			return -1
		}
		return float64(s % each)
	}
	if n := len(path); last > 0 && n > 0 && m.S == last*each+1 && m.Ends(path[n-1].State) && path[n-1].State == m.S-1 {
		path = path[:n-1] // nothing is paid there
	}
	costs := make([]float64, 0, len(path)*(m.N+1))
	for i, s := range path {
		if i == 0 {
			states = append(states, place(s.State))
		}
		states, actions = append(states, place(s.Next)), append(actions, float64(m.Act[s.Pair]))
	}
	for n := range m.N + 1 {
		for _, s := range path {
			costs = append(costs, sign(m, n)*simulate.Cost(m, n, s)+0)
		}
	}
	name := fmt.Sprintf("path.%d.", e)
	return []Column{{Name: name + "states", Data: states}, {Name: name + "actions", Data: actions}, {Name: name + "costs", Data: costs}}
}

// simulator is the simulator of the request, the last one when it is the same.
func (s *Session) simulator(document, policy []byte, kernel jsontext.Value, horizon int) *simulate.Simulator {
	last := &s.simulated
	if last.x != nil && horizon == last.horizon &&
		bytes.Equal(last.of[0], document) && bytes.Equal(last.of[1], policy) && bytes.Equal(last.of[2], kernel) {
		return last.x
	}
	m, _ := problem(document)
	pi := givenPolicy(policy, m)
	for st := range m.S { // rows sum to 1 but for rounding
		row := pi[m.Off[st]:m.Off[st+1]]
		model.Normalise(row, row)
	}
	k, label := findKernel(m, pi, kernel)
	expected, err := simulate.Returns(m, pi, k)
	refuseOn(Unsupported, err)
	s.simulated = simulated{
		of: [3][]byte{slices.Clone(document), slices.Clone(policy), slices.Clone(kernel)}, horizon: horizon,
		x: simulate.New(m, pi, k, horizon), expected: expected, label: label,
	}
	return s.simulated.x
}

// findKernel finds a kernel by index, by name, as the nominal one, or as the
// worst one of a cost at the policy.
func findKernel(m *model.Standard, pi []float64, v jsontext.Value) (*model.Kernel, string) {
	bad := func(format string, args ...any) {
		refuseAll(InvalidOption, model.Faults{{Pointer: "/kernel", Message: fmt.Sprintf(format, args...)}})
	}
	w := newUnits(m)
	var names []string
	for k := range m.Kernels {
		names = append(names, w.kernelName(k))
	}
	name, isName := v.Text()
	if k := slices.Index(names, name); isName && k >= 0 {
		return m.Kernels[k], names[k]
	}
	switch v.Kind() {
	case 0, 'n', '"':
		if isName && name != "nominal" {
			bad(`there is no kernel %q; want "nominal", {"worst": a cost}%s`, name, orNames(names))
		}
		k, err := simulate.Nominal(m)
		refuseOn(Unsupported, err)
		return k, cmp.Or(k.Name, "nominal")
	case '0':
		x, _ := v.Number()
		if k := int(x); float64(k) == x && k >= 0 && k < len(m.Kernels) {
			return m.Kernels[k], names[k]
		}
		if len(m.Kernels) == 0 {
			bad("kernel %s: only finite sets number their kernels", brief(v))
		}
		bad("kernel: got %s; want a whole number from 0 to %d", brief(v), len(m.Kernels)-1)
	}
	var cost string
	if err := v.Decode(jsontext.Fields{"worst": &cost}, nil); err != nil || v.Kind() != '{' {
		bad(`kernel: got %s; want an index, a name, "nominal" or {"worst": a cost}`, brief(v))
	}
	n := 0
	for n <= m.N && m.CostName(n) != cost {
		n++
	}
	switch {
	case n > m.N:
		bad("kernel: there is no cost %q to be worst for", cost)
	case m.Averaged() && m.Over[n] > 0:
		bad("kernel: %q is averaged over the models, so none of them is the worst one that counts; want an index or a name", cost)
	}
	return simulate.Worst(evaluator(m), pi, n), "worst for " + cost
}

func orNames(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return " or one of " + strings.Join(names[:min(len(names), 8)], ", ")
}

// spread sums up columns of totals: part 0 is a message of Pack. The reply is a
// list of {"mean", "standardError", "quantiles"}.
func (s *Session) spread(parts [][]byte) []byte {
	_, columns, err := Unpack(part(parts, 0))
	refuseOn(InvalidOption, err)
	t := value().open('[')
	for _, c := range columns {
		if slices.ContainsFunc(c.Data, math.IsNaN) {
			refuse(InvalidOption, "a total is not a number")
		}
		x := simulate.SpreadOf(c.Data)
		t.open('{').key("mean").num(x.Mean).key("standardError").num(x.StandardError).key("quantiles").open('[')
		for i, p := range simulate.Levels() {
			t.open('{').key("level").num(p).key("value").num(x.Quantiles[i]).close('}')
		}
		t.close(']').close('}')
	}
	return t.close(']').done()
}
