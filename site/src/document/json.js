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

/** What may come next, where a value has ended. */
const ENDED = "";
const VALUE = { value: ENDED, name: ENDED, "[": "a value or “]”", "{": "a name in quotes or “}”" };

/** What is wanted after a token of a kind, by what was wanted; any other kind is where the text stops being JSON. @type {Record<string, Record<string, string>>} */
const FOLLOWS = {
  "a value": VALUE,
  "a value or “]”": { ...VALUE, "]": ENDED },
  "a name in quotes": { name: "“:”" },
  "a name in quotes or “}”": { name: "“:”", "}": ENDED },
  "“:”": { ":": "a value" },
  "“,” or “]”": { ",": "a value", "]": ENDED },
  "“,” or “}”": { ",": "a name in quotes", "}": ENDED },
  "the end": {},
};

/**
 * Where text stops being JSON. Engines word their own errors differently, and
 * some leave the place out.
 * @param {string} text that JSON.parse refuses
 * @returns {{ at: number, wanted: string }}
 */
function firstError(text) {
  /** What is open, outermost first. @type {string[]} */
  const open = [];
  let at = 0;
  let wanted = "a value";
  for (;;) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text)?.[0].trimStart() ?? "";
    const kind = /^[{}[\],:]$/.test(token) ? token : token[0] === "\"" ? "name" : token ? "value" : "";
    const next = FOLLOWS[wanted][kind];
    if (next === undefined) return { at: text.length - text.slice(at).trimStart().length, wanted };
    if (next !== ENDED) {
      if (kind === "[" || kind === "{") open.push(kind);
      wanted = next;
    } else {
      if (kind === "]" || kind === "}") open.pop();
      wanted = { "[": "“,” or “]”", "{": "“,” or “}”" }[/** @type {"["} */ (open.at(-1))] ?? "the end";
    }
    at = TOKEN.lastIndex;
  }
}
