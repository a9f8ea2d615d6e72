// @ts-check
// answer.js — draws the answer: what is known of the model in words and numbers, in
// a head whose rows keep their places from the search to the result, and the panels
// below it. Emits: saving, continuing, solving, opening another answer's model.

import { html } from "htm/preact";
import { setPhrase, supportPhrase } from "../document/kinds.js";
import { expected } from "../lab/state.js";
import { count, integer, number, seconds } from "../words/format.js";
import { boundOf, effort, hasBound, isFeasible, isProving, isUnchecked, needs, needsSentence, proofWords, valueWord, verdict } from "../words/words.js";
import { Interval } from "./interval.js";
import { deferred } from "./later.js";
import { Panels } from "./panels.js";
import { Icon } from "./parts.js";

const Ways = deferred(() => import("./ways.js"), "Ways", null);

/** @typedef {import("./parts.js").Lab} Lab */
/** @typedef {import("../lab/state.js").State} State */
/** @typedef {import("../lab/state.js").Answer} AnswerOf */
/** @typedef {import("../lab/state.js").Running} Running */

/**
 * @param {{ lab: Lab, state: State, embedded?: boolean, has?: (part: string) => boolean }} props has: which panels may be shown
 */
export function Answer({ lab, state, embedded = false, has = () => true }) {
  const { answer, fresh, aside } = lab.shown(state);
  const { doc, line } = state.history.present;
  // A run of another model, and one that follows an edit while an answer is there, leave the answer in its place.
  const run = state.run && !state.empty && state.run.ending !== "cancel" && state.run.line === line && !(state.run.auto === "live" && answer) &&
      !(state.run.auto && fresh)
    ? state.run
    : null;
  const busy = run !== null && run.ending === "";
  const stale = !run && answer !== null && !fresh;
  const problem = run?.problem ?? answer?.problem ?? doc;
  return html`<section class=${stale ? "answer stale" : "answer"} id="answer" tabindex="-1" aria-labelledby="answer-title" aria-busy=${
    busy ? "true" : undefined
  } data-fresh=${answer ? String(fresh) : undefined}>
    <h2 class="step" id="answer-title">Answer</h2>
    ${state.crash && html`<${Crash} lab=${lab} crash=${state.crash} />`}
    ${
    run
      ? html`<${Searching} lab=${lab} state=${state} run=${run} />`
      : answer
      ? html`<${Found} lab=${lab} state=${state} answer=${answer} fresh=${fresh} embedded=${embedded} />`
      : html`<${Nothing} lab=${lab} state=${state} aside=${aside} embedded=${embedded} />`
  }
    ${state.opened && !state.empty && html`<${Panels} ...${{ lab, state, problem, answer, fresh, run, embedded, has }} />`}
  </section>`;
}

/**
 * The head of the answer: the same four rows whatever is known, so that nothing
 * below it moves when a run begins or ends.
 * @param {{ tone?: string, mark?: string, headline: Content, figure?: Content, objective?: number | null, sentence?: Content, interval?: Content, foot?: Content }} props
 */
const Head = ({ tone = "", mark, headline, figure, objective, sentence, interval, foot }) =>
  html`<div class=${`hero ${tone}`}>
    <p class="headline">${mark && html`<${Icon} name=${mark} />`}<span>${headline}</span></p>
    <p class="figure" data-objective=${objective ?? undefined}>${figure ?? " "}</p>
    <div><p class="sentence">${sentence}</p>${interval}</div>
    <p class="effort">${foot}</p>
  </div>`;

/** @param {{ lab: Lab, state: State, aside: AnswerOf | null, embedded: boolean }} props */
function Nothing({ lab, state, aside, embedded }) {
  const { engine, empty } = state;
  const headline = engine.phase === "failed" ? "No answer: the solver did not load" : empty ? "No model, and so no answer" : "Not solved yet";
  const other = aside && !embedded &&
    html`<button type="button" class="plain" onClick=${() => lab.openAnswer(aside)}>Show the answer to “${aside.problem.name || "the model before"}”</button>`;
  return html`<${Head} headline=${headline} sentence=${
    engine.phase === "failed"
      ? engine.message
      : empty
      ? "The link could not be opened."
      : state.run
      ? "A moment…"
      : needsSentence(expected(state), Number(lab.settings().timeLimit ?? 0)) || "Press Solve, or edit the model: small ones are solved as you go."
  } foot=${other} />`;
}

/** The marks of the three tones; words say the same. @type {Record<string, string>} */
const marks = { good: "check", bad: "cross", open: "open_question" };

/** Where an answer comes from that was not found on this page. */
const elsewhere = { gallery: "Solved when this page was built", link: "Came with the link", saved: "Saved before" };

/** What is said of it, by what became of its check; an embed has no checker before it is run. @param {AnswerOf} answer @param {State["engine"]} engine @param {boolean} embedded */
function originWords({ source, result }, { phase }, embedded) {
  if (source === "run") return "";
  const from = elsewhere[source];
  if (!isUnchecked(result)) return source === "saved" ? "" : `${from}; checked here.`;
  return `${from}; ${phase === "failed" || (embedded && phase === "waiting") ? "running it here checks it" : "checked here in a moment"}.`;
}

/**
 * @param {{ lab: Lab, state: State, answer: AnswerOf, fresh: boolean, embedded: boolean }} props
 */
function Found({ lab, state, answer, fresh, embedded }) {
  const { problem, result } = answer;
  const { tone, headline, sentence } = verdict(problem, result);
  const feasible = isFeasible(result);
  const resumable = Boolean(state.runs.list.find((r) => r.id === answer.id)?.resumable);
  const origin = originWords(answer, state.engine, embedded);
  return html`<${Head} tone=${fresh ? tone : ""} mark=${fresh ? marks[tone] : undefined}
    headline=${
    fresh ? (isUnchecked(result) && answer.source !== "run" ? `${elsewhere[answer.source]}, not checked yet` : headline) : "Out of date: the model has changed"
  }
    objective=${feasible ? result.objective.value : null}
    figure=${html`<${Figure} problem=${problem} result=${result} />`}
    sentence=${
    fresh ? sentence : `Before the edit: ${headline.charAt(0).toLowerCase()}${headline.slice(1)}. ${state.live ? "" : "Press Solve for the model as it is."}`
  }
    interval=${
    hasBound(result) && feasible
      ? html`<${Interval} problem=${problem} value=${result.objective.value} bound=${boundOf(result.objective)} />`
      : fresh && !embedded && (result.leastViolation || result.status === "proved-infeasible") && html`<${Ways} lab=${lab} problem=${problem} />`
  }
    foot=${html`<span class="told">${origin || effort(result, lab.methodOf(answer.algorithm).title)}${saved(answer)}</span>${
    answer.saving === "" && !embedded && html` <button type="button" class="plain" onClick=${() => lab.saveAnswer(answer.id)}>Save this run</button>`
  }${resumable && !state.run && html` <button type="button" class="plain" onClick=${() => lab.resume(answer.id)}>Continue the search</button>`}`} />`;
}

/**
 * The number that matters most: the value of a feasible policy, or what the least violation is.
 * @param {{ problem: import("../rcmdp.js").Problem, result: import("../rcmdp.js").Result }} props
 */
function Figure({ problem, result }) {
  if (isFeasible(result)) {
    const { kind, kernels = [] } = problem.uncertainty;
    const kernel = kernels.length > 1 ? result.worst[0]?.kernel?.name : null;
    const scale = problem.objective.scale === "average" ? ", average per step" : "";
    return html`${number(result.objective.value)} <small>${valueWord(problem)} ${problem.objective.name}${scale}${
      kernel ? html`<br />under ${kernel}` : kind === "finite" ? "" : html`<br />${setPhrase(problem.uncertainty)}${supportPhrase(problem.uncertainty)}`
    }</small>`;
  }
  const worst = mostViolated(result.constraints);
  return html`${number(worst?.violation, 4)} <small>least violation found${worst ? `, of ${worst.name}` : ""}</small>`;
}

/** @param {import("../rcmdp.js").Constraint[]} constraints */
const mostViolated = (constraints) =>
  constraints.reduce(
    (/** @type {import("../rcmdp.js").Constraint | null} */ w, c) => (!w || (c.violation ?? -Infinity) > (w.violation ?? -Infinity) ? c : w),
    null,
  );

/** @param {AnswerOf} answer */
const saved = ({ saving }) => ({ saving: " · saving…", saved: " · saved", failed: " · kept in this tab only", "": "" }[saving]);

/** @param {{ lab: Lab, state: State, run: Running }} props */
function Searching({ lab, state, run }) {
  const { news, problem, ending } = run;
  const best = news?.best ?? null;
  const bound = news ? boundOf(news) : NaN;
  const feasible = best?.feasible === true;
  const headline = ending === "stop"
    ? feasible ? "Stopped with the best policy so far" : "Stopped before a feasible policy was found"
    : feasible
    ? isProving(news) ? "Feasible policy found, proving how good it is" : "Feasible policy found, still searching"
    : "Searching for a feasible policy…";
  const figure = !best
    ? html`<small>starting…</small>`
    : feasible
    ? html`${number(best.objective)} <small>${valueWord(problem)} ${problem.objective.name},<br />best so far</small>`
    : html`${number(best.maxViolation, 4)} <small>least violation so far</small>`;
  const sentence = Number.isFinite(bound)
    ? `Proved so far: no stationary policy is better than ${number(bound)}.`
    : "Nothing is proved yet of how good a policy can be.";
  return html`<${Head} tone=${feasible ? "good" : ""} headline=${headline} figure=${figure} sentence=${
    ending === "stop" ? "Closing the step it was in…" : sentence
  }
    interval=${feasible && Number.isFinite(bound) && html`<${Interval} problem=${problem} value=${best?.objective ?? NaN} bound=${bound} />`}
    foot=${html`<span class="live">${
    liveWords(news, run.problem === state.history.present.doc ? needs(expected(state)) : "")
  }</span> <button type="button" class="plain" onClick=${lab.cancel} title="Ends the run at once and keeps the answer before" data-cancel>Discard</button>`} />`;
}

/** @param {import("../rcmdp.js").Progress | null} news @param {string} needed what it is expected to take, if that is known */
function liveWords(news, needed) {
  const of = needed && `of ${needed}`;
  if (!news) return ["starting…", of].filter(Boolean).join(" ");
  return [
    isProving(news) ? "" : `step ${integer(news.k)}`,
    count(news.evaluations, "evaluation"),
    proofWords(news),
    [seconds(news.seconds), of].filter(Boolean).join(" "),
  ]
    .filter(Boolean).join(" · ");
}

/** @param {{ lab: Lab, crash: import("../lab/state.js").Crash }} props */
const Crash = ({ lab, crash }) =>
  html`<div class="crash" role="alert"><h3>The solver crashed</h3>
  <p>${crash.message} A new one has been started; your model and your saved runs are untouched.</p>
  ${crash.details.length > 0 && html`<details><summary>Details</summary><pre>${crash.details.join("\n")}</pre></details>`}
  <p class="row"><button type="button" onClick=${() =>
    lab.solve()}>Solve again</button><button type="button" class="plain" onClick=${lab.dismissCrash}>Close</button></p></div>`;
