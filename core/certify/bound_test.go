package certify

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rcmdplab/core/bound"
	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
)

// of is a claim about a problem.
func of(p *model.Problem, c *proof.Claim) *proof.Claim {
	if c == nil {
		return nil
	}
	d := *c
	d.Problem = p.Hash()
	return &d
}

// prove runs the bound until it is done, has made so many steps of its linear
// programs, or enough is satisfied by its certificate, and returns its
// certificates: of the bound or of infeasibility, and of the least violation.
// Nil where it has none.
func prove(t testing.TB, p *model.Problem, set bound.Settings, objective, violation float64, steps int64, enough func(c *proof.Claim) bool) (lower, least *proof.Claim) {
	t.Helper()
	set.Record, set.Ladder = true, true
	s, err := bound.New(p.Standard(), set)
	if err != nil {
		t.Fatal(err)
	}
	s.Incumbent(objective, violation, !math.IsInf(objective, 1))
	for r := range s.Run() {
		if c := s.Certificate(); r.Steps > steps || c != nil && enough(c) {
			break
		}
	}
	return of(p, s.Certificate()), of(p, s.ViolationCertificate())
}

func boxes(n int) func(c *proof.Claim) bool {
	return func(c *proof.Claim) bool { return len(c.Nodes) >= n }
}

var update = flag.Bool("update", false, "make the proofs in testdata again, with package bound")

// proof is a problem, a policy that meets its constraints (or nil) and a
// certificate, as kept in testdata.
type made struct {
	name   string
	p      *model.Problem
	policy []float64
	cert   proof.Claim
}

type proofJSON struct {
	Problem     json.RawMessage `json:"problem"`
	Policy      []float64       `json:"policy"`
	Certificate json.RawMessage `json:"certificate"`
}

// proofs reads the proofs of testdata: made once by package bound on random
// problems of every kind of set, trees that split among them.
func proofs(t testing.TB) []made {
	t.Helper()
	if *update {
		makeProofs(t)
	}
	files, err := filepath.Glob("testdata/proofs/*.json")
	if err != nil || len(files) < 12 {
		t.Fatalf("%d proofs (%v); want 12 or more: go test -run Proofs -update", len(files), err)
	}
	var out []made
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		var j proofJSON
		if err := json.Unmarshal(text, &j); err != nil {
			t.Fatal(err)
		}
		p, faults, _ := model.Decode(j.Problem)
		if len(faults) > 0 {
			t.Fatal(f, faults)
		}
		c, err := proof.Decode(j.Certificate)
		if err != nil {
			t.Fatal(f, err)
		}
		out = append(out, made{strings.TrimSuffix(filepath.Base(f), ".json"), p, j.Policy, c})
	}
	return out
}

func makeProofs(t testing.TB) {
	if err := os.MkdirAll("testdata/proofs", 0o755); err != nil {
		t.Fatal(err)
	}
	save := func(name string, p *model.Problem, policy []float64, c *proof.Claim) {
		text, err := c.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if text, err = json.Marshal(proofJSON{p.Encode(), policy, text}); err == nil {
			err = os.WriteFile("testdata/proofs/"+name+".json", append(text, '\n'), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d boxes, %d bytes", name, len(c.Nodes), len(text))
	}
	rng := rand.New(rand.NewPCG(14, 1))
	for k, want := range []int{0, 3, 3, 5, 5, 7} {
		p, c, best := random(t, rng, model.Finite, want)
		save(fmt.Sprintf("finite%d", k), p, best, c)
	}
	for _, kind := range kinds() {
		want := 1
		if kind == model.KLRegularized || kind == model.L1 {
			want = 3
		}
		p, c, best := random(t, rng, kind, want)
		save(string(kind), p, best, c)
	}
	// Lower the thresholds of a problem until no policy meets them.
	for k := 0; ; {
		p, _, _ := bounded(t, rng, model.Finite, 0.01)
		if len(p.Constraints) < 2 || len(p.Uncertainty.Kernels) < 2 || p.Layout.S < 2 {
			continue
		}
		m := p.Standard()
		for n := range p.Constraints {
			lo, hi := m.Bounds(n + 1)
			p.Constraints[n].Bound = m.Present(n+1, m.B[n+1]-0.15*(hi-lo)*m.H)
		}
		c, least := prove(t, p, bound.Settings{Violation: true}, math.Inf(1), 0.3*m.H*100, 20_000, never)
		if c != nil && c.Infeasible() && least != nil && len(least.Nodes) > 0 {
			save(fmt.Sprintf("infeasible%d", k), p, nil, c)
			save(fmt.Sprintf("violation%d", k), p, nil, least)
			if k++; k == 2 {
				return
			}
		}
	}
}

func never(*proof.Claim) bool { return false }

// random makes a random problem with a certificate of at least so many boxes (0
// asks for any proof) and a policy that meets its constraints.
func random(t testing.TB, rng *rand.Rand, kind model.Kind, want int) (p *model.Problem, c *proof.Claim, best []float64) {
	t.Helper()
	for {
		p, best, value := bounded(t, rng, kind, 0.02)
		if kind == model.Finite && want > 1 && (p.Layout.S < 2 || len(p.Uncertainty.Kernels) < 2 || p.Discount < 0.5) {
			continue
		}
		m := p.Standard()
		var set bound.Settings
		if kind != model.Finite {
			ev, err := evaluate.New(m)
			if err != nil {
				t.Fatal(err)
			}
			if set.Kernels, err = bound.Worst(ev, best, nil); err != nil {
				t.Fatal(err)
			}
		}
		c, _ = prove(t, p, set, value, 0, 20_000, boxes(want))
		if c != nil && len(c.Nodes) >= want {
			return p, c, best
		}
	}
}
