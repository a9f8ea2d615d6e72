// @ts-check
// merge.js — result lines of several files put together: each job once, in one order.

import { UsageError } from "./arguments.js";
import { codes } from "./ending.js";
import { read, readDocument } from "./files.js";
import { readJobs, readLine } from "./batch.js";
import { line } from "./output.js";

/** @typedef {import('./arguments.js').Call} Call */
/** @typedef {import('../../src/rcmdp.js').Solver} Solver */

/** @typedef {{ id: string, hash: string, result?: any, error?: any, text: string }} Found a line that batch wrote */

/** Numbers in ids count as numbers: job 10 comes after job 9. */
const natural = new Intl.Collator("en", { numeric: true });

/** @param {Call} call @param {(workers?: number) => Promise<Solver>} open */
export async function merge(call, open) {
  /** By id and content; a result is kept rather than a failure. @type {Map<string, Found>} */
  const found = new Map();
  for (const file of call.files) {
    for (const [i, text] of read(file).split("\n").entries()) {
      if (text.trim() === "") continue;
      const where = `${file}, line ${i + 1}`;
      const value = readLine(text, where);
      const key = `${value.id} ${value.hash}`;
      if (!found.has(key) || (found.get(key)?.error && value.result)) found.set(key, { ...value, text: text.trim() });
    }
  }
  const lines = [...found.values()];
  if (typeof call.flags.jobs !== "string") {
    if (call.flags.runs) throw new UsageError("--runs needs --jobs, because result lines do not carry their problems.");
    lines.sort((a, b) => natural.compare(a.id, b.id) || (a.hash < b.hash ? -1 : 1));
    for (const { text } of lines) process.stdout.write(`${text}\n`);
    process.stderr.write(`nothing was checked: ${lines.length} lines stand as they were written; --jobs FILE checks each result against its job\n`);
    return codes.proved;
  }
  let solver = null;
  const jobs = await readJobs(call.flags.jobs, call.options, async (path) => {
    solver ??= await open(1);
    return readDocument(solver, path);
  });
  const ordered = [];
  let refused = 0;
  for (const job of jobs) {
    const done = found.get(`${job.id} ${job.hash}`);
    if (!done) continue;
    if (done.result) solver ??= await open(1);
    const judged = done.result && solver ? await judgedLine(solver, job, done) : done;
    if (judged !== done) refused++;
    ordered.push({ job, done: judged });
  }
  if (ordered.length < jobs.length) process.stderr.write(`${jobs.length - ordered.length} of ${jobs.length} jobs have no result yet\n`);
  if (call.flags.runs) process.stdout.write(line({ format: "rcmdp-runs/1", runs: ordered.filter(({ done }) => done.result).map(runOf) }));
  else for (const { done } of ordered) process.stdout.write(`${done.text}\n`);
  return refused > 0 ? codes.fault : ordered.length < jobs.length ? codes.open : codes.proved;
}

/**
 * A result as its shard wrote it, where the checker here has found that it says nothing but what holds; else what is true of its policy.
 * @param {Solver} solver @param {import('./batch.js').Job} job @param {Found} done @returns {Promise<Found>}
 */
async function judgedLine(solver, { id, hash, problem }, done) {
  try {
    const { holds, differs, result } = await solver.judge(problem, done.result);
    if (holds) return done;
    process.stderr.write(`job ${id}: the result does not hold: ${differs.join(" ")}\n`);
    return { id, hash, result, text: line({ id, hash, result }).trimEnd() };
  } catch (error) {
    const { code, message } = /** @type {any} */ (error);
    if (code !== "invalid-option" && code !== "invalid-problem") throw error;
    process.stderr.write(`job ${id}: ${message}\n`);
    return { id, hash, error: { code, message }, text: line({ id, hash, error: { code, message } }).trimEnd() };
  }
}

/**
 * A saved run as the page imports it. Its id is the job's content, so that the same result comes in once.
 * @param {{ job: { id: string, problem: any, options: any, hash: string }, done: { result?: any } }} pair
 */
function runOf({ job, done }) {
  return {
    id: `job-${job.hash.slice(0, 32)}`,
    name: `${job.problem.name ?? "problem"}, job ${job.id}`,
    problem: job.problem,
    options: job.options,
    result: { seconds: 0, ...done.result },
  };
}
