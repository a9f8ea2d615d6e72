package bound

import (
	"fmt"
	"math"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/lp"
	"rcmdplab/core/model"
	"rcmdplab/core/uncertainty"
)

// inward is how far a member of a set is moved towards the nominal model, so
// that rounding cannot take it out of the set.
const inward = 1e-9

// Subset finds members of a rectangular set to bound with: the worst kernels of
// each of the given policies, which the ladder uses, and kernels that make the
// constrained MDP of one kernel as dear as possible (Alone), which bound the
// objective by themselves and are enough when a single constraint or none is
// active. Each is moved into the set by a share of 1e-9. It evaluates the
// policies with ev. Nil for finite sets.
func Subset(ev *evaluate.Evaluator, policies [][]float64) ([]Kernel, error) {
	m := ev.M
	if m.Kernels != nil {
		return nil, nil
	}
	if m.Problem.Uncertainty.Paper {
		return nil, fmt.Errorf("bound: the paper's update of the regularised set is no maximum over a set, so nothing bounds it from below")
	}
	n, err := newNature(m)
	if err != nil {
		return nil, fmt.Errorf("bound: %w", err)
	}
	var out []Kernel
	for _, pi := range policies {
		out = n.worst(out, ev, pi)
	}
	return n.saddles(out)
}

// Worst lists the worst kernels of one policy, moved inward as in Subset, for
// Search.Extend. Nil for finite sets.
func Worst(ev *evaluate.Evaluator, pi []float64) ([]Kernel, error) {
	if ev.M.Kernels != nil {
		return nil, nil
	}
	n, err := newNature(ev.M)
	if err != nil {
		return nil, fmt.Errorf("bound: %w", err)
	}
	return n.worst(nil, ev, pi), nil
}

func (n *nature) worst(list []Kernel, ev *evaluate.Evaluator, pi []float64) []Kernel {
	ev.Evaluate(pi)
	for p := range ev.Pieces() {
		list = n.add(list, ev.PieceKernel(p), false)
	}
	return list
}

// nature answers for a rectangular set.
type nature struct {
	m    *model.Standard
	set  uncertainty.Set // penalties as they are
	sys  *evaluate.System
	q, p []float64 // nominal and given row of a pair, by state
	part []float64 // aligned with the support
}

func newNature(m *model.Standard) (*nature, error) {
	set, err := uncertainty.New(m)
	if err != nil {
		return nil, err
	}
	return &nature{
		m: m, set: set, sys: evaluate.NewSystemFor(m.Layout, m.Gamma, m.Pairs()*m.S),
		q: make([]float64, m.S), p: make([]float64, m.S), part: make([]float64, m.S),
	}, nil
}

// add appends the kernel, moved inward, unless it is there already.
func (n *nature) add(list []Kernel, ker *model.Kernel, alone bool) []Kernel {
	m := n.m
	k := Kernel{Rows: make([]float64, m.Pairs()*m.S), Alone: alone}
	regular := m.Problem.Uncertainty.Kind == model.KLRegularized
	if regular {
		k.Penalty = make([]float64, m.Pairs())
	}
	for i := range m.Pairs() {
		support := n.set.Support(i)
		n.set.Nominal(n.part, i)
		clear(n.q)
		for j, s := range support {
			n.q[s] = n.part[j]
		}
		ker.Dense(n.p, i)
		row := k.Rows[i*m.S : (i+1)*m.S]
		sum, far := 0.0, 0.0
		for s, p := range n.p {
			far = max(far, math.Abs(p-n.q[s]))
			row[s] = max(0, (1-inward)*p+inward*n.q[s])
			sum += row[s]
		}
		if far < 1e-13 {
			copy(row, n.q)
		} else {
			for s := range row {
				row[s] /= sum
			}
		}
		if regular {
			for j, s := range support {
				n.part[j] = row[s]
			}
			pay := m.Gamma * n.set.Penalty(n.part[:len(support)], i)
			k.Penalty[i] = max(0, pay)*(1+1e-12) + 1e-14
		}
	}
	for q := range list {
		if same(&list[q], &k) {
			list[q].Alone = list[q].Alone && alone
			return list
		}
	}
	return append(list, k)
}

// same reports whether two members differ by no more than would matter.
func same(a, b *Kernel) bool {
	for j, v := range a.Rows {
		if math.Abs(v-b.Rows[j]) > 1e-7 {
			return false
		}
	}
	return true
}

// saddles adds the worst kernels of the policies that are best for weighted
// sums of the costs: each cost alone, then the objective plus the constraints
// priced by the multipliers of the last kernel's constrained MDP.
func (n *nature) saddles(list []Kernel) ([]Kernel, error) {
	m := n.m
	w := make([]float64, m.N+1)
	for c := range w {
		clear(w)
		w[c] = 1
		ker, err := n.saddle(w)
		if err != nil {
			return nil, err
		}
		list = n.add(list, ker, true)
	}
	clear(w)
	w[0] = 1
	for range 6 {
		ker, err := n.saddle(w)
		if err != nil {
			return nil, err
		}
		before := len(list)
		list = n.add(list, ker, true)
		k := n.add(nil, ker, true)
		next, ok, err := prices(m, k)
		if err != nil {
			return nil, err
		}
		same := len(list) == before
		for i, v := range next {
			same = same && math.Abs(v-w[i]) <= 1e-9*(1+math.Abs(v))
		}
		if !ok || same {
			break
		}
		copy(w, next)
	}
	return list, nil
}

// prices returns the weights of the costs at the optimum of the constrained MDP
// of one kernel: 1 for the objective and the multipliers of the constraints; or
// the constraints' alone when no policy meets them under that kernel.
func prices(m *model.Standard, k []Kernel) (w []float64, ok bool, err error) {
	kernels, penalties, err := members(m, k)
	if err != nil {
		return nil, false, err
	}
	d := newData(m, kernels, penalties)
	y := d.newSystem([]int{0}, false, kernelTol)
	y.open(d.newRanges(), d.limits(math.Inf(1), 0))
	copy(y.obj, d.cost[0][0])
	y.lp.SetCosts(y.obj)
	w = make([]float64, m.N+1)
	switch y.solve(always) {
	case lp.Optimal:
		w[0] = 1
	case lp.Infeasible:
	default:
		return w, false, nil
	}
	total := w[0]
	for i, v := range y.multipliers(false) {
		if r := y.rows[i]; r.Kind() == Cost && r.Index() > 0 {
			w[r.Index()] = max(0, -v) * d.w[0] / d.w[r.Index()]
			total += w[r.Index()]
		}
	}
	if !(total > 0) || math.IsInf(total, 1) {
		return w, false, nil
	}
	if w[0] == 0 {
		for i := range w {
			w[i] /= total
		}
	}
	return w, true, nil
}

// saddle finds the policy that is best against the whole set for the weighted
// sum of costs, and the kernel that is worst for it, by policy iteration for
// both sides (Hoffman and Karp).
func (n *nature) saddle(w []float64) (*model.Kernel, error) {
	m := n.m
	total := 0.0
	for _, v := range w {
		total += v
	}
	var next bool
	for c, v := range w {
		next = next || v != 0 && m.CNext[c] != nil
	}
	weight := total
	if next {
		weight *= m.Gamma
	}
	set, err := uncertainty.NewWeighted(m, weight)
	if err != nil {
		return nil, err
	}
	pairs := m.Pairs()
	// cost by pair, and by pair and successor when next.
	flat, onward := make([]float64, pairs), []float64(nil)
	if next {
		onward = make([]float64, pairs*m.S)
	}
	for c, v := range w {
		if v == 0 {
			continue
		}
		for i := range pairs {
			if m.CNext[c] == nil {
				flat[i] += v * m.C[c][i]
				continue
			}
			for s := range m.S {
				onward[i*m.S+s] += v * m.CNext[c][i*m.S+s]
			}
		}
	}
	ptr, to := []int{0}, []int(nil)
	for i := range pairs {
		to = append(to, set.Support(i)...)
		ptr = append(ptr, len(to))
	}
	ker := &model.Kernel{Ptr: ptr, Next: to, Prob: make([]float64, len(to))}
	for i := range pairs {
		set.Nominal(ker.Prob[ptr[i]:ptr[i+1]], i)
	}
	price := make([]float64, pairs) // one-step cost of a pair under ker, penalty paid
	z := make([]float64, m.S)
	v := make([]float64, m.S)
	// answer lets nature answer v at pair i and returns Q.
	answer := func(i int) float64 {
		a, b := ptr[i], ptr[i+1]
		z := z[:b-a]
		for j, s := range to[a:b] {
			z[j] = v[s]
			if next {
				z[j] = m.Gamma*v[s] + onward[i*m.S+s]
			}
		}
		ans := set.Answer(ker.Prob[a:b], i, z)
		price[i] = flat[i]
		if next {
			price[i] -= ans.Penalty
			for j, s := range to[a:b] {
				price[i] += ker.Prob[a+j] * onward[i*m.S+s]
			}
			return flat[i] + ans.Value
		}
		price[i] -= m.Gamma * ans.Penalty
		return flat[i] + m.Gamma*ans.Value
	}
	choice := make([]int, m.S)
	for s := range choice {
		choice[s] = m.Off[s]
	}
	pi := make([]float64, pairs)
	for range 200 {
		clear(pi)
		for _, i := range choice {
			pi[i] = 1
		}
		for i := range pairs {
			answer(i)
		}
		for range 100 { // nature's side, for the policy fixed
			n.sys.Load(m.Layout, pi, ker)
			n.sys.Factor()
			for s, i := range choice {
				v[s] = price[i]
			}
			n.sys.Solve(v)
			far, size := 0.0, 1e-300
			for s, i := range choice {
				far = max(far, math.Abs(answer(i)-v[s]))
				size = max(size, math.Abs(v[s]))
			}
			if far <= 1e-12*size {
				break
			}
		}
		better := false
		for s := range choice {
			now := answer(choice[s])
			best := now - 1e-10*(math.Abs(now)+1e-300)
			for i := m.Off[s]; i < m.Off[s+1]; i++ {
				if q := answer(i); q < best {
					best, choice[s], better = q, i, true
				}
			}
		}
		if !better {
			break
		}
	}
	return ker, nil
}
