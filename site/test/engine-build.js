// @ts-check
// engine-build.js — the solver as the build makes it: the wasm and the worker of dist/.

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));

/** @param {string} name of a document in the fixtures */
export const fixture = (name) => JSON.parse(fs.readFileSync(path.join(root, "core/testdata/fixtures/problems", `${name}.json`), "utf8"));

/** What is stale is built first, unless the build says that it has just been. @returns {{ wasmURL: URL, workerURL: URL, folder: string }} copies, in a temporary folder */
export function build() {
  if (!process.env.BUILT) execFileSync("./build.sh", ["build"], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "rcmdp-engine-"));
  after(() => fs.rmSync(folder, { recursive: true, force: true }));
  const copy = (/** @type {string} */ name) => {
    fs.copyFileSync(path.join(root, "dist", name), path.join(folder, name));
    return pathToFileURL(path.join(folder, name));
  };
  for (const name of fs.readdirSync(path.join(root, "dist"))) if (/^rcmdp-(second|names)-.*\.(wasm|txt)$/.test(name)) copy(name); // what the wasm finds beside itself
  return { wasmURL: copy("rcmdp.wasm"), workerURL: copy("worker.js"), folder };
}
