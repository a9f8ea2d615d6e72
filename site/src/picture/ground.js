// @ts-check
// ground.js — a grid world from above, told from its document: walls, goals, starts, and what its cells cost.
// A painting says all of it; of other grids it is read from the states' names and the moves. Pure.

import { costsOf, endNumbers, hasNext, isAvailable, tablesOf } from "../document/reading.js";
import { floorOf, gridIn, groundOf } from "../document/grid.js";
import { row } from "../document/rows.js";
import { number } from "../words/format.js";
import { gridOf } from "./graph.js";

/** @typedef {import("../rcmdp.js").Problem} Problem */
/** @typedef {import("../document/grid.js").Grid} Grid */
/**
 * @typedef {Pick<Grid, "rows" | "columns" | "wall" | "goal" | "initial" | "costs">} Cells everything by cell, row after row
 * @typedef {Cells & { cells: ({ row: number, column: number } | null)[], still: Set<number> }} Ground cells: the place of each state; still: the
 *   states in which an episode ends
 * @typedef {{ wall: boolean, goal: boolean, start: number, tints: string, note: string }} Square what stands on a cell. start: how likely
 *   the model starts there; tints: "cost:share" of what is dearer or cheaper there than elsewhere, one after the other; note: how much that is
 */

/** What is known of documents. @type {WeakMap<object, Ground | null>} */
const known = new WeakMap();

/**
 * The ground of a model that is a grid world; null when it is none.
 * @param {Problem} problem
 * @returns {Ground | null}
 */
export function groundIn(problem) {
  let ground = known.get(problem);
  if (ground === undefined) known.set(problem, ground = read(problem));
  return ground;
}

/** @param {Problem} problem @returns {Ground | null} */
function read(problem) {
  const grid = gridIn(problem);
  if (grid)
    return { ...grid, still: endNumbers(problem), cells: floorOf(grid).map((cell) => ({ row: Math.floor(cell / grid.columns), column: cell % grid.columns })) };
  const places = gridOf(problem);
  if (!places) return null;
  const { rows, columns, cells } = places;
  /** @template V @param {V} rest @param {(s: number) => V} of @returns {V[]} */
  const spread = (rest, of) => {
    const all = new Array(rows * columns).fill(rest);
    cells.forEach((cell, s) => cell && (all[cell.row * columns + cell.column] = of(s)));
    return all;
  };
  const costs = costsOf(problem).map(({ cost }) => costByState(problem, cost.values));
  const best = Math.min(...costs[0]) === Math.max(...costs[0]) ? NaN : costs[0].reduce(problem.objective.sense === "maximize" ? max : min);
  return {
    rows,
    columns,
    cells,
    wall: spread(true, () => false),
    // An end that uses up a limit is a trap.
    goal: spread(
      false,
      (s) => costs[0][s] === best && isEnd(problem, s) && !(problem.constraints ?? []).some((c, n) => c.atMost !== undefined && costs[n + 1][s] > 0),
    ),
    still: endNumbers(problem),
    initial: spread(0, (s) => Number(problem.initial[s]) || 0),
    costs: costs.map((of) => spread(0, (s) => of[s])),
  };
}

const min = (/** @type {number} */ a, /** @type {number} */ b) => Math.min(a, b);
const max = (/** @type {number} */ a, /** @type {number} */ b) => Math.max(a, b);

/** One number a state: the mean over what one may do there; 0 where the cost is of the next state too. @param {Doc} doc @param {CostTable} values @returns {number[]} */
const costByState = (doc, values) =>
  doc.states.map((_, s) => {
    const own = hasNext(values) ? [] : (values[s] ?? []).filter((x, a) => typeof x === "number" && isAvailable(doc, s, a)).map(Number);
    return own.reduce((sum, x) => sum + x / own.length, 0);
  });

/** Whether a state is never left. @param {Doc} doc @param {number} s */
function isEnd(doc, s) {
  const rows = tablesOf(doc).flatMap(({ table }) => doc.actions.map((_, a) => row(table, s, a, doc)).filter((cells) => cells !== null));
  return rows.length > 0 && rows.every((cells) => cells.every(({ next, p }) => next === s || p === 0));
}

/**
 * What is drawn on each cell of a grid.
 * @param {Cells} grid
 * @returns {(cell: number) => Square}
 */
export function squaresOf(grid) {
  const grounds = grid.costs.map((_, n) => groundOf(grid, n));
  const tops = grid.costs.map((of, n) => Math.max(1e-12, of.reduce((most, x, cell) => (grid.wall[cell] ? most : Math.max(most, Math.abs(x - grounds[n]))), 0)));
  return (cell) => {
    const [wall, goal] = [grid.wall[cell], grid.goal[cell]];
    const bare = wall || goal;
    const marked = grid.costs.flatMap((of, n) => (wall || of[cell] === (goal ? 0 : grounds[n]) ? [] : [n]));
    return {
      wall,
      goal,
      start: grid.initial[cell],
      tints: bare ? "" : marked.map((n) => `${n}:${(Math.abs(grid.costs[n][cell] - grounds[n]) / tops[n]).toFixed(2)}`).join(" "),
      note: marked.map((n) => number(grid.costs[n][cell], 3)).join(" · "),
    };
  };
}
