// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { edited, redone, settled, startHistory, STEPS, undone } from "../src/document/history.js";
import { ticks, linear, extent, shade } from "../src/picture/scale.js";
import { pretty } from "../src/document/pretty.js";
import { parseDocument } from "../src/document/json.js";
import { faultsAt, faultsWithin, nearest, placeOf, placeWords } from "../src/document/faults.js";
import { blankDocument } from "../src/document/reading.js";
import { initialState, remarksOf, remarksOnResult } from "../src/lab/state.js";
import fs from "node:fs";

test("undo and redo walk any script of edits back and forth", () => {
  let h = startHistory(0);
  for (let i = 1; i <= 60; i++) h = edited(h, i);
  for (let i = 59; i >= 0; i--) {
    h = undone(h);
    assert.equal(h.present, i);
  }
  assert.equal(undone(h), h);
  for (let i = 1; i <= 60; i++) h = redone(h);
  assert.equal(h.present, 60);
  assert.equal(redone(h), h);
});

test("typing in one field is one step until it settles, and an edit after undo drops the redo", () => {
  let h = startHistory("a");
  h = edited(edited(h, "b", "/x"), "c", "/x");
  assert.equal(undone(h).present, "a");
  h = edited(settled(h), "d", "/x");
  assert.equal(undone(h).present, "c");
  h = edited(undone(h), "e");
  assert.equal(redone(h).present, "e");
  assert.equal(edited(h, "e"), h);
});

test("a hundred steps are kept and no more", () => {
  let h = startHistory(0);
  for (let i = 1; i <= 250; i++) h = edited(h, i);
  assert.equal(h.past.length, STEPS);
  for (let i = 0; i < 300; i++) h = undone(h);
  assert.equal(h.present, 150);
});

test("ticks are round, inside the domain and about as many as wanted", () => {
  assert.deepEqual(ticks([0, 10]), [0, 2, 4, 6, 8, 10]);
  assert.deepEqual(ticks([0.12, 0.31]), [0.15, 0.2, 0.25, 0.3]);
  assert.deepEqual(ticks([-1, 1], 4), [-1, -0.5, 0, 0.5, 1]);
  assert.deepEqual(ticks([2, 2]), [2]);
  assert.deepEqual(ticks([NaN, 1]), []);
  for (const [lo, hi] of [[0, 1e-9], [1e8, 1e8 + 1], [-5, 1e6]]) {
    const t = ticks(/** @type {[number, number]} */ ([lo, hi]));
    assert.ok(t.length >= 3 && t.length <= 11 && t.every((x) => x >= lo - 1e-6 && x <= hi + 1e-6), `${lo} ${hi}: ${t}`);
  }
});

test("scales hit the ends of their range, and the shade of a heat map grows with the probability", () => {
  const scale = linear([2, 4], [100, 0]);
  assert.equal(scale(2), 100);
  assert.equal(scale(4), 0);
  assert.equal(linear([1, 1], [0, 10])(1), 5);
  assert.equal(shade(0), 0);
  assert.ok(shade(0.2) < shade(0.3) && shade(2) === shade(1));
  assert.deepEqual(extent([3, NaN, 1, Infinity]), [1, 3]);
  assert.equal(extent([NaN]), null);
});

test("a pretty document parses to the same value, with rows of numbers on a line", () => {
  const folder = new URL("../../core/testdata/fixtures/problems/", import.meta.url);
  for (const name of fs.readdirSync(folder)) {
    const doc = JSON.parse(fs.readFileSync(new URL(name, folder), "utf8"));
    const text = pretty(doc);
    assert.deepEqual(JSON.parse(text), doc, name);
    assert.ok(text.split("\n").every((line) => line.length < 240), name);
  }
  assert.equal(pretty({ a: [1, 2], b: {} }), "{\n  \"a\": [1, 2],\n  \"b\": {}\n}");
  for (const x of [null, 3, "x", [], [[]], {}, [{ a: [] }]]) assert.deepEqual(JSON.parse(pretty(x)), x);
});

test("text that is not JSON says where it stops being JSON", () => {
  const parsed = parseDocument("{\n  \"a\": 1,\n  \"b\": ]\n}");
  assert.ok(!parsed.ok && /line 3, column 8 found "]" where a value was expected/.test(parsed.message), JSON.stringify(parsed));
  assert.ok(!parseDocument("  ").ok);
  for (
    const [bad, want] of [
      ["[1, 2", /column 6 the text ends where “,” or “]” was expected/],
      ["{\"a\" 1}", /found "1" where “:”/],
      ["{a: 1}", /found "a" where a name in quotes or “}”/],
      ["[1,]", /column 4 found "]" where a value/],
      ["{\"a\": 1,}", /a name in quotes was/],
      ["[1] 2", /found "2" where the end/],
      ["[01]", /column 3 found "1"/],
      ["[NaN]", /column 2 found "N"/],
      ["\"abc", /column 1/],
      ["[1}", /found "}"/],
      ["{]", /found "]"/],
    ]
  ) {
    const p = parseDocument(/** @type {string} */ (bad));
    assert.ok(!p.ok && /** @type {RegExp} */ (want).test(p.message), `${bad}: ${JSON.stringify(p)}`);
  }
  assert.deepEqual(parseDocument("[1]"), { ok: true, value: [1] });
});

test("every fault has a tab, and the right table and row on it", () => {
  const doc = blankDocument();
  for (
    const [pointer, want] of /** @type {[string, object][]} */ ([
      ["/discount", { tab: "goal" }],
      ["/states/1", { tab: "states", state: 1 }],
      ["/initial", { tab: "states" }],
      ["/actions/0", { tab: "states" }],
      ["/objective/values/1/0", { tab: "costs", cost: 0, state: 1 }],
      ["/objective/sense", { tab: "goal" }],
      ["/constraints/0/atMost", { tab: "goal" }],
      ["/constraints/0/values/0/1", { tab: "costs", cost: 1, state: 0 }],
      ["/uncertainty/kernels/1/transitions/0/1", { tab: "nature", kernel: 1, state: 0 }],
      ["/uncertainty/kernels/1/name", { tab: "nature", kernel: 1 }],
      ["/uncertainty/radius", { tab: "nature" }],
      ["/uncertainty/upper/1/0", { tab: "nature", kernel: 1, state: 1 }],
      ["/nonsense", { tab: "json" }],
      ["", { tab: "json" }],
      ["/objective/nonsense", { tab: "json" }],
      ["not a pointer", { tab: "json" }],
    ])
  ) assert.deepEqual(placeOf(pointer, doc), want, pointer);
  const fault = { pointer: "/uncertainty/nominal/entries/3", message: "", state: "broken", action: "repair" };
  assert.deepEqual(placeOf(fault.pointer, doc, fault), { tab: "nature", kernel: 0, state: 1 });
  assert.equal(placeWords(fault, doc), "nominal, broken, repair");
  assert.equal(placeWords({ pointer: "/constraints/0/atMost", message: "" }, doc), "limit downtime");
  assert.equal(placeWords({ pointer: "/initial/1", message: "" }, doc), "initial distribution, broken");
});

test("faults are found by place, and focus goes to the nearest place that is shown", () => {
  const faults = [{ pointer: "/a/1", message: "x" }, { pointer: "/a/10", message: "y" }, { pointer: "/a/1/2", message: "z" }];
  assert.equal(faultsAt(faults, "/a/1").length, 1);
  assert.equal(faultsWithin(faults, "/a/1").length, 2);
  assert.equal(nearest(["/a", "/a/1/2", "/b"], "/a/1/2"), "/a/1/2");
  assert.equal(nearest(["/a", "/b"], "/a/1/2"), "/a");
  assert.equal(nearest(["/b/0/1"], "/b/0"), "/b/0/1");
  assert.equal(nearest(["/b"], "/c"), undefined);
});

test("the order of axes is remarked on where a document was written by hand, and nothing is remarked on twice", () => {
  const [axes, other] = ["there are as many states as actions, so the shape of a table does not say which comes first", "a limit can never be violated"];
  const blank = initialState();
  const check = { doc: blank.history.present.doc, errors: [], warnings: [axes, other], summary: null };
  const from = (/** @type {any} */ origin, /** @type {any} */ view = {}) =>
    remarksOf({ ...blank, check, view: { ...blank.view, ...view }, history: startHistory({ ...blank.history.present, origin }) });
  assert.deepEqual(from({ kind: "blank" }), [other]);
  assert.deepEqual(from({ kind: "file", name: "model.json" }), [axes, other]);
  assert.deepEqual(from({ kind: "file", name: "P.npy", imported: { title: "", report: [], warnings: [] } }), [other]);
  assert.deepEqual(from({ kind: "blank" }, { tab: "json" }), [axes, other]);
  assert.deepEqual(remarksOnResult({ warnings: [axes, other, "stopped in a long step"] }, { ...blank, check }), ["stopped in a long step"]);
});
