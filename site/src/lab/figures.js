// @ts-check
// figures.js — the charts of a run, by what its method does: a search with a proof
// closes an interval from its starts, a method of outer steps walks, an exact one
// has nothing to draw. Pure.

import { extent } from "../picture/scale.js";
import { count, number, sentence } from "../words/format.js";
import { boundText, gapOf, valueWord } from "../words/words.js";
import { bestStep, steps } from "./trace.js";

/** @typedef {import("../picture/plot.js").Figure} Figure */
/** @typedef {import("../picture/plot.js").Tone} Tone */
/** @typedef {import("./trace.js").Trace} Trace */
/** @typedef {{ label: string, trace: Trace, algorithm: string }} Drawn */
/** @typedef {import("../rcmdp.js").Algorithm["shape"]} Shape */

/** @type {Tone[]} */
export const tones = ["main", "two", "three", "four", "five", "six"];

/**
 * @param {import("../rcmdp.js").Problem} problem
 * @param {Shape} shape of the method
 * @param {Trace | undefined} trace
 * @returns {{ figures: Figure[], why: string }} why: what to say when there is none
 */
export function figuresOf(problem, shape, trace) {
  const n = steps(trace);
  if (!trace || n === 0)
    return { figures: [], why: shape === "exact" || shape === "given" ? "This method takes no steps worth drawing." : "No steps were recorded." };
  if (shape === "search") {
    const figures = [closing(problem, trace), starts(problem, trace), proof(trace)].filter((f) => f !== null);
    const evaluated = count(trace.evaluations[n - 1], "policy", "policies");
    return {
      figures,
      why: keptIn(trace)
        ? `Solved at once, with ${evaluated} evaluated: there was nothing to close in on, and there is nothing to draw.`
        : `None of ${evaluated} that were evaluated keeps every limit: there is no value to close in on, and nothing to draw.`,
    };
  }
  if (n < 3)
    return {
      figures: [],
      why: n === 1 ? "One step led straight to the answer; there is nothing to draw." : "Two steps led to the answer; there is nothing to draw.",
    };
  const figures = [walkOfObjective(problem, trace), walkOfViolation(problem, trace), path(problem, trace)].filter((f) => f !== null);
  return { figures, why: "" };
}

/** @param {import("../rcmdp.js").Problem} problem */
const costName = (problem) => `${valueWord(problem)} ${problem.objective.name}`;
/** @param {import("../rcmdp.js").Problem} problem */
export const better = (problem) => (problem.objective.sense === "maximize" ? "more is better" : "less is cheaper");

/**
 * What a run's clock is: seconds, or evaluations when no clock ran.
 * @param {Trace} trace
 */
export function clockOf(trace) {
  const timed = trace.seconds && [...trace.seconds].some((s) => s > 0);
  return timed ? { xs: trace.seconds, label: "seconds" } : { xs: trace.evaluations, label: "policies evaluated" };
}

/** Whether any plan was found on the way that keeps every limit. @param {Trace} trace */
const keptIn = ({ bestObjective = [] }) => [...bestObjective].some(Number.isFinite);

/** What was proved at a step. @param {Trace} trace @param {number} i */
const told = (trace, i) => ({ lowerBound: trace.lowerBound?.[i], upperBound: trace.upperBound?.[i] });

/** The proved bound, whichever side it is on. @param {Trace} trace */
const boundsOf = (trace) => [trace.lowerBound, trace.upperBound].find((c) => c && [...c].some(Number.isFinite));

/**
 * A range that shows what matters: wide enough for the numbers, never so narrow
 * that rounding looks like movement.
 * @param {Iterable<number>} values @param {number} [pad] @returns {[number, number]}
 */
export function rangeOf(values, pad = 0.08) {
  const all = [...values].filter(Number.isFinite);
  const [lo, hi] = extent(all, pad) ?? [0, 1];
  const least = 1e-3 * Math.max(1e-12, ...all.map(Math.abs));
  const lack = least - (hi - lo);
  return lack > 0 ? [lo - lack / 2, hi + lack / 2] : [lo, hi];
}

/**
 * Best and bound over time, closing in.
 * @param {import("../rcmdp.js").Problem} problem @param {Trace} trace @returns {Figure | null}
 */
function closing(problem, trace) {
  const bound = boundsOf(trace);
  const { xs, label } = clockOf(trace);
  const best = trace.bestObjective;
  const seen = [...best].filter(Number.isFinite);
  if (!bound || seen.length === 0) return null;
  // What was proved with the first policy that was found has not closed in.
  const both = [...Array(steps(trace)).keys()].filter((i) => Number.isFinite(best[i]) && Number.isFinite(bound[i]));
  if (new Set(both.map((i) => xs[i])).size < 2) return null;
  const end = largest([...xs].filter(Number.isFinite));
  const y = rangeOf(inSight(seen, [...bound].filter(Number.isFinite)));
  const [lo, hi] = problem.objective.sense === "maximize" ? [best, bound] : [bound, best];
  return {
    id: "closing",
    title: "The interval closing in",
    says: `The best ${problem.objective.name} found and the value that is proved to be out of reach; the shaded part is still open.`,
    x: { label, domain: [0, end || 1] },
    y: { label: costName(problem), domain: y },
    marks: [
      { kind: "band", xs, lo: clampAll(lo, y), hi: clampAll(hi, y), steps: true },
      { kind: "line", xs, ys: clampAll(bound, y), tone: "bound", steps: true },
      { kind: "line", xs, ys: clampAll(best, y), tone: "main", steps: true },
    ],
    legend: [{ tone: "main", label: "best found" }, { tone: "bound", label: "proved: no plan is better" }, { tone: "band", label: "still open" }],
    head: [label, "best found", "proved bound"],
    rows: [...Array(steps(trace)).keys()].map((i) => [xs[i], best[i], bound[i]]),
    bound: { column: 2, side: problem.objective.sense === "maximize" ? 1 : -1 },
    points: {
      xs,
      words: (i) =>
        `${label === "seconds" ? `${number(xs[i], 3)} s` : `${number(xs[i])} evaluated`}: best ${number(best[i])}, bound ${boundText(told(trace, i))}`,
    },
  };
}

/** The first bound may be far below all that matters: the picture begins where the interval is ten times its end. @param {number[]} best @param {number[]} bound */
function inSight(best, bound) {
  const [b, l] = [best[best.length - 1], bound[bound.length - 1]];
  const room = Math.max(Math.abs(b - l) * 6, Math.abs(b) * 0.05);
  return [...best, ...bound].filter((v) => Math.abs(v - b) <= room || Math.abs(v - l) <= room);
}

/** @param {ArrayLike<number>} values @param {[number, number]} range */
const clampAll = (values, [lo, hi]) => Array.from(values, (v) => (Number.isFinite(v) ? Math.max(lo, Math.min(hi, v)) : NaN));

/**
 * Where the search ended from each of its starts, not joined: they have no order.
 * @param {import("../rcmdp.js").Problem} problem @param {Trace} trace @returns {Figure | null}
 */
function starts(problem, trace) {
  const rows = [...Array(steps(trace)).keys()].filter((i) => !(trace.nodes?.[i] > 0) && Number.isFinite(trace.objective[i]) && !repeats(trace, i));
  if (rows.length < 3) return null;
  const constrained = (problem.constraints ?? []).length > 0;
  const feasible = (/** @type {number} */ i) => !constrained || trace.maxViolation[i] <= 1e-9;
  const good = rows.filter(feasible);
  const bad = rows.filter((i) => !feasible(i));
  if (good.length === 0) return misses(trace, rows);
  const at = (/** @type {number[]} */ list) => list.map((i) => trace.objective[i]);
  const zero = (/** @type {number[]} */ list) => list.map(() => 0);
  /** @type {Figure["marks"]} */
  const marks = [{ kind: "dots", xs: at(bad), ys: zero(bad), tone: "bad", hollow: true, size: 4 }, {
    kind: "dots",
    xs: at(good),
    ys: zero(good),
    tone: "main",
    size: 4,
  }];
  return {
    id: "starts",
    title: `Where ${rows.length} starts ended`,
    says: `Each dot is the local optimum that one start led to${
      good.length > 1 ? `; ${atBest(at(good), problem.objective.sense === "maximize")} of ${rows.length} led to the best` : ""
    }. Dots far apart mean that the search has traps.`,
    x: { label: costName(problem), domain: rangeOf(at(rows), 0.05) },
    y: null,
    marks,
    legend: [
      { tone: /** @type {Tone} */ ("main"), label: constrained ? "keeps every limit" : "a start", dots: true },
      ...(bad.length > 0 ? [{ tone: /** @type {Tone} */ ("bad"), label: "breaks a limit", dots: true }] : []),
    ],
    head: ["start", costName(problem), "largest violation"],
    rows: rows.map((i) => [trace.k[i], trace.objective[i], trace.maxViolation[i]]),
  };
}

/**
 * Where the search ended when no start has led to a plan that keeps every limit: how far each is from one.
 * @param {Trace} trace @param {number[]} rows @returns {Figure}
 */
function misses(trace, rows) {
  const by = rows.map((i) => trace.maxViolation[i]);
  return {
    id: "starts",
    title: `Where ${rows.length} starts ended`,
    says: `Each dot is the plan that one start led to, by how much it misses a limit. None keeps every limit; the nearest misses one by ${
      number(-largest(by.map((v) => -v)), 3)
    }.`,
    x: { label: "largest violation", domain: withZero(rangeOf(by, 0.05)) },
    y: null,
    marks: [{ kind: "dots", xs: by, ys: by.map(() => 0), tone: "bad", hollow: true, size: 4 }],
    legend: [{ tone: "bad", label: "breaks a limit", dots: true }],
    head: ["start", "largest violation"],
    rows: rows.map((i) => [trace.k[i], trace.maxViolation[i]]),
  };
}

/** A run may have more steps than a call takes arguments. @param {number[]} xs */
const largest = (xs) => xs.reduce((a, x) => Math.max(a, x), -Infinity);

/** How many values are the best one, but for what a search leaves undone. @param {number[]} values @param {boolean} most */
function atBest(values, most) {
  const best = most ? largest(values) : -largest(values.map((v) => -v));
  return values.filter((v) => Math.abs(v - best) <= 1e-4 * Math.abs(best)).length;
}

/** A row that only says again what the row before it said. @param {Trace} trace @param {number} i */
const repeats = (trace, i) => i > 0 && trace.evaluations[i] === trace.evaluations[i - 1];

/**
 * How much of the proof is done: the share that is open as the work goes on.
 * @param {Trace} trace @returns {Figure | null}
 */
function proof(trace) {
  const bound = boundsOf(trace);
  if (!bound || !trace.nodes) return null;
  const rows = [...Array(steps(trace)).keys()].filter((i) => Number.isFinite(bound[i]) && Number.isFinite(trace.bestObjective[i]));
  const open = rows.map((i) => {
    const { share } = gapOf(trace.bestObjective[i], told(trace, i));
    return Number.isNaN(share) ? 100 : 100 * Math.min(1, share);
  });
  const boxes = rows.map((i) => trace.nodes[i]);
  if (rows.length < 3 || boxes[boxes.length - 1] < 2) return null;
  return {
    id: "proof",
    title: "The proof",
    says: "How much of the interval is open, against the boxes of policies that were worked through.",
    x: { label: "boxes worked through", domain: [0, boxes[boxes.length - 1] || 1], whole: true },
    y: { label: "open, % of the bound", domain: [0, Math.max(1e-9, Math.min(100, largest(open))) * 1.08] },
    marks: [{ kind: "line", xs: boxes, ys: open.map((v) => Math.min(v, 100)), tone: "main", steps: true }],
    legend: [{ tone: "main", label: "open, % of the bound" }],
    head: ["boxes", "open, %"],
    rows: rows.map((_, i) => [boxes[i], open[i]]),
    points: { xs: boxes, words: (i) => `${number(boxes[i])} boxes: ${number(open[i], 3)} % open` },
  };
}

// ---- methods of outer steps

/** @param {import("../rcmdp.js").Problem} problem @param {Trace} trace @returns {Figure | null} */
function walkOfObjective(problem, trace) {
  const constrained = (problem.constraints ?? []).length > 0;
  const at = bestStep(trace, problem.objective.sense === "maximize", constrained);
  const bound = boundsOf(trace);
  /** @type {Figure["marks"]} */
  const marks = [
    ...(bound ? [/** @type {const} */ ({ kind: "line", xs: trace.k, ys: bound, tone: "bound", steps: true })] : []),
    { kind: "line", xs: trace.k, ys: trace.objective, tone: "main" },
    ...dotsOf(trace.k, trace.objective),
    ...(at >= 0 ? [/** @type {const} */ ({ kind: "mark", x: trace.k[at], y: trace.objective[at], text: `best ${number(trace.objective[at])}` })] : []),
  ];
  return {
    id: "objective",
    title: `${sentence(problem.objective.name)} by step`,
    says: `The ${costName(problem)} of the policy of each outer step; ${better(problem)}.`,
    x: { label: "outer step", domain: stepRange(trace), whole: true },
    y: { label: costName(problem), domain: rangeOf([...trace.objective, ...(bound ?? [])]) },
    marks,
    legend: [{ tone: "main", label: "policy of the step" }, ...(bound ? [{ tone: /** @type {Tone} */ ("bound"), label: "proved: no plan is better" }] : [])],
    head: ["outer step", costName(problem), ...(bound ? ["proved bound"] : [])],
    rows: [...Array(steps(trace)).keys()].map((i) => [trace.k[i], trace.objective[i], ...(bound ? [bound[i]] : [])]),
    bound: { column: 2, side: problem.objective.sense === "maximize" ? 1 : -1 },
    points: { xs: trace.k, words: (i) => `step ${number(trace.k[i])}: ${number(trace.objective[i])}` },
  };
}

/** @param {import("../rcmdp.js").Problem} problem @param {Trace} trace @returns {Figure | null} */
function walkOfViolation(problem, trace) {
  if ((problem.constraints ?? []).length === 0) return null;
  const y = withZero(rangeOf(trace.maxViolation));
  return {
    id: "violation",
    title: "Largest violation by step",
    says: "How far the policy of each outer step breaks its limits; at or below 0 it keeps them.",
    x: { label: "outer step", domain: stepRange(trace), whole: true },
    y: { label: "largest violation", domain: y },
    marks: [
      { kind: "region", axis: "y", from: y[0], to: 0, label: "keeps every limit" },
      { kind: "line", xs: trace.k, ys: trace.maxViolation, tone: "main" },
      ...dotsOf(trace.k, trace.maxViolation),
    ],
    legend: [{ tone: "main", label: "policy of the step" }],
    head: ["outer step", "largest violation"],
    rows: [...Array(steps(trace)).keys()].map((i) => [trace.k[i], trace.maxViolation[i]]),
    points: { xs: trace.k, words: (i) => `step ${number(trace.k[i])}: violation ${number(trace.maxViolation[i], 3)}` },
  };
}

/** @param {import("../rcmdp.js").Problem} problem @param {Trace} trace @returns {Figure | null} */
function path(problem, trace) {
  if ((problem.constraints ?? []).length === 0) return null;
  const x = withZero(rangeOf(trace.maxViolation));
  const at = bestStep(trace, problem.objective.sense === "maximize", true);
  return {
    id: "path",
    title: `${sentence(problem.objective.name)} against violation`,
    says: "The same steps in the order they were taken: to the left of 0 a policy keeps every limit.",
    x: { label: "largest violation", domain: x },
    y: { label: costName(problem), domain: rangeOf(trace.objective) },
    marks: [
      { kind: "region", axis: "x", from: x[0], to: 0, label: "keeps every limit" },
      { kind: "line", xs: trace.maxViolation, ys: trace.objective, tone: "main" },
      ...dotsOf(trace.maxViolation, trace.objective),
      ...(at >= 0 ? [/** @type {const} */ ({ kind: "mark", x: trace.maxViolation[at], y: trace.objective[at], text: "best" })] : []),
    ],
    legend: [{ tone: "main", label: "steps in order" }],
    head: ["outer step", "largest violation", costName(problem)],
    rows: [...Array(steps(trace)).keys()].map((i) => [trace.k[i], trace.maxViolation[i], trace.objective[i]]),
    points: {
      xs: trace.maxViolation,
      words: (i) => `step ${number(trace.k[i])}: violation ${number(trace.maxViolation[i], 3)}, ${number(trace.objective[i])}`,
    },
  };
}

/** @param {ArrayLike<number>} xs @param {ArrayLike<number>} ys @returns {Figure["marks"]} */
const dotsOf = (xs, ys) => (xs.length <= 60 ? [{ kind: "dots", xs, ys, tone: "main" }] : []);
/** @param {Trace} trace @returns {[number, number]} */
const stepRange = (trace) => [trace.k[0], Math.max(trace.k[0] + 1, trace.k[trace.k.length - 1])];
/** @param {[number, number]} range @returns {[number, number]} */
function withZero([lo, hi]) {
  const edge = 0.08 * (Math.max(hi, 0) - Math.min(lo, 0));
  return [Math.min(lo, -edge), Math.max(hi, edge)];
}

// ---- several runs on one board

/**
 * The best found over time, of several runs of comparable models.
 * @param {string} name of the objective @param {Drawn[]} runs @returns {Figure | null}
 */
export function overlaid(name, runs) {
  const all = runs.filter((run) => steps(run.trace) > 0 && [...run.trace.bestObjective].some(Number.isFinite));
  if (all.length < 2) return null;
  const end = largest(all.flatMap((run) => [...clockOf(run.trace).xs].filter(Number.isFinite)));
  const { label } = clockOf(all[0].trace);
  return {
    id: "overlaid",
    title: "Best found over time",
    says: `The best ${name} that keeps every limit, as each run went on.`,
    x: { label, domain: [0, end || 1] },
    y: { label: name, domain: rangeOf(all.flatMap((run) => [...run.trace.bestObjective].filter(Number.isFinite))) },
    marks: all.map((run) => {
      const { xs } = clockOf(run.trace);
      const ys = [...run.trace.bestObjective];
      return { kind: "line", xs: [...xs, end], ys: [...ys, ys[ys.length - 1]], tone: tones[runs.indexOf(run) % tones.length], steps: true };
    }),
    legend: all.map((run) => ({ tone: tones[runs.indexOf(run) % tones.length], label: run.label })),
    head: ["run", label, name],
    rows: all.flatMap((run) => [...Array(steps(run.trace)).keys()].map((i) => [run.label, clockOf(run.trace).xs[i], run.trace.bestObjective[i]])),
  };
}
