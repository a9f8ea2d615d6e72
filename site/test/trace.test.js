// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { blankDocument } from "../src/document/edits.js";
import { changedOptions, defaultMethod, presetFor, presetsOf, readOption, settingsOf } from "../src/lab/presets.js";
import { bestStep, chartCsv, chartsOf, emptyTrace, extended, rowsOf, steps } from "../src/lab/trace.js";
import { clampHeight, isFromFrame } from "../src/embed/frames.js";
import { createStore } from "../src/lab/store.js";
import { algorithms } from "./fake-solver.js";

const problem = blankDocument();
const trace = {
  k: [1, 2, 3],
  objective: [5, 3, 4],
  maxViolation: [-0.5, 0.25, 0],
  bestObjective: [5, 5, 4],
  lowerBound: [NaN, 2, 3],
  upperBound: [NaN, NaN, NaN],
  evaluations: [1, 2, 3],
  seconds: [0, 0, 0],
};

test("progress records that end a step become rows; others change nothing", () => {
  let t = emptyTrace();
  assert.equal(extended(t, { k: 0, step: false, objective: 3 }), t);
  t = extended(t, { k: 1, step: true, objective: 3, maxViolation: null, best: { objective: 2, feasible: false } });
  t = extended(t, { k: 2, step: true, objective: 2, maxViolation: -1, best: { objective: 2, feasible: true }, lowerBound: 1 });
  assert.equal(steps(t), 2);
  assert.deepEqual([...t.objective], [3, 2]);
  assert.deepEqual([...t.bestObjective], [NaN, 2]);
  assert.deepEqual([...t.maxViolation], [NaN, -1]);
  assert.deepEqual([...t.lowerBound], [NaN, 1]);
  assert.equal(steps(undefined), 0);
});

test("the best step is the feasible one of best objective, in either sense", () => {
  assert.equal(bestStep(trace, false, true), 2);
  assert.equal(bestStep(trace, true, true), 0);
  assert.equal(bestStep(trace, false, false), 1);
  assert.equal(bestStep({ k: [1], objective: [NaN], maxViolation: [0] }, false, true), -1);
});

test("the three views, their tables and their CSV hold the same points", () => {
  const charts = chartsOf(problem, trace);
  assert.deepEqual(charts.map((c) => c.id), ["violation", "objective", "path"]);
  assert.deepEqual(charts[0].best, { x: 3, y: 0, text: "best feasible" });
  assert.deepEqual(charts[1].series.map((s) => s.tone), ["main", "bound"]);
  assert.deepEqual(rowsOf(charts[0]), [["outer step", "largest violation"], [1, -0.5], [2, 0.25], [3, 0]]);
  assert.equal(chartCsv(charts[2]), "largest violation,worst-case cost\r\n-0.5,5\r\n0.25,3\r\n0,4\r\n");
  assert.deepEqual(rowsOf(charts[1]).slice(0, 2), [["series", "outer step", "worst-case cost"], ["this run", 1, 5]]);
  assert.deepEqual(chartsOf({ ...problem, constraints: [] }, trace).map((c) => c.id), ["objective"]);
});

test("a compared run is a series of its own, drawn first", () => {
  const [violation] = chartsOf(problem, trace, { label: "older", trace: { k: [1], objective: [9], maxViolation: [2] } }, "this");
  assert.deepEqual(violation.series.map((s) => [s.label, s.tone]), [["older", "compare"], ["this", "main"]]);
});

test("settings come from the option table, a preset on top, and only differences are sent", () => {
  const [slp, epirc] = algorithms;
  const [quick, paper] = presetsOf("epirc-pgs");
  assert.deepEqual(settingsOf(slp, presetsOf("slp")[0]), { starts: 4, earlyStop: false, seed: "0" });
  assert.deepEqual(changedOptions(epirc, settingsOf(epirc, paper)), {});
  assert.deepEqual(Object.keys(changedOptions(epirc, settingsOf(epirc, quick))).sort(), ["earlyStop", "innerIterations", "stepSize"]);
  assert.equal(presetFor(epirc, settingsOf(epirc, quick))?.id, "quick");
  assert.equal(presetFor(epirc, { ...settingsOf(epirc, quick), stepSize: 1 }), null);
  assert.equal(defaultMethod(algorithms), "slp");
  assert.equal(defaultMethod([{ id: "uniform" }]), "uniform");
});

test("an option is read with its type and its range", () => {
  const [starts, early, seed] = algorithms[0].options;
  assert.deepEqual(readOption(starts, " 12 "), { ok: true, value: 12 });
  for (const bad of ["1.5", "", "x", "0", "101", "1e999"]) assert.equal(readOption(starts, bad).ok, false, bad);
  assert.deepEqual(readOption(early, "1"), { ok: true, value: true });
  assert.equal(readOption(early, "yes").ok, false);
  assert.deepEqual(readOption(seed, "18446744073709551615"), { ok: true, value: "18446744073709551615" });
  assert.equal(readOption(seed, "-1").ok, false);
});

test("a host page believes only the frame it made, and clamps its height", () => {
  const frame = {};
  const event = { source: frame, origin: "https://lab.test", data: { type: "rcmdp-embed", frame: "f1", height: 700 } };
  assert.ok(isFromFrame(event, frame, "https://lab.test", "f1"));
  for (
    const other of [{ source: {} }, { origin: "https://evil.test" }, { data: null }, { data: "x" }, { data: { ...event.data, frame: "f2" } }, {
      data: { ...event.data, type: "x" },
    }, { data: { ...event.data, height: "9" } }]
  ) {
    assert.ok(!isFromFrame({ ...event, ...other }, frame, "https://lab.test", "f1"), JSON.stringify(other));
  }
  assert.ok(!isFromFrame({ ...event, source: null }, null, "https://lab.test", "f1"));
  assert.deepEqual([clampHeight(700.4), clampHeight(5), clampHeight(1e9), clampHeight(NaN), clampHeight("x")], [700, 120, 6000, 480, 480]);
});

test("the store tells its listeners of changes, and only of changes", () => {
  const store = createStore({ a: 1, b: 2 });
  let told = 0;
  const off = store.subscribe(() => told++);
  store.set({ a: 1 });
  store.set((s) => ({ a: s.a + 1 }));
  assert.equal(told, 1);
  assert.deepEqual(store.get(), { a: 2, b: 2 });
  off();
  store.set({ b: 3 });
  assert.equal(told, 1);
});
