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
