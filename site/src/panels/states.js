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

/** What is done to both lists. */
const hands = {
  states: { one: "state", add: addState, remove: removeState, gone: " Probability that led to it is spread over the rest of each row." },
  actions: { one: "action", add: addAction, remove: removeAction, gone: "" },
};

/** @typedef {{ lab: import("./parts.js").Lab, doc: Doc, faults: import("../document/faults.js").Fault[], list: "states" | "actions" }} Listed */

/** Removes one and goes on at the one in its place. @param {import("./parts.js").Lab} lab @param {"states" | "actions"} list @param {number} i */
function drop(lab, list, i) {
  const names = lab.doc()[list];
  if (names.length === 1) return;
  const { one, remove, gone } = hands[list];
  lab.reshape((/** @type {Doc} */ d) => remove(d, i));
  lab.reveal(`/${list}/${Math.min(i, names.length - 2)}`);
  lab.notify(`Removed the ${one} “${names[i]}”.${gone}`, [{ label: "Undo", run: lab.undo }]);
}

/** @param {Listed & { i: number, children?: Content }} props */
function Item({ lab, doc, faults, list, i, children }) {
  const { one } = hands[list];
  const name = doc[list][i];
  return html`<li data-row-sample="" onKeyDown=${removes(() => drop(lab, list, i))}>
      <${TextField} lab=${lab} pointer=${`/${list}/${i}`} value=${name} label=${`Name of ${one} ${i + 1}`} faults=${faults} onValue=${(
    /** @type {string} */ x,
  ) => lab.edit((/** @type {Doc} */ d) => renameItem(d, list, i, x), `/${list}/${i}`)} />
      ${children}
      <${IconButton} icon="remove" label=${`Remove the ${one} ${name}`} keys=${REMOVE_KEYS} passed disabled=${doc[list].length === 1} onClick=${() =>
    drop(lab, list, i)} />
    </li>`;
}

/** @param {Pick<Listed, "lab" | "list">} props */
const Add = ({ lab, list }) =>
  html`<button type="button" class="plain" onClick=${() => {
    const { length } = lab.doc()[list];
    lab.reshape(hands[list].add);
    lab.reveal(`/${list}/${length}`);
  }}><${Icon} name="add" />Add ${hands[list].one === "state" ? "a state" : "an action"}</button>`;

/**
 * @param {Omit<Listed, "list"> & { view: import("../lab/state.js").State["view"] }} props
 */
export function States({ lab, doc, faults, view }) {
  const total = doc.initial.reduce((/** @type {number} */ x, /** @type {unknown} */ p) => x + (typeof p === "number" ? p : NaN), 0);
  const { box, boxed, y } = useWindow({ rows: doc.states.length, ...seeing(lab, view) });
  const gap = (/** @type {number} */ pixels) => pixels > 0 && html`<li class="gap" aria-hidden="true" style=${{ height: `${pixels}px` }}></li>`;
  return html`<div class="pair">
    <div><h3 id="states-head">States and how likely each is at the start</h3>
      <${Finder} names=${doc.states} noun="states" onGo=${(/** @type {number} */ state) => lab.look({ state })} />
      <ul ref=${box} class=${boxed ? "names boxed" : "names"} data-pointer="/initial" aria-labelledby="states-head" onPaste=${(/** @type {FieldEvent} */ e) =>
    pasteNames(lab, e, "states")}>${gap(y.before)}${
    doc.states.slice(y.first, y.last).map((/** @type {string} */ name, /** @type {number} */ i) => {
      const s = y.first + i;
      return html`<${Item} key=${s} lab=${lab} doc=${doc} faults=${faults} list="states" i=${s}>
          <${NumberField} lab=${lab} pointer=${`/initial/${s}`} value=${doc.initial[s]} label=${`Initial probability of ${name}`} faults=${faults} onValue=${(
        /** @type {number} */ x,
      ) => lab.edit((/** @type {Doc} */ d) => replaceAt(d, `/initial/${s}`, x), `/initial/${s}`)} /><//>`;
    })
  }${gap(y.after)}</ul>
      <p class="help">Initial probabilities sum to <b>${number(total, 10)}</b>.</p>
      <${Add} lab=${lab} list="states" />
      <${Faults} lab=${lab} faults=${[...faultsWithin(faults, "/initial"), ...faultsWithin(faults, "/states")]} />
    </div>
    <div><h3 id="actions-head">Actions</h3>
      <ul class="names" data-pointer="/actions" aria-labelledby="actions-head" onPaste=${(/** @type {FieldEvent} */ e) => pasteNames(lab, e, "actions")}>${
    doc.actions.map((/** @type {string} */ _, /** @type {number} */ a) =>
      html`<${Item} key=${a} lab=${lab} doc=${doc} faults=${faults} list="actions" i=${a}><span></span><//>`
    )
  }</ul>
      <${Add} lab=${lab} list="actions" />
      <p class="help">A new state or action stays where it is at no cost until you edit it on the tabs Costs and Nature.</p>
      <${Faults} lab=${lab} faults=${faultsWithin(faults, "/actions")} />
    </div>
  </div>`;
}
