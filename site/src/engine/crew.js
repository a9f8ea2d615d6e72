// @ts-check
// crew.js — lets idle workers take over parts of a proof. The run that makes the proof hands out
// boxes of policies; each is worked on as a run of its own, and what became of it goes back.

import { workOn } from "./part.js";

/** How often idle workers ask for something to do. */
const LOOK_MS = 40;

/** @typedef {import('./pool.js').Pool} Pool */
/** @typedef {ReturnType<Pool['run']>} Controls */

/**
 * @param {Pool} pool
 * @param {Controls} main the run that shares its work
 * @param {Uint8Array[]} parts its options and its problem
 * @returns {() => void} ends the crew
 */
export function crew(pool, main, parts) {
  /** @type {Set<Controls>} */
  const out = new Set();
  let over = false;
  let looking = false;

  /** @param {Uint8Array} bytes */
  const join = (bytes) => {
    if (!over) main.ask("join", bytes).catch(() => {});
  };

  /** @param {Uint8Array} part */
  const work = (part) => {
    const { controls, result } = workOn(pool, parts, part);
    out.add(controls);
    result.catch(() => part).then((back) => { // when a worker was lost, the part goes back as it was
      out.delete(controls);
      join(back);
      look();
    });
  };

  async function look() {
    if (looking || over) return;
    looking = true;
    try {
      if (pool.spare < 0) { // somebody else wants the workers
        for (const controls of out) controls.stop();
      }
      while (!over && pool.spare > 0) {
        const { value, bytes } = await main.ask("split");
        if (!value) break;
        if (over) break;
        work(bytes.part.slice());
      }
    } catch {
      // the run has not begun or is over
    } finally {
      looking = false;
    }
  }

  const timer = setInterval(look, LOOK_MS);
  /** @type {{ unref?: () => void }} */ (timer).unref?.();
  return () => {
    over = true;
    clearInterval(timer);
    for (const controls of out) controls.stop();
  };
}
