// @ts-check
// tour.js — what people do first, through the library: every problem solved, by every method, and ended in every way.
// ./build.sh record walks it in Node and in browsers to see which functions of the solver that calls.

/**
 * @param {typeof import("../src/rcmdp.js").openSolver} openSolver
 * @param {any[]} problems
 * @param {{ runsFolder?: string, runs?: number }} options
 */
export async function tour(openSolver, problems, options) {
  const solver = await openSolver({ workers: 2, ...options });
  const methods = (await solver.algorithms()).map(({ id }) => id);
  const wait = (/** @type {number} */ ms) =>
    new Promise((resolve) => {
      setTimeout(resolve, ms);
    });
  for (const [i, problem] of problems.entries()) {
    const { summary } = await solver.validate(problem);
    const limited = { timeLimit: 1 };
    const result = await solver.solve(problem, { ...limited, timeLimit: 3 }).result;
    if (result.certificate) await solver.check(problem, result.certificate, result.policy);
    for (const algorithm of i % 4 === 0 ? methods : []) await solver.solve(problem, { ...limited, algorithm }).result.catch(() => {});
    // Stopped and cancelled while it goes on, kept and resumed.
    const long = { gap: 0, timeLimit: 60, seed: String(i) };
    const stopped = solver.solve(problem, long);
    await wait(300);
    stopped.stop();
    await stopped.result;
    const abort = new AbortController(), cancelled = solver.solve(problem, { ...long, signal: abort.signal });
    await wait(100);
    abort.abort();
    await cancelled.result.catch(() => {});
    if (options.runsFolder && summary) {
      const run = solver.solve(problem, long);
      await solver.runs.put({ id: run.id, name: "tour", problem, options: long });
      await wait(600);
      run.stop();
      await run.result;
      await wait(100);
      const resumed = await solver.runs.resume(run.id).catch(() => null);
      await wait(300);
      resumed?.stop();
      await resumed?.result;
    }
  }
  solver.close();
}
