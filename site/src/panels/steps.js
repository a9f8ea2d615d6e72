// @ts-check
// steps.js — a plan with a number of decisions: what it does by state and time, decisions with the same merged, and
// which of them the other panels look at. Emits: looking at a decision.

import { html } from "../view.js";
import { endNumbers } from "../document/reading.js";
import { deedOf, merged, stepIn, planTables, whenOf } from "../document/steps.js";
import { count, probability } from "../words/format.js";
import { useFew } from "./fields.js";

/** So many states are listed at first. */
const FEW = 16;

/**
 * Which decision is looked at; the same in every panel.
 * @param {{ lab: import("./parts.js").Lab, panels: Record<string, any>, problem: import("../rcmdp.js").Problem }} props
 */
export function Steps({ lab, panels, problem }) {
  const all = problem.horizon ?? 1;
  const step = stepIn(panels, problem);
  const go = (/** @type {number} */ to) => lab.keep("time", { step: Math.max(0, Math.min(all - 1, to)) });
  return html`<p class="row steps"><label class="turn"><span>Step</span><input type="range" min="1" max=${all} step="1" value=${
    step + 1
  } aria-valuetext=${`step ${step + 1} of ${all}`} data-step onInput=${(/** @type {FieldEvent} */ e) => go(Number(e.target.value) - 1)} /><output>${
    step + 1
  } of ${all}</output></label></p>`;
}

/**
 * The plan by state and time.
 * @param {{ lab: import("./parts.js").Lab, panels: Record<string, any>, problem: import("../rcmdp.js").Problem, policy: import("../rcmdp.js").Policy, reached?: boolean[] | boolean[][] }} props
 */
export function ByTime({ lab, panels, problem, policy, reached }) {
  const tables = planTables(policy);
  const columns = merged(tables, /** @type {boolean[][] | undefined} */ (reached));
  const step = stepIn(panels, problem);
  const ends = endNumbers(problem);
  const { shown, more } = useFew(problem.states, FEW, " states");
  return html`<div class="by-time"><h3>The plan over ${count(tables.length, "decision")} <small>${
    columns.length === 1 ? "it is the same at every step" : "what is done in each state; steps that are alike are one column"
  }</small></h3>
    <div class="scroll" tabindex="0" role="region" aria-label="The plan by state and step"><table class="lines timed"><thead><tr><th scope="col">state</th>${
    columns.map((c) =>
      html`<th key=${c.from} scope="col" aria-current=${
        c.from <= step && step <= c.to ? "step" : undefined
      }><button type="button" class="plain flush" onClick=${() => lab.keep("time", { step: c.from })} title="Look at this step">${
        whenOf(c, tables.length)
      }</button></th>`
    )
  }</tr></thead><tbody>${
    shown.map((name, s) =>
      html`<tr key=${s}><th scope="row">${name}</th>${
        ends.has(s) ? html`<td colspan=${columns.length} class="help">an end</td>` : columns.map(({ from, rows }) => {
          const row = rows[s];
          return html`<td key=${from} class=${row === null ? "help" : ""}>${row === null ? "never reached" : deedOf(problem.actions, row, probability)}</td>`;
        })
      }</tr>`
    )
  }</tbody></table></div>${more}<p class="help">${
    problem.uncertainty.kernels
      ? problem.uncertainty.kernels.length > 1 ? "One of the models is true for all steps." : ""
      : "Nature may choose anew in every state at every step."
  }</p></div>`;
}
