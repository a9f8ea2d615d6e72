// @ts-check
// finding.js — finds names in a long list by what is typed of them. Pure.

/**
 * The places of the names that a text may mean, best first: the very name, names that begin with it,
 * names that hold it. Capitals do not matter; the list is read once.
 * @param {string[]} names
 * @param {string} text
 * @param {number} most how many are wanted
 * @returns {number[]}
 */
export function found(names, text, most) {
  const sought = text.trim().toLowerCase();
  if (sought === "") return [];
  /** @type {[number[], number[], number[]]} */
  const ranks = [[], [], []];
  for (const [i, name] of names.entries()) {
    const at = name.toLowerCase().indexOf(sought);
    if (at < 0) continue;
    const rank = ranks[name.length === sought.length ? 0 : at === 0 ? 1 : 2];
    if (rank.length < most) rank.push(i);
  }
  return ranks.flat().slice(0, most);
}

/**
 * The states that a policy leaves to chance, of those that it comes to: more than one action has a probability there.
 * @param {number[][]} policy
 * @param {boolean[]} [reached] by state; all where it is not said
 * @returns {number[]}
 */
export const randomised = (policy, reached) => [...policy.keys()].filter((s) => reached?.[s] !== false && policy[s].filter((p) => p > 0).length > 1);

/** A difference of probabilities smaller than this is none. */
export const SAME = 5e-4;

/**
 * The states in which two policies differ. What another knows nothing of (NaN) is no difference.
 * @param {number[][]} policy
 * @param {number[][]} other
 * @returns {number[]}
 */
export const differing = (policy, other) => [...policy.keys()].filter((s) => policy[s].some((p, a) => Math.abs(p - (other[s]?.[a] ?? NaN)) >= SAME));
