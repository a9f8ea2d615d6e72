// @ts-check
// costs.js — draws one cost at a time as a table of states by actions, or of
// next states when the cost depends on them.

import { html, useState } from "../view.js";
import { decisions, isByStep } from "../document/steps.js";
import { grownTo } from "../document/block.js";
import { setNextCosts } from "../document/edits.js";
import { costsOf, hasNext, isAvailable } from "../document/reading.js";
import { faultsAt, faultsWithin } from "../document/faults.js";
import { replaceAt } from "../document/patch.js";
import { Grid } from "./grid.js";
import { Faults, NumberField, Segments, useFew } from "./fields.js";
import { Finder, seeing } from "./window.js";

/**
 * @param {{ lab: import("./parts.js").Lab, doc: Doc, faults: import("../document/faults.js").Fault[], view: import("../lab/state.js").State["view"] }} props
 */
export function Costs({ lab, doc, faults, view }) {
  const costs = costsOf(doc);
  const shown = costs[Math.min(view.cost, costs.length - 1)];
  const name = (/** @type {{ cost: { name: string }, index: number }} */ c) => c.cost.name || (c.index === 0 ? "objective" : `limit ${c.index}`);
  const byStep = isByStep(doc, shown.cost.values);
  const [looked, look] = useState(0);
  const step = Math.min(looked, Math.max(0, decisions(doc) - 1));
  const at = `${shown.pointer}/values${byStep ? `/${step}` : ""}`;
  const values = /** @type {any} */ (byStep ? shown.cost.values[step] : shown.cost.values);
  const next = hasNext(values);
  const acts = doc.actions.length;
  const label = name(shown);
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
    ${
    decisions(doc) > 0 && html`<p class="row"><label class="check"><input type="checkbox" checked=${byStep} onChange=${(/** @type {FieldEvent} */ e) =>
      lab.edit((/** @type {Doc} */ d) =>
        setByStep(d, shown.pointer, e.target.checked, step)
      )} />differs by step</label>${
      byStep &&
      html`<label class="turn"><span>Step</span><input type="range" min="1" max=${decisions(doc)} value=${
        step + 1
      } aria-label="Step whose costs are shown" onInput=${(
        /** @type {FieldEvent} */ e,
      ) => look(Number(e.target.value) - 1)} /><output>${step + 1} of ${decisions(doc)}</output></label>`
    }</p>`
  }
    <${Finder} names=${doc.states} noun="states" onGo=${(/** @type {number} */ state) => lab.look({ state })} />
    <${Grid} lab=${lab} caption=${`${name(shown)} by state and action`} corner=${next ? ["state", "action"] : ["state"]} columns=${
    next ? doc.states : doc.actions
  } rows=${rows} faults=${faults} set=${set} block=${block} see=${seeing(lab, view, next ? acts : 1)} />
    <${Faults} lab=${lab} faults=${faultsAt(faults, at)} />
    ${decisions(doc) > 0 && html`<${Final} lab=${lab} doc=${doc} shown=${shown} name=${label} faults=${faults} />`}
    ${
    !byStep && html`<label class="check"><input type="checkbox" checked=${next} onChange=${(/** @type {FieldEvent} */ e) =>
      lab.reshape((/** @type {Doc} */ d) =>
        setNextCosts(d, shown.index, e.target.checked)
      )} /><span>depends on the next state
      <span class="help">${next ? "Rows are state and action, columns the next state." : "Rows are states, columns actions."}</span></span></label>`
  }
  </div>`;
}

/** One table for each decision, or one for all: that of the step that is looked at. @param {Doc} doc @param {string} pointer @param {boolean} on @param {number} step */
function setByStep(doc, pointer, on, step) {
  const values = costsOf(doc).find((c) => c.pointer === pointer)?.cost.values ?? [];
  return replaceAt(doc, `${pointer}/values`, on ? Array.from({ length: decisions(doc) }, () => structuredClone(values)) : values[step]);
}

/**
 * What is paid at the end of a horizon, state by state.
 * @param {{ lab: import("./parts.js").Lab, doc: Doc, shown: any, name: string, faults: import("../document/faults.js").Fault[] }} props
 */
function Final({ lab, doc, shown, name, faults }) {
  const at = `${shown.pointer}/final`;
  const final = /** @type {(number | null)[] | undefined} */ (shown.cost.final);
  const { shown: states, more } = useFew(doc.states, 12, " states");
  return html`<fieldset class="final" data-pointer=${at}><legend>Paid at the end</legend><label class="check"><input type="checkbox" checked=${
    final !== undefined
  } onChange=${(/** @type {FieldEvent} */ e) =>
    lab.edit((/** @type {Doc} */ d) =>
      replaceAt(d, at, e.target.checked ? doc.states.map(() => 0) : undefined)
    )} />something is paid when the last decision is over</label>${
    Array.isArray(final)
      ? html`${
        states.map((state, s) =>
          html`<label class="row" key=${s}><${NumberField} lab=${lab} pointer=${`${at}/${s}`} value=${
            final[s] ?? 0
          } label=${`${name} at the end in ${state}`} faults=${faults} onValue=${(
            /** @type {number} */ x,
          ) => lab.edit((/** @type {Doc} */ d) => replaceAt(d, `${at}/${s}`, x), `${at}/${s}`)} /> ${state}</label>`
        )
      }${more}`
      : ""
  }<${Faults} lab=${lab} faults=${[at, ...doc.states.map((_, s) => `${at}/${s}`)].flatMap((p) => faultsAt(faults, p))} /></fieldset>`;
}
