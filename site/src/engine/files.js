// @ts-check
// files.js — files and text as the parts of a request: a name and the bytes of each. Browser and
// Node alike: a File, a Blob, bytes, or text.

import { RcmdpError } from "./message.js";

/** @typedef {import('../rcmdp.js').ImportInput} ImportInput */

const encoder = new TextEncoder();

/** More than this is not read (core/interchange says the same). */
const MOST_BYTES = 50 * 2 ** 20;

/**
 * @param {ImportInput | readonly ImportInput[]} input
 * @param {unknown} [sheet] of a workbook, by name; its first otherwise
 * @returns {Promise<{ parts: Uint8Array[], sheets: string[] }>} parts: name, data, name, data, ...; sheets: of the workbook, where one is
 */
export async function fileParts(input, sheet) {
  const list = Array.isArray(input) ? input : [input];
  if (list.length === 0) throw new RcmdpError("invalid-option", "No file was given; want text, a file, or a list of them.");
  const parts = [];
  /** @type {string[]} */
  let sheets = [];
  let total = 0;
  for (const item of list) {
    const size = item instanceof Object && "size" in item ? Number(item.size) : 0;
    if (total + size > MOST_BYTES) throw tooLarge(total + size);
    const { name, bytes } = await read(item);
    total += bytes.byteLength;
    if (total > MOST_BYTES) throw tooLarge(total);
    const found = await unpacked(name, bytes, sheet);
    sheets = found.sheets ?? sheets;
    parts.push(encoder.encode(found.name), found.bytes);
  }
  return { parts, sheets };
}

/**
 * A workbook's sheet as CSV, YAML as JSON and UMB as the text that it is the same as; all else, and what cannot be unpacked, as it is: the solver says what that is.
 * @param {string} name @param {Uint8Array} bytes @param {unknown} sheet
 * @returns {Promise<{ name: string, bytes: Uint8Array, sheets?: string[] }>}
 */
async function unpacked(name, bytes, sheet) {
  const yaml = /\.ya?ml$/i.test(name);
  const workbook = bytes[0] === 0x50 && bytes[1] === 0x4b && (/\.xlsx$/i.test(name) || new TextDecoder("latin1").decode(bytes).includes("xl/workbook.xml"));
  const umb = /\.umb$/i.test(name) || (bytes[0] === 0x1f && bytes[1] === 0x8b) || isTar(bytes);
  if (!yaml && !workbook && !umb) return { name, bytes };
  /** Without its reader, as in a page that is one file, the solver says what helps. @type {any} */
  const reader = await (yaml ? import("./yaml.js") : umb ? import("./umb.js") : import("./sheets.js")).catch(() => null);
  if (!reader) return { name, bytes };
  try {
    if (umb) return { name, bytes: encoder.encode(await /** @type {typeof import('./umb.js')} */ (reader).textOfUmb(bytes)) };
    if (yaml) return { name, bytes: /** @type {typeof import('./yaml.js')} */ (reader).jsonOfYaml(bytes) };
    const sheets = await /** @type {typeof import('./sheets.js')} */ (reader).sheetsOf(bytes);
    const one = sheets.find((s) => s.name === sheet) ?? sheets[0];
    if (!one) throw new Error("no sheet holds anything");
    return { name: sheets.length > 1 ? `${name}, ${one.name}` : name, bytes: one.text, sheets: sheets.map((s) => s.name) };
  } catch (error) {
    const what = yaml ? "YAML" : umb ? "UMB model" : "workbook";
    throw new RcmdpError("invalid-problem", `${name || `The ${what}`} cannot be read: ${/** @type {Error} */ (error).message.split("\n")[0]}.`);
  }
}

/** A tar says so behind its first name. @param {Uint8Array} bytes */
const isTar = (bytes) => new TextDecoder("latin1").decode(bytes.subarray(257, 262)) === "ustar";

/** @param {number} bytes */
function tooLarge(bytes) {
  const megabytes = Math.ceil(bytes / 2 ** 20);
  return new RcmdpError("invalid-problem", `The files are ${megabytes} MB together; at most ${MOST_BYTES / 2 ** 20} MB are read.`);
}

/** @param {any} item @returns {Promise<{ name: string, bytes: Uint8Array }>} */
async function read(item) {
  if (typeof item === "string") return { name: "", bytes: encoder.encode(item) };
  const bytes = bytesOf(item);
  if (bytes) return { name: "", bytes };
  if (typeof item?.arrayBuffer === "function") return { name: nameOf(item), bytes: new Uint8Array(await item.arrayBuffer()) };
  const data = item?.text ?? item?.data;
  if (typeof data === "string") return { name: nameOf(item), bytes: encoder.encode(data) };
  const inside = bytesOf(data);
  if (inside) return { name: nameOf(item), bytes: inside };
  throw new RcmdpError("invalid-option", "A file is text, bytes, a File, or { name, text }.");
}

/** A copy, as what is sent to the worker leaves this side. @param {unknown} value */
function bytesOf(value) {
  if (value instanceof ArrayBuffer) return new Uint8Array(value.slice(0));
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice();
  return null;
}

/** @param {any} item */
const nameOf = (item) => (typeof item.name === "string" ? item.name : "");
