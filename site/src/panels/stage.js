// @ts-check
// stage.js — where an episode is played: a drawing of the states with a token that moves.
// A stage is a component of StageProps; stages says which fits a model, the first that does.

import { html } from "htm/preact";
import { groundIn } from "../picture/ground.js";
import { Arrows, CELL, middleOf, Terrain, windowOf } from "../picture/world.js";
import { pure } from "./parts.js";

/** @typedef {import("../rcmdp.js").Problem} Problem */
/** @typedef {{ problem: Problem, from: number | null, state: number, action: number | null, seconds: number, policy: number[][] }} StageProps seconds: how long a move takes */
/** @typedef {(props: StageProps) => Content} Stage */

/** More states than this are not drawn one by one, */
const MOST_STATES = 24;
/** and in a grid of more no plan: the arrows would be too small to see. */
const MOST_CELLS = 900;

/** @type {{ fits: (problem: Problem) => boolean, Stage: Stage }[]} */
export const stages = [
  { fits: (problem) => groundIn(problem) !== null, Stage: World },
  { fits: (problem) => problem.states.length <= MOST_STATES, Stage: Ring },
  { fits: () => true, Stage: Words },
];

/** The stage for a model. @param {Problem} problem */
export const stageOf = (problem) => /** @type {{ Stage: Stage }} */ (stages.find(({ fits }) => fits(problem))).Stage;

/** Whether the stage of a model is a picture. @param {Problem} problem */
export const isDrawn = (problem) => stageOf(problem) !== Words;

/** What is below the moves: it stays as it is while they go on. */
const Ground = pure(({ problem, policy }) => {
  const ground = /** @type {import("../picture/ground.js").Ground} */ (groundIn(problem));
  return html`<${Terrain} ground=${ground} />${
    problem.states.length <= MOST_CELLS && html`<${Arrows} ground=${ground} actions=${problem.actions} policy=${policy} />`
  }`;
});

/** A grid world as it is painted, with the plan on it and the last move. @param {StageProps} props */
function World({ problem, from, state, action, seconds, policy }) {
  const ground = /** @type {import("../picture/ground.js").Ground} */ (groundIn(problem));
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

/** States on a ring, the last move as an arrow. @param {StageProps} props */
function Ring({ problem, from, state, action, seconds }) {
  const { states } = problem;
  const n = states.length;
  const [width, height] = [420, n > 12 ? 300 : 210];
  const place = (/** @type {number} */ s) => {
    const angle = -Math.PI / 2 + (2 * Math.PI * s) / n;
    return n === 1
      ? { x: width / 2, y: height / 2 }
      : { x: width / 2 + (width / 2 - 60) * Math.cos(angle), y: height / 2 + (height / 2 - 34) * Math.sin(angle) };
  };
  const at = place(state);
  const short = (/** @type {string} */ name) => (name.length > 12 ? `${name.slice(0, 11)}…` : name);
  return html`<svg class="stage" viewBox=${`0 0 ${width} ${height}`} role="img" aria-label=${`In state ${states[state]}${
    action === null ? "" : `, after ${problem.actions[action]}`
  }`}>
    ${from !== null && arrow(place(from), at, from === state)}
    ${
    states.map((name, s) => {
      const { x, y } = place(s);
      return html`<g class=${s === state ? "place here" : "place"}><circle cx=${x} cy=${y} r="15" /><text x=${x} y=${y + 30} text-anchor="middle">${
        short(name)
      }</text></g>`;
    })
  }
    <circle class="token" r="8" style=${{ transform: `translate(${at.x}px, ${at.y}px)`, transitionDuration: `${seconds}s` }} />
    ${action !== null && html`<text class="did" x=${width / 2} y=${height / 2 + 4} text-anchor="middle">${short(problem.actions[action])}</text>`}
  </svg>`;
}

/** @param {{ x: number, y: number }} a @param {{ x: number, y: number }} b @param {boolean} stays */
function arrow(a, b, stays) {
  if (stays) return html`<circle class="move" cx=${a.x} cy=${a.y - 20} r="11" />`;
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const [ux, uy] = [(b.x - a.x) / length, (b.y - a.y) / length];
  const end = { x: b.x - 19 * ux, y: b.y - 19 * uy };
  const side = (/** @type {number} */ s) => `${end.x - 9 * ux - s * 5 * uy},${end.y - 9 * uy + s * 5 * ux}`;
  return html`<g class="move"><line x1=${a.x + 17 * ux} y1=${a.y + 17 * uy} x2=${end.x} y2=${end.y} /><polyline points=${`${side(1)} ${end.x},${end.y} ${
    side(-1)
  }`} /></g>`;
}

/** Too many states to draw: where it came from and where it is. @param {StageProps} props */
function Words({ problem, from, state, action }) {
  return html`<p class="stage words"><span>${from === null ? "start" : problem.states[from]}</span> <b>${
    action === null ? "" : problem.actions[action]
  } →</b> <span class="here">${problem.states[state]}</span></p>`;
}
