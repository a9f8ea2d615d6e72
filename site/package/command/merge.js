// @ts-check
// merge.js — result lines of several files put together: each job once, in one order.

import { UsageError } from "./arguments.js";
import { codes } from "./ending.js";
import { read, readDocument } from "./files.js";
import { readJobs, readLine } from "./batch.js";
import { line } from "./output.js";

/** @typedef {import('./arguments.js').Call} Call */
/** @typedef {import('../../src/rcmdp.js').Solver} Solver */

/** Numbers in ids count as numbers: job 10 comes after job 9. */
const natural = new Intl.Collator("en", { numeric: true });

/** @param {Call} call @param {(workers?: number) => Promise<Solver>} open */
export async function merge(call, open) {
  /** By id and content; a result is kept rather than a failure. @type {Map<string, { id: string, hash: string, result?: any, error?: any, text: string }>} */
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
    return codes.proved;
  }
  let solver = null;
  const jobs = await readJobs(call.flags.jobs, call.options, async (path) => {
    solver ??= await open(1);
    return readDocument(solver, path);
  });
  const ordered = jobs.flatMap((job) => {
    const done = found.get(`${job.id} ${job.hash}`);
    return done ? [{ job, done }] : [];
  });
  if (ordered.length < jobs.length) process.stderr.write(`${jobs.length - ordered.length} of ${jobs.length} jobs have no result yet\n`);
  if (call.flags.runs) process.stdout.write(line({ format: "rcmdp-runs/1", runs: ordered.filter(({ done }) => done.result).map(runOf) }));
  else for (const { done } of ordered) process.stdout.write(`${done.text}\n`);
  return ordered.length < jobs.length ? codes.open : codes.proved;
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
