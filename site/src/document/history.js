// @ts-check
// history.js — undo and redo over whole documents. Pure. Documents share their
// unchanged parts, so a hundred steps cost little.

/**
 * @template T
 * @typedef {{ past: T[], present: T, future: T[], key: string | null }} History
 */

export const STEPS = 100;

/**
 * @template T
 * @param {T} present
 * @returns {History<T>}
 */
export const startHistory = (present) => ({ past: [], present, future: [], key: null });

/**
 * The history after an edit. Edits in a row with the same key (typing in one
 * field) are one step.
 * @template T
 * @param {History<T>} h
 * @param {T} present
 * @param {string | null} [key]
 * @returns {History<T>}
 */
export function edited(h, present, key = null) {
  if (present === h.present) return h;
  if (key !== null && key === h.key) return { ...h, present, future: [] };
  return { past: [...h.past, h.present].slice(-STEPS), present, future: [], key };
}

/**
 * The next edit starts a new step.
 * @template T
 * @param {History<T>} h
 * @returns {History<T>}
 */
export const settled = (h) => (h.key === null ? h : { ...h, key: null });

/**
 * @template T
 * @param {History<T>} h
 * @returns {History<T>}
 */
export const undone = (h) =>
  h.past.length === 0 ? h : { past: h.past.slice(0, -1), present: h.past[h.past.length - 1], future: [h.present, ...h.future], key: null };

/**
 * @template T
 * @param {History<T>} h
 * @returns {History<T>}
 */
export const redone = (h) => h.future.length === 0 ? h : { past: [...h.past, h.present], present: h.future[0], future: h.future.slice(1), key: null };
