// @ts-check
// reading.js — what stands in a problem document: its costs, its tables of probabilities, its ends, which pairs there are,
// whether it may be a grid world (what looks closely comes only then); and the one to start from. Pure.

import { row } from "./rows.js";

/** A small model to start from: two states, two actions, one limit. @returns {Doc} */
export function blankDocument() {
  return {
    format: "rcmdp/1",
    name: "Untitled model",
    states: ["working", "broken"],
    actions: ["wait", "repair"],
    discount: 0.9,
    initial: [1, 0],
    objective: { name: "cost", sense: "minimize", values: [[0, 1], [2, 3]] },
    constraints: [{ name: "downtime", values: [[0, 0], [1, 1]], atMost: 2 }],
    uncertainty: {
      kind: "finite",
      kernels: [
        { name: "nominal", transitions: [[[0.9, 0.1], [1, 0]], [[0, 1], [0.9, 0.1]]] },
        { name: "harsh", transitions: [[[0.7, 0.3], [1, 0]], [[0, 1], [0.6, 0.4]]] },
      ],
    },
  };
}

/** What its tables name. @param {Doc} doc */
export const namesOf = (doc) => ({ states: doc.states, actions: doc.actions });

/**
 * Every cost with where it is.
 * @param {Doc} doc
 * @returns {{ pointer: string, cost: Doc["objective"] & Limit, index: number }[]} index 0 is the objective
 */
export function costsOf(doc) {
  const constraints = Array.isArray(doc.constraints) ? doc.constraints : [];
  return [
    { pointer: "/objective", cost: doc.objective ?? {}, index: 0 },
    ...constraints.map((cost, i) => ({ pointer: `/constraints/${i}`, cost, index: i + 1 })),
  ];
}

/**
 * Every table of transition probabilities with where it is. The two ends of an
 * interval need not sum to 1.
 * @param {Doc} doc
 * @returns {{ pointer: string, title: string, table: Table | undefined, sums: boolean }[]}
 */
export function tablesOf(doc) {
  const u = doc.uncertainty ?? {};
  if (Array.isArray(u.kernels)) {
    return u.kernels.map((k, i) => ({
      pointer: `/uncertainty/kernels/${i}/transitions`,
      title: k?.name || `kernel ${i + 1}`,
      table: k?.transitions,
      sums: true,
    }));
  }
  if ((u.lower ?? u.upper) !== undefined) {
    return [
      { pointer: "/uncertainty/lower", title: "lower end", table: u.lower, sums: false },
      { pointer: "/uncertainty/upper", title: "upper end", table: u.upper, sums: false },
    ];
  }
  return [{ pointer: "/uncertainty/nominal", title: "nominal kernel", table: u.nominal, sums: true }];
}

/** The names of the states in which an episode ends. @param {Doc} doc @returns {string[]} */
export const endsOf = (doc) => (doc.end ?? []).map((s) => (typeof s === "number" ? doc.states[s] ?? String(s) : s));

/** The numbers of these states. @param {Doc} doc @returns {Set<number>} */
export const endNumbers = (doc) => new Set((doc.end ?? []).map((s) => (typeof s === "number" ? s : doc.states.indexOf(s))));

/** The largest number of a table of costs, by its size: what is rounding is told by it. @param {any} values @returns {number} */
export const largest = (values) =>
  Array.isArray(values) ? values.reduce((most, x) => Math.max(most, largest(x)), 0) : typeof values === "number" ? Math.abs(values) : 0;

/**
 * Whether a cost depends on the next state.
 * @param {CostTable | unknown} values
 * @returns {values is (number[] | null)[][]}
 */
export const hasNext = (values) => Array.isArray(values) && values.some((row) => Array.isArray(row) && row.some(Array.isArray));

/**
 * Whether the action is available: some table lists the pair.
 * @param {Doc} doc
 * @param {number} s
 * @param {number} a
 */
export function isAvailable(doc, s, a) {
  const { table } = tablesOf(doc)[0] ?? {};
  return row(table, s, a, namesOf(doc)) !== null;
}

/** Whether a model may be a grid world: it has moves, and its last state's name speaks of a place. @param {Pick<Doc, "states" | "actions">} doc */
export const isGridLike = ({ states, actions }) => /^\D*\d+\D+\d+\D*$/.test(states.at(-1) ?? "") && /^(up|north|n|↑)$/i.test(actions[0]);

/** Whether it may be a painted one. @param {Doc} doc */
export const isPaintedLike = (doc) =>
  isGridLike(doc) && doc.actions[4] === "stay" && doc.states.length <= 900 && (doc.uncertainty.nominal ?? doc.uncertainty.kernels) !== undefined;
