// @ts-check
// kinds.js — the kinds of uncertainty set as a table, and what becomes of the
// numbers when a document changes from one kind to another. The form of the
// uncertainty panel is made from this table. Pure.

import { mapRows, written } from "./transitions.js";
import { denseRow, isSparse, row as rowOf } from "./rows.js";

/**
 * @typedef {"radius" | "support" | "temperature" | "evaluator"} Field
 * @typedef {{
 *   id: Doc["uncertainty"]["kind"], title: string, short: string, says: string, body: "kernels" | "nominal" | "bounds", fields: Field[],
 *   radius?: { label: string, default: number, max: number, slider: number },
 *   ownSupport?: string, moves?: number,
 * }} Kind moves: how much may move from some successors to others, as a share of the radius, where that is all that binds a row
 */

const KEEPS = "Worst cases move probability only between the successors that the nominal row gives some.";

/** @type {Kind[]} */
export const kinds = [
  {
    id: "finite",
    title: "A list of kernels",
    short: "kernels",
    body: "kernels",
    fields: [],
    says: "Nature picks one of these kernels, once and for good, to hurt the cost in question the most.",
  },
  {
    id: "l1",
    title: "L1 ball around a kernel",
    short: "L1 ball",
    body: "nominal",
    fields: ["radius", "support"],
    radius: { label: "Radius", default: 0.2, max: Infinity, slider: 2 },
    moves: 0.5,
    says: "In every state and action nature may change the row by at most the radius, all changes added up.",
  },
  {
    id: "tv",
    title: "Total variation ball",
    short: "total variation ball",
    body: "nominal",
    fields: ["radius", "support"],
    radius: { label: "Radius", default: 0.1, max: Infinity, slider: 1 },
    moves: 1,
    says: "In every state and action nature may move at most this much probability. It is the L1 ball of twice the radius.",
  },
  {
    id: "linf",
    title: "L∞ ball",
    short: "L∞ ball",
    body: "nominal",
    fields: ["radius", "support"],
    radius: { label: "Radius", default: 0.1, max: Infinity, slider: 1 },
    says: "Nature may change every single probability by at most the radius.",
  },
  {
    id: "l2",
    title: "L2 ball",
    short: "L2 ball",
    body: "nominal",
    fields: ["radius", "support"],
    radius: { label: "Radius", default: 0.15, max: Infinity, slider: 1.5 },
    says: "Nature may change the row by at most the radius in Euclidean length.",
  },
  {
    id: "kl",
    title: "Kullback–Leibler ball",
    short: "KL ball",
    body: "nominal",
    fields: ["radius"],
    ownSupport: KEEPS,
    radius: { label: "Radius (nats)", default: 0.05, max: Infinity, slider: 1 },
    says: "Nature may pick any row whose Kullback–Leibler divergence from the nominal row is at most the radius.",
  },
  {
    id: "chi2",
    title: "χ² ball",
    short: "χ² ball",
    body: "nominal",
    fields: ["radius"],
    ownSupport: KEEPS,
    radius: { label: "Radius", default: 0.1, max: Infinity, slider: 2 },
    says: "Nature may pick any row whose χ² distance from the nominal row is at most the radius.",
  },
  {
    id: "contamination",
    title: "Contamination",
    short: "contamination set",
    body: "nominal",
    fields: ["radius", "support"],
    radius: { label: "Share", default: 0.1, max: 1, slider: 1 },
    says: "This share of the time the next state is whatever nature likes; otherwise it follows the nominal row.",
  },
  {
    id: "interval",
    title: "An interval for every probability",
    short: "intervals",
    body: "bounds",
    fields: [],
    ownSupport: "Nature may use any successor whose upper end is above 0.",
    says: "Every probability lies between a lower and an upper end, and nature picks what is worst. The optimistic value, where nature helps, is not computed.",
  },
  {
    id: "kl-regularized",
    title: "KL penalty instead of a ball",
    short: "KL penalty",
    body: "nominal",
    fields: ["temperature", "evaluator"],
    ownSupport: KEEPS,
    says: "Nature may pick any row but pays for its divergence from the nominal one. The values include that penalty.",
  },
];

/**
 * @param {string} id
 * @returns {Kind | undefined}
 */
export const kindOf = (id) => kinds.find((kind) => kind.id === id);

/**
 * Where worst cases may put probability, in one sentence.
 * @param {Doc["uncertainty"]} uncertainty
 */
export function supportSentence(uncertainty) {
  const kind = kindOf(uncertainty?.kind);
  if (!kind || kind.body === "kernels") return "";
  return kind.ownSupport ?? (uncertainty.support === "all"
    ? "Worst cases may move probability to any state, listed in the nominal row or not."
    : "Worst cases move probability only between successors that the nominal row lists.");
}

/**
 * The same in a few words, to stand behind the set's own: robust values depend on
 * it, so whoever shows one says it.
 * @param {Doc["uncertainty"]} uncertainty
 */
export function supportPhrase(uncertainty) {
  const kind = kindOf(uncertainty?.kind);
  if (!kind || kind.body !== "nominal") return "";
  return !kind.ownSupport && uncertainty.support === "all" ? ", to any state" : ", to nominal successors only";
}

/**
 * The set in a few words: "2 kernels", "L1 ball of radius 0.2".
 * @param {Doc["uncertainty"]} uncertainty
 */
export function setPhrase(uncertainty) {
  const kind = kindOf(uncertainty?.kind);
  if (!kind) return "an unknown set";
  if (kind.body === "kernels") {
    const n = Array.isArray(uncertainty.kernels) ? uncertainty.kernels.length : 0;
    return n === 1 ? "1 kernel" : `${n} kernels`;
  }
  if (kind.body === "bounds") return "intervals of probabilities";
  if (!kind.radius) return `${kind.short}, temperature ${uncertainty.temperature}`;
  const r = uncertainty.radius;
  const size = Array.isArray(r) ? "radius by state and action" : `${kind.radius.max === 1 ? "share" : "radius"} ${r}`;
  return `${kind.short}, ${size}`;
}

/**
 * The document's uncertainty as another kind. A list of kernels becomes a ball
 * around its first kernel, or intervals that just hold them all; a ball becomes a
 * list of its nominal kernel; intervals give their midpoint as nominal.
 * @param {Doc} doc
 * @param {string} id
 * @returns {Doc["uncertainty"]} the new `uncertainty`
 */
export function converted(doc, id) {
  const from = doc.uncertainty ?? {};
  const kind = kindOf(id);
  const source = kindOf(from.kind);
  if (!kind || !source || kind.id === source.id) return from;
  const names = { states: doc.states, actions: doc.actions };

  if (kind.body === "kernels") {
    return { kind: kind.id, kernels: [{ name: "nominal", transitions: nominalOf(from, names) }] };
  }
  if (kind.body === "bounds") return { kind: kind.id, ...boundsOf(from, source, names) };

  /** @type {Doc["uncertainty"]} */
  const next = { kind: kind.id, nominal: nominalOf(from, names) };
  if (kind.fields.includes("radius")) next.radius = radiusFor(kind, source, from.radius);
  if (kind.fields.includes("support")) next.support = from.support ?? "nominal";
  if (kind.fields.includes("temperature")) Object.assign(next, { temperature: 1, evaluator: "soft" });
  return next;
}

/**
 * @param {Doc["uncertainty"]} from
 * @param {{ states: string[], actions: string[] }} names
 */
function nominalOf(from, names) {
  if (from.nominal !== undefined) return from.nominal;
  if (Array.isArray(from.kernels)) return from.kernels[0]?.transitions ?? stay(names);
  if (from.lower === undefined) return stay(names);
  return mapRows(/** @type {Table} */ (from.upper), names, (upper, s, a) => between(denseRow(from.lower, s, a, names) ?? upper.map(() => 0), upper));
}

/**
 * A distribution between two ends: the lower end plus the same share of every
 * interval's width.
 * @param {number[]} lower
 * @param {number[]} upper
 */
function between(lower, upper) {
  const low = lower.reduce((x, y) => x + y, 0);
  const width = upper.reduce((x, y) => x + y, 0) - low;
  const t = width > 0 ? Math.min(1, Math.max(0, (1 - low) / width)) : 0;
  return round(lower.map((x, j) => x + t * (upper[j] - x)));
}

/**
 * Twelve decimals, so that 0.1 + 0.2 does not show as 0.30000000000000004.
 * @param {number[]} values
 */
const round = (values) => values.map((x) => (x === 0 ? 0 : Number(x.toFixed(12))));

/** @param {{ states: string[], actions: string[] }} names */
const stay = (names) => names.states.map((_, s) => names.actions.map(() => names.states.map((_, j) => (j === s ? 1 : 0))));

/**
 * @param {Doc["uncertainty"]} from
 * @param {Kind} source
 * @param {{ states: string[], actions: string[] }} names
 */
function boundsOf(from, source, names) {
  if (source.body === "kernels") {
    const tables = (from.kernels ?? []).map((k) => k.transitions);
    return ends(tables[0], names, (first, s, a) => {
      const rows = tables.map((t) => denseRow(t, s, a, names) ?? first);
      const pick = (/** @type {(...x: number[]) => number} */ f) => first.map((_, j) => f(...rows.map((r) => r[j])));
      return [pick(Math.min), pick(Math.max)];
    });
  }
  const wide = from.support === "all";
  return ends(nominalOf(from, names), names, (row, s, a) => {
    const given = Array.isArray(from.radius) ? from.radius[s]?.[a] : from.radius;
    const r = Math.min(1, typeof given === "number" && Number.isFinite(given) ? given : 0.1) * (source.moves ?? 1);
    return [
      round(row.map((p) => Math.max(0, p - r))),
      round(row.map((p) => (p === 0 && !wide ? 0 : Math.min(1, p + r)))),
    ];
  }, !wide);
}

/**
 * Both ends as tables written like the given one. A sparse lower end lists every
 * successor that the upper end lists, zeros too, so that both ends make the same
 * actions available.
 * @param {Table} like
 * @param {{ states: string[], actions: string[] }} names
 * @param {(row: number[], s: number, a: number) => [number[], number[]]} of
 * @param {boolean} [within] whether the ends are those of listed successors alone, each from its own
 *   probability: then a sparse row is not written out over all states
 */
function ends(like, names, of, within = false) {
  const rows = names.states.map((_, s) =>
    names.actions.map((__, a) => {
      const cells = rowOf(like, s, a, names);
      if (cells === null) return null;
      // A successor listed twice has the sum of both.
      const listed = within && isSparse(like) ? [...new Set(cells.map((c) => c.next))] : null;
      const row = listed ? listed.map((j) => cells.reduce((sum, c) => (c.next === j ? sum + c.p : sum), 0)) : denseRow(like, s, a, names) ?? [];
      const [low, high] = of(row, s, a);
      return high.flatMap((up, i) => (up > 0 ? [{ next: listed ? listed[i] : i, ends: [low[i], up] }] : []));
    })
  );
  const table = (/** @type {0 | 1} */ end) => written(like, names, (s, a) => rows[s][a] && new Map(rows[s][a].map(({ next, ends }) => [next, ends[end]])));
  return { lower: table(0), upper: table(1) };
}

/**
 * @param {Kind} kind
 * @param {Kind} source
 * @param {Doc["uncertainty"]["radius"]} radius
 */
function radiusFor(kind, source, radius) {
  if (radius === undefined || !kind.radius) return kind.radius?.default;
  const factor = source.moves && kind.moves ? source.moves / kind.moves : 1;
  const cap = kind.radius.max;
  const one = (/** @type {number | null} */ r) => (typeof r === "number" ? Math.min(cap, r * factor) : r);
  return Array.isArray(radius) ? radius.map((row) => (Array.isArray(row) ? row.map(one) : row)) : one(radius) ?? undefined;
}

/**
 * A radius for every pair from one radius, or one from the largest of many.
 * @param {Doc} doc
 * @param {"one" | "each"} way
 */
export function radiusAs(doc, way) {
  const { radius } = doc.uncertainty;
  if (way === "each") return Array.isArray(radius) ? radius : doc.states.map(() => doc.actions.map(() => radius));
  if (!Array.isArray(radius)) return radius;
  // Not Math.max(...): so many pairs are more arguments than a call takes.
  return radius.flat().reduce((/** @type {number} */ most, r) => (typeof r === "number" ? Math.max(most, r) : most), 0);
}
