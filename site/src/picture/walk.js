// @ts-check
// walk.js — a plan at play against the model of the world that is worst for it: how likely each move is, and a
// walk, one step at a time. Pure: the same walk each time.

import { decisions, tableAt } from "../document/steps.js";
import { row } from "../document/rows.js";

/** @typedef {import("../rcmdp.js").Problem} Problem */
/** @typedef {import("../rcmdp.js").Result} Result */
/** @typedef {{ next: number, p: number }[]} Row where an action leads */
/** @typedef {{ from: number | null, state: number, action: number | null, step?: number }} Step from: null at a start; step: the decision, from 0 */

/** A walk begins anew after so many steps, */
const LONGEST = 24;
/** or when it has stayed where it is so often. */
const STAYS = 3;

/** The kernels that can be drawn: a list's, or the middle of a ball. @param {Problem} problem */
export function drawable({ uncertainty: u }) {
  if (u.kernels)
    return u.kernels.map((k, i) => ({ name: k.name || `kernel ${i + 1}`, transitions: k.transitions, pointer: `/uncertainty/kernels/${i}/transitions` }));
  if (u.nominal) return [{ name: "nominal", transitions: u.nominal, pointer: "/uncertainty/nominal" }];
  return [{ name: "upper bounds", transitions: u.upper, pointer: "/uncertainty/upper" }, {
    name: "lower bounds",
    transitions: u.lower,
    pointer: "/uncertainty/lower",
  }].filter((k) => k.transitions);
}

/**
 * The model of the world that is worst for the objective, as far as the result tells it: one of a list, or rows of
 * the plan; elsewhere the one that the set is drawn around.
 * @param {Problem} problem @param {Pick<Result, "worst"> | null} result
 * @returns {{ name: string, rowOf: (state: number, action: number, step?: number) => Row }}
 */
export function worstWorld(problem, result) {
  const { kernel, rows } = result?.worst?.[0] ?? {};
  const world = (kernel && problem.uncertainty.kernels?.[kernel.index]) || drawable(problem)[0];
  const steps = decisions(problem) > 0;
  // With a number of decisions a state is named with its step.
  const place = (/** @type {string} */ name) => problem.states.indexOf(steps ? name.replace(/, (step \d+|at the end)$/, "") : name);
  const moved = new Map(rows?.map((r) => [`${r.state}\n${r.action}`, r.successors.map((next, i) => ({ next: place(next), p: r.worst[i] }))]));
  return {
    name: kernel?.name ?? "",
    rowOf: (s, a, step = 0) =>
      moved.get(`${problem.states[s]}${steps ? `, step ${step + 1}` : ""}\n${problem.actions[a]}`) ?? row(world?.transitions, s, a, problem) ?? [],
  };
}

/**
 * How likely the plan moves from a state to each other one, likeliest first.
 * @param {number[]} plan of the state @param {(action: number) => Row} rowOf
 * @returns {Row}
 */
export function movesOf(plan, rowOf) {
  const to = new Map();
  plan.forEach((pi, a) => {
    if (pi > 0) { for (const { next, p } of rowOf(a)) if (p > 0) to.set(next, (to.get(next) ?? 0) + pi * p); }
  });
  return [...to].map(([next, p]) => ({ next, p })).sort((a, b) => b.p - a.p);
}

/**
 * A walk: each call is one step, and what comes after an end is a start again.
 * @param {Problem} problem @param {import("../rcmdp.js").Policy} policy @param {ReturnType<typeof worstWorld>["rowOf"]} rowOf
 * @returns {() => Step}
 */
export function walker(problem, policy, rowOf) {
  let seed = 7, steps = 0, stays = 0;
  /** @type {number | null} */
  let state = null;
  /** Drawn by its probability. @param {number[]} weights */
  const drawn = (weights) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    let left = (seed / 2 ** 32) * weights.reduce((sum, w) => sum + w, 0);
    return Math.max(0, weights.findIndex((w) => (left -= w) < 0));
  };
  const longest = decisions(problem) || LONGEST;
  return () => {
    const from = state;
    const action = from === null ? 0 : drawn(tableAt(policy, steps)[from] ?? []);
    const moves = from === null ? [] : rowOf(from, action, steps).filter(({ next, p }) => next >= 0 && p > 0);
    if (from === null || moves.length === 0 || steps >= longest || (longest !== decisions(problem) && stays >= STAYS)) {
      steps = stays = 0;
      state = drawn(problem.initial);
      return { from: null, state, action: null };
    }
    state = moves[drawn(moves.map(({ p }) => p))].next;
    steps++;
    stays = state === from ? stays + 1 : 0;
    return { from, state, action, step: steps - 1 };
  };
}
