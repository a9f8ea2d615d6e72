// @ts-check
// interval.js — draws the interval between what is proved and what is found. It
// closes while the run goes on.

import { html } from "htm/preact";
import { number } from "../words/format.js";
import { linear } from "../picture/scale.js";
import { maximizes } from "../words/words.js";

/**
 * The widest the interval has been, and what it is now: the picture keeps its
 * frame while the interval closes.
 * @param {number} value
 * @param {number} bound
 * @param {any} trace
 * @returns {[number, number]}
 */
function frame(value, bound, trace) {
  const seen = [value, bound, ...["lowerBound", "upperBound", "bestObjective"].flatMap((c) => [...(trace?.[c] ?? [])].filter(Number.isFinite))];
  const [lo, hi] = [Math.min(...seen), Math.max(...seen)];
  // A gap of rounding size must not fill the picture.
  const pad = Math.max((hi - lo) * 0.12, Math.abs(value) * 0.01) || 1;
  return [lo - pad, hi + pad];
}

/**
 * @param {{ problem: any, value: number, bound: number, trace: any }} props
 */
export function Interval({ problem, value, bound, trace }) {
  const max = maximizes(problem);
  const at = linear(frame(value, bound, trace), [0, 100]);
  const [left, right] = max ? [value, bound] : [bound, value];
  const share = (/** @type {number} */ x) => `${x}%`;
  const ends = [html`<span>no policy is better than <b>${number(bound)}</b></span>`, html`<span>found <b>${number(value)}</b></span>`];
  return html`<div class="interval">
    <div class="track" role="img" aria-label=${`The best possible value lies between ${number(left)}, which is proved, and ${number(right)}, which is found.`}>
      <span class="beyond" style=${max ? { left: share(at(right)), right: 0 } : { left: 0, width: share(at(left)) }}></span>
      <span class="open" style=${{ left: share(at(left)), width: share(at(right) - at(left)) }}></span>
      <span class="proved" style=${{ left: share(at(bound)) }}></span>
      <span class="found" style=${{ left: share(at(value)) }}></span>
    </div>
    <p class="ends">${max ? ends.reverse() : ends}</p>
  </div>`;
}
