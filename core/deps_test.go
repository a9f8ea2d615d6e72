//go:build !js

package core_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// module is the path in front of the packages of this repository.
const module = "rcmdplab/"

// rooms says which packages of ours and of others each package may import,
// besides the standard library. A name that ends in /... stands for
// everything below it. An edge that is not here is a change of the design:
// see ARCHITECTURE.md before adding one.
var rooms = map[string][]string{
	"core":                   nil,
	"core/jsontext":          nil,
	"core/sha256":            nil,
	"core/model":             {"core/jsontext", "core/sha256"},
	"core/proof":             {"core/jsontext"},
	"core/interchange":       {"core/model", "core/jsontext"},
	"core/estimate":          {"core/model", "gonum.org/v1/gonum/stat/..."},
	"core/simulate":          {"core/model", "core/uncertainty", "core/evaluate", "gonum.org/v1/gonum/stat"},
	"core/uncertainty":       {"core/model", "core/vector"},
	"core/evaluate":          {"core/model", "core/uncertainty", "core/vector"},
	"core/game":              {"core/model", "core/uncertainty", "core/evaluate", "core/vector"},
	"core/lp":                {"core/vector"},
	"core/solve":             {"core/model", "core/proof", "core/evaluate", "core/game", "core/lp", "gonum.org/v1/gonum/stat/..."},
	"core/vector":            {"gonum.org/v1/gonum/blas/..."},
	"core/bound/tensor":      {"core/model", "core/proof", "core/vector"},
	"core/bound":             {"core/model", "core/proof", "core/uncertainty", "core/evaluate", "core/game", "core/lp", "core/vector", "core/bound/tensor"},
	"core/decide":            {"core/model", "core/proof", "core/evaluate", "core/solve", "core/bound", "core/certify"},
	"core/certify":           {"core/model", "core/proof", "core/uncertainty", "core/certify/enclosure", "core/certify/guess"}, // its independence is its worth
	"core/certify/enclosure": nil,
	"core/certify/guess":     nil,
	"core/vipr":              {"core/model", "core/proof"}, // nor does it lean on those whose proofs it writes
	"core/instance":          {"core/model", "core/evaluate", "gonum.org/v1/gonum/stat/..."},
	"core/experiment":        {"core/model", "core/evaluate", "core/solve", "core/instance"},

	// What tests share; no room above may import it.
	"core/internal/fixture":    {"core/model"},
	"core/internal/bellman":    {"core/model", "core/uncertainty"},
	"core/internal/structured": {"core/model"},

	"wasm/wire":  {"core/model", "core/proof", "core/interchange", "core/evaluate", "core/game", "core/solve", "core/decide", "core/certify", "core/vipr", "core/instance", "core/experiment", "core/estimate", "core/simulate", "core/jsontext", "core/vector"},
	"wasm/store": {"core/jsontext", "core/sha256", "github.com/hack-pad/go-indexeddb/..."},
	"wasm":       {"wasm/wire", "wasm/store"},
}

// banned are standard packages that no package of core may import: the core
// computes, and a clock, a console, a network or a browser would make the
// same input give different answers. JSON by reflection and the standard
// digests are banned because they make the download a tenth larger; jsontext
// and sha256 are there instead.
var banned = []string{
	"encoding/json", "encoding/json/...", "crypto", "crypto/...",
	"syscall/js", "syscall", "time", "os", "os/...", "log", "log/...", "net", "net/...", "sync", "sync/...", "context",
	"math/rand", "runtime", "runtime/...", "testing", "flag", "unsafe", "plugin", "C",
}

// forTests reports whether a package holds what tests share, which may read
// files and no other package may import.
func forTests(name string) bool { return strings.HasPrefix(name, "core/internal/") }

// checker are the files of core/certify in layers: what a file declares is used in its own
// layer and those after it. Kinds of proof stand beside each other, from the evaluation of policies on to rays, and
// do not know one another.
var checker = []struct {
	beside bool // of the layer before
	files  string
}{
	{false, "number"},
	{false, "shape instance image horizon average policy claim"},                                          // the problem
	{false, "member rowset rowset_above rowset_below operator operator_row sweep episodes episodes_wide"}, // rows
	{false, "corners"}, {false, "relax"}, {true, "mixtures"}, // corners, rows of the relaxation
	{false, "evaluate exact linear_policy pinned episodes_policy"}, {true, "values choices"}, // policies and values
	{true, "boxes relax_ranges relax_row"}, {true, "tensor tensor_tree tensor_seen"}, // trees of boxes
	{true, "rays raysread"},
	{false, "check accept verdict"},
}

// random are the packages that may draw numbers, from seeds they are given.
var random = []string{"core/internal/structured", "core/estimate", "core/simulate", "core/solve", "core/decide", "core/instance", "core/experiment"}

// sources parses the files of one kind below dir, by package.
func sources(t *testing.T, dir string, tests bool) (*token.FileSet, map[string][]*ast.File) {
	t.Helper()
	set, packages := token.NewFileSet(), map[string][]*ast.File{}
	root := ".." // of the repository; tests run in their package's folder
	err := filepath.WalkDir(filepath.Join(root, dir), func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == "testdata" {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") != tests {
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		f, err := parser.ParseFile(set, rel, text, 0)
		if err != nil {
			return err
		}
		if f.Name.Name == "main" && strings.HasPrefix(rel, "core/") {
			return nil // a program that makes test data, outside the corridor
		}
		packages[path.Dir(rel)] = append(packages[path.Dir(rel)], f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return set, packages
}

func imported(spec *ast.ImportSpec) string {
	p, _ := strconv.Unquote(spec.Path.Value) // the parser has checked it
	return p
}

func matches(patterns []string, importPath string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		if below, ok := strings.CutSuffix(pattern, "/..."); ok {
			return importPath == below || strings.HasPrefix(importPath, below+"/")
		}
		return importPath == pattern
	})
}

func standard(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	return !strings.Contains(first, ".")
}

func TestImportsFollowTheCorridor(t *testing.T) {
	for _, dir := range []string{"core", "wasm"} {
		set, packages := sources(t, dir, false)
		if len(packages) == 0 {
			t.Errorf("no packages below %s", dir)
		}
		for name, files := range packages {
			allowed, known := rooms[name]
			if !known {
				t.Errorf("%s is in no room; say in rooms what it may import", name)
				continue
			}
			for _, f := range files {
				for _, spec := range f.Imports {
					p := imported(spec)
					at := set.Position(spec.Pos())
					ours, isOurs := strings.CutPrefix(p, module)
					switch {
					case isOurs:
						if !matches(allowed, ours) {
							t.Errorf("%s: %s imports %s; it may import %v", at, name, ours, allowed)
						}
					case !standard(p):
						if !matches(allowed, p) {
							t.Errorf("%s: %s imports %s; it may import %v", at, name, p, allowed)
						}
					case dir == "core" && !forTests(name) && matches(banned, p):
						t.Errorf("%s: %s imports %s; core has no clock, console, goroutine or browser", at, name, p)
					case p == "math/rand":
						t.Errorf("%s: %s imports math/rand; want math/rand/v2 with a seed", at, name)
					case dir == "core" && strings.HasPrefix(p, "math/rand") && !slices.Contains(random, name):
						t.Errorf("%s: %s imports %s; only %v draw numbers", at, name, p, random)
					}
				}
			}
		}
	}
	_, tests := sources(t, "core", true)
	for name, files := range tests {
		for _, f := range files {
			for _, spec := range f.Imports {
				if imported(spec) == "math/rand" {
					t.Errorf("a test of %s imports math/rand; want math/rand/v2 with a seed", name)
				}
			}
		}
	}
}

// TestEveryEdgeIsUsed fails on what the table allows and nobody does: an edge
// that is left over would let a later import in unseen.
func TestEveryEdgeIsUsed(t *testing.T) {
	used := map[string][]string{} // what each package imports
	for _, dir := range []string{"core", "wasm"} {
		_, packages := sources(t, dir, false)
		for name, files := range packages {
			for _, f := range files {
				for _, spec := range f.Imports {
					used[name] = append(used[name], strings.TrimPrefix(imported(spec), module))
				}
			}
		}
	}
	for name, allowed := range rooms {
		imports, there := used[name]
		if !there && name != "core" { // whose one file is the map
			t.Errorf("%s is in the table and not in the repository", name)
			continue
		}
		for _, pattern := range allowed {
			if !slices.ContainsFunc(imports, func(p string) bool { return matches([]string{pattern}, p) }) {
				t.Errorf("%s may import %s and does not", name, pattern)
			}
		}
	}
}

// TestRoomsAreOneWay fails when the table itself allows a cycle.
func TestRoomsAreOneWay(t *testing.T) {
	const visiting, done = 1, 2
	state := map[string]int{}
	var visit func(name string, trail []string)
	visit = func(name string, trail []string) {
		switch state[name] {
		case done:
			return
		case visiting:
			t.Fatalf("the rooms allow a cycle: %s", strings.Join(append(trail, name), " -> "))
		}
		state[name] = visiting
		for other := range rooms {
			if other != name && matches(rooms[name], other) {
				visit(other, append(trail, name))
			}
		}
		state[name] = done
	}
	for name := range rooms {
		visit(name, nil)
	}
}

// TestCoreIsPure finds what imports alone do not show: goroutines, channels,
// printing, the global random source, and package variables that a function
// changes.
func TestCoreIsPure(t *testing.T) {
	set, packages := sources(t, "core", false)
	for name, files := range packages {
		if forTests(name) {
			continue
		}
		for _, f := range impurities(set, files) {
			t.Errorf("%s: %s", set.Position(f.at), f.why)
		}
	}
}

func TestImpuritiesAreFound(t *testing.T) {
	const head = "package p\nimport (\"fmt\"; \"math/rand/v2\")\nvar count, table = 0, []int{1}\nvar box struct{ n int }\n"
	for _, tc := range []struct {
		body string
		want int
	}{
		{"func f() { go f() }", 1},
		{"func f(c chan int) {}", 1},
		{"type T struct{ c chan int }", 1},
		{"func f() { fmt.Println(1) }", 1},
		{"func f() { println(1) }", 1},
		{"func f() string { return fmt.Sprint(1) }", 0},
		{"func f() float64 { return rand.Float64() }", 1},
		{"func f() float64 { return rand.New(rand.NewPCG(1, 2)).Float64() }", 0},
		{"func f(rand interface{ Float64() float64 }) float64 { return rand.Float64() }", 0},
		{"func f() { count = 1 }", 1},
		{"func f() { count++ }", 1},
		{"func f() { table[0] += 2 }", 1},
		{"func f() { box.n = 2 }", 1},
		{"func f() func() { return func() { count = 2 } }", 1},
		{"func f() { elsewhere = 2 }", 1},
		{"func init() { count = 1 }", 0},
		{"func f() { count := 1; count = 2; _ = count }", 0},
		{"func f(count int) { count = 2 }", 0},
		{"func f() { var table []int; table[0] = 2 }", 0},
		{"func f() int { return count + table[0] }", 0},
	} {
		set, files := token.NewFileSet(), []*ast.File(nil)
		for name, text := range map[string]string{"a.go": head + tc.body, "b.go": "package p\nvar elsewhere int"} {
			f, err := parser.ParseFile(set, name, text, 0)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		if got := impurities(set, files); len(got) != tc.want {
			t.Errorf("%s: found %v; want %d faults", tc.body, got, tc.want)
		}
	}
}

// TestTheCheckerHasLayers fails where a file of the checker uses what a later layer, or another kind of
// proof, declares, and where a file is in no layer.
func TestTheCheckerHasLayers(t *testing.T) {
	set, packages := sources(t, "core/certify", false)
	files := packages["core/certify"]
	level, kind := map[string]int{}, map[string]int{} // by file: kinds of one level stand beside each other
	for k, layer := range checker {
		for _, name := range strings.Fields(layer.files) {
			if kind[name+".go"], level[name+".go"] = k, k; layer.beside {
				level[name+".go"] = level[strings.Fields(checker[k-1].files)[0]+".go"]
			}
		}
	}
	config := types.Config{Importer: emptyImporter{}, Error: func(error) {}}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	pkg, _ := config.Check("checked", set, files, info)
	file := func(at token.Pos) string { return path.Base(set.Position(at).Filename) }
	for _, f := range files {
		if _, there := kind[file(f.Pos())]; !there && len(f.Decls) > 0 {
			t.Errorf("%s is in no layer", file(f.Pos()))
		}
	}
	uses := 0
	for id, o := range info.Uses {
		_, method := o.(*types.Func)
		if o.Pkg() != pkg || !method && o.Parent() != pkg.Scope() {
			continue
		}
		uses++
		a, b := file(id.Pos()), file(o.Pos())
		if level[b] > level[a] || level[b] == level[a] && kind[b] != kind[a] {
			t.Errorf("%s: %s is declared in %s, which is no layer below", set.Position(id.Pos()), o.Name(), b)
		}
	}
	if uses < 500 {
		t.Errorf("only %d uses were found", uses)
	}
}

type impurity struct {
	at  token.Pos
	why string
}

// impurities looks through the files of one package.
func impurities(set *token.FileSet, files []*ast.File) []impurity {
	// What other packages hold does not matter here, so they are empty and
	// every complaint about them is dropped; names of this package resolve.
	config := types.Config{Importer: emptyImporter{}, Error: func(error) {}}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	config.Check("checked", set, files, info)

	var found []impurity
	for _, f := range files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name == "init" && fn.Recv == nil {
				continue // a table may be filled before anything runs
			}
			ast.Inspect(d, func(n ast.Node) bool {
				if why := impure(n, info.Uses); why != "" {
					found = append(found, impurity{n.Pos(), why})
				}
				return true
			})
		}
	}
	return found
}

type emptyImporter struct{}

func (emptyImporter) Import(importPath string) (*types.Package, error) {
	name := path.Base(importPath)
	if version, err := strconv.Atoi(strings.TrimPrefix(name, "v")); err == nil && version > 1 {
		name = path.Base(path.Dir(importPath))
	}
	p := types.NewPackage(importPath, name)
	p.MarkComplete()
	return p, nil
}

// seeded are the names of math/rand/v2 that do not touch its global source.
var seeded = []string{"New", "NewPCG", "NewChaCha8", "NewZipf", "Rand", "Source", "PCG", "ChaCha8", "Zipf"}

func impure(n ast.Node, uses map[*ast.Ident]types.Object) string {
	switch n := n.(type) {
	case *ast.GoStmt:
		return "a goroutine in core"
	case *ast.ChanType:
		return "a channel in core"
	case *ast.SelectorExpr:
		id, _ := n.X.(*ast.Ident)
		pkg, ok := uses[id].(*types.PkgName)
		switch {
		case !ok:
		case pkg.Imported().Path() == "fmt" && (strings.HasPrefix(n.Sel.Name, "Print") || strings.HasPrefix(n.Sel.Name, "Scan")):
			return "core reads and prints nothing: fmt." + n.Sel.Name
		case pkg.Imported().Path() == "math/rand/v2" && !slices.Contains(seeded, n.Sel.Name):
			return "rand." + n.Sel.Name + " draws from the global source; want rand.New with a seed"
		}
	case *ast.CallExpr:
		id, _ := n.Fun.(*ast.Ident)
		if b, ok := uses[id].(*types.Builtin); ok && strings.HasPrefix(b.Name(), "print") {
			return "core prints nothing: " + b.Name()
		}
	case *ast.AssignStmt:
		for _, left := range n.Lhs {
			if name, ok := packageVariable(left, uses); ok {
				return "a function changes the package variable " + name
			}
		}
	case *ast.IncDecStmt:
		if name, ok := packageVariable(n.X, uses); ok {
			return "a function changes the package variable " + name
		}
	}
	return ""
}

// packageVariable reports whether an assignable expression is, or lies in, a
// variable of the package.
func packageVariable(e ast.Expr, uses map[*ast.Ident]types.Object) (string, bool) {
	for {
		switch x := e.(type) {
		case *ast.IndexExpr:
			e = x.X
		case *ast.SelectorExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		case *ast.Ident:
			v, ok := uses[x].(*types.Var)
			return x.Name, ok && v.Pkg() != nil && v.Parent() == v.Pkg().Scope()
		default:
			return "", false
		}
	}
}
