// @ts-check
// sweep.js — one problem for many values of one of its numbers. Coarse values come first; each is
// searched from the policy of its nearest neighbour. Along a limit or a radius the problems are
// nested, so what was found for one says something of the others: a policy that is feasible for a
// tighter limit is feasible for a looser one, and a proof for a looser limit is one for a tighter.
// So a few values are searched and proved in full, and those in between descend from their neighbours'
// policies and take over a neighbour's proof, unless that leaves them more open than it left the
// neighbour. What is claimed of a point is still only what the checker accepts for its own problem.

import { parsePointer, replaceAt, valueAt } from "../document/patch.js";
import { RcmdpError } from "./error.js";
import { Run } from "./run.js";

/**
 * @typedef {import('../rcmdp.js').Problem} Problem
 * @typedef {import('../rcmdp.js').SweepPoint} SweepPoint
 * @typedef {import('../rcmdp.js').Result} Result
 * @typedef {{ policies: (number[][] | null)[], starts?: number[][][], proofs: unknown[] }} Found what others found; starts: policies to descend from
 */

/** What a point is solved with, unless the caller says otherwise: neighbours do most of the search. @param {string} algorithm */
const defaults = (algorithm = "solve") => ({ timeLimit: 1, ...(algorithm === "solve" || algorithm === "slp" ? { starts: 4 } : {}) });
const MOST_VALUES = 10_000;
/** So many places along nested problems are searched and proved in full before the others look at them. */
const PILLARS = 9;
/** They have longer than others, for what is proved of them serves all. */
const PILLAR_SECONDS = 2;
/** By how much of what is open at a neighbour more may stay open where its proof is taken over. */
const WIDER = 1.25;

/**
 * @param {{ solve(problem: Problem, options: import("../rcmdp.js").SolveOptions): Run<Result>, adopt(problem: Problem, options: import("../rcmdp.js").SolveOptions, found: Found): Run<Result>, width: number,
 *   checkpoint?: (points: (SweepPoint | null)[], last: boolean) => void }} engine checkpoint: told of the points so far; last: it was stopped with these
 * @param {string} id
 * @param {Problem | string} problem
 * @param {import('../rcmdp.js').SweepOptions} options
 * @returns {Run<import('../rcmdp.js').SweepResult, import('../rcmdp.js').SweepProgress>}
 */
export function sweep(engine, id, problem, options) {
  /** @type {Run<any, any>} */
  const run = new Run(id);
  try {
    start(engine, run, problem, options);
  } catch (error) {
    Run.control.fail(run, error);
  }
  return run;
}

/** @param {Parameters<typeof sweep>[0]} engine @param {Run<any, any>} run @param {Problem | string} problem @param {any} options */
function start(engine, run, problem, options) {
  const { pointer = "", values, documents, points: earlier = [], signal, ...rest } = options ?? {};
  const base = documents ? null : parsed(problem);
  check(base, pointer, values, documents);
  const settings = { ...defaults(rest.algorithm), ...rest };
  const pillarSeconds = rest.timeLimit ?? PILLAR_SECONDS;
  const begun = performance.now();
  const seconds = () => (performance.now() - begun) / 1000;
  const sense = documents ? 0 : nested(pointer);
  const total = values.length;
  /** The results as they came, and the points made of them. @type {(Result | null)[]} */
  const results = Array.from({ length: total }, (_, i) => resultOf(earlier[i], values[i]));
  /** @type {(SweepPoint | null)[]} */
  const points = results.map((r, i) => (r ? earlier[i] : null));
  /** @type {Set<Run<any>>} */
  const working = new Set();
  let over = false;
  let stopped = false;

  /** @param {number} i @returns {Problem} */
  const at = (i) => (documents ? parsed(documents[i]) : replaceAt(/** @type {any} */ (base), pointer, values[i]));
  /** Places by how loose their problem is, tightest first. */
  const order = Array.from({ length: total }, (_, i) => i).sort((a, b) => (values[a] - values[b]) * (sense || 1));
  const rank = new Map(order.map((place, k) => [place, k]));

  /** @param {number} i @param {Result} result */
  const put = (i, result) => {
    results[i] = result;
    const { trace: _, ...rest } = result; // of each point by itself it says little, and it is most of the bytes
    points[i] = { value: values[i], ...rest };
    Run.control.add(run, [{ step: true, done: points.filter(Boolean).length, total, seconds: seconds(), index: i, point: points[i] }]);
    engine.checkpoint?.(points, false);
  };

  /** @param {Run<Result>} job */
  const ended = async (job) => {
    working.add(job);
    try {
      return await job.result;
    } finally {
      working.delete(job);
    }
  };

  /** The nearest place with a policy, in either direction. @param {number} i */
  const nearest = (i) => {
    let best = -1;
    for (let j = 0; j < total; j++) {
      if (results[j]?.policy.length && (best < 0 || Math.abs(values[j] - values[i]) < Math.abs(values[best] - values[i]))) best = j;
    }
    return best;
  };

  /** What the nested problems show of place i: the best policy of a tighter one, the best proof of a looser one. @param {number} i */
  const neighbours = (i) => {
    /** @type {Result | null} */
    let policy = null;
    /** @type {Result | null} */
    let proof = null;
    if (sense !== 0) {
      const k = /** @type {number} */ (rank.get(i));
      for (let q = 0; q < total; q++) {
        const r = results[order[q]];
        if (!r) continue;
        if (q < k && r.feasible && (!policy || better(r, policy))) policy = r;
        if (q > k && r.certificate && (!proof || stronger(r, proof))) proof = r;
      }
    }
    return { policy, proof };
  };

  /** The nearest policies on either side, and the best of a tighter problem: each may lead to another local best. @param {number} i @param {Result | null} tighter */
  const startsOf = (i, tighter) => {
    const k = /** @type {number} */ (rank.get(i));
    const side = (/** @type {number} */ step) => {
      for (let q = k + step; q >= 0 && q < total; q += step) if (results[order[q]]?.policy.length) return results[order[q]]?.policy;
      return undefined;
    };
    return [...new Set([tighter?.policy, side(-1), side(1)].filter((p) => p !== undefined))];
  };

  /** @param {number} i @param {Found} found */
  const adopt = (i, found) => ended(engine.adopt(at(i), { ...optionsOf(settings), signal }, found));

  /**
   * A point made of what neighbours found and a descent from it; null when it needs a search of its own.
   * @param {number} i
   */
  const between = async (i) => {
    const { policy, proof } = neighbours(i);
    if (!proof) return null;
    if (proof.status === "proved-infeasible") {
      const result = await adopt(i, { policies: [], proofs: [proof.certificate] });
      return result.status === "proved-infeasible" ? result : null;
    }
    if (!policy && !proof.policy.length) return null;
    const result = await adopt(i, { policies: [policy?.policy ?? null], starts: startsOf(i, policy), proofs: [proof.certificate] });
    if (!result.feasible || boundOf(result) === null) return null;
    return openOf(result) <= Math.max(Number(settings.gap ?? 0.01), WIDER * openOf(proof)) ? result : null;
  };

  /** @param {number} i @param {boolean} pillar */
  const solve = async (i, pillar) => {
    if (sense !== 0 && (!pillar || neighbours(i).proof?.status === "proved-infeasible")) {
      const result = await between(i);
      if (stopped) return;
      if (result) return put(i, result);
    }
    const near = neighbours(i).policy ?? results[nearest(i)] ?? null;
    const warm = near === null || "initialPolicy" in settings ? {} : { initialPolicy: near.policy };
    const result = await ended(engine.solve(at(i), { ...settings, ...warm, ...(pillar && sense !== 0 ? { timeLimit: pillarSeconds } : {}), signal }));
    if (!stopped) put(i, result);
  };

  /** Neighbours that were solved later may know better. @param {number} i */
  const improve = async (i) => {
    const own = results[i];
    if (!own) return;
    const { policy, proof } = neighbours(i);
    const found = policy && (!own.feasible || better(policy, own)) && own.status !== "proved-infeasible" ? policy : null;
    const proved = proof && stronger(proof, own) ? proof : null;
    if (!found && !proved) return;
    const result = await adopt(i, {
      policies: [own.policy.length ? own.policy : null, found?.policy ?? null],
      proofs: [(proved ?? own).certificate ?? null], // the weaker one would be looked at for nothing
    });
    if (!stopped && result.status !== "stopped" && !(own.feasible && !result.feasible)) put(i, { ...result, seconds: own.seconds + result.seconds });
  };

  /** Does the work of each place, some at once. @param {number[]} places @param {(i: number) => Promise<void>} work */
  const all = async (places, work) => {
    const queue = places.slice();
    const worker = async () => {
      for (let i = queue.shift(); i !== undefined && !stopped && !over; i = queue.shift()) await work(i);
    };
    await Promise.all(Array.from({ length: Math.min(engine.width, places.length) }, worker));
  };

  Run.control.onStop(run, () => {
    stopped = true;
    for (const job of working) job.stop();
  });
  (async () => {
    try {
      signal?.throwIfAborted();
      const open = coarseFirst(total).filter((i) => !results[i]);
      const pillars = open.slice(0, PILLARS);
      await all(pillars, (i) => solve(i, true));
      // The pillars' best proofs go to the tight ones first, then loose before tight, so that what is taken over is the best there will be.
      if (sense !== 0) await all(order, improve);
      await all(sense === 0 ? open.slice(PILLARS) : order.filter((i) => !results[i]).reverse(), (i) => solve(i, false));
      // Each gains from all on one side, so once is enough: what is passed on was there before.
      if (sense !== 0) await all(order, improve);
      signal?.throwIfAborted();
      if (stopped && points.includes(null)) engine.checkpoint?.(points, true);
      Run.control.done(run, {
        status: stopped && points.includes(null) ? "stopped" : "finished",
        algorithm: "sweep",
        options: { algorithm: "sweep", ...(documents ? {} : { pointer }), values, ...optionsOf(settings) },
        seed: String(settings.seed ?? ""),
        pointer,
        points,
        seconds: seconds(),
        ...summary(results),
      });
    } catch (error) {
      over = true;
      for (const job of working) job.stop();
      Run.control.fail(run, error);
    }
  })();
}

/** @param {any} base @param {string} pointer @param {any} values @param {any} documents */
function check(base, pointer, values, documents) {
  const bad = (/** @type {string} */ message) => new RcmdpError("invalid-option", message);
  if (!Array.isArray(values) || values.length === 0 || values.length > MOST_VALUES || !values.every((x) => Number.isFinite(x))) {
    throw bad(`values: want a list of 1 to ${MOST_VALUES} numbers.`);
  }
  if (documents) {
    if (!Array.isArray(documents) || documents.length !== values.length) throw bad(`documents: want one problem for each of ${values.length} values.`);
    return;
  }
  try {
    parsePointer(pointer);
  } catch {
    throw bad(`pointer: ${String(pointer)} is not a JSON Pointer, as /constraints/0/atMost is.`);
  }
  const there = valueAt(base, pointer);
  if (typeof there !== "number") {
    throw bad(`pointer: ${there === undefined ? "there is nothing" : "there is no number"} at ${pointer || "the document itself"} in the problem.`);
  }
}

/** @param {Problem | string} problem @returns {Problem} */
function parsed(problem) {
  if (typeof problem !== "string") return problem;
  try {
    return JSON.parse(problem);
  } catch (cause) {
    throw new RcmdpError("invalid-problem", `The problem is not JSON: ${/** @type {Error} */ (cause).message}.`, { cause });
  }
}

/**
 * How the problems of a pointer's values are nested: 1 when larger values are looser, -1 when
 * smaller ones are, 0 when they are not nested.
 * @param {string} pointer
 */
export function nested(pointer) {
  const [, side] = /^\/constraints\/\d+\/(atMost|atLeast)$/.exec(pointer) ?? [];
  if (side) return side === "atMost" ? 1 : -1;
  return pointer === "/uncertainty/radius" ? -1 : 0;
}

/** Ends, middle, quarters, ...: a curve is seen early. @param {number} n */
export function coarseFirst(n) {
  const order = n > 1 ? [0, n - 1] : [0];
  const there = new Set(order);
  for (let step = n - 1; step > 0.5; step /= 2) {
    for (let x = step / 2; x < n - 1; x += step) {
      const i = Math.round(x);
      if (!there.has(i)) order.push(i);
      there.add(i);
    }
  }
  return order;
}

/** What the checker has proved of the objective, whichever side. @param {Result} r */
const boundOf = ({ objective: { lowerBound, upperBound } }) => lowerBound ?? upperBound;

/** Which share of its value is still open. @param {Result} r */
const openOf = (r) => (r.feasible ? Math.abs(Number(r.objective.value) - Number(boundOf(r))) / Math.abs(Number(r.objective.value)) : Infinity);

const sign = (/** @type {Result} */ r) => (r.objective.sense === "maximize" ? -1 : 1);

/** @param {Result} a @param {Result} b */
const better = (a, b) => sign(a) * Number(a.objective.value) < sign(a) * Number(b.objective.value);

/** Whether the proof of a says more than that of b. @param {Result} a @param {Result} b */
function stronger(a, b) {
  if (b.status === "proved-infeasible") return false;
  if (a.status === "proved-infeasible") return true;
  const [x, y] = [boundOf(a), boundOf(b)];
  return x !== null && (y === null || sign(a) * x > sign(a) * y);
}

/** A point of an earlier sweep as a result. @param {any} point @param {number} value @returns {any} */
function resultOf(point, value) {
  return point && point.value === value && point.objective && Array.isArray(point.policy) ? point : null;
}

/** What travels to the worker and into what is saved. @param {any} settings */
function optionsOf({ signal: _, initialPolicy: __, ...rest }) {
  return rest;
}

/** What a list of runs shows of a sweep: no single value. @param {(Result | null)[]} results */
function summary(results) {
  const one = results.find(Boolean);
  return {
    feasible: results.some((r) => r?.feasible),
    objective: { name: one?.objective.name ?? "", sense: one?.objective.sense ?? "minimize", value: null },
    maxViolation: null,
    policy: [],
    trace: {},
  };
}
