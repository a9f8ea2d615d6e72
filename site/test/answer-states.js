// @ts-check
// answer-states.js — the page's state with an answer or a run, and a lab that does nothing, for tests that draw panels.

import { startHistory } from "../src/document/history.js";
import { initialState } from "../src/lab/state.js";

/** The page's state with an answer, or while a run goes on. @param {any} problem @param {any} answer @param {any} run @returns {any} */
export const stateOf = (problem, answer, run) => ({
  ...initialState(),
  history: startHistory({ doc: problem, origin: { kind: "draft" }, line: 1 }),
  opened: true,
  engine: { phase: "ready", loaded: 0, total: null, message: "" },
  answers: answer ? [answer] : [],
  run,
  panels: answer && answer.result.policy.length > 0
    ? {
      compare: { busy: false, problem, rows: [{ id: "method:solve", label: "Search", algorithm: "solve", problem, result: answer.result, message: "" }] },
      tradeoff: { problem, knob: "limit 0", values: [1], points: [{ ...answer.result, value: 1 }], began: false },
    }
    : {},
});

/** A lab that does nothing. @param {any} answer @param {any} [state] @returns {any} */
export const labOf = (answer, state = null) =>
  new Proxy({}, {
    get: (_, name) => ({
      shown: () => ({ answer, fresh: true, aside: null }),
      methodOf: () => ({ title: "Search", shape: "search" }),
      blocked: () => "",
      faults: () => [],
      settings: () => ({}),
      get: () => state,
    }[/** @type {"get"} */ (name)] ?? (() => null)),
  });
