package certify

import (
	"fmt"
	"math/big"
	"slices"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/proof"
)

// determinants makes the tensors of one kernel at the root: for every choice of
// an action in each state F of enclosure.Positive, with c̃ and b̃ of the relaxation. The rows of all actions of the states
// to come are kept up to date, so that choices that begin alike share the work:
// a choice costs a few steps, not a cubic number.
type determinants struct {
	*enclosure.Positive
	t      *tensors
	order  []int             // states, in the order they are eliminated
	from   []int             // by place in order: the first row of its actions; then the last row
	power  []int             // of 2, of the weights so far
	choice []int             // by place: the action taken there
	weight []int             // by pair: a power of 2; nil when all are 1
	balls  []*enclosure.Ball // by cost that is used
}

// kernel fills the tensors of kernel m at the root, those that are needed. It costs about 4(costs+2) products an entry of one cost.
func (t *tensors) kernel(in *instance, rows []row, m int, c *proof.Tensor, needed pieceSet) error {
	d := &determinants{t: t, weight: c.Weight}
	var costs []int // that are used
	for n := range t.costs {
		if k := m*t.costs + n; needed.has(k) {
			t.root[k] = enclosure.NewBall(t.v)
			d.balls, costs = append(d.balls, t.root[k]), append(costs, n)
		}
	}
	if len(costs) == 0 {
		return nil
	}
	d.prepare()
	d.fill(in, rows, m, costs)
	d.power[0] = c.Scale[m]
	if err := d.walk(); err != nil {
		return err
	}
	for j, b := range d.balls {
		d.Enclose(j, b)
	}
	return nil
}

// prepare lays out the rows. What has fewest actions is eliminated first, so
// that what comes first changes least, and of those the last state, whose
// actions are furthest apart in a tensor.
func (d *determinants) prepare() {
	t := d.t
	for s := t.S - 1; s >= 0; s-- {
		d.order = append(d.order, s)
	}
	slices.SortStableFunc(d.order, func(a, b int) int { return t.actions[a] - t.actions[b] })
	rows, shared := 0, make([]bool, t.S)
	for k, s := range d.order {
		d.from = append(d.from, rows)
		rows += t.actions[s]
		shared[k] = k > 0 && t.actions[d.order[k-1]] == 1 // there is nothing to come back to
	}
	d.from = append(d.from, rows)
	d.Positive = enclosure.NewPositive(t.S, rows, len(d.balls), shared)
	d.power, d.choice = make([]int, t.S), make([]int, t.S)
}

// fill writes the rows before any elimination.
func (d *determinants) fill(in *instance, rows []row, m int, costs []int) {
	t := d.t
	gamma, rest := enclosure.Nearest(in.gamma), enclosure.Nearest(new(big.Rat).Inv(in.horizon))
	place, at := make([]int, t.S), make([]int, t.Pairs()) // of a state, and the row of a pair
	for k, s := range d.order {
		place[s] = k
		for a := range t.actions[s] {
			at[t.Off[s]+a] = d.from[k] + a
		}
	}
	for i, s := range t.State {
		for j, to := range rows[i].next {
			if to != s {
				d.Lead(at[i], place[to], gamma, rows[i].near[j])
			}
		}
		d.Excess(at[i], rest)
	}
	for _, n := range costs {
		d.Cost(t.cost[m][n], at, t.limit[n])
	}
	for s, x := range t.start {
		d.Start(place[s], x) // (1-γ)μ
	}
}

// walk goes through all choices, one after another, and goes back to the last
// state that has another action left.
func (d *determinants) walk() error {
	t := d.t
	deepest := t.S - 1
	for k, at := 0, 0; ; {
		for ; k < deepest; k++ {
			d.Eliminate(k, d.from[k]+d.choice[k], d.from)
			d.power[k+1] = d.power[k] + d.weighs(d.order[k], d.choice[k])
		}
		if err := d.choices(at); err != nil {
			return err
		}
		for k--; k >= 0; k-- {
			s := d.order[k]
			if d.choice[k]++; d.choice[k] < t.actions[s] {
				at += t.stride[s]
				break
			}
			at -= (t.actions[s] - 1) * t.stride[s]
			d.choice[k] = 0
		}
		if k < 0 {
			return nil
		}
		if !t.going((t.S - k) * (t.S + 1 + len(d.balls)) * 4) {
			return ErrLeft
		}
	}
}

// weighs is the power of 2 that the pair of a choice is weighed by.
func (d *determinants) weighs(s, a int) int {
	if d.weight == nil {
		return 0
	}
	return d.weight[d.t.Off[s]+a]
}

// choices enters all actions of the last state, when the others are chosen.
func (d *determinants) choices(at int) error {
	t, k := d.t, d.t.S-1
	s := d.order[k]
	for a := range t.actions[s] {
		e := d.power[k] + d.weighs(s, a)
		if e < -enclosure.MostPower || e > enclosure.MostPower {
			return fmt.Errorf("it scales by 2^%d", e)
		}
		d.Close(d.from[k]+a, e, d.balls, at+a*t.stride[s])
	}
	return nil
}
