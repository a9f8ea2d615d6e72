// @ts-check
// kept.js — a history of documents as plain data that outlasts a reload: the steps on both sides of the
// present one, each as what differs from its neighbour. restored.js makes it a history again. Pure.

import { sameValue } from "./same.js";

/** @typedef {{ doc: Doc, origin: any, line: number }} Version origin: where the document came from, of no concern here */
/** @typedef {import("./history.js").History<Version>} History */
/**
 * @typedef {{ to: unknown } | { parts: Record<string, Delta>, gone?: string[] } | { at: number, out: number, put: unknown[] }} Delta to: another value;
 *   parts: what differs in a list or an object, by index or name; gone: names that are no longer there; at: where a list has so many items out and others put in
 * @typedef {{ size: number, past: Step[], future: Step[] }} Kept size: of the present document as a text; each list from the present one on
 * @typedef {{ change: Delta | null, line: number }} Step change: from the one before, nearer to the present
 */

/**
 * What turns one value of JSON into another; null when they are equal. Parts that are shared are not looked into.
 * @param {unknown} from @param {unknown} to
 * @returns {Delta | null}
 */
export function deltaOf(from, to) {
  if (from === to) return null;
  if (!isHolder(from) || !isHolder(to) || Array.isArray(from) !== Array.isArray(to)) return sameValue(from, to) ? null : { to };
  if (Array.isArray(from) && Array.isArray(to) && from.length !== to.length) return spliceOf(from, to);
  const differing = Object.keys(to).filter((key) => to[key] !== undefined && !(Object.hasOwn(from, key) && from[key] === to[key])).flatMap((key) => {
    const part = Object.hasOwn(from, key) ? deltaOf(from[key], to[key]) : { to: to[key] };
    return part ? [[key, part]] : [];
  });
  const gone = Object.keys(from).filter((key) => from[key] !== undefined && (!Object.hasOwn(to, key) || to[key] === undefined));
  if (differing.length === 0 && gone.length === 0) return null;
  return { parts: Object.fromEntries(differing), ...(gone.length > 0 && { gone }) };
}

/** What turns a list into one of another length. @param {unknown[]} from @param {unknown[]} to @returns {Delta} */
function spliceOf(from, to) {
  const shorter = Math.min(from.length, to.length);
  let at = 0;
  while (at < shorter && sameValue(from[at], to[at])) at++;
  let rest = 0;
  while (rest < shorter - at && sameValue(from[from.length - 1 - rest], to[to.length - 1 - rest])) rest++;
  return { at, out: from.length - rest - at, put: to.slice(at, to.length - rest) };
}

/** Whether it is a list or an object. @param {unknown} x @returns {x is Record<string, unknown>} */
const isHolder = (x) => typeof x === "object" && x !== null;

/** Differences that are known: a history grows by one at a time. @type {WeakMap<object, { from: object, change: Delta | null, size: number }>} */
const known = new WeakMap();

/** @param {object} from @param {object} to */
function step(from, to) {
  let found = known.get(to);
  if (found?.from !== from) {
    const change = deltaOf(from, to);
    found = { from, change, size: JSON.stringify(change).length };
    known.set(to, found);
  }
  return /** @type {{ change: Delta | null, size: number }} */ (found);
}

/**
 * A history as data of at most so many characters: the steps nearest to the present, undo before redo.
 * @param {History} history @param {number} most @param {number} size of the present document as a text
 * @returns {Kept}
 */
export function keptHistory({ past, present, future }, most, size) {
  let room = most;
  const kept = (/** @type {Version[]} */ versions) => {
    /** @type {Step[]} */
    const steps = [];
    let from = present.doc;
    for (const { doc, line } of versions) {
      const { change, size: length } = step(from, doc);
      room -= length + 40;
      if (room < 0) break;
      steps.push({ change, line });
      from = doc;
    }
    return steps;
  };
  return { size, past: kept([...past].reverse()), future: kept(future) };
}
