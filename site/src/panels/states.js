// @ts-check
// states.js — draws the states with the initial distribution, and the actions.

import { html } from "../view.js";
import { addAction, addState, removeAction, removeState, renameItem } from "../document/edits.js";
import { withNames } from "../document/block.js";
import { faultsWithin } from "../document/faults.js";
import { count, number } from "../words/format.js";
import { replaceAt } from "../document/patch.js";
import { Faults, NumberField, REMOVE_KEYS, removes, TextField } from "./fields.js";
import { Icon, IconButton } from "./parts.js";
import { Finder, seeing, useWindow } from "./window.js";

/**
 * A column of names pasted into a name goes to this and the following ones.
 * @param {import("./parts.js").Lab} lab @param {any} event @param {"states" | "actions"} list
 */
function pasteNames(lab, event, list) {
  const [, at] = /^\/(?:states|actions)\/(\d+)$/.exec(event.target.dataset?.pointer ?? "") ?? [];
  const text = event.clipboardData?.getData("text/plain") ?? "";
  const before = lab.doc();
  const after = at === undefined ? before : withNames(before, list, Number(at), text);
  if (after === before) return;
  event.preventDefault();
  lab.reshape(() => after);
  const added = after[list].length - before[list].length;
  lab.say(`Names pasted${added > 0 ? `, ${count(added, list.slice(0, -1))} added` : ""}.`);
}

/**
 * @param {{ lab: import("./parts.js").Lab, doc: Doc, faults: import("../document/faults.js").Fault[], view: import("../lab/state.js").State["view"] }} props
 */
export function States({ lab, doc, faults, view }) {
  const total = doc.initial.reduce((/** @type {number} */ x, /** @type {unknown} */ p) => x + (typeof p === "number" ? p : NaN), 0);
  /** Removes one and goes on at the one in its place. @param {number} s */
  const dropState = (s) => {
    const { states } = lab.doc();
    if (states.length === 1) return;
    lab.reshape((/** @type {Doc} */ d) => removeState(d, s));
    lab.reveal(`/states/${Math.min(s, states.length - 2)}`);
    lab.notify(`Removed the state “${states[s]}”. Probability that led to it is spread over the rest of each row.`, [{ label: "Undo", run: lab.undo }]);
  };
  const dropAction = (/** @type {number} */ a) => {
    const { actions } = lab.doc();
    if (actions.length === 1) return;
    lab.reshape((/** @type {Doc} */ d) => removeAction(d, a));
    lab.reveal(`/actions/${Math.min(a, actions.length - 2)}`);
    lab.notify(`Removed the action “${actions[a]}”.`, [{ label: "Undo", run: lab.undo }]);
  };
  const { box, boxed, y } = useWindow({ rows: doc.states.length, ...seeing(lab, view) });
  const gap = (/** @type {number} */ pixels) => pixels > 0 && html`<li class="gap" aria-hidden="true" style=${{ height: `${pixels}px` }}></li>`;
  return html`<div class="pair">
    <div><h3 id="states-head">States and how likely each is at the start</h3>
      <${Finder} names=${doc.states} noun="states" onGo=${(/** @type {number} */ state) => lab.look({ state })} />
      <ul ref=${box} class=${boxed ? "names boxed" : "names"} data-pointer="/initial" aria-labelledby="states-head" onPaste=${(/** @type {FieldEvent} */ e) =>
    pasteNames(lab, e, "states")}>${gap(y.before)}${
    doc.states.slice(y.first, y.last).map((/** @type {string} */ name, /** @type {number} */ i) => {
      const s = y.first + i;
      return html`<li key=${s} data-row-sample="" onKeyDown=${removes(() => dropState(s))}>
          <${TextField} lab=${lab} pointer=${`/states/${s}`} value=${name} label=${`Name of state ${s + 1}`} faults=${faults} onValue=${(
        /** @type {string} */ x,
      ) => lab.edit((/** @type {Doc} */ d) => renameItem(d, "states", s, x), `/states/${s}`)} />
          <${NumberField} lab=${lab} pointer=${`/initial/${s}`} value=${doc.initial[s]} label=${`Initial probability of ${name}`} faults=${faults} onValue=${(
        /** @type {number} */ x,
      ) => lab.edit((/** @type {Doc} */ d) => replaceAt(d, `/initial/${s}`, x), `/initial/${s}`)} />
          <${IconButton} icon="remove" label=${`Remove the state ${name}`} keys=${REMOVE_KEYS} passed disabled=${doc.states.length === 1} onClick=${() =>
        dropState(s)} />
        </li>`;
    })
  }${gap(y.after)}</ul>
      <p class="help">Initial probabilities sum to <b>${number(total, 10)}</b>.</p>
      <button type="button" class="plain" onClick=${() => {
    const s = lab.doc().states.length;
    lab.reshape(addState);
    lab.reveal(`/states/${s}`);
  }}><${Icon} name="add" />Add a state</button>
      <${Faults} lab=${lab} faults=${[...faultsWithin(faults, "/initial"), ...faultsWithin(faults, "/states")]} />
    </div>
    <div><h3 id="actions-head">Actions</h3>
      <ul class="names" data-pointer="/actions" aria-labelledby="actions-head" onPaste=${(/** @type {FieldEvent} */ e) => pasteNames(lab, e, "actions")}>${
    doc.actions.map((/** @type {string} */ name, /** @type {number} */ a) =>
      html`<li key=${a} onKeyDown=${removes(() => dropAction(a))}>
        <${TextField} lab=${lab} pointer=${`/actions/${a}`} value=${name} label=${`Name of action ${a + 1}`} faults=${faults} onValue=${(
        /** @type {string} */ x,
      ) => lab.edit((/** @type {Doc} */ d) => renameItem(d, "actions", a, x), `/actions/${a}`)} />
        <span></span>
        <${IconButton} icon="remove" label=${`Remove the action ${name}`} keys=${REMOVE_KEYS} passed disabled=${doc.actions.length === 1} onClick=${() =>
        dropAction(a)} />
      </li>`
    )
  }</ul>
      <button type="button" class="plain" onClick=${() => {
    const a = lab.doc().actions.length;
    lab.reshape(addAction);
    lab.reveal(`/actions/${a}`);
  }}><${Icon} name="add" />Add an action</button>
      <p class="help">A new state or action stays where it is at no cost until you edit it on the tabs Costs and Nature.</p>
      <${Faults} lab=${lab} faults=${faultsWithin(faults, "/actions")} />
    </div>
  </div>`;
}
