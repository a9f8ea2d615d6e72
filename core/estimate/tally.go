package estimate

import (
	"math/rand/v2"
	"slices"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"
)

// tally counts transitions: what followed each pair and how often.
type tally struct {
	rows [][]seen  // by [s*A+a], successors ascending
	n    []float64 // transitions by [s*A+a]
}

// seen is a successor and how often it followed.
type seen struct {
	next  int     // a state
	count float64 // > 0
}

// tallied counts the rows of the data, each as often as weight says (by row;
// nil: as often as the row says).
func (d *Data) tallied(weight []float64) *tally {
	if weight == nil {
		weight = d.Count
	}
	t := &tally{rows: make([][]seen, len(d.States)*len(d.Actions)), n: make([]float64, len(d.States)*len(d.Actions))}
	for i, next := range d.Next {
		if next >= 0 && weight[i] > 0 {
			g := d.State[i]*len(d.Actions) + d.Action[i]
			t.rows[g] = append(t.rows[g], seen{next, weight[i]})
			t.n[g] += weight[i]
		}
	}
	for g, row := range t.rows {
		sort.SliceStable(row, func(i, j int) bool { return row[i].next < row[j].next })
		merged := row[:0]
		for _, x := range row {
			if k := len(merged); k > 0 && merged[k-1].next == x.next {
				merged[k-1].count += x.count
			} else {
				merged = append(merged, x)
			}
		}
		t.rows[g] = merged
	}
	return t
}

// split divides the data into rows to learn from and rows held out: whole
// episodes where there are any, single transitions otherwise.
func (d *Data) split(share float64, source rand.Source) (learn, held []float64) {
	learn = slices.Clone(d.Count)
	if share == 0 {
		return learn, nil
	}
	held = make([]float64, d.Rows())
	if n := d.Episodes(); n > 0 {
		out := make([]bool, n)
		many := min(max(int(share*float64(n)+0.5), 1), n-1)
		for _, e := range rand.New(source).Perm(n)[:max(many, 0)] {
			out[e] = true
		}
		for i, e := range d.Episode {
			if out[e] {
				learn[i], held[i] = 0, d.Count[i]
			}
		}
		return learn, held
	}
	for i, n := range d.Count {
		held[i] = binomial(n, share, source)
		learn[i] = n - held[i]
	}
	return learn, held
}

// binomial draws how many of n trials succeed; what is not whole of n stays out.
func binomial(n, p float64, source rand.Source) float64 {
	n = float64(int64(n))
	switch {
	case n == 0 || p <= 0:
		return 0
	case p >= 1:
		return n
	}
	return distuv.Binomial{N: n, P: p, Src: source}.Rand()
}

// bootstrap resamples the rows of weight with replacement: whole episodes where
// there are any, the transitions of each pair otherwise.
func (d *Data) bootstrap(weight []float64, of *tally, source rand.Source) *tally {
	if d.Episodes() > 0 {
		var there []int
		in := make([]bool, d.Episodes())
		for i, e := range d.Episode {
			if weight[i] > 0 && !in[e] {
				in[e] = true
				there = append(there, e)
			}
		}
		times, r := make([]float64, d.Episodes()), rand.New(source)
		for range there {
			times[there[r.IntN(len(there))]]++
		}
		w := make([]float64, d.Rows())
		for i, e := range d.Episode {
			w[i] = weight[i] * times[e]
		}
		return d.tallied(w)
	}
	t := &tally{rows: make([][]seen, len(of.rows)), n: make([]float64, len(of.n))}
	for g, row := range of.rows {
		// The multinomial draw, one binomial after the other.
		left, mass := float64(int64(of.n[g]+0.5)), of.n[g]
		for _, x := range row {
			k := binomial(left, x.count/mass, source)
			if k > 0 {
				t.rows[g] = append(t.rows[g], seen{x.next, k})
				t.n[g] += k
			}
			left, mass = left-k, mass-x.count
		}
	}
	return t
}
