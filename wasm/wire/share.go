package wire

import "rcmdplab/core/decide"

// A run whose method shares its work hands out parts between two slices; the
// page gives each to another worker, whose run ends with what join takes. Both
// travel as a column of bytes.
const columnPart = "part"

// split hands out a part of the run in progress: the value says whether there
// was one.
func (s *Session) split(_ [][]byte) []byte {
	if r := s.run; r != nil && !r.end && r.last.Share != nil {
		if b, ok := r.last.Share.Split(); ok {
			return value().bool(true).done(Column{Name: columnPart, Bytes: b})
		}
	}
	return value().bool(false).done()
}

// join gives a part's result, part 0, back to the run in progress; the value
// says whether it was of use.
func (s *Session) join(parts [][]byte) []byte {
	r := s.run
	ok := r != nil && r.last.Share != nil && r.last.Share.Join(part(parts, 0))
	return value().bool(ok).done()
}

// asPart makes the run one of a part handed out by another worker, to its end
// or, short, for a while.
func (o *options) asPart(b []byte, short bool, kept *decide.Kept) {
	o.algorithm = decide.Part(b, short, kept)
	o.settings.Stop = nil
	o.settings.TimeLimit = 0
}

// partResult is the column that join takes, from the end of a part's run.
func (r *run) partResult() []Column {
	if r.options.algorithm.ID != decide.PartID || r.last.Memory == nil {
		return nil
	}
	return []Column{{Name: columnPart, Bytes: r.last.Memory()}}
}

// Idle reports whether the run in progress has nothing to do until a part
// comes back.
func (s *Session) Idle() bool { return s.run != nil && s.run.last.Waiting && !s.run.end }
