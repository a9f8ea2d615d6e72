// @ts-check
// message.test.js — the layout of a message, as written down at wire.Pack.

import assert from "node:assert/strict";
import { test } from "node:test";
import { encode, pack, unpack } from "../src/engine/message.js";

test("numbers that are packed come back bit for bit, wherever the message lies", () => {
  const columns = { k: [1, NaN, -0, Infinity], "": [], état: new Float64Array([5e-324]) };
  const message = pack(encode({ a: 1 }), columns);
  for (const offset of [0, 8, 3]) {
    const moved = new Uint8Array(offset + message.length).subarray(offset);
    moved.set(message);
    const back = unpack(moved);
    assert.equal(back.text, "{\"a\":1}");
    assert.deepEqual(Object.entries(back.columns).map(([name, v]) => [name, [...v]]), Object.entries(columns).map(([name, v]) => [name, [...v]]));
    assert.deepEqual(back.bytes, {});
  }
});

test("a column of bytes is marked in the length of its name and padded", () => {
  // {}, then "b": 3 bytes, then "k": one number.
  const message = new Uint8Array([
    ...[2, 0, 0, 0, 2, 0, 0, 0],
    ...[1, 0, 0, 128, 3, 0, 0, 0, 98],
    ...[1, 0, 0, 0, 1, 0, 0, 0, 107],
    ...[123, 125, 0, 0, 0, 0],
    ...[7, 8, 255, 0, 0, 0, 0, 0],
    ...new Uint8Array(new Float64Array([2.5]).buffer),
  ]);
  const { text, columns, bytes } = unpack(message);
  assert.equal(text, "{}");
  assert.deepEqual([...bytes.b], [7, 8, 255]);
  assert.deepEqual(Object.keys(columns), ["k"]);
  assert.deepEqual([...columns.k], [2.5]);
});

test("what JSON has no words for is said as text, wherever it stands among plain values", () => {
  const text = (/** @type {unknown} */ value) => new TextDecoder().decode(encode(value));
  const plain = { a: [1, -0.5, "x", null, true, [{}]], b: { c: [[0, 1]] } };
  assert.equal(text(plain), JSON.stringify(plain));
  for (
    const [odd, said] of /** @type {[unknown, string][]} */ ([
      [NaN, "\"NaN\""],
      [-Infinity, "\"-Infinity\""],
      [3n, "\"3\""],
      [undefined, "\"undefined\""],
      [new Float64Array([1, NaN]), "[1,\"NaN\"]"],
      [new Date(0), "\"1970-01-01T00:00:00.000Z\""],
      [() => 1, "\"a function\""],
      [Array(1), "[\"undefined\"]"],
    ])
  )
    assert.equal(text({ a: [1, { b: ["x", odd] }], c: 2 }), `{"a":[1,{"b":["x",${said}]}],"c":2}`);
  assert.equal(text(undefined), "null");
});
