// @ts-check
// share.js — the button that opens the dialog of sharing; what is in it is loaded later.

import { html } from "htm/preact";
import { useRef, useState } from "preact/hooks";
import { deferred } from "./later.js";

const Sharing = deferred(() => import("./sharing.js"), "Sharing");

/**
 * @param {{ lab: import("./parts.js").Lab, disabled: boolean }} props
 */
export function Share({ lab, disabled }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const [link, setLink] = useState("");
  const open = async () => {
    setLink(await lab.pageLink());
    dialog.current?.showModal();
  };
  return html`<button type="button" disabled=${disabled} onClick=${open} title="A link to this model and its answer, code to show it in another page, or one file">Share</button>
    <dialog ref=${dialog} class="share" aria-labelledby="share-title" onClose=${() => setLink("")}>
      <h2 id="share-title">Share this model</h2>
      ${link !== "" && html`<${Sharing} lab=${lab} link=${link} />`}
      <form method="dialog" class="row"><button>Close</button></form>
    </dialog>`;
}
