// @ts-check
// share.js — the model as a link or as code for another page.

import { html } from "htm/preact";
import { useRef, useState } from "preact/hooks";
import { copyText, fileStem, saveFile } from "../pages/browser.js";
import { labAsOneFile } from "../pages/download.js";
import { integer } from "../words/format.js";
import { Export } from "./export.js";
import { Icon } from "./parts.js";

/** Messengers and bookmarks begin to cut links around here. */
const LONG_LINK = 2000;

/**
 * @param {{ lab: import("./parts.js").Lab }} props
 */
export function Share({ lab }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const [texts, setTexts] = useState(/** @type {{ link: string, code: string } | null} */ (null));
  const open = async () => {
    setTexts({ link: await lab.pageLink(), code: await lab.embedCode() });
    dialog.current?.showModal();
  };
  return html`<button type="button" onClick=${open} title="A link to this model and method, or code to show it in another page">Share</button>
    <dialog ref=${dialog} aria-labelledby="share-title">
      <h2 id="share-title">Share this model and method</h2>
      ${
    texts && html`
        <${Copy} lab=${lab} title="Copy link" text=${texts.link} label="Link" />
        <p class="help">${
      texts.link.length > LONG_LINK
        ? `This link is ${integer(texts.link.length)} characters long; some programs cut links beyond ${
          integer(LONG_LINK)
        }. A cut link is noticed and reported. Saving the model as a file is safer.`
        : `${integer(texts.link.length)} characters. The model travels in the link itself, and opens as a new model.`
    }</p>
        <${Copy} lab=${lab} title="Copy embed code" text=${texts.code} label="Embed code" />
        <p class="help"><a href=${`guide/paper.html#theory&${texts.link.split("#")[1] ?? ""}`}>What the paper's theorem would ask for on this model</a></p>`
  }
      <${Export} lab=${lab} />
      <${Download} lab=${lab} link=${texts?.link ?? ""} />
      <form method="dialog" class="row"><button>Close</button></form>
    </dialog>`;
}

/**
 * The lab as one HTML file, with this model in it or as it comes.
 * @param {{ lab: import("./parts.js").Lab, link: string }} props
 */
function Download({ lab, link }) {
  const [said, setSaid] = useState("");
  const save = async (/** @type {boolean} */ withModel) => {
    setSaid("Putting the file together…");
    try {
      const name = String(lab.get().history.present.doc?.name ?? "");
      const title = withModel ? name ?? "" : "";
      const text = await labAsOneFile({ title, fragment: withModel ? `#${link.split("#")[1] ?? ""}` : "" });
      saveFile(`${withModel ? fileStem(title) : "rcmdp-lab"}.html`, text, "text/html");
      setSaid(`Saved, ${integer(text.length / 1000)} kB. The file opens in a browser without a server or a network.`);
      lab.say("File saved.");
    } catch (error) {
      setSaid(`The file could not be made: ${/** @type {Error} */ (error).message}.`);
    }
  };
  return html`<p class="row">
      <button type="button" data-one-file onClick=${() => save(true)}>Download as one file</button>
      <button type="button" onClick=${() => save(false)}>The whole lab as one file</button>
    </p>
    <p class="help" aria-live="polite">${said || "A page that carries the model and the solver: for a disk, a mail, a talk without a network."}</p>`;
}

/**
 * A text with a button that copies it; where the browser does not let us, the
 * text is selected for the person to copy.
 * @param {{ lab: import("./parts.js").Lab, title: string, text: string, label: string }} props
 */
function Copy({ lab, title, text, label }) {
  const area = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  const [state, setState] = useState("");
  const copy = async () => {
    if (await copyText(text)) {
      setState("Copied.");
      lab.say(`${label} copied.`);
    } else {
      area.current?.select();
      setState("Press Ctrl+C to copy the selected text.");
    }
  };
  return html`<p class="row"><textarea ref=${area} readonly rows="3" aria-label=${label} value=${text} onFocus=${(/** @type {any} */ e) =>
    e.target.select()}></textarea>
    <button type="button" onClick=${copy}><${Icon} name="copy" />${title}</button><span class="help" role="status">${state}</span></p>`;
}
