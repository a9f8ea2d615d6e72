// @ts-check
// runs.js — draws the saved runs. Emits: opening, renaming, comparing, deleting,
// exporting and importing them.

import { html, useRef, useState } from "../view.js";
import { fileStem, saveFile } from "../browser.js";
import { count, number } from "../words/format.js";
import { useFew } from "./fields.js";
import { Icon, IconButton } from "./parts.js";

/** @typedef {import("./parts.js").Lab} Lab */

/** So many runs are listed at first. */
const FEW = 8;

/** What each status is called in a list. @type {Record<string, string>} */
const short = {
  "proved-optimal": "proved optimal",
  bounded: "feasible, limit proved",
  feasible: "feasible",
  "proved-infeasible": "proved infeasible",
  "no-feasible-found": "no feasible policy found",
  stopped: "stopped early",
  failed: "failed",
  running: "not finished",
  finished: "finished",
  unchecked: "", // by this page: what it claims is checked when it is opened
};

/**
 * @param {{ lab: Lab, runs: import("../lab/state.js").Runs, compared: string[], current: string | undefined, unsaved: string, running: string, algorithms: import("../rcmdp.js").Algorithm[] }} props
 */
export function Runs({ lab, runs, compared, current, unsaved, running, algorithms }) {
  const file = useRef(/** @type {HTMLInputElement | null} */ (null));
  const { shown, more } = useFew(runs.list, FEW, "");
  const save = (/** @type {() => Promise<string>} */ text, /** @type {string} */ name) =>
    lab.attempt("The runs were not exported: ", async () => saveFile(name, await text()));
  const take = async (/** @type {FieldEvent} */ event) => {
    for (const f of event.target.files ?? []) await lab.importRuns(await f.text());
    event.target.value = "";
  };
  return html`<section class="runs" aria-labelledby="runs-title"><details class="fold" open=${runs.phase === "failed" || runs.message ? true : undefined}>
    <summary><h2 id="runs-title" class="step">Runs</h2><span>${
    runs.phase === "failed" ? "could not be read" : runs.list.length > 0 ? `${runs.list.length} kept in this browser` : "what you solve is kept"
  }</span></summary>
    ${runs.phase !== "failed" && runs.message && html`<p class="quiet">${runs.message} Export the runs you want to keep.</p>`}
    ${
    runs.phase === "failed" &&
    html`<p class="fault" role="alert"><span>The saved runs could not be read: ${runs.message} They are not lost because of that.</span><button type="button" onClick=${lab.loadRuns}>Try again</button></p>`
  }
    ${runs.phase === "ready" && runs.list.length === 0 && html`<p class="quiet">Every run you start is kept here, in this browser only.</p>`}
    ${
    runs.list.length > 0 && html`<ul class="runlist">${
      shown.map((r) =>
        html`<${Item} key=${r.id} lab=${lab} run=${r} current=${r.id === current} compared=${
          compared.includes(r.id)
        } running=${running} algorithms=${algorithms} save=${save} />`
      )
    }</ul>`
  }
    ${
    runs.phase === "ready" && runs.list.length > 0 && runs.persisted !== null && html`<p class="help kept">${
      runs.persisted
        ? "This browser has promised to keep them until you delete them."
        : "This browser has not promised to keep them: it may clear them when space runs short, or when the page is not visited for long. Export those that matter."
    }</p>`
  }
    ${
    runs.phase !== "loading" && html`<div class="toolbar">
      ${unsaved && html`<button type="button" class="plain" onClick=${() => lab.saveAnswer(unsaved)}>Save this run</button>`}
      ${more}
      ${
      runs.list.length > 0 &&
      html`<button type="button" class="plain" onClick=${() => save(lab.exportRuns, "rcmdp-runs.json")}><${Icon} name="download" />Export ${
        count(runs.list.length, "run")
      }</button>`
    }
      <button type="button" class="plain" onClick=${() => file.current?.click()}><${Icon} name="open" />Import</button>
      <input ref=${file} type="file" class="unseen" tabindex="-1" aria-hidden="true" accept=".json,application/json" onChange=${take} /></div>`
  }
  </details></section>`;
}

/**
 * @param {{ lab: Lab, run: import("../rcmdp.js").RunSummary, current: boolean, compared: boolean, running: string, algorithms: import("../rcmdp.js").Algorithm[], save: (text: () => Promise<string>, name: string) => void }} props
 */
function Item({ lab, run, current, compared, running, algorithms, save }) {
  const [renaming, setRenaming] = useState(/** @type {string | null} */ (null));
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  const pen = useRef(/** @type {HTMLLIElement | null} */ (null));
  const done = async (/** @type {boolean} */ keep) => {
    const name = (renaming ?? "").trim();
    setRenaming(null);
    /** @type {HTMLElement | null | undefined} */ (pen.current?.querySelector("[data-rename]"))?.focus();
    if (keep && name && name !== run.name) await lab.renameRun(run.id, name);
  };
  const sweep = run.algorithm === "sweep";
  const title = sweep ? "trade-off" : algorithms.find((a) => a.id === run.algorithm)?.title ?? run.algorithm;
  const when = new Date(run.created);
  return html`<li ref=${pen} aria-current=${current ? "true" : undefined}>
    ${
    renaming === null
      ? html`<button type="button" class="open" onClick=${() => lab.openRun(run.id)}>${run.name}</button>`
      : html`<form class="row" onSubmit=${(/** @type {FieldEvent} */ e) => {
        e.preventDefault();
        void done(true);
      }}><input ref=${field} type="text" aria-label="Name of the run" value=${renaming} maxlength="200"
          onInput=${(/** @type {FieldEvent} */ e) => setRenaming(e.target.value)} onKeyDown=${(/** @type {KeyEvent} */ e) => {
        if (e.key === "Escape") {
          e.stopPropagation();
          void done(false);
        }
      }} /><button>Rename</button></form>`
  }
    <span class="facts">${
    [
      run.id === running ? "running" : short[run.status] ?? run.status,
      Number.isFinite(run.objective) ? number(run.objective) : "",
      run.name.includes(title) ? "" : title,
    ].filter(Boolean).join(
      " · ",
    )
  } · <time datetime=${Number.isNaN(when.getTime()) ? undefined : when.toISOString()}>${whenWords(when)}</time></span>
    <span class="toolbar">
      ${
    (run.resumable || run.status === "running") && !running && html`<button type="button" class="plain" onClick=${() =>
      lab.resume(run.id)} aria-label=${`Continue ${run.name}`}>Continue</button>`
  }
      <${IconButton} icon="compare" disabled=${run.status === "running" || sweep} label=${
    compared ? `Take ${run.name} off the comparison` : `Compare ${run.name} with others`
  } pressed=${compared} onClick=${() => lab.toggleCompared(run.id)} />
      <span data-rename-slot><button type="button" class="icon" data-rename aria-label=${`Rename ${run.name}`} title="Rename" onClick=${() => {
    setRenaming(run.name);
    setTimeout(() => field.current?.select());
  }}><${Icon} name="pen" /></button></span>
      <${IconButton} icon="download" label=${`Export ${run.name}`} onClick=${() => save(() => lab.exportRun(run.id), `${fileStem(run.name)}-run.json`)} />
      <${IconButton} icon="trash" label=${`Delete ${run.name}`} onClick=${() => lab.deleteRun(run.id)} />
    </span></li>`;
}

/** "14:05", or "12 Mar, 14:05" on another day. @param {Date} when */
function whenWords(when) {
  if (Number.isNaN(when.getTime())) return "";
  const time = when.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  return when.toDateString() === new Date().toDateString()
    ? time
    : `${
      when.toLocaleDateString([], { day: "numeric", month: "short", year: when.getFullYear() === new Date().getFullYear() ? undefined : "numeric" })
    }, ${time}`;
}
