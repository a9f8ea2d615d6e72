// @ts-check
// number.js — what a person types into a number field, read as a number. Pure.
// Fractions are kept exact for as long as a double can: 2/5 is 0.4.

/**
 * @typedef {{ ok: true, value: number } | { ok: false, message: string }} Parsed
 */

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * Reads a decimal number or a fraction of two, such as 0.25, 0,25, -3, 1e-4 or 2/5.
 * @param {string} text
 * @returns {Parsed}
 */
export function parseNumber(text) {
  const clean = pointed(text.replace(/[\s\u00a0\u2009]/g, "").replace(/[\u2212\u2013]/g, "-").replace(/\u2044/g, "/"));
  if (clean === "") return { ok: false, message: "This field is empty. Write a number or a fraction such as 2/5." };
  const parts = clean.split("/");
  if (parts.length > 2 || !parts.every((p) => DECIMAL.test(p))) return { ok: false, message: complaint(text, clean) };
  const [numerator, denominator = 1] = parts.map(Number);
  if (denominator === 0) return { ok: false, message: `“${text.trim()}” divides by zero.` };
  const value = numerator / denominator;
  if (!Number.isFinite(value)) return { ok: false, message: `“${text.trim()}” is too large for a number here.` };
  return { ok: true, value: value === 0 ? 0 : value };
}

/** A comma that can only be a decimal one as a point: not 1,234, which may be grouped. @param {string} text */
const pointed = (text) => (/^[+-]?(\d+,\d{1,2}|0,\d+|\d+,\d{4,}|\d{4,},\d+)$/.test(text) ? text.replace(",", ".") : text);

/**
 * @param {string} text
 * @param {string} clean
 */
function complaint(text, clean) {
  if (/^[+-]?\d+,\d+$/.test(clean))
    return `“${text.trim()}” has a comma, which may set thousands apart. Write ${clean.replace(",", "")} or ${clean.replace(",", ".")}.`;
  if (/^[+-]?[\d.]+%$/.test(clean)) return `“${text.trim()}” is a percentage. Write ${clean.slice(0, -1)}/100.`;
  return `“${text.trim()}” is not a number. Write a number or a fraction such as 2/5.`;
}

/**
 * The shortest text that reads back as the same number; empty for no number.
 * @param {unknown} value
 */
export function numberText(value) {
  if (typeof value === "number") return String(value);
  return value === null || value === undefined ? "" : String(value);
}

/**
 * A number in at most about so many characters, for a field that is not being
 * edited: whole when it fits, else rounded, tiny ones with their power of ten
 * where it shows.
 * @param {unknown} value
 * @param {number} [room]
 */
export function shortText(value, room = 7) {
  const whole = numberText(value);
  if (typeof value !== "number" || whole.length <= room || !Number.isFinite(value)) return whole;
  const size = Math.abs(value);
  if (size >= 1e-3 && size < 1e6) return String(Number(value.toPrecision(room - 2)));
  return Number(value.toPrecision(Math.max(2, room - 5))).toExponential();
}

/**
 * Reads a pasted block of cells: rows by line, columns by tab (or by comma,
 * semicolon or spaces when the block has no tab).
 * @param {string} text
 * @returns {string[][]}
 */
export function parseCells(text) {
  const lines = text.replace(/\r\n?/g, "\n").replace(/\n+$/, "").split("\n");
  const separator = text.includes("\t") ? /\t/ : text.includes(";") ? /;/ : text.includes(",") ? /,/ : /\s+/;
  return lines.map((line) => (text.includes("\t") ? line : line.trim()).split(separator).map((cell) => cell.trim()));
}
