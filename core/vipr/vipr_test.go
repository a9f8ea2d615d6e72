package vipr

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rcmdplab/core/certify"
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
)

// verdicts are what the reader in Python says of each text: "verified ...", or "refused: ...".
func verdicts(t *testing.T, texts []string) []string {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not installed: nobody but the writer reads the files")
	}
	dir := t.TempDir()
	args := []string{filepath.Join("testdata", "read.py")}
	for k, text := range texts {
		name := filepath.Join(dir, fmt.Sprint(k))
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		args = append(args, name)
	}
	out, err := exec.Command("python3", args...).Output()
	said := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(said) != len(texts) {
		t.Fatalf("the reader said %d lines of %d files (%v): %s", len(said), len(texts), err, out)
	}
	for k := range said {
		_, said[k], _ = strings.Cut(said[k], ": ")
	}
	return said
}

// document is a random model of the kind, with zeros, ties, pairs that are not there, states that nothing reaches and such that end an episode, costs of the next
// state, averages and senses of both sorts.
func document(rng *rand.Rand, kind model.Kind) []byte {
	S, A, N := 2+rng.IntN(4), 1+rng.IntN(3), rng.IntN(3)
	reached := max(1, S-rng.IntN(2))
	number := func(places int) float64 {
		p := math.Pow(10, float64(places))
		return math.Round(rng.Float64()*10*p) / p
	}
	names := func(prefix string, n int) (out []string) {
		for k := range n {
			out = append(out, fmt.Sprintf("%s%d", prefix, k))
		}
		return out
	}
	end := -1
	if rng.IntN(4) == 0 {
		end = 1
	}
	gone := make([][]bool, S)
	for s := range gone {
		gone[s] = make([]bool, A)
		for a := 1; a < A; a++ {
			gone[s][a] = rng.IntN(5) == 0 || s == end
		}
	}
	table := func(cell func() any) (out [][]any) {
		for s := range S {
			var line []any
			for a := range A {
				if _, number := cell().(float64); gone[s][a] || s == end && !number {
					line = append(line, nil)
				} else {
					line = append(line, cell())
				}
			}
			out = append(out, line)
		}
		return out
	}
	row := func() []float64 { // over at most three successors, of some models never the last state
		hundredths := make([]int, S)
		left := 100
		for range 2 {
			x := rng.IntN(left + 1)
			hundredths[rng.IntN(reached)] += x
			left -= x
		}
		hundredths[rng.IntN(reached)] += left
		out := make([]float64, S)
		for s, x := range hundredths {
			out[s] = float64(x) / 100
		}
		return out
	}
	cost := func(name string) map[string]any {
		c := map[string]any{"name": name, "values": table(func() any {
			if rng.IntN(3) == 0 {
				return 0.0
			}
			return number(2)
		})}
		if end < 0 && rng.IntN(3) == 0 {
			c["values"] = table(func() any {
				var next []float64
				for range S {
					next = append(next, number(1))
				}
				return next
			})
		}
		if rng.IntN(3) == 0 {
			c["scale"] = "average"
		}
		return c
	}
	initial := make([]float64, S)
	initial[0] = 1
	objective := cost("objective")
	if rng.IntN(2) == 0 {
		objective["sense"] = "maximize"
	}
	limits := []any{}
	for n := range N {
		c := cost(fmt.Sprintf("limit %d", n+1))
		c[[]string{"atMost", "atLeast"}[rng.IntN(2)]] = number(1)
		if rng.IntN(3) == 0 { // which nobody keeps
			delete(c, "atLeast")
			c["atMost"] = -1
		}
		limits = append(limits, c)
	}
	set := map[string]any{"kind": kind}
	switch kind {
	case model.Finite:
		var kernels []any
		for k := range 1 + rng.IntN(2) {
			kernels = append(kernels, map[string]any{"name": fmt.Sprintf("k%d", k), "transitions": table(func() any { return row() })})
		}
		set["kernels"] = kernels
	case model.Interval:
		nominal := table(func() any { return row() })
		ends := func(by float64) [][]any {
			out := make([][]any, S)
			for s, line := range nominal {
				for _, cell := range line {
					if cell == nil {
						out[s] = append(out[s], nil)
						continue
					}
					var end []float64
					for _, q := range cell.([]float64) {
						x := max(0, min(1, q+by))
						if q == 0 {
							x = 0
						}
						end = append(end, math.Round(100*x)/100)
					}
					out[s] = append(out[s], end)
				}
			}
			return out
		}
		set["lower"], set["upper"] = ends(-.1), ends(.1)
	default:
		set["nominal"] = table(func() any { return row() })
		set["radius"] = number(2) / 20
		if kind.Linear() && rng.IntN(2) == 0 {
			set["support"] = "all"
		}
	}
	all := map[string]any{
		"format": "rcmdp/1", "name": "random", "states": names("s", S), "actions": names("a", A), "discount": []float64{0, .5, .9, .999}[rng.IntN(4)],
		"initial": initial, "objective": objective, "constraints": limits, "uncertainty": set,
	}
	if end >= 0 {
		all["end"] = []string{"s1"}
	}
	text, err := json.Marshal(all)
	if err != nil {
		panic(err)
	}
	return text
}

// claim is a claim by arbitrary values and prices: any prove something.
func claim(rng *rand.Rand, p *model.Problem) *proof.Claim {
	v := make([]float64, p.Layout.S)
	for s := range v {
		v[s] = 20 * rng.Float64()
	}
	weights := []float64{float64(rng.IntN(3) / 2)}
	if rng.IntN(3) > 0 {
		weights[0] = 1
	}
	for range p.Constraints {
		weights = append(weights, float64(rng.IntN(2))*rng.Float64())
	}
	if weights[0] == 0 {
		clear(v)
	}
	c := proof.ByValues(0, weights, v, 0)
	c.Problem = p.Hash()
	if k := len(p.Uncertainty.Kernels); k > 0 {
		c.Values.Kernel = rng.IntN(k)
	}
	if c.Infeasible() && rng.IntN(2) == 0 {
		c.Relax = rng.Float64() / 8
	}
	return c
}

var kinds = []model.Kind{model.Finite, model.L1, model.TV, model.LInf, model.Contamination, model.Interval}

// TestFilesAreVerified: what any values and prices prove is what the checker of certificates finds too, and the reader
// verifies the file, whose rows are members of the set.
func TestFilesAreVerified(t *testing.T) {
	var texts, names []string
	infeasible, compared := 0, 0
	for seed := range uint64(240) {
		rng := rand.New(rand.NewPCG(seed, 1))
		kind := kinds[int(seed)%len(kinds)]
		p, faults, _ := model.Decode(document(rng, kind))
		if p == nil {
			t.Fatalf("%d: %v", seed, faults)
		}
		c := claim(rng, p)
		text, bound, err := Write(p, c)
		if c.Infeasible() {
			if report := certify.Check(p, *c, nil); report.OK != (err == nil) {
				t.Errorf("%d, %s: %v; the checker: %v", seed, kind, err, report.Reasons)
			}
			if err != nil {
				continue
			}
			infeasible++
		} else if g, _ := newProgram(p, c); len(g.states) == p.Layout.S { // else it depends on ties which are reached, of both
			compared++
			for _, off := range []float64{-1e-9, 1e-9} {
				c.Target = bound + off*max(1, math.Abs(bound))
				if report := certify.Check(p, *c, nil); err != nil || report.OK != (off < 0) {
					t.Errorf("%d, %s: wrote a bound of %v (%v); with %g more the checker says %v", seed, kind, bound, err, off, report.Reasons)
				}
			}
		}
		g, err := newProgram(p, c)
		if err != nil {
			t.Fatal(err)
		}
		for k := range g.pairs {
			if why := notMember(g, k); why != "" {
				t.Errorf("%d, %s: pair %d: %s", seed, kind, g.pairs[k], why)
			}
		}
		texts, names = append(texts, string(text)), append(names, fmt.Sprintf("%d, %s", seed, kind))
	}
	if infeasible < 10 || compared < 30 {
		t.Errorf("only %d claims of infeasibility, and %d bounds compared", infeasible, compared)
	}
	for k, said := range verdicts(t, texts) {
		if !strings.HasPrefix(said, "verified") {
			t.Errorf("%s: %s\n%s", names[k], said, texts[k])
		}
	}
	viprchk, err := exec.LookPath("viprchk")
	if err != nil {
		t.Log("viprchk is not installed: SCIP's checker has not seen the files")
		return
	}
	for k, text := range texts {
		file := filepath.Join(t.TempDir(), "bound.vipr")
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(viprchk, file).CombinedOutput(); err != nil || !strings.Contains(string(out), "Successfully verified") {
			t.Errorf("%s: viprchk: %v: %s", names[k], err, out)
		}
	}
}

// notMember says why a row of the program is none of its set's, by the set's definition.
func notMember(g *program, k int) string {
	i, r, u := g.pairs[k], &g.rows[k], &g.p.Uncertainty
	one := big.NewRat(1, 1)
	if r.sum().Cmp(one) != 0 {
		return "its row does not sum to 1"
	}
	source := u.Nominal
	switch u.Kind {
	case model.Finite:
		source = u.Kernels[g.c.Values.Kernel]
	case model.Interval:
		low, lowProb := u.Lower.Row(i)
		high, highProb := u.Upper.Row(i)
		l, h := plain(low, lowProb), plain(high, highProb)
		for s := range g.p.Layout.S {
			if x := r.at(s); x.Cmp(l.at(s)) < 0 || x.Cmp(h.at(s)) > 0 {
				return "an entry is outside of its interval"
			}
		}
		return ""
	}
	next, prob := source.Row(i)
	q := normalised(next, prob)
	distance, farthest, share := new(big.Rat), new(big.Rat), true
	for s := range g.p.Layout.S {
		d := new(big.Rat).Sub(r.at(s), q.at(s))
		if u.Kind == model.Contamination {
			least := new(big.Rat).Sub(one, nature{g}.radius(i))
			share = share && r.at(s).Cmp(least.Mul(least, q.at(s))) >= 0
		}
		if d.Abs(d).Cmp(farthest) > 0 {
			farthest.Set(d)
		}
		distance.Add(distance, d)
		if !u.SupportAll && u.Kind != model.Finite && q.at(s).Sign() == 0 && r.at(s).Sign() != 0 && !slices.Contains(next, s) {
			return "mass is off the support"
		}
	}
	var most *big.Rat
	switch u.Kind {
	case model.Finite:
		most = new(big.Rat)
	case model.L1:
		most = nature{g}.radius(i)
	case model.TV:
		most = new(big.Rat).Mul(nature{g}.radius(i), big.NewRat(2, 1))
	case model.LInf:
		if farthest.Cmp(nature{g}.radius(i)) > 0 {
			return "an entry is too far"
		}
		return ""
	case model.Contamination:
		if !share {
			return "a share of the nominal row is missing"
		}
		return ""
	}
	if distance.Cmp(most) > 0 {
		return "it is too far from the nominal row"
	}
	return ""
}

// small is a file of which the tests below break a copy.
func small(t *testing.T, infeasible bool) string {
	t.Helper()
	p, faults, _ := model.Decode([]byte(`{"format": "rcmdp/1", "name": "two", "states": ["a", "b"], "actions": ["stay", "go"], "discount": 0.5, "initial": [1, 0],
		"objective": {"name": "cost", "values": [[1, 2], [0, 3]]},
		"constraints": [{"name": "wear", "atMost": 1, "values": [[2, 1], [1, 2]]}],
		"uncertainty": {"kind": "l1", "radius": 0.2, "nominal": [[[0.9, 0.1], [0.2, 0.8]], [[0.5, 0.5], [1, 0]]]}}`))
	if p == nil {
		t.Fatal(faults)
	}
	weights := []float64{1, .5}
	if infeasible {
		weights = []float64{0, 1}
	}
	text, _, err := Write(p, proof.ByValues(0, weights, []float64{1.5, 1.25}, 0))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestBrokenFilesAreRefused: twenty ways to break a file, each refused for its own reason.
func TestBrokenFilesAreRefused(t *testing.T) {
	good, none := small(t, false), small(t, true)
	edit := func(text, from, to string) string {
		t.Helper()
		if !strings.Contains(text, from) {
			t.Fatalf("the file has no %q:\n%s", from, text)
		}
		return strings.Replace(text, from, to, 1)
	}
	rhs := func(text string) string { // of the derivation
		_, after, _ := strings.Cut(text, "bound G ")
		number, _, _ := strings.Cut(after, " ")
		return number
	}(good)
	raised := func(text string) string {
		return edit(edit(text, "range "+rhs, "range 100"), "bound G "+rhs, "bound G 100")
	}
	broken := []struct{ name, text, why string }{
		{"bound raised", raised(good), "does not follow"},
		{"range raised alone", edit(good, "range "+rhs, "range 100"), "less than the range"},
		{"range without a solution", edit(good, rhs+" inf", rhs+" 1000"), "no solution is as good"},
		{"version", edit(good, "VER 1.1", "VER 2.0"), "2.0 stands"},
		{"a variable missing", edit(good, "VAR 4", "VAR 3"), "INT"},
		{"variable out of range", edit(good, "\nOBJ min\n 3  0", "\nOBJ min\n 3  9"), "not from 0"},
		{"variable twice", edit(good, "flow_0 E 1 4  0", "flow_0 E 1 4  1"), "twice"},
		{"count of constraints", edit(good, "CON 7 4", "CON 8 4"), "range stands"},
		{"a bound that is none", edit(good, "CON 7 4", "CON 7 5"), "no bound of one variable"},
		{"section missing", edit(good, "SOL 0\n", ""), "SOL"},
		{"sense of a limit", edit(good, "limit_1 L", "limit_1 G"), "signs"},
		{"limit loosened", edit(good, "limit_1 L 1 ", "limit_1 L 2 "), "does not follow"},
		{"flow changed", edit(good, "flow_0 E 1 ", "flow_0 E 1/2 "), "does not follow"},
		{"objective changed", edit(good, "\nOBJ min\n 3  0 1", "\nOBJ min\n 3  0 2"), "does not follow"},
		{"maximised", edit(good, "OBJ min", "OBJ max"), "no solution"},
		{"negative multiplier", edit(good, "6 -1/2", "6 1/2"), "signs"},
		{"refers to itself", edit(good, "6 -1/2", "7 -1/2"), "not from 0"},
		{"an assumption", edit(good, good[strings.Index(good, "{ lin"):strings.Index(good, "} -1")], "{ asm "), "assumption"},
		{"cut", good[:len(good)-5], "ends too early"},
		{"something follows", good + "more\n", "follows"},
		{"division by zero", edit(good, "6 -1/2", "6 -1/0"), "zero"},
		{"no number", edit(good, "6 -1/2", "6 -1e-1"), "no decimal"},
		{"two of a name", edit(good, "flow_1 E", "flow_0 E"), "two constraints"},
		{"limit of an impossible model loosened", edit(none, "limit_1 L 1 ", "limit_1 L 100 "), "does not follow"},
		{"no contradiction", edit(edit(none, "none G ", "none G -"), "RTP infeas", "RTP infeas"), "no contradiction"},
		{"infeasible with a solution", edit(none, "SOL 0", "SOL 1\nx 0"), "misses"},
	}
	texts := []string{good, none}
	for _, b := range broken {
		texts = append(texts, b.text)
	}
	said := verdicts(t, texts)
	if !strings.HasPrefix(said[0], "verified range") || said[1] != "verified infeasible" {
		t.Errorf("whole files: %q, %q\n%s", said[0], said[1], none)
	}
	for k, b := range broken {
		if got := said[k+2]; !strings.HasPrefix(got, "refused") || !strings.Contains(got, b.why) {
			t.Errorf("%s: %q; want a refusal that says %q", b.name, got, b.why)
		}
	}
}

// TestWhatIsNotCoveredIsSaid: every other kind of proof and set, and claims that are none, get their sentence.
func TestWhatIsNotCoveredIsSaid(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	decode := func(kind model.Kind) *model.Problem {
		p, faults, _ := model.Decode(document(rng, kind))
		if p == nil {
			t.Fatal(faults)
		}
		return p
	}
	finite := decode(model.Finite)
	good := func() *proof.Claim {
		weights := make([]float64, len(finite.Constraints)+1)
		weights[0] = 1
		return proof.ByValues(0, weights, make([]float64, finite.Layout.S), 0)
	}
	if _, _, err := Write(finite, good()); err != nil {
		t.Fatal(err)
	}
	spoil := func(change func(c *proof.Claim)) *proof.Claim {
		c := good()
		change(c)
		return c
	}
	named := func(kind model.Kind) *model.Problem {
		p := *decode(model.LInf)
		p.Uncertainty.Kind = kind
		return &p
	}
	for _, tc := range []struct {
		p    *model.Problem
		c    *proof.Claim
		want string
	}{
		{decode(model.KL), good(), "no fractions"},
		{decode(model.L2), good(), "no fractions"},
		{named("new to it"), good(), "not found here"},
		{finite, &proof.Claim{Tensor: &proof.Tensor{}}, "tensors"},
		{finite, &proof.Claim{Rays: &proof.Rays{}}, "rays"},
		{finite, &proof.Claim{Nodes: make([]proof.Node, 1)}, "boxes"},
		{finite, &proof.Claim{Choices: &proof.Choices{}}, "choices"},
		{finite, &proof.Claim{}, "no proof"},
		{finite, spoil(func(c *proof.Claim) { c.Problem = "x" }), "another document"},
		{finite, spoil(func(c *proof.Claim) { c.Values.Kernel = 9 }), "kernel 9"},
		{finite, spoil(func(c *proof.Claim) { c.Values.Kernel = -1 }), "kernel -1"},
		{finite, spoil(func(c *proof.Claim) { c.Values.V = c.Values.V[1:] }), "one value a state"},
		{finite, spoil(func(c *proof.Claim) { c.Values.Prices = append(c.Values.Prices, 1) }), "one price a limit"},
		{finite, spoil(func(c *proof.Claim) { c.Values.V[0] = math.NaN() }), "not finite"},
		{finite, spoil(func(c *proof.Claim) { c.Relax = math.Inf(1) }), "not finite"},
		{finite, spoil(func(c *proof.Claim) { c.Target = math.Inf(1) }), "no contradiction"},
	} {
		if _, _, err := Write(tc.p, tc.c); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%v; want a sentence with %q", err, tc.want)
		}
	}
}
