// @ts-check
// steps.js — plans: where they mix and differ; and what is known by state where there is a number of decisions: a table for each. Pure.

/** How many decisions a model has; 0 without an end of them. @param {{ horizon?: number }} problem */
export const decisions = ({ horizon }) => (Number.isInteger(horizon) && /** @type {number} */ (horizon) > 0 ? /** @type {number} */ (horizon) : 0);

/**
 * Whether the values of a cost are a table for each decision: what is read as such. Three lists deep they may be costs of the next state too.
 * @param {{ horizon?: number, states: string[], actions: string[] }} doc @param {any} values
 */
export function isByStep(doc, values) {
  const steps = decisions(doc);
  if (steps === 0 || !Array.isArray(values) || values.length !== steps || !Array.isArray(values[0]) || values[0].length !== doc.states.length) return false;
  const rows = values[0].filter(Array.isArray);
  const next = values.length === doc.states.length && values[0].length === doc.actions.length;
  return rows.some((row) => row.some(Array.isArray)) || (rows.length > 0 && !next);
}

/** Whether a plan has a table for each decision. @param {import("../rcmdp.js").Policy} policy @returns {policy is import("../rcmdp.js").PolicyTable[]} */
export const isTimed = (policy) => Array.isArray(policy[0]?.[0]);

/** The tables of a plan: one, but for a number of decisions. @param {import("../rcmdp.js").Policy} policy @returns {import("../rcmdp.js").PolicyTable[]} */
export const planTables = (policy) => (isTimed(policy) ? policy : [policy]);

/** What a plan does at a decision, from 0: the same at all, but for a number of them. @param {import("../rcmdp.js").Policy} policy @param {number} step */
export const tableAt = (policy, step) => (isTimed(policy) ? policy[Math.min(step, policy.length - 1)] : policy);

/**
 * What is known by state at a decision.
 * @template {number | boolean} T @param {T[] | T[][] | undefined} values @param {number} step @returns {T[] | undefined}
 */
export const atStep = (
  values,
  step,
) => (Array.isArray(values?.[0]) ? /** @type {T[][]} */ (values)[Math.min(step, values.length - 1)] : /** @type {T[] | undefined} */ (values));

/** The decision that is looked at, from 0; 0 without a number of them. @param {Record<string, any>} panels what panels keep @param {{ horizon?: number }} problem */
export const stepIn = (panels, problem) => Math.max(0, Math.min(panels.time?.step ?? 0, decisions(problem) - 1));

/**
 * Decisions at which a plan does the same in every state, merged. What it never comes to does not count.
 * @param {import("../rcmdp.js").PolicyTable[]} tables @param {boolean[][]} [reached] by decision and state
 * @returns {{ from: number, to: number, rows: (number[] | null)[] }[]} from and to: from 0, both counted; rows: by state, null where it never comes
 */
export function merged(tables, reached) {
  /** @type {{ from: number, to: number, rows: (number[] | null)[] }[]} */
  const out = [];
  for (const [t, table] of tables.entries()) {
    const rows = table.map((row, s) => (reached?.[t]?.[s] === false ? null : row));
    const last = out.at(-1);
    const same = last && rows.every((row, s) => {
      const other = last.rows[s];
      return row === null || other === null || row.every((p, a) => Math.abs(p - other[a]) < SAME || (Number.isNaN(p) && Number.isNaN(other[a])));
    });
    if (last && same) [last.to, last.rows] = [t, last.rows.map((row, s) => row ?? rows[s])];
    else out.push({ from: t, to: t, rows });
  }
  return out;
}

/** "step 3", "steps 3 to 8", "from step 12 on", "at every step". @param {{ from: number, to: number }} span @param {number} all */
export const whenOf = ({ from, to }, all) =>
  to === all - 1
    ? from === 0 ? "at every step" : from === to ? `step ${all}` : `from step ${from + 1} on`
    : from === to
    ? `step ${from + 1}`
    : `steps ${from + 1} to ${to + 1}`;

/** What a plan does in a state: its action, or each with its share. @param {string[]} actions @param {number[]} row @param {(p: number) => string} share */
export function deedOf(actions, row, share) {
  const taken = row.map((p, a) => ({ p, a })).filter(({ p }) => p >= SAME).sort((x, y) => y.p - x.p);
  return taken.length === 1 ? actions[taken[0].a] : taken.map(({ p, a }) => `${actions[a]} ${share(p)}`).join(", ");
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
