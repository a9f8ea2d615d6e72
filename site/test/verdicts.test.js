// @ts-check
// verdicts.test.js — what a report, its Markdown and the card may say of each kind of answer: a table, and each text held to it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { html } from "htm/preact";
import { renderToString } from "preact-render-to-string";
import { blankDocument } from "../src/document/edits.js";
import { markdownOf } from "../src/panels/policy-out.js";
import { reportHtml } from "../src/panels/report.js";
import { Trust } from "../src/panels/trust.js";
import { verdict } from "../src/words/words.js";

const base = /** @type {any} */ (blankDocument());
const problem = { ...base, name: "Odd", objective: { ...base.objective, name: "money" }, constraints: [{ ...base.objective, name: "risk", atMost: 1 }] };
const policy = problem.states.map(() => problem.actions.map(() => 1 / problem.actions.length));
/** @param {string} status @param {boolean} feasible @param {any} more @returns {any} */
const result = (status, feasible, more = {}) => ({
  status,
  feasible,
  algorithm: "solve",
  policy,
  objective: { name: "money", value: 3, lowerBound: null, upperBound: null, gap: null, relativeGap: null },
  constraints: [{ name: "risk", value: feasible ? 0.5 : 2, threshold: 1, violation: feasible ? -0.5 : 1, slack: feasible ? 0.5 : -1 }],
  leastViolation: null,
  worst: [],
  trace: {},
  warnings: [],
  evaluations: 1,
  seconds: 1,
  ...more,
});
const explanation = /** @type {any} */ ({
  limits: [{ price: 2, binding: true }],
  kernels: [],
  states: policy.map((/** @type {number[]} */ row) => row.map((probability, action) => ({ action, probability, extra: 1, marginal: 1, breaks: null }))),
});
const proof = { certificate: { format: "rcmdp-certificate/2" } };
const bound = (/** @type {number} */ lowerBound) => ({
  objective: { name: "money", value: 3, lowerBound, upperBound: null, gap: 3 - lowerBound, relativeGap: (3 - lowerBound) / 3 },
  ...proof,
});

/** Whether the texts may speak of a proof, of the best, of prices and runners-up. @type {[string, any, { proof: boolean, best: boolean, price: boolean }][]} */
const table = [
  ["proved optimal", result("proved-optimal", true, bound(3)), { proof: true, best: true, price: true }],
  ["bounded", result("bounded", true, bound(2)), { proof: true, best: false, price: true }],
  ["feasible", result("feasible", true), { proof: false, best: false, price: true }],
  ["stopped, feasible", result("stopped", true), { proof: false, best: false, price: true }],
  ["stopped, infeasible", result("stopped", false), { proof: false, best: false, price: false }],
  ["none found", result("no-feasible-found", false), { proof: false, best: false, price: false }],
  ["infeasible", result("proved-infeasible", false, { leastViolation: 0.5, ...proof }), { proof: true, best: false, price: false }],
  ["unchecked", result("unchecked", true, proof), { proof: false, best: false, price: true }],
  ["unchecked, infeasible", result("unchecked", false, proof), { proof: false, best: false, price: false }],
  ["failed", result("failed", false, { policy: [], constraints: [] }), { proof: false, best: false, price: false }],
];

test("no text says of an answer what its status does not allow", () => {
  for (const [name, of, may] of table) {
    const { headline, sentence } = verdict(problem, of);
    const page = reportHtml({
      name: "n",
      problem,
      result: of,
      method: { title: "Search", shape: "search" },
      explanation: of.policy.length > 0 ? explanation : null,
      link: "x",
      made: "today",
    });
    const markdown = of.policy.length > 0 ? markdownOf(/** @type {any} */ ({ problem, result: of, name: "n" })) : "";
    const text = [headline, sentence, page.replace(/<style>[^]*?<\/style>/, "").replace(/<pre[^]*?<\/pre>/g, ""), markdown].join("\n");
    const claimed = text.replace(/What is proved, and how|(?:not|Not|nothing is|Nothing is) proved|is not proved|that (?:it|none) [^.]* not proved/g, "");
    assert.equal(/proved|accepted it/i.test(claimed), may.proof, `${name}: a proof\n${claimed}`);
    assert.equal(/optimal|no plan (is cheaper|earns more)/i.test(claimed), may.best, `${name}: the best`);
    assert.equal(/price|multiplier|next best|binding/i.test(text), may.price, `${name}: prices`);
    if (!of.feasible) assert.doesNotMatch(text, /keeps its limits was evaluated|Holds in/, name);
    assert.doesNotMatch(text, /undefined|NaN|\[object/, name);
  }
});

test("what the proof lets a limit be missed by is said beside it, where it is more than rounding", () => {
  const shown = (/** @type {number} */ allowed) => {
    const of = result("bounded", true, bound(2));
    of.constraints[0].allowed = allowed;
    return renderToString(html`<${Trust} lab=${{}} answer=${{ name: "n", result: of }} report=${null} />`);
  };
  assert.match(shown(1e-7), /for every plan that misses risk by 1e−7 at most/);
  for (const rounding of [0, 1e-15]) assert.doesNotMatch(shown(rounding), /misses risk/);
});
