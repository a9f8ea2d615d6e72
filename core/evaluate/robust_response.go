package evaluate

import (
	"math"

	"rcmdplab/core/model"
	"rcmdplab/core/uncertainty"
)

// response is nature's answer to some values: a row of the set for every pair.
type response struct {
	ker *model.Kernel // the rows, by pair
	r   []float64     // by pair: the row's expected one-step cost less its penalty
	// stale rows are of the set, but answer older values: those of actions that
	// the policy does not take. They are brought up to date when asked for.
	stale []bool
	any   bool // of them
	fixed bool // the pattern of ker is shared and stays
}

func (r *rectangular) newResponse() *response {
	a := &response{fixed: r.Fixed, r: make([]float64, r.m.Pairs()), stale: make([]bool, r.m.Pairs())}
	if r.Fixed {
		a.ker = &model.Kernel{Ptr: r.Ptr, Next: r.Next, Prob: make([]float64, len(r.Next))}
	} else {
		a.ker = &model.Kernel{Ptr: make([]int, 1, r.m.Pairs()+1)}
	}
	return a
}

// nominal starts f from the nominal kernel.
func (r *rectangular) nominal(f *face) {
	a := f.is
	a.begin(a)
	for i := range r.m.Pairs() {
		p := r.place(a, i)
		r.set.Nominal(p, i)
		a.r[i] = r.expected(f.n, i, p)
		r.write(a, i, p)
	}
}

// begin has f go on from the answer to the values that Near gave, if it did.
func (r *rectangular) begin(f *face) {
	if f.n >= len(r.near) || r.near[f.n] == nil {
		return
	}
	copy(f.v, r.near[f.n])
	r.near[f.n] = nil
	r.respond(r.spare, f.is, f.n, f.v)
	f.is, r.spare = r.spare, f.is
}

// expected is the one-step cost of pair i under the row p.
func (r *rectangular) expected(n, i int, p []float64) float64 {
	m := r.m
	if m.CNext[n] == nil {
		return m.C[n][i]
	}
	t := 0.0
	for j, s := range r.set.Support(i) {
		t += p[j] * m.CNext[n][i*m.S+s]
	}
	return t
}

// respond lets every row that the policy uses answer v, keeping the others from
// the answer before. It sets r.tv and returns the ends of TV - v and how far
// rounding can have moved them.
func (r *rectangular) respond(to, from *response, n int, v []float64) (lo, up, noise float64) {
	m := r.m
	to.begin(from)
	r.set.Begin(v)
	lo, up = math.Inf(1), math.Inf(-1)
	most, paid := 0.0, 0.0
	for s := range m.S {
		low, high, taken := 0.0, 0.0, 0
		for i := m.Off[s]; i < m.Off[s+1]; i++ {
			w := r.pi[i]
			if w == 0 {
				to.keep(from, i)
				continue
			}
			taken++
			a := r.answer(to, n, i, v)
			low += w * a.Value
			high += w * a.Upper
			if d := r.dearest(n, i); d > paid && r.reached[s] {
				paid = d
			}
		}
		r.tv[s] = low
		if r.reached[s] { // min and max of floats are calls in wasm; NaN stays here as with them
			if d := low - v[s]; d < lo || math.IsNaN(d) {
				lo = d
			}
			if d := high - v[s]; d > up || math.IsNaN(d) {
				up = d
			}
			if x := math.Abs(v[s]); x > most {
				most = x
			}
			if x := math.Abs(low); x > most {
				most = x
			}
		}
		r.e.pace.Spend(RowWork * r.Widest * taken) // cut or not, every pair keeps a row
	}
	return lo, up, u * float64(4*(m.A+4)+2*(r.Widest+2)) * (most + paid)
}

// dearest is the largest |one-step cost| n of pair i.
func (r *rectangular) dearest(n, i int) float64 {
	if r.m.CNext[n] == nil {
		return math.Abs(r.m.C[n][i])
	}
	most := 0.0
	for _, s := range r.set.Support(i) {
		most = max(most, math.Abs(r.m.CNext[n][i*r.m.S+s]))
	}
	return most
}

// worstRow writes the worst row of pair i for what set.Begin knows of.
func (r *rectangular) worstRow(to *response, i int) (a uncertainty.Answer) {
	to.stale[i] = false
	if k := to.ker; r.Fixed {
		a = r.set.Row(k.Prob[r.Ptr[i]:r.Ptr[i+1]], i)
	} else {
		k.Next, k.Prob, a = r.set.AppendRow(k.Next, k.Prob, i)
		k.Ptr = append(k.Ptr, len(k.Next))
	}
	return a
}

// answer writes the answer of pair i to v, which set.Begin knows of, and returns
// c + γ ⟨p, v⟩ - γ penalty and its upper bound.
func (r *rectangular) answer(to *response, n, i int, v []float64) uncertainty.Answer {
	m := r.m
	if m.CNext[n] == nil {
		a, c := r.worstRow(to, i), m.C[n][i]
		to.r[i] = c - m.Gamma*a.Penalty
		return uncertainty.Answer{Value: c + m.Gamma*a.Value, Upper: c + m.Gamma*a.Upper}
	}
	to.stale[i] = false
	sup, p := r.set.Support(i), r.place(to, i)
	z := r.z[:len(sup)]
	c := m.CNext[n][i*m.S : (i+1)*m.S]
	for j, s := range sup {
		z[j] = c[s] + m.Gamma*v[s]
	}
	a := r.onward.Answer(p, i, z)
	to.r[i] = r.expected(n, i, p) - a.Penalty
	r.write(to, i, p)
	return a
}

// place is where row i is made: in an answer whose rows are fixed, its own place there.
func (r *rectangular) place(to *response, i int) []float64 {
	if r.Fixed {
		return to.ker.Prob[r.Ptr[i]:r.Ptr[i+1]]
	}
	return r.p[:len(r.set.Support(i))]
}

// write stores row i, made in its place; rows come in order.
func (r *rectangular) write(to *response, i int, p []float64) {
	if !r.Fixed {
		to.ker.AddNonzero(r.set.Support(i), p)
	}
}

// begin begins an answer with what another has: rows are stale until they are answered. One that lists its own
// pattern has none yet, see keep.
func (a *response) begin(from *response) {
	a.any = false
	copy(a.r, from.r)
	for i := range a.stale {
		a.stale[i] = true
	}
	k := a.ker
	if a.fixed {
		copy(k.Prob, from.ker.Prob)
		return
	}
	k.Ptr, k.Next, k.Prob = k.Ptr[:1], k.Next[:0], k.Prob[:0]
}

// keep keeps row i of the answer that it began with.
func (a *response) keep(from *response, i int) {
	if a.any = true; !a.fixed {
		a.ker.AddRow(from.ker.Row(i))
	}
}

// complete brings the rows of f that the policy does not use up to date.
func (r *rectangular) complete(f *face) {
	if !f.is.any {
		return
	}
	r.set.Begin(f.v)
	if r.Fixed {
		for i, stale := range f.is.stale {
			if stale {
				r.answer(f.is, f.n, i, f.v)
			}
		}
		f.is.any = false
		return
	}
	r.spare.begin(f.is)
	for i, stale := range f.is.stale {
		if stale {
			r.answer(r.spare, f.n, i, f.v)
		} else {
			r.spare.keep(f.is, i)
			r.spare.stale[i] = false
		}
	}
	f.is, r.spare = r.spare, f.is
	f.is.any = false
}
