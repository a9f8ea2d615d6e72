// @ts-check
// block.js — a block of cells as it comes from a spreadsheet: numbers with headers, labels, blanks,
// percent signs, decimal commas; and names, one a line. Pure.

import { addAction, addState, renameItem } from "./edits.js";
import { parseCells, parseNumber } from "./number.js";

/**
 * @typedef {{ ok: true, values: number[][], notes: string[] } | { ok: false, message: string }} Block
 */

/** Cells that mean nothing is there. */
const BLANK = new Set(["", "-", "–", "—"]);

/**
 * A cell as a number: 0.8, 0,8, 80%, 2/5; a blank one is 0.
 * @param {string} text
 * @returns {import("./number.js").Parsed}
 */
function cellNumber(text) {
  const clean = text.trim();
  if (BLANK.has(clean)) return { ok: true, value: 0 };
  const percent = /%$/.test(clean);
  let plain = percent ? clean.slice(0, -1).trim() : clean;
  if (/^[+-−]?\d*,\d+$/.test(plain)) plain = plain.replace(",", ".");
  const parsed = parseNumber(plain);
  return parsed.ok && percent ? { ok: true, value: Number((parsed.value / 100).toPrecision(15)) } : parsed;
}

const isNumber = (/** @type {string} */ text) => cellNumber(text).ok && !BLANK.has(text.trim());
const isText = (/** @type {string} */ text) => !cellNumber(text).ok;

/**
 * Reads a pasted block of numbers. A header row, up to two columns of labels and empty columns at
 * the end are left out.
 * @param {string} text
 * @returns {Block}
 */
export function readBlock(text) {
  let cells = parseCells(text.includes("\t") || text.includes(";") ? text : text.replace(/(\d),(\d)/g, separated(text)));
  /** @type {string[]} */
  const notes = [];
  cells = cells.filter((line) => line.some((cell) => cell !== ""));
  const width = Math.max(0, ...cells.map((line) => line.reduce((n, cell, j) => (cell === "" ? n : j + 1), 0)));
  cells = cells.map((line) => Array.from({ length: width }, (_, j) => line[j] ?? ""));
  if (cells.length === 0 || width === 0) return { ok: false, message: "The pasted block is empty." };
  if (isHeader(cells)) {
    cells = cells.slice(1);
    notes.push("the header was left out");
  }
  for (
    let labels = 0;
    labels < 2 && cells[0].length > 1 && cells.some((line) => isText(line[0])) && cells.every((line) => isText(line[0]) || line[0] === "");
    labels++
  ) {
    cells = cells.map((line) => line.slice(1));
    if (labels === 0) notes.push("the labels were left out");
  }
  const read = cells.map((line) => line.map(cellNumber));
  const [wrong] = read.flatMap((line, i) => line.flatMap((cell, j) => (cell.ok ? [] : [`Pasted row ${i + 1}, column ${j + 1}: ${cell.message}`])));
  if (wrong !== undefined) return { ok: false, message: wrong };
  const values = read.map((line) => line.map((cell) => (cell.ok ? cell.value : NaN)));
  const blanks = cells.flat().filter((cell) => BLANK.has(cell.trim())).length;
  if (blanks > 0) notes.push(blanks === 1 ? "1 blank cell was taken as 0" : `${blanks} blank cells were taken as 0`);
  return { ok: true, values, notes };
}

/** The first row is a header when a column has text there and numbers below. @param {string[][]} cells */
const isHeader = ([first, ...rest]) => first.some((cell, j) => isText(cell) && rest.some((line) => isNumber(line[j])) && !rest.some((line) => isText(line[j])));

/** A comma between digits parts cells, unless spaces do or each line is one percentage. @param {string} text */
const separated = (text) => /\d[ \t]+[\d+-]/.test(text) || text.trim().split("\n").every((line) => /^\s*[+-]?\d+,\d+\s*%\s*$/.test(line)) ? "$1.$2" : "$1,$2";

/**
 * The document with at least so many states and actions.
 * @param {Doc} doc @param {number} states @param {number} actions
 */
export function grownTo(doc, states, actions) {
  let grown = doc;
  while (grown.states.length < states) grown = addState(grown);
  while (grown.actions.length < actions) grown = addAction(grown);
  return grown;
}

/**
 * Names pasted as a column: they go to this and the following states or actions, which are added
 * where there are not enough.
 * @param {Doc} doc @param {"states" | "actions"} list @param {number} at @param {string} text
 * @returns {Doc} the same document when the text is no column of names
 */
export function withNames(doc, list, at, text) {
  const names = text.replace(/\r\n?/g, "\n").split("\n").map((line) => line.split("\t")[0].trim()).filter(Boolean);
  if (names.length < 2) return doc;
  const need = at + names.length;
  let named = list === "states" ? grownTo(doc, need, 0) : grownTo(doc, 0, need);
  for (const [i, name] of names.entries()) named = renameItem(named, list, at + i, name);
  return named;
}

/**
 * What a pasted column of names says of a list: the names, or why they are none for it. Of a block of
 * cells the first column counts.
 * @param {string} text one a line
 * @param {number} count how many the list has
 * @returns {{ names: string[] | null, message: string }} null with no message when the text is empty
 */
export function columnOfNames(text, count) {
  const names = text.split(/\r\n?|\n/).map((line) => line.split("\t")[0].trim()).filter(Boolean);
  if (names.length === 0) return { names: null, message: "" };
  if (names.length !== count) return { names: null, message: `${names.length} ${names.length === 1 ? "name" : "names"}, but there are ${count}.` };
  const seen = new Set();
  const twice = names.find((name) => seen.has(name) || !seen.add(name));
  return twice === undefined ? { names, message: "" } : { names: null, message: `“${twice}” is there twice.` };
}
