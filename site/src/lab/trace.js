// @ts-check
// trace.js — the outer steps of a run as columns, while it runs and afterwards,
// and the charts and tables made of them. Pure.

import { csv, number } from "../words/format.js";
import { valueWord } from "../words/words.js";

/** @typedef {Record<string, number[] | Float64Array>} Trace */

const columns = ["k", "objective", "maxViolation", "bestObjective", "lowerBound", "upperBound", "evaluations", "seconds"];

/** @returns {Trace} */
export const emptyTrace = () => Object.fromEntries(columns.map((name) => [name, []]));

/**
 * The trace with the outer step that the progress record ends; the trace itself
 * when the record ends none.
 * @param {Trace} trace
 * @param {any} p
 * @returns {Trace}
 */
export function extended(trace, p) {
  if (!p.step) return trace;
  const value = (/** @type {string} */ name) => {
    if (name === "bestObjective") return p.best?.feasible ? p.best.objective : NaN;
    const x = p[name];
    return typeof x === "number" ? x : NaN;
  };
  return Object.fromEntries(columns.map((name) => [name, [...(trace[name] ?? []), value(name)]]));
}

/**
 * @param {Trace | undefined} trace
 * @returns {number}
 */
export const steps = (trace) => trace?.k?.length ?? 0;

/**
 * The best step: the feasible one of best objective, or -1.
 * @param {Trace} trace
 * @param {boolean} maximize
 * @param {boolean} constrained
 */
export function bestStep(trace, maximize, constrained) {
  let best = -1;
  for (let i = 0; i < steps(trace); i++) {
    const feasible = !constrained || trace.maxViolation[i] <= 1e-9;
    const x = trace.objective[i];
    if (!feasible || !Number.isFinite(x)) continue;
    if (best < 0 || (maximize ? x > trace.objective[best] : x < trace.objective[best])) best = i;
  }
  return best;
}

/**
 * @typedef {{ label: string, xs: ArrayLike<number>, ys: ArrayLike<number>, tone: "main" | "compare" | "bound", steps?: boolean }} Series
 * @typedef {{
 *   id: string, title: string, says: string, x: string, y: string, path: boolean,
 *   series: Series[], feasible: "x" | "y" | null, best: { x: number, y: number, text: string } | null, units: { x: number, y: number },
 * }} ChartSpec path: points joined in order, where x need not ascend; units: the size of what each axis measures
 */

/**
 * The three views of a run: violation by step, objective by step, and one
 * against the other.
 * @param {any} problem
 * @param {Trace} trace
 * @param {{ label: string, trace: Trace } | null} [other] a run to compare with
 * @param {string} [label]
 * @returns {ChartSpec[]}
 */
export function chartsOf(problem, trace, other = null, label = "this run") {
  const name = problem?.objective?.name || "objective";
  const maximize = problem?.objective?.sense === "maximize";
  const constrained = (problem?.constraints ?? []).length > 0;
  const at = bestStep(trace, maximize, constrained);
  const both = (/** @type {(t: Trace) => [ArrayLike<number>, ArrayLike<number>]} */ pick) => {
    /** @type {Series[]} */
    const out = [];
    if (other) out.push({ label: other.label, xs: pick(other.trace)[0], ys: pick(other.trace)[1], tone: "compare" });
    out.push({ label, xs: pick(trace)[0], ys: pick(trace)[1], tone: "main" });
    return out;
  };
  const mark = (
    /** @type {number} */ x,
    /** @type {number} */ y,
    /** @type {string} */ text,
  ) => (at < 0 || !Number.isFinite(x) || !Number.isFinite(y) ? null : { x, y, text });
  const worst = `${valueWord(problem)} ${name}`;
  const limits = (problem?.constraints ?? []).map((/** @type {any} */ c) => Math.abs(c.atMost ?? c.atLeast ?? 0));
  const units = { violation: Math.max(...limits, 0) || 1, objective: Math.max(0, ...[...(trace.objective ?? [])].filter(Number.isFinite).map(Math.abs)) || 1 };

  const objective = both((t) => [t.k, t.objective]);
  // One bound is enough, this run's or the other's: both are of the same problem.
  for (const t of [trace, ...(other ? [other.trace] : [])]) {
    const bound = [t.lowerBound, t.upperBound].find((c) => c && [...c].some(Number.isFinite));
    if (!bound) continue;
    objective.push({ label: "proved: no policy is better", xs: t.k, ys: bound, tone: "bound", steps: true });
    break;
  }

  /** @type {ChartSpec[]} */
  const charts = [];
  if (constrained) {
    charts.push({
      id: "violation",
      title: "Violation by step",
      says: "How far the policy of each outer step breaks its limits; at or below 0 it keeps them.",
      x: "outer step",
      y: "largest violation",
      path: false,
      feasible: "y",
      units: { x: 1, y: units.violation },
      series: both((t) => [t.k, t.maxViolation]),
      best: mark(trace.k[at], trace.maxViolation[at], "best feasible"),
    });
  }
  charts.push({
    id: "objective",
    title: "Objective by step",
    says: `The ${worst} of the policy of each outer step${maximize ? "; higher is better" : "; lower is better"}.`,
    x: "outer step",
    y: worst,
    path: false,
    feasible: null,
    units: { x: 1, y: units.objective },
    series: objective,
    best: mark(trace.k[at], trace.objective[at], number(trace.objective[at])),
  });
  if (constrained) {
    charts.push({
      id: "path",
      title: "Violation against objective",
      says: "The same steps in the order they were taken: to the left of 0 the policy keeps its limits.",
      x: "largest violation",
      y: worst,
      path: true,
      feasible: "x",
      units: { x: units.violation, y: units.objective },
      series: both((t) => [t.maxViolation, t.objective]),
      best: mark(trace.maxViolation[at], trace.objective[at], number(trace.objective[at])),
    });
  }
  return charts;
}

/**
 * A chart's points as rows under a head: what its table twin and its CSV show.
 * @param {ChartSpec} chart
 * @returns {(string | number)[][]}
 */
export function rowsOf(chart) {
  const many = chart.series.length > 1;
  /** @type {(string | number)[][]} */
  const rows = [many ? ["series", chart.x, chart.y] : [chart.x, chart.y]];
  for (const s of chart.series) {
    for (let i = 0; i < s.xs.length; i++) rows.push(many ? [s.label, s.xs[i], s.ys[i]] : [s.xs[i], s.ys[i]]);
  }
  return rows;
}

/** @param {ChartSpec} chart */
export const chartCsv = (chart) => csv(rowsOf(chart));
