// @ts-check
// running.js — actions that make the solver work: solve, stop, cancel, and the
// judgement of a policy that a person changed.

import { number, sentence } from "../words/format.js";
import { changedOptions } from "./presets.js";
import { blockedBy } from "./state.js";
import { emptyTrace, extended } from "./trace.js";
import { announcement } from "../words/words.js";
import { said } from "./core.js";

/**
 * @param {import("./core.js").Core} core
 * @param {import("./editing.js").Editing} editing
 * @param {import("./library.js").Library} library
 */
export function running(core, { check }, { saveAnswer, noteRun, forgetRun, openRun }) {
  const { get, set } = core;
  /** @type {any} */
  let handle = null;
  /** @type {AbortController | null} */
  let abort = null;

  /**
   * Solves the model as it is now. A run that nobody asked for (the one on
   * opening) is not saved until the person says so, and not spoken of.
   * @param {{ auto?: boolean }} [choices]
   */
  async function solve({ auto = false } = {}) {
    if (get().check?.doc !== core.doc()) await check();
    if (blockedBy(get()) !== "") return;
    const method = core.algorithm();
    const options = { algorithm: method.id, ...changedOptions(method, core.settings()) };
    await follow(core.doc(), options, auto, async (signal) => core.solver.solve(core.doc(), { ...options, signal }));
  }

  /** Continues a run that was interrupted, with its model and method. @param {string} id */
  async function resume(id) {
    if (get().run) return;
    const run = await openRun(id);
    if (run) await follow(run.problem, run.options, false, (signal) => core.solver.runs.resume(id, { signal }), run.name);
  }

  /**
   * Starts a run and follows it to its end.
   * @param {any} problem
   * @param {any} options
   * @param {boolean} auto
   * @param {(signal: AbortSignal) => Promise<any>} start
   * @param {string} [saved] the name of the run that is continued; it stays saved whatever happens
   */
  async function follow(problem, options, auto, start, saved) {
    const { algorithm } = options;
    abort = new AbortController();
    set({
      run: { id: "", problem, algorithm, options, news: null, trace: emptyTrace(), ending: "", saidFeasible: false, auto },
      crash: null,
      edit: null,
      report: null,
    });
    if (!auto) core.say(announcement("start", problem));
    const name = saved ?? (problem.name || "Untitled model");
    /** @type {Promise<void>} */
    let noted = Promise.resolve();
    try {
      handle = await start(abort.signal);
      set((s) => ({ run: s.run && { ...s.run, id: handle.id } }));
      if (!auto) noted = noteRun({ id: handle.id, name, problem, options });
      for await (const news of handle) progress(news);
      const result = await handle.result;
      set({ run: null, answer: { problem, result, algorithm, id: handle.id, name, saving: "" } });
      if (auto) return;
      core.say(announcement("done", problem, result));
      await noted; // the beginning is not written over the end
      if (result.status !== "failed") await saveAnswer();
      else if (saved === undefined) await forgetRun(handle.id);
    } catch (error) {
      await noted;
      if (handle && !auto && saved === undefined && (get().run?.ending === "cancel" || /** @type {any} */ (error)?.code !== "crashed"))
        await forgetRun(handle.id);
      ended(error, problem);
    } finally {
      handle = null;
      abort = null;
      set({ run: null });
    }
  }

  /** @param {any} news */
  function progress(news) {
    const { run } = get();
    if (!run) return;
    const first = !run.saidFeasible && news.best?.feasible;
    set({ run: { ...run, news, trace: extended(run.trace, news), saidFeasible: run.saidFeasible || first } });
    if (first && !run.auto) core.say(announcement("feasible", run.problem, news));
  }

  /** A run that gave no result. @param {any} error @param {any} problem */
  function ended(error, problem) {
    if (get().run?.ending === "cancel") {
      core.say("Cancelled. The answer before is unchanged.");
      return;
    }
    if (error?.errors?.length) set((s) => ({ check: { doc: problem, errors: error.errors, warnings: [], summary: s.check?.summary } }));
    core.failed(error);
    core.say(announcement("failed", problem, error));
  }

  /** Ends the run and keeps the best policy so far. */
  function stop() {
    const { run } = get();
    if (!run || run.ending) return;
    set({ run: { ...run, ending: "stop" } });
    handle?.stop();
  }

  /** Ends the run at once and keeps nothing of it. */
  function cancel() {
    const { run } = get();
    if (!run) return;
    set({ run: { ...run, ending: "cancel" } });
    abort?.abort();
  }

  /** Has the independent checker repeat the proof of the answer, with its policy. */
  async function checkAnswer() {
    const { answer } = get();
    if (!answer) return;
    const here = (/** @type {any} */ part) =>
      set((s) => (s.answer === answer ? { report: { busy: false, ok: false, reasons: [], message: "", ...part } } : {}));
    here({ busy: true });
    try {
      const { problem, result } = answer;
      const { ok, reasons } = await core.solver.check(problem, result.certificate ?? null, result.feasible ? result.policy : null);
      here({ ok, reasons });
      core.say(ok ? "The proof holds." : "The proof does not hold.");
    } catch (error) {
      here({ message: said(error) });
    }
  }

  /** Has a certificate from a file checked against the model. @param {any} certificate @param {string} name */
  async function tryCertificate(certificate, name) {
    try {
      const problem = core.doc();
      const { ok, lowerBound, upperBound, infeasible, reasons } = await core.solver.check(problem, certificate);
      const shows = infeasible ? "no policy keeps every limit" : `no policy is better than ${number(lowerBound ?? upperBound)}`;
      if (ok) core.notify(`${name} holds for this model: ${shows}.`);
      else core.notify(`${name} does not hold for this model. ${sentence(reasons.at(-1) ?? "")}`, [], "bad");
    } catch (error) {
      core.notify(`${name} was not checked: ${said(error)}`, [], "bad");
    }
  }

  const editPolicy = () => set((s) => ({ edit: s.answer && { policy: s.answer.result.policy, outcome: null, message: "", busy: false } }));

  /** @param {number} s @param {number} a @param {number} p */
  function setPolicy(s, a, p) {
    const { edit } = get();
    if (!edit) return;
    set({ edit: { ...edit, outcome: null, message: "", policy: edit.policy.map((row, i) => (i === s ? row.map((x, j) => (j === a ? p : x)) : row)) } });
  }

  /** Judges the policy on trial under the answer's problem. */
  async function evaluatePolicy() {
    const { edit, answer } = get();
    if (!edit || !answer || !core.solver) return;
    const { states, actions } = answer.problem;
    const here = (/** @type {any} */ part) => set((s) => ({ edit: s.edit && { ...s.edit, busy: false, ...part } }));
    here({ busy: true, message: "" });
    try {
      here({ outcome: await core.solver.evaluate(answer.problem, { format: "rcmdp-policy/1", states, actions, probabilities: edit.policy }) });
      core.say("The policy is evaluated.");
    } catch (error) {
      here({ outcome: null, message: said(error) });
    }
  }

  /** Puts a policy from a file on trial. @param {any} document @param {string} name */
  async function tryPolicy(document, name) {
    const { answer } = get();
    const same = (/** @type {any} */ a, /** @type {any} */ b) => JSON.stringify(a) === JSON.stringify(b);
    if (!answer || !same(document.states, answer.problem.states) || !same(document.actions, answer.problem.actions) || !Array.isArray(document.probabilities)) {
      core.notify(`${name} holds a policy of another model: its states or actions are not those of the answer shown here.`, [], "bad");
      return;
    }
    set({ edit: { policy: document.probabilities, outcome: null, message: "", busy: false } });
    await evaluatePolicy();
  }

  return {
    solve,
    resume,
    stop,
    cancel,
    editPolicy,
    setPolicy,
    evaluatePolicy,
    tryPolicy,
    checkAnswer,
    tryCertificate,
    closePolicy: () => set({ edit: null }),
    dismissCrash: () => set({ crash: null }),
  };
}

/** @typedef {ReturnType<typeof running>} Running */
