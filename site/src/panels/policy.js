// @ts-check
// policy.js — draws the policy as a heat map with its numbers.

import { html, useMemo, useState } from "../view.js";
import { SAME, atStep, decisions, differing, randomised, tableAt } from "../document/steps.js";
import { probability } from "../words/format.js";
import { endNumbers } from "../document/reading.js";
import { shade } from "../picture/scale.js";
import { deferred } from "./parts.js";
import { useMade } from "./made.js";
import { Finder, useWindow } from "./window.js";

const loadOut = () => import("./policy-out.js");
const Field = deferred(loadOut, "Field", null);
const Outcome = deferred(loadOut, "Outcome", null);
export const PolicyDownloads = deferred(loadOut, "PolicyDownloads", html`<div class="toolbar waiting"></div>`);

/** So many states are looked through without a filter. */
const FEW = 8;

/** @typedef {import("./parts.js").Lab} Lab */

/** What is said of a state that the plan never comes to. */
export const NEVER = "never reached";
/** @param {import("../rcmdp.js").Result} result @param {number} s @param {number} [step] */
export const apart = ({ reached }, s, step = 0) => atStep(reached, step)?.[s] === false;

/**
 * @param {{ lab: Lab, problem: Doc, result: import("../rcmdp.js").Result, edit: import("../lab/state.js").PolicyEdit | null, busy: boolean, rivals: { id: string, title: string }[] | null, step?: number, available: (s: number, a: number) => boolean }} props
 *   busy: a run goes on, and its policy changes; rivals: plans that this one can be compared with, null where there never are any
 */
export function Policy({ lab, problem, result, edit, busy, rivals, step = 0, available }) {
  const steps = decisions(problem);
  const [sought, seek] = useState({ row: 0 });
  const own = tableAt(result.policy, step);
  const policy = edit ? tableAt(edit.policy, step) : own;
  const [chance, setChance] = useState(false);
  const mixed = useMemo(() => randomised(own, atStep(result.reached, step)), [result, step]);
  const rival = useRival(lab, problem, result.policy, busy);
  const other = edit || !rival.policy ? null : tableAt(rival.policy, step);
  const listed = useMemo(() => {
    const by = chance && !edit && mixed.length > 0 ? mixed : null;
    if (!other) return by;
    const apart = differing(own, other);
    return by ? apart.filter((s) => by.includes(s)) : apart;
  }, [chance, edit, mixed, other, own]);
  const only = listed !== null;
  const ends = useMemo(() => endNumbers(problem), [problem]);
  const total = listed ? listed.length : problem.states.length;
  const { box, boxed, y } = useWindow({ rows: total, row: sought.row, turn: sought });
  const shown = Array.from({ length: y.last - y.first }, (_, i) => (listed ? listed[y.first + i] : y.first + i));
  const gap = (/** @type {number} */ pixels) =>
    pixels > 0 && html`<tr aria-hidden="true"><td class="gap" colspan=${problem.actions.length + 1} style=${{ height: `${pixels}px` }}></td></tr>`;
  return html`<h3>${steps > 0 ? `Step ${step + 1}` : "Policy"} <small>${
    steps > 0 ? "probability of each action at this step, by state" : "a stationary policy: probability of each action, by state"
  }</small></h3>
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
        ends.has(s) ? html` <small>an end</small>` : !edit && apart(result, s, step) && html` <small>${NEVER}</small>`
      }</th>${
        row.map((p, a) => (ends.has(s) // nothing is chosen there
          ? html`<td key=${a} class="none"></td>`
          : available(s, a)
          ? edit
            ? html`<td key=${a}><${Field} lab=${lab} label=${`Probability of ${problem.actions[a]} in ${problem.states[s]}`} value=${p} onValue=${(
              /** @type {number} */ x,
            ) => lab.setPolicy(s, a, x)} /></td>`
            : html`<td key=${a} class=${p === most && p > 0.5 ? "best" : ""} style=${{ "--p": shade(p) }} title=${
              Number.isNaN(p) ? undefined : `${problem.actions[a]} in ${problem.states[s]}: ${p}`
            }>${probability(p)}${other && Math.abs(p - other[s][a]) >= SAME && html` <small>was ${probability(other[s][a])}</small>`}</td>`
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
 * @param {Lab} lab @param {Doc} problem @param {import("../rcmdp.js").Policy} own @param {boolean} busy
 * @returns {{ id: string, policy: import("../rcmdp.js").Policy | null, message: string, choose: (id: string) => void }}
 */
function useRival(lab, problem, own, busy) {
  const [id, choose] = useState("");
  const sought = id !== "" && !busy;
  const { made, failed, current } = useMade(sought ? () => lab.rivalOf(problem, id) : null, [id, problem, own, busy]);
  const policy = current && made?.length ? made : null;
  return { id, choose, policy, message: !sought || policy ? "" : !current || !made && !failed ? "Working it out…" : failed || "There is no such plan." };
}
