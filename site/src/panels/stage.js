// @ts-check
// stage.js — where a plan is played: a drawing of the states with a token that moves. A grid world is drawn
// as it is painted, which is loaded when there is one.

import { html } from "../view.js";
import { endNumbers, isGridLike } from "../document/reading.js";
import { movesOf } from "../picture/walk.js";
import { arrowOf, between } from "../picture/way.js";
import { probability } from "../words/format.js";
import { deferred, pure } from "./parts.js";

/** @typedef {import("../rcmdp.js").Problem} Problem */
/**
 * @typedef {{
 *   problem: Problem, from: number | null, state: number, action: number | null, seconds: number, policy?: number[][] | null,
 *   rowOf?: (state: number, action: number) => import("../picture/walk.js").Row,
 * }} StageProps seconds: how long a move takes; rowOf: of the model of the world that is played against, for arrows of the plan's moves
 * @typedef {(props: StageProps) => Content} Stage
 */

/** More states than this are not drawn one by one, */
const MOST_STATES = 24;
/** and of more than this nothing is said but their names. */
const FEW = 8;
/** From one line of text to the next. */
const LINE = 15;
/** A move that is less likely has no arrow. */
const RARE = 0.02;

const World = deferred(() => import("./world-stage.js"), "World", html`<div class="stage world"></div>`);

/** @type {Stage} */
const Plain = (props) => (props.problem.states.length <= MOST_STATES ? html`<${Ring} ...${props} />` : "");

/** Whether the stage of a model is a picture. @param {Problem} problem */
export const isDrawn = (problem) => isGridLike(problem) || problem.states.length <= MOST_STATES;

/** @type {Stage} */
export const Stage = (props) => (isGridLike(props.problem) ? html`<${World} ...${props} otherwise=${Plain} />` : Plain(props));

/** Where a ring of so many states has its places. @param {number} n */
function ringOf(n) {
  const [width, height] = [420, n > 4 || n === 3 ? 320 : 260];
  const r = n > 12 ? 11 : 18;

  return {
    width,
    height,
    r,
    place: (/** @type {number} */ s) => {
      const angle = -Math.PI / 2 + (2 * Math.PI * s) / n;
      return n === 1
        ? { x: width / 2, y: height / 2 }
        : {
          x: width / 2 + (width / 2 - 72) * Math.cos(angle),
          y: (n === 3 ? 0.56 : 0.5) * height + (height / 2 - 62) * (n === 3 ? 1.16 : 1) * Math.sin(angle),
        };
    },
  };
}

/** @param {string} name @param {number} [most] letters */
export const short = (name, most = 14) => (name.length > most ? `${name.slice(0, most - 1)}…` : name);

/** A name in one line, or in two where it is long and has a place to break at; no line is longer than a few letters. @param {string} name */
function lines(name) {
  const at = name.length > 14 ? name.lastIndexOf(" ", Math.ceil(name.length / 2) + 2) : -1;
  return at > 0 ? [short(name.slice(0, at), 16), short(name.slice(at + 1), 16)] : [short(name)];
}

/** What a plan does in a state: its action, or the likeliest with its share. @param {string[]} actions @param {number[]} row */
function deed(actions, row) {
  const most = row.reduce((best, p, a) => (p > row[best] ? a : best), 0);
  return row[most] > 0.995 ? short(actions[most]) : `${short(actions[most])} ${probability(row[most])}`;
}

/** States on a ring with the plan's moves. It stays as it is while a walk goes on. */
const Ground = pure((/** @type {Pick<StageProps, "problem" | "policy" | "rowOf">} */ { problem, policy, rowOf }) => {
  const { states, actions } = problem;
  const ends = endNumbers(problem);
  const n = states.length;
  const { r, place, height } = ringOf(n);
  return html`${
    policy && rowOf && states.flatMap((_, s) =>
      movesOf(policy[s], (a) =>
        rowOf(s, a)).filter(({ next, p }) => next !== s && next >= 0 && p > RARE).map(({ next, p }) => bow(place(s), place(next), r, p))
    )
  }${
    states.map((name, s) => {
      const { x, y } = place(s);
      const up = y < height / 2 - 8;
      const texts = n <= FEW ? lines(name).map((text) => ({ text, css: "name" })) : [{ text: short(name), css: "name" }];
      if (policy && n <= FEW) texts.push({ text: ends.has(s) ? "end" : deed(actions, policy[s]), css: "deed" });
      const top = up ? y - r - 7 - LINE * (texts.length - 1) : y + r + LINE + 1;
      return html`<g class="place"><circle cx=${x} cy=${y} r=${r} />${
        texts.map(({ text, css }, i) => html`<text class=${css} x=${x} y=${top + LINE * i} text-anchor="middle">${text}</text>`)
      }</g>`;
    })
  }`;
});

/** A move from one place to another, beside circles of a radius. @param {{ x: number, y: number }} from @param {{ x: number, y: number }} to @param {number} r @param {number} p */
function bow(from, to, r, p) {
  const { d, head } = arrowOf(between(from, to, r + 2, r + 2, 7 + 3.5 * p, 0.12), 7 + 3.5 * p);
  return html`<g class="way"><path d=${d} stroke-width=${(1 + 3.5 * p).toFixed(1)} /><polygon points=${head} /></g>`;
}

/** @param {StageProps} props */
function Ring({ problem, from, state, action, seconds, policy, rowOf }) {
  const { states, actions } = problem;
  const { width, height, r, place } = ringOf(states.length);
  const at = place(state);
  return html`<svg class="stage" viewBox=${`0 0 ${width} ${height}`} role="img" aria-label=${`In state ${states[state]}${
    action === null ? "" : `, after ${actions[action]}`
  }`}>
    <${Ground} problem=${problem} policy=${policy} rowOf=${rowOf} />${
    from !== null && (from === state
      ? html`<circle class="move" cx=${at.x} cy=${at.y} r=${r + 5} />`
      : html`<g class="move">${bow(place(from), at, r, 0.5)}</g>`)
  }
    <circle class="token" r=${r / 2} style=${{ transform: `translate(${at.x}px, ${at.y}px)`, transitionDuration: `${seconds}s` }} />
    ${!rowOf && action !== null && html`<text class="did" x=${width / 2} y=${height / 2 + 4} text-anchor="middle">${short(actions[action])}</text>`}
  </svg>`;
}
