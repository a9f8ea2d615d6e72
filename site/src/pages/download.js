// @ts-check
// download.js — the lab as one file: fetches what the file is made of and puts it together.

import { fetched, onDisk } from "../browser.js";
import { through } from "../bytes.js";
import { beside } from "../engine/load.js";
import { inOne, oneFile, startingWith } from "../share/one-file.js";

/* global __ONE_FILE_URL__, __PACKED_WASM_URL__, __WASM_URL__, __WORKER_URL__ */

/**
 * The whole lab as the text of one HTML file.
 * @param {import("../share/one-file.js").Start} start what it opens with
 * @returns {Promise<string>}
 */
export async function labAsOneFile(start) {
  const here = onDisk();
  if (here) return startingWith(here.source, start);
  const [template, worker, solver] = await Promise.all([get(__ONE_FILE_URL__), get(__WORKER_URL__), packedSolver()]);
  return oneFile(new TextDecoder().decode(template), { solver, worker: await gzipped(worker), start });
}

/** The solver as the build packed it or, offline, by what the browser has. */
async function packedSolver() {
  try {
    return await get(__PACKED_WASM_URL__);
  } catch {
    const wasm = await get(__WASM_URL__);
    const { second } = beside(await WebAssembly.compile(wasm), new URL(__WASM_URL__, document.baseURI));
    return gzipped(inOne(second ? [wasm, await get(second)] : [wasm]));
  }
}

/** @param {Uint8Array<ArrayBuffer>} bytes */
const gzipped = (bytes) => through(bytes, new CompressionStream("gzip"));

/** @param {string} url */
const get = async (url) => new Uint8Array(await (await fetched(url)).arrayBuffer());
