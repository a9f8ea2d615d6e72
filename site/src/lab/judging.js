// @ts-check
// judging.js — actions that have the solver judge: what was found elsewhere, the proof
// of an answer, a policy that a person changed.

import { isTimed } from "../document/steps.js";
import { isJudged } from "../engine/claims.js";
import { shownAnswer, withPart } from "./state.js";
import { said } from "./core.js";

/** @typedef {import("./state.js").Answer} Answer */

/**
 * Of an answer that does not hold a saved run keeps its plan, with the numbers that are right; another is taken away.
 * @param {import("./core.js").Core} core @param {import("./gallery.js").Gallery} solved @param {import("../rcmdp.js").Solver} solver @param {Answer} answer
 */
async function confirm({ get, set, notify }, { proofOf }, solver, { problem, result, id, source }) {
  const is = (/** @type {Answer} */ a) => a.id === id && a.result === result;
  const leave = () => set((s) => ({ answers: s.answers.filter((a) => !is(a)) }));
  try {
    const certificate = result.certificate ?? (source === "gallery" ? await proofOf(id) : undefined);
    const { holds, differs, result: judged } = await solver.judge(problem, certificate ? { ...result, certificate } : result);
    if (!get().answers.some(is)) return;
    if (holds || source === "saved") set((s) => ({ answers: withPart(s.answers, id, { result: judged }) }));
    else leave();
    if (holds || source === "gallery") return;
    const what = source === "saved"
      ? "What was saved with this run does not hold; its plan is kept, with the numbers that are right."
      : "The answer that came with the model does not hold and was left out.";
    notify(`${what} ${differs.join(" ")}`, [], "bad");
  } catch { // what cannot be checked is shown as what it is where it is a person's own, and else goes
    if (source !== "saved") leave();
  }
}

/** @param {import("./core.js").Core} core @param {import("./gallery.js").Gallery} solved */
export function judging(core, solved) {
  const { get, set } = core;
  /** Results that are being judged. @type {WeakMap<object, Promise<void>>} */
  const underway = new WeakMap();

  return {
    /** Has the independent checker repeat the proof of the answer, with its policy: of the result that is shown, until another is. */
    async checkAnswer() {
      const { answer } = shownAnswer(get());
      if (!answer || !core.solver) return;
      const { id, problem } = answer;
      let { result } = answer;
      const here = (/** @type {Partial<import("./state.js").Report>} */ part) =>
        set((s) => (shownAnswer(s).answer?.result === result ? { report: { busy: false, ok: false, reasons: [], message: "", ...part } } : {}));
      here({ busy: true });
      try {
        const { ok, reasons } = await core.solver.check(problem, result.certificate ?? null, result.feasible ? result.policy : null);
        // The proof may hold, and of other numbers than those that are shown.
        const { differs, result: judged } = await core.solver.judge(problem, result);
        const holds = ok && differs.length === 0;
        if (!get().answers.some((a) => a.result === result)) return;
        if (!holds || !isJudged(result)) set((s) => ({ answers: withPart(s.answers, id, { result: result = judged }) }));
        here({ ok: holds, reasons: [...reasons, ...differs] });
        core.say(holds ? "The proof holds." : "The proof does not hold.");
      } catch (error) {
        here({ message: said(error) });
      }
    },
    /** Puts what was found elsewhere to the checker of this page. */
    async confirmAnswers() {
      for (const answer of get().answers) {
        if (!core.solver || isJudged(answer.result)) continue;
        const judged = underway.get(answer.result) ?? confirm(core, solved, core.solver, answer);
        underway.set(answer.result, judged);
        await judged;
      }
    },
    ...trying(core),
  };
}

/** A policy on trial beside the answer's. @param {import("./core.js").Core} core */
function trying(core) {
  const { get, set } = core;

  /** Judges the policy on trial under the answer's problem. */
  async function evaluatePolicy() {
    const { edit } = get();
    const { answer } = shownAnswer(get());
    if (!edit || !answer || !core.solver) return;
    const { states, actions } = answer.problem;
    // What is found is of this policy: one that was changed meanwhile has not been judged.
    const here = (/** @type {Partial<import("./state.js").PolicyEdit>} */ part) =>
      set((s) => (s.edit?.policy === edit.policy ? { edit: { ...s.edit, busy: false, ...part } } : {}));
    here({ busy: true, message: "" });
    try {
      here({ outcome: await core.solver.evaluate(answer.problem, { format: "rcmdp-policy/1", states, actions, probabilities: edit.policy }) });
      core.say("The policy is evaluated.");
    } catch (error) {
      here({ outcome: null, message: said(error) });
    }
  }

  return {
    editPolicy: () =>
      set((s) => {
        const { answer } = shownAnswer(s);
        return { edit: answer && { policy: answer.result.policy, outcome: null, message: "", busy: false } };
      }),
    /** @param {number} s @param {number} a @param {number} p */
    setPolicy(s, a, p) {
      const { edit, panels } = get();
      if (!edit) return;
      const step = Math.min(panels.time?.step ?? 0, edit.policy.length - 1);
      const put = (/** @type {number[][]} */ table) => table.map((row, i) => (i === s ? row.map((x, j) => (j === a ? p : x)) : row));
      set({
        edit: {
          ...edit,
          outcome: null,
          message: "",
          busy: false,
          policy: isTimed(edit.policy) ? edit.policy.map((table, t) => (t === step ? put(table) : table)) : put(edit.policy),
        },
      });
    },
    evaluatePolicy,
    closePolicy: () => set({ edit: null }),
  };
}

/** @typedef {ReturnType<typeof judging>} Judging */
