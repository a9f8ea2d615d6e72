// @ts-check
// engine-share.test.js — a proof spread over workers: the same bound as with one worker, a
// certificate that the checker accepts, and no worker held when it ends.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openSolver } from "../src/engine.js";
import { build, fixture } from "./engine-build.js";

const files = build();
/** @type {import('../src/rcmdp.js').Solver} */
let solver;
before(async () => {
  solver = await openSolver({ ...files, workers: 3 });
});
after(() => solver.close());

test("boxes go to idle workers and the joined proof is accepted by the checker", async () => {
  const problem = fixture("a_seed4");
  const run = solver.solve(problem, { algorithm: "solve", gap: 0.006, timeLimit: 0 });
  let nodes = 0;
  for await (const p of run) nodes = Math.max(nodes, p.nodes);
  const result = await run.result;
  assert.equal(result.status, "bounded");
  assert.ok(Number(result.objective.relativeGap ?? NaN) <= 0.00601, `gap ${result.objective.relativeGap}`);
  assert.ok(nodes >= 5, `${nodes} boxes`);
  const report = await solver.check(problem, result.certificate, result.policy);
  assert.ok(report.ok, report.reasons.join(" "));
  assert.ok(Math.abs((report.lowerBound ?? NaN) - (result.objective.lowerBound ?? NaN)) < 1e-9);
});

test("a stop ends the helpers too, and the workers are free for the next runs", async () => {
  const problem = fixture("a_seed0");
  const run = solver.solve(problem, { algorithm: "solve", gap: 0.001, timeLimit: 0 });
  let bound = -Infinity;
  for await (const p of run) {
    bound = Math.max(bound, p.lowerBound ?? -Infinity);
    if (bound > 87) run.stop();
  }
  const result = await run.result;
  assert.equal(result.status, "stopped");
  assert.ok((result.objective.lowerBound ?? NaN) >= bound, `bound ${result.objective.lowerBound} after ${bound}`);
  const others = await Promise.all([0, 1, 2].map((seed) => solver.solve(problem, { algorithm: "slp", starts: 2, seed }).result));
  for (const other of others) assert.ok(other.feasible);
});
