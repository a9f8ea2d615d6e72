package wire

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"rcmdplab/core/decide"
	"rcmdplab/core/jsontext"
	"rcmdplab/core/model"
	"rcmdplab/core/solve"
)

// timeLimit is kept by whoever pulls, so every method has it whether or not its
// own table says so. Every method also takes a seed: a result always has one.
var (
	timeLimit = solve.Option{Name: "timeLimit", Type: "number", Default: 0, Min: 0, Max: 1e6,
		Help: "End with the best policy so far after this many seconds of the clock, whatever share of a processor there was; 0 is no limit."}
	seed = solve.Option{Name: "seed", Type: "seed",
		Help: "Seed of everything random, from 0 to 18446744073709551615."}
)

// table is the method's option table with what every method takes.
func table(a solve.Algorithm) []solve.Option {
	t := slices.Clone(a.Options)
	for _, o := range []solve.Option{seed, timeLimit} {
		if !slices.ContainsFunc(t, func(x solve.Option) bool { return x.Name == o.Name }) {
			t = append(t, o)
		}
	}
	return t
}

// options are the settings of one run as read from the page.
type options struct {
	algorithm solve.Algorithm // that runs, the default filled in
	settings  solve.Settings  // checked
	policy    []byte          // initialPolicy as given, nil when it was not
}

// readOptions reads the options object against the method's table. Every fault
// is found; the pointers are into the object.
func readOptions(raw []byte, m *model.Standard) *options {
	given, order := members(raw)
	o := &options{}
	o.algorithm = findAlgorithm(given["algorithm"])
	all := table(o.algorithm)
	o.settings = o.algorithm.Defaults()
	refuseEach(given, order, func(name string, v jsontext.Value) model.Faults {
		i := slices.IndexFunc(all, func(x solve.Option) bool { return x.Name == name })
		var message string
		switch {
		case name == "algorithm":
		case i < 0:
			message = unknownOption(name, o.algorithm.ID, all)
		case all[i].Type == "policy" && v.Kind() == 'n':
		case all[i].Type == "policy":
			pi, faults := readPolicy(v, m)
			o.settings.InitialPolicy, o.policy = pi, v
			return faults
		case all[i].Type == "seed":
			o.settings.Seed, message = readSeed(v)
		default:
			message = o.set(all[i], v)
		}
		return wrong(message)
	})
	return o
}

// each has one judge each member of an object of options, in their order; what it finds
// wrong is refused, with pointers from the object.
func each(raw []byte, one func(name string, v jsontext.Value) model.Faults) {
	given, order := members(raw)
	refuseEach(given, order, one)
}

// refuseEach is each of an object that is read.
func refuseEach(given map[string]jsontext.Value, order []string, one func(name string, v jsontext.Value) model.Faults) {
	var all model.Faults
	for _, name := range order {
		for _, f := range one(name, given[name]) {
			f.Pointer = "/" + jsontext.Escape(name) + f.Pointer
			all = append(all, f)
		}
	}
	refuseAll(InvalidOption, all)
}

// wrong is the fault of a member, none without a message.
func wrong(message string) model.Faults {
	if message == "" {
		return nil
	}
	return model.Faults{{Message: message}}
}

// said is the sentence for a list of faults.
func said(f model.Faults) string {
	switch len(f) {
	case 1:
		return f[0].Message
	case 2:
		return f[0].Message + " (and one more)"
	}
	return fmt.Sprintf("%s (and %d more)", f[0].Message, len(f)-1)
}

// read sets the variables of an object's members, by name.
func read(raw []byte, fields jsontext.Fields) error {
	v, err := jsontext.Parse(raw)
	if err != nil {
		return err
	}
	return v.Decode(fields, nil)
}

// members reads an object, keeping the order of its keys; nothing is the empty
// object.
func members(raw []byte) (map[string]jsontext.Value, []string) {
	if len(raw) == 0 {
		return nil, nil
	}
	v, err := jsontext.Parse(raw)
	switch {
	case err != nil && strings.HasPrefix(strings.TrimSpace(string(raw)), "{"):
		refuse(InvalidOption, "the options are not readable: "+err.Error())
	case v.Kind() == 'n':
		return nil, nil
	case v.Kind() != '{':
		refuse(InvalidOption, "the options must be an object, for example {\"algorithm\": \"epirc-pgs\"}")
	}
	m := map[string]jsontext.Value{}
	var order []string
	for name, x := range v.Members {
		if _, twice := m[name]; !twice {
			order = append(order, name)
		}
		m[name] = x
	}
	return m, order
}

func isNull(raw []byte) bool { return string(bytes.TrimSpace(raw)) == "null" }

// findAlgorithm finds the method by its id; without one it is the default.
func findAlgorithm(raw jsontext.Value) (a solve.Algorithm) {
	if len(raw) == 0 || raw.Kind() == 'n' {
		return decide.Method
	}
	if id, ok := raw.Text(); ok {
		if a, ok := decide.Find(id); ok {
			return a
		}
	}
	ids := []string{}
	for _, a := range decide.Algorithms() {
		ids = append(ids, a.ID)
	}
	refuseAll(InvalidOption, model.Faults{{Pointer: "/algorithm", Message: "algorithm: got " + brief(raw) + "; want one of " + strings.Join(ids, ", ")}})
	return a
}

func unknownOption(name, id string, all []solve.Option) string {
	names := []string{"algorithm"}
	for _, o := range all {
		if strings.EqualFold(o.Name, name) {
			return fmt.Sprintf("%s: no such option; %s is written %s", name, id, o.Name)
		}
		names = append(names, o.Name)
	}
	return fmt.Sprintf("%s: no such option of %s; it takes %s", name, id, strings.Join(names, ", "))
}

// set gives one numeric or boolean option its value, or says what is allowed.
func (o *options) set(opt solve.Option, raw jsontext.Value) string {
	if opt.Type == "boolean" {
		v, ok := raw.Bool()
		if !ok {
			return opt.Name + ": got " + brief(raw) + "; want true or false"
		}
		x := 0.0
		if v {
			x = 1
		}
		o.put(opt.Name, x)
		return ""
	}
	v, message := within(opt.Name, opt.Type == "integer", opt.Min, opt.Max, raw)
	if message == "" {
		o.put(opt.Name, v)
	}
	return message
}

// within reads a number, a whole one or any, from lo to hi, or says what is allowed.
func within(name string, whole bool, lo, hi float64, raw jsontext.Value) (float64, string) {
	want := "a number"
	if whole {
		want = "a whole number"
	}
	v, ok := raw.Number()
	if !ok || v < lo || v > hi || whole && v != math.Trunc(v) {
		return 0, fmt.Sprintf("%s: got %s; want %s from %v to %v", name, brief(raw), want, lo, hi)
	}
	return v, ""
}

func (o *options) put(name string, v float64) {
	if !o.settings.Set(name, v) {
		panic("wire: option " + name + " is in a table but not in Settings")
	}
}

// readSeed reads a decimal string or a safe integer: JavaScript has no exact
// number for a larger one.
func readSeed(raw jsontext.Value) (uint64, string) {
	const want = "seed: got %s; want a whole number from 0 to 9007199254740991, or up to 18446744073709551615 as text"
	digits, ok := raw.Text()
	if !ok {
		v, ok := raw.Number()
		if !ok || v != math.Trunc(v) || v > 1<<53-1 || v < 0 {
			return 0, fmt.Sprintf(want, brief(raw))
		}
		digits = strconv.FormatUint(uint64(v), 10) // 1e3 is an integer too
	}
	n, err := strconv.ParseUint(digits, 10, 64)
	if err != nil {
		return 0, fmt.Sprintf(want, brief(raw))
	}
	return n, ""
}

// brief is what was found, cut to a length that fits a sentence.
func brief(raw []byte) string {
	if len(raw) == 0 {
		return "nothing"
	}
	s := []rune(string(raw))
	if len(s) > 40 {
		return string(s[:40]) + "…"
	}
	return string(s)
}

// write writes the options as they were used, defaults filled in.
func (o *options) write(t *text) {
	t.open('{')
	for _, opt := range table(o.algorithm) {
		switch opt.Type {
		case "policy":
			if o.policy != nil {
				t.key(opt.Name).raw(string(o.policy))
			}
		case "seed":
			t.key(opt.Name).str(strconv.FormatUint(o.settings.Seed, 10))
		case "boolean":
			t.key(opt.Name).bool(o.settings.Number(opt.Name) != 0)
		default:
			t.key(opt.Name).num(o.settings.Number(opt.Name))
		}
	}
	t.close('}')
}
