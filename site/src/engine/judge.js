// @ts-check
// judge.js — what the checker of this process makes of a result that came from elsewhere: its policy
// and its certificate go through the door that every run's claims go through, and the numbers that
// come out are compared with those that it says.

import { faultOf, own, traceUpTo, unjudged } from "./claims.js";
import { RcmdpError } from "./message.js";

/** @typedef {import("../rcmdp.js").Result} Result */
/** @typedef {{ policies: (import("../rcmdp.js").Policy | null)[], proofs: unknown[] }} Found */

const STATUSES = /^(proved-optimal|bounded|feasible|proved-infeasible|no-feasible-found|stopped|failed|unchecked)$/;

/** Numbers of one policy may differ by this share between builds and machines. */
const CLOSE = 1e-6;

/**
 * @param {import("../rcmdp.js").Problem} problem
 * @param {any} told
 * @param {(found: Found) => Promise<Result>} adopt a run that claims what these show
 * @returns {Promise<import("../rcmdp.js").Judgement>}
 */
export async function judge(problem, told, adopt) {
  const fault = faultOf(problem, told);
  if (fault) throw new RcmdpError("invalid-option", `This result cannot be judged: ${fault}.`);
  const { policy, certificate = null, algorithm, options, seed, seconds, evaluations, iterations, nodes } = unjudged(problem, told);
  const differs = [];
  const offer = (/** @type {unknown} */ proof) => adopt({ policies: [policy.length > 0 ? policy : null], proofs: [proof] });
  const seen = await offer(certificate).catch((error) => {
    if (error?.code !== "invalid-option" || certificate === null) throw error;
    differs.push(`Its certificate cannot be read: ${error.message}`);
    return offer(null);
  });
  if (certificate !== null && differs.length === 0 && !seen.certificate) differs.push("Its certificate does not hold for this problem.");
  differs.push(...differences(told, seen));
  const { lowerBound, upperBound } = seen.objective;
  const stopped = (told.status === "stopped" || told.stopped === true) && ["bounded", "feasible", "no-feasible-found"].includes(seen.status);
  const result = own(
    /** @type {Result} */ ({
      ...seen,
      status: stopped ? "stopped" : seen.status,
      algorithm,
      options,
      seed,
      seconds,
      multipliers: [],
      trace: /** @type {any} */ (traceUpTo(told.trace, lowerBound, upperBound)),
      evaluations: evaluations ?? seen.evaluations,
      iterations: iterations ?? seen.iterations,
      nodes: nodes ?? seen.nodes,
      warnings: [
        ...differs.length > 0 ? [`What came with this plan does not hold; the numbers here are those of this page. ${differs.join(" ")}`] : [],
        ...seen.warnings,
      ],
    }),
  );
  return { holds: differs.length === 0, differs, result };
}

/** Up to seven digits. @param {number | null} x */
const digits = (x) => (x === null ? "unknown" : String(Number(x.toPrecision(7))));

/**
 * Whether a number is not what was found here: above it (side 1), below it (-1) or either (0), by more than rounding next to numbers of a size.
 * @param {number | null | undefined} said @param {number | null} is @param {number} [size] @param {1 | -1 | 0} [side] @returns {said is number}
 */
const isBeyond = (said, is, size = Math.abs(Number(is)), side = 0) =>
  typeof said === "number" && !(is !== null && (side === 0 ? Math.abs(said - is) : side * (said - is)) <= CLOSE * size + 1e-12);

/**
 * What a result says beyond what was found here, in sentences. Of a bound it may say less.
 * @param {any} told @param {Result} seen
 * @returns {string[]}
 */
function differences(told, seen) {
  const { objective: o, constraints } = seen;
  const size = Math.abs(Number(o.value));
  const sizes = constraints.map(({ value, threshold }) => Math.max(Math.abs(Number(value)), Math.abs(threshold)));
  /** @param {string} name @param {[said: any, is: number | null, size?: number, side?: 1 | -1]} of */
  const number = (name, ...of) => isBeyond(...of) && `It says ${digits(of[0])} for ${name}, and ${digits(of[1])} is right.`;
  const limit = (/** @type {any} */ c, /** @type {number} */ i) => {
    const { value, threshold, violation, slack, allowed } = constraints[i];
    const name = c.name || `limit ${i + 1}`;
    return [
      number(name, c.value, value),
      number(`the threshold of ${name}`, c.threshold, threshold),
      number(`what ${name} is missed by`, c.violation, violation, sizes[i]),
      number(`the room to ${name}`, c.slack, slack, sizes[i]),
      // What a policy misses by rounding differs between machines.
      typeof c.allowed === "number" && Number(allowed) > c.allowed + 1e-10 * Math.abs(threshold) + 1e-12 &&
      `It says that what is proved lets ${name} be missed by ${digits(c.allowed)}, and that is ${digits(Number(allowed))}.`,
    ];
  };
  const bound = (/** @type {"lowerBound" | "upperBound"} */ side, /** @type {1 | -1} */ sign) =>
    isBeyond(told.objective[side], o[side], undefined, sign) &&
    `It says that nothing is better than ${digits(told.objective[side])}, and what is proved is ${digits(o[side])}.`;
  return [
    told.feasible === false && seen.feasible && "It says that its policy misses a limit, and the policy meets them all.",
    told.feasible === true && !seen.feasible && "It says that its policy meets every limit, and the policy does not.",
    ...(told.policy?.length > 0
      ? [
        told.feasible && number(o.name || "the objective", told.objective.value, o.value),
        ...(told.constraints ?? []).flatMap(limit),
        number("the most that a limit is missed by", told.maxViolation, seen.maxViolation, Math.max(0, ...sizes)),
      ]
      : []),
    bound("lowerBound", 1),
    bound("upperBound", -1),
    number("what is open", told.objective.gap, o.gap, size, -1),
    number("the share that is open", told.objective.relativeGap, o.relativeGap, Math.max(1, Number(o.relativeGap)), -1),
    number("the least that limits are missed by", told.leastViolation, seen.leastViolation, undefined, 1),
    !STATUSES.test(told.status) && `It says ${JSON.stringify(told.status)}, which nothing is here.`,
    told.status === "bounded" && (o.lowerBound ?? o.upperBound) === null && "It says that a bound is proved, and none is.",
    told.status === "proved-infeasible" && seen.status !== "proved-infeasible" && "It says that no policy meets the limits, and that is not proved.",
    told.status === "proved-optimal" && seen.status !== "proved-optimal" && "It says that no policy is better, and that is not proved.",
  ].filter((text) => typeof text === "string");
}
