// @ts-check
// plot.js — a chart as SVG from plain data: axes with round numbers, bands, lines,
// dots, regions, labels and what else is drawn between the axes. Pure: the same picture stands on the page, in a report
// and in a file, at whatever size. Colours are classes; `picture/export.js` writes
// them out where no style sheet follows.

import { html } from "../view.js";
import { number } from "../words/format.js";
import { linear, ticks } from "./scale.js";

/**
 * @typedef {"main" | "bound" | "soft" | "bad" | "two" | "three" | "four" | "five" | "six"} Tone those of the lab; the Paper page has its own
 * @typedef {ArrayLike<number>} Numbers
 * @typedef {(v: number) => number} Scale
 * @typedef {{ kind: "band", xs: Numbers, lo: Numbers, hi: Numbers, tone?: string, steps?: boolean }
 *   | { kind: "line", xs: Numbers, ys: Numbers, tone: string, steps?: boolean }
 *   | { kind: "dots", xs: Numbers, ys: Numbers, tone: string, hollow?: boolean, size?: number }
 *   | { kind: "region", axis: "x" | "y", from: number, to: number, label: string, bad?: boolean }
 *   | { kind: "mark", x: number, y: number, text: string }
 *   | { kind: "drawing", draw: (x: Scale, y: Scale) => Content }} Mark region: where a coordinate is between two values; mark: a ring with a word; drawing: whatever else, in pixels
 * @typedef {{ label: string, domain: [number, number], whole?: boolean, named?: boolean, scale?: (range: [number, number]) => Scale, ticks?: (scale: Scale) => number[] }} Axis
 *   whole: what is counted, with no ticks between numbers; named: the label stands beside an upright axis, where no title says it; scale: from the domain to pixels where that is not linear
 * @typedef {{ x: Axis, y: Axis | null, marks: Mark[], height?: number, square?: boolean, cut?: boolean, points?: { xs: Numbers, words: (i: number) => string } }} Chart
 *   height: in pixels, where it is not as high as others; square: as high as it is wide between its axes; cut: what is outside the domain is not drawn; y null: a strip, whose dots have no height; points: what the pointer reads
 * @typedef {Chart & {
 *   id: string, title: string, says: string, legend: { tone: Tone | "band" | "region", label: string, dots?: boolean }[], head: string[], rows: (string | number)[][],
 *   bound?: { column: number, side: -1 | 1 },
 * }} Figure head and rows: the same numbers as a table; bound: the column of what is proved, and the side on which its digits are proved too
 */

/** Lines of more points than this are thinned: a screen has no more columns. */
const MOST_POINTS = 800;

/** @param {Chart} chart */
export const heightOf = (chart) => chart.height ?? (chart.y === null ? 96 : 220);

/**
 * Where the axes of a chart stand, in pixels, and what they make of a value.
 * @param {Chart} chart @param {number} width @param {number} height
 */
export function frameOf({ x: xAxis, y: yAxis, square }, width, height) {
  const scaled = (/** @type {Axis} */ axis, /** @type {[number, number]} */ range) => axis.scale?.(range) ?? linear(axis.domain, range);
  const y1 = 12;
  let y0 = height - 40;
  const yTicks = yAxis ? yAxis.ticks?.(scaled(yAxis, [y0, y1])) ?? ticks(yAxis.domain, Math.max(2, Math.round(height / 52))) : [];
  const x0 = yAxis ? 14 + (yAxis.named ? 16 : 0) + 6.3 * Math.max(1, ...yTicks.map((t) => tickText(t, yTicks).length)) : 14;
  const x1 = width - 16;
  if (square) y0 = y1 + x1 - x0;
  const x = scaled(xAxis, [x0, x1]);
  const most = Math.max(2, Math.floor((x1 - x0) / 64));
  const xTicks = xAxis.ticks?.(x) ??
    spaced(ticks(xAxis.domain, most).filter((t) => !xAxis.whole || Number.isInteger(t)), x, (t, all) => 7 * tickText(t, all).length + 12);
  return { x, y: yAxis ? scaled(yAxis, [y0, y1]) : () => (y0 + y1) / 2, xTicks, yTicks, box: [x0, x1, y0, y1], high: y0 + 40 };
}

/**
 * @param {{ figure: Chart & { title?: string }, width: number, height?: number, at?: number | null, label?: string, onClick?: (event: PointEvent) => void }} props at: the point that is read
 */
export function Plot({ figure, width, height = heightOf(figure), at = null, label = figure.title, onClick }) {
  const { marks, points, cut, x: xAxis, y: yAxis } = figure;
  const { x, y, xTicks, yTicks, box, high } = frameOf(figure, width, height);
  const [x0, x1, y0, y1] = box;
  const read = at !== null && points && at < points.xs.length ? points.xs[at] : null;
  const within = (/** @type {Mark} */ m) => cut === true && m.kind !== "dots"; // which stand whole on an edge
  const those = (/** @type {boolean} */ cutOff) => marks.map((m) => within(m) === cutOff && drawings[m.kind]?.(m, x, y, box));
  return html`<svg class=${
    onClick ? "plot aim" : "plot"
  } viewBox=${`0 0 ${width} ${high}`} width=${width} height=${high} role="img" aria-label=${label} onClick=${onClick}>
    ${marks.map((m) => m.kind === "region" && html`<${Region} of=${m} x=${x} y=${y} box=${box} />`)}
    <g class="grid">${yTicks.map((t) => html`<line x1=${x0} x2=${x1} y1=${r(y(t))} y2=${r(y(t))} />`)}</g>
    <g class="axis"><line x1=${x0} x2=${x1} y1=${y0} y2=${y0} />${
    xTicks.map((t) =>
      html`<line x1=${r(x(t))} x2=${r(x(t))} y1=${y0} y2=${y0 + 4} /><text x=${r(x(t))} y=${y0 + 16} text-anchor="middle">${tickText(t, xTicks)}</text>`
    )
  }${yTicks.map((t) => html`<text x=${x0 - 6} y=${r(y(t) + 4)} text-anchor="end">${tickText(t, yTicks)}</text>`)}
      <text class="name" x=${x1} y=${high - 6} text-anchor="end">${xAxis.label}</text>${
    yAxis?.named && html`<text class="name" transform=${`translate(11,${y1}) rotate(-90)`} text-anchor="end">${yAxis.label}</text>`
  }</g>
    ${cut && html`<svg x=${x0} y=${y1} width=${x1 - x0} height=${y0 - y1} viewBox=${`${x0} ${y1} ${x1 - x0} ${y0 - y1}`}>${those(true)}</svg>`}${those(false)}
    ${read !== null && html`<line class="reading" x1=${r(x(read))} x2=${r(x(read))} y1=${y1} y2=${y0} />`}
  </svg>`;
}
/** Half a pixel is finer than the eye. @param {number} v */
const r = (v) => Math.round(v * 10) / 10;

/** A tick in the words of all of them. @param {number} t @param {number[]} all */
function tickText(t, all) {
  const step = all.length > 1 ? Math.abs(all[1] - all[0]) : Math.abs(t) || 1;
  return Math.abs(t) < step * 1e-9 ? "0" : number(t, Math.max(5, Math.ceil(Math.log10(Math.max(Math.abs(t), step) / step)) + 2));
}

/**
 * Ticks far enough from each other for their numbers.
 * @param {number[]} all @param {(t: number) => number} at @param {(t: number, all: number[]) => number} room
 */
function spaced(all, at, room) {
  const need = Math.max(0, ...all.map((t) => room(t, all)));
  const gap = all.length > 1 ? Math.abs(at(all[1]) - at(all[0])) : Infinity;
  const skip = Math.max(1, Math.ceil(need / gap));
  return all.filter((_, i) => i % skip === 0);
}

/** How marks are drawn; regions lie below the grid. @type {Record<string, (m: any, x: (v: number) => number, y: (v: number) => number, box: number[]) => Content>} */
const drawings = {
  band: (m, x, y) => html`<path class=${`band ${m.tone ?? ""}`} d=${bandPath(m, x, y)} />`,
  line: (m, x, y) => html`<path class=${`line ${m.tone}`} d=${linePath(thin(m.xs, m.ys), x, y, m.steps === true)} />`,
  dots: (m, x, y) =>
    html`<g class=${`dots ${m.tone}${m.hollow ? " hollow" : ""}`}>${
      thin(m.xs, m.ys).map(([u, v]) => Number.isFinite(u) && Number.isFinite(v) && html`<circle cx=${r(x(u))} cy=${r(y(v))} r=${m.size ?? 2.6} />`)
    }</g>`,
  mark: (m, x, y, [x0, x1, , y1]) => {
    const [u, v] = [x(m.x), y(m.y)];
    const right = u + 6.4 * m.text.length + 12 > x1;
    return html`<g class="mark"><circle cx=${r(u)} cy=${r(v)} r="5" /><text x=${r(Math.max(x0, u + (right ? -10 : 10)))} y=${
      r(v < y1 + 22 ? v + 17 : v - 9)
    } text-anchor=${right ? "end" : "start"}>${m.text}</text></g>`;
  },
  drawing: (m, x, y) => m.draw(x, y),
};

/** @param {{ of: Extract<Mark, { kind: "region" }>, x: (v: number) => number, y: (v: number) => number, box: number[] }} props */
function Region({ of, x, y, box: [x0, x1, y0, y1] }) {
  const clamp = (/** @type {number} */ v, /** @type {number} */ lo, /** @type {number} */ hi) => Math.max(lo, Math.min(hi, v));
  const [a, b] = of.axis === "x" ? [clamp(x(of.from), x0, x1), clamp(x(of.to), x0, x1)] : [x0, x1];
  const [c, d] = of.axis === "y" ? [clamp(y(of.to), y1, y0), clamp(y(of.from), y1, y0)] : [y1, y0];
  if (!(b - a > 0.5) || !(d - c > 0.5)) return null;
  const fits = of.label !== "" && b - a > 6.4 * of.label.length + 10 && d - c > 14;
  return html`<g class=${of.bad ? "region bad" : "region"}><rect x=${r(a)} y=${r(c)} width=${r(b - a)} height=${r(d - c)} />${
    fits && html`<text x=${r(a + 6)} y=${r(d - 5)}>${of.label}</text>`
  }</g>`;
}

/** Every so manieth point, and the last. @param {Numbers} xs @param {Numbers} ys @returns {[number, number][]} */
function thin(xs, ys) {
  const n = xs.length;
  const skip = Math.max(1, Math.ceil(n / MOST_POINTS));
  /** @type {[number, number][]} */
  const out = [];
  for (let i = 0; i < n; i += skip) out.push([xs[i], ys[i]]);
  if (n > 0 && (n - 1) % skip !== 0) out.push([xs[n - 1], ys[n - 1]]);
  return out;
}

/**
 * A line through the points, broken where one is not defined; a point by itself is a dot.
 * @param {[number, number][]} points @param {(v: number) => number} x @param {(v: number) => number} y @param {boolean} steps
 */
function linePath(points, x, y, steps) {
  let d = "";
  let pen = false;
  for (const [i, [u, v]] of points.entries()) {
    if (!Number.isFinite(u) || !Number.isFinite(v)) {
      pen = false;
      continue;
    }
    const [px, py] = [r(x(u)), r(y(v))];
    const alone = !pen && !(Number.isFinite(points[i + 1]?.[0]) && Number.isFinite(points[i + 1]?.[1]));
    d += !pen ? `M${px},${py}${alone ? "h.1" : ""}` : steps ? `H${px}V${py}` : `L${px},${py}`;
    pen = true;
  }
  return d;
}

/** The area between two lines where both are defined. @param {Extract<Mark, { kind: "band" }>} m @param {(v: number) => number} x @param {(v: number) => number} y */
function bandPath(m, x, y) {
  const both = [...Array(m.xs.length).keys()].filter((i) => Number.isFinite(m.xs[i]) && Number.isFinite(m.lo[i]) && Number.isFinite(m.hi[i]));
  if (both.length < 2) return "";
  const steps = m.steps === true;
  const [px, low, high] = [(/** @type {number} */ i) => r(x(m.xs[i])), (/** @type {number} */ i) => r(y(m.lo[i])), (/** @type {number} */ i) => r(y(m.hi[i]))];
  const there = both.map((i, n) => (n === 0 ? `M${px(i)},${low(i)}` : steps ? `H${px(i)}V${low(i)}` : `L${px(i)},${low(i)}`));
  const back = both.toReversed().map((i, n) => (n > 0 && steps ? `V${high(i)}H${px(i)}` : `L${px(i)},${high(i)}`));
  return `${there.join("")}${back.join("")}Z`;
}
