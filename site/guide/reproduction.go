// Command guide remakes what reproduction.html shows: it runs the paper's three
// settings at the paper's hyperparameters on problems of our own generator,
// keeps what every run ended with in reproduction.csv, and writes the tables
// and pictures beside the authors' published values.
//
//	go run ./site/guide            all runs, a few minutes, then the page
//	go run ./site/guide -page      only the page, from reproduction.csv
package main

import (
	"encoding/csv"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"

	"rcmdplab/core/experiment"
)

func main() {
	log.SetFlags(0)
	pageOnly := flag.Bool("page", false, "make the page from reproduction.csv without running anything")
	root := flag.String("root", ".", "folder of the repository")
	flag.Parse()
	f := files(*root)
	if !*pageOnly {
		ends, err := runAll(experiment.Presets(false))
		if err != nil {
			log.Fatal(err)
		}
		if err := os.WriteFile(f.ours, encode(ends), 0o644); err != nil {
			log.Fatal(err)
		}
	}
	page, err := makePage(f)
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(f.page, page, 0o644); err != nil {
		log.Fatal(err)
	}
}

// places are the files that the command reads and writes.
type places struct{ ours, published, page string }

func files(root string) places {
	return places{
		ours:      filepath.Join(root, "site", "guide", "reproduction.csv"),
		published: filepath.Join(root, "core", "testdata", "fixtures", "published.csv"),
		page:      filepath.Join(root, "site", "guide", "reproduction.html"),
	}
}

// End is what one run ended with, in the terms of the published table:
// objectives relative to the uniform policy's, NaN and -1 where no outer step
// was feasible.
type End struct {
	Setting, Method string
	Seed            uint64
	Objective       float64 // of the last outer step
	Violation       float64 // of the last outer step
	Best            float64 // least objective of a feasible outer step
	First           int     // first feasible outer step
}

// runAll does every job of the presets, one per processor at a time.
func runAll(presets []experiment.Preset) ([]End, error) {
	type task struct {
		p  experiment.Plan
		j  experiment.Job
		at *End
	}
	var tasks []task
	var n int
	for _, p := range presets {
		n += len(p.Jobs())
	}
	ends := make([]End, n)
	for _, p := range presets {
		for _, j := range p.Jobs() {
			tasks = append(tasks, task{p.Plan, j, &ends[len(tasks)]})
		}
	}
	queue, errs := make(chan task), make(chan error, n)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for t := range queue {
				end, err := run(t.p, t.j)
				if err != nil {
					errs <- err
				}
				*t.at = end
			}
		})
	}
	for _, t := range tasks {
		queue <- t
	}
	close(queue)
	workers.Wait()
	select {
	case err := <-errs:
		return nil, err
	default:
		return ends, nil
	}
}

func run(p experiment.Plan, j experiment.Job) (End, error) {
	t, err := p.Run(j)
	if err == nil && len(t.Objective) == 0 {
		err = fmt.Errorf("setting %s, seed %d, %s: %s", p.Setting.ID, j.Seed, p.Methods[j.Method].Name, t.Note)
	}
	if err != nil {
		return End{}, err
	}
	last := len(t.Objective) - 1
	return End{
		Setting: p.Setting.ID, Method: p.Methods[j.Method].Name, Seed: j.Seed,
		Objective: t.Objective[last] - t.Uniform, Violation: t.Violation[last], Best: t.Best - t.Uniform, First: t.First,
	}, nil
}

var columns = []string{"setting", "algorithm", "seed", "final_J0_minus_Junif", "final_max_violation", "best_feasible_J0_minus_Junif", "first_feasible_outer_iter"}

// encode writes five decimals, as the published file does.
func encode(ends []End) []byte {
	var b []byte
	num := func(x float64) string {
		if math.IsNaN(x) {
			return ""
		}
		return strconv.FormatFloat(x, 'f', 5, 64)
	}
	add := func(fields []string) {
		for i, f := range fields {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, f...)
		}
		b = append(b, '\n')
	}
	add(columns)
	for _, e := range ends {
		first := ""
		if e.First >= 0 {
			first = strconv.Itoa(e.First)
		}
		add([]string{e.Setting, strconv.Quote(e.Method), strconv.FormatUint(e.Seed, 10), num(e.Objective), num(e.Violation), num(e.Best), first})
	}
	return b
}

// decode reads our table or the published one, which has a column more and
// the authors' names.
func decode(file string) ([]End, error) {
	r, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	records, err := csv.NewReader(r).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	at := map[string]int{}
	for i, name := range records[0] {
		at[name] = i
	}
	for _, name := range columns {
		if _, ok := at[name]; !ok {
			return nil, fmt.Errorf("%s: no column %s", file, name)
		}
	}
	var ends []End
	for i, rec := range records[1:] {
		num := func(name string) float64 {
			if rec[at[name]] == "" {
				return math.NaN()
			}
			x, e := strconv.ParseFloat(rec[at[name]], 64)
			if e != nil && err == nil {
				err = fmt.Errorf("%s: row %d: %w", file, i+2, e)
			}
			return x
		}
		e := End{
			Setting: rec[at["setting"]][:1], Method: rec[at["algorithm"]], Seed: uint64(num("seed")),
			Objective: num(columns[3]), Violation: num(columns[4]), Best: num(columns[5]), First: -1,
		}
		if k := num(columns[6]); !math.IsNaN(k) {
			e.First = int(k)
		}
		ends = append(ends, e)
	}
	return ends, err
}
