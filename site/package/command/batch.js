// @ts-check
// batch.js — many jobs, one a line, in a form that Slurm arrays, Kubernetes indexed jobs and GNU
// parallel run unchanged: a shard does every n-th job in order, the same job gives the same line,
// and lines that are there already are kept.

import { createHash } from "node:crypto";
import { shardOf, UsageError } from "./arguments.js";
import { codeOf, codes, onInterrupt } from "./ending.js";
import { parseJson, read, readDocument, relativeTo } from "./files.js";
import { growing } from "./written.js";
import { line, progress } from "./output.js";

/** @typedef {import('./arguments.js').Call} Call */
/** @typedef {import('../../src/rcmdp.js').Solver} Solver */
/** @typedef {{ id: string, problem: any, options: Record<string, unknown>, hash: string }} Job */

/** Keys in one order, so that the same content has the same text. @param {unknown} value @returns {unknown} */
const sorted = (value) => (value === null || typeof value !== "object"
  ? value
  : Array.isArray(value)
  ? value.map(sorted)
  : Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(/** @type {any} */ (value)[key])])));

const isObject = (/** @type {unknown} */ x) => typeof x === "object" && x !== null && !Array.isArray(x);

/** The content hash of a job: of its problem and its options. @param {unknown} problem @param {unknown} options */
export const hashOf = (problem, options) => createHash("sha256").update(JSON.stringify(sorted({ problem, options }))).digest("hex");

/**
 * The jobs of a file: `{ id, problem, options }` a line; `problem` is a document or the path of a
 * file, from the jobs' folder; without an id it is the line's number.
 * @param {string} file @param {Record<string, unknown>} options for jobs that do not say otherwise
 * @param {(path: string) => Promise<unknown>} model reads a file of a model
 * @returns {Promise<Job[]>}
 */
export async function readJobs(file, options, model) {
  const jobs = [];
  const seen = new Set();
  for (const [i, text] of read(file).split("\n").entries()) {
    if (text.trim() === "") continue;
    const where = `${file}, line ${i + 1}`;
    const value = parseJson(text, where);
    if (!isObject(value) || !(isObject(value.problem) || typeof value.problem === "string") || !isObject(value.options ?? {}))
      throw new UsageError(`${where}: want {"id", "problem", "options"}, a model or the name of its file, and settings.`);
    const id = String(value.id ?? i + 1);
    if (seen.has(id)) throw new UsageError(`${where}: the id ${id} is there twice.`);
    seen.add(id);
    const problem = typeof value.problem === "string" ? await model(relativeTo(value.problem, file)) : value.problem;
    const own = { ...options, ...value.options };
    jobs.push({ id, problem, options: own, hash: hashOf(problem, own) });
  }
  return jobs;
}

/**
 * A result without what differs between two runs of the same job: the clock.
 * @param {import('../../src/rcmdp.js').Result} result
 */
function repeatable(result) {
  const { seconds: _, trace: { seconds: __, ...trace }, ...rest } = result;
  return { ...rest, trace };
}

/** A line that batch wrote. @param {string} text @param {string} where @returns {{ id: string, hash: string, result?: any, error?: any }} */
export function readLine(text, where) {
  const value = parseJson(text, where);
  if (typeof value?.id !== "string" || typeof value.hash !== "string" || !(isObject(value.result) || isObject(value.error))) {
    throw new UsageError(`${where}: want a line that batch wrote, {"id", "hash", "result"}. Without it the job is done again.`);
  }
  return value;
}

/** Whether a text is how such a line begins. @param {string} text */
function isCutLine(text) {
  const head = /^\{"id":"(?:[^"\\]|\\.)*/.exec(text);
  if (!head) return "{\"id\":\"".startsWith(text);
  const rest = text.slice(head[0].length), next = "\",\"hash\":\"";
  return rest === "\\" || rest.startsWith(next) || next.startsWith(rest);
}

/** @param {Call} call @param {(workers?: number) => Promise<Solver>} open */
export async function batch(call, open) {
  const { i, n } = typeof call.flags.shard === "string" ? shardOf(call.flags.shard) : { i: 0, n: 1 };
  /** @type {Promise<Solver> | undefined} */
  let opened;
  const solving = () => opened ??= open(1); // when it is needed; boxes of one proof spread over workers would give other bits each time
  const jobs = [];
  for (const file of call.files) {
    jobs.push(...await readJobs(file, call.options, async (path) => readDocument(await solving(), path)));
  }
  // The i-th of n, counted from 1; 0 is the n-th, so that counting from 0 covers every job too.
  const mine = jobs.filter((_, k) => (k + 1) % n === i);
  const output = typeof call.flags.output === "string" ? growing(call.flags.output, call.files, readLine, isCutLine) : null;
  /** By job: whether what is there already is a fault. @type {Map<string, boolean>} */
  const finished = new Map();
  for (const text of output?.lines ?? []) {
    if (text.trim() === "") continue;
    const { id, hash, error } = readLine(text, String(call.flags.output));
    if (error?.code !== "crashed") finished.set(`${id} ${hash}`, error !== undefined); // another try may not crash
  }
  const write = (/** @type {string} */ text) => {
    output === null ? process.stdout.write(text) : output.add(text);
  };
  const shown = progress(call.flags.quiet === true, "batch");
  let stopped = false;
  let stop = () => {};
  const release = onInterrupt(() => {
    stopped = true;
    stop();
  });
  /** @type {number[]} */
  const endings = [];
  try {
    for (const [k, { id, problem, options, hash }] of mine.entries()) {
      if (stopped) break;
      const fault = finished.get(`${id} ${hash}`);
      if (fault) endings.push(codes.fault); // a shard that is run again ends as it did
      if (fault !== undefined) continue;
      shown.say(`${k} of ${mine.length}, job ${id}`);
      const run = (await solving()).solve(problem, options);
      stop = () => run.stop();
      try {
        const result = await run.result;
        if (stopped) break; // half a job is no job: the next time does it whole
        write(line({ id, hash, result: repeatable(result) }));
        endings.push(codeOf(result));
      } catch (error) {
        const { code, message, errors } = /** @type {any} */ (error);
        if (code === undefined) throw error;
        write(line({ id, hash, error: { code, message, errors } }));
        endings.push(codes.fault);
      }
    }
  } finally {
    shown.clear();
    release();
    output?.end();
  }
  if (stopped) return 130;
  return endings.includes(codes.fault) ? codes.fault : codes.proved;
}
