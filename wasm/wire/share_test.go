package wire

import "testing"

// bytesOf is the column of bytes with the name in a reply, nil when there is none.
func bytesOf(t *testing.T, reply []byte, name string) []byte {
	t.Helper()
	_, columns, err := Unpack(reply)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range columns {
		if c.Name == name {
			return c.Bytes
		}
	}
	return nil
}

// toEnd steps a session's run to its end and gives the last reply.
func toEnd(t *testing.T, s *Session, between func()) []byte {
	t.Helper()
	now := 0.0
	clock := func() float64 { now += 1e-4; return now }
	for range 1 << 20 {
		reply := s.Step(clock, 0.004, false)
		if !s.Running() {
			return reply
		}
		if between != nil {
			between()
		}
	}
	t.Fatal("the run does not end")
	return nil
}

// Two sessions share a proof: the boxes that the first hands out are closed by
// the second, and the first ends with a certificate that check accepts.
func TestSharedRun(t *testing.T) {
	doc := document(t, "a_seed4")
	options := []byte(`{"algorithm":"solve","gap":0.006,"starts":1,"timeLimit":0}`)
	var home, away Session
	var begun struct{ Shares bool }
	if _, e := answer(t, home.Call("begin", options, doc), &begun); e != nil || !begun.Shares {
		t.Fatal(e, begun)
	}
	parts, useful := 0, 0
	reply := toEnd(t, &home, func() {
		var there bool
		split := home.Call("split")
		if _, e := answer(t, split, &there); e != nil {
			t.Fatal(e)
		}
		if !there {
			return
		}
		parts++
		if _, e := answer(t, away.Call("begin", options, doc, []byte("part"), bytesOf(t, split, columnPart)), nil); e != nil {
			t.Fatal(e)
		}
		back := toEnd(t, &away, nil)
		var ok bool
		if _, e := answer(t, home.Call("join", bytesOf(t, back, columnPart)), &ok); e != nil {
			t.Fatal(e)
		}
		if ok {
			useful++
		}
	})
	var end struct {
		Result struct {
			Status      string
			Certificate map[string]any
			Objective   struct{ RelativeGap float64 }
		}
	}
	if _, e := answer(t, reply, &end); e != nil {
		t.Fatal(e)
	}
	if end.Result.Status != "bounded" || end.Result.Certificate == nil || !(end.Result.Objective.RelativeGap <= 0.00601) {
		t.Errorf("status %s, gap %v after %d parts", end.Result.Status, end.Result.Objective.RelativeGap, parts)
	}
	if parts == 0 || useful != parts {
		t.Errorf("%d parts handed out, %d of use", parts, useful)
	}
}

// Sharing calls without a run, and bytes that are no part, do no harm.
func TestShareRefusals(t *testing.T) {
	var s Session
	var ok bool
	for _, reply := range [][]byte{s.Call("split"), s.Call("join", []byte{1, 2, 3}), s.Call("join")} {
		if _, e := answer(t, reply, &ok); e != nil || ok {
			t.Errorf("%v %v", ok, e)
		}
	}
	doc := document(t, "fig1_epigraph")
	if _, e := answer(t, s.Call("begin", []byte(`{"algorithm":"solve"}`), doc, []byte("part"), []byte("no part at all")), nil); e != nil {
		t.Fatal(e)
	}
	var end struct{ Result struct{ Status string } }
	if _, e := answer(t, toEnd(t, &s, nil), &end); e != nil || end.Result.Status != "failed" {
		t.Errorf("a run of no part ended %q, %v", end.Result.Status, e)
	}
}
