// @ts-check
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { plainEdits, plainKinds, plainTransitions } from "./plain.js";

const { blankDocument } = plainEdits;
const { converted, kindOf, kinds, radiusAs, setPhrase, supportPhrase, supportSentence } = plainKinds;
const { denseRow } = plainTransitions;

const finite = blankDocument();
const withSet = (/** @type {any} */ uncertainty) => ({ ...finite, uncertainty });

test("every kind converts to every other with the fields that its own form has and no others", () => {
  for (const from of kinds) {
    const doc = withSet(converted(finite, from.id));
    for (const to of kinds) {
      const u = converted(doc, to.id);
      assert.equal(u.kind, to.id);
      const want = { kernels: ["kind", "kernels"], bounds: ["kind", "lower", "upper"], nominal: ["kind", "nominal", ...to.fields] }[to.body];
      assert.deepEqual(Object.keys(u).sort(), [...want].sort(), `${from.id} -> ${to.id}`);
      assert.ok(setPhrase(u).length > 0);
    }
  }
});

test("a list of kernels becomes a ball around its first, and a ball a list of its nominal kernel", () => {
  const ball = converted(finite, "l1");
  assert.deepEqual(ball.nominal, finite.uncertainty.kernels[0].transitions);
  assert.deepEqual(converted(withSet(ball), "finite").kernels, [{ name: "nominal", transitions: ball.nominal }]);
});

test("the intervals made from a list of kernels just hold them all", () => {
  const { lower, upper } = converted(finite, "interval");
  assert.deepEqual(lower, [[[0.7, 0.1], [1, 0]], [[0, 1], [0.6, 0.1]]]);
  assert.deepEqual(upper, [[[0.9, 0.3], [1, 0]], [[0, 1], [0.9, 0.4]]]);
});

test("intervals around a sparse kernel list the same pairs at both ends, zeros too", () => {
  const names = { states: finite.states, actions: finite.actions };
  const nominal = {
    entries: [["working", "wait", "working", 0.9], ["working", "wait", "broken", 0.1], ["working", "repair", "working", 1], [
      "broken",
      "repair",
      "working",
      0.05,
    ], ["broken", "repair", "broken", 0.95]],
  };
  const { lower, upper } = converted(withSet({ kind: "l1", nominal, radius: 0.2 }), "interval");
  assert.deepEqual(lower.entries.map((/** @type {any} */ x) => x.slice(0, 3)), upper.entries.map((/** @type {any} */ x) => x.slice(0, 3)));
  assert.deepEqual(denseRow(lower, 0, 0, names), [0.8, 0]);
  assert.deepEqual(denseRow(upper, 0, 0, names), [1, 0.2]);
  assert.equal(denseRow(lower, 1, 0, names), null);
});

test("the midpoint of intervals is a distribution within them", () => {
  const doc = withSet({ kind: "interval", lower: [[[0.2, 0.3], [1, 0]], [[0, 0.5], [0, 0]]], upper: [[[0.9, 0.6], [1, 0]], [[0.5, 1], [1, 1]]] });
  const { nominal } = converted(doc, "kl");
  nominal.flat().forEach((/** @type {number[]} */ row, /** @type {number} */ i) => {
    assert.ok(Math.abs(row[0] + row[1] - 1) < 1e-11);
    row.forEach((p, j) => assert.ok(p >= doc.uncertainty.lower.flat()[i][j] - 1e-12 && p <= doc.uncertainty.upper.flat()[i][j] + 1e-12));
  });
});

test("total variation is half of L1 both ways, and a share never passes 1", () => {
  const l1 = { ...converted(finite, "l1"), radius: 1.5 };
  const tv = converted(withSet(l1), "tv");
  assert.equal(tv.radius, 0.75);
  assert.equal(converted(withSet(tv), "l1").radius, 1.5);
  assert.equal(converted(withSet(l1), "contamination").radius, 1);
  assert.deepEqual(converted(withSet({ ...l1, radius: [[1, null], [0.5, 2]] }), "tv").radius, [[0.5, null], [0.25, 1]]);
});

test("one radius becomes one for each pair and back to the largest", () => {
  const doc = withSet({ ...converted(finite, "l1"), radius: 0.3 });
  const each = radiusAs(doc, "each");
  assert.deepEqual(each, [[0.3, 0.3], [0.3, 0.3]]);
  assert.equal(radiusAs(withSet({ ...doc.uncertainty, radius: [[0.1, 0.7], [null, 0.2]] }), "one"), 0.7);
});

test("every kind but a list says where worst cases may move probability", () => {
  for (const kind of kinds) {
    const said = supportSentence(converted(finite, kind.id));
    assert.equal(said === "", kind.id === "finite", kind.id);
  }
  assert.match(supportSentence({ kind: "l1", support: "all" }), /any state/);
  assert.equal(setPhrase({ kind: "l1", radius: 0.3 }) + supportPhrase({ kind: "l1", radius: 0.3 }), "L1 ball, radius 0.3, to nominal successors only");
  assert.equal(supportPhrase({ kind: "tv", support: "all" }), ", to any state");
  assert.equal(supportPhrase({ kind: "kl", support: "all" }), ", to nominal successors only");
  assert.equal(supportPhrase({ kind: "interval" }) + supportPhrase({ kind: "finite" }), "");
  assert.equal(kindOf("nonsense"), undefined);
});

test("the table of kinds alone tells kinds apart by name; others ask what a set is, or what its document gives", () => {
  const ids = kinds.map((k) => k.id).join("|");
  const branch = new RegExp(`(?:[!=]==|case) "(?:${ids})"|"(?:${ids})" [!=]==|[{,]\\s*"?(?:${ids})"?:`, "g");
  for (const way of ["if (u.kind === \"l1\")", "case \"kl\":", "\"finite\" !== kind", "{ tv: 1 }[kind]"]) assert.match(way, new RegExp(branch.source));
  const source = new URL("../src/", import.meta.url);
  const files = readdirSync(source, { recursive: true }).map(String).filter((name) => name.endsWith(".js"));
  assert.ok(files.length > 100);
  assert.deepEqual(files.flatMap((name) => [...readFileSync(new URL(name, source), "utf8").matchAll(branch)].map(([found]) => `${name}: ${found}`)), []);
});
