package certify

import (
	"fmt"
	"math/big"

	"rcmdplab/core/certify/enclosure"
)

// exactSet is a rectangular uncertainty set as exact numbers: it recognises rows that
// nature may really use (member).
type exactSet struct {
	in *instance
	shape
	support [][]int // by pair, ascending: where nature may put mass
}

// exactSet reads the set of the problem; nil for a finite one.
func (in *instance) exactSet() (*exactSet, error) {
	u := &in.p.Uncertainty
	x := &exactSet{in: in, shape: shapeOf(u.Kind)}
	one := big.NewRat(1, 1)
	for i := range in.Pairs() {
		if x.family == mixture && in.radius[i].Cmp(one) > 0 {
			return nil, fmt.Errorf("the radius of %s is %v; want a share between 0 and 1", in.pairName(i), enclosure.Nearest(in.radius[i]))
		}
		var sup []int
		switch {
		case x.ends:
			sup = in.upper[i].next
		case x.positive:
			r := &in.nominal[i]
			for j, to := range r.next { // divergences keep the positive part
				if r.num[j].Sign() > 0 {
					sup = append(sup, to)
				}
			}
		case u.SupportAll:
			for s := range in.S {
				sup = append(sup, s)
			}
		default:
			sup = in.nominal[i].next
		}
		x.support = append(x.support, sup)
	}
	if x.family == priced && u.Paper {
		return nil, fmt.Errorf("the paper's evaluator of the regularised set is the return of no set of kernels, so there is nothing to certify; choose the evaluator \"soft\"")
	}
	return x, nil
}
