package store

import (
	"context"
	"maps"
	"slices"
)

// Memory is a Backend that ends with the page: for browsers and frames that
// let us keep nothing.
type Memory struct {
	records map[string]Record          // by id
	blobs   map[Kind]map[string][]byte // by kind and key
}

// NewMemory makes an empty one.
func NewMemory() *Memory {
	return &Memory{records: map[string]Record{}, blobs: map[Kind]map[string][]byte{Problems: {}, Results: {}, Checkpoints: {}}}
}

// Do runs f on copies of the maps and keeps them when f succeeds.
func (m *Memory) Do(_ context.Context, write bool, f func(Tx) error) error {
	next := &Memory{records: maps.Clone(m.records), blobs: map[Kind]map[string][]byte{}}
	for kind, all := range m.blobs {
		next.blobs[kind] = maps.Clone(all)
	}
	if err := f(next); err != nil {
		return err
	}
	if write {
		*m = *next
	}
	return nil
}

// Close does nothing: there is nothing to close.
func (m *Memory) Close() {}

// Record implements Tx.
func (m *Memory) Record(id string) *Record {
	if r, ok := m.records[id]; ok {
		return &r
	}
	return nil
}

// Records implements Tx.
func (m *Memory) Records() (all []*Record) {
	for _, id := range slices.Sorted(maps.Keys(m.records)) {
		r := m.records[id]
		all = append(all, &r)
	}
	return all
}

// PutRecord implements Tx.
func (m *Memory) PutRecord(r *Record) { m.records[r.ID] = *r }

// DeleteRecord implements Tx.
func (m *Memory) DeleteRecord(id string) { delete(m.records, id) }

// Blob implements Tx.
func (m *Memory) Blob(kind Kind, key string) []byte { return m.blobs[kind][key] }

// PutBlob implements Tx.
func (m *Memory) PutBlob(kind Kind, key string, b []byte) { m.blobs[kind][key] = slices.Clone(b) }

// DeleteBlob implements Tx.
func (m *Memory) DeleteBlob(kind Kind, key string) { delete(m.blobs[kind], key) }
