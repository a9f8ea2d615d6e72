// @ts-check
// What is worked out late belongs to the choices that it was worked out from: with the replies of the solver held
// back, a press takes what is chosen, none is lost, and nothing of an earlier choice takes its place.

import assert from "node:assert/strict";
import { test } from "node:test";
import { blankDocument } from "../src/document/reading.js";
import { replaceAt } from "../src/document/patch.js";
import { createLab } from "../src/lab.js";
import { readFragment, writeFragment } from "../src/share/fragment.js";
import { pack } from "../src/share/share.js";
import { fakeSolver } from "./fake-solver.js";

/** @param {{ solver?: any, hash?: string }} [choices] */
function make({ solver = fakeSolver(), hash = "" } = {}) {
  const draft = { text: "" };
  const lab = createLab({
    draft: { read: () => null, write: (text) => void (draft.text = text ?? "") },
    openSolver: async () => solver,
    fragment: () => hash,
    labUrl: () => "https://lab.test/",
    embedUrl: () => "https://lab.test/embed.html",
    stores: true,
  });
  return { lab, solver, draft };
}

async function visit() {
  const made = make();
  await made.lab.boot();
  return made;
}

/** Lets everything run that waits for nobody. */
const turn = () => new Promise((r) => setTimeout(r));
const until = async (/** @type {() => any} */ ready) => {
  for (let i = 0; i < 5000 && !ready(); i++) await new Promise((r) => setTimeout(r, 2));
  assert.ok(ready(), String(ready));
};

/**
 * Holds the replies to a call back, those that `which` takes.
 * @param {any} of @param {string} name @param {(...args: any[]) => boolean} [which]
 */
function hold(of, name, which = () => true) {
  const call = of[name].bind(of);
  /** @type {(() => void)[]} */
  const waiting = [];
  of[name] = async (/** @type {any[]} */ ...args) => {
    const reply = await call(...args);
    if (which(...args)) await new Promise((r) => waiting.push(() => r(undefined)));
    return reply;
  };
  return {
    waits: (n = 1) => until(() => waiting.length >= n),
    /** Lets those go that wait now, and all later ones. */
    async release() {
      which = () => false;
      for (const go of waiting.splice(0)) go();
      await turn();
    },
    /** Lets those go that wait now. */
    async next() {
      for (const go of waiting.splice(0)) go();
      await turn();
    },
  };
}

test("of models asked for one after the other the last one stays, in whatever order they come", async () => {
  const { text, sum } = await pack({ ...blankDocument(), name: "linked" });
  const file = JSON.stringify({ ...blankDocument(), name: "filed" });
  /** @type {Record<string, (lab: import("../src/lab.js").Lab, run: string) => unknown>} */
  const doors = {
    first: (lab) => lab.chooseExample("first", { discount: 0.5 }),
    second: (lab) => lab.chooseExample("second"),
    kept: (lab, run) => lab.openRun(run),
    linked: (lab) => lab.openLink({ problem: text, sum }),
    filed: (lab) => lab.openText(file, "a file"),
    "": (lab) => lab.newModel(),
  };
  for (const [slow, door] of Object.entries(doors).slice(0, 3)) {
    for (const [name, other] of Object.entries(doors)) {
      if (name === slow) continue;
      const { lab, solver } = await visit();
      await solver.runs.put({ id: "of-before", name: "kept", problem: { ...blankDocument(), name: "kept" }, options: { algorithm: "slp" } });
      await lab.newModel();
      const held = slow === "kept" ? hold(solver.runs, "get") : hold(solver, "example", (id) => id === slow);
      void door(lab, "of-before");
      await held.waits();
      await other(lab, "of-before");
      const steps = lab.get().history.past.length;
      await held.release();
      assert.equal(lab.doc().name ?? "", name || blankDocument().name, `${slow}, then ${name || "a new model"}`);
      assert.equal(lab.get().history.past.length, steps);
      assert.equal(lab.get().empty, false);
    }
  }
});

test("what is done to the model waits for the one that was asked for: solving, sharing", async () => {
  const { lab, solver } = await visit();
  const held = hold(solver, "example");
  void lab.chooseExample("second");
  await held.waits();
  const [solving, link] = [lab.askToSolve(), lab.pageLink()];
  await turn();
  assert.equal(lab.get().wanted, true, "the bar says so");
  await held.release();
  await solving;
  assert.deepEqual(solver.solved.filter((/** @type {any} */ { options }) => options.timeLimit === undefined).at(-1).problem.name, "second");
  assert.equal(readFragment(new URL(await link).hash).link.example, "second");
  assert.equal(lab.get().wanted, false);
});

test("parameters of an example that are set in a row all count", async () => {
  const solver = fakeSolver();
  const parameter = { label: "", default: 1, min: 0, max: 9, integer: true };
  solver.examples = async () => [{ id: "first", title: "First", description: "", parameters: [{ ...parameter, name: "a" }, { ...parameter, name: "b" }] }];
  solver.example = async (_id, parameters) => ({ ...blankDocument(), name: JSON.stringify(parameters) });
  const { lab } = make({ solver });
  await lab.boot();
  const held = hold(solver, "example");
  const both = [lab.setParameter("a", 2), lab.setParameter("b", 3)];
  await held.waits();
  await held.release();
  await Promise.all(both);
  assert.deepEqual(JSON.parse(String(lab.doc().name)), { a: 2, b: 3 });
  await lab.setParameter("a", 4);
  assert.deepEqual(JSON.parse(String(lab.doc().name)), { a: 4, b: 3 });
});

test("a link carries the answer of its own model, whatever is edited while it is made", async () => {
  const { lab } = await visit();
  lab.edit(replaceAt(lab.doc(), "/discount", 0.5));
  await lab.solve();
  const { problem = lab.doc() } = lab.answer() ?? {};
  const link = lab.pageLink();
  for (let i = 0; i < 20; i++) await null; // no event comes between, and no compression ends
  lab.edit(replaceAt(lab.doc(), "/discount", 0.6));
  await lab.solve();
  const { link: { problem: text, answer } } = readFragment(new URL(await link).hash);
  assert.equal(text, (await pack(problem)).text);
  assert.ok(answer);
  const before = lab.answer();
  lab.edit(replaceAt(lab.doc(), "/discount", 0.7));
  if (before) assert.equal(readFragment(new URL(await lab.linkTo(before)).hash).link.problem, (await pack(before.problem)).text, "an answer out of date");
});

test("a model is taken in as it was answered last, also while the files are read again", async () => {
  const { lab, solver } = await visit();
  await lab.consider([{ name: "t.csv", data: "a,b\n1,2" }]);
  const held = hold(solver, "inspect");
  void lab.answerImport("discount", 0.3);
  const taken = lab.takeImport();
  await held.waits();
  void lab.answerImport("discount", 0.4);
  await held.waits(2);
  await held.release();
  await taken;
  assert.equal(lab.doc().discount, 0.4);
  assert.equal(lab.get().import, null);
});

test("an estimate is of the choices as they are when it comes, and of none when it was cancelled", async () => {
  const { lab, solver } = await visit();
  const counts = [{ name: "t.csv", data: "a,b\ncount,2" }];
  await lab.consider(counts);
  const held = hold(solver, "estimate");
  const taken = lab.takeImport();
  await held.waits();
  await lab.useCounts({ confidence: 0.8 });
  await held.next();
  await held.waits();
  await held.next();
  await taken;
  assert.equal(lab.doc().name, "l1 0.8");
  assert.equal(lab.get().import, null);
  lab.undo();
  const { doc } = lab.get().history.present;
  await lab.consider([...counts]);
  const cancelled = lab.takeImport();
  await held.waits();
  await lab.cancelImport();
  await held.release();
  await cancelled;
  assert.equal(lab.doc(), doc);
});

test("what a policy on trial is worth is said of that policy only", async () => {
  const { lab, solver } = await visit();
  lab.editPolicy();
  const held = hold(solver, "evaluate");
  void lab.evaluatePolicy();
  await held.waits();
  lab.setPolicy(0, 0, 0.25);
  lab.setPolicy(0, 1, 0.75);
  await held.next();
  assert.equal(lab.get().edit?.outcome, null);
  assert.equal(lab.get().edit?.busy, false);
  const again = lab.evaluatePolicy();
  await held.waits();
  await held.release();
  await again;
  assert.ok(lab.get().edit?.outcome);
});

test("a certificate is judged for the model that was there when it came", async () => {
  const { lab, solver } = await visit();
  const held = hold(solver, "check");
  const tried = lab.openText(JSON.stringify({ format: "rcmdp-certificate/2", about: "first" }), "proof.json");
  await held.waits();
  await lab.newModel();
  await held.release();
  await tried;
  assert.match(lab.get().notices[0].text, /holds for “first”, as it was when the file came/);
});

test("a run that is renamed while it goes on ends under its new name", async () => {
  const solver = fakeSolver({ endless: true, early: true });
  const { lab } = make({ solver, hash: `#problem=${(await pack(blankDocument())).text}` });
  lab.setLive(false);
  const booted = lab.boot();
  await until(() => lab.get().run?.news);
  const solving = lab.askToSolve(); // the one of its own account gives way
  await until(() => lab.get().run?.auto === "" && lab.get().run?.news && solver.kept.size === 1);
  await lab.renameRun(lab.get().run?.id ?? "", "mine");
  lab.stop();
  await Promise.all([booted, solving]);
  assert.equal(lab.answer()?.name, "mine");
  assert.deepEqual([...solver.kept.values()].map(({ name }) => name), ["mine"]);
});

test("an edit made during a run that was asked for is followed when that has ended", async () => {
  const { lab, solver, draft } = await visit();
  const { solve } = solver;
  let end = () => {};
  solver.solve = (/** @type {any} */ problem, /** @type {any} */ options) => {
    const run = solve(problem, options);
    solver.solve = solve;
    const steps = run[Symbol.asyncIterator].bind(run);
    run[Symbol.asyncIterator] = async function*() {
      await new Promise((r) => (end = () => r(undefined)));
      yield* steps();
    };
    return run;
  };
  const solving = lab.solve();
  await until(() => lab.get().run?.id);
  lab.edit(replaceAt(lab.doc(), "/discount", 0.5));
  await until(() => draft.text.includes(`"discount":0.5`)); // the draft is kept after the pause in which an edit begins to be followed
  end();
  await solving;
  assert.equal(lab.shown().fresh, false);
  await until(() => lab.shown().fresh);
  assert.equal(lab.answer()?.problem.discount, 0.5);
});

test("a method chosen while the page is still opening stands", async () => {
  const solver = fakeSolver();
  const held = hold(solver, "validate");
  const { lab } = make({ solver, hash: writeFragment({ problem: (await pack(blankDocument())).text, algorithm: "slp", option: { starts: "7" } }) });
  const booted = lab.boot();
  await until(() => lab.get().engine.phase === "ready");
  lab.setMethod("epirc-pgs");
  await held.release();
  await booted;
  assert.equal(lab.get().method, "epirc-pgs");
});
