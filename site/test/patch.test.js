// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { applyPatch, isWithin, parsePointer, replaceAt, valueAt } from "../src/document/patch.js";

test("pointers escape slashes and tildes both ways", () => {
  assert.deepEqual(parsePointer("/a~1b/m~0n/0"), ["a/b", "m~n", "0"]);
  assert.deepEqual(parsePointer("/a~1b/m~0n/0"), ["a/b", "m~n", "0"]);
  assert.deepEqual(parsePointer(""), []);
  assert.throws(() => parsePointer("a"), RangeError);
});

test("a replacement leaves the old document as it was and shares what it did not touch", () => {
  const doc = { a: [[1, 2], [3, 4]], b: { c: 5 } };
  const next = replaceAt(doc, "/a/1/0", 9);
  assert.deepEqual(next, { a: [[1, 2], [9, 4]], b: { c: 5 } });
  assert.deepEqual(doc, { a: [[1, 2], [3, 4]], b: { c: 5 } });
  assert.equal(next.b, doc.b);
  assert.equal(next.a[0], doc.a[0]);
});

test("a replacement can add a field or append to a list, and nothing else that is missing", () => {
  assert.deepEqual(replaceAt({ a: [1] }, "/a/-", 2), { a: [1, 2] });
  assert.deepEqual(replaceAt({ a: [1] }, "/a/1", 2), { a: [1, 2] });
  assert.deepEqual(replaceAt(/** @type {any} */ ({}), "/b", 2), { b: 2 });
  assert.deepEqual(replaceAt(/** @type {any} */ (1), "", 2), 2);
  for (const pointer of ["/a/3", "/x/y", "/a/0/b", "/__proto__/x", "/__proto__", "/a/1/0"]) {
    assert.throws(() => replaceAt({ a: [1] }, pointer, 0), RangeError, pointer);
  }
});

test("a patch applies its replacements in order", () => {
  assert.deepEqual(applyPatch({ a: 1, b: [0.5, 0.6] }, [{ pointer: "/b", value: [1, 0] }, { pointer: "/b/1", value: 2 }]), { a: 1, b: [1, 2] });
});

test("valueAt answers undefined for places that are not there, inherited ones too", () => {
  assert.equal(valueAt({ a: [1, { b: 2 }] }, "/a/1/b"), 2);
  assert.equal(valueAt({ a: 1 }, "/a/b"), undefined);
  assert.equal(valueAt({}, "/toString"), undefined);
});

test("a place is within itself and its parents, not within its namesakes", () => {
  assert.ok(isWithin("/a/1", "/a/1"));
  assert.ok(isWithin("/a/1/2", "/a/1"));
  assert.ok(!isWithin("/a/10", "/a/1"));
});
