// @ts-check
// What a smaller set promises is what the estimate would say of it: the formulas here are held to those that made the radii.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openSolver } from "../src/engine.js";
import { build } from "./engine-build.js";

const files = build();
/** @type {import("../src/rcmdp.js").Solver} */
let solver;
before(async () => {
  solver = await openSolver({ ...files, workers: 1 });
});
after(() => solver.close());

const counts = "state,action,next,count\na,x,a,30\na,x,b,12\na,x,c,3\nb,x,a,50\nb,x,c,9\nb,y,a,7\nb,y,b,80\nc,x,a,41\nc,x,c,40\nc,x,b,2\n";

/** @param {string} kind @param {number} confidence @param {string} [successors] */
async function made(kind, confidence, successors = "seen") {
  const table = await solver.table({ name: "counts.csv", text: counts }, {});
  return (await solver.estimate(table, /** @type {any} */ ({ kind, confidence, successors }))).problem;
}

/** @param {any} problem @param {number} share */
const promiseOf = async (problem, share) => (await solver.promise(problem, share)).promise;

/** @param {any} problem @returns {number[][]} */
const radii = (problem) => problem.uncertainty.radius;

test("a set made at a lower confidence is as large as that confidence says", async () => {
  for (const kind of ["l1", "kl", "chi2"]) {
    for (const successors of kind === "l1" ? ["seen", "all"] : ["seen"]) {
      const wide = await made(kind, 0.95, successors);
      for (const lower of [0.9, 0.5]) {
        const narrow = await made(kind, lower, successors);
        // One row at a time: by the share that makes its radius the narrower one, its own part of what is left is that one's.
        for (const [s, a] of [[0, 0], [1, 0], [1, 1], [2, 0]]) {
          const share = radii(narrow)[s][a] / radii(wide)[s][a];
          const alone = /** @type {any} */ ({
            ...wide,
            uncertainty: { ...wide.uncertainty, radius: radii(wide).map((row, i) => row.map((r, j) => (i === s && j === a ? r : 0))) },
          });
          const { promise } = await solver.promise(alone, share);
          assert.ok(Math.abs((promise?.each ?? 0) - (1 - (1 - lower) / 4)) < 1e-4, `${kind} ${successors} ${lower}: ${promise?.each}`);
        }
      }
      const { promise: whole } = await solver.promise(wide, 1);
      assert.ok(whole && Math.abs(whole.confidence - 0.95) < 1e-9 && whole.now === 0.95, `${kind}: ${JSON.stringify(whole)}`);
    }
  }
});

test("nothing is said of radii that are not those of the counts, and a smaller set is known as one", async () => {
  const wide = await made("l1", 0.95);
  const times = (/** @type {number} */ x) => radii(wide).map((row) => row.map((r) => (r === null ? r : r * x)));
  const edited = (/** @type {number[][]} */ radius, source = wide.source) => /** @type {any} */ ({
    ...wide,
    source,
    uncertainty: { ...wide.uncertainty, radius },
  });
  assert.equal(await promiseOf(edited(times(0.7)), 0.5), null);
  assert.equal(await promiseOf(edited(times(0.5)), 0.5), null, "four times as many tries as there were");
  assert.equal(await promiseOf(edited(radii(wide), "by hand"), 0.5), null);
  const once = await promiseOf(wide, 0.75 * 0.75);
  const twice = await promiseOf(edited(times(0.75), (await solver.promise(wide, 0.75)).source), 0.75);
  assert.ok(
    once && twice && Math.abs(once.confidence - twice.confidence) < 1e-9 && Math.abs(twice.now - ((await promiseOf(wide, 0.75))?.confidence ?? 0)) < 1e-12,
  );
  assert.equal(await promiseOf(await made("credible-l1", 0.95), 0.5), null);
});
