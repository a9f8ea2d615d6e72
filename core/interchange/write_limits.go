package interchange

import (
	"fmt"
	"slices"

	"rcmdplab/core/model"
)

func (w *writer) refuse(what string) { w.refused = append(w.refused, what) }
func (w *writer) drop(what string)   { w.dropped = append(w.dropped, what) }
func (w *writer) leave(what string)  { w.lost = append(w.lost, what) }

// one asks that there is one kernel, with a ball around it or not.
func (w *writer) one() {
	if w.several() {
		w.refuse(model.Count(len(w.p.Uncertainty.Kernels), "kernel"))
	}
}

// plainKernel asks that there is one kernel and nothing around it.
func (w *writer) plainKernel() {
	w.plainKernelOrSaid()
	if w.ball() {
		w.drop(fmt.Sprintf("the set of kind %s around the nominal kernel", w.p.Uncertainty.Kind))
	}
}

// objectiveOnly asks that there are no limits.
func (w *writer) objectiveOnly() {
	if n := len(w.p.Constraints); n > 0 {
		w.drop(model.Count(n, "constraint"))
	}
}

// unlisted asks that costs of the next state are of listed successors, where
// nature can reach others.
func (w *writer) unlisted() {
	if !w.p.Uncertainty.SupportAll {
		return
	}
	for _, c := range w.costs() {
		if c.Next != nil {
			w.refuse("costs of next states that no row lists, which the set can reach")
			return
		}
	}
}

// zeros asks that a format of full matrices does not take listed zeros out of
// a support that the set keeps to.
func (w *writer) zeros() {
	if u := &w.p.Uncertainty; u.Kind.Reaches() && !u.SupportAll && slices.Contains(w.kernel().Prob, 0) {
		w.refuse("zeros that rows list, which belong to the support")
	}
}

// sign is -1 where a format maximises and the problem does not.
func (w *writer) sign() float64 {
	if w.p.Maximize {
		return 1
	}
	w.leave("the sense: costs are written as negative rewards")
	return -1
}

// plainKernelOrSaid asks for one kernel; a ball around it goes into a comment.
func (w *writer) plainKernelOrSaid() {
	w.one()
	if w.interval() {
		w.refuse("intervals")
	}
}
