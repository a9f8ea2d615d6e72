// @ts-check
// What is said of a gap, wherever it is said: one number, on one base, on the side that is proved.

import assert from "node:assert/strict";
import { test } from "node:test";
import { html } from "htm/preact";
import { renderToString } from "preact-render-to-string";
import { saying } from "../gallery.mjs";
import { blankDocument } from "../src/document/reading.js";
import { proved as inCommand, resultTable } from "../package/command/output.js";
import { own } from "../src/engine/claims.js";
import { figuresOf } from "../src/lab/figures.js";
import { curve } from "../src/lab/tradeoff.js";
import { Answer } from "../src/panels/answer.js";
import { standingOf } from "../src/panels/bar.js";
import { Twin } from "../src/panels/charts.js";
import { Panel as Compare } from "../src/panels/compare.js";
import { markdownOf } from "../src/panels/policy-out.js";
import { reportHtml } from "../src/panels/report.js";
import { boundText, gapOf, verdict } from "../src/words/words.js";
import { labOf, stateOf } from "./answer-states.js";

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

test("comparisons, what is copied, an embed and a gallery's page say the same of a gap", () => {
  const kinds = [...shapes()].filter((_, i) => i % 5 === 0);
  for (const { problem, objective } of kinds) {
    const { text } = gapOf(objective.value, /** @type {any} */ (objective)), proved = boundText(/** @type {any} */ (objective));
    const policy = problem.states.map(() => problem.actions.map(() => 1 / problem.actions.length));
    const plain = {
      status: "bounded",
      feasible: true,
      objective,
      constraints: [],
      warnings: [],
      worst: [],
      policy,
      evaluations: 1,
      seconds: 1,
      algorithm: "solve",
    };
    const result = own(/** @type {any} */ ({ ...plain, trace: {}, certificate: { format: "rcmdp-certificate/2" } }));
    const answer = /** @type {any} */ ({ problem, result, algorithm: "solve", id: "a", name: "x", line: 1, saving: "", source: "run" });
    const state = stateOf(problem, answer, null), lab = labOf(answer, state);
    const props = { lab, state, problem, answer, fresh: true, run: null, embedded: false };
    const said = (/** @type {any} */ part) => renderToString(part).replace(/<[^>]*?(?:(?:title|aria-label)="([^"]*)"[^>]*)?>/g, " $1 ");
    const board = said(html`<${Compare} ...${props} />`);
    assert.ok(board.includes(` ${text} `) && board.includes(` ${proved} `), `${text}, ${proved}: ${board}`);
    const { headline } = verdict(problem, result);
    const embed = said(html`<${Answer} lab=${lab} state=${state} panels=${() => null} embedded=${true} has=${() => true} onPlan=${null} />`);
    assert.ok(embed.replace(/\s+/g, " ").includes(headline.replace(/\s+/g, " ")) && embed.includes(proved), `${headline}: ${embed}`);
    assert.ok(markdownOf(answer).includes(headline));
    assert.ok(saying({ result }).endsWith(`bound ${proved}`), saying({ result }));
    const shown = read(inCommand(/** @type {any} */ (objective)).replace("-", "\u2212"));
    assert.ok(
      (objective.lowerBound === null ? shown - Number(objective.upperBound) : objective.lowerBound - shown) >= -1e-9 * Math.abs(shown),
      `the command: ${shown}`,
    );
    assert.equal(inCommand(/** @type {any} */ (objective)).length <= 15, true);
  }
});

test("a bound in a table below a chart is no better than it is proved", () => {
  const point = (/** @type {any} */ objective, /** @type {number} */ value) => ({
    value,
    feasible: true,
    status: "bounded",
    objective,
    constraints: [],
  });
  for (const { problem, value, bound, objective } of shapes()) {
    const steps = { k: [1, 2], seconds: [0.1, 0.2], evaluations: [3, 9], bestObjective: [value, value], objective: [value, value], maxViolation: [0, 0] };
    const trace = { ...steps, [objective.lowerBound === null ? "upperBound" : "lowerBound"]: [bound, bound] };
    const all = [
      curve(
        /** @type {any} */ (problem),
        /** @type {any} */ ({ label: "limit", id: "limit", min: 0, max: 3, looser: 0 }),
        /** @type {any} */ ([point(objective, 1), point(objective, 2)]),
        2,
        null,
      ),
      ...figuresOf(/** @type {any} */ (problem), "search", /** @type {any} */ (trace)).figures,
    ].filter((f) => f?.head.includes("proved bound"));
    assert.ok(all.length >= 2, `${all.map((f) => f?.id)}`);
    for (const figure of all) {
      const cells = [...renderToString(html`<${Twin} ...${figure} />`).matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, text]) => text);
      const shown = read(cells[2]), noise = 1e-9 * Math.abs(bound);
      assert.ok((objective.lowerBound === null ? shown - bound : bound - shown) >= -noise, `${figure?.id}: ${cells[2]} for ${bound}`);
      assert.ok(Math.abs(shown - bound) <= 0.01 * Math.abs(bound), `${figure?.id}: ${cells[2]} for ${bound}`);
    }
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
