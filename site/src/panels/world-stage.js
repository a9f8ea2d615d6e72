// @ts-check
// world-stage.js — a grid world as it is painted, with the plan on it and the last move.

import { html } from "../view.js";
import { groundIn } from "../picture/ground.js";
import { Arrows, CELL, middleOf, Terrain, windowOf } from "../picture/world.js";
import { pure } from "./parts.js";

/** In a grid of more cells than this there is no plan: the arrows would be too small to see. */
const MOST_CELLS = 900;

/** What is below the moves: it stays as it is while they go on. */
const Ground = pure(({ problem, policy }) => {
  const ground = /** @type {import("../picture/ground.js").Ground} */ (groundIn(problem));
  return html`<${Terrain} ground=${ground} />${
    policy && problem.states.length <= MOST_CELLS && html`<${Arrows} ground=${ground} actions=${problem.actions} policy=${policy} />`
  }`;
});

/** @param {import("./stage.js").StageProps & { otherwise: import("./stage.js").Stage }} props otherwise: for names that speak of no grid after all */
export function World({ otherwise, ...props }) {
  const { problem, from, state, action, seconds, policy } = props;
  const ground = groundIn(problem);
  if (!ground) return html`<${otherwise} ...${props} />`;
  const middle = (/** @type {number} */ s) => middleOf(ground.cells[s] ?? { row: -1, column: -1 });
  const at = middle(state);
  const was = from === null ? at : middle(from);
  return html`<svg class="stage world ground" viewBox=${windowOf(ground)} role="img" aria-label=${`In state ${problem.states[state]}${
    action === null ? "" : `, after ${problem.actions[action]}`
  }`}><${Ground} problem=${problem} policy=${policy} />${
    from !== null && from !== state && html`<g class="move"><line x1=${was.x} y1=${was.y} x2=${at.x} y2=${at.y} /></g>`
  }
    <circle class="token" r=${CELL / 5} style=${{ transform: `translate(${at.x}px, ${at.y}px)`, transitionDuration: `${seconds}s` }} /></svg>`;
}
