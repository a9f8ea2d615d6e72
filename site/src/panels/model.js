// @ts-check
// model.js — what a person does with the document as a whole; its tables are loaded when they are wanted. Emits:
// opening and saving, undo, looking at the tables.

import { html, useEffect, useRef } from "../view.js";
import { fileStem, saveText } from "../browser.js";
import { placeWords } from "../document/faults.js";
import { pieces } from "../document/pretty.js";
import { count, sentence } from "../words/format.js";
import { focusPlace } from "./focus.js";
import { later } from "./bench.js";
import { Icon, IconButton, whenThere } from "./parts.js";
import { Statement } from "./statement.js";

/** @typedef {import("./parts.js").Lab} Lab */

const Editor = later("Editor", html`<p class="quiet" aria-busy="true">Loading…</p>`);

/**
 * @param {{ lab: Lab, history: import("../document/history.js").History<import("../lab/state.js").Version>, faults: import("../document/faults.js").Fault[], view: import("../lab/state.js").State["view"], examples: import("../rcmdp.js").Example[], json: import("../lab/state.js").State["json"], focus: import("../lab/state.js").State["focus"], warnings: string[], ready: boolean, empty: boolean, answers: import("../lab/state.js").Answer[] }} props
 *   answers: those there are; a painted grid shows the plan on its cells, and so it is drawn again when there is another
 */
export function Model({ lab, history, faults, view, examples, json, focus, warnings, ready, empty }) {
  const { doc, origin } = history.present;
  const section = useRef(/** @type {HTMLElement | null} */ (null));

  useEffect(() => {
    const place = section.current;
    if (focus && place && !focus.pointer.startsWith("option:")) whenThere(place, () => focusPlace(place, focus.pointer));
  }, [focus]);

  const example = !empty && origin.kind === "example" ? examples.find((e) => e.id === origin.id) : null;
  return html`<section class="model" ref=${section} aria-labelledby="model-title">
    <h2 id="model-title" class="step">Model</h2>
    ${
    empty
      ? html`<p class="quiet">No model is open. Choose an example, begin a new one, or open a file.</p>`
      : ready && doc.description && html`<p class="about">${doc.description}</p>`
  }
    <${Toolbar} lab=${lab} empty=${empty} view=${view} history=${history} />
    ${
    ready && !empty && html`
    ${origin.kind === "file" && origin.imported && html`<${ImportReport} origin=${origin} />`}
    ${
      example && origin.kind === "example" && origin.doc !== doc &&
      html`<p class="origin">Edited from ${example.title}. <button type="button" class="plain" onClick=${() =>
        lab.chooseExample(example.id, origin.parameters)}>Back to the example</button></p>`
    }
    <div class="print-only"><${Statement} doc=${doc} /></div>
    ${view.open && html`<${Editor} lab=${lab} doc=${doc} origin=${origin} example=${example} faults=${faults} view=${view} json=${json} />`}
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
 * What opens the tables, brings models in and takes them out.
 * @param {{ lab: Lab, empty: boolean, view: import("../lab/state.js").State["view"], history: import("../document/history.js").History<import("../lab/state.js").Version> }} props
 */
function Toolbar({ lab, empty, view, history }) {
  const file = useRef(/** @type {HTMLInputElement | null} */ (null));
  const openFile = async (/** @type {FieldEvent} */ event) => {
    const files = [...event.target.files ?? []];
    event.target.value = "";
    if (files.length > 0) lab.ask(null); // a dialog may have asked for them
    await lab.openFiles(files);
  };
  const save = async () => {
    await lab.settled();
    const now = lab.doc();
    saveText(`${fileStem(now.name ?? "model")}.json`, written(now));
  };
  return html`<div class="toolbar">
      <button type="button" class="toggle" aria-expanded=${String(view.open)} aria-controls="model-editor" disabled=${empty} onClick=${() =>
    lab.look({ open: !view.open })}>${view.open ? "Close" : html`<${Icon} name="pen" />Edit`}<span class="unseen"> the tables of the model</span></button>
      <button type="button" onClick=${() =>
    lab.ask({
      kind: "new",
      door: "",
    })} aria-haspopup="dialog" title="Start a model: small, a grid, from a table, logs or files" data-new>New</button>
      <button type="button" onClick=${() => file.current?.click()} title="Open a file; or drop or paste one anywhere (Ctrl+O)" data-open>Open</button>
      <input ref=${file} type="file" class="unseen" tabindex="-1" aria-hidden="true" multiple accept=".json,.jsonl,.ipynb,.svg,.png,.csv,.tsv,.xlsx,.txt,.tex,.yaml,.yml,.drn,.tra,.pexp,.sta,.lab,.srew,.trew,.pomdp,.mdp,.py,.r,.jl,application/json,text/*" onChange=${openFile} />
      <button type="button" onClick=${save} title="Save the model as a JSON file (Ctrl+S)" disabled=${empty} data-save>Save</button>
      <button type="button" onClick=${async () =>
    lab.ask({
      kind: "share",
      link: await lab.pageLink(),
    })} aria-haspopup="dialog" disabled=${empty} data-share title="A link, code for another page, or one file">Share</button>
      <span class="undoing"><${IconButton} icon="undo" label="Undo" keys="Ctrl+Z" disabled=${
    history.past.length === 0
  } onClick=${lab.undo} /><${IconButton} icon="redo" label="Redo" keys="Ctrl+Y" disabled=${history.future.length === 0} onClick=${lab.redo} /></span>
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
