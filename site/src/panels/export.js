// @ts-check
// export.js — the model as a file for another tool. Emits: exportAs.

import { html, useRef, useState } from "../view.js";
import { fileStem, saveFile } from "../browser.js";
import { sentence } from "../words/format.js";
import { useFormats } from "./formats.js";

/** @typedef {import("./parts.js").Lab} Lab */

/** @param {{ lab: Lab }} props */
export function Export({ lab }) {
  const formats = useFormats(lab).filter((f) => f.writes && f.id !== "rcmdp");
  const [format, setFormat] = useState("drn");
  const [told, setTold] = useState({ text: "", lossy: false });
  const chosen = useRef(format); // what is said is of the format chosen now
  const choose = (/** @type {string} */ id) => {
    chosen.current = id;
    setFormat(id);
    setTold({ text: "", lossy: false });
  };
  const save = async (/** @type {boolean} */ lossy) => {
    const stem = fileStem(lab.doc()?.name ?? "model");
    const answer = await lab.exportAs(format, lossy);
    const tell = (/** @type {typeof told} */ news) => chosen.current === format && setTold(news);
    if (!answer.ok) return tell({ text: sentence(answer.message), lossy: /with lossy/.test(answer.message) });
    const { text, bytes, extension, lost } = answer.file;
    saveFile(`${stem}.${extension}`, bytes ? new Blob([bytes]) : text, bytes ? "application/octet-stream" : "text/plain");
    const news = lost.length > 0 ? `Saved. The format has no place for ${lost.join("; ")}.` : "Saved; everything is in the file.";
    tell({ text: news, lossy: false });
    lab.say(news);
  };
  return html`<p class="row"><label class="row">For another tool <select value=${format} onChange=${(/** @type {FieldEvent} */ e) => choose(e.target.value)}>${
    formats.map(({ id, title }) => html`<option value=${id} selected=${id === format}>${title}</option>`)
  }</select></label>
    <button type="button" data-export onClick=${() => save(false)}>Save as this</button></p>
    <p class="help" role="status">${told.text.replace(/; with lossy it is left out/, "")}${
    told.lossy && html` <button type="button" class="plain" onClick=${() => save(true)}>Leave it out</button>`
  }</p>`;
}
