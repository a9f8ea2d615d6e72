// @ts-check
// browser.js — finds the browsers that the end-to-end tests drive. Run by itself it prints the path,
// or one sentence that says what to install. Firefox is looked for too, and tests of it are skipped where it is not.

import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import puppeteer from "puppeteer-core";

// The engine without a browser's own windows comes first: it takes a third less of the processor.
const names = ["chromium-headless-shell", "chrome-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
const places = [
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

export const remedy = "The end-to-end tests need Chromium or Chrome: install it (Debian: apt-get install chromium), or set CHROME to its path.";

/** The path of a Chromium, or '' when there is none. */
export const findChromium = () => found(process.env.CHROME, names, places);
/** The path of a Firefox, or '' when there is none. */
export const findFirefox = () => found(process.env.FIREFOX, ["firefox-esr", "firefox"], ["/Applications/Firefox.app/Contents/MacOS/firefox"]);

/** How long a command to a browser may take, in milliseconds: a busy machine is slow, not wrong. */
export const protocolTimeout = 360_000;

/**
 * For a browser whose person asks for no motion: while something is solved the page pulses, which is sixty pictures a second to
 * draw. Tests of what moves ask for motion again (newPerson in harness.js).
 */
export const still = "--force-prefers-reduced-motion";

/** What comes over the network goes to the browser without a process between them: a visit takes a tenth less of the processor. */
const inProcess = "--enable-features=NetworkServiceInProcess2";

/** @param {string[]} [args] */
export async function launchChromium(args = []) {
  const executablePath = findChromium();
  if (!executablePath) throw new Error(remedy);
  return puppeteer.launch({
    executablePath,
    args: [...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), "--disable-dev-shm-usage", inProcess, ...args],
    protocolTimeout,
    timeout: protocolTimeout,
  });
}

/** @param {string | undefined} given @param {string[]} programs @param {string[]} elsewhere */
function found(given, programs, elsewhere) {
  const candidates = given
    ? [given]
    : [...(process.env.PATH ?? "").split(path.delimiter).flatMap((dir) => programs.map((name) => path.join(dir, name))), ...elsewhere];
  return candidates.find((file) => {
    try {
      fs.accessSync(file, fs.constants.X_OK);
      return true;
    } catch {
      return false;
    }
  }) ?? "";
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const chromium = findChromium();
  if (chromium) console.log(chromium);
  else console.error(remedy);
  process.exitCode = chromium ? 0 : 1;
}
