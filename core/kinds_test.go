//go:build !js

package core_test

import (
	"go/ast"
	"slices"
	"testing"
)

// A kind of set is named where it is described, where its worst rows are worked out, where the checker judges its rows
// by itself, and nowhere else in Go; the page names it in its table of
// kinds and in its types. So a new one takes seven files, its own in core/uncertainty among them.
func TestAKindOfSetIsNamedInFewPlaces(t *testing.T) {
	places := []string{"core/model/uncertainty.go", "core/uncertainty/uncertainty.go", "core/uncertainty/support.go", "core/certify/shape.go"}
	for _, dir := range []string{"core", "wasm"} {
		set, packages := sources(t, dir, false)
		for name, files := range packages {
			if forTests(name) {
				continue
			}
			for _, f := range files {
				file := set.Position(f.Pos()).Filename
				ast.Inspect(f, func(n ast.Node) bool {
					if id, ok := n.(*ast.Ident); ok && (id.Name == "LInf" || id.Name == "L2" || id.Name == "TV") && !slices.Contains(places, file) {
						t.Errorf("%v: %s is named here; want a question to model.Kind", set.Position(id.Pos()), id.Name)
					}
					return true
				})
			}
		}
	}
}
