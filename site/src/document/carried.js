// @ts-check
// carried.js — what is known of a model, carried over to what it was edited to. Pure.

import { isTimed } from "./steps.js";

/** A plan carried over, table by table. @param {import("../rcmdp.js").Policy} policy @param {{ states: string[], actions: string[] }} from @param {{ states: string[], actions: string[] }} to @returns {import("../rcmdp.js").Policy} */
export const carriedPlan = (
  policy,
  from,
  to,
) => /** @type {import("../rcmdp.js").Policy} */ (isTimed(policy) ? policy.map((table) => carried(table, from, to)) : carried(policy, from, to));

/**
 * What is known of one problem's states and actions, for another problem's, by their names: NaN where a
 * name is new. The same lists give the same table.
 * @template {number | number[]} T
 * @param {T[] | null} values one for each state, or for each state and action
 * @param {{ states: string[], actions: string[] }} from
 * @param {{ states: string[], actions: string[] }} to
 * @returns {T[] | null}
 */
export function carried(values, from, to) {
  const same = (/** @type {string[]} */ a, /** @type {string[]} */ b) => a === b || (a.length === b.length && a.every((name, i) => name === b[i]));
  if (values === null || (same(from.states, to.states) && same(from.actions, to.actions))) return values;
  const state = new Map(from.states.map((name, s) => [name, s]));
  const action = new Map(from.actions.map((name, a) => [name, a]));
  const perState = typeof values[0] === "number";
  return /** @type {T[]} */ (to.states.map((name) => {
    const of = values[state.get(name) ?? -1];
    if (perState) return of ?? NaN;
    return to.actions.map((a) => /** @type {number[] | undefined} */ (of)?.[action.get(a) ?? -1] ?? NaN);
  }));
}
