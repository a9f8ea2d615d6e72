// @ts-check
// plot.js — a figure's charts as the page shows them, drawn by picture/plot.js as wide as they find room, and the
// logarithmic axes that only this page has. Scales come from d3-scale.

import { html, useRef, useState } from "../view.js";
import { scaleSymlog } from "d3-scale";
import { frameOf, heightOf, Plot } from "../picture/plot.js";
import { useWidth } from "../panels/parts.js";

/**
 * @typedef {import("../picture/plot.js").Chart} Chart
 * @typedef {import("../picture/plot.js").Axis} Axis
 * @typedef {import("../picture/plot.js").Mark} Mark
 * @typedef {import("../picture/plot.js").Scale} Scale
 */

/**
 * @param {{ chart: Chart, label: string, title?: Content, onPoint?: (x: number, y: number) => void }} props onPoint: hears where the
 *   reader clicked, in the units of the axes, which then are linear
 */
export function Pane({ chart, label, title, onPoint }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const [width, setWidth] = useState(0);
  useWidth(box, (w) => setWidth(Math.round(w)));
  const click = (/** @type {PointEvent} */ event) => {
    const { box: [x0, x1, y0, y1], high } = frameOf(chart, width, heightOf(chart));
    const at = event.currentTarget.getBoundingClientRect();
    const along = (/** @type {Axis | null} */ axis, /** @type {number} */ share) => {
      const [lo, hi] = axis?.domain ?? [0, 0];
      return lo + Math.min(1, Math.max(0, share)) * (hi - lo);
    };
    const px = ((event.clientX - at.left) / at.width) * width;
    const py = ((event.clientY - at.top) / at.height) * high;
    if (px >= x0 - 6 && px <= x1 + 6 && py >= y1 - 6 && py <= y0 + 6) onPoint?.(along(chart.x, (px - x0) / (x1 - x0)), along(chart.y, (py - y0) / (y1 - y0)));
  };
  return html`<figure class="pane">${title && html`<figcaption>${title}</figcaption>`}
    <div class=${chart.square ? "sheet square" : "sheet"} ref=${box}>${
    width >= 120 && html`<${Plot} figure=${chart} width=${width} label=${label} onClick=${onPoint && click} />`
  }</div></figure>`;
}

/** The part of a chart where the constraints hold: violation at most 0. @param {"x" | "y"} axis @param {Axis} of @returns {Mark} */
export const feasible = (axis, { domain: [lo] }) => ({ kind: "region", axis, from: lo, to: 0, label: "" });

/**
 * An axis that is nearly linear below a constant and logarithmic beyond, on both sides of 0.
 * @param {string} label @param {[number, number]} domain @param {number} constant @param {number} [room] between ticks, in pixels @returns {Axis}
 */
export const symlog = (label, domain, constant, room) => ({
  label,
  domain,
  named: true,
  scale: (range) => scaleSymlog(domain, range).constant(constant),
  ticks: (scale) => symlogTicks(scale, domain, constant, room),
});

/**
 * Round ticks on such an axis: 0, powers of ten and then three times
 * these, on both sides, that lie in the domain and no closer than can be read.
 * @param {Scale} scale
 * @param {[number, number]} domain
 * @param {number} constant below it the scale is nearly linear
 * @param {number} [room] least distance in pixels
 */
export function symlogTicks(scale, [lo, hi], constant, room = 22) {
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
