// @ts-check
// paintings.js — grids as people might paint them, by strokes of chance, the same each time.

import { plainGrid as g } from "./plain.js";

/** @typedef {import("../src/document/grid.js").Grid} Grid */

/** Numbers in [0, 1), the same each time. @param {number} seed */
function random(seed) {
  let x = seed;
  return () => ((x = (x * 1664525 + 1013904223) % 4294967296) / 4294967296);
}

/** Some painting, made by strokes as a person makes one. @param {number} seed @returns {Grid} */
function drawn(seed) {
  const next = random(seed);
  const whole = (/** @type {number} */ n) => Math.floor(next() * n);
  let grid = g.resized(g.firstGrid(), 1 + whole(7), 1 + whole(7));
  for (let i = whole(14); i > 0; i--) {
    const cells = Array.from({ length: 1 + whole(4) }, () => whole(grid.rows * grid.columns));
    const brush = [{ kind: "wall" }, { kind: "floor" }, { kind: "goal" }, { kind: "start" }, { kind: "cost", cost: whole(2), value: whole(5) - 1 }][whole(5)];
    grid = g.stroked(grid, cells, /** @type {import("../src/document/grid.js").Brush} */ (brush));
    if (next() < 0.2) grid = g.resized(grid, 1 + whole(7), 1 + whole(7));
  }
  return {
    ...grid,
    slip: [0, 0.1, 0.25, 1 / 3, 0.7][whole(5)],
    slipTo: next() < 0.5 ? "sides" : "nowhere",
    nature: /** @type {import("../src/document/grid.js").GridNature} */ (["alone", "wind", "l1", "contamination"][whole(4)]),
    radius: 0.1,
  };
}

export const paintings = Array.from({ length: 400 }, (_, seed) => drawn(seed));
