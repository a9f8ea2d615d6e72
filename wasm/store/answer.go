package store

import (
	"context"
	"strconv"
	"strings"

	"rcmdplab/core/jsontext"
)

// Answer answers one request of the page. The reply is JSON and, for "get",
// the run's large parts as they were saved.
//
//	state                                   {"storage", "notice"}
//	list                                    [record...]
//	get        id                           record; problem, result, checkpoint (empty when absent)
//	put        head, fields, problem, result {"record", "changed"}; head is {"id", "keep", "resumable", "new"}, empty parts stay as they are
//	delete     id                           true
//	checkpoint id, bytes                    whether it was kept
//
// A record is {"id", "rev", "resumable", "bytes", "fields"}.
func Answer(ctx context.Context, k *Keeper, name string, parts [][]byte) (reply []byte, blobs [][]byte, err error) {
	part := func(i int) []byte {
		if i < len(parts) && len(parts[i]) > 0 {
			return parts[i]
		}
		return nil
	}
	id := string(part(0))
	switch name {
	case "state":
		if err := k.Connect(ctx); err != nil {
			return nil, nil, err
		}
		if !k.InMemory() {
			return []byte(`{"storage":"indexeddb","notice":null}`), nil, nil
		}
		return append(jsontext.AppendString([]byte(`{"storage":"memory","notice":`), k.Notice()), '}'), nil, nil
	case "list":
		all, err := List(ctx, k)
		if err != nil {
			return nil, nil, err
		}
		reply = append(reply, '[')
		for _, r := range all {
			reply = appendRecord(jsontext.AppendComma(reply), r)
		}
		return append(reply, ']'), nil, nil
	case "get":
		run, err := Get(ctx, k, id)
		if err != nil {
			return nil, nil, err
		}
		return appendRecord(nil, &run.Record), [][]byte{run.ProblemText, run.Result, run.Checkpoint}, nil
	case "put":
		c := Change{Fields: part(1), Problem: part(2), Result: part(3)}
		if err := readHead(&c, part(0)); err != nil {
			return nil, nil, &Error{Code: InvalidOption, Message: "the run's head is not readable", Err: err}
		}
		r, changed, err := Put(ctx, k, c)
		if err != nil {
			return nil, nil, err
		}
		reply = strconv.AppendBool([]byte(`{"changed":`), changed)
		return append(appendRecord(append(reply, `,"record":`...), r), '}'), nil, nil
	case "delete":
		return []byte("true"), nil, Delete(ctx, k, id)
	case "checkpoint":
		kept, err := Checkpoint(ctx, k, id, part(1))
		return strconv.AppendBool(nil, kept), nil, err
	}
	return nil, nil, &Error{Code: InvalidOption, Message: "the store cannot " + strings.ToValidUTF8(name, "?")}
}

func readHead(c *Change, text []byte) error {
	v, err := jsontext.Parse(text)
	if err != nil {
		return err
	}
	return v.Decode(jsontext.Fields{"id": &c.ID, "keep": &c.Keep, "resumable": &c.Resumable, "new": (*jsontext.Value)(&c.New)}, nil)
}

func appendRecord(b []byte, r *Record) []byte {
	b = jsontext.AppendString(append(b, `{"id":`...), r.ID)
	b = strconv.AppendInt(append(b, `,"rev":`...), int64(r.Rev), 10)
	b = strconv.AppendBool(append(b, `,"resumable":`...), r.Resumable)
	b = strconv.AppendInt(append(b, `,"bytes":`...), int64(r.Bytes()), 10)
	fields := r.Fields
	if jsontext.Check(fields) != nil {
		fields = []byte("{}") // one damaged record must not hide the others
	}
	return append(append(append(b, `,"fields":`...), fields...), '}')
}
