package bound

import (
	"math"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/game"
	"rcmdplab/core/model"
	"rcmdplab/core/uncertainty"
)

// Rays is a proof against a rectangular set in which nature answers two groups
// of costs with a kernel for each. With weights A and B of the costs in the two
// groups, no cost in both, and shares β = (β_0, β_1) >= 0 of them, let
//
//	(TV)(s,β) = min_a { β_0 c_A + β_1 c_B + γ max_{p,q ∈ U(s,a)} Σ_s' V(s', (β_0 p(s'), β_1 q(s'))) }
//
// whose fixed point V* is concave and homogeneous in β. Every policy has
// β_0 J_{A,U} + β_1 J_{B,U} >= V*(μ, β): the robust values of the policy for the
// two groups, added up by the shares, are no less than T of themselves. With
// p = q everywhere that is the bound of Values.
//
// At discount 1 that is so of every policy that surely ends.
//
// V is known on rays (1-t, t), the same for every state, and is interpolated
// between them, which is below V* for it is concave; so values that T of them is
// no less than, for whatever rows of the set, are below V* as well; see
// proof.Rays.

// RaySearch raises a proof by Rays. It begins with one kernel for both groups,
// the saddle points at the weights of a few rays, and improves the rows of each
// group for themselves, in sweeps over the states that the best policy comes to
// and the rays that nature's two kernels lead to. Then it adds rays where the
// interpolation may lose most, next to how often play comes by. Values only
// rise, and at any time they are a proof.
//
// It holds a few numbers for each state and ray, and for those that play comes
// to two rows a pair.
type RaySearch struct {
	m      *model.Standard // costs about their centres
	set    uncertainty.Set // its own, for rows
	groups [2][]float64    // weights of the costs in each group: the objective's, then the limits'
	flat   [2][]float64    // cost of each group by pair
	onward [2][]float64    // and by successor of a pair, nil when there is none
	limit  [2]float64      // Σ weights·b of each group
	base   [2]float64      // of each group, what a return is above those of m, see losing
	kept   float64         // of values in a proof: what rounding may take where steps cost something
	begins float64         // share of time with which play begins
	ptr    []int           // successors of pair i: next[ptr[i]:ptr[i+1]]
	next   []int           // states, ascending within a pair
	span   float64         // of the returns of both groups together
	size   [2]float64      // largest return of each group

	saddle *game.Game // where the values begin: the saddle point at one weight
	fresh  []int      // rays that are new, and without values yet
	had    []bool     // by ray: it was there before those
	t, inv []float64  // the rays, and 1 over their distances
	nodes  nodes      // what is known at each state and ray
	pool   []float64  // rows
	start  int        // the ray of the claim

	bound, rise float64   // proved, of the objective, a return; what the last sweep added to it
	marks       []float64 // the bound whenever rays were added
	stage       rayStage  // what Step does next
	state       int       // where a sweep is
	sweeps      int       // since rays were added
	rounds      int       // of sweeps that are over
	turns       int       // that play still takes
	worth       []float64 // by gap between rays: what a ray in it may bring
	raised      []raised  // values that the round has raised
	done        bool      // nothing is left to do, or no room

	z0, z1, a, b, c, d []float64 // work by successor
}

// nodes are states on rays, in the order [state·rays + ray].
type nodes struct {
	v           []float64 // value
	choice      []int32   // pair
	rows        []int32   // where its rows begin in pool; -1 before they are improved
	share, flow []float64 // of discounted time that play is there, and is to be
}

type rayStage int

const (
	adding rayStage = iota
	lifting
	playing
	improving
	settling
	weighing
)

const (
	// Rays are at places of a grid on which t/(1-t) grows by e in raySteps. At
	// first there are sideRays to either side of 1/2, firstGap places apart.
	raySteps = 64
	sideRays = 6
	firstGap = 90
	outer    = 192 // places between the last ray and a new one beyond it
	closeBy  = 8   // places between two rays that are close to each other

	seldom    = 1e-7    // share of time below which play leaves a state alone
	someNodes = 2000    // of a sweep at a time
	mostRows  = 6 << 20 // numbers in all rows: 48 MB
	mostRays  = 256
)

// NewRaySearch begins with prices λ_1..λ_N of the limits; it is nil where there
// is no such proof: for finite and regularised sets, without limits, where mass
// may go to any state, and where a group costs nothing.
func NewRaySearch(ev *evaluate.Evaluator, prices []float64) *RaySearch {
	m, least := ev.M, make([]float64, ev.M.N+1)
	u := &m.Problem.Uncertainty
	if m.N == 0 || !m.Rectangular() || u.Kind.Regularised() || u.SupportAll {
		return nil
	}
	begins, kept := m.Rest, 1.0
	if m.Total() {
		m, least = losing(m)
		begins, kept = 1, keeps
	}
	set, err := uncertainty.New(m)
	if err != nil {
		return nil
	}
	x := &RaySearch{m: m, set: set, ptr: make([]int, 1, m.Pairs()+1), bound: math.Inf(-1), begins: begins, kept: kept}
	x.groups[0], x.groups[1] = make([]float64, m.N+1), make([]float64, m.N+1)
	x.groups[0][0] = 1
	none := true
	for n := 1; n <= m.N; n++ {
		x.groups[1][n] = prices[n-1]
		none = none && prices[n-1] == 0
	}
	for n := 1; n <= m.N && none; n++ { // nothing is known of the prices
		lo, hi := m.Bounds(n)
		low, high := m.Bounds(0)
		if most := max(hi, -lo); most > 0 {
			x.groups[1][n] = max(high, -low) / most
		}
	}
	widest := 0
	for i := range m.Pairs() {
		sup := set.Support(i)
		x.next = append(x.next, sup...)
		x.ptr = append(x.ptr, len(x.next))
		widest = max(widest, len(sup))
	}
	for _, w := range []*[]float64{&x.z0, &x.z1, &x.a, &x.b, &x.c, &x.d} {
		*w = make([]float64, widest)
	}
	for g := range x.groups {
		x.charge(g)
		for n, y := range x.groups[g] {
			x.base[g] += y * least[n]
		}
	}
	if x.size[0] == 0 || x.size[1] == 0 {
		return nil
	}
	x.saddle = game.New(m, nil).KeepPace(ev.Own())
	rays := []float64{0}
	for k := -sideRays; k <= sideRays; k++ {
		rays = append(rays, ray(k*firstGap))
	}
	x.spread(append(rays, 1))
	return x
}

// charge adds the costs of a group up.
func (x *RaySearch) charge(g int) {
	m := x.m
	x.flat[g] = make([]float64, m.Pairs())
	for n, y := range x.groups[g] {
		if y == 0 {
			continue
		}
		lo, hi := m.Bounds(n)
		if m.Total() { // an end's is spread over its time
			hi = max(hi, m.Dearest(n)/m.H)
		}
		x.span += y * (hi - lo) * m.H
		x.size[g] += y * max(hi, -lo) * m.H
		if n > 0 {
			x.limit[g] += y * m.B[n]
		}
		if m.CNext[n] == nil {
			for i, c := range m.C[n] {
				x.flat[g][i] += y * c
			}
			continue
		}
		if x.onward[g] == nil {
			x.onward[g] = make([]float64, len(x.next))
		}
		for i := range m.Pairs() {
			for j := x.ptr[i]; j < x.ptr[i+1]; j++ {
				x.onward[g][j] += y * m.CNext[n][i*m.S+x.next[j]]
			}
		}
	}
}

// ray is t at a place of the grid, 0 being 1/2; placeOf is its inverse.
func ray(place int) float64 { return 1 / (1 + math.Exp(-float64(place)/raySteps)) }

func placeOf(t float64) int { return int(math.Round(raySteps * math.Log(t/(1-t)))) }

// weigh turns the saddle to the first fresh ray, from the values on the one below.
func (x *RaySearch) weigh() {
	w, k := make([]float64, x.m.N+1), x.fresh[0]
	for n := range w {
		w[n] = (1-x.t[k])*x.groups[0][n] + x.t[k]*x.groups[1][n]
	}
	if k > 0 {
		v := make([]float64, x.m.S)
		for s := range v {
			v[s], x.saddle.Choice[s] = x.nodes.v[s*len(x.t)+k-1], int(x.nodes.choice[s*len(x.t)+k-1])
		}
		x.saddle.Start(v, nil)
	}
	near := 1e-12 * ((1-x.t[k])*x.size[0] + x.t[k]*x.size[1])
	if x.m.Total() {
		near = 0
	}
	x.saddle.Weigh(w, near)
}

// add finds values of one kernel for both groups on the fresh rays, one small
// step at a time, and reports whether all have theirs.
func (x *RaySearch) add() (done bool) {
	if !x.saddle.Step() {
		return false
	}
	n, k, g := len(x.t), x.fresh[0], x.saddle
	shift := min(0, g.Lower()-g.Value()) // V less that is no more than TV
	values, _ := g.Values()
	if x.m.Total() {
		shift = 0
		x.settle(values, k)
	}
	for s, v := range values {
		x.nodes.v[s*n+k], x.nodes.choice[s*n+k] = v+shift, int32(g.Choice[s])
	}
	if x.fresh = x.fresh[1:]; len(x.fresh) > 0 {
		x.weigh()
		return false
	}
	return true
}

// raised is a value that lay below the line between two others.
type raised struct{ state, ray, a, b int }

// lift makes the values of every state concave: one that is below a line between
// others is raised to it. T of concave values is concave, so that they stay a
// proof; the rows of the two others, mixed, are rows for it.
func (x *RaySearch) lift() {
	x.raised = x.raised[:0]
	hull := make([]int, 0, len(x.t))
	for s := range x.m.S {
		v := x.nodes.v[s*len(x.t) : (s+1)*len(x.t)]
		hull = hull[:0]
		for k, t := range x.t {
			for n := len(hull); n > 1; n-- {
				a, b := hull[n-2], hull[n-1]
				if (v[b]-v[a])*(t-x.t[a]) > (v[k]-v[a])*(x.t[b]-x.t[a]) {
					break
				}
				hull = hull[:n-1]
			}
			hull = append(hull, k)
		}
		for j, b := range hull[1:] {
			a := hull[j]
			for k := a + 1; k < b; k++ {
				part := (x.t[k] - x.t[a]) / (x.t[b] - x.t[a])
				if chord := (1-part)*v[a] + part*v[b]; chord > v[k] {
					v[k] = chord
					x.raised = append(x.raised, raised{s, k, a, b})
				}
			}
		}
	}
}

// spread goes over to other rays, among them all there are; no two new ones are
// neighbours, but at the beginning.
func (x *RaySearch) spread(rays []float64) {
	m, n, had := x.m, len(rays), len(x.t)
	old := x.nodes
	x.nodes = nodes{v: make([]float64, m.S*n), choice: make([]int32, m.S*n), rows: make([]int32, m.S*n), share: make([]float64, m.S*n), flow: make([]float64, m.S*n)}
	start, was := x.start, 0
	x.fresh, x.start, x.had = x.fresh[:0], 0, make([]bool, n)
	for k, t := range rays {
		if x.had[k] = was < had && x.t[was] == t; !x.had[k] {
			x.fresh = append(x.fresh, k)
			for s := range m.S {
				x.nodes.rows[s*n+k] = -1
			}
			continue
		}
		if was == start {
			x.start = k
		}
		for s := range m.S {
			to, from := s*n+k, s*had+was
			x.nodes.v[to], x.nodes.choice[to], x.nodes.rows[to], x.nodes.share[to] = old.v[from], old.choice[from], old.rows[from], old.share[from]
		}
		was++
	}
	x.t, x.inv = rays, x.inv[:0]
	for k := range n - 1 {
		x.inv = append(x.inv, 1/(rays[k+1]-rays[k]))
	}
	x.stage = adding
	x.weigh()
}
