// @ts-check
// answer.js — draws the answer: what is known of the model in words and numbers, in
// a head whose rows keep their places from the search to the result, and the panels
// below it. Emits: saving, continuing, solving, opening another answer's model.

import { html } from "../view.js";
import { blockedBy, expected } from "../lab/state.js";
import { count, integer, number, seconds } from "../words/format.js";
import {
  boundOf,
  effort,
  hasBound,
  isFeasible,
  isProving,
  isUnchecked,
  maximizes,
  needs,
  needsSentence,
  proofWords,
  gapOf,
  boundText,
  overWords,
  planWord,
  valueWord,
  verdict,
} from "../words/words.js";
import { Interval } from "./interval.js";
import { deferred, Icon, toPanel } from "./parts.js";

const Ways = deferred(() => import("./ways.js"), "Ways", null);

/** @typedef {import("./parts.js").Lab} Lab */
/** @typedef {import("../lab/state.js").State} State */
/** @typedef {import("../lab/state.js").Answer} AnswerOf */
/** @typedef {import("../lab/state.js").Running} Running */

/**
 * @param {{ lab: Lab, state: State, panels: (props: any) => Content, embedded?: boolean, has?: (part: string) => boolean, onPlan?: (() => void) | null }} props
 *   panels: what is shown below the head; has: which of them may be; onPlan: brings the plan into sight
 */
export function Answer({ lab, state, panels, embedded = false, has = () => true, onPlan = () => toPanel(lab, "plan") }) {
  const { answer, fresh, aside } = lab.shown(state);
  const { doc, line } = state.history.present;
  // A run of another model, and one that follows an edit while an answer is there, leave the answer in its place.
  const run = state.run && !state.empty && state.run.ending !== "cancel" && state.run.line === line && !(state.run.auto === "live" && answer) &&
      !(state.run.auto && fresh)
    ? state.run
    : null;
  const busy = run !== null && run.ending === "";
  const stale = !run && answer !== null && !fresh && !state.turning;
  const problem = run?.problem ?? answer?.problem ?? doc;
  return html`<section class=${stale ? "answer stale" : "answer"} id="answer" tabindex="-1" aria-labelledby="answer-title" aria-busy=${
    busy ? "true" : undefined
  } data-fresh=${answer ? String(fresh) : undefined}>
    <h2 class="unseen" id="answer-title">Answer</h2>
    ${state.crash && html`<${Crash} lab=${lab} crash=${state.crash} />`}
    ${
    run
      ? html`<${Searching} lab=${lab} state=${state} run=${run} />`
      : answer
      ? html`<${Found} lab=${lab} state=${state} answer=${answer} fresh=${fresh} embedded=${embedded} onPlan=${onPlan} />`
      : html`<${Nothing} lab=${lab} state=${state} aside=${aside} embedded=${embedded} />`
  }
    ${state.opened && !state.empty && html`<${panels} ...${{ lab, state, problem, answer, fresh, run, embedded, has }} />`}
    ${answer && !run && fresh && html`<${Effort} lab=${lab} answer=${answer} origin=${originWords(answer, state.engine, embedded)} />`}
  </section>`;
}

/**
 * The head of the answer: rows that are as high while it is searched for as when it is there, so that nothing below moves. What is
 * still open between found and proved is drawn on the line below it. Where nothing can come of the model as it is no row is kept.
 * @param {{ tone?: string, mark?: string, kept?: boolean, headline: Content, figure?: Content, objective?: number | null, sentence?: Content, interval?: Content, next?: Content }} props
 */
const Head = ({ tone = "", mark, kept = true, headline, figure, objective, sentence, interval, next }) =>
  html`<div class=${`hero ${tone}`}>
    <p class="headline">${mark && html`<${Icon} name=${mark} />`}<span>${headline}</span></p>
    ${kept && html`<p class="figure" data-objective=${objective ?? undefined}>${figure}</p>`}
    <p class="sentence">${sentence}</p>
    <div class="next">${next}</div>
    <div class="rule">${interval}</div>
  </div>`;

/** @param {{ lab: Lab, state: State, aside: AnswerOf | null, embedded: boolean }} props */
function Nothing({ lab, state, aside, embedded }) {
  const { engine, empty } = state;
  const blocked = blockedBy(state);
  const headline = engine.phase === "failed" ? "No answer: the solver did not load" : empty ? "No answer: the link could not be opened" : "Not solved yet";
  const other = aside && !embedded &&
    html`<button type="button" class="plain flush" onClick=${() => lab.openAnswer(aside)}>Show the answer to “${
      aside.problem.name || "the model before"
    }”</button>`;
  return html`<${Head} headline=${headline} kept=${!blocked} sentence=${
    engine.phase === "failed"
      ? engine.message
      : blocked || state.run
      ? blocked || "A moment…"
      : needsSentence(expected(state), Number(lab.settings().timeLimit ?? 0)) || "Press Solve, or edit the model: small ones are solved as you go."
  } next=${other} />`;
}

/** The marks of the three tones; words say the same. @type {Record<string, string>} */
const marks = { good: "check", bad: "remove", open: "open_question" };

/** Where an answer comes from that was not found on this page. */
const elsewhere = { gallery: "Solved when this page was built", link: "Came with the link", saved: "Found before" };

/** What is said of it, by what became of its check; an embed has no checker before it is run. @param {AnswerOf} answer @param {State["engine"]} engine @param {boolean} embedded */
function originWords({ source, result }, engine, embedded) {
  if (source === "run") return "";
  const from = elsewhere[source];
  if (!isUnchecked(result)) return source === "saved" ? "" : `${from}; checked here.`;
  return `${from}; ${whenChecked(engine, embedded).toLowerCase()}`;
}

/** @param {State["engine"]} engine @param {boolean} embedded */
const whenChecked = (
  { phase },
  embedded,
) => (phase === "failed" || (embedded && phase === "waiting") ? "Running it here checks it." : "Checked here in a moment.");

/**
 * @param {{ lab: Lab, state: State, answer: AnswerOf, fresh: boolean, embedded: boolean, onPlan: (() => void) | null }} props
 */
function Found({ lab, state, answer, fresh, embedded, onPlan }) {
  const { problem, result } = answer;
  const { tone, headline, sentence } = verdict(problem, result);
  const feasible = isFeasible(result);
  const resumable = Boolean(state.runs.list.find((r) => r.id === answer.id)?.resumable);
  const open = isUnchecked(result);
  const before = `Before the edit: ${headline.charAt(0).toLowerCase()}${headline.slice(1)}. ${state.live ? "" : "Press Solve for the model as it is."}`;
  return html`<${Head} tone=${fresh ? tone : ""} mark=${fresh ? marks[tone] : undefined}
    headline=${
    fresh
      ? open && answer.source !== "run" ? `${elsewhere[answer.source]}, not checked yet` : headline
      : state.turning
      ? "Following the change…"
      : "Out of date: the model has changed"
  }
    objective=${feasible ? result.objective.value : null}
    figure=${html`<${Figure} problem=${problem} result=${result} />`}
    sentence=${fresh ? open ? sentence && whenChecked(state.engine, embedded) : sentence : state.turning ? "" : before}
    interval=${
    hasBound(result) && feasible && gapOf(result.objective.value, result.objective).share !== 0 &&
    html`<${Interval} value=${result.objective.value} objective=${result.objective} />`
  }
    next=${html`${
    result.policy.length > 0 && onPlan &&
    html`<a class="button" href="#answer-part" onClick=${(/** @type {Event} */ e) => {
      e.preventDefault();
      onPlan();
    }}>See the plan</a>`
  }${resumable && !state.run && html` <button type="button" class="plain" onClick=${() => lab.resume(answer.id)}>Continue the search</button>`}${
    fresh && !embedded && (result.leastViolation || result.status === "proved-infeasible") && html`<${Ways} lab=${lab} problem=${problem} />`
  }`} />`;
}

/** Where an answer is from, and what it took. @param {{ lab: Lab, answer: AnswerOf, origin: string }} props */
const Effort = ({ lab, answer, origin }) =>
  html`<p class="effort">${origin || effort(answer.result, lab.methodOf(answer.algorithm).title)}${saved(answer)}</p>`;

/**
 * The number that matters most: the value of a feasible policy, or what the least violation is.
 * @param {{ problem: import("../rcmdp.js").Problem, result: import("../rcmdp.js").Result }} props
 */
function Figure({ problem, result }) {
  if (isFeasible(result)) return html`${number(result.objective.value)} <small>${valueIn(problem)}</small>`;
  const worst = mostViolated(result.constraints);
  return html`${number(worst?.violation, 4)} <small>least violation found${worst ? `, of ${worst.name}` : ""}</small>`;
}

/** "money, worst case". @param {import("../rcmdp.js").Problem} problem */
const valueIn = (problem) =>
  `${problem.objective.name}${problem.objective.scale === "average" ? " a step" : ""}, ${
    valueWord(problem) === "penalised" ? "penalised" : overWords(problem.objective)
  }`;

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
    ? feasible ? "Stopped with the best plan so far" : "Stopped before a plan was found that keeps every limit"
    : feasible
    ? isProving(news) ? "A plan keeps every limit; proving how good it is" : "A plan keeps every limit; still searching"
    : "Searching for a plan that keeps every limit…";
  const figure = !best
    ? html`<small>starting…</small>`
    : feasible
    ? html`${number(best.objective)} <small>${valueIn(problem)}, best so far</small>`
    : html`${number(best.maxViolation, 4)} <small>least violation so far</small>`;
  const sentence = Number.isFinite(bound)
    ? `Proved so far: no ${planWord(problem)} ${maximizes(problem) ? "earns more" : "costs less"} than ${boundText(news)}.`
    : "Nothing is proved yet of how good a plan can be.";
  return html`<${Head} tone=${feasible ? "good" : ""} headline=${headline} figure=${figure} sentence=${
    ending === "stop" ? "Closing the step it was in…" : sentence
  }
    interval=${feasible && Number.isFinite(bound) && html`<${Interval} value=${best?.objective ?? NaN} objective=${news} />`}
    next=${html`<span class="live">${
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
