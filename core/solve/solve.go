// Package solve holds the search methods: each takes an Evaluator and Settings
// and is a sequence of Progress records. Whoever pulls decides when to stop; the
// last record holds the best policy so far. Nothing here blocks, prints, reads a
// clock or claims more than was checked.
//
// An Algorithm is a method with its table of Options; Settings are those parsed, a
// Progress is one record, Best the best policy seen in a run, Status what is known
// at its end. One file is one method; incumbent.go, progress.go, unfit.go, softmax.go and starts.go hold
// what they share, Local is the local search that several stand on. It rests on
// evaluate and lp, and never looks at an uncertainty set itself.
package solve

import (
	"iter"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
)

// Status says what is known at the end of a run. Append only: the numbers are
// part of the wire format.
type Status int

// The statuses.
const (
	Running          Status = iota
	Feasible                // a policy that meets every constraint; nothing proved about its quality
	Bounded                 // feasible, and a checked lower bound is known
	ProvedOptimal           // the gap is within tolerance, by a checked lower bound
	ProvedInfeasible        // a checked certificate says no policy meets the constraints
	NoFeasibleFound         // none found; not a proof
	Stopped                 // stopped from outside; the best so far is returned
	Failed                  // the method could not run; Progress.Note says why
)

var statusNames = [...]string{"running", "feasible", "bounded", "proved-optimal", "proved-infeasible", "no-feasible-found", "stopped", "failed"}

// String is the status as replies write it: "proved-optimal".
func (s Status) String() string { return statusNames[s] }

// Settings are the options of a run after parsing; see Options for names,
// ranges and defaults. Fields a method does not list are ignored by it.
type Settings struct {
	Algorithm          string    // the ID
	OuterIterations    int       // K of the paper
	InnerIterations    int       // T
	StepSize           float64   // α, for costs in [0, 1]
	MultiplierStepSize float64   // α_λ, for costs in [0, 1]
	Lambda             float64   // λ of RNPG, which divides the objective
	InitialPolicy      []float64 // by pair; nil is uniform
	Seed               uint64    // of everything that is drawn
	Starts             int       // starting policies
	Gap                float64   // share of the objective to stop at
	TimeLimit          float64   // seconds; kept by whoever pulls, who has a clock
	Tolerance          float64   // share of model.Standard.Scale that counts as no violation
	EarlyStop          bool      // end a descent at the first policy without violation

	// Stop, when not nil, is set by whoever pulls to ask for the end. A method
	// that Concludes ends within a few records, with a last record that says
	// what was proved; others are just left.
	Stop *bool

	// Late, when not nil, is set with Stop when it is the time limit that asks.
	Late *bool

	// Resume, when not nil, is the end of an outer step (Step) of an earlier run
	// of the same problem and settings. A method that Resumes goes on from there
	// and ends as if it had never been interrupted, with its counts from zero;
	// others ignore it.
	Resume *Progress

	// Known is the best policy of an earlier run that this one continues: what is
	// said at the end is about it, if nothing better is found.
	Known Best

	// Memory is what Progress.Memory gave at that record, for a method that
	// needs more than the record itself; nil starts without it.
	Memory []byte

	// Proofs are what Progress.Proofs gave: they are judged anew before the end at
	// the latest, and claimed again if they convince.
	Proofs []byte

	// Results are what became of parts that the earlier run handed out (Sharer),
	// taken in before anything else is done.
	Results [][]byte
}

// Asked reports whether whoever pulls has asked for the end.
func (s *Settings) Asked() bool { return s.Stop != nil && *s.Stop }

// Progress is one record of a run. Slices belong to the run and change with
// the next record. Undefined numbers are NaN, never 0.
type Progress struct {
	K     int  // outer step
	Inner int  // inner steps done of this outer step
	Step  bool // this record ends outer step K: a row of the trace

	Threshold    float64 // b0 of the outer step
	Low, High    float64 // bisection bracket after the step
	Delta        float64 // Δ_{b0} of Policy
	ActiveCost   int     // the cost that attains Delta
	ActiveKernel int     // its worst kernel, -1 when not finite

	Policy       []float64 // the outer step's policy
	Objective    float64   // J_0 of Policy, worst case
	MaxViolation float64   // max_n J_n - b_n of Policy
	Multipliers  []float64 // λ_1..λ_N where the method has them
	ReducedCosts []float64 // c_λ + γPv - v by pair, where the method has them
	Mixture      []float64 // returns J_0..J_N of a mixture drawn once at the start, where the method makes one

	Best  Best    // of all policies evaluated so far
	Nodes int     // boxes of policies worked on by a proof
	Open  int     // boxes of its tree still to be closed
	Rest  float64 // boxes expected beyond Nodes until the tree is closed; 0 when nothing is known

	// What may be claimed. A method writes here what it believes; a record that
	// leaves package decide holds what package certify accepted, in Certificate.
	LowerBound       float64      // no feasible policy has a smaller objective; -Inf when nothing is known
	ProvedInfeasible bool         // no policy meets the constraints
	ViolationBound   float64      // when ProvedInfeasible: every policy's maximal violation is at least that
	Certificate      *proof.Claim // of that; nil when there is none

	// Proposal is a proof that was found with this record, its bound as computed; nil in most.
	Proposal *proof.Claim

	// Share, when not nil, lets other workers take over parts of the work.
	Share   Sharer
	Waiting bool // nothing is left to do here until a part comes back
	Joined  int  // how many of Settings.Results were of use

	// Memory, when not nil, gives what a later run needs besides this record to
	// go on from here; see Settings.Memory. It costs time: call it to save.
	Memory func() []byte

	// Proofs gives the proofs of what is claimed, and those not judged yet, for a run
	// that continues this one, whatever the method; see Settings.Proofs.
	Proofs func() []byte

	Evaluations int64  // policies evaluated, each under every kernel and cost
	Iterations  int64  // inner steps, all outer steps
	Status      Status // Running except in the last record
	Note        string // one sentence for a person, when there is something to say
}

// Sharer hands out parts of a run's work as bytes and takes back what became
// of them. It may be called between two records.
type Sharer interface {
	Split() (part []byte, ok bool) // false: nothing to hand out now
	Join(result []byte) bool       // false: the result is of no use any more
}

// Option is one setting as a record: parsing, validation, forms, docs and
// algorithms() come from this table.
type Option struct {
	Name    string  // as in the page's options
	Type    string  // "integer", "number", "boolean", "seed", "policy"
	Default float64 // booleans as 0 and 1
	Min     float64 // both ends are allowed
	Max     float64 // see Min
	Help    string  // one line
}

// Shape is how a method goes.
type Shape string

const (
	Search Shape = "search" // from many starts; an interval closes between what is found and what is proved
	Steps  Shape = "steps"  // a walk of outer steps, a policy each
	Exact  Shape = "exact"  // one step or a few, straight to its answer
	Given  Shape = "given"  // judges the policy that it is given, and finds none
)

// Algorithm is one method.
type Algorithm struct {
	ID      string   // as in the page's options; never changed
	Title   string   // for a person
	Shape   Shape    // how it goes, and so what there is to draw of a run
	Solves  string   // one line: which problems, and what is guaranteed
	Options []Option // with the paper's value as default where it has one
	Run     func(ev *evaluate.Evaluator, s Settings) iter.Seq[Progress]

	// Unfit says why the method cannot run on a problem, "" when it can; nil is a
	// method that always can. Run of a listed method refuses with the same words.
	Unfit func(m *model.Standard) string

	Deterministic bool // takes one action a state by itself, where policies that mix are not asked for
	Averages      bool // follows averages over the models as well as the worst one

	Shares    bool // hands out parts, see Progress.Share
	Concludes bool // heeds Settings.Stop
	Resumes   bool // heeds Settings.Resume
}

// Algorithms lists the methods built so far.
func Algorithms() []Algorithm { return algorithms }

var algorithms = refusing(
	slp, epircPGS,
	lagrangian, lagrangianPolicyAverage, lagrangianOccupancyAverage, policyMixing, penalty,
	rnpg, mirrorDescent,
	occupancyLP, policyIteration, robustPolicyIteration, uniform, evaluateOnly,
)

// Find returns the method with the id.
func Find(id string) (Algorithm, bool) {
	for _, a := range algorithms {
		if a.ID == id {
			return a, true
		}
	}
	return Algorithm{}, false
}

// Defaults are the settings of the method's own option table.
func (a Algorithm) Defaults() Settings {
	s := Settings{Algorithm: a.ID}
	for _, o := range a.Options {
		s.Set(o.Name, o.Default)
	}
	return s
}

// number is where the number of a named option stands; nil for what is none.
func (s *Settings) number(name string) any {
	return map[string]any{
		"outerIterations": &s.OuterIterations, "innerIterations": &s.InnerIterations, "starts": &s.Starts, "seed": &s.Seed,
		"stepSize": &s.StepSize, "multiplierStepSize": &s.MultiplierStepSize, "lambda": &s.Lambda,
		"gap": &s.Gap, "timeLimit": &s.TimeLimit, "tolerance": &s.Tolerance, "earlyStop": &s.EarlyStop,
	}[name]
}

// Set gives the named numeric option a value, a boolean as 0 or 1; it reports whether
// the name is one of them.
func (s *Settings) Set(name string, v float64) bool {
	switch x := s.number(name).(type) {
	case *int:
		*x = int(v)
	case *uint64:
		*x = uint64(v)
	case *float64:
		*x = v
	case *bool:
		*x = v != 0
	default:
		return name == "initialPolicy"
	}
	return true
}

// Number is the value of the named option as Set takes it, 0 for a name that is none of them.
func (s *Settings) Number(name string) float64 {
	switch x := s.number(name).(type) {
	case *int:
		return float64(*x)
	case *uint64:
		return float64(*x)
	case *float64:
		return *x
	case *bool:
		if *x {
			return 1
		}
	}
	return 0
}
