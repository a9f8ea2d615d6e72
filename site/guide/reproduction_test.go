package main

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rcmdplab/core/experiment"
)

const root = "../.."

func read(t *testing.T, file string) []End {
	t.Helper()
	ends, err := decode(file)
	if err != nil {
		t.Fatal(err)
	}
	return ends
}

// The page is what the committed numbers make.
func TestPageIsMadeFromTheNumbers(t *testing.T) {
	f := files(root)
	want, err := makePage(f)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(f.page)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Error("reproduction.html is not what go run ./site/guide -page makes")
	}
}

// The committed numbers are what the code gives today, for the runs that are
// quick to repeat. Later outer steps of a search may drift where constraints
// tie, so its best feasible objective is allowed 1e-3 of H.
func TestNumbersAreWhatTheCodeGives(t *testing.T) {
	ours := read(t, files(root).ours)
	repeated := 0
	for _, p := range experiment.Presets(false) {
		h := 1 / (1 - p.Setting.Make(0).Discount)
		for _, j := range p.Jobs() {
			name := p.Methods[j.Method].Name
			search := name != "Uniform" && name != "LP"
			if search && (j.Seed != p.Seeds[0] || name != reference && name != "Sequential LP") {
				continue
			}
			got, err := run(p.Plan, j)
			if err != nil {
				t.Fatal(err)
			}
			i := slices.IndexFunc(ours, func(e End) bool { return e.Setting == got.Setting && e.Method == name && e.Seed == j.Seed })
			if i < 0 {
				t.Fatalf("no row for setting %s, %s, seed %d", got.Setting, name, j.Seed)
			}
			repeated++
			want, tol := ours[i], 1e-5
			if search {
				tol = 1e-3 * h
			}
			if math.Abs(value(got)-value(want)) > tol || !search && math.Abs(got.Violation-want.Violation) > tol {
				t.Errorf("setting %s, %s, seed %d: %+v, the table has %+v", got.Setting, name, j.Seed, got, want)
			}
		}
	}
	if repeated != 30+10+3+2 {
		t.Errorf("%d runs repeated", repeated)
	}
}

// What the page says in words holds in both tables.
func TestWordsHold(t *testing.T) {
	f := files(root)
	published := read(t, f.published)
	for i := range published {
		published[i].Method = names[published[i].Method]
	}
	for source, ends := range map[string][]End{"published": published, "ours": read(t, f.ours)} {
		type key struct{ setting, method string }
		of := map[key][]End{}
		for _, e := range ends {
			k := key{e.Setting, e.Method}
			of[k] = append(of[k], e)
		}
		for _, setting := range []string{"a", "b", "c"} {
			epi, lf, average := of[key{setting, reference}], of[key{setting, "LF"}], of[key{setting, "LF, policy average"}]
			if len(epi) != 10 || len(lf) != 10 || len(average) != 10 {
				t.Fatalf("%s, setting %s: %d, %d, %d runs", source, setting, len(epi), len(lf), len(average))
			}
			for _, e := range epi {
				if e.First < 0 || e.First > 3 || e.Violation > map[string]float64{"published": 0.003, "ours": 0.014}[source] {
					t.Errorf("%s, setting %s: EpiRC-PGS on seed %d: %+v", source, setting, e.Seed, e)
				}
			}
			violated := 0
			for _, e := range lf {
				if e.Violation > 0 {
					violated++
				}
			}
			if violated < 5 {
				t.Errorf("%s, setting %s: LF ends with a violated limit on %d problems", source, setting, violated)
			}
			feasible := 0
			for _, e := range average {
				if e.First >= 0 {
					feasible++
				}
			}
			if setting != "b" && feasible > 1 {
				t.Errorf("%s, setting %s: the policy average is feasible on %d problems", source, setting, feasible)
			}
		}
		if source == "ours" {
			for setting, most := range map[string]float64{"a": 2.9, "b": 0.3} {
				worst := 0.0
				for i, e := range of[key{setting, reference}] {
					slp := of[key{setting, "Sequential LP"}][i]
					if slp.Seed != e.Seed || slp.First < 0 || slp.Best > e.Best+1e-4 {
						t.Errorf("setting %s, seed %d: the sequential LP ends at %v, EpiRC-PGS at %v", setting, e.Seed, slp.Best, e.Best)
					}
					worst = max(worst, e.Best-slp.Best)
				}
				if worst > most || worst < most-0.2 {
					t.Errorf("setting %s: EpiRC-PGS is up to %v above the sequential LP", setting, worst)
				}
			}
		}
		gap, near := 0.0, 0.0
		for i, e := range of[key{"c", reference}] {
			lp, occupancy := of[key{"c", "LP"}][i], of[key{"c", "LF, occupancy average"}][i]
			if lp.Seed != e.Seed || occupancy.Seed != e.Seed {
				t.Fatal("seeds out of order")
			}
			gap += (e.Best - lp.Objective) / 10
			near += math.Abs(occupancy.Objective-lp.Objective) / 10
			if source == "ours" && e.Best < lp.Objective-1e-5 {
				t.Errorf("seed %d: EpiRC-PGS %v is below the LP's %v", e.Seed, e.Best, lp.Objective)
			}
			if most := map[string]float64{"published": 0.3, "ours": 1}[source]; occupancy.Violation < 0 || occupancy.Violation > most {
				t.Errorf("%s: occupancy average on seed %d violates by %v", source, e.Seed, occupancy.Violation)
			}
		}
		if gap < 0 || gap > 0.5 || near > 1.5 {
			t.Errorf("%s: EpiRC-PGS is %v above the LP, the occupancy average %v off", source, gap, near)
		}
	}
}

func TestEncodeDecode(t *testing.T) {
	nan := math.NaN()
	in := []End{
		{Setting: "a", Method: "LF, policy average", Seed: 3, Objective: -1.25, Violation: 0.5, Best: nan, First: -1},
		{Setting: "c", Method: "LP", Seed: 9, Objective: -2, Violation: 0, Best: -2, First: 0},
	}
	file := filepath.Join(t.TempDir(), "x.csv")
	if err := os.WriteFile(file, encode(in), 0o644); err != nil {
		t.Fatal(err)
	}
	for i, e := range read(t, file) {
		if w := in[i]; e.Setting != w.Setting || e.Method != w.Method || e.Seed != w.Seed || e.Objective != w.Objective ||
			e.First != w.First || !(e.Best == w.Best || math.IsNaN(e.Best) && math.IsNaN(w.Best)) {
			t.Errorf("%+v, want %+v", e, w)
		}
	}
	for _, bad := range []string{"setting\n", strings.Join(columns, ",") + "\na,b,x,1,1,1,1\n"} {
		if err := os.WriteFile(file, []byte(bad), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := decode(file); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}
