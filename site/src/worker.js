// @ts-check
// worker.js — boots Go and is the only file that touches it. The build puts Go's own glue
// (wasm_exec.js, which defines globalThis.Go) in front of it. It runs as a classic worker in a
// browser and as a worker thread in Node, in one of two roles, "solver" or "store".
//
// From the page: {type: "boot", module, role}, {type: "call", id, name, parts},
// {type: "run", id, parts}, {type: "keep", id}, {type: "stop", id}. To the page: "ready", "reply", "progress",
// "snapshot", "done", each with bytes that package wire packed, and "crash".

/** One slice of a run: long enough to cost nothing, short enough to answer at once. */
const SLICE_SECONDS = 0.016;
/** News reaches the page at most this often. */
const NEWS_MS = 50;
/** The first snapshot of a run comes after this time, so that there is soon something to keep; then its result is told in this interval, for whoever stops it, */
const FIRST_SNAPSHOT_MS = 100;
const RESULT_MS = 500;
/** and what it takes to continue, when that is kept, in this one. */
const STATE_MS = 3000;
const RESULT_ALONE = new Uint8Array([1]);
/** How much of what Go printed is kept for the crash report. */
const LINES_KEPT = 50;

/** @typedef {{ call: (name: string, ...parts: Uint8Array[]) => any, step: (budget: number, news: boolean) => any }} Exports */

(async () => {
  const g = /** @type {any} */ (globalThis);
  /** @type {(message: any, transfer?: any[]) => void} */
  let post;
  /** @type {(handler: (message: any) => void) => void} */
  let listen;
  if (typeof g.postMessage === "function" && typeof g.addEventListener === "function") {
    post = (message, transfer = []) => g.postMessage(message, transfer);
    listen = (handler) => g.addEventListener("message", (/** @type {MessageEvent} */ event) => handler(event.data));
  } else {
    const { parentPort } = await import("node:worker_threads");
    const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
    post = (message, transfer = []) => port.postMessage(message, transfer);
    listen = (handler) => port.on("message", handler);
  }

  /** What Go printed: stack traces of panics, "out of memory". @type {string[]} */
  const lines = [];
  const decoder = new TextDecoder();
  let rest = "";
  /** @param {number} _fd @param {Uint8Array} bytes */
  const print = (_fd, bytes) => {
    const parts = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = /** @type {string} */ (parts.pop());
    lines.push(...parts);
    if (lines.length > 4 * LINES_KEPT) lines.splice(0, lines.length - 2 * LINES_KEPT);
    return bytes.length;
  };

  /** @type {Exports | undefined} */
  let go;
  /** @type {WebAssembly.Memory | undefined} */
  let memory;
  let broken = false;
  /** @type {number | undefined} */
  let exitCode;
  /** The request being answered. @type {number | undefined} */
  let current;
  /** The run in progress. @type {number | undefined} */
  let running;
  /** Whether its snapshots and its end hold what it takes to continue it. */
  let kept = false;
  /** When the next snapshot is due, and the next that holds what it takes to continue. */
  let due = 0;
  let stateDue = 0;

  /** @param {string} message */
  function crash(message) {
    if (broken) return;
    broken = true;
    // A panic is what matters; its stack comes after it and may be longer than what is kept.
    const from = Math.max(0, lines.findLastIndex((line) => /^(panic: |fatal error: |runtime: )/.test(line)));
    if (exitCode !== undefined) message = `The solver's program ended (exit code ${exitCode}).`;
    post({ type: "crash", id: current, run: running, message, lines: [...lines.slice(from), rest].slice(0, LINES_KEPT) });
  }

  /** @param {string} type @param {number} id @param {Uint8Array} bytes */
  const give = (type, id, bytes, more = {}) => post({ type, id, bytes, ...more }, [bytes.buffer]);

  /** Lets messages of the page in. In a browser a timer would wait 4 ms and a message channel does
   * not; in Node a message channel keeps the event loop to itself. @type {() => Promise<void>} */
  let tick;
  if (typeof g.setImmediate === "function") {
    tick = () =>
      new Promise((resolve) => {
        g.setImmediate(resolve);
      });
  } else {
    const channel = new MessageChannel();
    let ticked = () => {};
    channel.port1.onmessage = () => ticked();
    tick = () =>
      new Promise((resolve) => {
        ticked = resolve;
        channel.port2.postMessage(0);
      });
  }

  /** A pause while others work on what is left. @returns {Promise<void>} */
  const pause = () =>
    new Promise((resolve) => {
      setTimeout(resolve, 5);
    });

  /** Calls Go; undefined means that it broke. @template T @param {() => T} f @returns {T | undefined} */
  function enter(f) {
    if (broken) return undefined;
    try {
      const value = f();
      if (value === undefined) crash("The solver ran into a fault of its own.");
      return value;
    } catch (error) {
      crash(String(/** @type {any} */ (error)?.message ?? error));
      return undefined;
    }
  }

  /** @param {number} id @param {string} name @param {Uint8Array[]} parts */
  async function call(id, name, parts) {
    current = id;
    const value = enter(() => /** @type {Exports} */ (go).call(name, ...parts));
    if (value instanceof Promise) { // the store
      current = undefined;
      const reply = await value;
      if (reply === undefined) return crash("The store ran into a fault of its own.");
      const [bytes, ...blobs] = reply;
      post({ type: "reply", id, bytes, blobs }, reply.map((/** @type {Uint8Array} */ b) => b.buffer));
    } else if (value !== undefined) {
      give("reply", id, value);
    }
    current = undefined;
  }

  /** @param {number} id @param {Uint8Array[]} parts */
  async function run(id, parts) {
    running = id;
    kept = false;
    const solver = /** @type {Exports} */ (go);
    const begun = enter(() => solver.call("begin", ...parts));
    if (begun === undefined) return;
    give("begun", id, begun);
    let told = 0;
    let rested = 0;
    due = stateDue = performance.now() + FIRST_SNAPSHOT_MS;
    while (running === id) {
      const now = performance.now();
      const news = now - told >= NEWS_MS;
      const reply = enter(() => solver.step(SLICE_SECONDS, news));
      if (reply === undefined) return;
      if (reply?.done) {
        running = undefined;
        give("done", id, reply.bytes, { kept, memory: memory?.buffer.byteLength ?? 0 });
        return;
      }
      if (reply) {
        told = now;
        give("progress", id, reply.bytes);
        if (reply.better) due = Math.min(due, rested); // what the page shows is what a stop keeps
      }
      const begin = performance.now();
      if (begin >= due) {
        const whole = kept && begin >= stateDue;
        const bytes = enter(() => (whole ? solver.call("snapshot") : solver.call("snapshot", RESULT_ALONE)));
        if (bytes === undefined) return;
        give("snapshot", id, bytes, { kept: whole });
        const end = performance.now();
        const rest = 20 * (end - begin); // it may cost a twentieth of the time
        rested = end + rest;
        due = end + Math.max(RESULT_MS, rest);
        if (whole) stateDue = end + Math.max(STATE_MS, rest);
      }
      await (reply === false ? pause() : tick());
    }
  }

  /** @param {WebAssembly.Module} module @param {string} role */
  async function boot(module, role) {
    if (g.fs) g.fs.writeSync = print;
    const program = new g.Go();
    program.argv = [role];
    program.env = {};
    program.exit = (/** @type {number} */ code) => {
      exitCode = code;
    };
    const loops = g.rcmdpLoops?.(); // loops.js, when the build has put it in front
    const imports = loops ? { ...program.importObject, vector: loops.imports } : program.importObject;
    const instance = await WebAssembly.instantiate(module, imports);
    memory = /** @type {WebAssembly.Memory} */ (instance.exports.mem);
    loops?.connect(memory);
    const ended = program.run(instance);
    go = g.rcmdp;
    ended.then(() => crash("The solver's program ended."), (/** @type {any} */ error) => crash(String(error?.message ?? error)));
    if (go) post({ type: "ready" });
  }

  listen((message) => {
    switch (message.type) {
      case "boot":
        boot(message.module, message.role).catch((error) => crash(String(error?.message ?? error)));
        break;
      case "call":
        call(message.id, message.name, message.parts);
        break;
      case "run":
        run(message.id, message.parts);
        break;
      case "keep":
        if (running === message.id && !kept) {
          kept = true;
          enter(() => /** @type {Exports} */ (go).call("keep"));
          due = stateDue = performance.now() + FIRST_SNAPSHOT_MS;
        }
        break;
      case "stop":
        if (running === message.id) enter(() => /** @type {Exports} */ (go).call("stop"));
        break;
    }
  });
})();
