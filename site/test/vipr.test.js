// @ts-check
// The gallery's proofs as other people's checkers have them: written by the library from the model and the
// certificate that the build made, read by a program that knows the format alone (core/vipr/testdata/read.py).

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import test from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const dist = path.join(root, "dist");
const skip = spawnSync("python3", ["--version"]).status !== 0 && "python3 is not installed: the second checker is not run";
const polyhedral = ["finite", "l1", "tv", "linf", "contamination", "interval"];

test("every proof by values of the gallery on a polyhedral set passes the second checker, and a raised one fails", { skip }, async (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "rcmdp-vipr-"));
  t.after(() => fs.rmSync(folder, { recursive: true, force: true }));
  const { openSolver } = await import(pathToFileURL(path.join(dist, "rcmdp.js")).href);
  const solver = await openSolver({ workers: 1 });
  t.after(() => solver.close());
  const items = fs.readdirSync(path.join(dist, "gallery")).filter((name) => name.endsWith(".json")).map((name) =>
    JSON.parse(fs.readFileSync(path.join(dist, "gallery", name), "utf8"))
  );
  const files = [];
  for (const { id, problem, certificate } of items) {
    const proof = certificate && JSON.parse(fs.readFileSync(path.join(dist, certificate), "utf8"));
    if (!proof?.values || !polyhedral.includes(problem.uncertainty.kind) || problem.discount === 1) continue; // the format has no episodes yet
    const name = path.join(folder, `${id}.vipr`);
    fs.writeFileSync(name, await solver.vipr(problem, proof));
    files.push({ id, target: proof.target, name });
  }
  assert.ok(files.length >= 8, `only ${files.map(({ id }) => id)}`);
  const read = (/** @type {string[]} */ names) =>
    spawnSync("python3", [path.join(root, "core/vipr/testdata/read.py"), ...names], { encoding: "utf8" }).stdout.trim().split("\n");
  const number = (/** @type {string} */ text) => {
    const [top, below = "1"] = text.split("/").map(BigInt).map(String);
    const shift = Math.max(0, below.length - 30, top.length - 300);
    return Number(top.slice(0, top.length - shift) || "0") / Number(below.slice(0, below.length - shift) || "1");
  };
  for (const [n, line] of read(files.map(({ name }) => name)).entries()) {
    const [, lower] = /: verified range (\S+) None$/.exec(line) ?? assert.fail(line);
    const { target, id } = files[n];
    assert.ok(number(lower) >= target - 1e-12 * Math.abs(target), `${id}: ${number(lower)} of ${target}`);
  }
  const raised = files.map(({ name }) => {
    const text = fs.readFileSync(name, "utf8").replace(/^RTP range (\S+) inf/m, (_all, bound) => `RTP range ${bound.startsWith("-") ? 1 : `1${bound}`} inf`)
      .replace(/^bound G (\S+)/m, (_all, bound) => `bound G ${bound.startsWith("-") ? 1 : `1${bound}`}`);
    fs.writeFileSync(`${name}.raised`, text);
    return `${name}.raised`;
  });
  for (const line of read(raised)) assert.match(line, /refused: bound does not follow/);
});
