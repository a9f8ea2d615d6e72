// @ts-check
// pretty.js — a document as JSON that a person can read: one field a line, and
// lists kept on one line as long as they fit. Pure.

const WIDTH = 96;

/**
 * @param {unknown} value
 * @returns {string} JSON that parses to the same value
 */
export function pretty(value) {
  return write(value, "", 0);
}

/**
 * @param {any} value
 * @param {string} indent
 * @param {number} used columns before the value on its line
 * @returns {string}
 */
function write(value, indent, used) {
  const flat = oneLine(value);
  if (flat.length + indent.length + used <= WIDTH && (Array.isArray(value) || isLeaf(value))) return flat;
  if (isLeaf(value)) return flat;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.every(isLeaf)) return wrapped(value, indent);
    return `[\n${value.map((x) => inner + write(x, inner, 0)).join(",\n")}\n${indent}]`;
  }
  const fields = Object.entries(value).filter(([, v]) => v !== undefined);
  if (fields.length === 0) return "{}";
  return `{\n${
    fields.map(([k, v]) => {
      const key = `${JSON.stringify(k)}: `;
      return inner + key + write(v, inner, key.length);
    }).join(",\n")
  }\n${indent}}`;
}

/** @param {unknown} value */
const isLeaf = (value) => value === null || typeof value !== "object";

/**
 * @param {any} value
 * @returns {string}
 */
function oneLine(value) {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(", ")}]`;
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
