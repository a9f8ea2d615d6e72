package bound

import (
	"fmt"
	"slices"

	"rcmdplab/core/proof"
)

// Members lists the members of an infinite set now in use: the Settings.Kernels
// that NewPart needs for the parts of this search.
func (s *Search) Members() []proof.Kernel { return s.kernels }

// Extend adds members of an infinite set (see Worst), as far as they are new, and
// returns their number: an outer approximation. Everything proved stays so, open
// boxes keep what is known of them. They are taken in before the next box.
func (s *Search) Extend(kernels []proof.Kernel) (int, error) {
	if !s.m.Rectangular() {
		return 0, nil
	}
	count := 0
	for _, k := range kernels {
		if len(k.Rows) != s.m.Pairs()*s.m.S {
			return count, fmt.Errorf("bound: a kernel has %d probabilities; want %d", len(k.Rows), s.m.Pairs()*s.m.S)
		}
		known := func(o proof.Kernel) bool { return same(&o, &k) }
		if slices.ContainsFunc(s.kernels, known) || slices.ContainsFunc(s.pending, known) {
			continue
		}
		if len(s.kernels)+len(s.pending) >= proof.MaxKernels-1 {
			break
		}
		s.pending = append(s.pending, k)
		count++
	}
	return count, nil
}

// takeIn makes the pending kernels part of the relaxations.
func (s *Search) takeIn() {
	if len(s.pending) == 0 {
		return
	}
	s.kernels = append(slices.Clip(s.kernels), s.pending...)
	s.pending = nil
	before := s.d
	var err error
	if s.d, err = dataOf(s.m, s.kernels, s.set.Allow); err != nil {
		panic(err) // sizes were checked
	}
	for _, p := range s.provers {
		p.widen(before)
	}
}

// widen makes the relaxations of the tree anew.
func (s *ladder) widen(before *data) {
	t := s.tree
	if t == nil {
		return
	}
	for i := range t.stack {
		t.stack[i] = s.d.widen(before, t.stack[i])
	}
	for place, o := range s.out {
		s.out[place] = s.d.widen(before, o)
	}
	fresh := s.d.newTree(s.d.limits(s.target, s.relax), s.set.Record)
	t.d, t.limits = s.d, fresh.limits
	t.kernels, t.pairs, t.coupling, t.ws, t.need = fresh.kernels, fresh.pairs, nil, nil, nil
}

// widen is the box o of a relaxation by fewer kernels, the first of d's.
func (d *data) widen(before *data, o openBox) openBox {
	g := d.newRanges()
	copy(g.l, o.g.l)
	copy(g.u, o.g.u)
	copy(g.dl, o.g.dl)
	copy(g.du, o.g.du)
	gain := make([]float64, d.mn*d.mn)
	for m := range d.mn {
		for m2 := range d.mn {
			if m >= before.mn || m2 >= before.mn {
				gain[m*d.mn+m2] = 1
				continue
			}
			gain[m*d.mn+m2] = o.gain[m*before.mn+m2]
			for s := range d.s {
				g.r[d.ratio(m, m2, s)] = o.g.r[before.ratio(m, m2, s)]
			}
		}
	}
	o.g, o.gain = g, gain
	return o
}
