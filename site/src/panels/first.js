// @ts-check
// first.js — the first thing a visitor sees of a model: its picture, with the plan at play against the worst
// model of the world, and one slider for what is allowed. Emits: choosing an example, turning.

import { html } from "htm/preact";
import { useMemo, useRef, useState } from "preact/hooks";
import { unreadable } from "../document/shape.js";
import { knobsOf } from "../lab/knobs.js";
import { later } from "./bench.js";
import { Icon } from "./parts.js";
import { Turn, Walk } from "./at-play.js";

/** @typedef {import("./parts.js").Lab} Lab */
/** @typedef {import("../lab/state.js").State} State */

const Groups = later("Groups");

/** @param {{ lab: Lab, state: State }} props */
export function First({ lab, state }) {
  const { doc, origin } = state.history.present;
  const { answer } = lab.shown(state);
  const readable = useMemo(() => unreadable(doc) === null, [doc]);
  const planned = answer !== null && answer.result.policy.length > 0;
  const problem = planned ? answer.problem : readable ? doc : null;
  const example = origin.kind === "example" ? state.examples.find((e) => e.id === origin.id) : undefined;
  const knobs = readable ? knobsOf(doc, origin, state.examples) : [];
  return html`<section class="first" aria-label="The model at play">
    <${Examples} lab=${lab} name=${state.empty ? "" : doc?.name || "Untitled model"} examples=${state.examples} chosen=${
    state.empty ? "" : example?.id ?? ""
  } />
    ${!state.empty && problem && html`<${Walk} key=${problem.states.length} problem=${problem} result=${planned ? answer.result : null} />`}
    ${!state.empty && knobs.length > 0 && html`<${Turn} lab=${lab} knob=${knobs[0]} line=${state.history.present.line} />`}
  </section>`;
}

/** @param {{ lab: Lab, name: string, examples: import("./examples.js").Card[], chosen: string }} props name: of the model that is open; chosen: the id of the example that it is, or "" */
function Examples({ lab, name, examples, chosen }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const [open, setOpen] = useState(false);
  const choose = (/** @type {string} */ id) => {
    dialog.current?.close();
    void lab.chooseExample(id);
  };
  return html`<button type="button" class="named" aria-haspopup="dialog" title="All examples as cards, with what each teaches" onClick=${() => {
    setOpen(true); // the cards are made when they are asked for
    dialog.current?.showModal();
  }} data-examples>${name}<span class="unseen">${name ? ": other examples" : "Examples"}</span><${Icon} name="down" /></button>
    <dialog ref=${dialog} class="gallery" aria-labelledby="gallery-title" onClose=${() => setOpen(false)}>
      <form method="dialog" class="gallery-head"><h2 id="gallery-title">Examples</h2><button>Close</button></form>
      ${open && html`<${Groups} examples=${examples} items=${lab.galleryItems()} chosen=${chosen} onChoose=${choose} />`}
    </dialog>`;
}
