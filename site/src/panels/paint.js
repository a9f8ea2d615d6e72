// @ts-check
// paint.js — draws a grid world to paint on: with the mouse or a finger, and with the arrow keys and
// letters. Every stroke is an edit of the document and one step of undo. Emits: edits.

import { html, useEffect, useRef, useState } from "../view.js";
import { costsOf } from "../document/reading.js";
import { faultsAt } from "../document/faults.js";
import { ACTIONS, floorOf, gridIn, LONGEST_SIDE, NATURES, offers, painted, resized } from "../document/grid.js";
import { kindOf } from "../document/kinds.js";
import { parseNumber } from "../document/number.js";
import { replaceAt } from "../document/patch.js";
import { squaresOf } from "../picture/ground.js";
import { CELL, Squares, stepsOf } from "../picture/world.js";
import { sentence } from "../words/format.js";
import { Faults, NumberField, Segments } from "./fields.js";
import { pure } from "./parts.js";
import { useHand, words } from "./painting.js";
import { savePicture } from "./picture-file.js";
import { planOf } from "./world-view.js";

/** @typedef {import("./parts.js").Lab} Lab */
/** @typedef {import("../document/grid.js").Grid} Grid */
/** @typedef {import("../document/grid.js").Brush} Brush */

/** @param {{ lab: Lab, doc: Doc, faults: import("../document/faults.js").Fault[], chosen: boolean }} props chosen: a person has asked for it */
export function Paint({ lab, doc, faults, chosen: asked }) {
  const grid = gridIn(doc);
  const [chosen, setChosen] = useState("wall");
  const [values, setValues] = useState(/** @type {Record<number, number>} */ ({}));
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    if (!grid && !asked) lab.look({ tab: "goal" }); // it only looked like one
  });
  if (!grid) {
    return html`<p class="quiet">This model was changed into one that cannot be painted: a painted cell costs the same whatever one does in it, and every move slips alike. Undo the change, or go on in the other tabs.</p>`;
  }
  const costs = costsOf(doc).map(({ cost }, n) => String(cost.name || (n === 0 ? "cost" : `limit ${n}`)));
  const brushes = brushesOf(costs);
  const shown = brushes.find(({ id }) => id === chosen) ?? brushes[0];
  const { brush } = shown;
  const worthOf = (/** @type {number} */ n) => values[n] ?? (n === 0 ? 5 : 1);
  const brushOf = (/** @type {string} */ id) => {
    const { brush: of } = brushes.find((b) => b.id === id) ?? brushes[0];
    return of.kind === "cost" ? { ...of, value: worthOf(of.cost) } : of;
  };
  const repaint = (/** @type {(g: Grid) => Grid} */ change, /** @type {string | null} */ key = null) =>
    lab.edit((/** @type {Doc} */ d) => {
      const before = gridIn(d);
      const after = before && change(before);
      return after === null || before === after ? d : painted(d, after);
    }, key);
  const save = (/** @type {"svg" | "png"} */ kind) => savePicture(place.current?.querySelector("svg"), doc, kind);
  return html`<div class="paint" ref=${place}>
    <${Brushes} brushes=${brushes} chosen=${shown.id} onChoose=${setChosen} />
    ${
    brush.kind === "cost" && html`<label class="row">${sentence(costs[brush.cost])} of a step from a painted cell <${NumberField} lab=${lab}
      pointer=${`grid:value ${brush.cost}`} value=${worthOf(brush.cost)} label=${`${costs[brush.cost]} to paint`} faults=${faults} show onValue=${(
      /** @type {number} */ x,
    ) => setValues((v) => ({ ...v, [brush.cost]: x }))} /></label>`
  }
    <${Canvas} lab=${lab} doc=${doc} grid=${grid} costs=${costs} brushOf=${brushOf} chosen=${shown.id} brushes=${brushes} onChoose=${setChosen} repaint=${repaint} />
    <p class="help">Drag to paint; once more on what is painted takes it away. Keys: arrows move, Space paints, Shift with arrows paints on, ${
    brushes.map(({ key, title }, i) => html`${i > 0 && ", "}<kbd>${key}</kbd> ${title}`)
  }.</p>
    <${Rules} lab=${lab} doc=${doc} grid=${grid} costs=${costs} faults=${faults} repaint=${repaint} />
    <p class="row"><button type="button" onClick=${() => save("svg")}>SVG</button><button type="button" onClick=${() => save("png")}>PNG</button></p>
    <details><summary>The grid as a table</summary><${Twin} doc=${doc} grid=${grid} costs=${costs} plan=${planOf(lab, doc)} /></details>
  </div>`;
}

/**
 * @typedef {{ id: string, title: string, key: string, brush: Brush }} Tool
 * @param {string[]} costs names
 * @returns {Tool[]}
 */
const brushesOf = (costs) => [
  { id: "wall", title: "wall", key: "W", brush: { kind: "wall" } },
  { id: "start", title: "start", key: "S", brush: { kind: "start" } },
  { id: "goal", title: "goal", key: "G", brush: { kind: "goal" } },
  ...costs.map((title, cost) => /** @type {Tool} */ ({
    id: `cost ${cost}`,
    title,
    key: cost === 0 ? "C" : cost === 1 ? "D" : String(cost),
    brush: { kind: "cost", cost, value: 0 },
  })),
  { id: "floor", title: "nothing", key: "E", brush: { kind: "floor" } },
];

/** One brush of a few, each with a cell as it paints it. @param {{ brushes: Tool[], chosen: string, onChoose: (id: string) => void }} props */
const Brushes = ({ brushes, chosen, onChoose }) =>
  html`<fieldset class="brushes"><legend class="unseen">Brush</legend>${
    brushes.map(({ id, title, brush }) =>
      html`<label key=${id}><input type="radio" name="brush" value=${id} checked=${id === chosen} onChange=${() =>
        onChoose(id)} /><span><svg class="swatch ground" viewBox=${`0 0 ${CELL} ${CELL}`} aria-hidden="true"><${Squares} squares=${[{
        x: 0,
        y: 0,
        wall: brush.kind === "wall",
        goal: brush.kind === "goal",
        start: brush.kind === "start" ? 1 : 0,
        tints: brush.kind === "cost" ? `${brush.cost}:0.7` : "",
        note: "",
      }]} /></svg>${title}</span></label>`
    )
  }</fieldset>`;

/**
 * The cells. One of them is a stop of the Tab key; from there the arrow keys go.
 * @param {{ lab: Lab, doc: Doc, grid: Grid, costs: string[], brushes: Tool[], chosen: string, brushOf: (id: string) => Brush, onChoose: (id: string) => void, repaint: (change: (g: Grid) => Grid, key?: string | null) => void }} props
 */
function Canvas({ lab, doc, grid, costs, brushes, chosen, brushOf, onChoose, repaint }) {
  const { rows, columns } = grid;
  const svg = useRef(/** @type {SVGSVGElement | null} */ (null));
  const [at, setAt] = useState(0);
  const here = Math.min(at, rows * columns - 1);
  const plan = planOf(lab, doc);

  const hand = useHand({ lab, grid, costs, brushes, chosen, here, setAt, brushOf, onChoose, repaint, svg });
  const squareOf = squaresOf(grid);
  const states = new Map(floorOf(grid).map((cell, s) => [cell, s]));
  return html`<svg ref=${svg} class=${`painter ground model-picture${plan.fresh ? "" : " before"}`} viewBox=${`0 0 ${columns * CELL} ${
    rows * CELL
  }`} role="grid" aria-label=${`Grid to paint, ${rows} by ${columns}`} aria-rowcount=${rows} aria-colcount=${columns}
    onPointerDown=${hand.down} onPointerMove=${hand.over} onPointerUp=${hand.end} onPointerCancel=${hand.end} onKeyDown=${hand.keys} onKeyUp=${hand.keyUp}>${
    Array.from({ length: rows }, (_, r) =>
      html`<g key=${r} role="row">${
        Array.from({ length: columns }, (__, c) => {
          const cell = r * columns + c;
          const row = plan.row(states.get(cell) ?? -1);
          const moves = offers(grid, cell);
          return html`<${Cell} key=${cell} cell=${cell} row=${r} column=${c} stop=${cell === here} ...${squareOf(cell)} plan=${
            row && !grid.wall[cell] && !grid.goal[cell] ? stepsOf(ACTIONS, ACTIONS.map((___, a) => (moves.includes(a) ? row[a] : 0)), MIDDLE) : ""
          } about=${words(grid, cell, costs, row)} />`;
        })
      }</g>`)
  }</svg>`;
}

/** Of a cell, in its own units. */
const MIDDLE = { x: CELL / 2, y: CELL / 2 };

/**
 * plan: what it does here, as a path; about: the cell in words.
 * @param {import("../picture/ground.js").Square & { cell: number, row: number, column: number, stop: boolean, plan: string, about: string }} props
 */
const Cell = pure(({ cell, row, column, stop, wall, goal, start, tints, note, plan, about }) =>
  html`<g class="cell" role="gridcell" data-cell=${cell} tabindex=${stop ? 0 : -1} aria-label=${`row ${row + 1}, column ${
    column + 1
  }: ${about}`} transform=${`translate(${column * CELL} ${row * CELL})`}>
    <${Squares} squares=${[{ x: 0, y: 0, wall, goal, start, tints, note }]} />${plan && html`<path class="step" d=${plan} />`}${
    note && html`<text x=${CELL - 5} y=${CELL - 6} text-anchor="end">${note}</text>`
  }</g>`
);

/**
 * Sizes, slips, nature and limits.
 * @param {{ lab: Lab, doc: Doc, grid: Grid, costs: string[], faults: import("../document/faults.js").Fault[], repaint: (change: (g: Grid) => Grid, key?: string | null) => void }} props
 */
function Rules({ lab, doc, grid, costs, faults, repaint }) {
  const field = (
    /** @type {string} */ name,
    /** @type {string} */ label,
    /** @type {unknown} */ value,
    /** @type {(text: string) => import("../document/number.js").Parsed} */ read,
    /** @type {(x: number) => void} */ onValue,
  ) =>
    html`<label>${label} <${NumberField} lab=${lab} pointer=${`grid:${name}`} value=${value} label=${label} faults=${faults} read=${read} show onValue=${onValue} /></label>`;
  const side = (/** @type {"rows" | "columns"} */ name) =>
    field(
      name,
      sentence(name),
      grid[name],
      within(1, LONGEST_SIDE, true),
      (x) => repaint((g) => (name === "rows" ? resized(g, x, g.columns) : resized(g, g.rows, x)), `grid:${name}`),
    );
  const { radius } = kindOf(doc.uncertainty.kind) ?? {};
  return html`<div class="rules">
    <p class="row">${side("rows")}${side("columns")}</p>
    <p class="row">${field("slip", "A move slips with probability", grid.slip, within(0, 1, false), (slip) => repaint((g) => ({ ...g, slip }), "grid:slip"))}
      <${Segments} label="Where a slip goes" value=${grid.slipTo} choices=${[{ id: "sides", title: "to a side" }, {
    id: "nowhere",
    title: "nowhere",
  }]} onChoose=${(
    /** @type {Grid["slipTo"]} */ slipTo,
  ) => repaint((g) => ({ ...g, slipTo }))} /></p>
    <p class="row"><label>Nature may <select value=${grid.nature} onChange=${(/** @type {FieldEvent} */ e) =>
    repaint((g) => ({ ...g, nature: /** @type {typeof g.nature} */ (e.target.value) }))}>${
    NATURES.map(({ id, title }) => html`<option key=${id} value=${id}>${title}</option>`)
  }</select></label>${
    radius &&
    html`<label>${radius.label.toLowerCase()} <${NumberField} lab=${lab} pointer="/uncertainty/radius" value=${doc.uncertainty.radius} label=${radius.label} faults=${faults} show onValue=${(
      /** @type {number} */ x,
    ) => repaint((g) => ({ ...g, radius: x }), "/uncertainty/radius")} /></label>`
  }</p>
    ${
    (doc.constraints ?? []).map((c, i) => {
      const side_ = c.atLeast === undefined ? "atMost" : "atLeast";
      const at = `/constraints/${i}/${side_}`;
      return html`<p key=${i} class="row"><label>${sentence(costs[i + 1])}: ${
        side_ === "atMost" ? "at most" : "at least"
      } <${NumberField} lab=${lab} pointer=${at} value=${c[side_]} label=${`Limit on ${costs[i + 1]}`} faults=${faults} show onValue=${(
        /** @type {number} */ x,
      ) => lab.edit((/** @type {Doc} */ d) => replaceAt(d, at, x), at)} /> in ${
        c.scale === "average" ? "an average step" : doc.discount === 1 ? "all" : "all, discounted"
      }</label></p>`;
    })
  }
    <${Faults} lab=${lab} faults=${["/uncertainty", "/initial"].flatMap((p) => faultsAt(faults, p))} />
  </div>`;
}

/** Reads a number of a range. @param {number} least @param {number} most @param {boolean} whole */
const within = (least, most, whole) => (/** @type {string} */ text) => {
  const parsed = parseNumber(text);
  if (!parsed.ok || (parsed.value >= least && parsed.value <= most && (!whole || Number.isInteger(parsed.value)))) return parsed;
  return { ok: /** @type {const} */ (false), message: `This is a ${whole ? "whole number" : "number"} from ${least} to ${most}.` };
};

/** The grid in words, a cell a cell. @param {{ doc: Doc, grid: Grid, costs: string[], plan: ReturnType<typeof planOf> }} props */
function Twin({ grid, costs, plan }) {
  const states = new Map(floorOf(grid).map((cell, s) => [cell, s]));
  return html`<div class="scroll" tabindex="0" role="region" aria-label="The grid as a table"><table class="lines"><thead><tr><th scope="col"><span class="unseen">row</span></th>${
    Array.from({ length: grid.columns }, (_, c) => html`<th key=${c} scope="col">${c + 1}</th>`)
  }</tr></thead><tbody>${
    Array.from({ length: grid.rows }, (_, r) =>
      html`<tr key=${r}><th scope="row">${r + 1}</th>${
        Array.from({ length: grid.columns }, (__, c) => {
          const cell = r * grid.columns + c;
          return html`<td key=${c}>${words(grid, cell, costs, plan.row(states.get(cell) ?? -1))}</td>`;
        })
      }</tr>`)
  }</tbody></table></div>`;
}
