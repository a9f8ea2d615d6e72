// @ts-check
// The program of the guide that checks a certificate by values with Python alone: it accepts what the solver claims of
// finite, l1 and interval sets, and refuses what is claimed beyond it.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { blankDocument } from "../src/document/reading.js";
import { firstGrid, firstGridDocument, painted, stroked } from "../src/document/grid.js";
import { openSolver } from "../src/engine.js";
import { build, root } from "./engine-build.js";

const program = path.join(root, "site/guide/check.py");
const skip = spawnSync("python3", ["--version"]).status !== 0 && "python3 is not installed: the guide's checker is not run";
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "rcmdp-sceptic-"));
after(() => fs.rmSync(folder, { recursive: true, force: true }));

const built = skip ? null : build();
/** @type {import("../src/rcmdp.js").Solver} */
let solver;
before(async () => {
  if (built) solver = await openSolver({ ...built, workers: 1 });
});
after(() => solver?.close());

/**
 * What the program says of claims, all by one Python.
 * @param {{ problem: any, certificate: any }[]} claims
 * @returns {boolean[]} whether each is proved; one that it cannot read is not
 */
function judged(claims) {
  const files = claims.map(({ problem, certificate }, i) => {
    const at = (/** @type {string} */ name) => path.join(folder, `${name}-${i}.json`);
    fs.writeFileSync(at("problem"), JSON.stringify(problem));
    fs.writeFileSync(at("certificate"), JSON.stringify(certificate));
    return [at("problem"), at("certificate")];
  });
  const all = `
import json, runpy, sys
for files in json.loads(sys.argv[1]):
    sys.argv = [sys.argv[0], *files]
    try: runpy.run_path(${JSON.stringify(program)})
    except SystemExit as e: print("#", "held" if e.code == 0 else "refused")
    except Exception as e: print("# refused", repr(e))
`;
  const { stdout, stderr } = spawnSync("python3", ["-c", all, JSON.stringify(files)], { encoding: "utf8" });
  const said = stdout.split("\n").filter((line) => line.startsWith("#"));
  assert.equal(said.length, claims.length, stderr);
  return said.map((line) => line === "# held");
}

/** Claims beyond what is proved, and proofs that are none. @param {any} certificate */
function tampered(certificate) {
  const { values, target } = certificate;
  const spoilt = (/** @type {any} */ part) => ({ ...certificate, values: { ...values, ...part } });
  return [
    target === null ? { ...certificate, relax: certificate.relax + 1e6 } : { ...certificate, target: target + Math.max(1e-6, 1e-6 * Math.abs(target)) },
    ...(values.prices.length > 0 ? [spoilt({ prices: values.prices.map((/** @type {number} */ x) => -x - 1) })] : []),
    spoilt({ prices: [...values.prices, 1] }),
    spoilt({ values: (values.values ?? []).slice(1), low: (values.low ?? []).slice(1), column: undefined }),
    ...(target !== null && values.prices.some((/** @type {number} */ x) => x > 1e-3) ? [{ ...certificate, allow: values.prices.map(() => 1e6) }] : []),
  ];
}

/** What the build has solved. @param {string} id */
function solvedBefore(id) {
  const { problem, certificate } = JSON.parse(fs.readFileSync(path.join(root, "dist/gallery", `${id}.json`), "utf8"));
  return { problem, certificate: JSON.parse(fs.readFileSync(path.join(root, "dist", certificate), "utf8")) };
}

test("the guide's thirty lines of Python accept the gallery's certificates by values and refuse raised claims and broken proofs", { skip }, () => {
  const names = ["machine-repair", "inventory", "fishery", "treatment", "river-swim", "queue", "machine-repair-l1"];
  const claims = names.map(solvedBefore);
  assert.deepEqual(claims.map(({ problem }) => problem.uncertainty.kind).sort(), ["finite", "finite", "finite", "finite", "interval", "l1", "l1"]);
  const broken = claims.flatMap(({ problem, certificate }) => tampered(certificate).map((c) => ({ problem, certificate: c })));
  const told = judged([...claims, ...broken]);
  assert.deepEqual(told.slice(0, claims.length), claims.map(() => true));
  assert.deepEqual(told.slice(claims.length), broken.map(() => false));
  assert.ok(fs.readFileSync(program, "utf8").split("\n").length <= 36);
});

test("and what is solved here: dense rows, average scales, a limit from below, no limit, the whole simplex, and infeasibility", { skip }, async () => {
  const plain = /** @type {any} */ (blankDocument());
  const [nominal] = plain.uncertainty.kernels.map((/** @type {any} */ k) => k.transitions);
  const one = { ...plain, uncertainty: { kind: "finite", kernels: plain.uncertainty.kernels.slice(1) } };
  const grid = firstGrid();
  const impossible = painted(
    { ...firstGridDocument(), constraints: [{ name: "danger", values: [], atMost: 0.5 }] },
    stroked(grid, [0], { kind: "cost", cost: 1, value: 1 }),
  );
  const documents = [
    one,
    { ...one, objective: { ...one.objective, scale: "average" }, constraints: [{ ...one.constraints[0], scale: "average", atMost: 0.3 }] },
    { ...one, objective: { ...one.objective, sense: "maximize" }, constraints: [{ name: "uptime", values: [[1, 1], [0, 0]], atLeast: 4 }] },
    impossible,
    { ...plain, constraints: [], uncertainty: { kind: "l1", nominal, radius: 0.3, support: "all" } },
    { ...plain, uncertainty: { kind: "l1", nominal, radius: [[0.1, 0.2], [0.3, 0]] } },
  ];
  const claims = [];
  for (const problem of documents) {
    const { certificate, status } = /** @type {any} */ (await solver.solve(problem, { algorithm: "solve" }).result);
    if (certificate?.values) claims.push({ problem, certificate, status });
  }
  assert.ok(claims.length >= 5, `${claims.length} of ${documents.length} proofs are by values`);
  assert.ok(claims.some(({ status }) => status === "proved-infeasible"));
  const broken = claims.flatMap(({ problem, certificate }) => tampered(certificate).map((c) => ({ problem, certificate: c })));
  const told = judged([...claims, ...broken]);
  assert.deepEqual(told, [...claims.map(() => true), ...broken.map(() => false)]);
});
