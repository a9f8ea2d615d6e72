// @ts-check
// engine-explore.test.js — what is done with a model besides solving it once, in Node against the
// real wasm: models from logs, simulated episodes, trade-offs.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openSolver } from "../src/engine.js";
import { Run } from "../src/engine/run.js";
import { coarseFirst, sweep } from "../src/engine/sweep.js";
import { build, fixture } from "./engine-build.js";

const files = build();
/** A sweep by an engine of the test's own. @param {any} engine @param {any} problem @param {any} options */
const swept = (engine, problem, options) => {
  /** @type {Run<import("../src/rcmdp.js").SweepResult, import("../src/rcmdp.js").SweepProgress>} */
  const run = new Run("sweep");
  sweep(engine, run, problem, options);
  return run.result;
};
/** @type {import('../src/rcmdp.js').Solver} */
let solver;
before(async () => {
  solver = await openSolver({ ...files, workers: 2, runsFolder: `${files.folder}/runs` });
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
        assert.ok(Math.abs(mean - expected) < 5 * Number(standardError) + (truncation ?? 0), `${mean} ± ${standardError}, ${expected}`);
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

describe("a trade-off", () => {
  const spread = (/** @type {number} */ from, /** @type {number} */ to, /** @type {number} */ n) =>
    Array.from({ length: n }, (_, i) => from + ((to - from) * i) / (n - 1));

  /** Every point's claim passes the checker for that point's problem. @param {any} problem @param {string} pointer @param {any[]} points */
  async function allProved(problem, pointer, points) {
    const [, list, i, field] = pointer.split("/");
    for (const { value, certificate, policy, feasible, status, objective } of points) {
      const there = structuredClone(problem);
      if (field) there[list][i][field] = value;
      else there[list][i] = value;
      const report = await solver.check(there, certificate, feasible ? policy : null);
      assert.equal(report.ok, true, `${value}: ${report.reasons.at(-1)}`);
      assert.equal(report.infeasible, status === "proved-infeasible");
      if (feasible) assert.ok(Math.abs(Number(report.lowerBound) - Number(objective.lowerBound)) < 1e-6);
    }
  }

  /** Tightest first: neither values nor bounds ever rise as the limit is loosened. @param {any[]} points */
  function assertMonotone(points) {
    for (let i = 1; i < points.length; i++) {
      const [tight, loose] = [points[i - 1], points[i]];
      const where = `between ${tight.value} and ${loose.value}`;
      if (tight.feasible) {
        assert.ok(loose.feasible, where);
        assert.ok(loose.objective.value <= tight.objective.value, `values ${where}: ${tight.objective.value}, ${loose.objective.value}`);
      }
      if (loose.status === "proved-infeasible") assert.equal(tight.status, "proved-infeasible", where);
      if (loose.objective.lowerBound !== null && tight.status !== "proved-infeasible") {
        assert.ok(tight.objective.lowerBound >= loose.objective.lowerBound, `bounds ${where}: ${tight.objective.lowerBound}, ${loose.objective.lowerBound}`);
      }
    }
  }

  test("along a limit values and bounds are monotone, each is proved for its own problem, and where it cannot be met that is proved", async () => {
    const problem = await solver.example("machine-repair");
    const pointer = "/constraints/0/atMost";
    const values = spread(-0.05, 0.2, 11);
    const run = solver.sweep(problem, { pointer, values });
    const seen = [];
    for await (const { done, total, index, point } of run) {
      assert.equal(total, 11);
      assert.ok(done >= 1 && done <= 11 && point.value === values[index]);
      seen.push(index);
    }
    assert.ok(seen[0] === 0 || seen[0] === 10, "an end comes first");
    const { points, status } = await run.result;
    assert.equal(status, "finished");
    assert.deepEqual(points.map((p) => p?.value), values);
    assertMonotone(points);
    assert.equal(points[0]?.status, "proved-infeasible");
    assert.equal(points[10]?.status, "proved-optimal");
    await allProved(problem, pointer, points);
  });

  test("points that the time limit cuts short are monotone all the same", async () => {
    const problem = await solver.example("setting-a");
    const limit = Number(problem.constraints?.[0].atMost);
    const values = spread(limit - 6, limit + 6, 7);
    const { points } = await solver.sweep(problem, { pointer: "/constraints/0/atMost", values, timeLimit: 0.3, starts: 2 }).result;
    assertMonotone(points);
    await allProved(problem, "/constraints/0/atMost", points.filter((p) => p?.certificate));
  });

  test("values that differ by rounding become one that claims no more than either", async () => {
    const above = 10 + 4e-15; // the looser one's, raised to what was proved there
    /** @param {import("../src/rcmdp.js").Problem} problem */
    const of = (problem) => ({
      status: "bounded",
      feasible: true,
      policy: [[1]],
      certificate: {},
      seconds: 0,
      objective: { name: "money", sense: "minimize", value: problem.constraints?.[0].atMost === 1 ? 10 : above, lowerBound: 9, upperBound: null, gap: 1 },
    });
    const job = (/** @type {import("../src/rcmdp.js").Problem} */ problem) => /** @type {any} */ ({ stop() {}, result: Promise.resolve(of(problem)) });
    const engine = { width: 1, expected: async () => 0, solve: job, adopt: job };
    const { points } = await swept(engine, repair, { pointer: "/constraints/0/atMost", values: [1, 2] });
    assert.deepEqual(points.map((p) => p?.objective.value), [above, above]);
  });

  test("what a proof shows beyond itself when it is put to the checker anew goes on to the tighter ones", async () => {
    const more = [0, 0, 0.1, 0.2]; // by limit
    /** @param {number} value @param {number} lowerBound */
    const of = (value, lowerBound) => /** @type {any} */ ({
      stop() {},
      result: Promise.resolve({
        status: "bounded",
        feasible: true,
        policy: [[1]],
        certificate: { lowerBound },
        seconds: 0,
        objective: { name: "money", sense: "minimize", value, lowerBound, upperBound: null, gap: 1 },
      }),
    });
    const limitOf = (/** @type {any} */ problem) => problem.constraints[0].atMost;
    const engine = {
      width: 1,
      expected: async () => 0,
      solve: (/** @type {any} */ problem) => of(limitOf(problem) === 1 ? 10 : 11, 9), // the looser ones know worse policies
      adopt: (/** @type {any} */ problem, /** @type {any} */ _, /** @type {any} */ { proofs: [proof] }) => of(10, proof.lowerBound + more[limitOf(problem)]),
    };
    const { points } = await swept(engine, repair, { pointer: "/constraints/0/atMost", values: [1, 2, 3] });
    assertMonotone(points);
    assert.deepEqual(points.map((p) => p?.objective.lowerBound?.toFixed(1)), ["9.3", "9.3", "9.2"]);
  });

  test("along a radius a larger set never costs less", async () => {
    const problem = await solver.example("machine-repair-l1");
    const { points } = await solver.sweep(problem, { pointer: "/uncertainty/radius", values: spread(0, 0.4, 6) }).result;
    assertMonotone(points.toReversed());
    await allProved(problem, "/uncertainty/radius", points);
  });

  test("the discount, or a problem for each value, can be swept as well", async () => {
    const values = [0.5, 0.8, 0.9];
    const timeLimit = 0; // both search to their end, however busy the machine
    const { points } = await solver.sweep(repair, { pointer: "/discount", values, timeLimit }).result;
    const documents = values.map((discount) => ({ ...repair, discount }));
    const same = await solver.sweep(repair, { documents, values, timeLimit }).result;
    points.forEach((p, i) => {
      assert.ok(p?.feasible);
      assert.ok(Math.abs(Number(p.objective.value) - Number(same.points[i]?.objective.value)) < 1e-6);
    });
  });

  test("a sweep that is stopped goes on where it was, and is saved as one run", async () => {
    const problem = await solver.example("machine-repair");
    const options = { pointer: "/constraints/0/atMost", values: spread(0.02, 0.14, 9) };
    const run = solver.sweep(problem, options);
    for await (const { done } of run) if (done >= 3) run.stop();
    const first = await run.result;
    assert.equal(first.status, "stopped");
    const had = first.points.filter(Boolean).length;
    assert.ok(had >= 3 && had < 9, `${had} points`);
    const again = solver.sweep(problem, { ...options, points: JSON.parse(JSON.stringify(first.points)) });
    let solved = 0;
    for await (const _ of again) solved++;
    assert.ok(solved >= 9 - had);
    const result = await again.result;
    assertMonotone(result.points);
    assert.equal(result.points.length, 9);
    await solver.runs.put({ id: again.id, problem, options: result.options, result });
    const saved = await solver.runs.get(again.id);
    assert.equal(saved.algorithm, "sweep");
    assert.deepEqual(/** @type {any} */ (saved.result).points, JSON.parse(JSON.stringify(result.points)));
    await assert.rejects(solver.runs.resume(again.id), refusal(/come to its end/));
  });

  test("runs.resume goes on with a saved sweep: one that was stopped, and one that was interrupted", async () => {
    const problem = await solver.example("machine-repair");
    const options = { pointer: "/constraints/0/atMost", values: spread(0.02, 0.14, 7) };
    /** Resumes, and counts the points that were solved. @param {import('../src/rcmdp.js').Solver} by @param {string} id @param {number} had */
    const goesOn = async (by, id, had) => {
      const listed = (await by.runs.list()).find((run) => run.id === id);
      assert.equal(listed?.resumable, true);
      const run =
        /** @type {import('../src/rcmdp.js').Run<import('../src/rcmdp.js').SweepResult, import('../src/rcmdp.js').SweepProgress>} */ (await by.runs.resume(id));
      assert.equal(run.id, id);
      let least = Infinity;
      for await (const { done } of run) least = Math.min(least, done);
      assert.ok(least >= had, `it began with ${least} points, and ${had} were there`);
      const result = await run.result;
      assert.equal(result.status, "finished");
      assertMonotone(result.points);
      await by.runs.put({ id, result });
      assert.equal((await by.runs.get(id)).resumable, false);
    };

    const stopped = solver.sweep(problem, options);
    for await (const { done } of stopped) if (done >= 3) stopped.stop();
    const first = await stopped.result;
    await solver.runs.put({ id: stopped.id, problem, options: first.options, result: first });
    await goesOn(solver, stopped.id, first.points.filter(Boolean).length);

    const other = await openSolver({ ...files, workers: 1, runsFolder: `${files.folder}/runs` });
    const cut = other.sweep(problem, options);
    await other.runs.put({ id: cut.id, name: "cut", problem, options });
    for await (const { done } of cut) if (done >= 2) break;
    other.close();
    await goesOn(solver, cut.id, 1);
  });

  test("a sweep along a parameter of an example goes on with the problems of that example", async () => {
    const problem = await solver.example("machine-repair-l1");
    const { parameters } = (await solver.examples()).find(({ id }) => id === "machine-repair-l1") ?? assert.fail();
    const [{ name, min, max }] = parameters;
    const options = { algorithm: "sweep", example: { id: "machine-repair-l1", parameters: {} }, parameter: name, values: [min, max] };
    await solver.runs.put({ id: "along", problem, options });
    const run = /** @type {import('../src/rcmdp.js').Run<import('../src/rcmdp.js').SweepResult>} */ (await solver.runs.resume("along"));
    const { points } = await run.result;
    for (const point of points) assert.ok(point?.feasible);
  });

  test("what cannot be swept is refused with the reason", async () => {
    const refused = (/** @type {any} */ options, /** @type {RegExp} */ message) => assert.rejects(solver.sweep(repair, options).result, refusal(message));
    await refused({ pointer: "/constraints/7/atMost", values: [1] }, /invalid-option: pointer: there is nothing at/);
    await refused({ pointer: "/states", values: [1] }, /invalid-option: pointer: there is no number at/);
    await refused({ pointer: "constraints", values: [1] }, /not a JSON Pointer/);
    await refused({ pointer: "/discount", values: [] }, /values: want a list/);
    await refused({ pointer: "/discount", values: [Number.NaN] }, /values: want a list/);
    await refused({ pointer: "/discount", values: [0.5, 2] }, /invalid-problem/);
    await refused({ values: [1, 2], documents: [repair] }, /one problem for each/);
    await assert.rejects(solver.sweep(repair, { pointer: "/discount", values: [0.5], signal: AbortSignal.abort() }).result, /abort/i);
  });

  test("each point of a large model has the time that the model is expected to need, and a given limit holds for all", async () => {
    for (const [expected, given, usual, first] of [[0, undefined, 1, 2], [8, undefined, 8, 16], [8, 3, 3, 3]]) {
      /** @type {Record<string, any>[]} */
      const asked = [];
      const answered = (/** @type {any} */ _problem, /** @type {any} */ options) => {
        asked.push(options);
        const run = new Run("point");
        Run.control.done(run, { status: "no-feasible-found", feasible: false, policy: [], objective: {}, options });
        return run;
      };
      const engine = { width: 1, solve: answered, adopt: answered, expected: async () => expected ?? 0 };
      const limit = given === undefined ? {} : { timeLimit: given };
      for (const pointer of ["/discount", "/constraints/0/atMost"]) await swept(engine, repair, { pointer, values: [0.1, 0.2], ...limit });
      assert.deepEqual(asked.map((options) => options.timeLimit), [usual, usual, first, first]);
    }
  });

  test("coarse places come first, and each once", () => {
    for (const n of [1, 2, 3, 5, 8, 41]) assert.deepEqual(coarseFirst(n).toSorted((a, b) => a - b), Array.from({ length: n }, (_, i) => i));
    assert.deepEqual(coarseFirst(5), [0, 4, 2, 1, 3]);
  });
});
