// @ts-check
// library.js — actions on the saved runs. Where the browser keeps no data they are
// kept in memory, and the page says so; a read that failed is never "no runs".

import { count } from "../format.js";
import { said } from "./core.js";

/** How many runs are kept while the browser keeps none. */
const MEMORY_RUNS = 50;

/**
 * @param {import("./core.js").Core} core
 * @param {import("./editing.js").Editing} editing
 * @param {import("./methods.js").Methods} methods
 */
export function library(core, { put, keepDraft }, { adopt }) {
  const { get, set } = core;
  /** Runs of this visit that no store holds. @type {Map<string, any>} */
  const memory = new Map();

  async function loadRuns() {
    if (!core.solver || !core.world.stores) return;
    try {
      const list = await core.solver.runs.list();
      set((s) => ({ runs: { ...s.runs, phase: "ready", list, message: "" } }));
    } catch (error) {
      const missing = /** @type {any} */ (error)?.code === "unavailable";
      set((s) => ({ runs: { ...s.runs, phase: missing ? "memory" : "failed", list: missing ? [...memory.values()].map(summary).reverse() : s.runs.list, message: said(error) } }));
    }
  }

  /** Saves the answer as a run. */
  async function saveAnswer() {
    const { answer } = get();
    if (!answer || !core.world.stores) return;
    set({ answer: { ...answer, saving: "saving" } });
    await save({ id: answer.id, name: answer.name, created: Date.now(), problem: answer.problem, algorithm: answer.algorithm, options: answer.result.options, result: answer.result });
  }

  /** @param {any} run */
  async function save(run) {
    const saving = await keep(run);
    set(({ answer }) => (answer !== null && answer.id === run.id ? { answer: { ...answer, saving } } : {}));
    keepDraft();
    await loadRuns();
  }

  /** @param {any} run @returns {Promise<"saved" | "failed">} */
  async function keep(run) {
    if (get().runs.phase !== "memory") {
      try {
        await core.solver.runs.put(run);
        memory.delete(run.id);
        return "saved";
      } catch (error) {
        if (/** @type {any} */ (error)?.code !== "unavailable") {
          core.notify(`The run is not saved: ${said(error)} It stays in this tab until you close it.`, [{ label: "Try again", run: () => void save(run) }], "bad");
        }
      }
    }
    memory.set(run.id, run);
    while (memory.size > MEMORY_RUNS) memory.delete(/** @type {string} */ (memory.keys().next().value));
    return "failed";
  }

  /** @param {string} id */
  async function fetchRun(id) {
    const run = memory.get(id) ?? (await core.solver.runs.get(id));
    if (!run) throw new Error("it is no longer there.");
    return run;
  }

  /** The answer that was on the page before a reload, if it was saved. @param {string} id */
  async function restoreAnswer(id) {
    try {
      const run = await fetchRun(id);
      set({ answer: answerOf(run, "saved") });
    } catch { /* deleted meanwhile, or no store: then there is no answer yet */ }
  }

  /** @param {any} run @param {import("../state.js").Answer["saving"]} saving @returns {import("../state.js").Answer} */
  const answerOf = (run, saving) => ({ problem: run.problem, result: run.result, algorithm: run.algorithm, id: run.id, name: run.name, saving });

  /** @param {string} id */
  async function openRun(id) {
    try {
      const run = await fetchRun(id);
      adopt(run.algorithm, run.options ?? {});
      set({ answer: answerOf(run, memory.has(id) ? "failed" : "saved"), crash: null });
      await put({ doc: run.problem, origin: { kind: "run", id, name: run.name } });
      core.say(`Opened the run ${run.name}.`);
    } catch (error) {
      core.notify(`The run was not opened: ${said(error)}`, [], "bad");
    }
  }

  /** @param {string} id @param {string} name */
  async function renameRun(id, name) {
    try {
      const run = { ...(await fetchRun(id)), name };
      if (memory.has(id)) memory.set(id, run);
      else await core.solver.runs.put(run);
      set(({ answer }) => (answer !== null && answer.id === id ? { answer: { ...answer, name } } : {}));
    } catch (error) {
      core.notify(`The run keeps its name: ${said(error)}`, [], "bad");
    }
    await loadRuns();
  }

  /** Deletes a run at once; the notice can bring it back. @param {string} id */
  async function deleteRun(id) {
    try {
      const run = await fetchRun(id);
      if (!memory.delete(id)) await core.solver.runs.delete(id);
      set(({ answer, runs }) => ({
        runs: { ...runs, compare: runs.compare?.id === id ? null : runs.compare },
        answer: answer !== null && answer.id === id ? { ...answer, saving: "" } : answer,
      }));
      core.notify(`Deleted the run “${run.name}”.`, [{ label: "Undo", run: () => void save(run) }]);
    } catch (error) {
      core.notify(`The run was not deleted: ${said(error)}`, [], "bad");
    }
    await loadRuns();
  }

  /** @param {string | null} id */
  async function compareWith(id) {
    try {
      const run = id === null ? null : await fetchRun(id);
      set((s) => ({ runs: { ...s.runs, compare: run && { id: run.id, label: run.name, run } } }));
    } catch (error) {
      core.notify(`There is nothing to compare with: ${said(error)}`, [], "bad");
    }
  }

  /** Every saved run as one text. @returns {Promise<string>} */
  const exportRuns = async () => (get().runs.phase === "memory" ? runsText([...memory.values()]) : core.solver.runs.exportAll());

  /** One run as a text that importRuns reads. @param {string} id */
  const exportRun = async (id) => runsText([await fetchRun(id)]);

  /** @param {string} text */
  async function importRuns(text) {
    try {
      const added = await core.solver.runs.importAll(text);
      await loadRuns();
      core.notify(typeof added === "number" ? `${count(added, "run")} imported.` : "The runs are imported.");
    } catch (error) {
      core.notify(`The runs were not imported: ${said(error)}`, [], "bad");
    }
  }

  return { loadRuns, saveAnswer, restoreAnswer, openRun, renameRun, deleteRun, compareWith, exportRuns, exportRun, importRuns };
}

/** @typedef {ReturnType<typeof library>} Library */

/** What a list shows of a run. @param {any} run */
const summary = (run) => ({
  id: run.id, name: run.name, created: run.created, algorithm: run.algorithm, status: run.result?.status,
  objective: run.result?.objective?.value, feasible: run.result?.feasible,
});

/** @param {any[]} runs */
const runsText = (runs) => JSON.stringify({ format: "rcmdp-runs/1", runs }, (_key, value) => (ArrayBuffer.isView(value)
  ? Array.from(/** @type {any} */ (value), (x) => (Number.isFinite(x) ? x : null)) : value));
