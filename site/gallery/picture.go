package main

import (
	"fmt"
	"math"
	"strings"

	"rcmdplab/wasm/wire"
)

// shown are the columns of a trace that the page draws of a stored answer; its
// clock counted steps and is left out.
var shown = map[string]bool{"k": true, "objective": true, "maxViolation": true, "bestObjective": true, "lowerBound": true, "upperBound": true, "nodes": true, "evaluations": true}

// mostRows is how many rows of a trace are kept, evenly chosen.
const mostRows = 120

// columns are the rows of a run's trace that are kept, NaN as null.
func columns(reply []byte) map[string][]*float64 {
	_, all, err := wire.Unpack(reply)
	if err != nil {
		panic(err)
	}
	out := map[string][]*float64{}
	for _, c := range all {
		if !shown[c.Name] {
			continue
		}
		n := len(c.Data)
		keep := min(n, mostRows)
		kept := make([]*float64, keep)
		for i := range keep {
			at := i
			if n > mostRows {
				at = i * (n - 1) / (mostRows - 1)
			}
			if x := c.Data[at]; !math.IsNaN(x) && !math.IsInf(x, 0) {
				x = short(x)
				kept[i] = &x
			}
		}
		out[c.Name] = kept
	}
	return out
}

// short is x to nine digits: more than a chart can show.
func short(x float64) float64 {
	var y float64
	if _, err := fmt.Sscanf(fmt.Sprintf("%.9g", x), "%g", &y); err != nil {
		return x
	}
	return y
}

// thumbnail draws a policy as a small picture of its probabilities, states from
// left to right, actions from top to bottom, in the colour of the text around it.
func thumbnail(policy [][]float64) string {
	const most = 24 // states; more are not told apart at this size
	if len(policy) == 0 {
		return ""
	}
	states := min(len(policy), most)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" fill="currentColor">`, states, len(policy[0]))
	for s := range states {
		for a, p := range policy[s*len(policy)/states] {
			if p > 0.005 {
				fmt.Fprintf(&b, `<path d="M%d %dh.9v.9h-.9z" opacity="%.2g"/>`, s, a, 0.12+0.88*p)
			}
		}
	}
	return b.String() + "</svg>"
}
