// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { numberText, parseCells, parseNumber, shortText } from "../src/document/number.js";
import { AskedNumber } from "../src/panels/fields.js";

const value = (/** @type {string} */ text) => {
  const parsed = parseNumber(text);
  return parsed.ok ? parsed.value : parsed.message;
};

test("a number field reads decimals, powers and fractions", () => {
  for (
    const [text, want] of /** @type {[string, number][]} */ ([
      ["0.25", 0.25],
      [".5", 0.5],
      ["3.", 3],
      ["-2", -2],
      ["+7", 7],
      ["1e-4", 1e-4],
      ["2E3", 2000],
      ["2/5", 0.4],
      [" 1 / 3 ", 1 / 3],
      ["-1/4", -0.25],
      ["0.5/2", 0.25],
      ["−3", -3],
      ["1⁄8", 0.125],
      ["1 000", 1000],
      ["-0", 0],
      ["0,5", 0.5],
      ["-1,25", -1.25],
      ["0,125", 0.125],
      ["1234,5", 1234.5],
    ])
  ) assert.equal(value(text), want, text);
});

test("zero is never negative zero, which would be written as -0", () => {
  assert.ok(Object.is(value("-0"), 0));
  assert.ok(Object.is(value("0/-5"), 0));
});

test("what is not a number says what it found and what to write", () => {
  for (
    const [text, want] of /** @type {[string, RegExp][]} */ ([
      ["", /empty/],
      ["  ", /empty/],
      ["abc", /“abc” is not a number/],
      ["12,345", /Write 12345 or 12\.345/],
      ["1/0", /divides by zero/],
      ["5%", /Write 5\/100/],
      ["1/2/3", /not a number/],
      ["2/", /not a number/],
      ["1e999", /too large/],
      ["NaN", /not a number/],
      ["Infinity", /not a number/],
      ["0x10", /not a number/],
      ["1e", /not a number/],
      ["--1", /not a number/],
    ])
  ) assert.match(String(value(text)), want, text);
});

test("every number written by numberText reads back as itself", () => {
  for (const x of [0, 1, 0.1, 1 / 3, -2.5e-17, 1e21, 123456789.125, Number.MIN_VALUE, Number.MAX_VALUE]) {
    assert.equal(value(numberText(x)), x);
  }
  assert.equal(numberText(null), "");
});

test("pasted cells come apart at tabs, or else at semicolons, commas or spaces", () => {
  assert.deepEqual(parseCells("1\t2\n3\t4\n"), [["1", "2"], ["3", "4"]]);
  assert.deepEqual(parseCells("1\t\t2"), [["1", "", "2"]]);
  assert.deepEqual(parseCells("1;2\r\n3;4"), [["1", "2"], ["3", "4"]]);
  assert.deepEqual(parseCells("1, 2"), [["1", "2"]]);
  assert.deepEqual(parseCells("  1/2   0.5 "), [["1/2", "0.5"]]);
});

test("a number too long for its field is rounded, and shows its size however small it is", () => {
  for (
    const [x, want] of /** @type {[any, string][]} */ ([
      [0.5, "0.5"],
      [1 / 3, "0.33333"],
      [1.3426e-5, "1.3e-5"],
      [0.001, "0.001"],
      [123456789, "1.2e+8"],
      [174.6461, "174.65"],
      [174.646, "174.646"],
      [0, "0"],
      [-2.5, "-2.5"],
      [null, ""],
    ])
  ) {
    assert.equal(shortText(x), want);
    if (typeof x === "number") assert.ok(parseNumber(shortText(x)).ok);
  }
  assert.equal(shortText(2 / 3, 12), "0.6666666667");
});

test("a number that a dialog asks for is read as everywhere, and a percentage as a share; what is none leaves the one before", () => {
  const asked = (/** @type {string} */ text, /** @type {{ from?: number, to?: number }} */ range = {}) => {
    /** @type {unknown[]} */
    const told = [];
    const target = { value: text };
    const field = /** @type {any} */ (AskedNumber({ value: 7, onValue: (x) => told.push(x), ...range }));
    field.props.onChange({ target });
    return told.length > 0 ? told : target.value;
  };
  const share = { from: 1e-6, to: 1 - 1e-6 };
  for (const [text, want] of /** @type {const} */ ([["0,5", 0.5], ["2/5", 0.4], ["5 %", 0.05], ["-12", -12], ["1e3", 1000]]))
    assert.deepEqual(asked(text), [want]);
  for (const [text, want] of /** @type {const} */ ([["0.9", 0.9], ["95", 0.95], ["97,5 %", 0.975], ["0.5%", 0.005]]))
    assert.deepEqual(asked(text, share), [want]);
  for (const text of ["", "l", "five", "1,234", "Infinity", "NaN"]) assert.equal(asked(text), "7", text);
  for (const text of ["0", "1", "-0.5", "100", "100 %", "250"]) assert.equal(asked(text, share), "7", text);
});
