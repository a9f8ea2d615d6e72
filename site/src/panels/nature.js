// @ts-check
// nature.js — draws the uncertainty set: its kind, the form that its kind's row
// in the table of kinds asks for, and its tables of probabilities.

import { html } from "../view.js";
import { grownTo } from "../document/block.js";
import { addMove, duplicateKernel, removeKernel, setAvailable, withoutAverages } from "../document/edits.js";
import { isAvailable, tablesOf } from "../document/reading.js";
import { faultsAt, faultsWithin } from "../document/faults.js";
import { number } from "../words/format.js";
import { converted, kindOf, kinds, radiusAs, supportSentence } from "../document/kinds.js";
import { replaceAt, valueAt } from "../document/patch.js";
import { withoutSuccessor, withProbability } from "../document/transitions.js";
import { isSparse, row as rowOf, rowSum } from "../document/rows.js";
import { Grid } from "./grid.js";
import { Faults, NumberField, Pager, REMOVE_KEYS, Segments, TextField } from "./fields.js";
import { Icon, IconButton, NameField } from "./parts.js";
import { Finder, seeing } from "./window.js";

/** @typedef {import("./parts.js").Lab} Lab */
/** @typedef {import("../document/faults.js").Fault} Fault */
/** @typedef {import("../document/rows.js").Cell} Cell */
/** @typedef {{ pointer: string, table: Table, sums: boolean }} PlacedTable */

/** Up to so many states a row is a row of cells; beyond, a list of successors. */
const WIDE = 9;
/** Rows of successors that are drawn at a time. */
const ENTRIES = 15;
/** A row's sum this far from 1 is shown as off: what the format allows as noise. */
const NOISE = 1e-9;

/**
 * @param {{ lab: Lab, doc: Doc, faults: Fault[], view: import("../lab/state.js").State["view"] }} props
 */
export function Nature({ lab, doc, faults, view }) {
  const u = doc.uncertainty;
  const kind = kindOf(u.kind);
  const tables = tablesOf(doc);
  const shown = Math.min(view.kernel, tables.length - 1);
  const finite = kind?.body === "kernels";
  return html`<div class="nature">
    <label class="row">Nature may choose from <select data-pointer="/uncertainty/kind" value=${u.kind} onChange=${(/** @type {FieldEvent} */ e) =>
    lab.reshape((/** @type {Doc} */ d) => ({
      ...(kindOf(e.target.value)?.body === "kernels" ? d : withoutAverages(d)),
      uncertainty: converted(d, e.target.value),
    }))}>
      ${!kind && html`<option value=${u.kind}>${String(u.kind)}</option>`}${kinds.map((k) => html`<option value=${k.id}>${k.title}</option>`)}</select></label>
    ${kind && html`<p class="help">${kind.says} ${supportSentence(u)}</p>`}
    <${Faults} lab=${lab} faults=${["/uncertainty", "/uncertainty/kind"].flatMap((p) => faultsAt(faults, p))} />
    ${kind?.fields.includes("radius") && html`<${Radius} lab=${lab} doc=${doc} kind=${kind} faults=${faults} view=${view} />`}
    ${
    kind?.fields.includes("support") &&
    html`<div><${Segments} label="Where worst cases may move probability" pointer="/uncertainty/support" value=${u.support ?? "nominal"}
      choices=${[{ id: "nominal", title: "nominal successors only" }, { id: "all", title: "any state" }]} onChoose=${(/** @type {string} */ id) =>
      lab.edit((/** @type {Doc} */ d) => replaceAt(d, "/uncertainty/support", id))} /><${Faults} lab=${lab} faults=${
      faultsAt(faults, "/uncertainty/support")
    } /></div>`
  }
    ${kind?.fields.includes("temperature") && html`<${Penalty} lab=${lab} u=${u} faults=${faults} />`}
    ${
    finite ? html`<${KernelBar} lab=${lab} doc=${doc} shown=${shown} faults=${faults} />` : tables.length > 1
      ? html`<${Segments} label="Which end" value=${String(shown)} choices=${tables.map((t, i) => ({ id: String(i), title: t.title }))} onChoose=${(
        /** @type {string} */ id,
      ) => lab.look({ kernel: Number(id) })} />`
      : html`<h3>Nominal kernel</h3>`
  }
    <${Table} lab=${lab} doc=${doc} table=${tables[shown]} faults=${faults} view=${view} />
  </div>`;
}

/**
 * Choosing, adding, renaming and removing kernels.
 * @param {{ lab: Lab, doc: Doc, shown: number, faults: Fault[] }} props
 */
function KernelBar({ lab, doc, shown, faults }) {
  const kernels = doc.uncertainty.kernels ?? [];
  const at = `/uncertainty/kernels/${shown}`;
  const title = (/** @type {{ name?: string }} */ k, /** @type {number} */ i) => k.name || `kernel ${i + 1}`;
  return html`<div data-pointer="/uncertainty/kernels">
    ${
    kernels.length > 1 && html`<div class="row">${
      kernels.length <= 5
        ? html`<${Segments} label="Which kernel" value=${String(shown)} choices=${
          kernels.map((k, i) => ({
            id: String(i),
            title: title(k, i) + (faultsWithin(faults, `/uncertainty/kernels/${i}`).length ? " ⚠" : ""),
          }))
        } onChoose=${(/** @type {string} */ id) => lab.look({ kernel: Number(id) })} />`
        : html`<select aria-label="Which kernel" value=${String(shown)} onChange=${(/** @type {FieldEvent} */ e) =>
          lab.look({ kernel: Number(e.target.value) })}>${kernels.map((k, i) => html`<option value=${String(i)}>${title(k, i)}</option>`)}</select>`
    }</div>`
  }
    <div class="kernel-bar">
      <${TextField} lab=${lab} pointer=${`${at}/name`} value=${kernels[shown].name} label="Name of this kernel" class="name" faults=${faults} onValue=${(
    /** @type {string} */ x,
  ) => lab.edit((/** @type {Doc} */ d) => replaceAt(d, `${at}/name`, x), `${at}/name`)} />
      <button type="button" class="plain" onClick=${() => {
    lab.reshape((/** @type {Doc} */ d) => duplicateKernel(d, shown));
    lab.look({ kernel: shown + 1 });
  }}><${Icon} name="copy" />Add a copy</button>
      <${IconButton} icon="trash" label=${`Remove the kernel ${title(kernels[shown], shown)}`} disabled=${kernels.length === 1} onClick=${() => {
    const gone = title(kernels[shown], shown);
    lab.reshape((/** @type {Doc} */ d) => removeKernel(d, shown));
    lab.look({ kernel: Math.max(0, shown - 1) });
    lab.notify(`Removed the kernel “${gone}”.`, [{ label: "Undo", run: lab.undo }]);
  }} />
    </div>
    <${Faults} lab=${lab} faults=${["/uncertainty/kernels", at, `${at}/name`].flatMap((p) => faultsAt(faults, p))} />
  </div>`;
}

/**
 * One radius with a slider, or one for every state and action.
 * @param {{ lab: Lab, doc: Doc, kind: import("../document/kinds.js").Kind, faults: Fault[], view: import("../lab/state.js").State["view"] }} props
 */
function Radius({ lab, doc, kind, faults, view }) {
  const { radius } = doc.uncertainty;
  const each = Array.isArray(radius);
  const spec = /** @type {NonNullable<import("../document/kinds.js").Kind["radius"]>} */ (kind.radius);
  const set = (/** @type {number} */ x) => lab.edit((/** @type {Doc} */ d) => replaceAt(d, "/uncertainty/radius", x), "/uncertainty/radius");
  const rows = {
    count: doc.states.length,
    at: (/** @type {number} */ s) => ({
      key: String(s),
      head: doc.states[s],
      pointer: `/uncertainty/radius/${s}`,
      cell: (/** @type {number} */ a) => (isAvailable(doc, s, a)
        ? {
          value: Array.isArray(radius) ? radius[s]?.[a] : radius,
          pointer: `/uncertainty/radius/${s}/${a}`,
          label: `${spec.label} for ${doc.actions[a]} in ${doc.states[s]}`,
        }
        : null),
    }),
  };
  return html`<div>
    ${
    each
      ? html`<h3>${spec.label} by state and action</h3><${Finder} names=${doc.states} noun="states" onGo=${(/** @type {number} */ state) =>
        lab.look({ state })} />
        <${Grid} lab=${lab} caption=${`${spec.label} by state and action`} corner=${["state"]} columns=${doc.actions} rows=${rows} faults=${faults} see=${
        seeing(lab, view)
      } set=${(/** @type {Doc} */ d, /** @type {number} */ r, /** @type {number} */ c, /** @type {number} */ x) =>
        replaceAt(d, `/uncertainty/radius/${r}/${c}`, x)} />`
      : html`<label class="row" for="radius">${spec.label}</label><div class="slider">
        <input type="range" aria-label=${`${spec.label}, by slider`} min="0" max=${spec.slider} step=${spec.slider / 200} value=${
        typeof radius === "number" ? radius : 0
      } onInput=${(/** @type {FieldEvent} */ e) => set(Number(e.target.value))} onChange=${lab.settle} />
        <${NumberField} lab=${lab} id="radius" pointer="/uncertainty/radius" value=${radius} label=${spec.label} faults=${faults} onValue=${set} /></div>`
  }
    <label class="check"><input type="checkbox" checked=${each} onChange=${(/** @type {FieldEvent} */ e) =>
    lab.reshape((/** @type {Doc} */ d) =>
      replaceAt(d, "/uncertainty/radius", radiusAs(d, e.target.checked ? "each" : "one"))
    )} />one for each state and action</label>
    <${Faults} lab=${lab} faults=${faultsAt(faults, "/uncertainty/radius")} />
  </div>`;
}

/**
 * @param {{ lab: Lab, u: Doc["uncertainty"], faults: Fault[] }} props
 */
const Penalty = ({ lab, u, faults }) =>
  html`<div class="goal">
  <label class="row">Temperature <${NumberField} lab=${lab} pointer="/uncertainty/temperature" value=${u.temperature} label="Temperature" faults=${faults} show onValue=${(
    /** @type {number} */ x,
  ) => lab.edit((/** @type {Doc} */ d) => replaceAt(d, "/uncertainty/temperature", x), "/uncertainty/temperature")} /></label>
  <div><${Segments} label="Evaluator" pointer="/uncertainty/evaluator" value=${u.evaluator ?? "soft"} choices=${[{
    id: "soft",
    title: "with the penalty (soft)",
  }, { id: "paper", title: "as the paper prints it" }]} onChoose=${(/** @type {string} */ id) =>
    lab.edit((/** @type {Doc} */ d) => replaceAt(d, "/uncertainty/evaluator", id))} />
    <p class="help">${
    u.evaluator === "paper"
      ? "The printed update leaves the penalty out of the values: it belongs to no fixed set and can cycle or settle at more than one value. Use it to reproduce published numbers; for a worst case choose the KL ball or the soft evaluator."
      : "The log-sum-exp update: it always settles at one value. For a true worst case over a set choose the KL ball."
  }</p>
    <${Faults} lab=${lab} faults=${faultsAt(faults, "/uncertainty/evaluator")} /></div></div>`;

/**
 * One table of probabilities.
 * @param {{ lab: Lab, doc: Doc, table: any, faults: Fault[], view: import("../lab/state.js").State["view"] }} props
 */
function Table({ lab, doc, table, faults, view }) {
  const names = { states: doc.states, actions: doc.actions };
  const small = doc.states.length <= WIDE;
  const acts = doc.actions.length;
  const size = Math.max(1, Math.floor(ENTRIES / acts));
  const first = Math.floor(Math.min(view.state, doc.states.length - 1) / size) * size;
  const { wrongOf, change, available, last, sumOf } = hands({ lab, doc, table, faults });
  const go = (/** @type {number} */ state) => lab.look({ state });
  const way = !small &&
    html`<${Segments} label="How rows are shown" value=${view.matrix ? "matrix" : "list"} choices=${[
      { id: "list", title: "next states", help: "Each row with the states that it may lead to" },
      { id: "matrix", title: "matrix", help: "A column for every next state" },
    ]} onChoose=${(/** @type {string} */ id) => lab.look({ matrix: id === "matrix" })} />`;
  if (!small && !view.matrix) {
    return html`<div>${way}<${Pager} total=${doc.states.length} size=${size} at=${first} noun="states" names=${doc.states} onGo=${go} /><div class="entries" data-pointer=${table.pointer}>${
      doc.states.slice(first, first + size).map((/** @type {string} */ name, /** @type {number} */ i) =>
        html`<section key=${first + i} aria-label=${name}><p class="head">${name}</p><${StateRows} lab=${lab} doc=${doc} table=${table} s=${
          first + i
        } faults=${faults} /></section>`
      )
    }</div></div>`;
  }
  /** @param {number} i @returns {import("./grid.js").Row} */
  const rowAt = (i) => {
    const [s, a] = [Math.floor(i / acts), i % acts];
    const [state, action] = [doc.states[s], doc.actions[a]];
    const cells = rowOf(table.table, s, a, names);
    const of = new Map(cells?.map((c) => [c.next, c]));
    return {
      key: `${s}/${a}`,
      head: action,
      group: { head: state, at: a, span: acts },
      pointer: `${table.pointer}/${s}/${a}`,
      cell: cells === null ? null : (j) => ({
        value: of.get(j)?.p ?? 0,
        pointer: table.pointer + (of.get(j)?.pointer ?? `/${s}/${a}/${j}`),
        label: `Probability of ${doc.states[j]} after ${action} in ${state}`,
      }),
      remove: cells === null || last(s) ? undefined : () => available(s, a, false),
      missing: { label: `make available: ${action} in ${state}`, onClick: () => available(s, a, true) },
      sum: cells === null ? undefined : sumOf(cells),
      end: cells === null
        ? " "
        : html`<${IconButton} icon="remove" keys=${REMOVE_KEYS} passed label=${`Make ${action} not available in ${state}`} disabled=${last(s)} onClick=${() =>
          available(s, a, false)} />`,
      faults: wrongOf(s, a, cells),
    };
  };
  const set = (/** @type {Doc} */ d, /** @type {number} */ r, /** @type {number} */ c, /** @type {number} */ x) =>
    change(d, (t) => withProbability(t, Math.floor(r / acts), r % acts, c, x, { states: d.states, actions: d.actions }));
  /** A pasted block may reach beyond the model. @param {Doc} doc @param {number} r @param {number} c @param {number[][]} values */
  const block = (doc, r, c, values) => {
    let d = grownTo(doc, Math.max(Math.ceil((r + values.length) / acts), c + values[0].length), 0);
    for (const [i, line] of values.entries()) {
      const [s, a] = [Math.floor((r + i) / acts), (r + i) % acts];
      if (!isAvailable(d, s, a)) {
        if (line.every((x) => x === 0)) continue; // zeros where nothing is stay nothing
        d = setAvailable(d, s, a, true);
      }
      const names = { states: d.states, actions: d.actions };
      d = change(d, (t) => line.reduce((u, x, j) => withProbability(u, s, a, c + j, x, names), t));
    }
    return d;
  };
  return html`<div data-pointer=${table.pointer}>${way}<${Finder} names=${doc.states} noun="states" few=${WIDE} onGo=${go} /><${Grid} lab=${lab} caption=${`${table.title}: probability of the next state`} corner=${[
    "state",
    "action",
  ]} columns=${doc.states} rows=${{ count: doc.states.length * acts, at: rowAt }} faults=${faults} set=${set} block=${block} sumHead="sum" see=${
    seeing(lab, view, acts)
  } /></div>`;
}

/**
 * What the rows of a table are edited with.
 * @param {{ lab: Lab, doc: Doc, table: PlacedTable, faults: Fault[] }} of
 */
function hands({ lab, doc, table, faults }) {
  return {
    /** Faults of a pair: by pointer, or by name when they point at a sparse entry. @param {number} s @param {number} a @param {Cell[] | null} cells */
    wrongOf: (s, a, cells) =>
      faults.filter((f) =>
        f.pointer === `${table.pointer}/${s}/${a}` || f.pointer.startsWith(`${table.pointer}/${s}/${a}/`)
        || (f.pointer.startsWith(`${table.pointer}/entries`) &&
          (cells?.some((c) => f.pointer === table.pointer + c.pointer || f.pointer.startsWith(`${table.pointer}${c.pointer}/`)) ||
            (f.state === doc.states[s] && f.action === doc.actions[a])))
      ),
    change: (/** @type {Doc} */ d, /** @type {(t: any) => any} */ f) => replaceAt(d, table.pointer, f(valueAt(d, table.pointer))),
    available: (/** @type {number} */ s, /** @type {number} */ a, /** @type {boolean} */ yes) =>
      lab.reshape((/** @type {Doc} */ d) => setAvailable(d, s, a, yes)),
    /** Whether a state has no action to spare. @param {number} s */
    last: (s) => doc.actions.filter((_, b) => isAvailable(doc, s, b)).length < 2,
    sumOf: (/** @type {Cell[] | null} */ cells) => {
      const sum = rowSum(cells);
      return { text: Number.isNaN(sum) ? "–" : number(sum, 10), off: table.sums && !(Math.abs(sum - 1) <= NOISE) };
    },
  };
}

/**
 * The rows of one state, each with its successors one by one, and the actions that it lacks.
 * @param {{ lab: Lab, doc: Doc, table: PlacedTable, s: number, faults: Fault[] }} props
 */
export function StateRows({ lab, doc, table, s, faults }) {
  const { wrongOf, change, available, sumOf } = hands({ lab, doc, table, faults });
  const pairs = [...doc.actions.keys()].map((a) => ({ a, cells: rowOf(table.table, s, a, { states: doc.states, actions: doc.actions }) }));
  const [there, missing] = [pairs.filter(({ cells }) => cells !== null), pairs.filter(({ cells }) => cells === null)];
  return html`${
    there.map(({ a, cells }) =>
      html`<${Entry} key=${a} lab=${lab} doc=${doc} table=${table} s=${s} a=${a} cells=${cells} sum=${sumOf(cells)} faults=${faults} wrong=${
        wrongOf(s, a, cells)
      } change=${change} />`
    )
  }<${Missing} doc=${doc} s=${s} actions=${missing.map(({ a }) => a)} taken=${there.map(({ a }) => a)} available=${available} />`;
}

/**
 * A row of many states: its successors one by one.
 * @param {{ lab: Lab, doc: Doc, table: PlacedTable, s: number, a: number, cells: Cell[], sum: { text: string, off: boolean },
 *   faults: Fault[], wrong: Fault[], change: (d: Doc, f: (t: Table) => Table) => Doc }} props
 */
function Entry({ lab, doc, table, s, a, cells, sum, faults, wrong, change }) {
  const [state, action] = [doc.states[s], doc.actions[a]];
  const names = { states: doc.states, actions: doc.actions };
  const edit = (/** @type {(t: Table) => Table} */ f, /** @type {string | null} */ key = null) => lab.edit((/** @type {Doc} */ d) => change(d, f), key);
  const listed = cells.filter((c) => c.p !== 0 || c.pointer.startsWith("/entries"));
  return html`<div class="entry" role="group" aria-label=${`${action} in ${state}`} data-pointer=${`${table.pointer}/${s}/${a}`}>
    <span>${action}</span>
    <div class="chips">${
    listed.map((c) =>
      html`<label class="chip" key=${c.next}>${doc.states[c.next]} <${NumberField} lab=${lab} pointer=${
        table.pointer + c.pointer
      } value=${c.p} faults=${faults} class=""
        label=${`Probability of ${doc.states[c.next]} after ${action} in ${state}`} onValue=${(/** @type {number} */ x) =>
        edit((t) => withProbability(t, s, a, c.next, x, names), table.pointer + c.pointer)} />
        ${
        c.pointer.startsWith("/entries") && c.p === 0 && html`<${IconButton} icon="remove" label=${`Drop ${doc.states[c.next]} from this row`} onClick=${() =>
          edit((t) =>
            isSparse(t) ? withoutSuccessor(t, s, a, c.next, names) : t
          )} />`
      }</label>`
    )
  }
      ${
    listed.length < doc.states.length
    && html`<${NameField} names=${doc.states} label=${`Add a next state to ${action} in ${state}`} placeholder="+ next state" onChoose=${(
      /** @type {number} */ j,
    ) =>
      listed.some((c) => c.next === j)
        ? lab.say(`${doc.states[j]} is listed already.`)
        : lab.edit((/** @type {Doc} */ d) => addMove(d, table.pointer, s, a, j))} />`
  }</div>
    <span class=${sum.off ? "sum off" : "sum"}>${sum.text}</span>
    <${Faults} lab=${lab} faults=${wrong} /></div>`;
}

/**
 * The actions that a state does not have, and those it could do without.
 * @param {{ doc: Doc, s: number, actions: number[], taken: number[], available: (s: number, a: number, yes: boolean) => void }} props
 */
const Missing = ({ doc, s, actions, taken, available }) =>
  html`<div class="row help">
  ${
    actions.length > 0 && html`<span>not available:</span>${
      actions.map((a) =>
        html`<button type="button" class="plain" aria-label=${`${doc.actions[a]}: make available in ${doc.states[s]}`} title="Make it available" onClick=${() =>
          available(s, a, true)}>${doc.actions[a]}</button>`
      )
    }`
  }
  ${
    taken.length > 1 && html`<select aria-label=${`Make an action not available in ${doc.states[s]}`} value="" onChange=${(/** @type {FieldEvent} */ e) => {
      const a = Number(e.target.value);
      e.target.value = "";
      available(s, a, false);
    }}><option value="">take an action away</option>${taken.map((a) => html`<option value=${String(a)}>${doc.actions[a]}</option>`)}</select>`
  }</div>`;
