package vector

import (
	"math"
	"math/rand/v2"
	"testing"
)

// systemsOf are those of a random model: 1 to 40 states with one to five pairs
// each, and costs of both signs.
func systemsOf(r *rand.Rand, rest float64) *Systems {
	off := []int{0}
	for range 1 + r.IntN(40) {
		off = append(off, off[len(off)-1]+1+r.IntN(5))
	}
	kernels, sets := 1+r.IntN(3), 1
	if r.IntN(3) == 0 {
		sets = kernels
	}
	y := NewSystems(off, kernels, 1+r.IntN(4), sets, 1-rest, rest)
	for i := range kernels * y.Pairs {
		row, sum := y.P[i*y.nb:(i+1)*y.nb], 0.0
		for range 1 + r.IntN(y.States) {
			t, x := r.IntN(y.States), r.ExpFloat64()
			row[t/8][t%8] += x
			sum += x
		}
		for t := range y.States {
			row[t/8][t%8] /= sum
		}
	}
	for i := range y.Sets * y.Costs * y.Slots {
		for s := range y.States {
			if i%y.Slots < off[s+1]-off[s] {
				y.C[i*y.nb+s/8][s%8] = r.NormFloat64()
			}
		}
	}
	y.Mu[0][0] = 0.5
	y.Mu[(y.States-1)/8][(y.States-1)%8] += 0.5
	return y
}

// somePolicy leaves out some actions.
func somePolicy(r *rand.Rand, y *Systems) []float64 {
	pi := make([]float64, y.Pairs)
	for s := range y.States {
		row, sum := pi[y.off[s]:y.off[s+1]], 0.0
		for i := range row {
			if i == 0 || r.IntN(3) > 0 {
				row[i] = r.ExpFloat64()
			}
			sum += row[i]
		}
		for i := range row {
			row[i] /= sum
		}
	}
	return pi
}

// What runs here gives every number that can be asked for the bits of plain Go,
// also when another policy was evaluated before.
func TestSystemsSameBits(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for trial := range 80 {
		y := systemsOf(r, []float64{.5, .01, 1e-9}[trial%3])
		for range 2 {
			pi := somePolicy(r, y)
			run := func(evaluate func(pi []float64), actions func(dst, c []float64, kernel, n int, occupied bool)) (all []float64) {
				evaluate(pi)
				all = append(append(append(all, y.Returns...), y.J...), y.Size...)
				for _, k := range y.Worst {
					all = append(all, float64(k))
				}
				dst, c := make([]float64, y.Pairs), make([]float64, y.Pairs)
				for i := range c {
					c[i] = float64(i % 7)
				}
				for k := range y.Kernels {
					for _, d := range y.Occupancy(k) {
						all = append(all, d[:]...)
					}
					for n := range y.Costs {
						actions(dst, c, k, n, n == 0)
						all = append(all, dst...)
					}
				}
				return all
			}
			want := run(y.evaluate, y.actions)
			got := run(y.Evaluate, func(dst, c []float64, kernel, n int, occupied bool) {
				if occupied {
					y.Gradient(dst, c, kernel, n)
				} else {
					y.Actions(dst, c, kernel, n)
				}
			})
			for i, x := range want {
				if math.IsNaN(x) || math.Float64bits(x) != math.Float64bits(got[i]) {
					t.Fatalf("%d: %d states, %d kernels: number %d of %d is %v; want %v", trial, y.States, y.Kernels, i, len(want), got[i], x)
				}
			}
		}
	}
}

// The systems solve what they say: V = c + γ P^π V, and the return is ⟨μ, V⟩ as
// well as ⟨d, c⟩.
func TestSystemsSolve(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 50 {
		y := systemsOf(r, .05)
		pi := somePolicy(r, y)
		y.Evaluate(pi)
		c, q := make([]float64, y.Pairs), make([]float64, y.Pairs)
		for k := range y.Kernels {
			set := min(k, y.Sets-1)
			for n := range y.Costs {
				for s := range y.States {
					for i := y.off[s]; i < y.off[s+1]; i++ {
						c[i] = y.C[((set*y.Costs+n)*y.Slots+int(i-y.off[s]))*y.nb+s/8][s%8]
					}
				}
				y.Actions(q, c, k, n)
				j := 0.0
				for s, v := range y.Values(k, n) {
					for i, x := range v {
						if s := 8*s + i; s < y.States {
							j += y.Mu[s/8][i] * x
							for i := y.off[s]; i < y.off[s+1]; i++ {
								x -= pi[i] * q[i]
							}
							if !(math.Abs(x) <= 1e-11) {
								t.Fatalf("state %d is off by %g", s, x)
							}
						}
					}
				}
				if got := y.Returns[k*y.Costs+n]; !(math.Abs(got-j) <= 1e-11) {
					t.Fatalf("return %v; by values %v", got, j)
				}
			}
		}
	}
}
