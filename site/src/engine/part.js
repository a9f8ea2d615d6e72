// @ts-check
// part.js — one part of a proof worked on by itself, wherever it came from.

import { encode } from "./message.js";

/** @typedef {import('./pool.js').Pool} Pool */
/** @typedef {ReturnType<Pool['run']>} Controls */

/**
 * @param {Pool} pool
 * @param {Uint8Array[]} parts options and problem of the run that handed the part out
 * @param {Uint8Array} part
 * @param {boolean} [whole] to its end, and not just for a while, as suits a run that waits for it
 * @returns {{ controls: Controls, result: Promise<Uint8Array> }} the result is what the run's join
 *   takes; of a part that was stopped it says how far it came. It rejects when the worker is lost.
 */
export function workOn(pool, parts, part, whole = false) {
  /** @type {Controls | undefined} */
  let controls;
  /** @type {Promise<Uint8Array>} */
  const result = new Promise((resolve, reject) => {
    controls = pool.run({
      parts: [parts[0], parts[1], encode(whole ? "whole" : "part"), part],
      begun: () => {},
      progress: () => {},
      checkpoint: () => {},
      done: ({ bytes }) => resolve(bytes.part?.slice() ?? part),
      fail: reject,
    });
  });
  return { controls: /** @type {Controls} */ (controls), result };
}
