// @ts-check
// message.js — the page's half of package wire: values to bytes, packed messages to values, and the one error type of
// the API. Pure. The layout of a message is written down at wire.Pack.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * A value as JSON text in UTF-8. JSON.stringify would turn what it cannot say into null or leave
 * it out, and null means "not available" in a problem; here such a value becomes text, so that
 * validation names its place.
 * @param {unknown} value plain data; typed arrays count as arrays, BigInt as decimal text; a
 *   string at the top is taken as JSON text already
 * @returns {Uint8Array}
 */
export function encode(value) {
  if (typeof value === "string") return encoder.encode(value);
  return encoder.encode(JSON.stringify(value ?? null, plain(value) ? undefined : sayable));
}

/**
 * Whether JSON says all of a value as it is: looking is quick, and being asked about every number of a large model is not.
 * @param {any} value
 * @returns {boolean}
 */
function plain(value) {
  if (typeof value === "number") return value - value === 0;
  if (typeof value !== "object" || value === null) return typeof value === "string" || typeof value === "boolean" || value === null;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (!plain(value[i])) return false;
    return true;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  for (const key in value) if (!plain(value[key])) return false;
  return true;
}

/** @this {any} @param {string} _key @param {any} value @returns {any} */
function sayable(_key, value) {
  const kind = typeof value;
  if (kind === "function" || kind === "symbol") return `a ${kind}`;
  if (kind === "bigint" || (kind === "number" && !Number.isFinite(value)) || (value === undefined && Array.isArray(this))) return String(value);
  return ArrayBuffer.isView(value) && !(value instanceof DataView) ? Array.from(/** @type {any} */ (value)) : value;
}

/**
 * Packs a text and columns of numbers, as wire.Pack does.
 * @param {Uint8Array} text
 * @param {Record<string, Float64Array | number[]>} columns
 * @returns {Uint8Array}
 */
export function pack(text, columns) {
  const entries = Object.entries(columns).map(([name, values]) => ({ name: encoder.encode(name), values }));
  const head = entries.reduce((n, { name }) => n + 8 + name.length, 8);
  const start = (head + text.length + 7) & ~7;
  const bytes = new Uint8Array(entries.reduce((n, { values }) => n + 8 * values.length, start));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, text.length, true);
  view.setUint32(4, entries.length, true);
  let at = 8;
  let to = start;
  for (const { name, values } of entries) {
    view.setUint32(at, name.length, true);
    view.setUint32(at + 4, values.length, true);
    bytes.set(name, at + 8);
    at += 8 + name.length;
    new Float64Array(bytes.buffer, to, values.length).set(values);
    to += 8 * values.length;
  }
  bytes.set(text, at);
  return bytes;
}

/** The mark of a column of bytes, in the length of its name. */
const OF_BYTES = 0x80000000;

/**
 * Unpacks a message. The columns, of numbers and of bytes, are views on its buffer, which nobody
 * else holds.
 * @param {Uint8Array} bytes
 * @returns {{ text: string, columns: Record<string, Float64Array>, bytes: Record<string, Uint8Array> }}
 */
export function unpack(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getUint32(0, true);
  const count = view.getUint32(4, true);
  let at = 8;
  /** @type {{ name: string, length: number, ofBytes: boolean }[]} */
  const directory = [];
  for (let i = 0; i < count; i++) {
    const marked = view.getUint32(at, true);
    const name = marked % OF_BYTES;
    directory.push({ name: decoder.decode(bytes.subarray(at + 8, at + 8 + name)), length: view.getUint32(at + 4, true), ofBytes: marked >= OF_BYTES });
    at += 8 + name;
  }
  const text = decoder.decode(bytes.subarray(at, at + length));
  at = (at + length + 7) & ~7;
  /** @type {Record<string, Float64Array>} */
  const columns = {};
  /** @type {Record<string, Uint8Array>} */
  const raw = {};
  for (const { name, length: n, ofBytes } of directory) {
    const start = bytes.byteOffset + at;
    if (ofBytes) {
      raw[name] = new Uint8Array(bytes.buffer, start, n);
      at += (n + 7) & ~7;
      continue;
    }
    columns[name] = start % 8 === 0 ? new Float64Array(bytes.buffer, start, n) : new Float64Array(bytes.buffer.slice(start, start + 8 * n));
    at += 8 * n;
  }
  return { text, columns, bytes: raw };
}

/**
 * The value of a reply; an error in it is thrown.
 * @param {Uint8Array} bytes
 * @returns {{ value: any, columns: Record<string, Float64Array>, bytes: Record<string, Uint8Array> }}
 * @throws {RcmdpError}
 */
export function open(bytes) {
  const { text, ...columns } = unpack(bytes);
  const { value, error } = JSON.parse(text);
  if (error) throw new RcmdpError(error.code, error.message, { errors: error.errors });
  return { value, ...columns };
}

/** @typedef {import('../rcmdp.js').ErrorCode} ErrorCode */
/** @typedef {import('../rcmdp.js').Fault} Fault */
/** @typedef {import('../rcmdp.js').Choice} Choice */

export class RcmdpError extends Error {
  /**
   * @param {ErrorCode} code what a program can branch on
   * @param {string} message a sentence for a person
   * @param {{ errors?: Fault[], choices?: Choice[], details?: string[], cause?: unknown }} [more] choices: what was to be said; details: last lines printed before a crash
   */
  constructor(code, message, { errors = [], choices = [], details = [], cause } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "RcmdpError";
    this.code = code;
    this.errors = errors;
    this.choices = choices;
    this.details = details;
  }
}
