package interchange

import (
	"path"
	"slices"
	"strings"

	"rcmdplab/core/model"
)

// One file for each action: a square matrix of numbers, the action in the file's
// name.

// oneMatrix says whether a table that was completed is one matrix of states.
func (t *Table) oneMatrix() bool {
	return len(t.Columns) > 2 && t.Columns[1] == "action" && len(t.Rows) == len(t.Columns)-2 && t.Rows[len(t.Rows)-1][1] == "0"
}

func (t *Table) nameAction(name string) {
	for i := range t.Rows {
		t.Rows[i][1] = name
	}
}

// actionOf is what a file's name says beyond what all of them begin with.
func (in *input) actionOf(f *source) string {
	stem := func(s *source) string { return strings.TrimSuffix(path.Base(s.name), path.Ext(s.name)) }
	name := stem(f)
	cut := strings.LastIndexAny(name, "-_. ") + 1
	for _, o := range in.files {
		for cut > 0 && !strings.HasPrefix(stem(o), name[:cut]) {
			cut = strings.LastIndexAny(name[:cut-1], "-_. ") + 1
		}
	}
	if name[cut:] == "" {
		return f.shown
	}
	return name[cut:]
}

// orderMatrices puts files of one matrix each in the order of their names, so that
// the order in which they were dropped is none of the model's.
func (in *input) orderMatrices() {
	if len(in.files) < 2 {
		return
	}
	for _, f := range in.files {
		t := tableOf(f.head(), TableOptions{})
		if t == nil || t.Header || t.complete() == "" || !t.oneMatrix() {
			return
		}
	}
	slices.SortStableFunc(in.files, func(a, b *source) int { return strings.Compare(a.name, b.name) })
	names := make([]string, len(in.files))
	for i, f := range in.files {
		names[i] = f.name
	}
	sorted := make([]*source, 0, len(in.files))
	for _, i := range model.NaturalOrder(names) {
		sorted = append(sorted, in.files[i])
	}
	in.files = sorted
}
