// @ts-check
// pool.js — spreads calls and runs over a few workers made from one compiled module. A worker
// that breaks takes down only what it was doing: the rest moves to another worker.

import { host, inBrowser } from "./host.js";
import { complete } from "./load.js";
import { open, RcmdpError } from "./message.js";

/** A worker whose memory has grown beyond this is replaced after its run: wasm memory never shrinks. */
const RECYCLE_BYTES = 512 * 2 ** 20;
/** A run that has not answered a stop for this long is ended by force: the newest snapshot is the answer. */
const STOP_MS = 80;
/** One that has heard it is on its way to its end: it is waited for so long. */
const LAST_STOP_MS = 500;
/** One whose newest snapshot would lose what was told is waited for so long: it hears a stop within milliseconds of the processor's time, so that it is hung, or the machine. */
const HUNG_MS = 20_000;

/** Without a run for this long, the second part of the solver is fetched, so that it is there when it is called. */
const REST_MS = 2000;

/** @typedef {{ value: any, columns: Record<string, Float64Array>, bytes: Record<string, Uint8Array>, blobs: Uint8Array[] }} Reply */
/** @typedef {{ id: number, name: string, parts: Uint8Array[], resolve: (reply: Reply) => void, reject: (error: unknown) => void }} Call */

/**
 * A run as the pool sees it.
 * @typedef {object} Job
 * @property {Uint8Array[]} parts
 * @property {(value: any) => void} begun
 * @property {(records: any[]) => void} progress
 * @property {(bytes: Uint8Array, last: boolean) => void} checkpoint what it takes to continue, for a run that is kept; last: it has ended
 * @property {(reply: Omit<Reply, 'blobs'>) => void} done
 * @property {(error: unknown) => void} fail
 */

/** @typedef {{ job: Job, id: number, slot: Slot | null, posted: boolean, settled: boolean, stopping: boolean, keep: boolean, owes: boolean, told: any, snapshot: Uint8Array | null, opened: Omit<Reply, 'blobs'> | null, heard: boolean, state: Uint8Array | null, timer: any }} Entry
 * owes: a box is in somebody's hands that the newest state does not know of; told: the newest record; snapshot: the newest result, and opened when somebody wants to read it; heard: the stop; state: the newest
 * snapshot that a run can be continued from
 */

/** One place for a worker, and what it is doing. */
class Slot {
  /** @type {import('./host.js').Host | null} */
  host = null;
  /** @type {Promise<import('./host.js').Host> | null} */
  booting = null;
  /** @type {Map<number, Call>} */
  calls = new Map();
  /** @type {Entry | null} */
  run = null;

  get load() {
    return this.calls.size + (this.run ? 1000 : 0);
  }
}

export class Pool {
  /** Workers that died so far; what they held in memory is gone. */
  crashes = 0;
  /** @type {Slot[]} */
  #slots = [];
  /** @type {Entry[]} */
  #waiting = [];
  #next = 1;
  #closed = new AbortController();
  #of;
  /** Until there has been nothing to do for a while. @type {any} */
  #idle;

  /**
   * @param {import('./load.js').Code} code @param {URL} url of worker.js @param {number} size most workers at once
   * @param {'solver' | 'store'} role
   */
  constructor(code, url, size, role) {
    this.#of = { code, url, size, role };
  }

  /** Boots one worker, so that the first request finds it ready. */
  async start() {
    await this.#host(this.#slot(true));
    this.#resting();
  }

  /** Waits for a rest to fetch what a first solve does without. In Node the file is read when it is called. */
  #resting() {
    clearTimeout(this.#idle);
    if (!inBrowser || !this.#of.code.files?.second || this.#of.code.second || this.#closed.signal.aborted) return;
    this.#idle = setTimeout(async () => {
      if (this.#slots.some((slot) => slot.run)) return; // its end begins another rest
      await complete(this.#of.code);
      const { second } = this.#of.code;
      if (second) { for (const { host: made } of this.#slots) made?.post({ type: "second", second }); }
    }, REST_MS);
  }

  /** A worker with what it needs from the start: whoever saves runs calls the second part, and no worker can ask for what a page carries. */
  async #made(/** @type {(message: any) => void} */ receive) {
    const { files } = this.#of.code;
    if (inBrowser && (this.#of.role === "store" || files?.second?.startsWith("blob:"))) await complete(this.#of.code);
    return host(this.#of.url, this.#of.code, this.#of.role, receive, this.#closed.signal);
  }

  /**
   * One request and its reply.
   * @param {string} name @param {Uint8Array[]} parts
   * @returns {Promise<Reply>}
   */
  call(name, ...parts) {
    return new Promise((resolve, reject) => this.#send({ id: this.#next++, name, parts, resolve, reject }));
  }

  /**
   * Starts a run as soon as a worker is free.
   * @param {Job} job
   * @returns {{ ask(name: string, ...parts: Uint8Array[]): Promise<Reply>, stop(): void, cancel(reason: unknown): void, keep(): void, owe(): void }}
   *   ask sends a request to the worker of the run; stop keeps the best so far; cancel ends the
   *   worker at once; keep makes snapshots hold what it takes to continue the run; owe says
   *   that a box was given out of this process, or taken back, of which a continued run has to know
   */
  run(job) {
    /** @type {Entry} */
    const entry = {
      job,
      id: this.#next++,
      slot: null,
      posted: false,
      settled: false,
      stopping: false,
      keep: false,
      owes: false,
      told: null,
      snapshot: null,
      opened: null,
      heard: false,
      state: null,
      timer: undefined,
    };
    if (this.#closed.signal.aborted) {
      this.#settle(entry, () => job.fail(closed()));
    } else {
      this.#waiting.push(entry);
      this.#pump();
    }
    return {
      ask: (name, ...more) =>
        new Promise((resolve, reject) => {
          if (entry.settled || !entry.posted) reject(closed());
          else this.#send({ id: this.#next++, name, parts: more, resolve, reject }, entry.slot);
        }),
      stop: () => this.#stop(entry),
      keep: () => {
        entry.keep = true;
        if (entry.posted) entry.slot?.host?.post({ type: "keep", id: entry.id });
      },
      owe: () => void (entry.owes = true),
      cancel: (reason) => this.#cancel(entry, reason),
    };
  }

  /** Ends every worker; what is pending rejects with code closed. */
  close() {
    if (this.#closed.signal.aborted) return;
    this.#closed.abort();
    clearTimeout(this.#idle);
    for (const entry of this.#waiting.splice(0)) this.#fail(entry, closed());
    for (const slot of this.#slots.splice(0)) {
      slot.host?.end();
      if (slot.run) this.#fail(slot.run, closed());
      for (const call of slot.calls.values()) call.reject(closed());
    }
  }

  // ---- workers

  /** The slot to use next: an idle one, a new one while there may be more, or the least busy. @param {boolean} [forCall] */
  #slot(forCall = false) {
    const idle = this.#slots.find((slot) => slot.load === 0);
    if (idle) return idle;
    if (this.#slots.length < this.#of.size && !(forCall && this.#slots.some((slot) => !slot.run))) {
      const slot = new Slot();
      this.#slots.push(slot);
      return slot;
    }
    return this.#slots.reduce((a, b) => (b.load < a.load ? b : a));
  }

  /**
   * The slot's worker, booted when there is none. A worker dropped while it boots is ended when it
   * is ready, and its promise stays open: what waited for it was moved or settled by who dropped it.
   * @param {Slot} slot @returns {Promise<import('./host.js').Host>}
   */
  #host(slot) {
    if (slot.booting) return slot.booting;
    /** @type {Promise<import('./host.js').Host>} */
    const booting = new Promise((resolve, reject) => {
      const dropped = () => slot.booting !== booting;
      this.#made((message) => {
        if (slot.booting === booting) this.#receive(slot, message);
      }).then((made) => {
        if (dropped() || this.#closed.signal.aborted) {
          made.end();
          if (!dropped()) reject(closed());
          return;
        }
        slot.host = made;
        made.busy(slot.load > 0);
        resolve(made);
      }, (error) => {
        if (dropped()) return;
        slot.booting = null;
        reject(error);
      });
    });
    slot.booting = booting;
    return booting;
  }

  /** Ends the slot's worker; the next use boots another. @param {Slot} slot */
  #drop(slot) {
    slot.host?.end();
    slot.host = slot.booting = null;
  }

  // ---- calls

  /** Most workers at once. */
  get size() {
    return this.#of.size;
  }

  /** Runs that could start at once; negative when runs wait for a worker. */
  get spare() {
    const free = this.#slots.filter((slot) => !slot.run).length + this.#of.size - this.#slots.length;
    return this.#waiting.length > 0 ? -this.#waiting.length : free;
  }

  /** @param {Call} call @param {Slot | null} [to] the worker that must answer, when it matters which */
  #send(call, to = null) {
    if (this.#closed.signal.aborted) return call.reject(closed());
    const slot = to ?? this.#slot(true);
    slot.calls.set(call.id, call);
    slot.host?.busy(true);
    this.#host(slot).then(
      (made) => {
        if (slot.calls.get(call.id) === call) made.post({ type: "call", id: call.id, name: call.name, parts: call.parts });
      },
      (error) => {
        if (slot.calls.delete(call.id)) call.reject(error);
      },
    );
  }

  // ---- runs

  #pump() {
    while (this.#waiting.length > 0) {
      const slot = this.#slot();
      if (slot.run) return; // all are busy
      const entry = /** @type {Entry} */ (this.#waiting.shift());
      slot.run = entry;
      entry.slot = slot;
      slot.host?.busy(true);
      this.#host(slot).then(
        (made) => {
          if (slot.run !== entry) return;
          made.post({ type: "run", id: entry.id, parts: entry.job.parts });
          entry.posted = true;
          if (entry.keep) made.post({ type: "keep", id: entry.id });
          if (entry.stopping) this.#askToStop(entry);
        },
        (error) => {
          if (slot.run === entry) slot.run = null;
          this.#fail(entry, error);
        },
      );
    }
  }

  /** @param {Entry} entry @param {() => void} tell */
  #settle(entry, tell) {
    if (entry.settled) return;
    entry.settled = true;
    clearInterval(entry.timer);
    tell();
    this.#resting();
  }

  /** @param {Entry} entry @param {unknown} error */
  #fail(entry, error) {
    this.#settle(entry, () => entry.job.fail(error));
  }

  /** @param {Entry} entry */
  #stop(entry) {
    if (entry.settled || entry.stopping) return;
    entry.stopping = true;
    if (entry.posted) this.#askToStop(entry);
  }

  /** @param {Entry} entry */
  #askToStop(entry) {
    const slot = /** @type {Slot} */ (entry.slot);
    slot.host?.post({ type: "stop", id: entry.id });
    // One step of a large problem can outlast the wait. Then the last snapshot is the answer, unless something that was told would be lost.
    const asked = performance.now();
    entry.timer = setInterval(() => {
      if (entry.snapshot === null) return;
      entry.opened ??= open(entry.snapshot);
      const lost = saysLess(entry.opened.value.result, entry.told) || (entry.keep && (entry.owes || entry.state !== entry.snapshot));
      if (performance.now() - asked < (lost ? HUNG_MS : entry.heard ? LAST_STOP_MS : 0)) return;
      const { value, ...rest } = entry.opened;
      value.result.warnings.push("The solver was in the middle of a long step, so this is the best policy as of a moment earlier.");
      const { state } = entry;
      this.#settle(entry, () => {
        if (state) entry.job.checkpoint(state, true);
        entry.job.done({ value: value.result, ...rest });
      });
      this.#replace(entry);
    }, STOP_MS);
  }

  /** @param {Entry} entry @param {unknown} reason */
  #cancel(entry, reason) {
    if (entry.settled) return;
    this.#fail(entry, reason);
    if (entry.slot === null) {
      this.#waiting = this.#waiting.filter((other) => other !== entry);
      return;
    }
    this.#replace(entry);
  }

  /** Ends the worker of a run and moves the calls it had to another. @param {Entry} entry */
  #replace(entry) {
    const { slot } = entry;
    if (slot === null || slot.run !== entry) return;
    slot.run = null;
    this.#drop(slot);
    this.#move(slot);
    this.#pump();
  }

  /** @param {Slot} slot */
  #move(slot) {
    const calls = [...slot.calls.values()];
    slot.calls.clear();
    for (const call of calls) this.#send(call);
  }

  // ---- what workers say

  /** @param {Slot} slot @param {any} message */
  #receive(slot, message) {
    const entry = slot.run;
    if (message.type === "reply") this.#reply(slot, message);
    else if (message.type === "crash") this.#crashed(slot, message);
    else if (entry?.id === message.id) this.#news[message.type]?.(/** @type {Entry} */ (entry), message, slot); // else late news of a run that is over
  }

  /** @param {Slot} slot @param {{ id: number, bytes: Uint8Array, blobs?: Uint8Array[] }} message */
  #reply(slot, { id, bytes, blobs = [] }) {
    const call = slot.calls.get(id);
    slot.calls.delete(id);
    this.#rest(slot);
    if (call) answer(bytes, (reply) => call.resolve({ ...reply, blobs }), call.reject);
  }

  /** What is heard of a run, by its type. @type {Record<string, (entry: Entry, message: any, slot: Slot) => void>} */
  #news = {
    begun: (entry, { bytes }) => answer(bytes, ({ value }) => entry.job.begun(value), (error) => this.#fail(entry, error)),
    progress: (entry, { bytes }) =>
      entry.settled || answer(bytes, ({ value }) => {
        entry.told = value.progress.at(-1) ?? entry.told;
        entry.job.progress(withPolicy(value));
      }, () => {}),
    snapshot: (entry, { bytes, kept }) => {
      Object.assign(entry, { snapshot: bytes, opened: null, heard: entry.stopping }, kept && { owes: false, state: bytes });
      if (kept && !entry.settled) entry.job.checkpoint(bytes, false);
    },
    done: (entry, { bytes, memory }, slot) => {
      slot.run = null;
      if (memory > RECYCLE_BYTES && slot.calls.size === 0) this.#drop(slot);
      this.#rest(slot);
      answer(bytes, ({ value, ...rest }) =>
        this.#settle(entry, () => {
          entry.job.progress(value.progress);
          if (rest.columns["state.numbers"]) entry.job.checkpoint(bytes, true);
          entry.job.done({ value: value.result, ...rest });
        }), (error) => this.#fail(entry, error));
      this.#pump();
    },
  };

  /** @param {Slot} slot */
  #rest(slot) {
    if (slot.load === 0) slot.host?.busy(false);
  }

  /** @param {Slot} slot @param {{ message: string, lines: string[], id?: number }} crash */
  #crashed(slot, crash) {
    this.crashes++;
    const { run } = slot;
    slot.run = null;
    this.#drop(slot);
    const error = () => new RcmdpError("crashed", `${crash.message} Nothing that was saved is lost, and a new solver is ready.`, { details: crash.lines });
    const guilty = crash.id === undefined ? undefined : slot.calls.get(crash.id);
    if (guilty) {
      slot.calls.delete(guilty.id);
      guilty.reject(error());
    } else if (!run) { // a death without a word: whatever it was doing would only kill the next one
      for (const call of slot.calls.values()) call.reject(error());
      slot.calls.clear();
    }
    if (run) this.#fail(run, error());
    this.#move(slot);
    if (!this.#closed.signal.aborted && !this.#slots.some((other) => other.booting)) this.#host(slot).then(() => this.#rest(slot), () => {});
    this.#pump();
  }
}

/** News with the best policy in its newest record, where it belongs. @param {{ progress: { best?: { policy?: number[][] } }[], policy?: number[][] }} news */
function withPolicy({ progress, policy }) {
  const best = progress.at(-1)?.best;
  if (policy && best) best.policy = policy;
  return progress;
}

/**
 * Whether a result lacks what a record of its run told: a bound, or a policy as good. Rounding may take the last digits.
 * @param {any} result @param {any} told
 */
function saysLess({ objective = {}, feasible }, told) {
  const below = (/** @type {number | null | undefined} */ x, /** @type {number | null | undefined} */ than) =>
    typeof than === "number" && !(typeof x === "number" && x >= than - 1e-8 * Math.max(1, Math.abs(than)));
  const turned = (/** @type {number | null | undefined} */ x) => (typeof x === "number" ? -x : null);
  if (below(objective.lowerBound, told?.lowerBound) || below(turned(objective.upperBound), turned(told?.upperBound))) return true;
  if (!told?.best?.feasible) return false;
  const [now, then] = [objective.value, told.best.objective];
  return !feasible || (objective.sense === "maximize" ? below(now, then) : below(turned(now), turned(then)));
}

/** @param {Uint8Array} bytes @param {(reply: Omit<Reply, 'blobs'>) => void} resolve @param {(error: unknown) => void} reject */
function answer(bytes, resolve, reject) {
  let reply;
  try {
    reply = open(bytes);
  } catch (error) {
    return reject(error);
  }
  resolve(reply);
}

export const closed = () => new RcmdpError("closed", "The solver was closed.");
