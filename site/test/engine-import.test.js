// @ts-check
// engine-import.test.js — models of other tools through the library in Node: every file of the
// cases imports to its published value, faults say where, choices answer, exports come back.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { openSolver, RcmdpError } from "../src/engine.js";
import { build, fixture, root } from "./engine-build.js";
import { workbook } from "./workbook.js";

const files = build();
/** @type {import('../src/rcmdp.js').Solver} */
let solver;
before(async () => {
  solver = await openSolver({ ...files, workers: 1 });
});
after(() => solver.close());

/** @param {string} name */
const caseFile = (name) => ({ name: path.basename(name), text: readFileSync(path.join(root, "core/testdata/cases", name), "utf8") });

/** @param {import('../src/rcmdp.js').Problem} problem */
const optimum = async (problem) => (await solver.solve(problem, { timeLimit: 20 }).result).objective.value;

/** @param {number | null} got @param {number} want @param {number} within */
function near(got, want, within) {
  assert.ok(got !== null && Math.abs(got - want) <= within, `got ${got}, want ${want} within ${within}`);
}

/** What a model's files are read as. @param {Parameters<typeof solver.import>} args */
async function imported(...args) {
  const found = await solver.import(...args);
  if (found.kind === "log") assert.fail("a log");
  return found;
}

/** @param {Promise<unknown>} promise @returns {Promise<RcmdpError>} */
async function rejection(promise) {
  try {
    await promise;
  } catch (error) {
    assert.ok(error instanceof RcmdpError, String(error));
    return error;
  }
  return assert.fail("was not rejected");
}

describe("files of other tools", () => {
  test("River Swim has the published values, nominal and robust", async () => {
    const file = caseFile("craam/riverswim_mdp.csv");
    near(await optimum((await imported(file, { discount: 0.99 })).problem), 56687.65, 0.005);
    near(await optimum((await imported(file, { discount: 0.99, uncertainty: "l1", radius: 0.2 })).problem), 7660.1, 0.005);
    near(await optimum((await imported(file, { discount: 0.99, uncertainty: "l1", radius: 0.2, support: "all" })).problem), 3609.51, 0.005);
  });

  test("machine replacement, FrozenLake and CliffWalking have the published values", async () => {
    near(await optimum((await imported(caseFile("craam/machine_replacement_mdp.csv"), { discount: 0.9 })).problem), -5.3383, 5e-5);
    near(await optimum((await imported(caseFile("gym/FrozenLake-v1-4x4-slippery-P.json"), { discount: 0.9 })).problem), 0.0688909, 5e-8);
    near(
      await optimum((await imported(caseFile("gym/CliffWalking-v1-P.json"), { discount: 0.9, initial: "36" })).problem),
      -7.458134,
      5e-7,
    );
  });

  test("transitions and labels in two files make one interval model", async () => {
    const files = ["intervalmdp/multiObj_robotIMDP.lab", "intervalmdp/multiObj_robotIMDP.tra"].map(caseFile);
    const { problem, format, choices } = await imported(files);
    assert.equal(format, "prism");
    assert.equal(problem.states.length, 207);
    assert.equal(problem.uncertainty.kind, "interval");
    assert.equal(choices.find((c) => c.name === "goal")?.value, "reach");
    near(await optimum(problem), 0.8946629825788603, 1e-9); // by iterating values without a discount
    near(await optimum((await imported(files, { discount: 0.99 })).problem), 0.5526722, 5e-8);
  });

  test("bytes and blobs are files too", async () => {
    const { text } = caseFile("craam/simple_mdp.csv");
    const bytes = new TextEncoder().encode(text);
    const first = await imported(bytes, { discount: 0.9 });
    assert.deepEqual((await imported(new Blob([text]), { discount: 0.9 })).problem, first.problem);
    assert.deepEqual((await imported(text, { discount: 0.9 })).problem, first.problem);
    assert.equal(bytes.length, text.length, "the caller's bytes are still there");
  });
});

describe("what is wrong", () => {
  test("faults say line and column, state and action, and the way out", async () => {
    const error = await rejection(solver.import("idstatefrom,idaction,idstateto,probability,reward\n0,0,0,0.5,1\n0,0,1,0.4999,1\n"));
    assert.equal(error.code, "invalid-problem");
    const [fault] = /** @type {import('../src/rcmdp.js').ImportFault[]} */ (error.errors);
    assert.equal(fault?.line, 2);
    assert.equal(fault?.state, "0");
    assert.deepEqual(fault?.choice && { name: fault.choice.name, value: fault.choice.value }, { name: "rows", value: "renormalise" });
  });

  test("text that is no model, too much of it, or no text at all is refused", async () => {
    assert.match((await rejection(solver.import("good morning"))).message, /none of the formats/);
    assert.match((await rejection(solver.import(new Uint8Array(51 * 2 ** 20)))).message, /50 MB/);
    assert.match((await rejection(solver.import(new Uint8Array([0x50, 0x4b, 3, 4, 0, 0])))).message, /zip/);
    assert.equal((await rejection(solver.import(/** @type {any} */ (42)))).code, "invalid-option");
    assert.equal((await rejection(solver.import([]))).code, "invalid-option");
    assert.match((await rejection(solver.import("1,2,3\n1,2,3", { colour: "red" }))).message, /no choice/);
  });

  test("what is open is asked by name, with what each answer means, and never guessed", async () => {
    const arrays = "{\"P\":[[[0.5,0.5],[0.8,0.2]],[[0,1],[0.1,0.9]]],\"R\":[[5,10],[-1,2]],\"gamma\":0.9}";
    const error = await rejection(solver.import(arrays));
    assert.equal(error.code, "choice-needed");
    assert.deepEqual(error.choices.map((c) => c.name), ["axes"]);
    assert.deepEqual(error.choices[0].options?.map((o) => o.value), ["ASS", "SAS"]);
    assert.match(error.message, /axes: .*in state "0", action "1" gives 10/);
    near(await optimum((await imported(arrays, { axes: "ASS" })).problem), 42.4418605, 1e-6);
    assert.match((await imported(arrays, { axes: "ASS" })).problem.source ?? "", /axes ASS/);
    const table = await rejection(solver.import("state,action,next,probability,duration,reward\n1,go,2,1,3,8\n2,go,1,1,2,4\n"));
    assert.deepEqual(table.choices.map((c) => c.name).sort(), ["discount", "objective"]);
  });

  test("a log is said to be one, with what its columns are, and a model is estimated of it", async () => {
    const log = "obs,action,reward,next_obs,terminated\n0,1,-1,1,False\n1,1,10,2,True\n0,1,-1,1,False\n1,1,10,2,True\n";
    const found = await solver.import(log);
    assert.equal(found.kind, "log");
    assert.deepEqual(/** @type {any} */ (found).columns, { state: "obs", action: "action", next: "next_obs", done: ["terminated"], reward: ["reward"] });
    const { problem, summary } = await solver.estimate(await solver.table(log), { kind: "nominal", discount: 0.9 });
    near(await optimum(problem), 8, 1e-9);
    assert.equal(summary.episodes, 2);
    const euro = "state,action,next,euro,hours\na,go,b,1,2\na,go,a,1,1\nb,go,a,1,1\n";
    const either = await rejection(solver.table(euro));
    assert.equal(either.code, "choice-needed", "whole numbers may be counts");
    assert.doesNotMatch(either.message, /wide/);
    assert.equal((await rejection(solver.estimate(await solver.table(euro, { layout: "log" })))).code, "choice-needed");
    const thousands = { name: "teuer.csv", text: "id;woche;zustand;aktion;kosten;danach\n1;1;a;x;1.250;b\n1;2;b;x;12.500;a\n" };
    assert.match((await rejection(solver.table(thousands))).message, /12\.5 where the decimal mark is a point, and 12500/);
    const made = await solver.estimate(await solver.table(thousands, { decimal: "," }), { kind: "nominal", discount: 0.9 });
    assert.deepEqual(made.problem.objective.values, [[1250], [12500]]);
    assert.match(String(made.problem.source), /; of teuer\.csv; decimal ,$/, "what was said stays with the model");
  });

  test("inspect answers where import rejects", async () => {
    const found = await solver.inspect("{\"P\": [[[1]]], \"R\": [[1]], \"discount\": 1}");
    assert.equal(found.problem, null);
    assert.equal(found.format, "arrays");
    assert.match(found.errors[0]?.message ?? "", /discount 1/);
    assert.ok(found.choices.some((c) => c.name === "discount"));
  });
});

describe("workbooks and YAML", () => {
  const machine = [["state", "action", "next", "p", "cost"], ["good", "run", "good", 0.9, 1], ["good", "run", "bad", 0.1, 1], ["bad", "fix", "good", 1, 4]];

  test("a workbook's sheet is read, and asked for where several hold something", async () => {
    const { problem } = await imported({ name: "book.xlsx", data: workbook({ Tabelle1: machine }) }, { discount: 0.9 });
    assert.deepEqual(problem.states, ["good", "bad"]);
    near(await optimum(problem), (1 + 0.9 * 0.1 * 4) / (1 - 0.9 * 0.9 - 0.81 * 0.1), 1e-9);
    const two = { name: "book.xlsx", data: workbook({ notes: [["hello"]], model: machine }) };
    const error = await rejection(solver.import(two, { discount: 0.9 }));
    assert.deepEqual([error.code, error.choices.map((c) => c.name)], ["choice-needed", ["sheet"]], "though the first sheet is no model");
    const found = await solver.inspect(two, { discount: 0.9 });
    assert.deepEqual(found.choices[0].options?.map((o) => o.value), ["notes", "model"]);
    assert.deepEqual((await imported(two, { discount: 0.9, sheet: "model" })).problem.states, ["good", "bad"]);
    const models = { name: "", data: workbook({ a: machine, b: machine }) };
    assert.equal((await rejection(solver.import(models, { discount: 0.9 }))).code, "choice-needed");
    assert.match((await rejection(solver.import({ name: "x.xlsx", data: new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]) }))).message, /x\.xlsx cannot be read/);
  });

  test("YAML is read as JSON of the same form", async () => {
    const { problem } = await imported({ ...caseFile("doors/b7n.yaml") });
    assert.deepEqual([problem.states, problem.actions, problem.discount], [["good", "bad"], ["run", "fix"], 0.95]);
    assert.match((await rejection(solver.import({ name: "x.yaml", text: "a: [1" }))).message, /x\.yaml cannot be read/);
  });
});

describe("tables and exports", () => {
  test("a table of counts becomes one transition a row", async () => {
    const table = await solver.table("state;action;good;bad\ngood;run;8;2\nbad;fix;1;0,5\n");
    assert.deepEqual(table.columns, ["state", "action", "next", "count"]);
    assert.deepEqual(table.rows[0], ["good", "run", "good", 8]);
    assert.equal(table.rows.length, 4);
  });

  test("an export comes back as the same problem", async () => {
    const problem = /** @type {import('../src/rcmdp.js').Problem} */ (fixture("inventory"));
    const formats = await solver.formats();
    let carried = 0;
    for (const { id, writes } of formats) {
      if (!writes) continue;
      try {
        const text = await solver.export(problem, id);
        const back = await imported(text, { discount: problem.discount });
        assert.equal(back.format, id);
        assert.equal(back.problem.states.length, problem.states.length);
        carried++;
      } catch (error) {
        assert.equal(/** @type {RcmdpError} */ (error).code, "unsupported");
        assert.match(/** @type {RcmdpError} */ (error).message, /cannot carry/);
      }
    }
    assert.ok(carried >= 1, `${carried} formats carried it`);
    assert.equal((await rejection(solver.export(problem, "x"))).code, "unsupported");
  });
});
