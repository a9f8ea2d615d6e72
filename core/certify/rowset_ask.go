package certify

import (
	"slices"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/uncertainty"
)

// guesser is what guesses rows for a total weight, kept for the next to ask: its
// answers are for the values that it was last told.
func (x *image) guesser(weight float64) (uncertainty.Set, error) {
	if x.guess == nil || x.guessFor != weight {
		set, err := uncertainty.NewWeighted(x.standard(), weight)
		if err != nil {
			return nil, err
		}
		x.guess, x.guessFor = set, weight
	}
	return x.guess, nil
}

// ask takes a guess of nature's best row: its answer to the v told to begin, or
// to z = of where costs of the next state are in it.
func (r *rowset) ask(i int, v []float64, of func(s int) (z, slack float64)) {
	switch {
	case r.set == nil || r.family == mixture || r.family == priced:
		return // no guess is needed
	case of != nil:
		r.asked = append(r.asked[:0], r.set.Support(i)...)
		r.y = r.y[:0]
		for _, s := range r.asked {
			z, _ := of(s)
			r.y = append(r.y, z)
		}
		r.found = slices.Grow(r.found[:0], len(r.asked))[:len(r.asked)]
		r.set.Answer(r.found, i, r.y)
	default:
		r.asked, r.found, _ = r.set.AppendRow(r.asked[:0], r.found[:0], i)
	}
	if r.open {
		r.widen(v)
	}
	r.p = r.p[:0]
	k := 0
	for _, s := range r.next {
		for k < len(r.asked) && r.asked[k] < s {
			k++
		}
		p := 0.0
		if k < len(r.asked) && r.asked[k] == s {
			p = max(0, r.found[k])
		}
		r.p = append(r.p, p)
	}
	if r.around() {
		r.box()
	}
}

// widen adds the states of the guess to the row, with nominal probability 0.
func (r *rowset) widen(v []float64) {
	state := r.next[r.rest]
	for k, s := range r.asked {
		if r.found[k] == 0 {
			continue
		}
		j, found := slices.BinarySearch(r.next, s)
		if !found {
			r.next, r.q = slices.Insert(r.next, j, s), slices.Insert(r.q, j, 0)
			r.z = slices.Insert(r.z, j, v[s])
		}
	}
	r.rest, _ = slices.BinarySearch(r.next, state)
}

// box makes the ends of a linf ball.
func (r *rowset) box() {
	r.lo, r.hi, r.off = r.lo[:0], r.hi[:0], r.off[:0]
	for j, q := range r.q {
		r.lo, r.hi = append(r.lo, max(0, q-r.radius)), append(r.hi, min(1, q+r.radius))
		r.off = append(r.off, r.miss(j)+2*enclosure.Ulp*(q+r.radius))
	}
}
