// @ts-check
// library.js — actions on the saved runs. Where the browser keeps no data they last
// as long as the tab, and the page says so; a read that failed is never "no runs".

import { shownAnswer, withAnswer, withPart } from "./state.js";
import { isSweep } from "../share/share.js";
import { count } from "../words/format.js";
import { said } from "./core.js";

/** @typedef {import("./state.js").Answer} Answer */
/** @typedef {import("../rcmdp.js").SavedRun} SavedRun */
/** @typedef {import("../rcmdp.js").Result} Result */

/** More runs than this are not told apart side by side. */
const MOST_COMPARED = 6;

/**
 * @param {import("./core.js").Core} core
 * @param {import("./editing.js").Editing & import("./methods.js").Methods & import("./judging.js").Judging} given
 */
export function library(core, given) {
  const { get, set } = core;
  const shelf = () => /** @type {import("../rcmdp.js").Solver} */ (core.solver).runs;
  const { loadRuns } = listing(core, shelf);
  const { noteRun, saveAnswer, save } = saving(core, given, shelf, loadRuns);
  return {
    loadRuns,
    noteRun,
    saveAnswer,
    ...shelving(core, shelf, loadRuns, save),
    ...reopening(core, given, shelf),
    ...travelling(core, shelf, loadRuns),
    /** Puts a run on the board, or takes it off. @param {string} id */
    toggleCompared(id) {
      const on = get().compared.includes(id);
      if (!on && get().compared.length >= MOST_COMPARED) return core.notify(`The board holds ${MOST_COMPARED} runs. Take one off first.`);
      set((s) => ({ compared: on ? s.compared.filter((other) => other !== id) : [...s.compared, id], view: on ? s.view : { ...s.view, panel: "compare" } }));
    },
  };
}

/** @typedef {ReturnType<typeof library>} Library */

/** @typedef {() => import("../rcmdp.js").Solver["runs"]} Shelf where runs are kept; only once the solver is there */
/** @typedef {() => Promise<void>} Reload reads the list anew */

/** Changes what is known of an answer, wherever it is shown. @param {import("./core.js").Core} core @param {string} id @param {Partial<Answer>} part */
const amend = ({ set }, id, part) => set(({ answers }) => ({ answers: withPart(answers, id, part) }));

/** The list of what is kept. @param {import("./core.js").Core} core @param {Shelf} shelf */
function listing(core, shelf) {
  const { set, world } = core;
  let listening = false;

  async function loadRuns() {
    if (!core.solver || !world.stores) return;
    try {
      const list = await shelf().list();
      const { storage, notice, persisted } = await shelf().estimate();
      set((s) => ({ runs: { ...s.runs, phase: storage === "memory" ? "memory" : "ready", list, message: notice ?? "", persisted: persisted ?? null } }));
      // Other tabs change the same list.
      if (!listening) shelf().onChange(() => void loadRuns());
      listening = true;
    } catch (error) {
      set((s) => ({ runs: { ...s.runs, phase: "failed", message: said(error) } }));
    }
  }

  return { loadRuns };
}

/** Runs that have begun and ended here. @param {import("./core.js").Core} core @param {import("./editing.js").Editing} editing @param {Shelf} shelf @param {Reload} loadRuns */
function saving(core, { keepDraft }, shelf, loadRuns) {
  const { get, world } = core;

  /** @param {import("../rcmdp.js").RunChanges} run */
  async function save(run) {
    const saving = (/** @type {Answer["saving"]} */ to) => amend(core, run.id, { saving: to });
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

  return {
    /**
     * Notes that a run began, so that it can be continued if the tab goes away.
     * @param {{ id: string, name: string, problem: Doc, options: import("../rcmdp.js").SolveOptions }} run
     */
    async noteRun(run) {
      if (!world.stores) return;
      await shelf().put(run).catch(() => {}); // what matters is saved at the end, and said there
    },
    /** Saves an answer as a run: the one shown, or that of a run. @param {string} [of] */
    async saveAnswer(of) {
      const answer = typeof of === "string" ? get().answers.find((a) => a.id === of) : shownAnswer(get()).answer;
      if (!answer || !world.stores || !core.solver) return;
      const { id, name, problem, algorithm, result } = answer;
      await save({ id, name, problem, options: { algorithm, ...result.options }, result });
    },
    save,
  };
}

/** Runs that are kept, back on the page. @param {import("./core.js").Core} core @param {import("./editing.js").Editing & import("./methods.js").Methods & import("./judging.js").Judging} given @param {Shelf} shelf */
function reopening(core, { put, keepDraft, adopt, confirmAnswers }, shelf) {
  const { get, set } = core;

  /** @param {SavedRun} run @param {Result} result @param {number} line */
  function show({ problem, algorithm, id, name }, result, line) {
    set((s) => ({
      answers: withAnswer(s.answers, { problem, result, algorithm, id, name, line, saving: "saved", source: "saved" }),
      crash: null,
      report: null,
    }));
  }

  /** A trade-off is not an answer: its points are a panel's. @param {SavedRun} run @param {boolean} goesOn */
  async function showSweep({ problem, options, result }, goesOn) {
    const { keptSweep } = await import("./tradeoff.js");
    set((s) => ({
      panels: {
        ...s.panels,
        tradeoff: {
          ...keptSweep(problem, /** @type {Parameters<typeof keptSweep>[1]} */ (options ?? {}), isSweep(result) ? result.points : []),
          began: goesOn,
        },
      },
      view: { ...s.view, panel: "tradeoff" },
    }));
  }

  /** Shows its model and method, and its answer where it has ended; null when another model was asked for meanwhile. @param {string} id @param {boolean} goesOn @param {() => boolean} wanted */
  async function fetchRun(id, goesOn, wanted) {
    const run = await shelf().get(id);
    if (!wanted()) return null;
    adopt(run.algorithm, run.options ?? {});
    const line = core.newLine();
    const example = /** @type {{ id: string, parameters: Record<string, number> } | undefined} */ (run.options?.example); // of a trade-off along one of its parameters
    const checked = put({
      doc: run.problem,
      origin: example ? { kind: "example", ...example, doc: run.problem } : { kind: "run", id, name: run.name },
      line,
    });
    if (run.algorithm === "sweep") await showSweep(run, goesOn);
    else if (run.result && !isSweep(run.result)) show(run, run.result, line);
    return { run, checked };
  }

  return {
    /** All that is saved of the answer that was on the page before a reload: a draft has no search and may have no proof. @param {string} id */
    async restoreAnswer(id) {
      const { line } = get().history.present;
      try {
        const run = await shelf().get(id);
        if (run.result && !isSweep(run.result)) show(run, run.result, line);
      } catch { // deleted meanwhile, or no store: what the draft has of it is in this tab only
        amend(core, id, { saving: "" });
      }
    },
    /** Shows a saved run: its model, its method and, once it ended, its answer. @param {string} id @param {boolean} [goesOn] a trade-off is drawn on @returns {Promise<SavedRun | null>} */
    async openRun(id, goesOn = false) {
      const came = await core.bringIn((wanted) => fetchRun(id, goesOn, wanted), "The run was not opened: ");
      if (!came) return null;
      keepDraft();
      core.say(`Opened the run ${came.run.name}.`);
      void confirmAnswers();
      return came.run;
    },
  };
}

/** Names of kept runs, and what goes. @param {import("./core.js").Core} core @param {Shelf} shelf @param {Reload} loadRuns @param {(run: import("../rcmdp.js").RunChanges) => Promise<void>} save */
function shelving(core, shelf, loadRuns, save) {
  const { set, world } = core;

  return {
    /** @param {string} id @param {string} name */
    async renameRun(id, name) {
      await core.attempt("The run keeps its name: ", async () => {
        await shelf().put({ id, name });
        amend(core, id, { name });
        set(({ run }) => (run?.id === id ? { run: { ...run, name } } : {})); // its end is saved under the new name
      });
      await loadRuns();
    },
    /** Deletes a run at once; the notice can bring it back. @param {string} id */
    async deleteRun(id) {
      await core.attempt("The run was not deleted: ", async () => {
        const run = await shelf().get(id);
        await shelf().delete(id);
        amend(core, id, { saving: "" });
        set((s) => ({ compared: s.compared.filter((other) => other !== id) }));
        const { name, created, problem, options, result } = run;
        core.notify(`Deleted the run “${name}”.`, [{
          label: "Undo",
          run: () => void save({ id, name, created, problem, options, result: result ?? undefined }),
        }]);
      });
      await loadRuns();
    },
    /** A run that a person cancelled leaves nothing behind. @param {string} id */
    async forgetRun(id) {
      if (world.stores) await shelf().delete(id).catch(() => {});
      await loadRuns();
    },
  };
}

/** Runs as texts. @param {import("./core.js").Core} core @param {Shelf} shelf @param {Reload} loadRuns */
function travelling(core, shelf, loadRuns) {
  return {
    /** Every saved run as one text. @returns {Promise<string>} */
    exportRuns: () => shelf().exportAll(),
    /** One run as a text that importRuns reads. @param {string} id */
    exportRun: async (id) =>
      JSON.stringify({ format: "rcmdp-runs/1", runs: [await shelf().get(id)] }, (_key, value) => (ArrayBuffer.isView(value)
        ? Array.from(/** @type {any} */ (value), (x) => (Number.isFinite(x) ? x : null))
        : value)),
    /** @param {string} text */
    async importRuns(text) {
      await core.attempt("The runs were not imported: ", async () => {
        const { added, kept } = await shelf().importAll(text);
        core.notify(`${count(added, "run")} imported${kept > 0 ? `, ${kept} there already` : ""}.`);
      });
      await loadRuns();
    },
  };
}
