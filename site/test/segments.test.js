// segments.test.js — joining data segments leaves a module that fills its memory the same.

import assert from "node:assert/strict";
import { test } from "node:test";
import { joinSegments } from "../segments.mjs";

/** @param {number} n @param {boolean} [signed] @returns {number[]} */
const leb = (n, signed) => {
  /** @type {number[]} */
  const out = [];
  for (;;) {
    const byte = n & 0x7f;
    n = signed ? n >> 7 : n >>> 7;
    if (signed ? (n === 0 && !(byte & 0x40)) || (n === -1 && byte & 0x40) : n === 0) return [...out, byte];
    out.push(byte | 0x80);
  }
};
/** @param {number} id @param {number[]} bytes */
const section = (id, bytes) => [id, ...leb(bytes.length), ...bytes];
const name = [...new TextEncoder().encode("memory")];

/** A module of two pages with the segments [address, bytes], some custom sections around. @param {[number, number[]][]} segments */
function module_(segments) {
  const data = segments.flatMap(([address, bytes]) => [0, 0x41, ...leb(address, true), 0x0b, ...leb(bytes.length), ...bytes]);
  return Buffer.from([
    0,
    0x61,
    0x73,
    0x6d,
    1,
    0,
    0,
    0,
    ...section(0, [1, 0x61, 7]),
    ...section(5, [1, 0, 2]),
    ...section(7, [1, name.length, ...name, 2, 0]),
    ...section(11, [...leb(segments.length), ...data]),
    ...section(0, [1, 0x62, 8, 9]),
  ]);
}

/** @param {BufferSource} bytes */
const memory = async (bytes) => {
  const { instance } = await WebAssembly.instantiate(bytes);
  return Buffer.from(/** @type {WebAssembly.Memory} */ (instance.exports.memory).buffer);
};

test("the memory is the same, whatever the gaps and the order", async () => {
  let seed = 7;
  const random = (/** @type {number} */ n) => ((seed = (seed * 1103515245 + 12345) & 0x7fffffff) >>> 8) % n;
  for (let round = 0; round < 50; round++) {
    /** @type {[number, number[]][]} */
    const segments = [];
    for (let at = random(200); at < 120000; at += 1 + random(round % 2 ? 100 : 5000)) {
      const bytes = Array.from({ length: random(90) }, () => random(256));
      segments.push([at, bytes]);
      at += bytes.length;
    }
    if (round % 3 === 0) segments.push(...segments.splice(0, 1));
    const before = module_(segments), after = joinSegments(before);
    assert.ok((await memory(before)).equals(await memory(after)));
    assert.ok(joinSegments(after).equals(after), "joining twice joins no more");
  }
});

test("short gaps are joined, long ones stay", async () => {
  const joined = joinSegments(module_([[0, [1]], [65, [2]], [131, [3]], [70000, [4]]]));
  assert.deepEqual(joined, module_([[0, [1, ...Array(64).fill(0), 2]], [131, [3]], [70000, [4]]]));
});

test("a module that it does not understand is refused, not changed", () => {
  assert.throws(() => joinSegments(module_([[0, [1, 2, 3]], [2, [4]]])), /overlap/);
  const counted = module_([[0, [1]]]);
  assert.throws(() => joinSegments(Buffer.concat([counted, Buffer.from(section(12, [1]))])), /counts/);
  const passive = module_([[0, [1]]]);
  passive[passive.indexOf(Buffer.from([0, 0x41]))] = 1;
  assert.throws(() => joinSegments(passive), /active/);
});

test("a module without data stays as it is", () => {
  const empty = Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...section(5, [1, 0, 2])]);
  assert.ok(joinSegments(empty).equals(empty));
});
