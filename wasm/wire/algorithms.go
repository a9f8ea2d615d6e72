package wire

import (
	"strconv"

	"rcmdplab/core/decide"
	"rcmdplab/core/solve"
)

// algorithms lists the methods with their option tables, from which forms,
// checks and the guide are made.
func (s *Session) algorithms(_ [][]byte) []byte {
	t := value()
	list(t, decide.Algorithms(), func(a solve.Algorithm) {
		t.open('{').key("id").str(a.ID).key("title").str(a.Title).key("shape").str(string(a.Shape)).key("solves").str(a.Solves)
		list(t.key("options"), table(a), func(o solve.Option) {
			t.open('{').key("name").str(o.Name).key("type").str(o.Type)
			switch o.Type {
			case "boolean":
				t.key("default").bool(o.Default != 0)
			case "seed":
				t.key("default").str(strconv.FormatUint(uint64(o.Default), 10))
			case "policy":
				t.key("default").null()
			default:
				t.key("default").num(o.Default).key("min").num(o.Min).key("max").num(o.Max)
			}
			t.key("help").str(o.Help).close('}')
		})
		t.close('}')
	})
	return t.done()
}
