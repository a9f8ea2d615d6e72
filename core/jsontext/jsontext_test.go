package jsontext

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// texts are JSON and nearly JSON, each kind of fault at least once.
var texts = []string{
	``, ` `, `null`, ` true `, `false`, `nul`, `nulL`, `trve`, `falze`, `tru e`, `t`, `NaN`, `-Infinity`, `+1`, `.5`,
	`0`, `-0`, `-`, `- 1`, `01`, `1.`, `1.x`, `1.5e`, `1e+`, `1e+5`, `1E-07`, `1e400`, `1.25 2`, `-a`, `123abc`,
	`""`, `"`, `"a`, `"a\`, `"\q"`, `"\u12`, `"\u12g4"`, `"\u00e9\n\t\b\f\r\/\\\""`, `"\ud83d\ude00"`, `"\ud83d"`, `"\ud800\udc00"`, `"\udbff\udfff"`, `"\ud83dx"`,
	`"\ud83d\u0041"`, `"\ude00\ud83d\ude00"`, "\"a\nb\"", "\"\x7f\"", "\"\xff\xc3\"", "\"\xed\xa0\x80\\n\"", "\x00", "\xe9", "\xa0", "\xad", "'a'", "\\", "\x7f", "\x1b",
	`[]`, `[ ]`, `[,]`, `[1,]`, `[1 2]`, `[1`, `[`, `]`, `[1,2,[3,{"a":[]}]]`, `[1}`, `[[]`, `[nul]`,
	`{}`, `{ }`, `{`, `}`, `{"a"}`, `{"a":}`, `{"a":1,}`, `{"a" 1}`, `{"a":1 "b"`, `{"a":1]`, `{1:2}`, `{'a':1}`, `{,}`, `{"a":1,"a":2,"A":3}`,
	` { "x" : [ 1.5 , null , "y" ] , "z" : { "t" : true } } `, `{} {}`, `[] x`, `"a" "b"`, `1 1`, "\ufeff{}", "{\"\\u0061\":1}",
	strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth), strings.Repeat("[", maxDepth+1), strings.Repeat(`{"":`, maxDepth+1),
}

// compare holds everything that is read of a text against encoding/json.
func compare(t *testing.T, text []byte) {
	t.Helper()
	var raw json.RawMessage
	theirs := json.Unmarshal(text, &raw)
	v, ours := Parse(text)
	if (ours == nil) != (theirs == nil) {
		t.Fatalf("%.200q: got error %v, encoding/json has %v", text, ours, theirs)
	}
	if ours != nil {
		e := ours.(*SyntaxError)
		var want *json.SyntaxError
		if !errors.As(theirs, &want) || e.Message != want.Error() {
			t.Fatalf("%.200q: got %q, want %q", text, e.Message, theirs)
		}
		at := int(want.Offset) - 1 // it counts the byte itself
		if strings.HasPrefix(e.Message, "unexpected end") {
			at = len(text)
		}
		if e.At != at {
			t.Fatalf("%.200q: %s: got byte %d, want %d", text, e.Message, e.At, at)
		}
		return
	}
	if !bytes.Equal(v, bytes.TrimSpace(raw)) {
		t.Fatalf("%.200q: got the value %q, want %q", text, v, raw)
	}
	if end := Skip(v, 0); end != len(v) {
		t.Fatalf("%.200q: skipping ends at %d, want %d", text, end, len(v))
	}
	var want any
	if err := json.Unmarshal(text, &want); err != nil {
		return // a number out of range; met below in a list it would hide what follows
	}
	if got := tree(v); !reflect.DeepEqual(got, want) {
		t.Fatalf("%.200q: got %#v, want %#v", text, got, want)
	}
}

// tree is what encoding/json makes of a value for an any.
func tree(v Value) any {
	switch v.Kind() {
	case '{':
		m := map[string]any{}
		for name, x := range v.Members {
			m[name] = tree(x)
		}
		return m
	case '[':
		list := []any{}
		for i, x := range v.Elements {
			if i != len(list) {
				panic("elements are not counted")
			}
			list = append(list, tree(x))
		}
		return list
	case '"':
		s, _ := v.Text()
		return s
	case '0':
		x, _ := v.Number()
		return x
	case 't':
		b, _ := v.Bool()
		return b
	}
	return nil
}

func TestReadsWhatEncodingJSONReads(t *testing.T) {
	for _, text := range texts {
		compare(t, []byte(text))
	}
}

// Every text with one byte taken out, put in or changed.
func TestDamagedTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const put = "{}[],:\"\\u0eE+-.ntfalse \n\x00\x80"
	for _, text := range texts {
		if len(text) > 100 {
			continue
		}
		for i := range text {
			compare(t, []byte(text[:i]))
			compare(t, []byte(text[:i]+text[i+1:]))
			for range 8 {
				c := put[r.IntN(len(put))]
				compare(t, []byte(text[:i]+string([]byte{c})+text[i:]))
				compare(t, []byte(text[:i]+string([]byte{c})+text[i+1:]))
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range texts {
		if len(text) < 100 {
			f.Add([]byte(text))
		}
	}
	f.Fuzz(compare)
}

func sameString(t *testing.T, s string) {
	t.Helper()
	var w bytes.Buffer
	e := json.NewEncoder(&w)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		t.Fatal(err)
	}
	if got, want := string(AppendString([]byte("x"), s)), "x"+strings.TrimSuffix(w.String(), "\n"); got != want {
		t.Fatalf("%q: got %s, want %s", s, got, want)
	}
}

func TestStringsAreWrittenAsByEncodingJSON(t *testing.T) {
	for r := range rune(0x2100) {
		sameString(t, string(r))
	}
	for b := range 256 {
		sameString(t, string([]byte{'a', byte(b), 'z'}))
	}
	for _, s := range []string{"", "\ufffd", "\xef", "\xef\xbf", "\xff\ufffd\xff", "😀", "\xed\xa0\x80", "<&>"} {
		sameString(t, s)
	}
}

func FuzzAppendString(f *testing.F) {
	f.Add("a\xff\u2028")
	f.Fuzz(sameString)
}

type record struct {
	Name  string
	On    bool
	X     float64
	N     int
	Seed  uint64
	List  []float64
	Ints  []int
	Words []string
	Raw   Value
	Inner []record
}

func (r *record) read(v Value) error {
	return v.Decode(Fields{"name": &r.Name, "on": &r.On, "x": &r.X, "n": &r.N, "seed": &r.Seed, "list": &r.List, "ints": &r.Ints,
		"words": &r.Words, "raw": &r.Raw, "inner": List(&r.Inner, (*record).read)}, nil)
}

func TestDecode(t *testing.T) {
	v, err := Parse([]byte(` {"name":"a\u0062", "on":true, "x":-1.5e3, "n":-7, "seed":18446744073709551615, "list":[1,null,2.5],
		"ints":[], "words":["p","q"], "raw":{"k":[ 1 ]}, "inner":[{"n":1},{"inner":[{"name":"deep"}]}], "other":[{}]} `))
	if err != nil {
		t.Fatal(err)
	}
	got := record{Name: "before"}
	if err := got.read(v); err != nil {
		t.Fatal(err)
	}
	want := record{Name: "ab", On: true, X: -1500, N: -7, Seed: 1<<64 - 1, List: []float64{1, 0, 2.5}, Ints: []int{}, Words: []string{"p", "q"},
		Raw: Value(`{"k":[ 1 ]}`), Inner: []record{{N: 1}, {Inner: []record{{Name: "deep"}}}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if v, _ = Parse([]byte(`{"name":null,"list":null,"inner":null,"raw":null}`)); got.read(v) != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("null changes a variable: %+v", got)
	}
}

func TestDecodeSaysWhatIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		`[]`:                                "got an array; want an object",
		`{"name":1}`:                        "/name: got the number 1; want a string",
		`{"on":"yes"}`:                      "/on: got a string; want true or false",
		`{"x":"1"}`:                         "/x: got a string; want a number",
		`{"x":1e999}`:                       "/x: got the number 1e999; want a number",
		`{"n":1.5}`:                         "/n: got the number 1.5; want a whole number",
		`{"n":"1"}`:                         "/n: got a string; want a whole number",
		`{"seed":-1}`:                       "/seed: got the number -1; want a whole number >= 0",
		`{"list":{}}`:                       "/list: got an object; want an array",
		`{"n":1,"x":2,"n":1}`:               "/n: the field occurs twice; keep one",
		`{"inner":[{"n":1,"\u006e":null}]}`: "/inner/0/n: the field occurs twice; keep one",
		`{"list":[1,{}]}`:                   "/list/1: got an object; want a number",
		`{"inner":[{},{"inner":[{"words":[true]}]}]}`: "/inner/1/inner/0/words/0: got true; want a string",
	} {
		v, err := Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := new(record).read(v); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
	v, _ := Parse([]byte(`{"a":1,"b":2}`))
	var a int
	err := v.Decode(Fields{"a": &a}, func(name string) error { return errors.New("no " + name) })
	if err == nil || err.Error() != "no b" || a != 1 {
		t.Errorf("got %v and a = %d", err, a)
	}
}

func BenchmarkCheck(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 4))
	numbers := make([]float64, 20000)
	for i := range numbers {
		numbers[i] = r.Float64()
	}
	bytes := make([]byte, 100_000)
	for i := range bytes {
		bytes[i] = byte(r.Uint32())
	}
	list, _ := json.Marshal(numbers)
	for _, c := range []struct {
		name string
		text []byte
	}{{"numbers", list}, {"string", []byte(`"` + base64.StdEncoding.EncodeToString(bytes) + `"`)}} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.text)))
			b.ReportAllocs()
			for b.Loop() {
				if Check(c.text) != nil {
					b.Fatal("not JSON")
				}
			}
		})
		b.Run(c.name+" encoding/json", func(b *testing.B) {
			b.SetBytes(int64(len(c.text)))
			for b.Loop() {
				if !json.Valid(c.text) {
					b.Fatal("not JSON")
				}
			}
		})
	}
}
