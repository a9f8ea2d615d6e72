// @ts-check
// Every number that leaves is the answer's: what each place says of one answer whose numbers nothing else has, as it stands there.

import assert from "node:assert/strict";
import { test } from "node:test";
import { html } from "htm/preact";
import { renderToString } from "preact-render-to-string";
import { progressText, resultTable } from "../package/command/output.js";
import { blankDocument } from "../src/document/reading.js";
import { own } from "../src/engine/claims.js";
import { Answer } from "../src/panels/answer.js";
import { Panel as Compare } from "../src/panels/compare.js";
import { Interval } from "../src/panels/interval.js";
import { Policy } from "../src/panels/policy.js";
import { Outcome, markdownOf } from "../src/panels/policy-out.js";
import { Panel as Proof } from "../src/panels/proof.js";
import { reportHtml } from "../src/panels/report.js";
import { Runs } from "../src/panels/runs.js";
import { WorstCases } from "../src/panels/worst.js";
import { standing } from "../src/words/standing.js";
import { announcement, discountWords, overWords, runName, stepsWords, verdict } from "../src/words/words.js";
import { labOf, stateOf } from "./answer-states.js";

const base = /** @type {any} */ (blankDocument());
const problem = {
  ...base,
  name: "Odd",
  discount: 0.9137,
  objective: { ...base.objective, name: "money" },
  constraints: [{ ...base.objective, name: "risk", atMost: 2.163 }],
};
const two = { ...problem, constraints: [...problem.constraints, { ...base.objective, name: "noise", atMost: 5.381 }] };
const risk = { name: "risk", sense: "atMost", value: 1.87351, threshold: 2.163, violation: -0.28949, slack: 0.28949 };
const noise = { name: "noise", sense: "atMost", value: 5.927, threshold: 5.381, violation: 0.546, slack: -0.546 };
const over = { ...risk, value: 2.752, violation: 0.589, slack: -0.589 };
const policy = [[0.6182, 0.3818], [0.2347, 0.7653]];
const objective = { name: "money", sense: "minimize", value: 12.378, lowerBound: 11.843, upperBound: null, gap: 0.535, relativeGap: 0.0432 };
/** The trace of a run that has only begun. */
const trace = Object.fromEntries(
  ["k", "objective", "maxViolation", "bestObjective", "lowerBound", "upperBound", "evaluations", "seconds", "nodes"].map((column) => [column, []]),
);
/** @param {any} part @returns {any} */
const result = (part = {}) => ({
  ...{
    status: "bounded",
    feasible: true,
    algorithm: "solve",
    policy,
    objective,
    constraints: [risk],
    leastViolation: null,
    worst: [],
    trace: {},
    warnings: [],
  },
  ...{ evaluations: 1234, seconds: 7.31, steps: 61.48 },
  ...part,
});
const impossible = result({
  status: "proved-infeasible",
  feasible: false,
  constraints: [over],
  leastViolation: 0.41749,
  objective: { ...objective, lowerBound: null },
});
const explanation = /** @type {any} */ ({
  limits: [{ price: 3.172, binding: true }],
  kernels: [{ cost: 0, kernel: { name: "harsh" }, share: 0.6748 }],
  states: policy.map((row) => row.map((probability, action) => ({ action, probability, extra: action === 0 ? 0 : 0.7431, marginal: 1, breaks: null }))),
});
const news = {
  k: 1,
  best: { objective: 12.378, maxViolation: 0.5893, feasible: true, policy },
  evaluations: 1234,
  seconds: 7.31,
  nodes: 45,
  openNodes: 6,
  lowerBound: 11.843,
  upperBound: null,
};
/** @param {any} of @param {any} [part] @returns {any} */
const answer = (of, part) => ({ problem, result: own(of), algorithm: "solve", id: "a", name: "Odd", line: 1, saving: "", source: "run", ...part });
/** @param {any} part @returns {any} */
const run = (part) => ({ ...{ id: "r", name: "Odd", problem, line: 1, algorithm: "solve", options: {}, policy, trace, ending: "", auto: "", news }, ...part });

/** The words of a page, as a person reads them. @param {string} page */
const words = (page) =>
  page.replace(/<(style|pre|title)[^]*?<\/\1>/g, " ").replace(/<[^>]*?(?:aria-label="([^"]*)"[^>]*)?>/g, " $1 ").replace(/&#39;/g, "'").replace(
    /[\s\u202f]+/g,
    " ",
  );
/** @param {any} part */
const drawn = (part) => words(renderToString(part));
/** @param {any} of @param {any} going */
const head = (of, going = null) => drawn(html`<${Answer} lab=${labOf(of)} state=${stateOf(problem, of, going)} panels=${() => null} />`);
/** @param {any} of @param {any} model */
const report = (of, model = problem) =>
  words(reportHtml({ name: "n", problem: model, result: of, method: { title: "Search", shape: "search" }, explanation, link: "x", made: "today" }));

test("every number that leaves is the answer's", () => {
  const whole = answer(result());
  const ball = { ...problem, uncertainty: { kind: "l1", radius: 0.25, nominal: problem.uncertainty.kernels[0].transitions } };
  const row = {
    state: "working",
    action: "wait",
    successors: ["working", "broken"],
    nominal: [0.8713, 0.1287],
    worst: [0.74585, 0.25415],
    moved: 0.12545,
    visits: 0.43475,
    omitted: 0,
  };
  const box = { ...row, nominal: null, moved: null, lower: [0.6127, 0.1084], upper: [0.8914, 0.3873] };
  const returns = [
    { name: "money", value: 12.378, byKernel: [9.4172, 12.378] },
    { ...risk, byKernel: [1.1629, 1.87351] },
  ];
  const robust = [10.614, 11.9288].map((nominal, i) => ({
    label: `plan ${i}`,
    under: [{ evaluation: { returns: [{ name: "money", value: nominal }, { name: "risk", value: 1.5 }] } }, { evaluation: { returns } }],
  }));
  /** Place, text, what must stand in it. @type {[string, string, string[]][]} */
  const places = [
    ["verdict", verdict(problem, result()).headline, ["at most 4.6 % above"]], // .535 of 11.843, rounded up
    ["verdict", verdict(problem, result()).sentence, ["less than 11.843.", "takes 61.48 steps"]],
    ["verdict, another sign", verdict(problem, result({ objective: { ...objective, lowerBound: -3.1 } })).headline, ["at most 16 above"]],
    ["verdict, unchecked", verdict(problem, result({ status: "unchecked" })).sentence, ["money of 12.378"]],
    ["verdict, impossible", verdict(problem, impossible).sentence, ["at least 2.58 is needed, 2.163 is allowed; 2.752 is known"]],
    [
      "verdict, impossible from below",
      verdict({ ...problem, constraints: [{ ...base.objective, name: "risk", atLeast: 2.163 }] }, { ...impossible, constraints: [{ ...over, value: 1.574 }] })
        .sentence,
      ["no more than 1.746 can be reached, 2.163 is asked for; 1.574 is known"],
    ],
    [
      "verdict, two limits",
      verdict(two, { ...impossible, constraints: [over, noise] }).sentence,
      ["risk of 2.752; at most 2.163 is allowed", "breaks some limit by 0.417 or more"],
    ],
    ["steps", stepsWords(problem, { steps: 23456.7 }), ["23 457 steps"]],
    ["discount", discountWords(problem), ["0.9137"]],
    ["over", overWords({ over: { cvar: 0.3749 } }), ["worst 37 %"]],
    ["name", runName(problem, "Search"), ["risk ≤ 2.163"]],
    ["aloud", announcement("done", problem, result()), ["money 12.378.", "1 234 evaluations, 7.3 s"]],
    ["aloud, first", announcement("feasible", problem, news), ["money 12.378."]],
    ["standing", [risk, over].map(standing).join(), ["met with 0.289 to spare", "violated by 0.589"]],
    ["card", head(whole), ["12.378 money", "11.843", "1 234 evaluations · 7.3 s"]],
    ["card, impossible", head(answer(impossible)), ["0.589 least violation found, of risk"]],
    ["card, searching", head(null, run({})), ["12.378 money", "less than 11.843", "1 234 evaluations", "45 boxes worked through, 6 open"]],
    ["card, nothing yet", head(null, run({ news: { ...news, best: { ...news.best, feasible: false } } })), ["0.5893 least violation so far"]],
    ["interval", drawn(html`<${Interval} value=${12.378} objective=${objective} />`), ["between 11.843, which is proved, and 12.378, which is found"]],
    [
      "report",
      report(result()),
      [
        ...["12.378 worst-case money", "at most 4.6 %", "less than 11.843", "discount 0.9137", "1 234 evaluations, 7.3 s"],
        ...["risk ≤ 2.163 1.8735 0.28949 3.17 met with 0.289 to spare", "working 0.618 0.382 repair +0.743", "broken 0.235 0.765", "harsh (67 % of money)"],
      ],
    ],
    ["Markdown", markdownOf(whole), ["| risk | ≤ 2.163 | 1.8735 | 0.28949 |", "| working | 0.618 | 0.382 |", "at most 4.6"]],
    [
      "what an edited policy is worth",
      drawn(html`<${Outcome} problem=${problem} edit=${{ policy, busy: false, message: "", outcome: { returns } }} />`),
      ["money 12.378 ;", "risk 1.87351 (met with 0.289 to spare)", "nominal 9.4172 1.1629", "harsh 12.3780 1.8735"],
    ],
    [
      "comparison",
      drawn(html`<${Compare} lab=${labOf(whole)} state=${{
        ...stateOf(problem, whole, null),
        panels: {
          compare: { busy: false, problem, rows: [{ id: "method:solve", label: "Search", algorithm: "solve", problem, result: result(), message: "" }] },
        },
      }} problem=${problem} answer=${whole} fresh=${true} />`),
      ["Search 12.378 11.843 4.6 % 1.874 ≤ 2.163 1 234 7.3 s"],
    ],
    [
      "price of robustness",
      drawn(html`<${Compare} lab=${labOf(whole)} state=${{
        ...stateOf(problem, whole, null),
        panels: { robust: { busy: false, problem, policy: whole.result.policy, message: "", columns: robust } },
      }} problem=${problem} answer=${whole} fresh=${true} />`),
      ["9.417 1.163", "harsh 12.38 1.874", "this plan is 1.31 money cheaper"],
    ],
    [
      "runs",
      drawn(html`<${Runs} lab=${labOf(null)} runs=${{
        ready: true,
        list: [{ id: "x", name: "mine", created: "2026-01-02T03:04:05Z", algorithm: "solve", status: "bounded", objective: 12.378, resumable: false }],
      }} compared=${[]} current="" unsaved=${[]} running="" algorithms=${[]} />`),
      ["12.378"],
    ],
    [
      "policy",
      drawn(html`<${Policy} lab=${labOf(whole)} problem=${problem} result=${result()} edit=${null} busy=${false} rivals=${[{
        id: "b",
        label: "other",
        policy: [[0.1234, 0.8766], [0.2347, 0.7653]],
      }]} available=${() => true} />`),
      ["0.618", "0.382", "0.235", "0.765"],
    ],
    [
      "proof in progress",
      drawn(html`<${Proof} lab=${labOf(null)} state=${{
        ...stateOf(problem, null, run({})),
        algorithms: [{ id: "solve", title: "Search", shape: "search", options: [{ name: "gap", default: 0.03748 }] }],
      }} problem=${problem} answer=${null} run=${run({})} />`),
      ["4.6 % is still open , and 3.7 % is asked for", "45 boxes are worked through, 6 are open"],
    ],
    [
      "nature's rows",
      drawn(html`<${WorstCases} problem=${ball} result=${result({ worst: [{ cost: "money", rows: [row] }] })} />`),
      ["0.125 moves from working to broken", "43 % of the time", "working 0.871 0.746 ▼ −0.125", "broken 0.129 0.254 ▲ +0.125"],
    ],
    [
      "nature's rows between bounds",
      drawn(html`<${WorstCases} problem=${{ ...problem, uncertainty: { kind: "interval" } }} result=${result({ worst: [{ cost: "money", rows: [box] }] })} />`),
      ["working 0.613 to 0.891 0.746", "broken 0.108 to 0.387 0.254"],
    ],
    [
      "table of the command",
      resultTable("odd.json", result(), problem).replace(/ +/g, " "),
      ["(solve, 7.31 s)", "money 12.378 11.843 4.6 %", "risk 1.87351 <= 2.163 0.28949\n", "working 0.6182 0.3818", "broken 0.2347 0.7653"],
    ],
    ["progress of the command", progressText(/** @type {any} */ (news)), ["best 12.378, bound 11.843, gap 4.6 %, 1234 evaluations, 7.31 s"]],
  ];
  const missing = [];
  for (const [place, text, wanted] of places) {
    const plain = text.replace(/\u202f/g, " ");
    for (const one of wanted) if (!plain.includes(one)) missing.push(`${place}: no “${one}” in\n${plain}`);
    assert.doesNotMatch(plain, /undefined|NaN|\[object/, place);
  }
  assert.equal(missing.length, 0, missing.join("\n\n"));
});
