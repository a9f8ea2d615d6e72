package decide

import (
	"iter"
	"math"

	"rcmdplab/core/bound"
	"rcmdplab/core/evaluate"
	"rcmdplab/core/solve"
)

// checked is a search method whose claims the independent checker has judged.
// What these methods prove, they prove by one kernel alone; the proof is made
// again here in the form that certify reads.
func checked(a solve.Algorithm) solve.Algorithm {
	run := a.Run
	a.Run = func(ev *evaluate.Evaluator, s solve.Settings) iter.Seq[solve.Progress] {
		return func(yield func(solve.Progress) bool) {
			for p := range run(ev, s) {
				switch p.Status {
				case solve.Bounded, solve.ProvedOptimal, solve.ProvedInfeasible:
					confirm(ev, s, &p)
				}
				if !yield(p) {
					return
				}
			}
		}
	}
	return a
}

// confirm replaces the claim of a last record by what the checker accepts.
func confirm(ev *evaluate.Evaluator, s solve.Settings, p *solve.Progress) {
	claimed := p.Status
	p.LowerBound, p.Status = math.Inf(-1), solve.NoFeasibleFound
	if p.Best.Feasible {
		p.Status = solve.Feasible
	}
	best := append([]float64(nil), p.Best.Policy...)
	if p.Best.Policy != nil { // not the run's: evaluating for the proof may change it
		p.Best.Policy = best
	} else {
		best = ev.M.Uniform()
	}
	kernels, err := bound.Subset(ev, [][]float64{best})
	if err != nil {
		return
	}
	search, err := bound.New(ev.M, bound.Settings{Record: true, Kernels: kernels})
	if err != nil {
		return
	}
	for q := range search.Run() {
		if q.Done || q.Stage != bound.Kernels {
			break
		}
	}
	lo, hi := ev.M.Bounds(0)
	tolerance := math.Max(s.Tolerance, 1e-9) * (hi - lo) * ev.M.H
	note := p.Note
	judge(ev.M, p, search.Certificate(), tolerance, always)
	if claimed == solve.ProvedOptimal && p.Status == solve.Bounded {
		// A policy at the very edge of a constraint can be outside by a rounding
		// error. One a billionth inside does, if it costs no more than tolerance.
		inside := solve.NewLocal(ev).Polish(best)
		ev.KeepKernels(0)
		if inside.Feasible && inside.Objective <= p.Best.Objective+100*tolerance {
			p.Best, p.Note = inside, note
			judge(ev.M, p, search.Certificate(), 100*tolerance, always)
		}
	}
	if claimed != p.Status && claimed != solve.Bounded {
		p.Note = join(p.Note, "The method calls this proved; the independent checker confirms only what is said here.")
	}
}

// always goes on: a proof by one kernel has no boxes to pause at.
func always() bool { return true }
