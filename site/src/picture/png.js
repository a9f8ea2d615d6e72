// @ts-check
// png.js — text inside a PNG file, in a chunk of international text (iTXt) right behind the header.
// Pure. https://www.w3.org/TR/png-3/#11iTXt

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** Length, type and checksum. */
const AROUND = 12;

/** @param {Uint8Array} bytes */
const isPng = (bytes) => bytes.length > SIGNATURE.length && SIGNATURE.every((b, i) => bytes[i] === b);

/** The checksum of a chunk: CRC-32 of ISO 3309. @param {Uint8Array} bytes */
export function crc32(bytes) {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let k = 0; k < 8; k++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

/** @param {Uint8Array} png @returns {Generator<{ type: string, at: number, data: Uint8Array }>} as far as the file is whole */
function* chunks(png) {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  for (let at = SIGNATURE.length; at + AROUND <= png.length;) {
    const length = view.getUint32(at);
    if (at + AROUND + length > png.length) return;
    const type = String.fromCharCode(...png.subarray(at + 4, at + 8));
    yield { type, at, data: png.subarray(at + 8, at + 8 + length) };
    at += AROUND + length;
  }
}

/**
 * The file with a text in it.
 * @param {Uint8Array} png @param {string} keyword Latin letters @param {string} text
 */
export function withText(png, keyword, text) {
  const body = new TextEncoder().encode(`iTXt${keyword}\0\0\0\0\0${text}`); // not compressed, no language, no translation
  const chunk = new Uint8Array(body.length + 8);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, body.length - 4);
  chunk.set(body, 4);
  view.setUint32(4 + body.length, crc32(body));
  const [, second] = chunks(png);
  const out = new Uint8Array(png.length + chunk.length);
  out.set(png.subarray(0, second.at));
  out.set(chunk, second.at);
  out.set(png.subarray(second.at), second.at + chunk.length);
  return out;
}

/**
 * The text under a keyword; null when there is none.
 * @param {Uint8Array} png @param {string} keyword
 */
export function textIn(png, keyword) {
  if (!isPng(png)) return null;
  const head = `${keyword}\0\0\0\0\0`;
  for (const { type, data } of chunks(png)) {
    if (type === "iTXt" && String.fromCharCode(...data.subarray(0, head.length)) === head) return new TextDecoder().decode(data.subarray(head.length));
  }
  return null;
}
