// @ts-check
// simulate.js — a simulation in parts, spread over the workers. An episode is a function of the
// seed and its number, so the parts add up to the same whatever their size and order.

import { encode, pack, RcmdpError } from "./message.js";

/** Steps of one part: some tens of milliseconds, so that a stop is heard and others get their turn. */
const PART_STEPS = 300_000;
/** Parts under way at once. */
const AT_ONCE = 4;

/**
 * @param {import("./pool.js").Pool} pool
 * @param {Uint8Array} problem
 * @param {Uint8Array} policy
 * @param {import("../rcmdp.js").SimulateOptions} options
 * @returns {Promise<import("../rcmdp.js").Simulation>}
 */
export async function simulate(pool, problem, policy, options) {
  const { kernel = "nominal", episodes = 1000, seed = 1, horizon = 0, paths = 0, steps = 200, signal, onProgress = () => {} } = options;
  if (signal !== undefined && !(signal instanceof AbortSignal)) throw new RcmdpError("invalid-option", "signal: want an AbortSignal.");
  if (!Number.isInteger(episodes) || episodes < 1) {
    throw new RcmdpError("invalid-option", `episodes: got ${String(episodes)}; want a whole number from 1.`);
  }
  /** @param {number} first @param {number} count @param {number} [withPaths] */
  const part = async (first, count, withPaths = 0) => {
    signal?.throwIfAborted();
    return pool.call("simulate", problem, policy, encode({ kernel, seed, horizon, first, episodes: count, paths: withPaths, steps }));
  };
  // The first part tells how long an episode is.
  const some = Math.min(episodes, 20);
  const head = await part(0, some, Math.min(paths, episodes));
  /** @type {Float64Array[]} */
  const totals = head.value.costs.map(() => new Float64Array(episodes));
  /** @param {Record<string, Float64Array>} columns @param {number} first */
  const put = (columns, first) => totals.forEach((sum, n) => sum.set(columns[`totals.${n}`], first));
  put(head.columns, 0);
  let done = some;
  let next = some;
  const size = Math.max(1, Math.floor(PART_STEPS / head.value.horizon));
  onProgress(done, episodes);
  const work = async () => {
    while (next < episodes) {
      const first = next;
      const count = Math.min(size, episodes - first);
      next += count;
      put((await part(first, count)).columns, first);
      done += count;
      onProgress(done, episodes);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  signal?.throwIfAborted();
  const { value: spread } = await pool.call("spread", pack(encode({}), Object.fromEntries(totals.map((sum, n) => [`totals.${n}`, sum]))));
  return {
    kernel: head.value.kernel,
    horizon: head.value.horizon,
    episodes,
    truncation: head.value.truncation,
    costs: head.value.costs.map((/** @type {any} */ cost, /** @type {number} */ n) => ({ ...cost, ...spread[n] })),
    totals,
    paths: pathsOf(head.columns, totals.length),
  };
}

/** @param {Record<string, Float64Array>} columns @param {number} costs */
function pathsOf(columns, costs) {
  const paths = [];
  for (let e = 0; columns[`path.${e}.states`]; e++) {
    const all = columns[`path.${e}.costs`];
    const length = all.length / costs;
    paths.push({
      states: Array.from(columns[`path.${e}.states`]),
      actions: Array.from(columns[`path.${e}.actions`]),
      costs: Array.from({ length: costs }, (_, n) => all.slice(n * length, (n + 1) * length)),
    });
  }
  return paths;
}
