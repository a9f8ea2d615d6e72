// @ts-check
// landscape.js — a function of two policy coordinates as a map: contours, the
// direction of steepest descent, paths of a descent, and marked policies.

import { html } from "../view.js";
import { contours } from "d3-contour";
import { ticks } from "../picture/scale.js";
import { number } from "../words/format.js";
import { Pane } from "./figure.js";

/** Points of a surface along one edge. */
export const SIDE = 61;
const LEVELS = 18;
/** An arrow stands on every so many points. */
const ARROW_EVERY = 6;

/**
 * @typedef {import("./figure.js").Scale} Scale
 * @typedef {{ value: Float64Array, dx: Float64Array, dy: Float64Array }} Surface
 * @typedef {{ x: number, y: number, text: string }} Mark a policy at a corner, with its name
 */

/**
 * @param {{
 *   title: Content, label: string, xLabel: string, yLabel: string, surface: Surface | null, stale?: boolean,
 *   path?: Float64Array | null, marks?: Mark[], dots?: { x: number, y: number, tone: string }[],
 *   onPoint?: (x: number, y: number) => void, reach?: number,
 * }} props
 *   path: x and y of each step in turn; reach: the coordinates shown go from 0 to this
 */
export function Landscape({ title, label, xLabel, yLabel, surface, stale = false, path, marks = [], dots = [], onPoint, reach = 1 }) {
  const end = path ? endOf(path) : null;
  const walked = path ? thin(path) : [];
  const quarters = reach === 1 ? [0, 0.25, 0.5, 0.75, 1] : ticks([0, reach], 4);
  const axis = (/** @type {string} */ name) => ({ label: name, domain: /** @type {[number, number]} */ ([0, reach]), named: true, ticks: () => quarters });
  /** @type {import("./figure.js").Mark[]} */
  const marked = [
    {
      kind: "drawing",
      draw: (x, y) => surface && html`<g class=${stale ? "stale" : ""}>${contoursOf(surface, x, y)}${arrowsOf(surface, x, y)}</g>`,
    },
    ...[...new Set(dots.map((d) => d.tone))].map((tone) => dotsOf(dots.filter((d) => d.tone === tone), tone)),
    { kind: "line", xs: walked.map((p) => p[0]), ys: walked.map((p) => p[1]), tone: "path" },
    {
      kind: "drawing",
      draw: (x, y) =>
        path && end &&
        html`<circle class="dot start" cx=${x(path[0])} cy=${y(path[1])} r="5" /><circle class="dot path" data-end="${end[0].toFixed(4)},${
          end[1].toFixed(4)
        }" cx=${x(end[0])} cy=${y(end[1])} r="6" />`,
    },
    { kind: "drawing", draw: (x, y) => marks.map((m) => cornerOf(m, x, y)) },
  ];
  return html`<${Pane} title=${title} label=${label} chart=${{ x: axis(xLabel), y: axis(yLabel), square: true, marks: marked }} onPoint=${onPoint} />`;
}

/** @param {{ x: number, y: number }[]} of @param {string} tone @returns {import("./figure.js").Mark} */
const dotsOf = (of, tone) => ({ kind: "dots", xs: of.map((d) => d.x), ys: of.map((d) => d.y), tone, size: 3.5 });

/** A marked policy with its name written towards the middle. @param {Mark} mark @param {Scale} x @param {Scale} y */
function cornerOf(mark, x, y) {
  const [right, top] = [mark.x > 0.5, mark.y > 0.5];
  return html`<g class="mark"><circle class="dot plain" cx=${x(mark.x)} cy=${y(mark.y)} r="4" />
    <text x=${x(mark.x) + (right ? -9 : 9)} y=${y(mark.y) + (top ? 17 : -9)} text-anchor=${right ? "end" : "start"}>${mark.text}</text></g>`;
}

/** The last point of a path. @param {Float64Array} path @returns {[number, number]} */
export const endOf = (path) => [path[path.length - 2], path[path.length - 1]];

/**
 * The points of a path that can be told apart, the last one always.
 * @param {Float64Array} path
 * @param {number} [least] distance
 */
export function thin(path, least = 2e-3) {
  /** @type {[number, number][]} */
  const kept = [];
  for (let i = 0; i < path.length; i += 2) {
    const last = kept.at(-1);
    if (!last || i === path.length - 2 || Math.hypot(path[i] - last[0], path[i + 1] - last[1]) >= least) kept.push([path[i], path[i + 1]]);
  }
  return kept;
}

/** @param {Surface} surface @param {Scale} x @param {Scale} y */
function contoursOf(surface, x, y) {
  const values = Array.from(surface.value);
  const [lo, hi] = [Math.min(...values), Math.max(...values)];
  const thresholds = Array.from({ length: LEVELS }, (_, i) => lo + ((hi - lo) * i) / LEVELS);
  // d3-contour puts grid point i at i + 0.5, and closes a contour that leaves the grid half a cell outside it.
  const inside = (/** @type {number} */ u) => Math.min(SIDE - 0.5, Math.max(0.5, u));
  const px = (/** @type {number} */ u) => x((inside(u) - 0.5) / (SIDE - 1)).toFixed(1);
  const py = (/** @type {number} */ v) => y((inside(v) - 0.5) / (SIDE - 1)).toFixed(1);
  const paths = contours().size([SIDE, SIDE]).smooth(true).thresholds(thresholds)(values);
  return html`<g class="contours">${
    paths.map((c) =>
      html`<path d=${c.coordinates.map((polygon) => polygon.map((ring) => `M${ring.map(([u, v]) => `${px(u)},${py(v)}`).join("L")}Z`).join("")).join("")} />`
    )
  }</g>`;
}

/** Where descent goes, each arrow of the same length. @param {Surface} surface @param {Scale} x @param {Scale} y */
function arrowsOf(surface, x, y) {
  const length = Math.min(13, (0.62 * ARROW_EVERY * (x(1) - x(0))) / (SIDE - 1));
  const out = [];
  for (let j = ARROW_EVERY / 2; j < SIDE; j += ARROW_EVERY) {
    for (let i = ARROW_EVERY / 2; i < SIDE; i += ARROW_EVERY) {
      const k = j * SIDE + i;
      const [gx, gy] = [-surface.dx[k], surface.dy[k]]; // the picture's y runs down
      const norm = Math.hypot(gx, gy);
      if (!(norm > 1e-12)) continue;
      const [ux, uy] = [(gx / norm) * length, (gy / norm) * length];
      const [ax, ay] = [x(i / (SIDE - 1)) - ux / 2, y(j / (SIDE - 1)) - uy / 2];
      const [bx, by] = [ax + ux, ay + uy];
      const barb = (/** @type {number} */ side) =>
        `M${bx.toFixed(1)},${by.toFixed(1)}l${(-0.34 * ux + side * 0.22 * uy).toFixed(1)},${(-0.34 * uy - side * 0.22 * ux).toFixed(1)}`;
      out.push(html`<path d="M${ax.toFixed(1)},${ay.toFixed(1)}L${bx.toFixed(1)},${by.toFixed(1)}${barb(1)}${barb(-1)}" />`);
    }
  }
  return html`<g class="arrows">${out}</g>`;
}

/**
 * The two coordinates of a start as fields: what a click does, by keyboard.
 * @param {{ labels: [Content, Content], start: [number, number], onStart: (change: (s: [number, number]) => [number, number]) => void }} props
 */
export function Start({ labels, start, onStart }) {
  const field = (/** @type {0 | 1} */ i) =>
    html`<label class="slider"><span>${labels[i]}</span>
    <input type="number" min="0" max="1" step="0.05" value=${Number(start[i].toFixed(3))} onChange=${(/** @type {FieldEvent} */ e) => {
      const v = Number(e.target.value);
      if (e.target.value !== "" && v >= 0 && v <= 1) onStart((s) => (i === 0 ? [v, s[1]] : [s[0], v]));
      else e.target.value = String(Number(start[i].toFixed(3)));
    }} /></label>`;
  return html`${field(0)}${field(1)}`;
}

/**
 * The points of surfaces over one grid as rows.
 * @param {string[]} head
 * @param {(Surface | null)[]} surfaces
 */
export const gridData = (head, surfaces) => ({
  head,
  rows: surfaces[0]
    ? Array.from(surfaces[0].value, (_, k) => [(k % SIDE) / (SIDE - 1), Math.floor(k / SIDE) / (SIDE - 1), ...surfaces.map((s) => s?.value[k] ?? NaN)])
    : [],
});

/** A point in words. @param {[number, number]} p */
export const point = ([a, b]) => `(${number(a, 3)}, ${number(b, 3)})`;
