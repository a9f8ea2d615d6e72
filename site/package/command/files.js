// @ts-check
// files.js — files in and out for the command: models of any format, policies, lines.

import fs from "node:fs";
import path from "node:path";
import { UsageError } from "./arguments.js";
import { about } from "./complain.js";

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

/**
 * The model in a file, as a document: rcmdp/1 as it is, anything else through import with the
 * defaults, which are told.
 * @param {Solver} solver @param {string} file
 * @returns {Promise<Problem | string>}
 */
export async function readModel(solver, file) {
  const text = read(file);
  if (/^\s*\{/.test(text) && /"rcmdp\/1"/.test(text)) return text;
  const { problem, warnings } = await about({ "invalid-problem": file }, solver.import(text));
  for (const warning of warnings) process.stderr.write(`${file}: ${warning}\n`);
  return problem;
}

/** The same as an object. @param {Solver} solver @param {string} file @returns {Promise<Problem>} */
export async function readDocument(solver, file) {
  const model = await readModel(solver, file);
  return typeof model === "string" ? parseJson(model, file) : model;
}

/** Where results go: standard output, or a file that appears whole. @param {string | boolean | undefined} file */
export function sink(file) {
  if (typeof file !== "string") {
    return {
      write: (/** @type {string} */ text) => {
        process.stdout.write(text);
      },
      end() {},
    };
  }
  const part = `${file}.part`;
  fs.writeFileSync(part, "");
  return {
    write: (/** @type {string} */ text) => fs.appendFileSync(part, text),
    end: () => fs.renameSync(part, file),
  };
}

/** The lines of a file, empty ones as well, without a last one that was cut off in the middle. @param {string} file @returns {string[]} */
export function wholeLines(file) {
  if (!fs.existsSync(file)) return [];
  const text = fs.readFileSync(file, "utf8");
  const end = text.lastIndexOf("\n") + 1;
  if (end < Buffer.byteLength(text)) fs.truncateSync(file, Buffer.byteLength(text.slice(0, end)));
  return text.slice(0, end).split("\n");
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
