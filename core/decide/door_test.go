//go:build !js

package decide_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"
)

// What a record claims is written by the door alone; what works on a part of a proof elsewhere makes no claims, and
// says how it ended.
func TestOnlyTheDoorWritesClaims(t *testing.T) {
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	claims := []string{"LowerBound", "ProvedInfeasible", "ViolationBound", "Certificate"}
	set, seen := token.NewFileSet(), 0
	for _, f := range files {
		name := f.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			a, ok := n.(*ast.AssignStmt)
			if !ok {
				return true
			}
			for k, to := range a.Lhs {
				field, ok := to.(*ast.SelectorExpr)
				if !ok {
					continue
				}
				status := field.Sel.Name == "Status"
				if from, ok := a.Rhs[min(k, len(a.Rhs)-1)].(*ast.SelectorExpr); ok && status && from.Sel.Name == "Running" {
					continue
				}
				if !status && !slices.Contains(claims, field.Sel.Name) {
					continue
				}
				if seen++; name != "claim.go" && !(status && name == "part.go") {
					t.Errorf("%v: %s of a record is written outside of claim.go", set.Position(to.Pos()), field.Sel.Name)
				}
			}
			return true
		})
	}
	if seen < 20 {
		t.Errorf("%d places seen", seen)
	}
}
