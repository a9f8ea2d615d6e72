// @ts-check
// dead.mjs — functions that no program of ours can reach: not the wasm, the guide's or
// the gallery's. What only tests call belongs to the tests.
//
//   node site/report/dead.mjs bin/deadcode
//
// All are looked at at once and as they would be in wasm, the largest: to load
// the standard library takes longer than everything else.

import { execFileSync } from "node:child_process";

const [deadcode] = process.argv.slice(2);
const module = execFileSync("go", ["list", "-m"], { encoding: "utf8" }).trim();

/** What stays although only tests call it, and why. @type {Record<string, string>} */
const kept = {
  "core/certify Check": "the checker in one call, for a program that has nothing but a document and a certificate",
  "core/certify always": "of Check",
  "core/certify Evaluate": "a policy's returns by the checker's own arithmetic, for the same",
};

/** @type {{ Path: string, Funcs: { Name: string, Position: { File: string, Line: number } }[] }[]} */
const packages = JSON.parse(execFileSync(deadcode, ["-json", `-filter=^${module}(/|$)`, "./wasm", "./site/guide", "./site/gallery"], {
  encoding: "utf8",
  maxBuffer: 1 << 28,
  env: { ...process.env, GOOS: "js", GOARCH: "wasm", GOFLAGS: "-tags=simd" },
  stdio: ["ignore", "pipe", "inherit"],
})) ?? [];

for (const { Path, Funcs } of packages) {
  for (const { Name, Position } of Funcs) {
    if (Object.hasOwn(kept, `${Path.slice(module.length + 1)} ${Name}`)) continue;
    console.log(`${Position.File}:${Position.Line}: ${Path} ${Name} is called by tests at most`);
    process.exitCode = 1;
  }
}
