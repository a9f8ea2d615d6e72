// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { blankDocument } from "../src/document/reading.js";
import { changedOptions, defaultMethod, presetFor, presetsOf, readOption, settingsOf } from "../src/lab/presets.js";
import { html } from "htm/preact";
import { renderToString } from "preact-render-to-string";
import { figuresOf } from "../src/lab/figures.js";
import { bestStep, emptyTrace, extended, steps, untilNow } from "../src/lab/trace.js";
import { Plot } from "../src/picture/plot.js";
import { askedBy, clampHeight, originIn, saidBy } from "../src/embed/frames.js";
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

/** The part of a record that a trace reads. @param {Partial<import('../src/rcmdp.js').Progress>} p */
const record = (p) => /** @type {import('../src/rcmdp.js').Progress} */ (p);

test("progress records that end a step become rows; others change nothing", () => {
  let t = emptyTrace();
  assert.equal(extended(t, record({ k: 0, step: false, objective: 3 })), t);
  t = extended(t, record({ k: 1, step: true, objective: 3, maxViolation: null, best: { objective: 2, maxViolation: 1, feasible: false } }));
  t = extended(t, record({ k: 2, step: true, objective: 2, maxViolation: -1, best: { objective: 2, maxViolation: -1, feasible: true }, lowerBound: 1 }));
  assert.equal(steps(t), 2);
  assert.deepEqual([...t.objective], [3, 2]);
  assert.deepEqual([...t.bestObjective], [NaN, 2]);
  assert.deepEqual([...t.maxViolation], [NaN, -1]);
  assert.deepEqual([...t.lowerBound], [NaN, 1]);
  assert.equal(steps(undefined), 0);
});

test("a run is drawn until now, and what is in between is no step of its trace", () => {
  const t = extended(
    emptyTrace(),
    record({ k: 1, step: true, objective: 3, best: { objective: 3, maxViolation: -1, feasible: true }, lowerBound: 1, seconds: 1 }),
  );
  const now = untilNow(t, record({ k: 1, step: false, objective: 7, best: { objective: 2.5, maxViolation: -1, feasible: true }, lowerBound: 2, seconds: 4 }));
  assert.deepEqual([...now.bestObjective], [3, 2.5]);
  assert.deepEqual([...now.lowerBound], [1, 2]);
  assert.deepEqual([...now.seconds], [1, 4]);
  assert.deepEqual([...now.objective], [3, NaN]);
  assert.equal(steps(t), 1);
  assert.equal(untilNow(t, null), t);
  assert.equal(untilNow(t, record({ k: 1, step: true })), t);
});

test("the best step is the feasible one of best objective, in either sense", () => {
  assert.equal(bestStep(trace, false, true), 2);
  assert.equal(bestStep(trace, true, true), 0);
  assert.equal(bestStep(trace, false, false), 1);
  assert.equal(bestStep({ k: [1], objective: [NaN], maxViolation: [0] }, false, true), -1);
});

test("a method of outer steps is drawn as the walk it is, with the best step marked and the same points as rows", () => {
  const { figures } = figuresOf(problem, "steps", trace);
  assert.deepEqual(figures.map((f) => f.id), ["objective", "violation", "path"]);
  const [objective, violation, path] = figures;
  assert.deepEqual(objective.marks.filter((m) => m.kind === "mark"), [{ kind: "mark", x: 3, y: 4, text: "best 4" }]);
  assert.deepEqual(objective.marks.filter((m) => m.kind === "line").map((m) => m.tone), ["bound", "main"]);
  assert.deepEqual(violation.rows, [[1, -0.5], [2, 0.25], [3, 0]]);
  assert.deepEqual(violation.marks[0], { kind: "region", axis: "y", from: violation.y?.domain[0], to: 0, label: "keeps every limit" });
  assert.deepEqual(path.rows, [[1, -0.5, 5], [2, 0.25, 3], [3, 0, 4]]);
  assert.deepEqual(figuresOf({ ...problem, constraints: [] }, "steps", trace).figures.map((f) => f.id), ["objective"]);
});

test("a search is drawn as its interval closing, its starts unjoined, and its proof; nothing is drawn of nothing", () => {
  const search = {
    k: [0, 1, 2, 3, 4, 5],
    objective: [9, 8, 7, 7, 7, 6.5],
    maxViolation: [0.5, 0, 0, 0, 0, 0],
    bestObjective: [NaN, 8, 7, 7, 7, 6.5],
    lowerBound: [NaN, NaN, NaN, 4, 5, 6],
    evaluations: [10, 20, 30, 40, 50, 60],
    nodes: [0, 0, 0, 1, 5, 9],
    seconds: [0, 0.1, 0.2, 0.3, 0.4, 0.5],
  };
  const { figures } = figuresOf(problem, "search", search);
  assert.deepEqual(figures.map((f) => f.id), ["closing", "starts", "proof"]);
  const [closing, starts, proof] = figures;
  assert.equal(closing.x.label, "seconds");
  assert.deepEqual(closing.marks.map((m) => m.kind), ["band", "line", "line"]);
  assert.equal(starts.y, null);
  assert.ok(starts.marks.every((m) => m.kind === "dots"), "starts have no order and are not joined");
  assert.deepEqual(starts.rows, [[0, 9, 0.5], [1, 8, 0], [2, 7, 0]]);
  assert.deepEqual(proof.rows.map(([boxes]) => boxes), [1, 5, 9]);
  const { seconds: _, ...untimed } = search;
  assert.equal(figuresOf(problem, "search", untimed).figures[0].x.label, "policies evaluated");
  assert.deepEqual(figuresOf(problem, "exact", { k: [0], objective: [1], maxViolation: [NaN], bestObjective: [1] }).figures, []);
  for (const none of [undefined, emptyTrace()]) assert.deepEqual(figuresOf(problem, "search", none).figures, []);
});

test("a picture has no number that is not one, and its ticks do not run into each other", () => {
  const wild = { ...trace, objective: [NaN, 1e-9, 3e7], maxViolation: [NaN, NaN, NaN], bestObjective: [NaN, NaN, NaN], lowerBound: [NaN, NaN, NaN] };
  for (const t of [trace, wild]) {
    for (const figure of figuresOf(problem, "steps", t).figures) {
      for (const width of [240, 390, 800]) {
        const svg = renderToString(html`<${Plot} figure=${figure} width=${width} />`);
        assert.doesNotMatch(svg, /NaN|Infinity|undefined/, `${figure.id} at ${width}`);
        const places = [...svg.matchAll(/<text x="([\d.]+)" y="[\d.]+" text-anchor="middle">([^<]*)</g)].map(([, x, text]) => ({
          x: Number(x),
          wide: 7 * text.length,
        }));
        places.slice(1).forEach((p, i) => assert.ok(p.x - places[i].x >= (p.wide + places[i].wide) / 2, `${figure.id} at ${width}: labels apart`));
      }
    }
  }
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
  assert.deepEqual(saidBy(event, frame, "https://lab.test", "f1"), { height: 700 });
  for (
    const other of [{ source: {} }, { origin: "https://evil.test" }, { data: null }, { data: "x" }, { data: { ...event.data, frame: "f2" } }, {
      data: { ...event.data, type: "x" },
    }, { data: { ...event.data, height: "9" } }]
  ) {
    assert.equal(saidBy({ ...event, ...other }, frame, "https://lab.test", "f1"), null, JSON.stringify(other));
  }
  assert.equal(saidBy({ ...event, source: null }, null, "https://lab.test", "f1"), null);
  const data = { ...event.data, height: "9", ready: 1, problem: [], result: 7, failed: {}, turn: 1.5, constructor: {}, more: 1 };
  assert.equal(saidBy({ ...event, data }, frame, "https://lab.test", "f1"), null, "what has not the form of anything that a frame says");
  const whole = { height: 9, ready: true, turn: 2, problem: { a: 1 }, result: null, failed: "no" };
  assert.deepEqual(saidBy({ ...event, data: { ...event.data, ...whole } }, frame, "https://lab.test", "f1"), whole);
  assert.deepEqual([clampHeight(700.4), clampHeight(5), clampHeight(1e9), clampHeight(NaN), clampHeight("x")], [700, 120, 6000, 480, 480]);
});

test("a frame takes a model from the page around it alone, when that is of the origin that its address names", () => {
  const host = {};
  const event = { source: host, origin: "https://host.test", data: { type: "rcmdp-embed", frame: "f1", problem: "{}" } };
  assert.deepEqual(askedBy(event, host, "https://host.test", "f1"), { problem: "{}", answer: null, turn: 0 });
  assert.equal(askedBy({ ...event, data: { ...event.data, turn: 3 } }, host, "https://host.test", "f1")?.turn, 3);
  for (
    const other of [
      ...[{ source: {} }, { origin: "https://evil.test" }, { origin: "null" }, { data: null }],
      ...[{ frame: "f2" }, { type: "x" }, { problem: {} }, { problem: undefined }, { answer: "x" }, { answer: [] }, { turn: "1" }].map((part) => ({
        data: { ...event.data, ...part },
      })),
    ]
  ) assert.equal(askedBy({ ...event, ...other }, host, "https://host.test", "f1"), null, JSON.stringify(other));
  assert.equal(originIn("https://host.test"), "https://host.test");
  for (const none of ["*", "", "null", "/", "https://host.test/", "https://host.test/a", "https://HOST.test", "host.test", "data:,", "file://", "https://"])
    assert.equal(originIn(none), null, none);
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
