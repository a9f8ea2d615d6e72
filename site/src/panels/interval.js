// @ts-check
// interval.js — draws the interval between what is proved and what is found, on a
// scale. It closes while the run goes on.

import { html } from "htm/preact";
import { linear, ticks } from "../picture/scale.js";
import { number, percent } from "../words/format.js";
import { maximizes, relativeGap } from "../words/words.js";

/**
 * A frame about the interval: three times as wide while it is open, a few percent of
 * the value when it is closed.
 * @param {number} value
 * @param {number} bound
 * @returns {[number, number]}
 */
function frame(value, bound) {
  const [lo, hi] = [Math.min(value, bound), Math.max(value, bound)];
  const pad = Math.max((hi - lo) * 0.6, Math.max(Math.abs(value), Math.abs(bound)) * 0.02) || 1;
  return [lo - pad, hi + pad];
}

/**
 * @param {{ problem: import("../rcmdp.js").Problem, value: number, bound: number }} props
 */
export function Interval({ problem, value, bound }) {
  const max = maximizes(problem);
  const domain = frame(value, bound);
  const at = linear(domain, [0, 100]);
  const [left, right] = max ? [value, bound] : [bound, value];
  const share = (/** @type {number} */ x) => `${x}%`;
  const gap = relativeGap(value, bound);
  const marks = ticks(domain, 4).filter((t) => at(t) > 3 && at(t) < 97);
  return html`<div class="interval">
    <div class="track" role="img" aria-label=${`The best possible value lies between ${number(left)} and ${number(right)}: ${number(bound)} is proved, ${
    number(value)
  } is found.`}>
      <span class="beyond" style=${max ? { left: share(at(right)), right: 0 } : { left: 0, width: share(at(left)) }}></span>
      <span class="open" style=${{ left: share(at(left)), width: share(at(right) - at(left)) }}></span>
      <span class="proved" style=${{ left: share(at(bound)) }}></span>
      <span class="found" style=${{ left: share(at(value)) }}></span>
    </div>
    <div class="scale" aria-hidden="true">${marks.map((t) => html`<span style=${{ left: share(at(t)) }}>${number(t, 6)}</span>`)}</div>
    <p class="ends">found <b>${number(value)}</b>, proved that none is ${max ? "above" : "below"} <b>${number(bound)}</b>${
    gap === 0 ? ": closed" : Number.isFinite(gap) ? `: ${percent(gap)} open` : ""
  }</p>
  </div>`;
}
