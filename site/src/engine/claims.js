// @ts-check
// claims.js — the one place that knows which results were found or judged in this process. Whatever
// came from elsewhere (a file, a link, the build, a saved run) says what it says and claims nothing:
// status "unchecked", no bound, until `judge` has put it to the checker here. Pure.

import { decisions } from "../document/steps.js";

/**
 * @typedef {import("../rcmdp.js").Result} Result
 * @typedef {import("../rcmdp.js").SweepResult} SweepResult
 * @typedef {import("../rcmdp.js").Problem} Problem
 */

/** Results that a run or a check of this process made: no text, copy or message can get in. @type {WeakSet<object>} */
const ours = new WeakSet();

/** Notes that a run or a check of this process made the result. @template {object} R @param {R} result @returns {R} */
export function own(result) {
  ours.add(result);
  return result;
}

/** A copy of a result with parts that claim nothing changed: it is what the result was. @template {object} R @param {object} from @param {R} copy @returns {R} */
export const carried = (from, copy) => (isJudged(from) ? own(copy) : copy);

/** Whether what a result claims was accepted by the checker of this process; of a sweep, at each of the points that it has. @param {any} result @returns {boolean} */
export const isJudged = (result) => ours.has(result) || (result?.algorithm === "sweep" && areJudged(result.points));

/** None at all say nothing for the whole. @param {any} points */
const areJudged = (points) => Array.isArray(points) && points.some(Boolean) && points.every((p) => p === null || ours.has(p));

const isNumber = (/** @type {unknown} */ x) => typeof x === "number" && Number.isFinite(x);
const isObject = (/** @type {any} */ x) => typeof x === "object" && x !== null && !Array.isArray(x);
/** What nobody said is not known. @param {any} x @returns {any} */
const numberOf = (x) => (isNumber(x) ? x : null);
/** Whether each of these is a number or not known. @param {any} of @param {string} names */
const hasNumbers = (of, names) => isObject(of) && names.split(" ").every((name) => (of[name] ?? null) === null || isNumber(of[name]));

/**
 * Whether something is a table of numbers by state and action.
 * @param {number} states @param {number} actions @param {(p: number) => boolean} [serves]
 * @returns {(table: unknown) => boolean}
 */
export const isPolicyTable = (states, actions, serves = () => true) => (table) =>
  Array.isArray(table) && table.length === states &&
  table.every((row) => Array.isArray(row) && row.length === actions && row.every((p) => isNumber(p) && serves(p)));

/**
 * Why something that came from elsewhere is no result of the problem; null when it has the shape of one. A trade-off is none: see faultOfRun.
 * @param {Problem} problem @param {any} told
 * @returns {string | null}
 */
export function faultOf(problem, told) {
  const [states, actions, limits] = [problem?.states, problem?.actions, problem?.constraints].map((list) => (Array.isArray(list) ? list : []));
  const { status, algorithm, objective: o, constraints = [], policy = [], feasible = false, certificate } = isObject(told) ? told : /** @type {any} */ ({});
  if (typeof status !== "string" || !/^[a-z-]{1,40}$/.test(algorithm)) return "it is no result of a method";
  if (algorithm === "sweep") return "it is a trade-off, and no answer to one model";
  if (!hasNumbers(o, "value lowerBound upperBound gap relativeGap") || typeof feasible !== "boolean") return "its objective is no value with bounds";
  if (feasible && !isNumber(o.value)) return "it has no value";
  if (
    !Array.isArray(constraints) || ![0, limits.length].includes(constraints.length) ||
    !constraints.every((c) => hasNumbers(c, "value violation slack threshold"))
  )
    return `its constraints are not ${limits.length} values`;
  const steps = decisions(problem);
  const isTable = isPolicyTable(states.length, actions.length, (p) => p >= 0 && p < 1.00001);
  if (!Array.isArray(policy) || !(policy.length === 0 || (steps > 0 ? policy.length === steps && policy.every(isTable) : isTable(policy))))
    return steps > 0
      ? `its policy is not ${steps} tables of ${states.length} rows of ${actions.length} probabilities`
      : `its policy is not ${states.length} rows of ${actions.length} probabilities`;
  return (certificate ?? null) === null || isObject(certificate) ? null : "its certificate is no document";
}

/** The same of what is saved with a run: a result, or the points of a trade-off. @param {Problem} problem @param {any} told @returns {string | null} */
export function faultOfRun(problem, told) {
  if (told?.algorithm !== "sweep") return faultOf(problem, told);
  const isPoint = (/** @type {any} */ p) => p === null || (isNumber(p?.value) && faultOf(problem, p) === null);
  if (!hasNumbers(told.objective, "value") || typeof (told.feasible ?? false) !== "boolean") return "its objective is no value";
  return Array.isArray(told.points) && told.points.every(isPoint) ? null : "its points are no results";
}

/**
 * A result without what has to be proved: what is left is its policy, the numbers that it says the
 * policy has, and the certificate for whoever checks it. Only known fields, of known kinds: nothing else that came along.
 * @param {Problem} problem of which it has the shape: see faultOf
 * @param {any} told
 * @returns {any}
 */
export function unjudged(problem, told) {
  const { constraints = [], policy = [], certificate } = told;
  return {
    status: "unchecked",
    ...madeBy(told),
    ...(told.status === "stopped" || told.stopped === true ? { stopped: true } : {}), // no claim: it says why there is no more
    policy,
    feasible: told.feasible === true,
    objective: {
      ...objectiveOf(problem),
      value: numberOf(told.objective.value),
      ...bestOf(told.objective),
      lowerBound: null,
      upperBound: null,
      gap: null,
      relativeGap: null,
    },
    constraints: constraints.map((/** @type {any} */ c, /** @type {number} */ i) => limitOf(/** @type {any} */ (problem.constraints)[i], c)),
    maxViolation: numberOf(told.maxViolation),
    leastViolation: null,
    multipliers: [],
    worst: worstOf(problem, told.worst),
    ...(isObject(certificate) ? { certificate } : {}),
    trace: traceUpTo(told.trace, null, null),
    evaluations: numberOf(told.evaluations),
    iterations: numberOf(told.iterations),
    nodes: numberOf(told.nodes),
    warnings: [],
  };
}

/** The same of what is saved with a run. @param {Problem} problem of which it has the shape: see faultOfRun @param {any} told @returns {any} */
export function unjudgedRun(problem, told) {
  if (told.algorithm !== "sweep") return unjudged(problem, told);
  const points = told.points.map((/** @type {any} */ p) => p && { ...unjudged(problem, p), value: p.value });
  return {
    status: told.status === "finished" ? "finished" : "stopped",
    ...madeBy(told),
    policy: [],
    feasible: points.some((/** @type {any} */ p) => p?.feasible),
    objective: { ...objectiveOf(problem), value: null },
    maxViolation: null,
    trace: {},
    pointer: typeof told.pointer === "string" ? told.pointer : "",
    points,
  };
}

/** What made it, and in which time. @param {any} told */
const madeBy = ({ algorithm, options, seed, seconds }) => ({
  algorithm,
  options: isObject(options) ? options : {},
  seed: /^\d{1,20}$/.test(seed) ? String(seed) : "",
  seconds: numberOf(seconds),
});

/** @param {Problem} problem */
const objectiveOf = ({ objective: { name, sense = "minimize", scale = "total" } }) => ({ name, sense, scale });

/** The best case, of which a policy's number is as much worth as its value. @param {any} told */
const bestOf = ({ best }) => (isNumber(best) ? { best } : {});

/** @param {any} limit of the problem @param {any} told */
const limitOf = (limit, { value, violation, slack, threshold, best }) => ({
  name: limit.name ?? "",
  sense: limit.atLeast === undefined ? "atMost" : "atLeast",
  scale: limit.scale ?? "total",
  threshold: numberOf(threshold) ?? limit.atLeast ?? limit.atMost, // of a point of a trade-off it is not the problem's
  value: numberOf(value),
  ...bestOf({ best }),
  violation: numberOf(violation),
  slack: numberOf(slack),
  allowed: null,
});

/** Which kernel of the problem each cost is said to be worst under. @param {Problem} problem @param {any} told */
function worstOf({ objective, constraints = [], uncertainty: { kernels = [] } }, told) {
  const costs = [objective, ...constraints];
  if (!Array.isArray(told) || told.length !== costs.length) return [];
  return told.map((w, n) => {
    const index = w?.kernel?.index;
    return { cost: costs[n].name, ...(kernels[index] ? { kernel: { index, name: kernels[index].name } } : {}), ties: [], rows: [] };
  });
}

/**
 * The columns of a search as told, and of its bounds what a bound that was judged says as well.
 * @param {any} trace @param {number | null} lower @param {number | null} upper
 */
export function traceUpTo(trace, lower, upper) {
  const columns = Object.entries(isObject(trace) ? trace : {}).filter(([, column]) => Array.isArray(column) || column instanceof Float64Array);
  const isSaid = (/** @type {string} */ name, /** @type {number} */ x) =>
    name === "lowerBound" ? lower !== null && x <= lower : name === "upperBound" ? upper !== null && x >= upper : true;
  return Object.fromEntries(
    columns.map(([name, column]) => [name, Float64Array.from(column, (x) => (typeof x === "number" && isSaid(name, x) ? x : NaN))]),
  );
}
