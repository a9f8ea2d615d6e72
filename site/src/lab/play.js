// @ts-check
// play.js — simulated episodes as figures and as steps to watch. Pure.

import { decisions } from "../document/steps.js";
import { costsOf, endNumbers, largest } from "../document/reading.js";
import { extent } from "../picture/scale.js";
import { calm, count, known, number } from "../words/format.js";
import { limitOf, overOf } from "../words/words.js";

/** @typedef {import("../rcmdp.js").Problem} Problem */
/** @typedef {import("../rcmdp.js").Simulation} Simulation */
/** @typedef {import("../picture/plot.js").Figure} Figure */

/**
 * The kernels that a plan can be played under.
 * @param {Problem} doc
 * @returns {{ id: string, title: string, kernel: number | string | { worst: string } }[]}
 */
export function kernelsOf(doc) {
  const costs = [doc.objective, ...(doc.constraints ?? [])].map((c, i) => c.name || (i === 0 ? "objective" : `constraint ${i}`));
  const averaged = [doc.objective, ...(doc.constraints ?? [])].map((c) => overOf(c) !== "worst");
  const worst = costs.filter((_, i) => !averaged[i]).map((name) => ({ id: `worst ${name}`, title: `worst for ${name}`, kernel: { worst: name } }));
  const { kernels, nominal } = doc.uncertainty;
  if (!kernels) return [{ id: "nominal", title: nominal ? "nominal" : "a kernel within the intervals", kernel: "nominal" }, ...worst];
  const named = kernels.slice(0, MOST_KERNELS).map((k, i) => ({
    id: `kernel ${i}`,
    title: k.name || `kernel ${i + 1}`,
    kernel: i,
  }));
  return kernels.length === 1 ? named : [...named, ...worst];
}

/** More kernels than this are not all listed. */
const MOST_KERNELS = 40;

/**
 * How many episodes fall into each of some bins of equal width.
 * @param {ArrayLike<number>} totals
 * @param {[number, number]} range
 * @param {number} bins
 */
export function histogram(totals, [lo, hi], bins) {
  const counts = new Array(bins).fill(0);
  for (let i = 0; i < totals.length; i++) {
    const at = Math.floor(((totals[i] - lo) / (hi - lo)) * bins);
    counts[Math.max(0, Math.min(bins - 1, at))]++;
  }
  return counts;
}

const BINS = 40;

/**
 * The discounted totals of one cost over all episodes.
 * @param {Problem} doc
 * @param {Simulation} sim
 * @param {number} n 0 is the objective
 * @returns {Figure}
 */
export function totalsFigure(doc, sim, n) {
  const cost = sim.costs[n];
  const totals = sim.totals[n];
  const limit = n === 0 ? null : limitOf(doc.constraints?.[n - 1]);
  const threshold = limit?.threshold ?? NaN;
  const range = /** @type {[number, number]} */ (extent([...totals, cost.expected, ...(Number.isFinite(threshold) ? [threshold] : [])], 0.02));
  const counts = histogram(totals, range, BINS);
  const width = (range[1] - range[0]) / BINS;
  const top = 1.06 * Math.max(...counts, 1);
  // A band in steps keeps the height of an edge up to the next one.
  const xs = [...counts, 0].map((_, i) => range[0] + i * width);
  const hi = [...counts, counts[BINS - 1]];
  const upright = (/** @type {number} */ x) => ({ xs: [x, x], ys: [0, top] });
  const margin = cost.standardError === null ? null : 2 * cost.standardError;
  const [q05, q95] = [cost.quantiles[0].value, cost.quantiles[4].value];
  const beyond = Number.isFinite(threshold)
    ? [...totals].filter((x) => (limit?.words === "at least" ? x < threshold : x > threshold)).length / totals.length
    : NaN;
  return {
    id: `totals-${n}`,
    title: `${n === 0 ? "" : "Limit: "}${cost.name} in ${count(sim.episodes, "episode")}`,
    says: `Mean ${known(cost.mean, margin)}${margin === null ? "" : ` ± ${number(margin, 2)}`}; the plan's return under this kernel is ${
      number(calm(cost.expected, largest(costsOf(doc)[n].cost.values)))
    }. Nine episodes in ten are between ${number(q05, 3)} and ${number(q95, 3)}.${
      Number.isFinite(beyond) ? ` The limit is on the mean; ${number(100 * beyond, 2)} % of single episodes are beyond it.` : ""
    }`,
    x: { label: `${doc.discount === 1 ? "" : "discounted "}${cost.name} of an episode`, domain: range },
    y: { label: "episodes", domain: [0, top] },
    marks: [
      { kind: "region", axis: "x", from: q05, to: q95, label: "" },
      { kind: "band", xs, lo: xs.map(() => 0), hi, steps: true },
      { kind: "line", ...upright(cost.expected), tone: "main" },
      { kind: "line", ...upright(cost.mean), tone: "two" },
      ...(Number.isFinite(threshold) ? [/** @type {const} */ ({ kind: "line", ...upright(threshold), tone: "bad" })] : []),
    ],
    legend: [
      { tone: "band", label: "episodes" },
      { tone: "region", label: "nine episodes in ten" },
      { tone: "main", label: "return J under this kernel" },
      { tone: "two", label: "mean of the episodes" },
      ...(Number.isFinite(threshold) ? [/** @type {const} */ ({ tone: "bad", label: `limit, ${limit?.words} ${number(threshold)}` })] : []),
    ],
    head: [`${cost.name} from`, "to", "episodes"],
    rows: counts.map((k, i) => [range[0] + i * width, range[0] + (i + 1) * width, k]),
    points: {
      xs: counts.map((_, i) => range[0] + (i + 0.5) * width),
      words: (i) => `${number(range[0] + i * width, 4)} to ${number(range[0] + (i + 1) * width, 4)}: ${count(counts[i], "episode")}`,
    },
  };
}

/**
 * Where an episode stands after some steps.
 * @param {Problem} doc
 * @param {Simulation} sim
 * @param {number} episode
 * @param {number} step moves made
 */
export function standing(doc, sim, episode, step) {
  const path = sim.paths[episode];
  const at = Math.max(0, Math.min(step, path.actions.length));
  const discounted = path.costs.map((costs, n) => {
    const average = (n === 0 ? doc.objective : doc.constraints?.[n - 1])?.scale === "average" ? 1 - doc.discount : 1;
    let sum = 0;
    for (let t = 0, weight = average; t < at; t++, weight *= doc.discount) sum += weight * costs[t];
    return sum;
  });
  const from = at > 0 ? path.states[at - 1] : null;
  const over = from !== null && (endNumbers(doc).has(from) || (decisions(doc) > 0 && at > decisions(doc))); // its cost is paid, and nothing is done
  return {
    at,
    length: path.actions.length,
    from,
    state: path.states[at],
    over,
    action: at > 0 && !over ? path.actions[at - 1] : null,
    costs: path.costs.map((costs) => (at > 0 ? costs[at - 1] : 0)),
    discounted,
  };
}
