package model

import (
	"fmt"
	"math"
	"slices"

	"rcmdplab/core/jsontext"
)

// What a cost comes to over the models of a finite set, and how much each counts.
//
// With weights w_k that sum to 1 and a share α, the return of a cost is
//
//	ρ(J_1..J_M) = max Σ_k q_k J_k  over  q >= 0, Σ q = 1, q_k <= w_k/α:
//
// the mean of the worst share α of the models (conditional value at risk; Rockafellar and
// Uryasev 2000). α = 1 is the mean over all of them. α = 0 stands for the worst model, whatever
// its weight.

// MinShare is the least α of {"cvar": α}: a share that is smaller than any weight is
// the worst of the models that have one.
const MinShare = 1e-9

const overWords = `"worst", "mean" or {"cvar": 0.1}`

// over reads what a cost comes to over the models: the α above.
func (r *reader) over(pointer string) (share float64) {
	start := r.i
	switch {
	case r.kind() == object:
		where, ok := r.fields(pointer, overWords, "cvar")
		if !ok {
			return 0
		}
		end := r.i
		if !r.seek(where, "cvar") {
			r.faultf(start, pointer, `found no "cvar"; want %s`, overWords)
			return 0
		}
		here := r.i
		x, ok := r.finite(Fault{Pointer: pointer + "/cvar"}, "a share α of the models with 0 < α <= 1")
		if ok && !(x >= MinShare && x <= 1) {
			f := Fault{Pointer: pointer + "/cvar", Message: fmt.Sprintf("found %s; want a share α of the models with 0 < α <= 1 (at least %s): the mean over the worst share α of them", Num(x), Num(MinShare))}
			if x > 1 && x < 100 {
				f.Message += "; a percentage is written as a fraction"
				f.Fix = &Fix{"write " + Num(x/100), []Replace{{f.Pointer, Num(x / 100)}}}
			}
			if x == 0 {
				f.Message += `; the worst model alone is "worst"`
				f.Fix = &Fix{`write "worst"`, []Replace{{pointer, `"worst"`}}}
			}
			r.fault(here, f)
			x, ok = 0, false
		}
		share = x
		r.i = end
	case r.kind() == text:
		switch name := r.name(); name {
		case "worst":
		case "mean":
			share = 1
		default:
			f := Fault{Pointer: pointer, Message: "found " + Quote(name) + "; want " + overWords}
			if w := meant(name, []string{"worst", "mean", "cvar"}); w == "cvar" {
				f.Message += ": the mean over the worst share of the models, here a tenth"
			} else if w != "" {
				f.Fix = &Fix{`write "` + w + `"`, []Replace{{pointer, `"` + w + `"`}}}
			}
			r.fault(start, f)
		}
	default:
		r.wrong(Fault{Pointer: pointer}, overWords)
	}
	if share > 0 && r.set.Rectangular() {
		r.faultf(start, pointer, "an average over models needs a list of them, and the uncertainty set is of kind %q: its worst case is what counts. "+
			`Take "worst", or a set of kind "finite" whose kernels have weights`, r.set)
		return 0
	}
	return share
}

// appendOver writes it, unless it is the worst model.
func appendOver(b []byte, share float64) []byte {
	switch share {
	case 0:
		return b
	case 1:
		return jsontext.AppendString(appendKey(b, "over"), "mean")
	}
	return append(jsontext.AppendNumber(append(appendKey(b, "over"), `{"cvar":`...), share), '}')
}

// weights judges those of a finite set's kernels, NaN where one has none: all have one and
// they sum to 1, or none has, which is nil.
func (r *reader) weights(w []float64, places []int, start int) []float64 {
	const base = "/uncertainty/kernels"
	missing, sum := -1, 0.0
	given := false
	for k, x := range w {
		if math.IsNaN(x) {
			missing = k
		} else {
			given = true
			sum += x
		}
	}
	if !given {
		return nil
	}
	if missing >= 0 {
		r.faultf(places[missing], at(base, missing)+"/weight", "kernel %d has no weight and others have; want one on each, or on none (then all count alike)", missing+1)
		return nil
	}
	if off := math.Abs(sum - 1); off > RowTolerance+slack {
		f := Fault{Pointer: base, Message: "the weights of the kernels sum to " + offBy(sum)}
		if sum > 0 && sum <= MaxCost {
			f.Fix = &Fix{Label: "divide the weights by their sum"}
			for k, x := range normalised(w) {
				f.Fix.Patch = append(f.Fix.Patch, Replace{at(base, k) + "/weight", Num(x)})
			}
		}
		r.fault(start, f)
		return nil
	}
	return w
}

// weight reads that of one kernel.
func (r *reader) weight(pointer string) float64 {
	start := r.i
	x, ok := r.finite(Fault{Pointer: pointer}, "a weight, a number from 0 to 1")
	if ok && (x < 0 || x > MaxCost || r.below(x)) {
		r.faultf(start, pointer, "found %s; want a weight, a number from 0 to 1", Num(x))
	}
	return max(x, 0)
}

// Averaged reports whether some cost is averaged over the models of a finite set.
func (p *Problem) Averaged() bool {
	for i := range p.Constraints {
		if p.Constraints[i].Over > 0 {
			return true
		}
	}
	return p.Objective.Over > 0
}

// Averaged reports whether some cost is averaged over models of which there is more than one.
func (m *Standard) Averaged() bool { return len(m.Kernels) > 1 && slices.Max(m.Over) > 0 }

// ModelWeights are those of a finite set's kernels, divided by their sum: all alike where the document
// has none. Nil for other sets.
func (p *Problem) ModelWeights() []float64 {
	w := p.Uncertainty.Weights
	if w == nil {
		w = make([]float64, len(p.Uncertainty.Kernels))
		for k := range w {
			w[k] = 1
		}
	}
	return normalised(w)
}
