// @ts-check
// fetch.js — a classic script in a page of its own, which the lab frames without any rights to fetch one file from
// another origin: the lab's own policy lets no request leave. It knows nothing of the lab, and the lab nothing of
// the network but the bytes that come back.

/** Larger files are not read to their end, */
const LARGEST = 50 * 2 ** 20;
/** and one that sends nothing for so long is given up, in milliseconds. */
const PATIENCE = 20_000;

addEventListener("message", async ({ source, data }) => {
  // With the lab's origin it could reach more than a stranger can: only a frame without one works.
  if (source !== parent || self.origin !== "null" || typeof data?.url !== "string") return;
  parent.postMessage({ begun: true }, "*");
  const answer = await fetched(data.url);
  parent.postMessage(answer, "*", answer.bytes ? [answer.bytes] : []);
}, { once: true });

/** @param {string} url @returns {Promise<{ bytes?: ArrayBuffer, failed?: "refused" | "status" | "large" | "slow", status?: number }>} */
async function fetched(url) {
  const controller = new AbortController();
  let timer = setTimeout(() => controller.abort(), PATIENCE);
  try {
    const response = await fetch(url, { credentials: "omit", referrerPolicy: "no-referrer", signal: controller.signal });
    if (!response.ok) return { failed: "status", status: response.status };
    const chunks = [];
    let size = 0;
    const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      clearTimeout(timer);
      if (done) return { bytes: await new Blob(/** @type {BlobPart[]} */ (chunks)).arrayBuffer() };
      timer = setTimeout(() => controller.abort(), PATIENCE);
      chunks.push(value);
      size += value.length;
      if (size > LARGEST) {
        controller.abort();
        return { failed: "large" };
      }
    }
  } catch {
    return { failed: controller.signal.aborted ? "slow" : "refused" };
  } finally {
    clearTimeout(timer);
  }
}
