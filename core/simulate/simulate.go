// Package simulate draws trajectories of a policy under one kernel and adds up
// their discounted costs: what evaluate computes as an expectation, seen episode
// by episode. An episode is a function of the seed and its number alone, so a
// simulation may be done in parts, in any order, by any worker.
//
// Simulator draws, SpreadOf sums up. Costs are in the internal convention of
// model.Standard.
package simulate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"gonum.org/v1/gonum/stat"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
	"rcmdplab/core/uncertainty"
)

// Simulator draws episodes of one policy under one kernel. It owns its work
// space: nothing allocates after New, and it must not be used from two
// goroutines at once.
type Simulator struct {
	M       *model.Standard
	Horizon int // steps of an episode

	kernel  *model.Kernel // that draws
	start   []float64     // cumulative sums of μ, of each state's row of the policy
	policy  []float64     // by pair
	rows    []float64     // ... and of each pair's row of the kernel
	source  *rand.PCG     // seeded for each episode
	r       *rand.Rand
	running []float64 // totals of the episode being drawn
}

// Step is one step of a trajectory.
type Step struct{ State, Pair, Next int }

// defaultHorizon is the number of steps after which less than a ten-thousandth
// of the discounted weight is left.
func defaultHorizon(gamma float64) int {
	if gamma == 0 {
		return 1
	}
	return int(math.Min(math.Ceil(math.Log(1e-4)/math.Log(gamma)), MaxHorizon))
}

// MaxHorizon is the longest episode, mostSteps the longest at discount 1 where none is asked for.
const MaxHorizon, mostSteps = 1_000_000, 100_000

// New makes the simulator of a policy (one number per pair) under a kernel;
// horizon 0 is as many steps as leave less than a ten-thousandth of the discounted
// weight, at most MaxHorizon. It panics when policy or kernel do not fit. O(pairs +
// successors).
func New(m *model.Standard, pi []float64, k *model.Kernel, horizon int) *Simulator {
	if len(pi) != m.Pairs() || len(k.Ptr) != m.Pairs()+1 {
		panic("simulate: policy or kernel does not fit the problem")
	}
	if horizon == 0 {
		if horizon = defaultHorizon(m.Gamma); m.Total() {
			horizon = mostSteps
		} else if p := m.Problem; p.ByTime() {
			horizon = p.Horizon + 1 // what is paid at the end is a step
		}
	}
	x := &Simulator{M: m, Horizon: horizon, kernel: k, source: rand.NewPCG(0, 0), running: make([]float64, m.N+1)}
	x.r = rand.New(x.source)
	x.start = cumulative(make([]float64, m.S), m.Mu)
	x.policy, x.rows = make([]float64, m.Pairs()), make([]float64, len(k.Prob))
	for s := range m.S {
		cumulative(x.policy[m.Off[s]:m.Off[s+1]], pi[m.Off[s]:m.Off[s+1]])
	}
	for i := range m.Pairs() {
		cumulative(x.rows[k.Ptr[i]:k.Ptr[i+1]], k.Prob[k.Ptr[i]:k.Ptr[i+1]])
	}
	return x
}

func cumulative(dst, p []float64) []float64 {
	sum := 0.0
	for i, x := range p {
		sum += x
		dst[i] = sum
	}
	return dst
}

// draw is a place of a distribution given by its cumulative sums. What rounding
// leaves above the last sum belongs to the last place with any mass.
func (x *Simulator) draw(sums []float64) int {
	last := len(sums) - 1
	u := x.r.Float64() * sums[last]
	if last < 16 {
		for i, s := range sums {
			if u < s {
				return i
			}
		}
	}
	if i := sort.Search(len(sums), func(i int) bool { return u < sums[i] }); i <= last {
		return i
	}
	for last > 0 && sums[last-1] == sums[last] {
		last--
	}
	return last
}

// begin sets the random numbers of an episode. Its number goes through the
// finaliser of SplitMix64, so that neighbours have nothing in common.
func (x *Simulator) begin(seed uint64, episode int) (state int) {
	z := uint64(episode) + 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	x.source.Seed(seed, z^z>>31)
	return x.draw(x.start)
}

func (x *Simulator) step(state int) Step {
	i := x.M.Off[state] + x.draw(x.policy[x.M.Off[state]:x.M.Off[state+1]])
	a, b := x.kernel.Ptr[i], x.kernel.Ptr[i+1]
	return Step{state, i, x.kernel.Next[a+x.draw(x.rows[a:b])]}
}

// Totals writes the discounted total of every cost in one episode, in the
// internal convention, Σ_{t<Horizon} γ^t c_n; an end state pays once and is the last.
func (x *Simulator) Totals(dst []float64, seed uint64, episode int) {
	m := x.M
	clear(x.running)
	weight, state := 1.0, x.begin(seed, episode)
	for range x.Horizon {
		s := x.step(state)
		for n := range x.running {
			x.running[n] += weight * Cost(m, n, s)
		}
		if m.Ends(state) {
			break
		}
		state = s.Next
		weight *= m.Problem.Discount
	}
	copy(dst, x.running)
}

// Path is the first steps of an episode, the same that Totals adds up.
func (x *Simulator) Path(seed uint64, episode, steps int) []Step {
	path := make([]Step, 0, min(steps, x.Horizon))
	state := x.begin(seed, episode)
	for range cap(path) {
		s := x.step(state)
		if path = append(path, s); x.M.Ends(state) {
			break
		}
		state = s.Next
	}
	return path
}

// Cost is the one-step cost n of a step: all of it in an end state.
func Cost(m *model.Standard, n int, s Step) float64 {
	if m.Total() || m.Ends(s.State) || m.Problem.ByTime() {
		return m.Paid(n, s.Pair, s.Next)
	}
	if next := m.CNext[n]; next != nil {
		return next[s.Pair*m.S+s.Next]
	}
	return m.C[n][s.Pair]
}

// Truncation bounds what the steps after the horizon could add to the total of
// cost n in either direction: γ^Horizon H max|c_n|; not known, NaN, at discount 1.
func (x *Simulator) Truncation(n int) float64 {
	if x.M.Total() {
		return math.NaN()
	}
	if p := x.M.Problem; p.ByTime() && x.Horizon > p.Horizon {
		return 0
	}
	lo, hi := x.M.Bounds(n)
	return math.Pow(x.M.Gamma, float64(x.Horizon)) * x.M.H * max(-lo, hi)
}

// Returns are the exact returns of a policy under one kernel, J_{c_n,P}.
func Returns(m *model.Standard, pi []float64, k *model.Kernel) ([]float64, error) {
	ev, err := evaluate.New(m.Under(k))
	if err != nil {
		return nil, err
	}
	ev.Evaluate(pi)
	return ev.J, nil
}

// Nominal is the nominal kernel of a problem: of a finite set the one of that
// name, or the first; of an interval set a member of it.
func Nominal(m *model.Standard) (*model.Kernel, error) {
	if models := m.Models(); models != nil {
		i := slices.IndexFunc(models, func(k *model.Kernel) bool { return k.Name == "nominal" })
		return models[max(i, 0)], nil
	}
	set, err := uncertainty.New(m)
	if err != nil {
		return nil, err
	}
	k := &model.Kernel{Ptr: []int{0}}
	row := make([]float64, m.S)
	for i := range m.Pairs() {
		next := set.Support(i)
		set.Nominal(row, i)
		k.AddRow(next, row[:len(next)])
	}
	return k, nil
}

// Worst is the kernel that is worst for cost n at a policy.
func Worst(ev *evaluate.Evaluator, pi []float64, n int) *model.Kernel {
	ev.Evaluate(pi)
	if k := ev.Worst(n); k >= 0 {
		return ev.M.Kernels[k]
	}
	for p := range ev.Pieces() {
		if c, j := ev.Piece(p); c == n && j == ev.J[n] {
			return ev.PieceKernel(p)
		}
	}
	panic(fmt.Sprintf("simulate: no kernel attains the return of cost %d", n))
}

// Spread sums up totals.
type Spread struct {
	Mean          float64   // of all totals
	StandardError float64   // NaN for fewer than two
	Quantiles     []float64 // at Levels
}

// Levels are the orders of the quantiles of a Spread.
func Levels() []float64 { return []float64{0.05, 0.25, 0.5, 0.75, 0.95} }

// SpreadOf sums up totals; it sorts them. Quantiles are those of the sample.
func SpreadOf(totals []float64) Spread {
	nan := math.NaN()
	s := Spread{Mean: nan, StandardError: nan}
	if len(totals) > 0 {
		mean, sd := stat.MeanStdDev(totals, nil)
		s.Mean, s.StandardError = mean, sd/math.Sqrt(float64(len(totals)))
		slices.Sort(totals)
	}
	for _, p := range Levels() {
		q := nan
		if len(totals) > 0 {
			q = stat.Quantile(p, stat.Empirical, totals, nil)
		}
		s.Quantiles = append(s.Quantiles, q)
	}
	return s
}
