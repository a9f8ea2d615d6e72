// @ts-check
// plan.js — draws the plan: the limits with what is left of each, and the policy.
// While a run goes on it is the best policy so far.

import { html } from "../view.js";
import { decisions, stepIn } from "../document/steps.js";
import { nominalOf } from "../document/nominal.js";
import { remarksOnResult } from "../lab/state.js";
import { costsOf, isAvailable, largest } from "../document/reading.js";
import { calm, number, percent, sentence } from "../words/format.js";
import { isAveraged, isFeasible, isPenalised, limitOf, overOf, shareOf } from "../words/words.js";
import { standing } from "../words/standing.js";
import { deferred, Term } from "./parts.js";
import { Policy, PolicyDownloads } from "./policy.js";

const loadSteps = () => import("./steps.js");
const Steps = deferred(loadSteps, "Steps", null);
const ByTime = deferred(loadSteps, "ByTime", null);

/** @typedef {import("../rcmdp.js").Problem} Problem */
/** @typedef {import("../rcmdp.js").Result} Result */

/** A plan of which nothing is known, in its shape. @param {Problem} problem @returns {import("../rcmdp.js").Policy} */
function blank(problem) {
  const table = problem.states.map(() => problem.actions.map(() => NaN));
  const steps = decisions(problem);
  return steps > 0 ? Array.from({ length: steps }, () => table) : table;
}

/**
 * A result without numbers yet, in the shape that the answer will have: what follows
 * stays where it is when the numbers come.
 * @param {import("../lab/state.js").Running} run
 * @returns {Pick<Result, "constraints" | "policy" | "worst" | "warnings">}
 */
const outline = ({ problem, policy }) => ({
  constraints: (problem.constraints ?? []).map((c) => {
    const { threshold = NaN, words } = limitOf(c);
    return {
      name: c.name,
      threshold,
      value: null,
      slack: null,
      violation: null,
      sense: words === "at least" ? "atLeast" : "atMost",
      scale: c.scale ?? "total",
    };
  }),
  policy: policy ?? blank(problem),
  worst: [],
  warnings: [],
});

/** What the plan can be compared with: the nominal plan, and the runs that are kept. @param {import("../lab/state.js").State} state @param {Problem} problem @param {string} own id of the run that is shown */
const rivalsOf = (state, problem, own) => [
  ...(nominalOf(problem) ? [{ id: "nominal", title: "the plan without uncertainty (nominal)" }] : []),
  ...state.runs.list.filter((r) => r.id !== own && r.feasible && r.algorithm !== "sweep").map((r) => ({ id: r.id, title: r.name })),
];

/** @param {import("./panels.js").PanelProps} props */
export function Plan({ lab, state, problem, answer, run, embedded, has = () => true }) {
  const result = run ? outline(run) : answer?.result;
  if (!result) return html`<p class="quiet">Each state with what to do in it stands here when the model is solved.</p>`;
  const edit = run ? null : state.edit;
  const remarks = remarksOnResult(result, state);
  return html`<div class="stack">
    ${result.constraints.length > 0 && html`<${Limits} problem=${problem} result=${result} />`}
    ${
    result.policy.length > 0 &&
    html`<div>${
      decisions(problem) > 0 &&
      html`<${ByTime} lab=${lab} panels=${state.panels} problem=${problem} policy=${edit ? edit.policy : result.policy} reached=${
        edit ? undefined : answer?.result.reached
      } /><${Steps} lab=${lab} panels=${state.panels} problem=${problem} />`
    }<${Policy} step=${stepIn(state.panels, problem)} lab=${lab} problem=${problem} result=${result} edit=${edit} busy=${
      run !== null || state.engine.phase !== "ready"
    } rivals=${embedded ? null : rivalsOf(state, problem, answer?.id ?? "")} available=${(/** @type {number} */ s, /** @type {number} */ a) =>
      isAvailable(problem, s, a)} />
      ${answer && !run && has("exports") && html`<${PolicyDownloads} lab=${lab} answer=${answer} edit=${edit} embedded=${embedded} />`}</div>`
  }
    ${answer && !run && isFeasible(answer.result) && html`<${Between} problem=${problem} result=${answer.result} />`}
    ${
    // Last: they come with the result, and nothing above may move for them.
    remarks.length > 0 && html`<div>${remarks.map((w) => html`<p class="help">${sentence(w)}</p>`)}</div>`}
  </div>`;
}

/** "mean", "worst 10 %". @param {{ over?: unknown } | undefined} cost */
const shortOver = (cost) => (overOf(cost) === "mean" ? "mean" : `worst ${percent(shareOf(cost))}`);

/**
 * Each limit with its threshold, its worst case and what is left.
 * @param {{ problem: Problem, result: Pick<Result, "constraints" | "worst"> }} props
 */
export function Limits({ problem, result }) {
  const { kernels = [] } = problem.uncertainty;
  const several = kernels.length > 1;
  return html`<div class="limits"><h3>Limits</h3><div class="scroll" tabindex="0" role="region" aria-label="Limits"><table class="lines">
    <thead><tr><th scope="col">limit</th><th scope="col" class="n">threshold</th><th scope="col" class="n">${
    isAveraged(problem) ? "value" : "worst case"
  }</th><th scope="col" class="n">slack</th><th scope="col" class="used"><span class="unseen">how much is used</span></th>${
    several && html`<th scope="col">${isAveraged(problem) ? "over the models" : html`worst <${Term} word="kernel" />`}</th>`
  }</tr></thead>
    <tbody>${
    result.constraints.map((c, i) => {
      const broken = standing(c).startsWith("violated");
      const worst = result.worst[i + 1];
      const unit = Math.max(Math.abs(c.threshold), Math.abs(c.value ?? 0));
      return html`<tr key=${c.name}><th scope="row">${c.name}<span class="unseen">: ${standing(c)}</span></th>
        <td class="n">${limitOf(problem.constraints?.[i]).sign} ${number(c.threshold)}</td><td class="n">${number(calm(c.value, unit))}</td>
        <td class=${broken ? "n broken" : "n"}>${number(calm(c.slack, unit))}</td><td class="used"><${Gauge} c=${c} /></td>
        ${
        several && html`<td>${worst?.kernel?.name ?? (worst?.over ? shortOver(problem.constraints?.[i]) : "")}${
          worst?.ties && worst.ties.length > 0
            ? html` <span class="help">and ${worst.ties.length === 1 ? worst.ties[0].name : `${worst.ties.length} more`}</span>`
            : ""
        }</td>`
      }</tr>`;
    })
  }</tbody></table></div></div>`;
}

/**
 * What each cost comes to at best and at worst, whichever model is true.
 * @param {{ problem: Problem, result: Result }} props
 */
function Between({ problem, result }) {
  const costs = [result.objective, ...result.constraints];
  const better = (/** @type {any} */ of, /** @type {number} */ i) => (i === 0 ? of.sense === "maximize" : of.sense === "atLeast");
  const spans = costs.flatMap((c, i) => {
    const shares = result.worst?.[i]?.shares;
    const worst = shares ? (better(c, i) ? Math.min : Math.max)(...shares.map((s) => s.value)) : c.value;
    const { best = null } = c;
    if (best === null || worst === null) return [];
    const unit = Math.max(Math.abs(best), Math.abs(worst), largest(costsOf(problem)[i].cost.values));
    const ends = [best, worst].sort((a, b) => a - b).map((x) => number(calm(x, unit)));
    return Math.abs(best - worst) <= 1e-9 * unit || ends[0] === ends[1] ? [] : [{ name: c.name, ends }];
  });
  if (spans.length === 0 || isPenalised(problem)) return null;
  return html`<p class="help" data-between>Whichever model is true: ${
    spans.map((s, i) => html`${i > 0 ? "; " : ""}${s.name} between <b>${s.ends[0]}</b> and <b>${s.ends[1]}</b>`)
  }.</p>`;
}

/**
 * A worst case against its threshold as a bar; the numbers beside it say the same.
 * @param {{ c: import("../rcmdp.js").Constraint }} props
 */
function Gauge({ c }) {
  if (c.value === null || !Number.isFinite(c.value) || !Number.isFinite(c.threshold)) return null;
  const top = 1.25 * Math.max(Math.abs(c.threshold), Math.abs(c.value), 1e-12);
  const least = Math.min(0, c.threshold, c.value);
  const at = (/** @type {number} */ x) => `${Math.max(0, Math.min(100, (100 * (x - least)) / (top - least)))}%`;
  const over = standing(c).startsWith("violated");
  return html`<div class="gauge" aria-hidden="true"><i class=${over ? "over" : ""} style=${{ width: at(c.value) }}></i><u style=${{
    left: at(c.threshold),
  }}></u></div>`;
}
