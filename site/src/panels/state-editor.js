// @ts-check
// state-editor.js — one state to edit beside its picture: its name, how likely it is at the start, what it
// costs and where it leads. Emits: edits.

import { html } from "../view.js";
import { isByStep } from "../document/steps.js";
import { renameItem } from "../document/edits.js";
import { costsOf, hasNext, isAvailable } from "../document/reading.js";
import { replaceAt } from "../document/patch.js";
import { StateRows } from "./nature.js";
import { NumberField, TextField } from "./fields.js";
import { Icon } from "./parts.js";

/**
 * @param {{ lab: import("./parts.js").Lab, doc: Doc, s: number, table: { pointer: string, table: Table, sums: boolean }, title: string, faults: import("../document/faults.js").Fault[], onRemove: () => void, onClose: () => void }} props
 *   table: the one that is drawn; title: its name, where there are several
 */
export function StateEditor({ lab, doc, s, table, title, faults, onRemove, onClose }) {
  const name = doc.states[s];
  const edit = (/** @type {string} */ pointer, /** @type {unknown} */ value) => lab.edit((/** @type {Doc} */ d) => replaceAt(d, pointer, value), pointer);
  const costs = costsOf(doc).filter(({ cost }) => !hasNext(cost.values) && !isByStep(doc, cost.values));
  const actions = [...doc.actions.keys()].filter((a) => isAvailable(doc, s, a));
  return html`<section class="state-editor" aria-label=${`State ${name}`}>
    <div class="row"><${TextField} lab=${lab} pointer=${`/states/${s}`} value=${name} label="Name of the state" class="name" faults=${faults} onValue=${(
    /** @type {string} */ x,
  ) => lab.edit((/** @type {Doc} */ d) => renameItem(d, "states", s, x), `/states/${s}`)} />
      <label>at the start <${NumberField} lab=${lab} pointer=${`/initial/${s}`} value=${
    doc.initial[s]
  } label=${`Initial probability of ${name}`} faults=${faults} onValue=${(
    /** @type {number} */ x,
  ) => edit(`/initial/${s}`, x)} /></label>
      <button type="button" disabled=${doc.states.length === 1} onClick=${onRemove}><${Icon} name="trash" />Remove</button>
      <button type="button" class="plain" onClick=${onClose}>Close</button></div>
    <h3>Where it leads${title && html` <small>${title}</small>`}</h3>
    <div class="entries"><${StateRows} lab=${lab} doc=${doc} table=${table} s=${s} faults=${faults} /></div>
    ${
    costs.length > 0 &&
    html`<h3>What it costs</h3><div class="scroll"><table class="grid"><thead><tr><th scope="col" class="head">action</th>${
      costs.map(({ cost, index }) => html`<th scope="col" key=${index}>${cost.name || (index === 0 ? "objective" : `limit ${index}`)}</th>`)
    }</tr></thead><tbody>${
      actions.map((a) =>
        html`<tr key=${a}><th scope="row">${doc.actions[a]}</th>${
          costs.map(({ pointer, cost, index }) =>
            html`<td key=${index}><${NumberField} lab=${lab} pointer=${`${pointer}/values/${s}/${a}`} value=${cost.values[s]?.[a]} class="" label=${`${
              cost.name || "cost"
            } of ${doc.actions[a]} in ${name}`} faults=${faults} onValue=${(/** @type {number} */ x) => edit(`${pointer}/values/${s}/${a}`, x)} /></td>`
          )
        }</tr>`
      )
    }</tbody></table></div>`
  }</section>`;
}
