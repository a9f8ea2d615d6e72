package game

import (
	"math"
	"slices"

	"rcmdplab/core/model"
	"rcmdplab/core/vector"
)

// Gap is the distance of the two bounds that the last sweep gives.
func (x *Game) Gap() float64 { return x.weight * (max(x.up, 0) - min(x.lo, 0)) }

// Lower is a number that no policy's worst case is below, by the residual of the last
// sweep less what rounding may have added to it.
func (x *Game) Lower() float64 { return x.Dual(nil) }

// Dual is a number that no policy's worst case less the prices of the limits,
//
//	Σ_n w_n J_n(π) - Σ_{n>=1} w_n limit_n,
//
// is below: weak duality (Altman 1999, section 3.4).
func (x *Game) Dual(limit []float64) float64 {
	if math.IsInf(x.lo, -1) {
		return x.lo // left in a sweep
	}
	least := 0.0
	if x.set == nil {
		least = x.residual()
	} else {
		for s, i := range x.Choice {
			least = min(least, x.tv[s]-x.v[s]-x.grain(i))
		}
	}
	// Rows sum to 1 only up to rounding, which moves the time that a residual is met for.
	least *= x.weight * (1 + 1e-12*x.weight)
	var t exactSum
	for s, p := range x.m.Mu {
		t.addProduct(p, x.v[s])
	}
	t.add(x.mean())
	t.add(least)
	off := u * math.Abs(x.mean())
	if v, err := t.value(); x.lowest >= 0 && v-err-off < 0 { // what costs nothing negative
		t, off = exactSum{}, 0
	}
	for n := 1; n < len(limit); n++ {
		if x.w[n] != 0 {
			t.addProduct(-x.w[n], limit[n])
		}
	}
	v, err := t.value()
	return v - err - off
}

// residual is the least c + γPv - v of the open pairs under one kernel, or 0 if that is
// less, in twice the working precision: it is multiplied by the horizon. Most pairs are
// too dear to be looked at twice.
func (x *Game) residual() float64 {
	m := x.m
	hi, lo := x.tv, make([]float64, m.S)
	for s, v := range x.v {
		hi[s], lo[s] = twoProduct(m.Gamma, v)
	}
	least, off := 0.0, u*float64(x.widest+m.N+6)*(x.size+math.Abs(x.gain)+2*vector.Largest(x.v))
	for i, s := range m.State {
		if x.closed != nil && x.closed[i] || x.flat[i]+m.Gamma*x.expect(x.ker, i)-x.gain-x.v[s]-off > least {
			continue
		}
		var t exactSum
		for n, w := range x.w {
			if w != 0 {
				t.addProduct(w, x.C[n][i])
			}
		}
		next, prob := x.ker.Row(i)
		for j, s := range next {
			t.addProduct(prob[j], hi[s])
			t.add(prob[j] * lo[s])
		}
		t.add(-x.v[s])
		t.add(-x.gain)
		if r, err := t.value(); r-err < least {
			least = r - err
		}
	}
	return least
}

// mean is what all values have in common.
func (x *Game) mean() float64 {
	if x.end != nil {
		return 0
	}
	return x.gain / x.m.Rest
}

// Value is ⟨μ, V⟩.
func (x *Game) Value() float64 { return x.mean() + vector.Dot(x.m.Mu, x.v) }

// Values is V by state, rounded, and what rounding took off it.
func (x *Game) Values() (v, low []float64) {
	v, low = make([]float64, x.m.S), make([]float64, x.m.S)
	mean := x.mean()
	for s, y := range x.v { // y + mean, exactly (Knuth)
		sum := float64(y + mean)
		z := float64(sum - y)
		v[s], low[s] = sum, float64(y-float64(sum-z))+float64(mean-z)
	}
	return v, low
}

// Start has the next search begin with these values, and with this choice; nil is 0,
// and the choice as it is.
func (x *Game) Start(v []float64, choice []int) {
	clear(x.v)
	copy(x.v, v)
	x.gain = 0
	x.recentre()
	copy(x.Choice, choice)
}

// recentre takes off the values what they have in common, as seen from the first state.
func (x *Game) recentre() {
	if x.end != nil {
		return
	}
	k := x.v[0]
	for s := range x.v {
		x.v[s] -= k
	}
	x.gain += x.m.Rest * k
}

// Reduced writes, by pair, the reduced cost Q(i) - V(s): by how much a pair is dearer
// than what its state is worth, closed or not. See Grain.
func (x *Game) Reduced(q []float64) {
	if x.set != nil && !x.onward {
		x.set.Begin(x.v)
	}
	x.held = x.held && x.set == nil
	for i, s := range x.m.State {
		worth, reward, paid := x.answer(i, true)
		if x.fixed && x.set != nil {
			x.reward[i], x.paid[i] = reward, paid
		}
		q[i] = worth - x.gain - x.v[s]
	}
}

// Grain is how far rounding may have moved the reduced cost of a pair.
func (x *Game) Grain(i int) float64 { return 2 * x.grain(i) }

// solve makes V the values of the choice under its rows, by what they lack: the
// residual
//
//	c(s) - g - (1-γ) v(s) + γ Σ p (v(s') - v(s))
//
// holds no large numbers however long the horizon, so that a second solve refines. By
// elimination new rows are solved from nothing: what is to be 0 is exactly 0.
func (x *Game) solve() {
	x.Solves++
	if fresh := x.load(); fresh && !x.system.Iterative() {
		clear(x.v)
		x.gain = 0
		x.correct()
	}
	x.correct()
	if math.IsInf(x.m.H, 1) {
		x.time(x.d)
		x.weight = vector.Dot(x.m.Mu, x.d)
	}
}

// correct adds to V what it lacks.
func (x *Game) correct() {
	res := 0.0
	for s, r := range x.rows {
		x.tv[s] = x.lack(s, r)
		res = max(res, math.Abs(x.tv[s]))
	}
	tolerance := max(min(1e-3*res, res*res/max(x.span, 1e-300)), .1*x.aim/x.weight, x.floor()/8)
	copy(x.d, x.tv)
	x.system.SolveFrom(x.d, x.tv, tolerance, 0)
	for s, d := range x.d {
		x.v[s] += d
	}
	x.recentre()
}

// lack is what row r gives state s more than it is worth.
func (x *Game) lack(s, r int) float64 {
	next, prob := x.ker.Row(r)
	values := x.v
	v := values[s]
	if x.ended(s) {
		return x.reward[r] - v
	}
	t := 0.0
	for j, n := range next {
		t += prob[j] * (values[n] - v)
	}
	return x.reward[r] - x.gain - x.m.Rest*v + x.m.Gamma*t
}

// Refine solves the choice under its rows again, for values that are handed on.
func (x *Game) Refine() {
	for range 3 {
		x.solve()
	}
}

// load makes the factors of the system of the rows, where they are not at hand.
func (x *Game) load() (fresh bool) {
	if x.set == nil {
		x.takeRows()
	}
	if x.held {
		return false
	}
	x.system.LoadPairs(x.rows, x.ker)
	x.system.Factor()
	x.Factorisations++
	x.held = true
	return true
}

// time writes (I - γP)⁻¹ 1 under the rows that the system holds, 0 at ends.
func (x *Game) time(w []float64) {
	for s := range w {
		if w[s] = 1; x.ended(s) {
			w[s] = 0
		}
	}
	x.system.Solve(w)
}

// Time writes, by state, the discounted time w = (I - γP)⁻¹ 1 that the choice takes under
// its rows until play ends: H everywhere where nothing ends.
func (x *Game) Time(w []float64) {
	x.load()
	x.Solves++
	x.time(w)
}

// Occupancy writes the unnormalised occupancy measure of the choice under its
// rows, (I - γP)^{-ᵀ} μ, from a guess of it that may be nil, its residuals summing to at
// most tolerance where systems are solved by iteration.
func (x *Game) Occupancy(d, guess []float64, tolerance float64) {
	x.load()
	x.Solves++
	copy(d, x.m.Mu)
	x.system.SolveTransposedFrom(d, guess, tolerance)
}

// Returns writes J_n of the choice under one kernel, n = 0..N, by its occupancy measure.
func (x *Game) Returns(j, d []float64) {
	for n := range j {
		j[n] = 0
		for s, i := range x.Choice {
			j[n] += d[s] * x.C[n][i]
		}
	}
}

// Kernel is the kernel that answers V, a row for every pair, those not chosen included,
// and by pair what its rows pay: the expected one-step cost less nature's penalty. Against
// a set both are newly allocated.
func (x *Game) Kernel() (k *model.Kernel, pay []float64) {
	m := x.m
	if x.set == nil {
		return x.nominal, x.flat
	}
	k = &model.Kernel{Ptr: make([]int, 1, m.Pairs()+1)}
	x.held = false
	if !x.onward {
		x.set.Begin(x.v)
	}
	for i := range m.Pairs() {
		_, reward, _ := x.answer(i, true)
		pay = append(pay, reward)
		x.spend(1) // cut or not, every pair needs a row
		next, prob := x.next, x.prob[:len(x.next)]
		switch s := m.State[i]; {
		case x.ended(s) && len(x.set.Support(i)) > 0:
			next, prob = []int{s}, []float64{1} // as the set has it
		case x.fixed:
			next, prob = x.ker.Row(i)
		}
		k.AddNonzero(next, prob)
	}
	k.Next, k.Prob = slices.Clip(k.Next), slices.Clip(k.Prob)
	return k, pay
}
