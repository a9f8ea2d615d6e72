package certify

import (
	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/model"
)

// shape is what kinds of sets have in common: the row problems are stated for shapes, in
// fractions and in intervals, and a kind is one of them, named here alone.
type shape struct {
	family   family
	measure  measure // of a ball
	share    int     // of a ball of moved mass: Σ|p-q| is at most so many times the radius
	positive bool    // mass stays on the successors of positive nominal probability
	ends     bool    // of a box: both ends are given; else they are the radius around the nominal row
}

// family is how a row of nature's is bound to the nominal one.
type family uint8

const (
	alone   family = iota // there is only the row
	ball                  // a distance is at most the radius
	ranged                // each entry has a range
	mixture               // (1-R)q and R anywhere
	priced                // any row, at the price of its divergence
)

// measure is the distance of a ball. Each is convex and 0 at the nominal row.
type measure uint8

const (
	moved      measure = iota // Σ |p-q|
	length                    // √Σ (p-q)²
	chi2                      // Σ (p-q)²/q
	divergence                // Σ p log(p/q)
)

func shapeOf(kind model.Kind) shape {
	switch kind {
	case model.L1:
		return shape{family: ball, measure: moved, share: 1}
	case model.TV:
		return shape{family: ball, measure: moved, share: 2}
	case model.L2:
		return shape{family: ball, measure: length}
	case model.Chi2:
		return shape{family: ball, measure: chi2, positive: true}
	case model.KL:
		return shape{family: ball, measure: divergence, positive: true}
	case model.LInf:
		return shape{family: ranged}
	case model.Interval:
		return shape{family: ranged, ends: true}
	case model.Contamination:
		return shape{family: mixture}
	case model.KLRegularized:
		return shape{family: priced, measure: divergence, positive: true}
	}
	return shape{} // one kernel of a finite set
}

// polytope reports whether the set is described by linear inequalities.
func (h shape) polytope() bool {
	return h.family == ranged || h.family == mixture || h.family == ball && h.measure == moved
}

// around reports whether the ends of a box are the radius around the nominal row.
func (h shape) around() bool { return h.family == ranged && !h.ends }

// term is what an entry that is gap away from a nominal probability of q adds to the
// distance at most, squared for the length; q > 0 where mass must be positive.
func (h shape) term(gap, q enclosure.Interval) enclosure.Interval {
	switch h.measure {
	case length:
		return gap.Square()
	case chi2:
		size := gap.Abs()
		return size.Mul(size.Div(q)) // gap·gap may be 0 where this is not
	case divergence:
		return enclosure.Divergence(gap, q)
	}
	return gap.Abs()
}

// limit is what the sum of terms of a member may be at most.
func (h shape) limit(radius enclosure.Interval) enclosure.Interval {
	switch h.measure {
	case moved:
		return radius.Mul(enclosure.Whole(h.share))
	case length:
		return radius.Square()
	}
	return radius
}

// edges is between what an entry of nominal probability q may be: the radius around it, or of a mixture
// at least (1-R) q.
func (h shape) edges(q, radius interval) (lo, hi interval) {
	if h.family == mixture {
		return one.Sub(radius).Mul(q), one
	}
	return q.Sub(radius).Max(zero), q.Add(radius).Min(one)
}

// distance is at least the sum of terms of a row, by entry the gap to the nominal probability and that; and whether
// the row is surely in the ball of the radius.
func (h shape) distance(gap, q []interval, radius interval) (d interval, inside bool) {
	var total enclosure.Most
	for j, x := range gap {
		total.Add(h.term(x, q[j]))
	}
	d = total.Bound()
	return d, d.AtMost(h.limit(radius))
}
