// @ts-check
// restored.js — the history of documents that kept.js has written down. Pure.

/** @typedef {import("./kept.js").Kept} Kept */
/** @typedef {import("./kept.js").Version} Version */

/**
 * The other value again; parts that are the same are shared.
 * @param {unknown} from @param {import("./kept.js").Delta | null} delta
 * @returns {unknown}
 * @throws {RangeError} when it is not a difference from this value
 */
export function applied(from, delta) {
  if (delta === null) return from;
  if ("to" in delta) return delta.to;
  if (typeof from !== "object" || from === null) throw new RangeError("the difference is from another value");
  if ("at" in delta) {
    if (!Array.isArray(from) || from.length < delta.at + delta.out) throw new RangeError("the difference is from another list");
    return [...from.slice(0, delta.at), ...delta.put, ...from.slice(delta.at + delta.out)];
  }
  const out = /** @type {Record<string, unknown>} */ (Array.isArray(from) ? from.slice() : { ...from });
  for (const [key, part] of Object.entries(delta.parts)) {
    if (!Object.hasOwn(from, key) && !("to" in part)) throw new RangeError(`the difference is from another value: there is no ${key}`);
    out[key] = applied(out[key], part);
  }
  for (const key of delta.gone ?? []) delete out[key];
  return out;
}

/**
 * The history around a present version; nothing but that when what was kept is of another document.
 * @param {Kept | undefined} kept @param {Version} present @param {number} line what the present version's line was called when it was kept
 * @param {() => number} newLine
 * @returns {import("./kept.js").History}
 */
export function restoredHistory(kept, present, line, newLine) {
  const lines = new Map([[line, present.line]]);
  const versions = (/** @type {Kept["past"]} */ steps) => {
    let { doc } = present;
    return steps.map((of) => {
      doc = /** @type {Doc} */ (applied(doc, of.change));
      if (!lines.has(of.line)) lines.set(of.line, newLine());
      return { doc, origin: { kind: "draft" }, line: /** @type {number} */ (lines.get(of.line)) };
    });
  };
  try {
    if (!kept || kept.size !== JSON.stringify(present.doc).length) throw new RangeError("of another document");
    return { past: versions(kept.past).reverse(), present, future: versions(kept.future), key: null };
  } catch {
    return { past: [], present, future: [], key: null };
  }
}
