// @ts-check
// error.js — the one error type of the API. No imports.

/** @typedef {import('../rcmdp.js').ErrorCode} ErrorCode */
/** @typedef {import('../rcmdp.js').Fault} Fault */
/** @typedef {import('../rcmdp.js').Choice} Choice */

export class RcmdpError extends Error {
  /**
   * @param {ErrorCode} code what a program can branch on
   * @param {string} message a sentence for a person
   * @param {{ errors?: Fault[], choices?: Choice[], details?: string[], cause?: unknown }} [more] choices: what was to be said; details: last lines printed before a crash
   */
  constructor(code, message, { errors = [], choices = [], details = [], cause } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "RcmdpError";
    this.code = code;
    this.errors = errors;
    this.choices = choices;
    this.details = details;
  }
}
