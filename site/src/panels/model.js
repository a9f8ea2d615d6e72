// @ts-check
// model.js — draws the document and its faults; the tabs are in files of their
// own. Emits: opening and saving, undo, edits, looking at another tab.

import { html } from "htm/preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { fileStem, saveText } from "../browser.js";
import { nearest, placeOf, placeWords } from "../document/faults.js";
import { isGridLike, isPaintedLike } from "../document/gridded.js";
import { count, sentence } from "../words/format.js";
import { replaceAt } from "../document/patch.js";
import { leaves, pieces } from "../document/pretty.js";
import { Examples } from "./examples.js";
import { Goal, Statement } from "./goal.js";
import { deferred, Later, whenThere } from "./later.js";
import { New } from "./new.js";
import { Faults, Icon, IconButton, NumberField, Tabs, TextField } from "./parts.js";
import { Share } from "./share.js";

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
const Portrait = deferred(() => import("./world-view.js"), "Portrait", null);

/**
 * @param {{ lab: Lab, history: import("../document/history.js").History<import("../lab/state.js").Version>, faults: import("../document/faults.js").Fault[], view: import("../lab/state.js").State["view"], examples: import("../rcmdp.js").Example[], json: import("../lab/state.js").State["json"], focus: import("../lab/state.js").State["focus"], warnings: string[], ready: boolean, empty: boolean }} props
 */
export function Model({ lab, history, faults, view, examples, json, focus, warnings, ready, empty }) {
  const { doc, origin } = history.present;
  const section = useRef(/** @type {HTMLElement | null} */ (null));

  useEffect(() => {
    const place = section.current;
    if (focus && place && !focus.pointer.startsWith("option:")) whenThere(place, () => focusPlace(place, focus.pointer));
  }, [focus]);

  const example = !empty && origin.kind === "example" ? examples.find((e) => e.id === origin.id) : null;
  const untouched = origin.kind === "example" && origin.doc === doc;
  const undoing = html`<span class="undoing"><${IconButton} icon="undo" label="Undo" keys="Ctrl+Z" disabled=${
    history.past.length === 0
  } onClick=${lab.undo} /><${IconButton} icon="redo" label="Redo" keys="Ctrl+Y" disabled=${history.future.length === 0} onClick=${lab.redo} /></span>`;
  // Before the first model is there its place is kept, not filled with another.
  if (!ready) return html`<section class="model waiting" aria-labelledby="model-title"><h2 id="model-title" class="step">Model</h2></section>`;
  return html`<section class="model" ref=${section} aria-labelledby="model-title">
    <h2 id="model-title" class="step">Model</h2>
    <${Toolbar} lab=${lab} examples=${examples} example=${example} empty=${empty} />
    ${
    empty
      ? html`<div class="title-row"><p class="quiet">No model is open. Choose one above, begin a new one, or open a file.</p>${undoing}</div>`
      : html`<div class="title-row"><${TextField} lab=${lab} pointer="/name" value=${doc.name} label="Name of the model" class="title" placeholder="Name of the model" faults=${faults} onValue=${(
        /** @type {string} */ x,
      ) => lab.edit((/** @type {Doc} */ d) => replaceAt(d, "/name", x), "/name")} />
      ${undoing}
      <button type="button" class="toggle" aria-expanded=${String(view.open)} aria-controls="model-editor" onClick=${() => lab.look({ open: !view.open })}>${
        view.open ? "Close" : html`<${Icon} name="pen" />Edit`
      }<span class="unseen"> the tables of the model</span></button></div>
    ${doc.description && html`<p class="about">${doc.description}</p>`}
    ${origin.kind === "file" && origin.imported && html`<${ImportReport} origin=${origin} />`}
    <${Parameters} lab=${lab} example=${example} origin=${origin} untouched=${untouched} faults=${faults} />
    ${
        !view.open ? html`${isGridLike(doc) && html`<${Portrait} lab=${lab} doc=${doc} />`}<${Statement} doc=${doc} />` : html`
      <div class="print-only"><${Statement} doc=${doc} /></div>
      <${Editor} lab=${lab} doc=${doc} faults=${faults} view=${view} json=${json} />`
      }
    ${faults.length > 0 && html`<${FaultList} lab=${lab} faults=${faults} doc=${doc} />`}
    ${
        warnings.length > 0 &&
        html`<details><summary>${count(warnings.length, "remark")} on the model</summary><ul>${
          warnings.map((w) => html`<li class="help">${w}</li>`)
        }</ul></details>`
      }`
  }
  </section>`;
}

/**
 * What brings models in and takes them out.
 * @param {{ lab: Lab, examples: import("../rcmdp.js").Example[], example: import("../rcmdp.js").Example | null | undefined, empty: boolean }} props
 */
function Toolbar({ lab, examples, example, empty }) {
  const file = useRef(/** @type {HTMLInputElement | null} */ (null));
  const openFile = async (/** @type {FieldEvent} */ event) => {
    const files = [...event.target.files ?? []];
    event.target.value = "";
    await lab.openFiles(files);
  };
  const save = async () => {
    await lab.settled();
    const now = lab.doc();
    saveText(`${fileStem(now.name ?? "model")}.json`, written(now));
  };
  return html`<div class="toolbar">
      <select aria-label="Example" value=${example ? example.id : ""} onChange=${(/** @type {FieldEvent} */ e) =>
    e.target.value && lab.chooseExample(e.target.value)}>
        ${!example && html`<option value="">${empty ? "No model" : "Own model"}</option>`}
        ${examples.map((e) => html`<option key=${e.id} value=${e.id}>${e.title}</option>`)}
      </select>
      <${Examples} lab=${lab} examples=${examples} chosen=${example ? example.id : ""} />
      <${New} lab=${lab} onFiles=${() => file.current?.click()} />
      <button type="button" onClick=${() => file.current?.click()} title="Open a file; or drop or paste one anywhere (Ctrl+O)" data-open>Open</button>
      <input ref=${file} type="file" class="unseen" tabindex="-1" aria-hidden="true" multiple accept=".json,.jsonl,.ipynb,.svg,.png,.csv,.tsv,.xlsx,.txt,.tex,.yaml,.yml,.drn,.tra,.pexp,.sta,.lab,.srew,.trew,.pomdp,.mdp,.py,.r,.jl,application/json,text/*" onChange=${openFile} />
      <button type="button" onClick=${save} title="Save the model as a JSON file (Ctrl+S)" disabled=${empty} data-save>Save</button>
      <${Share} lab=${lab} disabled=${empty} />
    </div>`;
}

/**
 * The tables of the model, a tab each with the number of its faults.
 * @param {{ lab: Lab, doc: Doc, faults: import("../document/faults.js").Fault[], view: import("../lab/state.js").State["view"], json: import("../lab/state.js").State["json"] }} props
 */
function Editor({ lab, doc, faults, view, json }) {
  const badges = faults.reduce((/** @type {Record<string, number>} */ n, f) => {
    const { tab } = placeOf(f.pointer, doc, f);
    if (!f.pointer.startsWith("option:")) n[tab] = (n[tab] ?? 0) + 1;
    return n;
  }, {});

  const gridded = isPaintedLike(doc) || view.tab === "grid";
  const tab = view.tab || (gridded ? "grid" : "goal");
  return html`<div id="model-editor">
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
 * Where an imported model comes from and what was changed on the way.
 * @param {{ origin: { name: string, imported: { title: string, report: string[], warnings: string[] } } }} props
 */
const ImportReport = ({ origin: { name, imported } }) => {
  const lines = [...imported.warnings, ...imported.report];
  return html`<details class="imported"><summary>From ${name} (${imported.title})${lines.length > 0 ? `: ${count(lines.length, "remark")}` : ""}</summary>
    <ul class="report">${lines.map((line) => html`<li>${sentence(line)}</li>`)}</ul></details>`;
};

/**
 * The numbers an example is made with; once edited by hand, where it came from.
 * @param {{ lab: Lab, example: import("../rcmdp.js").Example | null | undefined, origin: import("../lab/state.js").Origin, untouched: boolean, faults: import("../document/faults.js").Fault[] }} props
 */
function Parameters({ lab, example, origin, untouched, faults }) {
  if (!example || origin.kind !== "example") return null;
  if (!untouched) {
    return html`<p class="origin">Edited from ${example.title}. <button type="button" class="plain" onClick=${() =>
      lab.chooseExample(example.id, origin.parameters)}>Back to the example</button></p>`;
  }
  if (example.parameters.length === 0) return null;
  return html`<div class="parameters">${
    example.parameters.map((p) =>
      p.integer && p.min === 0 && p.max === 1
        ? html`<label class="check" key=${p.name}><input type="checkbox" checked=${origin.parameters[p.name] === 1} onChange=${(
          /** @type {FieldEvent} */ e,
        ) => lab.setParameter(p.name, Number(e.target.checked))} />${p.label || p.name}</label>`
        : html`<label key=${p.name}>${p.label || p.name}
    <${Parameter} lab=${lab} parameter=${p} value=${origin.parameters[p.name]} faults=${faults} /></label>`
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

/**
 * Every fault, with a way to its place and its fix.
 * @param {{ lab: Lab, faults: import("../document/faults.js").Fault[], doc: Doc }} props
 */
const FaultList = ({ lab, faults, doc }) =>
  html`<div class="faultlist" role="region" aria-label="Faults of the model">
  <h3>${count(faults.length, "fault")} to repair before solving</h3>
  <ul>${
    faults.slice(0, 200).map((f) =>
      html`<li><button type="button" onClick=${() => lab.reveal(f.pointer, f)}>${
        f.pointer.startsWith("option:")
          ? `setting ${f.pointer.slice(7)}`
          : f.pointer.startsWith("example:")
          ? `parameter ${f.pointer.slice(8)}`
          : placeWords(f, doc)
      }</button><span>${sentence(f.message)}</span>
    ${f.fix && html`<button type="button" class="plain" onClick=${() => lab.applyFix(f)}>${sentence(f.fix.label)}</button>`}</li>`
    )
  }</ul></div>`;

/** A document as the text of its file. @param {Doc} doc */
function* written(doc) {
  yield* pieces(doc);
  yield "\n";
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
    lab.setJson(e.target.value);
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
    <p class="help" id="json-help">The format is rcmdp/1, described in the <a href="guide/format.html">guide</a>. The tables follow what you write here.</p>
  </div>`;
}

/** Form fields in a part of the page. */
const FIELDS = "input:not([type=file]), select, textarea";

/**
 * Moves focus to the field that edits a place of the document.
 * @param {HTMLElement} section
 * @param {string} pointer
 */
export function focusPlace(section, pointer) {
  const shown = /** @type {HTMLElement[]} */ ([...section.querySelectorAll("[data-pointer]")]);
  const best = nearest(shown.map((e) => e.dataset.pointer ?? ""), pointer);
  const element = shown.find((e) => e.dataset.pointer === best);
  const field = element?.matches(FIELDS) ? element : element?.querySelector(FIELDS) ?? element?.closest("tr, li, .entry")?.querySelector(FIELDS);
  const target = /** @type {HTMLElement | null} */ (field ?? section.querySelector(`.tab ${FIELDS.split(",")[0]}`));
  target?.focus();
  if (target instanceof HTMLInputElement && target.type === "text") target.select(); // what is typed takes its place
  target?.scrollIntoView({ block: "center", inline: "nearest" });
}
