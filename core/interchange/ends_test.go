package interchange_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"rcmdplab/core/certify"
	"rcmdplab/core/decide"
	"rcmdplab/core/evaluate"
	"rcmdplab/core/interchange"
	"rcmdplab/core/model"
	"rcmdplab/core/solve"
)

// proved is the best value, in the person's sign, that the default method proves and the checker accepts.
func proved(t *testing.T, what string, p *model.Problem) float64 {
	t.Helper()
	m := p.Standard()
	ev, err := evaluate.New(m)
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return math.NaN()
	}
	var last solve.Progress
	for last = range decide.Method.Run(ev, decide.Method.Defaults()) {
	}
	if last.Status != solve.ProvedOptimal || last.Certificate == nil || !certify.Check(p, *last.Certificate, last.Best.Policy).OK {
		t.Errorf("%s: %v, %s", what, last.Status, last.Note)
	}
	return m.Present(0, last.Best.Objective)
}

// twoDice are two dice of Knuth and Yao's in PRISM's explicit text: who tosses next is chosen, a toss counts 1.
func twoDice() (files []interchange.File) {
	next := [13][]int{{1, 2}, {3, 4}, {5, 6}, {1, 7}, {8, 9}, {10, 11}, {2, 12}}
	var rows, counts, done []string
	choices := 0
	for s := range 169 {
		both := [2]int{s / 13, s % 13}
		k := 0
		for die := range both {
			for i, to := range next[both[die]] {
				moved := both
				moved[die] = to
				rows = append(rows, fmt.Sprintf("%d %d %d 0.5 toss%d", s, k, moved[0]*13+moved[1], die+1))
				k += i
			}
		}
		if k == 0 {
			rows, done = append(rows, fmt.Sprintf("%d 0 %d 1", s, s)), append(done, fmt.Sprintf("%d: 2", s))
			k++
		} else {
			counts = append(counts, fmt.Sprintf("%d 1", s))
		}
		choices += k
	}
	lines := func(head string, all []string) []byte { return []byte(head + "\n" + strings.Join(all, "\n") + "\n") }
	return []interchange.File{
		{Name: "dice.tra", Data: lines(fmt.Sprintf("169 %d %d", choices, len(rows)), rows)},
		{Name: "dice.srew", Data: lines(fmt.Sprintf("169 %d", len(counts)), counts)},
		{Name: "dice.lab", Data: lines("0=\"init\" 1=\"deadlock\" 2=\"done\"\n0: 0", done)},
	}
}

// The maze of Russell and Norvig (section 17.1) as pomdp-solve has it: what pays leads to one state that is never left.
func norvig() string {
	var b strings.Builder
	b.WriteString("discount: 1.0\nvalues: reward\nstates: 12\nactions: up right down left\nobservations: seen\nstart: 0\nO: * uniform\n")
	step := [4][2]int{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}
	number := func(x, y int) int { // 11 is where all is over, the wall has none
		if x == 1 && y == 1 || x < 0 || y < 0 || x > 3 || y > 2 {
			return -1
		}
		n := 4*y + x
		if n > 5 {
			n--
		}
		return n
	}
	b.WriteString("T: * : 11 : 11 1\n")
	for y := range 3 {
		for x := range 4 {
			s := number(x, y)
			switch {
			case s < 0:
				continue
			case x == 3 && y > 0:
				fmt.Fprintf(&b, "T: * : %d : 11 1\nR: * : %d : * : * %d\n", s, s, 2*y-3)
				continue
			}
			fmt.Fprintf(&b, "R: * : %d : * : * -0.04\n", s)
			for a := range step {
				row := [12]float64{}
				for turn, p := range map[int]float64{0: .8, 1: .1, 3: .1} {
					d := step[(a+turn)%4]
					to := number(x+d[0], y+d[1])
					if to < 0 {
						to = s
					}
					row[to] += p
				}
				fmt.Fprintf(&b, "T: %d : %d %s\n", a, s, strings.Trim(fmt.Sprint(row), "[]"))
			}
		}
	}
	return b.String()
}

// waiting is a model in which a fall is certain or likely unless one goes to and fro between two states for ever.
const waiting = "@type: MDP\n@parameters\n\n@reward_models\n\n@nr_states\n4\n@nr_choices\n6\n@model\nstate 0 init\n\taction wait\n\t\t1 : 1\n\taction go\n\t\t2 : 0.5\n\t\t3 : 0.5\n" +
	"state 1\n\taction back\n\t\t0 : 1\n\taction go\n\t\t2 : 0.9\n\t\t3 : 0.1\nstate 2 bad\n\taction stay\n\t\t2 : 1\nstate 3 goal\n\taction stay\n\t\t3 : 1\n"

// Files whose episodes end come in at discount 1, with ends, and to the value that was published or is known of them.
func TestEpisodesOfOtherTools(t *testing.T) {
	const maze = "numStates 6\nnumActions 2\nstart 0\nend 4\ntransition 0 0 1 -1 1\ntransition 0 1 2 -1 1\ntransition 1 0 0 -1 1\ntransition 1 1 3 -1 1\n" +
		"transition 2 0 0 -1 1\ntransition 2 1 2 -1 1\ntransition 3 0 5 -1 1\ntransition 3 1 1 -1 1\ntransition 5 0 4 -1 1\ntransition 5 1 3 -1 1\nmdptype episodic\ndiscount  1\n"
	for _, tc := range []struct {
		name, choices string
		files         []interchange.File
		want          float64
		ends          int
	}{
		{"Knuth's die, DRN", `{"sense":"minimize"}`, doorFiles(t, "die.drn"), 11. / 3, 6},
		{"two dice, .tra .srew .lab", `{"sense":"minimize"}`, twoDice(), 22. / 3, 36},
		{"PRISM's robot, moves to goal2", `{"discount":1,"goal":"goal2","objective":"moves","sense":"minimize"}`, doorFiles(t, "robot.pexp"), 19. / 15, 2},
		{"PRISM's robot, probability of goal1", `{"discount":1,"goal":"goal1"}`, doorFiles(t, "robot.pexp"), .5, 3},
		{"a fall that waiting puts off for ever, DRN", `{"sense":"minimize","initial":"1"}`, []interchange.File{text(waiting)}, 0, 4},
		{"the same at its largest", `{"initial":"0"}`, []interchange.File{text(waiting)}, .9, 2},
		{"the same with a price a step", `{"sense":"minimize","initial":"0"}`, []interchange.File{text(strings.NewReplacer("state 0", "state 0 [1]", "state 1", "state 1 [1]", "state 2", "state 2 [0]", "state 3", "state 3 [0]", "@reward_models\n", "@reward_models\nwait\n").Replace(waiting))}, 1, 2},
		{"two states that lead to each other and to nothing else", "", []interchange.File{text(strings.Replace(waiting, "\taction go\n\t\t2 : 0.9\n\t\t3 : 0.1\n", "\taction back\n\t\t0 : 1\n", 1))}, .5, 2},
		{"FrozenLake, by its flags", `{"discount":1}`, []interchange.File{caseFile(t, "gym/FrozenLake-v1-4x4-slippery-P.json")}, 14. / 17, 5},
		{"CliffWalking", `{"discount":1,"initial":36}`, []interchange.File{caseFile(t, "gym/CliffWalking-v1-P.json")}, -13, 1},
		{"a maze of CS747", "", []interchange.File{text(maze)}, -4, 1},
		{"the maze of Russell and Norvig, .POMDP", "", []interchange.File{text(norvig())}, 0.7053082191780822, 1},
		{"k08", `{"discount":1,"noAction":"absorbing"}`, doorFiles(t, "k08-machine-finite.csv"), 102.2, 0},
	} {
		r := interchange.Read(tc.files, options(t, tc.choices))
		p := r.Problem
		if p == nil {
			t.Errorf("%s: %v", tc.name, r.Faults)
			continue
		}
		n := 0
		for s := range p.States {
			if p.Ends(s) {
				n++
			}
		}
		if !p.Total() || n == 0 || tc.ends > 0 && n != tc.ends {
			t.Errorf("%s: discount %v, %d ends; want 1 and %d", tc.name, p.Discount, n, tc.ends)
		}
		if got := proved(t, tc.name, p); !(math.Abs(got-tc.want) <= 1e-9*(1+math.Abs(tc.want))) {
			t.Errorf("%s: %v; published is %v", tc.name, got, tc.want)
		}
	}
	// The average per step in the long run is told by name, and stands for itself within what it says.
	near(t, "k07", proved(t, "k07", imported(t, `{"discount":"average"}`, doorFiles(t, "k07-tijms64.csv")...)), 17.7686916, 1e-4)
}

// classes are problems of every class that formats of others know nothing of, but for their sets.
var classes = map[string]string{
	"ends for nothing, at 1":  `"discount":1,"end":["goal","pit"],"objective":{"name":"cost","values":[[2,5],[1,4],[0,0],[0,0]]}`,
	"ends that cost, at 1":    `"discount":1,"end":["goal","pit"],"objective":{"name":"cost","values":[[2,5],[1,4],[0,0],[9,9]]}`,
	"ends for nothing, below": `"discount":0.8,"end":["goal","pit"],"objective":{"name":"cost","values":[[2,5],[1,4],[0,0],[0,0]]}`,
	"ends that cost, below":   `"discount":0.8,"end":["goal","pit"],"objective":{"name":"cost","values":[[2,5],[1,4],[3,3],[9,9]]}`,
	"next states, ends":       `"discount":1,"end":["goal","pit"],"objective":{"name":"cost","values":[[[1,2,3,4],[5,5,5,5]],[[1,1,1,1],[4,4,4,4]],[[0,0,2,0],[0,0,2,0]],[[0,0,0,9],[0,0,0,9]]]}`,
	"a trap that is no end":   `"discount":1,"end":["pit"],"objective":{"name":"cost","values":[[2,5],[1,4],[0,0],[0,0]]}`,
	"decisions":               `"discount":1,"horizon":3,"objective":{"name":"cost","values":[[2,5],[1,4],[7,6],[0,8]]}`,
	"decisions, ends":         `"discount":1,"horizon":3,"end":["pit"],"objective":{"name":"cost","values":[[2,5],[1,4],[7,6],[9,9]],"final":[1,2,3,0]}`,
	"decisions, discounted":   `"discount":0.9,"horizon":3,"objective":{"name":"cost","values":[[2,5],[1,4],[7,6],[0,8]],"final":[1,2,3,0]}`,
	"one action a state":      `"discount":0.9,"policies":"deterministic","objective":{"name":"cost","values":[[2,5],[1,4],[7,6],[0,8]]}`,
	"the mean":                `"discount":0.9,"objective":{"name":"cost","over":"mean","values":[[2,5],[1,4],[7,6],[0,8]]}`,
	"the tail":                `"discount":0.9,"objective":{"name":"cost","over":{"cvar":0.5},"values":[[2,5],[1,4],[7,6],[0,8]]}`,
	"weights":                 `"discount":0.9,"objective":{"name":"cost","values":[[2,5],[1,4],[7,6],[0,8]]}`,
	"no cost, ends":           `"discount":1,"end":["goal","pit"],"objective":{"name":"cost","values":[[0,0],[0,0],[0,0],[0,0]]}`,
}

// What a format cannot say of a class is refused in one sentence or told as lost; what it takes comes back to the same value.
func TestNoClassIsLostInSilence(t *testing.T) {
	const rows = `[[[0,0.5,0.25,0.25],[0.5,0,0.5,0]],[[0.5,0,0.5,0],[0,0,0.5,0.5]],[[0,0,1,0],[0,0,1,0]],[[0,0,0,1],[0,0,0,1]]]`
	const other = `[[[0,0.25,0.5,0.25],[0.5,0,0.5,0]],[[0.25,0,0.75,0],[0,0,0.5,0.5]],[[0,0,1,0],[0,0,1,0]],[[0,0,0,1],[0,0,0,1]]]`
	sets := map[string]string{
		"one model":  `{"kind":"finite","kernels":[{"transitions":` + rows + `}]}`,
		"two models": `{"kind":"finite","kernels":[{"name":"p","transitions":` + rows + `},{"name":"q","transitions":` + other + `}]}`,
		"weighted":   `{"kind":"finite","kernels":[{"name":"p","weight":0.75,"transitions":` + rows + `},{"name":"q","weight":0.25,"transitions":` + other + `}]}`,
		"l1":         `{"kind":"l1","radius":0.1,"nominal":` + rows + `}`,
		"l1, all":    `{"kind":"l1","radius":0.1,"support":"all","nominal":` + rows + `}`,
		"interval":   `{"kind":"interval","lower":` + rows + `,"upper":` + strings.NewReplacer("0.5", "0.5", "0.25", "0.3").Replace(rows) + `}`,
	}
	came, refused := map[string]int{}, map[string]int{}
	for class, doc := range classes {
		for set, text := range sets {
			weighs := class == "the mean" || class == "the tail" || class == "weights"
			if weighs != (set == "weighted") || class == "a trap that is no end" && strings.HasPrefix(set, "l1, all") {
				continue
			}
			p, faults, _ := model.Decode([]byte(`{"format":"rcmdp/1","states":["a","b","goal","pit"],"actions":["x","y"],"initial":[0.5,0.25,0,0.25],` + doc + `,"constraints":[],"uncertainty":` + text + `}`))
			if class == "a trap that is no end" && p != nil { // nothing is worked out of it
				p.Initial = []float64{0, 0, 0, 1}
			}
			if p == nil {
				t.Fatalf("%s, %s: %v", class, set, faults)
			}
			var want float64
			for _, f := range interchange.Formats() {
				what := fmt.Sprintf("%s, %s, %s", class, set, f.ID)
				w, err := interchange.Write(p, f.ID, false)
				if err != nil {
					if !strings.Contains(err.Error(), "cannot carry") || strings.ContainsAny(err.Error(), "\n") {
						t.Errorf("%s: %v", what, err)
					}
					refused[class]++
					continue
				}
				given := ""
				bare := slices.Contains([]string{"gym", "cs747", "craam", "bmdp"}, f.ID)
				if bare { // what Lost says is asked again
					if len(w.Lost) == 0 {
						t.Errorf("%s: nothing is said of what is left out", what)
					}
					given = `{"discount":` + fmt.Sprint(p.Discount) + `,"sense":"maximize"}`
				}
				r := interchange.Read([]interchange.File{{Data: w.Text}}, options(t, given))
				if r.Problem == nil || r.Format != f.ID {
					t.Errorf("%s: %v %v\n%s", what, r.Format, r.Faults, w.Text)
					continue
				}
				came[f.ID]++
				q := r.Problem
				sign := 1.
				if bare {
					sign = -1
					q.Initial = make([]float64, len(q.States))
					copy(q.Initial, p.Initial)
				}
				if q.Deterministic != p.Deterministic || q.Averaged() != p.Averaged() || q.Total() != (p.Discount == 1 && (p.Horizon == 0 || f.ID != "rcmdp")) {
					t.Errorf("%s: it came back of another class: %s", what, w.Text)
				}
				if want == 0 && class != "no cost, ends" {
					want = proved(t, class+", "+set, p)
				}
				if got := sign * proved(t, what, q); !(math.Abs(got-want) <= 1e-5*(1+math.Abs(want))) {
					t.Errorf("%s: %v, and %v was written; lost %q\n%s", what, got, want, w.Lost, w.Text)
				}
			}
		}
	}
	for _, f := range interchange.Formats() {
		if came[f.ID] < 8 && f.ID != "bmdp" || came[f.ID] < 1 { // which has no costs
			t.Errorf("%s took %d of them", f.ID, came[f.ID])
		}
	}
	for _, class := range []string{"a trap that is no end", "one action a state", "the mean", "the tail"} {
		if all := len(interchange.Formats()) - 1; refused[class] < all {
			t.Errorf("%s: refused by %d of %d formats", class, refused[class], all)
		}
	}
}

// What Storm writes is not discounted where some plan surely comes to an end, and only there.
func TestTotalsAreOfWhatSurelyEnds(t *testing.T) {
	const head = "@type: MDP\n@parameters\n\n@reward_models\nsteps\n@nr_states\n3\n@nr_choices\n%d\n@model\n"
	for _, tc := range []struct {
		name, rows string
		choices    int
		want       float64
	}{
		{"a way to an end", "state 0 [1] init\n\taction a\n\t\t1 : 0.5\n\t\t2 : 0.5\nstate 1 [1]\n\taction a\n\t\t2 : 1\nstate 2 [0]\n\taction a\n\t\t2 : 1\n", 3, 1},
		{"one that may come to a place which is paid for ever", "state 0 [1] init\n\taction a\n\t\t1 : 0.5\n\t\t2 : 0.5\nstate 1 [1]\n\taction a\n\t\t1 : 1\nstate 2 [0]\n\taction a\n\t\t2 : 1\n", 3, .99},
		{"and another beside it", "state 0 [1] init\n\taction a\n\t\t1 : 0.5\n\t\t2 : 0.5\n\taction b\n\t\t0 : 0.5\n\t\t2 : 0.5\nstate 1 [1]\n\taction a\n\t\t1 : 1\nstate 2 [0]\n\taction a\n\t\t2 : 1\n", 4, 1},
		{"one that nature may bar", "state 0 [1] init\n\taction a\n\t\t1 : [0.5, 1]\n\t\t2 : [0, 0.5]\nstate 1 [1]\n\taction a\n\t\t0 : [1, 1]\nstate 2 [0]\n\taction a\n\t\t2 : [1, 1]\n", 3, .99},
		{"one that nature may not", "state 0 [1] init\n\taction a\n\t\t1 : [0.5, 0.9]\n\t\t2 : [0.1, 0.5]\nstate 1 [1]\n\taction a\n\t\t0 : [1, 1]\nstate 2 [0]\n\taction a\n\t\t2 : [1, 1]\n", 3, 1},
	} {
		file := fmt.Sprintf(head, tc.choices) + tc.rows
		if strings.Contains(tc.rows, "[0.5, ") {
			file = strings.Replace(file, "@parameters", "@value_type: double-interval\n@parameters", 1)
		}
		near(t, tc.name, imported(t, "", text(file)).Discount, tc.want, 0)
	}
	// A goal is an end though the file leads on from it.
	goal := strings.NewReplacer("stay\n\t\t2 : 1", "on\n\t\t0 : 1", "stay\n\t\t3 : 1", "on\n\t\t0 : 1").Replace(waiting)
	near(t, "a goal that is left", imported(t, `{"goal":"goal"}`, text(goal)).Discount, 1, 0)
}
