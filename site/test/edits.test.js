// @ts-check
import assert from "node:assert/strict";
import fs from "node:fs";
import { test } from "node:test";
import { plainEdits as e, plainTransitions, unreadable } from "./plain.js";

const { denseRow, isSparse, row, rowSum, withoutSuccessor, withProbability, withRow } = plainTransitions;

const folder = new URL("../../core/testdata/fixtures/problems/", import.meta.url);
const fixtures = fs.readdirSync(folder).filter((f) => f.endsWith(".json")).map((f) => ({
  name: f,
  doc: JSON.parse(fs.readFileSync(new URL(f, folder), "utf8")),
}))
  .filter(({ doc }) => doc.states.length <= 20);

const names = (/** @type {any} */ doc) => ({ states: doc.states, actions: doc.actions });

/** The same document with its tables written as entries. @param {any} doc @param {boolean} byName */
function sparse(doc, byName) {
  const write = (/** @type {any} */ table) => ({
    entries: doc.states.flatMap((/** @type {string} */ sn, /** @type {number} */ s) =>
      doc.actions.flatMap((/** @type {string} */ an, /** @type {number} */ a) =>
        (
          denseRow(table, s, a, names(doc)) ?? []
        ).flatMap((p, j) => (p === 0 ? [] : [byName ? [sn, an, doc.states[j], p] : [s, a, j, p]]))
      )
    ),
  });
  const u = { ...doc.uncertainty };
  if (u.kernels) u.kernels = u.kernels.map((/** @type {any} */ k) => ({ ...k, transitions: write(k.transitions) }));
  for (const key of ["nominal", "lower", "upper"]) if (u[key]) u[key] = write(u[key]);
  return { ...doc, uncertainty: u };
}

/** Every row of every table in full. @param {any} doc */
const rows = (doc) =>
  e.tablesOf(doc).map((/** @type {{ table: any }} */ { table }) =>
    doc.states.map((/** @type {any} */ _, /** @type {number} */ s) =>
      doc.actions.map((/** @type {any} */ __, /** @type {number} */ a) => denseRow(table, s, a, names(doc)))
    )
  );

/** A table with a missing action, costs by next state, a radius by pair. */
const odd = {
  format: "rcmdp/1",
  name: "odd",
  states: ["a", "b", "c"],
  actions: ["x", "y"],
  discount: 0.5,
  initial: [0.5, 0.25, 0.25],
  objective: { name: "cost", values: [[[1, 2, 3], null], [[4, 5, 6], [7, 8, 9]], [[0, 0, 0], [1, 1, 1]]] },
  constraints: [{ name: "limit", values: [[1, null], [2, 3], [4, 5]], atMost: 1 }],
  uncertainty: {
    kind: "l1",
    nominal: [[[0.5, 0.5, 0], null], [[0, 1, 0], [0.25, 0.25, 0.5]], [[0, 0, 1], [0, 0, 1]]],
    radius: [[0.1, null], [0.2, 0.3], [0.4, 0.5]],
  },
};

test("adding a state or an action and removing it again leaves every fixture as it was", () => {
  assert.ok(fixtures.length > 30);
  for (const { name, doc } of [...fixtures, { name: "odd", doc: odd }]) {
    for (const d of [doc, sparse(doc, true)]) {
      assert.deepEqual(e.removeState(e.addState(d), doc.states.length), d, name);
      assert.deepEqual(e.removeAction(e.addAction(d), doc.actions.length), d, name);
    }
  }
});

test("after any addition or removal the document is still drawable and every row still sums to what it summed to", () => {
  for (const { name, doc } of [...fixtures, { name: "odd", doc: odd }]) {
    const changes = [e.addState(doc), e.addAction(doc)];
    if (doc.states.length > 1) changes.push(e.removeState(doc, 0), e.removeState(doc, doc.states.length - 1));
    if (doc.actions.length > 1) changes.push(e.removeAction(doc, 0));
    for (const next of changes) {
      assert.equal(unreadable(next), null, name);
      assert.ok(Math.abs(next.initial.reduce((/** @type {number} */ x, /** @type {number} */ y) => x + y, 0) - 1) < 1e-12, name);
      for (const { table } of e.tablesOf(next)) {
        for (const s of next.states.keys()) {
          for (const a of next.actions.keys()) {
            const cells = row(table, s, a, names(next));
            if (cells) assert.ok(Math.abs(rowSum(cells) - 1) < 1e-9, `${name} ${s} ${a}: ${rowSum(cells)}`);
          }
        }
      }
    }
  }
});

test("dense and sparse tables, by name and by index, answer every edit alike", () => {
  for (const { name, doc } of [...fixtures, { name: "odd", doc: odd }]) {
    const forms = [doc, sparse(doc, true), sparse(doc, false)];
    /** @type {((d: any) => any)[]} */
    const edits = [
      e.addState,
      e.addAction,
      (d) => e.setAvailable(d, 0, 0, false),
      (d) => e.setAvailable(d, 0, 0, true),
      (d) => e.renameItem(d, "states", 0, "renamed"),
      (d) => e.renameItem(d, "actions", 0, "renamed"),
      (d) => (d.states.length > 1 ? e.removeState(d, 1) : d),
    ];
    for (const edit of edits) {
      const [first, ...others] = forms.map((d) => rows(edit(d)));
      for (const other of others) assert.deepEqual(other, first, `${name} ${edit}`);
    }
  }
});

test("a rename follows into entries, and to a name that is taken it falls back to the index", () => {
  const doc = sparse(e.blankDocument(), true);
  const renamed = e.renameItem(doc, "states", 1, "down");
  assert.ok(JSON.stringify(renamed).includes("\"down\"") && !JSON.stringify(renamed).includes("\"broken\""));
  const clash = e.renameItem(doc, "states", 1, "working");
  assert.deepEqual(rows(e.renameItem(clash, "states", 1, "down")), rows(doc));
});

test("removing a state spreads what led to it over the rest, and a row that led nowhere else stays put", () => {
  const next = e.removeState(odd, 2);
  assert.deepEqual(next.uncertainty.nominal, [[[0.5, 0.5], null], [[0, 1], [0.5, 0.5]]]);
  assert.deepEqual(next.initial, [0.5 / 0.75, 0.25 / 0.75]);
  assert.deepEqual(next.objective.values, [[[1, 2], null], [[4, 5], [7, 8]]]);
  assert.deepEqual(e.removeState(odd, 1).uncertainty.nominal[0][0], [1, 0]);
  assert.deepEqual(e.removeState(odd, 0).uncertainty.nominal, [[[1, 0], [1 / 3, 2 / 3]], [[0, 1], [0, 1]]]);
  assert.deepEqual(next.uncertainty.radius, [[0.1, null], [0.2, 0.3]]);
});

test("a missing action is missing in every table at once, and comes back staying where it is at no cost", () => {
  const doc = e.setAvailable(e.blankDocument(), 0, 1, false);
  for (const { table } of e.tablesOf(doc)) assert.equal(table[0][1], null);
  assert.ok(!e.isAvailable(doc, 0, 1));
  assert.ok(!e.isAvailable(sparse(odd, true), 0, 1));
  assert.ok(e.isAvailable(sparse(odd, true), 1, 1));
  const back = e.setAvailable(odd, 0, 1, true);
  assert.deepEqual(back.uncertainty.nominal[0][1], [1, 0, 0]);
  assert.deepEqual(back.objective.values[0][1], [0, 0, 0]);
  assert.equal(back.constraints[0].values[0][1], 0);
});

test("edits of one probability keep the way of writing and the listed zeros", () => {
  const doc = e.blankDocument();
  const dense = doc.uncertainty.kernels[0].transitions;
  assert.equal(/** @type {any} */ (withProbability(dense, 0, 0, 1, 0.2, names(doc)))[0][0][1], 0.2);
  const table = sparse(doc, true).uncertainty.kernels[0].transitions;
  const zero = withProbability(table, 0, 0, 1, 0, names(doc));
  assert.ok(isSparse(zero));
  assert.deepEqual(row(zero, 0, 0, names(doc))?.map((c) => [c.next, c.p]), [[0, 0.9], [1, 0]]);
  const more = withProbability(table, 0, 1, 1, 0.5, names(doc));
  assert.deepEqual(row(more, 0, 1, names(doc))?.map((c) => [c.next, c.p]), [[0, 1], [1, 0.5]]);
  assert.deepEqual(row(withoutSuccessor(more, 0, 1, 1, names(doc)), 0, 1, names(doc))?.length, 1);
  assert.equal(row(withRow(table, 0, 0, null, names(doc)), 0, 0, names(doc)), null);
});

test("limits, sides, next-state costs and kernels are added and changed without touching the rest", () => {
  const doc = e.blankDocument();
  assert.equal(e.addConstraint(doc).constraints[1].name, "limit 3");
  assert.equal(e.removeConstraint(e.addConstraint(doc), 1).constraints.length, 1);
  assert.deepEqual(e.setSide(doc, 0, "atLeast").constraints[0], { name: "downtime", values: [[0, 0], [1, 1]], atLeast: 2 });
  const next = e.setNextCosts(doc, 0, true);
  assert.ok(e.hasNext(next.objective.values));
  assert.deepEqual(e.setNextCosts(next, 0, false), doc);
  const three = e.duplicateKernel(doc, 0);
  assert.deepEqual(three.uncertainty.kernels.map((/** @type {any} */ k) => k.name), ["nominal", "kernel 3", "harsh"]);
  assert.deepEqual(e.removeKernel(three, 1), doc);
  const weighed = {
    ...doc,
    uncertainty: {
      ...doc.uncertainty,
      kernels: doc.uncertainty.kernels.map((/** @type {any} */ k, /** @type {number} */ i) => ({ ...k, weight: i === 0 ? 0.75 : 0.25 })),
    },
  };
  const weights = (/** @type {Doc} */ d) => (d.uncertainty.kernels ?? []).map((k) => k.weight);
  assert.deepEqual(weights(e.duplicateKernel(weighed, 0)), [0.375, 0.375, 0.25], "a copy and what it is of count as much together");
  assert.deepEqual(weights(e.removeKernel(weighed, 0)), [1], "the weights that are left sum to 1");
  const averaged = {
    ...weighed,
    objective: { ...weighed.objective, over: "mean" },
    constraints: [{ name: "d", values: [[0]], atMost: 1, over: { cvar: 0.1 } }],
  };
  assert.deepEqual([e.withoutAverages(averaged).objective, e.withoutAverages(averaged).constraints], [doc.objective, [{
    name: "d",
    values: [[0]],
    atMost: 1,
  }]]);
});

test("the long-run average is every cost by the step, at the discount that an import takes for it, and goes again", () => {
  const doc = e.blankDocument();
  const asked = e.setLongRun(doc, true);
  assert.deepEqual([asked.objective, ...asked.constraints].map((c) => c.scale), ["average", "average"]);
  const source = fs.readFileSync(new URL("../../core/interchange/ask.go", import.meta.url), "utf8");
  assert.equal(String(asked.discount), /const longRun = ([\d.]+)/.exec(source)?.[1]);
  assert.deepEqual([doc, asked, { ...asked, discount: 0.95 }, e.setLongRun(asked, false)].map(e.isLongRun), [false, true, false, false]);
  assert.deepEqual(e.setLongRun(asked, false), { ...doc, discount: 0.95 });
});

test("freshName never gives a name that is taken", () => {
  assert.equal(e.freshName("state", ["state 2", "state 3"]), "state 4");
  assert.equal(e.freshName("state", ["a"]), "state 2");
});

test("a document that cannot be drawn as tables is told apart, with the reason", () => {
  assert.equal(unreadable(e.blankDocument()), null);
  assert.equal(unreadable(odd), null);
  const broken = [
    null,
    [],
    3,
    {},
    { ...odd, states: [] },
    { ...odd, states: [1] },
    { ...odd, actions: "x" },
    { ...odd, objective: { values: [[1]] } },
    { ...odd, constraints: {} },
    { ...odd, constraints: [null] },
    { ...odd, initial: 1 },
    { ...odd, uncertainty: null },
    { ...odd, uncertainty: { kind: "finite", kernels: [] } },
    { ...odd, uncertainty: { kind: "l1", nominal: 3 } },
  ];
  for (const doc of broken) assert.equal(typeof unreadable(doc), "string", JSON.stringify(doc));
});

test("a move that is added leaves every row's sum and all other rows as they were, sparse or dense", () => {
  for (const { name, doc } of fixtures) {
    for (const form of [doc, sparse(doc, true)]) {
      const [{ pointer, sums }] = [...e.tablesOf(form)].reverse();
      const k = e.tablesOf(form).length - 1;
      const before = rows(form);
      for (let s = 0; s < Math.min(4, form.states.length); s++) {
        for (let a = 0; a < form.actions.length; a++) {
          const next = (s * 3 + a + 1) % form.states.length;
          const after = rows(e.addMove(form, pointer, s, a, next));
          const was = before[k][s][a];
          const sum = (/** @type {number[]} */ r) => r.reduce((x, y) => x + y, 0);
          assert.ok(after[k][s][a][next] > 0, `${name}: it leads there`);
          if (sums) assert.ok(Math.abs(sum(after[k][s][a]) - (was ? Math.max(1, sum(was)) : 1)) < 1e-9, name);
          if (was?.[next] > 0) assert.deepEqual(after, before, "it did already");
          // Nothing else changes, but that an action made available is so in every table.
          after.forEach((/** @type {any} */ table, /** @type {number} */ i) =>
            table.forEach((/** @type {any} */ of, /** @type {number} */ t) =>
              of.forEach((/** @type {any} */ r, /** @type {number} */ b) => {
                if (t !== s || b !== a) assert.deepEqual(r, before[i][t][b]);
                else if (i !== k && was) assert.deepEqual(r, before[i][t][b]);
              })
            )
          );
        }
      }
    }
  }
});

test("a row that only stays leads where it is pulled to for sure; another gives a tenth, or half of what it has", () => {
  const doc = e.addState(e.blankDocument());
  const pointer = "/uncertainty/kernels/0/transitions";
  assert.deepEqual(rows(e.addMove(doc, pointer, 2, 0, 0))[0][2][0], [1, 0, 0]);
  assert.deepEqual(rows(e.addMove(doc, pointer, 0, 0, 2))[0][0][0], [0.8, 0.1, 0.1]);
  assert.deepEqual(rows(e.addMove(e.setAvailable(doc, 2, 1, false), pointer, 2, 1, 0))[0][2][1], [1, 0, 0]);
});

test("names given to all states, actions or kernels at once change nothing else, also where they are swapped", () => {
  for (const { doc } of fixtures) {
    for (const form of [doc, sparse(doc, true)]) {
      const swapped = [...form.states.slice(1), form.states[0]];
      const after = e.renameAll(e.renameAll(form, "states", swapped), "actions", form.actions.map((/** @type {string} */ a) => `${a}!`));
      assert.deepEqual(rows(after), rows(form));
      assert.deepEqual(after.states, swapped);
      if (form.uncertainty.kernels) assert.equal(e.renameAll(form, "kernels", form.uncertainty.kernels.map(() => "k")).uncertainty.kernels[0].name, "k");
    }
  }
});

test("end states keep their names, and leave with their state", () => {
  const doc = { ...e.addState(e.blankDocument()), discount: 1 };
  const [first, second, third] = doc.states;
  doc.end = [1, third];
  assert.deepEqual(e.endsOf(doc), [second, third]);
  assert.deepEqual(e.renameItem(doc, "states", 1, "home").end, ["home", third]);
  assert.deepEqual(e.removeState(doc, 1).end, [third]);
  assert.deepEqual(e.addState(doc).end, [second, third]);
  assert.deepEqual(e.renameAll(doc, "states", [second, first, third]).end, [first, third]);
  assert.equal(e.removeState(e.addState(e.blankDocument()), 1).end, undefined);
});
