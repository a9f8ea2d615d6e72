// @ts-check
// charts.js — draws the three views of a run with uPlot, each with a table twin,
// its points as CSV and its picture as PNG. A chart is drawn again at most a few
// times a second.

import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { fileStem, saveFile } from "../pages/browser.js";
import { number } from "../words/format.js";
import { extent } from "../picture/scale.js";
import { chartCsv, chartsOf, rowsOf, steps } from "../lab/trace.js";
import { useWidth } from "./parts.js";

/** @typedef {import("../lab/trace.js").ChartSpec} ChartSpec */
/** @typedef {import("uplot")} uPlot */

/** @type {typeof import("uplot") | null} */
let Plot = null;
/** @type {Promise<void> | null} */
let loading = null;
/** Loads uPlot with the first chart: a third of the embed's code, and one that nobody has solved has no chart. */
const load = () => (loading ??= import("uplot").then((module) => {
  Plot = module.default;
}));

const HEIGHT = 200;
/** A running chart is drawn again after this long at the earliest. */
const REDRAW_MS = 120;
/** A table twin shows so many rows; the CSV has them all. */
const TWIN_ROWS = 500;

/**
 * What a run is called in a legend.
 * @param {string} name
 * @param {string} algorithm
 * @param {any[]} algorithms
 */
export const runLabel = (name, algorithm, algorithms) => `${name || "Untitled model"}, ${algorithms.find((a) => a.id === algorithm)?.title ?? algorithm}`;

/**
 * @param {{ lab: any, problem: any, trace: any, compare: any, label: string, algorithms: any[], running: boolean }} props
 */
export function Charts({ lab, problem, trace, compare, label, algorithms, running }) {
  const n = steps(trace);
  const other = compare && compare.run.result?.trace
    ? { label: runLabel(compare.label, compare.run.algorithm, algorithms), trace: compare.run.result.trace }
    : null;
  const charts = chartsOf(problem, trace ?? {}, other, label);
  return html`<div><h3>The search ${
    compare && html`<small>compared with ${compare.label} <button type="button" class="plain" onClick=${() =>
      lab.compareWith(null)}>End the comparison</button></small>`
  }</h3>
    <div class="charts">${
    charts.map((chart) =>
      html`<${Chart} key=${chart.id} chart=${chart} points=${n} running=${running} file=${`${fileStem(problem.name ?? "model")}-${chart.id}`} />`
    )
  }</div></div>`;
}

/**
 * @param {{ chart: ChartSpec, points: number, running: boolean, file: string }} props
 */
function Chart({ chart, points, running, file }) {
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const plot = useRef(/** @type {uPlot | null} */ (null));
  const view = useRef(/** @type {View | null} */ (null));
  const latest = useRef(chart);
  const timer = useRef(/** @type {any} */ (null));
  const drawn = useRef(0);
  const [read, setRead] = useState("");
  const [twin, setTwin] = useState(false);
  latest.current = chart;

  const draw = () => {
    clearTimeout(timer.current);
    timer.current = null;
    if (!Plot) return void load().then(draw);
    drawn.current = performance.now();
    const width = box.current?.clientWidth ?? 0;
    if (!box.current || width < 40) return;
    const next = viewOf(latest.current, box.current);
    const old = plot.current;
    // The same lines with more points: nothing but the drawing changes.
    if (old && next && old.width === width && old.series.length === next.chart.series.length + 1 && view.current) {
      Object.assign(view.current, next);
      old.batch(() => {
        old.setData(dataOf(next.chart), false);
        for (const key of /** @type {("x" | "y")[]} */ (["x", "y"])) old.setScale(key, { min: next.ranges[key][0], max: next.ranges[key][1] });
      });
      return;
    }
    old?.destroy();
    view.current = next;
    plot.current = next && make(box.current, next, width, setRead);
  };
  const soon = () => {
    if (timer.current !== null) return;
    const wait = running ? Math.max(0, REDRAW_MS - (performance.now() - drawn.current)) : 0;
    timer.current = setTimeout(draw, wait);
  };
  useWidth(box, soon);
  // A progress record between two steps brings no new point.
  useEffect(soon, [chart.series[0]?.ys, chart.series[1]?.ys, chart.series[2]?.ys]);
  useEffect(() => {
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", draw);
    return () => {
      dark.removeEventListener("change", draw);
      clearTimeout(timer.current);
      plot.current?.destroy();
    };
  }, []);

  const some = chart.series.some((s) => s.xs.length > 0);
  return html`<figure>
    <figcaption>${chart.title}</figcaption><p class="says">${chart.says}</p>
    <div class="frame" aria-hidden="true"><div class="plot" ref=${box}></div><p class="read">${read}</p>${
    !some && html`<p class="empty">${running ? "Waiting for the first step…" : "This method reports no steps."}</p>`
  }</div>
    ${chart.series.length > 1 && html`<p class="key">${chart.series.map((s) => html`<span><i class=${s.tone}></i>${s.label}</span>`)}</p>`}
    <div class="tools"><button type="button" class="plain" aria-expanded=${String(twin)} onClick=${() => setTwin(!twin)} aria-label=${`${
    twin ? "Hide table" : "Table"
  }: ${chart.title}`}>${twin ? "Hide table" : "Table"}</button>
      <button type="button" class="plain" disabled=${points === 0} onClick=${() =>
    saveFile(`${file}.csv`, chartCsv(chart), "text/csv")} aria-label=${`CSV: ${chart.title}`}>CSV</button>
      <button type="button" class="plain" disabled=${points === 0} onClick=${() =>
    picture(plot.current, file)} aria-label=${`PNG: ${chart.title}`}>PNG</button></div>
    ${twin && html`<${Twin} chart=${chart} />`}
  </figure>`;
}

/** @param {{ chart: ChartSpec }} props */
function Twin({ chart }) {
  const [head, ...rows] = rowsOf(chart);
  return html`<div class="twin" tabindex="0" role="region" aria-label=${`Table of “${chart.title}”`}><table class="lines"><caption>${chart.title}</caption><thead><tr>${
    head.map((h) => html`<th scope="col" class=${h === "series" ? "" : "n"}>${h}</th>`)
  }</tr></thead>
    <tbody>${
    rows.slice(0, TWIN_ROWS).map((row) =>
      html`<tr>${row.map((x) => html`<td class=${typeof x === "number" ? "n" : ""}>${typeof x === "number" ? number(x, 6) : x}</td>`)}</tr>`
    )
  }</tbody></table>
    ${rows.length > TWIN_ROWS && html`<p class="help">The first ${TWIN_ROWS} of ${rows.length} rows; the CSV has all.</p>`}</div>`;
}

/** The colours that the style sheet gives now. @param {HTMLElement} element */
function colours(element) {
  const style = getComputedStyle(element);
  const of = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  return {
    ink: of("--ink"),
    soft: of("--ink-2"),
    line: of("--line"),
    grey: of("--line-2"),
    accent: of("--accent"),
    tint: of("--tint"),
    card: of("--card"),
    font: style.fontFamily,
  };
}

/** @typedef {{ chart: ChartSpec, ranges: { x: [number, number], y: [number, number] }, colour: ReturnType<typeof colours> }} View */

/**
 * What a drawing depends on besides its size; null when there is no point.
 * @param {ChartSpec} chart
 * @param {HTMLElement} box
 * @returns {View | null}
 */
function viewOf(chart, box) {
  if (!chart.series.some((s) => s.xs.length > 0)) return null;
  const all = (/** @type {"xs" | "ys"} */ key) => chart.series.flatMap((s) => Array.from(s[key]));
  const xRange = wide(extent(all("xs"), chart.path ? 0.06 : 0.02) ?? [0, 1], chart.path ? chart.units.x : 1);
  const yRange = wide(extent([...all("ys"), ...(chart.best ? [chart.best.y] : [])], 0.08) ?? [0, 1], chart.units.y);
  // The border of the feasible side is always in the picture.
  const withZero = (/** @type {[number, number]} */ [lo, hi]) => {
    const edge = 0.08 * (Math.max(hi, 0) - Math.min(lo, 0));
    return /** @type {[number, number]} */ ([Math.min(lo, -edge), Math.max(hi, edge)]);
  };
  return {
    chart,
    colour: colours(box),
    ranges: { x: chart.feasible === "x" ? withZero(xRange) : xRange, y: chart.feasible === "y" ? withZero(yRange) : yRange },
  };
}

/** @param {ChartSpec} chart */
const dataOf = (chart) => /** @type {any} */ ([null, ...chart.series.map((s) => [s.xs, s.ys])]);

/** The lines of the tones, besides their colour. @type {Record<string, number[]>} */
const dashes = { main: [], compare: [6, 4], bound: [2, 3] };

/**
 * @param {HTMLElement} box
 * @param {View} view changed in place when there are more points
 * @param {number} width
 * @param {(text: string) => void} setRead
 * @returns {uPlot}
 */
function make(box, view, width, setRead) {
  const ratio = devicePixelRatio || 1;
  const font = `11px ${view.colour.font}`;
  const axis = {
    stroke: () => view.colour.soft,
    font,
    labelFont: font,
    grid: { stroke: () => view.colour.line, width: 1 },
    ticks: { show: false },
    values: (/** @type {any} */ _, /** @type {number[]} */ v) => v.map((x) => number(x, 5)),
  };

  /** @param {uPlot} u */
  const shadeFeasible = (u) => {
    const { chart, colour } = view;
    if (!chart.feasible) return;
    const { ctx, bbox } = u;
    const zero = u.valToPos(0, chart.feasible === "y" ? "y" : "x", true);
    ctx.save();
    ctx.fillStyle = colour.tint;
    if (chart.feasible === "y") ctx.fillRect(bbox.left, zero, bbox.width, bbox.top + bbox.height - zero);
    else ctx.fillRect(bbox.left, bbox.top, zero - bbox.left, bbox.height);
    ctx.fillStyle = colour.soft;
    ctx.font = `${11 * ratio}px ${colour.font}`;
    ctx.textAlign = "left";
    ctx.textBaseline = "bottom";
    const room = chart.feasible === "y" ? bbox.width : zero - bbox.left;
    if (ctx.measureText("feasible").width + 8 * ratio < room) ctx.fillText("feasible", bbox.left + 5 * ratio, bbox.top + bbox.height - 3 * ratio);
    ctx.restore();
  };
  /** @param {uPlot} u */
  const lines = (u) => {
    const { chart, colour } = view;
    const { ctx, bbox } = u;
    const stroke = { main: colour.accent, compare: colour.grey, bound: colour.ink };
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.lineJoin = "round";
    for (const s of chart.series) {
      ctx.strokeStyle = ctx.fillStyle = stroke[s.tone];
      ctx.lineWidth = (s.tone === "main" ? 2 : 1.5) * ratio;
      ctx.setLineDash(dashes[s.tone].map((d) => d * ratio));
      ctx.beginPath();
      let pen = false;
      let before = 0;
      const dots = [];
      for (let i = 0; i < s.xs.length; i++) {
        if (!Number.isFinite(s.xs[i]) || !Number.isFinite(s.ys[i])) {
          pen = false;
          continue;
        }
        const [x, y] = [u.valToPos(s.xs[i], "x", true), u.valToPos(s.ys[i], "y", true)];
        if (pen && s.steps) ctx.lineTo(x, before);
        if (pen) ctx.lineTo(x, y);
        else ctx.moveTo(x, y);
        pen = true;
        before = y;
        dots.push([x, y]);
      }
      ctx.stroke();
      ctx.setLineDash([]);
      if (s.tone !== "bound" && dots.length <= 60) {
        for (const [x, y] of dots) {
          ctx.beginPath();
          ctx.arc(x, y, 2.25 * ratio, 0, 2 * Math.PI);
          ctx.fill();
        }
      }
    }
    if (chart.best) {
      const [x, y] = [u.valToPos(chart.best.x, "x", true), u.valToPos(chart.best.y, "y", true)];
      ctx.lineWidth = 2 * ratio;
      ctx.strokeStyle = colour.ink;
      ctx.fillStyle = colour.card;
      ctx.beginPath();
      ctx.arc(x, y, 5 * ratio, 0, 2 * Math.PI);
      ctx.fill();
      ctx.stroke();
      ctx.font = `600 ${11 * ratio}px ${colour.font}`;
      ctx.fillStyle = colour.ink;
      const right = x + 8 * ratio + ctx.measureText(chart.best.text).width > bbox.left + bbox.width;
      ctx.textAlign = right ? "right" : "left";
      ctx.textBaseline = y > bbox.top + bbox.height / 2 ? "bottom" : "top";
      ctx.fillText(chart.best.text, x + (right ? -8 : 8) * ratio, y + (y > bbox.top + bbox.height / 2 ? -6 : 6) * ratio);
    }
    ctx.restore();
  };

  const { chart } = view;
  const Uplot = /** @type {NonNullable<typeof Plot>} */ (Plot);
  return new Uplot(
    /** @type {any} */ ({
      mode: 2,
      width,
      height: HEIGHT,
      padding: [8, 8, 0, 0],
      legend: { show: false },
      cursor: { drag: { x: false, y: false, setScale: false }, points: { show: false } },
      scales: { x: { time: false, auto: false, range: () => view.ranges.x }, y: { auto: false, range: () => view.ranges.y } },
      axes: [{
        ...axis,
        scale: "x",
        label: chart.x,
        labelSize: 18,
        size: 26,
        space: 46,
        ...(chart.path ? {} : { incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000] }),
      }, { ...axis, scale: "y", size: 50, gap: 3, space: 28 }],
      series: [
        {},
        ...chart.series.map(() => ({ facets: [{ scale: "x", auto: false }, { scale: "y", auto: false }], paths: () => null, points: { show: false } })),
      ],
      hooks: {
        drawClear: [shadeFeasible],
        draw: [lines],
        setCursor: [(/** @type {uPlot} */ u) => {
          const { left = -1, top = -1 } = u.cursor;
          const main = view.chart.series.find((s) => s.tone === "main");
          setRead(left < 0 || !main ? "" : nearestPoint(u, main, left, top, view.chart));
        }],
      },
    }),
    dataOf(chart),
    box,
  );
}

/**
 * A range no narrower than a thousandth of what the numbers measure: rounding
 * must not look like movement.
 * @param {[number, number]} range
 * @param {number} unit
 * @returns {[number, number]}
 */
function wide([lo, hi], unit) {
  const lack = 1e-3 * unit - (hi - lo);
  return lack > 0 ? [lo - lack / 2, hi + lack / 2] : [lo, hi];
}

/**
 * The point nearest to the pointer, in words.
 * @param {uPlot} u
 * @param {import("../lab/trace.js").Series} s
 * @param {number} left
 * @param {number} top
 * @param {ChartSpec} chart
 */
function nearestPoint(u, s, left, top, chart) {
  let best = -1;
  let least = Infinity;
  for (let i = 0; i < s.xs.length; i++) {
    const dx = u.valToPos(s.xs[i], "x") - left;
    const dy = chart.path ? u.valToPos(s.ys[i], "y") - top : 0;
    const d = dx * dx + dy * dy;
    if (d < least) {
      least = d;
      best = i;
    }
  }
  return best < 0 ? "" : `${chart.x} ${number(s.xs[best], 5)}: ${chart.y} ${number(s.ys[best], 6)}`;
}

/**
 * The chart as it is on the page, on the card's colour.
 * @param {uPlot | null} u
 * @param {string} file
 */
function picture(u, file) {
  if (!u) return;
  const from = u.ctx.canvas;
  const canvas = document.createElement("canvas");
  canvas.width = from.width;
  canvas.height = from.height;
  const ctx = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  ctx.fillStyle = colours(u.root).card;
  ctx.fillRect(0, 0, canvas.width, canvas.height);
  ctx.drawImage(from, 0, 0);
  canvas.toBlob((blob) => blob && saveFile(`${file}.png`, blob));
}
