package interchange_test

import (
	"strings"
	"testing"

	"rcmdplab/core/interchange"
	"rcmdplab/core/model"
)

// fuzz holds one reader to what every reader promises: no panic, a problem or
// a reason, places within the text, and a problem that is a valid document.
func fuzz(f *testing.F, format string, seeds ...string) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, data string) {
		for _, choices := range []string{`{"format":"` + format + `"}`, `{"format":"` + format + `","discount":0.9,"rows":"end","duplicates":"add","base":"1","ends":"end","goal":"0","observationRewards":"expectation","encoding":"latin-1","rates":"uniformise","layout":"long"}`} {
			r := interchange.Read([]interchange.File{{"", []byte(data)}}, options(t, choices))
			if r.Problem == nil && len(r.Faults) == 0 && r.Columns == nil {
				t.Fatal("neither a problem nor a fault")
			}
			for _, x := range r.Faults {
				if x.Line < 0 || x.Line > 1+strings.Count(data, "\n")+strings.Count(data, "\r") || x.Message == "" {
					t.Fatalf("a fault at line %d of %d: %q", x.Line, strings.Count(data, "\n")+1, x.Message)
				}
			}
			if r.Problem != nil {
				if _, faults, _ := model.Decode(r.Problem.Encode()); len(faults) > 0 {
					t.Fatal(faults)
				}
			}
		}
	})
}

func FuzzDetect(f *testing.F) {
	for _, s := range []string{tiger, planner, storm, robot, "a;b;c\n1;2;3", "{}", "[[[1]]]", "\ufeff", "\xff\xfea\x00", "mdp\n0 0 0 1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, data string) {
		if r := interchange.Read([]interchange.File{{"", []byte(data)}}, nil); r.Problem == nil && len(r.Faults) == 0 && r.Columns == nil {
			t.Fatal("neither a problem nor a fault")
		}
	})
}

func FuzzArrays(f *testing.F) {
	fuzz(f, "arrays", `{"P":[[[0.5,0.5],[0.8,0.2]],[[0,1],[0.1,0.9]]],"R":[[5,10],[-1,2]],"discount":0.99}`, "P = np.array([[[1.]]], dtype=float)\nR = [[None]]", `{"Q":[[1,0],[0,1]],"R":[1,2],"beta":0.5,"s_indices":[0,1],"a_indices":[0,0]}`,
		"[[[0.5 0.5]\n [1. 0.]]]", `{"P":[[[1,0],null]],"lower":[[[0]]],"upper":[[[1]]]}`, "P <- c(c(c(1)))")
}

func FuzzGym(f *testing.F) {
	fuzz(f, "gym", `{"0":{"0":[[0.5,0,0,false],[0.5,1,1,true]]},"1":{"0":[[1,1,0,true]]}}`, "{0: {0: [(1.0, 1, np.float64(0.0), False)]}, 1: {0: [(1.0, 0, 5, True), (0, 1, 0, False)]}}", `[[[[1,0,-1,true]]]]`, "{0: {0: [(1, 2)], 1: [(0.5, 0, 1), (0.5, 0, 3)]}}")
}

func FuzzPrism(f *testing.F) {
	fuzz(f, "prism", robot, "mdp\n0 0 0 0.4 go\n0 0 1 0.6\n", "2 2 3\n0 0.4:0 0.6:1 go\n1 1:1", "2 3\n0 1 1/3\n0 0 2/3\n1 1 1", "2 2 1 1\n- - 0 - 0\n0 0 1 1 0 a")
}

func FuzzDRN(f *testing.F) {
	fuzz(f, "drn", storm, "@type: DTMC\n@placeholders\n$p : 2/5\n@nr_states\n2\n@model\nstate 0 init\n\taction 0\n\t\t0 : $p\n\t\t1 : 3/5\nstate 1\n\t1 : 1\n")
}

func FuzzCassandra(f *testing.F) {
	fuzz(f, "cassandra", tiger, "discount: 1\nvalues: cost\nstates: 2\nactions: a b\nstart include: 1\nT: * identity\nT: a : 0 : 1 .5\nR: a : 0 : * 1\nR: b 1 2 3 4")
}

func FuzzCS747(f *testing.F) { fuzz(f, "cs747", planner) }

func FuzzBMDP(f *testing.F) {
	fuzz(f, "bmdp", "2\n1\n1\n1\n0 0 1 0.5 1\n0 0 0 0 0.5\n1 0 1 1 1\n")
}

func FuzzCraam(f *testing.F) {
	fuzz(f, "craam", "idstatefrom,idaction,idstateto,probability,reward\n0,0,0,1,5\n0,1,1,0.5,1\n0,1,0,0.5,\"2\"\n1,0,0,1,0", "idoutcome,idstatefrom,idaction,idstateto,probability,reward,cost1\n0,1,1,2,1,0,3\n")
}

func FuzzTable(f *testing.F) {
	fuzz(f, "table", "state;action;next;count;cost\na;go;b;3;1,5\na;go;a;7;2\nb;stay;b;80%;0", "state\taction\ta\tb\na\tgo\t1\t0\n\tstay\t0,5\t0,5\nb\tgo\t\t1\n", "a b 0.5\na a .5", "x|y|z|0.5|1",
		`[{"state":"a","action":"go","next":"a","p":1,"cost":2}]`, "{\"s\":\"a\",\"cost\":null}\n{\"s\":\"b\",\"next\":[]}", `{"s":"","":"","cost":null}`, "|a|b|\n|--|:-:|\n|a|1|")
}

func FuzzCode(f *testing.F) {
	fuzz(f, "arrays", "import numpy as np\nP = np.zeros((2, 2, 2))\nP[0] = [[.5, .5], [.8, .2]]\nP[1, :, 0] = 1\nR = -float('inf')\ngamma = .9\nd = DiscreteDP(R, P, gamma)\nprint(d)",
		"P <- array(0, c(2,2,2))\nP[,,1] <- matrix(c(0.5, 0.5, 0.8, 0.2), 2, 2, byrow=TRUE)\nR <- matrix(c(5, 10, -1, 2), 2)\nmdp_policy_iteration(P, R, 0.9)", "P = zeros(1, 1, 1)\nP[:, :, 1] = [1;]\nR = [5 10; -1 2]",
		"In [1]: P\nOut[1]: array([[[1.]]])", "P = {('a', 'b'): {'a': 1}}\ncost = {('a', 'b'): Fraction(1, 2)}", ", , 1\n\n     [,1]\n[1,]    1\n", ", , 1\n, , 2\n\n     [,1]\n[1,]    1\n", "> P\n, , 1\n\n[\n[1,] 1\n", "\"0[:, :, 1] =\"0 0\n> 00=", "> 0[:, :, 1] =", "P = [P, P]\nP[0][0] = P", "P = np.full((3,1,3), 1/3).reshape(1,3,3)", "P = np.eye(2)\nP = [P]",
		"> P <- array(0, c(2,2,1))\n> P[,,1] <- cbind(c(1, 0),\n+ c(0, 1))\n> R <- matrix(c(5, T), 2)\n> R\n     [,1]\n[1,]    5\n[2,]    1\n", "julia> P = zeros(1, 1, 1);\n\njulia> P[:, :, 1] = [1]\n1-element Vector{Int64}:\n 1\n\njulia> R = [5]")
}

func FuzzDicts(f *testing.F) {
	fuzz(f, "arrays", `{"transitions":{"a":{"go":{"a":0.5,"b":0.5}},"b":{"go":{"b":1}}},"R":{"a":{"go":1}},"initial":{"a":1},"states":["b","a"]}`, `{"P":{"a":{"go":{}}},"cost":{"a":2}}`, "P = {(0, 1): {2: 1}}\nR = {(0, 1, 2): 3}")
}

func FuzzNotebook(f *testing.F) {
	fuzz(f, "auto", `{"cells":[{"cell_type":"code","source":["P = [[[1]]]\n"],"outputs":[]}],"nbformat":4}`, `{"cells":[{"cell_type":"code","source":"x()\nP","outputs":[{"data":{"text/plain":["[[[1]]]"]}}]}],"nbformat":4}`, `{"cells":3,"nbformat":4}`, `{"a":{"cells":[]},"nbformat":4}`)
}

func FuzzLatex(f *testing.F) {
	fuzz(f, "table", "\\begin{tabular}{llcc}\nfrom & action & to & p \\\\ \\hline\ngood & run & \\textbf{good} & $\\frac{9}{10}$ \\\\\ngood & run & bad & 0.1 \\\\\n\\end{tabular}", "\\begin{tabular}\\end{tabular}")
}

func FuzzPairsAndLogs(f *testing.F) {
	fuzz(f, "table", "state,alternative,p1,p2,r1,r2\n1,1,1/2,1/2,1,2\n2,1,0,1,3,4\n", "state,action,reward,next_state,done\n0,1,-1,1,False\n0,1,1,0,True\n", "machine;week;state;action;cost_eur;next_state\n1;1;a;b;0,5;a\n", "a\ta\n", "state,action,next,x\n1,1,2,3\n1,1,2,3\n", "1'000;2 000,5;1/2\n")
}

func FuzzRates(f *testing.F) {
	fuzz(f, "prism", "2 2\n0 1 3\n1 0 200\n", "# Transitions (CTMC)\n1 1\n0 0 200\n", "#DECLARATION\ninit a\n#END\n0 init\n", "#Transitions(CTMC\n1 0")
}
