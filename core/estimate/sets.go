package estimate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distmv"
	"gonum.org/v1/gonum/stat/distuv"

	"rcmdplab/core/model"
)

// Radii are rounded up, and the ends of intervals outward, to this unit:
// readable numbers that keep what is guaranteed. Sampled probabilities are
// rounded to it.
const unit = 1e-6

// mostProbabilities limits the size of a model that is made.
const mostProbabilities = 4_000_000

// mostDraws limits the gamma variates that one estimate draws.
const mostDraws = 30_000_000

// maker makes the sets of one estimate.
type maker struct {
	Options
	d      *Data
	t      *tally        // counts by pair and successor
	s, a   int           // numbers of states and actions
	layout *model.Layout // of the pairs that were tried
	ends   []bool        // states that stay, because nothing was ever tried there
	pairs  int           // pairs with transitions, over which the confidence is spread
	source rand.Source   // for resamples
	next   []int         // every state
}

// share is 1 - confidence for one pair.
func (m *maker) share() float64 { return (1 - m.Confidence) / float64(max(m.pairs, 1)) }

// possible are the successors that pair i may have, and the number of times
// each followed.
func (m *maker) possible(i int) (next []int, count []float64) {
	g := m.layout.State[i]*m.a + m.layout.Act[i]
	row := m.t.rows[g]
	switch {
	case len(row) == 0 && (m.ends[m.layout.State[i]] || m.Untried == Stays):
		return []int{m.layout.State[i]}, []float64{0}
	case len(row) == 0 || m.Successors == "all":
		count = make([]float64, m.s)
		for _, x := range row {
			count[x.next] = x.count
		}
		return m.next, count
	}
	for _, x := range row {
		next, count = append(next, x.next), append(count, x.count)
	}
	return next, count
}

// mean is the estimate of a row: relative frequencies with the prior added.
func mean(count []float64, prior float64) []float64 {
	n, p := model.Sum(count), make([]float64, len(count))
	for j, k := range count {
		if n == 0 {
			p[j] = 1 / float64(len(count))
		} else {
			p[j] = (k + prior) / (n + float64(len(count))*prior)
		}
	}
	return p
}

// kernel makes a kernel of rows by pair; zeros are left out.
func (m *maker) kernel(name string, row func(i int) (next []int, p []float64)) *model.Kernel {
	k := &model.Kernel{Name: name, Ptr: []int{0}}
	for i := range m.layout.Pairs() {
		next, p := row(i)
		from := len(k.Next)
		for j, x := range p {
			if x > 0 {
				k.Next, k.Prob = append(k.Next, next[j]), append(k.Prob, x)
			}
		}
		if len(k.Next) == from { // a row of zeros is a row, unlike one that is missing
			k.Next, k.Prob = append(k.Next, next[0]), append(k.Prob, 0)
		}
		k.Ptr = append(k.Ptr, len(k.Next))
	}
	k.Sparse = m.s > 12 && len(k.Prob)*4 < m.layout.Pairs()*m.s
	k.Named = k.Sparse
	return k
}

func (m *maker) nominal(name string) *model.Kernel {
	return m.kernel(name, func(i int) ([]int, []float64) {
		next, count := m.possible(i)
		return next, mean(count, m.prior(len(next)))
	})
}

// set makes the uncertainty set, and the radius of each pair where it has one.
func (m *maker) set(r *Result) model.Uncertainty {
	switch m.Kind {
	case Nominal:
		return model.Uncertainty{Kind: model.Finite, Kernels: []*model.Kernel{m.nominal("nominal")}}
	case Interval:
		return m.intervals()
	case Posterior, Bootstrap:
		u := model.Uncertainty{Kind: model.Finite, Kernels: []*model.Kernel{m.nominal("nominal")}}
		if m.Kind == Posterior { // draws count alike; the mean is none of them
			u.Weights = []float64{0}
		}
		for k := range m.Samples {
			name := fmt.Sprintf("sample %d", k+1)
			if m.Kind == Posterior {
				u.Kernels, u.Weights = append(u.Kernels, m.posterior(name)), append(u.Weights, 1/float64(m.Samples))
			} else {
				u.Kernels = append(u.Kernels, m.resampled(name, m.d.bootstrap(r.learn, m.t, m.source)))
			}
		}
		return u
	}
	u := model.Uncertainty{Kind: model.L1, Nominal: m.nominal(""), Radius: make([]float64, m.s*m.a)}
	switch m.Kind {
	case KL:
		u.Kind = model.KL
	case Chi2:
		u.Kind = model.Chi2
	default:
		u.SupportAll = m.Successors == "all" || m.Untried == Uniform
	}
	for g := range u.Radius {
		u.Radius[g] = math.NaN()
	}
	for i, s := range m.layout.State {
		u.Radius[s*m.a+m.layout.Act[i]] = math.Ceil(m.radius(i)/unit-1e-9) * unit
	}
	return u
}

// radius is the radius of pair i, 0 where its row is taken as certain.
func (m *maker) radius(i int) float64 {
	next, count := m.possible(i)
	k, n := float64(len(next)), model.Sum(count)
	if len(next) < 2 {
		return 0
	}
	if n == 0 { // nothing is known: the whole simplex, around its middle
		switch m.Kind {
		case KL:
			return math.Log(k)
		case Chi2:
			return k - 1
		}
		return 2
	}
	switch m.Kind {
	case KL, Chi2: // radius and tries make the same number together
		return triesOf(m.Kind, k, m.share(), n)
	case Credible:
		return m.credible(count)
	}
	// A prior moves the middle; the ball grows by as much, and still holds the one around the frequencies.
	shift, middle := 0.0, mean(count, m.prior(len(next)))
	for j, x := range mean(count, 0) {
		shift += math.Abs(x - middle[j])
	}
	return min(2, math.Sqrt(2*weissman(k, m.share())/n)+shift)
}

// intervals is the Clopper-Pearson interval of every probability.
func (m *maker) intervals() model.Uncertainty {
	ends := func(upper bool) *model.Kernel {
		return m.kernel("", func(i int) ([]int, []float64) {
			next, count := m.possible(i)
			p, n := make([]float64, len(next)), model.Sum(count)
			half := m.share() / float64(len(next)) / 2
			for j, k := range count {
				switch {
				case len(next) == 1:
					p[j] = 1
				case upper && k >= n: // nothing else was seen, or nothing at all
					p[j] = 1
				case upper:
					p[j] = min(1, math.Ceil(distuv.Beta{Alpha: k + 1, Beta: n - k}.Quantile(1-half)/unit)*unit)
				case k > 0:
					p[j] = math.Floor(distuv.Beta{Alpha: k, Beta: n - k + 1}.Quantile(half)/unit) * unit
				}
			}
			return next, p
		})
	}
	return model.Uncertainty{Kind: model.Interval, Lower: ends(false), Upper: ends(true)}
}

// posteriorOf is the posterior of a row: it writes a sample to dst.
func (m *maker) posteriorOf(count []float64) func(dst []float64) {
	prior := m.prior(len(count))
	alpha := make([]float64, len(count))
	for j, k := range count {
		alpha[j] = k + prior
	}
	posterior := distmv.NewDirichlet(alpha, m.source)
	return func(dst []float64) {
		posterior.Rand(dst)
		for _, x := range dst {
			if math.IsNaN(x) { // all parameters so small that every variate is 0: one of them has it all
				clear(dst)
				dst[rand.New(m.source).IntN(len(dst))] = 1
				break
			}
		}
	}
}

func (m *maker) posterior(name string) *model.Kernel {
	return m.kernel(name, func(i int) ([]int, []float64) {
		next, count := m.possible(i)
		if len(next) == 1 {
			return next, []float64{1}
		}
		p := make([]float64, len(next))
		m.posteriorOf(count)(p)
		return next, rounded(p)
	})
}

// rounded rounds a distribution to the unit; the largest entry takes the rest.
func rounded(p []float64) []float64 {
	top, rest := 0, 1.0
	for j, x := range p {
		if x > p[top] {
			top = j
		}
		p[j] = math.Round(x/unit) * unit
	}
	p[top] = 0
	for _, x := range p {
		rest -= x
	}
	p[top] = math.Round(rest/unit) * unit
	return p
}

// resampled is the kernel of a resampled tally. A pair that it lacks keeps the
// row of all the data.
func (m *maker) resampled(name string, t *tally) *model.Kernel {
	with := *m
	with.t = t
	return m.kernel(name, func(i int) ([]int, []float64) {
		from := &with
		if t.n[m.layout.State[i]*m.a+m.layout.Act[i]] == 0 {
			from = m
		}
		next, count := from.possible(i)
		return next, mean(count, m.prior(len(next)))
	})
}

// credible is the least radius around the posterior mean that an order
// statistic of posterior samples shows to hold 1 - share of the posterior: of N
// samples and the true row, all equally likely to be the farthest, the j-th
// nearest sample is no nearer than the true row with probability j/(N+1).
func (m *maker) credible(count []float64) float64 {
	middle := mean(count, m.prior(len(count)))
	distance, row, draw := make([]float64, m.Samples), make([]float64, len(count)), m.posteriorOf(count)
	for k := range distance {
		draw(row)
		for j, x := range row {
			distance[k] += math.Abs(x - middle[j])
		}
	}
	slices.Sort(distance)
	return min(2, distance[m.rank()-1])
}

// rank is the order statistic that credible takes.
func (m *maker) rank() int {
	j := int(math.Ceil((1 - m.share()) * float64(m.Samples+1) * (1 - 1e-12)))
	return min(max(j, 1), m.Samples)
}
