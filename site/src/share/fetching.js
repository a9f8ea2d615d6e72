// @ts-check
// fetching.js — a file from an address that a person has typed or confirmed. Of another origin it is fetched by a page
// without rights (pages/fetch.js), which alone may ask others; what went wrong is said in plain words.

/** A file that did not come, with the reason for a person. */
export class FetchError extends Error {}

/**
 * What an address is, as a person wrote it.
 * @param {string} text
 * @param {string} home the page's own address
 * @returns {{ url: URL } | { message: string }}
 */
export function addressIn(text, home) {
  const trimmed = text.trim();
  if (trimmed === "") return { message: "Type the address of a file, such as https://…/model.json." };
  const url = parsed(/^[\w-]+(\.[\w-]+)+(:\d+)?\//.test(trimmed) ? `https://${trimmed}` : trimmed, home);
  if (!url || !/^https?:$/.test(url.protocol)) return { message: `“${trimmed.slice(0, 80)}” is no address of the web: those begin with https: or http:.` };
  if (url.username || url.password) return { message: "An address with a name and a password in it is not fetched. Download the file, and open it." };
  if (url.protocol === "http:" && home.startsWith("https:") && !/^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname))
    return { message: `This page came by https, and a browser lets it fetch from https alone. Try https://${url.host}, or download the file and open it.` };
  return { url };
}

/** @param {string} text @param {string} home */
const parsed = (text, home) => URL.canParse(text, home) ? new URL(text, home) : null;

/** What a file is called by the end of its address. @param {URL} url */
export const nameIn = (url) => url.pathname.split("/").filter(Boolean).at(-1) ?? url.host;

const closed = (/** @type {number} */ status) => (/** @type {string} */ host) =>
  `${host} does not give this file to everybody (${status}). Download it where you may, and open it.`;

/** What answers of servers mean. @type {Record<number, (host: string) => string>} */
const statuses = {
  404: (host) => `${host} has no such file (404). Look at the address: a page that shows a file is not the file; many sites call that one “raw”.`,
  401: closed(401),
  403: closed(403),
};

/**
 * Why a file did not come.
 * @param {URL} url
 * @param {{ failed?: string, status?: number }} answer
 */
export const reasonOf = ({ host }, { failed = "", status = 0 }) =>
  ({
    status: statuses[status]?.(host) ?? `${host} answered with an error (${status}).`,
    large: "The file is larger than 50 MB.",
    absent: "The part of this site that fetches did not load. Download the file, and open it.",
    slow: `${host} has sent nothing for 20 seconds.`,
  })[failed] ??
    `${host} did not hand the file over. Either it cannot be reached, or it does not let pages of other sites read its files (its answer lacks the header Access-Control-Allow-Origin). Download the file, and open it.`;

/**
 * @param {URL} url
 * @param {AbortSignal} signal gives up
 * @returns {Promise<File>}
 * @throws {FetchError}
 */
export async function fetchFile(url, signal) {
  const answer = url.origin === location.origin ? await fromHome(url, signal) : await fromFrame(url, signal);
  if (!answer.bytes) throw new FetchError(reasonOf(url, answer));
  return new File([answer.bytes], nameIn(url));
}

/** @typedef {{ bytes?: ArrayBuffer, failed?: string, status?: number }} Answer */

/** A file that lies beside the page. @param {URL} url @param {AbortSignal} signal @returns {Promise<Answer>} */
async function fromHome(url, signal) {
  try {
    const response = await fetch(url, { signal });
    return response.ok ? { bytes: await response.arrayBuffer() } : { failed: "status", status: response.status };
  } catch {
    return { failed: "refused" };
  }
}

/** How long the page that fetches may take to begin, in milliseconds. */
const BEGINS = 10_000;

/** @param {URL} url @param {AbortSignal} signal @returns {Promise<Answer>} */
function fromFrame(url, signal) {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.hidden = true;
  frame.src = new URL("fetch.html", location.href.split("#")[0]).href;
  return new Promise((/** @type {(answer: Answer) => void} */ resolve) => {
    const timer = setTimeout(() => end({ failed: "absent" }), BEGINS);
    const heard = (/** @type {MessageEvent} */ event) => {
      if (event.source !== frame.contentWindow) return;
      if (event.data.begun) clearTimeout(timer);
      else end(event.data);
    };
    /** @param {Answer} answer */
    function end(answer) {
      clearTimeout(timer);
      removeEventListener("message", heard);
      frame.remove();
      resolve(answer);
    }
    addEventListener("message", heard);
    signal.addEventListener("abort", () => end({ failed: "refused" }));
    frame.addEventListener("load", () => frame.contentWindow?.postMessage({ url: url.href }, "*"));
    document.body.append(frame);
  });
}
