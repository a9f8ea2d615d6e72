// @ts-check
// new.js — the doors to a new model: a small one to edit, a grid to paint, a table, logs, files. Emits: newModel,
// newGrid, consider, another dialog.

import { html, useState } from "../view.js";
import { useFormats } from "./formats.js";

/** @typedef {import("./parts.js").Lab} Lab */

const LOG = "machine;week;state;action;next_state;cost\n1;1;good;run;good;0\n1;2;good;run;worn;0\n1;3;worn;repair;good;2";
const EXAMPLE = "state\taction\tnext\tcount\tcost\ngood\trun\tgood\t45\t2\ngood\trun\tworn\t5\t2\nworn\trepair\tgood\t12\t7";

/** @param {{ lab: Lab, door: string }} props door: that was opened, "" is the hall */
export const Doors = ({ lab, door }) => (door === "" ? html`<${Hall} lab=${lab} />` : html`<${Paste} lab=${lab} log=${door === "logs"} />`);

/** @param {{ lab: Lab }} props */
function Hall({ lab }) {
  const formats = useFormats(lab).filter((f) => f.reads && f.id !== "rcmdp");
  const leaving = (/** @type {() => unknown} */ then) => () => {
    lab.ask(null);
    void then();
  };
  /** @type {[string, string, () => unknown, object?][]} */
  const doors = [
    ["A small model to edit", "Two states and two actions; add what you need.", leaving(lab.newModel)],
    ["Paint a grid", "A grid world with walls, costs, danger and a goal, drawn with the mouse, a finger or the keys.", leaving(lab.newGrid), {
      "data-new-grid": "",
    }],
    [
      "From a table",
      "Transitions with their probabilities or counts, from a CSV file or a spreadsheet, pasted or dropped.",
      () => lab.ask({ kind: "new", door: "table" }),
    ],
    [
      "From logs",
      "What happened step by step becomes a model with an uncertainty set, and what that guarantees.",
      () => lab.ask({ kind: "new", door: "logs" }),
    ],
    ["From an address", "A model that lies on the web, or a file of another tool.", () => lab.ask({ kind: "address", url: "" }), { "data-address": "" }],
    ["From files of another tool", `${formats.map((f) => f.title).join("; ")}.`, chooseFiles],
  ];
  return html`<ul class="doors">${
    doors.map(([title, about, go, mark]) =>
      html`<li key=${title}><button type="button" onClick=${go} ...${mark}><b>${title}</b><span>${about}</span></button></li>`
    )
  }</ul>`;
}

/** As the button of the toolbar does, which leaves the dialog when some are chosen. */
const chooseFiles = () => /** @type {HTMLElement | null} */ (document.querySelector("[data-open]"))?.click();

/** A place to paste a table or a log, with what it may look like. @param {{ lab: Lab, log: boolean }} props */
function Paste({ lab, log }) {
  const [text, setText] = useState("");
  const go = () => {
    lab.ask(null);
    void lab.consider([{ name: "", data: text }], { format: "table" });
  };
  return html`<p class="help">${
    log
      ? "One step a row: who and when (or whether it was done), state, action, next state, then costs or rewards. Your own headings will do: each column can be told what it is."
      : "One transition a row (state, action, next state, probability or count, then any costs), or one column for each next state. Separators, decimal commas, percent signs and headers are recognised."
  }</p>
    <textarea rows="9" aria-label=${log ? "Log" : "Table"} spellcheck=${false} placeholder=${log ? LOG : EXAMPLE} value=${text} onInput=${(
    /** @type {FieldEvent} */ e,
  ) => setText(e.target.value)}></textarea>
    <p class="row"><button type="button" class="primary" aria-disabled=${text.trim() === "" ? "true" : undefined} onClick=${() => text.trim() !== "" && go()}>${
    log ? "Look at the log" : "Look at the table"
  }</button>
      <button type="button" onClick=${chooseFiles}>Choose files</button>
      <button type="button" class="plain" onClick=${() => lab.ask({ kind: "new", door: "" })}>Back</button></p>`;
}
