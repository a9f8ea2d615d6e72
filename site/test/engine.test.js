// @ts-check
// engine.test.js — the JavaScript API in Node, against the real wasm: every call, stopping,
// aborting, crashes, odd arguments, memory, closing.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openSolver, RcmdpError } from "../src/engine.js";
import { beside } from "../src/engine/load.js";
import { Pool } from "../src/engine/pool.js";
import { build, fixture } from "./engine-build.js";
import { native } from "./e2e/harness.js";

const files = build();
/** @type {import('../src/rcmdp.js').Solver} */
let solver;
before(async () => {
  solver = await openSolver({ ...files, workers: 2 });
});
after(() => solver.close());

/** @param {string} code @param {RegExp} [message] */
const refusal = (code, message = /./) => (/** @type {any} */ error) => {
  assert.ok(error instanceof RcmdpError, String(error));
  assert.equal(error.code, code, error.message);
  assert.match(error.message, message);
  return true;
};

/** A run that takes minutes unless something ends it. */
const endless = { algorithm: "epirc-pgs", outerIterations: 100000, innerIterations: 10000 };
const wait = (/** @type {number} */ ms) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

describe("what the solver knows", () => {
  test("it says which build it is", () => {
    assert.match(solver.version.go, /^go1\./);
    assert.match(solver.version.rcmdp, /^\d+\.\d+/);
    assert.ok(solver.version.commit);
  });

  test("each algorithm comes with a table of options whose defaults are in range", async () => {
    const algorithms = await solver.algorithms();
    assert.ok(algorithms.some(({ id }) => id === "epirc-pgs"));
    for (const { id, title, shape, solves, options } of algorithms) {
      assert.ok(title && solves && ["search", "steps", "exact", "given"].includes(shape), id);
      for (const o of options) {
        assert.ok(o.help, `${id}.${o.name}`);
        if (o.type === "integer" || o.type === "number") {
          assert.ok(
            typeof o.default === "number" && o.default >= /** @type {number} */ (o.min) && o.default <= /** @type {number} */ (o.max),
            `${id}.${o.name}`,
          );
        }
      }
      assert.ok(options.some((o) => o.name === "seed") && options.some((o) => o.name === "timeLimit"), id);
    }
  });

  test("every example is a sound problem, by default and at the ends of its parameters", async () => {
    const examples = await solver.examples();
    assert.ok(examples.length >= 4);
    for (const { id, parameters } of examples) {
      for (const end of /** @type {const} */ (["default", "min", "max"])) {
        const values = Object.fromEntries(parameters.map((p) => [p.name, p[end]]));
        const problem = await solver.example(id, values);
        const { ok, errors, summary } = await solver.validate(problem);
        assert.ok(ok, `${id} at ${end}: ${JSON.stringify(errors)}`);
        assert.equal(summary?.states, problem.states.length);
      }
    }
  });

  test("an unknown example or parameter is refused by name", async () => {
    await assert.rejects(solver.example("nope"), refusal("invalid-option", /no example "nope"; there are/));
    const [{ id, parameters: [p] }] = (await solver.examples()).filter(({ parameters }) => parameters.length > 0);
    await assert.rejects(solver.example(id, { [p.name]: p.max + 1 }), refusal("invalid-option", new RegExp(`^${p.name}: got .* from `)));
    await assert.rejects(solver.example(id, { nope: 1 }), refusal("invalid-option", /nope: no such parameter/));
  });
});

describe("validation", () => {
  test("all faults are listed, with pointer, state and action", async () => {
    const problem = fixture("machine_repair");
    problem.discount = 1;
    problem.uncertainty.kernels[0].transitions[0][0] = [0.5, 0.4, 0];
    const { ok, errors, summary } = await solver.validate(problem);
    assert.equal(ok, false);
    assert.equal(summary, null);
    assert.deepEqual(errors.map((e) => e.pointer).sort(), ["/discount", "/uncertainty/kernels/0/transitions/0/0"]);
    const row = errors.find((e) => e.pointer !== "/discount");
    assert.equal(row?.state, problem.states[0]);
    assert.equal(row?.action, problem.actions[0]);
  });

  test("a fix repairs what it says", async () => {
    const problem = fixture("machine_repair");
    const row = problem.uncertainty.kernels[0].transitions[0][0];
    problem.uncertainty.kernels[0].transitions[0][0] = row.map((/** @type {number} */ p) => p * 1.00001);
    const { errors } = await solver.validate(problem);
    const fix = errors[0].fix;
    assert.ok(fix, JSON.stringify(errors));
    for (const { pointer, value } of fix.patch) {
      const path = pointer.split("/").slice(1);
      const last = /** @type {string} */ (path.pop());
      path.reduce((o, key) => o[key], problem)[last] = value;
    }
    assert.deepEqual((await solver.validate(problem)).errors, []);
  });

  test("text is taken as the document itself", async () => {
    const text = JSON.stringify(fixture("inventory"));
    assert.ok((await solver.validate(text)).ok);
    const { ok, errors } = await solver.validate(text.slice(0, 100));
    assert.ok(!ok && errors.length > 0);
  });

  test("what JSON would turn into null is an error at its place", async () => {
    for (const odd of [NaN, Infinity, undefined, () => 1, 10n, Symbol("x")]) {
      const problem = fixture("machine_repair");
      problem.objective.values[1][0] = odd;
      const { ok, errors } = await solver.validate(problem);
      assert.equal(ok, false, String(odd));
      assert.equal(errors[0].pointer, "/objective/values/1/0");
    }
  });
});

describe("evaluation", () => {
  test("returns, worst kernels and occupancy are those of the core", async () => {
    const problem = fixture("a_seed0");
    const policy = problem.states.map(() => [0.1, 0.2, 0.3, 0.4]);
    const [{ evaluated }] = native([{ problem, policy }]);
    const got = await solver.evaluate(problem, policy);
    assert.deepEqual(got.returns.map((r) => r.value), evaluated.returns);
    assert.deepEqual(got.returns.map((r) => r.worst.kernel?.index), evaluated.worstKernels);
    assert.equal(got.maxViolation, Math.max(...evaluated.violations));
    for (const d of /** @type {number[][]} */ (got.occupancy)) assert.ok(Math.abs(d.reduce((a, b) => a + b) - 1) < 1e-9);
    for (const r of got.returns) assert.equal(Math.max(.../** @type {number[]} */ (r.byKernel)), r.value);
  });

  test("a policy document is matched by names", async () => {
    const problem = fixture("machine_repair");
    const policy = problem.states.map((/** @type {string} */ _, /** @type {number} */ s) => (s === 0 ? [1, 0] : [0.25, 0.75]));
    const plain = await solver.evaluate(problem, policy);
    const document = {
      format: /** @type {const} */ ("rcmdp-policy/1"),
      states: [...problem.states].reverse(),
      actions: [...problem.actions].reverse(),
      probabilities: [...policy].reverse().map((row) => [...row].reverse()),
    };
    assert.deepEqual(await solver.evaluate(problem, document), plain);
  });

  test("a policy that does not fit is refused at its place", async () => {
    const problem = fixture("machine_repair");
    const uniform = problem.states.map(() => [0.5, 0.5]);
    await assert.rejects(solver.evaluate(problem, uniform.slice(1)), refusal("invalid-option"));
    uniform[1] = [0.5, 0.6];
    await assert.rejects(solver.evaluate(problem, uniform), (/** @type {any} */ error) => refusal("invalid-option")(error) && error.errors[0].pointer === "/1");
    await assert.rejects(solver.evaluate(problem, /** @type {any} */ ("uniform")), refusal("invalid-option"));
  });

  test("every rectangular kind tells what nature moved", async () => {
    for (const name of ["machine_repair_kl", "machine_repair_l1", "machine_repair_chi2", "machine_repair_contamination"]) {
      const problem = fixture(name);
      const { returns } = await solver.evaluate(problem, problem.states.map(() => problem.actions.map(() => 1 / problem.actions.length)));
      const { worst } = returns[0];
      assert.equal(worst.support, problem.uncertainty.support ?? "nominal", name);
      assert.ok(worst.rows && worst.rows.length > 0, name);
      for (const row of worst.rows ?? []) {
        assert.ok(Math.abs(row.worst.reduce((a, b) => a + b) - 1) < 1e-9, name);
        assert.ok(/** @type {number} */ (row.moved) > 0 && row.nominal?.length === row.worst.length, name);
      }
    }
  });
});

describe("a run", () => {
  const short = { algorithm: "epirc-pgs", outerIterations: 8, innerIterations: 400 };

  test("gives the numbers of the core, a row of the trace for each outer step, and each of them as news", async () => {
    for (const name of ["a_seed0", "c_seed1", "ref_seed0", "fig1_epigraph", "machine_repair", "inventory"]) {
      const problem = fixture(name);
      const [{ solved }] = native([{ problem, algorithm: short.algorithm, options: { outerIterations: 8, innerIterations: 400 } }]);
      const run = solver.solve(problem, short);
      /** @type {number[]} */
      const steps = [];
      for await (const p of run) if (p.step) steps.push(p.k);
      const result = await run.result;
      const values = [result.objective.value, ...result.constraints.map((c) => c.value)];
      values.forEach((v, n) =>
        assert.ok(
          Math.abs(/** @type {number} */ (v) - solved.returns[n]) <= 1e-9 * Math.max(1, Math.abs(solved.returns[n])),
          `${name}: ${v} and ${solved.returns[n]}`,
        )
      );
      assert.equal(result.feasible, solved.feasible, name);
      assert.deepEqual(steps, [...result.trace.k], name);
      assert.equal(steps.length, solved.outerSteps, name);
      assert.deepEqual(result.worst.map((w) => w.kernel?.index), solved.worstKernels, name);
      assert.equal(result.options.outerIterations, 8);
      for (const column of Object.values(result.trace)) assert.ok(column instanceof Float64Array && column.length === steps.length);
    }
  });

  test("the example of the readme", async () => {
    const problem = await solver.example((await solver.examples())[0].id);
    const run = solver.solve(problem);
    let last;
    for await (const p of run) last = p;
    assert.ok(last && last.best);
    const { algorithm, options } = await run.result;
    const table = (await solver.algorithms()).find(({ id }) => id === algorithm)?.options ?? [];
    assert.ok(table.length > 0);
    for (const o of table) if (o.type !== "policy") assert.equal(options[o.name], o.default, o.name);
  });

  test("options are echoed with defaults filled in; a large seed keeps its digits", async () => {
    for (
      const [seed, want] of /** @type {[any, string][]} */ ([[7, "7"], ["18446744073709551615", "18446744073709551615"], [2n ** 63n, "9223372036854775808"], [
        2 ** 53 - 1,
        "9007199254740991",
      ]])
    ) {
      const { seed: got, options } = await solver.solve(fixture("fig1_epigraph"), { algorithm: "uniform", seed }).result;
      assert.equal(got, want);
      assert.equal(options.seed, want);
    }
  });

  test("an unknown or wrong option is refused with what is allowed", async () => {
    const problem = fixture("fig1_epigraph");
    for (
      const [options, message] of /** @type {[any, RegExp][]} */ ([
        [{ algorithm: "nope" }, /want one of .*epirc-pgs/],
        [{ algorithm: 7 }, /want one of/],
        [{ algorithm: "epirc-pgs", stepSize: -1 }, /stepSize: got -1; want a number from 1e-12 to 1e\+06/],
        [{ algorithm: "epirc-pgs", outerIterations: 2.5 }, /outerIterations: got 2.5; want a whole number from 1/],
        [{ algorithm: "epirc-pgs", stepsize: 1 }, /is written stepSize/],
        [{ algorithm: "epirc-pgs", nonsense: 1 }, /no such option of epirc-pgs; it takes algorithm, outerIterations/],
        [{ algorithm: "epirc-pgs", earlyStop: 1 }, /want true or false/],
        [{ algorithm: "epirc-pgs", seed: -1 }, /seed: got -1/],
        [{ algorithm: "epirc-pgs", seed: 2 ** 60 }, /as text/],
        [{ algorithm: "epirc-pgs", seed: "1e3" }, /seed: got "1e3"/],
        [{ algorithm: "epirc-pgs", stepSize: NaN }, /stepSize: got "NaN"/],
        [{ algorithm: "epirc-pgs", stepSize: "1" }, /stepSize: got "1"/],
        [{ algorithm: "epirc-pgs", initialPolicy: [[1]] }, /./],
        [{ algorithm: "epirc-pgs", signal: {} }, /AbortSignal/],
      ])
    ) {
      await assert.rejects(solver.solve(problem, options).result, refusal("invalid-option", message));
    }
    await assert.rejects(solver.solve(problem, { algorithm: "epirc-pgs", a: 1, b: 2 }).result, (/** @type {any} */ error) => {
      assert.deepEqual(error.errors.map((/** @type {any} */ e) => e.pointer), ["/a", "/b"]);
      return true;
    });
  });

  test("a bad problem rejects the result and ends the iteration with the same error", async () => {
    const problem = { ...fixture("fig1_epigraph"), discount: 2 };
    const run = solver.solve(problem, short);
    await assert.rejects(async () => {
      for await (const _ of run);
    }, refusal("invalid-problem", /discount|γ/));
    await assert.rejects(run.result, refusal("invalid-problem"));
    const circle = /** @type {any} */ ({});
    circle.circle = circle;
    await assert.rejects(solver.solve(circle).result, refusal("invalid-problem", /JSON/));
  });

  test("the problem is read when solve is called", async () => {
    const problem = fixture("machine_repair");
    const run = solver.solve(problem, short);
    problem.discount = 7;
    assert.ok((await run.result).feasible);
  });

  test("it starts where it is told", async () => {
    const problem = fixture("machine_repair");
    const initialPolicy = problem.states.map(() => [0, 1]);
    const { policy } = await solver.solve(problem, { algorithm: "evaluate", initialPolicy }).result;
    assert.deepEqual(policy, initialPolicy);
  });

  test("maximising and at-least constraints are told in the person's own numbers", async () => {
    const cost = fixture("machine_repair");
    const mirror = structuredClone(cost);
    /** @type {(v: any) => any} */
    const negate = (v) => (Array.isArray(v) ? v.map(negate) : v === null ? null : 0 - v);
    mirror.objective = { ...cost.objective, sense: "maximize", values: negate(cost.objective.values) };
    mirror.constraints = cost.constraints.map((/** @type {any} */ { atMost, ...c }) => ({ ...c, values: negate(c.values), atLeast: -atMost }));
    const [a, b] = await Promise.all([cost, mirror].map((p) => solver.solve(p, short).result));
    assert.deepEqual(b.policy, a.policy);
    assert.equal(b.objective.value, -(/** @type {number} */ (a.objective.value)));
    assert.equal(b.constraints[0].threshold, -a.constraints[0].threshold);
    assert.equal(b.constraints[0].violation, a.constraints[0].violation);
    assert.equal(b.objective.sense, "maximize");
    for (let k = 0; k < a.trace.k.length; k++) {
      assert.equal(b.trace.low[k], -a.trace.high[k]);
      assert.equal(b.trace.maxViolation[k], a.trace.maxViolation[k]);
    }
  });

  test("a time limit ends it with a warning", async () => {
    const result = await solver.solve(fixture("a_seed0"), { ...endless, timeLimit: 0.3 }).result;
    assert.match(result.status, /^(feasible|no-feasible-found)$/);
    assert.match(result.warnings.join(), /time limit of 0.3 s/);
  });

  test("a slow reader gets every outer step, and leaving the loop lets the run go on", async () => {
    const run = solver.solve(fixture("fig1_epigraph"), { algorithm: "epirc-pgs", outerIterations: 30, innerIterations: 300 });
    const seen = [];
    for await (const p of run) {
      if (p.step) seen.push(p.k);
      if (seen.length === 3) await run.result;
    }
    assert.deepEqual(seen, [...(await run.result).trace.k]);
    const other = solver.solve(fixture("fig1_epigraph"), short);
    for await (const _ of other) break;
    assert.equal((await other.result).trace.k.length, 9);
  });
});

describe("ending a run", () => {
  test("stop keeps the best so far, at any moment", async () => {
    const problem = fixture("a_seed1");
    for (const after of [0, 1, 20, 60, 150, 400, 1100]) {
      const run = solver.solve(problem, endless);
      await wait(after);
      run.stop();
      run.stop();
      const result = await run.result;
      assert.equal(result.status, "stopped");
      assert.equal(result.policy.length, 7);
      assert.ok(typeof result.objective.value === "number");
    }
  });

  test("abort rejects with the reason at once, and the next run works", async () => {
    for (const after of [0, 30, 200]) {
      const controller = new AbortController();
      const run = solver.solve(fixture("a_seed1"), { ...endless, signal: controller.signal });
      await wait(after);
      const reason = new Error("no longer needed");
      controller.abort(reason);
      // At once: before anything else happens, the worker's end included.
      const first = await Promise.race([run.result.catch((error) => error), new Promise((resolve) => setImmediate(resolve, "something else"))]);
      assert.equal(first, reason);
      await assert.rejects(async () => {
        for await (const _ of run);
      }, reason);
      assert.equal((await solver.solve(fixture("fig1_epigraph"), { algorithm: "uniform" }).result).algorithm, "uniform");
    }
    await assert.rejects(solver.solve(fixture("a_seed1"), { signal: AbortSignal.abort() }).result, { name: "AbortError" });
  });

  test("other calls are answered while every worker has a run", async () => {
    const runs = [1, 2, 3].map(() => solver.solve(fixture("a_seed2"), endless));
    await wait(150);
    const ended = Promise.race(runs.map((run) => run.result.then(() => "a run ended first")));
    assert.equal(await Promise.race([ended, solver.validate(fixture("inventory")).then(({ ok }) => ok)]), true);
    for (const run of runs) run.stop(); // the third is waiting for a worker
    for (const run of runs) assert.equal((await run.result).status, "stopped");
  });

  test("a call survives the end of the worker that had it", async () => {
    const one = await openSolver({ ...files, workers: 1 });
    try {
      const controller = new AbortController();
      const run = one.solve(fixture("a_seed2"), { ...endless, signal: controller.signal });
      await wait(100);
      const calls = Array.from({ length: 20 }, () => one.validate(fixture("a_seed0")));
      controller.abort();
      await assert.rejects(run.result);
      for (const { ok } of await Promise.all(calls)) assert.ok(ok);
    } finally {
      one.close();
    }
  });
});

describe("crashes", () => {
  /** A pool like the solver's, whose calls a test can choose. @param {number} size @param {'solver' | 'store'} role */
  async function pool(size, role = "solver") {
    const { readFile } = await import("node:fs/promises");
    const module = await WebAssembly.compile(await readFile(files.wasmURL));
    const made = new Pool({ module, files: beside(module, files.wasmURL) }, files.workerURL, size, role);
    await made.start();
    return made;
  }
  const bytes = (/** @type {string} */ s) => new TextEncoder().encode(s);

  for (const how of ["panic", "exit"]) {
    test(`a ${how} rejects what was going on, says why, and the next call works`, async () => {
      const p = await pool(1);
      try {
        const run = new Promise((done, fail) => {
          p.run({ parts: [bytes(JSON.stringify(endless)), bytes(JSON.stringify(fixture("a_seed0")))], begun() {}, progress() {}, checkpoint() {}, done, fail });
        });
        run.catch(() => {});
        await wait(100);
        const crash = p.call("crash", bytes(how));
        const waiting = p.call("version");
        await assert.rejects(crash, (/** @type {any} */ error) => {
          refusal("crashed", /new solver is ready/)(error);
          if (how === "panic") assert.match(error.details.join("\n"), /panic: asked to crash[^]*main\.[^]*wasm\/main\.go:\d+/);
          else assert.match(error.message, /exit code 3/);
          return true;
        });
        await assert.rejects(run, refusal("crashed"));
        assert.match((await waiting).value.go, /^go/);
        assert.match((await p.call("version")).value.go, /^go/);
      } finally {
        p.close();
      }
    });
  }

  test("the store answers in order, without IndexedDB from memory, and its crash is told", async () => {
    const p = await pool(1, "store");
    try {
      await assert.rejects(p.call("list"), refusal("invalid-option", /first request must be open/));
      await p.call("open", bytes("x"));
      const state = await p.call("state");
      assert.equal(state.value.storage, "memory");
      assert.match(state.value.notice, /runs are lost when the page closes/);
      const put = p.call("put", bytes("{\"id\":\"a\"}"), bytes("{\"name\":\"one\"}"), bytes("problem"), bytes("result"));
      const list = p.call("list");
      const got = p.call("get", bytes("a"));
      assert.equal((await put).value.record.rev, 1);
      assert.equal((await list).value.length, 1);
      assert.deepEqual((await got).blobs.map((b) => new TextDecoder().decode(b)), ["problem", "result", ""]);
      await assert.rejects(p.call("get", bytes("b")), refusal("invalid-option", /no saved run/));
      await assert.rejects(p.call("fly"), refusal("invalid-option", /cannot fly/));
      await assert.rejects(p.call("crash", bytes("panic")), refusal("crashed"));
    } finally {
      p.close();
    }
  });

  test("every export survives odd arguments", async () => {
    const { Worker } = await import("node:worker_threads");
    const { readFile } = await import("node:fs/promises");
    const source = await readFile(files.workerURL, "utf8");
    const module = await WebAssembly.compile(await readFile(files.wasmURL));
    // The worker's own script, then calls that go past it straight into Go.
    const worker = new Worker(
      `${source}
      ;(async () => {
        const { parentPort } = require('node:worker_threads');
        const until = (f) => new Promise((r) => { const t = setInterval(() => { if (f()) { clearInterval(t); r(); } }, 5); });
        await until(() => globalThis.rcmdp);
        const odd = [undefined, null, 1n, Symbol('x'), NaN, -0, Infinity, [], {}, '', 'validate', 'begin', 'evaluate', new Uint8Array(), new Uint8Array(100),
          new Float64Array(3), new Array(1e5), () => 1, true, new Date(), new ArrayBuffer(8), new Uint8Array([91, 93]), Object.create(null)];
        const names = ['version', 'algorithms', 'examples', 'example', 'validate', 'evaluate', 'begin', 'stop', 'snapshot', 'nothing'];
        let calls = 0;
        const fail = [];
        for (const a of odd) for (const b of odd) {
          for (const args of [[a], [a, b], [b, a, a]]) { calls++; if (globalThis.rcmdp.call(...args) === undefined) fail.push('call ' + args.map(String.prototype.concat.bind('')).length); }
          for (const name of names) { calls++; if (!(globalThis.rcmdp.call(name, a, b) instanceof Uint8Array)) fail.push(name + ' ' + typeof a + ' ' + typeof b); }
          calls++;
          if (globalThis.rcmdp.step(a, b) === undefined) fail.push('step ' + typeof a + ' ' + typeof b);
        }
        parentPort.postMessage({ type: 'fuzzed', calls, fail });
      })();`,
      { eval: true },
    );
    try {
      worker.postMessage({ type: "boot", module, files: beside(module, files.wasmURL), role: "solver" });
      const answer = await new Promise((resolve, reject) => {
        worker.on("error", reject);
        worker.on("message", (m) => {
          if (m.type === "fuzzed") resolve(m);
          else if (m.type === "crash") reject(new Error(JSON.stringify(m)));
        });
      });
      assert.deepEqual(answer.fail, []);
      assert.ok(answer.calls > 5000);
    } finally {
      await worker.terminate();
    }
  });
});

describe("resources", () => {
  test("20 solves of a large problem stay within bounded memory", async () => {
    const one = await openSolver({ ...files, workers: 1 });
    try {
      const S = 60, A = 4;
      const row = Array.from({ length: S }, () => 1 / S);
      const kernel = Array.from({ length: S }, () => Array.from({ length: A }, () => row));
      const problem = {
        format: /** @type {const} */ ("rcmdp/1"),
        states: row.map((_, s) => `s${s}`),
        actions: ["a", "b", "c", "d"],
        discount: 0.9,
        initial: row,
        objective: { name: "c", values: row.map((_, s) => [s / S, 0.1, 0.2, 0.3]) },
        constraints: [],
        uncertainty: { kind: /** @type {const} */ ("finite"), kernels: Array.from({ length: 8 }, () => ({ transitions: kernel })) },
      };
      const text = JSON.stringify(problem);
      /** @type {number[]} */
      const rss = [];
      for (let i = 0; i < 20; i++) {
        await one.solve(text, { algorithm: "epirc-pgs", outerIterations: 2, innerIterations: 2 }).result;
        rss.push(process.memoryUsage().rss);
      }
      const early = Math.max(...rss.slice(0, 5)), late = Math.max(...rss.slice(-5));
      assert.ok(late - early < 90e6, `resident memory grew from ${early} to ${late}`);
    } finally {
      one.close();
    }
  });

  test("close rejects what is pending and what comes after", async () => {
    const one = await openSolver({ ...files, workers: 1 });
    const run = one.solve(fixture("a_seed0"), endless);
    const queued = one.solve(fixture("a_seed0"), endless);
    await wait(50);
    const call = one.validate(fixture("a_seed0"));
    one.close();
    one.close();
    for (const p of [run.result, queued.result, call, one.validate(/** @type {any} */ ({})), one.solve(fixture("a_seed0")).result])
      await assert.rejects(p, refusal("closed"));
  });

  test("a worker given up while it boots is ended, and what waited for it is answered by another", async () => {
    const held = () => process.getActiveResourcesInfo().filter((kind) => kind === "MessagePort").length;
    const before = held();
    const one = await openSolver({ ...files, workers: 1 });
    const calls = [];
    for (let round = 0; round < 12; round++) {
      const controller = new AbortController();
      const run = one.solve(fixture("a_seed0"), { ...endless, signal: controller.signal });
      calls.push(one.validate(fixture("a_seed0")));
      await wait(8 * (round % 4)); // the abort before this one has ended the worker: another is being made
      controller.abort();
      await assert.rejects(run.result, { name: "AbortError" });
    }
    for (const reply of await Promise.all(calls)) assert.equal(reply.ok, true);
    one.close();
    while (held() > before) await wait(10); // a worker that nobody ends would keep the process alive
  });

  test("saved runs need a browser or a folder", async () => {
    for (
      const call of [
        solver.runs.list(),
        solver.runs.get("x"),
        solver.runs.put({ id: "x" }),
        solver.runs.delete("x"),
        solver.runs.exportAll(),
        solver.runs.importAll("{\"format\":\"rcmdp-runs/1\",\"runs\":[{\"id\":\"x\",\"problem\":{}}]}"),
        solver.runs.resume("x"),
        solver.runs.estimate(),
      ]
    ) {
      await assert.rejects(call, refusal("unavailable"));
    }
  });
});

describe("proofs", () => {
  test("the default method proves what it claims, and the checker says so of exactly that problem", async () => {
    for (const name of ["fig1_epigraph", "machine_repair", "inventory"]) {
      const problem = fixture(name);
      const result = await solver.solve(problem, { timeLimit: 20 }).result;
      assert.match(result.status, /^(bounded|proved-optimal)$/, name);
      assert.ok(/** @type {number} */ (result.objective.lowerBound) <= /** @type {number} */ (result.objective.value), name);
      assert.equal(result.objective.upperBound, null);
      const report = await solver.check(problem, result.certificate, result.policy);
      assert.ok(report.ok, report.reasons.join(" "));
      assert.equal(report.lowerBound, result.objective.lowerBound);
      assert.ok(Math.abs(/** @type {number} */ (report.objective) - /** @type {number} */ (result.objective.value)) < 1e-6);
      assert.ok(report.reasons.length >= 2 && !report.infeasible);
      assert.ok((await solver.check(problem, JSON.stringify(result.certificate))).ok, "its text, without a policy");
      const other = structuredClone(problem);
      other.discount -= 0.01;
      const refused = await solver.check(other, result.certificate);
      assert.equal(refused.ok, false);
      assert.match(refused.reasons.join(" "), /another problem/);
    }
  });

  test("infeasibility is proved, with the least violation", async () => {
    const problem = fixture("fig1_conflict");
    const result = await solver.solve(problem, { timeLimit: 20 }).result;
    assert.equal(result.status, "proved-infeasible");
    const report = await solver.check(problem, result.certificate);
    assert.ok(report.ok && report.infeasible, report.reasons.join(" "));
  });

  test("for a maximised objective the bound is an upper one", async () => {
    const problem = fixture("machine_repair");
    problem.objective.sense = "maximize";
    problem.objective.values = problem.objective.values.map((/** @type {number[]} */ row) => row.map((v) => -v));
    const { objective, certificate, policy } = await solver.solve(problem, { timeLimit: 20 }).result;
    assert.equal(objective.lowerBound, null);
    assert.ok(/** @type {number} */ (objective.upperBound) >= /** @type {number} */ (objective.value));
    assert.ok(/** @type {number} */ (objective.gap) >= 0);
    const report = await solver.check(problem, certificate, policy);
    assert.ok(report.ok && report.upperBound === objective.upperBound && report.lowerBound === null);
  });

  test("a bound on its own carries a bound in its progress", async () => {
    const run = solver.bound(fixture("inventory"), { timeLimit: 20 });
    let bound = -Infinity;
    for await (const p of run)
      if (p.lowerBound !== null) {
        assert.ok(p.lowerBound >= bound);
        bound = p.lowerBound;
      }
    assert.ok(Number.isFinite(bound));
    assert.equal((await run.result).algorithm, "solve");
  });

  test("a policy is checked alone; what cannot be read is refused", async () => {
    const problem = fixture("machine_repair");
    const { policy, feasible } = await solver.solve(problem, { algorithm: "slp" }).result;
    assert.ok(feasible);
    assert.equal((await solver.check(problem, null, policy)).lowerBound, null);
    for (const odd of ["", "{", {}, [], 7, { format: "rcmdp-certificate/2", nonsense: 1 }]) {
      await assert.rejects(solver.check(problem, odd), refusal("invalid-option"), JSON.stringify(odd));
    }
  });
});

describe("comparing", () => {
  test("every job is a row, a failing one has its error, and progress counts them", async () => {
    const run = solver.compare([fixture("fig1_epigraph"), { ...fixture("inventory"), discount: 3 }], ["uniform", {
      algorithm: "epirc-pgs",
      outerIterations: 2,
      innerIterations: 50,
    }], { seeds: [1, 2] });
    const done = [];
    for await (const p of run) done.push(p.done);
    const { status, rows } = await run.result;
    assert.equal(status, "finished");
    assert.deepEqual(done, [1, 2, 3, 4, 5, 6, 7, 8]);
    assert.equal(rows.length, 8);
    for (const row of rows) {
      if (row.problem === 0) assert.ok(row.result?.feasible !== undefined && row.error === null);
      else assert.equal(row.error?.code, "invalid-problem");
    }
    assert.deepEqual(rows.filter((r) => r.problem === 0).map((r) => `${r.algorithm} ${r.seed}`), ["uniform 1", "uniform 2", "epirc-pgs 1", "epirc-pgs 2"]);
  });

  test("it can be stopped and aborted", async () => {
    const stopped = solver.compare([fixture("a_seed0")], [endless, endless, endless]);
    await wait(100);
    stopped.stop();
    const { status, rows } = await stopped.result;
    assert.equal(status, "stopped");
    for (const row of rows) assert.equal(row.result?.status, "stopped");
    const controller = new AbortController();
    const aborted = solver.compare([fixture("a_seed0")], [endless, endless, endless], { signal: controller.signal });
    await wait(50);
    controller.abort();
    await assert.rejects(aborted.result, { name: "AbortError" });
  });

  test("lists that are not lists are refused", async () => {
    await assert.rejects(solver.compare(/** @type {any} */ (fixture("a_seed0")), ["uniform"]).result, refusal("invalid-option"));
  });
});
