package bound

import (
	"math"
	"slices"

	"rcmdplab/core/game"
	"rcmdplab/core/lp"
	"rcmdplab/core/model"
)

// player is the best reply to one kernel: policies of one action a state among the pairs
// that are left, for weights of the costs.
type player struct{ *game.Game }

// reply is the best policy of the pairs that are left for weights of the costs: its value,
// and as a cut. False when more says no.
func (p player) reply(w []float64, closed []bool, more func() bool) (value float64, c *cut, ok bool) {
	if !played(p.Game, w, closed, more) {
		return 0, nil, false
	}
	c = &cut{choice: slices.Clone(p.Choice), visits: make([]float64, len(p.Choice)), j: make([]float64, len(p.C))}
	p.Occupancy(c.visits, nil, 0)
	p.Returns(c.j, c.visits)
	return p.Value(), c, true
}

// played plays a game to its end, for weights of the costs and the pairs that are left. False when more says no.
func played(g *game.Game, w []float64, closed []bool, more func() bool) bool {
	g.Close(closed)
	return g.Play(w, 0, more)
}

// cut is a policy of one action a state under one kernel: whatever the weights of the costs,
// the best reply to that kernel costs no more.
type cut struct {
	choice []int     // pair by state
	visits []float64 // unnormalised occupancy by state
	j      []float64 // returns by cost
	row    int       // of the last program
	weight float64   // its share there: how much the dual rests on it
}

// left reports whether the cut's policy is made of pairs that are left.
func (c *cut) left(closed []bool) bool {
	for _, i := range c.choice {
		if closed[i] {
			return false
		}
	}
	return true
}

// dual maximises over prices and mixtures of the models
//
//	Σ_k min_π (q_k J_0k + Σ_n λ_n r_nk J_nk)(π) - Σ_n λ_n b_n,  q ∈ Q_0, λ_n >= 0, r_n ∈ Q_n
//
// (model.Cost.Over has Q), the minima over policies made of the pairs that are left: each model has a
// policy of its own, which is what weak duality leaves open. It is Kelley's method: a program over the
// policies met, whose prices are answered by the best reply to each model.
type dual struct {
	m       *model.Standard
	players []player
	models  []int     // which of the problem's the players are; a single one counts alone
	b       []float64 // thresholds by cost, raised by what is allowed
	cap     []float64 // by cost: the largest price that is tried at first
	lift    float64   // the prices allowed are so many times as high
	limits  bool      // the limits alone, with prices that sum to 1 in units of their scales
	unit    []float64 // by cost: 1 over its scale

	price []float64   // λ by cost; [0] is 1, or 0 for the limits alone
	share [][]float64 // r by cost and player
	low   float64     // proved by the last replies, but for rounding
	high  float64     // no prices prove more
	pool  [][]*cut    // by player
	best  struct {    // what proved most
		low   float64
		price []float64
		share [][]float64
	}

	prog *lp.LP
	col  struct{ theta, price, share int } // first columns: of each player's value; of λ_1; of the mixtures, [cost·K+k], -1 where fixed
	cols []int32                           // work: columns of a row
	coef []float64                         // work: and their coefficients
}

// fixed reports whether the mixture of cost n is not open, and what it is.
func (y *dual) fixed(n int) (r []float64, ok bool) {
	switch {
	case len(y.players) == 1:
		return []float64{1}, true
	case y.m.Over[n] == 1:
		return y.m.Weights, true
	}
	return nil, false
}

// begin makes the program for the cuts of the pool.
func (y *dual) begin() {
	k, n1 := len(y.players), y.m.N+1
	y.col.theta, y.col.price, y.col.share = 0, k, k+y.m.N
	p := lp.New(k + y.m.N + k*n1)
	y.prog = p
	for j := range k {
		p.SetBounds(j, math.Inf(-1), math.Inf(1))
		p.SetCost(j, -1)
	}
	var sum []int32
	var units []float64
	for n := 1; n < n1; n++ {
		j := y.col.price + n - 1
		if p.SetBounds(j, 0, y.cap[n]*y.lift); y.limits {
			p.SetBounds(j, 0, 2*y.unit[n])
		}
		p.SetCost(j, y.b[n])
		sum, units = append(sum, int32(j)), append(units, 1/y.unit[n])
	}
	if y.limits {
		p.AddRow(sum, units, 1, 1)
	}
	for n := range n1 {
		from := y.col.share + n*k
		if _, ok := y.fixed(n); ok || n == 0 && y.limits {
			for j := range k {
				p.SetBounds(from+j, 0, 0)
			}
			continue
		}
		y.cols, y.coef = y.cols[:0], y.coef[:0]
		for j := range k {
			y.cols, y.coef = append(y.cols, int32(from+j)), append(y.coef, 1)
			if share := y.m.Over[n]; share > 0 && n == 0 {
				p.SetBounds(from+j, 0, y.m.Weights[j]/share)
			} else if share > 0 {
				p.AddRow([]int32{int32(from + j), int32(y.col.price + n - 1)}, []float64{1, -y.m.Weights[j] / share}, math.Inf(-1), 0)
			}
		}
		if n == 0 {
			p.AddRow(y.cols, y.coef, 1, 1)
		} else {
			p.AddRow(append(y.cols, int32(y.col.price+n-1)), append(y.coef, -1), 0, 0)
		}
	}
	for j, list := range y.pool {
		for _, c := range list {
			y.add(j, c)
		}
	}
}

// add makes a row of a cut: θ_j - Σ_n y_nj J_n <= 0.
func (y *dual) add(j int, c *cut) {
	y.cols, y.coef = append(y.cols[:0], int32(y.col.theta+j)), append(y.coef[:0], 1)
	right := 0.0
	for n, x := range c.j {
		r, fixed := y.fixed(n)
		switch {
		case n == 0 && y.limits:
		case n == 0 && fixed:
			right = r[j] * x
		case fixed:
			y.cols, y.coef = append(y.cols, int32(y.col.price+n-1)), append(y.coef, -r[j]*x)
		default:
			y.cols, y.coef = append(y.cols, int32(y.col.share+n*len(y.players)+j)), append(y.coef, -x)
		}
	}
	c.row = y.prog.AddRow(y.cols, y.coef, math.Inf(-1), right)
}

// read takes prices and mixtures from the program.
func (y *dual) read() {
	x, k := y.prog.X(), len(y.players)
	for n := range y.m.N + 1 {
		switch {
		case n > 0:
			y.price[n] = max(0, x[y.col.price+n-1])
		case y.limits:
			y.price[0] = 0
		default:
			y.price[0] = 1
		}
		if r, ok := y.fixed(n); ok {
			copy(y.share[n], r)
			continue
		}
		sum := 0.0
		for j := range k {
			y.share[n][j] = max(0, x[y.col.share+n*k+j])
			sum += y.share[n][j]
		}
		for j := range k {
			if sum > 0 {
				y.share[n][j] /= sum
			} else {
				y.share[n][j] = y.m.Weights[y.models[j]]
			}
		}
		if share := y.m.Over[n]; share > 0 {
			y.within(y.share[n], share)
		}
	}
}

// within puts a mixture that rounding left outside into Q of a share of the models: each is cut at what its weight allows,
// and what is missing from 1 goes to those that have room. Next to large costs a price is so small that all of it is rounding.
func (y *dual) within(r []float64, share float64) {
	missing := 1.0
	for j, k := range y.models {
		r[j] = min(r[j], y.m.Weights[k]/share)
		missing -= r[j]
	}
	for j, k := range y.models {
		more := max(0, min(missing, y.m.Weights[k]/share-r[j]))
		r[j] += more
		missing -= more
	}
}

// replies answers the present prices.
func (y *dual) replies(closed []bool, more func() bool) bool {
	y.low = 0
	w := make([]float64, y.m.N+1)
	for n := 1; n < len(w); n++ {
		y.low -= y.price[n] * y.b[n]
	}
	for j, p := range y.players {
		idle := true
		for n := range w {
			w[n] = y.price[n] * y.share[n][j]
			idle = idle && w[n] == 0
		}
		if idle && len(y.pool[j]) > 0 {
			continue
		}
		value, c, ok := p.reply(w, closed, more)
		if !ok {
			return false
		}
		if y.low += value; !slices.ContainsFunc(y.pool[j], func(o *cut) bool { return slices.Equal(o.choice, c.choice) }) {
			y.pool[j] = append(y.pool[j], c)
			if y.prog != nil {
				y.add(j, c)
			}
		}
	}
	if y.low > y.best.low {
		y.best.low = y.low
		y.best.price = append(y.best.price[:0], y.price...)
		for n := range y.share {
			y.best.share[n] = append(y.best.share[n][:0], y.share[n]...)
		}
	}
	return true
}

// mostReplies ends Kelley's method where it crawls.
const mostReplies = 40

// maximise runs until target is proved, or no more is left to gain than near, which is a tenth of what is missing
// where that is more. False when more says no.
func (y *dual) maximise(closed []bool, target, near float64, more func() bool) bool {
	for j := range y.pool {
		y.pool[j] = slices.DeleteFunc(y.pool[j], func(c *cut) bool { return !c.left(closed) })
	}
	y.prog, y.high, y.best.low, y.lift = nil, math.Inf(1), math.Inf(-1), 1
	for round := range mostReplies {
		if !y.replies(closed, more) {
			return false
		}
		if y.m.N == 0 && len(y.players) == 1 {
			y.high = y.low
			return true
		}
		if y.prog == nil {
			y.begin()
		}
		if y.best.low >= target || y.prog.Solve() != lp.Optimal {
			return true
		}
		y.high = min(y.high, -y.prog.Objective())
		small := max(near, 1e-12*(math.Abs(y.high)+math.Abs(y.best.low)))
		if gap := y.high - y.best.low; gap <= small || near > 0 && !math.IsInf(target, 1) && y.high < target && (gap <= 0.1*(target-y.best.low) || round >= 12) {
			if y.raise() {
				y.high = math.Inf(1)
				continue
			}
			break
		}
		y.read()
	}
	return true
}

// mostLift is by how much prices may be raised above what is tried first.
const mostLift = 1e6

// raise allows higher prices where one that was found is as high as it may be. What is not needed is not allowed: next to
// high prices rounding hides what low ones bring.
func (y *dual) raise() bool {
	if y.lift >= mostLift || !y.capped(y.price) {
		return false
	}
	y.lift *= 100
	for n := 1; n <= y.m.N; n++ {
		y.prog.SetBounds(y.col.price+n-1, 0, y.cap[n]*y.lift)
	}
	return true
}

// capped reports whether a price is as high as it may be.
func (y *dual) capped(price []float64) bool {
	for n := 1; n < len(price); n++ {
		if price[n] >= 0.99*y.cap[n]*y.lift {
			return true
		}
	}
	return false
}

// weigh tells the cuts how much the last program rests on each: shares of the policies of one model.
func (y *dual) weigh() {
	if y.prog == nil || y.prog.Solve() != lp.Optimal {
		for _, list := range y.pool {
			for i, c := range list {
				if c.weight = 0; i == len(list)-1 {
					c.weight = 1
				}
			}
		}
		return
	}
	duals := y.prog.Duals(nil)
	for _, list := range y.pool {
		for _, c := range list {
			c.weight = math.Abs(duals[c.row])
		}
	}
}
