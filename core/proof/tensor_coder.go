package proof

import (
	"math"
	"math/bits"
	"slices"
)

// treeCoder codes the numbers of a tree, and fills what it codes when it is reading.
type treeCoder struct {
	arithmetic
	tensorSizes
	content int // what was coded so far takes, in numbers of 8 bytes

	kinds     [3][4]odds     // by what was before in the node: nothing, a push, it is closed
	states    [1 << 8]odds   // of a state
	places    map[int][]odds // by state, of the high bits of a point
	half      odds           // that θ is 1/2
	shareBits [1 << 5]odds
	shares    [1 << learntHigh]odds // of their high bits
	exponents [1 << 6]odds
	bits      [2][1 << 6]odds                      // of multipliers, by kind of step
	has       [1 << 8][4]odds                      // by piece, and by whether the step before had it and the last of the facet
	zeros     [mostLambda + 2][mostLambda + 1]odds // by expected zeros, 0 where none are, and how many there are so far
	before    []uint8                              // by piece: 1 more than the zeros of its multiplier in the step before, 0: it had none
	facets    map[[2]int][]uint8                   // the same of the last step of each facet, by state and point
}

const learntHigh = 5 // bits of points and shares whose odds are learnt

func newTreeCoder(a arithmetic, z tensorSizes) *treeCoder {
	c := &treeCoder{arithmetic: a, tensorSizes: z, places: map[int][]odds{}, facets: map[[2]int][]uint8{}}
	states := c.number(nil, 0, 8, len(z.points))
	c.pieces = c.number(nil, 0, 8, z.pieces)
	if a.reading {
		c.points = make([]int, states)
	}
	for s := range c.points {
		c.points[s] = c.number(nil, 0, 16, c.points[s])
	}
	c.before = make([]uint8, c.pieces)
	return c
}

// grow counts content, of which there must not be more than there are bytes for.
func (c *treeCoder) grow(numbers int) {
	c.content += numbers
	c.bad = c.bad || c.reading && c.content > mostContent(len(c.b))
}

func (c *treeCoder) node(n *TensorNode) {
	c.grow(8)
	for step, after := 0, 0; !c.bad; step++ {
		kind := noneKind
		switch {
		case step < len(n.Steps) && n.Steps[step].State >= 0:
			kind = pushKind
		case step < len(n.Steps):
			kind = closeKind
		case n.State >= 0:
			kind = splitKind
		}
		switch kind = c.number(c.kinds[after][:], 2, 2, kind); kind {
		case splitKind:
			c.split(n)
			return
		case noneKind:
			n.State = -1
			return
		}
		if c.reading {
			n.Steps = append(n.Steps, TensorStep{State: -1})
		}
		c.step(&n.Steps[step], kind)
		after = kind + 1
	}
}

// split codes one, nearly always at θ = 1/2.
func (c *treeCoder) split(n *TensorNode) {
	if n.State = c.state(n.State); c.bad {
		return
	}
	n.I, n.J = c.point(n.State, n.I), c.point(n.State, n.J)
	if c.bit(&c.half, btoi(n.Theta == 0.5)) == 1 {
		n.Theta = 0.5
		return
	}
	theta := math.Ldexp(n.Theta, thetaBits)
	if !(theta >= 0 && theta < 1<<thetaBits) || theta != math.Floor(theta) {
		c.bad = true
		return
	}
	n.Theta = math.Ldexp(float64(c.number(nil, 0, thetaBits, int(theta))), -thetaBits)
}

// state codes one that there is, and point a point of it.
func (c *treeCoder) state(s int) int {
	many := bits.Len(uint(max(len(c.points), 1) - 1))
	if s = c.number(c.states[:], many, many, s); s >= len(c.points) {
		c.bad = true
		return 0
	}
	return s
}

func (c *treeCoder) point(s, i int) int {
	tree := c.places[s]
	if tree == nil {
		tree = make([]odds, 1<<learntHigh)
		c.places[s] = tree
	}
	i = c.number(tree, learntHigh, bits.Len(uint(max(c.points[s], 1)-1)), i)
	c.bad = c.bad || i >= c.points[s]
	return i
}

func (c *treeCoder) step(s *TensorStep, kind int) {
	c.grow(12)
	facet := [2]int{-1, 0}
	if kind == pushKind {
		c.push(s)
		facet = [2]int{s.State, s.J}
	}
	if c.bad {
		return
	}
	last := c.facets[facet]
	if last == nil {
		c.grow(8 + c.pieces/8) // which is kept from now on
		last = c.before
	}
	c.before = c.multipliers(s, last, kind)
	c.facets[facet] = c.before
}

func (c *treeCoder) push(s *TensorStep) {
	if s.State = c.state(s.State); c.bad {
		return
	}
	s.J = c.point(s.State, s.J)
	a := c.points[s.State]
	if c.grow(a); c.bad {
		return
	}
	k := 0
	if c.reading {
		s.Shift = make([]float64, a)
	} else if len(s.Shift) != a || s.Shift[s.J] != 0 || !within(s.Shift, 1) {
		c.bad = true
	} else {
		k = grid(s.Shift, 0, mostShare)
	}
	if k = c.number(c.shareBits[:], 5, 5, k); k == 0 || k > mostShare {
		c.bad = true
	}
	for i := range s.Shift {
		if i != s.J && !c.bad {
			s.Shift[i] = math.Ldexp(float64(c.number(c.shares[:], learntHigh, k, int(math.Ldexp(s.Shift[i], k)))), -k)
		}
	}
}

// multipliers codes those of a step and returns what before is after it. Last is what
// is kept of the last step of the same facet.
func (c *treeCoder) multipliers(s *TensorStep, last []uint8, kind int) (now []uint8) {
	now = make([]uint8, c.pieces)
	next := 0
	for p := range now {
		has := btoi(next < len(s.Pieces) && s.Pieces[next] == p)
		if has = c.bit(&c.has[p][btoi(c.before[p] > 0)+2*btoi(last[p] > 0)], has); has == 0 {
			continue
		}
		if c.grow(2); c.reading {
			s.Pieces, s.Lambda = append(s.Pieces, p), append(s.Lambda, 0)
		}
		next++
	}
	if next == 0 || c.bad {
		return now
	}
	e, k := 0, 0
	if !c.reading {
		_, e = math.Frexp(slices.Max(s.Lambda))
		if !within(s.Lambda, math.Ldexp(1, e)) || e < -exponentMid || e >= exponentMid {
			c.bad = true
			return now
		}
		k = grid(s.Lambda, e, mostLambda)
	}
	e = c.number(c.exponents[:], 6, 6, e+exponentMid) - exponentMid
	if k = c.number(c.bits[kind][:], 6, 6, k); k == 0 || k > mostLambda {
		c.bad = true
		return now
	}
	for i, p := range s.Pieces {
		expected := last[p]
		if expected == 0 {
			expected = c.before[p]
		}
		v := c.multiplier(c.zeros[expected][:], k, int(math.Ldexp(s.Lambda[i], k-e)))
		s.Lambda[i] = math.Ldexp(float64(v), e-k)
		now[p] = uint8(1 + k - bits.Len(uint(v)))
	}
	if _, top := math.Frexp(slices.Max(s.Lambda)); top != e { // another way to write the same
		c.bad = true
	}
	return now
}

// multiplier codes a number of k bits: how many zeros it begins with, and the others.
func (c *treeCoder) multiplier(zeros []odds, k, v int) int {
	first := k - bits.Len(uint(v))
	for q := range k {
		if c.bit(&zeros[q], btoi(q == first)) == 1 {
			rest := k - 1 - q
			return 1<<rest | c.number(nil, 0, rest, v&(1<<rest-1))
		}
	}
	return 0
}

// within reports whether all numbers are from 0 up to, but not, most.
func within(v []float64, most float64) bool {
	for _, x := range v {
		if !(x >= 0 && x < most) {
			return false
		}
	}
	return true
}

// grid is the coarsest grid that numbers 0 <= v < 2^high are on: they are multiples of
// 2^(high-bits). 0 when that is more than most.
func grid(v []float64, high, most int) (bits int) {
	bits = 1
	for _, x := range v {
		for x = math.Ldexp(x, bits-high); x != math.Floor(x); x *= 2 {
			if bits++; bits > most {
				return 0
			}
		}
	}
	return bits
}
