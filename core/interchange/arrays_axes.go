package interchange

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"rcmdplab/core/model"
)

// array is a rectangular array of numbers of any rank up to four.
type array struct {
	name  string    // as in the file
	shape []int     // lengths of its axes, the outermost first
	v     []float64 // row by row
	at    []int32   // byte of each entry
	from  int32     // byte where it begins; 0 in a binary file
}

// list2 makes a list of a map with the values in their order, as for arrays by
// name of action.
func list2(n *node) *node { return &node{kind: 'l', at: n.at, kids: n.kids} }

// byActions makes an array of rewards whose keys are those of the transitions, the actions: of one
// number a state, columns; of matrices, one behind the other.
func (n *node) byActions(p *node) {
	if p == nil || p.kind != 'm' || n.kind != 'm' || len(p.keys) != len(n.keys) {
		return
	}
	var all []node
	for _, k := range p.keys {
		kid := n.find(k)
		if kid == nil {
			return
		}
		all = append(all, *kid)
	}
	if columns, ok := across(all, int(n.at)); ok {
		*n = columns
	} else if all[0].depth() == 2 {
		*n = node{kind: 'l', at: n.at, kids: all}
	}
}

func texts(n *node) (all []string) {
	for i := range n.len() {
		if k := n.nth(i); k.kind == '#' {
			all = append(all, model.Num(k.x))
		} else {
			all = append(all, k.text)
		}
	}
	return all
}

// axisOrders are the orders of the three axes of P, by their letters, the most usual first.
var axisOrders = []string{"ASS", "SAS", "SSA"}

var axisNames = map[string]string{"ASS": "action, state, next state (MDPtoolbox)", "SAS": "state, action, next state (QuantEcon, the paper)", "SSA": "state, next state, action (R, Matlab)"}

// askAxes finds the order of the axes of P among those that its sizes and its
// rows allow: by what fits, then by the names of the tool, and else it is asked.
func (in *input) askAxes(af *arrayFile, fit []string) string {
	say := func(order, why string) string {
		in.note("the axes of P are %s: %s", axisNames[order], why)
		return order
	}
	if len(fit) == 1 {
		if af.p.shape[0] == af.p.shape[1] && af.p.shape[1] == af.p.shape[2] {
			return say(fit[0], "rows sum to 1 in this order only")
		}
		return say(fit[0], "the sizes tell")
	}
	if af.byAction && len(af.states) > 0 && !slices.Equal(af.states, af.actions) && slices.Contains(fit, "ASS") {
		return in.axes(fit, "ASS", "they are matrices by name, and the names are not those of the states", "")
	}
	if possible := af.possibleOrders(fit); len(possible) == 1 {
		return in.axes(fit, possible[0], "the actions that are said to be possible have rows in this order only", "")
	}
	order, why := fit[0], "there are as many states as actions, and rows sum to 1 in either order"
	if blocked := af.blockedOrders(fit); len(blocked) == 1 && (af.tool == "" || af.toolOrder() == blocked[0]) {
		return in.axes(fit, blocked[0], "rewards of -inf stand on the rows of zeros in this order only", "")
	} else if len(blocked) == 1 {
		why = "the names are " + tools[af.tool].title + "'s, and the rewards of -inf stand on the rows of zeros in another order"
	} else if slices.Contains(fit, af.toolOrder()) {
		return in.axes(fit, af.toolOrder(), "the names are "+tools[af.tool].title+"'s", "")
	}
	return in.axes(fit, order, "", why)
}

// axes takes an order and says what it was told by, or asks it.
func (in *input) axes(fit []string, order, told, open string) string {
	var options []Option
	for _, o := range fit {
		options = append(options, Option{o, axisNames[o]})
	}
	taken := in.choose("axes", "Order of the axes of P", "There are as many states as actions.", order, options...)
	switch {
	case open != "":
		in.open("axes", open)
	case taken == order:
		in.note("the axes of P are %s: %s", axisNames[order], told)
	}
	return taken
}

// tools are the programs whose names in a text tell how their arrays are laid out.
var tools = map[string]struct{ title, order string }{
	"quantecon": {"QuantEcon", "SAS"}, "mdptoolbox": {"MDPtoolbox", "ASS"}, "mdptoolbox-r": {"MDPtoolbox (R)", "SSA"},
}

func (af *arrayFile) toolOrder() string { return tools[af.tool].order }

// blockedOrders are the orders in which the rows of zeros are those of the pairs
// that a reward of minus infinity forbids; all of them when nothing is forbidden.
func (af *arrayFile) blockedOrders(fit []string) (left []string) {
	for _, r := range af.rewards {
		if len(r.shape) != 2 || !slices.ContainsFunc(r.v, func(x float64) bool { return math.IsInf(x, 0) }) {
			continue
		}
		for _, o := range fit {
			ns, na := af.p.sizes(o)
			if r.shape[0] != ns || r.shape[1] != na {
				return fit
			}
			same, zeros := true, 0
			for i, x := range r.v {
				zero := af.p.every(o, i/na, i%na, nothing)
				if zero {
					zeros++
				}
				same = same && zero == math.IsInf(x, 0)
			}
			if zeros == 0 {
				return fit
			}
			if same {
				left = append(left, o)
			}
		}
		return left
	}
	return fit
}

// possibleOrders are the orders in which the rows that hold something are those of the
// actions that the file says are possible; all of them where it does not.
func (af *arrayFile) possibleOrders(fit []string) (left []string) {
	if af.possible == nil {
		return fit
	}
	for _, o := range fit {
		ns, na := af.p.sizes(o)
		same := len(af.possible.kids) == ns
		for s := 0; s < ns && same; s++ {
			can := texts(&af.possible.kids[s])
			for a := range na {
				named := slices.Contains(can, strconv.Itoa(a)) || a < len(af.actions) && slices.Contains(can, af.actions[a])
				same = same && named != af.p.every(o, s, a, nothing)
			}
		}
		if same {
			left = append(left, o)
		}
	}
	return left
}

// nothing is a number that leads nowhere.
func nothing(x float64) bool { return x == 0 || math.IsNaN(x) }

// every says whether all numbers of a row of transitions are such.
func (a *array) every(order string, s, act int, such func(float64) bool) bool {
	ns, _ := a.sizes(order)
	for t := range ns {
		if !such(a.v[a.get(order, s, act, t)]) {
			return false
		}
	}
	return true
}

// orders are the axis orders that an array's shape and rows allow, the most
// usual first.
func (a *array) orders() (fit []string) {
	var shape []string
	for _, o := range axisOrders {
		if a.fits(o) {
			shape = append(shape, o)
		}
	}
	for _, o := range shape {
		if len(shape) > 1 && a.stochastic(o) {
			fit = append(fit, o)
		}
	}
	if len(fit) == 0 {
		fit = shape
	}
	return fit
}

// sizes are S and A in an order.
func (a *array) sizes(order string) (s, acts int) {
	return a.shape[strings.IndexByte(order, 'S')], a.shape[strings.IndexByte(order, 'A')]
}

// fits says whether there are as many next states as states in an order.
func (a *array) fits(order string) bool {
	return a.shape[strings.IndexByte(order, 'S')] == a.shape[strings.LastIndexByte(order, 'S')]
}

// get is the place in v of a transition.
func (a *array) get(order string, s, act, t int) (at int) {
	for k, n := range a.shape {
		x := act
		if order[k] == 'S' {
			x, s = s, t
		}
		at = at*n + x
	}
	return at
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

func times(shape []int) string {
	var all []string
	for _, n := range shape {
		all = append(all, model.Num(float64(n)))
	}
	return strings.Join(all, " × ")
}
