// @ts-check
// knobs.js — the numbers of a model that can be turned: its limits, tails, its radius, what its example is made with. Pure.

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
 * Every limit, the radius, and every parameter of an untouched example.
 * @param {Problem} doc
 * @param {import("./state.js").Origin} origin
 * @param {import("../rcmdp.js").Example[]} examples
 * @returns {Knob[]}
 */
export function knobsOf(doc, origin, examples) {
  /** @type {Knob[]} */
  const knobs = [];
  (doc.constraints ?? []).forEach((c, i) => {
    const side = "atMost" in c ? "atMost" : "atLeast";
    const value = valueAt(c, `/${side}`);
    if (typeof value !== "number") return;
    knobs.push({
      id: `limit ${i}`,
      label: `${c.name || `constraint ${i + 1}`} ${side === "atMost" ? "at most" : "at least"}`,
      pointer: `/constraints/${i}/${side}`,
      parameter: null,
      value,
      ...around(value, rangeOf(doc, c)),
      integer: false,
      looser: side === "atMost" ? 1 : -1,
    });
  });
  [doc.objective, ...(doc.constraints ?? [])].forEach((c, i) => {
    if (overOf(c) !== "tail") return;
    const pointer = `${i === 0 ? "/objective" : `/constraints/${i - 1}`}/over/cvar`;
    knobs.push({
      id: pointer,
      label: `share of the models in the tail of ${c.name || (i === 0 ? "the objective" : `constraint ${i}`)}`,
      pointer,
      parameter: null,
      value: shareOf(c),
      min: 0.01,
      max: 1,
      integer: false,
      looser: i === 0 ? 0 : 1,
    });
  });
  const radius = doc.uncertainty.radius;
  if (typeof radius === "number") {
    const most = doc.uncertainty.kind === "contamination" ? 1 : doc.uncertainty.kind === "l1" ? 2 : Infinity;
    knobs.push({
      id: "radius",
      label: "radius of the uncertainty set",
      pointer: "/uncertainty/radius",
      parameter: null,
      value: radius,
      min: 0,
      max: Math.min(most, radius > 0 ? 3 * radius : 0.5),
      integer: false,
      looser: -1,
    });
  }
  if (origin.kind === "example" && sameModel(origin.doc, doc)) {
    for (const p of examples.find((e) => e.id === origin.id)?.parameters ?? []) {
      const value = origin.parameters[p.name] ?? p.default;
      if (p.name === "seed" || stands(doc, value)) continue; // another seed is another model, not more or less of something
      knobs.push({
        id: `parameter ${p.name}`,
        label: p.label || p.name,
        pointer: null,
        parameter: p.name,
        value,
        min: p.min,
        max: p.max,
        integer: p.integer,
        looser: 0,
      });
    }
  }
  return knobs;
}

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
