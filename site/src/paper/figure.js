// @ts-check
// figure.js — what every figure is made of: what is computed for it as its inputs change, its charts, drawn by
// picture/plot.js as wide as they find room, the logarithmic axes that only this page has, and what stands below its
// heading: controls, what is going on in words, the figure as files, its numbers as a table. A figure that fails says
// why and can be tried again. Scales come from d3-scale.

import { Component, html, useEffect, useRef, useState } from "../view.js";
import { saveFile } from "../browser.js";
import { csv, number } from "../words/format.js";
import { Twin } from "../panels/charts.js";
import { Icon, useWidth } from "../panels/parts.js";
import { picture, savePng, saveSvg, tablePicture } from "../picture/export.js";
import { scaleSymlog } from "d3-scale";
import { frameOf, heightOf, Plot } from "../picture/plot.js";

/** @typedef {{ head: string[], rows: (string | number)[][] }} Data */
/** @typedef {{ solver: () => Promise<import("../rcmdp.js").Solver>, tell: (error: unknown) => void }} FigureProps */

/**
 * @param {{
 *   id: string, title: string, controls?: Content, legend?: Content, children?: Content, after?: Content, data: () => Data,
 *   status?: string, news?: Content, drawing?: boolean, csvText?: () => string, tell: (error: unknown) => void,
 * }} props
 *   after: what stands below the charts and is not part of the picture; status: said to a screen reader when it changes; news: shown beside it and not said; drawing: false where a
 *   figure is a table; csvText: what the CSV file holds when it is not `data`
 */
export function Figure({ id, title, controls, legend, children, after, data, status = "", news, drawing = true, csvText, tell }) {
  const body = useRef(/** @type {HTMLElement | null} */ (null));
  const drawn = () => (drawing ? picture(/** @type {HTMLElement} */ (body.current), title) : tablePicture({ title, ...data() }));
  const save = (/** @type {() => unknown} */ make) => async () => {
    try {
      await make();
    } catch (error) {
      tell(error);
    }
  };
  const rows = () => {
    const d = data();
    return csv([d.head, ...d.rows]);
  };
  return html`
    ${controls && html`<div class="controls">${controls}</div>`}
    <div class="drawn" ref=${body}>${legend}<div class="plots">${children}</div></div>
    ${after}
    <div class="below">
      <p class="state"><span role="status">${status}</span>${news}</p>
      <div class="toolbar" role="group" aria-label="Save this figure">
        <button type="button" onClick=${save(() => saveSvg(drawn(), id))}><${Icon} name="download" />SVG</button>
        <button type="button" onClick=${save(() => savePng(drawn(), id))}><${Icon} name="download" />PNG</button>
        <button type="button" onClick=${save(() => saveFile(`${id}.csv`, csvText ? csvText() : rows(), "text/csv"))}><${Icon} name="download" />CSV</button>
      </div>
    </div>
    ${drawing && html`<${Numbers} data=${data} title=${title} />`}`;
}

/** The numbers of a figure for who cannot see it, made when opened. @param {{ data: () => Data, title: string }} props */
function Numbers({ data, title }) {
  const [open, setOpen] = useState(false);
  return html`<details class="twin" onToggle=${(/** @type {{ currentTarget: HTMLDetailsElement }} */ e) =>
    setOpen(e.currentTarget.open)}><summary>Numbers</summary>${open && html`<${Twin} title=${title} ...${data()} />`}</details>`;
}

/**
 * A slider with its number beside it.
 * @param {{ label: Content, value: number, min: number, max: number, step: number, onValue: (v: number) => void, show?: (v: number) => string, broad?: boolean }} props
 */
export const Slider = ({ label, value, min, max, step, onValue, show = (v) => number(v, 4), broad = false }) =>
  html`<label class=${broad ? "slider broad" : "slider"}><span>${label} <output>${show(value)}</output></span>
  <input type="range" min=${min} max=${max} step=${step} value=${value} onInput=${(/** @type {FieldEvent} */ e) => onValue(Number(e.target.value))} /></label>`;

/**
 * Draws a figure, or why it cannot be drawn. Trying again starts it anew.
 * @extends {Component<{ of: any, solver: FigureProps["solver"], more?: object }, { error: Error | null, attempt: number }>}
 */
export class Guard extends Component {
  constructor(/** @type {any} */ props) {
    super(props);
    this.state = { error: /** @type {Error | null} */ (null), attempt: 0 };
  }

  componentDidCatch(/** @type {Error} */ error) {
    this.setState({ error });
  }

  render() {
    const { of: Body, solver, more } = this.props;
    const { attempt, error } = this.state;
    if (error === null)
      return html`<${Body} key=${attempt} solver=${solver} tell=${(/** @type {unknown} */ e) =>
        this.setState({ error: e instanceof Error ? e : new Error(String(e)) })} ...${more} />`;
    return html`<div class="trouble" role="alert">
      <h3>This figure cannot be shown</h3>
      <p>${error.message}</p>
      <button type="button" onClick=${() => this.setState({ error: null, attempt: attempt + 1 })}>Try again</button>
    </div>`;
  }
}

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

/**
 * @template T
 * @param {() => Promise<import("../rcmdp.js").Solver>} solver
 * @param {(solver: import("../rcmdp.js").Solver) => Promise<T>} compute
 * @param {unknown} inputs plain data that the result depends on
 * @param {(error: unknown) => void} tell hears why there is none
 * @returns {{ value: T | null, current: boolean }} the newest result, and whether it is for these inputs
 */
export function useComputed(solver, compute, inputs, tell) {
  const [got, setGot] = useState(/** @type {{ value: T | null, of: string }} */ ({ value: null, of: "" }));
  const work = useRef(latest());
  const key = JSON.stringify(inputs);
  useEffect(() => {
    work.current(async () => setGot({ value: await compute(await solver()), of: key })).catch(tell);
  }, [key]);
  useEffect(() => () => void work.current(async () => {}), []);
  return { value: got.value, current: got.of === key };
}

/**
 * A place for one task at a time: a task that is given while another runs waits
 * for it, and is dropped when a newer one comes.
 * @returns {(task: () => Promise<void>) => Promise<void>}
 */
export function latest() {
  /** @type {Promise<void> | null} */
  let running = null;
  let turn = 0;
  return async (task) => {
    const mine = ++turn;
    while (running) await running.catch(() => {});
    if (mine !== turn) return;
    running = task();
    try {
      await running;
    } finally {
      running = null;
    }
  };
}
