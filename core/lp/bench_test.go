package lp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// occupancies makes the polytope of k random constrained MDPs' occupancies, with
// costs rows each, tied pairwise by rows of a few entries: the shapes that bound
// solves (one kernel, a pair, all of them).
func occupancies(r *rand.Rand, s, a, k, costs, ties int) *LP {
	n := s * a
	p := New(k * n)
	for j := range k * n {
		p.SetBounds(j, 0, 1)
	}
	const gamma = 0.995
	for o := range k {
		flow := make([][]float64, s)
		for t := range flow {
			flow[t] = make([]float64, k*n)
		}
		for i := range n {
			sum := 0.0
			row := make([]float64, s)
			for t := range row {
				row[t] = math.Pow(r.ExpFloat64(), 4)
				sum += row[t]
			}
			for t := range row {
				flow[t][o*n+i] -= gamma * row[t] / sum
			}
			flow[i/a][o*n+i]++
		}
		for t := range flow {
			p.AddDenseRow(flow[t], (1-gamma)/float64(s), (1-gamma)/float64(s))
		}
		for range costs {
			c := make([]float64, k*n)
			for i := range n {
				c[o*n+i] = r.Float64()
			}
			p.AddDenseRow(c, math.Inf(-1), 0.5)
		}
	}
	for range ties {
		t, x, y := r.IntN(s), r.IntN(k), r.IntN(k)
		if x == y {
			continue
		}
		cols, coef := []int32{}, []float64{}
		w := 1 + 2*r.Float64()
		for i := t * a; i < (t+1)*a; i++ {
			cols, coef = append(cols, int32(x*n+i), int32(y*n+i)), append(coef, 1, -w)
		}
		p.AddRow(cols, coef, math.Inf(-1), 0)
	}
	return p
}

// BenchmarkObjectives solves for one objective after another, as range queries
// do; steps/op are simplex steps.
func BenchmarkObjectives(b *testing.B) {
	for _, z := range []struct {
		name        string
		s, a, k, c  int
		ties, lanes int
	}{{"kernel", 7, 4, 1, 6, 0, 1}, {"pair", 7, 4, 2, 6, 80, 2}, {"coupled", 7, 4, 6, 6, 200, 6}, {"cmdp", 20, 5, 1, 5, 0, 1}} {
		b.Run(fmt.Sprintf("%s/columns=%d", z.name, z.s*z.a*z.k), func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 1))
			p := occupancies(r, z.s, z.a, z.k, z.c, z.ties)
			if st := p.Solve(); st != Optimal {
				b.Fatal(st)
			}
			obj := make([]float64, p.Columns())
			start := p.Steps
			count := 0
			b.ReportAllocs()
			for b.Loop() {
				t := count % z.s
				clear(obj)
				for i := t * z.a; i < (t+1)*z.a; i++ {
					obj[count%z.k*z.s*z.a+i] = 1 - 2*float64(count/z.s%2)
				}
				count++
				p.SetCosts(obj)
				if st := p.Solve(); st != Optimal {
					b.Fatal(st)
				}
			}
			steps := float64(p.Steps - start)
			b.ReportMetric(steps/float64(b.N), "steps/op")
			b.ReportMetric(steps/b.Elapsed().Seconds(), "steps/s")
		})
	}
}

// BenchmarkCoefficients changes every coefficient between solves, as sequential
// linear programming does.
func BenchmarkCoefficients(b *testing.B) {
	const n, m = 30, 37
	r := rand.New(rand.NewPCG(2, 2))
	rows := make([][]float64, m)
	p := New(n)
	for j := range n {
		p.SetBounds(j, -0.5, 0.5)
		p.SetCost(j, r.NormFloat64())
	}
	for i := range rows {
		rows[i] = make([]float64, n)
		for j := range rows[i] {
			rows[i][j] = r.NormFloat64()
		}
		if i < 7 {
			p.AddDenseRow(rows[i], 0, 0)
		} else {
			p.AddDenseRow(rows[i], math.Inf(-1), 0.2)
		}
	}
	p.Solve()
	noise, all := make([]float64, 1<<12), make([]int32, n) // drawn beforehand: not what is timed
	for i := range noise {
		noise[i] = 0.01 * r.NormFloat64()
	}
	for j := range all {
		all[j] = int32(j)
	}
	b.ReportAllocs()
	for at := 0; b.Loop(); {
		for i := 7; i < m; i++ {
			for j := range rows[i] {
				rows[i][j] += noise[at%len(noise)]
				at++
			}
			p.SetRow(i, all, rows[i])
		}
		if st := p.Solve(); st != Optimal {
			b.Fatal(st)
		}
	}
}
