//go:build !js

package certify_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// sources are the files of this package with the types of their expressions, as far as
// package math and this room say: what comes from elsewhere is of no type.
func sources(t *testing.T) (*token.FileSet, []*ast.File, *types.Info) {
	t.Helper()
	set := token.NewFileSet()
	files, err := parsed(set, ".")
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	config := types.Config{Importer: known{set}, Error: func(error) {}}
	config.Check("certify", set, files, info)
	return set, files, info
}

// parsed reads the files of a package, without its tests.
func parsed(set *token.FileSet, folder string) ([]*ast.File, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, e := range entries {
		if name := e.Name(); strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			f, err := parser.ParseFile(set, filepath.Join(folder, name), nil, 0)
			if err != nil {
				return nil, err
			}
			files = append(files, f)
		}
	}
	return files, nil
}

// known imports the rooms that this one stands on from their source and package math by
// the names used here.
type known struct{ set *token.FileSet }

func (k known) Import(path string) (*types.Package, error) {
	config := types.Config{Importer: known{k.set}, Error: func(error) {}, IgnoreFuncBodies: true}
	switch path {
	case "math":
		text := "package math\nconst (MaxFloat64 = 0x1p1023 * (1 + (1 - 0x1p-52)); Ln2 = 0.693; Sqrt2 = 1.414; MaxUint32 = 1<<32 - 1)\nfunc IsNaN(x float64) bool\nfunc IsInf(x float64, n int) bool\nfunc Ldexp(x float64, n int) float64\nfunc Inf(n int) float64\n"
		for _, name := range []string{"Abs", "Sqrt", "Log", "Log1p", "Exp", "Expm1", "Floor", "Round", "Trunc"} {
			text += "func " + name + "(x float64) float64\n"
		}
		for _, name := range []string{"Nextafter", "Copysign", "Hypot", "Max", "Min"} {
			text += "func " + name + "(x, y float64) float64\n"
		}
		f, err := parser.ParseFile(k.set, "math.go", text, 0)
		if err != nil {
			return nil, err
		}
		return config.Check(path, k.set, []*ast.File{f}, nil)
	case "rcmdplab/core/model", "rcmdplab/core/proof", "rcmdplab/core/certify/enclosure", "rcmdplab/core/certify/guess":
		files, err := parsed(k.set, strings.Replace(path, "rcmdplab/core", "..", 1))
		if err != nil {
			return nil, err
		}
		p, _ := config.Check(path, k.set, files, nil)
		return p, nil
	}
	p := types.NewPackage(path, path[strings.LastIndexByte(path, '/')+1:])
	p.MarkComplete()
	return p, nil
}

func isFloat(info *types.Info, e ast.Expr) bool {
	b, ok := info.TypeOf(e).(*types.Basic)
	return ok && b.Info()&types.IsFloat != 0 && info.Types[e].Value == nil
}

// isKnown reports whether an expression is what is known of a number.
func isKnown(info *types.Info, e ast.Expr) bool {
	t := info.TypeOf(e)
	return t != nil && strings.HasSuffix(types.Unalias(t).String(), "enclosure.Interval")
}

// ofNaN is what a condition comes to when every float64 compared in it is NaN, and nothing is
// known of every interval; what compares none neither decides a && nor an ||.
func ofNaN(info *types.Info, e ast.Expr) (value, compares bool) {
	switch x := e.(type) {
	case *ast.ParenExpr:
		return ofNaN(info, x.X)
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			v, c := ofNaN(info, x.X)
			return !v, c
		}
	case *ast.BinaryExpr:
		switch x.Op {
		case token.LAND, token.LOR:
			v, c := ofNaN(info, x.X)
			w, d := ofNaN(info, x.Y)
			switch {
			case !c:
				return w, d
			case !d:
				return v, c
			case x.Op == token.LAND:
				return v && w, true
			}
			return v || w, true
		case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
			if isFloat(info, x.X) || isFloat(info, x.Y) || isKnown(info, x.X) {
				return x.Op == token.NEQ, true
			}
			if c, ok := x.X.(*ast.CallExpr); ok { // the sign of what is not known is 0
				if f, ok := c.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Sign" && isKnown(info, f.X) {
					return x.Op != token.LSS && x.Op != token.GTR && x.Op != token.NEQ, true
				}
			}
		}
	case *ast.CallExpr:
		f, ok := x.Fun.(*ast.SelectorExpr)
		switch {
		case ok && f.Sel.Name == "IsNaN":
			return true, true
		case ok && isKnown(info, f.X), ok && (f.Sel.Name == "Share" || f.Sel.Name == "Usable"):
			return false, true // Less, AtMost, Finite
		}
		if f, ok := x.Fun.(*ast.Ident); ok && (f.Name == "finiteAll" || f.Name == "small") {
			return false, true
		}
	}
	return false, false
}

// refuses reports whether statements end with a refusal.
func refuses(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	s, ok := list[len(list)-1].(*ast.ExprStmt)
	if !ok {
		return false
	}
	c, ok := s.X.(*ast.CallExpr)
	return ok && slices.Contains([]string{"refuse", "goesOn", "panic"}, fmt.Sprint(c.Fun))
}

// Whatever the checker refuses for the size of a number it refuses when that is no number:
// comparisons are written so that NaN, and what is not known, fails what is wanted,
// !(x <= y) and not x > y, !x.AtMost(y) and not y.Less(x).
func TestNaNIsRefusedWhereverANumberMayBe(t *testing.T) {
	set, files, info := sources(t)
	seen := 0
	look := func(at token.Pos, condition ast.Expr, body []ast.Stmt) {
		if !refuses(body) {
			return
		}
		if v, compares := ofNaN(info, condition); compares {
			seen++
			if !v {
				t.Errorf("%s: the condition of this refusal is false for NaN", set.Position(at))
			}
		}
	}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch s := n.(type) {
			case *ast.IfStmt:
				look(s.Pos(), s.Cond, s.Body.List)
			case *ast.SwitchStmt:
				for _, c := range s.Body.List {
					if c := c.(*ast.CaseClause); s.Tag == nil && len(c.List) == 1 {
						look(c.Pos(), c.List[0], c.Body)
					}
				}
			}
			return true
		})
	}
	if seen < 20 {
		t.Errorf("only %d refusals compare numbers", seen)
	}
}

// Nothing passes over a refusal: only who is asked from outside hands up why a check ended, and who tells whether a row is a
// member; and what is caught is looked at, but where a part is only tried.
func TestNothingPassesOverARefusal(t *testing.T) {
	set, files, _ := sources(t)
	tells := []string{"Accept", "Allowing", "Strongest", "Wanting", "Evaluate", "member", "priceOf", "caught"}
	tries, caught := []string{"Strongest", "Follow"}, 0
	for _, f := range files {
		for _, d := range f.Decls {
			d, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if r := d.Type.Results; r != nil && fmt.Sprint(r.List[len(r.List)-1].Type) == "error" && !slices.Contains(tells, d.Name.Name) {
				t.Errorf("%s: %s hands up an error; what does not hold is refused", set.Position(d.Pos()), d.Name.Name)
			}
			ast.Inspect(d, func(n ast.Node) bool {
				if s, ok := n.(*ast.ExprStmt); ok {
					if c, ok := s.X.(*ast.CallExpr); ok && fmt.Sprint(c.Fun) == "caught" {
						if caught++; !slices.Contains(tries, d.Name.Name) {
							t.Errorf("%s: what is caught is not looked at", set.Position(s.Pos()))
						}
					}
				}
				return true
			})
		}
	}
	if caught != 3 {
		t.Errorf("%d parts are only tried", caught)
	}
}

// Numbers that claims depend on are enclosures, whose arithmetic is in one room and
// tested there. This room neither adds, negates, compares, converts nor rounds a float64 by itself: it hands
// those that it was given, and ends of what is known, on.
func TestNothingIsWorkedOutInFloats(t *testing.T) {
	set, files, info := sources(t)
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			what := ""
			switch x := n.(type) {
			case *ast.BinaryExpr:
				switch x.Op {
				case token.ADD, token.SUB, token.MUL, token.QUO:
					if isFloat(info, x) {
						what = "an operator"
					}
				case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
					if isFloat(info, x.X) || isFloat(info, x.Y) {
						what = "a comparison"
					}
				}
			case *ast.UnaryExpr:
				if x.Op == token.SUB && isFloat(info, x) {
					what = "a sign"
				}
			case *ast.AssignStmt:
				if x.Tok != token.ASSIGN && x.Tok != token.DEFINE && isFloat(info, x.Lhs[0]) {
					what = "an operator"
				}
			case *ast.CallExpr:
				switch f := x.Fun.(type) {
				case *ast.Ident:
					if (f.Name == "min" || f.Name == "max") && isFloat(info, x) || info.Types[f].IsType() && (isFloat(info, x) || isFloat(info, x.Args[0])) {
						what = f.Name
					}
				case *ast.SelectorExpr:
					name, ok := f.X.(*ast.Ident)
					if ok && (name.Name == "math" || name.Name == "slices" && len(x.Args) == 1 && isFloat(info, x)) {
						what = name.Name + "." + f.Sel.Name
					}
				}
			}
			if what != "" {
				t.Errorf("%s: %s of float64", set.Position(n.Pos()), what)
			}
			return true
		})
	}
}
