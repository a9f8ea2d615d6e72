// @ts-check
// lanes.mjs — runs test files in lanes side by side; ends with "#tally passed failed skipped".
//
//   node report/lanes.mjs [--lanes N] test/e2e/*.test.js
//   node report/lanes.mjs --plain test/*.test.js        files that need no browser, one after the other; what they have
//                                                       of the solver is compiled once, not again to run faster
//
// The largest file goes first and a lane that is free takes the next, so that all end together. A lane has one
// Chromium for all its files, each of which opens contexts of its own in it and closes them at its end; of Firefox
// (RCMDP_BROWSER=firefox) each file starts its own.
//
// A file of a browser with a failed test is run once more, alone and in a browser of its own: a busy machine can
// lose a click or outlast a wait. Every test that needed it is named in a note and counted ("#retried N"); one that
// fails twice has failed. A file that shows no sign of life for minutes is ended and has failed where it stood.

import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { launchChromium, still } from "../test/e2e/browser.js";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { lanes: { type: "string" }, plain: { type: "boolean" } } });
const reporter = fileURLToPath(new URL("./node.mjs", import.meta.url));

/** Whoever has not begun or ended a test for so long is hung, however busy the machine: no test waits that long for anything. */
const silenceMinutes = Number(process.env.RCMDP_SILENCE) || 10;

/** @typedef {{ text: string, passed: number, failed: number, skipped: number, seconds: number, hung: boolean }} Outcome */

/** Files at work, to be ended with this. @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set();
/** Ends a file with all that it started. @param {import('node:child_process').ChildProcess} child */
const end = (child) => child.pid && process.kill(-child.pid, "SIGKILL");
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) {
  process.on(signal, () => {
    children.forEach(end);
    process.exit(1);
  });
}

/** @param {string} file @param {string} endpoint of the browser to use; "" for one of its own @returns {Promise<Outcome>} */
function run(file, endpoint) {
  const begun = performance.now();
  const child = spawn(process.execPath, [...(values.plain ? ["--liftoff-only"] : []), `--test-reporter=${reporter}`, file], {
    env: { ...process.env, RCMDP_CHROMIUM: endpoint },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true, // a group of its own, so that all it started can be ended with it
  });
  children.add(child);
  let text = "", hung = false;
  const silence = setTimeout(() => {
    hung = true;
    end(child);
  }, silenceMinutes * 60_000);
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (data) => {
      text += data;
      silence.refresh();
    });
  }
  return new Promise((resolve) =>
    child.on("close", (code) => {
      clearTimeout(silence);
      children.delete(child);
      const at = [...text.matchAll(/^#at (.*)$/gm)].at(-1)?.[1] ?? "before its first test";
      const [passed, failed, skipped] = (/^#tally (.*)$/m.exec(text)?.[1] ?? "0 0 0").split(" ").map(Number);
      text = text.replace(/^#(tally|at) .*\n/gm, "");
      const broken = code !== 0 && failed === 0 ? 1 : 0; // it ended without a failed test
      if (broken) text += `FAILED ${file} ${hung ? `(ended after ${silenceMinutes} minutes without a sign of life)` : `(ended with ${code})`}: ${at}\n`;
      resolve({ text, passed, failed: failed + broken, skipped, seconds: (performance.now() - begun) / 1000, hung });
    })
  );
}

const waiting = positionals.sort((a, b) => fs.statSync(b).size - fs.statSync(a).size);
const total = { passed: 0, failed: 0, skipped: 0 };
/** @type {Map<string, Outcome>} */
const again = new Map();

/** Adds an outcome and shows it. @param {Outcome} outcome @param {string} [text] */
function count(outcome, text = outcome.text) {
  process.stdout.write(text);
  for (const key of /** @type {const} */ (["passed", "failed", "skipped"])) total[key] += outcome[key];
}

async function plain() {
  for (const file of waiting) count(await run(file, ""));
}

async function lane() {
  const launch = async () => (process.env.RCMDP_BROWSER === "firefox" ? null : launchChromium([still]));
  let browser = await launch();
  for (let file = waiting.shift(); file; file = waiting.shift()) {
    if (browser && !browser.connected) browser = await launch(); // a crash of it was that file's failure, not the next one's
    const outcome = await run(file, browser?.wsEndpoint() ?? "");
    for (const context of browser?.browserContexts() ?? []) if (context.id) await context.close().catch(() => {}); // of a file that ended early
    console.log(`note: ${outcome.seconds.toFixed(1)} s ${path.basename(file)}`);
    if (outcome.failed > 0 && !outcome.hung) again.set(file, outcome);
    else count(outcome);
  }
  await browser?.close();
}

const lanes = Number(values.lanes) || Math.min(4, os.availableParallelism() + 1); // a page waits for its worker, a test for its page
await (values.plain ? plain() : Promise.all(Array.from({ length: lanes }, lane)));

let retried = 0;
for (const [file, first] of again) {
  for (const [, test, why] of first.text.matchAll(/^FAILED (.*)\n((?:.*\n){1,6})/gm))
    console.log(`note: failed at first: ${test}: ${why.replace(/\s+/g, " ")}`);
  const second = await run(file, "");
  count(second, second.failed > 0 ? `${first.text}\n---- at the second try\n${second.text}` : second.text);
  if (second.failed === 0) retried += first.failed;
}
console.log(`#retried ${retried}`);
console.log(`#tally ${total.passed} ${total.failed} ${total.skipped}`);
process.exitCode = total.failed > 0 ? 1 : 0;
