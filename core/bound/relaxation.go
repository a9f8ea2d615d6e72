package bound

import (
	"math"

	"rcmdplab/core/lp"
	"rcmdplab/core/proof"
)

// relaxation is a linear program over the occupancies of some kernels, coupled
// by ratio rows, and with coupled also over the policy itself, tied to them by
// McCormick rows. Its rows are built from a frame of ranges; those of the box,
// the ratios and McCormick are added when violated and forgotten when no
// optimum needed them. It is kept from node to node: the next reframe starts from
// the last active set.
type relaxation struct {
	d       *data
	lp      *lp.LP
	ms      []int               // its kernels
	at      []int               // first column of a kernel, by kernel; -1 when not in
	coupled bool                // over π and every kernel's columns
	slack   int                 // column t of the coupled one: every cost may exceed its limit by t
	frame   *ranges             // the ranges that rows are built from
	rows    []proof.Row         // by row of the LP
	have    map[proof.Row]int32 // where a row is in the LP
	lazy    int                 // rows from here on were added when violated
	used    []bool              // by row: was active at an optimum since the last reframe
	obj, y  []float64           // work: by column
	cols    []int32             // work: of the row being built
	vals    []float64           // and its coefficients
	occ     []float64           // work: d_m(s) by position in ms
	tol     float64             // violation of a lazy row that counts as none
	ratio   []int32             // columns of the ratio that is asked for, see ask
	num     []float64           // coefficients of its numerator
	den     []float64           // and denominator
	work    int64               // steps of the LP that are already counted
}

func (d *data) newRelaxation(ms []int, coupled bool, tol float64) *relaxation {
	y := &relaxation{d: d, ms: ms, coupled: coupled, slack: -1, frame: d.emptyRanges(), have: map[proof.Row]int32{}, tol: tol}
	for range d.mn {
		y.at = append(y.at, -1)
	}
	c := 0
	if coupled {
		c = d.n
	}
	for _, m := range ms {
		y.at[m] = c
		c += d.n
	}
	if coupled {
		y.slack = c
		c++
	}
	y.lp = lp.New(c)
	y.lp.MaxSteps = max(8, sliceWork/(c*c)) // a step costs about c²
	y.lp.DataError = d.dataError()
	y.obj = make([]float64, c)
	y.occ = make([]float64, len(ms)*d.s)
	return y
}

// fixed adds the rows that are always there; the frame must be set.
func (y *relaxation) fixed() {
	if y.coupled {
		for s := range y.d.s {
			y.add(proof.NewRow(proof.Simplex, 0, 0, s))
		}
	}
	for _, m := range y.ms {
		for s := range y.d.s {
			y.add(proof.NewRow(proof.Flow, m, 0, s))
		}
		y.add(proof.NewRow(proof.Cost, m, 0, 0))
		for _, n := range y.d.costs {
			y.add(proof.NewRow(proof.Cost, m, 0, n))
		}
	}
	y.lazy = len(y.rows)
}

func (y *relaxation) add(r proof.Row) {
	lo, hi := y.build(r)
	i := y.lp.AddRow(y.cols, y.vals, lo, hi)
	y.rows = append(y.rows, r)
	y.used = append(y.used, true)
	y.have[r] = int32(i)
}

// reframe takes the ranges as the frame and rebuilds the rows that depend on it.
func (y *relaxation) reframe(g *ranges, limits []float64) {
	y.frame.copy(g)
	d := y.d
	if y.coupled {
		y.lp.SetBounds(y.slack, -2, 2)
	}
	y.box(g, 0, d.n)
	if y.lazy == 0 {
		y.fixed()
	}
	y.purge()
	for i, r := range y.rows {
		switch r.Kind() {
		case proof.Flow, proof.Simplex:
		case proof.Cost:
			y.lp.SetRange(i, math.Inf(-1), limits[r.Index()])
		case proof.Occupancy:
			s := r.Kernel()*d.s + r.Index()
			y.lp.SetRange(i, g.dl[s], g.du[s])
		default:
			lo, hi := y.build(r)
			y.lp.SetRow(i, y.cols, y.vals)
			y.lp.SetRange(i, lo, hi)
		}
	}
}

// box sets the bounds of the columns of some pairs.
func (y *relaxation) box(g *ranges, from, to int) {
	d := y.d
	for i := from; i < to; i++ {
		if y.coupled {
			y.lp.SetBounds(i, g.l[i], g.u[i])
		}
		for _, m := range y.ms {
			s := m*d.s + d.m.State[i]
			y.lp.SetBounds(y.at[m]+i, down(g.l[i]*g.dl[s]), up(g.u[i]*g.du[s]))
		}
	}
}

// turn takes a state's policy ranges into the frame and the rows.
func (y *relaxation) turn(g *ranges, s int) {
	a, b := y.d.m.Off[s], y.d.m.Off[s+1]
	copy(y.frame.l[a:b], g.l[a:b])
	copy(y.frame.u[a:b], g.u[a:b])
	y.box(g, a, b)
	for k, r := range y.rows[y.lazy:] {
		if i := r.Index(); r.Kind() != proof.Occupancy && i >= a && i < b {
			lo, hi := y.build(r)
			y.lp.SetRow(y.lazy+k, y.cols, y.vals)
			y.lp.SetRange(y.lazy+k, lo, hi)
		}
	}
}

// purge forgets the lazy rows that no optimum has needed since the last reframe.
func (y *relaxation) purge() {
	y.lp.RemoveRows(func(i int) bool { return !y.used[i] || math.IsInf(y.ratioOf(y.rows[i]), 1) })
	k := 0
	for i, r := range y.rows {
		if !y.used[i] || math.IsInf(y.ratioOf(r), 1) {
			delete(y.have, r)
			continue
		}
		y.rows[k], y.have[r] = r, int32(k)
		y.used[k] = k < y.lazy
		k++
	}
	y.rows, y.used = y.rows[:k], y.used[:k]
}

// ratioOf is the R that a ratio row is built from, 1 for the others.
func (y *relaxation) ratioOf(r proof.Row) float64 {
	if k := r.Kind(); k != proof.RatioLow && k != proof.RatioUp {
		return 1
	}
	return y.frame.r[y.d.ratio(r.Kernel(), r.Other(), y.d.m.State[r.Index()])]
}

// refresh takes R_{m,m'}(s) of the ranges into the frame and the rows.
func (y *relaxation) refresh(g *ranges, m, m2, s int) {
	k := y.d.ratio(m, m2, s)
	y.frame.r[k] = g.r[k]
	for i := y.d.m.Off[s]; i < y.d.m.Off[s+1]; i++ {
		for _, kind := range [2]proof.RowKind{proof.RatioLow, proof.RatioUp} {
			if row, ok := y.have[proof.NewRow(kind, m, m2, i)]; ok {
				y.build(proof.NewRow(kind, m, m2, i))
				y.lp.SetRow(int(row), y.cols, y.vals)
			}
		}
	}
}

// build writes the row's columns and coefficients to cols and vals and returns
// its range; open sets the range of Cost rows.
func (y *relaxation) build(r proof.Row) (lo, hi float64) {
	d, g := y.d, y.frame
	y.cols, y.vals = y.cols[:0], y.vals[:0]
	m, idx := r.Kernel(), r.Index()
	switch r.Kind() {
	case proof.Simplex:
		for i := d.m.Off[idx]; i < d.m.Off[idx+1]; i++ {
			y.put(i, 1)
		}
		return 1, 1
	case proof.Flow:
		for k, i := range d.flowIdx[m*d.s+idx] {
			y.put(y.at[m]+int(i), d.flowVal[m*d.s+idx][k])
		}
		return d.start[idx], d.start[idx]
	case proof.Cost:
		for i, v := range d.cost[m][idx] {
			y.put(y.at[m]+i, v)
		}
		if y.coupled {
			y.put(y.slack, -1)
		}
		return math.Inf(-1), math.Inf(1)
	case proof.Occupancy:
		for i := d.m.Off[idx]; i < d.m.Off[idx+1]; i++ {
			y.put(y.at[m]+i, 1)
		}
		return g.dl[m*d.s+idx], g.du[m*d.s+idx]
	}
	return y.buildPair(r)
}

// put adds a coefficient to the row being built.
func (y *relaxation) put(c int, v float64) {
	if v != 0 {
		y.cols, y.vals = append(y.cols, int32(c)), append(y.vals, v)
	}
}

// buildPair is build for the rows of one pair: e_i x(i) combined with f times d(s)
// for each kernel.
func (y *relaxation) buildPair(r proof.Row) (lo, hi float64) {
	d, g := y.d, y.frame
	inf := math.Inf(1)
	m, idx := r.Kernel(), r.Index()
	s := d.m.State[idx]
	a, b := d.m.Off[s], d.m.Off[s+1]
	line := func(m int, e, f float64) {
		for i := a; i < b; i++ {
			v := f
			if i == idx {
				v += e
			}
			y.put(y.at[m]+i, v)
		}
	}
	l, u := g.l[idx], g.u[idx]
	dl, du := g.dl[m*d.s+s], g.du[m*d.s+s]
	switch r.Kind() {
	case proof.BoxLow:
		line(m, 1, -l)
		return 0, inf
	case proof.BoxHigh:
		line(m, -1, u)
		return 0, inf
	case proof.RatioLow:
		o := r.Other()
		q := g.r[d.ratio(m, o, s)]
		line(m, -1, l)
		line(o, q, -l*q)
		return 0, inf
	case proof.RatioUp:
		o := r.Other()
		q := g.r[d.ratio(m, o, s)]
		line(m, 1, -u)
		line(o, -q, u*q)
		return 0, inf
	case proof.McCormick1:
		line(m, 1, -l)
		y.put(idx, -dl)
		return -l * dl, inf
	case proof.McCormick2:
		line(m, 1, -u)
		y.put(idx, -du)
		return -u * du, inf
	case proof.McCormick3:
		line(m, -1, l)
		y.put(idx, du)
		return l * du, inf
	default: // McCormick4
		line(m, -1, u)
		y.put(idx, dl)
		return u * dl, inf
	}
}

// sliceWork is how many operations of a linear program pass between two calls
// of more: some milliseconds of them.
const sliceWork = 1e7

// solve solves the linear program in slices; more is called between them, and
// Paused is returned when it says false.
func (y *relaxation) solve(more func() bool) lp.Status {
	for range 10000 {
		st := y.lp.Solve()
		if st != lp.Paused || !more() {
			return st
		}
	}
	return lp.Stalled
}

// quotient begins the ratio that is asked for next.
func (y *relaxation) quotient() { y.ratio, y.num, y.den = y.ratio[:0], y.num[:0], y.den[:0] }

// part adds a column to its numerator and denominator.
func (y *relaxation) part(c int, num, den float64) {
	y.ratio, y.num, y.den = append(y.ratio, int32(c)), append(y.num, num), append(y.den, den)
}

// largest sets the objective: the largest ratio, of which from is known to be reached.
// A point beyond stop ends the query.
func (y *relaxation) largest(from, stop float64) {
	y.lp.Maximise(y.ratio, y.num, y.den, from, stop)
}

// reached makes obj the objective at the end of a query for a ratio, and returns that.
func (y *relaxation) reached() float64 {
	rho := y.lp.Ratio()
	clear(y.obj)
	for k, c := range y.ratio {
		y.obj[c] = rho*y.den[k] - y.num[k]
	}
	return math.Abs(rho) // that of a least one has a sign
}

// minimise solves the relaxation for the objective set, adding violated rows for
// up to the given number of rounds.
func (y *relaxation) minimise(rounds int, more func() bool) lp.Status {
	for k := 0; ; k++ {
		st := y.solve(more)
		if st != lp.Optimal && st != lp.Reached {
			return st
		}
		for i := y.lazy; i < len(y.rows); i++ {
			if !y.used[i] && y.lp.Active(i) {
				y.used[i] = true
			}
		}
		if k == rounds || y.separate() == 0 {
			return st
		}
	}
}

// separate adds the violated rows at the LP's point and returns their number.
func (y *relaxation) separate() int {
	d, g := y.d, y.frame
	x := y.lp.X()
	for o, m := range y.ms {
		for s := range d.s {
			sum := 0.0
			for i := d.m.Off[s]; i < d.m.Off[s+1]; i++ {
				sum += x[y.at[m]+i]
			}
			y.occ[o*d.s+s] = sum
		}
	}
	count := 0
	check := func(violation float64, k proof.RowKind, m, other, i int) {
		if violation > y.tol {
			if r := proof.NewRow(k, m, other, i); !y.has(r) {
				y.add(r)
				y.used[len(y.used)-1] = true
				count++
			}
		}
	}
	for o, m := range y.ms {
		for s := range d.s {
			v := y.occ[o*d.s+s]
			check(max(g.dl[m*d.s+s]-v, v-g.du[m*d.s+s]), proof.Occupancy, m, 0, s)
		}
	}
	for i, s := range d.m.State {
		l, u := g.l[i], g.u[i]
		for o, m := range y.ms {
			xi, occ := x[y.at[m]+i], y.occ[o*d.s+s]
			if y.coupled {
				dl, du := g.dl[m*d.s+s], g.du[m*d.s+s]
				pi := x[i]
				check(l*occ+dl*pi-l*dl-xi, proof.McCormick1, m, 0, i)
				check(u*occ+du*pi-u*du-xi, proof.McCormick2, m, 0, i)
				check(xi-l*occ-du*pi+l*du, proof.McCormick3, m, 0, i)
				check(xi-u*occ-dl*pi+u*dl, proof.McCormick4, m, 0, i)
			} else {
				check(l*occ-xi, proof.BoxLow, m, 0, i)
				check(xi-u*occ, proof.BoxHigh, m, 0, i)
			}
			for o2, m2 := range y.ms {
				if o2 == o {
					continue
				}
				q := g.r[d.ratio(m, m2, s)]
				if q > 1e6 {
					continue
				}
				e := q*y.occ[o2*d.s+s] - occ
				f := q*x[y.at[m2]+i] - xi
				check((l*e-f)/(1+q), proof.RatioLow, m, m2, i)
				check((f-u*e)/(1+q), proof.RatioUp, m, m2, i)
			}
		}
	}
	return count
}

func (y *relaxation) has(r proof.Row) bool {
	_, ok := y.have[r]
	return ok
}

// multipliers takes the LP's multipliers, rounded to single precision if short.
func (y *relaxation) multipliers(short bool) []float64 {
	y.y = y.lp.Duals(y.y)
	if short {
		for i, v := range y.y {
			y.y[i] = float64(float32(v))
		}
	}
	return y.y
}

// proof appends the rows with a multiplier and the multipliers.
func (y *relaxation) proof(rows []proof.Row, mult []float64) ([]proof.Row, []float64) {
	for i, v := range y.y {
		if v != 0 {
			rows, mult = append(rows, y.rows[i]), append(mult, v)
		}
	}
	return rows, mult
}
