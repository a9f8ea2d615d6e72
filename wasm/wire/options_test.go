package wire

import (
	"strings"
	"testing"

	"rcmdplab/core/decide"
	"rcmdplab/core/model"
)

// optionsOf is readOptions, or the refusal that it ends in.
func optionsOf(raw []byte, m *model.Standard) (o *options, refused *Error) {
	refused = answered(func() { o = readOptions(raw, m) })
	return o, refused
}

func TestReadOptions(t *testing.T) {
	m := standard(t, "machine_repair")
	o, err := optionsOf([]byte(`{"seed":"18446744073709551615","algorithm":"epirc-pgs","stepSize":1e-3,"earlyStop":true,"outerIterations":1e2,
		"timeLimit":2.5,"initialPolicy":[[1,0],[0.5,0.5]]}`), m)
	if err != nil {
		t.Fatal(err)
	}
	s := o.settings
	if s.Seed != 1<<64-1 || s.StepSize != 1e-3 || !s.EarlyStop || s.OuterIterations != 100 || s.TimeLimit != 2.5 || len(s.InitialPolicy) != m.Pairs() || s.InitialPolicy[0] != 1 {
		t.Errorf("settings %+v", s)
	}
	for _, none := range []string{``, `null`, `{}`, `{"algorithm":null}`} {
		o, err := optionsOf([]byte(none), m)
		if err != nil || o.algorithm.ID != "solve" || o.settings.Starts != 40 {
			t.Errorf("%q: %v, %+v", none, err, o)
		}
	}
}

func TestReadOptionsFaults(t *testing.T) {
	m := standard(t, "machine_repair")
	for _, tc := range []struct{ options, pointers, message string }{
		{`[]`, "", "must be an object"},
		{`"x"`, "", "must be an object"},
		{`{"algorithm":"no"}`, "/algorithm", "want one of solve, "},
		{`{"algorithm":["epirc-pgs"]}`, "/algorithm", "want one of solve, "},
		{`{"algorithm":"epirc-pgs","stepSize":0}`, "/stepSize", "got 0; want a number from 1e-12 to 1e+06"},
		{`{"algorithm":"epirc-pgs","stepSize":null}`, "/stepSize", "got null; want a number"},
		{`{"algorithm":"epirc-pgs","stepSize":[1]}`, "/stepSize", "got [1]; want a number"},
		{`{"algorithm":"epirc-pgs","outerIterations":0.5}`, "/outerIterations", "got 0.5; want a whole number from 1"},
		{`{"algorithm":"epirc-pgs","outerIterations":1e9}`, "/outerIterations", "got 1e9"},
		{`{"algorithm":"epirc-pgs","earlyStop":null}`, "/earlyStop", "want true or false"},
		{`{"algorithm":"epirc-pgs","earlyStop":"yes"}`, "/earlyStop", "want true or false"},
		{`{"algorithm":"epirc-pgs","seed":0.5}`, "/seed", "want a whole number"},
		{`{"algorithm":"epirc-pgs","seed":9007199254740992}`, "/seed", "as text"},
		{`{"algorithm":"epirc-pgs","seed":"18446744073709551616"}`, "/seed", "as text"},
		{`{"algorithm":"epirc-pgs","seed":""}`, "/seed", "as text"},
		{`{"algorithm":"epirc-pgs","seed":"-1"}`, "/seed", "as text"},
		{`{"algorithm":"epirc-pgs","seed":null}`, "/seed", "got null"},
		{`{"algorithm":"epirc-pgs","timeLimit":-1}`, "/timeLimit", "from 0"},
		{`{"algorithm":"epirc-pgs","STEPSIZE":1}`, "/STEPSIZE", "is written stepSize"},
		{`{"algorithm":"epirc-pgs","a/b~c":1,"stepSize":-1}`, "/a~1b~0c /stepSize", "no such option of epirc-pgs"},
		{`{"algorithm":"epirc-pgs","initialPolicy":[[1,0],[0.5,0.6]]}`, "/initialPolicy/1", "sum"},
		{`{"algorithm":"epirc-pgs","initialPolicy":"x"}`, "/initialPolicy", ""},
		{`{"algorithm":"uniform","starts":3}`, "/starts", "no such option of uniform"},
		{`{"algorithm":"epirc-pgs","nonsense":"` + strings.Repeat("é", 100) + `","stepSize":"` + strings.Repeat("é", 100) + `"}`, "/nonsense /stepSize", "and one more"},
	} {
		_, e := optionsOf([]byte(tc.options), m)
		if e == nil || e.Code != InvalidOption {
			t.Errorf("%s: %v", tc.options, e)
			continue
		}
		var pointers []string
		for _, f := range e.Faults {
			pointers = append(pointers, f.Pointer)
		}
		if got := strings.Join(pointers, " "); got != tc.pointers {
			t.Errorf("%s: faults at %q, want %q", tc.options, got, tc.pointers)
		}
		if !strings.Contains(e.Message, tc.message) || len(e.Message) > 400 {
			t.Errorf("%s: %q, want it to say %q", tc.options, e.Message, tc.message)
		}
	}
}

// Every option of every method can be set to both its ends, and is echoed.
func TestEveryOption(t *testing.T) {
	m := standard(t, "machine_repair")
	for _, a := range decide.Algorithms() {
		for _, opt := range table(a) {
			values := []float64{opt.Min, opt.Default, opt.Max}
			switch opt.Type {
			case "policy":
				continue
			case "seed":
				values = []float64{0, 1 << 52}
			}
			for _, v := range values {
				b := new(text)
				b.open('{').key("algorithm").str(a.ID).key(opt.Name)
				if opt.Type == "boolean" {
					b.bool(v != 0)
				} else {
					b.num(v)
				}
				b.close('}')
				o, err := optionsOf(b.b, m)
				if err != nil {
					t.Errorf("%s: %v", b.b, err)
					continue
				}
				echo := new(text)
				o.write(echo)
				if !strings.Contains(string(echo.b), `"`+opt.Name+`":`) {
					t.Errorf("%s: echo %s", b.b, echo.b)
				}
			}
		}
	}
}

// A refusal ends a call; a crash passes through, for whoever shows it.
func TestACrashIsNoRefusal(t *testing.T) {
	if refused := answered(func() { refuse(Unsupported, "no") }); refused == nil || refused.Message != "no" {
		t.Errorf("refused: %v", refused)
	}
	defer func() {
		if p := recover(); p != "crash" {
			t.Errorf("recovered %v; want the crash", p)
		}
	}()
	answered(func() { panic("crash") })
}
