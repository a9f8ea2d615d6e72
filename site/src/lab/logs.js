// @ts-check
// logs.js — a pasted log as a table, the choices that an estimate leaves open, and what
// the episodes held out say of the plans. Pure.

import { extent } from "../picture/scale.js";
import { count, number, percent } from "../words/format.js";

/** @typedef {import("../rcmdp.js").LogTable} LogTable */
/** @typedef {import("../rcmdp.js").EstimateOptions} EstimateOptions */
/** @typedef {import("../picture/plot.js").Figure} Figure */

/** Longer logs are for the library: a page would stand still over them. */
export const MOST_CHARACTERS = 20_000_000;

/**
 * A log as it is pasted: columns by tab, semicolon or comma; quotes as in CSV; decimal
 * commas where commas do not separate. The first line names the columns.
 * @param {string} text
 * @returns {{ table: LogTable, message: "" } | { table: null, message: string }}
 */
export function parseLog(text) {
  const none = (/** @type {string} */ message) => ({ table: null, message });
  if (text.trim() === "") return none("Nothing is here yet.");
  if (text.length > MOST_CHARACTERS) return none("This log is too long for a page. Use the library in Node, or count the transitions first.");
  const head = text.slice(0, text.search(/\r?\n|$/));
  const mark = ["\t", ";", ","].find((m) => head.includes(m));
  if (!mark) return none("One column only: want names such as state, action, next, cost, separated by tabs, semicolons or commas.");
  const rows = cells(text.replace(/^\ufeff/, ""), mark);
  const [columns, ...body] = rows;
  if (body.length === 0) return none("There are names of columns and no rows below them.");
  const wrong = body.findIndex((r) => r.length !== columns.length);
  if (wrong >= 0) return none(`Line ${wrong + 2} has ${count(body[wrong].length, "cell")}; want ${columns.length}, as in the first line.`);
  const decimal = mark === "," ? (/** @type {string} */ c) => c : (/** @type {string} */ c) => (/^[+-]?\d+,\d+$/.test(c) ? c.replace(",", ".") : c);
  return { table: { columns: columns.map((c) => c.trim()), rows: body.map((r) => r.map((c) => decimal(c.trim()))) }, message: "" };
}

/** Rows of cells; empty lines are none. @param {string} text @param {string} mark */
function cells(text, mark) {
  /** @type {string[][]} */
  const rows = [];
  /** @type {string[]} */
  let row = [];
  let cell = "";
  let quoted = false;
  const endRow = () => {
    row.push(cell);
    cell = "";
    if (row.length > 1 || row[0].trim() !== "") rows.push(row);
    row = [];
  };
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quoted) {
      if (c !== "\"") cell += c;
      else if (text[i + 1] === "\"") cell += text[++i];
      else quoted = false;
    } else if (c === "\"" && cell.trim() === "") {
      quoted = true;
      cell = "";
    } else if (c === mark) {
      row.push(cell);
      cell = "";
    } else if (c === "\n") endRow();
    else if (c !== "\r") cell += c;
  }
  if (cell !== "" || row.length > 0) endRow();
  return rows;
}

/** The ways to make a set of counts, in the words of a choice. @type {{ id: import("../rcmdp.js").EstimateKind, title: string }[]} */
export const kinds = [
  { id: "l1", title: "L1 ball, holds for every sample size" },
  { id: "credible-l1", title: "L1 ball, Bayesian (tighter)" },
  { id: "interval", title: "Interval for each probability" },
  { id: "kl", title: "Relative entropy, for many tries" },
  { id: "chi2", title: "χ², for many tries" },
  { id: "posterior", title: "Samples of the posterior" },
  { id: "bootstrap", title: "Resampled episodes" },
  { id: "nominal", title: "No uncertainty: the frequencies alone" },
];

/**
 * @typedef {{
 *   kind: import("../rcmdp.js").EstimateKind, confidence: number, prior: string, samples: string, untried: string, successors: string, discount: number,
 *   objective: string, maximize: boolean, limits: Record<string, { side: "" | "atMost" | "atLeast", bound: number }>, heldOut: number, seed: number,
 * }} Choices prior and samples are texts: empty is the default of the kind
 */

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
  maximize: false,
  limits: {},
  heldOut: 0.25,
  seed: 1,
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
    name,
    ...(c.prior.trim() === "" ? {} : { prior: Number(c.prior.replace(",", ".")) }),
    ...(c.samples.trim() === "" ? {} : { samples: Number(c.samples) }),
    ...(c.successors === "" ? {} : { successors: c.successors }),
    ...(c.objective === "" ? {} : { objective: { column: c.objective, sense: c.maximize ? "maximize" : "minimize" } }),
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
