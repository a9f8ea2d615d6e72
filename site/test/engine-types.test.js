// @ts-check
// engine-types.test.js — rcmdp.d.ts says what the library does: a sample that uses all of it
// compiles, mistakes do not, and what a real solver answers has the shape that is written down.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { openSolver } from "../src/engine.js";
import { build, fixture, root } from "./engine-build.js";

const files = build();
/** @type {import('../src/rcmdp.js').Solver} */
let solver;
before(async () => {
  solver = await openSolver({ ...files, workers: 1 });
});
after(() => solver.close());

copyFileSync(path.join(root, "site/src/rcmdp.d.ts"), path.join(files.folder, "rcmdp.d.ts"));

/** What tsc says about each of some programs that import the library. @param {string[]} sources @returns {string[]} */
function compile(...sources) {
  const names = sources.map((source, n) => {
    const name = `program${n}.ts`;
    writeFileSync(path.join(files.folder, name), source);
    return name;
  });
  const faults = compiler(names).split(/\n(?=\w)/).filter(Boolean);
  const of = names.map((name) => faults.filter((fault) => fault.startsWith(`${name}(`)).join("\n"));
  assert.equal(of.filter(Boolean).join("\n").length, faults.join("\n").length, `nothing else is at fault: ${faults.join("\n")}`);
  return of;
}

/** What tsc says. @param {string[]} names of programs */
function compiler(names) {
  try {
    execFileSync(path.join(root, "site/node_modules/.bin/tsc"), [
      "--ignoreConfig",
      "--noEmit",
      "--strict",
      "--exactOptionalPropertyTypes",
      "--noUncheckedIndexedAccess",
      "--target",
      "es2022",
      "--lib",
      "es2022,dom,dom.asynciterable",
      "--module",
      "esnext",
      "--moduleResolution",
      "bundler",
      "--types",
      "",
      ...names,
    ], { encoding: "utf8", cwd: files.folder });
    return "";
  } catch (error) {
    return String(/** @type {any} */ (error).stdout);
  }
}

test("a program that uses everything compiles", () => {
  assert.deepEqual(
    compile(
      `
    import { openSolver, RcmdpError } from './rcmdp.js';
    import type { Problem, Result, Run, Progress, SavedRun, ErrorCode } from './rcmdp.js';

    const problem: Problem = {
      format: 'rcmdp/1', states: ['good', 'broken'], actions: ['run', 'repair'], discount: 0.9, initial: [1, 0],
      objective: { name: 'money', values: [[0, 2], [5, null]], sense: 'minimize' },
      constraints: [{ name: 'downtime', values: [[0, 0], [1, null]], atMost: 2.5 }],
      uncertainty: { kind: 'finite', kernels: [{ name: 'P', transitions: { entries: [['good', 'run', 'broken', 0.1], [0, 0, 0, 0.9], [0, 1, 0, 1], [1, 0, 1, 1]] } }] },
    };
    async function main(): Promise<void> {
      const solver = await openSolver({ workers: 2, wasmURL: new URL('x.wasm', location.href), onProgress: (e) => { const n: number | null = e.total; void n; } });
      const go: string = solver.version.go;
      for (const a of await solver.algorithms()) for (const o of a.options) if (o.type === 'integer' && o.min !== undefined) void (o.min + 1);
      const made = await solver.example('x', { discount: 0.4 });
      const { ok, errors, warnings, summary } = await solver.validate(made);
      for (const { pointer, message, state, fix } of errors) void [pointer, message, state?.length, fix?.patch[0]?.value];
      if (summary) void summary.horizon?.toFixed(2);
      const e = await solver.evaluate(problem, [[1, 0], [0, 1]]);
      for (const r of e.returns) void [r.value + r.errorBound, r.worst.kernel?.name, r.worst.rows?.[0]?.worst[0]];
      const abort = new AbortController();
      const run: Run = solver.solve(problem, { algorithm: 'epirc-pgs', seed: 7n, initialPolicy: [[1, 0], [0, 1]], signal: abort.signal });
      for await (const p of run) {
        const q: Progress = p;
        if (q.best?.feasible && q.lowerBound !== null) void (q.lowerBound + 1);
      }
      run.stop();
      const result: Result = await run.result;
      const last: number | undefined = result.trace.objective.at(-1);
      if (result.status === 'proved-optimal' && result.objective.upperBound === null) void result.certificate;
      const table = await solver.compare([problem, JSON.stringify(problem)], ['slp', { algorithm: 'epirc-pgs' }], { seeds: [1, '2', 3n] }).result;
      for (const row of table.rows) void (row.result?.objective.value ?? row.error?.code);
      const report = await solver.check(problem, result.certificate, result.policy);
      void report.reasons.join();
      void (await solver.bound(problem, { timeLimit: 3 }).result).objective.gap;
      await solver.runs.put({ id: run.id, name: 'first', problem, options: { algorithm: 'slp' }, result, created: Date.now() });
      await solver.runs.put({ id: run.id, name: 'renamed' });
      const saved: SavedRun = await solver.runs.get(run.id);
      for (const r of await solver.runs.list()) if (r.resumable) void (await solver.runs.resume(r.id, { signal: abort.signal })).stop();
      const forget = solver.runs.onChange(() => {});
      forget();
      void [saved.result?.policy[0]?.[0], (await solver.runs.estimate()).notice, await solver.runs.importAll(await solver.runs.exportAll()), go, ok, warnings, last];
      solver.close();
    }
    main().catch((error: unknown) => {
      if (error instanceof RcmdpError) {
        const code: ErrorCode = error.code;
        if (code === 'invalid-problem') void error.errors[0]?.pointer;
        void error.details.join();
      }
    });
  `,
    ),
    [""],
  );
});

test("mistakes do not compile", () => {
  const mistakes = /** @type {[string, RegExp][]} */ ([
    ["openSolver({ threads: 2 });", /threads/],
    ["const s = await openSolver(); s.version = { rcmdp: '', go: '', commit: '' };", /read-only/],
    ["const s = await openSolver(); s.solve({ format: 'rcmdp/2' });", /rcmdp/],
    ["const s = await openSolver(); (await s.solve('{}').result).objective.lowerBound.toFixed(1);", /possibly 'null'/],
    ["const s = await openSolver(); for (const p of s.solve('{}')) void p;", /iterator/i],
    ["const s = await openSolver(); s.runs.put({ name: 'x' });", /id/],
    ["const s = await openSolver(); (await s.solve('{}').result).status === 'optimal';", /no overlap/],
  ]);
  const said = compile(...mistakes.map(([mistake]) => `import { openSolver } from './rcmdp.js';\nexport {};\n${mistake}`));
  for (const [n, [mistake, wanted]] of mistakes.entries()) assert.match(said[n], wanted, mistake);
});

/** The names that an interface of the type file declares. @param {string} name */
function declared(name) {
  const text = readFileSync(path.join(root, "site/src/rcmdp.d.ts"), "utf8").replace(/\/\*\*[^]*?\*\//g, "");
  const body = new RegExp(`export interface ${name}(?:<[^{]*>)?[^{]*\\{([^]*?)\\n\\}`).exec(text)?.[1] ?? assert.fail(`no interface ${name}`);
  return {
    all: [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(]/gm)].map((m) => m[1]),
    optional: [...body.matchAll(/^ {2}(\w+)\?[:(]/gm)].map((m) => m[1]),
  };
}

/** Every member is declared, and every declared member that is not optional is there. @param {string} name @param {object} value */
function hasShape(name, value) {
  const { all, optional } = declared(name);
  const keys = Object.keys(value);
  assert.deepEqual(keys.filter((k) => !all.includes(k)), [], `${name}: not in the type file`);
  assert.deepEqual(all.filter((k) => !keys.includes(k) && !optional.includes(k)), [], `${name}: missing`);
}

test("what the solver answers has the members that are written down, and no others", async () => {
  const problem = fixture("machine_repair");
  hasShape("Version", solver.version);
  hasShape("Summary", /** @type {object} */ ((await solver.validate(problem)).summary));
  hasShape("Validation", await solver.validate(problem));
  hasShape("Fault", (await solver.validate({ ...problem, discount: 1 })).errors[0]);
  hasShape("Algorithm", (await solver.algorithms())[0]);
  for (const a of await solver.algorithms()) for (const o of a.options) hasShape("Option", o);
  for (const e of await solver.examples()) hasShape("Example", e);
  for (const name of ["machine_repair", "machine_repair_l1", "machine_repair_kl"]) {
    const evaluation = await solver.evaluate(fixture(name), [[1, 0], [0.5, 0.5]]);
    hasShape("Evaluation", evaluation);
    for (const r of evaluation.returns) {
      hasShape("Return", r);
      hasShape("Worst", r.worst);
      for (const row of r.worst.rows ?? []) hasShape("WorstRow", row);
    }
  }
  for (const algorithm of ["solve", "slp", "epirc-pgs", "uniform", "lagrangian"]) {
    const run = solver.solve(problem, { algorithm, timeLimit: 1 });
    for await (const p of run) hasShape("Progress", p);
    const result = await run.result;
    hasShape("Result", result);
    hasShape("Objective", result.objective);
    for (const c of result.constraints) hasShape("Constraint", c);
    for (const w of result.worst) hasShape("Worst", w);
    hasShape("Trace", result.trace);
    if (result.certificate) hasShape("Report", await solver.check(problem, result.certificate, result.policy));
  }
  const comparison = solver.compare([problem], ["uniform"]);
  for await (const p of comparison) hasShape("ComparisonProgress", p);
  hasShape("ComparisonResult", await comparison.result);
  for (const row of (await comparison.result).rows) hasShape("ComparisonRow", row);
});

test("every method of the type file is there", async () => {
  for (
    const [name, object] of /** @type {[string, any][]} */ ([["Solver", solver], ["SavedRuns", solver.runs], [
      "Run",
      solver.solve(fixture("machine_repair"), { algorithm: "uniform" }),
    ]])
  ) {
    for (const member of declared(name).all) assert.ok(member in object, `${name}.${member}`);
  }
});
