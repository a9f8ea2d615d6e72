//go:build ignore

// Mutants breaks the solver on purpose, one place at a time, and says which
// tests see it:
//
//	go run site/report/mutants.go [-n 300] [-seed 1] [-rooms REGEXP]
//
// A mutant is one changed constant, comparison or sign in a function outside
// tests. They are drawn by the seed, evenly over all such places; what does
// not compile is drawn again. Each is built by an overlay, so that no file of
// the tree is touched, and put to all tests of its own package; where none of
// them sees it, to those of the packages that import it.
//
// Printed are the mutants that no test saw, how many each test saw, and the
// tests that saw none. A test that runs out of time has seen its mutant.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// patience is what go test gives a package before it counts as hung: several
// times what the longest takes beside other work.
const patience = "5m"

func main() {
	n := flag.Int("n", 300, "how many mutants")
	seed := flag.Uint64("seed", 1, "of the draw")
	rooms := flag.String("rooms", "", "only packages whose import path matches this `regexp`")
	flag.Parse()
	if err := run(*n, *seed, *rooms); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

// room is a package as go list describes it.
type room struct {
	Dir, ImportPath                    string
	GoFiles, TestGoFiles, XTestGoFiles []string
	Imports, TestImports, XTestImports []string
}

func (r *room) tested() bool { return len(r.TestGoFiles)+len(r.XTestGoFiles) > 0 }

// A mutant is a place in a file and what stands there instead.
type mutant struct {
	room     *room
	file     string
	from, to int // bytes of the file
	line     int
	was, is  string
}

func (m mutant) String() string {
	return fmt.Sprintf("%s:%d %s -> %s", filepath.Join(strings.TrimPrefix(m.room.ImportPath, "rcmdplab/"), filepath.Base(m.file)), m.line, m.was, m.is)
}

func run(n int, seed uint64, pattern string) error {
	matching, err := regexp.Compile(pattern)
	if err != nil {
		return err
	}
	all, err := list()
	if err != nil {
		return err
	}
	var places []mutant
	for _, r := range all {
		if r.tested() && !strings.Contains(r.ImportPath, "/internal/") && matching.MatchString(r.ImportPath) {
			if places, err = r.places(places); err != nil {
				return err
			}
		}
	}
	if len(places) < n {
		return fmt.Errorf("got %d places to change; want at least %d", len(places), n)
	}
	folder, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)

	random := rand.New(rand.NewPCG(seed, 0))
	random.Shuffle(len(places), func(i, j int) { places[i], places[j] = places[j], places[i] })
	seen, unseen := map[string]int{}, []mutant(nil) // how many each test saw; also none, of its own package
	tried := 0
	for _, m := range places {
		if tried == n {
			break
		}
		overlay, err := m.overlay(folder)
		if err != nil {
			return err
		}
		if exec.Command("go", "build", "-overlay", overlay, m.room.ImportPath).Run() != nil {
			continue // such as a sign between two texts
		}
		tried++
		red, err := m.judge(overlay, seen, m.room.ImportPath)
		if err != nil {
			return err
		}
		if len(red) == 0 {
			if above := importers(all, m.room.ImportPath); len(above) > 0 {
				if red, err = m.judge(overlay, seen, above...); err != nil {
					return err
				}
			}
		}
		if len(red) == 0 {
			unseen = append(unseen, m)
		}
		fmt.Fprintf(os.Stderr, "%d of %d: %v: %s\n", tried, n, m, told(red))
	}

	fmt.Printf("%d mutants by seed %d: %d seen, %d not\n", tried, seed, tried-len(unseen), len(unseen))
	for _, m := range unseen {
		fmt.Println("not seen:", m)
	}
	tests := make([]string, 0, len(seen))
	for test := range seen {
		tests = append(tests, test)
	}
	slices.SortFunc(tests, func(a, b string) int {
		if seen[a] != seen[b] {
			return seen[b] - seen[a]
		}
		return strings.Compare(a, b)
	})
	for _, test := range tests {
		fmt.Printf("%4d seen by %s\n", seen[test], test)
	}
	return nil
}

func told(red []string) string {
	switch len(red) {
	case 0:
		return "not seen"
	case 1:
		return "seen by " + red[0]
	}
	return fmt.Sprintf("seen by %s and %d more", red[0], len(red)-1)
}

// list gives the packages of the core and of the wire.
func list() ([]*room, error) {
	out, err := exec.Command("go", "list", "-json", "./core/...", "./wasm/wire").Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var all []*room
	for in := json.NewDecoder(bytes.NewReader(out)); ; {
		r := new(room)
		if err := in.Decode(r); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
}

// importers gives the packages whose tests use a package directly.
func importers(all []*room, of string) []string {
	var above []string
	for _, r := range all {
		if r.ImportPath != of && r.tested() && (slices.Contains(r.Imports, of) || slices.Contains(r.TestImports, of) || slices.Contains(r.XTestImports, of)) {
			above = append(above, r.ImportPath)
		}
	}
	return above
}

// instead is what takes an operator's place: what an oversight would write.
var instead = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.ADD: token.SUB, token.SUB: token.ADD,
}

// places adds every place of the package that a mutant may change.
func (r *room) places(places []mutant) ([]mutant, error) {
	for _, name := range r.GoFiles {
		file := filepath.Join(r.Dir, name)
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, file, text, 0)
		if err != nil {
			return nil, err
		}
		add := func(pos token.Pos, was, is string) {
			at := set.Position(pos)
			places = append(places, mutant{room: r, file: file, from: at.Offset, to: at.Offset + len(was), line: at.Line, was: was, is: is})
		}
		for _, declared := range tree.Decls {
			function, ok := declared.(*ast.FuncDecl)
			if !ok || function.Body == nil {
				continue
			}
			ast.Inspect(function.Body, func(node ast.Node) bool {
				switch node := node.(type) {
				case *ast.BinaryExpr:
					if other, ok := instead[node.Op]; ok {
						add(node.OpPos, node.Op.String(), other.String())
					}
				case *ast.UnaryExpr:
					if node.Op == token.SUB {
						add(node.OpPos, "-", "+")
					}
				case *ast.BasicLit:
					if is := otherNumber(node); is != "" {
						add(node.Pos(), node.Value, is)
					}
				case *ast.CallExpr:
					// What a fault of ours says, or holds, is not what tests look at.
					if name, ok := node.Fun.(*ast.Ident); ok && name.Name == "panic" {
						return false
					}
				}
				return true
			})
		}
	}
	return places, nil
}

// otherNumber gives a number a little off: a count by one, a real by half.
func otherNumber(literal *ast.BasicLit) string {
	switch literal.Kind {
	case token.INT:
		if n, err := strconv.ParseInt(literal.Value, 0, 64); err == nil {
			return strconv.FormatInt(n+1, 10)
		}
	case token.FLOAT:
		if x, err := strconv.ParseFloat(literal.Value, 64); err == nil {
			if x == 0 {
				return "1.0"
			}
			return strconv.FormatFloat(1.5*x, 'e', -1, 64)
		}
	}
	return ""
}

// overlay writes the changed file into the folder, and what tells go build of it.
func (m mutant) overlay(folder string) (string, error) {
	text, err := os.ReadFile(m.file)
	if err != nil {
		return "", err
	}
	changed := filepath.Join(folder, "changed.go")
	if err := os.WriteFile(changed, slices.Concat(text[:m.from], []byte(m.is), text[m.to:]), 0o600); err != nil {
		return "", err
	}
	replaces, err := json.Marshal(map[string]map[string]string{"Replace": {m.file: changed}})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(folder, "overlay.json")
	return overlay, os.WriteFile(overlay, replaces, 0o600)
}

// judge runs the tests of some packages and gives those that turned red, each
// with its package, and counts them in seen, where all tests of the mutant's
// own package are named.
func (m mutant) judge(overlay string, seen map[string]int, packages ...string) ([]string, error) {
	args := append([]string{"test", "-json", "-vet=off", "-timeout", patience, "-overlay", overlay}, packages...)
	cmd := exec.Command("go", args...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	var red []string
	in := bufio.NewScanner(out)
	in.Buffer(nil, 1<<24)
	for in.Scan() {
		var event struct{ Action, Package, Test string }
		if json.Unmarshal(in.Bytes(), &event) != nil || strings.Contains(event.Test, "/") {
			continue
		}
		test := strings.TrimPrefix(event.Package, "rcmdplab/") + " " + event.Test
		switch {
		case event.Action == "run" && event.Package == m.room.ImportPath:
			seen[test] += 0
		case event.Action == "fail" && event.Test != "":
			seen[test]++
			red = append(red, test)
		case event.Action == "fail" && len(red) == 0: // a crash, or out of time
			red = append(red, test+"(the package)")
		}
	}
	if err := in.Err(); err != nil {
		return nil, err
	}
	var failed *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &failed) {
		return nil, err
	}
	return red, nil
}
