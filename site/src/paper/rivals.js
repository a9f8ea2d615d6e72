// @ts-check
// rivals.js — what methods have found by the number of policies that they evaluated, beside the
// bound that is proved, on a model of the reader's choice. Run here.

import { html, useState } from "../view.js";
import { scaleLog } from "d3-scale";
import { number, percent } from "../words/format.js";
import { Figure, Pane, symlog, useComputed } from "./figure.js";

const models = [
  { id: "setting-a", title: "(a) five kernels" },
  { id: "setting-b", title: "(b) relative entropy" },
  { id: "machine-repair", title: "Machine repair" },
  { id: "inventory-kl", title: "Inventory, KL" },
];

/** The methods with settings for some seconds; those of no options run with their own. */
const methods = [
  { name: "EpiRC-PGS", tone: "epirc", options: { algorithm: "epirc-pgs", outerIterations: 15, innerIterations: 1000, stepSize: 1e-3 } },
  { name: "Lagrangian", tone: "lf", options: { algorithm: "lagrangian", outerIterations: 50, innerIterations: 300, stepSize: 1e-3 } },
  { name: "RNPG", tone: "lf-policy", options: { algorithm: "rnpg", lambda: 1e4 } },
  { name: "Mirror descent", tone: "lf-occupancy", options: { algorithm: "mirror-descent" } },
  { name: "Sequential LP", tone: "slp", options: { algorithm: "slp" } },
];
/** What is proved. */
const proof = { algorithm: "solve", timeLimit: 5 };
/** Percentages below this are drawn on a linear axis. */
const LINEAR = 0.01;

/** @typedef {{ name: string, tone: string, evaluations: number[], best: number[] }} Run */

/**
 * The steps of a run at which its best feasible value fell, and its end.
 * @param {import("../rcmdp.js").Result} result
 */
export function falls({ trace, evaluations, feasible, objective }) {
  const run = { evaluations: /** @type {number[]} */ ([]), best: /** @type {number[]} */ ([]) };
  const add = (/** @type {number} */ at, /** @type {number} */ value) => {
    run.evaluations.push(at);
    run.best.push(value);
  };
  trace.bestObjective.forEach((value, i) => {
    const last = run.best.at(-1);
    if (!Number.isFinite(value) || (last !== undefined && value >= last)) return;
    if (last !== undefined) add(trace.evaluations[i], last);
    add(trace.evaluations[i], value);
  });
  if (feasible && objective.value !== null) add(evaluations, objective.value);
  return run;
}

/** @param {import("./figure.js").FigureProps} props */
export function Rivals({ solver, tell }) {
  const [choice, setChoice] = useState(models[0].id);
  const { value: got, current } = useComputed(
    solver,
    async (s) => {
      const problem = await s.example(choice);
      const [proved, ...runs] = await Promise.all([proof, ...methods.map((m) => m.options)].map((o) => s.solve(problem, o).result));
      return { bound: proved.objective.lowerBound, runs: methods.map((m, i) => ({ name: m.name, tone: m.tone, ...falls(runs[i]) })) };
    },
    choice,
    tell,
  );
  return html`<${Figure} id="rivals" title="Quality against evaluations" tell=${tell}
    data=${() => ({
    head: ["method", "policies evaluated", "best feasible value", "proved bound"],
    rows: (got?.runs ?? []).flatMap((r) => r.best.map((v, i) => [r.name, r.evaluations[i], v, got?.bound ?? NaN])),
  })}
    controls=${html`<label class="slider broad"><span>model</span><select value=${choice} onChange=${(/** @type {FieldEvent} */ e) =>
    setChoice(e.target.value)}>
      ${models.map((m) => html`<option value=${m.id}>${m.title}</option>`)}</select></label>`}
    legend=${html`<div class="legend">${
    methods.map((m) =>
      html`<label><svg width="34" height="10" viewBox="0 0 34 10" aria-hidden="true"><path class="line ${m.tone}" d="M1,5H33" /></svg> <b>${m.name}</b></label>`
    )
  }</div>`}
    status=${got && current ? said(got) : "Running…"}>
    ${got && html`<${Fall} ...${got} />`}
  <//>`;
}

/** What is drawn is measured from the bound, or from the best that was found where nothing is proved. @param {{ bound: number | null, runs: Run[] }} of */
const baseOf = ({ bound, runs }) => bound ?? Math.min(...runs.flatMap((r) => r.best));

/** How each method ended, in words. @param {{ bound: number | null, runs: Run[] }} of */
function said(of) {
  const base = baseOf(of);
  const ends = of.runs.map((r) =>
    r.best.length === 0 ? `${r.name} met no feasible policy` : `${r.name} ${percent((/** @type {number} */ (r.best.at(-1)) - base) / Math.abs(base))} above`
  );
  return `${
    of.bound === null
      ? "No bound is proved; against the best value found"
      : `Proved: no stationary policy that keeps the limits costs less than ${number(of.bound, 5)}. Against that`
  }: ${ends.join(", ")}.`;
}

/** @param {{ bound: number | null, runs: Run[] }} of */
function Fall(of) {
  const base = baseOf(of);
  const share = (/** @type {number[]} */ best) => best.map((v) => (100 * Math.max(v - base, 0)) / Math.abs(base));
  const most = Math.max(10, ...of.runs.flatMap((r) => r.evaluations));
  const top = Math.max(10 * LINEAR, ...of.runs.flatMap((r) => share(r.best)));
  /** @type {import("./figure.js").Chart} */
  const chart = {
    x: {
      label: "policies evaluated",
      domain: [1, most * 1.3],
      scale: (range) => scaleLog([1, most * 1.3], range),
      ticks: () => [1, 10, 100, 1000, 10000, 100000].filter((t) => t <= most),
    },
    y: symlog(of.bound === null ? "% above the best found" : "% above the proved bound", [0, top * 1.3], LINEAR),
    height: 360,
    marks: of.runs.flatMap(({ evaluations, best, tone }) => {
      const [xs, ys] = [evaluations.map((n) => Math.max(n, 1)), share(best)];
      return [{ kind: "line", xs, ys, tone }, { kind: "dots", xs: xs.slice(-1), ys: ys.slice(-1), tone, size: 4.5 }];
    }),
  };
  return html`<${Pane} chart=${chart} label="Best feasible value by policies evaluated, ${of.runs.length} methods" />`;
}
