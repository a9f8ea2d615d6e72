// @ts-check
// one-file.js — the whole page in one HTML file: markup, styles, scripts, the solver and a model
// with its answer, for a disk without a server. Pure: parts in, text out. The template comes from
// the build; pages/one-file.js starts what is written here.

/** Ids of the elements that carry the parts; their content is text that no browser runs. */
export const carriers = { solver: "rcmdp-solver", worker: "rcmdp-worker", start: "rcmdp-start" };

/**
 * @typedef {object} Parts
 * @property {Uint8Array} solver the wasm, packed by zstd or gzip
 * @property {Uint8Array} worker the worker's script
 * @property {Start} start
 */

/**
 * What the page opens with.
 * @typedef {{ title: string, fragment: string }} Start the fragment is a link's, with its "#"; empty for a page that opens as ever
 */

/**
 * @param {string} template with an empty carrier for each part
 * @param {Parts} parts
 * @returns {string}
 */
export function oneFile(template, { solver, worker, start }) {
  let text = filled(template, carriers.solver, toBase64(solver));
  text = filled(text, carriers.worker, toBase64(worker));
  return startingWith(text, start);
}

/**
 * The same file with another start.
 * @param {string} file @param {Start} start
 */
export function startingWith(file, start) {
  const title = start.title ? `${start.title} · RCMDP Lab` : "RCMDP Lab";
  return filled(file, carriers.start, JSON.stringify(start).replaceAll("<", "\\u003c"))
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escaped(title)}</title>`);
}

/**
 * What a carrier holds.
 * @param {string} file @param {string} id
 * @returns {string}
 */
export function contentOf(file, id) {
  const [from, to] = place(file, id);
  return file.slice(from, to);
}

/** @param {string} file @param {string} id @param {string} content */
function filled(file, id, content) {
  const [from, to] = place(file, id);
  return file.slice(0, from) + content + file.slice(to);
}

/** Where a carrier's content begins and ends. @param {string} file @param {string} id @returns {[number, number]} */
function place(file, id) {
  const tag = `id="${id}">`;
  const from = file.indexOf(tag) + tag.length;
  const to = file.indexOf("</script>", from);
  if (from < tag.length || to < 0) throw new Error(`the page has no place for ${id}`);
  return [from, to];
}

/** @param {Uint8Array} bytes */
export function toBase64(bytes) {
  let text = "";
  // In pieces that fit the stack; a multiple of 3, so that none but the last is padded.
  const piece = 3 * 8192;
  for (let at = 0; at < bytes.length; at += piece) text += btoa(String.fromCharCode(...bytes.subarray(at, at + piece)));
  return text;
}

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} */
export function fromBase64(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** @param {string} text */
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
