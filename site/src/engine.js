// @ts-check
// engine.js — the public API, built into rcmdp.js. Everything a caller sees is described in
// rcmdp.d.ts; here the calls are put together from loading, workers, runs and storage.

import { crew } from "./engine/crew.js";
import { beside, load } from "./engine/load.js";
import { inBrowser } from "./engine/host.js";
import { own } from "./engine/claims.js";
import { judge } from "./engine/judge.js";
import { encode, RcmdpError } from "./engine/message.js";
import { workOn } from "./engine/part.js";
import { Pool } from "./engine/pool.js";
import { Run } from "./engine/run.js";
import { parseProblem } from "./engine/records.js";
import { SavedRuns } from "./engine/runs.js";

export { RcmdpError };

/**
 * @typedef {import('./rcmdp.js').Problem} Problem
 * @typedef {import('./rcmdp.js').Solver} SolverApi
 */

/** More workers than this only share the same memory bandwidth. */
const MOST_WORKERS = 8;

/**
 * Starts the solver: loads and compiles the wasm once and boots a first worker with it.
 * @type {typeof import('./rcmdp.js').openSolver}
 */
export async function openSolver(options = {}) {
  const { workers = cores(), wasmURL, secondURL, workerURL, runsFolder, shared = {}, onProgress = () => {} } = options ?? {};
  if (!Number.isInteger(workers) || workers < 1 || workers > 64) {
    throw new RcmdpError("invalid-option", `workers: got ${String(workers)}; want a whole number from 1 to 64.`);
  }
  const wasm = locate(wasmURL ?? placed(() => new URL("./rcmdp.wasm", import.meta.url)), "rcmdp.wasm");
  const worker = locate(workerURL ?? placed(() => new URL("./worker.js", import.meta.url)), "worker.js");
  const second = secondURL === undefined ? undefined : locate(secondURL, "the second part of rcmdp.wasm");
  const here = wasmURL === undefined ? parts() : {};
  const begin = async (/** @type {URL} */ from) => {
    const module = await compiled(shared, () => load(from, onProgress));
    onProgress({ phase: "start", loaded: 1, total: 1 });
    /** @type {import("./engine/load.js").Code} */
    const code = { module, files: beside(module, from, second, here) };
    const pool = new Pool(code, worker, workers, "solver");
    try {
      await pool.start();
      const { value: version } = await pool.call("version");
      onProgress({ phase: "ready", loaded: 1, total: 1 });
      return new Solver(pool, version, storeOf(runsFolder, () => new Pool(code, worker, 1, "store")), databaseName(worker));
    } catch (error) {
      pool.close();
      throw error;
    }
  };
  return begin(wasm).catch((error) => {
    const plain = asLinked(wasm, here.plain, error);
    if (!plain) throw wasmURL === undefined ? notCopied(error) : error;
    delete shared.module;
    return begin(plain).catch(() => {
      throw error;
    });
  });
}

/**
 * Where the solver is as it was linked, for a browser that cannot start it packed.
 * @param {URL} wasm @param {URL | undefined} there @param {any} error why not
 */
function asLinked(wasm, there, error) {
  const is = typeof __PLAIN_WASM__ === "string" && __PLAIN_WASM__ !== "" && inBrowser && wasm.protocol !== "blob:";
  if (!is || !(error?.code === "crashed" || /could not be compiled/.test(error?.message))) return null;
  return /Content-Security-Policy|different builds/.test(error.message) ? null : there ?? new URL(__PLAIN_WASM__, wasm);
}

/**
 * What belongs to the wasm, where a bundler has put it. Bundlers copy the files that are named whole in
 * new URL("…", import.meta.url), and only those: nothing of it may be put together.
 * @returns {Record<string, URL | undefined>}
 */
function parts() {
  if (typeof __SECOND_FILE__ !== "string") return {}; // the wasm says what lies beside it
  return {
    second: locate(placed(() => new URL(__SECOND_FILE__, import.meta.url)), __SECOND_FILE__),
    names: locate(placed(() => new URL(__NAMES_FILE__, import.meta.url)), __NAMES_FILE__),
    plain: locate(placed(() => new URL(__PLAIN_FILE__, import.meta.url)), __PLAIN_FILE__),
  };
}

/** A file of the library. @param {() => URL} address */
function placed(address) {
  if (typeof __WASM_URL__ === "string") return address(); // a page of ours says where they are
  try {
    return address();
  } catch (cause) {
    const message = "The library was loaded from a blob or from text, and has no address that its files could lie beside: give wasmURL and workerURL.";
    throw new RcmdpError("unavailable", message, { cause });
  }
}

/** Says what to do where a bundler left the solver behind. @param {any} error */
function notCopied(error) {
  if (typeof __SECOND_FILE__ === "string" && inBrowser && /answered 404|is a web page/.test(error?.message)) {
    error.message +=
      " Some bundlers (Rollup, esbuild) do not copy a library's files: copy rcmdp*.wasm, rcmdp*.txt and worker.js of the package beside your script.";
  }
  return error;
}

function cores() {
  const n = typeof navigator === "object" ? navigator.hardwareConcurrency : 0;
  return Math.min(n || 2, MOST_WORKERS);
}

/**
 * The module that somebody compiled before, or one compiled now for whoever comes next.
 * @param {{ module?: Promise<WebAssembly.Module> }} shared @param {() => Promise<WebAssembly.Module>} make
 */
async function compiled(shared, make) {
  if (shared.module) {
    const found = await shared.module.catch(() => null);
    if (found) return found;
  }
  shared.module = make();
  shared.module.catch(() => {
    delete shared.module;
  });
  return shared.module;
}

/**
 * How saved runs are reached: by a worker of a browser, in a folder of Node, or not at all.
 * @param {string | undefined} folder @param {() => Pool} browser
 */
function storeOf(folder, browser) {
  if (typeof __WASM_URL__ === "string") return browser; // a page of ours
  if (folder === undefined) return inBrowser ? browser : null;
  if (inBrowser) throw new RcmdpError("invalid-option", "runsFolder: a browser keeps runs in its own storage; the option is for Node.");
  if (typeof folder !== "string" || folder === "") throw new RcmdpError("invalid-option", `runsFolder: got ${String(folder)}; want the path of a folder.`);
  // A file of its own beside this module, so that no browser loads it; named in parts, so that no bundler for browsers takes it along.
  const file = [typeof __COMMIT__ === "undefined" ? "./engine/folder" : "./folder", "js"].join(".");
  return async () => {
    /** @type {typeof import('./engine/folder.js')} */
    const { FolderStore } = await import(/* @vite-ignore */ /* webpackIgnore: true */ file);
    return new FolderStore(folder);
  };
}

/**
 * Where a file of the library is, relative to the page; what a bundler gives may be relative too.
 * @param {string | URL} given @param {string} name
 */
function locate(given, name) {
  const base = globalThis.document?.baseURI ?? globalThis.location?.href ?? import.meta.url;
  try {
    return new URL(given, base);
  } catch (cause) {
    throw new RcmdpError("invalid-option", `${String(given)} is not an address of ${name}.`, { cause });
  }
}

/**
 * Several apps can live on one origin, and each has its own runs: the name is where this one is
 * served from, whichever of its two copies of the worker is used.
 * @param {URL} worker
 */
function databaseName(worker) {
  if (worker.protocol === "blob:" || worker.protocol === "data:") return "rcmdp-lab one file"; // a page that carries its worker is nowhere
  return `rcmdp-lab ${new URL(".", worker).pathname.replace(/assets\/$/, "")}`;
}

/** @implements {SolverApi} */
class Solver {
  #pool;
  /** Runs in progress, by id. @type {Map<string, { keep(): void }>} */
  #running = new Map();

  /** @param {Pool} pool @param {import('./rcmdp.js').Version} version @param {ConstructorParameters<typeof SavedRuns>[0]} openStore @param {string} database */
  constructor(pool, version, openStore, database) {
    this.#pool = pool;
    this.version = Object.freeze(version);
    this.runs = new SavedRuns(
      openStore,
      database,
      version,
      (problem, options, id, checkpoint, results) => this.#solve(problem, options, id, checkpoint, undefined, results),
      (id) => this.#running.get(id)?.keep(),
      async (problem, { example, parameter, ...options }, id) => {
        // Along a parameter of an example each value has a problem of its own.
        const at = (/** @type {number} */ value) => this.example(example.id, { ...example.parameters, [parameter]: value });
        return this.#sweep(problem, example && !options.pointer ? { ...options, documents: await Promise.all(options.values.map(at)) } : options, id);
      },
      (problem) => this.validate(problem),
    );
  }

  /** The value of a request. @param {string} name @param {Uint8Array[]} parts @returns {Promise<any>} */
  async #ask(name, ...parts) {
    return (await this.#pool.call(name, ...parts)).value;
  }

  async algorithms() {
    return this.#ask("algorithms");
  }

  async examples() {
    return this.#ask("examples");
  }

  /** @param {string} id @param {Record<string, number>} [parameters] */
  async example(id, parameters = {}) {
    return this.#ask("example", optionText(String(id)), encode(parameters));
  }

  /** @param {Problem | string} problem */
  async validate(problem) {
    return this.#ask("validate", problemText(problem));
  }

  /** @param {Problem | string} problem @param {import('./rcmdp.js').PolicyLike} policy */
  async evaluate(problem, policy) {
    return this.#ask("evaluate", problemText(problem), optionText(policy));
  }

  /** @param {Problem | string} problem @param {import('./rcmdp.js').PolicyLike} policy @param {import('./rcmdp.js').SimulateOptions} [options] */
  async simulate(problem, policy, options) {
    const { simulate } = await import("./engine/simulate.js");
    return simulate(this.#pool, problemText(problem), optionText(policy), options ?? {});
  }

  /** @param {import('./rcmdp.js').LogTable} table @param {import('./rcmdp.js').EstimateOptions} [options] */
  async estimate(table, options) {
    const said = table?.map ? { ...options, columns: { ...table.map, ...options?.columns } } : options ?? {};
    return this.#ask("estimate", textOf(table, "invalid-problem", "The table"), optionText(said));
  }

  /** @param {Problem | string} problem @param {number} share */
  async promise(problem, share) {
    return this.#ask("promise", problemText(problem), encode(share));
  }

  /** @param {Problem | string} problem @param {import('./rcmdp.js').PolicyLike} policy @param {{ state?: number }} [options] */
  async explain(problem, policy, options = {}) {
    return this.#ask("explain", problemText(problem), optionText(policy), optionText(options));
  }

  /** @param {Problem | string} problem @param {import('./rcmdp.js').LandscapeView} view */
  async landscape(problem, view) {
    const { value, columns } = await this.#pool.call("landscape", problemText(problem), optionText(view));
    return /** @type {import('./rcmdp.js').Landscape} */ (/** @type {any} */ ({ side: value, ...columns }));
  }

  /** @param {Problem | string} problem @param {import('./rcmdp.js').DescentView} view */
  async descent(problem, view) {
    const { columns } = await this.#pool.call("descent", problemText(problem), optionText(view));
    return /** @type {{ points: Float64Array }} */ (/** @type {any} */ (columns));
  }

  /** @param {{ quick?: boolean }} [options] */
  async experiments(options = {}) {
    return this.#ask("experiments", encode(options.quick === true));
  }

  /** @param {import('./rcmdp.js').Traces} traces */
  async aggregate(traces) {
    return this.#ask("aggregate", optionText(traces));
  }

  /** @param {Problem | string} problem @param {{ epsilon: number }} options */
  async theory(problem, options) {
    return this.#ask("theory", problemText(problem), optionText(options));
  }

  /** @param {Problem | string} problem @param {import('./rcmdp.js').SolveOptions} [options] */
  solve(problem, options) {
    return this.#solve(problem, options ?? {}, uuid());
  }

  /** @param {Problem | string} problem @param {import('./rcmdp.js').SweepOptions} options */
  sweep(problem, options) {
    return this.#sweep(problem, options, uuid());
  }

  /** @param {Problem | string} problem @param {import('./rcmdp.js').SweepOptions} options @param {string} id */
  #sweep(problem, options, id) {
    let keep = false;
    const engine = {
      /** @param {Problem} p @param {any} o */
      solve: (p, o) => this.#solve(p, o, uuid()),
      /** @param {Problem} p @param {any} o @param {unknown} found */
      adopt: (p, o, found) => this.#solve(p, o, uuid(), undefined, found),
      width: this.#pool.size,
      /** @param {Problem} p */
      expected: async (p) => (await this.validate(p)).summary?.seconds ?? 0,
      /** @param {import('./rcmdp.js').SweepResult["points"]} points @param {boolean} last */
      checkpoint: (points, last) => keep && this.runs.sweepCheckpoint(id, points, last),
    };
    const run = drivenBy(id, () => import("./engine/sweep.js"), ({ sweep }, run) => sweep(engine, run, problem, options));
    const over = () => this.#running.delete(id);
    this.#running.set(id, {
      keep: () => {
        keep = true;
      },
    });
    run.result.then(over, over);
    return run;
  }

  /** @type {import('./rcmdp.js').Solver['compare']} */
  compare(problems, methods, options) {
    const solve = (/** @type {any} */ problem, /** @type {any} */ o) => this.#solve(problem, o, uuid());
    return drivenBy(uuid(), () => import("./engine/compare.js"), ({ compare }, run) => compare(solve, run, problems, methods, options ?? {}));
  }

  async formats() {
    return this.#ask("formats");
  }

  /** @type {import('./rcmdp.js').Solver['inspect']} */
  async inspect(input, options) {
    const { sheet, ...rest } = options ?? {};
    const { parts, sheets } = await partsOf(input, sheet);
    const value = await this.#ask("inspect", optionText(rest), ...parts);
    const [choice] = sheetChoice(sheets, sheet);
    if (!choice) return value;
    // Until it is said, what is wrong or open in the first sheet is of no interest.
    return choice.open ? { ...value, errors: [], choices: [choice] } : { ...value, choices: [choice, ...value.choices] };
  }

  /** @type {import('./rcmdp.js').Solver['import']} */
  async import(input, options) {
    const found = await this.inspect(input, options);
    const open = found.choices.filter((c) => c.open);
    if (found.errors.length === 0 && open.length > 0) throw choiceNeeded(open);
    if (found.columns) return /** @type {any} */ ({ kind: "log", ...found });
    if (found.problem) return { kind: "problem", ...found, problem: found.problem };
    const [first] = found.errors;
    const more = found.errors.length > 1 ? ` (and ${found.errors.length - 1} more)` : "";
    throw new RcmdpError("invalid-problem", `${first?.message ?? "The files could not be read."}${more}`, { errors: found.errors });
  }

  /** @type {import('./rcmdp.js').Solver['table']} */
  async table(input, options) {
    const { sheet, ...rest } = options ?? {};
    const { parts, sheets } = await partsOf(input, sheet);
    const open = sheetChoice(sheets, sheet).filter((c) => c.open);
    if (open.length > 0) throw choiceNeeded(open);
    return this.#ask("tidy", optionText(rest), ...parts);
  }

  /** @type {import('./rcmdp.js').Solver['export']} */
  async export(problem, format, options) {
    const { text, bytes } = await this.exported(problem, format, options);
    if (bytes) throw new RcmdpError("unsupported", `${format} is no text: exported() gives its bytes.`);
    return text;
  }

  /** @type {import('./rcmdp.js').Solver['exported']} */
  async exported(problem, format, options) {
    const value = await this.#ask("export", problemText(problem), optionText(String(format)), optionText(options ?? {}));
    return value.extension === "umb" ? { ...value, bytes: await (await import("./engine/umb.js")).umbOfText(value.text) } : value;
  }

  /**
   * The default method with no more search than the proof needs to start from.
   * @param {Problem | string} problem @param {import('./rcmdp.js').SolveOptions} [options]
   */
  bound(problem, options) {
    return this.#solve(problem, { starts: 1, gap: 0, ...options, algorithm: "solve" }, uuid());
  }

  /** @param {Problem | string} problem @param {Uint8Array} part @param {import('./rcmdp.js').SolveOptions} [options] */
  async work(problem, part, options) {
    const { signal, ...rest } = options ?? {};
    signal?.throwIfAborted();
    const { controls, result } = workOn(this.#pool, [optionText({ ...rest, algorithm: "solve" }), problemText(problem)], part, true);
    const stop = () => controls.stop();
    signal?.addEventListener("abort", stop);
    try {
      return await result;
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }

  /** @param {Problem | string} problem @param {unknown} certificate */
  async vipr(problem, certificate) {
    return this.#ask("vipr", problemText(problem), documentText(certificate));
  }

  /** @param {Problem | string} problem @param {unknown} certificate @param {import('./rcmdp.js').PolicyLike} [policy] */
  async check(problem, certificate, policy) {
    return this.#ask("check", problemText(problem), documentText(certificate), optionText(policy ?? null));
  }

  /** @type {SolverApi['judge']} */
  async judge(problem, told, options) {
    const adopt = (/** @type {import('./engine/judge.js').Found} */ found) => this.#solve(problem, { ...options }, uuid(), undefined, found).result;
    return judge(typeof problem === "string" ? parseProblem(problem) : problem, told, adopt);
  }

  close() {
    this.#pool.close();
    this.runs.close();
  }

  /**
   * @param {Problem | string} problem @param {any} options @param {string} id
   * @param {Uint8Array} [checkpoint] where to continue from
   * @param {unknown} [found] of problems like this one, to claim what it shows instead of a search
   * @param {Uint8Array[]} [results] what became of parts that the run handed out before the checkpoint
   */
  #solve(problem, options, id, checkpoint, found, results = []) {
    /** @type {Run<import('./rcmdp.js').Result>} */
    const run = new Run(id);
    const { signal, ...rest } = options ?? {};
    let parts;
    try {
      if (signal !== undefined && !(signal instanceof AbortSignal)) throw new RcmdpError("invalid-option", "signal: want an AbortSignal.");
      signal?.throwIfAborted();
      parts = [optionText(rest), problemText(problem)];
      if (checkpoint) parts.push(encode("checkpoint"), checkpoint);
      if (found) parts.push(encode("found"), encode(found));
      for (const result of results) parts.push(encode("result"), result);
    } catch (error) {
      Run.control.fail(run, error);
      return run;
    }
    const abort = () => controls.cancel(/** @type {AbortSignal} */ (signal).reason);
    let disband = () => {};
    const over = () => {
      disband();
      signal?.removeEventListener("abort", abort);
      this.#running.delete(id);
    };
    const controls = this.#pool.run({
      parts,
      begun: ({ shares }) => {
        if (shares) disband = crew(this.#pool, controls, parts);
      },
      progress: (records) => Run.control.add(run, records),
      checkpoint: (bytes, last) => this.runs.checkpoint(id, bytes, last),
      done: ({ value, columns }) => {
        over();
        Run.control.done(run, own({ ...value, trace: traceOf(columns) }));
      },
      fail: (error) => {
        over();
        Run.control.fail(run, error);
      },
    });
    Run.control.onStop(run, controls.stop);
    const shared = (/** @type {boolean} */ done) => {
      if (done) controls.owe();
      return done;
    };
    Run.control.onShare(run, {
      // Before its first record and after its last a run has nothing to share.
      split: () => controls.ask("split").then(({ value, bytes }) => (shared(Boolean(value)) ? bytes.part.slice() : null), () => null),
      join: (bytes) => controls.ask("join", bytes).then(({ value }) => shared(value === true), () => false),
    });
    this.#running.set(id, controls);
    if (checkpoint) controls.keep();
    signal?.addEventListener("abort", abort);
    return run;
  }
}

/**
 * A run that a part drives which is loaded for it: nobody needs it for a first answer.
 * @template M @param {string} id @param {() => Promise<M>} load @param {(part: M, run: Run<any, any>) => void} drive
 * @returns {Run<any, any>}
 */
function drivenBy(id, load, drive) {
  /** @type {Run<any, any>} */
  const run = new Run(id);
  let stopped = false;
  Run.control.onStop(run, () => {
    stopped = true;
  });
  load().then((part) => {
    drive(part, run);
    if (stopped) run.stop();
  }).catch((error) => Run.control.fail(run, error));
  return run;
}

/** @param {Parameters<typeof import('./engine/files.js').fileParts>[0]} input @param {unknown} sheet */
const partsOf = async (input, sheet) => (await import("./engine/files.js")).fileParts(input, sheet);

/**
 * Which sheet of a workbook, asked where there are several.
 * @param {string[]} sheets @param {unknown} given @returns {import('./rcmdp.js').Choice[]}
 */
function sheetChoice(sheets, given) {
  if (sheets.length < 2) return [];
  const said = sheets.includes(String(given));
  const options = sheets.map((value) => ({ value, label: value }));
  const why = "the workbook has several sheets that hold something";
  return [{
    name: "sheet",
    label: "Sheet",
    help: "",
    type: "choice",
    value: said ? given : sheets[0],
    default: sheets[0],
    given: said,
    open: !said,
    why,
    options,
  }];
}

/** The columns of the trace; a snapshot has others beside them. @param {Record<string, Float64Array>} columns */
const traceOf = (columns) => Object.fromEntries(Object.entries(columns).filter(([name]) => !name.startsWith("state.")));

/** @param {unknown} problem */
const problemText = (problem) => textOf(problem, "invalid-problem", "The problem");

/** A document, or its text as it was read from a file. @param {unknown} value */
const documentText = (value) => textOf(value, "invalid-option", "The certificate");

/** @param {unknown} value */
const optionText = (value) => typeof value === "string" ? encode([value]).slice(1, -1) : textOf(value, "invalid-option", "The options");

/** What files leave open, as the error that names the options. @param {import('./rcmdp.js').Choice[]} open */
function choiceNeeded(open) {
  const errors = open.map(({ name, why, options = [], readings = [] }) => {
    const answers = options.map(({ value, label }, i) => `${JSON.stringify(value)} (${readings[i] || label})`).join(" or ");
    return { pointer: `/${name}`, message: `${name}: ${why}${answers && `; want ${answers}`}` };
  });
  return new RcmdpError("choice-needed", errors.map((e) => e.message).join("; "), { errors, choices: open });
}

/** @param {unknown} value @param {import('./rcmdp.js').ErrorCode} code @param {string} what */
function textOf(value, code, what) {
  try {
    return encode(value);
  } catch (cause) {
    throw new RcmdpError(code, `${what} cannot be written as JSON: ${/** @type {Error} */ (cause).message}.`, { cause });
  }
}

/** crypto.randomUUID exists only on secure origins. */
function uuid() {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  const b = crypto.getRandomValues(new Uint8Array(16));
  b[6] = (b[6] & 0x0f) | 0x40;
  b[8] = (b[8] & 0x3f) | 0x80;
  const hex = Array.from(b, (x) => x.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
