// @ts-check
// shape.js — whether a document has the shape of one, so that it can be drawn as tables. Pure.

import { tablesOf } from "./reading.js";
import { isByStep } from "./steps.js";
import { isSparse } from "./rows.js";

/**
 * What a document is not, when it cannot even be drawn as tables; null when it
 * can. The solver's validator says everything else.
 * @param {Doc} doc
 * @returns {string | null}
 */
export function unreadable(doc) {
  const names = (/** @type {unknown} */ list) => Array.isArray(list) && list.length > 0 && list.every((n) => typeof n === "string");
  if (doc === null || typeof doc !== "object" || Array.isArray(doc)) return "The document is not a JSON object.";
  if (!names(doc.states)) return "“states” is not a list of names.";
  if (!names(doc.actions)) return "“actions” is not a list of names.";
  if (!doc.objective || typeof doc.objective !== "object" || !isCost(doc.objective.values, doc))
    return `“objective.values” is not a table of ${doc.states.length} states by ${doc.actions.length} actions.`;
  if (doc.constraints !== undefined && !Array.isArray(doc.constraints)) return "“constraints” is not a list.";
  const wrong = (doc.constraints ?? []).findIndex((c) => !c || typeof c !== "object" || !isCost(c.values, doc));
  if (wrong >= 0) return `“values” of constraint ${wrong + 1} is not a table of ${doc.states.length} states by ${doc.actions.length} actions.`;
  if (!Array.isArray(doc.initial)) return "“initial” is not a list of numbers, one for each state.";
  const u = doc.uncertainty;
  if (!u || typeof u !== "object") return "“uncertainty” is missing.";
  const tables = tablesOf(doc);
  if (tables.every(({ table }) => table === undefined)) return "“uncertainty” has no table of transitions.";
  const odd = tables.find(({ table }) => !isSparse(table) && !isGrid(table, doc));
  return odd ? unlikeTable(odd.table, odd.title, doc) : null;
}

/**
 * Where a table of transitions stops being one, with what is there and what belongs there.
 * @param {unknown} table
 * @param {string} title
 * @param {Doc} doc
 */
function unlikeTable(table, title, doc) {
  const all = `one for each action: ${doc.actions.join(", ")}. An action that is not available is null`;
  if (!Array.isArray(table)) return `The transitions of the ${title} are ${kindOfValue(table)}, not a table by state and action nor a list of entries.`;
  if (table.length !== doc.states.length) {
    const missing = doc.states[table.length];
    return `The transitions of the ${title} have ${table.length} of ${doc.states.length} states${missing === undefined ? "" : `: “${missing}” is missing`}.`;
  }
  const s = table.findIndex((row) => !Array.isArray(row) || row.length !== doc.actions.length);
  const [row, state] = [table[s], doc.states[s]];
  if (!Array.isArray(row)) return `The transitions of the ${title} in state “${state}” are ${kindOfValue(row)}, not a list of rows, ${all}.`;
  const action = doc.actions[row.length];
  return `The transitions of the ${title} in state “${state}” have ${row.length} of ${doc.actions.length} actions${
    action === undefined ? "" : `: the row of action “${action}” is missing`
  }. There must be ${all}.`;
}

/** @param {unknown} x */
const kindOfValue = (x) =>
  x === undefined ? "missing" : x === null ? "null" : Array.isArray(x) ? "a list" : typeof x === "object" ? "an object" : `a ${typeof x}`;

/** One table, or with a number of decisions one for each. @param {any} values @param {Doc} doc */
const isCost = (values, doc) => (isByStep(doc, values) ? values.every((/** @type {unknown} */ table) => isGrid(table, doc)) : isGrid(values, doc));

/**
 * @param {unknown} table
 * @param {Doc} doc
 */
const isGrid = (table, doc) =>
  Array.isArray(table) && table.length === doc.states.length
  && table.every((row) => Array.isArray(row) && row.length === doc.actions.length);
