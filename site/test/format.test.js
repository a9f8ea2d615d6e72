// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import * as f from "../src/words/format.js";

test("a number shows its significant digits without trailing noise", () => {
  for (
    const [x, want] of /** @type {[any, string][]} */ ([
      [12.4, "12.4"],
      [12.345678, "12.346"],
      [0, "0"],
      [-0.031, "−0.031"],
      [1234.5678, "1234.6"],
      [123456.7, "123457"],
      [1e-7, "1e−7"],
      [2.5e9, "2.5e9"],
      [100, "100"],
      [0.1 + 0.2, "0.3"],
      [Infinity, "∞"],
      [-Infinity, "−∞"],
      [-0, "0"],
    ])
  ) assert.equal(f.number(x), want);
});

test("a number that is not defined is a dash, never 0", () => {
  for (const x of [NaN, null, undefined]) {
    for (const show of [f.number, f.integer, f.percent, f.probability, f.seconds, f.bytes]) assert.equal(show(/** @type {any} */ (x)), "–");
    assert.equal(f.fixed(/** @type {any} */ (x), 2), "–");
  }
});

test("fixed decimals never show a negative zero", () => {
  assert.equal(f.fixed(-0.0001, 2), "0.00");
  assert.equal(f.fixed(-1.5, 1), "−1.5");
});

test("percentages, probabilities, counts, times and sizes read like a person writes them", () => {
  assert.equal(f.percent(0.0072), "0.72\u202f%");
  assert.equal(f.percent(0.5), "50\u202f%");
  assert.equal(f.percent(3), "300\u202f%");
  assert.equal(f.percent(1e-6), "less than 0.01\u202f%");
  assert.equal(f.percent(0), "0\u202f%");
  assert.equal(f.probability(0.25), "0.25");
  assert.equal(f.probability(1e-9), "<0.001");
  assert.equal(f.probability(1 - 1e-9), ">0.999");
  assert.equal(f.probability(1), "1");
  assert.deepEqual([f.known(4.9895, 0.1), f.known(0.037033, 0.0013), f.known(2, 0), f.known(1 / 3, null)], ["4.99", "0.037", "2", "0.33333"]);
  assert.equal(f.sentence("found 1.5; want 0 <= γ < 1"), "Found 1.5; want 0 ≤ γ < 1");
  assert.equal(f.integer(1234567), "1\u202f234\u202f567");
  assert.equal(f.count(1, "kernel"), "1 kernel");
  assert.equal(f.count(5, "kernel"), "5 kernels");
  assert.equal(f.seconds(0.085), "85 ms");
  assert.equal(f.seconds(1.25), "1.3 s");
  assert.equal(f.seconds(59.7), "1 min 0 s");
  assert.equal(f.seconds(3725), "1 h 2 min");
  assert.equal(f.bytes(999), "999 B");
  assert.equal(f.bytes(742_000), "742 kB");
  assert.equal(f.bytes(4_330_000), "4.3 MB");
  assert.equal(f.list(["a", "b", "c"]), "a, b and c");
  assert.equal(f.words("outerIterations"), "Outer iterations");
});

test("CSV quotes what needs quoting and keeps numbers in full", () => {
  assert.equal(f.csv([["a,b", "say \"x\""], [1 / 3, NaN]]), `"a,b","say ""x"""\r\n${1 / 3},\r\n`);
});

test("a name is never a formula in a table program, and a number stays one", () => {
  assert.equal(
    f.csv([["=1+1", "+a", "-b", "@c", "=F(\"x\")"], [-1, 1e-9, "-0.5", "a-b", "−"]]),
    "'=1+1,'+a,'-b,'@c,\"'=F(\"\"x\"\")\"\r\n-1,1e-9,-0.5,a-b,−\r\n",
  );
});

test("a Markdown table keeps its columns whatever the names hold", () => {
  assert.equal(f.markdownTable([["s|t", "p"], ["x", "1"]]), "| s\\|t | p |\n| --- | ---: |\n| x | 1 |");
  assert.equal(f.inMarkdown("a\n# b **proved** <img> [x](y) `c`"), "a # b \\*\\*proved\\*\\* \\<img> \\[x\\](y) \\`c\\`");
});

test("a guessed time is no finer than a guess", () => {
  for (
    const [s, want]
      of /** @type {[number, string][]} */ ([[0.2, "1 s"], [4.4, "4 s"], [12, "10 s"], [57, "55 s"], [58, "1 min"], [200, "3 min"], [3000, "50 min"], [
        3500,
        "1 h",
      ], [50_000, "15 h"]])
  ) assert.equal(f.roughly(s), want);
});
