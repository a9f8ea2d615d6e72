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
func (m *Memory) Record(id string) (*Record, error) {
	if r, ok := m.records[id]; ok {
		return &r, nil
	}
	return nil, nil
}

// Records implements Tx.
func (m *Memory) Records() ([]*Record, error) {
	var all []*Record
	for _, id := range slices.Sorted(maps.Keys(m.records)) {
		r := m.records[id]
		all = append(all, &r)
	}
	return all, nil
}

// PutRecord implements Tx.
func (m *Memory) PutRecord(r *Record) error {
	m.records[r.ID] = *r
	return nil
}

// DeleteRecord implements Tx.
func (m *Memory) DeleteRecord(id string) error {
	delete(m.records, id)
	return nil
}

// Blob implements Tx.
func (m *Memory) Blob(kind Kind, key string) ([]byte, error) { return m.blobs[kind][key], nil }

// PutBlob implements Tx.
func (m *Memory) PutBlob(kind Kind, key string, b []byte) error {
	m.blobs[kind][key] = slices.Clone(b)
	return nil
}

// DeleteBlob implements Tx.
func (m *Memory) DeleteBlob(kind Kind, key string) error {
	delete(m.blobs[kind], key)
	return nil
}
