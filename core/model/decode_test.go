package model_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/model"
)

// machine is a document that uses what most documents use: two kernels, one
// pair that is not available.
const machine = `{
  "format": "rcmdp/1",
  "name": "Machine repair",
  "states": ["good", "worn", "broken"],
  "actions": ["run", "repair"],
  "discount": 0.95,
  "initial": [1, 0, 0],
  "objective": {"name": "money", "sense": "minimize", "values": [[0, 2], [1, 2], [null, 4]]},
  "constraints": [{"name": "downtime", "values": [[0, 0], [0, 0.25], [1, 1]], "atMost": 2.5}],
  "uncertainty": {
    "kind": "finite",
    "kernels": [
      {"name": "nominal", "transitions": [[[0.9, 0.1, 0], [1, 0, 0]], [[0, 0.7, 0.3], [1, 0, 0]], [null, [1, 0, 0]]]},
      {"name": "harsh", "transitions": [[[0.7, 0.3, 0], [1, 0, 0]], [[0, 0.5, 0.5], [0.9, 0.1, 0]], [null, [0.8, 0, 0.2]]]}
    ]
  }
}`

// set is machine with another uncertainty set.
func set(uncertainty string) string {
	i := strings.Index(machine, `"uncertainty"`)
	return machine[:i] + `"uncertainty": ` + uncertainty + "}"
}

const (
	dense  = `[[[0.9, 0.1, 0], [1, 0, 0]], [[0, 0.7, 0.3], [1, 0, 0]], [null, [1, 0, 0]]]`
	sparse = `{"entries": [["good", "run", "good", 0.9], ["good", "run", "worn", 0.1], ["good", "repair", "good", 1],
		["worn", "run", "worn", 0.7], ["worn", "run", "broken", 0.3], ["worn", "repair", "good", 1], ["broken", "repair", "good", 1], ["broken", "repair", "broken", 0]]}`
	indexed = `{"entries": [[2, 1, 0, 1], [0, 0, 1, 0.1], [0, 0, 0, 0.9], [0, 1, 0, 1], [1, 1, 0, 1], [1, 0, 2, 0.3], [1, 0, 1, 0.7]]}`
	lowerB  = `[[[0.8, 0, 0], [1, 0, 0]], [[0, 0.6, 0.2], [0.5, 0, 0]], [null, [0, 0, 0]]]`
	upperB  = `[[[1, 0.2, 0], [1, 0, 0]], [[0, 0.8, 0.4], [1, 0.3, 0]], [null, [0.9, 0.9, 0.3]]]`
)

// documents are valid ones, each with something that must survive.
var documents = map[string]string{
	"machine":          machine,
	"maximize":         strings.Replace(machine, "minimize", "maximize", 1),
	"at least":         strings.Replace(machine, "atMost", "atLeast", 1),
	"average":          strings.Replace(machine, `"atMost"`, `"scale": "average", "atMost"`, 1),
	"no constraints":   strings.Replace(machine, `"constraints": [`, `"constraints": [], "description": "a \"quoted\" \\ text\nof γ <b>&amp;</b>   ", "source": "é`+"`"+`", "objective2": [`, 1),
	"discount 0":       strings.Replace(machine, "0.95", "0", 1),
	"negative zero":    strings.Replace(machine, "[[0, 2]", "[[-0.0, 2]", 1),
	"numbers":          strings.Replace(machine, "[[0, 2], [1, 2], [null, 4]]", "[[1e-100, -9.9999999999999999e99], [123456789.123456789, -1.2345678901234567e-99], [null, 1E+22]]", 1),
	"next state costs": strings.Replace(machine, "[[0, 2], [1, 2], [null, 4]]", "[[[0, 1, 2], [3, 4, 5]], [[6, 7, 8], [9, 1, 2]], [null, [1, 2, 3]]]", 1),
	"next, not null":   strings.Replace(machine, "[[0, 2], [1, 2], [null, 4]]", "[[[0, 1, 2], [3, 4, 5]], [[6, 7, 8], [9, 1, 2]], [[7, 7, 7], [1, 2, 3]]]", 1),
	"tiny probability": strings.Replace(machine, "[0.9, 0.1, 0], [1, 0, 0]", "[0.9, 0.1, 0], [1, 1e-13, 0]", 1),
	"no names":         strings.NewReplacer(`"name": "money", `, "", `"name": "downtime", `, "", `"name": "harsh", `, "").Replace(machine),
	"byte order mark":  "\ufeff" + machine,
	"kl":               set(`{"kind": "kl", "nominal": ` + dense + `, "radius": 0.1}`),
	"kl, by pair":      set(`{"kind": "kl", "nominal": ` + dense + `, "radius": [[0.1, 0], [0.2, 0.3], [null, 1e-9]]}`),
	"kl-regularized":   set(`{"kind": "kl-regularized", "nominal": ` + sparse + `, "temperature": 2}`),
	"paper":            set(`{"kind": "kl-regularized", "nominal": ` + dense + `, "temperature": 2, "evaluator": "paper"}`),
	"soft":             set(`{"kind": "kl-regularized", "nominal": ` + dense + `, "temperature": 2, "evaluator": "soft"}`),
	"l1":               set(`{"kind": "l1", "nominal": ` + sparse + `, "radius": 0.1, "support": "nominal"}`),
	"tv":               set(`{"kind": "tv", "nominal": ` + indexed + `, "radius": 0.1, "support": "all"}`),
	"l2":               set(`{"kind": "l2", "nominal": ` + dense + `, "radius": 0}`),
	"linf":             set(`{"kind": "linf", "nominal": ` + dense + `, "radius": 7}`),
	"chi2":             set(`{"kind": "chi2", "nominal": ` + dense + `, "radius": [[1, 1], [2, 2], [5, 3]]}`),
	"contamination":    set(`{"kind": "contamination", "nominal": ` + dense + `, "radius": 1, "support": "all"}`),
	"interval":         set(`{"kind": "interval", "lower": ` + lowerB + `, "upper": ` + upperB + `}`),
	"interval, sparse": set(`{"kind": "interval", "lower": ` + lowerB + `, "upper": {"entries": [[0, 0, 0, 1], [0, 0, 1, 0.2], [0, 1, 0, 1], [1, 0, 1, 0.8],
		[1, 0, 2, 0.4], [1, 1, 0, 1], [2, 1, 1, 1], [2, 1, 2, 0]]}}`),
	"no freedom": set(`{"kind": "interval", "lower": ` + dense + `, "upper": ` + dense + `}`),
	"averages": strings.NewReplacer(`"discount": 0.95,`, `"discount": 0.95, "policies": "deterministic",`, `"name": "money",`, `"name": "money", "over": {"cvar": 0.25},`,
		`"name": "downtime",`, `"name": "downtime", "over": "mean",`, `"name": "nominal",`, `"name": "nominal", "weight": 0.7,`, `"name": "harsh",`, `"name": "harsh", "weight": 0.3,`).Replace(machine),
	"episodes": strings.NewReplacer(`"discount": 0.95,`, `"discount": 1, "end": ["broken"],`, `[null, [1, 0, 0]]`, `[[0, 0, 1], null]`, `[null, [0.8, 0, 0.2]]`, `[[0, 0, 1], null]`, `[null, 4]`, `[4, null]`).Replace(machine),
	"discounted episodes": strings.NewReplacer(`"discount": 0.95,`, `"discount": 0.9, "end": ["worn", "broken"],`, `[1, 2]`, `[1, null]`, `[null, 4]`, `[4, 4]`, `[0, 0.25]`, `[0.5, 0.5]`).Replace(
		set(`{"kind": "interval", "lower": [[[0.8, 0, 0], [1, 0, 0]], [[0, 1, 0], null], [[0, 0, 1], null]], "upper": {"entries": [[0, 0, 0, 1], [0, 0, 1, 0.2], [0, 1, 0, 1], [1, 0, 1, 1], [2, 0, 2, 1]]}}`)),
	"decisions": strings.NewReplacer(`"discount": 0.95,`, `"discount": 1, "horizon": 24,`, `[[0, 2], [1, 2], [null, 4]]`, `[[0, 2], [1, 2], [null, 4]], "final": [0, -1, 2.5]`).Replace(machine),
	"by decision": strings.NewReplacer(`"discount": 0.95,`, `"discount": 0.9, "horizon": 2,`, `[[0, 2], [1, 2], [null, 4]]`, `[[[0, 2], [1, 2], [null, 4]], [[0, 3], [1, 5], [null, 4]]]`).Replace(
		set(`{"kind": "l1", "nominal": ` + dense + `, "radius": [[0.1, 0], [0.2, 0.3], [null, 1e-9]], "support": "all"}`)),
	"by decision and next state": strings.NewReplacer(`"discount": 0.95,`, `"discount": 0.9, "horizon": 1,`, `[[0, 2], [1, 2], [null, 4]]`, `[[[[0, 1, 2], [3, 4, 5]], [[6, 7, 8], [9, 1, 2]], [null, [1, 2, 3]]]]`).Replace(machine),
	"two forms":                  set(`{"kind": "finite", "kernels": [{"transitions": ` + sparse + `}, {"transitions": ` + dense + `}, {"transitions": ` + indexed + `}]}`),
}

func init() {
	// A second list of constraints cannot be cut out by one replacement.
	d := documents["no constraints"]
	i, j := strings.Index(d, `"objective2"`), strings.Index(d, `"uncertainty"`)
	documents["no constraints"] = d[:i] + d[j:]
}

func decode(t testing.TB, doc string) *model.Problem {
	t.Helper()
	p, faults, _ := model.Decode([]byte(doc))
	if len(faults) > 0 {
		t.Fatalf("%v\nin %.2000s", faults, doc)
	}
	return p
}

// comparable is a copy for reflect.DeepEqual, which never finds NaN equal.
func comparable(p *model.Problem) model.Problem {
	q := *p
	plain := func(v []float64) []float64 {
		v = slices.Clone(v)
		for i, x := range v {
			if math.IsNaN(x) {
				v[i] = -1.25e77
			}
		}
		return v
	}
	cost := func(c model.Cost) model.Cost {
		c.Values, c.Next, c.Steps = plain(c.Values), plain(c.Next), slices.Clone(c.Steps)
		for t := range c.Steps {
			c.Steps[t].Values, c.Steps[t].Next = plain(c.Steps[t].Values), plain(c.Steps[t].Next)
		}
		return c
	}
	q.Objective = cost(q.Objective)
	q.Constraints = nil
	for _, c := range p.Constraints {
		c.Cost = cost(c.Cost)
		q.Constraints = append(q.Constraints, c)
	}
	q.Uncertainty.Radius = plain(q.Uncertainty.Radius)
	return q
}

// roundTrip checks that what is encoded decodes to the same problem, and that
// the text is canonical.
func roundTrip(t testing.TB, p *model.Problem) {
	t.Helper()
	text := p.Encode()
	q, faults, _ := model.Decode(text)
	if len(faults) > 0 {
		t.Fatalf("encoded document has faults: %v\n%s", faults, text)
	}
	if !reflect.DeepEqual(comparable(p), comparable(q)) {
		t.Fatalf("decoded again:\n%+v\nwant\n%+v", comparable(q), comparable(p))
	}
	if again := q.Encode(); !bytes.Equal(again, text) {
		t.Fatalf("encoded again:\n%s\nwant\n%s", again, text)
	}
	if p.Hash() != q.Hash() || len(p.Hash()) != 64 {
		t.Fatalf("hashes %s and %s", p.Hash(), q.Hash())
	}
}

// tree is the document as encoding/json sees it, without what equals its
// default and with the defaults that Encode writes.
func tree(t testing.TB, doc []byte) map[string]any {
	t.Helper()
	var d map[string]any
	if err := json.Unmarshal(bytes.TrimPrefix(doc, []byte("\ufeff")), &d); err != nil {
		t.Fatal(err)
	}
	drop := func(m map[string]any, key string, value any) {
		if m[key] == value {
			delete(m, key)
		}
	}
	name := func(m map[string]any, otherwise string) {
		if m["name"] == nil {
			m["name"] = otherwise
		}
	}
	for _, k := range []string{"name", "description", "source"} {
		drop(d, k, "")
	}
	o := d["objective"].(map[string]any)
	name(o, "objective")
	if o["sense"] == nil {
		o["sense"] = "minimize"
	}
	drop(o, "scale", "total")
	if d["constraints"] == nil {
		d["constraints"] = []any{}
	}
	for i, c := range d["constraints"].([]any) {
		name(c.(map[string]any), fmt.Sprintf("constraint %d", i+1))
		drop(c.(map[string]any), "scale", "total")
	}
	u := d["uncertainty"].(map[string]any)
	drop(u, "support", "nominal")
	drop(u, "evaluator", "soft")
	entries := func(v any) {
		if m, ok := v.(map[string]any); ok {
			slices.SortFunc(m["entries"].([]any), func(x, y any) int {
				a, b := x.([]any), y.([]any)
				for i := range 3 {
					if c := rank(d, i, a[i]) - rank(d, i, b[i]); c != 0 {
						return c
					}
				}
				return 0
			})
		}
	}
	for _, k := range []string{"nominal", "lower", "upper"} {
		entries(u[k])
	}
	if ks, ok := u["kernels"].([]any); ok {
		for i, k := range ks {
			name(k.(map[string]any), fmt.Sprintf("P%d", i+1))
			entries(k.(map[string]any)["transitions"])
		}
	}
	return d
}

// rank is the number of a state or action by name or index.
func rank(d map[string]any, column int, id any) int {
	if x, ok := id.(float64); ok {
		return int(x)
	}
	names := d["states"].([]any)
	if column == 1 {
		names = d["actions"].([]any)
	}
	return slices.Index(names, id)
}

// Nothing of a document is lost or changed, as judged by encoding/json.
func TestEncodeKeepsEverything(t *testing.T) {
	check := func(name string, doc []byte) {
		t.Run(name, func(t *testing.T) {
			p := decode(t, string(doc))
			if got, want := tree(t, p.Encode()), tree(t, doc); !reflect.DeepEqual(got, want) {
				t.Errorf("encoded\n%v\nwant\n%v", got, want)
			}
			roundTrip(t, p)
		})
	}
	for name, doc := range documents {
		check(name, []byte(doc))
	}
	for _, name := range fixture.Names(t) {
		check(name, fixture.Text(t, name))
	}
}

// The same content written differently is one text, so that a hash names it.
func TestEncodeIsCanonical(t *testing.T) {
	compact := new(bytes.Buffer)
	if err := json.Compact(compact, []byte(machine)); err != nil {
		t.Fatal(err)
	}
	var generic any
	if err := json.Unmarshal([]byte(machine), &generic); err != nil {
		t.Fatal(err)
	}
	alphabetical, err := json.Marshal(generic)
	if err != nil {
		t.Fatal(err)
	}
	want := decode(t, machine).Hash()
	for name, doc := range map[string]string{
		"compact": compact.String(), "fields in another order": string(alphabetical),
		"other number texts":   strings.NewReplacer("0.95", "95e-2", "2.5", "2.50", "[1, 0, 0]", "[1.0, 0e7, -0]").Replace(machine),
		"escaped letters":      strings.Replace(machine, "Machine", `\u004dachine`, 1),
		"defaults written out": strings.Replace(machine, `"sense"`, `"scale": "total", "sense"`, 1),
	} {
		if got := decode(t, doc).Hash(); got != want {
			t.Errorf("%s: another hash", name)
		}
	}
	for name, doc := range map[string]string{
		"probability": strings.Replace(machine, "[0.8, 0, 0.2]", "[0.8, 0, 0.20000000000000004]", 1),
		"name":        strings.Replace(machine, "harsh", "harsher", 1),
		"null":        strings.Replace(machine, "[null, 4]", "[0, 4]", 1),
	} {
		if decode(t, doc).Hash() == want {
			t.Errorf("%s changed and the hash did not", name)
		}
	}
}

func TestDecodeFields(t *testing.T) {
	p := decode(t, machine)
	if p.Layout.Pairs() != 5 || p.Layout.Pair(2, 0) != -1 || p.Layout.Pair(2, 1) != 4 {
		t.Errorf("layout %+v", p.Layout)
	}
	if !math.IsNaN(p.Objective.Values[4]) || p.Objective.Values[5] != 4 {
		t.Errorf("objective values %v", p.Objective.Values)
	}
	if c := p.Constraints[0]; c.Name != "downtime" || c.Bound != 2.5 || c.AtLeast || c.Average {
		t.Errorf("constraint %+v", c)
	}
	next, prob := p.Uncertainty.Kernels[1].Row(4)
	if !slices.Equal(next, []int{0, 2}) || !slices.Equal(prob, []float64{0.8, 0.2}) {
		t.Errorf("row of broken/repair under harsh: %v %v", next, prob)
	}
	// Listed zeros belong to the support; the other forms say the same model.
	named := decode(t, set(`{"kind": "kl", "nominal": `+sparse+`, "radius": 1}`)).Uncertainty.Nominal
	if !named.Sparse || !named.Named {
		t.Error("entries by name are not marked so")
	}
	if next, prob = named.Row(4); !slices.Equal(next, []int{0, 2}) || !slices.Equal(prob, []float64{1, 0}) {
		t.Errorf("row with a listed zero: %v %v", next, prob)
	}
	byIndex := decode(t, set(`{"kind": "kl", "nominal": `+indexed+`, "radius": 1}`)).Uncertainty.Nominal
	plain := decode(t, set(`{"kind": "kl", "nominal": `+dense+`, "radius": 1}`)).Uncertainty.Nominal
	if !slices.Equal(byIndex.Ptr, plain.Ptr) || !slices.Equal(byIndex.Next, plain.Next) || !slices.Equal(byIndex.Prob, plain.Prob) || byIndex.Named {
		t.Errorf("entries in any order give %+v, want %+v", byIndex, plain)
	}
}

// Float noise inside RowTolerance is accepted and kept.
func TestDecodeAcceptsNoise(t *testing.T) {
	repeat := func(s string, n int) string { return strings.TrimSuffix(strings.Repeat(s+",", n), ",") }
	for name, row := range map[string]string{
		"two":            "0.06,0.94",
		"thirty-two":     repeat("0.05625", 16) + "," + repeat("0.00625", 16),
		"ninths":         repeat(strconv.FormatFloat(1.0/9, 'g', -1, 64), 9),
		"thirteenths":    repeat("0.07692307692", 13),
		"at the border":  "0.999999999",
		"beyond the one": "1,1e-9",
		"one ulp above":  "1.0000000000000002",
		"above and 0":    "1.000000001,0",
	} {
		n := strings.Count(row, ",") + 1
		states := make([]string, n)
		rows := make([]string, n)
		zeros := make([]string, n)
		for i := range states {
			states[i] = fmt.Sprintf(`"s%d"`, i)
			rows[i] = "[[" + row + "]]"
			zeros[i] = "[0]"
		}
		join := func(v []string) string { return "[" + strings.Join(v, ",") + "]" }
		doc := `{"format":"rcmdp/1","states":` + join(states) + `,"actions":["a"],"discount":0.5,"initial":[` + row +
			`],"objective":{"values":` + join(zeros) + `},"uncertainty":{"kind":"kl","radius":0,"nominal":` + join(rows) + `}}`
		p := decode(t, doc)
		if want := `"initial":[` + row + `]`; !bytes.Contains(p.Encode(), []byte(want)) {
			t.Errorf("%s: not kept as %s", name, want)
		}
		m := p.Standard()
		sum := 0.0
		for _, x := range m.Mu {
			sum += x
		}
		if !(math.Abs(sum-1) <= 1e-15*float64(n)) {
			t.Errorf("%s: the internal distribution sums to 1%+g", name, sum-1)
		}
	}
}

func TestWarnings(t *testing.T) {
	for _, tc := range []struct{ doc, want string }{
		{machine, ""},
		{strings.Replace(machine, "2.5", "20.1", 1), `constraint "downtime" can never be violated: by its values alone it stays at or below 20`},
		{strings.Replace(machine, "2.5", "-0.1", 1), `no policy can meet constraint "downtime": by its values alone it stays at or above 0`},
		{strings.Replace(documents["at least"], "2.5", "21", 1), `no policy can meet constraint "downtime": by its values alone it stays at or below 20`},
		{strings.Replace(documents["at least"], "2.5", "0", 1), ""},
		{strings.Replace(documents["average"], "2.5", "1", 1), ""},
		{strings.NewReplacer(`"broken"`, `"Good"`).Replace(machine), `states "good" and "Good" differ in case alone: they are two, and if one is meant, one of the names has to change`},
		{documents["paper"], `the evaluator "paper" leaves the KL term out, as printed: it can cycle or have more than one fixed point; "soft" has exactly one`},
	} {
		_, faults, warnings := model.Decode([]byte(tc.doc))
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		if got := strings.Join(warnings, "|"); got != tc.want {
			t.Errorf("warnings %q, want %q", got, tc.want)
		}
	}
}

// However an end state is written, by name or number, with rows for some actions or none, the
// problem is the same one, whose end has one action.
func TestEndsHaveOneForm(t *testing.T) {
	right := decode(t, documents["episodes"])
	if right.Layout.Pairs() != 5 || !right.Total() || !right.Ends(2) || right.Ends(0) {
		t.Fatalf("%d pairs, end %v", right.Layout.Pairs(), right.End)
	}
	for _, rows := range []string{"[null, null]", "[[0, 0, 1], [0, 0, 1]]", "[null, [0, 0, 1]]"} {
		for _, end := range []string{`["broken"]`, "[2]"} {
			for _, costs := range []string{"[null, 4]", "[4, 4]"} {
				p := decode(t, strings.NewReplacer(`"discount": 0.95,`, `"discount": 1, "end": `+end+`,`,
					`[null, [1, 0, 0]]`, rows, `[null, [0.8, 0, 0.2]]`, `[null, null]`, `[null, 4]`, costs).Replace(machine))
				q, w := p.Standard(), right.Standard()
				if !reflect.DeepEqual(p.Layout, right.Layout) || !reflect.DeepEqual(q.C, w.C) || !reflect.DeepEqual(q.Kernels, w.Kernels) {
					t.Errorf("end %s, rows %s, costs %s: %s", end, rows, costs, p.Encode())
				}
			}
		}
	}
	next := strings.NewReplacer(`"discount": 0.95,`, `"discount": 1, "end": ["broken"],`, "[[0, 2], [1, 2], [null, 4]]", "[[[0, 1, 2], [3, 4, 5]], [[6, 7, 8], [9, 1, 2]], [null, [0, 0, 3]]]").Replace(
		set(`{"kind": "l1", "nominal": {"entries": [["good", "run", "good", 0.9], ["good", "run", "worn", 0.1], ["good", "repair", "good", 1], ["worn", "run", "broken", 1], ["worn", "repair", "good", 1]]}, "radius": [[0.1, 0], [0.2, 0.3], [null, null]]}`))
	p := decode(t, next)
	if got := p.EndCost(&p.Objective, 2); got != 3 {
		t.Errorf("the end costs %v, want 3", got)
	}
	roundTrip(t, p)
}
