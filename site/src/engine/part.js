// @ts-check
// part.js — one part of a proof worked on by itself, wherever it came from.

/** @typedef {import('./pool.js').Pool} Pool */
/** @typedef {ReturnType<Pool['run']>} Controls */

/**
 * @param {Pool} pool
 * @param {Uint8Array[]} parts options and problem of the run that handed the part out
 * @param {Uint8Array} part
 * @returns {{ controls: Controls, result: Promise<Uint8Array> }} the result is what the run's join
 *   takes; of a part that was stopped it says how far it came. It rejects when the worker is lost.
 */
export function workOn(pool, parts, part) {
  /** @type {Controls | undefined} */
  let controls;
  /** @type {Promise<Uint8Array>} */
  const result = new Promise((resolve, reject) => {
    controls = pool.run({
      parts: [parts[0], parts[1], new Uint8Array(0), part],
      begun: () => {},
      progress: () => {},
      checkpoint: () => {},
      done: ({ bytes }) => resolve(bytes.part?.slice() ?? part),
      fail: reject,
    });
  });
  return { controls: /** @type {Controls} */ (controls), result };
}
