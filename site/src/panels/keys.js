// @ts-check
// keys.js — what keys do.

import { html } from "../view.js";

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

export const Keys = () => html`<dl>${keys.map(([k, what]) => html`<dt><kbd>${k}</kbd></dt><dd>${what}</dd>`)}</dl>`;
