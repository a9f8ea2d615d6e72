// @ts-check
// embed.js — draws the embed: the problem as a sentence, the answer found before, and
// a button to run it oneself.

import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { copyText } from "../browser.js";
import { replaceAt, valueAt } from "../document/patch.js";
import { bytes, number } from "../words/format.js";
import { Answer } from "./answer.js";
import { Statement } from "./goal.js";
import { deferred } from "./later.js";
import { IconButton } from "./parts.js";

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
  const picture = here && has("picture") ? lab.galleryItems()[0]?.thumbnail : "";
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
    <div class=${picture ? "poster" : ""}>${picture && html`<${Thumbnail} svg=${picture} name=${String(doc.name ?? "")} />`}<div>
    ${here && has("about") && doc.description && html`<p class="about">${doc.description}</p>`}
    ${here && has("model") && html`<${Statement} doc=${doc} />`}</div></div>
    ${faults.map((f) => html`<p class="fault">${f.message}</p>`)}
    ${engine.phase === "failed" && html`<div class="crash" role="alert"><h2>The solver did not load</h2><p>${engine.message}</p></div>`}
    ${
    has("solve") && html`<div class="go">${
      run
        ? html`<button type="button" class="primary" disabled=${run.ending !== ""} onClick=${lab.stop}>Stop</button><span class="why">${
          run.ending === "stop" ? "Stopping…" : "Stop keeps the best so far."
        }</span>`
        : html`<button type="button" class="primary" aria-disabled=${loading || faults.length > 0 ? "true" : undefined} onClick=${() => {
          if (!loading && faults.length === 0) onSolve();
        }}>${engine.phase === "failed" ? "Retry" : answer ? (answer.source === "run" ? "Solve again" : "Run it yourself") : "Solve"}</button>
        <span class="why">${
          engine.phase === "compile"
            ? "Preparing the solver…"
            : loading
            ? `Loading the solver: ${bytes(engine.loaded)}${engine.total ? ` of ${bytes(engine.total)}` : ""}`
            : engine.phase === "waiting"
            ? answer
              ? "This answer was found before. Running loads the solver, checks it, and solves again in your browser."
              : "Loads the solver and solves in your browser."
            : ""
        }</span>`
    }</div>`
  }
    ${here && slider && has("slider") && html`<${Slider} lab=${lab} state=${state} pointer=${slider} onSolve=${onSolve} />`}
    ${here && explore && has("explore") && html`<${EmbedExplorer} lab=${lab} state=${state} pointer=${explore} curve=${curve ?? stored(lab, explore)} />`}
    ${has("answer") && (run || answer || state.crash) && html`<${Answer} lab=${lab} state=${state} embedded=${true} has=${has} />`}
    <p class="unseen" role="status" aria-live="polite">${state.said}</p>
    ${has("sign") && html`<p class="sign">Solved by RCMDP Lab in your browser.</p>`}`;
}

/** The curve that came with a model of the gallery. @param {import("../lab.js").Lab} lab @param {string} pointer */
function stored(lab, pointer) {
  const curve = lab.galleryItems()[0]?.curve;
  return curve?.pointer === pointer ? curve.points : undefined;
}

/** The model in little, as the gallery draws it; its colours are the page's. @param {{ svg: string, name: string }} props */
function Thumbnail({ svg, name }) {
  const place = useRef(/** @type {HTMLDivElement | null} */ (null));
  useEffect(() => {
    const drawn = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
    if (drawn.localName === "svg") place.current?.replaceChildren(drawn);
  }, [svg]);
  return html`<div class="thumbnail" role="img" aria-label=${`A small picture of ${name}`} ref=${place}></div>`;
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
  const { doc } = state.history.present;
  const value = numberAt(doc, pointer);
  const [first] = useState(value);
  if (value === null || first === null) return html`<p class="fault">The model has no number at ${pointer}.</p>`;
  const [least, most] = first === 0 ? [-1, 1] : [Math.min(0, 2 * first), Math.max(0, 2 * first)];
  const move = (/** @type {FieldEvent} */ event) => {
    const to = Number(Number(event.target.value).toPrecision(6));
    lab.edit((/** @type {Doc} */ before) => replaceAt(before, pointer, to), `slider ${pointer}`);
    if (state.engine.phase === "waiting") onSolve(); // from then on a small model follows by itself
  };
  return html`<label class="slider"><span>${nameOf(doc, pointer)}</span><input type="range" min=${least} max=${most} step="any" value=${value}
    onInput=${move} /><output>${number(value)}</output></label>`;
}

/** @param {Doc} doc @param {string} pointer */
function numberAt(doc, pointer) {
  try {
    const value = valueAt(doc, pointer);
    return typeof value === "number" ? value : null;
  } catch {
    return null;
  }
}

/** What a number of the model is called. @param {Doc} doc @param {string} pointer */
function nameOf(doc, pointer) {
  const limit = /^\/constraints\/(\d+)\/at(Most|Least)$/.exec(pointer);
  if (limit) return `${doc.constraints?.[Number(limit[1])].name}, at ${limit[2].toLowerCase()}`;
  return pointer.split("/").at(-1);
}
