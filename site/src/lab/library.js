// @ts-check
// library.js — actions on the saved runs. Where the browser keeps no data they last
// as long as the tab, and the page says so; a read that failed is never "no runs".

import { count } from "../words/format.js";
import { said } from "./core.js";

/**
 * @param {import("./core.js").Core} core
 * @param {import("./editing.js").Editing} editing
 * @param {import("./methods.js").Methods} methods
 */
export function library(core, { put, keepDraft }, { adopt }) {
  const { get, set, world } = core;
  const shelf = () => core.solver.runs;
  let listening = false;

  async function loadRuns() {
    if (!core.solver || !world.stores) return;
    try {
      const list = await shelf().list();
      const { storage, notice } = await shelf().estimate();
      set((s) => ({ runs: { ...s.runs, phase: storage === "memory" ? "memory" : "ready", list, message: notice ?? "" } }));
      // Other tabs change the same list.
      if (!listening) shelf().onChange(() => void loadRuns());
      listening = true;
    } catch (error) {
      set((s) => ({ runs: { ...s.runs, phase: "failed", message: said(error) } }));
    }
  }

  /**
   * Notes that a run began, so that it can be continued if the tab goes away.
   * @param {{ id: string, name: string, problem: any, options: any }} run
   */
  async function noteRun(run) {
    if (!world.stores) return;
    await shelf().put(run).catch(() => {}); // what matters is saved at the end, and said there
  }

  /** Saves the answer as a run. */
  async function saveAnswer() {
    const { answer } = get();
    if (!answer || !world.stores) return;
    const { id, name, problem, algorithm, result } = answer;
    await save({ id, name, problem, options: { algorithm, ...result.options }, result });
  }

  /** @param {any} run */
  async function save(run) {
    const saving = (/** @type {import("./state.js").Answer["saving"]} */ to) =>
      set(({ answer }) => (answer !== null && answer.id === run.id ? { answer: { ...answer, saving: to } } : {}));
    saving("saving");
    try {
      await shelf().put(run);
      saving("saved");
      keepDraft();
    } catch (error) {
      saving("failed");
      core.notify(`The run is not saved: ${said(error)} It stays on this page until you close it.`, [{ label: "Try again", run: () => void save(run) }], "bad");
    }
    await loadRuns();
  }

  /** The answer that was on the page before a reload, if it was saved. @param {string} id */
  async function restoreAnswer(id) {
    try {
      const run = await shelf().get(id);
      if (run.result) set({ answer: answerOf(run) });
    } catch { /* deleted meanwhile, or no store: then there is no answer yet */ }
  }

  /** @param {any} run @returns {import("./state.js").Answer} */
  const answerOf = (run) => ({ problem: run.problem, result: run.result, algorithm: run.algorithm, id: run.id, name: run.name, saving: "saved" });

  /** Shows a saved run: its model, its method and, once it ended, its answer. @param {string} id @returns {Promise<any>} the run, or null */
  async function openRun(id) {
    try {
      const run = await shelf().get(id);
      adopt(run.algorithm, run.options ?? {});
      if (run.result) set({ answer: answerOf(run), crash: null, report: null });
      await put({ doc: run.problem, origin: { kind: "run", id, name: run.name } });
      keepDraft();
      core.say(`Opened the run ${run.name}.`);
      return run;
    } catch (error) {
      core.notify(`The run was not opened: ${said(error)}`, [], "bad");
      return null;
    }
  }

  /** @param {string} id @param {string} name */
  async function renameRun(id, name) {
    try {
      await shelf().put({ id, name });
      set(({ answer }) => (answer !== null && answer.id === id ? { answer: { ...answer, name } } : {}));
    } catch (error) {
      core.notify(`The run keeps its name: ${said(error)}`, [], "bad");
    }
    await loadRuns();
  }

  /** Deletes a run at once; the notice can bring it back. @param {string} id */
  async function deleteRun(id) {
    try {
      const run = await shelf().get(id);
      await shelf().delete(id);
      set(({ answer, runs }) => ({
        runs: { ...runs, compare: runs.compare?.id === id ? null : runs.compare },
        answer: answer !== null && answer.id === id ? { ...answer, saving: "" } : answer,
      }));
      const { name, created, problem, options, result } = run;
      core.notify(`Deleted the run “${name}”.`, [{
        label: "Undo",
        run: () => void save({ id, name, created, problem, options, result: result ?? undefined }),
      }]);
    } catch (error) {
      core.notify(`The run was not deleted: ${said(error)}`, [], "bad");
    }
    await loadRuns();
  }

  /** A run that a person cancelled leaves nothing behind. @param {string} id */
  async function forgetRun(id) {
    if (world.stores) await shelf().delete(id).catch(() => {});
    await loadRuns();
  }

  /** @param {string | null} id */
  async function compareWith(id) {
    try {
      const run = id === null ? null : await shelf().get(id);
      if (run && !run.result) throw new Error("it has not ended.");
      set((s) => ({ runs: { ...s.runs, compare: run && { id: run.id, label: run.name, run } } }));
    } catch (error) {
      core.notify(`There is nothing to compare with: ${said(error)}`, [], "bad");
    }
  }

  /** Every saved run as one text. @returns {Promise<string>} */
  const exportRuns = () => shelf().exportAll();

  /** One run as a text that importRuns reads. @param {string} id */
  const exportRun = async (id) =>
    JSON.stringify({ format: "rcmdp-runs/1", runs: [await shelf().get(id)] }, (_key, value) => (ArrayBuffer.isView(value)
      ? Array.from(/** @type {any} */ (value), (x) => (Number.isFinite(x) ? x : null))
      : value));

  /** @param {string} text */
  async function importRuns(text) {
    try {
      const { added, kept } = await shelf().importAll(text);
      core.notify(`${count(added, "run")} imported${kept > 0 ? `, ${kept} there already` : ""}.`);
    } catch (error) {
      core.notify(`The runs were not imported: ${said(error)}`, [], "bad");
    }
    await loadRuns();
  }

  return { loadRuns, noteRun, saveAnswer, restoreAnswer, openRun, renameRun, deleteRun, forgetRun, compareWith, exportRuns, exportRun, importRuns };
}

/** @typedef {ReturnType<typeof library>} Library */
