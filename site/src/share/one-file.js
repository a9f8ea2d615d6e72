// @ts-check
// one-file.js — the whole page in one HTML file: markup, styles, scripts, the solver and a model
// with its answer, for a disk without a server. Pure: parts in, text out. The template comes from
// the build; pages/one-file.js starts what is written here.

/** Ids of the elements that carry the parts; their content is text that no browser runs. */
export const carriers = { solver: "rcmdp-solver", worker: "rcmdp-worker", start: "rcmdp-start" };
/** The same of what the build puts there, for pages/one-file.js. */
export const program = { style: "rcmdp-style", page: "rcmdp-page" };

/** An element that carries a text. @param {string} id @param {string} [text] */
export const carrier = (id, text = "") => `<script type="text/plain" id="${id}">${text}</script>`;

/** What bytes are written with: every printable sign but the one that could end a script. */
const signs = String.fromCharCode(...Array.from({ length: 94 }, (_, i) => 33 + i)).replace("<", "");
const values = new Uint8Array(128).map((_, code) => Math.max(0, signs.indexOf(String.fromCharCode(code))));
/** Two signs tell more than 13 bits apart: where these are less than so much, a fourteenth goes along. */
const ROOM = signs.length ** 2 - 0x2000;

/**
 * The parts of the solver as one, which packs closer: the length of the first in four bytes, then one after the other.
 * @param {Uint8Array[]} parts @returns {Uint8Array<ArrayBuffer>}
 */
export function inOne([first, second = new Uint8Array()]) {
  const all = new Uint8Array(4 + first.length + second.length);
  new DataView(all.buffer).setUint32(0, first.length);
  all.set(first, 4);
  all.set(second, 4 + first.length);
  return all;
}

/** The same parts again; the second is empty for a solver of one. @param {Uint8Array<ArrayBuffer>} all */
export function apart(all) {
  const end = 4 + new DataView(all.buffer, all.byteOffset).getUint32(0);
  return [all.subarray(4, end), all.subarray(end)];
}

/**
 * @typedef {object} Parts
 * @property {Uint8Array} solver the parts of the wasm in one, packed by LZMA or gzip
 * @property {Uint8Array} worker the worker's script
 * @property {Start} start
 */

/**
 * What the page opens with.
 * @typedef {{ title: string, fragment: string, home: string }} Start the fragment is a link's, with its "#"; empty for a page that opens as ever; home: the address of the page that
 *   made the file, for links, "" where that was on no web
 */

/**
 * @param {string} template with an empty carrier for each part
 * @param {Parts} parts
 * @returns {string}
 */
export function oneFile(template, { solver, worker, start }) {
  let text = filled(template, carriers.solver, toText(solver));
  text = filled(text, carriers.worker, toText(worker));
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
 * The embed as a frame of such a page: it has no address, and takes what it needs from the page around it.
 * @param {string} fragment what its address would end in
 */
export const framed = (fragment) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>RCMDP Lab: one problem</title><style></style><style id="dark" media="not all"></style>
<body class="embed"><main id="app"></main><script>
rcmdpFile = { ...parent.rcmdpFile, frame: ${JSON.stringify(fragment).replaceAll("<", "\\u003c")} };
const [light, dark] = document.querySelectorAll("style"), page = document.createElement("script");
light.textContent = rcmdpFile.styles.embed;
dark.textContent = rcmdpFile.styles.dark;
page.type = "module";
page.textContent = rcmdpFile.page;
document.body.append(page);
</script>`;

/**
 * The fragment that a file opens with; of a start that is not whole one of a model that is not, so that the page says so.
 * @param {string} start what the carrier holds, empty where nothing was put there
 * @returns {string}
 */
export function fragmentOf(start) {
  if (start === "") return "";
  try {
    const { fragment = "" } = JSON.parse(start);
    if (fragment === "" || /^#[ -~]*$/.test(fragment)) return String(fragment);
  } catch { /* not whole */ }
  return "#problem=-";
}

/** The address of the lab on the web, as a file knows it: of a page, or "". @param {string} start */
export function homeOf(start) {
  const [, home = ""] = /"home":"(https?:[!-~]+?)"/.exec(start) ?? [];
  return home;
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

/**
 * Bytes as printable text that HTML leaves alone in a script: 13 or 14 bits in two of 93 signs, so less than 16 characters
 * for 13 bytes, where base64 takes 17.3.
 * @param {Uint8Array} bytes
 */
export function toText(bytes) {
  const codes = new Uint8Array(2 * Math.ceil(8 * bytes.length / 13));
  let held = 0, bits = 0, at = 0;
  const put = (/** @type {number} */ value) => {
    codes[at++] = signs.charCodeAt(value);
  };
  for (const byte of bytes) {
    held |= byte << bits;
    bits += 8;
    if (bits < 14) continue;
    const width = (held & 0x1fff) < ROOM ? 14 : 13;
    const pair = held & ((1 << width) - 1);
    put(pair % signs.length);
    put(Math.floor(pair / signs.length));
    held >>>= width;
    bits -= width;
  }
  if (bits > 0) put(held % signs.length);
  if (bits > 7 || held >= signs.length) put(Math.floor(held / signs.length));
  return new TextDecoder().decode(codes.subarray(0, at));
}

/** @param {string} text of toText @returns {Uint8Array<ArrayBuffer>} */
export function fromText(text) {
  const bytes = new Uint8Array(Math.ceil(7 * text.length / 8));
  let held = 0, bits = 0, to = 0;
  for (let at = 0; at < text.length; at += 2) {
    const second = at + 1 < text.length;
    const pair = values[text.charCodeAt(at)] + (second ? signs.length * values[text.charCodeAt(at + 1)] : 0);
    held |= pair << bits;
    for (bits += !second ? 7 : (pair & 0x1fff) < ROOM ? 14 : 13; bits >= 8; bits -= 8) {
      bytes[to++] = held;
      held >>>= 8;
    }
  }
  return bytes.slice(0, to);
}

/** @param {string} text */
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
