// @ts-check
// verdicts.test.js — what the card, every panel, a report and its Markdown may say of each kind of answer: tables, and each text held to them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { html } from "htm/preact";
import { renderToString } from "preact-render-to-string";
import { blankDocument } from "../src/document/reading.js";
import { own } from "../src/engine/claims.js";
import { Answer } from "../src/panels/answer.js";
import { standingOf } from "../src/panels/bar.js";
import { Panel as Compare } from "../src/panels/compare.js";
import { Panel as Picture } from "../src/panels/picture.js";
import { Plan } from "../src/panels/plan.js";
import { Panel as Play } from "../src/panels/play.js";
import { markdownOf } from "../src/panels/policy-out.js";
import { Panel as Proof } from "../src/panels/proof.js";
import { reportHtml } from "../src/panels/report.js";
import { Trust } from "../src/panels/trust.js";
import { Panel as Search } from "../src/panels/search.js";
import { Panel as Tradeoff } from "../src/panels/tradeoff.js";
import { Panel as Why, Reasons } from "../src/panels/why.js";
import { verdict } from "../src/words/words.js";
import { labOf, stateOf } from "./answer-states.js";

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

// ---- every panel, over every kind of answer

/** The trace of a search that has led to such an answer. @param {any} of */
const traced = (of) => ({
  k: [1, 2, 3],
  objective: [4, 3.5, 3],
  maxViolation: of.feasible ? [-0.1, -0.2, -0.5] : [1.5, 1.2, 1],
  bestObjective: of.feasible ? [4, 3.5, 3] : [NaN, NaN, NaN],
  lowerBound: [NaN, of.objective.lowerBound ?? NaN, of.objective.lowerBound ?? NaN],
  upperBound: [NaN, NaN, NaN],
  evaluations: [1, 2, 3],
  seconds: [0.1, 0.2, 0.3],
  nodes: [0, 0, 0],
});
const explained = /** @type {any} */ ({
  ...explanation,
  residual: 0,
  state: 0,
  kernels: [{ cost: 0, kernel: { name: "calm" }, share: 1 }, { cost: 1, kernel: { name: "windy" }, share: 1 }],
  limits: [{ name: "risk", threshold: 1, price: 2, binding: true, slack: 0 }],
  costs: [{ name: "money", value: 3, visits: 0.5, kernel: { name: "calm" }, actions: [] }],
});
const news = {
  k: 1,
  best: { objective: 3, maxViolation: -0.5, feasible: true, policy },
  evaluations: 3,
  seconds: 1,
  nodes: 2,
  openNodes: 1,
  lowerBound: 2,
  upperBound: null,
};

/** @param {any} answer @param {any} run */
const stateWith = (answer, run) => stateOf(problem, answer, run);
/** @param {any} answer */
const labWith = (answer) => labOf(answer, stateWith(answer, null));

/** What a text may claim. @type {Record<string, RegExp>} */
const claims = {
  proof: /proved|passed an independent check|repeated it/i,
  best: /optimal|no plan (?:is cheaper|earns more)/i,
  price: /price|multiplier|binding|runner-up|next best/i,
  kept: /\bholds in\b|keeps every limit|\bmet\b|to spare/i,
  missed: /violated|this plan misses|misses (?:one|its)|breaks a limit|violation found/i,
};
/** What denies, or speaks of what could be. */
const denied =
  /[^.;:]*(?:\bnot proved|nothing (?:is )?proved|none (?:keeps|is)|no plan keeps|never promised|what is proved(?: of it|\?)|was found that keeps|for a plan that keeps|not proved impossible|proved so far: no plan costs less|proving how good|the price of robustness|keeps every limit is looked for)[^.;]*/gi;

/** Which panel speaks of what, at the most. @type {Record<string, string[]>} */
const speaks = {
  head: ["proof", "best", "kept", "missed"],
  bar: ["proof", "best"],
  plan: ["kept", "missed"],
  picture: [],
  why: ["price", "kept", "missed", "proof"],
  search: ["proof", "kept", "missed"],
  compare: ["proof", "kept", "missed"],
  tradeoff: ["proof", "best"],
  play: [],
  proof: ["proof", "best"],
};

/** What each panel says. @param {any} props @returns {Record<string, string>} */
function said(props) {
  const { lab, state, answer, run } = props;
  const shown = { plan: Plan, picture: Picture, search: Search, compare: Compare, tradeoff: Tradeoff, play: Play, proof: Proof };
  /** @type {Record<string, any>} */
  const parts = Object.fromEntries(Object.entries(shown).map(([id, Panel]) => [id, html`<${Panel} ...${props} />`]));
  parts.head = html`<${Answer} lab=${lab} state=${state} panels=${() => null} />`;
  parts.bar = html`<i>${standingOf(state, "", lab.shown()).text}</i>`;
  parts.why = answer && !run && answer.result.policy.length > 0
    ? html`<${Reasons} lab=${lab} problem=${problem} answer=${answer} why=${explained} at=${0} />`
    : html`<${Why} ...${props} />`;
  // Text, and what a title or a label says besides.
  const words = (/** @type {string} */ page) => page.replace(/<[^>]*?(?:(?:title|aria-label)="([^"]*)"[^>]*)?>/g, " $1 ").replace(/\s+/g, " ");
  return Object.fromEntries(Object.entries(parts).map(([id, part]) => [id, words(renderToString(part))]));
}

/** Holds what the panels say to what may be said. @param {string} name @param {any} props @param {Record<string, boolean>} may */
function assertSays(name, props, may) {
  const texts = said(props);
  assert.deepEqual(Object.keys(texts).sort(), Object.keys(speaks).sort());
  for (const [panel, text] of Object.entries(texts)) {
    const claimed = text.replace(denied, " ");
    for (const [claim, words] of Object.entries(claims)) {
      const right = may[claim] && speaks[panel].includes(claim);
      assert.ok(right || !words.test(claimed), `${name}, ${panel}: “${words.exec(claimed)?.[0]}” in\n${claimed}`);
    }
    assert.doesNotMatch(text, /undefined|NaN|\[object|Infinity/, `${name}, ${panel}`);
  }
  return texts;
}

test("no panel says of an answer what its status does not allow, and each says what there is to say", () => {
  for (const [name, of, may] of table) {
    const result_ = own({ ...of, trace: traced(of) });
    const answer = { problem, result: result_, algorithm: "solve", id: "a", name: "Odd", line: 1, saving: "", source: "run" };
    const lab = labWith(answer);
    const texts = assertSays(name, { lab, state: stateWith(answer, null), problem, answer, fresh: true, run: null, embedded: false }, {
      ...may,
      kept: of.feasible,
      missed: !of.feasible,
    });
    if (may.proof) assert.match(texts.proof, /second program/, name);
    if (of.policy.length === 0) continue;
    assert.equal(/multiplier/.test(texts.why), of.feasible, `${name}: prices`);
    if (of.feasible) continue;
    for (const panel of ["head", "plan", "why"]) assert.match(texts[panel], /risk/, `${name}, ${panel}: which limit`);
    assert.match(texts.why, /is 2 at the worst, and at most 1 is asked for: violated by 1/, name);
    assert.match(texts.search, /None keeps every limit; the nearest misses one by 1\./, name);
    assert.match(texts.compare, /infeasible|none found/, name);
  }
});

test("while a run goes on, and before there is anything, no panel claims more than the run has", () => {
  const run = (/** @type {any} */ part) => ({
    ...{ id: "r", name: "Odd", problem, line: 1, algorithm: "solve", options: {}, policy, trace: traced(result("feasible", true, bound(2))) },
    ...{ ending: "", saidFeasible: true, auto: "", news },
    ...part,
  });
  const nothing = { proof: false, best: false, price: false, kept: false, missed: false };
  const none = { ...news, best: { ...news.best, feasible: false, maxViolation: 1 }, lowerBound: null };
  const searching = run({ news: none, saidFeasible: false, trace: traced(result("stopped", false)) });
  for (
    const [name, going, may] of /** @type {[string, any, any][]} */ ([
      ["nothing yet", null, nothing],
      ["just begun", run({ news: null, policy: null, trace: traced(result("failed", false)) }), { ...nothing, missed: true }],
      ["no plan so far", searching, { ...nothing, missed: true }],
      ["stopping without a plan", { ...searching, ending: "stop" }, { ...nothing, missed: true }],
      ["a plan, and a bound", run({}), { ...nothing, kept: true, missed: true, proof: true }],
      ["stopping with it", run({ ending: "stop" }), { ...nothing, kept: true, missed: true, proof: true }],
    ])
  ) {
    const lab = labWith(null);
    assertSays(name, { lab, state: stateWith(null, going), problem, answer: null, fresh: false, run: going, embedded: false }, may);
  }
});

test("without limits nothing is said of keeping or missing any", () => {
  const free = { ...problem, constraints: [] };
  for (const of of [result("proved-optimal", true, bound(3)), result("bounded", true, bound(2)), result("feasible", true), result("stopped", true)]) {
    const result_ = own({ ...of, constraints: [], trace: { ...traced(of), maxViolation: [NaN, NaN, NaN] } });
    const answer = { problem: free, result: result_, algorithm: "solve", id: "a", name: "Odd", line: 1, saving: "", source: "run" };
    const lab = labWith(answer);
    const props = { lab, state: stateWith(answer, null), problem: free, answer, fresh: true, run: null, embedded: false };
    for (const panel of [Plan, Search, Proof]) {
      assert.doesNotMatch(renderToString(html`<${panel} ...${props} />`), /keeps? every limit|keeps its limits|violat|slack|breaks a limit/, of.status);
    }
    assert.match(renderToString(html`<${Answer} lab=${lab} state=${props.state} panels=${() => null} />`), /Judged in/);
  }
});
