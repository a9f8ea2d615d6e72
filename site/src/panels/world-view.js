// @ts-check
// world-view.js — a grid world to look at and to choose a state from: its ground, a circle for the time that is
// spent in each cell, the plan as arrows.

import { html, useEffect, useMemo, useRef, useState } from "../view.js";
import { stepIn, tableAt } from "../document/steps.js";
import { CELL, middleOf, stepsOf, Terrain, windowOf } from "../picture/world.js";
import { percent } from "../words/format.js";
import { pure } from "./parts.js";
import { short } from "./stage.js";

/** @typedef {import("../rcmdp.js").Problem} Problem */

/** How many cells of a grid world are drawn between two frames. */
const CELLS = 400;

const Ground = pure(Terrain);
const Cells = pure(SomeCells);

/**
 * @typedef {{
 *   problem: Problem, ground: import("../picture/ground.js").Ground, policy: number[][] | null, occupancy: number[] | null,
 *   chosen: number | null, onChoose: (state: number) => void,
 * }} View occupancy: the share of time in each state
 * @param {View} props
 */
export function WorldView({ problem, ground, policy, occupancy, chosen, onChoose }) {
  const most = useMemo(() => Math.max(...(occupancy ?? [1]).map((share) => share || 0), 1e-12), [occupancy]); // NaN: a state that is new
  const parts = useTurns(Array.from({ length: Math.ceil(problem.states.length / CELLS) }, (_, k) => {
    const from = k * CELLS;
    const here = chosen !== null && chosen >= from && chosen < from + CELLS ? chosen : null;
    return { problem, ground, policy, occupancy, most, chosen: here, onChoose, from };
  }));
  return html`<svg class="model-picture world ground" viewBox=${
    windowOf(ground)
  } role="group" aria-label=${`A grid of ${ground.rows} rows and ${ground.columns} columns; the table below says the same`}>
    <${Ground} ground=${ground} />${parts.map((part) => html`<${Cells} key=${part.from} ...${part} />`)}</svg>`;
}

/**
 * What parts of a large drawing are drawn from: the wanted ones, one more of them each frame, so that no frame takes long.
 * @template {Record<string, unknown>} T
 * @param {T[]} wanted
 * @returns {T[]}
 */
function useTurns(wanted) {
  const drawn = useRef(/** @type {T[]} */ ([])).current;
  const [, turn] = useState(0);
  const late = () => wanted.findIndex((w, k) => !drawn[k] || Object.keys(w).some((key) => drawn[k][key] !== w[key]));
  drawn.length = Math.min(drawn.length, wanted.length);
  const next = late();
  if (next >= 0) drawn[next] = wanted[next];
  useEffect(() => {
    if (late() < 0) return;
    const frame = requestAnimationFrame(() => turn((n) => n + 1));
    return () => cancelAnimationFrame(frame);
  });
  return [...drawn];
}

/**
 * @typedef {View & { most: number, from: number }} CellsProps most: the largest share of time
 * @param {CellsProps} props
 */
function SomeCells({ problem, ground, policy, occupancy, most, chosen, onChoose, from }) {
  return html`<g>${
    problem.states.slice(from, from + CELLS).map((name, k) => {
      const s = from + k;
      const place = ground.cells[s];
      if (!place) return null;
      const at = middleOf(place);
      const cell = place.row * ground.columns + place.column;
      const share = occupancy?.[s] || 0;
      const steps = policy?.[s] && !ground.still.has(s) && !ground.goal[cell] ? stepsOf(problem.actions, policy[s], at) : "";
      const named = !/\d/.test(name) && !ground.goal[cell] && !(ground.initial[cell] > 0);
      return html`<g key=${s} class=${`cell${s === chosen ? " chosen" : ""}${
        occupancy && !(share > 1e-12) ? " unreached" : ""
      }`} data-state=${s} tabindex="0" role="button" aria-pressed=${s === chosen ? "true" : "false"} aria-label=${`${name}${
        occupancy ? `, ${percent(share)} of the time` : ""
      }`} onClick=${() => onChoose(s)} onKeyDown=${(/** @type {KeyEvent} */ e) => {
        if (e.key === "Enter" || e.key === " ") {
          e.preventDefault();
          onChoose(s);
        }
      }}><rect class="edge" x=${at.x - CELL / 2 + 1} y=${at.y - CELL / 2 + 1} width=${CELL - 2} height=${CELL - 2} rx="5" />${
        share > 0 && html`<circle class="time" cx=${at.x} cy=${at.y} r=${(CELL / 2 - 5) * Math.sqrt(share / most)} />`
      }${steps && html`<path class="step" d=${steps} />`}${
        named && html`<text x=${at.x} y=${at.y + CELL / 2 - 8} text-anchor="middle">${short(name)}</text>`
      }<title>${name}${occupancy && !(share > 1e-12) ? ", never reached" : ""}</title></g>`;
    })
  }</g>`;
}

/**
 * The plan by state's name, of the answer that is there; fresh: of exactly this model.
 * @param {import("./parts.js").Lab} lab
 * @param {Doc} doc
 */
export function planOf(lab, doc) {
  const { answer, fresh } = lab.shown();
  const policy = tableAt(answer?.result.policy ?? [], stepIn(lab.get().panels, answer?.problem ?? {}));
  if (!answer || policy.length === 0 || doc.actions.some((a, i) => answer.problem.actions[i] !== a)) return { fresh, row: () => null };
  if (fresh && answer.problem.states.length === doc.states.length) return { fresh, row: (/** @type {number} */ s) => policy[s] };
  const at = new Map(answer.problem.states.map((name, s) => [name, s]));
  return { fresh, row: (/** @type {number} */ s) => policy[at.get(doc.states[s]) ?? -1] ?? null };
}
