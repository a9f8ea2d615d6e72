// Package instance makes problems: the gallery of models a person understands
// at a glance, Figure 1's MDP, and the random families of the paper's
// experiments. A problem is a function of its parameters and its seed alone.
//
// Examples lists the gallery; SettingA, SettingB and SettingC are the paper's. It
// rests on model and evaluate, which sets the thresholds of random problems.
package instance

import (
	"fmt"
	"math"

	"rcmdplab/core/model"
)

// Parameter is one number an example can be made with.
type Parameter struct {
	Name, Label       string  // key, and words for a person
	Default, Min, Max float64 // both ends are allowed
	Integer           bool    // whole numbers only
}

// Example is one entry of the gallery.
type Example struct {
	ID, Title, Description string
	Parameters             []Parameter // that Make reads; may be empty

	// Make makes the problem; a parameter that p lacks has its default.
	Make func(p map[string]float64) *model.Problem
}

// Examples lists the gallery in the order it is shown.
func Examples() []Example {
	return []Example{
		machineRepair, gradientConflict,
		gridWalk, inventory, leadTime, fishery, treatment, clinic, clinicAverage, callCentre,
		riverSwim, streaming, queue, ambulance, maintenanceRule, unfairDie, trapGrid, road, plain,
		machineRepairL1, inventoryKL,
		epigraph, localMinimum,
		settingA, settingB, settingC, reference,
	}
}

// example completes the parameters that make is called with.
func example(id, title, description string, parameters []Parameter, build func(p map[string]float64) *model.Problem) Example {
	return Example{id, title, description, parameters, func(given map[string]float64) *model.Problem {
		p := map[string]float64{}
		for _, q := range parameters {
			p[q.Name] = q.Default
		}
		for k, v := range given {
			p[k] = v
		}
		return build(p)
	}}
}

// draft starts a problem: names, sizes and what is available (nil: everything).
func draft(name, description string, discount float64, states, actions []string, available func(s, a int) bool) *model.Problem {
	var table []bool
	if available != nil {
		for s := range states {
			for a := range actions {
				table = append(table, available(s, a))
			}
		}
	}
	return &model.Problem{
		Name: name, Description: description, States: states, Actions: actions, Discount: discount,
		Initial: make([]float64, len(states)), Layout: model.NewLayout(len(states), len(actions), table),
	}
}

// table is f(s, a) on the S×A grid, NaN (null in the document) where the
// action is not available.
func table(p *model.Problem, f func(s, a int) float64) []float64 {
	v := make([]float64, p.Layout.S*p.Layout.A)
	for g := range v {
		v[g] = math.NaN()
	}
	for i, s := range p.Layout.State {
		v[s*p.Layout.A+p.Layout.Act[i]] = f(s, p.Layout.Act[i])
	}
	return v
}

// byState and byAction are tables of costs that depend on the one alone, while is a cost of 1
// in some states and 0 in the others.
func byState(p *model.Problem, costs ...float64) []float64 {
	return table(p, func(s, _ int) float64 { return costs[s] })
}

func byAction(p *model.Problem, costs ...float64) []float64 {
	return table(p, func(_, a int) float64 { return costs[a] })
}

func while(p *model.Problem, in func(s int) bool) []float64 {
	return table(p, func(s, _ int) float64 {
		if in(s) {
			return 1
		}
		return 0
	})
}

// numbered are n names with the numbers counted from one of them on.
func numbered(format string, from, n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf(format, from+i)
	}
	return names
}

// cells are names of the cells of a grid, row by row.
func cells(format string, rows, columns int) []string {
	names := make([]string, rows*columns)
	for i := range names {
		names[i] = fmt.Sprintf(format, i/columns+1, i%columns+1)
	}
	return names
}

// ahead is the cell of such a grid next to one, up, right, down or left of it by number, and whether there is one.
func ahead(s, way, rows, columns int) (to int, inside bool) {
	r, c := s/columns+[]int{-1, 0, 1, 0}[way], s%columns+[]int{0, 1, 0, -1}[way]
	return r*columns + c, r >= 0 && r < rows && c >= 0 && c < columns
}

// finite is a set of kernels of which nature picks one for good.
func finite(kernels ...*model.Kernel) model.Uncertainty {
	return model.Uncertainty{Kind: model.Finite, Kernels: kernels}
}

// kernel has the rows that fill adds up in a row of zeros. Probabilities are
// rounded to 12 decimals, so that a person reads 0.3 where 1-0.7 is meant.
func kernel(p *model.Problem, name string, fill func(row []float64, s, a int)) *model.Kernel {
	l := p.Layout
	rows := make([]float64, l.Pairs()*l.S)
	for i, s := range l.State {
		fill(rows[i*l.S:(i+1)*l.S], s, l.Act[i])
	}
	for i, x := range rows {
		rows[i] = round(x, 1e12)
	}
	k := model.NewKernel(l.S, rows)
	k.Name = name
	return k
}

// listed is kernel from rows written down by state and action; nil rows belong
// to unavailable actions.
func listed(p *model.Problem, name string, rows [][][]float64) *model.Kernel {
	return kernel(p, name, func(row []float64, s, a int) { copy(row, rows[s][a]) })
}

func round(x, unit float64) float64 { return math.Round(x*unit) / unit }
