package certify

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
)

// The root's tensors hold the exact F of every choice of actions, found with
// fractions, within the errors that are claimed, and those are small.
func TestRootTensorsAreEnclosed(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 7))
	checked := 0
	for range 20 {
		p, _, value := bounded(t, rng, model.Finite, 0.02)
		checked += enclosed(t, rng, p, value, false)
	}
	if checked < 250 {
		t.Errorf("%d entries", checked)
	}
}

// The same of models with what elimination is afraid of: no discounting and
// hardly any, probabilities next to nothing, costs of every size, costs below
// the least of the range as nature's price makes them, weights of the root.
func TestRootTensorsOfExtremeModelsAreEnclosed(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 8))
	checked := 0
	for trial := range 20 {
		p := extreme(rng)
		checked += enclosed(t, rng, p, []float64{0, 1, -3, 1e7}[trial%4], true)
	}
	if checked < 400 {
		t.Errorf("%d entries", checked)
	}
}

// extreme is a small problem of a finite set, with extreme numbers.
func extreme(rng *rand.Rand) *model.Problem {
	states, actions := 1+rng.IntN(4), 1+rng.IntN(3)
	l := model.NewLayout(states, actions, nil)
	pick := func(x ...float64) float64 { return x[rng.IntN(len(x))] }
	p := &model.Problem{Name: "extreme", Layout: l, Initial: make([]float64, states)}
	p.Discount = pick(0, 0.5, 0.995, 0.9999999, 0.999999999999)
	p.Initial[rng.IntN(states)] = 1
	p.States, p.Actions = strings.Split("abcd"[:states], ""), strings.Split("xyz"[:actions], "")
	cost := func(name string) model.Cost {
		c := model.Cost{Name: name}
		for range states * actions {
			c.Values = append(c.Values, pick(0, 1, -1, 1e9, -1e9, 1e-8, rng.Float64()))
		}
		return c
	}
	p.Objective = cost("objective")
	p.Constraints = []model.Constraint{{Cost: cost("limit"), Bound: pick(0, 1, -5, 1e6)}}
	p.Uncertainty.Kind = model.Finite
	for m := range 2 {
		k := &model.Kernel{Name: fmt.Sprint(m), Ptr: []int{0}}
		for range l.Pairs() {
			row, left := make([]float64, states), 1.0
			for j := range states - 1 {
				row[j] = min(left, pick(0, 0, 1e-300, 0x1p-1022, 1e-17, 0.25, 1, rng.Float64()))
				left -= row[j]
			}
			row[states-1] = left
			rng.Shuffle(states, func(a, b int) { row[a], row[b] = row[b], row[a] })
			for j, x := range row {
				k.Next, k.Prob = append(k.Next, j), append(k.Prob, x)
			}
			k.Ptr = append(k.Ptr, len(k.Next))
		}
		p.Uncertainty.Kernels = append(p.Uncertainty.Kernels, k)
	}
	return p
}

// rooted is a replay of tensors that needs every piece, before its root is made.
func rooted(t *testing.T, p *model.Problem, target float64) (*relaxation, *rooting) {
	t.Helper()
	in := newInstance(p, always)
	x := in.newRelaxation(in.kernels, make([][]float64, len(in.kernels)), &proof.Claim{Target: target}, always)
	y := &tensors{replay: &replay{relaxation: x, pace: pace{more: always}}, costs: len(in.costs)}
	y.sized(mostTensor)
	y.root = make([]*enclosure.Ball, len(in.kernels)*y.costs)
	all := pieceSet{}
	for k := range y.root {
		all.add([]int{k})
	}
	return x, &rooting{y, in, all}
}

type rooting struct {
	*tensors
	in  *instance
	all pieceSet
}

// enclosed compares the root's tensors with fractions and returns how many
// entries there were. With other, costs are made to be some less and the root is weighed.
func enclosed(t *testing.T, rng *rand.Rand, p *model.Problem, target float64, other bool) (checked int) {
	t.Helper()
	x, y := rooted(t, p, target)
	in := y.in
	c := &proof.Tensor{Scale: make([]int, len(in.kernels))}
	if other {
		c.Weight = make([]int, y.Pairs())
		for i := range c.Weight {
			c.Weight[i] = rng.IntN(40) - 20
		}
	}
	e := exactly{in: in, kernels: in.kernels, target: target}
	costs, dearest := make([][][]*big.Rat, len(in.kernels)), 0.0
	for m := range in.kernels {
		paid := make([]float64, y.Pairs())
		if other {
			c.Scale[m] = rng.IntN(100) - 50
			for i := range paid {
				paid[i] = float64(rng.IntN(3)/2) * rng.Float64() * math.Pow(10, float64(rng.IntN(9)))
			}
			x.paid[m] = paid
		}
		for n := range y.costs {
			_, w := in.costRange(n)
			list := make([]*big.Rat, y.Pairs())
			for i := range list {
				list[i], _ = e.mapped(n, m, i)
				list[i].Sub(list[i], new(big.Rat).Quo(rat(paid[i]), w))
				dearest = max(dearest, math.Abs(enclosure.Nearest(list[i])))
			}
			costs[m] = append(costs[m], list)
		}
	}
	for m := range in.kernels {
		y.kernel(in, in.kernels[m], m, c, y.all)
	}
	rest := 1 - p.Discount
	for m, rows := range in.kernels {
		for choice := range y.v {
			det, returns := byCramer(in, y.tensors, rows, costs[m], choice)
			e := c.Scale[m]
			for s := range y.S {
				if c.Weight != nil {
					e += c.Weight[y.Off[s]+choice/y.stride[s]%y.actions[s]]
				}
			}
			for n := range y.costs {
				k := m*y.costs + n
				limit := x.limit[n].Hi()
				f := new(big.Rat).Sub(returns[n], rat(limit))
				f.Mul(f, det)
				f.Mul(f, rat(math.Ldexp(1, e)))
				got := y.root[k].At(choice)
				if rat(got.Lo()).Cmp(f) > 0 || rat(got.Hi()).Cmp(f) < 0 {
					t.Fatalf("model %d, cost %d, choice %d: %v does not hold %v", m, n, choice, got, enclosure.Nearest(f))
				}
				// D is at most 1, and 2^power at most this.
				size := math.Abs(limit) + dearest + 1
				power := 0x1p40
				if other {
					power = 0x1p120
				}
				if got.Width().Hi() > 2.1e-13*size*power {
					t.Fatalf("γ = 1-%v, model %d, cost %d: claims no more than %v", rest, m, n, got)
				}
				checked++
			}
		}
	}
	return checked
}

// byCramer is det(I - γP) and (1-γ)J of every cost, given by pair, for one choice
// of actions, by Cramer's rule.
func byCramer(in *instance, y *tensors, rows []row, costs [][]*big.Rat, c int) (det *big.Rat, returns []*big.Rat) {
	system := func() [][]*big.Rat {
		a := make([][]*big.Rat, y.S)
		for s := range a {
			a[s] = make([]*big.Rat, y.S)
			for j := range a[s] {
				a[s][j] = new(big.Rat)
			}
			a[s][s].SetInt64(1)
			r := &rows[y.Off[s]+c/y.stride[s]%y.actions[s]]
			for j, to := range r.next {
				a[s][to].Sub(a[s][to], new(big.Rat).Mul(in.gamma, r.at(j)))
			}
		}
		return a
	}
	det = determinant(system())
	rest := new(big.Rat).Inv(in.horizon)
	for _, cost := range costs {
		j := new(big.Rat)
		for k, s := range in.mu.next {
			// V(s) is the determinant with column s replaced by the costs.
			a := system()
			for q := range a {
				i := y.Off[q] + c/y.stride[q]%y.actions[q]
				a[q][s] = new(big.Rat).Set(cost[i])
			}
			v := determinant(a)
			v.Quo(v, det)
			j.Add(j, v.Mul(v, in.mu.at(k)))
		}
		returns = append(returns, j.Mul(j, rest))
	}
	return det, returns
}

// What is claimed counts the roundings that there are: where play only goes on and
// most rows have one successor, those are few, and a proof whose room is small is
// not lost to more (a choice of tests before an end lost one that had 3.5e-14).
func TestSparseModelsHaveFewRoundings(t *testing.T) {
	const states = 8
	p := sizeable(states, 2, 2, 1)
	for _, k := range p.Uncertainty.Kernels {
		*k = model.Kernel{Ptr: []int{0}}
		for i := range p.Layout.Pairs() {
			k.Next, k.Prob = append(k.Next, min(p.Layout.State[i]+1, states-1)), append(k.Prob, 1)
			k.Ptr = append(k.Ptr, len(k.Next))
		}
	}
	_, y := rooted(t, p, 1)
	c := &proof.Tensor{Scale: make([]int, 2)}
	for m, rows := range y.in.kernels {
		y.kernel(y.in, rows, m, c, y.all)
	}
	for k, b := range y.root {
		if size := 1 + math.Abs(y.limit[k%y.costs].Hi()); b.At(0).Width().Hi() > 24*0x1p-53*size {
			t.Errorf("piece %d: claims no more than %v", k, b.At(0))
		}
	}
}

// However small a proof, the check of it may be left at any of its questions,
// which come often: the root alone of setting (a)'s size has half a million
// entries.
func TestAProofByTensorsCanBeLeftAnywhere(t *testing.T) {
	p, _, c := tampered(t)
	asked := 0
	if r := NewChecker(p).Check(c, nil, func() bool { asked++; return true }); !r.OK || r.Left {
		t.Fatalf("%q", r.Reasons)
	}
	for k := 0; k < asked; k += 1 + asked/6 {
		left := k
		r := NewChecker(p).Check(c, nil, func() bool { left--; return left >= 0 })
		if r.OK || !r.Left {
			t.Errorf("left at question %d of %d: OK %v, left %v", k, asked, r.OK, r.Left)
		}
	}
	const states, actions, models, limits = 6, 4, 3, 5
	big := sizeable(states, actions, models, limits)
	all := &proof.TensorStep{State: -1}
	for k := range models * (limits + 1) {
		all.Pieces, all.Lambda = append(all.Pieces, k), append(all.Lambda, 1)
	}
	asked = 0
	d := &proof.Claim{Problem: big.Hash(), Tensor: &proof.Tensor{Scale: make([]int, models), Nodes: []proof.TensorNode{{Steps: []proof.TensorStep{*all}, State: -1}}}}
	if r := NewChecker(big).Check(d, nil, func() bool { asked++; return true }); r.OK {
		t.Error("a policy that meets no limit is there")
	}
	if entries := models * (limits + 1) * 1 << (2 * states); asked < entries/20_000 {
		t.Errorf("%d questions about %d entries", asked, entries)
	}
}

// sizeable is a problem of a finite set in which limits are wide.
func sizeable(states, actions, models, limits int) *model.Problem {
	rng := rand.New(rand.NewPCG(4, 4))
	l := model.NewLayout(states, actions, nil)
	p := &model.Problem{Name: "sizeable", Layout: l, Initial: make([]float64, states), Discount: 0.9}
	p.Initial[0] = 1
	for s := range states {
		p.States = append(p.States, fmt.Sprint("s", s))
	}
	for a := range actions {
		p.Actions = append(p.Actions, fmt.Sprint("a", a))
	}
	for n := range limits + 1 {
		c := model.Cost{Name: fmt.Sprint("c", n)}
		for range l.Pairs() {
			c.Values = append(c.Values, rng.Float64())
		}
		if n == 0 {
			p.Objective = c
		} else {
			p.Constraints = append(p.Constraints, model.Constraint{Cost: c, Bound: 100})
		}
	}
	p.Uncertainty.Kind = model.Finite
	for m := range models {
		k := &model.Kernel{Name: fmt.Sprint(m), Ptr: []int{0}}
		for range l.Pairs() {
			to := rng.IntN(states - 1)
			k.Next, k.Prob = append(k.Next, to, to+1), append(k.Prob, 0.25, 0.75)
			k.Ptr = append(k.Ptr, len(k.Next))
		}
		p.Uncertainty.Kernels = append(p.Uncertainty.Kernels, k)
	}
	return p
}

// A proof by tensors of a model with too many states for them is refused.
func TestTensorsOfLargeModelsAreRefused(t *testing.T) {
	for _, kind := range []model.Kind{model.Finite, model.L1} {
		p := chained(exactStates+36, kind)
		c := &proof.Claim{Problem: p.Hash(), Tensor: &proof.Tensor{Scale: []int{0}, Nodes: []proof.TensorNode{{State: -1}}}}
		if r := NewChecker(p).Check(c, nil, always); r.OK {
			t.Errorf("%s: accepted", kind)
		}
	}
}

// determinant is by elimination on whole numbers (Bareiss), whose divisions leave nothing: each row is
// first multiplied by its denominators.
func determinant(a [][]*big.Rat) *big.Rat {
	n, whole, scale, before := len(a), make([][]*big.Int, len(a)), big.NewInt(1), big.NewInt(1)
	for i, row := range a {
		common := big.NewInt(1)
		for _, x := range row {
			common.Mul(common, new(big.Int).Quo(x.Denom(), new(big.Int).GCD(nil, nil, common, x.Denom())))
		}
		for _, x := range row {
			y := new(big.Int).Quo(common, x.Denom())
			whole[i] = append(whole[i], y.Mul(y, x.Num()))
		}
		scale.Mul(scale, common)
	}
	for k := range n {
		p := slices.IndexFunc(whole[k:], func(row []*big.Int) bool { return row[k].Sign() != 0 })
		if p < 0 {
			return new(big.Rat)
		}
		if p > 0 {
			whole[k], whole[k+p] = whole[k+p], whole[k]
			scale.Neg(scale)
		}
		pivot := whole[k][k]
		for _, row := range whole[k+1:] {
			for j := n - 1; j >= k; j-- {
				x := new(big.Int).Mul(row[j], pivot)
				row[j] = x.Sub(x, new(big.Int).Mul(row[k], whole[k][j])).Quo(x, before)
			}
		}
		before = pivot
	}
	return new(big.Rat).SetFrac(before, scale)
}
