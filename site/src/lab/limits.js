// @ts-check
// limits.js — what a limit can be: the least that some plan keeps in the worst case, and what the
// plan comes to that looks at the nominal kernel alone. By solves of a second or two.

import { nominalOf } from "../document/nominal.js";

/** @typedef {import("../rcmdp.js").Solver} Solver */
/** @typedef {import("../rcmdp.js").Problem} Problem */

/** Seconds that one of these solves may take. */
const PATIENCE = 2;

/** Limits whose range is still looked for, and who waits for them. */
const seeking = new Set(), waiting = new Set();

/** Says that a limit to begin with is looked for; what it gives ends that. */
export function seek() {
  const mine = {};
  seeking.add(mine);
  return () => {
    seeking.delete(mine);
    if (seeking.size > 0) return;
    for (const go of waiting) go();
    waiting.clear();
  };
}

/** Ends when no limit is looked for any more; one that was chosen at this moment is drawn first. */
export async function sought() {
  await new Promise((resolve) => setTimeout(resolve, DRAWN));
  if (seeking.size > 0) await new Promise((resolve) => waiting.add(resolve));
}

/** Milliseconds until what was chosen is on the page. */
const DRAWN = 150;

/** The problem without its uncertainty, which it may not have; null where nobody knows it. @param {Problem} problem */
export const nominalProblem = (problem) => nominalOf(problem) ?? (problem.uncertainty.kernels?.length === 1 ? problem : null);

/**
 * The least that limit n can be (the most, for one from below), by itself, in the worst case: a value that a plan keeps.
 * @param {Solver} solver @param {Problem} problem @param {number} n of the limit, from 0
 */
export async function leastOf(solver, problem, n) {
  const { atMost, atLeast, ...cost } = /** @type {any} */ ((problem.constraints ?? [])[n]);
  const alone = { ...problem, objective: { ...cost, sense: atLeast === undefined ? "minimize" : "maximize" }, constraints: [] };
  return (await solver.solve(/** @type {Problem} */ (alone), { timeLimit: PATIENCE }).result).objective.value;
}

/**
 * What the plan that looks at the nominal kernel alone comes to, limits left aside: under that kernel and in the worst case. null where there is no such kernel.
 * @param {Solver} solver @param {Problem} problem
 */
export async function nominalPlan(solver, problem) {
  const nominal = nominalProblem(problem);
  if (!nominal) return null;
  const { policy } = await solver.solve({ ...nominal, constraints: [] }, { timeLimit: PATIENCE }).result;
  if (policy.length === 0) return null;
  const [under, worst] = await Promise.all([solver.evaluate(nominal, policy), solver.evaluate(problem, policy)]);
  return { policy, nominal: under.returns, worst: worst.returns };
}

/**
 * A limit to begin with: between the least that can be kept and what the nominal plan comes to, in few digits and never out of reach.
 * @param {number} least @param {number | null} nominal @param {boolean} fromBelow
 */
export function suggested(least, nominal, fromBelow) {
  const between = nominal === null ? least : (least + nominal) / 2;
  return keepable(fromBelow ? Math.min(between, least) : Math.max(between, least), fromBelow, 3);
}

/**
 * A number of few digits that is no tighter.
 * @param {number} x @param {boolean} fromBelow @param {number} [digits]
 */
export function keepable(x, fromBelow, digits = 4) {
  if (x === 0 || !Number.isFinite(x)) return x;
  const unit = 10 ** (Math.floor(Math.log10(Math.abs(x))) - digits + 1);
  const whole = fromBelow ? Math.floor(x / unit - 1e-9) : Math.ceil(x / unit + 1e-9);
  return Number((whole * unit).toPrecision(digits + 1));
}

/**
 * The largest of a few shares of the radius with which limit n can be kept; null where even none of it does not help, or there is no radius.
 * @param {Solver} solver @param {Problem} problem
 * @returns {Promise<{ share: number, problem: Problem } | null>}
 */
export async function lessCautious(solver, problem) {
  const { radius } = /** @type {any} */ (problem.uncertainty);
  if (radius === undefined) return null;
  for (const share of [0.9, 0.75, 0.5, 0.25, 0.1, 0]) {
    /** @type {(r: any) => any} */
    const times = (r) => (Array.isArray(r) ? r.map(times) : r === null ? null : r * share);
    const smaller = { ...problem, uncertainty: { .../** @type {any} */ (problem.uncertainty), radius: times(radius) } };
    const kept = await Promise.all(
      (problem.constraints ?? []).map(async (c, n) => {
        const least = await leastOf(solver, smaller, n);
        return least !== null && (c.atLeast === undefined ? least <= (c.atMost ?? 0) : least >= c.atLeast);
      }),
    );
    if (kept.every(Boolean)) return { share, problem: smaller };
  }
  return null;
}
