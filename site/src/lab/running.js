// @ts-check
// running.js — actions that make the solver work: solve, stop, cancel, and the
// judgement of a policy that a person changed.

import { number, sentence } from "../words/format.js";
import { sameModel, sameValue } from "../document/same.js";
import { shownAnswer, withAnswer } from "./answers.js";
import { changedOptions } from "./presets.js";
import { blockedBy, expected, faultsOf } from "./state.js";
import { emptyTrace, extended } from "./trace.js";
import { announcement, runName } from "../words/words.js";
import { said } from "./core.js";

/** @typedef {import("./state.js").Running} Running_ */
/** @typedef {import("./state.js").Answer} Answer */
/** @typedef {import("../rcmdp.js").Run} Handle */

/** A model that has just come is worked on for this long before a person has asked for anything. */
const ARRIVAL_SECONDS = 5;
/** A large one for so many times what it is expected to take on a machine with nothing else to do, */
const ARRIVAL_PATIENCE = 4;
/** unless that is more than this, when it waits to be asked for. */
const UNASKED_SECONDS = 20;
/** A model that is being edited is solved again for this long, */
const LIVE_SECONDS = 2;
/** this long after the last keystroke, */
const LIVE_MS = 250;
/** when it has no more than so many rows of probabilities. */
const LIVE_ROWS = 400;

/**
 * @param {import("./core.js").Core} core
 * @param {import("./editing.js").Editing} editing
 * @param {import("./library.js").Library} library
 */
export function running(core, { checked, reveal }, { saveAnswer, noteRun, forgetRun, openRun }) {
  const { get, set } = core;
  /** @type {Handle | null} */
  let handle = null;
  /** @type {AbortController | null} */
  let abort = null;
  /** Ends when the run in progress has. */
  let current = Promise.resolve();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let liveTimer;
  /** The document that was last considered. @type {unknown} */
  let seen = null;

  /**
   * Solves the model as it is now, after a check that is going on. A run that nobody
   * asked for is not saved until the person says so, and not spoken of.
   * @param {{ auto?: Running_["auto"] }} [choices]
   */
  async function solve({ auto = "" } = {}) {
    if (get().run?.auto) giveWay();
    else if (get().run?.ending === "") return;
    if (auto === "") set({ wanted: true });
    const { line } = get().history.present;
    if (!core.solver) return; // asked for again when it is there
    await current;
    const ready = await checked();
    if (auto === "" && get().run?.auto) { // one that began meanwhile
      giveWay();
      await current;
    }
    set({ wanted: false });
    if (auto !== "" && line !== get().history.present.line) return; // another model has come, which nobody has asked about
    if (!ready || get().run || blockedBy(get()) !== "") return;
    const method = core.algorithm();
    if (!method || (auto === "arrival" && needed() > UNASKED_SECONDS)) return;
    const options = { algorithm: method.id, ...changedOptions(method, core.settings()), ...limited(auto) };
    const { solver } = core;
    await follow(core.doc(), options, auto, async (signal) => solver.solve(core.doc(), { ...options, signal }));
  }

  /** What a person asks for goes first, and leaves what was found for this model unasked. */
  function giveWay() {
    const { run } = get();
    if (run?.saidFeasible && sameModel(run.problem, core.doc())) stop();
    else cancel();
  }

  /** What a press of Solve does. A fault that was mended since the last check is in nobody's way. */
  async function askToSolve() {
    if (blockedBy(get()) !== "") await checked();
    const why = blockedBy(get());
    const [fault] = faultsOf(get());
    if (why && fault) reveal(fault.pointer, fault);
    else if (why) core.say(why);
    else await solve();
  }

  /** The seconds that the model as it is is expected to take; 0 when nobody can tell. */
  const needed = () => expected(get())?.seconds ?? 0;

  /** The time that a run may take when nobody asked for it. @param {Running_["auto"]} auto */
  function limited(auto) {
    const most = { arrival: Math.max(ARRIVAL_SECONDS, ARRIVAL_PATIENCE * needed()), live: LIVE_SECONDS, "": 0 }[auto];
    if (most === 0 || !core.algorithm()?.options.some((o) => o.name === "timeLimit")) return {};
    return { timeLimit: Math.min(Number(core.settings().timeLimit) || most, most) };
  }

  /** Continues a run that was interrupted, with its model and method. @param {string} id */
  async function resume(id) {
    if (get().run && !get().run?.auto) return;
    const run = await openRun(id, true);
    const { solver } = core;
    if (run && run.algorithm !== "sweep" && solver) await follow(run.problem, run.options, "", (signal) => solver.runs.resume(id, { signal }), run.name);
  }

  /**
   * Starts a run and follows it to its end.
   * @param {import("../rcmdp.js").Problem} problem
   * @param {import("../rcmdp.js").SolveOptions} options
   * @param {Running_["auto"]} auto
   * @param {(signal: AbortSignal) => Promise<Handle>} start
   * @param {string} [saved] the name of the run that is continued; it stays saved whatever happens
   */
  async function follow(problem, options, auto, start, saved) {
    const algorithm = String(options.algorithm);
    const mine = new AbortController();
    abort = mine;
    let done = () => {};
    current = new Promise((resolve) => {
      done = resolve;
    });
    const { line } = get().history.present;
    set({
      run: { id: "", problem, line, algorithm, options, news: null, policy: null, trace: emptyTrace(), ending: "", saidFeasible: false, auto },
      edit: null,
      ...(auto ? {} : { crash: null, report: null }),
    });
    if (!auto) core.say(announcement("start", problem));
    const name = saved ?? runName(problem, core.algorithm(algorithm)?.title ?? algorithm);
    /** @type {Promise<void>} */
    let noted = Promise.resolve();
    try {
      handle = await start(mine.signal);
      const { id } = handle;
      set((s) => ({ run: s.run && { ...s.run, id } }));
      if (!auto) noted = noteRun({ id, name, problem, options });
      for await (const news of handle) progress(news);
      const result = await handle.result;
      mine.signal.throwIfAborted(); // cancelled on the last step
      set({ run: null });
      if (result.status === "failed") return await failed(problem, result, algorithm, noted, saved === undefined ? id : null);
      /** @type {Answer} */
      const answer = { problem, result, algorithm, id, name, line, saving: "", source: "run", checked: "" };
      // Less than the same method had found already is not worth its place.
      const better = result.status === "stopped" && !result.feasible
        ? get().answers.find((a) => a.result.feasible && a.algorithm === algorithm && sameModel(a.problem, problem))
        : undefined;
      set((s) => ({ answers: better ? withAnswer(withAnswer(s.answers, answer), better) : withAnswer(s.answers, answer), report: null }));
      if (auto) return;
      core.succeeded();
      if (better) core.notify("The run was stopped before it had found a policy that keeps every limit. It is saved, and the answer before stays here.");
      core.say(announcement("done", problem, result));
      await noted; // the beginning is not written over the end
      await saveAnswer(id);
    } catch (error) {
      await noted;
      if (handle && !auto && saved === undefined && (get().run?.ending === "cancel" || /** @type {{ code?: string } | null} */ (error)?.code !== "crashed"))
        await forgetRun(handle.id);
      ended(error, problem);
    } finally {
      handle = null;
      abort = null;
      set({ run: null });
      done();
    }
  }

  /**
   * A method that could not run leaves the answer as it was.
   * @param {import("../rcmdp.js").Problem} problem
   * @param {import("../rcmdp.js").Result} result
   * @param {string} algorithm
   * @param {Promise<void>} noted
   * @param {string | null} id of the saved run to take away
   */
  async function failed(problem, result, algorithm, noted, id) {
    const why = result.warnings.join(" ") || `${core.algorithm(algorithm)?.title ?? algorithm} could not run and gave no reason.`;
    core.notify(sentence(why), [], "bad");
    core.say(announcement("failed", problem, { message: why }));
    await noted;
    if (id !== null) await forgetRun(id);
  }

  /** @param {import("../rcmdp.js").Progress} news */
  function progress(news) {
    const { run } = get();
    if (!run) return;
    const first = !run.saidFeasible && news.best?.feasible === true;
    set({ run: { ...run, news, policy: news.best?.policy ?? run.policy, trace: extended(run.trace, news), saidFeasible: run.saidFeasible || first } });
    if (first && !run.auto) core.say(announcement("feasible", run.problem, news));
  }

  /** A run that gave no result. @param {any} error @param {Doc} problem */
  function ended(error, problem) {
    const { run } = get();
    if (run?.ending === "cancel") {
      if (!run.auto) core.say("Cancelled. The answer before is unchanged.");
      return;
    }
    if (error?.errors?.length && problem === core.doc())
      set((s) => ({ check: { doc: problem, errors: error.errors, warnings: [], summary: s.check?.summary } }));
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

  // Another model ends the run: with what it has found when a person had asked for it.
  core.leaving = () => {
    clearTimeout(liveTimer);
    const { run } = get();
    if (run?.auto) cancel();
    else if (run) stop();
  };

  // ---- small models follow their edits

  core.store.subscribe(() => {
    const s = get();
    const { doc } = s.history.present;
    if (doc === seen || !s.opened) return;
    const before = seen;
    seen = doc;
    if (before !== null) follows();
  });

  /** After an edit: solves again when the person has paused and the model is small enough. */
  function follows() {
    clearTimeout(liveTimer);
    liveTimer = setTimeout(async () => {
      if (!isLive(get()) || shownAnswer(get()).fresh) return;
      if (get().run && !get().run?.auto) return;
      const doc = core.doc();
      if (!(await checked()) || doc !== core.doc() || blockedBy(get()) !== "") return;
      if (get().run && sameModel(get().run?.problem, doc)) return;
      await solve({ auto: "live" });
    }, LIVE_MS);
  }

  /** Whether edits are followed. @param {boolean} live */
  function setLive(live) {
    set({ live });
    if (live) follows();
    else if (get().run?.auto === "live") cancel();
  }

  /** Has the independent checker repeat the proof of the answer, with its policy. */
  async function checkAnswer() {
    const { answer } = shownAnswer(get());
    if (!answer || !core.solver) return;
    const here = (/** @type {Partial<import("./state.js").Report>} */ part) =>
      set((s) => (shownAnswer(s).answer?.id === answer.id ? { report: { busy: false, ok: false, reasons: [], message: "", ...part } } : {}));
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

  /** Has a certificate from a file checked against the model. @param {unknown} certificate @param {string} name */
  async function tryCertificate(certificate, name) {
    if (!core.solver) return;
    try {
      const problem = core.doc();
      const { ok, lowerBound, upperBound, infeasible, reasons } = await core.solver.check(problem, certificate);
      const shows = infeasible ? "no stationary policy keeps every limit" : `no stationary policy is better than ${number(lowerBound ?? upperBound)}`;
      if (ok) core.notify(`${name} holds for this model: ${shows}.`);
      else core.notify(`${name} does not hold for this model. ${sentence(reasons.at(-1) ?? "")}`, [], "bad");
    } catch (error) {
      core.notify(`${name} was not checked: ${said(error)}`, [], "bad");
    }
  }

  const editPolicy = () =>
    set((s) => {
      const { answer } = shownAnswer(s);
      return { edit: answer && { policy: answer.result.policy, outcome: null, message: "", busy: false } };
    });

  /** @param {number} s @param {number} a @param {number} p */
  function setPolicy(s, a, p) {
    const { edit } = get();
    if (!edit) return;
    set({ edit: { ...edit, outcome: null, message: "", policy: edit.policy.map((row, i) => (i === s ? row.map((x, j) => (j === a ? p : x)) : row)) } });
  }

  /** Judges the policy on trial under the answer's problem. */
  async function evaluatePolicy() {
    const { edit } = get();
    const { answer } = shownAnswer(get());
    if (!edit || !answer || !core.solver) return;
    const { states, actions } = answer.problem;
    const here = (/** @type {Partial<import("./state.js").PolicyEdit>} */ part) => set((s) => ({ edit: s.edit && { ...s.edit, busy: false, ...part } }));
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
    const { answer } = shownAnswer(get());
    if (
      !answer || !sameValue(document.states, answer.problem.states) || !sameValue(document.actions, answer.problem.actions) ||
      !Array.isArray(document.probabilities)
    ) {
      core.notify(`${name} holds a policy of another model: its states or actions are not those of the answer shown here.`, [], "bad");
      return;
    }
    set({ edit: { policy: document.probabilities, outcome: null, message: "", busy: false } });
    await evaluatePolicy();
  }

  return {
    solve,
    askToSolve,
    resume,
    stop,
    cancel,
    setLive,
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

/**
 * Whether the model is small enough to be solved again while it is edited.
 * @param {import("./state.js").State} s
 */
export function isLive({ live, history, engine }) {
  const { doc } = history.present;
  if (!live || engine.phase !== "ready") return false;
  const kernels = doc?.uncertainty?.kernels?.length ?? 1;
  return (doc?.states?.length ?? Infinity) * (doc?.actions?.length ?? 1) * kernels <= LIVE_ROWS;
}
