// @ts-check
// first.js — the first thing a visitor sees of a model: its picture, with the plan at play against the worst
// model of the world, and one slider for what is allowed. Emits: choosing an example, turning.

import { html, useMemo } from "../view.js";
import { unreadable } from "../document/shape.js";
import { knobsOf } from "../lab/knobs.js";
import { Icon, toPanel } from "./parts.js";
import { Turn, Walk } from "./at-play.js";

/** @typedef {import("./parts.js").Lab} Lab */
/** @typedef {import("../lab/state.js").State} State */

/** @param {{ lab: Lab, state: State }} props */
export function First({ lab, state }) {
  const { doc, origin } = state.history.present;
  const { answer } = lab.shown(state);
  const readable = useMemo(() => unreadable(doc) === null, [doc]);
  const planned = answer !== null && answer.result.policy.length > 0;
  const problem = planned ? answer.problem : readable ? doc : null;
  const knobs = readable ? knobsOf(doc, origin, state.examples) : [];
  const name = state.empty ? "" : doc?.name || "Untitled model";
  return html`<section class="first" aria-label="The model at play">
    <button type="button" class="named" aria-haspopup="dialog" title="All examples, with what each teaches" onClick=${() =>
    lab.ask({ kind: "examples" })} data-examples>${name || "Examples"}<span class="unseen">${name && ": other examples"}</span><${Icon} name="down" /></button>
    ${
    !state.empty && problem && html`<${Walk} key=${problem.states.length} problem=${problem} result=${planned ? answer.result : null} onLook=${() =>
      toPanel(lab, "picture")} />`
  }
    ${!state.empty && knobs.length > 0 && html`<${Turn} lab=${lab} knob=${knobs[0]} line=${state.history.present.line} />`}
  </section>`;
}
