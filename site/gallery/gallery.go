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
	"math"
	"os"
	"slices"

	"rcmdplab/core/instance"
	"rcmdplab/core/model"
	"rcmdplab/wasm/wire"
)

// item is one model with its answer, and the certificate, which the site's build puts into a file of
// its own. Of a grid world the build draws a thumbnail of the grid.
type item struct {
	ID          string          `json:"id"`
	Title       string          `json:"title"`
	Group       string          `json:"group"`
	Teaches     string          `json:"teaches"`
	Size        string          `json:"size"`
	Description string          `json:"description"`
	Parameters  []parameter     `json:"parameters"`
	Problem     json.RawMessage `json:"problem"`
	Options     json.RawMessage `json:"options"`
	Result      json.RawMessage `json:"result"`
	Thumbnail   string          `json:"thumbnail"`
	Certificate json.RawMessage `json:"certificate,omitempty"`
	Curve       *curve          `json:"curve,omitempty"`
}

// curve is a trade-off: the answer for each of some values of a number of the model, for an embed to
// show before its solver is loaded.
type curve struct {
	Pointer string                       `json:"pointer"`
	Points  []map[string]json.RawMessage `json:"points"`
}

type parameter struct {
	Name    string  `json:"name"`
	Label   string  `json:"label"`
	Default float64 `json:"default"`
	Min     float64 `json:"min"`
	Max     float64 `json:"max"`
	Integer bool    `json:"integer"`
}

// The groups, in the order in which a person meets them.
const (
	stories = "Stories"
	paper   = "From the paper"
	random  = "Random"
)

// shelf says where a model stands and what it teaches.
type shelf struct{ group, teaches string }

var shelves = map[string]shelf{
	"machine-repair":             {stories, "A limit on the worst case changes when to repair."},
	"machine-repair-l1":          {stories, "A ball around every row of one model, in place of a list of models."},
	"grid":                       {stories, "The short way is dangerous: a limit makes the plan toss a coin between the ways."},
	"inventory":                  {stories, "A limit from below, and costs that depend on the next state."},
	"inventory-kl":               {stories, "Relative entropy: unlikely demand may be more likely than measured."},
	"inventory-lead-time":        {stories, "From counts to a set: fewer days counted, a larger radius, a dearer plan."},
	"fishery":                    {stories, "Greed against collapse, when an objective is maximised."},
	"treatment":                  {stories, "Intervals from studies, and actions that are not always available."},
	"clinic":                     {stories, "Several models of one disease: one plan that keeps its limit in each."},
	"clinic-average":             {stories, "A mean over weighted models, a limit on their tail, and a plan without dice."},
	"maintenance-rule":           {stories, "One action in each state: what a rule costs next to tossing coins."},
	"die":                        {stories, "No discount: a throw ends. A coin turned over by chance is fair, however it leans."},
	"grid-trap":                  {stories, "A limit on the probability of falling: a cost of 1 where a walk ends."},
	"road-year":                  {stories, "Twelve months and then it is over: the plan changes as the end comes near."},
	"call-centre":                {stories, "Contamination: now and then anything may happen."},
	"river-swim":                 {stories, "Support matters: whether unseen jumps may happen decides where to swim."},
	"media-streaming":            {stories, "Three uncertain rates make 27 kernels, and nature picks one for good."},
	"queue":                      {stories, "Two limits at once, and a plan that mixes actions to keep both."},
	"ambulance":                  {stories, "Infeasible, with a proof: each limit can be kept, but not all by one plan."},
	"plain":                      {stories, "400 states: sparse entries keep a large model small."},
	"gradient-conflict":          {paper, "Where the gradients of two costs point against each other, and a Lagrangian stalls."},
	"gradient-conflict-epigraph": {paper, "The same conflict where the epigraph form finds its way."},
	"local-minimum":              {paper, "A strict local minimum far from the best policy: descent stays there."},
	"setting-a":                  {random, "A finite set of kernels, drawn at random as in the paper."},
	"setting-b":                  {random, "A KL ball around a random kernel, as in the paper."},
	"setting-c":                  {random, "One random kernel: a constrained MDP, as in the paper."},
	"reference":                  {random, "A random instance of a size on which methods are compared."},
}

// along is the limit whose trade-off is drawn, in so many equal steps from one end to the other.
type along struct {
	limit    int
	from, to float64
	steps    int
}

// tradeoffs are drawn for a model that the guide embeds, and for one whose limit must be loosened.
var tradeoffs = map[string]along{
	"machine-repair": {0, 0, 0.25, 20},
	"ambulance":      {0, 0.1, 0.5, 20},
}

// maxSteps ends a run that has not closed its gap: so many readings of the
// counting clock.
const maxSteps = 8000

// options are those of a model's run where the defaults would take too long, or
// make a certificate that is too large to send.
var options = map[string]string{
	"setting-a":           `{"algorithm":"solve","gap":0.05}`,
	"inventory-lead-time": `{"algorithm":"solve","gap":0.02}`,
}

func main() {
	if err := json.NewEncoder(os.Stdout).Encode(gallery()); err != nil {
		fmt.Fprintln(os.Stderr, "gallery:", err)
		os.Exit(1)
	}
}

// must is a value of which an error would be a fault of ours: everything here is made by the same sources.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func gallery() (items []item) {
	for _, e := range instance.Examples() {
		items = append(items, solved(e))
	}
	return items
}

func solved(e instance.Example) item {
	defer func() {
		if p := recover(); p != nil {
			panic(fmt.Sprintf("%s: %v", e.ID, p))
		}
	}()
	values := map[string]float64{}
	it := item{ID: e.ID, Title: e.Title, Description: e.Description, Parameters: []parameter{}, Options: json.RawMessage(`{"algorithm":"solve"}`)}
	it.Group, it.Teaches = shelves[e.ID].group, shelves[e.ID].teaches
	if o, ok := options[e.ID]; ok {
		it.Options = json.RawMessage(o)
	}
	for _, p := range e.Parameters {
		values[p.Name] = p.Default
		it.Parameters = append(it.Parameters, parameter(p))
	}
	p := e.Make(values)
	it.Size = size(p)
	it.Problem = compact(p.Encode())

	result, reply := run(it.Options, it.Problem)
	it.Certificate = result["certificate"]
	delete(result, "certificate")
	result["seconds"] = json.RawMessage("null") // there was no clock
	result["trace"] = must(json.Marshal(columns(reply)))
	it.Result = must(json.Marshal(result))
	if a, ok := tradeoffs[e.ID]; ok {
		it.Curve = drawn(e.Make(values), a, it.Options)
	}
	it.Thumbnail = thumbnail(rowsOf(result["policy"]))
	return it
}

// decoded is a value of JSON.
func decoded[T any](raw json.RawMessage) (v T) {
	if err := json.Unmarshal(raw, &v); err != nil {
		panic(err)
	}
	return v
}

// rowsOf are the rows of a policy, of one by time in the order of its tables.
func rowsOf(raw json.RawMessage) (rows [][]float64) {
	if json.Unmarshal(raw, &rows) == nil {
		return rows
	}
	return slices.Concat(decoded[[][][]float64](raw)...)
}

// run solves a document to its end; also the reply that ended it, with its columns.
func run(options, problem json.RawMessage) (result map[string]json.RawMessage, reply []byte) {
	s := &wire.Session{}
	must(value(s.Call("begin", options, problem)))
	ticks := 0.0
	for s.Running() {
		if ticks > maxSteps {
			s.Call("stop")
		}
		reply = s.Step(func() float64 { ticks++; return ticks * 1e-6 }, 0, false)
	}
	end := decoded[struct{ Result map[string]json.RawMessage }](must(value(reply)))
	return end.Result, reply
}

// drawn solves p with its limit at each value. Along a limit what is known of one point says something
// of the others, but each is left as it was found: the page finds and checks all of them again.
func drawn(p *model.Problem, a along, options json.RawMessage) *curve {
	limit, side := &p.Constraints[a.limit], "atMost"
	if limit.AtLeast {
		side = "atLeast"
	}
	c := &curve{Pointer: fmt.Sprintf("/constraints/%d/%s", a.limit, side)}
	for i := 0; i <= a.steps; i++ {
		limit.Bound = math.Round((a.from+(a.to-a.from)*float64(i)/float64(a.steps))*1e6) / 1e6
		result, _ := run(options, compact(p.Encode()))
		point := map[string]json.RawMessage{}
		for _, key := range []string{"status", "feasible", "algorithm", "objective", "constraints", "policy"} {
			point[key] = result[key]
		}
		point["value"] = must(json.Marshal(limit.Bound))
		c.Points = append(c.Points, point)
	}
	return c
}

// sets are the kinds of uncertainty set in words.
var sets = map[model.Kind]string{
	model.KL: "KL balls", model.KLRegularized: "KL penalty", model.L1: "l1 balls", model.TV: "TV balls", model.L2: "l2 balls", model.LInf: "l∞ balls",
	model.Chi2: "χ² balls", model.Contamination: "contamination", model.Interval: "intervals",
}

// size is how large a model is, in a line.
func size(p *model.Problem) string {
	set := sets[p.Uncertainty.Kind]
	if p.Uncertainty.Kind == model.Finite {
		set = count(len(p.Uncertainty.Kernels), "kernel")
	}
	if p.Horizon > 0 {
		set += ", " + count(p.Horizon, "decision")
	}
	return count(len(p.States), "state") + ", " + count(len(p.Actions), "action") + ", " + set + ", " + count(len(p.Constraints), "limit")
}

func count(n int, what string) string {
	switch n {
	case 0:
		return "no " + what
	case 1:
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
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
