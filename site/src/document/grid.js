// @ts-check
// grid.js — a grid world as it is painted, and the problem that it is: cells with costs, walls, goals
// and a start, and moves that slip. A problem is a painted grid when painting what is read from it gives
// the same problem again, so nothing that was written by hand is ever painted over unseen. Pure.

import { isByStep } from "./steps.js";
import { costsOf, hasNext, isAvailable, tablesOf } from "./reading.js";
import { row } from "./rows.js";

/** What nature may do on a painted grid: to pick one of so many kernels for good, or rows of a set around one. In links by its place. */
export const NATURES = /** @type {const} */ ([
  { id: "alone", kernels: 1, title: "change nothing" },
  { id: "wind", kernels: 3, title: "blow upwards or downwards, once and for good" },
  { id: "l1", kernels: undefined, title: "change each move a little" },
  { id: "contamination", kernels: undefined, title: "now and then move you anywhere near" },
]);

/** @typedef {typeof NATURES[number]["id"]} GridNature that of a set is its kind */
/**
 * @typedef {{
 *   rows: number, columns: number, wall: boolean[], goal: boolean[], initial: number[], costs: number[][],
 *   slip: number, slipTo: "sides" | "nowhere", nature: GridNature, radius: number,
 * }} Grid everything by cell, row after row; costs: the objective's first, then each limit's; slip: how likely a move goes to a side
 *   instead, half each, or nowhere; radius: of the set around the kernel, where it has one
 * @typedef {{ kind: "wall" | "floor" | "goal" | "start" } | { kind: "cost", cost: number, value: number }} Brush floor: nothing special; cost: which one
 */

/** Also the order of the painted actions; then comes staying, which goals and walled-in cells alone offer. @type {[number, number][]} right and down */
const WAYS = [[0, -1], [1, 0], [0, 1], [-1, 0]];
export const ACTIONS = ["up", "right", "down", "left", "stay"];
const STAY = 4;
/** So many rows and columns can be painted. */
export const LONGEST_SIDE = 30;
/** Probabilities that differ by less are the same: they come out of sums. */
const NOISE = 1e-9;

const SIZE = /^Painted as a grid of (\d+) rows? and (\d+) columns?\.$/;

/** What a painting says of its size. @param {number} rows @param {number} columns */
export const sizeWords = (rows, columns) =>
  `Painted as a grid of ${rows} ${rows === 1 ? "row" : "rows"} and ${columns} ${columns === 1 ? "column" : "columns"}.`;

/** What a cell's state is called. @param {number} row from 0 @param {number} column */
export const cellName = (row, column) => `row ${row + 1}, column ${column + 1}`;

/**
 * A small grid to begin with: a short way through danger, a longer one around it.
 * @returns {Grid}
 */
export function firstGrid() {
  const [rows, columns] = [5, 7];
  const cells = Array.from({ length: rows * columns }, (_, i) => ({ row: Math.floor(i / columns), column: i % columns }));
  return {
    rows,
    columns,
    wall: cells.map(({ row, column }) => row === 3 && (column === 2 || column === 4)),
    goal: cells.map((_, i) => i === columns - 1),
    initial: cells.map((_, i) => Number(i === 0)),
    costs: [cells.map((_, i) => Number(i !== columns - 1)), cells.map(({ row, column }) => Number(row < 3 && column > 1 && column < 5))],
    slip: 0.1,
    slipTo: "sides",
    nature: "l1",
    radius: 0.05,
  };
}

/** The first grid as a document. */
export const firstGridDocument = () =>
  painted({
    format: "rcmdp/1",
    name: "Painted grid",
    states: [],
    actions: ACTIONS,
    discount: 0.95,
    initial: [],
    objective: { name: "steps", sense: "minimize", values: [] },
    constraints: [{ name: "danger", values: [], atMost: 1.5 }],
    uncertainty: { kind: "finite" },
  }, firstGrid());

/**
 * The cell that a move leads to; -1 into a wall or over the edge.
 * @param {Grid} grid @param {number} cell @param {number} way
 */
export function neighbour({ rows, columns, wall }, cell, way) {
  const [column, row] = [cell % columns + WAYS[way][0], Math.floor(cell / columns) + WAYS[way][1]];
  const to = row * columns + column;
  return row < 0 || column < 0 || row >= rows || column >= columns || wall[to] ? -1 : to;
}

/** The actions that a cell offers. @param {Grid} grid @param {number} cell @returns {number[]} */
export function offers(grid, cell) {
  const ways = grid.goal[cell] ? [] : [0, 1, 2, 3].filter((way) => neighbour(grid, cell, way) >= 0);
  return ways.length > 0 ? ways : [STAY];
}

/**
 * Where an action leads, when a slip goes the given ways instead.
 * @param {Grid} grid @param {number} cell @param {number} action @param {number[]} slips ways, each as likely; none for staying in place
 * @returns {Map<number, number>} probability by cell
 */
function outcomes(grid, cell, action, slips) {
  if (action === STAY) return new Map([[cell, 1]]);
  const row = new Map([[neighbour(grid, cell, action), 1 - grid.slip]]);
  const add = (/** @type {number} */ to, /** @type {number} */ p) => p > 0 && row.set(to, (row.get(to) ?? 0) + p);
  if (slips.length === 0) add(cell, grid.slip);
  for (const way of slips) {
    const to = neighbour(grid, cell, way);
    add(to < 0 ? cell : to, grid.slip / slips.length);
  }
  for (const [to, p] of row) row.set(to, Math.round(p * 1e12) / 1e12);
  return row;
}

/** The kernels of a grid: what a slip of each action does. @param {Grid} grid @returns {{ name: string, slips: (action: number) => number[] }[]} */
function weathers({ slipTo, nature }) {
  const own = { name: "slippery", slips: (/** @type {number} */ a) => (slipTo === "sides" ? [(a + 1) % 4, (a + 3) % 4] : []) };
  return nature === "wind" ? [own, { name: "wind upwards", slips: () => [0] }, { name: "wind downwards", slips: () => [2] }] : [own];
}

/** The cells that are states, in the order of the states. @param {Grid} grid */
export const floorOf = (grid) => grid.wall.flatMap((wall, cell) => (wall ? [] : [cell]));

/**
 * The document with the grid in place of its states, costs and probabilities; names, limits, discount and
 * whatever else it says stay.
 * @param {Doc} doc
 * @param {Grid} grid
 * @returns {Doc}
 */
export function painted(doc, grid) {
  const floor = floorOf(grid);
  const states = floor.map((cell) => cellName(Math.floor(cell / grid.columns), cell % grid.columns));
  const values = (/** @type {number} */ n) => floor.map((cell) => ACTIONS.map(() => grid.costs[n][cell]));
  const name = new Map(floor.map((cell, s) => [cell, states[s]]));
  const tables = weathers(grid).map(({ name: title, slips }) => ({
    name: title,
    transitions: {
      entries: floor.flatMap((cell) =>
        offers(grid, cell).flatMap((a) =>
          [...outcomes(grid, cell, a, slips(a))].sort(([x], [y]) => x - y).filter(([, p]) => p > 0).map((
            [to, p],
          ) => /** @type {import("./rows.js").Entry} */ ([name.get(cell), ACTIONS[a], name.get(to), p]))
        )
      ),
    },
  }));
  const { support } = doc.uncertainty;
  /** @type {Doc["uncertainty"]} */
  const uncertainty = grid.nature === "alone" || grid.nature === "wind"
    ? { kind: "finite", kernels: tables }
    : { kind: grid.nature, nominal: tables[0].transitions, radius: grid.radius, ...(support && { support }) };
  const source = doc.source === undefined || SIZE.test(doc.source) ? sizeWords(grid.rows, grid.columns) : doc.source;
  const out = {
    ...doc,
    source,
    states,
    actions: ACTIONS,
    initial: floor.map((cell) => grid.initial[cell]),
    objective: { ...doc.objective, values: values(0) },
    ...(doc.constraints && { constraints: doc.constraints.map((c, i) => ({ ...c, values: values(i + 1) })) }),
    uncertainty,
  };
  known.set(out, grid);
  return out;
}

/** What is known of documents: those just painted are not read again. @type {WeakMap<object, Grid | null>} */
const known = new WeakMap();

/**
 * The grid that a document is a painting of; null when it is none, or has been changed by hand into what
 * cannot be painted.
 * @param {Doc} doc
 * @returns {Grid | null}
 */
export function gridIn(doc) {
  let grid = known.get(doc);
  if (grid === undefined) {
    grid = readGrid(doc);
    known.set(doc, grid);
  }
  return grid;
}

/** @param {Doc} doc @returns {Grid | null} */
function readGrid(doc) {
  const { states, actions, uncertainty: u } = doc;
  if (
    states.length > LONGEST_SIDE ** 2 || actions.length !== ACTIONS.length ||
    actions.some((/** @type {string} */ a, /** @type {number} */ i) => a !== ACTIONS[i])
  ) return null;
  const [, rowsSaid, columnsSaid] = SIZE.exec(doc.source ?? "") ?? [];
  const places = placesOf(states, { rows: Number(rowsSaid ?? 0), columns: Number(columnsSaid ?? 0) });
  const nature = NATURES.find(({ id, kernels }) => (kernels ? kernels === u.kernels?.length : id === u.kind))?.id;
  if (!places || !nature || (u.radius !== undefined && typeof u.radius !== "number")) return null;
  const { rows, columns } = places;
  // Where there are walls, a name that speaks of no place could be in several.
  if (rows > LONGEST_SIDE || columns > LONGEST_SIDE || (places.told < states.length && states.length < rows * columns)) return null;
  const at = places.cells.map((c) => /** @type {{ row: number, column: number }} */ (c)).map((c) => c.row * columns + c.column);
  if (at.some((cell, s) => s > 0 && cell <= at[s - 1])) return null;
  const costs = costsOf(doc).map(({ cost }) => costByState(doc, cost.values));
  if (costs.some((c) => c === null) || doc.initial.length !== states.length || doc.initial.some((p) => typeof p !== "number")) return null;
  /** @template V @param {V[]} values @param {V} rest */
  const spread = (values, rest) => {
    const all = new Array(rows * columns).fill(rest);
    at.forEach((cell, s) => all[cell] = values[s]);
    return all;
  };
  const grid = {
    rows,
    columns,
    wall: spread(at.map(() => false), true),
    goal: spread(at.map(() => false), false),
    initial: spread(doc.initial, 0),
    costs: costs.map((c, n) => spread(/** @type {number[]} */ (c), n === 0 ? 1 : 0)),
    slip: 0,
    slipTo: /** @type {"sides" | "nowhere"} */ ("sides"),
    nature,
    radius: u.radius ?? 0.1,
  };
  const [{ table }] = tablesOf(doc);
  // Where one could walk on and may only stay is a goal.
  grid.goal = spread(
    at.map((cell, s) => offers(grid, cell)[0] !== STAY && isAvailable(doc, s, STAY) && !ACTIONS.slice(0, STAY).some((_, a) => isAvailable(doc, s, a))),
    false,
  );
  const first = at.findIndex((cell) => offers(grid, cell)[0] !== STAY);
  if (first >= 0) {
    const [way] = offers(grid, at[first]);
    const to = at.indexOf(neighbour(grid, at[first], way));
    grid.slip = Number((1 - (row(table, first, way, doc)?.find(({ next }) => next === to)?.p ?? 0)).toFixed(12));
  }
  return [grid, { ...grid, slipTo: /** @type {const} */ ("nowhere") }].find((g) => g.slip >= 0 && g.slip <= 1 && isPaintingOf(doc, g, at)) ?? null;
}

/** One number a state; null when the cost depends on the action or the next state. @param {Doc} doc @param {CostTable} values @returns {number[] | null} */
function costByState(doc, values) {
  if (hasNext(values) || isByStep(doc, values)) return null;
  const costs = values.map((of, s) => {
    const own = of.filter((_, a) => isAvailable(doc, s, a));
    return own.every((x) => typeof x === "number" && x === own[0]) ? own[0] : null;
  });
  return costs.every((c) => typeof c === "number") ? costs : null;
}

/** Whether every probability of the document is the grid's. @param {Doc} doc @param {Grid} grid @param {number[]} at the cell of each state */
function isPaintingOf(doc, grid, at) {
  const state = new Map(at.map((cell, s) => [cell, s]));
  return tablesOf(doc).every(({ table }, k) => {
    const { slips } = weathers(grid)[k];
    return at.every((cell, s) => {
      const offered = new Set(offers(grid, cell));
      return ACTIONS.every((_, a) => {
        const cells = row(table, s, a, doc);
        if (!offered.has(a) || cells === null) return offered.has(a) === (cells !== null);
        const left = new Map([...outcomes(grid, cell, a, slips(a))].map(([to, p]) => [/** @type {number} */ (state.get(to)), p]));
        for (const { next, p } of cells) left.set(next, (left.get(next) ?? 0) - p);
        return [...left.values()].every((p) => Math.abs(p) <= NOISE);
      });
    });
  });
}

/** Whether a cell is already what the brush would make it. @param {Grid} grid @param {number} cell @param {Brush} brush */
export const isStroked = (grid, cell, brush) =>
  ({
    wall: () => grid.wall[cell],
    goal: () => grid.goal[cell],
    start: () => grid.initial[cell] === 1,
    cost: () => !grid.wall[cell] && brush.kind === "cost" && grid.costs[brush.cost][cell] === brush.value,
    floor: () => !grid.wall[cell] && !grid.goal[cell] && grid.costs.every((c, n) => c[cell] === groundOf(grid, n)),
  })[brush.kind]();

/**
 * The grid after a stroke of a brush; the same grid when the stroke changes nothing. A wall is never put
 * where the model starts.
 * @param {Grid} grid @param {number[]} cells @param {Brush} brush
 * @returns {Grid}
 */
export function stroked(grid, cells, brush) {
  const changed = cells.filter((cell) => !isStroked(grid, cell, brush) && !(brush.kind === "wall" && grid.initial[cell] > 0));
  if (changed.length === 0) return grid;
  const next = { ...grid, wall: grid.wall.slice(), goal: grid.goal.slice(), costs: grid.costs.map((c) => c.slice()) };
  const grounds = grid.costs.map((_, n) => groundOf(grid, n));
  const clear = (/** @type {number} */ cell) => {
    next.wall[cell] = next.goal[cell] = false;
    grounds.forEach((x, n) => next.costs[n][cell] = x);
  };
  for (const cell of changed) {
    if (brush.kind === "cost" || brush.kind === "start" ? next.wall[cell] : true) clear(cell);
    if (brush.kind === "wall") next.wall[cell] = true;
    if (brush.kind === "cost") next.costs[brush.cost][cell] = brush.value;
    if (brush.kind === "start") next.initial = grid.initial.map((_, i) => Number(i === cell));
    if (brush.kind === "goal") {
      next.goal[cell] = true;
      for (const c of next.costs) c[cell] = 0;
    }
  }
  return next;
}

/** What takes away what a brush puts down. @param {Grid} grid @param {Brush} brush @returns {Brush} */
export const eraserOf = (grid, brush) =>
  brush.kind === "cost" ? { ...brush, value: groundOf(grid, brush.cost) } : brush.kind === "start" ? brush : { kind: "floor" };

/** The commonest cost of the cells one walks on. @param {Pick<Grid, "costs" | "wall" | "goal">} grid @param {number} cost */
export function groundOf(grid, cost) {
  /** @type {Map<number, number>} */
  const seen = new Map();
  grid.costs[cost].forEach((x, cell) => !grid.wall[cell] && !grid.goal[cell] && seen.set(x, (seen.get(x) ?? 0) + 1));
  return [...seen].reduce((best, pair) => (pair[1] > best[1] ? pair : best), [cost === 0 ? 1 : 0, 0])[0];
}

/**
 * The grid with other sides: cells keep their places from the top left corner on. One that no longer
 * holds a start begins at its first cell that is no wall.
 * @param {Grid} grid @param {number} rows @param {number} columns
 * @returns {Grid}
 */
export function resized(grid, rows, columns) {
  /** @template T @param {T[]} values @param {T} fresh @returns {T[]} */
  const fitted = (values, fresh) =>
    Array.from({ length: rows * columns }, (_, i) => {
      const [r, c] = [Math.floor(i / columns), i % columns];
      return r < grid.rows && c < grid.columns ? values[r * grid.columns + c] : fresh;
    });
  const next = {
    ...grid,
    rows,
    columns,
    wall: fitted(grid.wall, false),
    goal: fitted(grid.goal, false),
    initial: fitted(grid.initial, 0),
    costs: grid.costs.map((c, n) => fitted(c, groundOf(grid, n))),
  };
  const kept = next.initial.reduce((sum, p) => sum + p, 0);
  if (Math.abs(kept - grid.initial.reduce((sum, p) => sum + p, 0)) <= NOISE) return next;
  const start = Math.max(0, next.wall.indexOf(false));
  return stroked(next, [start], { kind: "start" });
}

/** The cells on the way from one to another, so that a quick stroke leaves no holes. @param {Grid} grid @param {number} from @param {number} to */
export function between({ columns }, from, to) {
  const [x, y] = [from % columns, Math.floor(from / columns)];
  const [dx, dy] = [to % columns - x, Math.floor(to / columns) - y];
  const steps = Math.max(Math.abs(dx), Math.abs(dy), 1);
  return Array.from({ length: steps }, (_, i) => Math.round(y + dy * (i + 1) / steps) * columns + Math.round(x + dx * (i + 1) / steps));
}

/**
 * The places that states' names speak of, by the two numbers in each; other names, such as start and
 * goal, take the places that are left, in reading order.
 * @param {string[]} states
 * @param {{ rows: number, columns: number }} [least] counted from 1 on at the latest, at least so many; else from the first that is named
 * @returns {{ rows: number, columns: number, told: number, cells: ({ row: number, column: number } | null)[] } | null} told: how many names
 *   speak of a place; null for a name that finds no place, or in all when two speak of one place or none of any
 */
export function placesOf(states, least) {
  const named = states.map((name) => {
    const found = /^\D*?(\d+)\D+(\d+)\D*$/.exec(name);
    return found ? { row: Number(found[1]), column: Number(found[2]) } : null;
  });
  const told = named.filter((c) => c !== null);
  if (told.length === 0 || new Set(told.map((c) => `${c.row},${c.column}`)).size < told.length) return null;
  const [top, left] = [Math.min(...told.map((c) => c.row), least ? 1 : Infinity), Math.min(...told.map((c) => c.column), least ? 1 : Infinity)];
  const rows = Math.max(...told.map((c) => c.row - top + 1), least?.rows ?? 0);
  const columns = Math.max(...told.map((c) => c.column - left + 1), least?.columns ?? 0);
  const taken = new Set(told.map((c) => (c.row - top) * columns + c.column - left));
  let next = 0;
  const cells = named.map((c) => {
    if (c) return { row: c.row - top, column: c.column - left };
    while (taken.has(next)) next++;
    if (next >= rows * columns) return null;
    taken.add(next);
    return { row: Math.floor(next / columns), column: next % columns };
  });
  return { rows, columns, told: told.length, cells };
}
