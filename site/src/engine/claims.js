// @ts-check
// claims.js — the one place that knows which results were found or judged in this process. Whatever
// came from elsewhere (a file, a link, the build, a saved run) says what it says and claims nothing:
// status "unchecked", no bound, until `judge` has put it to the checker here. Pure.

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

/** Whether what a result claims was accepted by the checker of this process; of a sweep, at each of its points. @param {any} result @returns {boolean} */
export const isJudged = (result) => ours.has(result) || (Array.isArray(result?.points) && result.points.every((/** @type {any} */ p) => p === null || ours.has(p)));

const isNumber = (/** @type {unknown} */ x) => typeof x === "number" && Number.isFinite(x);
const isNumberOrNone = (/** @type {unknown} */ x) => x === null || x === undefined || isNumber(x);
const isObject = (/** @type {any} */ x) => typeof x === "object" && x !== null && !Array.isArray(x);
/** What nobody said is not known. @param {any} x @returns {any} */
const numberOf = (x) => (isNumber(x) ? x : null);

/**
 * Why something that came from elsewhere is no result of the problem; null when it has the shape of one.
 * @param {Problem} problem @param {any} told
 * @returns {string | null}
 */
export function faultOf(problem, told) {
  if (!isObject(told) || typeof told.status !== "string" || !/^[a-z][a-z-]{0,40}$/.test(told.algorithm)) return "it is no result of a method";
  if (told.algorithm === "sweep") return faultOfSweep(problem, told);
  const { objective: o, constraints = [], policy = [], feasible } = told;
  const of = (/** @type {string[]} */ names) => (/** @type {any} */ c) => isObject(c) && names.every((name) => isNumberOrNone(c[name]));
  if (!of(["value", "lowerBound", "upperBound", "gap", "relativeGap"])(o)) return "its objective is not a value with bounds";
  const limits = problem.constraints ?? [];
  if (!Array.isArray(constraints) || (constraints.length > 0 && constraints.length !== limits.length) || !constraints.every(of(["value", "violation", "slack", "threshold"])))
    return `its constraints are not a value for each of ${limits.length}`;
  const [S, A] = [problem.states?.length, problem.actions?.length];
  const isRow = (/** @type {unknown} */ row) => Array.isArray(row) && row.length === A && row.every((p) => isNumber(p) && p >= 0 && p <= 1.000001);
  if (!Array.isArray(policy) || (policy.length > 0 && (policy.length !== S || !policy.every(isRow)))) return `its policy is not a row of ${A} probabilities for each of ${S} states`;
  if (feasible === undefined ? false : feasible === true ? !isNumber(o.value) : feasible !== false) return "whether it is feasible and what it costs do not fit";
  if (!isNumberOrNone(told.certificate) && !isObject(told.certificate)) return "its certificate is no document";
  return null;
}

/** @param {Problem} problem @param {any} told */
function faultOfSweep(problem, { points, objective }) {
  if (!isObject(objective) || !Array.isArray(points)) return "it is a trade-off without points";
  for (const [i, point] of points.entries()) {
    const fault = point === null ? null : isNumber(point?.value) ? faultOf(problem, point) : "it has no value";
    if (fault) return `point ${i + 1}: ${fault}`;
  }
  return null;
}

/**
 * A result without what has to be proved: what is left is its policy, the numbers that it says the
 * policy has, and the certificate for whoever checks it. Only known fields, of known kinds: nothing else that came along.
 * @param {Problem} problem of which it has the shape: see faultOf
 * @param {any} told
 * @returns {any}
 */
export function unjudged(problem, told) {
  const { algorithm, objective: o, constraints = [], policy = [], certificate, feasible, options, seed } = told;
  const run = { algorithm, options: isObject(options) ? options : {}, seed: /^\d{1,20}$/.test(seed) ? String(seed) : "", seconds: numberOf(told.seconds) };
  if (algorithm === "sweep") return { ...run, ...unjudgedSweep(problem, told) };
  return {
    ...run,
    status: "unchecked",
    policy,
    feasible: feasible === true,
    objective: { name: problem.objective.name, sense: problem.objective.sense ?? "minimize", scale: problem.objective.scale ?? "total", value: numberOf(o.value), lowerBound: null, upperBound: null, gap: null, relativeGap: null },
    constraints: constraints.map((/** @type {any} */ c, /** @type {number} */ i) => limitOf(/** @type {any} */ (problem.constraints)[i], c)),
    maxViolation: numberOf(told.maxViolation),
    leastViolation: null,
    multipliers: [],
    worst: worstOf(problem, told.worst),
    ...(isObject(certificate) ? { certificate } : {}),
    trace: traceUpTo(told.trace, null, null),
    evaluations: numberOf(told.evaluations) ?? 0,
    iterations: numberOf(told.iterations) ?? 0,
    nodes: numberOf(told.nodes) ?? 0,
    warnings: [],
  };
}

/** @param {Problem} problem @param {any} told */
const unjudgedSweep = (problem, { points, status, pointer, feasible }) => ({
  status: status === "finished" ? "finished" : "stopped",
  pointer: typeof pointer === "string" ? pointer : "",
  feasible: feasible === true,
  objective: { name: problem.objective.name, sense: problem.objective.sense ?? "minimize", value: null },
  maxViolation: null,
  policy: [],
  trace: {},
  points: points.map((/** @type {any} */ p) => p && { ...unjudged(problem, p), value: p.value }),
});

/** @param {any} limit of the problem @param {any} told */
const limitOf = (limit, { value, violation, slack, threshold }) => ({
  name: limit.name ?? "",
  sense: limit.atLeast === undefined ? "atMost" : "atLeast",
  scale: limit.scale ?? "total",
  threshold: numberOf(threshold) ?? limit.atLeast ?? limit.atMost, // of a point of a trade-off it is not the problem's
  value: numberOf(value),
  violation: numberOf(violation),
  slack: numberOf(slack),
});

/** Which kernel of the problem each cost is said to be worst under. @param {Problem} problem @param {any} told */
function worstOf(problem, told) {
  const { kernels = [] } = problem.uncertainty;
  const names = [problem.objective.name, ...(problem.constraints ?? []).map((c) => c.name)];
  const known = (/** @type {any} */ k) => (kernels[k?.index] ? [{ index: k.index, name: kernels[k.index].name }] : []);
  if (!Array.isArray(told) || told.length !== names.length) return [];
  return told.map((w, n) => {
    const [kernel] = known(w?.kernel);
    return { cost: names[n], ...(kernel ? { kernel } : {}), ties: (Array.isArray(w?.ties) ? w.ties : []).flatMap(known), rows: [] };
  });
}

/**
 * The columns of a search as told, and of its bounds what a bound that was judged says as well.
 * @param {any} trace @param {number | null} lower @param {number | null} upper
 */
export function traceUpTo(trace, lower, upper) {
  /** @type {Record<string, any>} */
  const out = {};
  for (const [name, column] of Object.entries(isObject(trace) ? trace : {})) {
    if (!Array.isArray(column) && !(column instanceof Float64Array)) continue;
    const numbers = Float64Array.from(column, (x) => (typeof x === "number" ? x : NaN));
    out[name] = name === "lowerBound"
      ? numbers.map((x) => (lower !== null && x <= lower ? x : NaN))
      : name === "upperBound"
      ? numbers.map((x) => (upper !== null && x >= upper ? x : NaN))
      : numbers;
  }
  return out;
}
