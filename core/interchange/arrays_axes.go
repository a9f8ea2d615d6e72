package interchange

import (
	"math"
	"strings"
)

// array is a rectangular array of numbers of any rank up to four.
type array struct {
	name  string    // as in the file
	shape []int     // lengths of its axes, the outermost first
	v     []float64 // row by row
	at    []int32   // byte of each entry
	from  int32     // byte where it begins; 0 in a binary file
}

// index is the place in v of an index.
func (a *array) index(i ...int) int {
	n := 0
	for k, x := range i {
		n = n*a.shape[k] + x
	}
	return n
}

// list2 makes a list of a map with the values in their order, as for arrays by
// name of action.
func list2(n *node) *node { return &node{kind: 'l', at: n.at, kids: n.kids} }

func texts(n *node) (all []string) {
	for i := range n.len() {
		if k := n.nth(i); k.kind == '#' {
			all = append(all, num(k.x))
		} else {
			all = append(all, k.text)
		}
	}
	return all
}

// axes are the orders of the three axes of P, by their letters.
var axisNames = map[string]string{"ASS": "action, state, next state (MDPtoolbox)", "SAS": "state, action, next state (QuantEcon, the paper)", "SSA": "state, next state, action (R, Matlab)"}

// orders are the axis orders that an array's shape and rows allow, the most
// usual first.
func (a *array) orders() (fit []string) {
	d := a.shape
	var shape []string
	if d[1] == d[2] {
		shape = append(shape, "ASS")
	}
	if d[0] == d[2] {
		shape = append(shape, "SAS")
	}
	if d[0] == d[1] {
		shape = append(shape, "SSA")
	}
	if len(shape) > 1 {
		for _, o := range shape {
			if a.stochastic(o) {
				fit = append(fit, o)
			}
		}
	}
	if len(fit) == 0 {
		fit = shape
	}
	return fit
}

// sizes are S and A in an order.
func (a *array) sizes(order string) (s, acts int) {
	switch order {
	case "ASS":
		return a.shape[1], a.shape[0]
	case "SAS":
		return a.shape[0], a.shape[1]
	}
	return a.shape[0], a.shape[2]
}

func (a *array) get(order string, s, act, t int) int {
	switch order {
	case "ASS":
		return a.index(act, s, t)
	case "SAS":
		return a.index(s, act, t)
	}
	return a.index(s, t, act)
}

// stochastic says whether rows sum to about 1, or to 0, in an order.
func (a *array) stochastic(order string) bool {
	ns, na := a.sizes(order)
	for s := range ns {
		for act := range na {
			sum := 0.0
			for t := range ns {
				if x := a.v[a.get(order, s, act, t)]; !math.IsNaN(x) {
					sum += x
				}
			}
			if math.Abs(sum-1) > 1e-3 && sum != 0 {
				return false
			}
		}
	}
	return true
}

func (a *array) fits(order string) bool {
	switch order {
	case "ASS":
		return a.shape[1] == a.shape[2]
	case "SAS":
		return a.shape[0] == a.shape[2]
	}
	return a.shape[0] == a.shape[1]
}

func times(shape []int) string {
	var all []string
	for _, n := range shape {
		all = append(all, num(float64(n)))
	}
	return strings.Join(all, " × ")
}
