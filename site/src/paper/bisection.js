// @ts-check
// bisection.js — Figure 2: the least maximal violation as a function of the
// threshold b0, and EpiRC-PGS's bisection walking on it.

import { html, useEffect, useState } from "../view.js";
import { number } from "../words/format.js";
import { axes } from "./conflict.js";
import { feasible, Figure, Pane, Slider, useComputed } from "./figure.js";

/** Policies of the grid that the curve comes from, along one edge. */
const SIDE = 201;
const STEPS = 12;
/** One step of the walk is shown for so long. */
const STEP_MS = 650;

/** @typedef {{ b0: number, delta: number, low: number, high: number, objective: number }} Step */

/** The curve over a grid of policies. @param {import("../rcmdp.js").Solver} s */
async function curveOf(s) {
  const grid = await s.landscape(await s.example("gradient-conflict-epigraph"), { ...axes, epigraph: true, b0: 0, side: SIDE });
  const b = Array.from({ length: 241 }, (_, i) => (i / 240) * 1.15);
  return { b, delta: b.map((t) => leastDelta(grid.objective, grid.violation, t)) };
}

/** A run of the method on the same problem. @param {import("../rcmdp.js").Solver} s */
async function stepsOf(s) {
  const run = s.solve(await s.example("gradient-conflict-epigraph"), { algorithm: "epirc-pgs", outerIterations: STEPS, innerIterations: 2000, stepSize: 2e-2 });
  const { trace, objective } = await run.result;
  // The last entry is the final descent at the upper end, not a step of the bisection.
  const steps = Array.from(
    { length: Math.min(STEPS, trace.k.length) },
    (_, i) => ({ b0: trace.threshold[i], delta: trace.delta[i], low: trace.low[i], high: trace.high[i], objective: trace.objective[i] }),
  );
  return { steps, best: objective.value };
}

/** The steps shown: all of them, unless one walks through them. @param {number} steps */
function useWalk(steps) {
  const [shown, setShown] = useState(0);
  const [walking, setWalking] = useState(false);
  useEffect(() => setShown(steps), [steps]);
  useEffect(() => {
    if (!walking) return undefined;
    const timer = setTimeout(() => (shown < steps ? setShown(shown + 1) : setWalking(false)), STEP_MS);
    return () => clearTimeout(timer);
  }, [walking, shown]);
  return {
    shown,
    walking,
    show: (/** @type {number} */ n) => {
      setWalking(false);
      setShown(n);
    },
    walk: () => {
      setWalking(!walking);
      if (!walking) setShown(1);
    },
  };
}

/** @param {import("./figure.js").FigureProps} props */
export function Bisection({ solver, tell }) {
  const { value: curve } = useComputed(solver, curveOf, 0, tell);
  const { value: run } = useComputed(solver, stepsOf, 0, tell);
  const { steps, best } = run ?? { steps: /** @type {Step[]} */ ([]), best: null };
  const { shown, walking, show, walk } = useWalk(steps.length);
  const seen = steps.slice(0, shown);
  const last = seen.at(-1);
  return html`<${Figure} id="bisection" title="Bisection on the epigraph threshold" tell=${tell}
    data=${() => ({
    head: ["step", "b0", "delta", "low", "high", "objective"],
    rows: steps.map((p, i) => [i + 1, p.b0, p.delta, p.low, p.high, p.objective]),
  })}
    controls=${html`
      <${Slider} broad=${true} label="steps of the bisection shown" value=${shown} min=${Math.min(1, steps.length)} max=${
    Math.max(1, steps.length)
  } step=${1} onValue=${show} />
      <button type="button" disabled=${steps.length === 0} onClick=${walk}>${walking ? "Pause" : "Walk"}</button>`}
    status=${
    last && !walking
      ? `After step ${seen.length} the bracket is [${number(last.low, 5)}, ${number(last.high, 5)}].${
        best === null ? "" : ` The best feasible policy found costs ${number(best, 7)}.`
      }`
      : last
      ? ""
      : "Computing…"
  }
    news=${last && html` <span>b₀ = ${number(last.b0, 5)}, Δ = ${number(last.delta, 3)}: ${last.delta > 1e-9 ? "go up" : "go down"}.</span>`}>
    <${Pane} chart=${chartOf(curve, seen)} label="The least maximal violation by threshold, with the steps of the bisection" />
  <//>`;
}

/** @param {{ b: number[], delta: number[] } | null} curve @param {Step[]} seen @returns {import("./figure.js").Chart} */
function chartOf(curve, seen) {
  const y = { label: "least maximal violation Δ*", domain: /** @type {[number, number]} */ ([-0.12, 0.62]), named: true };
  return {
    x: { label: "threshold b₀", domain: [0, 1.15] },
    y,
    height: 360,
    cut: true,
    marks: [
      feasible("y", y),
      ...(curve ? [/** @type {const} */ ({ kind: "line", xs: curve.b, ys: curve.delta, tone: "curve" })] : []),
      { kind: "drawing", draw: (x, up) => walkOf(seen, x, up) },
    ],
  };
}

/** The bracket that is left, and each step with its number. @param {Step[]} seen @param {import("./figure.js").Scale} x @param {import("./figure.js").Scale} y */
function walkOf(seen, x, y) {
  const last = seen.at(-1);
  return html`${last && html`<line class="bracket" x1=${x(last.low)} x2=${x(last.high)} y1=${y(0)} y2=${y(0)} />`}${
    seen.map((p) =>
      html`<g class=${p === last ? "walk now" : "walk"}><line x1=${x(p.b0)} x2=${x(p.b0)} y1=${y(0)} y2=${y(p.delta)} /><circle class="dot" cx=${x(p.b0)} cy=${
        y(p.delta)
      } r=${p === last ? 6 : 4} /></g>`
    )
  }${
    seen.map((p, i) => (i < 4 || p === last) && html`<text class="step" x=${x(p.b0)} y=${y(p.delta) + (i < 4 ? -11 : 22)} text-anchor="middle">${i + 1}</text>`)
  }`;
}

/**
 * The least Δ_{b0} over a grid of policies.
 * @param {Float64Array} objective
 * @param {Float64Array} violation
 * @param {number} b0
 */
export const leastDelta = (objective, violation, b0) => objective.reduce((least, value, i) => Math.min(least, Math.max(value - b0, violation[i])), Infinity);
