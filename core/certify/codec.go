package certify

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// Format is what a certificate document calls itself.
const Format = "rcmdp-certificate/1"

// The document. Names of kinds and targets are words; rows and multipliers are
// base64 of little-endian uint32 and float32 (float64 in multipliers64, where
// single precision does not hold them all).
type (
	document struct {
		Format  string       `json:"format"`
		Problem string       `json:"problem"`
		Target  *float64     `json:"target"` // null: the claim is about the constraints alone
		Relax   float64      `json:"relax"`
		Kernels []kernelJSON `json:"kernels,omitempty"`
		Single  *singleJSON  `json:"single,omitempty"`
		Nodes   []nodeJSON   `json:"nodes,omitempty"`
	}
	kernelJSON struct {
		Rows    []float64 `json:"rows"`
		Penalty []float64 `json:"penalty,omitempty"`
	}
	singleJSON struct {
		Kernel int       `json:"kernel"`
		Y      []float64 `json:"multipliers"`
	}
	nodeJSON struct {
		Steps []stepJSON `json:"steps,omitempty"`
		Split *splitJSON `json:"split,omitempty"` // nil: shown empty
	}
	splitJSON struct {
		Pair int     `json:"pair"`
		At   float64 `json:"at"`
	}
	stepJSON struct {
		Kind          string  `json:"kind"`
		Target        string  `json:"target,omitempty"`
		Kernels       []int   `json:"kernels,omitempty"` // M, M2
		Of            int     `json:"of,omitempty"`
		To            int     `json:"to,omitempty"`
		Index         int     `json:"index,omitempty"`
		Rho           float64 `json:"rho,omitempty"`
		Value         float64 `json:"value,omitempty"`
		Rows          []byte  `json:"rows,omitempty"`
		Multipliers   []byte  `json:"multipliers,omitempty"`
		Multipliers64 []byte  `json:"multipliers64,omitempty"`
	}
)

func kindNames() []string { return []string{"open", "refresh", "close", "bound"} }

func targetNames() []string {
	return []string{"empty", "occupancy-low", "occupancy-high", "policy-low", "policy-high", "ratio-high"}
}

// Encode writes the certificate as a document. It fails when a number is not
// finite (a Target of +Inf apart) or a kind is unknown.
func (c *Certificate) Encode() ([]byte, error) {
	d := document{Format: Format, Problem: c.Problem, Relax: c.Relax}
	if !math.IsInf(c.Target, 1) {
		d.Target = &c.Target
	}
	for _, k := range c.Kernels {
		d.Kernels = append(d.Kernels, kernelJSON(k))
	}
	if c.Single != nil {
		d.Single = &singleJSON{c.Single.M, c.Single.Y}
	}
	d.Nodes = make([]nodeJSON, len(c.Nodes))
	for k, n := range c.Nodes {
		if n.Pair >= 0 {
			d.Nodes[k].Split = &splitJSON{n.Pair, n.At}
		}
		for j := range n.Steps {
			s, err := n.Steps[j].json()
			if err != nil {
				return nil, fmt.Errorf("certificate: /nodes/%d/steps/%d: %w", k, j, err)
			}
			d.Nodes[k].Steps = append(d.Nodes[k].Steps, s)
		}
	}
	b, err := json.Marshal(&d)
	if err != nil {
		return nil, fmt.Errorf("certificate: %w", err)
	}
	return b, nil
}

func (s *Step) json() (stepJSON, error) {
	kinds, targets := kindNames(), targetNames()
	if int(s.Kind) >= len(kinds) || int(s.Target) >= len(targets) || len(s.Rows) != len(s.Y) {
		return stepJSON{}, fmt.Errorf("kind %d, target %d, %d rows and %d multipliers make no step", s.Kind, s.Target, len(s.Rows), len(s.Y))
	}
	j := stepJSON{Kind: kinds[s.Kind]}
	switch s.Kind {
	case Refresh:
		j.Kernels, j.Index = []int{s.M, s.M2}, s.Index
	case Bound:
		j.Target, j.Kernels = targets[s.Target], []int{s.M, s.M2}
		j.Of, j.To, j.Index, j.Rho, j.Value = s.Of, s.To, s.Index, s.Rho, s.Value
		for _, r := range s.Rows {
			j.Rows = binary.LittleEndian.AppendUint32(j.Rows, uint32(r))
		}
		single := !slices.ContainsFunc(s.Y, func(y float64) bool { return float64(float32(y)) != y })
		for _, y := range s.Y {
			if single {
				j.Multipliers = binary.LittleEndian.AppendUint32(j.Multipliers, math.Float32bits(float32(y)))
			} else {
				j.Multipliers64 = binary.LittleEndian.AppendUint64(j.Multipliers64, math.Float64bits(y))
			}
		}
	}
	return j, nil
}

// Decode reads a certificate document. It checks the form; whether the proof
// holds is for Check. The error says where, what was found and what is allowed.
func Decode(text []byte) (Certificate, error) {
	var d document
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&d); err != nil {
		var syntax *json.SyntaxError
		var kind *json.UnmarshalTypeError
		switch {
		case errors.As(err, &kind):
			return Certificate{}, fmt.Errorf("certificate: /%s: got a %s at character %d; want a %v", kind.Field, kind.Value, kind.Offset, kind.Type)
		case errors.As(err, &syntax):
			return Certificate{}, fmt.Errorf("certificate: not valid JSON at character %d: %w", syntax.Offset, err)
		}
		return Certificate{}, fmt.Errorf("certificate: %w", err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return Certificate{}, fmt.Errorf("certificate: text after the end of the document, at character %d", dec.InputOffset())
	}
	if d.Format != Format {
		return Certificate{}, fmt.Errorf("certificate: /format: got %q; want %q", d.Format, Format)
	}
	c := Certificate{Problem: d.Problem, Target: math.Inf(1), Relax: d.Relax}
	if d.Target != nil {
		c.Target = *d.Target
	}
	for _, k := range d.Kernels {
		c.Kernels = append(c.Kernels, Kernel(k))
	}
	if d.Single != nil {
		c.Single = &Single{d.Single.Kernel, d.Single.Y}
	}
	for k, n := range d.Nodes {
		node := Node{Pair: -1}
		if n.Split != nil {
			if node.Pair, node.At = n.Split.Pair, n.Split.At; node.Pair < 0 {
				return Certificate{}, fmt.Errorf("certificate: /nodes/%d/split/pair: got %d; want a number >= 0", k, node.Pair)
			}
		}
		for j := range n.Steps {
			s, err := n.Steps[j].step()
			if err != nil {
				return Certificate{}, fmt.Errorf("certificate: /nodes/%d/steps/%d%w", k, j, err)
			}
			node.Steps = append(node.Steps, s)
		}
		c.Nodes = append(c.Nodes, node)
	}
	return c, nil
}

func (j *stepJSON) step() (Step, error) {
	kind := slices.Index(kindNames(), j.Kind)
	if kind < 0 {
		return Step{}, fmt.Errorf("/kind: got %q; want one of %q", j.Kind, kindNames())
	}
	s := Step{Kind: StepKind(kind), Of: j.Of, To: j.To, Index: j.Index, Rho: j.Rho, Value: j.Value}
	if s.Kind == Bound || s.Kind == Refresh {
		if len(j.Kernels) != 2 {
			return Step{}, fmt.Errorf("/kernels: got %d numbers; want 2", len(j.Kernels))
		}
		s.M, s.M2 = j.Kernels[0], j.Kernels[1]
	}
	if s.Kind != Bound {
		return s, nil
	}
	target := slices.Index(targetNames(), j.Target)
	if target < 0 {
		return Step{}, fmt.Errorf("/target: got %q; want one of %q", j.Target, targetNames())
	}
	s.Target = Target(target)
	n := len(j.Rows) / 4
	if len(j.Rows)%4 != 0 || len(j.Multipliers)+len(j.Multipliers64)/2 != 4*n || len(j.Multipliers64)%8 != 0 || len(j.Multipliers)*len(j.Multipliers64) > 0 {
		return Step{}, fmt.Errorf("/rows: got %d bytes of rows, %d of multipliers and %d of multipliers64; want 4 a row, and 4 or 8 a multiplier", len(j.Rows), len(j.Multipliers), len(j.Multipliers64))
	}
	for k := range n {
		s.Rows = append(s.Rows, Row(binary.LittleEndian.Uint32(j.Rows[4*k:])))
		if len(j.Multipliers64) > 0 {
			s.Y = append(s.Y, math.Float64frombits(binary.LittleEndian.Uint64(j.Multipliers64[8*k:])))
		} else {
			s.Y = append(s.Y, float64(math.Float32frombits(binary.LittleEndian.Uint32(j.Multipliers[4*k:]))))
		}
		if y := s.Y[k]; math.IsNaN(y) || math.IsInf(y, 0) {
			return Step{}, fmt.Errorf("/multipliers: number %d is %v; want a finite number", k, y)
		}
	}
	return s, nil
}
