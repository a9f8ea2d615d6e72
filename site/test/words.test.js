// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { blankDocument } from "../src/document/reading.js";
import {
  announcement,
  boundOf,
  effort,
  gapOf,
  inWhat,
  isFeasible,
  isProving,
  leftWords,
  limitOf,
  needs,
  needsSentence,
  overWords,
  proofWords,
  valueWord,
  verdict,
} from "../src/words/words.js";
import { standing } from "../src/words/standing.js";

const problem = blankDocument();
const met = { name: "downtime", value: 1.5, threshold: 2, violation: -0.5, slack: 0.5 };
const broken = { name: "downtime", value: 2.25, threshold: 2, violation: 0.25, slack: -0.25 };
const result = (/** @type {any} */ r) => ({
  constraints: [met],
  warnings: [],
  evaluations: 1234,
  seconds: 0.84,
  ...r,
  objective: { value: NaN, lowerBound: NaN, upperBound: NaN, gap: NaN, relativeGap: NaN, ...r.objective },
});
const all = ["proved-optimal", "bounded", "feasible", "proved-infeasible", "no-feasible-found", "stopped", "failed"];

test("no sentence says that no plan is cheaper unless the status is proved-optimal", () => {
  for (const status of all) {
    for (const constraints of [[met], [broken], []]) {
      for (const lowerBound of [12.31, NaN]) {
        const { headline, sentence } = verdict(problem, result({ status, constraints, objective: { value: 12.4, lowerBound } }));
        assert.equal(/optimal|no plan (is|earns)/i.test(headline + sentence), status === "proved-optimal", `${headline} ${sentence}`);
        assert.doesNotMatch(headline, /kernel|stationary|nominal|polic/i);
        assert.ok(headline.length > 0);
      }
    }
  }
});

test("the sentences are the ones a person can rely on", () => {
  const say = (/** @type {any} */ r, /** @type {any} */ p = problem) => {
    const v = verdict(p, result(r));
    return `${v.headline}. ${v.sentence}`;
  };
  assert.equal(
    say({ status: "bounded", objective: { value: 12.4, lowerBound: 12.31, relativeGap: 0.0073 } }),
    "Holds in both models of the world, at most 0.74\u202f% above the cheapest. Proved: no plan costs less than 12.31.",
  );
  assert.equal(
    say({ status: "feasible", objective: { value: 12.4 } }),
    "Holds in both models of the world. How close that is to the best possible is not proved.",
  );
  assert.match(
    say({ status: "proved-infeasible", constraints: [broken] }),
    /^No plan keeps every limit in both models of the world\. Proved by a checked certificate\./,
  );
  assert.equal(
    say({ status: "no-feasible-found", constraints: [broken] }),
    "No plan was found that keeps every limit. And not proved impossible. The nearest plan has worst-case downtime of 2.25; at most 2 is allowed.",
  );
  assert.match(
    say({ status: "proved-infeasible", constraints: [broken], leastViolation: 0.125 }),
    / downtime: at least 2\.125 is needed, 2 is allowed; 2\.25 is known to be enough\.$/,
  );
  const even = { ...broken, value: 0, threshold: -1, violation: 1 }; // a proof leaves out its last digits, and is told on its side
  for (const [violation, needed] of [[1 - 4.99e-11, "0, to within 5e−11,"], [1, "0"], [0.87654321, "−0.1235"]]) {
    const told = say({ status: "proved-infeasible", constraints: [even], leastViolation: violation });
    assert.ok(told.includes(` at least ${needed} is needed, −1 is allowed; 0 is known to be enough.`), told);
  }
  assert.match(say({ status: "proved-infeasible", constraints: [broken, met], leastViolation: 0.125 }), / Every plan breaks some limit by 0\.125 or more\.$/);
  assert.match(say({ status: "stopped", constraints: [broken], objective: { value: 1 } }), /Stopped before a plan was found that keeps every limit/);
  assert.match(say({ status: "stopped", objective: { value: 12.4, lowerBound: 12 } }), /best plan so far.*no plan costs less than 12\./);
});

test("who maximises reads of earning and of an upper bound", () => {
  /** @type {Doc} */
  const max = { ...problem, objective: { ...problem.objective, sense: "maximize" } };
  assert.deepEqual(
    verdict(max, result({ status: "bounded", objective: { value: 9, upperBound: 10, relativeGap: 1 / 9 } })),
    { tone: "good", headline: "Holds in both models of the world, at most 10\u202f% below the best", sentence: "Proved: no plan earns more than 10." },
  );
  assert.equal(boundOf({ lowerBound: NaN, upperBound: 3 }), 3);
  assert.ok(Number.isNaN(boundOf(undefined)));
});

test("near zero a gap is given as a distance, because a share of nothing says nothing", () => {
  assert.match(verdict(problem, result({ status: "bounded", objective: { value: 0.02, lowerBound: 0, relativeGap: NaN } })).headline, /at most 0\.02 above/);
  assert.equal(gapOf(2, { lowerBound: 1.5 }).text, "34\u202f%");
  assert.equal(gapOf(2, { lowerBound: 2 }).text, "no gap");
  assert.equal(gapOf(2, { lowerBound: NaN }).text, "");
});

test("a stopped run is feasible only when its policy meets every limit", () => {
  assert.ok(isFeasible(result({ status: "stopped", objective: { value: 1 } })));
  assert.ok(!isFeasible(result({ status: "stopped", constraints: [broken], objective: { value: 1 } })));
  assert.ok(!isFeasible(result({ status: "stopped", objective: { value: NaN } })));
  assert.ok(!isFeasible(result({ status: "no-feasible-found" })));
  assert.ok(isFeasible(result({ status: "bounded" })));
});

test("a value with a penalty in it is not called a worst case", () => {
  /** @type {Doc} */
  const p = { ...problem, uncertainty: { kind: "kl-regularized", temperature: 1, evaluator: "paper" } };
  const { headline, sentence } = verdict(p, result({ status: "feasible", objective: { value: 3 } }));
  assert.equal(headline, "Holds under the paper's KL update");
  assert.match(sentence, /is not proved/);
});

test("limits and efforts read as a person says them", () => {
  assert.equal(standing(met), "met with 0.5 to spare");
  assert.equal(standing(broken), "violated by 0.25");
  assert.equal(standing({ violation: -1e-12, threshold: 2 }), "met, exactly at its limit");
  assert.equal(standing({ violation: NaN, threshold: 2 }), "not known");
  assert.deepEqual(limitOf({ atLeast: 3 }), { sign: "≥", words: "at least", threshold: 3 });
  assert.equal(inWhat({ ...problem, uncertainty: { kind: "l1" } }), "in every model of the set");
  assert.equal(inWhat({ ...problem, uncertainty: { kind: "finite", kernels: [{ transitions: { entries: [] } }] } }), "in the one model of the world");
  const averaged = (/** @type {any} */ over) => ({ ...problem, objective: { ...problem.objective, over } });
  assert.deepEqual([undefined, "worst", "mean", { cvar: 0.1 }].map((over) => valueWord(averaged(over))), ["worst-case", "worst-case", "mean", "tail-mean"]);
  assert.match(overWords({ over: { cvar: 0.1 } }), /^mean over the worst 10\s%\sof the models$/);
  assert.equal(inWhat(averaged("mean")), "over the models as asked for");
  const rule = { ...problem, policies: /** @type {"deterministic"} */ ("deterministic") };
  assert.match(verdict(rule, result({ status: "proved-optimal" })).headline, /and no plan of one action a state is cheaper/);
  assert.match(verdict(rule, result({ status: "proved-infeasible" })).headline, /^No plan of one action a state keeps every limit/);
  assert.equal(effort(result({ status: "feasible" }), "SLP"), "SLP · 1\u202f234 evaluations · 0.8 s");
  assert.match(effort(result({ warnings: ["Else.", "Ended by the time limit of 1 s."] }), "SLP"), / 0\.8 s\. Ended by the time limit of 1 s\.$/);
});

test("milestones are said in one or two sentences", () => {
  assert.equal(announcement("start", problem), "Solving Untitled model.");
  assert.equal(announcement("feasible", problem, { best: { objective: 3.25 } }), "First plan found that keeps every limit, worst-case cost 3.25.");
  assert.match(
    announcement("done", problem, result({ status: "feasible", objective: { value: 2 } })),
    /^Holds in both models of the world, worst-case cost 2\..*evaluations, 0\.8 s\.$/,
  );
  assert.match(announcement("failed", problem, { message: "It crashed." }), /The run failed\. It crashed\./);
});

test("a proof in progress says its boxes, and how long only when that is known", () => {
  assert.equal(proofWords({ nodes: 0, openNodes: 0, secondsLeft: null }), "");
  assert.equal(proofWords({ nodes: 1, openNodes: 0, secondsLeft: null }), "1 box worked through");
  assert.equal(proofWords({ nodes: 11, openNodes: 3, secondsLeft: 41.7 }), "11 boxes worked through, 3 open, about 40 s to close what is open");
  for (const unknown of [null, undefined, NaN, 0, Infinity]) assert.equal(leftWords(unknown), "");
  assert.equal(isProving(null), false);
  assert.equal(isProving({ nodes: 5, openNodes: 0 }), false);
  assert.equal(isProving({ nodes: 0, openNodes: 1 }), true);
});

test("what a large model needs is said before it is solved, and what ends the run before", () => {
  for (const none of [null, undefined, { seconds: 0, bytes: 1e6 }]) assert.equal(needs(none) + needsSentence(none, 30), "");
  assert.equal(needsSentence({ seconds: 7.6, bytes: 45.2e6 }, 30), "A run takes about 8 s and 45.2 MB of memory.");
  assert.equal(needsSentence({ seconds: 124, bytes: 180e6 }, 0), "A run takes about 2 min and 180 MB of memory.");
  assert.equal(
    needsSentence({ seconds: 124, bytes: 180e6 }, 30),
    "A run takes about 2 min and 180 MB of memory; the time limit ends it after 30 s with the best policy by then.",
  );
});
