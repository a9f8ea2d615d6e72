// @ts-check
// edits.js — what a person does to a problem document in the tables: add,
// rename and remove states, actions, constraints and kernels, with everything
// that speaks of them following. Pure: each returns a new document.

import { isByStep } from "./steps.js";
import { replaceAt, valueAt } from "./patch.js";
import { endsOf, hasNext, isAvailable, namesOf } from "./reading.js";
import { row, rowSum } from "./rows.js";
import { reindexed, renamed, withProbability, withRow } from "./transitions.js";

/** @param {Doc} doc */
const constraintsOf = (doc) => doc.constraints ?? [];

/** @param {Doc} doc */
const kernelsOf = (doc) => doc.uncertainty.kernels ?? [];

/**
 * @param {Doc} doc
 * @param {(table: Table, sums: boolean, end: "lower" | "upper" | undefined) => Table} change
 * @returns {Doc}
 */
function mapTables(doc, change) {
  const u = doc.uncertainty ?? {};
  const next = { ...u };
  if (Array.isArray(u.kernels)) next.kernels = u.kernels.map((k) => ({ ...k, transitions: change(k.transitions, true, undefined) }));
  if (u.nominal !== undefined) next.nominal = change(u.nominal, true, undefined);
  if (u.lower !== undefined) next.lower = change(u.lower, false, "lower");
  if (u.upper !== undefined) next.upper = change(u.upper, false, "upper");
  return { ...doc, uncertainty: next };
}

/**
 * @param {Doc} doc
 * @param {(values: CostTable) => CostTable} change
 * @returns {Doc}
 */
const mapCosts = (doc, change) =>
  withCosts(doc, (cost) => ({ ...cost, values: isByStep(doc, cost.values) ? /** @type {any} */ (cost.values).map(change) : change(cost.values) }));

/** The document with every cost changed. @param {Doc} doc @param {(cost: any, index: number) => any} change index: 0 is the objective @returns {Doc} */
export const withCosts = (doc, change) => ({
  ...doc,
  objective: change(doc.objective, 0),
  ...(doc.constraints ? { constraints: doc.constraints.map((c, i) => change(c, i + 1)) } : {}),
});

/** The discount that stands for the average per step in the long run, as at an import. */
const LONG_RUN = 0.999999;

/** Whether a document asks for that: every cost is an average. @param {Doc} doc */
export const isLongRun = (doc) => doc.discount === LONG_RUN && [doc.objective, ...(doc.constraints ?? [])].every((c) => c.scale === "average");

/** The document that asks for it, or for totals. @param {Doc} doc @param {boolean} is @returns {Doc} */
export const setLongRun = (doc, is) =>
  withCosts({ ...doc, discount: is ? LONG_RUN : 0.95 }, ({ scale, ...cost }) => (is ? { ...cost, scale: "average" } : cost));

/** The document with other kernels. @param {Doc} doc @param {NonNullable<Doc["uncertainty"]["kernels"]>} kernels @returns {Doc} */
const withKernels = (doc, kernels) => ({ ...doc, uncertainty: { ...doc.uncertainty, kernels } });

/**
 * @param {Doc} doc
 * @param {"states" | "actions"} list
 * @param {number} i
 * @param {string} name
 */
export const renameItem = (doc, list, i, name) => renameAll(doc, list, doc[list].with(i, name));

/**
 * With other names for all states, actions or kernels.
 * @param {Doc} doc
 * @param {"states" | "actions" | "kernels"} list
 * @param {string[]} names as many as there are
 * @returns {Doc}
 */
export function renameAll(doc, list, names) {
  if (list === "kernels") return withKernels(doc, kernelsOf(doc).map((k, i) => ({ ...k, name: names[i] })));
  const next = { ...doc, [list]: names };
  return mapTables(withEnds(doc, next), (t) => renamed(t, namesOf(doc), namesOf(next)));
}

/** The document with its end states by their new names. @param {Doc} doc @param {Doc} next @returns {Doc} */
const withEnds = (doc, next) => doc.end ? { ...next, end: endsOf(doc).map((name) => next.states[doc.states.indexOf(name)] ?? name) } : next;

/** @param {Doc} doc @param {"states" | "actions"} list */
const added = (doc, list) => relisted(doc, list, [...doc[list], freshName(list.slice(0, -1), doc[list])], [...doc[list].keys(), -1]);

/** @param {Doc} doc @param {"states" | "actions"} list @param {number} i */
const removed = (doc, list, i) => relisted(doc, list, doc[list].toSpliced(i, 1), [...doc[list].keys()].toSpliced(i, 1));

/** @param {Doc} doc */
export const addState = (doc) => added(doc, "states");

/** @param {Doc} doc */
export const addAction = (doc) => added(doc, "actions");

/** Removes a state. Probability that led to it, and initial probability on it, is spread over the rest in proportion. @param {Doc} doc @param {number} i */
export const removeState = (doc, i) => removed(doc, "states", i);

/** Removes an action. A state left without any keeps one that stays put, so that the document stays a model. @param {Doc} doc @param {number} i */
export const removeAction = (doc, i) => removed(doc, "actions", i);

/** @param {Doc} doc @param {"states" | "actions"} list @param {string[]} names @param {number[]} old index of each, -1 for a new one */
function relisted(doc, list, names, old) {
  const by = (/** @type {"states" | "actions"} */ of) => (of === list ? { names, old } : { names: doc[of], old: [...doc[of].keys()] });
  const [states, actions] = [by("states"), by("actions")];
  return rebuilt(doc, states.names, actions.names, states.old, actions.old);
}

/**
 * @param {Doc} doc
 * @param {string[]} states
 * @param {string[]} actions
 * @param {number[]} oldStates old index of each new state, -1 for a new one
 * @param {number[]} oldActions
 * @returns {Doc}
 */
function rebuilt(doc, states, actions, oldStates, oldActions) {
  const from = namesOf(doc);
  const to = { states, actions };
  /** A table with each cell made of the old one, undefined where there was none; null where the action is missing. @param {any} table @param {(old: any) => unknown} cell @returns {any} */
  const grid = (table, cell) => Array.isArray(table) ? oldStates.map((s) => oldActions.map((a) => cell(s < 0 || a < 0 ? undefined : table[s]?.[a]))) : table;
  const values = (/** @type {any} */ table) =>
    grid(
      table,
      hasNext(table)
        ? (row) => row === null ? null : oldStates.map((j) => (j < 0 || !Array.isArray(row) ? 0 : row[j] ?? 0))
        : (old) => old === undefined ? 0 : old,
    );
  const kept = oldStates.map((s) => (s < 0 ? 0 : doc.initial?.[s] ?? 0));
  const before = sum(doc.initial ?? []);
  const after = sum(kept);
  const stays = new Set(oldStates);
  const lost = doc.states.some((/** @type {string} */ _, /** @type {number} */ s) => !stays.has(s) && doc.initial?.[s]);
  const initial = !lost ? kept : after > 0 ? kept.map((p) => (p * before) / after) : kept.map((_, s) => (s === 0 ? 1 : 0));

  const end = doc.end && endsOf(doc).map((name) => states[oldStates.indexOf(doc.states.indexOf(name))]).filter((name) => name !== undefined);

  const withFinal = (/** @type {any} */ cost) => (cost.final ? { ...cost, final: oldStates.map((s) => cost.final[s] ?? 0) } : cost);
  const costed = { ...withCosts(mapCosts(doc, values), withFinal), states, actions, initial, ...(end && { end }) };
  const next = mapTables(costed, (t, sums, end) =>
    reindexed(t, from, to, oldStates, oldActions, {
      keepSums: sums,
      newRow: end === undefined ? undefined : (s) => states.map((_, j) => (j === s ? 1 : 0)),
    }));
  if (Array.isArray(next.uncertainty.radius)) {
    const usual = next.uncertainty.radius.flat().find((r) => typeof r === "number") ?? 0;
    next.uncertainty.radius = grid(next.uncertainty.radius, (old) => old === undefined ? usual : old);
  }
  return next;
}

/** @param {unknown[]} values */
const sum = (values) => values.reduce((/** @type {number} */ x, y) => x + (typeof y === "number" ? y : 0), 0);

/**
 * Makes an action available in a state, in every table at once: it then stays
 * where it is until its row is edited.
 * @param {Doc} doc
 * @param {number} s
 * @param {number} a
 * @param {boolean} available
 * @returns {Doc}
 */
export function setAvailable(doc, s, a, available) {
  const names = namesOf(doc);
  const stay = doc.states.map((/** @type {string} */ _, /** @type {number} */ j) => (j === s ? 1 : 0));
  const next = mapTables(doc, (t) => withRow(t, s, a, available ? stay : null, names));
  if (!available) return next;
  // A cost may have been written as null while the action was missing.
  return mapCosts(next, (values) => (Array.isArray(values) && values[s]?.[a] === null
    ? /** @type {CostTable} */ (values.map((row, i) => (i === s ? row.map((x, j) => (j === a ? (hasNext(values) ? stay.map(() => 0) : 0) : x)) : row)))
    : values));
}

/** A new move takes this from the likeliest one of its row. */
const NEW_MOVE = 0.1;

/**
 * Lets an action lead to another state, in one table: with what its row lacks to 1, else with a tenth of
 * what its likeliest move has lost; a row that only stays leads there for sure. An action that the state
 * did not have is made available.
 * @param {Doc} doc
 * @param {string} pointer of the table
 * @param {number} s
 * @param {number} a
 * @param {number} next
 * @returns {Doc}
 */
export function addMove(doc, pointer, s, a, next) {
  const names = namesOf(doc);
  const there = isAvailable(doc, s, a) ? doc : setAvailable(doc, s, a, true);
  const cells = row(valueAt(there, pointer), s, a, names) ?? [];
  if (cells.some((c) => c.next === next && c.p > 0)) return there;
  const change = (/** @type {Doc} */ d, /** @type {number} */ to, /** @type {number} */ p) =>
    replaceAt(d, pointer, withProbability(valueAt(d, pointer), s, a, to, p, names));
  const tidy = (/** @type {number} */ p) => Math.round(p * 1e12) / 1e12;
  const sums = !/\/(lower|upper)$/.test(pointer);
  const rest = tidy(1 - rowSum(cells));
  if (!sums || rest > 0) return change(there, next, sums ? rest : NEW_MOVE);
  const [most] = [...cells].sort((x, y) => y.p - x.p);
  if (!(most?.p > 0)) return there;
  if (most.next === s && most.p === 1)
    return replaceAt(
      there,
      pointer,
      withRow(valueAt(there, pointer), s, a, names.states.map((/** @type {string} */ _, /** @type {number} */ j) => Number(j === next)), names),
    );
  const p = Math.min(NEW_MOVE, tidy(most.p / 2));
  return change(change(there, most.next, tidy(most.p - p)), next, p);
}

/**
 * @param {Doc} doc
 * @returns {Doc}
 */
export function addConstraint(doc) {
  const constraints = constraintsOf(doc);
  const name = freshName("limit", [doc.objective?.name, ...constraints.map((c) => c.name)]);
  return { ...doc, constraints: [...constraints, { name, values: doc.states.map(() => doc.actions.map(() => 0)), atMost: 1 }] };
}

/**
 * @param {Doc} doc
 * @param {number} i
 * @returns {Doc}
 */
export const removeConstraint = (doc, i) => ({ ...doc, constraints: constraintsOf(doc).toSpliced(i, 1) });

/**
 * Turns "at most" into "at least" and back; the threshold stays.
 * @param {Doc} doc
 * @param {number} i
 * @param {"atMost" | "atLeast"} side
 * @returns {Doc}
 */
export function setSide(doc, i, side) {
  const { atMost, atLeast, ...rest } = constraintsOf(doc)[i];
  return { ...doc, constraints: constraintsOf(doc).with(i, /** @type {any} */ ({ ...rest, [side]: atMost ?? atLeast ?? 0 })) };
}

/**
 * Lets a cost depend on the next state, or no longer: then the value is that of
 * the first successor of each row that the person gave.
 * @param {Doc} doc
 * @param {number} index 0 is the objective
 * @param {boolean} next
 * @returns {Doc}
 */
export function setNextCosts(doc, index, next) {
  const value = (/** @type {any} */ x) => next ? doc.states.map(() => (typeof x === "number" ? x : 0)) : Array.isArray(x) ? x.find((v) => v !== 0) ?? 0 : x;
  return withCosts(
    doc,
    (cost, i) => (i !== index || hasNext(cost.values) === next ? cost : { ...cost, values: cost.values.map((/** @type {unknown[]} */ row) => row.map(value)) }),
  );
}

/**
 * A copy of a kernel, after it.
 * @param {Doc} doc
 * @param {number} i
 * @returns {Doc}
 */
export function duplicateKernel(doc, i) {
  const kernels = kernelsOf(doc);
  const { weight } = kernels[i];
  const half = weight === undefined ? kernels[i] : { ...kernels[i], weight: weight / 2 }; // together they count as much
  const copy = { ...half, name: freshName("kernel", kernels.map((k) => k.name), kernels.length + 1) };
  return withKernels(doc, kernels.toSpliced(i, 1, half, copy));
}

/**
 * @param {Doc} doc
 * @param {number} i
 * @returns {Doc}
 */
export function removeKernel(doc, i) {
  const left = kernelsOf(doc).toSpliced(i, 1);
  const sum = left.reduce((total, k) => total + (k.weight ?? 0), 0);
  return withKernels(doc, sum > 0 ? left.map((k) => ({ ...k, weight: (k.weight ?? 0) / sum })) : left.map(({ weight: _, ...k }) => k));
}

/**
 * With the worst case of every cost: what a set without a list of models has.
 * @param {Doc} doc
 * @returns {Doc}
 */
export const withoutAverages = (doc) => withCosts(doc, ({ over: _, ...cost }) => cost);

/**
 * "state 3", or the next number that is free.
 * @param {string} stem
 * @param {(string | undefined)[]} taken
 * @param {number} [from]
 */
export function freshName(stem, taken, from = taken.length + 1) {
  const names = new Set(taken);
  for (let n = from;; n++) if (!names.has(`${stem} ${n}`)) return `${stem} ${n}`;
}
