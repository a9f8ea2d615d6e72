// @ts-check
import assert from "node:assert/strict";
import test from "node:test";
import { scaleLinear, scaleSymlog } from "d3-scale";
import { integer } from "../src/words/format.js";
import { readFragment } from "../src/share/fragment.js";
import { leastDelta } from "../src/paper/bisection.js";
import { bestStep } from "../src/paper/comparison.js";
import { sheet, tablePicture, textLine } from "../src/picture/export.js";
import { endOf, thin } from "../src/paper/landscape.js";
import { approaches, classes, fragmentOf } from "../src/paper/methods.js";
import { latest, symlogTicks } from "../src/paper/figure.js";
import { falls } from "../src/paper/rivals.js";
import { longTime, power } from "../src/paper/theory.js";

/** @param {[number, number]} domain @param {[number, number]} range @param {number} constant @returns {any} */
const symlog = (domain, range, constant) => scaleSymlog(domain, range).constant(constant);

test("a run is drawn from its first feasible value in steps down to its end", () => {
  const trace = { evaluations: [1, 5, 9, 12, 20], bestObjective: [NaN, 8, 8, 6, 6] };
  const run = (/** @type {object} */ end) => falls(/** @type {any} */ ({ trace, evaluations: 21, feasible: true, objective: { value: 5 }, ...end }));
  assert.deepEqual(run({}), { evaluations: [5, 12, 12, 21], best: [8, 8, 6, 5] });
  assert.deepEqual(run({ feasible: false, trace: { evaluations: [1], bestObjective: [NaN] } }), { evaluations: [], best: [] });
});

test("ticks of a symmetric log axis lie in its domain, on both sides of 0 and apart", () => {
  for (
    const [domain, constant, room] of /** @type {[[number, number], number, number][]} */ ([
      [[-40, 30], 0.1, 22],
      [[0, 1], 0.1, 22],
      [[-1e-3, 5e4], 0.1, 22],
      [[-70, 5], 5, 22],
      [[-0.3, 12], 0.1, 34],
      [[-3e-3, 2e-3], 1e-3, 10],
    ])
  ) {
    const scale = symlog(domain, [260, 10], constant);
    const ticks = symlogTicks(scale, domain, constant, room);
    assert(ticks.includes(0) && ticks.length >= 2, `${domain}: ${ticks}`);
    ticks.forEach((t, i) => {
      assert(t >= domain[0] && t <= domain[1], `${t} is outside ${domain}`);
      if (i > 0) assert(t > ticks[i - 1] && Math.abs(scale(t) - scale(ticks[i - 1])) >= room, `${ticks} of ${domain} are too close`);
      const digit = Math.abs(t) / 10 ** Math.floor(Math.log10(Math.abs(t)) + 1e-9);
      assert(t === 0 || Math.abs(digit - 1) < 1e-9 || Math.abs(digit - 3) < 1e-9, `${t} is not round`);
    });
  }
  assert.deepEqual(symlogTicks(symlog([-100, 100], [0, 600], 1), [-100, 100], 1), [-100, -30, -10, -3, -1, 0, 1, 3, 10, 30, 100]);
  assert.deepEqual(symlogTicks(scaleLinear([5, 6], [0, 100]), [5, 6], 0.1), [], "0 is no tick where it is not on the axis");
});

/** Whether text is XML whose tags match, and its elements by name. @param {string} text */
function elements(text) {
  /** @type {string[]} */
  const open = [];
  /** @type {Record<string, number>} */
  const seen = {};
  assert.doesNotMatch(text.replace(/<[^>]*>/g, ""), /[<>]|&(?!(amp|lt|gt|quot);)/, "text is escaped");
  for (const [, close, name, rest] of text.matchAll(/<(\/?)([a-z]+)([^>]*)>/g)) {
    if (close) assert.equal(open.pop(), name);
    else {
      seen[name] = (seen[name] ?? 0) + 1;
      assert.match(rest.replace(/\/$/, ""), /^(\s+[\w:-]+="[^"<]*")*\s*$/, `attributes of ${name}`);
      if (!rest.endsWith("/")) open.push(name);
    }
  }
  assert.deepEqual(open, []);
  return seen;
}

test("an exported figure is one document with every part at its place and nothing of the page's styles", () => {
  const font = { size: 13, family: "\"Segoe UI\", sans-serif", weight: "600", fill: "rgb(1, 2, 3)" };
  const text = sheet({ width: 300.006, height: 200, background: "rgb(247, 246, 243)", title: "a < b & \"c\"" }, [
    { x: 16, y: 8.125, width: 100, height: 20, content: textLine("Δ > 0 & π", font) },
    { x: 16, y: 40, width: 250, height: 150, content: "<svg viewBox=\"0 0 250 150\"><path d=\"M0,0H9\"/></svg>" },
  ]);
  assert.deepEqual(elements(text), { svg: 4, title: 1, rect: 1, text: 1, path: 1 });
  assert.match(text, /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="300.01" height="200" viewBox="0 0 300.01 200">/);
  assert.match(text, /<title>a &lt; b &amp; &quot;c&quot;<\/title>/);
  assert.match(text, /x="16" y="8.13"/);
  assert.match(text, />Δ &gt; 0 &amp; π</);
  assert.doesNotMatch(text, /style=|class=/);
});

test("a table as a picture has every cell, and columns that do not overlap", () => {
  const rows = [["short", "x"], ["a much longer first cell", 12.5], ["", "<y>"]];
  const text = tablePicture({ title: "T", head: ["one", "two"], rows });
  assert.equal(elements(text).text, 1 + 2 * 4);
  const second = Number(/x="([\d.]+)"[^>]*><text[^>]*>two</.exec(text)?.[1]);
  assert(second > 16 + 0.5 * 13 * "a much longer first cell".length, `second column at ${second}`);
  assert.match(text, />&lt;y&gt;</);
});

test("every cell of Table 1 has a verdict, a reason, a source and an example that a link can open", () => {
  const packed = { "setting-c": { text: "abc-_", sum: "0123abcd" }, "machine-repair-l1": { text: "x", sum: "y" } };
  const built = new Set(approaches.flatMap((a) => a.cells.map((c) => c.example.algorithm[0])));
  for (const { name, cells } of approaches) {
    assert.equal(cells.length, classes.length, name);
    for (const cell of cells) {
      assert(cell.why.endsWith(".") && cell.cite.length > 5, `${name}: ${cell.why}`);
      const fragment = fragmentOf(cell.example, built, packed);
      assert(fragment, `${name}: ${cell.example.example}`);
      const { link, unknown } = readFragment(fragment);
      assert.deepEqual(unknown, []);
      assert.equal(link.run, true);
      assert.equal(link.algorithm, cell.example.algorithm[0]);
      assert(cell.example.unconstrained ? link.problem && link.sum : link.example === cell.example.example);
    }
  }
  const solve = { example: "setting-a", algorithm: ["solve", "slp"] };
  assert.match(fragmentOf(solve, new Set(["slp"]), {}) ?? "", /algorithm=slp/);
  assert.equal(fragmentOf(solve, new Set(["uniform"]), {}), null, "no link to a method that is not built");
  assert.equal(fragmentOf({ ...solve, unconstrained: true }, new Set(["slp"]), {}), null, "no link before its document is known");
  // What the erratum withdraws is not promised.
  const paper = approaches.find((a) => a.name.includes("the paper"))?.cells.map((c) => c.mark);
  assert.deepEqual(paper, ["yes", "yes", "if", "no"]);
});

test("numbers far from 1 are powers of ten, and times longer than the world are years", () => {
  assert.equal(power(3.1e-32), "3.1 × 10⁻³²");
  assert.equal(power(1.15e54), "1.1 × 10⁵⁴");
  assert.equal(power(0.25), "0.25");
  assert.equal(power(80000), integer(80000));
  assert.equal(power(0), "below 10⁻³⁰⁸");
  assert.equal(power(9.96e19), "1.0 × 10²⁰");
  assert.equal(longTime(90), "1 min 30 s");
  assert.equal(longTime(3 * 86400), "3 days");
  assert.equal(longTime(3.2e9), "101 years");
  assert.equal(longTime(1e48), "3.2 × 10⁴⁰ years");
  assert.equal(longTime(Infinity), "for ever");
});

test("a path keeps its ends and drops what cannot be told apart", () => {
  const path = Float64Array.from({ length: 2002 }, (_, i) => (i % 2 ? 0.5 : i / 2 / 1e5));
  const kept = thin(path);
  assert.deepEqual(kept[0], [0, 0.5]);
  assert.deepEqual(kept.at(-1), endOf(path));
  assert(kept.length < 10, `${kept.length} points`);
  assert.deepEqual(thin(Float64Array.of(0.1, 0.2)), [[0.1, 0.2]]);
});

test("the least violation is over policies, of the larger of the two terms", () => {
  assert.equal(leastDelta(Float64Array.of(1, 3), Float64Array.of(0.5, -2), 2), 0.5);
  assert.equal(leastDelta(Float64Array.of(1, 3), Float64Array.of(0.5, -2), 4), -1);
});

test("the step that is marked is the best feasible one, else the least violated", () => {
  const series = (/** @type {(number | null)[]} */ v, /** @type {(number | null)[]} */ o) =>
    bestStep(/** @type {any} */ ({ violation: { mean: v }, relative: { mean: o } }));
  assert.equal(series([2, -1, -0.5, 1], [-9, -3, -4, -9]), 2);
  assert.equal(series([2, 0.5, 1], [0, 5, -9]), 1);
  assert.equal(series([null, -1], [null, 0]), 1);
  assert.equal(series([null], [null]), -1);
  assert.equal(series([], []), -1);
});

test("of the tasks given while one runs, only the last is done", async () => {
  /** @type {string[]} */
  const log = [];
  const run = latest();
  /** @type {(() => void)[]} */
  const finish = [];
  const task = (/** @type {string} */ name) => async () => {
    log.push(`start ${name}`);
    await new Promise((resolve) => finish.push(() => resolve(undefined)));
    log.push(`end ${name}`);
  };
  const all = [run(task("a")), run(task("b")), run(task("c"))];
  finish.shift()?.();
  await all[0];
  await all[1];
  await new Promise((resolve) => setImmediate(resolve));
  finish.shift()?.();
  await Promise.all(all);
  assert.deepEqual(log, ["start a", "end a", "start c", "end c"]);
  // One that fails does not stop the next.
  await assert.rejects(
    run(async () => {
      throw new Error("no");
    }),
    /no/,
  );
  await run(async () => void log.push("d"));
  assert.equal(log.at(-1), "d");
});
