// @ts-check
// worker.js — boots Go and is the only file that touches it. The build puts Go's own glue
// (wasm_exec.js, which defines globalThis.Go) in front of it. It runs as a classic worker in a
// browser and as a worker thread in Node, in one of two roles, "solver" or "store".
//
// From the page: {type: "boot", module, files, role}, {type: "second", second}, {type: "call", id, name, parts},
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
/** The names of functions in a crash report are waited for so long. */
const NAMES_MS = 2000;
/** How much of what Go printed is kept for the crash report. */
const LINES_KEPT = 50;

/**
 * What Go hangs on the globals: replies are bytes, a store's a promise of bytes and blobs. A step is null when there is
 * no news, false when all that is left is with others; undefined means that Go broke.
 * @typedef {{ bytes: Uint8Array, done?: boolean, better?: boolean }} Step
 * @typedef {{ call: (name: string, ...parts: Uint8Array[]) => Uint8Array | Promise<Uint8Array[] | undefined> | undefined, step: (budget: number, news: boolean) => Step | false | null | undefined }} Exports
 */
/** @typedef {{ type: string, id?: number, bytes?: Uint8Array, [more: string]: unknown }} Told a message to the page */
/**
 * What belongs to the wasm and lies beside it: addresses. names: of its functions; second: what is added to it when one
 * of its functions is called, which not every solve does.
 * @typedef {{ names?: string, second?: string }} Files
 */
/** @typedef {{ type: "boot", module: WebAssembly.Module, files?: Files, second?: WebAssembly.Module, role: string } | { type: "second", second: WebAssembly.Module } | { type: "call", id: number, name: string, parts: Uint8Array[] } | { type: "run", id: number, parts: Uint8Array[] } | { type: "keep" | "stop", id: number }} Asked a message of the page */
/** @typedef {(message: Told, transfer?: ArrayBuffer[]) => void} Tell */

/** The globals of a worker, or of a thread of Node; what Go and the build add to them. */
const globals = /** @type {any} */ (globalThis);

/** How messages go and come here. @returns {Promise<{ tell: Tell, listen: (handler: (message: Asked) => void) => void }>} */
async function messages() {
  // A thread first: in Bun and Deno it has the globals of the web's workers as well, and they do not reach whoever made it.
  const port = globals.process?.versions?.node ? (await import("node:worker_threads")).parentPort : null;
  if (port) return { tell: (message, transfer = []) => port.postMessage(message, transfer), listen: (handler) => port.on("message", handler) };
  return {
    tell: (message, transfer = []) => globals.postMessage(message, transfer),
    listen: (handler) => globals.addEventListener("message", (/** @type {MessageEvent} */ event) => handler(event.data)),
  };
}

/**
 * Lets messages of the page in. In a browser a timer would wait 4 ms and a message channel does
 * not; in Node a message channel keeps the event loop to itself.
 * @returns {() => Promise<void>}
 */
function ticker() {
  if (typeof globals.setImmediate === "function") {
    return () => new Promise((resolve) => void globals.setImmediate(resolve));
  }
  const channel = new MessageChannel();
  let ticked = () => {};
  channel.port1.onmessage = () => ticked();
  return () =>
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

/** What Go printed: stack traces of panics, "out of memory". */
class Printed {
  /** @type {string[]} */
  #lines = [];
  #decoder = new TextDecoder();
  #rest = "";

  /** Takes the place of Go's write to a file. @param {number} _fd @param {Uint8Array} bytes */
  write = (_fd, bytes) => {
    const parts = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split("\n");
    this.#rest = /** @type {string} */ (parts.pop());
    this.#lines.push(...parts);
    if (this.#lines.length > 4 * LINES_KEPT) this.#lines.splice(0, this.#lines.length - 2 * LINES_KEPT);
    return bytes.length;
  };

  /** The lines that a crash report shows. A panic is what matters; its stack comes after it and may be longer than what is kept. */
  report() {
    const from = Math.max(0, this.#lines.findLastIndex((line) => /^(panic: |fatal error: |runtime: )/.test(line)));
    return [...this.#lines.slice(from), this.#rest].slice(0, LINES_KEPT);
  }
}

/** A file of the build, as text. @param {string} url */
async function text(url) {
  if (typeof globals.process !== "object" || !url.startsWith("file:")) return (await fetch(url)).text();
  const { readFile } = await import("node:fs/promises");
  return readFile(new URL(url), "utf8");
}

/**
 * A file of the build at once: whoever asks is in the middle of a call of Go's.
 * @param {string} url @returns {BufferSource}
 */
let readNow = (url) => {
  const request = new XMLHttpRequest();
  request.open("GET", url, false);
  request.responseType = "arraybuffer";
  request.send();
  if (request.status !== 200) throw new Error(`${url} answered ${request.status}`);
  return request.response;
};

/**
 * A trace with its functions named: in a packed wasm they have numbers in sixteen letters, and the file has a line for each:
 * its name, its files, and the line in them for each place that it goes on from after a call.
 * @param {string[]} lines @param {string} names
 */
function named(lines, names) {
  const functions = names.split("\n");
  let files = "", places = "";
  return lines.map((line) => {
    const place = /^\t\?:0( \+(0x\w+))?/.exec(line);
    if (place && files) {
      const all = places.split(","), at = all[Math.min(Math.max(Number(place[2] ?? 0) - 1, 0), all.length - 1)];
      const [number, file = "0"] = at.split(":").reverse();
      return `\t${files.split(" ")[Number(file)]}:${number}${line.slice(4)}`;
    }
    return line.replace(/(?:runtime)?\.#([a-p]{4})/g, (all, letters) => {
      const number = [...letters].reduce((n, letter) => 16 * n + letter.charCodeAt(0) - 97, 0);
      let name = all;
      [name, files, places] = functions[number]?.split("\t") ?? [all, "", ""];
      return name;
    });
  });
}

/** Go's program: booted once, and gone for good when it breaks. */
class Program {
  #tell;
  #printed = new Printed();
  /** @type {Exports | undefined} */
  #go;
  /** @type {WebAssembly.Memory | undefined} */
  #memory;
  /** @type {Files} */
  #files = {};
  /** The second part, when the page has it already. @type {WebAssembly.Module | undefined} */
  second;
  #broken = false;
  /** @type {number | undefined} */
  #exitCode;
  /** The request being answered. @type {number | undefined} */
  current;
  /** The run in progress. @type {number | undefined} */
  running;

  /** @param {Tell} tell */
  constructor(tell) {
    this.#tell = tell;
  }

  /** Bytes that Go's memory takes. */
  get memory() {
    return this.#memory?.buffer.byteLength ?? 0;
  }

  /** @param {WebAssembly.Module} module @param {string} role @param {Files} [files] */
  async boot(module, role, files = {}) {
    this.#files = files;
    if (globals.fs) globals.fs.writeSync = this.#printed.write;
    const program = new globals.Go();
    Object.assign(program, { argv: [role], env: {}, exit: (/** @type {number} */ code) => void (this.#exitCode = code) });
    const loops = globals.rcmdpLoops?.(); // loops.js, when the build has put it in front
    const imports = { ...program.importObject, ...(loops ? { vector: loops.imports } : {}), rcmdp: { second: () => this.#complete(instance) } };
    if (files.second?.startsWith("file:") && globals.process) {
      const { readFileSync } = await import("node:fs");
      readNow = (url) => /** @type {BufferSource} */ (readFileSync(new URL(url)));
    }
    /** @type {WebAssembly.Instance} */
    const instance = await WebAssembly.instantiate(module, imports);
    this.#memory = /** @type {WebAssembly.Memory} */ (instance.exports.mem);
    loops?.connect(this.#memory);
    const ended = program.run(instance);
    this.#go = globals.rcmdp;
    ended.then(() => this.crash("The solver's program ended."), this.crashed);
    if (this.#go) this.#tell({ type: "ready" });
  }

  /** Go calls a function of the second part, which sets itself beside the first. @param {WebAssembly.Instance} instance */
  #complete(instance) {
    try {
      const module = this.second ?? new WebAssembly.Module(readNow(this.#files.second ?? ""));
      new WebAssembly.Instance(module, { first: instance.exports });
      this.second = undefined;
    } catch (cause) {
      throw new Error(`the second part of the solver could not be loaded: ${/** @type {Error} */ (cause).message}. Check the connection and try again`, {
        cause,
      });
    }
  }

  /** Something was thrown. @param {unknown} error */
  crashed = (error) => this.crash(String(/** @type {Error | undefined} */ (error)?.message ?? error));

  /** @param {string} message */
  crash(message) {
    if (this.#broken) return;
    this.#broken = true;
    if (this.#exitCode !== undefined) message = `The solver's program ended (exit code ${this.#exitCode}).`;
    const { current: id, running: run } = this, lines = this.#printed.report();
    const tell = (/** @type {string[]} */ named) => this.#tell({ type: "crash", id, run, message, lines: named });
    if (!this.#files.names || !lines.some((line) => line.includes(".#"))) return tell(lines);
    const late = new Promise((_resolve, reject) => {
      setTimeout(reject, NAMES_MS);
    });
    void Promise.race([text(this.#files.names), late]).then((names) => named(lines, names)).catch(() => lines).then(tell);
  }

  /** Calls Go; undefined means that it broke. @template T @param {(go: Exports) => T} f @returns {T | undefined} */
  enter(f) {
    if (this.#broken) return undefined;
    try {
      const value = f(/** @type {Exports} */ (this.#go));
      if (value === undefined) this.crash("The solver ran into a fault of its own.");
      return value;
    } catch (error) {
      this.crashed(error);
      return undefined;
    }
  }
}

/** A run in slices, with the page's messages between two. */
class Slices {
  #program;
  #tell;
  #tick = ticker();
  /** Whether its snapshots and its end hold what it takes to continue it. */
  #kept = false;
  /** When it last told of progress, and when a snapshot costs nothing to speak of. */
  #told = 0;
  #rested = 0;
  /** When the next snapshot is due, and the next that holds what it takes to continue. */
  #due = 0;
  #stateDue = 0;

  /** @param {Program} program @param {Tell} tell */
  constructor(program, tell) {
    this.#program = program;
    this.#tell = tell;
  }

  /** @param {string} type @param {number} id @param {Uint8Array} bytes */
  #give(type, id, bytes, more = {}) {
    this.#tell({ type, id, bytes, ...more }, [/** @type {ArrayBuffer} */ (bytes.buffer)]);
  }

  /** @param {number} id @param {Uint8Array[]} parts */
  async run(id, parts) {
    const program = this.#program;
    program.running = id;
    this.#kept = false;
    const begun = program.enter((go) => go.call("begin", ...parts));
    if (begun === undefined) return;
    this.#give("begun", id, /** @type {Uint8Array} */ (begun));
    this.#told = this.#rested = 0;
    this.#due = this.#stateDue = performance.now() + FIRST_SNAPSHOT_MS;
    while (program.running === id) {
      const reply = this.#slice(id);
      if (reply === undefined) return;
      if (performance.now() >= this.#due && !this.#snapshot(id)) return;
      await (reply === false ? pause() : this.#tick());
    }
  }

  /** One slice, and what came of it; undefined when that was the last. @param {number} id */
  #slice(id) {
    const program = this.#program;
    const now = performance.now();
    const reply = program.enter((go) => go.step(SLICE_SECONDS, now - this.#told >= NEWS_MS));
    if (!reply) return reply;
    if (reply.done) {
      program.running = undefined;
      this.#give("done", id, reply.bytes, { kept: this.#kept, memory: program.memory });
      return undefined;
    }
    this.#told = now;
    this.#give("progress", id, reply.bytes);
    if (reply.better) this.#due = Math.min(this.#due, this.#rested); // what the page shows is what a stop keeps
    return reply;
  }

  /** Tells what the run would end with now; false when Go broke. @param {number} id */
  #snapshot(id) {
    const begin = performance.now();
    const whole = this.#kept && begin >= this.#stateDue;
    const bytes = this.#program.enter((go) => (whole ? go.call("snapshot") : go.call("snapshot", RESULT_ALONE)));
    if (bytes === undefined) return false;
    this.#give("snapshot", id, /** @type {Uint8Array} */ (bytes), { kept: whole });
    const end = performance.now();
    const rest = 20 * (end - begin); // it may cost a twentieth of the time
    this.#rested = end + rest;
    this.#due = end + Math.max(RESULT_MS, rest);
    if (whole) this.#stateDue = end + Math.max(STATE_MS, rest);
    return true;
  }

  /** From now on the run can be continued. @param {number} id */
  keep(id) {
    if (this.#program.running !== id || this.#kept) return;
    this.#kept = true;
    this.#program.enter((go) => go.call("keep"));
    this.#due = this.#stateDue = performance.now() + FIRST_SNAPSHOT_MS;
  }

  /** Asks for the end, and tells what it would be now, for whoever does not wait for it. @param {number} id */
  stop(id) {
    if (this.#program.running !== id) return;
    this.#program.enter((go) => go.call("stop"));
    this.#stateDue = 0;
    this.#snapshot(id);
  }
}

/** Answers one request. @param {Program} program @param {Tell} tell @param {number} id @param {string} name @param {Uint8Array[]} parts */
async function answer(program, tell, id, name, parts) {
  program.current = id;
  const value = program.enter((go) => go.call(name, ...parts));
  if (value instanceof Promise) { // the store
    program.current = undefined;
    const reply = await value;
    if (reply === undefined) return program.crash("The store ran into a fault of its own.");
    const [bytes, ...blobs] = reply;
    tell({ type: "reply", id, bytes, blobs }, reply.map((b) => /** @type {ArrayBuffer} */ (b.buffer)));
  } else if (value !== undefined) {
    tell({ type: "reply", id, bytes: value }, [/** @type {ArrayBuffer} */ (value.buffer)]);
  }
  program.current = undefined;
}

void messages().then(({ tell, listen }) => {
  const program = new Program(tell);
  const slices = new Slices(program, tell);
  /** What the page says, by its type. @type {Record<string, (message: any) => unknown>} */
  const heard = {
    boot: ({ module, role, files, second }) => Object.assign(program, { second }).boot(module, role, files).catch(program.crashed),
    second: ({ second }) => Object.assign(program, { second }),
    call: ({ id, name, parts }) => answer(program, tell, id, name, parts),
    run: ({ id, parts }) => slices.run(id, parts),
    keep: ({ id }) => slices.keep(id),
    stop: ({ id }) => slices.stop(id),
  };
  listen((message) => heard[message.type]?.(message));
});
