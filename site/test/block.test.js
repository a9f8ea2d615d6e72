// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { columnOfNames, grownTo, readBlock, withNames } from "../src/document/block.js";
import { blankDocument } from "../src/document/reading.js";

/** @param {string} text */
const values = (text) => {
  const block = readBlock(text);
  assert.ok(block.ok, block.ok ? "" : block.message);
  return block.values;
};

test("a block is read with headers, labels, blanks, percent signs, decimal commas and trailing tabs", () => {
  const want = [[0.9, 0.1], [0.8, 0.2]];
  for (
    const text of [
      "0.9\t0.1\n0.8\t0.2",
      "0.9\t0.1\t\r\n0.8\t0.2\t\r\n",
      "0,9\t0,1\n0,8\t0,2\n",
      "0,9;0,1\n0,8;0,2",
      "0,9 0,1\n0,8 0,2",
      "0.9, 0.1\n0.8, 0.2",
      "90%\t10 %\n80%\t20%",
      "good\tbad\n0.9\t0.1\n0.8\t0.2",
      "\tgood\tbad\ngood\t0.9\t0.1\nbad\t0.8\t0.2",
      "state\taction\tgood\tbad\ngood\trun\t0.9\t0.1\n\tfix\t0.8\t0.2",
      "good\t9/10\t1/10\nbad\t4/5\t1/5",
      "\n0.9\t0.1\n\n0.8\t0.2\n\n",
    ]
  ) {
    assert.deepEqual(values(text), want, JSON.stringify(text));
  }
  assert.deepEqual(values("1\t\t\n\t1\t"), [[1, 0], [0, 1]]);
  assert.deepEqual(values("1\t-\n–\t1"), [[1, 0], [0, 1]]);
  assert.deepEqual(values("12,5%"), [[0.125]]);
  assert.deepEqual(values("7"), [[7]]);
});

test("what is no number is refused with its place", () => {
  const block = readBlock("0.9\t0.1\n0.8\tmuch");
  assert.ok(!block.ok);
  assert.match(block.message, /row 2, column 2.*much/);
  assert.ok(!readBlock(" \n\t\n").ok);
});

test("a model is enlarged to what is pasted and no further", () => {
  const doc = grownTo(blankDocument(), 5, 3);
  assert.deepEqual([doc.states.length, doc.actions.length, doc.objective.values.length, doc.objective.values[4].length], [5, 3, 5, 3]);
  assert.equal(grownTo(doc, 2, 1), doc);
});

test("a column of names renames and adds, one name is left to the field", () => {
  const doc = blankDocument();
  const named = withNames(doc, "states", 1, "worn\r\nbroken\textra\r\nlost\r\n");
  assert.deepEqual(named.states.slice(1), ["worn", "broken", "lost"]);
  assert.equal(named.initial.length, named.states.length);
  assert.equal(withNames(doc, "states", 0, "only"), doc);
  assert.deepEqual(withNames(doc, "actions", 0, "run\nrepair\nsell").actions, ["run", "repair", "sell"]);
});

test("a pasted column of names is taken when there is one for each, and all differ", () => {
  assert.deepEqual(columnOfNames("good\t1\r\nworn\t2\r\n\r\nbroken\r\n", 3), { names: ["good", "worn", "broken"], message: "" });
  assert.deepEqual(columnOfNames(" \n", 3), { names: null, message: "" });
  assert.match(columnOfNames("a\nb", 3).message, /2 names, but there are 3/);
  assert.match(columnOfNames("a\nb\na", 3).message, /“a” is there twice/);
});
