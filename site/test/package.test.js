// @ts-check
// What npm installs from dist/: the library, its types and the command, used from a folder of a
// stranger's. The commands of the package's README are run as they stand there.

import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { text as textOf } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import * as esbuild from "esbuild";
import { aligned } from "../package/command/output.js";
import { fixture, root } from "./engine-build.js";

const dist = path.join(root, "dist");
/** A stranger's project. */
const home = fs.mkdtempSync(path.join(os.tmpdir(), "rcmdp-package-"));
after(() => {
  solver?.close();
  fs.rmSync(home, { recursive: true, force: true });
});

/** @type {typeof import('../src/rcmdp.js')} */
let library;
/** Open to the end: what it has compiled, the command's threads find. @type {import('../src/rcmdp.js').Solver} */
let solver;

/**
 * Few solves here are long enough to be worth optimized code, which costs as much again as the rest of a command.
 */
const quick = "--liftoff-only";
const command = path.join(home, "node_modules/.bin/rcmdp");
/** Where `npx` is what it comes to in an installed project: npm itself takes as long to start as the command to solve. */
const shell = { cwd: home, env: { ...process.env, PATH: `${home}/bin${path.delimiter}${process.env.PATH}` } };

before(async () => {
  fs.mkdirSync(path.join(home, "bin"));
  const npx = `#!/bin/sh\nname=$1\nshift\nexec "${process.execPath}" ${quick} "node_modules/.bin/$name" "$@"\n`;
  fs.writeFileSync(path.join(home, "bin/npx"), npx, { mode: 0o755 });
  fs.writeFileSync(path.join(home, "package.json"), "{\"name\":\"stranger\",\"type\":\"module\",\"private\":true}");
  // Packed and taken out again, as from a registry.
  execFileSync("npm", ["install", "--install-links", "--offline", "--no-audit", "--no-fund", "--loglevel=error", dist], { cwd: home });
  library = await import(pathToFileURL(path.join(home, "node_modules/rcmdp/rcmdp.js")).href);
  solver = await library.openSolver({ workers: 1 });
  process.chdir(home); // where threads look for files
});

const machine = JSON.parse(
  /data-run="problem">([^<]+)</.exec(fs.readFileSync(path.join(root, "site/guide/format.html"), "utf8"))?.[1] ?? assert.fail("the guide has no document"),
);
const impossible = { ...machine, constraints: [{ ...machine.constraints[0], atMost: -1 }] };
/** @param {string} name @param {unknown} value */
const put = (name, value) => {
  fs.writeFileSync(path.join(home, name), typeof value === "string" ? value : JSON.stringify(value));
  return name;
};

/**
 * The installed command, in a thread of this process with arguments, output and exit code of its own: a process costs twice as
 * much. It is one where it reads its standard input, and where it solves for seconds, which is worth optimized code.
 * @param {string[]} args @param {{ input?: string, long?: boolean }} [options] @returns {Promise<{ status: number | null, stdout: string, stderr: string }>}
 */
async function rcmdp(args, { input = "", long = false } = {}) {
  if (input || long) return spawnSync(process.execPath, [...(long ? [] : [quick]), command, ...args], { cwd: home, input, encoding: "utf8" });
  const thread = new Worker(command, { argv: args, execArgv: [], stdout: true, stderr: true });
  const [[status], stdout, stderr] = await Promise.all([once(thread, "exit"), textOf(thread.stdout), textOf(thread.stderr)]);
  return { status, stdout, stderr };
}

/** The shell blocks of the package's README that hold a word. @param {string} word */
function block(word) {
  const found = [...fs.readFileSync(path.join(root, "site/package/README.md"), "utf8").matchAll(/```(?:sh|js)\n([^]*?)```/g)].map(([, text]) => text)
    .filter((text) => text.includes(word));
  assert.equal(found.length, 1, `one block with ${word}`);
  return found[0];
}

test("the package holds the library, its types and the command, and nothing else", () => {
  const ahead = fs.readdirSync(path.join(home, "node_modules/rcmdp")).filter((name) => !/^rcmdp-/.test(name)); // and what the wasm says lies beside it
  assert.deepEqual(ahead.toSorted(), [
    "LICENSE",
    "README.md",
    "command.js",
    "folder.js",
    "package.json",
    "rcmdp.d.ts",
    "rcmdp.js",
    "rcmdp.wasm",
    "sheets.js",
    "umb.js",
    "worker.js",
    "yaml.js",
  ]);
  assert.equal(JSON.parse(fs.readFileSync(path.join(dist, "package.json"), "utf8")).dependencies, undefined);
  assert.match(execFileSync("npx", ["rcmdp", "help"], { cwd: home, encoding: "utf8" }), /rcmdp solve/, "npx itself finds the command");
});

test("the README's program prints a proved result", () => {
  put("program.js", block("console.log(result.status"));
  const out = execFileSync("node", [quick, "program.js"], { cwd: home, encoding: "utf8" });
  assert.match(out, /^(proved-optimal|bounded) \d+\.\d+ \d+/);
});

test("every program, command and document of the guide runs as it stands there", async () => {
  put("machine.json", machine);
  put("jobs.ndjson", `${JSON.stringify({ id: "a1", problem: "machine.json" })}\n${JSON.stringify({ id: "a2", problem: impossible })}\n`);
  let ran = 0;
  for (const page of fs.readdirSync(path.join(root, "site/guide")).filter((name) => name.endsWith(".html")).sort()) {
    const text = fs.readFileSync(path.join(root, "site/guide", page), "utf8");
    for (const [, kind, escaped] of text.matchAll(/<code[^>]*data-run="(\w+)"[^>]*>([^]*?)<\/code>/g)) {
      const code = escaped.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
      const where = `${page}: ${code}`;
      ran++;
      if (kind === "module") execFileSync("node", [quick, "--input-type=module", "-e", code], { cwd: home, encoding: "utf8" });
      else if (kind === "shell") execFileSync("bash", ["-e", "-c", code], { ...shell, stdio: "pipe" });
      else if (kind === "problem") assert.deepEqual((await solver.validate(code)).errors, [], where);
      else if (kind === "policy") assert.ok((await solver.evaluate(machine, JSON.parse(code))).returns.length > 0, where);
      else if (kind === "transitions") assert.ok(Array.isArray(JSON.parse(code).entries), where);
      else ran--; // "html" is opened in a browser
    }
  }
  assert.ok(ran >= 7, `${ran} blocks`);
});

test("a bundler for browsers takes the library without being told anything", async () => {
  put("page.js", block("console.log(result.status"));
  const result = await esbuild.build({
    absWorkingDir: home,
    entryPoints: ["page.js"],
    bundle: true,
    write: false,
    format: "esm",
    platform: "browser",
    logLevel: "silent",
  });
  assert.deepEqual(result.warnings, []);
  assert.ok(result.outputFiles[0].text.includes("openSolver") || result.outputFiles[0].text.length > 1000);
});

test("types: a program of the package's names checks against rcmdp.d.ts", () => {
  put(
    "typed.ts",
    `import { openSolver, type Result } from "rcmdp";
const solver = await openSolver({ workers: 1, runsFolder: "runs" });
const result: Result = await solver.solve(await solver.example("machine-repair")).result;
const bound: number | null = result.objective.lowerBound;
export { bound };`,
  );
  const tsc = path.join(root, "site/node_modules/.bin/tsc");
  const flags = ["--noEmit", "--strict", "--skipLibCheck", "false", "--target", "es2022", "--module", "nodenext", "--lib", "es2024,dom"];
  const { status, stdout } = spawnSync(tsc, [...flags, "typed.ts"], { cwd: home, encoding: "utf8" });
  assert.equal(status, 0, stdout);
});

describe("the exit code", () => {
  test("0 for a proof, with the result as a line of JSON in a pipe", async () => {
    const { status, stdout } = await rcmdp(["solve", put("machine.json", machine)]);
    assert.equal(status, 0);
    const result = JSON.parse(stdout);
    assert.equal(result.status, "proved-optimal");
    assert.equal(result.file, "machine.json");
    put("result.json", stdout);
  });

  test("0 when the checker accepts the result, 1 when it was altered", async () => {
    assert.equal((await rcmdp(["check", "machine.json", "--certificate", "result.json"])).status, 0);
    const result = JSON.parse(fs.readFileSync(path.join(home, "result.json"), "utf8"));
    result.certificate.target = result.certificate.target + 1;
    const { status, stdout } = await rcmdp(["check", "machine.json", "--certificate", put("altered.json", result)]);
    assert.equal(status, 1);
    assert.equal(JSON.parse(stdout).ok, false);
  });

  test("1 for a fault of the document, of an option, of a file and of a verb, each told in a sentence", async () => {
    put("broken.json", { ...machine, discount: 1.5 });
    for (
      const [args, said] of /** @type {[string[], RegExp][]} */ ([
        [["solve", "broken.json"], /^rcmdp: broken\.json: \/discount: found 1\.5; [^\n]*\n$/],
        [["solve", "machine.json", "--gap", "7"], /^rcmdp: --gap: got 7; [^\n]*\n$/],
        [["solve", "machine.json", "--gapp", "0.1"], /gapp/],
        [["solve", "nowhere.json"], /there is no such file/],
        [["slove", "machine.json"], /not a verb/],
        [["evaluate", "machine.json", "--policy", put("short.json", [[1, 0]])], /^rcmdp: short\.json: found 1 row; want 3/],
        [["batch", "--shard", "5/4", "machine.json"], /--shard/],
      ])
    ) {
      const { status, stderr, stdout } = await rcmdp(args);
      assert.equal(status, 1, args.join(" "));
      assert.match(stderr, said);
      assert.equal(stdout, "");
    }
  });

  test("2 when it is proved that no policy meets the limits", async () => {
    const { status, stdout } = await rcmdp(["solve", put("impossible.json", impossible)]);
    assert.equal(status, 2);
    assert.equal(JSON.parse(stdout).status, "proved-infeasible");
  });

  test("3 when the gap stays open", async () => {
    const { status, stdout } = await rcmdp(["solve", put("random.json", fixture("a_seed0")), "--algorithm", "slp", "--starts", "1"]);
    assert.equal(status, 3);
    assert.ok(["feasible", "bounded"].includes(JSON.parse(stdout).status));
  });
});

test("a file at fault is named and does not keep the others from being solved", async () => {
  const { status, stdout, stderr } = await rcmdp(["solve", put("cut.json", "{\"format\": \"rcmdp/1\","), "machine.json", "--quiet"]);
  assert.equal(status, 1);
  assert.match(stderr, /^rcmdp: cut\.json: line 1, column \d+: not JSON/);
  assert.equal(JSON.parse(stdout).file, "machine.json");
});

test("standard input is a file, several files are several lines, and a table is for people", async () => {
  assert.equal(JSON.parse((await rcmdp(["solve", "-"], { input: JSON.stringify(machine) })).stdout).status, "proved-optimal");
  const { status, stdout } = await rcmdp(["solve", "machine.json", "impossible.json"]);
  assert.equal(status, 2);
  assert.deepEqual(stdout.trim().split("\n").map((text) => JSON.parse(text).status), ["proved-optimal", "proved-infeasible"]);
  const table = (await rcmdp(["solve", "machine.json", "--table"])).stdout;
  assert.match(table, /proved-optimal/);
  for (const name of [machine.objective.name, machine.constraints[0].name, ...machine.states]) assert.ok(table.includes(name), name);
});

test("evaluate gives the worst case of the policy in a result", async () => {
  const { value } = JSON.parse(fs.readFileSync(path.join(home, "result.json"), "utf8")).objective;
  const { status, stdout } = await rcmdp(["evaluate", "machine.json", "--policy", "result.json"]);
  assert.equal(status, 0);
  assert.ok(Math.abs(JSON.parse(stdout).returns[0].value - value) < 1e-9);
});

test("Ctrl+C keeps the best so far", async () => {
  put("random.json", fixture("a_seed0"));
  const child = spawn(command, ["solve", "random.json", "--gap", "0", "--time-limit", "0"], { cwd: home });
  let out = "";
  child.stdout.on("data", (text) => (out += text));
  let told = "";
  await new Promise((resolve) =>
    child.stderr.on("data", (text) => {
      told += text;
      if (/best \d/.test(told)) resolve(null);
    })
  );
  child.kill("SIGINT");
  const code = await new Promise((resolve) => child.on("close", resolve));
  assert.equal(code, 3);
  const result = JSON.parse(out);
  assert.ok(["stopped", "bounded", "feasible"].includes(result.status));
  assert.ok(result.policy.length > 0);
});

describe("many jobs", () => {
  const jobs = Array.from({ length: 8 }, (_, k) => ({
    id: `job-${k + 1}`,
    problem: k % 4 === 3 ? "machine.json" : { ...machine, constraints: [{ ...machine.constraints[0], atMost: k / 4 }] },
    options: k % 2 ? { algorithm: "slp", starts: 2 } : { gap: 0.001 },
  }));
  let all = "";
  /** What one run of all jobs gives; it is in whole.ndjson too, and the jobs in jobs.ndjson. */
  const whole = async () => {
    if (all !== "") return all;
    put("jobs.ndjson", `${jobs.map((job) => JSON.stringify(job)).join("\n")}\n`);
    const { status, stdout, stderr } = await rcmdp(["batch", "jobs.ndjson"]);
    assert.equal(status, 0, stderr);
    assert.equal(stdout.trim().split("\n").length, jobs.length);
    put("whole.ndjson", stdout);
    return all = stdout;
  };

  test("four shards side by side, as the README runs them, merge into what one run gives", async () => {
    const want = await whole();
    execFileSync("bash", ["-c", block("xargs")], shell);
    assert.equal(fs.readFileSync(path.join(home, "results.ndjson"), "utf8"), want);
    // In any order and with a file given twice; shards counted from 0 are the same shards.
    const merged = await rcmdp(["merge", "out-3.ndjson", "out-1.ndjson", "out-4.ndjson", "out-2.ndjson", "out-1.ndjson"]);
    assert.equal(merged.stdout, want);
    assert.match(merged.stderr, /nothing was checked: \d+ lines stand as they were written; --jobs FILE checks each/);
    assert.equal((await rcmdp(["batch", "--shard", "0/4", "jobs.ndjson"])).stdout, fs.readFileSync(path.join(home, "out-4.ndjson"), "utf8"));
  });

  test("GNU parallel runs the README's line unchanged", async (t) => {
    if (spawnSync("parallel", ["--version"]).status !== 0) return t.skip("GNU parallel is not installed");
    const want = await whole();
    for (const k of [1, 2, 3, 4]) fs.rmSync(path.join(home, `out-${k}.ndjson`), { force: true });
    execFileSync("bash", ["-c", block("GNU parallel")], { ...shell, env: { ...shell.env, PARALLEL: "--will-cite" } });
    assert.equal((await rcmdp(["merge", "out-1.ndjson", "out-2.ndjson", "out-3.ndjson", "out-4.ndjson"])).stdout, want);
  });

  test("a batch killed half-way goes on where it was: finished lines are kept, half a line is done again", async () => {
    const want = await whole();
    const child = spawn(command, ["batch", "--output", "killed.ndjson", "jobs.ndjson"], { cwd: home });
    const file = path.join(home, "killed.ndjson");
    while (!fs.existsSync(file) || !fs.readFileSync(file, "utf8").includes("\n")) await new Promise((resolve) => setTimeout(resolve, 5));
    child.kill("SIGKILL");
    await new Promise((resolve) => child.on("close", resolve));
    fs.appendFileSync(file, "{\"id\":\"job-7\",\"ha");
    const kept = fs.readFileSync(file, "utf8").split("\n")[0];
    const { status } = await rcmdp(["batch", "--output", "killed.ndjson", "jobs.ndjson"]);
    assert.equal(status, 0);
    const text = fs.readFileSync(file, "utf8");
    assert.equal(text.split("\n")[0], kept);
    assert.equal(text, want);
    await rcmdp(["batch", "--output", "killed.ndjson", "jobs.ndjson"]);
    assert.equal(fs.readFileSync(file, "utf8"), text, "a third time changes nothing");
  });

  test("a job that cannot be solved is a line with its fault, and the others are done", async () => {
    put("faulty.ndjson", `${JSON.stringify({ id: "bad", problem: { ...machine, discount: 2 } })}\n${JSON.stringify({ id: "good", problem: machine })}\n`);
    const args = ["batch", "--quiet", "--output", "faulty-out.ndjson", "faulty.ndjson"];
    assert.equal((await rcmdp(args)).status, 1);
    const written = fs.readFileSync(path.join(home, "faulty-out.ndjson"), "utf8");
    assert.equal((await rcmdp(args)).status, 1, "run again, it ends as it did");
    assert.equal(fs.readFileSync(path.join(home, "faulty-out.ndjson"), "utf8"), written);
    put("faulty-out.ndjson", `${written}{"id":7}\n`);
    assert.match((await rcmdp(args)).stderr, /^rcmdp: faulty-out\.ndjson, line 3: want a line that batch wrote/);
    const [bad, good] = written.trim().split("\n").map((text) => JSON.parse(text));
    assert.equal(bad.error.code, "invalid-problem");
    assert.equal(good.result.status, "proved-optimal");
  });

  test("runs for the page come in once, in Node's folder as in a browser", async () => {
    await whole();
    const { status, stdout } = await rcmdp(["merge", "--jobs", "jobs.ndjson", "--runs", "whole.ndjson"]);
    assert.equal(status, 0);
    const solver = await library.openSolver({ workers: 1, runsFolder: path.join(home, "runs") });
    try {
      assert.deepEqual(await solver.runs.importAll(stdout), { added: 7, kept: 1 }, "jobs 4 and 8 have the same content");
      assert.deepEqual(await solver.runs.importAll(stdout), { added: 0, kept: 8 });
      const [first] = await solver.runs.list();
      assert.equal((await solver.runs.get(first.id)).result?.policy.length, machine.states.length);
    } finally {
      solver.close();
    }
  });
});

test("nothing of a person's is destroyed: --output refuses what is an input, a link, a folder, or not of the command", async () => {
  const job = `${JSON.stringify({ id: "a", problem: machine })}\n${JSON.stringify({ id: "b", problem: machine })}`;
  fs.mkdirSync(path.join(home, "kept"), { recursive: true });
  put("kept/note.txt", "a note of one's own");
  put("kept/jobs.ndjson", job);
  put("kept/model.json", machine);
  put("kept/line.json", JSON.stringify(machine)); // one line without an end
  put("kept/empty.json", "");
  fs.symlinkSync(path.join(home, "kept/note.txt"), path.join(home, "kept/link"));
  fs.symlinkSync(path.join(home, "kept/nowhere"), path.join(home, "kept/dangling"));
  fs.linkSync(path.join(home, "kept/model.json"), path.join(home, "kept/hard.json"));
  const before = () =>
    fs.readdirSync(path.join(home, "kept")).sort().map((
      name,
    ) => [name, fs.lstatSync(path.join(home, "kept", name)).isFile() ? fs.readFileSync(path.join(home, "kept", name), "utf8") : "link"]);
  const were = before();
  for (
    const [args, why] of /** @type {[string[], RegExp][]} */ ([
      [["batch", "--output", "kept/jobs.ndjson", "kept/jobs.ndjson"], /is an input/],
      [["batch", "--output", "kept/jobs.ndjson", "jobs-two.ndjson"], /want a line that batch wrote|does not end in a line/],
      [["batch", "--output", "kept/model.json", "jobs-two.ndjson"], /does not end in a line that batch wrote/],
      [["batch", "--output", "kept/note.txt", "jobs-two.ndjson"], /does not end in a line/],
      [["batch", "--output", "kept/link", "jobs-two.ndjson"], /is a link/],
      [["batch", "--output", "kept/dangling", "jobs-two.ndjson"], /is a link/],
      [["batch", "--output", "kept", "jobs-two.ndjson"], /is not a file/],
      [["solve", "--output", "kept/model.json", "kept/model.json"], /is an input/],
      [["solve", "--output", "kept/hard.json", "kept/model.json"], /is an input/],
      [["solve", "--output", "kept/note.txt", "kept/model.json"], /rcmdp did not write it/],
      [["solve", "--output", "kept/jobs.ndjson", "kept/model.json"], /rcmdp did not write it/],
      [["solve", "--output", "kept/link", "kept/model.json"], /is a link/],
      [["bound", "--output", "kept/dangling", "kept/model.json"], /is a link/],
    ])
  ) {
    put("jobs-two.ndjson", job);
    const { status, stderr } = await rcmdp([...args, "--quiet"]);
    assert.equal(status, 1, args.join(" "));
    assert.match(stderr, why, args.join(" "));
    assert.deepEqual(before(), were, args.join(" "));
  }
  // What it wrote itself, and what is empty, it writes again; nothing is left beside it.
  for (const as of ["--json", "--table", "--json"]) {
    assert.equal((await rcmdp(["solve", "--output", "kept/empty.json", "--quiet", as, "kept/model.json"])).status, 0, as);
    assert.match(fs.readFileSync(path.join(home, "kept/empty.json"), "utf8"), as === "--json" ? /^\{"file"/ : /^kept/);
  }
  assert.equal(fs.readdirSync(path.join(home, "kept")).length, were.length, "no file under a name for the time being is left");
  assert.match((await rcmdp(["constructor"])).stderr, /"constructor" is not a verb/);
  assert.match((await rcmdp(["help", "toString"])).stdout, /^rcmdp: robust/);
  assert.notEqual((await rcmdp(["solve", "--constructor", "1", "machine.json"])).status, 0);
});

test("results of shards are judged where their problems are known, and a result in a file is compared with its proof", async () => {
  put("two.ndjson", `${JSON.stringify({ id: "a", problem: machine })}\n${JSON.stringify({ id: "b", problem: impossible })}\n`);
  const [a, b] = (await rcmdp(["batch", "--quiet", "two.ndjson"])).stdout.trim().split("\n").map((text) => JSON.parse(text));
  put("honest.ndjson", `${JSON.stringify(a)}\n${JSON.stringify(b)}\n`);
  const honest = await rcmdp(["merge", "--jobs", "two.ndjson", "honest.ndjson"]);
  assert.deepEqual([honest.status, honest.stdout, honest.stderr], [0, `${JSON.stringify(a)}\n${JSON.stringify(b)}\n`, ""]);
  const cheaper = {
    ...a,
    result: { ...a.result, objective: { ...a.result.objective, value: a.result.objective.value / 10, lowerBound: a.result.objective.value / 10 } },
  };
  const possible = { ...b, result: { ...a.result } };
  put("forged.ndjson", `${JSON.stringify(cheaper)}\n${JSON.stringify(possible)}\n`);
  for (const more of [[], ["--runs"]]) {
    const { status, stdout, stderr } = await rcmdp(["merge", "--jobs", "two.ndjson", ...more, "forged.ndjson"]);
    assert.equal(status, 1);
    assert.match(stderr, /job a: the result does not hold: .*is right/);
    assert.match(stderr, /job b: the result does not hold/);
    assert.doesNotMatch(stdout, new RegExp(`"value":${cheaper.result.objective.value}\\b`));
    assert.ok(
      !more.length ? JSON.parse(stdout.split("\n")[1]).result.status !== "proved-optimal" : JSON.parse(stdout).runs[1].result.status !== "proved-optimal",
    );
  }
  put("broken.ndjson", `${JSON.stringify({ ...a, result: { ...a.result, policy: [null] } })}\n`);
  assert.match((await rcmdp(["merge", "--jobs", "two.ndjson", "broken.ndjson"])).stderr, /job a: This result cannot be judged: its policy/);
  put("own.json", a.result);
  put("other.json", cheaper.result);
  put("part.json", { ...cheaper.result, status: undefined });
  const checked = (/** @type {string} */ file) => rcmdp(["check", "--certificate", file, "machine.json"]);
  assert.deepEqual([(await checked("own.json")).status, (await checked("other.json")).status], [0, 1]);
  assert.match((await checked("part.json")).stderr, /^rcmdp: part\.json: .*it is no result of a method/, "what cannot be compared does not hold");
});

test("a proof split in 8 and joined is accepted by the checker: two parts closed, one that came back as it was, others not begun", async () => {
  put("hard.json", fixture("a_seed0"));
  // Its parts take half a second each; those of a gap of a hundredth take ten times as long.
  const flags = ["--gap", "0.02", "--starts", "1", "--quiet"];
  const split = await rcmdp(["bound", "hard.json", "--split", "8", "--parts", "parts", ...flags], { long: true });
  assert.equal(split.status, 3, split.stderr);
  const part = (/** @type {number} */ k) => path.join(home, `parts/part-${k}.json`);
  assert.ok(fs.existsSync(part(8)) && !fs.existsSync(part(9)));
  for (const k of [1, 2]) assert.equal((await rcmdp(["bound", "--part", part(k), "--quiet"], { long: true })).status, 0);
  const { part: box, problem: _, options: __, ...origin } = JSON.parse(fs.readFileSync(part(3), "utf8"));
  const came = (/** @type {number} */ k, /** @type {object} */ value) => fs.writeFileSync(part(k).replace(/json$/, "done"), JSON.stringify(value));
  came(3, { ...origin, back: box });
  came(4, { ...origin, build: "other", back: box });
  came(5, { ...origin, proof: "other", back: box });
  fs.writeFileSync(part(6).replace(/json$/, "done"), "{\"format\":");
  const joined = await rcmdp(["bound", "--join", "--parts", "parts", "--gap", "0.08", "--quiet", "--json"], { long: true });
  assert.equal(joined.status, 0, joined.stderr);
  const said = joined.stderr.trimEnd().split("\n");
  for (const [k, why] of [/part-4\.done: it is of build other and this is build/, /part-5\.done: it is of another proof/, /part-6\.done: not JSON/].entries()) {
    assert.match(said[k], why);
  }
  assert.match(said[3], /^2 of 3 results were joined/);
  const { objective } = JSON.parse(joined.stdout);
  assert.ok(objective.relativeGap <= 0.08, `gap ${objective.relativeGap}`);
  const checked = await rcmdp(["check", "hard.json", "--certificate", put("joined.json", joined.stdout)], { long: true });
  assert.equal(checked.status, 0, checked.stdout);
  assert.ok(Math.abs(JSON.parse(checked.stdout).lowerBound - objective.lowerBound) <= 1e-9 * objective.lowerBound);
});

describe("runs in a folder", () => {
  test("are listed, renamed, exported, deleted, and there again for another process", async () => {
    const folder = path.join(home, "kept");
    const solver = await library.openSolver({ workers: 1, runsFolder: folder });
    const run = solver.solve(machine);
    await solver.runs.put({ id: run.id, problem: machine, options: {} });
    await solver.runs.put({ id: run.id, result: await run.result });
    await solver.runs.put({ id: run.id, name: "the first" });
    assert.deepEqual(await solver.runs.estimate().then(({ storage }) => storage), "folder");
    const text = await solver.runs.exportAll();
    solver.close();

    const other = await library.openSolver({ workers: 1, runsFolder: folder });
    try {
      const [summary] = await other.runs.list();
      assert.equal(summary.name, "the first");
      assert.equal(summary.status, "unchecked", "another process has checked nothing of it");
      const { result } = await other.runs.get(run.id);
      assert.equal((await other.judge(machine, result)).result.status, "proved-optimal");
      assert.deepEqual(result?.policy, (await run.result).policy);
      assert.ok(result?.trace.objective instanceof Float64Array);
      await other.runs.delete(run.id);
      assert.deepEqual(await other.runs.list(), []);
      assert.deepEqual(await other.runs.importAll(text), { added: 1, kept: 0 });
      await assert.rejects(other.runs.get("nobody"), { code: "invalid-option" });
    } finally {
      other.close();
    }
  });

  test("a stopped run is continued by another process", async () => {
    const folder = path.join(home, "stopped");
    const problem = fixture("a_seed0");
    const solver = await library.openSolver({ workers: 1, runsFolder: folder });
    const options = { gap: 0, timeLimit: 0, starts: 2 };
    const run = solver.solve(problem, options);
    await solver.runs.put({ id: run.id, problem, options });
    for await (const p of run) {
      if (p.lowerBound !== null || p.nodes > 0) break;
    }
    run.stop();
    const first = await run.result;
    await solver.runs.put({ id: run.id, result: first });
    solver.close();

    const other = await library.openSolver({ workers: 1, runsFolder: folder });
    try {
      assert.equal((await other.runs.list()).find(({ id }) => id === run.id)?.resumable, true);
      const more = await other.runs.resume(run.id);
      more.stop();
      const second = await more.result;
      assert.ok(second.evaluations >= first.evaluations, `${second.evaluations} after ${first.evaluations}`);
    } finally {
      other.close();
    }
  });

  test("a folder that cannot be made is refused with its name", async () => {
    const solver = await library.openSolver({ workers: 1, runsFolder: path.join(home, "package.json", "x") });
    try {
      await assert.rejects(solver.runs.list(), { code: "unavailable" });
    } finally {
      solver.close();
    }
  });
});

test("a name with a tab, a line end or a terminal's code in it stays in its cell of a table", () => {
  assert.equal(aligned([["state", "value"], ["x\ty", 1], ["a\nb", 22], ["\u001b[2J", 3]]), "state  value\nx y        1\na b       22\n [2J       3");
});
