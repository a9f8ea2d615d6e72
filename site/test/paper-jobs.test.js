// @ts-check
import assert from "node:assert/strict";
import test from "node:test";
import { pack, progress, remaining, runJobs, unpack } from "../src/paper/jobs.js";

/** @type {any} */
const plan = {
  id: "x",
  example: "toy",
  seeds: [0, 1, 2],
  methods: [
    { name: "A", options: { algorithm: "a", outerIterations: 10, innerIterations: 30 }, level: false },
    { name: "B", options: { algorithm: "b" }, level: true },
  ],
};

/** A solver whose answers tell which problem and method they are of. @param {(job: string) => void} [onSolve] */
function solverOf(onSolve = () => {}) {
  /** @type {any} */
  const solver = {
    made: 0,
    async example(/** @type {string} */ id, /** @type {any} */ { seed }) {
      this.made++;
      return { id, seed, discount: 0.75, states: ["s", "t"], actions: ["a", "b"] };
    },
    async evaluate(/** @type {any} */ problem, /** @type {number[][]} */ policy) {
      assert.deepEqual(policy, [[0.5, 0.5], [0.5, 0.5]]);
      return { returns: [{ value: 100 + problem.seed }] };
    },
    solve(/** @type {any} */ problem, /** @type {any} */ { algorithm, signal }) {
      return {
        result: (async () => {
          await null;
          onSolve(`${problem.seed}${algorithm}`);
          signal.throwIfAborted();
          return {
            objective: { value: problem.seed },
            constraints: [{ violation: -3 }, { violation: -2 }],
            trace: { objective: Float64Array.of(1, problem.seed + 1 / 3), maxViolation: Float64Array.of(NaN, -1) },
          };
        })(),
      };
    },
  };
  return solver;
}

const traceOf = (/** @type {number} */ seed, /** @type {number} */ method) => ({ seed, method, horizon: 4, uniform: 1, objective: [1], violation: [0] });

test("what is left comes seeds first, without what is done", () => {
  assert.deepEqual(remaining(plan, [traceOf(0, 1), traceOf(2, 0)]), [{ seed: 0, method: 0 }, { seed: 1, method: 0 }, { seed: 1, method: 1 }, {
    seed: 2,
    method: 1,
  }]);
  assert.equal(progress(plan, []), 0);
  assert.equal(progress(plan, [traceOf(0, 1)]), 1 / (3 * 301));
  assert.equal(progress(plan, plan.seeds.flatMap((/** @type {number} */ s) => [traceOf(s, 0), traceOf(s, 1)])), 1);
});

test("only what is left is run, each problem is made once, and a trace brings its horizon", async () => {
  /** @type {any[]} */
  const traces = [];
  /** @type {string[]} */
  const solved = [];
  const solver = solverOf((job) => solved.push(job));
  await runJobs(solver, plan, [traceOf(0, 0), traceOf(0, 1), traceOf(1, 0)], new AbortController().signal, (t) => traces.push(t), 2);
  assert.deepEqual(solved.sort(), ["1b", "2a", "2b"]);
  assert.equal(solver.made, 2);
  const [a, b] = [traces.find((t) => t.seed === 2 && t.method === 0), traces.find((t) => t.seed === 2 && t.method === 1)];
  assert.deepEqual(a, { seed: 2, method: 0, horizon: 4, uniform: 102, objective: [1, 2.333333333], violation: [null, -1] });
  assert.deepEqual([b.objective, b.violation], [[2], [-2]], "a level is the best policy that the method ended with");
});

test("an experiment stopped half-way keeps what was finished, and goes on to the same traces", async () => {
  const control = new AbortController();
  /** @type {any[]} */
  let kept = [];
  await runJobs(solverOf(), plan, [], control.signal, (t) => {
    kept = [...kept, t];
    if (kept.length === 3) control.abort();
  }, 1);
  assert.equal(kept.length, 3);
  kept = unpack(plan, "build 1", pack(plan, "build 1", kept));
  assert.equal(kept.length, 3);
  await runJobs(solverOf(), plan, kept, new AbortController().signal, (t) => {
    kept = [...kept, t];
  }, 2);
  /** @type {any[]} */
  const whole = [];
  await runJobs(solverOf(), plan, [], new AbortController().signal, (t) => whole.push(t), 2);
  const sorted = (/** @type {any[]} */ ts) => ts.toSorted((p, q) => p.seed - q.seed || p.method - q.method);
  assert.deepEqual(sorted(kept), sorted(whole));
});

test("a run that fails ends the experiment with its reason", async () => {
  /** @type {any[]} */
  const traces = [];
  const solver = solverOf((job) => {
    if (job === "1a") throw new Error("no memory");
  });
  await assert.rejects(runJobs(solver, plan, [], new AbortController().signal, (t) => traces.push(t), 1), /no memory/);
  assert.deepEqual(traces.map((t) => t.seed), [0, 0]);
});

test("what was kept is dropped when it is of another plan or build, or damaged", () => {
  const traces = [traceOf(0, 0), traceOf(2, 1)];
  const text = pack(plan, "build 1", traces);
  assert.deepEqual(unpack(plan, "build 1", text), traces);
  assert.deepEqual(unpack(plan, "build 2", text), []);
  assert.deepEqual(unpack({ ...plan, methods: plan.methods.slice(1) }, "build 1", text), []);
  for (const bad of [null, "", "[", "7", "{}", text.slice(0, -1)]) assert.deepEqual(unpack(plan, "build 1", bad), []);
  // A single trace that does not fit the plan is left out, the others stay.
  const mixed = pack(plan, "build 1", [.../** @type {any} */ (traces), traceOf(9, 0), traceOf(0, 5), { ...traceOf(1, 0), violation: [] }, {
    ...traceOf(1, 0),
    horizon: undefined,
  }]);
  assert.deepEqual(unpack(plan, "build 1", mixed), traces);
});
