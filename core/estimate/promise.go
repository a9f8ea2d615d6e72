package estimate

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"rcmdplab/core/model"
)

// Promise is what an estimated set promises when every radius is made a share of what it is.
type Promise struct {
	Now        float64 // confidence that all tried rows are in the set as it is
	Confidence float64 // the same in the smaller one; 0 where none can be stated
	Each       float64 // that the worst of the rows is, by itself
	Vague      int     // rows whose radius was cut off at the whole simplex: of a smaller one the formula says nothing
}

// shrunk is how the source of a model tells that radii were made smaller.
const shrunk = " % of each radius"

// Shrunk is the source of a problem whose radii are made a share of what they are; "" where there is none.
func Shrunk(p *model.Problem, share float64) string {
	if p.Source == "" {
		return ""
	}
	return p.Source + "; " + strconv.FormatFloat(100*share, 'g', 6, 64) + shrunk
}

// told is what the source of an estimated model says of how its radii were made; ok is false for any
// other source, and for radii that no closed formula gives.
func told(p *model.Problem) (kind Kind, steps float64, pairs int, confidence, before float64, ok bool) {
	before = 1
	for _, part := range strings.Split(p.Source, ";") {
		part = strings.TrimSpace(part)
		if percent, is := strings.CutSuffix(part, shrunk); is {
			x, err := strconv.ParseFloat(percent, 64)
			if err != nil || !(x > 0) {
				return "", 0, 0, 0, 0, false
			}
			before *= x / 100
		}
		if strings.HasPrefix(part, "prior ") {
			return "", 0, 0, 0, 0, false
		}
		if _, counts, is := strings.Cut(part, ": "); is && strings.HasPrefix(part, "estimated from ") {
			many, rest, _ := strings.Cut(counts, " transitions of ")
			few, _, _ := strings.Cut(rest, " ")
			steps, _ = strconv.ParseFloat(many, 64)
			pairs, _ = strconv.Atoi(few)
		}
		for _, k := range []Kind{L1, KL, Chi2} {
			if rest, is := strings.CutPrefix(part, k.About().Title+" at confidence "); is {
				number, _, _ := strings.Cut(rest, ":")
				x, err := strconv.ParseFloat(number, 64)
				kind, confidence = k, x
				ok = err == nil && x > 0 && x < 1
			}
		}
	}
	return kind, steps, pairs, confidence, before, ok && pairs > 0 && string(kind) == string(p.Uncertainty.Kind)
}

// PromiseOf is with what confidence all rows that were tried are in the set at once, and the worst of them
// by itself, when every radius is made a share of what it is: the formulas of Kind.About the other way round, a union
// bound over the rows. nil for a set of which the source does not say how it was estimated, by another formula, or whose radii are not those
// of its counts: each gives back a whole number of tries, together no more than there were.
func PromiseOf(p *model.Problem, share float64) *Promise {
	kind, steps, pairs, confidence, before, ok := told(p)
	u := &p.Uncertainty
	if !ok || len(u.Radius) != len(p.States)*len(p.Actions) || len(u.Radius) < 2 && pairs > 1 {
		return nil
	}
	delta := (1 - confidence) / float64(pairs)
	known, tries := &Promise{Now: confidence}, 0.0
	now, then := 0.0, 0.0 // chances that some row is outside
	for i, s := range p.Layout.State {
		made, m := u.Radius[s*len(p.Actions)+p.Layout.Act[i]]/before, float64(len(p.States))
		if !u.SupportAll {
			m = 0
			_, prob := u.Nominal.Row(i)
			for _, x := range prob {
				if x > 0 {
					m++
				}
			}
		}
		if !(made > 0) || m < 2 {
			continue
		}
		if kind == L1 && made >= 2-1e-9 {
			known.Vague++
			continue
		}
		n := math.Ceil(triesOf(kind, m, delta, made) * (1 - 1e-9))
		if n > triesOf(kind, m, delta, math.Max(0, made-unit/before))*(1+1e-9) {
			return nil
		}
		tries += n
		now += outside(kind, m, delta, before)
		of := outside(kind, m, delta, before*share)
		then += of
		known.Each = math.Max(known.Each, of)
	}
	if tries > steps {
		return nil
	}
	if before != 1 {
		known.Now = math.Max(0, 1-now)
	}
	known.Confidence, known.Each = math.Max(0, 1-then), math.Max(0, 1-known.Each)
	return known
}

// triesOf is how many tries make a radius of a row with m possible successors.
func triesOf(kind Kind, m, delta, radius float64) float64 {
	switch kind {
	case KL:
		return quantile(m, delta) / (2 * radius)
	case Chi2:
		return quantile(m, delta) / radius
	}
	return 2 * weissman(m, delta) / (radius * radius)
}

// outside is the chance that a row is outside of a ball whose radius is a share of the one that it is outside of
// with a chance of delta.
func outside(kind Kind, m, delta, share float64) float64 {
	if kind == L1 {
		return math.Min(1, math.Exp(weissman(m, 1)-share*share*weissman(m, delta)))
	}
	return distuv.ChiSquared{K: m - 1}.Survival(share * quantile(m, delta))
}

// quantile is what a χ² variate of m - 1 degrees exceeds with probability delta.
func quantile(m, delta float64) float64 { return distuv.ChiSquared{K: m - 1}.Quantile(1 - delta) }

// weissman is ln((2^m - 2) / delta) without overflow.
func weissman(m, delta float64) float64 {
	return m*math.Ln2 + math.Log1p(-math.Exp2(1-m)) - math.Log(delta)
}
