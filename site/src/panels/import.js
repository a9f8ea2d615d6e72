// @ts-check
// import.js — the dialog of a model from elsewhere: what it looks like, its first rows, one short
// form for what the files leave open, what was changed, what is wrong. Emits: answers, take, cancel.

import { html, useRef } from "../view.js";
import { count, integer, sentence } from "../words/format.js";
import { columnOfNames } from "../document/block.js";
import { misnamed, nameable } from "../lab/importing.js";
import { kinds } from "../lab/logs.js";
import { useFormats } from "./formats.js";
import { LimitRange } from "./limit-range.js";
import { AskedNumber, Segments } from "./fields.js";
import { Later, solverOf } from "./parts.js";

/** The door to a model from logs, whose content is loaded when it is first opened. */
const loadLogs = () => import("./logs.js");

/** @typedef {import("./parts.js").Lab} Lab */
/** @typedef {import("../lab/importing.js").Importing} Importing */
/** @typedef {import("../rcmdp.js").Choice} Choice */

/** How a table was cut: beside the preview, not in the form. */
const CUT = ["separator", "decimal", "header", "layout", "values"];
/** What nearly everybody looks at; the rest is one click away. */
const FIRST = [
  "axes",
  "rewardAxes",
  "base",
  "duplicates",
  "observationRewards",
  "discount",
  "initial",
  "objective",
  "sense",
  "limits",
  "goal",
  "uncertainty",
  "radius",
  "support",
];
/** For these an estimate has answers of its own. */
const NOT_ESTIMATED = ["goal", "uncertainty", "radius", "support", "rows", "zeroRows", "noAction", "ends"];

/** @param {{ lab: Lab, importing: Importing }} props */
export function Import({ lab, importing }) {
  const { found, busy, message, counts } = importing;
  const estimate = Boolean(found?.counts) && counts.use === "estimate";
  const choices = (found?.choices ?? []).filter((c) =>
    (c.open || !CUT.includes(c.name)) && c.name !== "columns" && !(estimate && NOT_ESTIMATED.includes(c.name))
  );
  const questions = choices.filter(asks);
  const rest = choices.filter((c) => !questions.includes(c) && !CUT.includes(c.name));
  const first = FIRST.flatMap((name) => rest.filter((c) => c.name === name));
  const more = rest.filter((c) => !FIRST.includes(c.name));
  const errors = found?.errors ?? [];
  // While the files are read again a press waits for what they say then.
  const can = found !== null &&
    (busy ||
      (errors.length === 0 && !questions.some((c) => c.open) && (estimate || (found.problem !== null && !misnamed(found.problem, importing.names)))));
  const asked = found && questions.length > 0 && errors.length === 0 && html`<${Questions} lab=${lab} questions=${questions} />`;
  if (found?.columns) {
    return html`<${Top} lab=${lab} importing=${importing} />
      <div class="import-body">${asked}<${Cut} lab=${lab} found=${found} /><${Preview} lab=${lab} found=${found} />
      ${!questions.some((c) => c.open) && html`<${Later} load=${loadLogs} part="Logs" of=${{ lab, importing }} />`}</div>
      <div class="row import-end"><button type="button" onClick=${() => lab.cancelImport()}>Cancel</button></div>`;
  }
  return html`<${Top} lab=${lab} importing=${importing} />
    <div class="import-body">
      ${asked}
      ${(errors.length > 0 || message) && html`<${Errors} lab=${lab} errors=${errors} message=${message} />`}
      ${found && html`<${Cut} lab=${lab} found=${found} />`}
      ${found && html`<${Preview} lab=${lab} found=${found} />`}
      ${found?.counts && html`<${Counts} lab=${lab} counts=${counts} />`}
      ${
    first.length > 0 && html`<div class="open-questions"><h3>What the file leaves open</h3><div class="choices">${
      first.map((c) => html`<${Field} key=${c.name} lab=${lab} choice=${c} problem=${found?.problem} />`)
    }</div></div>`
  }
      ${
    more.length > 0 &&
    html`<details><summary>More: rows, ends and missing actions</summary><div class="choices">${
      more.map((c) => html`<${Field} key=${c.name} lab=${lab} choice=${c} problem=${found?.problem} />`)
    }</div></details>`
  }
      ${found?.problem && !estimate && html`<${Names} lab=${lab} problem=${found.problem} pasted=${importing.names} />`}
      ${
    found && found.report.length > 0 && html`<h3>What is changed or taken</h3><ul class="report">${
      found.report.map((line) => html`<li>${sentence(line)}</li>`)
    }</ul>`
  }
      ${found && found.warnings.length > 0 && html`<ul class="report warnings">${found.warnings.map((line) => html`<li>${sentence(line)}</li>`)}</ul>`}
    </div>
    <div class="row import-end">
      <button type="button" class="primary" data-take aria-busy=${busy ? "true" : undefined} aria-disabled=${can ? undefined : "true"} onClick=${() =>
    can && lab.takeImport()}>${estimate ? "Make the robust model" : "Open the model"}</button>
      <button type="button" onClick=${() => lab.cancelImport()}>Cancel</button>
      <span class="help" role="status">${
    busy
      ? "Reading…"
      : errors.length > 0
      ? `${count(errors.length, "fault")} first: see above.`
      : questions.some((c) => c.open)
      ? "One question first: see above."
      : found?.problem && !estimate
      ? found.summary?.text
      : ""
  }</span>
    </div>`;
}

/** A question with answers to press, whose meaning decides what the model is. @param {Choice} c */
const asks = (c) => Boolean(c.why) && (c.options?.length ?? 0) > 1;

/** What the file is read as. @param {{ lab: Lab, importing: Importing }} props */
function Top({ lab, importing: { found, busy, options } }) {
  const formats = useFormats(lab);
  return html`<p class="row looks"><label class="row">Read as <select aria-label="Format" value=${options.format ?? ""} onChange=${(
    /** @type {FieldEvent} */ e,
  ) => lab.answerImport("format", e.target.value || null)}>
      <option value="">${found?.title && !options.format ? found.title : "what it looks like"}</option>
      ${formats.filter((f) => f.reads).map((f) => html`<option value=${f.id} selected=${f.id === options.format}>${f.title}</option>`)}</select></label>
      <span class="help">${busy ? "Reading…" : found?.reason && !options.format ? `Recognised: ${found.reason}.` : ""}</span></p>`;
}

/**
 * What the file leaves open in a way that makes it another model: each answer with what it then says.
 * @param {{ lab: Lab, questions: Choice[] }} props
 */
const Questions = ({ lab, questions }) =>
  questions.map((c) =>
    html`<div key=${c.name} class="counts" role="radiogroup" aria-labelledby=${`question-${c.name}`} data-question=${c.name}><h3 id=${`question-${c.name}`}>${c.label}?</h3>
      <p class="help">${sentence(c.why ?? "")}</p>${
      c.options?.map((o, i) =>
        html`<label class="check"><input type="radio" name=${`answer-${c.name}`} value=${o.value} checked=${
          !c.open && String(c.value) === o.value
        } onChange=${() => lab.answerImport(c.name, o.value)} /><span>${o.label} <span class="help">${
          c.readings?.[i] && `Then, ${c.readings[i]}.`
        }</span></span></label>`
      )
    }</div>`
  );

/**
 * Other names for what the file numbers or names badly: a column each, as copied from a sheet.
 * @param {{ lab: Lab, problem: Doc, pasted: Record<string, string> }} props
 */
function Names({ lab, problem, pasted }) {
  return html`<details><summary>Other names</summary><div class="choices pasted-names">${
    nameable(problem).map(([list, count]) => {
      const text = pasted[list] ?? "";
      const { names, message } = columnOfNames(text, count);
      const held = list === "kernels" ? (problem.uncertainty.kernels ?? []).map((k) => k.name ?? "") : problem[list];
      return html`<label key=${list}><span>${sentence(list)}, one a line</span><textarea rows="4" spellcheck=${false} aria-invalid=${
        message ? "true" : undefined
      } placeholder=${held.slice(0, 4).join("\n")} value=${text} onInput=${(/** @type {FieldEvent} */ e) => lab.nameImport(list, e.target.value)}></textarea>
        <span class=${message ? "fault" : "help"}>${message || (names ? "Taken." : `${count} to name, or none.`)}</span></label>`;
    })
  }</div></details>`;
}

/**
 * How the text was cut into a table.
 * @param {{ lab: Lab, found: import("../rcmdp.js").Inspection }} props
 */
function Cut({ lab, found }) {
  const cut = CUT.flatMap((name) => found.choices.filter((c) => c.name === name));
  if (cut.length === 0) return null;
  return html`<div class="cut">${
    cut.map((c) =>
      html`<label key=${c.name}><span>${c.label}</span><select value=${String(c.value)} onChange=${(/** @type {FieldEvent} */ e) =>
        lab.answerImport(c.name, e.target.value)}>${c.options?.map((o) => html`<option value=${o.value}>${o.label}</option>`)}</select></label>`
    )
  }</div>`;
}

/**
 * The first rows; of a table with what each column is, to be changed.
 * @param {{ lab: Lab, found: import("../rcmdp.js").Inspection }} props
 */
function Preview({ lab, found }) {
  const { columns, rows, total } = found.preview;
  if (columns.length === 0) return null;
  const roles = found.choices.find((c) => c.name === "columns");
  const now = /** @type {string[]} */ (roles?.value ?? []);
  const set = (/** @type {number} */ i, /** @type {string} */ role) => lab.answerImport("columns", now.map((r, j) => (j === i ? role : r)));
  return html`<div class="scroll" tabindex="0" role="region" aria-label="First rows"><table class="preview"><thead>
      <tr>${columns.map((c) => html`<th scope="col">${c}</th>`)}</tr>
      ${
    roles && now.length === columns.length && html`<tr class="roles">${
      columns.map((c, i) =>
        html`<td><select aria-label=${`What column ${c} holds`} value=${now[i]} onChange=${(/** @type {FieldEvent} */ e) => set(i, e.target.value)}>${
          roles.options?.map((o) => html`<option value=${o.value}>${o.label}</option>`)
        }</select></td>`
      )
    }</tr>`
  }</thead>
    <tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>
    <p class="help">${rows.length < total ? `The first ${rows.length} of ${integer(total)} rows.` : `${count(total, "row")}.`}</p>`;
}

/** @param {{ lab: Lab, counts: import("../lab/importing.js").Counts }} props */
function Counts({ lab, counts }) {
  return html`<div class="counts"><h3>From these counts</h3>
    <${Segments} label="From these counts" value=${counts.use} onChoose=${(/** @type {import("../lab/importing.js").Counts["use"]} */ use) =>
    lab.useCounts({ use })} choices=${[
    { id: "estimate", title: "Estimate a robust model" },
    { id: "frequencies", title: "Take the frequencies as certain" },
  ]} />
    ${
    counts.use === "estimate" && html`<div class="choices">
      <label class="choice"><span>Uncertainty set</span><select value=${counts.kind} onChange=${(/** @type {FieldEvent} */ e) =>
      lab.useCounts({ kind: e.target.value })}>${kinds.map(({ id, title }) => html`<option value=${id}>${title}</option>`)}</select></label>
      <label class="choice"><span>Confidence</span><${AskedNumber} value=${counts.confidence} from=${1e-6} to=${1 - 1e-6} onValue=${(
      /** @type {number} */ confidence,
    ) => lab.useCounts({ confidence })} /></label>
      <label class="choice"><span>Pairs never tried</span><select value=${counts.untried} onChange=${(/** @type {FieldEvent} */ e) =>
      lab.useCounts({ untried: e.target.value })}>
        <option value="unavailable">are not available</option><option value="stays">stay where they are</option><option value="uniform">can lead anywhere</option></select></label>
    </div>`
  }</div>`;
}

/**
 * @param {{ lab: Lab, errors: import("../rcmdp.js").ImportFault[], message: string }} props
 */
const Errors = ({ lab, errors, message }) =>
  html`<div class="faultlist" role="alert"><h3>${errors.length > 0 ? `${count(errors.length, "fault")} in the text` : "The files could not be read"}</h3>
    ${message && html`<p class="fault">${message}</p>`}
    <ul>${
    errors.map((f) =>
      html`<li><span>${sentence(f.message)}</span>${
        f.choice &&
        html`<button type="button" class="plain" onClick=${() => lab.answerImport(f.choice?.name ?? "", f.choice?.value)}>${sentence(f.choice.label)}</button>`
      }</li>`
    )
  }</ul></div>`;

/**
 * One thing that is left open.
 * @param {{ lab: Lab, choice: Choice, problem: Doc }} props
 */
function Field({ lab, choice, problem }) {
  const id = `import-${choice.name}`;
  const answer = (/** @type {unknown} */ value) => lab.answerImport(choice.name, value);
  const help = choice.help && html`<span class="help" id=${`${id}-help`}>${choice.help}</span>`;
  const described = choice.help ? `${id}-help` : undefined;
  if (choice.type === "limits") return html`<${Limits} lab=${lab} choice=${choice} answer=${answer} problem=${problem} />`;
  const control = choice.type === "choice"
    ? html`<select id=${id} aria-describedby=${described} value=${String(choice.value)} onChange=${(/** @type {FieldEvent} */ e) => answer(e.target.value)}>${
      choice.options?.map((o) => html`<option value=${o.value}>${o.label}</option>`)
    }</select>`
    : choice.type === "number"
    ? html`<input id=${id} type="text" inputmode="decimal" class="number" aria-describedby=${described} value=${String(choice.value)} onChange=${(
      /** @type {FieldEvent} */ e,
    ) => {
      const x = Number(e.target.value.replace(",", "."));
      answer(e.target.value.trim() === "" ? null : Number.isNaN(x) ? e.target.value.trim() : x);
    }} />${
      choice.name === "discount" &&
      html`<button type="button" class="plain" onClick=${() => answer(1)}>No discount</button><button type="button" class="plain" onClick=${() =>
        answer("average")}>Long-run average</button>`
    }`
    : html`<input id=${id} type="text" list=${`${id}-list`} aria-describedby=${described} value=${
      typeof choice.value === "string" ? choice.value : JSON.stringify(choice.value)
    } onChange=${(/** @type {FieldEvent} */ e) => answer(read(e.target.value))} />
        <datalist id=${`${id}-list`}>${
      choice.type === "state"
        ? [html`<option value="uniform"></option>`, ...names(problem)]
        : choice.options?.map((o) => html`<option value=${o.value}>${o.label}</option>`)
    }</datalist>`;
  return html`<div class="choice"><label for=${id}>${choice.label}</label>${control}${help}</div>`;
}

/** @param {Doc} problem */
const names = (problem) => (problem?.states ?? []).slice(0, 500).map((/** @type {string} */ s) => html`<option value=${s}></option>`);

/** A list in brackets is a list; anything else is a name. @param {string} text */
function read(text) {
  if (text.trim() === "") return null;
  try {
    const value = JSON.parse(text);
    if (Array.isArray(value)) return value;
  } catch {
    // a name
  }
  return text.trim();
}

/**
 * The costs that are not the objective: at most, at least, or left out.
 * @param {{ lab: Lab, choice: Choice, answer: (value: unknown) => void, problem: Doc | undefined }} props
 */
function Limits({ lab, choice, answer, problem }) {
  const typed = useRef(/** @type {string[]} */ ([])); // whose bounds are the person's
  const now = /** @type {Record<string, { atMost?: number, atLeast?: number }>} */ (choice.value ?? {});
  const set = (/** @type {string} */ name, /** @type {Limit | null} */ limit) => {
    const { [name]: _, ...rest } = now;
    answer(limit === null ? rest : { ...rest, [name]: limit });
  };
  return html`<fieldset class="limits-form"><legend>${choice.label}</legend><p class="help">${choice.help}</p>${
    choice.options?.map(({ value: name }) => {
      const limit = now[name];
      const side = limit ? Object.keys(limit)[0] ?? "" : "";
      const bound = limit ? Object.values(limit)[0] ?? 0 : 0;
      const at = (problem?.constraints ?? []).findIndex((c) => c.name === name);
      return html`<div class="row"><span class="name">${name}</span>
        <select aria-label=${`Limit on ${name}`} value=${side} onChange=${(/** @type {FieldEvent} */ e) =>
        set(name, e.target.value ? { [e.target.value]: bound } : null)}>
          <option value="">left out</option><option value="atMost">at most</option><option value="atLeast">at least</option></select>
        ${
        side &&
        html`<${AskedNumber} label=${`Bound of ${name}`} value=${bound} onValue=${(/** @type {number} */ x) => {
          typed.current.push(name);
          set(name, { [side]: x });
        }} />`
      }${
        side && at >= 0 &&
        html`<${LimitRange} solver=${solverOf(lab)} problem=${problem} n=${at} of=${
          [problem?.discount, problem?.objective.name, problem?.objective.sense, problem?.uncertainty.kind, problem?.uncertainty.radius, name, side].join()
        } typed=${typed.current.includes(name)} onSuggest=${(/** @type {number} */ x) => !typed.current.includes(name) && set(name, { [side]: x })} />`
      }</div>`;
    })
  }</fieldset>`;
}
