// @ts-check
// embed.js — draws the embed: the plan at play or a trade-off, the answer found before, and a button to run it
// oneself; the rest when it is wanted.

import { html, useState } from "../view.js";
import { copyText } from "../browser.js";
import { isPointer, valueAt } from "../document/patch.js";
import { unreadable } from "../document/shape.js";
import { knobsOf } from "../lab/knobs.js";
import { sentence } from "../words/format.js";
import { loadingWords } from "../words/words.js";
import { Answer } from "./answer.js";
import { Turn, Walk } from "./at-play.js";
import { deferred, IconButton } from "./parts.js";
import { Statement } from "./statement.js";

const Panels = deferred(() => import("./panels.js"), "Panels");
const EmbedExplorer = deferred(() => import("./embed-explorer.js"), "EmbedExplorer");

/**
 * @param {{
 *   lab: import("../lab.js").Lab, state: import("../lab/state.js").State, title: string,
 *   has: (part: import("../embed/parts.js").Part) => boolean, slider?: string, explore?: string, curve?: string,
 *   labLink: string, newestLink: () => string | Promise<string>, onSolve: () => void,
 * }} props labLink: may be of before the last edit; newestLink is not
 */
export function Embed({ lab, state, title, has, slider, explore, curve, labLink, newestLink, onSolve }) {
  const { doc } = state.history.present;
  const here = state.opened;
  const { engine, run } = state;
  const answer = lab.answer(state);
  const loading = engine.phase === "download" || engine.phase === "compile";
  const faults = here ? lab.faults(state) : [];
  const planned = answer !== null && answer.result.policy.length > 0;
  return html`
    ${
    (has("title") || has("lab")) &&
    html`<header class="top">${has("title") && html`<h1>${here ? doc.name || "Model without a name" : title}</h1>`}${
      has("lab") && html`<${LabLink} href=${labLink} newest=${newestLink} />`
    }</header>`
  }
    <div class="notices">${
    state.notices.map((n) =>
      html`<div key=${n.id} class=${`notice ${n.tone}`} role=${
        n.tone === "bad" ? "alert" : "status"
      }><p>${n.text}</p><${IconButton} icon="remove" label="Dismiss" onClick=${() => lab.dismiss(n.id)} /></div>`
    )
  }</div>
    ${here && has("about") && doc.description && html`<p class="about">${doc.description}</p>`}
    ${faults.map((f) => html`<p class="fault">${f.message}</p>`)}
    ${engine.phase === "failed" && html`<div class="crash" role="alert"><h2>The solver did not load</h2><p>${engine.message}</p></div>`}
    ${
    here && (explore && has("explore")
      ? html`<${EmbedExplorer} lab=${lab} state=${state} pointer=${explore} curve=${curve ?? stored(lab, explore)} exports=${has("exports")} />`
      : html`${
        has("picture") && (planned || unreadable(doc) === null) &&
        html`<${Walk} problem=${planned ? answer.problem : doc} result=${planned ? answer.result : null} />`
      }${slider && has("slider") && html`<${Slider} lab=${lab} state=${state} pointer=${slider} onSolve=${onSolve} />`}`)
  }
    ${here && has("model") && !answer && !run && html`<${Statement} doc=${doc} />`}
    ${
    has("answer") && (run || answer || state.crash) &&
    html`<${Answer} lab=${lab} state=${state} panels=${More} embedded=${true} has=${has} onPlan=${null} />`
  }
    <div class="go">${has("solve") && html`<${Go} lab=${lab} state=${state} blocked=${loading || faults.length > 0} onSolve=${onSolve} />`}${
    has("sign") && html`<p class="sign">Solved by RCMDP Lab.</p>`
  }</div>
    <p class="unseen" role="status" aria-live="polite">${state.said}</p>`;
}

/** The curve that came with a model of the gallery. @param {import("../lab.js").Lab} lab @param {string} pointer */
function stored(lab, pointer) {
  const curve = lab.galleryItems()[0]?.curve;
  return curve?.pointer === pointer ? curve.points : undefined;
}

/** What is loaded and shown when it is wanted. @param {import("./panels.js").PanelProps & { has: (part: string) => boolean }} props */
function More(props) {
  const [open, setOpen] = useState(false);
  const { has, problem } = props;
  return ["plan", "search", "proof", "model"].some(has) &&
    html`<details class="fold more" onToggle=${(/** @type {{ currentTarget: HTMLDetailsElement }} */ e) => setOpen(e.currentTarget.open)}><summary>${
      has("plan") ? "See the plan" : "More of the answer"
    }</summary>${open && html`${has("model") && html`<${Statement} doc=${problem} />`}<${Panels} ...${props} />`}</details>`;
}

/**
 * The button that solves, or stops.
 * @param {{ lab: import("../lab.js").Lab, state: import("../lab/state.js").State, blocked: boolean, onSolve: () => void }} props
 */
function Go({ lab, state: { engine, run, answers: [answer] }, blocked, onSolve }) {
  if (run) {
    return html`<button type="button" class="primary" disabled=${run.ending !== ""} onClick=${lab.stop}>Stop</button><span class="why">${
      run.ending === "stop" ? "Stopping…" : "Stop keeps the best so far."
    }</span>`;
  }
  return html`<button type="button" class="primary" aria-disabled=${blocked ? "true" : undefined} onClick=${() => {
    if (!blocked) onSolve();
  }}>${engine.phase === "failed" ? "Retry" : answer ? (answer.source === "run" ? "Solve again" : "Run it yourself") : "Solve"}</button>
    <span class="why">${
    engine.phase === "compile" || engine.phase === "download"
      ? `${sentence(loadingWords(engine))}…`
      : engine.phase === "waiting" && !answer
      ? "Loads the solver and solves in your browser."
      : ""
  }</span>`;
}

/** A frame that may not open windows still gets the link out: as text to copy. @param {{ href: string, newest: () => string | Promise<string> }} props */
function LabLink({ href, newest }) {
  const [text, setText] = useState("");
  const sandboxed = window.origin === "null";
  if (!sandboxed) {
    const follow = (/** @type {MouseEvent & { currentTarget: HTMLAnchorElement }} */ event) => {
      const link = event.currentTarget;
      const url = newest();
      if (typeof url === "string") link.href = url;
      else {
        event.preventDefault();
        void url.then(() => link.click());
      }
    };
    return html`<a href=${href} target="_blank" rel="noopener" onClick=${follow}>Open in the lab</a>`;
  }
  const copy = async () => {
    const url = await newest();
    setText(await copyText(url) ? "" : url);
  };
  return html`<span class="row"><button type="button" class="plain" onClick=${copy}>Copy the link to the lab</button>${
    text &&
    html`<input type="text" readonly aria-label="Link to the lab" value=${text} onFocus=${(/** @type {FieldEvent} */ event) => event.target.select()} />`
  }</span>`;
}

/**
 * One number of the model that the reader moves; the model is solved again as it moves.
 * @param {{ lab: import("../lab.js").Lab, state: import("../lab/state.js").State, pointer: string, onSolve: () => void }} props
 */
function Slider({ lab, state, pointer, onSolve }) {
  const { doc, line } = state.history.present;
  const value = numberAt(doc, pointer);
  const [first] = useState(value);
  if (value === null || first === null) return html`<p class="fault">The model has no number at ${pointer}.</p>`;
  const [min, max] = first === 0 ? [-1, 1] : [Math.min(0, 2 * first), Math.max(0, 2 * first)];
  const any = { id: pointer, label: pointer.split("/").at(-1), pointer, parameter: null, value, min, max, integer: false, looser: 0 };
  const knob = knobsOf(doc, { kind: "link" }, []).find((k) => k.pointer === pointer) ?? any;
  // From then on a small model follows by itself.
  return html`<${Turn} lab=${lab} knob=${knob} line=${line} onTurn=${() => state.engine.phase === "waiting" && onSolve()} />`;
}

/** @param {Doc} doc @param {string} pointer */
function numberAt(doc, pointer) {
  const value = isPointer(pointer) ? valueAt(doc, pointer) : null;
  return typeof value === "number" ? value : null;
}
