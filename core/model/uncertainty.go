package model

import (
	"fmt"
	"slices"
	"strings"
)

// Kind names a family of uncertainty sets, as in the document.
type Kind string

// The kinds of uncertainty set that a document may name.
const (
	Finite        Kind = "finite"
	KL            Kind = "kl"
	KLRegularized Kind = "kl-regularized"
	L1            Kind = "l1"
	TV            Kind = "tv"
	L2            Kind = "l2"
	LInf          Kind = "linf"
	Chi2          Kind = "chi2"
	Contamination Kind = "contamination"
	Interval      Kind = "interval"
)

// kindOf is all that the rooms ask of a kind of uncertainty set but for its worst rows.
type kindOf struct {
	title    string   // of one that has a radius, short
	fields   []string // besides "kind", in canonical order
	required int      // how many of them must be there: the first ones
	linear   bool     // nature chooses among vertices, and jumps from one to another
	ball     bool     // one distance of the row from the nominal one is at most the radius
	share    bool     // the radius is the share of a row that nature chooses
	each     bool     // every probability is within the radius of the nominal one, which is all that binds a row
	most     float64  // the largest radius that means something, 0 where any does
	paid     bool     // nature pays for how far a row is from the nominal one, and nothing else binds it
	moves    float64  // how much of the radius may move from some successors to others, 0 where that is not all that binds a row
}

var kinds = map[Kind]kindOf{
	Finite:        {fields: []string{"kernels"}, required: 1, linear: true},
	KL:            {title: "KL divergence ball", fields: []string{"nominal", "radius"}, required: 2, ball: true},
	KLRegularized: {fields: []string{"nominal", "temperature", "evaluator"}, required: 2, paid: true},
	L1:            {title: "l1 ball", fields: []string{"nominal", "radius", "support"}, required: 2, linear: true, ball: true, moves: .5},
	TV:            {title: "total variation ball", fields: []string{"nominal", "radius", "support"}, required: 2, linear: true, ball: true, moves: 1},
	L2:            {title: "l2 ball", fields: []string{"nominal", "radius", "support"}, required: 2, ball: true},
	LInf:          {title: "largest change of one probability", fields: []string{"nominal", "radius", "support"}, required: 2, linear: true, each: true},
	Chi2:          {title: "chi-square ball", fields: []string{"nominal", "radius"}, required: 2, ball: true},
	Contamination: {title: "contamination", fields: []string{"nominal", "radius", "support"}, required: 2, linear: true, share: true, most: 1},
	Interval:      {fields: []string{"lower", "upper"}, required: 2, linear: true},
}

// Title is what a kind that has a radius is called where one is chosen, short; "" of another.
func (k Kind) Title() string { return kinds[k].title }

// Rectangular reports whether nature picks every row by itself; else it picks one kernel of a list for good.
func (k Kind) Rectangular() bool {
	return kinds[k].required > 0 && !slices.Contains(kinds[k].fields, "kernels")
}

// Regularised reports whether nature may pick any row that keeps the nominal support, at a price: values are then less what
// it pays, and no kernel has them.
func (k Kind) Regularised() bool { return kinds[k].paid }

// Linear reports whether rows are bound by linear inequalities: nature's answer jumps from vertex to vertex. That of the
// other kinds moves continuously with what it faces.
func (k Kind) Linear() bool { return kinds[k].linear }

// Ball reports whether a row is bound by its distance from the nominal one alone, so that rounding may take it out.
func (k Kind) Ball() bool { return kinds[k].ball }

// Moves is how much mass may move from some successors to others, as a share of the radius, where that is all that binds
// a row, and 0 of another kind: ½Σ|p-q| is at most R/2 in an l1 ball of radius R, and R in one of total variation.
func (k Kind) Moves() float64 { return kinds[k].moves }

// Share reports whether the radius is the share of a row that nature chooses: p >= (1-R) q is all that binds it.
func (k Kind) Share() bool { return kinds[k].share }

// Each reports whether every probability is within the radius of the nominal one: |p-q| <= R is all that binds it.
func (k Kind) Each() bool { return kinds[k].each }

// Keeps reports whether mass stays where the nominal row has some; Reaches whether it may go wherever the
// document's "support" says. Finite sets and intervals do neither.
func (k Kind) Keeps() bool   { return slices.Contains(kinds[k].fields, "nominal") && !k.Reaches() }
func (k Kind) Reaches() bool { return slices.Contains(kinds[k].fields, "support") }

// MostRadius is the largest radius that means something.
func (k Kind) MostRadius() float64 {
	if most := kinds[k].most; most > 0 {
		return most
	}
	return maxFloat
}

// Kinds lists the kinds of uncertainty set, in the order of the format.
func Kinds() []Kind {
	return []Kind{Finite, KL, KLRegularized, L1, TV, L2, LInf, Chi2, Contamination, Interval}
}

// uncertainty reads the uncertainty set and with it what is available.
func (r *reader) uncertainty(u *Uncertainty) {
	const base = "/uncertainty"
	start := r.i
	where, ok := r.fields(base, `an uncertainty set such as {"kind": "finite", "kernels": [...]}`,
		"kind", "kernels", "nominal", "radius", "temperature", "evaluator", "support", "lower", "upper")
	if !ok {
		return
	}
	if !r.kindField(u, where, start) {
		return
	}
	k := kinds[u.Kind]
	for _, name := range k.fields[:k.required] {
		if _, ok := where[name]; !ok {
			r.faultf(start, base+"/"+name, "the field %q is missing; a set of kind %q has %s", name, u.Kind, Listed("and", k.fields))
		}
	}
	for name, i := range where {
		if name != "kind" && !slices.Contains(k.fields, name) {
			why := ""
			if name == "support" && u.Kind.Keeps() {
				why = "; this kind always keeps the support of the nominal row"
			}
			r.faultf(i, base+"/"+name, "the field %q does not belong to a set of kind %q, which has %s%s", name, u.Kind, Listed("and", k.fields), why)
		}
	}
	has := func(name string) bool { return slices.Contains(k.fields, name) && r.seek(where, name) }
	if has("kernels") {
		r.kernels(u)
	}
	if has("nominal") {
		t := r.transitions(base+"/nominal", "")
		r.sumToOne(t)
		r.agree([]*transitions{t})
		u.Nominal = t.kernel
	}
	if has("lower") {
		lower := r.transitions(base+"/lower", " in the lower bounds")
		if has("upper") {
			upper := r.transitions(base+"/upper", " in the upper bounds")
			r.agree([]*transitions{lower, upper})
			r.interval(lower, upper)
			u.Lower, u.Upper = lower.kernel, upper.kernel
		}
	} else if has("upper") {
		r.transitions(base+"/upper", " in the upper bounds")
	}
	if has("radius") {
		u.Radius = r.radius(u.Kind)
	}
	if has("temperature") {
		here := r.i
		x, ok := r.finite(Fault{Pointer: base + "/temperature"}, "a number above 0")
		if ok && x <= 0 {
			r.faultf(here, base+"/temperature", "found %s; want a number above 0 (the nominal model is the limit of large temperatures)", Num(x))
		} else if ok && (x > maxTemperature || x < minTemperature) {
			r.faultf(here, base+"/temperature", "found %s; want a number from %s to %s: values divided by others leave the range of 64-bit floats", Num(x), Num(minTemperature), Num(maxTemperature))
		}
		u.Temperature = x
	}
	if has("evaluator") {
		u.Paper = r.choice(base+"/evaluator", "soft", "paper") == 1
	}
	if has("support") {
		u.SupportAll = r.choice(base+"/support", "nominal", "all") == 1
	}
}

func (r *reader) kindField(u *Uncertainty, where map[string]int, start int) bool {
	names := make([]string, 0, len(kinds))
	for _, k := range Kinds() {
		names = append(names, string(k))
	}
	const p = "/uncertainty/kind"
	if !r.seek(where, "kind") {
		r.faultf(start, p, `the field "kind" is missing; want %s`, Listed("or", names))
		return false
	}
	i := r.choice(p, names...)
	if i < 0 {
		return false
	}
	u.Kind, r.set = Kind(names[i]), Kind(names[i])
	return true
}

// choice reads one of the given words and returns its index, or -1.
func (r *reader) choice(pointer string, words ...string) int {
	want := Listed("or", words)
	start := r.i
	s, ok := r.string(pointer, want)
	if !ok {
		return -1
	}
	if i := slices.Index(words, s); i >= 0 {
		return i
	}
	f := Fault{Pointer: pointer, Message: "found " + Quote(s) + "; want " + want}
	if s == "wasserstein" {
		f.Message += "; " + notServed["distance"]
	}
	if w := meant(s, words); w != "" {
		f.Fix = &Fix{`write "` + w + `"`, []Replace{{pointer, `"` + w + `"`}}}
	}
	r.fault(start, f)
	return -1
}

// meant is the word that s stands for in spite of case, spelling or a few
// letters, or "".
func meant(s string, words []string) string {
	s = strings.ToLower(strings.TrimSpace(s))
	best, d := "", 3
	for _, w := range words {
		if e := distance(s, w); e < d && e < len(w) {
			best, d = w, e
		}
	}
	if best != "" || len(s) < 3 {
		return best
	}
	for _, w := range words {
		if strings.HasPrefix(w, s) || strings.HasPrefix(s, w) {
			return w
		}
	}
	return ""
}

func (r *reader) kernels(u *Uncertainty) {
	const base = "/uncertainty/kernels"
	start := r.i
	if !r.into(Fault{Pointer: base}, `a list of kernels, each {"name": ..., "transitions": ...}`) {
		return
	}
	var all []*transitions
	var weights []float64
	var places []int
	taken := map[string]int{}
	for r.more(']') {
		i, here := len(all), r.i
		p := at(base, i)
		where, ok := r.fields(p, `a kernel {"name": ..., "transitions": ...}`, "name", "weight", "transitions")
		end := r.i
		t := &transitions{kernel: &Kernel{}}
		all = append(all, t)
		weights, places = append(weights, nan), append(places, here)
		if !ok {
			continue
		}
		if r.seek(where, "weight") {
			weights[i] = r.weight(p + "/weight")
		}
		name := r.title(where, p, here, fmt.Sprintf("P%d", i+1), "kernel")
		if j, twice := taken[name]; twice {
			r.faultf(here, p+"/name", "the name %s is taken by kernel %d; names must differ", Quote(name), j+1)
		} else {
			taken[name] = i
		}
		if r.seek(where, "transitions") {
			*t = *r.transitions(p+"/transitions", " under kernel "+Quote(name))
			r.sumToOne(t)
		} else {
			r.faultf(here, p+"/transitions", `the field "transitions" is missing; want [state][action][next state], or {"entries": [...]}`)
		}
		t.kernel.Name = name
		r.i = end
	}
	if len(all) == 0 {
		r.faultf(start, base, "the list is empty; want at least one kernel")
	}
	r.agree(all)
	u.Weights = r.weights(weights, places, start)
	for _, t := range all {
		u.Kernels = append(u.Kernels, t.kernel)
	}
}

// title reads the optional name of a kernel or cost.
func (r *reader) title(where map[string]int, base string, at int, otherwise, noun string) string {
	if !r.seek(where, "name") {
		return otherwise
	}
	s, ok := r.string(base+"/name", "the "+noun+"'s name in quotes")
	if ok && s == "" {
		r.faultf(at, base+"/name", "the name of a %s is empty", noun)
	}
	if !ok || s == "" {
		return otherwise
	}
	return s
}

// interval reports rows that no distribution fits.
func (r *reader) interval(lower, upper *transitions) {
	if !lower.ok || !upper.ok || !slices.Equal(lower.available, upper.available) {
		return
	}
	hi := make([]float64, r.s)
	for i, g := range lower.pairs {
		if lower.bad[i] || upper.bad[i] {
			continue
		}
		nextHi, probHi := upper.kernel.Row(i)
		for j, t := range nextHi {
			hi[t] = probHi[j]
		}
		f := r.pair("", g/r.a, g%r.a)
		crossed := false
		next, prob := lower.kernel.Row(i)
		for j, t := range next {
			if p := prob[j]; p > hi[t] {
				f.Pointer = lower.cellPointer(r, i, lower.kernel.Ptr[i]+j)
				r.say(lower.rowStart[i], f, "the lower bound of %s leading to %s is %s and the upper bound is %s; want lower <= upper",
					f.in(), Quote(r.states[t]), Num(p), Num(hi[t]))
				crossed = true
			}
		}
		for _, t := range nextHi {
			hi[t] = 0
		}
		if crossed {
			continue
		}
		if sum := Sum(prob); sum > 1+RowTolerance+slack {
			f.Pointer = lower.rowPointer(r, i)
			r.say(lower.rowStart[i], f, "the lower bounds of %s sum to %s; no distribution fits above them: want at most 1 (%s too much)",
				f.in(), Digits(sum, 12), Digits(sum-1, 3))
		}
		if sum := Sum(probHi); sum < 1-RowTolerance-slack {
			f.Pointer = upper.rowPointer(r, i)
			r.say(upper.rowStart[i], f, "the upper bounds of %s sum to %s; no distribution fits below them: want at least 1 (%s short)",
				f.in(), Digits(sum, 12), Digits(1-sum, 3))
		}
	}
}

// radius reads one number, or one for each pair.
func (r *reader) radius(kind Kind) []float64 {
	const base = "/uncertainty/radius"
	want, most := "a radius, a number >= 0", maxFloat
	if kind.MostRadius() == 1 {
		want, most = "a fraction R with 0 <= R <= 1", 1
	}
	one := func(f Fault) float64 {
		start := r.i
		x, ok := r.finite(f, want)
		if ok && (x < 0 || x > most) {
			f.Message = fmt.Sprintf("found %s; want %s", Num(x), want)
			if f.State != "" {
				f.Message = fmt.Sprintf("the radius of %s is %s; want %s", f.in(), Num(x), want)
			}
			r.fault(start, f)
		}
		return x
	}
	if r.kind() != list {
		if r.kind() == object || r.kind() == null {
			r.wrong(Fault{Pointer: base}, want+", or one for each [state][action]")
			return nil
		}
		return []float64{one(Fault{Pointer: base})}
	}
	var v []float64
	r.grid(base, "one radius for each [state][action]", func(s, a int) {
		if x, ok := r.simple(0, most); ok {
			v = append(v, x)
			return
		}
		v = append(v, r.cell(r.pair(at(base, s, a), s, a), s, a, one))
	})
	return v
}

// cell reads the value of a pair: null, which is NaN, only where the pair is
// not available.
func (r *reader) cell(f Fault, s, a int, read func(Fault) float64) float64 {
	if r.kind() != null {
		return read(f)
	}
	if r.available != nil && s < r.s && a < r.a && r.available[s*r.a+a] && (r.end == nil || !r.end[s]) {
		r.wrong(f, "a number, as "+f.in()+" is available")
	} else {
		r.raw()
	}
	return nan
}
