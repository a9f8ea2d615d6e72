// @ts-check
// answer.js — an answer as it travels in a link: the result without its trace and
// without what can be evaluated again; and the points of a trade-off, without their
// certificates too. They claim nothing before they are checked or found again. Pure.

import { faultOf, unjudged } from "../engine/claims.js";
import { LinkError } from "./share.js";

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
 * @param {import("../rcmdp.js").Problem} problem @param {any} lean
 * @returns {Result} what it says, without what it claims
 * @throws {LinkError} when it is no answer to the problem
 */
export function readAnswer(problem, lean) {
  const fault = faultOf(problem, lean);
  if (fault) throw new LinkError(`The link holds an answer that is none of its model: ${fault}. Ask for the link again, or for the model as a file.`);
  return unjudged(problem, lean);
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
 * @param {import("../rcmdp.js").Problem} problem @param {any} lean
 * @returns {SweepPoint[] | null} what the points say, without what they claim; null when it is no curve
 */
export function readCurve(problem, lean) {
  const good = (/** @type {any} */ p) => Number.isFinite(p?.value) && typeof p.feasible === "boolean" && faultOf(problem, p) === null;
  return Array.isArray(lean) && lean.length > 0 && lean.every(good)
    ? lean.map((p) => ({ ...unjudged(problem, p), value: p.value })).sort((a, b) => a.value - b.value)
    : null;
}
