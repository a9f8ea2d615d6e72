// @ts-check
// policy.js — draws the policy as a heat map with its numbers, lets a person
// change it and evaluate the change, and hands it out.

import { html } from "htm/preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { copyText, fileStem, saveFile } from "../browser.js";
import { csv, fixed, markdownTable, number, probability, sentence } from "../words/format.js";
import { said } from "../lab/core.js";
import { differing, randomised, SAME } from "../document/finding.js";
import { setPhrase, supportPhrase } from "../document/kinds.js";
import { parseNumber } from "../document/number.js";
import { shade } from "../picture/scale.js";
import { limitOf, standing, valueWord, verdict } from "../words/words.js";
import { Icon } from "./parts.js";
import { Finder, useWindow } from "./window.js";

/** So many states are looked through without a filter. */
const FEW = 8;

/** @typedef {import("./parts.js").Lab} Lab */

/** What is said of a state that the plan never comes to. */
const NEVER = "never reached";
/** @param {import("../rcmdp.js").Result} result @param {number} s */
const apart = ({ reached }, s) => reached?.[s] === false;

/**
 * @param {{ lab: Lab, problem: Doc, result: import("../rcmdp.js").Result, edit: import("../lab/state.js").PolicyEdit | null, busy: boolean, rivals: { id: string, title: string }[] | null, available: (s: number, a: number) => boolean }} props
 *   busy: a run goes on, and its policy changes; rivals: plans that this one can be compared with, null where there never are any
 */
export function Policy({ lab, problem, result, edit, busy, rivals, available }) {
  const [sought, seek] = useState({ row: 0 });
  const policy = edit?.policy ?? result.policy;
  const [chance, setChance] = useState(false);
  const mixed = useMemo(() => randomised(result.policy, result.reached), [result]);
  const rival = useRival(lab, problem, result.policy, busy);
  const other = edit ? null : rival.policy;
  const listed = useMemo(() => {
    const by = chance && !edit && mixed.length > 0 ? mixed : null;
    if (!other) return by;
    const apart = differing(result.policy, other);
    return by ? apart.filter((s) => by.includes(s)) : apart;
  }, [chance, edit, mixed, other, result.policy]);
  const only = listed !== null;
  const total = listed ? listed.length : problem.states.length;
  const { box, boxed, y } = useWindow({ rows: total, row: sought.row, turn: sought });
  const shown = Array.from({ length: y.last - y.first }, (_, i) => (listed ? listed[y.first + i] : y.first + i));
  const gap = (/** @type {number} */ pixels) =>
    pixels > 0 && html`<tr aria-hidden="true"><td class="gap" colspan=${problem.actions.length + 1} style=${{ height: `${pixels}px` }}></td></tr>`;
  return html`<h3>Policy <small>probability of each action, by state</small></h3>
    ${!only && html`<${Finder} names=${problem.states} noun="states" onGo=${(/** @type {number} */ row) => seek({ row })} />`}
    ${
    !edit && html`<p class="row filters">${
      mixed.length > 0 && mixed.length < problem.states.length && problem.states.length > FEW
      && html`<label class="check"><input type="checkbox" checked=${chance} onChange=${(/** @type {FieldEvent} */ e) => {
        setChance(e.target.checked);
        seek({ row: 0 });
      }} />randomised only (${mixed.length} of ${problem.states.length})</label>`
    }${
      rivals &&
      html`<label>Compare with <select aria-label="Show where the plan differs from" value=${rival.id} disabled=${busy || rivals.length === 0} onChange=${(
        /** @type {FieldEvent} */ e,
      ) => {
        rival.choose(e.target.value);
        seek({ row: 0 });
      }}><option value="">${rivals.length === 0 ? "no other plan yet" : "nothing"}</option>${
        rivals.map((r) => html`<option value=${r.id} selected=${r.id === rival.id}>${r.title}</option>`)
      }</select></label>`
    }<span class="help" role="status">${rival.message || (other ? differs(listed?.length ?? 0, problem.states.length) : "")}</span></p>`
  }
    <div ref=${box} class=${boxed ? "scroll boxed" : "scroll"} tabindex="0" role="region" aria-label="Policy table"><table class="policy" aria-rowcount=${
    total + 1
  }><caption class="unseen">Probability of each action in each state</caption>
      <thead><tr aria-rowindex="1"><th scope="col"><span class="unseen">state</span></th>${
    problem.actions.map((/** @type {string} */ a) => html`<th scope="col">${a}</th>`)
  }</tr></thead>
      <tbody>${gap(y.before)}${
    shown.map((s, i) => {
      const row = /** @type {number[]} */ (policy[s]);
      const most = Math.max(...row);
      return html`<tr key=${s} data-row-sample="" aria-rowindex=${y.first + i + 2}><th scope="row">${problem.states[s]}${
        !edit && apart(result, s) && html` <small>${NEVER}</small>`
      }</th>${
        row.map((p, a) => (available(s, a)
          ? edit
            ? html`<td key=${a}><${Field} lab=${lab} label=${`Probability of ${problem.actions[a]} in ${problem.states[s]}`} value=${p} onValue=${(
              /** @type {number} */ x,
            ) => lab.setPolicy(s, a, x)} /></td>`
            : html`<td key=${a} class=${p === most && p > 0.5 ? "best" : ""} style=${{ "--p": shade(p) }} title=${`${problem.actions[a]} in ${
              problem.states[s]
            }: ${p}`}>${probability(p)}${other && Math.abs(p - other[s][a]) >= SAME && html` <small>was ${probability(other[s][a])}</small>`}</td>`
          : html`<td key=${a} class="none">not available</td>`)
        )
      }</tr>`;
    })
  }${gap(y.after)}</tbody></table></div>
    ${edit && html`<${Outcome} problem=${problem} edit=${edit} />`}`;
}

/** @param {number} states @param {number} of */
const differs = (
  states,
  of,
) => (states === 0 ? "The plans are the same in every state that is listed." : `${states} of ${of} states; “was” is the other plan.`);

/**
 * Another plan to compare with, brought when it is chosen.
 * @param {Lab} lab @param {Doc} problem @param {number[][]} own @param {boolean} busy
 * @returns {{ id: string, policy: number[][] | null, message: string, choose: (id: string) => void }}
 */
function useRival(lab, problem, own, busy) {
  const [id, choose] = useState("");
  const [found, setFound] = useState({ id: "", own, policy: /** @type {number[][] | null} */ (null), message: "" });
  useEffect(() => {
    if (id === "" || busy) return undefined;
    let gone = false;
    const show = (/** @type {number[][] | null} */ policy, message = "") => !gone && setFound({ id, own, policy, message });
    lab.rivalOf(problem, id).then(
      (/** @type {number[][]} */ policy) => show(policy.length > 0 ? policy : null, policy.length > 0 ? "" : "There is no such plan."),
      (/** @type {unknown} */ error) => show(null, said(error)),
    );
    return () => {
      gone = true;
    };
  }, [id, problem, own, busy]);
  const current = !busy && id !== "" && found.id === id && found.own === own;
  return { id, choose, policy: current ? found.policy : null, message: id === "" || busy ? "" : current ? found.message : "Working it out…" };
}

/**
 * @param {{ lab: Lab, label: string, value: number, onValue: (x: number) => void }} props
 */
function Field({ label, value, onValue }) {
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
function Outcome({ problem, edit }) {
  if (edit.message) return html`<p class="fault" role="alert">${edit.message}</p>`;
  if (!edit.outcome) return html`<p class="help">Change probabilities and evaluate: nothing is searched, only this policy is judged.</p>`;
  const { returns } = edit.outcome;
  const [objective, ...limits] = returns;
  return html`<p class="sentence">${sentence(valueWord(problem))} ${objective.name} <b>${number(objective.value, 6)}</b>${
    limits.length > 0 && html`; ${
      limits.map((c, i) => html`${i > 0 ? ", " : ""}${c.name} <b>${number(c.value, 6)}</b> (${standing(/** @type {import("../rcmdp.js").Constraint} */ (c))})`)
    }`
  }${problem.uncertainty.kind === "finite" ? "" : ` (${setPhrase(problem.uncertainty)}${supportPhrase(problem.uncertainty)})`}.</p>
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
  const document = () => ({ format: "rcmdp-policy/1", states: problem.states, actions: problem.actions, probabilities: edit?.policy ?? result.policy });
  const rows = () => [
    ["state", ...problem.actions, ...(edit ? [] : ["reached"])],
    ...(edit?.policy ?? result.policy).map((/** @type {number[]} */ row, /** @type {number} */ s) => [
      problem.states[s],
      ...row,
      ...(edit ? [] : [apart(result, s) ? "no" : "yes"]),
    ]),
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
  return html`<div class="toolbar">
    <button type="button" onClick=${() => saveFile(`${stem}-policy.json`, `${JSON.stringify(document())}\n`)}><${Icon} name="download" />Policy JSON</button>
    <button type="button" onClick=${() => saveFile(`${stem}-policy.csv`, csv(rows()), "text/csv")}><${Icon} name="download" />Policy CSV</button>
    <button type="button" onClick=${() =>
    report(lab, answer)} title="This run as one file that opens and prints by itself"><${Icon} name="download" />Report</button>
    <button type="button" onClick=${() => copy(markdownOf(answer), "Markdown")}><${Icon} name="copy" />Copy as Markdown</button>
    <button type="button" onClick=${() => copy(JSON.stringify(resultDocument(answer), null, 1), "JSON")}><${Icon} name="copy" />Copy as JSON</button>
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
  const parts = [`### ${name}`, `**${headline}.** ${said}`, `Nature: ${setPhrase(problem.uncertainty)}${supportPhrase(problem.uncertainty)}.`];
  if (result.constraints?.length) {
    parts.push(
      markdownTable([
        ["limit", "threshold", "worst case", "slack"],
        ...result.constraints.map((c, i) => [c.name, `${limitOf(problem.constraints?.[i]).sign} ${number(c.threshold)}`, number(c.value), number(c.slack)]),
      ]),
    );
  }
  if (result.policy?.length)
    parts.push(
      markdownTable([
        ["state", ...problem.actions],
        ...result.policy.map((/** @type {number[]} */ row, /** @type {number} */ s) => [
          problem.states[s] + (apart(result, s) ? ` (${NEVER})` : ""),
          ...row.map(probability),
        ]),
      ]),
    );
  return `${parts.join("\n\n")}\n`;
}
