// @ts-check
// keys.js — what keys do, in a dialog.

import { html } from "htm/preact";
import { useEffect, useRef } from "preact/hooks";

/**
 * The keys of the page, from when it is drawn.
 * @param {{ onClose: () => void }} props
 */
export function Keys({ onClose }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => dialog.current?.showModal(), []);
  /** @type {[string, string][]} */
  const keys = [
    ["Ctrl Enter", "solve"],
    ["Esc", "stop and keep the best so far"],
    ["Ctrl Z, Ctrl Y", "undo, redo an edit of the model"],
    ["Ctrl S", "save the model as a file"],
    ["Ctrl O", "open a file"],
    ["arrows, Enter", "move between the cells of a table"],
    ["Ctrl V", "in a table: paste a block of cells; elsewhere: open the pasted model"],
    ["?", "this list"],
  ];
  return html`<dialog ref=${dialog} onClose=${onClose} aria-labelledby="keys-title"><h2 id="keys-title">Keys</h2>
    <dl>${keys.map(([k, what]) => html`<dt><kbd>${k}</kbd></dt><dd>${what}</dd>`)}</dl><form method="dialog"><button>Close</button></form></dialog>`;
}
