// Package wire is what the worker and the page say to each other: requests in,
// messages out (see Pack), everything in the person's own names, signs and
// units. It joins the rooms of core into the calls of the JavaScript API and
// keeps what a worker remembers, the run in progress above all. It knows nothing
// of JavaScript and has no clock of its own, so it is tested natively.
package wire

import (
	"maps"
	"runtime"
	"slices"
	"strings"

	"rcmdplab/core/decide"
	"rcmdplab/core/vector"
)

// Session is one worker's side of the conversation. It is used by one caller
// at a time.
type Session struct {
	Version, Commit string // of this build, told by whoever links it
	run             *run
	simulated       simulated   // the last simulation, whose next part may be asked for
	kept            decide.Kept // from one part of a proof to the next
}

// calls are the requests that are answered at once. The parts are those of
// Call; a new request is one function in a file of its own and one line here.
var calls = map[string]func(s *Session, parts [][]byte) []byte{
	"version":     (*Session).version,
	"algorithms":  (*Session).algorithms,
	"examples":    (*Session).examples,
	"example":     (*Session).example,
	"validate":    (*Session).validate,
	"evaluate":    (*Session).evaluate,
	"explain":     (*Session).explain,
	"check":       (*Session).check,
	"vipr":        (*Session).vipr,
	"begin":       (*Session).begin,
	"stop":        (*Session).stopRun,
	"keep":        (*Session).keep,
	"snapshot":    (*Session).snapshot,
	"split":       (*Session).split,
	"join":        (*Session).join,
	"landscape":   (*Session).landscape,
	"descent":     (*Session).descent,
	"aggregate":   (*Session).aggregate,
	"experiments": (*Session).experiments,
	"theory":      (*Session).theory,
	"estimate":    (*Session).estimate,
	"promise":     (*Session).promise,
	"simulate":    (*Session).simulate,
	"spread":      (*Session).spread,
	"inspect":     (*Session).inspect,
	"formats":     (*Session).formats,
	"tidy":        (*Session).tidy,
	"export":      (*Session).export,
}

// Call answers one request. The reply's text is {"value": ...} or
// {"error": {"code", "message", "errors"}}; Call itself never fails.
func (s *Session) Call(name string, parts ...[]byte) []byte {
	f, ok := calls[name]
	if !ok {
		known := slices.Sorted(maps.Keys(calls))
		return RefuseAs(Unsupported, "this build cannot answer \""+name+"\"; it knows "+strings.Join(known, ", "))
	}
	var reply []byte
	if refused := answered(func() { reply = f(s, parts) }); refused != nil {
		return refused.envelope()
	}
	return reply
}

// part is the i-th part, or nil when the caller sent fewer.
func part(parts [][]byte, i int) []byte {
	if i < len(parts) {
		return parts[i]
	}
	return nil
}

// value starts a reply; finish it with done.
func value() *text {
	t := new(text)
	return t.open('{').key("value")
}

func (t *text) done(columns ...Column) []byte {
	t.close('}')
	return Pack(t.b, columns...)
}

func (s *Session) version(_ [][]byte) []byte {
	t := value()
	s.writeVersion(t)
	return t.done()
}

func (s *Session) writeVersion(t *text) {
	t.open('{').key("rcmdp").str(s.Version).key("go").str(runtime.Version()).key("commit").str(s.Commit).key("loops").str(vector.Implementation()).close('}')
}

// Running reports whether a run is in progress.
func (s *Session) Running() bool { return s.run != nil }

// Reply is the reply whose value is the given JSON, RefuseAs and Refuse are
// those that say no: for whoever answers requests of another kind.
func Reply(json []byte) []byte { return value().raw(string(json)).done() }

// RefuseAs refuses with a code and a sentence.
func RefuseAs(code Code, why string) []byte { return (&Error{Code: code, Message: why}).envelope() }

// Refuse refuses a request that is not one.
func Refuse(why string) []byte { return RefuseAs(InvalidOption, why) }
