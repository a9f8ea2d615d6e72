// @ts-check
// answer.js — an answer as it travels in a link: the result without its trace and
// without what can be evaluated again; and the points of a trade-off, without their
// certificates too. They claim nothing before they are checked or found again. Pure.

/** @typedef {import("../rcmdp.js").Result} Result */
/** @typedef {import("../rcmdp.js").SweepPoint} SweepPoint */
/** @typedef {import("../rcmdp.js").SweepResult} SweepResult */

/** Whether what was saved is a trade-off and not the answer to one model. @param {Result | SweepResult | null} result @returns {result is SweepResult} */
export const isSweep = (result) => result?.algorithm === "sweep";

/**
 * @param {Result} result
 * @returns {Partial<Result>}
 */
export function leanAnswer(result) {
  const { trace: _trace, worst: _worst, version: _version, warnings: _warnings, policy, ...rest } = result;
  return { ...rest, policy };
}

/**
 * @param {any} lean
 * @returns {Result | null} null when it is no answer
 */
export function readAnswer(lean) {
  const good = typeof lean === "object" && lean !== null && typeof lean.status === "string" && typeof lean.algorithm === "string"
    && typeof lean.objective === "object" && lean.objective !== null && Array.isArray(lean.constraints) && Array.isArray(lean.policy);
  return good ? { ...lean, worst: [], warnings: [], trace: {} } : null;
}

/**
 * @param {(SweepPoint | null)[]} points
 * @param {boolean} plans whether each brings its policy
 */
export const leanCurve = (points, plans = true) =>
  points.flatMap((point) => {
    if (!point) return [];
    const { value, status, feasible, algorithm, objective, constraints, policy } = point;
    const { name, sense, value: cost, lowerBound, upperBound } = objective;
    return [{
      value,
      status,
      feasible,
      algorithm,
      objective: { name, sense, value: cost, lowerBound, upperBound },
      constraints: constraints.map((c) => ({ name: c.name, value: c.value, threshold: c.threshold, violation: c.violation, slack: c.slack })),
      policy: plans ? policy : [],
    }];
  });

/**
 * @param {any} lean
 * @returns {(SweepPoint & { told: true })[] | null} told: not found here; null when it is no curve
 */
export function readCurve(lean) {
  const number = (/** @type {unknown} */ x) => typeof x === "number" && Number.isFinite(x);
  const numberOrNone = (/** @type {unknown} */ x) => x === null || x === undefined || number(x);
  const good = (/** @type {any} */ p) =>
    typeof p === "object" && p !== null && number(p.value) && readAnswer(p) !== null && numberOrNone(p.objective.lowerBound)
    && numberOrNone(p.objective.upperBound) && (p.feasible === true ? number(p.objective.value) : p.feasible === false);
  return Array.isArray(lean) && lean.length > 0 && lean.every(good)
    ? lean.map((p) => /** @type {any} */ ({ ...p, worst: [], warnings: [], told: true })).sort((a, b) => a.value - b.value)
    : null;
}
