// @ts-check
// board.js — actions that set runs side by side: every method that fits on one
// model, and the price of robustness. What is made here is not saved by itself.

import { carriedPlan } from "../document/carried.js";
import { nominalOf } from "../document/nominal.js";
import { said } from "./core.js";
import { shownAnswer, unfit } from "./state.js";

/** @typedef {import("../rcmdp.js").Problem} Problem */
/** @typedef {import("../rcmdp.js").Result} Result */
/** @typedef {import("../rcmdp.js").Evaluation} Evaluation */

/**
 * @typedef {{ id: string, label: string, algorithm: string, problem: Problem, result: Result | null, message: string }} Entry a run on the board;
 *   without a result it is under way or failed
 * @typedef {{ busy: boolean, message: string, problem: Problem | null, policy: number[][], columns: { label: string, policy: number[][], under: { name: string, evaluation: Evaluation }[] }[] }} Robustness
 *   two policies, each under the nominal model and under the set
 */

/** Each method has so long. */
const EACH_SECONDS = 10;

/**
 * @param {import("./core.js").Core} core
 * @param {import("./editing.js").Editing} editing
 */
export function board(core, { keep, checked }) {
  const { get } = core;

  /** What the plan pays for keeping its limits under every model: beside the plan for the nominal model alone. */
  async function priceRobustness() {
    const { solver } = core;
    const { answer, fresh } = shownAnswer(get());
    if (!solver || !answer || !fresh) return;
    const { problem, result } = answer;
    const nominal = nominalOf(problem);
    if (!nominal) return;
    const whole = (/** @type {Partial<Robustness>} */ part) => ({ busy: false, message: "", problem, policy: result.policy, columns: [], ...part });
    keep("robust", whole({ busy: true }));
    const here = (/** @type {Partial<Robustness>} */ part) => {
      if (get().panels.robust?.policy === result.policy) keep("robust", whole(part)); // not over what was asked since
    };
    try {
      const best = await solver.solve(nominal, { algorithm: "solve", timeLimit: EACH_SECONDS }).result;
      if (best.policy.length === 0) return here({ message: "The nominal model has no policy to compare with." });
      const columns = [];
      for (const [label, policy] of /** @type {[string, number[][]][]} */ ([["this plan", result.policy], ["the nominal plan", best.policy]])) {
        columns.push({
          label,
          policy,
          under: [{ name: "nominal", evaluation: await solver.evaluate(nominal, policy) }, {
            name: "worst case",
            evaluation: await solver.evaluate(problem, policy),
          }],
        });
      }
      here({ columns });
    } catch (error) {
      here({ message: said(error) });
    }
  }

  return {
    /** Solves the model with every method that can run on it, spread over the workers. */
    async compareMethods() {
      const { solver } = core;
      await core.settled();
      if (!solver || !(await checked())) return;
      const problem = core.doc();
      const methods = get().algorithms.filter((a) => unfit(get(), a.id) === "" && a.shape !== "given");
      const options = methods.map((a) => ({ algorithm: a.id, ...(a.options.some((o) => o.name === "timeLimit") ? { timeLimit: EACH_SECONDS } : {}) }));
      /** @type {Entry[]} */
      let rows = methods.map((a) => ({ id: `method:${a.id}`, label: a.title, algorithm: a.id, problem, result: null, message: "" }));
      const show = (/** @type {boolean} */ busy) => keep("compare", { busy, rows, problem });
      show(true);
      try {
        for await (const { row } of solver.compare([problem], options)) {
          rows = rows.map((r, i) => (i === row.method ? { ...r, result: row.result, message: row.error ? said(row.error) : "" } : r));
          show(true);
        }
        core.say("Every method has ended.");
      } catch (error) {
        core.failed(error);
      }
      show(false);
    },
    priceRobustness,
    /**
     * The plan that another is compared with: the best for the nominal model, or that of a saved run, by the names of this model.
     * @param {Problem} problem
     * @param {string} id of a run, or "nominal"
     * @returns {Promise<import("../rcmdp.js").Policy>}
     */
    async rivalOf(problem, id) {
      const { solver } = core;
      const from = id === "nominal" ? nominalOf(problem) : null;
      if (from) return (await /** @type {import("../rcmdp.js").Solver} */ (solver).solve(from, { algorithm: "solve", timeLimit: EACH_SECONDS }).result).policy;
      const run = await solver?.runs.get(id);
      return carriedPlan(run?.result?.policy ?? [], run?.problem ?? problem, problem);
    },
  };
}

/** @typedef {ReturnType<typeof board>} Board */
