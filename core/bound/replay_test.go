package bound

import (
	"fmt"
	"math"
	"testing"

	"rcmdplab/core/model"
	"rcmdplab/core/proof"
)

// replay checks a certificate by the words of Certificate, in plain arithmetic
// and without any code of the search: a test of what is recorded, not of
// rounding. It returns an error when the statement does not follow.
func replay(m *model.Standard, c *proof.Claim) error {
	kernels, penalties, err := members(m, c.Kernels)
	if err != nil {
		return err
	}
	r := &replayer{m: m, c: c}
	for k, ker := range kernels {
		rows := make([][]float64, m.Pairs())
		for i := range rows {
			rows[i] = make([]float64, m.S)
			ker.Dense(rows[i], i)
		}
		r.p = append(r.p, rows)
		var costs [][]float64
		for n := range m.N + 1 {
			lo, hi := m.Bounds(n)
			if hi == lo {
				hi = lo + 1
			}
			cost := make([]float64, m.Pairs())
			for i := range cost {
				if m.CNext[n] != nil {
					for s, p := range rows[i] {
						cost[i] += p * m.CNext[n][i*m.S+s]
					}
				} else {
					cost[i] = m.C[n][i]
				}
				if penalties != nil {
					cost[i] -= penalties[k][i]
				}
				cost[i] = (cost[i] - lo) / (hi - lo)
			}
			costs = append(costs, cost)
		}
		r.cost = append(r.cost, costs)
	}
	for n := range m.N + 1 {
		lo, hi := m.Bounds(n)
		if hi == lo {
			hi = lo + 1
		}
		b := c.Target
		if n > 0 {
			b = m.B[n] + c.Relax
		}
		r.limit = append(r.limit, (b/m.H-lo)/(hi-lo))
	}
	g := &box{m: len(kernels), s: m.S}
	for range m.Pairs() {
		g.l, g.u = append(g.l, 0), append(g.u, 1)
	}
	for a := range g.m {
		for s := range m.S {
			g.dl, g.du = append(g.dl, (1-m.Gamma)*m.Mu[s]), append(g.du, 1)
		}
		for b := range g.m {
			for range m.S {
				v := math.Inf(1)
				if a == b {
					v = 1
				}
				g.r = append(g.r, v)
			}
		}
	}
	rest, err := r.node(g, c.Nodes)
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("%d nodes too many", len(rest))
	}
	if err == nil {
		err = r.err
	}
	return err
}

type box struct {
	m, s            int
	l, u, dl, du, r []float64
}

func (g *box) clone() *box {
	c := func(v []float64) []float64 { return append([]float64(nil), v...) }
	return &box{g.m, g.s, c(g.l), c(g.u), c(g.dl), c(g.du), c(g.r)}
}

func (g *box) ratio(a, b, s int) *float64 { return &g.r[(a*g.m+b)*g.s+s] }

type replayer struct {
	m     *model.Standard
	c     *proof.Claim
	p     [][][]float64 // [kernel][pair][next]
	cost  [][][]float64 // [kernel][n][pair]
	limit []float64
	err   error
}

func (r *replayer) node(g *box, nodes []proof.Node) (rest []proof.Node, err error) {
	if len(nodes) == 0 {
		return nil, fmt.Errorf("the tree ends early")
	}
	n := nodes[0]
	var frame *box
	shut := false
	for _, st := range n.Steps {
		switch st.Kind {
		case proof.Open:
			frame = g.clone()
		case proof.Refresh:
			*frame.ratio(st.M, st.M2, st.Index) = *g.ratio(st.M, st.M2, st.Index)
		case proof.Close:
			shut = shut || r.close(g)
		case proof.Bound:
			shut = shut || r.step(g, frame, st)
		}
	}
	if n.Pair < 0 {
		if !shut {
			return nil, fmt.Errorf("a leaf is not empty (%d steps)", len(n.Steps))
		}
		return nodes[1:], nil
	}
	left, right := g.clone(), g
	left.u[n.Pair], right.l[n.Pair] = n.At, n.At
	rest, err = r.node(left, nodes[1:])
	if err == nil {
		rest, err = r.node(right, rest)
	}
	return rest, err
}

// close is Close of the documentation; true when the box is empty.
func (r *replayer) close(g *box) bool {
	const eps = 1e-12
	m := r.m
	for s := range m.S {
		low, high := 0.0, 0.0
		for i := m.Off[s]; i < m.Off[s+1]; i++ {
			a, b := 1.0, 1.0
			for k := m.Off[s]; k < m.Off[s+1]; k++ {
				if k != i {
					a -= g.l[k]
				}
			}
			g.u[i] = min(g.u[i], a)
			for k := m.Off[s]; k < m.Off[s+1]; k++ {
				if k != i {
					b -= g.u[k]
				}
			}
			g.l[i] = max(g.l[i], b)
			if g.l[i] > g.u[i]+eps {
				return true
			}
		}
		for i := m.Off[s]; i < m.Off[s+1]; i++ {
			low, high = low+g.l[i], high+g.u[i]
		}
		if low > 1+eps || high < 1-eps {
			return true
		}
	}
	for a := range g.m {
		for b := range g.m {
			for s := range g.s {
				if low := g.dl[b*g.s+s]; a != b && low > 0 {
					*g.ratio(a, b, s) = min(*g.ratio(a, b, s), g.du[a*g.s+s]/low)
				}
			}
		}
	}
	for q := range g.m {
		for a := range g.m {
			for b := range g.m {
				for s := range g.s {
					if a != b && a != q && b != q {
						*g.ratio(a, b, s) = min(*g.ratio(a, b, s), *g.ratio(a, q, s)**g.ratio(q, b, s))
					}
				}
			}
		}
	}
	for a := range g.m {
		for b := range g.m {
			for s := range g.s {
				if a == b {
					continue
				}
				q := *g.ratio(a, b, s)
				if q**g.ratio(b, a, s) < 1-eps {
					return true
				}
				g.du[a*g.s+s] = min(g.du[a*g.s+s], q*g.du[b*g.s+s])
				g.dl[b*g.s+s] = max(g.dl[b*g.s+s], g.dl[a*g.s+s]/q)
			}
		}
	}
	for i, lo := range g.dl {
		if lo > g.du[i]*(1+eps) {
			return true
		}
	}
	return false
}

// step is a Bound step; true when it shows the box empty.
func (r *replayer) step(g, f *box, st proof.Step) bool {
	m := r.m
	n := m.Pairs()
	// Columns: π, then every kernel; those not in the step do not occur in it.
	cols := n * (1 + g.m)
	obj := make([]float64, cols)
	lo, hi := make([]float64, cols), make([]float64, cols)
	for i, s := range m.State {
		lo[i], hi[i] = f.l[i], f.u[i]
		for k := range g.m {
			lo[n*(1+k)+i], hi[n*(1+k)+i] = f.l[i]*f.dl[k*g.s+s], f.u[i]*f.du[k*g.s+s]
		}
	}
	line := func(dst []float64, k, s, i int, e, occ float64) {
		for j := m.Off[s]; j < m.Off[s+1]; j++ {
			dst[n*(1+k)+j] += occ
		}
		if i >= 0 {
			dst[n*(1+k)+i] += e
		}
	}
	s := st.Index
	if st.Target == proof.PolicyLow || st.Target == proof.PolicyHigh {
		s = m.State[st.Index]
	}
	switch st.Target {
	case proof.OccupancyLow:
		line(obj, st.Of, s, -1, 0, 1)
	case proof.OccupancyHigh:
		line(obj, st.Of, s, -1, 0, -1)
	case proof.PolicyLow:
		line(obj, st.Of, s, st.Index, 1, -st.Rho)
	case proof.PolicyHigh:
		line(obj, st.Of, s, st.Index, -1, st.Rho)
	case proof.RatioHigh:
		line(obj, st.To, s, -1, 0, st.Rho)
		line(obj, st.Of, s, -1, 0, -1)
	}
	w := 0.0
	row := make([]float64, cols)
	for q, code := range st.Rows {
		clear(row)
		k, o, i := code.Kernel(), code.Other(), code.Index()
		low, high := 0.0, math.Inf(1)
		var s int
		if code.Kind() >= proof.BoxLow && code.Kind() != proof.Simplex {
			s = m.State[i]
		}
		switch code.Kind() {
		case proof.Flow:
			for j := range n {
				row[n*(1+k)+j] = -m.Gamma * r.p[k][j][i]
				if m.State[j] == i {
					row[n*(1+k)+j]++
				}
			}
			low = (1 - m.Gamma) * m.Mu[i]
			high = low
		case proof.Cost:
			copy(row[n*(1+k):], r.cost[k][i])
			low, high = math.Inf(-1), r.limit[i]
		case proof.Occupancy:
			line(row, k, i, -1, 0, 1)
			low, high = f.dl[k*g.s+i], f.du[k*g.s+i]
		case proof.BoxLow:
			line(row, k, s, i, 1, -f.l[i])
		case proof.BoxHigh:
			line(row, k, s, i, -1, f.u[i])
		case proof.RatioLow:
			q := *f.ratio(k, o, s)
			line(row, o, s, i, q, -f.l[i]*q)
			line(row, k, s, i, -1, f.l[i])
		case proof.RatioUp:
			q := *f.ratio(k, o, s)
			line(row, o, s, i, -q, f.u[i]*q)
			line(row, k, s, i, 1, -f.u[i])
		case proof.Simplex:
			for j := m.Off[i]; j < m.Off[i+1]; j++ {
				row[j] = 1
			}
			low, high = 1, 1
		case proof.McCormick1, proof.McCormick2, proof.McCormick3, proof.McCormick4:
			dl, du := f.dl[k*g.s+s], f.du[k*g.s+s]
			switch code.Kind() {
			case proof.McCormick1:
				line(row, k, s, i, 1, -f.l[i])
				row[i] = -dl
				low = -f.l[i] * dl
			case proof.McCormick2:
				line(row, k, s, i, 1, -f.u[i])
				row[i] = -du
				low = -f.u[i] * du
			case proof.McCormick3:
				line(row, k, s, i, -1, f.l[i])
				row[i] = du
				low = f.l[i] * du
			case proof.McCormick4:
				line(row, k, s, i, -1, f.u[i])
				row[i] = dl
				low = f.u[i] * dl
			}
		}
		v := st.Y[q]
		end := low
		if v < 0 {
			end = high
		}
		if math.IsInf(end, 0) {
			continue
		}
		w += v * end
		for j, a := range row {
			obj[j] -= v * a
		}
	}
	for j, c := range obj {
		w += min(c*lo[j], c*hi[j])
	}
	i := st.Of*g.s + s
	switch st.Target {
	case proof.Empty:
		return w > 0
	case proof.OccupancyLow:
		r.claim(w-st.Value, st)
		g.dl[i] = st.Value
	case proof.OccupancyHigh:
		r.claim(st.Value+w, st)
		g.du[i] = st.Value
	case proof.PolicyLow:
		r.claim(st.Rho+min(w, 0)/g.dl[i]-st.Value, st)
		g.l[st.Index] = st.Value
	case proof.PolicyHigh:
		r.claim(st.Value-st.Rho+min(w, 0)/g.dl[i], st)
		g.u[st.Index] = st.Value
	case proof.RatioHigh:
		r.claim(1-(st.Rho-min(w, 0)/g.dl[st.To*g.s+s])/st.Value, st)
		*g.ratio(st.Of, st.To, s) = st.Value
	}
	return false
}

// claim notes that a step claims more than follows.
func (r *replayer) claim(spare float64, st proof.Step) {
	if spare < -1e-11 && r.err == nil {
		r.err = fmt.Errorf("the step %+v claims more than follows", st)
	}
}

// TestReplay closes targets with recording and replays the certificates; one
// with a changed multiplier, split or target must fail. TestParts replays one that was shared.
func TestReplay(t *testing.T) {
	for _, tc := range []struct {
		name string
		gap  float64
	}{{"random4", 0.035}, {"fig1_epigraph", 1e-3}, {"fig1_conflict_feasible", 1e-3}, {"gridworld3x3", 0.02}, {"machine_repair", 0.02}} {
		t.Run(tc.name, func(t *testing.T) {
			m, best := problem(t, tc.name)
			s, err := New(m, Settings{Ladder: true, Gap: tc.gap, Record: true})
			if err != nil {
				t.Fatal(err)
			}
			s.Incumbent(best, 0, true)
			var last Progress
			for last = range s.Run() {
			}
			if !last.Done || best-last.LowerBound > tc.gap*best*(1+1e-9) {
				t.Fatalf("not closed: %+v", last)
			}
			c := s.Certificate()
			if c == nil || c.Target != last.LowerBound {
				t.Fatalf("certificate %v is not for the bound %v", c, last.LowerBound)
			}
			if err := replay(m, c); err != nil {
				t.Fatal(err)
			}
			size := 0
			for _, n := range c.Nodes {
				for _, st := range n.Steps {
					size += 16 + 12*len(st.Rows)
				}
			}
			t.Logf("%d nodes, about %d kB", len(c.Nodes), size/1000)
			bad := *c
			bad.Target = best * 1.05
			if replay(m, &bad) == nil {
				t.Error("a target above a feasible value passes")
			}
		})
	}
}
