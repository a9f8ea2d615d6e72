// @ts-check
// graph.js — a model as a graph for drawing: states, the actions available in them, and arrows by
// probability. Pure: a problem in, nodes and links out; where they stand is layout.js's.

import { endNumbers } from "../document/reading.js";
import { placesOf } from "../document/grid.js";
import { denseRow, isSparse, row } from "../document/rows.js";
import { drawable } from "./walk.js";

/** @typedef {import("../rcmdp.js").Problem} Problem */
/**
 * @typedef {{ id: string, kind: "state", state: number, name: string, size: number, reached: boolean }} StateNode size: share of
 *   the time, discounted where it is, that is spent there, NaN when it is not known
 * @typedef {{ id: string, kind: "action", state: number, action: number, name: string, weight: number }} ActionNode weight: the
 *   policy's probability, NaN without a policy
 * @typedef {{ id: string, from: string, to: string, kind: "choice" | "move", p: number, weight: number }} Link p: of a move, its
 *   probability; weight: what its arrow's width says, π or π·p, or p without a policy
 * @typedef {{ states: StateNode[], actions: ActionNode[], links: Link[], omitted: number }} Graph omitted: states not shown
 */

/** More states are drawn as the neighbourhood of one. */
export const MOST_STATES = 30;

/**
 * @param {Problem} problem
 * @param {{ kernel?: number, policy?: number[][] | null, occupancy?: number[] | null, around?: number | null }} [view] around: the
 *   state in the middle, of a model with more than MOST_STATES
 * @returns {Graph}
 */
export function graphOf(problem, { kernel = 0, policy = null, occupancy = null, around = null } = {}) {
  const { transitions } = drawable(problem)[kernel] ?? drawable(problem)[0];
  const shown = neighbourhood(problem, transitions, around ?? middle(problem, occupancy));
  const ends = endNumbers(problem);
  /** @type {Graph} */
  const graph = { states: [], actions: [], links: [], omitted: problem.states.length - shown.size };
  for (const s of shown) {
    const size = occupancy?.[s] ?? NaN;
    graph.states.push({ id: `s${s}`, kind: "state", state: s, name: problem.states[s], size, reached: !(size <= 1e-12) });
    problem.actions.forEach((name, a) => {
      const cells = row(transitions, s, a, problem);
      if (cells === null) return;
      const pi = policy && ends.has(s) ? 0 : policy?.[s]?.[a] ?? NaN; // nothing is chosen at an end
      const id = `a${s}.${a}`;
      graph.actions.push({ id, kind: "action", state: s, action: a, name, weight: pi });
      graph.links.push({ id: `${id}<`, from: `s${s}`, to: id, kind: "choice", p: 1, weight: Number.isNaN(pi) ? 1 : pi });
      for (const { next, p } of cells) {
        if (!(Number(p) > 0) || !shown.has(next)) continue;
        graph.links.push({ id: `${id}>${next}`, from: id, to: `s${next}`, kind: "move", p, weight: Number.isNaN(pi) ? p : pi * p });
      }
    });
  }
  return graph;
}

/** The state that most happens in: where most time is spent, else where it starts. @param {Problem} problem @param {number[] | null} occupancy */
function middle(problem, occupancy) {
  const by = occupancy ?? problem.initial;
  return by.reduce((best, x, s) => (x > by[best] || Number.isNaN(by[best]) ? s : best), 0);
}

/** States within reach of one, nearest first, forward and back, as many as can be drawn. @param {Problem} problem @param {Table | undefined} t @param {number} around */
function neighbourhood(problem, t, around) {
  const n = problem.states.length;
  if (n <= MOST_STATES) return new Set(problem.states.keys());
  const shown = new Set([around]);
  for (const s of shown) {
    for (const a of problem.actions.keys()) {
      for (const { next, p } of row(t, s, a, problem) ?? []) {
        if (Number(p) > 0) shown.add(next);
        if (shown.size >= MOST_STATES) return shown;
      }
    }
  }
  // What leads here, looked for only in models whose rows are at hand one by one.
  if (!isSparse(t) && n <= 200) {
    for (const s of problem.states.keys()) {
      if (shown.size >= MOST_STATES) break;
      if (problem.actions.some((_, a) => (denseRow(t, s, a, problem)?.[around] ?? 0) > 0)) shown.add(s);
    }
  }
  return shown;
}

/**
 * The cell of each state of a grid world, told from the states' names; null when they do not say.
 * @param {Problem} problem
 * @returns {{ rows: number, columns: number, cells: (({ row: number, column: number }) | null)[] } | null}
 */
export function gridOf({ states, actions }) {
  if (states.length < 6 || !actions.some((a) => directionOf(a))) return null;
  const places = placesOf(states);
  return places && places.told >= 0.75 * states.length && places.rows * places.columns <= 4 * states.length ? places : null;
}

/** @type {[words: string[], to: [number, number]][]} */
const directions = [
  [["up", "north", "n", "↑"], [0, -1]],
  [["down", "south", "s", "↓"], [0, 1]],
  [["left", "west", "w", "←"], [-1, 0]],
  [["right", "east", "e", "→"], [1, 0]],
];

/** Where an action's name points, as (right, down); null when it points nowhere. @param {string} action @returns {[number, number] | null} */
export const directionOf = (action) => directions.find(([words]) => words.includes(action.trim().toLowerCase()))?.[1] ?? null;
