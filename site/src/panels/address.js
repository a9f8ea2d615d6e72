// @ts-check
// address.js — asks before a model is fetched from an address, and says what that does. Emits: openFiles, closing.

import { html, useEffect, useState } from "../view.js";
import { onDisk } from "../browser.js";
import { addressIn, FetchError, fetchFile, nameIn } from "../share/fetching.js";

/** @param {{ lab: import("./parts.js").Lab, url: string }} props url: that a link asks for; "" where a person has yet to type one */
export function Address({ lab, url: asked }) {
  const [text, setText] = useState(asked);
  const [told, setTold] = useState("");
  const [going, setGoing] = useState(/** @type {AbortController | null} */ (null));
  useEffect(() => () => going?.abort(), [going]);
  const fromDisk = location.protocol === "file:" || onDisk() !== undefined;
  const found = addressIn(text, location.href);
  const host = "url" in found && found.url.origin !== location.origin ? found.url.host : "";
  const go = async () => {
    if ("message" in found) return setTold(found.message);
    const controller = new AbortController();
    setGoing(controller);
    setTold(`Fetching ${nameIn(found.url)}…`);
    try {
      const file = await fetchFile(found.url, controller.signal);
      if (controller.signal.aborted) return;
      lab.ask(null);
      await lab.openFiles([file]);
    } catch (error) {
      if (!controller.signal.aborted) setTold(error instanceof FetchError ? error.message : String(error));
    } finally {
      setGoing(null);
    }
  };
  if (fromDisk) return html`<p>A page that was opened from disk fetches nothing. Download the file, and open it here.</p>`;
  return html`<form onSubmit=${(/** @type {SubmitEvent} */ e) => {
    e.preventDefault();
    void go();
  }}><p class="row"><label class="broad">Address <input type="text" inputmode="url" spellcheck=${false} autocomplete="off" placeholder="https://…/model.json" value=${text} onInput=${(
    /** @type {FieldEvent} */ e,
  ) => {
    setText(e.target.value);
    setTold("");
  }} /></label></p>
    <p class="help">${
    host
      ? html`Nothing has been asked for yet. Then this one file is fetched from <b>${host}</b>, which sees that your address on the network asks for it and nothing else: no cookies, not this page, nothing of your models.`
      : "A problem document or a file of another tool; the site that has it must let other pages read it."
  }</p>
    <p role="status">${told}</p>
    <p class="row"><button class="primary" aria-disabled=${going ? "true" : undefined}>${host ? `Fetch it from ${host}` : "Fetch it"}</button>
      <button type="button" onClick=${() => lab.ask(null)}>${asked ? "Do not fetch it" : "Cancel"}</button></p></form>`;
}
