// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import * as e from "../src/document/edits.js";
import { blankDocument } from "../src/document/reading.js";
import { edited, redone, startHistory, undone } from "../src/document/history.js";
import { deltaOf, keptHistory } from "../src/document/kept.js";
import { applied, restoredHistory } from "../src/document/restored.js";
import { replaceAt } from "../src/document/patch.js";

/** Numbers in [0, 1), the same each time. @param {number} seed */
function random(seed) {
  let x = seed;
  return () => ((x = (x * 1664525 + 1013904223) % 4294967296) / 4294967296);
}

/** Some value of JSON. @param {() => number} next @param {number} depth @returns {any} */
function value(next, depth) {
  const kind = Math.floor(next() * (depth > 0 ? 6 : 4));
  if (kind < 4) return [null, Math.floor(next() * 3), "ab"[Math.floor(next() * 2)], next() < 0.5][kind];
  const parts = Array.from({ length: Math.floor(next() * 4) }, () => value(next, depth - 1));
  return kind === 4 ? parts : Object.fromEntries(parts.map((x, i) => [`k${Math.floor(next() * 4) + i}`, x]));
}

test("a difference, taken through JSON, turns the one value into the other", () => {
  const next = random(7);
  let same = 0;
  for (let i = 0; i < 3000; i++) {
    const [from, to] = [value(next, 4), value(next, 4)];
    const delta = JSON.parse(JSON.stringify(deltaOf(from, to)));
    if (delta === null) same++;
    assert.deepEqual(applied(from, delta), to);
    assert.deepEqual(applied(to, deltaOf(to, from)), from);
    assert.equal(deltaOf(from, structuredClone(from)), null);
  }
  assert.ok(same > 10 && same < 2000);
});

/** Edits of all kinds, over two models. @param {number} steps */
function history(steps) {
  const next = random(steps);
  let h = startHistory(/** @type {any} */ ({ doc: blankDocument(), origin: { kind: "blank" }, line: 3 }));
  for (let i = 0; i < steps; i++) {
    const { doc, line } = h.present;
    const other = next() < 0.1;
    const change = [
      () => e.addState(doc),
      () => e.addConstraint(doc),
      () => e.renameItem(doc, "states", 0, `s${i}`),
      () => replaceAt(doc, "/uncertainty/kernels/0/transitions/0/0/0", i / 100),
      () => replaceAt(doc, "/objective/values/1/1", i),
      () => (doc.states.length > 2 ? e.removeState(doc, 1) : replaceAt(doc, "/discount", i / 1000)),
    ][Math.floor(next() * 6)];
    h = edited(h, other ? { doc: blankDocument(), origin: { kind: "blank" }, line: line + 1 } : { doc: change(), origin: { kind: "blank" }, line });
    if (next() < 0.2) h = undone(h);
    if (next() < 0.1) h = redone(h);
  }
  return h;
}

/** @param {any[]} versions */
const docs = (versions) => versions.map(({ doc }) => doc);

test("undo and redo are the same after a reload, and models stay apart", () => {
  for (const steps of [1, 5, 40, 90]) {
    const h = history(steps);
    const size = JSON.stringify(h.present.doc).length;
    const kept = JSON.parse(JSON.stringify(keptHistory(h, 1e6, size)));
    let lines = 100;
    const present = { doc: JSON.parse(JSON.stringify(h.present.doc)), origin: { kind: "draft" }, line: 50 };
    const again = restoredHistory(kept, present, h.present.line, () => ++lines);
    assert.deepEqual(docs(again.past), docs(h.past));
    assert.deepEqual(docs(again.future), docs(h.future));
    const all = [...h.past, h.present, ...h.future];
    [...again.past, again.present, ...again.future].forEach((v, i, list) =>
      list.forEach((w, j) => assert.equal(v.line === w.line, all[i].line === all[j].line))
    );
    if (steps > 5) assert.ok(JSON.stringify(kept).length < 0.5 * JSON.stringify(docs(all)).length, "it takes less than the documents");
  }
});

test("of a long history the nearest steps are kept; of another document none", () => {
  const h = history(60);
  const kept = keptHistory(h, 1500, 10);
  assert.ok(kept.past.length > 0 && kept.past.length < h.past.length);
  assert.ok(JSON.stringify(kept).length < 1600);
  const size = JSON.stringify(h.present.doc).length;
  const again = restoredHistory({ ...kept, size }, h.present, h.present.line, () => 0);
  assert.deepEqual(docs(again.past), docs(h.past).slice(-kept.past.length));
  assert.deepEqual(restoredHistory(kept, h.present, 0, () => 0).past, []);
  assert.deepEqual(restoredHistory(undefined, h.present, 0, () => 0).past, []);
  const wrong = { ...kept, size, past: [{ line: 1, change: { parts: { nothing: { parts: { like: { to: 1 } } } } } }] };
  assert.deepEqual(restoredHistory(wrong, h.present, 0, () => 0).past, []);
});
