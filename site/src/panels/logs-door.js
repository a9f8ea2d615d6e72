// @ts-check
// logs-door.js — the door to a model from logs: a button and its dialog, whose content is
// loaded when it is first opened.

import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** @param {{ lab: import("./parts.js").Lab }} props */
export function LogsDoor({ lab }) {
  const [open, setOpen] = useState(false);
  return html`<button type="button" onClick=${() =>
    setOpen(true)} aria-haspopup="dialog" title="A model estimated from episodes or counts" data-logs>From logs</button>
    ${open && html`<${LogsDialog} lab=${lab} onClose=${() => setOpen(false)} />`}`;
}

/** @param {{ lab: import("./parts.js").Lab, onClose: () => void }} props */
export function LogsDialog({ lab, onClose }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const [content, setContent] = useState(/** @type {{ Logs: any } | null} */ (null));
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    dialog.current?.showModal();
    import("./logs.js").then(({ Logs }) => setContent({ Logs }), () => setFailed(true));
  }, []);
  return html`<dialog ref=${dialog} class="wide" aria-labelledby="logs-title" onClose=${onClose}>
    <h2 id="logs-title">From logs</h2>
    ${
    failed
      ? html`<p class="quiet">This part of the page did not load. Reload the page to try again.</p>`
      : content
      ? html`<${content.Logs} lab=${lab} onDone=${() => dialog.current?.close()} />`
      : html`<p class="quiet" aria-busy="true">Loading…</p>`
  }
    <form method="dialog" class="row"><button>Close</button></form>
  </dialog>`;
}
