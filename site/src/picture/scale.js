// @ts-check
// scale.js — maps numbers to places and shades. Pure: no DOM, no state.

/**
 * @param {[number, number]} domain lo < hi, or equal for a constant
 * @param {[number, number]} range may be reversed
 * @returns {(x: number) => number}
 */
export function linear([lo, hi], [from, to]) {
  const width = hi - lo;
  return width === 0 ? () => (from + to) / 2 : (x) => from + ((x - lo) / width) * (to - from);
}

/**
 * Round numbers covering the domain, about `wanted` of them: steps of 1, 2 or 5
 * times a power of ten.
 * @param {[number, number]} domain
 * @param {number} [wanted]
 * @returns {number[]}
 */
export function ticks([lo, hi], wanted = 5) {
  if (!Number.isFinite(lo) || !Number.isFinite(hi) || lo > hi) return [];
  if (lo === hi) return [lo];
  const raw = (hi - lo) / Math.max(1, wanted);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw * (1 - 1e-9)) ?? 10 * power;
  const first = Math.ceil(lo / step - 1e-9);
  const last = Math.floor(hi / step + 1e-9);
  const digits = Math.max(0, Math.ceil(-Math.log10(step) + 1e-9));
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toFixed(Math.min(digits, 15))));
}

/**
 * The shade of a probability in a heat map, as a share of the accent colour.
 * It ends below full colour so that dark ink stays readable on it; a square root
 * keeps small probabilities visible.
 * @param {number} p in [0, 1]
 * @returns {number} in [0, 0.62]
 */
export const shade = (p) => 0.62 * Math.sqrt(Math.min(1, Math.max(0, p)));

/**
 * The range of the finite numbers, padded by a share of its width.
 * @param {Iterable<number>} values
 * @param {number} [pad]
 * @returns {[number, number] | null} null when none is finite
 */
export function extent(values, pad = 0) {
  const finite = [...values].filter(Number.isFinite);
  if (finite.length === 0) return null;
  const [lo, hi] = [finite.reduce((a, b) => Math.min(a, b)), finite.reduce((a, b) => Math.max(a, b))];
  const same = hi - lo <= 1e-9 * Math.max(Math.abs(lo), Math.abs(hi)); // but for rounding
  const margin = same ? Math.max(Math.abs(lo) * 0.05, 1e-3) : (hi - lo) * pad;
  return [lo - margin, hi + margin];
}
