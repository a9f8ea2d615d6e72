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
func (s *Session) examples(_ [][]byte) []byte {
	t := value()
	list(t, instance.Examples(), func(e instance.Example) {
		t.open('{').key("id").str(e.ID).key("title").str(e.Title).key("description").str(e.Description)
		list(t.key("parameters"), e.Parameters, func(p instance.Parameter) {
			t.open('{').key("name").str(p.Name).key("label").str(p.Label)
			t.key("default").num(p.Default).key("min").num(p.Min).key("max").num(p.Max)
			t.key("integer").bool(p.Integer).close('}')
		})
		t.close('}')
	})
	return t.done()
}

// example makes one: part 0 is its id as a JSON string, part 1 an object of
// parameters. The reply is the document.
func (s *Session) example(parts [][]byte) []byte {
	ids := []string{}
	named, _ := jsontext.Parse(part(parts, 0))
	id, _ := named.Text() // what is not a string is not an id
	i := slices.IndexFunc(instance.Examples(), func(e instance.Example) bool {
		ids = append(ids, e.ID)
		return e.ID == id
	})
	if i < 0 {
		refuse(InvalidOption, "there is no example "+brief(part(parts, 0))+"; there are "+strings.Join(ids, ", "))
	}
	e := instance.Examples()[i]
	values := map[string]float64{}
	for _, p := range e.Parameters {
		values[p.Name] = p.Default
	}
	each(part(parts, 1), func(name string, v jsontext.Value) model.Faults {
		message := fmt.Sprintf("%s: no such parameter; %s takes none", name, id)
		if j := slices.IndexFunc(e.Parameters, func(p instance.Parameter) bool { return p.Name == name }); j >= 0 {
			p := e.Parameters[j]
			values[name], message = within(name, p.Integer, p.Min, p.Max, v)
		} else if len(e.Parameters) > 0 {
			names := []string{}
			for _, p := range e.Parameters {
				names = append(names, p.Name)
			}
			message = fmt.Sprintf("%s: no such parameter of %s; it takes %s", name, id, strings.Join(names, ", "))
		}
		return wrong(message)
	})
	return value().document(e.Make(values)).done()
}
