// @ts-check
// editor.js — draws the tables of the model, a tab each, and its faults; most tabs are in files of their own.
// Emits: edits, looking at another tab.

import { html, useMemo, useState } from "../view.js";
import { pageOf } from "../browser.js";
import { placeOf } from "../document/faults.js";
import { isPaintedLike } from "../document/reading.js";
import { replaceAt } from "../document/patch.js";
import { parseDocument } from "../document/json.js";
import { leaves, pieces } from "../document/pretty.js";
import { stands } from "../lab/knobs.js";
import { Goal } from "./goal.js";
import { Faults, NumberField, TextField } from "./fields.js";
import { deferred, Later, Tabs } from "./parts.js";

/** @typedef {import("./parts.js").Lab} Lab */

/** JSON text longer than this is not edited in a text field. */
const LONGEST_TEXT = 1_500_000;

/** @type {{ id: import("../document/faults.js").Tab, title: string }[]} */
const tabs = [{ id: "goal", title: "Goal" }, { id: "states", title: "States" }, { id: "costs", title: "Costs" }, { id: "nature", title: "Nature" }, {
  id: "json",
  title: "JSON",
}];
/** @type {typeof tabs[number]} */
const gridTab = { id: "grid", title: "Grid" };
const States = deferred(() => import("./states.js"), "States");
const Costs = deferred(() => import("./costs.js"), "Costs");
const Nature = deferred(() => import("./nature.js"), "Nature");
const loadPaint = () => import("./paint.js");

/**
 * The tables of the model, a tab each with the number of its faults.
 * @param {{ lab: Lab, doc: Doc, origin: import("../lab/state.js").Origin, example: import("../rcmdp.js").Example | null | undefined, faults: import("../document/faults.js").Fault[], view: import("../lab/state.js").State["view"], json: import("../lab/state.js").State["json"] }} props
 */
export function Editor({ lab, doc, origin, example, faults, view, json }) {
  const badges = faults.reduce((/** @type {Record<string, number>} */ n, f) => {
    const { tab } = placeOf(f.pointer, doc, f);
    if (!f.pointer.startsWith("option:")) n[tab] = (n[tab] ?? 0) + 1;
    return n;
  }, {});

  const gridded = isPaintedLike(doc) || view.tab === "grid";
  const tab = view.tab || (gridded ? "grid" : "goal");
  return html`<div id="model-editor">
        <${TextField} lab=${lab} pointer="/name" value=${doc.name} label="Name of the model" class="title" placeholder="Name of the model" faults=${faults} onValue=${(
    /** @type {string} */ x,
  ) => lab.edit((/** @type {Doc} */ d) => replaceAt(d, "/name", x), "/name")} />
        ${
    example && !gridded && origin.kind === "example" && origin.doc === doc &&
    html`<${Parameters} lab=${lab} doc=${doc} example=${example} values=${origin.parameters} faults=${faults} />`
  }
        <${Tabs} label="Parts of the model" panel="model-part" tabs=${
    [...(gridded ? [gridTab] : []), ...tabs].map((t) => ({ ...t, badge: badges[t.id] }))
  } value=${tab} onChoose=${(
    /** @type {import("../document/faults.js").Tab} */ tab,
  ) => lab.look({ tab })} />
        <div id="model-part" class="tab" role="tabpanel" aria-labelledby=${`model-part-tab-${tab}`}>
          ${tab === "grid" && html`<${Later} load=${loadPaint} part="Paint" of=${{ lab, doc, faults, chosen: view.tab !== "" }} />`}
          ${tab === "goal" && html`<${Goal} lab=${lab} doc=${doc} faults=${faults} />`}
          ${tab === "states" && html`<${States} lab=${lab} doc=${doc} faults=${faults} view=${view} />`}
          ${tab === "costs" && html`<${Costs} lab=${lab} doc=${doc} faults=${faults} view=${view} />`}
          ${tab === "nature" && html`<${Nature} lab=${lab} doc=${doc} faults=${faults} view=${view} />`}
          ${tab === "json" && html`<${Json} lab=${lab} doc=${doc} json=${json} faults=${faults} />`}
        </div>
      </div>`;
}

/**
 * The numbers that an example is made with, but for those that stand in the model itself; a grid has its own where it is painted.
 * @param {{ lab: Lab, doc: Doc, example: import("../rcmdp.js").Example, values: Record<string, number>, faults: import("../document/faults.js").Fault[] }} props
 */
function Parameters({ lab, doc, example, values, faults }) {
  const shown = example.parameters.filter((p) => !stands(doc, values[p.name]));
  return shown.length > 0 && html`<div class="parameters">${
    shown.map((p) =>
      p.integer && p.min === 0 && p.max === 1
        ? html`<label class="check" key=${p.name}><input type="checkbox" checked=${values[p.name] === 1} onChange=${(/** @type {FieldEvent} */ e) =>
          lab.setParameter(p.name, Number(e.target.checked))} />${p.label || p.name}</label>`
        : html`<label key=${p.name}>${p.label || p.name}
    <${Parameter} lab=${lab} parameter=${p} value=${values[p.name]} faults=${faults} /></label>`
    )
  }</div>`;
}

/**
 * @param {{ lab: Lab, parameter: import("../rcmdp.js").Example["parameters"][number], value: number, faults: import("../document/faults.js").Fault[] }} props
 */
function Parameter({ lab, parameter, value, faults }) {
  const read = (/** @type {string} */ text) => {
    const n = Number(text.replace(",", "."));
    if (text.trim() === "" || Number.isNaN(n) || n < parameter.min || n > parameter.max || (parameter.integer && !Number.isInteger(n))) {
      return {
        ok: /** @type {const} */ (false),
        message: `${parameter.label || parameter.name} is a ${parameter.integer ? "whole number" : "number"} from ${parameter.min} to ${parameter.max}.`,
      };
    }
    return { ok: /** @type {const} */ (true), value: n };
  };
  return html`<${NumberField} lab=${lab} pointer=${`example:${parameter.name}`} value=${value} faults=${faults} read=${read} show onValue=${(
    /** @type {number} */ x,
  ) => lab.setParameter(parameter.name, x)} />`;
}

/** The text of a document, or null when it is too long to edit: then little more than that is written of it. @param {Doc} doc */
function shortEnough(doc) {
  if (3 * leaves(doc) > LONGEST_TEXT) return null;
  let text = "";
  for (const piece of pieces(doc)) if ((text += piece).length > LONGEST_TEXT) return null;
  return text;
}

/**
 * The document as text, in step with the tables both ways.
 * @param {{ lab: Lab, doc: Doc, json: { text: string, message: string, looks?: string } | null, faults: import("../document/faults.js").Fault[] }} props
 */
function Json({ lab, doc, json, faults }) {
  const [typing, setTyping] = useState(/** @type {string | null} */ (null));
  const written = useMemo(() => shortEnough(doc), [doc]);
  if (written === null) {
    return html`<p class="quiet">This model is too large to edit as text here. Save it, edit the file, and open it again.</p>`;
  }
  const elsewhere = faults.filter((f) => placeOf(f.pointer, doc, f).tab === "json");
  return html`<div class="json">
    <textarea aria-label="The model as a JSON document" aria-invalid=${
    json ? "true" : undefined
  } aria-describedby="json-help" spellcheck=${false} data-pointer="" value=${typing ?? json?.text ?? written}
      onInput=${(/** @type {FieldEvent} */ e) => {
    setTyping(e.target.value);
    lab.setJson(e.target.value, parseDocument(e.target.value));
    void lab.looksLike(e.target.value);
  }}
      onBlur=${() => {
    setTyping(null);
    lab.settle();
  }}></textarea>
    ${
    json
      ? html`<p class="fault"><span>${json.looks ? `This looks like ${json.looks}.` : json.message}</span>${
        json.looks && html`<button type="button" onClick=${() => {
          setTyping(null);
          const { text } = json;
          lab.discardJson();
          void lab.consider([{ name: "", data: text }]);
        }}>Open it as a model</button>`
      }<button type="button" onClick=${() => {
        setTyping(null);
        lab.discardJson();
      }}>Discard this text</button></p>`
      : html`<${Faults} lab=${lab} faults=${elsewhere} />`
  }
    <p class="help" id="json-help">The format is rcmdp/1, described in the <a href=${
    pageOf("guide/format.html")
  }>guide</a>. The tables follow what you write here.</p>
  </div>`;
}
