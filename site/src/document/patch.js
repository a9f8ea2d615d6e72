// @ts-check
// patch.js — JSON Pointers (RFC 6901) and replacements at them. Pure: the
// document that goes in is never changed, and parts that stay are shared.

/** @typedef {{ pointer: string, value: unknown }} Replacement */

/** Whether a text is a pointer. @param {unknown} text */
export const isPointer = (text) => typeof text === "string" && /^(\/|$)/.test(text);

/**
 * The parts of a pointer: "/states/0" is ["states", "0"].
 * @param {string} pointer
 * @returns {string[]}
 */
export function parsePointer(pointer) {
  if (!isPointer(pointer)) throw new RangeError(`not a JSON Pointer: ${pointer}`);
  if (pointer === "") return [];
  return pointer.slice(1).split("/").map((part) => part.replace(/~1/g, "/").replace(/~0/g, "~"));
}

/**
 * The value at a pointer, or undefined when there is none.
 * @param {any} document
 * @param {string} pointer
 */
export function valueAt(document, pointer) {
  let value = document;
  for (const part of parsePointer(pointer)) {
    if (value === null || typeof value !== "object" || !Object.hasOwn(value, part)) return undefined;
    value = value[part];
  }
  return value;
}

/**
 * The document with the value at the pointer replaced, or added when the last
 * part is a new field or the place after the end of a list ("-" or its length).
 * @template T
 * @param {T} document
 * @param {string} pointer
 * @param {any} value
 * @returns {T}
 */
export const replaceAt = (document, pointer, value) => replace(document, parsePointer(pointer), value, pointer);

/**
 * @param {any} node
 * @param {string[]} parts
 * @param {any} value
 * @param {string} pointer
 * @returns {any}
 */
function replace(node, parts, value, pointer) {
  if (parts.length === 0) return value;
  const [part, ...rest] = parts;
  if (Array.isArray(node)) {
    const index = part === "-" ? node.length : Number(part);
    if (!Number.isInteger(index) || index < 0 || index > node.length || (rest.length > 0 && index === node.length)) {
      throw new RangeError(`no place ${pointer} in the document`);
    }
    const copy = node.slice();
    copy[index] = replace(node[index], rest, value, pointer);
    return copy;
  }
  if (node === null || typeof node !== "object" || part === "__proto__" || (rest.length > 0 && !Object.hasOwn(node, part))) {
    throw new RangeError(`no place ${pointer} in the document`);
  }
  return { ...node, [part]: replace(node[part], rest, value, pointer) };
}

/**
 * @template T
 * @param {T} document
 * @param {Replacement[]} patch
 * @returns {T}
 */
export const applyPatch = (document, patch) => patch.reduce((doc, { pointer, value }) => replaceAt(doc, pointer, value), document);

/**
 * Whether the pointer is the place or lies inside it.
 * @param {string} pointer
 * @param {string} place
 */
export const isWithin = (pointer, place) => pointer === place || pointer.startsWith(`${place}/`);
