// @ts-check
// claims.test.js — results that come from elsewhere, in Node against the real solver: none claims anything before the
// checker of this process has judged it, whatever was altered; what is malformed is refused whole.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { openSolver, RcmdpError } from "../src/engine.js";
import { carried, faultOf, isJudged, unjudged } from "../src/engine/claims.js";
import { unreadable } from "../src/document/shape.js";
import { readExport } from "../src/engine/records.js";
import { UsageError } from "../package/command/arguments.js";
import { hashOf } from "../package/command/batch.js";
import { merge } from "../package/command/merge.js";
import { joinParts } from "../package/command/parts.js";
import { fragmentOf, fromText, toText } from "../src/share/one-file.js";
import { html } from "htm/preact";
import { renderToString } from "preact-render-to-string";
import { createLab } from "../src/lab.js";
import { markdownOf } from "../src/panels/policy-out.js";
import { Panel as Compare } from "../src/panels/compare.js";
import { Page } from "../src/panels/page.js";
import { reportHtml } from "../src/panels/report.js";
import { writeFragment } from "../src/share/fragment.js";
import { leanAnswer, pack, readAnswer, readCurve } from "../src/share/share.js";
import { build, fixture } from "./engine-build.js";

const files = build();
/** @type {import('../src/rcmdp.js').Solver} */
let solver;
/** Answers of this build, as plain data that has been somewhere else. @type {{ problem: any, result: any }[]} */
const answers = [];
before(async () => {
  solver = await openSolver({ ...files, workers: 1, runsFolder: path.join(files.folder, "runs") });
  const tight = fixture("machine_repair");
  const impossible = { ...tight, constraints: tight.constraints.map((/** @type {any} */ c) => ({ ...c, atMost: 0 })) };
  for (
    const [problem, options] of /** @type {[any, any][]} */ ([
      [fixture("fig1_epigraph"), { timeLimit: 2 }],
      [tight, { timeLimit: 2 }],
      [impossible, { timeLimit: 2 }],
      [tight, { algorithm: "uniform" }],
      [fixture("inventory"), { timeLimit: 2 }],
    ])
  ) {
    const { result } = solver.solve(problem, options);
    answers.push({ problem, result: JSON.parse(JSON.stringify(await result, (_key, x) => (x instanceof Float64Array ? Array.from(x) : x))) });
  }
});
after(() => solver.close());

/** What may not be said of anything before it was judged here. */
const claims = /proved|optimal|infeasible|bounded/i;
/** As text, without what a person wrote: names, descriptions. @param {any} value */
const said = (value) =>
  JSON.stringify(
    value,
    (key, x) => (["name", "problemName", "description", "source", "problem"].includes(key)
      ? undefined
      : ArrayBuffer.isView(x)
      ? Array.from(/** @type {any} */ (x))
      : x),
  );

/** @param {{ problem: any, result: any }[]} list */
const exported = (list) =>
  JSON.stringify({
    format: "rcmdp-runs/1",
    runs: list.map(({ problem, result }, i) => ({ id: `run-${i}`, name: `run ${i}`, algorithm: result.algorithm, problem, options: result.options, result })),
  });

test("an answer of this build that has been elsewhere claims nothing, is judged, and is what it was", async () => {
  const statuses = [];
  for (const { problem, result } of answers) {
    assert.equal(faultOf(problem, result), null, result.status);
    assert.ok(!isJudged(result));
    const told = unjudged(problem, result);
    assert.doesNotMatch(said(told), claims);
    assert.ok(!isJudged(told));
    for (const it of [result, told]) {
      const { holds, differs, result: judged } = await solver.judge(problem, it);
      assert.deepEqual(differs, [], result.status);
      assert.ok(holds && isJudged(judged));
      assert.equal(judged.status, result.status);
      assert.ok(Math.abs(Number(judged.objective.value) - Number(result.objective.value)) <= 1e-9 * Math.abs(Number(result.objective.value)));
    }
    statuses.push(result.status);
    if (/^proved/.test(result.status)) continue;
    const again = unjudged(problem, unjudged(problem, { ...result, status: "stopped" }));
    assert.equal((await solver.judge(problem, again)).result.status, "stopped", "a run that was stopped is not said to have come to its end");
    statuses.push("stopped");
  }
  for (const status of ["proved-optimal", "proved-infeasible", "stopped"]) assert.ok(statuses.includes(status), `${status} of ${statuses}`);
});

test("every number that an answer says, raised or lowered, and every better status, is found out, and nothing false is claimed after", async () => {
  let forged = 0, allowances = 0;
  for (const { problem, result } of answers) {
    const truth = (await solver.judge(problem, unjudged(problem, result))).result;
    const places = [
      ["objective", "value"],
      ["objective", "lowerBound"],
      ["objective", "upperBound"],
      ...result.constraints.flatMap((/** @type {any} */ _, /** @type {number} */ i) => [["constraints", i, "value"], ["constraints", i, "threshold"]]),
    ];
    /** @type {[string, any][]} */
    const forgeries = [];
    for (const place of places) {
      for (const by of [1.00001, 0.99999, 10, 0.1]) {
        const copy = structuredClone(result);
        const at = place.slice(0, -1).reduce((/** @type {any} */ x, /** @type {any} */ key) => x[key], copy);
        const key = place.at(-1), was = at[key];
        if (typeof was !== "number" || Math.abs(was) < 1e-9 || (place[0] === "objective" && key === "value" && !result.feasible)) continue;
        at[key] = was * by;
        const says = key === "lowerBound" ? by > 1 === was > 0 : key === "upperBound" ? by < 1 === was > 0 : true; // a weaker bound is no lie
        if (says) forgeries.push([`${place.join(".")} times ${by}`, copy]);
      }
    }
    for (const [i, { allowed, threshold }] of result.constraints.entries()) {
      if (!(allowed > 5e-10 * Math.abs(threshold))) continue; // else it is rounding
      allowances++;
      const copy = structuredClone(result);
      copy.constraints[i].allowed = 0;
      forgeries.push([`constraints.${i}.allowed 0`, copy]);
    }
    // What is worked out of these numbers, and a bound that is not there.
    const better = [
      ["maxViolation"],
      ["objective", "gap"],
      ["objective", "relativeGap"],
      ...result.constraints.map((/** @type {any} */ _, /** @type {number} */ i) => ["constraints", i, "violation"]),
    ];
    for (const place of better) forgeries.push([`${place.join(".")} less`, altered(result, place, -1000)]);
    for (const place of [["leastViolation"], ...result.constraints.map((/** @type {any} */ _, /** @type {number} */ i) => ["constraints", i, "slack"])])
      forgeries.push([`${place.join(".")} more`, altered(result, place, 1000)]);
    if ((result.objective.lowerBound ?? result.objective.upperBound) === null) forgeries.push(["bounded", { ...result, status: "bounded" }]);
    for (const status of ["proved-optimal", "proved-infeasible"])
      if (status !== result.status) forgeries.push([status, { ...structuredClone(result), status, feasible: status === "proved-optimal" }]);
    for (const [name, copy] of forgeries) {
      if (faultOf(problem, copy) !== null) continue;
      forged++;
      const { holds, differs, result: judged } = await solver.judge(problem, copy);
      assert.ok(!holds && differs.length > 0, `${result.status} ${name}: held`);
      assert.equal(judged.status, truth.status, name);
      assert.deepEqual([judged.objective.lowerBound, judged.objective.upperBound], [truth.objective.lowerBound, truth.objective.upperBound], name);
      assert.deepEqual(judged.constraints.map((c) => c.value), truth.constraints.map((c) => c.value), name);
    }
    const { result: made } = await solver.judge(problem, { ...result, options: "proved", seed: {}, evaluations: "many", seconds: "<b>" });
    assert.deepEqual(
      [made.options, made.seed, typeof made.evaluations, made.seconds],
      [{}, "", "number", null],
      "nothing is carried over but what it should be",
    );
    // A policy that is another one, or a certificate of another problem.
    const swapped = { ...structuredClone(result), policy: result.policy.map((/** @type {number[]} */ row) => row.toReversed()) };
    if (result.feasible && JSON.stringify(swapped.policy) !== JSON.stringify(result.policy)) assert.equal((await solver.judge(problem, swapped)).holds, false);
    const other = answers.find((a) => a.problem !== problem && a.result.certificate)?.result.certificate;
    const { result: judged } = await solver.judge(problem, { ...structuredClone(result), certificate: other });
    const [was, is] = [truth.objective.lowerBound, judged.objective.lowerBound];
    if (is !== null && was !== null)
      assert.ok(is <= was + 1e-9 * Math.abs(was) || is <= Number(truth.objective.value) * (1 + 1e-9), "no bound comes from elsewhere that is not one");
    for (const certificate of [{}, { format: "rcmdp-certificate/1" }, { ...result.certificate, target: "x" }]) {
      const { holds } = await solver.judge(problem, { ...structuredClone(result), certificate });
      assert.equal(holds, false, JSON.stringify(certificate).slice(0, 80));
    }
  }
  assert.ok(forged > 40 && allowances > 0, `${forged} forgeries, ${allowances} of what is allowed`);
});

describe("saved runs", () => {
  test("what was imported claims nothing in lists, runs and exports, and a run of this process is what it is until another overwrites it", async () => {
    // Points that are not there vouch for nothing.
    const told = [...answers, ...[[], [null]].map((points) => ({ ...answers[0], result: { ...answers[0].result, points } }))];
    assert.deepEqual(await solver.runs.importAll(exported(told)), { added: told.length, kept: 0 });
    const everything = async () =>
      said([await solver.runs.list(), JSON.parse(await solver.runs.exportAll()), ...await Promise.all(told.map((_, i) => solver.runs.get(`run-${i}`)))]);
    assert.doesNotMatch(await everything(), claims);
    const { problem, result } = await solver.runs.get("run-0");
    const { result: judged } = await solver.judge(problem, result);
    await solver.runs.put({ id: "own", problem, result: judged });
    assert.equal((await solver.runs.get("own")).result?.status, "proved-optimal");
    await solver.runs.put({ id: "own", name: "renamed" });
    assert.equal((await solver.runs.list()).find((r) => r.id === "own")?.status, "proved-optimal");
    const { result: kept } = await solver.runs.get("own");
    await solver.runs.put({ id: "own", result: /** @type {any} */ ({ ...kept, objective: { .../** @type {any} */ (kept).objective, value: 1 } }) });
    await solver.runs.delete("run-0");
    assert.doesNotMatch(await everything().catch(async () => said(await solver.runs.list())), claims, "a copy with another number is not what was judged");
    // A run in the place of one that was deleted, however often it is named, is not that one.
    await solver.runs.put({ id: "own", result: judged });
    const { rev } = (await solver.runs.list()).find((r) => r.id === "own") ?? assert.fail();
    await solver.runs.delete("own");
    await solver.runs.importAll(JSON.stringify({ format: "rcmdp-runs/1", runs: [{ id: "own", ...answers[0] }] }));
    for (let k = 1; k <= rev; k++) {
      assert.doesNotMatch(said([await solver.runs.list(), await solver.runs.get("own")]), claims);
      await solver.runs.put({ id: "own", name: `name ${k}` });
    }
    await solver.runs.delete("own");
    await solver.runs.put({ id: "own", problem, result: judged });
    const other = await openSolver({ ...files, workers: 1, runsFolder: path.join(files.folder, "runs") });
    await solver.runs.put({ id: "own", result: judged });
    assert.doesNotMatch(said([await other.runs.list(), await other.runs.get("own")]), claims, "another process has judged nothing");
    other.close();
  });

  test("a file with a malformed run is refused whole, with a sentence that says which", async () => {
    const before = (await solver.runs.list()).length;
    const [{ problem, result }] = answers;
    for (
      const bad of [
        { problem: {}, result },
        { problem: { ...problem, constraints: [null] }, result },
        { problem: null, result },
        { problem, result: { ...result, policy: [null] } },
        { problem, result: { ...result, policy: [[1]] } },
        { problem, result: { ...result, policy: result.policy.slice(1) } },
        { problem, result: { ...result, constraints: [null] } },
        { problem, result: { ...result, constraints: [], feasible: 1 } },
        { problem, result: { ...result, objective: null } },
        { problem, result: { ...result, objective: { value: "1" } } },
        { problem, result: { ...result, algorithm: "<b>Proved optimal</b>" } },
        { problem, result: { ...result, certificate: [1] } },
        { problem, result: [] },
        { problem, result: { ...result, algorithm: "sweep", points: [null, 3] } },
      ]
    ) {
      const text = JSON.stringify({ format: "rcmdp-runs/1", runs: [{ id: "fine", problem, result }, { id: "bad", ...bad }] });
      await assert.rejects(solver.runs.importAll(text), (/** @type {any} */ error) => {
        assert.ok(error instanceof RcmdpError && error.code === "invalid-option", String(error));
        return /Run 2|run 2/.test(error.message) && /nothing was imported/.test(error.message) && !/undefined|NaN|\[object/.test(error.message);
      }, JSON.stringify(bad).slice(-90));
    }
    assert.equal((await solver.runs.list()).length, before, "nothing of it came in");
  });

  test("the points of a saved trade-off are judged before they count as found", async () => {
    const { problem } = answers[1];
    const limit = problem.constraints[0].atMost;
    const options = { pointer: "/constraints/0/atMost", values: [limit, 1.1 * limit], timeLimit: 1 };
    const sweep = await solver.sweep(problem, options).result;
    assert.ok(sweep.points.every((p) => p && isJudged(p)) && isJudged(sweep));
    const forged = JSON.parse(JSON.stringify(sweep));
    for (const p of forged.points) Object.assign(p, { status: "proved-optimal", objective: { ...p.objective, value: 0.1, lowerBound: 0.1 } });
    await solver.runs.importAll(
      JSON.stringify({ format: "rcmdp-runs/1", runs: [{ id: "sweep", problem, options: { algorithm: "sweep", ...options }, result: forged }] }),
    );
    const saved = await solver.runs.get("sweep");
    assert.doesNotMatch(said(saved), claims);
    const again = await solver.sweep(problem, { ...options, points: /** @type {any} */ (saved.result).points }).result;
    for (const [i, p] of again.points.entries()) {
      assert.ok(p && isJudged(p));
      const [is, was] = [Number(p.objective.value), Number(sweep.points[i]?.objective.value)];
      assert.ok(Math.abs(is - was) <= 0.02 * Math.abs(was), `${is} for ${was}`);
    }
  });
});

test("a trade-off is no answer to a model and no point of another: as one it would say what nobody checks", async () => {
  const [{ problem, result }] = answers;
  const sweep = { ...result, algorithm: "sweep", status: "stopped", pointer: "", points: [] };
  assert.throws(() => readAnswer(problem, sweep), /it is a trade-off/);
  assert.equal(readCurve(problem, [{ ...sweep, value: 1 }]), null);
  await assert.rejects(solver.judge(problem, sweep), /it is a trade-off/);
  const importing = (/** @type {any} */ told) =>
    solver.runs.importAll(JSON.stringify({ format: "rcmdp-runs/1", runs: [{ id: "nested", problem, result: told }] }));
  await assert.rejects(importing({ ...sweep, points: [{ ...sweep, value: 1 }] }), /its points are no results; nothing was imported/);
  await assert.rejects(importing({ ...sweep, objective: null }), /its objective is no value; nothing was imported/);
  // Of a trade-off only its points are read.
  await importing({ ...sweep, policy: [null], constraints: [null], objective: { value: 1e-3 }, status: "proved-optimal" });
  const { result: saved } = await solver.runs.get("nested");
  assert.deepEqual([saved?.status, saved?.policy, saved?.objective.value, saved?.feasible], ["stopped", [], null, false]);
});

test("the page of a link or a gallery whose answer nobody has checked here claims nothing, nor do its report and its Markdown", async () => {
  for (const { problem, result } of answers.slice(0, 3)) {
    const forged = { ...result, status: result.feasible ? "proved-optimal" : "proved-infeasible", warnings: ["Proved optimal."] };
    const { text, sum } = await pack(problem);
    const address = writeFragment({ problem: text, sum, answer: (await pack(leanAnswer(forged))).text });
    const item = { id: "first", title: "First", parameters: [], problem, result: forged };
    for (const world of [{ fragment: () => address }, { fragment: () => "", gallery: async () => [item] }]) {
      const lab = createLab(
        /** @type {any} */ ({
          openSolver: () => new Promise(() => {}),
          labUrl: () => "https://lab.test/",
          embedUrl: () => "https://lab.test/e",
          stores: false,
          ...world,
        }),
      );
      void lab.boot();
      while (!lab.answer()) await new Promise((resolve) => setTimeout(resolve));
      const answer = lab.answer() ?? assert.fail();
      assert.match(lab.shown().answer?.result.status ?? "", /^unchecked$/);
      const report = reportHtml({
        name: "n",
        problem,
        result: answer.result,
        method: { title: "Search", shape: "search" },
        explanation: null,
        link: "x",
        made: "today",
      });
      const words = [
        renderToString(html`<${Page} lab=${lab} state=${lab.get()} />`),
        report,
        markdownOf(answer),
        said(answer.result.objective),
        said(answer.result.constraints),
      ].join("\n");
      assert.doesNotMatch(words.replace(/<pre[^]*?<\/pre>|<style[^]*?<\/style>/g, ""), /proved|optimal/i);
    }
  }
});

test("what was not checked here is told apart where runs stand side by side, and is never the best of them", async () => {
  const [{ problem, result }] = answers;
  const { result: judged } = await solver.judge(problem, result);
  const cheaper = unjudged(problem, { ...result, objective: { ...result.objective, value: result.objective.value / 10 } });
  const rows = [cheaper, judged].map((r, i) => ({ id: `method:${i}`, label: `run ${i}`, algorithm: "solve", problem, result: r, message: "" }));
  const state = { compared: [], engine: { phase: "ready" }, panels: { compare: { busy: false, rows, problem } } };
  const text = renderToString(html`<${Compare} ...${{ lab: { solver: () => null }, state, problem, answer: null, fresh: false }} />`);
  const [first, second] = text.split("<tbody>")[1].split("</tr>");
  assert.match(first, /run 0.*not checked here/);
  assert.doesNotMatch(first, /class="n top"|to spare|exactly at its limit/);
  assert.match(second, /class="n top".*exactly at its limit/);
});

test("a copy of a judged result is not judged, but for one that the library makes of it", () => {
  const [{ problem, result }] = answers;
  assert.ok(!isJudged({ ...result }) && !isJudged(carried(result, { ...result })) && !isJudged(null) && !isJudged({ points: [{}] }));
  assert.ok(!isJudged(unjudged(problem, result)));
});

/** Every place of a document. @param {any} value @param {(string | number)[]} [at] @returns {(string | number)[][]} */
const placesOf = (
  value,
  at = [],
) => [at, ...(typeof value === "object" && value !== null ? Object.keys(value).slice(0, 6).flatMap((key) => placesOf(value[key], [...at, key])) : [])];
/** A copy with another value at a place. @param {any} value @param {(string | number)[]} at @param {any} to @returns {any} */
const altered = (value, [key, ...rest], to) => {
  if (key === undefined) return to;
  const copy = Array.isArray(value) ? value.slice() : { ...value };
  if (to === undefined && rest.length === 0) delete copy[key];
  else copy[key] = altered(value[key], rest, to);
  return copy;
};
const odd = [undefined, null, 0, -1, 1e308, "", "proved-optimal", true, [], {}, [null], [[]], { length: 3 }];

test("whatever stands at any place of a result, it is refused in words or read without a claim", () => {
  let refused = 0, read = 0;
  for (const { problem, result } of answers.slice(0, 4)) {
    for (const at of placesOf({ ...result, trace: {}, certificate: { a: 1 }, worst: result.worst?.map((/** @type {any} */ w) => ({ ...w, rows: [] })) })) {
      for (const to of odd) {
        const told = altered(result, at, to);
        const fault = faultOf(problem, told);
        if (fault !== null) {
          refused++;
          assert.match(fault, /^[a-z].*[^.]$/);
          assert.throws(() => readAnswer(problem, told), /answer that is none of its model/);
        } else {
          read++;
          const { policy, constraints, objective } = readAnswer(problem, told);
          const { options: _, certificate: __, algorithm: ___, ...shown } = readAnswer(problem, told); // an id, shown by the title of a method that is known
          assert.doesNotMatch(said(shown), claims, `${at.join(".")} ${JSON.stringify(to)}`);
          assert.ok(
            policy.every((row) => row.every(Number.isFinite)) && constraints.every((c) => typeof c.name === "string") &&
              (objective.value === null || Number.isFinite(objective.value)),
          );
        }
        assert.ok([null, 1].includes(readCurve(problem, [told])?.length ?? null));
      }
    }
  }
  assert.ok(refused > 300 && read > 300, `${refused} refused, ${read} read`);
});

test("whatever stands at any place of a model, it is unreadable in words, or an answer to it is told apart", () => {
  const [{ problem, result }] = answers;
  for (const at of placesOf(problem)) {
    for (const to of odd) {
      const doc = altered(problem, at, to);
      const why = unreadable(doc);
      if (why !== null) assert.match(why, /^[A-Z“].*[.]$/, at.join("."));
      else assert.doesNotThrow(() => faultOf(doc, result) === null && unjudged(doc, result), `${at.join(".")} ${JSON.stringify(to)}`);
    }
  }
  assert.equal(fs.existsSync(files.folder), true);
});

/** A text cut, and with a sign changed, doubled or left out, at places drawn by a seed. @param {string} text @param {number} count */
function* damaged(text, count) {
  for (let i = 0, seed = 7; i < count; i++) {
    seed = (1103515245 * seed + 12345) % 2 ** 31;
    const at = seed % (text.length + 1), sign = String.fromCharCode(32 + (seed >> 8) % 95);
    yield [
      text.slice(0, at),
      text.slice(0, at) + sign + text.slice(at + 1),
      text.slice(0, at) + sign + text.slice(at),
      text.slice(0, at) + text.slice(at + 1),
    ][i % 4];
  }
}

/** Refused in words, by us. @param {unknown} error @returns {true} */
function inWords(error) {
  assert.ok(error instanceof RcmdpError || error instanceof UsageError, String(/** @type {any} */ (error)?.stack));
  assert.match(error.message, /[.?]$/);
  return true;
}

test("a file of runs, a start of one file and its carriers may be damaged anywhere: refused in words, or read", () => {
  const [{ problem, result }] = answers;
  const file = exported([{ problem, result: { ...result, certificate: null, trace: { k: [0, 1] } } }]);
  let read = 0;
  const reads = (/** @type {string} */ text) => {
    try {
      for (const run of readExport(text)) if (run.result) assert.equal(faultOf(run.problem, run.result), null);
      read++;
    } catch (error) {
      inWords(error);
    }
  };
  for (const text of damaged(file, 200)) reads(text);
  const whole = JSON.parse(file);
  for (const at of placesOf(whole)) for (const to of odd) reads(JSON.stringify(altered(whole, at, to)) ?? "");
  assert.ok(read > 20, `${read} read`);
  const start = JSON.stringify({ title: "A <b>", fragment: "#problem=abc" });
  for (const text of damaged(start, 200)) assert.match(fragmentOf(text), /^(#[ -~]*)?$/);
  for (const to of odd) assert.match(fragmentOf(JSON.stringify(altered(JSON.parse(start), ["fragment"], to))), /^(#[ -~]*)?$/);
  const bytes = Uint8Array.from({ length: 300 }, (_, i) => (i * i) % 256);
  for (const text of damaged(toText(bytes), 200)) assert.ok(fromText(text).length <= bytes.length + 2);
});

test("lines of batch and of jobs, and what came back of parts: whatever stands in them, merge and join refuse it in words or claim what holds", async () => {
  const folder = path.join(files.folder, "lines");
  fs.mkdirSync(path.join(folder, "parts", "proof"), { recursive: true });
  const [{ problem, result }] = answers;
  const job = { id: "1", problem, options: {} };
  const done = { id: "1", hash: hashOf(problem, {}), result: { ...result, trace: {} } };
  const [lines, jobs] = [path.join(folder, "lines.ndjson"), path.join(folder, "jobs.ndjson")];
  /** What a verb of the command writes to standard output. @param {() => Promise<unknown>} run */
  const output = async (run) => {
    const write = process.stdout.write, say = process.stderr.write;
    let text = "";
    process.stdout.write = (/** @type {any[]} */ ...parts) =>
      // beside what tests are told by
      typeof parts[0] === "string" && parts[0].startsWith("{") ? Boolean(text += parts[0]) : write.apply(process.stdout, /** @type {any} */ (parts));
    process.stderr.write = () => true;
    try {
      await run();
    } finally {
      process.stdout.write = write;
      process.stderr.write = say;
    }
    return text;
  };
  const merged = async (/** @type {string} */ line, /** @type {string} */ list) => {
    fs.writeFileSync(lines, line);
    fs.writeFileSync(jobs, list);
    const text = await output(() => merge(/** @type {any} */ ({ files: [lines], flags: { jobs }, options: {} }), async () => solver)).catch(inWords);
    if (text === true || text === "") return;
    const judged = JSON.parse(text);
    assert.ok(judged.error || judged.result.status === "proved-optimal" || !claims.test(said(judged.result.status)), text.slice(0, 200));
    if (judged.result) assert.equal((await solver.judge(problem, judged.result)).holds, true, text.slice(0, 200));
  };
  const [line, list] = [JSON.stringify(done), JSON.stringify(job)];
  await merged(line, list);
  for (const [n, at] of placesOf(done).filter((place) => place.length < 4 && !place.includes("options") && !place.includes("certificate")).entries())
    for (const to of odd.filter((_, i) => (i + n) % 6 === 0)) await merged(JSON.stringify(altered(done, at, to)) ?? "", list);
  for (const at of placesOf(job).filter((place) => place.length < 3))
    for (const to of odd.filter((_, i) => i % 3 === at.length)) await merged(line, JSON.stringify(altered(job, at, to)) ?? "");
  for (const text of damaged(line, 24)) await merged(text, list);

  const origin = { build: "b", proof: "p" };
  const part = { format: "rcmdp-part/1", ...origin, back: "cg==" };
  fs.writeFileSync(path.join(folder, "parts", "origin.json"), JSON.stringify(origin));
  /** @type {any[]} */
  let results = [];
  const run = Object.assign((async function*() {})(), { stop() {}, result: Promise.resolve({ ...result, joined: 0 }) });
  const runs = {
    list: async () => [{ id: "x" }],
    get: async () => ({ problem }),
    put: async () => {},
    resume: async (/** @type {string} */ _id, /** @type {any} */ options) => {
      results = options.results;
      return run;
    },
  };
  const joined = async (/** @type {string} */ text) => {
    fs.writeFileSync(path.join(folder, "parts", "part-0.done"), text);
    await output(() =>
      joinParts(
        /** @type {any} */ ({ flags: { parts: path.join(folder, "parts"), quiet: true, json: true }, options: {} }),
        async () => /** @type {any} */ ({ version: { commit: "b" }, runs }),
      )
    );
    return results.length;
  };
  assert.equal(await joined(JSON.stringify(part)), 1);
  for (const at of placesOf(part))
    for (const to of odd)
      assert.equal(
        await joined(JSON.stringify(altered(part, at, to)) ?? ""),
        to === "" && at[0] === "back" || at[0] === "back" && to === "proved-optimal" ? 1 : 0,
      );
  for (const text of damaged(JSON.stringify(part), 60)) await joined(text);
});
