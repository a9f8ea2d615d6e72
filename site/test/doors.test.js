// @ts-check
// Files as people hold them, through the library and through the command: each comes to what
// core/interchange/testdata/doors.json says of it, to which the solver's own readers and the page are held as well.

import { atStep, tableAt } from "../src/document/steps.js";
import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { parse } from "../package/command/arguments.js";
import { complain } from "../package/command/complain.js";
import { estimateOf, importFrom, sweep } from "../package/command/verbs.js";
import { openSolver } from "../src/engine.js";
import { build, root } from "./engine-build.js";

/**
 * @typedef {{
 *   files: string, choices?: Record<string, unknown>, value?: number, within?: number, plan?: number[], asks?: string, says?: string, refused?: string, unpacked?: boolean, log?: boolean,
 *   estimate?: Record<string, unknown>, reached?: boolean,
 * }} Door unpacked: what is refused as text is read where its reader is
 */
/** @type {Door[]} */
const doors = JSON.parse(fs.readFileSync(path.join(root, "core/interchange/testdata/doors.json"), "utf8"));
const pathOf = (/** @type {string} */ name) => path.join(root, "core/testdata/cases/doors", name);
const filesOf = (/** @type {Door} */ { files }) =>
  files.split(" ").map((name) => ({ name, data: /** @type {any} */ (new Uint8Array(fs.readFileSync(pathOf(name)))) }));

const built = build();
/** @type {import("../src/rcmdp.js").Solver} */
let solver;
before(async () => {
  solver = await openSolver({ ...built, workers: 1 });
});
after(() => solver.close());

/** What the file is worth, and that its plan is whole. @param {Door} door @param {any} problem */
async function judge(door, problem) {
  const result = await solver.solve(problem, { timeLimit: 20 }).result;
  const value = Number(result.objective.value);
  if (door.value !== undefined)
    assert.ok(
      Math.abs(value - door.value) < Math.max(door.within ?? 0, 1e-7 * Math.max(1, Math.abs(door.value))),
      `${door.files}: ${value}, want ${door.value}`,
    );
  if (door.plan) assert.deepEqual(tableAt(result.policy, 0).map((row) => 1 + row.indexOf(1)), door.plan);
  if (door.reached)
    assert.ok(
      tableAt(result.policy, 0).every((row) => !row.every((p) => p === row[0])) && atStep(result.reached, 0)?.includes(false),
      "the best action everywhere",
    );
  return value;
}

test("each file comes to what is said of it through the library", async () => {
  for (const door of doors) {
    const files = filesOf(door);
    if (door.refused && !door.unpacked) {
      await assert.rejects(
        solver.import(files),
        (error) => /** @type {any} */ (error).errors.length === 1 && /** @type {Error} */ (error).message.includes(String(door.refused)),
        door.files,
      );
      continue;
    }
    if (door.asks) {
      await assert.rejects(
        solver.import(files, { discount: 0.9 }),
        (error) =>
          /** @type {any} */ (error).code === "choice-needed" && /** @type {any} */
            (error).choices.some((/** @type {any} */ c) => c.name === door.asks && c.readings.length > 1),
        door.files,
      );
    }
    const found = await solver.import(files, door.choices);
    assert.equal(found.kind === "log", door.log === true, door.files);
    if (found.kind === "log") {
      if (!door.estimate) continue;
      const { problem } = await solver.estimate(await solver.table(files, {}), door.estimate);
      await judge(door, problem);
    } else {
      if (door.says) assert.ok(door.says.split("|").some((words) => found.report.join("\n").includes(words)), `${door.files}: ${found.report}`);
      await judge(door, found.problem);
    }
  }
});

/** Whose writing it is: the command's, and not the test runner's, which reports in this process meanwhile. @type {AsyncLocalStorage<true>} */
const ours = new AsyncLocalStorage();

/** What the command says, run here with this solver. @param {string[]} argv */
async function command(...argv) {
  let out = "", complaint = "";
  const { stdout, stderr } = process;
  const [write, error] = [stdout.write, stderr.write];
  /** @param {(text: string) => void} take @param {any} otherwise */
  const taken = (take, otherwise) => (/** @type {any[]} */ ...given) => (ours.getStore() ? (take(given[0]), true) : otherwise(...given));
  stdout.write = /** @type {any} */ (taken((text) => out += text, write.bind(stdout)));
  stderr.write = /** @type {any} */ (taken((text) => complaint += text, error.bind(stderr)));
  try {
    const call = parse(argv);
    const verb = { import: importFrom, estimate: estimateOf, sweep }[call.verb] ?? assert.fail(call.verb);
    const code = await ours.run(true, () => verb(call, async () => solver).catch(complain));
    return { code, out, complaint };
  } finally {
    stdout.write = write;
    stderr.write = error;
  }
}

/** @param {Record<string, unknown>} choices */
const said = (choices = {}) =>
  Object.entries(choices).flatMap(([name, value]) => ["--choice", `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`]);

test("each file comes to the same through the command", async () => {
  for (const door of doors) {
    const paths = door.files.split(" ").map(pathOf);
    if (door.asks) {
      const { code, complaint } = await command("import", ...paths, "--choice", "discount=0.9");
      assert.ok(code === 1 && complaint.includes(`--choice ${door.asks}=`), `${door.files}: ${complaint}`);
    }
    if (door.log) {
      const { code, complaint } = await command("import", ...paths);
      assert.ok(code === 1 && /this is a log.*rcmdp estimate/.test(complaint), `${door.files}: ${complaint}`);
      if (!door.estimate) continue;
      const options = Object.entries(door.estimate).flatMap(([name, value]) => [`--${name}`, String(value)]);
      const made = await command("estimate", ...paths, ...options);
      assert.equal(made.code, 0, made.complaint);
      await judge(door, JSON.parse(made.out));
      continue;
    }
    const { code, out, complaint } = await command("import", ...paths, ...said(door.choices));
    if (door.refused && !door.unpacked) {
      assert.ok(code === 1 && complaint.includes(door.refused) && complaint.trim().split("\n").length === 1, `${door.files}: ${complaint}`);
      continue;
    }
    assert.equal(code, 0, `${door.files}: ${complaint}`);
    await judge(door, JSON.parse(out).problem ?? JSON.parse(out));
  }
});

/** A case whose right value is known. @param {string} name @param {(doc: any) => void} [change] */
function modelCase(name, change) {
  const { document } = JSON.parse(fs.readFileSync(path.join(root, `core/testdata/cases/models/${name}.json`), "utf8"));
  change?.(document);
  return document;
}

test("sweeps over an episode, a number of decisions and a mean come to their values, or say in a sentence why not", async (t) => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "rcmdp-classes-"));
  t.after(() => fs.rmSync(home, { recursive: true, force: true }));
  const swept = async (/** @type {any} */ document, /** @type {string[]} */ ...flags) => {
    const file = path.join(home, "model.json");
    fs.writeFileSync(file, JSON.stringify(document));
    return command("sweep", file, "--quiet", ...flags);
  };
  const earning = modelCase("total-risk", (doc) => { // what is collected on the way is not limited by falling
    doc.objective.sense = "maximize";
    doc.uncertainty.kernels[0].transitions[0][0] = [1, 0, 0];
  });
  for (
    const [what, document, pointer, values, right] of /** @type {[string, any, string, string, number[]][]} */ ([
      ["an episode", modelCase("total-risk"), "/constraints/0/atMost", "0,0.1,0.3", [2, 5 / 3, 1]],
      ["an episode, discounted", modelCase("total-die"), "/discount", "0,1", [1, 11 / 3]],
      ["decisions", modelCase("horizon-puterman-inventory"), "/horizon", "3", [617 / 64]],
      ["a mean", modelCase("mean-limit"), "/constraints/0/atMost", "1,2", [1, 0.5]],
    ])
  ) {
    const { code, out, complaint } = await swept(document, "--pointer", pointer, "--values", values, "--json");
    assert.equal(code, 0, `${what}: ${complaint}`);
    const points = out.trim().split("\n").map((line) => JSON.parse(line));
    assert.equal(points.length, right.length, what);
    points.forEach(({ status, objective: { value, gap } }, i) =>
      assert.ok(
        /proved-optimal|bounded/.test(status) && gap < 0.01 * right[i] && Math.abs(value - right[i]) < 1e-6 * (1 + right[i]),
        `${what}: ${status} with ${value} within ${gap}, want ${right[i]}`,
      )
    );
  }
  for (
    const [what, document, flags, says] of /** @type {[string, any, string[], RegExp][]} */ ([
      ["no such number", modelCase("total-die"), ["/horizon", "3"], /nothing at \/horizon/],
      ["half a decision", modelCase("horizon-forest"), ["/horizon", "0.5"], /whole number/],
      [
        "nothing ends",
        modelCase("mean-limit", (doc) => Object.assign(doc, { end: undefined, discount: 0.5 })),
        ["/discount", "0.5,1"],
        /nothing is discounted.*horizon/,
      ],
      ["what is best nowhere", earning, ["/constraints/0/atMost", "1"], /0?1: unbounded: state "\w+" can collect for ever/],
      ["a method for others", modelCase("mean-limit"), ["/constraints/0/atMost", "1", "--algorithm", "rnpg"], /was not run: .* average over the models/],
    ])
  ) {
    const [pointer, values, ...more] = flags;
    const { out, complaint } = await swept(document, "--pointer", pointer, "--values", values, "--table", ...more);
    assert.match(out + complaint, says, what);
  }
});

test("a comparison of an episode, a number of decisions and a mean has a value or a sentence in every row", async () => {
  const problems = ["total-risk", "horizon-forest", "mean-limit", "models-mean-deterministic"].map((name) => modelCase(name));
  const methods = ["solve", "slp", "rnpg", "policy-iteration", "evaluate", "uniform"].map((algorithm) => ({ algorithm, timeLimit: 1 }));
  const { rows } = await solver.compare(problems, methods, { seeds: [1] }).result;
  assert.equal(rows.length, problems.length * methods.length);
  for (const { problem, algorithm, result, error } of rows) {
    const what = `${problem}, ${algorithm}`;
    assert.ok(result && !error, what);
    if (result.status === "failed")
      assert.ok(result.warnings.some((w) => /was not run: \w/.test(w)) && result.policy.length === 0, `${what}: ${result.warnings}`);
    else assert.ok(Number.isFinite(result.objective.value), what);
    assert.ok(algorithm !== "solve" || result.status === "proved-optimal", `${what}: ${result.status}`);
  }
});
