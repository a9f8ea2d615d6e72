package wire

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
)

// kernelName is the person's name of a kernel of a finite set, or its number.
func (w *units) kernelName(k int) string {
	if name := w.m.Kernels[k].Name; name != "" {
		return name
	}
	return "kernel " + strconv.Itoa(k+1)
}

// support is what nature may use, as in the document; "" where it does not
// apply.
func support(u *model.Uncertainty) string {
	switch u.Kind {
	case model.L1, model.TV, model.L2, model.LInf, model.Contamination:
		if u.SupportAll {
			return "all"
		}
		return "nominal"
	case model.KL, model.KLRegularized, model.Chi2:
		return "nominal"
	}
	return ""
}

// writeWorst writes which member of the set is worst for cost n at the
// evaluator's policy pi: a kernel, with those that tie, or nature's rows.
func (w *units) writeWorst(t *text, ev *evaluate.Evaluator, pi []float64, n int) {
	t.open('{').key("cost").str(w.m.CostName(n))
	if k := ev.Worst(n); k >= 0 {
		t.key("kernel")
		w.writeKernel(t, k)
		t.key("ties").open('[')
		for i, j := range kernelReturns(ev, n) {
			if i != k && ev.J[n]-j <= 2*ev.ErrorBound[n]+1e-12*math.Abs(ev.J[n]) {
				w.writeKernel(t, i)
			}
		}
		t.close(']')
	} else {
		if s := support(&w.m.Problem.Uncertainty); s != "" {
			t.key("support").str(s)
		}
		t.key("rows")
		w.writeRows(t, ev, pi, n)
	}
	t.close('}')
}

func (w *units) writeKernel(t *text, k int) {
	t.open('{').key("index").int(int64(k)).key("name").str(w.kernelName(k)).close('}')
}

// kernelReturns are the returns of cost n under each kernel of a finite set:
// its pieces of that cost, in the set's order.
func kernelReturns(ev *evaluate.Evaluator, n int) []float64 {
	var j []float64
	for p := range ev.Pieces() {
		if c, x := ev.Piece(p); c == n {
			j = append(j, x)
		}
	}
	return j
}

const (
	rowsLooked     = 400 // rows compared with the nominal ones, the most visited first
	rowsShown      = 10  // rows shown, those that moved most first
	successorsKept = 12  // successors shown of a row, those that changed most
)

// writeRows writes nature's worst rows beside the nominal ones for the rows
// that moved most probability along the policy's own paths: by half the l1
// distance times the occupancy of the pair.
func (w *units) writeRows(t *text, ev *evaluate.Evaluator, pi []float64, n int) {
	m := w.m
	d := make([]float64, m.S)
	ev.Occupancy(d, n)
	type row struct {
		i             int
		visits, moved float64
	}
	rows := make([]row, 0, m.Pairs())
	for i := range m.Pairs() {
		if v := d[m.State[i]] * pi[i]; v > 0 {
			rows = append(rows, row{i: i, visits: v})
		}
	}
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(b.visits, a.visits) })
	rows = rows[:min(len(rows), rowsLooked)]

	u := &m.Problem.Uncertainty
	nominal, lower, upper := make([]float64, m.S), make([]float64, m.S), make([]float64, m.S)
	var kernel *model.Kernel
	if u.Nominal != nil {
		kernel = m.NormalisedNominal()
	}
	worst := make([]float64, m.S)
	for r := range rows {
		rows[r].moved = math.NaN() // an interval has no nominal row to move from
		if kernel != nil {
			kernel.Dense(nominal, rows[r].i)
			ev.WorstRow(worst, n, rows[r].i)
			rows[r].moved = halfL1(worst, nominal)
		}
	}
	if kernel != nil {
		slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(b.moved*b.visits, a.moved*a.visits) })
		for len(rows) > 0 && rows[len(rows)-1].moved < 1e-12 {
			rows = rows[:len(rows)-1]
		}
	}
	t.open('[')
	for _, r := range rows[:min(len(rows), rowsShown)] {
		ev.WorstRow(worst, n, r.i)
		t.open('{').key("state").str(m.Problem.States[m.State[r.i]])
		t.key("action").str(m.Problem.Actions[m.Act[r.i]])
		t.key("visits").num(r.visits).key("moved").num(r.moved)
		if kernel != nil {
			kernel.Dense(nominal, r.i)
		} else {
			u.Lower.Dense(lower, r.i)
			u.Upper.Dense(upper, r.i)
		}
		var at []int
		for s := range worst {
			if worst[s] > 0 || nominal[s] > 0 || upper[s] > 0 {
				at = append(at, s)
			}
		}
		all := len(at)
		slices.SortStableFunc(at, func(a, b int) int {
			return cmp.Compare(math.Abs(worst[b]-nominal[b]), math.Abs(worst[a]-nominal[a]))
		})
		at = at[:min(all, successorsKept)]
		slices.Sort(at)
		pick := func(name string, v []float64) {
			t.key(name).open('[')
			for _, s := range at {
				t.num(v[s])
			}
			t.close(']')
		}
		t.key("successors").open('[')
		for _, s := range at {
			t.str(m.Problem.States[s])
		}
		t.close(']')
		if kernel != nil {
			pick("nominal", nominal)
		} else {
			pick("lower", lower)
			pick("upper", upper)
		}
		pick("worst", worst)
		t.key("omitted").int(int64(all - len(at)))
		t.close('}')
	}
	t.close(']')
}

func halfL1(p, q []float64) float64 {
	t := 0.0
	for i := range p {
		t += math.Abs(p[i] - q[i])
	}
	return t / 2
}
