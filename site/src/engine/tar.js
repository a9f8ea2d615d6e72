// @ts-check
// tar.js — the files of a tar, perhaps under gzip, and a tar of files, under gzip.

/** More than this is not unpacked: a small file can be made that would fill any memory. */
const MOST_BYTES = 400 * 2 ** 20;

/** @param {Uint8Array} bytes */
const isGzip = (bytes) => bytes[0] === 0x1f && bytes[1] === 0x8b;
/** @param {Uint8Array} bytes */
const isTar = (bytes) => new TextDecoder("latin1").decode(bytes.subarray(257, 262)) === "ustar";

/** @param {Uint8Array[]} pieces @param {{ readable: ReadableStream, writable: WritableStream }} through */
async function piped(pieces, through) {
  const stream = new Blob(/** @type {BlobPart[]} */ (pieces)).stream().pipeThrough(/** @type {any} */ (through));
  /** @type {Uint8Array[]} */
  const parts = [];
  let total = 0;
  for (const reader = stream.getReader();;) {
    const { done, value } = await reader.read();
    if (done) break;
    if ((total += value.length) > MOST_BYTES) throw new Error(`it is more than ${MOST_BYTES >> 20} MB when it is unpacked`);
    parts.push(value);
  }
  return new Uint8Array(await new Blob(/** @type {BlobPart[]} */ (parts)).arrayBuffer());
}

/**
 * The regular files by their paths, without what leads to the top.
 * @param {Uint8Array} bytes
 */
export async function unpack(bytes) {
  if (bytes[0] === 0xfd && bytes[1] === 0x37) throw new Error("it is packed with xz; unpack it first: xz -dc model.umb > plain.umb");
  const tar = isGzip(bytes)
    ? await piped([bytes], new DecompressionStream("gzip")).catch((error) => {
      throw /when it is unpacked/.test(error.message) ? error : new Error("its gzip is broken, or cut short");
    })
    : bytes;
  if (!isTar(tar)) throw new Error("it is no tar");
  const text = (/** @type {number} */ from, /** @type {number} */ length) => new TextDecoder().decode(tar.subarray(from, from + length)).split("\0")[0];
  /** @type {Map<string, Uint8Array>} */
  const files = new Map();
  let long = "";
  for (let at = 0; at + 512 <= tar.length && tar[at] !== 0;) {
    const size = (tar[at + 124] & 0x80) > 0
      ? tar.subarray(at + 126, at + 136).reduce((x, b) => 256 * x + b, 0)
      : parseInt(text(at + 124, 12).trim() || "0", 8);
    const kind = String.fromCharCode(tar[at + 156] || 48);
    const from = at + 512;
    if (!(size >= 0) || from + size > tar.length) throw new Error("it is cut short");
    const prefix = text(at + 345, 155);
    const path = long || `${prefix ? `${prefix}/` : ""}${text(at, 100)}`;
    long = "";
    if (kind === "L") long = text(from, size);
    else if (kind === "x") long = /^\d+ path=(.*)$/m.exec(text(from, size))?.[1] ?? "";
    else if (kind === "0") files.set(path.replace(/^(\.?\/)+/, ""), tar.slice(from, from + size)); // by itself, so that numbers begin where they may
    at = from + 512 * Math.ceil(size / 512);
  }
  return files;
}

/** @param {[path: string, bytes: Uint8Array][]} files */
export async function pack(files) {
  const parts = [];
  for (const [path, bytes] of files) {
    const header = new Uint8Array(512);
    const put = (/** @type {number} */ at, /** @type {string} */ value) => header.set(new TextEncoder().encode(value), at);
    const octal = (/** @type {number} */ x, /** @type {number} */ digits) => `${x.toString(8).padStart(digits, "0")}\0`;
    put(0, path);
    put(100, octal(0o644, 7));
    put(108, octal(0, 7));
    put(116, octal(0, 7));
    put(124, octal(bytes.length, 11));
    put(136, octal(0, 11));
    put(148, " ".repeat(8));
    put(156, "0");
    put(257, "ustar\x0000");
    put(148, `${octal(header.reduce((sum, b) => sum + b, 0), 6)} `);
    parts.push(header, bytes, new Uint8Array((512 - bytes.length % 512) % 512));
  }
  parts.push(new Uint8Array(1024));
  return piped(parts, new CompressionStream("gzip"));
}
