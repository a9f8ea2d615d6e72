// Package proof holds what is claimed of a problem and why: a proof is a value, plain data
// that those who search make (package bound), that one judges (package certify), and that
// travels as one document wherever it goes: to a person, into a saved run, to another
// worker.
//
// Claim is the statement with its proof, of one of the kinds that Claim.kinds lists, each in a file of its own with its
// part of the document (codec.go). Nothing
// here computes: what a claim means and when it holds is said where it is judged.
package proof

import (
	"math"

	"rcmdplab/core/jsontext"
)

// Claim is a proof, as plain data, of one statement about a problem:
//
//	no policy has J_{n,P} <= b_n + Allow_n + Relax for every constraint n and
//	kernel P of the claim, and J_{0,P} < Target for every kernel P,
//
// in the internal convention of model.Standard. With Target = +Inf and
// Relax = 0 it says that the problem is infeasible; with Relax = t > 0 that the
// least maximal violation exceeds t; with a finite Target that no policy that
// meets the constraints has a worst-case objective below Target. A subset
// of nature's kernels only weakens the hypotheses, so any will do.
//
// The Target of a proof that Shows may be a proposal: the checker says what it proves.
type Claim struct {
	Problem string  // content hash of the problem document
	Target  float64 // T, a return; +Inf when the objective is not limited
	Relax   float64 // t >= 0, added to every threshold

	// Allow >= 0, by constraint from 1, is added to its threshold as well: what a
	// policy that meets the limits up to rounding may miss them by. Nil: nothing.
	Allow []float64

	// Kernels are members of an infinite set, in the order that steps number
	// them. A finite set's kernels are numbered as in the document.
	Kernels []Kernel

	Values *Values // a proof by a value function, or nil
	Rays   *Rays   // a proof by values on rays, or nil
	Nodes  []Node  // a proof by a tree of boxes, in preorder
	Tensor *Tensor // a proof by tensors, or nil

	Choices *Choices // a proof by values under every model, or by a tree of actions, or nil

	// Guesses may come with a proof: value functions near those of the policy it
	// came with, by kernel of a finite set and cost, [kernel·(N+1)+n]. They prove
	// nothing; a check of that policy is faster with them, but where it is in fractions.
	Guesses [][]float64
}

// Kernel is one member of a rectangular set: dense rows, pairs·S numbers, and
// for the regularised set at least what nature pays for each row,
// γ·temperature·KL, by pair.
type Kernel struct {
	Rows    []float64 // probabilities, [i*S+s']
	Penalty []float64 // discounted one-step cost, by pair; nil: nothing
}

// Infeasible reports whether the statement is that no policy meets the
// constraints.
func (c *Claim) Infeasible() bool { return math.IsInf(c.Target, 1) }

// Shows reports whether the proof shows by itself how much it proves: values, rays and choices do. Another
// tree proves what it was made for.
func (c *Claim) Shows() bool { return c.Values != nil || c.Rays != nil || c.Choices != nil }

// Open is the claim with its bound left to whoever judges it, where the proof shows it.
func (c *Claim) Open() Claim {
	open := *c
	if !c.Infeasible() && c.Shows() {
		open.Target = math.NaN()
	}
	return open
}

// Prices are what raising each limit takes off the bound at most, from constraint 1; nil where
// that is not known. A claim with prices holds for whatever is allowed, at that price.
func (c *Claim) Prices() []float64 {
	switch {
	case c.Values != nil:
		return c.Values.Prices
	case c.Choices != nil:
		return c.Choices.prices()
	}
	return nil
}

// Boxes is how many boxes of policies the tree of the proof has, 0 without one.
func (c *Claim) Boxes() int {
	switch {
	case c.Tensor != nil:
		return len(c.Tensor.Nodes)
	case c.Choices != nil:
		return len(c.Choices.Nodes)
	}
	return len(c.Nodes)
}

// kinds are the kinds of proof that there are, in the order of the document.
func (c *Claim) kinds() []kind {
	return []kind{
		part("values", &c.Values, (*writer).values, (*Values).read),
		part("rays", &c.Rays, (*writer).rays, (*Rays).read),
		{"nodes", len(c.Nodes) > 0, func(w *writer) error { return w.nodes(c.Nodes) }, jsontext.List(&c.Nodes, (*Node).read)},
		part("tensor", &c.Tensor, (*writer).tensor, (*Tensor).read),
		part("choices", &c.Choices, (*writer).choices, (*Choices).read),
	}
}

// Given is how many proofs the claim holds.
func (c *Claim) Given() (count int) {
	for _, k := range c.kinds() {
		if k.given {
			count++
		}
	}
	return count
}

// Empty reports whether there is no proof of anything.
func (c *Claim) Empty() bool { return c.Problem == "" && c.Given() == 0 && len(c.Kernels) == 0 }
