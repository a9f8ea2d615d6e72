package wire

import (
	"fmt"
	"slices"
	"strings"

	"rcmdplab/core/instance"
	"rcmdplab/core/jsontext"
	"rcmdplab/core/model"
)

// examples lists the gallery.
func (s *Session) examples(_ [][]byte) ([]byte, error) {
	t := value().open('[')
	for _, e := range instance.Examples() {
		t.open('{').key("id").str(e.ID).key("title").str(e.Title).key("description").str(e.Description)
		t.key("parameters").open('[')
		for _, p := range e.Parameters {
			t.open('{').key("name").str(p.Name).key("label").str(p.Label)
			t.key("default").num(p.Default).key("min").num(p.Min).key("max").num(p.Max)
			t.key("integer").bool(p.Integer).close('}')
		}
		t.close(']').close('}')
	}
	return t.close(']').done(), nil
}

// example makes one: part 0 is its id as a JSON string, part 1 an object of
// parameters. The reply is the document.
func (s *Session) example(parts [][]byte) ([]byte, error) {
	ids := []string{}
	named, _ := jsontext.Parse(part(parts, 0))
	id, _ := named.Text() // what is not a string is not an id
	i := slices.IndexFunc(instance.Examples(), func(e instance.Example) bool {
		ids = append(ids, e.ID)
		return e.ID == id
	})
	if i < 0 {
		return nil, refuse(InvalidOption, "there is no example "+brief(part(parts, 0))+"; there are "+strings.Join(ids, ", "))
	}
	e := instance.Examples()[i]
	given, order, err := members(part(parts, 1))
	if err != nil {
		return nil, err
	}
	values := map[string]float64{}
	for _, p := range e.Parameters {
		values[p.Name] = p.Default
	}
	var faults model.Faults
	for _, name := range order {
		j := slices.IndexFunc(e.Parameters, func(p instance.Parameter) bool { return p.Name == name })
		message := ""
		if j < 0 {
			names := []string{}
			for _, p := range e.Parameters {
				names = append(names, p.Name)
			}
			message = fmt.Sprintf("%s: no such parameter of %s; it takes %s", name, id, strings.Join(names, ", "))
			if len(names) == 0 {
				message = fmt.Sprintf("%s: no such parameter; %s takes none", name, id)
			}
		} else {
			values[name], message = parameter(e.Parameters[j], given[name])
		}
		if message != "" {
			faults = append(faults, model.Fault{Pointer: "/" + escape(name), Message: message})
		}
	}
	if len(faults) > 0 {
		return nil, refuse(InvalidOption, said(faults), faults...)
	}
	return value().raw(string(e.Make(values).Encode())).done(), nil
}

func parameter(p instance.Parameter, raw jsontext.Value) (float64, string) {
	v, ok := raw.Number()
	if !ok || v < p.Min || v > p.Max || p.Integer && v != float64(int64(v)) {
		want := "a number"
		if p.Integer {
			want = "a whole number"
		}
		return 0, fmt.Sprintf("%s: got %s; want %s from %v to %v", p.Name, brief(raw), want, p.Min, p.Max)
	}
	return v, ""
}
