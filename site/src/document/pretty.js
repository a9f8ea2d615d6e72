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

/**
 * Reads JSON text; what is not JSON is said with its line and column.
 * @param {string} text
 * @returns {{ ok: true, value: any } | { ok: false, message: string }}
 */
export function parseDocument(text) {
  if (text.trim() === "") return { ok: false, message: "The text is empty." };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    const { at, wanted } = firstError(text);
    const before = text.slice(0, at).split("\n");
    const found = at >= text.length ? "the text ends" : `found ${JSON.stringify(text[at])}`;
    return {
      ok: false,
      message: `Not JSON yet: at line ${before.length}, column ${before[before.length - 1].length + 1} ${found} where ${wanted} was expected.`,
    };
  }
}

const TOKEN = /\s*(?:"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[{}[\],:])/y;

/**
 * Where text stops being JSON. Engines word their own errors differently, and
 * some leave the place out.
 * @param {string} text that JSON.parse refuses
 * @returns {{ at: number, wanted: string }}
 */
function firstError(text) {
  /** @type {("[" | "{")[]} */
  const open = [];
  let at = 0;
  let wanted = "a value";
  for (;;) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    const start = match ? TOKEN.lastIndex - match[0].trimStart().length : at + (text.slice(at).length - text.slice(at).trimStart().length);
    const token = match?.[0].trimStart() ?? "";
    const kind = /^[{}[\],:]$/.test(token) ? token : token[0] === "\"" ? "name" : token ? "value" : "";
    const next = after(wanted, kind, open);
    if (next === null) return { at: start, wanted };
    wanted = next;
    at = TOKEN.lastIndex;
  }
}

/**
 * What must follow a token, or null when the token is not what was wanted.
 * @param {string} wanted
 * @param {string} kind
 * @param {("[" | "{")[]} open
 * @returns {string | null}
 */
function after(wanted, kind, open) {
  const ended = () => (open.length === 0 ? "the end" : open[open.length - 1] === "[" ? "“,” or “]”" : "“,” or “}”");
  const values = ["a value", "a value or “]”"];
  if (values.includes(wanted)) {
    if (kind === "value" || kind === "name") return ended();
    if (kind === "[" || kind === "{") {
      open.push(kind);
      return kind === "[" ? "a value or “]”" : "a name in quotes or “}”";
    }
    if (kind === "]" && wanted === "a value or “]”") return open.pop(), ended();
    return null;
  }
  if (wanted.startsWith("a name")) {
    if (kind === "name") return "“:”";
    if (kind === "}" && wanted.endsWith("“}”")) return open.pop(), ended();
    return null;
  }
  if (wanted === "“:”") return kind === ":" ? "a value" : null;
  if (wanted === "the end") return null;
  if (kind === ",") return open[open.length - 1] === "[" ? "a value" : "a name in quotes";
  if (kind === (open[open.length - 1] === "[" ? "]" : "}")) return open.pop(), ended();
  return null;
}
