package estimate

import (
	"cmp"
	"slices"

	"rcmdplab/core/model"
)

// Kind names a way to make an uncertainty set of counts.
type Kind string

// The kinds of sets. Formulas, sources and guarantees are those of About.
const (
	Nominal   Kind = "nominal"     // one kernel, no uncertainty
	L1        Kind = "l1"          // ball of Weissman et al.
	KL        Kind = "kl"          // χ² quantile
	Chi2      Kind = "chi2"        // χ² quantile
	Interval  Kind = "interval"    // Clopper-Pearson
	Posterior Kind = "posterior"   // samples of the Dirichlet posterior
	Bootstrap Kind = "bootstrap"   // resampled episodes
	Credible  Kind = "credible-l1" // ball around the posterior mean
)

// Kinds lists them in the order they are offered.
func Kinds() []Kind {
	return []Kind{L1, Credible, Interval, KL, Chi2, Posterior, Bootstrap, Nominal}
}

// Untried says what a pair is that was never tried.
type Untried string

// What a pair can be that was never tried.
const (
	Unavailable Untried = "unavailable" // not available
	Stays       Untried = "stays"       // it leads back to its state, for certain
	Uniform     Untried = "uniform"     // any state may follow, and nothing is known
)

// Limit makes a column a constraint.
type Limit struct {
	Column  string  // of costs
	Bound   float64 // in the person's units
	AtLeast bool    // J >= Bound; else J <= Bound
	Average bool    // Bound is (1-γ) J; else a discounted total
}

// Options say what to make. The zero value of a field is its default.
type Options struct {
	Kind       Kind    // L1
	Confidence float64 // 0.95
	Prior      float64 // pseudo-count of each possible successor; negative: the default of the kind
	Samples    int     // 0: as many as the confidence needs
	Untried    Untried // Unavailable
	Successors string  // "all": any state may follow; "seen": only what was seen; "": the default of the kind
	Seed       uint64  // of resamples
	HeldOut    float64 // share of the episodes kept for judging, below 1
	Resamples  int     // kernels of the held-out problem besides its own; 0: 40

	Name      string  // of the problem made
	Discount  float64 // 0.95
	Initial   string  // "episodes", "uniform" or a state; "": episodes where there are any
	Objective string  // column; "": the first cost
	Sense     string  // of the objective, "maximize" or "minimize"; "": what its column says
	Average   bool    // the objective is shown as an average
	Limits    []Limit // by column of costs
}

// About is what is said of a kind: the formula of its radius or rows, where it
// comes from, and what it guarantees.
type About struct{ Title, Formula, Source, Guarantee string }

// About tells of a kind of set.
func (k Kind) About() About {
	const data = " It takes the tries of a pair as independent, and their number as given."
	switch k {
	case L1:
		return About{"L1 ball, from a concentration inequality",
			"radius(s,a) = √( 2 ln((2^m − 2)/δ) / n(s,a) ), at most 2, with m possible successors and δ = (1 − confidence)/pairs",
			"Weissman, Ordentlich, Seroussi, Verdú, Weinberger: Inequalities for the L1 deviation of the empirical distribution (2003)",
			"For every sample size: with at least the stated confidence the true kernel is in the set, in all tried pairs at once (union bound)." + data}
	case KL:
		return About{"Relative-entropy ball, from a χ² quantile",
			"radius(s,a) = χ²(m − 1; 1 − δ) / (2 n(s,a)), with m possible successors and δ = (1 − confidence)/pairs",
			"Iyengar: Robust dynamic programming (2005); Ben-Tal, den Hertog, De Waegenaere, Melenberg, Rennen (2013)",
			"For many tries only: the confidence is reached in the limit of large n(s,a). A successor that is not possible in the nominal row stays impossible." + data}
	case Chi2:
		return About{"χ² ball, from a χ² quantile",
			"radius(s,a) = χ²(m − 1; 1 − δ) / n(s,a), with m possible successors and δ = (1 − confidence)/pairs",
			"Iyengar: Robust dynamic programming (2005); Ben-Tal, den Hertog, De Waegenaere, Melenberg, Rennen (2013)",
			"For many tries only: the confidence is reached in the limit of large n(s,a). A successor that is not possible in the nominal row stays impossible." + data}
	case Interval:
		return About{"Interval for each probability",
			"lower = Beta(k, n − k + 1) at δ/2, upper = Beta(k + 1, n − k) at 1 − δ/2, for k of n(s,a) tries, with δ = (1 − confidence)/(pairs · m)",
			"Clopper, Pearson: The use of confidence or fiducial limits illustrated in the case of the binomial (1934)",
			"For every sample size: with at least the stated confidence all probabilities are in their intervals at once (union bound)." + data}
	case Posterior:
		return About{"Samples of the Dirichlet posterior",
			"each row of each kernel is drawn from Dirichlet(n(s,a,·) + prior)",
			"Delage, Mannor: Percentile optimization for Markov decision processes with parameter uncertainty (2010)",
			"For one policy fixed before the samples are drawn: with posterior probability of at least M/(M + 1), M samples, its true return is no worse than its worst among them. A policy chosen with the samples may do worse." + data}
	case Bootstrap:
		return About{"Resampled episodes",
			"each kernel is estimated from as many episodes, drawn with replacement (from counts: as many tries of each pair)",
			"Efron: Bootstrap methods: another look at the jackknife (1979)",
			"For many episodes only, and one policy fixed beforehand: about M/(M + 1), M samples, that its true return is no worse than its worst among them. Nothing is resampled that was never seen."}
	case Credible:
		return About{"L1 ball, from the posterior",
			"around the posterior mean; radius(s,a) = the quantile of order 1 − δ of the L1 distance of posterior samples to it, δ = (1 − confidence)/pairs",
			"Russel, Petrik: Beyond confidence regions: tight Bayesian ambiguity sets for robust MDPs (2019)",
			"With at least the stated posterior probability, given the prior, the true kernel is in the set in all tried pairs at once (union bound). The quantile is an order statistic, so this holds for every number of samples." + data}
	}
	return About{"Nominal kernel alone", "p(s'|s,a) = (n(s,a,s') + prior) / (n(s,a) + m · prior)", "the relative frequencies", "None: the estimate is taken as the truth."}
}

// bayesian reports whether the set comes from a posterior.
func (k Kind) bayesian() bool { return k == Posterior || k == Credible }

// filled is the options with defaults in place, or what is wrong with them, the
// pointers into the options.
func (o Options) filled() (Options, model.Faults) {
	o.Kind, o.Untried = cmp.Or(o.Kind, L1), cmp.Or(o.Untried, Unavailable)
	o.Confidence, o.Discount, o.Resamples = cmp.Or(o.Confidence, 0.95), cmp.Or(o.Discount, 0.95), cmp.Or(o.Resamples, 40)
	if o.Successors == "" {
		o.Successors = "seen"
		if o.Kind == L1 || o.Kind == Interval || o.Kind.bayesian() {
			o.Successors = "all"
		}
	}
	var f model.Faults
	for _, x := range []struct {
		field string
		ok    bool
		want  string
	}{
		{"kind", slices.Contains(Kinds(), o.Kind), `got "` + string(o.Kind) + `"; want ` + model.Listed("or", Kinds())},
		{"confidence", o.Confidence > 0 && o.Confidence < 1, "want a number above 0 and below 1, for example 0.95"},
		{"samples", o.Samples >= 0 && o.Samples <= mostSamples, "want a whole number from 1 to 100000"},
		{"untried", o.Untried == Unavailable || o.Untried == Stays || o.Untried == Uniform, `got "` + string(o.Untried) + `"; want "unavailable", "stays" or "uniform"`},
		{"successors", o.Successors == "all" || o.Successors == "seen", `got "` + o.Successors + `"; want "all" or "seen"`},
		{"heldOut", o.HeldOut >= 0 && o.HeldOut < 1, "want a share of at least 0 and below 1"},
		{"resamples", o.Resamples >= 0 && o.Resamples <= 1000, "want a whole number from 1 to 1000"},
		{"discount", o.Discount > 0 && o.Discount < 1, "want a number above 0 and below 1"},
	} {
		if !x.ok {
			f = append(f, model.Fault{Pointer: "/" + x.field, Message: x.field + ": " + x.want})
		}
	}
	return o, f
}

const mostSamples = 100000

// prior is the pseudo-count of each of m possible successors.
func (o *Options) prior(m int) float64 {
	switch {
	case o.Prior >= 0:
		return o.Prior
	case o.Kind.bayesian() || (o.Kind == KL || o.Kind == Chi2) && o.Successors == "all":
		return 1 / float64(m) // one try, spread over the successors
	}
	return 0
}
