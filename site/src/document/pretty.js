// @ts-check
// pretty.js — a document as JSON that a person can read: one field a line, and
// lists kept on one line as long as they fit. Pure.

const WIDTH = 96;

/**
 * @param {unknown} value
 * @returns {string} JSON that parses to the same value
 */
export const pretty = (value) => [...pieces(value)].join("");

/** How many numbers and names a document holds: its text has three characters or more for each. @param {unknown} value @returns {number} */
export const leaves = (value) =>
  isLeaf(value)
    ? 1
    : Array.isArray(value) && value.every(isLeaf)
    ? value.length
    : Object.values(/** @type {object} */ (value)).reduce((n, x) => n + leaves(x), 0);

/** How many characters of a long list are one piece. */
const PIECE = 8192;

/**
 * The same text piece by piece, for a document that takes long to write.
 * @param {any} value
 * @param {string} [indent]
 * @param {number} [used] columns before the value on its line
 * @returns {Generator<string, void>}
 */
export function* pieces(value, indent = "", used = 0) {
  const flat = isLeaf(value) ? oneLine(value) : Array.isArray(value) ? within(value, WIDTH - indent.length - used) : null;
  if (flat !== null) return yield flat;
  const inner = `${indent}  `;
  if (!Array.isArray(value)) return yield* fields(value, indent);
  if (value.every(isLeaf)) return yield wrapped(value, indent);
  let text = "[\n";
  for (const [i, x] of value.entries()) {
    if (i > 0) text += ",\n";
    text += inner;
    const short = within(x, WIDTH - inner.length);
    if (short !== null && (isLeaf(x) || Array.isArray(x))) text += short;
    else {
      yield text;
      text = "";
      yield* pieces(x, inner);
    }
    if (text.length > PIECE) {
      yield text;
      text = "";
    }
  }
  yield `${text}\n${indent}]`;
}

/** The pieces of an object, a field a line. @param {Record<string, unknown>} value @param {string} indent @returns {Generator<string, void>} */
function* fields(value, indent) {
  const inner = `${indent}  `;
  let before = "{\n";
  for (const [k, v] of Object.entries(value)) {
    if (v === undefined) continue;
    const key = `${JSON.stringify(k)}: `;
    yield before + inner + key;
    yield* pieces(v, inner, key.length);
    before = ",\n";
  }
  yield before === "{\n" ? "{}" : `\n${indent}}`;
}

/**
 * A value on one line, or null when that takes more than so many characters: a long list is not written to find out.
 * @param {any} value
 * @param {number} room
 * @returns {string | null}
 */
function within(value, room) {
  if (!Array.isArray(value)) {
    const text = oneLine(value);
    return text.length <= room ? text : null;
  }
  let text = "[";
  for (const [i, x] of value.entries()) {
    const item = within(x, room - text.length - 1);
    if (item === null) return null;
    text += i > 0 ? `, ${item}` : item;
    if (text.length >= room) return null;
  }
  return text.length < room ? `${text}]` : null;
}

/** @param {unknown} value */
const isLeaf = (value) => value === null || typeof value !== "object";

/**
 * @param {any} value
 * @returns {string}
 */
function oneLine(value) {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(", ")}]`;
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  if (isLeaf(value)) return JSON.stringify(value) ?? "null";
  const fields = Object.entries(value).filter(([, v]) => v !== undefined);
  return fields.length ? `{ ${fields.map(([k, v]) => `${JSON.stringify(k)}: ${oneLine(v)}`).join(", ")} }` : "{}";
}

/**
 * A long list of numbers or names, filled like a paragraph.
 * @param {unknown[]} values
 * @param {string} indent
 */
function wrapped(values, indent) {
  const lines = [""];
  values.forEach((value, i) => {
    const item = oneLine(value) + (i < values.length - 1 ? "," : "");
    const last = lines[lines.length - 1];
    if (last && indent.length + 2 + last.length + 1 + item.length > WIDTH) lines.push(item);
    else lines[lines.length - 1] = last ? `${last} ${item}` : item;
  });
  return `[\n${lines.map((line) => `${indent}  ${line}`).join("\n")}\n${indent}]`;
}
