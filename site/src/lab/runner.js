// @ts-check
// runner.js — one run at a time: begun, followed to its end, stopped or cancelled.

import { sentence } from "../words/format.js";
import { announcement, runName } from "../words/words.js";
import { sameModel } from "../document/same.js";
import { withAnswer } from "./state.js";
import { emptyTrace, extended } from "./trace.js";

/** @typedef {import("./state.js").Running} Running */
/** @typedef {import("./state.js").Answer} Answer */
/** @typedef {import("../rcmdp.js").Problem} Problem */
/** @typedef {import("../rcmdp.js").Result} Result */

/**
 * What a run is made of; saved: it was saved under that name before and stays saved
 * whatever happens, as it is continued.
 * @typedef {{
 *   problem: Problem, options: import("../rcmdp.js").SolveOptions, auto: Running["auto"], saved?: string,
 *   start: (signal: AbortSignal) => Promise<import("../rcmdp.js").Run>,
 * }} Begun
 */

export class Runner {
  #core;
  #library;
  /** @type {import("../rcmdp.js").Run | null} */
  #handle = null;
  /** @type {AbortController | null} */
  #abort = null;
  /** Ends when the run in progress has. */
  #current = Promise.resolve();
  /** The run in progress has been written down, where it is. @type {Promise<void>} */
  #noted = Promise.resolve();

  /** @param {import("./core.js").Core} core @param {import("./library.js").Library} library */
  constructor(core, library) {
    this.#core = core;
    this.#library = library;
  }

  /** Ends when no run is in progress. */
  get idle() {
    return this.#current;
  }

  /** Starts a run and follows it to its end. @param {Begun} begun */
  follow(begun) {
    const work = this.#work(begun);
    this.#current = work.catch(() => {}); // whoever began it meets its fault
    return work;
  }

  /** @param {Begun} begun */
  async #work(begun) {
    const { get, set } = this.#core;
    const { line } = get().history.present;
    const abort = new AbortController();
    this.#abort = abort;
    this.#noted = Promise.resolve();
    this.#announce(begun, line);
    try {
      this.#handle = await begun.start(abort.signal);
      const result = await this.#through(this.#handle, begun);
      abort.signal.throwIfAborted(); // cancelled on the last step
      const name = get().run?.name ?? this.#nameOf(begun); // a person may have renamed it
      set({ run: null });
      if (result.status === "failed") await this.#failed(begun, result, this.#handle.id);
      else await this.#finished(begun, result, { id: this.#handle.id, name, line });
    } catch (error) {
      await this.#broken(begun, error);
    } finally {
      this.#handle = this.#abort = null;
      set({ run: null });
    }
  }

  /** @param {Begun} begun @param {number} line */
  #announce(begun, line) {
    const { problem, options, auto } = begun;
    const algorithm = String(options.algorithm);
    this.#core.set({
      run: {
        id: "",
        name: this.#nameOf(begun),
        problem,
        line,
        algorithm,
        options,
        news: null,
        policy: null,
        trace: emptyTrace(),
        ending: "",
        saidFeasible: false,
        auto,
      },
      edit: null,
      ...(auto ? {} : { crash: null, report: null }),
    });
    if (!auto) this.#core.say(announcement("start", problem));
  }

  /** @param {Begun} begun */
  #nameOf({ problem, options, saved }) {
    const algorithm = String(options.algorithm);
    return saved ?? runName(problem, this.#core.algorithm(algorithm)?.title ?? algorithm);
  }

  /** Shows what a run says until it ends. @param {import("../rcmdp.js").Run} handle @param {Begun} begun */
  async #through(handle, begun) {
    const { id } = handle;
    this.#core.set((s) => ({ run: s.run && { ...s.run, id } }));
    const { problem, options, auto } = begun;
    if (!auto) this.#noted = this.#library.noteRun({ id, name: this.#nameOf(begun), problem, options });
    for await (const news of handle) this.#progress(news);
    return handle.result;
  }

  /** @param {import("../rcmdp.js").Progress} news */
  #progress(news) {
    const { get, set, say } = this.#core;
    const { run } = get();
    if (!run) return;
    const first = !run.saidFeasible && news.best?.feasible === true;
    set({ run: { ...run, news, policy: news.best?.policy ?? run.policy, trace: extended(run.trace, news), saidFeasible: run.saidFeasible || first } });
    if (first && !run.auto) say(announcement("feasible", run.problem, news));
  }

  /** Shows the answer, and saves it when a person has asked for it. @param {Begun} begun @param {Result} result @param {{ id: string, name: string, line: number }} of */
  async #finished({ problem, options, auto }, result, { id, name, line }) {
    const core = this.#core;
    const algorithm = String(options.algorithm);
    /** @type {Answer} */
    const answer = { problem, result, algorithm, id, name, line, saving: "", source: "run" };
    // Less than the same method had found already is not worth its place.
    // What a slider has passed on its way, and was not solved to its end.
    if (auto === "live" && result.status === "stopped" && !sameModel(problem, core.doc())) return;
    const better = result.status === "stopped" && !result.feasible
      ? core.get().answers.find((a) => a.result.feasible && a.algorithm === algorithm && sameModel(a.problem, problem))
      : undefined;
    core.set((s) => ({ answers: better ? withAnswer(withAnswer(s.answers, answer), better) : withAnswer(s.answers, answer), report: null }));
    if (auto) return;
    core.succeeded();
    if (better) core.notify("The run was stopped before it had found a policy that keeps every limit. It is saved, and the answer before stays here.");
    core.say(announcement("done", problem, result));
    await this.#noted; // the beginning is not written over the end
    await this.#library.saveAnswer(id);
  }

  /** A method that could not run leaves the answer as it was. @param {Begun} begun @param {Result} result @param {string} id */
  async #failed({ problem, options, saved }, result, id) {
    const algorithm = String(options.algorithm);
    const why = result.warnings.join(" ") || `${this.#core.algorithm(algorithm)?.title ?? algorithm} could not run and gave no reason.`;
    this.#core.notify(sentence(why), [], "bad");
    this.#core.say(announcement("failed", problem, { message: why }));
    await this.#noted;
    if (saved === undefined) await this.#library.forgetRun(id);
  }

  /** A run that gave no result. What a crash has left of it can be continued. @param {Begun} begun @param {unknown} error */
  async #broken({ problem, auto, saved }, error) {
    const core = this.#core;
    const { code, errors } = /** @type {Partial<import("../rcmdp.js").RcmdpError>} */ (error ?? {});
    await this.#noted;
    if (this.#handle && !auto && saved === undefined && (core.get().run?.ending === "cancel" || code !== "crashed"))
      await this.#library.forgetRun(this.#handle.id);
    const { run } = core.get();
    if (run?.ending === "cancel") {
      if (!run.auto) core.say("Cancelled. The answer before is unchanged.");
      return;
    }
    if (errors?.length && problem === core.doc()) core.set((s) => ({ check: { doc: problem, errors, warnings: [], summary: s.check?.summary } }));
    core.failed(error);
    core.say(announcement("failed", problem, error));
  }

  /** Ends the run and keeps the best policy so far. */
  stop() {
    const { run } = this.#core.get();
    if (!run || run.ending) return;
    this.#core.set({ run: { ...run, ending: "stop" } });
    this.#handle?.stop();
  }

  /** Ends the run at once and keeps nothing of it. */
  cancel() {
    const { run } = this.#core.get();
    if (!run) return;
    this.#core.set({ run: { ...run, ending: "cancel" } });
    this.#abort?.abort();
  }
}
