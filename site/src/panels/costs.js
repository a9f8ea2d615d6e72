// @ts-check
// costs.js — draws one cost at a time as a table of states by actions, or of
// next states when the cost depends on them.

import { html } from "../view.js";
import { grownTo } from "../document/block.js";
import { costsOf, hasNext, isAvailable, setNextCosts } from "../document/edits.js";
import { faultsAt, faultsWithin } from "../document/faults.js";
import { replaceAt } from "../document/patch.js";
import { Grid } from "./grid.js";
import { Faults, Segments } from "./fields.js";
import { Finder, seeing } from "./window.js";

/**
 * @param {{ lab: import("./parts.js").Lab, doc: Doc, faults: import("../document/faults.js").Fault[], view: import("../lab/state.js").State["view"] }} props
 */
export function Costs({ lab, doc, faults, view }) {
  const costs = costsOf(doc);
  const shown = costs[Math.min(view.cost, costs.length - 1)];
  const name = (/** @type {{ cost: { name: string }, index: number }} */ c) => c.cost.name || (c.index === 0 ? "objective" : `limit ${c.index}`);
  const at = `${shown.pointer}/values`;
  const next = hasNext(shown.cost.values);
  const acts = doc.actions.length;
  const label = name(shown);
  const { values } = shown.cost;
  /** @param {number} i @returns {import("./grid.js").Row} a state with an action, or a state */
  const rowAt = (i) => {
    const [s, a] = next ? [Math.floor(i / acts), i % acts] : [i, 0];
    const state = doc.states[s];
    if (!next) {
      return {
        key: String(s),
        head: state,
        pointer: `${at}/${s}`,
        cell: (j) => isAvailable(doc, s, j) ? { value: values[s]?.[j], pointer: `${at}/${s}/${j}`, label: `${label} of ${doc.actions[j]} in ${state}` } : null,
      };
    }
    const action = doc.actions[a];
    const of = /** @type {number[] | null | undefined} */ (values[s]?.[a]); // by next state
    return {
      key: `${s}/${a}`,
      head: action,
      group: { head: state, at: a, span: acts },
      pointer: `${at}/${s}/${a}`,
      cell: !isAvailable(doc, s, a)
        ? null
        : (j) => ({ value: of?.[j], pointer: `${at}/${s}/${a}/${j}`, label: `${label} of ${action} in ${state}, next ${doc.states[j]}` }),
    };
  };
  const rows = { count: doc.states.length * (next ? acts : 1), at: rowAt };
  const set = (/** @type {Doc} */ d, /** @type {number} */ r, /** @type {number} */ c, /** @type {number} */ x) =>
    replaceAt(d, next ? `${at}/${Math.floor(r / acts)}/${r % acts}/${c}` : `${at}/${r}/${c}`, x);

  /** A pasted block may reach beyond the page and the model. @param {Doc} doc @param {number} r @param {number} c @param {number[][]} values */
  const block = (doc, r, c, values) => {
    const [height, width] = [r + values.length, c + values[0].length];
    let d = next ? grownTo(doc, Math.max(Math.ceil(height / acts), width), 0) : grownTo(doc, height, width);
    for (const [i, line] of values.entries()) {
      for (const [j, x] of line.entries()) {
        const [s, a] = next ? [Math.floor((r + i) / acts), (r + i) % acts] : [r + i, c + j];
        if (isAvailable(d, s, a)) d = replaceAt(d, next ? `${at}/${s}/${a}/${c + j}` : `${at}/${s}/${a}`, x);
      }
    }
    return d;
  };

  return html`<div class="nature">
    ${
    costs.length <= 4
      ? html`<${Segments} label="Which cost" value=${String(shown.index)} choices=${costs.map((c) => ({ id: String(c.index), title: name(c) }))} onChoose=${(
        /** @type {string} */ id,
      ) => lab.look({ cost: Number(id) })} />`
      : html`<label class="row">Cost <select value=${String(shown.index)} onChange=${(/** @type {FieldEvent} */ e) =>
        lab.look({ cost: Number(e.target.value) })}>${
        costs.map((c) => html`<option value=${String(c.index)}>${name(c)}${faultsWithin(faults, c.pointer).length ? " (faults)" : ""}</option>`)
      }</select></label>`
  }
    <${Finder} names=${doc.states} noun="states" onGo=${(/** @type {number} */ state) => lab.look({ state })} />
    <${Grid} lab=${lab} caption=${`${name(shown)} by state and action`} corner=${next ? ["state", "action"] : ["state"]} columns=${
    next ? doc.states : doc.actions
  } rows=${rows} faults=${faults} set=${set} block=${block} see=${seeing(lab, view, next ? acts : 1)} />
    <${Faults} lab=${lab} faults=${faultsAt(faults, at)} />
    <label class="check"><input type="checkbox" checked=${next} onChange=${(/** @type {FieldEvent} */ e) =>
    lab.reshape((/** @type {Doc} */ d) => setNextCosts(d, shown.index, e.target.checked))} /><span>depends on the next state
      <span class="help">${next ? "Rows are state and action, columns the next state." : "Rows are states, columns actions."}</span></span></label>
  </div>`;
}
