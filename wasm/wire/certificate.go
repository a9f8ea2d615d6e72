package wire

import (
	"rcmdplab/core/solve"
)

// writeCertificate writes the proof of the record's claim as a document, when
// there is one.
func writeCertificate(t *text, p *solve.Progress) {
	if b := encoded(p); b != nil {
		t.key("certificate").raw(string(b))
	}
}

// encoded is the record's certificate as a document, nil when there is none.
func encoded(p *solve.Progress) []byte {
	if p.Certificate == nil {
		return nil
	}
	b, err := p.Certificate.Encode()
	if err != nil {
		panic("wire: " + err.Error()) // the checker accepted it
	}
	return b
}
