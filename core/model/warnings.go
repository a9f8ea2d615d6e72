package model

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// What is allowed and yet probably not meant.

// warnings is about what is allowed and yet probably not meant.
func (p *Problem) warnings() []string {
	var w []string
	for i := range p.Constraints {
		c := &p.Constraints[i]
		lo, hi := p.shownBounds(&c.Cost)
		margin := 1e-9 * max(math.Abs(lo), math.Abs(hi)) // the horizon is rounded
		below, above := c.Bound < lo-margin, c.Bound > hi+margin
		if below || above {
			says, side, end := "constraint %s can never be violated", "below", hi
			if above == c.AtLeast {
				says = "no policy can meet constraint %s"
			}
			if below {
				side, end = "above", lo
			}
			w = append(w, fmt.Sprintf(says+": by its values alone it stays at or %s %s", Quote(c.Name), side, Digits(end, 6)))
		}
	}
	w = append(w, twins("state", p.States)...)
	w = append(w, twins("action", p.Actions)...)
	w = append(w, p.penalties()...)
	w = append(w, p.supports()...)
	if text := p.squareOrder(); text != "" {
		w = append(w, text)
	}
	if p.Uncertainty.Paper {
		w = append(w, `the evaluator "paper" leaves the KL term out, as printed: it can cycle or have more than one fixed point; "soft" has exactly one`)
	}
	return w
}

// twins is about names that differ in case alone: often one thing written in
// two ways.
func twins(noun string, names []string) []string {
	first := make(map[string]string, len(names))
	for _, name := range names {
		plain := strings.ToLower(name)
		if other, ok := first[plain]; ok {
			return []string{fmt.Sprintf("%ss %s and %s differ in case alone: they are two, and if one is meant, one of the names has to change", noun, Quote(other), Quote(name))}
		}
		first[plain] = name
	}
	return nil
}

// shownBounds encloses the values that a cost can have, in the units shown.
func (p *Problem) shownBounds(c *Cost) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	p.everyCost(c, func(_ int, x float64) { lo, hi = min(lo, x), max(hi, x) })
	if p.End != nil { // the steps may be few, and those after an end cost nothing
		lo, hi = min(lo, 0), max(hi, 0)
	}
	h := 1 / Rest(p.Discount)
	if p.Horizon > 0 {
		h = 0
		for t := range p.Horizon {
			h += math.Pow(p.Discount, float64(t))
		}
	}
	if !c.Average {
		if lo != 0 {
			lo *= h
		}
		if hi != 0 {
			hi *= h
		}
	}
	if c.Final != nil {
		last := math.Pow(p.Discount, float64(p.Horizon))
		lo, hi = lo+min(0, last*slices.Min(c.Final)), hi+max(0, last*slices.Max(c.Final))
	}
	return lo, hi
}

// everyCost visits the numbers of a cost with the pair that each is of.
func (p *Problem) everyCost(c *Cost, visit func(i int, x float64)) {
	for t := range max(1, len(c.Steps)) {
		d := c.during(t)
		for i, s := range p.Layout.State {
			g := s*p.Layout.A + p.Layout.Act[i]
			row := d.Next
			if row != nil {
				row = row[g*p.Layout.S : (g+1)*p.Layout.S]
			} else {
				row = d.Values[g : g+1]
			}
			for _, x := range row {
				visit(i, x)
			}
		}
	}
}

// far is how many times the size of the other costs a cost has from which it is
// taken for a way to say "not allowed".
const far = 1e6

// penalties is about costs that stand for "not allowed".
func (p *Problem) penalties() []string {
	var w []string
	each := func(c *Cost) {
		var sizes []float64
		var where []int // the pair
		p.everyCost(c, func(i int, x float64) {
			if x != 0 {
				sizes, where = append(sizes, math.Abs(x)), append(where, i)
			}
		})
		ordinary, count, first, most := typical(sizes), 0, 0, 0.0
		for k, x := range sizes {
			if x >= far*ordinary {
				if count == 0 {
					first = where[k]
				}
				count++
				most = max(most, x)
			}
		}
		if count > 0 && count < len(sizes) {
			l := p.Layout
			w = append(w, fmt.Sprintf("cost %s is up to %s where others are about %s (first for action %s in state %s): if that says \"not allowed\", write null for the action's row of transitions instead",
				Quote(c.Name), Digits(most, 3), Digits(ordinary, 3), Quote(p.Actions[l.Act[first]]), Quote(p.States[l.State[first]])))
		}
	}
	each(&p.Objective)
	for i := range p.Constraints {
		each(&p.Constraints[i].Cost)
	}
	return w
}

// typical is the size of the ordinary ones among positive numbers: the largest
// below the first gap of a factor far, in order of size.
func typical(sizes []float64) float64 {
	v := slices.Clone(sizes)
	slices.Sort(v)
	for i := 1; i < len(v); i++ {
		if v[i] >= far*v[i-1] {
			return v[i-1]
		}
	}
	return math.Inf(1)
}

// supports is about sets in which nature has no choice, or has one for a reason
// that is easily overlooked.
func (p *Problem) supports() []string {
	u := &p.Uncertainty
	if u.Nominal == nil || u.SupportAll || len(p.States) == 1 {
		return nil
	}
	free := func(i int) bool { // the set is more than one row
		g := p.Layout.State[i]*p.Layout.A + p.Layout.Act[i]
		switch {
		case u.Kind.Regularised():
			return true
		case len(u.Radius) > 1:
			return u.Radius[g] > 0
		}
		return len(u.Radius) == 1 && u.Radius[0] > 0
	}
	divergence := u.Kind.Keeps()
	radii, single, zeros := 0, 0, 0
	for i := range p.Layout.Pairs() {
		if !free(i) {
			continue
		}
		radii++
		_, prob := u.Nominal.Row(i)
		positive := 0
		for _, x := range prob {
			if x > 0 {
				positive++
			}
		}
		if divergence && positive == 1 || len(prob) == 1 {
			single++
		}
		if !divergence && positive < len(prob) {
			zeros += len(prob) - positive
		}
	}
	var w []string
	switch {
	case radii == 0 || single == 0:
	case divergence && single == radii:
		w = append(w, fmt.Sprintf("every nominal row has one successor, and a set of kind %q keeps to the successors of the nominal row: nature has no choice anywhere, and the answer is that of the nominal model", u.Kind))
	case single == radii:
		w = append(w, "every nominal row has one successor, and with \"support\": \"nominal\" mass moves only between listed successors: nature has no choice anywhere, and the answer is that of the nominal model. \"support\": \"all\" lets mass go to any state")
	}
	if zeros > 0 {
		w = append(w, fmt.Sprintf("%s of probability 0 %s listed: with \"support\": \"nominal\" nature may give %s mass, as entries say what is listed. (In a table a 0 is how \"no successor\" is written, and lists nothing.)",
			Count(zeros, "successor"), are(zeros), them(zeros)))
	}
	return w
}

func them(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}

// changesTransposed reports whether exchanging states and actions of a square
// table gives another kernel.
func (k *Kernel) changesTransposed(l *Layout) bool {
	for s := range l.S {
		for a := range s {
			n, p := k.Row(s*l.A + a)
			o, q := k.Row(a*l.A + s)
			if !slices.Equal(n, o) || !slices.Equal(p, q) {
				return true
			}
		}
	}
	return false
}

// squareOrder asks where a table's shape does not say whether states or actions
// come first: with as many states as actions, transitions typed as [action][state]
// pass for [state][action].
func (p *Problem) squareOrder() string {
	if len(p.States) != len(p.Actions) || len(p.States) < 2 {
		return ""
	}
	for _, k := range p.Uncertainty.Every() {
		if !k.Sparse && p.Layout.Pairs() == len(p.States)*len(p.Actions) && k.changesTransposed(p.Layout) {
			return fmt.Sprintf("there are as many states as actions, so the shape of a table does not say which comes first; read as [state][action][next state], the first row is action %s in state %s. Arrays of other tools often are [action][state][next state]",
				Quote(p.Actions[0]), Quote(p.States[0]))
		}
	}
	return ""
}

func are(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}
