// @ts-check
// world.js — draws grid worlds: the ground with its walls, dear and dangerous cells, goals and starts, and a
// plan as arrows. However many cells there are, those that look alike are one path. Pure.

import { html } from "../view.js";
import { directionOf } from "./graph.js";
import { squaresOf } from "./ground.js";

/** @typedef {import("./ground.js").Square} Square */
/** @typedef {import("./ground.js").Ground} Ground */

/** The side of a cell in the units of its drawing. */
export const CELL = 64;

/** The window of a whole grid, with room for the lines at its edges. @param {{ rows: number, columns: number }} grid */
export const windowOf = ({ rows, columns }) => `-2 -2 ${columns * CELL + 4} ${rows * CELL + 4}`;

/** A cell's middle. @param {{ row: number, column: number }} place */
export const middleOf = ({ row, column }) => ({ x: (column + 0.5) * CELL, y: (row + 0.5) * CELL });

/** @param {number} x @param {number} y */
const box = (x, y) => `M${x + 6} ${y + 1}h${CELL - 12}a5 5 0 0 1 5 5v${CELL - 12}a5 5 0 0 1-5 5h${12 - CELL}a5 5 0 0 1-5-5v${12 - CELL}a5 5 0 0 1 5-5z`;

/** @param {number} x @param {number} y @param {number} r */
const disc = (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;

/** Lines across a cell: one way for the first limit, the other for the second. @param {number} x @param {number} y @param {number} n */
function hatching(x, y, n) {
  const [low, high] = [4, CELL - 4];
  let d = "";
  for (let at = 16; at < 2 * CELL - 8; at += 14) {
    const [from, to] = [Math.max(low, at - high), Math.min(high, at - low)];
    d += n % 2 === 1 ? `M${x + from} ${y + at - from}L${x + to} ${y + at - to}` : `M${x + CELL - from} ${y + at - from}L${x + CELL - to} ${y + at - to}`;
  }
  return d;
}

/**
 * Squares without their numbers; what is tinted alike is drawn together.
 * @param {{ squares: (Square & { x: number, y: number })[] }} props x and y of each one's corner
 */
export function Squares({ squares }) {
  /** @type {Record<"floor" | "wall" | "start" | "flag", string>} */
  const plain = { floor: "", wall: "", start: "", flag: "" };
  /** By "cost:share". @type {Map<string, { tint: string, lines: string }>} */
  const tinted = new Map();
  for (const { x, y, wall, goal, start, tints } of squares) {
    const [cx, cy] = [x + CELL / 2, y + CELL / 2];
    plain[wall ? "wall" : "floor"] += box(x, y);
    if (start > 0) plain.start += disc(cx, cy, CELL / 2 - 8);
    if (goal) plain.flag += `M${cx - 11} ${cy + 20}v-40l27 10l-27 10`;
    for (const tint of tints.split(" ").filter(Boolean)) {
      const before = tinted.get(tint) ?? { tint: "", lines: "" };
      tinted.set(tint, { tint: before.tint + box(x, y), lines: before.lines + hatching(x, y, Number(tint.split(":")[0])) });
    }
  }
  const path = (/** @type {keyof typeof plain} */ kind) => plain[kind] !== "" && html`<path class=${kind} d=${plain[kind]} />`;
  return html`${path("floor")}${path("wall")}${
    [...tinted].map(([of, { tint, lines }]) => {
      const [n, share] = of.split(":").map(Number);
      return n === 0
        ? html`<path class="dear" d=${tint} fill-opacity=${0.15 + 0.45 * share} />`
        : html`<g class=${`risk risk-${Math.min(n, 3)}`}><path class="tint" d=${tint} fill-opacity=${
          0.08 + 0.2 * share
        } /><path class="lines" d=${lines} stroke-opacity=${0.35 + 0.5 * share} /></g>`;
    })
  }${path("start")}${path("flag")}`;
}

/** Everything that stands on a grid. @param {{ ground: Ground }} props */
export function Terrain({ ground }) {
  const of = squaresOf(ground);
  return html`<${Squares} squares=${
    ground.wall.map((_, cell) => ({ ...of(cell), x: (cell % ground.columns) * CELL, y: Math.floor(cell / ground.columns) * CELL }))
  } />`;
}

/**
 * What a plan does in a state, as one path: an arrow as long as it is likely for each action, a dot for one that stays.
 * @param {string[]} actions @param {number[]} row probabilities @param {{ x: number, y: number }} middle
 */
export function stepsOf(actions, row, { x, y }) {
  const steps = row.map((p, a) => {
    if (!(p > 0.005)) return "";
    const [dx, dy] = directionOf(actions[a]) ?? [0, 0];
    if (dx === dy) return disc(x, y, short(2 + 7 * p)); // nowhere
    const [ex, ey] = [short(x + dx * (4 + 18 * p)), short(y + dy * (4 + 18 * p))];
    return `M${x} ${y}L${ex} ${ey}M${ex + 6 * dx} ${ey + 6 * dy}L${ex - 4 * dy - 2 * dx} ${ey + 4 * dx - 2 * dy}L${ex + 4 * dy - 2 * dx} ${
      ey - 4 * dx - 2 * dy
    }z`;
  });
  return steps.join("");
}

const short = (/** @type {number} */ x) => Math.round(100 * x) / 100;

/** The plan on its grid, a goal's staying left out. @param {{ ground: Ground, actions: string[], policy: number[][] }} props */
export function Arrows({ ground, actions, policy }) {
  const d = ground.cells.map((
    place,
    s,
  ) => (!place || ground.still.has(s) || ground.goal[place.row * ground.columns + place.column] ? "" : stepsOf(actions, policy[s] ?? [], middleOf(place))));
  return html`<path class="step" d=${d.join("")} />`;
}
