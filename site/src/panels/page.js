// @ts-check
// page.js — puts the panels on the lab page; each gets only its slice of the state.

import { html } from "../view.js";
import { isUnchecked } from "../words/words.js";
import { Answer } from "./answer.js";
import { Bar } from "./bar.js";
import { later } from "./bench.js";
import { Dialogs } from "./dialogs.js";
import { First } from "./first.js";
import { Model } from "./model.js";
import { Panels } from "./panels.js";
import { IconButton, pure } from "./parts.js";

/** What stands where something is folded that has yet to come: as high as that. @param {string} css @param {string} title */
const folded = (css, title) =>
  html`<section class=${css}><details class="fold"><summary><h2 class="step">${title}</h2><span>\u00a0</span></summary></details></section>`;

const PureModel = pure(Model);
const PureMethod = pure(later("Method", folded("solve", "Method")));
const PureRuns = pure(later("Runs", folded("runs", "Runs")));

/** @type {never[]} */
const NONE = [];
/** @type {Map<string, { key: string, value: unknown[] }>} */
const last = new Map();

/**
 * The same list while what is in it is the same, so that panels are not drawn
 * again for a progress record.
 * @template T
 * @param {string} of what the list is of
 * @param {T[]} list
 * @returns {T[]}
 */
function stable(of, list) {
  if (list.length === 0) return NONE;
  const key = JSON.stringify(list);
  if (key !== last.get(of)?.key) last.set(of, { key, value: list });
  return /** @type {T[] | undefined} */ (last.get(of)?.value) ?? NONE;
}

/**
 * @param {{ lab: import("../lab.js").Lab, state: import("../lab/state.js").State }} props
 */
export function Page({ lab, state }) {
  const faults = stable("faults", lab.faults(state));
  return html`
    <div class="notices" role="region" aria-label="Notices">${
    state.notices.map((n) =>
      html`<div key=${n.id} class=${`notice ${n.tone}`} role=${n.tone === "bad" ? "alert" : "status"}><p>${n.text}</p>
      <span>${
        n.actions.map((a) =>
          html`<button type="button" class="plain" onClick=${() => {
            lab.dismiss(n.id);
            a.run();
          }}>${a.label}</button>`
        )
      }<${IconButton} icon="remove" label="Dismiss" onClick=${() => lab.dismiss(n.id)} /></span></div>`
    )
  }</div>
    <div class="lab">
      <${First} lab=${lab} state=${state} />
      <${Answer} lab=${lab} state=${state} panels=${Panels} />
      <${Bar} lab=${lab} state=${state} />
      <${PureModel} lab=${lab} history=${state.history} faults=${faults} view=${state.view} examples=${state.examples} json=${state.json} focus=${state.focus} warnings=${
    stable("remarks", lab.remarks(state))
  } ready=${state.opened || state.engine.phase === "failed"} empty=${state.empty} answers=${state.answers} />
      <${PureMethod} lab=${lab} engine=${state.engine} algorithms=${state.algorithms} method=${state.method} settings=${state.settings[state.method]} unfit=${
    state.check?.summary?.unfit ?? NONE
  } faults=${faults} open=${state.view.settings} focus=${state.focus} />
      <${PureRuns} lab=${lab} runs=${state.runs} compared=${state.compared} current=${lab.answer(state)?.id} unsaved=${unsaved(lab, state)} running=${
    state.run && !state.run.auto ? state.run.id || "starting" : ""
  } algorithms=${state.algorithms} />
    </div>
    <p class="unseen" role="status" aria-live="polite" aria-atomic="true" id="said">${state.said}</p>
    <div class="drop" aria-hidden="true"><span>Drop files to open them</span></div>
    <${Dialogs} lab=${lab} state=${state} />`;
}

/** The id of the answer that is shown and not kept, "" when there is none. @param {import("../lab.js").Lab} lab @param {import("../lab/state.js").State} state */
function unsaved(lab, state) {
  const answer = lab.answer(state);
  return answer && answer.saving === "" && !isUnchecked(answer.result) ? answer.id : "";
}
