// @ts-check
// The library as it is built, in Node, in a page and in a page of another origin: the numbers are the native ones.

import assert from "node:assert/strict";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import test, { after, before } from "node:test";
import { pathToFileURL } from "node:url";
import { assertNear, atEnd, dist, native, newPerson, startBrowser, startServer } from "./harness.js";

// Native and wasm differ in the last bits of exp and of vectorised sums. Evaluating one policy shows
// just that; a run of 200 projected steps lets it grow.
const evaluationTolerance = 1e-10, runTolerance = 1e-7;

const options = { outerIterations: 8, innerIterations: 200, stepSize: 5e-3 };

/** @type {any} */
let solver;
before(async () => {
  const { openSolver } = await import(pathToFileURL(path.join(dist, "rcmdp.js")).href);
  solver = await openSolver({ workers: 1 });
});
after(() => solver?.close());

test("every example of the gallery evaluates in wasm as it does natively", async () => {
  const examples = await solver.examples();
  assert(examples.length >= 5, `${examples.length} examples`);
  /** @type {{ id: string, problem: any, policy: number[][], got: import('../../src/rcmdp.js').Evaluation }[]} */
  const jobs = [];
  for (const { id } of examples) {
    const problem = await solver.example(id);
    const { ok, errors } = await solver.validate(problem);
    assert(ok, `${id}: ${JSON.stringify(errors)}`);
    // A policy that tells actions apart: what the uniform one gives, tilted towards the first; where policies may not mix, the one found.
    const { policy } = await solver.solve(problem, { algorithm: problem.policies === "deterministic" ? "solve" : "uniform" }).result;
    const tilt = (/** @type {number[]} */ row) => {
      const w = row.map((p, a) => (p === 0 ? 0 : p * 2 ** -a)), sum = w.reduce((x, y) => x + y);
      return w.map((x) => x / sum);
    };
    const tilted = problem.horizon ? policy.map((/** @type {number[][]} */ table) => table.map(tilt)) : policy.map(tilt);
    jobs.push({ id, problem, policy: problem.horizon ? tilted.flat() : tilted, got: await solver.evaluate(problem, tilted) });
  }
  native(jobs.map(({ problem, policy }) => ({ problem, policy }))).forEach(({ evaluated: want }, i) => {
    const { id, got } = jobs[i];
    assert.equal(got.returns.length, want.returns.length);
    got.returns.forEach((/** @type {any} */ r, /** @type {number} */ n) => {
      assertNear(r.value, want.returns[n], evaluationTolerance, `${id}, ${r.name}`);
      const worst = [r.worst.kernel, ...(r.worst.ties ?? [])].map((kernel) => kernel?.index ?? -1);
      assert(worst.includes(want.worstKernels[n]), `${id}, ${r.name}: worst kernel ${worst}, want ${want.worstKernels[n]}`);
      if (n > 0) assertNear(r.violation, want.violations[n - 1], evaluationTolerance * Math.max(1, Math.abs(want.returns[n])), `${id}, ${r.name}: violation`);
    });
  });
});

test("EpiRC-PGS in wasm gives the native run's answer", async () => {
  for (const id of ["gradient-conflict", "setting-a", "machine-repair"]) {
    const problem = await solver.example(id);
    const got = await solver.solve(problem, { algorithm: "epirc-pgs", ...options }).result;
    const [{ solved, evaluated }] = native([{ problem, algorithm: "epirc-pgs", options, policy: got.policy }]);
    assert.equal(got.feasible, solved.feasible, id);
    assert.equal(got.trace.k.length, solved.outerSteps, `${id}: outer steps`);
    assertNear(got.objective.value, solved.returns[0], runTolerance, `${id}: objective`);
    got.constraints.forEach((/** @type {any} */ c, /** @type {number} */ n) => assertNear(c.value, solved.returns[n + 1], runTolerance, `${id}: ${c.name}`));
    assertNear(got.objective.value, evaluated.returns[0], evaluationTolerance, `${id}: the objective is that of the policy`);
  }
});

test("a page of another origin loads the library from here and solves", async () => {
  const browser = await startBrowser();
  const server = await startServer();
  const host = http.createServer((_, response) =>
    response.setHeader("Content-Type", "text/html").end("<!doctype html><title>host</title><link rel=\"icon\" href=\"data:,\">")
  );
  await new Promise((resolve) => host.listen(0, "127.0.0.1", () => resolve(undefined)));
  atEnd(() => host.close());
  const address = /** @type {import('node:net').AddressInfo} */ (host.address());

  const problem = await solver.example("gradient-conflict");
  const [{ solved }] = native([{ problem, algorithm: "epirc-pgs", options }]);
  const person = await newPerson(browser);
  // localhost and 127.0.0.1 are different sites.
  const page = await person.open(`http://localhost:${address.port}/`, { also: [server.url] });
  const got = await page.evaluate(
    async (url, problem, options) => {
      const { openSolver } = await import(url);
      const solver = await openSolver({ workers: 1 });
      const { objective, feasible } = await solver.solve(problem, { algorithm: "epirc-pgs", ...options }).result;
      solver.close();
      return { value: objective.value, feasible };
    },
    `${server.url}rcmdp.js`,
    problem,
    options,
  );
  assertNear(got.value, solved.returns[0], runTolerance, "objective");
  assert.equal(got.feasible, solved.feasible);
  await person.leave();
});

test("the types beside the library name every call that it has", async () => {
  const types = fs.readFileSync(path.join(dist, "rcmdp.d.ts"), "utf8");
  const calls = Object.getOwnPropertyNames(Object.getPrototypeOf(solver)).filter((name) => name !== "constructor");
  assert(calls.length >= 9, calls.join());
  for (const call of calls) assert.match(types, new RegExp(`\\b${call}\\(`), call);
});
