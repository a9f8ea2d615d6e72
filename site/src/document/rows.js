// @ts-check
// rows.js — reads the two ways a document writes transition probabilities: dense [S][A][S] with null for
// "not available", and sparse { entries: [[state, action, next, probability], ...] }. Pure.

/**
 * @typedef {Sparse["entries"][number]} Entry state, action and next by name or index, then a number
 * @typedef {Exclude<Table, unknown[]>} Sparse
 * @typedef {Extract<Table, unknown[]>} Dense
 * @typedef {{ states: string[], actions: string[] }} Names
 * @typedef {{ next: number, p: number, pointer: string }} Cell one successor; pointer is relative to the transitions
 */

/**
 * @param {unknown} t
 * @returns {t is Sparse}
 */
export const isSparse = (t) => t !== null && typeof t === "object" && !Array.isArray(t) && "entries" in t && Array.isArray(t.entries);

/** @typedef {{ names: Names, rows: (Cell[] | undefined)[], whole: boolean }} Index by s*A+a; whole: every entry is in it */
/** @type {WeakMap<object, Index>} */
export const indexed = new WeakMap();

/**
 * The index of a table, when it is known for these names.
 * @param {Sparse} t
 * @param {Names} names
 */
export function indexOf(t, names) {
  const known = indexed.get(t);
  return known && known.names.states === names.states && known.names.actions === names.actions ? known : undefined;
}

/**
 * The successors of every pair of a sparse table, by s*A+a. A pair of which only faulty entries
 * speak has none, but is there.
 * @param {Sparse} t
 * @param {Names} names
 */
function rowsOf(t, names) {
  const known = indexOf(t, names);
  if (known) return known.rows;
  const states = lookup(names.states);
  const actions = lookup(names.actions);
  /** @type {(Cell[] | undefined)[]} */
  const rows = new Array(names.states.length * names.actions.length).fill(undefined);
  let whole = true;
  t.entries.forEach((entry, i) => {
    const [s, a, next] = Array.isArray(entry) ? [states(entry[0]), actions(entry[1]), states(entry[2])] : [-1, -1, -1];
    whole &&= s >= 0 && a >= 0 && next >= 0;
    if (s < 0 || a < 0) return;
    const row = rows[s * names.actions.length + a] ??= [];
    if (next >= 0) row.push({ next, p: /** @type {number} */ (entry[3]), pointer: `/entries/${i}` });
  });
  for (const row of rows) row?.sort((x, y) => x.next - y.next);
  indexed.set(t, { names: { states: names.states, actions: names.actions }, rows, whole });
  return rows;
}

/**
 * @param {string[]} names
 * @returns {(ref: unknown) => number} -1 when it names nothing
 */
export function lookup(names) {
  const byName = new Map(names.map((name, i) => [name, i]));
  return (ref) => {
    if (typeof ref === "string") return byName.get(ref) ?? -1;
    return typeof ref === "number" && Number.isInteger(ref) && ref >= 0 && ref < names.length ? ref : -1;
  };
}

/**
 * The listed successors of a pair, or null when the action is not available.
 * Dense rows list every state, sparse rows what they list.
 * @param {Table | null | undefined} t
 * @param {number} s
 * @param {number} a
 * @param {Names} names
 * @returns {Cell[] | null}
 */
export function row(t, s, a, names) {
  if (isSparse(t)) return rowsOf(t, names)[s * names.actions.length + a] ?? null;
  const dense = Array.isArray(t) ? t[s]?.[a] : null;
  if (!Array.isArray(dense)) return null;
  return dense.map((p, next) => ({ next, p, pointer: `/${s}/${a}/${next}` }));
}

/**
 * The row as numbers, one for each state.
 * @param {Table | null | undefined} t
 * @param {number} s
 * @param {number} a
 * @param {Names} names
 * @returns {number[] | null}
 */
export function denseRow(t, s, a, names) {
  const cells = row(t, s, a, names);
  if (cells === null) return null;
  const out = names.states.map(() => 0);
  for (const { next, p } of cells) out[next] += p;
  return out;
}

/**
 * @param {Cell[] | null} cells
 */
export const rowSum = (cells) => (cells ?? []).reduce((sum, { p }) => sum + (typeof p === "number" ? p : NaN), 0);
