// @ts-check
// jobs.js — runs the jobs of an experiment that are not done yet, several at a
// time; the solver spreads them over its workers. No DOM.

import { checksum } from "../share/share.js";

/**
 * @typedef {import("../rcmdp.js").Traces["traces"][number]} JobTrace
 * @typedef {Pick<import("../rcmdp.js").Experiment, "id" | "example" | "seeds" | "methods">} Plan
 */

/** @param {{ seed: number, method: number }} job */
const key = ({ seed, method }) => `${seed}/${method}`;

/**
 * What is left to do, seeds first, so that a run stopped half-way has all methods
 * for the seeds it finished.
 * @param {Plan} plan
 * @param {{ seed: number, method: number }[]} done
 */
export function remaining(plan, done) {
  const finished = new Set(done.map(key));
  return plan.seeds.flatMap((seed) => plan.methods.map((_, method) => ({ seed, method }))).filter((job) => !finished.has(key(job)));
}

/** How much work a method is: its gradient steps, or one evaluation. @param {Plan["methods"][number]} method */
const weight = ({ options }) => Number(options.outerIterations ?? 1) * Number(options.innerIterations ?? 1);

/**
 * The share of an experiment's work that is done.
 * @param {Plan} plan
 * @param {{ seed: number, method: number }[]} done
 */
export function progress(plan, done) {
  const all = plan.seeds.length * plan.methods.reduce((sum, m) => sum + weight(m), 0);
  return all === 0 ? 1 : done.reduce((sum, job) => sum + weight(plan.methods[job.method]), 0) / all;
}

/**
 * Runs what remains. Resolves when all is done or the signal stops it; what was
 * under way is then dropped.
 * @param {Pick<import("../rcmdp.js").Solver, "example" | "evaluate" | "solve">} solver
 * @param {Plan} plan
 * @param {JobTrace[]} done
 * @param {AbortSignal} signal
 * @param {(trace: JobTrace) => void} onTrace
 * @param {number} [lanes] jobs under way at once; the solver queues what its workers cannot take
 */
export async function runJobs(solver, plan, done, signal, onTrace, lanes = Math.min(8, globalThis.navigator?.hardwareConcurrency || 2)) {
  const queue = remaining(plan, done);
  /** By seed, each made once. @type {Record<number, Promise<{ problem: Doc, uniform: number }>>} */
  const problems = {};
  const made = async (/** @type {number} */ seed) => {
    const problem = await solver.example(plan.example, { seed });
    const uniform = problem.states.map(() => problem.actions.map(() => 1 / problem.actions.length));
    return { problem, uniform: (await solver.evaluate(problem, uniform)).returns[0].value };
  };
  const lane = async () => {
    for (let job = queue.shift(); job && !signal.aborted; job = queue.shift()) {
      const { problem, uniform } = await (problems[job.seed] ??= made(job.seed));
      if (signal.aborted) return;
      const { options, level } = plan.methods[job.method];
      const { trace, objective, constraints } = await solver.solve(problem, { ...options, signal }).result;
      const [values, violations] = level
        ? [[objective.value ?? NaN], [Math.max(...constraints.map((c) => c.violation ?? NaN))]]
        : [trace.objective, trace.maxViolation];
      onTrace({ ...job, horizon: 1 / (1 - problem.discount), uniform, objective: short(values), violation: short(violations) });
    }
  };
  try {
    await Promise.all(Array.from({ length: lanes }, lane));
  } catch (error) {
    queue.length = 0; // the other lanes end with what they have under way
    if (!signal.aborted) throw error;
  }
}

/** Ten digits: enough for a picture, and half the room. @param {ArrayLike<number>} v */
const short = (v) => Array.from(v, (x) => (Number.isFinite(x) ? Number(x.toPrecision(10)) : null));

/**
 * The finished jobs of an experiment as text to keep. They belong to this plan and
 * this build of the solver: another one would not continue them but mix.
 * @param {Plan} plan
 * @param {string} build
 * @param {JobTrace[]} traces
 */
export const pack = (plan, build, traces) => JSON.stringify({ of: identity(plan, build), traces });

/**
 * What `pack` wrote, or nothing when it is of another plan or build, or damaged.
 * @param {Plan} plan
 * @param {string} build
 * @param {string | null} text
 * @returns {JobTrace[]}
 */
export function unpack(plan, build, text) {
  try {
    const kept = JSON.parse(text ?? "null");
    const sound = (/** @type {any} */ t) =>
      plan.seeds.includes(t.seed) && t.method in plan.methods && t.horizon >= 1 &&
      Array.isArray(t.objective) && Array.isArray(t.violation) && t.objective.length === t.violation.length;
    return kept?.of === identity(plan, build) && Array.isArray(kept.traces) ? kept.traces.filter(sound) : [];
  } catch {
    return [];
  }
}

/** @param {Plan} plan @param {string} build */
const identity = ({ id, example, seeds, methods }, build) => checksum(new TextEncoder().encode(JSON.stringify([id, example, seeds, methods, build])));
