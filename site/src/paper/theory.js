// @ts-check
// theory.js — what the paper's convergence theorem asks for on the reader's model,
// and the time that would take in this browser, beside what runs really use.

import { html, useState } from "../view.js";
import { integer, number, percent, seconds as spoken } from "../words/format.js";
import { carriedModel, carriesModel, readFragment } from "../share/fragment.js";
import { Figure, Slider, useComputed } from "./figure.js";

/** The reader's own model when the link brings one. */
const OWN = "own";
/** The paper's settings for EpiRC-PGS in settings (a) and (c). */
const paper = { algorithm: "epirc-pgs", outerIterations: 20, innerIterations: 10000, stepSize: 5e-5 };
/** Enough to know how many policies a second are evaluated here. */
const probe = { algorithm: "epirc-pgs", outerIterations: 2, innerIterations: 1000, stepSize: 5e-5 };

/** @typedef {import("../rcmdp.js").Result} Result */

/** @param {import("./figure.js").FigureProps & { fragment: string }} props */
export function Theory({ solver, tell, fragment }) {
  const [link] = useState(() => readFragment(fragment).link);
  const [choice, setChoice] = useState(link.example || carriesModel(link) ? OWN : "setting-a");
  const [share, setShare] = useState(-2); // log10 of ε as a share of H
  const [runs, setRuns] = useState(/** @type {{ of: string, paper: Result, slp: Result } | null} */ (null));
  const [running, setRunning] = useState(false);

  const { value: list } = useComputed(solver, (s) => s.examples(), 0, tell);
  const open = async (/** @type {import("../rcmdp.js").Solver} */ s) => {
    if (choice !== OWN) return s.example(choice);
    if (carriesModel(link)) return carriedModel(link);
    return s.example(/** @type {string} */ (link.example), Object.fromEntries(Object.entries(link.param ?? {}).map(([k, v]) => [k, Number(v)])));
  };
  const { value: model, current: known } = useComputed(
    solver,
    async (s) => {
      const problem = await open(s);
      const { ok, errors, summary } = await s.validate(problem);
      if (!ok) throw new Error(`The model cannot be read: ${errors[0].message}`);
      const result = await s.solve(problem, probe).result;
      return { problem, summary: summary?.text ?? "", rate: result.evaluations / Math.max(result.seconds, 1e-3), horizon: 1 / (1 - problem.discount) };
    },
    choice,
    tell,
  );
  const epsilon = model ? 10 ** share * model.horizon : NaN;
  const { value: asked } = useComputed(solver, async (s) => (model ? s.theory(model.problem, { epsilon }) : null), [choice, epsilon, known], tell);

  const run = async () => {
    if (!model) return;
    setRunning(true);
    try {
      const s = await solver();
      const [byPaper, slp] = await Promise.all([s.solve(model.problem, paper).result, s.solve(model.problem, { algorithm: "slp" }).result]);
      setRuns({ of: choice, paper: byPaper, slp });
    } catch (error) {
      tell(error);
    } finally {
      setRunning(false);
    }
  };

  const here = runs?.of === choice ? runs : null;
  const rows = asked && model ? table(asked, model.rate, here) : [];
  const data = () => ({ head: ["", "the theorem asks", "the paper's settings", "sequential LP"], rows: rows.map((r) => [r.text, ...r.cells]) });
  return html`<${Figure} id="theory" title="What the theorem asks for" tell=${tell} drawing=${false} data=${data}
    controls=${html`
      <label class="slider broad"><span>model</span><select value=${choice} onChange=${(/** @type {FieldEvent} */ e) => setChoice(e.target.value)}>
        ${(link.example || carriesModel(link)) && html`<option value=${OWN}>The model of the lab</option>`}
        ${(list ?? [{ id: "setting-a", title: "Random, five kernels" }]).map((e) => html`<option value=${e.id}>${e.title}</option>`)}</select></label>
      <${Slider} label="accuracy ε" value=${share} min=${-4} max=${-0.5} step=${0.25} onValue=${setShare} show=${(/** @type {number} */ v) =>
    `${percent(10 ** v)} of H`} />
      <button type="button" class="go" onClick=${run} disabled=${running || !model}>${running ? "Running…" : "Run both here"}</button>`}
    status=${
    asked && model && known
      ? `${model.summary}. This browser evaluates ${integer(roundTo(model.rate, 2))} of its policies a second; at that speed the theorem's run takes ${
        longTime(asked.evaluations === null ? Infinity : asked.evaluations / model.rate)
      }.`
      : "Computing…"
  }>
    ${
    asked && html`<div class="scroll wide" tabindex="0" role="region" aria-label="Theory and practice"><table class="lines">
      <thead><tr><th scope="col"><span class="unseen">quantity</span></th>${
      data().head.slice(1).map((c) => html`<th scope="col" class="n">${c}</th>`)
    }</tr></thead>
      <tbody>${rows.map((r) => html`<tr><th scope="row">${r.name}</th>${r.cells.map((c) => html`<td class="n">${c}</td>`)}</tr>`)}</tbody></table></div>
    <div class="scroll wide" tabindex="0" role="region" aria-label="Constants of the theorem"><table class="lines constants"><caption>The constants behind it, for ε = ${
      number(asked.epsilon, 3)
    }</caption>
      <tbody>${
      constants(asked).map(([name, value, what]) => html`<tr><th scope="row">${name}</th><td class="n">${value}</td><td>${what}</td></tr>`)
    }</tbody></table></div>`
  }
  <//>`;
}

/**
 * Theory beside practice; "" where there is nothing to say.
 * @param {import("../rcmdp.js").Theory} asked
 * @param {number} rate policies a second
 * @param {{ paper: Result, slp: Result } | null} runs
 */
function table(asked, rate, runs) {
  const big = (/** @type {number | null} */ x) => (x === null ? "beyond 10³⁰⁸" : x >= 1e7 ? power(x) : integer(x));
  const after = (/** @type {Result | undefined} */ r, /** @type {(r: Result) => string} */ say) => (r ? say(r) : "not run yet");
  const value = (/** @type {Result} */ r) => (r.objective.value === null ? "none feasible" : number(r.objective.value, 6));
  return [
    { text: "step size", name: html`step size α`, cells: [power(asked.corollary.stepSize), "5 × 10⁻⁵", "a trust region"] },
    { text: "inner steps", name: html`inner steps <i>T</i>`, cells: [big(asked.corollary.innerIterations), integer(paper.innerIterations), "–"] },
    { text: "outer steps", name: html`outer steps <i>K</i>`, cells: [big(asked.outerIterations), integer(paper.outerIterations), "–"] },
    {
      text: "policies evaluated",
      name: "policies evaluated",
      cells: [big(asked.evaluations), integer(paper.outerIterations * paper.innerIterations), after(runs?.slp, (r) => integer(r.evaluations))],
    },
    { text: "error allowed in a return", name: "error allowed in a return", cells: [power(asked.returnError), "–", "–"] },
    {
      text: "time here",
      name: "time in this browser",
      cells: [
        longTime(asked.evaluations === null ? Infinity : asked.evaluations / rate),
        after(runs?.paper, (r) => spoken(r.seconds)),
        after(runs?.slp, (r) => spoken(r.seconds)),
      ],
    },
    { text: "objective found", name: "objective found", cells: ["–", after(runs?.paper, value), after(runs?.slp, value)] },
  ];
}

/** @param {import("../rcmdp.js").Theory} t @returns {[Content, string, Content][]} */
const constants = (t) => [
  [
    html`<i>D</i>`,
    t.mismatch === null ? "∞" : power(t.mismatch),
    t.mismatch === null
      ? "the initial distribution misses a state that a best policy visits: the theorem says nothing here"
      : t.mismatchBound
      ? "1 / least initial probability, a bound where the set is not finite"
      : "how much more often a best policy visits a state than the initial distribution starts there",
  ],
  [html`<i>H</i>`, number(t.horizon, 4), html`1 / (1 − γ)`],
  [html`ℓ<sub>J</sub>, ℓ<sub>s</sub>`, `${power(t.lipschitz)}, ${power(t.smoothness)}`, "Lipschitz constants of the return and of its gradient"],
  [html`<i>C</i>`, t.c === null ? "∞" : power(t.c), html`ℓ<sub>J</sub> / 2ℓ<sub>s</sub> + 2 <i>D H</i> √<i>S</i>`],
  [
    html`<i>C</i><sub>α</sub>, <i>C<sub>T</sub></i>`,
    `${power(t.cAlpha)}, ${t.cT === null ? "∞" : power(t.cT)}`,
    html`α = <i>C</i><sub>α</sub> ε², <i>T</i> = <i>C<sub>T</sub></i> ε⁻⁴ for one descent; α/4 and 16 <i>T</i> for the whole method`,
  ],
];

/** A number as a power of ten when it is far from 1: 3.1 × 10⁻³². @param {number} x */
export function power(x) {
  if (x === 0) return "below 10⁻³⁰⁸";
  if (!Number.isFinite(x)) return number(x);
  const [mantissa, e] = x.toExponential(1).split("e");
  const exponent = Number(e);
  if (exponent >= -3 && exponent < 6) return exponent < 3 ? number(x, 3) : integer(Number(x.toPrecision(3)));
  const digits = String(exponent).replace(/./g, (c) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(c)] ?? "⁻");
  return `${mantissa} × 10${digits}`;
}

const YEAR = 365.25 * 86400;

/** A length of time that may be longer than the world: 4.2 × 10³⁷ years. @param {number} s seconds */
export function longTime(s) {
  if (!Number.isFinite(s)) return "for ever";
  if (s < 2 * 86400) return spoken(s);
  if (s < 2 * YEAR) return `${integer(s / 86400)} days`;
  return `${s / YEAR < 1e6 ? integer(s / YEAR) : power(s / YEAR)} years`;
}

/** @param {number} x @param {number} digits */
const roundTo = (x, digits) => Number(x.toPrecision(digits));
