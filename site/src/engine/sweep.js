// @ts-check
// sweep.js — one problem for many values of one of its numbers. Coarse values come first; each is
// searched from the policy of its nearest neighbour. Along a limit or a radius the problems are
// nested, so what was found for one says something of the others: a policy that is feasible for a
// tighter limit is feasible for a looser one, and a proof for a looser limit is one for a tighter.
// So a few values are searched and proved in full, and those in between descend from their neighbours'
// policies and take over a neighbour's proof, unless that leaves them more open than it left the
// neighbour. What is claimed of a point is still only what the checker accepts for its own problem.

import { decisions, planTables } from "../document/steps.js";
import { isPointer, replaceAt, valueAt } from "../document/patch.js";
import { carried, faultOf, isJudged } from "./claims.js";
import { RcmdpError } from "./message.js";
import { parseProblem } from "./records.js";
import { Run } from "./run.js";

/**
 * @typedef {import('../rcmdp.js').Problem} Problem
 * @typedef {import('../rcmdp.js').SweepPoint} SweepPoint
 * @typedef {import('../rcmdp.js').SweepResult} SweepResult
 * @typedef {import('../rcmdp.js').SweepProgress} SweepProgress
 * @typedef {import('../rcmdp.js').Result} Result
 * @typedef {{ policies: (import("../rcmdp.js").Policy | null)[], starts?: import("../rcmdp.js").Policy[], proofs: unknown[] }} Found what others found; starts: policies to descend from
 */

/** So long a point may take, and a large model as long as it is expected to need, */
const SECONDS = 1;
/** and a pillar, of which more below, so many times that. */
const PATIENCE = 2;
/** Values that differ by no more than this share of themselves are the same but for rounding. */
const ROUNDING = 1e-14;
/** What a point is solved with, unless the caller says otherwise: neighbours do most of the search. @param {string} algorithm */
const defaults = (algorithm = "solve") => (algorithm === "solve" || algorithm === "slp" ? { starts: 4 } : {});
const MOST_VALUES = 10_000;
/** So many places along nested problems are searched and proved in full before the others look at them; they have longer, for what is proved of them serves all. */
const PILLARS = 9;
/** By how much of what is open at a neighbour more may stay open where its proof is taken over. */
const WIDER = 1.25;

/**
 * @param {{ solve(problem: Problem, options: import("../rcmdp.js").SolveOptions): Run<Result>, adopt(problem: Problem, options: import("../rcmdp.js").SolveOptions, found: Found): Run<Result>, width: number,
 *   expected(problem: Problem): Promise<number>,
 *   checkpoint?: (points: (SweepPoint | null)[], last: boolean) => void }} engine expected: the seconds that a problem is likely to take, 0 when nobody can tell; checkpoint: told of the points so far; last: it was stopped with these
 * @param {Run<SweepResult, SweepProgress>} run
 * @param {Problem | string} problem
 * @param {import('../rcmdp.js').SweepOptions} options
 */
export const sweep = (engine, run, problem, options) => void new Sweep(engine, run, problem, options).toEnd();

/** One sweep in progress: the places of its values, what is known at each, and the runs at work. */
class Sweep {
  /** What is asked for, and of whom. @type {{ engine: Parameters<typeof sweep>[0], run: Run<SweepResult, SweepProgress>, base: Problem | null, pointer: string, documents?: (Problem | string)[], signal?: AbortSignal }} */
  #of;
  #settings;
  /** As long as the caller lets any point take; else what #allow finds. @type {number | undefined} */
  #pillarSeconds;
  #begun = performance.now();
  /** Runs that work on a place. @type {Set<Run>} */
  #working = new Set();
  #over = false;
  #stopped = false;

  /**
   * @param {Parameters<typeof sweep>[0]} engine
   * @param {Run<SweepResult, SweepProgress>} run
   * @param {Problem | string} problem
   * @param {any} options as given: they are checked here
   */
  constructor(engine, run, problem, options) {
    const { pointer = "", values, documents, points: earlier = [], signal, ...rest } = options ?? {};
    const base = documents ? null : parsed(problem);
    check(base, pointer, values, documents);
    this.#of = { engine, run, base, pointer, documents, signal };
    /** @type {number[]} */
    this.values = values;
    this.#settings = { ...defaults(rest.algorithm), ...rest };
    this.#pillarSeconds = rest.timeLimit;
    this.sense = documents ? 0 : nested(pointer);
    this.total = this.values.length;
    /** The results as they came, and the points made of them. @type {(Result | null)[]} */
    this.results = this.values.map((value, i) => (isJudged(earlier[i]) ? resultOf(earlier[i], value) : null));
    /** @type {(SweepPoint | null)[]} */
    this.points = this.results.map((r, i) => (r ? earlier[i] : null));
    /** Points that came from elsewhere: offered to the checker before anything is searched. @type {(SweepPoint | null)[]} */
    this.told = this.values.map((value, i) => (this.results[i] ? null : resultOf(earlier[i], value)));
    /** Places by how loose their problem is, tightest first. */
    this.order = [...this.values.keys()].sort((x, y) => (this.values[x] - this.values[y]) * (this.sense || 1));
    this.rank = new Map(this.order.map((place, k) => [place, k]));
    Run.control.onStop(run, () => {
      this.#stopped = true;
      this.#stopAll();
    });
  }

  #stopAll() {
    for (const job of this.#working) job.stop();
  }

  #seconds() {
    return (performance.now() - this.#begun) / 1000;
  }

  /** The problem of a place. @param {number} i @returns {Problem} */
  #at(i) {
    return this.#of.documents ? parsed(this.#of.documents[i]) : replaceAt(/** @type {any} */ (this.#of.base), this.#of.pointer, this.values[i]);
  }

  /** @param {number} i @param {Result} result */
  #put(i, result) {
    this.results[i] = result;
    const { trace: _, ...rest } = result; // of each point by itself it says little, and it is most of the bytes
    const point = carried(result, { value: this.values[i], ...rest });
    this.points[i] = point;
    const done = this.points.filter(Boolean).length;
    Run.control.add(this.#of.run, [{ step: true, done, total: this.total, seconds: this.#seconds(), index: i, point }]);
    this.#of.engine.checkpoint?.(this.points, false);
  }

  /** @param {Run} job */
  async #ended(job) {
    this.#working.add(job);
    try {
      return await job.result;
    } finally {
      this.#working.delete(job);
    }
  }

  /** The nearest place with a policy, in either direction. @param {number} i */
  #nearest(i) {
    const away = (/** @type {number} */ j) => Math.abs(this.values[j] - this.values[i]);
    return best([...this.values.keys()].filter((j) => this.results[j]?.policy.length), (j, than) => away(j) < away(than)) ?? -1;
  }

  /** What the nested problems show of place i: the best policy of a tighter one, the best proof of a looser one. @param {number} i */
  #neighbours(i) {
    if (this.sense === 0) return { policy: null, proof: null };
    const k = /** @type {number} */ (this.rank.get(i));
    const there = this.order.map((place) => this.results[place]);
    return {
      policy: best(there.slice(0, k).filter((r) => r?.feasible), better) ?? null,
      proof: best(there.slice(k + 1).filter((r) => r?.certificate), stronger) ?? null,
    };
  }

  /** Whether the policy of one place is one of another: that of another number of decisions is not. @param {Result} result @param {number} i */
  #fits({ policy }, i) {
    return planTables(policy).length === Math.max(1, decisions(this.#at(i)));
  }

  /** The nearest policies on either side, and the best of a tighter problem: each may lead to another local best. @param {number} i @param {Result | null} tighter */
  #startsOf(i, tighter) {
    const k = /** @type {number} */ (this.rank.get(i));
    const policyAt = (/** @type {number} */ q) => this.results[this.order[q]]?.policy;
    const side = (/** @type {number} */ step) => {
      for (let q = k + step; q >= 0 && q < this.total; q += step) if (policyAt(q)?.length) return policyAt(q);
      return undefined;
    };
    return [...new Set([tighter?.policy, side(-1), side(1)].filter((p) => p !== undefined))];
  }

  /** @param {number} i @param {Found} found */
  #adopt(i, found) {
    return this.#ended(this.#of.engine.adopt(this.#at(i), { ...optionsOf(this.#settings), signal: this.#of.signal }, found));
  }

  /**
   * A point made of what neighbours found and a descent from it; null when it needs a search of its own.
   * @param {number} i
   */
  async #between(i) {
    const { policy, proof } = this.#neighbours(i);
    if (!proof) return null;
    if (proof.status === "proved-infeasible") {
      const result = await this.#adopt(i, { policies: [], proofs: [proof.certificate] });
      return result.status === "proved-infeasible" ? result : null;
    }
    if (!policy && !proof.policy.length) return null;
    const result = await this.#adopt(i, { policies: [policy?.policy ?? null], starts: this.#startsOf(i, policy), proofs: [proof.certificate] });
    if (!result.feasible || boundOf(result) === null) return null;
    return openOf(result) <= Math.max(Number(this.#settings.gap ?? 0.01), WIDER * openOf(proof)) ? result : null;
  }

  /** A point that came from elsewhere, as the checker sees it; one that shows too little is solved as if it were not there. @param {number} i */
  async #judge(i) {
    const told = this.told[i];
    if (!told || faultOf(this.#at(i), told) !== null) return;
    const { policy, certificate = null } = told;
    const result = await this.#adopt(i, { policies: [policy.length > 0 ? policy : null], proofs: [certificate] }).catch((error) => {
      if (error?.code === "invalid-option") return null; // a policy or a certificate that is none
      throw error;
    });
    if (result && !this.#stopped && (result.status === "proved-infeasible" || (result.feasible && boundOf(result) !== null))) this.#put(i, result);
  }

  /** @param {number} i @param {boolean} pillar */
  async #solve(i, pillar) {
    if (this.sense !== 0 && (!pillar || this.#neighbours(i).proof?.status === "proved-infeasible")) {
      const result = await this.#between(i);
      if (this.#stopped) return;
      if (result) return this.#put(i, result);
    }
    const near = this.#neighbours(i).policy ?? this.results[this.#nearest(i)] ?? null;
    const warm = near === null || !this.#fits(near, i) || "initialPolicy" in this.#settings ? {} : { initialPolicy: near.policy };
    const limit = pillar && this.sense !== 0 ? { timeLimit: this.#pillarSeconds } : {};
    const result = await this.#ended(this.#of.engine.solve(this.#at(i), { ...this.#settings, ...warm, ...limit, signal: this.#of.signal }));
    if (!this.#stopped) this.#put(i, result);
  }

  /** Neighbours that were solved later may know better. @param {number} i */
  async #improve(i) {
    const own = this.results[i];
    if (!own) return;
    const { policy, proof } = this.#neighbours(i);
    const found = policy && (!own.feasible || better(policy, own)) && own.status !== "proved-infeasible" ? policy : null;
    const proved = proof && stronger(proof, own) ? proof : null;
    if (!found && !proved) return;
    const result = await this.#adopt(i, {
      policies: [own.policy.length ? own.policy : null, found?.policy ?? null],
      proofs: [(proved ?? own).certificate ?? null], // the weaker one would be looked at for nothing
    });
    if (this.#stopped || result.status === "stopped" || (own.feasible && !result.feasible)) return;
    this.#put(i, carried(result, { ...result, seconds: own.seconds + result.seconds }));
  }

  /** Does the work of each place, some at once. @param {number[]} places @param {(i: number) => Promise<void>} work */
  async #all(places, work) {
    const queue = places.slice();
    const worker = async () => {
      for (let i = queue.shift(); i !== undefined && !this.#stopped && !this.#over; i = queue.shift()) await work(i);
    };
    await Promise.all(Array.from({ length: Math.min(this.#of.engine.width, places.length) }, worker));
  }

  /** How long points may take, unless the caller has said it: a large model what it is expected to need. */
  async #allow() {
    if (this.#pillarSeconds !== undefined) return;
    const seconds = Math.max(SECONDS, await this.#of.engine.expected(this.#at(0)));
    this.#settings.timeLimit = seconds;
    this.#pillarSeconds = PATIENCE * seconds;
  }

  /** Pillars first, each in full; what lies between them descends from its neighbours. */
  async #work() {
    const { sense, order } = this;
    await this.#all([...this.told.keys()].filter((i) => this.told[i]), (i) => this.#judge(i));
    const open = coarseFirst(this.total).filter((i) => !this.results[i]);
    await this.#all(open.slice(0, PILLARS), (i) => this.#solve(i, true));
    // The pillars' best proofs go to the tight ones first, then loose before tight, so that what is taken over is the best there will be.
    if (sense !== 0) await this.#all(order, (i) => this.#improve(i));
    await this.#all(sense === 0 ? open.slice(PILLARS) : order.filter((i) => !this.results[i]).reverse(), (i) => this.#solve(i, false));
    // Each gains from all on one side, so once is enough but for what a proof shows beyond itself when it is put to the checker anew: loose to tight after that.
    for (const places of sense !== 0 ? [order, order.toReversed()] : []) await this.#all(places, (i) => this.#improve(i));
    if (sense !== 0 && !this.#stopped) this.#level();
  }

  /**
   * One policy at two places may differ in its value by rounding: a value is raised to what is proved at its place.
   * Such values are made the one that claims less at both, so that they are monotone.
   */
  #level() {
    for (let k = this.order.length - 1; k > 0; k--) {
      const [tight, loose] = [this.results[this.order[k - 1]], this.results[this.order[k]]];
      if (!tight?.feasible || !loose?.feasible || !better(tight, loose)) continue;
      const [mine, { value }] = [tight.objective, loose.objective];
      if (Math.abs(Number(mine.value) - Number(value)) > ROUNDING * Math.abs(Number(value))) continue;
      this.#put(this.order[k - 1], carried(tight, { ...tight, objective: { ...mine, value } }));
    }
  }

  /** Works to the end, which the run then tells. */
  async toEnd() {
    try {
      this.#of.signal?.throwIfAborted();
      await this.#allow();
      await this.#work();
      this.#of.signal?.throwIfAborted();
      const part = this.#stopped && this.points.includes(null);
      if (part) this.#of.engine.checkpoint?.(this.points, true);
      const { values, points } = this;
      const { pointer, documents } = this.#of;
      Run.control.done(this.#of.run, {
        status: part ? "stopped" : "finished",
        algorithm: "sweep",
        options: { algorithm: "sweep", ...(documents ? {} : { pointer }), values, ...optionsOf(this.#settings) },
        seed: String(this.#settings.seed ?? ""),
        pointer,
        points,
        seconds: this.#seconds(),
        ...summary(this.results),
      });
    } catch (error) {
      this.#over = true;
      this.#stopAll();
      Run.control.fail(this.#of.run, error);
    }
  }
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
  if (!isPointer(pointer)) throw bad(`pointer: ${String(pointer)} is not a JSON Pointer, as /constraints/0/atMost is.`);
  const there = valueAt(base, pointer);
  if (typeof there !== "number") {
    throw bad(`pointer: ${there === undefined ? "there is nothing" : "there is no number"} at ${pointer || "the document itself"} in the problem.`);
  }
}

/** @param {Problem | string} problem @returns {Problem} */
const parsed = (problem) => (typeof problem === "string" ? parseProblem(problem) : problem);

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

/** The first of a list that no other outdoes; undefined of none. @template T @param {T[]} list @param {(a: NonNullable<T>, b: NonNullable<T>) => boolean} outdoes @returns {NonNullable<T> | undefined} */
const best = (list, outdoes) =>
  /** @type {NonNullable<T>[]} */ (list).reduce(
    (/** @type {NonNullable<T> | undefined} */ found, one) => found !== undefined && !outdoes(one, found) ? found : one,
    undefined,
  );

/** Whether the proof of a says more than that of b. @param {Result} a @param {Result} b */
function stronger(a, b) {
  if (b.status === "proved-infeasible") return false;
  if (a.status === "proved-infeasible") return true;
  const [x, y] = [boundOf(a), boundOf(b)];
  return x !== null && (y === null || sign(a) * x > sign(a) * y);
}

/** A point of an earlier sweep as a result. @param {any} point @param {number} value @returns {any} */
const resultOf = (point, value) => point && point.value === value && point.objective && Array.isArray(point.policy) ? point : null;

/** What travels to the worker and into what is saved. @param {any} settings */
const optionsOf = ({ signal: _, initialPolicy: __, ...rest }) => rest;

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
