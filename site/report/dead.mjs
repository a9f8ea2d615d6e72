// @ts-check
// dead.mjs — functions that no program of ours can reach: not the wasm, the guide's or
// the one that the end-to-end tests compare with. What only tests call belongs to the tests.
//
//   node site/report/dead.mjs bin/deadcode

import { execFileSync } from "node:child_process";

const [deadcode] = process.argv.slice(2);
const module = execFileSync("go", ["list", "-m"], { encoding: "utf8" }).trim();
const wasm = { GOOS: "js", GOARCH: "wasm" };
/** @type {{ targets: string[], env?: Record<string, string> }[]} */
const programs = [{ targets: ["./wasm"], env: wasm }, { targets: ["./site/guide", "./site/gallery"] }, { targets: ["site/test/e2e/native.go"] }];

/** What stays although only tests call it, and why. @type {Record<string, string>} */
const kept = {
  "core/certify Check": "the checker in one call, for a program that has nothing but a document and a certificate",
  "core/certify Certificate.empty": "of Check",
  "core/certify always": "of Check",
  "core/certify Evaluate": "a policy's returns by the checker's own arithmetic, for the same",
};

/** @param {string} command @param {string[]} args @param {Record<string, string>} [env] */
const output = (command, args, env) =>
  execFileSync(command, args, { encoding: "utf8", maxBuffer: 1 << 28, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "inherit"] });

const seen = programs.map(({ targets, env }) => ({
  packages: new Set(output("go", ["list", "-deps", ...targets], env).split("\n")),
  /** Where each function is that the program has and cannot reach, by package and name. @type {Map<string, string>} */
  dead: new Map(
    /** @type {{ Path: string, Funcs: { Name: string, Position: { File: string, Line: number } }[] }[]} */ (JSON.parse(
      output(deadcode, ["-json", `-filter=^${module}(/|$)`, ...targets], env),
    ) ?? []).flatMap(({ Path, Funcs }) => Funcs.map((f) => /** @type {const} */ ([`${Path} ${f.Name}`, `${f.Position.File}:${f.Position.Line}`]))),
  ),
}));

let found = 0;
for (const [name, at] of new Map(seen.flatMap(({ dead }) => [...dead]))) {
  const [path] = name.split(" ");
  if (Object.hasOwn(kept, name.slice(module.length + 1))) continue;
  if (seen.some(({ packages, dead }) => packages.has(path) && !dead.has(name))) continue;
  console.log(`${at}: ${name} is called by tests at most`);
  found++;
}
if (found > 0) process.exitCode = 1;
