// @ts-check
// painting.js — the hand that paints a grid: strokes of the mouse or a finger, and of the
// arrow keys and letters. Each is one step of undo.

import { useRef } from "../view.js";
import { ACTIONS, between, eraserOf, gridIn, isStroked, stroked } from "../document/grid.js";
import { CELL } from "../picture/world.js";
import { number, probability, sentence } from "../words/format.js";

/** @typedef {import("../document/grid.js").Grid} Grid */
/** @typedef {import("../document/grid.js").Brush} Brush */

/** Strokes are told apart in the history. */
let strokes = 0;

/** What a cell is, in words. @param {Grid} grid @param {number} cell @param {string[]} costs @param {number[] | null} row of the plan */
export function words(grid, cell, costs, row) {
  const parts = grid.wall[cell]
    ? ["wall"]
    : [
      ...(grid.initial[cell] > 0 ? [grid.initial[cell] === 1 ? "start" : `start ${number(grid.initial[cell])}`] : []),
      ...(grid.goal[cell] ? ["goal"] : []),
      ...costs.map((name, n) => `${name} ${number(grid.costs[n][cell])}`),
      ...(row ? [`plan ${row.flatMap((p, a) => (p > 0.005 ? [`${ACTIONS[a]} ${probability(p)}`] : [])).join(", ")}`] : []),
    ];
  return parts.join(", ");
}

/**
 * @param {{
 *   lab: import("./parts.js").Lab, grid: Grid, costs: string[], brushes: import("./paint.js").Tool[], chosen: string, here: number, setAt: (cell: number) => void,
 *   brushOf: (id: string) => Brush, onChoose: (id: string) => void, repaint: (change: (g: Grid) => Grid, key?: string | null) => void,
 *   svg: { current: SVGSVGElement | null },
 * }} of here: the cell that the keys are on; svg: the cells as they are drawn
 */
export function useHand({ lab, grid, costs, brushes, chosen, here, setAt, brushOf, onChoose, repaint, svg }) {
  const { rows, columns } = grid;
  const stroke = useRef(/** @type {{ key: string, brush: Brush, last: number } | null} */ (null));
  const inHand = useRef(chosen); // the next key may come before the next drawing
  inHand.current = chosen;

  /** Begins a stroke on a cell: what it is already painted with is taken away instead. @param {number} cell @param {Brush} brush */
  const begin = (cell, brush) => {
    lab.settle();
    // The document may be ahead of what is drawn: keys come faster than frames.
    const now = gridIn(lab.doc()) ?? grid;
    const own = isStroked(now, cell, brush) ? eraserOf(now, brush) : brush;
    stroke.current = { key: `stroke ${++strokes}`, brush: own, last: cell };
    repaint((g) => stroked(g, [cell], own), stroke.current.key);
  };
  const goOn = (/** @type {number} */ cell) => {
    const { current } = stroke;
    if (!current || cell === current.last) return;
    const cells = between(grid, current.last, cell);
    current.last = cell;
    repaint((g) => stroked(g, cells, current.brush), current.key);
  };
  const end = () => {
    if (stroke.current) lab.settle();
    stroke.current = null;
  };
  const under = (/** @type {PointEvent} */ event) => {
    const p = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.current?.getScreenCTM()?.inverse());
    const [column, row] = [Math.floor(p.x / CELL), Math.floor(p.y / CELL)];
    return row < 0 || column < 0 || row >= rows || column >= columns ? -1 : row * columns + column;
  };

  const focus = (/** @type {number} */ cell) => {
    setAt(cell);
    /** @type {SVGElement | null | undefined} */ (svg.current?.querySelector(`[data-cell="${cell}"]`))?.focus({ preventScroll: false });
  };
  /** Says what became of a cell. @param {number} cell */
  const tell = (cell) => {
    const after = gridIn(lab.doc());
    if (after) lab.say(`${sentence(words(after, cell, costs, null))}.`);
  };

  return {
    down: (/** @type {PointEvent} */ event) => {
      const cell = under(event);
      if (cell < 0 || event.button > 0) return;
      event.preventDefault(); // nothing is selected or dragged away
      focus(cell);
      svg.current?.setPointerCapture(event.pointerId);
      begin(cell, brushOf(chosen));
    },
    over: (/** @type {PointEvent} */ event) => {
      if (!stroke.current) return;
      const cell = under(event);
      if (cell >= 0) goOn(cell);
    },
    end,
    keys: (/** @type {KeyEvent} */ event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const from = Number(event.target.closest("[data-cell]")?.getAttribute("data-cell") ?? here);
      const step = { ArrowUp: -columns, ArrowDown: columns, ArrowLeft: -1, ArrowRight: 1, Home: -(from % columns), End: columns - 1 - from % columns }[
        /** @type {"Home"} */ (event.key)
      ];
      const tool = brushes.find(({ key }) => key === event.key.toUpperCase());
      if (step !== undefined) {
        const next = from + step;
        const along = Math.abs(step) === columns && columns > 1 || Math.floor(next / columns) === Math.floor(from / columns);
        if (event.shiftKey && !stroke.current) begin(from, brushOf(inHand.current));
        if (next >= 0 && next < rows * columns && along) {
          focus(next);
          if (event.shiftKey) goOn(next);
        }
      } else if (event.key === " " || event.key === "Enter" || tool) {
        if (tool) onChoose(inHand.current = tool.id);
        begin(from, brushOf(inHand.current));
        end();
        tell(from);
      } else return;
      event.preventDefault();
    },
    keyUp: (/** @type {KeyEvent} */ event) => {
      if (event.key !== "Shift" || !stroke.current) return;
      const { last } = stroke.current;
      end();
      tell(last);
    },
  };
}
