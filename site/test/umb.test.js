// @ts-check
// UMB, from its specification: files made by hand and packed by the system's own tar, broken ones, and the way there and back.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import zlib from "node:zlib";
import { openSolver } from "../src/engine.js";
import { textOfUmb, umbOfText } from "../src/engine/umb.js";
import { build, fixture } from "./engine-build.js";

const files = build();
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "rcmdp-umb-"));
/** @type {import("../src/rcmdp.js").Solver} */
let solver;
before(async () => {
  solver = await openSolver({ ...files, workers: 1 });
});
after(() => {
  solver.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** @typedef {Record<string, ArrayBufferView | string | object>} Files by path; an object is JSON */
let packed = 0;

/** A tar by the system's program. @param {Files} all @param {string} [how] of tar */
function tarOf(all, how = "czf") {
  const at = path.join(folder, String(packed++));
  for (const [name, content] of Object.entries(all)) {
    const file = path.join(at, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(
      file,
      ArrayBuffer.isView(content)
        ? new Uint8Array(content.buffer, content.byteOffset, content.byteLength)
        : typeof content === "string"
        ? content
        : JSON.stringify(content),
    );
  }
  execFileSync("tar", [`-${how}`, `${at}.umb`, "-C", at, ...Object.keys(all)]);
  return new Uint8Array(fs.readFileSync(`${at}.umb`));
}

const longs = (/** @type {number[]} */ ...all) => BigUint64Array.from(all, BigInt);
const doubles = (/** @type {number[]} */ ...all) => Float64Array.from(all);
const double = { type: "double", size: 64 };

/** The example of the specification: four states of two variables, five choices, a label and a reward. @returns {Files & { "index.json": any }} */
const example = () => ({
  "index.json": {
    "format-version": 1,
    "format-revision": 0,
    "model-data": {},
    "file-data": { tool: "PRISM", "tool-version": "4.10" },
    "transition-system": {
      time: "discrete",
      "#players": 1,
      "#states": 4,
      "#initial-states": 1,
      "#choices": 5,
      "#choice-actions": 2,
      "#branches": 8,
      "#branch-actions": 0,
      "#observations": 0,
      "branch-probability-type": double,
    },
    annotations: {
      aps: { g: { alias: "g", "applies-to": ["states"], type: { type: "bool", size: 1 } } },
      rewards: { r: { alias: "r", "applies-to": ["choices"], type: double } },
    },
    valuations: {
      states: {
        unique: true,
        classes: [{ variables: [{ name: "x", type: { type: "uint", size: 2 } }, { name: "b", type: { type: "bool", size: 1 } }, { padding: 5 }] }],
      },
    },
  },
  "state-to-choices.bin": longs(0, 2, 3, 4, 5),
  "choice-to-branches.bin": longs(0, 2, 4, 6, 7, 8),
  "branch-to-probability.bin": doubles(0.5, 0.5, 0.2, 0.8, 0.9, 0.1, 1, 1),
  "branch-to-target.bin": longs(1, 2, 2, 3, 0, 1, 2, 3),
  "state-is-initial.bin": longs(1),
  "actions/choices/string-mapping.bin": longs(0, 1, 2),
  "actions/choices/strings.bin": "ab",
  "actions/choices/values.bin": Uint32Array.of(0, 1, 0, 0, 0),
  "annotations/aps/g/states/values.bin": longs(8),
  "annotations/rewards/r/choices/values.bin": doubles(0, 1, 0, 0, 0),
  "valuations/states/valuations.bin": Uint8Array.of(0, 1, 2, 0b110),
});

/** @param {Uint8Array} bytes @param {Record<string, unknown>} [options] */
const read = (bytes, options = { discount: 0.9 }) => solver.inspect({ name: "model.umb", data: /** @type {any} */ (bytes) }, options);

/** Rows of P by state and action; null where an action is not there. @param {any} problem @returns {any[][]} */
function rowsOf(problem, of = problem.uncertainty.kernels?.[0].transitions ?? problem.uncertainty.upper) {
  if (!of.entries) return of;
  /** @type {(number[] | null)[][]} */
  const rows = problem.states.map(() => problem.actions.map(() => null));
  const at = (/** @type {string[]} */ names, /** @type {string | number} */ x) => (typeof x === "number" ? x : names.indexOf(x));
  for (const [s, a, t, p] of of.entries) {
    const row = rows[at(problem.states, s)][at(problem.actions, a)] ??= problem.states.map(() => 0);
    row[at(problem.states, t)] = p;
  }
  return rows;
}

test("the specification's example is read, under gzip and plain, by any path to its files", async () => {
  for (const how of ["czf", "cf"]) {
    const { problem, title, errors } = await read(tarOf(example(), how), { discount: 0.9, objective: "r", sense: "maximize" });
    assert.deepEqual(errors, []);
    assert.equal(title, "UMB");
    assert.deepEqual(problem?.states, ["x=0,b=false", "x=1,b=false", "x=2,b=false", "x=2,b=true"]);
    assert.deepEqual(problem?.actions, ["a", "b"]);
    assert.deepEqual(problem?.initial, [1, 0, 0, 0]);
    assert.deepEqual(rowsOf(problem)[0], [[0, 0.5, 0.5, 0], [0, 0, 0.2, 0.8]]);
    assert.deepEqual(rowsOf(problem)[1], [[0.9, 0.1, 0, 0], null]);
    assert.deepEqual(problem?.objective.values?.[0], [0, 1]);
  }
  const dotted = Object.fromEntries(Object.entries(example()).map(([name, content]) => [`./${name}`, content]));
  assert.deepEqual((await read(tarOf(dotted))).errors, []);
});

test("intervals, fractions, several rewards, repeated targets, chains", async () => {
  const interval = example();
  interval["index.json"]["transition-system"]["branch-probability-type"] = { type: "double-interval" };
  interval["branch-to-probability.bin"] = doubles(0.4, 0.6, 0.4, 0.6, 0.1, 0.3, 0.7, 0.9, 0.9, 0.9, 0.1, 0.1, 1, 1, 1, 1);
  const robust = (await read(tarOf(interval), { discount: 0.9, objective: "r" })).problem;
  assert.equal(robust?.uncertainty.kind, "interval");
  assert.deepEqual(rowsOf(robust)[0][1], [0, 0, 0.3, 0.9]);

  const whole = example();
  whole["index.json"]["transition-system"]["branch-probability-type"] = { type: "rational" };
  whole["branch-to-probability.bin"] = longs(...[[1, 2], [1, 2], [1, 5], [4, 5], [9, 10], [1, 10], [1, 1], [1, 1]].flat());
  whole["branch-to-target.bin"] = longs(1, 2, 3, 3, 0, 1, 2, 3); // twice to one state
  whole["index.json"].annotations.rewards = {
    r: { "applies-to": ["branches", "states"], type: double },
    fuel: { alias: "fuel used", "applies-to": ["choices"], type: double },
  };
  whole["annotations/rewards/r/states/values.bin"] = doubles(1, 0, 0, 0);
  whole["annotations/rewards/r/branches/values.bin"] = doubles(0, 0, 10, 20, 0, 0, 0, 0);
  whole["annotations/rewards/fuel/choices/values.bin"] = doubles(0, 0, 3, 0, 0);
  const { problem, errors } = await read(tarOf(whole), { discount: 0.9, objective: "r", limits: { "fuel_used": { atMost: 1 } } });
  assert.deepEqual(errors, []);
  assert.deepEqual(rowsOf(problem)[0][1], [0, 0, 0, 1]);
  const value = /** @type {any} */ (problem)?.objective.values;
  assert.ok(Math.abs(value[0][1] - (1 + 0.2 * 10 + 0.8 * 20)) < 1e-12, JSON.stringify(problem?.objective));
  assert.equal(/** @type {any} */ (problem)?.constraints[0].values[1][0], 3);

  const chain = { time: "discrete", "#players": 0, "#states": 2, "#choices": 2, "#branches": 3, "branch-probability-type": double };
  const dtmc = (/** @type {any} */ more = {}, /** @type {Files} */ also = {}) =>
    tarOf({
      "index.json": { "format-version": 1, "format-revision": 0, "transition-system": { ...chain, ...more } },
      "choice-to-branches.bin": longs(0, 2, 3),
      "branch-to-target.bin": longs(0, 1, 0),
      "branch-to-probability.bin": doubles(0.25, 0.75, 1),
      ...also,
    });
  assert.deepEqual(rowsOf((await read(dtmc())).problem), [[[0.25, 0.75]], [[1, 0]]]);
  const rates = dtmc({ time: "stochastic", "exit-rate-type": double }, { "state-to-exit-rate.bin": doubles(4, 2) });
  assert.match((await read(rates)).errors[0].message, /continuous-time chain/);
  const steps = rowsOf((await read(rates, { discount: 0.9, rates: "uniformise" })).problem); // leaving at rates 3 and 2
  assert.ok(Math.abs(steps[0][0][1] - 1) < 1e-12 && Math.abs(steps[1][0][0] - 2 / 3) < 1e-12, JSON.stringify(steps));
  const seen = await read(dtmc({ "#observations": 1, "observations-apply-to": "states" }));
  assert.match(seen.warnings.join(" "), /partially observed/);
});

test("a file that is broken, or of another kind, is one sentence that names the place", async () => {
  /** @type {[RegExp, (e: ReturnType<typeof example>) => void][]} */
  const broken = [
    [/state-to-choices\.bin has 32 bytes; want 40/, (e) => e["state-to-choices.bin"] = longs(0, 2, 3, 4)],
    [/state-to-choices\.bin does not rise/, (e) => e["state-to-choices.bin"] = longs(0, 3, 2, 4, 5)],
    [/ends at 6; the index says 5/, (e) => e["state-to-choices.bin"] = longs(0, 2, 3, 4, 6)],
    [/choice-to-branches\.bin is missing/, (e) => delete e["choice-to-branches.bin"]],
    [/branch 0 leads to state 9; there are 4/, (e) => e["branch-to-target.bin"] = longs(9, 2, 2, 3, 0, 1, 2, 3)],
    [/branch-to-target\.bin holds .*no index/, (e) => e["branch-to-target.bin"] = BigUint64Array.of(2n ** 63n, 2n, 2n, 3n, 0n, 1n, 2n, 3n)],
    [/branch-to-probability\.bin is missing/, (e) => delete e["branch-to-probability.bin"]],
    [/no probabilities/, (e) => delete e["index.json"]["transition-system"]["branch-probability-type"]],
    [/is of type string/, (e) => e["index.json"]["transition-system"]["branch-probability-type"] = { type: "string" }],
    [/64 bits, which there is not/, (e) => e["index.json"]["transition-system"]["branch-probability-type"] = { type: "rational", size: 64 }],
    [/game of several players/, (e) => e["index.json"]["transition-system"]["#players"] = 2],
    [/urgent-stochastic time/, (e) => e["index.json"]["transition-system"].time = "urgent-stochastic"],
    [/version 2 of the format/, (e) => e["index.json"]["format-version"] = 2],
    [/#states: -1/, (e) => e["index.json"]["transition-system"]["#states"] = -1],
    [/states, which is too much/, (e) => e["index.json"]["transition-system"]["#states"] = 2 ** 40],
    [/no transition-system/, (e) => delete e["index.json"]["transition-system"]],
    [/index\.json is no JSON/, (e) => /** @type {any} */ (e)["index.json"] = "{"],
    [/without index\.json/, (e) => delete /** @type {any} */ (e)["index.json"]],
    [/drawn at random/, (e) => e["annotations/rewards/r/choices/distribution-mapping.bin"] = longs(0, 1, 2, 3, 4, 5)],
    [/interval, which is not read/, (e) => e["index.json"].annotations.rewards.r.type = { type: "double-interval" }],
    [/has action 7; there are 2/, (e) => e["actions/choices/values.bin"] = Uint32Array.of(0, 7, 0, 0, 0)],
    [/valuations\.bin is not as long/, (e) => e["valuations/states/valuations.bin"] = Uint8Array.of(0)],
    [/fraction over 0/, (e) => {
      e["index.json"]["transition-system"]["branch-probability-type"] = { type: "rational" };
      e["branch-to-probability.bin"] = longs(...Array(16).fill(0));
    }],
  ];
  for (const [words, change] of broken) {
    const e = example();
    change(e);
    await assert.rejects(
      read(tarOf(e)),
      (error) => words.test(/** @type {Error} */ (error).message) && !/undefined|NaN|\bat \w+\.js/.test(/** @type {Error} */ (error).message),
      String(words),
    );
  }
  const good = tarOf(example());
  await assert.rejects(read(good.slice(0, 300)), /gzip is broken, or cut short/);
  await assert.rejects(read(new Uint8Array(zlib.gunzipSync(good)).slice(0, 700)), /it is cut short/);
  await assert.rejects(read(Uint8Array.of(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0)), /packed with xz/);
  assert.ok(
    (await read(tarOf({ ...example(), "branch-to-probability.bin": doubles(0.5, 0.6, 0.2, 0.8, 0.9, 0.1, 1, 1) }))).errors[0].message.includes("sum to 1.1"),
  );
});

test("bytes that are changed at random are read or refused in words", async () => {
  const plain = tarOf(example(), "cf");
  let seed = 1;
  const random = (/** @type {number} */ n) => (seed = (seed * 48271) % 2147483647) % n;
  for (let i = 0; i < 400; i++) {
    const bytes = plain.slice();
    for (let k = 0; k <= i % 3; k++) bytes[random(bytes.length)] = random(256);
    await textOfUmb(bytes).catch((error) => assert.ok(error.constructor === Error && /^\S.*[a-z]/.test(error.message), `${error.stack}`));
  }
});

test("a model goes out and comes back as it was, and what cannot be carried is refused", async () => {
  let taken = 0;
  for (const name of ["a_seed0", "c_seed0", "craam_mdp", "gridworld", "interval"]) {
    const there = fs.existsSync(path.join(import.meta.dirname, "../../core/testdata/fixtures/problems", `${name}.json`)) ? fixture(name) : null;
    if (!there) continue;
    const problem = there.uncertainty.kernels ? { ...there, uncertainty: { kind: "finite", kernels: [there.uncertainty.kernels[0]] } } : there;
    const file = await solver.exported(problem, "umb", { lossy: true });
    assert.ok(file.bytes && file.extension === "umb");
    await assert.rejects(solver.export(problem, "umb", { lossy: true }), /no text/);
    const back = /** @type {any} */ (await solver.import({ name: "x.umb", data: file.bytes }, {
      limits: Object.fromEntries((problem.constraints ?? []).map((/** @type {any} */ c) => [c.name, { atMost: c.atMost ?? 0 }])),
    }));
    const [one, other] = await Promise.all(
      [problem, back.problem].map((p) => solver.evaluate({ ...p, constraints: [] }, p.states.map(() => p.actions.map(() => 1 / p.actions.length)))),
    );
    assert.ok(Math.abs(Number(one.returns[0].value) - Number(other.returns[0].value)) < 1e-9 * Math.max(1, Math.abs(Number(one.returns[0].value))), name);
    assert.deepEqual(back.problem.states, problem.states);
    assert.equal(back.problem.discount, problem.discount);
    taken++;
  }
  assert.ok(taken >= 2);
  // What stands in the file is read by the system's tar too.
  const { bytes } = await solver.exported(
    { ...fixture("a_seed0"), uncertainty: { kind: "finite", kernels: [fixture("a_seed0").uncertainty.kernels[0]] } },
    "umb",
    { lossy: true },
  );
  fs.writeFileSync(path.join(folder, "out.umb"), bytes ?? "");
  const list = execFileSync("tar", ["tzf", path.join(folder, "out.umb")], { encoding: "utf8" }).split("\n");
  assert.equal(list[0], "index.json");
  assert.ok(list.includes("branch-to-target.bin") && list.includes("actions/choices/strings.bin"));
  await assert.rejects(solver.exported(fixture("a_seed0"), "umb"), /UMB cannot carry/);
  assert.ok((await umbOfText("# UMB\n# Transitions (MDP)\n1 1 1\n0 0 0 1 a\n\n# Labels\n0=\"init\" 1=\"deadlock\"\n0: 0\n")).length > 100);
});
