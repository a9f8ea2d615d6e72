package model

import (
	"math"
	"strconv"

	"rcmdplab/core/jsontext"
	"rcmdplab/core/sha256"
)

// Encode writes the problem as compact JSON in canonical form: fields in the
// order of the format's description, numbers as the shortest text that reads
// back the same, sparse entries in order of state, action and next state, and
// what equals its default left out. Decode gives the same problem back, and
// equal problems have equal texts.
func (p *Problem) Encode() []byte { return p.encode(func() {}) }

// encode is Encode that calls pause every few milliseconds.
func (p *Problem) encode(pause func()) []byte {
	p = p.Document()
	b := append(make([]byte, 0, p.length()), `{"format":"rcmdp/1"`...)
	for _, f := range []struct{ name, value string }{
		{"name", p.Name}, {"description", p.Description}, {"source", p.Source},
	} {
		if f.value != "" {
			b = jsontext.AppendString(appendKey(b, f.name), f.value)
		}
	}
	b = jsontext.AppendStrings(appendKey(b, "states"), p.States)
	b = jsontext.AppendStrings(appendKey(b, "actions"), p.Actions)
	b = jsontext.AppendNumber(appendKey(b, "discount"), p.Discount)
	if p.End != nil {
		b = jsontext.AppendStrings(appendKey(b, "end"), p.endNames())
	}
	if p.Horizon > 0 {
		b = jsontext.AppendNumber(appendKey(b, "horizon"), float64(p.Horizon))
	}
	b = jsontext.AppendNumbers(appendKey(b, "initial"), p.Initial)
	if p.Deterministic {
		b = jsontext.AppendString(appendKey(b, "policies"), "deterministic")
	}

	b = append(appendKey(b, "objective"), '{')
	b = jsontext.AppendString(appendKey(b, "name"), p.Objective.Name)
	sense := "minimize"
	if p.Maximize {
		sense = "maximize"
	}
	b = jsontext.AppendString(appendKey(b, "sense"), sense)
	b = append(p.appendCost(b, &p.Objective, pause), '}')

	b = append(appendKey(b, "constraints"), '[')
	for i := range p.Constraints {
		c := &p.Constraints[i]
		b = jsontext.AppendString(appendKey(append(jsontext.AppendComma(b), '{'), "name"), c.Name)
		b = p.appendCost(b, &c.Cost, pause)
		side := "atMost"
		if c.AtLeast {
			side = "atLeast"
		}
		b = append(jsontext.AppendNumber(appendKey(b, side), c.Bound), '}')
	}
	b = append(b, ']')
	b = p.appendUncertainty(appendKey(b, "uncertainty"), pause)
	return append(b, '}')
}

// length is about how long the text is, so that a long one is not moved as it grows.
func (p *Problem) length() int {
	const entry, number, rest = 32, 8, 1 << 10
	n := rest + len(p.States)*20 + len(p.Initial)*number + p.Layout.S*p.Layout.A*number*(1+len(p.Constraints))
	for _, k := range p.Uncertainty.Every() {
		n += len(k.Prob) * entry
	}
	return n
}

// Hash names the problem by its content: SHA-256 of Encode in hexadecimal.
func (p *Problem) Hash() string { return p.HashWhile(func() {}) }

// between is how many bytes are written between two pauses.
const between = 1 << 18

// HashWhile is Hash that calls pause every few milliseconds.
func (p *Problem) HashWhile(pause func()) string { return sha256.HexWhile(p.encode(pause), pause) }

func (p *Problem) appendUncertainty(b []byte, pause func()) []byte {
	u := &p.Uncertainty
	b = jsontext.AppendString(appendKey(append(b, '{'), "kind"), string(u.Kind))
	for _, name := range kinds[u.Kind].fields {
		switch name {
		case "kernels":
			b = append(appendKey(b, name), '[')
			for i, k := range u.Kernels {
				b = jsontext.AppendString(appendKey(append(jsontext.AppendComma(b), '{'), "name"), k.Name)
				if u.Weights != nil {
					b = jsontext.AppendNumber(appendKey(b, "weight"), u.Weights[i])
				}
				b = append(p.appendKernel(appendKey(b, "transitions"), k, pause), '}')
			}
			b = append(b, ']')
		case "nominal":
			b = p.appendKernel(appendKey(b, name), u.Nominal, pause)
		case "lower":
			b = p.appendKernel(appendKey(b, name), u.Lower, pause)
		case "upper":
			b = p.appendKernel(appendKey(b, name), u.Upper, pause)
		case "radius":
			if b = appendKey(b, name); len(u.Radius) == 1 {
				b = jsontext.AppendNumber(b, u.Radius[0])
			} else {
				b = p.appendGrid(b, u.Radius, pause)
			}
		case "temperature":
			b = jsontext.AppendNumber(appendKey(b, name), u.Temperature)
		case "evaluator":
			if u.Paper {
				b = jsontext.AppendString(appendKey(b, name), "paper")
			}
		case "support":
			if u.SupportAll {
				b = jsontext.AppendString(appendKey(b, name), "all")
			}
		}
	}
	return append(b, '}')
}

func (p *Problem) appendCost(b []byte, c *Cost, pause func()) []byte {
	if b = appendKey(b, "values"); c.Steps == nil {
		b = p.appendValues(b, c, pause)
	} else {
		b = append(b, '[')
		for t := range c.Steps {
			b = p.appendValues(jsontext.AppendComma(b), &c.Steps[t], pause)
		}
		b = append(b, ']')
	}
	if c.Final != nil {
		b = jsontext.AppendNumbers(appendKey(b, "final"), c.Final)
	}
	if c.Average {
		b = jsontext.AppendString(appendKey(b, "scale"), "average")
	}
	return appendOver(b, c.Over)
}

func (p *Problem) appendValues(b []byte, c *Cost, pause func()) []byte {
	if c.Next == nil {
		return p.appendGrid(b, c.Values, pause)
	}
	s := p.Layout.S
	return p.appendRows(b, func(b []byte, g int) []byte {
		row := c.Next[g*s : (g+1)*s]
		if math.IsNaN(row[0]) {
			return append(b, "null"...)
		}
		return jsontext.AppendNumbers(b, row)
	}, pause)
}

func (p *Problem) appendGrid(b []byte, v []float64, pause func()) []byte {
	return p.appendRows(b, func(b []byte, g int) []byte { return jsontext.AppendNumber(b, v[g]) }, pause)
}

// appendRows writes [S][A] of whatever cell writes for s*A+a.
func (p *Problem) appendRows(b []byte, cell func(b []byte, g int) []byte, pause func()) []byte {
	b = append(b, '[')
	from := len(b)
	for s := range p.Layout.S {
		if len(b)-from > between {
			from = len(b)
			pause()
		}
		b = append(jsontext.AppendComma(b), '[')
		for a := range p.Layout.A {
			b = cell(jsontext.AppendComma(b), s*p.Layout.A+a)
		}
		b = append(b, ']')
	}
	return append(b, ']')
}

func (p *Problem) appendKernel(b []byte, k *Kernel, pause func()) []byte {
	l := p.Layout
	if k.Sparse {
		b = append(b, `{"entries":[`...)
		var known numbers
		of := func(b []byte, names []string, n int) []byte {
			if k.Named {
				return append(jsontext.AppendString(b, names[n]), ',')
			}
			return append(strconv.AppendInt(b, int64(n), 10), ',')
		}
		var pair []byte // what the entries of one row begin with
		from := len(b)
		for i := range l.Pairs() {
			if len(b)-from > between {
				from = len(b)
				pause()
			}
			pair = of(of(append(pair[:0], '['), p.States, l.State[i]), p.Actions, l.Act[i])
			for j := k.Ptr[i]; j < k.Ptr[i+1]; j++ {
				b = of(append(jsontext.AppendComma(b), pair...), p.States, k.Next[j])
				b = append(known.append(b, k.Prob[j]), ']')
			}
		}
		return append(b, "]}"...)
	}
	row := make([]float64, l.S)
	i := 0
	return p.appendRows(b, func(b []byte, g int) []byte {
		if i >= l.Pairs() || l.State[i]*l.A+l.Act[i] != g {
			return append(b, "null"...)
		}
		k.Dense(row, i)
		i++
		return jsontext.AppendNumbers(b, row)
	}, pause)
}

// numbers remembers where in the text some numbers stand that were written: a
// kernel has many entries and few different probabilities.
type numbers [16]struct {
	x        float64
	from, to int
}

func (n *numbers) append(b []byte, x float64) []byte {
	k := &n[math.Float64bits(x)*0x9e3779b97f4a7c15>>60]
	if k.x != x || k.to == 0 {
		k.x, k.from = x, len(b)
		b = jsontext.AppendNumber(b, x)
		k.to = len(b)
		return b
	}
	return append(b, b[k.from:k.to]...)
}

// appendKey starts a member.
func appendKey(b []byte, name string) []byte {
	return append(append(append(jsontext.AppendComma(b), '"'), name...), '"', ':')
}
