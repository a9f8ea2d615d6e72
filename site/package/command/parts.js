// @ts-check
// parts.js — one proof on many machines: `bound --split` leaves its open parts as files in a folder,
// `bound --part` closes one anywhere, `bound --join` puts them together and ends the proof. The run
// itself waits in the same folder, as a saved run that is continued.

import fs from "node:fs";
import path from "node:path";
import { UsageError } from "./arguments.js";
import { hashOf } from "./batch.js";
import { codeOf, codes, onInterrupt } from "./ending.js";
import { parseJson, readJson, readModel } from "./files.js";
import { line, progress, progressText, resultTable } from "./output.js";
import { writeWhole } from "./written.js";

/** @typedef {import('./arguments.js').Call} Call */
/** @typedef {import('../../src/rcmdp.js').Solver} Solver */
/** @typedef {(workers?: number, runsFolder?: string) => Promise<Solver>} Open */

/** Where in the folder of the parts the run waits. */
const rest = "proof";
const format = "rcmdp-part/1";
/** What the parts and their results say of themselves, for those that stand beside them: boxes mean something to the build and in the proof they come from alone. */
const origins = "origin.json";

/** @param {string} text */
const bytesOf = (text) => new Uint8Array(Buffer.from(text, "base64"));
/** @param {Uint8Array} bytes */
const textOf = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");

/** Why something that travelled is of no use here; null when it is. @param {any} value @param {{ build: string, proof?: string }} here */
function foreign(value, here) {
  if (value?.format !== format) return "this is nothing that bound --split or --part wrote";
  if (value.build !== here.build)
    return `it is of build ${value.build ?? "unknown"} and this is build ${here.build}; a proof is split, closed and joined by one build`;
  if (here.proof !== undefined && value.proof !== here.proof) return "it is of another proof: another problem, or other options";
  return null;
}

/** @param {Call} call */
function folderOf(call) {
  if (typeof call.flags.parts !== "string") throw new UsageError("--split and --join need --parts, the folder of the parts.");
  return call.flags.parts;
}

/** Written so that a file is whole or not there, and never over one of somebody else's. @param {string} file @param {unknown} value */
const write = (file, value) =>
  writeWhole(file, JSON.stringify(value), (text) => text.startsWith("{\"format\":\"rcmdp-part/1\"") || text.startsWith("{\"build\":"));

/**
 * Proves until there are so many parts, writes them, and leaves the rest of the proof beside them.
 * @param {Call} call @param {Open} open
 */
export async function splitProof(call, open) {
  const wanted = Number(call.flags.split);
  if (!Number.isInteger(wanted) || wanted < 2 || wanted > 10000) throw new UsageError(`--split: got ${call.flags.split}; want a whole number from 2 to 10000.`);
  const folder = folderOf(call);
  if (fs.existsSync(path.join(folder, rest))) throw new UsageError(`${folder} holds a proof already; join it, or name another folder.`);
  fs.mkdirSync(folder, { recursive: true });
  const solver = await open(1, path.join(folder, rest));
  const problem = await readModel(solver, call.files[0]);
  const options = { starts: 4, timeLimit: 0, ...call.options, algorithm: "solve" };
  const run = solver.solve(problem, options);
  await solver.runs.put({ id: run.id, name: "proof in parts", problem, options });
  const shown = progress(call.flags.quiet === true, call.files[0]);
  const release = onInterrupt(() => run.stop());
  /** @type {Uint8Array[]} */
  const parts = [];
  try {
    for await (const record of run) {
      shown.say(`${progressText(record)}, ${parts.length} of ${wanted} parts`);
      const next = async () => (parts.length < wanted ? run.split() : null);
      for (let part = await next(); part !== null; part = await next()) parts.push(part);
      // With nothing left here the largest part goes back, to be divided further.
      if (parts.length < wanted && record.openNodes <= parts.length && parts.length > 0) await run.join(/** @type {Uint8Array} */ (parts.shift()));
      if (parts.length >= wanted) run.stop();
    }
  } finally {
    shown.clear();
    release();
  }
  const result = await run.result;
  if (parts.length === 0) { // closed before there was anything to share, or stopped
    process.stdout.write(line({ file: call.files[0], ...result }));
    return codeOf(result);
  }
  await solver.runs.put({ id: run.id, result });
  const text = typeof problem === "string" ? parseJson(problem, call.files[0]) : problem;
  const origin = { build: solver.version.commit, proof: hashOf(text, options) };
  write(path.join(folder, origins), origin);
  parts.forEach((part, k) => write(path.join(folder, `part-${k + 1}.json`), { format, ...origin, problem: text, options, part: textOf(part) }));
  process.stderr.write(`${parts.length} parts in ${folder}: close each with rcmdp bound --part FILE, then rcmdp bound --join --parts ${folder}\n`);
  return codes.open;
}

/** Closes one part, as far as Ctrl+C lets it. @param {Call} call @param {Open} open */
export async function closePart(call, open) {
  const file = String(call.flags.part);
  const value = readJson(file);
  const solver = await open(1);
  const why = foreign(value, { build: solver.version.commit }) ?? (typeof value.part === "string" ? null : "this is no part but what became of one");
  if (why !== null) throw new UsageError(`${file}: ${why}.`);
  const abort = new AbortController();
  const release = onInterrupt(() => abort.abort());
  try {
    const back = await solver.work(value.problem, bytesOf(value.part), { ...value.options, signal: abort.signal });
    write(file.replace(/(\.json)?$/, ".done"), { format, build: value.build, proof: value.proof, back: textOf(back) });
  } finally {
    release();
  }
  return abort.signal.aborted ? codes.open : codes.proved;
}

/** What became of the parts in a folder; what is not of this proof is left out, and why is said. @param {string} folder @param {{ build: string, proof: string }} origin */
function resultsIn(folder, origin) {
  const results = [];
  for (const name of fs.readdirSync(folder).filter((name) => name.endsWith(".done")).sort()) {
    const file = path.join(folder, name);
    try {
      const value = readJson(file);
      const why = foreign(value, origin) ?? (typeof value.back === "string" ? null : "it says nothing of what became of the part");
      if (why !== null) throw new UsageError(`${file}: ${why}.`);
      results.push(bytesOf(value.back));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      process.stderr.write(`not joined: ${error.message}\n`);
    }
  }
  return results;
}

/** Continues the run with what became of its parts; what did not come back is done here. @param {Call} call @param {Open} open */
export async function joinParts(call, open) {
  const folder = folderOf(call);
  if (!fs.existsSync(path.join(folder, rest))) throw new UsageError(`${folder} holds no proof that was split.`);
  const solver = await open(1, path.join(folder, rest));
  const [{ id }] = await solver.runs.list();
  const { problem } = await solver.runs.get(id);
  const { proof } = readJson(path.join(folder, origins));
  const done = resultsIn(folder, { build: solver.version.commit, proof });
  const run = await solver.runs.resume(id, { timeLimit: 0, ...call.options, results: done });
  const shown = progress(call.flags.quiet === true, folder);
  const release = onInterrupt(() => run.stop());
  try {
    for await (const record of run) shown.say(progressText(record));
  } finally {
    shown.clear();
    release();
  }
  const result = await run.result;
  await solver.runs.put({ id, result });
  process.stderr.write(`${result.joined ?? 0} of ${done.length} results were joined\n`);
  process.stdout.write(
    call.flags.table || (!call.flags.json && process.stdout.isTTY) ? `${resultTable(folder, result, problem)}\n` : line({ file: folder, ...result }),
  );
  return codeOf(result);
}
