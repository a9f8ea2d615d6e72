package interchange_test

import (
	"runtime"
	"strings"
	"testing"

	"rcmdplab/core/interchange"
)

// Whatever a text of a quarter of a megabyte holds, and whatever it is said to be, reading
// it takes memory in proportion.
func TestMemoryIsProportionalToTheText(t *testing.T) {
	const size = 1 << 18
	for _, c := range []struct{ format, head, body string }{
		{"", "", "["}, {"", "", "[],"}, {"", "[", "1,"}, {"", "", ","}, {"", "", "a\n"}, {"", "", "\""}, {"", "", "T : "}, {"", "", " "}, {"", "", "1 2\n"}, {"", "", "# Transitions\n"},
		{"arrays", "P = [", "[[1]],"}, {"arrays", "", "{'a':"}, {"gym", "{", "0:{0:[(1,0,0,True)]},"}, {"gym", "[[", "(1,99,0,True),"},
		{"table", "", "a;b;0,5\n"}, {"table", "a,b,c\n", ",,,,,,,,,,,,,,,,\n"}, {"craam", "idstatefrom,idaction,idstateto,probability,reward\n", "900000,4,3,1,1\n"},
		{"prism", "900000 9 9\n", "0 0 0 1\n"}, {"prism", "9 9 9\n", "0 1:1 1:2 1:3\n"}, {"prism", "# Labels\n0=\"a\"\n", "0: 0 0 0\n"},
		{"drn", "@nr_states\n900000\n@model\n", "state 1\n"}, {"drn", "@reward_models\n" + strings.Repeat("r ", 1000) + "\n@nr_states\n9\n@model\nstate 0\n", "action a\n"},
		{"cassandra", "states: 1000\nactions: 1000\n", "T: * uniform\n"}, {"cassandra", "states: 100\nactions: 10\nobservations: 50\n", "R: * : * : * : 1 2\n"},
		{"cs747", "numStates 900000\nnumActions 4\n", "transition 0 0 0 0 1\n"}, {"bmdp", "900000\n4\n", "1\n"},
	} {
		data := []byte(c.head + strings.Repeat(c.body, (size-len(c.head))/len(c.body)))
		given := ""
		if c.format != "" {
			given = `{"format":"` + c.format + `"}`
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r := interchange.Read([]interchange.File{{"", data}}, options(t, given))
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 300<<20 {
			t.Errorf("%q: %d MB for a quarter of one of text", c.head+c.body, used>>20)
		}
		if r.Problem == nil && len(r.Faults) == 0 {
			t.Errorf("%q: neither a problem nor a fault", c.head+c.body)
		}
	}
}
