package model

import (
	"fmt"
	"math"
)

// Summary is what a person is told about a problem at a glance.
type Summary struct {
	States, Actions int // sizes
	Pairs           int // available state-action pairs
	Kernels         int // of a finite set; 0 for other kinds
	Constraints     int // without the objective
	Successors      int // listed successors of all pairs, over all kernels
	Kind            Kind
	Support         string   // "nominal" or "all", empty where it has no meaning
	Notes           []string // sentences: what kind of problem it is
}

// Summary counts what there is and notes what evaluation does with it.
func (p *Problem) Summary() Summary {
	u := &p.Uncertainty
	s := Summary{
		States: len(p.States), Actions: len(p.Actions), Pairs: p.Layout.Pairs(),
		Kernels: len(u.Kernels), Constraints: len(p.Constraints), Kind: u.Kind,
	}
	switch u.Kind {
	case Finite, Interval:
	default:
		s.Support = "nominal"
		if u.SupportAll {
			s.Support = "all"
		}
	}
	const noise = 1e-14 // what summing does by itself is not worth a word
	rows, worst := 0, 0.0
	for _, k := range p.kernels() {
		s.Successors += len(k.Next)
		if u.Kind == Interval {
			continue
		}
		for i := range p.Layout.Pairs() {
			_, prob := k.Row(i)
			if off := math.Abs(total(prob) - 1); off > noise {
				rows++
				worst = max(worst, off)
			}
		}
	}
	if rows > 0 {
		verb := "rows sum"
		if rows == 1 {
			verb = "row sums"
		}
		s.Notes = append(s.Notes, fmt.Sprintf("%d %s to 1 only within %s and %s rescaled when evaluated", rows, verb, digits(worst, 1), are(rows)))
	}
	if off := math.Abs(total(p.Initial) - 1); off > noise {
		s.Notes = append(s.Notes, fmt.Sprintf("the initial distribution sums to 1 only within %s and is rescaled when evaluated", digits(off, 1)))
	}
	missing := len(p.States)*len(p.Actions) - s.Pairs
	missing -= len(p.endNames()) * (len(p.Actions) - 1)
	if missing > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("%s not available", count(missing, "state-action pair")+" "+are(missing)))
	}
	return s
}

func are(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

func total(p []float64) float64 {
	sum := 0.0
	for _, x := range p {
		sum += x
	}
	return sum
}

// kernels lists every kernel (or end of an interval) of the document.
func (p *Problem) kernels() []*Kernel {
	u := &p.Uncertainty
	if u.Kind == Finite {
		return u.Kernels
	}
	var all []*Kernel
	for _, k := range []*Kernel{u.Nominal, u.Lower, u.Upper} {
		if k != nil {
			all = append(all, k)
		}
	}
	return all
}
