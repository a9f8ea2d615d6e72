// @ts-check
// logs.js — a pasted log as a table, the choices that an estimate leaves open, and what
// the episodes held out say of the plans. Pure.

import { extent } from "../picture/scale.js";
import { count, number, percent } from "../words/format.js";

/** @typedef {import("../rcmdp.js").LogTable} LogTable */
/** @typedef {import("../rcmdp.js").EstimateOptions} EstimateOptions */
/** @typedef {import("../picture/plot.js").Figure} Figure */

/** The ways to make a set of counts, in the words of a choice; sampled: of which kernels are drawn. @type {{ id: import("../rcmdp.js").EstimateKind, title: string, sampled?: boolean }[]} */
export const kinds = [
  { id: "l1", title: "L1 ball, holds for every sample size" },
  { id: "credible-l1", title: "L1 ball, Bayesian (tighter)", sampled: true },
  { id: "interval", title: "Interval for each probability" },
  { id: "kl", title: "Relative entropy, for many tries" },
  { id: "chi2", title: "χ², for many tries" },
  { id: "posterior", title: "Samples of the posterior", sampled: true },
  { id: "bootstrap", title: "Resampled episodes", sampled: true },
  { id: "nominal", title: "No uncertainty: the frequencies alone" },
];

/** @param {string} kind */
export const isSampled = (kind) => kinds.some(({ id, sampled }) => id === kind && sampled);

/**
 * @typedef {{
 *   kind: import("../rcmdp.js").EstimateKind, confidence: number, prior: string, samples: string, untried: string, successors: string, discount: number,
 *   objective: string, sense: "minimize" | "maximize" | "", limits: Record<string, { side: "" | "atMost" | "atLeast", bound: number, typed?: boolean }>, heldOut: number, seed: number, initial: string,
 * }} Choices prior and samples are texts: empty is the default of the kind
 */

/**
 * Columns that can be the objective or have a limit, and what their names say of them: more or less is better.
 * @param {import("../rcmdp.js").LogColumns} columns @returns {{ name: string, sense: "minimize" | "maximize" | "" }[]}
 */
export const costColumns = ({ cost = [], reward = [], number: other = [] }) => [
  ...reward.map((name) => /** @type {const} */ ({ name, sense: "maximize" })),
  ...cost.map((name) => /** @type {const} */ ({ name, sense: "minimize" })),
  ...other.map((name) => /** @type {const} */ ({ name, sense: "" })),
];

/** What the log leaves to be said before anything is estimated: an objective and its sense. @param {Choices} c @param {import("../rcmdp.js").LogColumns} columns */
export function settled(c, columns) {
  const all = costColumns(columns);
  const only = all.length === 1 && all[0].sense !== "" ? all[0] : null;
  return all.length === 0 || only !== null || (all.some(({ name }) => name === c.objective) && c.sense !== "");
}

/** @returns {Choices} */
export const firstChoices = () => ({
  kind: "l1",
  confidence: 0.95,
  prior: "",
  samples: "",
  untried: "unavailable",
  successors: "",
  discount: 0.95,
  objective: "",
  sense: "",
  limits: {},
  heldOut: 0.25,
  seed: 1,
  initial: "",
});

/**
 * The choices as options of `estimate`; without what is held out, which is for judging.
 * @param {Choices} c @param {string} name
 * @returns {EstimateOptions}
 */
export function optionsOf(c, name) {
  const constraints = Object.entries(c.limits).flatMap(([column, { side, bound }]) => (side && column !== c.objective ? [{ column, [side]: bound }] : []));
  return /** @type {EstimateOptions} */ ({
    kind: c.kind,
    confidence: c.confidence,
    untried: c.untried,
    discount: c.discount,
    seed: c.seed,
    ...(name === "" ? {} : { name }),
    ...(c.initial === "" ? {} : { initial: c.initial }),
    ...(c.prior.trim() === "" ? {} : { prior: Number(c.prior.replace(",", ".")) }),
    ...(c.samples.trim() === "" ? {} : { samples: Number(c.samples) }),
    ...(c.successors === "" ? {} : { successors: c.successors }),
    ...(c.objective === "" ? {} : { objective: { column: c.objective, ...(c.sense === "" ? {} : { sense: c.sense }) } }),
    constraints,
  });
}

/**
 * What a column came to in the logs, as a discounted total: a limit of that much asks for
 * no more, or no less, than was done before.
 * @param {LogTable} table @param {string} column @param {number} discount
 */
export function asLogged(table, column, discount) {
  const at = table.columns.indexOf(column);
  const values = table.rows.flatMap((row) => (String(row[at] ?? "") !== "" && Number.isFinite(Number(row[at])) ? [Number(row[at])] : []));
  const mean = values.reduce((sum, x) => sum + x, 0) / Math.max(1, values.length);
  return Number((mean / (1 - discount)).toPrecision(3));
}

/** The plans that are judged: the nominal one, and robust ones at several confidences. */
export const judged = [null, 0.5, 0.8, 0.9, 0.95, 0.99];

/**
 * What one plan promised and what the held-out episodes say of it, cost by cost.
 * @typedef {{ confidence: number | null, costs: { name: string, promised: number, observed: number, resampled: number[], threshold: number | null, sense: "atMost" | "atLeast" }[] }} Verdict
 *   sense: which side of the objective, or of a limit, is the good one
 */

/** @param {Verdict} v */
const labelOf = (v) => (v.confidence === null ? "nominal" : percent(v.confidence));

/**
 * One cost of every plan: what was promised beside what was seen.
 * @param {Verdict[]} verdicts in the order of `judged`
 * @param {number} n
 * @returns {Figure | null}
 */
export function judgeFigure(verdicts, n) {
  const of = verdicts.map((v) => v.costs[n]);
  if (of.length === 0) return null;
  const { name, threshold, sense } = of[0];
  const xs = verdicts.map((v) => 100 * (v.confidence ?? 0));
  const [low, high] = [0.05, 0.95].map((q) => of.map((c) => quantile(c.resampled, q)));
  const promised = of.map((c) => c.promised);
  const observed = of.map((c) => c.observed);
  const range = extent([...promised, ...observed, ...low, ...high, ...(threshold === null ? [] : [threshold])], 0.1) ?? [0, 1];
  const better = sense === "atLeast" ? 1 : -1;
  const kept = of.filter((c) => (n === 0 ? better * (c.observed - c.promised) >= 0 : !beyond(c.observed, c)));
  const promising = of.filter((c) => !beyond(c.promised, c));
  return {
    id: `judged-${n}`,
    title: n === 0 ? `${name}: promised and observed` : `Limit on ${name}: promised and observed`,
    says: n === 0
      ? `A plan that keeps its promise is observed on the better side of it: ${kept.length} of ${count(verdicts.length, "plan")} did.`
      : `${promising.length} of ${count(verdicts.length, "plan")} promise to meet the limit; on the held-out episodes ${kept.length} do.`,
    x: { label: "confidence of the set, %; 0 is the nominal plan", domain: [-3, 102] },
    y: { label: name, domain: range },
    marks: [
      ...(threshold === null
        ? []
        : [
          /** @type {const} */ ({
            kind: "region",
            axis: "y",
            ...(sense === "atLeast" ? { from: range[0], to: threshold } : { from: threshold, to: range[1] }),
            label: "beyond the limit",
            bad: true,
          }),
        ]),
      { kind: "band", xs, lo: low, hi: high },
      { kind: "line", xs, ys: promised, tone: "two" },
      { kind: "dots", xs, ys: promised, tone: "two", size: 4 },
      { kind: "line", xs, ys: observed, tone: "main" },
      { kind: "dots", xs, ys: observed, tone: "main", size: 4 },
    ],
    legend: [
      { tone: "two", label: "promised: the worst case in the set", dots: true },
      { tone: "main", label: "observed in the episodes held out", dots: true },
      { tone: "band", label: "nine in ten of their resamples" },
    ],
    head: ["plan", "promised", "observed", "resamples from", "to", ...(threshold === null ? [] : ["limit"])],
    rows: verdicts.map((v, i) => [labelOf(v), promised[i], observed[i], low[i], high[i], ...(threshold === null ? [] : [threshold])]),
    points: { xs, words: (i) => `${labelOf(verdicts[i])}: promised ${number(promised[i])}, observed ${number(observed[i])}` },
  };
}

/** @param {number} value @param {Verdict["costs"][number]} c */
const beyond = (value, { threshold, sense }) =>
  threshold !== null && (sense === "atLeast" ? value < threshold : value > threshold) && Math.abs(value - threshold) > 1e-7 * Math.max(1, Math.abs(threshold));

/** @param {number[]} values @param {number} q */
export function quantile(values, q) {
  const all = values.filter(Number.isFinite).toSorted((a, b) => a - b);
  return all.length === 0 ? NaN : all[Math.min(all.length - 1, Math.max(0, Math.ceil(q * all.length) - 1))];
}
