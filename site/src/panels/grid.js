// @ts-check
// grid.js — a table of numbers to edit in place: arrow keys and Enter move
// between cells, a pasted block fills them, missing actions are cells of their own.

import { html } from "../view.js";
import { readBlock } from "../document/block.js";
import { faultsWithin } from "../document/faults.js";
import { Faults, NumberField, removes } from "./fields.js";
import { useWindow } from "./window.js";

/** @typedef {import("./parts.js").Lab} Lab */
/** @typedef {import("./fields.js").Fault} Fault */

/**
 * @typedef {{ value: unknown, pointer: string, label: string }} Cell
 * @typedef {{
 *   key: string, head: string, group?: { head: string, at: number, span: number }, pointer: string, cell: ((column: number) => Cell | null) | null,
 * remove?: () => void, missing?: { label: string, onClick: () => void }, sum?: { text: string, off: boolean }, end?: Content, faults?: Fault[],
 * }} Row group: the head of a group of rows, which of them this is and how many they are; cell null: the action is not available and the whole row
 *   says so; remove: what Alt+Delete in the row does; a cell that is null: not available there
 */

/**
 * @param {{
 *   lab: Lab, caption: string, corner: string[], columns: string[], rows: { count: number, at: (i: number) => Row }, faults: Fault[],
 *   set: (doc: Doc, row: number, column: number, value: number) => Doc, sumHead?: string,
 *   block?: (doc: Doc, row: number, column: number, values: number[][]) => Doc, see: { row: number, turn: unknown, onSeen?: (row: number) => void },
 * }} props block: puts a pasted block in, enlarging the model where it must; see: the row to be in sight when turn is another
 */
export function Grid({ lab, caption, corner, columns, rows, faults, set, sumHead, block, see }) {
  const { box, boxed, y, x } = useWindow({ rows: rows.count, columns: columns.length, ...see });
  const made = Array.from({ length: y.last - y.first }, (_, i) => ({ at: y.first + i, row: rows.at(y.first + i) }));
  const shown = Array.from({ length: x.last - x.first }, (_, j) => x.first + j);
  const ends = made.some(({ row }) => row.end);
  const width = corner.length + shown.length + (x.before > 0 ? 1 : 0) + (x.after > 0 ? 1 : 0) + (sumHead ? 1 : 0) + (ends ? 1 : 0);
  /** Rows of one group share a body, so that lines part the groups. @type {(typeof made)[]} */
  const bodies = [];
  for (const one of made) {
    if (one.row.group?.at === 0 || bodies.length === 0) bodies.push([]);
    bodies[bodies.length - 1].push(one);
  }
  const gap = (/** @type {number} */ pixels) => pixels > 0 && html`<td class="gap" aria-hidden="true" style=${{ minWidth: `${pixels}px` }}></td>`;
  const rowGap = (/** @type {number} */ pixels) =>
    pixels > 0 && html`<tbody aria-hidden="true"><tr><td class="gap" colspan=${width} style=${{ height: `${pixels}px` }}></td></tr></tbody>`;
  const wrongOf = (/** @type {Row} */ row) => row.faults ?? faultsWithin(faults, row.pointer);
  return html`<div class=${boxed ? "scroll boxed" : "scroll"} ref=${box}><table class=${corner.length > 1 ? "grid grouped" : "grid"} aria-rowcount=${
    boxed ? rows.count + 1 : undefined
  } aria-colcount=${boxed ? corner.length + columns.length : undefined} onKeyDown=${moves} onPaste=${(/** @type {FieldEvent} */ event) =>
    paste(lab, event, rows, set, block)} onFocusIn=${selectAll}>
    <caption class="unseen">${caption}</caption>
    <thead><tr aria-rowindex=${boxed ? 1 : undefined}>${corner.map((c) => html`<th scope="col" class="head">${c}</th>`)}${gap(x.before)}${
    shown.map((j) =>
      html`<th scope="col" key=${j} title=${boxed ? columns[j] : undefined} data-column-sample=${j === x.first ? "" : undefined} aria-colindex=${
        boxed ? corner.length + j + 1 : undefined
      }>${columns[j]}</th>`
    )
  }${gap(x.after)}${sumHead && html`<th scope="col" class="sum">${sumHead}</th>`}</tr></thead>
    ${rowGap(y.before)}${
    bodies.map((body) =>
      html`<tbody key=${body[0].row.key}>${
        body.map(({ row, at }, i) => {
          const wrong = wrongOf(row);
          return html`<tr key=${row.key} data-row-sample=${wrong.length === 0 && row.cell ? "" : undefined} aria-rowindex=${
            boxed ? at + 2 : undefined
          } onKeyDown=${row.remove && removes(row.remove)}>
        ${
            row.group && i === 0 &&
            html`<th scope="rowgroup" rowspan=${body.length + body.filter((b) => wrongOf(b.row).length > 0).length}>${row.group.head}</th>`
          }
        <th scope="row" data-pointer=${row.pointer}>${row.head}</th>
        ${
            row.cell === null
              ? html`<td colspan=${shown.length + (x.before > 0 ? 1 : 0) + (x.after > 0 ? 1 : 0)} class="missing">not available ${
                row.missing && html`<button type="button" class="plain" onClick=${row.missing.onClick} aria-label=${row.missing.label}>make available</button>`
              }</td>`
              : html`${gap(x.before)}${
                shown.map((j) => {
                  const cell = row.cell?.(j) ?? null;
                  return cell === null
                    ? html`<td key=${j} class="missing">not available</td>`
                    : html`<td key=${j}><${NumberField} lab=${lab} pointer=${cell.pointer} value=${cell.value} label=${cell.label} faults=${faults} class="" cell=${[
                      at,
                      j,
                    ]}
                onValue=${(/** @type {number} */ v) => lab.edit((/** @type {Doc} */ doc) => set(doc, at, j, v), cell.pointer)} /></td>`;
                })
              }${gap(x.after)}`
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
  }${rowGap(y.after)}
  </table></div>`;
}

/** @param {FieldEvent} event */
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
 * @param {Lab} lab @param {any} event @param {{ count: number, at: (i: number) => Row }} rows @param {(doc: Doc, row: number, column: number, value: number) => Doc} set
 * @param {((doc: Doc, row: number, column: number, values: number[][]) => Doc) | undefined} whole
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
    lab.reshape((/** @type {Doc} */ doc) => whole(doc, row, col, values));
  } else if (values.some((line, i) => line.some((_, j) => row + i >= rows.count || !rows.at(row + i).cell?.(col + j)))) {
    lab.notify(`The pasted block of ${values.length} × ${values[0].length} cells does not fit from here; nothing was changed.`, [], "bad");
    return;
  } else {
    lab.reshape((/** @type {Doc} */ doc) => values.reduce((d, line, i) => line.reduce((e, x, j) => set(e, row + i, col + j, x), d), doc));
  }
  const { states, actions } = lab.doc();
  if (states.length > size[0]) notes.push(`${states.length - size[0]} states were added`);
  if (actions.length > size[1]) notes.push(`${actions.length - size[1]} actions were added`);
  lab.say(`${values.length * values[0].length} cells pasted.`);
  if (notes.length > 0) lab.notify(`Pasted ${values.length} × ${values[0].length} cells: ${notes.join("; ")}.`, [{ label: "Undo", run: lab.undo }]);
}
