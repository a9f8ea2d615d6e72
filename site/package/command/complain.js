// @ts-check
// complain.js — what went wrong, as a person reads it on standard error, and the exit code for it.

import { RcmdpError } from "../../src/engine.js";
import { kebab, UsageError } from "./arguments.js";
import { codes } from "./ending.js";

/** @typedef {import('../../src/rcmdp.js').Fault} Fault */

/**
 * Names the file that a fault is in: by what is at fault, the model or what was given beside it.
 * @template T @param {{ "invalid-problem": string, "invalid-option"?: string }} files @param {Promise<T>} work @returns {Promise<T>}
 */
export async function about(files, work) {
  try {
    return await work;
  } catch (error) {
    const file = error instanceof RcmdpError ? /** @type {Record<string, string | undefined>} */ (files)[error.code] : undefined;
    if (!(error instanceof RcmdpError) || file === undefined) throw error;
    throw new RcmdpError(error.code, `${file}: ${error.message}`, { errors: error.errors, cause: error });
  }
}

/** Each place, unless the sentence says it all already. @param {string} sentence @param {Fault[]} errors */
function places(sentence, errors) {
  if (errors.length === 1 && !errors[0].fix && sentence.endsWith(errors[0].message)) return "";
  return errors.map(({ pointer, message, fix }) => `  ${pointer || "/"}: ${message}${fix ? ` (fix: ${fix.label})` : ""}\n`).join("");
}

/** Says what went wrong. @param {unknown} error @returns {number} the exit code */
export function complain(error) {
  if (error instanceof UsageError) {
    process.stderr.write(`rcmdp: ${error.message}\n`);
    return codes.fault;
  }
  if (!(error instanceof RcmdpError)) {
    process.stderr.write(`rcmdp: ${error instanceof Error ? error.stack : String(error)}\n`);
    return codes.broken;
  }
  // An option is named as it is typed: --time-limit, where the library says timeLimit.
  const said = error.code === "invalid-option" ? error.message.replace(/^(\w+)(?=: )/, (name) => `--${kebab(name)}`) : error.message;
  process.stderr.write(`rcmdp: ${said}\n${places(error.message, error.errors)}`);
  return error.code === "crashed" || error.code === "closed" ? codes.broken : codes.fault;
}
