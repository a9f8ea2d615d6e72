// @ts-check
// transitions.js — edits the two ways a document writes transition probabilities (rows.js). Pure; edits return a
// new value and keep the way of writing.

import { denseRow, indexed, indexOf, isSparse, row } from "./rows.js";

/** @typedef {import("./rows.js").Entry} Entry */
/** @typedef {import("./rows.js").Sparse} Sparse */
/** @typedef {import("./rows.js").Dense} Dense */
/** @typedef {import("./rows.js").Names} Names */
/** @typedef {import("./rows.js").Cell} Cell */

/**
 * Gives a table that differs from another in one row the other's index, so that a keystroke does not
 * read every entry again.
 * @param {Sparse} from @param {Sparse} to @param {Names} names @param {number} pair s*A+a @param {(row: Cell[]) => Cell[]} change
 */
function carryIndex(from, to, names, pair, change) {
  const known = indexOf(from, names);
  if (!known) return;
  const rows = known.rows.slice();
  rows[pair] = change(rows[pair] ?? []);
  indexed.set(to, { ...known, rows });
}

/**
 * Gives one successor a probability. A sparse row gains an entry when the
 * successor is new; an entry set to 0 stays listed, because listed zeros belong
 * to the support.
 * @param {Table} t
 * @param {number} s
 * @param {number} a
 * @param {number} next
 * @param {number} p
 * @param {Names} names
 * @returns {Table}
 */
export function withProbability(t, s, a, next, p, names) {
  if (!isSparse(t)) {
    return editDense(t, s, a, (r) => (r ?? names.states.map(() => 0)).map((x, j) => (j === next ? p : x)));
  }
  const known = row(t, s, a, names)?.find((cell) => cell.next === next);
  const entries = t.entries.slice();
  const out = { ...t, entries };
  const pair = s * names.actions.length + a;
  if (known) {
    const i = Number(known.pointer.split("/")[2]);
    entries[i] = /** @type {Entry} */ ([...entries[i].slice(0, 3), p]);
    carryIndex(t, out, names, pair, (cells) => cells.map((cell) => (cell === known ? { ...cell, p } : cell)));
  } else {
    const cell = { next, p, pointer: `/entries/${entries.length}` };
    entries.push([names.states[s], names.actions[a], names.states[next], p]);
    carryIndex(t, out, names, pair, (cells) => [...cells, cell].sort((x, y) => x.next - y.next));
  }
  return out;
}

/**
 * Replaces the whole row of a pair; null makes the action not available.
 * @param {Table} t
 * @param {number} s
 * @param {number} a
 * @param {number[] | null} values one for each state; a sparse table lists the non-zeros
 * @param {Names} names
 * @returns {Table}
 */
export function withRow(t, s, a, values, names) {
  if (!isSparse(t)) return editDense(t, s, a, () => values);
  const drop = new Set((row(t, s, a, names) ?? []).map((cell) => Number(cell.pointer.split("/")[2])));
  const first = drop.size ? Math.min(...drop) : t.entries.length;
  const fresh = (values ?? []).flatMap((p, j) => (p === 0 ? [] : [/** @type {Entry} */ ([names.states[s], names.actions[a], names.states[j], p])]));
  const before = t.entries.filter((_, i) => i < first);
  const after = t.entries.filter((_, i) => i > first && !drop.has(i));
  return { ...t, entries: [...before, ...fresh, ...after] };
}

/**
 * @param {Dense} t
 * @param {number} s
 * @param {number} a
 * @param {(row: number[] | null) => number[] | null} change
 */
const editDense = (t, s, a, change) => t.map((actions, i) => (i === s ? actions.map((r, j) => (j === a ? change(r) : r)) : actions));

/**
 * Removes one listed successor of a sparse row.
 * @param {Sparse} t
 * @param {number} s
 * @param {number} a
 * @param {number} next
 * @param {Names} names
 * @returns {Sparse}
 */
export function withoutSuccessor(t, s, a, next, names) {
  const cell = row(t, s, a, names)?.find((c) => c.next === next);
  if (!cell) return t;
  const i = Number(cell.pointer.split("/")[2]);
  return { ...t, entries: t.entries.filter((_, j) => j !== i) };
}

/**
 * A table written as another is: dense, or with an entry for each successor that its row holds.
 * @param {Table} like
 * @param {Names} names
 * @param {(s: number, a: number) => Map<number, number> | null} rowOf probabilities by successor, in the order in which entries list them; null where the action is missing
 * @returns {Table}
 */
export function written(like, { states, actions }, rowOf) {
  if (!isSparse(like)) {
    return states.map((_, s) =>
      actions.map((_, a) => {
        const row = rowOf(s, a);
        return row && states.map((_, j) => row.get(j) ?? 0);
      })
    );
  }
  const entries = states.flatMap((state, s) =>
    actions.flatMap((action, a) => [...rowOf(s, a) ?? []].map(([j, p]) => /** @type {Entry} */ ([state, action, states[j], p])))
  );
  return { ...like, entries };
}

/** A row without what is 0 in it. @param {number[] | null} row */
const positive = (row) => row && new Map([...row.entries()].filter(([, p]) => p !== 0));

/**
 * The same probabilities for other lists of states and actions. `states[j]` and
 * `actions[j]` say which old index the new index j was, or -1 for a new one.
 * A new pair stays where it is with probability 1. What led to a removed state
 * is spread over the rest of its row in proportion; a row that led nowhere else
 * then stays where it is. Of a sparse table no row is written out over all states but those that are new.
 * @param {Table} t
 * @param {Names} from
 * @param {Names} to
 * @param {number[]} states
 * @param {number[]} actions
 * @param {{ keepSums?: boolean, newRow?: (s: number) => number[] | null }} [choices] keepSums: false for interval ends, whose rows need not sum to 1
 * @returns {Table}
 */
export function reindexed(t, from, to, states, actions, choices = {}) {
  const { keepSums = true, newRow = (s) => to.states.map((_, j) => (j === s ? 1 : 0)) } = choices;
  const now = from.states.map(() => -1);
  states.forEach((old, s) => old >= 0 && (now[old] = s));
  return written(t, to, (s, a) => {
    if (states[s] < 0 || actions[a] < 0) return positive(newRow(s));
    const cells = row(t, states[s], actions[a], from);
    if (cells === null) return null;
    /** Successors that stay, those listed twice added up. @type {Map<number, number>} */
    const kept = new Map();
    for (const { next, p } of cells) if (now[next] >= 0) kept.set(now[next], (kept.get(now[next]) ?? 0) + p);
    const gone = cells.some(({ next, p }) => now[next] < 0 && p !== 0);
    const rest = [...kept.values()].reduce((sum, p) => sum + p, 0);
    if (gone && keepSums && !(rest > 0)) return positive(newRow(s));
    const scale = gone && keepSums ? rest : 1;
    return new Map([...kept].sort(([x], [y]) => x - y).map(([j, p]) => [j, p / scale]));
  });
}

/**
 * The same table with the names in its entries following a rename.
 * @param {Table} t
 * @param {Names} from
 * @param {Names} to same lengths
 * @returns {Table}
 */
export function renamed(t, from, to) {
  if (!isSparse(t)) return t;
  let distinct = true;
  /** @param {string[]} names @param {string[]} next @returns {(ref: string | number) => string | number} */
  const following = (names, next) => {
    if (names === next) return (ref) => ref;
    /** @type {Map<string, number>} */
    const bearers = new Map();
    for (const name of next) bearers.set(name, (bearers.get(name) ?? 0) + 1);
    distinct &&= bearers.size === next.length && new Set(names).size === names.length;
    /** What is to be read in place of a name: most often that of a single one. @type {Map<string | number, string | number>} */
    const moved = new Map();
    names.forEach((name, i) => {
      // A name that is no longer unique would point elsewhere: fall back to the index.
      const now = bearers.get(next[i]) === 1 ? next[i] : i;
      if (now !== name && !moved.has(name)) moved.set(name, now);
    });
    if (moved.size > 1) return (ref) => moved.get(ref) ?? ref;
    const [[before, after] = [undefined, ""]] = moved;
    return (ref) => (ref === before ? after : ref);
  };
  const [state, action] = [following(from.states, to.states), following(from.actions, to.actions)];
  const out = {
    ...t,
    entries: t.entries.map((entry) => {
      if (!Array.isArray(entry)) return entry;
      const [s, a, next] = [state(entry[0]), action(entry[1]), state(entry[2])];
      return s === entry[0] && a === entry[1] && next === entry[2] ? entry : /** @type {Entry} */ ([s, a, next, ...entry.slice(3)]);
    }),
  };
  // While every name is one of its kind a new one moves no entry, and no reference that was in vain comes true by it.
  const known = indexOf(t, from);
  if (known && distinct && known.whole) indexed.set(out, { ...known, names: { states: to.states, actions: to.actions } });
  return out;
}

/**
 * A table of the same way of writing with every available row mapped.
 * @param {Table} t
 * @param {Names} names
 * @param {(row: number[], s: number, a: number) => number[]} change
 * @returns {Table}
 */
export const mapRows = (t, names, change) =>
  written(t, names, (s, a) => {
    const old = denseRow(t, s, a, names);
    return old && positive(change(old, s, a));
  });
