// @ts-check
// fake-solver.js — a solver with the calls of the API and next to no mathematics,
// for tests of the page's actions. It finds one kind of fault (a discount out of
// range) and answers every run after a few steps.

import { blankDocument } from "../src/document/reading.js";
import { own } from "../src/engine/claims.js";

/** As the engine lists them, as far as a test needs. @type {any[]} */
export const algorithms = [
  {
    id: "slp",
    title: "Sequential LP",
    solves: "Anything.",
    options: [
      { name: "starts", type: "integer", default: 4, min: 1, max: 100, help: "How many starts." },
      { name: "earlyStop", type: "boolean", default: false, help: "Stop early." },
      { name: "seed", type: "seed", default: "0", help: "Seed." },
      { name: "initialPolicy", type: "policy", default: null, help: "Where to start." },
    ],
  },
  {
    id: "epirc-pgs",
    title: "EpiRC-PGS",
    solves: "Anything.",
    options: [
      { name: "outerIterations", type: "integer", default: 20, min: 1, max: 1000, help: "K." },
      { name: "innerIterations", type: "integer", default: 10000, min: 1, max: 1e7, help: "T." },
      { name: "stepSize", type: "number", default: 5e-5, min: 1e-12, max: 1e6, help: "α." },
      { name: "earlyStop", type: "boolean", default: false, help: "Stop early." },
    ],
  },
];

export const examples = [
  { id: "first", title: "First", description: "", parameters: [{ name: "discount", label: "Discount", default: 0.9, min: 0, max: 0.99, integer: false }] },
  { id: "second", title: "Second", description: "", parameters: [] },
];

const error = (/** @type {string} */ code, /** @type {string} */ message) => Object.assign(new Error(message), { code });

/** @param {{ store?: "kept" | "memory" | "failing", endless?: boolean, crash?: boolean, early?: boolean }} [choices] early: the first step has a feasible policy */
export function fakeSolver({ store = "kept", endless = false, crash = false, early = false } = {}) {
  /** @type {Map<string, any>} */
  const kept = new Map();
  /** @type {any[]} */
  const solved = [];
  let ids = 0;
  let broken = 0;
  const guard = () => {
    if (store === "failing" && broken++ < 100) throw error("blocked", "the store is busy");
  };
  const made = {
    kept,
    solved,
    version: { rcmdp: "test" },
    async examples() {
      return examples;
    },
    async algorithms() {
      return algorithms;
    },
    /** @param {string} id @param {Record<string, number>} parameters */
    async example(id, parameters) {
      return { ...blankDocument(), name: id, ...(id === "first" ? { discount: parameters.discount } : {}) };
    },
    /** @param {any} doc */
    async validate(doc) {
      const ok = doc.discount >= 0 && doc.discount < 1;
      return {
        ok,
        errors: ok ? [] : [{ pointer: "/discount", message: "got 1; want less", fix: { label: "use 0.99", patch: [{ pointer: "/discount", value: 0.99 }] } }],
        warnings: [],
        summary: {},
      };
    },
    /** @param {any} problem @param {any} options */
    solve(problem, options) {
      solved.push({ problem, options });
      let stopped = false;
      /** @type {(x: any) => void} */
      let wake = () => {};
      options.signal?.addEventListener("abort", () => wake(null));
      const result = () =>
        own({
          status: stopped ? "stopped" : "feasible",
          feasible: true,
          algorithm: options.algorithm,
          options: { ...options, signal: undefined },
          policy: problem.states.map(() => problem.actions.map(() => 1 / problem.actions.length)),
          objective: { value: 3, lowerBound: NaN, upperBound: NaN, gap: NaN, relativeGap: NaN },
          constraints: [],
          worst: [],
          trace: { k: Float64Array.of(1, 2), objective: Float64Array.of(4, 3), maxViolation: Float64Array.of(NaN, 0) },
          evaluations: 10,
          iterations: 2,
          seconds: 0.1,
          warnings: [],
        });
      return {
        id: `run-${++ids}`,
        stop() {
          stopped = true;
          wake(null);
        },
        async *[Symbol.asyncIterator]() {
          yield { k: 1, step: true, objective: 4, maxViolation: 1, best: { objective: 4, maxViolation: 1, feasible: early }, evaluations: 5, seconds: 0.05 };
          if (crash) throw error("crashed", "the solver ended");
          if (endless)
            await new Promise((resolve) => {
              wake = resolve;
            });
          if (options.signal?.aborted) throw options.signal.reason;
          yield { k: 2, step: true, objective: 3, maxViolation: 0, best: { objective: 3, maxViolation: 0, feasible: true }, evaluations: 10, seconds: 0.1 };
        },
        get result() {
          return Promise.resolve(result());
        },
      };
    },
    /** @param {any} _problem @param {any} policy */
    async evaluate(_problem, policy) {
      if (Math.abs(policy.probabilities[0].reduce((/** @type {number} */ x, /** @type {number} */ y) => x + y, 0) - 1) > 1e-9)
        throw error("invalid-option", "the first row does not sum to 1");
      return { returns: [{ name: "cost", value: 5 }], maxViolation: NaN };
    },
    /** @param {any} problem @param {any} certificate */
    async check(problem, certificate) {
      const ok = certificate === null || certificate.about === problem.name;
      return {
        ok,
        objective: 3,
        lowerBound: 2,
        upperBound: null,
        gap: 1,
        infeasible: false,
        leastViolation: null,
        reasons: ["the policy costs 3", ...(ok ? [] : ["it is about another problem"])],
      };
    },
    /** What it says for itself holds, unless its value is another than the fake one. @param {any} _problem @param {any} told */
    async judge(_problem, told) {
      const holds = told.objective.value === 3;
      return {
        holds,
        differs: holds ? [] : ["It says another value."],
        result: own({ ...told, status: "feasible", objective: { ...told.objective, value: 3 } }),
      };
    },
    /** @param {any} files @param {any} options */
    async inspect(files, options) {
      const data = typeof files === "string" ? files : files[0].data;
      const text = typeof data === "string" ? data : new TextDecoder().decode(data);
      const known = text.startsWith("a,b");
      const preview = { columns: [], rows: [], total: 0 };
      const base = {
        format: known ? "table" : "",
        title: known ? "Table" : "",
        reason: "",
        warnings: [],
        choices: [],
        counts: /count/.test(text),
        log: false,
        preview,
        summary: null,
      };
      if (!known) return { ...base, problem: null, errors: [{ pointer: "", message: "line 1, column 1: no model", line: 1, column: 1 }], report: [] };
      return { ...base, problem: { ...blankDocument(), discount: options.discount ?? 0.9 }, errors: [], report: ["a row was changed"] };
    },
    async table() {
      return { columns: ["state", "action", "next", "count"], rows: [] };
    },
    /** @param {any} _table @param {any} options */
    async estimate(_table, options) {
      const summary = { title: "L1 ball", formula: "f", source: "s", guarantee: "g" };
      return { problem: { ...blankDocument(), name: `${options.kind} ${options.confidence}` }, warnings: [], summary };
    },
    runs: {
      async list() {
        guard();
        return [...kept.values()].map(({ id, name, created, options, result }) => ({
          id,
          name,
          created,
          algorithm: options.algorithm,
          status: result?.status ?? "running",
          objective: result?.objective.value ?? null,
          resumable: !result,
        })).reverse();
      },
      /** @param {string} id */
      async get(id) {
        guard();
        const run = kept.get(id);
        if (!run) throw error("invalid-option", "there is no such run");
        return { ...run, algorithm: run.options.algorithm, result: run.result ?? null };
      },
      /** @param {any} run */
      async put(run) {
        guard();
        kept.set(run.id, { created: "2030-01-01T00:00:00.000Z", ...kept.get(run.id), ...run });
      },
      /** @param {string} id */
      async delete(id) {
        guard();
        kept.delete(id);
      },
      async exportAll() {
        guard();
        return JSON.stringify({ format: "rcmdp-runs/1", runs: [...kept.values()] });
      },
      /** @param {string} text */
      async importAll(text) {
        guard();
        const { runs } = JSON.parse(text);
        let added = 0;
        for (const run of runs)
          if (!kept.has(run.id)) {
            kept.set(run.id, run);
            added++;
          }
        return { added, kept: runs.length - added };
      },
      async estimate() {
        guard();
        return { storage: store === "memory" ? "memory" : "indexeddb", notice: store === "memory" ? "This browser keeps nothing." : null };
      },
      onChange() {
        return () => {};
      },
      /** @param {string} id @param {any} options */
      async resume(id, options) {
        const run = kept.get(id);
        const handle = this.solver.solve(run.problem, { ...run.options, ...options });
        return Object.assign(handle, { id });
      },
      /** @type {any} */
      solver: null,
    },
  };
  made.runs.solver = made;
  return made;
}
