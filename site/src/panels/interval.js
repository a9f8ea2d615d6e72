// @ts-check
// interval.js — draws the interval between what is proved and what is found. It closes while the run goes on.

import { html } from "../view.js";
import { linear } from "../picture/scale.js";
import { number } from "../words/format.js";
import { boundOf, boundText } from "../words/words.js";

/**
 * A frame about the interval: about twice as wide, and never less than a few percent of the value.
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
 * @param {{ value: number, objective: Partial<import("../rcmdp.js").Objective> | null }} props
 */
export function Interval({ value, objective }) {
  const bound = boundOf(objective);
  const max = !Number.isFinite(objective?.lowerBound);
  const at = linear(frame(value, bound), [0, 100]);
  const [left, right] = max ? [value, bound] : [bound, value];
  const share = (/** @type {number} */ x) => `${x}%`;
  return html`<div class="interval track" role="img" aria-label=${`The best possible value lies between ${boundText(objective)}, which is proved, and ${
    number(value)
  }, which is found.`}>
      <span class="beyond" style=${max ? { left: share(at(right)), right: 0 } : { left: 0, width: share(at(left)) }}></span>
      <span class="open" style=${{ left: share(at(left)), width: share(at(right) - at(left)) }}></span>
      <span class="proved" style=${{ left: share(at(bound)) }}></span>
      <span class="found" style=${{ left: share(at(value)) }}></span>
    </div>`;
}
