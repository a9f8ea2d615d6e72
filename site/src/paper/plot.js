// @ts-check
// plot.js — charts as SVG: axes, lines, bands, points. A chart is drawn at the
// width it has on the page, so that its text keeps one size. Every colour is a
// class that the style sheet knows, so charts follow light and dark; export.js
// writes the colours in when a chart leaves the page. Scales come from d3-scale.

import { html } from "htm/preact";
import { useRef, useState } from "preact/hooks";
import { area, line } from "d3-shape";
import { number } from "../words/format.js";
import { useWidth } from "../panels/parts.js";

/** @typedef {{ (x: number): number, domain: () => number[], range: () => number[], ticks: (n?: number) => number[], invert: (p: number) => number }} Scale */
/** @typedef {{ x: Scale, y: Scale }} Scales */

const margin = { top: 10, right: 14, bottom: 38, left: 52 };

/**
 * The frame of a chart: grid, axes with numbers and names, and what is inside.
 * @param {{
 *   title?: Content, label: string, height?: number, square?: boolean, xLabel: string, yLabel: string,
 *   x: (range: [number, number]) => Scale, y: (range: [number, number]) => Scale,
 *   xTicks?: (scale: Scale) => number[], yTicks?: (scale: Scale) => number[],
 *   onPoint?: (x: number, y: number) => void, children: (scales: Scales) => Content,
 * }} props
 *   x, y: make the scales for a range of pixels; onPoint: hears where the reader clicked, in the scales' units;
 *   square: as high as it is wide
 */
export function Chart({ title, label, height = 280, square = false, xLabel, yLabel, x: xOf, y: yOf, xTicks, yTicks, onPoint, children }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const [width, setWidth] = useState(0);
  useWidth(box, (w) => setWidth(Math.round(w)));
  const high = square ? width - margin.left - margin.right + margin.top + margin.bottom : height;
  return html`<figure class="pane">${title && html`<figcaption>${title}</figcaption>`}
    <div class=${square ? "sheet square" : "sheet"} ref=${box}>${
    width >= 120 && html`<${Sheet} ...${{ label, width, height: high, xLabel, yLabel, xOf, yOf, xTicks, yTicks, onPoint, children }} />`
  }</div></figure>`;
}

/** @param {any} props */
function Sheet({ label, width, height, xLabel, yLabel, xOf, yOf, xTicks, yTicks, onPoint, children }) {
  const [x0, x1] = [margin.left, width - margin.right];
  const [y0, y1] = [height - margin.bottom, margin.top];
  /** @type {Scale} */
  const x = xOf([x0, x1]);
  /** @type {Scale} */
  const y = yOf([y0, y1]);
  /** @type {number[]} */
  const xs = xTicks ? xTicks(x) : x.ticks(Math.max(2, Math.round((x1 - x0) / 80)));
  /** @type {number[]} */
  const ys = yTicks ? yTicks(y) : y.ticks(Math.max(2, Math.round((y0 - y1) / 48)));
  const click = (/** @type {PointEvent} */ event) => {
    const at = event.currentTarget.getBoundingClientRect();
    const px = ((event.clientX - at.left) / at.width) * width;
    const py = ((event.clientY - at.top) / at.height) * height;
    if (px >= x0 - 6 && px <= x1 + 6 && py >= y1 - 6 && py <= y0 + 6) onPoint(x.invert(clamp(px, x0, x1)), y.invert(clamp(py, y1, y0)));
  };
  return html`<svg class=${
    onPoint ? "plot aim" : "plot"
  } viewBox="0 0 ${width} ${height}" width=${width} height=${height} role="img" aria-label=${label} onClick=${onPoint && click}>
    <g class="grid">${xs.map((t) => html`<line x1=${x(t)} x2=${x(t)} y1=${y0} y2=${y1} />`)}${
    ys.map((t) => html`<line x1=${x0} x2=${x1} y1=${y(t)} y2=${y(t)} />`)
  }</g>
    ${children({ x, y })}
    <g class="axis">
      <path d="M${x0},${y1}V${y0}H${x1}" />
      ${xs.map((t) => html`<text class="tick" x=${x(t)} y=${y0 + 15} text-anchor="middle">${number(t, 3)}</text>`)}
      ${ys.map((t) => html`<text class="tick" x=${x0 - 7} y=${y(t) + 3.5} text-anchor="end">${number(t, 3)}</text>`)}
      <text class="name" x=${(x0 + x1) / 2} y=${height - 5} text-anchor="middle">${xLabel}</text>
      <text class="name" transform="translate(11,${(y0 + y1) / 2}) rotate(-90)" text-anchor="middle">${yLabel}</text>
    </g>
  </svg>`;
}

/**
 * What is inside is cut at the chart's edges.
 * @param {{ x: Scale, y: Scale, children?: Content }} props
 */
export function Clip({ x, y, children }) {
  const [[xa, xb], [ya, yb]] = [x.range(), y.range()];
  return html`<svg x=${xa} y=${yb} width=${xb - xa} height=${ya - yb} viewBox="${xa} ${yb} ${xb - xa} ${ya - yb}">${children}</svg>`;
}

/**
 * @param {{ xs: ArrayLike<number>, ys: ArrayLike<number>, x: Scale, y: Scale, tone: string }} props
 *   tone: classes of the style sheet; a number that is not defined breaks the line
 */
export function Line({ xs, ys, x, y, tone }) {
  const path = /** @type {import("d3-shape").Line<number>} */ (line(
    (/** @type {number} */ i) => round(x(xs[i])),
    (/** @type {number} */ i) => round(y(ys[i])),
  )).defined((/** @type {number} */ i) => Number.isFinite(xs[i]) && Number.isFinite(ys[i]));
  return html`<path class="line ${tone}" d=${path(Array.from(xs, (_, i) => i)) ?? ""} />`;
}

/**
 * @param {{ xs: ArrayLike<number>, lo: ArrayLike<number>, hi: ArrayLike<number>, x: Scale, y: Scale, tone: string }} props
 */
export function Band({ xs, lo, hi, x, y, tone }) {
  const path = /** @type {import("d3-shape").Area<number>} */ (area(
    (/** @type {number} */ i) => round(x(xs[i])),
    (/** @type {number} */ i) => round(y(lo[i])),
    (/** @type {number} */ i) => round(y(hi[i])),
  )).defined((/** @type {number} */ i) => Number.isFinite(lo[i]) && Number.isFinite(hi[i]));
  return html`<path class="band ${tone}" d=${path(Array.from(xs, (_, i) => i)) ?? ""} />`;
}

/** The part of the chart where the constraints hold: violation at most 0. @param {{ x: Scale, y: Scale, along: "x" | "y" }} props */
export function Feasible({ x, y, along }) {
  const [[xa, xb], [ya, yb]] = [x.range(), y.range()];
  if (along === "y") {
    const zero = clamp(y(0), yb, ya);
    return html`<rect class="feasible" x=${xa} y=${zero} width=${xb - xa} height=${ya - zero} />`;
  }
  return html`<rect class="feasible" x=${xa} y=${yb} width=${clamp(x(0), xa, xb) - xa} height=${ya - yb} />`;
}

/** A hundredth of a pixel is as fine as anyone sees. @param {number} v */
const round = (v) => Math.round(v * 100) / 100;

/** @param {number} v @param {number} lo @param {number} hi */
export const clamp = (v, lo, hi) => Math.min(hi, Math.max(lo, v));

/**
 * Round ticks on a symmetric log scale: 0, powers of ten and then three times
 * these, on both sides, that lie in the domain and no closer than can be read.
 * @param {Scale} scale
 * @param {number} constant below it the scale is nearly linear
 * @param {number} [room] least distance in pixels
 */
export function symlogTicks(scale, constant, room = 22) {
  const [lo, hi] = scale.domain();
  const first = Math.ceil(Math.log10(constant) - 1e-9);
  const powers = Array.from({ length: 12 }, (_, i) => Number(`1e${first + i}`));
  const wanted = [0, ...[...powers, ...powers.map((p) => 3 * p)].flatMap((t) => [t, -t])];
  /** @type {number[]} */
  const kept = [];
  for (const t of wanted.filter((v) => v >= lo && v <= hi)) {
    if (kept.every((k) => Math.abs(scale(k) - scale(t)) >= room)) kept.push(t);
  }
  return kept.sort((a, b) => a - b);
}
