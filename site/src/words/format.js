// @ts-check
// format.js — numbers, counts, times and sizes as a person reads them. Pure.
// A number that is not defined is a dash, never 0.

const DASH = "–";
const THIN = "\u202f"; // narrow, and no line breaks at it

/** @param {unknown} x @returns {x is number} */
const isDefined = (x) => typeof x === "number" && !Number.isNaN(x);

/**
 * A number to so many significant digits, without trailing noise: 12.4, −0.031,
 * 1.2e−7.
 * @param {number | null | undefined} x
 * @param {number} [digits]
 */
export function number(x, digits = 5) {
  if (!isDefined(x)) return DASH;
  if (!Number.isFinite(x)) return x > 0 ? "∞" : "−∞";
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size >= 1e7 || size < 1e-4) {
    const [mantissa, exponent] = x.toExponential(Math.min(digits, 3) - 1).split("e");
    return sign(`${trim(mantissa)}e${Number(exponent)}`);
  }
  return sign(trim(x.toFixed(decimalsFor(size, digits))));
}

/**
 * A number that is only rounding next to the size of what it was computed from is 0.
 * @param {number | null | undefined} x
 * @param {number} size
 */
export const calm = (x, size) => (typeof x === "number" && Math.abs(x) <= 1e-9 * Math.abs(size) ? 0 : x);

/**
 * A number with so many decimals.
 * @param {number | null | undefined} x
 * @param {number} decimals
 */
export function fixed(x, decimals) {
  if (!isDefined(x)) return DASH;
  if (!Number.isFinite(x)) return x > 0 ? "∞" : "−∞";
  const text = x.toFixed(decimals);
  return sign(Number(text) === 0 ? text.replace("-", "") : text);
}

/**
 * A number known up to an error, with no more digits than two of the error's: 4.9895 within 0.1 is 4.99.
 * @param {number} x
 * @param {number | null | undefined} error
 */
export const known = (x, error) => (error && error > 0 && Number.isFinite(x) ? sign(trim(fixed(x, decimalsFor(error, 2)))) : number(x));

/**
 * A share as a percentage: 0.0072 is 0.72 %.
 * @param {number | null | undefined} share
 */
export function percent(share) {
  if (!isDefined(share) || !Number.isFinite(share)) return DASH;
  const p = 100 * share;
  const size = Math.abs(p);
  if (size > 0 && size < 0.01) return `${p < 0 ? "more than −" : "less than "}0.01${THIN}%`;
  return sign(size >= 99.5 ? p.toFixed(0) : trim(p.toPrecision(2))) + `${THIN}%`;
}

/**
 * A probability with at most three decimals: what a policy's table shows.
 * @param {number | null | undefined} p
 */
export function probability(p) {
  if (!isDefined(p)) return DASH;
  if (p === 0 || p === 1) return String(p);
  if (p > 0 && p < 0.0005) return "<0.001";
  if (p < 1 && p > 0.9995) return ">0.999";
  return trim(p.toFixed(3));
}

/**
 * A whole number with thin spaces between thousands.
 * @param {number | null | undefined} n
 */
export const integer = (n) => (isDefined(n) ? sign(String(Math.round(n)).replace(/\B(?=(\d{3})+(?!\d))/g, THIN)) : DASH);

/**
 * "1 kernel", "5 kernels".
 * @param {number} n
 * @param {string} noun
 * @param {string} [plural]
 */
export const count = (n, noun, plural = `${noun}s`) => `${integer(n)} ${n === 1 ? noun : plural}`;

/**
 * A length of time: 85 ms, 1.2 s, 2 min 5 s.
 * @param {number | null | undefined} s
 */
export function seconds(s) {
  if (!isDefined(s)) return DASH;
  const value = Math.max(0, s);
  if (value < 0.0995) return `${Math.round(value * 1000)} ms`;
  if (value < 9.95) return `${trim(value.toFixed(1))} s`;
  if (value < 59.5) return `${Math.round(value)} s`;
  const whole = Math.round(value);
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/**
 * A length of time that is only guessed, no finer than the guess: 5 s, 40 s, 3 min, 2 h.
 * @param {number} s
 */
export function roughly(s) {
  const round = (/** @type {number} */ x) => (x < 10 ? Math.max(1, Math.round(x)) : x < 60 ? 5 * Math.round(x / 5) : 10 * Math.round(x / 10));
  if (s < 57.5) return `${round(s)} s`;
  if (s < 57.5 * 60) return `${round(s / 60)} min`;
  return `${round(s / 3600)} h`;
}

/**
 * @param {number | null | undefined} n
 */
export function bytes(n) {
  if (!isDefined(n)) return DASH;
  if (n < 1000) return `${n} B`;
  if (n < 999_500) return `${(n / 1e3).toFixed(0)} kB`;
  return `${trim((n / 1e6).toFixed(1))} MB`;
}

/**
 * "a, b and c".
 * @param {string[]} items
 */
export const list = (items) => new Intl.ListFormat("en-GB").format(items);

/**
 * A camelCase option name as words: outerIterations is "Outer iterations".
 * @param {string} name
 */
export function words(name) {
  const spaced = name.replace(/[-_]+/g, " ").replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/**
 * Text with its first letter large, as a sentence begins, and with signs as they are printed.
 * @param {string} text
 */
export const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1).replace(/ <= /g, " ≤ ").replace(/ >= /g, " ≥ ");

/**
 * One cell of a CSV file (RFC 4180). A text that a table program would take for a formula is marked as text by an apostrophe.
 * @param {string | number} cell
 */
function csvCell(cell) {
  const formula = typeof cell === "string" && /^[=+\-@\t\r]/.test(cell) && !Number.isFinite(Number(cell));
  const text = typeof cell === "number" && Number.isNaN(cell) ? "" : `${formula ? "'" : ""}${cell}`;
  return /[",\n\r]/.test(text) ? `"${text.replace(/"/g, "\"\"")}"` : text;
}

/**
 * Rows as a CSV file, numbers in full; a number that is not defined is empty.
 * @param {(string | number)[][]} rows
 */
export const csv = (rows) => rows.map((row) => row.map(csvCell).join(",")).join("\r\n") + "\r\n";

/** A text in Markdown as it reads, in one line: signs in the names that a person gave mark nothing up. @param {string} text */
export const inMarkdown = (text) => text.replace(/[\r\n]+/g, " ").replace(/[\\`*[\]<|]/g, "\\$&");

/**
 * Rows as a Markdown table; the first row is the head.
 * @param {string[][]} rows
 */
export function markdownTable(rows) {
  const line = (/** @type {string[]} */ cells) => `| ${cells.map(inMarkdown).join(" | ")} |`;
  const [head, ...body] = rows;
  return [line(head), line(head.map((_, i) => (i === 0 ? "---" : "---:"))), ...body.map(line)].join("\n");
}

/**
 * @param {number} size
 * @param {number} digits
 */
const decimalsFor = (size, digits) => Math.max(0, Math.min(12, digits - 1 - Math.floor(Math.log10(size))));

/** @param {string} text */
const trim = (text) => text.includes(".") ? text.replace(/\.?0+$/, "") : text;

/** @param {string} text */
const sign = (text) => text.replace(/-/g, "−");

/** Rounded to so many digits, to one side; what needs no more, or is off by noise alone, stays as it is. @param {number} x @param {number} digits @param {-1 | 1} side */
export function towards(x, digits, side) {
  const shown = Number(x.toPrecision(digits));
  return side * (shown - x) >= -1e-9 * Math.abs(x) ? shown : shown + side * 10 ** (Math.floor(Math.log10(Math.abs(x))) + 1 - digits);
}

/** As number writes it, in so many digits or the few that it gives to what is very large or small, on one side. @param {number} x @param {number} digits @param {-1 | 1} side */
export const sided = (x, digits, side) => number(towards(x, Math.abs(x) >= 1e7 || Math.abs(x) < 1e-4 ? 3 : digits, side), digits);
