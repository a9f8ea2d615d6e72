// @ts-check
// window.js — long lists and wide tables in a box that scrolls: only the rows and columns in sight are
// made. A row that is asked for, by what is typed or by a fault, is brought into sight.

import { html, useEffect, useLayoutEffect, useRef, useState } from "../view.js";
import { integer } from "../words/format.js";
import { NameField } from "./parts.js";

/** So many rows or columns are made all at once, in no box. */
const FEW_ROWS = 60;
const FEW_COLUMNS = 14;
/** Rows and columns beyond the edges, so that the arrow keys find the next cell. */
const BEYOND = 5;
/** Telling where one has scrolled to waits until the scrolling pauses. */
const SEEN_MS = 250;

/**
 * @typedef {{ first: number, last: number, before: number, after: number }} Span from first to before last; pixels of what is not made on either side
 */

/**
 * @param {{ rows: number, columns?: number, row: number, turn: unknown, onSeen?: (row: number) => void }} of row: to be in sight whenever
 *   turn is another; onSeen: told the first row in sight after a scroll. The box is the element with the ref; one row is marked data-row-sample and one column
 *   data-column-sample, to be measured; what is stuck to its sides is marked data-stuck
 * @returns {{ box: { current: any }, boxed: boolean, y: Span, x: Span }}
 */
export function useWindow({ rows, columns = 0, row, turn, onSeen }) {
  const box = useRef(/** @type {any} */ (null));
  const unit = useRef({ row: 36, column: 76 });
  const view = useRef({ top: 0, left: 0, height: 560, width: 700, turn: /** @type {unknown} */ (undefined), seek: false });
  const [, redraw] = useState(0);
  const told = useRef(onSeen);
  told.current = onSeen;
  const boxed = rows > FEW_ROWS || columns > FEW_COLUMNS;
  const v = view.current;
  if (boxed && v.turn !== turn) {
    v.turn = turn;
    const y = Math.min(row, rows - 1) * unit.current.row;
    if (y < v.top || y + 2 * unit.current.row > v.top + v.height)
      Object.assign(v, { top: Math.max(0, Math.min(y, rows * unit.current.row - v.height)), seek: true });
  }
  useLayoutEffect(() => {
    if (!boxed || !box.current) return;
    const measured = {
      row: box.current.querySelector("[data-row-sample]")?.offsetHeight || unit.current.row,
      column: box.current.querySelector("[data-column-sample]")?.offsetWidth || unit.current.column,
    };
    if (Math.abs(measured.row - unit.current.row) > 0.5 || Math.abs(measured.column - unit.current.column) > 0.5) {
      // The row in sight stays in sight.
      v.top *= measured.row / unit.current.row;
      unit.current = measured;
      v.seek = true;
      redraw((n) => n + 1);
    } else if (v.seek) {
      v.seek = false;
      box.current.scrollTop = v.top;
    }
  });
  useEffect(() => {
    const element = box.current;
    if (!boxed || !element) return undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const look = () => {
      const before = [Math.floor(v.top / unit.current.row), Math.floor(v.left / unit.current.column)];
      Object.assign(v, { top: element.scrollTop, left: element.scrollLeft, height: element.clientHeight, width: element.clientWidth });
      const now = [Math.floor(v.top / unit.current.row), Math.floor(v.left / unit.current.column)];
      if (now.some((x, i) => x !== before[i])) redraw((n) => n + 1);
      clearTimeout(timer);
      timer = setTimeout(() => told.current?.(Math.ceil(v.top / unit.current.row)), SEEN_MS);
    };
    element.addEventListener("scroll", look, { passive: true });
    const size = new ResizeObserver(() => {
      Object.assign(v, { height: element.clientHeight, width: element.clientWidth });
      redraw((n) => n + 1);
    });
    size.observe(element);
    return () => {
      element.removeEventListener("scroll", look);
      size.disconnect();
      clearTimeout(timer);
    };
  }, [boxed]);
  const y = boxed && rows > FEW_ROWS ? spanOf(rows, unit.current.row, v.top, v.height) : whole(rows);
  const x = boxed && columns > FEW_COLUMNS ? spanOf(columns, unit.current.column, v.left, v.width) : whole(columns);
  return { box, boxed, y, x };
}

/** @param {number} count @returns {Span} */
const whole = (count) => ({ first: 0, last: count, before: 0, after: 0 });

/**
 * What of so many things of one size is in sight, and a little more.
 * @param {number} count @param {number} size @param {number} from @param {number} length
 * @returns {Span}
 */
export function spanOf(count, size, from, length) {
  const last = Math.min(count, Math.max(1, Math.ceil((from + length) / size) + BEYOND));
  const first = Math.max(0, Math.min(Math.floor(from / size) - BEYOND, last - 1));
  return { first, last, before: first * size, after: (count - last) * size };
}

/**
 * Going to one of many names by typing a part of it.
 * @param {{ names: string[], noun: string, few?: number, onGo: (i: number) => void }} props few: so many need no help
 */
export const Finder = ({ names, noun, few = FEW_ROWS, onGo }) =>
  names.length <= few
    ? null
    : html`<div class="pager"><span>${
      integer(names.length)
    } ${noun}</span><${NameField} names=${names} label=${`Find one of the ${noun}`} placeholder="go to" onChoose=${onGo} /></div>`;

/**
 * What a table with so many rows a state is to have in sight: the state that is looked at, which follows the scrolling.
 * @param {import("./parts.js").Lab} lab @param {{ state: number }} view @param {number} rowsAState
 */
export const seeing = (lab, view, rowsAState = 1) => ({
  row: view.state * rowsAState,
  turn: view,
  onSeen: (/** @type {number} */ row) => {
    const state = Math.floor(row / rowsAState);
    if (state !== lab.get().view.state) lab.look({ state });
  },
});
