// @ts-check
// one-file.js — runs first in a page that is one file on a disk: gives the page its style before it is
// seen, then unpacks what the file carries, makes addresses for it, and starts the page.

import { decompress } from "lzma1";
import { through } from "../bytes.js";
import { apart, carriers, contentOf, fragmentOf, fromText, homeOf, program } from "../share/one-file.js";

/** @param {string} id of a carrier that is already there @returns {Uint8Array<ArrayBuffer>} */
const carried = (id) => fromText(document.getElementById(id)?.textContent ?? "");

/** @param {Uint8Array<ArrayBuffer>} bytes packed by LZMA, by gzip, or not at all @returns {Promise<Uint8Array<ArrayBuffer>>} */
async function unpacked(bytes) {
  if ((bytes[0] === 0x5d || bytes[0] === 0x5e) && bytes[1] === 0) return new Uint8Array(decompress(bytes));
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  return through(bytes, new DecompressionStream("gzip"));
}

/** @param {Uint8Array<ArrayBuffer>} bytes @param {string} type */
const address = (bytes, type) => URL.createObjectURL(new Blob([bytes], { type }));

async function open() {
  /** As it was read from the disk, so that the page can write itself again with another model in it. */
  const source = `<!doctype html>\n${document.documentElement.outerHTML}\n`;
  const start = contentOf(source, carriers.start);
  const [solver, worker] = await Promise.all([unpacked(carried(carriers.solver)), unpacked(carried(carriers.worker))]);
  const [wasm, second] = apart(solver).map((part) => (part.length > 0 ? address(part, "application/wasm") : undefined));
  const page = new TextDecoder().decode(await unpacked(carried(program.page)));
  /** @type {OnDisk} */
  const file = { wasm, second, worker: address(worker, "text/javascript"), source, home: homeOf(start), page, styles };
  /** @type {any} */ (globalThis).rcmdpFile = file;

  const fragment = fragmentOf(start);
  if (fragment !== "" && location.hash === "") history.replaceState(null, "", fragment);

  const script = document.createElement("script");
  script.type = "module";
  script.textContent = page;
  document.body.append(script);
}

/** @type {OnDisk["styles"]} */
const styles = JSON.parse(new TextDecoder().decode(decompress(carried(program.style))));
const style = new CSSStyleSheet(); // outside the markup, which the page copies
style.replaceSync(styles.page);
document.adoptedStyleSheets = [style];
document.addEventListener("DOMContentLoaded", open);
