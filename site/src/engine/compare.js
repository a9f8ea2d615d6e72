// @ts-check
// compare.js — many problems times many methods times many seeds, spread over the workers: a Run
// whose records are finished jobs and whose result is the table.

import { RcmdpError } from "./message.js";
import { Run } from "./run.js";

/**
 * @typedef {import('../rcmdp.js').Problem} Problem
 * @typedef {import('../rcmdp.js').SolveOptions} SolveOptions
 */

/**
 * @param {(problem: Problem | string, options: import("../rcmdp.js").SolveOptions) => Run} solve
 * @param {Run<any, any>} run whose records and result these are
 * @param {(Problem | string)[]} problems
 * @param {(string | SolveOptions)[]} methods an algorithm's id, or solve's options
 * @param {import('../rcmdp.js').CompareOptions} [options]
 */
export function compare(solve, run, problems, methods, { seeds = [], signal } = {}) {
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  if (!Array.isArray(problems) || !Array.isArray(methods) || !Array.isArray(seeds)) {
    throw new RcmdpError("invalid-option", "compare takes a list of problems, a list of methods and, in the options, a list of seeds.");
  }
  const bases = methods.map((method) => (typeof method === "string" ? { algorithm: method } : method));
  /** @type {import('../rcmdp.js').ComparisonRow[]} */
  const rows = problems.flatMap((problem, p) =>
    bases.flatMap((base, m) =>
      (seeds.length > 0 ? seeds : [base?.seed]).map((seed) => ({
        problem: p,
        name: nameOf(problem, p),
        method: m,
        algorithm: String(base?.algorithm ?? "solve"),
        seed: seed === undefined ? null : String(seed),
        result: null,
        error: null,
      }))
    )
  );
  let stopped = false;
  let done = 0;
  const jobs = rows.map((row) => {
    const job = solve(problems[row.problem], { ...bases[row.method], ...(row.seed === null ? {} : { seed: row.seed }), signal });
    job.result.then(
      (result) => Object.assign(row, { result, algorithm: result.algorithm, seed: result.seed }),
      (error) => Object.assign(row, { error: error instanceof RcmdpError ? error : new RcmdpError("crashed", String(error?.message ?? error)) }),
    ).then(() => {
      done++;
      Run.control.add(run, [{ step: true, done, total: rows.length, seconds: seconds(), row }]);
    });
    return job;
  });
  Run.control.onStop(run, () => {
    stopped = true;
    for (const job of jobs) job.stop();
  });
  Promise.allSettled(jobs.map((job) => job.result)).then(async () => {
    await null; // let the last row be told
    if (signal?.aborted) Run.control.fail(run, signal.reason);
    else Run.control.done(run, { status: stopped ? "stopped" : "finished", rows, seconds: seconds() });
  });
}

/** @param {unknown} problem @param {number} p */
function nameOf(problem, p) {
  const name = typeof problem === "object" && problem !== null ? /** @type {{ name?: unknown }} */ (problem).name : undefined;
  return typeof name === "string" && name !== "" ? name : `problem ${p + 1}`;
}
