// @ts-check
// json.js — JSON text that a person wrote, read: what is not JSON is said with its place. Pure.

/** @typedef {{ ok: true, value: any } | { ok: false, message: string }} Parsed */

/**
 * Reads JSON text; what is not JSON is said with its line and column.
 * @param {string} text
 * @returns {Parsed}
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
