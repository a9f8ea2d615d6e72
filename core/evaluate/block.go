package evaluate

import "rcmdplab/core/vector"

// block evaluates a finite set with small S. It computes exactly what finite
// does; finite is its plain twin and the tests hold the two against each other.
// The work is in vector.Systems, which does it for all kernels at once.
type block struct {
	finite // policy, returns, worst kernels; its plain systems stay empty

	sys  *vector.Systems // the centred problem's, under all kernels
	most []float64       // by cost: the error of a return whatever the policy
}

// blockStates is the most states block is used for. Its work grows as S³ like
// that of any dense elimination; above this the general path takes over.
const blockStates = 128

func newBlock(f *finite) *block {
	m := f.m
	n1, sets := m.N+1, 1
	for n := range n1 {
		if m.CNext[n] != nil {
			sets = len(m.Kernels)
		}
	}
	w := &block{finite: *f, sys: vector.NewSystems(m.Off, len(m.Kernels), n1, sets, m.Gamma, m.Rest), most: make([]float64, n1)}
	y := w.sys
	w.ret = y.Returns
	nb := y.Width()
	for q, ker := range m.Kernels {
		for i := range m.Pairs() {
			next, prob := ker.Row(i)
			for j, t := range next {
				y.P[(q*m.Pairs()+i)*nb+t/8][t%8] = prob[j]
			}
		}
	}
	for st, x := range m.Mu {
		y.Mu[st/8][st%8] = x
	}
	for set := range sets {
		for n := range n1 {
			for i, x := range f.expCost[set*n1+n] {
				st := m.State[i]
				y.C[((set*n1+n)*y.Slots+i-m.Off[st])*nb+st/8][st%8] = x
			}
		}
	}
	for n := range n1 {
		lo, hi := m.Bounds(n)
		w.most[n] = (&System{s: m.S, gamma: m.Gamma, rest: m.Rest}).ReturnError(max(-lo, hi))
	}
	return w
}

// evaluate takes the error bounds from System.policyError.
func (w *block) evaluate(pi []float64) {
	copy(w.pi, pi)
	w.sys.Evaluate(w.pi)
	copy(w.e.J, w.sys.J)
	share := entrywise(w.m.S)
	for n, size := range w.sys.Size {
		bound := share * size
		if most := w.most[n]; bound > most {
			bound = most
		}
		w.e.ErrorBound[n] = bound
	}
}

func (w *block) worst(n int) int  { return int(w.sys.Worst[n]) }
func (w *block) active(n int) int { return w.worst(n)*(w.m.N+1) + n }

func (w *block) gradient(dst []float64, p int) {
	w.sys.Gradient(dst, w.expCost[p], p/(w.m.N+1), p%(w.m.N+1))
}

func (w *block) action(dst []float64, p int) {
	w.sys.Actions(dst, w.expCost[p], p/(w.m.N+1), p%(w.m.N+1))
}

func (w *block) occupancy(dst []float64, p int) {
	d := w.sys.Occupancy(p / (w.m.N + 1))
	for st := range dst {
		dst[st] = d[st>>3][st&7] / w.m.H
	}
}

func (w *block) value(dst []float64, p int) {
	v := w.sys.Values(p/(w.m.N+1), p%(w.m.N+1))
	for st := range dst {
		dst[st] = v[st>>3][st&7]
	}
}
