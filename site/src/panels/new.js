// @ts-check
// new.js — the doors to a new model: a small one to edit, a grid to paint, a table, logs, files. Emits: newModel,
// newGrid, consider, openFiles.

import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useFormats } from "./formats.js";

/** @typedef {import("./parts.js").Lab} Lab */

const LOG = "machine;week;state;action;next_state;cost\n1;1;good;run;good;0\n1;2;good;run;worn;0\n1;3;worn;repair;good;2";
const EXAMPLE = "state\taction\tnext\tcount\tcost\ngood\trun\tgood\t45\t2\ngood\trun\tworn\t5\t2\nworn\trepair\tgood\t12\t7";

/** @param {{ lab: Lab, door: string, onDoor: (door: string) => void, onDone: () => void, onFiles: () => void }} props door: that was opened, "" is the hall; onFiles: asks for files */
export const Doors = ({ lab, door, onDoor, onDone, onFiles }) => {
  const formats = useFormats(lab, true);
  const hall = useRef(/** @type {HTMLUListElement | null} */ (null));
  // The dialog was opened before its doors were there, and has the focus itself.
  useEffect(() => {
    if (document.activeElement === hall.current?.closest("dialog")) hall.current?.querySelector("button")?.focus();
  }, []);
  const leaving = (/** @type {() => unknown} */ then) => () => {
    onDone();
    void then();
  };
  return html`<h2 id="new-title">${door === "table" ? "From a table" : door === "logs" ? "From logs" : "Start a model"}</h2>
      ${
    door !== ""
      ? html`<${Paste} lab=${lab} onDone=${onDone} log=${door === "logs"} />`
      : html`<ul class="doors" ref=${hall}>
        <li><button type="button" onClick=${
        leaving(lab.newModel)
      }><b>A small model to edit</b><span>Two states and two actions; add what you need.</span></button></li>
        <li><button type="button" onClick=${
        leaving(lab.newGrid)
      } data-new-grid><b>Paint a grid</b><span>A grid world with walls, costs, danger and a goal, drawn with the mouse, a finger or the keys.</span></button></li>
        <li><button type="button" onClick=${() =>
        onDoor("table")}><b>From a table</b><span>Counts or probabilities from a CSV file or a spreadsheet, pasted or dropped.</span></button></li>
        <li><button type="button" onClick=${() =>
        onDoor("logs")}><b>From logs</b><span>Episodes or counts become a model with an uncertainty set, and what that guarantees.</span></button></li>
        <li><button type="button" onClick=${
        leaving(() => lab.ask({ kind: "address", url: "" }))
      } data-address><b>From an address</b><span>A model that lies on the web, or a file of another tool.</span></button></li>
        <li><button type="button" onClick=${leaving(onFiles)}><b>From files of another tool</b><span>${
        formats.filter((f) => f.reads && f.id !== "rcmdp").map((f) => f.title).join("; ")
      }.</span></button></li>
      </ul>`
  }
      <form method="dialog" class="row">${door && html`<button type="button" onClick=${() => onDoor("")}>Back</button>`}<button>Cancel</button></form>`;
};

/** A place to paste a table or a log, with what it may look like. @param {{ lab: Lab, onDone: () => void, log: boolean }} props */
function Paste({ lab, onDone, log }) {
  const file = useRef(/** @type {HTMLInputElement | null} */ (null));
  const [text, setText] = useState("");
  const go = () => {
    onDone();
    void lab.consider([{ name: "", data: text }], { format: "table" });
  };
  const chosen = (/** @type {FieldEvent} */ event) => {
    const files = [...event.target.files ?? []];
    event.target.value = "";
    onDone();
    void lab.openFiles(files);
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
      <button type="button" onClick=${() => file.current?.click()}>Choose files</button>
      <input ref=${file} type="file" class="unseen" tabindex="-1" aria-hidden="true" multiple accept=".csv,.tsv,.txt,.json,.jsonl,.xlsx,text/*" onChange=${chosen} /></p>`;
}
