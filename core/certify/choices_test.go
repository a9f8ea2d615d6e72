package certify

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
)

// averagedOver draws a finite problem with weights, averages and limits.
func averagedOver(t *testing.T, r *rand.Rand) *model.Problem {
	over := func() string {
		return []string{`"worst"`, `"mean"`, `{"cvar":0.5}`, `{"cvar":0.3}`}[r.IntN(4)]
	}
	num := func() float64 { return float64(r.IntN(7)) }
	row := func() string {
		a := r.IntN(11)
		b := r.IntN(11 - a)
		return fmt.Sprintf("[%g,%g,%g]", float64(a)/10, float64(b)/10, float64(10-a-b)/10)
	}
	kernels := ""
	weights := [][3]float64{{0.5, 0.3, 0.2}, {0.25, 0.25, 0.5}, {0, 0.7, 0.3}}[r.IntN(3)]
	for k, w := range weights {
		if k > 0 {
			kernels += ","
		}
		kernels += fmt.Sprintf(`{"weight":%g,"transitions":[[%s,%s],[%s,%s],[%s,null]]}`, w, row(), row(), row(), row(), row())
	}
	return fixture.Decode(t, fmt.Sprintf(`{"format":"rcmdp/1","states":["x","y","z"],"actions":["a","b"],"discount":0.8,"initial":[0.5,0.5,0],"policies":"deterministic",
		"objective":{"name":"c","values":[[%g,%g],[%g,%g],[%g,null]],"over":%s},
		"constraints":[{"name":"d","values":[[%g,%g],[%g,%g],[%g,null]],"atMost":%g,"over":%s}],
		"uncertainty":{"kind":"finite","kernels":[%s]}}`,
		num(), num(), num(), num(), num(), over(), num(), num(), num(), num(), num(), 5+num(), over(), kernels))
}

// leafOf is a leaf with prices and shares that the problem allows, and values of some policy, moved a little.
func leafOf(m *model.Standard, r *rand.Rand, limits bool) proof.Choice {
	n := proof.Choice{Limits: limits, Prices: []float64{math.Round(8*r.Float64()) / 4}, Shares: make([][]float64, 2)}
	share := make([][]float64, 2)
	for c := range share {
		share[c] = make([]float64, len(m.Kernels))
		order := r.Perm(len(m.Kernels))
		switch over := m.Over[c]; over {
		case 0:
			share[c][order[0]] = 0.75
			share[c][order[1]] = 0.25
			n.Shares[c] = share[c]
		case 1:
			copy(share[c], m.Weights)
		default:
			evaluate.Tail(share[c], make([]int, len(order)), m.Weights, over, func(k int) float64 { return -float64(slices.Index(order, k)) })
			n.Shares[c] = share[c]
		}
	}
	pi := make([]float64, m.Pairs())
	for s := range m.S {
		pi[m.Off[s]+r.IntN(m.Off[s+1]-m.Off[s])] = 1
	}
	for k, ker := range m.Kernels {
		w := []float64{share[0][k], n.Prices[0] * share[1][k]}
		if limits {
			w[0] = 0
		}
		v := make([]float64, m.S)
		for range 200 { // values of the policy under the kernel
			next := make([]float64, m.S)
			for i, s := range m.State {
				to, p := ker.Row(i)
				q := 0.0
				for c := range w {
					q += w[c] * m.ExpectedCost(c, ker)[i]
				}
				for j, t := range to {
					q += m.Gamma * p[j] * v[t]
				}
				next[s] += pi[i] * q
			}
			v = next
		}
		for s := range v {
			v[s] += 0.1 * (r.Float64() - 0.5)
		}
		n.V = append(n.V, v)
	}
	return n
}

// What values at a leaf prove holds for every policy of the pairs that are left, whatever the values, prices
// and shares are: in fractions and in intervals, which are nearly as sharp.
func TestLeavesBoundEveryPolicyOfTheirPairs(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 4))
		p := averagedOver(t, r)
		m := p.Standard()
		n := leafOf(m, r, seed%3 == 0)
		closed := make([]bool, m.Pairs())
		if seed%2 == 0 {
			s := r.IntN(2)
			closed[m.Off[s]+r.IntN(2)] = true
		}
		in := newInstance(p, always)
		x := newImage(p)
		bound := [2]float64{}
		for k, in := range []*instance{in, x.instance} {
			tree := &treeOf{in: in, c: &proof.Claim{}, closed: slices.Clone(closed)}
			err := caught(func() { tree.leaf(&n, always) })
			switch {
			case err != nil && !n.Limits:
				t.Fatalf("seed %d: %v", seed, err)
			case err != nil:
				bound[k] = math.Inf(-1) // no violation
			case n.Limits:
				bound[k], _ = tree.worst.Float64()
				bound[k] *= n.Prices[0]
			default:
				bound[k], _ = tree.bound.Float64()
			}
		}
		if !(bound[1] <= bound[0]) || bound[1] < bound[0]-1e-9 && n.Limits == false {
			t.Errorf("seed %d: %v in intervals, %v in fractions", seed, bound[1], bound[0])
		}
		ev, _ := evaluate.New(m)
		check := func(pi []float64) {
			for i, c := range closed {
				if c && pi[i] > 0 {
					return
				}
			}
			ev.Evaluate(pi)
			got := n.Prices[0] * (ev.J[1] - m.B[1])
			if !n.Limits {
				got += ev.J[0]
			}
			if got < bound[0]-1e-9 {
				t.Errorf("seed %d: a policy comes to %v, below the bound %v", seed, got, bound[0])
			}
		}
		fixture.Policies(m.Layout, check)
		for range 20 { // a leaf bounds those that mix the pairs left as well
			pi := make([]float64, m.Pairs())
			for s := range m.S {
				sum := 0.0
				for i := m.Off[s]; i < m.Off[s+1]; i++ {
					if !closed[i] {
						pi[i] = r.Float64()
						sum += pi[i]
					}
				}
				for i := m.Off[s]; i < m.Off[s+1]; i++ {
					pi[i] /= sum
				}
			}
			check(pi)
		}
	}
}

// A tree of which no leaf is about values is refused: it is no proof about limits, and none of the objective.
func TestATreeWithoutValuesProvesNothing(t *testing.T) {
	p := fixture.Decode(t, `{"format":"rcmdp/1","states":["x","end"],"actions":["a"],"discount":1,"end":["end"],"initial":[1,0],
		"objective":{"name":"c","values":[[1],[0]]},"constraints":[{"name":"d","values":[[1],[0]],"atMost":2}],
		"uncertainty":{"kind":"finite","kernels":[{"transitions":[[[0.5,0.5]],[[0,1]]]},{"transitions":[[[1,0]],[[0,1]]]}]}}`)
	k := NewChecker(p)
	for _, target := range []float64{math.Inf(1), 7} {
		c := proof.Claim{Problem: p.Hash(), Target: target, Choices: &proof.Choices{Nodes: []proof.Choice{{Endless: 2}}}}
		if r := k.Check(&c, nil, always); r.OK {
			t.Errorf("a claim of %v: %q", target, r.Reasons)
		}
		if _, err := k.Strongest(c, always); err == nil {
			t.Errorf("a claim of %v was made stronger", target)
		}
	}
}

// A tree that is as deep as it is long is refused before it takes the stack of a page.
func TestTreesAreFollowedSoDeep(t *testing.T) {
	p := fixture.Decode(t, `{"format":"rcmdp/1","states":["x"],"actions":["a","b"],"discount":0.5,"initial":[1],"objective":{"name":"c","values":[[1,2]]},
		"constraints":[],"uncertainty":{"kind":"finite","kernels":[{"transitions":[[[1],[1]]]}]}}`)
	nodes := slices.Repeat([]proof.Choice{{Between: []int{0, 1}}}, 2*mostDeep)
	r := NewChecker(p).Check(&proof.Claim{Problem: p.Hash(), Target: 1, Choices: &proof.Choices{Nodes: nodes}}, nil, always)
	if why := r.Reasons[len(r.Reasons)-1]; r.OK || !strings.Contains(why, "are in one another") {
		t.Errorf("%v: %s", r.OK, why)
	}
}
