// @ts-check
// engine-horizon.test.js — models with a number of decisions through the library in Node: their published values, plans by
// time in and out, trade-offs along the number itself.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { openSolver } from "../src/engine.js";
import { build, root } from "./engine-build.js";

const files = build();
/** @type {import('../src/rcmdp.js').Solver} */
let solver;
before(async () => {
  solver = await openSolver({ ...files, workers: 2 });
});
after(() => solver.close());

for (const name of ["horizon-forest", "horizon-puterman-inventory"]) {
  test(`${name}: its published value, proved, with a plan for each decision that comes back`, async () => {
    const { document, right } = JSON.parse(readFileSync(path.join(root, "core/testdata/cases/models", `${name}.json`), "utf8"));
    const { result } = solver.solve(document);
    const { status, objective, policy, reached, certificate } = await result;
    assert.equal(status, "proved-optimal");
    assert.ok(Math.abs(Number(objective.value) - right.objective.decimal) < 1e-9);
    assert.deepEqual([policy.length, policy[0].length, reached?.length], [3, document.states.length, 3]);
    const again = { format: /** @type {const} */ ("rcmdp-policy/1"), states: document.states, actions: document.actions, horizon: 3, probabilities: policy };
    const [{ value }] = (await solver.evaluate(document, again)).returns;
    assert.ok(Math.abs(value - right.objective.decimal) < 1e-9);
    assert.ok((await solver.check(document, certificate, policy)).ok);
    const { paths, horizon } = await solver.simulate(document, policy, { episodes: 20, paths: 1 });
    assert.deepEqual([horizon, paths[0].actions.length, paths[0].states.at(-1)], [4, 3, -1]);
    await assert.rejects(solver.evaluate(document, policy.slice(1)), /found 2 tables; want 3/);
    // Plans of other numbers of decisions are none to begin with.
    const { points } = await solver.sweep(document, { pointer: "/horizon", values: [1, 3, 4] }).result;
    assert.deepEqual(points.map((p) => p?.policy.length), [1, 3, 4]);
    assert.ok(points.every((p) => p?.status === "proved-optimal") && Math.abs(Number(points[1]?.objective.value) - right.objective.decimal) < 1e-9);
  });
}
