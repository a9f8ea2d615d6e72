// @ts-check
// host.js — one worker, in a browser or in Node: made, spoken to, ended. The only place that
// knows the two kinds apart.

import { RcmdpError } from "./message.js";

/** Bun and Deno have workers of the web too, and are Node as far as this library goes. */
const inNode = Boolean(globalThis.process?.versions?.node) && typeof document === "undefined";
export const inBrowser = typeof globalThis.Worker === "function" && !inNode;

/** A worker that has not answered for this long after boot is taken for dead. */
const BOOT_MS = 20000;

/**
 * @typedef {object} Host
 * @property {(message: any) => void} post
 * @property {() => void} end ends the worker at once
 * @property {(busy: boolean) => void} busy an idle worker does not keep Node running
 */

/**
 * Makes a worker and boots the wasm in it; resolves when it is ready.
 * @param {URL} url of worker.js
 * @param {import('./load.js').Code} code
 * @param {'solver' | 'store'} role
 * @param {(message: any) => void} receive messages after "ready"; a worker that dies without a word sends "crash"
 * @param {AbortSignal} [signal] gives the worker up while it boots
 * @returns {Promise<Host>}
 * @throws {RcmdpError} unavailable or crashed
 */
export async function host(url, code, role, receive, signal) {
  if (!inBrowser) return boot(await nodeWorker(url), code, role, receive, signal);
  // A sandboxed frame and a page of another origin may not make a worker from a URL, but may from a blob.
  if (/^https?:$/.test(url.protocol) && url.origin !== globalThis.origin) return boot(browserWorker(await blobOf(url)), code, role, receive, signal);
  // Other pages that may not: Chromium throws then, Firefox fires an error event without a message.
  try {
    return await boot(browserWorker(url), code, role, receive, signal);
  } catch (cause) {
    if (signal?.aborted || (cause instanceof RcmdpError && cause.code === "crashed")) throw cause;
    return boot(browserWorker(await blobOf(url, cause)), code, role, receive, signal);
  }
}

/** @param {URL} url @param {unknown} [cause] */
async function blobOf(url, cause) {
  let source;
  try {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    source = await response.text();
  } catch (why) {
    throw new RcmdpError("unavailable", `The solver's worker could not be loaded from ${url}: ${/** @type {Error} */ (why).message}.`, { cause });
  }
  return URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
}

/** @typedef {Host & { onmessage: (message: any) => void, onerror: (message: string) => void }} Raw */

/** @param {URL | string} url @returns {Raw} */
function browserWorker(url) {
  const worker = new Worker(url);
  /** @type {Raw} */
  const raw = {
    onmessage() {},
    onerror() {},
    busy() {},
    post: (message) => worker.postMessage(message),
    end: () => worker.terminate(),
  };
  worker.onmessage = (event) => raw.onmessage(event.data);
  worker.onerror = (event) => {
    event.preventDefault?.();
    raw.onerror(event.message ?? "");
  };
  return raw;
}

/** @param {URL} url @returns {Promise<Raw>} */
async function nodeWorker(url) {
  // Named in parts, or a bundler for browsers would look for the module.
  const threads = ["node", "worker_threads"].join(":");
  /** @type {typeof import('node:worker_threads')} */
  const { Worker: Thread } = await import(/* @vite-ignore */ /* webpackIgnore: true */ threads);
  const worker = new Thread(url, { execArgv: [] }); // flags of the caller's own process are not for it
  /** @type {Raw} */
  const raw = {
    onmessage() {},
    onerror() {},
    post: (message) => worker.postMessage(message),
    end: () => void worker.terminate(),
    busy: (busy) => (busy ? worker.ref() : worker.unref()),
  };
  worker.on("message", (message) => raw.onmessage(message));
  worker.on("error", (error) => raw.onerror(error.message));
  worker.on("exit", (code) => raw.onerror(`the thread ended (exit code ${code})`));
  return raw;
}

/**
 * @param {Raw} raw @param {import('./load.js').Code} code @param {string} role
 * @param {(message: any) => void} receive @param {AbortSignal} [signal]
 * @returns {Promise<Host>}
 */
function boot(raw, code, role, receive, signal) {
  return new Promise((resolve, reject) => {
    /** @param {RcmdpError} error */
    const fail = (error) => {
      done();
      raw.onmessage = raw.onerror = () => {};
      raw.end();
      reject(error);
    };
    const timer = setTimeout(() => fail(new RcmdpError("unavailable", `The solver's worker did not start within ${BOOT_MS / 1000} seconds.`)), BOOT_MS);
    const gone = () => fail(new RcmdpError("closed", "The solver was closed."));
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", gone);
    };
    if (signal?.aborted) return gone();
    signal?.addEventListener("abort", gone);
    raw.onerror = (message) => fail(new RcmdpError("unavailable", `The solver's worker could not be started${message ? `: ${message}` : ""}.`));
    raw.onmessage = (message) => {
      if (message.type === "crash") return fail(new RcmdpError("crashed", startFault(message), { details: message.lines }));
      if (message.type !== "ready") return;
      done();
      raw.onmessage = receive;
      raw.onerror = (error) => receive({ type: "crash", message: error || "The worker ended without a word.", lines: [] });
      resolve(raw);
    };
    const { module, files, second } = code;
    raw.post({ type: "boot", module, files, second, role });
  });
}

/** A glue of another Go version shows up as a LinkError. @param {{ message: string }} crash */
function startFault({ message }) {
  if (/unsafe-eval|Content Security Policy|blocked by CSP/i.test(message))
    return "The page's Content-Security-Policy forbids WebAssembly in workers. Its script-src must allow 'wasm-unsafe-eval'.";
  if (/import|LinkError/i.test(message))
    return `The solver and its worker come from different builds (${message}). Reload the page; if it stays, the site was only half updated.`;
  return `The solver could not be started: ${message}`;
}
