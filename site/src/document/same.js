// @ts-check
// same.js — whether two documents are one model: what they say of states, costs,
// limits and nature, whatever they are called. Pure. Edits share what they leave
// alone, so the comparison costs about as much as the edit did.

/** What a document may say without saying anything of the model. */
const labels = new Set(["name", "description", "source"]);

/**
 * Whether an answer to the one is an answer to the other.
 * @param {unknown} a
 * @param {unknown} b
 */
export function sameModel(a, b) {
  if (a === b) return true;
  return isRecord(a) && isRecord(b) && sameMembers(a, b, labels);
}

/**
 * Whether two values of JSON are equal; a member that is undefined is as good as none.
 * @param {unknown} a
 * @param {unknown} b
 * @returns {boolean}
 */
export function sameValue(a, b) {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((x, i) => sameValue(x, b[i]));
  return isRecord(a) && isRecord(b) && sameMembers(a, b, null);
}

/** @param {unknown} x @returns {x is Record<string, unknown>} */
const isRecord = (x) => typeof x === "object" && x !== null && !Array.isArray(x);

/**
 * @param {Record<string, unknown>} a
 * @param {Record<string, unknown>} b
 * @param {Set<string> | null} but
 */
function sameMembers(a, b, but) {
  for (const key in a) if (!but?.has(key) && !sameValue(a[key], b[key])) return false;
  for (const key in b) if (!but?.has(key) && b[key] !== undefined && a[key] === undefined) return false;
  return true;
}
