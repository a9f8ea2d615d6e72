package store

import (
	"context"
	"encoding/json"
	"strings"
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
	var value any
	switch name {
	case "state":
		if err := k.Connect(ctx); err != nil {
			return nil, nil, err
		}
		state := map[string]any{"storage": "indexeddb", "notice": nil}
		if k.InMemory() {
			state["storage"], state["notice"] = "memory", k.Notice()
		}
		value = state
	case "list":
		all, err := List(ctx, k)
		if err != nil {
			return nil, nil, err
		}
		list := make([]shownRecord, len(all))
		for i, r := range all {
			list[i] = shown(r)
		}
		value = list
	case "get":
		run, err := Get(ctx, k, id)
		if err != nil {
			return nil, nil, err
		}
		value, blobs = shown(&run.Record), [][]byte{run.ProblemText, run.Result, run.Checkpoint}
	case "put":
		var head struct {
			ID              string
			Keep, Resumable bool
			New             json.RawMessage
		}
		if err := json.Unmarshal(part(0), &head); err != nil {
			return nil, nil, &Error{Code: InvalidOption, Message: "the run's head is not readable", Err: err}
		}
		r, changed, err := Put(ctx, k, Change{ID: head.ID, Keep: head.Keep, Resumable: head.Resumable, New: head.New, Fields: part(1), Problem: part(2), Result: part(3)})
		if err != nil {
			return nil, nil, err
		}
		value = map[string]any{"record": shown(r), "changed": changed}
	case "delete":
		if err := Delete(ctx, k, id); err != nil {
			return nil, nil, err
		}
		value = true
	case "checkpoint":
		kept, err := Checkpoint(ctx, k, id, part(1))
		if err != nil {
			return nil, nil, err
		}
		value = kept
	default:
		return nil, nil, &Error{Code: InvalidOption, Message: "the store cannot " + strings.ToValidUTF8(name, "?")}
	}
	reply, err = json.Marshal(value)
	return reply, blobs, err
}

type shownRecord struct {
	ID        string          `json:"id"`
	Rev       int             `json:"rev"`
	Resumable bool            `json:"resumable"`
	Bytes     int             `json:"bytes"`
	Fields    json.RawMessage `json:"fields"`
}

func shown(r *Record) shownRecord {
	return shownRecord{r.ID, r.Rev, r.Resumable, r.Bytes(), r.Fields}
}
