// @ts-check
// grid-code.js — a painted grid as a short text for a link: its cells, and of the document what painting does
// not say. What comes out again is the same document, or it is not packed so. Pure.

import { ACTIONS, gridIn, LONGEST_SIDE, NATURES, painted, sizeWords } from "../document/grid.js";
import { sameValue } from "../document/same.js";
import { LinkError, pack, unpack } from "./share.js";

/** @typedef {import("../document/grid.js").Grid} Grid */

const SLIPS = /** @type {const} */ (["sides", "nowhere"]);
/** A wall among the kinds of cells; another is [how likely a start, each cost], a goal's begin with −1 − that. */
const WALL = 0;

/**
 * @param {Doc} doc
 * @returns {Promise<string | null>} null when it is no painting, or says what would be lost
 */
export async function packGrid(doc) {
  const grid = gridIn(doc);
  if (!grid) return null;
  const code = written(doc, grid);
  return sameValue(read(JSON.parse(JSON.stringify(code))), doc) ? (await pack(code)).text : null;
}

/**
 * @param {string} text as packGrid made it
 * @returns {Promise<Doc>}
 * @throws {LinkError}
 */
export async function unpackGrid(text) {
  const code = await unpack(text);
  try {
    return read(code);
  } catch {
    throw new LinkError(
      "The grid in this link cannot be read. It may have been made by a newer version of this page; reload it, or ask for the model as a file.",
    );
  }
}

/** @param {Doc} doc @param {Grid} grid */
function written(doc, grid) {
  const { format: _, source, states: __, actions: ___, initial: ____, objective, constraints, uncertainty: { support }, ...rest } = doc;
  const { values: _____, ...aim } = objective;
  /** @type {string[]} */
  const kinds = [];
  /** How many cells of a kind follow each other: kind, number, kind, number. @type {number[]} */
  const runs = [];
  grid.wall.forEach((wall, cell) => {
    const start = grid.initial[cell];
    const kind = JSON.stringify(wall ? WALL : [grid.goal[cell] ? -1 - start : start, ...grid.costs.map((c) => c[cell])]);
    const k = kinds.includes(kind) ? kinds.indexOf(kind) : kinds.push(kind) - 1;
    if (runs.at(-2) === k) runs[runs.length - 1]++;
    else runs.push(k, 1);
  });
  return [
    [grid.columns, grid.slip, SLIPS.indexOf(grid.slipTo), NATURES.findIndex(({ id }) => id === grid.nature), grid.radius],
    kinds.map((kind) => JSON.parse(kind)),
    runs,
    aim,
    constraints === undefined ? 0 : constraints.map(({ values: ______, ...limit }) => limit),
    { ...rest, ...(source !== sizeWords(grid.rows, grid.columns) && { source }) },
    ...(support === undefined ? [] : [support]),
  ];
}

/** @param {any} code as written makes it @returns {Doc} */
function read([[columns, slip, slipTo, nature, radius], kinds, runs, aim, limits, rest, support]) {
  /** @type {(number | number[])[]} */
  const cells = [];
  for (let i = 0; i < runs.length; i += 2) for (let n = Math.min(runs[i + 1], LONGEST_SIDE ** 2); n > 0; n--) cells.push(kinds[runs[i]]);
  if (![columns, cells.length / columns].every((side) => Number.isInteger(side) && side > 0 && side <= LONGEST_SIDE) || !SLIPS[slipTo] || !NATURES[nature])
    throw new RangeError("no grid");
  const of = (/** @type {number} */ n) => cells.map((kind) => (Array.isArray(kind) ? kind[n] : NaN)); // NaN: a wall
  const grid = {
    rows: cells.length / columns,
    columns,
    wall: cells.map((kind) => kind === WALL),
    goal: of(0).map((start) => start < 0),
    initial: of(0).map((start) => (start < 0 ? -1 - start : start || 0)),
    costs: [aim, ...(limits || [])].map((_, n) => of(n + 1).map((x) => (Number.isNaN(x) ? Number(n === 0) : x))),
    slip,
    slipTo: SLIPS[slipTo],
    nature: NATURES[nature].id,
    radius,
  };
  return painted({
    format: "rcmdp/1",
    source: rest.source ?? sizeWords(grid.rows, columns),
    ...rest,
    states: [],
    actions: ACTIONS,
    initial: [],
    objective: { ...aim, values: [] },
    ...(limits && { constraints: limits.map((/** @type {Limit} */ limit) => ({ ...limit, values: [] })) }),
    uncertainty: { kind: "finite", ...(support !== undefined && { support }) },
  }, grid);
}
