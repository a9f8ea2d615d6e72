// @ts-check
// files.js — files in and out for the command: models of any format, policies, lines.

import fs from "node:fs";
import path from "node:path";
import { UsageError } from "./arguments.js";
import { about } from "./complain.js";
import { whole } from "./written.js";

/** @typedef {import('../../src/rcmdp.js').Solver} Solver */
/** @typedef {import('../../src/rcmdp.js').Problem} Problem */

/** @param {string} file "-" is standard input @returns {string} */
export function read(file) {
  try {
    return fs.readFileSync(file === "-" ? 0 : file, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    throw new UsageError(`${file}: ${reason(error)}.`);
  }
}

/** @param {string} file @returns {any} */
export function readJson(file) {
  return parseJson(read(file), file);
}

/** @param {string} text @param {string} where @returns {any} */
export function parseJson(text, where) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${where}: not JSON: ${/** @type {Error} */ (error).message}.`);
  }
}

/** A file as it is, with its name. @param {string} file "-" is standard input */
export function source(file) {
  try {
    return { name: file === "-" ? "" : path.basename(file), data: new Uint8Array(fs.readFileSync(file === "-" ? 0 : file)) };
  } catch (error) {
    throw new UsageError(`${file}: ${reason(error)}.`);
  }
}

/**
 * The model in a file, as a document: rcmdp/1 as it is, anything else through import; what is
 * open in it must be said.
 * @param {Solver} solver @param {string} file @param {Record<string, unknown>} [choices]
 * @returns {Promise<Problem | string>}
 */
export async function readModel(solver, file, choices) {
  const whole = source(file);
  const text = new TextDecoder().decode(whole.data);
  if (/^\s*\{/.test(text) && /"rcmdp\/1"/.test(text)) return text;
  return imported(solver, file, whole, choices);
}

/** @param {Solver} solver @param {string} file for messages @param {any} input @param {Record<string, unknown>} [choices] @returns {Promise<Problem>} */
export async function imported(solver, file, input, choices) {
  const found = await about({ "invalid-problem": file, "choice-needed": file }, solver.import(input, choices));
  for (const warning of found.warnings) process.stderr.write(`${file}: ${warning}\n`);
  if (found.kind === "log") throw new UsageError(`${file}: this is a log of steps that were taken; rcmdp estimate ${file} makes a model of it.`);
  return found.problem;
}

/** The same as an object. @param {Solver} solver @param {string} file @param {Record<string, unknown>} [choices] @returns {Promise<Problem>} */
export async function readDocument(solver, file, choices) {
  const model = await readModel(solver, file, choices);
  return typeof model === "string" ? parseJson(model, file) : model;
}

/**
 * Where results go: standard output, or a file that appears whole.
 * @param {string | boolean | undefined} file @param {string[]} inputs
 */
export function sink(file, inputs) {
  return typeof file === "string"
    ? whole(file, inputs, isResults)
    : { write: (/** @type {string} */ text) => void process.stdout.write(text), end() {}, drop() {} };
}

/** Whether a text is what solve and bound write: lines with a file and a status, or tables. @param {string} text */
function isResults(text) {
  const [first, second = ""] = text.split("\n", 2);
  try {
    const value = JSON.parse(first);
    return typeof value?.file === "string" && typeof value.status === "string" && typeof value.algorithm === "string";
  } catch {
    return /^[a-z-]+: .*\([a-z-]+, \S+ s\)$/.test(second);
  }
}

/** @param {string} file @param {string} beside */
export const relativeTo = (file, beside) => path.resolve(beside === "-" ? "." : path.dirname(beside), file);

/** @param {unknown} error */
function reason(error) {
  const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
  if (code === "ENOENT") return "there is no such file";
  if (code === "EISDIR") return "this is a folder";
  if (code === "EACCES") return "it may not be read";
  return message;
}
