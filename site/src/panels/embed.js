// @ts-check
// embed.js — draws the embed: the problem as a sentence, its button, the answer.

import { html } from "htm/preact";
import { bytes } from "../words/format.js";
import { Answer } from "./answer.js";
import { Statement } from "./goal.js";
import { IconButton } from "./parts.js";

/**
 * @param {{ lab: import("../lab.js").Lab, state: import("../lab/state.js").State, title: string, labLink: string, onSolve: () => void }} props
 */
export function Embed({ lab, state, title, labLink, onSolve }) {
  const { doc } = state.history.present;
  const here = state.opened;
  const { engine, run } = state;
  const answer = lab.answer(state);
  const loading = engine.phase === "download" || engine.phase === "compile";
  const faults = here ? lab.faults(state) : [];
  return html`
    <header class="top"><h1>${
    here ? doc.name || "Model without a name" : title
  }</h1><a href=${labLink} target="_blank" rel="noopener">Open in the lab</a></header>
    <div class="notices">${
    state.notices.map((n) =>
      html`<div key=${n.id} class=${`notice ${n.tone}`} role=${
        n.tone === "bad" ? "alert" : "status"
      }><p>${n.text}</p><${IconButton} icon="remove" label="Dismiss" onClick=${() => lab.dismiss(n.id)} /></div>`
    )
  }</div>
    ${here && html`${doc.description && html`<p class="about">${doc.description}</p>`}<${Statement} doc=${doc} />`}
    ${faults.map((f) => html`<p class="fault">${f.message}</p>`)}
    ${engine.phase === "failed" && html`<div class="crash" role="alert"><h2>The solver did not load</h2><p>${engine.message}</p></div>`}
    <div class="go">${
    run
      ? html`<button type="button" class="primary" disabled=${run.ending !== ""} onClick=${lab.stop}>Stop</button><span class="why">${
        run.ending === "stop" ? "Stopping…" : "Stop keeps the best so far."
      }</span>`
      : html`<button type="button" class="primary" aria-disabled=${loading || faults.length > 0 ? "true" : undefined} onClick=${() => {
        if (!loading && faults.length === 0) onSolve();
      }}>${engine.phase === "failed" ? "Retry" : answer ? "Solve again" : "Solve"}</button>
        <span class="why">${
        engine.phase === "compile"
          ? "Preparing the solver…"
          : loading
          ? `Loading the solver: ${bytes(engine.loaded)}${engine.total ? ` of ${bytes(engine.total)}` : ""}`
          : engine.phase === "waiting"
          ? "Loads the solver and solves in your browser."
          : ""
      }</span>`
  }</div>
    ${
    (run || answer || state.crash) &&
    html`<${Answer} lab=${lab} state=${state} embedded=${true} />`
  }
    <p class="unseen" role="status" aria-live="polite">${state.said}</p>
    <p class="sign">Solved by RCMDP Lab in your browser.</p>`;
}
