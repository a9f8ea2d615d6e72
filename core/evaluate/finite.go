package evaluate

import "rcmdplab/core/model"

// finite evaluates a policy under every kernel of a finite uncertainty set
// (algo:finite-oracle): one factorisation a kernel, one transposed solve for
// the occupancy measure, and then the return of each cost is a dot product
// J = ⟨d, c^π⟩. Values are solved for only when asked, from the same factors.
type finite struct {
	e       *Evaluator
	m       *model.Standard
	sys     []*System   // by kernel
	d       []float64   // [kernel*S+s] unnormalised occupancy measure
	ret     []float64   // [kernel*(N+1)+n]
	arg     []int       // worst kernel of each cost
	spend   []float64   // work: expected one-step cost of the policy by state
	pi      []float64   // the policy evaluated
	v       []float64   // work: values by state
	expCost [][]float64 // [kernel*(N+1)+n] expected one-step cost by pair

	// Of iterative systems: by piece the values of the last gradient, where the
	// next begins, and the residual left to them, as a share of the range of costs.
	last [][]float64
	ends []*ending // by kernel, from longHorizon on
}

const roughly = 1e-10

func newFinite(e *Evaluator) inner {
	m := e.centred
	k, s, n1 := len(m.Kernels), m.S, m.N+1
	f := &finite{
		e: e, m: m,
		d: make([]float64, k*s), ret: make([]float64, k*n1), arg: make([]int, n1),
		pi: make([]float64, m.Pairs()), v: make([]float64, s), spend: make([]float64, s),
		expCost: make([][]float64, k*n1),
	}
	for i := range k {
		for n := range n1 {
			f.expCost[i*n1+n] = m.ExpectedCost(n, m.Kernels[i])
		}
	}
	if s <= blockStates {
		return newBlock(f)
	}
	f.plain()
	return f
}

// plain makes the systems of the general path.
func (f *finite) plain() {
	f.sys = make([]*System, len(f.m.Kernels))
	for i := range f.sys {
		f.sys[i] = NewSystem(f.m, len(f.m.Kernels[i].Next))
		f.sys[i].KeepPace(f.e.pace)
	}
	if f.sys[0].Iterative() {
		for range f.ret {
			f.last = append(f.last, make([]float64, f.m.S))
		}
		for _, y := range f.sys {
			if f.m.H > longHorizon {
				f.ends = append(f.ends, newEnding(f.m, y))
			}
		}
	}
}

func (f *finite) evaluate(pi []float64) {
	m, s, n1 := f.m, f.m.S, f.m.N+1
	copy(f.pi, pi)
	for n := range n1 {
		f.e.J[n], f.arg[n] = negInf, 0
	}
	clear(f.e.ErrorBound)
	for k, ker := range m.Kernels {
		f.sys[k].Load(m.Layout, pi, ker)
		f.sys[k].Factor()
		d := f.d[k*s : (k+1)*s]
		if f.ends != nil {
			f.ends[k].find(pi, f.expCost[k*n1:(k+1)*n1])
			f.ends[k].measure(d, m.Mu)
		} else {
			copy(f.v, d) // of the last policy
			copy(d, m.Mu)
			f.sys[k].SolveTransposedFrom(d, f.v, 0)
		}
		for n := range n1 {
			average(f.spend, f.m.Off, f.pi, f.expCost[k*n1+n])
			j := 0.0
			for st, x := range d {
				j += x * f.spend[st]
			}
			f.ret[k*n1+n] = j
			err := 0.0
			if f.ends != nil {
				err = f.ends[k].error(n, d, m.H)
			} else {
				err = f.sys[k].policyError(d, f.spend)
			}
			f.e.ErrorBound[n] = max(f.e.ErrorBound[n], err)
			if j > f.e.J[n] {
				f.e.J[n], f.arg[n] = j, k
			}
		}
	}
}

// restart forgets the answers to the last policy.
func (f *finite) restart() {
	if f.last != nil {
		clear(f.d)
	}
	for _, v := range f.last {
		clear(v)
	}
	for _, e := range f.ends {
		for _, w := range e.time {
			clear(w)
		}
	}
}

// average writes to dst, by state, the averages of a table by pair with a policy.
func average(dst []float64, off []int, pi, by []float64) {
	for s := range dst {
		t := 0.0
		for i := off[s]; i < off[s+1]; i++ {
			t += pi[i] * by[i]
		}
		dst[s] = t
	}
}

func (f *finite) worst(n int) int                { return f.arg[n] }
func (f *finite) pieces() int                    { return len(f.ret) }
func (f *finite) piece(p int) (n int, j float64) { return p % (f.m.N + 1), f.ret[p] }
func (f *finite) active(n int) int               { return f.arg[n]*(f.m.N+1) + n }

func (f *finite) gradient(dst []float64, p int) {
	k := p / (f.m.N + 1)
	if f.last == nil {
		f.value(f.v, p)
	} else {
		lo, hi := f.m.Bounds(p % (f.m.N + 1))
		average(f.v, f.m.Off, f.pi, f.expCost[p])
		f.sys[k].SolveFrom(f.v, f.last[p], roughly*(hi-lo), 0)
		copy(f.last[p], f.v)
	}
	f.spread(dst, p)
	for i := range dst {
		dst[i] *= f.d[k*f.m.S+f.m.State[i]]
	}
}

func (f *finite) occupancy(dst []float64, p int) {
	k := p / (f.m.N + 1)
	for s := range dst {
		dst[s] = f.d[k*f.m.S+s] / f.m.H
	}
}

func (f *finite) value(dst []float64, p int) {
	average(dst, f.m.Off, f.pi, f.expCost[p])
	y := f.sys[p/(f.m.N+1)]
	if f.last == nil {
		y.Solve(dst)
		return
	}
	y.SolveFrom(dst, f.last[p], 0, 0)
	copy(f.last[p], dst)
}

func (f *finite) action(dst []float64, p int) {
	f.value(f.v, p)
	f.spread(dst, p)
}

// spread writes the action values of the values v.
func (f *finite) spread(dst []float64, p int) {
	ker, c := f.m.Kernels[p/(f.m.N+1)], f.expCost[p]
	for i := range dst {
		t := 0.0
		next, prob := ker.Row(i)
		for j, s := range next {
			t += prob[j] * f.v[s]
		}
		dst[i] = c[i] + f.m.Gamma*t
	}
}

func (f *finite) row(dst []float64, p, i int) { f.m.Kernels[p/(f.m.N+1)].Dense(dst, i) }

func (f *finite) kernel(p int) *model.Kernel { return f.m.Kernels[p/(f.m.N+1)] }
