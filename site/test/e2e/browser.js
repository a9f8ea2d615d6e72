// @ts-check
// browser.js — finds the Chromium that the end-to-end tests drive. Run by itself it prints the path,
// or one sentence that says what to install.

import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
const places = [
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

export const remedy = "The end-to-end tests need Chromium or Chrome: install it (Debian: apt-get install chromium), or set CHROME to its path.";

/** The path of a Chromium, or '' when there is none. */
export function findChromium() {
  const candidates = process.env.CHROME
    ? [process.env.CHROME]
    : [...(process.env.PATH ?? "").split(path.delimiter).flatMap((dir) => names.map((name) => path.join(dir, name))), ...places];
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
  const found = findChromium();
  if (found) console.log(found);
  else console.error(remedy);
  process.exitCode = found ? 0 : 1;
}
