// @ts-check
// tar.js — the files of a tar, perhaps under gzip, and a tar of files, under gzip.

import { packTar, unpackTar } from "modern-tar";
import { through } from "../bytes.js";

/** More than this is not unpacked. */
const MOST_BYTES = 400 * 2 ** 20;

/** @param {Uint8Array} bytes */
const isGzip = (bytes) => bytes[0] === 0x1f && bytes[1] === 0x8b;
/** @param {Uint8Array} bytes */
const isTar = (bytes) => new TextDecoder("latin1").decode(bytes.subarray(257, 262)) === "ustar";

/**
 * The regular files by their paths, without what leads to the top.
 * @param {Uint8Array} bytes
 */
export async function unpack(bytes) {
  if (bytes[0] === 0xfd && bytes[1] === 0x37) throw new Error("it is packed with xz; unpack it first: xz -dc model.umb > plain.umb");
  const tar = isGzip(bytes)
    ? await through(bytes, new DecompressionStream("gzip"), MOST_BYTES).catch((error) => {
      throw new Error(
        error.message.startsWith("more than") ? `it is more than ${MOST_BYTES >> 20} MB when it is unpacked` : "its gzip is broken, or cut short",
      );
    })
    : bytes;
  if (!isTar(tar)) throw new Error("it is no tar");
  const entries = await unpackTar(tar, { filter: ({ type }) => type === "file" });
  if (entries.some(({ header, data }) => (data?.length ?? 0) !== header.size)) throw new Error("it is cut short");
  return new Map(entries.map(({ header, data }) => [header.name.replace(/^(\.?\/)+/, ""), data ?? new Uint8Array()]));
}

/**
 * A tar of these files, under gzip.
 * @param {[string, Uint8Array][]} files
 */
export async function pack(files) {
  const tar = await packTar(files.map(([name, body]) => ({ header: { name, size: body.length, mtime: new Date(0) }, body })));
  return through(tar, new CompressionStream("gzip"));
}
