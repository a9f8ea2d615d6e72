package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"rcmdplab/core/experiment"
)

//go:embed reproduction.tmpl
var text string

// layout is a mark of layout.mjs, which puts what pages share around this one;
// package template drops comments that stand in the text.
func layout(mark string) template.HTML { return template.HTML("<!--" + mark + "-->") }

// names are ours for the authors' methods.
var names = map[string]string{
	`Uniform policy ($\pi_{\mathrm{unif}}$)`: "Uniform",
	`LF`:                                     "LF",
	`LF-policy-avg`:                          "LF, policy average",
	`LF-occ-avg`:                             "LF, occupancy average",
	`$\mathbf{EpiRC\operatorname{-}PGS\;(Ours)}$`: "EpiRC-PGS",
	`Optimal policy`: "LP",
}

// reference is the method that the others are held against.
const reference = "EpiRC-PGS"

// Section is one setting of the page.
type Section struct {
	ID, Title, Axis string
	Rows            []Row
	Order           string // by problems solved, then by objective: in the paper, here
	Inner           string // what the runs were made with
}

// Row is a method; each pair is the paper's value and ours.
type Row struct {
	Method                       string
	Feasible, Best, Above        [2]string
	Violation, First             [2]string
	Strip                        template.HTML
	Seeds                        []Seed
	found                        [2]int
	mean                         [2]float64
	best                         [2]experiment.Point
	presentPublished, presentOur bool
}

// Seed is one line of the long table.
type Seed struct {
	Seed                       uint64
	Best, Objective, Violation [2]string
}

func makePage(f places) ([]byte, error) {
	published, err := decode(f.published)
	if err != nil {
		return nil, err
	}
	for i, e := range published {
		name, ok := names[e.Method]
		if !ok {
			return nil, fmt.Errorf("%s: method %q is not known", f.published, e.Method)
		}
		published[i].Method = name
	}
	ours, err := decode(f.ours)
	if err != nil {
		return nil, err
	}
	var sections []Section
	for _, p := range experiment.Presets(false) {
		sections = append(sections, section(p, published, ours))
	}
	t, err := template.New("reproduction").Funcs(template.FuncMap{"layout": layout}).Parse(text)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, sections); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// section compares the two sources on one setting.
func section(p experiment.Preset, published, ours []End) Section {
	s := Section{ID: p.Setting.ID, Title: p.Setting.Title}
	sources := [2][]End{published, ours}
	of := func(source int, method string) []End {
		var ends []End
		for _, e := range sources[source] {
			if e.Setting == p.Setting.ID && e.Method == method {
				ends = append(ends, e)
			}
		}
		return ends
	}
	low := 0.0
	for source := range sources {
		for _, e := range sources[source] {
			if e.Setting == p.Setting.ID && value(e) < low {
				low = value(e)
			}
		}
	}
	low = -10 * math.Ceil(-low/10)
	s.Axis = number(low, 0)
	for _, m := range []string{"Uniform", "LF", "LF, policy average", "LF, occupancy average", reference, "Sequential LP", "LP"} {
		r := Row{Method: m}
		var dots [2][]float64
		for source := range sources {
			ends := of(source, m)
			if len(ends) == 0 {
				r.Feasible[source], r.Best[source], r.Above[source], r.Violation[source], r.First[source] = "–", "–", "–", "–", "–"
				continue
			}
			if source == 0 {
				r.presentPublished = true
			} else {
				r.presentOur = true
			}
			var violation, first, above []float64
			for _, e := range ends {
				violation = append(violation, e.Violation)
				if e.First >= 0 {
					first = append(first, float64(e.First))
					r.found[source]++
				}
				dots[source] = append(dots[source], value(e))
				for _, q := range of(source, reference) {
					if q.Seed == e.Seed {
						above = append(above, value(e)-value(q))
					}
				}
			}
			r.best[source] = experiment.Summarise(dots[source])
			r.mean[source] = r.best[source].Mean
			gap := experiment.Summarise(above)
			r.Feasible[source] = fmt.Sprintf("%d of %d", r.found[source], len(ends))
			r.Best[source] = number(r.best[source].Mean, 2)
			r.Above[source] = signed(gap)
			if m == reference {
				r.Above[source] = "0"
			}
			r.Violation[source] = number(experiment.Summarise(violation).Median, 3)
			r.First[source] = number(experiment.Summarise(first).Median, 1)
		}
		if !r.presentPublished && !r.presentOur {
			continue
		}
		r.Strip = strip(dots, low)
		r.Seeds = seeds(of(0, m), of(1, m))
		s.Rows = append(s.Rows, r)
	}
	s.Order = order(s.Rows, 0) + " in the paper; " + order(s.Rows, 1) + " here"
	s.Inner = hyperparameters(p.Methods)
	return s
}

// value is the objective that stands for a run: of its best feasible step. The
// LP's is taken as it is: the published one is infeasible by the rounding of
// single precision.
func value(e End) float64 {
	if e.Method == "LP" {
		return e.Objective
	}
	return e.Best
}

// order lists the methods that search by problems with a feasible policy, then
// by the mean objective of those.
func order(rows []Row, source int) string {
	var in []Row
	for _, r := range rows {
		if r.Method != "Uniform" && r.Method != "LP" && r.Method != "Sequential LP" && (source == 0 && r.presentPublished || source == 1 && r.presentOur) {
			in = append(in, r)
		}
	}
	slices.SortStableFunc(in, func(a, b Row) int {
		if d := b.found[source] - a.found[source]; d != 0 {
			return d
		}
		switch {
		case a.mean[source] < b.mean[source]:
			return -1
		case a.mean[source] > b.mean[source]:
			return 1
		}
		return 0
	})
	var list []string
	for _, r := range in {
		list = append(list, fmt.Sprintf("%s (%d)", plain(r.Method), r.found[source]))
	}
	return strings.Join(list, ", ")
}

// plain is a method's name without the comma, for lists.
func plain(name string) string { return strings.ReplaceAll(name, ",", "") }

// hyperparameters says what the searches ran with, methods of equal settings
// together.
func hyperparameters(methods []experiment.Method) string {
	var keys []string
	of := map[string][]string{}
	for _, m := range methods {
		if x := m.Settings; x.InnerIterations > 0 {
			k := fmt.Sprintf("K = %d, T = %d, α = %s", x.OuterIterations, x.InnerIterations, strconv.FormatFloat(x.StepSize, 'f', -1, 64))
			if of[k] == nil {
				keys = append(keys, k)
			}
			of[k] = append(of[k], plain(m.Name))
		}
	}
	for i, k := range keys {
		keys[i] = k + " (" + strings.Join(of[k], ", ") + ")"
	}
	return strings.Join(keys, " and ")
}

func seeds(published, ours []End) []Seed {
	bySeed := map[uint64]*Seed{}
	for source, ends := range [2][]End{published, ours} {
		for _, e := range ends {
			s := bySeed[e.Seed]
			if s == nil {
				s = &Seed{Seed: e.Seed, Best: [2]string{"–", "–"}, Objective: [2]string{"–", "–"}, Violation: [2]string{"–", "–"}}
				bySeed[e.Seed] = s
			}
			s.Best[source], s.Objective[source], s.Violation[source] = number(e.Best, 2), number(e.Objective, 2), number(e.Violation, 3)
		}
	}
	var list []Seed
	for _, s := range bySeed {
		list = append(list, *s)
	}
	slices.SortFunc(list, func(a, b Seed) int { return int(a.Seed) - int(b.Seed) })
	return list
}

// strip draws one dot for each problem: the paper's above, ours below, from
// low on the left to 0 on the right.
func strip(dots [2][]float64, low float64) template.HTML {
	const width, pad = 240.0, 7.0
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="strip" viewBox="0 0 %v 34" width="%v" height="34" aria-hidden="true"><path d="M%v,17H%v"/>`, width, width, pad, width-pad)
	for source, class := range [2]string{"published", "ours"} {
		for _, x := range dots[source] {
			if !math.IsNaN(x) {
				fmt.Fprintf(&b, `<circle class="%s" cx="%.1f" cy="%d" r="3.5"/>`, class, pad+(width-2*pad)*(1-x/low), 9+16*source)
			}
		}
	}
	b.WriteString(`</svg>`)
	return template.HTML(b.String())
}

// number writes decimals as a person reads them; what is not defined is a dash.
func number(x float64, decimals int) string {
	if math.IsNaN(x) {
		return "–"
	}
	t := strconv.FormatFloat(x, 'f', decimals, 64)
	if strings.Trim(t, "-0.") == "" {
		t = strings.TrimPrefix(t, "-")
	}
	if strings.Contains(t, ".") && decimals == 1 {
		t = strings.TrimSuffix(t, ".0")
	}
	return strings.Replace(t, "-", "−", 1)
}

// signed is a mean difference and how many pairs it is from.
func signed(p experiment.Point) string {
	if p.Count == 0 {
		return "–"
	}
	t := number(p.Mean, 2)
	if p.Mean > 0 && !strings.HasPrefix(t, "0.00") {
		t = "+" + t
	}
	return fmt.Sprintf("%s (%d)", t, p.Count)
}
