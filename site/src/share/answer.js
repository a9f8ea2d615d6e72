// @ts-check
// answer.js — an answer as it travels in a link: the result without its trace and
// without what can be evaluated again. It claims nothing before it is checked. Pure.

/** @typedef {import("../rcmdp.js").Result} Result */

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
