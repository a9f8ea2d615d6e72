// @ts-check
// bytes.js — bytes through a stream of the web: packed, unpacked. Pure.

/**
 * @param {Uint8Array} bytes
 * @param {{ readable: ReadableStream, writable: WritableStream }} stream
 * @param {number} [most] more than so many are not read: a small file can be made that would fill any memory
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 * @throws {RangeError} when there are more
 */
export async function through(bytes, stream, most = Infinity) {
  const reader = new Blob([/** @type {BlobPart} */ (bytes)]).stream().pipeThrough(/** @type {any} */ (stream)).getReader();
  const chunks = [];
  for (let size = 0; size <= most;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(chunks).arrayBuffer());
    size += value.length;
    chunks.push(value);
  }
  await reader.cancel();
  throw new RangeError(`more than ${most} bytes`);
}
