// @ts-check
// engine-explore.test.js — what is done with a model besides solving it, in Node against the real
// wasm: models from logs, simulated episodes.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openSolver } from "../src/engine.js";
import { build, fixture } from "./engine-build.js";

const files = build();
/** @type {import('../src/rcmdp.js').Solver} */
let solver;
before(async () => {
  solver = await openSolver({ ...files, workers: 2 });
});
after(() => solver.close());

const repair = fixture("machine_repair");
/** @param {RegExp} message */
const refusal = (message) => (/** @type {any} */ error) => {
  assert.match(`${error.code}: ${error.message}`, message);
  return true;
};

describe("simulation", () => {
  test("the mean of many episodes is the return, within its error", async () => {
    const { policy } = await solver.solve(repair).result;
    const nominal = await solver.simulate(repair, policy, { episodes: 2000, seed: 3 });
    const worst = await solver.simulate(repair, policy, { episodes: 2000, seed: 3, kernel: { worst: repair.objective.name ?? "objective" } });
    for (const { costs, truncation, totals } of [nominal, worst]) {
      assert.equal(totals[0].length, 2000);
      for (const { mean, standardError, expected } of costs) {
        assert.ok(Math.abs(mean - expected) < 5 * Number(standardError) + truncation, `${mean} ± ${standardError}, ${expected}`);
      }
    }
    const { returns } = await solver.evaluate(repair, policy);
    assert.ok(Math.abs(worst.costs[0].expected - Number(returns[0].value)) < 1e-9);
  });

  test("one seed gives the same episodes, however many are asked for", async () => {
    const uniform = repair.states.map(() => repair.actions.map(() => 1 / repair.actions.length));
    const few = await solver.simulate(repair, uniform, { episodes: 50, horizon: 3000, seed: "7" });
    const many = await solver.simulate(repair, uniform, { episodes: 900, horizon: 3000, seed: 7, paths: 3, steps: 10 });
    assert.deepEqual(many.totals[1].slice(0, 50), few.totals[1]);
    assert.equal(many.paths.length, 3);
    assert.equal(many.paths[0].states.length, 11);
    assert.equal(many.paths[0].costs.length, many.costs.length);
    assert.ok(few.costs[0].quantiles.every(({ value }, i, all) => i === 0 || value >= all[i - 1].value));
  });

  test("an abort ends it, and a kernel that is not there is refused", async () => {
    const uniform = repair.states.map(() => repair.actions.map(() => 1 / repair.actions.length));
    const controller = new AbortController();
    const long = solver.simulate(repair, uniform, { episodes: 100000, horizon: 10000, signal: controller.signal, onProgress: () => controller.abort() });
    await assert.rejects(long, /abort/i);
    await assert.rejects(solver.simulate(repair, uniform, { kernel: "wild" }), refusal(/invalid-option: there is no kernel/));
    await assert.rejects(solver.simulate(repair, uniform, { episodes: 0.5 }), refusal(/invalid-option: episodes/));
  });
});

describe("models from logs", () => {
  const table = { columns: ["episode", "step", "state", "action", "next", "cost"], rows: /** @type {any[]} */ ([]) };
  for (let e = 0; e < 40; e++) {
    table.rows.push([e, 0, "good", "run", e % 4 === 0 ? "worn" : "good", 0], [e, 1, "worn", e % 2 ? "run" : "repair", e % 2 ? "worn" : "good", 1 + (e % 2)]);
  }

  test("a log becomes a model that solves, with its formula, source and guarantee", async () => {
    const { problem, summary, warnings } = await solver.estimate(table, { kind: "l1", confidence: 0.9, discount: 0.9 });
    assert.equal((await solver.validate(problem)).ok, true);
    assert.equal(summary.episodes, 40);
    assert.equal(summary.pairs.length, 3);
    assert.match(summary.source, /Weissman/);
    assert.ok(summary.formula && summary.guarantee);
    assert.ok(warnings.some((w) => w.includes("never tried")));
    assert.equal((await solver.solve(problem).result).feasible, true);
  });

  test("episodes held out judge a policy", async () => {
    const { problem, heldOut } = await solver.estimate(table, { kind: "posterior", heldOut: 0.25, seed: 2, untried: "uniform" });
    const { policy } = await solver.solve(problem).result;
    const { returns } = await solver.evaluate(/** @type {any} */ (heldOut), policy);
    assert.equal(returns[0].byKernel?.length, 41);
  });

  test("a fault in a table says where it is", async () => {
    await assert.rejects(
      solver.estimate({ columns: ["state", "action", "next", "count"], rows: [["a", "go", "b", "many"]] }),
      (/** @type {any} */ error) => error.code === "invalid-problem" && error.errors[0].pointer === "/rows/0/3",
    );
  });
});
