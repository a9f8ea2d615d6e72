package certify

import (
	"os"
	"testing"

	"rcmdplab/core/model"
)

func TestZZP(t *testing.T) {
	n := os.Getenv("ZN")
	text, _ := os.ReadFile("/tmp/cert/c" + n + ".json")
	c, err := Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	text, _ = os.ReadFile("../bound/testdata/random" + n + ".json")
	p, _, _ := model.Decode(text)
	if r := Check(p, c, nil); !r.OK {
		t.Fatal(r.Reasons)
	}
}
