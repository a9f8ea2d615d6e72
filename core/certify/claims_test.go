package certify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"rcmdplab/core/certify"
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
)

// claimed reads a problem of testdata/claims, and the certificate beside it. Numbers
// below the normal range, which documents may not have, are put in afterwards.
func claimed(t testing.TB, name string) (*model.Problem, proof.Claim) {
	t.Helper()
	read := func(name string) string {
		text, err := os.ReadFile("testdata/claims/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	const place = 3e-308
	faint := 0.0
	document := regexp.MustCompile(`[0-9.]+e-3(1[0-9]|2[0-9])`).ReplaceAllStringFunc(read(name+".json"), func(s string) string {
		faint, _ = strconv.ParseFloat(s, 64)
		return strconv.FormatFloat(place, 'g', -1, 64)
	})
	p, faults, _ := model.Decode([]byte(document))
	if len(faults) > 0 {
		t.Fatal(name, faults)
	}
	if k := p.Uncertainty.Nominal; k != nil && faint != 0 {
		for j, x := range k.Prob {
			if x == place {
				k.Prob[j] = faint
			}
		}
	}
	c, err := proof.Decode([]byte(read(name + ".cert.json")))
	if err != nil {
		t.Fatal(name, err)
	}
	c.Problem = p.Hash()
	return p, c
}

// Each of these proves what is false of its problem: see the comment of what refuses it.
func TestClaimsThatWereBelievedAreRefused(t *testing.T) {
	files, _ := filepath.Glob("testdata/claims/*.cert.json")
	if len(files) < 8 {
		t.Fatalf("%d claims", len(files))
	}
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), ".cert.json")
		p, c := claimed(t, name)
		if r := certify.Check(p, c, nil); r.OK || !math.IsInf(r.LowerBound, -1) || len(r.Reasons) == 0 {
			t.Errorf("%s: accepted, %v: %q", name, r.LowerBound, r.Reasons)
		}
	}
}

// The sentences say what the document says, in the unit of the limit and rounded to the
// side that holds, however long the horizon.
func TestSentencesSpeakInTheUnitOfTheLimit(t *testing.T) {
	text, err := os.ReadFile("testdata/claims/sentence-average.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, gamma := range []string{"0.99", "0.999999", "0.999999999", "0.999999999999"} {
		doc := strings.NewReplacer("0.99", gamma, `"values":[[1]]`, `"scale":"average","values":[[3]]`).Replace(string(text))
		p, faults, _ := model.Decode([]byte(doc))
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		k, more := certify.NewChecker(p), func() bool { return true }
		c, err := k.Strongest(proof.Claim{Problem: p.Hash(), Target: math.Inf(1), Values: &proof.Values{Prices: []float64{1}, V: []float64{0}}}, more)
		if err != nil {
			t.Fatal(err)
		}
		said := strings.Join(k.Check(&c, []float64{1}, more).Reasons, "\n")
		for _, want := range []string{"some limit is missed by more than 0.0999999999", "0.6 under its worst model misses at most 0.5 by 0.1."} {
			if !strings.Contains(said, want) {
				t.Errorf("γ = %s: %s\nwant %s", gamma, said, want)
			}
		}
		p.Constraints = nil
		k = certify.NewChecker(p)
		if c, err = k.Strongest(proof.Claim{Problem: p.Hash(), Values: &proof.Values{V: []float64{0}}}, more); err != nil {
			t.Fatal(err)
		}
		said = strings.Join(k.Check(&c, []float64{1}, more).Reasons, "\n")
		if !strings.Contains(said, "a worst-case money of less than 3.") && !strings.Contains(said, "a worst-case money of less than 2.99999999999.") || !strings.Contains(said, "Its worst-case money is 3") {
			t.Errorf("γ = %s: %s", gamma, said)
		}
	}
	// Limits of two units have no common number.
	doc := strings.Replace(string(text), `"constraints":[`, `"constraints":[{"name":"total","values":[[0]],"atMost":1},`, 1)
	p, _, _ := model.Decode([]byte(doc))
	k, more := certify.NewChecker(p), func() bool { return true }
	c, err := k.Strongest(proof.Claim{Problem: p.Hash(), Target: math.Inf(1), Values: &proof.Values{Prices: []float64{0, 1}, V: []float64{0}}}, more)
	if err != nil {
		t.Fatal(err)
	}
	if said := strings.Join(k.Check(&c, nil, more).Reasons, "\n"); !strings.Contains(said, "in units that differ") || strings.Contains(said, "9.99") {
		t.Error(said)
	}
}

// One state, two actions, a limit that is met by always taking the first. Where that is
// taken with at most u, x_b = 1 - x_a >= 1 - u exceeds what the limit allows: a box shown to
// be empty by flow, upper end and limit. The box beside it is not, whatever is used of it.
func TestABoxBeginsFromWhatIsHandedToIt(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 5))
	for k := range 200 {
		gamma, u := 0.99*rng.Float64(), 0.9*rng.Float64()
		limit := (1 - u) * rng.Float64() * 0.9 // of x_b
		doc := fmt.Sprintf(`{"format":"rcmdp/1","states":["s"],"actions":["a","b"],"discount":%v,"initial":[1],"objective":{"values":[[1,3]]},
			"constraints":[{"name":"risk","scale":"average","values":[[0,1]],"atMost":%v}],"uncertainty":{"kind":"finite","kernels":[{"transitions":[[[1],[1]]]}]}}`, gamma, limit)
		p, faults, _ := model.Decode([]byte(doc))
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		bound := proof.Step{Kind: proof.Bound, M2: -1, Rows: []proof.Row{proof.NewRow(proof.BoxHigh, 0, 0, 0), proof.NewRow(proof.Cost, 0, 0, 1), proof.NewRow(proof.Flow, 0, 0, 0)}}
		bound.Y = []float64{1, -1, (1 - u) / (1 - gamma)}
		open := proof.Step{Kind: proof.Open}
		refresh := proof.Step{Kind: proof.Refresh}
		// Splits at falling points: the lowest box is shown, then those above it, up to π_a >= u.
		depth := 1 + rng.IntN(4)
		nodes := make([]proof.Node, 0, 2*depth+1)
		for j := range depth {
			nodes = append(nodes, proof.Node{Pair: 0, At: u / float64(j+1)})
		}
		nodes = append(nodes, proof.Node{Pair: -1, Steps: []proof.Step{open, bound}})
		for range depth - 1 {
			nodes = append(nodes, proof.Node{Pair: -1, Steps: []proof.Step{open, bound}})
		}
		shown := len(nodes)
		nodes = append(nodes, proof.Node{Pair: -1, Steps: [][]proof.Step{{bound}, {open, bound}, {refresh, bound}, {{Kind: proof.Close}, bound}}[k%4]})
		c := proof.Claim{Problem: p.Hash(), Target: math.Inf(1), Nodes: nodes}
		r := certify.Check(p, c, nil)
		if last := r.Reasons[len(r.Reasons)-1]; r.OK || !strings.Contains(last, fmt.Sprintf("box %d", shown)) {
			t.Fatalf("γ = %v, u = %v, x_b <= %v: %q", gamma, u, limit, r.Reasons)
		}
	}
}
