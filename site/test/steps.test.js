// What is known of a plan by decision: steps that are alike are one, and what is never come to does not count.
// @ts-check

import assert from "node:assert/strict";
import { test } from "node:test";
import { addState, removeState } from "../src/document/edits.js";
import { unreadable } from "../src/document/shape.js";
import { atStep, deedOf, decisions, isByStep, merged, stepIn, tableAt, planTables, whenOf } from "../src/document/steps.js";
import { faultOf } from "../src/engine/claims.js";
import { discountWords, scaleWords } from "../src/words/words.js";

const A = [1, 0], B = [0, 1];
/** @type {any} */
const doc = {
  format: "rcmdp/1",
  states: ["x", "y", "z"],
  actions: ["a", "b"],
  discount: 1,
  horizon: 4,
  initial: [1, 0, 0],
  objective: { name: "cost", values: Array.from({ length: 4 }, (_, t) => [[t, 1], [2, 3], [4, 5]]), final: [0, 1, 2] },
  constraints: [{ name: "limit", values: [[0, 1], [2, 3], [4, 5]], atMost: 1 }],
  uncertainty: { kind: "finite", kernels: [{ transitions: [[[1, 0, 0], [0, 1, 0]], [[0, 1, 0], [0, 0, 1]], [[0, 0, 1], [1, 0, 0]]] }] },
};

test("steps at which the plan is alike are one column", () => {
  const tables = [[A, A, B], [A, B, B], [A, B, A], [B, B, A]];
  assert.deepEqual(merged(tables).map(({ from, to }) => [from, to]), [[0, 0], [1, 1], [2, 2], [3, 3]]);
  // z is never come to, and y only from the second step on.
  const reached = [[true, false, false], [true, true, false], [true, true, false], [true, true, false]];
  const columns = merged(tables, reached);
  assert.deepEqual(columns.map(({ from, to }) => [from, to]), [[0, 2], [3, 3]]);
  assert.deepEqual(columns[0].rows, [A, B, null]);
  assert.deepEqual(columns.map((c) => whenOf(c, 4)), ["steps 1 to 3", "step 4"]);
  assert.deepEqual([{ from: 1, to: 3 }, { from: 0, to: 3 }, { from: 2, to: 2 }].map((c) => whenOf(c, 4)), ["from step 2 on", "at every step", "step 3"]);
  assert.equal(deedOf(["wait", "go"], [0.25, 0.75], String), "go 0.75, wait 0.25");
  assert.equal(deedOf(["wait", "go"], [0, 1], String), "go");
});

test("a plan is looked at one step at a time", () => {
  const plan = [[A, A, B], [B, B, B]];
  assert.deepEqual([tableAt(plan, 1), tableAt(plan, 9), tableAt([A, B], 5)], [plan[1], plan[1], [A, B]]);
  assert.deepEqual([planTables(plan).length, planTables([A, B]).length], [2, 1]);
  assert.deepEqual([atStep([[true, false], [false, true]], 1), atStep([true, false], 7), atStep(undefined, 0)], [[false, true], [true, false], undefined]);
  assert.deepEqual([stepIn({ time: { step: 9 } }, { horizon: 4 }), stepIn({}, { horizon: 4 }), stepIn({ time: { step: 2 } }, {})], [3, 0, 0]);
  assert.deepEqual([decisions({ horizon: 4 }), decisions({}), decisions({ horizon: 1.5 }), decisions({ horizon: -1 })], [4, 0, 0, 0]);
});

test("costs by step are told from costs of the next state, and edited in every table", () => {
  const next = [[[1, 2, 3], [1, 2, 3]], [[1, 2, 3], [1, 2, 3]], [[1, 2, 3], [1, 2, 3]]];
  assert.ok(isByStep(doc, doc.objective.values) && !isByStep(doc, doc.constraints[0].values) && !isByStep({ ...doc, horizon: 3 }, next));
  assert.ok(isByStep({ ...doc, horizon: 3 }, [next, next, next]));
  assert.ok(!isByStep({ ...doc, horizon: undefined }, doc.objective.values));
  assert.equal(unreadable(doc), null);
  assert.match(String(unreadable({ ...doc, horizon: 5 })), /objective.values/);
  const more = addState(doc);
  assert.deepEqual(more.objective.values.map((/** @type {any} */ t) => t.length), [4, 4, 4, 4]);
  assert.deepEqual([more.objective.final, removeState(doc, 1).objective.final], [[0, 1, 2, 0], [0, 2]]);
  assert.deepEqual(removeState(doc, 0).objective.values[3], [[2, 3], [4, 5]]);
});

test("an answer that is no plan of so many steps is none", () => {
  const told = (/** @type {unknown} */ policy) => ({
    status: "feasible",
    algorithm: "solve",
    feasible: true,
    objective: { value: 1 },
    constraints: [],
    policy,
  });
  const table = [A, B, A];
  assert.equal(faultOf(doc, told([table, table, table, table])), null);
  for (const policy of [table, [table, table, table], [table, table, table, [A, B]], [[table, table, table, table]]])
    assert.match(String(faultOf(doc, told(policy))), /4 tables of 3 rows of 2/);
  assert.match(String(faultOf({ ...doc, horizon: undefined }, told([table, table, table]))), /3 rows of 2/);
});

test("words speak of decisions", () => {
  assert.equal(discountWords(doc), "4 decisions");
  assert.equal(discountWords({ ...doc, discount: 0.9 }), "4 decisions, discount 0.9");
  assert.equal(scaleWords(doc, doc.objective), "total over 4 decisions");
  assert.equal(scaleWords({ ...doc, discount: 0.9 }, doc.objective), "discounted total over 4 decisions");
});
