// @ts-check
// grid.js — a table of numbers to edit in place: arrow keys and Enter move
// between cells, a pasted block fills them, missing actions are cells of their own.

import { html } from "htm/preact";
import { readBlock } from "../document/block.js";
import { faultsWithin } from "../document/faults.js";
import { Faults, NumberField, removes } from "./parts.js";

/** @typedef {import("./parts.js").Lab} Lab */
/** @typedef {import("./parts.js").Fault} Fault */

/**
 * @typedef {{ value: any, pointer: string, label: string }} Cell
 * @typedef {{
 *   key: string, head: string, group?: { head: string, span: number }, pointer: string, cells: (Cell | null)[] | null,
 * remove?: () => void, missing?: { label: string, onClick: () => void }, sum?: { text: string, off: boolean }, end?: any, faults?: Fault[],
 * }} Row cells null: the action is not available and the whole row says so; remove: what Alt+Delete in the row does; one null cell: not available there
 */

/**
 * @param {{
 *   lab: Lab, caption: string, corner: string[], columns: { key: string, head: string }[], rows: Row[], faults: Fault[],
 *   set: (doc: any, row: number, column: number, value: number) => any, sumHead?: string,
 *   block?: (doc: any, row: number, column: number, values: number[][]) => any, page?: { first: number, total: number },
 * }} props block: puts a pasted block in, enlarging the model where it must; page: which of how many rows these are
 */
export function Grid({ lab, caption, corner, columns, rows, faults, set, sumHead, block, page }) {
  const width = corner.length + columns.length + (sumHead ? 1 : 0) + (rows.some((r) => r.end) ? 1 : 0);
  /** Rows of one group share a body, so that lines part the groups. @type {{ row: Row, at: number }[][]} */
  const bodies = [];
  rows.forEach((row, at) => {
    if (row.group || bodies.length === 0) bodies.push([]);
    bodies[bodies.length - 1].push({ row, at });
  });
  return html`<div class="scroll"><table class="grid" aria-rowcount=${page && page.total + 1} onKeyDown=${moves} onPaste=${(/** @type {any} */ event) =>
    paste(lab, event, rows, set, block)} onFocusIn=${selectAll}>
    <caption class="unseen">${caption}</caption>
    <thead><tr aria-rowindex=${page && 1}>${corner.map((c) => html`<th scope="col" class="head">${c}</th>`)}${
    columns.map((c) => html`<th scope="col" key=${c.key}>${c.head}</th>`)
  }${sumHead && html`<th scope="col" class="sum">${sumHead}</th>`}</tr></thead>
    ${
    bodies.map((body) =>
      html`<tbody key=${body[0].row.key}>${
        body.map(({ row, at }) => {
          const wrong = row.faults ?? faultsWithin(faults, row.pointer);
          return html`<tr key=${row.key} aria-rowindex=${page && page.first + at + 2} onKeyDown=${row.remove && removes(row.remove)}>
        ${
            row.group &&
            html`<th scope="rowgroup" rowspan=${
              row.group.span + body.filter((b) => (b.row.faults ?? faultsWithin(faults, b.row.pointer)).length > 0).length
            }>${row.group.head}</th>`
          }
        <th scope="row" data-pointer=${row.pointer}>${row.head}</th>
        ${
            row.cells === null
              ? html`<td colspan=${columns.length} class="missing">not available ${
                row.missing && html`<button type="button" class="plain" onClick=${row.missing.onClick} aria-label=${row.missing.label}>make available</button>`
              }</td>`
              : row.cells.map((cell, j) => (cell === null
                ? html`<td key=${columns[j].key} class="missing">not available</td>`
                : html`<td key=${
                  columns[j].key
                }><${NumberField} lab=${lab} pointer=${cell.pointer} value=${cell.value} label=${cell.label} faults=${faults} class="" cell=${[at, j]}
                onValue=${(/** @type {number} */ x) => lab.edit((/** @type {any} */ doc) => set(doc, at, j, x), cell.pointer)} /></td>`)
              )
          }
        ${sumHead && html`<td class=${row.sum?.off ? "sum off" : "sum"}>${row.sum?.text}</td>`}
        ${row.end && html`<td>${row.end}</td>`}
      </tr>
      ${
            wrong.length > 0 &&
            html`<tr key=${`${row.key} faults`} class="faults"><td colspan=${
              width - (corner.length > 1 ? 1 : 0)
            }><${Faults} lab=${lab} faults=${wrong} /></td></tr>`
          }`;
        })
      }</tbody>`
    )
  }
  </table></div>`;
}

/** @param {any} event */
function selectAll(event) {
  if (event.target.matches("input[data-row]")) event.target.select();
}

/** Arrow keys and Enter. @param {any} event */
function moves(event) {
  const input = event.target;
  if (!input.matches?.("input[data-row]") || event.ctrlKey || event.metaKey || event.altKey) return;
  const [row, col] = [Number(input.dataset.row), Number(input.dataset.col)];
  const all = input.selectionStart === 0 && input.selectionEnd === input.value.length;
  const step = {
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
    Enter: [event.shiftKey ? -1 : 1, 0],
    ArrowLeft: all || input.selectionEnd === 0 ? [0, -1] : null,
    ArrowRight: all || input.selectionStart === input.value.length ? [0, 1] : null,
  }[/** @type {string} */ (event.key)];
  if (!step) return;
  const table = event.currentTarget;
  const last = Math.max(...[...table.querySelectorAll("input[data-row]")].map((e) => Number(e.dataset.row)));
  // Rows without cells (missing actions) are passed over.
  for (let r = row + step[0], c = col + step[1]; r >= 0 && r <= last && c >= 0; r += step[0], c += step[1]) {
    const next = table.querySelector(`input[data-row="${r}"][data-col="${c}"]`);
    if (next) {
      event.preventDefault();
      next.focus();
      next.select();
      return;
    }
    if (step[1] !== 0 && !table.querySelector(`input[data-row="${r}"][data-col="${c + step[1]}"]`)) return;
  }
}

/**
 * A pasted block fills the cells from the focused one on, all or nothing.
 * @param {Lab} lab @param {any} event @param {Row[]} rows @param {(doc: any, row: number, column: number, value: number) => any} set
 * @param {((doc: any, row: number, column: number, values: number[][]) => any) | undefined} whole
 */
function paste(lab, event, rows, set, whole) {
  const input = event.target;
  const text = event.clipboardData?.getData("text/plain") ?? "";
  if (!input.matches?.("input[data-row]") || !/[\t\n;]|\d\s*%|\S\s+\S/.test(text.trim())) return;
  event.preventDefault();
  const pasted = readBlock(text);
  if (!pasted.ok) {
    lab.notify(`${pasted.message} Nothing was changed.`, [], "bad");
    return;
  }
  const { values, notes } = pasted;
  const [row, col] = [Number(input.dataset.row), Number(input.dataset.col)];
  const size = [lab.doc().states.length, lab.doc().actions.length];
  if (whole) {
    lab.reshape((/** @type {any} */ doc) => whole(doc, row, col, values));
  } else if (values.some((line, i) => line.some((_, j) => !rows[row + i]?.cells?.[col + j]))) {
    lab.notify(`The pasted block of ${values.length} × ${values[0].length} cells does not fit from here; nothing was changed.`, [], "bad");
    return;
  } else {
    lab.reshape((/** @type {any} */ doc) => values.reduce((d, line, i) => line.reduce((e, x, j) => set(e, row + i, col + j, x), d), doc));
  }
  const { states, actions } = lab.doc();
  if (states.length > size[0]) notes.push(`${states.length - size[0]} states were added`);
  if (actions.length > size[1]) notes.push(`${actions.length - size[1]} actions were added`);
  lab.say(`${values.length * values[0].length} cells pasted.`);
  if (notes.length > 0) lab.notify(`Pasted ${values.length} × ${values[0].length} cells: ${notes.join("; ")}.`, [{ label: "Undo", run: lab.undo }]);
}
