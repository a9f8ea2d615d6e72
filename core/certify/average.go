package certify

import (
	"math/big"
	"slices"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/model"
)

// Averages over the models of a finite set. With weights w that sum to 1 and a share α of cost
// n its return is the largest of Σ_k q_k J_k over
//
//	Q = {q >= 0, Σ q = 1, q_k <= w_k/α},
//
// α = 1 being the mean, and of α = 0, the worst model, over all q >= 0 of sum 1. It rises with
// each J_k, so bounds of the J_k bound it.

// readWeights reads weights and shares, which must be those of a problem.
func (in *instance) readWeights() {
	p := in.p
	u := &p.Uncertainty
	for n := range in.costs {
		share := enclosure.Decimal(p.Cost(n).Over)
		in.share = append(in.share, share)
		if share.Sign() < 0 || share.Cmp(big.NewRat(1, 1)) > 0 || share.Sign() > 0 && len(u.Kernels) == 0 {
			refuse("cost %q is averaged over a share of %v of the models", in.costName(n), enclosure.Nearest(share))
		}
	}
	count := len(u.Kernels)
	if u.Weights == nil {
		for range count {
			in.weights = append(in.weights, big.NewRat(1, int64(count)))
		}
		return
	}
	if len(u.Weights) != count {
		refuse("the set has %d models and %d weights", count, len(u.Weights))
	}
	r := listed("the weights of the models", u.Weights)
	for k := range count {
		in.weights = append(in.weights, r.at(k))
	}
}

// models is how many a proof by values is about: those of a finite set, and one else, under which nature answers.
func (in *instance) models() int { return max(1, len(in.weights)) }

// kernel is that of model k, nil where nature answers.
func (in *instance) kernel(k int) *model.Kernel {
	if list := in.p.Uncertainty.Kernels; len(list) > 0 {
		return list[k]
	}
	return nil
}

// averages reports whether cost n is averaged over the models.
func (in *instance) averages(n int) bool { return in.share[n].Sign() > 0 }

// averaged reports whether some cost is, over more than one.
func (in *instance) averaged() bool {
	return len(in.weights) > 1 && slices.ContainsFunc(in.share, func(x *big.Rat) bool { return x.Sign() > 0 })
}

// kindOf says what is spoken of where cost n is: its worst case, or an average over the models.
func (in *instance) kindOf(n int) string {
	switch {
	case !in.averages(n) || in.models() == 1:
		return "worst-case"
	case in.share[n].Cmp(big.NewRat(1, 1)) == 0:
		return "mean"
	}
	return "tail-mean"
}

// where says for which models cost n is told, and how.
func (in *instance) where(n int) (under, at, misses string) {
	switch in.kindOf(n) {
	case "mean":
		return "on average over the models", "in the mean", "in the mean"
	case "tail-mean":
		return "on average over the worst share of the models", "in the tail", "in the tail"
	}
	return "under every model", "at the worst", "under its worst model"
}

// average is what cost n comes to where it is j[k] under model k.
func (in *instance) average(n int, j []*big.Rat) *big.Rat {
	order := make([]int, len(j))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return j[b].Cmp(j[a]) })
	if !in.averages(n) {
		return j[order[0]]
	}
	sum, left := new(big.Rat), new(big.Rat).Set(in.share[n])
	for _, k := range order {
		q := in.weights[k]
		if q.Cmp(left) > 0 {
			q = left
		}
		sum.Add(sum, new(big.Rat).Mul(q, j[k]))
		left = new(big.Rat).Sub(left, q)
	}
	return sum.Quo(sum, in.share[n])
}

// underModels are what all costs come to, of their returns under each model.
func (in *instance) underModels(of func(k int) []span, more func() bool) []span {
	each, all := make([][]span, len(in.costs)), make([]span, len(in.costs))
	for k := range in.models() {
		onwards(true, more)
		for n, j := range of(k) {
			each[n] = append(each[n], j)
		}
	}
	for n := range each {
		all[n] = in.averageSpan(n, each[n])
	}
	return all
}

// averageSpan is average of returns that are known within spans. Of the worst model's a lower end is what any
// model's is.
func (in *instance) averageSpan(n int, each []span) span {
	var lo, hi []*big.Rat
	for _, s := range each {
		if s.lo != nil {
			lo = append(lo, s.lo)
		}
		if s.hi != nil {
			hi = append(hi, s.hi)
		}
	}
	var all span
	if len(lo) == len(each) || len(lo) > 0 && !in.averages(n) {
		all.lo = in.average(n, lo)
	}
	if len(hi) == len(each) {
		all.hi = in.average(n, hi)
	}
	return all
}

// rounding is by how much shares that a proof names may be off those that it stands for.
var rounding = big.NewRat(1, 1<<40)

// mixture is the element of Q of a cost (average.go) that shares name; of a cost without weight any will do.
func (in *instance) mixture(cost int, shares []float64, idle bool) []*big.Rat {
	one := big.NewRat(1, 1)
	switch fixed := in.models() == 1 || in.share[cost].Cmp(one) == 0; {
	case fixed && len(shares) != 0:
		refuse("it names what each model counts in %q, which is not open", in.costName(cost))
	case in.models() == 1:
		return []*big.Rat{one}
	case fixed:
		return in.weights
	case idle && len(shares) == 0:
		return in.weights
	case len(shares) != in.models():
		refuse("it has %d shares of %q; want one for each of %d models", len(shares), in.costName(cost), in.models())
	case !finiteAll(shares):
		refuse("a share is not finite")
	}
	r, sum := make([]*big.Rat, len(shares)), new(big.Rat)
	room := make([]*big.Rat, len(shares)) // up to w/α; nil: up to 1
	for k, x := range shares {
		r[k] = new(big.Rat).SetFloat64(x)
		if r[k].Sign() < 0 {
			refuse("a share of %q is %v; want one >= 0", in.costName(cost), x)
		}
		most := one
		if in.averages(cost) {
			most = new(big.Rat).Quo(in.weights[k], in.share[cost])
		}
		if over := new(big.Rat).Sub(r[k], most); over.Sign() > 0 {
			if over.Cmp(rounding) > 0 {
				refuse("model %d counts %v in %q; its weight allows %v at most", k+1, x, in.costName(cost), enclosure.Nearest(most))
			}
			r[k].Set(most)
		}
		room[k] = new(big.Rat).Sub(most, r[k])
		sum.Add(sum, r[k])
	}
	left := new(big.Rat).Sub(one, sum)
	if new(big.Rat).Abs(left).Cmp(rounding) > 0 {
		refuse("the shares of %q sum to %v; want 1", in.costName(cost), enclosure.Nearest(sum))
	}
	for k := range r {
		switch {
		case left.Sign() < 0:
			r[k].Quo(r[k], sum)
		case left.Sign() > 0:
			if room[k].Cmp(left) > 0 {
				room[k] = left
			}
			r[k].Add(r[k], room[k])
			left = new(big.Rat).Sub(left, room[k])
		}
	}
	return r
}
