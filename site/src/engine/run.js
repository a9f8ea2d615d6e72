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
  #resolve;
  #reject;
  #stop = () => {};
  /** @type {{ split: () => Promise<Uint8Array | null>, join: (result: Uint8Array) => Promise<boolean> } | null} */
  #share = null;

  /** @param {string} id */
  constructor(id) {
    this.id = id;
    let resolve, reject;
    /** @type {Promise<R>} */
    this.result = new Promise((a, b) => {
      resolve = a;
      reject = b;
    });
    this.#resolve = /** @type {(result: R) => void} */ (/** @type {unknown} */ (resolve));
    this.#reject = /** @type {(error: unknown) => void} */ (/** @type {unknown} */ (reject));
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
    const reader = new Reader(() => this.#readers.delete(reader));
    for (const record of this.#buffer) reader.add(record);
    if (this.#over) reader.end(this.#error);
    else this.#readers.add(reader);
    this.#buffer = []; // the first reader gets what came before it, a later one what comes after
    return reader;
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
        for (const reader of run.#readers) reader.add(record);
      }
    },
    /** @param {Run<any, any>} run @param {any} result */
    done(run, result) {
      run.#finish(undefined);
      run.#resolve(result);
    },
    /** @param {Run<any, any>} run @param {unknown} error */
    fail(run, error) {
      run.#finish(error);
      run.#reject(error);
    },
  };

  /** @param {unknown} error */
  #finish(error) {
    this.#over = true;
    this.#error = error;
    for (const reader of this.#readers) reader.end(error);
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

/** One `for await`: a queue between the run and the reader. @template P @implements {AsyncIterator<P>} */
class Reader {
  /** @type {P[]} */
  #queue = [];
  #over = false;
  /** @type {unknown} */
  #error;
  /** @type {{ resolve: (r: IteratorResult<P>) => void, reject: (e: unknown) => void }[]} */
  #waiting = [];
  #leave;

  /** @param {() => void} leave */
  constructor(leave) {
    this.#leave = leave;
  }

  /** @param {P} record */
  add(record) {
    const waiting = this.#waiting.shift();
    if (waiting) waiting.resolve({ value: record, done: false });
    else keep(this.#queue, record);
  }

  /** @param {unknown} error */
  end(error) {
    this.#over = true;
    this.#error = error;
    const [first, ...others] = this.#waiting.splice(0);
    if (first) this.#last(first);
    for (const waiting of others) waiting.resolve({ value: undefined, done: true });
  }

  /** The error is told once, then the iteration is over. @param {{ resolve: (r: IteratorResult<P>) => void, reject: (e: unknown) => void }} waiting */
  #last({ resolve, reject }) {
    const error = this.#error;
    this.#error = undefined;
    if (error === undefined) resolve({ value: undefined, done: true });
    else reject(error);
  }

  /** @returns {Promise<IteratorResult<P>>} */
  next() {
    return new Promise((resolve, reject) => {
      const record = this.#queue.shift();
      if (record !== undefined) resolve({ value: record, done: false });
      else if (this.#over) this.#last({ resolve, reject });
      else this.#waiting.push({ resolve, reject });
    });
  }

  /** Leaving a loop early does not stop the run. @returns {Promise<IteratorResult<P>>} */
  async return() {
    this.#leave();
    this.#over = true;
    this.#error = undefined;
    this.#queue = [];
    return { value: undefined, done: true };
  }

  [Symbol.asyncIterator]() {
    return this;
  }
}
