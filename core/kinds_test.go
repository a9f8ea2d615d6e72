//go:build !js

package core_test

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"testing"

	"rcmdplab/core/model"
)

// A kind of set is told from the others by its name where it is described, where its worst rows are worked out and where
// the checker judges its rows by itself, and nowhere else in Go: all others ask what a set is (model.Kind has the
// questions). To make a set of one kind is no such thing.
func TestAKindOfSetIsToldByNameInFewPlaces(t *testing.T) {
	places := []string{"core/model/uncertainty.go", "core/uncertainty/uncertainty.go", "core/uncertainty/support.go", "core/certify/shape.go"}
	_, packages := sources(t, "core/model", false)
	names := constantsOf(packages["core/model"], "Kind")
	if len(names) != len(model.Kinds()) {
		t.Fatalf("model has the kinds %v and lists %v", names, model.Kinds())
	}
	found := map[string]int{}
	for _, dir := range []string{"core", "wasm"} {
		set, packages := sources(t, dir, false)
		for name, files := range packages {
			if forTests(name) {
				continue
			}
			for _, f := range files {
				file := set.Position(f.Pos()).Filename
				for _, at := range toldByName(f, names) {
					if found[file]++; !slices.Contains(places, file) {
						t.Errorf("%v: a kind of set is told by its name; want a question to model.Kind", set.Position(at))
					}
				}
			}
		}
	}
	for _, place := range places {
		if found[place] == 0 {
			t.Errorf("%s tells no kind of set by its name", place)
		}
	}
}

// toldByName are the places where kinds of sets are compared, switched on or looked up in a table.
func toldByName(f *ast.File, names []string) (places []token.Pos) {
	named := func(e ast.Expr) bool {
		switch e := e.(type) {
		case *ast.SelectorExpr:
			from, ok := e.X.(*ast.Ident)
			return ok && from.Name == "model" && slices.Contains(names, e.Sel.Name)
		case *ast.Ident:
			return f.Name.Name == "model" && slices.Contains(names, e.Name)
		case *ast.BasicLit:
			text, err := strconv.Unquote(e.Value)
			return err == nil && slices.Contains(model.Kinds(), model.Kind(text))
		}
		return false
	}
	ast.Inspect(f, func(n ast.Node) bool {
		var by []ast.Expr
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.Op == token.EQL || n.Op == token.NEQ {
				by = []ast.Expr{n.X, n.Y}
			}
		case *ast.CaseClause:
			by = n.List
		case *ast.KeyValueExpr:
			by = []ast.Expr{n.Key}
		}
		if i := slices.IndexFunc(by, named); i >= 0 {
			places = append(places, by[i].Pos())
		}
		return true
	})
	return places
}

// constantsOf are the names of a package's constants of a type.
func constantsOf(files []*ast.File, of string) (names []string) {
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if spec, ok := n.(*ast.ValueSpec); ok {
				if is, ok := spec.Type.(*ast.Ident); ok && is.Name == of {
					names = append(names, spec.Names[0].Name)
				}
			}
			return true
		})
	}
	return names
}
