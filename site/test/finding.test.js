// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { found } from "../src/document/finding.js";
import { differing, randomised } from "../src/document/steps.js";
import { plainEdits, plainKinds, plainTransitions, unreadable } from "./plain.js";

const { addState, removeState, renameItem } = plainEdits;
const { converted } = plainKinds;
const { denseRow, isSparse, row, withProbability } = plainTransitions;

test("a name is found by itself first, then by its beginning, then by what it holds, whatever the capitals", () => {
  const names = ["row 12", "arrow 1", "Row 1", "row 1", "column 1"];
  assert.deepEqual(found(names, " ROW 1 ", 9), [2, 3, 0, 1]);
  assert.deepEqual(found(names, "row 1", 2), [2, 3]);
  assert.deepEqual(found(names, "", 9), []);
  assert.deepEqual(found(names, "nothing", 9), []);
});

test("the very name is found behind any number of names that begin with it", () => {
  const names = [...Array.from({ length: 50 }, (_, i) => `s1${i}`), "s1"];
  assert.equal(found(names, "s1", 3)[0], 50);
});

test("a state is randomised when more than one of its actions has a probability", () => {
  assert.deepEqual(randomised([[1, 0], [0.5, 0.5], [0, 1], [1e-9, 1 - 1e-9], []]), [1, 3]);
  assert.deepEqual(randomised([[0.5, 0.5], [0.5, 0.5]], [false, true]), [1], "where the plan never comes is no chance taken");
});

/** A ring of n states that go on or stay. @param {number} n */
function ring(n) {
  const states = Array.from({ length: n }, (_, i) => `s${i}`);
  const actions = ["go", "stay"];
  const entries = states.flatMap((s, i) => [[s, "go", states[(i + 1) % n], 0.9], [s, "go", s, 0.1], [s, "stay", s, 1]]);
  const values = states.map(() => [1, 0]);
  return {
    format: "rcmdp/1",
    states,
    actions,
    discount: 0.9,
    initial: states.map((_, i) => (i === 0 ? 1 : 0)),
    objective: { name: "cost", sense: "minimize", values },
    uncertainty: { kind: "l1", radius: 0.1, nominal: { entries } },
  };
}

/** The same model with its table written densely. @param {any} doc */
function dense(doc) {
  const { nominal } = doc.uncertainty;
  const table = doc.states.map((/** @type {string} */ _, /** @type {number} */ s) =>
    doc.actions.map((/** @type {string} */ _, /** @type {number} */ a) => denseRow(nominal, s, a, doc))
  );
  return { ...doc, uncertainty: { ...doc.uncertainty, nominal: table } };
}

test("adding and removing a state does the same to a sparse table as to a dense one", () => {
  const doc = ring(5);
  for (const change of [addState, ...[0, 2, 4].map((s) => (/** @type {any} */ d) => removeState(d, s))]) {
    assert.ok(isSparse(change(doc).uncertainty.nominal));
    const rounded = (/** @type {any} */ d) =>
      d.uncertainty.nominal.map((/** @type {any} */ rows) => rows.map((/** @type {any} */ r) => r.map((/** @type {number} */ p) => Number(p.toFixed(12)))));
    assert.deepEqual(rounded(dense(change(doc))), rounded(change(dense(doc))));
  }
});

test("a keystroke in a sparse row is seen by the index that it hands on as by one made afresh", () => {
  const doc = ring(6);
  const before = doc.uncertainty.nominal;
  row(before, 0, 0, doc);
  /** @type {any} */
  let after = before;
  for (const [next, p] of [[0, 0.2], [4, 0.3], [2, 0], [4, 0.25]]) {
    after = withProbability(after, 3, 0, next, p, doc);
    const afresh = { entries: after.entries };
    for (let s = 0; s < 6; s++) for (let a = 0; a < 2; a++) assert.deepEqual(row(after, s, a, doc), row(afresh, s, a, doc));
  }
  assert.equal(row(before, 3, 0, doc)?.length, 2, "the table before is as it was");
});

test("a renamed table has the same rows as one that was read afresh, whether its names stay apart, meet or name nothing", () => {
  const doc = ring(4);
  const stray = { ...doc, uncertainty: { ...doc.uncertainty, nominal: { entries: [...doc.uncertainty.nominal.entries, ["s1", "go", "nowhere", 0.2]] } } };
  for (const first of [doc, stray]) {
    let d = /** @type {any} */ (first);
    for (const name of ["a", "s2", "nowhere", "s0"]) {
      row(d.uncertainty.nominal, 0, 0, d);
      d = renameItem(d, "states", 1, name);
      const { nominal } = d.uncertainty;
      for (let s = 0; s < 4; s++) for (let a = 0; a < 2; a++) assert.deepEqual(row(nominal, s, a, d), row({ entries: nominal.entries }, s, a, d), name);
      if (first === doc) assert.deepEqual(row(nominal, 1, 0, d)?.map(({ next, p }) => [next, p]), [[1, 0.1], [2, 0.9]]);
    }
  }
});

test("ten thousand states are renamed, added to and taken from without reading all pairs of states", () => {
  let doc = /** @type {any} */ (ring(10_000));
  doc = renameItem(doc, "states", 5_000, "here");
  assert.deepEqual(doc.uncertainty.nominal.entries[15_000], ["here", "go", "s5001", 0.9]);
  doc = removeState(addState(doc), 5_001);
  assert.equal(doc.states.length, 10_000);
  assert.deepEqual(row(doc.uncertainty.nominal, 5_000, 0, doc)?.map(({ next, p }) => [next, p]), [[5_000, 1]]);
});

test("intervals around a sparse kernel are those around the same kernel written densely, for any support", () => {
  for (const support of ["nominal", "all"]) {
    const doc = ring(4);
    const sparse = { ...doc, uncertainty: { ...doc.uncertainty, support } };
    sparse.uncertainty.nominal = { entries: [...doc.uncertainty.nominal.entries, ["s2", "go", "s3", 0.05], ["s2", "go", "s0", 0.05]] };
    const [mine, theirs] = [converted(sparse, "interval"), converted(dense(sparse), "interval")];
    for (const end of ["lower", "upper"]) {
      for (let s = 0; s < 4; s++) for (let a = 0; a < 2; a++) assert.deepEqual(denseRow(mine[end], s, a, doc), denseRow(theirs[end], s, a, doc));
    }
  }
});

test("a table of transitions that is none names the state and the action where it ends", () => {
  const doc = dense(ring(3));
  const { nominal } = doc.uncertainty;
  const told = (/** @type {any} */ table) => unreadable({ ...doc, uncertainty: { ...doc.uncertainty, nominal: table } });
  assert.equal(told(nominal), null);
  assert.match(String(told([nominal[0], [nominal[1][0]], nominal[2]])), /in state “s1” have 1 of 2 actions: the row of action “stay” is missing.*null/);
  assert.match(String(told(nominal.slice(0, 2))), /have 2 of 3 states: “s2” is missing/);
  assert.match(String(told([nominal[0], "x", nominal[2]])), /in state “s1” are a string/);
  assert.match(String(told({})), /are an object/);
});

test("policies differ in a state when a probability does by more than is shown; what one knows nothing of is no difference", () => {
  const policy = [[1, 0], [0.5, 0.5], [0.3, 0.7]];
  assert.deepEqual(differing(policy, policy), []);
  assert.deepEqual(differing(policy, [[1, 0], [0.4, 0.6], [0.3001, 0.6999]]), [1]);
  assert.deepEqual(differing(policy, [[NaN, NaN], [0.5, 0.5], [0, 1]]), [2]);
});
