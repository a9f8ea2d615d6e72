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
			sup, _ = in.nominal[i].positive(nil) // divergences keep the positive part
		case u.SupportAll:
			for s := range in.S {
				sup = append(sup, s)
			}
		default:
			sup = in.nominal[i].next
		}
		x.support = append(x.support, sup)
	}
	return x, in.certain()
}
