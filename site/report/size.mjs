// @ts-check
// size.mjs — what a visitor downloads, against budgets; fails when one is exceeded. The budgets stand here
// alone and may only fall.
//
//   node site/report/size.mjs dist

import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { read } from "../pack/module.mjs";
import { toText } from "../src/share/one-file.js";

export const budget = {
  firstBrotli: 857_000, // bytes of the wasm that a first solve calls
  wasmBrotli: 1_502_000, // bytes of the wasm with its second part
  embedAnswer: 938_000, // bytes that an embed loads until its first proved answer, brotli
  pageBrotli: 95_800, // bytes of JS and CSS that the page loads before it solves, its worker included
  partBrotli: 25_000, // bytes of the largest part that is loaded when it is asked for, or when the page is idle
  oneFile: 1_970_000, // bytes of the lab as one HTML file, the solver in it
  oneFileQuick: 2_340_000, // bytes of the same where the build packed quickly
  embedScripts: 60_000, // bytes of JS, brotli, that an embed loads before it is run
  memoryPages: 46, // of 64 KiB, at the start
};

/** @param {number} bytes */
const kB = (bytes) => `${(bytes / 1000).toFixed(1)} kB`.padStart(10);

/** @param {string} label @param {number} got @param {number} most @param {(n: number) => string} show */
function check(label, got, most, show) {
  const ok = got <= most;
  console.log(`${ok ? "within" : "OVER  "} ${label}: ${show(got).trim()} of ${show(most).trim()}`);
  if (!ok) process.exitCode = 1;
}

/** Prints the sizes of what was built, and holds them to the budgets. @param {string} dist */
function report(dist) {
  /** @param {string} file */
  const size = (file) => fs.statSync(path.join(dist, file)).size;

  /** @type {{ loads: Record<string, string[]>, later: Record<string, string[]>, explorer: string[], answering: string[] }} */
  const { loads, later, explorer, answering } = JSON.parse(fs.readFileSync(path.join(dist, "build.json"), "utf8"));
  const line = (/** @type {string} */ file) => {
    console.log(`${file.padEnd(36)} ${kB(size(file))} ${kB(size(`${file}.gz`))} ${kB(size(`${file}.br`))}`);
    return size(`${file}.br`);
  };

  console.log(`${"".padEnd(36)} ${"raw".padStart(10)} ${"gzip".padStart(10)} ${"brotli".padStart(10)}`);
  const wasm = line("rcmdp.wasm");
  const second = fs.readdirSync(dist).find((file) => /^rcmdp-second-.*\.wasm$/.test(file));
  const both = wasm + (second ? line(second) : 0);
  const worker = line("worker.js");
  const shown = new Map();
  const page = loads["index.html"].reduce((sum, file) => sum + (shown.set(file, line(file)).get(file) ?? 0), worker);
  // Parts that the page loads when a panel or a dialog is opened, or ahead of that while it is idle.
  let rest = 0, largest = 0;
  for (const file of later["index.html"].filter((name) => /\.(js|css)$/.test(name))) {
    const bytes = line(file);
    rest += bytes;
    largest = Math.max(largest, bytes);
  }
  console.log();
  check("wasm for a first solve, brotli", wasm, budget.firstBrotli, kB);
  check("wasm, brotli", both, budget.wasmBrotli, kB);
  check("an embed until its first answer, brotli", answering.reduce((sum, file) => sum + size(`${file}.br`), 0), budget.embedAnswer, kB);
  check("JS and CSS of the page before it solves, brotli", page, budget.pageBrotli, kB);
  check("the largest part that is loaded later, brotli", largest, budget.partBrotli, kB);
  console.log(`       all parts that are loaded later, brotli: ${kB(rest).trim()}`);
  check("wasm memory at the start", read(fs.readFileSync(path.join(dist, "rcmdp.wasm"))).pages, budget.memoryPages, (n) => `${n} pages`);

  const assets = fs.readdirSync(path.join(dist, "assets"));
  const oneFile = assets.filter((file) => /^one-file-.*\.html$|^worker-[^.]*\.js$|\.lzma$/.test(file))
    .reduce(
      (sum, file) =>
        sum +
        (file.endsWith(".html")
          ? size(`assets/${file}`)
          : toText(fs.readFileSync(path.join(dist, "assets", file.endsWith(".js") ? `${file}.gz` : file))).length),
      0,
    );
  check("the lab as one file", oneFile, budget.oneFile, kB);
  const scripts = (/** @type {string[]} */ files) => files.filter((file) => file.endsWith(".js")).reduce((sum, file) => sum + size(`${file}.br`), 0);
  check("JS of an embed before it is run, brotli", scripts(loads["embed.html"]), budget.embedScripts, kB);
  check("and with a trade-off, its element included", scripts(explorer), budget.embedScripts, kB);
}

if (process.argv[1] && import.meta.url === pathToFileURL(fs.realpathSync(process.argv[1])).href) report(process.argv[2]);
