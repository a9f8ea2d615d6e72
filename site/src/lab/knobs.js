// @ts-check
// knobs.js — the numbers of a model that can be turned: its limits, tails, its radius, what its example is made with. Pure.

import { kindOf } from "../document/kinds.js";
import { decisions } from "../document/steps.js";
import { replaceAt, valueAt } from "../document/patch.js";
import { sameModel } from "../document/same.js";
import { extent } from "../picture/scale.js";
import { overOf, shareOf } from "../words/words.js";

/** @typedef {import("../rcmdp.js").Problem} Problem */

/**
 * A number of the model that can be turned: at a pointer of the document, or a
 * parameter of the example it is.
 * @typedef {{
 *   id: string, label: string, pointer: string | null, parameter: string | null, value: number, min: number, max: number, integer: boolean,
 *   looser: -1 | 0 | 1,
 * }} Knob looser: 1 when larger values allow more, -1 when smaller ones do, 0 when neither is known
 */

/**
 * Every limit, tail and radius, and every parameter of an untouched example.
 * @param {Problem} doc
 * @param {import("./state.js").Origin} origin
 * @param {import("../rcmdp.js").Example[]} examples
 * @returns {Knob[]}
 */
export const knobsOf = (doc, origin, examples) => [
  ...(doc.constraints ?? []).flatMap((c, i) => limitOf(doc, c, i)),
  ...[doc.objective, ...(doc.constraints ?? [])].flatMap(tailOf),
  ...radiusOf(doc),
  ...(origin.kind === "example" && sameModel(origin.doc, doc) ? parametersOf(doc, origin, examples) : []),
];

/** What a number of the document has in common. */
const ofDocument = { parameter: null, integer: false };

/** @param {Problem} doc @param {NonNullable<Problem["constraints"]>[number]} c @param {number} i @returns {Knob[]} */
function limitOf(doc, c, i) {
  const side = "atMost" in c ? "atMost" : "atLeast";
  const value = valueAt(c, `/${side}`);
  if (typeof value !== "number") return [];
  const label = `${c.name || `constraint ${i + 1}`} ${side === "atMost" ? "at most" : "at least"}`;
  return [{
    ...ofDocument,
    id: `limit ${i}`,
    label,
    pointer: `/constraints/${i}/${side}`,
    value,
    ...around(value, rangeOf(doc, c)),
    looser: side === "atMost" ? 1 : -1,
  }];
}

/** @param {Doc["objective"]} c @param {number} i 0 is the objective @returns {Knob[]} */
function tailOf(c, i) {
  const pointer = `${i === 0 ? "/objective" : `/constraints/${i - 1}`}/over/cvar`;
  const label = `share of the models in the tail of ${c.name || (i === 0 ? "the objective" : `constraint ${i}`)}`;
  return overOf(c) === "tail" ? [{ ...ofDocument, id: pointer, label, pointer, value: shareOf(c), min: 0.01, max: 1, looser: i === 0 ? 0 : 1 }] : [];
}

/** @param {Problem} doc @returns {Knob[]} */
function radiusOf({ uncertainty: { radius, kind } }) {
  if (typeof radius !== "number") return [];
  const most = Math.max(radius, kindOf(kind)?.radius?.slider ?? 0);
  const max = Math.min(most, radius > 0 ? 3 * radius : 0.5);
  return [{ ...ofDocument, id: "radius", label: "radius of the uncertainty set", pointer: "/uncertainty/radius", value: radius, min: 0, max, looser: -1 }];
}

/** @param {Problem} doc @param {Extract<import("./state.js").Origin, { kind: "example" }>} origin @param {import("../rcmdp.js").Example[]} examples @returns {Knob[]} */
const parametersOf = (doc, { id, parameters }, examples) =>
  (examples.find((e) => e.id === id)?.parameters ?? [])
    .map(({ name, label, default: usual, min, max, integer }) => ({
      id: `parameter ${name}`,
      label: label || name,
      pointer: null,
      parameter: name,
      value: parameters[name] ?? usual,
      min,
      max,
      integer,
      looser: /** @type {0} */ (0),
    }))
    .filter(({ parameter, value }) => parameter !== "seed" && !stands(doc, value)); // another seed is another model, not more or less of something

/**
 * The least and largest value that a cost can have, in the unit of its limit.
 * @param {Problem} doc @param {Doc["objective"]} cost
 * @returns {[number, number]}
 */
function rangeOf(doc, cost) {
  const values = cost.values ?? [];
  const [lo, hi] = ranges.get(values) ?? extent(values.flat(Infinity).filter((/** @type {unknown} */ x) => typeof x === "number")) ?? [0, 1];
  ranges.set(values, [lo, hi]);
  const horizon = cost.scale === "average" ? 1 : decisions(doc) > 0 ? decisions(doc) : doc.discount === 1 ? doc.states.length : 1 / (1 - doc.discount); // of episodes about so long
  return [lo * horizon, hi * horizon];
}

/** The range of a table of costs: a large one is looked through once. @type {WeakMap<object, [number, number]>} */
const ranges = new WeakMap();

/** A range about a limit: half its distance to what the cost can be, on either side. @param {number} value @param {[number, number]} range */
function around(value, [lo, hi]) {
  const width = Math.max(hi - lo, 1e-9);
  const reach = Math.min(width / 2, Math.max(Math.abs(value), width / 20) * 1.5);
  return { min: tidy(Math.max(lo, value - reach), width), max: tidy(Math.min(hi, value + reach), width) };
}

/** A number with no more digits than a slider needs. @param {number} x @param {number} width */
const tidy = (x, width) => Number(x.toPrecision(Math.max(2, 3 + Math.ceil(Math.log10(Math.max(Math.abs(x), 1e-12) / width)))));

/**
 * So many values from one end to the other, the knob's own among them.
 * @param {Knob} knob @param {number} n
 */
export function valuesOf(knob, n) {
  const { min, max, integer } = knob;
  if (integer) {
    const step = Math.max(1, Math.ceil((max - min) / Math.max(1, n - 1)));
    return Array.from({ length: Math.floor((max - min) / step) + 1 }, (_, i) => min + i * step);
  }
  if (!(max > min)) return [min];
  const width = max - min;
  return Array.from({ length: n }, (_, i) => tidy(min + (width * i) / (n - 1), width / 100));
}

/** The step of a knob's slider. @param {Knob} knob */
export const stepOf = ({ min, max, integer }) => (integer ? 1 : Math.max(1e-12, 10 ** Math.floor(Math.log10(Math.max(max - min, 1e-9) / 100))));

/** Whether two models differ in nothing but where the knob stands: they have one curve. @param {Problem} a @param {Problem} b @param {Knob} knob */
export const sameCurve = (a, b, knob) =>
  a === b || (knob.pointer !== null && valueAt(a, knob.pointer) !== undefined
    ? sameModel(replaceAt(a, knob.pointer, 0), replaceAt(b, knob.pointer, 0))
    : sameModel(a, b));

/** The document with a knob at a value; null when only the solver can make it. @param {Problem} doc @param {Knob} knob @param {number} value */
export const turned = (doc, knob, value) => (knob.pointer === null ? null : replaceAt(doc, knob.pointer, value));

/**
 * Whether a number that an example is made with stands in the model itself, where it is turned and edited: as its discount, its
 * radius or a limit.
 * @param {Doc} doc @param {number} value
 */
export const stands = (doc, value) => [doc.discount, doc.uncertainty?.radius, ...(doc.constraints ?? []).map((c) => c.atMost ?? c.atLeast)].includes(value);
