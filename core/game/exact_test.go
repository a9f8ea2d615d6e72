//go:build !js

package game

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"rcmdplab/core/model"
)

// exactValues are the values of a choice in fractions: (I - γP) V = c, γ being 1 - Rest.
func exactValues(m *model.Standard, choice []int) []*big.Rat {
	n := m.S
	gamma := new(big.Rat).Sub(big.NewRat(1, 1), new(big.Rat).SetFloat64(m.Rest))
	a := make([][]*big.Rat, n)
	for s, i := range choice {
		a[s] = make([]*big.Rat, n+1)
		for j := range n {
			a[s][j] = new(big.Rat)
		}
		a[s][s].SetInt64(1)
		next, prob := m.Kernels[0].Row(i)
		for j, to := range next {
			p := new(big.Rat).SetFloat64(prob[j])
			a[s][to].Sub(a[s][to], p.Mul(p, gamma))
		}
		a[s][n] = new(big.Rat).SetFloat64(m.C[0][i])
	}
	for k := range n { // no pivot is 0: the matrix dominates by rows
		for s := range n {
			if s == k {
				continue
			}
			f := new(big.Rat).Quo(a[s][k], a[k][k])
			for j := k; j <= n; j++ {
				a[s][j].Sub(a[s][j], new(big.Rat).Mul(f, a[k][j]))
			}
		}
	}
	v := make([]*big.Rat, n)
	for s := range v {
		v[s] = new(big.Rat).Quo(a[s][n], a[s][s])
	}
	return v
}

// TestGameIsExact: under one kernel, with pairs closed, penalties and horizons up to 1e9, the
// choice is the best of all that are listed, its values differ from one another as they do in
// fractions, to a share of the largest difference, and the lower bound is below the best return by no
// more than rounding of the differences times the horizon. Pairs that are closed are not taken.
func TestGameIsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for trial := range 120 {
		s := 2 + rng.IntN(3)
		rest := []float64{.1, 1e-3, 1e-6, 1e-9}[trial%4]
		m := smallKernel(rng, s, rest)
		closed := make([]bool, m.Pairs())
		for st := range s {
			if rng.IntN(3) == 0 {
				closed[m.Off[st]+rng.IntN(2)] = true
			}
		}
		var best []*big.Rat
		at := func(v []*big.Rat) float64 { f, _ := v[0].Float64(); return f }
		for code := range 1 << s {
			choice, open := make([]int, s), true
			for st := range choice {
				choice[st] = m.Off[st] + code>>st&1
				open = open && !closed[choice[st]]
			}
			if !open {
				continue
			}
			if v := exactValues(m, choice); best == nil || v[0].Cmp(best[0]) < 0 {
				best = v
			}
		}
		x := New(m, m.Kernels[0])
		x.Close(closed)
		x.Play([]float64{1}, 0, nil)
		x.Refine()
		for _, i := range x.Choice {
			if closed[i] {
				t.Fatalf("trial %d: pair %d is closed and taken", trial, i)
			}
		}
		own := exactValues(m, x.Choice)
		widest := 0.0
		for st := range own {
			d, _ := new(big.Rat).Sub(own[st], own[0]).Float64()
			widest = max(widest, math.Abs(d))
		}
		grain := 1e-15 * (widest + largestCost(m))
		if off, _ := new(big.Rat).Sub(own[0], best[0]).Float64(); off > grain/rest {
			t.Errorf("trial %d, 1-γ=%g: the choice is worth %v, the best %v", trial, rest, at(own), at(best))
		}
		v, low := x.Values()
		for st := range v {
			d := new(big.Rat).Sub(own[st], own[0])
			for _, f := range []float64{v[st], low[st], -v[0], -low[0]} {
				d.Sub(d, new(big.Rat).SetFloat64(f))
			}
			if off, _ := d.Float64(); !(math.Abs(off) <= 16*grain) {
				t.Errorf("trial %d, 1-γ=%g: the difference of states %d and 0 is off by %g of %g", trial, rest, st, off, widest)
			}
		}
		y, start := New(m, m.Kernels[0]), make([]float64, s)
		for st := range start {
			start[st] = float64(rng.IntN(9)) / rest
		}
		y.Start(start, nil)
		y.Close(closed)
		y.Weigh([]float64{1}, 0)
		y.stage = choosing // from values of no policy
		for done := false; !done; {
			round := y.Rounds
			if done = y.Step(); y.Rounds > round && y.Lower() > at(best)+1e-15*math.Abs(at(best)) {
				t.Errorf("trial %d, 1-γ=%g: bound %v on the way, the best is %v", trial, rest, y.Lower(), at(best))
			}
		}
		x.Play([]float64{1}, 0, nil) // a sweep, for the bound
		if low := x.Lower(); low > at(best)+1e-15*math.Abs(at(best)) || low < at(best)-16*grain/rest-1e-14*math.Abs(at(best)) {
			t.Errorf("trial %d, 1-γ=%g: bound %v, the best is %v", trial, rest, low, at(best))
		}
	}
}

func largestCost(m *model.Standard) float64 {
	most := 0.0
	for _, c := range m.C[0] {
		most = max(most, math.Abs(c))
	}
	return most
}

// smallKernel is a problem of two actions a state, its probabilities sixteenths, some of its
// costs penalties.
func smallKernel(rng *rand.Rand, s int, rest float64) *model.Standard {
	p := &model.Problem{Layout: model.NewLayout(s, 2, nil), Discount: 1 - rest, Initial: make([]float64, s)}
	p.States, p.Actions, p.Initial[0] = make([]string, s), make([]string, 2), 1
	var rows []float64
	for range 2 * s {
		row := make([]float64, s)
		for range 16 {
			row[rng.IntN(s)] += 1. / 16
		}
		rows = append(rows, row...)
		c := float64(rng.IntN(3)) + 0x1p-30*float64(rng.IntN(3)) // which would not be seen next to 1e6 H
		if rng.IntN(8) == 0 {
			c = 1e6
		}
		p.Objective.Values = append(p.Objective.Values, c)
	}
	p.Uncertainty = model.Uncertainty{Kind: model.Finite, Kernels: []*model.Kernel{model.NewKernel(s, rows)}}
	return p.Standard()
}
