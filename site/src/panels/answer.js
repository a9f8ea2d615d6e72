// @ts-check
// answer.js — draws the answer: what is known, in words and numbers, the limits,
// the policy, nature's choices and the search. Emits: saving, editing the policy.

import { html } from "htm/preact";
import { columnDecimals, fixed, number, sentence as asSentence } from "../words/format.js";
import { setPhrase, supportPhrase } from "../document/kinds.js";
import { isAvailable } from "../document/edits.js";
import { boundOf, effort, hasBound, isFeasible, limitOf, standing, valueWord, verdict } from "../words/words.js";
import { Charts, runLabel } from "./charts.js";
import { Interval } from "./interval.js";
import { Live } from "./live.js";
import { WorstCases } from "./worst.js";
import { Icon } from "./parts.js";
import { Policy, PolicyDownloads } from "./policy.js";
import { Trust } from "./trust.js";

/** @typedef {import("./parts.js").Lab} Lab */

/**
 * @param {{ lab: Lab, engine: any, answer: any, run: any, crash: any, edit: any, report: any, doc: any, algorithms: any[], compare: any, resumable?: boolean, embedded?: boolean }} props
 */
export function Answer({ lab, engine, answer, run, crash, edit, report, doc, algorithms, compare, resumable = false, embedded = false }) {
  const problem = answer?.problem;
  const shown = run ?? answer;
  const stale = answer && !run && !embedded && doc !== problem && JSON.stringify(doc) !== JSON.stringify(problem);
  return html`<section class="answer" id="answer" tabindex="-1" aria-labelledby="answer-title" aria-busy=${run ? "true" : undefined}>
    <h2 class="step"><span id="answer-title">Answer</span>${
    stale &&
    html`<span class="stale">${
      doc.name === problem.name ? "The model has changed since." : `This answers “${problem.name}”.`
    } <button type="button" class="plain" onClick=${() => lab.solve()}>${doc.name === problem.name ? "Solve again" : "Solve the model"}</button></span>`
  }</h2>
    ${crash && html`<${Crash} lab=${lab} crash=${crash} />`}
    ${
    run
      ? html`<${Searching} run=${run} />`
      : answer
      ? html`<${Found} lab=${lab} answer=${answer} report=${report} algorithms=${algorithms} resumable=${resumable} embedded=${embedded} />`
      : html`<${Nothing} engine=${engine} />`
  }
    ${
    shown && html`<div class=${run ? "dim" : ""} aria-hidden=${run ? "true" : undefined} inert=${run ? true : undefined}>
      <${Details} lab=${lab} answer=${run && answer?.problem !== run.problem ? outline(run) : answer} edit=${edit} embedded=${embedded} /></div>
    <${Charts} lab=${lab} problem=${shown.problem} trace=${run ? run.trace : answer.result.trace} compare=${compare} algorithms=${algorithms} label=${
      runLabel(run ? run.problem.name : answer.name, shown.algorithm, algorithms)
    } running=${Boolean(run)} />`
  }
    ${answer && !run && html`<${WorstCases} problem=${problem} result=${answer.result} />`}
  </section>`;
}

/**
 * An answer without numbers yet, in the shape that the answer will have: what
 * follows it stays where it is when the numbers come.
 * @param {any} run
 */
const outline = ({ problem, algorithm }) => ({
  problem,
  algorithm,
  name: problem.name,
  result: {
    constraints: (problem.constraints ?? []).map((/** @type {any} */ c) => ({
      name: c.name,
      threshold: limitOf(c).threshold,
      value: NaN,
      slack: NaN,
      violation: NaN,
    })),
    policy: problem.states.map(() => problem.actions.map(() => NaN)),
    worst: [],
  },
});

/** @param {{ engine: any }} props */
const Nothing = ({ engine }) =>
  html`<div class="hero"><p class="headline">${
    engine.phase === "failed" ? "No answer: the solver did not load" : engine.phase === "ready" ? "No answer yet" : "Loading…"
  }</p>
  <p class="figure"> </p><p class="sentence">${engine.phase === "ready" ? "Press Solve." : ""}</p></div>`;

/** The marks of the three tones; words say the same. @type {Record<string, string>} */
const marks = { good: "check", bad: "cross", open: "open_question" };

/**
 * @param {{ lab: Lab, answer: any, report: any, algorithms: any[], resumable: boolean, embedded: boolean }} props
 */
function Found({ lab, answer, report, algorithms, resumable, embedded }) {
  const { problem, result } = answer;
  const { tone, headline, sentence } = verdict(problem, result);
  const feasible = isFeasible(result);
  const proved = result.status === "proved-infeasible";
  const title = algorithms.find((a) => a.id === answer.algorithm)?.title ?? answer.algorithm;
  const worst = (result.constraints ?? []).reduce((/** @type {any} */ w, /** @type {any} */ c) => (!w || c.violation > w.violation ? c : w), null);
  const scale = problem.objective.scale === "average" ? ", average per step" : "";
  const finite = problem.uncertainty.kind === "finite";
  const kernel = problem.uncertainty.kernels?.length > 1 ? result.worst?.[0]?.kernel?.name : null;
  return html`<div class=${`hero ${tone}`}>
    <p class="headline"><${Icon} name=${marks[tone]} /><span>${headline}</span></p>
    ${
    feasible
      ? html`<p class="figure" data-objective=${result.objective.value}>${number(result.objective.value)} <small>${
        valueWord(problem)
      } ${problem.objective.name}${scale}${
        kernel ? html`<br />under ${kernel}` : finite ? "" : html`<br />${setPhrase(problem.uncertainty)}${supportPhrase(problem.uncertainty)}`
      }</small></p>`
      : result.status === "failed"
      ? html`<p class="figure"></p>`
      : html`<p class="figure">${number(worst?.violation, 4)} <small>least violation found${worst ? `, of ${worst.name}` : ""}</small></p>`
  }
    <p class="sentence">${sentence}</p>
    ${
    hasBound(result) && feasible &&
    html`<${Interval} problem=${problem} value=${result.objective.value} bound=${boundOf(result.objective)} trace=${result.trace} />`
  }
    <p class="effort">${effort(result, title)}${saved(answer)}${
    answer.saving === "" && !embedded && html` <button type="button" class="plain" onClick=${lab.saveAnswer}>Save this run</button>`
  }${resumable && html` <button type="button" class="plain" onClick=${() => lab.resume(answer.id)}>Continue the search</button>`}</p>
    ${(result.warnings ?? []).map((/** @type {string} */ w) => html`<p class="help">${asSentence(w)}</p>`)}
    ${(proved || feasible) && html`<${Trust} lab=${lab} answer=${answer} report=${report} />`}
  </div>`;
}

/** @param {any} answer */
const saved = (answer) => ({ saving: " · saving…", saved: " · saved", failed: " · kept in this tab only", "": "" }[/** @type {string} */ (answer.saving)]);

/** @param {{ run: any }} props */
function Searching({ run }) {
  const best = run.news?.best;
  const bound = boundOf(run.news);
  const name = run.problem.objective.name;
  return html`<div class=${best?.feasible ? "hero good" : "hero"}>
    <p class="headline"><span>${
    run.ending === "stop" ? "Stopping…" : best?.feasible ? "Feasible policy found, still searching" : "Searching for a feasible policy…"
  }</span></p>
    <p class="figure">${
    best
      ? best.feasible
        ? html`${number(best.objective)} <small>${valueWord(run.problem)} ${name}, best so far</small>`
        : html`${number(best.maxViolation, 4)} <small>least violation so far</small>`
      : html`<small>starting…</small>`
  }</p>
    ${best?.feasible && Number.isFinite(bound) && html`<${Interval} problem=${run.problem} value=${best.objective} bound=${bound} trace=${run.trace} />`}
    <${Live} run=${run} />
  </div>`;
}

/** @param {{ lab: Lab, crash: any }} props */
const Crash = ({ lab, crash }) =>
  html`<div class="crash" role="alert"><h3>The solver crashed</h3>
  <p>${crash.message} A new one has been started; your model and your saved runs are untouched.</p>
  ${crash.details.length > 0 && html`<details><summary>Details</summary><pre>${crash.details.join("\n")}</pre></details>`}
  <p class="row"><button type="button" onClick=${() =>
    lab.solve()}>Solve again</button><button type="button" class="plain" onClick=${lab.dismissCrash}>Close</button></p></div>`;

/**
 * @param {{ lab: Lab, answer: any, edit: any, embedded: boolean }} props
 */
function Details({ lab, answer, edit, embedded }) {
  const { problem, result } = answer;
  return html`<div class="answer-details">
    ${result.constraints?.length > 0 && html`<${Limits} problem=${problem} result=${result} />`}
    ${
    result.policy?.length > 0 &&
    html`<div><${Policy} lab=${lab} problem=${problem} result=${result} edit=${edit} available=${(/** @type {number} */ s, /** @type {number} */ a) =>
      isAvailable(problem, s, a)} />
      <${PolicyDownloads} lab=${lab} answer=${answer} edit=${edit} embedded=${embedded} /></div>`
  }
  </div>`;
}

/**
 * Each limit with its threshold, its worst case and what is left.
 * @param {{ problem: any, result: any }} props
 */
function Limits({ problem, result }) {
  const finite = problem.uncertainty.kind === "finite" && problem.uncertainty.kernels.length > 1;
  const decimals = columnDecimals(result.constraints.flatMap((/** @type {any} */ c) => [c.value, c.threshold]), 5);
  return html`<div class="limits"><h3>Limits</h3><div class="scroll" tabindex="0" role="region" aria-label="Limits"><table class="lines">
    <thead><tr><th scope="col">limit</th><th scope="col" class="n">threshold</th><th scope="col" class="n">worst case</th><th scope="col" class="n">slack</th><th scope="col" class="used"><span class="unseen">how much is used</span></th>${
    finite && html`<th scope="col">worst kernel</th>`
  }</tr></thead>
    <tbody>${
    result.constraints.map((/** @type {any} */ c, /** @type {number} */ i) => {
      const broken = standing(c).startsWith("violated");
      const worst = result.worst?.[i + 1];
      return html`<tr key=${c.name}><th scope="row">${c.name}<span class="unseen">: ${standing(c)}</span></th>
        <td class="n">${limitOf(problem.constraints[i]).sign} ${fixed(c.threshold, decimals)}</td><td class="n">${fixed(c.value, decimals)}</td>
        <td class=${broken ? "n broken" : "n"}>${fixed(c.slack, decimals)}</td><td class="used"><${Gauge} c=${c} side=${
        limitOf(problem.constraints[i]).sign
      } /></td>
        ${
        finite &&
        html`<td>${worst?.kernel?.name}${
          worst?.ties?.length > 0 ? html` <span class="help">and ${worst.ties.length === 1 ? worst.ties[0].name : `${worst.ties.length} more`}</span>` : ""
        }</td>`
      }</tr>`;
    })
  }</tbody></table></div></div>`;
}

/**
 * A worst case against its threshold as a bar; the numbers beside it say the same.
 * @param {{ c: any, side: string }} props
 */
function Gauge({ c, side }) {
  const top = 1.25 * Math.max(Math.abs(c.threshold), Math.abs(c.value), 1e-12);
  const least = Math.min(0, c.threshold, c.value);
  const at = (/** @type {number} */ x) => `${Math.max(0, Math.min(100, (100 * (x - least)) / (top - least)))}%`;
  if (!Number.isFinite(c.value) || !Number.isFinite(c.threshold)) return null;
  const over = side === "≤" ? c.value > c.threshold && standing(c).startsWith("violated") : c.value < c.threshold && standing(c).startsWith("violated");
  return html`<div class="gauge" aria-hidden="true"><i class=${over ? "over" : ""} style=${{ width: at(c.value) }}></i><u style=${{
    left: at(c.threshold),
  }}></u></div>`;
}
