// @ts-check
// records.js — a saved run as the store keeps it, the fields, the problem's text and the packed result,
// and as a file of runs; and back. Pure.

import { faultOfRun } from "./claims.js";
import { encode, pack, RcmdpError, unpack } from "./message.js";

/** @typedef {import("../rcmdp.js").RunSummary} RunSummary */
/** @typedef {Partial<RunSummary> & { options?: Record<string, unknown> & { algorithm?: string, values?: number[] }, born?: number }} Fields born: drawn anew for each record, and in no file */
/** @typedef {{ id: string, rev: number, resumable: boolean, bytes: number, fields: Fields }} Row a record of the store */

const EXPORT_FORMAT = "rcmdp-runs/1";

/** @param {string | number | Date} date @returns {string} */
export function isoDate(date) {
  const d = new Date(date);
  if (Number.isNaN(d.getTime())) throw new RcmdpError("invalid-option", `created: got ${String(date)}; want a date, as text in ISO 8601 or in milliseconds.`);
  return d.toISOString();
}

/** @param {string} problem */
export function parseProblem(problem) {
  try {
    return JSON.parse(problem);
  } catch (cause) {
    throw new RcmdpError("invalid-problem", `The problem is not JSON: ${/** @type {Error} */ (cause).message}.`, { cause });
  }
}

/** @param {string} s */
export const text = (s) => new TextEncoder().encode(String(s));

/** What a run says of itself that is no claim. */
const plain = ["running", "stopped", "finished", "failed"];

/** @param {Row} row @param {boolean} judged what it claims was judged in this process @returns {RunSummary} */
export function summaryOf({ id, rev, resumable, bytes, fields: f }, judged) {
  const status = f.status ?? "running";
  return {
    id,
    rev,
    name: f.name ?? "",
    created: f.created ?? "",
    updated: f.updated ?? "",
    problemName: f.problemName ?? "",
    algorithm: f.algorithm ?? "",
    seed: f.seed ?? "",
    status: judged || plain.includes(status) ? status : "unchecked",
    feasible: f.feasible ?? null,
    objective: f.objective ?? null,
    maxViolation: f.maxViolation ?? null,
    resumable: resumable || (f.algorithm === "sweep" && f.status === "stopped"), // its points are in the result
    bytes,
  };
}

/** The trace travels and is kept as numbers, bit for bit. @param {{ trace?: Record<string, Float64Array> } & object} result */
export const packResult = ({ trace, ...rest }) => pack(encode(rest), trace ?? {});

/** @param {Uint8Array} bytes */
export function resultOf(bytes) {
  const { text: rest, columns } = unpack(bytes);
  return { ...JSON.parse(rest), trace: columns };
}

/** @param {string} _key @param {unknown} value */
const columnsAsLists = (_key, value) => value instanceof Float64Array ? Array.from(value) : value;

/** All runs as one file. @param {string} app @param {object[]} runs */
export const exportText = (app, runs) => JSON.stringify({ format: EXPORT_FORMAT, app, runs }, columnsAsLists);

/** @param {string} file @returns {any[]} what RunChanges are made of, of a file that may hold anything */
export function readExport(file) {
  let value;
  try {
    value = JSON.parse(file);
  } catch (cause) {
    throw new RcmdpError("invalid-option", `This is not a file of saved runs: ${/** @type {Error} */ (cause).message}.`, { cause });
  }
  if (value?.format !== EXPORT_FORMAT || !Array.isArray(value.runs)) {
    throw new RcmdpError("invalid-option", `This is not a file of saved runs: it should start with {"format": "${EXPORT_FORMAT}"}.`);
  }
  return value.runs.map((/** @type {any} */ run, /** @type {number} */ i) => {
    if (typeof run?.id !== "string" || typeof run.problem !== "object" || run.problem === null) {
      throw new RcmdpError("invalid-option", `Run ${i + 1} of the file has no id or no problem; nothing was imported.`);
    }
    if (run.result !== undefined && run.result !== null) {
      const fault = faultOfRun(run.problem, run.result);
      if (fault) throw new RcmdpError("invalid-option", `The result of run ${i + 1} of the file cannot be used: ${fault}; nothing was imported.`);
      const columns = Object.entries(run.result.trace ?? {}).filter(([, list]) => Array.isArray(list));
      const trace = Object.fromEntries(columns.map(([name, list]) => [name, Float64Array.from(list, (x) => (x === null ? NaN : Number(x)))]));
      return { ...run, result: { ...run.result, trace } };
    }
    return run;
  });
}
