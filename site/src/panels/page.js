// @ts-check
// page.js — puts the panels on the lab page; each gets only its slice of the state.

import { html } from "htm/preact";
import { useEffect, useRef } from "preact/hooks";
import { Answer } from "./answer.js";
import { Bar } from "./bar.js";
import { deferred } from "./later.js";
import { Method } from "./method.js";
import { Model } from "./model.js";
import { IconButton, pure } from "./parts.js";
import { Runs } from "./runs.js";

const PureImport = pure(deferred(() => import("./import.js"), "Import", null));
const Address = deferred(() => import("./address.js"), "Address", null);
const Trouble = deferred(() => import("./trouble.js"), "Trouble", null);
/** Whether anything was imported on this visit. */
let imports = false;
const PureModel = pure(Model);
const PureMethod = pure(Method);
const PureRuns = pure(Runs);

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
  imports ||= state.import !== null;
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
    <${Bar} lab=${lab} state=${state} />
    <div class="lab">
      <${PureModel} lab=${lab} history=${state.history} faults=${faults} view=${state.view} examples=${state.examples} json=${state.json} focus=${state.focus} warnings=${
    stable("remarks", lab.remarks(state))
  } ready=${state.opened || state.engine.phase === "failed"} empty=${state.empty} answers=${state.answers} />
      <${Answer} lab=${lab} state=${state} />
      <${PureMethod} lab=${lab} engine=${state.engine} algorithms=${state.algorithms} method=${state.method} settings=${state.settings[state.method]} unfit=${
    state.check?.summary?.unfit ?? NONE
  } faults=${faults} open=${state.view.settings} focus=${state.focus} />
      <${PureRuns} lab=${lab} runs=${state.runs} compared=${state.compared} current=${lab.answer(state)?.id} running=${
    state.run && !state.run.auto ? state.run.id || "starting" : ""
  } algorithms=${state.algorithms} />
    </div>
    <p class="unseen" role="status" aria-live="polite" aria-atomic="true" id="said">${state.said}</p>
    <div class="drop" aria-hidden="true"><span>Drop files to open them</span></div>
    ${imports && html`<${PureImport} lab=${lab} importing=${state.import} />`}
    ${state.dialog?.kind === "address" && html`<${Address} key=${state.dialog.url} lab=${lab} url=${state.dialog.url} />`}
    ${state.dialog?.kind === "trouble" && html`<${Trouble} lab=${lab} />`}
    <${Keys} open=${state.view.keys} onClose=${() => lab.look({ keys: false })} />`;
}

/**
 * The keys of the page.
 * @param {{ open: boolean, onClose: () => void }} props
 */
function Keys({ open, onClose }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => {
    if (open) dialog.current?.showModal();
  }, [open]);
  /** @type {[string, string][]} */
  const keys = [
    ["Ctrl Enter", "solve"],
    ["Esc", "stop and keep the best so far"],
    ["Ctrl Z, Ctrl Y", "undo, redo an edit of the model"],
    ["Ctrl S", "save the model as a file"],
    ["Ctrl O", "open a file"],
    ["arrows, Enter", "move between the cells of a table"],
    ["Ctrl V", "in a table: paste a block of cells; elsewhere: open the pasted model"],
    ["?", "this list"],
  ];
  return html`<dialog ref=${dialog} onClose=${onClose} aria-labelledby="keys-title"><h2 id="keys-title">Keys</h2>
    <dl>${keys.map(([k, what]) => html`<dt><kbd>${k}</kbd></dt><dd>${what}</dd>`)}</dl><form method="dialog"><button>Close</button></form></dialog>`;
}
