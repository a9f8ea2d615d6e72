package wire

import (
	"cmp"
	"math"
	"slices"
	"sort"
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
	switch {
	case u.SupportAll && u.Kind.Reaches():
		return "all"
	case u.Kind.Reaches() || u.Kind.Keeps():
		return "nominal"
	}
	return ""
}

// writeWorst writes which member of the set is worst for cost n at the
// evaluator's policy pi: a kernel, with those that tie, or nature's rows; where the cost is averaged
// over the models, what each of them counts and comes to.
func (w *units) writeWorst(t *text, ev *evaluate.Evaluator, pi []float64, n int) {
	t.open('{').key("cost").str(w.m.CostName(n))
	if k := ev.Worst(n); k >= 0 {
		t.key("kernel")
		w.writeKernel(t, k)
		t.key("ties").open('[')
		for i, j := range ev.ByKernel(n) {
			if i != k && ev.J[n]-j <= 2*ev.ErrorBound[n]+1e-12*math.Abs(ev.J[n]) {
				w.writeKernel(t, i)
			}
		}
		t.close(']')
	} else if each := ev.ByKernel(n); each != nil { // averaged over the models
		t.key("over")
		w.writeOver(t, n)
		t.key("shares").open('[')
		q := ev.Shares(n)
		for k, j := range each {
			t.open('{').key("index").int(int64(k)).key("name").str(w.kernelName(k))
			t.key("share").num(q[k]).key("value").num(w.m.Present(n, j)).close('}')
		}
		t.close(']')
	} else {
		if s := support(&w.m.Problem.Document().Uncertainty); s != "" {
			t.key("support").str(s)
		}
		t.key("rows")
		w.writeRows(t, ev, pi, n)
	}
	t.close('}')
}

// writeOver writes what cost n comes to over the models, as in the document.
func (w *units) writeOver(t *text, n int) {
	switch share := w.m.Over[n]; share {
	case 0:
		t.str("worst")
	case 1:
		t.str("mean")
	default:
		t.open('{').key("cvar").num(share).close('}')
	}
}

func (w *units) writeKernel(t *text, k int) {
	t.open('{').key("index").int(int64(k)).key("name").str(w.kernelName(k)).close('}')
}

const (
	rowsLooked     = 400 // rows compared with the nominal ones, the most visited first
	rowsShown      = 10  // rows shown, those that moved most first
	successorsKept = 12  // successors shown of a row, those that changed most
)

// rowSeen is a row of the kernel along the policy's own paths.
type rowSeen struct {
	i             int     // the pair
	visits, moved float64 // occupancy of the pair; half the l1 distance to the nominal row, NaN without one
}

// rowWork is what the rows shown are written from: dense rows, length S. The
// nominal kernel is nil for an interval set, which has the two ends instead.
type rowWork struct {
	kernel                       *model.Kernel // nominal
	nominal, lower, upper, worst []float64     // rows of the pair at hand
}

// writeRows writes nature's worst rows beside the nominal ones for the rows
// that moved most probability along the policy's own paths: by half the l1
// distance times the occupancy of the pair.
func (w *units) writeRows(t *text, ev *evaluate.Evaluator, pi []float64, n int) {
	s := w.m.S
	x := rowWork{nominal: make([]float64, s), lower: make([]float64, s), upper: make([]float64, s), worst: make([]float64, s)}
	if w.m.Problem.Uncertainty.Nominal != nil {
		x.kernel = w.m.NormalisedNominal()
	}
	rows := w.moved(ev, pi, n, &x)
	list(t, rows[:min(len(rows), rowsShown)], func(r rowSeen) {
		ev.WorstRow(x.worst, n, r.i)
		w.writeRow(t, r, &x)
	})
}

// moved are the rows looked at for cost n, those that moved most first; where
// there is no nominal row to move from, those visited most first.
func (w *units) moved(ev *evaluate.Evaluator, pi []float64, n int, x *rowWork) []rowSeen {
	m := w.m
	d := make([]float64, m.S)
	if ev.Occupancy(d, n); m.Problem.ByTime() {
		ev.Visits(d, n)
	}
	rows := make([]rowSeen, 0, m.Pairs())
	for i := range m.Pairs() {
		if v := d[m.State[i]] * pi[i]; v > 0 {
			rows = append(rows, rowSeen{i: i, visits: v, moved: math.NaN()})
		}
	}
	sort.SliceStable(rows, func(i, j int) bool { return rows[i].visits > rows[j].visits })
	rows = rows[:min(len(rows), rowsLooked)]
	if x.kernel == nil {
		return rows
	}
	for k := range rows {
		x.kernel.Dense(x.nominal, rows[k].i)
		ev.WorstRow(x.worst, n, rows[k].i)
		rows[k].moved = halfL1(x.worst, x.nominal)
	}
	sort.SliceStable(rows, func(i, j int) bool { return rows[i].moved*rows[i].visits > rows[j].moved*rows[j].visits })
	for len(rows) > 0 && rows[len(rows)-1].moved < 1e-12 {
		rows = rows[:len(rows)-1]
	}
	return rows
}

// writeRow writes one row, its worst case in x, with the successors that changed
// most.
func (w *units) writeRow(t *text, r rowSeen, x *rowWork) {
	m, u := w.m, &w.m.Problem.Uncertainty
	t.open('{').key("state").str(m.Problem.States[m.State[r.i]])
	t.key("action").str(m.Problem.Actions[m.Act[r.i]])
	t.key("visits").num(r.visits).key("moved").num(r.moved)
	if x.kernel != nil {
		x.kernel.Dense(x.nominal, r.i)
	} else {
		u.Lower.Dense(x.lower, r.i)
		u.Upper.Dense(x.upper, r.i)
	}
	var at []int
	for s := range x.worst {
		if x.worst[s] > 0 || x.nominal[s] > 0 || x.upper[s] > 0 {
			at = append(at, s)
		}
	}
	all := len(at)
	slices.SortStableFunc(at, func(a, b int) int {
		return cmp.Compare(math.Abs(x.worst[b]-x.nominal[b]), math.Abs(x.worst[a]-x.nominal[a]))
	})
	at = at[:min(all, successorsKept)]
	slices.Sort(at)
	pick := func(name string, v []float64) {
		list(t.key(name), at, func(s int) { t.num(v[s]) })
	}
	list(t.key("successors"), at, func(s int) { t.str(m.Problem.States[s]) })
	if x.kernel != nil {
		pick("nominal", x.nominal)
	} else {
		pick("lower", x.lower)
		pick("upper", x.upper)
	}
	pick("worst", x.worst)
	t.key("omitted").int(int64(all - len(at)))
	t.close('}')
}

func halfL1(p, q []float64) float64 {
	t := 0.0
	for i := range p {
		t += math.Abs(p[i] - q[i])
	}
	return t / 2
}
