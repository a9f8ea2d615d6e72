// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { paintings } from "./paintings.js";
import { plainEdits, plainGrid as g, plainTransitions } from "./plain.js";

/** @typedef {import("../src/document/grid.js").Grid} Grid */

const { isAvailable, tablesOf } = plainEdits;
const { row, rowSum, withProbability } = plainTransitions;

const blank = g.firstGridDocument();

test("every painting is a problem: rows sum to 1, every state has an action, all kernels the same ones, and there is one start", () => {
  for (const grid of paintings) {
    const doc = g.painted(blank, grid);
    assert.equal(doc.states.length, grid.wall.filter((w) => !w).length);
    assert.equal(new Set(doc.states).size, doc.states.length);
    assert.equal(doc.initial.reduce((/** @type {number} */ x, /** @type {number} */ p) => x + p, 0), 1);
    for (const s of doc.states.keys()) {
      const offered = [...doc.actions.keys()];
      const own = offered.filter((/** @type {number} */ a) => isAvailable(doc, s, a));
      assert.ok(own.length > 0);
      for (const { table } of tablesOf(doc)) {
        for (const a of offered) {
          const cells = row(table, s, a, doc);
          assert.equal(cells !== null, own.includes(a));
          if (cells) assert.ok(Math.abs(rowSum(cells) - 1) < 1e-9 && cells.every(({ p }) => p > 0 && p <= 1));
        }
      }
    }
  }
});

test("what was painted is read back from the document alone, after a way through JSON", () => {
  for (const [seed, grid] of paintings.entries()) {
    const again = g.gridIn(JSON.parse(JSON.stringify(g.painted(blank, grid))));
    assert.ok(again, `painting ${seed} is known again`);
    // A walled-in goal is like any walled-in cell: one stays there. Without a move there is no slip to tell, and without a slip no way of it.
    const shut = (/** @type {number} */ cell) => [0, 1, 2, 3].every((way) => g.neighbour(grid, cell, way) < 0);
    const moves = g.floorOf(grid).some((cell) => g.offers(grid, cell)[0] < 4);
    const onFloor = (/** @type {number[]} */ values, /** @type {number} */ rest) => values.map((x, cell) => (grid.wall[cell] ? rest : x));
    assert.deepEqual(again, {
      ...grid,
      goal: grid.goal.map((goal, cell) => goal && !shut(cell)),
      costs: grid.costs.map((c, n) => onFloor(c, n === 0 ? 1 : 0)),
      slip: moves ? Number(grid.slip.toFixed(12)) : 0,
      slipTo: again?.slipTo,
    });
    assert.deepEqual(g.painted(blank, { ...again, slipTo: grid.slipTo, slip: grid.slip }).uncertainty, g.painted(blank, grid).uncertainty, `painting ${seed}`);
    if (moves && grid.slip > 0 && again?.slipTo !== grid.slipTo) {
      assert.deepEqual(g.painted(blank, again).uncertainty, g.painted(blank, grid).uncertainty, "either way of slipping is the same here");
    }
  }
});

test("a document changed by hand is no painting, so nothing is painted over unseen", () => {
  const doc = JSON.parse(JSON.stringify(blank));
  assert.ok(g.gridIn(doc));
  const { nominal } = doc.uncertainty;
  for (const [s, a, next, p] of [[1, 1, 1, 0.2], [3, 2, 3, 0.5], [8, 0, 20, 0.1]]) {
    const by = { ...doc, uncertainty: { ...doc.uncertainty, nominal: withProbability(nominal, s, a, next, p, doc) } };
    assert.equal(g.gridIn(by), null);
  }
  const values = doc.objective.values.map((/** @type {number[]} */ of, /** @type {number} */ s) => (s === 4 ? [1, 2, 1, 1, 1] : of));
  assert.equal(g.gridIn({ ...doc, objective: { ...doc.objective, values } }), null, "a cost by action");
  assert.equal(g.gridIn({ ...doc, actions: ["north", "east", "south", "west", "stay"] }), null);
  assert.equal(
    g.gridIn({ ...doc, states: doc.states.map((/** @type {string} */ s, /** @type {number} */ i) => (i === 2 ? "cellar" : s)) }),
    null,
    "with walls, a cell without a place",
  );
  assert.equal(g.gridIn({ ...doc, initial: ["a"] }), null);
  assert.equal(g.gridIn({ ...doc, uncertainty: { ...doc.uncertainty, kind: "kl" } }), null);
});

test("names, limits, discount and settings of the document outlast the painting", () => {
  const doc = {
    ...blank,
    name: "Mine",
    discount: 0.9,
    uncertainty: { ...blank.uncertainty, support: "all" },
    constraints: [{ ...blank.constraints?.[0], atMost: 7 }],
  };
  const grid = /** @type {Grid} */ (g.gridIn(JSON.parse(JSON.stringify(doc))));
  const next = g.painted(doc, g.stroked(grid, [10], { kind: "wall" }));
  assert.deepEqual([next.name, next.discount, next.uncertainty.support, next.constraints?.[0].atMost], ["Mine", 0.9, "all", 7]);
  assert.equal(next.states.length, doc.states.length - 1);
  assert.equal(g.painted({ ...doc, source: "A book" }, grid).source, "A book");
});

test("a stroke does what its brush says; the start is never walled in; what a brush puts down its eraser takes away", () => {
  const grid = g.firstGrid();
  assert.deepEqual(g.stroked(grid, [0], { kind: "wall" }).wall, grid.wall, "the start stays");
  for (
    const brush
      of /** @type {import("../src/document/grid.js").Brush[]} */ ([{ kind: "wall" }, { kind: "goal" }, { kind: "cost", cost: 1, value: 3 }, { kind: "start" }])
  ) {
    const cells = brush.kind === "start" ? [30] : [28, 29, 30];
    const after = g.stroked(grid, cells, brush);
    for (const cell of cells) assert.ok(!g.isStroked(grid, cell, brush) && g.isStroked(after, cell, brush), brush.kind);
    if (brush.kind !== "start") assert.deepEqual(g.stroked(after, cells, g.eraserOf(after, brush)), grid, `${brush.kind}, taken away`);
  }
  assert.deepEqual(g.stroked(g.stroked(grid, [24], { kind: "wall" }), [24], { kind: "cost", cost: 1, value: 2 }).wall[24], false);
});

test("a stroke leaves no holes, and a grid made larger and smaller again is the same", () => {
  const grid = g.firstGrid();
  for (const [from, to] of [[0, 34], [34, 0], [6, 28], [3, 3], [14, 20]]) {
    const cells = g.between(grid, from, to);
    assert.equal(cells.at(-1), to);
    [from, ...cells].reduce((a, b) => {
      assert.ok(Math.abs(a % 7 - b % 7) <= 1 && Math.abs(Math.floor(a / 7) - Math.floor(b / 7)) <= 1);
      return b;
    });
  }
  assert.deepEqual(g.resized(g.resized(grid, 9, 8), 5, 7), grid);
  const cut = g.resized({ ...grid, initial: grid.initial.map((_, i) => Number(i === 34)) }, 2, 2);
  assert.deepEqual(cut.initial, [1, 0, 0, 0]);
});
