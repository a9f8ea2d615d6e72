// @ts-check
// explore.test.js — the trade-off explorer, the player and the door for logs, without a page:
// what can be turned, the figures, pasted logs.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { asLogged, firstChoices, judgeFigure, optionsOf, quantile, settled } from "../src/lab/logs.js";
import { keepable, nominalProblem, suggested } from "../src/lab/limits.js";
import { histogram, kernelsOf, standing, totalsFigure } from "../src/lab/play.js";
import { readCurve } from "../src/share/share.js";
import { knobsOf, sameCurve, stepOf, turned, valuesOf } from "../src/lab/knobs.js";
import { curve, keptSweep, pointWords } from "../src/lab/tradeoff.js";

/** @type {any} */
const doc = {
  format: "rcmdp/1",
  name: "Two states",
  states: ["a", "b"],
  actions: ["go", "wait"],
  discount: 0.5,
  initial: [1, 0],
  objective: { name: "money", values: [[1, 0], [2, 0]] },
  constraints: [{ name: "risk", values: [[0, 1], [0, 1]], atMost: 0.5 }, { name: "work", scale: "average", values: [[1, 0], [1, 0]], atLeast: 0.2 }],
  uncertainty: { kind: "l1", radius: 0.1, nominal: [[[0, 1], [1, 0]], [[1, 0], [0, 1]]] },
};
/** @param {any} part */
const point = (part) => ({
  status: "bounded",
  feasible: true,
  objective: { value: 0, lowerBound: null, upperBound: null },
  constraints: [],
  policy: [[1, 0], [1, 0]],
  ...part,
});

describe("the trade-off", () => {
  test("every limit, the radius and the parameters of an untouched example can be turned, a seed cannot", () => {
    const examples = [{
      id: "x",
      parameters: [{ name: "size", label: "Size", default: 4, min: 3, max: 5, integer: true }, { name: "seed", min: 0, max: 9, default: 1 }],
    }];
    const ids = (/** @type {any} */ origin) => knobsOf(doc, origin, /** @type {any} */ (examples)).map((k) => k.id);
    assert.deepEqual(ids({ kind: "blank" }), ["limit 0", "limit 1", "radius"]);
    assert.deepEqual(ids({ kind: "example", id: "x", parameters: { size: 4, seed: 1 }, doc }), ["limit 0", "limit 1", "radius", "parameter size"]);
    assert.deepEqual(ids({ kind: "example", id: "x", parameters: {}, doc: { ...doc, discount: 0.4 } }), ["limit 0", "limit 1", "radius"], "edited");
  });

  test("the share of a tail can be turned, and a mean has none", () => {
    const averaged =
      /** @type {any} */ ({ ...doc, objective: { ...doc.objective, over: { cvar: 0.2 } }, constraints: [{ ...doc.constraints[0], over: "mean" }] });
    const [, tail] = knobsOf(averaged, { kind: "blank" }, []);
    assert.deepEqual([tail.id, tail.value, tail.min, tail.max], ["/objective/over/cvar", 0.2, 0.01, 1]);
    assert.deepEqual(turned(averaged, tail, 0.5)?.objective.over, { cvar: 0.5 });
  });

  test("a slider's range holds its value and stays within what the cost can be", () => {
    const [risk, work] = knobsOf(doc, { kind: "blank" }, []);
    assert.ok(risk.min < 0.5 && risk.max > 0.5 && risk.min >= 0 && risk.max <= 2, `${risk.min} to ${risk.max}`);
    assert.ok(work.min < 0.2 && work.max > 0.2 && work.min >= 0 && work.max <= 1, `${work.min} to ${work.max}`);
    assert.equal(risk.looser, 1);
    assert.equal(work.looser, -1);
    assert.ok(stepOf(risk) > 0 && stepOf(risk) < (risk.max - risk.min) / 50);
    assert.equal(turned(doc, risk, 0.7)?.constraints?.[0].atMost, 0.7);
    assert.equal(doc.constraints[0].atMost, 0.5);
  });

  test("models that differ only in where the knob stands have one curve", () => {
    const [risk, work] = knobsOf(doc, { kind: "blank" }, []);
    const other = /** @type {any} */ (turned(doc, risk, 0.7));
    assert.ok(sameCurve(doc, other, risk));
    assert.ok(!sameCurve(doc, other, work));
    assert.ok(!sameCurve(doc, { ...other, discount: 0.4 }, risk));
  });

  test("a saved sweep comes back as the curve it was", () => {
    const points = [point({ value: 0.2 }), null];
    assert.deepEqual(keptSweep(doc, { pointer: "/constraints/1/atLeast", values: [0.2, 0.4] }, points), {
      problem: doc,
      knob: "limit 1",
      values: [0.2, 0.4],
      points,
      began: false,
    });
    assert.equal(keptSweep(doc, { pointer: "/uncertainty/radius" }, []).knob, "radius");
    assert.equal(keptSweep(doc, { parameter: "size" }, []).knob, "parameter size");
  });

  test("values go from end to end, whole where the parameter is whole", () => {
    const [risk] = knobsOf(doc, { kind: "blank" }, []);
    const values = valuesOf(risk, 21);
    assert.equal(values.length, 21);
    assert.deepEqual([values[0], values[20]], [risk.min, risk.max]);
    assert.deepEqual(valuesOf({ ...risk, min: 3, max: 5, integer: true }, 21), [3, 4, 5]);
    assert.equal(new Set(valuesOf(risk, 41)).size, 41);
  });

  test("between two limits the plan of the tighter one and the bound of the looser one hold", () => {
    const [risk, work] = knobsOf(doc, { kind: "blank" }, []);
    const points = [point({ value: 0.2, objective: { value: 9, lowerBound: 8 } }), point({ value: 0.4, objective: { value: 7, lowerBound: 6 } })];
    const band = (/** @type {any} */ f) => f.marks.find((/** @type {any} */ m) => m.kind === "band");
    const f = band(curve(doc, risk, points, 2, null));
    assert.deepEqual([...f.xs], [0.2, 0.2, 0.4, 0.4]);
    assert.deepEqual([...f.lo], [8, 6, 6, 6]);
    assert.deepEqual([...f.hi], [9, 9, 9, 7]);
    const reversed = [point({ value: 0.2, objective: { value: 7, lowerBound: 6 } }), point({ value: 0.4, objective: { value: 9, lowerBound: 8 } })];
    const g = band(curve(doc, work, reversed, 2, null));
    assert.deepEqual([...g.hi], [7, 9, 9, 9]);
    assert.deepEqual([...g.lo], [6, 6, 6, 8]);
  });

  test("what is tighter than a limit proved infeasible is shaded, what is looser is not", () => {
    const [risk, work] = knobsOf(doc, { kind: "blank" }, []);
    const none = { status: "proved-infeasible", feasible: false, policy: [], objective: { value: null, lowerBound: null } };
    const region = (/** @type {any} */ f) => f.marks.filter((/** @type {any} */ m) => m.kind === "region").map((/** @type {any} */ m) => [m.from, m.to]);
    const good = { objective: { value: 7, lowerBound: 7 } };
    assert.deepEqual(region(curve(doc, risk, [point({ value: 0.1, ...none }), point({ value: 0.2, ...none }), point({ value: 0.3, ...good })], 3, null)), [[
      risk.min,
      0.2,
    ]]);
    assert.deepEqual(region(curve(doc, work, [point({ value: 0.1, ...good }), point({ value: 0.3, ...none })], 3, null)), [[0.3, work.max]]);
    assert.deepEqual(
      region(curve(doc, { ...risk, looser: 0 }, [point({ value: 0.1, ...none })], 3, null)),
      [[0.1, 0.1]],
      "a point alone says nothing beside it",
    );
  });

  test("a curve that was found elsewhere claims no proof, until every point of it is found here", () => {
    const [risk] = knobsOf(doc, { kind: "blank" }, []);
    const here = [
      point({ value: 0.2, algorithm: "solve", status: "proved-infeasible", feasible: false, policy: [], objective: { value: null } }),
      point({ value: 0.4, algorithm: "solve", objective: { value: 7, lowerBound: 6 }, status: "proved-optimal" }),
    ];
    const told = readCurve(doc, here) ?? assert.fail("it is read");
    const words = (/** @type {any[]} */ points) => JSON.stringify([curve(doc, risk, points, 2, null), points.map((p) => pointWords(doc, risk, p))]);
    assert.doesNotMatch(words(told), /prove[ds]/);
    assert.match(words(told), /found before/);
    const mixed = curve(doc, risk, [told[0], here[1]], 2, null);
    assert.doesNotMatch(JSON.stringify(mixed?.marks), /prove[ds]/, "the shaded stretch is still of elsewhere");
    assert.match(JSON.stringify(mixed?.legend), /still open between the two/);
    assert.match(words(here), /proved: no plan costs less/);
    assert.doesNotMatch(words(here), /found before|said to be/);
  });

  test("the table twin has a row for each point, with its status", () => {
    const [risk] = knobsOf(doc, { kind: "blank" }, []);
    const f = curve(doc, risk, [point({ value: 0.4, objective: { value: 7, lowerBound: 6 }, constraints: [{ value: 0.3 }, { value: 0.2 }] }), null], 2, null);
    assert.deepEqual(f?.head, ["risk at most", "money", "proved bound", "status", "risk", "work"]);
    assert.deepEqual(f?.rows, [[0.4, 7, 6, "bounded", 0.3, 0.2]]);
    assert.match(String(f?.says), /1 of 2 points so far/);
    assert.equal(curve(doc, risk, [null, null], 2, null), null);
  });
});

describe("playing a plan", () => {
  /** @type {any} */
  const sim = {
    kernel: "nominal",
    horizon: 3,
    episodes: 4,
    truncation: 0.1,
    costs: [
      { name: "money", mean: 2, standardError: 0.5, expected: 2.1, quantiles: [0, 1, 2, 3, 4].map((value) => ({ level: 0.05, value })) },
      { name: "risk", mean: 0.4, standardError: 0.1, expected: 0.45, quantiles: [0, 0.2, 0.4, 0.5, 1].map((value) => ({ level: 0.05, value })) },
    ],
    totals: [Float64Array.of(0, 1, 3, 4), Float64Array.of(0, 0.3, 0.5, 1)],
    paths: [{ states: [0, 1, 1, 0], actions: [0, 1, 0], costs: [Float64Array.of(1, 0, 2), Float64Array.of(0, 1, 0), Float64Array.of(1, 0, 1)] }],
  };

  test("every episode is in one bin", () => {
    assert.deepEqual(histogram([0, 0.4, 1, 2, 2], [0, 2], 4), [2, 0, 1, 2]);
    const f = totalsFigure(doc, sim, 0);
    assert.equal(f.rows.reduce((n, r) => n + Number(r[2]), 0), 4);
  });

  test("mean and return are marked and said, and the limit beside its cost", () => {
    const f = totalsFigure(doc, sim, 1);
    const uprights = f.marks.filter((m) => m.kind === "line").map((m) => /** @type {any} */ (m).xs[0]);
    assert.deepEqual(uprights, [0.45, 0.4, 0.5]);
    assert.match(f.says, /Mean 0.4 ± 0.2; the plan's return under this kernel is 0.45/);
    assert.match(f.says, /25 % of single episodes/);
  });

  test("a step says where it came from, and what was paid so far, discounted", () => {
    assert.deepEqual(standing(doc, sim, 0, 0), { at: 0, length: 3, from: null, state: 0, over: false, action: null, costs: [0, 0, 0], discounted: [0, 0, 0] });
    const after = standing(doc, sim, 0, 3);
    assert.deepEqual([after.from, after.state, after.action], [1, 0, 0]);
    assert.deepEqual(after.discounted, [1 + 0.25 * 2, 0.5, 0.5 * (1 + 0.25)]);
    assert.equal(standing(doc, sim, 0, 99).at, 3);
  });

  test("the kernels of a finite set can be chosen, and the worst of each cost", () => {
    assert.deepEqual(kernelsOf(doc).map((k) => k.title), ["nominal", "worst for money", "worst for risk", "worst for work"]);
    const finite = { ...doc, uncertainty: { kind: "finite", kernels: [{ name: "mild" }, {}] } };
    assert.deepEqual(kernelsOf(finite).map((k) => k.kernel).slice(0, 2), [0, 1]);
    assert.equal(kernelsOf({ ...finite, uncertainty: { kind: "finite", kernels: [{ name: "mild" }] } }).length, 1);
  });
});

describe("what a limit can be", () => {
  test("a number of few digits is never tighter than what can be kept", () => {
    for (
      const [x, below, want]
        of /** @type {[number, boolean, number][]} */ ([[175.5612, false, 175.6], [175.6, false, 175.7], [-5.43216, false, -5.432], [5.43216, true, 5.432], [
          0,
          false,
          0,
        ], [0.00012345, false, 0.0001235]])
    )
      assert.equal(keepable(x, below), want, String(x));
  });

  test("a limit begins between the least that can be kept and what the nominal plan comes to", () => {
    assert.equal(suggested(100, 200, false), 151);
    assert.equal(suggested(100, null, false), 101);
    assert.ok(suggested(100, 90, false) >= 100, "never out of reach");
    assert.ok(suggested(10, 20, true) <= 10);
  });

  test("the nominal problem has the kernel that the set is around", () => {
    assert.deepEqual(
      /** @type {any} */ (nominalProblem(/** @type {any} */ ({ uncertainty: { kind: "l1", nominal: [[1]], radius: 1 } })))?.uncertainty.kernels,
      [{ name: "nominal", transitions: [[1]] }],
    );
    assert.equal(nominalProblem(/** @type {any} */ ({ uncertainty: { kind: "interval", lower: [], upper: [] } })), null);
  });
});

describe("logs", () => {
  test("what is optimised is taken where one column says it, and asked where none or several do", () => {
    assert.ok(settled(firstChoices(), { reward: ["r"] }));
    assert.ok(settled(firstChoices(), {}), "a log without costs");
    assert.ok(!settled(firstChoices(), { number: ["euro"] }), "more or less of it?");
    assert.ok(!settled(firstChoices(), { cost: ["a", "b"] }));
    assert.ok(settled({ ...firstChoices(), objective: "b", sense: "minimize" }, { cost: ["a", "b"] }));
    assert.ok(!settled({ ...firstChoices(), objective: "c", sense: "minimize" }, { cost: ["a", "b"] }), "a column that is none any more");
  });

  test("choices become options, what is left empty does not", () => {
    const c = {
      ...firstChoices(),
      prior: "0,5",
      limits: { risk: { side: /** @type {const} */ ("atMost"), bound: 2 }, cost: { side: /** @type {const} */ (""), bound: 0 } },
      objective: "cost",
      sense: /** @type {const} */ ("maximize"),
    };
    assert.deepEqual(optionsOf(c, "x"), {
      kind: "l1",
      confidence: 0.95,
      untried: "unavailable",
      discount: 0.95,
      seed: 1,
      name: "x",
      prior: 0.5,
      objective: { column: "cost", sense: "maximize" },
      constraints: [{ column: "risk", atMost: 2 }],
    });
    assert.ok(!("samples" in optionsOf(firstChoices(), "x")));
  });

  test("promised and observed stand side by side, with what lies beyond the limit", () => {
    const costs = [{ name: "money", promised: 5, observed: 4, resampled: [3, 4, 5], threshold: null, sense: /** @type {const} */ ("atMost") }, {
      name: "risk",
      promised: 0.4,
      observed: 0.6,
      resampled: [0.5, 0.7],
      threshold: 0.5,
      sense: /** @type {const} */ ("atMost"),
    }];
    const verdicts = [{ confidence: null, costs }, { confidence: 0.9, costs }];
    const f = judgeFigure(verdicts, 1);
    assert.match(String(f?.says), /2 of 2 plans promise to meet the limit; on the held-out episodes 0 do/);
    assert.ok(f?.marks.some((m) => m.kind === "region" && m.from === 0.5));
    assert.deepEqual(f?.rows[1], ["90\u202f%", 0.4, 0.6, 0.5, 0.7, 0.5]);
    assert.match(String(judgeFigure(verdicts, 0)?.says), /2 of 2 plans did/);
    const gains = verdicts.map((v) => ({ ...v, costs: [{ ...costs[0], sense: /** @type {const} */ ("atLeast") }] }));
    assert.match(String(judgeFigure(gains, 0)?.says), /0 of 2 plans did/, "of a gain more is better");
    assert.equal(asLogged({ columns: ["s", "c"], rows: [["a", "1"], ["a", "2"], ["a", ""]] }, "c", 0.5), 3);
    assert.equal(quantile([3, 1, 2], 0.5), 2);
  });
});
