// @ts-check
// costs.js — draws one cost at a time as a table of states by actions, or of
// next states when the cost depends on them.

import { html } from "htm/preact";
import { grownTo } from "../document/block.js";
import { costsOf, hasNext, isAvailable, setNextCosts } from "../document/edits.js";
import { faultsAt, faultsWithin } from "../document/faults.js";
import { replaceAt } from "../document/patch.js";
import { Grid } from "./grid.js";
import { Faults, Pager, Segments } from "./parts.js";

const PAGE = 40;
/** A table by next state has this many rows a page. */
const NEXT_PAGE = 12;

/**
 * @param {{ lab: import("./parts.js").Lab, doc: any, faults: import("../document/faults.js").Fault[], view: any }} props
 */
export function Costs({ lab, doc, faults, view }) {
  const costs = costsOf(doc);
  const shown = costs[Math.min(view.cost, costs.length - 1)];
  const name = (/** @type {any} */ c) => c.cost.name || (c.index === 0 ? "objective" : `limit ${c.index}`);
  const at = `${shown.pointer}/values`;
  const next = hasNext(shown.cost.values);
  const size = next ? NEXT_PAGE : PAGE;
  const first = Math.floor(Math.min(view.state, doc.states.length - 1) / size) * size;
  const states = doc.states.slice(first, first + size);

  const rows = next
    ? states.flatMap((/** @type {string} */ state, /** @type {number} */ i) =>
      doc.actions.map((/** @type {string} */ action, /** @type {number} */ a) => ({
        key: `${first + i}/${a}`,
        head: action,
        ...(a === 0 ? { group: { head: state, span: doc.actions.length } } : {}),
        pointer: `${at}/${first + i}/${a}`,
        cells: !isAvailable(doc, first + i, a)
          ? null
          : doc.states.map((/** @type {string} */ to, /** @type {number} */ j) => ({
            value: shown.cost.values[first + i]?.[a]?.[j],
            pointer: `${at}/${first + i}/${a}/${j}`,
            label: `${name(shown)} of ${action} in ${state}, next ${to}`,
          })),
      }))
    )
    : states.map((/** @type {string} */ state, /** @type {number} */ i) => ({
      key: String(first + i),
      head: state,
      pointer: `${at}/${first + i}`,
      cells: doc.actions.map((/** @type {string} */ action, /** @type {number} */ a) => (isAvailable(doc, first + i, a)
        ? { value: shown.cost.values[first + i]?.[a], pointer: `${at}/${first + i}/${a}`, label: `${name(shown)} of ${action} in ${state}` }
        : null)
      ),
    }));
  const columns = (next ? doc.states : doc.actions).map((/** @type {string} */ head, /** @type {number} */ i) => ({ key: String(i), head }));
  const set = (/** @type {any} */ d, /** @type {number} */ r, /** @type {number} */ c, /** @type {number} */ x) => replaceAt(d, rows[r].cells[c].pointer, x);

  /** A pasted block may reach beyond the page and the model. @param {any} doc @param {number} r @param {number} c @param {number[][]} values */
  const block = (doc, r, c, values) => {
    const [height, width, acts] = [r + values.length, c + values[0].length, doc.actions.length];
    let d = next ? grownTo(doc, Math.max(first + Math.ceil(height / acts), width), 0) : grownTo(doc, first + height, width);
    for (const [i, line] of values.entries()) {
      for (const [j, x] of line.entries()) {
        const [s, a] = next ? [first + Math.floor((r + i) / acts), (r + i) % acts] : [first + r + i, c + j];
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
      : html`<label class="row">Cost <select value=${String(shown.index)} onChange=${(/** @type {any} */ e) => lab.look({ cost: Number(e.target.value) })}>${
        costs.map((c) => html`<option value=${String(c.index)}>${name(c)}${faultsWithin(faults, c.pointer).length ? " (faults)" : ""}</option>`)
      }</select></label>`
  }
    <${Pager} total=${doc.states.length} size=${size} at=${first} noun="states" names=${doc.states} onGo=${(/** @type {number} */ state) =>
    lab.look({ state })} />
    <${Grid} lab=${lab} caption=${`${name(shown)} by state and action`} corner=${
    next ? ["state", "action"] : ["state"]
  } columns=${columns} rows=${rows} faults=${faults} set=${set} block=${block} page=${{
    first: first * (next ? doc.actions.length : 1),
    total: doc.states.length * (next ? doc.actions.length : 1),
  }} />
    <${Faults} lab=${lab} faults=${faultsAt(faults, at)} />
    <label class="check"><input type="checkbox" checked=${next} onChange=${(/** @type {any} */ e) =>
    lab.reshape((/** @type {any} */ d) => setNextCosts(d, shown.index, e.target.checked))} /><span>depends on the next state
      <span class="help">${next ? "Rows are state and action, columns the next state." : "Rows are states, columns actions."}</span></span></label>
  </div>`;
}
