// @ts-check
// way.js — arrows from one place to another, as curves that leave room for the way back. Pure.

/** @typedef {import("./layout.js").Place} Place */
/** @typedef {[Place, Place, Place, Place]} Through a cubic's points */

/**
 * A curve between two circles that ends where its arrow's head begins.
 * @param {Place} a @param {Place} b @param {number} ra @param {number} rb their radii @param {number} head its length @param {number} bow keeps the way there apart from the way back
 * @returns {Through}
 */
export function between(a, b, ra, rb, head, bow) {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const start = { x: a.x + ra * ux, y: a.y + ra * uy };
  const end = { x: b.x - (rb + head) * ux, y: b.y - (rb + head) * uy };
  const middle = { x: (start.x + end.x) / 2 - bow * dy, y: (start.y + end.y) / 2 + bow * dx };
  return [start, middle, middle, end];
}

/** The path of an arrow, and its head as points. @param {Through} through @param {number} head its length; 0 for none */
export function arrowOf([p, q, s, t], head) {
  const say = (/** @type {Place} */ { x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`;
  const [dx, dy] = [t.x - s.x, t.y - s.y];
  const length = Math.hypot(dx, dy) || 1;
  const [x, y] = [(head * dx) / length, (head * dy) / length];
  const corners = [{ x: t.x - y / 2, y: t.y + x / 2 }, { x: t.x + x, y: t.y + y }, { x: t.x + y / 2, y: t.y - x / 2 }];
  return { d: `M${say(p)}C${say(q)} ${say(s)} ${say(t)}`, head: head === 0 ? "" : corners.map(say).join(" ") };
}
