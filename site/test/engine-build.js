// @ts-check
// engine-build.js — the solver as the build makes it, from the sources as they are now, in a
// temporary folder: the wasm, and the worker with Go's glue in front.

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { joinSegments } from "../segments.mjs";

export const root = fileURLToPath(new URL("../../", import.meta.url));

/** @param {string} name of a document in the fixtures */
export const fixture = (name) => JSON.parse(fs.readFileSync(path.join(root, "core/testdata/fixtures/problems", `${name}.json`), "utf8"));

/** @returns {{ wasmURL: URL, workerURL: URL, folder: string }} */
export function build() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "rcmdp-engine-"));
  after(() => fs.rmSync(folder, { recursive: true, force: true }));
  const wasm = path.join(folder, "rcmdp.wasm");
  execFileSync("go", ["build", "-trimpath", "-ldflags=-s -w -buildid=", "-buildvcs=false", "-o", wasm, "./wasm"], {
    cwd: root,
    env: { ...process.env, GOOS: "js", GOARCH: "wasm" },
  });
  fs.writeFileSync(wasm, joinSegments(fs.readFileSync(wasm)));
  const goroot = execFileSync("go", ["env", "GOROOT"], { encoding: "utf8" }).trim();
  const worker = path.join(folder, "worker.js");
  fs.writeFileSync(
    worker,
    [path.join(goroot, "lib/wasm/wasm_exec.js"), path.join(root, "site/src/worker.js")]
      .map((file) => fs.readFileSync(file, "utf8")).join("\n"),
  );
  return { wasmURL: pathToFileURL(wasm), workerURL: pathToFileURL(worker), folder };
}
