// @ts-check
// load.js — brings rcmdp.wasm in, counts its bytes and compiles it; every failure becomes one
// sentence that says what happened and what to do.

import { RcmdpError } from "./message.js";
import { inBrowser } from "./host.js";

/** Without a byte for this long, the download counts as stuck. */
const STALL_MS = 15000;

/** The size of the wasm, from the build; with compression, Content-Length is not it. */
/* global __WASM_BYTES__ */
const knownSize = typeof __WASM_BYTES__ === "number" ? __WASM_BYTES__ : 0;

/** @typedef {(event: import('../rcmdp.js').LoadProgress) => void} OnProgress */
/** @typedef {{ module: WebAssembly.Module, files?: { names?: string, second?: string }, second?: WebAssembly.Module, coming?: Promise<void> }} Code what a worker boots, the addresses of what belongs to it, and its second part once it is there */

/**
 * @param {URL} url
 * @param {OnProgress} progress
 * @returns {Promise<WebAssembly.Module>}
 * @throws {RcmdpError} unavailable
 */
export async function load(url, progress) {
  if (typeof WebAssembly !== "object") {
    throw new RcmdpError(
      "unavailable",
      "This browser has WebAssembly switched off, and the solver needs it. " +
        "It can be off in Lockdown Mode (iOS, macOS), in the \"Safer\" setting of Tor Browser or in the enhanced security mode of Edge; allow this site there and reload.",
    );
  }
  if (url.protocol === "file:") {
    if (inBrowser) {
      throw new RcmdpError(
        "unavailable",
        "The page was opened from a file, and browsers do not let such a page load the solver. Serve the folder over http, for example with \"go run serve.go\".",
      );
    }
    return compile(await readFile(url, progress), url, progress);
  }
  return fetchModule(url, progress);
}

/** @param {URL} url @param {OnProgress} progress */
async function readFile(url, progress) {
  const files = ["node", "fs/promises"].join(":"); // as in host.js
  /** @type {typeof import('node:fs/promises')} */
  const { readFile: read } = await import(/* @vite-ignore */ /* webpackIgnore: true */ files);
  try {
    const bytes = await read(url);
    progress({ phase: "download", loaded: bytes.length, total: bytes.length });
    return bytes;
  } catch (cause) {
    throw new RcmdpError("unavailable", `The solver's file ${url} could not be read: ${/** @type {Error} */ (cause).message}.`, { cause });
  }
}

/** @param {URL} url @param {OnProgress} progress */
async function fetchModule(url, progress) {
  const abort = new AbortController();
  /** @type {any} */
  let timer;
  const alive = () => {
    clearTimeout(timer);
    timer = setTimeout(() => abort.abort(stalled()), STALL_MS);
  };
  alive();
  try {
    const response = await fetch(url, { signal: abort.signal });
    if (!response.ok) {
      throw new RcmdpError(
        "unavailable",
        `The solver could not be loaded: ${url} answered ${response.status}${
          response.statusText ? ` (${response.statusText})` : ""
        }. Is the file beside the page?`,
      );
    }
    const encoded = response.headers.get("content-encoding");
    const total = knownSize || (encoded ? 0 : Number(response.headers.get("content-length"))) || null;
    // The engine keeps compiled code only for a response that comes from the network as it is, so
    // the bytes are counted on a copy of the stream.
    const streaming = /^application\/wasm\s*(;|$)/i.test(response.headers.get("content-type") ?? "") &&
      typeof WebAssembly.compileStreaming === "function";
    const copy = streaming ? response.clone() : response;
    const compiling = streaming ? WebAssembly.compileStreaming(response) : null;
    compiling?.catch(() => {}); // awaited below; what the bytes say is the better message
    // What travels: less than the file when it is compressed on the way.
    const sent = Number(response.headers.get("content-length")) || null;
    const bytes = await count(copy, total, alive, (event) => progress({ ...event, sent }), !streaming);
    clearTimeout(timer);
    if (compiling === null) return await compile(bytes, url, progress);
    progress({ phase: "compile", loaded: bytes.length, total: bytes.length });
    return await compiling.catch((error) => {
      throw compileError(error, bytes, url);
    });
  } catch (cause) {
    if (cause instanceof RcmdpError) throw cause;
    throw new RcmdpError(
      "unavailable",
      `The solver could not be loaded from ${url}: ${/** @type {Error} */ (cause).message}. Check the connection and try again.`,
      { cause },
    );
  } finally {
    clearTimeout(timer);
  }
}

const stalled = () =>
  new RcmdpError("unavailable", `The download of the solver stopped: no data for ${STALL_MS / 1000} seconds. Check the connection and try again.`);

/**
 * Reads a body and reports its bytes as they come.
 * @param {Response} response @param {number | null} total @param {() => void} alive
 * @param {OnProgress} progress @param {boolean} keep whether the bytes are needed; otherwise only the first are kept
 * @returns {Promise<Uint8Array>}
 */
async function count(response, total, alive, progress, keep) {
  /** @type {Uint8Array[]} */
  const chunks = [];
  let loaded = 0;
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    alive();
    loaded += value.length;
    if (keep || chunks.length === 0) chunks.push(value);
    progress({ phase: "download", loaded, total: total === null ? null : Math.max(total, loaded) });
  }
  return keep ? new Uint8Array(await new Blob(/** @type {BlobPart[]} */ (chunks)).arrayBuffer()) : chunks[0] ?? new Uint8Array();
}

/** @param {Uint8Array} bytes @param {URL} url @param {OnProgress} progress */
async function compile(bytes, url, progress) {
  progress({ phase: "compile", loaded: bytes.length, total: bytes.length });
  try {
    return await WebAssembly.compile(/** @type {BufferSource} */ (bytes));
  } catch (error) {
    throw compileError(error, bytes, url);
  }
}

/** Says in words why bytes did not compile. @param {unknown} cause @param {Uint8Array} bytes @param {URL} url */
function compileError(cause, bytes, url) {
  const message = /** @type {Error} */ (cause)?.message ?? String(cause);
  const magic = [...bytes.subarray(0, 4)];
  let why;
  if (magic.join() === "0,97,115,109") {
    why = /unsafe-eval|Content Security Policy|CSP|disallowed by embedder/i.test(message)
      ? "The page's Content-Security-Policy forbids WebAssembly. Its script-src must allow 'wasm-unsafe-eval'."
      : `The solver in ${url} could not be compiled: ${message}`;
  } else if (bytes.length === 0) {
    why = `${url} is empty.`;
  } else if (magic[0] === 0x3c) {
    why = `${url} is a web page, not the solver: the file is missing and the server answered with another page.`;
  } else {
    const found = magic.map((b) => b.toString(16).padStart(2, "0")).join(" ");
    why = `${url} is not WebAssembly (it starts with ${found}). The server probably sends a compressed file without saying so in Content-Encoding.`;
  }
  return new RcmdpError("unavailable", why, { cause });
}

/**
 * The addresses of what lies beside a wasm, which says so itself.
 * @param {WebAssembly.Module} module @param {URL} wasm @param {URL} [second] where its second part is, if not there
 * @param {Record<string, URL | undefined>} [here] where a bundler has put them, under names of its own
 * @returns {Exclude<Code["files"], undefined>}
 */
export function beside(module, wasm, second, here = {}) {
  const [said] = WebAssembly.Module.customSections(module, "rcmdp");
  if (second) return { second: second.href };
  if (!said || wasm.protocol === "blob:") return {};
  /** @type {[string, string][]} */
  const names = Object.entries(JSON.parse(new TextDecoder().decode(said)));
  return Object.fromEntries(names.map(([what, name]) => [what, (here[what] ?? new URL(name, wasm)).href]));
}

/** Fetches the second part, once; when that fails, whoever calls it says so. @param {Code} code @returns {Promise<void>} */
export function complete(code) {
  if (!code.files?.second || code.second) return Promise.resolve();
  code.coming ??= load(new URL(code.files.second), () => {}).then((module) => {
    code.second = module;
  }, () => {
    delete code.coming;
  });
  return code.coming;
}
