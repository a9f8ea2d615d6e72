// @ts-check
// run.js — a Run: the progress records as an async iterable, the result as a promise.

/** Records of outer steps that are kept for a reader who is slow; the result's trace has them all. */
const STEPS_KEPT = 10000;

/** @typedef {import('../rcmdp.js').Progress} Progress */

/**
 * @template [R=import('../rcmdp.js').Result]
 * @template [P=Progress]
 */
export class Run {
  /** @type {P[]} */
  #buffer = [];
  /** @type {Set<Reader<P>>} */
  #readers = new Set();
  #over = false;
  /** @type {unknown} */
  #error;
  /** How the result ends. */
  #end = { resolve: (/** @type {R} */ _result) => {}, reject: (/** @type {unknown} */ _error) => {} };
  #stop = () => {};
  /** @type {{ split: () => Promise<Uint8Array | null>, join: (result: Uint8Array) => Promise<boolean> } | null} */
  #share = null;

  /** @param {string} id */
  constructor(id) {
    this.id = id;
    /** @type {Promise<R>} */
    this.result = new Promise((resolve, reject) => Object.assign(this.#end, { resolve, reject }));
    this.result.catch(() => {}); // whoever only iterates meets the error there
  }

  stop() {
    this.#stop();
  }

  async split() {
    return this.#over || !this.#share ? null : this.#share.split();
  }

  /** @param {Uint8Array} result */
  async join(result) {
    return !this.#over && this.#share !== null && this.#share.join(result);
  }

  [Symbol.asyncIterator]() {
    /** @type {Reader<P>} */
    const reader = { queue: this.#buffer, over: this.#over, error: this.#error, wake: () => {} };
    if (!this.#over) this.#readers.add(reader);
    this.#buffer = []; // the first reader gets what came before it, a later one what comes after
    return read(reader, () => this.#readers.delete(reader));
  }

  /** The driver's side, out of the caller's sight. */
  static control = {
    /** @param {Run<any, any>} run @param {() => void} stop */
    onStop(run, stop) {
      run.#stop = stop;
    },
    /** @param {Run<any, any>} run @param {{ split: () => Promise<Uint8Array | null>, join: (result: Uint8Array) => Promise<boolean> }} share */
    onShare(run, share) {
      run.#share = share;
    },
    /** @param {Run<any, any>} run @param {any[]} records */
    add(run, records) {
      for (const record of records) {
        if (run.#readers.size === 0) keep(run.#buffer, record);
        for (const { queue } of run.#readers) keep(queue, record);
      }
      for (const { wake } of run.#readers) wake();
    },
    /** @param {Run<any, any>} run @param {any} result */
    done(run, result) {
      run.#finish(undefined);
      run.#end.resolve(result);
    },
    /** @param {Run<any, any>} run @param {unknown} error */
    fail(run, error) {
      run.#finish(error);
      run.#end.reject(error);
    },
  };

  /** @param {unknown} error */
  #finish(error) {
    this.#over = true;
    this.#error = error;
    for (const reader of this.#readers) Object.assign(reader, { over: true, error }).wake();
    this.#readers.clear();
  }
}

/** In-between news is worth only its newest record. @template P @param {P[]} queue @param {P} record */
function keep(queue, record) {
  const last = /** @type {any} */ (queue.at(-1));
  if (last && last.step === false) queue.pop();
  queue.push(record);
  if (queue.length > STEPS_KEPT) queue.shift();
}

/**
 * One `for await`: a queue between the run and the reader. Leaving it early does not stop the run.
 * @template P @typedef {{ queue: P[], over: boolean, error: unknown, wake: () => void }} Reader wake: there is news
 */

/**
 * The records of a reader as they come; an error is told when all are read.
 * @template P
 * @param {Reader<P>} reader @param {() => void} leave
 * @returns {AsyncGenerator<P, void, void>}
 */
async function* read(reader, leave) {
  try {
    for (;;) {
      while (reader.queue.length > 0) yield /** @type {P} */ (reader.queue.shift());
      if (reader.over) break;
      await new Promise((resolve) => reader.wake = () => resolve(undefined));
    }
    if (reader.error !== undefined) throw reader.error;
  } finally {
    leave();
  }
}
