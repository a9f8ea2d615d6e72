// @ts-check
// What is said of a gap, wherever it is said: one number, on one base, on the side that is proved.

import assert from "node:assert/strict";
import { test } from "node:test";
import { blankDocument } from "../src/document/edits.js";
import { resultTable } from "../package/command/output.js";
import { standingOf } from "../src/panels/bar.js";
import { reportHtml } from "../src/panels/report.js";
import { boundText, gapOf, verdict } from "../src/words/words.js";

/** Every shape that a result with a bound can have: both senses, both signs, all scales, gaps from nothing to many times the bound. */
function* shapes() {
  for (const sense of /** @type {const} */ (["minimize", "maximize"])) {
    for (const size of [0, 1e-9, 0.031, 4.805805114029026, 97.004, 12345.678, 3.2e8]) {
      for (const sign of [1, -1]) {
        for (const share of [0, 3e-12, 0.0000423, 0.00725, 0.00991, 0.0999, 0.333333, 1.5, 40]) {
          for (const off of [0, 1]) { // beyond zero
            const bound = sign * size - off;
            const gap = share * (Math.abs(bound) || 1);
            const value = sense === "minimize" ? bound + gap : bound - gap;
            yield {
              problem: { ...blankDocument(), objective: { ...blankDocument().objective, sense } },
              value,
              bound,
              objective: {
                name: "cost",
                sense,
                scale: "total",
                value,
                lowerBound: sense === "minimize" ? bound : null,
                upperBound: sense === "maximize" ? bound : null,
              },
            };
          }
        }
      }
    }
  }
}

/** A number as it is printed. @param {string} text */
const read = (text) => Number(text.replace(/\u2212/g, "-").replace(/[\u202f%]/g, ""));

test("a gap is never said smaller than it is, nor a bound better than it is proved", () => {
  for (const { value, bound, objective } of shapes()) {
    const { share, text } = gapOf(value, /** @type {any} */ (objective));
    const gap = Math.abs(value - bound);
    const noise = 1e-9 * Math.max(Math.abs(value), Math.abs(bound));
    if (text === "no gap") assert.ok(gap <= noise, `${value} ${bound}`);
    else if (text.includes("%")) {
      const said = text.startsWith("less than") ? 0.01 : read(text);
      assert.ok(said / 100 * Math.abs(bound) >= gap - noise, `${text} of ${bound} for ${gap}`);
      assert.ok(text.startsWith("less than") || said / 100 <= share * 1.1 + 1e-12, `${text} is far more than ${share}`);
      assert.ok(value * bound > 0);
    } else {
      assert.ok(read(text) >= gap - noise && read(text) <= 1.2 * gap, `${text} for ${gap}`);
    }
    const shown = read(boundText(/** @type {any} */ (objective)));
    assert.ok((objective.lowerBound === null ? shown - bound : bound - shown) >= -noise - 1e-300, `${shown} for ${bound}`);
  }
});

test("the card, the bar, the report and the command say the same of a gap", () => {
  for (const { problem, objective } of shapes()) {
    const text = gapOf(objective.value, /** @type {any} */ (objective)).text;
    const result = /** @type {any} */ ({
      status: "bounded",
      feasible: true,
      objective,
      constraints: [],
      warnings: [],
      policy: [],
      evaluations: 1,
      seconds: 1,
      algorithm: "solve",
    });
    const { headline, sentence } = verdict(problem, result);
    if (text !== "no gap")
      assert.ok(headline.includes(`at most ${text} ${objective.sense === "minimize" ? "above the cheapest" : "below the best"}`), `${headline}: ${text}`);
    assert.ok(sentence.includes(boundText(/** @type {any} */ (objective))));
    const state = /** @type {any} */ ({ run: null, engine: { phase: "ready" }, wanted: false, opened: true });
    assert.ok(standingOf(state, "", /** @type {any} */ ({ answer: { result }, fresh: true })).text.includes(text));
    assert.ok(resultTable("x", result, {}).replace(/\s+/g, " ").includes(text.replace("\u202f", " ")));
  }
});

test("the report speaks as the card does", () => {
  const objective = /** @type {any} */ ({ name: "cost", sense: "minimize", scale: "total", value: 4.84, lowerBound: 4.805805114029026, upperBound: null });
  const problem = /** @type {any} */ (blankDocument());
  const result = /** @type {any} */ ({
    status: "bounded",
    feasible: true,
    objective,
    constraints: [],
    warnings: [],
    policy: [[1, 0], [1, 0]],
    evaluations: 1,
    seconds: 1,
    trace: {},
    certificate: {},
  });
  const text = reportHtml({ name: "x", problem, result, method: /** @type {any} */ ({ title: "Solve", shape: "" }), explanation: null, link: "#", made: "" });
  assert.ok(text.includes(verdict(problem, result).headline) && text.includes("bound 4.8058 "), "the same words");
});
