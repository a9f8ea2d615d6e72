package model

import (
	"fmt"
	"math"
)

// Summary is what a person is told about a problem at a glance.
type Summary struct {
	States, Actions int
	Pairs           int // available state-action pairs
	Kernels         int // of a finite set; 0 for other kinds
	Constraints     int
	Successors      int // listed successors of all pairs, over all kernels
	Kind            Kind
	Support         string // "nominal" or "all", empty where it has no meaning
	Notes           []string
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
	if missing := len(p.States)*len(p.Actions) - s.Pairs; missing > 0 {
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

// warnings is about what is allowed and yet probably not meant.
func (p *Problem) warnings() []string {
	var w []string
	for i := range p.Constraints {
		c := &p.Constraints[i]
		lo, hi := p.shownBounds(&c.Cost)
		margin := 1e-9 * max(math.Abs(lo), math.Abs(hi)) // the horizon is rounded
		switch {
		case c.AtLeast && c.Bound > hi+margin:
			w = append(w, fmt.Sprintf("no policy can meet constraint %s: by its values alone it stays at or below %s", quote(c.Name), digits(hi, 6)))
		case c.AtLeast && c.Bound < lo-margin:
			w = append(w, fmt.Sprintf("constraint %s can never be violated: by its values alone it stays at or above %s", quote(c.Name), digits(lo, 6)))
		case !c.AtLeast && c.Bound < lo-margin:
			w = append(w, fmt.Sprintf("no policy can meet constraint %s: by its values alone it stays at or above %s", quote(c.Name), digits(lo, 6)))
		case !c.AtLeast && c.Bound > hi+margin:
			w = append(w, fmt.Sprintf("constraint %s can never be violated: by its values alone it stays at or below %s", quote(c.Name), digits(hi, 6)))
		}
	}
	if p.Uncertainty.Paper {
		w = append(w, `the evaluator "paper" leaves the KL term out, as printed: it can cycle or have more than one fixed point; "soft" has exactly one`)
	}
	return w
}

// shownBounds encloses the values that a cost can have, in the units shown.
func (p *Problem) shownBounds(c *Cost) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	l := p.Layout
	for i, s := range l.State {
		g := s*l.A + l.Act[i]
		row := c.Next
		if row != nil {
			row = row[g*l.S : (g+1)*l.S]
		} else {
			row = c.Values[g : g+1]
		}
		for _, x := range row {
			lo, hi = min(lo, x), max(hi, x)
		}
	}
	if !c.Average {
		h := 1 / (1 - p.Discount)
		lo, hi = lo*h, hi*h
	}
	return lo, hi
}
