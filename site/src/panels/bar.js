// @ts-check
// bar.js — draws the solve bar, which is always in sight and never moves: one button with when to solve, and
// what is known of the model while its answer is out of sight. Emits: solve, stop, following edits.

import { html, useEffect, useState } from "../view.js";
import { number } from "../words/format.js";
import { gapOf, isFeasible, isProving, isUnchecked, loadingWords, NO_GAP } from "../words/words.js";
import { Menu } from "./parts.js";

/** @typedef {import("./parts.js").Lab} Lab */
/** @typedef {import("../lab/state.js").State} State */
/** @typedef {{ tone: "good" | "bad" | "open" | "busy" | "", text: string, value?: string }} Standing */

/**
 * What the bar says of the model, in a few words.
 * @param {State} s
 * @param {string} blocked
 * @param {import("../lab/state.js").Shown} shown
 * @returns {Standing}
 */
export function standingOf(s, blocked, { answer, fresh }) {
  const { run, engine, wanted } = s;
  if (run) return searching(run);
  if (engine.phase === "failed") return { tone: "bad", text: "the solver did not load" };
  if (wanted) return { tone: "busy", text: engine.phase === "ready" ? "checking the model…" : `${loadingWords(engine)}, then solves` };
  if (blocked) return { tone: "bad", text: blocked };
  if (!s.opened) return { tone: "busy", text: loadingWords(engine) };
  if (!answer) return engine.phase === "ready" ? { tone: "", text: "not solved" } : { tone: "busy", text: loadingWords(engine) };
  if (!fresh) return { tone: "open", text: "out of date" };
  return found(answer);
}

/** @param {import("../lab/state.js").Running} run @returns {Standing} */
function searching({ news, ending, auto }) {
  const best = news?.best;
  const value = best?.feasible ? number(best.objective) : undefined;
  const open = news && best?.feasible ? openWords(best.objective, news) : "";
  if (ending === "stop") return { tone: "busy", text: value ? "stopped, closing its step" : "stopping…", value };
  const word = auto === "live" ? "following the edit" : isProving(news) ? "proving" : "searching";
  return { tone: "busy", text: !value ? `${word}…` : open ? `${open}, ${word}` : `best so far, ${word}`, value };
}

/** @param {import("../lab/state.js").Answer} answer @returns {Standing} */
function found({ result }) {
  if (isUnchecked(result)) return { tone: "", text: "not checked here yet", value: isFeasible(result) ? number(result.objective.value) : undefined };
  if (result.status === "proved-infeasible") return { tone: "bad", text: "proved infeasible" };
  if (!isFeasible(result)) return { tone: "open", text: "no feasible policy found" };
  const value = number(result.objective.value);
  if (result.status === "proved-optimal") return { tone: "good", text: "proved optimal", value };
  const open = openWords(result.objective.value, result.objective);
  return { tone: "good", text: `feasible, ${open || "nothing proved"}`, value };
}

/** "3.9 % open". @param {number | null} value @param {Parameters<typeof gapOf>[1]} objective */
function openWords(value, objective) {
  const { text } = gapOf(value, objective);
  return text === "" || text === NO_GAP ? text : `${text} open`;
}

/** @param {{ lab: Lab, state: State }} props */
export function Bar({ lab, state }) {
  const { run } = state;
  const blocked = lab.blocked(state);
  const fault = lab.faults(state)[0];
  const known = lab.shown(state);
  const { tone, text, value } = standingOf(state, blocked, known);
  // What the answer says in full is not said again while it is in sight.
  const near = useSeen([known.answer, run === null, run?.ending]);
  const seen = near && !blocked && !state.wanted && (known.answer !== null || run !== null);
  const name = state.empty ? "No model" : state.opened ? state.history.present.doc?.name || "Untitled model" : "";
  const idle = Boolean(blocked) && !fault;
  const stops = run !== null && !run.auto && run.ending === "";
  const go = (/** @type {MouseEvent} */ event) => {
    if (stops) {
      // The second half of a double click is not meant for the run that the first half began.
      if (event.detail < 2) lab.stop();
    } else void lab.askToSolve();
  };
  return html`<div class=${`solvebar${seen ? " seen" : ""}${near ? "" : " away"}`} role="region" aria-label="Solve">
    <div class="solvebar-in">
      <a class=${`standing ${tone}`} href="#answer" tabindex=${
    seen ? -1 : undefined
  } onClick=${toAnswer}><i aria-hidden="true"></i><em class="of">${name}</em>${value && html`<b>${value}</b>`}<span id="solve-why">${text}</span></a>
      <span class="split"><button type="button" class=${stops ? "primary stop" : "primary"} aria-disabled=${
    idle || blocked && !stops ? "true" : undefined
  } aria-describedby="solve-why" onClick=${go}
        title=${stops ? "Keeps the best policy found so far (Esc)" : "Solve (Ctrl+Enter)"} data-solve=${stops ? undefined : ""} data-stop=${
    stops ? "" : undefined
  }>${
    stops ? "Stop" : "Solve"
  }</button><${Menu} label="When to solve" icon="down" class="primary"><label class="check live-switch"><input type="checkbox" checked=${state.live} onChange=${(
    /** @type {FieldEvent} */ e,
  ) =>
    lab.setLive(e.target.checked)} /><span>Follow edits<span class="help">Small models are solved again while they are edited.</span></span></label><//></span>
    </div>
  </div>`;
}

/** Whether the head of the answer is in sight. @param {unknown[]} told what the head tells of: with another it is another element */
function useSeen(told) {
  const [seen, setSeen] = useState(true);
  useEffect(() => {
    const head = document.querySelector(".answer .hero");
    if (!head) return undefined;
    const watch = new IntersectionObserver(([entry]) => setSeen(entry.isIntersecting));
    watch.observe(head);
    return () => watch.disconnect();
  }, told);
  return seen;
}

/** @param {Event} event */
function toAnswer(event) {
  event.preventDefault();
  const answer = document.getElementById("answer");
  answer?.focus({ preventScroll: true });
  answer?.scrollIntoView();
}
