// @ts-check
// error.js — the one error type of the API. No imports.

/** @typedef {import('../rcmdp.js').ErrorCode} ErrorCode */
/** @typedef {import('../rcmdp.js').Fault} Fault */

export class RcmdpError extends Error {
  /**
   * @param {ErrorCode} code what a program can branch on
   * @param {string} message a sentence for a person
   * @param {{ errors?: Fault[], details?: string[], cause?: unknown }} [more] details: last lines printed before a crash
   */
  constructor(code, message, { errors = [], details = [], cause } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "RcmdpError";
    this.code = code;
    this.errors = errors;
    this.details = details;
  }
}
