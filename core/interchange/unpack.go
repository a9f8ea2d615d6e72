package interchange

import (
	"slices"
	"strings"
)

// unpacked brings the transitions among values by name to maps by state and action: of
// a list of records, of outcomes that are records, and of keys (state, action) that lead to lists. It
// says whether there were records, none of which has a reward.
func (n *node) unpacked() (unpaid bool) {
	p := n.role("p")
	records, paid := 0, false
	seen := func(r *node) {
		records++
		paid = paid || r.part(roleReward) != nil
	}
	switch {
	case p == nil:
	case p.kind == 'l' && len(p.kids) > 0 && p.kids[0].kind == 'm':
		if by := byPair(p.kids); by != nil {
			for i := range p.kids {
				seen(&p.kids[i])
			}
			*p = *by
		}
	case p.kind == 'm':
		if len(p.keys) > 0 && strings.Contains(p.keys[0], tuple) && p.kids[0].kind == 'l' && len(p.kids[0].kids) > 0 {
			*p = *p.nested()
		}
		for i := range p.kids {
			for j := range p.kids[i].kids {
				list := &p.kids[i].kids[j]
				if o, ok := list.outcome(); ok {
					seen(list)
					*list = node{kind: 'l', at: list.at, kids: []node{o}}
				} else if list.kind == 'l' && len(list.kids) > 0 && list.kids[0].kind == 'm' {
					var all []node
					for k := range list.kids {
						seen(&list.kids[k])
						if o, ok := list.kids[k].outcome(); ok {
							all = append(all, o)
						}
					}
					if len(all) == len(list.kids) {
						list.kids = all
					}
				}
			}
		}
	}
	return records > 0 && !paid
}

// outcomesByPair says whether maps by state and action lead to records of outcomes, one or a list of them.
func (n *node) outcomesByPair() bool {
	for i := range n.kids {
		for j := range n.kids[i].kids {
			of := &n.kids[i].kids[j]
			if of.kind == 'l' && len(of.kids) > 0 {
				of = &of.kids[0]
			}
			if _, ok := of.outcome(); !ok {
				return false
			}
		}
	}
	return n.kind == 'm' && len(n.kids) > 0 && n.kids[0].kind == 'm' && len(n.kids[0].kids) > 0
}

// listed turns members that are lists of (state, action, next state, probability), or of (state, action, reward)
// and the like, into maps by name; what is after the names may be a list of (next state, probability). A list in which
// something stands twice stays one.
func (n *node) listed() {
	for i := range n.kids {
		all := n.kids[i].kids
		m, ok := node{kind: 'm', at: n.kids[i].at}, n.kids[i].kind == 'l' && len(all) > 0
		for j := range all {
			row := all[j].all()
			ok = ok && all[j].kind == 'l' && len(row) > 1 && len(row) < 5 && row[0].kind == '"' && m.name(row)
			if !ok {
				break
			}
		}
		if ok {
			n.kids[i] = m
		}
	}
}

// name puts the last of several at the place that the others name; false where something is there already.
func (n *node) name(row []node) bool {
	last := len(row) - 1
	if row[last].kind == 'l' { // (next state, probability)
		for _, pair := range row[last].all() {
			if pair.kind != 'l' || pair.len() != 2 || !n.name(append(slices.Clip(row[:last]), pair.all()...)) {
				return false
			}
		}
		return row[last].len() > 0
	}
	at := n
	for k, key := range row[:last] {
		kind := byte('m')
		if k == last-1 {
			kind = 'n'
		}
		if at = at.member(keyOf(&key), kind, key.at); at.kind != kind {
			return false
		}
	}
	*at = row[last]
	return at.kind == '#'
}

// nested makes maps in maps of a map whose keys are (state, action).
func (n *node) nested() *node {
	out := &node{kind: 'm', at: n.at}
	for i, key := range n.keys {
		s, a, _ := strings.Cut(key, tuple)
		of := out.member(s, 'm', n.kids[i].at)
		of.keys, of.kids = append(of.keys, a), append(of.kids, n.kids[i])
	}
	return out
}

// byPair makes maps by state and action of records with a state, an action, and what an
// outcome has; nil where one has not.
func byPair(records []node) *node {
	flat := &node{kind: 'm', at: records[0].at}
	for i := range records {
		r := &records[i]
		s, a := r.part(roleState), r.part(roleAction)
		o, ok := r.outcome()
		if s == nil || !ok {
			return nil
		}
		key := keyOf(s) + tuple + "go"
		if a != nil {
			key = keyOf(s) + tuple + keyOf(a)
		}
		of := flat.member(key, 'l', r.at)
		of.kids = append(of.kids, o)
	}
	return flat.nested()
}

// part is the member of a record whose name says this role.
func (n *node) part(role string) *node {
	for i, k := range n.keys {
		if roleOf(k) == role {
			return &n.kids[i]
		}
	}
	return nil
}

// outcome is a record with a probability and a next state as (probability, next state,
// reward, terminated), its other numbers as the info map.
func (n *node) outcome() (o node, ok bool) {
	p, t := n.part(roleP), n.part(roleNext)
	if t == nil { // the state of an outcome is the next one
		t = n.part(roleState)
	}
	if n.kind != 'm' || p == nil || t == nil {
		return o, false
	}
	reward, ends := node{kind: '#', at: n.at}, node{kind: 't', at: n.at}
	info := node{kind: 'm', at: n.at}
	for i, k := range n.keys {
		switch v := n.kids[i]; {
		case &n.kids[i] == p || &n.kids[i] == t:
		case roleOf(k) == roleReward && v.kind == '#':
			reward = v
		case roleOf(k) == roleDone:
			ends = v
		case v.kind == '#' && roleOf(k) != roleState && roleOf(k) != roleAction:
			info.keys, info.kids = append(info.keys, k), append(info.kids, v)
		}
	}
	return node{kind: 'l', at: n.at, kids: []node{*p, *t, reward, ends, info}}, true
}
