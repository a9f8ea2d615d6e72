package structured_test

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"testing"

	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/internal/structured"
	"rcmdplab/core/model"
)

// TestAnswersAreTold prints a line for each fixture, instance and method: the verdict, and all of the
// policy, its value, the bound and the certificate as digests. "./build.sh soak same" compares the lines of
// programs that are to answer alike: as Go runs natively, in wasm, and packed as the page has it.
func TestAnswersAreTold(t *testing.T) {
	if os.Getenv("TOLD") == "" {
		t.Skip(`part of "./build.sh soak same"`)
	}
	for k, name := range fixture.Names(t) {
		told(t, name, uint64(k), fixture.Problem(t, name))
	}
	from, count := seeds(t)
	for seed := from; seed < from+count; seed++ {
		told(t, fmt.Sprint("structured ", seed), seed, structured.New(seed).Problem)
	}
}

func told(t *testing.T, name string, seed uint64, p *model.Problem) {
	for _, method := range methods(seed, false) {
		got, fault := run(method, p)
		digest := sha256.New()
		for _, x := range append(got.Best.Policy, got.Best.Objective, got.Best.MaxViolation, got.LowerBound, got.ViolationBound) {
			_ = binary.Write(digest, binary.LittleEndian, math.Float64bits(x))
		}
		proof := "none"
		if got.Certificate != nil {
			text, err := got.Certificate.Encode()
			if err != nil {
				t.Fatalf("%s by %s: %v", name, method.ID, err)
			}
			proof = fmt.Sprintf("%x", sha256.Sum256(text))
		}
		fmt.Printf("told %s by %s: %v, %.17g above %.17g, numbers %x, note %.16x, proof %s, %d nodes%s\n", name, method.ID, got.Status,
			got.Best.Objective, got.LowerBound, digest.Sum(nil)[:8], sha256.Sum256([]byte(got.Note)), proof[:min(len(proof), 16)], got.Nodes, fault)
	}
}
