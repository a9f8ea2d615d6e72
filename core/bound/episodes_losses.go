package bound

import (
	"math"
	"slices"

	"rcmdplab/core/evaluate"
)

// losses are probabilities with which an episode is lost in each step, for nothing.
var losses = []float64{0x1p-48, 0x1p-44, 0x1p-40, 0x1p-36, 0x1p-32, 0x1p-28}

const (
	below      = .01 // how far below the least value nothing is, next to the largest, where it is not the least itself
	mostSweeps = 300 // of one attempt
)

// lossy are values of episodes that are lost with probability ε in each step, and are worth nothing then, a number z that no
// state is worth less than:
//
//	V(s) = min_a c + Σ p V - ε (Σ p V - z).
//
// They satisfy V <= TV with ε (Σ p V - z) to spare, which is beyond rounding for the least ε that it is for everywhere: where
// values are small, and z is the least of them, next to those. V falls short of the values by ε T of what they are above z, T
// being the time of whoever is best off: it may pay to wait for the loss, for ever where that costs less than ε in a step.
// About a fair game, of which rounding makes an unfair one, values fall for long where ε is small; large models do not go on.
func (t *ties) lossy() []float64 {
	least := math.Inf(1)
	for s := range t.v {
		if t.m.Ends(s) || t.taken[t.class[s]] >= 0 {
			least = min(least, t.v[s])
		}
	}
	for _, lost := range losses {
		for _, nothing := range []float64{least, least - below*t.size} {
			if v, endless := t.losing(lost, nothing); v != nil || endless && t.m.S > mostClimbing || t.pace.Cut() {
				return v
			}
		}
	}
	return nil
}

// loss is one attempt at it.
type loss struct {
	*ties
	lost    float64   // the probability of a loss in a step
	nothing float64   // what an episode is worth then
	v       []float64 // by state
	next    []int     // by state: the next of its class, -1 at the end
}

// losing are such values: of the pairs taken, then of whichever comes to less, in sweeps, until none does. Nil where what is
// lost is not seen beside rounding, or where there is no end of falling: endless.
func (t *ties) losing(lost, nothing float64) (v []float64, endless bool) {
	m := t.m
	x := &loss{t, lost, nothing, slices.Clone(t.v), make([]int, m.S)}
	last := make([]int, m.S)
	for s, c := range t.class {
		if x.next[s] = -1; s != c {
			x.next[last[c]] = s
		}
		if last[c] = s; m.Ends(s) {
			x.v[s] -= 0x1p-50 * t.end[s]
		}
	}
	x.solve()
	for k := range mostSweeps {
		fell := false
		for j := range m.S {
			c := j
			if k%2 == 0 {
				c = m.S - 1 - j
			}
			if t.class[c] != c || m.Ends(c) {
				continue
			}
			fall, seen := x.fall(c)
			if !seen {
				return nil, false
			}
			for s := c; s >= 0 && fall < 0; s = x.next[s] {
				x.v[s] += fall
			}
			fell = fell || fall < 0
		}
		if !fell {
			return x.v, false
		}
		if !t.pace.Spend(4 * len(t.ker.Next)) {
			break
		}
	}
	return nil, true
}

// comes is what pair i comes to more than its state, what is lost of that, and the size of the numbers in it.
func (x *loss) comes(i int) (more, lost, size float64) {
	v := x.v[x.m.State[i]]
	more, size = x.pay[i], math.Abs(x.pay[i])
	to, p := x.ker.Row(i)
	for j, u := range to {
		more += p[j] * (x.v[u] - v)
		lost += p[j] * (x.v[u] - x.nothing)
		size += p[j] * max(math.Abs(x.v[u]), math.Abs(v))
	}
	return more, x.lost * lost, size
}

// solve makes the values those of the pairs taken.
func (x *loss) solve() {
	sys := evaluate.NewSystem(x.m.Losing(x.lost), len(x.ker.Next))
	sys.KeepPace(x.pace)
	x.load(sys)
	d := make([]float64, x.m.S)
	for range 2 {
		for s, c := range x.class {
			if d[s] = 0; s == c && x.taken[c] >= 0 && !x.m.Ends(s) {
				more, lost, _ := x.comes(x.taken[c])
				d[s] = more - lost
			}
		}
		sys.Solve(d)
		for s, c := range x.class {
			x.v[s] += d[c]
		}
	}
}

// fall is by how much the values of a class are to fall for what its pairs come to; not seen: what is lost is no more than rounding.
func (x *loss) fall(c int) (fall float64, seen bool) {
	for s := c; s >= 0; s = x.next[s] {
		for i := x.m.Off[s]; i < x.m.Off[s+1]; i++ {
			if !x.may[i] || x.within(i) {
				continue
			}
			more, lost, size := x.comes(i)
			if more >= x.room*size {
				continue
			}
			if !(lost >= 2*x.room*size) {
				return 0, false
			}
			leaves := 0.0
			to, p := x.ker.Row(i)
			for j, u := range to {
				if x.class[u] != c {
					leaves += p[j]
				}
			}
			fall = min(fall, (more-lost)/(leaves+x.lost*(1-leaves)))
		}
	}
	return fall, true
}
