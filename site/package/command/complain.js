// @ts-check
// complain.js — what went wrong, as a person reads it on standard error, and the exit code for it.

import { RcmdpError } from "../../src/engine.js";
import { kebab, UsageError } from "./arguments.js";
import { codes } from "./ending.js";

/** @typedef {import('../../src/rcmdp.js').Fault} Fault */

/**
 * Names the file that a fault is in: by what is at fault, the model or what was given beside it.
 * @template T @param {{ "invalid-problem": string, "invalid-option"?: string, "choice-needed"?: string }} files @param {Promise<T>} work @returns {Promise<T>}
 */
export async function about(files, work) {
  try {
    return await work;
  } catch (error) {
    const file = error instanceof RcmdpError ? /** @type {Record<string, string | undefined>} */ (files)[error.code] : undefined;
    if (!(error instanceof RcmdpError) || file === undefined) throw error;
    throw new RcmdpError(error.code, `${file}: ${error.message}`, { errors: error.errors, choices: error.choices, cause: error });
  }
}

/** @param {Fault & { choice?: { label: string, name: string, value: unknown } }} fault */
const mended = ({ fix, choice }) => (fix ? ` (fix: ${fix.label})` : choice ? ` (to ${choice.label}: --choice ${choice.name}=${choice.value})` : "");

/** An open choice with the words that answer it. @param {import('../../src/rcmdp.js').Choice} choice */
const asked = ({ name, why, options = [], readings = [], default: usual }) =>
  `  ${why}\n${
    options.length > 0
      ? options.map(({ value, label }, i) => `    --choice ${name}=${value}  ${readings[i] || label}\n`).join("")
      : `    --choice ${name}=${JSON.stringify(usual)}, or another\n`
  }`;

/** The sentence and each place; with one place that the sentence is about, all in one line. @param {RcmdpError} error */
function told({ code, message, errors, choices }) {
  if (code === "choice-needed" && choices.length > 0) {
    const where = message.slice(0, message.length - errors.map((e) => e.message).join("; ").length);
    return `${where}the file leaves open what the model is; say it with --choice:\n${choices.map(asked).join("")}`;
  }
  const [first, ...others] = errors;
  if (first !== undefined && others.length === 0 && message.endsWith(first.message)) {
    const before = message.slice(0, message.length - first.message.length);
    // An option is named as it is typed: --time-limit, where the library says timeLimit.
    const what = code === "invalid-option"
      ? first.message.replace(/^(\w+)(?=: )/, (name) => `--${kebab(name)}`)
      : `${first.pointer && `${first.pointer}: `}${first.message}`;
    return `${before}${what}${mended(first)}\n`;
  }
  return `${message}\n${errors.map((fault) => `  ${fault.pointer || "/"}: ${fault.message}${mended(fault)}\n`).join("")}`;
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
  process.stderr.write(`rcmdp: ${told(error)}`);
  return error.code === "crashed" || error.code === "closed" ? codes.broken : codes.fault;
}
