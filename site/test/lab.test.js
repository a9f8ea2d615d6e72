// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { addState } from "../src/document/edits.js";
import { blankDocument } from "../src/document/reading.js";
import { createLab } from "../src/lab.js";
import { replaceAt } from "../src/document/patch.js";
import { parseDocument } from "../src/document/json.js";
import { pretty } from "../src/document/pretty.js";
import { pack } from "../src/share/share.js";
import { readFragment, sealed } from "../src/share/fragment.js";
import { expected } from "../src/lab/state.js";
import { own } from "../src/engine/claims.js";
import { examples, fakeSolver } from "./fake-solver.js";

const memory = (/** @type {string | null} */ text = null) => ({
  text,
  read() {
    return this.text;
  },
  /** @param {string | null} t */ write(t) {
    this.text = t;
  },
});

/** @param {{ hash?: string, solver?: any, draft?: any, lastEdit?: any, open?: () => Promise<any>, stores?: boolean, reloaded?: boolean, gallery?: () => Promise<any> }} [choices] */
function make({ hash = "", solver = fakeSolver(), draft = memory(), lastEdit = memory(), open, stores = true, reloaded = false, gallery } = {}) {
  const address = { hash };
  const to = (/** @type {string} */ fragment) => void (address.hash = fragment);
  const lab = createLab({
    openSolver: open ?? (async () => solver),
    fragment: () => address.hash,
    labUrl: () => "https://lab.test/",
    embedUrl: () => "https://lab.test/embed.html",
    stores,
    draft,
    lastEdit,
    address: { replace: to, push: to },
    reloaded: () => reloaded,
    gallery,
  });
  return { lab, solver, draft, lastEdit, address };
}

/** A tab with a history, in the lab's own terms. @param {{ entries?: { hash: string, kept?: any }[], at?: number, open?: () => Promise<any>, gallery?: () => Promise<any> }} [history] */
function tab({ entries = [{ hash: "" }], at = 0, open = async () => fakeSolver(), gallery } = {}) {
  const history = { entries, at };
  const now = () => history.entries[history.at];
  const lab = createLab({
    openSolver: open,
    gallery,
    fragment: () => now().hash,
    kept: () => now().kept ?? null,
    address: {
      replace: (hash, kept) => void (history.entries[history.at] = { hash, kept }),
      push: (hash, kept) => void history.entries.splice(++history.at, Infinity, { hash, kept }),
    },
    labUrl: () => "https://lab.test/",
    embedUrl: () => "https://lab.test/embed.html",
    stores: false,
  });
  return { lab, history, now };
}
const notices = (/** @type {any} */ lab) => lab.get().notices.map((/** @type {any} */ n) => n.text).join("\n");
const until = async (/** @type {() => any} */ ready) => {
  for (let i = 0; i < 5000 && !ready(); i++) await new Promise((r) => setTimeout(r, 2));
  assert.ok(ready(), String(ready));
};

test("the page opens on the first example, solved, and saves nothing that nobody asked for", async () => {
  const { lab, solver } = make();
  await lab.boot();
  assert.equal(lab.doc().name, "first");
  assert.equal(lab.answer()?.result.status, "feasible");
  assert.equal(solver.kept.size, 0);
  assert.equal(lab.get().said, "");
});

test("a large model is solved on arrival for as long as it is expected to need, and waits to be asked when that is long", async () => {
  for (const [seconds, limit] of [[0, 5], [1, 5], [6, 24], [15, 30], [45, NaN]]) {
    const solver = fakeSolver();
    const { validate } = solver;
    const option = { name: "timeLimit", type: "number", default: 30, min: 0, max: 1e6, help: "T." };
    solver.algorithms = async () => [{ id: "solve", title: "Search and proof", solves: "Anything.", options: [option] }];
    solver.validate = async (doc) => ({ ...(await validate(doc)), summary: { seconds, bytes: 45e6 } });
    const { lab } = make({ solver, hash: `#problem=${(await pack(blankDocument())).text}` });
    await lab.boot();
    assert.deepEqual(solver.solved.map((run) => run.options.timeLimit), Number.isNaN(limit) ? [] : [limit], `${seconds} s`);
    assert.equal(lab.answer() === null, Number.isNaN(limit));
    assert.equal(expected(lab.get())?.bytes, seconds > 0 ? 45e6 : undefined);
  }
});

test("a run that a person starts is saved by itself, spoken of, renamed, deleted and brought back", async () => {
  const { lab, solver } = make();
  await lab.boot();
  await lab.solve();
  const id = lab.answer()?.id ?? "";
  assert.deepEqual([...solver.kept.keys()], [id]);
  assert.equal(lab.answer()?.saving, "saved");
  assert.match(lab.get().said, /^Judged in both models of the world, /);
  await lab.renameRun(id, "mine");
  assert.equal(solver.kept.get(id).name, "mine");
  assert.equal(lab.answer()?.name, "mine");
  await lab.deleteRun(id);
  assert.equal(lab.get().runs.list.length, 0);
  assert.equal(lab.answer()?.saving, "");
  lab.get().notices.at(-1)?.actions[0].run();
  await until(() => lab.get().runs.list.length === 1);
  assert.equal(lab.answer()?.saving, "saved");
});

test("a model that leaves while its answer is checked has none solved in its place", async () => {
  const solver = fakeSolver();
  const problem = await solver.example("first", {});
  const result = await solver.solve(problem, { algorithm: "slp" }).result;
  const { lab } = make({ solver, gallery: async () => [{ id: "first", title: "first", parameters: [], problem, result: structuredClone(result) }] });
  const judge = solver.judge;
  let looked = false, go = () => {};
  solver.judge = async (/** @type {any} */ p, /** @type {any} */ told) => {
    looked = true;
    await new Promise((r) => (go = () => r(undefined)));
    return judge(p, told);
  };
  const booted = lab.boot();
  await until(() => looked);
  await lab.newModel();
  go();
  await booted;
  assert.equal(solver.solved.length, 1, "only the answer of the gallery");
});

test("a saved run opens with its model, method and answer, and the model before is one undo away", async () => {
  const { lab } = make();
  await lab.boot();
  lab.setMethod("epirc-pgs");
  lab.setOption("stepSize", 1e-3);
  await lab.solve();
  const id = lab.answer()?.id ?? "";
  await lab.openExample("second");
  lab.setMethod("slp");
  await lab.openRun(id);
  assert.equal(lab.doc().name, "first");
  assert.equal(lab.get().method, "epirc-pgs");
  assert.equal(lab.settings().stepSize, 1e-3);
  assert.equal(lab.answer()?.id, id);
  lab.undo();
  assert.equal(lab.doc().name, "second");
});

test("without storage the list says so, and a read that failed is not an empty list", async () => {
  const { lab } = make({ solver: fakeSolver({ store: "memory" }) });
  await lab.boot();
  await lab.solve();
  assert.equal(lab.get().runs.phase, "memory");
  assert.equal(lab.get().runs.message, "This browser keeps nothing.");
  assert.equal(lab.get().runs.list.length, 1);
  const other = make({ solver: fakeSolver({ store: "failing" }) });
  await other.lab.boot();
  await until(() => other.lab.get().runs.phase !== "loading");
  assert.equal(other.lab.get().runs.phase, "failed");
  await other.lab.solve();
  assert.equal(other.lab.answer()?.saving, "failed");
  assert.match(notices(other.lab), /The run is not saved: The store is busy/);
});

test("a run is noted when it begins, and one that was interrupted is continued with its model and method", async () => {
  const { lab, solver } = make();
  await lab.boot();
  const problem = { ...blankDocument(), name: "long" };
  await solver.runs.put({ id: "old", name: "long", problem, options: { algorithm: "epirc-pgs", stepSize: 0.01 } });
  await lab.loadRuns();
  assert.deepEqual(lab.get().runs.list.map((/** @type {any} */ r) => [r.status, r.resumable]), [["running", true]]);
  await lab.resume("old");
  assert.deepEqual(lab.doc(), problem);
  assert.equal(lab.settings().stepSize, 0.01);
  assert.equal(lab.answer()?.id, "old");
  assert.equal(solver.kept.get("old").result.status, "feasible");
  assert.equal(lab.get().runs.list.length, 1);
});

test("runs go out as text and come in again, once", async () => {
  const { lab, solver } = make();
  await lab.boot();
  await lab.solve();
  const id = lab.answer()?.id ?? "";
  const one = await lab.exportRun(id);
  assert.deepEqual(JSON.parse(one).runs[0].result.trace.maxViolation, [null, 0]);
  solver.kept.clear();
  await lab.importRuns(one);
  assert.equal(notices(lab), "1 run imported.");
  await lab.importRuns(one);
  assert.deepEqual([...solver.kept.keys()], [id]);
  assert.equal(notices(lab), "0 runs imported, 1 there already.");
});

test("stop keeps the best so far, cancel keeps the answer before, and a crash keeps everything", async () => {
  const solver = fakeSolver({ endless: true });
  const { lab } = make({ solver, hash: `#problem=${(await pack(blankDocument())).text}` });
  const booted = lab.boot();
  await until(() => lab.get().run?.news);
  assert.equal(lab.get().run?.auto, "arrival", "a linked model is solved on arrival");
  assert.equal(lab.answer(), null);
  const first = lab.solve(); // what a person asks for goes first
  await booted;
  await until(() => lab.get().run?.auto === "" && lab.get().run?.news);
  lab.stop();
  await first;
  const answer = lab.answer();
  assert.equal(answer?.result.status, "stopped");
  assert.equal(lab.blocked(), "");
  const second = lab.solve();
  await until(() => lab.get().run?.news);
  lab.cancel();
  await second;
  assert.equal(lab.answer()?.result, answer?.result);
  assert.equal(lab.get().run, null);
  assert.equal(solver.kept.size, 1, "a cancelled run leaves nothing behind");
  assert.match(lab.get().said, /Cancelled/);

  const broken = make({ solver: fakeSolver({ crash: true }) });
  await broken.lab.boot();
  assert.match(broken.lab.get().crash?.message ?? "", /The solver ended/);
  assert.equal(broken.lab.get().run, null);
  assert.equal(broken.lab.doc().name, "first");
});

test("what was found unasked stays when a person's run of the model is stopped before it has a policy", async () => {
  const solver = fakeSolver({ endless: true, early: true });
  const { lab } = make({ solver, hash: `#problem=${(await pack(blankDocument())).text}` });
  const booted = lab.boot();
  await until(() => lab.get().run?.saidFeasible);
  const { solve } = solver;
  solver.solve = (/** @type {any} */ problem, /** @type {any} */ options) => { // this one is stopped before it has a policy
    const run = solve(problem, options);
    const result = run.result.then((found) => ({ ...found, status: "stopped", feasible: false, policy: [] }));
    return Object.defineProperty(run, "result", { value: result });
  };
  const asked = lab.solve();
  await booted;
  await until(() => lab.get().run?.auto === "" && lab.get().run?.news);
  const unasked = lab.answer();
  assert.equal(unasked?.result.feasible, true, "its answer is there while the other runs");
  lab.stop();
  await asked;
  assert.equal(lab.answer(), unasked);
  assert.match(notices(lab), /the answer before stays/);
  assert.equal(solver.kept.size, 1, "the stopped run is saved");
});

test("Solve pressed while a followed edit begins to be solved is not lost", async () => {
  const solver = fakeSolver({ endless: true });
  const { lab } = make({ solver });
  const booted = lab.boot();
  await until(() => lab.get().run?.news);
  lab.stop();
  await booted;
  lab.edit((/** @type {any} */ d) => replaceAt(d, "/discount", 0.8));
  const { validate } = solver;
  solver.validate = async (/** @type {any} */ doc) => { // a check so slow that the run nobody asked for begins before its end
    const reply = await validate(doc);
    solver.validate = validate;
    lab.solve({ auto: "live" });
    await until(() => lab.get().run?.auto === "live" && lab.get().run?.news);
    return reply;
  };
  const asked = lab.solve();
  await until(() => lab.get().run?.auto === "" && lab.get().run?.news);
  lab.stop();
  await asked;
  assert.equal(lab.answer()?.result.status, "stopped");
  assert.equal(solver.kept.size, 1, "the run that was asked for");
});

test("faults block solving with the reason, are shown at their place, and their fix repairs them", async () => {
  const { lab, solver } = make();
  await lab.boot();
  lab.edit((/** @type {any} */ d) => replaceAt(d, "/discount", 1));
  assert.equal(lab.blocked(), "", "a check that is going on is waited for");
  await lab.check();
  assert.equal(lab.blocked(), "1 fault in the model or the settings.");
  await lab.solve();
  assert.equal(solver.solved.length, 1);
  lab.look({ tab: "json" });
  await lab.askToSolve();
  assert.equal(lab.get().view.tab, "goal");
  assert.equal(lab.get().focus?.pointer, "/discount");
  assert.equal(solver.solved.length, 1);
  lab.applyFix(lab.faults()[0]);
  assert.equal(lab.blocked(), "1 fault in the model or the settings.", "as was seen last");
  await lab.askToSolve();
  assert.equal(solver.solved.length, 2, "a fault that is mended is in nobody's way");
  assert.equal(lab.doc().discount, 0.99);
  assert.equal(lab.blocked(), "");
  lab.setDraft("/discount", { text: "abc", message: "not a number" });
  assert.equal(lab.faults()[0].message, "not a number");
  assert.equal(lab.blocked(), "1 fault in the model or the settings.");
  lab.setDraft("/discount", null);
  assert.equal(lab.blocked(), "");
});

test("the JSON view and the tables are one document; text that is none is kept and blocks", async () => {
  const { lab } = make();
  await lab.boot();
  lab.look({ tab: "json" });
  const typed = (/** @type {string} */ text) => lab.setJson(text, parseDocument(text));
  const doc = { ...lab.doc(), name: "by hand" };
  typed(pretty(doc));
  assert.equal(lab.doc().name, "by hand");
  typed(pretty(doc).slice(0, -3));
  assert.equal(lab.doc().name, "by hand");
  assert.match(lab.get().json?.message ?? "", /Not JSON yet/);
  assert.match(lab.blocked(), /JSON view/);
  lab.edit((/** @type {any} */ d) => replaceAt(d, "/name", "by table"));
  assert.ok(lab.get().json, "an edit in a table does not throw the text away");
  lab.discardJson();
  assert.equal(lab.get().json, null);
  assert.equal(lab.doc().name, "by table");
});

test("typing is one undo step, other edits are their own, and undo brings back everything", async () => {
  const { lab } = make();
  await lab.boot();
  const before = lab.doc();
  for (const name of ["a", "ab", "abc"]) lab.edit((/** @type {any} */ d) => replaceAt(d, "/name", name), "/name");
  lab.settle();
  lab.reshape(addState);
  assert.equal(lab.doc().states.length, 3);
  lab.undo();
  lab.undo();
  assert.equal(lab.doc(), before);
  lab.redo();
  assert.equal(lab.doc().name, "abc");
});

test("a link with a model opens it and solves it on arrival, with its method", async () => {
  const doc = { ...blankDocument(), name: "sent" };
  const { text, sum } = await pack(doc);
  const { lab, solver } = make({ hash: `#problem=${text}&sum=${sum}&algorithm=epirc-pgs&option.stepSize=0.001` });
  await lab.boot();
  assert.deepEqual(lab.doc(), doc);
  assert.equal(lab.get().method, "epirc-pgs");
  assert.deepEqual(lab.settings(), { outerIterations: 20, innerIterations: 10000, stepSize: 0.001, earlyStop: false });
  assert.deepEqual(solver.solved.map((/** @type {any} */ s) => [s.options.algorithm, s.options.stepSize]), [["epirc-pgs", 0.001]]);
  assert.deepEqual(lab.answer()?.problem, doc);
  assert.equal(solver.kept.size, 0, "nobody asked for it");
});

test("a cut, damaged or unknown link shows its message on an empty page, never a solved example", async () => {
  const { text, sum } = await pack(blankDocument());
  const whole = sealed(`#problem=${text}&sum=${sum}`);
  const bad = [
    `#problem=${text.slice(0, -9)}&sum=${sum}`,
    `#problem=${text}&sum=00000000`,
    "#problem=",
    "#example=nonsense",
    "#v2=00000000&example=first",
    "#v1",
    "#v",
  ];
  for (let n = 4; n < whole.length; n += 7) bad.push(whole.slice(0, n), whole.slice(0, n) + "A" + whole.slice(n + 1));
  for (const hash of bad.filter((h) => h !== whole)) {
    const { lab, solver } = make({ hash });
    await lab.boot();
    assert.equal(lab.get().empty, true, hash);
    assert.equal(lab.answer(), null, hash);
    assert.equal(solver.solved.length, 0, hash);
    assert.equal(lab.get().notices.length, 1, hash);
    assert.equal(lab.blocked(), "There is no model.", hash);
    lab.get().notices[0].actions[0].run();
    await until(() => lab.get().opened && !lab.get().empty);
    assert.equal(lab.doc().name, "first", hash);
  }
  for (const hash of ["#algorithm=nonsense", "#view=3"]) {
    const { lab } = make({ hash });
    await lab.boot();
    assert.equal(lab.doc().name, "first", hash);
    assert.ok(notices(lab).length > 0, hash);
  }
});

test("a link followed while there is work opens beside it: the work is one undo away", async () => {
  const { lab, address } = make();
  await lab.boot();
  lab.edit((/** @type {any} */ d) => replaceAt(d, "/name", "my work"));
  address.hash = "#example=second";
  await lab.followFragment();
  assert.equal(lab.doc().name, "second");
  lab.undo();
  assert.equal(lab.doc().name, "my work");
});

test("Back and a reload bring back a model that is too long for the address; another tab says why it cannot", async () => {
  const { lab, history, now } = tab();
  await lab.boot();
  await until(() => now().hash !== "");
  const names = Array.from({ length: 3000 }, (_, i) => `${Math.sin(i)} of ${Math.cos(i)}`); // not to be packed short
  const long = { ...blankDocument(), name: "long", description: names.join(" ") };
  await lab.openText(JSON.stringify(long), "long.json");
  await until(() => /kept=/.test(now().hash));
  assert.ok(now().hash.length < 300, now().hash);
  await lab.openExample("second");
  await until(() => /example=second/.test(now().hash));
  assert.equal(history.entries.length, 3);

  history.at = 1;
  await lab.followFragment();
  assert.deepEqual(lab.doc(), long);
  const again = tab({ entries: structuredClone(history.entries), at: 1 });
  await again.lab.boot();
  assert.deepEqual(again.lab.doc(), long);
  const elsewhere = tab({ entries: [{ hash: now().hash }] });
  await elsewhere.lab.boot();
  assert.equal(elsewhere.lab.get().empty, true);
  assert.match(notices(elsewhere.lab), /only the tab that it was made in has it/);
});

/** Both examples with their answers, as a build brings them. */
const gallery = async () => {
  const solver = fakeSolver();
  return Promise.all(examples.map(async (example) => {
    const problem = await solver.example(example.id, { discount: 0.9 });
    return { ...example, problem, result: await solver.solve(problem, { algorithm: "slp" }).result };
  }));
};

test("Back from an example that was chosen at once, or before the solver was there, returns to what stood before it in the lab", async () => {
  for (const early of [false, true]) {
    /** @type {(solver: any) => void} */
    let load = () => {};
    const { lab, history, now } = tab({ open: () => new Promise((resolve) => void (load = resolve)), gallery });
    const boot = lab.boot();
    await until(() => lab.get().opened);
    if (!early) {
      load(fakeSolver());
      await boot;
    }
    await lab.openExample("second"); // the address of the first is not written yet
    await until(() => /example=second/.test(now().hash));
    assert.deepEqual(history.entries.map(({ hash }) => hash === ""), [true, false], "the first page is a step back");
    if (early) {
      load(fakeSolver());
      await boot;
    }
    history.at = 0;
    await lab.followFragment();
    assert.equal(lab.doc().name, "first");
    await until(() => /example=first/.test(now().hash));
    assert.equal(history.at, 0, "which it stays: Forward leads to the second again");
    history.at = 1;
    await lab.followFragment();
    assert.equal(lab.doc().name, "second");
    // A link that somebody follows is one step, however it is written.
    history.entries.splice(++history.at, Infinity, { hash: "#example=first" });
    await lab.followFragment();
    await until(() => /^#v1=/.test(now().hash));
    assert.deepEqual([lab.doc().name, history.entries.length, history.at], ["first", 3, 2]);
  }
});

test("the link of a page opens the same model and settings on another", async () => {
  const { lab } = make();
  await lab.boot();
  lab.setMethod("slp");
  lab.setOption("starts", 9);
  await lab.setParameter("discount", 0.5);
  const link = await lab.pageLink();
  assert.match(link, /^https:\/\/lab\.test\/#v1=[0-9a-f]{8}&example=first&param\.discount=0\.5&algorithm=slp&option\.starts=9$/);
  lab.edit((/** @type {any} */ d) => replaceAt(d, "/name", "γ & co"));
  const own = await lab.pageLink();
  const there = make({ hash: own.slice(own.indexOf("#")) });
  await there.lab.boot();
  assert.deepEqual(there.lab.doc(), lab.doc());
  assert.equal(there.lab.settings().starts, 9);
  const { link: embedded } = readFragment(await lab.fragment({ run: true, more: { theme: "dark", hide: "proof,lab" } }));
  assert.deepEqual([embedded.run, embedded.theme, embedded.hide], [true, "dark", "proof,lab"]);
  assert.equal(readFragment(own.slice(own.indexOf("#"))).unknown.length, 0);
});

test("a reload brings back the model, the settings and the saved answer", async () => {
  const { lab, draft, lastEdit, solver } = make();
  await lab.boot();
  lab.edit((/** @type {any} */ d) => replaceAt(d, "/name", "my work"));
  lab.setOption("starts", 7);
  await lab.solve();
  lab.look({ open: true, tab: "json", panel: "why" });
  lab.setJson("{ half", { ok: false, message: "It ends too soon." });
  lab.keepDraft();
  const again = make({ draft, lastEdit, solver });
  await again.lab.boot();
  assert.deepEqual([again.lab.get().view, again.lab.get().json?.text], [lab.get().view, "{ half"]);
  again.lab.discardJson();
  assert.equal(again.lab.doc().name, "my work");
  assert.equal(again.lab.settings().starts, 7);
  assert.equal(again.lab.answer()?.id, lab.answer()?.id);
  assert.equal(solver.solved.length, 2, "nothing is solved again");
  assert.equal(again.lab.shown().fresh, true);
  const later = make({ lastEdit });
  await later.lab.boot();
  assert.equal(later.lab.doc().name, "first");
  assert.match(notices(later.lab), /“my work”, is kept/);
});

test("a reload keeps what is looked at, and what is opened while it goes on stays open", async () => {
  const { lab, draft, solver } = make();
  await lab.boot();
  lab.look({ panel: "search" });
  lab.keepDraft();
  for (const opens of [{}, { open: true }, { panel: "proof" }]) {
    const again = make({ draft: { ...draft }, solver });
    const booted = again.lab.boot();
    await until(() => again.lab.get().opened);
    again.lab.look(opens);
    await booted;
    assert.deepEqual(again.lab.get().view, { ...lab.get().view, ...opens });
  }
});

test("a reload brings back an answer that nobody has saved, drawn with its model, and checks it anew", async () => {
  const { lab, draft, solver } = make({ stores: false });
  await lab.boot();
  lab.edit((/** @type {any} */ d) => replaceAt(d, "/discount", 0.5));
  await lab.solve();
  const { id = "" } = lab.answer() ?? {};
  const solved = solver.solved.length;
  const again = () => make({ draft: { ...draft }, solver, stores: false });

  lab.keepDraft();
  const { lab: fresh } = again();
  /** @type {string[]} */
  const drawn = [];
  fresh.store.subscribe(() => fresh.get().opened && drawn.push(`${fresh.answer()?.id} ${fresh.answer()?.result.status}`));
  await fresh.boot();
  assert.equal(drawn[0], `${id} unchecked`, "what it claims waits for the check");
  assert.equal(drawn.at(-1), `${id} feasible`);
  assert.deepEqual([fresh.shown().fresh, fresh.answer()?.saving, solver.solved.length], [true, "", solved]);

  lab.edit((/** @type {any} */ d) => replaceAt(d, "/discount", 1)); // a fault: what stands there is the answer of before
  await until(() => lab.faults().length > 0);
  lab.keepDraft();
  const { lab: stale } = again();
  await stale.boot();
  assert.deepEqual([stale.answer()?.id, stale.shown().fresh, stale.answer()?.problem.discount, stale.doc().discount], [id, false, 0.5, 1]);
  stale.undo();
  assert.equal(stale.shown().fresh, true);
});

test("a reload in the middle of a reload loses nothing", async () => {
  const { lab, draft, solver } = make();
  await lab.boot();
  lab.edit((/** @type {any} */ d) => replaceAt(d, "/name", "my work"));
  lab.setOption("starts", 7);
  await lab.solve();
  lab.keepDraft();
  for (const ready of [false, true]) { // before its model is there, and before the solver is
    const cut = make({ draft, open: () => new Promise(() => {}) });
    void cut.lab.boot();
    if (ready) await until(() => cut.lab.get().opened);
    cut.lab.keepDraft();
  }
  const again = make({ draft, solver });
  await again.lab.boot();
  assert.deepEqual([again.lab.doc().name, again.lab.settings().starts, again.lab.answer()?.id], ["my work", 7, lab.answer()?.id]);
});

test("an answer in a draft that does not hold, or is none, is not shown as found", async () => {
  const { lab, draft, solver } = make();
  await lab.boot();
  lab.edit((/** @type {any} */ d) => replaceAt(d, "/discount", 0.5));
  await lab.solve();
  lab.keepDraft();
  for (const [from, to, said] of /** @type {const} */ ([["\"value\":3", "\"value\":2", /does not hold/], ["\"feasible\":true", "\"feasible\":7", /^$/]])) {
    const damaged = draft.text?.replace(from, to).replaceAll(lab.answer()?.id ?? "", "gone") ?? "";
    assert.notEqual(damaged, draft.text);
    const again = make({ draft: memory(damaged), solver });
    await again.lab.boot();
    assert.equal(again.lab.answer()?.result.objective.value, 3);
    assert.equal(again.lab.shown().fresh, true);
    assert.equal(again.lab.answer()?.saving, "", "it is not saved");
    assert.match(notices(again.lab), said);
  }
});

test("a run that a reload cuts off is offered to be continued, and the answer of before stands there", async () => {
  const { lab, draft, solver } = make();
  await lab.boot();
  await lab.solve();
  const before = lab.answer()?.id;
  const endless = fakeSolver({ endless: true });
  Object.assign(solver, { solve: endless.solve });
  void lab.solve();
  await until(() => lab.get().run?.news);
  const cut = lab.get().run?.id ?? "";
  await until(() => solver.kept.has(cut));
  lab.keepDraft();
  const again = make({ draft, solver: Object.assign(fakeSolver(), { kept: solver.kept, runs: solver.runs }) });
  await again.lab.boot();
  await until(() => again.lab.get().notices.length > 0);
  assert.deepEqual([again.lab.answer()?.id, again.lab.shown().fresh, again.lab.get().run], [before, true, null]);
  assert.match(notices(again.lab), /“.*” was interrupted/);
  solver.runs.solver = fakeSolver();
  again.lab.get().notices[0].actions[0].run();
  await until(() => again.lab.answer()?.id === cut);
  assert.equal(again.lab.get().runs.list.find((/** @type {any} */ r) => r.id === cut)?.status, "feasible");
});

test("a reload that sets out before the address has followed an edit brings the edit back; a link to the example does not", async () => {
  const { lab, draft, solver, address } = make();
  await lab.boot();
  await until(() => address.hash !== "");
  const before = address.hash;
  lab.edit((/** @type {any} */ d) => replaceAt(d, "/name", "my work"));
  await until(() => address.hash !== before);
  for (const [hash, reloaded, name] of /** @type {const} */ ([[before, true, "my work"], [address.hash, false, "my work"], [before, false, "first"]])) {
    const again = make({ hash, draft: { ...draft }, solver, reloaded });
    await again.lab.boot();
    assert.equal(again.lab.doc().name, name);
  }
});

test("a link that comes just before the address follows the model is not written over", async () => {
  const { lab, address } = make();
  await lab.boot();
  await until(() => address.hash !== "");
  lab.edit((/** @type {any} */ d) => replaceAt(d, "/name", "my work"));
  address.hash = "#v1=00000000&example=first";
  await new Promise((r) => setTimeout(r, 400));
  assert.equal(address.hash, "#v1=00000000&example=first");
  await lab.followFragment();
  assert.equal(lab.get().empty, true);
});

test("a solver that does not load says why, and Retry starts it", async () => {
  let tries = 0;
  const { lab } = make({
    open: async () => {
      if (tries++ === 0) throw new Error("it answered 404");
      return fakeSolver();
    },
  });
  await lab.boot();
  assert.deepEqual([lab.get().engine.phase, lab.get().engine.message], ["failed", "It answered 404"]);
  await lab.retry();
  assert.equal(lab.get().engine.phase, "ready");
  assert.ok(lab.answer());
});

test("files open by what they are: a model, a policy, saved runs, or a sentence that says why not", async () => {
  const { lab, solver } = make();
  await lab.boot();
  await lab.openText(JSON.stringify({ ...blankDocument(), name: "from a file" }), "a.json");
  assert.equal(lab.doc().name, "from a file");
  const { states, actions } = /** @type {any} */ (lab.answer()).problem;
  await lab.openText(JSON.stringify({ format: "rcmdp-policy/1", states, actions, probabilities: [[1, 0], [0, 1]] }), "p.json");
  assert.equal(lab.get().edit?.outcome?.returns[0].value, 5);
  lab.setPolicy(0, 0, 0.5);
  await lab.evaluatePolicy();
  assert.match(lab.get().edit?.message ?? "", /does not sum to 1/);
  await lab.openText(JSON.stringify({ format: "rcmdp-policy/1", states: ["x"], actions, probabilities: [] }), "q.json");
  assert.match(notices(lab), /policy of another model/);
  await lab.openText(
    JSON.stringify({ format: "rcmdp-runs/1", runs: [{ id: "r", name: "r", options: {}, result: { status: "feasible", objective: {} } }] }),
    "runs.json",
  );
  assert.ok(solver.kept.has("r"));
  await lab.openText("{\"format\": \"rcmdp/1\",", "broken.json");
  assert.match(notices(lab), /broken\.json was not opened\. Not JSON yet/);
  await lab.openText("{\"states\": [\"a\"]}", "half.json");
  assert.match(notices(lab), /half\.json was not opened\. “actions” is not a list of names/);
});

test("a model of another tool is looked at, its open questions answered, and taken in with a report", async () => {
  const { lab } = make();
  await lab.boot();
  const before = lab.doc();
  await lab.openFiles([new File(["a,b\n1,2"], "table.csv")]);
  assert.equal(lab.get().import?.found?.title, "Table");
  assert.equal(lab.doc(), before, "looking changes nothing");
  await lab.answerImport("discount", 0.5);
  await lab.takeImport();
  assert.equal(lab.get().import, null);
  assert.deepEqual([lab.doc().discount, lab.doc().name], [0.5, blankDocument().name]);
  const { origin } = lab.get().history.present;
  assert.deepEqual(origin.kind === "file" && origin.imported?.report, ["a row was changed"]);
  lab.undo();
  assert.equal(lab.doc(), before);
});

test("what cannot be read keeps its dialog with the reasons, and is not taken in", async () => {
  const { lab } = make();
  await lab.boot();
  const before = lab.doc();
  await lab.openText("good morning", "letter.txt");
  assert.equal(lab.get().import?.found?.errors.length, 1);
  await lab.takeImport();
  assert.equal(lab.doc(), before);
  await lab.cancelImport();
  assert.equal(lab.get().import, null);
});

test("counts become a robust model at the confidence that is said", async () => {
  const { lab } = make();
  await lab.boot();
  await lab.openText("a,b,count\n1,2,3", "counts.csv");
  await lab.useCounts({ confidence: 0.8 });
  await lab.takeImport();
  assert.equal(lab.doc().name, "l1 0.8");
});

test("text in the JSON view that is another tool's says what it looks like", async () => {
  const { lab } = make();
  await lab.boot();
  lab.setJson("a,b\n1,2", parseDocument("a,b\n1,2"));
  await lab.looksLike("a,b\n1,2");
  assert.equal(lab.get().json?.looks, "Table");
});

test("an embed stores nothing", async () => {
  const { lab, solver } = make({ stores: false });
  await lab.boot();
  await lab.solve();
  assert.equal(solver.kept.size, 0);
  assert.equal(lab.answer()?.saving, "");
});

test("a check that ends when another result of the same run is shown says nothing of that one", async () => {
  const solver = fakeSolver(), { check } = solver;
  let goOn = () => {};
  solver.check = async (...of) => {
    await new Promise((resolve) => (goOn = () => resolve(undefined)));
    return check(...of);
  };
  const { lab } = make({ solver });
  await lab.boot();
  const checking = lab.checkAnswer();
  lab.set((s) => ({ answers: s.answers.map((a) => ({ ...a, result: own({ ...a.result }) })), report: null }));
  goOn();
  await checking;
  assert.equal(lab.get().report, null);
});

test("the proof of an answer is checked again on demand, and a certificate from a file against the model", async () => {
  const { lab } = make();
  await lab.boot();
  await lab.checkAnswer();
  assert.deepEqual(lab.get().report, { busy: false, ok: true, reasons: ["the policy costs 3"], message: "" });
  await lab.solve();
  assert.equal(lab.get().report, null, "another answer, another proof");
  await lab.openText(JSON.stringify({ format: "rcmdp-certificate/2", about: "first" }), "proof.json");
  assert.match(notices(lab), /proof\.json holds for this model: no stationary policy is better than 2\./);
  await lab.openText(JSON.stringify({ format: "rcmdp-certificate/2", about: "other" }), "proof.json");
  assert.match(notices(lab), /proof\.json does not hold for this model\. It is about another problem/);
});
