// @ts-check
// runs.js — saved runs: the page's side of the store worker, and what tabs tell each other of them.

import { inBrowser } from "./host.js";
import { faultOfRun, isJudged, own, unjudgedRun } from "./claims.js";
import { encode, RcmdpError } from "./message.js";
import { closed } from "./pool.js";
import { exportText, isoDate, packResult, parseProblem, readExport, resultOf, summaryOf, text } from "./records.js";
import { Run } from "./run.js";

/**
 * @typedef {Pick<import('./pool.js').Pool, 'call' | 'close' | 'crashes'> | import('./folder.js').FolderStore} Store
 * @typedef {import('../rcmdp.js').RunSummary} RunSummary
 * @typedef {import('../rcmdp.js').SavedRun} SavedRun
 * @typedef {import('../rcmdp.js').RunChanges} RunChanges
 * @typedef {import('../rcmdp.js').SavedRuns} SavedRunsApi
 * @typedef {import('./records.js').Row} Row
 */

/** The points of a sweep are written at most this often, and take at most a twentieth of the time. */
const SWEEP_MS = 3000;
const decoder = new TextDecoder();

/** @implements {SavedRunsApi} */
export class SavedRuns {
  #by;
  /** @type {Promise<Store> | null} */
  #store = null;
  #closed = false;
  /** Runs of this page that are saved and not finished: their checkpoints are wanted. @type {Set<string>} */
  #live = new Set();
  /** Runs whose result was found or judged in this process, with the state that holds it. @type {Map<string, string>} */
  #judged = new Map();
  /** Checkpoints on their way; one at a time for each run. @type {Set<string>} */
  #writing = new Set();
  /** Runs of this page that ended and can be continued. @type {Set<string>} */
  #ended = new Set();
  /** When the points of a sweep may be written again. @type {Map<string, number>} */
  #due = new Map();
  /** @type {Set<() => void>} */
  #listeners = new Set();
  /** @type {BroadcastChannel | null} */
  #channel = null;
  #asked = false;

  /**
   * @param {(() => Store | Promise<Store>) | null} openStore boots the store worker, or opens the folder; null where runs cannot be saved
   * @param {string} name of the database: one for each place the app is served from
   * @param {import('../rcmdp.js').Version} version
   * @param {(problem: any, options: any, id: string, checkpoint: Uint8Array, results: Uint8Array[]) => Run} solve
   * @param {(id: string) => void} keep makes the snapshots of a run hold what it takes to continue it
   * @param {(problem: any, options: any, id: string) => Promise<Run<any, any>>} sweep
   * @param {import('../rcmdp.js').Solver["validate"]} validate
   */
  constructor(openStore, name, version, solve, keep, sweep, validate) {
    this.#by = { openStore, name, app: version.rcmdp, solve, keep, sweep, validate };
  }

  async list() {
    const { value } = await this.#call("list");
    return /** @type {Row[]} */ (value).map((row) => this.#summary(row)).sort((a, b) => (a.created < b.created ? 1 : a.created > b.created ? -1 : 0));
  }

  /** @param {string} id @returns {Promise<SavedRun>} */
  async get(id) {
    const { value, blobs } = await this.#call("get", text(id));
    const [text_, result] = blobs;
    const problem = JSON.parse(decoder.decode(text_));
    return { ...this.#summary(value), problem, options: value.fields.options ?? {}, result: this.#resultOf(value, problem, result) };
  }

  /** @param {Row} row */
  #isJudged = (row) => this.#judged.get(row.id) === stateOf(row, row.rev);

  /** @param {Row} row */
  #summary = (row) => summaryOf(row, this.#isJudged(row));

  /** What was saved of a result; of one that was not judged here what it says, without what it claims. @param {Row} row @param {any} problem @param {Uint8Array} bytes */
  #resultOf(row, problem, bytes) {
    const result = bytes.length > 0 ? resultOf(bytes) : null;
    if (result === null || faultOfRun(problem, result) !== null) return null; // no result that this build can read
    if (!this.#isJudged(row)) return unjudgedRun(problem, result);
    for (const point of result.points ?? []) if (point) own(point);
    return own(result);
  }

  /** @param {RunChanges} run @returns {Promise<RunSummary>} */
  async put(run) {
    const { summary } = await this.#put(run, false);
    this.#tell();
    if (run.name !== undefined) this.#askToPersist();
    return summary;
  }

  /** @param {string} id */
  async delete(id) {
    await this.#call("delete", text(id));
    this.#live.delete(id);
    this.#tell();
  }

  async exportAll() {
    const runs = await Promise.all((await this.list()).map(({ id }) =>
      this.get(id).catch((error) => {
        if (error.code === "invalid-option") return []; // deleted meanwhile, in another tab
        throw error;
      })
    ));
    return exportText(this.#by.app, runs.flat());
  }

  /** @param {string} file */
  async importAll(file) {
    const runs = readExport(file);
    this.#hasStore();
    for (const [i, { problem }] of runs.entries()) {
      const { ok, errors } = await this.#by.validate(problem);
      if (!ok)
        throw new RcmdpError(
          "invalid-option",
          `The model of run ${i + 1} of the file cannot be used: ${errors[0]?.pointer ?? ""} ${errors[0]?.message ?? ""}; nothing was imported.`,
          { errors },
        );
    }
    let added = 0;
    for (const run of runs) added += Number((await this.#put(run, true)).changed);
    if (added > 0) this.#tell();
    return { added, kept: runs.length - added };
  }

  /** @param {string} id @param {import('../rcmdp.js').ResumeOptions} [changes] @returns {Promise<Run<any, any>>} */
  async resume(id, changes) {
    const { results = [], ...options } = changes ?? {};
    const { value, blobs } = await this.#call("get", text(id));
    const [problem, result, checkpoint] = blobs;
    if (Array.isArray(value.fields.options?.values)) {
      const points = checkpoint.length > 0
        ? JSON.parse(decoder.decode(checkpoint))
        : this.#resultOf(value, JSON.parse(decoder.decode(problem)), result)?.points ?? [];
      if (points.length > 0 && !points.includes(null)) throw finished();
      const { algorithm, ...rest } = { ...value.fields.options, ...options, points };
      const run = await this.#by.sweep(JSON.parse(decoder.decode(problem)), algorithm === "sweep" ? rest : { ...rest, algorithm }, id);
      this.#live.add(id);
      this.#by.keep(id);
      return run;
    }
    if (checkpoint.length === 0 && result.length > 0) throw finished();
    this.#live.add(id);
    return this.#by.solve(decoder.decode(problem), { ...value.fields.options, ...options }, id, checkpoint, results);
  }

  async estimate() {
    const { value } = await this.#call("state");
    /** @type {StorageManager | undefined} */
    const storage = globalThis.navigator?.storage; // WebKit has it only on secure origins
    const [room, persisted] = await Promise.all([
      storage?.estimate?.().catch(() => undefined),
      storage?.persisted?.().catch(() => undefined),
    ]);
    return {
      storage: value.storage,
      notice: value.notice,
      usage: room?.usage ?? null,
      quota: room?.quota ?? null,
      persisted: value.storage === "memory" ? false : persisted ?? null,
    };
  }

  /** @param {() => void} callback */
  onChange(callback) {
    this.#listeners.add(callback);
    this.#listen();
    return () => void this.#listeners.delete(callback);
  }

  // ---- for the solver

  /**
   * Keeps what it takes to continue a run, if the run was saved. A failure is no news for the run:
   * the next checkpoint tries again.
   * @param {string} id @param {Uint8Array} bytes @param {boolean} last the run has ended
   */
  checkpoint(id, bytes, last) {
    if (!this.#live.has(id) || (this.#writing.has(id) && !last)) return;
    if (last) this.#ended.add(id);
    this.#writing.add(id);
    this.#call("checkpoint", text(id), bytes)
      .then(({ value }) => {
        if (!value) this.#live.delete(id);
      }, () => {})
      .finally(() => this.#writing.delete(id));
  }

  /** Keeps the points that a saved sweep has so far. @param {string} id @param {unknown[]} points @param {boolean} last it was stopped with these */
  sweepCheckpoint(id, points, last) {
    if (!this.#live.has(id)) return;
    const now = performance.now();
    if (!last && now < (this.#due.get(id) ?? 0)) return;
    const bytes = encode(points);
    const end = performance.now();
    this.#due.set(id, end + Math.max(SWEEP_MS, 20 * (end - now)));
    this.checkpoint(id, bytes, last);
  }

  close() {
    this.#closed = true;
    this.#store?.then((pool) => pool.close(), () => {});
    this.#channel?.close();
    this.#channel = null;
    this.#listeners.clear();
  }

  // ---- within

  #hasStore() {
    if (this.#by.openStore) return this.#by.openStore;
    throw new RcmdpError("unavailable", "Where there is no browser, runs are saved in a folder: openSolver({ runsFolder: ... }) names it.");
  }

  /**
   * @param {string} name @param {Uint8Array[]} parts
   * @returns {Promise<{ value: any, blobs: Uint8Array[] }>}
   */
  async #call(name, ...parts) {
    if (this.#closed) throw closed();
    const openStore = this.#hasStore();
    this.#store ??= (async () => {
      const pool = await openStore();
      try {
        await pool.call("open", text(this.#by.name));
        return pool;
      } catch (error) {
        pool.close();
        this.#store = null;
        throw error;
      }
    })();
    const opened = this.#store;
    const pool = await opened;
    /** The database is open in the worker that died; another has to open it again. */
    const dropCrashed = () => {
      if (pool.crashes === 0) return false;
      if (this.#store === opened) this.#store = null;
      if (!this.#closed) pool.close();
      return true;
    };
    if (dropCrashed()) return this.#call(name, ...parts);
    try {
      const { value, blobs } = await pool.call(name, ...parts);
      return { value, blobs };
    } catch (error) {
      dropCrashed();
      throw error;
    }
  }

  /** @param {any} run @param {boolean} keep leave a run that is there already */
  async #put(run, keep) {
    if (typeof run?.id !== "string" || run.id === "") throw new RcmdpError("invalid-option", "A run to save needs its id.");
    const { id, result } = run;
    const problem = typeof run.problem === "string" ? parseProblem(run.problem) : run.problem;
    const now = new Date().toISOString();
    /** @type {Record<string, unknown>} */
    const fields = { updated: keep && run.updated !== undefined ? isoDate(run.updated) : now };
    if (run.name !== undefined) fields.name = String(run.name);
    if (run.created !== undefined) fields.created = isoDate(run.created);
    /** What the run gets if it has not been given it. @type {Record<string, unknown>} */
    let first = {};
    if (problem !== undefined) {
      first = { created: now, name: typeof problem?.name === "string" ? problem.name : "", status: "running", born: Math.random() };
      fields.app = this.#by.app;
      fields.problemName = typeof problem?.name === "string" ? problem.name : "";
      if (run.options !== undefined) fields.algorithm = run.options?.algorithm ?? "";
    }
    if (run.options !== undefined) {
      const { signal: _, ...options } = run.options;
      fields.options = options;
    }
    if (result) {
      Object.assign(fields, {
        status: result.status,
        algorithm: result.algorithm,
        seed: result.seed,
        feasible: result.feasible,
        objective: result.objective.value,
        maxViolation: result.maxViolation,
        options: fields.options ?? { algorithm: result.algorithm, ...result.options },
      });
    }
    const resumable = this.#ended.has(id);
    const { value } = await this.#call(
      "put",
      encode({ id, keep, resumable, new: first }),
      encode(fields),
      problem === undefined ? new Uint8Array() : encode(problem),
      result ? packResult(result) : new Uint8Array(),
    );
    if (result) {
      this.#live.delete(id);
      this.#ended.delete(id);
    } else if (problem !== undefined && !keep) {
      this.#live.add(id);
      this.#by.keep(id);
    }
    const { record, changed } = value;
    const stands = result ? isJudged(result) : problem === undefined && this.#judged.get(id) === stateOf(record, record.rev - 1);
    if (changed && stands) this.#judged.set(id, stateOf(record, record.rev));
    return { summary: this.#summary(record), changed };
  }

  /** A named run is one that somebody wants back. The answer may wait for a person, so nothing waits for it. */
  #askToPersist() {
    if (this.#asked) return;
    this.#asked = true;
    globalThis.navigator?.storage?.persist?.().then((promised) => promised && this.#hear(), () => {});
  }

  /** Something here is to be read again. */
  #hear() {
    for (const callback of this.#listeners) callback();
  }

  #listen() {
    if (this.#channel || typeof BroadcastChannel !== "function" || !inBrowser) return;
    try {
      this.#channel = new BroadcastChannel(this.#by.name);
      this.#channel.onmessage = () => this.#hear();
    } catch { /* a frame that may not: then there is no other tab to hear from */ }
  }

  /** Tells this tab and the others that something changed. */
  #tell() {
    this.#listen();
    this.#channel?.postMessage(0);
    this.#hear();
  }
}

/** A state of a record, unlike any of another of the same id, deleted before or put there since: all count their revisions from 1. @param {Row} row @param {number} rev */
const stateOf = ({ fields }, rev) => `${fields.born} ${rev}`;

const finished = () => new RcmdpError("invalid-option", "This run has come to its end; there is nothing to continue.");
