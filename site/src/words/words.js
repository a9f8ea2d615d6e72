// @ts-check
// words.js — what a result means, in sentences. Pure. Nothing here says that a
// policy is the best there is unless the status is proved-optimal.

import { decisions } from "../document/steps.js";
import { bytes, calm, count, integer, number, percent, roughly, seconds, sided, towards } from "./format.js";

/**
 * @typedef {"good" | "bad" | "open" | ""} Tone good: a feasible policy; bad: proved that there is none; open: not settled; none: not checked here
 * @typedef {{ tone: Tone, headline: string, sentence: string }} Verdict
 */

/**
 * Where the plan was checked: "in all 3 models of the world".
 * @param {Doc} problem
 */
export function inWhat(problem) {
  const { kernels, evaluator } = problem?.uncertainty ?? {};
  if (kernels) {
    if (isAveraged(problem)) return "over the models as asked for";
    const n = kernels.length;
    return n === 1 ? "in the one model of the world" : n === 2 ? "in both models of the world" : `in all ${n} models of the world`;
  }
  if (isPenalised(problem)) return evaluator === "paper" ? "under the paper's KL update" : "under the KL penalty";
  return "in every model of the set";
}

/**
 * @param {Doc} problem
 */
export const maximizes = (problem) => problem?.objective?.sense === "maximize";

/** Whether nature pays for what it picks, so that values are no model's. @param {Doc} problem */
export const isPenalised = (problem) => problem?.uncertainty?.temperature !== undefined;

/**
 * What kind of value it is: the worst over a set, an average over the models of a list, or one with a
 * penalty in it, which no model of any set has.
 * @param {Doc} problem
 */
export const valueWord = (problem) => isPenalised(problem) ? "penalised" : { worst: "worst-case", mean: "mean", tail: "tail-mean" }[overOf(problem?.objective)];

/** What a cost comes to over the models. @param {{ over?: unknown } | undefined} cost @returns {"worst" | "mean" | "tail"} */
export const overOf = (cost) => {
  const share = shareOf(cost);
  return share === 0 ? "worst" : share === 1 ? "mean" : "tail";
};

/** The share of the models that a cost is averaged over, the worst first: 0 is the worst alone. @param {{ over?: unknown } | undefined} cost */
export function shareOf(cost) {
  const over = cost?.over;
  if (over === "mean") return 1;
  const share = typeof over === "object" && over !== null ? /** @type {{ cvar?: unknown }} */ (over).cvar : 0;
  return typeof share === "number" ? share : 0;
}

/** "worst case", "mean over the models", "mean over the worst 10 % of the models". @param {{ over?: unknown } | undefined} cost */
export const overWords = (cost) =>
  ({ worst: "worst case", mean: "mean over the models", tail: `mean over the worst ${percent(shareOf(cost))} of the models` })[overOf(cost)];

/** What is spoken of: plans, or those of one action in each state alone. @param {Doc} problem */
export const planWord = (problem) => (problem?.policies === "deterministic" ? "plan of one action a state" : "plan");

/** "discount 0.95", or that there is none; "24 decisions", with a discount or without. @param {Doc} problem */
export function discountWords(problem) {
  const steps = decisions(problem ?? {});
  const discount = problem?.discount === 1 ? "no discount" : `discount ${number(problem?.discount, 6)}`;
  return steps === 0 ? discount : problem?.discount === 1 ? count(steps, "decision") : `${count(steps, "decision")}, ${discount}`;
}

/** What a cost is counted as: "discounted total", "average per step", "total of an episode". @param {Doc} problem @param {{ scale?: string } | undefined} cost */
export const scaleWords = (problem, cost) =>
  cost?.scale === "average"
    ? "average per step"
    : decisions(problem ?? {}) > 0
    ? `${problem?.discount === 1 ? "" : "discounted "}total over ${count(decisions(problem), "decision")}`
    : problem?.discount === 1
    ? "total of an episode"
    : "discounted total";

/** So many steps a state are more than a plan takes that goes straight to an end. */
const MANY = 1e4;

/**
 * " An episode takes 5.7 steps on average, at the worst." Where these are very many, a plan that waits less would cost more.
 * @param {Doc} problem @param {Partial<import("../rcmdp.js").Result>} result
 */
export function stepsWords(problem, result) {
  const steps = result?.steps;
  if (typeof steps !== "number") return "";
  const shown = steps < 1e4 ? number(steps, 4) : integer(Math.round(steps));
  const known = problem?.uncertainty?.kernels?.length === 1;
  const slow = steps > MANY * problem.states.length ? " Such values may only be approached, by plans that wait ever longer." : "";
  return ` An episode takes ${shown} ${shown === "1" ? "step" : "steps"} on average${known ? "" : ", at the worst"}.${slow}`;
}

/** Whether some cost is averaged over the models. @param {Doc} problem */
export const isAveraged = (problem) => [problem?.objective, ...(problem?.constraints ?? [])].some((c) => overOf(c) !== "worst");

/** What it holds in, of a plan that keeps every limit. @param {Doc} problem @param {Partial<import("../rcmdp.js").Result>} result */
const holds = (problem, result) => `${result.constraints?.length ? "Holds" : "Judged"} ${inWhat(problem)}`;

/** How good a plan can be, as far as that is proved; "" where nothing is. @param {Doc} problem @param {Partial<import("../rcmdp.js").Result>} result */
const proved = (problem, result) =>
  hasBound(result) ? `Proved: no ${planWord(problem)} ${verb(problem)} ${maximizes(problem) ? "more" : "less"} than ${boundText(result.objective)}.` : "";

const NOT_PROVED = "How close that is to the best possible is not proved.";

/** What a result means, by its status. @type {Map<string | undefined, (problem: Doc, result: Partial<import("../rcmdp.js").Result>) => Verdict>} */
const verdicts = new Map(Object.entries({
  "proved-optimal": (problem, result) => ({
    tone: "good",
    headline: `${holds(problem, result)}, and no ${planWord(problem)} ${beats(problem)}`,
    sentence: `Proved: its certificate passed an independent check.${stepsWords(problem, result)}`,
  }),
  bounded: (problem, result) => ({
    tone: "good",
    headline: `${holds(problem, result)}${within(problem, result)}`,
    sentence: `${proved(problem, result)}${stepsWords(problem, result)}`,
  }),
  feasible: (problem, result) => ({ tone: "good", headline: holds(problem, result), sentence: `${NOT_PROVED}${stepsWords(problem, result)}` }),
  "proved-infeasible": (problem, result) => ({
    tone: "bad",
    headline: `No ${planWord(problem)} keeps every limit ${inWhat(problem)}`,
    sentence: `Proved by a checked certificate.${least(problem, result)}`,
  }),
  "no-feasible-found": (problem, result) => ({
    tone: "open",
    headline: "No plan was found that keeps every limit",
    sentence: `And not proved impossible.${least(problem, result)}`,
  }),
  stopped: (problem, result) =>
    isFeasible(result)
      ? {
        tone: "good",
        headline: `${holds(problem, result)}${within(problem, result)}`,
        sentence: `Stopped early, with the best plan so far. ${proved(problem, result) || NOT_PROVED}`,
      }
      : { tone: "open", headline: "Stopped before a plan was found that keeps every limit", sentence: `Not proved impossible.${least(problem, result)}` },
  unchecked: (problem, result) => ({
    tone: "",
    headline: "Not checked here yet",
    sentence: isFeasible(result)
      ? `This plan is said to have a ${valueWord(problem)} ${problem?.objective?.name || "objective"} of ${
        number(result.objective?.value)
      }. Nothing of it has been checked in this page.`
      : "It came without a plan that is said to keep every limit.",
  }),
  failed: (_, result) => ({ tone: "open", headline: "The method could not run", sentence: (result.warnings ?? []).join(" ") || "It gave no reason." }),
}));

/**
 * What a result means: a headline, and one line of what is proved of it. No word of the headline needs explaining.
 * @param {Doc} problem
 * @param {Partial<import("../rcmdp.js").Result>} result
 * @returns {Verdict}
 */
export const verdict = (problem, result) => verdicts.get(result?.status)?.(problem, result) ?? { tone: "open", headline: "No answer yet", sentence: "" };

/** How far the solver has come: "loading the solver, 120 kB of 1 MB". @param {{ phase: string, loaded: number, total: number | null }} engine */
export function loadingWords({ phase, loaded, total }) {
  if (phase === "compile") return "preparing the solver";
  return loaded > 0 ? `loading the solver, ${bytes(loaded)}${total ? ` of ${bytes(total)}` : ""}` : "loading the solver";
}

/** Whether nothing of it was checked in this page: then it says what it says, and no word of ours claims it. @param {{ status?: string } | null | undefined} result */
export const isUnchecked = (result) => result?.status === "unchecked";

/** What no plan does that is worse than the one found. @param {Doc} problem */
const beats = (problem) => (maximizes(problem) ? "earns more" : "is cheaper");

/** ", at most 0.7 % above the cheapest". @param {Doc} problem @param {Partial<import("../rcmdp.js").Result>} result */
function within(problem, { objective }) {
  const { text } = gapOf(objective?.value, objective);
  return text === "" || text === NO_GAP ? "" : `, at most ${text} ${maximizes(problem) ? "below the best" : "above the cheapest"}`;
}

/**
 * @param {Partial<import("../rcmdp.js").Result> | null | undefined} result
 */
export function isFeasible(result) {
  if (typeof result?.feasible === "boolean") return result.feasible;
  if (["feasible", "bounded", "proved-optimal"].includes(result?.status ?? "")) return true;
  if (result?.status !== "stopped") return false;
  return Number.isFinite(result.objective?.value) && (result.constraints ?? []).every((c) => Number(c.violation) <= slackFor(c));
}

/**
 * A violation this small is rounding: a run counts it as none.
 * @param {{ threshold: number }} c
 */
export const slackFor = (c) => 1e-9 * Math.max(1, Math.abs(c.threshold));

/**
 * The proved limit of what any policy can reach: a lower bound for who minimises,
 * an upper one for who maximises; NaN when nothing is proved.
 * @param {{ lowerBound?: number | null, upperBound?: number | null } | null | undefined} objective of a result, or a progress record
 * @returns {number}
 */
export const boundOf = (objective) => [objective?.lowerBound, objective?.upperBound].find(Number.isFinite) ?? NaN;

/** @param {Partial<import("../rcmdp.js").Result>} result */
export const hasBound = (result) => Number.isFinite(boundOf(result?.objective));

/**
 * How far a value can at most be from the best possible: its distance to the proved bound, never on the wrong
 * side of it, as a share of the bound (the only base for which "at most so much above the cheapest" is true).
 * Every sentence, cell and file that speaks of a gap has its words from here. share is NaN where no bound is known, or where
 * the bound is zero, of another sign or so much nearer to zero that a share says nothing: then text is the distance itself. Digits are rounded up.
 * @param {number | null | undefined} value
 * @param {{ lowerBound?: number | null, upperBound?: number | null } | null | undefined} objective of a result, or a progress record
 * @returns {{ share: number, text: string }} "0.73 %", "0.02", NO_GAP, or "" where nothing is known
 */
export function gapOf(value, objective) {
  const bound = boundOf(objective);
  if (typeof value !== "number" || !Number.isFinite(value) || !Number.isFinite(bound)) return { share: NaN, text: "" };
  const gap = Number.isFinite(objective?.lowerBound) ? value - bound : bound - value;
  if (gap <= 1e-9 * Math.max(Math.abs(value), Math.abs(bound))) return { share: 0, text: NO_GAP };
  const share = value * bound > 0 ? gap / Math.abs(bound) : Infinity;
  return share > 10 ? { share: NaN, text: number(roundedUp(gap), 2) } : { share, text: percent(roundedUp(share)) };
}

/** To two digits, never down. @param {number} x from 0 */
export const roundedUp = (x) => towards(x, 2, 1);

/**
 * A proved bound in the digits that are printed, which are proved too: a lower one rounded down, an upper one up.
 * @param {{ lowerBound?: number | null, upperBound?: number | null } | null | undefined} objective
 */
export const boundText = (objective) => sided(boundOf(objective), 5, sideOf(objective));

/** The side on which a bound stays proved. @param {Parameters<typeof boundText>[0]} objective @returns {-1 | 1} */
const sideOf = (objective) => (Number.isFinite(objective?.lowerBound) ? -1 : 1);

/** A proved bound in so many digits, on the side that is proved. @param {Parameters<typeof boundText>[0]} objective @param {number} digits */
export const boundIn = (objective, digits) => towards(boundOf(objective), digits, sideOf(objective));

/** Whether a run is at its proof. @param {Pick<import("../rcmdp.js").Progress, "nodes" | "openNodes"> | null | undefined} news */
export const isProving = (news) => (news?.openNodes ?? 0) > 0;

/**
 * How far a proof is, by the boxes of its tree; empty while there is none.
 * @param {Pick<import("../rcmdp.js").Progress, "nodes" | "openNodes" | "secondsLeft">} news
 */
export function proofWords({ nodes, openNodes, secondsLeft }) {
  if (!(nodes > 0) && !(openNodes > 0)) return "";
  const open = openNodes > 0 ? `${integer(openNodes)} open` : "";
  return [`${count(nodes, "box", "boxes")} worked through`, open, leftWords(secondsLeft)].filter(Boolean).join(", ");
}

/** "about 20 s to close them"; empty when that is not known. @param {number | null | undefined} secondsLeft */
export const leftWords = (secondsLeft) =>
  typeof secondsLeft === "number" && Number.isFinite(secondsLeft) && secondsLeft > 0 ? `about ${roughly(secondsLeft)} to close what is open` : "";

/**
 * What a run on a large model is expected to need: "about 20 s and 45 MB of memory"; empty for a small one, whose time nobody can tell.
 * @param {{ seconds: number, bytes: number } | null | undefined} summary
 */
export const needs = (summary) => summary && summary.seconds > 0 ? `about ${roughly(summary.seconds)} and ${bytes(summary.bytes)} of memory` : "";

/**
 * The same as a sentence, with what ends the run before: "A run takes about 2 min and 180 MB of memory; the time limit ends it after
 * 30 s with the best policy by then."
 * @param {{ seconds: number, bytes: number } | null | undefined} summary
 * @param {number} limit seconds; 0 is none
 */
export function needsSentence(summary, limit) {
  const what = needs(summary);
  if (what === "") return "";
  const cut = limit > 0 && limit < (summary?.seconds ?? 0) ? `; the time limit ends it after ${roughly(limit)} with the best policy by then` : "";
  return `A run takes ${what}${cut}.`;
}

/** @param {Doc} problem */
const verb = (problem) => (maximizes(problem) ? "earns" : "costs");

/** What is said of a gap that is closed. */
export const NO_GAP = "no gap";

/**
 * Which limit stands in the way, by how much, and what would be enough.
 * @param {import("../rcmdp.js").Problem} problem
 * @param {Partial<import("../rcmdp.js").Result>} result
 */
function least(problem, result) {
  const constraints = result.constraints ?? [];
  const known = constraints.filter((c) => c.violation !== null && Number.isFinite(c.violation));
  if (known.length === 0) return "";
  const worst = known.reduce((w, c) => ((c.violation ?? 0) > (w.violation ?? 0) ? c : w));
  const { sign, words } = limitOf(problem.constraints?.find((c) => c.name === worst.name));
  const allowed = sign === "≥" ? "asked for" : "allowed";
  const found = ` The nearest plan has ${valueWord(problem)} ${worst.name} of ${number(worst.value, 4)}; ${words} ${number(worst.threshold, 4)} is ${allowed}.`;
  const proved = result.leastViolation ?? 0;
  if (!(proved > 0)) return found;
  // With one limit the least violation says what that limit would have to be.
  if (constraints.length === 1) {
    const side = sign === "≥" ? 1 : -1;
    const needed = worst.threshold - side * proved;
    const most = calm(needed, Math.max(Math.abs(worst.threshold), Math.abs(worst.value ?? 0))) || needed === 0
      ? sided(needed, 4, side)
      : `0, to within ${number(towards(Math.abs(needed), 1, 1), 1)},`;
    return ` ${worst.name}: ${sign === "≥" ? `no more than ${most} can be reached` : `at least ${most} is needed`}, ${
      number(worst.threshold, 4)
    } is ${allowed}; ${number(worst.value, 4)} is known to be enough.`;
  }
  return `${found} Every ${planWord(problem)} breaks some limit by ${number(proved, 3)} or more.`;
}

/**
 * One line about the search behind an answer: method, effort, time, and what the run says of its time limit.
 * @param {Partial<import("../rcmdp.js").Result>} result
 * @param {string} title of the method
 */
export function effort(result, title) {
  const parts = [
    title,
    Number(result.evaluations) > 0 && count(Number(result.evaluations), "evaluation"),
    Number.isFinite(result.seconds) && seconds(result.seconds),
  ];
  const ended = result.warnings?.find((w) => w.startsWith("Ended by the time limit"));
  return parts.filter(Boolean).join(" · ") + (ended ? `. ${ended}` : "");
}

/**
 * The limit in words and sign.
 * @param {Limit | undefined} constraint of the document
 */
export const limitOf = (constraint) =>
  constraint?.atLeast !== undefined
    ? { sign: "≥", words: "at least", threshold: constraint.atLeast }
    : { sign: "≤", words: "at most", threshold: constraint?.atMost };

/**
 * What a run is called before a person names it: "Machine repair: EpiRC-PGS, downtime ≤ 2.5".
 * @param {import("../rcmdp.js").Problem} problem
 * @param {string} title of the method
 */
export function runName(problem, title) {
  const limits = problem.constraints ?? [];
  const few = limits.slice(0, 2).map((c) => `${c.name} ${limitOf(c).sign} ${number(limitOf(c).threshold)}`);
  if (limits.length > few.length) few.push(`${count(limits.length - few.length, "more limit")}`);
  return `${problem.name || "Untitled model"}: ${[title, ...few].join(", ")}`;
}

/** What is said aloud at the milestones of a run. @type {Record<string, (problem: Doc, news: any) => string>} */
const milestones = {
  start: (problem) => `Solving ${problem?.name ?? "the model"}.`,
  feasible: (problem, news) => `First plan found that keeps every limit, ${valueIn(problem, news?.best?.objective)}.`,
  done: (problem, news) => {
    const { headline, sentence } = verdict(problem, news);
    return `${headline}${isFeasible(news) ? `, ${valueIn(problem, news?.objective?.value)}` : ""}. ${sentence} ${integer(news?.evaluations)} evaluations, ${
      seconds(news?.seconds)
    }.`;
  },
  failed: (_, news) => `The run failed. ${news?.message ?? ""}`,
};

/** "worst-case cost 12.4". @param {Doc} problem @param {number | null | undefined} value */
const valueIn = (problem, value) => `${valueWord(problem)} ${problem?.objective?.name || "objective"} ${number(value)}`;

/**
 * What to say aloud at a milestone of a run.
 * @param {"start" | "feasible" | "done" | "failed"} event
 * @param {Doc} problem
 * @param {any} [news] progress or result
 */
export const announcement = (event, problem, news) => milestones[event](problem, news);
