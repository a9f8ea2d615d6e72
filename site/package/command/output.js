// @ts-check
// output.js — results as JSON lines and as tables for people, and progress on standard error.

import { boundIn, gapOf } from "../../src/words/words.js";
import { decisions, deedOf, merged, tableAt, planTables, whenOf } from "../../src/document/steps.js";

/** @typedef {import('../../src/rcmdp.js').Result} Result */
/** @typedef {import('../../src/rcmdp.js').Progress} Progress */

/** Columns are numbers in JSON too; what is undefined is null there. @param {string} _key @param {unknown} value */
function plain(_key, value) {
  return value instanceof Float64Array ? Array.from(value, (x) => (Number.isFinite(x) ? x : null)) : value;
}

/** One line of JSON. @param {unknown} value */
export const line = (value) => `${JSON.stringify(value, plain)}\n`;

/** Seven digits that mean something, and no zeros behind them. @param {number | null | undefined} x */
export function number(x) {
  if (x === null || x === undefined || Number.isNaN(x)) return "-";
  return String(Number(x.toPrecision(7)));
}

/** A proved bound in seven digits that are proved too. @param {Parameters<typeof gapOf>[1]} objective */
export const proved = (objective) => number(boundIn(objective, 7));

/** The gap as the page says it. @param {number | null} value @param {Parameters<typeof gapOf>[1]} objective */
const gap = (value, objective) => gapOf(value, objective).text.replace("\u202f", " ") || "-";

/** Columns as wide as their widest cell; numbers to the right, and a tab or a line end in a name is a space. @param {(string | number)[][]} rows */
export function aligned(rows) {
  const text = rows.map((row) => row.map((cell) => String(cell).replace(/\p{Cc}/gu, " ")));
  const widths = text.reduce((most, row) => row.map((cell, i) => Math.max(most[i] ?? 0, cell.length)), /** @type {number[]} */ ([]));
  const numeric = widths.map((_, i) => text.slice(1).every((row) => /^[-+]?[\d.]|^-$/.test(row[i] ?? "")));
  return text.map((row) => row.map((cell, i) => (numeric[i] ? cell.padStart(widths[i]) : cell.padEnd(widths[i]))).join("  ").trimEnd()).join("\n");
}

/** What each status says to a person. @type {Record<Result['status'], string>} */
const words = {
  "proved-optimal": "proved: no policy is better",
  bounded: "a policy that meets every limit, and a proved bound",
  feasible: "a policy that meets every limit; nothing is proved about its quality",
  "proved-infeasible": "proved: no policy meets the limits",
  "no-feasible-found": "no policy that meets the limits was found; that is no proof that there is none",
  stopped: "stopped; this is the best so far",
  failed: "the method could not run",
  unchecked: "it came from elsewhere, and nothing of it was checked here",
};

/**
 * A result as a table.
 * @param {string} name @param {Result} result
 * @param {{ states?: string[], actions?: string[] }} problem
 */
export function resultTable(name, result, problem) {
  const { objective: o } = result;
  const rows = [
    ["", "value", "bound", "gap", "limit", "slack"],
    [o.name || "objective", number(o.value), proved(o), gap(o.value, o), "", ""],
    ...result.constraints.map((c) => [c.name, number(c.value), "", "", `${c.sense === "atMost" ? "<=" : ">="} ${number(c.threshold)}`, number(c.slack)]),
  ];
  const { states = [], actions = [] } = problem;
  const steps = decisions(/** @type {any} */ (problem));
  const policy = steps > 0 && result.policy.length > 0 && states.length <= 50
    ? `\n\n${aligned(byTime(problem, result))}`
    : result.policy.length > 0 && result.policy.length <= 50
    ? `\n\n${
      aligned([
        ["policy", ...actions],
        ...tableAt(result.policy, 0).map((
          row,
          s,
        ) => [
          (states[s] ?? String(s)) + (result.reached?.[s] === false ? " (never reached)" : ""),
          ...row.map((p) => (p === 0 ? "." : number(Number(p.toPrecision(4))))),
        ]),
      ])
    }`
    : "";
  const warnings = result.warnings.map((warning) => `\nnote: ${warning}`).join("");
  return `${name}\n${result.status}: ${words[result.status]} (${result.algorithm}, ${number(Number(result.seconds.toPrecision(3)))} s)\n\n${
    aligned(rows)
  }${policy}${warnings}\n`;
}

/** The plan by state and step, steps that are alike merged. @param {any} problem @param {Result} result */
function byTime({ states, actions, horizon }, result) {
  const columns = merged(planTables(result.policy), /** @type {boolean[][] | undefined} */ (result.reached));
  return [
    ["policy", ...columns.map((c) => whenOf(c, horizon))],
    ...states.map((/** @type {string} */ name, /** @type {number} */ s) => [
      name,
      ...columns.map(({ rows }) => (rows[s] ? deedOf(actions, rows[s], (p) => number(Number(p.toPrecision(4)))) : "never reached")),
    ]),
  ];
}

/** Progress: one line that is written over on a terminal, else now and then a line. @param {boolean} quiet @param {string} label */
export function progress(quiet, label) {
  const terminal = process.stderr.isTTY === true;
  let last = 0;
  return {
    /** @param {string} text */
    say(text) {
      const now = performance.now();
      if (quiet || now - last < (terminal ? 100 : 2000)) return;
      last = now;
      process.stderr.write(terminal ? `\r\x1b[2K${label}: ${text}` : `${label}: ${text}\n`);
    },
    clear() {
      if (!quiet && terminal && last > 0) process.stderr.write("\r\x1b[2K");
    },
  };
}

/** @param {Progress} p */
export function progressText(p) {
  const best = p.best?.feasible ? number(p.best.objective) : "none yet";
  return `best ${best}${
    (p.lowerBound ?? p.upperBound) === null ? "" : `, bound ${proved(p)}, gap ${gap(p.best?.feasible ? p.best.objective : null, p)}`
  }, ${p.evaluations} evaluations, ${number(Number(p.seconds.toPrecision(3)))} s`;
}
