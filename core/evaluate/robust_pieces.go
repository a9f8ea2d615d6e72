package evaluate

import (
	"slices"

	"rcmdplab/core/model"
)

// The pieces of a rectangular evaluation: each is a face.

func (r *rectangular) worst(int) int    { return -1 }
func (r *rectangular) active(n int) int { return n }
func (r *rectangular) pieces() int      { return len(r.faces) }

func (r *rectangular) piece(p int) (n int, j float64) { return r.faces[p].n, r.faces[p].j }

func (r *rectangular) value(dst []float64, p int) { copy(dst, r.faces[p].v) }

func (r *rectangular) action(dst []float64, p int) {
	f := r.faces[p]
	r.complete(f)
	for i := range dst {
		next, prob := f.is.ker.Row(i)
		t := 0.0
		if len(next) == r.m.S {
			t = dot(prob, f.v)
		} else {
			for j, s := range next {
				t += prob[j] * f.v[s]
			}
		}
		dst[i] = f.is.r[i] + r.m.Gamma*t
	}
}

func (r *rectangular) gradient(dst []float64, p int) {
	f := r.faces[p]
	r.action(dst, p)
	r.occupy(f)
	for i := range dst {
		dst[i] *= f.d[r.m.State[i]]
	}
}

func (r *rectangular) occupancy(dst []float64, p int) {
	f := r.faces[p]
	r.occupy(f)
	for s := range dst {
		dst[s] = f.d[s] / r.m.H
	}
}

func (r *rectangular) occupy(f *face) {
	if f.occupied {
		return
	}
	y := r.system(f)
	if !y.Iterative() {
		copy(f.d, r.m.Mu)
		y.SolveTransposed(f.d)
	} else {
		copy(r.guess, f.d) // of the last policy
		copy(f.d, r.m.Mu)
		y.SolveTransposedFrom(f.d, r.guess, 0)
	}
	f.occupied = true
}

func (r *rectangular) row(dst []float64, p, i int) {
	r.complete(r.faces[p])
	r.faces[p].is.ker.Dense(dst, i)
}

func (r *rectangular) kernel(p int) *model.Kernel {
	r.complete(r.faces[p])
	k := r.faces[p].is.ker
	return &model.Kernel{Ptr: slices.Clone(k.Ptr), Next: slices.Clone(k.Next), Prob: slices.Clone(k.Prob)}
}
