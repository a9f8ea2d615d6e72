// @ts-check
// at-play.js — a plan at play against the model of the world that is worst for it, and one number to turn. Emits: turning.

import { html, useEffect, useMemo, useRef, useState } from "../view.js";
import { tableAt } from "../document/steps.js";
import { stepOf } from "../lab/knobs.js";
import { walker, worstWorld } from "../picture/walk.js";
import { integer, number } from "../words/format.js";
import { isDrawn, Stage } from "./stage.js";

/** @typedef {import("./parts.js").Lab} Lab */
/** @typedef {import("../lab/knobs.js").Knob} Knob */

/** A step of the walk takes so long, */
const STEP_MS = 1100;
/** and after so many of them it rests, until the plan is another or a pointer comes by. */
const STEPS = 16;

/**
 * The picture, with the walk of a plan through the worst model of the world; of a model that has none, that it has none.
 * @param {{ problem: import("../rcmdp.js").Problem, result: import("../rcmdp.js").Result | null, onLook?: () => void }} props onLook: shows one state and those around it
 */
export const Walk = (props) =>
  isDrawn(props.problem)
    ? html`<${Played} ...${props} />`
    : html`<p class="help">${integer(props.problem.states.length)} states are too many to draw. ${
      props.onLook && html`<button type="button" class="plain flush" onClick=${props.onLook}>Look around one</button>`
    }</p>`;

/** @param {Parameters<typeof Walk>[0]} props */
function Played({ problem, result }) {
  const world = useMemo(() => worstWorld(problem, result), [problem, result]);
  const start = () => ({ from: null, state: Math.max(0, problem.initial.findIndex((p) => p > 0)), action: null });
  const [step, setStep] = useState(/** @type {import("../picture/walk.js").Step} */ (start()));
  const [round, again] = useState(0);
  useEffect(() => {
    setStep(start());
    if (!result || matchMedia("(prefers-reduced-motion: reduce)").matches) return undefined;
    const next = walker(problem, result.policy, world.rowOf);
    let left = STEPS;
    const timer = setInterval(() => {
      if (document.hidden) return;
      setStep(next());
      if (--left === 0) clearInterval(timer);
    }, STEP_MS);
    return () => clearInterval(timer);
  }, [problem, result, round]);
  return html`<figure class="walk" onPointerEnter=${() => again(round + 1)}><${Stage} problem=${problem} policy=${
    result ? tableAt(result.policy, step.from === null ? 0 : step.step ?? 0) : null
  } rowOf=${world.rowOf} seconds=${0.6} ...${step} /><figcaption>${world.name && `worst case: ${world.name}`}</figcaption></figure>`;
}

/**
 * One number of the model to turn; its range stays where it is while it is turned.
 * @param {{ lab: Lab, knob: Knob, line: number, onTurn?: () => void }} props
 */
export function Turn({ lab, knob, line, onTurn }) {
  const range = useRef({ of: "", min: 0, max: 0 });
  const of = `${line} ${knob.id}`;
  const { current: r } = range;
  if (r.of !== of || knob.value < r.min || knob.value > r.max) range.current = { of, min: knob.min, max: knob.max };
  const { min, max } = range.current;
  return html`<label class="turn"><span>${knob.label}</span><input type="range" min=${min} max=${max} step=${stepOf({ ...knob, min, max })} value=${knob.value}
    data-turn=${knob.id} onInput=${(/** @type {FieldEvent} */ e) => {
    const value = Number(e.target.value);
    if (knob.parameter === null) lab.turn(knob, value);
    else void lab.setParameter(knob.parameter, value);
    onTurn?.();
  }} /><output>${number(knob.value)}</output></label>`;
}
