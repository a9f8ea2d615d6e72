// @ts-check
// trace.js — the outer steps of a run as columns, while it runs and afterwards. Pure.

/** @typedef {Record<string, number[] | Float64Array>} Columns */
/** @typedef {Columns | import("../rcmdp.js").Trace} AnyTrace */
/** @typedef {Columns} Trace */

const columns = ["k", "objective", "maxViolation", "bestObjective", "lowerBound", "upperBound", "evaluations", "seconds", "nodes"];

/** @returns {Trace} */
export const emptyTrace = () => Object.fromEntries(columns.map((name) => [name, []]));

/**
 * The trace with the outer step that the progress record ends; the trace itself
 * when the record ends none. A run may have a hundred thousand steps, so the columns
 * grow in place, and only the object that holds them is another.
 * @param {Trace} trace
 * @param {import("../rcmdp.js").Progress} p
 * @returns {Trace}
 */
export function extended(trace, p) {
  if (!p.step) return trace;
  for (const name of columns) /** @type {number[]} */ (trace[name]).push(cellOf(p, name));
  return { ...trace };
}

/** @param {import("../rcmdp.js").Progress} p @param {string} name of a column */
function cellOf(p, name) {
  const x = name === "bestObjective" ? (p.best?.feasible ? p.best.objective : NaN) : p[/** @type {"k"} */ (name)];
  return typeof x === "number" ? x : NaN;
}

/**
 * The trace with where the run is now as its last row, for a picture of it.
 * @param {Trace} trace
 * @param {import("../rcmdp.js").Progress | null} news
 * @returns {Trace}
 */
export const untilNow = (trace, news) =>
  !news || news.step ? trace : Object.fromEntries(columns.map((name) => [name, [...trace[name], name === "objective" ? NaN : cellOf(news, name)]]));

/**
 * @param {Trace | undefined} trace
 * @returns {number}
 */
export const steps = (trace) => trace?.k?.length ?? 0;

/**
 * The best step: the feasible one of best objective, or -1.
 * @param {Trace} trace
 * @param {boolean} maximize
 * @param {boolean} constrained
 */
export function bestStep(trace, maximize, constrained) {
  const { objective, maxViolation } = trace;
  const there = [...Array(steps(trace)).keys()].filter((i) => (!constrained || maxViolation[i] <= 1e-9) && Number.isFinite(objective[i]));
  return there.reduce((best, i) => (best < 0 || (maximize ? objective[i] > objective[best] : objective[i] < objective[best]) ? i : best), -1);
}
