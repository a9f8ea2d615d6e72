// @ts-check
// drawing.js — how a graph whose nodes have places is drawn: its circles, and names where they cover nothing. Pure.

import { arrowOf, between } from "./way.js";

/** @typedef {import("./graph.js").Graph} Graph */
/** @typedef {import("./graph.js").Link} Link */
/** @typedef {import("./layout.js").Place} Place */
/** @typedef {{ id: string, d: string, width: number, head: string, points: Place[] }} Way head: of the arrow, as points; points: some along it */
/** @typedef {{ x: number, y: number, anchor: "start" | "middle" | "end", box: Box }} Spot where a text begins, ends or has its middle, on its line */
/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box */
/** @typedef {[left: number, top: number, width: number, height: number]} Frame */

/** An action's dot. */
export const DOT = 4;

/** The radius of a state's circle: its area is the share of time, NaN when that is not known. @param {number} size */
export const radiusOf = (size) => (Number.isNaN(size) ? 18 : Math.max(8, 34 * Math.sqrt(Math.max(0, size))));

/**
 * @param {Link} link
 * @param {Place} a where it begins @param {Place} b where it ends
 * @param {Map<string, number>} radii of states by node
 * @param {boolean} own whether it leads back to the state whose action it is
 * @returns {Way}
 */
export function wayOf({ id, from, to, kind, weight }, a, b, radii, own) {
  const [ra, rb] = [radii.get(from) ?? DOT, radii.get(to) ?? DOT];
  const width = weight === 0 ? 0.75 : 0.9 + 3.6 * weight;
  const head = kind === "move" ? 5 + width : 0;
  const through = own ? loop(a, b, ra, rb, head) : between(a, b, ra, rb, head, kind === "move" ? 0.16 : 0);
  const [p, q, s, t] = through;
  const points = [0.15, 0.35, 0.5, 0.65, 0.85, 1].map((u) => {
    const v = 1 - u;
    const mix = (/** @type {"x" | "y"} */ k) => v * v * v * p[k] + 3 * v * v * u * q[k] + 3 * v * u * u * s[k] + u * u * u * t[k];
    return { x: mix("x"), y: mix("y") };
  });
  return { id, width, points, ...arrowOf(through, head) };
}

/**
 * From an action's dot around and back into its own state, beside the line that leads to the dot.
 * @param {Place} a @param {Place} b @param {number} ra @param {number} rb @param {number} head
 * @returns {import("./way.js").Through}
 */
function loop(a, b, ra, rb, head) {
  const out = Math.atan2(a.y - b.y, a.x - b.x);
  const at = (/** @type {number} */ angle, /** @type {number} */ far) => ({ x: b.x + far * Math.cos(angle), y: b.y + far * Math.sin(angle) });
  const turn = Math.min(1.1, 0.35 + 18 / rb);
  const far = Math.hypot(a.x - b.x, a.y - b.y);
  const start = { x: a.x + ra * Math.cos(out + 1.2), y: a.y + ra * Math.sin(out + 1.2) };
  return [start, at(out + 0.3 * turn + 0.15, far + 16), at(out + turn, Math.max(far, rb + 20)), at(out + turn, rb + head)];
}

/** About how wide a text of the two sizes is. @param {string} text @param {number} size in pixels */
const widthOf = (text, size) => 0.57 * size * text.length + 2;

/**
 * Where names stand: each beside its own circle, on the side where it covers least. States come first.
 * @param {{ id: string, text: string, size: number, centre: Place, radius: number }[]} names
 * @param {Way[]} ways
 * @param {{ id: string, centre: Place, radius: number }[]} [unnamed] circles that have no name and are not to be covered either
 * @returns {Map<string, Spot>}
 */
export function spotsOf(names, ways, unnamed = []) {
  const circles = [...names, ...unnamed].map(({ id, centre, radius }) => ({ id, ...centre, radius }));
  const lines = ways.flatMap(({ points }) => points);
  // What is too far away for any of its places is looked at once a name, not once a place.
  const places = names.map((name) => {
    const tried = around(name);
    const all = hull(tried.map(({ box }) => box));
    return {
      name,
      tried,
      circles: circles.filter(({ id, x, y, radius }) => id !== name.id && inside(wider(all, radius + 2), x, y)),
      lines: lines.filter(({ x, y }) => inside(all, x, y)),
      all,
    };
  });
  /** @type {Map<string, Spot>} */
  const spots = new Map();
  // Three times over, so that the first names make room for the last ones.
  for (const { name, tried, circles, lines, all } of [...places, ...places, ...places]) {
    spots.delete(name.id);
    const others = [...spots.values()].filter(({ box }) => shared(box, all) > 0);
    let least = Infinity;
    for (const [i, spot] of tried.entries()) {
      let covers = 0.4 * i;
      for (const { x, y, radius } of circles) covers += (radius > DOT ? 24 : 8) * within(spot.box, x, y, radius);
      for (const { box } of others) covers += 16 * shared(spot.box, box);
      for (const { x, y } of lines) covers += inside(spot.box, x, y) ? 0.8 : 0;
      if (covers >= least) continue;
      least = covers;
      spots.set(name.id, spot);
    }
  }
  return spots;
}

/** The rectangle that holds some. @param {Box[]} boxes @returns {Box} */
const hull = (boxes) => ({
  left: Math.min(...boxes.map((b) => b.left)),
  top: Math.min(...boxes.map((b) => b.top)),
  right: Math.max(...boxes.map((b) => b.right)),
  bottom: Math.max(...boxes.map((b) => b.bottom)),
});

/** @param {Box} box @param {number} by @returns {Box} */
const wider = ({ left, top, right, bottom }, by) => ({ left: left - by, top: top - by, right: right + by, bottom: bottom + by });

/** The places to try, the one that is liked best first. @param {{ text: string, size: number, centre: Place, radius: number }} of @returns {Spot[]} */
function around({ text, size, centre: { x, y }, radius }) {
  const width = widthOf(text, size);
  const spot = (/** @type {number} */ dx, /** @type {number} */ dy, /** @type {Spot["anchor"]} */ anchor) => {
    const left = x + dx - (anchor === "start" ? 0 : anchor === "middle" ? width / 2 : width);
    const line = y + dy;
    return { x: x + dx, y: line, anchor, box: { left, top: line - 0.8 * size, right: left + width, bottom: line + 0.25 * size } };
  };
  const [beside, slant] = [radius + 4, 0.71 * radius + 3];
  const below = spot(0, radius + size + 1, "middle"), above = spot(0, -radius - 4, "middle");
  const right = spot(beside, 0.35 * size, "start"), left = spot(-beside, 0.35 * size, "end");
  const corners = [
    spot(slant, slant + 0.7 * size, "start"),
    spot(slant, -slant, "start"),
    spot(-slant, slant + 0.7 * size, "end"),
    spot(-slant, -slant, "end"),
  ];
  const far = [
    spot(0, radius + size + 9, "middle"),
    spot(0, -radius - 12, "middle"),
    spot(beside + 10, 0.35 * size, "start"),
    spot(-beside - 10, 0.35 * size, "end"),
    spot(slant + 5, slant + size + 5, "start"),
    spot(slant + 5, -slant - 7, "start"),
    spot(-slant - 5, slant + size + 5, "end"),
    spot(-slant - 5, -slant - 7, "end"),
  ];
  return radius > DOT ? [below, above, right, left, ...corners, ...far] : [right, left, below, above, ...corners, ...far];
}

/** By how much of itself a circle reaches into a box, at most 1. @param {Box} box @param {number} x @param {number} y @param {number} radius */
function within(box, x, y, radius) {
  const near = Math.hypot(x - Math.max(box.left, Math.min(x, box.right)), y - Math.max(box.top, Math.min(y, box.bottom)));
  return Math.max(0, Math.min(1, (radius + 2 - near) / Math.min(radius, 6)));
}

/** The share of a that is under b. @param {Box} a @param {Box} b */
function shared(a, b) {
  const [w, h] = [Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
  return w > 0 && h > 0 ? 0.3 + (w * h) / ((a.right - a.left) * (a.bottom - a.top)) : 0;
}

/** @param {Box} box @param {number} x @param {number} y */
const inside = (box, x, y) => x > box.left - 1 && x < box.right + 1 && y > box.top - 1 && y < box.bottom + 1;

/**
 * The rectangle that holds a drawing: circles, names and arrows.
 * @param {{ centre: Place, radius: number }[]} circles @param {Iterable<Spot>} spots @param {Way[]} ways @param {number} margin
 * @returns {Frame}
 */
export function frameOf(circles, spots, ways, margin) {
  const boxes = [
    ...circles.map(({ centre: { x, y }, radius }) => ({ left: x - radius, top: y - radius, right: x + radius, bottom: y + radius })),
    ...[...spots].map(({ box }) => box),
    ...ways.flatMap(({ points }) => points.map(({ x, y }) => ({ left: x, top: y, right: x, bottom: y }))),
  ];
  const { left, top, right, bottom } = wider(hull(boxes), margin);
  return [left, top, right - left, bottom - top];
}

/**
 * The frame of the same graph drawn anew: the one before while that serves, so that other circles and names move nothing else.
 * @param {Frame | null} before @param {Frame} now what has to be in it
 * @returns {Frame}
 */
export function steady(before, now) {
  if (!before) return now;
  const box = (/** @type {Frame} */ [left, top, width, height]) => ({ left, top, right: left + width, bottom: top + height });
  const { left, top, right, bottom } = hull([box(before), box(now)]);
  const [width, height] = [right - left, bottom - top];
  return width * height <= 1.25 * now[2] * now[3] ? [left, top, width, height] : now;
}
