package model

import (
	"fmt"
	"math"
	"strings"

	"rcmdplab/core/jsontext"
)

// Tolerances of a distribution's sum. Within RowTolerance it is float noise
// that the document keeps and evaluation divides away; within RepairTolerance
// it is a fault with the offer to renormalise; beyond it is a fault.
const (
	RowTolerance    = 1e-9
	RepairTolerance = 1e-4
)

// slack lets a typed 0.999999999 be off by 1e-9 in spite of its rounding.
const slack = 1e-15

// rescaling gathers the rows that one fix repairs.
type rescaling struct {
	fix   *Fix // that repairs them all
	fault int  // index of the fault that carries it
	rows  int  // so far
}

// sumToOne reports the rows that are no distributions.
func (r *reader) sumToOne(t *transitions) {
	if !t.ok {
		return
	}
	for i, g := range t.pairs {
		if t.bad[i] {
			continue
		}
		_, prob := t.kernel.Row(i)
		sum := Sum(prob)
		off := math.Abs(sum - 1)
		if off <= RowTolerance+slack {
			continue
		}
		f := r.pair(t.rowPointer(r, i), g/r.a, g%r.a)
		f.Message = fmt.Sprintf("the probabilities of %s%s sum to %s", f.in(), t.what, offBy(sum))
		if sum == 0 {
			f.Message += "; an action that is not available has null instead of a row"
			if t.kernel.Sparse {
				f.Message = strings.Replace(f.Message, "has null instead of a row", "has no entries", 1)
			} else {
				f.Fix = &Fix{"write null: not available", []Replace{{t.rowPointer(r, i), "null"}}}
			}
		}
		r.fault(t.rowStart[i], f)
		if off <= RepairTolerance+slack {
			r.repair(t.renormalised(r, i))
		}
	}
}

// offBy says what a sum is, what it should be, and by how much it is off.
func offBy(sum float64) string {
	word := "too much"
	if sum < 1 {
		word = "short"
	}
	return fmt.Sprintf("%s; want 1 within %s (%s %s)", Digits(sum, 12), Num(RowTolerance), Digits(math.Abs(sum-1), 3), word)
}

// renormalised is the patch that makes row i sum to 1.
func (t *transitions) renormalised(r *reader, i int) (patch []Replace) {
	next, prob := t.kernel.Row(i)
	scaled := normalised(prob)
	if t.kernel.Sparse {
		for j, p := range scaled {
			patch = append(patch, Replace{t.cellPointer(r, i, t.kernel.Ptr[i]+j), Num(p)})
		}
		return patch
	}
	row := make([]float64, r.s)
	for j, n := range next {
		row[n] = scaled[j]
	}
	return []Replace{{t.rowPointer(r, i), string(jsontext.AppendNumbers(nil, row))}}
}

// repair adds the row of the last fault to the one fix that renormalises all
// of them; the first of their faults carries it.
func (r *reader) repair(patch []Replace) {
	if r.dropped > 0 {
		return
	}
	if r.off.fix == nil {
		r.off = rescaling{fix: &Fix{}, fault: len(r.faults) - 1}
		r.faults[r.off.fault].Fix = r.off.fix
	}
	r.off.rows++
	r.off.fix.Label = "renormalise " + Count(r.off.rows, "row")
	r.off.fix.Patch = append(r.off.fix.Patch, patch...)
}

// agree makes the first transitions' actions the available ones and reports
// where the others differ.
func (r *reader) agree(all []*transitions) {
	var first *transitions
	for _, t := range all {
		switch {
		case !t.ok:
		case first == nil:
			first, r.available = t, t.available
		default:
			for g, have := range t.available {
				if have == first.available[g] {
					continue
				}
				f := r.pair(at(t.base, g/r.a, g%r.a), g/r.a, g%r.a)
				if t.kernel.Sparse {
					f.Pointer = t.base + "/entries"
				}
				with, without := t, first
				if !have {
					with, without = first, t
				}
				r.say(t.start, f, "%s is available%s and not available%s; the available actions must be the same throughout",
					f.in(), with.what, without.what)
			}
		}
	}
}
