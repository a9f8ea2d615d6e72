// @ts-check
// proof.js — draws the proof: how far it is while it goes on, with the interval closing
// in; then why the answer may be believed: what was checked by whom, the proof as a
// file, the checker's own words when it is asked again, and what nature does against
// the plan where it picks rows. Emits: continuing a run.

import { html } from "../view.js";
import { steps, untilNow } from "../lab/trace.js";
import { count, integer, percent } from "../words/format.js";
import { gapOf, isFeasible, isProving, leftWords, NO_GAP } from "../words/words.js";
import { Charts } from "./run-charts.js";
import { Trust } from "./trust.js";
import { WorstCases } from "./worst.js";

/** The charts that speak of the proof. */
const CHARTS = ["closing", "proof"];

/** @param {import("./panels.js").PanelProps} props */
export function Panel({ lab, state, problem, answer, run }) {
  if (run) return html`<${Proving} run=${run} shape=${lab.methodOf(run.algorithm).shape} asked=${askedOf(state, run.algorithm, run.options)} />`;
  if (!answer) return null;
  const { result, algorithm, id } = answer;
  const open = isFeasible(result) ? gapOf(result.objective.value, result.objective).text.replace(NO_GAP, "") : "";
  const resumable = !state.run && state.runs.list.some((r) => r.id === id && r.resumable);
  return html`<div class="stack">
    ${
    (open || resumable) && html`<p class="proof-open">${open && html`<b>${open} is still open.</b> `}${
      resumable
        ? html`The proof goes on where it stopped, now or on another day. <button type="button" class="plain" onClick=${() =>
          lab.resume(id)}>Continue the proof</button>`
        : "A smaller gap or more time under Method closes more of it."
    }</p>`
  }
    <${Trust} lab=${lab} answer=${answer} report=${state.report} />
    <${Charts} problem=${problem} shape=${lab.methodOf(algorithm).shape} trace=${result.trace} title="proof" only=${CHARTS} quiet />
    <${WorstCases} problem=${problem} result=${result} /></div>`;
}

/**
 * The gap that was asked for, as a share; NaN for methods without one.
 * @param {import("../lab/state.js").State} state @param {string} algorithm @param {Record<string, unknown>} options
 */
function askedOf(state, algorithm, options) {
  const found = state.algorithms.find((a) => a.id === algorithm)?.options.find((o) => o.name === "gap");
  return found ? Number(options.gap ?? found.default) : NaN;
}

/**
 * A proof that goes on, or has not begun.
 * @param {{ run: import("../lab/state.js").Running, shape: import("../lab/figures.js").Shape, asked: number }} props
 */
function Proving({ run: { news, problem, trace, ending }, shape, asked }) {
  const best = news?.best?.feasible ? news.best.objective : null;
  const { share: gap, text } = gapOf(best, news);
  const { nodes = 0, openNodes = 0 } = news ?? {};
  const proving = isProving(news);
  const wanted = Number.isFinite(asked) ? `, and ${percent(asked)} is asked for` : "";
  return html`<div class="stack"><div class="proving" data-open=${openNodes} data-nodes=${nodes}>
    <h3>${proving ? "The proof goes on" : nodes > 0 ? "Between two rounds of the proof" : "The proof has not begun"}</h3>
    <p>${
    text
      ? html`<b>${text === NO_GAP ? "Nothing" : text} is still open</b>${wanted}.`
      : best === null
      ? "First a policy that keeps every limit is looked for; the proof says how much better another could be."
      : "A policy is found, and nothing is proved yet of how much better another could be."
  }</p>
    <${Way} from=${firstGap(trace)} now=${gap} to=${asked} />
    <p>${
    proving || nodes > 0
      ? html`All policies are divided into boxes, and a box is closed when nothing in it can be much better than the best found. ${
        count(nodes, "box", "boxes")
      } ${nodes === 1 ? "is" : "are"} worked through, ${integer(openNodes)} ${openNodes === 1 ? "is" : "are"} open. ${
        leftWords(news?.secondsLeft) && `It takes ${leftWords(news?.secondsLeft)}, by the pace so far.`
      }`
      : "When the search has a good policy, all others are divided into boxes, and each box is closed that holds nothing better."
  }</p>
    <p class="help">${
    ending === "stop" ? "Stopping…" : "Stop at any time: the best plan and what is proved of it stay, and a saved run goes on from here later."
  }</p></div>
    <${Charts} problem=${problem} shape=${shape} trace=${untilNow(trace, news)} title="proof" running only=${CHARTS} /></div>`;
}

/** The gap when the first bound was known. @param {import("../lab/trace.js").Trace} trace */
function firstGap(trace) {
  for (let i = 0; i < steps(trace); i++) {
    const gap = gapOf(trace.bestObjective[i], { lowerBound: trace.lowerBound?.[i], upperBound: trace.upperBound?.[i] }).share; // of a run from elsewhere there may be one column
    if (gap > 0) return gap;
  }
  return NaN;
}

/** A gap asked for as 0 is as good as reached here. */
const TINY = 1e-4;

/**
 * How much of the way from the first gap to the one that was asked for is behind: each
 * halving of the gap is as long a step as the one before it.
 * @param {{ from: number, now: number, to: number }} props
 */
function Way({ from, now, to }) {
  const end = Math.max(to, TINY);
  const done = now <= end ? 1 : from > now ? Math.log(from / now) / Math.log(from / end) : 0;
  return html`<div class="way" role="progressbar" aria-label="How far the proof is on its way to the gap asked for" aria-valuemin="0" aria-valuemax="100" aria-valuenow=${
    Math.round(100 * done)
  }><i style=${{ width: `${100 * done}%` }}></i></div>`;
}
