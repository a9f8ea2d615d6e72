// @ts-check
// promise.js — what a set promises that was estimated from data, when its radii are made smaller: the formulas of
// the estimate (core/estimate says them and their sources) the other way round. Pure.

import { row } from "../document/transitions.js";

/** @typedef {import("../rcmdp.js").Problem} Problem */

/** How the source of an estimated model begins: what was counted, the kind of set, its confidence. */
const SOURCE =
  /: ([\d.e+]+) transitions of (\d+) pairs; (?:L1 ball, from a concentration inequality|Relative-entropy ball|χ² ball)[^:]* at confidence ([\d.e-]+): /;

/** Radii are rounded up to it. */
const UNIT = 1e-6;

/** What is added to the source when the radii are made smaller, and read again. @param {number} share */
export const shareWords = (share) => `${Number((100 * share).toPrecision(6))} % of each radius`;

/**
 * With what confidence all rows that were tried are in the set at once, and the worst of them by itself, when every radius is
 * made `share` of what it is; now: the same as it is; vague: rows whose radius was cut off at the whole simplex, of which the formula says nothing
 * once it is smaller. null for a set of which the document does not say how it was estimated, by another formula, or whose radii are not those of
 * its counts: each gives back a whole number of tries, together no more than there were.
 * @param {Problem} problem
 * @param {number} share from 0 to 1
 * @returns {{ now: number, confidence: number, each: number, vague: number } | null}
 */
export function promiseOf(problem, share) {
  const source = problem.source ?? "";
  const found = SOURCE.exec(source);
  const { radius, support, kind, nominal } = /** @type {any} */ (problem.uncertainty);
  if (!found || !Array.isArray(radius) || / prior [\d.e-]+ of each/.test(source)) return null;
  const [steps, pairs, confidence] = found.slice(1).map(Number);
  const delta = (1 - confidence) / Math.max(1, pairs);
  const before = [...source.matchAll(/; ([\d.]+) % of each radius/g)].reduce((x, [, percent]) => x * Number(percent) / 100, 1);
  /** @type {number[]} */
  const sizes = [];
  let tries = 0, vague = 0;
  for (const [s, of] of radius.entries()) {
    for (const [a, r] of (of ?? []).entries()) {
      const m = support === "all" ? problem.states.length : (row(nominal, s, a, problem) ?? []).filter((c) => c.p > 0).length;
      const made = Number(r) / before;
      if (!(made > 0) || m < 2) continue;
      if (kind === "l1" && made >= 2 - 1e-9) {
        vague++;
        continue;
      }
      const q = kind === "l1" ? 0 : quantile(m - 1, delta);
      /** The tries that make it so large. @param {number} r */
      const triesOf = (r) => (kind === "l1" ? 2 * (logOf(m) - Math.log(delta)) / (r * r) : kind === "kl" ? q / (2 * r) : q / r);
      const n = Math.ceil(triesOf(made) * (1 - 1e-9));
      if (n > triesOf(Math.max(0, made - UNIT / before)) * (1 + 1e-9)) return null;
      tries += n;
      sizes.push(m);
    }
  }
  if (tries > steps) return null;
  const left = (/** @type {number} */ x) => sizes.map((m) => (kind === "l1" ? outsideL1(m, delta, x) : outside(m - 1, x * quantile(m - 1, delta))));
  const all = (/** @type {number[]} */ of) => Math.max(0, 1 - of.reduce((sum, x) => sum + x, 0));
  const then = left(before * share);
  return { now: before === 1 ? confidence : all(left(before)), confidence: all(then), each: Math.max(0, 1 - Math.max(0, ...then)), vague };
}

/** Weissman et al.: the chance left outside, (2^m - 2) exp(-n r² / 2), with r a share of what makes it delta. @param {number} m @param {number} delta @param {number} share */
const outsideL1 = (m, delta, share) => Math.min(1, Math.exp(logOf(m) - share * share * (logOf(m) - Math.log(delta))));

/** ln(2^m - 2). @param {number} m */
const logOf = (m) => m * Math.LN2 + Math.log1p(-(2 ** (1 - m)));

/** The value that a χ² variate exceeds with probability p, by bisection. @param {number} degrees @param {number} p */
function quantile(degrees, p) {
  let [lo, hi] = [0, 1];
  while (outside(degrees, hi) > p) hi *= 2;
  for (let i = 0; i < 100; i++) {
    const mid = (lo + hi) / 2;
    if (outside(degrees, mid) > p) lo = mid;
    else hi = mid;
  }
  return hi;
}

/**
 * The probability that a χ² variate exceeds x: Γ(k/2, x/2)/Γ(k/2) by its recurrence in k from the two that are
 * closed, of which every step adds what is positive.
 * @param {number} degrees @param {number} x
 */
function outside(degrees, x) {
  const h = x / 2;
  let q = degrees % 2 === 0 ? Math.exp(-h) : errorAbove(Math.sqrt(h));
  let term = degrees % 2 === 0 ? Math.exp(-h) * h : Math.exp(-h) * Math.sqrt(h) * 2 / Math.sqrt(Math.PI);
  for (let k = degrees % 2 === 0 ? 2 : 1; k < degrees; k += 2) {
    q += term;
    term *= h / (k / 2 + 1);
  }
  return Math.min(1, q);
}

/** erfc: its series near zero, its continued fraction beyond. @param {number} x from 0 */
function errorAbove(x) {
  if (x < 2) {
    let sum = x, term = x;
    for (let n = 1; n < 60; n++) sum += (term *= -x * x / n) / (2 * n + 1);
    return 1 - 2 / Math.sqrt(Math.PI) * sum;
  }
  let f = x;
  for (let n = 80; n > 0; n--) f = x + n / 2 / f;
  return Math.exp(-x * x) / Math.sqrt(Math.PI) / f;
}
