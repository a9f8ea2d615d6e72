//go:build !js

package core_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// A number in a struct says its unit, shape or meaning: in a comment of its
// own, above it or behind it, or in one above the lines it stands with.
func TestFieldsOfNumbersAreCommented(t *testing.T) {
	said := 0
	files := token.NewFileSet()
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		f, err := parser.ParseFile(files, file, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			s, ok := spec.Type.(*ast.StructType)
			if !ok || files.Position(s.Pos()).Line == files.Position(s.End()).Line {
				return true // of one line: the type's own comment says what they are
			}
			above, last := false, 0 // a comment above the lines that belong together; the line before
			for _, field := range s.Fields.List {
				line := files.Position(field.Pos()).Line
				above = field.Doc != nil || above && line == last+1
				last = files.Position(field.End()).Line
				switch {
				case !isNumbers(field.Type), field.Tag != nil: // a JSON member is named by its format
				case above, field.Comment != nil:
					said += len(field.Names)
				default:
					t.Errorf("%s: %s.%s does not say what it holds", files.Position(field.Pos()), spec.Name.Name, field.Names[0].Name)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if said < 700 {
		t.Errorf("only %d numbers were found", said)
	}
}

// isNumbers reports whether a type is a number, or slices, arrays or maps of them.
func isNumbers(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.Ident:
		switch x.Name {
		case "float64", "int", "int64", "int32", "uint64", "int8", "uint8", "byte":
			return true
		}
	case *ast.ArrayType:
		return isNumbers(x.Elt)
	case *ast.MapType:
		return isNumbers(x.Value)
	}
	return false
}
