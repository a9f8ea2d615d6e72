// Gallery solves the models of the gallery and writes them with their answers as
// JSON, for the page to show before its solver is loaded:
//
//	go run ./site/gallery >gallery.json
//
// Each is solved by the very code that the page runs (package wire), and by a
// clock that counts steps, so that the same sources give the same bytes.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"

	"rcmdplab/core/instance"
	"rcmdplab/wasm/wire"
)

// item is one model with its answer: what gallery.json holds, and the
// certificate, which the site's build puts into a file of its own.
type item struct {
	ID          string          `json:"id"`
	Title       string          `json:"title"`
	Group       string          `json:"group"`
	Teaches     string          `json:"teaches"`
	Description string          `json:"description"`
	Parameters  []parameter     `json:"parameters"`
	Problem     json.RawMessage `json:"problem"`
	Options     json.RawMessage `json:"options"`
	Result      json.RawMessage `json:"result"`
	Thumbnail   string          `json:"thumbnail"`
	Certificate json.RawMessage `json:"certificate,omitempty"`
}

type parameter struct {
	Name    string  `json:"name"`
	Label   string  `json:"label"`
	Default float64 `json:"default"`
	Min     float64 `json:"min"`
	Max     float64 `json:"max"`
	Integer bool    `json:"integer"`
}

// shelf says where a model stands and what it teaches. One that is not named
// here stands under Models.
type shelf struct{ group, teaches string }

var shelves = map[string]shelf{
	"machine-repair":    {"Models", "A limit on the worst case changes when to repair."},
	"gradient-conflict": {"From the paper", "Where the gradients of two costs point against each other, and a Lagrangian stalls."},
	"setting-a":         {"From the paper", "A random instance with a finite set of kernels."},
	"setting-b":         {"From the paper", "A random instance with a KL ball around the nominal kernel."},
	"setting-c":         {"From the paper", "A random instance with one kernel: a constrained MDP."},
}

// maxSteps ends a run that has not closed its gap: so many readings of the
// counting clock.
const maxSteps = 8000

// options are those of a model's run where the defaults would take too long, or
// make a certificate that is too large to send.
var options = map[string]string{"setting-a": `{"algorithm":"solve","gap":0.05}`}

func main() {
	items, err := gallery()
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(items)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gallery:", err)
		os.Exit(1)
	}
}

func gallery() ([]item, error) {
	var items []item
	for _, e := range instance.Examples() {
		it, err := solved(e)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.ID, err)
		}
		items = append(items, it)
	}
	return items, nil
}

func solved(e instance.Example) (item, error) {
	values := map[string]float64{}
	it := item{ID: e.ID, Title: e.Title, Group: "Models", Description: e.Description, Parameters: []parameter{}, Options: json.RawMessage(`{"algorithm":"solve"}`)}
	if s, ok := shelves[e.ID]; ok {
		it.Group, it.Teaches = s.group, s.teaches
	}
	if o, ok := options[e.ID]; ok {
		it.Options = json.RawMessage(o)
	}
	for _, p := range e.Parameters {
		values[p.Name] = p.Default
		it.Parameters = append(it.Parameters, parameter(p))
	}
	it.Problem = compact(e.Make(values).Encode())

	s := &wire.Session{}
	if _, err := value(s.Call("begin", it.Options, it.Problem)); err != nil {
		return item{}, err
	}
	var reply []byte
	ticks := 0.0
	for s.Running() {
		if ticks > maxSteps {
			s.Call("stop")
		}
		reply = s.Step(func() float64 { ticks++; return ticks * 1e-6 }, 0, false)
	}
	v, err := value(reply)
	if err != nil {
		return item{}, err
	}
	var end struct {
		Result map[string]json.RawMessage
	}
	if err := json.Unmarshal(v, &end); err != nil {
		return item{}, err
	}
	it.Certificate = end.Result["certificate"]
	delete(end.Result, "certificate")
	end.Result["seconds"] = json.RawMessage("null") // there was no clock
	trace, err := columns(reply)
	if err != nil {
		return item{}, err
	}
	if end.Result["trace"], err = json.Marshal(trace); err != nil {
		return item{}, err
	}
	if it.Result, err = json.Marshal(end.Result); err != nil {
		return item{}, err
	}
	var policy [][]float64
	if err := json.Unmarshal(end.Result["policy"], &policy); err != nil {
		return item{}, err
	}
	it.Thumbnail = thumbnail(policy)
	return it, nil
}

// value is what a reply answers.
func value(reply []byte) (json.RawMessage, error) {
	text, _, err := wire.Unpack(reply)
	if err != nil {
		return nil, err
	}
	var r struct {
		Value json.RawMessage
		Error *struct{ Message string }
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, err
	}
	if r.Error != nil {
		return nil, fmt.Errorf("%s", r.Error.Message)
	}
	return r.Value, nil
}

func compact(document []byte) json.RawMessage {
	var b bytes.Buffer
	if err := json.Compact(&b, document); err != nil {
		panic(err) // the encoder wrote it
	}
	return b.Bytes()
}
