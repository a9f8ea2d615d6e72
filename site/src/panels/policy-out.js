// @ts-check
// policy-out.js — hands a policy out, and judges one that a person has changed.

import { html, useState } from "../view.js";
import { decisions, deedOf, merged, tableAt, planTables, whenOf } from "../document/steps.js";
import { copyText, fileStem, saveFile } from "../browser.js";
import { setPhrase, supportPhrase } from "../document/kinds.js";
import { parseNumber } from "../document/number.js";
import { csv, fixed, inMarkdown, markdownTable, number, probability, sentence } from "../words/format.js";
import { isAveraged, limitOf, valueWord, verdict } from "../words/words.js";
import { standing } from "../words/standing.js";
import { Icon, Menu } from "./parts.js";
import { apart, NEVER } from "./policy.js";

/** @typedef {import("./parts.js").Lab} Lab */

/**
 * @param {{ lab: Lab, label: string, value: number, onValue: (x: number) => void }} props
 */
export function Field({ label, value, onValue }) {
  const [typed, setTyped] = useState(/** @type {string | null} */ (null));
  const parsed = parseNumber(typed ?? String(value));
  return html`<input type="text" inputmode="decimal" aria-label=${label} value=${typed ?? String(Number(value.toPrecision(6)))} aria-invalid=${
    parsed.ok ? undefined : "true"
  }
    onFocusIn=${(/** @type {FieldEvent} */ e) => e.target.select()} onInput=${(/** @type {FieldEvent} */ e) => {
    setTyped(e.target.value);
    const p = parseNumber(e.target.value);
    if (p.ok) onValue(p.value);
  }} onBlur=${() => parsed.ok && setTyped(null)} />`;
}

/**
 * What the edited policy is worth.
 * @param {{ problem: Doc, edit: import("../lab/state.js").PolicyEdit }} props
 */
export function Outcome({ problem, edit }) {
  if (edit.message) return html`<p class="fault" role="alert">${edit.message}</p>`;
  if (!edit.outcome) return html`<p class="help">Change probabilities and evaluate: nothing is searched, only this policy is judged.</p>`;
  const { returns } = edit.outcome;
  const [objective, ...limits] = returns;
  return html`<p class="sentence">${sentence(valueWord(problem))} ${objective.name} <b>${number(objective.value, 6)}</b>${
    limits.length > 0 && html`; ${
      limits.map((c, i) => html`${i > 0 ? ", " : ""}${c.name} <b>${number(c.value, 6)}</b> (${standing(/** @type {import("../rcmdp.js").Constraint} */ (c))})`)
    }`
  }${problem.uncertainty.kernels ? "" : ` (${setPhrase(problem.uncertainty)}${supportPhrase(problem.uncertainty)})`}.</p>
    ${
    returns.some((r) => r.byKernel) &&
    html`<div class="scroll"><table class="lines"><caption>Value under each kernel</caption><thead><tr><th scope="col">kernel</th>${
      returns.map((r) => html`<th scope="col" class="n">${r.name}</th>`)
    }</tr></thead>
      <tbody>${
      problem.uncertainty.kernels?.map((k, i) =>
        html`<tr><th scope="row">${k.name || `kernel ${i + 1}`}</th>${returns.map((r) => html`<td class="n">${fixed(r.byKernel?.[i], 4)}</td>`)}</tr>`
      )
    }</tbody></table></div>`
  }`;
}

/**
 * @param {{ lab: Lab, answer: import("../lab/state.js").Answer, edit: import("../lab/state.js").PolicyEdit | null, embedded: boolean }} props
 */
export function PolicyDownloads({ lab, answer, edit, embedded }) {
  const { problem, result } = answer;
  const stem = fileStem(answer.name);
  const steps = decisions(problem);
  const document = () => ({
    format: "rcmdp-policy/1",
    states: problem.states,
    actions: problem.actions,
    ...(steps > 0 ? { horizon: steps } : {}),
    probabilities: edit?.policy ?? result.policy,
  });
  const rows = () => [
    [...(steps > 0 ? ["step"] : []), "state", ...problem.actions, ...(edit ? [] : ["reached"])],
    ...planTables(edit?.policy ?? result.policy).flatMap((table, t) =>
      table.map((row, s) => [
        ...(steps > 0 ? [t + 1] : []),
        problem.states[s],
        ...row,
        ...(edit ? [] : [apart(result, s, t) ? "no" : "yes"]),
      ])
    ),
  ];
  const copy = async (/** @type {string} */ text, /** @type {string} */ what) => {
    if (await copyText(text)) lab.notify(`Copied as ${what}.`);
    else lab.notify("The browser does not let this page copy. Download the file instead.", [], "bad");
  };
  if (edit) {
    return html`<div class="toolbar"><button type="button" class="primary" disabled=${edit.busy} onClick=${lab.evaluatePolicy}>${
      edit.busy ? "Evaluating…" : "Evaluate this policy"
    }</button>
      <button type="button" onClick=${() => saveFile(`${stem}-policy.json`, `${JSON.stringify(document())}\n`)}><${Icon} name="download" />JSON</button>
      <button type="button" onClick=${lab.closePolicy}>Back to the answer's policy</button></div>`;
  }
  return html`<div class="toolbar"><${Menu} label="Export">
    <button type="button" onClick=${() => saveFile(`${stem}-policy.json`, `${JSON.stringify(document())}\n`)}>Policy JSON</button>
    <button type="button" onClick=${() => saveFile(`${stem}-policy.csv`, csv(rows()), "text/csv")}>Policy CSV</button>
    <button type="button" onClick=${() => report(lab, answer)} title="This run as one file that opens and prints by itself">Report</button>
    <button type="button" onClick=${() => copy(markdownOf(answer), "Markdown")}>Copy as Markdown</button>
    <button type="button" onClick=${() => copy(JSON.stringify(resultDocument(answer), null, 1), "JSON")}>Copy as JSON</button><//>
    ${!embedded && html`<button type="button" onClick=${lab.editPolicy}><${Icon} name="pen" />Edit and evaluate</button>`}</div>`;
}

/** Loads what makes the report with the first one. @param {Lab} lab @param {import("../lab/state.js").Answer} answer */
const report = async (lab, answer) => (await import("./report.js")).saveReport(lab, answer);

/** The result without its trace and its proof, as plain JSON. @param {import("../lab/state.js").Answer} answer */
function resultDocument({ problem, result }) {
  const { trace, certificate, ...rest } = result;
  return { problem: problem.name, ...rest, states: problem.states, actions: problem.actions };
}

/**
 * The answer as a short Markdown report.
 * @param {import("../lab/state.js").Answer} answer
 */
export function markdownOf({ problem, result, name }) {
  const { headline, sentence: said } = verdict(problem, result);
  const limits = [
    ["limit", "threshold", isAveraged(problem) ? "value" : "worst case", "slack"],
    ...(result.constraints ?? []).map((c, i) => [
      c.name,
      `${limitOf(problem.constraints?.[i]).sign} ${number(c.threshold)}`,
      number(c.value),
      number(c.slack),
    ]),
  ];
  const parts = [
    `### ${inMarkdown(name)}`,
    `**${inMarkdown(headline)}.** ${inMarkdown(said)}`,
    `Nature: ${setPhrase(problem.uncertainty)}${supportPhrase(problem.uncertainty)}.`,
    ...(limits.length > 1 ? [markdownTable(limits)] : []),
    ...(result.policy?.length ? [markdownTable(planRows(problem, result))] : []),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** The plan by state: by action, or by time where there is a number of decisions. @param {import("../rcmdp.js").Problem} problem @param {import("../rcmdp.js").Result} result */
function planRows(problem, result) {
  const all = decisions(problem);
  if (all === 0) {
    return [
      ["state", ...problem.actions],
      ...tableAt(result.policy, 0).map((row, s) => [problem.states[s] + (apart(result, s) ? ` (${NEVER})` : ""), ...row.map(probability)]),
    ];
  }
  const columns = merged(planTables(result.policy), /** @type {boolean[][] | undefined} */ (result.reached));
  return [
    ["state", ...columns.map((c) => whenOf(c, all))],
    ...problem.states.map((name, s) => [name, ...columns.map(({ rows }) => (rows[s] ? deedOf(problem.actions, rows[s], probability) : NEVER))]),
  ];
}
