// @ts-check
// parts.js — which parts an embed shows, from `hide=` and `show=` of its address. Pure.

/** What an embed is made of, in its order. */
export const parts =
  /** @type {const} */ (["title", "about", "picture", "model", "solve", "answer", "plan", "search", "proof", "slider", "explore", "exports", "lab", "sign"]);

/** @typedef {typeof parts[number]} Part */

/**
 * @param {{ hide?: string, show?: string }} link
 * @returns {{ has: (part: Part) => boolean, unknown: string[] }} unknown: names that are no part
 */
export function partsOf({ hide = "", show = "" }) {
  const list = (/** @type {string} */ text) => text.split(",").map((name) => name.trim()).filter((name) => name !== "");
  const [hidden, shown] = [list(hide), list(show)];

  return {
    has: (/** @type {Part} */ part) => (shown.length === 0 || shown.includes(part)) && !hidden.includes(part),
    unknown: [...hidden, ...shown].filter((name) => !(/** @type {readonly string[]} */ (parts).includes(name))),
  };
}
