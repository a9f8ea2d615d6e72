// @ts-check
// world.js — what the drawings of grid worlds share: the size of a cell, and the plan in one as arrows. Pure.

import { html } from "htm/preact";
import { directionOf } from "./graph.js";

/** The side of a cell in the units of its drawing. */
export const CELL = 64;

/** An action with its probability: an arrow as long as it is likely, a dot for one that stays. @param {string} action @param {number} p @param {number} x @param {number} y */
export function pointer(action, p, x, y) {
  const way = directionOf(action);
  if (!way) return html`<circle class="stay" cx=${x} cy=${y} r=${2 + 7 * p} />`;
  const [dx, dy] = way;
  const [ex, ey] = [x + dx * (4 + 18 * p), y + dy * (4 + 18 * p)];
  return html`<g class="step"><line x1=${x} y1=${y} x2=${ex} y2=${ey} /><polygon points=${`${ex + 6 * dx},${ey + 6 * dy} ${ex - 4 * dy - 2 * dx},${
    ey + 4 * dx - 2 * dy
  } ${ex + 4 * dy - 2 * dx},${ey - 4 * dx - 2 * dy}`} /></g>`;
}
