// @ts-check
// tradeoff.js — the curve of what each turn of a knob costs. Pure: from documents and points to figures.

import { extent } from "../picture/scale.js";
import { count, number, sentence } from "../words/format.js";
import { boundText, isUnchecked, valueWord } from "../words/words.js";

/** @typedef {import("../rcmdp.js").Problem} Problem */
/** @typedef {import("../rcmdp.js").SweepPoint} SweepPoint */
/** @typedef {import("../picture/plot.js").Figure} Figure */
/** @typedef {import("./knobs.js").Knob} Knob */

/**
 * What the explorer keeps of a curve while another panel is looked at: the knob's id and
 * its values with the points there are; began: it may go on by itself.
 * @typedef {{ problem: Problem, knob: string, values: number[], points: (SweepPoint | null)[], began: boolean }} Kept
 */

/** A saved sweep as the explorer keeps one: what was not checked here yet is, without being asked. @param {Problem} problem @param {{ pointer?: string, parameter?: string, values?: number[] }} options @param {(SweepPoint | null)[]} points @returns {Kept} */
export function keptSweep(problem, { pointer = "", parameter = "", values = [] }, points) {
  const limit = /^\/constraints\/(\d+)\//.exec(pointer);
  const knob = limit ? `limit ${limit[1]}` : pointer === "/uncertainty/radius" ? "radius" : parameter ? `parameter ${parameter}` : pointer;
  return {
    problem,
    knob,
    values,
    points: values.map((/** @type {number} */ v) => points.find((p) => p?.value === v) ?? null),
    began: points.some(isUnchecked),
  };
}

/** @param {SweepPoint} p */
const bound = ({ objective: { lowerBound, upperBound } }) => lowerBound ?? upperBound ?? NaN;

/**
 * The curve of a knob as a figure, from the points there are.
 * @param {Problem} doc
 * @param {Knob} knob
 * @param {(SweepPoint | null)[]} points by value
 * @param {number} total how many there will be
 * @param {SweepPoint | null} probe where the slider is
 * @returns {Figure | null}
 */
export function curve(doc, knob, points, total, probe) {
  const there = points.filter((p) => p !== null).toSorted((a, b) => a.value - b.value);
  const good = there.filter((p) => p.feasible);
  const shown = probe && !there.some((p) => p.value === probe.value) && probe.feasible ? [...good, probe] : good;
  const xs = there.map((p) => p.value);
  const values = there.map((p) => (p.feasible ? Number(p.objective.value) : NaN));
  const bounds = there.map((p) => (p.status === "proved-infeasible" ? NaN : bound(p)));
  const range = extent([...shown.map((p) => Number(p.objective.value)), ...bounds.filter(Number.isFinite)], 0.08);
  if (there.length === 0) return null;
  const maximize = doc.objective.sense === "maximize";
  const between = proved(xs, values, bounds, knob.looser);
  const name = doc.objective.name;
  const infeasible = regions(there, knob);
  const open = there.filter((p) => !p.feasible && p.status !== "proved-infeasible").length;
  const told = there.some(isUnchecked); // then no word of the figure claims a proof
  return {
    id: `tradeoff-${knob.id.replace(/\s+/g, "-")}`,
    title: `${sentence(name)} against ${knob.label}`,
    says: says(doc, there, total, open),
    x: { label: knob.label, domain: [Math.min(knob.min, ...xs), Math.max(knob.max, ...xs)] },
    y: range && { label: `${valueWord(doc)} ${name}`, domain: range }, // a strip while nothing has a height
    marks: [
      ...infeasible.map(([from, to]) => /** @type {const} */ ({
        kind: "region",
        axis: "x",
        from,
        to,
        label: told ? "no plan was found before" : "proved infeasible",
        bad: true,
      })),
      { kind: "band", xs: between.xs, lo: maximize ? between.values : between.bounds, hi: maximize ? between.bounds : between.values },
      { kind: "line", xs: between.xs, ys: between.bounds, tone: "bound" },
      { kind: "line", xs, ys: values, tone: "main" },
      { kind: "dots", xs, ys: values, tone: "main", size: 3.5 },
      ...(probe?.feasible
        ? [/** @type {const} */ ({ kind: "mark", x: probe.value, y: Number(probe.objective.value), text: number(probe.objective.value, 4) })]
        : []),
    ],
    legend: [
      { tone: "main", label: "best plan found", dots: true },
      ...(bounds.some(Number.isFinite)
        ? /** @type {const} */ ([
          { tone: "bound", label: maximize ? "proved: no plan is worth more" : "proved: no plan costs less" },
          { tone: "band", label: told || knob.looser === 0 ? "still open between the two" : "proved: the best there is lies in here" },
        ])
        : []),
    ],
    head: [knob.label, name, bounds.some(Number.isFinite) ? "proved bound" : "bound", "status", ...(doc.constraints ?? []).map((c) => c.name ?? "")],
    rows: there.map((
      p,
      i,
    ) => [
      p.value,
      values[i],
      bounds[i],
      isUnchecked(p) ? "found before" : p.status,
      ...(p.constraints ?? []).map((c) => (p.feasible ? Number(c.value) : NaN)),
    ]),
    bound: { column: 2, side: maximize ? 1 : -1 },
    points: { xs, words: (i) => pointWords(doc, knob, there[i]) },
  };
}

/**
 * What the points prove between them. Along a limit the best value never gets worse
 * as the limit is loosened: from one point to the next the plan of the tighter one
 * holds, and the bound of the looser one, so both go in steps. Elsewhere nothing is
 * known between points, and straight lines only lead the eye.
 * @param {number[]} xs @param {number[]} values @param {number[]} bounds @param {-1 | 0 | 1} looser
 */
function proved(xs, values, bounds, looser) {
  if (looser === 0) return { xs, values, bounds: bounds.map((b, i) => (Number.isFinite(values[i]) ? b : NaN)) };
  const corners = xs.flatMap((x, i) => {
    const here = { x, value: values[i], bound: bounds[i] };
    if (i + 1 === xs.length) return [here];
    const [tight, loose] = looser === 1 ? [i, i + 1] : [i + 1, i];
    const between = { value: values[tight], bound: bounds[loose] };
    return [here, { x, ...between }, { x: xs[i + 1], ...between }];
  });
  return { xs: corners.map((c) => c.x), values: corners.map((c) => c.value), bounds: corners.map((c) => c.bound) };
}

/** Stretches that are proved, or were said, to be infeasible: up to half-way to the next point, and to the end on the tight side. @param {SweepPoint[]} there @param {Knob} knob @returns {[number, number][]} */
function regions(there, knob) {
  /** @type {[number, number][]} */
  const out = [];
  there.forEach((p, i) => {
    if (p.status !== "proved-infeasible" && !(isUnchecked(p) && !p.feasible)) return;
    const [before, after] = [there[i - 1], there[i + 1]];
    // Along a limit, what is tighter than an infeasible point is infeasible too; nothing is known of what is looser.
    const from = knob.looser === 1 ? (before ? before.value : Math.min(knob.min, p.value)) : p.value;
    const to = knob.looser === -1 ? (after ? after.value : Math.max(knob.max, p.value)) : p.value;
    const last = out.at(-1);
    if (last && last[1] >= from) last[1] = Math.max(last[1], to);
    else out.push([from, to]);
  });
  return out;
}

/** @param {Problem} doc @param {Knob} knob @param {SweepPoint} p */
export function pointWords(doc, knob, p) {
  const at = `${knob.label} ${number(p.value)}`;
  if (isUnchecked(p))
    return p.feasible
      ? `${at}: ${doc.objective.name} ${number(p.objective.value)}, found before`
      : `${at}: no feasible plan was found before`;
  if (p.status === "proved-infeasible") return `${at}: proved infeasible`;
  if (!p.feasible) return `${at}: no feasible plan found`;
  const b = bound(p);
  const proof = p.status === "proved-optimal" ? "proved optimal" : Number.isFinite(b) ? `proved bound ${boundText(p.objective)}` : "nothing proved";
  return `${at}: ${doc.objective.name} ${number(p.objective.value)}, ${proof}`;
}

/** @param {Problem} doc @param {SweepPoint[]} there @param {number} total @param {number} open */
function says(doc, there, total, open) {
  const told = there.filter(isUnchecked).length;
  const so = told > 0
    ? told < there.length
      ? `${there.length - told} of ${count(total, "point")} found and checked here so far, the others before. `
      : "Found before; running it here finds and checks each point again. "
    : there.length < total
    ? `${there.length} of ${count(total, "point")} so far. `
    : "";
  const good = there.filter((p) => p.feasible);
  const infeasible = there.filter((p) => p.status === "proved-infeasible").length;
  const [a, b] = [good[0], good.at(-1)];
  const [from, to] = [a, b].map((p) => number(p?.objective.value));
  const parts = [
    a && b && a !== b && `From ${number(a.value)} to ${number(b.value)} ${doc.objective.name} ${from === to ? `is ${from}` : `goes from ${from} to ${to}`}.`,
    infeasible > 0 && `${count(infeasible, "value")} proved infeasible.`,
    open > 0 && told === 0 && `At ${count(open, "value")} no feasible plan was found, and nothing is proved.`,
  ];
  return (so +
    (parts.filter(Boolean).join(" ") ||
      (told > 0 ? "" : there.some((p) => Number.isFinite(bound(p))) ? "Each point is a plan; its proved bound stands beside it." : "Each point is a plan.")))
    .trim();
}
