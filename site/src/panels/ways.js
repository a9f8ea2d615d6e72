// @ts-check
// ways.js — what can be done when no plan keeps the limits: take the least limits that can be kept, be
// less cautious, or look at the plan that is made as if nothing were uncertain. Emits: edit.

import { html } from "../view.js";
import { keepable, leastOf, lessCautious, nominalPlan } from "../lab/limits.js";
import { number, percent } from "../words/format.js";
import { limitOf } from "../words/words.js";
import { useMade } from "./made.js";
import { Menu, solverOf } from "./parts.js";

/** @typedef {import("../rcmdp.js").Problem} Problem */

/** @param {{ lab: import("./parts.js").Lab, problem: Problem }} props */
export function Ways({ lab, problem }) {
  const limits = problem.constraints ?? [];
  const least = async () => {
    const values = await Promise.all(limits.map((_, n) => leastOf(solverOf(lab), problem, n)));
    return limits.map((c, n) => {
      const { threshold, side } = sideOf(c);
      const below = side === "atLeast";
      const value = values[n];
      const out = value !== null && (below ? value < threshold : value > threshold);
      return { name: c.name, side, bound: out ? keepable(value, below) : threshold, out };
    });
  };
  const kept = useMade(least, [problem]);
  const less = async () => {
    const found = await lessCautious(solverOf(lab), problem);
    return found && { ...found, ...(await solverOf(lab).promise(problem, found.share)) };
  };
  const calmer = useMade(less, [problem], 50);
  const show = () => lab.attempt("", async () => lab.notify(planWords(await nominalPlan(solverOf(lab), problem))));
  const take = (/** @type {NonNullable<typeof kept.made>} */ all) =>
    lab.edit((/** @type {Doc} */ d) => ({ ...d, constraints: d.constraints?.map((c, n) => ({ ...c, [all[n].side]: all[n].bound })) }), "");
  const shrink = () =>
    lab.edit((/** @type {Doc} */ d) => ({
      ...d,
      ...(calmer.made?.source ? { source: calmer.made.source } : {}),
      uncertainty: { ...d.uncertainty, radius: calmer.made?.problem.uncertainty.radius },
    }), "");
  const out = kept.made?.filter((l) => l.out) ?? [];
  return html`<span class="ways"><${Menu} label="Ways on">${
    out.length > 0
      ? html`<button type="button" data-way="least" onClick=${() => kept.made && take(kept.made)}>Take the least that can be kept: ${
        out.map((l) => `${l.name} ${l.side === "atLeast" ? "≥" : "≤"} ${number(l.bound, 6)}`).join(", ")
      }</button>`
      : html`<p class="help" role="status">${
        kept.made ? "Each limit can be kept by itself, not all of them at once: loosen one." : "Looking for the least limit that can be kept…"
      }</p>`
  }${
    calmer.made &&
    html`<button type="button" data-way="calmer" onClick=${shrink}>Be less cautious: ${smaller(problem, calmer.made)}</button><p class="help">${
      promised(calmer.made)
    }</p>`
  }<button type="button" data-way="plain" onClick=${show}>See the plan for exact numbers, without caution</button><//></span>`;
}

/** @param {any} limit */
const sideOf = (limit) => ({ threshold: Number(limitOf(limit).threshold), side: limit.atLeast === undefined ? "atMost" : "atLeast" });

/** A confidence, never more than it is. @param {number} x */
const sure = (x) => percent(Math.floor(100 * x + 1e-9) / 100);

/** @typedef {{ share: number, promise: import("../rcmdp.js").Promised["promise"] }} Less */

/** "radius 0.1 instead of 0.2, confidence 71 %". @param {Problem} problem @param {Less} less */
function smaller(problem, { share, promise }) {
  if (share === 0) return "radius 0, no uncertainty";
  const { radius } = /** @type {any} */ (problem.uncertainty);
  const radii = typeof radius === "number" ? `radius ${number(radius * share, 4)} instead of ${number(radius, 4)}` : `${percent(share)} of each radius`;
  return promise ? `${radii}, confidence ${sure(promise.confidence)} instead of ${sure(promise.now)}` : radii;
}

/** What the smaller set then promises. @param {Less} less */
function promised({ share, promise }) {
  if (share === 0) return "With radius 0 limits are kept if every probability is exactly as the model says, and nothing is promised otherwise.";
  if (!promise) return "Limits are then kept for probabilities that much nearer to the model's. The radius came without data, so no confidence belongs to it.";
  const few = promise.vague > 0 ? ` Of ${promise.vague} rows that were tried too seldom for a radius below 2 nothing is said.` : "";
  return promise.confidence > 0
    ? `Of the estimate's formula: with at least ${sure(promise.confidence)} confidence all true rows are in the smaller set, and limits are kept.${few}`
    : `Of the estimate's formula: all rows at once are then in the set with no confidence that could be stated, each by itself with at least ${
      sure(promise.each)
    }.${few}`;
}

/** @param {Awaited<ReturnType<typeof nominalPlan>>} found */
function planWords(found) {
  if (!found) return "This set has no middle: it is made of bounds.";
  const of = found.nominal.map((r, n) => `${r.name} ${number(r.value, 5)} if they are, ${number(found.worst[n].value, 5)} in the worst case`);
  return `Planned as if the model's probabilities were exactly right, limits left aside: ${of.join("; ")}.`;
}
