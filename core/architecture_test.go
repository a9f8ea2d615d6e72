//go:build !js

package core_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// architecture is the page that maps the repository.
func architecture(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A path in the page is below the root, core or site/src; a file without a folder is
// somewhere, its row or its sentence saying where.
func TestArchitectureNamesPathsThatExist(t *testing.T) {
	files := map[string]bool{}
	for _, folder := range []string{"core", "wasm", "site/src", "site/guide", "site/gallery"} {
		err := filepath.WalkDir(filepath.Join("..", folder), func(file string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				files[d.Name()] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	looksLikePath := regexp.MustCompile(`^[\w.-]*(/[\w.-]*)+$|^[\w.-]+\.(go|js|mjs|ts|css|sh|wat|html)$`)
	paths := 0
	for _, quoted := range regexp.MustCompile("`([^`\n]+)`").FindAllStringSubmatch(architecture(t), -1) {
		name := quoted[1]
		switch {
		case !looksLikePath.MatchString(name), name == "syscall/js", name == "rcmdp.js", name == "dist/": // the last two are built
			continue
		}
		paths++
		if !files[name] && !slices.ContainsFunc([]string{"", "core", "wasm", "site/src"}, func(dir string) bool {
			_, err := os.Stat(filepath.Join("..", dir, name))
			return err == nil
		}) {
			t.Errorf("there is no %s", name)
		}
	}
	if paths < 60 {
		t.Errorf("only %d paths were found in the page", paths)
	}
}

// The last column of a room of core lists what it may import of ours.
func TestArchitectureSaysWhatRoomsRestOn(t *testing.T) {
	row := regexp.MustCompile("(?m)^\\| `(core/[\\w/]+)`(?:, `([\\w/]+)`)? \\|.*\\| ([^|]+) \\|$")
	said := map[string]bool{}
	for _, m := range row.FindAllStringSubmatch(architecture(t), -1) {
		names := []string{m[1]}
		if m[2] != "" {
			second := m[2]
			if !strings.HasPrefix(second, "core/") {
				second = path.Join(path.Dir(m[1]), second)
			}
			names = append(names, second)
		}
		var rests []string
		if m[3] != "nothing of ours" {
			for _, name := range strings.Split(m[3], ", ") {
				rests = append(rests, "core/"+name)
			}
		}
		for _, name := range names {
			said[name] = true
			var allowed []string
			for _, other := range rooms[name] {
				if strings.HasPrefix(other, "core/") {
					allowed = append(allowed, other)
				}
			}
			slices.Sort(allowed)
			slices.Sort(rests)
			if !slices.Equal(rests, allowed) {
				t.Errorf("%s rests on %q in the page and on %q in the lattice", name, rests, allowed)
			}
		}
	}
	for name := range rooms {
		if strings.HasPrefix(name, "core/") && !said[name] {
			t.Errorf("the page has no row for %s", name)
		}
	}
}
